/* test_program.c: the algebra of pointwise programs: every instruction's derivative and random
   programs against central differences in double, simplification against plain evaluation, the
   parser, and its error texts. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "program_reference.h"
#include "test.h"

#include <stdlib.h>

static uint32_t state = 1;
static uint32_t draw(uint32_t n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}
static double uniform(double low, double high) {
    return low + (high - low) * draw(1 << 20) / (1 << 20);
}

/* ---- derivatives ----------------------------------------------------------------------------- */

/* Computes the gradients of the wanted inputs, through nn__program_derive. */
static bool derivative(const nn_program *program, unsigned wanted, bool results,
                       const double *inputs, const double *scalars, const double *dy, double *dx) {
    nn__draft draft;
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn_program made;
    uint8_t from[NN_PROGRAM_INPUTS], from_scalars[NN_PROGRAM_SCALARS];
    double y[NN_PROGRAM_OUTPUTS], all[NN_PROGRAM_INPUTS], numbers[NN_PROGRAM_SCALARS];
    if (!nn__program_derive(program, wanted, results, &draft)) return false;
    if (!nn__draft_finish(&draft, code, &made, from, from_scalars)) return false;
    if (test_wrong(nn__program_fault(&made) != NULL)) {
        test_fail(__FILE__, __LINE__, "%s", nn__program_fault(&made));
        return false;
    }
    evaluate(program, inputs, scalars, y);
    for (int i = 0; i < made.input_count; i++)
        all[i] = from[i] < NN__DERIVE_RESULT     ? inputs[from[i]]
                 : from[i] < NN__DERIVE_GRADIENT ? y[from[i] - NN__DERIVE_RESULT]
                                                 : dy[from[i] - NN__DERIVE_GRADIENT];
    for (int i = 0; i < made.scalar_count; i++) numbers[i] = scalars[from_scalars[i]];
    evaluate(&made, all, numbers, dx);
    return true;
}

static double weighted_difference(const nn_program *program, int input, const double *inputs,
                                  const double *scalars, const double *dy, double h) {
    double moved[NN_PROGRAM_INPUTS], low[NN_PROGRAM_OUTPUTS], high[NN_PROGRAM_OUTPUTS], sum = 0;
    memcpy(moved, inputs, sizeof moved);
    moved[input] = inputs[input] - h;
    evaluate(program, moved, scalars, low);
    moved[input] = inputs[input] + h;
    evaluate(program, moved, scalars, high);
    for (int k = 0; k < program->output_count; k++) sum += dy[k] * (high[k] - low[k]) / (2 * h);
    return sum;
}

static void every_instruction_has_its_derivative(void) {
    const double values[] = {-2.3, -0.7, 0.4, 1.9};
    const double dy[] = {1.5};
    for (int code = NN_CODE_NEGATE; code < NN_INSTRUCTION_COUNT; code++) {
        nn_instruction list[4];
        nn_program program;
        int operands = nn__instruction_operands(code), checked = 0;
        memset(list, 0, sizeof list);
        memset(&program, 0, sizeof program);
        for (int i = 0; i < operands; i++) list[i].code = NN_CODE_INPUT, list[i].a = (uint8_t)i;
        list[operands].code = (uint8_t)code;
        list[operands].b = (uint8_t)(operands > 1 ? 1 : 0);
        list[operands].c = (uint8_t)(operands > 2 ? 2 : 0);
        program.code = list;
        program.count = (uint8_t)(operands + 1);
        program.input_count = (uint8_t)operands;
        program.output_count = 1;
        program.output[0] = (uint8_t)operands;
        ENSURE(!nn__program_fault(&program));
        for (int i = 0; i < 64; i++) {
            double inputs[NN_PROGRAM_INPUTS], y, dx[4];
            inputs[0] = values[i & 3], inputs[1] = values[i >> 2 & 3] + 0.05,
            inputs[2] = values[i >> 4] + 0.1;
            evaluate(&program, inputs, NULL, &y);
            if (y != y) continue; /* outside of its domain */
            for (int results = 0; results < 2; results++) {
                ENSURE(derivative(&program, (1u << operands) - 1, results, inputs, NULL, dy, dx));
                for (int j = 0; j < operands; j++) {
                    double close = weighted_difference(&program, j, inputs, NULL, dy, 1e-6);
                    if (close != close) continue;
                    if (test_wrong(fabs(dx[j] - close) > 1e-5 * (1 + fabs(close))))
                        test_fail(__FILE__, __LINE__,
                                  "%s(%g, %g, %g) by %d: %.9g, by differences %.9g",
                                  nn__instruction_name(code, true), inputs[0], inputs[1], inputs[2],
                                  j, dx[j], close);
                    checked++;
                }
            }
        }
        if (test_wrong(checked == 0))
            test_fail(__FILE__, __LINE__, "%s was never checked", nn__instruction_name(code, true));
    }
}

