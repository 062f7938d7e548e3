/* train/html.h - a training run as one HTML page. */
#pragma once

#include "train/history.h"
#include "train/trainer.h"

/* Writes one self-contained HTML file (UTF-8, inline SVG, no scripts, nothing from the network). It
   shows the curves of the history, the confusion matrix of the last nn_evaluate with precision and
   recall, memory, ledger and plan. If nn_start_profile(nn_trainer_plan(trainer)) was called before
   (plan/profile.h), it also shows which operations take the time. trainer or history may be NULL:
   their sections are left out. The confusion matrix is read from the device first (ledger:
   "confusion"; the call needs C * C * 8 bytes of memory); after an error there nothing is written.
   Under NN_NO_REPORTS nothing is written. */
NN_API nn_result nn_write_html_at(nn_site site, nn_trainer *trainer, const nn_history *history,
                                  nn_writer writer);
#define nn_write_html(...) nn_write_html_at(NN_HERE, __VA_ARGS__)
