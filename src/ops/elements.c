/* ops/elements.c - gather, scatter and one_hot, which address single elements. One-hot vectors
   are ones that are scattered over zeros. */
#include "kernels/install_more.h"
#include "ops/arrange.h"
#include "ops/elements_private.h"
#include "ops/more_private.h"

/* ---- lowering -------------------------------------------------------------------------------- */

static int32_t nn__op_elements_counted(const nn_node *node, const nn_view *of) {
    const int32_t axis = ((const nn__op_elements_params *)node->params)->axis;
    return axis < 0 ? axis + of->shape.rank : axis;
}

/* inputs: x, index; in a gradient dy, index, where the indices are already checked */
static void nn__op_gather_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    nn_gather_elements_args *to = &args->gather_elements;
    memset(to, 0, sizeof *to);
    to->y = lowering->output;
    to->x = lowering->inputs[0];
    to->index = lowering->inputs[1];
    to->axis = nn__op_elements_counted(node, &to->x);
    if (!(node->rule->flags & NN__STATUS)) return;
    to->status = lowering->status;
    to->step = (uint32_t)lowering->values->step;
}

static void nn__op_scatter_whole(const nn_node *node, const nn__lowering *lowering,
                                nn_scatter_elements_args *to) {
    memset(to, 0, sizeof *to);
    to->y = lowering->output;
    to->index = lowering->inputs[1];
    to->axis = nn__op_elements_counted(node, &to->y);
    if (!(node->rule->flags & NN__STATUS)) return;
    to->status = lowering->status;
    to->step = (uint32_t)lowering->values->step;
}

static void nn__op_scatter_add_lower(const nn_node *node, const nn__lowering *lowering,
                                         nn__args *args) {
    nn__op_scatter_whole(node, lowering, &args->scatter_elements);
    args->scatter_elements.base = lowering->inputs[0];
    args->scatter_elements.x = lowering->inputs[2];
}

/* inputs: x, index, and src unless a number is scattered */
static void nn__op_scatter_lower(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *args) {
    nn_scatter_elements_args *to = &args->scatter_elements;
    nn__op_scatter_whole(node, lowering, to);
    to->base = lowering->inputs[0];
    if (node->input_count > 2) to->x = lowering->inputs[2];
    to->value = ((const nn__op_elements_params *)node->params)->value;
    to->combine = NN_COMBINE_REPLACE;
}

static void nn__op_scatter_reduce_lower(const nn_node *node, const nn__lowering *lowering,
                                            nn__args *args) {
    const nn_reduction reduction = ((const nn__op_elements_params *)node->params)->reduction;
    nn__op_scatter_add_lower(node, lowering, args);
    args->scatter_elements.combine = reduction == NN_PROD  ? NN_COMBINE_MULTIPLY
                                     : reduction == NN_MAX ? NN_COMBINE_MAX
                                                           : NN_COMBINE_MIN;
}

/* input: label, an index of one element along a new axis */
static void nn__op_one_hot_lower(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *args) {
    nn_scatter_elements_args *to = &args->scatter_elements;
    (void)node;
    memset(to, 0, sizeof *to);
    to->y = lowering->output;
    to->index = lowering->inputs[0];
    to->axis = to->index.shape.rank;
    to->index.shape.extent[to->index.shape.rank++] = 1;
    to->status = lowering->status;
    to->step = (uint32_t)lowering->values->step;
    to->value = 1.0f;
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* inputs: dy, index */
static void nn__op_gather_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                             nn__args *args) {
    nn__op_scatter_whole(node, lowering, &args->scatter_elements);
    args->scatter_elements.x = lowering->inputs[0];
}

static const nn__rule nn__rule_gather_backward = {
    "gather_backward", NN_KERNEL_SCATTER_ELEMENTS, 0,    NN_ACTIVATION_NONE,
    nn__op_gather_backward_lower, nn__gradient_again, NULL, NULL, NULL};
static const nn__rule nn__rule_scatter_backward = {
    "scatter_backward", NN_KERNEL_SCATTER_ELEMENTS, NN__IN_PLACE, NN_ACTIVATION_NONE,
    nn__op_scatter_lower, nn__gradient_again,       NULL,         NULL, NULL};
