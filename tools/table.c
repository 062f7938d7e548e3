/* tools/table.c - makes the element-wise operations of src/ops/table.txt: the declarations for the
   public header, and the programs with their builders and immediate calls as constant tables, so
   that no program that uses one has to read text.

     table h src/ops/table.txt > build/gen/ops/table.h
     table c src/ops/table.txt > build/gen/ops/table.c

   Each text is read by the library's own parser. */
#include "base/memory.c"
#include "base/writer.c"
#include "program/draft.c"
#include "program/parse.c"

#include <stdio.h>
#include <stdlib.h>

#define LINES 128
#define LONG  150 /* from this length on, an expression explains nothing */

typedef struct line {
    char name[32], doc[200], expression[600];
    nn__symbols symbols;
    nn_instruction code[NN_PROGRAM_LENGTH], gradient_code[NN_PROGRAM_LENGTH];
    nn_program program, gradient; /* gradient.count 0: by rule */
    bool text_only; /* no builder */
    bool found;     /* nn__table_NAME gives it to other parts */
    int defaults;   /* numbers that have a default; all of them or none */
    char default_text[NN_PROGRAM_SCALARS][24];
} line;

static line lines[LINES];
static int line_count;

static void fail(int number, const char *text, int column, const char *why) {
    fprintf(stderr, "table.txt:%d: %s\n%s%*s^\n", number, why, text, column > 0 ? column - 1 : 0,
            "");
    exit(1);
}

static const nn_program *find(void *user, const char *name, size_t length) {
    (void)user;
    for (int i = 0; i < line_count; i++)
        if (strlen(lines[i].name) == length && memcmp(lines[i].name, name, length) == 0)
            return &lines[i].program;
    return NULL;
}

/* Keeps the order of inputs and scalars as the line has it, whatever the expression reads first. */
static int compile(line *l, const char *text, nn_instruction *code, nn_program *program,
                   nn__parse_fault *fault) {
    nn__draft draft;
    uint8_t inputs[NN_PROGRAM_INPUTS], scalars[NN_PROGRAM_SCALARS];
    memset(fault, 0, sizeof *fault);
    if (!nn__parse_program(text, &l->symbols, &draft, fault)) return 0;
    if (!nn__draft_finish(&draft, code, program, inputs, scalars)) return 0;
    for (int i = 0; i < program->count; i++) {
        if (code[i].code == NN_CODE_INPUT) code[i].a = inputs[code[i].a];
        if (code[i].code == NN_CODE_SCALAR) code[i].a = scalars[code[i].a];
    }
    program->input_count = (uint8_t)l->symbols.count;
    program->scalar_count = (uint8_t)l->symbols.scalar_count;
    return 1;
}

static void trim(char *text) {
    size_t n = strlen(text);
    while (n && (text[n - 1] == ' ' || text[n - 1] == '\n')) text[--n] = 0;
    n = strspn(text, " ");
    memmove(text, text + n, strlen(text + n) + 1);
}

/* Reads the "y-expression" of a line, over y, dy and the line's numbers. */
static void read_gradient(line *l, const char *text, int number) {
    nn__parse_fault fault;
    line other = *l;
    strcpy(other.symbols.names[0], "y");
    strcpy(other.symbols.names[1], "dy");
    other.symbols.count = 2;
    if (!compile(&other, text, l->gradient_code, &l->gradient, &fault))
        fail(number, text, fault.column, fault.text);
}

/* Takes " = default" out of the numbers of a line, so that only their names stay. */
static void read_defaults(line *l, char *names, int number) {
    char *from = names, *to = names;
    int count = 1;
    while (*from) {
        if (*from == ',') count++;
        if (*from != '=') {
            *to++ = *from++;
            continue;
        }
        const size_t length = strcspn(++from, ",");
        if (count > NN_PROGRAM_SCALARS || length >= sizeof l->default_text[0])
            fail(number, names, 0, "too many numbers, or too long a default");
        memcpy(l->default_text[count - 1], from, length);
        trim(l->default_text[count - 1]);
        l->defaults++;
        from += length;
    }
    *to = 0;
    if (l->defaults && l->defaults != count)
        fail(number, names, 0, "a default for each number, or for none");
}

