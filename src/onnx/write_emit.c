/* onnx/write_emit.c - text, names, calls and layers of a net that is printed as C. */
#include "onnx/write_emit.h"
#include "onnx/optional.h"

/* ---- text ------------------------------------------------------------------------------------ */

static void nn__c_print_with(nn__onnx_growing *to, const char *format, va_list *arguments) {
    nn__onnx_message text;
    text.length = 0;
    text.text[0] = 0;
    nn__onnx_say_with(&text, format, arguments);
    nn__onnx_add_bytes(to, text.text, text.length);
}

NN__ONNX_PRIVATE void nn__c_print(nn__onnx_growing *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    nn__c_print_with(to, format, &arguments);
    va_end(arguments);
}

NN__ONNX_PRIVATE void nn__c_includes(const nn__c_writer *w, nn__onnx_growing *to) {
    nn__c_print(to, "#include \"nn.h\"\n%s%s%s\n", w->more ? "#include \"nn_more.h\"\n" : "",
                w->sequence ? "#include \"nn_sequence.h\"\n" : "",
                w->quantize ? "#include \"nn_quantize.h\"\n" : "");
}

NN__ONNX_PRIVATE const char *nn__c_text(nn__c_writer *w, const char *format, ...) {
    nn__onnx_message text;
    const char *copy;
    va_list arguments;
    text.length = 0;
    text.text[0] = 0;
    va_start(arguments, format);
    nn__onnx_say_with(&text, format, &arguments);
    va_end(arguments);
    copy = nn__onnx_copy_text(w->e.call, &w->e.arena, text.text, text.length);
    return copy ? copy : "";
}

/* Nine significant digits tell every two floats apart. Double arithmetic errs by less than 1e-13 of
   the number here, and half the distance between two floats is more than 2e-8 of it. */
NN__ONNX_PRIVATE void nn__c_digits(float number, char *to) {
    double value = fabs((double)number);
    int exponent = 0, count = 9, before;
    uint32_t digits;
    char text[9];
    if (number < 0.0f) *to++ = '-';
    while (value >= 1e9) value /= 10, exponent++;
    while (value > 0.0 && value < 1e8) value *= 10, exponent--;
    digits = (uint32_t)(value + 0.5);
    if (digits >= 1000000000u) digits /= 10, exponent++;
    for (int i = 8; i >= 0; i--, digits /= 10) text[i] = (char)('0' + digits % 10);
    while (count > 1 && text[count - 1] == '0') count--;
    before = number == 0.0f ? 1 : 9 + exponent; /* digits before the point */
    if (before > 9 || before < -3) {
        *to++ = text[0];
        *to++ = '.';
        for (int i = 1; i < (count > 1 ? count : 2); i++) *to++ = text[i];
        *to++ = 'e';
        if (--before < 0) *to++ = '-';
        before = before < 0 ? -before : before;
        *to++ = (char)('0' + before / 10);
        *to++ = (char)('0' + before % 10);
    } else {
        if (before < 1) *to++ = '0';
        for (int i = 0; i < before; i++) *to++ = i < count ? text[i] : '0';
        *to++ = '.';
        for (int i = before; i < 0; i++) *to++ = '0';
        if (before >= count) *to++ = '0';
        for (int i = before < 0 ? 0 : before; i < count; i++) *to++ = text[i];
    }
    *to = 0;
}

NN__ONNX_PRIVATE const char *nn__c_real(nn__c_writer *w, float number, bool bare) {
    uint32_t bits;
    char digits[32];
    memcpy(&bits, &number, sizeof bits);
    if (number != number) return bare ? "nan" : "NAN";
    if (number - number != 0.0f)
        return number > 0.0f ? (bare ? "inf" : "INFINITY") : (bare ? "-inf" : "-INFINITY");
    nn__c_digits(number, digits);
    return nn__c_text(w, bare ? "%s%s" : "%s%sf", bits == 0x80000000u ? "-" : "", digits);
}

static const char *nn__c_extent(nn__c_writer *w, int32_t extent) {
    static const char *const words[] = {"", "NN_BATCH", "NN_TIME", "NN_BATCH_TIME"};
    uint8_t powers;
    const int64_t number = nn__onnx_split_extent(extent, &powers);
    if (powers == 0) return nn__c_text(w, "%d", number);
    if (number == 1) return words[powers];
    return nn__c_text(w, "nn_multiply_extents(%d, %s)", number, words[powers]);
}

