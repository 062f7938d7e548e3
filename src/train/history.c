/* train/history.c - the records of a training run, in memory and as JSON lines, and nn_fit's
   measurements for them. train/history_read.c reads the lines. */
#include "train/private.h"

#include <math.h>

#ifndef NN__NO_TRAINER

/* ---- making ---------------------------------------------------------------------------------- */

static void nn__history_destroy(nn__owned *owned) {
    nn_history *history = (nn_history *)(void *)owned;
    nn__memory *memory = &history->nn->memory;
    nn__disown(owned);
    nn__release(memory, history->records, (size_t)history->room * sizeof *history->records);
    nn__release(memory, history, sizeof *history);
}

static nn_history *nn__inside_make_history(nn_site site, nn_context *nn,
                                           const nn_history_desc *desc) {
    static const nn__history_calls calls = {nn__check_history, nn_add_record_at, nn_write_history,
                                            nn_read_history_at};
    nn_history *history;
    if (!nn) return NULL;
    if (desc && desc->capacity < 0) {
        nn__fail_at(
            nn, site, NN_ERROR_ARGUMENT,
            "nn_make_history: capacity is %d; wanted a number of records, or 0 for as many as come",
            (int)desc->capacity);
        return NULL;
    }
    history = (nn_history *)nn__allocate_for(nn, "nn_make_history", sizeof *history);
    if (!history) return NULL;
    history->nn = nn;
    history->calls = &calls;
    if (desc) {
        history->capacity = desc->capacity;
        history->writer = desc->writer;
    }
    if (history->capacity > 0) {
        history->records = (nn_record *)nn__allocate_for(
            nn, "nn_make_history", (size_t)history->capacity * sizeof *history->records);
        if (!history->records) {
            nn__release(&nn->memory, history, sizeof *history);
            return NULL;
        }
        history->room = history->capacity;
    }
    nn__own(&nn->owned, &history->owned, nn__history_destroy);
    return history;
}

NN_API nn_history *nn_make_history_at(nn_site site, nn_context *nn, const nn_history_desc *desc) {
    if (!nn__enter(nn, "nn_make_history", site)) return NULL;
    nn_history *made = nn__inside_make_history(site, nn, desc);
    nn__leave(nn, NN_OK);
    return made;
}

static void nn__inside_free_history(nn_history *history) {
    if (history) nn__history_destroy(&history->owned);
}

