/* ops/matmul.c - products of matrices and of batches of them. The rule decides which axes are
   multiplied; lowering describes the batch by as few strides as possible. */
#include "ops/matmul_private.h"

/* ---- check ----------------------------------------------------------------------------------- */

static bool nn__op_matmul_type(nn__problem *problem, const char *role, const nn__type *type,
                               bool transpose) {
    char text[NN__SHAPE_TEXT], fix[96];
    if (!nn__is_half(type->dtype) &&
        !nn__want_dtype(problem, "matmul", role, type->dtype, NN_F32))
        return false;
    if (type->shape.rank < 1)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("nn_multiply multiplies by a number"),
            NN__TEXT("%s is one number; matmul wants vectors or matrices"), role);
    if (type->shape.rank > 1 || !transpose) return true;
    nn__explain(fix, sizeof fix, "leave out .transpose_%s", role);
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT(fix),
                           NN__TEXT("%s is a vector %s, which has nothing to transpose"), role,
                           nn__format_shape(type->shape, text, sizeof text));
}

/* Axes of an operand: `summed` is summed over; `free` are the rows of the first or the columns
   of the second operand, and -1 for a vector. */
typedef struct nn__op_matmul_axes {
    int free, summed;
} nn__op_matmul_axes;

static nn__op_matmul_axes nn__op_matmul_axes_of(int rank, bool first, bool transpose) {
    nn__op_matmul_axes axes;
    const bool last = rank < 2 || first != transpose; /* the last axis is summed over */
    axes.summed = last ? rank - 1 : rank - 2;
    axes.free = rank < 2 ? -1 : last ? rank - 2 : rank - 1;
    return axes;
}

static nn_shape nn__op_matmul_batch(nn_shape x) { /* all but the last two */
    x.rank = nn__maxi(0, x.rank - 2);
    return x;
}

static bool nn__op_matmul_refuse(nn__problem *problem, nn_shape a, nn_shape b, int a_axis,
                                 int b_axis, const char *fix, const char *words) {
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    return nn__problem_set(problem, NN_ERROR_SHAPE, fix,
                           NN__TEXT("a is %s and b is %s; axis %d of a and axis %d of b %s"),
                           nn__format_shape(a, one, sizeof one),
                           nn__format_shape(b, other, sizeof other), a_axis, b_axis, words);
}

static bool nn__op_matmul_infer(nn__inference *inference) {
    const nn_matmul_desc *desc = (const nn_matmul_desc *)inference->params;
    nn__problem *problem = inference->problem;
    const nn_shape a = inference->inputs[0].shape, b = inference->inputs[1].shape;
    nn_shape *y = &inference->outputs[0].shape;
    if (!nn__op_matmul_type(problem, "a", &inference->inputs[0], desc->transpose_a) ||
        !nn__op_matmul_type(problem, "b", &inference->inputs[1], desc->transpose_b))
        return false;
    const nn__op_matmul_axes at_a = nn__op_matmul_axes_of(a.rank, true, desc->transpose_a),
                             at_b = nn__op_matmul_axes_of(b.rank, false, desc->transpose_b);
    const int32_t k = a.extent[at_a.summed];
    if (k != b.extent[at_b.summed])
        return nn__op_matmul_refuse(
            problem, a, b, at_a.summed, at_b.summed,
            at_b.free >= 0 && b.extent[at_b.free] == k && !desc->transpose_b
                ? NN__TEXT("make them equal: with .transpose_b they are")
            : at_a.free >= 0 && a.extent[at_a.free] == b.extent[at_b.summed] && !desc->transpose_a
                ? NN__TEXT("make them equal: with .transpose_a they are")
                : NN__TEXT("make them equal"),
            NN__TEXT("are summed over and must be equal"));
    const nn_shape batch_a = nn__op_matmul_batch(a), batch_b = nn__op_matmul_batch(b);
    if (!nn__broadcast_shapes(batch_a, batch_b, y)) {
        /* the last pair of axes that does not fit */
        int i = batch_a.rank - 1, j = batch_b.rank - 1;
        while (a.extent[i] == b.extent[j] || a.extent[i] == 1 || b.extent[j] == 1) i--, j--;
        return nn__op_matmul_refuse(problem, a, b, i, j,
                                    NN__TEXT("make them equal, or one of them 1"),
                                    NN__TEXT("count products and do not fit each other"));
    }
    if (at_a.free >= 0) y->extent[y->rank++] = a.extent[at_a.free];
    if (at_b.free >= 0) y->extent[y->rank++] = b.extent[at_b.free];
    for (int i = y->rank; i < NN_MAX_RANK; i++) y->extent[i] = 0;
    inference->outputs[0].dtype = NN_F32;
    return nn__want_one_batch(problem, *y, a, b);
}

