/* quantize/ranges.c - runs a net on batches of a loader: finds the range of each value that
   becomes integers, and later the error of the quantised net. */
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

/* ---- running a plan on the loader's batches -------------------------------------------------- */

NN_PRIVATE nn_result nn__integers_plan(nn__integers *q, nn_model *net, nn__integers_run *run,
                                       nn_node *(*find)(const nn__integers *q, int at)) {
    nn_plan_desc desc;
    memset(run, 0, sizeof *run);
    run->nodes = (nn_node **)nn__integers_take(q, sizeof *run->nodes * (size_t)q->count);
    run->places = (int *)nn__integers_take(q, sizeof *run->places * (size_t)q->count);
    if (!run->nodes || !run->places) return NN_ERROR_MEMORY;
    for (int i = 0; i < q->count; i++) {
        nn_node *node = find(q, i);
        if (!node) continue;
        const size_t bytes = nn__node_bytes(node, q->loader->batch, 1);
        run->room = bytes > run->room ? bytes : run->room;
        run->places[run->count] = i;
        run->nodes[run->count++] = node;
    }
    run->numbers = (float *)nn__integers_take(q, run->room);
    if (!run->numbers) return NN_ERROR_MEMORY;
    memset(&desc, 0, sizeof desc);
    desc.outputs.node = run->nodes;
    desc.outputs.count = run->count;
    desc.batch = q->loader->batch;
    run->plan = nn_make_plan_at(q->site, net, &desc);
    return run->plan ? NN_OK : nn_error_code(q->nn);
}

static nn_result nn__integers_bind(nn__integers *q, nn_plan *plan) {
    for (int i = 0; i < plan->value_count; i++) {
        const nn__value *value = &plan->values[i];
        if (value->place != NN__PLACE_INPUT || value->node->remembers) continue;
        nn_tensor *tensor = nn_batch_tensor(q->loader, value->node->name);
        if (!tensor)
            return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                               "%s: the loader has no field \"%s\" for that input of "
                               "\"%s\"; give a field of its dataset this name",
                               q->call, value->node->name, q->net->name);
        const nn_result result =
            value->node->dtype == NN_I8 && nn_tensor_dtype(tensor) == NN_F32
                ? nn__integers_give(q, plan, value->node, tensor)
                : nn_bind_at(q->site, plan, (nn_node *)(uintptr_t)value->node, tensor);
        if (result != NN_OK) return result;
    }
    return NN_OK;
}

/* Runs the plan on the current batch. */
static nn_result nn__integers_run_batch(nn__integers *q, nn__integers_run *run) {
    nn_result result = nn__integers_bind(q, run->plan);
    return result == NN_OK ? nn_run_at(q->site, run->plan) : result;
}

/* Copies output i of the last run to run->numbers. */
static nn_result nn__integers_fetch(nn__integers *q, nn__integers_run *run, int i, size_t *count) {
    const size_t bytes = nn__node_bytes(run->nodes[i], nn_plan_batch(run->plan), 1);
    *count = bytes / sizeof(float);
    return nn_download_at(q->site, run->plan, run->nodes[i], run->numbers, bytes);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

static nn_node *nn__integers_ranged(const nn__integers *q, int at) {
    const nn__integers_node *of = &q->all[at];
    return of->whole && of->same < 0 && !of->learned ? of->node : NULL;
}

/* Extends the range of a value, or counts its numbers in bins. */
static nn_result nn__integers_see_numbers(nn__integers *q, nn__integers_node *of,
                                          const float *numbers, size_t count, bool bins) {
    const float scale = (float)NN__INTEGERS_BINS / (of->most - of->least);
    for (size_t i = 0; i < count; i++) {
        const float x = numbers[i];
        if (!(fabsf(x) < 1e30f))
            return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                               "%s: \"%s\" has the number %g on the loader's data; "
                               "wanted finite ones, below 1e30",
                               q->call, of->node->name, (double)x);
        if (bins) {
            const float bin = (x - of->least) * scale; /* the numbers may be new */
            of->counts[bin < (float)NN__INTEGERS_BINS ? (bin > 0.0f ? (int)bin : 0)
                                                      : NN__INTEGERS_BINS - 1]++;
        } else {
            if (x < of->least) of->least = x;
            if (x > of->most) of->most = x;
        }
    }
    return NN_OK;
}

/* Does the same for values of the original: the first pass finds the ranges, the second one
   counts. */
static nn_result nn__integers_see_range(nn__integers *q, nn__integers_node *of, float *numbers,
                                        size_t count) {
    nn__integers_divide_by(of, numbers, count);
    return nn__integers_see_numbers(q, of, numbers, count, of->counts != NULL);
}

