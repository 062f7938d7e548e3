/* onnx/save_pointwise.c - pointwise programs: one operator for each instruction, or one for all
   where ONNX has the function. */
#include "onnx/emit.h"

/* ---- functions that ONNX has ----------------------------------------------------------------- */

/* Operations of ops/table.txt whose program is one operator. attribute: of the first number. */
static const struct {
    const char *operation, *type, *attribute;
} nn__onnx_whole_programs[] = {
    {"relu", "Relu", NULL},         {"leaky_relu", "LeakyRelu", "alpha"},
    {"elu", "Elu", "alpha"},        {"celu", "Celu", "alpha"},
    {"selu", "Selu", NULL},         {"sinh", "Sinh", NULL},
    {"cosh", "Cosh", NULL},         {"atan", "Atan", NULL},
    {"softsign", "Softsign", NULL}, {"hardswish", "HardSwish", NULL},
};

/* Emits the whole program. False: it has no operator of its own. */
static bool nn__onnx_save_whole(nn__onnx_emitter *e, const nn_program_args *a) {
    const nn_node_description d = nn_describe_node(e->current);
    const nn_program *program = &a->program;
    if (program->input_count != 1 || program->output_count != 1 || a->outputs[0].dtype != NN_F32)
        return false;
    if (strcmp(d.operation, "relu6") == 0) { /* as other exporters write it; -0 may stay -0 */
        nn__onnx_emit(e, "Clip", nn__onnx_in_x(e, &a->inputs[0]), nn__onnx_real_out(e, 0.0),
                      nn__onnx_real_out(e, 6.0), nn__onnx_out(e, &a->outputs[0]));
        return true;
    }
    for (size_t i = 0; i < sizeof nn__onnx_whole_programs / sizeof *nn__onnx_whole_programs; i++) {
        const char *attribute = nn__onnx_whole_programs[i].attribute;
        if (strcmp(d.operation, nn__onnx_whole_programs[i].operation) != 0 ||
            program->scalar_count != (attribute ? 1 : 0) ||
            (e->opset < 14 && strcmp(nn__onnx_whole_programs[i].type, "HardSwish") == 0))
            continue;
        const char *x = nn__onnx_in_x(e, &a->inputs[0]);
        nn__onnx_begin_op(e, nn__onnx_whole_programs[i].type);
        nn__onnx_op_in(e, x);
        if (attribute) nn__onnx_op_real(e, attribute, (double)a->scalars[0]);
        nn__onnx_op_end(e, nn__onnx_out(e, &a->outputs[0]));
        return true;
    }
    return false;
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* The form of an instruction in ONNX. */
typedef enum nn__onnx_way {
    NN__ONNX_REAL,     /* an operator of f32 numbers */
    NN__ONNX_COMPARES, /* of f32 numbers; the result is a truth value */
    NN__ONNX_JOINS,    /* of truth values */
    NN__ONNX_OWN,      /* a function of the domain "nn.h" */
    NN__ONNX_OTHER     /* see nn__onnx_other */
} nn__onnx_way;

typedef struct nn__onnx_instruction {
    const char *type;
    nn__onnx_way way;
    int operands;
} nn__onnx_instruction;

static nn__onnx_instruction nn__onnx_instruction_of(int code) {
    static const nn__onnx_instruction table[NN_INSTRUCTION_COUNT] = {
        {"", NN__ONNX_OTHER, 0}, /* input */
        {"", NN__ONNX_OTHER, 0}, /* scalar */
        {"", NN__ONNX_OTHER, 0}, /* constant */
        {"", NN__ONNX_OTHER, 0}, /* random */
        {"Neg", NN__ONNX_REAL, 1},         {"Abs", NN__ONNX_REAL, 1},
        {"Sign", NN__ONNX_REAL, 1},        {"Floor", NN__ONNX_REAL, 1},
        {"Ceil", NN__ONNX_REAL, 1},        {"Round", NN__ONNX_REAL, 1},
        {"Trunc", NN__ONNX_OWN, 1},        {"Reciprocal", NN__ONNX_REAL, 1},
        {"Sqrt", NN__ONNX_REAL, 1},        {"Rsqrt", NN__ONNX_OTHER, 1},
        {"Exp", NN__ONNX_REAL, 1},         {"Expm1", NN__ONNX_OWN, 1},
        {"Log", NN__ONNX_REAL, 1},         {"Log1p", NN__ONNX_OWN, 1},
        {"Sin", NN__ONNX_REAL, 1},         {"Cos", NN__ONNX_REAL, 1},
        {"Tan", NN__ONNX_REAL, 1},         {"Tanh", NN__ONNX_REAL, 1},
        {"Sigmoid", NN__ONNX_REAL, 1},     {"Erf", NN__ONNX_REAL, 1},
        {"Softplus", NN__ONNX_REAL, 1},    {"Not", NN__ONNX_JOINS, 1},
        {"IsNaN", NN__ONNX_COMPARES, 1},   {"Add", NN__ONNX_REAL, 2},
        {"Sub", NN__ONNX_REAL, 2},         {"Mul", NN__ONNX_REAL, 2},
        {"Div", NN__ONNX_REAL, 2},         {"Max", NN__ONNX_REAL, 2},
        {"Min", NN__ONNX_REAL, 2},         {"Pow", NN__ONNX_REAL, 2},
        {"Atan2", NN__ONNX_OWN, 2},        {"Remainder", NN__ONNX_OWN, 2},
        {"Less", NN__ONNX_COMPARES, 2},    {"LessOrEqual", NN__ONNX_COMPARES, 2},
        {"Greater", NN__ONNX_COMPARES, 2}, {"GreaterOrEqual", NN__ONNX_COMPARES, 2},
        {"Equal", NN__ONNX_COMPARES, 2},   {"NotEqual", NN__ONNX_OTHER, 2},
        {"And", NN__ONNX_JOINS, 2},        {"Or", NN__ONNX_JOINS, 2},
        {"Fma", NN__ONNX_OWN, 3},          {"Where", NN__ONNX_OTHER, 3},
        {"Clip", NN__ONNX_OTHER, 3},       {"Log2", NN__ONNX_OWN, 1},
        {"Log10", NN__ONNX_OWN, 1},        {"Hypot", NN__ONNX_OWN, 2}};
    return table[code];
}

/* The values of a program's instructions: as f32, as truth values, or both. */
typedef struct nn__onnx_program {
    nn__onnx_emitter *e;
    const nn_program_args *a;
    const char *real[NN_PROGRAM_LENGTH], *truth[NN_PROGRAM_LENGTH];
} nn__onnx_program;

static const char *nn__onnx_real_at(nn__onnx_program *p, int i) {
    if (!p->real[i]) p->real[i] = nn__onnx_cast_to(p->e, p->truth[i], NN_F32, NULL);
    return p->real[i];
}

static const char *nn__onnx_truth_at(nn__onnx_program *p, int i) {
    if (!p->truth[i]) p->truth[i] = nn__onnx_cast_to(p->e, p->real[i], NN_BOOL, NULL);
    return p->truth[i];
}

static bool nn__onnx_is_number(const nn__onnx_program *p, int i) {
    const int code = p->a->program.code[i].code;
    return code == NN_CODE_CONSTANT || code == NN_CODE_SCALAR;
}

/* Limits that are numbers become a Clip. Missing limits are infinite. */
static const char *nn__onnx_clip(nn__onnx_program *p, const nn_instruction *code, const char *out) {
    nn__onnx_emitter *e = p->e;
    const char *x = nn__onnx_real_at(p, code->a), *limits[2];
    const int at[2] = {code->b, code->c};
    for (int i = 0; i < 2; i++) {
        const nn_instruction *limit = &p->a->program.code[at[i]];
        limits[i] = limit->code == NN_CODE_CONSTANT && !(fabsf(limit->value) <= 3.4e38f)
                        ? ""
                        : nn__onnx_real_at(p, at[i]);
    }
    if (nn__onnx_is_number(p, at[0]) && nn__onnx_is_number(p, at[1])) {
        nn__onnx_begin_op(e, "Clip");
        nn__onnx_op_in(e, x);
        nn__onnx_op_in(e, limits[0]);
        nn__onnx_op_in(e, limits[1]);
        return nn__onnx_op_end(e, out);
    }
    if (*limits[0]) x = nn__onnx_emit(e, "Max", x, limits[0], NULL, *limits[1] ? NULL : out);
    return *limits[1] ? nn__onnx_emit(e, "Min", x, limits[1], NULL, out) : x;
}

static void nn__onnx_other(nn__onnx_program *p, int i, const char *out) {
    const nn_instruction *code = &p->a->program.code[i];
    nn__onnx_emitter *e = p->e;
    const char *x;
    switch (code->code) {
    case NN_CODE_INPUT: p->real[i] = nn__onnx_in_x(e, &p->a->inputs[code->a]); return;
    case NN_CODE_SCALAR: p->real[i] = nn__onnx_real_out(e, (double)p->a->scalars[code->a]); return;
    case NN_CODE_CONSTANT: p->real[i] = nn__onnx_real_out(e, (double)code->value); return;
    case NN_CODE_RSQRT:
        x = nn__onnx_emit(e, "Sqrt", nn__onnx_real_at(p, code->a), NULL, NULL, NULL);
        p->real[i] = nn__onnx_emit(e, "Reciprocal", x, NULL, NULL, out);
        return;
    case NN_CODE_NOT_EQUAL:
        x = nn__onnx_emit(e, "Equal", nn__onnx_real_at(p, code->a), nn__onnx_real_at(p, code->b),
                          NULL, NULL);
        p->truth[i] = nn__onnx_emit(e, "Not", x, NULL, NULL, NULL);
        return;
    case NN_CODE_SELECT:
        p->real[i] = nn__onnx_emit(e, "Where", nn__onnx_truth_at(p, code->a),
                                   nn__onnx_real_at(p, code->b), nn__onnx_real_at(p, code->c), out);
        return;
    case NN_CODE_CLAMP: p->real[i] = nn__onnx_clip(p, code, out); return;
    default:
        p->real[i] = "";
        nn__onnx_cannot(e, "it draws random numbers, which another runtime would not repeat");
    }
}

/* out: the name of the result, if it is one of the program's of f32; else NULL. */
static void nn__onnx_instruct(nn__onnx_program *p, int i, const char *out) {
    const nn_instruction *code = &p->a->program.code[i];
    const nn__onnx_instruction how = nn__onnx_instruction_of(code->code);
    const int from[3] = {code->a, code->b, code->c};
    const char *operands[3] = {NULL, NULL, NULL}, *made;
    if (how.way == NN__ONNX_OTHER) {
        nn__onnx_other(p, i, out);
        return;
    }
    for (int k = 0; k < how.operands; k++)
        operands[k] = how.way == NN__ONNX_JOINS ? nn__onnx_truth_at(p, from[k])
                                                : nn__onnx_real_at(p, from[k]);
    if (how.way == NN__ONNX_OWN)
        nn__onnx_begin_function(p->e, how.type);
    else
        nn__onnx_begin_op(p->e, how.type);
    for (int k = 0; k < how.operands; k++) nn__onnx_op_in(p->e, operands[k]);
    const bool real = how.way == NN__ONNX_REAL || how.way == NN__ONNX_OWN;
    made = nn__onnx_op_end(p->e, real ? out : NULL);
    if (real)
        p->real[i] = made;
    else
        p->truth[i] = made;
}

/* ---- results --------------------------------------------------------------------------------- */

/* True if the inputs that the program has do not reach the result's shape. */
static bool nn__onnx_is_stretched(const nn_program_args *a, const nn_view *y) {
    for (int axis = 0; axis < y->shape.rank; axis++) {
        int32_t most = 1;
        for (int i = 0; i < a->program.input_count; i++) {
            const int at = axis - y->shape.rank + a->inputs[i].shape.rank;
            if (at >= 0 && a->inputs[i].shape.extent[at] != 1) most = 2;
        }
        if (most == 1 && y->shape.extent[axis] != 1) return true;
    }
    for (int i = 0; i < a->program.input_count; i++)
        if (a->inputs[i].shape.rank >= y->shape.rank) return false;
    return y->shape.rank > 0;
}

/* Returns a number in the dtype of an output, rounded and limited as kernels do. */
static const char *nn__onnx_rounded_to(nn__onnx_emitter *e, const char *x, nn_dtype dtype,
                                       const char *out) {
    const char *type = dtype == NN_I32  ? "ToInt32"
                       : dtype == NN_U8 ? "ToUint8"
                       : dtype == NN_I8 ? "ToInt8"
                                        : NULL;
    if (!type) return nn__onnx_cast_to(e, x, dtype, out);
    nn__onnx_begin_function(e, type);
    nn__onnx_op_in(e, x);
    return nn__onnx_op_end(e, out);
}

static void nn__onnx_give_out(nn__onnx_program *p, int k, const nn_view *y, const nn_view *again) {
    const int at = p->a->program.output[k];
    nn__onnx_emitter *e = p->e;
    const char *out = nn__onnx_out(e, y), *value;
    const nn_shape shape = nn__onnx_shape_seen(e, y, again);
    if (p->truth[at] && !p->real[at] && !nn__onnx_is_stretched(p->a, y)) {
        nn__onnx_cast_to(e, p->truth[at], y->dtype, out);
        return;
    }
    value = nn__onnx_real_at(p, at);
    if (nn__onnx_is_stretched(p->a, y))
        value = nn__onnx_emit(e, "Expand", value, nn__onnx_shape_out(e, &shape), NULL, NULL);
    if (strcmp(value, out) == 0) return;
    if (y->dtype == NN_F32)
        nn__onnx_emit(e, "Identity", value, NULL, NULL, out);
    else
        nn__onnx_rounded_to(e, value, y->dtype, out);
}

NN__ONNX_PRIVATE void nn__onnx_save_pointwise(nn__onnx_emitter *e, const nn_program_args *a,
                                              const nn_program_args *b) {
    nn__onnx_program p;
    if (a->item_count || a->accumulate) {
        nn__onnx_cannot(e, "it updates parameters");
        return;
    }
    if (nn__onnx_save_whole(e, a)) return;
    memset(&p, 0, sizeof p);
    p.e = e;
    p.a = a;
    for (int i = 0; i < a->program.count && nn__onnx_writes_on(e); i++) {
        const char *out = NULL;
        for (int k = 0; k < a->program.output_count; k++)
            if (a->program.output[k] == i && a->outputs[k].dtype == NN_F32 &&
                !nn__onnx_is_stretched(a, &a->outputs[k]))
                out = nn__onnx_out(e, &a->outputs[k]);
        nn__onnx_instruct(&p, i, out);
    }
    for (int k = 0; k < a->program.output_count && nn__onnx_writes_on(e); k++)
        nn__onnx_give_out(&p, k, &a->outputs[k], &b->outputs[k]);
}
