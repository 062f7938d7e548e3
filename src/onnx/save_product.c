/* onnx/save_product.c - products of matrices, softmax, cross entropy. */
#include "onnx/emit.h"

/* ---- products -------------------------------------------------------------------------------- */

/* Computes the shape of MatMul's result. Returns false if MatMul cannot broadcast a and b. */
static bool nn__onnx_matmul_shape(nn_shape a, nn_shape b, bool turn_a, bool turn_b, nn_shape *y) {
    int32_t rows = 0, columns = 0;
    memset(y, 0, sizeof *y);
    if (a.rank > 1) rows = a.extent[a.rank - (turn_a ? 1 : 2)];
    if (b.rank > 1) columns = b.extent[b.rank - (turn_b ? 2 : 1)];
    for (int i = 0; i < NN_MAX_RANK; i++) {
        const int p = a.rank - 3 - i, q = b.rank - 3 - i;
        const int32_t one = p >= 0 ? a.extent[p] : 1, other = q >= 0 ? b.extent[q] : 1;
        if (p < 0 && q < 0) break;
        if (one != other && one != 1 && other != 1) return false;
        for (int k = y->rank; k > 0; k--) y->extent[k] = y->extent[k - 1];
        y->extent[0] = one == 1 ? other : one;
        y->rank++;
    }
    if (rows) y->extent[y->rank++] = rows;
    if (columns) y->extent[y->rank++] = columns;
    return true;
}

static const char *nn__onnx_turn_out(nn__onnx_emitter *e, const char *x, int rank, bool turn) {
    int32_t order[NN_MAX_RANK];
    if (!turn) return x;
    for (int i = 0; i < rank; i++) order[i] = i;
    order[rank - 2] = rank - 1;
    order[rank - 1] = rank - 2;
    return nn__onnx_transposed_axes(e, x, order, rank, NULL);
}

NN__ONNX_PRIVATE void nn__onnx_save_gemm(nn__onnx_emitter *e, const nn_gemm_args *a,
                                         const nn_gemm_args *b) {
    const nn_shape p = nn_node_shape(nn__onnx_node_at(&a->a)),
                   q = nn_node_shape(nn__onnx_node_at(&a->b)),
                   want = nn_node_shape(nn__onnx_node_at(&a->y));
    const char *left = nn__onnx_in_x(e, &a->a), *right = nn__onnx_in_x(e, &a->b);
    const char *bias = nn__onnx_in_x(e, &a->epilogue.bias), *out, *value;
    nn_shape y;
    (void)b;
    if (!nn__onnx_matmul_shape(p, q, a->transpose_a, a->transpose_b, &y)) {
        nn__onnx_cannot(e, "its shapes do not fit ONNX's MatMul");
        return;
    }
    out = nn__onnx_out(e, &a->y);
    if (p.rank == 2 && q.rank == 2 && nn_same_shape(y, want) &&
        (*bias || a->transpose_a || a->transpose_b)) {
        nn__onnx_begin_op(e, "Gemm");
        nn__onnx_op_in(e, left);
        nn__onnx_op_in(e, right);
        nn__onnx_op_in(e, bias);
        if (a->transpose_a) nn__onnx_op_int(e, "transA", 1);
        if (a->transpose_b) nn__onnx_op_int(e, "transB", 1);
        nn__onnx_op_end(e, out);
        return;
    }
    left = nn__onnx_turn_out(e, left, p.rank, a->transpose_a);
    right = nn__onnx_turn_out(e, right, q.rank, a->transpose_b);
    const bool same = nn_same_shape(y, want);
    value = nn__onnx_emit(e, "MatMul", left, right, NULL, *bias || !same ? NULL : out);
    if (*bias) value = nn__onnx_emit(e, "Add", value, bias, NULL, same ? out : NULL);
    if (!same) nn__onnx_reshape_out(e, value, &y, &want, out);
}

/* ---- softmax, cross entropy ------------------------------------------------------------------ */

NN__ONNX_PRIVATE void nn__onnx_save_softmax(nn__onnx_emitter *e, const nn_softmax_args *a,
                                            const nn_softmax_args *b) {
    const char *x = nn__onnx_seen_x(e, &a->x, &b->x);
    nn__onnx_begin_op(e, a->logarithm ? "LogSoftmax" : "Softmax");
    nn__onnx_op_in(e, x);
    nn__onnx_op_int(e, "axis", -1);
    nn__onnx_end_seen(e, &a->y, &b->y);
}

NN__ONNX_PRIVATE void nn__onnx_save_accuracy(nn__onnx_emitter *e, const nn_accuracy_args *a,
                                             const nn_accuracy_args *b) {
    const char *operands[4];
    operands[0] = nn__onnx_in_x(e, &a->logits);
    operands[1] = nn__onnx_in(e, &a->label);
    operands[2] = nn__onnx_whole_out(e, a->top > 1 ? a->top : 1);
    operands[3] = nn__onnx_whole_out(e, 1);
    nn__onnx_begin_function(e, "Accuracy");
    for (int i = 0; i < 4; i++) nn__onnx_op_in(e, operands[i]);
    nn__onnx_end_seen(e, &a->y, &b->y);
}

NN__ONNX_PRIVATE void nn__onnx_save_cross_entropy(nn__onnx_emitter *e,
                                                  const nn_cross_entropy_args *a,
                                                  const nn_cross_entropy_args *b) {
    const char *x = nn__onnx_in_x(e, &a->logits), *label = nn__onnx_in(e, &a->label);
    const char *weight = nn__onnx_in_x(e, &a->weight);
    (void)b;
    if (a->label_smoothing != 0.0f) {
        nn__onnx_cannot(e, "its loss has .label_smoothing, which no operator of ONNX has");
        return;
    }
    nn__onnx_begin_op(e, a->log_probabilities ? "NegativeLogLikelihoodLoss"
                                              : "SoftmaxCrossEntropyLoss");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, label);
    nn__onnx_op_in(e, weight);
    nn__onnx_op_text(e, "reduction",
                     a->reduction == NN_SUM              ? "sum"
                     : a->reduction == NN_REDUCTION_NONE ? "none"
                                                         : "mean");
    if (a->ignore) nn__onnx_op_int(e, "ignore_index", a->ignore_index);
    nn__onnx_op_end(e, nn__onnx_out(e, &a->loss));
}
