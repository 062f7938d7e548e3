/* graph/materialize.c - allocates and initialises the leaves of a graph: parameters, constants,
   states, buffers.

   Each device gets one block, or several if its allocations are limited in size. A failure leaves
   nothing allocated. Initial values are computed on the host and uploaded once, as "init" in the
   ledger. */
#include "base/functions.h"
#include "graph/private.h"

#include <math.h>

/* Returns the size of the staging memory for initial values. Larger leaves are uploaded in pieces.
   It is small if all memory is one block; the smallest programs use the stack. */
#ifdef NN__ONE_PIECE
#define NN__MATERIALIZE_ROOM 256
#else
static size_t nn__materialize_room(const nn_context *nn, size_t largest) {
    const size_t most = nn->desc.block ? 256 : (size_t)1 << 16;
    return (size_t)nn__padded(largest < most ? largest : most);
}
#endif

static bool nn__materialize_wants(const nn_node *node) {
    return !node->tensor && nn__is_stored(node);
}

static nn__offset_bytes nn__materialize_padded(const nn_node *node) {
    return nn__padded(nn__node_bytes(node, 1, 1));
}

/* number of random words drawn at once */
#ifdef NN_NO_SPEEDUPS
enum { NN__MATERIALIZE_DRAWN = 4 };
#define nn__materialize_draw nn_random_words
#else
enum { NN__MATERIALIZE_DRAWN = 16 };
#define nn__materialize_draw nn__random_sixteen
#endif

NN__UNFUSED_BEGIN
#ifndef NN_NO_TRAINING
/* Source: Box and Muller, "A note on the generation of random normal deviates", 1958. */
NN_PRIVATE void nn__materialize_normal(const nn_model *net, const nn_node *leaf, size_t first,
                                       size_t count, float *values) {
    uint32_t words[NN__MATERIALIZE_DRAWN];
    for (size_t i = 0; i < count; i += 2) {
        const uint32_t *pair = words + i % NN__MATERIALIZE_DRAWN;
        if (pair == words)
            nn__materialize_draw(net->seed, leaf->start.stream, (first + i) / 4, words);
        const float angle = 6.2831853071795865f * nn_word_to_uniform(pair[1]),
                    radius = sqrtf(-2.0f * (float)nn__log(1.0 - nn_word_to_uniform(pair[0])));
        values[i] = radius * (float)nn__cos(angle);
        if (i + 1 < count) values[i + 1] = radius * (float)nn__sin(angle);
    }
    for (size_t i = 0; leaf->start.zeros && i < count; i++)
        if (first + i - (uint64_t)leaf->start.zeros_from < (uint64_t)leaf->start.zeros)
            values[i] = 0.0f;
}
#endif

/* Draws `count` numbers of a uniform distribution, from number `first` on. */
static void nn__materialize_uniform(const nn_model *net, const nn_node *leaf, size_t first,
                                    size_t count, float *values) {
    const float low = leaf->start.low, width = leaf->start.high - low;
    uint64_t counter = first / 4;
    uint32_t words[NN__MATERIALIZE_DRAWN] = {0};
    for (size_t i = 0; i < count; i++) {
        if (i % NN__MATERIALIZE_DRAWN == 0 && width != 0.0f) {
            nn__materialize_draw(net->seed, leaf->start.stream, counter, words);
            counter += NN__MATERIALIZE_DRAWN / 4;
        }
        values[i] = low + nn_word_to_uniform(words[i % NN__MATERIALIZE_DRAWN]) * width;
    }
}
NN__UNFUSED_END

/* Computes elements [first, first + count) of a leaf's initial values, `size` bytes each. first
   must be a multiple of NN__MATERIALIZE_DRAWN. */
static void nn__materialize_values(const nn_model *net, const nn_node *leaf, size_t first,
                                   size_t count, size_t size, void *staging) {
    float *values = (float *)staging;
    if (leaf->kind == NN__BUFFER) {
        for (size_t i = 0; i < count; i++)
            memcpy((char *)staging + i * size, &leaf->start.stream, size);
        return;
    }
#ifndef NN_NO_TRAINING
    if (leaf->start.normal)
        leaf->start.normal(net, leaf, first, count, values);
    else
#endif
        nn__materialize_uniform(net, leaf, first, count, values);
#ifndef NN_NO_MIXED_PRECISION
    if (leaf->scale && leaf->dtype == NN_I8) {
        /* 8-bit weights, in steps of their scale; normal values are cut at 4 */
#ifndef NN_NO_TRAINING
        const float step = leaf->start.normal ? 127.0f / 4.0f : 1.0f;
#else
        const float step = 1.0f;
#endif
        for (size_t i = 0; i < count; i++)
            values[i] = fminf(127.0f, fmaxf(-127.0f, values[i] * step));
    }
    /* in place: no element becomes larger */
    for (size_t i = 0; leaf->dtype != NN_F32 && i < count; i++)
        nn__store_number(leaf->dtype, (char *)staging + i * nn_dtype_size(leaf->dtype),
                         (double)values[i]);
#endif
}