static void read_line(const char *text, int number) {
    line *l = &lines[line_count];
    char names[200], *bar, gradient[200] = "";
    nn__parse_fault fault;
    nn__symbols numbers;
    if (line_count == LINES) fail(number, text, 0, "too many lines for this tool");
    memset(l, 0, sizeof *l);
    memset(&fault, 0, sizeof fault);
    if (strchr("+*", text[0]) && text[1] == ' ') {
        l->text_only = text[0] == '+';
        l->found = true;
        text += 2;
    }
    if (sscanf(text, "%27[a-z0-9_](%199[^)]) = %599[^;]; %199[^\n]", l->name, names, l->expression,
               l->doc) != 4)
        fail(number, text, 0, "expected name(inputs | numbers = defaults) = expression ; comment");
    if (strlen(l->name) > 27)
        fail(number, text, 0, "the name is longer than 27 bytes, more than nn__rule.name holds");
    if ((bar = strstr(l->expression, " : y")) !=
        NULL) { /* a condition's colon is never followed by y: no input has that name */
        strcpy(gradient, bar + 3);
        *bar = 0;
    }
    trim(l->expression);
    trim(gradient);
    l->symbols.find = find;
    bar = strchr(names, '|');
    if (bar) {
        *bar = 0;
        memset(&numbers, 0, sizeof numbers);
        read_defaults(l, bar + 1, number);
        if (!nn__parse_names(bar + 1, strlen(bar + 1), &numbers, &fault))
            fail(number, text, 0, fault.text);
        memcpy(l->symbols.scalars, numbers.names, sizeof numbers.names);
        l->symbols.scalar_count = numbers.count;
    }
    if (!nn__parse_names(names, strlen(names), &l->symbols, &fault))
        fail(number, text, 0, fault.text);
    if (!compile(l, l->expression, l->code, &l->program, &fault))
        fail(number, l->expression, fault.column, fault.text);
    if (gradient[0]) read_gradient(l, gradient, number);
    line_count++;
}

/* ---- what a line becomes --------------------------------------------------------------------- */

static void parameters(const line *l, const char *type, const char *prefix) {
    for (int i = 0; i < l->symbols.count; i++)
        printf(", %s *%s%s", type, prefix, l->symbols.names[i]);
}

static void numbers(const line *l) {
    if (l->defaults) {
        printf(", const nn_%s_desc *desc", l->name);
        return;
    }
    for (int i = 0; i < l->symbols.scalar_count; i++) printf(", float %s", l->symbols.scalars[i]);
}

static void heads(const line *l, int which, const char *end) {
    if (which == 0) {
        printf("NN_API nn_node *nn_%s_at(nn_site site, nn_model *net", l->name);
        parameters(l, "nn_node", "");
    } else {
        printf("NN_API nn_result nn_%s_%s_at(nn_site site", l->name,
               which == 1 ? "forward" : "backward");
        if (which == 1) printf(", nn_tensor *y");
        else parameters(l, "nn_tensor", "d"), printf(", const nn_tensor *dy");
        parameters(l, "const nn_tensor", "");
    }
    numbers(l);
    printf("%s)%s", which == 2 ? ", bool accumulate" : "", end);
}

/* Prints the struct of a line whose numbers have defaults. */
static void print_desc(const line *l) {
    printf("typedef struct nn_%s_desc {\n", l->name);
    for (int i = 0; i < l->defaults; i++) {
        printf("    float %s; /* default: %s", l->symbols.scalars[i], l->default_text[i]);
        printf("%s */\n", strcmp(l->default_text[i], "0") ? "; NN_NONE: 0" : "");
    }
    printf("} nn_%s_desc;\n", l->name);
}

static void print_header(void) {
    printf("/* ops/table.h - operations element by element, made by tools/table.c from "
           "ops/table.txt. */\n#pragma once\n\n"
           "#include \"graph/model.h\"\n#include \"tensor/tensor.h\"\n\n"
           "/* Each line below is a builder and two immediate calls. Inputs are broadcast as in "
           "NumPy: aligned at their last\n"
           "   extents, an extent of 1 stretches; in backward all tensors have y's shape, and a "
           "gradient that is NULL is skipped. */\n");
    for (int i = 0; i < line_count; i++) {
        const line *l = &lines[i];
        if (l->text_only) continue;
        if (strlen(l->expression) < LONG) printf("\n/* y = %s. %s */\n", l->expression, l->doc);
        else printf("\n/* %s */\n", l->doc);
        if (l->defaults) print_desc(l);
        heads(l, 0, ";\n");
        printf("#define nn_%s(...) nn_%s_at(NN_HERE, __VA_ARGS__)\n", l->name, l->name);
        heads(l, 1, ";\n");
        printf("#define nn_%s_forward(...) nn_%s_forward_at(NN_HERE, __VA_ARGS__)\n", l->name,
               l->name);
        printf("#ifndef NN_NO_TRAINING\n");
        heads(l, 2, ";\n");
        printf("#define nn_%s_backward(...) nn_%s_backward_at(NN_HERE, __VA_ARGS__)\n#endif\n",
               l->name, l->name);
    }
}

