/* onnx/pattern_attention.c - softmax(q k^T scale + mask) v, written out with MatMul and Softmax. */
#include "onnx/patterns.h"

/* The way in which the keys were transposed. */
enum {
    NN__ONNX_KEYS_T = 0,       /* in another way: they are transposed back */
    NN__ONNX_KEYS_SWAPPED = 1, /* the last two axes of k */
    NN__ONNX_KEYS_INSIDE = 2,  /* (N, S, H, E) to (N, H, E, S) */
    NN__ONNX_KEYS = 3,
    NN__ONNX_MULTIPLIES = 4, /* input 3 is a factor of the scores */
    NN__ONNX_DIVIDES = 8,    /* or a divisor */
    NN__ONNX_MASKED = 16,    /* the last input before NN__ONNX_GUARDED's is added to the scores */
    NN__ONNX_GUARDED = 32    /* the last input, 0, takes the place of NaN after the softmax */
};

static int nn__onnx_perm(const nn__onnx_op *op) {
    static const int64_t swapped[4] = {0, 1, 3, 2}, inside[4] = {0, 2, 3, 1};
    const nn__onnx_attribute *perm = nn__onnx_own_attribute(op, "perm");
    if (!perm || perm->count != 4) return NN__ONNX_KEYS_T;
    if (memcmp(perm->wholes, swapped, sizeof swapped) == 0) return NN__ONNX_KEYS_SWAPPED;
    if (memcmp(perm->wholes, inside, sizeof inside) == 0) return NN__ONNX_KEYS_INSIDE;
    return NN__ONNX_KEYS_T;
}

/* Finds the scores q k^T, which may be scaled. Fills inputs 0, 1 and 3. */
static bool nn__onnx_scores(const nn__onnx_scope *scope, const char *name,
                            nn__onnx_pattern *pattern) {
    const nn__onnx_op *product = nn__onnx_made_by(scope, name, "MatMul"), *keys;
    for (int i = 0; i < 3 && !product; i++) { /* x / s, x * s, s * x */
        const nn__onnx_op *scaled = nn__onnx_made_by(scope, name, i == 0 ? "Div" : "Mul");
        if (!scaled || scaled->input_count != 2) continue;
        product = nn__onnx_made_by(scope, scaled->inputs[i == 2], "MatMul");
        pattern->inputs[3] = scaled->inputs[i != 2];
        pattern->kind = i == 0 ? NN__ONNX_DIVIDES : NN__ONNX_MULTIPLIES;
    }
    if (!product || product->input_count != 2) return false;
    if (!pattern->inputs[3]) pattern->kind = 0;
    pattern->inputs[0] = product->inputs[0];
    pattern->inputs[1] = product->inputs[1];
    keys = nn__onnx_made_by(scope, product->inputs[1], "Transpose");
    if (keys && nn__onnx_perm(keys) != NN__ONNX_KEYS_T) {
        pattern->inputs[1] = keys->inputs[0];
        pattern->kind |= nn__onnx_perm(keys);
    }
    return true;
}

static bool nn__onnx_attention_fits(const nn__onnx_pattern *pattern, const nn__onnx_scope *scope) {
    const nn__onnx_attribute *axis = nn__onnx_own_attribute(pattern->named, "axis");
    const int64_t along = axis ? axis->whole : scope->opset >= 13 || scope->opset == 0 ? -1 : 1;
    double number;
    for (int i = 0; i < 3; i++)
        if (nn__onnx_computed_rank(nn__onnx_input_of(pattern, scope, i)) != 4) return false;
    if (along != -1 && along != 3) return false;
    if (pattern->kind & (NN__ONNX_DIVIDES | NN__ONNX_MULTIPLIES) &&
        (!nn__onnx_one_number(nn__onnx_input_of(pattern, scope, 3), &number) || number <= 0))
        return false;
    if (pattern->kind & NN__ONNX_GUARDED &&
        (!nn__onnx_one_number(nn__onnx_input_of(pattern, scope, pattern->count - 1), &number) ||
         number != 0))
        return false;
    if (pattern->kind & NN__ONNX_MASKED) {
        const int at = pattern->count - 1 - (pattern->kind & NN__ONNX_GUARDED ? 1 : 0);
        const nn__onnx_value *mask = nn__onnx_input_of(pattern, scope, at);
        const int rank = mask->known ? mask->known->rank : nn__onnx_computed_rank(mask);
        if (rank < 0 || rank > 4 || !nn__onnx_is_float(mask->dtype)) return false;
    }
    return true;
}

