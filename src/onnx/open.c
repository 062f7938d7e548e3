/* onnx/open.c - ModelProto: opens a file, and closes it. */
#include "onnx/private.h"

/* A protobuf message has at most 2 GB. Larger models keep their numbers in separate files. */
#define NN__ONNX_LARGEST ((uint64_t)1 << 31)

/* Fields of ModelProto. */
enum {
    NN__ONNX_IR = 1,
    NN__ONNX_PRODUCER = 2,
    NN__ONNX_PRODUCER_VERSION = 3,
    NN__ONNX_GRAPH = 7,
    NN__ONNX_OPSETS = 8,
    NN__ONNX_METADATA = 14,
    NN__ONNX_FUNCTIONS = 25
};

static void nn__onnx_release(void *object) {
    nn_onnx *file = (nn_onnx *)object;
    nn__onnx_described *described = file->described;
    nn__onnx_close_external(file);
    while (described) {
        nn__onnx_described *next = described->next;
        nn__onnx_free_arena(&described->arena);
        nn_give_memory(file->nn, described, sizeof *described);
        described = next;
    }
    nn__onnx_free_arena(&file->arena);
    if (file->memory) nn_give_memory(file->nn, file->memory, file->bytes.size);
    nn_give_memory(file->nn, file, sizeof *file);
}

NN_API void nn_close_onnx(nn_onnx *file) {
    if (!file) return;
    for (nn__onnx_described *described = file->described; described; described = described->next)
        nn__onnx_free_sources(described);
    nn_disown(file->nn, file->owned);
    nn__onnx_release(file);
}

static bool nn__onnx_read_opset(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                                nn__onnx_opset *opset) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    opset->domain = "";
    while (nn__onnx_next(&cursor)) {
        if (cursor.field == 1) opset->domain = nn__onnx_read_text(file, call, cursor.bytes);
        if (cursor.field == 2) memcpy(&opset->version, &cursor.number, sizeof opset->version);
    }
    if (!opset->domain) return false;
    if (strcmp(opset->domain, "ai.onnx") == 0) opset->domain = "";
    return !cursor.damaged;
}

static bool nn__onnx_read_pair(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                               const char **pair) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    pair[0] = pair[1] = "";
    while (nn__onnx_next(&cursor))
        if (cursor.wire == 2 && (cursor.field == 1 || cursor.field == 2))
            pair[cursor.field - 1] = nn__onnx_read_text(file, call, cursor.bytes);
    return !cursor.damaged && pair[0] && pair[1];
}

/* Takes the lists that the fields fill. */
static bool nn__onnx_take_lists(nn_onnx *file, nn__onnx_call *call) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(file->bytes);
    uint64_t opsets = 0, functions = 0, metadata = 0;
    while (nn__onnx_next(&cursor)) {
        if (cursor.wire != 2) continue;
        opsets += cursor.field == NN__ONNX_OPSETS;
        functions += cursor.field == NN__ONNX_FUNCTIONS;
        metadata += cursor.field == NN__ONNX_METADATA;
    }
    if (cursor.damaged) return false;
    file->opsets =
        (nn__onnx_opset *)nn__onnx_take(call, &file->arena, opsets * sizeof *file->opsets);
    file->functions =
        (nn__onnx_function *)nn__onnx_take(call, &file->arena, functions * sizeof *file->functions);
    file->metadata =
        (const char **)nn__onnx_take(call, &file->arena, 2 * metadata * sizeof *file->metadata);
    return file->opsets && file->functions && file->metadata;
}

