/* compile_twice.c - the API comes first, twice, as through two headers of a program, and then the
   implementation. */
#include "nn.h"
#include "nn.h"
#include "nn_opencl.h"

extern int compile_twice(nn_context *nn);
int compile_twice(nn_context *nn) { return nn_device_count(nn); }

#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn.h"
