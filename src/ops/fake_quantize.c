/* ops/fake_quantize.c - lines of the table, of which one is the operation and three are its
   gradients: rounding itself has no gradient. */
#include "ops/fake_quantize.h"
#include "ops/integer_private.h"
#include "ops/program.h"
#include "ops/reshape.h"

#include <math.h>

#ifndef NN_NO_TRAINING
static void nn__op_fake_quantize_give(nn__tape *tape, nn_node *node, nn_node *dy, int i,
                                      const nn__line *line) {
    const nn__program_params *params = (const nn__program_params *)node->params;
    nn_node *to = node->inputs[i], *inputs[4], *each;
    if (!nn__wants(to)) return;
    for (int k = 0; k < 3; k++) inputs[k] = node->inputs[k];
    inputs[3] = dy;
    each = nn__tape_numbers(tape, line, inputs, node->shape, i ? node : to, params->scalars);
    nn__give_gradient(tape, to, i ? nn__tape_sum_to(tape, each, to) : each);
}
static void nn__op_fake_quantize_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_fake_quantize_give(tape, node, dy, 0, nn__table_fake_quantize_by_x());
    nn__op_fake_quantize_give(tape, node, dy, 1, nn__table_fake_quantize_by_scale());
    nn__op_fake_quantize_give(tape, node, dy, 2, nn__table_fake_quantize_by_zero());
}
#endif

static bool nn__op_fake_quantize_numbers(const nn_fake_quantize_desc *desc, nn__problem *problem,
                                         float bounds[2]) {
    bounds[0] = nn__or_default(desc ? desc->quant_min : 0.0f, -128.0f);
    bounds[1] = nn__or_default(desc ? desc->quant_max : 0.0f, 127.0f);
    if (bounds[0] < bounds[1] && bounds[0] >= -65536.0f && bounds[1] <= 65536.0f &&
        bounds[0] == floorf(bounds[0]) && bounds[1] == floorf(bounds[1]))
        return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("two whole numbers, such as -128 and 127"),
                           NN__TEXT("quant_min is %g and quant_max is %g; the first must be below "
                                    "the second, and neither beyond 65536"),
                           (double)bounds[0], (double)bounds[1]);
}

/* Checks a scale or zero point of x. */
static bool nn__op_fake_quantize_beside(nn__inference *inference, int i, int axis) {
    const nn_shape x = inference->inputs[0].shape, s = inference->inputs[i].shape;
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    int64_t count;
    if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[i],
                        inference->inputs[i].dtype, NN_F32))
        return false;
    if (nn__symbolic_count(s, &count) && nn__free_extents(s, NN__OF_BATCH | NN__OF_TIME) == 0 &&
        (count == 1 || (s.rank == 1 && x.rank > 0 && count == x.extent[axis])))
        return true;
    return nn__problem_set(
        inference->problem, NN_ERROR_SHAPE, NN__TEXT("one element, or one for each index of .axis"),
        NN__TEXT("%s is %s; it belongs to axis %d of %s"), inference->roles[i],
        nn__format_shape(s, one, sizeof one), axis, nn__format_shape(x, other, sizeof other));
}

static bool nn__op_fake_quantize_infer(nn__inference *inference) {
    const nn_fake_quantize_desc *desc = (const nn_fake_quantize_desc *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    int axis = desc ? desc->axis : 0;
    float bounds[2];
    if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[0],
                        inference->inputs[0].dtype, NN_F32) ||
        !nn__op_fake_quantize_numbers(desc, inference->problem, bounds))
        return false;
    if (axis < 0) axis += x.rank;
    if (axis < 0 || (axis > 0 && axis >= x.rank))
        return nn__refuse_number(inference->problem, "axis", desc->axis, "an axis of x");
    for (int i = 1; i < inference->input_count; i++)
        if (!nn__op_fake_quantize_beside(inference, i, axis)) return false;
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = x;
    return true;
}

static const nn__rule nn__rule_fake_quantize =
    NN__COMPOSED_RULE("fake_quantize", nn__op_fake_quantize_infer);
static const nn__rule nn__rule_fake_quantize_line = {
    "fake_quantize",      NN_KERNEL_POINTWISE,  NN__IN_PLACE | NN__ANY_DTYPE,
    NN_ACTIVATION_NONE,   nn__op_program_lower, NN__GRADIENT(nn__op_fake_quantize_gradient),
    nn__op_program_flops, nn__op_program_infer, NULL};

NN_PRIVATE bool nn__is_fake_quantize(const nn_node *node) {
    return node->kind == NN__OPERATION && node->rule == &nn__rule_fake_quantize_line;
}

/* Returns (C) as (C, 1 ... 1), which broadcasts to x along the axis. */
static nn_node *nn__op_fake_quantize_along(nn_site site, nn_model *net, nn_node *s,
                                           const nn_node *x, int axis) {
    nn_shape shape;
    if (s->shape.rank == 1 && s->shape.extent[0] == 1 && x->shape.rank > 0) return s;
    memset(&shape, 0, sizeof shape);
    if (s->shape.rank == 1 && x->shape.rank > 0) {
        shape.rank = x->shape.rank - axis;
        for (int i = 0; i < shape.rank; i++) shape.extent[i] = i ? 1 : s->shape.extent[0];
    }
    return nn__equal_shapes(&shape, &s->shape) ? s : nn_reshape_at(site, net, s, shape);
}

NN_API nn_node *nn_fake_quantize_at(nn_site site, nn_model *net, nn_node *x, nn_node *scale,
                                    nn_node *zero_point, const nn_fake_quantize_desc *desc) {
    static const char *const roles[] = {"input", "scale", "zero_point"};
    nn_node *inputs[3];
    const float nothing = 0.0f;
    float bounds[2];
    int axis = desc ? desc->axis : 0;
    inputs[0] = x, inputs[1] = scale, inputs[2] = zero_point;
    x = nn__build(site, net, &nn__rule_fake_quantize, NULL, NULL, inputs, roles, zero_point ? 3 : 2,
                  desc, desc ? sizeof *desc : 0);
    if (!x || x->poisoned) return x;
    x = inputs[0];
    if (axis < 0) axis += x->shape.rank;
    inputs[1] = nn__op_fake_quantize_along(site, net, scale, x, axis);
    inputs[2] = zero_point ? nn__op_fake_quantize_along(site, net, zero_point, x, axis)
                           : nn__op_line_node(site, net, nn__table_scale(), &inputs[1], &nothing);
    if (!zero_point) inputs[2] = nn_detach_at(site, net, inputs[2]);
    nn__op_fake_quantize_numbers(desc, NULL, bounds);
    nn__op_program_dtypes(net->nn, inputs, 3);
    return nn__add_line(&net->graph, site, &nn__rule_fake_quantize_line,
                        nn__rule_fake_quantize.name, nn__table_fake_quantize(), inputs, roles,
                        x->shape, bounds);
}