static nn_result nn__materialize_fill(nn__graph *graph, const nn_node *node, nn_tensor *to,
                                      void *staging, size_t room, nn_site site) {
    nn_context *nn = graph->nn;
    nn_view view = to->view;
    if (node->source) {
        const char *name = "init";
#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
        if (graph->model->original) name = node->name;
#endif
        return nn->cross(nn, node->device, &view, node->source->device, &node->source->view,
                         to->bytes, staging, room, name, site);
    }
#ifndef NN_NO_SPEEDUPS /* filling is only faster; small programs leave out the code */
    if (node->start.low == 0.0f && node->start.high == 0.0f &&
        (node->kind != NN__BUFFER || !node->start.stream)) {
        const nn__open_device *open = nn__find_device(nn, node->device);
        nn_result result =
            open->backend->fill(open->state, view.handle, view.offset, to->bytes, 0);
        if (result >= 0) return result;
        return nn__fail(nn, result, "init: \"%s\" could not be filled on %s", node->name,
                        open->limits.name);
    }
#endif
    const size_t size = nn_dtype_size(node->dtype), piece = room / (size < 4 ? 4 : size),
                 count = nn__elements(&view);
    for (size_t first = 0; first < count; first += piece) {
        const size_t n = count - first < piece ? count - first : piece;
        nn__materialize_values(graph->model, node, first, n, size, staging);
        nn_result result =
            nn__upload(nn, node->device, &view, staging, n * size, "init", site, NULL);
        if (result < 0) return result;
        view.offset += n * size;
    }
    return NN_OK;
}

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_result nn__fill_first_values(const nn_node *node, nn_tensor *to, nn_site site) {
    nn_context *nn = node->graph->nn;
    const size_t room = (size_t)nn__padded(to->bytes < 65536 ? to->bytes : 65536);
    void *staging = nn__allocate(&nn->memory, room);
    nn_result result = staging
                           ? nn__materialize_fill(node->graph, node, to, staging, room, site)
                           : nn__fail_memory(nn, "first values", room);
    nn__release(&nn->memory, staging, room);
    return result;
}
#endif

/* True if the leaf is on the device, needs memory, and fits after `bytes` others into a block of at
   most `limit`. */
static bool nn__materialize_joins(const nn_node *node, nn_device device, nn__offset_bytes bytes,
                                  uint64_t limit) {
    if (!nn__materialize_wants(node) || !nn_same_device(node->device, device)) return false;
    return limit == UINT64_MAX || bytes + nn__materialize_padded(node) <= limit;
}

/* Allocates one block on `device` for all leaves that need memory and fit, and makes their tensors.
   The block comes first in the graph's list. */
static nn_result nn__materialize_block(nn__graph *graph, nn_device device, nn_site site) {
    nn_context *nn = graph->nn;
    const uint64_t limit = nn__largest_piece(nn, device);
    nn__offset_bytes bytes = 0;
    for (nn_node *node = graph->first; node; node = node->next)
        if (nn__materialize_joins(node, device, bytes, limit))
            bytes += nn__materialize_padded(node);
    nn__leaf_block *block = (nn__leaf_block *)nn__arena_take(&graph->arena, sizeof *block);
    if (!block) return nn__fail_memory(nn, "a block of parameters", sizeof *block);
    nn_result result = nn__device_alloc(
        nn, device, bytes, "the model's parameters, constants and states", &block->handle);
    if (result < 0) return result;
    block->device = device;
    block->bytes = bytes;
    block->next = graph->blocks;
    graph->blocks = block;
    nn__offset_bytes offset = 0;
    for (nn_node *node = graph->first; node; node = node->next) {
        nn_view view;
        if (!nn__materialize_joins(node, device, offset, limit)) continue;
        memset(&view, 0, sizeof view);
        view.handle = block->handle;
        view.offset = offset;
        view.shape = node->shape;
        view.dtype = node->dtype;
        node->tensor = nn__make_leaf_tensor(nn, node->name, device, &view, site);
        if (!node->tensor) return NN_ERROR_MEMORY;
#ifndef NN__ONE_PIECE
        if (node->kind != NN__STATE) node->tensor->slicing = &graph->model->slicing;
#endif
        node->wanted = true;              /* marks the leaves of this call */
        offset += nn__materialize_padded(node);
    }
    return NN_OK;
}

/* Finds the size of the largest leaf that needs memory; 0: none does. Fails if a leaf exceeds the
   largest allocation of its device, or if its device is not open. */
