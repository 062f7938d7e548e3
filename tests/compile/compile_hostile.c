/* compile_hostile.c - includes nn.h after macros that windows.h, X11 and complex.h define. Here any
   use of these names fails, so the library must use none. COMPILE_API_ONLY: without the
   implementation. In C++ the standard headers come first: they use min and max themselves. */
#ifdef __cplusplus
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef NN_NO_THREADS
#include <pthread.h>
#endif
#endif

#define min hostile -
#define max hostile -
#define near hostile -
#define far hostile -
#define small hostile -
#define interface hostile -
#define Bool hostile -
#define None hostile -
#define I hostile -

#ifndef COMPILE_API_ONLY
#define NN_IMPLEMENTATION
#endif
#include "nn.h"

extern int compile_hostile(nn_context *nn);
int compile_hostile(nn_context *nn) { return nn_device_count(nn); }
