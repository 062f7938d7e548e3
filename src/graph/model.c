/* graph/model.c - the model: its leaves, its scopes, and queries. Only nn_find_tensor allocates on
   a device, by graph/materialize.c. */
#include "graph/private.h"

NN_PRIVATE void nn__model_destroy(nn__owned *owned) {
    nn_model *net = (nn_model *)(void *)owned;
    nn_context *nn = net->nn;
    nn__destroy_all(&net->dependents);
    nn__graph_free(&net->graph);
    nn__release(&nn->memory, net, sizeof *net);
}

static nn_model *nn__inside_make_model(nn_site site, nn_context *nn, const nn_model_desc *desc) {
    nn_model_desc defaults;
    memset(&defaults, 0, sizeof defaults);
    if (!nn) return NULL;
    if (!desc) desc = &defaults;
#ifdef NN_NO_MIXED_PRECISION /* without casts, parameters must be f32 */
    if (nn__dtype(desc->dtype) != NN_F32) {
#else
    if (nn__dtype(desc->dtype) != NN_F32 && !nn__is_half(desc->dtype)) {
#endif
        nn__fail_at(nn, site, NN_ERROR_DTYPE, "nn_make_model: dtype is %s; wanted f32, f16 or bf16",
                    nn_dtype_name(desc->dtype));
        return NULL;
    }
    nn_model *net = (nn_model *)nn__allocate_for(nn, "nn_make_model", sizeof *net);
    if (!net) return NULL;
    net->nn = nn;
    net->site = site;
    net->seed = desc->seed;
    net->dtype = nn__dtype(desc->dtype);
    net->device = nn__resolve_device(nn, desc->device);
    net->device_is_default = desc->device.kind == NN_DEVICE_DEFAULT;
    nn__copy_text(net->name, sizeof net->name, desc->name ? desc->name : "model");
    nn__graph_init(&net->graph, net);
    net->faults.arena = &net->graph.arena;
    net->poison.graph = &net->graph;
    net->poison.poisoned = true;
    net->poison.name = "(poisoned)";
    nn__set_operation(&net->poison, net->poison.name);
    nn__own(&nn->owned, &net->owned, nn__model_destroy);
    return net;
}

NN_API nn_model *nn_make_model_at(nn_site site, nn_context *nn, const nn_model_desc *desc) {
    if (!nn__enter(nn, "nn_make_model", site)) return NULL;
    nn_model *made = nn__inside_make_model(site, nn, desc);
    nn__leave(nn, NN_OK);
    return made;
}

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_result nn__refuse_torn(const nn_model *net, nn_site site, const char *who) {
    return nn__fail_at(net->nn, site, NN_ERROR_BACKEND,
                       "%s: the update of step %lld of \"%s\", or a checkpoint's loading before "
                       "it, broke off half way, so that its parameters are those of two steps; "
                       "continue from a checkpoint (nn_load_checkpoint), or give the model whole "
                       "weights: nn_load_weights",
                       who, (long long)net->torn, net->name);
}
#endif

#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__model_gone(const nn_model *net, nn_site site, const char *who) {
    char where[96];
    if (!net) return true;
    if (!net->gone) return false;
    nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT, "%s: the model \"%s\" was freed at %s", who,
                net->name, nn__format_site(net->site, where, sizeof where));
    return true;
}

/* Frees everything but the struct, so that later calls can report that the model was freed. False:
   the struct must be freed too. */
static bool nn__model_leave_shell(nn_model *net, nn_site site) {
    net->gone = true; /* plans and trainers check this, and leave shells too */
    net->site = site;
    nn__destroy_all(&net->dependents);
    nn__graph_free(&net->graph);
    nn__graph_init(&net->graph, net);
    memset(&net->faults, 0, sizeof net->faults);
    net->faults.arena = &net->graph.arena;
    net->warnings = net->last_warning = NULL;
    net->scope = NULL;
    return nn__keep_shell(net->nn, &net->owned, nn__model_destroy);
}
#endif

#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
/* Makes copies of the model forget it as their original. */
static void nn__model_leave_copies(const nn_model *net) {
    const nn__owned *list = &net->nn->owned;
    for (nn__owned *one = list->next; one && one != list; one = one->next) {
        nn_model *copy = (nn_model *)(void *)one;
        if (one->destroy == nn__model_destroy && copy->original == net) copy->original = NULL;
    }
}
#else
#define nn__model_leave_copies(net) ((void)0)
#endif

