/* onnx/write_copy.c - copies: the operators of save_copy.c as calls of nn.h. Lists of numbers and
   shapes are texts here: "0, 1". */
#include "onnx/write_emit.h"

/* Reads the next whole number of a list; false: there is none. */
static bool nn__c_next_whole(const char **at, int32_t *number) {
    bool negative = false;
    int64_t value = 0;
    while (**at == ' ' || **at == ',') ++*at;
    if (**at == '-') negative = true, ++*at;
    if (**at < '0' || **at > '9') return false;
    for (; **at >= '0' && **at <= '9'; ++*at) value = 10 * value + (**at - '0');
    *number = (int32_t)(negative ? -value : value);
    return true;
}

static int nn__c_read_list(const char *text, int32_t *to, int most) {
    int count = 0;
    while (count < most && nn__c_next_whole(&text, &to[count])) count++;
    return count;
}

static const char *nn__c_step_name(nn__c_writer *w) {
    return nn__c_new_name(w, &w->variables, nn_node_name(w->e.current));
}

static const char *nn__c_flip(nn__c_writer *w, const char *x, int32_t axis) {
    nn__c_begin(w, "nn_flip");
    nn__c_arg(w, "%s", x);
    nn__c_arg(w, "NN_AXES(%d)", (int64_t)axis);
    return nn__c_end_as(w, NULL, nn__c_step_name(w));
}

/* Writes the Slice of one axis and returns the name of its result. A negative step becomes nn_flip
   and a positive step: place i of the axis is place -1 - i after the flip. */
static const char *nn__c_slice(nn__c_writer *w, const char *x, int32_t axis, int32_t start,
                               int32_t stop, int32_t step) {
    const bool open = stop == INT32_MAX || stop == INT32_MIN + 1;
    if (step < 0) {
        x = nn__c_flip(w, x, axis);
        step = -step;
        start = -1 - start;
        stop = open ? stop : -1 - stop;
    }
    if (start == 0 && open && step == 1) return x;
    nn__c_begin(w, "nn_slice");
    nn__c_arg(w, "%s", x);
    nn__c_field(w, "axis", axis, 0);
    nn__c_field(w, "start", start, 0);
    if (!open) nn__c_field(w, "stop", stop, 0);
    nn__c_field(w, "step", step, 1);
    return nn__c_end_as(w, "nn_slice_desc", nn__c_step_name(w));
}

static const char *nn__c_slices(nn__c_writer *w) {
    const char *x = w->e.op_names[0];
    int32_t lists[4][NN_MAX_RANK];
    int count = 0;
    for (int i = 0; i < 4; i++)
        count = nn__c_read_list(w->e.op_names[i + 1], lists[i], NN_MAX_RANK);
    for (int i = 0; i < count; i++)
        x = nn__c_slice(w, x, lists[2][i], lists[0][i], lists[1][i], lists[3][i]);
    return x;
}

/* Returns the value that fills the padding: the bits of save_copy.c, as a number of the dtype. */
static float nn__c_padding(const nn__c_writer *w, nn_dtype dtype) {
    float real;
    const uint32_t bits = (uint32_t)w->e.padding;
    if (dtype == NN_I32) return (float)(int32_t)bits;
    if (dtype == NN_U8 || dtype == NN_BOOL) return (float)(bits & 255);
    if (dtype == NN_I8) return (float)(int8_t)(bits & 255);
    memcpy(&real, &bits, sizeof real);
    return real;
}

static const char *nn__c_pad(nn__c_writer *w) {
    static const char *const before[] = {"left", "top", "front"}, *const after[] = {
                                                                      "right", "bottom", "back"};
    const nn_dtype dtype = nn_node_dtype(w->e.current);
    int32_t pads[4 * NN_MAX_RANK];
    const int count = nn__c_read_list(w->e.op_names[1], pads, 4 * NN_MAX_RANK), rank = count / 2;
    if (dtype != NN_F32 && w->e.padding != 0 && nn_dtype_size(dtype) != 4 && dtype != NN_U8)
        nn__onnx_cannot(&w->e, "it pads a %s with a number other than 0", nn_dtype_name(dtype));
    nn__c_begin(w, "nn_pad");
    nn__c_arg(w, "%s", w->e.op_names[0]);
    for (int i = 0; i < rank; i++) {
        const int from_end = rank - 1 - i;
        if (from_end > 2 && (pads[i] || pads[rank + i]))
            nn__onnx_cannot(&w->e, "it pads an axis before the last three");
        if (from_end > 2) continue;
        nn__c_field(w, before[from_end], pads[i], 0);
        nn__c_field(w, after[from_end], pads[rank + i], 0);
    }
    if (w->e.padding != 0)
        nn__c_field_text(w, "value", nn__c_real(w, nn__c_padding(w, dtype), false));
    return nn__c_end_as(w, "nn_pad_desc", nn__c_step_name(w));
}

