/* ops/conv3d.c - convolutions of volumes, composed of convolutions of images. (N, C, D, H, W)
   becomes N * OD images, whose channels are the planes that a filter covers; a weight (K, C /
   groups, Q, R, S) becomes (K, C / groups * Q, R, S). In a transposed convolution, each plane
   contributes to Q planes of the result, and the contributions are added up. */
#include "ops/conv_transpose.h"
#include "ops/table.h"
#include "ops/volume_private.h"

/* Largest depth of a filter. */
#define NN__VOLUME_TAPS 4096

/* The params of both rules. */
typedef struct nn__op_conv3d {
    nn__volume v;
    int out_channels, in_channels, groups, mode;
    bool same, no_bias, shared, transposed;
} nn__op_conv3d;

static bool nn__op_conv3d_channels(nn__inference *inference, const nn__op_conv3d *p) {
    const int channels = inference->inputs[0].shape.extent[1];
    nn__problem *problem = inference->problem;
    if (p->out_channels < 1)
        return nn__refuse_number(problem, "out_channels", p->out_channels, "at least 1");
    if (p->groups < 1) return nn__refuse_number(problem, "groups", p->groups, "at least 1");
    if (p->mode < 0 || p->mode > NN_PADDING_CIRCULAR)
        return nn__refuse_number(problem, "padding_mode", p->mode, "an nn_padding_mode");
    if (p->in_channels && p->in_channels != channels)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("leave in_channels out"),
                               NN__TEXT("in_channels is %d, but the input has %d channels"),
                               p->in_channels, channels);
    if (channels % p->groups || p->out_channels % p->groups)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("groups must divide both"),
                               NN__TEXT("groups is %d, with %d input and %d output channels"),
                               p->groups, channels, p->out_channels);
    return true;
}

/* Returns the distance from the first place of a filter to its last. */
static int64_t nn__op_conv3d_reach(const nn__op_conv3d *p, int axis) {
    return (int64_t)p->v.dilation[axis] * (p->v.kernel[axis] - 1);
}

/* Computes the padding before and after an axis. */
static void nn__op_conv3d_around(const nn__op_conv3d *p, int axis, int *before, int *after) {
    const int reach = (int)nn__op_conv3d_reach(p, axis);
    *before = p->same ? reach / 2 : p->v.padding[axis];
    *after = p->same ? reach - reach / 2 : p->v.padding[axis];
}

/* Checks that an axis with its padding fits into an extent. */
static bool nn__op_conv3d_room(nn__inference *inference, const nn__op_conv3d *p, int axis,
                               int32_t extent) {
    const int64_t around =
        p->same ? nn__op_conv3d_reach(p, axis) : 2 * (int64_t)p->v.padding[axis];
    if (extent + around <= INT32_MAX) return true;
    nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                    p->same ? NN__TEXT("a smaller kernel or dilation") : NN__TEXT("less padding"),
                    NN__TEXT("an extent of %d with a padding of %lld is more than an extent "
                             "holds"),
                    (int)extent, (long long)around);
    return false;
}

/* Returns the extent of the result; 0 and a problem if there is none. */
static int32_t nn__op_conv3d_extent(nn__inference *inference, const nn__op_conv3d *p, int axis,
                                    int32_t extent) {
    const nn__volume *v = &p->v;
    char name[NN__AXIS_FIELD];
    if (!p->transposed && !nn__op_conv3d_room(inference, p, axis, extent)) return 0;
    if (p->same) return extent;
    if (!p->transposed) return nn__volume_windows(inference, v, axis, extent);
    if (v->more[axis] < 0 ||
        (v->more[axis] >= v->stride[axis] && v->more[axis] >= v->dilation[axis])) {
        nn__problem_set(
            inference->problem, NN_ERROR_ARGUMENT,
            NN__TEXT("output_padding only chooses among extents from which a convolution makes the "
                     "same extent"),
            NN__TEXT("%s is %d; it must be at least 0, and less than stride (%d) or dilation (%d)"),
            nn__volume_field(name, "output_padding", v->more, axis), v->more[axis], v->stride[axis],
            v->dilation[axis]);
        return 0;
    }
    const int64_t wide = ((int64_t)extent - 1) * v->stride[axis] - 2 * (int64_t)v->padding[axis] +
                         nn__op_conv3d_reach(p, axis) + v->more[axis] + 1;
    if (wide >= 1 && wide <= INT32_MAX / 2) return (int32_t)wide;
    nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("less padding"),
                    NN__TEXT("an extent of %d would become %lld with a kernel of %d, a stride of "
                             "%d and a padding of %d"),
                    (int)extent, (long long)wide, v->kernel[axis], v->stride[axis],
                    v->padding[axis]);
    return 0;
}

