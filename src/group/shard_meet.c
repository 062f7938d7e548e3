/* group/shard_meet.c - the meeting of shards that run side by side at a batch norm
   (group/shard_together.c).

   Forward, a shard with n numbers for each channel gives n, their mean and the sum of squared
   deviations. Two parts are joined as in Chan, Golub and LeVeque, "Updating formulae and a pairwise
   algorithm for computing sample variances", 1979. Backward,

     dx = weight rstd (dy - S / N - h P / N), h = (x - mean) rstd

   where S and P are the sums of dy and dy h over all N numbers of all shards. The gradients of
   weight and bias stay those of the shard. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- one lane -------------------------------------------------------------------------------- */

static nn__step *nn__meet_step(const nn_trainer *trainer, int lane, int point) {
    const nn__together *together = &trainer->shards->together;
    return &together->lanes[lane].plan->steps[together->points[point]];
}

/* Returns row `at` of the statistics of a device: two rows for each lane, then three for the whole
   batch. */
static nn_view nn__meet_row(const nn_trainer *trainer, int at, int32_t channels) {
    nn_view view = trainer->shards->together.statistics->tensor->view;
    view.offset += sizeof(float) * (uint64_t)at * (uint64_t)nn__together_row(channels);
    view.shape.extent[0] = channels;
    return view;
}
static int nn__meet_whole(const nn_trainer *trainer) { return 2 * trainer->shards->mine; }

/* Runs the kernel of the step with arguments other than the plan's, of the same sizes. */
static nn_result nn__meet_call(const nn_trainer *trainer, const nn__step *step, void *args,
                               nn_site site, const char *who) {
    const nn__open_device *on = nn__find_device(trainer->nn, step->node->device);
    const nn_kernel kernel = step->node->rule->kernel;
    nn_range all;
    nn_result result = on->backend->prepare(on->state, kernel, args);
    all.first = 0;
    all.count = -1;
    if ((int)result >= 0) result = nn__call_kernel(on, kernel, args, all);
    if ((int)result >= 0) return NN_OK;
    return nn__fail_at(trainer->nn, site, result, "%s: %s \"%s\" failed: %s", who,
                       nn__operation(step->node), step->node->name, nn_result_text(result));
}

/* Computes the statistics of a lane into its two rows. */
static nn_result nn__meet_tell(nn_trainer *trainer, int lane, int point, nn_site site,
                               const char *who) {
    nn__step *step = nn__meet_step(trainer, lane, point);
    const int32_t channels = nn__together_channels(step);
    const nn_view first = nn__meet_row(trainer, 2 * lane, channels),
                  second = nn__meet_row(trainer, 2 * lane + 1, channels);
    if (step->node->rule->kernel == NN_KERNEL_NORM_FORWARD) {
        nn_norm_args args = step->args->norm_forward;
        memset(&args.y, 0, sizeof args.y);
        memset(&args.rstd, 0, sizeof args.rstd);
        args.mean = first;
        args.variance = second;
        return nn__meet_call(trainer, step, &args, site, who);
    }
    nn_norm_backward_args args = step->args->norm_backward;
    memset(&args.dx, 0, sizeof args.dx);
    args.dbias = first;
    args.dweight = second;
    return nn__meet_call(trainer, step, &args, site, who);
}

static nn_result nn__meet_copy(const nn_trainer *trainer, const nn_view *to, const nn_view *from,
                               nn_site site, const char *who) {
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    const nn_result result = on->backend->copy(on->state, to->handle, to->offset, from->handle,
                                               from->offset, nn__bytes(from));
    if ((int)result >= 0) return NN_OK;
    return nn__fail_at(trainer->nn, site, result, "%s: copying on %s: %s", who, on->limits.name,
                       nn_result_text(result));
}

/* Normalises a lane by the whole batch, from the rows mean, variance and unbiased variance. */
static nn_result nn__meet_forward(nn_trainer *trainer, const nn__step *step, nn_site site,
                                  const char *who) {
    const int whole = nn__meet_whole(trainer);
    nn_norm_args args = step->args->norm_forward;
    const nn_view variance = args.variance,
                  unbiased = nn__meet_row(trainer, whole + 2, args.cut.groups);
    nn_result result;
    memset(&args.variance, 0, sizeof args.variance);
    args.running_mean = nn__meet_row(trainer, whole, args.cut.groups);
    args.running_var = nn__meet_row(trainer, whole + 1, args.cut.groups);
    result = nn__meet_call(trainer, step, &args, site, who);
    if (result != NN_OK || variance.dtype == NN_DTYPE_DEFAULT) return result;
    return nn__meet_copy(trainer, &variance, &unbiased, site, who);
}

