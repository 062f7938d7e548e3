/* onnx/save_functions.c - functions that ONNX has no operator for, as FunctionProtos of the domain
   "nn.h". Other runtimes compute their bodies; ours reads them as its own (map_own.c). */
#include "onnx/proto.h"

/* A body is a list of "result Operator operand ..." or "result #number", each ended by a semicolon.
   Operator:attribute=number has one whole attribute. The last result is y. */
static const struct {
    const char *name, *inputs, *body;
} nn__onnx_own[] = {
    {"Trunc", "x", "zero #0; less Less x zero; up Ceil x; down Floor x; y Where less up down;"},
    /* Kahan's formulas: what rounding takes from 1 + x is given back */
    {"Expm1", "x",
     "one #1; minus #-1; u Exp x; d Sub u one; l Log u; p Mul d x; q Div p l; same Equal u one; "
     "a Where same x q; low Equal d minus; b Where low d a; big IsInf u; y Where big u b;"},
    {"Log1p", "x",
     "one #1; u Add x one; d Sub u one; l Log u; p Mul l x; q Div p d; same Equal u one; "
     "a Where same x q; big IsInf u; y Where big u a;"},
    {"Log2", "x", "c #1.4426950408889634; l Log x; y Mul l c;"},
    {"Log10", "x", "c #0.4342944819032518; l Log x; y Mul l c;"},
    {"Fma", "a b c", "p Mul a b; y Add p c;"},
    {"Hypot", "a b",
     "one #1; zero #0; p Abs a; q Abs b; m Max p q; n Min p q; r Div n m; none Equal m zero; "
     "s Where none zero r; t Mul s s; u Add t one; v Sqrt u; w Mul m v; big IsInf m; "
     "y Where big m w;"},
    {"Atan2", "a b",
     "zero #0; pi #3.141592653589793; half #1.5707963267948966; q Div a b; base Atan q; "
     "left Less b zero; below Less a zero; more Add base pi; less Sub base pi; "
     "turned Where below less more; side Where left turned base; s Sign a; up Mul s half; "
     "on Equal b zero; y Where on up side;"},
    {"Remainder", "a b",
     "zero #0; r Mod:fmod=1 a b; none Equal r zero; low Less r zero; side Less b zero; "
     "other Xor low side; more Add r b; s Where other more r; y Where none r s;"},
    {"RmsNorm", "x weight epsilon",
     "s Mul x x; m ReduceMean:axes=-1 s; a Add m epsilon; r Sqrt a; q Div x r; y Mul q weight;"},
    {"GroupNorm", "x weight bias epsilon grouped wide",
     "g Reshape x grouped; m ReduceMean:axes=2 g; d Sub g m; s Mul d d; v ReduceMean:axes=2 s; "
     "a Add v epsilon; r Sqrt a; q Div d r; shape Shape x; n Reshape q shape; "
     "w Reshape weight wide; b Reshape bias wide; p Mul n w; y Add p b;"},
    {"AdaptiveAveragePool1d", "x width", "y MatMul x width;"},
    {"AdaptiveAveragePool2d", "x width height", "r MatMul x width; y MatMul height r;"},
    {"ToInt32", "x",
     "zero #0; low #-2147483648; high #2147483520; n IsNaN x; z Where n zero x; r Round z; "
     "c Clip r low high; y Cast:to=6 c;"},
    {"ToUint8", "x",
     "zero #0; high #255; n IsNaN x; z Where n zero x; r Round z; c Clip r zero high; "
     "y Cast:to=2 c;"},
    {"ToInt8", "x",
     "zero #0; low #-128; high #127; n IsNaN x; z Where n zero x; r Round z; c Clip r low high; "
     "y Cast:to=3 c;"},
};

/* Copies a word up to a space, a semicolon, a colon or an equals sign, and skips it with what ends
   it. Returns the character that ended it. */
static char nn__onnx_word(const char **text, char *word, size_t room) {
    size_t length = 0;
    while (**text == ' ') ++*text;
    while (**text && !strchr(" ;:=", **text)) {
        if (length + 1 < room) word[length++] = **text;
        ++*text;
    }
    word[length] = 0;
    return **text ? *(*text)++ : 0;
}

static double nn__onnx_read_real(const char *text) {
    const bool negative = *text == '-';
    double value = 0, place = 1;
    if (negative) text++;
    for (; *text >= '0' && *text <= '9'; text++) value = 10 * value + (*text - '0');
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++) {
            place /= 10;
            value += place * (*text - '0');
        }
    return negative ? -value : value;
}

static void nn__onnx_one_attribute(nn__onnx_growing *node, nn__onnx_growing *piece,
                                   const char *name, bool whole, double number) {
    const bool list = strcmp(name, "axes") == 0;
    piece->size = 0;
    nn__onnx_field_text(piece, 1, name);
    nn__onnx_field_int(piece, 20, list ? 7 : whole ? 2 : 1);
    if (whole)
        nn__onnx_field_int(piece, list ? 8 : 3, (int64_t)number);
    else
        nn__onnx_field_real(piece, 2, (float)number);
    nn__onnx_field_message(node, 5, piece);
}

/* Reads one statement and writes its NodeProto. */
static void nn__onnx_statement(const char **text, nn__onnx_growing *node, nn__onnx_growing *piece) {
    char result[32], type[32], word[32], value[32];
    char end;
    node->size = 0;
    nn__onnx_word(text, result, sizeof result);
    end = nn__onnx_word(text, type, sizeof type);
    if (*type == '#') {
        nn__onnx_one_attribute(node, piece, "value_float", false, nn__onnx_read_real(type + 1));
        nn__onnx_field_text(node, 2, result);
        nn__onnx_field_text(node, 4, "Constant");
        return;
    }
    if (end == ':') {
        nn__onnx_word(text, word, sizeof word);
        end = nn__onnx_word(text, value, sizeof value);
        nn__onnx_one_attribute(node, piece, word, true, nn__onnx_read_real(value));
    }
    while (end == ' ') {
        end = nn__onnx_word(text, word, sizeof word);
        nn__onnx_field_text(node, 1, word);
    }
    nn__onnx_field_text(node, 2, result);
    nn__onnx_field_text(node, 4, type);
}

NN__ONNX_PRIVATE void nn__onnx_write_functions(nn__onnx_emitter *e, nn__onnx_growing *to) {
    nn__onnx_growing *function = &e->nodes; /* the graph has its copy by now */
    nn__onnx_growing opset;
    memset(&opset, 0, sizeof opset);
    opset.nn = to->nn;
    nn__onnx_field_text(&opset, 1, "");
    nn__onnx_field_int(&opset, 2, 17);
    for (size_t i = 0; i < sizeof nn__onnx_own / sizeof *nn__onnx_own; i++) {
        const char *text = nn__onnx_own[i].inputs;
        char word[32];
        if (!nn__onnx_find(&e->functions, nn__onnx_own[i].name)) continue;
        function->size = 0;
        nn__onnx_field_text(function, 1, nn__onnx_own[i].name);
        while (*text) {
            nn__onnx_word(&text, word, sizeof word);
            nn__onnx_field_text(function, 4, word);
        }
        nn__onnx_field_text(function, 5, "y");
        for (text = nn__onnx_own[i].body; *text;) {
            nn__onnx_statement(&text, &e->node, &e->piece);
            nn__onnx_field_message(function, 7, &e->node);
        }
        nn__onnx_field_message(function, 9, &opset);
        nn__onnx_field_text(function, 10, "nn.h");
        nn__onnx_field_message(to, 25, function);
    }
    to->failed = to->failed || function->failed || opset.failed;
    nn__onnx_forget(&opset);
}
