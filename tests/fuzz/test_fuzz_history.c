/* tests/fuzz/test_fuzz_history.c - runs the small corpus of fuzz_history.c as a test. */
#define FUZZ_MAIN
#include "fuzz_history.c"
