/* train/fit.c - epochs, with a validation after each, and lines that tell how it goes. The loop calls only
   what a user can call: copy it into your program and change it; the lines are the only private part. This is
   the last part of the library's upper floors. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

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

static void nn__fit_report(const nn_writer *writer, const nn_trainer *trainer, const nn_report *report,
                           const char *loss) {
    nn__fit_number(writer, loss, report->loss);
    for (int i = 0; i < trainer->metric_count; i++)
        nn__fit_number(writer, nn_node_name(trainer->desc.metrics[i]), report->metrics[i]);
}

static void nn__fit_show(nn__fit_line *line, const nn_trainer *trainer, const nn_progress *progress) {
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
static void nn__fit_merge(nn_report *mean, const nn_report *more) {
    int64_t samples = mean->samples + more->samples;
    double a = samples > 0 ? (double)mean->samples / (double)samples : 0.0,
           b = samples > 0 ? (double)more->samples / (double)samples : 0.0;
    mean->loss = mean->samples == 0 ? more->loss : mean->loss * a + more->loss * b;
    for (int i = 0; i < NN__METRICS; i++) {
        mean->metrics[i] =
            mean->samples == 0 ? more->metrics[i] : mean->metrics[i] * a + more->metrics[i] * b;
    }
    mean->samples = samples;
    mean->step = more->step;
}

/* One record of the steps since the last one. */
static nn_result nn__fit_record(nn_site site, const nn_trainer *trainer, const nn_fit_desc *desc,
                                const nn_progress *progress, const nn_report *report, nn_record *record) {
    if (!desc->history) return NN_OK;
    record->epoch = progress->epoch;
    record->epoch_ended = progress->epoch_ended;
    record->train = *report;
    record->validation = progress->validation;
    record->seconds = progress->seconds;
    if (record->step_seconds > 0.0)
        record->samples_a_second = (double)report->samples / (record->step_seconds * (double)record->steps);
    return nn_add_record_at(site, desc->history, trainer, record);
}

/* Reads the report of the steps since the last one, adds it to the epoch's, shows it, asks the callback. */
static nn_result nn__fit_tell(nn_site site, nn_trainer *trainer, const nn_fit_desc *desc,
                              nn_progress *progress, nn__fit_line *line, uint64_t start, nn__meter *meter) {
    nn_report report;
    nn_record record;
    nn_result result = nn_read_report_at(site, trainer, &report);
    if (result != NN_OK) return result;
    nn__meter_read(meter, trainer, &record);
    nn__fit_merge(&progress->train, &report);
    if (progress->epoch_ended && desc->validation)
        result = nn_evaluate_at(site, trainer, desc->validation, &progress->validation);
    if (result != NN_OK) return result;
    progress->seconds = (double)(nn__now(&trainer->nn->clock) - start) * 1e-9;
    nn__fit_show(line, trainer, progress);
    result = nn__fit_record(site, trainer, desc, progress, &report, &record);
    if (result != NN_OK) return result;
    nn__meter_start(meter, trainer);
    if (desc->last) *desc->last = *progress;
    return desc->callback && !desc->callback(desc->user, progress) ? NN_CANCELLED : NN_OK;
}

/* One epoch: the remaining batches of the loader's epoch, or its next one. */
static nn_result nn__fit_epoch(nn_site site, nn_trainer *trainer, nn_loader *train, const nn_fit_desc *desc,
                               nn_progress *progress, nn__fit_line *line, uint64_t start) {
    int32_t every = desc->report_every;
    nn_result result = NN_OK;
    nn__meter meter;
    memset(&progress->train, 0, sizeof progress->train);
    memset(&progress->validation, 0, sizeof progress->validation);
    progress->batch = 0;
    progress->batches = nn_batches_per_epoch(train);
    progress->epoch_ended = false;
    if (every <= 0 && line->terminal && line->writer.function)
        every = progress->batches / 20 > 0 ? progress->batches / 20 : 1;
    if (nn_loader_batch(train) > 0)
        nn_start_epoch(train, nn_loader_epoch(train) + 1); /* left in the middle by a break */
    nn__meter_start(&meter, trainer);
    while (result == NN_OK && nn__meter_next_batch(&meter, site, trainer, train)) {
        result = nn_train_step_at(site, trainer, train);
        if (result != NN_OK) return result;
        progress->batch++;
        if (every > 0 && progress->batch % every == 0 && progress->batch < progress->batches) {
            result = nn__fit_tell(site, trainer, desc, progress, line, start, &meter);
        }
    }
    if (result != NN_OK) return result;
    if (nn_loader_result(train) != NN_END) return nn_loader_result(train);
    progress->epoch_ended = true;
    return nn__fit_tell(site, trainer, desc, progress, line, start, &meter);
}

NN_API nn_result nn_fit_at(nn_site site, nn_trainer *trainer, nn_loader *train, const nn_fit_desc *desc) {
    nn_fit_desc filled;
    nn_progress progress;
    nn__fit_line line;
    nn_result result = NN_OK;
    uint64_t start;
    if (!trainer) return NN_ERROR_ARGUMENT;
    if (!train) return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT, "nn_fit: the loader is NULL");
    memset(&filled, 0, sizeof filled);
    memset(&progress, 0, sizeof progress);
    memset(&line, 0, sizeof line);
    if (desc) filled = *desc;
    if (filled.epochs < 0)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT, "nn_fit: epochs is %d; wanted at least 1",
                           (int)filled.epochs);
    if (filled.report_every < 0)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "nn_fit: report_every is %d; wanted at least 1, or 0 for the ends of epochs",
                           (int)filled.report_every);
    if (filled.validation == train) {
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "nn_fit: validation is the loader that trains; make a second one");
    }
    if (filled.history) result = nn__check_history(site, filled.history, trainer, "nn_fit");
    if (result != NN_OK) return result;
    if (filled.progress) line.writer = filled.writer.function ? filled.writer : trainer->nn->log;
    line.terminal = filled.terminal;
    progress.epochs = filled.epochs > 0 ? filled.epochs : 1;
    start = nn__now(&trainer->nn->clock);
    for (progress.epoch = 1; progress.epoch <= progress.epochs && result == NN_OK; progress.epoch++) {
        result = nn__fit_epoch(site, trainer, train, &filled, &progress, &line, start);
    }
    if (line.shown > 0) nn__print(&line.writer, "\n");
    return result;
}

#endif /* NN_NO_TRAINING */

typedef int nn__fit_part; /* a part must not be empty under NN_NO_TRAINING */
