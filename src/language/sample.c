/* language/sample.c - chooses a token from logits, by the definitions of transformers 5,
   generation/logits_process.py; in double, where transformers uses f32. */
#include "language/generate_private.h"

NN__TEXT_PRIVATE bool nn__sample_check(nn__text_call *call, const nn_sampling *s) {
    const char *wrong = NULL;
    if (!(s->repetition_penalty >= 0 && s->repetition_penalty <= 1e6f))
        wrong = "sampling.repetition_penalty must be positive and at most 1e6";
    else if (!(s->temperature == 0 || (s->temperature >= 1e-6f && s->temperature <= 1e6f)))
        wrong = "sampling.temperature must lie between 1e-6 and 1e6; to always choose the most "
                "likely token, leave .sample false";
    else if (s->top_k < 0) wrong = "top_k is negative";
    else if (!(s->top_p >= 0 && s->top_p <= 1)) wrong = "sampling.top_p must lie between 0 and 1";
    else if (!(s->min_p >= 0 && s->min_p <= 1)) wrong = "sampling.min_p must lie between 0 and 1";
    else if (!s->sample && (s->temperature != 0 || s->top_k != 0 || s->top_p != 0 || s->min_p != 0))
        wrong = "sampling.temperature, .top_k, .top_p and .min_p have no effect while .sample is "
                "false; set sampling.sample";
    return !wrong || nn__text_fail(call, NN_ERROR_ARGUMENT, "sampling: %s", wrong);
}

/* Applies the penalty to each token of the text, once. */
static void nn__sample_penalise(nn__sampler *sampler, float penalty, const int32_t *ids,
                                int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        uint32_t bit = 1u << (ids[i] & 31), *word = &sampler->seen[ids[i] >> 5];
        float *score = &sampler->scores[ids[i]];
        if (*word & bit) continue;
        *word |= bit;
        *score = *score < 0 ? *score * penalty : *score / penalty;
    }
    for (int32_t i = 0; i < count; i++) sampler->seen[ids[i] >> 5] = 0;
}

/* Returns the k-th largest value, by quickselect with the median of three as pivot. */
static float nn__sample_select(float *values, int32_t count, int32_t k) {
    int32_t low = 0, high = count - 1;
    while (low < high) {
        float a = values[low], b = values[low + (high - low) / 2], c = values[high];
        float pivot = a > b ? (b > c ? b : a > c ? c : a) : (a > c ? a : b > c ? c : b);
        int32_t i = low, j = high;
        while (i <= j) {
            while (values[i] > pivot) i++;
            while (values[j] < pivot) j--;
            if (i <= j) {
                float held = values[i];
                values[i++] = values[j];
                values[j--] = held;
            }
        }
        if (k - 1 <= j) high = j;
        else if (k - 1 >= i) low = i;
        else break;
    }
    return values[k - 1];
}

/* True if token a ranks above b. Of equal scores torch.sort puts the lower id first, and top-p
   drops it first. */
static bool nn__sample_above(const float *scores, int32_t a, int32_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a > b;
}

static void nn__sample_sink(const float *scores, int32_t *heap, int32_t count, int32_t at) {
    int32_t token = heap[at];
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && nn__sample_above(scores, heap[child + 1], heap[child])) child++;
        if (!nn__sample_above(scores, heap[child], token)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = token;
}

/* Keeps the likeliest tokens until they have the share of the total. A heap orders them, so that
   the rest is not sorted. */
static void nn__sample_top_p(nn__sampler *sampler, double share) {
    int32_t *heap = sampler->order, count = 0;
    double total = 0, before = 0;
    for (int32_t i = 0; i < sampler->size; i++) {
        if (sampler->scores[i] == -INFINITY) continue;
        heap[count++] = i;
        total += sampler->weights[i];
    }
    for (int32_t i = count / 2; i-- > 0;) nn__sample_sink(sampler->scores, heap, count, i);
    do {
        before += sampler->weights[heap[0]];
        heap[0] = heap[--count];
        if (count > 0) nn__sample_sink(sampler->scores, heap, count, 0);
    } while (count > 0 && before < share * total);
    for (int32_t i = 0; i < count; i++) {
        sampler->scores[heap[i]] = -INFINITY;
        sampler->weights[heap[i]] = 0;
    }
}

NN__TEXT_PRIVATE bool nn__sample_process(nn__sampler *sampler, const nn_sampling *s,
                                         const int32_t *ids, int32_t count) {
    float *scores = sampler->scores, largest = -INFINITY;
    int32_t size = sampler->size;
    if (s->repetition_penalty != 0 && s->repetition_penalty != 1)
        nn__sample_penalise(sampler, s->repetition_penalty, ids, count);
    for (int32_t i = 0; i < size; i++) {
        if (s->temperature != 0 && s->temperature != 1) scores[i] /= s->temperature;
        if (!(scores[i] < INFINITY)) return false;
        if (scores[i] > largest) largest = scores[i];
    }
    if (largest == -INFINITY) return false;
    if (!s->sample) return true;
    if (s->top_k > 0 && s->top_k < size) {
        float least;
        memcpy(sampler->kept, scores, (size_t)size * sizeof *scores);
        least = nn__sample_select(sampler->kept, size, s->top_k);
        for (int32_t i = 0; i < size; i++)
            if (scores[i] < least) scores[i] = -INFINITY;
    }
    for (int32_t i = 0; i < size; i++)
        sampler->weights[i] = scores[i] == -INFINITY ? 0 : exp((double)scores[i] - (double)largest);
    if (s->top_p > 0 && s->top_p < 1) nn__sample_top_p(sampler, (double)s->top_p);
    for (int32_t i = 0; i < size && s->min_p > 0; i++) {
        /* the likeliest token has the weight 1 */
        if (sampler->weights[i] >= (double)s->min_p) continue;
        scores[i] = -INFINITY;
        sampler->weights[i] = 0;
    }
    return true;
}

NN__TEXT_PRIVATE int32_t nn__sample_token(nn__sampler *sampler, const nn_sampling *s,
                                          const int32_t *ids, int32_t count, uint64_t text) {
    double total = 0, sum = 0;
    int32_t chosen = -1;
    uint32_t words[4];
    if (!nn__sample_process(sampler, s, ids, count)) return -1;
    if (!s->sample) {
        chosen = 0;
        for (int32_t i = 1; i < sampler->size; i++)
            if (sampler->scores[i] > sampler->scores[chosen]) chosen = i;
        return chosen;
    }
    nn_random_words(s->seed, text, (uint64_t)count, words);
    for (int32_t i = 0; i < sampler->size; i++) total += sampler->weights[i];
    total *= (double)(((uint64_t)words[0] << 32 | words[1]) >> 11) / 9007199254740992.0;
    for (int32_t i = 0; i < sampler->size && !(chosen >= 0 && sum > total); i++) {
        if (sampler->weights[i] <= 0) continue;
        sum += sampler->weights[i];
        chosen = i;
    }
    return chosen;
}
