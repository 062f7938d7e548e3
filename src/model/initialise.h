/* model/initialise.h - first values of parameters otherwise than their layers choose them:
   torch.nn.init. Whatever is not initialised here starts as PyTorch's layer of that name does. */
#pragma once

#include "graph/model.h"

#ifndef NN_NO_TRAINING

/* fan_in and fan_out of a weight (A, B, k...): B and A, times the product of k. */
typedef enum nn_init {
    NN_INIT_DEFAULT,         /* as its layer starts: the values of before, back again */
    NN_INIT_KAIMING_UNIFORM, /* uniform in +-sqrt(3) gain / sqrt(fan), also called He */
    NN_INIT_KAIMING_NORMAL,  /* normal, std = gain / sqrt(fan) */
    NN_INIT_XAVIER_UNIFORM,  /* uniform in +-gain sqrt(6 / (fan_in + fan_out)), also Glorot */
    NN_INIT_XAVIER_NORMAL,   /* normal, std = gain sqrt(2 / (fan_in + fan_out)) */
    NN_INIT_ORTHOGONAL,      /* as a matrix (A, B k...): gain times rows or columns that are
                                orthonormal, uniform among all such */
    NN_INIT_TRUNC_NORMAL,    /* mean, std; only what lies in [low, high] */
    NN_INIT_NORMAL,          /* mean, std */
    NN_INIT_UNIFORM,         /* in [low, high) */
    NN_INIT_CONSTANT,        /* `value` everywhere */
    NN_INIT_ZEROS,
    NN_INIT_ONES,
    NN_INIT_EYE,             /* (A, B): 1 on the diagonal, else 0 */
    NN_INIT_DIRAC,           /* (A, B, k...): 1 in the middle of k where a = b, in each of `groups`
                                parts of A: a convolution that hands its input on */
    NN_INIT_SPARSE,          /* (A, B): normal with std, but ceil(A sparsity) numbers of each
                                column are 0 */
    NN_INIT_VALUES,          /* the array `values` */
    NN_INIT_FUNCTION         /* what `function` writes */
} nn_init;

/* What follows the layer: torch.nn.init.calculate_gain. For the two kinds of Kaiming. */
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
    nn_init_gain nonlinearity; /* default: NN_GAIN_LEAKY_RELU. Kaiming */
    float negative_slope;      /* default: 0. NN_GAIN_LEAKY_RELU; PyTorch calls it a */
    float gain;      /* default: 1; NN_NONE: 0. Xavier, orthogonal */
    float mean;      /* default: 0. Normal, truncated normal */
    float std;       /* default: 1 (NN_INIT_SPARSE: 0.01); NN_NONE: 0 */
    /* Where both are 0 they have their defaults; otherwise 0 is 0 */
    float low;  /* default: 0; NN_INIT_TRUNC_NORMAL -2 */
    float high; /* default: 1; NN_INIT_TRUNC_NORMAL 2 */
    float value;     /* NN_INIT_CONSTANT; default: 0 */
    int groups;      /* default: 1. NN_INIT_DIRAC */
    float sparsity;  /* NN_INIT_SPARSE; must be given: more than 0, at most 1 */
    const float *values; /* NN_INIT_VALUES: as many as the parameter has, in its order */
    int64_t count;       /* of `values` */
    /* NN_INIT_FUNCTION: writes values[0 .. count), for each parameter that fits the pattern */
    void (*function)(void *user, const char *name, nn_shape shape, float *values, int64_t count);
    void *user;
    uint64_t seed; /* default: the model's. Equal seeds and names give equal numbers, in any order
                      of calls and on any device */
} nn_init_desc;

/* Gives the parameters that fit the pattern their first values anew: a name, a beginning that ends
   with a dot ("fc."), or stars, each for any text ("conv*.weight"). A trainer's moments stay as
   they are. All of them or, after an error, none: a shape that the kind does not fit (NN_INIT_EYE:
   two axes; Kaiming, Xavier, orthogonal: two or more), a pattern that fits nothing, numbers out of
   range. desc may be NULL. */
NN_API nn_result nn_initialise_at(nn_site site, nn_model *net, const char *pattern,
                                  const nn_init_desc *desc);
#define nn_initialise(...) nn_initialise_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_result nn_initialise_at(nn_site site, nn_model *net, const char *pattern,
                                  const nn_init_desc &desc) {
    return nn_initialise_at(site, net, pattern, &desc);
}
}
#endif
#endif
