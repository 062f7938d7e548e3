/* model/arrays.c - writes weights as arrays of a C header, and gives such arrays to a model:
   copied, or read in place. Numbers that C has no literal for (inf, nan) are an error, and so is
   any array that does not fit. */
#include "model/private.h"

/* ---- writing --------------------------------------------------------------------------------- */

#ifndef NN_NO_REPORTS

static bool nn__arrays_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool nn__arrays_is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *nn__arrays_type(nn_dtype dtype) {
    switch (dtype) {
    case NN_F32: return "float";
    case NN_F16:
    case NN_BF16: return "uint16_t"; /* C99 has no such type, so the bits are written */
    case NN_I32: return "int32_t";
    case NN_I16: return "int16_t";
    case NN_I8: return "int8_t";
    case NN_U8: return "uint8_t";
    default: return NULL;
    }
}

/* "cnn", "fc1.weight" -> "cnn_fc1_weight". */
static void nn__arrays_name(const char *name, const char *tensor, char *text, size_t size) {
    nn__format(text, size, "%s_%s", name, tensor);
    for (; *text; text++)
        if (!nn__arrays_is_letter(*text) && !nn__arrays_is_digit(*text)) *text = '_';
}

static bool nn__arrays_same_name(const nn_node *a, const nn_node *b) {
    char first[2 * NN_NAME_BYTES], second[2 * NN_NAME_BYTES];
    nn__arrays_name("", a->name, first, sizeof first);
    nn__arrays_name("", b->name, second, sizeof second);
    return strcmp(first, second) == 0;
}

static nn_result nn__arrays_check(nn_model *net, const char *name, nn_site site) {
    bool fits = name && nn__arrays_is_letter(name[0]) && strlen(name) < NN_NAME_BYTES;
    for (const char *at = name; fits && *at; at++)
        fits = nn__arrays_is_letter(*at) || nn__arrays_is_digit(*at);
    if (!fits)
        return nn__fail_at(
            net->nn, site, NN_ERROR_ARGUMENT,
            "nn_write_weights: name is \"%s\"; wanted a C identifier of fewer than %d letters",
            name, NN_NAME_BYTES);
    if (nn_model_tensor_count(net) == 0)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "nn_write_weights: the model \"%s\" has no parameters and no constants",
                           net->name);
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        if (!nn__is_saved(node)) continue;
        if (!nn__arrays_type(node->dtype))
            return nn__fail_at(
                net->nn, site, NN_ERROR_DTYPE,
                "nn_write_weights: \"%s\" is %s; wanted f32, f16, bf16, i32, i16, i8 or u8",
                node->name, nn_dtype_name(node->dtype));
        for (const nn_node *other = net->graph.first; other != node; other = other->next) {
            if (!nn__is_saved(other) || !nn__arrays_same_name(other, node)) continue;
            return nn__fail_at(
                net->nn, site, NN_ERROR_ARGUMENT,
                "nn_write_weights: \"%s\" and \"%s\" would have the same C name; rename one",
                other->name, node->name);
        }
    }
    return NN_OK;
}

static double nn__arrays_number(nn_dtype dtype, const void *numbers, size_t i) {
    switch (dtype) {
    case NN_F32: return (double)((const float *)numbers)[i];
    case NN_I32: return (double)((const int32_t *)numbers)[i];
    case NN_F16:
    case NN_BF16: return (double)((const uint16_t *)numbers)[i];
    case NN_I16: return (double)((const int16_t *)numbers)[i];
    case NN_I8: return (double)((const int8_t *)numbers)[i];
    default: return (double)((const uint8_t *)numbers)[i];
    }
}