/* Draws mostly smooth instructions, so that differences mean something. tanh and the like keep the
   values small. */
static int random_program(nn__draft *draft, int length) {
    static const uint8_t codes[] = {
        NN_CODE_NEGATE,  NN_CODE_ABS,      NN_CODE_SIN,           NN_CODE_COS,
        NN_CODE_TANH,    NN_CODE_SIGMOID,  NN_CODE_ERF,           NN_CODE_SOFTPLUS,
        NN_CODE_ADD,     NN_CODE_SUBTRACT, NN_CODE_MULTIPLY,      NN_CODE_MAXIMUM,
        NN_CODE_MINIMUM, NN_CODE_LESS,     NN_CODE_SELECT,        NN_CODE_CLAMP,
        NN_CODE_FMA,     NN_CODE_ATAN2,    NN_CODE_GREATER_EQUAL, NN_CODE_DIVIDE};
    nn__draft_begin(draft);
    for (int i = 0; i < 3; i++) nn__draft_input(draft, i);
    nn__draft_scalar(draft, 0);
    nn__draft_constant(draft, 0.5f);
    for (int i = 0; i < length; i++) {
        int n = draft->count, code = codes[draw(sizeof codes)];
        nn__draft_append(draft, (nn_instruction_code)code, (int)draw((uint32_t)n),
                         (int)draw((uint32_t)n), (int)draw((uint32_t)n));
    }
    for (int k = 0; k < 2; k++) nn__draft_output(draft, draft->count - 1 - (int)draw(3));
    return draft->count;
}

static void random_programs_have_their_derivatives(void) {
    int checked = 0, too_long = 0;
    state = 7;
    for (int round = 0; round < 20000; round++) {
        nn__draft draft;
        nn_instruction code[NN_PROGRAM_LENGTH];
        nn_program program;
        double inputs[NN_PROGRAM_INPUTS], dx[4], dx2[4], dy[4] = {1.0, -0.5, 0, 0}, scalars[1];
        uint8_t from[NN_PROGRAM_INPUTS];
        random_program(&draft, 4 + (int)draw(14));
        ENSURE(nn__draft_finish(&draft, code, &program, from, NULL));
        ENSURE(!nn__program_fault(&program));
        for (int i = 0; i < NN_PROGRAM_INPUTS; i++) inputs[i] = uniform(-2, 2);
        scalars[0] = uniform(0.1, 1);
        unsigned wanted = (1u << program.input_count) - 1;
        if (!wanted) continue;
        /* the derivative of a chain of clamps between values may be too long for a program */
        if (!derivative(&program, wanted, false, inputs, scalars, dy, dx)) {
            ENSURE(++too_long <= 3);
            continue;
        }
        ENSURE(derivative(&program, wanted, true, inputs, scalars, dy, dx2));
        at_a_corner = false;
        for (int j = 0; j < program.input_count; j++) {
            double d1 = weighted_difference(&program, j, inputs, scalars, dy, 1e-5),
                   d2 = weighted_difference(&program, j, inputs, scalars, dy, 1e-6);
            bool kink = !(fabs(d1 - d2) < 1e-4 * (1 + fabs(d2))); /* a kink or a pole is near */
            if (kink || at_a_corner) continue;
            if (test_wrong(!(fabs(dx[j] - d2) < 1e-3 * (1 + fabs(d2))) ||
                !(fabs(dx2[j] - d2) < 1e-3 * (1 + fabs(d2)))))
                test_fail(__FILE__, __LINE__,
                          "program %d by input %d: %.9g and %.9g, by differences %.9g", round, j,
                          dx[j], dx2[j], d2);
            checked++;
        }
    }
    ENSURE(checked > 20000);
}

