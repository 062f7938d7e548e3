/* ops/counted.h - what the gradients of several batches are weighted with, so that their mean is
   the gradient of one large batch: how many elements, or how much weight, a batch counts for in a
   loss. */
#pragma once

#include "ops/private.h"
#include "program/private.h"

#ifndef NN_NO_TRAINING

typedef enum nn__count_kind {
    NN__COUNT_NOTHING, /* no input stands behind it: alike for every batch */
    NN__COUNT_MEAN,    /* a mean over what the batch counts for */
    NN__COUNT_SUM,     /* a sum: gradients are added */
    NN__COUNT_UNKNOWN
} nn__count_kind;

typedef struct nn__counting {
    nn__count_kind kind;
    /* MEAN: one number of the step; NULL: the batch, the time, their product, as many as are set */
    nn_node *node;
    bool of_batch, of_time;
    bool of_labels;       /* node: what labels count for in a cross entropy */
    bool trained;         /* NOTHING: a parameter stands behind it */
    const nn_node *where; /* UNKNOWN: why not */
} nn__counting;

/* Of a loss after nn__backward; adds the nodes of MEAN to the tape. */
NN_PRIVATE nn__counting nn__count_of(nn__tape *tape, nn_node *loss);

/* means += (values - means) * count / (total + count): the mean of all batches so far, each with
   the weight of what it counts for; one that counts for nothing leaves all as it is, even if its
   gradients are NaN. Then total += count. `total` is one number and stands where all others are. */
typedef struct nn__running_mean {
    nn_node **means, **values;
    int items;
    nn_node *total, *count; /* count: one number there; NULL: as in nn__counting */
    bool of_batch, of_time;
    /* Instead: means = values * count (0 where count is 0), total = count. Sums of such products
       over the parts of a batch, divided by the sum of the totals, are its mean. */
    bool products;
} nn__running_mean;
/* Adds two nodes to targets[0] and targets[1]. */
NN_PRIVATE void nn__add_running_mean(nn__tape *tape, nn_site site, const nn__running_mean *mean,
                                     nn_node **targets);
/* What a batch counts for, as a node of the loss's shape: what the gradients of one part of a batch
   begin with where they meet those of other parts. */
NN_PRIVATE nn_node *nn__add_weight(nn__tape *tape, nn_node *loss, const nn__counting *count);
/* Only the products: one node, which runs as soon as the values are there. */
NN_PRIVATE nn_node *nn__add_products(nn__tape *tape, nn_site site, const nn__running_mean *mean);
/* Writes what the pass over a shard made of `value` to row nn__run_values.shard of `kept` (shards,
   numbers of each at most), from number `at` on, which may lead to rows behind that; value NULL:
   the number that the shard counts for by `count`. */
NN_PRIVATE nn_node *nn__add_kept(nn__tape *tape, nn_site site, nn_node *kept, int32_t at,
                                 nn_node *value, const nn__running_mean *count);
/* x, or 0 where count is 0: the loss of a batch in which nothing counts is no fault, unless it is
   infinite: then something did that cannot be told any more. */
NN_PRIVATE nn_node *nn__add_unless_empty(nn__tape *tape, nn_node *x, nn_node *count);
#endif
