/* onnx/patterns.c - MatMul and Add that are a linear layer, and a layer norm in nine nodes. */
#include "onnx/patterns.h"
#include "onnx/integers.h"

/* ---- help ------------------------------------------------------------------------------------ */

NN__ONNX_PRIVATE const nn__onnx_op *nn__onnx_made_by(const nn__onnx_scope *scope, const char *name,
                                                     const char *type) {
    const nn__onnx_op *op = (const nn__onnx_op *)nn__onnx_find(&scope->graph->producers, name);
    return op && strcmp(op->type, type) == 0 && !*op->domain && op->output_count > 0 &&
                   strcmp(op->outputs[0], name) == 0
               ? op
               : NULL;
}

NN__ONNX_PRIVATE int nn__onnx_computed_rank(const nn__onnx_value *value) {
    return value && !value->known && value->node && !value->refused
               ? nn_node_shape(value->node).rank
               : -1;
}

NN__ONNX_PRIVATE bool nn__onnx_one_number(const nn__onnx_value *value, double *number) {
    const nn__onnx_tensor *known = value ? value->known : NULL;
    if (!known || known->count != 1 || known->powers || !known->data) return false;
    *number = nn__onnx_real(known, 0);
    return true;
}

NN__ONNX_PRIVATE const nn__onnx_attribute *nn__onnx_own_attribute(const nn__onnx_op *op,
                                                                  const char *name) {
    for (int32_t i = 0; i < op->attribute_count; i++)
        if (strcmp(op->attributes[i].name, name) == 0) return &op->attributes[i];
    return NULL;
}

/* Returns operand `i` of an operator with two operands, and the other operand. */
static bool nn__onnx_sides(const nn__onnx_op *op, int i, const char **one, const char **other) {
    if (op->input_count != 2) return false;
    *one = op->inputs[i];
    *other = op->inputs[1 - i];
    return **one && **other;
}

/* True for known floats of this many numbers along the last axis. */
static bool nn__onnx_is_row(const nn__onnx_value *value, int64_t count) {
    const nn__onnx_tensor *known = value ? value->known : NULL;
    return known && known->data && !known->powers && nn__onnx_is_float(known->dtype) &&
           known->rank > 0 && known->count == (uint64_t)count &&
           known->extent[known->rank - 1] == count;
}

/* ---- linear: MatMul with a known matrix, then Add -------------------------------------------- */

/* kind 1: the matrix is the operand of a Transpose, as PyTorch writes its weights. */
static bool nn__onnx_linear_fits(const nn__onnx_pattern *pattern, const nn__onnx_scope *scope) {
    const nn__onnx_value *x = nn__onnx_input_of(pattern, scope, 0);
    const nn__onnx_value *bias =
        pattern->count > 2 ? nn__onnx_input_of(pattern, scope, 2) : NULL;
    const nn__onnx_tensor *weight = nn__onnx_input_of(pattern, scope, 1)->known;
    const int rank = nn__onnx_computed_rank(x), turned = pattern->kind;
    return weight && weight->rank == 2 && nn__onnx_is_float(weight->dtype) && weight->data &&
           weight->count > 0 && rank >= 2 &&
           nn_node_shape(x->node).extent[rank - 1] == weight->extent[turned] &&
           (!bias ||
            (nn__onnx_is_row(bias, weight->extent[1 - turned]) && bias->known->rank <= rank));
}

