/* ops/distance.c - the p-norm of a difference over the last axis, composed of a line of the
   table and a reduction. */
#include "ops/distance.h"
#include "ops/loss_private.h"
#include "ops/more_private.h"

#include <math.h>

/* Returns the p-norm of x over its last axis. */
static nn_node *nn__op_distance_norm(nn_model *net, nn_site site, const char *operation,
                                     const char *const *roles, nn_node *x, float p) {
    nn__graph *graph = &net->graph;
    const float root = 1.0f / p;
    nn_axes last;
    memset(&last, 0, sizeof last);
    last.count = 1;
    last.axis[0] = -1;
    if (!x || x->poisoned) return x;
    if (p == 2.0f) return nn_reduce_at(site, net, NN_NORM, x, last, false);
    if (p == 1.0f || p == INFINITY) {
        x = nn__add_unary(graph, site, operation, operation, roles, nn__table_abs(), x, 0.0f);
        return nn_reduce_at(site, net, p == 1.0f ? NN_SUM : NN_MAX, x, last, false);
    }
    x = nn__add_line(graph, site, NULL, operation, nn__table_abs_power(), &x, roles, x->shape, &p);
    if (x->poisoned) return x;
    x = nn_reduce_at(site, net, NN_SUM, x, last, false);
    if (x->poisoned) return x;
    return nn__add_line(graph, site, NULL, operation, nn__table_root(), &x, roles, x->shape, &root);
}

NN_PRIVATE nn_node *nn__op_distance(nn_model *net, nn_site site, const char *operation,
                                    const char *const *roles, nn_node *a, nn_node *b, float p,
                                    float epsilon) {
    nn_node *inputs[2] = {a, b}, *x;
    nn_shape shape;
    /* already checked */
    if (!nn__broadcast_shapes(a->shape, b->shape, &shape)) return nn__poison(net);
    x = nn__add_line(&net->graph, site, NULL, operation, nn__table_distance(), inputs, roles, shape,
                     &epsilon);
    return nn__op_distance_norm(net, site, operation, roles, x, p);
}

/* ---- check ----------------------------------------------------------------------------------- */

/* Checks p, rank and vector length of both inputs. params: p, a float. */
static bool nn__op_distance_operands(nn__inference *inference, int least) {
    const float p = *(const float *)inference->params;
    const nn_shape a = inference->inputs[0].shape, b = inference->inputs[1].shape;
    nn__problem *problem = inference->problem;
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    nn__format_shape(a, one, sizeof one);
    nn__format_shape(b, other, sizeof other);
    for (int i = 0; i < 2; i++)
        if (!nn__want_dtype(problem, inference->operation, inference->roles[i],
                            inference->inputs[i].dtype, NN_F32))
            return false;
    if (!(p > 0.0f))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("2 is PyTorch's default"),
                               NN__TEXT("p is %g; it must be positive"), (double)p);
    if (a.rank >= least && b.rank >= least && a.extent[a.rank - 1] == b.extent[b.rank - 1])
        return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("give vectors of one length"),
                           NN__TEXT("a is %s and b is %s; %s wants at least %d axes, and last "
                                    "axes of equal extent"),
                           one, other, inference->operation, least);
}

static bool nn__op_distance_broadcast(nn__inference *inference, nn_shape a, nn_shape b) {
    nn_shape y;
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    if (nn__broadcast_shapes(a, b, &y)) return nn__want_one_batch(inference->problem, y, a, b);
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("make extents equal, or one of them 1"),
                           NN__TEXT("a is %s and b is %s, which do not fit each other"),
                           nn__format_shape(inference->inputs[0].shape, one, sizeof one),
                           nn__format_shape(inference->inputs[1].shape, other, sizeof other));
}

static bool nn__op_pairwise_infer(nn__inference *inference) {
    return nn__op_distance_operands(inference, 1) &&
           nn__op_distance_broadcast(inference, inference->inputs[0].shape,
                                     inference->inputs[1].shape);
}

/* Returns the shape x with a new axis of 1 before the last `at` axes. */
static nn_shape nn__op_distance_wide(nn_shape x, int at) {
    const int from = x.rank - at;
    for (int i = x.rank; i > from; i--) x.extent[i] = x.extent[i - 1];
    x.extent[from] = 1;
    x.rank++;
    return x;
}

static bool nn__op_cdist_infer(nn__inference *inference) {
    const nn_shape a = inference->inputs[0].shape, b = inference->inputs[1].shape;
    char text[NN__SHAPE_TEXT];
    if (!nn__op_distance_operands(inference, 2)) return false;
    if (a.rank == NN_MAX_RANK || b.rank == NN_MAX_RANK)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape first"),
                               NN__TEXT("%s has %d axes; one more is needed"),
                               nn__format_shape(a.rank == NN_MAX_RANK ? a : b, text, sizeof text),
                               NN_MAX_RANK);
    return nn__op_distance_broadcast(inference, nn__op_distance_wide(a, 1),
                                     nn__op_distance_wide(b, 2));
}

