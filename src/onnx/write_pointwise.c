/* onnx/write_pointwise.c - pointwise programs: the call of the operation's name, or nn_expression
   with the program as text. */
#include "onnx/write_emit.h"

/* ---- operations with a name ------------------------------------------------------------------ */

/* Operations of ops/table.txt whose only arguments are nodes. */
static const char *const nn__c_plain[] = {"relu",          "gelu",
                                          "square",        "sigmoid",
                                          "tanh",          "exp",
                                          "log",           "sqrt",
                                          "abs",           "negate",
                                          "add",           "subtract",
                                          "multiply",      "divide",
                                          "maximum",       "minimum",
                                          "reciprocal",    "rsqrt",
                                          "expm1",         "log1p",
                                          "log2",          "log10",
                                          "exp2",          "sinh",
                                          "cosh",          "atan",
                                          "logit",         "sinc",
                                          "frac",          "isnan",
                                          "isinf",         "isfinite",
                                          "sin",           "cos",
                                          "tan",           "erf",
                                          "floor",         "ceil",
                                          "round",         "trunc",
                                          "sign",          "relu6",
                                          "selu",          "silu",
                                          "mish",          "hardsigmoid",
                                          "hardswish",     "softsign",
                                          "logsigmoid",    "tanhshrink",
                                          "gelu_tanh",     "pow",
                                          "atan2",         "remainder",
                                          "fmod",          "fmax",
                                          "fmin",          "logaddexp",
                                          "xlogy",         "heaviside",
                                          "hypot",         "less",
                                          "less_equal",    "greater",
                                          "greater_equal", "equal",
                                          "not_equal",     "logical_and",
                                          "logical_or",    "logical_xor",
                                          "logical_not",   "where",
                                          "lerp",          "squared_difference"};

/* Those with numbers: fields of a desc with their defaults, or (no desc) further arguments. */
static const struct {
    const char *operation, *desc, *fields[3];
    float usual[3];
    int numbers;
} nn__c_numbered[] = {{"leaky_relu", "nn_leaky_relu_desc", {"negative_slope"}, {0.01f}, 1},
                      {"elu", "nn_elu_desc", {"alpha"}, {1.0f}, 1},
                      {"celu", "nn_celu_desc", {"alpha"}, {1.0f}, 1},
                      {"hardtanh", "nn_hardtanh_desc", {"min_val", "max_val"}, {-1.0f, 1.0f}, 2},
                      {"softshrink", "nn_softshrink_desc", {"lambd"}, {0.5f}, 1},
                      {"hardshrink", "nn_hardshrink_desc", {"lambd"}, {0.5f}, 1},
                      {"addcmul", "nn_addcmul_desc", {"value"}, {1.0f}, 1},
                      {"addcdiv", "nn_addcdiv_desc", {"value"}, {1.0f}, 1},
                      {"softplus", "nn_softplus_desc", {"beta", "threshold"}, {1.0f, 20.0f}, 2},
                      {"scale", NULL, {NULL}, {0}, 1},
                      {"offset", NULL, {NULL}, {0}, 1},
                      {"threshold", NULL, {NULL}, {0}, 2},
                      {"clamp", NULL, {NULL}, {0}, 2},
                      {"clamp_min", NULL, {NULL}, {0}, 1},
                      {"clamp_max", NULL, {NULL}, {0}, 1},
                      {"masked_fill", NULL, {NULL}, {0}, 1},
                      {"huber", NULL, {NULL}, {0}, 1}};

static bool nn__c_is_plain(const char *operation) {
    for (size_t i = 0; i < sizeof nn__c_plain / sizeof *nn__c_plain; i++)
        if (strcmp(operation, nn__c_plain[i]) == 0) return true;
    return false;
}

