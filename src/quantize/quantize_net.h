/* quantize/quantize_net.h - a copy of a trained net that computes in 8-bit integers: post-training
   quantisation. docs/quantize.md explains it. */
#pragma once

#include "base/list.h"
#include "graph/model.h"
#include "train/loader.h"

/* How the range of a value follows from its numbers during calibration. */
typedef enum nn_calibration {
    NN_CALIBRATION_MIN_MAX,    /* from the smallest to the largest number */
    NN_CALIBRATION_PERCENTILE, /* without the extreme numbers, an equal share at both ends */
    NN_CALIBRATION_MSE,        /* the range of MIN_MAX, shrunk to the least mean squared error */
    /* the range of MIN_MAX, shrunk to the least Kullback-Leibler divergence between the numbers and
       their 256 levels. Source: Migacz, "8-bit Inference with TensorRT", 2017 */
    NN_CALIBRATION_ENTROPY
} nn_calibration;

typedef struct nn_quantize_net_desc {
    const char *name;           /* default: the model's. Name of the new model; copied */
    nn_calibration calibration; /* default: NN_CALIBRATION_MIN_MAX */
    float percentile;           /* default: 99.99. For NN_CALIBRATION_PERCENTILE: percent kept */
    int batches; /* default: all of an epoch. Number of batches of the loader to read */
    /* default: the values that no operation of the model reads. Further values that the new model
       must have in f32, such as logits that a loss reads too */
    nn_nodes outputs;
    /* default: none. Layers that stay in f32: a whole name, its end after a dot, or a pattern with
       stars, as in nn_lora_desc.targets. Values are converted before and after them */
    nn_texts skip;
    /* default: 8. 4: the weights of linear layers, and of convolutions without groups, are from -7
       to 7, still with a scale for each output channel. They stay tensors of i8, so every device
       computes with them; nn_write_plan_c stores two of them in a byte. Depthwise and grouped
       convolutions and recurrent layers keep 8 bits. Train such a net with nn_prepare_qat */
    int weight_bits;
    /* default: the layers that come before any other layer with weights. With .weight_bits = 4: the
       layers that keep 8 bits instead of these, named as in .skip */
    nn_texts weight_bits_8;
    /* default: false. true: between two layers that are joined by a relu or nothing, each channel
       is divided by a factor in the first layer's weights and multiplied by it in the second one's,
       so that both have the same largest weight there. Results in f32 do not change, but a channel
       with small numbers no longer shares a scale with large ones. Source: Nagel et al., "Data-Free
       Quantization Through Weight Equalization and Bias Correction", 2019, equation 11 */
    bool equalize;
    /* default: false. true: after quantisation, layer by layer, the mean error of each channel on
       the loader's batches is taken out of the bias. Source: the same, section 4.2, with measured
       means */
    bool correct_bias;
    /* default: false, inputs and outputs are f32. true: an input that becomes integers is an input
       of i8, and an output that is integers stays so: nn_copied_node returns it. Images have their
       channels last, (N, H, W, C), and a line is an image of height 1. The buffer "x.scale" of the
       new model has the scale and the zero point of the input "x". If nothing stays in f32, runs of
       the model use no float at all, which suits processors without a floating-point unit */
    bool integer_inputs, integer_outputs;
    nn_writer report; /* default: none. Receives a table, see below */
} nn_quantize_net_desc;

