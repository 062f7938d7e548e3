/* group/shard_evaluate.c - an evaluation of a trainer with shards. Each shard has its own totals,
   so the order of additions does not depend on which rank or device has which shards. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- totals of a shard ----------------------------------------------------------------------- */

/* Returns the number of f32 values in a shard's evaluation totals, which are in one piece. */
static int32_t nn__shard_totals_count(const nn_trainer *trainer) {
    return trainer->shards->evaluations->tensor->view.shape.extent[0] / trainer->shards->own;
}

/* Copies the totals of local shard i to where the plan adds to them; back: copies them back. */
static nn_result nn__shard_take_totals(nn_trainer *trainer, int32_t i, bool back) {
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    const nn_view *at = &trainer->evaluation_totals.node[0]->tensor->view;
    nn_view own = trainer->shards->evaluations->tensor->view;
    const uint64_t bytes = sizeof(float) * (uint64_t)nn__shard_totals_count(trainer);
    own.offset += bytes * (uint64_t)i;
    const nn_view *to = back ? &own : at, *from = back ? at : &own;
    const nn_result result = on->backend->copy(on->state, to->handle, to->offset, from->handle,
                                               from->offset, bytes);
    if ((int)result >= 0) return NN_OK;
    return nn__fail(trainer->nn, result, "nn_evaluate: copying on %s: %s", on->limits.name,
                    nn_result_text(result));
}

NN_PRIVATE nn_result nn__shard_evaluate_begin(nn_trainer *trainer, nn_site site) {
    const nn_result result = nn_fill_zero(trainer->shards->evaluations->tensor);
    return result == NN_OK ? nn__replicas_evaluate_begin(trainer, site) : result;
}

NN_PRIVATE nn_result nn__shard_evaluate(nn_trainer *trainer, int32_t samples, nn_site site,
                                        const char *who) {
    const nn__shards *shards = trainer->shards;
    nn_plan *plan = trainer->evaluation;
    int32_t batch = 0;
    nn_result result = nn__shard_open_slices(trainer, plan, samples, &batch, site, who);
    if (result == NN_OK) result = nn__replicas_evaluate(trainer, batch, false, site, who);
    for (int32_t i = 0; i < shards->mine && result == NN_OK; i++) {
        const int32_t first = (int32_t)nn__min64((int64_t)i * shards->shard_samples, batch);
        const int32_t count = nn__mini(shards->shard_samples, batch - first);
        if (count == 0) break;
        nn__shard_cut(trainer, plan, first, count);
        result = nn__shard_take_totals(trainer, i, false);
        if (result == NN_OK) result = nn__run_plan(plan, site, who);
        if (result == NN_OK) result = nn__shard_take_totals(trainer, i, true);
    }
    if (result == NN_OK) result = nn__replicas_evaluate(trainer, batch, true, site, who);
    nn__shard_close_slices(trainer, plan);
    return result;
}

/* ---- combining the totals -------------------------------------------------------------------- */

/* Returns the offset of a total in the numbers of a shard. */
static int32_t nn__shard_total_at(const nn_trainer *trainer, const nn_node *total) {
    const nn_view *first = &trainer->evaluation_totals.node[0]->tensor->view;
    return (int32_t)((total->tensor->view.offset - first->offset) / sizeof(float));
}

/* Merges the means of two parts of the evaluation by their weights. */
static void nn__shard_merge_means(double *mean, double *weight, double other, double more) {
    const double all = *weight + more;
    if (more > 0.0) *mean += (other - *mean) * (more / all);
    *weight = all;
}

/* Computes a += b, where each is the totals of some shards. */
static void nn__shard_merge(const nn_trainer *trainer, double *a, const double *b) {
    const nn__totals *totals = &trainer->evaluation_totals;
    const int32_t count = nn__shard_totals_count(trainer);
    const int32_t mean = totals->mean ? nn__shard_total_at(trainer, totals->mean) : count;
    for (int32_t i = 0; i < mean; i++) a[i] += b[i];
    if (!totals->mean) return;
    const int32_t counted = nn__shard_total_at(trainer, totals->counted);
    nn__shard_merge_means(&a[mean], &a[counted], b[mean], b[counted]);
}

