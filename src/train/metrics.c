/* train/metrics.c - reads back the confusion matrix of an evaluation, and computes precision,
   recall and F1 from any such matrix. ops/totals.c describes the counting on the device. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* ---- the matrix ------------------------------------------------------------------------------ */

NN_PRIVATE bool nn__check_confusion(nn_model *net, const nn_confusion_desc *desc, nn_site site) {
    const nn_node *nodes[2];
    nn__problem problem;
    if (!desc->logits && !desc->label) return true;
    nodes[0] = desc->logits;
    nodes[1] = desc->label;
    for (int i = 0; i < 2; i++) {
        const char *role = i == 0 ? "logits" : "label";
        if (!nodes[i]) {
            nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                        "nn_make_trainer: confusion has no %s; give both, or neither", role);
            return false;
        }
        if (nodes[i]->poisoned || nodes[i]->graph->model != net) {
            nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                        "nn_make_trainer: the %s of confusion are not of the model \"%s\"", role,
                        net->name);
            return false;
        }
    }
    memset(&problem, 0, sizeof problem);
    if (nn__want_labels(&problem, "confusion", nn__type_of(desc->logits), nn__type_of(desc->label)))
        return true;
    nn__fail_problem(net->nn, site, "nn_make_trainer", &problem);
    return false;
}

NN_API int nn_confusion_classes(const nn_trainer *trainer) {
    const bool gone = nn__trainer_gone(trainer, nn__no_site(), "nn_confusion_classes");
    const nn_node *counts = gone ? NULL : trainer->evaluation_totals.confusion;
    return counts ? (int)counts->shape.extent[0] : 0;
}

static nn_result nn__inside_read_confusion(nn_site site, nn_trainer *trainer, int64_t *counts,
                                           size_t bytes) {
    const nn_tensor *tensor;
    const char *half;
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_read_confusion")) return NN_ERROR_ARGUMENT;
    const int classes = nn_confusion_classes(trainer);
    const uint64_t cells = (uint64_t)classes * (uint64_t)classes;
    if (classes == 0)
        return nn__fail_at(
            trainer->nn, site, NN_ERROR_ARGUMENT,
            "nn_read_confusion: the trainer counts none; give nn_trainer_desc.confusion = "
            "{logits, label}");
    if (!counts || bytes != cells * sizeof *counts)
        return nn__fail_at(
            trainer->nn, site, NN_ERROR_ARGUMENT,
            "nn_read_confusion: %s%llu bytes; wanted room for %d x %d numbers of 8: %llu bytes",
            counts ? "" : "counts is NULL, ", (unsigned long long)bytes, classes, classes,
            (unsigned long long)(cells * sizeof *counts));
    tensor = trainer->evaluation_totals.confusion->tensor;
    /* The 32-bit counts arrive in the second half of the memory for the 64-bit counts, and are
       widened from the first one on. */
    half = (const char *)counts + cells * 4;
    result = nn__download(trainer->nn, tensor->device, &tensor->view, (void *)(uintptr_t)half,
                          cells * 4, "confusion", site);
    for (uint64_t i = 0; i < cells && result == NN_OK; i++) {
        uint32_t count;
        memcpy(&count, half + i * 4, sizeof count);
        counts[i] = (int64_t)count;
    }
    return result;
}

NN_API nn_result nn_read_confusion_at(nn_site site, nn_trainer *trainer, int64_t *counts,
                                      size_t bytes) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_read_confusion", site,
                     nn__inside_read_confusion(site, trainer, counts, bytes));
}

/* ---- scores ---------------------------------------------------------------------------------- */

static double nn__metrics_quotient(int64_t above, int64_t below) {
    return below > 0 ? (double)above / (double)below : 0.0;
}

/* predicted may be NULL. */
static nn_scores nn__metrics_class(const int64_t *counts, int classes, int which,
                                   int64_t *predicted) {
    nn_scores scores;
    int64_t right, taken = 0;
    memset(&scores, 0, sizeof scores);
    for (int i = 0; i < classes; i++) {
        scores.samples += counts[(int64_t)which * classes + i];
        taken += counts[(int64_t)i * classes + which];
    }
    right = counts[(int64_t)which * classes + which];
    scores.precision = nn__metrics_quotient(right, taken);
    scores.recall = nn__metrics_quotient(right, scores.samples);
    scores.f1 = nn__metrics_quotient(2 * right, taken + scores.samples);
    scores.iou = nn__metrics_quotient(right, taken + scores.samples - right);
    if (predicted) *predicted = taken;
    return scores;
}

static nn_scores nn__metrics_mean(const int64_t *counts, int classes, bool by_samples) {
    nn_scores mean;
    double weights = 0.0;
    memset(&mean, 0, sizeof mean);
    for (int i = 0; counts && i < classes; i++) {
        int64_t predicted;
        nn_scores one = nn__metrics_class(counts, classes, i, &predicted);
        double weight = by_samples ? (double)one.samples : one.samples + predicted > 0 ? 1.0 : 0.0;
        mean.precision += one.precision * weight;
        mean.recall += one.recall * weight;
        mean.f1 += one.f1 * weight;
        mean.iou += one.iou * weight;
        mean.samples += one.samples;
        weights += weight;
    }
    if (weights > 0.0) {
        mean.precision /= weights;
        mean.recall /= weights;
        mean.f1 /= weights;
        mean.iou /= weights;
    }
    return mean;
}

NN_API nn_scores nn_class_scores(const int64_t *counts, int classes, int which) {
    nn_scores none;
    memset(&none, 0, sizeof none);
    return counts && which >= 0 && which < classes ? nn__metrics_class(counts, classes, which, NULL)
                                                   : none;
}
NN_API nn_scores nn_macro_scores(const int64_t *counts, int classes) {
    return nn__metrics_mean(counts, classes, false);
}
NN_API nn_scores nn_weighted_scores(const int64_t *counts, int classes) {
    return nn__metrics_mean(counts, classes, true);
}

#endif /* NN__NO_TRAINER */

typedef int nn__metrics_part; /* a part must not be empty under NN__NO_TRAINER */
