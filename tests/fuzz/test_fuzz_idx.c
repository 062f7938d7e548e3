/* tests/fuzz/test_fuzz_idx.c - runs the small corpus of fuzz_idx.c as a test. */
#define FUZZ_MAIN
#include "fuzz_idx.c"