/* ---- texts ----------------------------------------------------------------------------------- */

typedef struct parsed {
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn_program program;
    nn__parse_fault fault;
    uint8_t inputs[NN_PROGRAM_INPUTS];
    bool fine;
} parsed;

static parsed parse(const char *names, const char *text) {
    static parsed p;
    nn__symbols symbols;
    nn__draft draft;
    memset(&p, 0, sizeof p);
    memset(&symbols, 0, sizeof symbols);
    if (names && !nn__parse_names(names, strlen(names), &symbols, &p.fault)) return p;
    p.fine = nn__parse_program(text, &symbols, &draft, &p.fault) &&
             nn__draft_finish(&draft, p.code, &p.program, p.inputs, NULL);
    return p;
}

static double value_of(const char *text, double x, double y) {
    double given[2], inputs[NN_PROGRAM_INPUTS], out[NN_PROGRAM_OUTPUTS];
    parsed p = parse("x, y", text);
    p.program.code = p.code;
    if (test_wrong(!p.fine)) {
        test_fail(__FILE__, __LINE__, "%s: column %d: %s", text, p.fault.column, p.fault.text);
        return NAN;
    }
    given[0] = x, given[1] = y;
    for (int i = 0; i < p.program.input_count; i++) inputs[i] = given[p.inputs[i]];
    evaluate(&p.program, inputs, NULL, out);
    return out[0];
}

static double slope_of(const char *text, double x) {
    double inputs[NN_PROGRAM_INPUTS] = {x}, dy[4] = {1}, dx[4] = {NAN};
    parsed p = parse("x", text);
    p.program.code = p.code;
    if (test_wrong(!p.fine || !derivative(&p.program, 1, false, inputs, NULL, dy, dx)))
        test_fail(__FILE__, __LINE__, "%s: %s", text, p.fault.text);
    return dx[0];
}

static void texts_mean_what_c_means(void) {
    const double x = 0.7, y = -1.3;
    ENSURE_CLOSE(value_of("x + y * 2", x, y), x + y * 2, 1e-7);
    ENSURE_CLOSE(value_of("(x + y) * 2", x, y), (x + y) * 2, 1e-7);
    ENSURE_CLOSE(value_of("x - y - 1", x, y), x - y - 1, 1e-7);
    ENSURE_CLOSE(value_of("x / y / 2", x, y), x / y / 2, 1e-7);
    ENSURE_CLOSE(value_of("-x^2", x, y), -x * x, 1e-7);
    ENSURE_CLOSE(value_of("2^-x", x, y), pow(2, -x), 1e-7);
    ENSURE_CLOSE(value_of("2^x^y", x, y), pow(2, pow(x, y)), 1e-7);
    ENSURE_CLOSE(value_of("x^3 + x^0.5 + x^-1 + x^-2 + x^-0.5 + x^1 + x^2.5", x, y),
                 x * x * x + sqrt(x) + 1 / x + 1 / (x * x) + 1 / sqrt(x) + x + pow(x, 2.5), 1e-6);
    ENSURE_CLOSE(value_of("x > y && !(x == y) || x < -5", x, y), 1, 0);
    ENSURE_CLOSE(value_of("x <= y ? 3 : x != y ? 4 : 5", x, y), 4, 0);
    ENSURE_CLOSE(value_of("max(x, y, 2, -1) + min(x, y)", x, y), 2 + y, 1e-7);
    ENSURE_CLOSE(value_of("1.5e2 + .25 + 1e-1f", x, y), 150.35, 1e-4);
    ENSURE_CLOSE(value_of("max(-y*x, -y*clamp(x, 0.8, 1.2))", x, y), fmax(-y * x, -y * 0.8), 1e-6);
    ENSURE_CLOSE(value_of("where(x < 0, x, y) + atan2(x, y) + pow(x, y)", x, y),
                 y + atan2(x, y) + pow(x, y), 1e-6);
    ENSURE_CLOSE(value_of("pi * !0 + (inf > x)", x, y), 4.14159265, 1e-6);
    ENSURE_CLOSE(value_of("a, b: a - 2 * b", x, y), x - 2 * y, 1e-6);
    ENSURE_CLOSE(value_of("b, a: a - 2 * b", x, y), y - 2 * x,
                 1e-6); /* the header's order, not the text's */
}

