/* ops/expression.c - nodes and immediate calls from text. It binds names to inputs;
   program/parse.c parses the text. */
#include "ops/expression.h"
#include "ops/program.h"

/* A text and everything that is made from it. */
typedef struct nn__expression {
    nn__symbols symbols;
    nn__draft draft;
    nn__parse_fault fault;
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn_program program;
    uint8_t inputs[NN_PROGRAM_INPUTS], scalars[NN_PROGRAM_SCALARS];
} nn__expression;

static const nn__rule nn__rule_expression =
    NN__LINE_RULE("expression", NN_ACTIVATION_NONE, nn__op_program_infer);
static const nn__rule nn__rule_random_expression = {
    "expression",         NN_KERNEL_POINTWISE,  NN__IN_PLACE | NN__DYNAMIC | NN__ANY_DTYPE,
    NN_ACTIVATION_NONE,   nn__op_program_lower, NN__GRADIENT(nn__op_program_gradient),
    nn__op_program_flops, nn__op_program_infer, NULL};

static const nn_program *nn__expression_find(void *user, const char *name, size_t length) {
    const nn__line *line;
    (void)user;
    for (int i = 0; (line = nn__find_line(i)) != NULL; i++)
        if (strlen(line->rule.name) == length && memcmp(line->rule.name, name, length) == 0)
            return &line->program;
    return NULL;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Prints the text around a column with a caret below it, indented like the lines of a fault. */
static const char *nn__expression_show(const char *text, int column, char *out, size_t size) {
    int length = (int)strlen(text), first = column > 56 ? column - 40 : 1, shown;
    char line[80];
    shown = length - first + 1 < 72 ? length - first + 1 : 72;
    for (int i = 0; i < shown; i++) {
        char c = text[first - 1 + i];
        line[i] = (unsigned char)c < ' ' ? ' ' : c;
    }
    line[shown > 0 ? shown : 0] = 0;
    nn__explain(out, size, "\n       %s\n       %*s^", line, column - first, "");
    return out;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Skips `skip` arguments in the source text of a call and returns the rest; NULL: there is none. */
static const char *nn__expression_arguments(const char *spelled, int skip) {
    int depth = 0;
    char quote = 0;
    for (; spelled && *spelled; spelled++) {
        char c = *spelled;
        if (quote) {
            if (c == '\\' && spelled[1])
                spelled++;
            else if (c == quote)
                quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            depth--;
        } else if (c == ',' && depth == 0 && --skip == 0) {
            return spelled + 1 + strspn(spelled + 1, " ");
        }
    }
    return NULL;
}

/* Parses the text. It must name as many inputs as were given (`count`). False: see `problem`. */
static bool nn__expression_read(nn__expression *e, const char *text, const char *names, int count,
                                nn__problem *problem) {
    char shown[160];
    nn__parse_fault names_fault;
    bool named;
    memset(&names_fault, 0, sizeof names_fault);
    if (!text)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("give an expression: \"x^2\""),
                               NN__TEXT("the text is NULL"));
    named = e->symbols.count > 0 || !names ||
            nn__parse_names(names, strlen(names), &e->symbols, &names_fault);
    if (!named) e->symbols.count = 0;
    e->symbols.find = nn__expression_find;
    if (!nn__parse_program(text, &e->symbols, &e->draft, &e->fault)) {
        if (!named && e->symbols.count == 0)
            return nn__problem_set(
                problem, NN_ERROR_ARGUMENT,
                NN__TEXT("name the inputs in the text: \"x, t: (x - t)^2\""),
                NN__TEXT("not every input of the call is a variable with a name: %s"), names);
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("mend the expression where ^ points"),
                               NN__TEXT("column %d: %s%s"), e->fault.column, e->fault.text,
                               nn__expression_show(text, e->fault.column, shown, sizeof shown));
    }
    if (count != e->symbols.count)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("give one input for each name"),
                               NN__TEXT("the expression has %d names and %d inputs"),
                               e->symbols.count, count);
    if (!nn__draft_finish(&e->draft, e->code, &e->program, e->inputs, e->scalars))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("write it as two expressions"),
                               NN__TEXT("it is longer than the %d instructions of a program"),
                               NN_PROGRAM_LENGTH);
    if (e->program.input_count > 0) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("use an input: it gives the shape"),
                           NN__TEXT("the expression reads no input"));
}

/* Names the inputs as the text does. False: no memory for copies of the names. arena: NULL, or
   where the copies go. */