static const nn__rule nn__rule_scatter_source = {
    "scatter_source", NN_KERNEL_GATHER_ELEMENTS, 0,    NN_ACTIVATION_NONE,
    nn__op_gather_lower, nn__gradient_again,     NULL, NULL, NULL};

static void nn__op_elements_give(nn__tape *tape, const nn__rule *rule, nn_node *x, nn_node *dy,
                                 nn_node *index, const void *params) {
    nn_node *inputs[2];
    if (!nn__wants(x)) return;
    inputs[0] = dy;
    inputs[1] = index;
    nn__install_elements(tape->nn);
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, rule, x, ".grad", inputs, 2, NN_F32, x->shape, params,
                                    sizeof(nn__op_elements_params)));
}

static void nn__op_gather_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_elements_give(tape, &nn__rule_gather_backward, node->inputs[0], dy, node->inputs[1],
                         node->params);
}

NN_PRIVATE void nn__op_elements_spread(nn__tape *tape, nn_node *x, nn_node *dy, nn_node *index,
                                       int axis) {
    nn__op_elements_params params;
    memset(&params, 0, sizeof params);
    params.axis = axis;
    nn__op_elements_give(tape, &nn__rule_gather_backward, x, dy, index, &params);
}

static void nn__op_scatter_add_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    if (nn__wants(node->inputs[0])) nn__give_gradient(tape, node->inputs[0], dy);
    nn__op_elements_give(tape, &nn__rule_scatter_source, node->inputs[2], dy, node->inputs[1],
                         node->params);
}

static void nn__op_scatter_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_elements_params zero = *(const nn__op_elements_params *)node->params;
    zero.value = 0.0f;
    nn__op_elements_give(tape, &nn__rule_scatter_backward, node->inputs[0], dy, node->inputs[1],
                         &zero);
    if (node->input_count > 2)
        nn__op_elements_give(tape, &nn__rule_scatter_source, node->inputs[2], dy, node->inputs[1],
                             node->params);
}

/* Reading and adding up are each other's transposes; setting places to 0 is its own. */
NN_PRIVATE void nn__op_elements_again(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__rule *rule = node->rule == &nn__rule_gather_backward  ? &nn__rule_scatter_source
                           : node->rule == &nn__rule_scatter_source ? &nn__rule_gather_backward
                                                                    : &nn__rule_scatter_backward;
    nn__op_elements_give(tape, rule, node->inputs[0], dy, node->inputs[1], node->params);
}
#endif

/* ---- rules ----------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
static void nn__op_scatter_reduce_gradient(nn__tape *tape, nn_node *node, nn_node *dy);
#endif

#define NN__ELEMENTS_RULE(name, kernel, flags, lower, gradient, infer)                             \
    static const nn__rule nn__rule_##name = {#name,                                                \
                                             kernel,                                               \
                                             NN__DYNAMIC | NN__STATUS | (flags),                   \
                                             NN_ACTIVATION_NONE,                                   \
                                             lower,                                                \
                                             gradient,                                             \
                                             NULL,                                                 \
                                             infer,                                                \
                                             NULL}
NN__ELEMENTS_RULE(gather, NN_KERNEL_GATHER_ELEMENTS, NN__ANY_DTYPE, nn__op_gather_lower,
                  NN__GRADIENT(nn__op_gather_gradient), nn__op_gather_infer);
NN__ELEMENTS_RULE(scatter_add, NN_KERNEL_SCATTER_ELEMENTS, NN__IN_PLACE, nn__op_scatter_add_lower,
                  NN__GRADIENT(nn__op_scatter_add_gradient), nn__op_scatter_infer);
NN__ELEMENTS_RULE(scatter, NN_KERNEL_SCATTER_ELEMENTS, NN__IN_PLACE, nn__op_scatter_lower,
                  NN__GRADIENT(nn__op_scatter_gradient), nn__op_scatter_infer);
NN__ELEMENTS_RULE(scatter_reduce, NN_KERNEL_SCATTER_ELEMENTS, NN__IN_PLACE,
                  nn__op_scatter_reduce_lower, NN__GRADIENT(nn__op_scatter_reduce_gradient),
                  nn__op_scatter_reduce_infer);
NN__ELEMENTS_RULE(one_hot, NN_KERNEL_SCATTER_ELEMENTS, 0, nn__op_one_hot_lower, NULL,
                  nn__op_one_hot_infer);
#undef NN__ELEMENTS_RULE

#ifndef NN_NO_TRAINING
/* ---- the gradient of scatter_reduce ---------------------------------------------------------- */

