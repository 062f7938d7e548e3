/* onnx/write.c - nn_write_c: chooses the nodes to print and their order, and prints the parts
   around them. */
#include "onnx/write_emit.h"

/* ---- which nodes are needed ------------------------------------------------------------------ */

NN__ONNX_PRIVATE bool nn__c_list_nodes(nn__c_writer *w) {
    nn_node *node;
    w->count = 0;
    for (node = nn_next_node(w->e.net, NULL); node; node = nn_next_node(w->e.net, node)) w->count++;
    w->nodes =
        (nn_node **)nn__onnx_take(w->e.call, &w->e.arena, (uint64_t)w->count * sizeof *w->nodes);
    if (!w->nodes) return false;
    w->count = 0;
    for (node = nn_next_node(w->e.net, NULL); node; node = nn_next_node(w->e.net, node))
        w->nodes[w->count++] = node;
    return true;
}

NN__ONNX_PRIVATE bool nn__c_is_state(const nn__c_writer *w, const nn_node *node, nn_node **next) {
    nn_node *other;
    if (next) *next = NULL;
    if (nn_describe_node(node).kind != NN_NODE_INPUT) return false;
    for (other = nn_next_node(w->e.net, node); other; other = nn_next_node(w->e.net, other)) {
        const nn_node_description d = nn_describe_node(other);
        if (!d.effect || d.input_count < 2 || d.inputs[0] != node) continue;
        if (next && strcmp(d.operation, "assign") == 0) *next = d.inputs[1];
        return true;
    }
    return false;
}

/* Marks a node. Returns true if it was not marked. */
static bool nn__c_need(nn__c_writer *w, const nn_node *node) {
    if (!node || *nn__onnx_text_of(&w->e.needed, node)) return false;
    return nn__onnx_set_text(&w->e, &w->e.needed, node, "needed");
}

/* Returns the node that is read for input k of an operation. */
static const nn_node *nn__c_reads(nn__c_writer *w, const nn_node *node,
                                  const nn_node_description *d, int k) {
    return d->kernel == NN_KERNEL_RECURRENT_FORWARD || d->kernel == NN_KERNEL_GEMM
               ? nn__c_recurrent_reads(w, node, k)
               : d->inputs[k];
}

/* Marks the nodes that a node reads. */
static bool nn__c_need_inputs(nn__c_writer *w, const nn_node *node) {
    const nn_node_description d = nn_describe_node(node);
    const char *layer = d.kind == NN_NODE_OPERATION ? nn__c_layer_at(w, &d) : NULL;
    bool more = d.owner && nn__c_need(w, d.owner);
    nn_node *next;
    if (d.kind == NN_NODE_INPUT && nn__c_is_state(w, node, &next))
        more = nn__c_need(w, next) || more;
    for (int k = 0; k < (d.alias ? 1 : d.input_count); k++) {
        const nn_node *input = nn__c_reads(w, node, &d, k);
        if (layer && input && nn__c_is_part(input, layer)) input = nn__onnx_stored(input);
        more = nn__c_need(w, input) || more;
    }
    return more;
}

/* Keeps the nodes that the outputs need. A state also needs its new value, which is described
   later. */
static bool nn__c_keep_needed(nn__c_writer *w) {
    int32_t kept = 0;
    bool more = true;
    for (int k = 0; k < w->desc->outputs.count; k++) nn__c_need(w, w->desc->outputs.node[k]);
    while (more && w->e.call->code == NN_OK) {
        more = false;
        for (int32_t i = w->count - 1; i >= 0; i--)
            if (*nn__onnx_text_of(&w->e.needed, w->nodes[i]))
                more = nn__c_need_inputs(w, w->nodes[i]) || more;
    }
    for (int32_t i = 0; i < w->count; i++)
        if (*nn__onnx_text_of(&w->e.needed, w->nodes[i])) w->nodes[kept++] = w->nodes[i];
    w->count = kept;
    return w->e.call->code == NN_OK;
}

