/* onnx/save_rounding.c - the roundings of nn_prepare_qat and nn_fake_quantize as QuantizeLinear and
   DequantizeLinear, which other runtimes turn into integers. Weights are written as integers. */
#include "onnx/emit.h"

/* A rounding to 8 bits whose scales are known while the file is written. */
typedef struct nn__onnx_rounded {
    struct nn__onnx_rounded *next;
    const nn_node *node;
    const float *scales, *zeros;
    int64_t count; /* of scales and zeros: 1, or the extent of the axis */
    int axis;
    float low, high; /* the smallest and the largest integer */
    nn_dtype dtype;
    bool leaf; /* it rounds a weight */
} nn__onnx_rounded;

static bool nn__onnx_is_stored(const nn_node *node) {
    const nn_node_kind kind = nn_describe_node(node).kind;
    return kind == NN_NODE_PARAMETER || kind == NN_NODE_BUFFER;
}

/* True if a value follows from weights alone. */
static bool nn__onnx_is_known(const nn_node *node, int depth) {
    const nn_node_description d = nn_describe_node(node);
    if (nn__onnx_is_stored(node)) return nn_node_dtype(node) == NN_F32;
    if (d.kind != NN_NODE_OPERATION || d.remembers || d.kernel == NN_KERNEL_RANDOM ||
        d.kernel == NN_KERNEL_CUSTOM || depth == 0)
        return false;
    for (int i = 0; i < d.input_count; i++)
        if (!nn__onnx_is_known(d.inputs[i], depth - 1)) return false;
    return true;
}

/* Returns the numbers of a value that follows from weights. NULL: an error of the call. */
static float *nn__onnx_known_numbers(nn__onnx_emitter *e, nn_node *node) {
    nn_node_description d = nn_describe_node(node);
    const size_t bytes = sizeof(float) * (size_t)nn_shape_count(nn_node_shape(node));
    nn_plan_desc desc;
    nn_plan *plan;
    float *numbers;
    while (d.alias) d = nn_describe_node(node = d.inputs[0]);
    if (nn__onnx_is_stored(node) && !d.tensor)
        nn_find_tensor_at(e->call->site, e->net, nn_node_name(node));
    if (nn__onnx_is_stored(node)) return nn__onnx_leaf_numbers(e, node);
    memset(&desc, 0, sizeof desc);
    desc.outputs.node = &node;
    desc.outputs.count = 1;
    numbers = (float *)nn__onnx_take(e->call, &e->arena, bytes);
    plan = numbers ? nn_make_plan_at(e->call->site, e->net, &desc) : NULL;
    if (!plan || nn_run_at(e->call->site, plan) != NN_OK ||
        nn_download_at(e->call->site, plan, node, numbers, bytes) != NN_OK) {
        if (numbers) /* nn_error has the reason */
            e->call->code = plan ? NN_ERROR_BACKEND : NN_ERROR_MEMORY;
        numbers = NULL;
    }
    nn_free_plan(plan);
    return numbers;
}

/* Returns the axis of x that several scales, (count, 1 ... 1), belong to. -1: there is none. */
static int nn__onnx_rounded_axis(const nn_node *x, nn_shape scales) {
    const nn_shape shape = nn_node_shape(x);
    const int axis = shape.rank - scales.rank;
    for (int i = 1; i < scales.rank; i++)
        if (scales.extent[i] != 1) return -1;
    return axis >= 0 && scales.rank > 0 && scales.extent[0] == shape.extent[axis] ? axis : -1;
}

static void nn__onnx_see_bounds(void *user, nn_kernel kernel, const void *args) {
    nn__onnx_rounded *r = (nn__onnx_rounded *)user;
    const nn_program_args *a = (const nn_program_args *)args;
    if (kernel != NN_KERNEL_POINTWISE || a->program.scalar_count != 2) return;
    r->low = a->scalars[0];
    r->high = a->scalars[1];
}

