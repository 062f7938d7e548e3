/* quantize/private.h - what the parts of nn_quantize_net share. */
#pragma once

#include "base/functions.h"
#include "graph/inspect.h"
#include "ops/integer_private.h"
#include "train/private.h"

#include <math.h>

#ifndef NN__NO_TRAINER
#include "quantize/quantize_net.h"

typedef enum nn__way {
    NN__WAY_REAL, /* stays in f32 */
    NN__WAY_CONV,
    NN__WAY_LINEAR,
    NN__WAY_POOL,
    NN__WAY_ADD,
    NN__WAY_MULTIPLY,
    NN__WAY_TABLE, /* a function of one number */
    NN__WAY_SOFTMAX,
    NN__WAY_CONCAT,
    NN__WAY_SLICE,
    NN__WAY_RESIZE,
    NN__WAY_RECURRENT,
    NN__WAY_ALIAS,
    NN__WAY_NORM,  /* only as a part of a layer */
    NN__WAY_CLAMP, /* the same */
    NN__WAY_FAKE,  /* a rounding of nn_prepare_qat: an entry, or a part of a layer */
    NN__WAY_PART   /* computed by an earlier layer */
} nn__way;

typedef struct nn__integers_sums nn__integers_sums; /* quantize/correct.c */

/* A node of the original. Other nodes are given by their places in the list; -1: none. */
typedef struct nn__integers_node {
    nn_node *node;
    nn__way way;
    const char *why; /* reason why it stays in f32; NULL: not reported */
    int x, other;    /* operands; other: of an addition or product */
    bool wanted;     /* an operation that may compute in integers reads it */
    int reader, readers; /* the last operation that reads it, and their number */
    bool output;         /* the new model must have it */
    int weight, bias, mean, variance; /* leaves; of a norm all four */
    float epsilon;
    bool turned; /* a linear layer's weight is (in, out) */
    bool transposed; /* a transposed convolution */
    int levels;      /* of a layer: its weights are from -levels to levels */
    nn_conv2d_params window;
    nn_integer_pool2d_args pool;
    int axis; /* of a concatenation, slice or softmax, in the original */
    nn_resize_args resize;
    /* of an lstm or gru: the product of its inputs; its largest absolute cell */
    int input;
    nn_recurrent_cell cell;
    bool reverse;
    float cells;
    /* of a layer: where its result is in the original, and its batch norm and clamp; -1: none */
    int value, norm, clamp;
    float low, high; /* of a clamp; of a layer: the one in it */

    /* its value as integers */
    bool whole;  /* it exists */
    bool entry;  /* it is made from the f32 value */
    bool image;  /* channels are last */
    int32_t flat[3]; /* it is a flattened image of these channels, rows and columns; else 0 */
    int same;        /* has the scale of this value; -1: of its own */
    float least, most; /* range */
    int64_t *counts;   /* histogram of the range */
    const double *by;  /* of each channel: the value is divided by it in the new model; or NULL */
    double *outputs, *inputs; /* of a layer: of each channel of y and x; NULL: ones */
    nn__integers_sums *sums;  /* of a layer whose bias is corrected; else NULL */
    bool corrected;           /* its layer is being corrected now */
    int given;                /* of an input that is i8 in the new model: its entry; else -1 */
    int8_t *bytes;            /* room for a batch of it */
    float scale;
    int zero;
    bool learned;         /* scale and zero are those of nn_prepare_qat */
    nn_node *made, *leaf; /* in the new model: the integers; the scale */
    nn_node *zeros;       /* of nn_prepare_qat: the zero point */
} nn__integers_node;

typedef struct nn__integers_fill_one {
    struct nn__integers_fill_one *next;
    nn_node *node;
    void *data;
    size_t bytes;
} nn__integers_fill_one;

typedef struct nn__integers {
    nn_context *nn;
    nn_model *net, *to;
    nn_loader *loader;
    nn_quantize_net_desc desc;
    nn_site site;
    const char *call; /* "nn_quantize_net" */
    bool train;       /* it is nn_prepare_qat */
    nn__arena arena;  /* everything below */
    nn__integers_node *all;
    int count;
    int *orders, *places; /* of the nodes: ascending orders, and the nodes' places in the list */
    nn__copy copy;
    nn__integers_fill_one *fills;
} nn__integers;

#define NN__INTEGERS_BINS 2048

