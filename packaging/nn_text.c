/* The implementation of nn_text.h, for CMakeLists.txt and meson.build. */
#define NN_TEXT_IMPLEMENTATION
#include "nn_text.h"
