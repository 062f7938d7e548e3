/* onnx/save.c - nn_save_onnx: chooses the nodes of the file, their order and their names. */
#include "onnx/save_file.h"

/* ---- which nodes are needed ------------------------------------------------------------------ */

typedef struct nn__onnx_node_list {
    nn_node **nodes;
    int32_t count;
} nn__onnx_node_list;

static bool nn__onnx_list_nodes(nn__onnx_emitter *e, nn__onnx_node_list *list) {
    nn_node *node;
    for (node = nn_next_node(e->net, NULL); node; node = nn_next_node(e->net, node)) list->count++;
    list->nodes =
        (nn_node **)nn__onnx_take(e->call, &e->arena, (uint64_t)list->count * sizeof *list->nodes);
    if (!list->nodes) return false;
    list->count = 0;
    for (node = nn_next_node(e->net, NULL); node; node = nn_next_node(e->net, node))
        list->nodes[list->count++] = node;
    return true;
}

/* Keeps the nodes that the outputs need. */
static bool nn__onnx_keep_needed(nn__onnx_emitter *e, nn__onnx_node_list *list) {
    int32_t kept = 0;
    for (int k = 0; k < e->desc->outputs.count; k++)
        nn__onnx_set_text(e, &e->needed, e->desc->outputs.node[k], "needed");
    for (int32_t i = list->count - 1; i >= 0; i--) {
        const nn_node_description d = nn_describe_node(list->nodes[i]);
        if (!*nn__onnx_text_of(&e->needed, list->nodes[i])) continue;
        if (d.owner) nn__onnx_set_text(e, &e->needed, d.owner, "needed");
        const int rounded = nn__onnx_find_rounding(e, list->nodes[i]);
        const int read = rounded >= 0 ? rounded : d.alias ? 1 : d.input_count;
        for (int k = 0; k < read; k++) nn__onnx_set_text(e, &e->needed, d.inputs[k], "needed");
    }
    for (int32_t i = 0; i < list->count; i++)
        if (*nn__onnx_text_of(&e->needed, list->nodes[i])) list->nodes[kept++] = list->nodes[i];
    list->count = kept;
    return e->call->code == NN_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *nn__onnx_name_of_output(const nn__onnx_emitter *e, int k) {
    return e->desc->output_names.count > 0 ? e->desc->output_names.text[k]
                                           : nn_node_name(e->desc->outputs.node[k]);
}

static bool nn__onnx_is_leaf(nn_node_kind kind) {
    return kind != NN_NODE_NONE && kind != NN_NODE_OPERATION && kind != NN_NODE_OUTPUT;
}

/* True if output k is an input under the input's name, for the first time. */
static bool nn__onnx_is_own_name(nn__onnx_emitter *e, int k, const char *wanted) {
    for (int i = 0; i < k; i++)
        if (strcmp(e->outputs[i], wanted) == 0) return false;
    return nn_describe_node(e->desc->outputs.node[k]).kind == NN_NODE_INPUT &&
           strcmp(nn__onnx_value_of(e, e->desc->outputs.node[k]), wanted) == 0;
}

/* Inputs keep their names, outputs get the names of the desc, and weights keep theirs unless
   something else has the name. */
static bool nn__onnx_name_ends(nn__onnx_emitter *e, const nn__onnx_node_list *list) {
    for (int32_t i = 0; i < list->count; i++)
        if (nn_describe_node(list->nodes[i]).kind == NN_NODE_INPUT)
            nn__onnx_set_value(e, list->nodes[i],
                               nn__onnx_new_name(e, nn_node_name(list->nodes[i])));
    for (int k = 0; k < e->desc->outputs.count; k++) {
        nn_node *node = e->desc->outputs.node[k];
        const char *wanted = nn__onnx_name_of_output(e, k), *name;
        if (nn__onnx_is_own_name(e, k, wanted)) {
            e->outputs[e->output_count++] = wanted;
            continue;
        }
        name = nn__onnx_new_name(e, wanted);
        if (strcmp(name, wanted) != 0 && e->call->code == NN_OK)
            return nn__onnx_fail(
                e->call, NN_ERROR_ARGUMENT,
                "two inputs or outputs are called %q; give them different names in .output_names",
                wanted);
        if (!nn__onnx_is_leaf(nn_describe_node(node).kind) && !*nn__onnx_value_of(e, node))
            nn__onnx_set_value(e, node, name);
        e->outputs[e->output_count++] = name;
    }
    return e->call->code == NN_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool nn__onnx_emit_leaf(nn__onnx_emitter *e, nn_node *node) {
    nn_node_description d = nn_describe_node(node);
    nn__onnx_numbers_out *made;
    if (d.kind == NN_NODE_INPUT) return true;
    if (!d.tensor && !nn_find_tensor_at(e->call->site, e->net, nn_node_name(node))) {
        e->call->code = NN_ERROR_MEMORY; /* nn_error has the reason */
        return false;
    }
    d = nn_describe_node(node);
    made = (nn__onnx_numbers_out *)nn__onnx_take(e->call, &e->arena, sizeof *made);
    if (!made) return false;
    made->name = nn__onnx_new_name(e, nn_node_name(node));
    made->dtype = nn_node_dtype(node);
    made->shape = nn_tensor_shape(d.tensor);
    made->tensor = d.tensor;
    made->bytes = nn_tensor_bytes(d.tensor);
    *e->last_numbers = made;
    e->last_numbers = &made->next;
    return nn__onnx_set_value(e, node, made->name);
}

static void nn__onnx_emit_alias(nn__onnx_emitter *e, nn_node *node, const nn_node_description *d) {
    const nn_shape from = nn_node_shape(d->inputs[0]), to = nn_node_shape(node);
    const char *x = nn__onnx_value_of(e, d->inputs[0]), *name = nn__onnx_value_of(e, node);
    if (nn_same_shape(from, to) && !*name) {
        nn__onnx_set_value(e, node, x);
        return;
    }
    if (!*name) name = nn__onnx_new_name(e, nn_node_name(node));
    nn__onnx_set_value(e, node, name);
    nn__onnx_reshape_out(e, x, &from, &to, name);
}

static const char *nn__onnx_cannot_why(nn_kernel kernel) {
    switch ((int)kernel) {
    case NN_KERNEL_CUSTOM: return "it is a function of the program's own";
    case NN_KERNEL_RANDOM: return "it draws random numbers, which no other runtime repeats";
    case NN_KERNEL_QUANTIZE_EVEN:
    case NN_KERNEL_QUANTIZED_LINEAR:
    case NN_KERNEL_QUANTIZED_LSTM:
    case NN_KERNEL_QUANTIZED_CONV2D:
        return "it computes in integers; read the file without nn_onnx_integers to write it";
    case NN_KERNEL_INTEGER_CONV2D:
    case NN_KERNEL_INTEGER_POOL2D:
    case NN_KERNEL_INTEGER_ADD:
    case NN_KERNEL_INTEGER_TABLE:
    case NN_KERNEL_INTEGER_MULTIPLY:
    case NN_KERNEL_INTEGER_RESIZE2D:
    case NN_KERNEL_INTEGER_RECURRENT:
    case NN_KERNEL_INTEGER_SOFTMAX:
    case NN_KERNEL_QUANTIZE:
    case NN_KERNEL_DEQUANTIZE:
        return "it computes in integers; write the model of nn_prepare_qat, from which other "
               "runtimes make integers";
    case NN_KERNEL_NIBBLE_LINEAR:
    case NN_KERNEL_NIBBLE_FLOATS:
        return "its weight has 4 bits; write the net without nn_quantize, or with .bits = 8";
    default: return "ONNX has no operators for it";
    }
}

typedef struct nn__onnx_two_calls {
    nn__onnx_emitter *e;
    const void *first;
} nn__onnx_two_calls;

static void nn__onnx_second_call(void *user, nn_kernel kernel, const void *second) {
    const nn__onnx_two_calls *calls = (const nn__onnx_two_calls *)user;
    switch ((int)kernel) {
#define NN__X(upper, name, args)                                                                   \
    case NN_KERNEL_##upper:                                                                        \
        nn__onnx_save_##name(calls->e, (const args *)calls->first, (const args *)second);          \
        return;
        NN__ONNX_SAVERS(NN__X)
#undef NN__X
    default: break;
    }
    nn__onnx_cannot(calls->e, nn__onnx_cannot_why(kernel));
}

static void nn__onnx_first_call(void *user, nn_kernel kernel, const void *first) {
    nn__onnx_two_calls calls;
    (void)kernel;
    calls.e = (nn__onnx_emitter *)user;
    calls.first = first;
    if (nn_node_call_at(calls.e->call->site, calls.e->current, NN__ONNX_B2, NN__ONNX_T2,
                        nn__onnx_second_call, &calls) != NN_OK)
        calls.e->call->code = NN_ERROR_MEMORY;
}

static void nn__onnx_emit_node(nn__onnx_emitter *e, nn_node *node) {
    const nn_node_description d = nn_describe_node(node);
    e->current = node;
    e->refused_before = e->refusal_count;
    if (nn__onnx_emit_rounding(e, node)) return;
    for (int k = 0; k < (d.alias ? 1 : d.input_count); k++)
        if (!*nn__onnx_value_of(e, d.inputs[k])) { /* follows from a refusal */
            nn__onnx_set_value(e, node, "");
            return;
        }
    if (d.kind == NN_NODE_OUTPUT && !*nn__onnx_value_of(e, d.owner))
        nn__onnx_set_value(e, node, "");
    if (strcmp(nn__onnx_text_of(&e->needed, node), NN__ONNX_WRITTEN) == 0) return;
    if (nn__onnx_is_leaf(d.kind))
        nn__onnx_emit_leaf(e, node);
    else if (d.kind != NN_NODE_OPERATION || d.effect)
        return;
    else if (d.alias)
        nn__onnx_emit_alias(e, node, &d);
    else if (d.remembers)
        nn__onnx_cannot(e, "it keeps values from run to run, which a net in an ONNX file cannot; "
                           "write the net without its caches");
    else if (nn_node_call_at(e->call->site, node, NN__ONNX_B1, NN__ONNX_T1, nn__onnx_first_call,
                             e) != NN_OK)
        e->call->code = NN_ERROR_MEMORY;
    if (e->refusal_count > e->refused_before) nn__onnx_set_value(e, node, "");
}

/* Copies outputs that are inputs or weights, or the same value twice. */
static void nn__onnx_emit_copies(nn__onnx_emitter *e) {
    e->refused_before = e->refusal_count;
    for (int k = 0; k < e->output_count; k++) {
        const char *value = nn__onnx_value_of(e, e->desc->outputs.node[k]);
        e->current = e->desc->outputs.node[k];
        if (strcmp(value, e->outputs[k]) != 0)
            nn__onnx_emit(e, "Identity", value, NULL, NULL, e->outputs[k]);
    }
}

static bool nn__onnx_emit_all(nn__onnx_emitter *e) {
    nn__onnx_node_list list;
    memset(&list, 0, sizeof list);
    e->outputs = (const char **)nn__onnx_take(
        e->call, &e->arena, sizeof *e->outputs * (uint64_t)e->desc->outputs.count);
    if (!e->outputs || !nn__onnx_list_nodes(e, &list) || !nn__onnx_keep_needed(e, &list) ||
        !nn__onnx_name_ends(e, &list))
        return false;
    for (int32_t i = 0; i < list.count && e->call->code == NN_OK; i++)
        nn__onnx_emit_node(e, list.nodes[i]);
    nn__onnx_emit_copies(e);
    if (e->call->code == NN_OK && e->refusal_count > 0)
        return nn__onnx_fail(
            e->call, NN_ERROR_UNSUPPORTED,
            "%d operations cannot be written to an ONNX file, and nothing was written; name other "
            ".outputs, or describe them with other operations:%s",
            (int64_t)e->refusal_count, e->refusals.text);
    return e->call->code == NN_OK && nn__onnx_write_file(e, &list.nodes[0], list.count);
}

/* ---- nn_save_onnx ---------------------------------------------------------------------------- */

NN__ONNX_PRIVATE bool nn__onnx_check_ends(nn__onnx_call *call, nn_nodes outputs, nn_texts names) {
    bool wrong = outputs.count < 0 || !outputs.node;
    for (int i = 0; i < outputs.count && !wrong; i++) wrong = !outputs.node[i];
    if (wrong)
        return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                             ".outputs is a list of %d nodes without an array, or one of them is "
                             "NULL; write NN_NODES(logits)",
                             (int64_t)outputs.count);
    if (!nn__onnx_check_texts(call, "output_names", names)) return false;
    return names.count == 0 || names.count == outputs.count ||
           nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                         "%d .output_names are given for %d .outputs; name all or none",
                         (int64_t)names.count, (int64_t)outputs.count);
}