/* Returns the dtype of the integers. Weights may use a part of its range, since their integers are
   computed here. Other values are written as u8 even if their range is -128 to 127: a shift by 128
   changes no result, and on x86 onnxruntime has integer layers for u8 alone. */
static nn_dtype nn__onnx_rounded_dtype(const nn__onnx_rounded *r) {
    if (r->leaf)
        return r->low >= -128.0f && r->high <= 127.0f  ? NN_I8
               : r->low >= 0.0f && r->high <= 255.0f ? NN_U8
                                                       : NN_DTYPE_DEFAULT;
    return r->high - r->low == 255.0f && (r->low == -128.0f || r->low == 0.0f) ? NN_U8
                                                                              : NN_DTYPE_DEFAULT;
}

static bool nn__onnx_fill_rounding(nn__onnx_emitter *e, nn__onnx_rounded *r,
                                   const nn_node_description *d) {
    const nn_shape scales = nn_node_shape(d->inputs[1]);
    const int64_t zeros = nn_shape_count(nn_node_shape(d->inputs[2]));
    const float *points;
    float *all;
    r->count = nn_shape_count(scales);
    r->axis = r->count == 1 ? 0 : nn__onnx_rounded_axis(d->inputs[0], scales);
    if (r->axis < 0 || (zeros != 1 && zeros != r->count)) return false;
    r->scales = nn__onnx_known_numbers(e, d->inputs[1]);
    points = r->scales ? nn__onnx_known_numbers(e, d->inputs[2]) : NULL;
    all = points ? (float *)nn__onnx_take(e->call, &e->arena, sizeof *all * (uint64_t)r->count)
                 : NULL;
    if (!all) return false;
    for (int64_t i = 0; i < r->count; i++) all[i] = points[zeros == 1 ? 0 : i];
    r->zeros = all;
    for (int64_t i = 0; i < r->count; i++)
        if (!(r->scales[i] > 0.0f && r->scales[i] < 1e30f && r->zeros[i] >= r->low &&
              r->zeros[i] <= r->high && r->zeros[i] == floorf(r->zeros[i])))
            return false;
    return true;
}

NN__ONNX_PRIVATE int nn__onnx_find_rounding(nn__onnx_emitter *e, nn_node *node) {
    const nn_node_description d = nn_describe_node(node);
    nn__onnx_rounded *r;
    if (d.kind != NN_NODE_OPERATION || strcmp(d.operation, "fake_quantize") != 0 ||
        d.input_count != 3 || nn_node_dtype(d.inputs[0]) != NN_F32 ||
        !nn__onnx_is_known(d.inputs[1], 32) || !nn__onnx_is_known(d.inputs[2], 32))
        return -1;
    r = (nn__onnx_rounded *)nn__onnx_take(e->call, &e->arena, sizeof *r);
    if (!r) return -1;
    r->node = node;
    r->leaf = nn__onnx_is_stored(d.inputs[0]);
    if (nn_node_call_at(e->call->site, node, NN__ONNX_B1, NN__ONNX_T1, nn__onnx_see_bounds, r) !=
        NN_OK)
        e->call->code = NN_ERROR_MEMORY;
    r->dtype = nn__onnx_rounded_dtype(r);
    if (r->dtype == NN_DTYPE_DEFAULT || !nn__onnx_fill_rounding(e, r, &d)) return -1;
    r->next = (nn__onnx_rounded *)e->roundings;
    e->roundings = r;
    return r->leaf ? 0 : 1;
}

/* ---- emitting -------------------------------------------------------------------------------- */

