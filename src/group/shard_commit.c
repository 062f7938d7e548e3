/* group/shard_commit.c - the results of a step with shards: the sums in the leaf become gradients,
   the loss, totals of the current report, and buffers. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* to = count ? sum / count : other */
static const nn_instruction nn__shard_mean[] = {
    {NN_CODE_INPUT, 0, 0, 0, 0.0f},  {NN_CODE_INPUT, 1, 0, 0, 0.0f}, {NN_CODE_INPUT, 2, 0, 0, 0.0f},
    {NN_CODE_DIVIDE, 0, 1, 0, 0.0f}, {NN_CODE_SELECT, 1, 3, 2, 0.0f}};

static nn_result nn__shard_commit_buffers(nn_trainer *trainer, nn_site site, const char *who) {
    nn_program_args args;
    nn_result result = NN_OK;
    for (int i = 0; i < trainer->shards->carried_count && result == NN_OK; i++) {
        const nn__carried *one = &trainer->shards->carried[i];
        const nn_tensor *buffer = one->buffer->tensor;
        if (one->first) {
            result = nn__shard_copy(trainer, &buffer->view, &one->first->tensor->view,
                                    buffer->bytes, site, who);
            continue;
        }
        nn__shard_begin_program(&args, nn__shard_mean, 5, 3);
        args.outputs[0] = buffer->view;
        args.inputs[0] = one->leaf->tensor->view;
        args.inputs[1] = trainer->shards->samples->tensor->view;
        args.inputs[2] = one->saved->tensor->view;
        result = nn__shard_program(trainer, &args, site, who);
    }
    return result;
}

/* to = mean + (x - mean) * (count / (total + count)), as in ops/counted.c; then total += count. */
static nn_result nn__shard_merge_mean(nn_trainer *trainer, const nn_view *to, const nn_view *mean,
                                      const nn_view *x, const nn_node *total, nn_site site,
                                      const char *who) {
    static const nn_instruction merge[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
        {NN_CODE_INPUT, 2, 0, 0, 0.0f},    {NN_CODE_INPUT, 3, 0, 0, 0.0f},
        {NN_CODE_ADD, 2, 3, 0, 0.0f},      {NN_CODE_DIVIDE, 3, 4, 0, 0.0f},
        {NN_CODE_SUBTRACT, 1, 0, 0, 0.0f}, {NN_CODE_MULTIPLY, 6, 5, 0, 0.0f},
        {NN_CODE_ADD, 0, 7, 0, 0.0f},      {NN_CODE_SELECT, 3, 8, 0, 0.0f}};
    const nn_view *counted = &trainer->shards->counted->tensor->view;
    nn_program_args args;
    nn_result result;
    nn__shard_begin_program(&args, merge, 10, 4);
    args.outputs[0] = *to;
    args.inputs[0] = *mean;
    args.inputs[1] = *x;
    args.inputs[2] = total->tensor->view;
    args.inputs[3] = *counted;
    result = nn__shard_program(trainer, &args, site, who);
    if (result != NN_OK) return result;
    return nn__shard_add(trainer, &total->tensor->view, &total->tensor->view, counted, site, who);
}

/* Combines the gradients with those of earlier batches: their mean (nn_trainer_desc.accumulate), or
   their sum (nn_backward). */
static nn_result nn__shard_commit_accumulated(nn_trainer *trainer, nn_site site, const char *who) {
    const nn__shards *shards = trainer->shards;
    const nn_view gradients = nn__shard_gradients(trainer), *kept = &shards->kept->tensor->view;
    const nn_view *before = &shards->before->tensor->view;
    if (trainer->backwards == 0)
        return nn__shard_copy(trainer, before, &shards->counted->tensor->view, sizeof(float), site,
                              who);
    if (trainer->desc.accumulate > 1 && trainer->count.kind != NN__COUNT_SUM)
        return nn__shard_merge_mean(trainer, &gradients, kept, &gradients, shards->before, site,
                                    who);
    return nn__shard_add(trainer, &gradients, kept, &gradients, site, who);
}

/* Divides the sums of the gradients by the weight of the batch. */
static nn_result nn__shard_commit_gradients(nn_trainer *trainer, nn_site site, const char *who) {
    static const nn_instruction mean[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
        {NN_CODE_CONSTANT, 0, 0, 0, 0.0f}, {NN_CODE_DIVIDE, 0, 1, 0, 0.0f},
        {NN_CODE_SELECT, 1, 3, 2, 0.0f}};
    const int parts = trainer->owners->cut ? trainer->shards->exchange.count - 1 : 1;
    nn_program_args args;
    nn_result result = NN_OK;
    for (int i = 0; i < parts && result == NN_OK && trainer->count.kind != NN__COUNT_SUM; i++) {
        const nn_view gradients = trainer->owners->cut ? nn__owners_bucket(trainer, i)
                                                      : nn__shard_gradients(trainer);
        if (nn__count(&gradients) == 0) continue;
        nn__shard_begin_program(&args, mean, 5, 2);
        args.outputs[0] = args.inputs[0] = gradients;
        args.inputs[1] = trainer->shards->counted->tensor->view;
        result = nn__shard_program(trainer, &args, site, who);
    }
    if (result != NN_OK || !trainer->shards->kept) return result;
    return nn__shard_commit_accumulated(trainer, site, who);
}

