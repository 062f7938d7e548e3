/* kernels.cl - nn kernels version 2 - the OpenCL C kernels of nn_opencl.h. The list of their parts.
   The number must be that of opencl/program.c: raise both when a kernel's arguments change. */
#include "opencl/common.cl"
#include "opencl/gemm.cl"
#include "opencl/conv2d.cl"
#include "opencl/pool2d.cl"
#include "opencl/pointwise.cl"
#include "opencl/reduce.cl"
#include "opencl/softmax.cl"
#include "opencl/cross_entropy.cl"
#include "opencl/metric.cl"
#include "opencl/update.cl"
#include "opencl/random.cl"