static nn_shape nn__c_read_shape(const char *text) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = nn__c_read_list(text, shape.extent, NN_MAX_RANK);
    return shape;
}

static const char *nn__c_with_shape(nn__c_writer *w, const char *call) {
    const nn_shape shape = nn__c_read_shape(w->e.op_names[1]);
    nn__c_begin(w, call);
    nn__c_arg(w, "%s", w->e.op_names[0]);
    nn__c_arg(w, "%s", nn__c_shape(w, &shape));
    return nn__c_end_as(w, NULL, nn__c_step_name(w));
}

static const char *nn__c_expand(nn__c_writer *w) {
    if (nn_node_dtype(w->e.current) != NN_F32)
        nn__onnx_cannot(&w->e, "it repeats elements of %s",
                        nn_dtype_name(nn_node_dtype(w->e.current)));
    return nn__c_with_shape(w, "nn_expand");
}

static const char *nn__c_permute(nn__c_writer *w) {
    const char *axes = "";
    if (w->e.op_order_count > NN_MAX_RANK)
        nn__onnx_cannot(&w->e, "it permutes more than %d axes", (int64_t)NN_MAX_RANK);
    for (int i = 0; i < w->e.op_order_count; i++)
        axes = nn__c_text(w, i ? "%s, %d" : "%s%d", axes, (int64_t)w->e.op_order[i]);
    nn__c_begin(w, "nn_permute");
    nn__c_arg(w, "%s", w->e.op_names[0]);
    nn__c_arg(w, "NN_AXES(%s)", axes);
    return nn__c_end_as(w, NULL, nn__c_step_name(w));
}

static const char *nn__c_concat(nn__c_writer *w) {
    const char *name = nn__c_step_name(w);
    if (!nn__onnx_writes_on(&w->e)) return "";
    /* a C++ list needs a name, see base/list.h */
    nn__c_print(&w->body, "    nn_node *%s;\n    {\n        nn_node *const parts[] = {", name);
    for (int i = 0; i < w->e.op_inputs; i++)
        nn__c_print(&w->body, i ? ", %s" : "%s", w->e.op_names[i]);
    nn__c_print(&w->body,
                "};\n        nn_nodes list;\n        list.node = parts;\n"
                "        list.count = %d;\n        %s = nn_concat(net, list, %d);\n    }\n",
                (int64_t)w->e.op_inputs, name, (int64_t)w->e.op_axis);
    return name;
}

NN__ONNX_PRIVATE void nn__c_end_op(nn__onnx_emitter *e) {
    nn__c_writer *w = nn__c_of(e);
    const char *type = e->op_type, *made = "";
    if (strcmp(type, "Slice") == 0)
        made = nn__c_slices(w);
    else if (strcmp(type, "Transpose") == 0)
        made = nn__c_permute(w);
    else if (strcmp(type, "Reshape") == 0)
        made = nn__c_with_shape(w, "nn_reshape");
    else if (strcmp(type, "Expand") == 0)
        made = nn__c_expand(w);
    else if (strcmp(type, "Concat") == 0)
        made = nn__c_concat(w);
    else if (strcmp(type, "Pad") == 0)
        made = nn__c_pad(w);
    else
        nn__onnx_cannot(e, "it moves elements in a pattern that no single call of nn.h gives");
    e->op_made = made;
}

NN__ONNX_PRIVATE void nn__c_write_copy(nn__c_writer *w, const nn_strided_copy_args *a,
                                       const nn_strided_copy_args *b) {
    const nn_node_description d = nn_describe_node(w->e.current);
    if (strcmp(d.operation, "clone") == 0 && a->count == 1) {
        nn__c_begin(w, "nn_clone");
        nn__c_arg(w, "%s", nn__onnx_value_of(&w->e, d.inputs[0]));
        nn__c_end(w, NULL, &a->y);
        return;
    }
    if (strcmp(d.operation, "unfold") == 0 || strcmp(d.operation, "fold") == 0) {
        nn__onnx_cannot(&w->e, "its windows overlap");
        return;
    }
    nn__onnx_save_copy(&w->e, a, b);
}