/* Computes the loss of the step, and adds it to the totals of the current report. */
static nn_result nn__shard_commit_loss(nn_trainer *trainer, nn_site site, const char *who) {
    static const nn_instruction sum[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f}};
    static const nn_instruction add[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                         {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                         {NN_CODE_INPUT, 2, 0, 0, 0.0f},
                                         {NN_CODE_MULTIPLY, 1, 2, 0, 0.0f},
                                         {NN_CODE_ADD, 0, 3, 0, 0.0f}};
    const nn__shards *shards = trainer->shards;
    const nn_view last = shards->last->tensor->view, counted = shards->counted->tensor->view;
    const bool sums = trainer->count.kind == NN__COUNT_SUM;
    nn_program_args args;
    nn_result result;
    nn__shard_begin_program(&args, sums ? sum : nn__shard_mean, sums ? 1 : 5, sums ? 1 : 3);
    args.outputs[0] = last;
    args.inputs[0] = args.inputs[2] = shards->loss->tensor->view;
    args.inputs[1] = counted;
    result = nn__shard_program(trainer, &args, site, who);
    nn__shard_begin_program(&args, add, 5, 3);
    args.outputs[0] = trainer->totals.node[0]->tensor->view;
    memset(&args.outputs[0].shape, 0, sizeof args.outputs[0].shape);
    args.inputs[0] = args.outputs[0];
    args.inputs[1] = last;
    args.inputs[2] = shards->samples->tensor->view;
    if (result == NN_OK) result = nn__shard_program(trainer, &args, site, who);
    if (result != NN_OK || !trainer->totals.mean) return result;
    return nn__shard_merge_mean(trainer, &trainer->totals.mean->tensor->view,
                                &trainer->totals.mean->tensor->view, &last,
                                trainer->totals.counted, site, who);
}

/* Adds a metric made of sums to its total, which also collects the rounding errors. */
static nn_result nn__shard_commit_sums(nn_trainer *trainer, int metric, nn_site site,
                                       const char *who) {
    const nn_tensor *value = trainer->shards->metrics[metric]->tensor;
    nn_accumulate_args args;
    memset(&args, 0, sizeof args);
    args.total = trainer->totals.node[1 + metric]->tensor->view;
    args.value = value->view;
    args.sums = (int32_t)nn_shape_count(value->view.shape);
    nn__install_accumulate(trainer->nn);
    return nn__shard_kernel(trainer, NN_KERNEL_ACCUMULATE, &args, NULL, site, who);
}

static nn_result nn__shard_commit_totals(nn_trainer *trainer, nn_site site, const char *who) {
    nn_result result = NN_OK;
    for (int i = -1; i < trainer->metric_count && result == NN_OK; i++) {
        nn_view total = trainer->totals.node[1 + i]->tensor->view;
        if (i >= 0 && nn__metric_of(trainer->desc.metrics.node[i])) {
            result = nn__shard_commit_sums(trainer, i, site, who);
            continue;
        }
        memset(&total.shape, 0, sizeof total.shape);
        if (i >= 0)
            result = nn__shard_add(trainer, &total, &total,
                                   &trainer->shards->metrics[i]->tensor->view, site, who);
        total.offset += sizeof(float); /* the samples */
        if (result == NN_OK)
            result = nn__shard_add(trainer, &total, &total,
                                   &trainer->shards->samples->tensor->view, site, who);
    }
    return result;
}

NN_PRIVATE nn_result nn__shard_commit(nn_trainer *trainer, nn_site site, const char *who) {
    nn_result result = nn__shard_commit_loss(trainer, site, who);
    if (result == NN_OK) result = nn__shard_commit_totals(trainer, site, who);
    if (result == NN_OK) result = nn__operands_run(trainer, site, who);
    if (result == NN_OK) result = nn__shard_commit_gradients(trainer, site, who);
    return result == NN_OK ? nn__shard_commit_buffers(trainer, site, who) : result;
}

/* ---- what the program reads ------------------------------------------------------------------ */

NN_PRIVATE const nn_view *nn__shard_loss(const nn_trainer *trainer) {
    return &trainer->shards->last->tensor->view;
}

/* Without .gradients each step keeps only the gradients of its own batch. */
NN_PRIVATE nn_result nn__shard_keeps_gradients(nn_trainer *trainer, nn_site site,
                                               const char *who) {
    if (trainer->owners->cut)
        return nn__fail_at(
            trainer->nn, site, NN_ERROR_ARGUMENT,
            "%s: with shard_state each rank has only the gradients of the parameters that it "
            "updates; nn_trainer_desc.gradients = true gives all gradients to all ranks",
            who);
    return trainer->shards->kept ? NN_OK : nn__gradient_none(trainer, site, who);
}

#endif /* NN__NO_TRAINER */

typedef int nn__shard_commit_part; /* a part must not be empty under NN__NO_TRAINER */
