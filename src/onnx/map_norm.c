/* onnx/map_norm.c - BatchNormalization, InstanceNormalization, LayerNormalization and similar
   operators.
 */
#include "onnx/parts.h"

/* ---- BatchNormalization ---------------------------------------------------------------------- */

/* Returns (x - mean) / sqrt(variance + epsilon) * scale + bias for vectors of one number for each
   channel. */
static nn_node *nn__onnx_normalized(nn__onnx_node *n, nn_node *x, nn_node *mean, nn_node *variance,
                                    nn_node *scale, nn_node *bias, double epsilon) {
    const int rank = nn_node_shape(x).rank;
    nn_node *step = nn__onnx_express(n, "s, v: s / sqrt(v + p)", scale, variance, NULL, epsilon, 0);
    nn_node *from = nn__onnx_express(n, "b, m, s: b - m * s", bias, mean, step, 0, 0);
    return nn__onnx_express(n, "x, s, b: x * s + b", x, nn__onnx_channels(n, step, rank, 1),
                            nn__onnx_channels(n, from, rank, 1), 0, 0);
}

/* Describes the norm with the batch's statistics. ONNX divides the running variance by the count,
   PyTorch and nn.h by the count less one, so its update is written out. */
static void nn__onnx_batch_norm_training(nn__onnx_node *n) {
    const double epsilon = nn__onnx_float(n, "epsilon", 1e-5);
    const double momentum = nn__onnx_float(n, "momentum", 0.9);
    const int rank = nn__onnx_rank(n, 0);
    nn_node *x = nn__onnx_x(n, 0), *mean, *variance, *centred;
    const char *name;
    nn_axes axes;
    bool shared;
    memset(&axes, 0, sizeof axes);
    for (int i = 0; i < rank && i < NN_MAX_RANK; i++)
        if (i != 1) axes.axis[axes.count++] = i;
    mean = nn_reduce_at(n->site, n->net, NN_MEAN, x, axes, false);
    centred = nn_subtract_at(n->site, n->net, x, nn__onnx_channels(n, mean, rank, 1));
    variance =
        nn_reduce_at(n->site, n->net, NN_MEAN, nn_square_at(n->site, n->net, centred), axes, false);
    name = nn__onnx_layer(n, 1, 2, &shared);
    nn__onnx_give(n, 0,
                  nn__onnx_normalized(n, x, mean, variance, nn__onnx_trained(n, 1, name, "weight"),
                                      nn__onnx_trained(n, 2, name, "bias"), epsilon),
                  nn__onnx_dtype(n, 0));
    for (int k = 1; k < 3; k++)
        if (nn__onnx_wants(n, k))
            nn__onnx_give(n, k,
                          nn__onnx_express(n, "old, new: old * p + new * q", nn__onnx_x(n, k + 2),
                                           k == 1 ? mean : variance, NULL, momentum, 1 - momentum),
                          nn__onnx_dtype(n, k + 2));
    if (nn__onnx_wants(n, 3) || nn__onnx_wants(n, 4))
        nn__onnx_refuse(n, "name other values in .outputs",
                        "its saved mean or variance is used, which is not supported");
}

/* Returns a layer with running statistics, which is trained as any other. */
static nn_node *nn__onnx_batch_norm_layer(nn__onnx_node *n, nn_node *x, const char *name,
                                          bool shared) {
    const double momentum = 1 - nn__onnx_float(n, "momentum", 0.9);
    const nn_shape shape = nn_node_shape(x);
    nn_batch_norm_desc desc;
    nn_shape flat;
    memset(&desc, 0, sizeof desc);
    desc.epsilon = nn__onnx_epsilon(nn__onnx_float(n, "epsilon", 1e-5));
    desc.momentum = momentum <= 0 || momentum > 1 ? (float)NN_NONE : (float)momentum;
    desc.shared = shared;
    desc.frozen = n->walk->frozen_batch_norms;
    if (shape.rank == 4) return nn_batch_norm2d_at(n->site, n->net, name, x, &desc);
    if (shape.rank == 5) return nn_batch_norm3d_at(n->site, n->net, name, x, &desc);
    if (shape.rank < 4) return nn_batch_norm1d_at(n->site, n->net, name, x, &desc);
    flat = shape;
    flat.rank = 3;
    flat.extent[2] = nn__onnx_joined(n, &shape, 2, shape.rank);
    x = nn_batch_norm1d_at(n->site, n->net, name, nn__onnx_reshaped(n, x, flat), &desc);
    return nn__onnx_reshaped(n, x, shape);
}

