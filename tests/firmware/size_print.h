/* size_print.h - what a program under qemu-system-arm prints and measures: text by semihosting,
   instructions by the SysTick timer, the stack by painting it. On the host, programs only print. */
#ifndef SIZE_PRINT_H
#define SIZE_PRINT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __arm__
extern char size_stack_top;
/* Most bytes of a stack that are noticed; the linker script leaves far more. */
enum { SIZE_STACK = 32768 };
static volatile unsigned *const size_timer = (volatile unsigned *)0xe000e010u;

static inline void size_say(const char *text) {
    register unsigned operation __asm__("r0") = 4; /* SYS_WRITE0 */
    register const char *argument __asm__("r1") = text;
    __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
}
/* With -icount shift=0, a tick of 25 MHz is 40 instructions. */
static inline void size_begin(void) {
    size_timer[1] = 0xffffff; /* reload value */
    size_timer[2] = 0;
    size_timer[0] = 5; /* on, from the processor's clock */
}
static inline unsigned size_end(void) { return (0xffffff - size_timer[2]) * 40; }
/* Paints the stack below the caller; size_stack then finds how many bytes were used. */
static inline void size_paint(void) {
    volatile uint32_t *from = (volatile uint32_t *)(void *)(&size_stack_top - SIZE_STACK), *to;
    uint32_t here;
    for (to = &here - 16; from < to; from++) *from = 0xc0ffee00u;
}
static inline size_t size_stack(void) {
    const volatile uint32_t *at = (volatile uint32_t *)(void *)(&size_stack_top - SIZE_STACK);
    while (*at == 0xc0ffee00u) at++;
    return (size_t)(&size_stack_top - (const char *)at);
}
#else
#include <stdio.h>
static inline void size_say(const char *text) { fputs(text, stdout); }
static inline void size_begin(void) {}
static inline unsigned size_end(void) { return 0; }
static inline void size_paint(void) {}
static inline size_t size_stack(void) { return 0; }
#endif

static inline void size_number(unsigned n) {
    char text[12], *at = text + 11;
    *at = 0;
    do *--at = (char)('0' + n % 10);
    while (n /= 10);
    size_say(" ");
    size_say(at);
}

#endif /* SIZE_PRINT_H */
