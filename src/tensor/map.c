/* tensor/map.c - gives a pointer to a tensor's memory where host and device share it. It never
   copies. */
#include "tensor/private.h"

NN_PRIVATE nn_result nn__fail_mapped(const nn_tensor *tensor, nn_site site, const char *who) {
    return nn__fail_at(tensor->nn, site, NN_ERROR_ARGUMENT,
                       "%s: \"%s\" is mapped; call nn_unmap_tensor(%s) first", who, tensor->name,
                       tensor->name);
}

#ifndef NN__ONE_PIECE
/* Gives the memory back to the device; errors are ignored or already reported. */
static void nn__map_end(nn_tensor *tensor) {
    const nn__open_device *on = nn__find_device(tensor->nn, tensor->device);
    void *pointer = tensor->mapped;
    if (pointer) tensor->nn->mapped--;
    tensor->mapped = NULL;
    tensor->unmap = NULL;
    if (on && pointer && !on->limits.host_memory)
        on->backend->unmap(on->state, tensor->view.handle, pointer);
}
#endif

/* Returns the pointer; NULL: the error is reported. */
static void *nn__map_begin(nn_site site, const nn_tensor *tensor, const nn__open_device *on,
                           bool write) {
    char name[32];
    void *pointer = NULL;
    nn_result result = NN_ERROR_BACKEND;
    if (on->limits.host_memory) { /* kernels may still be writing */
        result = on->backend->finish(on->state);
        if ((int)result >= 0) pointer = (char *)tensor->view.handle + tensor->view.offset;
    } else {
        pointer = on->backend->map(on->state, tensor->view.handle, tensor->view.offset,
                                   tensor->bytes, write);
    }
    if (!pointer)
        nn__fail_at(tensor->nn, site, result, "nn_map_tensor: \"%s\", %llu bytes, %s: %s",
                    tensor->name, (unsigned long long)tensor->bytes,
                    nn_format_device(on->device, name, sizeof name), nn_result_text(result));
    return pointer;
}

static void *nn__inside_map_tensor(nn_site site, nn_tensor *tensor, bool write) {
    char name[32];
    const nn__open_device *on;
    nn_context *nn;
    if (!tensor) return NULL;
    nn = tensor->nn;
    on = nn__find_device(nn, tensor->device);
    if (!on) {
        nn__fail_not_open(nn, site, "nn_map_tensor", tensor->device);
        return NULL;
    }
    if (nn__check_whole(tensor, write, site, "nn_map_tensor") != NN_OK) return NULL;
    if (tensor->mapped) {
        nn__fail_mapped(tensor, site, "nn_map_tensor");
        return NULL;
    }
    if (write && nn__check_writable(tensor, site, "nn_map_tensor") != NN_OK) return NULL;
    if (!on->limits.host_memory && (!on->backend->map || !on->backend->unmap)) {
        nn__fail_at(nn, site, NN_ERROR_UNSUPPORTED,
                    "nn_map_tensor: \"%s\" is on %s, which shares no memory with the host; "
                    "nn_download_tensor "
                    "copies it",
                    tensor->name, nn_format_device(on->device, name, sizeof name));
        return NULL;
    }
    if (nn__ledger_ask(nn, NN_CROSS_DOWNLOAD, tensor->bytes, tensor->name, site) != NN_OK)
        return NULL;
    if (write && nn__ledger_ask(nn, NN_CROSS_UPLOAD, tensor->bytes, tensor->name, site) != NN_OK)
        return NULL;
    tensor->mapped = nn__map_begin(site, tensor, on, write);
    if (!tensor->mapped) return NULL;
    tensor->writes = write;
#ifndef NN__ONE_PIECE
    tensor->unmap = nn__map_end;
    nn->mapped++;
#endif
    nn__ledger_add(nn, NN_CROSS_DOWNLOAD, NN_WAY_MAPPED, on->device, nn_cpu(), tensor->bytes, 0,
                   tensor->name, site);
    return tensor->mapped;
}

NN_API void *nn_map_tensor_at(nn_site site, nn_tensor *tensor, bool write) {
    nn_context *nn = tensor ? tensor->nn : NULL;
    if (!nn__enter(nn, "nn_map_tensor", site)) return NULL;
    void *made = nn__inside_map_tensor(site, tensor, write);
    nn__leave(nn, NN_OK);
    return made;
}

static nn_result nn__inside_unmap_tensor(nn_site site, nn_tensor *tensor) {
    const nn__open_device *on;
    nn_result result = NN_OK;
    char name[32];
    if (!tensor) return NN_ERROR_ARGUMENT;
    if (!tensor->mapped)
        return nn__fail_at(tensor->nn, site, NN_ERROR_ARGUMENT,
                           "nn_unmap_tensor: \"%s\" is not mapped", tensor->name);
    on = nn__find_device(tensor->nn, tensor->device);
    if (on && !on->limits.host_memory)
        result = on->backend->unmap(on->state, tensor->view.handle, tensor->mapped);
    if ((int)result < 0) /* stays mapped, so that the call can be repeated */
        return nn__fail_at(tensor->nn, site, result, "nn_unmap_tensor: \"%s\" on %s: %s",
                           tensor->name, nn_format_device(tensor->device, name, sizeof name),
                           nn_result_text(result));
    tensor->mapped = NULL;
#ifndef NN__ONE_PIECE
    tensor->unmap = NULL;
    tensor->nn->mapped--;
#endif
    if (!tensor->writes) return NN_OK;
    nn__tensor_changes(tensor);
    return nn__ledger_add(tensor->nn, NN_CROSS_UPLOAD, NN_WAY_MAPPED, nn_cpu(), tensor->device,
                          tensor->bytes, 0, tensor->name, site);
}

NN_API nn_result nn_unmap_tensor_at(nn_site site, nn_tensor *tensor) {
    return NN__ALONE(tensor ? tensor->nn : NULL, "nn_unmap_tensor", site,
                     nn__inside_unmap_tensor(site, tensor));
}
