/* tools/optimizers.c - makes the optimizers of src/ops/optimizers.txt: a program, the names of the
   states and a function of the step's numbers for each line, as constant tables.

     optimizers c src/ops/optimizers.txt > build/gen/ops/optimizers.c
     optimizers h src/ops/optimizers.txt > build/gen/kernels/optimizers.h

   The header has the same programs as lists of C, for kernels/pointwise/cpu_recipes.c.

   The formulas are read by the library's own parser; the numbers become C. */
#include "base/memory.c"
#include "base/writer.c"
#include "program/draft.c"
#include "program/parse.c"

#include <stdio.h>
#include <stdlib.h>

#define LINES   40
#define WORDS   24 /* of each kind, in one line */
#define NAME    32
#define BYTES   1200

/* The fields of nn__recipe_values, in ops/recipe.h. */
static const char *const fields[] = {
    "rate", "momentum", "dampening", "nesterov", "beta1", "beta2", "alpha", "rho", "epsilon",
    "rate_decay", "momentum_decay", "initial_accumulator_value", "amsgrad", "centered", "t",
    "mu_product", "lambd", "t0", "etaminus", "etaplus", "step_size_min", "step_size_max"};

typedef struct line {
    char names[BYTES], flags[BYTES], start[WORDS][NAME], number_text[WORDS][BYTES];
    char variable[WORDS][NAME]; /* p, g, states, further inputs; then what formulas name */
    int place[WORDS], variables, states, inputs;
    char number[WORDS][NAME];
    int numbers; /* with text; after them fields that formulas read */
    char scalar[NN_PROGRAM_SCALARS][NAME];
    int scalars;
    nn__draft draft;
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn_program program;
} line;

static line lines[LINES];
static int line_count, line_number;

static void fail(const char *text, const char *why) {
    fprintf(stderr, "optimizers.txt:%d: %s: %s\n", line_number, why, text);
    exit(1);
}

static char *trim(char *text) {
    size_t n;
    text += strspn(text, " \n");
    for (n = strlen(text); n && strchr(" \n", text[n - 1]); n--) text[n - 1] = 0;
    return text;
}

/* Returns the next piece before a comma that is in no brackets; NULL: none is left. */
static char *piece(char **at) {
    char *start = *at, *c;
    int depth = 0;
    if (!start || !*trim(start)) return NULL;
    for (c = start; *c && (*c != ',' || depth); c++) depth += (*c == '(') - (*c == ')');
    *at = *c ? c + 1 : NULL;
    *c = 0;
    return trim(start);
}

static int find(char (*names)[NAME], int count, const char *name, size_t length) {
    for (int i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) return i;
    return -1;
}

static int is_field(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strlen(fields[i]) == length && memcmp(fields[i], name, length) == 0) return 1;
    return 0;
}

static void copy_name(char *to, const char *from, size_t length) {
    if (length >= NAME) fail(from, "the name is too long");
    memcpy(to, from, length);
    to[length] = 0;
}

/* Splits "name = value"; NULL where there is no value. */
static char *split(char *text) {
    char *equals = strchr(text, '=');
    if (!equals) return NULL;
    *equals = 0;
    trim(text);
    return trim(equals + 1);
}

static int add_variable(line *l, const char *name) {
    int at = find(l->variable, l->variables, name, strlen(name));
    if (at >= 0) return at;
    if (l->variables == WORDS) fail(name, "too many names");
    copy_name(l->variable[l->variables], name, strlen(name));
    return l->variables++;
}

static void read_states(line *l, char *text) {
    char *extra = strchr(text, ';'), *at;
    if (extra) *extra++ = 0;
    add_variable(l, "p");
    add_variable(l, "g");
    while ((at = piece(&text)) != NULL) {
        char *start = split(at);
        copy_name(l->start[l->states], start ? start : "", start ? strlen(start) : 0);
        add_variable(l, trim(at));
        l->states++;
    }
    while (extra && (at = piece(&extra)) != NULL) add_variable(l, at);
    l->inputs = l->variables;
    if (l->states > 3) fail(l->names, "a parameter has three states at most");
    for (int i = 0; i < l->inputs; i++) l->place[i] = nn__draft_input(&l->draft, i);
}

static void read_numbers(line *l, char *text) {
    char *at;
    while ((at = piece(&text)) != NULL) {
        char *value = split(at);
        if (!value || l->numbers == WORDS) fail(at, "expected number = value");
        copy_name(l->number[l->numbers], trim(at), strlen(trim(at)));
        strcpy(l->number_text[l->numbers++], value);
    }
}

