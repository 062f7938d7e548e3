/* train/average.c - averages of the trained weights (EMA, SWA). They are states on the trainer's
   tape, which move and are saved with the parameters. Source of the formulas:
   torch.optim.swa_utils. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* Returns the tensor to average: the parameter, or the f32 master of an f16 or bf16 parameter. */
static nn_tensor *nn__average_source(const nn_trainer *trainer, int i) {
    const nn_node *parameter = trainer->trained[i].parameter;
    for (int k = 0; k < trainer->moment_count && nn__is_half(parameter->dtype); k++)
        if (trainer->moments[k].parameter == parameter && trainer->moments[k].state &&
            strcmp(trainer->moments[k].name, "master") == 0)
            return trainer->moments[k].state->tensor;
    return parameter->tensor;
}

NN_PRIVATE bool nn__describe_average(nn_trainer *trainer) {
    const size_t bytes = sizeof(nn_node *) * (size_t)trainer->trained_count;
    if (trainer->desc.average.kind == NN_AVERAGE_NONE) return true;
    trainer->averages = (nn_node **)nn__arena_take(&trainer->tape.arena, bytes);
    if (!trainer->averages) return nn__describe_no_memory(trainer);
    for (int i = 0; i < trainer->trained_count; i++) {
        const nn_node *parameter = trainer->trained[i].parameter;
        trainer->averages[i] =
            nn__owned_here(trainer, i)
                ? nn__describe_state(trainer, parameter, ".average", parameter->shape)
                : NULL;
    }
    nn__install_update(trainer->nn);
    return true;
}

NN_PRIVATE nn_result nn__average_check_in_place(const nn_trainer *trainer, nn_site site,
                                                const char *who) {
    if (trainer->swapped)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the parameters hold their average; call nn_swap_average once more, "
                           "which puts them back",
                           who);
    for (int i = 0; i < trainer->trained_count; i++)
        if (trainer->trained[i].parameter->averaged)
            return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                               "%s: \"%s\" holds the average of another trainer of \"%s\"; call "
                               "nn_swap_average once more with that one",
                               who, trainer->trained[i].parameter->name, trainer->net->name);
    return NN_OK;
}

/* Finds the status word of the device. While it reports a fault, updates do nothing; averages must
   do nothing too, or they would count unchanged weights again. */
static bool nn__average_status(const nn_trainer *trainer, nn_device device, nn_view *status) {
    for (int i = 0; i < trainer->plan->device_count; i++) {
        const nn__plan_device *one = &trainer->plan->devices[i];
        if (!one->uses_status || !nn_same_device(one->device, device)) continue;
        nn__status_view(one, status);
        return true;
    }
    return false;
}

NN_PRIVATE nn_result nn__average_step(nn_trainer *trainer, nn_site site) {
    const nn_average_desc *average = &trainer->desc.average;
    const int64_t passed = trainer->step - average->start;
    float tau = 1.0f;
    nn_result result = NN_OK;
    if (!trainer->averages || passed <= 0 || (average->every > 1 && passed % average->every != 0))
        return NN_OK;
    if (trainer->averaged > 0 && average->kind == NN_AVERAGE_SWA)
        tau = (float)(1.0 / (double)(trainer->averaged + 1));
    else if (trainer->averaged > 0)
        tau =
            (float)(1.0 - (average->decay == 0.0f ? 0.999
                                                  : (double)nn__or_default(average->decay, 0.0f)));
    for (int i = 0; i < trainer->trained_count && result == NN_OK && tau > 0.0f; i++) {
        nn_tensor *to = nn__average_tensor(trainer, i);
        nn_view status;
        if (!to) continue;
        result =
            nn__blend_one(to, nn__average_source(trainer, i), tau,
                          nn__average_status(trainer, to->device, &status) ? &status : NULL, site);
    }
    if (result == NN_OK) trainer->averaged++;
    return result;
}

NN_PRIVATE void nn__average_back(nn_trainer *trainer, int64_t step) {
    const nn_average_desc *average = &trainer->desc.average;
    const int64_t every = nn__max64(average->every, 1);
    const int64_t now = nn__max64(trainer->step - average->start, 0) / every;
    const int64_t then = nn__max64(step - average->start, 0) / every;
    trainer->averaged = nn__max64(trainer->averaged - (now - then), 0);
}

/* ---- the exchange ---------------------------------------------------------------------------- */