static bool nn__expression_roles(nn__arena *arena, const nn__expression *e, const char **roles) {
    for (int i = 0; i < e->program.input_count; i++) {
        const char *name = e->symbols.names[e->inputs[i]];
        roles[i] = arena ? nn__arena_text(arena, name) : name;
        if (!roles[i]) return false;
    }
    return true;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static nn_node *nn__expression_node(nn_site site, nn_model *net, nn__expression *e,
                                    const char *name, nn_node *const *given, int count,
                                    const float *numbers, const char *text, const char *names) {
    nn_node *inputs[NN_PROGRAM_INPUTS];
    nn__program_params params;
    nn__problem problem;
    memset(&problem, 0, sizeof problem);
    if (!nn__expression_read(e, text, names, count, &problem))
        return nn__poison_problem(net, site, "expression", name, NULL, NULL, 0, &problem);
    const char **roles = (const char **)nn__arena_take(
        &net->graph.arena, sizeof(const char *) * (size_t)e->program.input_count);
    nn_instruction *code = (nn_instruction *)nn__arena_take(
        &net->graph.arena, sizeof(nn_instruction) * e->program.count);
    if (!roles || !code || !nn__expression_roles(&net->graph.arena, e, roles))
        return nn__poison_memory(net, "nn_expression", sizeof(nn_instruction) * e->program.count);
    for (int i = 0; i < e->program.input_count; i++) inputs[i] = given[e->inputs[i]];
    memcpy(code, e->code, sizeof(nn_instruction) * e->program.count);
    memset(&params, 0, sizeof params);
    params.program = e->program;
    params.program.code = code;
    for (int i = 0; i < e->program.scalar_count; i++) params.scalars[i] = numbers[e->scalars[i]];
    bool random = nn__program_is_random(&params.program);
    if (random) params.stream = net->streams++;
    return nn__build(site, net, random ? &nn__rule_random_expression : &nn__rule_expression,
                     nn__install_pointwise, name, inputs, roles, params.program.input_count,
                     &params, NN__PROGRAM_PARAMS_BYTES(&params));
}

#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
NN_PRIVATE bool nn__own_program(nn_node *node) {
    nn__program_params *params = (nn__program_params *)node->params;
    nn__arena *arena = &node->graph->arena;
    if (!nn__is_program(node) || !params || params->line) return true;
    const size_t bytes = sizeof(nn_instruction) * params->program.count;
    nn_instruction *code = (nn_instruction *)nn__arena_take(arena, bytes);
    if (!code) return false;
    memcpy(code, params->program.code, bytes);
    params->program.code = code;
#ifndef NN_NO_REPORTS
    const char **roles = (const char **)nn__arena_take(
        arena, sizeof(const char *) * (size_t)nn__maxi(node->input_count, 1));
    if (!roles) return false;
    for (int i = 0; node->roles && i < node->input_count; i++) {
        roles[i] = nn__arena_text(arena, node->roles[i]);
        if (!roles[i]) return false;
    }
    if (node->roles) node->roles = roles;
#endif
    return true;
}
#endif

/* Checks every given input, including those that the text does not use. */
static bool nn__expression_inputs(nn_site site, nn_model *net, const char *name,
                                  nn_node *const *inputs, int count) {
    static const char *const roles[] = {"input 1", "input 2", "input 3", "input 4",
                                        "input 5", "input 6", "input 7", "input 8"};
    return nn__check_inputs(net, site, "expression", name, inputs, roles, count);
}

NN_API nn_node *nn_expression_at(nn_site site, const char *spelled, nn_model *net, const char *text,
                                 ...) {
    nn_node *inputs[NN_PROGRAM_INPUTS];
    int count = 0;
    va_list list;
    if (!net) return NULL;
    va_start(list, text);
    for (nn_node *input = va_arg(list, nn_node *); input; input = va_arg(list, nn_node *), count++)
        if (count < NN_PROGRAM_INPUTS) inputs[count] = input;
    va_end(list);
    if (count <= NN_PROGRAM_INPUTS && !nn__expression_inputs(site, net, NULL, inputs, count))
        return nn__poison(net);
    nn__expression *e = (nn__expression *)nn__allocate(&net->nn->memory, sizeof *e);
    if (!e) return nn__poison_memory(net, "nn_expression", sizeof *e);
    nn_node *node = nn__expression_node(site, net, e, NULL, inputs, count, NULL, text,
                                        nn__expression_arguments(spelled, 2));
    nn__release(&net->nn->memory, e, sizeof *e);
    return node;
}

static bool nn__expression_copy_name(char *to, const char *from) {
    if (strlen(from) >= NN__SYMBOL_BYTES) return false;
    nn__copy_text(to, NN__SYMBOL_BYTES, from);
    return true;
}

/* Checks the lists of a desc: their lengths, and that no text is NULL. */
static bool nn__expression_lists(const nn_expression_desc *desc, nn__problem *problem) {
    const struct {
        const char *name;
        const void *items;
        int count, most;
    } lists[] = {{"inputs", desc->inputs.node, desc->inputs.count, NN_PROGRAM_INPUTS},
                 {"input_names", desc->input_names.text, desc->input_names.count,
                  NN_PROGRAM_INPUTS},
                 {"number_names", desc->number_names.text, desc->number_names.count,
                  NN_PROGRAM_SCALARS},
                 {"numbers", desc->numbers.number, desc->numbers.count, NN_PROGRAM_SCALARS}};
    for (int i = 0; i < NN__COUNT(lists); i++) {
        bool fits = lists[i].count >= 0 && lists[i].count <= lists[i].most &&
                    (lists[i].count == 0 || lists[i].items);
        for (int k = 0; (i == 1 || i == 2) && fits && k < lists[i].count; k++)
            fits = ((const char *const *)lists[i].items)[k] != NULL;
        if (!fits)
            return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                                   NN__TEXT("NN_NODES, NN_TEXTS and NN_NUMBERS count them"),
                                   NN__TEXT("%s has %d elements; it takes an array of at most %d, "
                                            "none of which is NULL"),
                                   lists[i].name, lists[i].count, lists[i].most);
    }
    if (desc->numbers.count == desc->number_names.count) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("give one number for each name"),
                           NN__TEXT("there are %d number_names and %d numbers"),
                           desc->number_names.count, desc->numbers.count);
}

