/* text/finish.c - the last steps of encoding: truncation, trimmed offsets, and special tokens
   around one or two texts. */
#include "text/private.h"

typedef struct nn__text_half {
    nn__text_result *results;
    uint32_t count;
} nn__text_half;

static void nn__text_cut(nn__text_half *half, uint32_t count, bool left) {
    if (count >= half->count) return;
    if (left) half->results += half->count - count;
    half->count = count;
}

/* Truncates two texts to `most` tokens together, as Hugging Face's longest_first does. */
static void nn__text_cut_both(nn__text_half *halves, uint32_t most, bool left) {
    uint32_t a = halves[0].count, b = halves[1].count;
    bool swapped = a > b;
    if (swapped) {
        uint32_t kept = a;
        a = b;
        b = kept;
    }
    if (a > most)
        b = a;
    else
        b = a > most - a ? a : most - a;
    if (a + b > most) {
        a = most / 2;
        b = a + most % 2;
    }
    nn__text_cut(&halves[0], swapped ? b : a, left);
    nn__text_cut(&halves[1], swapped ? a : b, left);
}

static bool nn__text_truncate(nn__text_call *call, nn__text_half *halves, int32_t most, bool pair,
                              nn_truncation way, bool left) {
    uint64_t total = (uint64_t)halves[0].count + halves[1].count;
    uint32_t target = way == NN_TRUNCATION_ONLY_SECOND;
    uint64_t excess;
    if (total <= (uint64_t)most) return true;
    excess = total - (uint64_t)most;
    if (way == NN_TRUNCATION_LONGEST_FIRST) {
        if (pair)
            nn__text_cut_both(halves, (uint32_t)most, left);
        else
            nn__text_cut(&halves[0], (uint32_t)most, left);
        return true;
    }
    if (halves[target].count <= excess)
        return nn__text_fail(call, NN_ERROR_ARGUMENT,
                             "the %s text has %d tokens, and %d must be removed; truncate the "
                             "other text too (NN_TRUNCATION_LONGEST_FIRST), or raise max_length",
                             target ? "second" : "first", (int64_t)halves[target].count,
                             (int64_t)excess);
    nn__text_cut(&halves[target], halves[target].count - (uint32_t)excess, left);
    return true;
}

/* Removes spaces from the offsets of tokens, except for a prefix space that the tokenizer added.
   Each space removes one character of the given text, even if that is not a space: a character that
   the normalizer inserted has the position of a neighbour. */
static void nn__text_trim(const nn_tokenizer *t, nn__text_half *half, const char *text,
                          size_t bytes) {
    for (uint32_t i = 0; i < half->count; i++) {
        nn__text_result *result = &half->results[i];
        uint32_t before = result->blank_before, behind = result->blank_behind;
        if (before == 1 && t->trims_prefix_space && (i == 0 || result->start == 0)) before = 0;
        for (; before > 0 && result->start < result->end; before--) {
            size_t length;
            nn__text_decode(text, bytes, result->start, &length);
            result->start += (uint32_t)length;
        }
        for (; behind > 0 && result->end > result->start; behind--) do
                result->end--;
            while (result->end > result->start &&
                   ((unsigned char)text[result->end] & 0xc0) == 0x80);
    }
}

static void nn__text_write(nn_tokens *tokens, uint32_t at, const nn__text_result *result,
                           int32_t type, int32_t sequence) {
    if (tokens->ids) tokens->ids[at] = (int32_t)result->id;
    if (tokens->type_ids) tokens->type_ids[at] = type;
    if (tokens->starts) tokens->starts[at] = (int32_t)result->start;
    if (tokens->ends) tokens->ends[at] = (int32_t)result->end;
    if (tokens->sequence_ids) tokens->sequence_ids[at] = sequence;
}

