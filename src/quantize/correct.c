/* quantize/correct.c - bias correction: the mean error of each channel of a layer on the
   loader's batches is taken out of its bias. Layers are corrected in order, each with those before
   it corrected. */
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

/* The sums of the channels of a value. */
struct nn__integers_sums {
    double *original, *whole; /* of the numbers in f32 and in integers */
    double *inside;           /* how many integers are not at an end of their range */
    double originals, wholes; /* numbers of each channel */
    float low, high;
};

static size_t nn__integers_plane(const nn__integers_node *of, size_t *channels) {
    const nn_shape *shape = &of->node->shape;
    size_t plane = 1;
    *channels = (size_t)shape->extent[of->image ? 1 : shape->rank - 1];
    for (int i = 2; i < shape->rank && of->image; i++) plane *= (size_t)shape->extent[i];
    return plane;
}

static nn_result nn__integers_see_original(nn__integers *q, nn__integers_node *of, float *numbers,
                                           size_t count) {
    nn__integers_sums *sums = of->sums;
    size_t channels;
    const size_t plane = nn__integers_plane(of, &channels);
    (void)q;
    nn__integers_divide_by(of, numbers, count);
    for (size_t i = 0; i < count; i++) sums->original[i / plane % channels] += (double)numbers[i];
    sums->originals += (double)(count / channels);
    return NN_OK;
}
static nn_result nn__integers_see_whole(nn__integers *q, nn__integers_node *of, float *numbers,
                                        size_t count) {
    nn__integers_sums *sums = of->sums;
    size_t channels;
    const size_t plane = nn__integers_plane(of, &channels);
    (void)q;
    for (size_t i = 0; i < count; i++) {
        const size_t c = i / plane % channels;
        sums->whole[c] += (double)numbers[i];
        sums->inside[c] += numbers[i] > sums->low && numbers[i] < sums->high;
    }
    sums->wholes += (double)(count / channels);
    return NN_OK;
}

static nn_node *nn__integers_corrected_original(const nn__integers *q, int at) {
    return q->all[at].sums ? q->all[at].node : NULL;
}
static nn_node *nn__integers_corrected_copy(const nn__integers *q, int at) {
    return q->all[at].corrected ? q->copy.nodes[at] : NULL;
}

static nn__integers_fill_one *nn__integers_fill_of(const nn__integers *q, const nn_node *leaf) {
    for (nn__integers_fill_one *one = q->fills; one; one = one->next)
        if (one->node == leaf) return one;
    return NULL;
}

/* Takes the error out of the biases. A channel whose numbers are mostly clamped stays: its bias
   hardly moves its mean. */
static nn_result nn__integers_shift(nn__integers *q, const nn__integers_node *layer,
                                    const nn__integers_sums *sums) {
    const nn__integers_node *value = &q->all[layer->value];
    nn__integers_fill_one *bias = nn__integers_fill_of(q, value->made->inputs[2]);
    const nn__integers_fill_one *factors = nn__integers_fill_of(q, value->made->inputs[3]);
    const size_t K = bias->bytes / sizeof(int32_t);
    int32_t *to = (int32_t *)bias->data;
    const int32_t *factor = (const int32_t *)factors->data;
    for (size_t k = 0; k < K; k++) {
        const double error = sums->whole[k] / sums->wholes - sums->original[k] / sums->originals,
                     share = sums->inside[k] / sums->wholes,
                     unit = ldexp((double)factor[k], factor[K + k] - 31) * (double)value->scale;
        if (share < 1.0 / 16.0 || unit <= 0.0) continue;
        const double moved = (double)to[k] - floor(error / share / unit + 0.5);
        if (fabs(moved) < 1073741824.0) to[k] = (int32_t)moved;
    }
    nn__weights_change(q->nn);
    return nn__upload(q->nn, bias->node->device, &bias->node->tensor->view, bias->data, bias->bytes,
                      "quantize", q->site, NULL);
}

/* Prepares the sums of a layer's value. */
static nn_result nn__integers_begin_sums(nn__integers *q, nn__integers_node *layer) {
    nn__integers_node *value = &q->all[layer->value];
    size_t channels;
    nn__integers_plane(value, &channels);
    nn__integers_sums *sums = (nn__integers_sums *)nn__integers_take(q, sizeof *sums);
    if (!sums) return NN_ERROR_MEMORY;
    sums->original = (double *)nn__integers_take(q, 3 * channels * sizeof(double));
    if (!sums->original) return NN_ERROR_MEMORY;
    sums->whole = sums->original + channels;
    sums->inside = sums->whole + channels;
    sums->low = value->scale * (float)(-128 - value->zero);
    sums->high = value->scale * (float)(127 - value->zero);
    if (layer->clamp >= 0 && layer->low > sums->low) sums->low = layer->low;
    if (layer->clamp >= 0 && layer->high < sums->high) sums->high = layer->high;
    sums->low += 0.5f * value->scale, sums->high -= 0.5f * value->scale;
    value->sums = sums;
    return NN_OK;
}

static bool nn__integers_corrects(const nn__integers *q, const nn__integers_node *layer) {
    if (layer->way != NN__WAY_CONV && layer->way != NN__WAY_LINEAR) return false;
    const nn__integers_node *value = &q->all[layer->value];
    return value->whole && value->same < 0 && q->copy.nodes[layer->value] != NULL;
}

static nn_result nn__integers_correct_all(nn__integers *q) {
    nn__integers_run run;
    nn_result result = nn__integers_plan(q, q->net, &run, nn__integers_corrected_original);
    if (result == NN_OK) result = nn__integers_pass(q, &run, nn__integers_see_original);
    nn_free_plan(run.plan);
    for (int i = 0; i < q->count && result == NN_OK; i++) {
        if (!nn__integers_corrects(q, &q->all[i])) continue;
        nn__integers_node *value = &q->all[q->all[i].value];
        value->corrected = true;
        result = nn__integers_plan(q, q->to, &run, nn__integers_corrected_copy);
        if (result == NN_OK) result = nn__integers_pass(q, &run, nn__integers_see_whole);
        nn_free_plan(run.plan);
        value->corrected = false;
        if (result == NN_OK) result = nn__integers_shift(q, &q->all[i], value->sums);
    }
    return result;
}

NN_PRIVATE nn_result nn__integers_correct(nn__integers *q) {
    const nn_loader_state state = nn_loader_position(q->loader);
    nn_result result = NN_OK;
    bool any = false;
    for (int i = 0; i < q->count && result == NN_OK; i++)
        if (nn__integers_corrects(q, &q->all[i])) {
            result = nn__integers_begin_sums(q, &q->all[i]);
            any = true;
        }
    if (result == NN_OK && any) result = nn__integers_correct_all(q);
    const nn_result back = nn_set_loader_position(q->loader, &state);
    return result == NN_OK ? back : result;
}
#endif

typedef int nn__integers_correct_part; /* a part must not be empty under NN__NO_TRAINER */
