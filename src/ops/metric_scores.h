/* ops/metric_scores.h - metrics of torchmetrics: R2Score, Perplexity, BinaryAUROC and
   BinaryJaccardIndex. ops/metric.h says what a metric is. */
#pragma once

#include "ops/metric.h"

#ifndef NN_NO_TRAINING

/* torchmetrics' R2Score: 1 - sum (target - y)^2 / sum (target - its mean)^2. y and target are (N)
   or (N, D) f32; the result is the mean over the columns. If all targets are equal, it is 1 if y
   equals them, else 0. */
NN_API nn_node *nn_r2_score_at(nn_site site, nn_model *net, nn_node *y, nn_node *target);
#define nn_r2_score(...) nn_r2_score_at(NN_HERE, __VA_ARGS__)

/* torchmetrics' Perplexity: exp of the mean cross entropy of all labels that are not ignored; NaN
   if there are none. Operands as in nn_cross_entropy. */
typedef struct nn_perplexity_desc {
    bool ignore; /* default: false. true: ignores labels equal to ignore_index */
    int ignore_index;
} nn_perplexity_desc;
NN_API nn_node *nn_perplexity_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                 const nn_perplexity_desc *desc);
#define nn_perplexity(...) nn_perplexity_at(NN_HERE, __VA_ARGS__)

/* torchmetrics' BinaryAUROC: the area under the ROC curve, with `thresholds` equally spaced
   thresholds from 0 to 1, at least 2; 0: 200. y has probabilities in [0, 1], such as nn_sigmoid
   gives; target is 0 or 1, f32, of y's shape. Scores between two neighbouring thresholds count as
   equal, which limits the accuracy. The curve begins at (0, 0); torchmetrics' may begin later. 0 if
   one of the two classes does not occur; NaN if any y lies outside [0, 1], such as a logit. */
NN_API nn_node *nn_auroc_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                            int thresholds);
#define nn_auroc(...) nn_auroc_at(NN_HERE, __VA_ARGS__)

/* torchmetrics' BinaryJaccardIndex: intersection over union of y > 0.5 and target > 0.5, over all
   elements; y and target have one shape. 0 if both are empty. For several classes:
   nn_class_scores(...).iou. */
NN_API nn_node *nn_iou_at(nn_site site, nn_model *net, nn_node *y, nn_node *target);
#define nn_iou(...) nn_iou_at(NN_HERE, __VA_ARGS__)
#endif
