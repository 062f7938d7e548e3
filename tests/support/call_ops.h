/* call_ops.h: a table of the operations, each of which can be called as a builder and, if there is
   one, as an immediate call, with the same operands and numbers, right or wrong.
   test_random_shapes.c compares the two; test_random_calls.c uses the table too.

   A new operation needs one entry in call_ops; a line of ops/table.txt needs nothing. `prepare`
   draws operands and numbers that are (nearly always) valid, and call_spoil then breaks something.
   Shapes have free extents, which call_resolve replaces by numbers. */
#ifndef NN_CALL_OPS_H
#define NN_CALL_OPS_H

#include "nn_more.h"
#include "nn_sequence.h"
#include "functions.h"
#include "inside.h"
#include "lists.h"

#include <stdlib.h>
#include <string.h>

enum { CALL_BATCH = 3, CALL_TIME = 2, CALL_INPUTS = 4 };

typedef struct call_case call_case;
typedef struct call_op {
    const char *name; /* NULL: every line of the table */
    void (*prepare)(call_case *c);
    nn_node *(*build)(nn_model *net, const call_case *c, nn_node *const *x);
    nn_result (*call)(nn_tensor *y, const call_case *c, nn_tensor *const *x); /* NULL: none */
    int variant;
    bool layer; /* the builder makes every input except the first */
} call_op;

struct call_case {
    uint64_t seed, counter;
    const call_op *op;
    const nn__line *line;
    nn_shape shape[CALL_INPUTS];
    nn_dtype dtype[CALL_INPUTS];
    int count;
    int p[8]; /* numbers, in the operation's order */
    float f;
};

/* a * b, where b is a number of groups or a mistake, and both may have been spoiled. */
static int call_times(int a, int b) {
    const int64_t product = (int64_t)a * (b > 0 ? b : 1);
    return product > INT32_MAX || product < INT32_MIN ? INT32_MAX : (int)product;
}

static int call_draw(call_case *c, int below) {
    uint32_t words[4];
    nn_random_words(c->seed, 17, c->counter++, words);
    return (int)(words[0] % (uint32_t)below);
}

/* ---- operands that fit ----------------------------------------------------------------------- */

static nn_shape call_shape(call_case *c, int least) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = least + call_draw(c, 5 - least);
    for (int i = 0; i < shape.rank; i++) shape.extent[i] = 1 + call_draw(c, 4);
    if (shape.rank && call_draw(c, 2)) shape.extent[0] = NN_BATCH;
    if (shape.rank > 1 && call_draw(c, 4) == 0) shape.extent[1] = NN_TIME;
    return shape;
}
/* One operand of any rank. p[0]: one of its axes, which may be negative; p[7]: its rank. */
static void call_one(call_case *c, int least) {
    c->count = 1;
    c->shape[0] = call_shape(c, least);
    c->p[7] = c->shape[0].rank;
    if (c->p[7]) c->p[0] = call_draw(c, 2 * c->p[7]) - c->p[7];
}
static int call_axis(const call_case *c) { return c->p[0] < 0 ? c->p[0] + c->p[7] : c->p[0]; }
static void call_prepare_one(call_case *c) { call_one(c, 0); }
static void call_prepare_axis(call_case *c) {
    call_one(c, 1);
    c->p[1] = call_draw(c, 9) - 4;
}
/* Two or three operands; the later ones broadcast to the first. */
static void call_broadcast(call_case *c, int count) {
    call_one(c, 0);
    c->count = count;
    for (int k = 1; k < count; k++) {
        nn_shape x = c->shape[0];
        int drop = call_draw(c, 3) ? 0 : call_draw(c, x.rank + 1);
        for (int i = 0; i + drop < x.rank; i++)
            x.extent[i] = call_draw(c, 4) ? x.extent[i + drop] : 1;
        x.rank -= drop;
        c->shape[k] = x;
    }
}
static void call_prepare_two(call_case *c) { call_broadcast(c, 2); }
static void call_prepare_three(call_case *c) { call_broadcast(c, 3); }

/* ---- element-wise ---------------------------------------------------------------------------- */

static nn_node *call_build_clone(nn_model *net, const call_case *c, nn_node *const *x) {
    (void)c;
    return nn_clone(net, x[0]);
}
static nn_result call_call_clone(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    (void)c;
    return nn_copy(y, x[0]);
}
static nn_node *call_build_function(nn_model *net, const call_case *c, nn_node *const *x) {
    return function_node(net, (function)c->op->variant, x[0], x[1], 0.5f);
}
static nn_result call_call_function(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return function_forward(y, (function)c->op->variant, x[0], x[1], 0.5f);
}

static const float call_numbers[NN_PROGRAM_SCALARS] = {0.25f, 0.75f};
static void call_prepare_line(call_case *c) {
    int lines = 0;
    while (nn__find_line(lines)) lines++;
    c->line = nn__find_line(call_draw(c, lines));
    call_broadcast(c, c->line->program.input_count);
}
static nn_node *call_build_line(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn__op_line_node(NN_HERE, net, c->line, x, call_numbers);
}
static nn_result call_call_line(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return nn__op_line_forward(NN_HERE, c->line, y, (const nn_tensor *const *)x, call_numbers);
}

static const char *const call_texts[] = {"a, b, c: a * sigmoid(b) + c", "a, b, c: a > b ? a : c",
                                         "a, b, c: (a + c) / (1 + b^2)"};
static nn_node *call_build_text(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_expression(net, call_texts[c->op->variant], x[0], x[1], x[2]);
}
static nn_result call_call_text(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return nn_expression_forward(y, call_texts[c->op->variant], x[0], x[1], x[2]);
}

static const nn_dtype call_casts[] = {NN_F32, NN_F16, NN_BF16, NN_I32, NN_I8, NN_U8, NN_BOOL};
static void call_prepare_cast(call_case *c) {
    call_one(c, 0);
    c->dtype[0] = call_casts[call_draw(c, 7)];
    c->p[0] = (int)call_casts[call_draw(c, 7)];
}
static nn_node *call_build_cast(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_cast(net, x[0], (nn_dtype)c->p[0]);
}
static nn_result call_call_cast(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    (void)c;
    return nn_cast_forward(y, x[0]);
}

/* ---- over axes ------------------------------------------------------------------------------- */

static nn_node *call_build_softmax(nn_model *net, const call_case *c, nn_node *const *x) {
    return c->op->variant ? nn_log_softmax(net, x[0]) : nn_softmax(net, x[0]);
}
static nn_result call_call_softmax(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return nn_softmax_forward(y, x[0], c->op->variant != 0);
}
static nn_node *call_build_cumsum(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_cumsum(net, x[0], c->p[0]);
}
static nn_result call_call_cumsum(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return nn_cumsum_forward(y, x[0], c->p[0], c->p[1] > 0);
}

/* p[2]: number of axes; p[0], p[3] ...: the axes */
static nn_axes call_axes(const call_case *c) {
    nn_axes axes;
    memset(&axes, 0, sizeof axes);
    axes.count = c->p[2];
    axes.axis[0] = c->p[0];
    for (int i = 1; i < 5; i++) axes.axis[i] = c->p[i + 2];
    return axes;
}
static void call_prepare_axes(call_case *c) {
    int axis;
    call_one(c, 1);
    axis = call_axis(c);
    c->p[1] = call_draw(c, 2);
    c->p[2] = call_draw(c, c->p[7] < 4 ? c->p[7] + 1 : 4);
    for (int i = 1; i < 4; i++) c->p[i + 2] = (axis + i) % c->p[7];
}
static nn_node *call_build_reduce(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_reduction op = (nn_reduction)c->op->variant;
    if (op == NN_VAR) return nn_variance_at(NN_HERE, net, op, x[0], call_axes(c), true, c->p[1]);
    return nn_reduce(net, op, x[0], call_axes(c), true);
}
static nn_result call_call_reduce(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_reduction op = (nn_reduction)c->op->variant;
    if (op == NN_VAR) return nn_variance_forward_at(NN_HERE, y, op, x[0], call_axes(c), c->p[1]);
    return nn_reduce_forward(y, op, x[0], call_axes(c));
}

/* ---- the same elements in other places ------------------------------------------------------- */

static void call_any_dtype(call_case *c) {
    c->dtype[0] = call_casts[call_draw(c, 7)];
    for (int k = 1; k < c->count; k++) c->dtype[k] = c->dtype[0];
}
static void call_prepare_permute(call_case *c) {
    call_one(c, 1);
    call_any_dtype(c);
    /* p has room for this number of axes */
    c->shape[0].rank = c->p[2] = c->p[7] = call_draw(c, 3) + 1;
    c->p[0] = call_draw(c, c->p[7]);
    for (int i = 1; i < c->p[7]; i++) c->p[i + 2] = (c->p[0] + i) % c->p[7] - c->p[7];
}
static nn_node *call_build_permute(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_permute(net, x[0], call_axes(c));
}
static nn_result call_call_permute(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return nn_permute_forward(y, x[0], call_axes(c));
}

static void call_prepare_flip(call_case *c) {
    call_prepare_axes(c);
    call_any_dtype(c);
}
static nn_node *call_build_flip(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_flip(net, x[0], call_axes(c));
}
static nn_result call_call_flip(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return nn_flip_forward(y, x[0], call_axes(c));
}

static void call_prepare_slice(call_case *c) {
    call_one(c, 1);
    call_any_dtype(c);
    if (c->shape[0].extent[call_axis(c)] < 0) return; /* the whole axis */
    c->p[1] = call_draw(c, c->shape[0].extent[call_axis(c)]);
    c->p[2] = call_draw(c, 3) ? 0 : c->p[1] + 1 + call_draw(c, 3);
    c->p[3] = call_draw(c, 3);
}
static nn_slice_desc call_slice(const call_case *c) {
    nn_slice_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.axis = c->p[0], desc.start = c->p[1], desc.stop = c->p[2], desc.step = c->p[3];
    return desc;
}
static nn_node *call_build_slice(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_slice_desc desc = call_slice(c);
    return nn_slice(net, x[0], &desc);
}
static nn_result call_call_slice(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_slice_desc desc = call_slice(c);
    return nn_slice_forward(y, x[0], &desc);
}

static void call_prepare_pad(call_case *c) {
    call_one(c, 0);
    call_any_dtype(c);
    if (c->p[7] > 0 && c->shape[0].extent[c->p[7] - 1] > 0)
        c->p[1] = call_draw(c, 3), c->p[2] = call_draw(c, 4) - 1;
    if (c->p[7] > 1 && c->shape[0].extent[c->p[7] - 2] > 0) c->p[3] = call_draw(c, 3);
    c->f = call_draw(c, 3) ? 0.0f : 1.0f;
}
static nn_pad_desc call_pad(const call_case *c) {
    nn_pad_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.left = c->p[1], desc.right = c->p[2], desc.top = c->p[3], desc.bottom = c->p[4];
    desc.value = c->f;
    return desc;
}
static nn_node *call_build_pad(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_pad_desc desc = call_pad(c);
    return nn_pad(net, x[0], &desc);
}
static nn_result call_call_pad(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_pad_desc desc = call_pad(c);
    return nn_pad_forward(y, x[0], &desc);
}

static void call_prepare_roll(call_case *c) {
    call_prepare_axis(c);
    call_any_dtype(c);
}
static nn_node *call_build_roll(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_roll(net, x[0], c->p[1], c->p[0]);
}
static nn_result call_call_roll(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return nn_roll_forward(y, x[0], c->p[1], c->p[0]);
}

