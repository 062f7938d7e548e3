/* program_reference.h: the meaning of each instruction of a pointwise program, as plain code in
   double, written independently of the library. Include after nn.h. One table serves two
   evaluators. evaluate() computes in double throughout, for slopes by differences.
   program_reference() rounds each value to float, as a device that rounds exactly does. It also
   carries an error bound from instruction to instruction, for devices that round within some units
   in the last place. */
#ifndef NN_PROGRAM_REFERENCE_H
#define NN_PROGRAM_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "test.h"

static TEST_UNUSED double program_sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }
static TEST_UNUSED double program_larger(double a, double b) {
    return a != a ? a : b != b ? b : a > b ? a : b;
}
static TEST_UNUSED double program_smaller(double a, double b) {
    return a != a ? a : b != b ? b : a < b ? a : b;
}

static TEST_UNUSED double program_apply(int code, double a, double b, double c) {
    switch (code) {
    case NN_CODE_NEGATE: return -a;
    case NN_CODE_ABS: return fabs(a);
    case NN_CODE_SIGN: return program_sign(a);
    case NN_CODE_FLOOR: return floor(a);
    case NN_CODE_CEIL: return ceil(a);
    case NN_CODE_ROUND: return rint(a);
    case NN_CODE_TRUNC: return trunc(a);
    case NN_CODE_RECIPROCAL: return 1 / a;
    case NN_CODE_SQRT: return sqrt(a);
    case NN_CODE_RSQRT: return 1 / sqrt(a);
    case NN_CODE_EXP: return exp(a);
    case NN_CODE_EXPM1: return expm1(a);
    case NN_CODE_LOG: return log(a);
    case NN_CODE_LOG1P: return log1p(a);
    case NN_CODE_LOG2: return log2(a);
    case NN_CODE_LOG10: return log10(a);
    case NN_CODE_HYPOT: return hypot(a, b);
    case NN_CODE_SIN: return sin(a);
    case NN_CODE_COS: return cos(a);
    case NN_CODE_TAN: return tan(a);
    case NN_CODE_TANH: return tanh(a);
    case NN_CODE_SIGMOID: return 1 / (1 + exp(-a));
    case NN_CODE_ERF: return erf(a);
    case NN_CODE_SOFTPLUS: return program_larger(a, 0) + log1p(exp(-fabs(a)));
    case NN_CODE_NOT: return a == 0;
    case NN_CODE_ISNAN: return a != a;
    case NN_CODE_ADD: return a + b;
    case NN_CODE_SUBTRACT: return a - b;
    case NN_CODE_MULTIPLY: return a * b;
    case NN_CODE_DIVIDE: return a / b;
    case NN_CODE_MAXIMUM: return program_larger(a, b);
    case NN_CODE_MINIMUM: return program_smaller(a, b);
    case NN_CODE_POWER: return pow(a, b);
    case NN_CODE_ATAN2: return atan2(a, b);
    case NN_CODE_REMAINDER: {
        const double rest = fmod(a, b);
        return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
    }
    case NN_CODE_LESS: return a < b;
    case NN_CODE_LESS_EQUAL: return a <= b;
    case NN_CODE_GREATER: return a > b;
    case NN_CODE_GREATER_EQUAL: return a >= b;
    case NN_CODE_EQUAL: return a == b;
    case NN_CODE_NOT_EQUAL: return a != b;
    case NN_CODE_AND: return a != 0 && b != 0;
    case NN_CODE_OR: return a != 0 || b != 0;
    case NN_CODE_FMA: return a * b + c;
    case NN_CODE_SELECT: return a != 0 ? b : c;
    case NN_CODE_CLAMP: return program_smaller(program_larger(a, b), c);
    default: return NAN;
    }
}

/* ---- in double ------------------------------------------------------------------------------- */

/* Set where no central difference can show a slope: bounds of a clamp that meet, the angle of a
   zero vector, infinities. */
static TEST_UNUSED bool at_a_corner;

static TEST_UNUSED void evaluate(const nn_program *program, const double *inputs,
                                 const double *scalars, double *outputs) {
    double at[NN_PROGRAM_LENGTH];
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *x = &program->code[i];
        if (x->code == NN_CODE_INPUT) at[i] = inputs[x->a];
        else if (x->code == NN_CODE_SCALAR) at[i] = scalars[x->a];
        else if (x->code == NN_CODE_CONSTANT) at[i] = (double)x->value;
        else if (x->code == NN_CODE_RANDOM) at[i] = 0.375;
        else if (x->code == NN_CODE_CLAMP && at[x->b] >= at[x->c])
            at[i] = at[x->c], at_a_corner = true;
        else if (x->code == NN_CODE_ATAN2 && at[x->a] == 0 && at[x->b] == 0)
            at[i] = 0, at_a_corner = true;
        else at[i] = program_apply(x->code, at[x->a], at[x->b], at[x->c]);
        at_a_corner = at_a_corner || !(fabs(at[i]) < 1e30);
    }
    for (int k = 0; k < program->output_count; k++) outputs[k] = at[program->output[k]];
}

/* Returns the slope of output 0 with respect to one input. */
static TEST_UNUSED double difference(const nn_program *program, int input, const double *inputs,
                                     const double *scalars, double h) {
    double moved[NN_PROGRAM_INPUTS], low[NN_PROGRAM_OUTPUTS], high[NN_PROGRAM_OUTPUTS];
    for (int i = 0; i < program->input_count; i++) moved[i] = inputs[i];
    moved[input] = inputs[input] - h;
    evaluate(program, moved, scalars, low);
    moved[input] = inputs[input] + h;
    evaluate(program, moved, scalars, high);
    return (high[0] - low[0]) / (2 * h);
}

