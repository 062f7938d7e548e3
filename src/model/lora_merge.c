/* model/lora_merge.c - adds adapters to the weights of their layers, and removes them again. */
#include "model/lora.h"
#include "model/private.h"
#include "ops/lora_private.h"

#ifndef NN_NO_TRAINING

/* A copy of the original weight, on the weight's device. */
typedef struct nn__lora_old {
    nn_node *weight;
    nn_device device;
    void *handle;
    uint64_t bytes;
} nn__lora_old;

/* Owned by the model as soon as it exists, and freed with it. */
typedef struct nn__lora_originals {
    nn__owned owned;
    nn_model *net;
    size_t bytes;
    int count, done; /* done: number of weights that have been changed */
    nn__lora_old old[1];
} nn__lora_originals;

static void nn__lora_originals_destroy(nn__owned *owned) {
    nn__lora_originals *kept = (nn__lora_originals *)(void *)owned;
    nn_context *nn = kept->net->nn;
    for (int i = 0; i < kept->count; i++)
        if (kept->old[i].handle)
            nn__device_release(nn, kept->old[i].device, kept->old[i].handle, kept->old[i].bytes);
    nn__release(&nn->memory, kept, kept->bytes);
}

static void nn__lora_drop_originals(nn__lora_originals *kept) {
    if (!kept) return;
    nn__disown(&kept->owned);
    nn__lora_originals_destroy(&kept->owned);
}

/* Copies between a weight and its saved original. back: restores the weight. */
static nn_result nn__lora_copy_old(const nn__lora_old *old, bool back, const char *who,
                                   nn_site site) {
    nn_context *nn = old->weight->graph->nn;
    const nn_view *view = &old->weight->tensor->view;
    const nn__open_device *on = nn__find_device(nn, old->device);
    nn_result result =
        back ? on->backend->copy(on->state, view->handle, view->offset, old->handle, 0,
                                 old->weight->tensor->bytes)
             : on->backend->copy(on->state, old->handle, 0, view->handle, view->offset,
                                 old->weight->tensor->bytes);
    const nn_result finished = on->backend->finish(on->state);
    if (result >= 0) result = finished;
    if (result >= 0) return NN_OK;
    return nn__fail_at(nn, site, result, "%s: a copy inside the device: %s", who,
                       nn_result_text(result));
}

/* True if it is the first sum of its weight. A shared layer has several. */
static bool nn__lora_first(const nn_node *sum) {
    if (!nn__is_lora(sum)) return false;
    for (const nn_node *node = sum->graph->first; node != sum; node = node->next)
        if (nn__is_lora(node) && strcmp(node->name, sum->name) == 0) return false;
    return true;
}

static nn_result nn__lora_save_originals(nn_model *net, nn__lora_originals **made, nn_site site) {
    const char *const who = "nn_merge_lora";
    nn_context *nn = net->nn;
    int count = 0;
    for (const nn_node *node = net->graph.first; node; node = node->next)
        count += nn__lora_first(node);
    const size_t bytes = sizeof(nn__lora_originals) + sizeof(nn__lora_old) * (size_t)count;
    nn__lora_originals *kept = (nn__lora_originals *)nn__allocate(&nn->memory, bytes);
    if (!kept) return nn__fail_memory(nn, who, bytes);
    memset(kept, 0, bytes);
    kept->net = net;
    kept->bytes = bytes;
    nn__own(&net->dependents, &kept->owned, nn__lora_originals_destroy);
    *made = kept;
    for (nn_node *node = net->graph.first; node; node = node->next) {
        nn__lora_old *old = &kept->old[kept->count];
        if (!nn__lora_first(node)) continue;
        old->weight = nn__lora_part(node, "weight");
        old->device = old->weight->tensor->device;
        old->bytes = nn__padded(old->weight->tensor->bytes);
        nn_result result = nn__device_alloc(nn, old->device, old->bytes, who, &old->handle);
        if (result < 0) return result;
        kept->count++;
        result = nn__lora_copy_old(old, false, who, site);
        if (result != NN_OK) return result;
    }
    return NN_OK;
}