/* Returns a program of up to three nodes. */
static nn_node *nn__op_elements_program(nn__tape *tape, const nn_instruction *code, int count,
                                        nn_node *const *inputs, int input_count) {
    nn_program program;
    memset(&program, 0, sizeof program);
    program.code = code;
    program.count = (uint8_t)count;
    program.input_count = (uint8_t)input_count;
    program.output_count = 1;
    program.output[0] = (uint8_t)(count - 1);
    nn__install_code_equal(tape->nn);
    nn__install_code_add(tape->nn);
    nn__install_code_multiply(tape->nn);
    nn__install_code_divide(tape->nn);
    nn__install_code_select(tape->nn);
    return nn__tape_program(tape, &program, NULL, inputs, inputs[0]);
}

/* Returns the elements of a whole that the index names or, with `add`, the sums of a part at these
   places. */
static nn_node *nn__op_elements_moved(nn__tape *tape, const nn_node *node, nn_node *x, bool add) {
    nn_node *inputs[2];
    inputs[0] = x;
    inputs[1] = node->inputs[1];
    return nn__tape_node(tape, add ? &nn__rule_gather_backward : &nn__rule_scatter_source, node,
                         ".grad", inputs, 2, NN_F32,
                         add ? node->shape : node->inputs[1]->shape, node->params,
                         sizeof(nn__op_elements_params));
}

