/* model/weights.c - what a model has learned, to a safetensors file and back, under PyTorch's state_dict
   names. Refuses to load half a file: names and shapes must fit exactly, and values reach the device only
   when all of them were read. It knows no optimizer state. Next: train/dataset.c. */
#include "model/private.h"

#ifndef NN_NO_FILES

static bool nn__weights_saved(const nn_node *node) {
    return node->kind == NN__PARAMETER || node->kind == NN__CONSTANT;
}

/* The checks that saving and loading share; afterwards every tensor exists. */
static nn_result nn__weights_ready(nn_model *net, const char *path, nn_site site, const char *who) {
    if (!path || !*path)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT, "%s: path is %s", who, path ? "empty" : "NULL");
    if (net->faults.count > 0 || net->faults.no_memory)
        return nn__fail_faults(net->nn, net->name, &net->faults, NULL);
    if (nn_model_tensor_count(net) == 0) {
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the model \"%s\" has no parameters and no constants", who, net->name);
    }
    return nn__materialize(&net->graph, site);
}

NN_API nn_result nn_save_weights_at(nn_site site, nn_model *net, const char *path) {
    const char *const metadata[2] = {"format", "pt"};
    nn_tensor **tensors;
    nn_result result;
    size_t bytes;
    int count = 0;
    if (!net) return NN_ERROR_ARGUMENT;
    result = nn__weights_ready(net, path, site, "nn_save_weights");
    if (result != NN_OK) return result;
    bytes = sizeof *tensors * (size_t)nn_model_tensor_count(net);
    tensors = (nn_tensor **)nn__allocate(&net->nn->memory, bytes);
    if (!tensors) return nn__fail_memory(net->nn, "nn_save_weights", bytes);
    for (nn_node *node = net->graph.first; node; node = node->next) {
        if (nn__weights_saved(node)) tensors[count++] = node->tensor;
    }
    result = nn_save_safetensors_at(site, net->nn, path, tensors, count, metadata, 2);
    nn__release(&net->nn->memory, tensors, bytes);
    return result;
}

/* ---- does the file fit? ---------------------------------------------------------------------- */

static const nn_node *nn__weights_find(const nn_model *net, const char *name) {
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        if (nn__weights_saved(node) && strcmp(node->name, name) == 0) return node;
    }
    return NULL;
}

/* Numbers of tensors that do not fit; with a writer, also a line for each. */
static int nn__weights_compare(const nn_model *net, const nn_safetensors *file, const nn_writer *writer) {
    char wanted[NN__SHAPE_TEXT], given[NN__SHAPE_TEXT];
    int faults = 0;
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        if (!nn__weights_saved(node) || nn_safetensors_find(file, node->name) >= 0) continue;
        nn__print(writer, "\n  missing:     \"%s\" %s is in the model, not in the file", node->name,
                  nn__format_shape(node->shape, wanted, sizeof wanted));
        faults++;
    }
    for (int i = 0; i < nn_safetensors_count(file); i++) {
        nn_safetensors_entry entry = nn_safetensors_at(file, i);
        if (nn__weights_find(net, entry.name)) continue;
        nn__print(writer, "\n  unexpected:  \"%s\" %s is in the file, not in the model", entry.name,
                  nn__format_shape(entry.shape, given, sizeof given));
        faults++;
    }
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        int i = nn__weights_saved(node) ? nn_safetensors_find(file, node->name) : -1;
        nn_shape shape = i < 0 ? node->shape : nn_safetensors_at(file, i).shape;
        if (nn_same_shape(shape, node->shape)) continue;
        nn__print(writer, "\n  wrong shape: \"%s\" is %s in the file, %s in the model", node->name,
                  nn__format_shape(shape, given, sizeof given),
                  nn__format_shape(node->shape, wanted, sizeof wanted));
        faults++;
    }
    return faults;
}