/* ---- lowering -------------------------------------------------------------------------------- */

/* Folds all extents but the last into one. False: it does not fit into 31 bits. */
static bool nn__op_matmul_fold(nn_shape *x) {
    int64_t rows = 1;
    for (int i = 0; i + 1 < x->rank; i++) {
        rows *= x->extent[i];
        if (rows > INT32_MAX) return false;
    }
    x->extent[1] = x->extent[x->rank - 1];
    x->extent[0] = (int32_t)rows;
    x->rank = 2;
    return true;
}

/* Describes the batch axes and joins those that are contiguous in memory. False: too many
   products. */
static bool nn__op_matmul_steps(nn_gemm_args *g, nn_shape a, nn_shape b) {
    const int rank = nn__maxi(a.rank, b.rank) - 2;
    int64_t a_step = 1, b_step = 1, products = 1;
    int at = NN_GEMM_BATCH;
    for (int i = 0; i < rank; i++) { /* from the last axis */
        const int32_t p = i < a.rank - 2 ? a.extent[a.rank - 3 - i] : 1,
                      q = i < b.rank - 2 ? b.extent[b.rank - 3 - i] : 1, extent = p == 1 ? q : p;
        const int64_t a_here = p == 1 ? 0 : a_step, b_here = q == 1 ? 0 : b_step;
        a_step *= p;
        b_step *= q;
        products *= extent;
        if (products > INT32_MAX) return false;
        if (extent == 1) continue;
        if (at < NN_GEMM_BATCH && a_here == (int64_t)g->a_batch[at] * g->batch[at] &&
            b_here == (int64_t)g->b_batch[at] * g->batch[at]) {
            g->batch[at] *= extent;
            continue;
        }
        at--;
        g->batch[at] = extent;
        g->a_batch[at] = (int32_t)a_here;
        g->b_batch[at] = (int32_t)b_here;
    }
    return true;
}

NN_PRIVATE void nn__op_matmul_args(nn_gemm_args *g, const nn_view *y, const nn_view *a,
                                   const nn_view *b, const nn_matmul_desc *desc, bool fold) {
    nn_shape p = a->shape, q = b->shape;
    const int last = NN_GEMM_BATCH - 1;
    bool fits = true;
    memset(g, 0, sizeof *g);
    g->y = *y;
    g->a = *a;
    g->b = *b;
    if (p.rank == 1) { /* a row */
        p.extent[1] = p.extent[0];
        p.extent[0] = 1;
        p.rank = 2;
    }
    if (q.rank == 1) { /* a column */
        q.extent[1] = 1;
        q.rank = 2;
    }
    if (fold) fits = nn__op_matmul_fold(&p) && nn__op_matmul_fold(&q);
    g->transpose_a = desc->transpose_a;
    g->transpose_b = desc->transpose_b;
    g->m = p.extent[p.rank - (desc->transpose_a ? 1 : 2)];
    g->k = p.extent[p.rank - (desc->transpose_a ? 2 : 1)];
    g->n = q.extent[q.rank - (desc->transpose_b ? 2 : 1)];
    if (!fits || !nn__op_matmul_steps(g, p, q)) g->m = -1; /* which no device supports */
    /* one b for all: the rows of the whole batch form one product */
    const bool shared = g->batch[last] > 0 && g->batch[last - 1] == 0 && g->b_batch[last] == 0;
    if (shared && !desc->transpose_a && (int64_t)g->m * g->batch[last] <= INT32_MAX) {
        g->m *= g->batch[last];
        g->batch[last] = g->a_batch[last] = 0;
    }
}

