/* ops/volume.c - checks of windows that convolutions and pools of volumes share. */
#include "ops/volume_private.h"

NN_PRIVATE void nn__volume_triple(nn__volume *v, const char *field, nn__per_axis kind, int all,
                                  int d, int h, int w, int *to) {
    nn__per_axis_3d(v->wrong.code == NN_OK ? &v->wrong : NULL, field, kind, all, d, h, w, to);
    for (int i = 0; i < 3 && kind == NN__PER_AXIS_POOL_STRIDE; i++)
        if (to[i] == 0) to[i] = v->kernel[i];
}

NN_PRIVATE const char *nn__volume_field(char *text, const char *field, const int *numbers,
                                        int axis) {
    if (numbers[0] != numbers[1] || numbers[1] != numbers[2])
        return nn__axis_field(text, field, axis, 3);
    nn__format(text, NN__AXIS_FIELD, "%s", field);
    return text;
}

NN_PRIVATE bool nn__volume_check(const nn__inference *inference, int which, const nn__volume *v) {
    const nn__type *x = &inference->inputs[which];
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT];
    if (!nn__want_dtype(problem, inference->operation, inference->roles[which], x->dtype, NN_F32))
        return false;
    if (v->missing)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT(v->missing),
                               NN__TEXT("desc is NULL"));
    bool known = x->shape.rank == 5;
    for (int i = 1; i < 5 && known; i++) known = !nn__is_symbolic(x->shape.extent[i]);
    if (!known)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE,
            NN__TEXT("nn_reshape it to this shape; for images use the call for 2d"),
            NN__TEXT("%s is %s; %s wants (N, C, D, H, W), all but N known"),
            inference->roles[which], nn__format_shape(x->shape, text, sizeof text),
            inference->operation);
    if (v->wrong.code == NN_OK) return true;
    *problem = v->wrong;
    return false;
}

NN_PRIVATE int32_t nn__volume_windows(nn__inference *inference, const nn__volume *v, int axis,
                                      int32_t extent) {
    const int64_t covers = (int64_t)v->dilation[axis] * (v->kernel[axis] - 1) + 1,
                  room = (int64_t)extent + 2 * (int64_t)v->padding[axis] - covers,
                  more = v->ceil ? v->stride[axis] - 1 : 0; /* as in PyTorch; see ops/pool2d.c */
    if (room + more < 0) {
        nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                        NN__TEXT("a smaller kernel or dilation, or more padding"),
                        NN__TEXT("the kernel covers %lld along the %s, where %s with its padding "
                                 "has only %lld"),
                        (long long)covers,
                        axis == 0   ? "depth"
                        : axis == 1 ? "height"
                                    : "width",
                        inference->roles[0], (long long)(room + covers));
        return 0;
    }
    int64_t windows = (room + more) / v->stride[axis] + 1;
    if (v->ceil && (windows - 1) * v->stride[axis] >= (int64_t)extent + v->padding[axis])
        windows--; /* it would begin in the padding after x */
    return (int32_t)nn__min64(windows, INT32_MAX);
}

NN_PRIVATE bool nn__volume_fits(const nn__inference *inference, const char *what, int64_t a,
                                int64_t b) {
    if (a <= INT32_MAX && b <= INT32_MAX && a * b <= INT32_MAX) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("make it smaller"),
                           NN__TEXT("%s: %lld times %lld are more than an extent holds"), what,
                           (long long)a, (long long)b);
}

NN_PRIVATE nn_node *nn__volume_see(nn_site site, nn_model *net, nn_node *x, int rank, int32_t a,
                                   int32_t b, int32_t c, int32_t d, int32_t e, int32_t f) {
    nn_shape shape;
    if (!x || x->poisoned) return x;
    memset(&shape, 0, sizeof shape);
    shape.rank = rank;
    shape.extent[0] = a;
    shape.extent[1] = b;
    shape.extent[2] = c;
    if (rank > 3) shape.extent[3] = d;
    if (rank > 4) shape.extent[4] = e;
    if (rank > 5) shape.extent[5] = f;
    return nn_reshape_at(site, net, x, shape);
}
