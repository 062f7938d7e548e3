/* ops/fractional_pool.c - max pools with windows at random places. The windows are gathered side
   by side; then a pool whose stride is its kernel takes the maximum of each. */
#include "ops/fractional_pool.h"
#include "ops/elements.h"
#include "ops/cumsum.h"
#include "ops/table.h"
#include "ops/volume_private.h"

/* The params of both rules. Images have a depth of 1. */
typedef struct nn__op_fractional {
    bool given, samples;
    int dims, kernel[3], out[3];
    float ratio;
    nn__problem wrong; /* the first number of the desc that is not legal */
} nn__op_fractional;

/* Returns the output extent for an extent of x. */
static int nn__op_fractional_out(const nn__op_fractional *p, int axis, int32_t extent) {
    if (p->out[axis] || p->ratio == 0.0f) return p->out[axis];
    return (int)((double)extent * (double)p->ratio);
}

static bool nn__op_fractional_axis(nn__inference *inference, const nn__op_fractional *p, int axis,
                                   int32_t extent) {
    static const char *const names[] = {"out_d", "out_h", "out_w"};
    const int out = nn__op_fractional_out(p, axis, extent);
    char name[NN__AXIS_FIELD];
    nn__volume_field(name, "kernel", p->kernel, axis);
    if (p->kernel[axis] > extent)
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT, NN__TEXT("a smaller kernel"),
                               NN__TEXT("%s is %d, and the extent that it runs along is %d"), name,
                               p->kernel[axis], (int)extent);
    if (out >= 1 && out - 1 <= extent - p->kernel[axis]) return true;
    return nn__problem_set(
        inference->problem, NN_ERROR_ARGUMENT, NN__TEXT("a smaller extent of the result, or a "
                                                        "smaller kernel"),
        NN__TEXT("%s is %d; an extent of %d and a kernel of %d allow 1 to %d"), names[axis], out,
        (int)extent, p->kernel[axis], (int)extent - p->kernel[axis] + 1);
}

static bool nn__op_fractional_infer(nn__inference *inference) {
    const nn__op_fractional *p = (const nn__op_fractional *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT];
    double places = 1.0, seen = 1.0;
    if (!nn__want_dtype(problem, inference->operation, "input", inference->inputs[0].dtype, NN_F32))
        return false;
    if (!p->given)
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT,
            NN__TEXT("give an nn_fractional_pool_desc with .kernel, .out_h and .out_w"),
            NN__TEXT("desc is NULL"));
    if (p->wrong.code != NN_OK) {
        *problem = p->wrong;
        return false;
    }
    bool known = x.rank == 2 + p->dims;
    for (int i = 1; i < x.rank && known; i++) known = !nn__is_symbolic(x.extent[i]);
    for (int i = 2; i < x.rank && known; i++) places *= x.extent[i];
    if (!known || places > 16777216.0)
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape it to this shape; at most 2^24 places"),
                               NN__TEXT("the input is %s; %s wants %s, all but N known"),
                               nn__format_shape(x, text, sizeof text), inference->operation,
                               p->dims == 3 ? "(N, C, D, H, W)" : "(N, C, H, W)");
    if (p->ratio != 0.0f && !(p->ratio > 0.0f && p->ratio < 1.0f))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("0.5f leaves half"),
                               NN__TEXT("ratio is %g; it must be between 0 and 1"),
                               (double)p->ratio);
    if (p->dims == 2 && p->out[0])
        return nn__refuse_number(problem, "out_d", p->out[0], "0: images have no depth");
    for (int i = 3 - p->dims; i < 3; i++)
        if (!nn__op_fractional_axis(inference, p, i, x.extent[i + p->dims - 1])) return false;
    for (int i = 3 - p->dims; i < 3; i++)
        seen *= (double)nn__op_fractional_out(p, i, x.extent[i + p->dims - 1]) * p->kernel[i];
    if (seen > (double)INT32_MAX)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("fewer, or smaller ones"),
                               NN__TEXT("the windows of a channel have %.0f places; 2^31 are too "
                                        "many"),
                               seen);
    if (!p->samples) return true;
    nn_shape wanted = x;
    wanted.rank = 3;
    wanted.extent[2] = p->dims;
    return nn__want_dtype(problem, inference->operation, "samples", inference->inputs[1].dtype,
                          NN_F32) &&
           nn__want_role_shape(problem, "samples", wanted, inference->inputs[1].shape);
}
static const nn__rule nn__rule_fractional2d =
    NN__COMPOSED_RULE("fractional_max_pool2d", nn__op_fractional_infer);
static const nn__rule nn__rule_fractional3d =
    NN__COMPOSED_RULE("fractional_max_pool3d", nn__op_fractional_infer);

