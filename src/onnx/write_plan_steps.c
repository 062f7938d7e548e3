/* onnx/write_plan_steps.c - lists what a plan of constants consists of: values, the tensors by
   which kernels access them, and the kernels' calls with their arguments. */
#include "onnx/planned.h"

/* ---- nodes ----------------------------------------------------------------------------------- */

static int nn__planned_index(const nn__planned *p, const nn_node *node) {
    for (int i = 0; i < p->w.count; i++)
        if (p->w.nodes[i] == node) return i;
    return -1;
}

static bool nn__planned_is_needed(const nn__planned *p, const nn_node *node) {
    return *nn__onnx_text_of(&p->w.e.needed, node) != 0;
}

/* Marks the nodes that the outputs need. Nodes come after those that they read. */
static bool nn__planned_mark(nn__planned *p) {
    nn__onnx_emitter *e = &p->w.e;
    for (int k = 0; k < p->desc->outputs.count; k++)
        nn__onnx_set_text(e, &e->needed, p->desc->outputs.node[k], "needed");
    for (int32_t i = p->w.count - 1; i >= 0; i--) {
        const nn_node_description d = nn_describe_node(p->w.nodes[i]);
        if (!nn__planned_is_needed(p, p->w.nodes[i])) continue;
        if (d.owner) nn__onnx_set_text(e, &e->needed, d.owner, "needed");
        for (int k = 0; k < (d.alias ? 1 : d.input_count); k++)
            nn__onnx_set_text(e, &e->needed, d.inputs[k], "needed");
    }
    return e->call->code == NN_OK;
}

/* True if the input keeps its value from run to run. */
static bool nn__planned_is_state(const nn__planned *p, const nn_node *node) {
    for (int32_t i = 0; i < p->w.count; i++) {
        const nn_node_description d = nn_describe_node(p->w.nodes[i]);
        if (d.effect && d.input_count > 0 && d.inputs[0] == node) return true;
    }
    return false;
}

/* ---- values and tensors ---------------------------------------------------------------------- */

static int nn__planned_add_value(nn__planned *p, const nn_node *node, bool leaf) {
    nn__planned_value *value = &p->values[p->value_count];
    value->node = node;
    value->leaf = leaf;
    value->first = INT_MAX;
    value->last = -1;
    value->same = -1;
    for (int k = 0; k < p->desc->outputs.count; k++)
        value->output |= p->desc->outputs.node[k] == node;
    return p->value_count++;
}

/* Returns the value of a node, or -1. */
static int nn__planned_value_of(const nn__planned *p, const nn_node *node) {
    const int i = nn__planned_index(p, node);
    return i < 0 ? -1 : p->of[i];
}

/* Returns the tensor of a value in a shape, counted from 1. Records that the current step uses the
   value. */
static int nn__planned_tensor_of(nn__planned *p, int value, const nn_view *view) {
    nn__planned_value *of = &p->values[value];
    const int64_t bytes = nn_shape_count(view->shape) * (int64_t)nn_dtype_size(view->dtype);
    if (bytes > of->bytes) of->bytes = bytes;
    if (p->step_count < of->first) of->first = p->step_count;
    if (p->step_count > of->last) of->last = p->step_count;
    for (int i = 0; i < p->tensor_count; i++)
        if (p->tensors[i].value == value && p->tensors[i].dtype == view->dtype &&
            nn_same_shape(p->tensors[i].shape, view->shape))
            return i + 1;
    if (p->tensor_count == p->tensor_room || p->tensor_count == UINT16_MAX - 1) {
        nn__onnx_cannot(&p->w.e, "the plan has too many tensors");
        return 0;
    }
    p->tensors[p->tensor_count].value = value;
    p->tensors[p->tensor_count].dtype = view->dtype;
    p->tensors[p->tensor_count].shape = view->shape;
    return ++p->tensor_count;
}

/* Returns the tensor of an argument, from 1 on; 0: it is absent, or a second result that nothing
   reads. */