#ifndef NN__ONE_PIECE
static nn_result nn__materialize_largest(const nn__graph *graph, size_t *largest, nn_site site) {
    nn_context *nn = graph->nn;
    *largest = 0;
    for (const nn_node *node = graph->first; node; node = node->next) {
        if (!nn__materialize_wants(node)) continue;
        const size_t bytes = nn__node_bytes(node, 1, 1);
        if (!nn__find_device(nn, node->device))
            return nn__fail_not_open(nn, site, "the model's parameters", node->device);
        if (bytes > nn__largest_piece(nn, node->device))
            return nn__fail_at(
                nn, node->site, NN_ERROR_MEMORY,
                "init: \"%s\" wants %llu bytes in one piece; the largest on %s is %llu", node->name,
                (unsigned long long)bytes, nn__find_device(nn, node->device)->limits.name,
                (unsigned long long)nn__largest_piece(nn, node->device));
        if (*largest < bytes) *largest = bytes;
    }
    return NN_OK;
}
#endif

/* Makes blocks and initial values. After a failure the caller undoes what was made. */
static nn_result nn__materialize_all(nn__graph *graph, void *staging, size_t room, nn_site site) {
    nn_result result = NN_OK;
    for (nn_node *node = graph->first; node && result >= 0; node = node->next)
        if (nn__materialize_wants(node)) result = nn__materialize_block(graph, node->device, site);
    for (nn_node *node = graph->first; node && result >= 0; node = node->next)
        if (node->wanted)
            result = nn__materialize_fill(graph, node, node->tensor, staging, room, site);
    return result;
}

/* Undoes this call: frees the tensors of wanted nodes, and the blocks before `old`. */
static void nn__materialize_undo(nn__graph *graph, const nn__leaf_block *old) {
    for (nn_node *node = graph->first; node; node = node->next) {
        if (!node->wanted) continue;
        nn__drop_tensor(node->tensor);
        node->tensor = NULL;
    }
    for (; graph->blocks != old; graph->blocks = graph->blocks->next)
        nn__device_release(graph->nn, graph->blocks->device, graph->blocks->handle,
                           graph->blocks->bytes);
}

NN_PRIVATE nn_result nn__materialize(nn__graph *graph, nn_site site) {
    const nn__leaf_block *old = graph->blocks;
    nn_result result;
    for (nn_node *node = graph->first; node; node = node->next) node->wanted = false;
#ifdef NN__ONE_PIECE
    float staging[NN__MATERIALIZE_ROOM / sizeof(float)];
    result = nn__materialize_all(graph, staging, sizeof staging, site);
#else
    nn_context *nn = graph->nn;
    size_t largest;
    result = nn__materialize_largest(graph, &largest, site);
    if (result < 0 || largest == 0) return result;
    const size_t room = nn__materialize_room(nn, largest);
    void *staging = nn__allocate(&nn->memory, room);
    if (!staging) return nn__fail_memory(nn, "first values", room);
    result = nn__materialize_all(graph, staging, room, site);
    nn__release(&nn->memory, staging, room);
#endif
    if (result < 0) nn__materialize_undo(graph, old);
#ifndef NN_NO_REPORTS
    for (nn_node *node = graph->first; node; node = node->next) {
        if (!node->wanted || !node->tensor || !node->source) continue;
        nn__unuse_tensor(node->source); /* it has been copied */
        node->source = NULL;
    }
#endif
    return result < 0 ? result : NN_OK;
}

/* ---- nn_start_at_zero ------------------------------------------------------------------------ */

/* Lets a parameter of this name start at zero, unless it has a tensor. False: it is none. */
static bool nn__zero_start(nn_node *node, const char *prefix) {
    if (node->kind != NN__PARAMETER || !nn__named(node, prefix)) return false;
    bool drawn = node->start.low != node->start.high;
#ifndef NN_NO_TRAINING
    drawn = drawn || node->start.normal != NULL;
    if (!node->tensor) node->start.normal = NULL;
#endif
    if (!node->tensor && drawn) node->start.low = node->start.high = 0.0f;
    return true;
}

static nn_result nn__inside_start_at_zero(nn_site site, nn_model *net, const char *prefix) {
    const size_t length = prefix ? strlen(prefix) : 0;
    int count = 0;
#ifndef NN_NO_REPORTS
    if (nn__model_gone(net, site, "nn_start_at_zero")) return NN_ERROR_ARGUMENT;
#endif
    if (length > 0 && prefix[length - 1] != '.') {
        nn_node *node = *nn__leaf_list(&net->graph, prefix);
        for (; node; node = nn__next_leaf(node)) count += nn__zero_start(node, prefix);
    } else if (length > 0) {
        for (nn_node *node = net->graph.first; node; node = node->next)
            count += nn__zero_start(node, prefix);
    }
    if (count) return NN_OK;
    return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                       "nn_start_at_zero: the model \"%s\" has no parameter \"%s\"", net->name,
                       prefix ? prefix : "");
}

NN_API nn_result nn_start_at_zero_at(nn_site site, nn_model *net, const char *prefix) {
    return NN__ALONE(net ? net->nn : NULL, "nn_start_at_zero", site,
                     nn__inside_start_at_zero(site, net, prefix));
}
