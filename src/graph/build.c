/* graph/build.c - adds nodes to a graph, for every builder in ops/. */
#include "graph/private.h"

#include <math.h>

NN_PRIVATE void nn__graph_init(nn__graph *graph, nn_model *model) {
    memset(graph, 0, sizeof *graph);
    graph->nn = model->nn;
    graph->model = model;
    graph->arena.memory = &model->nn->memory;
}

NN_PRIVATE void nn__graph_free(nn__graph *graph) {
    for (nn_node *node = graph->first; node; node = node->next) {
        /* while closing, nn_close may have freed tensors of the user already */
        const bool there = !nn__is_closing(graph->nn);
        if (node->source && there) nn__unuse_tensor(node->source);
        if (node->kind == NN__BORROWED) {
            if (there) nn__unuse_tensor(node->tensor);
        } else {
            nn__drop_tensor(node->tensor);
        }
    }
    for (nn__leaf_block *block = graph->blocks; block; block = block->next)
        nn__device_release(graph->nn, block->device, block->handle, block->bytes);
    nn__arena_free(&graph->arena);
    graph->first = graph->last = NULL;
    graph->blocks = NULL;
}

NN_PRIVATE size_t nn__node_bytes(const nn_node *node, int32_t batch, int32_t time) {
    return nn__shape_bytes(&node->shape, node->dtype, batch, time);
}

NN_PRIVATE nn_node *nn__poison(nn_model *net) { return net ? &net->poison : NULL; }

/* ---- faults of builders ---------------------------------------------------------------------- */

#ifndef NN_NO_REPORTS
NN_PRIVATE nn__fault *nn__build_fault(nn_model *net, nn__fault_kind kind, nn_site site,
                                      const char *operation, const char *name,
                                      nn_node *const *inputs, const char *const *roles, int count) {
    nn__fault *fault = nn__add_fault(&net->faults, kind, operation, name, site);
    if (fault) fault->order = net->order++;
    for (int i = 0; i < count; i++)
        if (inputs[i] && !inputs[i]->poisoned)
            nn__fault_operand(fault, roles ? roles[i] : "input", inputs[i], false);
    return fault;
}

NN_PRIVATE bool nn__problem_set(nn__problem *problem, nn_result code, const char *fix,
                                const char *cause, ...) {
    va_list arguments;
    problem->code = code;
    nn__copy_text(problem->fix, sizeof problem->fix, fix);
    va_start(arguments, cause);
    nn__vformat(problem->cause, sizeof problem->cause, cause, arguments);
    va_end(arguments);
    return false;
}

NN_PRIVATE nn_node *nn__poison_problem(nn_model *net, nn_site site, const char *operation,
                                       const char *name, nn_node *const *inputs,
                                       const char *const *roles, int count,
                                       const nn__problem *problem) {
    nn__fault_kind kind = problem->code == NN_ERROR_DTYPE   ? NN__FAULT_DTYPE
                          : problem->code == NN_ERROR_SHAPE ? NN__FAULT_SHAPE
                                                            : NN__FAULT_ARGUMENT;
    nn__fault *fault = nn__build_fault(net, kind, site, operation, name, inputs, roles, count);
    nn__fault_cause(&net->faults, fault, "%s", problem->cause);
    if (problem->fix[0]) nn__fault_fix(&net->faults, fault, "%s", problem->fix);
    return nn__poison(net);
}
#endif

NN_PRIVATE bool nn__check_inputs(nn_model *net, nn_site site, const char *operation,
                                 const char *name, nn_node *const *inputs, const char *const *roles,
                                 int count) {
    bool fine = true;
    if (!net) return false;
    for (int i = 0; i < count; i++) {
        const nn_node *input = inputs[i];
        const char *role = roles ? roles[i] : "input";
        if (input && input->poisoned) fine = false; /* its fault was reported before */
        if (input && (input->poisoned || input->graph->model == net)) continue;
        nn__fault *fault = nn__build_fault(net, input ? NN__FAULT_CONTEXT : NN__FAULT_ARGUMENT,
                                           site, operation, name, NULL, NULL, 0);
        if (!input) {
            nn__fault_cause(&net->faults, fault, NN__TEXT("%s is NULL"), role);
            nn__fault_fix(&net->faults, fault,
                          NN__TEXT("pass the node that nn_input or another builder returned"));
        } else {
            const char *owner = input->graph->model->name;
            nn__fault_operand(fault, role, input, false);
            nn__fault_cause(&net->faults, fault,
                            NN__TEXT("%s belongs to the model \"%s\", not to \"%s\""), role, owner,
                            net->name);
            nn__fault_fix(
                &net->faults, fault,
                NN__TEXT("describe both in one model, or pass the value through nn_input"));
        }
        fine = false;
    }
    return fine;
}

