/* quantize/resize.c - nearest and bilinear resizing of quantised images: the rows and columns
   of x that each row and column of y lies between. */
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

NN_PRIVATE void nn__integers_see_resize(nn__integers *q, nn__integers_node *of,
                                        const nn_resize_args *args) {
    of->x = nn__integers_view(q, &args->x);
    if (of->x < 0 || !nn__integers_is_image(q->all[of->x].node) ||
        !nn__integers_is_image(of->node)) {
        of->why = "only images with known extents are resized in integers";
    } else if (args->antialias || args->mode == NN_RESIZE_CUBIC) {
        of->why = "resizing with cubic or antialias has no form in integers";
    } else {
        of->why = NULL;
        of->resize = *args;
        of->way = NN__WAY_RESIZE;
    }
}

/* Returns the place of x for nearest, found in f32 as by the f32 kernel (kernels/resize/args.h). */
static int32_t nn__integers_nearest(const nn_resize_args *args, float step, int i, int extent) {
    const float at = ((float)i + (args->mode == NN_RESIZE_NEAREST ? 0.0f : 0.5f)) * step;
    const int32_t place = at < (float)extent ? (int32_t)at : extent - 1;
    return place < extent ? place : extent - 1;
}

/* Source: ComputeInterpolationValuesInteger and ResizeBilinearInteger of TensorFlow Lite's
   reference kernels. Distances are multiples of 1/1024. A step that is not the ratio of the extents
   (a .scale_factor that gives no whole extent) is rounded to such a multiple. */
static void nn__integers_linear(const nn_resize_args *args, float step, int from, int to,
                                int32_t *table) {
    const bool corners = args->align_corners;
    int32_t scale = (1024 * from + to / 2) / to;
    if (corners && to > 1) scale = (1024 * (from - 1) + (to - 1) / 2) / (to - 1);
    if (!corners && fabsf(step - (float)from / (float)to) > 1e-6f * step)
        scale = (int32_t)floorf(1024.0f * step + 0.5f);
    if (from == to) scale = 1024;
    for (int i = 0; i < to; i++) {
        const int32_t at = corners ? i * scale : i * scale + scale / 2 - 512;
        const int32_t lower = at > 0 ? at / 1024 : 0, upper = at > 0 ? (at + 1023) / 1024 : 0;
        table[i] = lower < from ? lower : from - 1;
        table[to + i] = upper < from ? upper : from - 1;
        table[2 * to + i] = table[i] == table[to + i] ? 0 : at - 1024 * lower;
    }
}

static nn_result nn__integers_table_of(nn__integers *q, const nn_resize_args *args, bool across,
                                       int from, int to, nn_node *leaf) {
    const float step = across ? args->step_w : args->step_h;
    const size_t bytes = 3 * (size_t)to * sizeof(int32_t);
    int32_t *table = (int32_t *)nn__integers_take(q, bytes);
    if (!table) return NN_ERROR_MEMORY;
    if (args->mode == NN_RESIZE_LINEAR) {
        nn__integers_linear(args, step, from, to, table);
    } else {
        for (int i = 0; i < to; i++) {
            table[i] = table[to + i] = nn__integers_nearest(args, step, i, from);
            table[2 * to + i] = 0;
        }
    }
    return nn__integers_fill(q, leaf, table, bytes);
}

NN_PRIVATE nn_result nn__integers_build_resize(nn__integers *q, nn__integers_node *of, nn_node *x,
                                               const nn_shape *shape) {
    nn_node *made = nn__integer_resize2d(q->to, of->node->site, of->node->name, x, shape);
    if (made->poisoned) return NN_ERROR_MEMORY;
    of->made = made;
    for (int i = 0; i < 2; i++)
        if (nn__integers_table_of(q, &of->resize, i == 1, x->shape.extent[1 + i],
                                  shape->extent[1 + i], made->inputs[1 + i]) != NN_OK)
            return NN_ERROR_MEMORY;
    return NN_OK;
}
#endif

typedef int nn__integers_resize_part; /* a part must not be empty under NN__NO_TRAINER */
