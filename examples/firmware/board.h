/* board.h - what a program needs to start and to print on two boards that qemu-system-arm emulates:
   mps2-an386 (Cortex-M4) and mps2-an385 (Cortex-M3). board.ld places it. On a board of your own,
   your vendor's start-up code takes its place.

   It also leaves out of nn.h what these programs do not use; docs/firmware.md explains the macros.
   TRAINS keeps the small trainer. */
#pragma once

#ifdef TRAINS
#define NN_NO_TRAINING_OPTIONS
#else
#define NN_NO_TRAINING
#endif
#define NN_NO_REPORTS
#define NN_NO_SPEEDUPS
#define NN_NO_MIXED_PRECISION
#define NN_NO_RARE_OPTIONS
#define NN_NO_FILES
#define NN_NO_THREADS
#define NN_NO_STDIO
#define NN_NO_SIMD
#define NN_NO_CALL_SITES
#define NN_NO_MALLOC
#define NN_IMPLEMENTATION
#include "../../nn.h"

int main(void);
extern char board_stack_top, board_bss, board_bss_end;

/* Asks the emulator (or a debugger) for something: semihosting. */
static inline int board_ask(unsigned what, const void *with) {
    register unsigned operation __asm__("r0") = what;
    register const void *argument __asm__("r1") = with;
    __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
    return (int)operation;
}
static inline void print(const char *text) { board_ask(4, text); }
static inline void print_number(int n) {
    char text[12], *at = text + 11;
    *at = 0;
    do *--at = (char)('0' + n % 10);
    while (n /= 10);
    print(at);
}
static inline void board_leave(int code) {
    const unsigned block[2] = {0x20026, (unsigned)code};
    for (;;) board_ask(0x20, block);
}

static void board_fault(void) { board_leave(99); }
void board_reset(void);
void board_reset(void) {
#ifdef __ARM_FP
    *(volatile unsigned *)0xe000ed88u |= 0xfu << 20; /* the floating-point unit */
    __asm__ volatile("dsb\n isb" ::: "memory");
#endif
    for (volatile char *c = &board_bss; c < &board_bss_end; c++) *c = 0;
    board_leave(main());
}
__attribute__((section(".vectors"), used)) static void *const board_vectors[16] = {
    &board_stack_top,    (void *)board_reset, (void *)board_fault, (void *)board_fault,
    (void *)board_fault, (void *)board_fault, (void *)board_fault};
