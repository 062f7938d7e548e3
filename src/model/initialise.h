/* model/initialise.h - other initial values for parameters, as torch.nn.init. All other parameters
   start as those of PyTorch's layer. */
#pragma once

#include "graph/model.h"

#ifndef NN_NO_TRAINING

/* A weight (A, B, k...) has fan_in = B * product of k, and fan_out = A * product of k. */
typedef enum nn_init {
    NN_INIT_DEFAULT,         /* the layer's own initial values again */
    NN_INIT_KAIMING_UNIFORM, /* uniform in +-sqrt(3) gain / sqrt(fan), also called He */
    NN_INIT_KAIMING_NORMAL,  /* normal, std = gain / sqrt(fan) */
    NN_INIT_XAVIER_UNIFORM,  /* uniform in +-gain sqrt(6 / (fan_in + fan_out)), also Glorot */
    NN_INIT_XAVIER_NORMAL,   /* normal, std = gain sqrt(2 / (fan_in + fan_out)) */
    NN_INIT_ORTHOGONAL, /* gain times a random matrix (A, B k...) with orthonormal rows or
                           columns */
    NN_INIT_TRUNC_NORMAL,    /* normal with mean and std, cut off at low and high */
    NN_INIT_NORMAL,          /* normal with mean and std */
    NN_INIT_UNIFORM,         /* uniform in [low, high) */
    NN_INIT_CONSTANT,        /* `value` everywhere */
    NN_INIT_ZEROS,
    NN_INIT_ONES,
    NN_INIT_EYE,             /* (A, B): 1 on the diagonal, else 0 */
    NN_INIT_DIRAC, /* (A, B, k...): 1 in the middle of k where a = b, in each of `groups` parts of
                      A: an identity convolution */
    NN_INIT_SPARSE, /* (A, B): normal with std, but ceil(A * sparsity) numbers of each column are
                       0 */
    NN_INIT_VALUES,          /* the array `values` */
    NN_INIT_FUNCTION         /* the numbers that `function` writes */
} nn_init;

/* The activation after the layer, which determines the gain of Kaiming:
   torch.nn.init.calculate_gain. */
typedef enum nn_init_gain {
    NN_GAIN_LEAKY_RELU, /* sqrt(2 / (1 + negative_slope^2)) */
    NN_GAIN_RELU,       /* sqrt(2) */
    NN_GAIN_LINEAR,     /* 1 */
    NN_GAIN_SIGMOID,    /* 1 */
    NN_GAIN_TANH,       /* 5 / 3 */
    NN_GAIN_SELU        /* 3 / 4 */
} nn_init_gain;

typedef enum nn_init_fan { NN_FAN_IN, NN_FAN_OUT } nn_init_fan;

typedef struct nn_init_desc {
    nn_init init;              /* default: NN_INIT_DEFAULT */
    nn_init_fan fan;           /* default: NN_FAN_IN. Kaiming's mode */
    nn_init_gain nonlinearity; /* default: NN_GAIN_LEAKY_RELU. For Kaiming */
    float negative_slope;      /* default: 0. For NN_GAIN_LEAKY_RELU; PyTorch's a */
    float gain;      /* default: 1; NN_NONE: 0. For Xavier, orthogonal */
    float mean;      /* default: 0. For normal, truncated normal */
    float std;       /* default: 1 (NN_INIT_SPARSE: 0.01); NN_NONE: 0 */
    /* If both low and high are 0, they have their defaults; otherwise 0 means 0. */
    float low;  /* default: 0; NN_INIT_TRUNC_NORMAL -2 */
    float high; /* default: 1; NN_INIT_TRUNC_NORMAL 2 */
    float value;     /* default: 0. For NN_INIT_CONSTANT */
    int groups;      /* default: 1. For NN_INIT_DIRAC */
    float sparsity;  /* For NN_INIT_SPARSE, which needs it: more than 0, at most 1 */
    const float *values; /* For NN_INIT_VALUES: all numbers of the parameter */
    int64_t count;       /* length of `values` */
    /* For NN_INIT_FUNCTION: writes values[0 .. count); called for each parameter that the pattern
       matches */
    void (*function)(void *user, const char *name, nn_shape shape, float *values, int64_t count);
    void *user;
    uint64_t seed; /* default: the model's. The same seed and name give the same numbers, in any
                      order of calls and on any device */
} nn_init_desc;

/* Initialises the parameters that match the pattern: a name, a prefix that ends with a dot ("fc."),
   or a pattern with stars ("conv*.weight"). A trainer's moments are not changed. After an error
   nothing is changed: a shape that does not suit the kind (NN_INIT_EYE: two axes; Kaiming, Xavier,
   orthogonal: two or more), a pattern that matches nothing, numbers out of range. desc may be
   NULL. */
NN_API nn_result nn_initialise_at(nn_site site, nn_model *net, const char *pattern,
                                  const nn_init_desc *desc);
#define nn_initialise(...) nn_initialise_at(NN_HERE, __VA_ARGS__)
#endif
