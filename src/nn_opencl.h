/* nn_opencl.h - the OpenCL backend of nn.h. Not built yet: this file declares nothing but the macro below.

   It exists so that the places where it will stand, its name and its include line are fixed: a program may include
   it today, ask NN_OPENCL_AVAILABLE, and needs no change of its build when the backend arrives. */
#ifndef NN_OPENCL_H
#define NN_OPENCL_H

#include "nn.h"

#define NN_OPENCL_AVAILABLE 0 /* 1 in the version that has nn_opencl_open */

#endif /* NN_OPENCL_H */
