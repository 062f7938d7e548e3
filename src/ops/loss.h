/* ops/loss.h - losses, and the accuracy. Names, definitions and defaults are those of torch.nn. A
   loss is one number: the mean of the losses of its elements or samples, or with NN_SUM their sum.
   With NN_REDUCTION_NONE it is not reduced, so that you can weight or mask it and then reduce it
   with nn_mean or nn_sum. Add several losses with nn_add. A desc may be NULL. Targets may have
   gradients, too. Operands are broadcast only where a comment says so. */
#pragma once

#include "graph/model.h"
#include "kernels/reduce/choices.h"

typedef struct nn_cross_entropy_desc {
    nn_node *weight;        /* default: none. (C), one for each class: nn_constant(...) */
    /* default: NN_MEAN: divided by the sum of the weights of the labels that are not ignored */
    nn_reduction reduction;
    float label_smoothing;  /* default: 0; in [0, 1) */
    bool ignore;            /* default: false. true: ignores labels equal to ignore_index */
    int ignore_index;
} nn_cross_entropy_desc;

/* torch.nn.CrossEntropyLoss. logits (N, C) or (N, C, d...) f32 before softmax; label (N) or (N,
   d...) i32 in [0, C). A label out of range is a fault of the step, and the loss is NaN. If every
   label is ignored, the mean is 0 / 0 = NaN, as in PyTorch; this is a fault, too. Without
   reduction the result has label's shape, with 0 for ignored labels. label may also have logits'
   dtype and shape and hold class probabilities; then the mean divides by the number of rows,
   whatever the weights are, and .ignore is a fault. */
NN_API nn_node *nn_cross_entropy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                    const nn_cross_entropy_desc *desc);
#define nn_cross_entropy(...) nn_cross_entropy_at(NN_HERE, __VA_ARGS__)

/* torch.nn.NLLLoss: the same for log-probabilities, as nn_log_softmax gives them. */
typedef struct nn_nll_desc {
    nn_node *weight;        /* default: none. (C), one for each class */
    /* default: NN_MEAN: divided by the sum of the weights of the labels that are not ignored */
    nn_reduction reduction;
    bool ignore;            /* default: false. true: ignores labels equal to ignore_index */
    int ignore_index;
} nn_nll_desc;
NN_API nn_node *nn_nll_loss_at(nn_site site, nn_model *net, nn_node *log_probabilities,
                               nn_node *label, const nn_nll_desc *desc);
#define nn_nll_loss(...) nn_nll_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.MultiMarginLoss: the sum of max(0, margin + y_i - y_label)^p over the other classes i,
   divided by C. y (N, C), label (N) i32; without reduction the result is (N). */
typedef struct nn_multi_margin_desc {
    nn_node *weight;        /* default: none. (C): weight by the label's class */
    nn_reduction reduction; /* default: NN_MEAN */
    int p;                  /* default: 1; or 2 */
    float margin;           /* default: 1; NN_NONE: 0 */
} nn_multi_margin_desc;
NN_API nn_node *nn_multi_margin_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *label,
                                        const nn_multi_margin_desc *desc);
#define nn_multi_margin_loss(...) nn_multi_margin_loss_at(NN_HERE, __VA_ARGS__)

typedef struct nn_bce_desc {
    nn_node *weight;        /* default: none. Multiplies the loss of each element; broadcast */
    nn_node *pos_weight;    /* default: none. (C): weight of positive examples */
    nn_reduction reduction; /* default: NN_MEAN */
} nn_bce_desc;

/* torch.nn.BCEWithLogitsLoss. logits and target of one shape, f32; targets in [0, 1]. */
NN_API nn_node *nn_bce_with_logits_at(nn_site site, nn_model *net, nn_node *logits, nn_node *target,
                                      const nn_bce_desc *desc);
#define nn_bce_with_logits(...) nn_bce_with_logits_at(NN_HERE, __VA_ARGS__)

/* torch.nn.BCELoss: y holds probabilities; outside of [0, 1] the loss is NaN. Logarithms are at
   least -100. nn_bce_with_logits is more exact. Setting pos_weight is a fault. */
NN_API nn_node *nn_bce_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                               const nn_bce_desc *desc);
#define nn_bce_loss(...) nn_bce_loss_at(NN_HERE, __VA_ARGS__)

/* ---- regression: y and target of one shape --------------------------------------------------- */

/* torch.nn.MSELoss: (y - target)^2. */
typedef struct nn_mse_desc {
    nn_reduction reduction; /* default: NN_MEAN */
} nn_mse_desc;
NN_API nn_node *nn_mse_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                               const nn_mse_desc *desc);
#define nn_mse_loss(...) nn_mse_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.L1Loss: |y - target|. */
typedef struct nn_l1_desc {
    nn_reduction reduction; /* default: NN_MEAN */
} nn_l1_desc;
NN_API nn_node *nn_l1_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                              const nn_l1_desc *desc);
#define nn_l1_loss(...) nn_l1_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.SmoothL1Loss: d = |y - target|; d^2 / (2 beta) below beta, d - beta / 2 above. */
typedef struct nn_smooth_l1_desc {
    nn_reduction reduction; /* default: NN_MEAN */
    float beta;             /* default: 1; NN_NONE: 0, which is nn_l1_loss */
} nn_smooth_l1_desc;
NN_API nn_node *nn_smooth_l1_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                     const nn_smooth_l1_desc *desc);
#define nn_smooth_l1_loss(...) nn_smooth_l1_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.HuberLoss: d = |y - target|; d^2 / 2 up to delta, delta (d - delta / 2) beyond. */
typedef struct nn_huber_desc {
    nn_reduction reduction; /* default: NN_MEAN */
    float delta;            /* default: 1; positive */
} nn_huber_desc;
NN_API nn_node *nn_huber_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                 const nn_huber_desc *desc);
#define nn_huber_loss(...) nn_huber_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.KLDivLoss: target (log target - y) for log-probabilities y. As in PyTorch NN_MEAN is the
   mean over all elements; the KL divergence is NN_BATCH_MEAN, the sum divided by the first extent.
   The gradient with respect to a target of 0 is -y (PyTorch: NaN). */
