/* tests/fuzz/test_fuzz_onnx.c - runs the small corpus of fuzz_onnx.c as a test. */
#define FUZZ_MAIN
#include "fuzz_onnx.c"
