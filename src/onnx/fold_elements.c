/* onnx/fold_elements.c - computes known numbers element by element: arithmetic, comparisons,
   casts. */
#include "onnx/fold.h"

/* ---- one operand ----------------------------------------------------------------------------- */

/* Computes functions of numbers without free extents. False: there is none of this name. */
static bool nn__onnx_real_function(const char *type, double x, double *y) {
    if (strcmp(type, "Sqrt") == 0)
        *y = sqrt(x);
    else if (strcmp(type, "Exp") == 0)
        *y = exp(x);
    else if (strcmp(type, "Log") == 0)
        *y = log(x);
    else if (strcmp(type, "Sin") == 0)
        *y = sin(x);
    else if (strcmp(type, "Cos") == 0)
        *y = cos(x);
    else if (strcmp(type, "Tanh") == 0)
        *y = tanh(x);
    else if (strcmp(type, "Reciprocal") == 0)
        *y = 1 / x;
    else if (strcmp(type, "Sign") == 0)
        *y = x > 0 ? 1 : x < 0 ? -1 : x;
    else
        return false;
    return true;
}

static int64_t nn__onnx_opposite(int64_t x) { return (int64_t)(0u - (uint64_t)x); }

/* False: the function of an extent is not a multiple of the extent. */
static bool nn__onnx_unary_number(const char *type, bool counts, nn__onnx_number x,
                                  nn__onnx_number *y) {
    const bool rounds =
        strcmp(type, "Floor") == 0 || strcmp(type, "Ceil") == 0 || strcmp(type, "Round") == 0;
    *y = x;
    if (strcmp(type, "Neg") == 0) {
        y->whole = nn__onnx_opposite(x.whole);
        y->real = -x.real;
    } else if (strcmp(type, "Abs") == 0) {
        y->whole = x.whole < 0 ? nn__onnx_opposite(x.whole) : x.whole;
        y->real = fabs(x.real);
    } else if (strcmp(type, "Relu") == 0) {
        if (counts ? x.whole < 0 : x.real < 0) memset(y, 0, sizeof *y);
    } else if (strcmp(type, "Not") == 0) {
        y->whole = x.whole == 0;
    } else if (strcmp(type, "BitwiseNot") == 0) {
        y->whole = -1 - x.whole;
        return !x.powers;
    } else if (rounds) {
        y->real = type[0] == 'F'   ? floor(x.real)
                  : type[0] == 'C' ? ceil(x.real)
                                   : nearbyint(x.real);
        return !x.powers || y->real == x.real;
    } else {
        if (x.powers || !nn__onnx_real_function(type, x.real, &y->real)) return false;
        y->whole = (int64_t)(fabs(y->real) < 9e18 ? y->real : 0);
    }
    return true;
}

/* True if the integer was stored exactly. Unsigned ones of 64 bits are limited to the largest
   signed one. */
static bool nn__onnx_has_bits(nn__onnx_type type, nn__onnx_number x) {
    return !x.powers && (type != NN__ONNX_UINT64 || x.whole != INT64_MAX);
}