/* Returns the scalar that stands for a number or a field. */
static int scalar_of(line *l, const char *name, size_t length) {
    int at = find(l->scalar, l->scalars, name, length);
    if (at >= 0) return at;
    if (l->scalars == NN_PROGRAM_SCALARS) fail(name, "too many numbers");
    copy_name(l->scalar[l->scalars], name, length);
    return l->scalars++;
}

static void read_formula(line *l, char *text) {
    char *value = split(text);
    nn__symbols symbols;
    nn__parse_fault fault;
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn_program program;
    nn__draft draft;
    uint8_t used_inputs[NN_PROGRAM_INPUTS], used_scalars[NN_PROGRAM_SCALARS];
    int inputs[NN_PROGRAM_INPUTS], scalars[NN_PROGRAM_SCALARS], result;
    int variable[NN_PROGRAM_INPUTS], scalar[NN_PROGRAM_SCALARS];
    if (!value) fail(text, "expected name = formula");
    memset(&symbols, 0, sizeof symbols);
    memset(&fault, 0, sizeof fault);
    for (const char *c = value; *c; c++) {
        size_t length = nn__parse_word(c);
        int at = find(l->variable, l->variables, c, length);
        if (length == 0) continue;
        if (at >= 0 && find(symbols.names, symbols.count, c, length) < 0) {
            variable[symbols.count] = at;
            copy_name(symbols.names[symbols.count++], c, length);
        } else if (at < 0 && (find(l->number, l->numbers, c, length) >= 0 || is_field(c, length)) &&
                   find(symbols.scalars, symbols.scalar_count, c, length) < 0) {
            scalar[symbols.scalar_count] = scalar_of(l, c, length);
            copy_name(symbols.scalars[symbols.scalar_count++], c, length);
        }
        c += length - 1;
    }
    if (!nn__parse_program(value, &symbols, &draft, &fault)) fail(value, fault.text);
    if (!nn__draft_finish(&draft, code, &program, used_inputs, used_scalars))
        fail(value, "the formula is too long");
    for (int i = 0; i < program.input_count; i++)
        inputs[i] = l->place[variable[used_inputs[i]]];
    for (int i = 0; i < program.scalar_count; i++)
        scalars[i] = nn__draft_scalar(&l->draft, scalar[used_scalars[i]]);
    if (!nn__draft_merge(&l->draft, &program, inputs, scalars, &result))
        fail(value, "the line is too long");
    l->place[add_variable(l, trim(text))] = result;
}

static void read_line(char *text) {
    line *l = &lines[line_count++];
    char *bar = strchr(text, '|'), *colon, *at, *end;
    if (line_count == LINES) fail(text, "too many lines for this tool");
    if (!bar) fail(text, "expected NAME [flags] states | numbers : formulas");
    *bar++ = 0;
    nn__draft_begin(&l->draft);
    at = trim(text);
    end = at + strcspn(at, " ");
    copy_name(l->names, at, (size_t)(end - at));
    at = trim(end);
    if (*at == '[') {
        end = strchr(at, ']');
        copy_name(l->flags, at + 1, (size_t)(end - at - 1));
        at = end + 1;
    }
    read_states(l, at);
    /* the colon before the formulas is followed by "name =", that of a condition is not */
    for (colon = bar; colon; colon = strchr(colon + 1, ':')) {
        if (*colon != ':') continue;
        at = colon + 1 + strspn(colon + 1, " ");
        at += nn__parse_word(at);
        if (nn__parse_word(colon + 1 + strspn(colon + 1, " ")) && strncmp(at, " = ", 3) == 0) break;
    }
    if (!colon) fail(bar, "expected : before the formulas");
    *colon++ = 0;
    read_numbers(l, bar);
    while ((at = piece(&colon)) != NULL) read_formula(l, at);
    nn__draft_output(&l->draft, l->place[0]);
    for (int i = 0; i < l->states; i++) nn__draft_output(&l->draft, l->place[2 + i]);
}

/* Inputs and scalars keep their numbers, whatever is read first. */
static void finish(line *l) {
    uint8_t inputs[NN_PROGRAM_INPUTS], scalars[NN_PROGRAM_SCALARS];
    if (!nn__draft_finish(&l->draft, l->code, &l->program, inputs, scalars))
        fail(l->names, "beyond the limits of a program");
    for (int i = 0; i < l->program.count; i++) {
        nn_instruction *x = &l->code[i];
        if (x->code == NN_CODE_INPUT) x->a = inputs[x->a];
        if (x->code == NN_CODE_SCALAR) x->a = scalars[x->a];
    }
    l->program.input_count = (uint8_t)l->inputs;
    l->program.scalar_count = (uint8_t)l->scalars;
}