/* clamp has the gradients of PyTorch 2.15 where x and its bounds meet, cross or are NaN. */
static void clamp_shares_as_torch(void) {
    static const double rows[][6] = { /* x, low, high; their gradients */
        {1, 1, 2, 0.5, 0.5, 0},    {2, 1, 2, 0.5, 0, 0.5}, {1, 1, 1, 1, 0, 0},
        {0, 1, 1, 0, 1, 0},        {2, 1, 1, 0, 0, 1},     {1.5, 1, 2, 1, 0, 0},
        {0, 1, 2, 0, 1, 0},        {3, 1, 2, 0, 0, 1},     {0, 2, 1, 0, 0, 1},
        {1.5, 2, 1, 0, 0, 1},      {2, 2, 1, 0, 0, 1},     {1, 2, 1, 0, 0, 1},
        {(double)NAN, 1, 2, 1, 0, 0}, {1, (double)NAN, 2, 1, 0, 0}, {1, 0, (double)NAN, 1, 0, 0}};
    parsed p = parse("x, a, b", "clamp(x, a, b)");
    p.program.code = p.code;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double inputs[NN_PROGRAM_INPUTS], dy[4] = {1}, dx[4] = {(double)NAN};
        for (int k = 0; k < 3; k++) inputs[k] = rows[i][p.inputs[k]];
        ENSURE(p.fine && derivative(&p.program, 7, false, inputs, NULL, dy, dx));
        for (int k = 0; k < 3; k++) ENSURE_CLOSE(dx[k], rows[i][3 + p.inputs[k]], 0);
    }
}

static void texts_have_torchs_subgradients(void) {
    ENSURE_CLOSE(slope_of("x <= 0 ? 0 : x", 0), 0, 0);
    ENSURE_CLOSE(slope_of("abs(x)", 0), 0, 0);
    ENSURE_CLOSE(slope_of("max(x, 0)", 0), 0.5, 0);
    ENSURE_CLOSE(slope_of("max(x, x)", 1), 1, 0);
    ENSURE_CLOSE(slope_of("clamp(x, 0, 1)", 0), 0, 0);
    ENSURE_CLOSE(slope_of("clamp(x, 0, 1)", 1), 0, 0);
    ENSURE_CLOSE(slope_of("clamp(x, 0, 1)", 1.01), 0, 0);
    ENSURE_CLOSE(slope_of("pow(x, 0)", 0), 0, 0);
    /* an exponent of 0 has a slope, unless the base is 0 */
    ENSURE_CLOSE(slope_of("pow(2, x)", 0), log(2), 1e-7);
    ENSURE_CLOSE(slope_of("pow(3, x)", 0), log(3), 1e-7);
    ENSURE_CLOSE(slope_of("pow(x + 3, x)", 0), log(3), 1e-7);
    ENSURE_CLOSE(slope_of("pow(0, x)", 0), 0, 0);
    ENSURE_CLOSE(slope_of("pow(0, x)", 2), 0, 0);
    ENSURE(isinf(slope_of("pow(0, x)", -1)));
    ENSURE(isnan(slope_of("pow(-2, x)", 0)));
    ENSURE_CLOSE(slope_of("floor(x) + round(x) + (x > 0)", 0.5), 0, 0);
    ENSURE_CLOSE(slope_of("remainder(x, 2)", 3.5), 1, 0);
    ENSURE(isinf(slope_of("sqrt(x)", 0)));
}