static void call_prepare_concat(call_case *c) {
    call_one(c, 1);
    c->count = 2 + call_draw(c, 2);
    call_any_dtype(c);
    for (int k = 1; k < c->count; k++) {
        c->shape[k] = c->shape[0];
        if (c->shape[0].extent[call_axis(c)] > 0)
            c->shape[k].extent[call_axis(c)] = 1 + call_draw(c, 4);
    }
}
static nn_node *call_build_concat(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_nodes nodes;
    nodes.node = x, nodes.count = c->count;
    return nn_concat(net, nodes, c->p[0]);
}
static nn_result call_call_concat(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return nn_concat_forward(y, (const nn_tensor *const *)x, c->count, c->p[0]);
}

/* ---- layers and products --------------------------------------------------------------------- */

/* variant 1: linear_transposed, which is only a builder. p[0]: out_features, p[1]: in_features. A
   builder takes both; a call has the weight instead. */
static void call_prepare_linear(call_case *c) {
    call_one(c, 1);
    int *in = &c->shape[0].extent[c->p[7] - 1];
    if (*in < 0) *in = 2;
    c->count = 2 + call_draw(c, 2);
    c->p[0] = 1 + call_draw(c, 4);
    c->p[1] = *in;
    c->shape[1] = c->op->variant ? NN_SHAPE(c->p[1], c->p[0]) : NN_SHAPE(c->p[0], c->p[1]);
    c->shape[2] = NN_SHAPE(c->p[0]);
}
static nn_node *call_build_linear(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = c->shape[1].extent[c->op->variant];
    desc.in_features = c->shape[1].extent[!c->op->variant];
    desc.no_bias = c->count < 3;
    if (c->op->variant) return nn_linear_transposed(net, "layer", x[0], &desc);
    return nn_linear(net, "layer", x[0], &desc);
}
static nn_result call_call_linear(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return nn_linear_forward(y, x[0], x[1], c->count > 2 ? x[2] : NULL);
}

/* variant 0: layer_norm, 1: rms_norm; over the last axis. */
static void call_prepare_layer_norm(call_case *c) {
    call_one(c, 1);
    int *last = &c->shape[0].extent[c->p[7] - 1];
    if (*last < 0) *last = 3;
    c->count = c->op->variant ? 2 : 3;
    c->shape[1] = c->shape[2] = NN_SHAPE(*last);
}
static nn_node *call_build_layer_norm(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_rms_norm_desc rms;
    nn_layer_norm_desc layer;
    memset(&rms, 0, sizeof rms);
    memset(&layer, 0, sizeof layer);
    rms.normalized_shape = layer.normalized_shape = c->shape[1];
    return c->op->variant ? nn_rms_norm(net, "layer", x[0], &rms)
                          : nn_layer_norm(net, "layer", x[0], &layer);
}
static nn_result call_call_layer_norm(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    if (c->op->variant) return nn_rms_norm_forward(y, NULL, x[0], x[1], NULL);
    return nn_layer_norm_forward(y, NULL, NULL, x[0], x[1], x[2], NULL);
}

/* variant 1: one slope for each channel */
static void call_prepare_prelu(call_case *c) {
    call_one(c, c->op->variant ? 2 : 0);
    int *channels = &c->shape[0].extent[1];
    if (c->op->variant && *channels < 2) *channels = 3;
    c->count = 2;
    c->shape[1] = NN_SHAPE(c->op->variant ? *channels : 1);
}
static nn_node *call_build_prelu(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_prelu_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.num_parameters = c->shape[1].extent[0];
    return nn_prelu(net, "layer", x[0], c->op->variant ? &desc : NULL);
}

/* variant 0: group_norm with p[0] groups, 1: batch_norm with the statistics of x; (N, C, L). */
static void call_prepare_group_norm(call_case *c) {
    const int n = call_draw(c, 2) ? NN_BATCH : 2 + call_draw(c, 3);
    c->count = 3;
    c->p[0] = 1 + call_draw(c, 2);
    c->shape[0] = NN_SHAPE(n, 2 * (1 + call_draw(c, 3)), 1 + call_draw(c, 4));
    for (int i = call_draw(c, 3); i > 0; i--)
        c->shape[0].extent[c->shape[0].rank++] = 1 + call_draw(c, 3);
    c->shape[1] = c->shape[2] = NN_SHAPE(c->shape[0].extent[1]);
}
static nn_node *call_build_group_norm(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_group_norm_desc group;
    nn_batch_norm_desc batch;
    memset(&group, 0, sizeof group);
    memset(&batch, 0, sizeof batch);
    group.num_groups = c->p[0];
    batch.no_running_stats = true;
    batch.num_features = group.num_channels = c->shape[1].extent[0];
    return !c->op->variant          ? nn_group_norm(net, "layer", x[0], &group)
           : c->shape[0].rank == 4 ? nn_batch_norm2d(net, "layer", x[0], &batch)
           : c->shape[0].rank == 5 ? nn_batch_norm3d(net, "layer", x[0], &batch)
                                    : nn_batch_norm1d(net, "layer", x[0], &batch);
}
static nn_result call_call_group_norm(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_group_norm_desc group;
    memset(&group, 0, sizeof group);
    group.num_groups = c->p[0];
    group.num_channels = c->shape[1].extent[0];
    if (c->op->variant)
        return nn_batch_norm_forward(y, NULL, NULL, NULL, x[0], x[1], x[2], NULL, NULL, 0.0f);
    return nn_group_norm_forward(y, NULL, NULL, x[0], x[1], x[2], &group);
}

/* p[0], p[1]: a, b are transposed. Vectors, matrices, and batches of them that broadcast. */
static void call_prepare_matmul(call_case *c) {
    const int k = 1 + call_draw(c, 4), m = call_draw(c, 2) ? NN_BATCH : 1 + call_draw(c, 4),
              n = 1 + call_draw(c, 4);
    c->p[0] = call_draw(c, 2), c->p[1] = call_draw(c, 2);
    c->count = 2;
    c->shape[0] = c->p[0] ? NN_SHAPE(k, m) : NN_SHAPE(m, k);
    c->shape[1] = c->p[1] ? NN_SHAPE(n, k) : NN_SHAPE(k, n);
    for (int i = 0; i < 2; i++) {
        nn_shape *x = &c->shape[i];
        if (call_draw(c, 4) == 0 && !c->p[i]) {
            *x = NN_SHAPE(k);
        } else if (call_draw(c, 3) == 0) {
            x->extent[2] = x->extent[1], x->extent[1] = x->extent[0];
            x->extent[0] = i || m > 0 ? 2 : 1;
            x->rank = 3;
        }
    }
}
static nn_matmul_desc call_matmul(const call_case *c) {
    nn_matmul_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.transpose_a = c->p[0] > 0, desc.transpose_b = c->p[1] > 0;
    return desc;
}
static nn_node *call_build_matmul(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_matmul_desc desc = call_matmul(c);
    return nn_matmul(net, x[0], x[1], &desc);
}
static nn_result call_call_matmul(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_matmul_desc desc = call_matmul(c);
    return nn_matmul_forward(y, x[0], x[1], &desc);
}

/* Indices are all 0. */
static void call_prepare_embedding(call_case *c) {
    call_one(c, 0);
    if (c->shape[0].rank == 4) c->shape[0].rank--;
    c->count = 2;
    c->dtype[0] = NN_I32;
    c->shape[1] = NN_SHAPE(1 + call_draw(c, 4), 1 + call_draw(c, 4));
}
static nn_node *call_build_embedding(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_embedding_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.num_embeddings = c->shape[1].extent[0], desc.embedding_dim = c->shape[1].extent[1];
    return nn_embedding(net, "layer", x[0], &desc);
}
static nn_result call_call_embedding(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    (void)c;
    return nn_embedding_forward(y, x[0], x[1]);
}
static void call_prepare_bag(call_case *c) {
    call_prepare_embedding(c);
    c->shape[0] = NN_SHAPE(call_draw(c, 2) ? NN_BATCH : 2, 1 + call_draw(c, 4));
    c->p[0] = call_draw(c, 2);
    c->p[1] = call_draw(c, 2);
}
static nn_node *call_build_bag(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_embedding_bag_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.num_embeddings = c->shape[1].extent[0], desc.embedding_dim = c->shape[1].extent[1];
    desc.mode = c->p[0] ? NN_SUM : NN_MEAN;
    desc.padding = c->p[1] != 0;
    return nn_embedding_bag(net, "layer", x[0], &desc);
}
static void call_prepare_index_select(call_case *c) {
    call_one(c, 1);
    c->count = 2;
    c->dtype[1] = NN_I32;
    c->shape[1] = NN_SHAPE(call_draw(c, 3) ? 1 + call_draw(c, 4) : NN_BATCH);
    if (c->shape[1].extent[0] < 0 && call_axis(c) != 0) c->shape[1].extent[0] = 2;
}
static nn_node *call_build_index_select(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_index_select(net, x[0], c->p[0], x[1]);
}
static nn_result call_call_index_select(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return nn_index_select_forward(y, x[0], c->p[0], x[1]);
}

/* The index and a source of its shape have any length along the axis; in later axes they may be
   shorter than x. variant 0: gather, 1: scatter_value, 2: scatter_add, 3: scatter, 4:
   scatter_reduce by call_scatter_reduction. */
static void call_prepare_elements(call_case *c) {
    const bool any = c->op->variant == 0;
    call_one(c, 1);
    c->count = c->op->variant > 1 ? 3 : 2;
    if (any) c->dtype[0] = call_casts[call_draw(c, 7)];
    c->dtype[1] = NN_I32;
    nn_shape *index = &c->shape[1];
    *index = c->shape[0];
    for (int i = 0; i < index->rank; i++)
        if (i == call_axis(c)) index->extent[i] = 1 + call_draw(c, 5);
        else if (index->extent[i] > 1 && call_draw(c, 3) == 0) index->extent[i]--;
    c->shape[2] = *index;
}
static nn_reduction call_scatter_reduction(const call_case *c) {
    return c->f < -0.5f ? NN_PROD : c->f < 0.0f ? NN_MIN : c->f < 0.5f ? NN_MAX : NN_SUM;
}
static nn_node *call_build_elements(nn_model *net, const call_case *c, nn_node *const *x) {
    switch (c->op->variant) {
    case 0: return nn_gather(net, x[0], c->p[0], x[1]);
    case 1: return nn_scatter_value(net, x[0], c->p[0], x[1], c->f);
    case 2: return nn_scatter_add(net, x[0], c->p[0], x[1], x[2]);
    case 3: return nn_scatter(net, x[0], c->p[0], x[1], x[2]);
    default: return nn_scatter_reduce(net, x[0], c->p[0], x[1], x[2], call_scatter_reduction(c));
    }
}
/* Returns the first elements of src (freed if `own`) along an axis; NULL: no memory. */
static nn_tensor *call_cut(nn_tensor *src, bool own, int axis, int extent) {
    nn_tensor_desc desc;
    nn_slice_desc slice;
    memset(&desc, 0, sizeof desc);
    memset(&slice, 0, sizeof slice);
    desc.shape = nn_tensor_shape(src);
    desc.shape.extent[axis] = slice.stop = extent;
    slice.axis = axis;
    nn_tensor *cut = nn_make_tensor(src->nn, &desc);
    if (cut && nn_slice_forward(cut, src, &slice) != NN_OK) nn_free_tensor(cut), cut = NULL;
    if (own) nn_free_tensor(src);
    return cut;
}
/* The builder cuts a source that is longer than the index; immediate calls need a source that is
   cut. */
