/* program/derive.c - derivatives of pointwise programs, in reverse mode, with one rule for each
   instruction. Where a function has no derivative, the subgradient is PyTorch's: 0 for relu and
   abs at 0, half for each of two equal operands of max and min. At a bound of clamp that is a
   number the gradient is 0; at one that is a tensor, half. The gradients of nodes are made in
   ops/program_gradient.c.

   A branch of SELECT that is not chosen has the gradient 0; but 0 times an infinite slope would
   be NaN. So every value that is read only by such branches has a mask, and where the mask is 0
   its gradient may be anything. The mask is applied where gradients meet, and at the end. So the
   gradients of two branches need one SELECT between them, as their values did. */
#include "base/functions.h"
#include "program/private.h"

#include <math.h>

#ifndef NN_NO_TRAINING

typedef struct nn__derive {
    nn__draft *draft;
    const nn_instruction *code; /* of the program that is derived */
    int value[256];    /* place in the draft of each value of the program */
    int gradient[256]; /* place of the gradient so far; NN__NO_PLACE: none */
    /* place of the mask: where it is 0, the gradient may be anything. NN__NO_PLACE: no mask */
    int mask[256];
    bool clean[256]; /* the gradient is 0 where the mask is 0 */
    bool wanted[256];
    int one_mask; /* the mask of the rule that is being applied */
} nn__derive;

/* Abbreviations for the rules below. */
#define NN__OP1(code, a)       nn__draft_append(d->draft, NN_CODE_##code, a, 0, 0)
#define NN__OP2(code, a, b)    nn__draft_append(d->draft, NN_CODE_##code, a, b, 0)
#define NN__OP3(code, a, b, c) nn__draft_append(d->draft, NN_CODE_##code, a, b, c)
#define NN__NUMBER(x)          nn__draft_constant(d->draft, x)

static int nn__derive_both(nn__derive *d, int a, int b) {
    return a < 0 ? b : b < 0 ? a : NN__OP2(AND, a, b);
}

/* ---- masks ----------------------------------------------------------------------------------- */

#define NN__DERIVE_DEPTH 8 /* nested masks are followed this deep */

static bool nn__derive_opposite(const nn__derive *d, int a, int b, int depth) {
    const nn_instruction *p = &d->draft->code[a], *q = &d->draft->code[b];
    if ((p->code == NN_CODE_NOT && p->a == b) || (q->code == NN_CODE_NOT && q->a == a)) return true;
    if (depth == 0 || p->code + q->code != NN_CODE_AND + NN_CODE_OR || p->code == q->code)
        return false;
    if (p->code != NN_CODE_AND && p->code != NN_CODE_OR) return false;
    return nn__derive_opposite(d, p->a, q->a, depth - 1) &&
           nn__derive_opposite(d, p->b, q->b, depth - 1);
}

/* True if the two masks are surely never both 1. */
static bool nn__derive_disjoint(const nn__derive *d, int a, int b, int depth) {
    const nn_instruction *p = &d->draft->code[a], *q = &d->draft->code[b];
    if (nn__derive_opposite(d, a, b, depth)) return true;
    if (depth-- == 0) return false;
    if (p->code == NN_CODE_AND &&
        (nn__derive_disjoint(d, p->a, b, depth) || nn__derive_disjoint(d, p->b, b, depth)))
        return true;
    if (q->code == NN_CODE_AND &&
        (nn__derive_disjoint(d, a, q->a, depth) || nn__derive_disjoint(d, a, q->b, depth)))
        return true;
    if (p->code == NN_CODE_OR)
        return nn__derive_disjoint(d, p->a, b, depth) && nn__derive_disjoint(d, p->b, b, depth);
    return q->code == NN_CODE_OR && nn__derive_disjoint(d, a, q->a, depth) &&
           nn__derive_disjoint(d, a, q->b, depth);
}

/* Returns a OR b, simplified. If b is (NOT a) AND c, the result is a OR c. If a and b are the two
   branches of a choice under the mask m, m AND c and m AND NOT c, the result is m. */
