/* train/fit.c - epochs with a validation after each, checkpoints, and lines that tell how the
   training goes. The loop calls only public functions: copy it into your program and change it.
   Only the lines of progress use private ones. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

#include <math.h>

/* ---- lines ----------------------------------------------------------------------------------- */

/* A line is built first, so that a terminal's longer line before it can be blanked out. */
typedef struct nn__fit_line {
    nn_writer writer;
    bool terminal;
    size_t shown; /* length of the line that the cursor stands behind; 0: at the start of a line */
} nn__fit_line;

static void nn__fit_number(const nn_writer *writer, const char *name, double value) {
    bool tiny = value != 0.0 && value < 0.001 && value > -0.001;
    if (tiny)
        nn__print(writer, "  %s %.3g", name, value);
    else
        nn__print(writer, "  %s %.4f", name, value);
}

static void nn__fit_report(const nn_writer *writer, const nn_trainer *trainer,
                           const nn_report *report, const char *loss) {
    nn__fit_number(writer, loss, report->loss);
    for (int i = 0; i < trainer->metric_count; i++)
        nn__fit_number(writer, nn_node_name(trainer->desc.metrics[i]), report->metrics[i]);
}

static void nn__fit_show(nn__fit_line *line, const nn_trainer *trainer,
                         const nn_progress *progress) {
    char text[1024];
    nn_text out;
    nn_writer writer;
    if (!line->writer.function || (!line->terminal && !progress->epoch_ended)) return;
    writer = nn__write_into(&out, text, sizeof text);
    nn__print(&writer, "epoch %d/%d", (int)progress->epoch, (int)progress->epochs);
    if (!progress->epoch_ended)
        nn__print(&writer, "  batch %d/%d", (int)progress->batch, (int)progress->batches);
    nn__fit_report(&writer, trainer, &progress->train, "loss");
    if (progress->validation.samples > 0)
        nn__fit_report(&writer, trainer, &progress->validation, "validation loss");
    nn__print(&writer, "  %.1f s", progress->seconds);
    if (line->terminal)
        nn__print(&line->writer, "\r%-*s", (int)line->shown, text);
    else
        nn__print(&line->writer, "%s", text);
    line->shown = strlen(text);
    if (!progress->epoch_ended) return;
    nn__print(&line->writer, "\n");
    line->shown = 0;
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* Mean of what was reported so far in the epoch and what came since. */
static void nn__fit_merge(nn_trainer *trainer, nn_report *mean, const nn_report *more) {
    const bool first = mean->samples == 0;
    int64_t samples = mean->samples + more->samples;
    double a = samples > 0 ? (double)mean->samples / (double)samples : 0.0,
           b = samples > 0 ? (double)more->samples / (double)samples : 0.0;
    const double counted = mean->counted + more->counted;
    if (mean->counted == 0.0)
        mean->loss = more->loss;
    else
        mean->loss =
            mean->loss * (mean->counted / counted) + more->loss * (more->counted / counted);
    mean->counted = counted;
    for (int i = 0; i < NN__METRICS; i++) {
        mean->metrics[i] =
            mean->samples == 0 ? more->metrics[i] : mean->metrics[i] * a + more->metrics[i] * b;
    }
    mean->samples = samples;
    mean->step = more->step;
    nn__trainer_merge_sums(trainer, mean, first);
}

/* One nn_fit. */
typedef struct nn__fit {
    nn_site site;
    nn_trainer *trainer;
    nn_loader *train;
    nn_fit_desc desc;
    nn_progress progress;
    nn__fit_line line;
    nn__meter meter;
    uint64_t start;
    nn_loader_use use; /* what the loader had used when the epoch began */
    double seconds;    /* that the steps of the epoch took */
    bool warned;
    bool resumed;   /* in the middle of an epoch, which goes on */
    bool improved;  /* the epoch that ended is the best so far */
    nn__kept kept;  /* it, with stop.restore_best and no file */
} nn__fit;

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

/* Each rank has a history of its own, or none: where one of them had no memory, all know. */
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
        nn_write_history(fit->desc.history, writer);
        nn__fit_write(&text, "", 1);
        desc.text = text.data;
    }
    result = nn__fit_agree(fit, &text, NN_OK);
    if (result == NN_OK) result = nn_save_checkpoint_at(fit->site, fit->trainer, path, &desc);
    nn__release(text.memory, text.data, text.room);
    return result;
}

