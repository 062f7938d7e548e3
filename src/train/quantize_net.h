/* train/quantize_net.h - a copy of a trained net that computes in 8-bit integers: post-training
   quantisation. docs/quantize.md goes through it. */
#pragma once

#include "base/list.h"
#include "graph/model.h"
#include "train/loader.h"

/* How the range of a value follows from the numbers that it had. */
typedef enum nn_calibration {
    NN_CALIBRATION_MIN_MAX,    /* from the smallest to the largest one */
    NN_CALIBRATION_PERCENTILE, /* without the rarest ones, an equal share at both ends */
    NN_CALIBRATION_MSE         /* the part of it with the least mean squared error */
} nn_calibration;

typedef struct nn_quantize_net_desc {
    const char *name;           /* default: the model's. Of the new model; copied */
    nn_calibration calibration; /* default: NN_CALIBRATION_MIN_MAX */
    float percentile; /* default: 99.99. For NN_CALIBRATION_PERCENTILE: the share that stays */
    int batches;      /* default: all of an epoch. Number of batches of the loader to read */
    /* default: the values that no operation of the model reads. Further values that the new model
       must have in f32, such as logits that a loss reads too */
    nn_nodes outputs;
    /* default: none. Layers that stay in f32: a whole name, its end after a dot, or a pattern with
       stars, as in nn_lora_desc.targets. Values in between are converted */
    nn_texts skip;
    nn_writer report; /* default: none. Receives a table, see below */
} nn_quantize_net_desc;

/* Makes a model that computes like `net` with 8-bit integers where it can:
     nn_linear, nn_conv2d (without groups or depthwise), and nn_add of two quantised values; a
       batch norm and then a relu, relu6, clamp or hardtanh after one of them belong to it;
     nn_max_pool2d, nn_avg_pool2d, reshapes and dropout of quantised values.
   Everything else stays in f32 with the weights that it has, and values are converted before and
   after it. The result is a model like any other: plan it, save it, copy it. It cannot be trained.
   nn_copied_node(copy, node) finds the f32 value of a node of the original in it, if that was
   quantised (of layers with a relu: the relu), an output or left in f32.

   `loader` delivers typical inputs (fields with the names of inputs; others are not read). The
   first `batches` of its epoch 0 are run through the net to find the range of each value; then the
   loader is where it was. Some hundred samples suffice. NULL: nothing is measured, all ranges are
   [-1, 1], and all integers 0, for nn_load_weights of a file that nn_save_weights wrote of such a
   model.

   A quantised layer "fc" has buffers instead of its parameters:
     "fc.weight" i8     convolutions (K, R, S, C), depthwise (R, S, K), linear layers (K, 1, 1, C)
     "fc.bias"   i32    in the scale of x times that of the weight
     "fc.factor" i32    (2, K): multipliers and shifts of the sums
     "fc.zero"   i32    zero points of x and y, smallest and largest y
     "fc.scale"  f32    scale and zero point of y
   Weights have one scale for each output channel and no zero point: from -127 to 127. Values have
   one scale and a zero point: from -128 to 127, asymmetric. The arithmetic is that of TensorFlow
   Lite's reference kernels with two roundings (kernels/integer/args.h), so a run has the same bytes
   on every processor, for any number of threads. Its plans are for the CPU: other devices refuse
   its steps by name, so that a model elsewhere is moved with nn_move_model.

   The report has a line for each quantised value: its range, scale, zero point, and the error of
   the value in the new model on the first batch, as a share of its root mean square; and a line
   for each operation that stays in f32, with the reason.

   Returns NULL and an error, with nothing changed, if the model has faults, adapters (merge them
   first), 8-bit weights of nn_quantize or gradients; if it is quantised already; if no layer can be
   quantised; if a name of .skip fits no layer; if the loader has no batch or lacks an input; if a
   value or weight is not finite; or if there is no memory. desc may be NULL. Source: Jacob et al.,
   "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference",
   2018, https://arxiv.org/abs/1712.05877. */
NN_API nn_model *nn_quantize_net_at(nn_site site, nn_model *net, nn_loader *loader,
                                    const nn_quantize_net_desc *desc);
#define nn_quantize_net(...) nn_quantize_net_at(NN_HERE, __VA_ARGS__)
