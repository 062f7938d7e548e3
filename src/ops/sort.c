/* ops/sort.c - sort, argsort, top_k, and operations that pick one element of a sorted row. */
#include "kernels/install_more.h"
#include "ops/sort.h"
#include "ops/elements.h"
#include "ops/arrange.h"
#include "ops/index_private.h"
#include "ops/more_private.h"

typedef struct nn__op_sort_params {
    int32_t axis; /* as given; negative values count from the end */
    int32_t kept; /* k; 0: all */
    bool descending;
} nn__op_sort_params;

/* ---- check ----------------------------------------------------------------------------------- */

/* Checks that the axis has at least k elements for every batch and time. */
static bool nn__op_sort_keeps(nn__inference *inference, int axis, int k) {
    const nn_shape x = inference->inputs[0].shape;
    const int32_t extent = x.extent[axis];
    char text[NN__SHAPE_TEXT];
    nn__format_shape(x, text, sizeof text);
    if (nn__is_symbolic(extent))
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_sort takes it; or give it a fixed extent"),
                               NN__TEXT("axis %d of %s depends on the %s, and may be shorter than "
                                        "k, which is %d"),
                               axis, text, nn__free_words(extent), k);
    if (k >= 1 && k <= extent) return true;
    return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("give a k from 1 to the extent of the axis"),
                           NN__TEXT("k is %d, but axis %d of %s has %d elements"), k, axis, text,
                           (int)extent);
}

static bool nn__op_sort_type(nn__inference *inference, int32_t *axis) {
    const nn__op_sort_params *params = (const nn__op_sort_params *)inference->params;
    const nn__type *x = inference->inputs;
    return nn__want_dtype(inference->problem, inference->operation, inference->roles[0], x->dtype,
                          NN_F32) &&
           nn__want_axis(inference->problem, "axis", x->shape, params->axis, axis);
}

static bool nn__op_sort_infer(nn__inference *inference) {
    int32_t axis;
    nn__type *outputs = inference->outputs;
    outputs[0].dtype = NN_F32;
    outputs[1].dtype = NN_I32;
    outputs[0].shape = outputs[1].shape = inference->inputs[0].shape;
    return nn__op_sort_type(inference, &axis);
}

static bool nn__op_top_k_infer(nn__inference *inference) {
    const int32_t k = ((const nn__op_sort_params *)inference->params)->kept;
    nn__type *outputs = inference->outputs;
    int32_t axis;
    if (!nn__op_sort_infer(inference) || !nn__op_sort_type(inference, &axis) ||
        !nn__op_sort_keeps(inference, axis, k))
        return false;
    outputs[0].shape.extent[axis] = outputs[1].shape.extent[axis] = k;
    return true;
}

/* ---- lowering, gradient ---------------------------------------------------------------------- */

static void nn__op_sort_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    const nn__op_sort_params *params = (const nn__op_sort_params *)node->params;
    memset(&args->sort, 0, sizeof args->sort);
    args->sort.y = lowering->output;
    args->sort.index = lowering->more[0];
    args->sort.x = lowering->inputs[0];
    args->sort.scratch = lowering->scratch;
    args->sort.axis = params->axis + (params->axis < 0 ? lowering->output.shape.rank : 0);
    args->sort.descending = params->descending;
}

#ifndef NN_NO_TRAINING
static void nn__op_sort_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    if (!dy) return; /* only the indices are used */
    nn__op_elements_spread(tape, node->inputs[0], dy, nn__output(node, 1),
                           ((const nn__op_sort_params *)node->params)->axis);
}
#endif

#define NN__SORT_RULE(name)                                                                        \
    static const nn__rule nn__rule_##name = {#name,                                                \
                                             NN_KERNEL_SORT,                                       \
                                             0,                                                    \
                                             NN_ACTIVATION_NONE,                                   \
                                             nn__op_sort_lower,                                    \
                                             NN__GRADIENT(nn__op_sort_gradient),                   \
                                             NULL,                                                 \
                                             nn__op_##name##_infer,                                \
                                             NULL}
NN__SORT_RULE(sort);
NN__SORT_RULE(top_k);
#undef NN__SORT_RULE

/* ---- builders -------------------------------------------------------------------------------- */

static nn__op_sort_params nn__op_sort_params_of(int axis, int kept, bool descending) {
    nn__op_sort_params params;
    memset(&params, 0, sizeof params);
    params.axis = axis;
    params.kept = kept;
    params.descending = descending;
    return params;
}

