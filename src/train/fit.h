/* train/fit.h - epochs with a validation after each. Written only with public calls: copy its body and change
   it. */
#pragma once

#include "train/history.h"
#include "train/trainer.h"

/* What is known after each report. */
typedef struct nn_progress {
    int32_t epoch, epochs;  /* epoch from 1 */
    int32_t batch, batches; /* of this epoch; batch from 1 */
    nn_report train;
    bool epoch_ended;
    nn_report validation; /* samples 0: there was none */
    double seconds;       /* since nn_fit was called */
} nn_progress;

typedef struct nn_fit_desc {
    int32_t epochs;        /* default: 1 */
    nn_loader *validation; /* default: none. Evaluated after every epoch */
    bool progress;         /* default: false. Lines to `writer` */
    bool terminal;    /* default: false: one line an epoch, as a log wants it. true: the line of the epoch is
                         rewritten as it goes */
    nn_writer writer; /* default: the context's log */
    int32_t report_every; /* default: 0, at the end of an epoch only (with terminal: about 20 times an epoch).
                             Batches between reports; each costs a small download */
    /* Called at every report; false ends training after the current step with NN_CANCELLED. */
    bool (*callback)(void *user, const nn_progress *progress);
    void *user;
    nn_history *history; /* default: none. Receives a record at every report */
    nn_progress *last; /* default: none. Receives the last report */
} nn_fit_desc;

/* desc may be NULL. */
NN_API nn_result nn_fit_at(nn_site site, nn_trainer *trainer, nn_loader *train, const nn_fit_desc *desc);
#define nn_fit(...) nn_fit_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_result nn_fit_at(nn_site site, nn_trainer *trainer, nn_loader *train, const nn_fit_desc &desc) {
    return nn_fit_at(site, trainer, train, &desc);
}
}
#endif
