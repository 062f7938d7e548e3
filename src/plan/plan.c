/* plan/plan.c - making a plan: which nodes, in which order, what is fused, then placement, layout and memory.
   It runs nothing. Next: plan/placement.c, plan/layout.c, plan/run.c. */
#include "plan/private.h"

/* ---- which nodes ----------------------------------------------------------------------------- */

/* What wanted nodes need is wanted too. Nodes stand behind what they read. */
static void nn__plan_reach(nn_node **nodes, int count) {
    for (int i = count - 1; i >= 0; i--) {
        nn_node *node = nodes[i];
        if (!node->wanted) continue;
        for (int j = 0; j < node->input_count; j++) node->inputs[j]->wanted = true;
        if (node->owner) node->owner->wanted = true;
    }
}

#ifndef NN_NO_TRAINING
/* An effect that the model itself describes (a running mean) belongs to every training step that is given what it
   depends on: every input behind it is wanted anyway. Such nodes get the value 0 here, until they are numbered.
   Returns whether there was one. */
static bool nn__plan_mark_effects(nn_node **nodes, int count) {
    bool any = false;
    for (int i = 0; i < count; i++) {
        nn_node *node = nodes[i];
        bool there = node->kind == NN__INPUT ? node->wanted : !node->owner || node->owner->value == 0;
        for (int j = 0; j < node->input_count; j++) there = there && node->inputs[j]->value == 0;
        node->value = there ? 0 : -1;
        if (!there || !nn__is_model_effect(node)) continue;
        node->wanted = any = true;
    }
    return any;
}
#endif

/* Marks in node->wanted what the targets need. all: every node that is not poisoned (a model with faults is
   checked whole). */
static int nn__plan_mark(nn_plan *plan, nn_node **nodes, bool all) {
    int count = 0, wanted = 0;
    nn__graph *graphs[2];
    graphs[0] = &plan->net->graph;
    graphs[1] = plan->tape;
    for (int g = 0; g < 2; g++)
        for (nn_node *node = graphs[g] ? graphs[g]->first : NULL; node; node = node->next) {
            node->wanted = all;
            node->value = -1;
            if (nodes) nodes[count] = node;
            count++;
        }
    if (!nodes) return count;
    for (int i = 0; i < plan->target_count; i++) plan->targets[i]->wanted = true;
    nn__plan_reach(nodes, count);
#ifndef NN_NO_TRAINING
    if (plan->training && nn__plan_mark_effects(nodes, count)) nn__plan_reach(nodes, count);
#endif
    for (int i = 0; i < count; i++)
        if (nodes[i]->wanted) nodes[wanted++] = nodes[i];
    return wanted;
}

static void nn__plan_value(nn_plan *plan, nn_node *node) {
    nn__value *value = &plan->values[plan->value_count];
    node->value = plan->value_count++;
    value->node = node;
    value->alias_of = -1;
    value->first = value->last = -1;
    value->kept = node->keep && (node->kind == NN__OPERATION || node->kind == NN__OUTPUT);
    value->place = node->kind == NN__INPUT                                   ? NN__PLACE_INPUT
                   : node->kind == NN__OPERATION || node->kind == NN__OUTPUT ? NN__PLACE_ARENA
                                                                             : NN__PLACE_TENSOR;
    if (node->kind != NN__OPERATION || !(node->rule->flags & NN__ALIAS)) return;
    int source = node->inputs[0]->value;
    value->place = NN__PLACE_ALIAS;
    value->alias_of = plan->values[source].place == NN__PLACE_ALIAS ? plan->values[source].alias_of : source;
}

static void nn__plan_step(nn_plan *plan, nn_node *node, int *inputs) {
    nn__step *step = &plan->steps[plan->step_count++];
    step->node = node;
    step->inputs = inputs;
    step->output = nn__has_effect(node) ? -1 : node->value;
    const nn_node *more = node->more;
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++, more = more ? more->more : NULL)
        step->more[k] = more && more->wanted ? more->value : -1;
    for (int i = 0; i < node->input_count; i++) {
        inputs[i] = node->inputs[i]->value;
        plan->values[inputs[i]].uses++;
    }
    step->device = nn__find_plan_device(plan, node->device);
}

/* Devices in the order of their first step. False: too many. */
static bool nn__plan_add_device(nn_plan *plan, nn_device device) {
    if (nn__find_plan_device(plan, device) >= 0) return true;
    if (plan->device_count == NN_MAX_DEVICES) return false;
    plan->devices[plan->device_count++].device = device;
    return true;
}