static int nn__derive_either(nn__derive *d, int a, int b) {
    const nn_instruction p = d->draft->code[a], q = d->draft->code[b];
    if (p.code == NN_CODE_AND && q.code == NN_CODE_AND && p.a == q.a &&
        nn__derive_opposite(d, p.b, q.b, NN__DERIVE_DEPTH))
        return p.a;
    for (int k = 0; k < 2; k++) {
        const int one = k ? b : a;
        const nn_instruction *other = k ? &p : &q;
        if (other->code != NN_CODE_AND) continue;
        if (nn__derive_opposite(d, one, other->a, NN__DERIVE_DEPTH))
            return NN__OP2(OR, one, other->b);
        if (nn__derive_opposite(d, one, other->b, NN__DERIVE_DEPTH))
            return NN__OP2(OR, one, other->a);
    }
    return NN__OP2(OR, a, b);
}

/* Returns the number of comparisons in a mask. */
static int nn__derive_terms(const nn__derive *d, int mask, int depth) {
    const nn_instruction *by = &d->draft->code[mask];
    if (by->code == NN_CODE_NOT) return nn__derive_terms(d, by->a, depth);
    if (depth == 0 || (by->code != NN_CODE_AND && by->code != NN_CODE_OR)) return 1;
    return nn__derive_terms(d, by->a, depth - 1) + nn__derive_terms(d, by->b, depth - 1);
}

/* Returns `part` where the mask is 1, else `other`. The comparisons of a short mask choose
   directly, without AND or OR of their results. */
static int nn__derive_choose(nn__derive *d, int mask, int part, int other) {
    if (mask < 0) return part;
    const nn_instruction by = d->draft->code[mask];
    if (by.code == NN_CODE_NOT) return nn__derive_choose(d, by.a, other, part);
    if ((by.code != NN_CODE_AND && by.code != NN_CODE_OR) ||
        nn__derive_terms(d, mask, NN__DERIVE_DEPTH) > 3)
        return NN__OP3(SELECT, mask, part, other);
    const int inner = nn__derive_choose(d, by.b, part, other);
    return by.code == NN_CODE_AND ? nn__derive_choose(d, by.a, inner, other)
                                  : nn__derive_choose(d, by.a, part, inner);
}
static int nn__derive_masked(nn__derive *d, int mask, int part) {
    return nn__derive_choose(d, mask, part, NN__NUMBER(0.0f));
}
static int nn__derive_clean(nn__derive *d, int of) {
    return d->clean[of] ? d->gradient[of] : nn__derive_masked(d, d->mask[of], d->gradient[of]);
}

/* Adds `part`, which is valid where `mask` is not 0, to the gradient of the program's value
   `to`. */
static void nn__derive_add(nn__derive *d, int to, int part, int mask) {
    const int had = d->gradient[to], before = d->mask[to];
    if (!d->wanted[to] || part < 0 || d->draft->full) return;
    if (had < 0) {
        d->gradient[to] = part;
        d->mask[to] = mask;
    } else if (before == mask) {
        d->gradient[to] = NN__OP2(ADD, had, part);
        d->clean[to] = false;
    } else if (before >= 0 && mask >= 0 && nn__derive_disjoint(d, before, mask, NN__DERIVE_DEPTH)) {
        const bool all = nn__derive_opposite(d, before, mask, NN__DERIVE_DEPTH);
        const int code = d->draft->code[before].code; /* the simpler mask chooses */
        d->gradient[to] = code == NN_CODE_AND || code == NN_CODE_OR
                              ? nn__derive_choose(d, mask, part, had)
                              : nn__derive_choose(d, before, had, part);
        d->mask[to] = all ? NN__NO_PLACE : nn__derive_either(d, before, mask);
        d->clean[to] = false;
    } else {
        d->gradient[to] =
            NN__OP2(ADD, nn__derive_clean(d, to), nn__derive_masked(d, mask, part));
        d->clean[to] = true;
        d->mask[to] = before < 0 || mask < 0 ? NN__NO_PLACE : nn__derive_either(d, before, mask);
    }
}