/* The side that is not chosen has an infinite slope or is NaN. */
static void a_choice_is_not_poisoned_by_the_other_side(void) {
    ENSURE_CLOSE(slope_of("x > 0 ? log(x) : 2 * x", 0), 2, 0);
    ENSURE_CLOSE(slope_of("x > 0 ? sqrt(x) * x : 3 * x", 0), 3, 0);
    ENSURE_CLOSE(slope_of("x > 0 ? exp(log(x) * 2) : x", -1), 1, 0);
    ENSURE_CLOSE(slope_of("x < 1 ? x : x < 2 ? 1 / (x - 0.5) : x^2", 0.5), 1, 0);
    ENSURE_CLOSE(slope_of("x < 1 ? (x < 0 ? log(-x) : x) : log(x - 1)", 0.5), 1, 0);
}

static void mistakes_name_the_column(void) {
    static const struct {
        const char *names, *text;
        int column;
        const char *says;
    } cases[] = {{"x", "", 1, "expected a value, but the text ends"},
                 {"x", "x +", 4, "expected a value, but the text ends"},
                 {"x", "x + )", 5, "expected a value, found \")\""},
                 {"x", "(x + 1", 7, "expected an operator or \")\", but the text ends"},
                 {"x", "x 2", 3, "expected an operator or the end, found \"2\""},
                 {"x", "max(x)", 1, "max takes two values or more; there is 1"},
                 {"x", "clamp(x, 1)", 1, "clamp takes 3 values; there are 2"},
                 {"x", "2 * sigmod(x)", 5, "there is no function sigmod"},
                 {"r, a", "r * b", 5, "no input is called b; there is: r, a"},
                 {"x", "x < 1 < 2", 7, "comparisons in a row: write a < b && b < c"},
                 {"x", "x ? 1", 6, "expected an operator or \":\", but the text ends"},
                 {"x", "x, x: x", 4, "two inputs are called x"},
                 {"x", "1e", 3, "expected the digits of an exponent, but the text ends"},
                 {"x", "2x", 2, "expected an operator after the number, found \"x\""},
                 {"x", "x & 1", 3, "expected an operator or the end, found \"&\""},
                 {"f(x)", "x", 1, "expected a name"},
                 {"x, , t", "x", 4, "expected a name"},
                 {"x, abcdefghijklmnopqrstuvwxyz_12345", "x", 4, "a name is too long"}};
    for (int i = 0; i < NN__COUNT(cases); i++) {
        parsed p = parse(cases[i].names, cases[i].text);
        ENSURE(!p.fine);
        ENSURE_TEXT(p.fault.text, cases[i].says);
        if (test_wrong(p.fault.column != cases[i].column))
            test_fail(__FILE__, __LINE__, "\"%s\": column %d, wanted %d", cases[i].text,
                      p.fault.column, cases[i].column);
    }
}

static void long_and_deep_texts_are_refused(void) {
    static char text[20000];
    size_t n = 0;
    for (int i = 0; i < 5000; i++) text[n++] = '(';
    text[n] = 0;
    ENSURE(!parse("x", text).fine);
    for (n = 0; n < 5000; n++) text[n] = '-';
    ENSURE(!parse("x", text).fine);
    n = 0;
    for (int i = 0; i < 300; i++)
        n += (size_t)sprintf(text + n, "%ssin(x * %d)", i ? "+" : "", i + 2);
    parsed p = parse("x", text);
    ENSURE(!p.fine);
    ENSURE_TEXT(p.fault.text, "the expression is too long");
}

/* Random characters cause no crash, and errors name a column of the text or the one after it. */
static void any_bytes_are_a_text_or_a_mistake(void) {
    static const char letters[] = "xy01.+-*/^()<>=!&|?:, maxsinlog";
    char text[40];
    state = 3;
    for (int round = 0; round < 200000; round++) {
        int n = (int)draw(sizeof text - 1);
        for (int i = 0; i < n; i++) text[i] = letters[draw(sizeof letters - 1)];
        text[n] = 0;
        parsed p = parse("x, y", text);
        if (test_wrong(!p.fine && (p.fault.column < 1 || p.fault.column > n + 1 || !p.fault.text[0])))
            test_fail(__FILE__, __LINE__, "\"%s\": column %d \"%s\"", text, p.fault.column,
                      p.fault.text);
    }
}

