/* ops/more_private.h - what operations of nn_more.h share. */
#pragma once

#include "ops/private.h"

/* Counts 1, 2, 3 ... along axis -1 or -2 of x. The other of the two axes has one element, unless
   its extent is symbolic (ops/matrix.c). */
NN_PRIVATE nn_node *nn__op_counted_along(nn_site site, nn_model *net, nn_node *x, int axis);
/* Returns the p-norm of a - b + epsilon over the last axis, with a gradient of 0 where the norm is
   0. a and b are broadcast (ops/distance.c). */
NN_PRIVATE nn_node *nn__op_distance(nn_model *net, nn_site site, const char *operation,
                                    const char *const *roles, nn_node *a, nn_node *b, float p,
                                    float epsilon);
/* Scatters x (N, C, L) to the places in `index`, in rows of `places` zeros (ops/max_unpool.c). */
NN_PRIVATE nn_node *nn__op_unpool_flat(nn_site site, nn_model *net, nn_node *x, nn_node *index,
                                       int32_t places);

#ifndef NN_NO_TRAINING
/* Gives x the gradient dy, scattered along the axis to the places in `index`. */
NN_PRIVATE void nn__op_elements_spread(nn__tape *tape, nn_node *x, nn_node *dy, nn_node *index,
                                       int axis);
/* Gradients of gradients, as the others of ops/private.h. */
NN_PRIVATE const nn__gradients *nn__gradients_again(void);
NN_PRIVATE void nn__op_conv_again(nn__tape *tape, nn_node *node, nn_node *dy);
NN_PRIVATE void nn__op_norm_again(nn__tape *tape, nn_node *node, nn_node *dy);
NN_PRIVATE void nn__op_elements_again(nn__tape *tape, nn_node *node, nn_node *dy);
/* Is the tape's `unpool` (ops/max_unpool.c). */
NN_PRIVATE nn_node *nn__tape_unpool(nn__tape *tape, nn_node *dy, nn_node *index,
                                    const nn_node *like);
#endif
