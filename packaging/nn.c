/* The implementation of nn.h for CMakeLists.txt and meson.build, with that of the optional files
   that go on in the same file: nn_group.h (NN_GROUP or MPI), nn_more.h (NN_MORE), nn_sequence.h
   (NN_SEQUENCE), nn_quantize.h (NN_QUANTIZE) and nn_self_test.h (NN_SELF_TEST). */
#define NN_IMPLEMENTATION
#ifdef NN_WITH_GROUP
#include "nn_group.h"
#else
#include "nn.h"
#endif
#ifdef NN_WITH_MORE
#include "nn_more.h"
#endif
#ifdef NN_WITH_SEQUENCE
#include "nn_sequence.h"
#endif
#ifdef NN_WITH_QUANTIZE
#include "nn_quantize.h"
#endif
#ifdef NN_WITH_SELF_TEST
#include "nn_self_test.h"
#endif
