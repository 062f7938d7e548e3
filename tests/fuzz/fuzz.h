/* fuzz.h: what the fuzz targets share. A target defines FUZZ_NAME and fuzz_one (and fuzz_seed under
   FUZZ_MAIN) between this file and fuzz_main.h. */
#ifndef NN_FUZZ_H
#define NN_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "memory_files.h"

static volatile unsigned char fuzz_sum;

static void fuzz_ensure_at(bool condition, int line) {
    if (condition) return;
    fprintf(stderr, "line %d: a fuzzed file broke a promise\n", line); /* abort flushes nothing */
    abort();
}
#define fuzz_ensure(condition) fuzz_ensure_at((condition), __LINE__)

/* Reads every byte, so that a sanitizer sees what is not ours or not set. */
static void fuzz_touch(const void *from, size_t size) {
    unsigned char sum = 0;
    for (size_t i = 0; i < size; i++) sum = (unsigned char)(sum + ((const unsigned char *)from)[i]);
    fuzz_sum = sum;
}

#endif