static void nn__text_write_all(const nn__text_template *around, const nn__text_half *halves,
                               bool specials, nn_tokens *tokens) {
    uint32_t at = 0;
    nn__text_result special;
    memset(&special, 0, sizeof special);
    for (uint32_t i = 0; i < around->count; i++) {
        const nn__text_place *place = &around->places[i];
        if (place->sequence < 0) {
            special.id = place->id;
            if (specials) nn__text_write(tokens, at++, &special, place->type, -1);
            continue;
        }
        for (uint32_t j = 0; j < halves[place->sequence].count; j++)
            nn__text_write(tokens, at++, &halves[place->sequence].results[j], place->type,
                           place->sequence);
    }
}

NN__TEXT_PRIVATE bool nn__text_finish(nn__text_call *call, nn_tokenizer *t, const char *text,
                                      size_t bytes, const nn_encode_desc *desc, nn_tokens *tokens) {
    const bool pair = desc->pair != NULL;
    const nn__text_template *around = pair ? &t->pair : &t->single;
    int32_t most = desc->max_length ? desc->max_length : t->max_length;
    bool of_file = desc->max_length == 0 && t->max_length > 0;
    nn_truncation way = of_file ? t->truncation : desc->truncation;
    uint64_t total = 0;
    nn__text_half halves[2];
    nn__text_sink sinks[2];
    sinks[0].call = sinks[1].call = call;
    sinks[0].t = sinks[1].t = t;
    sinks[0].results = &t->results;
    sinks[1].results = &t->results_pair;
    sinks[0].count = sinks[1].count = 0;
    tokens->count = 0;
    if (!pair && desc->pair_bytes > 0)
        return nn__text_fail(call, NN_ERROR_ARGUMENT, "desc->pair is NULL, but desc->pair_bytes "
                                                      "is %d",
                             (int64_t)desc->pair_bytes);
    if ((unsigned)way > NN_TRUNCATION_ONLY_SECOND)
        return nn__text_fail(call, NN_ERROR_ARGUMENT,
                             "truncation is %d, which is not a value of nn_truncation",
                             (int64_t)way);
    if (most < 0 && most != NN_NONE)
        return nn__text_fail(call, NN_ERROR_ARGUMENT,
                             "max_length is %d; wanted 1 or more, 0 or NN_NONE", (int64_t)most);
    if (!nn__text_tokens(&sinks[0], text, bytes) ||
        (pair && !nn__text_tokens(&sinks[1], desc->pair, desc->pair_bytes)))
        return false;
    for (int i = 0; i < 2; i++) {
        halves[i].results = (nn__text_result *)sinks[i].results->data;
        halves[i].count = sinks[i].count;
    }
    if (most > 0) {
        uint32_t specials = desc->no_special_tokens ? 0 : around->special;
        if ((uint32_t)most < specials)
            return nn__text_fail(call, NN_ERROR_ARGUMENT,
                                 "max_length is %d, but the special tokens alone are %d; raise "
                                 "max_length, or set .no_special_tokens",
                                 (int64_t)most, (int64_t)specials);
        if (!nn__text_truncate(call, halves, most - (int32_t)specials, pair, way,
                               of_file ? t->truncate_left : desc->truncate_left))
            return false;
    }
    if (t->trims) nn__text_trim(t, &halves[0], text, bytes);
    if (t->trims && pair) nn__text_trim(t, &halves[1], desc->pair, desc->pair_bytes);
    for (uint32_t i = 0; i < around->count; i++) {
        const nn__text_place *place = &around->places[i];
        total += place->sequence >= 0      ? halves[place->sequence].count
                 : desc->no_special_tokens ? 0
                                           : 1;
    }
    if (total > INT32_MAX)
        return nn__text_fail(call, NN_ERROR_ARGUMENT,
                             "the text has %d tokens; at most 2^31 - 1 are supported",
                             (int64_t)total);
    tokens->count = (int32_t)total;
    if (tokens->capacity == 0) return true;
    if (tokens->capacity < tokens->count)
        return nn__text_fail(call, NN_ERROR_ARGUMENT,
                             "the text has %d tokens, but tokens->capacity is %d; give larger "
                             "arrays, or set .max_length",
                             (int64_t)total, (int64_t)tokens->capacity);
    nn__text_write_all(around, halves, !desc->no_special_tokens, tokens);
    return true;
}
