/* ops/matmul_backward.c - the immediate call for the gradients of a product: one product for
   each operand, summed over the axes along which it was broadcast. */
#include "ops/matmul_private.h"

#ifndef NN_NO_TRAINING
typedef struct nn__op_matmul_call {
    nn_site site;
    nn_context *nn;
    nn_device device;
    nn_shape y; /* with an extent of 1 for the axis that a vector lacks */
    bool accumulate;
} nn__op_matmul_call;

/* An operand of a gradient's product: matrices whose batch extents are those of y or 1. */
typedef struct nn__op_matmul_factor {
    const nn_view *view;
    nn_shape shape;
    bool transpose;
} nn__op_matmul_factor;

/* Returns the extent of x along axis i of y's batch; 1 if x lacks the axis. */
static int32_t nn__op_matmul_extent(nn_shape y, nn_shape x, int i) {
    const int at = i - (y.rank - x.rank);
    return at < 0 ? 1 : x.extent[at];
}

/* Returns the stride of x along axis i of y's batch, in matrices; 0 where x is broadcast. */
static int64_t nn__op_matmul_step(nn_shape y, nn_shape x, int i) {
    int64_t step = 1;
    if (nn__op_matmul_extent(y, x, i) == 1) return 0;
    for (int k = i + 1; k + 2 < y.rank; k++) step *= nn__op_matmul_extent(y, x, k);
    return step;
}

/* Returns the factor's matrices from matrix number `start` on. */
static nn_view nn__op_matmul_from(const nn__op_matmul_factor *x, int64_t start) {
    nn_view view = *x->view;
    const int32_t rows = x->shape.extent[x->shape.rank - 2],
                  columns = x->shape.extent[x->shape.rank - 1];
    const int64_t matrix = (int64_t)rows * columns, left = nn__count(x->view) / matrix - start;
    view.offset += (uint64_t)(start * matrix) * nn_dtype_size(view.dtype);
    memset(&view.shape, 0, sizeof view.shape);
    view.shape.rank = 3;
    view.shape.extent[0] = (int32_t)nn__min64(left, INT32_MAX);
    view.shape.extent[1] = rows;
    view.shape.extent[2] = columns;
    return view;
}

/* Describes part number `turn` of the sum that makes the gradient of x. The batch axes that x has
   form the batch of the product; `turn` counts through the other ones. False: too many products. */
static bool nn__op_matmul_part(nn_gemm_args *g, const nn__op_matmul_call *call, const nn_view *to,
                               nn_shape x, const nn__op_matmul_factor *one,
                               const nn__op_matmul_factor *other, int64_t turn) {
    const nn_shape y = call->y;
    nn_matmul_desc desc;
    nn_gemm_args matrices; /* the extents of one product */
    int64_t start[2] = {0, 0}, products = 1;
    int at = NN_GEMM_BATCH;
    memset(&desc, 0, sizeof desc);
    desc.transpose_a = one->transpose;
    desc.transpose_b = other->transpose;
    memset(g, 0, sizeof *g);
    for (int i = y.rank - 3; i >= 0; i--) {
        const int32_t extent = y.extent[i];
        const int64_t a_step = nn__op_matmul_step(y, one->shape, i),
                      b_step = nn__op_matmul_step(y, other->shape, i);
        if (extent == 1) continue;
        if (nn__op_matmul_extent(y, x, i) == 1) {
            start[0] += turn % extent * a_step;
            start[1] += turn % extent * b_step;
            turn /= extent;
            continue;
        }
        g->batch[--at] = extent;
        g->a_batch[at] = (int32_t)a_step;
        g->b_batch[at] = (int32_t)b_step;
        products *= extent;
        if (products > INT32_MAX || a_step > INT32_MAX || b_step > INT32_MAX) return false;
    }
    nn_view a = nn__op_matmul_from(one, start[0]), b = nn__op_matmul_from(other, start[1]);
    nn_view p = a, q = b;
    p.shape.extent[0] = q.shape.extent[0] = 1;
    nn__op_matmul_args(&matrices, to, &p, &q, &desc, false);
    g->y = *to;
    g->a = a;
    g->b = b;
    g->m = matrices.m;
    g->n = matrices.n;
    g->k = matrices.k;
    g->transpose_a = desc.transpose_a;
    g->transpose_b = desc.transpose_b;
    return true;
}

/* Computes the gradient `to` of an operand whose shape, as matrices, is x: the products of both
   factors, summed in order over the batch axes that x lacks. */
