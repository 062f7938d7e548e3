/* emulated_units.h: for tests that emulate matrix units on PoCL. PoCL 3.1 with LLVM 14 vectorises
   the emulation wrongly for AVX-512, unless it is told to run the work-items of a group one by one.
   Call this before the first context. It needs _POSIX_C_SOURCE for setenv. */
#ifndef NN_TEST_EMULATED_UNITS_H
#define NN_TEST_EMULATED_UNITS_H

#include <stdlib.h>

#define BEFORE_EMULATED_UNITS() setenv("POCL_WORK_GROUP_METHOD", "loops", 0)

#endif