static void nn__op_matmul_lower(const nn_node *node, const nn__lowering *lowering,
                                nn__args *args) {
    const nn__op_matmul_params *params = (const nn__op_matmul_params *)node->params;
    nn__op_matmul_args(&args->gemm, &lowering->output, &lowering->inputs[0], &lowering->inputs[1],
                       &params->desc, params->fold);
    args->gemm.epilogue.activation = lowering->activation;
    args->gemm.scratch = lowering->scratch;
}

static NN__UNUSED double nn__op_matmul_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn__op_matmul_params *params = (const nn__op_matmul_params *)node->params;
    nn_gemm_args g;
    nn__op_matmul_args(&g, &lowering->output, &lowering->inputs[0], &lowering->inputs[1],
                       &params->desc, params->fold);
    return 2.0 * (double)nn__count(&lowering->output) * (double)g.k;
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
static const nn__rule nn__rule_matmul_product = {"matmul_product",
                                                 NN_KERNEL_GEMM,
                                                 NN__HALVES,
                                                 NN_ACTIVATION_NONE,
                                                 nn__op_matmul_lower,
                                                 nn__gradient_again,
                                                 NN__FLOPS(nn__op_matmul_flops),
                                                 NULL,
                                                 NULL};

static nn_node *nn__op_matmul_product(nn__tape *tape, const nn_node *like, nn_node *a, nn_node *b,
                                      bool transpose_a, bool transpose_b, bool fold,
                                      nn_shape shape) {
    nn__op_matmul_params params;
    nn_node *inputs[2];
    memset(&params, 0, sizeof params);
    params.desc.transpose_a = transpose_a;
    params.desc.transpose_b = transpose_b;
    params.fold = fold;
    inputs[0] = a;
    inputs[1] = b;
    return nn__tape_node(tape, &nn__rule_matmul_product, like, ".grad", inputs, 2, NN_F32, shape,
                         &params, sizeof params);
}

NN_PRIVATE nn_node *nn__tape_matmul(nn__tape *tape, const nn_node *like, nn_node *a, nn_node *b,
                                    bool transpose_a, bool transpose_b, nn_shape shape) {
    return nn__op_matmul_product(tape, like, a, b, transpose_a, transpose_b, false, shape);
}

NN_PRIVATE nn_shape nn__op_matmul_with_one(nn_shape x, int at) {
    for (int i = x.rank++; i > at; i--) x.extent[i] = x.extent[i - 1];
    x.extent[at] = 1;
    return x;
}

NN_PRIVATE nn_shape nn__op_matmul_wide(nn_shape y, nn_shape x) {
    y.extent[y.rank - 2] = x.extent[x.rank - 2];
    y.extent[y.rank - 1] = x.extent[x.rank - 1];
    return y;
}

/* Reduces dx (shape `wide`) to the shape `x`, both as matrices, and gives it to `of`. */
static void nn__op_matmul_give(nn__tape *tape, nn_node *of, nn_node *dx, nn_shape wide,
                               nn_shape x) {
    const int missing = wide.rank - x.rank;
    uint32_t axes = 0;
    for (int i = 0; i + 2 < wide.rank; i++)
        if (wide.extent[i] != 1 && (i < missing || x.extent[i - missing] == 1)) axes |= 1u << i;
    if (axes) dx = nn__tape_reduce(tape, NN_SUM, dx, axes, nn__keep_axes(wide, axes), of);
    nn__give_gradient(tape, of, nn__tape_reshape(tape, dx, of->shape, of));
}