/* Adds a part under the mask of the rule that is being applied. */
static void nn__derive_give(nn__derive *d, int to, int part) {
    nn__derive_add(d, to, part, d->one_mask);
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* Returns -g. If g is a product with a factor that can change its sign for free, that factor is
   negated. */
static int nn__derive_negative(nn__derive *d, int g) {
    if (g < 0) return g;
    const nn_instruction by = d->draft->code[g];
    for (int k = 0; k < 2 && by.code == NN_CODE_MULTIPLY; k++) {
        const int factor = k ? by.b : by.a, other = k ? by.a : by.b;
        const nn_instruction *turned = &d->draft->code[factor];
        if (turned->code == NN_CODE_NEGATE) return NN__OP2(MULTIPLY, turned->a, other);
        if (turned->code == NN_CODE_CONSTANT)
            return NN__OP2(MULTIPLY, NN__NUMBER(-turned->value), other);
    }
    return NN__OP1(NEGATE, g);
}

/* For y = f(a) and g, the gradient of y: returns dy/da * g; NN__NO_PLACE: it is 0 everywhere. */
static int nn__derive_unary(nn__derive *d, int code, int a, int y, int g) {
    switch (code) {
    case NN_CODE_ABS: return NN__OP2(MULTIPLY, g, NN__OP1(SIGN, a));
    case NN_CODE_RECIPROCAL: return NN__OP2(MULTIPLY, NN__OP1(NEGATE, g), NN__OP2(MULTIPLY, y, y));
    case NN_CODE_SQRT: return NN__OP2(DIVIDE, g, NN__OP2(MULTIPLY, NN__NUMBER(2.0f), y));
    case NN_CODE_RSQRT:
        return NN__OP2(MULTIPLY, NN__OP2(MULTIPLY, NN__OP2(MULTIPLY, NN__NUMBER(-0.5f), g), y),
                       NN__OP2(MULTIPLY, y, y)); /* y cubed first would overflow earlier */
    case NN_CODE_EXP: return NN__OP2(MULTIPLY, g, y);
    case NN_CODE_EXPM1: /* y + 1 would lose all digits far below 0 */
        return NN__OP2(MULTIPLY, g, NN__OP1(EXP, a));
    case NN_CODE_LOG: return NN__OP2(DIVIDE, g, a);
    case NN_CODE_LOG2: /* 1 / log(2) */
        return NN__OP2(DIVIDE, NN__OP2(MULTIPLY, g, NN__NUMBER(1.44269504088896341f)), a);
    case NN_CODE_LOG10: /* 1 / log(10) */
        return NN__OP2(DIVIDE, NN__OP2(MULTIPLY, g, NN__NUMBER(0.434294481903251828f)), a);
    case NN_CODE_LOG1P: return NN__OP2(DIVIDE, g, NN__OP2(ADD, a, NN__NUMBER(1.0f)));
    case NN_CODE_SIN: return NN__OP2(MULTIPLY, g, NN__OP1(COS, a));
    case NN_CODE_COS: return NN__OP2(MULTIPLY, NN__OP1(NEGATE, g), NN__OP1(SIN, a));
    case NN_CODE_TAN:
        return NN__OP2(MULTIPLY, g, NN__OP2(ADD, NN__NUMBER(1.0f), NN__OP2(MULTIPLY, y, y)));
    case NN_CODE_TANH:
        return NN__OP2(MULTIPLY, g, NN__OP2(SUBTRACT, NN__NUMBER(1.0f), NN__OP2(MULTIPLY, y, y)));
    case NN_CODE_SIGMOID:
        return NN__OP2(MULTIPLY, NN__OP2(MULTIPLY, g, NN__OP2(SUBTRACT, NN__NUMBER(1.0f), y)), y);
    case NN_CODE_ERF: /* 2 / sqrt(pi) */
        return NN__OP2(MULTIPLY, NN__OP2(MULTIPLY, g, NN__NUMBER(1.12837916709551257f)),
                       NN__OP1(EXP, NN__OP1(NEGATE, NN__OP2(MULTIPLY, a, a))));
    case NN_CODE_SOFTPLUS: return NN__OP2(MULTIPLY, g, NN__OP1(SIGMOID, a));
    default: return NN__NO_PLACE; /* SIGN, FLOOR, CEIL, ROUND, TRUNC, NOT, ISNAN: flat */
    }
}

/* As torch.pow: the base gets 0 where the exponent is 0, and an exponent >= 0 gets 0 where the
   base is 0. */
static void nn__derive_power(nn__derive *d, const nn_instruction *x, int a, int b, int y, int g) {
    int zero = NN__NUMBER(0.0f), none = NN__OP2(EQUAL, b, zero);
    if (d->wanted[x->a]) {
        int slope = NN__OP2(MULTIPLY, b, NN__OP2(POWER, a, NN__OP2(SUBTRACT, b, NN__NUMBER(1.0f))));
        nn__derive_give(d, x->a, NN__OP3(SELECT, none, zero, NN__OP2(MULTIPLY, g, slope)));
    }
    if (!d->wanted[x->b]) return;
    const nn_instruction *base = &d->draft->code[a];
    const int ln = base->code == NN_CODE_CONSTANT ? NN__NUMBER((float)nn__log((double)base->value))
                                                  : NN__OP1(LOG, a);
    const int part = NN__OP2(MULTIPLY, g, NN__OP2(MULTIPLY, y, ln));
    const int still = NN__OP3(SELECT, NN__OP2(GREATER_EQUAL, b, zero), zero, part);
    nn__derive_give(d, x->b, NN__OP3(SELECT, NN__OP2(EQUAL, a, zero), still, part));
}

/* The larger (or smaller) operand gets the gradient, equal ones half each; with a NaN both get
   all of it. */
static void nn__derive_choice(nn__derive *d, const nn_instruction *x, int a, int b, int g) {
    int half = NN__OP3(SELECT, NN__OP2(EQUAL, a, b), NN__OP2(MULTIPLY, g, NN__NUMBER(0.5f)), g);
    int less = NN__OP2(LESS, a, b), greater = NN__OP2(LESS, b, a), zero = NN__NUMBER(0.0f);
    bool maximum = x->code == NN_CODE_MAXIMUM;
    nn__derive_give(d, x->a, NN__OP3(SELECT, maximum ? less : greater, zero, half));
    nn__derive_give(d, x->b, NN__OP3(SELECT, maximum ? greater : less, zero, half));
}

/* d atan2(a, b) = (b da - a db) / (a a + b b). It divides by the length twice, since the squares
   may overflow. At (0, 0) the length is replaced by 1, so the slope is 0. */
static void nn__derive_atan2(nn__derive *d, const nn_instruction *x, int a, int b, int g) {
    int length = NN__OP2(HYPOT, a, b);
    length = NN__OP3(SELECT, length, length, NN__NUMBER(1.0f));
    if (d->wanted[x->a]) {
        const int part = NN__OP2(MULTIPLY, g, NN__OP2(DIVIDE, b, length));
        nn__derive_give(d, x->a, NN__OP2(DIVIDE, part, length));
    }
    if (d->wanted[x->b]) {
        const int part = NN__OP2(MULTIPLY, g, NN__OP2(DIVIDE, a, length));
        nn__derive_give(d, x->b, NN__OP1(NEGATE, NN__OP2(DIVIDE, part, length)));
    }
}

static void nn__derive_binary(nn__derive *d, const nn_instruction *x, int a, int b, int y, int g) {
    switch (x->code) {
    case NN_CODE_ADD:
        nn__derive_give(d, x->a, g);
        nn__derive_give(d, x->b, g);
        return;
    case NN_CODE_SUBTRACT:
        nn__derive_give(d, x->a, g);
        if (d->wanted[x->b]) nn__derive_give(d, x->b, nn__derive_negative(d, g));
        return;
    case NN_CODE_MULTIPLY:
        if (x->a == x->b && d->one_mask >= 0) { /* two parts under one mask */
            const int part = d->wanted[x->a] ? NN__OP2(MULTIPLY, g, b) : 0;
            if (d->wanted[x->a]) nn__derive_give(d, x->a, NN__OP2(ADD, part, part));
            return;
        }
        if (d->wanted[x->a]) nn__derive_give(d, x->a, NN__OP2(MULTIPLY, g, b));
        if (d->wanted[x->b]) nn__derive_give(d, x->b, NN__OP2(MULTIPLY, g, a));
        return;
    case NN_CODE_DIVIDE: /* d(a / b) = da / b - y db / b */
        if (d->wanted[x->a]) nn__derive_give(d, x->a, NN__OP2(DIVIDE, g, b));
        if (d->wanted[x->b])
            nn__derive_give(d, x->b, NN__OP1(NEGATE, NN__OP2(DIVIDE, NN__OP2(MULTIPLY, g, y), b)));
        return;
    case NN_CODE_MAXIMUM:
    case NN_CODE_MINIMUM: nn__derive_choice(d, x, a, b, g); return;
    case NN_CODE_POWER: nn__derive_power(d, x, a, b, y, g); return;
    case NN_CODE_ATAN2: nn__derive_atan2(d, x, a, b, g); return;
    case NN_CODE_HYPOT: /* each operand's ratio to the length, at most 1 */
        if (d->wanted[x->a]) nn__derive_give(d, x->a, NN__OP2(MULTIPLY, g, NN__OP2(DIVIDE, a, y)));
        if (d->wanted[x->b]) nn__derive_give(d, x->b, NN__OP2(MULTIPLY, g, NN__OP2(DIVIDE, b, y)));
        return;
    case NN_CODE_REMAINDER:
        nn__derive_give(d, x->a, g);
        if (d->wanted[x->b]) { /* a - a: NaN for infinities, which have no integer part */
            int whole =
                NN__OP2(ADD, NN__OP1(FLOOR, NN__OP2(DIVIDE, a, b)), NN__OP2(SUBTRACT, a, a));
            nn__derive_give(d, x->b, NN__OP1(NEGATE, NN__OP2(MULTIPLY, g, whole)));
        }
        return;
    default: return; /* comparisons, AND, OR: flat */
    }
}

/* Masks the branch that is not chosen: see the top of this file. */
static void nn__derive_select(nn__derive *d, const nn_instruction *x, int a, int g) {
    const int mask = d->one_mask;
    if (d->wanted[x->b]) nn__derive_add(d, x->b, g, nn__derive_both(d, mask, a));
    if (d->wanted[x->c]) nn__derive_add(d, x->c, g, nn__derive_both(d, mask, NN__OP1(NOT, a)));
}

static bool nn__derive_is_number(const nn__derive *d, int place) {
    return d->code[place].code == NN_CODE_CONSTANT || d->code[place].code == NN_CODE_SCALAR;
}

static bool nn__derive_is(const nn__derive *d, int place, float value) {
    return d->code[place].code == NN_CODE_CONSTANT && d->code[place].value == value;
}

/* Applies the rule of clamp(a, b, c), which is PyTorch's. At a bound that is a number, a gets 0. At
   a bound that is a tensor, a and the bound get half each. Infinite numbers are no bounds. If a, b
   and c are all equal, a gets everything; where b > c, c does. */
static void nn__derive_clamp(nn__derive *d, const nn_instruction *x, int a, int b, int c, int g) {
    const bool low = nn__derive_is_number(d, x->b), high = nn__derive_is_number(d, x->c);
    const int zero = NN__NUMBER(0.0f);
    if (low && high) {
        if (!d->wanted[x->a]) return;
        int inside = NN__OP2(GREATER, a, b);
        if (nn__derive_is(d, x->b, -INFINITY))
            inside = NN__OP2(LESS, a, c);
        else if (!nn__derive_is(d, x->c, INFINITY))
            inside = NN__OP2(AND, inside, NN__OP2(LESS, a, c));
        nn__derive_give(d, x->a, nn__derive_masked(d, inside, g));
        return;
    }
    const int outside = NN__OP2(OR, low ? NN__OP2(LESS_EQUAL, a, b) : NN__OP2(LESS, a, b),
                                high ? NN__OP2(GREATER_EQUAL, a, c) : NN__OP2(GREATER, a, c));
    const int shared = NN__OP2(NOT_EQUAL, low ? zero : NN__OP2(EQUAL, a, b),
                               high ? zero : NN__OP2(EQUAL, a, c));
    const int half = NN__OP2(MULTIPLY, g, NN__NUMBER(0.5f));
    nn__derive_give(d, x->a, NN__OP3(SELECT, outside, zero, NN__OP3(SELECT, shared, half, g)));
    if (!d->wanted[x->b] && !d->wanted[x->c]) return;
    /* the rest belongs to one of the bounds */
    const int rest = NN__OP3(SELECT, outside, g, NN__OP3(SELECT, shared, half, zero));
    const int to_low = NN__OP2(GREATER, NN__OP2(LESS, a, c), NN__OP2(LESS, c, b));
    nn__derive_give(d, x->b, NN__OP3(SELECT, to_low, rest, zero));
    nn__derive_give(d, x->c, NN__OP3(SELECT, to_low, zero, rest));
}

static void nn__derive_rule(nn__derive *d, const nn_instruction *x, int y, int g) {
    int operands = nn__instruction_operands(x->code), part;
    int a = operands > 0 ? d->value[x->a] : 0, b = operands > 1 ? d->value[x->b] : 0,
        c = operands > 2 ? d->value[x->c] : 0;
    if (x->code == NN_CODE_NEGATE) {
        nn__derive_give(d, x->a, nn__derive_negative(d, g));
    } else if (operands == 1) {
        part = nn__derive_unary(d, x->code, a, y, g);
        if (part >= 0) nn__derive_give(d, x->a, part);
    } else if (operands == 2) {
        nn__derive_binary(d, x, a, b, y, g);
    } else if (x->code == NN_CODE_FMA) {
        if (d->wanted[x->a]) nn__derive_give(d, x->a, NN__OP2(MULTIPLY, g, b));
        if (d->wanted[x->b]) nn__derive_give(d, x->b, NN__OP2(MULTIPLY, g, a));
        nn__derive_give(d, x->c, g);
    } else if (x->code == NN_CODE_SELECT) {
        nn__derive_select(d, x, a, g);
    } else if (x->code == NN_CODE_CLAMP) {
        nn__derive_clamp(d, x, a, b, c, g);
    }
}

/* Copies the program into the draft and finds the values that depend on a wanted input. */
static void nn__derive_values(nn__derive *d, const nn_program *program, unsigned wanted,
                              bool results) {
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *x = &program->code[i];
        int operands = nn__instruction_operands(x->code);
        d->gradient[i] = d->mask[i] = NN__NO_PLACE;
        d->clean[i] = false;
        d->wanted[i] = x->code == NN_CODE_INPUT && (wanted >> x->a & 1u);
        if (operands > 0) d->wanted[i] = d->wanted[x->a];
        if (operands > 1) d->wanted[i] = d->wanted[i] || d->wanted[x->b];
        if (operands > 2) d->wanted[i] = d->wanted[i] || d->wanted[x->c];
        if (x->code == NN_CODE_INPUT)
            d->value[i] = nn__draft_input(d->draft, x->a);
        else if (x->code == NN_CODE_SCALAR)
            d->value[i] = nn__draft_scalar(d->draft, x->a);
        else if (x->code == NN_CODE_CONSTANT)
            d->value[i] = nn__draft_constant(d->draft, x->value);
        else if (x->code == NN_CODE_RANDOM)
            d->value[i] = nn__draft_random(d->draft, x->a);
        else
            d->value[i] = nn__draft_append(
                d->draft, (nn_instruction_code)x->code, operands > 0 ? d->value[x->a] : 0,
                operands > 1 ? d->value[x->b] : 0, operands > 2 ? d->value[x->c] : 0);
        for (int k = 0; results && operands > 0 && k < program->output_count; k++)
            if (program->output[k] == i)
                d->value[i] = nn__draft_input(d->draft, NN__DERIVE_RESULT + k);
    }
}

