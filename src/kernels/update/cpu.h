/* kernels/update/cpu.h - the loops of SGD and Adam, which each instruction set has. */
#pragma once

#include "cpu/sets.h"

#ifndef NN_NO_TRAINING
/* The numbers of one step, as floats, after what PyTorch computes in double. */
typedef struct nn__update_numbers {
    float scale, decay, rate; /* decay: Adam and SGD add decay * parameter to the gradient */
    float momentum, keep;     /* SGD; keep = 1 - dampening */
    float shrink;             /* AdamW: parameter *= shrink */
    float beta1, beta2, rest1, rest2; /* rest = 1 - beta */
    /* Adam: below the line stands sqrt(v) and no more, since that and the quotient are what steps
       wait for. rate and epsilon have sqrt(1 - beta2^step) as a factor, which sqrt(v) is divided by
       in the formula, and rate is divided by 1 - beta1^step. */
    float epsilon;
    float least; /* moments below it become 0 */
    bool nesterov, first;
} nn__update_numbers;

typedef struct nn__update_loops {
    /* moment NULL: no momentum */
    void (*sgd)(const nn__update_numbers *k, float *p, const float *gradient, float *moment, int n);
    void (*adam)(const nn__update_numbers *k, float *p, const float *gradient, float *moment1,
                 float *moment2, int n);
    double (*squares)(const float *x, int n); /* their sum */
} nn__update_loops;
#endif