static nn_result nn__arrays_write(const nn_node *node, const char *name, const void *numbers,
                                  const nn_writer *writer) {
    char text[2 * NN_NAME_BYTES];
    const size_t count = nn__elements(&node->tensor->view);
    const bool real = node->dtype == NN_F32;
    for (size_t i = 0; i < count; i++) {
        double value = nn__arrays_number(node->dtype, numbers, i);
        if (value - value != 0.0) return NN_ERROR_NAN; /* C has no literal for these */
    }
    nn__arrays_name(name, node->name, text, sizeof text);
    nn__print(writer, "\nstatic const %s %s[%zu] = {", nn__arrays_type(node->dtype), text, count);
    for (size_t i = 0; i < count; i++) {
        double value = nn__arrays_number(node->dtype, numbers, i);
        char digits[32];
        nn__format(digits, sizeof digits, "%.9g", value);
        nn__print(writer, "%s%s%s%s,", i % 8 == 0 ? "\n    " : " ", digits,
                  real && !strchr(digits, '.') && !strchr(digits, 'e') ? ".0" : "",
                  real ? "f" : "");
    }
    nn__print(writer, "\n};\n");
    return NN_OK;
}

static void nn__arrays_write_table(const nn_model *net, const char *name, const nn_writer *writer) {
    static const char *const dtypes[] = {"NN_F32", "NN_F16", "NN_BF16", "NN_I32",
                                         "NN_I16", "NN_I8",  "NN_U8"};
    static const nn_dtype numbers[] = {NN_F32, NN_F16, NN_BF16, NN_I32, NN_I16, NN_I8, NN_U8};
    char text[2 * NN_NAME_BYTES];
    nn__print(writer, "\nenum { %s_count = %d };\nstatic const nn_weights_array %s[%s_count] = {\n",
              name, nn_model_tensor_count(net), name, name);
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        int dtype = 0;
        if (!nn__is_saved(node)) continue;
        while (numbers[dtype] != node->dtype) dtype++;
        nn__arrays_name(name, node->name, text, sizeof text);
        nn__print(writer, "    {\"%s\", %s, {{", node->name, dtypes[dtype]);
        for (int i = 0; i < node->shape.rank; i++)
            nn__print(writer, i ? ", %d" : "%d", (int)node->shape.extent[i]);
        nn__print(writer, "%s}, %d}, %s},\n", node->shape.rank ? "" : "0", (int)node->shape.rank,
                  text);
    }
    nn__print(writer, "};\n");
}

static nn_result nn__inside_write_weights(nn_site site, nn_model *net, const char *name,
                                          nn_writer writer) {
    nn_result result;
    nn_context *nn;
    if (nn__model_gone(net, site, "nn_write_weights")) return NN_ERROR_ARGUMENT;
    nn = net->nn;
    if (net->faults.count > 0) return nn__fail_faults(nn, net->name, &net->faults, NULL);
    result = nn__arrays_check(net, name, site);
    if (result == NN_OK) result = nn__check_untorn(net, site, "nn_write_weights");
    if (result == NN_OK) result = nn__materialize(&net->graph, site);
    if (result != NN_OK) return result;
    nn__print(&writer,
              "/* Weights of \"%s\". Include \"nn.h\" before; give them to a model: "
              "nn_use_weights(net, %s, %s_count, "
              "&(nn_use_weights_desc){ .in_place = true }) */\n",
              net->name, name, name);
    for (const nn_node *node = net->graph.first; node && result == NN_OK; node = node->next) {
        void *host;
        size_t bytes;
        if (!nn__is_saved(node)) continue;
        bytes = (size_t)node->tensor->bytes;
        host = nn__allocate(&nn->memory, bytes);
        if (!host) return nn__fail_memory(nn, "nn_write_weights", bytes);
        result = nn_download_tensor_at(site, node->tensor, host, bytes);
        if (result == NN_OK && nn__arrays_write(node, name, host, &writer) != NN_OK)
            result = nn__fail_at(
                nn, site, NN_ERROR_NAN,
                "nn_write_weights: \"%s\" holds a number that is not finite; C cannot write it",
                node->name);
        nn__release(&nn->memory, host, bytes);
    }
    if (result == NN_OK) nn__arrays_write_table(net, name, &writer);
    return result;
}