/* For maxima and minima, divides dy by the number of equal values. */
static void nn__op_extremes_share(nn__tape *tape, nn_node *node, nn_node *dy) {
    static const nn_instruction equal[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                           {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                           {NN_CODE_EQUAL, 0, 1, 0, 0.0f}},
                                share[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                           {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                           {NN_CODE_INPUT, 2, 0, 0, 0.0f},
                                           {NN_CODE_ADD, 1, 2, 0, 0.0f},
                                           {NN_CODE_DIVIDE, 0, 3, 0, 0.0f}},
                                product[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                             {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                             {NN_CODE_MULTIPLY, 0, 1, 0, 0.0f}};
    nn_node *x = node->inputs[0], *src = node->inputs[2], *own[3], *its[2], *both[3];
    own[0] = x;
    own[1] = node;
    both[1] = own[0] = nn__op_elements_program(tape, equal, 3, own, 2);
    its[0] = src;
    its[1] = nn__op_elements_moved(tape, node, node, false);
    its[0] = nn__op_elements_program(tape, equal, 3, its, 2);
    both[0] = dy;
    both[2] = nn__op_elements_moved(tape, node, its[0], true);
    own[1] = nn__op_elements_program(tape, share, 5, both, 3);
    its[1] = nn__op_elements_moved(tape, node, own[1], false);
    if (nn__wants(x)) nn__give_gradient(tape, x, nn__op_elements_program(tape, product, 3, own, 2));
    if (nn__wants(src))
        nn__give_gradient(tape, src, nn__op_elements_program(tape, product, 3, its, 2));
}

/* For products, multiplies dy by the product of the other factors. p: of all factors but zeros;
   zeros: how many there are. */
static void nn__op_product_share(nn__tape *tape, nn_node *node, nn_node *dy) {
    static const nn_instruction no_zeros[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                              {NN_CODE_CONSTANT, 0, 0, 0, 0.0f},
                                              {NN_CODE_EQUAL, 0, 1, 0, 0.0f},
                                              {NN_CODE_CONSTANT, 0, 0, 0, 1.0f},
                                              {NN_CODE_SELECT, 2, 3, 0, 0.0f}},
                                zeros[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                           {NN_CODE_CONSTANT, 0, 0, 0, 0.0f},
                                           {NN_CODE_EQUAL, 0, 1, 0, 0.0f}},
                                sum[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                         {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                         {NN_CODE_ADD, 0, 1, 0, 0.0f}},
                                product[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                             {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                             {NN_CODE_MULTIPLY, 0, 1, 0, 0.0f}},
                                /* zeros == 0 ? q / v : zeros == 1 && v == 0 ? q : 0 */
        share[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                   {NN_CODE_INPUT, 2, 0, 0, 0.0f},    {NN_CODE_CONSTANT, 0, 0, 0, 0.0f},
                   {NN_CODE_CONSTANT, 0, 0, 0, 1.0f}, {NN_CODE_EQUAL, 1, 3, 0, 0.0f},
                   {NN_CODE_DIVIDE, 0, 2, 0, 0.0f},   {NN_CODE_EQUAL, 2, 3, 0, 0.0f},
                   {NN_CODE_EQUAL, 1, 4, 0, 0.0f},    {NN_CODE_MULTIPLY, 7, 8, 0, 0.0f},
                   {NN_CODE_SELECT, 9, 0, 3, 0.0f},   {NN_CODE_SELECT, 5, 6, 10, 0.0f}};
    nn_node *x = node->inputs[0], *src = node->inputs[2], *parts[3], *own[3], *its[3];
    parts[0] = nn__op_elements_program(tape, no_zeros, 5, &x, 1);
    parts[1] = node->inputs[1];
    parts[2] = nn__op_elements_program(tape, no_zeros, 5, &src, 1);
    nn__install_elements(tape->nn);
    parts[1] = nn__tape_node(tape, &nn__rule_scatter_reduce, node, ".grad", parts, 3, NN_F32,
                             node->shape, node->params, sizeof(nn__op_elements_params));
    parts[0] = dy;
    own[0] = nn__op_elements_program(tape, product, 3, parts, 2);
    parts[0] = nn__op_elements_program(tape, zeros, 3, &x, 1);
    parts[1] = nn__op_elements_moved(tape, node, nn__op_elements_program(tape, zeros, 3, &src, 1),
                                     true);
    own[1] = nn__op_elements_program(tape, sum, 3, parts, 2);
    own[2] = x;
    its[0] = nn__op_elements_moved(tape, node, own[0], false);
    its[1] = nn__op_elements_moved(tape, node, own[1], false);
    its[2] = src;
    if (nn__wants(x)) nn__give_gradient(tape, x, nn__op_elements_program(tape, share, 12, own, 3));
    if (nn__wants(src))
        nn__give_gradient(tape, src, nn__op_elements_program(tape, share, 12, its, 3));
}

static void nn__op_scatter_reduce_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__install_elements(tape->nn);
    if (((const nn__op_elements_params *)node->params)->reduction == NN_PROD)
        nn__op_product_share(tape, node, dy);
    else
        nn__op_extremes_share(tape, node, dy);
}
#endif

/* ---- builders -------------------------------------------------------------------------------- */

static nn__op_elements_params nn__op_elements_params_of(int axis, int classes, float value) {
    nn__op_elements_params params;
    memset(&params, 0, sizeof params);
    params.axis = axis;
    params.classes = classes;
    params.value = value;
    return params;
}

NN_API nn_node *nn_gather_at(nn_site site, nn_model *net, nn_node *x, int axis, nn_node *index) {
    static const char *const roles[] = {"input", "index"};
    const nn__op_elements_params params = nn__op_elements_params_of(axis, 0, 0.0f);
    nn_node *inputs[2];
    inputs[0] = x;
    inputs[1] = index;
    return nn__build(site, net, &nn__rule_gather, nn__install_elements, NULL, inputs, roles, 2,
                     &params, sizeof params);
}

/* Returns the part of src that the index reads. */
static nn_node *nn__op_scatter_read(nn_site site, nn_model *net, nn_node *index, nn_node *src) {
    if (!net || !index || !src || index->poisoned || src->poisoned ||
        index->graph != src->graph || index->shape.rank != src->shape.rank)
        return src; /* the scatter reports it */
    for (int i = 0; i < index->shape.rank && !src->poisoned; i++) {
        const int32_t own = index->shape.extent[i];
        nn_slice_desc slice;
        if (nn__is_symbolic(own) || src->shape.extent[i] <= own) continue;
        memset(&slice, 0, sizeof slice);
        slice.axis = i;
        slice.stop = own;
        src = nn_slice_at(site, net, src, &slice);
    }
    return src;
}

static nn_node *nn__op_scatter_build(nn_site site, nn_model *net, const nn__rule *rule, nn_node *x,
                                     nn_node *index, nn_node *src,
                                     const nn__op_elements_params *params, int count) {
    static const char *const roles[] = {"input", "index", "src"};
    nn_node *inputs[3];
    inputs[0] = x;
    inputs[1] = index;
    inputs[2] = nn__op_scatter_read(site, net, index, src);
    return nn__build(site, net, rule, nn__install_elements, NULL, inputs, roles, count, params,
                     sizeof *params);
}

NN_API nn_node *nn_scatter_add_at(nn_site site, nn_model *net, nn_node *x, int axis, nn_node *index,
                                  nn_node *src) {
    const nn__op_elements_params params = nn__op_elements_params_of(axis, 0, 0.0f);
    return nn__op_scatter_build(site, net, &nn__rule_scatter_add, x, index, src, &params, 3);
}
NN_API nn_node *nn_scatter_at(nn_site site, nn_model *net, nn_node *x, int axis, nn_node *index,
                              nn_node *src) {
    const nn__op_elements_params params = nn__op_elements_params_of(axis, 0, 0.0f);
    return nn__op_scatter_build(site, net, &nn__rule_scatter, x, index, src, &params, 3);
}
NN_API nn_node *nn_scatter_reduce_at(nn_site site, nn_model *net, nn_node *x, int axis,
                                     nn_node *index, nn_node *src, nn_reduction reduction) {
    nn__op_elements_params params = nn__op_elements_params_of(axis, 0, 0.0f);
    if (reduction == NN_SUM) return nn_scatter_add_at(site, net, x, axis, index, src);
    params.reduction = reduction;
    return nn__op_scatter_build(site, net, &nn__rule_scatter_reduce, x, index, src, &params, 3);
}
NN_API nn_node *nn_scatter_value_at(nn_site site, nn_model *net, nn_node *x, int axis,
                                    nn_node *index, float value) {
    const nn__op_elements_params params = nn__op_elements_params_of(axis, 0, value);
    return nn__op_scatter_build(site, net, &nn__rule_scatter, x, index, NULL, &params, 2);
}

NN_API nn_node *nn_one_hot_at(nn_site site, nn_model *net, nn_node *label, int num_classes) {
    static const char *const roles[] = {"label"};
    const nn__op_elements_params params = nn__op_elements_params_of(0, num_classes, 0.0f);
    return nn__build(site, net, &nn__rule_one_hot, nn__install_elements, NULL, &label, roles, 1,
                     &params, sizeof params);
}

/* ---- immediate ------------------------------------------------------------------------------- */

/* given: y, then the other operands. along: the operand into which the indices point. */
static nn_result nn__op_elements_forward(nn_site site, const char *who, const nn__rule *rule,
                                         const nn__given *given, int count, const nn_tensor *index,
                                         const nn_tensor *along,
                                         const nn__op_elements_params *params) {
    nn_context *nn;
    nn_device device;
    nn_result result = nn__check_given(site, who, given, count, &nn, &device);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, nn, rule, given, 1, count, params);
    if (result != NN_OK) return result;
    const nn_shape whole = along->view.shape;
    const int axis = params->classes  ? whole.rank - 1
                     : params->axis < 0 ? params->axis + whole.rank
                                        : params->axis;
    result = nn__op_index_look(site, who, nn, device, &along->view, whole.extent[axis],
                               &index->view);
    if (result != NN_OK) return result;
    return nn__immediate(site, who, rule, nn__install_elements, given, 1, count, params);
}

NN_API nn_result nn_gather_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int axis,
                                      const nn_tensor *index) {
    const nn_dtype dtype = x ? x->view.dtype : NN_F32;
    const nn__given given[] = {
        {"y", y, NN__WRITTEN, dtype}, {"input", x, 0, dtype}, {"index", index, 0, NN_I32}};
    const nn__op_elements_params params = nn__op_elements_params_of(axis, 0, 0.0f);
    return nn__op_elements_forward(site, "nn_gather_forward", &nn__rule_gather, given,
                                   NN__COUNT(given), index, x, &params);
}

static nn_result nn__op_scatter_forward(nn_site site, const char *who, const nn__rule *rule,
                                        nn_tensor *y, const nn_tensor *x, const nn_tensor *index,
                                        const nn_tensor *src, int count,
                                        const nn__op_elements_params *params) {
    const nn__given given[] = {{"y", y, NN__WRITTEN | NN__IN_ITS_PLACE, NN_F32},
                               {"input", x, 0, NN_F32},
                               {"index", index, 0, NN_I32},
                               {"src", src, 0, NN_F32}};
    return nn__op_elements_forward(site, who, rule, given, count, index, y, params);
}

NN_API nn_result nn_scatter_add_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int axis,
                                           const nn_tensor *index, const nn_tensor *src) {
    const nn__op_elements_params params = nn__op_elements_params_of(axis, 0, 0.0f);
    return nn__op_scatter_forward(site, "nn_scatter_add_forward", &nn__rule_scatter_add, y, x,
                                  index, src, 4, &params);
}
NN_API nn_result nn_scatter_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int axis,
                                       const nn_tensor *index, const nn_tensor *src) {
    const nn__op_elements_params params = nn__op_elements_params_of(axis, 0, 0.0f);
    return nn__op_scatter_forward(site, "nn_scatter_forward", &nn__rule_scatter, y, x, index, src,
                                  4, &params);
}
NN_API nn_result nn_scatter_reduce_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                              int axis, const nn_tensor *index,
                                              const nn_tensor *src, nn_reduction reduction) {
    const bool sum = reduction == NN_SUM;
    nn__op_elements_params params = nn__op_elements_params_of(axis, 0, 0.0f);
    params.reduction = reduction;
    return nn__op_scatter_forward(site, "nn_scatter_reduce_forward",
                                  sum ? &nn__rule_scatter_add : &nn__rule_scatter_reduce, y, x,
                                  index, src, 4, &params);
}
NN_API nn_result nn_scatter_value_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                             int axis, const nn_tensor *index, float value) {
    const nn__op_elements_params params = nn__op_elements_params_of(axis, 0, value);
    return nn__op_scatter_forward(site, "nn_scatter_value_forward", &nn__rule_scatter, y, x, index,
                                  NULL, 3, &params);
}