typedef struct nn_kl_div_desc {
    nn_reduction reduction; /* default: NN_MEAN; also NN_BATCH_MEAN */
    bool log_target;        /* default: false. true: target, too, has log-probabilities */
} nn_kl_div_desc;
NN_API nn_node *nn_kl_div_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                             const nn_kl_div_desc *desc);
#define nn_kl_div(...) nn_kl_div_at(NN_HERE, __VA_ARGS__)

/* torch.nn.PoissonNLLLoss: exp(y) - target y. */
typedef struct nn_poisson_nll_desc {
    nn_reduction reduction; /* default: NN_MEAN */
    bool no_log_input; /* default: false. true: y is the rate itself: y - target log(y + epsilon) */
    bool full;         /* default: false. true: adds Stirling's term for targets above 1 */
    float epsilon;     /* default: 1e-8; NN_NONE: 0 */
} nn_poisson_nll_desc;
NN_API nn_node *nn_poisson_nll_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                       const nn_poisson_nll_desc *desc);
#define nn_poisson_nll_loss(...) nn_poisson_nll_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.GaussianNLLLoss: (log v + (y - target)^2 / v) / 2, where v = max(variance, epsilon); the
   gradient of the variance ignores this clamp. variance has y's shape, or that shape with 1 as its
   last extent or without its last extent. A negative variance makes the loss NaN (PyTorch: an
   exception). */
typedef struct nn_gaussian_nll_desc {
    nn_reduction reduction; /* default: NN_MEAN */
    bool full;              /* default: false. true: adds the constant log(2 pi) / 2 */
    float epsilon;          /* default: 1e-6; NN_NONE: 0 */
} nn_gaussian_nll_desc;
NN_API nn_node *nn_gaussian_nll_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                        nn_node *variance, const nn_gaussian_nll_desc *desc);
#define nn_gaussian_nll_loss(...) nn_gaussian_nll_loss_at(NN_HERE, __VA_ARGS__)

/* ---- margins: target 1 or -1 ----------------------------------------------------------------- */

/* torch.nn.SoftMarginLoss: log(1 + exp(-target y)), computed without overflow. */
typedef struct nn_soft_margin_desc {
    nn_reduction reduction; /* default: NN_MEAN */
} nn_soft_margin_desc;
NN_API nn_node *nn_soft_margin_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                       const nn_soft_margin_desc *desc);
#define nn_soft_margin_loss(...) nn_soft_margin_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.HingeEmbeddingLoss: y where target is 1, max(0, margin - y) where it is -1. */
typedef struct nn_hinge_embedding_desc {
    nn_reduction reduction; /* default: NN_MEAN */
    float margin;           /* default: 1; NN_NONE: 0 */
} nn_hinge_embedding_desc;
NN_API nn_node *nn_hinge_embedding_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                           const nn_hinge_embedding_desc *desc);
#define nn_hinge_embedding_loss(...) nn_hinge_embedding_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.MarginRankingLoss: max(0, margin - target (a - b)); all of one shape. */
typedef struct nn_margin_ranking_desc {
    nn_reduction reduction; /* default: NN_MEAN */
    float margin;           /* default: 0 */
} nn_margin_ranking_desc;
NN_API nn_node *nn_margin_ranking_loss_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                          nn_node *target, const nn_margin_ranking_desc *desc);
#define nn_margin_ranking_loss(...) nn_margin_ranking_loss_at(NN_HERE, __VA_ARGS__)

/* ---- metrics --------------------------------------------------------------------------------- */

/* A metric without gradient: the fraction of samples whose largest logit (the first of equal ones)
   is at their label. */
NN_API nn_node *nn_accuracy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label);
#define nn_accuracy(...) nn_accuracy_at(NN_HERE, __VA_ARGS__)
/* The fraction of samples whose label is among the k largest logits, 1 <= k <= C. Among equal
   logits the first counts as larger, so k = 1 is nn_accuracy; NaN counts as largest, as in
   torch.topk, which does not define the order of equal values. */
NN_API nn_node *nn_top_k_accuracy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                     int k);
#define nn_top_k_accuracy(...) nn_top_k_accuracy_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------ */

/* loss is one number, or without reduction has label's shape. weight may be NULL. A label out of
   range is an error here, and nothing is written. */
typedef struct nn_cross_entropy_options {
    nn_reduction reduction;
    float label_smoothing;
    bool ignore;
    int ignore_index;
    bool log_probabilities; /* default: false. true: nn_nll_loss, and no label_smoothing */
} nn_cross_entropy_options;
NN_API nn_result nn_cross_entropy_forward_at(nn_site site, nn_tensor *loss, const nn_tensor *logits,
                                             const nn_tensor *label, const nn_tensor *weight,
                                             const nn_cross_entropy_options *options);
#define nn_cross_entropy_forward(...) nn_cross_entropy_forward_at(NN_HERE, __VA_ARGS__)
/* dlogits is the gradient of the loss (dloss = 1); without reduction, that of the sum of the
   losses. */
NN_API nn_result nn_cross_entropy_backward_at(nn_site site, nn_tensor *dlogits,
                                              const nn_tensor *logits, const nn_tensor *label,
                                              const nn_tensor *weight,
                                              const nn_cross_entropy_options *options);
#define nn_cross_entropy_backward(...) nn_cross_entropy_backward_at(NN_HERE, __VA_ARGS__)
