/* model/copy.c - makes a second model with the same description, possibly on another device: for
   target networks, frozen copies, evaluated averages, replicas.

   The copy shares with the original only what users own (borrowed tensors, the `user` of custom
   operations), so either may be freed first. Nodes keep their order numbers, by which the copy of a
   node is found. */
#include "model/private.h"
#include "ops/program.h"
#include "ops/quantizer.h"

#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)

/* Returns the copy of an earlier node of the original; NULL for NULL. */
NN_PRIVATE nn_node *nn__copy_of(const nn__copy *copy, const nn_node *node) {
    int low = 0, high = copy->count;
    while (node && low < high) {
        const int middle = low + (high - low) / 2;
        if (copy->orders[middle] == node->order)
            return copy->nodes[copy->places ? copy->places[middle] : middle];
        if (copy->orders[middle] < node->order)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

#ifndef NN_NO_TRAINING
static nn_node *nn__copy_of_forward(const void *copy, const nn_node *node) {
    return nn__copy_of((const nn__copy *)copy, node);
}
#endif

/* Copies a scope and the scopes around it. */
static bool nn__copy_scope(nn__copy *copy, const nn__scope *scope) {
    nn__scope **at = &copy->scope_copy;
    if (scope == copy->scope) return true;
    copy->scope = scope;
    for (; scope; scope = scope->outer, at = &(*at)->outer) {
        *at = (nn__scope *)nn__arena_take(&copy->to->graph.arena, sizeof **at);
        if (!*at) return false;
        **at = *scope;
    }
    *at = NULL;
    return true;
}

#ifndef NN__LEAN
static const nn_node *nn__copy_is_listed(nn__graph *graph, const nn_node *node) {
    const nn_node *leaf = *nn__leaf_list(graph, node->name);
    while (leaf && leaf != node) leaf = nn__next_leaf(leaf);
    return leaf;
}
#endif

NN_PRIVATE nn_node *nn__copy_node(nn__copy *copy, nn_node *from) {
    nn__graph *graph = &copy->to->graph;
    nn__arena *arena = &graph->arena;
    nn_node *node = (nn_node *)nn__arena_take(arena, sizeof *node);
    const size_t inputs = sizeof(nn_node *) * (size_t)from->input_count;
    if (!node) return NULL;
    *node = *from;
    node->graph = graph;
    node->next = node->more = NULL;
    node->owner = nn__copy_of(copy, from->owner);
    node->tensor = node->source = NULL;
#ifndef NN_NO_MIXED_PRECISION
    node->narrow = node->viewed = NULL;
    node->scale = nn__copy_of(copy, from->scale);
    node->minimum = nn__copy_of(copy, from->minimum);
#endif
    node->averaged = node->wanted = false;
    node->name = nn__arena_text(arena, from->name);
    node->inputs = inputs ? (nn_node **)nn__arena_take(arena, inputs) : NULL;
    node->params = from->params ? nn__arena_take(arena, from->params_bytes) : NULL;
    if (!node->name || (inputs && !node->inputs) || (from->params && !node->params)) return NULL;
    if (!nn__copy_scope(copy, from->scope)) return NULL;
    node->scope = copy->scope_copy;
    if (node->params) memcpy(node->params, from->params, from->params_bytes);
    for (int i = 0; i < from->input_count; i++)
        node->inputs[i] = nn__copy_of(copy, from->inputs[i]);
#ifndef NN_NO_MIXED_PRECISION
    if (nn__is_narrow(from)) nn__set_narrow(node);
#endif
    if (!nn__own_program(node) || !nn__own_custom(node)) return NULL;
#ifndef NN_NO_TRAINING
    if (copy->from->gradients) copy->from->gradients->own(node, nn__copy_of_forward, copy);
#endif
    if (node->moves) node->device = copy->to->device;
    if (node->owner) {
        nn_node *last = node->owner;
        while (last->more) last = last->more;
        last->more = node;
    }
    if (graph->last)
        graph->last->next = node;
    else
        graph->first = node;
    graph->last = node;
#ifndef NN__LEAN
    node->alike = NULL;
    if (nn__copy_is_listed(&copy->from->graph, from)) nn__list_leaf(graph, node);
#endif
    /* the tensor that it reads, or that has its initial values */
    nn_tensor *tensor = from->tensor;
    if (from->kind == NN__BORROWED) node->tensor = tensor;
    else if (nn__is_stored(from)) node->source = tensor; /* includes merged adapters */
    nn__use_tensor(tensor, "nn_copy_model", copy->to->site);
    return node;
}

/* Copies the results of nn_output and the counts of unnamed nodes, in the same order, and then
   scopes, quantizer and adapters. */
static bool nn__copy_lists(nn__copy *copy) {
    nn__result **result = &copy->to->results;
    for (const nn__result *from = copy->from->results; from; from = from->next) {
        *result = (nn__result *)nn__arena_take(&copy->to->graph.arena, sizeof **result);
        if (!*result) return false;
        (*result)->node = nn__copy_of(copy, from->node);
        (*result)->result = nn__copy_of(copy, from->result);
        (*result)->k = from->k;
        result = &(*result)->next;
    }
#ifndef NN__UNNUMBERED
    nn__name_counter **counter = &copy->to->graph.name_counters;
    for (const nn__name_counter *from = copy->from->graph.name_counters; from; from = from->next) {
        *counter = (nn__name_counter *)nn__arena_take(&copy->to->graph.arena, sizeof **counter);
        if (!*counter) return false;
        **counter = *from;
        (*counter)->next = NULL;
        counter = &(*counter)->next;
    }
#endif
    if (!nn__copy_scope(copy, copy->from->scope)) return false;
    copy->to->scope = copy->scope_copy;
#ifndef NN_NO_MIXED_PRECISION
    if (copy->from->quantizer && !copy->from->quantizer->copy(copy->from, copy->to)) return false;
#endif
#ifndef NN_NO_TRAINING
    if (copy->from->adapters && !copy->from->adapters->copy(copy->from, copy->to)) return false;
#endif
    return true;
}

/* Copies the whole description. False: no memory. */
static bool nn__copy_describe(nn_model *from, nn_model *to) {
    nn__memory *memory = &from->nn->memory;
    nn__copy copy;
    size_t nodes = 0;
    memset(&copy, 0, sizeof copy);
    for (const nn_node *node = from->graph.first; node; node = node->next) nodes++;
    int *orders = (int *)nn__allocate(memory, sizeof *orders * nodes);
    copy.from = from;
    copy.to = to;
    copy.orders = orders;
    copy.nodes = (nn_node **)nn__allocate(memory, sizeof *copy.nodes * nodes);
    bool fine = orders && copy.nodes;
    for (nn_node *node = from->graph.first; node && fine; node = node->next) {
        nn_node *made = nn__copy_node(&copy, node);
        int at = copy.count++; /* sorted: nn_quantize_net takes numbers of another model */
        for (; at > 0 && orders[at - 1] > node->order; at--)
            orders[at] = orders[at - 1], copy.nodes[at] = copy.nodes[at - 1];
        orders[at] = node->order;
        copy.nodes[at] = made;
        fine = made != NULL;
    }
    fine = fine && nn__copy_lists(&copy);
    nn__release(memory, orders, sizeof *orders * nodes);
    nn__release(memory, copy.nodes, sizeof *copy.nodes * nodes);
    return fine;
}

/* Fails if the model's tensors cannot be read now. Makes them if they do not exist. */
static nn_result nn__copy_ready(nn_model *net, nn_site site, const char *who) {
    if (net->faults.count > 0) return nn__fail_faults(net->nn, net->name, &net->faults, NULL);
    nn_result result = nn__check_slicing(net->nn, net->slicing, NULL, false, site, who);
    if (result == NN_OK) result = nn__check_untorn(net, site, who);
    if (result == NN_OK) result = nn__materialize(&net->graph, site);
    for (const nn_node *node = net->graph.first; node && result == NN_OK; node = node->next)
        if (node->kind != NN__BORROWED && nn__is_mapped(node->tensor))
            return nn__fail_mapped(node->tensor, site, who);
    return result;
}

/* Makes the copy's tensors, with the values of the original. */
static nn_result nn__copy_values(nn_model *to, nn_site site) {
    nn_result result;
    to->nn->cross = nn__cross;
    result = nn__materialize(&to->graph, site);
    for (nn_node *node = to->graph.first; node; node = node->next) {
        if (node->source) nn__unuse_tensor(node->source);
        node->source = NULL;
    }
    return result;
}

NN_PRIVATE nn_model *nn__copy_model(nn_model *net, const nn_copy_desc *desc, nn_site site,
                                    const char *who) {
    nn_context *nn = net->nn;
    nn_model_desc same;
    if (nn__copy_ready(net, site, who) != NN_OK) return NULL;
    memset(&same, 0, sizeof same);
    const bool elsewhere = desc && desc->device.kind != NN_DEVICE_DEFAULT;
    same.device = elsewhere ? desc->device : net->device;
    if (!nn__find_device(nn, same.device)) {
        nn__fail_not_open(nn, site, who, nn__resolve_device(nn, same.device));
        return NULL;
    }
    same.name = desc && desc->name ? desc->name : net->name;
    same.seed = net->seed;
    same.dtype = net->dtype;
    nn_model *copy = nn_make_model_at(site, nn, &same);
    if (!copy) return NULL;
    copy->device_is_default = net->device_is_default && !elsewhere;
    copy->streams = net->streams;
#ifndef NN_NO_TRAINING
    copy->prepared = net->prepared;
    copy->region = net->region;
    copy->regions = net->regions;
    copy->region_site = net->region_site;
    copy->gradients = net->gradients;
#endif
#ifndef NN_NO_MIXED_PRECISION
    copy->graph.autocast = net->graph.autocast;
    copy->autocasts = net->autocasts;
    copy->autocast_site = net->autocast_site;
#endif
    copy->order = copy->copied = net->order;
    copy->original = net;
    bool fine = nn__copy_describe(net, copy);
    if (!fine)
        nn__fail_memory(nn, who, sizeof(nn_node));
    else
        fine = nn__copy_values(copy, site) == NN_OK;
    if (fine) return copy;
    nn__disown(&copy->owned);
    nn__model_destroy(&copy->owned);
    return NULL;
}

static nn_model *nn__inside_copy_model(nn_site site, nn_model *net, const nn_copy_desc *desc) {
    if (nn__model_gone(net, site, "nn_copy_model")) return NULL;
    return nn__copy_model(net, desc, site, "nn_copy_model");
}

NN_API nn_model *nn_copy_model_at(nn_site site, nn_model *net, const nn_copy_desc *desc) {
    nn_context *nn = net ? net->nn : NULL;
    if (!nn__enter(nn, "nn_copy_model", site)) return NULL;
    nn_model *made = nn__inside_copy_model(site, net, desc);
    nn__leave(nn, NN_OK);
    return made;
}

static nn_node *nn__inside_copied_node(nn_site site, nn_model *copy, const nn_node *node) {
    const char *const who = "nn_copied_node";
    if (nn__model_gone(copy, site, who)) return NULL;
    if (!node) {
        nn__fail_at(copy->nn, site, NN_ERROR_ARGUMENT, "%s: node is NULL", who);
        return NULL;
    }
    if (!copy->original || node->graph != &copy->original->graph || node->poisoned) {
        nn__fail_at(copy->nn, site, NN_ERROR_ARGUMENT,
                    "%s: \"%s\" is no node of the model that \"%s\" is a copy of%s", who,
                    node->name, copy->name,
                    copy->original ? "" : ": there is none, or it was freed");
        return NULL;
    }
    for (nn_node *one = copy->graph.first; one && node->order < copy->copied; one = one->next)
        if (one->order == node->order) return one;
    nn__fail_at(copy->nn, site, NN_ERROR_ARGUMENT,
                "%s: \"%s\" was described after nn_copy_model; describe it before, or in both "
                "models",
                who, node->name);
    return NULL;
}

NN_API nn_node *nn_copied_node_at(nn_site site, nn_model *copy, const nn_node *node) {
    nn_context *nn = copy ? copy->nn : NULL;
    if (!nn__enter(nn, "nn_copied_node", site)) return NULL;
    nn_node *found = nn__inside_copied_node(site, copy, node);
    nn__leave(nn, NN_OK);
    return found;
}

#endif

typedef int nn__copy_part; /* a part must not be empty */