NN_API nn_result nn_one_hot_forward_at(nn_site site, nn_tensor *y, const nn_tensor *label,
                                       int num_classes) {
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_F32}, {"label", label, 0, NN_I32}};
    const nn__op_elements_params params = nn__op_elements_params_of(0, num_classes, 0.0f);
    return nn__op_elements_forward(site, "nn_one_hot_forward", &nn__rule_one_hot, given,
                                   NN__COUNT(given), label, y, &params);
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_gather_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy, int axis,
                                       const nn_tensor *index, bool accumulate) {
    const char *who = "nn_gather_backward";
    const nn__given given[] = {
        {"dx", dx, NN__WRITTEN, NN_F32}, {"dy", dy, 0, NN_F32}, {"index", index, 0, NN_I32}};
    const nn__op_elements_params params = nn__op_elements_params_of(axis, 0, 0.0f);
    nn__given shapes[3];
    nn_scatter_elements_args args;
    nn_context *nn;
    nn_device device;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result != NN_OK) return result;
    shapes[0] = given[1];
    shapes[1] = given[0];
    shapes[2] = given[2];
    result = nn__check_shapes(site, who, nn, &nn__rule_gather, shapes, 1, 3, &params);
    if (result != NN_OK) return result;
    memset(&args, 0, sizeof args);
    args.y = nn__view_of(dx);
    if (accumulate) args.base = args.y;
    args.x = nn__view_of(dy);
    args.index = nn__view_of(index);
    args.axis = axis < 0 ? axis + args.y.shape.rank : axis;
    result = nn__op_index_look(site, who, nn, device, &args.y, args.y.shape.extent[args.axis],
                               &args.index);
    if (result != NN_OK) return result;
    nn__install_elements(nn);
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_SCATTER_ELEMENTS, &args, NULL);
}
#endif
