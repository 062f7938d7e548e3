/* train/fit_watch.c - the reaction of nn_fit to the loss of each epoch: a lower rate on a plateau,
   and early stopping. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

#include <math.h>

/* ---- the loss of epochs ---------------------------------------------------------------------- */

static int32_t nn__fit_epochs(int32_t given, int32_t normal) {
    return given == 0 ? normal : given == NN_NONE ? 0 : given;
}

NN_PRIVATE float nn__plateau_rate(const nn_plateau *plateau, nn_progress *progress, bool first,
                                  double loss, float rate) {
    const double threshold = plateau->threshold == 0.0f
                                 ? 1e-4
                                 : (double)nn__or_default(plateau->threshold, 0.0f);
    const double factor =
        plateau->factor == 0.0f ? 0.1 : (double)nn__or_default(plateau->factor, 0.0f);
    const double epsilon =
        plateau->epsilon == 0.0f ? 1e-8 : (double)nn__or_default(plateau->epsilon, 0.0f);
    const double best = first ? (double)INFINITY : progress->plateau_best;
    double fresh;
    progress->plateau_best = best;
    progress->plateau_epochs++;
    if (loss < (plateau->absolute ? best - threshold : best * (1.0 - threshold))) {
        progress->plateau_best = loss;
        progress->plateau_epochs = 0;
    }
    if (progress->plateau_cooldown > 0) {
        progress->plateau_cooldown--;
        progress->plateau_epochs = 0;
    }
    if (progress->plateau_epochs <= nn__fit_epochs(plateau->patience, 10)) return rate;
    progress->plateau_epochs = 0;
    progress->plateau_cooldown = plateau->cooldown;
    fresh = (double)rate * factor;
    if (fresh < (double)plateau->min_rate) fresh = (double)plateau->min_rate;
    return (double)rate - fresh > epsilon ? (float)fresh : rate;
}

NN_PRIVATE void nn__stop_watch(const nn_early_stopping *stop, nn_progress *progress, bool first,
                           double loss) {
    const double best = first ? (double)INFINITY : progress->stop_best;
    const bool better = loss < best - (double)stop->min_delta;
    progress->stop_best = better ? loss : best;
    progress->stop_epochs = better ? 0 : progress->stop_epochs + 1;
    progress->stopped = progress->stop_epochs >= stop->patience;
}

NN_PRIVATE const char *nn__fit_watch_fault(const nn_fit_desc *desc) {
    const nn_plateau *plateau = &desc->plateau;
    const float factor = nn__or_default(plateau->factor, 0.0f);
    const float threshold = nn__or_default(plateau->threshold, 0.0f);
    const float epsilon = nn__or_default(plateau->epsilon, 0.0f);
    if (!(factor >= 0.0f && factor < 1.0f))
        return "plateau.factor must be at least 0 and less than 1";
    if (nn__is_negative(plateau->patience) || plateau->cooldown < 0)
        return "plateau.patience and .cooldown must not be negative (NN_NONE: 0 epochs of "
               "patience)";
    if (!(threshold >= 0.0f && threshold < 3.0e38f && epsilon >= 0.0f && epsilon < 3.0e38f &&
          plateau->min_rate >= 0.0f && plateau->min_rate < 3.0e38f))
        return "plateau.threshold, .epsilon and .min_rate must be finite and not negative";
    if (desc->stop.patience < 0 ||
        !(desc->stop.min_delta >= 0.0f && desc->stop.min_delta < 3.0e38f))
        return "stop.patience and .min_delta must be finite and not negative";
#ifndef NN_NO_FILES
    if (desc->stop.restore_best && desc->checkpoint.path && !desc->checkpoint.best)
        return "stop.restore_best with checkpoint.path reads the file of the best epoch, even of "
               "a run that this one resumes: give checkpoint.best = true";
#endif
    return NULL;
}

#endif /* NN__NO_TRAINER */

typedef int nn__fit_watch_part; /* a part must not be empty under NN__NO_TRAINER */