NN__ONNX_PRIVATE const char *nn__c_shape(nn__c_writer *w, const nn_shape *shape) {
    const char *text = "";
    if (shape->rank == 0) return "nn_make_shape(NULL, 0)";
    for (int i = 0; i < shape->rank; i++)
        text = nn__c_text(w, i ? "%s, %s" : "%s%s", text, nn__c_extent(w, shape->extent[i]));
    return nn__c_text(w, "NN_SHAPE(%s)", text);
}

NN__ONNX_PRIVATE const char *nn__c_quoted(nn__c_writer *w, const char *text) {
    const size_t length = strlen(text);
    char *to = (char *)nn__onnx_take(w->e.call, &w->e.arena, 2 * (uint64_t)length + 3), *at = to;
    if (!to) return "";
    *at++ = '"';
    for (size_t i = 0; i < length; i++) {
        /* ?? could begin a trigraph */
        if (text[i] == '"' || text[i] == '\\' || text[i] == '?') *at++ = '\\';
        *at++ = (unsigned char)text[i] < 32 ? '_' : text[i];
    }
    *at++ = '"';
    return to;
}

NN__ONNX_PRIVATE const char *nn__c_dtype(nn_dtype dtype) {
    static const char *const names[NN_DTYPE_COUNT] = {NULL,     "NN_F32",  "NN_I32", "NN_U8",
                                                      "NN_F16", "NN_BF16", "NN_F64", "NN_I64",
                                                      "NN_I16", "NN_I8",   "NN_BOOL"};
    return names[dtype];
}

static bool nn__c_is_digit(char c) { return c >= '0' && c <= '9'; }
static bool nn__c_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

NN__ONNX_PRIVATE const char *nn__c_new_name(nn__c_writer *w, nn__onnx_map *names,
                                            const char *base) {
    char clean[64];
    size_t length = 0;
    if (!nn__c_is_letter(*base) || strncmp(base, "nn_", 3) == 0 || strncmp(base, "NN_", 3) == 0)
        clean[length++] = 'x';
    for (; *base && length < sizeof clean - 1; base++) {
        const char c = nn__c_is_letter(*base) || nn__c_is_digit(*base) ? *base : '_';
        if (c == '_' && length > 0 && clean[length - 1] == '_') continue; /* C++ reserves __ */
        clean[length++] = c;
    }
    clean[length] = 0;
    if (length == 0 || clean[0] == '_') clean[0] = 'x';
    for (int64_t i = 1; w->e.call->code == NN_OK; i++) {
        const char *name = i == 1 ? nn__c_text(w, "%s", clean) : nn__c_text(w, "%s_%d", clean, i);
        if (nn__onnx_find(names, name)) continue;
        if (nn__onnx_set(w->e.call, names, name, (void *)w)) return name;
    }
    return "x";
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool nn__c_is_among(const char *call, const char *const *calls, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(call, calls[i]) == 0) return true;
    return false;
}

NN__ONNX_PRIVATE void nn__c_begin(nn__c_writer *w, const char *call) {
    static const char *const more[] = {NN__ONNX_CALLS_OF_MORE},
                             *const sequence[] = {NN__ONNX_CALLS_OF_SEQUENCE},
                             *const quantize[] = {NN__ONNX_CALLS_OF_QUANTIZE};
    w->more |= nn__c_is_among(call, more, sizeof more / sizeof *more);
    w->sequence |= nn__c_is_among(call, sequence, sizeof sequence / sizeof *sequence);
    w->quantize |= nn__c_is_among(call, quantize, sizeof quantize / sizeof *quantize);
    w->call = call;
    w->args.size = w->fields.size = 0;
}

NN__ONNX_PRIVATE void nn__c_arg(nn__c_writer *w, const char *format, ...) {
    va_list arguments;
    nn__c_print(&w->args, ", ");
    va_start(arguments, format);
    nn__c_print_with(&w->args, format, &arguments);
    va_end(arguments);
}

NN__ONNX_PRIVATE void nn__c_field_text(nn__c_writer *w, const char *field, const char *text) {
    nn__c_print(&w->fields, "        d.%s = %s;\n", field, text);
}

NN__ONNX_PRIVATE void nn__c_field(nn__c_writer *w, const char *field, int64_t number,
                                  int64_t usual) {
    if (number != usual) nn__c_print(&w->fields, "        d.%s = %d;\n", field, number);
}

