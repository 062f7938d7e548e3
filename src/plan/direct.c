/* plan/direct.c - nn_run_on: runs a plan on the caller's memory, with everything known beforehand.

   The places in the kernels' arguments that hold an input's or output's address are found once:
   every step is lowered with a number instead of the address of each value, and the numbers are
   looked up in the arguments. A run writes the caller's addresses there and calls the kernels. */
#include "plan/passes.h"

#include "device/direct.h"

#ifndef NN__ONE_PIECE

#define NN__DIRECT_SHIFT 40 /* bits of an offset inside a value */

/* A view in the arguments of a step. which: the number of an input, or the number of inputs plus
   that of an output. */
typedef struct nn__direct_slot {
    nn_view *view;
    int which;
    uint64_t offset; /* inside the caller's memory */
} nn__direct_slot;

/* The call of a step: a kernel and its arguments, or the parts of a prepared kernel. */
typedef struct nn__direct_call {
    nn_result (*run)(void *state, nn_kernel kernel, const void *args, nn_range range);
    void *state;
    nn_kernel kernel;
    const void *args;
    void *memory; /* of `bytes` bytes, for weights in another order */
    size_t bytes;
    int parts; /* 0: none are prepared */
    nn__prepared part[NN__PREPARED_MOST];
} nn__direct_call;

typedef struct nn__direct {
    nn__direct_slot *slots;
    nn__direct_call *calls;
    int slot_count, slot_room, call_count, inputs, outputs;
    int32_t time;     /* of nn_set_time */
    uint64_t changes; /* nn_context.weight_changes */
    int *which; /* of each value: the slot number of its storage, or -1 */
    bool ready;
    int busy; /* 1 during a run of nn_run_on */
} nn__direct;

/* ---- what is refused ------------------------------------------------------------------------- */

/* Returns a node that nn_run_on cannot run, and why. NULL: there is none. */
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

/* Lets a recurrent layer write its state where it has read it, instead of in a copy at the end of
   the run. Nothing else reads the state, and no step can fault. Returns true if step s was that
   copy. */
static bool nn__direct_in_place(nn_plan *plan, int s) {
    const nn_view *to, *from;
    nn__step *copy = &plan->steps[s];
    if (!nn__continues(copy->node) || copy->node->input_count != 2 ||
        !plan->nn->preparing->copies(copy->node->rule->kernel, copy->args, &to, &from))
        return false;
    for (int i = 0; i < s; i++) {
        nn__step *step = &plan->steps[i];
        if (!step->args || step->node->rule->kernel != NN_KERNEL_RECURRENT_WHOLE ||
            step->more[0] != copy->inputs[1] || plan->values[step->more[0]].uses != 1 ||
            plan->values[step->more[0]].kept)
            continue;
        nn_recurrent_whole_args *args = &step->args->recurrent_whole;
        if (args->h0.handle != to->handle || args->h0.offset != to->offset ||
            nn__bytes(&args->h0) != nn__bytes(&args->state))
            return false;
        for (int k = 0; k < plan->step_count; k++)
            for (int e = 0; e < plan->steps[k].node->input_count; e++)
                if (k != i && k != s && nn__root(plan, plan->steps[k].inputs[e]) ==
                                            nn__root(plan, copy->inputs[0]))
                    return false;
        args->state = args->h0;
        return true;
    }
    return false;
}

/* Prepares the call of a step. Weights are kept in another order only if nothing but the library
   changes them. */
static void nn__direct_prepare_call(nn_plan *plan, const nn__step *step, nn__direct_call *call) {
    bool trusts = true;
#ifndef NN_NO_SPEEDUPS
    for (int i = 1; i < step->node->input_count; i++)
        trusts = trusts && (plan->values[step->inputs[i]].node->remembers ||
                            nn__weight_cache_trusts(plan, step->inputs[i]));
#else
    trusts = false;
#endif
    const size_t bytes =
        trusts ? plan->nn->preparing->bytes(plan->nn, call->kernel, call->args) : 0;
    call->parts = 0;
    if (!call->state || plan->devices[step->device].device.kind != NN_CPU) return;
    if (bytes > call->bytes) {
        call->memory = nn__arena_take(&plan->arena, bytes);
        call->bytes = call->memory ? bytes : 0;
    }
    call->parts = plan->nn->preparing->call(
        plan->nn, call->kernel, call->args, bytes && call->bytes >= bytes ? call->memory : NULL,
        call->part);
}

