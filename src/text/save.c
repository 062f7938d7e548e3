/* text/save.c - writes a tokenizer as tokenizer.json, which Hugging Face's tokenizers and
   nn_open_tokenizer read: JSON, the vocabulary, the whole file. The text is complete before the
   file is replaced. */
#include "text/saving.h"

/* ---- JSON ------------------------------------------------------------------------------------ */

static void nn__save_bytes(nn__text_saving *out, const char *text, size_t bytes) {
    if (out->call->code != NN_OK ||
        !nn__text_grow(out->call, &out->text, (uint64_t)out->length + bytes))
        return;
    memcpy((char *)out->text.data + out->length, text, bytes);
    out->length += bytes;
}

NN__TEXT_PRIVATE void nn__save_text(nn__text_saving *out, const char *text) {
    nn__save_bytes(out, text, strlen(text));
}

NN__TEXT_PRIVATE void nn__save_escaped(nn__text_saving *out, const char *text, size_t bytes) {
    size_t from = 0;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)text[i];
        char escaped[7] = "\\u0000";
        if (c >= 32 && c != '"' && c != '\\') continue;
        nn__save_bytes(out, text + from, i - from);
        from = i + 1;
        escaped[4] = (char)('0' + (c >> 4));
        escaped[5] = "0123456789abcdef"[c & 15];
        if (c < 32)
            nn__save_bytes(out, escaped, 6);
        else
            nn__save_bytes(out, c == '"' ? "\\\"" : "\\\\", 2);
    }
    nn__save_bytes(out, text + from, bytes - from);
}

NN__TEXT_PRIVATE void nn__save_quoted(nn__text_saving *out, const char *text, size_t bytes) {
    nn__save_text(out, "\"");
    nn__save_escaped(out, text, bytes);
    nn__save_text(out, "\"");
}

NN__TEXT_PRIVATE void nn__save_number(nn__text_saving *out, int64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t left = value < 0 ? 0u - (uint64_t)value : (uint64_t)value;
    do digits[--at] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (value < 0) digits[--at] = '-';
    nn__save_bytes(out, digits + at, sizeof digits - at);
}

NN__TEXT_PRIVATE void nn__save_next(nn__text_saving *out, const char *line) {
    if (out->again) nn__save_text(out, ",");
    nn__save_text(out, line);
    out->again = true;
}

NN__TEXT_PRIVATE void nn__save_key(nn__text_saving *out, const char *key) {
    nn__save_next(out, "");
    nn__save_quoted(out, key, strlen(key));
    nn__save_text(out, ":");
}

NN__TEXT_PRIVATE void nn__save_open(nn__text_saving *out, const char *sign) {
    nn__save_text(out, sign);
    out->again = false;
}

NN__TEXT_PRIVATE void nn__save_close(nn__text_saving *out, const char *sign) {
    nn__save_text(out, sign);
    out->again = true;
}

NN__TEXT_PRIVATE void nn__save_flag(nn__text_saving *out, const char *key, bool value) {
    nn__save_key(out, key);
    nn__save_text(out, value ? "true" : "false");
}

NN__TEXT_PRIVATE void nn__save_string(nn__text_saving *out, const char *key, const char *text,
                                      size_t bytes) {
    nn__save_key(out, key);
    if (text)
        nn__save_quoted(out, text, bytes);
    else
        nn__save_text(out, "null");
}

NN__TEXT_PRIVATE void nn__save_integer(nn__text_saving *out, const char *key, int64_t value) {
    nn__save_key(out, key);
    nn__save_number(out, value);
}

NN__TEXT_PRIVATE void nn__save_type(nn__text_saving *out, const char *name) {
    if (out->again) nn__save_text(out, ",");
    nn__save_open(out, "{");
    nn__save_string(out, "type", name, strlen(name));
}

NN__TEXT_PRIVATE void nn__save_token_text(nn__text_saving *out, const char *key, uint32_t id) {
    const nn__text_token *token = nn__text_by_id(&out->t->vocab, id);
    nn__save_string(out, key, token ? token->text : NULL, token ? token->bytes : 0);
}

/* ---- the vocabulary -------------------------------------------------------------------------- */

