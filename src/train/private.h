/* train/private.h - the inside of datasets, loaders and trainers. */
#pragma once

#include "model/private.h"
#ifndef NN_NO_TRAINING
#include "train/dataset.h"
#include "train/loader.h"
#include "train/trainer.h"
#include "train/metrics.h"
#include "train/history.h"
#include "train/fit.h"
#include "train/html.h"

#define NN__FIELDS  8 /* as in nn_dataset_desc */
#define NN__METRICS 8 /* as in nn_trainer_desc */

struct nn_dataset {
    nn__owned owned;
    nn_context *nn;
    nn_site site;
    nn_field fields[NN__FIELDS]; /* defaults filled in */
    char names[NN__FIELDS][NN_NAME_BYTES];
    int field_count;
    int32_t count;
    nn_result (*get)(void *user, int32_t sample, void *const *to);
    void *user;
    nn_loader *loaders; /* that read from it */
};

/* Bytes of one sample of a field, as the model wants it and as it lies in the data. */
NN_PRIVATE uint64_t nn__field_bytes(const nn_field *field);
NN_PRIVATE uint64_t nn__field_data_bytes(const nn_field *field);
/* Is a sample more than a copy of its data? */
NN_PRIVATE bool nn__field_converts(const nn_field *field);
/* One sample from its data dtype to its dtype. */
NN_PRIVATE void nn__field_convert(const nn_field *field, const void *from, void *to);

typedef struct nn__loader_field {
    nn_tensor *tensor;
    char *staging; /* a whole batch; NULL where the host reaches the tensor itself */
    char *raw;     /* one sample in the data's dtype, when a function delivers what must be converted */
    uint64_t bytes, staging_bytes, raw_bytes; /* of a full batch */
} nn__loader_field;

struct nn_loader {
    nn__owned owned;
    nn_context *nn;
    nn_site site;
    nn_dataset *dataset; /* NULL: it was freed */
    nn_loader *next;     /* of its dataset */
    nn__loader_field fields[NN__FIELDS];
    int field_count;
    nn_device device;
    int32_t count, batch;
    bool shuffle, drop_last;
    uint64_t seed;
    int32_t *order;
    int32_t epoch, position, samples;
    bool ended; /* the next call begins an epoch */
    nn_result result;
};

typedef struct nn__totals {
    nn_node *node[1 + NN__METRICS]; /* (2) f32 states: sum and samples. First the loss, then the metrics */
    nn_node *confusion;             /* (C, C) i32 state of the evaluation, or NULL */
} nn__totals;

struct nn_trainer {
    nn__owned owned; /* in the model's dependents */
    nn_context *nn;
    nn_model *net;
    nn_site site;
    nn_trainer_desc desc; /* defaults filled in */
    nn__graph tape;
    nn__faults faults;
    nn_node *loss;
    int metric_count;
    nn_plan *plan, *evaluation;
    nn__totals totals, evaluation_totals;
    nn_node **targets, **evaluation_targets; /* in the tape's arena */
    int target_count, evaluation_target_count;
    int64_t step; /* done */
};

/* False and an error unless there is nothing to count, or it can be counted. */
NN_PRIVATE bool nn__check_confusion(nn_model *net, const nn_confusion_desc *desc, nn_site site);

struct nn_history {
    nn__owned owned;
    nn_context *nn;
    int32_t capacity; /* 0: room grows */
    nn_writer writer;
    nn_record *records; /* room of them */
    int32_t count, room;
    char names[NN__METRICS][NN_NAME_BYTES];
    int metric_count;
};

/* NN_OK, or an error that says that its records have other metrics than the trainer. */
NN_PRIVATE nn_result nn__check_history(nn_site site, const nn_history *history, const nn_trainer *trainer,
                                       const char *who);

/* What happened since the last record. */
typedef struct nn__meter {
    uint64_t since, waited; /* ns */
    uint64_t bytes[3];      /* of the ledger then, by nn_crossing */
    int64_t step;
} nn__meter;
NN_PRIVATE void nn__meter_start(nn__meter *meter, const nn_trainer *trainer);
NN_PRIVATE bool nn__meter_next_batch(nn__meter *meter, nn_site site, const nn_trainer *trainer, nn_loader *loader);
/* Everything of the record but epochs, reports and what follows from them. */
NN_PRIVATE void nn__meter_read(const nn__meter *meter, const nn_trainer *trainer, nn_record *record);

#ifndef NN_NO_REPORTS
/* ---- pages ----------------------------------------------------------------------------------- */

/* A writer's function; user: the nn_writer that receives the text with <, >, & and " escaped. */
NN_PRIVATE void nn__html_escape(void *user, const char *text, size_t length);
typedef struct nn__curve {
    const char *name; /* of ours: not escaped */
    double (*value)(const nn_record *record, int metric); /* NaN: none */
    int metric;
    bool sparse; /* of validations, which not every record has */
} nn__curve;
/* At most six curves in one drawing; nothing when there are no values. */
NN_PRIVATE void nn__html_chart(const nn_writer *out, const nn_history *history, const char *title,
                               const nn__curve *curves, int count, bool from_zero);
#endif

/* Fills tape, totals and targets: a step, and an evaluation. False and an error, or the faults of a report. */
NN_PRIVATE bool nn__trainer_describe(nn_trainer *trainer);
#endif
