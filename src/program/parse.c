/* program/parse.c - parses programs from text: numbers, names, + - * / ^, comparisons, && || !,
   c ? a : b, functions. Precedences are those of C. ^ is the power and binds tighter than a sign
   before it, as in mathematics. ops/expression.c binds names to inputs. */
#include "program/private.h"

#include <math.h>

#define NN__PARSE_DEPTH     48 /* nesting limit, so that no text can exhaust the stack */
#define NN__PARSE_ARGUMENTS 16

typedef struct nn__parser {
    const char *text, *at;
    const nn__symbols *symbols;
    nn__draft *draft;
    nn__parse_fault *fault;
    int depth;
} nn__parser;

static int nn__parse_condition(nn__parser *p);

/* ---- words ----------------------------------------------------------------------------------- */

static bool nn__parse_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool nn__parse_is_digit(char c) { return c >= '0' && c <= '9'; }
static bool nn__parse_is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void nn__parse_spaces(nn__parser *p) {
    while (nn__parse_is_space(*p->at)) p->at++;
}

static size_t nn__parse_word(const char *text) {
    size_t length = 0;
    while (nn__parse_is_letter(text[length]) || (length > 0 && nn__parse_is_digit(text[length])))
        length++;
    return length;
}

static bool nn__parse_same(const char *name, const char *word, size_t length) {
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* Records the first fault only. Returns NN__NO_PLACE. */
static int nn__parse_fail(nn__parser *p, const char *at, const char *format, ...) {
    va_list arguments;
    if (p->fault->column) return NN__NO_PLACE;
    p->fault->column = (int)(at - p->text) + 1;
    va_start(arguments, format);
    nn__vformat(p->fault->text, sizeof p->fault->text, format, arguments);
    va_end(arguments);
    return NN__NO_PLACE;
}

static int nn__parse_expected(nn__parser *p, const char *what) {
    size_t word;
    nn__parse_spaces(p);
    word = nn__parse_word(p->at);
    if (!*p->at) return nn__parse_fail(p, p->at, NN__TEXT("expected %s, but the text ends"), what);
    return nn__parse_fail(p, p->at, NN__TEXT("expected %s, found \"%.*s\""), what,
                          word ? (int)(word < 40 ? word : 40) : 1, p->at);
}

/* Takes the symbol if it comes next. '<' does not match the beginning of "<=". */
static bool nn__parse_take(nn__parser *p, const char *symbol) {
    size_t length = strlen(symbol);
    nn__parse_spaces(p);
    if (strncmp(p->at, symbol, length) != 0) return false;
    if (length == 1 && (*symbol == '<' || *symbol == '>' || *symbol == '!') && p->at[1] == '=')
        return false;
    p->at += length;
    return true;
}

static int nn__parse_add(nn__parser *p, nn_instruction_code code, int a, int b, int c) {
    int place;
    if (a < 0 || b < 0 || c < 0) return NN__NO_PLACE;
    place = nn__draft_append(p->draft, code, a, b, c);
    return place >= 0 ? place : nn__parse_fail(p, p->at, NN__TEXT("the expression is too long"));
}

/* Each random() of a text draws numbers of its own. */
static int nn__parse_random(nn__parser *p) {
    int number = 0;
    for (int i = 0; i < p->draft->count; i++)
        number += p->draft->code[i].code == NN_CODE_RANDOM;
    const int place = nn__draft_random(p->draft, number);
    return place >= 0 ? place : nn__parse_fail(p, p->at, NN__TEXT("the expression is too long"));
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The decimal point is a dot in every locale. */
static int nn__parse_number(nn__parser *p) {
    const char *start = p->at;
    double value = 0.0, power = 1.0;
    int exponent = 0, sign = 1, shift = 0, digits = 0;
    for (; nn__parse_is_digit(*p->at); p->at++, digits++) value = value * 10.0 + (*p->at - '0');
    if (*p->at == '.')
        for (p->at++; nn__parse_is_digit(*p->at); p->at++, digits++, shift--)
            value = value * 10.0 + (*p->at - '0');
    if (digits == 0) return nn__parse_fail(p, start, NN__TEXT("expected digits beside the point"));
    if (*p->at == 'e' || *p->at == 'E') {
        p->at++;
        if (*p->at == '-' || *p->at == '+') sign = *p->at++ == '-' ? -1 : 1;
        if (!nn__parse_is_digit(*p->at)) return nn__parse_expected(p, "the digits of an exponent");
        for (; nn__parse_is_digit(*p->at); p->at++)
            if (exponent < 1000) exponent = exponent * 10 + (*p->at - '0');
    }
    exponent = sign * exponent + shift;
    for (int i = exponent < 0 ? -exponent : exponent; i > 0 && power < 1e300; i--) power *= 10.0;
    value = exponent < 0 ? value / power : value * power;
    if (*p->at == 'f' || *p->at == 'F') p->at++;
    if (nn__parse_is_letter(*p->at)) return nn__parse_expected(p, "an operator after the number");
    return nn__draft_constant(p->draft, (float)value);
}

static int nn__parse_many(nn__parser *p, const char *start, nn_instruction_code code,
                          const char *name, const int *values, int count) {
    int place = values[0];
    if (count < 2)
        return nn__parse_fail(p, start, NN__TEXT("%s takes two values or more; there is %d"), name,
                              count);
    for (int i = 1; i < count; i++) place = nn__parse_add(p, code, place, values[i], 0);
    return place;
}

static int nn__parse_count(nn__parser *p, const char *start, size_t length, int wanted, int count) {
    return nn__parse_fail(p, start, NN__TEXT("%.*s takes %d %s; there %s %d"), (int)length, start,
                          wanted, wanted == 1 ? "value" : "values", count == 1 ? "is" : "are",
                          count);
}

/* Applies a function: one of the table of operations, an alias from PyTorch, or an instruction. */
static int nn__parse_apply(nn__parser *p, const char *start, size_t length, const int *values,
                           int count) {
    const nn__symbols *symbols = p->symbols;
    const nn_program *program = symbols->find ? symbols->find(symbols->user, start, length) : NULL;
    int result = NN__NO_PLACE;
    if (nn__parse_same("min", start, length) || nn__parse_same("minimum", start, length))
        return nn__parse_many(p, start, NN_CODE_MINIMUM, "min", values, count);
    if (nn__parse_same("max", start, length) || nn__parse_same("maximum", start, length))
        return nn__parse_many(p, start, NN_CODE_MAXIMUM, "max", values, count);
    if (program) {
        if (count != program->input_count + program->scalar_count)
            return nn__parse_count(p, start, length, program->input_count + program->scalar_count,
                                   count);
        if (!nn__draft_merge(p->draft, program, values, values + program->input_count, &result))
            return nn__parse_fail(p, start, NN__TEXT("the expression is too long"));
        return result;
    }
    for (int code = 0; code < NN_INSTRUCTION_COUNT; code++) {
        int operands = nn__instruction_operands(code);
        bool leaf = code == NN_CODE_INPUT || code == NN_CODE_SCALAR || code == NN_CODE_CONSTANT;
        if (leaf || (!nn__parse_same(nn__instruction_name(code, false), start, length) &&
                     !nn__parse_same(nn__instruction_name(code, true), start, length)))
            continue;
        if (count != operands) return nn__parse_count(p, start, length, operands, count);
        if (code == NN_CODE_RANDOM) return nn__parse_random(p);
        return nn__parse_add(p, (nn_instruction_code)code, operands > 0 ? values[0] : 0,
                             operands > 1 ? values[1] : 0, operands > 2 ? values[2] : 0);
    }
    return nn__parse_fail(p, start, NN__TEXT("there is no function %.*s"),
                          (int)(length < 40 ? length : 40), start);
}

static int nn__parse_call(nn__parser *p, const char *start, size_t length) {
    int values[NN__PARSE_ARGUMENTS] = {0}, count = 0;
    if (!nn__parse_take(p, ")")) {
        do {
            if (count == NN__PARSE_ARGUMENTS)
                return nn__parse_fail(p, p->at, NN__TEXT("at most %d values here"),
                                      NN__PARSE_ARGUMENTS);
            values[count] = nn__parse_condition(p);
            if (values[count++] < 0) return NN__NO_PLACE;
        } while (nn__parse_take(p, ","));
        if (!nn__parse_take(p, ")")) return nn__parse_expected(p, "an operator, \",\" or \")\"");
    }
    return nn__parse_apply(p, start, length, values, count);
}

static int nn__parse_unknown(nn__parser *p, const char *start, size_t length) {
    char names[100];
    size_t used = 0;
    names[0] = 0;
    for (int i = 0; i < p->symbols->count && used < sizeof names; i++)
        used +=
            nn__explain(names + used, sizeof names - used, i ? ", %s" : "%s", p->symbols->names[i]);
    return nn__parse_fail(p, start, NN__TEXT("no input is called %.*s; there is: %s"),
                          (int)(length < 31 ? length : 31), start, names);
}

static int nn__parse_name(nn__parser *p) {
    const char *start = p->at;
    size_t length = nn__parse_word(start);
    p->at += length;
    if (nn__parse_take(p, "(")) return nn__parse_call(p, start, length);
    for (int i = 0; i < p->symbols->count; i++)
        if (nn__parse_same(p->symbols->names[i], start, length))
            return nn__draft_input(p->draft, i);
    for (int i = 0; i < p->symbols->scalar_count; i++)
        if (nn__parse_same(p->symbols->scalars[i], start, length))
            return nn__draft_scalar(p->draft, i);
    if (nn__parse_same("pi", start, length))
        return nn__draft_constant(p->draft, 3.14159265358979323846f);
    if (nn__parse_same("inf", start, length)) return nn__draft_constant(p->draft, INFINITY);
    if (nn__parse_same("nan", start, length)) return nn__draft_constant(p->draft, NAN);
    return nn__parse_unknown(p, start, length);
}

static int nn__parse_value(nn__parser *p) {
    int place;
    nn__parse_spaces(p);
    if (nn__parse_take(p, "(")) {
        place = nn__parse_condition(p);
        if (place >= 0 && !nn__parse_take(p, ")"))
            return nn__parse_expected(p, "an operator or \")\"");
        return place;
    }
    if (nn__parse_is_letter(*p->at)) return nn__parse_name(p);
    if (nn__parse_is_digit(*p->at) || *p->at == '.') return nn__parse_number(p);
    return nn__parse_expected(p, "a value");
}

/* ---- operators, the tightest first ----------------------------------------------------------- */

static int nn__parse_sign(nn__parser *p);

/* torch.pow computes these exponents without pow. */
static int nn__parse_power_of(nn__parser *p, int base, int exponent) {
    const nn_instruction *x = &p->draft->code[exponent];
    int square;
    float value = x->value;
    if (x->code != NN_CODE_CONSTANT) return nn__parse_add(p, NN_CODE_POWER, base, exponent, 0);
    if (value == 1.0f) return base;
    if (value == 0.5f) return nn__parse_add(p, NN_CODE_SQRT, base, 0, 0);
    if (value == -0.5f) return nn__parse_add(p, NN_CODE_RSQRT, base, 0, 0);
    if (value == -1.0f) return nn__parse_add(p, NN_CODE_RECIPROCAL, base, 0, 0);
    if (value != 2.0f && value != 3.0f && value != -2.0f)
        return nn__parse_add(p, NN_CODE_POWER, base, exponent, 0);
    square = nn__parse_add(p, NN_CODE_MULTIPLY, base, base, 0);
    if (value == 3.0f) return nn__parse_add(p, NN_CODE_MULTIPLY, square, base, 0);
    return value == 2.0f ? square : nn__parse_add(p, NN_CODE_RECIPROCAL, square, 0, 0);
}

static int nn__parse_power(nn__parser *p) {
    int base = nn__parse_value(p), exponent;
    if (base < 0 || !nn__parse_take(p, "^")) return base;
    exponent = nn__parse_sign(p);
    return exponent < 0 ? exponent : nn__parse_power_of(p, base, exponent);
}

static int nn__parse_sign(nn__parser *p) {
    int place;
    if (++p->depth > NN__PARSE_DEPTH)
        return nn__parse_fail(p, p->at, NN__TEXT("brackets are nested too deep"));
    if (nn__parse_take(p, "-"))
        place = nn__parse_add(p, NN_CODE_NEGATE, nn__parse_sign(p), 0, 0);
    else if (nn__parse_take(p, "+"))
        place = nn__parse_sign(p);
    else if (nn__parse_take(p, "!"))
        place = nn__parse_add(p, NN_CODE_NOT, nn__parse_sign(p), 0, 0);
    else
        place = nn__parse_power(p);
    p->depth--;
    return place;
}

/* Binary operators, level by level; left to right within a level. */
static int nn__parse_level(nn__parser *p, int level) {
    static const struct {
        char symbol[3];
        uint8_t level, code;
    } operators[] = {{"||", 0, NN_CODE_OR},         {"&&", 1, NN_CODE_AND},
                     {"==", 2, NN_CODE_EQUAL},      {"!=", 2, NN_CODE_NOT_EQUAL},
                     {"<=", 3, NN_CODE_LESS_EQUAL}, {">=", 3, NN_CODE_GREATER_EQUAL},
                     {"<", 3, NN_CODE_LESS},        {">", 3, NN_CODE_GREATER},
                     {"+", 4, NN_CODE_ADD},         {"-", 4, NN_CODE_SUBTRACT},
                     {"*", 5, NN_CODE_MULTIPLY},    {"/", 5, NN_CODE_DIVIDE}};
    int place, chain = 0;
    if (level == 6) return nn__parse_sign(p);
    place = nn__parse_level(p, level + 1);
    while (place >= 0) {
        int i = 0;
        const char *before = p->at;
        while (i < NN__COUNT(operators) &&
               !(operators[i].level == level && nn__parse_take(p, operators[i].symbol)))
            i++;
        if (i == NN__COUNT(operators)) return place;
        if (level == 3 && chain++)
            return nn__parse_fail(p, before,
                                  NN__TEXT("comparisons in a row: write a < b && b < c"));
        place = nn__parse_add(p, (nn_instruction_code)operators[i].code, place,
                              nn__parse_level(p, level + 1), 0);
    }
    return place;
}

static int nn__parse_condition(nn__parser *p) {
    int condition, chosen, other;
    if (++p->depth > NN__PARSE_DEPTH)
        return nn__parse_fail(p, p->at, NN__TEXT("brackets are nested too deep"));
    condition = nn__parse_level(p, 0);
    if (condition >= 0 && nn__parse_take(p, "?")) {
        chosen = nn__parse_condition(p);
        if (chosen < 0) return chosen;
        if (!nn__parse_take(p, ":")) return nn__parse_expected(p, "an operator or \":\"");
        other = nn__parse_condition(p);
        condition = nn__parse_add(p, NN_CODE_SELECT, condition, chosen, other);
    }
    p->depth--;
    return condition;
}

/* ---- whole texts ----------------------------------------------------------------------------- */

NN_PRIVATE bool nn__parse_names(const char *text, size_t length, nn__symbols *symbols,
                                nn__parse_fault *fault) {
    const char *end = text + length, *at = text;
    symbols->count = 0;
    while (at < end) {
        size_t word = 0;
        const char *name = NULL, *start;
        while (at < end && nn__parse_is_space(*at)) at++;
        start = at;
        for (;;) { /* a name, or an access that ends with one, as batch->r; heads[2] has no name */
            word = nn__parse_word(at);
            name = at;
            at += word;
            if (!word || at >= end) break;
            if (*at == '.')
                at++;
            else if (at + 1 < end && at[0] == '-' && at[1] == '>')
                at += 2;
            else
                break;
        }
        while (at < end && nn__parse_is_space(*at)) at++;
        fault->column = (int)(start - text) + 1;
        if (word == 0 || word >= NN__SYMBOL_BYTES || (at < end && *at != ',')) {
            nn__explain(fault->text, sizeof fault->text,
                        word < NN__SYMBOL_BYTES ? "expected a name" : "a name is too long");
            return false;
        }
        if (symbols->count == NN_PROGRAM_INPUTS) {
            nn__explain(fault->text, sizeof fault->text, "at most %d inputs", NN_PROGRAM_INPUTS);
            return false;
        }
        for (int i = 0; i < symbols->count; i++)
            if (nn__parse_same(symbols->names[i], name, word)) {
                nn__explain(fault->text, sizeof fault->text, "two inputs are called %s",
                            symbols->names[i]);
                return false;
            }
        memcpy(symbols->names[symbols->count], name, word);
        symbols->names[symbols->count++][word] = 0;
        if (at < end) at++;
    }
    fault->column = 0;
    return true;
}

/* Returns the length of "r, a" if the text begins with "r, a:"; 0: it has no header. */
static size_t nn__parse_header(const char *text) {
    const char *at = text;
    for (;;) {
        size_t word;
        while (nn__parse_is_space(*at)) at++;
        word = nn__parse_word(at);
        if (!word) return 0;
        at += word;
        while (nn__parse_is_space(*at)) at++;
        if (*at == ':') return (size_t)(at - text);
        if (*at++ != ',') return 0;
    }
}

NN_PRIVATE bool nn__parse_program(const char *text, nn__symbols *symbols, nn__draft *draft,
                                  nn__parse_fault *fault) {
    nn__parser parser;
    size_t header = nn__parse_header(text);
    int place;
    memset(fault, 0, sizeof *fault);
    memset(&parser, 0, sizeof parser);
    nn__draft_begin(draft);
    if (header && !nn__parse_names(text, header, symbols, fault)) return false;
    parser.text = text;
    parser.at = header ? text + header + 1 : text;
    parser.symbols = symbols;
    parser.draft = draft;
    parser.fault = fault;
    place = nn__parse_condition(&parser);
    nn__parse_spaces(&parser);
    if (place >= 0 && *parser.at) place = nn__parse_expected(&parser, "an operator or the end");
    if (place < 0 || fault->column) {
        if (!fault->column)
            nn__parse_fail(&parser, parser.at, NN__TEXT("the expression is too long"));
        return false;
    }
    return nn__draft_output(draft, place);
}
