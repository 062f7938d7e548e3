/* train/metrics.h - metrics that are more than one number: the confusion matrix, and the scores
   computed from it. */
#pragma once

#include "train/trainer.h"

/* A confusion matrix has C rows of C counts: row = the true class, column = the predicted class, as
   in sklearn.metrics.confusion_matrix. The predicted class is that of the largest logit; the first
   of equal ones, and NaN is the largest. Labels outside [0, C), such as an ignore_index, are not
   counted.

   nn_read_confusion reads the counts of the last nn_evaluate, if nn_trainer_desc.confusion is
   given; all are 0 before the first. `counts` has C * C numbers, and bytes is C * C * 8; after an
   error its contents are undefined. Copies C * C * 4 bytes from the device (ledger: "confusion"). A
   count on the device wraps around after 4294967295. */
NN_API nn_result nn_read_confusion_at(nn_site site, nn_trainer *trainer, int64_t *counts,
                                      size_t bytes);
#define nn_read_confusion(...) nn_read_confusion_at(NN_HERE, __VA_ARGS__)
/* Returns C; 0 if the trainer has no confusion. */
NN_API int nn_confusion_classes(const nn_trainer *trainer);

/* precision = right / predicted as the class, recall = right / samples of the class, f1 = 2 right /
   (predicted + samples). A quotient whose denominator is 0 is 0 (sklearn's zero_division=0,
   torchmetrics' default). */
typedef struct nn_scores {
    double precision, recall, f1;
    int64_t samples; /* of the class or, in a mean, of all; sklearn's support */
    double iou;      /* right / (predicted + samples - right), also called the Jaccard index */
} nn_scores;

/* These three take a matrix of classes * classes counts. They return zeros for NULL and for a class
   outside the matrix. */
NN_API nn_scores nn_class_scores(const int64_t *counts, int classes, int which);
/* Returns the plain mean over the classes that occur in a row or a column (average="macro" of
   sklearn and torchmetrics). */
NN_API nn_scores nn_macro_scores(const int64_t *counts, int classes);
/* Returns the mean weighted by the samples of each class (average="weighted"). Its recall is the
   accuracy. */
NN_API nn_scores nn_weighted_scores(const int64_t *counts, int classes);
