/* onnx/fold_shapes.c - constants and shapes: what is known without computing. */
#include "onnx/mapping.h"

static bool nn__onnx_fold_constant(nn__onnx_node *n) {
    static const char *const names[] = {"value", "value_float", "value_int", "value_floats",
                                        "value_ints"};
    const nn__onnx_attribute *found = NULL;
    nn__onnx_tensor *tensor;
    unsigned char *data;
    int64_t extent;
    bool real;
    for (int i = 0; i < 5 && !found; i++) found = nn__onnx_attribute_of(n, names[i]);
    if (!found) return !nn__onnx_refuse(n, NULL, "it has no number (sparse or text)");
    if (found->tensor) {
        tensor = (nn__onnx_tensor *)nn__onnx_scratch(n, sizeof *tensor);
        if (!tensor) return true;
        *tensor = *found->tensor;
        if (n->op->output_count > 0) tensor->name = n->op->outputs[0];
        nn__onnx_give_known(n, 0, tensor);
        return true;
    }
    real = found->type == 1 || found->type == 6;
    extent = found->count;
    tensor =
        nn__onnx_new(n, real ? NN__ONNX_FLOAT : NN__ONNX_INT64, found->type >= 6, &extent, &data);
    for (uint64_t i = 0; tensor && i < tensor->count; i++) {
        if (real)
            nn__onnx_put_real(data, NN__ONNX_FLOAT, i,
                              found->reals ? found->reals[i] : found->real);
        else
            nn__onnx_put_whole(data, NN__ONNX_INT64, i,
                               found->wholes ? found->wholes[i] : found->whole);
    }
    nn__onnx_give_known(n, 0, tensor);
    return true;
}

static bool nn__onnx_fold_identity(nn__onnx_node *n) {
    nn__onnx_pass(n, 0, 0);
    return true;
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_fold_shapes(void) {
    static const nn__onnx_operator lines[] = {{"", "Constant", 1, 0, NULL, nn__onnx_fold_constant},
                                              {"", "Identity", 1, 0, NULL, nn__onnx_fold_identity},
                                              {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
