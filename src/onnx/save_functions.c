/* onnx/save_functions.c - functions that ONNX has no operator for, as FunctionProtos of the domain
   "nn.h". Other runtimes compute their bodies; ours reads them as its own (map_own.c). */
#include "onnx/proto.h"

#define NN__ONNX_ROTARY_INPUTS     "x cos sin zero half width all axis step positions"
#define NN__ONNX_ROTARY_ATTRIBUTES "width offset heads_inside original base factor low high"
#define NN__ONNX_ROTATED                                                                           \
    "pc Mul p cos; qs Mul q sin; qc Mul q cos; ps Mul p sin; a Sub pc qs; b Add qc ps; "

/* A body is a list of "result Operator operand ..." or "result #number", each ended by a semicolon.
   Operator:attribute=number has one whole attribute. Several results have commas between them. The
   last result is y. Attributes are not used by the body: they tell our reader what it would not see
   in the operands. */
static const struct {
    const char *name, *inputs, *body, *attributes;
} nn__onnx_own[] = {
    {"Trunc", "x", "zero #0; less Less x zero; up Ceil x; down Floor x; y Where less up down;",
     NULL},
    /* Kahan's formulas, which compensate for the rounding of 1 + x */
    {"Expm1", "x",
     "one #1; minus #-1; u Exp x; d Sub u one; l Log u; p Mul d x; q Div p l; same Equal u one; "
     "a Where same x q; low Equal d minus; b Where low d a; big IsInf u; y Where big u b;", NULL},
    {"Log1p", "x",
     "one #1; u Add x one; d Sub u one; l Log u; p Mul l x; q Div p d; same Equal u one; "
     "a Where same x q; big IsInf u; y Where big u a;", NULL},
    {"Log2", "x", "c #1.4426950408889634; l Log x; y Mul l c;", NULL},
    {"Log10", "x", "c #0.4342944819032518; l Log x; y Mul l c;", NULL},
    {"Fma", "a b c", "p Mul a b; y Add p c;", NULL},
    {"Hypot", "a b",
     "one #1; zero #0; p Abs a; q Abs b; m Max p q; n Min p q; r Div n m; none Equal m zero; "
     "s Where none zero r; t Mul s s; u Add t one; v Sqrt u; w Mul m v; big IsInf m; "
     "y Where big m w;", NULL},
    {"Atan2", "a b",
     "zero #0; pi #3.141592653589793; half #1.5707963267948966; q Div a b; base Atan q; "
     "left Less b zero; below Less a zero; more Add base pi; less Sub base pi; "
     "turned Where below less more; side Where left turned base; s Sign a; up Mul s half; "
     "on Equal b zero; y Where on up side;", NULL},
    {"Remainder", "a b",
     "zero #0; r Mod:fmod=1 a b; none Equal r zero; low Less r zero; side Less b zero; "
     "other Xor low side; more Add r b; s Where other more r; y Where none r s;", NULL},
    {"RmsNorm", "x weight epsilon",
     "s Mul x x; m ReduceMean:axes=-1 s; a Add m epsilon; r Sqrt a; q Div x r; y Mul q weight;",
     NULL},
    {"GroupNorm", "x weight bias epsilon grouped wide",
     "g Reshape x grouped; m ReduceMean:axes=2 g; d Sub g m; s Mul d d; v ReduceMean:axes=2 s; "
     "a Add v epsilon; r Sqrt a; q Div d r; shape Shape x; n Reshape q shape; "
     "w Reshape weight wide; b Reshape bias wide; p Mul n w; y Add p b;", NULL},
    /* the fraction of labels that are among the largest logits; top and axis are [k] and [1] */
    {"Accuracy", "logits label top axis",
     "v,i TopK:axis=1 logits top; l Cast:to=7 label; w Unsqueeze l axis; s Equal i w; "
     "f Cast:to=1 s; m ReduceMax:axes=1 f; y ReduceMean:keepdims=0 m;", NULL},
    {"Rotary", NN__ONNX_ROTARY_INPUTS,
     "p Slice x zero half axis; q Slice x half width axis; " NN__ONNX_ROTATED
     "y Concat:axis=3 a b;",
     NN__ONNX_ROTARY_ATTRIBUTES},
    {"RotaryPart", NN__ONNX_ROTARY_INPUTS,
     "p Slice x zero half axis; q Slice x half width axis; r Slice x width all axis; "
     NN__ONNX_ROTATED
     "y Concat:axis=3 a b r;",
     NN__ONNX_ROTARY_ATTRIBUTES},
    /* half is 1, axis 4 and step 2 */
    {"RotaryPairs", NN__ONNX_ROTARY_INPUTS,
     "s Shape x; last Sub axis half; p Slice x zero width last step; "
     "q Slice x half width last step; "
     NN__ONNX_ROTATED
     "u Unsqueeze a axis; v Unsqueeze b axis; w Concat:axis=4 u v; y Reshape w s;",
     NN__ONNX_ROTARY_ATTRIBUTES},
    {"AdaptiveAveragePool1d", "x width", "y MatMul x width;", NULL},
    {"AdaptiveAveragePool2d", "x width height", "r MatMul x width; y MatMul height r;", NULL},
    {"ToInt32", "x",
     "zero #0; low #-2147483648; high #2147483520; n IsNaN x; z Where n zero x; r Round z; "
     "c Clip r low high; y Cast:to=6 c;", NULL},
    {"ToUint8", "x",
     "zero #0; high #255; n IsNaN x; z Where n zero x; r Round z; c Clip r zero high; "
     "y Cast:to=2 c;", NULL},
    {"ToInt8", "x",
     "zero #0; low #-128; high #127; n IsNaN x; z Where n zero x; r Round z; c Clip r low high; "
     "y Cast:to=3 c;", NULL},
};
#undef NN__ONNX_ROTARY_INPUTS
#undef NN__ONNX_ROTARY_ATTRIBUTES
#undef NN__ONNX_ROTATED