/* A plan that runs on the loader's batches. */
typedef struct nn__integers_run {
    nn_plan *plan;
    nn_node **nodes; /* its outputs */
    int *places;     /* of these nodes in the list */
    int count;
    float *numbers; /* room for the largest of them */
    size_t room;
} nn__integers_run;
/* Makes a plan of the values that `find` returns: the node of a value in the model, or NULL. */
NN_PRIVATE nn_result nn__integers_plan(nn__integers *q, nn_model *net, nn__integers_run *run,
                                       nn_node *(*find)(const nn__integers *q, int at));
/* Runs the plan on the batches, and calls `see` for each value of each batch with its numbers. */
NN_PRIVATE nn_result nn__integers_pass(nn__integers *q, nn__integers_run *run,
                                       nn_result (*see)(nn__integers *q, nn__integers_node *of,
                                                        float *numbers, size_t count));

/* Returns the place of a node in the list; -1 for NULL. */
NN_PRIVATE int nn__integers_at_node(const nn__integers *q, const nn_node *node);
/* Returns zeroed memory of the arena. NULL, and an error: there is none. */
NN_PRIVATE void *nn__integers_take(nn__integers *q, size_t bytes);
/* Finds what each operation is. (quantize/find.c) */
NN_PRIVATE nn_result nn__integers_find(nn__integers *q);
/* Lets an operation stay in f32; the values that were joined with it become separate again. */
NN_PRIVATE void nn__integers_part(nn__integers *q, int layer, const char *why);
/* True if nothing reads the further outputs of an operation. */
NN_PRIVATE bool nn__integers_is_single(const nn__integers *q, const nn__integers_node *of);
/* Finds which values become integers. (quantize/decide.c) */
NN_PRIVATE nn_result nn__integers_decide(nn__integers *q);
/* Finds the bits of each layer's weights. (quantize/bits.c) */
NN_PRIVATE nn_result nn__integers_choose_bits(nn__integers *q);
/* True if a layer has weights of 4 bits. */
NN_PRIVATE bool nn__integers_any_small(const nn__integers *q);
/* Measures ranges and computes scales. (quantize/ranges.c) */
NN_PRIVATE nn_result nn__integers_measure(nn__integers *q);
/* Runs both models on the first batch and writes the report. (quantize/ranges.c) */
NN_PRIVATE nn_result nn__integers_report(nn__integers *q);
/* Finds what a rounding of nn_prepare_qat stands for. (quantize/prepared.c) */
NN_PRIVATE nn_result nn__integers_see_rounding(nn__integers *q, nn__integers_node *of);
/* Returns the weight that a rounding of nn_prepare_qat reads; or the same node. */
NN_PRIVATE int nn__integers_unrounded(const nn__integers *q, int at);
/* Describes one node of the model of nn_prepare_qat. (quantize/train.c) */
NN_PRIVATE nn_result nn__integers_train_one(nn__integers *q, int at);
/* Returns the numbers of a leaf, in the arena; filler if there is none. NULL: an error.
   (quantize/values.c) */
NN_PRIVATE float *nn__integers_read(nn__integers *q, int leaf, size_t count, float filler);
/* Computes the weights and biases of a layer with its batch norm folded in and its channels
   equalised, in the original's order. They are in the arena. depth: products of a sum. */
NN_PRIVATE nn_result nn__integers_weights(nn__integers *q, const nn__integers_node *layer,
                                          size_t depth, float **weight, float **bias);
/* Returns the place in the original's weight of number p of channel k, where p counts channels of x
   before taps. */
NN_PRIVATE size_t nn__integers_place(const nn__integers_node *layer, size_t k, size_t p,
                                     size_t depth, size_t K);
/* Returns the channel of x that number p of channel k is multiplied by. */
NN_PRIVATE size_t nn__integers_channel_of(const nn__integers_node *layer, size_t k, size_t p,
                                          size_t depth, size_t K);
/* Finds the factors of .equalize. (quantize/equalize.c) */
NN_PRIVATE nn_result nn__integers_equalize(nn__integers *q);
/* Divides numbers of a value of the original by the factors of its channels. */
NN_PRIVATE void nn__integers_divide_by(const nn__integers_node *of, float *numbers, size_t count);
/* Corrects the biases of the new model. (quantize/correct.c) */
NN_PRIVATE nn_result nn__integers_correct(nn__integers *q);
/* Folds a batch norm into weights (K, depth of any order) and biases. */
NN_PRIVATE bool nn__integers_fold(nn__integers *q, const nn__integers_node *layer, float *weight,
                                  float *bias, size_t K, size_t depth);