NN_API nn_result nn_write_weights_at(nn_site site, nn_model *net, const char *name,
                                     nn_writer writer) {
    return NN__ALONE(net ? net->nn : NULL, "nn_write_weights", site,
                     nn__inside_write_weights(site, net, name, writer));
}

#else

NN_API nn_result nn_write_weights_at(nn_site site, nn_model *net, const char *name,
                                     nn_writer writer) {
    (void)name;
    (void)writer;
    return net ? nn__fail_at(net->nn, site, NN_ERROR_UNSUPPORTED,
                             "nn_write_weights: not under NN_NO_REPORTS")
               : NN_ERROR_ARGUMENT;
}

#endif

/* ---- using ----------------------------------------------------------------------------------- */

static const nn_weights_array *nn__arrays_find(const nn_weights_array *arrays, int count,
                                               const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(arrays[i].name, name) == 0) return &arrays[i];
    return NULL;
}

static const nn_node *nn__arrays_find_node(const nn_model *net, const char *name) {
    for (const nn_node *node = net->graph.first; node; node = node->next)
        if (nn__is_saved(node) && strcmp(node->name, name) == 0) return node;
    return NULL;
}

/* Returns the number of differences and writes a line for each. */
static int nn__arrays_compare(const nn_model *net, const nn_weights_array *arrays, int count,
                              const nn_writer *writer) {
    int faults = 0;
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        const nn_weights_array *array =
            nn__is_saved(node) ? nn__arrays_find(arrays, count, node->name) : NULL;
        if (!nn__is_saved(node) ||
            (array && array->data && nn__dtype(array->dtype) == node->dtype &&
             nn_same_shape(array->shape, node->shape)))
            continue;
        faults++;
#ifndef NN_NO_REPORTS
        char wanted[NN__SHAPE_TEXT], given[NN__SHAPE_TEXT];
        nn__format_shape(node->shape, wanted, sizeof wanted);
        if (!array) {
            nn__print(writer, "\n  missing:    \"%s\" %s is in the model, not in the arrays",
                      node->name, wanted);
        } else {
            nn__print(writer, "\n  different:  \"%s\" is %s %s%s in the arrays, %s %s in the model",
                      node->name, nn__format_shape(array->shape, given, sizeof given),
                      nn_dtype_name(nn__dtype(array->dtype)), array->data ? "" : " without data",
                      wanted, nn_dtype_name(node->dtype));
        }
#endif
    }
    for (int i = 0; i < count; i++) {
        if (nn__arrays_find_node(net, arrays[i].name)) continue;
        faults++;
#ifndef NN_NO_REPORTS
        nn__print(writer, "\n  unexpected: \"%s\" is in the arrays, not in the model",
                  arrays[i].name);
#endif
    }
    (void)writer;
    return faults;
}

static nn_result nn__arrays_check_fit(nn_model *net, const nn_weights_array *arrays, int count,
                                      nn_site site) {
    char text[2048];
    nn_text out;
    nn_writer writer = nn__write_into(&out, text, sizeof text);
    text[0] = 0;
    for (int i = 0; i < count; i++) {
        if (arrays[i].name) continue;
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "nn_use_weights: the name of array %d is NULL", i);
    }
    if (nn__arrays_compare(net, arrays, count, &writer) == 0) return NN_OK;
    return nn__fail_at(
        net->nn, site, NN_ERROR_SHAPE,
        "nn_use_weights: the arrays do not fit the model \"%s\"; nothing was changed%s", net->name,
        text);
}

/* True if the node is copied: all are without in_place, otherwise those in `copied`. */
static bool nn__arrays_copied(const nn_use_weights_desc *desc, const nn_node *node) {
    for (int i = 0; i < desc->copied.count; i++)
        if (nn__named(node, desc->copied.text[i])) return true;
    return !desc->in_place;
}