static bool nn__plan_collect(nn_plan *plan, bool all) {
    int count = nn__plan_mark(plan, NULL, all), inputs = 0, most = 1, operations = 0;
    nn_node **nodes = (nn_node **)nn__arena_take(&plan->arena, sizeof(nn_node *) * (size_t)(count + 1));
    if (!nodes) return false;
    count = nn__plan_mark(plan, nodes, all);
    for (int i = 0; i < count; i++) {
        inputs += nodes[i]->input_count;
        operations += nodes[i]->kind == NN__OPERATION && !(nodes[i]->rule->flags & NN__ALIAS);
        most = nn__maxi(most, nodes[i]->input_count);
    }
    plan->values = (nn__value *)nn__arena_take(&plan->arena, sizeof(nn__value) * (size_t)(count + 1));
    plan->steps = (nn__step *)nn__arena_take(&plan->arena, sizeof(nn__step) * (size_t)(operations + 1));
    plan->views = (nn_view *)nn__arena_take(&plan->arena, sizeof(nn_view) * (size_t)most);
    int *slots = (int *)nn__arena_take(&plan->arena, sizeof(int) * (size_t)(inputs + 1));
    if (!plan->values || !plan->steps || !plan->views || !slots) return false;
    for (int i = 0; i < count; i++) {
        nn__plan_value(plan, nodes[i]);
        if (!nn__plan_add_device(plan, nodes[i]->device)) return false;
    }
    for (int i = 0; i < plan->target_count; i++) plan->values[plan->targets[i]->value].kept = true;
    for (int late = 0; late < 2; late++) /* a step reads the model's state as it was before it */
        for (int i = 0; i < count; i++) {
            nn_node *node = nodes[i];
            if (node->kind != NN__OPERATION || nn__is_model_effect(node) != (late == 1)) continue;
            if (node->rule->flags & NN__ALIAS) {
                plan->values[node->inputs[0]->value].uses++;
                continue;
            }
            nn__plan_step(plan, node, slots);
            slots += node->input_count;
        }
    return true;
}

NN_PRIVATE size_t nn__args_bytes(nn_kernel kernel) {
#define NN__X(number, upper, lower, args)                                                          \
    case NN_KERNEL_##upper: return sizeof(args);
    switch (kernel) {
        NN_KERNELS(NN__X)
    default: return 0;
    }
#undef NN__X
}

/* Room for the arguments of each step; false: no memory. */
static bool nn__plan_args(nn_plan *plan) {
    for (int i = 0; i < plan->step_count; i++) {
        const size_t bytes = nn__args_bytes(plan->steps[i].node->rule->kernel);
        plan->steps[i].args = bytes ? (nn__args *)nn__arena_take(&plan->arena, bytes) : NULL;
        if (bytes && !plan->steps[i].args) return false;
    }
    return true;
}

/* An activation that alone reads the result of a product or convolution becomes its epilogue. */
static void nn__plan_fuse(nn_plan *plan) {
    int kept = 0;
    for (int i = 0; i < plan->step_count; i++) {
        nn__step *step = &plan->steps[i];
        if (step->output >= 0) plan->values[step->output].first = i; /* who makes it, until the layout is made */
        if (step->node->rule->fuses == NN_ACTIVATION_NONE) continue;
        nn__value *between = &plan->values[step->inputs[0]];
        if (between->uses != 1 || between->kept || between->place != NN__PLACE_ARENA || between->first < 0)
            continue;
        nn__step *producer = &plan->steps[between->first];
        if (!(producer->node->rule->flags & NN__EPILOGUE) || producer->device != step->device || producer->fused)
            continue;
        producer->activation = step->node->rule->fuses;
        producer->fused = step->node;
        producer->output = step->output;
        between->uses = 0;
        step->device = -1; /* marks it as gone */
    }
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].device >= 0) plan->steps[kept++] = plan->steps[i];
    plan->step_count = kept;
}

NN_PRIVATE int nn__find_plan_device(const nn_plan *plan, nn_device device) {
    for (int i = 0; i < plan->device_count; i++)
        if (nn_same_device(plan->devices[i].device, device)) return i;
    return -1;
}