NN_API nn_node *nn_make_expression_at(nn_site site, nn_model *net, const nn_expression_desc *desc) {
    nn__problem problem;
    bool fits = true;
    if (!net) return NULL;
    memset(&problem, 0, sizeof problem);
    if (!desc) {
        nn__problem_set(&problem, NN_ERROR_ARGUMENT, NN__TEXT("give .text and .inputs"),
                        NN__TEXT("desc is NULL"));
        return nn__poison_problem(net, site, "expression", NULL, NULL, NULL, 0, &problem);
    }
    if (!nn__expression_lists(desc, &problem))
        return nn__poison_problem(net, site, "expression", desc->name, NULL, NULL, 0, &problem);
    const int count = desc->inputs.count;
    if (!nn__expression_inputs(site, net, desc->name, desc->inputs.node, count))
        return nn__poison(net);
    nn__expression *e = (nn__expression *)nn__allocate(&net->nn->memory, sizeof *e);
    if (!e) return nn__poison_memory(net, "nn_make_expression", sizeof *e);
    for (int i = 0; i < desc->input_names.count; i++)
        fits = nn__expression_copy_name(e->symbols.names[e->symbols.count++],
                                        desc->input_names.text[i]) &&
               fits;
    for (int i = 0; i < desc->number_names.count; i++)
        fits = nn__expression_copy_name(e->symbols.scalars[e->symbols.scalar_count++],
                                        desc->number_names.text[i]) &&
               fits;
    nn_node *node;
    if (fits) {
        node = nn__expression_node(site, net, e, desc->name, desc->inputs.node, count,
                                   desc->numbers.number, desc->text, NULL);
    } else {
        nn__problem_set(&problem, NN_ERROR_ARGUMENT, NN__TEXT("give shorter names"),
                        NN__TEXT("a name has more than %d bytes"), NN__SYMBOL_BYTES - 1);
        node = nn__poison_problem(net, site, "expression", desc->name, NULL, NULL, 0, &problem);
    }
    nn__release(&net->nn->memory, e, sizeof *e);
    return node;
}