/* Returns the expression `text` of a and b, with the numbers p, q and r. */
static nn_node *nn__op_fractional_line(nn_site site, nn_model *net, const char *text, nn_node *a,
                                       nn_node *b, float p, float q, float r) {
    const float numbers[3] = {p, q, r};
    return nn__add_text(site, net, "windows", text, a, b, NULL, NULL, numbers);
}

/* Returns the number `at` of each channel: (N, C, 1). */
static nn_node *nn__op_fractional_slice(nn_site site, nn_model *net, nn_node *x, int at) {
    nn_slice_desc slice;
    memset(&slice, 0, sizeof slice);
    slice.axis = 2;
    slice.start = at;
    slice.stop = at + 1;
    return nn_slice_at(site, net, x, &slice);
}

/* Returns the places of `out` windows of `kernel` along an extent: (N, C, out * kernel). u (N, C,
   1): random numbers. */
static nn_node *nn__op_fractional_places(nn_site site, nn_model *net, nn_node *u, int extent,
                                         int out, int kernel) {
    nn_shape times;
    memset(&times, 0, sizeof times);
    times.rank = 3;
    times.extent[0] = times.extent[1] = 1;
    times.extent[2] = out;
    u = nn_repeat_at(site, net, u, times);
    nn_node *i = nn__op_fractional_line(site, net, "u: u == u", u, NULL, 0.0f,
                                        0.0f, 0.0f);
    i = nn_cumsum_at(site, net, i, 2);
    const float step = out > 1 ? (float)(extent - kernel) / (float)(out - 1) : 0.0f;
    nn_node *begin =
        nn__op_fractional_line(site, net, "i, u: i < q ? floor((i - 1 + u) * p) - floor(u * p) : r",
                               i, u, step, (float)out, (float)(extent - kernel));
    nn_node **parts = (nn_node **)nn__arena_take(&net->graph.arena, sizeof *parts * (size_t)kernel);
    if (!parts)
        return nn__poison_memory(net, "fractional_max_pool", sizeof *parts * (size_t)kernel);
    nn_nodes list;
    list.node = parts;
    list.count = kernel;
    for (int k = 0; k < kernel; k++) parts[k] = nn_offset_at(site, net, begin, (float)k);
    return nn_stack_at(site, net, list, 3);
}

/* Returns the index of each place of each window, within its plane or volume. */
static nn_node *nn__op_fractional_index(nn_site site, nn_model *net, const nn__op_fractional *p,
                                        nn_shape x, nn_node *samples) {
    nn_node *sum = NULL;
    for (int i = 3 - p->dims; i < 3; i++) {
        const int32_t extent = x.extent[i + p->dims - 1];
        const int out = nn__op_fractional_out(p, i, extent);
        /* PyTorch's order: width, height for images; depth, height, width for volumes */
        nn_node *u = nn__op_fractional_slice(site, net, samples, p->dims == 2 ? 2 - i : i);
        u = nn__op_fractional_places(site, net, u, extent, out, p->kernel[i]);
        const int32_t places = out * p->kernel[i];
        u = nn__volume_see(site, net, u, 5, x.extent[0], x.extent[1], i == 0 ? places : 1,
                           i == 1 ? places : 1, i == 2 ? places : 1, 0);
        sum = sum ? nn__op_fractional_line(site, net, "a, b: a * p + b", sum, u,
                                           (float)extent, 0.0f, 0.0f)
                  : u;
    }
    return nn_cast_at(site, net, sum, NN_I32);
}

/* Returns random numbers (N, C, dims). Only the shape of x (N, C, places) matters. */
static nn_node *nn__op_fractional_samples(nn_site site, nn_model *net, nn_node *x, int dims) {
    nn_shape times;
    memset(&times, 0, sizeof times);
    times.rank = 3;
    times.extent[0] = times.extent[1] = 1;
    times.extent[2] = dims;
    x = nn_repeat_at(site, net, nn__op_fractional_slice(site, net, x, 0), times);
    return nn__op_fractional_line(site, net, "x: random() * max(x == x, 1)", x, NULL,
                                  0.0f, 0.0f, 0.0f);
}

/* Reshapes to (N, C, D, H, W), or (N, C, H, W) if dims is 2. */
static nn_node *nn__op_fractional_see(nn_site site, nn_model *net, nn_node *x, int dims, nn_shape s,
                                      const int32_t *extent) {
    return dims == 2 ? nn__volume_see(site, net, x, 4, s.extent[0], s.extent[1], extent[1],
                                      extent[2], 0, 0)
                     : nn__volume_see(site, net, x, 5, s.extent[0], s.extent[1], extent[0],
                                      extent[1], extent[2], 0);
}