NN_API nn_node *nn_record_fault_at(nn_site site, nn_model *net, const char *operation,
                                   const char *name, const char *cause, const char *fix) {
    if (!net) return NULL;
    nn__fault *fault = nn__build_fault(net, NN__FAULT_ARGUMENT, site,
                                       operation ? operation : "nn_record_fault", name, NULL, NULL,
                                       0);
    nn__fault_cause(&net->faults, fault, "%s", cause ? cause : "it does not fit");
    if (fix) nn__fault_fix(&net->faults, fault, "%s", fix);
    return nn__poison(net);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void nn__build_append(nn__graph *graph, nn_node *node) {
    node->graph = graph;
#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
    node->order = graph->model->order++;
#endif
    if (graph->last)
        graph->last->next = node;
    else
        graph->first = node;
    graph->last = node;
#ifndef NN_NO_TRAINING
    if (!node->repeats) node->region = graph == &graph->model->graph ? graph->model->region : 0;
#endif
}

/* Names a node without a name: "relu", then "relu_2". The number counts such nodes of the
   operation. */
static const char *nn__build_name(nn__graph *graph, const char *operation) {
#ifdef NN__UNNUMBERED
    (void)graph; /* no message shows the name, and no tensor is named after it */
    return operation;
#else
    char text[NN_NAME_BYTES];
    nn__name_counter *counter = graph->name_counters;
    while (counter && strcmp(counter->operation, operation) != 0) counter = counter->next;
    if (!counter) {
        counter = (nn__name_counter *)nn__arena_take(&graph->arena, sizeof *counter);
        if (!counter) return NULL;
        counter->operation = operation;
        counter->next = graph->name_counters;
        graph->name_counters = counter;
    }
    if (++counter->count == 1) return operation;
    nn__format(text, sizeof text, "%s_%d", operation, counter->count);
    return nn__arena_text(&graph->arena, text);
#endif
}

NN_PRIVATE nn_node *nn__poison_memory(nn_model *net, const char *what, uint64_t bytes) {
    nn__fail_memory(net->nn, what, bytes);
    net->faults.no_memory = true;
    net->faults.count++;
    return nn__poison(net);
}

static nn_node *nn__build_failed(nn__graph *graph) {
    return nn__poison_memory(graph->model, "a node", sizeof(nn_node));
}

NN_PRIVATE nn_node *nn__new_node(nn__graph *graph, nn_site site, const nn__rule *rule,
                                 const char *operation, const char *name, nn_node *const *inputs,
                                 const char *const *roles, int count, nn_dtype dtype,
                                 const nn_shape *shape, const void *params, size_t params_bytes) {
    nn_model *net = graph->model;
    nn_node *node = (nn_node *)nn__arena_take(&graph->arena, sizeof *node);
    if (!node) return nn__build_failed(graph);
    nn__set_operation(node, operation);
    node->name = name ? nn__arena_text(&graph->arena, name) : nn__build_name(graph, operation);
    node->inputs =
        count ? (nn_node **)nn__arena_take(&graph->arena, sizeof(nn_node *) * (size_t)count) : NULL;
    node->params = params ? nn__arena_take(&graph->arena, params_bytes) : NULL;
    if (!node->name || (count && !node->inputs) || (params && !node->params))
        return nn__build_failed(graph);
    if (params) memcpy(node->params, params, params_bytes);
#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
    node->params_bytes = (uint32_t)params_bytes;
#endif
    for (int i = 0; i < count; i++) node->inputs[i] = inputs[i];
    node->input_count = count;
#ifndef NN_NO_REPORTS
    node->roles = roles;
#else
    (void)roles;
#endif
    node->kind = NN__OPERATION;
    node->rule = rule;
    node->site = site;
    node->dtype = nn__dtype(dtype);
    node->shape = *shape;
    node->scope = net->scope;
    node->device = net->scope ? net->scope->device : net->device;
    node->moves = net->scope == NULL;
#ifndef NN_NO_MIXED_PRECISION
    node->autocast = (uint8_t)graph->autocast;
    if (rule && net->autocasts && !net->autocasts->read(graph, node))
        return nn__build_failed(graph);
    if (rule && !nn__widen_inputs(graph, node)) return nn__build_failed(graph);
#endif
    nn__build_append(graph, node);
    return node;
}

NN_PRIVATE nn_node *nn__add_node(nn__graph *graph, nn_site site, const nn__rule *rule,
                                 const char *operation, const char *name, nn_node *const *inputs,
                                 const char *const *roles, int count, nn_dtype dtype,
                                 nn_shape shape, const void *params, size_t params_bytes) {
    return nn__new_node(graph, site, rule, operation, name, inputs, roles, count, dtype, &shape,
                        params, params_bytes);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_node *nn__repeat_node(nn__graph *graph, nn_node *from) {
    char name[2 * NN_NAME_BYTES];
    nn_node *node = (nn_node *)nn__arena_take(&graph->arena, sizeof *node);
    if (!node) return nn__build_failed(graph);
    *node = *from;
    nn__join_text(name, sizeof name, from->name, ".", "again");
    node->name = nn__arena_text(&graph->arena, name);
    node->inputs = (nn_node **)nn__arena_take(&graph->arena,
                                              sizeof(nn_node *) * (size_t)from->input_count);
    if (!node->name || (from->input_count && !node->inputs)) return nn__build_failed(graph);
    for (int i = 0; i < from->input_count; i++)
        node->inputs[i] = from->inputs[i]->again ? from->inputs[i]->again : from->inputs[i];
    node->next = node->more = NULL;
    node->keep = false;
    node->repeats = true;
    node->again = from;
    from->again = node;
#ifndef NN_NO_MIXED_PRECISION
    node->narrow = node->viewed = NULL;
    if (nn__is_narrow(from) && from->inputs[0]->again) nn__set_narrow(node);
#endif
    if (from->owner) {
        nn_node *last = node->owner = from->owner->again;
        while (last->more) last = last->more;
        last->more = node;
    }
    nn__build_append(graph, node);
    return node;
}
#endif

#ifndef NN__LEAN
/* Makes four times as many lists. Without memory the existing lists just become longer. */
static void nn__build_more_lists(nn__graph *graph) {
    nn_node **old = graph->leaves ? graph->leaves : graph->fixed_leaves;
    const uint32_t lists =
        graph->leaves ? graph->leaf_lists : (uint32_t)NN__COUNT(graph->fixed_leaves);
    nn_node **fresh =
        (nn_node **)nn__arena_take(&graph->arena, sizeof *fresh * 4 * (size_t)lists);
    if (!fresh) return;
    graph->leaves = fresh;
    graph->leaf_lists = 4 * lists;
    for (uint32_t i = 0; i < lists; i++)
        for (nn_node *leaf = old[i], *next; leaf; leaf = next) {
            nn_node **list = nn__leaf_list(graph, leaf->name);
            next = leaf->alike;
            leaf->alike = *list;
            *list = leaf;
        }
}

NN_PRIVATE void nn__list_leaf(nn__graph *graph, nn_node *leaf) {
    const uint32_t lists =
        graph->leaves ? graph->leaf_lists : (uint32_t)NN__COUNT(graph->fixed_leaves);
    if (graph->leaf_count++ >= lists) nn__build_more_lists(graph);
    nn_node **list = nn__leaf_list(graph, leaf->name);
    leaf->alike = *list;
    *list = leaf;
}
#endif

NN_PRIVATE nn_node *nn__add_leaf(nn__graph *graph, nn_site site, nn__node_kind kind,
                                 const char *name, nn_dtype dtype, const nn_shape *shape) {
    static const char operations[] =
        NN__TEXT("operation\0input\0parameter\0constant\0state\0tensor\0output\0buffer");
    nn_node *node = nn__new_node(graph, site, NULL, NN__NTH_TEXT(operations, (int)kind), name, NULL,
                                 NULL, 0, dtype, shape, NULL, 0);
    if (node->poisoned) return node;
    node->kind = kind;
#ifndef NN__LEAN
    nn__list_leaf(graph, node);
#endif
    return node;
}

NN_PRIVATE void nn__place_like(nn_node *node, const nn_node *like) {
    for (; node && !node->poisoned; node = node->more) {
        node->device = like->device;
        node->moves = like->moves;
        node->scope = like->scope;
    }
}

NN_PRIVATE nn_node *nn__add_output(nn_node *node, const char *suffix, nn_dtype dtype,
                                   nn_shape shape) {
    char name[NN_NAME_BYTES + 16];
    if (node->poisoned) return node;
    nn__join_text(name, sizeof name, node->name, ".", suffix);
    nn_node *output = nn__add_leaf(node->graph, node->site, NN__OUTPUT, name, dtype, &shape);
    if (output->poisoned) return output;
    nn__place_like(output, node);
    output->owner = node;
    while (node->more) node = node->more;
    node->more = output;
    return output;
}

NN_PRIVATE void nn__add_result(nn_node *node, int k, nn_node *result) {
    if (!node || node->poisoned || !result) return;
    nn_model *net = node->graph->model;
    nn__result *entry = (nn__result *)nn__arena_take(&net->graph.arena, sizeof *entry);
    if (!entry) { /* not nn__build_failed, so that firmware inlines its only call in nn__new_node */
        nn__fail_memory(net->nn, "an output", sizeof *entry);
        net->faults.no_memory = true;
        net->faults.count++;
        return;
    }
    entry->node = node;
    entry->k = k;
    entry->result = result;
    entry->next = net->results;
    net->results = entry;
}

NN_PRIVATE float nn__fan_bound(int64_t fan_in) {
#ifdef NN_NO_TRAINING /* a small processor has no double, and inference needs no last bit */
    return 1.0f / sqrtf((float)(int32_t)nn__min64(fan_in, INT32_MAX));
#else
    return (float)(1.0 / sqrt((double)fan_in));
#endif
}

NN_PRIVATE nn_node *nn__add_parameter(nn_model *net, nn_site site, const char *layer,
                                      const char *part, const nn_shape *shape, float bound,
                                      bool shared) {
    char name[2 * NN_NAME_BYTES];
    size_t length = nn__join_text(name, sizeof name, layer, ".", part);
    nn_node *other = shared ? *nn__leaf_list(&net->graph, name) : NULL;
    while (other && !(other->kind == NN__PARAMETER && strcmp(other->name, name) == 0))
        other = nn__next_leaf(other);
    if (other && nn__equal_shapes(&other->shape, shape)) return other;
#ifdef NN_NO_REPORTS
    (void)length; /* nn_parameter refuses the names that these words are about */
#else
    nn__problem problem;
    char wanted[NN__SHAPE_TEXT], given[NN__SHAPE_TEXT], at[96];
    memset(&problem, 0, sizeof problem);
    if (length >= NN_NAME_BYTES)
        nn__problem_set(&problem, NN_ERROR_ARGUMENT, "give a shorter name",
                        "its name has %zu bytes; at most %d fit", length, NN_NAME_BYTES - 1);
    else if (other)
        nn__problem_set(&problem, NN_ERROR_SHAPE,
                        "give both layers the same extents, or another name",
                        "the layer is shared, but here it is %s; described at %s it is %s",
                        nn__format_shape(*shape, wanted, sizeof wanted),
                        nn__format_site(other->site, at, sizeof at),
                        nn__format_shape(other->shape, given, sizeof given));
    if (problem.code != NN_OK)
        return nn__poison_problem(net, site, "parameter", name, NULL, NULL, 0, &problem);
#endif
    return nn__parameter(site, net, name, shape, -bound, bound);
}