NN__ONNX_PRIVATE void nn__c_field_or_none(nn__c_writer *w, const char *field, int64_t number,
                                          int64_t usual) {
    if (number == 0 && usual != 0)
        nn__c_field_text(w, field, "NN_NONE");
    else
        nn__c_field(w, field, number, usual);
}

NN__ONNX_PRIVATE void nn__c_field_real(nn__c_writer *w, const char *field, float number,
                                       float usual) {
    if (memcmp(&number, &usual, sizeof number) == 0) return;
    nn__c_field_text(w, field, number == 0.0f ? "(float)NN_NONE" : nn__c_real(w, number, false));
}

NN__ONNX_PRIVATE void nn__c_field_true(nn__c_writer *w, const char *field, bool value) {
    if (value) nn__c_field_text(w, field, "true");
}

NN__ONNX_PRIVATE void nn__c_field_node(nn__c_writer *w, const char *field, const nn_view *view) {
    if (view->dtype) nn__c_field_text(w, field, nn__c_in(w, view));
}

/* Prints the arguments, without the comma before the first. */
static void nn__c_print_call(nn__c_writer *w, const char *last) {
    nn__c_print(&w->body, "%s(net", w->call);
    if (w->args.size > 0) nn__onnx_add_bytes(&w->body, w->args.at, w->args.size);
    nn__c_print(&w->body, "%s);\n", last);
}

NN__ONNX_PRIVATE const char *nn__c_end_as(nn__c_writer *w, const char *type, const char *name) {
    if (!nn__onnx_writes_on(&w->e)) return "";
    if (w->fields.size == 0 || !type) {
        nn__c_print(&w->body, "    nn_node *%s = ", name);
        nn__c_print_call(w, type ? ", NULL" : "");
        return name;
    }
    nn__c_print(&w->body,
                "    nn_node *%s;\n    {\n        %s d;\n"
                "        memset(&d, 0, sizeof d);\n",
                name, type);
    nn__onnx_add_bytes(&w->body, w->fields.at, w->fields.size);
    nn__c_print(&w->body, "        %s = ", name);
    nn__c_print_call(w, ", &d");
    nn__c_print(&w->body, "    }\n");
    return name;
}

NN__ONNX_PRIVATE void nn__c_end(nn__c_writer *w, const char *type, const nn_view *y) {
    const nn_node *node = nn__onnx_node_at(y);
    const char *name;
    if (!node || !nn__onnx_writes_on(&w->e)) return;
    name = nn__c_new_name(w, &w->variables, nn_node_name(node));
    nn__onnx_set_value(&w->e, node, nn__c_end_as(w, type, name));
}

NN__ONNX_PRIVATE bool nn__c_is_whole(const nn_view *view) {
    nn_shape shape = nn_node_shape(nn__onnx_node_at(view));
    if (shape.rank != view->shape.rank) return false;
    for (int i = 0; i < shape.rank; i++) {
        uint8_t powers;
        const int64_t number = nn__onnx_split_extent(shape.extent[i], &powers);
        const int64_t free = (powers & NN__ONNX_B ? NN__ONNX_B1 : 1) *
                             (int64_t)(powers & NN__ONNX_T ? NN__ONNX_T1 : 1);
        if (number * free != view->shape.extent[i]) return false;
    }
    return true;
}

NN__ONNX_PRIVATE const char *nn__c_in(nn__c_writer *w, const nn_view *view) {
    return nn__onnx_value_of(&w->e, nn__onnx_node_at(view));
}

NN__ONNX_PRIVATE const char *nn__c_seen(nn__c_writer *w, const nn_view *a, const nn_view *b) {
    return nn__onnx_seen(&w->e, a, b);
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* Returns the length of a name before ".part", where part is one that layers have; 0: none. */
static size_t nn__c_part_length(const char *name) {
    static const char *const parts[] = {".weight", ".bias", ".running_mean", ".running_var",
                                        ".num_batches_tracked", ".factor", ".zero", ".scale",
                                        ".numbers", ".table", ".rows", ".columns"};
    const char *end = strrchr(name, '.');
    if (!end || end == name) return 0;
    if (strncmp(end, ".weight_ih", 10) == 0 || strncmp(end, ".weight_hh", 10) == 0 ||
        strncmp(end, ".weight_hr", 10) == 0 || strncmp(end, ".bias_ih", 8) == 0 ||
        strncmp(end, ".bias_hh", 8) == 0 || strncmp(end, ".state", 6) == 0)
        return (size_t)(end - name);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(end, parts[i]) == 0) return (size_t)(end - name);
    return 0;
}

