/* plan/plan.c - makes a plan (placement, layout, memory), makes it anew after a move, and frees
   it. */
#include "ops/program.h"
#include "ops/quantizer.h"
#include "plan/private.h"

/* The compiler turns the switch below into a table. In units of 16 bytes each kernel takes one
   byte. */
typedef char nn__plan_args_fit[sizeof(nn__args) <= 255 * 16 ? 1 : -1];

static unsigned char nn__plan_args_units(nn_kernel kernel) {
#define NN__X(number, upper, lower, args, family)                                                  \
    case NN_KERNEL_##upper: return (sizeof(args) + 15) / 16;
    switch (kernel) {
        NN_KERNELS(NN__X)
    default: return 0;
    }
#undef NN__X
}

NN_PRIVATE size_t nn__args_bytes(nn_kernel kernel) {
    return (size_t)16 * nn__plan_args_units(kernel);
}

NN_PRIVATE size_t nn__node_args_bytes(const nn_node *node) {
#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
    if (nn__is_program(node)) { /* only the program's own inputs: most have one or two of 8 */
        const nn__program_params *params = (const nn__program_params *)node->params;
        return offsetof(nn_program_args, inputs) + sizeof(nn_view) * params->program.input_count;
    }
#endif
    return nn__args_bytes(node->rule->kernel);
}

/* Allocates the arguments of each step. False: no memory. */
static bool nn__plan_args(nn_plan *plan) {
    for (int i = 0; i < plan->step_count; i++) {
        const nn_node *node = plan->steps[i].node;
        size_t bytes = nn__node_args_bytes(node);
        if (node->rule->kernel == NN_KERNEL_STRIDED_COPY)
            bytes += sizeof(nn_copy_piece) * (size_t)nn__piece_room(node);
        plan->steps[i].args = bytes ? (nn__args *)nn__arena_take(&plan->arena, bytes) : NULL;
        if (bytes && !plan->steps[i].args) return false;
    }
    return true;
}

NN_PRIVATE int nn__find_plan_device(const nn_plan *plan, nn_device device) {
    for (int i = 0; i < nn__plan_devices(plan); i++)
        if (nn_same_device(plan->devices[i].device, device)) return i;
    return -1;
}

NN_PRIVATE int nn__find_value(const nn_plan *plan, const nn_node *node) {
#ifndef NN_NO_REPORTS
    const int last =
        node->value; /* an index in the newest plan that has the node, which is usually this one */
    if (last >= 0 && last < plan->value_count && plan->values[last].node == node) return last;
#endif
    for (int i = 0; i < plan->value_count; i++)
        if (plan->values[i].node == node) return i;
    return -1;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void nn__plan_release(nn__owned *owned) {
    nn_plan *plan = (nn_plan *)(void *)owned;
    nn__release(&plan->nn->memory, plan, sizeof *plan);
}

#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__plan_ends(nn_plan *plan, const char *with, nn_site site) {
    plan->gone = with;
    plan->site = site;
}

/* Turns a plan without resources into a shell that can explain its end. False: no shell is needed,
   and the struct is freed. */
static bool nn__plan_leave_shell(nn_plan *plan) {
    nn_context *nn = plan->nn;
    nn_model *net = plan->net;
    if (!plan->tape && net->gone) nn__plan_ends(plan, "model", net->site);
    if (!plan->gone) return false;
    const char *gone = plan->gone;
    const nn_site site = plan->site;
    memset(plan, 0, sizeof *plan);
    plan->nn = nn;
    plan->net = net; /* a model that is alive, or a shell that outlives this one */
    plan->gone = gone;
    plan->site = site;
    return nn__keep_shell(nn, &plan->owned, nn__plan_release);
}

NN_PRIVATE bool nn__say_plan_gone(const nn_plan *plan, nn_site site, const char *who) {
    char where[96];
    nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                "%s: the plan of \"%s\" was freed with its %s at %s; nn_free_%s frees plans too",
                who, plan->net->name, plan->gone, nn__format_site(plan->site, where, sizeof where),
                plan->gone);
    return true;
}
#endif

