/* The implementation of nn_opencl.h, for CMakeLists.txt and meson.build. */
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