static nn_result call_call_scatter(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    const nn_shape index = nn_tensor_shape(x[1]), whole = nn_tensor_shape(x[2]);
    nn_tensor *src = x[2];
    nn_result result;
    if (x[1] && x[2] && nn_tensor_dtype(src) == NN_F32 && whole.rank == index.rank)
        for (int i = 0; i < index.rank && src; i++)
            if (whole.extent[i] > index.extent[i])
                src = call_cut(src, src != x[2], i, index.extent[i]);
    if (x[2] && !src) return NN_ERROR_MEMORY;
    result = c->op->variant == 2   ? nn_scatter_add_forward(y, x[0], c->p[0], x[1], src)
             : c->op->variant == 3 ? nn_scatter_forward(y, x[0], c->p[0], x[1], src)
                                   : nn_scatter_reduce_forward(y, x[0], c->p[0], x[1], src,
                                                               call_scatter_reduction(c));
    if (src != x[2]) nn_free_tensor(src);
    return result;
}
static nn_result call_call_elements(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    if (c->op->variant > 1) return call_call_scatter(y, c, x);
    return c->op->variant ? nn_scatter_value_forward(y, x[0], c->p[0], x[1], c->f)
                          : nn_gather_forward(y, x[0], c->p[0], x[1]);
}
/* p[0]: number of classes. */
static void call_prepare_one_hot(call_case *c) {
    call_one(c, 0);
    c->dtype[0] = NN_I32;
    c->p[0] = 1 + call_draw(c, 4);
}
static nn_node *call_build_one_hot(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_one_hot(net, x[0], c->p[0]);
}
static nn_result call_call_one_hot(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    return nn_one_hot_forward(y, x[0], c->p[0]);
}

/* variant 0: sort, 1: argsort, 2: top_k, 3: kthvalue, 4: median. p[1]: k, or descending */
static void call_prepare_sort(call_case *c) {
    call_one(c, 1);
    const int at = call_axis(c);
    if (c->op->variant > 1 && c->shape[0].extent[at] < 1) c->shape[0].extent[at] = 3;
    c->p[1] = 1 + call_draw(c, c->shape[0].extent[at] < 1 ? 2 : c->shape[0].extent[at]);
}
static nn_node *call_build_sort(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_sort_desc sort = {c->p[1] > 1};
    nn_top_k_desc top = {c->p[1] > 1};
    switch (c->op->variant) {
    case 0: return nn_sort(net, x[0], c->p[0], &sort);
    case 1: return nn_argsort(net, x[0], c->p[0], &sort);
    case 2: return nn_top_k(net, x[0], c->p[1], c->p[0], &top);
    case 3: return nn_kthvalue(net, x[0], c->p[1], c->p[0]);
    default: return nn_median(net, x[0], c->p[0]);
    }
}
static nn_result call_call_sort(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_sort_desc sort = {c->p[1] > 1};
    nn_top_k_desc top = {c->p[1] > 1};
    return c->op->variant ? nn_top_k_forward(y, NULL, x[0], c->p[1], c->p[0], &top)
                          : nn_sort_forward(y, NULL, x[0], c->p[0], &sort);
}

/* variant 0: pairwise_distance, 1: cdist. f: p; p[1]: keep_axes */
static void call_prepare_distance(call_case *c) {
    call_broadcast(c, 2);
    if (c->op->variant) c->shape[1] = c->shape[0];
    if (c->op->variant && c->shape[0].rank > 1)
        c->shape[1].extent[c->shape[0].rank - 2] = 1 + call_draw(c, 3);
    c->p[1] = call_draw(c, 2);
    c->f = (float)(1 + call_draw(c, 3));
}
static nn_node *call_build_distance(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_pairwise_distance_desc desc = {c->f, 0, c->p[1] > 0};
    return c->op->variant ? nn_cdist(net, x[0], x[1], c->f)
                          : nn_pairwise_distance(net, x[0], x[1], &desc);
}

/* variant 0: cumprod, 1: logcumsumexp, 2: cummax, 3: cummin */
static nn_node *call_build_running(nn_model *net, const call_case *c, nn_node *const *x) {
    switch (c->op->variant) {
    case 0: return nn_cumprod(net, x[0], c->p[0]);
    case 1: return nn_logcumsumexp(net, x[0], c->p[0]);
    case 2: return nn_cummax(net, x[0], c->p[0]);
    default: return nn_cummin(net, x[0], c->p[0]);
    }
}
static nn_result call_call_running(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    switch (c->op->variant) {
    case 0: return nn_cumprod_forward(y, x[0], c->p[0]);
    case 1: return nn_logcumsumexp_forward(y, x[0], c->p[0]);
    case 2: return nn_cummax_forward(y, NULL, x[0], c->p[0]);
    default: return nn_cummin_forward(y, NULL, x[0], c->p[0]);
    }
}

/* variant 0: diff, 1: tril, 2: triu, 3: split, 4: outer. p[1]: the diagonal, or the first part */
static void call_prepare_matrix(call_case *c) {
    if (c->op->variant == 4) {
        c->count = 2;
        c->shape[0] = NN_SHAPE(call_draw(c, 2) ? NN_BATCH : 1 + call_draw(c, 4));
        c->shape[1] = NN_SHAPE(1 + call_draw(c, 4));
        return;
    }
    call_one(c, c->op->variant == 0 || c->op->variant == 3 ? 1 : 2);
    if (c->op->variant == 1 || c->op->variant == 2) {
        c->p[1] = call_draw(c, 5) - 2;
        return;
    }
    int32_t *extent = &c->shape[0].extent[call_axis(c)];
    *extent = 2 + call_draw(c, 3);
    c->p[1] = 1 + call_draw(c, *extent - 1);
}
static nn_node *call_build_matrix(nn_model *net, const call_case *c, nn_node *const *x) {
    const int axis = call_axis(c);
    nn_node *parts[2];
    int sizes[2];
    switch (c->op->variant) {
    case 0: return nn_diff(net, x[0], c->p[0]);
    case 1: return nn_tril(net, x[0], c->p[1]);
    case 2: return nn_triu(net, x[0], c->p[1]);
    case 3:
        sizes[0] = c->p[1];
        sizes[1] = 1; /* the rest of the axis, unless a number was spoiled */
        if (axis >= 0 && axis < c->p[7] && c->p[7] <= NN_MAX_RANK)
            sizes[1] = (int)((int64_t)c->shape[0].extent[axis] - sizes[0]);
        return nn_split(net, x[0], parts, sizes, 2, c->p[0]);
    default: return nn_outer(net, x[0], x[1]);
    }
}

static nn_node *call_build_flatten(nn_model *net, const call_case *c, nn_node *const *x) {
    (void)c;
    return nn_flatten(net, x[0]);
}
static nn_node *call_build_detach(nn_model *net, const call_case *c, nn_node *const *x) {
    (void)c;
    return nn_detach(net, x[0]);
}
/* Joins the first two axes. */
static nn_node *call_build_reshape(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_shape shape = nn_node_shape(x[0]);
    (void)c;
    if (shape.rank > 1) {
        shape.extent[1] = nn_multiply_extents(shape.extent[0], shape.extent[1]);
        for (int i = 1; i < shape.rank; i++) shape.extent[i - 1] = shape.extent[i];
        shape.rank--;
    }
    return nn_reshape(net, x[0], shape);
}
static nn_node *call_build_normalize(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_normalize(net, x[0], c->p[0]);
}
/* variant 0: channel_shuffle, 1: pixel_shuffle, 2: pixel_unshuffle; p[1]: the factor */
static void call_prepare_shuffle(call_case *c) {
    const int by = c->p[1] = 1 + call_draw(c, 2), undo = c->op->variant == 2;
    nn_shape *x = &c->shape[0];
    call_one(c, 3);
    for (int i = 1; i < x->rank; i++)
        if (x->extent[i] < 0) x->extent[i] = 3;
    if (c->op->variant == 0) x->extent[1] *= by;
    else if (!undo && x->extent[x->rank - 3] < 0) x->extent[0] = 1;
    if (c->op->variant == 1) x->extent[x->rank - 3] *= by * by;
    if (undo) x->extent[x->rank - 2] *= by, x->extent[x->rank - 1] *= by;
    call_any_dtype(c);
}
static nn_node *call_build_shuffle(nn_model *net, const call_case *c, nn_node *const *x) {
    return c->op->variant == 0   ? nn_channel_shuffle(net, x[0], c->p[1])
           : c->op->variant == 1 ? nn_pixel_shuffle(net, x[0], c->p[1])
                                 : nn_pixel_unshuffle(net, x[0], c->p[1]);
}
static void call_prepare_cosine(call_case *c) {
    call_one(c, 1);
    c->count = 2;
    c->shape[1] = c->shape[0];
}
static nn_node *call_build_cosine(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_cosine_similarity(net, x[0], x[1], c->p[0]);
}
static const char *const call_sums[] = {"bij,bjk->bik", "ij,kj->ik", "bi,bj->bij", "bji,bj->i"};
static void call_prepare_einsum(call_case *c) {
    const char *text = call_sums[c->p[1] = call_draw(c, 4)];
    int extent[128] = {0};
    c->count = 2;
    for (int k = 0; k < 2; k++, text++)
        for (; *text != ',' && *text != '-'; text++) {
            int *it = &extent[(int)*text];
            if (!*it) *it = *text == 'b' && call_draw(c, 2) ? NN_BATCH : 1 + call_draw(c, 4);
            c->shape[k].extent[c->shape[k].rank++] = call_draw(c, 8) ? *it : 1;
        }
}
static nn_node *call_build_einsum(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_nodes nodes;
    nodes.node = x, nodes.count = c->count;
    return nn_einsum(net, call_sums[c->p[1] & 3], nodes);
}

/* p: out_channels, kernel, kernel_w, stride, padding, dilation, groups, in_channels. Spoiled
   numbers only reach the desc: the weight keeps its prepared shape. */
static void call_prepare_conv2d(call_case *c) {
    int groups = 1 + call_draw(c, 2), *p = c->p;
    p[0] = groups * (1 + call_draw(c, 2)), p[1] = 1 + call_draw(c, 3), p[2] = 1 + call_draw(c, 3);
    p[3] = call_draw(c, 3), p[4] = call_draw(c, 2), p[5] = call_draw(c, 3), p[6] = groups;
    p[7] = groups * (1 + call_draw(c, 2));
    c->count = 2 + call_draw(c, 2);
    c->shape[0] = NN_SHAPE(NN_BATCH, p[7], 3 + call_draw(c, 3), 3 + call_draw(c, 3));
    c->shape[1] = NN_SHAPE(p[0], p[7] / groups, p[1], p[2]);
    c->shape[2] = NN_SHAPE(p[0]);
}
static nn_conv2d_desc call_conv2d(const call_case *c) {
    const int *p = c->p;
    nn_conv2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = c->shape[1].extent[0];
    desc.kernel = c->shape[1].extent[2], desc.kernel_w = c->shape[1].extent[3];
    desc.stride = p[3], desc.padding = p[4], desc.dilation = p[5], desc.groups = c->p[6];
    desc.in_channels = call_times(c->shape[1].extent[1], desc.groups);
    desc.no_bias = c->count < 3;
    return desc;
}
static nn_node *call_build_conv2d(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_conv2d_desc desc = call_conv2d(c);
    return nn_conv2d(net, "layer", x[0], &desc);
}
static nn_result call_call_conv2d(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_conv2d_desc desc = call_conv2d(c);
    return nn_conv2d_forward(y, x[0], x[1], c->count > 2 ? x[2] : NULL, &desc);
}

