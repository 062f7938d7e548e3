/* text/unigram.c - Unigram, SentencePiece's other model: splits a word into the tokens with the
   largest sum of scores (Viterbi). A character without a token is unknown, at a higher cost than
   any token. Scores are parsed and added exactly as in Hugging Face's tokenizers. */
#include "text/private.h"

#include <math.h>

/* The best split of a word up to a position. */
typedef struct nn__unigram_place {
    double score;
    uint32_t start; /* start of its last token; NN__TEXT_NONE: no split yet */
    uint32_t id;
} nn__unigram_place;

static void nn__unigram_offer(nn__unigram_place *place, double score, uint32_t start, uint32_t id) {
    if (place->start != NN__TEXT_NONE && !(score > place->score)) return;
    place->score = score;
    place->start = start;
    place->id = id;
}

/* Extends the best split at `at` by every token that begins there. */
static void nn__unigram_step(const nn_tokenizer *t, nn__unigram_place *places, const char *text,
                             size_t bytes, size_t at) {
    const nn__text_unigram *u = &t->unigram;
    double till_here = places[at].score;
    size_t first, most = bytes - at, length;
    bool has_one = false;
    nn__text_decode(text, bytes, at, &first);
    if (most > u->longest[(unsigned char)text[at]]) most = u->longest[(unsigned char)text[at]];
    for (length = first; length <= most;) {
        const nn__text_token *token = nn__text_find_model(t, text + at, length);
        size_t more;
        if (token) {
            nn__unigram_offer(&places[at + length], u->scores[token->id].value + till_here,
                              (uint32_t)at, token->id);
            has_one = has_one || length == first;
        }
        if (at + length >= bytes) break;
        nn__text_decode(text, bytes, at + length, &more);
        length += more;
    }
    if (!has_one)
        nn__unigram_offer(&places[at + first], u->least - 10.0 + till_here, (uint32_t)at,
                          t->unknown);
}

/* Adds a piece of unknown characters: as a token if there is one, as its bytes, or as the unknown
   token. */
static bool nn__unigram_unknown(nn__text_call *call, const nn_tokenizer *t, const char *text,
                                uint32_t start, uint32_t end, nn__text_symbol *symbols,
                                int32_t *count) {
    const nn__text_token *token = nn__text_find_model(t, text + start, end - start);
    uint32_t id = token ? token->id : t->unknown, many = end - start;
    bool bytes = !token && t->bpe.byte_fallback;
    for (uint32_t i = 0; i < many && bytes; i++)
        bytes = t->unigram.bytes[(unsigned char)text[start + i]] != NN__TEXT_NONE;
    if (!bytes && id == NN__TEXT_NONE)
        return nn__text_fail(call, NN_ERROR_UNSUPPORTED,
                             "%q is not a token of the vocabulary, which has no unk_id",
                             (size_t)many, text + start);
    for (uint32_t i = 0; i < (bytes ? many : 1); i++) {
        nn__text_symbol *symbol = &symbols[(*count)++];
        symbol->id = bytes ? t->unigram.bytes[(unsigned char)text[start + i]] : id;
        symbol->start = start;
        symbol->end = end;
    }
    return true;
}

