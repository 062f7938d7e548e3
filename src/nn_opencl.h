/* nn_opencl.h - the OpenCL backend of nn.h. The list of its parts. */
#ifndef NN_OPENCL_H
#define NN_OPENCL_H

#include "nn.h"

#include "opencl/opencl.h"

#endif /* NN_OPENCL_H: stop here if you only want the API. */

#if defined(NN_OPENCL_IMPLEMENTATION) && !defined(NN_OPENCL_IMPLEMENTED)
#define NN_OPENCL_IMPLEMENTED
#include "opencl/text.h"
#include "opencl/api.c"
#include "opencl/words.c"
#include "opencl/open.c"
#include "opencl/device.c"
#include "opencl/queue.c"
#include "opencl/program.c"
#include "opencl/cache.c"
#include "opencl/launch.c"
#include "opencl/blas.c"
#include "opencl/gemm.c"
#include "opencl/conv2d.c"
#include "opencl/pool2d.c"
#include "opencl/pointwise.c"
#include "opencl/pointwise_program.c"
#include "opencl/reduce.c"
#include "opencl/softmax.c"
#include "opencl/cross_entropy.c"
#include "opencl/metric.c"
#include "opencl/update.c"
#include "opencl/random.c"
#include "opencl/custom.c"
#include "opencl/gather.c"
#include "opencl/augment.c"
#include "opencl/kernels.c"
#endif
