/* train/fit_checkpoint.c - checkpoints of nn_fit after epochs and steps, and the copy of the best
   epoch. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

#ifndef NN_NO_FILES
/* A text that grows. */
typedef struct nn__fit_text {
    nn__memory *memory;
    char *data;
    size_t length, room;
    bool failed; /* no memory */
} nn__fit_text;

static void nn__fit_write(void *user, const char *text, size_t length) {
    nn__fit_text *out = (nn__fit_text *)user;
    if (out->length + length > out->room && !out->failed) {
        size_t room = 2 * (out->length + length) + 1024;
        char *data = (char *)nn__allocate(out->memory, room);
        out->failed = data == NULL;
        if (out->failed) return;
        if (out->length > 0) memcpy(data, out->data, out->length);
        nn__release(out->memory, out->data, out->room);
        out->data = data;
        out->room = room;
    }
    if (out->failed || length == 0) return;
    memcpy(out->data + out->length, text, length);
    out->length += length;
}

static nn_writer nn__fit_write_to(nn__fit_text *out, nn_context *nn) {
    nn_writer writer;
    memset(out, 0, sizeof *out);
    out->memory = &nn->memory;
    writer.function = nn__fit_write;
    writer.user = out;
    return writer;
}

/* Each rank has its own history, or none: if one rank has no memory for it, all learn of that. */
static nn_result nn__fit_agree(nn__fit *fit, const nn__fit_text *text, nn_result mine) {
    if (mine == NN_OK && text->failed)
        mine = nn__fail_memory(fit->trainer->nn, "nn_fit: the history", text->length);
    return nn__trainer_agree(fit->trainer, mine, fit->site, "nn_fit");
}

static nn_result nn__fit_save(nn__fit *fit, const char *path, int32_t keep) {
    nn_checkpoint_desc desc;
    nn__fit_text text;
    nn_writer writer = nn__fit_write_to(&text, fit->trainer->nn);
    nn_result result;
    memset(&desc, 0, sizeof desc);
    desc.loader = fit->train;
    desc.progress = &fit->progress;
    desc.keep = keep;
    if (fit->desc.history) {
        fit->desc.history->calls->write(fit->desc.history, writer);
        nn__fit_write(&text, "", 1);
        desc.text = text.data;
    }
    result = nn__fit_agree(fit, &text, NN_OK);
    if (result == NN_OK) result = nn_save_checkpoint_at(fit->site, fit->trainer, path, &desc);
    nn__release(text.memory, text.data, text.room);
    return result;
}

/* Saves a checkpoint if one is due after a step (result: from the callback) or an epoch. */
static nn_result nn__fit_checkpoint(nn__fit *fit, nn_result result) {
    const nn_fit_checkpoint *checkpoint = &fit->desc.checkpoint;
    bool due = fit->progress.epoch_ended || result == NN_CANCELLED ||
               (checkpoint->every > 0 && nn_trainer_step(fit->trainer) % checkpoint->every == 0);
    nn_result saved;
    char path[512];
    /* A checkpoint contains no gradients, so it is written only between updates. */
    due = due && fit->trainer->backwards == 0;
    if (!checkpoint->path || !due || (result != NN_OK && result != NN_CANCELLED)) return result;
    saved = nn__fit_save(fit, checkpoint->path, checkpoint->keep);
    if (saved == NN_OK && fit->progress.epoch_ended && checkpoint->best && fit->improved) {
        nn__format(path, sizeof path, "%s.best", checkpoint->path);
        saved = nn__fit_save(fit, path, 1);
    }
    return saved == NN_OK ? result : saved;
}

static nn_result nn__fit_resume(nn__fit *fit) {
    const nn_fit_checkpoint *checkpoint = &fit->desc.checkpoint;
    nn_checkpoint_desc desc;
    nn__fit_text text;
    nn_result result;
    nn_group *group = fit->trainer->desc.group;
    int32_t epochs = fit->progress.epochs;
    bool there = checkpoint->resume && nn_has_checkpoint(fit->trainer->nn, checkpoint->path);
    if (nn__ranks(group) > 1) { /* rank 0 reads the file */
        result = nn__head(group)->calls->group_broadcast(group, &there, sizeof there, 0, fit->site,
                                                     "nn_fit");
        if (result != NN_OK) return result;
    }
    if (!there) return NN_OK;
    memset(&desc, 0, sizeof desc);
    desc.loader = fit->train;
    desc.progress = &fit->progress;
    desc.text_to = nn__fit_write_to(&text, fit->trainer->nn);
    result = nn_load_checkpoint_at(fit->site, fit->trainer, checkpoint->path, &desc);
    if (result == NN_OK) {
        if (fit->desc.history && text.length > 0 && !text.failed)
            result = fit->desc.history->calls->read(fit->site, fit->desc.history, text.data,
                                                    text.length);
        result = nn__fit_agree(fit, &text, result);
    }
    nn__release(text.memory, text.data, text.room);
    if (result != NN_OK) return result;
    fit->progress.epochs = epochs;
    fit->progress.stopped =
        fit->desc.stop.patience > 0 && fit->progress.stop_epochs >= fit->desc.stop.patience;
    fit->progress.batches = nn_batches_per_epoch(fit->train);
    if (fit->desc.last) *fit->desc.last = fit->progress;
    if (fit->progress.epoch_ended && fit->progress.epoch < epochs)
        nn_start_epoch(fit->train, nn_loader_epoch(fit->train) + 1);
    fit->resumed = fit->progress.epoch > 0 && !fit->progress.epoch_ended;
    return NN_OK;
}

/* Loads the trainer's state after the best epoch. */
static nn_result nn__fit_restore_file(nn__fit *fit) {
    char path[512];
    if (!fit->desc.checkpoint.path) return NN_OK;
    nn__format(path, sizeof path, "%s.best", fit->desc.checkpoint.path);
    return nn_load_checkpoint_at(fit->site, fit->trainer, path, NULL);
}
static bool nn__fit_has_file(const nn__fit *fit) { return fit->desc.checkpoint.path != NULL; }
#else
static nn_result nn__fit_checkpoint(nn__fit *fit, nn_result result) { return (void)fit, result; }
static nn_result nn__fit_resume(nn__fit *fit) { return (void)fit, NN_OK; }
static nn_result nn__fit_restore_file(nn__fit *fit) { return (void)fit, NN_OK; }
static bool nn__fit_has_file(const nn__fit *fit) { return (void)fit, false; }
#endif

/* Copies the best epoch to memory if no file has it. */
static nn_result nn__fit_copy_best(nn__fit *fit) {
    if (!fit->desc.stop.restore_best || !fit->improved || nn__fit_has_file(fit)) return NN_OK;
    return nn__snapshot_trainer(fit->trainer, &fit->kept, fit->site);
}

static nn_result nn__fit_restore(nn__fit *fit) {
    if (!fit->desc.stop.restore_best) return NN_OK;
    const nn_result result = nn__restore_trainer(fit->trainer, &fit->kept, fit->site);
    return result == NN_OK ? nn__fit_restore_file(fit) : result;
}

NN_API const nn_checkpoint_calls *nn_checkpoints(void) {
    static const nn_checkpoint_calls calls = {nn__fit_checkpoint, nn__fit_resume, nn__fit_copy_best,
                                              nn__fit_restore, nn__drop_snapshot};
    return &calls;
}

#endif /* NN__NO_TRAINER */

typedef int nn__fit_checkpoint_part; /* a part must not be empty under NN__NO_TRAINER */
