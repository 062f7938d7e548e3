/* onnx/write_weights.c - the weights of a net that is printed as C: arrays, or a safetensors file,
   and the function that loads them. */
#include "onnx/write_emit.h"

NN__ONNX_PRIVATE bool nn__c_has_numbers(nn__c_writer *w, const nn_node *node) {
    const nn_node_kind kind = nn_describe_node(node).kind;
    const char *name = nn_node_name(node), *layer;
    if (kind != NN_NODE_PARAMETER && kind != NN_NODE_BUFFER && kind != NN_NODE_CONSTANT)
        return false;
    if (*nn__onnx_text_of(&w->alone, node) || *nn__onnx_text_of(&w->owned, node)) return true;
    /* the counter of a norm with running statistics, which no operation reads */
    layer = nn__c_layer_of(w, node, "num_batches_tracked");
    if (!layer || !nn__onnx_find(&w->layers, layer)) return false;
    for (int32_t i = 0; i < w->count; i++)
        if (nn__c_is_part(w->nodes[i], layer) && strstr(nn_node_name(w->nodes[i]), ".running_"))
            return *name != 0;
    return false;
}

static void nn__c_flush(nn__c_writer *w) {
    nn__onnx_growing *text = &w->args;
    if (text->size > 0)
        w->desc->writer.function(w->desc->writer.user, (const char *)text->at, text->size);
    text->size = 0;
}

static const char *nn__c_array_type(nn_dtype dtype) {
    static const char *const types[NN_DTYPE_COUNT] = {NULL,       "float",    "int32_t", "uint8_t",
                                                      "uint16_t", "uint16_t", "double",  "int64_t",
                                                      "int16_t",  "int8_t",   "uint8_t"};
    return types[dtype];
}

static void nn__c_number(nn__c_writer *w, nn_dtype dtype, const void *data, size_t i, bool bits) {
    int64_t whole = 0;
    char digits[32];
    if (dtype == NN_F32 && !bits) {
        nn__c_digits(((const float *)data)[i], digits);
        nn__c_print(&w->args, "%sf", digits);
        return;
    }
    switch (dtype) {
    case NN_F32: whole = ((const uint32_t *)data)[i]; break;
    case NN_I32: whole = ((const int32_t *)data)[i]; break;
    case NN_F16:
    case NN_BF16: whole = ((const uint16_t *)data)[i]; break;
    case NN_I64: whole = ((const int64_t *)data)[i]; break;
    case NN_I16: whole = ((const int16_t *)data)[i]; break;
    case NN_I8: whole = ((const int8_t *)data)[i]; break;
    default: whole = ((const uint8_t *)data)[i]; break;
    }
    nn__c_print(&w->args, "%d", whole);
}

/* True if a number must be printed as bits instead of decimals: infinities, NaN, -0. */
static bool nn__c_needs_bits(nn_dtype dtype, const void *data, size_t count) {
    const float *numbers = (const float *)data;
    for (size_t i = 0; dtype == NN_F32 && i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        if (numbers[i] - numbers[i] != 0.0f || bits == 0x80000000u) return true;
    }
    return false;
}

static void nn__c_write_array(nn__c_writer *w, const nn_node *node, const char *name,
                              const void *data, size_t bytes) {
    const nn_dtype dtype = nn_node_dtype(node);
    const size_t count = bytes / nn_dtype_size(dtype);
    const bool bits = nn__c_needs_bits(dtype, data, count);
    size_t last = bytes;
    while (last > 0 && ((const unsigned char *)data)[last - 1] == 0) last--;
    last = (last + nn_dtype_size(dtype) - 1) / nn_dtype_size(dtype); /* the rest is zeros */
    nn__c_print(&w->args, "\nstatic const %s %s[%d] = {",
                bits ? "uint32_t" : nn__c_array_type(dtype), name, (int64_t)count);
    if (last == 0) nn__c_print(&w->args, "0");
    for (size_t i = 0; i < last; i++) {
        if (i > 0) nn__c_print(&w->args, ",");
        nn__c_print(&w->args, i % 8 == 0 ? "\n    " : " ");
        nn__c_number(w, dtype, data, i, bits);
        if (i % 8 == 7) nn__c_flush(w);
    }
    nn__c_print(&w->args, "};\n");
    nn__c_flush(w);
}

NN__ONNX_PRIVATE const char *nn__c_array_of(nn__c_writer *w, const nn_node *node) {
    nn_tensor *tensor = nn_find_tensor_at(w->e.call->site, w->e.net, nn_node_name(node));
    const size_t bytes = tensor ? nn_tensor_bytes(tensor) : 0;
    const char *name;
    void *host;
    if (!tensor) {
        w->e.call->code = NN_ERROR_MEMORY; /* nn_error has the reason */
        return "";
    }
    host = nn_take_memory(w->e.call->nn, bytes);
    if (!host) {
        nn__onnx_fail(w->e.call, NN_ERROR_MEMORY, "no memory for %d bytes", (int64_t)bytes);
        return "";
    }
    name = nn__c_new_name(w, &w->arrays, nn__c_text(w, "%s_%s", w->name, nn_node_name(node)));
    if (nn_download_tensor_at(w->e.call->site, tensor, host, bytes) == NN_OK)
        nn__c_write_array(w, node, name, host, bytes);
    else
        w->e.call->code = NN_ERROR_BACKEND; /* nn_error has the reason */
    nn_give_memory(w->e.call->nn, host, bytes);
    return name;
}

