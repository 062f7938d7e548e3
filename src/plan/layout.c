/* plan/layout.c - computes the lifetime and the offset of each value. Values are placed largest
   first, each at the lowest offset that is free during its whole life: the usual greedy algorithm
   for dynamic storage allocation (Pisarchyk and Lee, "Efficient Memory Management for Deep Neural
   Net Inference", 2020). If a device limits the size of an allocation, there are several blocks,
   and no value spans two. Nothing is allocated on devices here. */
#include "plan/offsets.h"

/* limit of batches x times for which the scratch size is computed one by one */
#define NN__LAYOUT_SIZES 4096

static nn__offset_bytes nn__layout_bytes(const nn_plan *plan, const nn_node *node) {
    return nn__padded(nn__node_bytes(node, plan->desc.batch, plan->desc.time));
}

static void nn__layout_touch(nn_plan *plan, int value, int step) {
    if (value < 0) return;
    nn__value *root = nn__root(plan, value);
    const bool shares = nn__chain_shares(&plan->steps[step]);
    if (root->first < 0) root->first = shares ? nn__chain_first(plan, step) : step;
    if (root->last < step) root->last = shares ? nn__chain_last(plan, step) : step;
    if (plan->values[value].kept || nn__value_stays(root)) root->last = NN__KEPT;
}

static void nn__layout_lives(nn_plan *plan) {
    for (int i = 0; i < plan->value_count; i++) {
        plan->values[i].first = plan->values[i].last = -1;
        if (plan->values[i].kept) nn__root(plan, i)->kept = true;
    }
    for (int s = 0; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        for (int i = 0; i < step->node->input_count; i++)
            nn__layout_touch(plan, step->inputs[i], s);
        nn__layout_touch(plan, step->output, s);
        for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++) nn__layout_touch(plan, step->more[k], s);
    }
}

/* Returns the value at the end of a chain of aliases. The chain can be long while storage is being
   shared. */
static int nn__layout_root(const nn_plan *plan, int value) {
    while (plan->values[value].place == NN__PLACE_ALIAS) value = plan->values[value].alias_of;
    return value;
}

/* Returns the output of step s that may use the storage of input 0, or -1. In a chain, logits and
   their gradient stay apart, because other work-groups may still read the logits. */
static int nn__layout_reuses(const nn_plan *plan, int s) {
    const nn__step *step = &plan->steps[s];
    if (step->node->rule->flags & NN__IN_PLACE) return step->output;
#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_TRAINING)
    if ((step->node->rule->flags & NN__LOGITS_IN_PLACE) &&
        nn__chain_first(plan, s) == nn__chain_last(plan, s)) {
        const nn__open_device *open =
            nn__find_device(plan->nn, plan->devices[step->device].device);
        if (open && nn__launches_are_dear(open))
            return step->node->rule->kernel == NN_KERNEL_CROSS_ENTROPY_HEAD ? step->more[0]
                                                                            : step->output;
    }
#endif
    (void)plan;
    return -1;
}

/* True if value `to`, a result of the step, can reuse the storage of `root`, the step's first
   operand. Both must have the same shape, so that every element is read before it is written, and
   nothing may read the operand afterwards. A broadcast operand is read repeatedly, and has another
   shape even if it has as many bytes. */
static bool nn__layout_shares(const nn_plan *plan, const nn__step *step, int s, int to, int root) {
    const nn__value *output = &plan->values[to], *dying = &plan->values[root];
    const nn_node *operand = plan->values[step->inputs[0]].node, *result = output->node;
    for (int i = 1; i < step->node->input_count; i++)
        if (nn__layout_root(plan, step->inputs[i]) == root) return false;
    return output->place == NN__PLACE_ARENA && dying->place == NN__PLACE_ARENA &&
           dying->last == s && nn__equal_shapes(&operand->shape, &result->shape) &&
           operand->dtype == result->dtype &&
           nn__plan_device_of(plan, result) == nn__plan_device_of(plan, dying->node);
}