/* ---- rounded to float, with an error bound --------------------------------------------------- */

typedef struct program_number {
    double value, error; /* error INFINITY: any result is possible */
} program_number;

/* The result on a device that rounds exactly: rsqrt rounds its root and its quotient, fma rounds
   once. */
static double program_rounded(int code, double a, double b, double c) {
    if (code == NN_CODE_RSQRT) return (double)(float)(1 / (double)(float)sqrt(a));
    if (code == NN_CODE_FMA) return (double)fmaf((float)a, (float)b, (float)c);
    return (double)(float)program_apply(code, a, b, c);
}

static TEST_UNUSED int program_operand_count(int code) {
    static const int counts[] = {
#define NN__X(upper, lower, text, operands, weight, value) operands,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    return counts[code];
}

static int program_weight(int code) {
    static const int weights[] = {
#define NN__X(upper, lower, text, operands, weight, value) weight,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    return weights[code];
}

static TEST_UNUSED int program_is_exact(const nn_program *program) {
    int i;
    for (i = 0; i < program->count; i++)
        if (program_weight(program->code[i].code) >= 8 && program->code[i].code != NN_CODE_RANDOM)
            return 0;
    return 1;
}

/* True if the instruction may jump, or bend sharply, within the range of its operands. */
static int program_may_jump(int code, const program_number *a, const program_number *b,
                            const program_number *c) {
    const program_number *operand[3];
    int i, count = program_operand_count(code), rough = 0, zero = 0;
    operand[0] = a, operand[1] = b, operand[2] = c;
    for (i = 0; i < count; i++) {
        rough |= operand[i]->error > 1e-4 * fabs(operand[i]->value);
        zero |= operand[i]->error > 0 && fabs(operand[i]->value) <= operand[i]->error;
    }
    switch (code) {
        case NN_CODE_SIN: case NN_CODE_COS: case NN_CODE_TAN: /* may turn within the range */
            return rough || a->error > 0.1;
        case NN_CODE_REMAINDER: return a->error > 0 || b->error > 0;
        case NN_CODE_NOT: case NN_CODE_AND: case NN_CODE_OR: return zero;
        case NN_CODE_SELECT: return a->error > 0 && fabs(a->value) <= a->error;
        case NN_CODE_EQUAL:
        case NN_CODE_NOT_EQUAL:
            return fabs(a->value - b->value) <= a->error + b->error && a->error + b->error > 0;
        case NN_CODE_DIVIDE: case NN_CODE_RECIPROCAL: case NN_CODE_ATAN2: return zero || rough;
        default: return program_weight(code) >= 4 && rough;
    }
}

/* Evaluates an instruction on operands with error bounds: the middle, and the largest change at the
   corners of their ranges. Both are rounded: a sum close to the middle of two floats may become
   either, however small the errors of its terms are. `ulps`: the device's rounding error; 0: exact.
   Instructions of weight 1 round exactly everywhere, those below 8 on every CPU (ulps < 5). */
static program_number program_number_of(int code, const program_number *a, const program_number *b,
                                        const program_number *c, double ulps) {
    static const double side[3] = {0, -1, 1};
    program_number y;
    int i, count = program_operand_count(code), corners = count == 1 ? 3 : count == 2 ? 9 : 27;
    double largest;
    if (program_weight(code) < (ulps < 5 ? 8 : 2)) ulps = ulps < 5 ? 0 : 1e-9;
    y.value = program_rounded(code, a->value, b->value, c->value);
    y.error = 0;
    for (i = 1; i < corners; i++) {
        double change = program_rounded(code, a->value + side[i % 3] * a->error,
                                        b->value + side[i / 3 % 3] * b->error,
                                        c->value + side[i / 9 % 3] * c->error) -
                        y.value;
        if (a->error == 0 && b->error == 0 && c->error == 0) break;
        if (!(fabs(change) <= 1e300)) { y.error = INFINITY; break; }
        if (fabs(change) > y.error) y.error = fabs(change);
    }
    y.error *= 1.5; /* for curvature between the corners */
    if (count > 0 && program_may_jump(code, a, b, c)) y.error = INFINITY;
    largest = fabs(y.value) + y.error;
    if (largest <= 3e38) y.error += largest * ulps * 1.2e-7 + (ulps > 0 ? 1.5e-38 : 0);
    else if (y.error > 0 || (ulps > 0 && largest > 1e37)) y.error = INFINITY;
    return y;
}

/* Evaluates one element. `inputs`: the element of every input; `uniform`: of every draw. */
static TEST_UNUSED void program_reference(const nn_program *program, const double *inputs,
                                          const float *scalars, const float *uniform, double ulps,
                                          program_number *values) {
    program_number none;
    int i;
    none.value = none.error = 0;
    for (i = 0; i < program->count; i++) {
        const nn_instruction *at = &program->code[i];
        int count = program_operand_count(at->code);
        values[i].error = 0;
        switch (at->code) {
            case NN_CODE_INPUT: values[i].value = inputs[at->a]; continue;
            case NN_CODE_SCALAR: values[i].value = (double)scalars[at->a]; continue;
            case NN_CODE_CONSTANT: values[i].value = (double)at->value; continue;
            case NN_CODE_RANDOM: values[i].value = (double)uniform[at->a]; continue;
            default: break;
        }
        values[i] = program_number_of(at->code, count > 0 ? &values[at->a] : &none,
                                      count > 1 ? &values[at->b] : &none,
                                      count > 2 ? &values[at->c] : &none, ulps);
    }
}

#endif /* NN_PROGRAM_REFERENCE_H */