/* Checks that all intermediate shapes have extents that fit. y: the result. */
static bool nn__op_conv3d_fits(nn__inference *inference, const nn__op_conv3d *p, nn_shape y) {
    const nn_shape x = inference->inputs[0].shape;
    const int *kernel = p->v.kernel;
    const int64_t inner = (p->transposed ? p->out_channels : x.extent[1]) / p->groups;
    char name[NN__AXIS_FIELD];
    if (kernel[0] > NN__VOLUME_TAPS)
        return nn__refuse_number(inference->problem,
                                 nn__volume_field(name, "kernel", kernel, 0), kernel[0],
                                 "at most 4096 along the depth: each plane of it is a node");
    if (!nn__volume_fits(inference, "channels and planes of a filter",
                         p->transposed ? p->out_channels : x.extent[1], kernel[0]) ||
        !nn__volume_fits(inference, "height and width of a filter", kernel[1], kernel[2]) ||
        !nn__volume_fits(inference, "weights of a filter", inner * kernel[0],
                         (int64_t)kernel[1] * kernel[2]))
        return false;
    if (!p->transposed) return true;
    return nn__volume_fits(inference, "height and width of the result", y.extent[3],
                           y.extent[4]) &&
           nn__volume_fits(inference, "twice the depth and stride", 2 * (int64_t)x.extent[2],
                           p->v.stride[0]) &&
           nn__volume_fits(inference, "kernel and dilation", kernel[0], p->v.dilation[0]);
}

static bool nn__op_conv3d_infer(nn__inference *inference) {
    const nn__op_conv3d *p = (const nn__op_conv3d *)inference->params;
    nn__type *y = &inference->outputs[0];
    if (!nn__volume_check(inference, 0, &p->v) || !nn__op_conv3d_channels(inference, p))
        return false;
    if (p->same)
        for (int i = 0; i < 3; i++)
            if (p->v.stride[i] != 1 || p->v.padding[i])
                return nn__problem_set(
                    inference->problem, NN_ERROR_ARGUMENT,
                    NN__TEXT("leave stride and padding out, or give the padding in numbers"),
                    NN__TEXT("same is for a stride of 1 and finds the padding itself"));
    *y = inference->inputs[0];
    y->shape.extent[1] = p->out_channels;
    for (int i = 0; i < 3; i++) {
        y->shape.extent[2 + i] = nn__op_conv3d_extent(inference, p, i, y->shape.extent[2 + i]);
        if (!y->shape.extent[2 + i]) return false;
    }
    return nn__op_conv3d_fits(inference, p, y->shape);
}
static const nn__rule nn__rule_conv3d = NN__COMPOSED_LAYER("conv3d", nn__op_conv3d_infer);
static const nn__rule nn__rule_conv_transpose3d =
    NN__COMPOSED_LAYER("conv_transpose3d", nn__op_conv3d_infer);

/* ---- parts ----------------------------------------------------------------------------------- */

/* Adds "name.weight", in the shape for images, and "name.bias"; false if one is poisoned. */
static bool nn__op_conv3d_parameters(nn_site site, nn_model *net, const char *name, int outer,
                                     int inner, const nn__op_conv3d *p, nn_node **weight,
                                     nn_node **bias) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = 5;
    shape.extent[0] = outer;
    shape.extent[1] = inner;
    int64_t fan_in = inner;
    for (int i = 0; i < 3; i++) fan_in *= shape.extent[2 + i] = p->v.kernel[i];
    const float bound = nn__fan_bound(fan_in);
    *weight = nn__add_parameter(net, site, name, "weight", &shape, bound, p->shared);
    memset(&shape, 0, sizeof shape);
    shape.rank = 1;
    shape.extent[0] = p->out_channels;
    *bias =
        p->no_bias ? NULL : nn__add_parameter(net, site, name, "bias", &shape, bound, p->shared);
    *weight = nn__volume_see(site, net, *weight, 4, outer, inner * p->v.kernel[0], p->v.kernel[1],
                             p->v.kernel[2], 0, 0);
    return !(*weight)->poisoned && !(*bias && (*bias)->poisoned);
}

