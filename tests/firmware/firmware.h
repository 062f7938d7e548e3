/* firmware.h - the library for the smallest programs: every feature is off, but the trainer of
   train/small.h is there with FIRMWARE_TRAINS. Include it before nn.h. */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#ifdef FIRMWARE_TRAINS
#define NN_NO_TRAINING_OPTIONS
#else
#define NN_NO_TRAINING
#endif
#define NN_NO_REPORTS
#define NN_NO_SPEEDUPS
#define NN_NO_MIXED_PRECISION
#define NN_NO_RARE_OPTIONS
#define NN_NO_FILES
#define NN_NO_THREADS
#define NN_NO_STDIO
#define NN_NO_SIMD
#define NN_NO_CALL_SITES
#define NN_NO_MALLOC
#define NN_IMPLEMENTATION
#include "nn.h"

#endif /* FIRMWARE_H */
