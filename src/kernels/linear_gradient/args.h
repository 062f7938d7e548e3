/* kernels/linear_gradient/args.h - all gradients of a linear layer at once, for devices where a
   launch takes longer than such a product. Letters: M rows of the batch, N outputs, K inputs. */
#pragma once

#include "device/types.h"
#include "kernels/epilogue.h"

/* y = x weight^T + bias, of which dy is the gradient:
     dweight = dy^T x                     may be absent
     dbias   = the sum of the rows of dy  may be absent
     dx      = dy weight                  may be absent, and weight with it
   At least one of the three is present. activation is the one that produced x, none or relu; dx is
   the gradient before it, which for relu is 0 where x <= 0. */
typedef struct nn_linear_gradient_args {
    nn_view dy;      /* (M, N) */
    nn_view x;       /* (M, K) */
    nn_view weight;  /* (N, K) */
    nn_view dweight; /* (N, K) */
    nn_view dbias;   /* (N) */
    nn_view dx;      /* (M, K) */
    nn_activation activation;
    nn_precision precision; /* DEFAULT: HIGHEST */
} nn_linear_gradient_args;

/* Views and numbers: see kernels/list.h. */
#define NN_LINEAR_GRADIENT_VIEWS(VIEW, ITEM)                                                       \
    VIEW(IN, dy, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(OUT, dweight, 1) VIEW(OUT, dbias, 1)   \
    VIEW(OUT, dx, 1)
#define NN_LINEAR_GRADIENT_NUMBERS(INT, REAL, OTHER) INT(activation) OTHER(precision)
