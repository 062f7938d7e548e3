/* train/metrics.h - metrics that are no single number: which class was taken for which, and what
   follows from it. */
#pragma once

#include "train/trainer.h"

/* A confusion matrix is C rows of C counts: row = the true class, column = the class that was
   predicted (the largest logit; of equals the first; NaN is the largest), as
   sklearn.metrics.confusion_matrix has it. A label outside [0, C), such as an ignore_index, is not
   counted.

   The counts of the last nn_evaluate, if nn_trainer_desc.confusion is given; all 0 before the
   first. `counts` has C * C numbers and bytes = C * C * 8; what it holds after an error is
   undefined. Copies C * C * 4 bytes from the device (ledger: "confusion"). On the device each
   number counts to 4294967295, then begins anew at 0. */
NN_API nn_result nn_read_confusion_at(nn_site site, nn_trainer *trainer, int64_t *counts,
                                      size_t bytes);
#define nn_read_confusion(...) nn_read_confusion_at(NN_HERE, __VA_ARGS__)
/* C; 0 if the trainer has no confusion. */
NN_API int nn_confusion_classes(const nn_trainer *trainer);

/* precision = right / predicted as the class, recall = right / samples of the class, f1 = 2 right /
   (predicted + samples). A quotient with nothing below the line is 0 (sklearn's zero_division=0,
   torchmetrics' default). */
typedef struct nn_scores {
    double precision, recall, f1;
    int64_t samples; /* of the class, or of all; sklearn's support */
    double iou;      /* right / (predicted + samples - right), also called Jaccard's index */
} nn_scores;

/* The three take a matrix of classes * classes counts; zeros for NULL, or a class outside it. */
NN_API nn_scores nn_class_scores(const int64_t *counts, int classes, int which);
/* The plain mean over the classes that occur, in a row or in a column (average="macro" of sklearn
   and torchmetrics). */
NN_API nn_scores nn_macro_scores(const int64_t *counts, int classes);
/* The mean weighted by each class's samples (average="weighted"). Its recall is the accuracy. */
NN_API nn_scores nn_weighted_scores(const int64_t *counts, int classes);