static bool nn__onnx_check_lists(nn__onnx_call *call, const nn_onnx_save_desc *desc) {
    if (!nn__onnx_check_ends(call, desc->outputs, desc->output_names) ||
        !nn__onnx_check_texts(call, "metadata", desc->metadata))
        return false;
    if (desc->metadata.count % 2 != 0)
        return nn__onnx_fail(
            call, NN_ERROR_ARGUMENT,
            ".metadata has %d texts; wanted keys and values alternately, an even number of texts",
            (int64_t)desc->metadata.count);
    return true;
}

NN__ONNX_PRIVATE bool nn__onnx_check_outputs(nn__onnx_call *call, nn_model *net, nn_nodes outputs) {
    char text[2048] = "";
    nn_text faults = {NULL, 0, 0};
    nn_writer writer = {nn_write_text, NULL};
    if (nn_fault_count(net) > 0) {
        faults.buffer = text;
        faults.size = sizeof text;
        writer.user = &faults;
        nn_write_faults(net, writer);
        return nn__onnx_fail(call, NN_ERROR_FAULTS, "the description has %d faults\n%s",
                             (int64_t)nn_fault_count(net), text);
    }
    for (int k = 0; k < outputs.count; k++) {
        nn_node *node = nn_next_node(net, NULL);
        while (node && node != outputs.node[k]) node = nn_next_node(net, node);
        if (!node)
            return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                                 "output %d, %q, is not a node of this net", (int64_t)k,
                                 nn_node_name(outputs.node[k]));
    }
    return true;
}

