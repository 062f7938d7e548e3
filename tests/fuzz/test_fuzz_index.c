/* tests/fuzz/test_fuzz_index.c - runs the small corpus of fuzz_index.c as a test. */
#define FUZZ_MAIN
#include "fuzz_index.c"
