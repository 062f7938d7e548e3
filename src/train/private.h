/* train/private.h - the inside of datasets, loaders and trainers. */
#pragma once

#include "model/private.h"
#ifndef NN_NO_TRAINING
#include "train/dataset.h"
#include "train/loader.h"
#include "train/schedule.h"
#include "train/trainer.h"
#include "train/checkpoint.h"
#include "train/fit.h"

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
} nn__totals;

/* A moment of the optimizer: "exp_avg" of a parameter. */
typedef struct nn__moment {
    nn_node *parameter, *state;
    const char *name;
} nn__moment;

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
    nn__moment *moments; /* in the tape's arena */
    int moment_count;
    int64_t step; /* done */
};

/* Fills tape, totals and targets: a step, and an evaluation. False and an error, or the faults of a report. */
NN_PRIVATE bool nn__trainer_describe(nn_trainer *trainer);
/* Not stale, and no step in slices under way? */
NN_PRIVATE nn_result nn__trainer_idle(nn_trainer *trainer, nn_site site, const char *who);
/* False and an error that names `who`. */
NN_PRIVATE bool nn__check_schedule(nn_context *nn, const nn_schedule *schedule, nn_site site, const char *who);
#endif
