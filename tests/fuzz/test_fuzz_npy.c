/* tests/fuzz/test_fuzz_npy.c - runs the small corpus of fuzz_npy.c as a test. */
#define FUZZ_MAIN
#include "fuzz_npy.c"
