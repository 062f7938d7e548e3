/* base/functions.h - exp, log, sine, cosine and powers that give the same bytes on every machine.
   C libraries differ in the last bits of theirs. These are made of sums, products and divisions of
   doubles, which IEEE rounds in one way, and no compiler may fuse them. */
#pragma once

#include "base/private.h"

/* Errors are below 4e-16 of the result, unless a comment says otherwise. Floats made of the results
   are correctly rounded, except in very rare cases. For NaN, infinities and 0 the results are those
   of C's functions of these names. */
NN_PRIVATE double nn__exp(double x);
NN_PRIVATE double nn__log(double x);
/* They take an angle in radians. The error is below 3e-16, and for floats 5e-16 of the result. Of
   infinities, NaN and numbers from 2^128 on the result is NaN. */
NN_PRIVATE double nn__sin(double x);
NN_PRIVATE double nn__cos(double x);
/* x^y for x > 0, or x = 0 and y > 0. The error is below (1 + |y log x|) 4e-16 of the result. */
NN_PRIVATE double nn__pow(double x, double y);
/* tan, and logarithms to other bases; those of integer powers of 2 and 10 are exact as floats. */
NN_PRIVATE double nn__tan(double x);
NN_PRIVATE double nn__log2(double x);
NN_PRIVATE double nn__log10(double x);
/* C's powf, for all arguments. */
NN_PRIVATE float nn__power(float x, float y);
