/* train/report.c - reports: losses and metrics, which add up on the device until they are read; the
   fault of a step; evaluations. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

#define NN__TRAINER_SPAN 1024 /* all totals must lie within this number of bytes to be read in one
                                 download */

/* True if all totals lie in one small piece of one block. Then *first and *bytes tell which. */
static bool nn__trainer_span(const nn_trainer *trainer, const nn__totals *totals, uint64_t *first,
                             uint64_t *bytes) {
    const nn_view *one = &totals->node[0]->tensor->view;
    uint64_t end = one->offset;
    *first = one->offset;
    for (int i = 0; i <= trainer->metric_count; i++) {
        const nn_tensor *tensor = totals->node[i]->tensor;
        if (tensor->view.handle != one->handle ||
            !nn_same_device(tensor->device, totals->node[0]->tensor->device))
            return false;
        if (tensor->view.offset < *first) *first = tensor->view.offset;
        if (tensor->view.offset + tensor->bytes > end) end = tensor->view.offset + tensor->bytes;
    }
    *bytes = end - *first;
    return *bytes <= NN__TRAINER_SPAN;
}

/* The sum may come from a checkpoint, so any bits are possible. */
static int64_t nn__trainer_samples(float number) {
    if (!(number > 0.0f)) return 0;
    return number < 9.2e18f ? (int64_t)number : INT64_MAX;
}

/* Reads a metric made of sums, in pieces, so that there may be any number of sums. */
static nn_result nn__trainer_gather(nn_trainer *trainer, const nn_tensor *tensor, int metric,
                                    double *value, nn_site site) {
    const nn__metric *how = nn__metric_of(trainer->desc.metrics.node[metric]);
    const int count = (int)trainer->desc.metrics.node[metric]->shape.extent[0];
    double *sums = trainer->sums[metric];
    float numbers[64];
    nn_view view = tensor->view;
    for (int i = 0; i < 2 * count; i += NN__COUNT(numbers)) {
        const int piece = nn__mini(2 * count - i, NN__COUNT(numbers));
        nn_result result =
            nn__download(trainer->nn, tensor->device, &view, numbers,
                         (uint64_t)piece * sizeof *numbers, "report", site);
        if (result != NN_OK) return result;
        for (int k = 0; k < piece; k++) {
            if (i + k < count)
                sums[i + k] = (double)numbers[k];
            else
                sums[i + k - count] += (double)numbers[k];
        }
        view.offset += sizeof numbers;
    }
    *value = how->function(how->user, sums, count);
    return NN_OK;
}

NN_PRIVATE void nn__trainer_merge_sums(nn_trainer *trainer, nn_report *mean, bool first) {
    for (int i = 0; i < trainer->metric_count; i++) {
        const nn__metric *how = nn__metric_of(trainer->desc.metrics.node[i]);
        const int count = (int)trainer->desc.metrics.node[i]->shape.extent[0];
        if (!how) continue;
        double *last = trainer->sums[i], *all = last + count;
        for (int k = 0; k < count; k++) all[k] = first ? last[k] : all[k] + last[k];
        if (i < NN_REPORT_METRICS) mean->metrics[i] = how->function(how->user, all, count);
    }
}

/* Reads the loss if batches are not weighted by their samples. */
static nn_result nn__trainer_weighed(nn_trainer *trainer, const nn__totals *totals,
                                     nn_report *report, nn_site site) {
    const nn_tensor *of[2];
    float numbers[2];
    of[0] = totals->mean->tensor;
    of[1] = totals->counted->tensor;
    for (int i = 0; i < 2; i++) {
        nn_result result = nn__download(trainer->nn, of[i]->device, &of[i]->view, &numbers[i],
                                        sizeof *numbers, "report", site);
        if (result != NN_OK) return result;
    }
    report->loss = (double)numbers[0];
    report->counted = (double)numbers[1];
    return NN_OK;
}

NN_PRIVATE int nn__report_metrics(const nn_trainer *trainer) {
    return nn__mini(trainer->metric_count, NN_REPORT_METRICS);
}

NN_PRIVATE void nn__trainer_show_metrics(const nn_trainer *trainer, nn_report *report) {
    for (int i = 0; i < nn__report_metrics(trainer); i++)
        report->metrics[i] = trainer->reported[i];
}