/* ---- what a line becomes --------------------------------------------------------------------- */

static const char *upper_name(int code, char *to) {
    const char *name = nn__instruction_name(code, true);
    size_t i = 0;
    for (; name[i] && i < NAME - 1; i++)
        to[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 32 : name[i]);
    to[i] = 0;
    return to;
}

static void print_code(const line *l, int k) {
    char name[NAME];
    printf("static const nn_instruction nn__recipe_code_%d[] = {", k);
    for (int i = 0; i < l->program.count; i++) {
        const nn_instruction *x = &l->code[i];
        printf("%s{NN_CODE_%s, %d, %d, %d, %.9g%sf}", i ? ",\n    " : "\n    ",
               upper_name(x->code, name), x->a, x->b, x->c, (double)x->value,
               x->value == (float)(int)x->value ? ".0" : "");
    }
    printf("};\n");
}

/* Writes C, with v-> before fields. */
static void print_number(line *l, int count, const char *text) {
    while (*text) {
        size_t length = nn__parse_word(text);
        int number = find(l->number, count, text, length);
        if (length && number < 0 && is_field(text, length)) printf("v->");
        if (length == 3 && strncmp(text, "pow", 3) == 0) printf("nn__"); /* base/functions.h */
        printf("%.*s", (int)(length ? length : 1), text);
        text += length ? length : 1;
        if (!length && nn__parse_is_digit(text[-1])) /* 1e6 is one word */
            while (nn__parse_is_letter(*text)) putchar(*text++);
    }
}

static void print_numbers(line *l, int k) {
    printf("static void nn__recipe_numbers_%d(const nn__recipe_values *v, float *to) {\n", k);
    for (int i = 0; i < l->numbers; i++) {
        printf("    const double %s = ", l->number[i]);
        print_number(l, i, l->number_text[i]);
        printf(";\n");
    }
    for (int i = 0; i < l->scalars; i++)
        printf("    to[%d] = (float)%s%s;\n", i,
               find(l->number, l->numbers, l->scalar[i], strlen(l->scalar[i])) < 0 ? "v->" : "",
               l->scalar[i]);
    printf("}\n");
}

static void print_fits(const line *l, int k) {
    char names[BYTES], *at, *rest = names, flags[BYTES];
    printf("static bool nn__recipe_fits_%d(nn_optimizer o, const nn__recipe_values *v) {\n"
           "    (void)v;\n    return (", k);
    strcpy(names, l->names);
    for (int i = 0; (at = piece(&rest)) != NULL; i++) printf("%so == NN_%s", i ? " || " : "", at);
    printf(")");
    strcpy(flags, l->flags);
    for (at = strtok(flags, " "); at; at = strtok(NULL, " ")) printf(" && v->%s != 0.0", at);
    printf(";\n}\n");
}

static int starts(const line *l) {
    for (int i = 0; i < l->states; i++)
        if (l->start[i][0]) return 1;
    return 0;
}

static void print_starts(const line *l, int k) {
    if (!starts(l)) return;
    printf("static float nn__recipe_start_%d(int state, const nn__recipe_values *v) {\n", k);
    for (int i = 0; i < l->states; i++)
        if (l->start[i][0])
            printf("    if (state == %d) return (float)v->%s;\n", i, l->start[i]);
    printf("    return 0.0f;\n}\n");
}

static void print_install(const line *l, int k) {
    bool done[NN_INSTRUCTION_COUNT] = {false};
    printf("static void nn__recipe_install_%d(nn_context *nn) {\n    nn__install_program(nn);\n",
           k);
    for (int i = 0; i < l->program.count; i++) {
        int code = l->program.code[i].code;
        if (code <= NN_CODE_CONSTANT || done[code]) continue;
        done[code] = true;
        printf("    nn__install_code_%s(nn);\n", nn__instruction_name(code, true));
    }
    printf("}\n");
}

static void print_entry(const line *l, int k) {
    printf("%s    {{nn__recipe_code_%d, %d, %d, %d, %d, {%d, %d, %d, %d}},\n     {", k ? ",\n" : "",
           k, l->program.count, l->program.input_count, l->program.output_count,
           l->program.scalar_count, l->program.output[0], l->program.output[1],
           l->program.output[2], l->program.output[3]);
    for (int i = 0; i < 3; i++)
        printf("%s\"%s%s\"", i ? ", " : "", i < l->states ? "." : "",
               i < l->states ? l->variable[2 + i] : "");
    printf("}, %d, %d, nn__recipe_fits_%d, nn__recipe_numbers_%d,\n     ", l->states, k, k, k);
    if (starts(l)) printf("nn__recipe_start_%d", k);
    else printf("NULL");
    printf(", nn__recipe_install_%d}", k);
}