NN_PRIVATE nn_result nn__integers_pass(nn__integers *q, nn__integers_run *run,
                                       nn_result (*see)(nn__integers *q, nn__integers_node *of,
                                                        float *numbers, size_t count)) {
    int batches = 0;
    nn_result result = nn_start_epoch(q->loader, 0);
    while (result == NN_OK && (q->desc.batches <= 0 || batches < q->desc.batches) &&
           nn_next_batch_at(q->site, q->loader)) {
        batches++;
        result = nn__integers_run_batch(q, run);
        for (int i = 0; i < run->count && result == NN_OK; i++) {
            size_t count;
            result = nn__integers_fetch(q, run, i, &count);
            if (result == NN_OK) result = see(q, &q->all[run->places[i]], run->numbers, count);
        }
    }
    if (result == NN_OK && nn_loader_result(q->loader) < 0) result = nn_loader_result(q->loader);
    if (result == NN_OK && batches == 0)
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: the loader has no batch; give it samples", q->call);
    return result;
}

/* Narrows the range so that the share of `percentile` stays. */
static void nn__integers_percentile(const nn__integers *q, nn__integers_node *of) {
    const double share = q->desc.percentile > 0.0f ? (double)q->desc.percentile / 100.0 : 0.9999;
    const float width = (of->most - of->least) / (float)NN__INTEGERS_BINS, least = of->least;
    int64_t total = 0, left = 0, right = 0;
    int from = 0, end = NN__INTEGERS_BINS;
    for (int i = 0; i < NN__INTEGERS_BINS; i++) total += of->counts[i];
    const double rest = (double)total * (1.0 - share) / 2.0;
    while (from < end && (double)(left + of->counts[from]) <= rest) left += of->counts[from++];
    while (end > from + 1 && (double)(right + of->counts[end - 1]) <= rest)
        right += of->counts[--end];
    of->least = least + (float)from * width;
    of->most = least + (float)end * width;
}

/* Returns the mean squared error of the numbers in the bins if the range is cut to [least,
   most]. */
static double nn__integers_error(const nn__integers_node *of, double least, double most) {
    const double width = ((double)of->most - (double)of->least) / NN__INTEGERS_BINS;
    const double low = least < 0.0 ? least : 0.0, high = most > 0.0 ? most : 0.0;
    const double step = (high - low) / 255.0;
    double sum = 0.0;
    for (int i = 0; i < NN__INTEGERS_BINS; i++) {
        if (!of->counts[i]) continue;
        const double x = (double)of->least + (i + 0.5) * width, cut = x < low    ? low - x
                                                                      : x > high ? x - high
                                                                                 : 0.0;
        sum += (double)of->counts[i] * (cut * cut + step * step / 12.0);
    }
    return sum;
}
/* Returns the Kullback-Leibler divergence between the numbers in the bins and the same numbers in
   256 levels of equal width. Numbers outside of [least, most] are moved to its ends. Zeros
   do not count: they are exact in every range, and after a relu there are too many of them. */
static double nn__integers_divergence(const nn__integers_node *of, double least, double most) {
    const double width = ((double)of->most - (double)of->least) / NN__INTEGERS_BINS;
    const int from = (int)floor((least - (double)of->least) / width + 0.5),
              end = (int)floor((most - (double)of->least) / width + 0.5), bins = end - from;
    const int zero = (int)floor(-(double)of->least / width);
    double all = 0.0, inside = 0.0, left = 0.0, right = 0.0, sum = 0.0;
    for (int i = 0; i < NN__INTEGERS_BINS; i++) {
        const double count = i == zero ? 0.0 : (double)of->counts[i];
        all += count;
        if (i < from) left += count;
        else if (i >= end) right += count;
        else inside += count;
    }
    if (from < 0 || end > NN__INTEGERS_BINS || bins < 256 || inside == 0.0) return 1e30;
    for (int level = 0; level < 256; level++) {
        const int first = from + level * bins / 256, next = from + (level + 1) * bins / 256;
        double count = 0.0;
        int filled = 0;
        for (int i = first; i < next; i++) {
            if (i == zero) continue;
            count += (double)of->counts[i];
            filled += of->counts[i] != 0;
        }
        for (int i = first; i < next; i++) {
            if (i == zero) continue;
            const double own = (double)of->counts[i] + (i == from ? left : 0.0) +
                               (i == end - 1 ? right : 0.0),
                         even = of->counts[i] ? count / filled : 0.0;
            /* a level without numbers gets a small probability, so that the logarithm is finite */
            if (own > 0.0) sum += own / all * nn__log(own / all / (even / inside + 1e-7));
        }
    }
    return sum;
}