static void nn__inside_free_model(nn_site site, nn_model *net) {
    if (nn__model_gone(net, site, "nn_free_model")) return;
#ifndef NN_NO_TRAINING
    if (net->fits > 0) {
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_free_model: nn_fit trains \"%s\", and calls this callback; return false, "
                    "and free it when nn_fit has returned",
                    net->name);
        return;
    }
#endif
#ifndef NN_NO_REPORTS
    for (const nn_node *node = net->graph.first; node; node = node->next)
        if (node->kind != NN__BORROWED &&
            nn__check_unused(node->tensor, "nn_free_model", "the model") != NN_OK)
            return;
    nn__model_leave_copies(net);
    nn__disown(&net->owned);
    if (nn__model_leave_shell(net, site)) return;
#else
    nn__model_leave_copies(net);
#endif
    nn__disown(&net->owned);
    nn__model_destroy(&net->owned);
}

NN_API void nn_free_model_at(nn_site site, nn_model *net) {
    nn_context *nn = net ? net->nn : NULL;
    if (!nn__enter(nn, "nn_free_model", site)) return;
    nn__inside_free_model(site, net);
    nn__leave(nn, NN_OK);
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* Finds the first error in a leaf's extents. */
static void nn__model_check_extents(const nn_shape *shape, nn_dtype dtype, bool input,
                                    nn__problem *problem) {
    char text[NN__SHAPE_TEXT];
    unsigned once = 0, twice = 0;
    for (int i = 0; i < shape->rank; i++) {
        const unsigned kind = nn__extent_kind(shape->extent[i]);
        twice |= once & kind;
        once |= kind;
        if (shape->extent[i] > 0 || (input && nn__extent_factor(shape->extent[i]) == 1)) continue;
        nn__problem_set(problem, NN_ERROR_SHAPE,
                        input ? NN__TEXT("positive extents, NN_BATCH or NN_TIME")
                              : NN__TEXT("positive extents"),
                        shape->extent[i] == NN_TIME ? NN__TEXT("extent %d is NN_TIME")
                                                   : NN__TEXT("extent %d is %d"),
                        i, shape->extent[i]);
        return;
    }
    if (twice)
        nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("name each free extent once"),
            NN__TEXT("%d extents of %s depend on the %s, which its data could not tell apart"),
            nn__free_extents(*shape, twice & NN__OF_BATCH ? NN__OF_BATCH : NN__OF_TIME),
            nn__format_shape(*shape, text, sizeof text),
            twice & NN__OF_BATCH ? "batch" : "time");
    else if (!nn__shape_bytes(shape, nn__dtype(dtype), 1, 1))
        nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("smaller extents"),
                        NN__TEXT("%s has more bytes than a number can count"),
                        nn__format_shape(*shape, text, sizeof text));
}

/* Checks the name and shape of a leaf. Reports the first error; true if there is none. */
static bool nn__model_check_leaf(nn_model *net, nn_site site, const char *operation,
                                 const char *name, nn_dtype dtype, const nn_shape *shape,
                                 bool input) {
    nn__problem problem;
    memset(&problem, 0, sizeof problem);
#ifndef NN_NO_REPORTS
    if (nn__model_gone(net, site, operation)) return false;
#endif
    if (!name || !name[0])
        nn__problem_set(&problem, NN_ERROR_ARGUMENT, NN__TEXT("give it a name"),
                        NN__TEXT("it has no name"));
    else if (strlen(name) >= NN_NAME_BYTES)
        nn__problem_set(&problem, NN_ERROR_ARGUMENT, NN__TEXT("give a shorter name"),
                        NN__TEXT("its name has %zu bytes; at most %d fit"), strlen(name),
                        NN_NAME_BYTES - 1);
    else if (shape->rank < 0 || shape->rank > NN_MAX_RANK)
        nn__problem_set(&problem, NN_ERROR_SHAPE, NN__TEXT("fewer extents"),
                        NN__TEXT("its rank is %d; 0 to %d are possible"), shape->rank, NN_MAX_RANK);
    else if (nn_dtype_size(dtype) == 0 && dtype != NN_DTYPE_DEFAULT)
        nn__problem_set(&problem, NN_ERROR_DTYPE, NN__TEXT("NN_F32, NN_I32 ..."),
                        NN__TEXT("%d is no dtype"), (int)dtype);
    else
        nn__model_check_extents(shape, dtype, input, &problem);
    nn_node *other = problem.code == NN_OK && name ? *nn__leaf_list(&net->graph, name) : NULL;
    for (; problem.code == NN_OK && other; other = nn__next_leaf(other)) {
        /* inputs have one name space, saved tensors another */
        if (input ? other->kind != NN__INPUT : !nn__is_saved(other)) continue;
        if (strcmp(other->name, name) != 0) continue;
        char where[96];
        nn__problem_set(
            &problem, NN_ERROR_ARGUMENT,
            NN__TEXT("give another name, or .shared = true to apply the same layer again"),
            NN__TEXT("this name was already used at %s"),
            nn__format_site(other->site, where, sizeof where));
    }
    if (problem.code == NN_OK) return true;
    nn__poison_problem(net, site, operation, name, NULL, NULL, 0, &problem);
    return false;
}