static const nn__rule nn__rule_pairwise_distance =
    NN__COMPOSED_RULE("pairwise_distance", nn__op_pairwise_infer);
static const nn__rule nn__rule_cdist = NN__COMPOSED_RULE("cdist", nn__op_cdist_infer);
static const char *const nn__distance_roles[] = {"a", "b"};

/* ---- builders -------------------------------------------------------------------------------- */

NN_API nn_node *nn_pairwise_distance_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                        const nn_pairwise_distance_desc *desc) {
    const float p = desc && desc->p != 0.0f ? desc->p : 2.0f,
                epsilon = nn__or_default(desc ? desc->epsilon : 0.0f, 1e-6f);
    const nn__rule *rule = &nn__rule_pairwise_distance;
    nn_node *inputs[2] = {a, b}, *y;
    nn_shape shape;
    y = nn__build(site, net, rule, NULL, NULL, inputs, nn__distance_roles, 2, &p, 0);
    if (!y || y->poisoned) return y;
    y = nn__op_distance(net, site, rule->name, nn__distance_roles, a, b, p, epsilon);
    if (y->poisoned || !desc || !desc->keep_axes) return y;
    shape = y->shape;
    shape.extent[shape.rank++] = 1;
    return nn_reshape_at(site, net, y, shape);
}

/* If several differences are the largest, torch.cdist gives each of them the whole gradient,
   where a maximum shares it. So y, which is that maximum, passes on `count` times its gradient.
   An infinite y has no gradient. */
static nn_node *nn__op_distance_ties(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                     nn_node *y) {
    nn_shape wide = y->shape;
    nn_axes last;
    memset(&last, 0, sizeof last);
    last.count = 1;
    last.axis[0] = -1;
    wide.extent[wide.rank++] = 1;
    nn_node *most = nn_detach_at(site, net, y), *count;
    count = nn__add_text(site, net, "cdist", "a, b, most: abs(a - b) == most",
                         nn_detach_at(site, net, a), nn_detach_at(site, net, b),
                         nn_reshape_at(site, net, most, wide), NULL, NULL);
    count = nn_reduce_at(site, net, NN_SUM, count, last, false);
    return nn__add_text(site, net, "cdist",
                        "y, most, count: most - most == 0 ? most + (y - most) * count : y", y, most,
                        count, NULL, NULL);
}

NN_API nn_node *nn_cdist_at(nn_site site, nn_model *net, nn_node *a, nn_node *b, float p) {
    const nn__rule *rule = &nn__rule_cdist;
    nn_node *inputs[2] = {a, b}, *y;
    y = nn__build(site, net, rule, NULL, NULL, inputs, nn__distance_roles, 2, &p, 0);
    if (!y || y->poisoned) return y;
    a = nn_reshape_at(site, net, a, nn__op_distance_wide(a->shape, 1));
    b = nn_reshape_at(site, net, b, nn__op_distance_wide(b->shape, 2));
    if (a->poisoned || b->poisoned) return nn__poison(net);
    y = nn__op_distance(net, site, rule->name, nn__distance_roles, a, b, p, 0.0f);
    return p == INFINITY && y && !y->poisoned ? nn__op_distance_ties(site, net, a, b, y) : y;
}

/* ---- pdist: the distances above the diagonal ------------------------------------------------- */

typedef struct nn__op_above {
    int32_t pieces; /* one for each row; see NN__PIECES */
} nn__op_above;

/* Copies the elements above the diagonal of x (n, n) to y, row by row; back: from y to x. */
static void nn__op_above_lower_as(const nn__lowering *lowering, nn__args *arguments, int32_t n,
                                  bool back) {
    nn_strided_copy_args *args = &arguments->strided_copy;
    nn_copy_piece *pieces = (nn_copy_piece *)lowering->pieces;
    int64_t at = 0;
    memset(args, 0, sizeof *args);
    for (int32_t i = 0; i < n - 1; i++) {
        const int64_t square = (int64_t)i * n + i + 1;
        memset(&pieces[i], 0, sizeof pieces[i]);
        for (int k = 0; k < NN_COPY_AXES; k++) pieces[i].extent[k] = 1;
        pieces[i].extent[NN_COPY_AXES - 1] = n - 1 - i;
        pieces[i].x_stride[NN_COPY_AXES - 1] = pieces[i].y_stride[NN_COPY_AXES - 1] = 1;
        pieces[i].x_first = back ? at : square;
        pieces[i].y_first = back ? square : at;
        pieces[i].x = lowering->inputs[0];
        at += n - 1 - i;
    }
    args->y = lowering->output;
    args->pieces = pieces;
    args->count = n - 1;
    args->fill = back;
}

