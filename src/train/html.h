/* train/html.h - a training as one HTML page. */
#pragma once

#include "train/history.h"
#include "train/trainer.h"

/* Writes one self-contained HTML file (UTF-8; inline SVG, no scripts, nothing from the network):
   curves of the history, the confusion matrix of the last nn_evaluate with precision and recall,
   memory, ledger and plan; and which operations take the time, if
   nn_start_profile(nn_trainer_plan(trainer)) was called before (plan/profile.h). trainer or history
   may be NULL: their sections are left out. A confusion matrix is read from the device first
   (ledger: "confusion"; C * C * 8 bytes of memory for the call); an error then leaves nothing
   written. Nothing under NN_NO_REPORTS. */
NN_API nn_result nn_write_html_at(nn_site site, nn_trainer *trainer, const nn_history *history,
                                  nn_writer writer);
#define nn_write_html(...) nn_write_html_at(NN_HERE, __VA_ARGS__)
