/* text/vocab.c - the tokens: a hash by spelling, a table by id, and the letters of byte-level
   spelling. */
#include "text/private.h"

NN__TEXT_PRIVATE bool nn__text_make_vocab(nn__text_call *call, nn_tokenizer *t, uint64_t count) {
    nn__text_vocab *v = &t->vocab;
    uint64_t slots = 16;
    while (slots < count * 2) slots *= 2;
    if (count > (1u << 26))
        return nn__text_fail(call, NN_ERROR_FORMAT,
                             "there are %d tokens; at most 2^26 are supported", (int64_t)count);
    v->tokens = (nn__text_token *)nn__text_take(call, t, (count + 1) * sizeof *v->tokens);
    v->slots = (uint32_t *)nn__text_take(call, t, slots * sizeof *v->slots);
    v->capacity = (uint32_t)count;
    v->mask = (uint32_t)(slots - 1);
    return v->tokens && v->slots;
}

/* Returns the slot of a text, or the free slot for it. */
static uint32_t nn__text_slot(const nn__text_vocab *v, const char *text, size_t bytes) {
    uint32_t slot = (uint32_t)nn__text_hash(text, bytes) & v->mask;
    for (; v->slots[slot]; slot = (slot + 1) & v->mask) {
        const nn__text_token *token = &v->tokens[v->slots[slot] - 1];
        if (token->bytes == bytes && memcmp(token->text, text, bytes) == 0) break;
    }
    return slot;
}

NN__TEXT_PRIVATE nn__text_token *nn__text_add_token(nn_tokenizer *t, const char *text, size_t bytes,
                                                    uint32_t id) {
    nn__text_vocab *v = &t->vocab;
    uint32_t slot = nn__text_slot(v, text, bytes);
    nn__text_token *token;
    if (v->slots[slot] || v->count == v->capacity) return NULL;
    token = &v->tokens[v->count++];
    v->slots[slot] = v->count;
    token->text = text;
    token->written = text;
    token->bytes = token->written_bytes = (uint32_t)bytes;
    token->id = id;
    return token;
}

NN__TEXT_PRIVATE nn__text_token *nn__text_find(const nn_tokenizer *t, const char *text,
                                               size_t bytes) {
    const nn__text_vocab *v = &t->vocab;
    uint32_t found = v->slots ? v->slots[nn__text_slot(v, text, bytes)] : 0;
    return found ? &v->tokens[found - 1] : NULL;
}

NN__TEXT_PRIVATE nn__text_token *nn__text_find_model(const nn_tokenizer *t, const char *text,
                                                     size_t bytes) {
    nn__text_token *token = nn__text_find(t, text, bytes);
    return token && !token->beside ? token : NULL;
}

NN__TEXT_PRIVATE bool nn__text_index_ids(nn__text_call *call, nn_tokenizer *t, const char *name) {
    nn__text_vocab *v = &t->vocab;
    uint32_t size = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->tokens[i].id > v->count * 4u + 65536u)
            return nn__text_fail(call, NN_ERROR_FORMAT,
                                 "%s: the token %q has id %d, but there are only %d tokens", name,
                                 (size_t)v->tokens[i].bytes, v->tokens[i].text,
                                 (int64_t)v->tokens[i].id, (int64_t)v->count);
        if (v->tokens[i].id >= size) size = v->tokens[i].id + 1;
    }
    v->by_id = (uint32_t *)nn__text_take(call, t, (uint64_t)size * sizeof *v->by_id);
    if (!v->by_id) return false;
    v->size = size;
    for (uint32_t i = 0; i < v->count; i++) {
        nn__text_token *token = &v->tokens[i];
        uint32_t other = v->by_id[token->id];
        if (other)
            return nn__text_fail(call, NN_ERROR_FORMAT,
                                 "%s: the tokens %q and %q have the same id, %d", name,
                                 (size_t)v->tokens[other - 1].bytes, v->tokens[other - 1].text,
                                 (size_t)token->bytes, token->text, (int64_t)token->id);
        v->by_id[token->id] = i + 1;
    }
    return true;
}

/* ---- bytes as letters ------------------------------------------------------------------------ */

/* Maps bytes as GPT-2 does: printable bytes of Latin-1 are themselves, the others map to U+0100 and
   up. */
NN__TEXT_PRIVATE uint32_t nn__text_byte_point(uint32_t byte) {
    if ((byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte != 0xad)) return byte;
    if (byte <= ' ') return 256 + byte;
    return byte < 0xad ? 256 + byte - 127 + 33 : 256 + 67;
}

NN__TEXT_PRIVATE bool nn__text_make_bytes(nn__text_call *call, nn_tokenizer *t) {
    if (t->byte_of) return true;
    t->byte_of = (int16_t *)nn__text_take(call, t, 324 * sizeof *t->byte_of);
    if (!t->byte_of) return false;
    for (int i = 0; i < 324; i++) t->byte_of[i] = -1;
    for (uint32_t i = 0; i < 256; i++) t->byte_of[nn__text_byte_point(i)] = (int16_t)i;
    return true;
}

/* ---- calls for users ------------------------------------------------------------------------- */

NN_API int32_t nn_vocab_size(const nn_tokenizer *tokenizer) {
    return tokenizer ? (int32_t)tokenizer->vocab.size : 0;
}

NN_API int32_t nn_token_id(const nn_tokenizer *tokenizer, const char *token) {
    const nn__text_token *found =
        tokenizer && token ? nn__text_find(tokenizer, token, strlen(token)) : NULL;
    return found ? (int32_t)found->id : -1;
}

NN_API const char *nn_token_text(const nn_tokenizer *tokenizer, int32_t id) {
    const nn__text_token *found =
        tokenizer && id >= 0 ? nn__text_by_id(&tokenizer->vocab, (uint32_t)id) : NULL;
    return found ? found->text : NULL;
}