NN_API nn_context *nn_model_context(const nn_model *net) { return net ? net->nn : NULL; }

NN_API nn_node *nn_input_at(nn_site site, nn_model *net, const char *name, nn_dtype dtype,
                            nn_shape shape) {
    if (!net) return NULL;
    if (!nn__model_check_leaf(net, site, "input", name, dtype, &shape, true))
        return nn__poison(net);
    return nn__add_leaf(&net->graph, site, NN__INPUT, name, dtype, &shape);
}

NN_PRIVATE nn_node *nn__parameter(nn_site site, nn_model *net, const char *name,
                                  const nn_shape *shape, float low, float high) {
    if (!net) return NULL;
    if (!nn__model_check_leaf(net, site, "parameter", name, net->dtype, shape, false))
        return nn__poison(net);
    nn_node *node = nn__add_leaf(&net->graph, site, NN__PARAMETER, name, net->dtype, shape);
    if (node->poisoned) return node;
    node->start.low = low;
    node->start.high = high;
    node->start.stream = net->streams++;
#ifndef NN_NO_TRAINING
    node->frozen = net->adapters != NULL;
#endif
    return node;
}

NN_API nn_node *nn_parameter_at(nn_site site, nn_model *net, const char *name, nn_shape shape,
                                float low, float high) {
    return nn__parameter(site, net, name, &shape, low, high);
}

NN_API nn_node *nn_buffer_at(nn_site site, nn_model *net, const char *name, nn_dtype dtype,
                             nn_shape shape, double value) {
    if (!net) return NULL;
    if (!nn__model_check_leaf(net, site, "buffer", name, dtype, &shape, false))
        return nn__poison(net);
    nn_node *node = nn__add_leaf(&net->graph, site, NN__BUFFER, name, dtype, &shape);
    if (!node->poisoned) nn__store_number(node->dtype, &node->start.stream, value);
    return node;
}

NN_API nn_node *nn_output_at(nn_site site, nn_node *node, int k) {
    if (!node || node->poisoned) return node;
    nn_model *net = node->graph->model;
    int count = 0;
    for (const nn__result *one = net->results; one; one = one->next) {
        if (one->node != node) continue;
        if (one->k == k) return one->result;
        count++;
    }
    nn_node *output = k < 0 || (count > 0 && k > 0)
                          ? NULL
                          : nn__output(node->owner ? node->owner : node, k);
    if (output) return output;
    if (count > 0)
        count++; /* and the node itself */
    else
        for (const nn_node *one = node->owner ? node->owner : node; one; one = one->more) count++;
    nn__fault *fault =
        nn__build_fault(net, NN__FAULT_ARGUMENT, site, "nn_output", node->name, NULL, NULL, 0);
    nn__fault_operand(fault, "node", node, false);
    nn__fault_cause(&net->faults, fault,
                    NN__TEXT("there is no output %d; \"%s\" has %d, counted from 0"), k, node->name,
                    count);
    nn__fault_fix(&net->faults, fault, NN__TEXT("the operation's comment lists its outputs"));
    return nn__poison(net);
}

/* Reports a tensor that is NULL or of another context. */
static bool nn__model_check_tensor(nn_model *net, nn_site site, const char *operation,
                                   const char *name, const nn_tensor *tensor) {
    if (tensor && tensor->nn == net->nn) return true;
    nn__fault *fault = nn__build_fault(net, tensor ? NN__FAULT_CONTEXT : NN__FAULT_ARGUMENT, site,
                                       operation, name, NULL, NULL, 0);
    if (tensor) {
        nn__fault_shape_operand(fault, "tensor", tensor->name, tensor->view.shape,
                                tensor->view.dtype);
        nn__fault_cause(&net->faults, fault,
                        NN__TEXT("the tensor and the model \"%s\" have different contexts"),
                        net->name);
        nn__fault_fix(
            &net->faults, fault,
            NN__TEXT("make both with one nn_context; between contexts use nn_download_tensor and "
                     "nn_upload_tensor"));
    } else {
        nn__fault_cause(&net->faults, fault, NN__TEXT("the tensor is NULL"));
        nn__fault_fix(&net->faults, fault,
                      NN__TEXT("look at what nn_make_tensor or nn_load_idx reported"));
    }
    return false;
}