/* ---- simplification -------------------------------------------------------------------------- */

static void equal_values_are_computed_once(void) {
    parsed p = parse("x", "sigmoid(x) * sigmoid(x) + 0 * 3 + sin(2 * 3 + 1) * 1");
    ENSURE(p.fine);
    int count = 0;
    for (int i = 0; i < p.program.count; i++) count += p.code[i].code == NN_CODE_SIGMOID;
    ENSURE(count == 1);
    p = parse("x, y", "(2 > 1 ? x : log(y)) * 1 / 1 - 0");
    ENSURE(p.fine && p.program.count == 1 && p.program.input_count == 1 && p.inputs[0] == 0);
    p = parse("x", "x + 0"); /* -0 + 0 is 0, so it must stay */
    ENSURE(p.fine && p.program.count == 3);
    p = parse("x", "x * 0"); /* of an infinity it is NaN */
    ENSURE(p.fine && p.program.count == 3);
}

static void merging_substitutes(void) {
    nn__draft draft;
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn_program made;
    double inputs[NN_PROGRAM_INPUTS] = {0.3, 0.8}, y[NN_PROGRAM_OUTPUTS];
    parsed inner = parse("a, b", "a * b + a"), outer = parse("u", "u^2 - u");
    int places[NN_PROGRAM_OUTPUTS], in[2];
    ENSURE(inner.fine && outer.fine);
    inner.program.code = inner.code;
    outer.program.code = outer.code;
    nn__draft_begin(&draft);
    in[0] = nn__draft_input(&draft, 0);
    in[1] = nn__draft_input(&draft, 1);
    ENSURE(nn__draft_merge(&draft, &inner.program, in, NULL, places));
    ENSURE(nn__draft_merge(&draft, &outer.program, places, NULL, in));
    ENSURE(nn__draft_output(&draft, in[0]) && nn__draft_output(&draft, places[0]));
    ENSURE(nn__draft_finish(&draft, code, &made, NULL, NULL) && !nn__program_fault(&made));
    evaluate(&made, inputs, NULL, y);
    ENSURE_CLOSE(y[1], 0.3 * 0.8 + 0.3, 1e-9);
    ENSURE_CLOSE(y[0], y[1] * y[1] - y[1], 1e-9);
}

static void wrong_programs_are_found(void) {
    nn_instruction code[2];
    nn_program program;
    memset(code, 0, sizeof code);
    memset(&program, 0, sizeof program);
    ENSURE(nn__program_fault(&program));
    program.code = code;
    program.count = 2;
    program.input_count = program.output_count = 1;
    program.output[0] = 1;
    code[1].code = NN_CODE_ADD;
    ENSURE(!nn__program_fault(&program));
    code[1].b = 1;
    ENSURE(nn__program_fault(&program));
    code[1].b = 0;
    code[1].code = NN_INSTRUCTION_COUNT;
    ENSURE(nn__program_fault(&program));
    code[1].code = NN_CODE_NEGATE;
    program.output[0] = 2;
    ENSURE(nn__program_fault(&program));
    program.output[0] = 1;
    code[0].a = 1;
    ENSURE(nn__program_fault(&program));
}

/* Writes a tree of choices as a text; conditions come again further down. */
static void choice_tree(char *text, size_t room, int depth) {
    static const char *const conditions[] = {"x > 0.3", "t < 0.1",  "x > 0.3 && t < 0.1",
                                             "x < -0.4", "!(x > 0.3)", "x > 0.9 || t < 0.1",
                                             "t"};
    static const char *const leaves[] = {"x", "2 * x", "x * x", "sin(x * t)", "log(x)", "sqrt(t)",
                                         "0.5", "pow(x, t)", "1 / (x - 0.3)", "abs(t) * x"};
    size_t used = strlen(text);
    if (depth == 0 || draw(4) == 0) {
        snprintf(text + used, room - used, "%s", leaves[draw(10)]);
        return;
    }
    snprintf(text + used, room - used, "((%s) ? ", conditions[draw(7)]);
    choice_tree(text, room, depth - 1);
    used = strlen(text);
    snprintf(text + used, room - used, " : ");
    choice_tree(text, room, depth - 1);
    used = strlen(text);
    snprintf(text + used, room - used, draw(3) ? ")" : ") * x");
}