/* Makes a model that computes like `net` with 8-bit integers where it can:
     nn_linear, nn_linear_transposed, nn_conv2d, nn_conv1d, nn_conv_transpose2d and
       nn_conv_transpose1d, each with the batch norm after it, nn_add and nn_multiply of two
       quantised values (or of an image and a factor for each channel); a relu, relu6, clamp or
       hardtanh after one of them becomes a part of it;
     functions of one number (nn_sigmoid, nn_hardswish, nn_gelu, nn_scale ...) of quantised values
       that such operations read, as a table of 256 results;
     nn_softmax of quantised values, if such operations read it, or if it is an output and
       .integer_outputs is set; its scale is 1/256, or learned by nn_prepare_qat;
     nn_max_pool2d, nn_avg_pool2d, nn_adaptive_avg_pool2d with equal windows (including those of
       lines), nn_resize (nearest, nearest exact, linear), nn_slice, nn_chunk, nn_split, reshapes
       and dropout of quantised values;
     nn_lstm and nn_gru with a known number of steps, without .lengths, .proj_size, .h_0 and .c_0;
       h_n and c_n are f32;
     nn_concat of quantised values that such operations read. An input that nothing else reads is
     computed in the scale of the result; any other input passes through a table.
   Everything else stays in f32 with the weights that it has, as do layers that share their
   parameters (.shared), and values are converted before and after it. The result is a model like
   any other: plan it, save it, copy it. It cannot be trained (nn_prepare_qat, below, makes one that
   can).
   nn_copied_node(copy, node) returns the f32 value of the copy that stands for a node of the
   original, if the node was quantised (for a layer with a relu: the relu), is an output or stayed
   in f32.

   `loader` delivers typical inputs (fields with the names of inputs; others are not read). The
   first `batches` of its epoch 0 are run through the net to find the range of each value; then the
   loader returns to its position. A few hundred samples suffice. NULL: nothing is measured, and all
   ranges are [-1, 1]. Use that before nn_load_weights of a file that nn_save_weights wrote from
   such a model.

   A quantised layer "fc" has buffers instead of its parameters:
     "fc.weight" i8     convolutions (K, R, S, C / groups), depthwise (R, S, K), linear layers
                        (K, 1, 1, C)
     "fc.bias"   i32    its scale is that of x times that of the weight
     "fc.factor" i32    (2, K): multipliers and shifts of the sums
     "fc.zero"   i32    zero points of x and y, smallest and largest y
     "fc.scale"  f32    scale and zero point of y
   Sums and products of two values have "add.numbers", functions "sigmoid.table" (ops/integer.h),
   a layer of an lstm or gru "rnn_l0.weight_ih", "rnn_l0.weight_hh", "rnn_l0.bias",
   "rnn_l0.factor", "rnn_l0.numbers" (kernels/integer/args.h) and, of an lstm, "rnn_l0.cell",
   concatenations "concat.scale" and, for input 0 with a scale of its own, "concat.input0.table",
   resizing "resize.rows" and "resize.columns".
   Weights have one scale for each output channel and no zero point: from -127 to 127. Values have
   one scale and a zero point: from -128 to 127, asymmetric. The arithmetic is that of TensorFlow
   Lite's reference kernels with two roundings (kernels/integer/args.h), so integer operations
   give the same bytes on every processor, for any number of threads. OpenCL devices have them, too,
   with the same bytes.

   The report has a line for each quantised value: its range, scale and zero point, and its error
   in the new model on the first batch, as a share of its root mean square. Each operation that
   stays in f32 has a line with the reason.

   With .equalize the values between two equalized layers are divided by their factors:
   nn_copied_node and the report's range show them so.

   A model of nn_prepare_qat (below) has its scales already: they are not measured, and it needs no
   loader. .equalize, .correct_bias, .weight_bits and .weight_bits_8 are errors with it. In
   nn_prepare_qat .equalize, .correct_bias, .integer_inputs and .integer_outputs are errors.

   Returns NULL and an error, with nothing changed, if the model has faults, adapters (merge them
   first), 8-bit weights of nn_quantize or gradients; if it is quantised already; if no layer can be
   quantised; if a name of .skip or .weight_bits_8 fits no layer; if .weight_bits is neither 4 nor
   8; if the loader has no batch or lacks an input; if a value or weight is not finite; or if there
   is no memory. desc may be NULL. Source: Jacob et al., "Quantization and Training of Neural
   Networks for Efficient Integer-Arithmetic-Only Inference",
   2018, https://arxiv.org/abs/1712.05877. */
NN_API nn_model *nn_quantize_net_at(nn_site site, nn_model *net, nn_loader *loader,
                                    const nn_quantize_net_desc *desc);
#define nn_quantize_net(...) nn_quantize_net_at(NN_HERE, __VA_ARGS__)

/* Makes a model for quantisation-aware training, as torch.ao.quantization.prepare_qat does: a copy
   of `net` that computes in f32, rounded as nn_quantize_net(net) computes in integers, and that can
   be trained. Train it for a few epochs with a small learning rate; then give it to
   nn_quantize_net:

       nn_model *qat = nn_prepare_qat(net, train, NULL);
       nn_trainer *trainer = nn_make_trainer(qat, nn_copied_node(qat, loss), ...);
       nn_fit(trainer, train, ...);
       nn_model *integers = nn_quantize_net(qat, NULL, NULL);

   Arguments, results, the report and errors are those of nn_quantize_net; nn_copied_node(qat, node)
   finds its nodes. Layers keep their names, and with them:
     "fc.weight", "fc.bias" f32   with the batch norm folded in, which is no longer there. A layer
                                  with a norm gets a bias if it has none
     "fc.log_scale"  (1) f32      a parameter: the logarithm of the scale of its result
     "fc.zero_point" (1) f32      a buffer: the zero point, which is not learned
   Weights are rounded with a scale for each output channel, their largest absolute value / 127, or
   / 7 in layers of 4 bits (.weight_bits). If the optimizer has a weight decay, leave it out for the
   scales: NN_GROUPS({ "*.log_scale", .weight_decay = NN_NONE }).

   Transposed convolutions with groups and recurrent layers stay in f32. It is also an error if two
   operations share a weight into which a batch norm has to be folded.
   Sources: Jacob et al., 2018 (above); for the learned scales nn_fake_quantize. */
NN_API nn_model *nn_prepare_qat_at(nn_site site, nn_model *net, nn_loader *loader,
                                   const nn_quantize_net_desc *desc);
#define nn_prepare_qat(...) nn_prepare_qat_at(NN_HERE, __VA_ARGS__)
