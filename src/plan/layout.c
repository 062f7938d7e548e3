/* plan/layout.c - when each value lives, and where. Largest first, each at the lowest offset that is free
   during its whole life: the usual greedy for dynamic storage allocation (Pisarchyk and Lee, "Efficient
   Memory Management for Deep Neural Net Inference", 2020). Where a device allows no allocation that large, in
   several blocks, no value across two. It allocates nothing on devices. Next: plan/plan.c. */
#include "plan/private.h"

static uint64_t nn__layout_bytes(const nn_plan *plan, const nn_node *node) {
    uint64_t bytes = 0;
    nn__shape_bytes(node->shape, node->dtype, plan->desc.batch, plan->desc.time, &bytes);
    return nn__padded(bytes);
}

static void nn__layout_touch(nn_plan *plan, int value, int step) {
    if (value < 0) return;
    nn__value *root = nn__root(plan, value);
    if (root->first < 0) root->first = step;
    if (root->last < step) root->last = step;
    if (plan->values[value].kept) root->last = NN__KEPT;
}

static void nn__layout_lives(nn_plan *plan) {
    for (int i = 0; i < plan->value_count; i++) {
        plan->values[i].first = plan->values[i].last = -1;
        if (plan->values[i].kept) nn__root(plan, i)->kept = true;
    }
    for (int s = 0; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        for (int i = 0; i < step->node->input_count; i++) nn__layout_touch(plan, step->inputs[i], s);
        nn__layout_touch(plan, step->output, s);
        for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++) nn__layout_touch(plan, step->more[k], s);
    }
}

/* Lets the output of a pointwise step take over the storage of an input that ends there. */
static void nn__layout_in_place(nn_plan *plan) {
    for (int s = 0; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        if (!(step->node->rule->flags & NN__IN_PLACE) || step->output < 0) continue;
        nn__value *output = &plan->values[step->output], *root = nn__root(plan, step->inputs[0]);
        bool shared = false;
        for (int i = 1; i < step->node->input_count; i++)
            shared = shared || nn__root(plan, step->inputs[i]) == root;
        if (shared || output->place != NN__PLACE_ARENA || root->place != NN__PLACE_ARENA || root->last != s ||
            root->kept)
            continue;
        if (nn__layout_bytes(plan, output->node) != nn__layout_bytes(plan, root->node)) continue;
        if (!nn_same_device(output->node->device, root->node->device)) continue;
        int root_index = (int)(root - plan->values);
        root->last = output->last;
        root->kept = root->kept || output->kept;
        for (int i = 0; i < plan->value_count; i++) {
            nn__value *value = &plan->values[i];
            if (value != output && !(value->place == NN__PLACE_ALIAS && value->alias_of == step->output))
                continue;
            value->place = NN__PLACE_ALIAS;
            value->alias_of = root_index;
        }
    }
}

static bool nn__layout_needs(const nn_plan *plan, const nn__value *value, int device) {
    return value->place == NN__PLACE_ARENA && !value->front && value->first >= 0 &&
           nn_same_device(value->node->device, plan->devices[device].device);
}

/* `offset`, or the beginning of the next block if `bytes` would reach into that. */
static uint64_t nn__layout_fit(const nn__plan_device *device, uint64_t offset, uint64_t bytes) {
#ifdef NN__ONE_PIECE
    (void)device, (void)bytes;
    return offset;
#else
    const uint64_t into = offset % device->largest;
    return into > 0 && bytes > device->largest - into ? offset - into + device->largest : offset;
#endif
}

/* Makes the block long enough. */
static void nn__layout_use(nn__plan_device *device, uint64_t offset, uint64_t bytes) {
#ifdef NN__ONE_PIECE
    nn__piece *block = device->blocks;
#else
    nn__piece *block = &device->blocks[offset / device->largest];
    offset %= device->largest;
#endif
    if (block->bytes < offset + bytes) block->bytes = offset + bytes;
}

/* Behind everything so far. */
static uint64_t nn__layout_behind(nn__plan_device *device, uint64_t bytes) {
    uint64_t offset = device->blocks->bytes;
#ifndef NN__ONE_PIECE
    for (const nn__piece *block = device->blocks + 1; block[-1].bytes && block->bytes; block++)
        offset = (uint64_t)(block - device->blocks) * device->largest + block->bytes;
#endif
    offset = nn__layout_fit(device, offset, bytes);
    nn__layout_use(device, offset, bytes);
    return offset;
}

/* The lowest offset where `value` meets no placed value of its device that lives at the same time. */
static uint64_t nn__layout_offset(const nn_plan *plan, const nn__value *value, int device) {
    uint64_t offset = 0;
    bool moved = true;
    while (moved) {
        moved = false;
        offset = nn__layout_fit(&plan->devices[device], offset, value->bytes);
        for (int i = 0; i < plan->value_count; i++) {
            const nn__value *other = &plan->values[i];
            if (!other->placed || !nn__layout_needs(plan, other, device)) continue;
            if (other->last < value->first || value->last < other->first) continue;
            if (other->offset >= offset + value->bytes || offset >= other->offset + other->bytes) continue;
            offset = other->offset + other->bytes;
            moved = true;
        }
    }
    return offset;
}