static nn_result nn__trainer_download(nn_trainer *trainer, const nn__totals *totals,
                                      nn_report *report, nn_site site) {
    char span[NN__TRAINER_SPAN];
    float numbers[2];
    uint64_t first = 0, bytes = 0;
    bool together = nn__trainer_span(trainer, totals, &first, &bytes);
    nn_result result = NN_OK;
    if (together) {
        nn_view view = totals->node[0]->tensor->view;
        view.offset = first;
        result =
            nn__download(trainer->nn, totals->node[0]->device, &view, span, bytes, "report", site);
    }
    for (int i = 0; i <= trainer->metric_count && result == NN_OK; i++) {
        const nn_tensor *tensor = totals->node[i]->tensor;
        double mean;
        if (i > 0 && nn__metric_of(trainer->desc.metrics.node[i - 1])) {
            result = nn__trainer_gather(trainer, tensor, i - 1, &trainer->reported[i - 1], site);
            continue;
        }
        if (together)
            memcpy(numbers, span + (tensor->view.offset - first), sizeof numbers);
        else
            result = nn__download(trainer->nn, tensor->device, &tensor->view, numbers,
                                  sizeof numbers, "report", site);
        if (result != NN_OK) break;
        mean = numbers[1] > 0.0f ? (double)numbers[0] / (double)numbers[1] : 0.0;
        if (i == 0) {
            report->loss = mean;
            report->samples = nn__trainer_samples(numbers[1]);
        } else {
            trainer->reported[i - 1] = mean;
        }
    }
    nn__trainer_show_metrics(trainer, report);
    report->step = trainer->step;
    report->counted = (double)report->samples;
    if (result == NN_OK && totals->mean)
        result = nn__trainer_weighed(trainer, totals, report, site);
    return result;
}

NN_PRIVATE nn_result nn__trainer_zero(nn_trainer *trainer, const nn__totals *totals) {
    for (int i = 0; i <= trainer->metric_count; i++) {
        nn_result result = nn_fill_zero(totals->node[i]->tensor);
        if (result != NN_OK) return result;
    }
    for (int i = 0; i < 2 && totals->mean; i++) {
        nn_result result = nn_fill_zero((i ? totals->counted : totals->mean)->tensor);
        if (result != NN_OK) return result;
    }
    return totals->confusion ? nn_fill_zero(totals->confusion->tensor) : NN_OK;
}

static nn_result nn__inside_read_report(nn_site site, nn_trainer *trainer, nn_report *report) {
    nn_report read;
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_read_report")) return NN_ERROR_ARGUMENT;
    memset(&read, 0, sizeof read);
    if (!report)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT, "nn_read_report: report is NULL");
    result = nn__trainer_idle(trainer, site, "nn_read_report");
    if (result == NN_OK) result = nn__trainer_download(trainer, &trainer->totals, &read, site);
    /* The status word of the last step arrives before what was asked for after it: one wait is
       enough. */
    if (result == NN_OK) result = nn__read_status(trainer->plan, site, "nn_read_report");
    if (result == NN_OK) result = nn__trainer_zero(trainer, &trainer->totals);
    if (result == NN_OK) *report = read;
    return result;
}

NN_API nn_result nn_read_report_at(nn_site site, nn_trainer *trainer, nn_report *report) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_read_report", site,
                     nn__inside_read_report(site, trainer, report));
}

static nn_result nn__inside_read_metrics(nn_site site, const nn_trainer *trainer, double *metrics,
                                         int count) {
    if (nn__trainer_gone(trainer, site, "nn_read_metrics")) return NN_ERROR_ARGUMENT;
    if (!metrics || count != trainer->metric_count)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "nn_read_metrics: room for %d numbers at %p; the trainer has %d metrics",
                           count, (void *)metrics, trainer->metric_count);
    for (int i = 0; i < count; i++) metrics[i] = trainer->reported[i];
    return NN_OK;
}

NN_API nn_result nn_read_metrics_at(nn_site site, const nn_trainer *trainer, double *metrics,
                                    int count) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_read_metrics", site,
                     nn__inside_read_metrics(site, trainer, metrics, count));
}

static nn_result nn__inside_read_loss(nn_site site, nn_trainer *trainer, float *loss) {
    float value = 0.0f;
    const nn_view *view;
    nn_result result;
    int i;
    if (nn__trainer_gone(trainer, site, "nn_read_loss")) return NN_ERROR_ARGUMENT;
    if (!loss)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT, "nn_read_loss: loss is NULL");
    result = nn__trainer_idle(trainer, site, "nn_read_loss");
    if (result != NN_OK) return result;
    i = nn__find_value(trainer->plan, trainer->shown);
    if (i < 0 || !trainer->plan->ran) {
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "nn_read_loss: there was no step yet; call nn_train_step first");
    }
    view = trainer->sharing ? trainer->sharing->shard_loss(trainer)
                            : &trainer->plan->values[i].view;
    result = nn__download(trainer->nn, trainer->loss->device, view, &value, sizeof value,
                          trainer->loss->name, site);
    if (result == NN_OK) /* as in nn_read_report */
        result = nn__read_status(trainer->plan, site, "nn_read_loss");
    if (result == NN_OK) *loss = value;
    return result;
}

NN_API nn_result nn_read_loss_at(nn_site site, nn_trainer *trainer, float *loss) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_read_loss", site,
                     nn__inside_read_loss(site, trainer, loss));
}

