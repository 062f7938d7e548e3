/* ops/counted.h - the weights with which the gradients of several batches are averaged, so that
   the mean is the gradient of one large batch: the number of elements, or the weight, of a batch
   in a loss. */
#pragma once

#include "ops/private.h"
#include "program/private.h"

#ifndef NN_NO_TRAINING

typedef enum nn__count_kind {
    NN__COUNT_NOTHING, /* depends on no input: the same for every batch */
    NN__COUNT_MEAN,    /* a mean over the counted elements */
    NN__COUNT_SUM,     /* a sum: gradients are added */
    NN__COUNT_UNKNOWN
} nn__count_kind;

typedef struct nn__counting {
    nn__count_kind kind;
    /* MEAN: one number for each step; NULL: the batch, the time, or their product, as of_batch
       and of_time say */
    nn_node *node;
    bool of_batch, of_time;
    bool of_labels;       /* node: the weight of the labels of a cross entropy */
    bool trained;         /* NOTHING: it depends on a parameter */
    const nn_node *where; /* UNKNOWN: the node that is the reason */
} nn__counting;

/* Finds how a loss counts, after nn__backward. Adds the nodes of MEAN to the tape. */
NN_PRIVATE nn__counting nn__count_of(nn__tape *tape, nn_node *loss);

/* means += (values - means) * count / (total + count), the mean of all batches so far, weighted
   by their counts; then total += count. A batch with a count of 0 changes nothing, even if its
   gradients are NaN. `total` is one number on the device of all others. */
typedef struct nn__running_mean {
    nn_node **means, **values;
    int items;
    /* count: one number; NULL: of_batch and of_time say, as in nn__counting */
    nn_node *total, *count;
    bool of_batch, of_time;
    /* Instead: means = values * count (0 where count is 0), total = count. Summed over the parts
       of a batch and divided by the sum of the totals, they give its mean. */
    bool products;
} nn__running_mean;
/* Adds two nodes to targets[0] and targets[1]. */
NN_PRIVATE void nn__add_running_mean(nn__tape *tape, nn_site site, const nn__running_mean *mean,
                                     nn_node **targets);
/* Returns the count of a batch as a node of the loss's shape. The gradients of one part of a batch
   start with it where they are combined with those of other parts. */
NN_PRIVATE nn_node *nn__add_weight(nn__tape *tape, nn_node *loss, const nn__counting *count);
/* Adds only the products: one node, which runs as soon as the values exist. */
NN_PRIVATE nn_node *nn__add_products(nn__tape *tape, nn_site site, const nn__running_mean *mean);
/* Writes a shard's `value` to row nn__run_values.shard of `kept` (shards, most numbers per shard),
   from column `at` on; it may run on into the next rows. value NULL: writes the shard's own count,
   from `count`. */
NN_PRIVATE nn_node *nn__add_shard_row(nn__tape *tape, nn_site site, nn_node *kept, int32_t at,
                                      nn_node *value, const nn__running_mean *count);
/* Returns x, or 0 where count is 0, so that the loss of a batch that counts nothing is no fault. An
   infinite x stays, because something was counted. */
NN_PRIVATE nn_node *nn__add_unless_empty(nn__tape *tape, nn_node *x, nn_node *count);
#endif