static void nn__onnx_map_pattern_attention(nn__onnx_node *n) {
    nn_scaled_dot_product_attention_desc desc;
    nn_node *k = nn__onnx_x(n, 1);
    const int kind = n->pattern_kind;
    double scale = 1;
    memset(&desc, 0, sizeof desc);
    if ((kind & NN__ONNX_KEYS) == NN__ONNX_KEYS_T)
        k = nn_transpose_at(n->site, n->net, k, 2, 3);
    else if ((kind & NN__ONNX_KEYS) == NN__ONNX_KEYS_INSIDE)
        k = nn_transpose_at(n->site, n->net, k, 1, 2);
    if (kind & (NN__ONNX_DIVIDES | NN__ONNX_MULTIPLIES)) nn__onnx_scalar(n, 3, &scale);
    desc.scale = (float)(kind & NN__ONNX_DIVIDES ? 1 / scale : scale);
    if (kind & NN__ONNX_MASKED)
        desc.attn_mask = nn__onnx_x(n, n->operand_count - 1 - (kind & NN__ONNX_GUARDED ? 1 : 0));
    nn__onnx_give(n, 0,
                  nn_scaled_dot_product_attention_at(n->site, n->net, nn__onnx_x(n, 0), k,
                                                     nn__onnx_x(n, 2), &desc),
                  nn__onnx_dtype(n, 0));
}

/* Finds a softmax, or one with 0 in place of NaN, as PyTorch writes it for rows without any key.
   Writes the name of the 0; NULL: there is none. */
static const nn__onnx_op *nn__onnx_guarded_softmax(const nn__onnx_scope *scope, const char *name,
                                                   const char **zero) {
    const nn__onnx_op *where = nn__onnx_made_by(scope, name, "Where"), *wrong;
    *zero = NULL;
    if (!where) return nn__onnx_made_by(scope, name, "Softmax");
    wrong = where->input_count == 3 ? nn__onnx_made_by(scope, where->inputs[0], "IsNaN") : NULL;
    if (!wrong || wrong->input_count != 1 || strcmp(wrong->inputs[0], where->inputs[2]) != 0)
        return NULL;
    *zero = where->inputs[1];
    return nn__onnx_made_by(scope, where->inputs[2], "Softmax");
}

NN__ONNX_PRIVATE bool nn__onnx_find_attention(const nn__onnx_scope *scope, const nn__onnx_op *op,
                                              nn__onnx_pattern *pattern) {
    const nn__onnx_op *softmax, *sum;
    const char *zero;
    bool found;
    if (strcmp(op->type, "MatMul") != 0 || op->input_count != 2) return false;
    softmax = nn__onnx_guarded_softmax(scope, op->inputs[0], &zero);
    if (!softmax || softmax->input_count != 1) return false;
    pattern->map = nn__onnx_map_pattern_attention;
    pattern->fits = nn__onnx_attention_fits;
    pattern->named = softmax;
    pattern->inputs[2] = op->inputs[1];
    found = nn__onnx_scores(scope, softmax->inputs[0], pattern);
    sum = found ? NULL : nn__onnx_made_by(scope, softmax->inputs[0], "Add");
    for (int i = 0; i < 2 && sum && sum->input_count == 2 && !found; i++) {
        const char *mask = sum->inputs[1 - i];
        pattern->inputs[3] = NULL;
        found = nn__onnx_scores(scope, sum->inputs[i], pattern);
        if (!found) continue;
        pattern->inputs[pattern->inputs[3] ? 4 : 3] = mask;
        pattern->kind |= NN__ONNX_MASKED;
    }
    pattern->count = pattern->inputs[4] ? 5 : pattern->inputs[3] ? 4 : 3;
    if (zero) pattern->kind |= NN__ONNX_GUARDED;
    if (zero) pattern->inputs[pattern->count++] = zero;
    return found;
}