static void nn__onnx_map_linear(nn__onnx_node *n) {
    const nn__onnx_tensor *weight = nn__onnx_known(n, 1);
    nn_linear_desc desc;
    const char *name;
    bool shared;
    const bool bias = n->operand_count > 2;
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    if (integers && integers->linear(n, n->pattern_kind != 0, bias ? 2 : -1)) return;
    memset(&desc, 0, sizeof desc);
    name = nn__onnx_layer(n, 1, bias ? 2 : -1, &shared);
    desc.out_features = (int)weight->extent[n->pattern_kind ? 0 : 1];
    desc.no_bias = !bias;
    desc.shared = shared;
    nn__onnx_give(n, 0,
                  n->pattern_kind
                      ? nn_linear_at(n->site, n->net, name, nn__onnx_x(n, 0), &desc)
                      : nn_linear_transposed_at(n->site, n->net, name, nn__onnx_x(n, 0), &desc),
                  nn__onnx_dtype(n, 0));
    if (shared) return;
    nn__onnx_load(n, name, "weight", weight, NULL);
    if (bias) nn__onnx_load(n, name, "bias", nn__onnx_known(n, 2), NULL);
}

/* Fills inputs 0 and 1, and the kind, from a MatMul. */
static void nn__onnx_matrix_of(const nn__onnx_scope *scope, const nn__onnx_op *product,
                               nn__onnx_pattern *pattern) {
    const nn__onnx_op *turned = nn__onnx_made_by(scope, product->inputs[1], "Transpose");
    const nn__onnx_attribute *perm = turned ? nn__onnx_own_attribute(turned, "perm") : NULL;
    pattern->inputs[0] = product->inputs[0];
    pattern->inputs[1] = product->inputs[1];
    pattern->kind = turned && turned->input_count == 1 &&
                    (!perm || (perm->count == 2 && perm->wholes[0] == 1));
    if (pattern->kind) pattern->inputs[1] = turned->inputs[0];
    pattern->map = nn__onnx_map_linear;
    pattern->fits = nn__onnx_linear_fits;
    pattern->named = product;
    pattern->count = 2;
}

/* Finds a single MatMul with a transposed matrix. Other matrices have a mapping of their own. */
static bool nn__onnx_find_product_of(const nn__onnx_scope *scope, const nn__onnx_op *op,
                                     nn__onnx_pattern *pattern) {
    if (strcmp(op->type, "MatMul") != 0 || op->input_count != 2) return false;
    nn__onnx_matrix_of(scope, op, pattern);
    return pattern->kind == 1;
}

static bool nn__onnx_find_linear(const nn__onnx_walk *walk, const nn__onnx_scope *scope,
                                 const nn__onnx_op *op, nn__onnx_pattern *pattern) {
    if (strcmp(op->type, "Add") != 0) return false;
    for (int i = 0; i < 2; i++) {
        const char *sum, *bias;
        const nn__onnx_op *product;
        if (!nn__onnx_sides(op, i, &sum, &bias)) continue;
        product = nn__onnx_made_by(scope, sum, "MatMul");
        if (!product || product->input_count != 2 || nn__onnx_uses(walk, sum) != 1) continue;
        nn__onnx_matrix_of(scope, product, pattern);
        pattern->inputs[2] = bias;
        pattern->count = 3;
        return true;
    }
    return false;
}

/* ---- layer norm ------------------------------------------------------------------------------ */

/* Inputs: 0 x, 1 weight, 2 bias, 3 epsilon, 4 the exponent (or epsilon again), 5 and 6 axes of the
   two means, if these are operands (else epsilon again). kind: the axis of the attributes. */
static bool nn__onnx_norm_fits(const nn__onnx_pattern *pattern, const nn__onnx_scope *scope) {
    const nn__onnx_value *x = nn__onnx_input_of(pattern, scope, 0);
    const int rank = nn__onnx_computed_rank(x);
    const int64_t last = rank > 0 ? nn_node_shape(x->node).extent[rank - 1] : 0;
    double number;
    if (last <= 0 || !nn__onnx_is_row(nn__onnx_input_of(pattern, scope, 1), last) ||
        !nn__onnx_is_row(nn__onnx_input_of(pattern, scope, 2), last) ||
        !nn__onnx_one_number(nn__onnx_input_of(pattern, scope, 3), &number) || number <= 0)
        return false;
    if (pattern->inputs[4] != pattern->inputs[3] &&
        (!nn__onnx_one_number(nn__onnx_input_of(pattern, scope, 4), &number) || number != 2))
        return false;
    for (int i = 5; i < 7; i++) {
        number = pattern->kind;
        if (pattern->inputs[i] != pattern->inputs[3] &&
            !nn__onnx_one_number(nn__onnx_input_of(pattern, scope, i), &number))
            return false;
        if (number != -1 && number != rank - 1) return false;
    }
    return true;
}

