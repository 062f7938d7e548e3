/* random_images.h: draws nets of small images, as nn_quantize_net meets them: convolutions of every
   kind, batch norms, clamps, functions of one number, sums, products, concatenations (a value may
   be there twice), slices, pools, resizing, linear and recurrent layers, with one or two inputs
   and outputs.

   random_graph.h draws more kinds of operations and evaluates them. The nets of this file have more
   layers that compute in integers. */
#ifndef NN_RANDOM_IMAGES_H
#define NN_RANDOM_IMAGES_H

#include "nn_more.h"
#include "nn_sequence.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { IMAGES_VALUES = 48, IMAGES_EXTENT = 24, IMAGES_OPERATIONS = 28 };

typedef struct images {
    uint64_t seed, counter;
    nn_model *net;
    nn_node *value[IMAGES_VALUES]; /* (N, C, H, W), with extents of at most IMAGES_EXTENT */
    int count;
    nn_node *input[2], *output[2];
    int inputs, outputs;
    /* has a transposed convolution in groups, or a recurrent layer, which nn_prepare_qat leaves in
       f32 */
    bool grouped;
} images;

static unsigned images_below(images *g, unsigned n) {
    uint32_t words[4];
    nn_random_words(g->seed, 77, g->counter++, words);
    return words[0] % n;
}
static float images_number(images *g) { return (float)images_below(g, 20001) / 10000.0f - 1.0f; }
/* Returns `one` with a probability of 1 / n; otherwise `other`. */
static int images_rarely(images *g, unsigned n, int one, int other) {
    return images_below(g, n) == 0 ? one : other;
}

static void images_add(images *g, nn_node *node) {
    const nn_shape shape = nn_node_shape(node);
    if (shape.rank != 4 || g->count == IMAGES_VALUES) return;
    for (int i = 1; i < 4; i++)
        if (shape.extent[i] > IMAGES_EXTENT) return;
    g->value[g->count++] = node;
}

static nn_node *images_conv(images *g, const char *name, nn_node *x, const int *size) {
    const int C = size[1], H = size[2], W = size[3];
    nn_conv2d_desc d;
    memset(&d, 0, sizeof d);
    d.groups = images_rarely(g, 3, C, C % 2 == 0 ? images_rarely(g, 3, 2, 1) : 1);
    d.out_channels = d.groups * (1 + (int)images_below(g, d.groups > 1 ? 3 : 9));
    d.kernel_h = 1 + (int)images_below(g, 3);
    d.kernel_w = 1 + (int)images_below(g, 3);
    d.stride_h = images_rarely(g, 4, 2, 1);
    d.stride_w = images_rarely(g, 4, 2, 1);
    d.dilation_h = images_rarely(g, 5, 2, 1);
    d.dilation_w = images_rarely(g, 5, 2, 1);
    d.no_bias = images_below(g, 4) == 0;
    if (H < d.dilation_h * (d.kernel_h - 1) + 1 || W < d.dilation_w * (d.kernel_w - 1) + 1)
        return NULL;
    switch (images_below(g, 8)) {
    case 0: d.padding_h = NN_NONE, d.padding_w = 1; break;
    case 1: d.padding_h = 1, d.padding_w = 2; break;
    case 2: d.padding = 1, d.padding_bottom = 2, d.padding_right = NN_NONE; break;
    case 3:
        if (H < 3 || W < 3) break;
        d.padding = 1, d.padding_mode = (nn_padding_mode)(1 + images_below(g, 3));
        break;
    case 4: d.stride_h = d.stride_w = 1, d.same = true; break;
    default: break;
    }
    return nn_conv2d(g->net, name, x, &d);
}

static nn_node *images_turned(images *g, const char *name, nn_node *x, const int *size) {
    nn_conv_transpose2d_desc d;
    memset(&d, 0, sizeof d);
    if (size[2] > 9 || size[3] > 9) return NULL;
    d.groups = images_rarely(g, 4, size[1], 1);
    g->grouped = g->grouped || d.groups > 1;
    d.out_channels = d.groups * (1 + (int)images_below(g, d.groups > 1 ? 2 : 7));
    d.kernel_h = 1 + (int)images_below(g, 3);
    d.kernel_w = 1 + (int)images_below(g, 3);
    d.stride_h = 1 + (int)images_below(g, 2);
    d.stride_w = 1 + (int)images_below(g, 2);
    d.dilation_h = images_rarely(g, 5, 2, 1);
    d.padding = size[2] > 2 && size[3] > 2 ? images_rarely(g, 3, 1, 0) : 0;
    if (d.stride_h == 2 && d.stride_w == 2) d.output_padding = images_rarely(g, 3, 1, 0);
    d.no_bias = images_below(g, 4) == 0;
    return nn_conv_transpose2d(g->net, name, x, &d);
}