/* Lets results of steps reuse the storage of an input whose life ends there. */
static void nn__layout_in_place(nn_plan *plan) {
    for (int s = 0; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        const int to = nn__layout_reuses(plan, s);
        if (to < 0) continue;
        nn__value *output = &plan->values[to];
        const int root = nn__layout_root(plan, step->inputs[0]);
        if (!nn__layout_shares(plan, step, s, to, root)) continue;
        plan->values[root].last = output->last;
        output->place = NN__PLACE_ALIAS;
        output->alias_of = root;
    }
    for (int i = 0; i < plan->value_count; i++)
        if (plan->values[i].place == NN__PLACE_ALIAS)
            plan->values[i].alias_of = nn__layout_root(plan, i);
}

static bool nn__layout_needs(const nn_plan *plan, const nn__value *value, int device) {
    return value->place == NN__PLACE_ARENA && !value->front && value->first >= 0 &&
           nn__plan_device_of(plan, value->node) == device;
}

/* Lists the values in a device's activation memory, largest first, equal ones by index (Shell
   sort). */
static int nn__layout_order(const nn_plan *plan, int device, int *order) {
    const nn__value *values = plan->values;
    int count = 0, gap = 1;
    for (int i = 0; i < plan->value_count; i++)
        if (nn__layout_needs(plan, &values[i], device)) order[count++] = i;
#ifndef NN_NO_SPEEDUPS /* without them, nets are small: an insertion sort will do */
    while (gap < count / 3) gap = 3 * gap + 1;
#endif
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < count; i++) {
            const int moving = order[i];
            const nn__offset_bytes bytes = values[moving].bytes;
            int at = i;
            for (; at >= gap; at -= gap) {
                const int other = order[at - gap];
                if (values[other].bytes > bytes || (values[other].bytes == bytes && other < moving))
                    break;
                order[at] = other;
            }
            order[at] = moving;
        }
    return count;
}

/* Computes the lower bound of any layout: the most bytes alive at one step. `change`: room for
   step_count + 1 numbers, the bytes that become alive or die at each step. */
static void nn__layout_bound(nn_plan *plan, int device, uint64_t *change) {
#ifdef NN_NO_REPORTS
    (void)plan, (void)device, (void)change;
#else
    uint64_t bound = 0, alive = 0;
    memset(change, 0, sizeof *change * (size_t)(plan->step_count + 1));
    for (int i = 0; i < plan->value_count; i++) {
        const nn__value *value = &plan->values[i];
        if (!nn__layout_needs(plan, value, device)) continue;
        change[value->first] += value->bytes;
        if (value->last < plan->step_count) change[value->last + 1] -= value->bytes;
    }
    for (int s = 0; s < plan->step_count; s++) {
        alive += change[s];
        if (bound < alive) bound = alive;
    }
    plan->devices[device].lower_bound = bound;
#endif
}

/* Computes the offsets of a device's activations. False: no memory for the temporary lists. */
static bool nn__layout_arena(nn_plan *plan, int device) {
    nn__plan_device *on = &plan->devices[device];
    nn__memory *memory = &plan->nn->memory;
    const size_t most = (size_t)nn__maxi(plan->value_count, plan->step_count) + 1;
    nn__offsets places;
    memset(&places, 0, sizeof places);
    places.steps = 1;
#ifndef NN_NO_SPEEDUPS
    while (places.steps < plan->step_count) places.steps *= 2;
#endif
    const size_t tree = 4 * (size_t)places.steps; /* 64-bit numbers, for the two trees together */
    const size_t room = tree * sizeof(uint64_t) + most * (sizeof(nn__placed) + 2 * sizeof(int));
    uint64_t *numbers = (uint64_t *)nn__allocate(memory, room);
    if (!numbers) return false;
    places.placed = (nn__placed *)(void *)(numbers + tree);
    places.order = (int *)(void *)(places.placed + most);
#ifndef NN_NO_SPEEDUPS
    places.low = numbers;
    places.high = numbers + tree / 2;
    places.low[1] = places.high[1] = 0;
#endif
    int *order = places.order + most;
    const int count = nn__layout_order(plan, device, order);
    for (int i = 0; i < count; i++) {
        nn__value *value = &plan->values[order[i]];
        nn__offsets_put(on, value, &places);
        nn__offsets_use(on, value->offset, value->bytes);
    }
    for (nn__piece *block = on->blocks; block->bytes; block++) block->arena = block->bytes;
    nn__layout_bound(plan, device, (uint64_t *)(void *)places.placed);
    nn__release(memory, numbers, room);
    return true;
}