/* Shrinks the range to the least error or divergence. */
static void nn__integers_shrink(const nn__integers *q, nn__integers_node *of) {
    double best = 0.0, least = (double)of->least, most = (double)of->most;
    for (int i = 100; i >= 20; i--) {
        const double low = i / 100.0 * (double)of->least, high = i / 100.0 * (double)of->most;
        const double error = q->desc.calibration == NN_CALIBRATION_ENTROPY
                                 ? nn__integers_divergence(of, low, high)
                                 : nn__integers_error(of, low, high);
        if (i < 100 && error >= best) continue;
        best = error;
        least = low, most = high;
    }
    of->least = (float)least, of->most = (float)most;
}

/* Computes scale and zero point of a range, which includes 0. */
static void nn__integers_set_scale(nn__integers_node *of) {
    if (of->learned) {
        of->least = of->scale * (float)(-128 - of->zero);
        of->most = of->scale * (float)(127 - of->zero);
        return;
    }
    const double least = of->least < 0.0f ? (double)of->least : 0.0,
                 most = of->most > 0.0f ? (double)of->most : 0.0;
    of->scale = (float)((most - least) / 255.0);
    if (!(of->scale > 1e-30f)) of->scale = 1.0f / 255.0f;
    const double zero = -128.0 - least / (double)of->scale;
    const int whole = (int)floor(zero + 0.5);
    of->zero = whole < -128 ? -128 : whole > 127 ? 127 : whole;
}

/* Gives the result of a softmax the scale of TensorFlow Lite, whatever its measured range: shares
   from 0 to 255/256. */
static void nn__integers_scale_softmax(nn__integers_node *of) {
    of->scale = 1.0f / 256.0f;
    of->zero = -128;
    of->least = 0.0f, of->most = 255.0f / 256.0f;
}

static nn_result nn__integers_measure_with(nn__integers *q) {
    const bool bins = q->desc.calibration != NN_CALIBRATION_MIN_MAX;
    nn__integers_run run;
    for (int i = 0; i < q->count; i++) q->all[i].least = 1e30f, q->all[i].most = -1e30f;
    bool any = false;
    for (int i = 0; i < q->count; i++) any = any || nn__integers_ranged(q, i);
    if (!any) return NN_OK; /* nn_prepare_qat has found all scales */
    nn_result result = nn__integers_plan(q, q->net, &run, nn__integers_ranged);
    if (result == NN_OK) result = nn__integers_pass(q, &run, nn__integers_see_range);
    for (int i = 0; i < run.count && bins && result == NN_OK; i++) {
        nn__integers_node *of = &q->all[run.places[i]];
        of->counts = (int64_t *)nn__integers_take(q, NN__INTEGERS_BINS * sizeof *of->counts);
        if (!of->counts) result = NN_ERROR_MEMORY;
        if (!(of->most > of->least)) of->most = of->least + 1e-6f;
    }
    if (result == NN_OK && bins) result = nn__integers_pass(q, &run, nn__integers_see_range);
    for (int i = 0; i < run.count && bins && result == NN_OK; i++) {
        nn__integers_node *of = &q->all[run.places[i]];
        if (q->desc.calibration == NN_CALIBRATION_PERCENTILE)
            nn__integers_percentile(q, of);
        else
            nn__integers_shrink(q, of);
    }
    nn_free_plan(run.plan);
    return result;
}

NN_PRIVATE nn_result nn__integers_measure(nn__integers *q) {
    nn_result result = NN_OK;
    if (q->loader) {
        const nn_loader_state state = nn_loader_position(q->loader);
        result = nn__integers_measure_with(q);
        if (result == NN_OK) result = nn__integers_measure_cells(q);
        const nn_result back = nn_set_loader_position(q->loader, &state);
        if (result == NN_OK) result = back;
    } else {
        for (int i = 0; i < q->count; i++) q->all[i].least = -1.0f, q->all[i].most = 1.0f;
    }
    for (int i = 0; i < q->count && result == NN_OK; i++)
        if (q->all[i].whole) nn__integers_set_scale(&q->all[i]);
    for (int i = 0; i < q->count && result == NN_OK; i++)
        if (q->all[i].way == NN__WAY_SOFTMAX && !q->all[q->all[i].value].learned)
            nn__integers_scale_softmax(&q->all[q->all[i].value]);
    return result;
}

/* ---- the report ------------------------------------------------------------------------------ */

static bool nn__integers_is_compared(const nn__integers *q, int at) {
    const nn__integers_node *of = &q->all[at];
    return of->whole && of->same < 0 && !of->entry && q->copy.nodes[at];
}
static nn_node *nn__integers_original(const nn__integers *q, int at) {
    return nn__integers_is_compared(q, at) ? q->all[at].node : NULL;
}
static nn_node *nn__integers_copied(const nn__integers *q, int at) {
    return nn__integers_is_compared(q, at) ? q->copy.nodes[at] : NULL;
}

