/* The implementation of nn_mpi.h, for CMakeLists.txt and meson.build. */
#define NN_MPI_IMPLEMENTATION
#include "nn_mpi.h"