/* Computes weight += scale * update, rounded once. */
static nn_result nn__lora_add_update(nn_tensor *weight, const nn_tensor *update, float scale,
                                     nn_site site) {
    static const nn_instruction code[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
        {NN_CODE_SCALAR, 0, 0, 0, 0.0f},   {NN_CODE_MULTIPLY, 1, 2, 0, 0.0f},
        {NN_CODE_ADD, 0, 3, 0, 0.0f}};
    nn__install_code_multiply(weight->nn);
    nn__install_code_add(weight->nn);
    return nn__combine(weight, update, scale, code, NN__COUNT(code), site, "nn_merge_lora");
}

static nn_result nn__lora_merge_one(const nn_node *sum, float scale, nn_site site) {
    nn_tensor *weight = nn__lora_part(sum, "weight")->tensor,
              *a = nn__lora_part(sum, "lora_A.weight")->tensor,
              *b = nn__lora_part(sum, "lora_B.weight")->tensor;
    const bool transposed = nn__lora_transposed(sum);
    nn_tensor_desc made;
    nn_matmul_desc turned;
    memset(&made, 0, sizeof made);
    made.name = weight->name;
    made.shape = weight->view.shape;
    made.device = weight->device;
    memset(&turned, 0, sizeof turned);
    turned.transpose_a = turned.transpose_b = transposed;
    nn_tensor *update = nn_make_tensor_at(site, weight->nn, &made);
    if (!update) return weight->nn->last_code;
    nn_result result =
        nn_matmul_forward_at(site, update, transposed ? a : b, transposed ? b : a, &turned);
    if (result == NN_OK) result = nn__lora_add_update(weight, update, scale, site);
    const nn_result finished = nn_finish(weight->nn); /* the update's memory is freed next */
    nn__drop_tensor(update);
    return result == NN_OK ? finished : result;
}

/* ---- what both calls check ------------------------------------------------------------------- */

static nn_result nn__lora_check_trainers(const nn_model *net, nn_site site, const char *who) {
    const nn__owned *list = &net->dependents;
    for (const nn__owned *one = list->next; one && one != list; one = one->next)
        if (one->destroy == nn__plan_destroy && ((const nn_plan *)(const void *)one)->tape)
            return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                               "%s: a trainer of \"%s\" trains these adapters; nn_free_trainer "
                               "first; nothing was changed",
                               who, net->name);
    return NN_OK;
}

/* merged: the required state of the adapters. */
static nn_result nn__lora_ready(nn_model *net, bool merged, nn_site site, const char *who) {
    nn_context *nn = net->nn;
    nn__faults faults;
    nn_result result = nn__check_untorn(net, site, who);
    if (result != NN_OK) return result;
    if (!net->adapters)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "%s: the model \"%s\" has no adapters; nn_lora describes them", who,
                           net->name);
    if (nn__lora_of(net)->merged != merged)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "%s: the adapters of \"%s\" are %s", who,
                           net->name, merged ? "not merged" : "merged already");
    memset(&faults, 0, sizeof faults);
    faults.arena = &net->graph.arena;
    net->adapters->check(net, &faults);
    if (net->faults.count > 0 || faults.count > 0)
        return nn__fail_faults(nn, net->name, &net->faults, &faults);
    result = nn__check_slicing(nn, net->slicing, NULL, true, site, who);
    if (result == NN_OK) result = nn__check_averaged(net, site, who);
    if (result == NN_OK) result = nn__lora_check_trainers(net, site, who);
    if (result == NN_OK) result = nn__materialize(&net->graph, site);
    return result;
}

static nn_result nn__lora_check_weight(const nn_node *sum, nn_site site) {
    const nn_node *weight = nn__lora_part(sum, "weight"),
                  *a = nn__lora_part(sum, "lora_A.weight");
    char here[32], there[32];
#ifndef NN_NO_MIXED_PRECISION
    if (weight->scale)
        return nn__fail_at(sum->graph->nn, site, NN_ERROR_DTYPE,
                           "nn_merge_lora: \"%s\" is stored in %d bits (nn_quantize), which would "
                           "round what the adapter adds away; merge in a model without "
                           "nn_quantize, and load that; nothing was changed",
                           weight->name, nn__stored_bits(weight));
#endif
    if (!nn_same_device(weight->device, a->device))
        return nn__fail_at(sum->graph->nn, site, NN_ERROR_DEVICE,
                           "nn_merge_lora: \"%s\" is on %s, \"%s\" on %s; nothing was changed",
                           weight->name, nn_format_device(weight->device, here, sizeof here),
                           a->name, nn_format_device(a->device, there, sizeof there));
    if (nn__is_mapped(weight->tensor))
        return nn__fail_mapped(weight->tensor, site, "nn_merge_lora");
    return nn__check_writable(weight->tensor, site, "nn_merge_lora");
}

