/* train/fit.c - epochs with a validation after each, checkpoints, and progress lines. docs/train.md
   shows the same loop made of public calls. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

#include <math.h>

/* ---- lines ----------------------------------------------------------------------------------- */

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
    for (int i = 0; i < nn__report_metrics(trainer); i++)
        nn__fit_number(writer, nn_node_name(trainer->desc.metrics.node[i]), report->metrics[i]);
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

/* Merges a report into the epoch's mean so far. */
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
    for (int i = 0; i < NN_REPORT_METRICS; i++) {
        mean->metrics[i] =
            mean->samples == 0 ? more->metrics[i] : mean->metrics[i] * a + more->metrics[i] * b;
    }
    mean->samples = samples;
    mean->step = more->step;
    nn__trainer_merge_sums(trainer, mean, first);
}


/* Adds a record of the steps since the last one. */
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
    return fit->desc.history->calls->add(fit->site, fit->desc.history, fit->trainer, record);
}

/* Tells the user of a slow loader once. Epochs of less than 10 ms are too short to judge by. */
static void nn__fit_warn(nn__fit *fit) {
    const nn_writer *log = &fit->trainer->nn->log;
    nn_loader_use use = nn_loader_counters(fit->train);
    double data = (double)(use.data_ns - fit->use.data_ns) * 1e-9;
    double device = (double)(use.wait_ns - fit->use.wait_ns) * 1e-9 - data;
    if (fit->warned || !log->function || fit->seconds < 0.01) return;
    if (data <= 0.1 * fit->seconds || data <= device) return;
    fit->warned = true;
    nn__print(log,
              "nn: nn_fit: epoch %d: its steps waited for data for %.0f %% of %.3g s, for the "
              "device for %.0f %%; "
              "raise nn_loader_desc.workers (now %d), or set .on_device, or leave fields u8\n",
              (int)fit->progress.epoch, 100.0 * data / fit->seconds, fit->seconds,
              100.0 * device / fit->seconds,
              fit->train->ring && fit->train->ring->helpers ? fit->train->ring->worker_count : 0);
}

/* Reads the report of the steps since the last one, adds it to the epoch's, shows it and calls the
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
        /* A resumed run may have a plateau or a stop that this run lacks: then it begins with
           the current best. */
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

/* Returns the number of steps until the next report, checkpoint or end of the epoch. */
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

/* Runs one epoch: the remaining batches of the loader's epoch, or its next epoch. */
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
    if (nn__ranks(fit->trainer->desc.group) > 1)
        result = fit->trainer->sharing->group_broadcast(
            fit->trainer->desc.group, &every, sizeof every, 0, fit->site, "nn_fit");
    /* An epoch that the program left early is not continued. */
    if (fit->train->holds)
        nn_start_epoch(fit->train, nn_loader_epoch(fit->train) + 1);
    nn__meter_start(&fit->meter, fit->trainer);
    fit->use = nn_loader_counters(fit->train);
    fit->seconds = 0.0;
    while (result == NN_OK &&
           nn__meter_next_batch(&fit->meter, fit->site, fit->trainer, fit->train)) {
        result = nn__train_some(fit->trainer, fit->train, nn__fit_alone(fit, every),
                                &progress->batch, fit->site, "nn_train_step");
        if (result != NN_OK) return result;
        if (every > 0 && progress->batch % every == 0 && progress->batch < progress->batches)
            result = nn__fit_tell(fit);
        cancelled |= result == NN_CANCELLED;
        /* The batches of one update stay together: the update is done before the training ends. */
        if (cancelled && result >= 0)
            result = fit->trainer->backwards > 0 ? NN_OK : NN_CANCELLED;
        if (fit->keeps) result = fit->keeps->checkpoint(fit, result);
    }
    if (result != NN_OK) return result;
    if (nn_loader_result(fit->train) != NN_END) return nn_loader_result(fit->train);
    if (fit->trainer->backwards > 0) result = nn_update_at(fit->site, fit->trainer);
    if (result != NN_OK) return result;
    progress->epoch_ended = true;
    result = nn__fit_tell(fit);
    if (result == NN_OK && fit->keeps) result = fit->keeps->keep(fit);
    if (result == NN_OK) result = nn__trainer_agree(fit->trainer, result, fit->site, "nn_fit");
    if (cancelled && result == NN_OK) result = NN_CANCELLED;
    return fit->keeps ? fit->keeps->checkpoint(fit, result) : result;
}