static nn_node *images_pool(images *g, nn_node *x, const int *size, bool average) {
    nn_pool2d_desc d;
    memset(&d, 0, sizeof d);
    if (size[2] < 3 || size[3] < 3) return NULL;
    d.kernel_h = 2 + (int)images_below(g, 2);
    d.kernel_w = 2 + (int)images_below(g, 2);
    d.stride = (int)images_below(g, 3);
    d.padding = (int)images_below(g, 2);
    d.ceil = images_below(g, 2) == 0;
    if (average) d.count_only_inside = images_below(g, 2) == 0;
    if (average) d.divisor = images_rarely(g, 9, 3, 0);
    if (!average && size[2] > 5 && size[3] > 5) d.dilation = images_rarely(g, 8, 2, 0);
    return average ? nn_avg_pool2d(g->net, x, &d) : nn_max_pool2d(g->net, x, &d);
}

static nn_node *images_resized(images *g, nn_node *x, const int *size) {
    static const nn_resize_mode modes[] = {NN_RESIZE_NEAREST, NN_RESIZE_NEAREST_EXACT,
                                           NN_RESIZE_LINEAR};
    nn_resize_desc d;
    memset(&d, 0, sizeof d);
    d.mode = modes[images_below(g, 3)];
    if (images_below(g, 2)) {
        d.size = 1 + (int)images_below(g, 12);
        d.size_w = 1 + (int)images_below(g, 12);
    } else {
        d.scale_factor = (size[2] > 1 && size[3] > 1 ? 0.5 : 1.0) + 0.25 * images_below(g, 6);
    }
    d.align_corners = d.mode == NN_RESIZE_LINEAR && images_below(g, 2);
    return nn_resize(g->net, x, &d);
}

/* Returns x and up to two values that a concatenation along the axis can join with it, which may be
   x again. */
static nn_node *images_concat(images *g, nn_node *x, const int *size) {
    const int axis = 1 + (int)images_below(g, 3);
    nn_node *parts[3];
    nn_nodes list;
    list.node = parts;
    list.count = 1;
    parts[0] = x;
    for (int tries = 0; tries < 10 && list.count < 3; tries++) {
        nn_node *other = g->value[images_below(g, (unsigned)g->count)];
        const nn_shape shape = nn_node_shape(other);
        bool fits = true;
        for (int i = 1; i < 4; i++) fits = fits && (i == axis || shape.extent[i] == size[i]);
        if (fits) parts[list.count++] = other;
    }
    return nn_concat(g->net, list, axis);
}

/* Returns a sum or a product of x and a value of its shape. */
static nn_node *images_pair(images *g, nn_node *x, bool sum) {
    for (int tries = 0; tries < 12; tries++) {
        nn_node *y = g->value[images_below(g, (unsigned)g->count)];
        if (nn_same_shape(nn_node_shape(x), nn_node_shape(y)))
            return sum ? nn_add(g->net, x, y) : nn_multiply(g->net, x, y);
    }
    return NULL;
}

/* Squeeze and excitation: a factor for each channel. */
static nn_node *images_gate(images *g, const char *name, nn_node *x, const int *size) {
    nn_conv2d_desc d;
    memset(&d, 0, sizeof d);
    d.out_channels = size[1];
    d.kernel = 1;
    nn_node *gate = nn_conv2d(g->net, name, nn_adaptive_avg_pool2d(g->net, x, 1, 1), &d);
    gate = images_below(g, 2) ? nn_sigmoid(g->net, gate) : nn_hardsigmoid(g->net, gate);
    return images_below(g, 2) ? nn_multiply(g->net, x, gate) : nn_multiply(g->net, gate, x);
}

static nn_node *images_linear(images *g, const char *name, nn_node *x, const int *size) {
    nn_linear_desc d;
    memset(&d, 0, sizeof d);
    d.out_features = size[1] * size[2];
    d.no_bias = images_below(g, 4) == 0;
    nn_node *y = nn_linear(g->net, name, nn_flatten(g->net, x), &d);
    if (images_below(g, 3) == 0) y = nn_relu(g->net, y);
    return nn_reshape(g->net, y, NN_SHAPE(NN_BATCH, size[1], size[2], 1));
}

/* A linear layer along the last axis: its integers have another order of axes than images. */
static nn_node *images_rows(images *g, const char *name, nn_node *x) {
    nn_linear_desc d;
    memset(&d, 0, sizeof d);
    d.out_features = 1 + (int)images_below(g, 9);
    return nn_linear(g->net, name, x, &d);
}

