/* ops/reshape.c - reshapes and detach. These nodes have no kernel and move no element. */
#include "ops/private.h"

/* ---- types ----------------------------------------------------------------------------------- */

static bool nn__op_flatten_infer(nn__inference *inference) {
    nn__problem *problem = inference->problem;
    const nn_shape x = inference->inputs[0].shape;
    nn__type *y = &inference->outputs[0];
    char text[NN__SHAPE_TEXT];
    int32_t features;
    nn__format_shape(x, text, sizeof text);
    if (x.rank < 2)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape makes any shape"),
            NN__TEXT("the input %s has %d extents; flatten wants (N, ...), at least 2"), text,
            (int)x.rank);
    if (nn__free_extents(x, NN__OF_BATCH) > 1)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("keep one extent of the batch"),
            NN__TEXT("%d extents of the input %s depend on the batch; at most one may"),
            nn__free_extents(x, NN__OF_BATCH), text);
    if (!nn__fold_extents(x, 1, x.rank, &features))
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("make it smaller, or keep extents of the time apart: none "
                                        "is a multiple of time * time"),
                               NN__TEXT("the extents of the input %s after the first have a "
                                        "product that cannot be an extent"),
                               text);
    y->dtype = inference->inputs[0].dtype;
    y->shape.rank = 2;
    y->shape.extent[0] = x.extent[0];
    y->shape.extent[1] = features;
    return true;
}

static bool nn__op_reshape_infer(nn__inference *inference) {
    nn__problem *problem = inference->problem;
    const nn_shape x = inference->inputs[0].shape, y = *(const nn_shape *)inference->params;
    char from[NN__SHAPE_TEXT], to[NN__SHAPE_TEXT];
    int64_t have, want;
    if (y.rank < 0 || y.rank > NN_MAX_RANK)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("use NN_SHAPE"),
                               NN__TEXT("the shape has the rank %d; at most %d"), (int)y.rank,
                               NN_MAX_RANK);
    const int batches = nn__free_extents(y, NN__OF_BATCH);
    const bool times = nn__free_extents(x, NN__OF_TIME) != nn__free_extents(y, NN__OF_TIME);
    nn__format_shape(x, from, sizeof from);
    nn__format_shape(y, to, sizeof to);
    if (!nn__symbolic_count(x, &have) || !nn__symbolic_count(y, &want))
        return nn__problem_set(
            problem, NN_ERROR_SHAPE,
            NN__TEXT("every extent must be positive, NN_BATCH, NN_TIME or a multiple of them"),
            NN__TEXT("cannot reshape %s to %s"), from, to);
    if (batches > 1)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("keep one NN_BATCH; it never means \"work it out\""),
            NN__TEXT("%d extents of %s depend on the batch; at most one may"), batches, to);
    if (nn__free_extents(x, NN__OF_BATCH) != batches)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE,
            NN__TEXT("NN_BATCH (-1) is the batch; it never means \"work it out\""),
            NN__TEXT("the input %s %s on the batch, but %s %s"), from,
            batches ? "does not depend" : "depends", to, batches ? "does" : "does not");
    if (times)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE,
            NN__TEXT("name the time as often: NN_TIME, NN_BATCH_TIME or nn_multiply_extents(3, "
                     "NN_TIME)"),
            NN__TEXT("%d extents of the input %s depend on the time, but %d of %s do"),
            nn__free_extents(x, NN__OF_TIME), from, nn__free_extents(y, NN__OF_TIME), to);
    if (have != want)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("the number of elements must not change"),
            NN__TEXT("the input %s has %lld elements%s, but %s has %lld"), from, (long long)have,
            nn__free_extents(x, NN__OF_TIME) ? " a step of a sample"
            : batches                        ? " a sample"
                                             : "",
            to, (long long)want);
    inference->outputs[0].dtype = inference->inputs[0].dtype;
    inference->outputs[0].shape = y;
    return true;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static NN__UNUSED double nn__op_alias_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node, (void)lowering;
    return 0.0;
}

#ifndef NN_NO_TRAINING
static void nn__op_reshape_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0];
    if (nn__wants(x)) nn__give_gradient(tape, x, nn__tape_reshape(tape, dy, x->shape, x));
}
#endif

static const nn__rule nn__rule_flatten = {"flatten",
                                          NN_KERNEL_NONE,
                                          NN__ALIAS | NN__ANY_DTYPE,
                                          NN_ACTIVATION_NONE,
                                          NULL,
                                          NN__GRADIENT(nn__op_reshape_gradient),
                                          NN__FLOPS(nn__op_alias_flops),
                                          nn__op_flatten_infer,
                                          NULL};
static const nn__rule nn__rule_reshape = {"reshape",
                                          NN_KERNEL_NONE,
                                          NN__ALIAS | NN__ANY_DTYPE,
                                          NN_ACTIVATION_NONE,
                                          NULL,
                                          NN__GRADIENT(nn__op_reshape_gradient),
                                          NN__FLOPS(nn__op_alias_flops),
                                          nn__op_reshape_infer,
                                          NULL};
static const nn__rule nn__rule_detach = {
    "detach", NN_KERNEL_NONE, NN__ALIAS | NN__ANY_DTYPE,     NN_ACTIVATION_NONE,
    NULL,     NULL,           NN__FLOPS(nn__op_alias_flops), nn__infer_same,
    NULL};

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_node *nn__tape_reshape(nn__tape *tape, nn_node *x, nn_shape shape,
                                     const nn_node *like) {
    if (x->poisoned || nn_same_shape(x->shape, shape)) return x;
    return nn__tape_node(tape, &nn__rule_reshape, like, ".grad", &x, 1, x->dtype, shape, NULL, 0);
}
#endif

/* ---- builders -------------------------------------------------------------------------------- */

NN_API nn_node *nn_flatten_at(nn_site site, nn_model *net, nn_node *x) {
    return nn__build_unary(site, net, &nn__rule_flatten, NULL, x, NULL, 0);
}

NN_API nn_node *nn_reshape_at(nn_site site, nn_model *net, nn_node *x, nn_shape shape) {
    return nn__build_unary(site, net, &nn__rule_reshape, NULL, x, &shape, 0);
}

NN_API nn_node *nn_detach_at(nn_site site, nn_model *net, nn_node *x) {
    nn_node *node = nn__build_unary(site, net, &nn__rule_detach, NULL, x, NULL, 0);
    if (node && !node->poisoned) node->detached = true;
    return node;
}