/* conv1d with asymmetric padding or `same`. p: kernel, stride, padding, padding_right, dilation,
   groups, same */
static void call_prepare_conv1d(call_case *c) {
    int groups = 1 + call_draw(c, 2), *p = c->p;
    p[0] = 1 + call_draw(c, 4), p[1] = call_draw(c, 3), p[2] = call_draw(c, 3);
    p[3] = call_draw(c, 4) - 1, p[4] = call_draw(c, 3), p[5] = groups;
    p[6] = call_draw(c, 3) == 0;
    if (p[6]) p[1] = p[2] = p[3] = 0;
    int in = groups * (1 + call_draw(c, 2)), out = groups * (1 + call_draw(c, 2));
    c->count = 2 + call_draw(c, 2);
    c->shape[0] = NN_SHAPE(NN_BATCH, in, p[6] && call_draw(c, 2) ? NN_TIME : 6 + call_draw(c, 3));
    c->shape[1] = NN_SHAPE(out, in / groups, p[0]);
    c->shape[2] = NN_SHAPE(out);
}
static nn_conv1d_desc call_conv1d(const call_case *c) {
    const int *p = c->p;
    nn_conv1d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = c->shape[1].extent[0], desc.kernel = c->shape[1].extent[2];
    desc.stride = p[1], desc.padding = p[2], desc.padding_right = p[3], desc.dilation = p[4];
    desc.groups = p[5], desc.same = p[6] > 0, desc.no_bias = c->count < 3;
    desc.in_channels = call_times(c->shape[1].extent[1], desc.groups);
    return desc;
}
static nn_node *call_build_conv1d(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_conv1d_desc desc = call_conv1d(c);
    return nn_conv1d(net, "layer", x[0], &desc);
}
static nn_result call_call_conv1d(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_conv1d_desc desc = call_conv1d(c);
    return nn_conv1d_forward(y, x[0], x[1], c->count > 2 ? x[2] : NULL, &desc);
}

/* variant 0: a convolution of a stream, 1: maximum, 2: average. p: kernel, stride, dilation,
   groups */
static void call_prepare_stream(call_case *c) {
    int groups = c->op->variant ? 1 : 1 + call_draw(c, 2), *p = c->p;
    p[1] = 1 + call_draw(c, 2), p[0] = p[1] + call_draw(c, 3);
    p[2] = c->op->variant == 2 ? 1 : 1 + call_draw(c, 3), p[3] = groups;
    c->count = 1;
    c->shape[0] = NN_SHAPE(NN_BATCH, groups * (1 + call_draw(c, 2)),
                           p[1] == 1 && call_draw(c, 2) ? NN_TIME : p[1] * (1 + call_draw(c, 4)));
}
static nn_node *call_build_stream(nn_model *net, const call_case *c, nn_node *const *x) {
    const int *p = c->p;
    nn_conv1d_desc line;
    nn_pool1d_desc pool;
    memset(&line, 0, sizeof line), memset(&pool, 0, sizeof pool);
    line.kernel = pool.kernel = p[0], line.stride = pool.stride = p[1];
    line.dilation = pool.dilation = p[2], line.groups = p[3], line.out_channels = 2 * p[3];
    line.streaming = pool.streaming = true;
    if (c->op->variant == 0) return nn_conv1d(net, "stream", x[0], &line);
    return c->op->variant == 1 ? nn_max_pool1d(net, x[0], &pool) : nn_avg_pool1d(net, x[0], &pool);
}

/* variant: number of spatial dimensions, 1 or 2. p: kernel, stride, padding, output_padding,
   dilation, groups */
static void call_prepare_transposed(call_case *c) {
    int groups = 1 + call_draw(c, 2), *p = c->p;
    p[0] = 1 + call_draw(c, 4), p[1] = call_draw(c, 4), p[2] = call_draw(c, 2);
    p[3] = call_draw(c, 2), p[4] = call_draw(c, 3), p[5] = groups;
    int in = groups * (1 + call_draw(c, 2)), out = 1 + call_draw(c, 2);
    c->count = 2 + call_draw(c, 2);
    c->shape[0] = NN_SHAPE(NN_BATCH, in, call_draw(c, 3) ? 2 + call_draw(c, 3) : NN_TIME);
    c->shape[1] = NN_SHAPE(in, out, p[0]);
    if (c->op->variant == 2) {
        c->shape[0].rank = c->shape[1].rank = 4;
        c->shape[0].extent[3] = 2 + call_draw(c, 3);
        c->shape[1].extent[3] = p[0];
    }
    c->shape[2] = NN_SHAPE(out * groups);
}
static nn_conv_transpose2d_desc call_transposed(const call_case *c) {
    const int *p = c->p;
    nn_conv_transpose2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.groups = p[5];
    /* the builder gets these numbers from the weight and the groups, as the call does, even if they
       were spoiled */
    desc.out_channels = call_times(c->shape[1].extent[1], p[5]);
    desc.in_channels = c->shape[1].extent[0];
    desc.kernel = c->shape[1].extent[2], desc.stride = p[1], desc.padding = p[2];
    desc.output_padding = p[3], desc.dilation = p[4], desc.no_bias = c->count < 3;
    return desc;
}
static nn_conv_transpose1d_desc call_transposed_line(const call_case *c) {
    const nn_conv_transpose2d_desc of = call_transposed(c);
    nn_conv_transpose1d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.groups = of.groups, desc.out_channels = of.out_channels;
    desc.in_channels = of.in_channels, desc.kernel = of.kernel, desc.stride = of.stride;
    desc.padding = of.padding, desc.output_padding = of.output_padding;
    desc.dilation = of.dilation, desc.no_bias = of.no_bias;
    return desc;
}
static nn_node *call_build_transposed(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_conv_transpose2d_desc desc = call_transposed(c);
    nn_conv_transpose1d_desc line = call_transposed_line(c);
    return c->op->variant == 2 ? nn_conv_transpose2d(net, "layer", x[0], &desc)
                               : nn_conv_transpose1d(net, "layer", x[0], &line);
}
static nn_result call_call_transposed(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_conv_transpose2d_desc desc = call_transposed(c);
    nn_conv_transpose1d_desc line = call_transposed_line(c);
    /* with other groups, the builder's bias would differ from the prepared one */
    const bool fits = c->count > 2 && c->shape[2].extent[0] == desc.out_channels;
    const nn_tensor *bias = fits ? x[2] : NULL;
    return c->op->variant == 2 ? nn_conv_transpose2d_forward(y, x[0], x[1], bias, &desc)
                               : nn_conv_transpose1d_forward(y, x[0], x[1], bias, &line);
}

/* variant 1: average pools. p: kernel, kernel_w, stride, padding, ceil, dilation */
static void call_prepare_pool(call_case *c) {
    int *p = c->p;
    p[0] = 1 + call_draw(c, 3), p[1] = call_draw(c, 3), p[2] = call_draw(c, 3);
    p[3] = call_draw(c, 2) * (p[0] / 2), p[4] = call_draw(c, 2);
    p[5] = c->op->variant ? 0 : call_draw(c, 3);
    if (p[1] == 1) p[1] = 0;
    c->count = 1;
    c->shape[0] = NN_SHAPE(NN_BATCH, 1 + call_draw(c, 3), 3 + call_draw(c, 3), 3 + call_draw(c, 3));
}
static nn_pool2d_desc call_pool2d(const call_case *c) {
    nn_pool2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = c->p[0], desc.kernel_w = c->p[1], desc.stride = c->p[2], desc.padding = c->p[3];
    desc.ceil = c->p[4] > 0;
    desc.dilation = c->p[5];
    return desc;
}
/* p: the same as those of call_prepare_pool, for volumes */
static void call_prepare_pool3d(call_case *c) {
    call_prepare_pool(c);
    c->shape[0].extent[c->shape[0].rank++] = 3 + call_draw(c, 3);
}
static nn_node *call_build_pool3d(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_pool3d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = c->p[0], desc.kernel_h = c->p[1], desc.stride = c->p[2], desc.padding = c->p[3];
    desc.ceil = c->p[4] > 0;
    desc.dilation = c->p[5];
    return c->op->variant ? nn_avg_pool3d(net, x[0], &desc) : nn_max_pool3d(net, x[0], &desc);
}
static nn_node *call_build_pool(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_pool2d_desc desc = call_pool2d(c);
    return c->op->variant ? nn_avg_pool2d(net, x[0], &desc) : nn_max_pool2d(net, x[0], &desc);
}
static nn_result call_call_pool(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_pool2d_desc desc = call_pool2d(c);
    return c->op->variant ? nn_avg_pool2d_forward(y, x[0], &desc)
                          : nn_max_pool2d_forward(y, NULL, x[0], &desc);
}

static int call_reduction(call_case *c) {
    const int which = call_draw(c, 4);
    return which == 3 ? (int)NN_REDUCTION_NONE : which;
}
/* Losses over elements and over rows. p[0]: the reduction; f: the loss's own number. */
static void call_prepare_loss(call_case *c) {
    const int last = c->op->variant > 6;
    call_one(c, last);
    c->count = c->op->variant > 4 ? 3 : 2;
    for (int k = 1; k < c->count; k++) c->shape[k] = c->shape[0];
    if (c->op->variant == 7) c->shape[2].rank--; /* a target for each row */
    c->p[0] = call_reduction(c);
    c->f = 0.25f * (float)call_draw(c, 4);
}
static nn_node *call_build_loss(nn_model *net, const call_case *c, nn_node *const *x) {
    const nn_reduction reduction = (nn_reduction)c->p[0];
    nn_smooth_l1_desc smooth_l1 = {reduction, c->f};
    nn_kl_div_desc kl_div = {reduction, c->f > 0};
    nn_poisson_nll_desc poisson = {reduction, c->f > 0.3f, c->f > 0.6f, c->f};
    nn_gaussian_nll_desc gaussian = {reduction, c->f > 0.3f, c->f};
    nn_margin_ranking_desc ranking = {reduction, c->f};
    nn_cosine_embedding_desc cosine = {reduction, c->f};
    nn_triplet_margin_desc triplet = {reduction, 0, 1 + c->f, c->f, c->f > 0.6f};
    nn_bce_desc bce;
    memset(&bce, 0, sizeof bce);
    bce.reduction = reduction;
    switch (c->op->variant) {
    case 0: return nn_mse_loss(net, x[0], x[1], &(nn_mse_desc){.reduction = reduction});
    case 1: return nn_smooth_l1_loss(net, x[0], x[1], &smooth_l1);
    case 2: return nn_bce_loss(net, x[0], x[1], &bce);
    case 3: return nn_kl_div(net, x[0], x[1], &kl_div);
    case 4: return nn_poisson_nll_loss(net, x[0], x[1], &poisson);
    case 5: return nn_gaussian_nll_loss(net, x[0], x[1], x[2], &gaussian);
    case 6: return nn_margin_ranking_loss(net, x[0], x[1], x[2], &ranking);
    case 7: return nn_cosine_embedding_loss(net, x[0], x[1], x[2], &cosine);
    default: return nn_triplet_margin_loss(net, x[0], x[1], x[2], &triplet);
    }
}

