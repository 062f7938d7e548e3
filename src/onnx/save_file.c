/* onnx/save_file.c - puts the messages of a file together and writes it. */
#include "onnx/save_file.h"

/* Most bytes of weights inside a file: a protobuf message has at most 2^31. */
#define NN__ONNX_INSIDE ((uint64_t)1900 << 20)

/* Leaves out operators and numbers that nothing reads. */
static void nn__onnx_find_needed(nn__onnx_emitter *e) {
    nn__onnx_map needed;
    nn__onnx_numbers_out **at = &e->numbers;
    memset(&needed, 0, sizeof needed);
    needed.arena = &e->arena;
    for (int k = 0; k < e->output_count; k++)
        nn__onnx_set(e->call, &needed, e->outputs[k], (void *)e);
    for (int32_t i = e->op_count - 1; i >= 0; i--) {
        nn__onnx_emitted *op = &e->ops[i];
        for (int k = 0; k < op->outputs; k++)
            if (nn__onnx_find(&needed, op->names[op->inputs + k])) op->needed = true;
        for (int k = 0; k < op->inputs && op->needed; k++)
            nn__onnx_set(e->call, &needed, op->names[k], (void *)e);
    }
    while (*at)
        if (nn__onnx_find(&needed, (*at)->name))
            at = &(*at)->next;
        else
            *at = (*at)->next;
}

/* ---- inputs and outputs ---------------------------------------------------------------------- */

/* Writes a ValueInfoProto: name, dtype, extents. */
static void nn__onnx_write_end(nn__onnx_emitter *e, nn__onnx_growing *to, uint32_t field,
                               const char *name, const nn_node *node) {
    const nn_shape shape = nn_node_shape(node);
    nn__onnx_growing parts[4];
    memset(parts, 0, sizeof parts);
    for (int i = 0; i < 4; i++) parts[i].nn = to->nn;
    for (int i = 0; i < shape.rank; i++) {
        static const char *const words[] = {"", "batch", "time", "batch*time"};
        uint8_t powers;
        const int64_t number = nn__onnx_split_extent(shape.extent[i], &powers);
        nn__onnx_message text;
        memset(&text, 0, sizeof text);
        if (number != 1) nn__onnx_say(&text, "%d*", number);
        nn__onnx_say(&text, "%s", words[powers]);
        parts[3].size = 0;
        if (powers)
            nn__onnx_field_text(&parts[3], 2, text.text);
        else
            nn__onnx_field_int(&parts[3], 1, number);
        nn__onnx_field_message(&parts[2], 1, &parts[3]);
    }
    nn__onnx_field_int(&parts[1], 1, nn__onnx_type_of(nn_node_dtype(node)));
    nn__onnx_field_message(&parts[1], 2, &parts[2]);
    nn__onnx_field_message(&parts[0], 1, &parts[1]);
    parts[3].size = 0;
    nn__onnx_field_text(&parts[3], 1, name);
    nn__onnx_field_message(&parts[3], 2, &parts[0]);
    nn__onnx_field_message(to, field, &parts[3]);
    for (int i = 0; i < 4; i++) {
        if (parts[i].failed) nn__onnx_fail(e->call, NN_ERROR_MEMORY, "no memory for the file");
        nn__onnx_forget(&parts[i]);
    }
}

