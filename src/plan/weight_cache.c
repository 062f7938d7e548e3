/* plan/weight_cache.c - keeps values that depend on weights alone from run to run, in plans that
   only infer. These are weights with a folded batch norm, and on the CPU also packed or Winograd-
   transformed weights of convolutions, and packed weights of recurrent layers. Where launches are
   dear, they are also the f32 forms of biases and of the weights of norms.

   They are computed again in the first run after a weight may have changed. Every library call
   that may change a weight counts up (nn__weights_change). A tensor whose address the program has
   is assumed to change before every run. The kept memory is internal: tensors keep their plain
   order. */
#include "plan/private.h"

#ifndef NN_NO_SPEEDUPS

/* limit of batches x times for which the size of kept memory is computed */
#define NN__WEIGHT_CACHE_SIZES 4096

/* ---- what is kept ---------------------------------------------------------------------------- */

NN_PRIVATE bool nn__weight_cache_trusts(const nn_plan *plan, int value) {
    const nn_node *node = nn__root(plan, value)->node;
    const nn_tensor *tensor = node->tensor;
    if (node->kind != NN__PARAMETER && node->kind != NN__BUFFER && node->kind != NN__CONSTANT)
        return false;
    return !tensor || (tensor->holder == NN__HELD_BY_MODEL && !tensor->read_only &&
                       !tensor->reached);
}

NN_PRIVATE bool nn__weight_cache_can(const nn_plan *plan) {
    if (plan->training || plan->tape || plan->desc.plain_weights || plan->nn->desc.block)
        return false;
    /* with effects, the plan may change weights itself */
    for (int s = 0; s < plan->step_count; s++)
        if (nn__has_effect(plan->steps[s].node) && !nn__continues(plan->steps[s].node))
            return false;
    return true;
}

NN_PRIVATE bool nn__weight_cache_trusts_step(const nn_plan *plan, const nn__step *step, int first) {
    if (step->device < 0 || step->chain) return false;
    for (int i = first; i < step->node->input_count; i++)
        if (!nn__weight_cache_trusts(plan, step->inputs[i])) return false;
    return true;
}

/* True if the step's kernel can pack weights. Only kernels of the CPU can. */
static bool nn__weight_cache_packs(const nn_plan *plan, const nn__step *step) {
    return step->device >= 0 && plan->devices[step->device].device.kind == NN_CPU;
}

/* Returns the most bytes that the step's kernel keeps at any batch and time. *always: true if it
   keeps some at every batch and time. */
static uint64_t nn__weight_cache_most(nn_plan *plan, nn__step *step, bool *always) {
    uint64_t most = 0;
    unsigned kind;
    *always = true;
    if (step->node->rule->kernel == NN_KERNEL_RECURRENT_WHOLE) { /* the same at every size */
        nn__lower_step(plan, step);
        return step->cached_now;
    }
    do {
        kind = nn__resize_step(plan, step);
        nn__lower_step(plan, step);
        if (most < step->cached_now) most = step->cached_now;
        if (step->cached_now == 0) *always = false;
    } while (nn__shrink_run(plan, kind, INT32_MAX));
    nn__resize_step(plan, step);
    return most;
}

/* Returns the step that computes the value from weights alone; NULL: none. */
static nn__step *nn__weight_cache_fold(nn_plan *plan, int value) {
    for (int s = 0; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        if (step->steady && (step->output == value || step->more[0] == value)) return step;
    }
    return NULL;
}

static bool nn__weight_cache_quantized(nn_kernel kernel) {
    return kernel == NN_KERNEL_QUANTIZED_LINEAR || kernel == NN_KERNEL_QUANTIZED_CONV2D ||
           kernel == NN_KERNEL_QUANTIZED_LSTM;
}

/* Returns the bytes that the step's kernel keeps with its current arguments. */
static uint64_t nn__weight_cache_bytes(const nn_plan *plan, const nn__step *step) {
    const nn_context *nn = plan->nn;
    const nn_kernel kernel = step->node->rule->kernel;
    if (kernel == NN_KERNEL_INTEGER_CONV2D) return nn->cached_integers(nn, step->args);
    if (kernel == NN_KERNEL_INTEGER_RECURRENT) return nn->cached_integer_recurrent(nn, step->args);
    if (kernel == NN_KERNEL_RECURRENT_WHOLE) return nn->whole_bytes(nn, step->args);
    if (kernel == NN_KERNEL_SEPARABLE) return nn->cached_separable(nn, step->args);
    if (nn__weight_cache_quantized(kernel)) return nn->cached_quantized(nn, kernel, step->args);
    return nn->cached_bytes(nn, kernel, step->args);
}