static nn_result nn__inside_clear_fault(nn_site site, nn_trainer *trainer) {
    nn_result result;
    uint32_t first;
    if (nn__trainer_gone(trainer, site, "nn_clear_fault")) return NN_ERROR_ARGUMENT;
    result = nn__trainer_idle(trainer, site, "nn_clear_fault");
    if (result != NN_OK) return result;
    const nn__sharing *sharing = trainer->sharing;
    first = trainer->plan->fault >> 3;
    for (int i = 0; i < trainer->plan->device_count; i++) {
        const nn__plan_device *device = &trainer->plan->devices[i];
        uint32_t word = 0;
        nn_view view;
        if (!device->uses_status) continue;
        nn__status_view(device, &view);
        result =
            nn__download(trainer->nn, device->device, &view, &word, sizeof word, "status", site);
        if (result != NN_OK) return result;
        word >>= 3;
        if (word > 0 && (first == 0 || word < first)) first = word;
    }
    result = nn__clear_status(trainer->plan);
    if (result == NN_OK) result = nn__clear_status(trainer->evaluation);
    if (result == NN_OK && sharing) result = sharing->together_clear_fault(trainer);
    if (result == NN_OK && sharing) result = sharing->replicas_clear_fault(trainer);
    /* Steps from the fault on updated nothing: the count continues from the last step that did. */
    if (result == NN_OK && first > 0 && (int64_t)first <= trainer->step) {
        nn__average_back(trainer, (int64_t)first - 1);
        trainer->step = (int64_t)first - 1;
    }
    if (result == NN_OK && first > 0) {
        trainer->backwards = 0;
        trainer->gathered = false;
    }
    return result;
}

NN_API nn_result nn_clear_fault_at(nn_site site, nn_trainer *trainer) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_clear_fault", site,
                     nn__inside_clear_fault(site, trainer));
}

static nn_result nn__inside_evaluate(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                     nn_report *report) {
    nn_report read;
    nn_result result;
    nn_plan *plan;
    if (nn__trainer_gone(trainer, site, "nn_evaluate")) return NN_ERROR_ARGUMENT;
    memset(&read, 0, sizeof read);
    if (!loader || !report) {
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT, "nn_evaluate: %s is NULL",
                           loader ? "report" : "loader");
    }
    /* In the middle of a step, some weights are updated and others are not. */
    result = nn__trainer_idle(trainer, site, "nn_evaluate");
    if (result != NN_OK) return result;
    plan = trainer->evaluation;
    const nn__sharing *sharing = trainer->sharing;
    const bool ranks = nn__ranks(trainer->desc.group) > 1;
    const bool midway = loader->holds; /* the program continues this epoch later */
    const nn_loader_state place = nn_loader_position(loader);
    if (sharing) sharing->replicas_enter(trainer);
    result = nn__clear_status(plan);
    if (result == NN_OK) result = nn__trainer_zero(trainer, &trainer->evaluation_totals);
    if (result == NN_OK && sharing)
        result = sharing->shard_evaluate_begin(trainer, site);
    if (sharing) sharing->replicas_leave(trainer);
    if (result == NN_OK) result = nn_start_epoch(loader, nn_loader_epoch(loader));
    /* The ranks of a group continue together to the end of the data, whatever happens to one of
       them. */
    for (plan->run.step = 1; (result == NN_OK || ranks) && nn_next_batch_at(site, loader);
         plan->run.step++) {
        if (result == NN_OK) result = nn__trainer_bind(trainer, plan, loader, site, "nn_evaluate");
        if (result == NN_OK)
            result = sharing
                         ? sharing->shard_evaluate(trainer, loader->samples, site, "nn_evaluate")
                         : nn_run_at(site, plan);
    }
    const bool ended = nn_loader_result(loader) == NN_END;
    if (!ended && (result == NN_OK || ranks)) result = nn_loader_result(loader);
    if (result == NN_OK)
        result = sharing ? sharing->replicas_evaluated(trainer, site, "nn_evaluate")
                         : nn__read_status(plan, site, "nn_evaluate");
    if (sharing && ended)
        result = sharing->shard_evaluated(trainer, result, &read, site);
    else if (result == NN_OK)
        result = nn__trainer_download(trainer, &trainer->evaluation_totals, &read, site);
    if (midway) {
        const nn_result back = nn_set_loader_position(loader, &place);
        if (result == NN_OK) result = back;
    }
    if (result == NN_OK) *report = read;
    return result;
}

NN_API nn_result nn_evaluate_at(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                nn_report *report) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_evaluate", site,
                     nn__inside_evaluate(site, trainer, loader, report));
}

#undef NN__TRAINER_SPAN
#endif /* NN__NO_TRAINER */

typedef int nn__report_part; /* a part must not be empty under NN__NO_TRAINER */
