/* ops/pool3d.c - pools of volumes: first a pool of each plane, then one along the depth of its
   result, seen as images (D, H W). A maximum of maxima is the maximum. A mean of means is the
   mean, because the number of places in a window is a product over the axes. */
#include "ops/elements.h"
#include "ops/max_unpool.h"
#include "ops/more_private.h"
#include "ops/pool_shared.h"
#include "ops/volume_private.h"

/* The params of the rules. */
typedef struct nn__op_pool3d {
    nn__volume v;
    bool largest, adaptive, inside;
    int out[3], divisor;
} nn__op_pool3d;

static void nn__op_pool3d_defaults(nn__op_pool3d *p, const nn_pool3d_desc *desc) {
    memset(p, 0, sizeof *p);
    p->v.missing = desc ? NULL : "give an nn_pool3d_desc with .kernel";
    if (!desc) return;
    nn__volume *v = &p->v;
    NN__VOLUME_TRIPLE(v, desc, kernel, NN__PER_AXIS_KERNEL, v->kernel);
    NN__VOLUME_TRIPLE(v, desc, stride, NN__PER_AXIS_POOL_STRIDE, v->stride);
    NN__VOLUME_TRIPLE(v, desc, padding, NN__PER_AXIS_PADDING, v->padding);
    NN__VOLUME_TRIPLE(v, desc, dilation, NN__PER_AXIS_STEP, v->dilation);
    p->v.ceil = desc->ceil;
    p->inside = desc->count_only_inside;
    p->divisor = desc->divisor;
}

/* True if f32 can count the places of a volume. Larger volumes have no index. */
static bool nn__op_pool3d_counts(nn_shape x) {
    return (double)x.extent[2] * x.extent[3] * x.extent[4] <= 16777216.0;
}