static int nn__planned_argument(nn__planned *p, const nn_view *view) {
    const nn_node *node = nn__onnx_node_at(view);
    const nn_node *current = p->w.e.current;
    int value;
    if (!node) return 0;
    if (node != current && nn_describe_node(node).owner == current &&
        !nn__planned_is_needed(p, node))
        return 0;
    if (view->dtype != NN_F32 && view->dtype != NN_I32 && view->dtype != NN_U8 &&
        view->dtype != NN_I8 && view->dtype != NN_BOOL) {
        nn__onnx_cannot(&p->w.e, "%q has the dtype %s; constants are f32, i32, u8, i8 or bool",
                        nn_node_name(node), nn_dtype_name(view->dtype));
        return 0;
    }
    value = nn__planned_value_of(p, node);
    if (value < 0 && (node == current || nn_describe_node(node).owner == current)) {
        value = nn__planned_add_value(p, node, false);
        p->of[nn__planned_index(p, node)] = value;
    }
    return value < 0 ? 0 : nn__planned_tensor_of(p, value, view);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static int64_t nn__planned_number(const nn__planned_field *field, const char *args) {
    const char *at = args + field->at;
    uint8_t byte;
    int16_t half;
    int32_t word;
    int64_t wide;
    memcpy(&byte, at, sizeof byte);
    if (field->bytes == 1) return byte;
    if (field->bytes == 2) {
        memcpy(&half, at, sizeof half);
        return half;
    }
    if (field->bytes == 8) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&word, at, sizeof word);
    return word;
}

static void nn__planned_fields(nn__planned *p, nn__planned_step *step, const char *args) {
    for (int i = 0; i < step->kernel->count; i++) {
        const nn__planned_field *field = &step->kernel->fields[i];
        if (field->kind == 'v') {
            nn_view view;
            memcpy(&view, args + field->at, sizeof view);
            step->fields[i] = nn__planned_argument(p, &view);
        } else {
            step->fields[i] = nn__planned_number(field, args);
            if (step->fields[i] < INT32_MIN || step->fields[i] > INT32_MAX)
                nn__onnx_cannot(&p->w.e, "its argument %s is too large", field->name);
        }
    }
}

/* Copies the instructions, and notes what they need. */
static void nn__planned_program_of(nn__planned *p, nn__planned_step *step,
                                   const nn_program_args *a) {
    const nn_program *program = &a->program;
    const nn_view *y = &a->outputs[0];
    step->code_count = program->count;
    step->code = (nn_instruction *)nn__onnx_take(p->w.e.call, &p->w.e.arena,
                                                 sizeof *step->code * (uint64_t)program->count);
    if (!step->code) return;
    memcpy(step->code, program->code, sizeof *step->code * (size_t)program->count);
    if (program->output_count != 1 || program->scalar_count > 8 || a->item_count || a->accumulate)
        nn__onnx_cannot(&p->w.e, "its program has several results or more than 8 scalars");
    for (int i = 0; i < program->count; i++) {
        if (step->code[i].code == NN_CODE_RANDOM)
            nn__onnx_cannot(&p->w.e, "it draws random numbers");
        p->rows[step->code[i].code] = true;
    }
    p->dtypes |= y->dtype != NN_F32;
    for (int i = 0; i < program->input_count; i++) {
        p->dtypes |= a->inputs[i].dtype != NN_F32;
        p->general |= !nn_same_shape(a->inputs[i].shape, y->shape);
    }
}

static void nn__planned_pieces_of(nn__planned *p, nn__planned_step *step,
                                  const nn_strided_copy_args *a) {
    step->piece_count = a->count;
    step->pieces = (nn_copy_piece *)nn__onnx_take(
        p->w.e.call, &p->w.e.arena, sizeof *step->pieces * (uint64_t)(a->count ? a->count : 1));
    for (int i = 0; step->pieces && i < a->count; i++) {
        step->pieces[i] = a->pieces[i];
        step->pieces[i].x.handle = (void *)(size_t)nn__planned_argument(p, &a->pieces[i].x);
    }
}

/* Notes options that NN_NO_RARE_OPTIONS leaves out. */
static bool nn__planned_is_rare(const nn__planned_step *step, const void *args) {
    const nn_pool2d_args *pool = (const nn_pool2d_args *)args;
    return step->kernel->kernel == NN_KERNEL_POOL2D_FORWARD &&
           (pool->dilation_h > 1 || pool->dilation_w > 1 || pool->divisor || pool->adaptive);
}

