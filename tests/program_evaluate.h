/* program_evaluate.h: pointwise programs in double, written apart from the library. Include it
   behind nn.h. */
#ifndef PROGRAM_EVALUATE_H
#define PROGRAM_EVALUATE_H

#include "test.h"

static TEST_UNUSED double sign_of(double a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }
static TEST_UNUSED double larger(double a, double b) {
    return a != a ? a : b != b ? b : a > b ? a : b;
}
static TEST_UNUSED double smaller(double a, double b) {
    return a != a ? a : b != b ? b : a < b ? a : b;
}

static TEST_UNUSED double apply(int code, double a, double b, double c) {
    switch (code) {
    case NN_CODE_NEGATE: return -a;
    case NN_CODE_ABS: return fabs(a);
    case NN_CODE_SIGN: return sign_of(a);
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
    case NN_CODE_SIN: return sin(a);
    case NN_CODE_COS: return cos(a);
    case NN_CODE_TAN: return tan(a);
    case NN_CODE_TANH: return tanh(a);
    case NN_CODE_SIGMOID: return 1 / (1 + exp(-a));
    case NN_CODE_ERF: return erf(a);
    case NN_CODE_SOFTPLUS: return larger(a, 0) + log1p(exp(-fabs(a)));
    case NN_CODE_NOT: return a == 0;
    case NN_CODE_ISNAN: return a != a;
    case NN_CODE_ADD: return a + b;
    case NN_CODE_SUBTRACT: return a - b;
    case NN_CODE_MULTIPLY: return a * b;
    case NN_CODE_DIVIDE: return a / b;
    case NN_CODE_MAXIMUM: return larger(a, b);
    case NN_CODE_MINIMUM: return smaller(a, b);
    case NN_CODE_POWER: return pow(a, b);
    case NN_CODE_ATAN2: return atan2(a, b);
    case NN_CODE_REMAINDER: return a - b * floor(a / b);
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
    case NN_CODE_CLAMP: return smaller(larger(a, b), c);
    default: return NAN;
    }
}

/* Bounds of a clamp that meet, the angle of nothing, infinities: no central difference can show
   their slopes. */
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
        else at[i] = apply(x->code, at[x->a], at[x->b], at[x->c]);
        at_a_corner = at_a_corner || !(fabs(at[i]) < 1e30);
    }
    for (int k = 0; k < program->output_count; k++) outputs[k] = at[program->output[k]];
}

/* The slope of output 0 by one input. */
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

#endif