static bool nn__onnx_read_field(nn_onnx *file, nn__onnx_call *call, const nn__onnx_cursor *at) {
    const char **text = at->field == NN__ONNX_PRODUCER           ? &file->producer
                        : at->field == NN__ONNX_PRODUCER_VERSION ? &file->producer_version
                                                                 : NULL;
    if (at->field == NN__ONNX_IR) memcpy(&file->ir_version, &at->number, sizeof file->ir_version);
    if (at->wire != 2) return true;
    if (text) {
        *text = nn__onnx_read_text(file, call, at->bytes);
        return *text != NULL;
    }
    if (at->field == NN__ONNX_OPSETS)
        return nn__onnx_read_opset(file, call, at->bytes, &file->opsets[file->opset_count++]);
    if (at->field == NN__ONNX_METADATA)
        return nn__onnx_read_pair(file, call, at->bytes,
                                  &file->metadata[2 * file->metadata_count++]);
    if (at->field == NN__ONNX_FUNCTIONS)
        return nn__onnx_read_function(file, call, at->bytes,
                                      &file->functions[file->function_count++]);
    if (at->field == NN__ONNX_GRAPH) {
        if (file->graph) return false;
        file->graph = nn__onnx_read_graph(file, call, at->bytes, 0);
        return file->graph != NULL;
    }
    return true;
}

static bool nn__onnx_read_model(nn_onnx *file, nn__onnx_call *call) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(file->bytes);
    bool whole = nn__onnx_take_lists(file, call);
    while (whole && nn__onnx_next(&cursor)) whole = nn__onnx_read_field(file, call, &cursor);
    if (!whole || cursor.damaged || !file->graph || file->opset_count == 0)
        return nn__onnx_fail(call, NN_ERROR_FORMAT,
                             "%q is not an ONNX file, or is damaged: it has no %s", file->label,
                             !whole || cursor.damaged ? "whole message"
                             : file->graph            ? "opset"
                                                      : "graph");
    return true;
}

/* Fills bytes from the desc. */
static bool nn__onnx_read_bytes(nn_onnx *file, nn__onnx_call *call, const nn_onnx_desc *desc) {
    const char *why;
    size_t size;
    if (!desc || !desc->path == !desc->bytes || (desc->path && !*desc->path))
        return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                             "give either desc.path or desc.bytes and desc.size");
    file->path = file->label = "";
    if (desc->bytes) {
        file->bytes.at = (const unsigned char *)desc->bytes;
        file->bytes.size = desc->size;
        file->label = "the file in memory";
    } else {
        file->path = nn__onnx_copy_text(call, &file->arena, desc->path, strlen(desc->path));
        if (!file->path) return false;
        for (file->label = why = file->path; *why; why++)
            if (*why == '/' || *why == '\\') file->label = why + 1;
        if (!nn__onnx_slurp(file->nn, file->path, &file->memory, &size, &why))
            return nn__onnx_fail(call, NN_ERROR_FILE, "%q %s", file->path, why);
        file->bytes.at = (const unsigned char *)file->memory;
        file->bytes.size = size;
    }
    if (file->bytes.size > NN__ONNX_LARGEST)
        return nn__onnx_fail(
            call, NN_ERROR_FORMAT,
            "%q is larger than 2 GB, protobuf's limit; save its weights as external data",
            file->label);
    file->arena.limit = (file->memory ? 2 : 3) * (uint64_t)file->bytes.size + NN__ONNX_MEMORY;
    return true;
}

NN_API nn_onnx *nn_open_onnx_at(nn_site site, nn_context *nn, const nn_onnx_desc *desc) {
    nn__onnx_call call;
    nn_onnx *file;
    if (!nn) return NULL;
    call = nn__onnx_begin(nn, site, "nn_open_onnx");
    file = (nn_onnx *)nn_take_memory(nn, sizeof *file);
    if (!file) {
        nn__onnx_fail(&call, NN_ERROR_MEMORY, "no memory");
        return NULL;
    }
    file->nn = file->arena.nn = nn;
    file->producer = file->producer_version = "";
    if (nn__onnx_read_bytes(file, &call, desc) && nn__onnx_read_model(file, &call)) {
        file->owned = nn_own(nn, file, nn__onnx_release);
        if (file->owned) return file;
        nn__onnx_fail(&call, NN_ERROR_MEMORY, "no memory");
    }
    nn__onnx_release(file);
    return NULL;
}

NN_API const char *nn_onnx_metadata(const nn_onnx *file, const char *key) {
    if (!file || !key) return NULL;
    for (int32_t i = 0; i < file->metadata_count; i++)
        if (strcmp(file->metadata[2 * i], key) == 0) return file->metadata[2 * i + 1];
    return NULL;
}