static void nn__save_added(nn__text_saving *out) {
    const nn_tokenizer *t = out->t;
    const nn__text_tree *trees[2] = {&t->plain, &t->normalised};
    nn__text_buffer by_id = {NULL, 0};
    if (!nn__text_grow(out->call, &by_id, (uint64_t)t->vocab.size * sizeof trees + 1)) return;
    memset(by_id.data, 0, by_id.bytes);
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < trees[k]->added_count; i++)
            ((const nn__text_added **)by_id.data)[2 * trees[k]->added[i].id + (uint32_t)k] =
                &trees[k]->added[i];
    nn__save_key(out, "added_tokens");
    nn__save_open(out, "[");
    for (uint32_t i = 0; i < 2 * t->vocab.size; i++) {
        const nn__text_added *added = ((const nn__text_added **)by_id.data)[i];
        if (!added) continue;
        nn__save_next(out, "\n{\"id\":");
        nn__save_number(out, added->id);
        nn__save_token_text(out, "content", added->id);
        nn__save_flag(out, "single_word", added->single_word);
        nn__save_flag(out, "lstrip", added->left_strip);
        nn__save_flag(out, "rstrip", added->right_strip);
        nn__save_flag(out, "normalized", i % 2 == 1);
        nn__save_flag(out, "special", nn__text_by_id(&t->vocab, added->id)->special);
        nn__save_close(out, "}");
    }
    nn__save_close(out, "]");
    nn__text_drop(out->call->nn, &by_id);
}

static void nn__save_score(nn__text_saving *out, const nn__text_score *score) {
    nn__save_number(out, score->digits);
    if (score->exponent) {
        nn__save_text(out, "e");
        nn__save_number(out, score->exponent);
    }
}

/* Writes the model's tokens in the order of ids. Bytes are written as their letters. */
static void nn__save_vocab(nn__text_saving *out) {
    const nn_tokenizer *t = out->t;
    bool scores = t->model == NN__TEXT_UNIGRAM;
    nn__save_key(out, "vocab");
    nn__save_open(out, scores ? "[" : "{");
    for (uint32_t id = 0; id < t->vocab.size; id++) {
        const nn__text_token *token = nn__text_by_id(&t->vocab, id);
        char letter[4];
        if (!token || token->beside) continue;
        nn__save_next(out, scores ? "\n[" : "\n");
        if (t->model == NN__TEXT_BYTES)
            nn__save_quoted(out, letter, nn__text_put(letter, nn__text_byte_point(id)));
        else
            nn__save_quoted(out, token->text, token->bytes);
        nn__save_text(out, scores ? "," : ":");
        if (scores) {
            nn__save_score(out, &t->unigram.scores[id]);
            nn__save_text(out, "]");
        } else
            nn__save_number(out, id);
    }
    nn__save_close(out, scores ? "]" : "}");
}

/* Writes the merges in the order of learning, as "a b", or as lists if any token contains a
   space. */
static void nn__save_merges(nn__text_saving *out) {
    const nn_tokenizer *t = out->t;
    nn__text_buffer by_rank = {NULL, 0};
    uint32_t *slots;
    bool blanks = false;
    nn__save_key(out, "merges");
    nn__save_open(out, "[");
    if (!nn__text_grow(out->call, &by_rank, (uint64_t)t->bpe.merge_count * sizeof *slots + 1))
        return;
    slots = (uint32_t *)by_rank.data;
    memset(slots, 0, by_rank.bytes);
    for (uint32_t i = 0; t->bpe.merges && i <= t->bpe.merge_mask; i++)
        if (t->bpe.merges[i].id != NN__TEXT_NONE) slots[t->bpe.merges[i].rank] = i + 1;
    for (uint32_t i = 0; i < t->vocab.count && !blanks; i++)
        blanks = memchr(t->vocab.tokens[i].text, ' ', t->vocab.tokens[i].bytes) != NULL;
    for (uint32_t i = 0; i < t->bpe.merge_count; i++) {
        const nn__text_merge *merge = &t->bpe.merges[slots[i] ? slots[i] - 1 : 0];
        const nn__text_token *pair[2];
        if (!slots[i]) continue; /* a repeated pair is listed at its last rank only */
        pair[0] = nn__text_by_id(&t->vocab, merge->left);
        pair[1] = nn__text_by_id(&t->vocab, merge->right);
        nn__save_next(out, blanks ? "\n[\"" : "\n\"");
        nn__save_escaped(out, pair[0]->text, pair[0]->bytes);
        nn__save_text(out, blanks ? "\",\"" : " ");
        nn__save_escaped(out, pair[1]->text, pair[1]->bytes);
        nn__save_text(out, blanks ? "\"]" : "\"");
    }
    nn__save_close(out, "]");
    nn__text_drop(out->call->nn, &by_rank);
}