NN_PRIVATE nn_node *nn__add_text(nn_site site, nn_model *net, const char *name, const char *text,
                                 nn_node *a, nn_node *b, nn_node *c, nn_node *d,
                                 const float *numbers) {
    static const char *const names[] = {"p", "q", "r"};
    nn_expression_desc desc;
    nn_node *inputs[4];
    memset(&desc, 0, sizeof desc);
    desc.name = name;
    desc.text = text;
    inputs[0] = a, inputs[1] = b, inputs[2] = c, inputs[3] = d;
    desc.inputs.node = inputs;
    while (desc.inputs.count < 4 && inputs[desc.inputs.count]) desc.inputs.count++;
    desc.number_names.text = names;
    desc.numbers.number = numbers;
    desc.number_names.count = desc.numbers.count = numbers ? NN__COUNT(names) : 0;
    return nn_make_expression_at(site, net, &desc);
}

/* ---- immediate ------------------------------------------------------------------------------- */

/* Parses the text for an immediate call that writes `written`. On failure, which is reported, *e
   is NULL. */
static nn_result nn__expression_open(nn_site site, const char *who, const char *role,
                                     const nn_tensor *written, const nn_tensor *const *given,
                                     const char *text, const char *names, int count,
                                     nn__expression **e) {
    nn_context *nn = written ? written->nn : count ? given[0]->nn : NULL;
    nn__problem problem;
    memset(&problem, 0, sizeof problem);
    *e = NULL;
    if (!written)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "%s: %s is NULL; give a tensor", who, role);
    *e = (nn__expression *)nn__allocate_for(nn, who, sizeof **e);
    if (!*e) return NN_ERROR_MEMORY;
    if (nn__expression_read(*e, text, names, count, &problem)) return NN_OK;
    nn_result result = nn__fail_problem(nn, site, who, &problem);
    nn__release(&nn->memory, *e, sizeof **e);
    *e = NULL;
    return result;
}

NN_API nn_result nn_expression_forward_at(nn_site site, const char *spelled, nn_tensor *y,
                                          const char *text, ...) {
    const char *who = "nn_expression_forward", *roles[NN_PROGRAM_INPUTS];
    const nn_tensor *given[NN_PROGRAM_INPUTS], *inputs[NN_PROGRAM_INPUTS];
    nn__program_params params;
    nn__expression *e;
    int count = 0;
    va_list list;
    va_start(list, text);
    for (nn_tensor *input = va_arg(list, nn_tensor *); input;
         input = va_arg(list, nn_tensor *), count++)
        if (count < NN_PROGRAM_INPUTS) given[count] = input;
    va_end(list);
    nn_result result = nn__expression_open(site, who, "y", y, given, text,
                                           nn__expression_arguments(spelled, 2), count, &e);
    if (!e) return result;
    (void)nn__expression_roles(NULL, e, roles);
    for (int i = 0; i < e->program.input_count; i++) inputs[i] = given[e->inputs[i]];
    memset(&params, 0, sizeof params);
    params.program = e->program;
    result = nn__op_program_forward(site, who, &nn__rule_expression, nn__install_pointwise, &params,
                                    roles, y, inputs);
    nn__release(&y->nn->memory, e, sizeof *e);
    return result;
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_expression_backward_at(nn_site site, const char *spelled, nn_tensor *dx,
                                           const char *by, const nn_tensor *dy, const char *text,
                                           ...) {
    const char *who = "nn_expression_backward", *roles[NN_PROGRAM_INPUTS];
    const nn_tensor *given[NN_PROGRAM_INPUTS], *inputs[NN_PROGRAM_INPUTS];
    nn_tensor *gradients[NN_PROGRAM_INPUTS] = {NULL};
    nn__expression *e;
    bool found = false;
    int count = 0;
    va_list list;
    va_start(list, text);
    for (nn_tensor *input = va_arg(list, nn_tensor *); input;
         input = va_arg(list, nn_tensor *), count++)
        if (count < NN_PROGRAM_INPUTS) given[count] = input;
    va_end(list);
    nn_result result = nn__expression_open(site, who, "dx", dx, given, text,
                                           nn__expression_arguments(spelled, 4), count, &e);
    if (!e) return result;
    (void)nn__expression_roles(NULL, e, roles);
    for (int i = 0; i < e->program.input_count; i++) {
        inputs[i] = given[e->inputs[i]];
        if (by && strcmp(roles[i], by) == 0) gradients[i] = dx, found = true;
    }
    result = found ? nn__op_program_backward(site, who, &e->program, roles, gradients, dy, inputs,
                                             NULL, false)
                   : nn__fail_at(dx->nn, site, NN_ERROR_ARGUMENT,
                                 "%s: the expression reads no input called \"%s\"", who,
                                 by ? by : "(NULL)");
    nn__release(&dx->nn->memory, e, sizeof *e);
    return result;
}
#endif