NN_API nn_node *nn_constant_at(nn_site site, nn_model *net, const char *name, nn_tensor *tensor) {
    if (!net) return NULL;
    if (!nn__model_check_tensor(net, site, "constant", name, tensor)) return nn__poison(net);
    if (!nn__model_check_leaf(net, site, "constant", name, tensor->view.dtype, &tensor->view.shape,
                              false))
        return nn__poison(net);
    nn_node *node = nn__add_leaf(&net->graph, site, NN__CONSTANT, name, tensor->view.dtype,
                                 &tensor->view.shape);
    net->nn->cross = nn__cross;
    if (node->poisoned) return node;
    node->source = tensor;
    nn__use_tensor(tensor, "nn_constant", site);
    return node;
}

NN_API nn_node *nn_borrow_at(nn_site site, nn_model *net, nn_tensor *tensor) {
    if (!net) return NULL;
    if (!nn__model_check_tensor(net, site, "tensor", tensor ? tensor->name : NULL, tensor))
        return nn__poison(net);
    nn_node *node = nn__add_leaf(&net->graph, site, NN__BORROWED, tensor->name, tensor->view.dtype,
                                 &tensor->view.shape);
    if (node->poisoned) return node;
    node->tensor = tensor;
    nn__use_tensor(tensor, "nn_borrow", site);
    node->device = tensor->device;
    node->scope = NULL;
    node->moves = false;
    return node;
}

/* ---- scopes ---------------------------------------------------------------------------------- */

NN_API void nn_device_begin_at(nn_site site, nn_model *net, nn_device device) {
    if (!net) return;
    nn__scope *scope = (nn__scope *)nn__arena_take(&net->graph.arena, sizeof *scope);
    if (!scope) {
        nn__fail_memory(net->nn, "nn_device_begin", sizeof *scope);
        net->faults.no_memory = true;
        net->faults.count++;
        return;
    }
    scope->outer = net->scope;
    scope->device = nn__resolve_device(net->nn, device);
    scope->site = site;
    net->scope = scope;
}

NN_API void nn_device_end_at(nn_site site, nn_model *net) {
    if (!net) return;
    if (net->scope) {
        net->scope->ended = true;
        net->scope = net->scope->outer;
        return;
    }
    nn__fault *fault =
        nn__build_fault(net, NN__FAULT_ARGUMENT, site, "nn_device_end", NULL, NULL, NULL, 0);
    nn__fault_cause(&net->faults, fault, NN__TEXT("there is no nn_device_begin to end"));
    nn__fault_fix(&net->faults, fault, NN__TEXT("one nn_device_end for each nn_device_begin"));
}

#ifndef NN_NO_TRAINING
NN_API void nn_recompute_begin_at(nn_site site, nn_model *net) {
    char where[96];
    if (nn__model_gone(net, site, "nn_recompute_begin")) return;
    if (net->region) {
        nn__fault *fault = nn__build_fault(net, NN__FAULT_ARGUMENT, site, "nn_recompute_begin",
                                           NULL, NULL, NULL, 0);
        nn__fault_cause(&net->faults, fault, NN__TEXT("the block that began at %s has not ended"),
                        nn__format_site(net->region_site, where, sizeof where));
        nn__fault_fix(&net->faults, fault,
                      NN__TEXT("nn_recompute_end first: blocks cannot be nested"));
        return;
    }
    net->region = ++net->regions;
    net->region_site = site;
}

NN_API void nn_recompute_end_at(nn_site site, nn_model *net) {
    if (nn__model_gone(net, site, "nn_recompute_end")) return;
    if (!net->region) {
        nn__fault *fault = nn__build_fault(net, NN__FAULT_ARGUMENT, site, "nn_recompute_end", NULL,
                                           NULL, NULL, 0);
        nn__fault_cause(&net->faults, fault, NN__TEXT("there is no nn_recompute_begin to end"));
        nn__fault_fix(&net->faults, fault,
                      NN__TEXT("one nn_recompute_end for each nn_recompute_begin"));
    }
    net->region = 0;
}
#endif