/* Finds out for each leaf whether its layer describes it, or something else reads it. */
static bool nn__c_find_owners(nn__c_writer *w) {
    for (int k = 0; k < w->desc->outputs.count; k++)
        nn__onnx_set_text(&w->e, &w->alone, w->desc->outputs.node[k], "alone");
    for (int32_t i = 0; i < w->count; i++) {
        const nn_node_description d = nn_describe_node(w->nodes[i]);
        const char *layer = d.kind == NN_NODE_OPERATION ? nn__c_layer_at(w, &d) : NULL;
        nn_node *next;
        for (int k = 0; k < (d.alias ? 1 : d.input_count); k++) {
            const nn_node *input = nn__c_reads(w, w->nodes[i], &d, k);
            if (layer && nn__c_is_part(input, layer))
                nn__onnx_set_text(&w->e, &w->owned, nn__onnx_stored(input), "read");
            else
                nn__onnx_set_text(&w->e, &w->alone, input, "read");
        }
        if (nn__c_is_state(w, w->nodes[i], &next) && next)
            nn__onnx_set_text(&w->e, &w->alone, next, "read");
    }
    return w->e.call->code == NN_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void nn__c_write_leaf(nn__c_writer *w, nn_node *node, const nn_node_description *d) {
    const nn_shape shape = nn_node_shape(node);
    const bool state = nn__c_is_state(w, node, NULL);
    if (!*nn__onnx_text_of(&w->alone, node)) {
        nn__onnx_set_value(&w->e, node, "!"); /* a name that no text may contain */
        return;
    }
    if (d->kind == NN_NODE_TENSOR) {
        nn__onnx_cannot(&w->e, "it is a tensor of the program's own (nn_borrow)");
        return;
    }
    nn__c_begin(w, state                          ? "nn_state"
                   : d->kind == NN_NODE_INPUT     ? "nn_input"
                   : d->kind == NN_NODE_PARAMETER ? "nn_parameter"
                                                  : "nn_buffer");
    nn__c_arg(w, "%s", nn__c_quoted(w, nn_node_name(node)));
    if (d->kind != NN_NODE_PARAMETER) nn__c_arg(w, "%s", nn__c_dtype(nn_node_dtype(node)));
    nn__c_arg(w, "%s", nn__c_shape(w, &shape));
    if (d->kind == NN_NODE_PARAMETER) nn__c_arg(w, "0, 0");
    if (d->kind == NN_NODE_BUFFER || d->kind == NN_NODE_CONSTANT) nn__c_arg(w, "0");
    nn__onnx_set_value(&w->e, node,
                       nn__c_end_as(w, NULL, nn__c_new_name(w, &w->variables, nn_node_name(node))));
}

static void nn__c_write_alias(nn__c_writer *w, nn_node *node, const nn_node_description *d) {
    const nn_shape to = nn_node_shape(node);
    const char *x = nn__onnx_value_of(&w->e, d->inputs[0]);
    const bool detach = strcmp(d->operation, "detach") == 0;
    if (nn_node_dtype(node) != nn_node_dtype(d->inputs[0]))
        nn__onnx_cannot(&w->e, "it reads another dtype");
    if (!detach && nn_same_shape(to, nn_node_shape(d->inputs[0]))) {
        nn__onnx_set_value(&w->e, node, x);
        return;
    }
    nn__c_begin(w, detach ? "nn_detach" : "nn_reshape");
    nn__c_arg(w, "%s", x);
    if (!detach) nn__c_arg(w, "%s", nn__c_shape(w, &to));
    nn__onnx_set_value(&w->e, node,
                       nn__c_end_as(w, NULL, nn__c_new_name(w, &w->variables, nn_node_name(node))));
}

static void nn__c_write_output(nn__c_writer *w, nn_node *node, const nn_node_description *d) {
    const char *name;
    if (!nn__onnx_writes_on(&w->e)) return;
    name = nn__c_new_name(w, &w->variables, nn_node_name(node));
    nn__c_print(&w->body, "    nn_node *%s = nn_output(%s, %d);\n", name,
                nn__onnx_value_of(&w->e, d->owner), (int64_t)d->output);
    nn__onnx_set_value(&w->e, node, name);
}

typedef struct nn__c_two_calls {
    nn__c_writer *w;
    const void *first;
} nn__c_two_calls;

static void nn__c_second_call(void *user, nn_kernel kernel, const void *second) {
    const nn__c_two_calls *calls = (const nn__c_two_calls *)user;
    switch ((int)kernel) {
#define NN__X(upper, name, args)                                                                   \
    case NN_KERNEL_##upper:                                                                        \
        nn__c_write_##name(calls->w, (const args *)calls->first, (const args *)second);            \
        return;
        NN__C_WRITERS(NN__X)
#undef NN__X
    default: break;
    }
    nn__onnx_cannot(&calls->w->e,
                    kernel == NN_KERNEL_CUSTOM ? "it is a function of the program's own"
                    : kernel == NN_KERNEL_RANDOM
                        ? "it draws random numbers, which depend on the position in the net"
                    : kernel >= NN_KERNEL_QUANTIZE_EVEN && kernel <= NN_KERNEL_QUANTIZED_CONV2D
                        ? "it computes in integers; read the file without nn_onnx_integers"
                        : "nn_write_c does not support it");
}

static void nn__c_first_call(void *user, nn_kernel kernel, const void *first) {
    nn__c_two_calls calls;
    (void)kernel;
    calls.w = (nn__c_writer *)user;
    calls.first = first;
    if (nn_node_call_at(calls.w->e.call->site, calls.w->e.current, NN__ONNX_B2, NN__ONNX_T2,
                        nn__c_second_call, &calls) != NN_OK)
        calls.w->e.call->code = NN_ERROR_MEMORY;
}

static void nn__c_write_node(nn__c_writer *w, nn_node *node) {
    const nn_node_description d = nn_describe_node(node);
    nn__onnx_emitter *e = &w->e;
    e->current = node;
    e->refused_before = e->refusal_count;
    if (d.kind != NN_NODE_OPERATION && d.kind != NN_NODE_OUTPUT) {
        nn__c_write_leaf(w, node, &d);
        return;
    }
    for (int k = 0; k < (d.alias ? 1 : d.input_count); k++)
        if (*nn__onnx_text_of(&e->needed, d.inputs[k]) && !*nn__onnx_value_of(e, d.inputs[k]))
            return; /* follows from a refusal */
    if (d.kind == NN_NODE_OUTPUT && !*nn__onnx_value_of(e, d.owner)) return;
    if (nn__c_is_recurrent_part(w, node)) return;
    if (d.effect) return;
    if (d.kind == NN_NODE_OUTPUT)
        nn__c_write_output(w, node, &d);
    else if (d.alias)
        nn__c_write_alias(w, node, &d);
    else if (d.remembers)
        nn__onnx_cannot(e, "it is a cache, which nn_text.h describes");
    else if (nn_node_call_at(e->call->site, node, NN__ONNX_B1, NN__ONNX_T1, nn__c_first_call, w) !=
             NN_OK)
        e->call->code = NN_ERROR_MEMORY;
    if (e->refusal_count > e->refused_before) nn__onnx_set_value(e, node, "");
}

/* ---- the text around the nodes --------------------------------------------------------------- */

/* Reserves the names that variables, fields and arrays must not have: keywords, macros of headers
   that programs often include, and names of the text around the nodes. */
static void nn__c_reserve(nn__c_writer *w) {
    static const char words[] =
        "net d nodes parts list auto break case char const continue default do "
        "double else enum extern float for goto if inline int long register restrict "
        "return short signed sizeof static struct switch typedef union unsigned void "
        "volatile while bool true false and or not xor bitand bitor compl and_eq "
        "or_eq xor_eq not_eq asm catch class delete explicit export friend mutable "
        "namespace new operator private public this throw try using protected "
        "template typeid typename virtual nullptr noexcept memset NULL NAN INFINITY "
        "decltype constexpr alignas alignof thread_local static_assert wchar_t "
        "char8_t char16_t char32_t unix linux main errno typeof typeof_unqual "
        "const_cast dynamic_cast reinterpret_cast static_cast concept requires "
        "consteval constinit co_await co_return co_yield near far small interface "
        "stdin stdout stderr EOF HUGE_VAL RAND_MAX assert ";
    static const char *const own[] = {"nodes",   "describe",      "load",
                                      "weights", "weights_count", "C_SOURCE"};
    for (const char *at = words, *end; (end = strchr(at, ' ')) != NULL; at = end + 1) {
        const char *word = nn__onnx_copy_text(w->e.call, &w->e.arena, at, (size_t)(end - at));
        if (!word) return;
        nn__onnx_set(w->e.call, &w->variables, word, (void *)w);
        nn__onnx_set(w->e.call, &w->members, word, (void *)w);
    }
    nn__onnx_set(w->e.call, &w->variables, w->name, (void *)w);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        nn__c_new_name(w, &w->arrays, nn__c_text(w, "%s_%s", w->name, own[i]));
}

/* Writes a field of the struct of nodes, and the statement that sets it. */
static void nn__c_member(nn__c_writer *w, nn__onnx_growing *fields, const char *base,
                         const nn_node *node, const char *role) {
    static const char *const words[] = {"", "batch", "time", "batch * time"};
    const nn_shape shape = nn_node_shape(node);
    const char *name = nn__c_new_name(w, &w->members, base);
    nn__c_print(fields, "    nn_node *%s; /* %s, %s (", name, role,
                nn_dtype_name(nn_node_dtype(node)));
    for (int i = 0; i < shape.rank; i++) {
        uint8_t powers;
        const int64_t number = nn__onnx_split_extent(shape.extent[i], &powers);
        if (i > 0) nn__c_print(fields, ", ");
        if (powers == 0 || number != 1) nn__c_print(fields, powers ? "%d * " : "%d", number);
        nn__c_print(fields, "%s", words[powers]);
    }
    nn__c_print(fields, ") */\n");
    nn__c_print(&w->body, "    nodes.%s = %s;\n", name, nn__onnx_value_of(&w->e, node));
}

/* Writes the end of the function, and the struct that it returns. */
static void nn__c_write_ends(nn__c_writer *w, nn__onnx_growing *fields) {
    for (int32_t i = 0; i < w->count; i++) {
        nn_node *next;
        if (nn__c_is_state(w, w->nodes[i], &next) && next &&
            *nn__onnx_text_of(&w->alone, w->nodes[i]))
            nn__c_print(&w->body, "    nn_assign(net, %s, %s);\n",
                        nn__onnx_value_of(&w->e, w->nodes[i]), nn__onnx_value_of(&w->e, next));
    }
    for (int32_t i = 0; i < w->count; i++)
        if (nn_describe_node(w->nodes[i]).kind == NN_NODE_INPUT &&
            *nn__onnx_text_of(&w->alone, w->nodes[i]))
            nn__c_member(w, fields, nn_node_name(w->nodes[i]), w->nodes[i],
                         nn__c_is_state(w, w->nodes[i], NULL) ? "state" : "input");
    for (int k = 0; k < w->desc->outputs.count; k++)
        nn__c_member(w, fields,
                     w->desc->output_names.count ? w->desc->output_names.text[k]
                                                 : nn_node_name(w->desc->outputs.node[k]),
                     w->desc->outputs.node[k], "output");
}

/* Values stored in half precision need a model of their dtype. */
static nn_dtype nn__c_model_dtype(nn__c_writer *w) {
    for (int32_t i = 0; i < w->count; i++)
        if (nn_describe_node(w->nodes[i]).kind == NN_NODE_PARAMETER &&
            (nn_node_dtype(w->nodes[i]) == NN_F16 || nn_node_dtype(w->nodes[i]) == NN_BF16))
            return nn_node_dtype(w->nodes[i]);
    return NN_F32;
}

static void nn__c_write_head(nn__c_writer *w, const nn__onnx_growing *fields) {
    nn__onnx_growing *to = &w->args;
    const char *n = w->name;
    const nn_dtype dtype = nn__c_model_dtype(w);
    to->size = 0;
    nn__c_print(to, "/* The net \"%s\", printed by nn_write_c. Describe it in a model", n);
    if (dtype != NN_F32) nn__c_print(to, " of the dtype %s", nn__c_dtype(dtype));
    nn__c_print(to,
                ", then load its weights:\n\n"
                "       %s_nodes nodes = %s_describe(net);\n"
                "       %s_load(net%s); */\n"
                "#ifndef %s_C_SOURCE\n#define %s_C_SOURCE\n\n",
                n, n, n, w->desc->weights ? ", NULL" : "", n, n);
    nn__c_includes(w, to);
    nn__c_print(to, "#include <math.h>\n#include <string.h>\n\ntypedef struct %s_nodes {\n", n);
    if (fields->size > 0) nn__onnx_add_bytes(to, fields->at, fields->size);
    nn__c_print(to,
                "} %s_nodes;\n\nstatic inline %s_nodes %s_describe(nn_model *net) {\n"
                "    %s_nodes nodes;\n",
                n, n, n, n);
    w->desc->writer.function(w->desc->writer.user, (const char *)to->at, to->size);
    w->desc->writer.function(w->desc->writer.user, (const char *)w->body.at, w->body.size);
    to->size = 0;
    nn__c_print(to, "    return nodes;\n}\n");
    w->desc->writer.function(w->desc->writer.user, (const char *)to->at, to->size);
    to->size = 0;
}

static bool nn__c_write_all(nn__c_writer *w, nn__onnx_growing *fields) {
    static const char end[] = "\n#endif\n";
    if (!nn__c_list_nodes(w) || !nn__c_keep_needed(w) || !nn__c_find_owners(w)) return false;
    nn__c_reserve(w);
    for (int32_t i = 0; i < w->count && w->e.call->code == NN_OK; i++)
        nn__c_write_node(w, w->nodes[i]);
    for (int k = 0; k < w->desc->outputs.count; k++) {
        w->e.current = w->desc->outputs.node[k];
        w->e.refused_before = w->e.refusal_count;
        if (*nn__onnx_value_of(&w->e, w->desc->outputs.node[k]) == '?')
            nn__onnx_cannot(&w->e, "it is a value from inside a recurrent layer");
    }
    if (w->e.call->code == NN_OK && w->e.refusal_count > 0)
        return nn__onnx_fail(
            w->e.call, NN_ERROR_UNSUPPORTED,
            "parts of the net that cannot be written as C source: %d; nothing was written; name "
            "other .outputs, or describe them with other operations:%s",
            (int64_t)w->e.refusal_count, w->e.refusals.text);
    if (w->e.call->code != NN_OK) return false;
    nn__c_write_ends(w, fields);
    if (w->body.failed || fields->failed || w->fields.failed || w->args.failed)
        return nn__onnx_fail(w->e.call, NN_ERROR_MEMORY, "no memory for the text");
    if (!nn__c_save_weights(w)) return false;
    nn__c_write_head(w, fields);
    if (!nn__c_write_weights(w)) return false;
    w->desc->writer.function(w->desc->writer.user, end, sizeof end - 1);
    return true;
}

/* ---- nn_write_c ------------------------------------------------------------------------------ */

NN__ONNX_PRIVATE bool nn__c_is_identifier(const char *name) {
    const char *at = name;
    if ((*at < 'a' || *at > 'z') && (*at < 'A' || *at > 'Z')) return false;
    for (; *at; at++)
        if ((*at < 'a' || *at > 'z') && (*at < 'A' || *at > 'Z') && (*at < '0' || *at > '9') &&
            *at != '_')
            return false;
    return at - name < 64;
}

static bool nn__c_check(nn__onnx_call *call, nn_model *net, const nn_c_desc *desc) {
    if (!desc || desc->outputs.count == 0)
        return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                             "no output is given; name the nodes that the function computes in "
                             ".outputs");
    if (!nn__onnx_check_ends(call, desc->outputs, desc->output_names)) return false;
    if (!desc->writer.function)
        return nn__onnx_fail(
            call, NN_ERROR_ARGUMENT,
            "no writer is given; .writer = {nn_write_file, file} writes to a file");
    if (desc->name && !nn__c_is_identifier(desc->name))
        return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                             ".name is %q; wanted a C identifier of fewer than 64 characters",
                             desc->name);