/* Returns the place of the node that a view stands for; -1: absent. (quantize/find.c) */
NN_PRIVATE int nn__integers_view(const nn__integers *q, const nn_view *view);
/* True for (N, C, H, W) or (N, C, L) of f32 where all but N are known. */
NN_PRIVATE bool nn__integers_is_image(const nn_node *node);
/* Concatenations and slices: what they are, whether they become integers, and the new nodes.
   (quantize/join.c) */
NN_PRIVATE void nn__integers_see_copy(nn__integers *q, nn__integers_node *of);
NN_PRIVATE void nn__integers_decide_concat(nn__integers *q, nn__integers_node *of);
NN_PRIVATE void nn__integers_decide_slice(nn__integers *q, nn__integers_node *of);
NN_PRIVATE nn_result nn__integers_build_concat(nn__integers *q, nn__integers_node *of);
NN_PRIVATE nn_result nn__integers_build_slice(nn__integers *q, nn__integers_node *of, nn_node *x);
/* Returns the axis of a concatenation, slice or softmax in the integers' order of axes. */
NN_PRIVATE int nn__integers_axis(const nn__integers_node *of);
/* The same for nearest and bilinear resizing. (quantize/resize.c) */
NN_PRIVATE void nn__integers_see_resize(nn__integers *q, nn__integers_node *of,
                                        const nn_resize_args *args);
NN_PRIVATE nn_result nn__integers_build_resize(nn__integers *q, nn__integers_node *of, nn_node *x,
                                               const nn_shape *shape);
/* The same for softmax. (quantize/softmax.c) */
NN_PRIVATE void nn__integers_see_softmax(nn__integers *q, nn__integers_node *of,
                                         const nn_softmax_args *args);
/* Finds the transpositions before and after a softmax over another axis than the last one. */
NN_PRIVATE void nn__integers_join_softmax(nn__integers *q, int at);
NN_PRIVATE void nn__integers_decide_softmax(nn__integers *q, nn__integers_node *of);
/* Lets a softmax stay in f32. */
NN_PRIVATE void nn__integers_leave_softmax(nn__integers *q, nn__integers_node *of,
                                           const char *why);
NN_PRIVATE nn_result nn__integers_build_softmax(nn__integers *q, nn__integers_node *of);
/* The same for lstm and gru. (quantize/recurrent.c) */
NN_PRIVATE void nn__integers_see_recurrent(nn__integers *q, nn__integers_node *of,
                                           const nn_recurrent_args *args);
/* Makes the product of the inputs a part of the layer, or leaves the layer in f32. */
NN_PRIVATE void nn__integers_join_recurrent(nn__integers *q, int at);
NN_PRIVATE nn_result nn__integers_measure_cells(nn__integers *q);
NN_PRIVATE nn_result nn__integers_build_recurrent(nn__integers *q, nn__integers_node *of);
/* Returns the f32 node of the layer's last state. */
NN_PRIVATE nn_node *nn__integers_last_state(nn__integers *q, nn__integers_node *of);
/* True for an f32 parameter, buffer or constant. (quantize/find.c) */
NN_PRIVATE bool nn__integers_is_leaf(const nn__integers *q, int at);
/* Returns the leaf with the scale of a value of a layer. (quantize/net.c) */
NN_PRIVATE nn_node *nn__integers_leaf_of(nn__integers *q, int at);
/* factor = multiplier * 2^(shift - 31). Source: QuantizeMultiplier of TensorFlow Lite.
   (quantize/values.c) */
NN_PRIVATE void nn__integers_factor(double factor, int32_t *multiplier, int32_t *shift);
/* Quantises a row of a weight and its bias, and finds the row's scale. False: a number is not
   finite, or is beyond 1e30. */
NN_PRIVATE bool nn__integers_row(const float *weight, size_t depth, double bias, double x_scale,
                                 int8_t *to, int32_t *whole, double *scale);
/* Returns the integers of a value in the new model. (quantize/net.c) */
NN_PRIVATE nn_node *nn__integers_whole(nn__integers *q, int at);
/* Returns the shape of the integers of a value. (quantize/net.c) */
NN_PRIVATE nn_shape nn__integers_shape(const nn__integers_node *of);
/* Finds the inputs that are i8 in the new model, and lets outputs stay integers.
   (quantize/given.c) */