static bool nn__onnx_fold_unary(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    nn__onnx_made made;
    if (!x || !nn__onnx_all_known(n) ||
        !nn__onnx_make_result(n, &made, x->dtype, x->rank, x->extent, x->uniform))
        return false;
    for (uint64_t i = 0; i < (x->uniform && x->count > 0 ? 1 : x->count); i++) {
        nn__onnx_number y;
        if (!nn__onnx_unary_number(n->op->type, nn__onnx_counts(x->dtype), nn__onnx_get(x, i), &y))
            return false;
        nn__onnx_put(&made, i, &y);
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

/* Converts a number to another dtype: truncates to integers, and wraps numbers out of range. */
static bool nn__onnx_cast_number(nn__onnx_type to, nn__onnx_type from, nn__onnx_number *x) {
    if (to == NN__ONNX_BOOL) {
        x->whole = nn__onnx_counts(from) ? x->whole != 0 : x->real != 0;
        x->powers = 0; /* no extent is 0 */
    } else if (nn__onnx_counts(to) && !nn__onnx_counts(from)) {
        const double cut = x->real < 0 ? ceil(x->real) : floor(x->real);
        if (x->powers && cut != x->real) return false;
        x->whole = fabs(cut) < 9.2e18 ? (int64_t)cut : cut > 0 ? INT64_MAX : INT64_MIN;
    }
    return true;
}

static bool nn__onnx_fold_cast(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    const bool like = strcmp(n->op->type, "CastLike") == 0;
    const nn__onnx_type to =
        like ? nn__onnx_dtype(n, 1) : (nn__onnx_type)nn__onnx_int(n, "to", NN__ONNX_FLOAT);
    nn__onnx_made made;
    if (!x || (!x->data && x->count > 0) || nn__onnx_type_size(x->dtype) == 0) return false;
    if (to == x->dtype) {
        nn__onnx_pass(n, 0, 0);
        return true;
    }
    if (!nn__onnx_make_result(n, &made, to, x->rank, x->extent, x->uniform)) return false;
    if (!nn__onnx_is_float(to) && !nn__onnx_counts(to)) return false; /* 8 bit floats */
    for (uint64_t i = 0; i < (x->uniform && x->count > 0 ? 1 : x->count); i++) {
        nn__onnx_number y = nn__onnx_get(x, i);
        if (!nn__onnx_cast_number(to, x->dtype, &y)) return false;
        nn__onnx_put(&made, i, &y);
    }
    return nn__onnx_give_made(&made, 0, x);
}

/* ---- two operands ---------------------------------------------------------------------------- */

/* Divides two numbers. Integers are truncated towards 0. */
static bool nn__onnx_divide(bool counts, nn__onnx_number a, nn__onnx_number b,
                            nn__onnx_number *to) {
    if (b.powers & ~a.powers) return false;
    to->powers = (uint8_t)(a.powers & ~b.powers);
    to->whole = 0;
    if (!counts) {
        to->real = a.real / b.real;
        return true;
    }
    if (b.whole == 0) return false;
    to->whole = b.whole == -1 ? nn__onnx_opposite(a.whole) : a.whole / b.whole;
    to->real = (double)to->whole;
    return !to->powers || b.whole == -1 || a.whole % b.whole == 0;
}

/* Computes the remainder with the sign of b, or of a if `like_a` is set. */
static bool nn__onnx_modulo(bool counts, bool like_a, nn__onnx_number a, nn__onnx_number b,
                            nn__onnx_number *to) {
    if (b.powers) return false;
    to->powers = 0;
    to->whole = 0;
    to->real = 0;
    if (!counts) {
        if (a.powers) return false;
        to->real = fmod(a.real, b.real);
        if (!like_a && to->real != 0 && (to->real < 0) != (b.real < 0)) to->real += b.real;
        return true;
    }
    if (b.whole == 0) return false;
    if (b.whole != -1) to->whole = a.whole % b.whole;
    if (a.powers && to->whole != 0) return false;
    if (!like_a && to->whole != 0 && (to->whole < 0) != (b.whole < 0)) to->whole += b.whole;
    return true;
}

static bool nn__onnx_power_of(bool counts, nn__onnx_number a, nn__onnx_number b,
                              nn__onnx_number *to) {
    *to = a;
    if (b.real == 1) return !b.powers;
    if (a.powers || b.powers) return false;
    to->real = pow(a.real, b.real);
    if (counts) to->whole = fabs(to->real) < 9e15 ? (int64_t)to->real : 0;
    return !counts || fabs(to->real) < 9e15;
}

/* Returns the result of a comparison, from the order that nn__onnx_compare found. */
static bool nn__onnx_truth(const char *type, int order) {
    if (order == 2) return false;
    if (strcmp(type, "Equal") == 0) return order == 0;
    if (strcmp(type, "Less") == 0) return order < 0;
    if (strcmp(type, "LessOrEqual") == 0) return order <= 0;
    if (strcmp(type, "Greater") == 0) return order > 0;
    return order >= 0;
}

static bool nn__onnx_is_comparison(const char *type) {
    return type[0] == 'E' || type[0] == 'L' || type[0] == 'G';
}

/* Computes BitwiseAnd, BitwiseOr, BitwiseXor and BitShift. False: another operator, or no
   integers. */
static bool nn__onnx_bits_number(nn__onnx_node *n, nn__onnx_type type, nn__onnx_number a,
                                 nn__onnx_number b, int64_t *to) {
    const char *op = n->op->type;
    const uint64_t x = (uint64_t)a.whole, y = (uint64_t)b.whole;
    uint64_t bits = 0;
    const bool none = b.whole < 0 || b.whole >= 8 * (int64_t)nn__onnx_type_size(type);
    if (!nn__onnx_has_bits(type, a) || !nn__onnx_has_bits(type, b)) return false;
    if (strcmp(op, "BitwiseAnd") == 0)
        bits = x & y;
    else if (strcmp(op, "BitwiseOr") == 0)
        bits = x | y;
    else if (strcmp(op, "BitwiseXor") == 0)
        bits = x ^ y;
    else if (nn__onnx_is(n, "direction", "", "LEFT"))
        bits = none ? 0 : x << y;
    else if (a.whole < 0) /* the sign comes after the bits */
        bits = none ? ~(uint64_t)0 : ~(~x >> y);
    else
        bits = none ? 0 : x >> y;
    *to = bits <= INT64_MAX ? (int64_t)bits : -1 - (int64_t)~bits;
    return true;
}

static bool nn__onnx_binary_number(nn__onnx_node *n, nn__onnx_type type, nn__onnx_number a,
                                   nn__onnx_number b, nn__onnx_number *to) {
    const char *op = n->op->type;
    const bool counts = nn__onnx_counts(type);
    int order;
    if (strcmp(op, "Add") == 0 || strcmp(op, "Sum") == 0) return nn__onnx_plus(type, a, b, to);
    if (strcmp(op, "Mul") == 0) return nn__onnx_multiply(type, a, b, to);
    if (strcmp(op, "Div") == 0) return nn__onnx_divide(counts, a, b, to);
    if (strcmp(op, "Pow") == 0) return nn__onnx_power_of(counts, a, b, to);
    if (strcmp(op, "Mod") == 0)
        return nn__onnx_modulo(counts, nn__onnx_int(n, "fmod", 0) != 0, a, b, to);
    if (strcmp(op, "Sub") == 0) {
        b.whole = nn__onnx_opposite(b.whole);
        b.real = -b.real;
        return nn__onnx_plus(type, a, b, to);
    }
    if (strcmp(op, "Max") == 0 || strcmp(op, "Min") == 0) {
        if (!nn__onnx_compare(type, a, b, &order)) return false;
        *to = order == 2 ? (a.real == a.real ? b : a) : (order > 0) == (op[1] == 'a') ? a : b;
        return true;
    }
    to->powers = 0;
    to->real = 0;
    if (strncmp(op, "Bit", 3) == 0) return nn__onnx_bits_number(n, type, a, b, &to->whole);
    if (strcmp(op, "And") == 0)
        to->whole = a.whole && b.whole;
    else if (strcmp(op, "Or") == 0)
        to->whole = a.whole || b.whole;
    else if (strcmp(op, "Xor") == 0)
        to->whole = !a.whole != !b.whole;
    else {
        if (!nn__onnx_compare(type, a, b, &order)) return false;
        to->whole = nn__onnx_truth(op, order);
    }
    return true;
}

/* Computes a op b. NULL: not supported. */
static const nn__onnx_tensor *nn__onnx_two(nn__onnx_node *n, const nn__onnx_tensor *a,
                                           const nn__onnx_tensor *b, nn__onnx_made *made) {
    const nn__onnx_tensor *x[2];
    const bool uniform = a->uniform && b->uniform;
    nn__onnx_steps steps;
    nn__onnx_number y;
    x[0] = a;
    x[1] = b;
    if (!nn__onnx_broadcast(&steps, x, 2) ||
        !nn__onnx_make_result(n, made,
                              nn__onnx_is_comparison(n->op->type) ? NN__ONNX_BOOL : a->dtype,
                              steps.rank, steps.extent, uniform))
        return NULL;
    for (uint64_t i = 0; i < (uniform && made->tensor->count > 0 ? 1 : made->tensor->count); i++) {
        if (!nn__onnx_binary_number(n, a->dtype, nn__onnx_get(a, (uint64_t)steps.offset[0]),
                                    nn__onnx_get(b, (uint64_t)steps.offset[1]), &y))
            return NULL;
        nn__onnx_put(made, i, &y);
        nn__onnx_step(&steps);
    }
    made->tensor->powers = made->powers;
    return made->good ? made->tensor : NULL;
}

/* Computes two operands, or any number of them in turn: Max, Min, Sum. */
static bool nn__onnx_fold_binary(nn__onnx_node *n) {
    const nn__onnx_tensor *result = nn__onnx_known(n, 0);
    nn__onnx_made made;
    if (!result || !nn__onnx_all_known(n)) return false;
    if (n->operand_count == 1) {
        nn__onnx_pass(n, 0, 0);
        return true;
    }
    for (int i = 1; i < n->operand_count && result; i++)
        result = nn__onnx_known(n, i) ? nn__onnx_two(n, result, nn__onnx_known(n, i), &made) : NULL;
    return result && nn__onnx_give_made(&made, 0, NULL);
}

/* ---- three operands -------------------------------------------------------------------------- */

static bool nn__onnx_fold_where(nn__onnx_node *n) {
    const nn__onnx_tensor *x[3];
    nn__onnx_steps steps;
    nn__onnx_made made;
    if (n->operand_count != 3 || !nn__onnx_all_known(n)) return false;
    for (int i = 0; i < 3; i++) {
        x[i] = nn__onnx_known(n, i);
        if (!x[i]) return false;
    }
    if (!nn__onnx_broadcast(&steps, x, 3) ||
        !nn__onnx_make_result(n, &made, x[1]->dtype, steps.rank, steps.extent, false))
        return false;
    for (uint64_t i = 0; i < made.tensor->count; i++) {
        const int from = nn__onnx_whole(x[0], (uint64_t)steps.offset[0]) ? 1 : 2;
        const nn__onnx_number y = nn__onnx_get(x[from], (uint64_t)steps.offset[from]);
        nn__onnx_put(&made, i, &y);
        nn__onnx_step(&steps);
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

/* From opset 11 on limits are operands; before, they are attributes of floats. */
static bool nn__onnx_fold_clip(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    nn__onnx_number low = {-HUGE_VAL, INT64_MIN, 0}, high = {HUGE_VAL, INT64_MAX, 0};
    nn__onnx_made made;
    if (!x || !nn__onnx_all_known(n) || x->powers ||
        !nn__onnx_make_result(n, &made, x->dtype, x->rank, x->extent, x->uniform))
        return false;
    low.real = nn__onnx_float(n, "min", low.real);
    high.real = nn__onnx_float(n, "max", high.real);
    if (nn__onnx_has(n, 1) && n->operands[1]->known->count == 1)
        low = nn__onnx_get(n->operands[1]->known, 0);
    if (nn__onnx_has(n, 2) && n->operands[2]->known->count == 1)
        high = nn__onnx_get(n->operands[2]->known, 0);
    if (low.powers || high.powers) return false;
    for (uint64_t i = 0; i < (x->uniform && x->count > 0 ? 1 : x->count); i++) {
        nn__onnx_number y = nn__onnx_get(x, i);
        if (nn__onnx_counts(x->dtype) ? y.whole < low.whole : y.real < low.real) y = low;
        if (nn__onnx_counts(x->dtype) ? y.whole > high.whole : y.real > high.real) y = high;
        nn__onnx_put(&made, i, &y);
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

#define NN__ONNX_UNARY(type)                                                                       \
    { "", type, 6, 0, NULL, nn__onnx_fold_unary }
#define NN__ONNX_BINARY(type)                                                                      \
    { "", type, 7, 0, NULL, nn__onnx_fold_binary }

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_fold_elements(void) {
    static const nn__onnx_operator lines[] = {NN__ONNX_UNARY("Abs"),
                                              NN__ONNX_BINARY("Add"),
                                              NN__ONNX_BINARY("And"),
                                              {"", "BitShift", 11, 0, NULL, nn__onnx_fold_binary},
                                              NN__ONNX_BINARY("BitwiseAnd"),
                                              NN__ONNX_UNARY("BitwiseNot"),
                                              NN__ONNX_BINARY("BitwiseOr"),
                                              NN__ONNX_BINARY("BitwiseXor"),
                                              {"", "Cast", 6, 0, NULL, nn__onnx_fold_cast},
                                              {"", "CastLike", 15, 0, NULL, nn__onnx_fold_cast},
                                              NN__ONNX_UNARY("Ceil"),
                                              {"", "Clip", 6, 0, NULL, nn__onnx_fold_clip},
                                              NN__ONNX_UNARY("Cos"),
                                              NN__ONNX_BINARY("Div"),
                                              NN__ONNX_BINARY("Equal"),
                                              NN__ONNX_UNARY("Exp"),
                                              NN__ONNX_UNARY("Floor"),
                                              NN__ONNX_BINARY("Greater"),
                                              NN__ONNX_BINARY("GreaterOrEqual"),
                                              NN__ONNX_BINARY("Less"),
                                              NN__ONNX_BINARY("LessOrEqual"),
                                              NN__ONNX_UNARY("Log"),
                                              NN__ONNX_BINARY("Max"),
                                              NN__ONNX_BINARY("Min"),
                                              NN__ONNX_BINARY("Mod"),
                                              NN__ONNX_BINARY("Mul"),
                                              NN__ONNX_UNARY("Neg"),
                                              {"", "Not", 1, 0, NULL, nn__onnx_fold_unary},
                                              NN__ONNX_BINARY("Or"),
                                              NN__ONNX_BINARY("Pow"),
                                              NN__ONNX_UNARY("Reciprocal"),
                                              NN__ONNX_UNARY("Relu"),
                                              NN__ONNX_UNARY("Round"),
                                              NN__ONNX_UNARY("Sign"),
                                              NN__ONNX_UNARY("Sin"),
                                              NN__ONNX_UNARY("Sqrt"),
                                              NN__ONNX_BINARY("Sub"),
                                              NN__ONNX_BINARY("Sum"),
                                              NN__ONNX_UNARY("Tanh"),
                                              {"", "Where", 9, 0, NULL, nn__onnx_fold_where},
                                              NN__ONNX_BINARY("Xor"),
                                              {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
#undef NN__ONNX_UNARY
#undef NN__ONNX_BINARY