/* Before opset 13, Squeeze and ReduceSum have no axes as operands. The operators after opset 22
   have not been compared. */
enum { NN__ONNX_OLDEST = 13, NN__ONNX_NEWEST = 22 };

static bool nn__onnx_check_save(nn__onnx_call *call, nn_model *net, const char *path,
                                const nn_onnx_save_desc *desc) {
    if (!desc || desc->outputs.count == 0)
        return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                             "no output is given; name the nodes that the file computes in "
                             ".outputs");
    if (!nn__onnx_check_lists(call, desc)) return false;
    if (!path == !desc->writer.function)
        return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                             path ? "both a path and .writer are given; give one of them"
                                  : "path is NULL; give the path of a file, or .writer");
    if (desc->opset != 0 && (desc->opset < NN__ONNX_OLDEST || desc->opset > NN__ONNX_NEWEST))
        return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                             ".opset is %d; files are written in the opsets %d to %d (0: 17)",
                             (int64_t)desc->opset, (int64_t)NN__ONNX_OLDEST,
                             (int64_t)NN__ONNX_NEWEST);
    if (desc->external && !path)
        return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                             ".external puts the weights beside a file, and .writer has none");
    return nn__onnx_check_outputs(call, net, desc->outputs);
}

NN_API nn_result nn_save_onnx_at(nn_site site, nn_model *net, const char *path,
                                 const nn_onnx_save_desc *desc) {
    nn_context *nn = nn_model_context(net);
    nn__onnx_call call = nn__onnx_begin(nn, site, "nn_save_onnx");
    nn__onnx_emitter *e;
    if (!net) {
        nn__onnx_fail(&call, NN_ERROR_ARGUMENT, "net is NULL");
        return NN_ERROR_ARGUMENT;
    }
    if (!nn__onnx_check_save(&call, net, path, desc)) return call.code;
    e = (nn__onnx_emitter *)nn_take_memory(nn, sizeof *e);
    if (!e) {
        nn__onnx_fail(&call, NN_ERROR_MEMORY, "no memory for %d bytes", (int64_t)sizeof *e);
        return NN_ERROR_MEMORY;
    }
    e->call = &call;
    e->net = net;
    e->path = path;
    e->desc = desc;
    e->opset = desc->opset ? desc->opset : 17;
    e->arena.nn = e->nodes.nn = e->node.nn = e->piece.nn = nn;
    e->names.arena = e->layers.arena = e->shared.arena = e->functions.arena = &e->arena;
    e->last_numbers = &e->numbers;
    nn__onnx_emit_all(e);
    nn__onnx_forget(&e->nodes);
    nn__onnx_forget(&e->node);
    nn__onnx_forget(&e->piece);
    nn__onnx_free_arena(&e->arena);
    nn_give_memory(nn, e, sizeof *e);
    return call.code;
}
