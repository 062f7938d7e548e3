/* train/history.h - how a training run went: one record for each report of nn_fit. Records are kept
   in memory, written and read as JSON lines. */
#pragma once

#include "train/trainer.h"

typedef struct nn_history nn_history;

/* The steps since the previous record. Times and bytes do not include those of validation. */
typedef struct nn_record {
    int32_t epoch;           /* from 1 */
    bool epoch_ended;        /* it is the epoch's last report */
    nn_report train;         /* means over these steps; train.step is the last of them */
    nn_report validation;    /* samples 0: there was none */
    float learning_rate;     /* of the last step, with the schedule */
    int64_t steps;           /* number of these steps */
    double seconds;          /* since nn_fit was called, with validations */
    double step_seconds;     /* mean time of a step, with waiting for data */
    double wait_seconds;     /* mean time of a step spent in nn_next_batch */
    uint64_t uploaded;       /* bytes, from the ledger */
    uint64_t downloaded;     /* bytes */
    uint64_t between;        /* bytes between devices */
    double samples_a_second; /* of the training */
} nn_record;

typedef struct nn_history_desc {
    /* default: 0, memory grows at each report. Otherwise memory for this number of records is
       allocated at once, and when it is full the oldest record is dropped */
    int32_t capacity;
    nn_writer writer; /* default: none. Receives the line of each record as it is added */
} nn_history_desc;

/* Makes a history; desc may be NULL. Returns NULL if there is no memory or desc has an error.
   nn_close frees it at the latest. */
NN_API nn_history *nn_make_history_at(nn_site site, nn_context *nn, const nn_history_desc *desc);
#define nn_make_history(...) nn_make_history_at(NN_HERE, __VA_ARGS__)
NN_API void nn_free_history(nn_history *history);

/* Adds a record, as nn_fit does at each report; for loops of your own. The metrics are those of the
   trainer; it is an error if the history holds records with other metrics. */
NN_API nn_result nn_add_record_at(nn_site site, nn_history *history, const nn_trainer *trainer,
                                  const nn_record *record);
#define nn_add_record(...) nn_add_record_at(NN_HERE, __VA_ARGS__)

NN_API int nn_history_count(const nn_history *history);
/* Returns NULL if there is no such record. Valid until the next one is added. */
NN_API const nn_record *nn_history_at(const nn_history *history, int i);
NN_API int nn_history_metrics(const nn_history *history); /* number of metrics of a record */
NN_API const char *nn_history_metric(const nn_history *history,
                                     int i); /* the name of a metric; NULL: there is none */

/* Writes each record as one line of JSON: the fields above, metrics by name. A number that is NaN
   or infinite is null. Doubles have 12 digits. */
NN_API void nn_write_history(const nn_history *history, nn_writer writer);
/* Replaces the history by text that nn_write_history has written: exactly that, with all fields in
   that order; blank lines are allowed. Writing it again gives the same bytes. A mistake is an error
   that names its line (from 1). After an error, or without memory, the history is unchanged. */
NN_API nn_result nn_read_history_at(nn_site site, nn_history *history, const char *text,
                                    size_t bytes);
#define nn_read_history(...) nn_read_history_at(NN_HERE, __VA_ARGS__)