static bool nn__average_half(const nn_trainer *trainer, int i) {
    return nn__is_half(trainer->trained[i].parameter->dtype);
}

/* Computes to = a, rounded to the dtype of `to`; with b and c: to = b == c ? a : c. */
static nn_result nn__average_program(nn_tensor *to, const nn_tensor *a, const nn_tensor *b,
                                     const nn_tensor *c, nn_site site) {
    static const nn_instruction code[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                          {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                          {NN_CODE_INPUT, 2, 0, 0, 0.0f},
                                          {NN_CODE_EQUAL, 1, 2, 0, 0.0f},
                                          {NN_CODE_SELECT, 3, 0, 2, 0.0f}};
    nn_program_args args;
    memset(&args, 0, sizeof args);
    args.program.code = code;
    args.program.count = b ? 5 : 1;
    args.program.input_count = b ? 3 : 1;
    args.program.output_count = 1;
    args.program.output[0] = b ? 4 : 0;
    args.outputs[0] = to->view;
    args.inputs[0] = a->view;
    if (b) args.inputs[1] = b->view;
    if (b) args.inputs[2] = c->view;
    return nn__run_immediate(site, "nn_swap_average", to->nn, to->device, NN_KERNEL_POINTWISE,
                             &args, &args.scratch);
}

/* If a master does not round to its parameter, it becomes the parameter, as before each update. */
static nn_result nn__average_refresh(nn_trainer *trainer, int i, nn_site site) {
    nn_tensor *parameter = trainer->trained[i].parameter->tensor;
    nn_tensor *master = nn__average_source(trainer, i);
    nn_tensor *rounded = nn_copy_to_at(site, parameter, parameter->device);
    if (!rounded) return trainer->nn->last_code;
    nn_result result = nn__average_program(rounded, master, NULL, NULL, site);
    if (result == NN_OK) result = nn__average_program(master, master, rounded, parameter, site);
    nn_free_tensor(rounded);
    return result;
}

/* Makes the copies that the exchange needs: all, or none and an error. */
static nn_result nn__average_copy(nn_trainer *trainer, nn_tensor **copies, nn_site site) {
    nn_result result = NN_OK;
    int i = 0;
    for (; i < trainer->trained_count; i++) {
        const nn_tensor *from = nn__average_source(trainer, i);
        copies[i] = NULL;
        if (!trainer->averages[i]) continue;
        if (nn__average_half(trainer, i)) result = nn__average_refresh(trainer, i, site);
        copies[i] = result == NN_OK ? nn_copy_to_at(site, from, from->device) : NULL;
        if (copies[i]) continue;
        if (result == NN_OK) result = trainer->nn->last_code;
        break;
    }
    while (result != NN_OK && i-- > 0) nn_free_tensor(copies[i]);
    return result;
}

/* One step of the exchange, for the first `count` parameters. RETURN and RESTORE undo GIVE and
   TAKE. */
typedef enum nn__average_move {
    NN__AVERAGE_TAKE,   /* parameters become the averages */
    NN__AVERAGE_GIVE,   /* averages become the copies of the parameters */
    NN__AVERAGE_ROUND,  /* f16 and bf16 parameters follow their masters */
    NN__AVERAGE_RETURN, /* averages become what the parameters have taken: undoes GIVE */
    NN__AVERAGE_RESTORE /* parameters become their copies: undoes TAKE */
} nn__average_move;

/* *done: the number of parameters that may have changed, with the one that failed. */
static nn_result nn__average_do(nn_trainer *trainer, nn__average_move move,
                                nn_tensor *const *copies, int count, int *done, nn_site site) {
    nn_result result = NN_OK;
    int i = 0;
    for (; i < count && result == NN_OK; i++) {
        nn_tensor *source = nn__average_source(trainer, i);
        nn_tensor *average = nn__average_tensor(trainer, i);
        if (!average) continue;
        switch (move) {
        case NN__AVERAGE_TAKE: result = nn_copy_at(site, source, average); break;
        case NN__AVERAGE_GIVE: result = nn_copy_at(site, average, copies[i]); break;
        case NN__AVERAGE_RETURN: result = nn_copy_at(site, average, source); break;
        case NN__AVERAGE_RESTORE: result = nn_copy_at(site, source, copies[i]); break;
        default:
            if (nn__average_half(trainer, i))
                result = nn__average_program(trainer->trained[i].parameter->tensor, source, NULL,
                                             NULL, site);
        }
    }
    *done = i;
    return result;
}

/* Undoes the steps done for the first `taken`, `given` and `rounded` parameters. */
static void nn__average_undo(nn_trainer *trainer, nn_tensor *const *copies, int taken, int given,
                             int rounded, nn_site site) {
    int ignored;
    nn__average_do(trainer, NN__AVERAGE_RETURN, copies, given, &ignored, site);
    nn__average_do(trainer, NN__AVERAGE_RESTORE, copies, taken, &ignored, site);
    nn__average_do(trainer, NN__AVERAGE_ROUND, copies, rounded, &ignored, site);
}

/* Makes the whole exchange, or nothing: after a failure it undoes the steps that were done. If the
   device also fails at that, the remaining steps are not undone. */
static nn_result nn__average_exchange(nn_trainer *trainer, nn_tensor *const *copies, nn_site site) {
    const int count = trainer->trained_count;
    int taken = 0, given = 0, rounded = 0;
    nn_result result = nn__average_do(trainer, NN__AVERAGE_TAKE, copies, count, &taken, site);
    if (result == NN_OK)
        result = nn__average_do(trainer, NN__AVERAGE_GIVE, copies, count, &given, site);
    if (result == NN_OK)
        result = nn__average_do(trainer, NN__AVERAGE_ROUND, copies, count, &rounded, site);
    if (result == NN_OK) return NN_OK;
    nn__average_undo(trainer, copies, taken, given, rounded, site);
    return result;
}

NN_PRIVATE void nn__average_mark(nn_trainer *trainer, bool swapped) {
    if (swapped == trainer->swapped) return;
    trainer->swapped = swapped;
    for (int i = 0; i < trainer->trained_count; i++)
        trainer->trained[i].parameter->averaged = swapped;
}

/* Returns NN_OK if there is an average and nothing is under way. */
static nn_result nn__average_ready(nn_trainer *trainer, nn_site site, const char *who) {
    nn_result result = nn__trainer_idle(trainer, site, who);
    if (result == NN_OK && !trainer->swapped)
        result = nn__average_check_in_place(trainer, site, who);
    if (result != NN_OK) return result;
    if (!trainer->averages)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the trainer keeps no average; give nn_trainer_desc.average", who);
    if (trainer->averaged > 0) return NN_OK;
    return nn__fail_at(
        trainer->nn, site, NN_ERROR_ARGUMENT,
        "%s: nothing was averaged so far: %lld updates were done, and the average begins after "
        "%lld",
        who, (long long)trainer->step,
        (long long)(trainer->desc.average.start + nn__max64(trainer->desc.average.every, 1)));
}

static nn_result nn__inside_swap_average(nn_site site, nn_trainer *trainer) {
    const char *const who = "nn_swap_average";
    nn_context *nn;
    nn_tensor **copies;
    nn_result result;
    size_t bytes;
    if (nn__trainer_gone(trainer, site, who)) return NN_ERROR_ARGUMENT;
    nn = trainer->nn;
    result = nn__average_ready(trainer, site, who);
    if (trainer->deals) result = nn__trainer_agree(trainer, result, site, who);
    if (result != NN_OK) return result;
    bytes = sizeof(nn_tensor *) * (size_t)trainer->trained_count;
    copies = (nn_tensor **)nn__allocate_for(nn, who, bytes);
    if (!copies) return nn__updated_here(trainer, NN_ERROR_MEMORY, site, who);
    nn__install_cast(nn);
    nn__install_code_equal(nn);
    nn__install_code_select(nn);
    result = nn__average_copy(trainer, copies, site);
    const bool copied = result == NN_OK;
    nn__weights_change(nn);
    if (copied) result = nn__average_exchange(trainer, copies, site);
    const bool exchanged = result == NN_OK;
    result = nn__updated_here(trainer, result, site, who);
    if (exchanged && result != NN_OK) {
        const int all = trainer->trained_count;
        nn__average_undo(trainer, copies, all, all, all, site);
    }
    for (int i = 0; i < trainer->trained_count && copied; i++) nn_free_tensor(copies[i]);
    if (result == NN_OK) nn__average_mark(trainer, !trainer->swapped);
    nn__release(&nn->memory, copies, bytes);
    return result;
}

NN_API nn_result nn_swap_average_at(nn_site site, nn_trainer *trainer) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_swap_average", site,
                     nn__inside_swap_average(site, trainer));
}

#endif /* NN__NO_TRAINER */

typedef int nn__average_part; /* a part must not be empty under NN__NO_TRAINER */
