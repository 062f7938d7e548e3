/* plan/direct.c - nn_run_on: runs a plan on the caller's memory, with everything known beforehand.

   The places in the kernels' arguments that hold an input's or output's address are found once:
   every step is lowered with a number instead of the address of each value, and the numbers are
   looked up in the arguments. A run writes the caller's addresses there and calls the kernels. */
#include "plan/private.h"

#ifndef NN__ONE_PIECE

#define NN__DIRECT_SHIFT 40 /* bits of an offset inside a value */

/* A view in the arguments of a step. which: an input, or after the inputs an output. */
typedef struct nn__direct_slot {
    nn_view *view;
    int which;
    uint64_t offset; /* inside the caller's memory */
} nn__direct_slot;

/* A kernel on its arguments. */
typedef struct nn__direct_call {
    nn_result (*run)(void *state, nn_kernel kernel, const void *args, nn_range range);
    void *state;
    nn_kernel kernel;
    const void *args;
} nn__direct_call;

typedef struct nn__direct {
    nn__direct_slot *slots;
    nn__direct_call *calls;
    int slot_count, slot_room, call_count, inputs, outputs;
    int32_t time;     /* of nn_set_time */
    uint64_t changes; /* nn_context.weight_changes */
    int *which; /* of each value: the slot number of its storage, or -1 */
    bool ready;
} nn__direct;

/* ---- what is refused ------------------------------------------------------------------------- */

/* Returns the node that nn_run_on cannot do, and why. */
static const nn_node *nn__direct_refuses(const nn_plan *plan, const char **why) {
    for (int s = 0; s < plan->step_count; s++) {
        const nn_node *node = plan->steps[s].node;
        *why = NN__TEXT("it copies between devices; nn_run does");
        if (node->rule->flags & NN__TRANSFER) return node;
        *why = NN__TEXT("its device does not compute in the host's memory; nn_run does");
        if (!nn__find_device(plan->nn, node->device)->limits.host_memory) return node;
        *why = NN__TEXT("it may fault, which takes a status word; nn_run reads it");
        if (node->rule->flags & NN__STATUS) return node;
        *why = NN__TEXT("it may read a tensor of nn_borrow; nn_run checks its shape");
        if (plan->borrows) return node;
    }
    for (int i = 0; i < plan->target_count; i++) {
        const nn__value *root = nn__root(plan, plan->targets[i]->value);
        *why = NN__TEXT("no step computes this output; read the input or parameter itself");
        if (root->place != NN__PLACE_ARENA) return plan->targets[i];
        *why = NN__TEXT("this output has the same memory as another one; nn_run allows that");
        for (int k = 0; k < i; k++)
            if (nn__root(plan, plan->targets[k]->value) == root) return plan->targets[i];
    }
    return NULL;
}

static nn_result nn__direct_check(nn_plan *plan, nn_site site) {
    const char *why = "";
    nn_result result = nn__check_plan(plan, site, "nn_run_on");
    if (result < 0) return result;
    if (plan->tape)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                           "nn_run_on: this plan belongs to a trainer; make one with nn_make_plan");
    if (plan->running)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                           "nn_run_on: a run in slices is under way; call nn_run_for until it is "
                           "done");
    for (int i = 0; i < plan->target_count; i++)
        plan->targets[i]->value = nn__find_value(plan, plan->targets[i]);
    const nn_node *node = nn__direct_refuses(plan, &why);
    if (node)
        return nn__fail_at(plan->nn, site, NN_ERROR_UNSUPPORTED, "nn_run_on: %s \"%s\": %s",
                           nn__operation(node), node->name, why);
    result = nn__check_slicing(plan->nn, plan->net->slicing, &plan->slicing, false, site,
                               "nn_run_on");
    if (result >= 0) result = nn__check_untorn(plan->net, site, "nn_run_on");
    for (int i = nn__first_given(plan); result >= 0 && i < plan->value_count;
         i = nn__next_given(plan, i)) {
        nn__value *value = &plan->values[i];
        if (!value->node->remembers || !value->bound || nn__bound_fits(plan, value)) continue;
        result = nn__fail_at(plan->nn, site, NN_ERROR_SHAPE,
                             "nn_run_on: the tensor that is bound to the state \"%s\" does not fit "
                             "a batch of %d",
                             value->node->name, plan->desc.batch);
    }
    return result;
}

/* ---- places of addresses --------------------------------------------------------------------- */

