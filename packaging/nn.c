/* The implementation of nn.h, and with NN_GROUP or MPI that of nn_group.h, for CMakeLists.txt and
   meson.build. */
#define NN_IMPLEMENTATION
#ifdef NN_WITH_GROUP
#include "nn_group.h"
#else
#include "nn.h"
#endif
