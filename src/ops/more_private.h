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