static bool nn__c_is_layers_leaf(const nn_node *node) {
    const nn_node_kind kind = nn_describe_node(node).kind;
    return kind == NN_NODE_PARAMETER || kind == NN_NODE_BUFFER || kind == NN_NODE_INPUT;
}

NN__ONNX_PRIVATE bool nn__c_is_part(const nn_node *node, const char *layer) {
    const nn_node *leaf = nn__onnx_stored(node);
    const size_t length = nn__c_part_length(nn_node_name(leaf));
    return length > 0 && nn__c_is_layers_leaf(leaf) && strlen(layer) == length &&
           memcmp(nn_node_name(leaf), layer, length) == 0;
}

NN__ONNX_PRIVATE const char *nn__c_layer_of(nn__c_writer *w, const nn_node *node,
                                            const char *part) {
    const nn_node *leaf = node ? nn__onnx_stored(node) : NULL;
    const char *name = leaf ? nn_node_name(leaf) : "";
    const size_t length = leaf && nn__c_is_layers_leaf(leaf) ? nn__c_part_length(name) : 0;
    if (length == 0 || strcmp(name + length + 1, part) != 0) return NULL;
    return nn__onnx_copy_text(w->e.call, &w->e.arena, name, length);
}

NN__ONNX_PRIVATE const char *nn__c_layer_at(nn__c_writer *w, const nn_node_description *d) {
    static const char *const layers[] = {"linear",
                                         "linear_transposed",
                                         "conv1d",
                                         "conv2d",
                                         "conv_transpose1d",
                                         "layer_norm",
                                         "conv_transpose2d",
                                         "rms_norm",
                                         "group_norm",
                                         "instance_norm",
                                         "batch_norm",
                                         "batch_norm1d",
                                         "batch_norm2d",
                                         "batch_norm3d",
                                         "embedding",
                                         "lstm",
                                         "gru",
                                         "rnn",
                                         "max_pool1d",
                                         "avg_pool1d",
                                         "integer_linear",
                                         "integer_conv2d",
                                         "integer_pool2d",
                                         "integer_add",
                                         "integer_multiply",
                                         "integer_table",
                                         "integer_conv_transpose2d",
                                         "integer_resize2d",
                                         "integer_recurrent",
                                         "integer_softmax",
                                         "quantize",
                                         "dequantize"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof layers / sizeof *layers && !found; i++)
        if (strcmp(d->operation, layers[i]) == 0) found = layers[i];
    for (int k = 0; k < d->input_count && found; k++) {
        const nn_node *leaf = nn__onnx_stored(d->inputs[k]);
        const char *name = nn_node_name(leaf), *layer;
        const size_t length = nn__c_part_length(name);
        if (length == 0 || !nn__c_is_layers_leaf(leaf) || strncmp(name + length, ".bias", 5) == 0)
            continue;
        if (nn_describe_node(leaf).kind == NN_NODE_INPUT && !nn__c_is_state(w, leaf, NULL))
            continue;
        layer = nn__onnx_copy_text(w->e.call, &w->e.arena, name, length);
        /* a weight and a bias of two layers are read as nodes */
        return k == 1 && d->input_count == 3 && strcmp(found, "embedding") != 0 &&
                       d->kernel != NN_KERNEL_RECURRENT_FORWARD && layer &&
                       !nn__c_is_part(d->inputs[2], layer)
                   ? NULL
                   : layer;
    }
    return NULL;
}

NN__ONNX_PRIVATE void nn__c_begin_layer(nn__c_writer *w, const char *call, const char *layer,
                                        const char *x) {
    bool shared = nn__onnx_find(&w->layers, layer) != NULL;
    for (int32_t i = 0; i < w->count && !shared; i++)
        shared = *nn__onnx_text_of(&w->alone, w->nodes[i]) && nn__c_is_part(w->nodes[i], layer);
    nn__c_begin(w, call);
    nn__c_arg(w, "%s", nn__c_quoted(w, layer));
    nn__c_arg(w, "%s", x);
    nn__c_field_true(w, "shared", shared);
    nn__onnx_set(w->e.call, &w->layers, layer, (void *)w);
}