static nn_result nn__weights_check(const nn_model *net, const nn_safetensors *file, const char *path,
                                   nn_site site) {
    nn_context *nn = net->nn;
    nn_writer writer;
    nn_text text;
    nn_result result;
    int faults;
    memset(&text, 0, sizeof text);
    writer.function = nn_write_text;
    writer.user = &text;
    faults = nn__weights_compare(net, file, &writer);
    if (faults == 0) return NN_OK;
    text.size = text.length + 1;
    text.length = 0;
    text.buffer = (char *)nn__allocate(&nn->memory, text.size);
    if (text.buffer) nn__weights_compare(net, file, &writer);
    result = nn__fail_at(nn, site, NN_ERROR_SHAPE,
                         "nn_load_weights: \"%s\" does not fit the model \"%s\"; nothing was loaded%s", path,
                         net->name, text.buffer ? text.buffer : "");
    nn__release(&nn->memory, text.buffer, text.size);
    return result;
}

/* ---- loading --------------------------------------------------------------------------------- */

/* All the file's tensors as the model's dtypes, one behind the other, each at a multiple of NN__ALIGNMENT. */
static nn_result nn__weights_read(const nn_model *net, nn_safetensors *file, char *host, nn_site site) {
    size_t offset = 0;
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        size_t bytes;
        nn_result result;
        if (!nn__weights_saved(node)) continue;
        bytes = (size_t)node->tensor->bytes;
        result = nn_read_safetensors_at(site, file, nn_safetensors_find(file, node->name), node->dtype,
                                        host + offset, bytes);
        if (result != NN_OK) return result;
        offset += (size_t)nn__padded(bytes);
    }
    return NN_OK;
}

/* Would the ledger refuse any of the uploads? Asked before the first one. */
static nn_result nn__weights_ask(nn_model *net, uint64_t bytes, int count, nn_site site) {
    nn_context *nn = net->nn;
    uint64_t limit = nn->ledger.limits.crossings;
    nn_result result = nn__ledger_ask(nn, NN_CROSS_UPLOAD, bytes, "weights", site);
    if (result != NN_OK || !nn->ledger.guard || limit == 0) return result;
    if (limit != NN_LEDGER_NOTHING && nn->ledger.crossings + (uint64_t)count <= limit) return NN_OK;
    return nn__fail_at(nn, site, NN_ERROR_LIMIT,
                       "nn_ledger_limit: %d uploads of weights: refused before the first one; crossings "
                       "allows %llu, %llu are used; raise the limit",
                       count, (unsigned long long)(limit == NN_LEDGER_NOTHING ? 0 : limit),
                       (unsigned long long)nn->ledger.crossings);
}

/* Where an upload may fail half-way, values go to a second block first: only copies inside the device follow,
   so that a failure leaves the weights as they were. Host memory needs none: after nn__weights_ask nothing
   there can fail. */
typedef struct nn__weights_device {
    void *shadow;
    uint64_t bytes, at;
} nn__weights_device;

typedef enum nn__weights_phase {
    NN__WEIGHTS_MEASURE,
    NN__WEIGHTS_STAGE,
    NN__WEIGHTS_APPLY
} nn__weights_phase;

static nn_result nn__weights_one(nn_model *net, const nn_node *node, const nn__open_device *on,
                                 nn__weights_device *device, const char *host, nn__weights_phase phase,
                                 nn_site site) {
    const nn_tensor *tensor = node->tensor;
    nn_view view = tensor->view;
    if (phase == NN__WEIGHTS_MEASURE) {
        if (!on->limits.host_memory) device->bytes += nn__padded(tensor->bytes);
        return NN_OK;
    }
    if (on->limits.host_memory) {
        if (phase == NN__WEIGHTS_STAGE) return NN_OK;
        return nn__upload(net->nn, on->device, &view, host, tensor->bytes, node->name, site, NULL);
    }
    view.handle = device->shadow;
    view.offset = device->at;
    device->at += nn__padded(tensor->bytes);
    if (phase == NN__WEIGHTS_STAGE)
        return nn__upload(net->nn, on->device, &view, host, tensor->bytes, node->name, site, NULL);
    return on->backend->copy(on->state, tensor->view.handle, tensor->view.offset, view.handle, view.offset,
                             tensor->bytes);
}