/* Prints the call of the operation's name. False: it has none, or is another program. */
static bool nn__c_write_named(nn__c_writer *w, const nn_node_description *d,
                              const nn_program_args *a) {
    const int numbers = a->program.scalar_count;
    int line = -1;
    if (a->program.output_count != 1 || a->outputs[0].dtype != NN_F32 ||
        d->input_count != a->program.input_count)
        return false;
    for (size_t i = 0; i < sizeof nn__c_numbered / sizeof *nn__c_numbered; i++)
        if (strcmp(d->operation, nn__c_numbered[i].operation) == 0) line = (int)i;
    if (numbers > 0 ? line < 0 || nn__c_numbered[line].numbers != numbers
                    : !nn__c_is_plain(d->operation) && strcmp(d->operation, "softplus") != 0)
        return false;
    nn__c_begin(w, nn__c_text(w, "nn_%s", d->operation));
    for (int i = 0; i < d->input_count; i++)
        nn__c_arg(w, "%s", nn__onnx_value_of(&w->e, d->inputs[i]));
    for (int i = 0; i < numbers; i++) {
        const char *field = nn__c_numbered[line].fields[i];
        if (field)
            nn__c_field_real(w, field, a->scalars[i], nn__c_numbered[line].usual[i]);
        else
            nn__c_arg(w, "%s", nn__c_real(w, a->scalars[i], false));
    }
    nn__c_end(w, line < 0 ? NULL : nn__c_numbered[line].desc, &a->outputs[0]);
    return true;
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* How an instruction is spelled: a function, or an operator between or before its operands. */
static const char *nn__c_spelling(int code) {
    static const char *const texts[NN_INSTRUCTION_COUNT] = {
        "",      "",      "",     "",      "-",       "abs", "sign",     "floor", "ceil",
        "round", "trunc", "1/",   "sqrt",  "rsqrt",   "exp", "expm1",    "log",   "log1p",
        "sin",   "cos",   "tan",  "tanh",  "sigmoid", "erf", "softplus", "!",     "isnan",
        "+",     "-",     "*",    "/",     "max",     "min", "pow",      "atan2", "remainder",
        "<",     "<=",    ">",    ">=",    "==",      "!=",  "&&",       "||",    "fma",
        "?",     "clamp", "log2", "log10", "hypot"};
    return texts[code];
}

static int nn__c_operands(int code) {
    if (code < NN_CODE_NEGATE) return 0;
    if (code < NN_CODE_ADD || code == NN_CODE_LOG2 || code == NN_CODE_LOG10) return 1;
    return code < NN_CODE_FMA || code == NN_CODE_HYPOT ? 2 : 3;
}

/* Appends the text of an instruction to `to`, in brackets if it is no call. */
static void nn__c_instruction(nn__c_writer *w, const nn_program_args *a, int i,
                              nn__onnx_growing *to, int depth) {
    const nn_instruction *code = &a->program.code[i];
    const int operands = nn__c_operands(code->code), from[3] = {code->a, code->b, code->c};
    const char *text = nn__c_spelling(code->code);
    const bool call = text[0] >= 'a' && text[0] <= 'z';
    if (to->size > 4000 || depth > 40) return;
    if (code->code == NN_CODE_INPUT || code->code == NN_CODE_SCALAR) {
        nn__c_print(to, code->code == NN_CODE_INPUT ? "x%d" : "p%d", (int64_t)code->a);
    } else if (code->code == NN_CODE_CONSTANT) {
        nn__c_print(to, code->value < 0 ? "(%s)" : "%s", nn__c_real(w, code->value, true));
    } else if (code->code == NN_CODE_RANDOM) {
        nn__onnx_cannot(&w->e, "it draws random numbers, which depend on the position in the net");
    } else {
        nn__c_print(to, call ? "%s(" : operands == 1 ? "(%s" : "(", text);
        for (int k = 0; k < operands; k++) {
            if (k > 0 && call) nn__c_print(to, ", ");
            if (k > 0 && !call) nn__c_print(to, " %s ", k == 2 ? ":" : text);
            nn__c_instruction(w, a, from[k], to, depth + 1);
        }
        nn__c_print(to, ")");
    }
}

/* Returns the text of the program with the names of its inputs: "x0, x1: x0 * x1". NULL:
   refused. */
static const char *nn__c_expression(nn__c_writer *w, const nn_program_args *a) {
    nn__onnx_growing text;
    const char *copy = NULL;
    memset(&text, 0, sizeof text);
    text.nn = w->e.call->nn;
    for (int i = 0; i < a->program.input_count; i++)
        nn__c_print(&text, i ? ", x%d" : "x%d", (int64_t)i);
    nn__c_print(&text, ": ");
    nn__c_instruction(w, a, a->program.output[0], &text, 0);
    if (text.size > 4000)
        nn__onnx_cannot(&w->e, "its expression is longer than 4,000 characters");
    else if (text.failed)
        nn__onnx_fail(w->e.call, NN_ERROR_MEMORY, "no memory for an expression");
    else
        copy = nn__onnx_copy_text(w->e.call, &w->e.arena, (const char *)text.at, text.size);
    nn__onnx_forget(&text);
    return nn__onnx_writes_on(&w->e) ? copy : NULL;
}

/* A literal of C may have 509 characters (C99), so a long text is split into lines. */
static const char *nn__c_literal(nn__c_writer *w, const char *text) {
    const char *all = "";
    nn__onnx_growing lines;
    memset(&lines, 0, sizeof lines);
    lines.nn = w->e.call->nn;
    while (*text) {
        nn__onnx_message line;
        line.length = 0;
        while (*text && line.length < 72) line.text[line.length++] = *text++;
        while (*text && *text != ' ' && line.length < 90) line.text[line.length++] = *text++;
        line.text[line.length] = 0;
        nn__c_print(&lines, *text ? "\"%s\"\n            " : "\"%s\"", line.text);
    }
    if (!lines.failed)
        all = nn__onnx_copy_text(w->e.call, &w->e.arena, (const char *)lines.at, lines.size);
    nn__onnx_forget(&lines);
    return all ? all : "";
}

/* Prints the lists of named numbers. */
static void nn__c_print_numbers(nn__c_writer *w, const nn_program_args *a) {
    const int count = a->program.scalar_count;
    nn__c_print(&w->fields, "        const char *const names[] = {");
    for (int i = 0; i < count; i++)
        nn__c_print(&w->fields, i ? ", \"p%d\"" : "\"p%d\"", (int64_t)i);
    nn__c_print(&w->fields, "};\n        const float numbers[] = {");
    for (int i = 0; i < count; i++)
        nn__c_print(&w->fields, i ? ", %s" : "%s", nn__c_real(w, a->scalars[i], false));
    nn__c_print(&w->fields,
                "};\n        d.number_names.text = names;\n        d.numbers.number = numbers;\n"
                "        d.number_names.count = d.numbers.count = %d;\n",
                (int64_t)count);
}

static void nn__c_write_expression(nn__c_writer *w, const nn_program_args *a) {
    const char *text = nn__c_expression(w, a);
    if (!text) return;
    text = nn__c_literal(w, text);
    if (a->program.scalar_count == 0 && strlen(text) < 600) {
        nn__c_begin(w, "nn_expression");
        nn__onnx_add_bytes(&w->args, ", ", 2);
        nn__onnx_add_bytes(&w->args, text, strlen(text));
        for (int i = 0; i < a->program.input_count; i++)
            nn__c_arg(w, "%s", nn__c_in(w, &a->inputs[i]));
        nn__c_end(w, NULL, &a->outputs[0]);
        return;
    }
    nn__c_begin(w, "nn_make_expression");
    nn__c_print(&w->fields, "        d.text = ");
    nn__onnx_add_bytes(&w->fields, text, strlen(text));
    nn__c_print(&w->fields, ";\n");
    nn__c_print(&w->fields, "        nn_node *const inputs[] = {");
    for (int i = 0; i < a->program.input_count; i++)
        nn__c_print(&w->fields, i ? ", %s" : "%s", nn__c_in(w, &a->inputs[i]));
    nn__c_print(&w->fields, "};\n        d.inputs.node = inputs;\n        d.inputs.count = %d;\n",
                (int64_t)a->program.input_count);
    if (a->program.scalar_count > 0) nn__c_print_numbers(w, a);
    nn__c_end(w, "nn_expression_desc", &a->outputs[0]);
}

/* True if the inputs, as their nodes are, do not broadcast to the result's shape. */
static bool nn__c_is_stretched(const nn_program_args *a) {
    const nn_shape y = nn_node_shape(nn__onnx_node_at(&a->outputs[0]));
    nn_shape made;
    memset(&made, 0, sizeof made);
    for (int i = 0; i < a->program.input_count; i++) {
        const nn_shape x = nn_node_shape(nn__onnx_node_at(&a->inputs[i]));
        if (x.rank > made.rank) made.rank = x.rank;
    }
    for (int k = 0; k < made.rank; k++) {
        made.extent[k] = 1;
        for (int i = 0; i < a->program.input_count; i++) {
            const nn_shape x = nn_node_shape(nn__onnx_node_at(&a->inputs[i]));
            const int at = k - made.rank + x.rank;
            if (at >= 0 && x.extent[at] != 1) made.extent[k] = x.extent[at];
        }
    }
    return !nn_same_shape(made, y);
}

NN__ONNX_PRIVATE void nn__c_write_pointwise(nn__c_writer *w, const nn_program_args *a,
                                            const nn_program_args *b) {
    const nn_node_description d = nn_describe_node(w->e.current);
    (void)b;
    if (a->item_count || a->accumulate || a->program.output_count != 1) {
        nn__onnx_cannot(&w->e, "its program was not made by one operation");
        return;
    }
    if (strcmp(d.operation, "cast") == 0 && a->program.input_count == 1) {
        nn__c_begin(w, "nn_cast");
        nn__c_arg(w, "%s", nn__c_in(w, &a->inputs[0]));
        nn__c_arg(w, "%s", nn__c_dtype(a->outputs[0].dtype));
        nn__c_end(w, NULL, &a->outputs[0]);
        return;
    }
    if (strcmp(d.operation, "expand") == 0 && a->program.input_count == 1) {
        const nn_shape shape = nn_node_shape(w->e.current);
        nn__c_begin(w, "nn_expand");
        nn__c_arg(w, "%s", nn__c_in(w, &a->inputs[0]));
        nn__c_arg(w, "%s", nn__c_shape(w, &shape));
        nn__c_end(w, NULL, &a->outputs[0]);
        return;
    }
    if (nn__c_is_stretched(a)) {
        nn__onnx_cannot(&w->e, "its inputs are broadcast, or read in another shape");
        return;
    }
    if (nn__c_write_named(w, &d, a)) return;
    if (a->outputs[0].dtype != NN_F32)
        nn__onnx_cannot(&w->e, "its result is %s", nn_dtype_name(a->outputs[0].dtype));
    else
        nn__c_write_expression(w, a);
}