#ifndef NN_NO_REPORTS
NN_PRIVATE double nn__step_flops(nn_plan *plan, const nn__step *step) {
    nn__lowering shapes;
    memset(&shapes, 0, sizeof shapes);
    for (int i = 0; i < step->node->input_count; i++)
        plan->views[i] = plan->values[step->inputs[i]].view;
    shapes.inputs = plan->views;
    shapes.values = &plan->run;
    if (step->output >= 0) shapes.output = plan->values[step->output].view;
    return step->node->rule->flops ? step->node->rule->flops(step->node, &shapes)
           : step->output >= 0     ? (double)nn__count(&shapes.output)
                                   : 0.0;
}
#endif

NN_PRIVATE bool nn__shrink_run(nn_plan *plan, unsigned kind, int32_t every) {
    nn__run_values *run = &plan->run;
    if ((kind & NN__OF_TIME) && run->time > 1) {
        run->time -= 1 + (run->time - 2) / every;
        return true;
    }
    run->time = plan->desc.time;
    if ((kind & NN__OF_BATCH) && run->batch > 1) {
        run->batch -= 1 + (run->batch - 2) / every;
        return true;
    }
    run->batch = plan->desc.batch;
    return false;
}

static unsigned nn__layout_resize(nn_plan *plan, int i) {
    unsigned kinds = 0;
    if (i < 0) return 0;
    const nn_shape *shape = &plan->values[i].node->shape;
    nn__resolve_shape(&plan->values[i].view.shape, shape, plan->run.batch, plan->run.time);
    for (int a = 0; a < shape->rank; a++) kinds |= nn__extent_kind(shape->extent[a]);
    return kinds;
}

NN_PRIVATE unsigned nn__resize_step(nn_plan *plan, const nn__step *step) {
    unsigned kinds = nn__layout_resize(plan, step->output);
    for (int i = 0; i < step->node->input_count; i++)
        kinds |= nn__layout_resize(plan, step->inputs[i]);
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++) kinds |= nn__layout_resize(plan, step->more[k]);
    return kinds;
}

/* Returns the most scratch that a step needs at any batch and time up to the plan's: a kernel may
   need more at smaller ones. First a sample of sizes is tried. If any needs scratch, all sizes are
   tried. If they are too many, an eighth is added for the sizes between, and nn_run refuses a run
   that needs still more. */
static nn__offset_bytes nn__layout_scratch_of(nn_plan *plan, nn__step *step,
                                             const nn__open_device *open) {
    const unsigned both = NN__OF_BATCH | NN__OF_TIME;
    nn__offset_bytes most = 0;
    bool all = false;
    for (;;) {
        unsigned kind;
        int64_t asked = 0;
        do {
            kind = nn__resize_step(plan, step);
            nn__lower_step(plan, step);
            uint64_t bytes =
                open->backend->scratch_bytes(open->state, step->node->rule->kernel, step->args);
            if (nn__weight_cache_turn(step)) {
                const uint64_t more = open->backend->scratch_bytes(
                    open->state, step->node->rule->kernel, step->args);
                if (bytes < more) bytes = more;
            }
            if (most < bytes) /* caps a number that does not fit */
                most = bytes > (nn__offset_bytes)-1 / 2 ? (nn__offset_bytes)-1 / 2
                                                       : (nn__offset_bytes)bytes;
            asked++;
        } while (nn__shrink_run(plan, kind, all ? INT32_MAX : kind == both ? 8 : 256));
        nn__resize_step(plan, step);
#ifdef NN__ONE_PIECE
        return kind == both ? most + most / 8 : most;
#endif
        const int64_t sizes = (int64_t)(kind & NN__OF_BATCH ? plan->desc.batch : 1) *
                              (kind & NN__OF_TIME ? plan->desc.time : 1);
        if (!most || asked == sizes) return most;
        if (sizes > NN__LAYOUT_SIZES) return most + most / 8;
        all = true;
    }
}

