/* ops/metric.h - metrics whose value over many batches is not the mean of the batches' values: sums
   are added on the device, over all batches of a report, an epoch of nn_fit or an evaluation, and
   the metric is made of the sums when it is read.

   For what is a mean of samples any number will do: nn_trainer_desc.metrics may hold
   nn_l1_loss(net, y, target, NN_MEAN) (mean absolute error), nn_mse_loss, nn_accuracy, or
   nn_mean(net, nn_expression(...)). */
#pragma once

#include "graph/model.h"

#ifndef NN_NO_TRAINING

/* The metric of `count` sums. Called where a report is read, on the thread that reads it. */
typedef double (*nn_metric_function)(void *user, const double *sums, int count);

/* A metric of your own. sums: (K) f32, at most 4096, of one batch; they are added over the batches,
   exactly but for the rounding of each batch's own. For nn_trainer_desc.metrics; as a value it is
   the sums of the batch. */
NN_API nn_node *nn_metric_at(nn_site site, nn_model *net, const char *name, nn_node *sums,
                             nn_metric_function function, void *user);
#define nn_metric(...) nn_metric_at(NN_HERE, __VA_ARGS__)

/* 1 - sum (target - y)^2 / sum (target - its mean)^2; torchmetrics' R2Score. y, target: (N) or (N,
   D) f32; of several columns the plain mean. Where the targets are all equal: 1 if y is right, else
   0. */
NN_API nn_node *nn_r2_score_at(nn_site site, nn_model *net, nn_node *y, nn_node *target);
#define nn_r2_score(...) nn_r2_score_at(NN_HERE, __VA_ARGS__)

/* exp of the mean cross entropy of all labels that count; torchmetrics' Perplexity. Operands as of
   nn_cross_entropy. NaN when no label counts. */
typedef struct nn_perplexity_desc {
    bool ignore; /* default: false. true: labels equal to ignore_index do not count */
    int ignore_index;
} nn_perplexity_desc;
NN_API nn_node *nn_perplexity_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                 const nn_perplexity_desc *desc);
#define nn_perplexity(...) nn_perplexity_at(NN_HERE, __VA_ARGS__)

/* The area under the curve of true over false positives; torchmetrics' BinaryAUROC with so many
   thresholds from 0 to 1, at least 2, 0: 200. y: probabilities in [0, 1], such as nn_sigmoid gives;
   target: 0 or 1, f32, of y's shape. Scores between two neighbouring thresholds count as equal,
   which is what it may be off by. The curve begins at (0, 0), where torchmetrics' may begin later.
   0 when one of the two classes does not occur, NaN when a y is none of [0, 1], such as a logit. */
NN_API nn_node *nn_auroc_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                            int thresholds);
#define nn_auroc(...) nn_auroc_at(NN_HERE, __VA_ARGS__)

/* Intersection over union of y > 0.5 and target > 0.5, over all elements of one shape;
   torchmetrics' BinaryJaccardIndex. 0 when both are empty. Of several classes:
   nn_class_scores(...).iou. */
NN_API nn_node *nn_iou_at(nn_site site, nn_model *net, nn_node *y, nn_node *target);
#define nn_iou(...) nn_iou_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_perplexity_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                 const nn_perplexity_desc &desc) {
    return nn_perplexity_at(site, net, logits, label, &desc);
}
}
#endif
#endif