static nn_node *nn__op_conv3d_swap(nn_site site, nn_model *net, nn_node *x) {
    if (!x || x->poisoned) return x;
    return nn_transpose_at(site, net, x, 1, 2); /* swaps axes: (N, D, C, ...), or back */
}

/* Pads the depth, and also height and width in modes other than zeros. */
static nn_node *nn__op_conv3d_pad(nn_site site, nn_model *net, nn_node *x, const nn__op_conv3d *p) {
    nn_pad_desc pad;
    memset(&pad, 0, sizeof pad);
    nn__op_conv3d_around(p, 0, &pad.front, &pad.back);
    if (p->mode != NN_PADDING_ZEROS) {
        nn__op_conv3d_around(p, 1, &pad.top, &pad.bottom);
        nn__op_conv3d_around(p, 2, &pad.left, &pad.right);
        pad.mode = (nn_padding_mode)p->mode;
    }
    if (!pad.front && !pad.back && !pad.top && !pad.bottom && !pad.left && !pad.right) return x;
    return nn_pad_at(site, net, x, &pad);
}

/* Returns (N, C, D, H, W) as N * OD images of C * Q channels. OD and Q replace the depth. */
static nn_node *nn__op_conv3d_pictures(nn_site site, nn_model *net, nn_node *x,
                                       const nn__op_conv3d *p, int32_t out, int32_t pictures) {
    const int taps = p->v.kernel[0];
    const nn_shape s = x->shape;
    nn_node **parts = (nn_node **)nn__arena_take(&net->graph.arena, sizeof *parts * (size_t)taps);
    nn_slice_desc slice;
    nn_nodes list;
    if (!parts) return nn__poison_memory(net, "conv3d", sizeof *parts * (size_t)taps);
    x = nn__op_conv3d_swap(site, net, x);
    memset(&slice, 0, sizeof slice);
    slice.axis = 1;
    slice.step = p->v.stride[0];
    for (int t = 0; t < taps; t++) {
        slice.start = t * p->v.dilation[0];
        slice.stop = slice.start + (out - 1) * slice.step + 1;
        parts[t] = nn_slice_at(site, net, x, &slice);
    }
    list.node = parts;
    list.count = taps;
    x = nn_stack_at(site, net, list, 3);
    return nn__volume_see(site, net, x, 4, pictures, s.extent[1] * taps, s.extent[3], s.extent[4],
                          0, 0);
}

/* Sets *pictures to N * by. If that does not fit, returns a poisoned node. */
static nn_node *nn__op_conv3d_times(nn_site site, nn_model *net, const nn__rule *rule, nn_node *x,
                                    int32_t by, int32_t *pictures) {
    static const char *const roles[] = {"input"};
    nn__problem problem;
    if (nn__extent_multiply(x->shape.extent[0], by, pictures)) return x;
    memset(&problem, 0, sizeof problem);
    nn__problem_set(&problem, NN_ERROR_SHAPE, NN__TEXT("make it smaller"),
                    NN__TEXT("%d images of each volume are more than an extent holds"), (int)by);
    return nn__poison_problem(net, site, rule->name, NULL, &x, roles, 1, &problem);
}

static void nn__op_conv3d_two(int *to, int *to_w, const int *three, int none) {
    *to = three[1];
    *to_w = three[2] ? three[2] : none;
}

/* Copies the fields that both descs have. */
#define NN__CONV3D_FIELDS(p, desc)                                                                 \
    do {                                                                                           \
        nn__volume *v = &(p)->v;                                                                   \
        NN__VOLUME_TRIPLE(v, desc, kernel, NN__PER_AXIS_KERNEL, v->kernel);                        \
        NN__VOLUME_TRIPLE(v, desc, stride, NN__PER_AXIS_STEP, v->stride);                          \
        NN__VOLUME_TRIPLE(v, desc, padding, NN__PER_AXIS_PADDING, v->padding);                     \
        NN__VOLUME_TRIPLE(v, desc, dilation, NN__PER_AXIS_STEP, v->dilation);                      \
        (p)->out_channels = (desc)->out_channels;                                                  \
        (p)->in_channels = (desc)->in_channels;                                                    \
        (p)->groups = (desc)->groups ? (desc)->groups : 1;                                         \
        (p)->no_bias = (desc)->no_bias;                                                            \
        (p)->shared = (desc)->shared;                                                              \
    } while (0)