static void nn__save_model(nn__text_saving *out) {
    const nn_tokenizer *t = out->t;
    const nn__text_bpe *bpe = &t->bpe;
    nn__save_key(out, "model");
    out->again = false;
    if (t->model == NN__TEXT_WORDPIECE) {
        nn__save_type(out, "WordPiece");
        if (t->unknown != NN__TEXT_NONE) nn__save_token_text(out, "unk_token", t->unknown);
        nn__save_string(out, "continuing_subword_prefix", t->prefix, t->prefix_bytes);
        nn__save_integer(out, "max_input_chars_per_word", t->longest_word);
    } else if (t->model == NN__TEXT_UNIGRAM) {
        nn__save_type(out, "Unigram");
        nn__save_key(out, "unk_id");
        if (t->unknown == NN__TEXT_NONE)
            nn__save_text(out, "null");
        else
            nn__save_number(out, t->unknown);
        nn__save_flag(out, "byte_fallback", bpe->byte_fallback);
    } else {
        nn__save_type(out, "BPE");
        nn__save_string(out, "dropout", NULL, 0);
        nn__save_token_text(out, "unk_token", bpe->unknown);
        nn__save_string(out, "continuing_subword_prefix", bpe->prefix, bpe->prefix_bytes);
        nn__save_string(out, "end_of_word_suffix", bpe->suffix, bpe->suffix_bytes);
        nn__save_flag(out, "fuse_unk", bpe->fuse_unknown);
        nn__save_flag(out, "byte_fallback", bpe->byte_fallback);
        nn__save_flag(out, "ignore_merges", bpe->ignore_merges);
    }
    nn__save_vocab(out);
    if (t->model != NN__TEXT_WORDPIECE && t->model != NN__TEXT_UNIGRAM) nn__save_merges(out);
    nn__save_close(out, "}");
}

static void nn__save_all(nn__text_saving *out) {
    nn__save_open(out, "{");
    nn__save_string(out, "version", "1.0", 3);
    nn__save_limits(out);
    nn__save_added(out);
    nn__save_normalizers(out);
    nn__save_splitters(out);
    nn__save_post(out);
    nn__save_decoder(out);
    nn__save_model(out);
    nn__save_close(out, "}\n");
}

/* ---- saving ---------------------------------------------------------------------------------- */

NN_API nn_result nn_save_tokenizer_at(nn_site site, nn_tokenizer *tokenizer, const char *path) {
    nn__text_call call;
    nn__text_saving out;
    nn_result result;
    if (!tokenizer) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(tokenizer->nn, site, "nn_save_tokenizer");
    memset(&out, 0, sizeof out);
    out.call = &call;
    out.t = tokenizer;
    if (!path || !*path) nn__text_fail(&call, NN_ERROR_ARGUMENT, "the path is NULL or empty");
    if (call.code == NN_OK) nn__save_all(&out);
    result =
        call.code == NN_OK ? nn_save_bytes(tokenizer->nn, path, out.text.data, out.length) : NN_OK;
    if (result != NN_OK)
        nn__text_fail(&call, result,
                      result == NN_ERROR_UNSUPPORTED
                          ? "\"%s\": this program was built without files; nn_save_tokenizer_to "
                            "writes to a function of yours"
                          : "\"%s\" cannot be written; see whether the folder exists, may be "
                            "written to and has space; an older file of this name is unchanged",
                      path);
    nn__text_drop(tokenizer->nn, &out.text);
    return call.code;
}

NN_API nn_result nn_save_tokenizer_to_at(nn_site site, nn_tokenizer *tokenizer, nn_writer writer) {
    nn__text_call call;
    nn__text_saving out;
    if (!tokenizer) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(tokenizer->nn, site, "nn_save_tokenizer_to");
    memset(&out, 0, sizeof out);
    out.call = &call;
    out.t = tokenizer;
    if (!writer.function)
        nn__text_fail(&call, NN_ERROR_ARGUMENT, "the writer has no function; nothing was written");
    if (call.code == NN_OK) nn__save_all(&out);
    if (call.code == NN_OK) writer.function(writer.user, (const char *)out.text.data, out.length);
    nn__text_drop(tokenizer->nn, &out.text);
    return call.code;
}
