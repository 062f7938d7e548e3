/* onnx/save_norm.c - norms: operators of ONNX where it has one, functions of "nn.h" where opset 17
   has none. */
#include "onnx/emit.h"

/* Returns a weight or, if the net has none, a tensor of this shape with the number everywhere. */
static const char *nn__onnx_or_filled(nn__onnx_emitter *e, const nn_view *view, const char *part,
                                      float number, const nn_shape *shape) {
    const int64_t count = nn_shape_count(*shape);
    nn__onnx_message name;
    float *numbers;
    if (view->dtype) return nn__onnx_in_x(e, view);
    if (count < 1) {
        nn__onnx_cannot(e, "it has no %s, and its number of channels is free", part);
        return "";
    }
    numbers = (float *)nn__onnx_take(e->call, &e->arena, sizeof(float) * (uint64_t)count);
    for (int64_t i = 0; numbers && i < count; i++) numbers[i] = number;
    memset(&name, 0, sizeof name);
    nn__onnx_say(&name, "%s.%s", nn_node_name(e->current), part);
    return numbers ? nn__onnx_emit_numbers(e, name.text, NN_F32, *shape, numbers) : "";
}

static nn_shape nn__onnx_vector_of(int64_t count) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = 1;
    shape.extent[0] = (int32_t)count;
    return shape;
}

/* Emits a norm over these axes with operators that every opset has. bias "": none. */
static void nn__onnx_written_norm(nn__onnx_emitter *e, const nn_norm_args *a, const int32_t *axes,
                                  int count, const char *weight, const char *bias) {
    const char *value = nn__onnx_in_x(e, &a->x), *out = nn__onnx_out(e, &a->y), *spread;
    spread = nn__onnx_axes_out(e, "ReduceMean", value, axes, count, true, NULL);
    value = nn__onnx_emit(e, "Sub", value, spread, NULL, NULL);
    spread = nn__onnx_emit(e, "Mul", value, value, NULL, NULL);
    spread = nn__onnx_axes_out(e, "ReduceMean", spread, axes, count, true, NULL);
    spread = nn__onnx_emit(e, "Add", spread, nn__onnx_real_out(e, (double)a->epsilon), NULL, NULL);
    spread = nn__onnx_emit(e, "Sqrt", spread, NULL, NULL, NULL);
    value = nn__onnx_emit(e, "Div", value, spread, NULL, NULL);
    value = nn__onnx_emit(e, "Mul", value, weight, NULL, *bias ? NULL : out);
    if (*bias) nn__onnx_emit(e, "Add", value, bias, NULL, out);
}

/* Emits layer_norm and rms_norm, over the last axes. */
static void nn__onnx_save_layer_norm(nn__onnx_emitter *e, const nn_norm_args *a) {
    const nn_shape shape = nn_node_shape(nn__onnx_node_at(&a->x));
    const char *x = nn__onnx_in_x(e, &a->x), *weight, *bias;
    nn_shape inner;
    int axis = shape.rank;
    int64_t count = 1;
    if (a->weight.dtype)
        axis = shape.rank - nn_node_shape(nn__onnx_node_at(&a->weight)).rank;
    else
        while (axis > 0 && count < a->cut.channels) count *= shape.extent[--axis];
    memset(&inner, 0, sizeof inner);
    for (int i = axis; i < shape.rank; i++) inner.extent[inner.rank++] = shape.extent[i];
    weight = nn__onnx_or_filled(e, &a->weight, "weight", 1.0f, &inner);
    if (a->rms && inner.rank != 1) {
        nn__onnx_cannot(e, "it is an rms norm over several axes");
        return;
    }
    if (a->rms) {
        const char *epsilon = nn__onnx_real_out(e, (double)a->epsilon);
        nn__onnx_begin_function(e, "RmsNorm");
        nn__onnx_op_in(e, x);
        nn__onnx_op_in(e, weight);
        nn__onnx_op_in(e, epsilon);
        nn__onnx_op_end(e, nn__onnx_out(e, &a->y));
        return;
    }
    bias = a->bias.dtype ? nn__onnx_in_x(e, &a->bias) : "";
    if (e->opset < 17) {
        int32_t axes[NN_MAX_RANK];
        for (int i = 0; i < inner.rank; i++) axes[i] = axis + i;
        nn__onnx_written_norm(e, a, axes, inner.rank, weight, bias);
        return;
    }
    nn__onnx_begin_op(e, "LayerNormalization");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, weight);
    nn__onnx_op_in(e, bias);
    nn__onnx_op_int(e, "axis", axis - shape.rank);
    nn__onnx_op_real(e, "epsilon", (double)a->epsilon);
    nn__onnx_op_end(e, nn__onnx_out(e, &a->y));
}