static void nn__direct_calls(nn_plan *plan, nn__direct *direct) {
    direct->call_count = 0;
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
        nn__direct_call *call = &direct->calls[direct->call_count];
        if (!step->args || nn__weight_cache_skips(step) || nn__direct_in_place(plan, s)) continue;
        call->kernel = step->node->rule->kernel;
        if (call->kernel == NN_KERNEL_NONE) continue;
        call->run = open->backend->kernels[call->kernel];
        call->state = open->state;
        call->args = step->args;
        nn__direct_prepare_call(plan, step, call);
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
    nn__install_prepared(plan->nn);
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
    direct->ready = true;
#ifndef NN_NO_SPEEDUPS
    plan->cached_whole = plan->keeps;
    /* The program may change a weight whose address it has: then every run packs it again. */
    for (int i = 0; i < plan->value_count; i++)
        if (plan->values[i].watched && !nn__weight_cache_trusts(plan, i)) direct->ready = false;
#endif
#ifndef NN__LEAN
    direct->changes = plan->nn->weight_changes;
#endif
    direct->time = plan->time;
    plan->ran = plan->undirected = false;
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
        for (int p = 0; p < call->parts; p++) call->part[p].go(&call->part[p]);
        if (call->parts) continue;
        const nn_result result = call->run(call->state, call->kernel, call->args, all);
        if (result < 0)
            return nn__fail_at(plan->nn, site, result, "nn_run_on: %s failed: %s",
                               nn_kernel_name(call->kernel), nn_result_text(result));
    }
    return NN_OK;
}

/* ---- two threads ----------------------------------------------------------------------------- */

/* Plain loads and stores, which cost about a nanosecond: two threads that enter within a few
   nanoseconds of each other are not noticed. An exchange would notice them, but takes some 7 ns. */
#if defined(__GNUC__) || defined(__clang__)
#define NN__DIRECT_READ(word)       __atomic_load_n(&(word), __ATOMIC_RELAXED)
#define NN__DIRECT_SET(word, value) __atomic_store_n(&(word), (value), __ATOMIC_RELAXED)
#else
#define NN__DIRECT_READ(word)       (*(volatile int *)&(word))
#define NN__DIRECT_SET(word, value) (*(volatile int *)&(word) = (value))
#endif

static nn_result nn__direct_busy(const nn_plan *plan, nn_site site) {
    return nn__fail_at(plan->nn, site, NN_ERROR_BUSY,
                       "nn_run_on: another thread is inside a run of this plan; make a plan for "
                       "each thread, or let one run at a time");
}

NN_API nn_result nn_run_on_at(nn_site site, nn_plan *plan, const void *const *inputs,
                              void *const *outputs) {
    if (!plan || nn__plan_gone(plan, site, "nn_run_on")) return NN_ERROR_ARGUMENT;
    if (plan->direct && NN__DIRECT_READ(plan->direct->busy)) return nn__direct_busy(plan, site);
    if (!nn__direct_holds(plan, plan->direct)) {
        const nn_result result =
            NN__ALONE(plan->nn, "nn_run_on", site, nn__direct_prepare(plan, site));
        if (result < 0) return result;
    }
    NN__DIRECT_SET(plan->direct->busy, 1);
    const nn_result result = nn__direct_go(plan, inputs, outputs, site);
    NN__DIRECT_SET(plan->direct->busy, 0);
    return result;
}
#undef NN__DIRECT_READ
#undef NN__DIRECT_SET
#undef NN__DIRECT_SHIFT

#endif

typedef int nn__plan_direct_part; /* a part must not be empty in the smallest programs */