static bool nn__op_pool3d_infer(nn__inference *inference) {
    const nn__op_pool3d *p = (const nn__op_pool3d *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    int32_t out[3];
    char name[NN__AXIS_FIELD];
    if (!nn__volume_check(inference, 0, &p->v)) return false;
    if (p->divisor < 0 || (p->largest && p->divisor))
        return nn__refuse_number(inference->problem, "divisor", p->divisor,
                                 p->largest ? "0: a maximum divides by nothing"
                                            : "at least 1, or 0 for the places of the window");
    if (p->largest && p->inside)
        return nn__refuse_number(inference->problem, "count_only_inside", 1,
                                 "false: a maximum counts no places");
    inference->outputs[0] = inference->inputs[0];
    for (int i = 0; i < 3; i++) {
        if (p->v.padding[i] > p->v.kernel[i] / 2)
            return nn__refuse_number(inference->problem,
                                     nn__volume_field(name, "padding", p->v.padding, i),
                                     p->v.padding[i], "between 0 and half the kernel");
        if (!p->largest && p->v.dilation[i] != 1)
            return nn__refuse_number(inference->problem,
                                     nn__volume_field(name, "dilation", p->v.dilation, i),
                                     p->v.dilation[i],
                                     "1: only the maximum of a window can leave places out");
        if (p->adaptive && p->out[i] != NN_NONE && p->out[i] < 1)
            return nn__refuse_argument(inference->problem,
                                       i == 0   ? "out_d"
                                       : i == 1 ? "out_h"
                                                : "out_w",
                                       p->out[i], "at least 1, or NN_NONE to keep the extent of x");
        out[i] = nn__volume_windows(inference, &p->v, i, x.extent[2 + i]);
        if (!out[i]) return false;
        if (p->adaptive && p->out[i] != NN_NONE) out[i] = p->out[i];
    }
    if (!nn__volume_fits(inference, "channels and planes", x.extent[1], x.extent[2]) ||
        !nn__volume_fits(inference, "height and width of the result", out[1], out[2]))
        return false;
    return !p->largest || nn__volume_fits(inference, "planes and the places of one in the result",
                                          nn__maxi(out[0], x.extent[2]), (int64_t)out[1] * out[2]);
}
static const nn__rule nn__rule_max_pool3d = NN__COMPOSED_RULE("max_pool3d", nn__op_pool3d_infer);
static const nn__rule nn__rule_avg_pool3d = NN__COMPOSED_RULE("avg_pool3d", nn__op_pool3d_infer);
static const nn__rule nn__rule_adaptive_max_pool3d =
    NN__COMPOSED_RULE("adaptive_max_pool3d", nn__op_pool3d_infer);
static const nn__rule nn__rule_adaptive_avg_pool3d =
    NN__COMPOSED_RULE("adaptive_avg_pool3d", nn__op_pool3d_infer);

/* Adds one of the two pools: over height and width, or over the depth. */
static nn_node *nn__op_pool3d_stage(nn_site site, nn_model *net, nn_node *x, const nn__op_pool3d *p,
                                    bool depth, const nn_pool3d_desc *desc) {
    const nn__volume *v = &p->v;
    nn_pool2d_desc plane;
    if (!x || x->poisoned) return x;
    if (p->adaptive) {
        const int h = depth ? p->out[0] : p->out[1], w = depth ? NN_NONE : p->out[2];
        return p->largest ? nn_adaptive_max_pool2d_at(site, net, x, h, w)
                          : nn_adaptive_avg_pool2d_at(site, net, x, h, w);
    }
    memset(&plane, 0, sizeof plane);
    plane.kernel_h = v->kernel[depth ? 0 : 1];
    plane.kernel_w = depth ? 1 : v->kernel[2];
    plane.stride_h = v->stride[depth ? 0 : 1];
    plane.stride_w = depth ? 1 : v->stride[2];
    plane.padding_h = v->padding[depth ? 0 : 1];
    plane.padding_w = depth || !v->padding[2] ? NN_NONE : v->padding[2];
    plane.ceil = v->ceil;
    if (p->largest) {
        plane.dilation_h = v->dilation[depth ? 0 : 1];
        plane.dilation_w = depth ? 1 : v->dilation[2];
        return nn_max_pool2d_at(site, net, x, &plane);
    }
    plane.count_only_inside = desc->count_only_inside;
    plane.divisor = !desc->divisor ? 0 : depth ? 1 : desc->divisor;
    return nn_avg_pool2d_at(site, net, x, &plane);
}

/* Returns the index in the volume. A plane has `plane` places, of which the first pool leaves
   `left`. among: where the depth pool found the maximum in (D, left); inside: where the first pool
   found it in its plane. Both are (N, C, ...). */
static nn_node *nn__op_pool3d_index(nn_site site, nn_model *net, nn_node *inside, nn_node *among,
                                    int32_t left, int32_t plane) {
    const float numbers[3] = {(float)left, (float)plane, 0.0f};
    inside = nn_gather_at(site, net, inside, 2, among);
    inside = nn__add_text(site, net, "index", "i, j: floor((i + 0.5) / p) * q + j",
                          nn_cast_at(site, net, among, NN_F32),
                          nn_cast_at(site, net, inside, NN_F32), NULL, NULL, numbers);
    return nn_cast_at(site, net, inside, NN_I32);
}

static nn_node *nn__op_pool3d_build(nn_site site, nn_model *net, const nn__rule *rule, nn_node *x,
                                    const nn__op_pool3d *p, const nn_pool3d_desc *desc) {
    x = nn__build_unary(site, net, rule, NULL, x, p, 0);
    if (!x || x->poisoned) return x;
    const nn_shape s = x->shape;
    const int32_t n = s.extent[0], c = s.extent[1], d = s.extent[2];
    nn_node *planes = nn__volume_see(site, net, x, 4, n, c * d, s.extent[3], s.extent[4], 0, 0);
    planes = nn__op_pool3d_stage(site, net, planes, p, false, desc);
    if (!planes || planes->poisoned) return planes;
    const int32_t h = planes->shape.extent[2], w = planes->shape.extent[3];
    nn_node *lines = nn__volume_see(site, net, planes, 4, n, c, d, h * w, 0, 0);
    lines = nn__op_pool3d_stage(site, net, lines, p, true, desc);
    if (!lines || lines->poisoned) return lines;
    const int32_t out = lines->shape.extent[2];
    nn_node *y = nn__volume_see(site, net, lines, 5, n, c, out, h, w, 0);
    if (!p->largest || !nn__op_pool3d_counts(s) || !y || y->poisoned) return y;
    nn_node *inside =
        nn__volume_see(site, net, nn_output_at(site, planes, 1), 3, n, c, d * h * w, 0, 0, 0);
    nn_node *among =
        nn__volume_see(site, net, nn_output_at(site, lines, 1), 3, n, c, out * h * w, 0, 0, 0);
    nn_node *index =
        nn__op_pool3d_index(site, net, inside, among, h * w, s.extent[3] * s.extent[4]);
    nn__add_result(y, 1, nn__volume_see(site, net, index, 5, n, c, out, h, w, 0));
    return y;
}

NN_API nn_node *nn_max_pool3d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool3d_desc *desc) {
    nn__op_pool3d p;
    nn__op_pool3d_defaults(&p, desc);
    p.largest = true;
    return nn__op_pool3d_build(site, net, &nn__rule_max_pool3d, x, &p, desc);
}

NN_API nn_node *nn_avg_pool3d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool3d_desc *desc) {
    nn__op_pool3d p;
    nn__op_pool3d_defaults(&p, desc);
    return nn__op_pool3d_build(site, net, &nn__rule_avg_pool3d, x, &p, desc);
}

static nn_node *nn__op_adaptive3d(nn_site site, nn_model *net, nn_node *x, bool largest, int out_d,
                                  int out_h, int out_w) {
    nn__op_pool3d p;
    memset(&p, 0, sizeof p);
    for (int i = 0; i < 3; i++) p.v.kernel[i] = p.v.stride[i] = p.v.dilation[i] = 1;
    p.adaptive = true;
    p.largest = largest;
    p.out[0] = out_d;
    p.out[1] = out_h;
    p.out[2] = out_w;
    return nn__op_pool3d_build(
        site, net, largest ? &nn__rule_adaptive_max_pool3d : &nn__rule_adaptive_avg_pool3d, x, &p,
        NULL);
}

