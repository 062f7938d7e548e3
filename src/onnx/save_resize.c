/* onnx/save_resize.c - resizing and sampling of images and lines. */
#include "onnx/emit.h"

/* True if this scale makes y places of x, as other runtimes compute it. */
static bool nn__onnx_scale_fits(float scale, int32_t x, int32_t y) {
    return (int32_t)floorf((float)x * scale) == y;
}

/* Returns the scale of an axis: that of the extents, or of a step that the user gave. 0: none is
   exact. */
static float nn__onnx_scale_of(const nn_resize_args *a, const nn_resize_args *b, int at) {
    const int32_t x = a->x.shape.extent[at], y = a->y.shape.extent[at];
    const int32_t x2 = b->x.shape.extent[at], y2 = b->y.shape.extent[at];
    const float step = at == 2 ? a->step_h : a->step_w, plain = (float)x / (float)y;
    const bool given = !a->align_corners && !(fabsf(step - plain) <= 1e-6f * plain);
    const float scale = given ? 1.0f / step : (float)y / (float)x;
    const bool fits = nn__onnx_scale_fits(scale, x, y) && nn__onnx_scale_fits(scale, x2, y2);
    return fits && (given || (int64_t)x * y2 == (int64_t)y * x2) ? scale : given ? -1.0f : 0.0f;
}

/* Returns the scales of all axes; NULL if one is not exact: then sizes are given. */
static const char *nn__onnx_scales_out(nn__onnx_emitter *e, const nn_resize_args *a,
                                       const nn_resize_args *b, int rank) {
    float *scales = (float *)nn__onnx_take(e->call, &e->arena, sizeof(float) * (size_t)rank);
    nn_shape shape;
    if (!scales) return "";
    for (int i = 0; i < rank; i++) {
        scales[i] = i < 2 ? 1.0f : nn__onnx_scale_of(a, b, 4 - rank + i);
        if (scales[i] < 0.0f) nn__onnx_cannot(e, "its step does not follow from its extents");
        if (scales[i] <= 0.0f) return NULL;
    }
    memset(&shape, 0, sizeof shape);
    shape.rank = 1;
    shape.extent[0] = rank;
    return nn__onnx_emit_numbers(e, "scales", NN_F32, shape, scales);
}

NN__ONNX_PRIVATE void nn__onnx_save_resize(nn__onnx_emitter *e, const nn_resize_args *a,
                                           const nn_resize_args *b) {
    static const char *const modes[] = {"nearest", "nearest", "linear", "cubic"};
    const nn_shape y = nn_node_shape(nn__onnx_node_at(&a->y));
    const char *x = nn__onnx_in_x(e, &a->x), *scales, *sizes = NULL;
    if (a->antialias)
        nn__onnx_cannot(e, "it is antialiased, and runtimes disagree about that at the borders");
    if (!nn__onnx_writes_on(e)) return;
    scales = nn__onnx_scales_out(e, a, b, y.rank);
    if (!scales) sizes = nn__onnx_shape_out(e, &y);
    nn__onnx_begin_op(e, "Resize");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, "");
    nn__onnx_op_in(e, scales ? scales : "");
    if (sizes) nn__onnx_op_in(e, sizes);
    nn__onnx_op_text(e, "mode", modes[a->mode]);
    nn__onnx_op_text(e, "coordinate_transformation_mode",
                     a->mode == NN_RESIZE_NEAREST ? "asymmetric"
                     : a->align_corners           ? "align_corners"
                                                  : "half_pixel");
    if (a->mode == NN_RESIZE_NEAREST) nn__onnx_op_text(e, "nearest_mode", "floor");
    if (a->mode == NN_RESIZE_NEAREST_EXACT)
        nn__onnx_op_text(e, "nearest_mode", "round_prefer_ceil");
    if (a->mode == NN_RESIZE_CUBIC) nn__onnx_op_real(e, "cubic_coeff_a", (double)a->cubic);
    nn__onnx_op_end(e, nn__onnx_out(e, &a->y));
}

NN__ONNX_PRIVATE void nn__onnx_save_grid_sample(nn__onnx_emitter *e, const nn_grid_sample_args *a,
                                                const nn_grid_sample_args *b) {
    static const char *const old_modes[] = {"bilinear", "nearest", "bicubic"},
                             *const new_modes[] = {"linear", "nearest", "cubic"};
    static const char *const paddings[] = {"zeros", "border", "reflection"};
    const char *x = nn__onnx_in_x(e, &a->x), *grid = nn__onnx_in_x(e, &a->grid);
    (void)b;
    if (e->opset < 16) nn__onnx_cannot(e, "ONNX has GridSample from opset 16 on");
    nn__onnx_begin_op(e, "GridSample");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, grid);
    nn__onnx_op_text(e, "mode", e->opset < 20 ? old_modes[a->mode] : new_modes[a->mode]);
    nn__onnx_op_text(e, "padding_mode", paddings[a->padding]);
    nn__onnx_op_int(e, "align_corners", a->align_corners);
    nn__onnx_op_end(e, nn__onnx_out(e, &a->y));
}
