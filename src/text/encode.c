/* text/encode.c - encodes a text: repairs it, splits it at added tokens, normalises, splits again,
   splits into words, and words into tokens. */
#include "text/private.h"

/* Counts the spaces at both ends of a token, which trimmed offsets leave out. For added tokens, and
   in all tokens of a model without byte level, any white space counts. */
static void nn__text_blanks(const nn_tokenizer *t, const nn__text_string *s, size_t from, size_t to,
                            nn__text_result *result) {
    const nn__text_token *token = nn__text_by_id(&t->vocab, result->id);
    bool any = !t->bpe.byte_level || (token && token->added);
    uint32_t before = 0, behind = 0;
    size_t length;
    for (size_t at = from; at < to && before < 65535; at += length, before++) {
        uint32_t point = nn__text_decode(s->text, to, at, &length);
        if (point != ' ' && !(any && (nn__text_kind(t->unicode, point) & NN__TEXT_SPACE))) break;
    }
    for (size_t at = to; at > from && behind < 65535; behind++) {
        uint32_t point;
        do at--;
        while (at > from && ((unsigned char)s->text[at] & 0xc0) == 0x80);
        point = nn__text_decode(s->text, to, at, &length);
        if (point != ' ' && !(any && (nn__text_kind(t->unicode, point) & NN__TEXT_SPACE))) break;
    }
    result->blank_before = (uint16_t)before;
    result->blank_behind = (uint16_t)behind;
}

/* Appends a token. Its position never begins or ends inside a character of the given text. */
NN__TEXT_PRIVATE bool nn__text_push(nn__text_sink *sink, const nn__text_string *s, uint32_t id,
                                    size_t from, size_t to) {
    nn__text_result *result;
    if ((sink->count + (size_t)1) * sizeof *result > sink->results->bytes &&
        !nn__text_grow(sink->call, sink->results, (sink->count + (uint64_t)1) * sizeof *result))
        return false;
    result = (nn__text_result *)sink->results->data + sink->count++;
    result->id = id;
    result->blank_before = result->blank_behind = 0;
    if (sink->t->trims) nn__text_blanks(sink->t, s, from, to, result);
    if (s->starts) {
        result->start = s->starts[from];
        result->end = s->ends[to - 1];
        return true;
    }
    while (from > 0 && ((unsigned char)s->text[from] & 0xc0) == 0x80) from--;
    while (to < s->bytes && ((unsigned char)s->text[to] & 0xc0) == 0x80) to++;
    result->start = s->base + (uint32_t)from;
    result->end = s->base + (uint32_t)to;
    return true;
}

/* Replaces invalid UTF-8 in the given text by U+FFFD. */
static bool nn__text_repair(nn__text_sink *sink, nn__text_string *s) {
    nn_tokenizer *t = sink->t;
    nn__text_char *chars;
    size_t count = 0, length;
    if (nn__text_is_utf8(s->text, s->bytes)) return true;
    if (!nn__text_grow(sink->call, &t->chars, (uint64_t)s->bytes * sizeof *chars)) return false;
    chars = (nn__text_char *)t->chars.data;
    for (size_t at = 0; at < s->bytes; at += length, count++) {
        chars[count].point = nn__text_decode(s->text, s->bytes, at, &length);
        chars[count].start = (uint32_t)at;
        chars[count].end = (uint32_t)(at + length);
    }
    return nn__text_from_chars(sink->call, &t->given, chars, count, s);
}

static nn__text_string nn__text_part_of(const nn__text_string *s, size_t from, size_t to) {
    nn__text_string part = *s;
    part.text += from;
    part.bytes = to - from;
    if (s->starts) {
        part.starts += from;
        part.ends += from;
    } else
        part.base += (uint32_t)from;
    return part;
}

/* Encodes the text between added tokens. It is normalised, and then split at the added tokens that
   are searched in normalised text. */
static bool nn__text_encode_part(nn__text_sink *sink, nn__text_string s) {
    nn_tokenizer *t = sink->t;
    const nn__text_added *added;
    size_t at = 0, start, end;
    if (!nn__text_normalize(sink->call, t, &s)) return false;
    while (t->normalised.count > 1 &&
           (added = nn__text_next_added(t, &t->normalised, &s, at, &start, &end)) != NULL) {
        if (!nn__text_split(sink, &s, at, start) || !nn__text_push(sink, &s, added->id, start, end))
            return false;
        at = end;
    }
    return nn__text_split(sink, &s, at, s.bytes);
}

NN__TEXT_PRIVATE bool nn__text_tokens(nn__text_sink *sink, const char *text, size_t bytes) {
    nn_tokenizer *t = sink->t;
    const nn__text_added *added;
    nn__text_string s;
    size_t at = 0, start, end;
    memset(&s, 0, sizeof s);
    s.text = text;
    s.bytes = bytes;
    if (bytes == 0) return true;
    if (bytes > NN__TEXT_LONGEST || !text)
        return nn__text_fail(
            sink->call, NN_ERROR_ARGUMENT,
            "a text has %d bytes%s; wanted at most 2^30, so encode a longer text in pieces",
            (int64_t)bytes, text ? "" : " at NULL");
    if (t->model != NN__TEXT_BYTES && !nn__text_repair(sink, &s)) return false;
    while (t->plain.count > 1 &&
           (added = nn__text_next_added(t, &t->plain, &s, at, &start, &end)) != NULL) {
        if (start > at && !nn__text_encode_part(sink, nn__text_part_of(&s, at, start)))
            return false;
        if (!nn__text_push(sink, &s, added->id, start, end)) return false;
        at = end;
    }
    return at >= s.bytes || nn__text_encode_part(sink, nn__text_part_of(&s, at, s.bytes));
}

NN_API nn_result nn_encode_at(nn_site site, nn_tokenizer *tokenizer, const char *text, size_t bytes,
                              const nn_encode_desc *desc, nn_tokens *tokens) {
    nn__text_call call;
    nn_encode_desc defaults;
    if (!tokenizer) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(tokenizer->nn, site, "nn_encode");
    if (!tokens) {
        nn__text_fail(&call, NN_ERROR_ARGUMENT, "tokens is NULL");
        return call.code;
    }
    memset(&defaults, 0, sizeof defaults);
    nn__text_finish(&call, tokenizer, text, bytes, desc ? desc : &defaults, tokens);
    return call.code;
}