/* Emits group_norm. The groups become an axis of their own. */
static void nn__onnx_save_group_norm(nn__onnx_emitter *e, const nn_norm_args *a) {
    const nn_shape shape = nn_node_shape(nn__onnx_node_at(&a->x)),
                   channels = nn__onnx_vector_of((int64_t)a->cut.groups * a->cut.channels);
    int32_t grouped[3] = {0, 0, -1}, wide[NN_MAX_RANK];
    const char *operands[6];
    grouped[1] = a->cut.groups;
    wide[0] = channels.extent[0];
    for (int i = 1; i < NN_MAX_RANK; i++) wide[i] = 1;
    operands[0] = nn__onnx_in_x(e, &a->x);
    operands[1] = nn__onnx_or_filled(e, &a->weight, "weight", 1.0f, &channels);
    operands[2] = nn__onnx_or_filled(e, &a->bias, "bias", 0.0f, &channels);
    operands[3] = nn__onnx_real_out(e, (double)a->epsilon);
    operands[4] = nn__onnx_wholes_out(e, grouped, 3);
    operands[5] = nn__onnx_wholes_out(e, wide, shape.rank - 1);
    nn__onnx_begin_function(e, "GroupNorm");
    for (int i = 0; i < 6; i++) nn__onnx_op_in(e, operands[i]);
    nn__onnx_op_end(e, nn__onnx_out(e, &a->y));
}

/* Emits batch_norm with running statistics, and instance_norm. */
static void nn__onnx_save_channel_norm(nn__onnx_emitter *e, const nn_norm_args *a) {
    const nn_shape channels = nn__onnx_vector_of(a->cut.groups);
    const char *x = nn__onnx_in_x(e, &a->x);
    const char *weight = nn__onnx_or_filled(e, &a->weight, "weight", 1.0f, &channels);
    const char *bias = nn__onnx_or_filled(e, &a->bias, "bias", 0.0f, &channels);
    const char *mean = nn__onnx_in_x(e, &a->running_mean);
    const char *variance = nn__onnx_in_x(e, &a->running_var);
    nn__onnx_begin_op(e, a->cut.across ? "BatchNormalization" : "InstanceNormalization");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, weight);
    nn__onnx_op_in(e, bias);
    nn__onnx_op_in(e, mean);
    nn__onnx_op_in(e, variance);
    nn__onnx_op_real(e, "epsilon", (double)a->epsilon);
    nn__onnx_op_end(e, nn__onnx_out(e, &a->y));
}

/* Emits batch_norm with the statistics of the batch. */
static void nn__onnx_save_batch_statistics(nn__onnx_emitter *e, const nn_norm_args *a) {
    const nn_shape shape = nn_node_shape(nn__onnx_node_at(&a->x)),
                   channels = nn__onnx_vector_of(a->cut.groups);
    const char *wide, *part[2];
    int32_t axes[NN_MAX_RANK], extents[NN_MAX_RANK];
    int count = 0;
    part[0] = nn__onnx_or_filled(e, &a->weight, "weight", 1.0f, &channels);
    part[1] = nn__onnx_or_filled(e, &a->bias, "bias", 0.0f, &channels);
    for (int i = 0; i < shape.rank; i++) {
        if (i != 1) axes[count++] = i;
        if (i > 0) extents[i - 1] = i == 1 ? channels.extent[0] : 1;
    }
    wide = nn__onnx_wholes_out(e, extents, shape.rank - 1);
    for (int i = 0; i < 2; i++) part[i] = nn__onnx_emit(e, "Reshape", part[i], wide, NULL, NULL);
    nn__onnx_written_norm(e, a, axes, count, part[0], part[1]);
}

NN__ONNX_PRIVATE void nn__onnx_save_norm(nn__onnx_emitter *e, const nn_norm_args *a,
                                         const nn_norm_args *b) {
    const char *operation = nn_describe_node(e->current).operation;
    const int rank = nn_node_shape(nn__onnx_node_at(&a->x)).rank;
    (void)b;
    if (nn__onnx_is_needed(e, &a->mean) || nn__onnx_is_needed(e, &a->rstd) ||
        nn__onnx_is_needed(e, &a->variance))
        nn__onnx_cannot(e, "another operation reads its mean or standard deviation, which the ONNX "
                           "operator does not give");
    else if (strcmp(operation, "layer_norm") == 0 || strcmp(operation, "rms_norm") == 0)
        nn__onnx_save_layer_norm(e, a);
    else if (a->cut.across && !a->running_mean.dtype)
        nn__onnx_save_batch_statistics(e, a);
    else if (a->cut.across || (strcmp(operation, "instance_norm") == 0 && rank > 2))
        nn__onnx_save_channel_norm(e, a);
    else
        nn__onnx_save_group_norm(e, a);
}
