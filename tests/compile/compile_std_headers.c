/* compile_std_headers.c - the implementation after every header of C99: under -std=c99 these have
   already decided which parts of POSIX they declare. COMPILE_API_ONLY: without the
   implementation. */
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <iso646.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

#ifndef COMPILE_API_ONLY
#define NN_IMPLEMENTATION
#endif
#include "nn.h"

extern int compile_std_headers(nn_context *nn);
int compile_std_headers(nn_context *nn) { return nn_device_count(nn); }
