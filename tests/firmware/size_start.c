/* size_start.c - starts a Cortex-M4 under qemu-system-arm (mps2-an386): has its vector table, and
   hands the exit code of main to semihosting. It is linked with size_m4.ld. */
extern char size_stack_top, size_bss_start, size_bss_end;
extern int main(void);
void size_reset(void);

static void leave(int code) {
    unsigned block[2];
    register unsigned operation __asm__("r0") = 0x20; /* SYS_EXIT_EXTENDED */
    register unsigned *argument __asm__("r1") = block;
    block[0] = 0x20026; /* ADP_Stopped_ApplicationExit */
    block[1] = (unsigned)code;
    __asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(argument) : "memory");
    for (;;) {}
}

static void fault(void) { leave(99); }

void size_reset(void) {
    volatile char *c;
    *(volatile unsigned *)0xe000ed88u |= 0xfu << 20; /* switches the floating-point unit on */
    __asm__ volatile("dsb\n isb" ::: "memory");
    for (c = &size_bss_start; c < &size_bss_end; c++) *c = 0;
    leave(main());
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
    &size_stack_top, (void *)size_reset, (void *)fault, (void *)fault,
    (void *)fault,   (void *)fault,      (void *)fault};