static nn_result nn__weights_walk(nn_model *net, nn__weights_device *devices, const char *host,
                                  nn__weights_phase phase, nn_site site) {
    nn_context *nn = net->nn;
    uint64_t offset = 0;
    nn_result result = NN_OK;
    for (int i = 0; i < nn->device_count; i++) devices[i].at = 0;
    for (const nn_node *node = net->graph.first; node && (int)result >= 0; node = node->next) {
        const nn__open_device *on;
        if (!nn__weights_saved(node)) continue;
        on = nn__find_device(nn, node->tensor->device);
        result = nn__weights_one(net, node, on, &devices[on - nn->devices], host + offset, phase, site);
        offset += nn__padded(node->tensor->bytes);
    }
    return (int)result < 0 ? result : NN_OK;
}

static nn_result nn__weights_upload(nn_model *net, const char *host, nn_site site) {
    nn_context *nn = net->nn;
    nn__weights_device devices[NN_MAX_DEVICES];
    nn_result result;
    memset(devices, 0, sizeof devices);
    result = nn__weights_walk(net, devices, host, NN__WEIGHTS_MEASURE, site);
    for (int i = 0; i < nn->device_count && result == NN_OK; i++) {
        if (devices[i].bytes == 0) continue;
        result = nn__device_alloc(nn, nn->devices[i].device, devices[i].bytes, "nn_load_weights",
                                  &devices[i].shadow);
    }
    if (result == NN_OK) result = nn__weights_walk(net, devices, host, NN__WEIGHTS_STAGE, site);
    if (result == NN_OK) {
        result = nn__weights_walk(net, devices, host, NN__WEIGHTS_APPLY, site);
        for (int i = 0; i < nn->device_count && result == NN_OK; i++) {
            if (devices[i].shadow) result = nn->devices[i].backend->finish(nn->devices[i].state);
        }
        if ((int)result < 0)
            nn__fail_at(nn, site, result, "nn_load_weights: a copy inside the device: %s",
                        nn_result_text(result));
    }
    for (int i = 0; i < nn->device_count; i++)
        nn__device_release(nn, nn->devices[i].device, devices[i].shadow, devices[i].bytes);
    return (int)result < 0 ? result : NN_OK;
}

NN_API nn_result nn_load_weights_at(nn_site site, nn_model *net, const char *path) {
    nn_context *nn;
    nn_safetensors *file;
    nn_result result, before;
    uint64_t bytes = 0, logical = 0;
    char *host = NULL;
    if (!net) return NN_ERROR_ARGUMENT;
    nn = net->nn;
    result = nn__weights_ready(net, path, site, "nn_load_weights");
    if (result != NN_OK) return result;
    before = nn_error_code(nn);
    file = nn_open_safetensors_at(site, nn, path);
    if (!file) return before == NN_OK && nn_error_code(nn) != NN_OK ? nn_error_code(nn) : NN_ERROR_FILE;
    result = nn__weights_check(net, file, path, site);
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        if (!nn__weights_saved(node)) continue;
        bytes += nn__padded(node->tensor->bytes);
        logical += node->tensor->bytes;
    }
    if (result == NN_OK && bytes <= SIZE_MAX) host = (char *)nn__allocate(&nn->memory, (size_t)bytes);
    if (result == NN_OK && !host) result = nn__fail_memory(nn, "nn_load_weights", bytes);
    if (result == NN_OK) result = nn__weights_read(net, file, host, site);
    nn_close_safetensors(file);
    if (result == NN_OK) result = nn__weights_ask(net, logical, nn_model_tensor_count(net), site);
    if (result == NN_OK) result = nn__weights_upload(net, host, site);
    nn__release(&nn->memory, host, (size_t)bytes);
    return result;
}

#endif /* NN_NO_FILES */

typedef int nn__weights_part; /* a part must not be empty under NN_NO_FILES */