NN_PRIVATE void nn__plan_destroy(nn__owned *owned) {
    nn_plan *plan = (nn_plan *)(void *)owned;
    nn_context *nn = plan->nn;
    nn__run_leave(plan);
#ifndef NN_NO_REPORTS
    if (plan->profiler) plan->profiler->stop(plan);
#endif
    nn__chain_free(plan);
    for (int i = 0; i < nn__plan_devices(plan); i++)
        for (nn__piece *block = plan->devices[i].blocks; nn__is_piece(block); block++)
            nn__device_release(nn, plan->devices[i].device, block->handle, block->bytes);
    for (int i = 0; i < plan->value_count && !nn__is_closing(nn); i++)
        nn__unuse_tensor(plan->values[i].bound);
#ifndef NN__ONE_PIECE
    nn__release(&nn->memory, plan->staging, plan->staging_bytes);
#endif
    nn__arena_free(&plan->arena);
#ifndef NN_NO_REPORTS
    if (nn__plan_leave_shell(plan)) return;
#endif
    nn__plan_release(owned);
}

NN_PRIVATE void nn__drop_plan(nn_plan *plan) {
    if (!plan) return;
    nn_finish(plan->nn);
    nn__disown(&plan->owned);
    nn__plan_destroy(&plan->owned);
}

static void nn__inside_free_plan(nn_plan *plan) {
    if (nn__plan_gone(plan, nn__no_site(), "nn_free_plan")) return;
    if (plan->tape)
        nn__fail(plan->nn, NN_ERROR_ARGUMENT,
                 "nn_free_plan: this plan of \"%s\" belongs to a trainer; nn_free_trainer frees "
                 "both; nothing was "
                 "freed",
                 plan->net->name);
#ifndef NN_NO_REPORTS
    else if (plan->guard)
        nn__fail(plan->nn, NN_ERROR_ARGUMENT,
                 "nn_free_plan: this plan of \"%s\" is part of something else; %s frees both; "
                 "nothing was freed",
                 plan->net->name, plan->guard);
#endif
    else
        nn__drop_plan(plan);
}

NN_API void nn_guard_plan(nn_plan *plan, const char *by) {
#ifndef NN_NO_REPORTS
    if (plan && !plan->gone) plan->guard = by;
#else
    (void)plan, (void)by;
#endif
}

NN_API void nn_free_plan(nn_plan *plan) {
    nn_context *nn = plan ? plan->nn : NULL;
    if (!nn__enter(nn, "nn_free_plan", nn_make_site(NULL, 0))) return;
    nn__inside_free_plan(plan);
    nn__leave(nn, NN_OK);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__unbind_tensor(const nn_tensor *tensor) {
    const nn__owned *models = &tensor->nn->owned;
    for (const nn__owned *m = models->next; m && m != models; m = m->next) {
        const nn__owned *plans = m->destroy == nn__model_destroy
                                     ? &((const nn_model *)(const void *)m)->dependents
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
                nn__forget_direct(plan);
            }
        }
    }
}
#endif

static nn_result nn__plan_allocate(nn_plan *plan) {
    nn_context *nn = plan->nn;
#ifndef NN__ONE_PIECE
    for (int i = 0; i < plan->step_count; i++) {
        const nn_node *node = plan->steps[i].node;
        if ((node->rule->flags & NN__TRANSFER) && !nn__step_via(&plan->steps[i]) &&
            !nn_same_device(node->device, node->inputs[0]->device))
            plan->staging_bytes = (size_t)1 << 18; /* detours need none: they end in host memory */
    }
    if (plan->staging_bytes && !(plan->staging = nn__allocate(&nn->memory, plan->staging_bytes)))
        return nn__fail_memory(nn, "nn_make_plan: staging for transfers", plan->staging_bytes);
#endif
    for (int i = 0; i < nn__plan_devices(plan); i++) {
        nn__plan_device *device = &plan->devices[i];
        const nn__open_device *open = nn__find_device(nn, device->device);
        for (nn__piece *block = device->blocks; block->bytes; block++) {
            nn_result result =
                nn__device_alloc(nn, device->device, block->bytes,
                                 "the plan's inputs, activations and scratch", &block->handle);
            if (result < 0) return result;
#ifndef NN__ONE_PIECE
            if (nn__gives_zeros(nn, open)) continue;
#endif
            result = open->backend->fill(open->state, block->handle, 0, block->bytes, 0);
            if (result < 0)
                return nn__fail(nn, result, "nn_make_plan: %s could not fill its memory",
                                open->limits.name);
        }
    }
    return NN_OK;
}

