/* plan/layout.c - when each value lives, and where. Largest first, each at the lowest offset that is free
   during its whole life: the usual greedy for dynamic storage allocation (Pisarchyk and Lee, "Efficient
   Memory Management for Deep Neural Net Inference", 2020). It allocates nothing on devices. Next: plan/run.c. */
#include "plan/private.h"

static uint64_t nn__layout_bytes(const nn_plan *plan, const nn_node *node) {
    uint64_t bytes = 0;
    nn__shape_bytes(node->shape, node->dtype, plan->desc.batch, &bytes);
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
        nn__layout_touch(plan, step->extra, s);
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

/* The lowest offset where `value` meets no placed value of its device that lives at the same time. */
static uint64_t nn__layout_offset(const nn_plan *plan, const nn__value *value, int device) {
    uint64_t offset = 0;
    bool moved = true;
    while (moved) {
        moved = false;
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
    uint64_t end = 0;
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
        if (end < next->offset + next->bytes) end = next->offset + next->bytes;
    }
    plan->devices[device].activations_bytes = end;
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
            if (step->node->rule->flags & NN__STATUS) device->uses_status = true;
            if (step->node->rule->kernel == NN_KERNEL_NONE) continue;
            nn__lower_step(plan, step);
            uint64_t bytes = open->backend->scratch_bytes(open->state, step->node->rule->kernel, &step->args);
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
static uint64_t nn__layout_front(nn_plan *plan, nn_device device) {
    uint64_t end = 0;
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        value->front = value->place == NN__PLACE_ARENA && value->kept && plan->training;
        if (!value->front && value->place != NN__PLACE_INPUT) continue;
        if (!nn_same_device(value->node->device, device)) continue;
        value->offset = end;
        end += value->bytes;
    }
    return end;
}

NN_PRIVATE void nn__layout(nn_plan *plan, const nn_plan *lender) {
    nn__layout_lives(plan);
    nn__layout_in_place(plan);
    for (int i = 0; i < plan->value_count; i++)
        plan->values[i].bytes = nn__layout_bytes(plan, plan->values[i].node);
    nn__layout_scratch(plan);
    for (int d = 0; d < plan->device_count; d++) {
        nn__plan_device *device = &plan->devices[d];
        int from = lender ? nn__find_plan_device(lender, device->device) : -1;
        device->inputs_bytes = nn__layout_front(plan, device->device);
        nn__layout_arena(plan, d);
        device->borrowed = from >= 0 && lender->devices[from].activations_bytes >= device->activations_bytes;
        device->arena = device->borrowed ? lender->devices[from].arena : NULL;
        device->arena_offset = device->borrowed ? lender->devices[from].arena_offset : device->inputs_bytes;
        device->scratch_offset = device->inputs_bytes + (device->borrowed ? 0 : device->activations_bytes);
        device->status_offset = device->scratch_offset + nn__padded(device->scratch_bytes);
        device->block_bytes = device->status_offset + (device->uses_status ? NN__ALIGNMENT : 0);
    }
}