/* Writes as many words in a line as fit. */
static void print_list(const line *l, int k) {
    char word[80], name[NAME];
    int column = 100;
    printf("/* %s%s%s%s */\n#define NN__RECIPE_%d_NUMBERS(D)", l->names, l->flags[0] ? " [" : "",
           l->flags, l->flags[0] ? "]" : "", k);
    for (int i = 0; i < l->program.scalar_count; i++) printf(" D(%d)", i);
    printf("\n#define NN__RECIPE_%d(X, N, S, C)", k);
    for (int i = 0; i < l->program.count; i++) {
        const nn_instruction *x = &l->code[i];
        const char leaf = x->code == NN_CODE_INPUT ? 'N' : 'S';
        if (x->code < NN_CODE_CONSTANT)
            snprintf(word, sizeof word, "%c(%d, %d)", leaf, i, x->a);
        else if (x->code == NN_CODE_CONSTANT)
            snprintf(word, sizeof word, "C(%d, %.9g%sf)", i, (double)x->value,
                     x->value == (float)(int)x->value ? ".0" : "");
        else
            snprintf(word, sizeof word, "X(%d, %s, %d, %d, %d)", i, upper_name(x->code, name), x->a,
                     x->b, x->c);
        if (column + strlen(word) > 96) column = printf(" \\\n   ") - 3;
        column += printf(" %s", word);
    }
    printf("\n");
}

static void print_header(void) {
    printf("/* kernels/optimizers.h - the programs of ops/optimizers.txt as lists, made by\n"
           "   tools/optimizers.c. N(k, n): value k is input n, S(k, n): number n, C(k, value): a\n"
           "   constant, X(k, CODE, a, b, c): an instruction of the values a, b and c. D: each\n"
           "   number. R: each program, its inputs and outputs, and the values that are these. */\n"
           "#pragma once\n\n");
    for (int k = 0; k < line_count; k++) print_list(&lines[k], k);
    printf("#define NN__RECIPES(R)");
    for (int k = 0; k < line_count; k++) {
        const nn_program *p = &lines[k].program;
        printf(" \\\n    R(%d, %d, %d, %d, %d, %d, %d)", k, p->input_count, p->output_count,
               p->output[0], p->output[1], p->output[2], p->output[3]);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    static char text[4000];
    FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;
    int comment = 0;
    if (!file) {
        fprintf(stderr, "usage: optimizers c|h src/ops/optimizers.txt\n");
        return 1;
    }
    while (fgets(text, sizeof text, file)) {
        line_number++;
        if (strncmp(text, "/*", 2) == 0) comment = 1;
        if (!comment && text[0] != '\n') read_line(text);
        if (strstr(text, "*/")) comment = 0;
    }
    fclose(file);
    for (int k = 0; k < line_count; k++) finish(&lines[k]);
    if (*argv[1] == 'h') {
        print_header();
        return 0;
    }
    printf("/* ops/optimizers.c - the programs of ops/optimizers.txt, made by tools/optimizers.c. */\n"
           "#include \"base/functions.h\"\n#include \"ops/recipe.h\"\n\n#ifndef NN__NO_TRAINER\n\n#include <math.h>\n");
    for (int k = 0; k < line_count; k++) {
        line *l = &lines[k];
        printf("\n/* ---- %s%s%s%s */\n\n", l->names, l->flags[0] ? " [" : "", l->flags,
               l->flags[0] ? "]" : "");
        print_code(l, k);
        print_fits(l, k);
        print_numbers(l, k);
        print_starts(l, k);
        print_install(l, k);
    }
    printf("\nstatic const nn__recipe nn__recipes[] = {\n");
    for (int k = 0; k < line_count; k++) print_entry(&lines[k], k);
    printf("};\n\nNN_PRIVATE const nn__recipe *nn__find_recipe(nn_optimizer optimizer,\n"
           "    const nn__recipe_values *values) {\n"
           "    for (int i = 0; i < NN__COUNT(nn__recipes); i++)\n"
           "        if (nn__recipes[i].fits(optimizer, values)) return &nn__recipes[i];\n"
           "    return NULL;\n}\n\n#endif /* NN__NO_TRAINER */\n\n"
           "typedef int nn__optimizers_part; /* a part must not be empty under NN__NO_TRAINER */\n");
    return 0;
}