/* Callbacks may not free objects that the loop still needs, nor train with its loader. */
static void nn__fit_hold(nn__fit *fit, int more) {
    fit->trainer->nn->fits += more;
    fit->trainer->fits += more;
    fit->trainer->net->fits += more;
    fit->train->fits += more;
    if (fit->desc.validation) fit->desc.validation->fits += more;
}

/* Only nn_fit_using_at can lack the functions that these need. */
static bool nn__fit_keeps(const nn_fit_desc *desc) {
#ifndef NN_NO_FILES
    if (desc->checkpoint.path) return true;
#endif
    return desc->stop.restore_best;
}

/* Checks the arguments before anything begins. */
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
    return desc->history ? desc->history->calls->check(site, desc->history, trainer, "nn_fit")
                         : NN_OK;
}

static nn_result nn__inside_fit(nn_site site, nn_trainer *trainer, nn_loader *train,
                                const nn_fit_desc *desc,
                                const nn_checkpoint_calls *checkpoints) {
    nn__fit fit;
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_fit")) return NN_ERROR_ARGUMENT;
    memset(&fit, 0, sizeof fit);
    fit.site = site;
    fit.trainer = trainer;
    fit.train = train;
    fit.keeps = checkpoints;
    if (desc) fit.desc = *desc;
    result = nn__fit_check(site, trainer, train, &fit.desc);
    if (result == NN_OK && !checkpoints && nn__fit_keeps(&fit.desc))
        result = nn__fail_at(trainer->nn, site, NN_ERROR_UNSUPPORTED,
                             "nn_fit: nn_fit_using_at was called without checkpoints, and %s is "
                             "given; give it nn_checkpoints()",
                             fit.desc.stop.restore_best ? ".stop.restore_best" : ".checkpoint");
    if (nn__ranks(trainer->desc.group) > 1)
        result = trainer->sharing->fit_compare(trainer, &fit.desc, result, site);
    if (result != NN_OK) return result;
    if (fit.desc.progress && nn__rank(trainer->desc.group) <= 0)
        fit.line.writer = fit.desc.writer.function ? fit.desc.writer : trainer->nn->log;
    fit.line.terminal = fit.desc.terminal;
    fit.progress.epochs = fit.desc.epochs > 0 ? fit.desc.epochs : 1;
    fit.start = nn__now(&trainer->nn->clock);
    nn__fit_hold(&fit, 1);
    if (checkpoints) result = checkpoints->resume(&fit);
    if (!fit.resumed) fit.progress.epoch++;
    for (; fit.progress.epoch <= fit.progress.epochs && !fit.progress.stopped && result == NN_OK;
         fit.progress.epoch++)
        result = nn__fit_epoch(&fit);
    if (result == NN_OK && checkpoints) result = checkpoints->restore(&fit);
    if (checkpoints) checkpoints->drop(trainer, &fit.kept);
    nn__fit_hold(&fit, -1);
    if (fit.line.shown > 0) nn__print(&fit.line.writer, "\n");
    return result;
}

NN_API nn_result nn_fit_using_at(nn_site site, nn_trainer *trainer, nn_loader *train,
                                 const nn_fit_desc *desc, const nn_checkpoint_calls *checkpoints) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_fit", site,
                     nn__inside_fit(site, trainer, train, desc, checkpoints));
}

NN_API nn_result nn_fit_at(nn_site site, nn_trainer *trainer, nn_loader *train,
                           const nn_fit_desc *desc) {
    return nn_fit_using_at(site, trainer, train, desc, nn_checkpoints());
}

#endif /* NN__NO_TRAINER */

typedef int nn__fit_part; /* a part must not be empty under NN__NO_TRAINER */
