/* model/weights.c - what a model has learned, to a safetensors file and back, under PyTorch's state_dict
   names. Refuses to load half a file: names and shapes must fit, and values reach the weights only when all of
   them were read. It knows no optimizer state. Next: train/dataset.c. */
#include "model/private.h"

#ifndef NN_NO_FILES

/* The checks that saving and loading share; afterwards every tensor exists. */
NN_PRIVATE nn_result nn__weights_ready(nn_model *net, const char *path, nn_site site, const char *who) {
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
        if (node->kind == NN__PARAMETER || node->kind == NN__CONSTANT) tensors[count++] = node->tensor;
    }
    result = nn_save_safetensors_at(site, net->nn, path, tensors, count, metadata, 2);
    nn__release(&net->nn->memory, tensors, bytes);
    return result;
}

NN_PRIVATE nn_result nn__open_state(nn_context *nn, const char *path, nn_site site, nn_safetensors **file) {
    *file = nn_open_safetensors_at(site, nn, path);
    if (*file) return NN_OK;
    return nn->last_code;
}

/* A checkpoint holds more than weights. */
static bool nn__weights_ignores(const nn__state *state, const char *name) {
    (void)state;
    return nn__begins(name, NN__OPTIMIZER_PREFIX) || nn__begins(name, NN__TRAINER_PREFIX);
}

static nn_result nn__weights_load(nn_site site, nn_model *net, const char *path,
                                  const nn_load_weights_desc *desc, const char *who) {
    nn_safetensors *file;
    nn__state state;
    nn_result result;
    if (!net) return NN_ERROR_ARGUMENT;
    result = nn__weights_ready(net, path, site, who);
    if (result == NN_OK) result = nn__check_slicing(net->nn, net->slicing, NULL, true, site, who);
    if (result == NN_OK) result = nn__open_state(net->nn, path, site, &file);
    if (result != NN_OK) return result;
    if (nn__state_begin(&state, net, nn_model_tensor_count(net), site, who)) {
        nn__state_add_model(&state);
        state.non_strict = desc && desc->non_strict;
        state.renames = desc ? desc->renames : NULL;
        state.ignores = nn__weights_ignores;
        result = nn__state_stage(&state, file);
        if (result == NN_OK) result = nn__state_apply(&state);
        nn__state_end(&state);
    } else {
        result = NN_ERROR_MEMORY;
    }
    nn_close_safetensors(file);
    return result;
}

NN_API nn_result nn_load_weights_at(nn_site site, nn_model *net, const char *path) {
    return nn__weights_load(site, net, path, NULL, "nn_load_weights");
}

NN_API nn_result nn_load_weights_with_at(nn_site site, nn_model *net, const char *path,
                                         const nn_load_weights_desc *desc) {
    return nn__weights_load(site, net, path, desc, "nn_load_weights_with");
}

#endif /* NN_NO_FILES */

typedef int nn__weights_part; /* a part must not be empty under NN_NO_FILES */