static void nn__op_above_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    (void)node;
    nn__op_above_lower_as(lowering, args, lowering->inputs[0].shape.extent[0], false);
}

#ifndef NN_NO_TRAINING
static void nn__op_above_back(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    (void)node;
    nn__op_above_lower_as(lowering, args, lowering->output.shape.extent[0], true);
}
static const nn__rule nn__rule_above_backward = {"above_backward",
                                                 NN_KERNEL_STRIDED_COPY,
                                                 NN__PIECES,
                                                 NN_ACTIVATION_NONE,
                                                 nn__op_above_back,
                                                 nn__gradient_again,
                                                 NULL,
                                                 NULL,
                                                 NULL};
static void nn__op_above_again(nn__tape *tape, nn_node *node, nn_node *dy);
static void nn__op_above_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0];
    tape->nn->again[NN__AGAIN_ABOVE] = nn__op_above_again;
    if (nn__wants(x))
        nn__give_gradient(tape, x,
                          nn__tape_node(tape, &nn__rule_above_backward, x, ".grad", &dy, 1, NN_F32,
                                        x->shape, node->params, sizeof(nn__op_above)));
}
#endif

/* The input is (N, N), the distances. */
static bool nn__op_above_infer(nn__inference *inference) {
    const int32_t n = inference->inputs[0].shape.extent[0];
    nn__type *y = &inference->outputs[0];
    y->dtype = NN_F32;
    memset(&y->shape, 0, sizeof y->shape);
    y->shape.rank = 1;
    y->shape.extent[0] = n * (n - 1) / 2;
    return true;
}
static const nn__rule nn__rule_above = {"pdist",
                                        NN_KERNEL_STRIDED_COPY,
                                        NN__PIECES,
                                        NN_ACTIVATION_NONE,
                                        nn__op_above_lower,
                                        NN__GRADIENT(nn__op_above_gradient),
                                        NULL,
                                        nn__op_above_infer,
                                        NULL};
#ifndef NN_NO_TRAINING
static void nn__op_above_again(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *of = node->inputs[0];
    if (nn__wants(of))
        nn__give_gradient(tape, of,
                          nn__tape_node(tape, &nn__rule_above, of, ".grad", &dy, 1, NN_F32,
                                        of->shape, node->params, sizeof(nn__op_above)));
}
#endif

/* params: p, a float */
static bool nn__op_pdist_infer(nn__inference *inference) {
    const nn_shape x = inference->inputs[0].shape;
    const float p = *(const float *)inference->params;
    char text[NN__SHAPE_TEXT];
    if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[0],
                        inference->inputs[0].dtype, NN_F32))
        return false;
    if (!(p > 0.0f))
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("2 is PyTorch's default"),
                               NN__TEXT("p is %g; it must be positive"), (double)p);
    if (x.rank == 2 && x.extent[0] >= 2 && x.extent[0] <= 4096) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("nn_cdist takes any number of rows, and the batch"),
                           NN__TEXT("x is %s; wanted (N, M) with N from 2 to 4096"),
                           nn__format_shape(x, text, sizeof text));
}
static const nn__rule nn__rule_pdist = NN__COMPOSED_RULE("pdist", nn__op_pdist_infer);

/* Returns the differences of all rows (N, N, M), with 0 on and below the diagonal: infinity -
   infinity would make gradients NaN there. */
static nn_node *nn__op_pdist_differences(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                         nn_node *place) {
    nn_node *column = nn_reshape_at(site, net, place, nn__op_distance_wide(place->shape, 2));
    place = nn_reshape_at(site, net, place, nn__op_distance_wide(place->shape, 1));
    return nn__add_text(site, net, "pdist", "a, b, r, c: c > r ? a - b : 0", a, b, place, column,
                        NULL);
}

NN_API nn_node *nn_pdist_at(nn_site site, nn_model *net, nn_node *x, float p) {
    const nn__rule *rule = &nn__rule_pdist;
    nn__op_above params;
    nn_node *a, *b, *y;
    x = nn__build_unary(site, net, rule, NULL, x, &p, 0);
    if (!x || x->poisoned) return x;
    params.pieces = x->shape.extent[0];
    a = nn_reshape_at(site, net, x, nn__op_distance_wide(x->shape, 1));
    b = nn_reshape_at(site, net, x, nn__op_distance_wide(x->shape, 2));
    y = nn__op_counted_along(site, net, x, -2);
    if (!y || y->poisoned || a->poisoned || b->poisoned) return nn__poison(net);
    y = nn__op_pdist_differences(site, net, a, b, y);
    y = nn__op_distance_norm(net, site, rule->name, nn__distance_roles, y, p);
    if (p == INFINITY && y && !y->poisoned) y = nn__op_distance_ties(site, net, a, b, y);
    return nn__build_unary(site, net, &nn__rule_above, nn__install_strided_copy, y, &params,
                           sizeof params);
}