/* After a step (result: what the callback said) or at the end of an epoch. */
static nn_result nn__fit_checkpoint(nn__fit *fit, nn_result result) {
    const nn_fit_checkpoint *checkpoint = &fit->desc.checkpoint;
    bool due = fit->progress.epoch_ended || result == NN_CANCELLED ||
               (checkpoint->every > 0 && nn_trainer_step(fit->trainer) % checkpoint->every == 0);
    nn_result saved;
    char path[512];
    /* A checkpoint has no gradients, so that it is written between updates only. */
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
    if (nn_group_size(group) > 1) { /* the files are those of rank 0 */
        result = nn__group_broadcast(group, &there, sizeof there, 0, fit->site, "nn_fit");
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
            result = nn_read_history_at(fit->site, fit->desc.history, text.data, text.length);
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

/* The trainer as it was after the best epoch. */
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

/* The best epoch in memory, where no file has it. */
static nn_result nn__fit_keep(nn__fit *fit) {
    if (!fit->desc.stop.restore_best || !fit->improved || nn__fit_has_file(fit)) return NN_OK;
    return nn__keep_trainer(fit->trainer, &fit->kept, fit->site);
}

static nn_result nn__fit_restore(nn__fit *fit) {
    if (!fit->desc.stop.restore_best) return NN_OK;
    const nn_result result = nn__restore_trainer(fit->trainer, &fit->kept, fit->site);
    return result == NN_OK ? nn__fit_restore_file(fit) : result;
}

/* One record of the steps since the last one. */
static nn_result nn__fit_record(const nn__fit *fit, const nn_report *report, nn_record *record) {
    const nn_progress *progress = &fit->progress;
    if (!fit->desc.history) return NN_OK;
    record->epoch = progress->epoch;
    record->epoch_ended = progress->epoch_ended;
    record->train = *report;
    record->validation = progress->validation;
    record->seconds = progress->seconds;
    if (record->step_seconds > 0.0)
        record->samples_a_second =
            (double)report->samples / (record->step_seconds * (double)record->steps);
    return nn_add_record_at(fit->site, fit->desc.history, fit->trainer, record);
}

/* Once: what a user of a slow loader should know. */
static void nn__fit_warn(nn__fit *fit) {
    const nn_writer *log = &fit->trainer->nn->log;
    nn_loader_use use = nn_get_loader_use(fit->train);
    double data = (double)(use.data_ns - fit->use.data_ns) * 1e-9;
    double device = (double)(use.wait_ns - fit->use.wait_ns) * 1e-9 - data;
    if (fit->warned || !log->function || data <= 0.1 * fit->seconds || data <= device) return;
    fit->warned = true;
    nn__print(log,
              "nn: nn_fit: epoch %d: its steps waited for data for %.0f %% of %.3g s, for the "
              "device for %.0f %%; "
              "raise nn_loader_desc.workers (now %d), or set .on_device, or leave fields u8\n",
              (int)fit->progress.epoch, 100.0 * data / fit->seconds, fit->seconds,
              100.0 * device / fit->seconds,
              fit->train->ring && fit->train->ring->crew ? fit->train->ring->worker_count : 0);
}

/* Reads the report of the steps since the last one, adds it to the epoch's, shows it, asks the
   callback. */
static nn_result nn__fit_tell(nn__fit *fit) {
    nn_progress *progress = &fit->progress;
    const nn_fit_desc *desc = &fit->desc;
    nn_report report;
    nn_record record;
    nn_result result = nn_read_report_at(fit->site, fit->trainer, &report);
    result = nn__trainer_agree(fit->trainer, result, fit->site, "nn_fit");
    if (result != NN_OK) return result;
    nn__meter_read(&fit->meter, fit->trainer, &record);
    fit->seconds += record.step_seconds * (double)record.steps;
    if (progress->epoch_ended) nn__fit_warn(fit);
    nn__fit_merge(fit->trainer, &progress->train, &report);
    if (progress->epoch_ended && desc->validation)
        result = nn_evaluate_at(fit->site, fit->trainer, desc->validation, &progress->validation);
    if (result != NN_OK) return result;
    progress->seconds = (double)(nn__now(&fit->trainer->nn->clock) - fit->start) * 1e-9;
    if (progress->epoch_ended) {
        double loss =
            progress->validation.samples > 0 ? progress->validation.loss : progress->train.loss;
        const bool first = progress->best_epoch == 0;
        if (desc->plateau.on) {
            float *rate = &fit->trainer->desc.learning_rate;
            *rate = nn__plateau_rate(&desc->plateau, progress, first, loss, *rate);
        }
        if (desc->stop.patience > 0) nn__stop_watch(&desc->stop, progress, first, loss);
        fit->improved = first || loss < progress->best;
        if (fit->improved) progress->best = loss, progress->best_epoch = progress->epoch;
        /* Where a resumed run has them and this one does not, they begin with what is best now. */
        if (!desc->plateau.on) progress->plateau_best = progress->best;
        if (desc->stop.patience == 0) progress->stop_best = progress->best;
    }
    nn__fit_show(&fit->line, fit->trainer, progress);
    result = nn__fit_record(fit, &report, &record);
    if (result == NN_OK) {
        nn__meter_start(&fit->meter, fit->trainer);
        if (desc->last) *desc->last = *progress;
        if (desc->callback && !desc->callback(desc->user, progress)) result = NN_CANCELLED;
    }
    return nn__trainer_agree(fit->trainer, result, fit->site, "nn_fit");
}

/* Steps until something is to be seen of them: a report, a checkpoint, the end of the epoch. */
static int32_t nn__fit_alone(const nn__fit *fit, int32_t every) {
    const nn_progress *progress = &fit->progress;
    int32_t steps = nn__maxi(progress->batches - progress->batch, 1);
    if (every > 0) steps = nn__mini(steps, every - progress->batch % every);
#ifndef NN_NO_FILES
    const int64_t saves = fit->desc.checkpoint.every;
    if (saves > 0)
        steps = (int32_t)nn__min64(steps, saves - nn_trainer_step(fit->trainer) % saves);
#endif
    return steps;
}

/* One epoch: the remaining batches of the loader's epoch, or its next one. */
static nn_result nn__fit_epoch(nn__fit *fit) {
    nn_progress *progress = &fit->progress;
    int32_t every = fit->desc.report_every;
    nn_result result = NN_OK;
    bool cancelled = false;
    if (!fit->resumed) {
        memset(&progress->train, 0, sizeof progress->train);
        memset(&progress->validation, 0, sizeof progress->validation);
        progress->batch = 0;
    }
    fit->resumed = false;
    progress->batches = nn_batches_per_epoch(fit->train);
    progress->epoch_ended = false;
    if (every <= 0 && fit->line.terminal && fit->line.writer.function)
        every = progress->batches / 20 > 0 ? progress->batches / 20 : 1;
    if (nn_group_size(fit->trainer->desc.group) > 1)
        result = nn__group_broadcast(fit->trainer->desc.group, &every, sizeof every, 0, fit->site,
                                     "nn_fit");
    /* An epoch that was left by a break is not gone on with. */
    if (fit->train->holds)
        nn_start_epoch(fit->train, nn_loader_epoch(fit->train) + 1);
    nn__meter_start(&fit->meter, fit->trainer);
    fit->use = nn_get_loader_use(fit->train);
    fit->seconds = 0.0;
    while (result == NN_OK &&
           nn__meter_next_batch(&fit->meter, fit->site, fit->trainer, fit->train)) {
        result = nn__train_some(fit->trainer, fit->train, nn__fit_alone(fit, every),
                                &progress->batch, fit->site, "nn_train_step");
        if (result != NN_OK) return result;
        if (every > 0 && progress->batch % every == 0 && progress->batch < progress->batches)
            result = nn__fit_tell(fit);
        cancelled |= result == NN_CANCELLED;
        /* The batches of one update stay together: it is done before the training ends. */
        if (cancelled && result >= 0)
            result = fit->trainer->backwards > 0 ? NN_OK : NN_CANCELLED;
        result = nn__fit_checkpoint(fit, result);
    }
    if (result != NN_OK) return result;
    if (nn_loader_result(fit->train) != NN_END) return nn_loader_result(fit->train);
    if (fit->trainer->backwards > 0) result = nn_update_at(fit->site, fit->trainer);
    if (result != NN_OK) return result;
    progress->epoch_ended = true;
    result = nn__fit_tell(fit);
    if (result == NN_OK)
        result = nn__trainer_agree(fit->trainer, nn__fit_keep(fit), fit->site, "nn_fit");
    if (cancelled && result == NN_OK) result = NN_CANCELLED;
    return nn__fit_checkpoint(fit, result);
}

/* Callbacks may not free what the loop goes on with, nor train with its loader. */
static void nn__fit_hold(nn__fit *fit, int more) {
    fit->trainer->nn->fits += more;
    fit->trainer->fits += more;
    fit->trainer->net->fits += more;
    fit->train->fits += more;
    if (fit->desc.validation) fit->desc.validation->fits += more;
}

/* What it was given, before anything begins. */
static nn_result nn__fit_check(nn_site site, nn_trainer *trainer, nn_loader *train,
                               const nn_fit_desc *desc) {
    if (!train)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT, "nn_fit: the loader is NULL");
    if (desc->epochs < 0)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "nn_fit: epochs is %d; wanted at least 1", (int)desc->epochs);
    if (desc->report_every < 0)
        return nn__fail_at(
            trainer->nn, site, NN_ERROR_ARGUMENT,
            "nn_fit: report_every is %d; wanted at least 1, or 0 for the ends of epochs",
            (int)desc->report_every);
#ifndef NN_NO_FILES
    if (desc->checkpoint.every < 0 || desc->checkpoint.keep < 0)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "nn_fit: checkpoint.every is %d, .keep %d; wanted steps or 0 for the "
                           "ends of epochs, and at "
                           "least 1 file",
                           (int)desc->checkpoint.every, (int)desc->checkpoint.keep);