static void number_text(float value) {
    if (value != value) printf("NN__NAN");
    else if (value > 3.4e38f) printf("NN__INFINITY");
    else if (value < -3.4e38f) printf("-1e38f * 1e38f"); /* to tcc -(a) is no constant */
    else {
        char text[40];
        sprintf(text, "%.9g", (double)value);
        printf("%s%sf", text, strpbrk(text, ".e") ? "" : ".0");
    }
}

static void print_upper(const char *name) {
    for (; *name; name++) putchar(*name >= 'a' && *name <= 'z' ? *name - 32 : *name);
}

static void print_code(const line *l, const char *part, const nn_program *program) {
    printf("static const nn_instruction nn__op_%s_%s[] = {", l->name, part);
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *x = &program->code[i];
        const char *name = nn__instruction_name(x->code, true);
        printf("%s", i ? ", " : "");
        if (x->code == NN_CODE_CONSTANT) {
            printf("NN__V(");
            number_text(x->value);
        } else {
            printf("NN__I(");
            print_upper(strncmp(name, "logical_", 8) == 0 ? name + 8 : name);
            printf(", %d, %d, %d", x->a, x->b, x->c);
        }
        printf(")");
    }
    printf("};\n");
}

/* Prints count, inputs, numbers, output. */
static void print_counts(const nn_program *program) {
    printf("%d, %d, %d, %d", program->count, program->input_count, program->scalar_count,
           program->output[0]);
}

/* True if it can be the epilogue of the operation before it. */
static bool is_activation(const line *l) {
    static const char *const names[] = {"relu", "sigmoid", "tanh", "gelu", "relu6"};
    for (int i = 0; i < 5; i++)
        if (strcmp(l->name, names[i]) == 0) return true;
    return false;
}

static void print_install(const line *l) {
    bool done[NN_INSTRUCTION_COUNT] = {false};
    printf("static void nn__op_%s_install(nn_context *nn) {\n    nn__install_program%s(nn);\n",
           l->name, l->program.input_count > 1 ? "_general" : "");
    for (int i = 0; i < l->program.count; i++) {
        int code = l->program.code[i].code;
        if (code == NN_CODE_INPUT || code == NN_CODE_SCALAR || code == NN_CODE_CONSTANT ||
            done[code])
            continue;
        done[code] = true;
        printf("    nn__install_code_%s(nn);\n", nn__instruction_name(code, true));
    }
    if (is_activation(l)) printf("    nn__install_%s(nn);\n", l->name); /* the epilogue's */
    if (strcmp(l->name, "add") == 0) printf("    nn__install_residual(nn);\n"); /* likewise */
    printf("}\n");
}

/* Prints "_a_b" for the inputs a and b. */
static void print_roles(const line *l) {
    for (int i = 0; i < l->symbols.count; i++) printf("_%s", l->symbols.names[i]);
}

/* Lines whose inputs have the same names share the list of them. */
static void print_role_lists(void) {
    for (int i = 0; i < line_count; i++) {
        const line *l = &lines[i];
        bool first = true;
        for (int j = 0; j < i; j++)
            first &= memcmp(lines[j].symbols.names, l->symbols.names, sizeof l->symbols.names) != 0;
        if (!first) continue;
        printf("static const char *const nn__roles");
        print_roles(l);
        printf("[] = {");
        for (int k = 0; k < l->symbols.count; k++)
            printf("%s\"%s\"", k ? ", " : "", l->symbols.names[k]);
        printf("};\n");
    }
}

/* ---- builders and calls: one body for lines of equally many inputs and numbers --------------- */

/* Prints ", type a, type b, float p", or without types. */
static void letters(int inputs, int scalars, const char *type, const char *prefix,
                    const char *number) {
    for (int i = 0; i < inputs; i++) printf(", %s%s%c", type, prefix, 'a' + i);
    for (int i = 0; i < scalars; i++) printf(", %s%c", number, 'p' + i);
}

static void print_list(int count, const char *type, const char *name, const char *prefix,
                       char first) {
    if (count == 0) return;
    printf("    %s%s[%d];\n", type, name, count);
    for (int i = 0; i < count; i++)
        printf("    %s[%d] = %s%c;\n", name, i, prefix, (char)(first + i));
}