/* The branches that are not chosen have NaN and infinite slopes here and there. */
static void trees_of_choices_have_their_derivatives(void) {
    const double dy[] = {1.5};
    int checked = 0, too_long = 0;
    state = 11;
    for (int round = 0; round < 3000; round++) {
        char text[4096] = "";
        double inputs[NN_PROGRAM_INPUTS] = {uniform(-2, 2), uniform(-2, 2)}, dx[4];
        choice_tree(text, sizeof text, 3);
        const parsed p = parse("x, t", text);
        const int names = p.program.input_count;
        if (!p.fine || names != 2) continue; /* too long, or without x or t */
        if (!derivative(&p.program, 3, round % 2 == 1, inputs, NULL, dy, dx)) {
            too_long++;
            continue;
        }
        for (int j = 0; j < 2; j++) {
            const double by = weighted_difference(&p.program, j, inputs, NULL, dy, 1e-6);
            const double wider = weighted_difference(&p.program, j, inputs, NULL, dy, 1e-5);
            if (!(fabs(by - wider) < 1e-4 * (1 + fabs(by)))) continue; /* a kink, or NaN */
            if (test_wrong(!(fabs(dx[j] - by) < 1e-3 * (1 + fabs(by)))))
                test_fail(__FILE__, __LINE__, "%s at %g, %g by %d: %.9g, by differences %.9g", text,
                          inputs[0], inputs[1], j, dx[j], by);
            checked++;
        }
    }
    ENSURE(checked > 2000 && too_long < 200);
}

/* One choice of the text is one choice in its gradient, so masks add no further instructions. */
static void gradients_of_choices_are_short(void) {
    static const struct {
        const char *text;
        int count;
    } list[] = {{"x > 0 ? x : 0.25 * x", 7},
                {"x <= -1 ? -1 : x >= 1 ? 1 : x", 9},
                {"x > 0.5 ? x - 0.5 : x >= -0.5 ? 0 : x + 0.5", 9},
                {"x > 0 ? x : expm1(x)", 9},
                {"(x > 0 && x < 2 ? x : 0) + (!(x > 0) || !(x < 2) ? 0.5 * x : 0)", 10},
                {"clamp(x, -1, 1)", 9}};
    for (int i = 0; i < (int)(sizeof list / sizeof list[0]); i++) {
        const parsed p = parse("x", list[i].text);
        nn__draft draft;
        nn_instruction code[NN_PROGRAM_LENGTH];
        nn_program made;
        ENSURE(p.fine && nn__program_derive(&p.program, 1, false, &draft));
        ENSURE(nn__draft_finish(&draft, code, &made, NULL, NULL));
        if (test_wrong(made.count > list[i].count))
            test_fail(__FILE__, __LINE__, "the gradient of %s has %d instructions; %d are enough",
                      list[i].text, made.count, list[i].count);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(every_instruction_has_its_derivative);
    RUN(random_programs_have_their_derivatives);
    RUN(texts_mean_what_c_means);
    RUN(clamp_shares_as_torch);
    RUN(texts_have_torchs_subgradients);
    RUN(a_choice_is_not_poisoned_by_the_other_side);
    RUN(trees_of_choices_have_their_derivatives);
    RUN(gradients_of_choices_are_short);
    RUN(mistakes_name_the_column);
    RUN(long_and_deep_texts_are_refused);
    RUN(any_bytes_are_a_text_or_a_mistake);
    RUN(equal_values_are_computed_once);
    RUN(merging_substitutes);
    RUN(wrong_programs_are_found);
    return test_report();
}