static void nn__layout_scratch(nn_plan *plan) {
    nn__resolve_views(plan);
    for (int s = 0; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        nn__plan_device *device = &plan->devices[step->device];
        const nn__open_device *open = nn__find_device(plan->nn, device->device);
        if ((step->node->rule->flags & NN__STATUS) && !nn__step_status(step))
            device->uses_status = true;
        if (step->node->rule->kernel == NN_KERNEL_NONE) continue;
#ifndef NN_NO_REPORTS
        step->flops = nn__step_flops(plan, step);
#endif
        const nn__offset_bytes bytes = nn__layout_scratch_of(plan, step, open);
        if (device->scratch_bytes < bytes) device->scratch_bytes = bytes;
    }
}

/* Places what survives the run: inputs, states that a plan keeps from run to run, and results of a
   trainer's step (loss, metrics, nn_keep). An evaluation that borrows the activation memory must
   not overwrite these. */
static void nn__layout_front(nn_plan *plan, nn__plan_device *device) {
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        if (nn__in_front(value) &&
            nn__plan_device_of(plan, value->node) == (int)(device - plan->devices))
            value->offset = nn__offsets_behind(device, value->bytes);
    }
}

#ifndef NN_NO_SPEEDUPS
static void nn__layout_cached(nn_plan *plan, int device) {
    for (int s = 0; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        if (step->keeps && step->device == device)
            step->cached_offset =
                nn__offsets_behind(&plan->devices[device], nn__padded(step->cached_bytes));
    }
}
#else
#define nn__layout_cached(plan, device) ((void)0)
#endif

#ifdef NN__ONE_PIECE
#define nn__layout_blocks(plan, device)  true
#define nn__layout_borrow(device, lender) ((void)(lender))
#else
/* Uses the activation memory of another plan, if that is large enough; then the plan needs none of
   its own. */
static void nn__layout_borrow(nn__plan_device *device, const nn_plan *lender) {
    int from = lender ? nn__find_plan_device(lender, device->device) : -1;
    device->arena = device->blocks;
    if (from < 0) return;
    const nn__piece *lent = lender->devices[from].arena;
    for (const nn__piece *block = device->blocks; block->arena; block++, lent++)
        if (lent->arena < block->arena) return;
    for (nn__piece *block = device->blocks; block->arena; block++) block->arena = block->bytes = 0;
    device->arena = lender->devices[from].arena;
}

/* Makes room for the largest possible number of blocks and an empty one that ends the list. */
static bool nn__layout_blocks(nn_plan *plan, nn__plan_device *device) {
    device->largest = nn__largest_piece(plan->nn, device->device);
    const size_t most = device->largest == UINT64_MAX ? 1 : (size_t)plan->value_count + 2;
    device->blocks = (nn__piece *)nn__arena_take(&plan->arena, (most + 1) * sizeof(nn__piece));
    return device->blocks != NULL;
}
#endif

NN_PRIVATE bool nn__layout(nn_plan *plan, const nn_plan *lender) {
    nn__plan_weight_cache(plan);
    nn__layout_lives(plan);
    nn__layout_in_place(plan);
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        value->bytes = nn__layout_bytes(plan, value->node);
        value->front = value->place == NN__PLACE_ARENA && value->last == NN__KEPT &&
                       (plan->training || value->node->remembers || nn__value_stays(value));
    }
    nn__layout_scratch(plan);
    for (int d = 0; d < nn__plan_devices(plan); d++) {
        nn__plan_device *device = &plan->devices[d];
        if (!nn__layout_blocks(plan, device)) return false;
        if (!nn__layout_arena(plan, d)) return false;
        nn__layout_borrow(device, lender);
        nn__layout_front(plan, device);
        nn__layout_cached(plan, d);
        if (device->uses_status) device->status_offset = nn__offsets_behind(device, NN__ALIGNMENT);
        device->scratch_offset = nn__offsets_behind(device, nn__padded(device->scratch_bytes));
    }
    return true;
}

#undef NN__LAYOUT_SIZES