static nn_result nn__op_matmul_sum(const nn__op_matmul_call *call, const nn_view *to, nn_shape x,
                                   const nn__op_matmul_factor *one,
                                   const nn__op_matmul_factor *other) {
    const char *who = "nn_matmul_backward";
    nn_result result = NN_OK;
    int64_t turns = 1;
    for (int i = 0; i + 2 < call->y.rank; i++)
        if (nn__op_matmul_extent(call->y, x, i) == 1) turns *= call->y.extent[i];
    for (int64_t turn = 0; turn < turns && result == NN_OK; turn++) {
        nn_gemm_args args;
        if (!nn__op_matmul_part(&args, call, to, x, one, other, turn))
            return nn__fail_at(call->nn, call->site, NN_ERROR_UNSUPPORTED,
                               "%s: there are more than %d products", who, INT32_MAX);
        args.accumulate = call->accumulate || turn > 0;
        result = nn__run_immediate(call->site, who, call->nn, call->device, NN_KERNEL_GEMM, &args,
                                   &args.scratch);
    }
    return result;
}

/* Computes db if the whole batch shares b: one product, which also sums over the rows of the
   batch. */
static nn_result nn__op_matmul_folded(const nn__op_matmul_call *call, const nn_view *to,
                                      const nn__op_matmul_factor *one,
                                      const nn__op_matmul_factor *other) {
    nn_view a = *one->view, b = *other->view;
    nn_matmul_desc desc;
    nn_gemm_args args;
    memset(&desc, 0, sizeof desc);
    desc.transpose_a = true;
    a.shape = one->shape;
    b.shape = other->shape;
    nn__op_matmul_args(&args, to, &a, &b, &desc, true);
    args.accumulate = call->accumulate;
    return nn__run_immediate(call->site, "nn_matmul_backward", call->nn, call->device,
                             NN_KERNEL_GEMM, &args, &args.scratch);
}

static nn_result nn__op_matmul_gradients(nn__op_matmul_call *call, nn_tensor *da, nn_tensor *db,
                                         const nn_tensor *dy, const nn_tensor *a,
                                         const nn_tensor *b, const nn_matmul_desc *desc) {
    nn_shape p = a->view.shape, q = b->view.shape, y = dy->view.shape;
    nn__op_matmul_factor of_a, of_b, of_dy;
    nn_result result = NN_OK;
    if (q.rank == 1) {
        q = nn__op_matmul_with_one(q, 1);
        y = nn__op_matmul_with_one(y, y.rank);
    }
    if (p.rank == 1) {
        p = nn__op_matmul_with_one(p, 0);
        y = nn__op_matmul_with_one(y, y.rank - 1);
    }
    call->y = y;
    of_a.view = &a->view, of_a.shape = p;
    of_b.view = &b->view, of_b.shape = q;
    of_dy.view = &dy->view, of_dy.shape = y;
    if (da) {
        of_b.transpose = desc->transpose_a ? desc->transpose_b : !desc->transpose_b;
        of_dy.transpose = desc->transpose_a;
        result = desc->transpose_a ? nn__op_matmul_sum(call, &da->view, p, &of_b, &of_dy)
                                   : nn__op_matmul_sum(call, &da->view, p, &of_dy, &of_b);
    }
    if (!db || result != NN_OK) return result;
    const nn_shape every = nn__op_matmul_wide(y, p);
    bool fold = !desc->transpose_a && y.rank > 2 && nn__equal_shapes(&every, &p);
    for (int i = 0; i + 2 < q.rank; i++) fold = fold && q.extent[i] == 1;
    of_a.transpose = desc->transpose_b ? desc->transpose_a : !desc->transpose_a;
    of_dy.transpose = desc->transpose_b;
    const nn__op_matmul_factor *one = desc->transpose_b ? &of_dy : &of_a,
                               *other = desc->transpose_b ? &of_a : &of_dy;
    return fold ? nn__op_matmul_folded(call, &db->view, one, other)
                : nn__op_matmul_sum(call, &db->view, q, one, other);
}

NN_API nn_result nn_matmul_backward_at(nn_site site, nn_tensor *da, nn_tensor *db,
                                       const nn_tensor *dy, const nn_tensor *a, const nn_tensor *b,
                                       const nn_matmul_desc *desc, bool accumulate) {
    const char *who = "nn_matmul_backward";
    const nn__op_matmul_params params = nn__op_matmul_params_of(desc);
    const nn__given given[] = {{"da", da, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"db", db, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dy", dy, 0, NN_F32},
                               {"a", a, NN__OR_HALF, NN_F32},
                               {"b", b, NN__OR_HALF, NN_F32}};
    nn__op_matmul_call call;
    memset(&call, 0, sizeof call);
    call.site = site;
    call.accumulate = accumulate;
    nn_result result =
        nn__check_given(site, who, given, NN__COUNT(given), &call.nn, &call.device);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, call.nn, nn__op_matmul_rule(), given + 2, 1, 3,
                                  &params);
    if (result == NN_OK) result = nn__want_shape(call.nn, site, who, "da", a->view.shape, da);
    if (result == NN_OK) result = nn__want_shape(call.nn, site, who, "db", b->view.shape, db);
    if (result != NN_OK) return result;
    nn__install_matmul_general(call.nn);
    return nn__op_matmul_gradients(&call, da, db, dy, a, b, &params.desc);
}
#endif