static void print_body(int which, int inputs, int scalars) {
    static const char *const names[] = {"node", "forward", "backward"};
    static const char *const types[] = {"nn_node *", "const nn_tensor *", "const nn_tensor *"};
    printf("static NN__APART nn_%snn__line_%s_%d_%d(nn_site site", which == 0 ? "node *" : "result ",
           names[which], inputs, scalars);
    printf(which == 0 ? ", nn_model *net" : which == 1 ? ", nn_tensor *y" : "");
    if (which == 2) letters(inputs, 0, "nn_tensor *", "d", ""), printf(", const nn_tensor *dy");
    letters(inputs, scalars, types[which], "", "float ");
    printf("%s, const nn__line *line) {\n", which == 2 ? ", bool accumulate" : "");
    if (which == 2) print_list(inputs, "nn_tensor *", "gradients", "d", 'a');
    print_list(inputs, types[which], "inputs", "", 'a');
    print_list(scalars, "float ", "numbers", "", 'p');
    printf("    return nn__op_line_%s(site, %sline, %sinputs, %s%s);\n}\n", names[which],
           which == 0 ? "net, " : "", which == 0 ? "" : which == 1 ? "y, " : "gradients, dy, ",
           scalars ? "numbers" : "NULL", which == 2 ? ", accumulate" : "");
}

/* Writes one of the functions of a line, inside a macro. desc: its numbers are in a desc. */
static void print_wrapper(int which, int inputs, int scalars, bool desc) {
    static const char *const names[] = {"node", "forward", "backward"};
    static const char *const ends[] = {"", "_forward", "_backward"};
    const int given = desc ? 0 : scalars;
    printf("    NN_API nn_%snn_##name##%s_at(nn_site site", which == 0 ? "node *" : "result ",
           ends[which]);
    printf(which == 0 ? ", nn_model *net" : which == 1 ? ", nn_tensor *y" : "");
    if (which == 2) letters(inputs, 0, "nn_tensor *", "d", ""), printf(", const nn_tensor *dy");
    letters(inputs, given, which == 0 ? "nn_node *" : "const nn_tensor *", "", "float ");
    printf("%s%s) { \\\n", desc ? ", const nn_##name##_desc *desc" : "",
           which == 2 ? ", bool accumulate" : "");
    if (desc)
        printf("        float numbers[%d]; \\\n        nn__op_desc_numbers(numbers, desc ? (const "
               "void *)desc : NULL, nn__defaults_##name, %d); \\\n", scalars, scalars);
    printf("        return nn__line_%s_%d_%d(site%s", names[which], inputs, scalars,
           which == 0 ? ", net" : which == 1 ? ", y" : "");
    if (which == 2) letters(inputs, 0, "", "d", ""), printf(", dy");
    letters(inputs, given, "", "", "");
    for (int i = 0; desc && i < scalars; i++) printf(", numbers[%d]", i);
    printf("%s, &nn__line_##name); \\\n    }", which == 2 ? ", accumulate" : "");
}

static void print_macros(int inputs, int scalars, bool desc) {
    for (int training = 1; training >= 0; training--) {
        printf("%s#define NN__LINE_%d_%d%s(name) \\\n",
               training ? "#ifndef NN_NO_TRAINING\n" : "#else\n", inputs, scalars,
               desc ? "_DESC" : "");
        for (int which = 0; which <= 1 + training; which++) {
            print_wrapper(which, inputs, scalars, desc);
            printf(which <= training ? " \\\n" : "\n");
        }
    }
    printf("#endif\n");
}

static void print_kind(int inputs, int scalars) {
    bool plain = false, desc = false;
    for (int i = 0; i < line_count; i++) {
        const line *l = &lines[i];
        if (l->text_only || l->symbols.count != inputs || l->symbols.scalar_count != scalars)
            continue;
        plain |= !l->defaults;
        desc |= l->defaults > 0;
    }
    printf("\n/* ---- lines of %d inputs and %d numbers */\n\n", inputs, scalars);
    print_body(0, inputs, scalars);
    print_body(1, inputs, scalars);
    printf("#ifndef NN_NO_TRAINING\n");
    print_body(2, inputs, scalars);
    printf("#endif\n");
    if (plain) print_macros(inputs, scalars, false);
    if (desc) print_macros(inputs, scalars, true);
}

static void print_kinds(void) {
    for (int i = 0; i < line_count; i++) {
        bool first = !lines[i].text_only;
        for (int j = 0; j < i; j++)
            first &= lines[j].text_only || lines[j].symbols.count != lines[i].symbols.count ||
                     lines[j].symbols.scalar_count != lines[i].symbols.scalar_count;
        if (first) print_kind(lines[i].symbols.count, lines[i].symbols.scalar_count);
    }
}