/* p[0]: the reduction, p[1]: the blank. Targets and lengths are all 0. */
static void call_prepare_ctc(call_case *c) {
    const int n = call_draw(c, 2) ? NN_BATCH : 1 + call_draw(c, 3);
    c->count = 4;
    c->shape[0] = NN_SHAPE(call_draw(c, 2) ? NN_TIME : 1 + call_draw(c, 4), n, 2 + call_draw(c, 3));
    c->shape[1] = NN_SHAPE(n, 1 + call_draw(c, 3));
    c->shape[2] = c->shape[3] = NN_SHAPE(n);
    c->dtype[1] = c->dtype[2] = c->dtype[3] = NN_I32;
    c->p[0] = (int)NN_REDUCTION_NONE; /* the call has no other */
    c->p[1] = call_draw(c, 2);
}
/* variant 0: lstm, 1: gru, 2: rnn. p: hidden_size, layers, bidirectional, proj_size, no_bias,
   stateful; the second operand: lengths. */
static void call_prepare_recurrent(call_case *c) {
    const int n = call_draw(c, 2) ? NN_BATCH : 1 + call_draw(c, 3);
    int *p = c->p;
    c->count = 1 + call_draw(c, 2);
    c->shape[0] = NN_SHAPE(n, call_draw(c, 2) ? NN_TIME : 1 + call_draw(c, 3), 1 + call_draw(c, 3));
    c->shape[1] = NN_SHAPE(n);
    c->dtype[1] = NN_I32;
    p[0] = 2 + call_draw(c, 3), p[1] = call_draw(c, 3), p[2] = call_draw(c, 2);
    p[3] = call_draw(c, 3) == 0, p[4] = call_draw(c, 2);
    p[5] = p[2] == 0 && call_draw(c, 3) == 0;
}
static nn_node *call_build_recurrent(nn_model *net, const call_case *c, nn_node *const *x) {
    const int *p = c->p;
    nn_lstm_desc lstm;
    nn_gru_desc gru;
    nn_rnn_desc rnn;
    memset(&lstm, 0, sizeof lstm), memset(&gru, 0, sizeof gru), memset(&rnn, 0, sizeof rnn);
    lstm.hidden_size = gru.hidden_size = rnn.hidden_size = p[0];
    lstm.layers = gru.layers = rnn.layers = p[1];
    lstm.bidirectional = gru.bidirectional = rnn.bidirectional = p[2] > 0;
    lstm.proj_size = p[3];
    lstm.no_bias = gru.no_bias = rnn.no_bias = p[4] > 0;
    lstm.stateful = gru.stateful = rnn.stateful = p[5] > 0;
    lstm.lengths = gru.lengths = rnn.lengths = c->count > 1 ? x[1] : NULL;
    if (c->op->variant == 0) return nn_lstm(net, "lstm", x[0], &lstm);
    if (c->op->variant == 1) return nn_gru(net, "gru", x[0], &gru);
    return nn_rnn(net, "rnn", x[0], &rnn);
}
/* One layer in one direction, as for the immediate calls: x, weight_ih, weight_hh and, in some
   cases, one bias that is the sum of both. */
static void call_prepare_one_layer(call_case *c) {
    const int gates = c->op->variant == 0 ? 4 : c->op->variant == 1 ? 3 : 1;
    const int wide = 2 + call_draw(c, 3);
    call_prepare_recurrent(c);
    c->count = 3 + call_draw(c, 2);
    c->shape[1] = NN_SHAPE(gates * wide, c->shape[0].extent[2]);
    c->shape[2] = NN_SHAPE(gates * wide, wide);
    c->shape[3] = NN_SHAPE(gates * wide);
    c->dtype[1] = NN_F32;
}
static nn_node *call_build_one_layer(nn_model *net, const call_case *c, nn_node *const *x) {
    const nn_activation relu = c->p[4] ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE;
    nn_lstm_desc lstm;
    nn_gru_desc gru;
    nn_rnn_desc rnn;
    memset(&lstm, 0, sizeof lstm), memset(&gru, 0, sizeof gru), memset(&rnn, 0, sizeof rnn);
    lstm.input_size = gru.input_size = rnn.input_size = c->shape[1].extent[1];
    lstm.hidden_size = gru.hidden_size = rnn.hidden_size = c->shape[2].extent[1];
    lstm.no_bias = gru.no_bias = rnn.no_bias = c->count < 4;
    rnn.nonlinearity = relu;
    if (c->op->variant == 0) return nn_lstm(net, "lstm", x[0], &lstm);
    if (c->op->variant == 1) return nn_gru(net, "gru", x[0], &gru);
    return nn_rnn(net, "rnn", x[0], &rnn);
}
static nn_result call_call_one_layer(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_recurrent_results to;
    nn_recurrent_tensors with;
    memset(&to, 0, sizeof to), memset(&with, 0, sizeof with);
    to.y = y;
    with.weight_ih = x[1], with.weight_hh = x[2];
    with.bias_ih = with.bias_hh = c->count > 3 ? x[3] : NULL;
    if (c->op->variant == 2 && c->p[4]) with.nonlinearity = NN_ACTIVATION_RELU;
    if (c->op->variant == 0) return nn_lstm_forward(&to, x[0], &with);
    if (c->op->variant == 1) return nn_gru_forward(&to, x[0], &with);
    return nn_rnn_forward(&to, x[0], &with);
}
static nn_node *call_build_ctc(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_ctc_loss_desc desc = {NN_REDUCTION_NONE, c->p[1], c->p[1] > 0};
    return nn_ctc_loss(net, x[0], x[1], x[2], x[3], &desc);
}
static nn_result call_call_ctc(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_ctc_loss_desc desc = {NN_REDUCTION_NONE, c->p[1], c->p[1] > 0};
    return nn_ctc_loss_forward(y, x[0], x[1], x[2], x[3], &desc);
}

/* variant: the fourth operand. 0: none, 1: a mask of f32, 2: of u8, 3: lengths, 4: positions, all
   0, 5: starts, all 0. p: is_causal, window, lower_right, heads_inside, alibi; f: scale. */
static void call_prepare_attention(call_case *c) {
    const int variant = c->op->variant, n = call_draw(c, 2) ? NN_BATCH : 1 + call_draw(c, 3),
              k = 1 + call_draw(c, 2), h = k * (1 + call_draw(c, 2)), e = 1 + call_draw(c, 5),
              l = call_draw(c, 2) ? NN_TIME : 1 + call_draw(c, 4),
              s = call_draw(c, 2) ? l : 1 + call_draw(c, 4), in = call_draw(c, 2);
    c->count = variant ? 4 : 3;
    c->shape[0] = NN_SHAPE(n, in ? l : h, in ? h : l, e);
    c->shape[1] = NN_SHAPE(n, in ? s : k, in ? k : s, e);
    c->shape[2] = NN_SHAPE(n, in ? s : k, in ? k : s, 1 + call_draw(c, 5));
    for (int i = 1; i < 3; i++)
        if (call_draw(c, 4) == 0) c->dtype[i] = call_draw(c, 2) ? NN_F16 : NN_BF16;
    if (variant == 1 || variant == 2) {
        c->shape[3] = NN_SHAPE(call_draw(c, 2) ? n : 1, call_draw(c, 2) ? h : 1,
                               call_draw(c, 2) ? l : 1, call_draw(c, 2) ? s : 1);
        c->dtype[3] = variant == 2 ? NN_U8 : NN_F32;
    } else {
        c->shape[3] = variant == 5 ? NN_SHAPE(n, l) : NN_SHAPE(n);
        c->dtype[3] = NN_I32;
    }
    c->p[0] = call_draw(c, 2) || variant == 5, c->p[1] = call_draw(c, 4);
    c->p[2] = variant != 4 && call_draw(c, 2);
    c->p[3] = in, c->p[4] = call_draw(c, 2);
    c->f = 0.5f * (float)call_draw(c, 3);
}
static nn_scaled_dot_product_attention_desc call_attention(const call_case *c) {
    nn_scaled_dot_product_attention_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.is_causal = c->p[0] > 0, desc.window = c->p[1], desc.lower_right = c->p[2] > 0;
    desc.heads_inside = c->p[3] > 0, desc.alibi = c->p[4] > 0, desc.scale = c->f;
    return desc;
}
static nn_node *call_build_attention(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_scaled_dot_product_attention_desc desc = call_attention(c);
    if (c->op->variant == 1 || c->op->variant == 2) desc.attn_mask = x[3];
    if (c->op->variant == 3) desc.lengths = x[3];
    if (c->op->variant == 4) desc.positions = x[3];
    if (c->op->variant == 5) desc.starts = x[3];
    return nn_scaled_dot_product_attention(net, x[0], x[1], x[2], &desc);
}
static nn_result call_call_attention(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    const nn_scaled_dot_product_attention_desc desc = call_attention(c);
    nn_attention_masks masks;
    memset(&masks, 0, sizeof masks);
    if (c->op->variant == 1 || c->op->variant == 2) masks.attn_mask = x[3];
    if (c->op->variant == 3) masks.lengths = x[3];
    if (c->op->variant == 4) masks.positions = x[3];
    if (c->op->variant == 5) masks.starts = x[3];
    return nn_scaled_dot_product_attention_forward(y, NULL, x[0], x[1], x[2], &masks, &desc);
}

/* variant 0: multihead_attention with one to three operands, 1: transformer_encoder_layer with one.
   p: heads, no_bias, is_causal, dim_feedforward, norm_first; f: dropout. */
static void call_prepare_heads(call_case *c) {
    const int n = call_draw(c, 2) ? NN_BATCH : 2, width = 2 + 2 * call_draw(c, 2);
    c->count = c->op->variant ? 1 : 1 + call_draw(c, 3);
    c->shape[0] = NN_SHAPE(n, call_draw(c, 2) ? NN_TIME : 3, width);
    c->shape[1] = NN_SHAPE(n, 1 + call_draw(c, 3), call_draw(c, 2) ? width : 3);
    c->shape[2] = NN_SHAPE(n, c->shape[1].extent[1], call_draw(c, 2) ? width : 5);
    c->p[0] = 1 + call_draw(c, 2), c->p[1] = call_draw(c, 2), c->p[2] = call_draw(c, 2);
    c->p[3] = 1 + call_draw(c, 5), c->p[4] = call_draw(c, 2);
    c->f = 0.5f * (float)call_draw(c, 2);
}
static nn_node *call_build_heads(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_multihead_attention_desc heads;
    nn_transformer_encoder_layer_desc layer;
    memset(&heads, 0, sizeof heads), memset(&layer, 0, sizeof layer);
    heads.num_heads = layer.nhead = c->p[0], heads.no_bias = layer.no_bias = c->p[1] > 0;
    heads.is_causal = layer.is_causal = c->p[2] > 0, heads.dropout = layer.dropout = c->f;
    layer.dim_feedforward = c->p[3], layer.norm_first = c->p[4] > 0;
    if (c->op->variant) return nn_transformer_encoder_layer(net, "t", x[0], &layer);
    return nn_multihead_attention(net, "a", x[0], c->count > 1 ? x[1] : NULL,
                                  c->count > 2 ? x[2] : NULL, &heads);
}

/* variant 1: with positions, which are all 0; 2: with one for each row. p: rotary_dim, interleaved,
   heads_inside, offset, the number of positions in training; f: factor. */