static void nn__op_matmul_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn_matmul_desc *desc = &((const nn__op_matmul_params *)node->params)->desc;
    nn_node *a = node->inputs[0], *b = node->inputs[1];
    const bool ta = desc->transpose_a, tb = desc->transpose_b;
    nn_shape p = a->shape, q = b->shape, y = node->shape;
    if (q.rank == 1) {
        q = nn__op_matmul_with_one(q, 1);
        y = nn__op_matmul_with_one(y, y.rank);
    }
    if (p.rank == 1) {
        p = nn__op_matmul_with_one(p, 0);
        y = nn__op_matmul_with_one(y, y.rank - 1);
    }
    nn_node *const am = nn__tape_reshape(tape, a, p, a), *const bm =
                                                             nn__tape_reshape(tape, b, q, b);
    dy = nn__tape_reshape(tape, dy, y, node);
    if (nn__wants(a)) {
        const nn_shape wide = nn__op_matmul_wide(y, p);
        nn__op_matmul_give(tape, a,
                           ta ? nn__op_matmul_product(tape, a, bm, dy, tb, true, false, wide)
                              : nn__op_matmul_product(tape, a, dy, bm, false, !tb, false, wide),
                           wide, p);
    }
    if (!nn__wants(b)) return;
    nn_shape wide = nn__op_matmul_wide(y, q);
    const nn_shape every = nn__op_matmul_wide(y, p);
    bool alone = true;
    for (int i = 0; i + 2 < q.rank; i++) alone = alone && q.extent[i] == 1;
    /* all rows of a met the same b: one product sums over the batch too */
    const bool fold = alone && !ta && y.rank > 2 && nn__equal_shapes(&every, &p);
    if (fold) wide = q;
    nn__op_matmul_give(tape, b,
                       tb ? nn__op_matmul_product(tape, b, dy, am, true, ta, fold, wide)
                          : nn__op_matmul_product(tape, b, am, dy, !ta, false, fold, wide),
                       wide, q);
}

/* A folded product is A^T B with the whole batch as rows; so dA = B dy^T and dB = A dy for each
   matrix of the batch. */
NN_PRIVATE void nn__op_matmul_again(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *a = node->inputs[0], *b = node->inputs[1];
    if (!((const nn__op_matmul_params *)node->params)->fold) {
        nn__op_matmul_gradient(tape, node, dy);
        return;
    }
    if (nn__wants(a))
        nn__give_gradient(
            tape, a, nn__op_matmul_product(tape, a, b, dy, false, true, false, a->shape));
    if (nn__wants(b))
        nn__give_gradient(
            tape, b, nn__op_matmul_product(tape, b, a, dy, false, false, false, b->shape));
}
#endif

static const nn__rule nn__rule_matmul = {"matmul",
                                         NN_KERNEL_GEMM,
                                         NN__EPILOGUE | NN__HALVES,
                                         NN_ACTIVATION_NONE,
                                         nn__op_matmul_lower,
                                         NN__GRADIENT(nn__op_matmul_gradient),
                                         NN__FLOPS(nn__op_matmul_flops),
                                         nn__op_matmul_infer,
                                         NULL};

#ifndef NN_NO_TRAINING
NN_PRIVATE const nn__rule *nn__op_matmul_rule(void) { return &nn__rule_matmul; }
#endif

/* ---- builder and immediate call -------------------------------------------------------------- */

NN_PRIVATE nn__op_matmul_params nn__op_matmul_params_of(const nn_matmul_desc *desc) {
    nn__op_matmul_params params;
    memset(&params, 0, sizeof params);
    if (desc) params.desc = *desc;
    return params;
}

NN_API nn_node *nn_matmul_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                             const nn_matmul_desc *desc) {
    static const char *const roles[] = {"a", "b"};
    const nn__op_matmul_params params = nn__op_matmul_params_of(desc);
    nn_node *inputs[2];
    inputs[0] = a;
    inputs[1] = b;
    return nn__build(site, net, &nn__rule_matmul, nn__install_matmul_general, NULL, inputs, roles,
                     2, &params, sizeof params);
}

NN_API nn_result nn_matmul_forward_at(nn_site site, nn_tensor *y, const nn_tensor *a,
                                      const nn_tensor *b, const nn_matmul_desc *desc) {
    const nn__op_matmul_params params = nn__op_matmul_params_of(desc);
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_F32},
                               {"a", a, NN__OR_HALF, NN_F32},
                               {"b", b, NN__OR_HALF, NN_F32}};
    return nn__immediate(site, "nn_matmul_forward", &nn__rule_matmul, nn__install_matmul_general,
                         given, 1, NN__COUNT(given), &params);
}