/* Returns the convolution of x (N, C, D, H, W), seen as `pictures` images. */
static nn_node *nn__op_conv3d_forward(nn_site site, nn_model *net, nn_node *x, nn_node *weight,
                                      nn_node *bias, const nn__op_conv3d *p, int32_t out,
                                      int32_t pictures) {
    const int32_t n = x->shape.extent[0];
    nn_conv2d_desc plane;
    x = nn__op_conv3d_pad(site, net, x, p);
    if (x->poisoned) return x;
    x = nn__op_conv3d_pictures(site, net, x, p, out, pictures);
    memset(&plane, 0, sizeof plane);
    nn__op_conv3d_two(&plane.stride_h, &plane.stride_w, p->v.stride, 0);
    nn__op_conv3d_two(&plane.dilation_h, &plane.dilation_w, p->v.dilation, 0);
    plane.groups = p->groups;
    if (p->mode == NN_PADDING_ZEROS) {
        plane.same = p->same;
        if (!p->same) nn__op_conv3d_two(&plane.padding_h, &plane.padding_w, p->v.padding, NN_NONE);
    }
    x = nn_functional_conv2d_at(site, net, x, weight, bias, &plane);
    if (x->poisoned) return x;
    x = nn__volume_see(site, net, x, 5, n, out, p->out_channels, x->shape.extent[2],
                       x->shape.extent[3], 0);
    return nn__op_conv3d_swap(site, net, x);
}

/* ---- transposed ------------------------------------------------------------------------------ */

/* Moves x (N, K, D, P) by `by` places along axis -2, whose extent becomes `out`. A negative `by`
   cuts places off. */
static nn_node *nn__op_conv3d_shift(nn_site site, nn_model *net, nn_node *x, int by, int32_t out) {
    nn_pad_desc pad;
    memset(&pad, 0, sizeof pad);
    const int32_t extent = x->shape.extent[2];
    if (by <= -extent || by >= out) { /* nothing of x remains: all zeros */
        pad.bottom = out;
        x = nn_pad_at(site, net, x, &pad);
        pad.bottom = 0;
        pad.top = -extent;
        return x->poisoned ? x : nn_pad_at(site, net, x, &pad);
    }
    pad.top = by;
    pad.bottom = out - extent - by;
    return pad.top || pad.bottom ? nn_pad_at(site, net, x, &pad) : x;
}

/* Moves the Q planes that come from each plane of x (N, K Q, D, P) to their places in the result,
   and adds them up. */
static nn_node *nn__op_conv3d_join(nn_site site, nn_model *net, nn_node *x, const nn__op_conv3d *p,
                                   int32_t out) {
    const int32_t n = x->shape.extent[0], k = p->out_channels, d = x->shape.extent[2],
                  places = x->shape.extent[3];
    const int taps = p->v.kernel[0], stride = p->v.stride[0];
    nn_node *sum = NULL;
    nn_slice_desc slice;
    nn_pad_desc between;
    memset(&between, 0, sizeof between);
    between.bottom = stride - 1;
    x = nn__volume_see(site, net, x, 5, n, k, taps, d, places, 0);
    for (int t = 0; t < taps && x && !x->poisoned; t++) {
        memset(&slice, 0, sizeof slice);
        slice.axis = 2;
        slice.start = t;
        slice.stop = t + 1;
        nn_node *plane = nn_slice_at(site, net, x, &slice);
        plane = nn__volume_see(site, net, plane, 5, n, k, d, 1, places, 0);
        if (stride > 1) plane = nn_pad_at(site, net, plane, &between);
        plane = nn__volume_see(site, net, plane, 4, n, k, d * stride, places, 0, 0);
        if (!plane || plane->poisoned) return plane;
        plane = nn__op_conv3d_shift(site, net, plane, t * p->v.dilation[0] - p->v.padding[0], out);
        sum = sum ? nn_add_at(site, net, sum, plane) : plane;
    }
    return sum;
}