/* Notes the optional file that has the kernel. */
static void nn__planned_files(nn__c_writer *w, const char *kernel) {
    w->more |= strncmp(kernel, "resize_", 7) == 0 || strncmp(kernel, "grid_sample", 11) == 0 ||
               strncmp(kernel, "sort", 4) == 0 || strncmp(kernel, "gather_elements", 15) == 0 ||
               strncmp(kernel, "scatter_elements", 16) == 0 || strncmp(kernel, "ctc_", 4) == 0;
    w->sequence |= strncmp(kernel, "recurrent_", 10) == 0 ||
                   strncmp(kernel, "attention_", 10) == 0 || strcmp(kernel, "rotary") == 0 ||
                   strcmp(kernel, "cache") == 0;
    w->quantize |= strncmp(kernel, "integer_", 8) == 0 || strncmp(kernel, "quantize", 8) == 0 ||
                   strncmp(kernel, "dequantize", 10) == 0 || strncmp(kernel, "nibble_", 7) == 0;
}

/* Asks the plain kernels for the scratch memory of a call. */
static void nn__planned_scratch_of(nn__planned *p, nn_kernel kernel, const void *args) {
    void *state = NULL;
    const nn_backend *first = nn_device_backend(p->plain, nn_device_at(p->plain, 0), &state);
    const int64_t bytes = first ? (int64_t)first->scratch_bytes(state, kernel, args) : 0;
    if (bytes > p->scratch) p->scratch = bytes;
}

static void nn__planned_call(void *user, nn_kernel kernel, const void *args) {
    nn__planned *p = (nn__planned *)user;
    nn__planned_step *step = &p->steps[p->step_count];
    step->kernel = nn__planned_find_kernel(kernel);
    step->node = p->w.e.current;
    if (!step->kernel) {
        nn__onnx_cannot(&p->w.e, "plans of constants do not have the kernel %s",
                        nn_kernel_name(kernel));
        return;
    }
    nn__planned_fields(p, step, (const char *)args);
    if (kernel == NN_KERNEL_POINTWISE)
        nn__planned_program_of(p, step, (const nn_program_args *)args);
    if (kernel == NN_KERNEL_STRIDED_COPY)
        nn__planned_pieces_of(p, step, (const nn_strided_copy_args *)args);
    p->rare |= nn__planned_is_rare(step, args);
    nn__planned_files(&p->w, nn_kernel_name(kernel));
    nn__planned_scratch_of(p, kernel, args);
    p->step_count++;
}

/* ---- relu, which becomes a part of the step before it ---------------------------------------- */

/* Counts the nodes that read a node, and the outputs that are the node. */
static int nn__planned_readers(const nn__planned *p, const nn_node *node) {
    int readers = 0;
    for (int32_t i = 0; i < p->w.count; i++) {
        const nn_node_description d = nn_describe_node(p->w.nodes[i]);
        if (!nn__planned_is_needed(p, p->w.nodes[i])) continue;
        for (int k = 0; k < (d.alias ? 1 : d.input_count); k++) readers += d.inputs[k] == node;
    }
    for (int k = 0; k < p->desc->outputs.count; k++) readers += p->desc->outputs.node[k] == node;
    return readers;
}

/* Joins a relu with the product or convolution that makes its input, if nothing else reads it. */
static bool nn__planned_joins(nn__planned *p, const nn_node *node, const nn_node_description *d) {
    const nn_node *x = d->input_count == 1 ? d->inputs[0] : NULL;
    const int value = x ? nn__planned_value_of(p, x) : -1;
    if (value < 0 || strcmp(d->operation, "relu") != 0) return false;
    for (int s = p->step_count - 1; s >= 0; s--) {
        nn__planned_step *step = &p->steps[s];
        const int at = nn__planned_field_at(step->kernel, "epilogue.activation");
        if (step->node != x) continue;
        if (at < 0 || step->fields[at] || nn__planned_readers(p, x) != 1) return false;
        step->fields[at] = NN_ACTIVATION_RELU;
        p->relu = true;
        for (int k = 0; k < p->desc->outputs.count; k++)
            p->values[value].output |= p->desc->outputs.node[k] == node;
        p->of[nn__planned_index(p, node)] = value;
        return true;
    }
    return false;
}

/* ---- all nodes ------------------------------------------------------------------------------- */