static void nn__onnx_map_batch_norm(nn__onnx_node *n) {
    static const char *const parts[] = {"weight", "bias", "running_mean", "running_var"};
    bool known = true, shared, training = nn__onnx_int(n, "training_mode", 0) != 0;
    nn_node *x = nn__onnx_x(n, 0), *y;
    const char *name;
    if (n->opset < 9 && nn__onnx_int(n, "spatial", 1) == 0) {
        nn__onnx_refuse(n, NULL, "spatial = 0, statistics for each pixel, is not supported");
        return;
    }
    for (int k = 1; n->opset < 14 && k < 5; k++) training = training || nn__onnx_wants(n, k);
    if (training) {
        nn__onnx_batch_norm_training(n);
        return;
    }
    for (int i = 1; i < 5; i++) known = known && nn__onnx_known(n, i);
    if (known) {
        name = nn__onnx_layer(n, 1, 2, &shared);
        y = nn__onnx_batch_norm_layer(n, x, name, shared);
        for (int i = 1; i < 5 && !shared; i++)
            nn__onnx_load(n, name, parts[i - 1], nn__onnx_known(n, i), NULL);
    } else {
        y = nn__onnx_normalized(n, x, nn__onnx_x(n, 3), nn__onnx_x(n, 4), nn__onnx_x(n, 1),
                                nn__onnx_x(n, 2), nn__onnx_float(n, "epsilon", 1e-5));
    }
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* ---- InstanceNormalization, GroupNormalization ----------------------------------------------- */

/* Returns y * scale + bias for vectors of one number for each channel. */
static nn_node *nn__onnx_affine(nn__onnx_node *n, nn_node *y, nn_node *scale, nn_node *bias) {
    const int rank = nn_node_shape(y).rank;
    return nn__onnx_express(n, "x, s, b: x * s + b", y, nn__onnx_channels(n, scale, rank, 1),
                            nn__onnx_channels(n, bias, rank, 1), 0, 0);
}

static void nn__onnx_map_instance_norm(nn__onnx_node *n) {
    const bool known = nn__onnx_known(n, 1) && nn__onnx_known(n, 2);
    nn_instance_norm_desc desc;
    const char *name;
    bool shared;
    nn_node *y;
    memset(&desc, 0, sizeof desc);
    desc.epsilon = nn__onnx_epsilon(nn__onnx_float(n, "epsilon", 1e-5));
    desc.affine = known;
    name = known ? nn__onnx_layer(n, 1, 2, &shared) : nn__onnx_layer(n, -1, -1, &shared);
    desc.shared = shared;
    y = nn_instance_norm_at(n->site, n->net, name, nn__onnx_x(n, 0), &desc);
    if (known && !shared) {
        nn__onnx_load(n, name, "weight", nn__onnx_known(n, 1), NULL);
        nn__onnx_load(n, name, "bias", nn__onnx_known(n, 2), NULL);
    }
    if (!known) y = nn__onnx_affine(n, y, nn__onnx_x(n, 1), nn__onnx_x(n, 2));
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* Opset 18 has one scale for each group, which is repeated for each channel. */
static nn_node *nn__onnx_of_groups(nn__onnx_node *n, nn_node *vector, int groups, int channels) {
    if (nn_node_shape(vector).extent[0] == channels || groups < 1) return vector;
    return nn_repeat_interleave_at(n->site, n->net, vector, channels / groups, 0);
}

static void nn__onnx_map_group_norm(nn__onnx_node *n) {
    const nn__onnx_tensor *scale = nn__onnx_known(n, 1), *bias = nn__onnx_known(n, 2);
    const int groups = (int)nn__onnx_int(n, "num_groups", 1);
    const nn_shape shape = nn__onnx_shape(n, 0);
    const uint64_t channels = shape.rank > 1 ? (uint64_t)shape.extent[1] : 0;
    const bool layer = scale && bias && scale->count == channels && bias->count == channels;
    nn_group_norm_desc desc;
    bool shared;
    nn_node *y;
    const char *name = nn__onnx_layer(n, layer ? 1 : -1, layer ? 2 : -1, &shared);
    memset(&desc, 0, sizeof desc);
    desc.num_groups = groups;
    desc.epsilon = nn__onnx_epsilon(nn__onnx_float(n, "epsilon", 1e-5));
    desc.no_affine = !layer;
    desc.shared = shared;
    y = nn_group_norm_at(n->site, n->net, name, nn__onnx_x(n, 0), &desc);
    if (layer && !shared) {
        nn__onnx_load(n, name, "weight", scale, NULL);
        nn__onnx_load(n, name, "bias", bias, NULL);
    }
    if (!layer)
        y = nn__onnx_affine(
            n, y,
            nn__onnx_of_groups(n, nn__onnx_trained(n, 1, name, "weight"), groups, (int)channels),
            nn__onnx_of_groups(n, nn__onnx_trained(n, 2, name, "bias"), groups, (int)channels));
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* ---- LayerNormalization, RMSNormalization ---------------------------------------------------- */

/* True if a known operand has a number for each element that is normalized together. */
static bool nn__onnx_covers(const nn__onnx_node *n, int i, const nn_shape *inner) {
    const nn__onnx_tensor *known = nn__onnx_known(n, i);
    return known && (int64_t)known->count == nn_shape_count(*inner) && known->rank <= inner->rank;
}

static nn_node *nn__onnx_norm_layer(nn__onnx_node *n, const char *name, const nn_shape *inner,
                                    bool rms, bool scale, bool bias, bool shared) {
    const float epsilon = nn__onnx_epsilon(nn__onnx_float(n, "epsilon", 1e-5));
    nn_layer_norm_desc layer;
    nn_rms_norm_desc square;
    memset(&layer, 0, sizeof layer);
    memset(&square, 0, sizeof square);
    layer.normalized_shape = square.normalized_shape = *inner;
    layer.epsilon = square.epsilon = epsilon;
    layer.no_affine = square.no_affine = !scale;
    layer.no_bias = !bias;
    layer.shared = square.shared = shared;
    return rms ? nn_rms_norm_at(n->site, n->net, name, nn__onnx_x(n, 0), &square)
               : nn_layer_norm_at(n->site, n->net, name, nn__onnx_x(n, 0), &layer);
}

/* Gives results 1 and 2: the mean and 1 / deviation, with extents of 1 where they were taken. */
static void nn__onnx_give_statistics(nn__onnx_node *n, nn_node *y, int axis) {
    nn_shape shape = nn__onnx_shape(n, 0);
    for (int i = axis; i < shape.rank; i++) shape.extent[i] = 1;
    for (int k = 1; k < 3; k++)
        if (nn__onnx_wants(n, k))
            nn__onnx_give(n, k, nn__onnx_reshaped(n, nn_output_at(n->site, y, k), shape),
                          NN__ONNX_FLOAT);
}

static void nn__onnx_map_layer_norm(nn__onnx_node *n) {
    const bool rms = strcmp(n->op->type, "RMSNormalization") == 0;
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int axis = nn__onnx_axis(n, -1, shape.rank);
    bool scale, bias, shared;
    const char *name;
    nn_shape inner;
    nn_node *y;
    if (axis < 0) return;
    memset(&inner, 0, sizeof inner);
    for (int i = axis; i < shape.rank; i++) inner.extent[inner.rank++] = shape.extent[i];
    scale = nn__onnx_covers(n, 1, &inner);
    bias = scale && nn__onnx_covers(n, 2, &inner);
    name = nn__onnx_layer(n, scale ? 1 : -1, bias ? 2 : -1, &shared);
    y = nn__onnx_norm_layer(n, name, &inner, rms, scale, bias, shared);
    if (scale && !shared) nn__onnx_load(n, name, "weight", nn__onnx_known(n, 1), &inner);
    if (bias && !shared) nn__onnx_load(n, name, "bias", nn__onnx_known(n, 2), &inner);
    if (!rms && (nn__onnx_wants(n, 1) || nn__onnx_wants(n, 2)))
        nn__onnx_give_statistics(n, y, axis);
    if (!scale) y = nn_multiply_at(n->site, n->net, y, nn__onnx_trained(n, 1, name, "weight"));
    if (!bias && nn__onnx_has(n, 2))
        y = nn_add_at(n->site, n->net, y, nn__onnx_trained(n, 2, name, "bias"));
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* ---- the others ------------------------------------------------------------------------------ */

/* With an even size, the longer half of the channels comes before the place in PyTorch and nn.h,
   and after it in ONNX. So the channels are reversed. */
static void nn__onnx_map_lrn(nn__onnx_node *n) {
    const int size = (int)nn__onnx_int(n, "size", 0);
    const bool even = size % 2 == 0;
    nn_local_response_norm_desc desc;
    nn_node *x = nn__onnx_x(n, 0);
    memset(&desc, 0, sizeof desc);
    desc.size = size;
    desc.alpha = nn__onnx_epsilon(nn__onnx_float(n, "alpha", 1e-4));
    desc.beta = nn__onnx_epsilon(nn__onnx_float(n, "beta", 0.75));
    desc.k = nn__onnx_epsilon(nn__onnx_float(n, "bias", 1));
    if (even) x = nn_flip_at(n->site, n->net, x, nn__onnx_one_axis(1));
    x = nn_local_response_norm_at(n->site, n->net, x, &desc);
    if (even) x = nn_flip_at(n->site, n->net, x, nn__onnx_one_axis(1));
    nn__onnx_give(n, 0, x, nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_norm(void) {
    static const nn__onnx_operator lines[] = {
        {"", "BatchNormalization", 7, 0, nn__onnx_map_batch_norm, NULL},
        {"", "InstanceNormalization", 6, 0, nn__onnx_map_instance_norm, NULL},
        {"", "GroupNormalization", 18, 0, nn__onnx_map_group_norm, NULL},
        {"", "LayerNormalization", 17, 0, nn__onnx_map_layer_norm, NULL},
        {"", "RMSNormalization", 23, 0, nn__onnx_map_layer_norm, NULL},
        {"", "LRN", 1, 0, nn__onnx_map_lrn, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
