/* tests/fuzz/test_fuzz_config.c - runs the small corpus of fuzz_config.c as a test. */
#define FUZZ_MAIN
#include "fuzz_config.c"
