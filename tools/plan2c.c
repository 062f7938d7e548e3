/* plan2c.c - turns an ONNX file into the plan of its net as C constants, for firmware: plan2c
   kws.onnx > kws.h. It has plain kernels only, as the firmware will have, so that the plan gets the
   scratch memory that these ask for. `make build/tools/plan2c` builds it; docs/firmware.md says how
   to use the text. */
#define NN_NO_SIMD
#define PLAN2C
#include "onnx2c.c"
