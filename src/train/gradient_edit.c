/* train/gradient_edit.c - reads, writes and clips gradients between nn_backward and nn_update. They
   are in their own states (train/describe_update.c). */
#include "train/private.h"

#ifndef NN__NO_TRAINER

#include <math.h>

/* ---- by name --------------------------------------------------------------------------------- */

/* Returns the state of a parameter's gradient; NULL and an error if there is none. */
static nn_tensor *nn__gradient_find(nn_trainer *trainer, const char *name, nn_site site,
                                    const char *who) {
    for (int i = 0; i < trainer->gradient_count && name; i++) {
        const nn__gradient *gradient = &trainer->gradients[i];
        if (strcmp(gradient->parameter->name, name) == 0) return gradient->state->tensor;
    }
    nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                "%s: \"%s\" is no parameter that this trainer trains; is it frozen, in a frozen "
                "group, or does it not lead to the loss?",
                who, name ? name : "(NULL)");
    return NULL;
}

/* Returns NN_OK if there are gradients to read. */
static nn_result nn__gradient_there(nn_trainer *trainer, nn_site site, const char *who) {
    nn_result result = nn__gradient_check(trainer, site, who);
    if (result != NN_OK || trainer->gathered) return result;
    return nn__fail_at(
        trainer->nn, site, NN_ERROR_ARGUMENT,
        "%s: there are no gradients yet; call nn_backward or nn_train_on_inputs first", who);
}

static nn_result nn__inside_read_gradient(nn_site site, nn_trainer *trainer, const char *name,
                                          void *to, size_t bytes) {
    const char *const who = "nn_read_gradient";
    nn_tensor *tensor;
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_read_gradient")) return NN_ERROR_ARGUMENT;
    result = nn__gradient_there(trainer, site, who);
    if (result != NN_OK) return result;
    tensor = nn__gradient_find(trainer, name, site, who);
    return tensor ? nn_download_tensor_at(site, tensor, to, bytes) : NN_ERROR_ARGUMENT;
}

NN_API nn_result nn_read_gradient_at(nn_site site, nn_trainer *trainer, const char *name, void *to,
                                     size_t bytes) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_read_gradient", site,
                     nn__inside_read_gradient(site, trainer, name, to, bytes));
}

static nn_result nn__inside_write_gradient(nn_site site, nn_trainer *trainer, const char *name,
                                           const void *from, size_t bytes) {
    const char *const who = "nn_write_gradient";
    nn_tensor *tensor;
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_write_gradient")) return NN_ERROR_ARGUMENT;
    result = nn__gradient_check(trainer, site, who);
    if (result != NN_OK) return result;
    tensor = nn__gradient_find(trainer, name, site, who);
    if (!tensor) return NN_ERROR_ARGUMENT;
    if (!from || bytes != nn__bytes(&tensor->view))
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "%s: \"%s\": %zu bytes were given%s; wanted %llu, f32", who, name, bytes,
                           from ? "" : " at NULL", (unsigned long long)nn__bytes(&tensor->view));
    if (trainer->backwards == 0) result = nn__gradient_clear(trainer);
    if (result == NN_OK) result = nn_upload_tensor_at(site, tensor, from, bytes);
    if (result != NN_OK) return result;
    if (trainer->backwards == 0) trainer->backwards = 1;
    trainer->gathered = true;
    return NN_OK;
}

NN_API nn_result nn_write_gradient_at(nn_site site, nn_trainer *trainer, const char *name,
                                      const void *from, size_t bytes) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_write_gradient", site,
                     nn__inside_write_gradient(site, trainer, name, from, bytes));
}

/* ---- clipping -------------------------------------------------------------------------------- */

/* Returns the program g * a, or g clamped to [-a, a]. */
static nn_program nn__gradient_program(bool clamp) {
    static const nn_instruction scale[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                           {NN_CODE_SCALAR, 0, 0, 0, 0.0f},
                                           {NN_CODE_MULTIPLY, 0, 1, 0, 0.0f}};
    static const nn_instruction limit[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                           {NN_CODE_SCALAR, 0, 0, 0, 0.0f},
                                           {NN_CODE_NEGATE, 1, 0, 0, 0.0f},
                                           {NN_CODE_CLAMP, 0, 2, 1, 0.0f}};
    nn_program program;
    memset(&program, 0, sizeof program);
    program.code = clamp ? limit : scale;
    program.count = clamp ? 4 : 3;
    program.input_count = program.output_count = program.scalar_count = 1;
    program.output[0] = (uint8_t)(program.count - 1);
    return program;
}