static nn_node *nn__op_conv3d_transposed(nn_site site, nn_model *net, nn_node *x, nn_node *weight,
                                         nn_node *bias, const nn__op_conv3d *p, int32_t out,
                                         int32_t pictures) {
    const nn_shape s = x->shape;
    const int32_t n = s.extent[0], d = s.extent[2], k = p->out_channels;
    nn_conv_transpose2d_desc plane;
    x = nn__volume_see(site, net, nn__op_conv3d_swap(site, net, x), 4, pictures, s.extent[1],
                       s.extent[3], s.extent[4], 0, 0);
    memset(&plane, 0, sizeof plane);
    nn__op_conv3d_two(&plane.stride_h, &plane.stride_w, p->v.stride, 0);
    nn__op_conv3d_two(&plane.dilation_h, &plane.dilation_w, p->v.dilation, 0);
    nn__op_conv3d_two(&plane.padding_h, &plane.padding_w, p->v.padding, NN_NONE);
    nn__op_conv3d_two(&plane.output_padding_h, &plane.output_padding_w, p->v.more, NN_NONE);
    plane.groups = p->groups;
    x = nn_functional_conv_transpose2d_at(site, net, x, weight, NULL, &plane);
    if (!x || x->poisoned) return x;
    const int32_t h = x->shape.extent[2], w = x->shape.extent[3];
    x = nn__volume_see(site, net, x, 4, n, d, k * p->v.kernel[0], h * w, 0, 0);
    x = nn__op_conv3d_swap(site, net, x);
    if (!x || x->poisoned) return x;
    x = nn__op_conv3d_join(site, net, x, p, out);
    x = nn__volume_see(site, net, x, 5, n, k, out, h, w, 0);
    if (!bias) return x;
    return nn_add_at(site, net, x, nn__volume_see(site, net, bias, 4, k, 1, 1, 1, 0, 0));
}

/* ---- both ------------------------------------------------------------------------------------ */

typedef nn_node *(*nn__op_conv3d_way)(nn_site site, nn_model *net, nn_node *x, nn_node *weight,
                                      nn_node *bias, const nn__op_conv3d *p, int32_t out,
                                      int32_t pictures);

/* Adds the layer. way: one of the two above, so that a program links only those that it uses. */
static nn_node *nn__op_conv3d_add(nn_site site, nn_model *net, const char *name, nn_node *x,
                                  const nn__op_conv3d *p, const nn__rule *rule,
                                  nn__op_conv3d_way way) {
    static const char *const roles[] = {"input"};
    nn_node *weight, *bias;
    int32_t pictures = 0;
    int front, back;
    x = nn__build(site, net, rule, NULL, name, &x, roles, 1, p, 0);
    if (!x || x->poisoned) return x;
    const int32_t c = x->shape.extent[1], d = x->shape.extent[2], k = p->out_channels;
    const int64_t reach = nn__op_conv3d_reach(p, 0), stride = p->v.stride[0];
    nn__op_conv3d_around(p, 0, &front, &back);
    const int32_t out =
        (int32_t)(p->transposed
                      ? ((int64_t)d - 1) * stride - front - back + reach + p->v.more[0] + 1
                      : ((int64_t)d + front + back - reach - 1) / stride + 1);
    if (!nn__op_conv3d_parameters(site, net, name, p->transposed ? c : k,
                                  (p->transposed ? k : c) / p->groups, p, &weight, &bias))
        return nn__poison(net);
    x = nn__op_conv3d_times(site, net, rule, x, p->transposed ? d : out, &pictures);
    if (x->poisoned) return x;
    return way(site, net, x, weight, bias, p, out, pictures);
}

NN_API nn_node *nn_conv3d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_conv3d_desc *desc) {
    nn__op_conv3d p;
    memset(&p, 0, sizeof p);
    p.v.missing = desc ? NULL : "give an nn_conv3d_desc with .out_channels and .kernel";
    if (desc) {
        NN__CONV3D_FIELDS(&p, desc);
        p.mode = (int)desc->padding_mode;
        p.same = desc->same;
    }
    return nn__op_conv3d_add(site, net, name, x, &p, &nn__rule_conv3d, nn__op_conv3d_forward);
}

NN_API nn_node *nn_conv_transpose3d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       const nn_conv_transpose3d_desc *desc) {
    nn__op_conv3d p;
    memset(&p, 0, sizeof p);
    p.transposed = true;
    p.v.missing = desc ? NULL : "give an nn_conv_transpose3d_desc with .out_channels and .kernel";
    if (desc) {
        NN__CONV3D_FIELDS(&p, desc);
        NN__VOLUME_TRIPLE(&p.v, desc, output_padding, NN__PER_AXIS_PADDING, p.v.more);
    }
    return nn__op_conv3d_add(site, net, name, x, &p, &nn__rule_conv_transpose3d,
                             nn__op_conv3d_transposed);
}
#undef NN__CONV3D_FIELDS
#undef NN__VOLUME_TAPS