/* Returns the numbers of the channels in a shape that broadcasts over (outer, channels, inner). */
static nn_view nn__meet_column(nn_view view) {
    memset(&view.shape.extent[1], 0, sizeof view.shape.extent - sizeof view.shape.extent[0]);
    view.shape.rank = 2;
    view.shape.extent[1] = 1;
    return view;
}

/* Computes dx from the rows S / N and P / N of the whole batch. */
static nn_result nn__meet_dx(nn_trainer *trainer, const nn_norm_backward_args *args, nn_site site,
                             const char *who) {
    static const nn_instruction code[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
        {NN_CODE_INPUT, 2, 0, 0, 0.0f},    {NN_CODE_INPUT, 3, 0, 0, 0.0f},
        {NN_CODE_INPUT, 4, 0, 0, 0.0f},    {NN_CODE_INPUT, 5, 0, 0, 0.0f},
        {NN_CODE_SUBTRACT, 1, 2, 0, 0.0f}, {NN_CODE_MULTIPLY, 6, 3, 0, 0.0f},
        {NN_CODE_MULTIPLY, 7, 5, 0, 0.0f}, {NN_CODE_SUBTRACT, 0, 4, 0, 0.0f},
        {NN_CODE_SUBTRACT, 9, 8, 0, 0.0f}, {NN_CODE_MULTIPLY, 10, 3, 0, 0.0f},
        {NN_CODE_INPUT, 6, 0, 0, 0.0f},    {NN_CODE_MULTIPLY, 11, 12, 0, 0.0f}};
    const bool weighs = args->weight.dtype != NN_DTYPE_DEFAULT;
    const int whole = nn__meet_whole(trainer);
    const int32_t channels = args->cut.groups;
    nn_program_args to;
    nn_view full;
    memset(&to, 0, sizeof to);
    to.program.code = code;
    to.program.count = weighs ? 14 : 12;
    to.program.input_count = weighs ? 7 : 6;
    to.program.output_count = 1;
    to.program.output[0] = (uint8_t)(to.program.count - 1);
    full = args->dx;
    memset(&full.shape, 0, sizeof full.shape);
    full.shape.rank = 3;
    full.shape.extent[0] = (int32_t)args->cut.outer;
    full.shape.extent[1] = channels;
    full.shape.extent[2] = (int32_t)args->cut.inner;
    to.outputs[0] = full;
    to.inputs[0] = args->dy;
    to.inputs[1] = args->x;
    to.inputs[0].shape = to.inputs[1].shape = full.shape;
    to.inputs[2] = nn__meet_column(args->mean);
    to.inputs[3] = nn__meet_column(args->rstd);
    to.inputs[4] = nn__meet_column(nn__meet_row(trainer, whole, channels));
    to.inputs[5] = nn__meet_column(nn__meet_row(trainer, whole + 1, channels));
    if (weighs) to.inputs[6] = nn__meet_column(args->weight);
    return nn__shard_program(trainer, &to, site, who);
}