/* Runs the program over every gradient, on its device. */
static nn_result nn__gradient_change(nn_trainer *trainer, bool clamp, float a, nn_site site,
                                     const char *who) {
    nn_program_args args;
    nn_result result = NN_OK;
    nn__install_program(trainer->nn);
    nn__install_code_multiply(trainer->nn);
    nn__install_code_negate(trainer->nn);
    nn__install_code_clamp(trainer->nn);
    memset(&args, 0, sizeof args);
    args.program = nn__gradient_program(clamp);
    args.scalars[0] = a;
    for (int i = 0; i < trainer->gradient_count && result == NN_OK; i++) {
        const nn_tensor *tensor = trainer->gradients[i].state->tensor;
        args.inputs[0] = args.outputs[0] = tensor->view;
        result = nn__run_immediate(site, who, trainer->nn, tensor->device, NN_KERNEL_POINTWISE,
                                   &args, &args.scratch);
    }
    return result;
}

/* Reads back the norm of the gradients on the device of gradient `first`. */
static nn_result nn__gradient_norm(nn_trainer *trainer, int first, nn_site site, const char *who,
                                   float *norm) {
    const nn_tensor *numbers = trainer->norms[first]->tensor;
    nn_context *nn = trainer->nn;
    const size_t bytes = sizeof(nn_update_item) * (size_t)trainer->gradient_count;
    nn_update_item *items = (nn_update_item *)nn__allocate_for(nn, who, bytes);
    nn_clip_args args;
    nn_result result;
    if (!items) return NN_ERROR_MEMORY;
    memset(items, 0, bytes);
    memset(&args, 0, sizeof args);
    args.items = items;
    for (int i = first; i < trainer->gradient_count; i++)
        if (nn_same_device(trainer->gradients[i].state->tensor->device, numbers->device))
            items[args.count++].gradient = trainer->gradients[i].state->tensor->view;
    args.max_norm = 1.0f;
    args.scale = numbers->view;
    memset(&args.scale.shape, 0, sizeof args.scale.shape);
    args.norm = args.scale;
    args.norm.offset += sizeof(float);
    nn__install_update(nn);
    result = nn__run_immediate(site, who, nn, numbers->device, NN_KERNEL_CLIP, &args,
                               &args.scratch);
    if (result == NN_OK)
        result = nn__download(nn, numbers->device, &args.norm, norm, sizeof *norm, "norm", site);
    nn__release(&nn->memory, items, bytes);
    return result;
}

static nn_result nn__inside_clip_gradients(nn_site site, nn_trainer *trainer, float max_norm,
                                           float *norm) {
    const char *const who = "nn_clip_gradients";
    double squares = 0.0;
    nn_result result;
    float one = 0.0f;
    if (nn__trainer_gone(trainer, site, "nn_clip_gradients")) return NN_ERROR_ARGUMENT;
    result = nn__gradient_there(trainer, site, who);
    if (result == NN_OK && !(max_norm >= 0.0f))
        result = nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                             "%s: max_norm is %g; wanted at least 0", who, (double)max_norm);
    for (int i = 0; i < trainer->gradient_count && result == NN_OK; i++) {
        if (!trainer->norms[i]) continue; /* It shares the norm of an earlier one. */
        result = nn__gradient_norm(trainer, i, site, who, &one);
        squares += (double)one * (double)one;
    }
    if (result != NN_OK) return result;
    const float whole = (float)sqrt(squares), factor = max_norm / (whole + 1e-6f);
    if (!(factor >= 1.0f)) result = nn__gradient_change(trainer, false, factor, site, who);
    if (result == NN_OK && norm) *norm = whole;
    return result;
}

NN_API nn_result nn_clip_gradients_at(nn_site site, nn_trainer *trainer, float max_norm,
                                      float *norm) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_clip_gradients", site,
                     nn__inside_clip_gradients(site, trainer, max_norm, norm));
}

static nn_result nn__inside_clip_gradient_values(nn_site site, nn_trainer *trainer,
                                                 float max_value) {
    const char *const who = "nn_clip_gradient_values";
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_clip_gradient_values")) return NN_ERROR_ARGUMENT;
    result = nn__gradient_there(trainer, site, who);
    if (result == NN_OK && !(max_value >= 0.0f))
        result = nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                             "%s: max_value is %g; wanted at least 0", who, (double)max_value);
    return result == NN_OK ? nn__gradient_change(trainer, true, max_value, site, who) : result;
}

NN_API nn_result nn_clip_gradient_values_at(nn_site site, nn_trainer *trainer, float max_value) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_clip_gradient_values", site,
                     nn__inside_clip_gradient_values(site, trainer, max_value));
}

#endif /* NN__NO_TRAINER */

typedef int nn__gradient_edit_part; /* a part must not be empty under NN__NO_TRAINER */