static void call_prepare_rotary(call_case *c) {
    c->count = 1 + (c->op->variant > 0);
    c->shape[0] = NN_SHAPE(call_draw(c, 2) ? NN_BATCH : 2, 1 + call_draw(c, 3),
                           call_draw(c, 2) ? NN_TIME : 3, 2 + 2 * call_draw(c, 3));
    c->p[0] = call_draw(c, 2) * 2, c->p[1] = call_draw(c, 2), c->p[2] = call_draw(c, 2);
    c->shape[1] = NN_SHAPE(c->shape[0].extent[0]);
    if (c->op->variant == 2)
        c->shape[1] = NN_SHAPE(c->shape[0].extent[0], c->shape[0].extent[c->p[2] ? 1 : 2]);
    c->dtype[1] = NN_I32;
    c->p[3] = c->op->variant ? 0 : call_draw(c, 4), c->p[4] = call_draw(c, 2) * 20;
    c->f = (float)call_draw(c, 3);
}
static nn_rotary_embedding_desc call_rotary(const call_case *c) {
    nn_rotary_embedding_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.rotary_dim = c->p[0], desc.interleaved = c->p[1] > 0, desc.heads_inside = c->p[2] > 0;
    desc.offset = c->p[3], desc.original_max_position_embeddings = c->p[4], desc.factor = c->f;
    return desc;
}
static nn_node *call_build_rotary(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_rotary_embedding_desc desc = call_rotary(c);
    if (c->op->variant) desc.positions = x[1];
    return nn_rotary_embedding(net, x[0], &desc);
}
static nn_result call_call_rotary(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    const nn_rotary_embedding_desc desc = call_rotary(c);
    return nn_rotary_embedding_forward(y, x[0], c->op->variant ? x[1] : NULL, &desc);
}

/* variant 1: with positions, which are all 0. p: offset, halves; f: base. */
static void call_prepare_sinusoidal(call_case *c) {
    c->count = 1 + c->op->variant;
    c->shape[0] = NN_SHAPE(call_draw(c, 2) ? NN_BATCH : 2, call_draw(c, 2) ? NN_TIME : 3,
                           2 + 2 * call_draw(c, 3));
    c->shape[1] = NN_SHAPE(c->shape[0].extent[0]);
    c->dtype[1] = NN_I32;
    c->p[0] = c->op->variant ? 0 : call_draw(c, 4), c->p[1] = call_draw(c, 2);
    c->f = 50.0f * (float)call_draw(c, 3);
}
static nn_node *call_build_sinusoidal(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_sinusoidal_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.offset = c->p[0], desc.halves = c->p[1] > 0, desc.base = c->f;
    if (c->op->variant) desc.positions = x[1];
    return nn_sinusoidal_positions(net, x[0], &desc);
}

/* Positions are all 0. p: length, heads_inside, dtype. */
static void call_prepare_cache(call_case *c) {
    static const nn_dtype types[] = {NN_F32, NN_F16, NN_BF16};
    const int n = call_draw(c, 2) ? NN_BATCH : 2, l = call_draw(c, 2) ? NN_TIME : 1 + call_draw(c, 3),
              h = 1 + call_draw(c, 3), e = 1 + call_draw(c, 4), in = call_draw(c, 2);
    c->count = 2;
    c->shape[0] = NN_SHAPE(n, in ? l : h, in ? h : l, e);
    c->dtype[0] = types[call_draw(c, 3)];
    c->shape[1] = NN_SHAPE(n);
    c->dtype[1] = NN_I32;
    c->p[0] = 3 + call_draw(c, 4), c->p[1] = in, c->p[2] = (int)types[call_draw(c, 3)];
}
static nn_node *call_build_cache(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_cache_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.length = c->p[0], desc.heads_inside = c->p[1] > 0, desc.dtype = (nn_dtype)c->p[2];
    return nn_cache(net, "cache", x[0], x[1], &desc);
}

/* p[0]: the reduction; f: label_smoothing; variant 1: nll_loss. Labels are all 0. */
static void call_prepare_cross_entropy(call_case *c) {
    nn_shape x = call_shape(c, 2);
    if (x.extent[1] < 0) x.extent[1] = 3;
    c->count = 2 + call_draw(c, 2);
    c->shape[0] = x;
    c->shape[2] = NN_SHAPE(x.extent[1]);
    for (int i = 2; i < x.rank; i++) x.extent[i - 1] = x.extent[i];
    x.rank--;
    c->shape[1] = x;
    c->dtype[1] = NN_I32;
    c->p[0] = call_reduction(c);
    c->f = c->op->variant ? 0.0f : 0.25f * (float)call_draw(c, 4);
}
static nn_node *call_build_cross_entropy(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_cross_entropy_desc desc;
    nn_nll_desc nll;
    memset(&nll, 0, sizeof nll);
    nll.reduction = (nn_reduction)c->p[0];
    if (c->count > 2) nll.weight = x[2];
    if (c->op->variant) return nn_nll_loss(net, x[0], x[1], &nll);
    memset(&desc, 0, sizeof desc);
    desc.reduction = (nn_reduction)c->p[0];
    desc.label_smoothing = c->f;
    if (c->count > 2) desc.weight = x[2];
    return nn_cross_entropy(net, x[0], x[1], &desc);
}
static nn_result call_call_cross_entropy(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_cross_entropy_options options;
    memset(&options, 0, sizeof options);
    options.reduction = (nn_reduction)c->p[0];
    options.label_smoothing = c->op->variant ? 0.0f : c->f;
    options.log_probabilities = c->op->variant > 0;
    return nn_cross_entropy_forward(y, x[0], x[1], c->count > 2 ? x[2] : NULL, &options);
}

/* variant: 0 maximum, 1 average; + 2: over lines. p: kernel, stride, padding, ceil */
static void call_prepare_pool1d(call_case *c) {
    int *p = c->p;
    p[0] = 1 + call_draw(c, 3), p[1] = call_draw(c, 3), p[2] = call_draw(c, 2) * (p[0] / 2);
    p[3] = call_draw(c, 2);
    c->count = 1;
    c->shape[0] = NN_SHAPE(NN_BATCH, 1 + call_draw(c, 3), 3 + call_draw(c, 4));
    if (call_draw(c, 3) == 0) c->shape[0].extent[2] = nn_multiply_extents(NN_TIME, p[0]);
}
static nn_node *call_build_pool1d(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_pool1d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = c->p[0], desc.stride = c->p[1], desc.padding = c->p[2];
    desc.ceil = c->p[3] > 0;
    return c->op->variant ? nn_avg_pool1d(net, x[0], &desc) : nn_max_pool1d(net, x[0], &desc);
}
static nn_result call_call_pool1d(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_pool1d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = c->p[0], desc.stride = c->p[1], desc.padding = c->p[2];
    desc.ceil = c->p[3] > 0;
    return c->op->variant ? nn_avg_pool1d_forward(y, x[0], &desc)
                          : nn_max_pool1d_forward(y, NULL, x[0], &desc);
}
static void call_prepare_adaptive(call_case *c) {
    c->p[0] = call_draw(c, 4) ? 1 + call_draw(c, 4) : NN_NONE, c->p[1] = 1 + call_draw(c, 4);
    c->count = 1;
    c->shape[0] = NN_SHAPE(NN_BATCH, 1 + call_draw(c, 3), 1 + call_draw(c, 5), 1 + call_draw(c, 5));
    if (c->op->variant & 2) c->shape[0].rank = 3;
    if (call_draw(c, 3) == 0) c->shape[0].extent[2] = NN_TIME;
}
static nn_node *call_build_adaptive(nn_model *net, const call_case *c, nn_node *const *x) {
    switch (c->op->variant) {
    case 0: return nn_adaptive_max_pool2d(net, x[0], c->p[0], c->p[1]);
    case 1: return nn_adaptive_avg_pool2d(net, x[0], c->p[0], c->p[1]);
    case 2: return nn_adaptive_max_pool1d(net, x[0], c->p[0]);
    default: return nn_adaptive_avg_pool1d(net, x[0], c->p[0]);
    }
}

static nn_result call_call_adaptive(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    switch (c->op->variant) {
    case 0: return nn_adaptive_max_pool2d_forward(y, NULL, x[0], c->p[0], c->p[1]);
    case 1: return nn_adaptive_avg_pool2d_forward(y, x[0], c->p[0], c->p[1]);
    case 2: return nn_adaptive_max_pool1d_forward(y, NULL, x[0], c->p[0]);
    default: return nn_adaptive_avg_pool1d_forward(y, x[0], c->p[0]);
    }
}

/* p: mode, size, size_w, align_corners, antialias, recompute_scale_factor; f: scale_factor */
static void call_prepare_resize(call_case *c) {
    int *p = c->p;
    const bool line = call_draw(c, 3) == 0, sized = call_draw(c, 2) == 0;
    p[0] = call_draw(c, NN_RESIZE_AREA + 1);
    if (sized) p[1] = 1 + call_draw(c, 6), p[2] = line ? 0 : call_draw(c, 5);
    c->f = sized ? 0.0f : 0.5f + 0.5f * (float)call_draw(c, 5);
    if (p[0] == NN_RESIZE_LINEAR || p[0] == NN_RESIZE_CUBIC)
        p[3] = call_draw(c, 2), p[4] = call_draw(c, 2);
    p[5] = call_draw(c, 2);
    c->count = 1;
    c->shape[0] = NN_SHAPE(NN_BATCH, 1 + call_draw(c, 2), 2 + call_draw(c, 4), 2 + call_draw(c, 4));
    if (line) c->shape[0].rank = 3;
    if (!line && call_draw(c, 4) == 0) { /* a volume */
        c->shape[0].extent[c->shape[0].rank++] = 1 + call_draw(c, 3);
        p[4] = 0;
        if (p[0] == NN_RESIZE_CUBIC) p[0] = NN_RESIZE_LINEAR;
        if (sized) p[6] = call_draw(c, 4);
    }
    if (line && c->f == 2.0f && !p[3] && !p[4] && p[0] != NN_RESIZE_AREA)
        c->shape[0].extent[2] = NN_TIME;
}
static nn_resize_desc call_resize(const call_case *c) {
    const int *p = c->p;
    nn_resize_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.mode = (nn_resize_mode)p[0], desc.size = p[1], desc.size_w = p[2];
    desc.size_h = p[6];
    desc.align_corners = p[3] > 0, desc.antialias = p[4] > 0;
    desc.recompute_scale_factor = p[5] > 0, desc.scale_factor = (double)c->f;
    return desc;
}
static nn_node *call_build_resize(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_resize_desc desc = call_resize(c);
    return nn_resize(net, x[0], &desc);
}
static nn_result call_call_resize(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_resize_desc desc = call_resize(c);
    return nn_resize_forward(y, x[0], &desc);
}
/* True if there is an immediate call. Volumes can be resized only by a builder. */
static bool call_exists(const call_case *c) {
    return c->op->call && (c->op->call != call_call_resize || c->shape[0].rank != 5);
}

/* p: mode, padding_mode, align_corners */
static void call_prepare_grid_sample(call_case *c) {
    const int n = call_draw(c, 2) ? NN_BATCH : 1 + call_draw(c, 3);
    c->count = 2;
    c->shape[0] = NN_SHAPE(n, 1 + call_draw(c, 3), 1 + call_draw(c, 4), 1 + call_draw(c, 4));
    c->shape[1] = NN_SHAPE(n, call_draw(c, 4) ? 1 + call_draw(c, 4) : NN_TIME, 1 + call_draw(c, 4),
                           2);
    for (int i = 0; i < 3; i++) c->p[i] = call_draw(c, i < 2 ? 3 : 2);
}
static nn_grid_sample_desc call_grid_sample(const call_case *c) {
    nn_grid_sample_desc desc = {(nn_grid_mode)c->p[0], (nn_grid_padding)c->p[1], c->p[2] > 0};
    return desc;
}
static nn_node *call_build_grid_sample(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_grid_sample_desc desc = call_grid_sample(c);
    return nn_grid_sample(net, x[0], x[1], &desc);
}
static nn_result call_call_grid_sample(nn_tensor *y, const call_case *c, nn_tensor *const *x) {
    nn_grid_sample_desc desc = call_grid_sample(c);
    return nn_grid_sample_forward(y, x[0], x[1], &desc);
}
/* p: height, width, align_corners */
static void call_prepare_affine_grid(call_case *c) {
    c->count = 1;
    c->shape[0] = NN_SHAPE(NN_BATCH, 2, 3);
    c->p[0] = 1 + call_draw(c, 4), c->p[1] = 1 + call_draw(c, 4), c->p[2] = call_draw(c, 2);
}
static nn_node *call_build_affine_grid(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_affine_grid(net, x[0], c->p[0], c->p[1], c->p[2] > 0);
}