/* Writes the graph without its numbers. */
static void nn__onnx_write_graph(nn__onnx_emitter *e, nn_node *const *nodes, int32_t count,
                                 nn__onnx_growing *to) {
    for (int32_t i = 0; i < e->op_count; i++)
        if (e->ops[i].needed) nn__onnx_add_bytes(to, e->nodes.at + e->ops[i].from, e->ops[i].size);
    nn__onnx_field_text(to, 2, "net");
    for (int32_t i = 0; i < count; i++)
        if (nn_describe_node(nodes[i]).kind == NN_NODE_INPUT)
            nn__onnx_write_end(e, to, 11, nn__onnx_value_of(e, nodes[i]), nodes[i]);
    for (int k = 0; k < e->output_count; k++)
        nn__onnx_write_end(e, to, 12, e->outputs[k], e->desc->outputs.node[k]);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static const char *nn__onnx_file_name(const char *path) {
    const char *name = path;
    for (; *path; path++)
        if (*path == '/' || *path == '\\') name = path + 1;
    return name;
}

/* Writes a StringStringEntryProto. */
static void nn__onnx_write_entry(nn__onnx_growing *to, uint32_t field, const char *key,
                                 const char *value) {
    nn__onnx_growing entry;
    memset(&entry, 0, sizeof entry);
    entry.nn = to->nn;
    nn__onnx_field_text(&entry, 1, key);
    nn__onnx_field_text(&entry, 2, value);
    nn__onnx_field_message(to, field, &entry);
    to->failed = to->failed || entry.failed;
    nn__onnx_forget(&entry);
}

/* Writes a TensorProto up to its bytes, which follow it unless they are in a separate file. */
static void nn__onnx_tensor_head(nn__onnx_emitter *e, const nn__onnx_numbers_out *numbers,
                                 bool external, nn__onnx_growing *to) {
    to->size = 0;
    for (int i = 0; i < numbers->shape.rank; i++)
        nn__onnx_field_int(to, 1, numbers->shape.extent[i]);
    nn__onnx_field_int(to, 2, nn__onnx_type_of(numbers->dtype));
    nn__onnx_field_text(to, 8, numbers->name);
    if (external && numbers->tensor) {
        nn__onnx_message text;
        memset(&text, 0, sizeof text);
        nn__onnx_say(&text, "%s.data", nn__onnx_file_name(e->path));
        nn__onnx_write_entry(to, 13, "location", text.text);
        memset(&text, 0, sizeof text);
        nn__onnx_say(&text, "%d", (int64_t)numbers->offset);
        nn__onnx_write_entry(to, 13, "offset", text.text);
        memset(&text, 0, sizeof text);
        nn__onnx_say(&text, "%d", (int64_t)numbers->bytes);
        nn__onnx_write_entry(to, 13, "length", text.text);
        nn__onnx_field_int(to, 14, 1);
        return;
    }
    nn__onnx_add_varint(to, 9u << 3 | 2);
    nn__onnx_add_varint(to, numbers->bytes);
}

static uint64_t nn__onnx_varint_size(uint64_t number) {
    uint64_t size = 1;
    while (number >>= 7) size++;
    return size;
}

/* Returns the bytes of the message with its numbers. */
static uint64_t nn__onnx_tensor_size(const nn__onnx_growing *head,
                                     const nn__onnx_numbers_out *numbers, bool external) {
    return head->size + (external && numbers->tensor ? 0 : numbers->bytes);
}

/* Copies numbers to host memory. */
static bool nn__onnx_fetch_numbers(nn__onnx_emitter *e, const nn__onnx_numbers_out *numbers,
                                   unsigned char *to) {
    nn_result result;
    if (!numbers->tensor) {
        if (numbers->bytes > 0) memcpy(to, numbers->data, (size_t)numbers->bytes);
        return true;
    }
    result = nn_download_tensor_at(e->call->site, numbers->tensor, to, (size_t)numbers->bytes);
    if (result != NN_OK && e->call->code == NN_OK) e->call->code = result;
    return result == NN_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Writes the fields of ModelProto before the graph, and after it. */
static void nn__onnx_write_model(nn__onnx_emitter *e, nn__onnx_growing *head,
                                 nn__onnx_growing *tail) {
    nn__onnx_growing opset;
    memset(&opset, 0, sizeof opset);
    opset.nn = head->nn;
    nn__onnx_field_int(head, 1, e->opset < 19 ? 8 : e->opset < 21 ? 9 : 10); /* the IR version */
    nn__onnx_field_text(head, 2, "nn.h");
    nn__onnx_field_text(head, 3, NN_VERSION);
    nn__onnx_field_text(&opset, 1, "");
    nn__onnx_field_int(&opset, 2, e->opset);
    nn__onnx_field_message(tail, 8, &opset);
    if (e->functions.used > 0) {
        opset.size = 0;
        nn__onnx_field_text(&opset, 1, "nn.h");
        nn__onnx_field_int(&opset, 2, 1);
        nn__onnx_field_message(tail, 8, &opset);
    }
    for (int i = 0; i < e->desc->metadata.count; i += 2)
        nn__onnx_write_entry(tail, 14, e->desc->metadata.text[i], e->desc->metadata.text[i + 1]);
    nn__onnx_write_functions(e, tail);
    tail->failed = tail->failed || opset.failed;
    nn__onnx_forget(&opset);
}

/* Returns the whole file in one block of memory. */
static bool nn__onnx_join_file(nn__onnx_emitter *e, const nn__onnx_growing *parts, bool external,
                               nn__onnx_growing *file) {
    nn__onnx_growing head;
    uint64_t graph = parts[1].size, all;
    memset(&head, 0, sizeof head);
    head.nn = file->nn;
    for (const nn__onnx_numbers_out *n = e->numbers; n; n = n->next) {
        nn__onnx_tensor_head(e, n, external, &head);
        const uint64_t size = nn__onnx_tensor_size(&head, n, external);
        graph += 1 + nn__onnx_varint_size(size) + size;
    }
    all = parts[0].size + parts[2].size + graph + 1 + nn__onnx_varint_size(graph);
    file->at = all < SIZE_MAX ? (unsigned char *)nn_take_memory(file->nn, (size_t)all) : NULL;
    if (!file->at || head.failed) {
        nn__onnx_forget(&head);
        return nn__onnx_fail(e->call, NN_ERROR_MEMORY, "no memory for a file of %d bytes",
                             (int64_t)all);
    }
    file->room = (size_t)all;
    nn__onnx_add_bytes(file, parts[0].at, parts[0].size);
    nn__onnx_add_varint(file, 7u << 3 | 2);
    nn__onnx_add_varint(file, graph);
    nn__onnx_add_bytes(file, parts[1].at, parts[1].size);
    for (const nn__onnx_numbers_out *n = e->numbers; n && e->call->code == NN_OK; n = n->next) {
        nn__onnx_tensor_head(e, n, external, &head);
        nn__onnx_add_varint(file, 5u << 3 | 2);
        nn__onnx_add_varint(file, nn__onnx_tensor_size(&head, n, external));
        nn__onnx_add_bytes(file, head.at, head.size);
        if (external && n->tensor) continue;
        nn__onnx_fetch_numbers(e, n, file->at + file->size);
        file->size += (size_t)n->bytes;
    }
    nn__onnx_add_bytes(file, parts[2].at, parts[2].size);
    nn__onnx_forget(&head);
    return e->call->code == NN_OK;
}

static bool nn__onnx_save_bytes(nn__onnx_emitter *e, const char *path, const void *bytes,
                                size_t size) {
    const nn_result result = nn_save_bytes(e->call->nn, path, bytes, size);
    return result == NN_OK ||
           nn__onnx_fail(e->call, result,
                         "%q could not be written: %s; an older file of this name is unchanged",
                         path, nn_result_text(result));
}

/* Writes the weights beside the file; their offsets are known. */
static bool nn__onnx_save_beside(nn__onnx_emitter *e, uint64_t bytes) {
    unsigned char *all =
        bytes < SIZE_MAX ? (unsigned char *)nn_take_memory(e->call->nn, (size_t)bytes) : NULL;
    nn__onnx_message path;
    bool fine = all != NULL;
    if (!all)
        return nn__onnx_fail(e->call, NN_ERROR_MEMORY, "no memory for %d bytes of weights",
                             (int64_t)bytes);
    for (const nn__onnx_numbers_out *n = e->numbers; n && fine; n = n->next)
        if (n->tensor) fine = nn__onnx_fetch_numbers(e, n, all + n->offset);
    memset(&path, 0, sizeof path);
    nn__onnx_say(&path, "%s.data", e->path);
    fine = fine && nn__onnx_save_bytes(e, path.text, all, (size_t)bytes);
    nn_give_memory(e->call->nn, all, (size_t)bytes);
    return fine;
}

NN__ONNX_PRIVATE bool nn__onnx_write_file(nn__onnx_emitter *e, nn_node *const *nodes,
                                          int32_t count) {
    nn__onnx_growing parts[3], file;
    uint64_t beside = 0;
    bool external, fine = true;
    memset(parts, 0, sizeof parts);
    memset(&file, 0, sizeof file);
    file.nn = e->call->nn;
    for (int i = 0; i < 3; i++) parts[i].nn = e->call->nn;
    nn__onnx_find_needed(e);
    for (nn__onnx_numbers_out *n = e->numbers; n; n = n->next) {
        if (!n->tensor) continue;
        n->offset = beside;
        beside += (n->bytes + 63) / 64 * 64;
    }
    external = e->desc->external || (e->path && beside > NN__ONNX_INSIDE);
    nn__onnx_write_graph(e, nodes, count, &parts[1]);
    nn__onnx_write_model(e, &parts[0], &parts[2]);
    for (int i = 0; i < 3; i++)
        if (parts[i].failed)
            fine = nn__onnx_fail(e->call, NN_ERROR_MEMORY, "no memory for the file");
    fine = fine && e->call->code == NN_OK && nn__onnx_join_file(e, parts, external, &file);
    if (fine && external && beside > 0) fine = nn__onnx_save_beside(e, beside);
    if (fine && e->path) fine = nn__onnx_save_bytes(e, e->path, file.at, file.size);
    if (fine && !e->path)
        e->desc->writer.function(e->desc->writer.user, (const char *)file.at, file.size);
    for (int i = 0; i < 3; i++) nn__onnx_forget(&parts[i]);
    nn__onnx_forget(&file);
    return fine;
}