NN_PRIVATE int nn__find_value(const nn_plan *plan, const nn_node *node) {
    const int last = node->value; /* of the plan that was made last, which is this one more often than not */
    if (last >= 0 && last < plan->value_count && plan->values[last].node == node) return last;
    for (int i = 0; i < plan->value_count; i++)
        if (plan->values[i].node == node) return i;
    return -1;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void nn__plan_destroy(nn__owned *owned) {
    nn_plan *plan = (nn_plan *)(void *)owned;
    nn_context *nn = plan->nn;
    nn__run_leave(plan);
#ifndef NN_NO_REPORTS
    if (plan->profiler) plan->profiler->stop(plan);
#endif
    for (int i = 0; i < plan->device_count; i++)
        for (nn__piece *block = plan->devices[i].blocks; nn__is_piece(block); block++)
            nn__device_release(nn, plan->devices[i].device, block->handle, block->bytes);
    for (int i = 0; i < plan->value_count && !nn__is_closing(nn); i++) nn__unuse_tensor(plan->values[i].bound);
    nn__release(&nn->memory, plan->staging, plan->staging_bytes);
    nn__arena_free(&plan->arena);
    nn__release(&nn->memory, plan, sizeof *plan);
}

NN_PRIVATE void nn__drop_plan(nn_plan *plan) {
    if (!plan) return;
    nn_finish(plan->nn);
    nn__disown(&plan->owned);
    nn__plan_destroy(&plan->owned);
}

NN_API void nn_free_plan(nn_plan *plan) {
    if (plan && plan->tape)
        nn__fail(plan->nn, NN_ERROR_ARGUMENT,
                 "nn_free_plan: this plan of \"%s\" belongs to a trainer; nn_free_trainer frees both; nothing was "
                 "freed",
                 plan->net->name);
    else
        nn__drop_plan(plan);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__unbind_tensor(const nn_tensor *tensor) {
    const nn__owned *models = &tensor->nn->owned;
    for (const nn__owned *m = models->next; m && m != models; m = m->next) {
        const nn__owned *plans = m->destroy == nn__model_destroy ? &((const nn_model *)(const void *)m)->dependents
                                                                : NULL;
        for (nn__owned *p = plans ? plans->next : NULL; p && p != plans; p = p->next) {
            nn_plan *plan = (nn_plan *)(void *)p;
            if (p->destroy != nn__plan_destroy) continue;
            for (int i = 0; i < plan->value_count; i++) {
                if (plan->values[i].bound != tensor) continue;
                nn__unuse_tensor(plan->values[i].bound);
                plan->values[i].bound = NULL;
                plan->values[i].given = plan->values[i].checked = false;
                plan->values[i].batch = plan->values[i].time = 0;
                plan->lowered = false;
            }
        }
    }
}
#endif

static nn_result nn__plan_allocate(nn_plan *plan) {
    nn_context *nn = plan->nn;
    for (int i = 0; i < plan->step_count; i++)
        if ((plan->steps[i].node->rule->flags & NN__TRANSFER) && !nn__step_via(&plan->steps[i]))
            plan->staging_bytes = (size_t)1 << 18; /* what goes via the CPU has an end in its memory */
    if (plan->staging_bytes && !(plan->staging = nn__allocate(&nn->memory, plan->staging_bytes)))
        return nn__fail_memory(nn, "nn_make_plan: staging for transfers", plan->staging_bytes);
    for (int i = 0; i < plan->device_count; i++) {
        nn__plan_device *device = &plan->devices[i];
        const nn__open_device *open = nn__find_device(nn, device->device);
        for (nn__piece *block = device->blocks; block->bytes; block++) {
            nn_result result = nn__device_alloc(nn, device->device, block->bytes,
                                                "the plan's inputs, activations and scratch", &block->handle);
            if (result < 0) return result;
            result = open->backend->fill(open->state, block->handle, 0, block->bytes, 0);
            if (result < 0)
                return nn__fail(nn, result, "nn_make_plan: %s could not fill its memory", open->limits.name);
        }
    }
    return NN_OK;
}

/* ---- making ---------------------------------------------------------------------------------- */

static nn_plan *nn__plan_new(nn_model *net, nn__graph *tape, const nn_plan_desc *desc, bool training,
                             nn_site site) {
    nn_context *nn = net->nn;
    nn_plan *plan = (nn_plan *)nn__allocate_for(nn, "nn_make_plan", sizeof *plan);
    if (!plan) return NULL;
    plan->nn = nn;
    plan->net = net;
    plan->tape = tape;
    plan->site = site;
    plan->desc = *desc;
    if (plan->desc.batch == 0) plan->desc.batch = 1;
    if (plan->desc.time == 0) plan->desc.time = 1;
    plan->arena.memory = &nn->memory;
    plan->training = training;
    plan->generation = net->generation;
    plan->run.batch = plan->desc.batch;
    plan->run.time = plan->desc.time;
    plan->run.seed = net->seed;
    plan->run.training = training;
    plan->run.step = 1;
    nn__own(&net->dependents, &plan->owned, nn__plan_destroy);
    return plan;
}

/* A fault for a value larger than its device's largest allocation: no value is cut in two. */
static void nn__plan_piece(nn_plan *plan, nn__faults *faults, const nn_node *node, uint64_t bytes) {
    char at[NN__EXTENTS_TEXT];
    bool gradient = node->graph != &plan->net->graph; /* as large as what it belongs to */
    if (bytes <= nn__largest_piece(plan->nn, node->device) || (gradient && faults->count)) return;
    nn__fault *fault = nn__add_fault(faults, NN__FAULT_ARGUMENT, node->operation, node->name, node->site);
    if (fault) fault->order = node->order;
    nn__fault_operand(fault, "tensor", node, true);
    nn__fault_cause(faults, fault, NN__TEXT("%llu bytes at %s; the largest allocation there is %llu"),
                    (unsigned long long)bytes,
                    nn__format_extents(plan, plan->desc.batch, plan->desc.time, at, sizeof at),
                    (unsigned long long)nn__largest_piece(plan->nn, node->device));
    nn__fault_fix(faults, fault, NN__TEXT("a smaller .batch, smaller layers, or another device"));
}

/* Sizes at the largest batch; a fault for the first value whose bytes or extents no number can hold. */
static void nn__plan_sizes(nn_plan *plan, nn__faults *faults) {
    for (int i = 0; i < plan->value_count; i++) {
        nn_node *node = plan->values[i].node;
        char at[NN__EXTENTS_TEXT];
        uint64_t bytes;
        if (nn__shape_bytes(node->shape, node->dtype, plan->desc.batch, plan->desc.time, &bytes)) {
            if (plan->values[i].place != NN__PLACE_ALIAS) nn__plan_piece(plan, faults, node, bytes);
            continue;
        }
        if (faults->count) continue;
        nn__fault *fault = nn__add_fault(faults, NN__FAULT_SHAPE, node->operation, node->name, node->site);
        if (fault) fault->order = node->order;
        nn__fault_operand(fault, "result", node, false);
        nn__fault_cause(faults, fault, NN__TEXT("%s makes it larger than a number can count"),
                        nn__format_extents(plan, plan->desc.batch, plan->desc.time, at, sizeof at));
        nn__fault_fix(faults, fault, NN__TEXT("a smaller .batch"));
    }
}

/* Everything that can be wrong, into the model's faults and `faults`. */
static bool nn__plan_check(nn_plan *plan, nn__faults *faults) {
    bool whole = plan->net->faults.count > 0;
    for (int i = 0; i < plan->target_count; i++) whole = whole || plan->targets[i]->poisoned;
    if (whole) plan->target_count = 0;
    if (!nn__plan_collect(plan, whole)) return false;
    nn__plan_fuse(plan);
    if (!whole && !nn__plan_join(plan)) return false;
    if (!nn__plan_args(plan)) return false;
    nn__plan_sizes(plan, faults);
    if (faults->count == 0) nn__place(plan, faults);
    return faults->count > 0 || nn__plan_detours(plan);
}

static int nn__plan_update(const nn_plan *plan) {
    for (int s = 0; s < plan->step_count; s++) {
        const nn_node *node = plan->steps[s].node;
        for (int i = 0; (node->rule->flags & NN__EFFECT) && i < node->input_count; i++)
            if (node->inputs[i]->kind == NN__PARAMETER || node->inputs[i]->kind == NN__BUFFER) return s;
    }
    return plan->step_count;
}

NN_PRIVATE nn_plan *nn__make_plan(nn_model *net, nn__graph *tape, nn_node *const *targets, int target_count,
                                  const nn_plan_desc *desc, bool training, const nn_plan *lender,
                                  nn_site site) {
    nn_context *nn = net->nn;
    nn__faults faults;
    nn_plan *plan = nn__plan_new(net, tape, desc, training, site);
    if (!plan) return NULL;
    memset(&faults, 0, sizeof faults);
    faults.arena = &plan->arena;
    plan->targets = (nn_node **)nn__arena_take(&plan->arena, sizeof(nn_node *) * (size_t)(target_count + 1));
    nn_result result = plan->targets ? NN_OK : NN_ERROR_MEMORY;
    for (int i = 0; result >= 0 && i < target_count; i++) plan->targets[i] = targets[i];
    plan->target_count = target_count;
    if (result >= 0 && !nn__plan_check(plan, &faults)) result = NN_ERROR_MEMORY;
    if (result >= 0 && (net->faults.count || faults.count))
        result = nn__fail_faults(nn, net->name, &net->faults, &faults);
    if (result >= 0 && !nn__layout(plan, lender)) result = NN_ERROR_MEMORY;
    if (result == NN_ERROR_MEMORY) nn__fail_memory(nn, "nn_make_plan", sizeof(nn__value));
    plan->update = nn__plan_update(plan);
    if (result >= 0) result = nn__materialize(&net->graph, site);
    if (result >= 0 && tape) result = nn__materialize(tape, site);
    if (result >= 0) result = nn__plan_allocate(plan);
    if (result >= 0) return plan;
    nn__drop_plan(plan);
    return NULL;
}

NN_PRIVATE nn_result nn__check_model(nn_model *net, nn_on_unsupported on_unsupported, nn_site site) {
    nn_plan_desc desc;
    nn__faults faults;
    memset(&desc, 0, sizeof desc);
    memset(&faults, 0, sizeof faults);
    desc.on_unsupported = on_unsupported;
    nn_plan *plan = nn__plan_new(net, NULL, &desc, false, site);
    if (!plan) return NN_ERROR_MEMORY;
    faults.arena = &plan->arena;
    nn_result result = NN_OK;
    if (!nn__plan_collect(plan, true) || !nn__plan_args(plan))
        result = nn__fail_memory(net->nn, "nn_make_plan", sizeof(nn__value));
    else
        nn__place(plan, &faults);
    if (result >= 0 && (net->faults.count || faults.count))
        result = nn__fail_faults(net->nn, net->name, &net->faults, &faults);
    nn__drop_plan(plan);
    return result;
}

NN_API nn_plan *nn_make_plan_at(nn_site site, nn_model *net, const nn_plan_desc *desc) {
    nn_node *targets[NN__COUNT(((nn_plan_desc *)0)->outputs)];
    int count = 0;
    if (!net) return NULL;
    while (desc && count < NN__COUNT(targets) && desc->outputs[count]) {
        targets[count] = desc->outputs[count];
        count++;
    }
    if (count == 0) {
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_plan: no outputs; name at least one: .outputs = { logits }");
        return NULL;
    }
    if (desc->batch < 0) {
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_plan: batch is %d; wanted 1 or more, or 0 for 1", desc->batch);
        return NULL;
    }
    if (desc->time < 0) {
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_plan: time is %d; wanted 1 or more, or 0 for 1", desc->time);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        if (targets[i]->graph->model == net) continue;
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_plan: output \"%s\" belongs to the model \"%s\", not to \"%s\"",
                    targets[i]->name, targets[i]->graph->model->name, net->name);
        return NULL;
    }
    return nn__make_plan(net, NULL, targets, count, desc, false, NULL, site);
}

/* The contents of `fresh` become those of `plan`, whose handle stays. Cannot fail. */
NN_PRIVATE void nn__replace_plan(nn_plan *plan, nn_plan *fresh) {
    nn__run_leave(plan);
    nn_plan old = *plan;
    nn__owned links = fresh->owned;
    *plan = *fresh;
    plan->owned = old.owned;
    plan->also = old.also;
    plan->fault = old.fault;
    plan->time = old.time;
    *fresh = old;
    fresh->owned = links;
    nn__disown(&fresh->owned);
    nn__plan_destroy(&fresh->owned);
}

NN_API nn_result nn_replan_at(nn_site site, nn_plan *plan) {
    if (!plan) return NN_ERROR_ARGUMENT;
    if (plan->tape)
        return nn__fail_at(
            plan->nn, site, NN_ERROR_ARGUMENT,
            "nn_replan: this plan belongs to a trainer; nn_move_trainer(trainer, device) remakes it");
    nn_result result = nn_finish(plan->nn); /* first: afterwards nothing may fail */
    if (result < 0) return result;
    nn_plan *fresh = nn__make_plan(plan->net, plan->tape, plan->targets, plan->target_count, &plan->desc,
                                   plan->training, NULL, site);
    if (!fresh) return plan->nn->last_code;
    fresh->run = plan->run;
    fresh->run.batch = plan->desc.batch;
    fresh->run.time = plan->desc.time;
    nn__replace_plan(plan, fresh);
    return NN_OK;
}

NN_PRIVATE nn_result nn__check_plan(nn_plan *plan, nn_site site, const char *who) {
    char made[96], moved[96];
    if (!plan) return NN_ERROR_ARGUMENT;
    if (plan->generation == plan->net->generation) return NN_OK;
    return nn__fail_at(plan->nn, site, NN_ERROR_STALE,
                       "%s: the plan of \"%s\" at %s was made before %s at %s: call nn_replan(plan)", who,
                       plan->net->name, nn__format_site(plan->site, made, sizeof made), plan->net->mover,
                       nn__format_site(plan->net->moved, moved, sizeof moved));
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static uint64_t nn__plan_leaf_bytes(const nn__graph *graph, nn_device device, nn__node_kind kind) {
    uint64_t sum = 0, bytes;
    for (const nn_node *node = graph ? graph->first : NULL; node; node = node->next)
        if (node->kind == kind && nn_same_device(node->device, device) &&
            nn__shape_bytes(node->shape, node->dtype, 1, 1, &bytes))
            sum += nn__padded(bytes);
    return sum;
}

/* Of its own blocks; arena: only what is for activations. */
static uint64_t nn__plan_block_bytes(const nn__plan_device *device, bool arena) {
    uint64_t sum = 0;
    for (const nn__piece *block = device->blocks; nn__is_piece(block); block++)
        sum += arena ? block->arena : block->bytes;
    return sum;
}

static uint64_t nn__plan_front_bytes(const nn_plan *plan, const nn__plan_device *device) {
    uint64_t sum = 0;
    for (int i = 0; i < plan->value_count; i++)
        if (nn__in_front(&plan->values[i]) && nn_same_device(plan->values[i].node->device, device->device))
            sum += plan->values[i].bytes;
    return sum;
}

NN_API uint64_t nn_plan_bytes(const nn_plan *plan, nn_device device, nn_memory_category category) {
    if (!plan) return 0;
    int i = nn__find_plan_device(plan, nn__resolve_device(plan->nn, device));
    const nn__plan_device *on = i < 0 ? NULL : &plan->devices[i];
    if (!on) return 0;
    switch (category) {
    case NN_MEMORY_PARAMETERS: return nn__plan_leaf_bytes(&plan->net->graph, on->device, NN__PARAMETER);
    case NN_MEMORY_CONSTANTS: return nn__plan_leaf_bytes(&plan->net->graph, on->device, NN__CONSTANT);
    case NN_MEMORY_STATE: return nn__plan_leaf_bytes(plan->tape, on->device, NN__STATE);
    case NN_MEMORY_INPUTS: return nn__plan_front_bytes(plan, on);
    case NN_MEMORY_ACTIVATIONS: return nn__plan_block_bytes(on, true);
    case NN_MEMORY_SCRATCH:
        return nn__plan_block_bytes(on, false) - nn__plan_block_bytes(on, true) -
               nn__plan_front_bytes(plan, on);
    default: return 0;
    }
}

NN_API uint64_t nn_plan_allocated(const nn_plan *plan, nn_device device) {
    int i = plan ? nn__find_plan_device(plan, nn__resolve_device(plan->nn, device)) : -1;
    return i < 0 ? 0 : nn__plan_block_bytes(&plan->devices[i], false);
}

NN_API uint64_t nn_plan_lower_bound(const nn_plan *plan, nn_device device) {
    int i = plan ? nn__find_plan_device(plan, nn__resolve_device(plan->nn, device)) : -1;
    return i < 0 ? 0 : plan->devices[i].lower_bound;
}

NN_API int32_t nn_plan_batch(const nn_plan *plan) { return plan ? plan->run.batch : 0; }

NN_API int32_t nn_plan_time(const nn_plan *plan) { return plan ? plan->run.time : 0; }

NN_API nn_slice_use nn_plan_slices(const nn_plan *plan) {
    nn_slice_use none;
    memset(&none, 0, sizeof none);
    return plan ? plan->slices : none;
}