static void nn__onnx_map_norm(nn__onnx_node *n) {
    nn_layer_norm_desc desc;
    const char *name;
    bool shared;
    double epsilon = 0;
    memset(&desc, 0, sizeof desc);
    nn__onnx_scalar(n, 3, &epsilon);
    desc.epsilon = (float)epsilon;
    name = nn__onnx_layer(n, 1, 2, &shared);
    desc.shared = shared;
    nn__onnx_give(n, 0, nn_layer_norm_at(n->site, n->net, name, nn__onnx_x(n, 0), &desc),
                  nn__onnx_dtype(n, 0));
    if (shared) return;
    nn__onnx_load(n, name, "weight", nn__onnx_known(n, 1), NULL);
    nn__onnx_load(n, name, "bias", nn__onnx_known(n, 2), NULL);
}

/* Finds a mean over one axis that is kept. Returns its operand and the place of its axis. */
static const char *nn__onnx_mean_of(const nn__onnx_scope *scope, const char *name,
                                    nn__onnx_pattern *pattern, int i) {
    const nn__onnx_op *mean = nn__onnx_made_by(scope, name, "ReduceMean");
    const nn__onnx_attribute *axes = mean ? nn__onnx_own_attribute(mean, "axes") : NULL;
    const nn__onnx_attribute *keep = mean ? nn__onnx_own_attribute(mean, "keepdims") : NULL;
    if (!mean || mean->input_count == 0 || (keep && keep->whole == 0)) return NULL;
    pattern->inputs[i] = NULL; /* input 3, the epsilon, which is not known yet */
    if (mean->input_count > 1) {
        pattern->inputs[i] = mean->inputs[1];
    } else {
        if (!axes || axes->count != 1 || (i == 6 && pattern->kind != (int)axes->wholes[0]))
            return NULL;
        pattern->kind = (int)axes->wholes[0];
    }
    return mean->inputs[0];
}

/* Finds x - mean(x). Returns x. */
static const char *nn__onnx_centred(const nn__onnx_scope *scope, const char *name,
                                    nn__onnx_pattern *pattern) {
    const nn__onnx_op *sub = nn__onnx_made_by(scope, name, "Sub");
    const char *x;
    if (!sub || sub->input_count != 2) return NULL;
    x = nn__onnx_mean_of(scope, sub->inputs[1], pattern, 5);
    return x && strcmp(x, sub->inputs[0]) == 0 ? x : NULL;
}

/* Finds the square root of mean((x - mean(x))^2) + epsilon. */
static bool nn__onnx_deviation(const nn__onnx_scope *scope, const char *name, const char *x,
                               nn__onnx_pattern *pattern) {
    const nn__onnx_op *root = nn__onnx_made_by(scope, name, "Sqrt"), *sum, *square;
    const char *of = NULL, *again;
    if (!root || root->input_count != 1) return false;
    sum = nn__onnx_made_by(scope, root->inputs[0], "Add");
    for (int i = 0; i < 2 && sum && !of; i++) {
        const char *variance, *epsilon;
        if (!nn__onnx_sides(sum, i, &variance, &epsilon)) return false;
        of = nn__onnx_mean_of(scope, variance, pattern, 6);
        pattern->inputs[3] = epsilon;
    }
    if (!of) return false;
    pattern->inputs[4] = pattern->inputs[3];
    square = nn__onnx_made_by(scope, of, "Mul");
    if (square) {
        if (square->input_count != 2 || strcmp(square->inputs[0], square->inputs[1]) != 0)
            return false;
    } else {
        square = nn__onnx_made_by(scope, of, "Pow");
        if (!square || square->input_count != 2) return false;
        pattern->inputs[4] = square->inputs[1];
    }
    again = nn__onnx_centred(scope, square->inputs[0], pattern);
    return again && strcmp(again, x) == 0;
}