NN_PRIVATE void nn__integers_find_given(nn__integers *q);
NN_PRIVATE nn_result nn__integers_keep_outputs(nn__integers *q);
/* Uploads the batch of an input of the new model that is i8. */
NN_PRIVATE nn_result nn__integers_give(nn__integers *q, nn_plan *plan, const nn_node *node,
                                       const nn_tensor *tensor);
/* Adds the scale of a value, unless it has that of another value. (quantize/net.c) */
NN_PRIVATE nn_result nn__integers_own_scale(nn__integers *q, nn__integers_node *value,
                                            const char *name);
/* Returns the layer whose value it is, or the value itself. (quantize/ranges.c) */
NN_PRIVATE const nn__integers_node *nn__integers_layer_of(const nn__integers *q, int at);
/* Lets `data` become the value of a buffer. (quantize/values.c) */
NN_PRIVATE nn_result nn__integers_fill(nn__integers *q, nn_node *node, void *data, size_t bytes);
/* Lets a copy of the numbers become the value of a parameter or buffer. */
NN_PRIVATE nn_result nn__integers_numbers(nn__integers *q, nn_node *node, const float *numbers,
                                          size_t count);
/* Describes the nodes of the new model. (quantize/net.c) */
NN_PRIVATE nn_result nn__integers_build(nn__integers *q);
/* Compute the numbers of a layer, and of an addition. (quantize/values.c) */
NN_PRIVATE nn_result nn__integers_layer(nn__integers *q, const nn__integers_node *layer,
                                        nn_node *made);
NN_PRIVATE nn_result nn__integers_sum(nn__integers *q, const nn__integers_node *add, nn_node *made);
NN_PRIVATE nn_result nn__integers_product(nn__integers *q, const nn__integers_node *multiply,
                                          nn_node *made);
NN_PRIVATE nn_result nn__integers_table(nn__integers *q, const nn__integers_node *of,
                                        nn_node *made);
NN_PRIVATE nn_result nn__integers_pool(nn__integers *q, const nn__integers_node *pool,
                                       nn_node *made);
NN_PRIVATE nn_result nn__integers_scale(nn__integers *q, nn_node *leaf, float scale, int zero);

/* True if each channel has a window of its own. weight: (K, C / groups, R, S) or a line's. */
static inline NN__UNUSED bool nn__integers_is_depthwise(const nn__integers *q,
                                                        const nn__integers_node *layer) {
    const int32_t *weight = q->all[layer->weight].node->shape.extent;
    return !layer->transposed && layer->window.groups > 1 && weight[1] == 1 &&
           weight[0] == layer->window.groups;
}
/* Returns the number of output channels of a layer. */
static inline NN__UNUSED int32_t nn__integers_outputs(const nn__integers *q,
                                                      const nn__integers_node *layer) {
    const int32_t *weight = q->all[layer->weight].node->shape.extent;
    return layer->transposed ? weight[1] * layer->window.groups : weight[layer->turned ? 1 : 0];
}
/* Returns the shape of the integers of an image (N, C, H, W), or of a line (N, C, L), which is an
   image of height 1: (N, H, W, C). */
static inline NN__UNUSED nn_shape nn__integers_last(const nn_shape *shape) {
    nn_shape to = *shape;
    const bool line = shape->rank == 3;
    to.rank = 4;
    to.extent[1] = line ? 1 : shape->extent[2];
    to.extent[2] = shape->extent[line ? 2 : 3];
    to.extent[3] = shape->extent[1];
    return to;
}

/* True for operations that a rounding of nn_prepare_qat may follow. A clamp or a norm may also
   follow some of them. */
static inline NN__UNUSED bool nn__integers_joins(nn__way way) {
    return way == NN__WAY_CONV || way == NN__WAY_LINEAR || way == NN__WAY_ADD ||
           way == NN__WAY_MULTIPLY || way == NN__WAY_TABLE || way == NN__WAY_CONCAT ||
           way == NN__WAY_RECURRENT || way == NN__WAY_SOFTMAX;
}

/* Returns the bits of an lstm's cells before the point. */
static inline NN__UNUSED int nn__integers_cell_bits(const nn__integers_node *of) {
    int bits = 0;
    while (bits < 10 && of->cells >= (float)(1 << bits)) bits++;
    return bits;
}

/* Returns the value whose scale a value has. */
static inline NN__UNUSED nn__integers_node *nn__integers_scaled(const nn__integers *q, int at) {
    while (q->all[at].same >= 0) at = q->all[at].same;
    return &q->all[at];
}
#endif