NN_API nn_node *nn_adaptive_avg_pool3d_at(nn_site site, nn_model *net, nn_node *x, int out_d,
                                          int out_h, int out_w) {
    return nn__op_adaptive3d(site, net, x, false, out_d, out_h, out_w);
}
NN_API nn_node *nn_adaptive_max_pool3d_at(nn_site site, nn_model *net, nn_node *x, int out_d,
                                          int out_h, int out_w) {
    return nn__op_adaptive3d(site, net, x, true, out_d, out_h, out_w);
}

/* ---- unpool ---------------------------------------------------------------------------------- */

static bool nn__op_unpool3d_infer(nn__inference *inference) {
    const nn__op_pool3d *p = (const nn__op_pool3d *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    int64_t places = 1;
    if (!nn__volume_check(inference, 0, &p->v) ||
        !nn__want_dtype(inference->problem, inference->operation, inference->roles[1],
                        inference->inputs[1].dtype, NN_I32) ||
        !nn__want_role_shape(inference->problem, inference->roles[1], x,
                             inference->inputs[1].shape))
        return false;
    inference->outputs[0] = inference->inputs[0];
    for (int i = 0; i < 3; i++) {
        const int64_t usual = ((int64_t)x.extent[2 + i] - 1) * p->v.stride[i] -
                              2 * (int64_t)p->v.padding[i] + p->v.kernel[i],
                      wanted = p->out[i] ? p->out[i] : usual;
        if (wanted < 1 || wanted <= usual - p->v.stride[i] || wanted >= usual + p->v.stride[i] ||
            wanted > INT32_MAX || (places *= wanted) > INT32_MAX)
            return nn__problem_set(
                inference->problem, NN_ERROR_ARGUMENT,
                NN__TEXT("give the extent that the pool has read"),
                NN__TEXT("an extent of %d becomes %lld; it must be at least 1, less than a stride "
                         "of %d away from %lld, and all places of a volume fit in 31 bits"),
                (int)x.extent[2 + i], (long long)wanted, p->v.stride[i], (long long)usual);
        inference->outputs[0].shape.extent[2 + i] = (int32_t)wanted;
    }
    return nn__volume_fits(inference, "height and width", x.extent[3], x.extent[4]) &&
           nn__volume_fits(inference, "planes and their places", x.extent[2],
                           (int64_t)x.extent[3] * x.extent[4]);
}
static const nn__rule nn__rule_max_unpool3d =
    NN__COMPOSED_RULE("max_unpool3d", nn__op_unpool3d_infer);

/* Indices count through the whole volume, so it is unpooled as one flat row. */
NN_API nn_node *nn_max_unpool3d_at(nn_site site, nn_model *net, nn_node *x, nn_node *index,
                                   const nn_max_unpool3d_desc *desc) {
    static const char *const roles[] = {"input", "index"};
    nn__op_pool3d p;
    nn_node *inputs[2];
    int32_t out[3], places = 1;
    memset(&p, 0, sizeof p);
    p.v.missing = desc ? NULL : "give an nn_max_unpool3d_desc with .kernel";
    if (desc) {
        NN__VOLUME_TRIPLE(&p.v, desc, kernel, NN__PER_AXIS_KERNEL, p.v.kernel);
        NN__VOLUME_TRIPLE(&p.v, desc, stride, NN__PER_AXIS_POOL_STRIDE, p.v.stride);
        NN__VOLUME_TRIPLE(&p.v, desc, padding, NN__PER_AXIS_PADDING, p.v.padding);
        p.out[0] = desc->out_d;
        p.out[1] = desc->out_h;
        p.out[2] = desc->out_w;
    }
    inputs[0] = x;
    inputs[1] = index;
    x = nn__build(site, net, &nn__rule_max_unpool3d, NULL, NULL, inputs, roles, 2, &p, 0);
    if (!x || x->poisoned) return x;
    const nn_shape s = x->shape;
    const int32_t n = s.extent[0], c = s.extent[1],
                  length = s.extent[2] * s.extent[3] * s.extent[4];
    for (int i = 0; i < 3; i++) {
        out[i] = p.out[i]
                     ? p.out[i]
                     : (int32_t)(((int64_t)s.extent[2 + i] - 1) * p.v.stride[i] -
                                 2 * (int64_t)p.v.padding[i] + p.v.kernel[i]);
        places *= out[i];
    }
    x = nn__op_unpool_flat(site, net, nn__volume_see(site, net, x, 3, n, c, length, 0, 0, 0),
                           nn__volume_see(site, net, index, 3, n, c, length, 0, 0, 0), places);
    return nn__volume_see(site, net, x, 5, n, c, out[0], out[1], out[2], 0);
}