NN_API nn_node *nn_keep(nn_node *x) {
    if (x && !x->poisoned) x->keep = true;
    return x;
}

/* ---- questions ------------------------------------------------------------------------------- */

NN_API const char *nn_node_name(const nn_node *node) { return node ? node->name : "(none)"; }

NN_API nn_shape nn_node_shape(const nn_node *node) {
    nn_shape none;
    memset(&none, 0, sizeof none);
    return node ? node->shape : none;
}

NN_API nn_dtype nn_node_dtype(const nn_node *node) { return node ? node->dtype : NN_DTYPE_DEFAULT; }

NN_API nn_device nn_node_device(const nn_node *node) {
    return node ? node->device : nn_make_device(NN_DEVICE_DEFAULT, 0);
}

NN_API int nn_fault_count(const nn_model *net) { return net ? net->faults.count : 0; }

NN_API void nn_write_faults(const nn_model *net, nn_writer writer) {
    if (net) nn__write_fault_report(net->nn, net->name, &net->faults, NULL, writer);
}

NN_API int nn_parameter_count(const nn_model *net) {
    int count = 0;
    for (const nn_node *node = net ? net->graph.first : NULL; node; node = node->next)
        count += node->kind == NN__PARAMETER;
    return count;
}

NN_API int64_t nn_parameter_elements(const nn_model *net) {
    int64_t count = 0;
    for (const nn_node *node = net ? net->graph.first : NULL; node; node = node->next)
        if (node->kind == NN__PARAMETER) count += nn_shape_count(node->shape);
    return count;
}

NN_API int nn_model_tensor_count(const nn_model *net) {
    int count = 0;
    for (const nn_node *node = net ? net->graph.first : NULL; node; node = node->next)
        count += nn__is_saved(node);
    return count;
}

NN_API nn_tensor *nn_model_tensor_at(nn_model *net, int i) {
    for (const nn_node *node = net ? net->graph.first : NULL; node; node = node->next)
        if (nn__is_saved(node) && i >= 0 && i-- == 0) return node->tensor;
    return NULL;
}

NN_API nn_tensor *nn_find_tensor_at(nn_site site, nn_model *net, const char *name) {
    if (nn__model_gone(net, site, "nn_find_tensor")) return NULL;
    for (nn_node *node = net->graph.first; node && name; node = node->next) {
        if (!nn__is_saved(node) || strcmp(node->name, name) != 0) continue;
        if (node->tensor && !net->faults.count) return node->tensor;
        if (net->faults.count) {
            nn__fail_faults(net->nn, net->name, &net->faults, NULL);
            return NULL;
        }
        return nn__materialize(&net->graph, site) == NN_OK ? node->tensor : NULL;
    }
    nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                "nn_find_tensor: the model \"%s\" has no tensor \"%s\"", net->name, name);
    return NULL;
}

NN_PRIVATE bool nn__named(const nn_node *node, const char *prefix) {
    const size_t length = strlen(prefix);
    if (length == 0) return false;
    return prefix[length - 1] == '.' ? strncmp(node->name, prefix, length) == 0
                                     : strcmp(node->name, prefix) == 0;
}

static nn_result nn__inside_freeze(nn_site site, nn_model *net, const char *prefix, bool frozen) {
    int count = 0;
    if (nn__model_gone(net, site, "nn_freeze")) return NN_ERROR_ARGUMENT;
    if (!prefix) prefix = "";
    for (nn_node *node = net->graph.first; node; node = node->next) {
        if (node->kind != NN__PARAMETER) continue;
        if (!nn__named(node, prefix)) continue;
        if (!frozen && node->tensor && node->tensor->read_only)
            return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                               "nn_freeze: \"%s\" is read-only: nn_use_weights put it in place, "
                               "where it cannot be "
                               "trained; name it in nn_use_weights_desc.copied",
                               node->name);
        count++;
    }
    for (nn_node *node = net->graph.first; node && count; node = node->next)
        if (node->kind == NN__PARAMETER && nn__named(node, prefix)) node->frozen = frozen;
    if (count) return NN_OK;
    return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                       "nn_freeze: the model \"%s\" has no parameter \"%s\"", net->name, prefix);
}

NN_API nn_result nn_freeze_at(nn_site site, nn_model *net, const char *prefix, bool frozen) {
    return NN__ALONE(net ? net->nn : NULL, "nn_freeze", site,
                     nn__inside_freeze(site, net, prefix, frozen));
}
