/* semihosting_write.c - newlib's output of a Cortex-M4 under qemu-system-arm, letter by letter. */
int _write(int file, const char *text, int count);

int _write(int file, const char *text, int count) {
    (void)file;
    for (int i = 0; i < count; i++) {
        register unsigned operation __asm__("r0") = 0x03; /* SYS_WRITEC */
        register const char *letter __asm__("r1") = text + i;
        __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(letter) : "memory");
    }
    return count;
}