/* Fails if a node cannot stay in place, or if a name in `copied` matches nothing. */
static nn_result nn__arrays_check_place(nn_model *net, const nn_use_weights_desc *desc,
                                        nn_site site) {
    nn_context *nn = net->nn;
    char device[16];
    if (!nn__check_list(nn, site, "nn_use_weights", "copied", desc->copied.text,
                        desc->copied.count, true))
        return NN_ERROR_ARGUMENT;
    for (int i = 0; i < desc->copied.count; i++) {
        const nn_node *node = net->graph.first;
        while (node && !(nn__is_saved(node) && nn__named(node, desc->copied.text[i])))
            node = node->next;
        if (!node)
            return nn__fail_at(
                nn, site, NN_ERROR_ARGUMENT,
                "nn_use_weights: copied[%d] is \"%s\"; the model \"%s\" has no parameter and no "
                "constant of that name",
                i, desc->copied.text[i], net->name);
    }
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        const nn__open_device *on;
        if (!nn__is_saved(node) || nn__arrays_copied(desc, node)) continue;
        on = nn__find_device(nn, node->device);
        if (node->tensor)
            return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                               "nn_use_weights: in_place: \"%s\" has memory already; call it "
                               "before the first plan",
                               node->name);
        if (!on || !nn_same_device(on->device, nn_cpu()))
            return nn__fail_at(nn, site, NN_ERROR_DEVICE,
                               "nn_use_weights: in_place: \"%s\" is on %s, which does not read the "
                               "host's memory; give "
                               "in_place false to copy",
                               node->name, nn_format_device(node->device, device, sizeof device));
    }
    return NN_OK;
}

/* Makes a tensor over its array for each node that stays in place. After a failure nn__arrays_leave
   removes them. */
static nn_result nn__arrays_place(nn_model *net, const nn_weights_array *arrays, int count,
                                  const nn_use_weights_desc *desc, nn_site site) {
    for (nn_node *node = net->graph.first; node; node = node->next) {
        const nn_weights_array *array;
        nn_view view;
        if (!nn__is_saved(node) || nn__arrays_copied(desc, node)) continue;
        array = nn__arrays_find(arrays, count, node->name);
        memset(&view, 0, sizeof view);
        /* drops const, but the tensor is marked read-only below */
        view.handle = (void *)(uintptr_t)array->data;
        view.shape = node->shape;
        view.dtype = node->dtype;
        node->tensor = nn__make_leaf_tensor(net->nn, node->name, nn_cpu(), &view, site);
        if (!node->tensor) return NN_ERROR_MEMORY;
        node->tensor->read_only = true;
        const nn_result result =
            nn__tensor_check_integers(node->tensor, array->data, site, "nn_use_weights");
        if (result != NN_OK) return result;
    }
    return NN_OK;
}

/* Removes the tensors of nn__arrays_place. */
static void nn__arrays_leave(nn_model *net, const nn_use_weights_desc *desc) {
    for (nn_node *node = net->graph.first; node; node = node->next) {
        if (!nn__is_saved(node) || nn__arrays_copied(desc, node)) continue;
        nn__drop_tensor(node->tensor);
        node->tensor = NULL;
    }
}

/* Makes the tensors of nn__arrays_place permanent. Cannot fail. */
static void nn__arrays_stay(nn_model *net, const nn_use_weights_desc *desc) {
    for (nn_node *node = net->graph.first; node; node = node->next) {
        if (!nn__is_saved(node) || nn__arrays_copied(desc, node)) continue;
        node->frozen = true;
        node->moves = false;
        /* the array replaces the tensor from which a constant would be copied */
        if (node->source) nn__unuse_tensor(node->source);
        node->source = NULL;
    }
}

/* Uploads all arrays to temporary tensors, then copies those into the model's. A failed upload
   changes nothing. */
