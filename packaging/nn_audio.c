/* The implementation of nn_audio.h, for CMakeLists.txt and meson.build. */
#define NN_AUDIO_IMPLEMENTATION
#include "nn_audio.h"