/* ---- making ---------------------------------------------------------------------------------- */

static nn_plan *nn__plan_new(nn_model *net, nn__graph *tape, const nn_plan_desc *desc,
                             nn__plan_kind kind, nn_site site) {
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
    if (plan->desc.precision == NN_PRECISION_DEFAULT) plan->desc.precision = nn->desc.precision;
    plan->arena.memory = &nn->memory;
    plan->kind = kind;
    plan->training = kind != NN__PLAN_RUN;
    plan->generation = net->generation;
    plan->run.batch = plan->desc.batch;
    plan->run.time = plan->desc.time;
    plan->run.seed = net->seed;
    plan->run.training = plan->training;
    plan->run.step = 1;
    nn__own(&net->dependents, &plan->owned, nn__plan_destroy);
    return plan;
}

/* Adds a fault if a value is larger than its device's largest allocation, since no value spans
   two. */
static void nn__plan_piece(nn_plan *plan, nn__faults *faults, const nn_node *node, uint64_t bytes) {
    char at[NN__EXTENTS_TEXT];
    bool gradient = node->graph != &plan->net->graph; /* as large as the value it belongs to */
    if (bytes <= nn__largest_piece(plan->nn, node->device) || (gradient && faults->count)) return;
    nn__fault *fault = nn__add_node_fault(faults, NN__FAULT_ARGUMENT, node);
    nn__fault_operand(fault, "tensor", node, true);
    nn__fault_cause(faults, fault,
                    NN__TEXT("%llu bytes at %s; the largest allocation there is %llu"),
                    (unsigned long long)bytes,
                    nn__format_extents(plan, plan->desc.batch, plan->desc.time, at, sizeof at),
                    (unsigned long long)nn__largest_piece(plan->nn, node->device));
    nn__fault_fix(faults, fault, NN__TEXT("a smaller .batch, smaller layers, or another device"));
}

/* Checks sizes at the largest batch. Adds a fault for the first value whose bytes or extents
   overflow. */
static void nn__plan_sizes(nn_plan *plan, nn__faults *faults) {
    for (int i = 0; i < plan->value_count; i++) {
        nn_node *node = plan->values[i].node;
        char at[NN__EXTENTS_TEXT];
        const size_t bytes = nn__node_bytes(node, plan->desc.batch, plan->desc.time);
        if (bytes) {
            if (plan->values[i].place != NN__PLACE_ALIAS) nn__plan_piece(plan, faults, node, bytes);
            continue;
        }
        if (faults->count) continue;
        nn__fault *fault = nn__add_node_fault(faults, NN__FAULT_SHAPE, node);
        nn__fault_operand(fault, "result", node, false);
        if (nn__node_bytes(node, 1, 1)) {
            nn__fault_cause(
                faults, fault, NN__TEXT("%s makes it larger than a number can count"),
                nn__format_extents(plan, plan->desc.batch, plan->desc.time, at, sizeof at));
            nn__fault_fix(faults, fault, NN__TEXT("a smaller .batch"));
        } else {
            nn__fault_cause(faults, fault, NN__TEXT("it has more bytes than a number can count"));
            nn__fault_fix(faults, fault, NN__TEXT("smaller extents of its operands"));
        }
    }
}

/* Collects all faults, into the model's faults and `faults`. False: no memory. */
static bool nn__plan_check(nn_plan *plan, nn__faults *faults) {
    bool whole = plan->net->faults.count > 0;
    for (int i = 0; i < plan->target_count; i++) whole = whole || plan->targets[i]->poisoned;
    if (whole) plan->target_count = 0;
    if (!nn__plan_collect(plan, whole)) return false;
    if (!whole && !nn__plan_rewrite(plan, NN__FUSION_NORM)) return false;
    nn__plan_fuse(plan);
    if (!whole && !nn__plan_rewrite(plan, NN__FUSION_POOL)) return false;
    if (!whole && !nn__plan_rewrite(plan, NN__FUSION_SEPARABLE)) return false;
    if (!whole && !nn__plan_rewrite(plan, NN__FUSION_PRELU)) return false;
    if (!whole && !nn__plan_rewrite(plan, NN__FUSION_RECURRENT)) return false;
#ifndef NN_NO_TRAINING
    if (!whole && plan->tape && plan->tape->launches && !plan->tape->launches(plan)) return false;
#endif
    if (!whole && (!nn__plan_join(plan) || !nn__plan_halves(plan))) return false;
    if (!whole && !nn__plan_rewrite(plan, NN__FUSION_ATTENTION)) return false;
    if (!whole && !nn__plan_rewrite(plan, NN__FUSION_RESIDUAL)) return false;
    if (!nn__plan_args(plan)) return false;
    nn__plan_refuse_caches(plan, faults);
    nn__plan_refuse_states(plan, faults);
    nn__plan_sizes(plan, faults);
    if (faults->count == 0) nn__place(plan, faults);
    return faults->count > 0 || nn__plan_detours(plan);
}