static nn_result nn__meet_backward(nn_trainer *trainer, const nn__step *step, int lane,
                                   nn_site site, const char *who) {
    const nn_norm_backward_args *args = &step->args->norm_backward;
    const nn_view first = nn__meet_row(trainer, 2 * lane, args->cut.groups),
                  second = nn__meet_row(trainer, 2 * lane + 1, args->cut.groups);
    nn_result result = nn__meet_dx(trainer, args, site, who);
    if (result == NN_OK && args->dbias.dtype != NN_DTYPE_DEFAULT)
        result = nn__meet_copy(trainer, &args->dbias, &first, site, who);
    if (result == NN_OK && args->dweight.dtype != NN_DTYPE_DEFAULT)
        result = nn__meet_copy(trainer, &args->dweight, &second, site, who);
    return result;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Adds part b to part a. A part has the count of numbers for a channel, then for each channel mean
   and sum of squared deviations, or the two sums of the backward pass. */
static void nn__meet_join(double *a, const double *b, int32_t channels, bool forward) {
    const double before = a[0], more = b[0], all = before + more;
    if (more == 0.0) return;
    if (before == 0.0) {
        memcpy(a, b, sizeof *a * (1 + 2 * (size_t)channels));
        return;
    }
    a[0] = all;
    for (int32_t c = 1; c < 1 + 2 * channels; c += 2) {
        const double d = b[c] - a[c];
        if (forward) {
            a[c] += d * (more / all);
            a[c + 1] += b[c + 1] + d * d * (before * (more / all));
        } else {
            a[c] += b[c];
            a[c + 1] += b[c + 1];
        }
    }
}

/* Adds `count` parts in a tree, in groups of `each`; the sums are then adjacent. */
static void nn__meet_add(double *parts, int32_t count, int32_t each, int32_t channels,
                         bool forward) {
    const size_t part = 1 + 2 * (size_t)channels;
    for (int32_t step = 1; step < each; step *= 2)
        for (int32_t i = 0; i < count; i += 2 * step)
            nn__meet_join(parts + (size_t)i * part, parts + (size_t)(i + step) * part, channels,
                          forward);
    for (int32_t i = 1; i * each < count; i++)
        memmove(parts + (size_t)i * part, parts + (size_t)(i * each) * part, sizeof *parts * part);
}

/* Reads the rows of the lanes of one device into parts, from `to` on. */
static nn_result nn__meet_read(nn_trainer *trainer, int point, double *to, nn_site site) {
    nn__together *together = &trainer->shards->together;
    const nn__step *step = nn__meet_step(trainer, 0, point);
    const bool forward = step->node->rule->kernel == NN_KERNEL_NORM_FORWARD;
    const int32_t channels = nn__together_channels(step), row = nn__together_row(channels);
    const nn_view view = nn__meet_row(trainer, 0, channels);
    const nn_result result =
        nn__download(trainer->nn, trainer->loss->device, &view, together->numbers,
                     sizeof(float) * (uint64_t)(2 * trainer->shards->mine) * (uint64_t)row,
                     "exchange", site);
    for (int32_t i = 0; i < trainer->shards->mine && result == NN_OK; i++) {
        const float *one = together->numbers + (size_t)(2 * i) * (size_t)row, *two = one + row;
        const nn__step *own = nn__meet_step(trainer, i, point);
        const nn_norm_cut *cut =
            forward ? &own->args->norm_forward.cut : &own->args->norm_backward.cut;
        const double n =
            together->lanes[i].samples > 0 ? (double)cut->outer * (double)cut->inner : 0.0;
        double *part = to + (size_t)i * (1 + 2 * (size_t)channels);
        part[0] = n;
        for (int32_t c = 0; c < channels; c++) {
            part[1 + 2 * c] = (double)one[c];
            /* one number has no variance */
            part[2 + 2 * c] = !forward ? (double)two[c] : n > 1.0 ? (double)two[c] * (n - 1.0) : 0;
        }
    }
    return result;
}

/* Writes the result of all parts to the rows of the whole batch on one device. */
static nn_result nn__meet_write(nn_trainer *trainer, int point, const double *all, nn_site site) {
    nn__together *together = &trainer->shards->together;
    const nn__step *step = nn__meet_step(trainer, 0, point);
    const bool forward = step->node->rule->kernel == NN_KERNEL_NORM_FORWARD;
    const int32_t channels = nn__together_channels(step), row = nn__together_row(channels);
    const nn_view view = nn__meet_row(trainer, nn__meet_whole(trainer), channels);
    float *rows = together->numbers;
    for (int32_t c = 0; c < channels; c++) {
        const double a = all[1 + 2 * c], b = all[2 + 2 * c], n = all[0];
        rows[c] = (float)(forward ? a : a / n);
        rows[row + c] = (float)(b / n);
        rows[2 * row + c] = (float)(b / (n - 1.0));
    }
    return nn__upload(trainer->nn, trainer->loss->device, &view, rows,
                      sizeof(float) * 3 * (uint64_t)row, "exchange", site, NULL);
}

/* Adds the parts of the shards here, then those of all ranks: the result is in together->all[0]. */
static nn_result nn__meet_gather(nn_trainer *trainer, nn_result mine, int32_t channels,
                                 bool forward, nn_site site, const char *who) {
    nn__together *together = &trainer->shards->together;
    nn_group *group = trainer->desc.group;
    const size_t bytes = sizeof(double) * (1 + 2 * (size_t)channels);
    const int32_t parts = nn__group_least(group), own = trainer->shards->own;
    const int32_t each = trainer->shards->count / parts;
    nn_result result = mine;
    if (result == NN_OK) nn__meet_add(together->own, own, each, channels, forward);
    if (nn_group_size(group) < 2) {
        if (result == NN_OK) memcpy(together->all, together->own, bytes);
        return result;
    }
    if (result != NN_OK) return result; /* the other ranks learn of it when they agree */
    result = nn__trainer_agree(trainer, NN_OK, site, who);
    if (result == NN_OK)
        result = nn__group_gather_parts(group, together->own, bytes, parts, together->all, site,
                                        who);
    together->agreed = result != NN_OK;
    together->met++;
    if (result == NN_OK) nn__meet_add(together->all, parts, parts, channels, forward);
    return result;
}

/* Reports a NaN or infinite number before it gets into the statistics of all shards. */
static nn_result nn__meet_finite(nn_trainer *trainer, const nn__step *step, nn_site site,
                                 const char *who) {
    const size_t part = 1 + 2 * (size_t)nn__together_channels(step);
    const double *parts = trainer->shards->together.own;
    nn_plan *plan = trainer->plan;
    for (int32_t i = 0; i < trainer->shards->own; i++)
        for (size_t k = 1; k < part && parts[(size_t)i * part] > 0.0; k++) {
            const double x = parts[(size_t)i * part + k];
            if (x - x == 0.0) continue;
            plan->fault = (uint32_t)plan->run.step << 3 | (uint32_t)NN_FAULT_LOSS;
            return nn__fail_at(trainer->nn, site, NN_ERROR_NAN,
                               "%s: step %lld: the input of %s \"%s\" is NaN or infinite; "
                               "nothing has been updated since; call nn_clear_fault(trainer)",
                               who, (long long)plan->run.step, nn__operation(step->node),
                               step->node->name);
        }
    return NN_OK;
}

/* Makes the same check as plan/lower.c makes for one batch. */
static nn_result nn__meet_spread(const nn_trainer *trainer, const nn__step *step, double count) {
    if (count > 1.0) return NN_OK;
    return nn__fail_at(trainer->nn, step->node->site, NN_ERROR_SHAPE,
                       "%s \"%s\" has one number for each channel in the whole batch, and "
                       "training divides by the variance of the batch; nothing was updated; give "
                       "larger batches (.drop_last of the loader leaves a short last one out), "
                       "or set .frozen of the layer",
                       nn__operation(step->node), step->node->name);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Runs every lane of a device up to the point, and computes its statistics there. */
static nn_result nn__meet_arrive(nn_trainer *trainer, int point, nn_site site, const char *who) {
    const nn__together *together = &trainer->shards->together;
    nn_result result = NN_OK;
    for (int i = 0; i < together->lane_count && result == NN_OK; i++) {
        if (together->lanes[i].samples == 0) continue;
        result = nn__run_plan_to(together->lanes[i].plan, together->points[point], site, who);
        if (result == NN_OK) result = nn__meet_tell(trainer, i, point, site, who);
    }
    return result;
}

/* Normalises every lane at the point and skips the plan's own step. */
static nn_result nn__meet_leave(nn_trainer *trainer, int point, nn_site site, const char *who) {
    const nn__together *together = &trainer->shards->together;
    nn_result result = NN_OK;
    for (int i = 0; i < together->lane_count && result == NN_OK; i++) {
        const nn__step *step = nn__meet_step(trainer, i, point);
        if (together->lanes[i].samples == 0) continue;
        result = step->node->rule->kernel == NN_KERNEL_NORM_FORWARD
                     ? nn__meet_forward(trainer, step, site, who)
                     : nn__meet_backward(trainer, step, i, site, who);
        if (result == NN_OK) nn__run_past(together->lanes[i].plan);
    }
    return result;
}

NN_PRIVATE nn_result nn__together_meet(nn_trainer *const *parts, int count, int point,
                                       nn_site site, const char *who) {
    nn__together *together = &parts[0]->shards->together;
    const nn__step *step = nn__meet_step(parts[0], 0, point);
    const bool forward = step->node->rule->kernel == NN_KERNEL_NORM_FORWARD;
    const int32_t channels = nn__together_channels(step);
    const size_t part = (1 + 2 * (size_t)channels) * (size_t)parts[0]->shards->mine;
    nn_result result = NN_OK;
    for (int k = count - 1; k >= 0 && result == NN_OK; k--) /* the other devices begin first */
        result = nn__meet_arrive(parts[k], point, site, who);
    for (int k = 0; k < count && result == NN_OK; k++)
        result = nn__meet_read(parts[k], point, together->own + part * (size_t)k, site);
    if (result == NN_OK && forward) result = nn__meet_finite(parts[0], step, site, who);
    result = nn__meet_gather(parts[0], result, channels, forward, site, who);
    if (result == NN_OK && forward) result = nn__meet_spread(parts[0], step, together->all[0]);
    for (int k = 0; k < count && result == NN_OK; k++)
        result = nn__meet_write(parts[k], point, together->all, site);
    for (int k = count - 1; k >= 0 && result == NN_OK; k--)
        result = nn__meet_leave(parts[k], point, site, who);
    return result;
}

#endif /* NN__NO_TRAINER */

typedef int nn__shard_meet_part; /* a part must not be empty under NN__NO_TRAINER */
