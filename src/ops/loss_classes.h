/* ops/loss_classes.h - losses for several labels per row, and for large vocabularies. */
#pragma once

#include "graph/model.h"
#include "kernels/reduce/choices.h"

/* torch.nn.MultiLabelMarginLoss. y (N, C) or (C) f32; label of the same shape, i32: the row's
   classes, up to the first negative number. The loss is the sum of max(0, 1 - (y[j] - y[i])) over
   each label j and each class i that is not a label, divided by C; without reduction the result is
   (N). A label of C or more is an index out of range. A plan's memory holds N C C numbers for
   it. */
typedef struct nn_multilabel_margin_desc {
    nn_reduction reduction; /* default: NN_MEAN */
} nn_multilabel_margin_desc;
NN_API nn_node *nn_multilabel_margin_loss_at(nn_site site, nn_model *net, nn_node *y,
                                             nn_node *label, const nn_multilabel_margin_desc *desc);
#define nn_multilabel_margin_loss(...) nn_multilabel_margin_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.AdaptiveLogSoftmaxWithLoss.log_prob: the log-probabilities of num_classes classes,
   sorted by falling frequency. Classes before the first cutoff have an output each. The classes
   between two cutoffs form a cluster, which has one output and a projection to in / div_value, in /
   div_value^2 ... features. For the loss, use nn_nll_loss on the result. All clusters are computed;
   PyTorch computes only those of the batch's labels. */
typedef struct nn_adaptive_log_softmax_desc {
    int num_classes; /* must be given */
    nn_integers cutoffs; /* must be given: ascending, each from 1 to num_classes - 1 */
    float div_value; /* default: 4 */
    bool head_bias;  /* default: false */
    bool shared;     /* default: false; as nn_linear_desc.shared */
} nn_adaptive_log_softmax_desc;
/* x (..., in); y (..., num_classes). Parameters "name.head.weight" (cutoffs[0] + clusters, in),
   "name.head.bias", and of each cluster "name.tail.0.0.weight" and "name.tail.0.1.weight". */
NN_API nn_node *nn_adaptive_log_softmax_at(nn_site site, nn_model *net, const char *name,
                                           nn_node *x, const nn_adaptive_log_softmax_desc *desc);
#define nn_adaptive_log_softmax(...) nn_adaptive_log_softmax_at(NN_HERE, __VA_ARGS__)