/* Adds a slot if the view stands for memory of the caller. */
static void nn__direct_look(nn_plan *plan, nn__direct *direct, nn_view *view) {
    if (!view->dtype || view->handle != (void *)plan) return;
    const int which = direct->which[view->offset >> NN__DIRECT_SHIFT];
    if (which < 0) return;
    if (direct->slot_count < direct->slot_room) {
        nn__direct_slot *slot = &direct->slots[direct->slot_count];
        slot->view = view;
        slot->which = which;
        slot->offset = view->offset & (((uint64_t)1 << NN__DIRECT_SHIFT) - 1);
    }
    direct->slot_count++;
}

/* Looks at all views of a step's arguments. */
static void nn__direct_views(nn_plan *plan, nn__direct *direct, nn_kernel kernel, void *args) {
#define NN__V(role, field, many)                                                                   \
    for (int i = 0; i < (int)(many); i++) nn__direct_look(plan, direct, &a->field + i);
#define NN__I(role, list, count, field, many)                                                      \
    for (int e = 0; e < (int)a->count; e++)                                                        \
        for (int i = 0; i < (int)(many); i++)                                                      \
            nn__direct_look(plan, direct,                                                          \
                            (nn_view *)(void *)(size_t)(const void *)&a->list[e].field + i);
#define NN__X(number, upper, lower, type, family)                                                  \
    case NN_KERNEL_##upper: {                                                                      \
        type *a = (type *)args;                                                                    \
        (void)a;                                                                                   \
        NN_##upper##_VIEWS(NN__V, NN__I) break;                                                    \
    }
    switch (kernel) {
        NN_KERNELS(NN__X)
    default: break;
    }
#undef NN__X
#undef NN__I
#undef NN__V
}

/* Lowers every step with the number of each value's storage instead of its address, and counts or
   stores the slots. */
static void nn__direct_find(nn_plan *plan, nn__direct *direct) {
    nn__resolve_views(plan);
    for (int i = 0; i < plan->value_count; i++) {
        const uint64_t root = (uint64_t)(nn__root(plan, i) - plan->values);
        plan->values[i].view.handle = plan;
        plan->values[i].view.offset = root << NN__DIRECT_SHIFT;
    }
    direct->slot_count = 0;
    for (int s = 0; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        if (!step->args) continue;
        nn__lower_step(plan, step);
        nn__direct_views(plan, direct, step->node->rule->kernel, step->args);
    }
}

/* Numbers the storage of inputs and outputs. */
static void nn__direct_number(nn_plan *plan, nn__direct *direct) {
    int inputs = 0;
    for (int i = 0; i < plan->value_count; i++) {
        const nn__value *value = &plan->values[i];
        direct->which[i] =
            value->place == NN__PLACE_INPUT && !value->node->remembers ? inputs++ : -1;
    }
    direct->inputs = inputs;
    direct->outputs = plan->target_count;
    for (int i = 0; i < plan->target_count; i++)
        direct->which[nn__root(plan, plan->targets[i]->value) - plan->values] = inputs + i;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Runs a step that prepares its weights, or that reads only weights. */
static nn_result nn__direct_keep(nn_plan *plan, nn__step *step) {
#ifndef NN_NO_SPEEDUPS
    const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
    nn_range all;
    all.first = 0;
    all.count = -1;
    while (nn__weight_cache_turn(step)) {
        const nn_result result =
            nn__call_kernel(open, step->node->rule->kernel, step->args, all);
        if (result < 0) return result;
        step->ready = true;
    }
    if (!step->steady || step->ready) return NN_OK;
    step->ready = true;
    return nn__call_kernel(open, step->node->rule->kernel, step->args, all);
#else
    (void)plan, (void)step;
    return NN_OK;
#endif
}

static void nn__direct_calls(nn_plan *plan, nn__direct *direct) {
    direct->call_count = 0;
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
        nn__direct_call *call = &direct->calls[direct->call_count];
        if (!step->args || nn__weight_cache_skips(step)) continue;
        call->kernel = step->node->rule->kernel;
        if (call->kernel == NN_KERNEL_NONE) continue;
        call->run = open->backend->kernels[call->kernel];
        call->state = open->state;
        call->args = step->args;
        direct->call_count++;
    }
}

/* ---- preparing ------------------------------------------------------------------------------- */

/* Allocates the struct and its lists, which stay with the plan. The views of a step are the same at
   every time. */
