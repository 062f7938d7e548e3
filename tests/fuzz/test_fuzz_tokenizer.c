/* tests/fuzz/test_fuzz_tokenizer.c - runs the small corpus of fuzz_tokenizer.c as a test. */
#define FUZZ_MAIN
#include "fuzz_tokenizer.c"
