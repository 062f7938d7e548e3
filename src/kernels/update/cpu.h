/* kernels/update/cpu.h - the loops of each instruction set for SGD and Adam. */
#pragma once

#include "cpu/sets.h"

#ifndef NN_NO_TRAINING
/* The numbers of one step as floats; they are computed in double like PyTorch's. */
typedef struct nn__update_numbers {
    float scale, decay, rate; /* decay: Adam and SGD add decay * parameter to the gradient */
    float momentum, keep;     /* SGD; keep = 1 - dampening */
    float shrink;             /* AdamW: parameter *= shrink */
    float beta1, beta2, rest1, rest2; /* rest = 1 - beta */
    /* Adam: the denominator is just sqrt(v) + epsilon, because the square root and the division
       limit the speed. The formula divides sqrt(v) by sqrt(1 - beta2^step); here rate and epsilon
       are multiplied by it instead. rate is also divided by 1 - beta1^step. */
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