#ifdef NN_NO_FILES
    if (desc->weights)
        return nn__onnx_fail(
            call, NN_ERROR_UNSUPPORTED,
            ".weights names a file, but this program was built with NN_NO_FILES; leave it NULL");
#endif
    return nn__onnx_check_outputs(call, net, desc->outputs);
}

NN_API nn_result nn_write_c_at(nn_site site, nn_model *net, const nn_c_desc *desc) {
    nn_context *nn = nn_model_context(net);
    nn__onnx_call call = nn__onnx_begin(nn, site, "nn_write_c");
    nn__onnx_growing fields;
    nn__c_writer *w;
    if (!net) {
        nn__onnx_fail(&call, NN_ERROR_ARGUMENT, "net is NULL");
        return NN_ERROR_ARGUMENT;
    }
    if (!nn__c_check(&call, net, desc)) return call.code;
    w = (nn__c_writer *)nn_take_memory(nn, sizeof *w);
    if (!w) {
        nn__onnx_fail(&call, NN_ERROR_MEMORY, "no memory for %d bytes", (int64_t)sizeof *w);
        return NN_ERROR_MEMORY;
    }
    memset(&fields, 0, sizeof fields);
    w->desc = desc;
    w->name = desc->name ? desc->name : "net";
    w->e.call = &call;
    w->e.net = net;
    w->e.end_op = nn__c_end_op;
    w->e.opset = 17;
    w->e.arena.nn = w->e.nodes.nn = w->e.node.nn = w->e.piece.nn = nn;
    w->body.nn = w->args.nn = w->fields.nn = fields.nn = nn;
    w->e.names.arena = w->e.layers.arena = w->e.shared.arena = w->e.functions.arena = &w->e.arena;
    w->layers.arena = w->variables.arena = w->arrays.arena = w->members.arena = &w->e.arena;
    w->results.arena = &w->e.arena;
    w->e.last_numbers = &w->e.numbers;
    nn__c_write_all(w, &fields);
    nn__onnx_forget(&w->e.nodes);
    nn__onnx_forget(&w->e.node);
    nn__onnx_forget(&w->e.piece);
    nn__onnx_forget(&w->body);
    nn__onnx_forget(&w->args);
    nn__onnx_forget(&w->fields);
    nn__onnx_forget(&fields);
    nn__onnx_free_arena(&w->e.arena);
    nn_give_memory(nn, w, sizeof *w);
    return call.code;
}