/* Adds the faults of features that only some models use. */
static void nn__plan_check_model(const nn_model *net, nn__faults *faults) {
#ifndef NN_NO_MIXED_PRECISION
    if (net->quantizer) net->quantizer->check(net, faults);
    if (net->autocasts) net->autocasts->check(net, faults);
#endif
#ifndef NN_NO_TRAINING
    if (net->adapters) net->adapters->check(net, faults);
#endif
    (void)net, (void)faults;
}

static int nn__plan_update(const nn_plan *plan) {
    for (int s = 0; s < plan->step_count; s++) {
        const nn_node *node = plan->steps[s].node;
        for (int i = 0; nn__has_effect(node) && i < node->input_count; i++)
            if (node->inputs[i]->kind == NN__PARAMETER || node->inputs[i]->kind == NN__BUFFER)
                return s;
    }
    return plan->step_count;
}

NN_PRIVATE nn_plan *nn__make_plan(nn_model *net, nn__graph *tape, nn_node *const *targets,
                                  int target_count, const nn_plan_desc *desc,
                                  nn__plan_kind kind, const nn_plan *lender, nn_site site) {
    nn_context *nn = net->nn;
    nn__faults faults;
    nn_plan *plan = nn__plan_new(net, tape, desc, kind, site);
    if (!plan) return NULL;
    memset(&faults, 0, sizeof faults);
    faults.arena = &plan->arena;
    plan->targets =
        (nn_node **)nn__arena_take(&plan->arena, sizeof(nn_node *) * (size_t)(target_count + 1));
    nn_result result = plan->targets ? NN_OK : NN_ERROR_MEMORY;
    for (int i = 0; result >= 0 && i < target_count; i++) plan->targets[i] = targets[i];
    plan->target_count = target_count;
    if (result >= 0 && !nn__plan_check(plan, &faults)) result = NN_ERROR_MEMORY;
    nn__plan_check_model(net, &faults);
    if (result >= 0 && (net->faults.count || faults.count))
        result = nn__fail_faults(nn, net->name, &net->faults, &faults);
    if (result >= 0 && (!nn__plan_chain(plan) || !nn__layout(plan, lender)))
        result = NN_ERROR_MEMORY;
    if (result == NN_ERROR_MEMORY) nn__fail_memory(nn, "nn_make_plan", sizeof(nn__value));
    if (result >= 0) result = nn__plan_require(plan);
    if (result >= 0) { /* after a failure the plan may be incomplete */
        nn__list_asked(plan);
        plan->update = nn__plan_update(plan);
        if (nn__plan_is_dry(plan)) return plan;
    }
    if (result >= 0) result = nn__materialize(&net->graph, site);
    if (result >= 0 && tape) result = nn__materialize(tape, site);
    if (result >= 0) result = nn__plan_allocate(plan);
    if (result >= 0) return plan;
    nn__drop_plan(plan);
    return NULL;
}

NN_PRIVATE nn_result nn__check_model(nn_model *net, nn_on_unsupported on_unsupported,
                                     nn_site site) {
    nn_plan_desc desc;
    nn__faults faults;
    memset(&desc, 0, sizeof desc);
    memset(&faults, 0, sizeof faults);
    desc.on_unsupported = on_unsupported;
    nn_plan *plan = nn__plan_new(net, NULL, &desc, NN__PLAN_RUN, site);
    if (!plan) return NN_ERROR_MEMORY;
    faults.arena = &plan->arena;
    nn_result result = NN_OK;
    if (!nn__plan_collect(plan, true) || !nn__plan_args(plan))
        result = nn__fail_memory(net->nn, "nn_make_plan", sizeof(nn__value));
    else
        nn__place(plan, &faults);
    nn__plan_check_model(net, &faults);
    if (result >= 0 && (net->faults.count || faults.count))
        result = nn__fail_faults(net->nn, net->name, &net->faults, &faults);
    nn__drop_plan(plan);
    return result;
}

