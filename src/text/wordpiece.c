/* text/wordpiece.c - WordPiece: repeatedly takes the longest token at the start of the rest of the
   word. Tokens inside a word are spelled with ## in front. If no token fits, the whole word is
   unknown. */
#include "text/private.h"

/* Returns the longest token at the start of text[0, bytes). begins: at the start of a word. */
static const nn__text_token *nn__wordpiece_longest(nn_tokenizer *t, char *room, const char *text,
                                                   size_t bytes, bool begins, size_t *used) {
    size_t prefix = begins ? 0 : t->prefix_bytes;
    size_t length = bytes;
    if (length > t->longest_token) {
        length = t->longest_token;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    }
    if (!begins) {
        memcpy(room, t->prefix, prefix);
        memcpy(room + prefix, text, length);
    }
    while (length > 0) {
        const nn__text_token *token = nn__text_find_model(t, begins ? text : room, prefix + length);
        if (token) {
            *used = length;
            return token;
        }
        length--;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    }
    return NULL;
}

NN__TEXT_PRIVATE bool nn__wordpiece_encode(nn__text_sink *sink, const nn__text_string *s,
                                           size_t from, size_t to) {
    nn_tokenizer *t = sink->t;
    uint32_t first = sink->count, letters = 0;
    size_t at = from, used = 0;
    if (!nn__text_grow(sink->call, &t->word, (uint64_t)t->prefix_bytes + t->longest_token))
        return false;
    for (size_t i = from; i < to; i++) letters += ((unsigned char)s->text[i] & 0xc0) != 0x80;
    while (letters <= t->longest_word && at < to) {
        const nn__text_token *token = nn__wordpiece_longest(t, (char *)t->word.data, s->text + at,
                                                            to - at, at == from, &used);
        if (!token) break;
        if (!nn__text_push(sink, s, token->id, at, at + used)) return false;
        at += used;
    }
    if (at == to) return true;
    sink->count = first;
    if (t->unknown == NN__TEXT_NONE)
        return nn__text_fail(sink->call, NN_ERROR_UNSUPPORTED,
                             "%q is not a word of the vocabulary, which has no unk_token",
                             to - from, s->text + from);
    return nn__text_push(sink, s, t->unknown, from, to);
}
