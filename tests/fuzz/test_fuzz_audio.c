/* tests/fuzz/test_fuzz_audio.c - runs the small corpus of fuzz_audio.c as a test. */
#define FUZZ_MAIN
#include "fuzz_audio.c"