NN_API void nn_free_history(nn_history *history) {
    nn_context *nn = history ? history->nn : NULL;
    if (!nn__enter(nn, "nn_free_history", nn_make_site(NULL, 0))) return;
    nn__inside_free_history(history);
    nn__leave(nn, NN_OK);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void nn__history_text(const nn_writer *writer, const char *text) {
    nn__print(writer, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            nn__print(writer, "\\%c", *text);
        else if ((unsigned char)*text < 32)
            nn__print(writer, "\\u%04x", (unsigned)*text);
        else
            nn__print(writer, "%c", *text);
    }
    nn__print(writer, "\"");
}

static void nn__history_number(const nn_writer *writer, const char *key, double value) {
    if (value - value == 0.0)
        nn__print(writer, "%s%.12g", key, value);
    else
        nn__print(writer, "%snull", key);
}

static void nn__history_report(const nn_history *history, const nn_writer *writer,
                               const nn_report *report) {
    nn__history_number(writer, "{\"loss\":", report->loss);
    nn__print(writer, ",\"samples\":%lld,\"metrics\":{", (long long)report->samples);
    for (int i = 0; i < history->metric_count; i++) {
        if (i > 0) nn__print(writer, ",");
        nn__history_text(writer, history->names[i]);
        nn__history_number(writer, ":", report->metrics[i]);
    }
    nn__print(writer, "}}");
}

static void nn__history_line(const nn_history *history, const nn_writer *writer,
                             const nn_record *record) {
    nn__print(writer,
              "{\"epoch\":%d,\"epoch_ended\":%s,\"step\":%lld,\"train\":", (int)record->epoch,
              record->epoch_ended ? "true" : "false", (long long)record->train.step);
    nn__history_report(history, writer, &record->train);
    nn__print(writer, ",\"validation\":");
    if (record->validation.samples > 0)
        nn__history_report(history, writer, &record->validation);
    else
        nn__print(writer, "null");
    if (record->learning_rate - record->learning_rate == 0.0f)
        nn__print(writer, ",\"learning_rate\":%.8g", (double)record->learning_rate);
    else
        nn__print(writer, ",\"learning_rate\":null");
    nn__print(writer, ",\"steps\":%lld", (long long)record->steps);
    nn__history_number(writer, ",\"seconds\":", record->seconds);
    nn__history_number(writer, ",\"step_seconds\":", record->step_seconds);
    nn__history_number(writer, ",\"wait_seconds\":", record->wait_seconds);
    nn__print(writer, ",\"uploaded\":%llu,\"downloaded\":%llu,\"between\":%llu",
              (unsigned long long)record->uploaded, (unsigned long long)record->downloaded,
              (unsigned long long)record->between);
    nn__history_number(writer, ",\"samples_a_second\":", record->samples_a_second);
    nn__print(writer, "}\n");
}

NN_API void nn_write_history(const nn_history *history, nn_writer writer) {
    for (int i = 0; history && i < history->count; i++)
        nn__history_line(history, &writer, &history->records[i]);
}

/* ---- adding ---------------------------------------------------------------------------------- */

static nn_result nn__history_grow(nn_history *history) {
    int32_t room = history->room > 0 ? history->room * 2 : 16;
    nn_record *records;
    if (history->room > INT32_MAX / 2 / (int32_t)sizeof *records)
        return nn__fail_memory(history->nn, "nn_add_record", UINT32_MAX);
    records =
        (nn_record *)nn__allocate_for(history->nn, "nn_add_record", (size_t)room * sizeof *records);
    if (!records) return NN_ERROR_MEMORY;
    if (history->count > 0)
        memcpy(records, history->records, (size_t)history->count * sizeof *records);
    nn__release(&history->nn->memory, history->records, (size_t)history->room * sizeof *records);
    history->records = records;
    history->room = room;
    return NN_OK;
}

NN_PRIVATE void nn__history_append(nn_history *history, const nn_record *record) {
    if (history->count == history->room) /* It cannot grow: the oldest record is dropped. */
        memmove(history->records, history->records + 1, (size_t)--history->count * sizeof *record);
    history->records[history->count++] = *record;
}

NN_PRIVATE nn_result nn__check_history(nn_site site, const nn_history *history,
                                       const nn_trainer *trainer, const char *who) {
    bool same = history->metric_count == nn__report_metrics(trainer);
    for (int i = 0; i < history->metric_count && same; i++)
        same = strcmp(history->names[i], trainer->desc.metrics.node[i]->name) == 0;
    if (same || history->count == 0) return NN_OK;
    return nn__fail_at(history->nn, site, NN_ERROR_ARGUMENT,
                       "%s: the history has %d metrics, the first is \"%s\"; the trainer has %d, "
                       "the first is \"%s\"; "
                       "make another history",
                       who, history->metric_count,
                       history->metric_count > 0 ? history->names[0] : "", trainer->metric_count,
                       trainer->metric_count > 0 ? trainer->desc.metrics.node[0]->name : "");
}

static nn_result nn__inside_add_record(nn_site site, nn_history *history, const nn_trainer *trainer,
                                       const nn_record *record) {
    nn_result result;
    if (!history) return NN_ERROR_ARGUMENT;
    if (!trainer || !record)
        return nn__fail_at(history->nn, site, NN_ERROR_ARGUMENT, "nn_add_record: %s is NULL",
                           trainer ? "record" : "trainer");
    if (nn__trainer_gone(trainer, site, "nn_add_record")) return NN_ERROR_ARGUMENT;
    result = nn__check_history(site, history, trainer, "nn_add_record");
    if (result == NN_OK && history->count == history->room && history->capacity == 0)
        result = nn__history_grow(history);
    if (result != NN_OK) return result;
    history->metric_count = nn__report_metrics(trainer);
    for (int i = 0; i < history->metric_count; i++)
        nn__copy_text(history->names[i], NN_NAME_BYTES, trainer->desc.metrics.node[i]->name);
    nn__history_append(history, record);
    if (history->writer.function) nn__history_line(history, &history->writer, record);
    return NN_OK;
}

NN_API nn_result nn_add_record_at(nn_site site, nn_history *history, const nn_trainer *trainer,
                                  const nn_record *record) {
    return NN__ALONE(history ? history->nn : NULL, "nn_add_record", site,
                     nn__inside_add_record(site, history, trainer, record));
}

NN_API int nn_history_count(const nn_history *history) { return history ? history->count : 0; }
NN_API const nn_record *nn_history_at(const nn_history *history, int i) {
    return history && i >= 0 && i < history->count ? &history->records[i] : NULL;
}
NN_API int nn_history_metrics(const nn_history *history) {
    return history ? history->metric_count : 0;
}
NN_API const char *nn_history_metric(const nn_history *history, int i) {
    return history && i >= 0 && i < history->metric_count ? history->names[i] : NULL;
}

/* ---- measurements of nn_fit ------------------------------------------------------------------ */

NN_PRIVATE void nn__meter_start(nn__meter *meter, const nn_trainer *trainer) {
    meter->since = nn__now(&trainer->nn->clock);
    meter->waited = 0;
    meter->step = trainer->step;
    for (int i = 0; i < 3; i++) meter->bytes[i] = nn_ledger_bytes(trainer->nn, (nn_crossing)i);
}

NN_PRIVATE bool nn__meter_next_batch(nn__meter *meter, nn_site site, const nn_trainer *trainer,
                                     nn_loader *loader) {
    uint64_t start = nn__now(&trainer->nn->clock);
    bool more = nn_next_batch_at(site, loader);
    meter->waited += nn__now(&trainer->nn->clock) - start;
    return more;
}

/* If the ledger was reset in between, this counts from the reset. */
static uint64_t nn__meter_bytes(const nn__meter *meter, const nn_trainer *trainer,
                                nn_crossing crossing) {
    uint64_t now = nn_ledger_bytes(trainer->nn, crossing), before = meter->bytes[crossing];
    return now >= before ? now - before : now;
}

NN_PRIVATE void nn__meter_read(const nn__meter *meter, const nn_trainer *trainer,
                               nn_record *record) {
    double seconds = (double)(nn__now(&trainer->nn->clock) - meter->since) * 1e-9;
    int64_t steps = trainer->step - meter->step;
    memset(record, 0, sizeof *record);
    record->learning_rate =
        nn_scheduled_rate(&trainer->desc.schedule, trainer->desc.learning_rate,
                          trainer->step > 0 ? trainer->step - 1 : 0);
    record->uploaded = nn__meter_bytes(meter, trainer, NN_CROSS_UPLOAD);
    record->downloaded = nn__meter_bytes(meter, trainer, NN_CROSS_DOWNLOAD);
    record->between = nn__meter_bytes(meter, trainer, NN_CROSS_DEVICE);
    if (steps <= 0) return;
    record->steps = steps;
    record->step_seconds = seconds / (double)steps;
    record->wait_seconds = (double)meter->waited * 1e-9 / (double)steps;
}

#endif /* NN__NO_TRAINER */

typedef int nn__history_part; /* a part must not be empty under NN__NO_TRAINER */