/* Finds the quotient of both, without weight and bias. */
static bool nn__onnx_standard(const nn__onnx_scope *scope, const char *name,
                              nn__onnx_pattern *pattern) {
    const nn__onnx_op *quotient = nn__onnx_made_by(scope, name, "Div");
    if (!quotient || quotient->input_count != 2) return false;
    pattern->inputs[0] = nn__onnx_centred(scope, quotient->inputs[0], pattern);
    if (!pattern->inputs[0] ||
        !nn__onnx_deviation(scope, quotient->inputs[1], pattern->inputs[0], pattern))
        return false;
    for (int i = 5; i < 7; i++)
        if (!pattern->inputs[i]) pattern->inputs[i] = pattern->inputs[3];
    return true;
}

static bool nn__onnx_find_norm(const nn__onnx_scope *scope, const nn__onnx_op *op,
                               nn__onnx_pattern *pattern) {
    if (strcmp(op->type, "Add") != 0) return false;
    for (int i = 0; i < 4; i++) {
        const char *scaled, *bias, *standard, *weight;
        const nn__onnx_op *product;
        if (!nn__onnx_sides(op, i & 1, &scaled, &bias)) return false;
        product = nn__onnx_made_by(scope, scaled, "Mul");
        if (!product || !nn__onnx_sides(product, i >> 1, &standard, &weight) ||
            !nn__onnx_standard(scope, standard, pattern))
            continue;
        pattern->map = nn__onnx_map_norm;
        pattern->fits = nn__onnx_norm_fits;
        pattern->named = product;
        pattern->inputs[1] = weight;
        pattern->inputs[2] = bias;
        pattern->count = 7;
        return true;
    }
    return false;
}

/* ---- all patterns ---------------------------------------------------------------------------- */

static nn__onnx_match_state nn__onnx_judge(const nn__onnx_pattern *pattern,
                                           const nn__onnx_scope *scope) {
    for (int i = 0; i < pattern->count; i++) {
        const nn__onnx_value *value = nn__onnx_input_of(pattern, scope, i);
        if (!value) return NN__ONNX_NEEDS_INPUTS;
        if (value->refused || value->absent) return NN__ONNX_NO_MATCH;
    }
    return pattern->fits(pattern, scope) ? NN__ONNX_MATCH : NN__ONNX_NO_MATCH;
}

NN__ONNX_PRIVATE nn__onnx_match_state nn__onnx_match(const nn__onnx_walk *walk,
                                                     const nn__onnx_scope *scope,
                                                     const nn__onnx_op *op,
                                                     nn__onnx_pattern *pattern) {
    const struct nn__onnx_integers *integers = walk->file->integers;
    nn__onnx_match_state state;
    if (*op->domain || op->output_count != 1) return NN__ONNX_NO_MATCH;
    for (int i = 0; i < 5; i++) {
        memset(pattern, 0, sizeof *pattern);
        if (!(i == 0   ? nn__onnx_find_linear(walk, scope, op, pattern)
              : i == 1 ? nn__onnx_find_norm(scope, op, pattern)
              : i == 2 ? nn__onnx_find_attention(scope, op, pattern)
              : i == 3 ? nn__onnx_find_product_of(scope, op, pattern)
                       : integers && integers->find(walk, scope, op, pattern)))
            continue;
        state = nn__onnx_judge(pattern, scope);
        if (state != NN__ONNX_NO_MATCH) return state;
    }
    return NN__ONNX_NO_MATCH;
}
