/* ops/loss.h - what training minimises: cross entropy, binary cross entropy with logits, mean
   squared error; and the accuracy. Definitions are those of torch.nn.CrossEntropyLoss,
   BCEWithLogitsLoss, MSELoss. A loss is one number. */
#pragma once

#include "graph/model.h"
#include "kernels/reduce/choices.h"

typedef struct nn_cross_entropy_desc {
    nn_node *weight;        /* default: none. (C), one for each class: nn_constant(...) */
    /* default: NN_MEAN (of the weights of the samples that count); or NN_SUM */
    nn_reduction reduction;
    float label_smoothing;  /* default: 0; in [0, 1) */
    bool ignore;            /* default: false. true: labels equal to ignore_index do not count */
    int ignore_index;
} nn_cross_entropy_desc;

/* logits (N, C) or (N, C, d...) f32 before softmax; label (N) or (N, d...) i32 in [0, C): one out
   of range is a fault of the step (status word), and the loss is NaN. desc may be NULL. */
NN_API nn_node *nn_cross_entropy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                    const nn_cross_entropy_desc *desc);
#define nn_cross_entropy(...) nn_cross_entropy_at(NN_HERE, __VA_ARGS__)

typedef struct nn_bce_desc {
    nn_node *weight;        /* default: none. Broadcast over the loss of each element */
    nn_node *pos_weight;    /* default: none. (C): weight of positive examples */
    nn_reduction reduction; /* default: NN_MEAN; or NN_SUM */
} nn_bce_desc;

/* logits and target of one shape, f32; targets in [0, 1]. desc may be NULL. */
NN_API nn_node *nn_bce_with_logits_at(nn_site site, nn_model *net, nn_node *logits, nn_node *target,
                                      const nn_bce_desc *desc);
#define nn_bce_with_logits(...) nn_bce_with_logits_at(NN_HERE, __VA_ARGS__)

/* mean (or sum) of (y - target)^2; reduction 0: mean. */
NN_API nn_node *nn_mse_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                               nn_reduction reduction);
#define nn_mse_loss(...) nn_mse_loss_at(NN_HERE, __VA_ARGS__)

/* The fraction of samples whose largest logit (the first of equals) stands at their label: a
   metric, no gradient. */
NN_API nn_node *nn_accuracy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label);
#define nn_accuracy(...) nn_accuracy_at(NN_HERE, __VA_ARGS__)
/* The fraction of samples whose label is among the k largest logits, 1 <= k <= C. Of equal logits
   the first counts as the larger, so that k = 1 is nn_accuracy; a NaN counts as the largest
   (torch.topk, which leaves the order of equals open). */
NN_API nn_node *nn_top_k_accuracy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                     int k);
#define nn_top_k_accuracy(...) nn_top_k_accuracy_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------ */

/* loss: one number. weight may be NULL. A label out of range is an error here, and nothing was
   written. */
typedef struct nn_cross_entropy_options {
    nn_reduction reduction;
    float label_smoothing;
    bool ignore;
    int ignore_index;
} nn_cross_entropy_options;
NN_API nn_result nn_cross_entropy_forward_at(nn_site site, nn_tensor *loss, const nn_tensor *logits,
                                             const nn_tensor *label, const nn_tensor *weight,
                                             const nn_cross_entropy_options *options);
#define nn_cross_entropy_forward(...) nn_cross_entropy_forward_at(NN_HERE, __VA_ARGS__)
/* dlogits of the loss itself (dloss = 1). */
NN_API nn_result nn_cross_entropy_backward_at(nn_site site, nn_tensor *dlogits,
                                              const nn_tensor *logits, const nn_tensor *label,
                                              const nn_tensor *weight,
                                              const nn_cross_entropy_options *options);
#define nn_cross_entropy_backward(...) nn_cross_entropy_backward_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_cross_entropy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                    const nn_cross_entropy_desc &desc) {
    return nn_cross_entropy_at(site, net, logits, label, &desc);
}
inline nn_node *nn_bce_with_logits_at(nn_site site, nn_model *net, nn_node *logits, nn_node *target,
                                      const nn_bce_desc &desc) {
    return nn_bce_with_logits_at(site, net, logits, target, &desc);
}
}
#endif
