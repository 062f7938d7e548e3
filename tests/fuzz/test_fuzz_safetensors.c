/* tests/fuzz/test_fuzz_safetensors.c - runs the small corpus of fuzz_safetensors.c as a test. */
#define FUZZ_MAIN
#include "fuzz_safetensors.c"