/* True if the context has the kernel's function that counts these bytes, and if `sizes`, the number
   of batches and times with different bytes, is not too large. */
static bool nn__weight_cache_takes(const nn_context *nn, nn_kernel kernel, int64_t sizes) {
    if (kernel == NN_KERNEL_RECURRENT_WHOLE) return nn->whole_bytes != NULL;
    if (sizes > NN__WEIGHT_CACHE_SIZES) return false;
    if (kernel == NN_KERNEL_INTEGER_CONV2D) return nn->cached_integers != NULL;
    if (kernel == NN_KERNEL_INTEGER_RECURRENT) return nn->cached_integer_recurrent != NULL;
    if (nn__weight_cache_quantized(kernel)) return nn->cached_quantized != NULL;
    if (kernel == NN_KERNEL_SEPARABLE) return nn->cached_separable != NULL;
    return kernel == NN_KERNEL_CONV2D_FORWARD && nn->cached_bytes;
}

/* Returns the first input that the step keeps prepared. *end: one past the last. A separable step
   (three convolutions) and a whole recurrent layer keep all their weights and biases, and a step in
   integers keeps all its numbers. */
static int nn__weight_cache_first(const nn_plan *plan, const nn__step *step, int *end) {
    const nn_kernel kernel = step->node->rule->kernel;
    if (kernel == NN_KERNEL_INTEGER_CONV2D || kernel == NN_KERNEL_INTEGER_RECURRENT) {
        *end = step->node->input_count;
        return 1;
    }
    *end = kernel == NN_KERNEL_SEPARABLE         ? nn__op_separable_weights(step->node)
           : kernel == NN_KERNEL_RECURRENT_WHOLE ? plan->nn->whole->weights(step->node)
                                                 : 2;
    return 1;
}

/* Lets a step keep its weights. If it does so at every size, the result of a fold that feeds
   it need not be kept as well. */
static void nn__weight_cache_step(nn_plan *plan, nn__step *step) {
    bool always;
    int end;
    const int first = nn__weight_cache_first(plan, step, &end);
    for (int i = first; i < end; i++)
        if (!nn__weight_cache_fold(plan, step->inputs[i]) &&
            !nn__weight_cache_trusts(plan, step->inputs[i]))
            return;
    step->keeps = true;
    step->cached_bytes = UINT64_MAX;
    step->cached_bytes = nn__weight_cache_most(plan, step, &always);
    step->keeps = step->cached_bytes > 0 &&
                  step->cached_bytes <= nn__largest_piece(plan->nn, step->node->device);
    for (int i = first; i < end && step->keeps; i++) {
        nn__step *fold = nn__weight_cache_fold(plan, step->inputs[i]);
        if (fold && always) fold->reader = step;
        if (!fold) nn__root(plan, step->inputs[i])->watched = true;
        plan->keeps = true;
    }
}

/* True if the step computes a value that is worth keeping: a weight with a folded batch norm, or a
   small weight in another dtype whose cast costs a launch. */
static bool nn__weight_cache_steady(const nn_plan *plan, const nn__step *step) {
    const nn__open_device *open =
        step->device >= 0 ? nn__find_device(plan->nn, plan->devices[step->device].device) : NULL;
    if (!nn__weight_cache_trusts_step(plan, step, 0)) return false;
    return step->node->rule->kernel == NN_KERNEL_NORM_FOLD ||
           (step->node->rule == nn__cast_rule(NN_F32) && step->node->shape.rank == 1 && open &&
            nn__launches_are_dear(open) && plan->values[step->output].place == NN__PLACE_ARENA);
}

NN_PRIVATE void nn__plan_weight_cache(nn_plan *plan) {
    const int64_t sizes = (int64_t)plan->desc.batch * plan->desc.time;
    if (!nn__weight_cache_can(plan)) return;
    nn__resolve_views(plan);
    for (int s = 0; s < plan->step_count; s++) {
        nn__step *step = &plan->steps[s];
        const nn_kernel kernel = step->node->rule->kernel;
        step->steady = nn__weight_cache_steady(plan, step);
        if (nn__weight_cache_takes(plan->nn, kernel, sizes) && nn__weight_cache_packs(plan, step) &&
            nn__weight_cache_trusts_step(plan, step, step->node->input_count))
            nn__weight_cache_step(plan, step);
    }
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (!step->steady) continue;
        plan->keeps = true;
        for (int i = 0; i < step->node->input_count; i++)
            nn__root(plan, step->inputs[i])->watched = true;
        plan->values[step->output].stays = !step->reader;
        if (step->more[0] >= 0) plan->values[step->more[0]].stays = true;
    }
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* True if everything kept is still valid. Another batch may select another algorithm, whose
   prepared weights have another size. */
