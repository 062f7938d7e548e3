/* train/average.c - averages of the weights that are trained (EMA, SWA): states of the trainer's
   tape beside its parameters, which move and are saved with it. Source of the formulas:
   torch.optim.swa_utils. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

NN_PRIVATE bool nn__describe_average(nn_trainer *trainer) {
    const size_t bytes = sizeof(nn_node *) * (size_t)trainer->trained_count;
    if (trainer->desc.average.kind == NN_AVERAGE_NONE) return true;
    trainer->averages = (nn_node **)nn__arena_take(&trainer->tape.arena, bytes);
    if (!trainer->averages) return nn__describe_no_memory(trainer);
    for (int i = 0; i < trainer->trained_count; i++) {
        const nn_node *parameter = trainer->trained[i].parameter;
        if (parameter->dtype != NN_F32) {
            nn__fail_at(trainer->nn, trainer->site, NN_ERROR_DTYPE,
                        "nn_make_trainer: average: \"%s\" is %s; only f32 parameters are "
                        "averaged: leave nn_model_desc.dtype, or .average",
                        parameter->name, nn_dtype_name(parameter->dtype));
            return false;
        }
        trainer->averages[i] =
            nn__describe_state(trainer, parameter, ".average", parameter->shape);
    }
    nn__install_update(trainer->nn);
    return true;
}

NN_PRIVATE nn_result nn__average_apart(const nn_trainer *trainer, nn_site site, const char *who) {
    if (!trainer->swapped) return NN_OK;
    return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                       "%s: the parameters hold their average; call nn_swap_average once more, "
                       "which puts them back",
                       who);
}

NN_PRIVATE nn_result nn__average_step(nn_trainer *trainer, nn_site site) {
    const nn_average_desc *average = &trainer->desc.average;
    const int64_t passed = trainer->step - average->start;
    float tau = 1.0f;
    nn_result result = NN_OK;
    if (!trainer->averages || passed <= 0 ||
        (average->every > 1 && passed % average->every != 0))
        return NN_OK;
    if (trainer->averaged > 0 && average->kind == NN_AVERAGE_SWA)
        tau = (float)(1.0 / (double)(trainer->averaged + 1));
    else if (trainer->averaged > 0)
        tau = (float)(1.0 - (average->decay == 0.0f
                                 ? 0.999
                                 : (double)nn__or_default(average->decay, 0.0f)));
    for (int i = 0; i < trainer->trained_count && result == NN_OK && tau > 0.0f; i++)
        result = nn__blend_one(trainer->averages[i]->tensor, trainer->trained[i].parameter->tensor,
                               tau, site);
    if (result == NN_OK) trainer->averaged++;
    return result;
}

/* The copies that the exchange goes by: all, or none and an error. */
static nn_result nn__average_copy(const nn_trainer *trainer, nn_tensor **copies, nn_site site) {
    for (int i = 0; i < trainer->trained_count; i++) {
        const nn_tensor *from = trainer->trained[i].parameter->tensor;
        copies[i] = nn_copy_to_at(site, from, from->device);
        if (copies[i]) continue;
        while (i-- > 0) nn_free_tensor(copies[i]);
        return trainer->nn->last_code;
    }
    return NN_OK;
}

static nn_result nn__inside_swap_average(nn_site site, nn_trainer *trainer) {
    const char *const who = "nn_swap_average";
    nn_context *nn;
    nn_tensor **copies;
    nn_result result;
    size_t bytes;
    if (nn__trainer_gone(trainer, site, who)) return NN_ERROR_ARGUMENT;
    nn = trainer->nn;
    result = nn__trainer_idle(trainer, site, who);
    if (result != NN_OK) return result;
    if (!trainer->averages)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "%s: the trainer keeps no average; give nn_trainer_desc.average", who);
    if (trainer->averaged == 0)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "%s: nothing was averaged so far: %lld updates were done, and the "
                           "average begins after %lld",
                           who, (long long)trainer->step,
                           (long long)(trainer->desc.average.start +
                                       nn__max64(trainer->desc.average.every, 1)));
    bytes = sizeof(nn_tensor *) * (size_t)trainer->trained_count;
    copies = (nn_tensor **)nn__allocate_for(nn, who, bytes);
    if (!copies) return NN_ERROR_MEMORY;
    result = nn__average_copy(trainer, copies, site);
    if (result == NN_OK) {
        for (int i = 0; i < trainer->trained_count; i++) {
            nn_tensor *parameter = trainer->trained[i].parameter->tensor;
            nn_tensor *average = trainer->averages[i]->tensor;
            if (result == NN_OK) result = nn_copy_at(site, parameter, average);
            if (result == NN_OK) result = nn_copy_at(site, average, copies[i]);
            nn_free_tensor(copies[i]);
        }
        if (result == NN_OK) trainer->swapped = !trainer->swapped;
    }
    nn__release(&nn->memory, copies, bytes);
    return result;
}

NN_API nn_result nn_swap_average_at(nn_site site, nn_trainer *trainer) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_swap_average", site,
                     nn__inside_swap_average(site, trainer));
}

#endif /* NN_NO_TRAINING */

typedef int nn__average_part; /* a part must not be empty under NN_NO_TRAINING */