static nn__direct *nn__direct_new(nn_plan *plan) {
    nn__direct *direct = (nn__direct *)nn__arena_take(&plan->arena, sizeof *direct);
    if (!direct) return NULL;
    direct->which = (int *)nn__arena_take(&plan->arena, sizeof(int) * (size_t)plan->value_count);
    if (!direct->which) return NULL;
    nn__direct_number(plan, direct);
    nn__direct_find(plan, direct);
    direct->slot_room = direct->slot_count;
    direct->slots = (nn__direct_slot *)nn__arena_take(
        &plan->arena, sizeof(nn__direct_slot) * (size_t)nn__maxi(direct->slot_room, 1));
    direct->calls = (nn__direct_call *)nn__arena_take(
        &plan->arena, sizeof(nn__direct_call) * (size_t)(plan->step_count + 1));
    return direct->slots && direct->calls ? direct : NULL;
}

static nn_result nn__direct_prepare(nn_plan *plan, nn_site site) {
    nn_result result = nn__direct_check(plan, site);
    if (result < 0) return result;
    plan->lowered = false;
    plan->run.batch = plan->desc.batch;
    plan->run.time = plan->time ? plan->time : plan->desc.time;
    if (!plan->direct && !(plan->direct = nn__direct_new(plan)))
        return nn__fail_memory(plan->nn, "nn_run_on", sizeof(nn__direct));
    nn__direct *direct = plan->direct;
    direct->ready = false;
    nn__direct_find(plan, direct);
    result = nn__lower_plan(plan);
    plan->lowered = false; /* other runs lower the arguments again */
    for (int s = 0; s < direct->slot_count; s++)
        direct->slots[s].view->offset = direct->slots[s].offset;
    nn__weight_cache_begin(plan);
    for (int s = 0; result >= 0 && s < plan->step_count; s++)
        if (plan->steps[s].args) result = nn__direct_keep(plan, &plan->steps[s]);
    if (result < 0) return result;
    nn__direct_calls(plan, direct);
#ifndef NN_NO_SPEEDUPS
    plan->cached_whole = plan->keeps;
#endif
#ifndef NN__LEAN
    direct->changes = plan->nn->weight_changes;
#endif
    direct->time = plan->time;
    plan->ran = plan->undirected = false;
    direct->ready = true;
    return NN_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

/* True if nothing that was prepared has changed. */
static inline bool nn__direct_holds(const nn_plan *plan, const nn__direct *direct) {
    return direct && direct->ready && !plan->lowered && !plan->undirected && !plan->running &&
           plan->generation == plan->net->generation && direct->time == plan->time &&
#ifndef NN__LEAN
           direct->changes == plan->nn->weight_changes &&
#endif
           !plan->nn->mapped && !plan->net->slicing;
}

static nn_result nn__direct_null(const nn_plan *plan, const nn__direct *direct, int which,
                                 nn_site site) {
    const bool input = which < direct->inputs;
    return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                       "nn_run_on: %s %d is NULL; this plan has %d inputs and %d outputs",
                       input ? "input" : "output", input ? which : which - direct->inputs,
                       direct->inputs, direct->outputs);
}

static nn_result nn__direct_go(nn_plan *plan, const void *const *inputs, void *const *outputs,
                               nn_site site) {
    const nn__direct *direct = plan->direct;
    const nn_range all = {0, -1};
    for (int i = 0; i < direct->inputs; i++)
        if (!inputs || !inputs[i]) return nn__direct_null(plan, direct, i, site);
    for (int i = 0; i < direct->outputs; i++)
        if (!outputs || !outputs[i]) return nn__direct_null(plan, direct, direct->inputs + i, site);
    for (int s = 0; s < direct->slot_count; s++) {
        const nn__direct_slot *slot = &direct->slots[s];
        slot->view->handle = slot->which < direct->inputs
                                 ? (void *)(size_t)inputs[slot->which]
                                 : outputs[slot->which - direct->inputs];
    }
    for (int c = 0; c < direct->call_count; c++) {
        const nn__direct_call *call = &direct->calls[c];
        const nn_result result = call->run(call->state, call->kernel, call->args, all);
        if (result < 0)
            return nn__fail_at(plan->nn, site, result, "nn_run_on: %s failed: %s",
                               nn_kernel_name(call->kernel), nn_result_text(result));
    }
    return NN_OK;
}

NN_API nn_result nn_run_on_at(nn_site site, nn_plan *plan, const void *const *inputs,
                              void *const *outputs) {
    if (!plan || nn__plan_gone(plan, site, "nn_run_on")) return NN_ERROR_ARGUMENT;
    if (!nn__direct_holds(plan, plan->direct)) {
        const nn_result result =
            NN__ALONE(plan->nn, "nn_run_on", site, nn__direct_prepare(plan, site));
        if (result < 0) return result;
    }
    return nn__direct_go(plan, inputs, outputs, site);
}
#undef NN__DIRECT_SHIFT

#endif

typedef int nn__plan_direct_part; /* a part must not be empty in the smallest programs */