static bool nn__weight_cache_same(const nn_plan *plan) {
    if (!plan->cached_whole || plan->cached_changes != plan->nn->weight_changes) return false;
    for (int i = 0; i < plan->value_count; i++) {
        const nn__value *value = &plan->values[i];
        if (value->watched &&
            (!nn__weight_cache_trusts(plan, i) || value->cached_of != value->view.handle ||
             value->cached_from != value->view.offset))
            return false;
    }
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (step->cached_now > 0 && step->ready && step->cached_made != step->cached_now)
            return false;
    }
    return true;
}

NN_PRIVATE void nn__weight_cache_begin(nn_plan *plan) {
    if (!plan->keeps) return;
    const bool same = nn__weight_cache_same(plan);
    for (int s = 0; s < plan->step_count && !same; s++) {
        plan->steps[s].ready = false;
        plan->steps[s].cached_made = 0; /* a batch that keeps nothing leaves 0 here */
    }
    for (int i = 0; i < plan->value_count && !same; i++) {
        plan->values[i].cached_of = plan->values[i].view.handle;
        plan->values[i].cached_from = plan->values[i].view.offset;
    }
    plan->cached_whole = false; /* set again at the end of the run */
    plan->cached_changes = plan->nn->weight_changes;
}

/* True if the step's results are still valid. If only its reader kept them, the step runs again at
   batches where the reader keeps nothing. */
NN_PRIVATE bool nn__weight_cache_skips(const nn__step *step) {
    return step->steady && step->ready && (!step->reader || step->reader->cached_now > 0);
}

/* Returns where the kernel reads its keeping mode. *kept: where it reads the address. */
static nn_keeping *nn__weight_cache_word(nn__step *step, float ***kept) {
    if (step->node->rule->kernel == NN_KERNEL_SEPARABLE) {
        *kept = &step->args->separable.kept;
        return &step->args->separable.keep;
    }
    if (step->node->rule->kernel == NN_KERNEL_INTEGER_CONV2D) {
        *kept = &step->args->integer_conv2d.kept;
        return &step->args->integer_conv2d.keep;
    }
    if (step->node->rule->kernel == NN_KERNEL_INTEGER_RECURRENT) {
        *kept = &step->args->integer_recurrent.kept;
        return &step->args->integer_recurrent.keep;
    }
    if (step->node->rule->kernel == NN_KERNEL_RECURRENT_WHOLE) {
        *kept = &step->args->recurrent_whole.kept;
        return &step->args->recurrent_whole.keep;
    }
    if (step->node->rule->kernel == NN_KERNEL_QUANTIZED_LINEAR) {
        *kept = &step->args->quantized_linear.kept;
        return &step->args->quantized_linear.keep;
    }
    if (step->node->rule->kernel == NN_KERNEL_QUANTIZED_CONV2D) {
        *kept = &step->args->quantized_conv2d.kept;
        return &step->args->quantized_conv2d.keep;
    }
    if (step->node->rule->kernel == NN_KERNEL_QUANTIZED_LSTM) {
        *kept = &step->args->quantized_lstm.kept;
        return &step->args->quantized_lstm.keep;
    }
    *kept = &step->args->conv2d_forward.kept;
    return &step->args->conv2d_forward.keep;
}

NN_PRIVATE bool nn__weight_cache_turn(nn__step *step) {
    const bool makes = step->cached_now > 0 && !step->ready;
    float **kept;
    if (step->cached_now > 0)
        *nn__weight_cache_word(step, &kept) = makes ? NN_KEEP_MAKES : NN_KEEP_USES;
    if (makes) step->cached_made = step->cached_now;
    return makes;
}

NN_PRIVATE void nn__weight_cache_lower(nn_plan *plan, nn__step *step) {
    nn_keeping *keep;
    float **kept;
    nn_view view;
    step->cached_now = 0;
    if (!step->keeps) return;
    memset(&view, 0, sizeof view);
    keep = nn__weight_cache_word(step, &kept);
    *keep = NN_KEEP_USES;
    step->cached_now = nn__weight_cache_bytes(plan, step);
    if (step->cached_now == 0 || step->cached_now > step->cached_bytes) {
        step->cached_now = 0;
        *keep = NN_KEEP_NOT;
        return;
    }
    nn__storage(&plan->devices[step->device], false, step->cached_offset, &view);
    if (view.handle) *kept = (float *)(void *)((char *)view.handle + view.offset);
}

#undef NN__WEIGHT_CACHE_SIZES

#endif

typedef int nn__plan_weight_cache_part; /* a part must not be empty under NN_NO_SPEEDUPS */