/* Switches the sums of all adapters, and which tensors files contain. Makes plans stale. Cannot
   fail. */
static void nn__lora_become(nn_model *net, bool merged, nn_site site, const char *who) {
    for (nn_node *node = net->graph.first; node; node = node->next) {
        if (nn__is_lora(node)) nn__lora_switch(node, merged);
        if (node->adapter) node->merged = merged;
    }
    nn__lora_of(net)->merged = merged;
    net->generation++;
    net->moved = site;
    net->mover = who;
    nn__weights_change(net->nn);
}

/* ---- the calls ------------------------------------------------------------------------------- */

static nn_result nn__inside_merge_lora(nn_site site, nn_model *net, bool undoable) {
    const char *const who = "nn_merge_lora";
    nn__lora_originals *kept = NULL;
    if (nn__model_gone(net, site, who)) return NN_ERROR_ARGUMENT;
    nn_result result = nn__lora_ready(net, false, site, who);
    for (nn_node *node = net->graph.first; node && result == NN_OK; node = node->next)
        if (nn__is_lora(node)) result = nn__lora_check_weight(node, site);
    if (result == NN_OK) result = nn__lora_save_originals(net, &kept, site);
    for (nn_node *node = net->graph.first; node && result == NN_OK; node = node->next) {
        if (!nn__lora_first(node)) continue;
        kept->done++;
        result = nn__lora_merge_one(node, nn__lora_scale(&nn__lora_of(net)->desc), site);
    }
    for (int i = 0; result != NN_OK && kept && i < kept->done; i++)
        nn__lora_copy_old(&kept->old[i], true, who, site);
    if (result == NN_OK) nn__lora_become(net, true, site, who);
    if (result == NN_OK && undoable) {
        nn__lora_of(net)->kept = &kept->owned;
        net->adapters->kept = true;
    } else {
        nn__lora_drop_originals(kept);
    }
    return result;
}

NN_API nn_result nn_merge_lora_at(nn_site site, nn_model *net, bool undoable) {
    return NN__ALONE(net ? net->nn : NULL, "nn_merge_lora", site,
                     nn__inside_merge_lora(site, net, undoable));
}

static nn_result nn__inside_unmerge_lora(nn_site site, nn_model *net) {
    const char *const who = "nn_unmerge_lora";
    char here[32], there[32];
    if (nn__model_gone(net, site, who)) return NN_ERROR_ARGUMENT;
    nn_result result = nn__lora_ready(net, true, site, who);
    if (result != NN_OK) return result;
    nn__lora_originals *kept = (nn__lora_originals *)(void *)nn__lora_of(net)->kept;
    if (!kept)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the old weights were not kept; nn_merge_lora(net, true) "
                           "keeps them, or load them again",
                           who);
    for (int i = 0; i < kept->count; i++) {
        const nn__lora_old *old = &kept->old[i];
        if (nn_same_device(old->device, old->weight->tensor->device)) continue;
        return nn__fail_at(net->nn, site, NN_ERROR_DEVICE,
                           "%s: \"%s\" is on %s, its old weights on %s; nn_move_model takes it "
                           "back; nothing was changed",
                           who, old->weight->name,
                           nn_format_device(old->weight->tensor->device, here, sizeof here),
                           nn_format_device(old->device, there, sizeof there));
    }
    for (int i = 0; i < kept->count && result == NN_OK; i++)
        result = nn__lora_copy_old(&kept->old[i], true, who, site);
    if (result != NN_OK) return result;
    nn__lora_become(net, false, site, who);
    nn__lora_of(net)->kept = NULL;
    net->adapters->kept = false;
    nn__lora_drop_originals(kept);
    return NN_OK;
}

NN_API nn_result nn_unmerge_lora_at(nn_site site, nn_model *net) {
    return NN__ALONE(net ? net->nn : NULL, "nn_unmerge_lora", site,
                     nn__inside_unmerge_lora(site, net));
}

#endif /* NN_NO_TRAINING */

typedef int nn__lora_merge_part; /* a part must not be empty under NN_NO_TRAINING */