/* Writes a number, or the name of one. */
static void print_default(const char *text, int i) {
    const bool name = strpbrk(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;
    printf("%s", i ? ", " : "");
    if (name) printf("%s", text);
    else number_text((float)atof(text));
}

static void print_line(const line *l) {
    printf("\n/* ---- %s */\n\n", l->name);
    print_code(l, "code", &l->program);
    if (l->gradient.count) {
        printf("#ifndef NN_NO_TRAINING\n");
        print_code(l, "gradient", &l->gradient);
        printf("#endif\n");
    }
    print_install(l);
    printf("static const nn__line nn__line_%s = {\n    NN__LINE_RULE(\"%s\", NN_ACTIVATION_", l->name,
           l->name);
    print_upper(is_activation(l) ? l->name : "none");
    printf(", nn__op_%s_infer),\n    {nn__op_%s_code, NN__N(", l->symbols.count == 1 ? "unary" : "program",
           l->name);
    print_counts(&l->program);
    printf(")}, nn__roles");
    print_roles(l);
    printf(", nn__op_%s_install", l->name);
    if (l->gradient.count) {
        printf(" NN__SLOPE(nn__op_%s_gradient, ", l->name);
        print_counts(&l->gradient);
        printf(")};\n");
    } else printf(" NN__NO_SLOPE};\n");
    if (l->found)
        printf("NN_PRIVATE const nn__line *nn__table_%s(void) {\n    return &nn__line_%s;\n}\n",
               l->name, l->name);
    if (l->text_only) return;
    if (l->defaults) {
        printf("static const float nn__defaults_%s[] = {", l->name);
        for (int i = 0; i < l->defaults; i++) print_default(l->default_text[i], i);
        printf("};\n");
    }
    printf("NN__LINE_%d_%d%s(%s)\n", l->symbols.count, l->symbols.scalar_count,
           l->defaults ? "_DESC" : "", l->name);
}

static void print_source(void) {
    printf("/* ops/table.c - the programs, builders and calls of ops/table.txt, made by "
           "tools/table.c. */\n"
           "#include \"ops/program.h\"\n#include \"ops/table.h\"\n\n#include <float.h>\n#include "
           "<math.h>\n\n"
           "/* NN__I: an instruction. NN__V: a constant. NN__N: a program's counts of "
           "instructions,\n   inputs and numbers, and its output. NN__SLOPE, NN__NO_SLOPE: the "
           "gradient of a line. */\n"
           "#define NN__I(code, a, b, c) {NN_CODE_##code, a, b, c, 0.0f}\n"
           "#define NN__V(value) {NN_CODE_CONSTANT, 0, 0, 0, value}\n"
           "#define NN__N(count, inputs, numbers, output) count, inputs, 1, numbers, {output}\n"
           "#ifdef NN_NO_TRAINING\n"
           "#define NN__NO_SLOPE\n#define NN__SLOPE(code, count, inputs, numbers, output)\n"
           "#else\n"
           "#define NN__NO_SLOPE , {NULL, 0, 0, 0, 0, {0}}\n"
           "#define NN__SLOPE(code, count, inputs, numbers, output) \\\n"
           "    , {code, NN__N(count, inputs, numbers, output)}\n"
           "#endif\n\n");
    print_role_lists();
    print_kinds();
    for (int i = 0; i < line_count; i++) print_line(&lines[i]);
    printf("\n#undef NN__I\n#undef NN__V\n#undef NN__N\n#undef NN__SLOPE\n#undef NN__NO_SLOPE\n");
    printf("\n/* Every line, for nn_expression and for tests. */\nNN_PRIVATE const nn__line "
           "*nn__find_line(int i) {\n"
           "    static const nn__line *const lines[] = {");
    for (int i = 0; i < line_count; i++)
        printf("%s&nn__line_%s", i ? ",\n        " : "\n        ", lines[i].name);
    printf("};\n    return i >= 0 && i < NN__COUNT(lines) ? lines[i] : NULL;\n}\n");
}

int main(int argc, char **argv) {
    char text[1000];
    FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;
    int number = 0, comment = 0;
    if (!file) {
        fprintf(stderr, "usage: table h|c src/ops/table.txt\n");
        return 1;
    }
    while (fgets(text, sizeof text, file)) {
        number++;
        if (strncmp(text, "/*", 2) == 0) comment = 1;
        if (!comment && text[0] != '\n') read_line(text, number);
        if (strstr(text, "*/")) comment = 0;
    }
    fclose(file);
    if (argv[1][0] == 'h') print_header();
    else print_source();
    return 0;
}
