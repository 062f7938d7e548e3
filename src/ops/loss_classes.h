/* ops/loss_classes.h - losses of many classes: several labels a row, and vocabularies of which most
   words are rare. */
#pragma once

#include "graph/model.h"
#include "kernels/reduce/choices.h"

/* torch.nn.MultiLabelMarginLoss. y (N, C) or (C) f32; label of the same shape, i32: the classes of
   the row, up to the first negative number. The sum over each label j and each class i that is no
   label of max(0, 1 - (y[label j] - y[i])), divided by C; without reduction the result is (N). A
   label of C or more is an index out of range. It takes N C C numbers of a plan's memory. */
typedef struct nn_multilabel_margin_desc {
    nn_reduction reduction; /* default: NN_MEAN */
} nn_multilabel_margin_desc;
NN_API nn_node *nn_multilabel_margin_loss_at(nn_site site, nn_model *net, nn_node *y,
                                             nn_node *label, const nn_multilabel_margin_desc *desc);
#define nn_multilabel_margin_loss(...) nn_multilabel_margin_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.AdaptiveLogSoftmaxWithLoss.log_prob: logarithms of the probabilities of num_classes
   classes, sorted by how frequent they are. Those before the first cutoff have outputs of their
   own; those between two cutoffs share one of them, and a projection to in / div_value, in /
   div_value^2 ... features. Its loss is nn_nll_loss of the result. PyTorch computes the clusters of
   the batch's labels alone; here all of them are. */
typedef struct nn_adaptive_log_softmax_desc {
    int num_classes; /* must be given */
    int cutoffs[8];  /* must be given: rising, each from 1 to num_classes - 1; 0 ends them */
    float div_value; /* default: 4 */
    bool head_bias;  /* default: false */
    bool shared;     /* default: false; as nn_linear_desc.shared */
} nn_adaptive_log_softmax_desc;
/* x (..., in); y (..., num_classes). Parameters "name.head.weight" (cutoffs[0] + clusters, in),
   "name.head.bias", and of each cluster "name.tail.0.0.weight" and "name.tail.0.1.weight". */
NN_API nn_node *nn_adaptive_log_softmax_at(nn_site site, nn_model *net, const char *name,
                                           nn_node *x, const nn_adaptive_log_softmax_desc *desc);
#define nn_adaptive_log_softmax(...) nn_adaptive_log_softmax_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_multilabel_margin_loss_at(nn_site site, nn_model *net, nn_node *y,
                                             nn_node *label,
                                             const nn_multilabel_margin_desc &desc) {
    return nn_multilabel_margin_loss_at(site, net, y, label, &desc);
}
inline nn_node *nn_adaptive_log_softmax_at(nn_site site, nn_model *net, const char *name,
                                           nn_node *x, const nn_adaptive_log_softmax_desc &desc) {
    return nn_adaptive_log_softmax_at(site, net, name, x, &desc);
}
}
#endif
