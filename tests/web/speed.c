/* speed.c - measures the steps a second of one of the page's nets, 0, 1 or 2, compiled for this
   machine: one thread, the same code, the best of 3 times 20 steps. tests/web/page.mjs runs it
   alternately with the browser (NN_NATIVE). */
#define _POSIX_C_SOURCE 199309L
#include "../../web/digits.c"

#include <stdio.h>
#include <time.h>

/* Returns the seconds of this process on a processor, so that other programs do not count. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv) {
    const int net = argc > 1 ? atoi(argv[1]) : 0;
    double best = 0;
    if (!web_start(net, 1, 0.001f, 1)) {
        fprintf(stderr, "net %d cannot start: %s\n", net, web_text());
        return 1;
    }
    for (int i = 0; i < 40; i++) web_step();
    for (int round = 0; round < 3; round++) {
        const double start = now();
        for (int i = 0; i < 20; i++) web_step();
        const double rate = 20 / (now() - start);
        best = rate > best ? rate : best;
    }
    printf("%.1f %s\n", best, nn_instruction_set_name(web.nn));
    return 0;
}
