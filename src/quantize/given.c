/* quantize/given.c - inputs and outputs of a quantised net that are integers
   (.integer_inputs, .integer_outputs). */
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

NN_PRIVATE void nn__integers_find_given(nn__integers *q) {
    for (int i = 0; i < q->count; i++) q->all[i].given = -1;
    for (int i = 0; i < q->count && q->desc.integer_inputs; i++) {
        const nn__integers_node *of = &q->all[i];
        if (!of->whole || !of->entry) continue;
        nn__integers_node *input = &q->all[of->way == NN__WAY_FAKE ? of->x : i];
        if (input->node->kind == NN__INPUT && input->node->dtype == NN_F32) input->given = i;
    }
}

/* Puts the integers of each output in the place of the original, where nn_copied_node looks. */
NN_PRIVATE nn_result nn__integers_keep_outputs(nn__integers *q) {
    for (int i = 0; i < q->count && q->desc.integer_outputs; i++) {
        nn__integers_node *of = &q->all[i];
        nn_node *real = q->copy.nodes[i];
        if (!of->output || !of->whole || of->entry || !of->made || of->flat[0]) continue;
        nn_node *whole = of->made;
        if (whole->order < q->to->copied) /* it stands for another node */
            whole = nn_reshape_at(of->node->site, q->to, whole, whole->shape);
        if (whole->poisoned) return NN_ERROR_MEMORY;
        if (real && real->order == of->node->order) real->order = q->to->order++;
        if (real) real->keep = false;
        whole->order = of->node->order;
        whole->keep = of->node->keep;
    }
    return NN_OK;
}

NN_PRIVATE nn_result nn__integers_give(nn__integers *q, nn_plan *plan, const nn_node *node,
                                       const nn_tensor *tensor) {
    nn__integers_node *of = NULL;
    for (int i = 0; i < q->count; i++)
        if (q->all[i].made == node) of = &q->all[i];
    if (!of || !tensor) return NN_ERROR_ARGUMENT;
    const nn__integers_node *scaled = nn__integers_scaled(q, (int)(of - q->all));
    const size_t count = (size_t)nn_tensor_bytes(tensor) / sizeof(float),
                 batch = (size_t)nn_tensor_shape(tensor).extent[0];
    const nn_shape *shape = &of->node->shape;
    const size_t channels = of->image ? (size_t)shape->extent[1] : 1,
                 plane = count / batch / channels;
    if (!of->bytes) { /* the first batch is the largest */
        of->bytes = (int8_t *)nn__integers_take(q, count * (sizeof(float) + 1));
        if (!of->bytes) return NN_ERROR_MEMORY;
    }
    int8_t *bytes = of->bytes + count * sizeof(float);
    float *numbers = (float *)(void *)of->bytes;
    nn_result result =
        nn_download_tensor_at(q->site, tensor, numbers, count * sizeof(float));
    for (size_t i = 0; i < count && result == NN_OK; i++) {
        const float part = numbers[i] / scaled->scale;
        const double x = (double)part, whole = x < 0.0 ? -floor(0.5 - x) : floor(x + 0.5);
        const double value = x == x ? whole + scaled->zero : scaled->zero;
        bytes[(i / plane / channels * plane + i % plane) * channels + i / plane % channels] =
            (int8_t)(value < -128.0 ? -128.0 : value > 127.0 ? 127.0 : value);
    }
    return result == NN_OK ? nn_upload_at(q->site, plan, (nn_node *)(uintptr_t)node, bytes, count)
                           : result;
}
#endif

typedef int nn__integers_given_part; /* a part must not be empty under NN__NO_TRAINER */