#endif
    if (nn__fit_watch_fault(desc))
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT, "nn_fit: %s",
                           nn__fit_watch_fault(desc));
    if (desc->validation == train) {
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "nn_fit: validation is the loader that trains; make a second one");
    }
    if (train->fits > 0)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "nn_fit: the loader is read by the nn_fit that calls this callback, and "
                           "would lose its place; make a second one");
    return desc->history ? nn__check_history(site, desc->history, trainer, "nn_fit") : NN_OK;
}

static nn_result nn__inside_fit(nn_site site, nn_trainer *trainer, nn_loader *train,
                                const nn_fit_desc *desc) {
    nn__fit fit;
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_fit")) return NN_ERROR_ARGUMENT;
    memset(&fit, 0, sizeof fit);
    fit.site = site;
    fit.trainer = trainer;
    fit.train = train;
    if (desc) fit.desc = *desc;
    result = nn__fit_compare(trainer, &fit.desc, nn__fit_check(site, trainer, train, &fit.desc),
                             site);
    if (result != NN_OK) return result;
    if (fit.desc.progress && nn_group_rank(trainer->desc.group) <= 0)
        fit.line.writer = fit.desc.writer.function ? fit.desc.writer : trainer->nn->log;
    fit.line.terminal = fit.desc.terminal;
    fit.progress.epochs = fit.desc.epochs > 0 ? fit.desc.epochs : 1;
    fit.start = nn__now(&trainer->nn->clock);
    nn__fit_hold(&fit, 1);
    result = nn__fit_resume(&fit);
    if (!fit.resumed) fit.progress.epoch++;
    for (; fit.progress.epoch <= fit.progress.epochs && !fit.progress.stopped && result == NN_OK;
         fit.progress.epoch++)
        result = nn__fit_epoch(&fit);
    if (result == NN_OK) result = nn__fit_restore(&fit);
    nn__drop_kept(trainer, &fit.kept);
    nn__fit_hold(&fit, -1);
    if (fit.line.shown > 0) nn__print(&fit.line.writer, "\n");
    return result;
}

NN_API nn_result nn_fit_at(nn_site site, nn_trainer *trainer, nn_loader *train,
                           const nn_fit_desc *desc) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_fit", site,
                     nn__inside_fit(site, trainer, train, desc));
}

#endif /* NN_NO_TRAINING */

typedef int nn__fit_part; /* a part must not be empty under NN_NO_TRAINING */
