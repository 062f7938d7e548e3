/* The implementation of nn.h, for CMakeLists.txt and meson.build. */
#define NN_IMPLEMENTATION
#include "nn.h"