static void nn__planned_leaf(nn__planned *p, int32_t i, const nn_node_description *d) {
    const nn_node *node = p->w.nodes[i];
    if (d->kind == NN_NODE_TENSOR)
        nn__onnx_cannot(&p->w.e, "it is a tensor of the program's own (nn_borrow)");
    if (d->kind == NN_NODE_INPUT && nn__planned_is_state(p, node))
        nn__onnx_cannot(&p->w.e, "it keeps its value from run to run");
    p->of[i] = nn__planned_add_value(p, node, d->kind != NN_NODE_INPUT);
}

static void nn__planned_node(nn__planned *p, int32_t i) {
    nn_node *node = p->w.nodes[i];
    const nn_node_description d = nn_describe_node(node);
    nn__onnx_emitter *e = &p->w.e;
    e->current = node;
    e->refused_before = e->refusal_count;
    if (!nn__planned_is_needed(p, node) || d.kind == NN_NODE_OUTPUT || d.effect) return;
    if (d.kind != NN_NODE_OPERATION) {
        nn__planned_leaf(p, i, &d);
        return;
    }
    for (int k = 0; k < (d.alias ? 1 : d.input_count); k++)
        if (nn__planned_value_of(p, d.inputs[k]) < 0) return; /* follows from a refusal */
    if (d.alias) {
        p->of[i] = nn__planned_value_of(p, d.inputs[0]);
        for (int k = 0; k < p->desc->outputs.count; k++)
            p->values[p->of[i]].output |= p->desc->outputs.node[k] == node;
        if (nn_node_dtype(node) != nn_node_dtype(d.inputs[0]))
            nn__onnx_cannot(e, "it reads another dtype");
    } else if (d.remembers) {
        nn__onnx_cannot(e, "it is a cache, which keeps values from run to run");
    } else if (!nn__planned_joins(p, node, &d) &&
               nn_node_call_at(e->call->site, node, p->desc->batch ? p->desc->batch : 1,
                               p->desc->time ? p->desc->time : 1, nn__planned_call, p) != NN_OK) {
        e->call->code = NN_ERROR_MEMORY;
    }
}

/* Refuses outputs that no step computes. */
static void nn__planned_check_outputs(nn__planned *p) {
    for (int k = 0; k < p->desc->outputs.count; k++) {
        const int value = nn__planned_value_of(p, p->desc->outputs.node[k]);
        p->w.e.current = p->desc->outputs.node[k];
        p->w.e.refused_before = p->w.e.refusal_count;
        if (value >= 0 && (p->values[value].leaf ||
                           nn_describe_node(p->values[value].node).kind == NN_NODE_INPUT))
            nn__onnx_cannot(&p->w.e, "no step computes this output; read the input or the weight");
    }
}

NN__ONNX_PRIVATE bool nn__planned_list(nn__planned *p) {
    nn__onnx_call *call = p->w.e.call;
    nn__onnx_arena *arena = &p->w.e.arena;
    uint64_t count;
    if (!nn__c_list_nodes(&p->w) || !nn__planned_mark(p)) return false;
    count = (uint64_t)p->w.count + 1;
    p->tensor_room = (int)(count * 12);
    p->values = (nn__planned_value *)nn__onnx_take(call, arena, count * sizeof *p->values);
    p->steps = (nn__planned_step *)nn__onnx_take(call, arena, count * sizeof *p->steps);
    p->of = (int *)nn__onnx_take(call, arena, count * sizeof *p->of);
    p->tensors = (nn__planned_tensor *)nn__onnx_take(call, arena,
                                                     (uint64_t)p->tensor_room * sizeof *p->tensors);
    if (call->code != NN_OK) return false;
    for (int32_t i = 0; i < p->w.count; i++) p->of[i] = -1;
    for (int32_t i = 0; i < p->w.count && call->code == NN_OK; i++) nn__planned_node(p, i);
    nn__planned_check_outputs(p);
    if (call->code == NN_OK && p->w.e.refusal_count > 0)
        return nn__onnx_fail(call, NN_ERROR_UNSUPPORTED,
                             "parts of the net that cannot be written as a plan of constants: %d; "
                             "nothing was written; name other .outputs, or call nn_write_c, which "
                             "prints the description:%s",
                             (int64_t)p->w.e.refusal_count, p->w.e.refusals.text);
    return call->code == NN_OK;
}