/* Emits numbers as integers of the rounding's dtype. */
static const char *nn__onnx_integers_out(nn__onnx_emitter *e, const nn__onnx_rounded *r,
                                         const char *name, nn_shape shape, const float *numbers) {
    const int64_t count = nn_shape_count(shape);
    const int shift = r->dtype == NN_U8 && r->low < 0.0f ? 128 : 0;
    unsigned char *bytes = (unsigned char *)nn__onnx_take(e->call, &e->arena, (uint64_t)count);
    for (int64_t i = 0; bytes && i < count; i++)
        bytes[i] = (unsigned char)((int)numbers[i] + shift);
    return bytes ? nn__onnx_emit_numbers(e, name, r->dtype, shape, bytes) : "";
}

/* Rounds a weight. The scale of an element is that of its index on the axis. */
static const char *nn__onnx_weight_out(nn__onnx_emitter *e, const nn__onnx_rounded *r,
                                       const nn_node *leaf, const char *name) {
    const nn_shape shape = nn_node_shape(leaf);
    float *numbers = nn__onnx_leaf_numbers(e, leaf);
    int64_t after = 1;
    for (int i = r->axis + 1; i < shape.rank; i++) after *= shape.extent[i];
    for (int64_t i = 0; numbers && i < nn_shape_count(shape); i++) {
        const int64_t at = r->count == 1 ? 0 : i / after % r->count;
        const float whole = rintf(numbers[i] / r->scales[at]) + r->zeros[at];
        numbers[i] = whole < r->low ? r->low : whole > r->high ? r->high : whole;
    }
    return numbers ? nn__onnx_integers_out(e, r, name, shape, numbers) : "";
}

/* The tensors of a rounding are called after what it rounds. */
static const char *nn__onnx_rounded_name(nn__onnx_emitter *e, const nn_node *x, const char *part) {
    nn__onnx_message name;
    memset(&name, 0, sizeof name);
    nn__onnx_say(&name, "%s_%s", nn_node_name(x), part);
    const char *copy = nn__onnx_copy_text(e->call, &e->arena, name.text, name.length);
    return copy ? copy : "";
}

NN__ONNX_PRIVATE bool nn__onnx_emit_rounding(nn__onnx_emitter *e, nn_node *node) {
    const nn__onnx_rounded *r = (const nn__onnx_rounded *)e->roundings;
    const nn_node_description d = nn_describe_node(node);
    const char *scale, *zero, *value, *name = nn__onnx_value_of(e, node);
    nn_shape shape;
    while (r && r->node != node) r = r->next;
    if (!r || (!r->leaf && !*nn__onnx_value_of(e, d.inputs[0]))) return false;
    memset(&shape, 0, sizeof shape);
    shape.rank = r->count == 1 ? 0 : 1;
    shape.extent[0] = (int32_t)r->count;
    scale = nn__onnx_emit_numbers(e, nn__onnx_rounded_name(e, d.inputs[0], "scale"), NN_F32, shape,
                                  r->scales);
    zero = nn__onnx_integers_out(e, r, nn__onnx_rounded_name(e, d.inputs[0], "zero_point"), shape,
                                 r->zeros);
    if (r->leaf)
        value = nn__onnx_weight_out(e, r, d.inputs[0],
                                    nn__onnx_rounded_name(e, d.inputs[0], "quantized"));
    else {
        nn__onnx_begin_op(e, "QuantizeLinear");
        nn__onnx_op_in(e, nn__onnx_value_of(e, d.inputs[0]));
        nn__onnx_op_in(e, scale);
        nn__onnx_op_in(e, zero);
        if (r->count > 1) nn__onnx_op_int(e, "axis", r->axis);
        value = nn__onnx_op_end(e, NULL);
    }
    nn__onnx_begin_op(e, "DequantizeLinear");
    nn__onnx_op_in(e, value);
    nn__onnx_op_in(e, scale);
    nn__onnx_op_in(e, zero);
    if (r->count > 1) nn__onnx_op_int(e, "axis", r->axis);
    if (!*name) nn__onnx_set_value(e, node, name = nn__onnx_new_name(e, nn_node_name(node)));
    nn__onnx_op_end(e, name);
    return true;
}
