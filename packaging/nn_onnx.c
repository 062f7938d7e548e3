/* The implementation of nn_onnx.h, for CMakeLists.txt and meson.build. */
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"