static nn_node *nn__op_sort_build(nn_site site, nn_model *net, const nn__rule *rule, nn_node *x,
                                  const nn__op_sort_params *params) {
    nn_node *node = nn__build_unary(site, net, rule, nn__install_sort, x, params, sizeof *params);
    if (node && !node->poisoned &&
        nn__add_output(node, "index", NN_I32, node->shape)->poisoned)
        return nn__poison(net);
    return node;
}

NN_API nn_node *nn_sort_at(nn_site site, nn_model *net, nn_node *x, int axis,
                           const nn_sort_desc *desc) {
    const nn__op_sort_params params = nn__op_sort_params_of(axis, 0, desc && desc->descending);
    return nn__op_sort_build(site, net, &nn__rule_sort, x, &params);
}
NN_API nn_node *nn_argsort_at(nn_site site, nn_model *net, nn_node *x, int axis,
                              const nn_sort_desc *desc) {
    return nn_output_at(site, nn_sort_at(site, net, x, axis, desc), 1);
}
NN_API nn_node *nn_top_k_at(nn_site site, nn_model *net, nn_node *x, int k, int axis,
                            const nn_top_k_desc *desc) {
    const nn__op_sort_params params = nn__op_sort_params_of(axis, k, !(desc && desc->smallest));
    return nn__op_sort_build(site, net, &nn__rule_top_k, x, &params);
}

NN_API nn_node *nn_kthvalue_at(nn_site site, nn_model *net, nn_node *x, int k, int axis) {
    const nn__op_sort_params params = nn__op_sort_params_of(axis, k, false);
    nn_node *y = nn__op_sort_build(site, net, &nn__rule_top_k, x, &params);
    nn_slice_desc slice;
    nn_shape shape;
    if (!y || y->poisoned) return y;
    memset(&slice, 0, sizeof slice);
    slice.axis = axis < 0 ? axis + y->shape.rank : axis;
    slice.start = k - 1;
    shape = y->shape;
    for (int i = slice.axis + 1; i < shape.rank; i++) shape.extent[i - 1] = shape.extent[i];
    shape.rank--;
    return nn_reshape_at(site, net, nn_slice_at(site, net, y, &slice), shape);
}

/* Returns the maximum of a row, the first of equal ones; NaN if there is one. Its gradient goes to
   that place, as in PyTorch. */
static nn_node *nn__op_sort_largest(nn_site site, nn_model *net, nn_node *x, int axis,
                                    nn_shape shape) {
    nn_axes axes;
    memset(&axes, 0, sizeof axes);
    axes.count = 1;
    axes.axis[0] = axis;
    nn_node *at = nn_reduce_at(site, net, NN_ARGMAX, nn_detach_at(site, net, x), axes, true);
    return nn_reshape_at(site, net, nn_gather_at(site, net, x, axis, at), shape);
}

NN_API nn_node *nn_median_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    nn_node *y;
    int k = 1;
    if (x && !x->poisoned) {
        const int at = axis < 0 ? axis + x->shape.rank : axis;
        if (at >= 0 && at < x->shape.rank && !nn__is_symbolic(x->shape.extent[at]))
            k = x->shape.extent[at] - x->shape.extent[at] / 2;
    }
    y = nn_kthvalue_at(site, net, x, k, axis);
    if (!y || y->poisoned) return y;
    return nn__add_text(site, net, "median", "y, most: isnan(most) ? most : y", y,
                        nn__op_sort_largest(site, net, x, axis, y->shape), NULL, NULL, NULL);
}

/* ---- immediate ------------------------------------------------------------------------------- */

static nn_result nn__op_sort_forward(nn_site site, const char *who, const nn__rule *rule,
                                     nn_tensor *y, nn_tensor *index, const nn_tensor *x,
                                     const nn__op_sort_params *params) {
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_F32},
                               {"index", index, NN__WRITTEN | NN__OPTIONAL, NN_I32},
                               {"input", x, 0, NN_F32}};
    return nn__immediate(site, who, rule, nn__install_sort, given, 2, NN__COUNT(given), params);
}

NN_API nn_result nn_sort_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                    const nn_tensor *x, int axis, const nn_sort_desc *desc) {
    const nn__op_sort_params params = nn__op_sort_params_of(axis, 0, desc && desc->descending);
    return nn__op_sort_forward(site, "nn_sort_forward", &nn__rule_sort, y, index, x, &params);
}
NN_API nn_result nn_top_k_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                     const nn_tensor *x, int k, int axis,
                                     const nn_top_k_desc *desc) {
    const nn__op_sort_params params = nn__op_sort_params_of(axis, k, !(desc && desc->smallest));
    return nn__op_sort_forward(site, "nn_top_k_forward", &nn__rule_top_k, y, index, x, &params);
}