static nn_result nn__arrays_copy(nn_model *net, const nn_weights_array *arrays, int count,
                                 const nn_use_weights_desc *desc, nn_site site) {
    nn_context *nn = net->nn;
    const size_t bytes = sizeof(nn_tensor *) * (size_t)nn__maxi(count, 1);
    nn_tensor **beside = (nn_tensor **)nn__allocate(&nn->memory, bytes);
    nn_result result = beside ? NN_OK : nn__fail_memory(nn, "nn_use_weights", bytes);
    for (int i = 0; i < count && result == NN_OK; i++) {
        const nn_node *node = nn__arrays_find_node(net, arrays[i].name);
        nn_tensor_desc made;
        if (!nn__arrays_copied(desc, node)) continue;
        result = nn__check_writable(node->tensor, site, "nn_use_weights");
        if (result == NN_OK)
            result = nn__tensor_check_integers(node->tensor, arrays[i].data, site,
                                               "nn_use_weights");
        if (result != NN_OK) break;
        memset(&made, 0, sizeof made);
        made.name = node->name;
        made.dtype = node->dtype;
        made.shape = node->shape;
        made.device = node->tensor->device;
        beside[i] = nn_make_tensor_at(site, nn, &made);
        result = beside[i] ? nn_upload_tensor_at(site, beside[i], arrays[i].data,
                                                 (size_t)beside[i]->bytes)
                           : NN_ERROR_MEMORY;
    }
    for (int i = 0; i < count && result == NN_OK; i++)
        if (beside[i])
            result = nn_copy_at(site, nn__arrays_find_node(net, arrays[i].name)->tensor, beside[i]);
    for (int i = 0; i < count && beside; i++) nn__drop_tensor(beside[i]);
    nn__release(&nn->memory, beside, bytes);
    return result;
}

static bool nn__arrays_copies(const nn_model *net, const nn_use_weights_desc *desc) {
    for (const nn_node *node = net->graph.first; node; node = node->next)
        if (nn__is_saved(node) && nn__arrays_copied(desc, node)) return true;
    return false;
}

static nn_result nn__inside_use_weights(nn_site site, nn_model *net, const nn_weights_array *arrays,
                                        int count, const nn_use_weights_desc *desc) {
    nn_use_weights_desc none;
    nn_result result;
    memset(&none, 0, sizeof none);
    if (nn__model_gone(net, site, "nn_use_weights")) return NN_ERROR_ARGUMENT;
    if (!desc) desc = &none;
    if (!arrays && count > 0)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT, "nn_use_weights: arrays is NULL");
    if (net->faults.count > 0) return nn__fail_faults(net->nn, net->name, &net->faults, NULL);
    result = nn__check_slicing(net->nn, net->slicing, NULL, true, site, "nn_use_weights");
    if (result == NN_OK) result = nn__check_unmerged(net, site, "nn_use_weights");
    if (result == NN_OK) result = nn__arrays_check_fit(net, arrays, count, site);
    if (result == NN_OK) result = nn__arrays_check_place(net, desc, site);
    if (result != NN_OK) return result;
    if (desc->in_place) result = nn__arrays_place(net, arrays, count, desc, site);
    if (result == NN_OK && nn__arrays_copies(net, desc)) {
        result = nn__materialize(&net->graph, site);
        if (result == NN_OK) result = nn__arrays_copy(net, arrays, count, desc, site);
    }
    if (result == NN_OK) nn__mend(net);
    if (!desc->in_place) return result;
    if (result == NN_OK)
        nn__arrays_stay(net, desc);
    else
        nn__arrays_leave(net, desc);
    return result;
}

NN_API nn_result nn_use_weights_at(nn_site site, nn_model *net, const nn_weights_array *arrays,
                                   int count, const nn_use_weights_desc *desc) {
    return NN__ALONE(net ? net->nn : NULL, "nn_use_weights", site,
                     nn__inside_use_weights(site, net, arrays, count, desc));
}
