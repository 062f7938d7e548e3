/* ops/metric.h - metrics whose value over many batches is not the mean of the batches' values.
   Their sums are added on the device over all batches of a report, an epoch of nn_fit or an
   evaluation; the metric is computed from the sums when it is read.

   For a metric that is a mean over samples, use any node with one number. nn_trainer_desc.metrics
   may hold nn_l1_loss(net, y, target, NULL) (mean absolute error), nn_mse_loss, nn_accuracy, or
   nn_mean(net, nn_expression(...)). */
#pragma once

#include "graph/model.h"

#ifndef NN_NO_TRAINING

/* Computes the metric from `count` sums. Called on the thread that reads the report. */
typedef double (*nn_metric_function)(void *user, const double *sums, int count);

/* A metric of your own for nn_trainer_desc.metrics. sums (K) f32, K at most 4096, are those of one
   batch; they are added over the batches without further rounding errors. As a value, the node
   holds the sums of the batch. */
NN_API nn_node *nn_metric_at(nn_site site, nn_model *net, const char *name, nn_node *sums,
                             nn_metric_function function, void *user);
#define nn_metric(...) nn_metric_at(NN_HERE, __VA_ARGS__)
#endif