NN_PRIVATE bool nn__program_derive(const nn_program *program, unsigned wanted, bool results,
                                   nn__draft *draft) {
    nn__derive all, *d = &all;
    nn__draft_begin(draft);
    d->draft = draft;
    d->code = program->code;
    nn__derive_values(d, program, wanted, results);
    d->one_mask = NN__NO_PLACE;
    for (int k = 0; k < program->output_count; k++)
        nn__derive_give(d, program->output[k], nn__draft_input(draft, NN__DERIVE_GRADIENT + k));
    for (int i = program->count - 1; i >= 0 && !draft->full; i--) {
        if (d->gradient[i] < 0) continue;
        d->one_mask = d->mask[i];
        nn__derive_rule(d, &program->code[i], d->value[i], d->gradient[i]);
    }
    for (int input = 0; input < program->input_count; input++) {
        int gradient = NN__NO_PLACE;
        if (!(wanted >> input & 1u)) continue;
        /* programs need not be simplified: an input may be read twice */
        for (int i = 0; i < program->count; i++)
            if (program->code[i].code == NN_CODE_INPUT && program->code[i].a == input &&
                d->gradient[i] >= 0) {
                const int part = nn__derive_clean(d, i);
                gradient = gradient < 0 ? part : NN__OP2(ADD, gradient, part);
            }
        if (!nn__draft_output(draft, gradient < 0 ? NN__NUMBER(0.0f) : gradient)) return false;
    }
    return !draft->full;
}

#undef NN__OP1
#undef NN__OP2
#undef NN__OP3
#undef NN__NUMBER
#endif /* NN_NO_TRAINING */
