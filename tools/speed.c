/* tools/speed.c - measures how fast this machine is, for `make test`: it prints the processor time
   and the time by the clock, in milliseconds, that a fixed piece of work takes. The work is what
   compilers and tests do: branches, memory, arithmetic. One run is one "unit" of
   tests/times.txt. */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COUNT = 1 << 20, ROUNDS = 3, TRIES = 3 };

static uint32_t keys[COUNT];
static float numbers[COUNT];

static int by_key(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static double work(void) {
    uint32_t word = 12345;
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        word = word * 1664525u + 1013904223u;
        keys[i] = word;
        numbers[i] = (float)(word >> 8) / 16777216.0f;
    }
    qsort(keys, COUNT / 4, sizeof keys[0], by_key);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < COUNT; i++) {
            const uint32_t at = keys[i] % COUNT;
            if (numbers[at] > 0.5f) sum += (double)(numbers[at] * numbers[i]);
            else numbers[i] = numbers[at] + 0.25f;
        }
    return sum;
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

int main(void) {
    double least = 1e9, longest = 0, sum = 0;
    for (int i = 0; i < TRIES; i++) {
        const double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
        sum += work();
        const double took = now(CLOCK_PROCESS_CPUTIME_ID) - cpu,
                     waited = now(CLOCK_MONOTONIC) - wall;
        least = took < least ? took : least;
        longest = waited > longest ? waited : longest;
    }
    printf("%.0f %.0f\n", least < 1 ? 1 : least, longest < 1 ? 1 : longest);
    return sum < 0;
}