/* Copies a word up to a space, a semicolon, a colon or an equals sign, and skips it together
   with the character that ends it. Returns that character. */
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
    const bool list = strcmp(name, "axes") == 0 || strcmp(name, "value_ints") == 0;
    piece->size = 0;
    nn__onnx_field_text(piece, 1, name);
    nn__onnx_field_int(piece, 20, list ? 7 : whole ? 2 : 1);
    if (whole)
        nn__onnx_field_int(piece, list ? 8 : 3, (int64_t)number);
    else
        nn__onnx_field_real(piece, 2, (float)number);
    nn__onnx_field_message(node, 5, piece);
}

/* Writes the names of the results of a statement, such as "v" or "v,i". */
static void nn__onnx_results(nn__onnx_growing *node, const char *results) {
    char name[32];
    for (const char *end; *results; results = *end ? end + 1 : end) {
        end = strchr(results, ',');
        if (!end) end = results + strlen(results);
        memset(name, 0, sizeof name);
        memcpy(name, results, (size_t)(end - results));
        nn__onnx_field_text(node, 2, name);
    }
}

/* Writes the name of the constant with the axes of a reduction. */
static void nn__onnx_name_axes(char *to, size_t room, const char *result) {
    nn__onnx_message text;
    memset(&text, 0, sizeof text);
    nn__onnx_say(&text, "%s_axes", result);
    memcpy(to, text.text, text.length + 1 < room ? text.length + 1 : room);
}

/* Reads one statement and writes its NodeProto to e->node. From opset 18 on the axes of a reduction
   are an operand, for which a Constant is written first. */
static void nn__onnx_statement(nn__onnx_emitter *e, const char **text, nn__onnx_growing *function) {
    nn__onnx_growing *node = &e->node, *piece = &e->piece;
    char result[32], type[32], word[32], value[32], axes[40] = "";
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
        if (strcmp(word, "axes") == 0 && e->opset >= 18)
            nn__onnx_name_axes(axes, sizeof axes, result);
        nn__onnx_one_attribute(node, piece, *axes ? "value_ints" : word, true,
                               nn__onnx_read_real(value));
    }
    if (*axes) {
        nn__onnx_field_text(node, 2, axes);
        nn__onnx_field_text(node, 4, "Constant");
        nn__onnx_field_message(function, 7, node);
        node->size = 0;
    }
    while (end == ' ') {
        end = nn__onnx_word(text, word, sizeof word);
        nn__onnx_field_text(node, 1, word);
    }
    if (*axes) nn__onnx_field_text(node, 1, axes);
    nn__onnx_results(node, result);
    nn__onnx_field_text(node, 4, type);
}

NN__ONNX_PRIVATE void nn__onnx_write_functions(nn__onnx_emitter *e, nn__onnx_growing *to) {
    nn__onnx_growing *function = &e->nodes; /* the graph has its copy by now */
    nn__onnx_growing opset;
    memset(&opset, 0, sizeof opset);
    opset.nn = to->nn;
    nn__onnx_field_text(&opset, 1, "");
    nn__onnx_field_int(&opset, 2, e->opset);
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
        for (text = nn__onnx_own[i].attributes; text && *text;) {
            nn__onnx_word(&text, word, sizeof word);
            nn__onnx_field_text(function, 6, word);
        }
        for (text = nn__onnx_own[i].body; *text;) {
            nn__onnx_statement(e, &text, function);
            nn__onnx_field_message(function, 7, &e->node);
        }
        nn__onnx_field_message(function, 9, &opset);
        nn__onnx_field_text(function, 10, "nn.h");
        nn__onnx_field_message(to, 25, function);
    }
    to->failed = to->failed || function->failed || opset.failed;
    nn__onnx_forget(&opset);
}
