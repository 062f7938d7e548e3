/* ops/recipe.h - an optimizer as a pointwise program: what tools/optimizers.c makes of a line of
   ops/optimizers.txt, and the node that runs it. */
#pragma once

#include "ops/private.h"
#include "program/private.h"

#ifndef NN_NO_TRAINING

/* What the numbers of a step are computed from. tools/optimizers.c knows the names. */
typedef struct nn__recipe_values {
    double rate, momentum, dampening, beta1, beta2, alpha, rho, epsilon, rate_decay, momentum_decay,
        initial_accumulator_value, lambd, t0, etaminus, etaplus, step_size_min, step_size_max;
    double nesterov, amsgrad, centered; /* 1 or 0 */
    double t;          /* the step, from 1 */
    double mu_product; /* NAdam: of its momenta, from the first step to this one */
} nn__recipe_values;

/* One line of ops/optimizers.txt. */
typedef struct nn__recipe {
    /* inputs: parameter, gradient, states, others; outputs: parameter, states */
    nn_program program;
    char states[3][20]; /* ".exp_avg" */
    int state_count, line; /* line: of kernels/optimizers.h */
    bool (*fits)(nn_optimizer optimizer, const nn__recipe_values *values);
    void (*numbers)(const nn__recipe_values *values, float *to); /* the program's scalars */
    /* what a state starts as; NULL: 0 */
    float (*start)(int state, const nn__recipe_values *values);
    nn__install install; /* of what the program is made of */
} nn__recipe;

/* The first line that fits; NULL: none. (build/gen/ops/optimizers.c) */
NN_PRIVATE const nn__recipe *nn__find_recipe(nn_optimizer optimizer,
                                             const nn__recipe_values *values);

/* Parameters that are updated together. The arrays have `count` elements, but for states, which has
   state_count of them for each parameter, and others: NULL, or one node for each. */
typedef struct nn__recipe_items {
    nn_node **parameters, **gradients, **states, **others;
    int count;
} nn__recipe_items;

typedef struct nn__recipe_settings {
    const nn__recipe *recipe;
    nn__recipe_values values; /* rate: the factor of the run's learning rate */
    double weight_decay;
    bool decoupled;  /* the decay multiplies the parameter, instead of adding to the gradient */
    float max_value; /* 0: none. Gradients are clamped to it, after `scale` */
} nn__recipe_settings;

/* scale: NULL, or one number that all gradients are multiplied with. */
NN_PRIVATE nn_node *nn__add_recipe(nn__tape *tape, nn_site site, const nn__recipe_items *items,
                                   nn_node *scale, const nn__recipe_settings *settings);

typedef struct nn__muon_settings {
    double momentum, epsilon, factor; /* factor: of the rate, by the weight's shape */
    double max_value;                 /* as in nn__recipe_settings */
    int steps;                        /* of Newton-Schulz */
    bool nesterov;
} nn__muon_settings;
/* The direction of a matrix's step. scale: as of nn__add_recipe; momentum: before the step. */
NN_PRIVATE nn_node *nn__add_muon(nn__tape *tape, nn_node *gradient, nn_node *scale,
                                 nn_node *momentum, const nn__muon_settings *settings,
                                 const nn_node *like);

/* The functions above in a table, which the context has once a trainer asks for an optimizer that
   has no kernel of its own: programs without such trainers contain no recipe.
   (train/optimizer.c) */
typedef struct nn_optimizer_calls {
    const nn__recipe *(*find)(nn_optimizer optimizer, const nn__recipe_values *values);
    nn_node *(*add)(nn__tape *tape, nn_site site, const nn__recipe_items *items, nn_node *scale,
                    const nn__recipe_settings *settings);
    nn_node *(*muon)(nn__tape *tape, nn_node *gradient, nn_node *scale, nn_node *momentum,
                     const nn__muon_settings *settings, const nn_node *like);
} nn__recipe_calls;

/* The decimal number that a float was written as: 1 - 0.999f would be wrong in its fifth digit, and
   PyTorch has 0.999. */
NN_PRIVATE double nn__decimal(float number);
#endif
