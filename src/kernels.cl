/* kernels.cl - nn kernels version 10 - the OpenCL C kernels of nn_opencl.h. This is the list of
   their parts. The number must be that of opencl/program.c: raise both when a kernel's arguments
   change. */
#include "opencl/common.cl"
#include "opencl/mma.cl"
#include "opencl/mma_loop.cl"
#include "kernels/opencl.cl"