static nn_plan *nn__inside_make_plan(nn_site site, nn_model *net, const nn_plan_desc *desc) {
    nn_node *const *targets;
    if (nn__model_gone(net, site, "nn_make_plan")) return NULL;
    if (!desc || desc->outputs.count == 0) {
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_plan: no outputs; name at least one: .outputs = NN_NODES(logits)");
        return NULL;
    }
    targets = desc->outputs.node;
    if (!nn__check_list(net->nn, site, "nn_make_plan", "outputs", targets, desc->outputs.count,
                        true) ||
        !nn__check_precision(net->nn, site, "nn_make_plan", desc->precision))
        return NULL;
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
    for (int i = 0; i < desc->outputs.count; i++) {
        if (targets[i]->graph->model == net) continue;
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_plan: output \"%s\" belongs to the model \"%s\", not to \"%s\"",
                    targets[i]->name, targets[i]->graph->model->name, net->name);
        return NULL;
    }
    return nn__make_plan(net, NULL, targets, desc->outputs.count, desc, NN__PLAN_RUN, NULL, site);
}

NN_API nn_plan *nn_make_plan_at(nn_site site, nn_model *net, const nn_plan_desc *desc) {
    nn_context *nn = net ? net->nn : NULL;
    if (!nn__enter(nn, "nn_make_plan", site)) return NULL;
    nn_plan *made = nn__inside_make_plan(site, net, desc);
    nn__leave(nn, NN_OK);
    return made;
}

NN_PRIVATE void nn__replace_plan(nn_plan *plan, nn_plan *fresh) {
    nn__run_leave(plan);
    nn_plan old = *plan;
    nn__owned links = fresh->owned;
    *plan = *fresh;
    plan->owned = old.owned;
    plan->also = old.also;
#ifndef NN_NO_TRAINING
    plan->fault = old.fault;
#endif
    plan->time = old.time;
#ifndef NN_NO_REPORTS
    plan->guard = old.guard;
#endif
    *fresh = old;
    fresh->owned = links;
    nn__disown(&fresh->owned);
    nn__plan_destroy(&fresh->owned);
}

static nn_result nn__inside_replan(nn_site site, nn_plan *plan) {
    if (nn__plan_gone(plan, site, "nn_replan")) return NN_ERROR_ARGUMENT;
    if (plan->tape)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                           "nn_replan: this plan belongs to a trainer; nn_move_trainer(trainer, "
                           "device) remakes it");
    nn_result result = nn_finish(plan->nn); /* comes first, because nothing may fail later */
    if (result < 0) return result;
    nn_plan *fresh = nn__make_plan(plan->net, plan->tape, plan->targets, plan->target_count,
                                   &plan->desc, plan->kind, NULL, site);
    if (!fresh) return plan->nn->last_code;
    fresh->run = plan->run;
    fresh->run.batch = plan->desc.batch;
    fresh->run.time = plan->desc.time;
    result = nn__plan_carry_caches(fresh, plan, site);
    if (result < 0) {
        nn__drop_plan(fresh);
        return result;
    }
    nn__replace_plan(plan, fresh);
    return NN_OK;
}

NN_API nn_result nn_replan_at(nn_site site, nn_plan *plan) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_replan", site, nn__inside_replan(site, plan));
}

NN_PRIVATE nn_result nn__refuse_plan(nn_plan *plan, nn_site site, const char *who) {
    char made[96], moved[96];
    if (nn__plan_is_dry(plan))
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the plan of \"%s\" at %s is a dry run and has no memory; make one "
                           "without .dry_run",
                           who, plan->net->name, nn__format_site(plan->site, made, sizeof made));
    return nn__fail_at(
        plan->nn, site, NN_ERROR_STALE,
        "%s: the plan of \"%s\" at %s was made before %s at %s: call nn_replan(plan)", who,
        plan->net->name, nn__format_site(plan->site, made, sizeof made), plan->net->mover,
        nn__format_site(plan->net->moved, moved, sizeof moved));
}
