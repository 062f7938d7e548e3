/* train/record.h - the inside of histories, HTML pages, nn_fit and checkpoints. */
#pragma once

#include "train/fit.h"
#include "train/step.h"
#include "train/checkpoint.h"
#include "train/history.h"

struct nn_history {
    nn__owned owned;
    nn_context *nn;
    int32_t capacity; /* 0: `room` grows */
    nn_writer writer;
    nn_record *records; /* `room` of them */
    int32_t count, room;
    char names[NN_REPORT_METRICS][NN_NAME_BYTES];
    int metric_count;
    const struct nn__history_calls *calls;
};

/* The functions of a history that nn_fit calls. Each history points to them, so that programs
   without one do not contain them. */
typedef struct nn__history_calls {
    nn_result (*check)(nn_site site, const nn_history *history, const nn_trainer *trainer,
                       const char *who); /* nn__check_history */
    nn_result (*add)(nn_site site, nn_history *history, const nn_trainer *trainer,
                     const nn_record *record);
    void (*write)(const nn_history *history, nn_writer writer);
    nn_result (*read)(nn_site site, nn_history *history, const char *text, size_t length);
} nn__history_calls;

/* Returns NN_OK, or an error if the history's records have metrics other than the trainer's. */
NN_PRIVATE nn_result nn__check_history(nn_site site, const nn_history *history,
                                       const nn_trainer *trainer, const char *who);

NN_PRIVATE void nn__history_append(nn_history *history, const nn_record *record);

/* A saved trainer: its step, and copies of all tensors that steps change, on their devices. */
typedef struct nn__snapshot {
    nn_tensor **tensors, **copies; /* `count` of each, in one allocation */
    int count;
    int64_t step, averaged;
    float learning_rate;
    bool there; /* a state was saved */
} nn__snapshot;
/* Saves the trainer's state; allocates the first time. (train/snapshot.c) */
NN_PRIVATE nn_result nn__snapshot_trainer(const nn_trainer *trainer, nn__snapshot *kept,
                                          nn_site site);
/* Restores the state that was saved. */
NN_PRIVATE nn_result nn__restore_trainer(nn_trainer *trainer, const nn__snapshot *kept,
                                         nn_site site);
NN_PRIVATE void nn__drop_snapshot(nn_trainer *trainer, nn__snapshot *kept);

/* Counters since the last record. */
typedef struct nn__meter {
    uint64_t since, waited; /* ns */
    uint64_t bytes[3];      /* of the ledger at that time, by nn_crossing */
    int64_t step;
} nn__meter;
NN_PRIVATE void nn__meter_start(nn__meter *meter, const nn_trainer *trainer);
NN_PRIVATE bool nn__meter_next_batch(nn__meter *meter, nn_site site, const nn_trainer *trainer,
                                     nn_loader *loader);
/* Fills the record except for epochs, reports and the numbers that follow from them. */
NN_PRIVATE void nn__meter_read(const nn__meter *meter, const nn_trainer *trainer,
                               nn_record *record);

/* ---- nn_fit (train/fit.c, train/fit_checkpoint.c) -------------------------------------------- */

/* A progress line, composed first, so that the rest of a longer line on the terminal can be
   blanked. */
typedef struct nn__fit_line {
    nn_writer writer;
    bool terminal;
    size_t shown; /* length of the line before the cursor; 0: the cursor is at the start of a
                     line */
} nn__fit_line;

/* The functions that save and restore a run: nn_checkpoints. */
struct nn__fit;
struct nn_checkpoint_calls {
    nn_result (*checkpoint)(struct nn__fit *fit, nn_result result);
    nn_result (*resume)(struct nn__fit *fit);
    nn_result (*keep)(struct nn__fit *fit);
    nn_result (*restore)(struct nn__fit *fit);
    void (*drop)(nn_trainer *trainer, nn__snapshot *kept);
};

typedef struct nn__fit {
    nn_site site;
    nn_trainer *trainer;
    nn_loader *train;
    nn_fit_desc desc;
    nn_progress progress;
    nn__fit_line line;
    nn__meter meter;
    uint64_t start;
    nn_loader_use use; /* the loader's counters when the epoch began */
    double seconds;    /* time of the epoch's steps */
    bool warned;
    bool resumed;   /* the run resumed in the middle of an epoch */
    bool improved;  /* the epoch that ended is the best so far */
    const nn_checkpoint_calls *keeps; /* NULL: nothing is saved */
    nn__snapshot kept;  /* the best epoch, for stop.restore_best without a file */
} nn__fit;

/* ---- epochs of nn_fit (train/fit_watch.c) ---------------------------------------------------- */

/* Returns an error text for .plateau and .stop, or NULL. */
NN_PRIVATE const char *nn__fit_watch_fault(const nn_fit_desc *desc);
NN_PRIVATE void nn__stop_watch(const nn_early_stopping *stop, nn_progress *progress, bool first,
                               double loss);
/* Returns the learning rate after an epoch with this loss. first: it is the first epoch. */
NN_PRIVATE float nn__plateau_rate(const nn_plateau *plateau, nn_progress *progress, bool first,
                                  double loss, float rate);

#ifndef NN_NO_FILES
/* ---- what a checkpoint holds besides tensors (train/checkpoint_words.c) ---------------------- */

#define NN__CHECKPOINT_VERSION "1" /* of the metadata */

/* Metadata to be written to a file. */
typedef struct nn__words {
    const char *strings[32]; /* key, value, key, value */
    int count;
    char text[4096]; /* the milestones of a schedule take at most a third */
    size_t used;
} nn__words;
/* Writes the optimizer's name, "adam", or with those of groups "adamw muon". */
NN_PRIVATE void nn__optimizer_words(const nn_trainer *trainer, char *text, size_t size);
/* Lists the tensors of a checkpoint with their names; totals, averages: with these. False: no
   memory; the error is recorded. */
NN_PRIVATE bool nn__checkpoint_list(nn__state *state, nn_trainer *trainer, bool totals,
                                    bool averages, nn_site site, const char *who);
NN_PRIVATE void nn__words_fill(nn__words *words, const nn_trainer *trainer,
                               const nn_checkpoint_desc *desc);

typedef struct nn__checkpoint {
    int64_t step, averaged;
    float learning_rate;
    nn_schedule schedule;
    int64_t milestones[NN__MILESTONES]; /* of the schedule */
    uint64_t seed;
    nn_loader_state loader;
    nn_progress progress;
} nn__checkpoint;
/* True if this library wrote it. Otherwise it may come from PyTorch. */
NN_PRIVATE bool nn__checkpoint_is_ours(const nn_safetensors *file);
/* Fills `read` from the file, or from the trainer where the file has nothing. False and an error:
   it cannot be read. */
NN_PRIVATE bool nn__checkpoint_read(const nn_trainer *trainer, nn_safetensors *file, nn_site site,
                                    nn__checkpoint *read);
#endif