NN_PRIVATE const nn__integers_node *nn__integers_layer_of(const nn__integers *q, int at) {
    for (int i = 0; i <= at; i++) {
        if (nn__integers_joins(q->all[i].way) && q->all[i].value == at) return &q->all[i];
    }
    return &q->all[at];
}

static void nn__integers_line(const nn__integers *q, int at, double error) {
    const nn__integers_node *of = &q->all[at], *layer = nn__integers_layer_of(q, at);
    char text[24] = "";
    if (error >= 0.0) nn__format(text, sizeof text, "%.2f %%", 100.0 * error);
    if (layer->way == NN__WAY_FAKE) layer = &q->all[layer->x];
    nn__print(&q->desc.report, "  %-24s %-12s %11.4g %11.4g %11.4g %5d %9s\n", layer->node->name,
              layer->way == NN__WAY_CONV     ? (layer->levels < 127 ? "conv2d 4-bit" : "conv2d")
              : layer->way == NN__WAY_LINEAR ? (layer->levels < 127 ? "linear 4-bit" : "linear")
              : layer->way == NN__WAY_ADD    ? "add"
              : layer->way == NN__WAY_RECURRENT
                  ? (layer->cell == NN_RECURRENT_LSTM ? "lstm" : "gru")
              : layer->way == NN__WAY_MULTIPLY || layer->way == NN__WAY_TABLE ||
                      layer->way == NN__WAY_CONCAT || layer->way == NN__WAY_SOFTMAX
                  ? layer->node->rule->name
                  : "f32 value",
              (double)of->least, (double)of->most, (double)of->scale, of->zero, text);
}

static nn_result nn__integers_compare(nn__integers *q, double *errors) {
    nn__integers_run real, whole;
    nn_result result = nn__integers_plan(q, q->net, &real, nn__integers_original);
    memset(&whole, 0, sizeof whole);
    if (result == NN_OK) result = nn__integers_plan(q, q->to, &whole, nn__integers_copied);
    if (result == NN_OK) result = nn_start_epoch(q->loader, 0);
    if (result == NN_OK && !nn_next_batch_at(q->site, q->loader))
        result = nn_loader_result(q->loader);
    if (result == NN_OK) result = nn__integers_run_batch(q, &real);
    if (result == NN_OK) result = nn__integers_run_batch(q, &whole);
    for (int i = 0; i < real.count && result == NN_OK; i++) {
        size_t count;
        double off = 0.0, all = 0.0;
        result = nn__integers_fetch(q, &real, i, &count);
        if (result == NN_OK)
            nn__integers_divide_by(&q->all[real.places[i]], real.numbers, count);
        if (result == NN_OK) result = nn__integers_fetch(q, &whole, i, &count);
        for (size_t k = 0; k < count; k++) {
            const double x = (double)real.numbers[k], d = (double)whole.numbers[k] - x;
            all += x * x;
            off += d * d;
        }
        errors[real.places[i]] = all > 0.0 ? sqrt(off / all) : off > 0.0 ? 1.0 : 0.0;
    }
    nn_free_plan(real.plan);
    nn_free_plan(whole.plan);
    return result;
}

NN_PRIVATE nn_result nn__integers_report(nn__integers *q) {
    nn_result result = NN_OK;
    if (!q->desc.report.function) return NN_OK;
    double *errors = (double *)nn__integers_take(q, sizeof *errors * (size_t)q->count);
    if (!errors) return NN_ERROR_MEMORY;
    for (int i = 0; i < q->count; i++) errors[i] = -1.0;
    if (q->loader) {
        const nn_loader_state state = nn_loader_position(q->loader);
        result = nn__integers_compare(q, errors);
        const nn_result back = nn_set_loader_position(q->loader, &state);
        if (result == NN_OK) result = back;
    }
    if (result != NN_OK) return result;
    nn__print(&q->desc.report, "%s %s%s\n  %-24s %-12s %11s %11s %11s %5s %9s\n", q->net->name,
              q->train ? "rounded as in 8-bit integers" : "in 8-bit integers",
              nn__integers_any_small(q) ? ", 4-bit weights" : "", "value", "operation", "from",
              "to", "scale", "zero", "error");
    for (int i = 0; i < q->count; i++)
        if (q->all[i].whole && q->all[i].same < 0) nn__integers_line(q, i, errors[i]);
    for (int i = 0; i < q->count; i++) {
        const nn__integers_node *of = &q->all[i];
        const bool layer = of->value >= 0 && q->all[of->value].whole;
        if (of->node->kind == NN__OPERATION && (!of->whole || of->entry) && !layer && of->why &&
            of->way != NN__WAY_PART)
            nn__print(&q->desc.report, "  %-24s stays in f32: %s\n", of->node->name, of->why);
    }
    return NN_OK;
}
#endif

typedef int nn__integers_ranges_part; /* a part must not be empty under NN__NO_TRAINER */