/* Fills in the report from the totals of all shards. */
static void nn__shard_report(nn_trainer *trainer, const double *all, nn_report *report) {
    const nn__totals *totals = &trainer->evaluation_totals;
    for (int i = 0; i <= trainer->metric_count; i++) {
        const double *at = all + nn__shard_total_at(trainer, totals->node[i]);
        const nn__metric *how = i > 0 ? nn__metric_of(trainer->desc.metrics.node[i - 1]) : NULL;
        const double mean = at[1] > 0.0 ? at[0] / at[1] : 0.0;
        if (how) {
            const int count = (int)trainer->desc.metrics.node[i - 1]->shape.extent[0];
            for (int k = 0; k < count; k++) trainer->sums[i - 1][k] = at[k] + at[count + k];
            trainer->reported[i - 1] = how->function(how->user, trainer->sums[i - 1], count);
        } else if (i > 0) {
            trainer->reported[i - 1] = mean;
        } else {
            report->loss = mean;
            report->samples = at[1] > 0.0 && at[1] < 9.2e18 ? (int64_t)at[1] : 0;
        }
    }
    nn__trainer_show_metrics(trainer, report);
    report->step = trainer->step;
    report->counted = (double)report->samples;
    if (!totals->mean) return;
    report->loss = all[nn__shard_total_at(trainer, totals->mean)];
    report->counted = all[nn__shard_total_at(trainer, totals->counted)];
}

/* Collects the totals of all shards, by shard, in shards->parts. */
static nn_result nn__shard_collect(nn_trainer *trainer, nn_result result, nn_site site) {
    const nn__shards *shards = trainer->shards;
    nn_group *group = trainer->desc.group;
    const nn_tensor *own = shards->evaluations->tensor;
    const size_t each = (size_t)nn__shard_totals_count(trainer);
    const size_t part = each * (size_t)shards->mine, all = each * (size_t)shards->count;
    float *mine = shards->numbers + each * (size_t)shards->first;
    if (result == NN_OK)
        result = nn__download(trainer->nn, own->device, &own->view, mine, part * sizeof(float),
                              "report", site);
    if (result == NN_OK) result = nn__replicas_totals(trainer, mine, part, site);
    if (nn_group_size(group) > 1) {
        result = nn__trainer_agree(trainer, result, site, "nn_evaluate");
        if (result == NN_OK)
            result = nn__group_gather_parts(group, mine, each * sizeof(float), shards->count,
                                            shards->parts, site, "nn_evaluate");
        if (result == NN_OK) memcpy(shards->numbers, shards->parts, all * sizeof(float));
    }
    for (size_t i = 0; i < all && result == NN_OK; i++)
        shards->parts[i] = (double)shards->numbers[i];
    if (result != NN_OK || !trainer->evaluation_totals.confusion || nn_group_size(group) < 2)
        return result;
    return nn_group_sum_at(site, group, trainer->evaluation_totals.confusion->tensor);
}

NN_PRIVATE nn_result nn__shard_evaluated(nn_trainer *trainer, nn_result mine, nn_report *report,
                                         nn_site site) {
    const nn__shards *shards = trainer->shards;
    const int32_t count = nn__shard_totals_count(trainer);
    const nn_result result = nn__shard_collect(trainer, mine, site);
    if (result != NN_OK) return result;
    for (int32_t step = 1; step < shards->count; step *= 2)
        for (int32_t i = 0; i < shards->count; i += 2 * step)
            nn__shard_merge(trainer, shards->parts + (size_t)i * (size_t)count,
                            shards->parts + (size_t)(i + step) * (size_t)count);
    nn__shard_report(trainer, shards->parts, report);
    return NN_OK;
}

#endif /* NN__NO_TRAINER */

typedef int nn__shard_evaluate_part; /* a part must not be empty under NN__NO_TRAINER */