/* What no layout can do without. */
static void nn__layout_bound(nn_plan *plan, int device) {
#ifdef NN_NO_REPORTS
    (void)plan, (void)device;
#else
    uint64_t bound = 0;
    for (int s = 0; s < plan->step_count; s++) {
        uint64_t alive = 0;
        for (int i = 0; i < plan->value_count; i++) {
            const nn__value *value = &plan->values[i];
            if (nn__layout_needs(plan, value, device) && value->first <= s && s <= value->last)
                alive += value->bytes;
        }
        if (bound < alive) bound = alive;
    }
    plan->devices[device].lower_bound = bound;
#endif
}

static void nn__layout_arena(nn_plan *plan, int device) {
    nn__plan_device *on = &plan->devices[device];
    for (;;) {
        nn__value *next = NULL;
        for (int i = 0; i < plan->value_count; i++) {
            nn__value *value = &plan->values[i];
            if (value->placed || !nn__layout_needs(plan, value, device)) continue;
            if (!next || value->bytes > next->bytes) next = value;
        }
        if (!next) break;
        next->offset = nn__layout_offset(plan, next, device);
        next->placed = true;
        nn__layout_use(on, next->offset, next->bytes);
    }
    for (nn__piece *block = on->blocks; block->bytes; block++) block->arena = block->bytes;
    nn__layout_bound(plan, device);
}

#ifndef NN_NO_REPORTS
NN_PRIVATE double nn__step_flops(nn_plan *plan, const nn__step *step) {
    nn__lowering shapes;
    memset(&shapes, 0, sizeof shapes);
    for (int i = 0; i < step->node->input_count; i++) plan->views[i] = plan->values[step->inputs[i]].view;
    shapes.inputs = plan->views;
    if (step->output >= 0) shapes.output = plan->values[step->output].view;
    return step->node->rule->flops ? step->node->rule->flops(step->node, &shapes)
           : step->output >= 0     ? (double)nn__count(&shapes.output)
                                   : 0.0;
}
#endif

/* Scratch is asked for smaller batches too: a kernel may want more for them. Up to 256 for each; above in
   steps of a 64th, and nn_run refuses the batch between two of them that would want more. */
static void nn__layout_scratch(nn_plan *plan) {
    int32_t largest = plan->desc.batch;
    for (int32_t batch = largest; batch > 0; batch -= nn__maxi(1, batch > 256 ? batch / 64 : 1)) {
        plan->run.batch = batch;
        nn__resolve_views(plan);
        for (int s = 0; s < plan->step_count; s++) {
            nn__step *step = &plan->steps[s];
            nn__plan_device *device = &plan->devices[step->device];
            const nn__open_device *open = nn__find_device(plan->nn, device->device);
            if ((step->node->rule->flags & NN__STATUS) && !nn__step_status(step)) device->uses_status = true;
            if (step->node->rule->kernel == NN_KERNEL_NONE) continue;
            nn__lower_step(plan, step);
            uint64_t bytes = open->backend->scratch_bytes(open->state, step->node->rule->kernel, step->args);
            if (device->scratch_bytes < bytes) device->scratch_bytes = bytes;
#ifndef NN_NO_REPORTS
            if (batch == largest) step->flops = nn__step_flops(plan, step);
#endif
        }
    }
    plan->run.batch = largest;
    nn__resolve_views(plan);
}

/* Inputs, and what a trainer's step leaves behind (its loss, metrics, what nn_keep asked for): the evaluation
   that borrows the activations must not touch these. */
static void nn__layout_front(nn_plan *plan, nn__plan_device *device) {
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        if (nn__in_front(value) && nn_same_device(value->node->device, device->device))
            value->offset = nn__layout_behind(device, value->bytes);
    }
}

#ifdef NN__ONE_PIECE
#define nn__layout_blocks(plan, device)  true
#define nn__layout_borrow(device, lender) ((void)(lender))
#else
/* Where another plan lends as much memory for activations as these need, they need none of their own. */
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

/* Room for as many blocks as there can be, and one of no bytes behind them. */
static bool nn__layout_blocks(nn_plan *plan, nn__plan_device *device) {
    device->largest = nn__largest_piece(plan->nn, device->device);
    const size_t most = device->largest == UINT64_MAX ? 1 : (size_t)plan->value_count + 2;
    device->blocks = (nn__piece *)nn__arena_take(&plan->arena, (most + 1) * sizeof(nn__piece));
    return device->blocks != NULL;
}
#endif

NN_PRIVATE bool nn__layout(nn_plan *plan, const nn_plan *lender) {
    nn__layout_lives(plan);
    nn__layout_in_place(plan);
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        value->bytes = nn__layout_bytes(plan, value->node);
        value->front = value->place == NN__PLACE_ARENA && value->kept && plan->training;
    }
    nn__layout_scratch(plan);
    for (int d = 0; d < plan->device_count; d++) {
        nn__plan_device *device = &plan->devices[d];
        if (!nn__layout_blocks(plan, device)) return false;
        nn__layout_arena(plan, d);
        nn__layout_borrow(device, lender);
        nn__layout_front(plan, device);
        if (device->uses_status) device->status_offset = nn__layout_behind(device, NN__ALIGNMENT);
        device->scratch_offset = nn__layout_behind(device, nn__padded(device->scratch_bytes));
    }
    return true;
}