static void nn__c_table_line(nn__c_writer *w, const nn_node *node, const char *array) {
    const nn_shape shape = nn_node_shape(node);
    nn__c_print(&w->args, "    {%s, %s, {{", nn__c_quoted(w, nn_node_name(node)),
                nn__c_dtype(nn_node_dtype(node)));
    for (int i = 0; i < shape.rank; i++)
        nn__c_print(&w->args, i ? ", %d" : "%d", (int64_t)shape.extent[i]);
    nn__c_print(&w->args, shape.rank ? "}, %d}, %s},\n" : "0}, %d}, %s},\n", (int64_t)shape.rank,
                array);
    nn__c_flush(w);
}

static void nn__c_write_arrays(nn__c_writer *w) {
    nn_node *node;
    int64_t count = 0;
    const char **names;
    for (node = nn_next_node(w->e.net, NULL); node; node = nn_next_node(w->e.net, node))
        count += nn__c_has_numbers(w, node);
    if (count == 0) {
        nn__c_print(&w->args,
                    "\n/* The net has no weights. */\nstatic inline nn_result %s_load("
                    "nn_model *net) {\n    (void)net;\n    return NN_OK;\n}\n",
                    w->name);
        return;
    }
    names = (const char **)nn__onnx_take(w->e.call, &w->e.arena, (uint64_t)count * sizeof *names);
    if (!names) return;
    count = 0;
    for (node = nn_next_node(w->e.net, NULL); node; node = nn_next_node(w->e.net, node))
        if (nn__c_has_numbers(w, node) && w->e.call->code == NN_OK)
            names[count++] = nn__c_array_of(w, node);
    nn__c_print(
        &w->args,
        "\n/* All arrays. nn_use_weights(net, %s_weights, %s_weights_count, ...) reads them in\n"
        "   place, if the model has nothing else. */\n"
        "enum { %s_weights_count = %d };\n"
        "static const nn_weights_array %s_weights[%s_weights_count] = {\n",
        w->name, w->name, w->name, count, w->name, w->name);
    count = 0;
    for (node = nn_next_node(w->e.net, NULL); node; node = nn_next_node(w->e.net, node))
        if (nn__c_has_numbers(w, node) && w->e.call->code == NN_OK)
            nn__c_table_line(w, node, names[count++]);
    nn__c_print(&w->args,
                "};\n\n/* Copies the weights into the model, wherever its tensors are. */\n"
                "static inline nn_result %s_load(nn_model *net) {\n"
                "    for (int i = 0; i < %s_weights_count; i++) {\n"
                "        const nn_weights_array *from = &%s_weights[i];\n"
                "        nn_tensor *to = nn_find_tensor(net, from->name);\n"
                "        nn_result result = NN_ERROR_SHAPE;\n"
                "        if (to && nn_tensor_dtype(to) == from->dtype &&\n"
                "            nn_same_shape(nn_tensor_shape(to), from->shape))\n"
                "            result = nn_upload_tensor(to, from->data, nn_tensor_bytes(to));\n"
                "        if (result != NN_OK) return result;\n"
                "    }\n"
                "    return NN_OK;\n}\n",
                w->name, w->name, w->name);
}

NN__ONNX_PRIVATE bool nn__c_save_weights(nn__c_writer *w) {
#ifndef NN_NO_FILES
    const nn_result result =
        w->desc->weights ? nn_save_weights_at(w->e.call->site, w->e.net, w->desc->weights) : NN_OK;
    if (result != NN_OK) w->e.call->code = result; /* nn_error has the reason */
#endif
    return w->e.call->code == NN_OK;
}

#ifndef NN_NO_FILES
static void nn__c_write_file_load(nn__c_writer *w) {
    const char *path = nn__c_quoted(w, w->desc->weights);
    nn__c_print(&w->args,
                "\n/* Loads the weights, all or none. path: of the file; NULL: the one below. */\n"
                "static inline nn_result %s_load(nn_model *net, const char *path) {\n"
                "    nn_loaded loaded;\n"
                "    nn_load_weights_desc d;\n"
                "    nn_result result;\n"
                "    memset(&d, 0, sizeof d);\n"
                "    d.non_strict = true; /* the file may have more than this net */\n"
                "    d.loaded = &loaded;\n"
                "    result = nn_load_weights(net, path ? path : ",
                w->name);
    nn__onnx_add_bytes(&w->args, path, strlen(path)); /* a text of any length */
    nn__c_print(&w->args, ", &d);\n"
                "    if (result == NN_OK && loaded.loaded != loaded.tensors) result = "
                "NN_ERROR_FILE;\n"
                "    return result;\n}\n");
}
#endif

NN__ONNX_PRIVATE bool nn__c_write_weights(nn__c_writer *w) {
    w->args.size = 0;
#ifndef NN_NO_FILES
    if (w->desc->weights)
        nn__c_write_file_load(w);
    else
#endif
        nn__c_write_arrays(w);
    nn__c_flush(w);
    return w->e.call->code == NN_OK;
}
