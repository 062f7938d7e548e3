/* onnx/save_index.c - gathering and scattering. */
#include "onnx/emit.h"

NN__ONNX_PRIVATE void nn__onnx_save_gather(nn__onnx_emitter *e, const nn_gather_args *a,
                                           const nn_gather_args *b) {
    const char *x = nn__onnx_seen(e, &a->x, &b->x);
    const char *index = nn__onnx_seen(e, &a->index, &b->index);
    nn__onnx_begin_op(e, "Gather");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, index);
    if (a->axis) nn__onnx_op_int(e, "axis", a->axis);
    nn__onnx_end_seen(e, &a->y, &b->y);
}

NN__ONNX_PRIVATE void nn__onnx_save_gather_elements(nn__onnx_emitter *e,
                                                    const nn_gather_elements_args *a,
                                                    const nn_gather_elements_args *b) {
    const char *x = nn__onnx_seen(e, &a->x, &b->x);
    const char *index = nn__onnx_seen(e, &a->index, &b->index);
    nn__onnx_begin_op(e, "GatherElements");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, index);
    nn__onnx_op_int(e, "axis", a->axis);
    nn__onnx_end_seen(e, &a->y, &b->y);
}

/* Returns a tensor of the shape that is filled with the number. */
static const char *nn__onnx_fill_out(nn__onnx_emitter *e, double number, const nn_shape *shape) {
    return nn__onnx_emit(e, "Expand", nn__onnx_real_out(e, number), nn__onnx_shape_out(e, shape),
                         NULL, NULL);
}

NN__ONNX_PRIVATE void nn__onnx_save_scatter_elements(nn__onnx_emitter *e,
                                                     const nn_scatter_elements_args *a,
                                                     const nn_scatter_elements_args *b) {
    static const char *const words[] = {"add", "none", "mul", "max", "min"};
    const nn_shape y = nn__onnx_shape_seen(e, &a->y, &b->y);
    const nn_shape part = nn__onnx_shape_seen(e, &a->index, &b->index);
    const char *base =
        a->base.dtype ? nn__onnx_seen_x(e, &a->base, &b->base) : nn__onnx_fill_out(e, 0, &y);
    const char *x = a->x.dtype ? nn__onnx_seen_x(e, &a->x, &b->x)
                               : nn__onnx_fill_out(e, (double)a->value, &part);
    const char *index = nn__onnx_seen(e, &a->index, &b->index);
    if (a->combine != NN_COMBINE_REPLACE && e->opset < (a->combine < NN_COMBINE_MAX ? 16 : 18))
        nn__onnx_cannot(e, "ONNX has ScatterElements with %s from opset %d on", words[a->combine],
                        (int64_t)(a->combine < NN_COMBINE_MAX ? 16 : 18));
    nn__onnx_begin_op(e, "ScatterElements");
    nn__onnx_op_in(e, base);
    nn__onnx_op_in(e, index);
    nn__onnx_op_in(e, x);
    nn__onnx_op_int(e, "axis", a->axis);
    if (a->combine != NN_COMBINE_REPLACE)
        nn__onnx_op_text(e, "reduction", words[a->combine]);
    nn__onnx_end_seen(e, &a->y, &b->y);
}