/* A recurrent layer that reads the rows of all channels one after the other. */
static nn_node *images_sequence(images *g, const char *name, nn_node *x, const int *size) {
    const int steps = size[1] * size[2], both = images_rarely(g, 3, 1, 0),
              hidden = 1 + (int)images_below(g, 9);
    if (steps > 40) return NULL;
    g->grouped = true;
    x = nn_reshape(g->net, x, NN_SHAPE(NN_BATCH, steps, size[3]));
    nn_gru_desc gru;
    nn_lstm_desc lstm;
    memset(&gru, 0, sizeof gru);
    memset(&lstm, 0, sizeof lstm);
    gru.hidden_size = lstm.hidden_size = hidden;
    gru.bidirectional = lstm.bidirectional = both;
    gru.no_bias = lstm.no_bias = images_below(g, 4) == 0;
    nn_node *y = images_below(g, 2) ? nn_gru(g->net, name, x, &gru)
                                    : nn_lstm(g->net, name, x, &lstm);
    return nn_reshape(g->net, y, NN_SHAPE(NN_BATCH, size[1], size[2], both ? 2 * hidden : hidden));
}

static nn_node *images_cut(images *g, nn_node *x, const int *size) {
    nn_slice_desc d;
    nn_node *halves[2];
    if (size[1] % 2 == 0 && images_below(g, 2)) {
        nn_chunk(g->net, x, halves, 2, 1);
        images_add(g, halves[1]);
        return halves[0];
    }
    memset(&d, 0, sizeof d);
    d.axis = 1 + (int)images_below(g, 3);
    d.start = (int)images_below(g, (unsigned)size[d.axis]);
    d.stop = d.start + 1 + (int)images_below(g, (unsigned)(size[d.axis] - d.start));
    return nn_slice(g->net, x, &d);
}

/* Describes an operation and returns its value; NULL: the operation does not fit. */
static nn_node *images_operation(images *g, int k, const char *name, nn_node *x, const int *size) {
    nn_model *net = g->net;
    switch (k) {
    case 0: return images_turned(g, name, x, size);
    case 1: return images_turned(g, name, x, size);
    case 2: return nn_batch_norm2d(net, name, x, NULL);
    case 3: return nn_relu(net, x);
    case 4: return nn_relu6(net, x);
    case 5: return nn_clamp(net, x, -0.5f, 0.25f * (float)images_below(g, 5));
    case 6: return nn_sigmoid(net, x);
    case 7: return nn_hardswish(net, x);
    case 8: return nn_tanh(net, x);
    case 9: return nn_scale(net, x, 3.0f * images_number(g));
    case 10: return nn_expression(net, "x * x - 0.5 * abs(x)", x);
    case 11: return images_pair(g, x, true);
    case 12: return images_pair(g, x, false);
    case 13: return images_gate(g, name, x, size);
    case 14:
    case 15: return images_concat(g, x, size);
    case 16: return images_resized(g, x, size);
    case 17: return images_pool(g, x, size, false);
    case 18: return images_pool(g, x, size, true);
    case 19: return images_cut(g, x, size);
    case 20: return nn_dropout(net, x, 0.5f);
    case 21: return images_linear(g, name, x, size);
    case 22: return nn_reshape(net, x, NN_SHAPE(NN_BATCH, size[3], size[1], size[2]));
    case 23: return images_rows(g, name, x);
    case 24: return images_sequence(g, name, x, size);
    default: return images_conv(g, name, x, size);
    }
}

/* Describes the net of the seed in an empty model. */
static void images_describe(images *g, nn_model *net, uint64_t seed) {
    char name[32];
    memset(g, 0, sizeof *g);
    g->seed = seed;
    g->net = net;
    const int C = 1 + (int)images_below(g, 5), H = 4 + (int)images_below(g, 9),
              W = 4 + (int)images_below(g, 9);
    g->inputs = images_rarely(g, 4, 2, 1);
    for (int i = 0; i < g->inputs; i++) {
        g->input[i] = nn_input(net, i ? "other" : "x", NN_F32, NN_SHAPE(NN_BATCH, C, H, W));
        images_add(g, g->input[i]);
    }
    const int operations = 3 + (int)images_below(g, 9);
    for (int k = 0; k < operations; k++) {
        nn_node *x = g->value[images_below(g, 3) ? (unsigned)g->count - 1
                                                 : images_below(g, (unsigned)g->count)];
        const nn_shape shape = nn_node_shape(x);
        snprintf(name, sizeof name, "layer%d", k);
        nn_node *y = images_operation(g, (int)images_below(g, IMAGES_OPERATIONS), name, x,
                                      shape.extent);
        if (y) images_add(g, y);
    }
    nn_node *last = g->value[g->count - 1];
    g->output[g->outputs++] = last;
    if (images_below(g, 3) == 0) {
        nn_linear_desc d;
        memset(&d, 0, sizeof d);
        d.out_features = 5;
        g->output[0] = nn_linear(net, "head", nn_flatten(net, last), &d);
    }
    nn_node *inner = g->value[images_below(g, (unsigned)g->count)];
    if (images_below(g, 2) && inner != last) g->output[g->outputs++] = inner;
}

#endif
