/* train/history.h - how a training went: one record for each report of nn_fit, kept in memory,
   written and read as JSON lines. */
#pragma once

#include "train/trainer.h"

typedef struct nn_history nn_history;

/* Everything about the steps since the record before; times and bytes without those of
   validation. */
typedef struct nn_record {
    int32_t epoch;           /* from 1 */
    bool epoch_ended;        /* it is the epoch's last report */
    nn_report train;         /* means over these steps; train.step: the last of them */
    nn_report validation;    /* samples 0: there was none */
    float learning_rate;     /* of the last step */
    int64_t steps;           /* how many */
    double seconds;          /* from the first record of this nn_fit to now, validations included */
    double step_seconds;     /* of one step on average, waiting for data included */
    double wait_seconds;     /* of one step on average, spent in nn_next_batch */
    uint64_t uploaded;       /* bytes, from the ledger */
    uint64_t downloaded;     /* bytes */
    uint64_t between;        /* bytes from device to device */
    double samples_a_second; /* trained on */
} nn_record;

typedef struct nn_history_desc {
    int32_t capacity; /* default: 0, grows at each report. Else so many records are allocated at
                         once, and when they are full the oldest one leaves */
    nn_writer writer; /* default: none. Receives the line of each record as it is added */
} nn_history_desc;

/* desc may be NULL. Freed with its context at the latest. NULL: no memory, or an error in desc. */
NN_API nn_history *nn_make_history_at(nn_site site, nn_context *nn, const nn_history_desc *desc);
#define nn_make_history(...) nn_make_history_at(NN_HERE, __VA_ARGS__)
NN_API void nn_free_history(nn_history *history);

/* What nn_fit does at each report, for loops of your own. The names of the metrics are those of the
   trainer; an error if the history holds records with other metrics. */
NN_API nn_result nn_add_record_at(nn_site site, nn_history *history, const nn_trainer *trainer,
                                  const nn_record *record);
#define nn_add_record(...) nn_add_record_at(NN_HERE, __VA_ARGS__)

NN_API int nn_history_count(const nn_history *history);
/* NULL: no such record. Valid until the next is added. */
NN_API const nn_record *nn_history_at(const nn_history *history, int i);
NN_API int nn_history_metrics(const nn_history *history); /* how many metrics a record has */
NN_API const char *nn_history_metric(const nn_history *history,
                                     int i); /* its name; NULL: no such metric */

/* Each record as one line of JSON: the fields above, metrics by name. A number that is NaN or
   infinite is null. Doubles have 12 digits. */
NN_API void nn_write_history(const nn_history *history, nn_writer writer);
/* The history becomes what nn_write_history has written: it reads exactly that, with all fields in
   that order, and blank lines. Written again, the bytes are the same. A mistake is an error with
   its line (from 1), and the history stays as it was; so it does when memory is short. */
NN_API nn_result nn_read_history_at(nn_site site, nn_history *history, const char *text,
                                    size_t bytes);
#define nn_read_history(...) nn_read_history_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_history *nn_make_history_at(nn_site site, nn_context *nn, const nn_history_desc &desc) {
    return nn_make_history_at(site, nn, &desc);
}
inline nn_result nn_add_record_at(nn_site site, nn_history *history, const nn_trainer *trainer,
                                  const nn_record &record) {
    return nn_add_record_at(site, history, trainer, &record);
}
}
#endif
