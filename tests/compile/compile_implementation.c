/* compile_implementation.c - the one file of a program that holds the implementation. Including
   the header again must change nothing, with the macro still set, and without it. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn.h"
#include "nn_quantize.h"
#include "nn_quantize.h"
#include "nn_self_test.h"
#include "nn_self_test.h"
#include "nn_opencl.h"
#undef NN_IMPLEMENTATION
#include "nn.h"