/* p: kernel, stride, padding; variant: number of spatial dimensions, 1 or 2. The indices are all
   0. */
static void call_prepare_unpool(call_case *c) {
    int *p = c->p;
    p[0] = 1 + call_draw(c, 3), p[1] = call_draw(c, 3), p[2] = call_draw(c, 2) * (p[0] / 2);
    c->count = 2;
    c->shape[0] = NN_SHAPE(NN_BATCH, 1 + call_draw(c, 3), 2 + call_draw(c, 3), 2 + call_draw(c, 3));
    if (c->op->variant == 1) c->shape[0].rank = 3;
    c->shape[1] = c->shape[0];
    c->dtype[1] = NN_I32;
}
static nn_node *call_build_unpool(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_max_unpool1d_desc line;
    nn_max_unpool2d_desc desc;
    memset(&line, 0, sizeof line);
    memset(&desc, 0, sizeof desc);
    line.kernel = desc.kernel = c->p[0], line.stride = desc.stride = c->p[1];
    line.padding = desc.padding = c->p[2];
    return c->op->variant == 1 ? nn_max_unpool1d(net, x[0], x[1], &line)
                               : nn_max_unpool2d(net, x[0], x[1], &desc);
}
/* p: as for pools; f: norm_type; variant: number of spatial dimensions, 1 or 2 */
static void call_prepare_lp_pool(call_case *c) {
    if (c->op->variant == 1) call_prepare_pool1d(c);
    else call_prepare_pool(c);
    c->p[c->op->variant == 1 ? 2 : 3] = 0;
    if (c->op->variant == 2) c->p[5] = 0;
    c->f = 1.0f + (float)call_draw(c, 3);
}
static nn_node *call_build_lp_pool(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_pool1d_desc desc;
    nn_pool2d_desc planes = call_pool2d(c);
    if (c->op->variant == 2) return nn_lp_pool2d(net, x[0], c->f, &planes);
    memset(&desc, 0, sizeof desc);
    desc.kernel = c->p[0], desc.stride = c->p[1], desc.padding = c->p[2];
    desc.ceil = c->p[3] > 0;
    return nn_lp_pool1d(net, x[0], c->f, &desc);
}
static void call_prepare_global_pool(call_case *c) {
    c->count = 1;
    c->shape[0] = NN_SHAPE(NN_BATCH, 1 + call_draw(c, 3), 1 + call_draw(c, 5),
                           call_draw(c, 3) ? 1 + call_draw(c, 5) : NN_TIME);
}
static nn_node *call_build_global_pool(nn_model *net, const call_case *c, nn_node *const *x) {
    return c->op->variant ? nn_global_avg_pool2d(net, x[0]) : nn_global_max_pool2d(net, x[0]);
}

/* variant: dropout1d, 2d, 3d, alpha_dropout, feature_alpha_dropout, dropout */
static void call_prepare_dropout(call_case *c) {
    static const int extents[] = {3, 4, 5, 2, 3, 4};
    call_one(c, extents[c->op->variant] < 4 ? extents[c->op->variant] : 4);
    if (c->op->variant == 2) c->shape[0].extent[c->shape[0].rank++] = 2;
    else if (c->op->variant < 2) c->shape[0].rank = extents[c->op->variant];
    c->f = 0.25f * (float)call_draw(c, 5);
}
static nn_node *call_build_dropout(nn_model *net, const call_case *c, nn_node *const *x) {
    switch (c->op->variant) {
    case 0: return nn_dropout1d(net, x[0], c->f);
    case 1: return nn_dropout2d(net, x[0], c->f);
    case 2: return nn_dropout3d(net, x[0], c->f);
    case 3: return nn_alpha_dropout(net, x[0], c->f);
    case 5: return nn_dropout(net, x[0], c->f);
    default: return nn_feature_alpha_dropout(net, x[0], c->f);
    }
}

#include "call_ops_volume.h"
#include "call_ops_names.h"

/* ---- the table ------------------------------------------------------------------------------- */

#define CALL_UNARY(name, op)                                                                       \
    { name, call_prepare_one, call_build_function, call_call_function, op, false }
#define CALL_BINARY(name, op)                                                                      \
    { name, call_prepare_two, call_build_function, call_call_function, op, false }
#define CALL_TEXT(n)                                                                               \
    { "expression", call_prepare_three, call_build_text, call_call_text, n, false }
#define CALL_REDUCE(name, op)                                                                      \
    { name, call_prepare_axes, call_build_reduce, call_call_reduce, op, false }
#define CALL_LOSS(name, which)                                                                     \
    { name, call_prepare_loss, call_build_loss, NULL, which, false }