NN__TEXT_PRIVATE bool nn__unigram_word(nn__text_call *call, nn_tokenizer *t, const char *text,
                                       size_t bytes, nn__text_symbol **symbols, int32_t *count) {
    nn__unigram_place *places;
    uint32_t end = (uint32_t)bytes, next = 0;
    size_t length;
    if (!nn__text_grow(call, &t->bpe.heap, (uint64_t)(bytes + 1) * sizeof *places) ||
        !nn__text_grow(call, &t->bpe.symbols, (uint64_t)(bytes + 1) * sizeof **symbols))
        return false;
    *symbols = (nn__text_symbol *)t->bpe.symbols.data;
    places = (nn__unigram_place *)t->bpe.heap.data;
    *count = 0;
    for (size_t i = 0; i <= bytes; i++) {
        places[i].score = 0;
        places[i].start = NN__TEXT_NONE;
    }
    for (size_t at = 0; at < bytes; at += length) {
        nn__unigram_step(t, places, text, bytes, at);
        nn__text_decode(text, bytes, at, &length);
    }
    while (end > 0) { /* backwards, stores the end of each token at its start */
        uint32_t start = places[end].start;
        places[start].score = end;
        end = start;
    }
    while (next < bytes) {
        uint32_t from = next, id;
        next = (uint32_t)places[from].score;
        id = places[next].id;
        while (id == t->unknown && next < bytes && places[(uint32_t)places[next].score].id == id)
            next = (uint32_t)places[next].score; /* fuses neighbouring unknown pieces */
        if (id == t->unknown) {
            if (!nn__unigram_unknown(call, t, text, from, next, *symbols, count)) return false;
            continue;
        }
        (*symbols)[*count].id = id;
        (*symbols)[*count].start = from;
        (*symbols)[(*count)++].end = next;
    }
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Parses a number as serde_json does: all digits first, then one division or multiplication by a
   power of ten. */
static bool nn__unigram_score(const nn__text_json *json, size_t at, nn__text_score *score) {
    uint64_t digits = 0;
    int32_t exponent = 0, given = 0;
    bool negative, fraction = false, down;
    if (!at || nn__json_type(json, at) != '0') return false;
    negative = json->text[at] == '-';
    for (at += negative; (json->text[at] >= '0' && json->text[at] <= '9') || json->text[at] == '.';
         at++) {
        uint32_t digit = (uint32_t)(json->text[at] - '0');
        if (json->text[at] == '.') {
            fraction = true;
            continue;
        }
        if (digits > ((uint64_t)INT64_MAX - digit) / 10) {
            exponent += !fraction; /* more digits than a double can hold */
            continue;
        }
        digits = digits * 10 + digit;
        exponent -= fraction;
    }
    if (json->text[at] == 'e' || json->text[at] == 'E') {
        down = json->text[++at] == '-';
        if (down || json->text[at] == '+') at++;
        for (; json->text[at] >= '0' && json->text[at] <= '9' && given < 1000; at++)
            given = given * 10 + (json->text[at] - '0');
        exponent += down ? -given : given;
    }
    if (exponent > 300 || exponent < -300) return false;
    score->digits = negative ? -(int64_t)digits : (int64_t)digits;
    score->exponent = exponent;
    score->value = (double)score->digits;
    score->value =
        exponent < 0 ? score->value / pow(10, -exponent) : score->value * pow(10, exponent);
    return score->value > -1e30 && score->value < 1e30;
}

/* Reads [["token", score], ...]. The id is the index. */
static bool nn__unigram_vocab(nn__text_json *json, nn_tokenizer *t, size_t at, uint64_t count) {
    nn__text_unigram *u = &t->unigram;
    uint32_t id = 0;
    u->scores = (nn__text_score *)nn__text_take(json->call, t, (count + 1) * sizeof *u->scores);
    if (!u->scores) return false;
    for (size_t i = nn__json_first(json, at); i; i = nn__json_next(json, i), id++) {
        size_t token = nn__json_type(json, i) == '[' ? nn__json_first(json, i) : 0, length, score;
        char *text;
        if (!token || nn__json_type(json, token) != '"' ||
            (score = nn__json_next(json, token)) == 0 || nn__json_next(json, score) ||
            !nn__unigram_score(json, score, &u->scores[id]))
            return nn__json_fail(json, i, "vocab", "[[\"token\", score], ...]");
        text = (char *)nn__text_take(json->call, t, (uint64_t)nn__json_span(json, token) + 1);
        if (!text) return false;
        length = nn__json_string(json, token, text);
        if (!nn__text_add_token(t, text, length, id))
            return nn__json_fail(json, token, "a token that occurs twice", NULL);
        if (u->scores[id].value < u->least || id == 0) u->least = u->scores[id].value;
        if (length > u->longest[(unsigned char)text[0]])
            u->longest[(unsigned char)text[0]] = (uint32_t)length;
    }
    return true;
}

NN__TEXT_PRIVATE bool nn__text_parse_unigram(nn__text_json *json, nn_tokenizer *t, size_t at,
                                             uint64_t added) {
    size_t vocab = nn__json_find(json, at, "vocab"), unknown = nn__json_find(json, at, "unk_id");
    uint64_t ignored, count;
    char spelled[] = "<0x00>";
    int64_t id;
    if (!nn__json_keys(json, at, "type unk_id vocab byte_fallback") ||
        !nn__json_flag(json, at, "byte_fallback", false, &t->bpe.byte_fallback))
        return false;
    if (!vocab || nn__json_type(json, vocab) != '[')
        return nn__json_fail(json, vocab ? vocab : at, "vocab", "a list of tokens and scores");
    count = nn__json_count(json, vocab, &ignored);
    if (!nn__text_make_vocab(json->call, t, count + added) ||
        !nn__unigram_vocab(json, t, vocab, count))
        return false;
    if (unknown && nn__json_type(json, unknown) != 'n') {
        if (!nn__json_integer(json, unknown, &id) || id < 0 || (uint64_t)id >= count)
            return nn__json_fail(json, unknown, "unk_id", "the id of a token");
        t->unknown = (uint32_t)id;
    }
    for (uint32_t i = 0; i < 256; i++) {
        const nn__text_token *token;
        spelled[3] = "0123456789ABCDEF"[i >> 4];
        spelled[4] = "0123456789ABCDEF"[i & 15];
        token = nn__text_find_model(t, spelled, 6);
        t->unigram.bytes[i] = token ? token->id : NN__TEXT_NONE;
    }
    t->model = NN__TEXT_UNIGRAM;
    return true;
}