/* Returns the maximum of each window; the windows lie side by side. */
static nn_node *nn__op_fractional_largest(nn_site site, nn_model *net, nn_node *x, int dims,
                                          const int *kernel) {
    nn_pool2d_desc plane;
    nn_pool3d_desc volume;
    memset(&plane, 0, sizeof plane);
    memset(&volume, 0, sizeof volume);
    plane.kernel_h = volume.kernel_h = kernel[1];
    plane.kernel_w = volume.kernel_w = kernel[2];
    volume.kernel_d = kernel[0];
    return dims == 2 ? nn_max_pool2d_at(site, net, x, &plane)
                     : nn_max_pool3d_at(site, net, x, &volume);
}

static void nn__op_fractional_kernel(nn__op_fractional *p, const nn_fractional_pool_desc *desc) {
    if (p->dims == 3) {
        nn__per_axis_3d(&p->wrong, "kernel", NN__PER_AXIS_KERNEL, desc->kernel, desc->kernel_d,
                        desc->kernel_h, desc->kernel_w, p->kernel);
        return;
    }
    if (nn__per_axis_2d(&p->wrong, "kernel", NN__PER_AXIS_KERNEL, desc->kernel, desc->kernel_h,
                        desc->kernel_w, p->kernel + 1) &&
        desc->kernel_d)
        nn__refuse_number(&p->wrong, "kernel_d", desc->kernel_d, "0: an image has no depth");
    p->kernel[0] = p->kernel[1]; /* for the names in messages */
}

static nn_node *nn__op_fractional_build(nn_site site, nn_model *net, const nn__rule *rule,
                                        nn_node *x, int dims, const nn_fractional_pool_desc *desc) {
    static const char *const roles[] = {"input", "samples"};
    nn__op_fractional p;
    nn_node *inputs[2];
    memset(&p, 0, sizeof p);
    p.dims = dims;
    p.given = desc != NULL;
    inputs[0] = x;
    inputs[1] = desc ? desc->samples : NULL;
    p.samples = inputs[1] != NULL;
    if (desc) {
        nn__op_fractional_kernel(&p, desc);
        p.out[0] = desc->out_d;
        p.out[1] = desc->out_h;
        p.out[2] = desc->out_w;
        p.ratio = desc->ratio;
    }
    x = nn__build(site, net, rule, NULL, NULL, inputs, roles, p.samples ? 2 : 1, &p, 0);
    if (!x || x->poisoned) return x;
    const nn_shape s = x->shape;
    const int32_t n = s.extent[0], c = s.extent[1];
    int32_t from = 1, to = 1, left = 1, wide[3] = {1, 1, 1}, out[3] = {1, 1, 1};
    for (int i = 3 - dims; i < 3; i++) {
        out[i] = nn__op_fractional_out(&p, i, s.extent[i + dims - 1]);
        wide[i] = out[i] * p.kernel[i];
        from *= s.extent[i + dims - 1];
        to *= wide[i];
        left *= out[i];
    }
    nn_node *flat = nn__volume_see(site, net, x, 3, n, c, from, 0, 0, 0), *samples = inputs[1];
    if (!samples) samples = nn__op_fractional_samples(site, net, flat, dims);
    nn_node *index = nn__op_fractional_index(site, net, &p, s, samples);
    index = nn__volume_see(site, net, index, 3, n, c, to, 0, 0, 0);
    nn_node *y = nn_gather_at(site, net, flat, 2, index), *at;
    y = nn__op_fractional_see(site, net, y, dims, s, wide);
    y = nn__op_fractional_largest(site, net, y, dims, p.kernel);
    at = nn__volume_see(site, net, nn_output_at(site, y, 1), 3, n, c, left, 0, 0, 0);
    at = nn_gather_at(site, net, index, 2, at);
    /* a new node, so that it can have the index in x as its second output */
    y = nn__op_fractional_see(site, net, y, dims, s, out);
    nn__add_result(y, 1, nn__op_fractional_see(site, net, at, dims, s, out));
    return y;
}

NN_API nn_node *nn_fractional_max_pool2d_at(nn_site site, nn_model *net, nn_node *x,
                                            const nn_fractional_pool_desc *desc) {
    return nn__op_fractional_build(site, net, &nn__rule_fractional2d, x, 2, desc);
}
NN_API nn_node *nn_fractional_max_pool3d_at(nn_site site, nn_model *net, nn_node *x,
                                            const nn_fractional_pool_desc *desc) {
    return nn__op_fractional_build(site, net, &nn__rule_fractional3d, x, 3, desc);
}