#define CALL_ARRANGE(name, it)                                                                     \
    { name, call_prepare_##it, call_build_##it, call_call_##it, 0, false }
static const call_op call_ops[] = {
    {"linear", call_prepare_linear, call_build_linear, call_call_linear, 0, true},
    {"linear_transposed", call_prepare_linear, call_build_linear, NULL, 1, true},
    {"matmul", call_prepare_matmul, call_build_matmul, call_call_matmul, 0, false},
    {"conv2d", call_prepare_conv2d, call_build_conv2d, call_call_conv2d, 0, true},
    {"conv1d", call_prepare_conv1d, call_build_conv1d, call_call_conv1d, 0, true},
    {"conv_transpose1d", call_prepare_transposed, call_build_transposed, call_call_transposed, 1,
     true},
    {"conv_transpose2d", call_prepare_transposed, call_build_transposed, call_call_transposed, 2,
     true},
    {"max_pool2d", call_prepare_pool, call_build_pool, call_call_pool, 0, false},
    {"avg_pool2d", call_prepare_pool, call_build_pool, call_call_pool, 1, false},
    {"max_pool3d", call_prepare_pool3d, call_build_pool3d, NULL, 0, false},
    {"avg_pool3d", call_prepare_pool3d, call_build_pool3d, NULL, 1, false},
    {"max_pool1d", call_prepare_pool1d, call_build_pool1d, call_call_pool1d, 0, false},
    {"avg_pool1d", call_prepare_pool1d, call_build_pool1d, call_call_pool1d, 1, false},
    {"adaptive_max_pool2d", call_prepare_adaptive, call_build_adaptive, call_call_adaptive,
     0, false},
    {"adaptive_avg_pool2d", call_prepare_adaptive, call_build_adaptive, call_call_adaptive,
     1, false},
    {"adaptive_max_pool1d", call_prepare_adaptive, call_build_adaptive, call_call_adaptive,
     2, false},
    {"adaptive_avg_pool1d", call_prepare_adaptive, call_build_adaptive, call_call_adaptive,
     3, false},
    {"resize", call_prepare_resize, call_build_resize, call_call_resize, 0, false},
    {"grid_sample", call_prepare_grid_sample, call_build_grid_sample, call_call_grid_sample, 0,
     false},
    {"affine_grid", call_prepare_affine_grid, call_build_affine_grid, NULL, 0, false},
    {"max_unpool1d", call_prepare_unpool, call_build_unpool, NULL, 1, false},
    {"max_unpool2d", call_prepare_unpool, call_build_unpool, NULL, 2, false},
    {"lp_pool1d", call_prepare_lp_pool, call_build_lp_pool, NULL, 1, false},
    {"lp_pool2d", call_prepare_lp_pool, call_build_lp_pool, NULL, 2, false},
    {"global_max_pool2d", call_prepare_global_pool, call_build_global_pool, NULL, 0, false},
    {"global_avg_pool2d", call_prepare_global_pool, call_build_global_pool, NULL, 1, false},
    {"dropout1d", call_prepare_dropout, call_build_dropout, NULL, 0, false},
    {"dropout2d", call_prepare_dropout, call_build_dropout, NULL, 1, false},
    {"dropout3d", call_prepare_dropout, call_build_dropout, NULL, 2, false},
    {"alpha_dropout", call_prepare_dropout, call_build_dropout, NULL, 3, false},
    {"feature_alpha_dropout", call_prepare_dropout, call_build_dropout, NULL, 4, false},
    {"dropout", call_prepare_dropout, call_build_dropout, NULL, 5, false},
    {"softmax", call_prepare_axis, call_build_softmax, call_call_softmax, 0, false},
    {"log_softmax", call_prepare_axis, call_build_softmax, call_call_softmax, 1, false},
    {"cross_entropy", call_prepare_cross_entropy, call_build_cross_entropy, call_call_cross_entropy,
     0, false},
    {"nll_loss", call_prepare_cross_entropy, call_build_cross_entropy, call_call_cross_entropy, 1,
     false},
    {"conv1d", call_prepare_stream, call_build_stream, NULL, 0, false},
    {"max_pool1d", call_prepare_stream, call_build_stream, NULL, 1, false},
    {"avg_pool1d", call_prepare_stream, call_build_stream, NULL, 2, false},
    {"lstm", call_prepare_recurrent, call_build_recurrent, NULL, 0, false},
    {"gru", call_prepare_recurrent, call_build_recurrent, NULL, 1, false},
    {"rnn", call_prepare_recurrent, call_build_recurrent, NULL, 2, false},
    {"lstm", call_prepare_one_layer, call_build_one_layer, call_call_one_layer, 0, true},
    {"gru", call_prepare_one_layer, call_build_one_layer, call_call_one_layer, 1, true},
    {"rnn", call_prepare_one_layer, call_build_one_layer, call_call_one_layer, 2, true},
    {"ctc_loss", call_prepare_ctc, call_build_ctc, call_call_ctc, 0, false},
    {"rotary_embedding", call_prepare_rotary, call_build_rotary, call_call_rotary, 0, false},
    {"rotary_embedding", call_prepare_rotary, call_build_rotary, call_call_rotary, 1, false},
    {"rotary_embedding", call_prepare_rotary, call_build_rotary, call_call_rotary, 2, false},
    {"sinusoidal_positions", call_prepare_sinusoidal, call_build_sinusoidal, NULL, 0, false},
    {"sinusoidal_positions", call_prepare_sinusoidal, call_build_sinusoidal, NULL, 1, false},
    {"cache", call_prepare_cache, call_build_cache, NULL, 0, false},
    {"multihead_attention", call_prepare_heads, call_build_heads, NULL, 0, false},
    {"transformer_encoder_layer", call_prepare_heads, call_build_heads, NULL, 1, false},
    {"scaled_dot_product_attention", call_prepare_attention, call_build_attention,
     call_call_attention, 0, false},
    {"scaled_dot_product_attention", call_prepare_attention, call_build_attention,
     call_call_attention, 1, false},
    {"scaled_dot_product_attention", call_prepare_attention, call_build_attention,
     call_call_attention, 2, false},
    {"scaled_dot_product_attention", call_prepare_attention, call_build_attention,
     call_call_attention, 3, false},
    {"scaled_dot_product_attention", call_prepare_attention, call_build_attention,
     call_call_attention, 4, false},
    {"scaled_dot_product_attention", call_prepare_attention, call_build_attention,
     call_call_attention, 5, false},
    CALL_LOSS("mse_loss", 0),
    CALL_LOSS("smooth_l1_loss", 1),
    CALL_LOSS("bce_loss", 2),
    CALL_LOSS("kl_div", 3),
    CALL_LOSS("poisson_nll_loss", 4),
    CALL_LOSS("gaussian_nll_loss", 5),
    CALL_LOSS("margin_ranking_loss", 6),
    CALL_LOSS("cosine_embedding_loss", 7),
    CALL_LOSS("triplet_margin_loss", 8),
    {"layer_norm", call_prepare_layer_norm, call_build_layer_norm, call_call_layer_norm, 0, true},
    {"rms_norm", call_prepare_layer_norm, call_build_layer_norm, call_call_layer_norm, 1, true},
    {"prelu", call_prepare_prelu, call_build_prelu, NULL, 0, true},
    {"prelu_channels", call_prepare_prelu, call_build_prelu, NULL, 1, true},
    {"group_norm", call_prepare_group_norm, call_build_group_norm, call_call_group_norm, 0, true},
    {"batch_norm", call_prepare_group_norm, call_build_group_norm, call_call_group_norm, 1, true},
    {"embedding", call_prepare_embedding, call_build_embedding, call_call_embedding, 0, true},
    {"index_select", call_prepare_index_select, call_build_index_select, call_call_index_select, 0,
     false},
    {"gather", call_prepare_elements, call_build_elements, call_call_elements, 0, false},
    {"scatter_value", call_prepare_elements, call_build_elements, call_call_elements, 1, false},
    {"scatter_add", call_prepare_elements, call_build_elements, call_call_elements, 2, false},
    {"scatter", call_prepare_elements, call_build_elements, call_call_elements, 3, false},
    {"scatter_reduce", call_prepare_elements, call_build_elements, call_call_elements, 4, false},
    {"one_hot", call_prepare_one_hot, call_build_one_hot, call_call_one_hot, 0, false},
    {"sort", call_prepare_sort, call_build_sort, call_call_sort, 0, false},
    {"argsort", call_prepare_sort, call_build_sort, NULL, 1, false},
    {"top_k", call_prepare_sort, call_build_sort, call_call_sort, 2, false},
    {"kthvalue", call_prepare_sort, call_build_sort, NULL, 3, false},
    {"median", call_prepare_sort, call_build_sort, NULL, 4, false},
    {"pairwise_distance", call_prepare_distance, call_build_distance, NULL, 0, false},
    {"cdist", call_prepare_distance, call_build_distance, NULL, 1, false},
    {"cumsum", call_prepare_axis, call_build_cumsum, call_call_cumsum, 0, false},
    {"cumprod", call_prepare_axis, call_build_running, call_call_running, 0, false},
    {"logcumsumexp", call_prepare_axis, call_build_running, call_call_running, 1, false},
    {"cummax", call_prepare_axis, call_build_running, call_call_running, 2, false},
    {"cummin", call_prepare_axis, call_build_running, call_call_running, 3, false},
    {"diff", call_prepare_matrix, call_build_matrix, NULL, 0, false},
    {"tril", call_prepare_matrix, call_build_matrix, NULL, 1, false},
    {"triu", call_prepare_matrix, call_build_matrix, NULL, 2, false},
    {"split", call_prepare_matrix, call_build_matrix, NULL, 3, false},
    {"outer", call_prepare_matrix, call_build_matrix, NULL, 4, false},
    {"cast", call_prepare_cast, call_build_cast, call_call_cast, 0, false},
    {"flatten", call_prepare_axis, call_build_flatten, NULL, 0, false},
    {"reshape", call_prepare_axis, call_build_reshape, NULL, 0, false},
    {"detach", call_prepare_one, call_build_detach, NULL, 0, false},
    {"normalize", call_prepare_axis, call_build_normalize, NULL, 0, false},
    {"channel_shuffle", call_prepare_shuffle, call_build_shuffle, NULL, 0, false},
    {"pixel_shuffle", call_prepare_shuffle, call_build_shuffle, NULL, 1, false},
    {"pixel_unshuffle", call_prepare_shuffle, call_build_shuffle, NULL, 2, false},
    {"cosine_similarity", call_prepare_cosine, call_build_cosine, NULL, 0, false},
    {"einsum", call_prepare_einsum, call_build_einsum, NULL, 0, false},
    {"embedding_bag", call_prepare_bag, call_build_bag, NULL, 0, true},
    CALL_VOLUMES,
    CALL_NAMES,
    CALL_ARRANGE("permute", permute),
    CALL_ARRANGE("slice", slice),
    CALL_ARRANGE("concat", concat),
    CALL_ARRANGE("pad", pad),
    CALL_ARRANGE("flip", flip),
    CALL_ARRANGE("roll", roll),
    {NULL, call_prepare_line, call_build_line, call_call_line, 0, false},
    {NULL, call_prepare_line, call_build_line, call_call_line, 0, false},
    {NULL, call_prepare_line, call_build_line, call_call_line, 0, false},
    CALL_TEXT(0),
    CALL_TEXT(1),
    CALL_TEXT(2),
    CALL_REDUCE("mean", NN_MEAN),
    CALL_REDUCE("sum", NN_SUM),
    CALL_REDUCE("amax", NN_MAX),
    CALL_REDUCE("amin", NN_MIN),
    CALL_REDUCE("prod", NN_PROD),
    CALL_REDUCE("any", NN_ANY),
    CALL_REDUCE("all", NN_ALL),
    CALL_REDUCE("argmax", NN_ARGMAX),
    CALL_REDUCE("argmin", NN_ARGMIN),
    CALL_REDUCE("sum_of_squares", NN_SUM_OF_SQUARES),
    CALL_REDUCE("norm", NN_NORM),
    CALL_REDUCE("logsumexp", NN_LOGSUMEXP),
    CALL_REDUCE("var", NN_VAR),
    CALL_REDUCE("std", NN_STD),
    {"clone", call_prepare_one, call_build_clone, call_call_clone, 0, false},
    CALL_UNARY("relu", FUNCTION_RELU),
    CALL_UNARY("sigmoid", FUNCTION_SIGMOID),
    CALL_UNARY("tanh", FUNCTION_TANH),
    CALL_UNARY("gelu", FUNCTION_GELU),
    CALL_UNARY("leaky_relu", FUNCTION_LEAKY_RELU),
    CALL_UNARY("exp", FUNCTION_EXP),
    CALL_UNARY("log", FUNCTION_LOG),
    CALL_UNARY("sqrt", FUNCTION_SQRT),
    CALL_UNARY("square", FUNCTION_SQUARE),
    CALL_UNARY("abs", FUNCTION_ABS),
    CALL_UNARY("negate", FUNCTION_NEGATE),
    CALL_UNARY("softplus", FUNCTION_SOFTPLUS),
    CALL_UNARY("scale", FUNCTION_SCALE),
    CALL_UNARY("offset", FUNCTION_OFFSET),
    CALL_BINARY("add", FUNCTION_ADD),
    CALL_BINARY("subtract", FUNCTION_SUBTRACT),
    CALL_BINARY("multiply", FUNCTION_MULTIPLY),
    CALL_BINARY("divide", FUNCTION_DIVIDE),
    CALL_BINARY("maximum", FUNCTION_MAXIMUM),
    CALL_BINARY("minimum", FUNCTION_MINIMUM),
};
#undef CALL_UNARY
#undef CALL_BINARY
#undef CALL_TEXT
#undef CALL_REDUCE
#undef CALL_ARRANGE
#undef CALL_LOSS
enum { CALL_OPS = (int)(sizeof call_ops / sizeof call_ops[0]) };

/* ---- cases ----------------------------------------------------------------------------------- */

static void call_prepare(call_case *c, uint64_t seed) {
    memset(c, 0, sizeof *c);
    c->seed = seed;
    c->op = &call_ops[call_draw(c, CALL_OPS)];
    for (int k = 0; k < CALL_INPUTS; k++) c->dtype[k] = NN_F32;
    c->op->prepare(c);
}

/* Changes one thing, which may or may not be a mistake. f16 and bf16 are not used, because builders
   convert them and calls refuse them. */
static void call_spoil(call_case *c) {
    static const nn_dtype others[] = {NN_I32, NN_U8, NN_I8, NN_BOOL, NN_F64};
    int k = c->op->layer ? 0 : call_draw(c, c->count), at;
    nn_shape *x = &c->shape[k];
    at = x->rank ? call_draw(c, x->rank) : 0;
    switch (call_draw(c, 7)) {
    case 0: x->extent[at] = 1 + call_draw(c, 5); break;
    case 1: x->extent[at] = call_draw(c, 2) ? NN_BATCH : NN_TIME; break;
    case 2: x->rank -= x->rank > 0; break;
    case 3: x->extent[x->rank < NN_MAX_RANK ? x->rank++ : 0] = 1 + call_draw(c, 3); break;
    case 4: c->dtype[k] = others[call_draw(c, 5)]; break;
    case 5: c->p[call_draw(c, 7)] = call_draw(c, 9) - 3; break;
    default: c->f = (float)(call_draw(c, 5) - 2); break;
    }
}

/* Does the same with numbers and extents whose sums and products overflow an int, or nearly. This
   also changes free extents. */
static inline void call_spoil_huge(call_case *c) {
    static const int32_t numbers[] = {46341,         65536,       1 << 20,    1 << 24,
                                      1 << 28,       1 << 30,     INT32_MAX,  INT32_MAX - 1,
                                      -1,            -65536,      INT32_MIN,  INT32_MIN + 1,
                                      (1 << 30) + 1, 3 * (1 << 29)};
    const int32_t number = numbers[call_draw(c, (int)(sizeof numbers / sizeof numbers[0]))];
    const int rank = c->shape[0].rank, at = rank ? call_draw(c, rank) : 0;
    if (call_draw(c, 2)) {
        c->p[call_draw(c, 7)] = number;
        return;
    }
    for (int k = 0; k < c->count; k++) /* in one operand, or in several that share the axis */
        if (at < c->shape[k].rank && (k == 0 || call_draw(c, 2)))
            c->shape[k].extent[at] = number > 0 ? number : 1 << 16;
}

static const char *call_name(const call_case *c) {
    return c->line ? c->line->rule.name : c->op->name;
}

static nn_shape call_resolve(nn_shape x) {
    for (int i = 0; i < x.rank; i++)
        x.extent[i] = nn__resolve_extent(x.extent[i], CALL_BATCH, CALL_TIME);
    return x;
}

/* Describes the operands as inputs of a model, and the operation. free_extents: keeps free extents;
   otherwise numbers replace them. NULL: an operand cannot be an input. */
static nn_node *call_describe_case(nn_model *net, const call_case *c, bool free_extents) {
    nn_node *x[CALL_INPUTS] = {NULL};
    for (int k = 0; k < (c->op->layer ? 1 : c->count); k++) {
        char name[2] = {(char)('a' + k), 0};
        x[k] = nn_input(net, name, c->dtype[k],
                        free_extents ? c->shape[k] : call_resolve(c->shape[k]));
    }
    if (nn_fault_count(net)) return NULL;
    return c->op->build(net, c, x);
}

#endif
