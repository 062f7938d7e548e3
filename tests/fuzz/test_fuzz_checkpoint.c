/* tests/fuzz/test_fuzz_checkpoint.c - runs the small corpus of fuzz_checkpoint.c as a test. */
#define FUZZ_MAIN
#include "fuzz_checkpoint.c"
