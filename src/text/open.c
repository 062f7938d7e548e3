/* text/open.c - opens and frees tokenizers: from tokenizer.json, from vocab.json and merges.txt,
   from vocab.txt, of bytes, of characters. */
#include "text/private.h"

static void nn__text_free(void *object) {
    nn_tokenizer *t = (nn_tokenizer *)object;
    nn__text_buffer *buffers[] = {
        &t->given.text,  &t->given.starts, &t->given.ends,    &t->normal.text, &t->normal.starts,
        &t->normal.ends, &t->spaced.text,  &t->spaced.starts, &t->spaced.ends, &t->chars,
        &t->outs,        &t->held,         &t->word,          &t->results,     &t->results_pair,
        &t->decoded,     &t->batch,        &t->bpe.symbols,   &t->bpe.heap,    &t->bpe.spelled};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        nn__text_drop(t->nn, buffers[i]);
    nn__text_free_blocks(t);
    nn_give_memory(t->nn, t, sizeof *t);
}

NN_API void nn_free_tokenizer(nn_tokenizer *tokenizer) {
    if (!tokenizer) return;
    if (tokenizer->users > 0) {
        nn_record_error(tokenizer->nn, NN_ERROR_ARGUMENT,
                        "nn_free_tokenizer: a generator still uses the tokenizer, and nothing was "
                        "freed; free the generator first");
        return;
    }
    nn_disown(tokenizer->nn, tokenizer->owned);
    nn__text_free(tokenizer);
}

NN__TEXT_PRIVATE nn_tokenizer *nn__text_make(nn__text_call *call) {
    nn_tokenizer *t = (nn_tokenizer *)nn_take_memory(call->nn, sizeof *t);
    if (!t) {
        nn__text_fail(call, NN_ERROR_MEMORY, "no memory for a tokenizer");
        return NULL;
    }
    t->nn = call->nn;
    t->unknown = t->bpe.unknown = t->pad_id = NN__TEXT_NONE;
    t->owned = nn_own(call->nn, t, nn__text_free);
    if (t->owned) return t;
    nn_give_memory(call->nn, t, sizeof *t);
    nn__text_fail(call, NN_ERROR_MEMORY, "no memory for a tokenizer");
    return NULL;
}

/* Returns the tokenizer. If something failed, frees it and returns NULL. */
NN__TEXT_PRIVATE nn_tokenizer *nn__text_made(const nn__text_call *call, nn_tokenizer *t) {
    if (call->code == NN_OK) return t;
    nn_free_tokenizer(t);
    return NULL;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Reads a whole file and adds a zero byte. */
NN__TEXT_PRIVATE bool nn__text_read(nn__text_call *call, const char *path, nn__text_buffer *to,
                                    size_t *size) {
#ifdef NN_NO_FILES
    (void)to, (void)size;
    return nn__text_fail(call, NN_ERROR_UNSUPPORTED,
                         "\"%s\": this program was built without files; use .data", path);
#else
    const nn_files *files = &nn_context_desc(call->nn)->files;
    void *file = files->open && files->read && files->size && files->close
                     ? files->open(files->user, path, false)
                     : NULL;
    uint64_t bytes = 0;
    bool read;
    if (!file) return nn__text_fail(call, NN_ERROR_FILE, "cannot open \"%s\"", path);
    read = files->size(files->user, file, &bytes);
    if (read && bytes > NN__TEXT_LONGEST) {
        files->close(files->user, file);
        return nn__text_fail(call, NN_ERROR_FORMAT, "\"%s\" has %d bytes; wanted at most 2^30",
                             path, (int64_t)bytes);
    }
    if (read && !nn__text_grow(call, to, bytes + 1)) {
        files->close(files->user, file);
        return false;
    }
    read = read && (bytes == 0 || files->read(files->user, file, 0, to->data, (size_t)bytes));
    files->close(files->user, file);
    if (!read) return nn__text_fail(call, NN_ERROR_FILE, "cannot read \"%s\"", path);
    *size = (size_t)bytes;
    ((char *)to->data)[bytes] = 0;
    return true;
#endif
}

/* Finds the next line, without trailing white space. */
static bool nn__text_line(const char *text, size_t size, size_t *at, size_t *begin, size_t *end) {
    if (*at >= size) return false;
    *begin = *end = *at;
    while (*at < size && text[*at] != '\n') ++*at;
    *end = *at;
    if (*at < size) ++*at;
    while (*end > *begin &&
           (text[*end - 1] == '\r' || text[*end - 1] == ' ' || text[*end - 1] == '\t'))
        --*end;
    return true;
}

static uint64_t nn__text_lines(const char *text, size_t size) {
    uint64_t count = 1;
    for (size_t i = 0; i < size; i++) count += text[i] == '\n';
    return count;
}

/* ---- vocab.txt ------------------------------------------------------------------------------- */

/* Makes a token special, so that texts are split at it. False: the vocabulary does not have it. */
NN__TEXT_PRIVATE bool nn__text_make_special(nn_tokenizer *t, const char *text) {
    nn__text_token *token = nn__text_find(t, text, strlen(text));
    nn__text_added *added;
    if (!token) return false;
    token->added = token->special = true;
    added = &t->plain.added[t->plain.added_count++];
    added->id = token->id;
    added->text = token->text;
    added->bytes = token->bytes;
    return true;
}

static bool nn__text_bert(nn__text_call *call, nn_tokenizer *t, const char *text, size_t size,
                          const nn_tokenizer_desc *desc) {
    static const char *const specials[5] = {"[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"};
    static const int kinds[4] = {NN__TEXT_CLEAN, NN__TEXT_CJK, NN__TEXT_BERT_ACCENTS,
                                 NN__TEXT_LOWERCASE};
    size_t at = 0, begin, end;
    uint32_t id = 0;
    char *copy = (char *)nn__text_take(call, t, (uint64_t)size + 1);
    if (!copy || !nn__text_make_vocab(call, t, nn__text_lines(text, size))) return false;
    memcpy(copy, text, size);
    for (; nn__text_line(copy, size, &at, &begin, &end); id++) {
        copy[end] = 0;
        if (!nn__text_is_utf8(copy + begin, end - begin) ||
            !nn__text_add_token(t, copy + begin, end - begin, id))
            return nn__text_fail(call, NN_ERROR_FORMAT,
                                 "%s, line %d: the token %q occurs twice, or is not UTF-8",
                                 desc->path, (int64_t)id + 1, end - begin, copy + begin);
        if (end - begin > t->longest_token) t->longest_token = (uint32_t)(end - begin);
    }
    t->plain.added = (nn__text_added *)nn__text_take(call, t, 5 * sizeof *t->plain.added);
    if (!t->plain.added) return false;
    for (int i = 0; i < 5; i++)
        if (!nn__text_make_special(t, specials[i]) && i < 3)
            return nn__text_fail(call, NN_ERROR_FORMAT, "%s: the token %s is missing", desc->path,
                                 specials[i]);
    t->model = NN__TEXT_WORDPIECE;
    t->unknown = nn__text_find(t, "[UNK]", 5)->id;
    t->longest_word = 100;
    t->prefix = t->decode_text = "##";
    t->prefix_bytes = t->decode_bytes = 2;
    t->decoder = NN__TEXT_DECODE_WORDPIECE;
    t->cleanup = true;
    for (int i = 0; i < (desc->cased ? 2 : 4); i++)
        t->normalizers[t->normalizer_count++].kind = kinds[i];
    t->splitters[t->splitter_count++].kind = NN__TEXT_SPLIT_BERT;
    return nn__text_load_forms(call, t) && nn__text_index_ids(call, t, desc->path) &&
           nn__text_plant(call, t) &&
           nn__text_surround(call, t, nn__text_find(t, "[CLS]", 5)->id,
                             nn__text_find(t, "[SEP]", 5)->id, false);
}

/* ---- vocab.json and merges.txt --------------------------------------------------------------- */

static bool nn__text_parse_merges(nn__text_call *call, nn_tokenizer *t, const char *path) {
    nn__text_buffer file = {NULL, 0};
    size_t size = 0, at = 0, begin, end;
    int64_t line = 0;
    const char *text;
    bool well = nn__text_read(call, path, &file, &size) &&
                nn__bpe_make_merges(call, t, nn__text_lines((const char *)file.data, size));
    text = (const char *)file.data;
    while (well && nn__text_line(text, size, &at, &begin, &end)) {
        const char *blank = (const char *)memchr(text + begin, ' ', end - begin), *why;
        line++;
        if (end == begin || (end - begin >= 8 && memcmp(text + begin, "#version", 8) == 0))
            continue;
        why = "a line that is not two tokens";
        well = blank && nn__text_join(call, t, text + begin, (size_t)(blank - text) - begin,
                                      blank + 1, end - (size_t)(blank + 1 - text), &why);
        if (!well) nn__text_fail(call, NN_ERROR_FORMAT, "%s, line %d: %s", path, line, why);
    }
    nn__text_drop(call->nn, &file);
    return well;
}

static bool nn__text_gpt2_files(nn__text_call *call, nn_tokenizer *t, const char *text, size_t size,
                                const nn_tokenizer_desc *desc) {
    nn__text_json json;
    size_t at = 0;
    json.call = call;
    json.name = desc->path ? desc->path : "vocab.json";
    json.text = text;
    json.size = size;
    if ((unsigned)desc->pattern > NN_PATTERN_GPT4O)
        return nn__text_fail(call, NN_ERROR_ARGUMENT, "pattern is %d", (int64_t)desc->pattern);
    if (!nn__json_check(&json)) return false;
    while (text[at] != '{') at++;
    t->plain.added = (nn__text_added *)nn__text_take(call, t, sizeof *t->plain.added);
    if (!t->plain.added || !nn__text_parse_vocab(&json, t, at, 0) ||
        !nn__text_parse_merges(call, t, desc->merges))
        return false;
    nn__text_make_special(t, "<|endoftext|>");
    return nn__text_index_ids(call, t, json.name) && nn__text_byte_level(call, t, desc->pattern);
}

/* Sets up everything of a byte-level BPE except vocabulary and merges. */
NN__TEXT_PRIVATE bool nn__text_byte_level(nn__text_call *call, nn_tokenizer *t,
                                          nn_pattern pattern) {
    t->model = NN__TEXT_BPE;
    t->bpe.byte_level = true;
    t->decoder = NN__TEXT_DECODE_BYTES;
    t->splitter_count = 1; /* the last one is ByteLevel, which splits like GPT-2 or not at all */
    if (pattern != NN_PATTERN_GPT2 && pattern != NN_PATTERN_WHOLE)
        t->splitters[t->splitter_count++].kind = NN__TEXT_SPLIT_WHOLE;
    return nn__text_load_unicode(call, t) &&
           nn__text_by_pattern(call, t, &t->splitters[0], pattern) &&
           nn__text_make_bytes(call, t) && nn__bpe_finish(call, t) && nn__text_plant(call, t) &&
           nn__text_plain(call, t);
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool nn__text_ends(const char *text, const char *with) {
    size_t a = strlen(text), b = strlen(with);
    return a >= b && memcmp(text + a - b, with, b) == 0;
}

NN_API nn_tokenizer *nn_open_tokenizer_at(nn_site site, nn_context *nn,
                                          const nn_tokenizer_desc *desc) {
    nn__text_call call;
    nn__text_buffer file = {NULL, 0};
    nn__text_json json;
    nn_tokenizer *t;
    size_t size = 0;
    const char *text;
    if (!nn) return NULL;
    call = nn__text_begin(nn, site, "nn_open_tokenizer");
    if (!desc || (!desc->path && !desc->data) || (desc->path && desc->data)) {
        nn__text_fail(&call, NN_ERROR_ARGUMENT,
                      "give either .path (a file) or .data (the text of a tokenizer.json)");
        return NULL;
    }
    t = nn__text_make(&call);
    if (!t) return NULL;
    text = (const char *)desc->data;
    size = desc->bytes;
    if (desc->path && nn__text_ends(desc->path, ".gguf")) {
        nn__text_gguf(&call, t, desc->path);
        return nn__text_made(&call, t);
    }
    if (!desc->data && nn__text_read(&call, desc->path, &file, &size))
        text = (const char *)file.data;
    json.call = &call;
    json.name = desc->path ? desc->path : "tokenizer.json";
    json.text = text;
    json.size = size;
    if (call.code != NN_OK)
        size = 0;
    else if (desc->merges)
        nn__text_gpt2_files(&call, t, text, size, desc);
    else if (desc->path && nn__text_ends(desc->path, ".txt"))
        nn__text_bert(&call, t, text, size, desc);
    else
        nn__text_parse(&json, t);
    nn__text_drop(nn, &file);
    return nn__text_made(&call, t);
}

NN_API nn_tokenizer *nn_make_byte_tokenizer_at(nn_site site, nn_context *nn) {
    nn__text_call call;
    nn_tokenizer *t;
    char *bytes;
    if (!nn) return NULL;
    call = nn__text_begin(nn, site, "nn_make_byte_tokenizer");
    t = nn__text_make(&call);
    if (!t) return NULL;
    t->model = NN__TEXT_BYTES;
    t->decoder = NN__TEXT_DECODE_PLAIN;
    bytes = (char *)nn__text_take(&call, t, 512);
    if (bytes && nn__text_make_vocab(&call, t, 256) && nn__text_plain(&call, t)) {
        for (uint32_t i = 0; i < 256; i++) {
            bytes[2 * i] = (char)i;
            nn__text_add_token(t, bytes + 2 * i, 1, i);
        }
        nn__text_index_ids(&call, t, "bytes");
    }
    return nn__text_made(&call, t);
}

/* Collects the code points in a bitmap, and makes a token of each, in order. */
static bool nn__text_fill_chars(nn__text_call *call, nn_tokenizer *t, const char *text,
                                size_t bytes) {
    size_t length, count = 0;
    uint8_t *seen;
    char *letters;
    uint32_t id = 0;
    if (!nn__text_grow(call, &t->held, 0x110000 / 8)) return false;
    seen = (uint8_t *)t->held.data;
    memset(seen, 0, 0x110000 / 8);
    for (size_t at = 0; at < bytes; at += length) {
        uint32_t point = nn__text_decode(text, bytes, at, &length);
        count += !(seen[point >> 3] & 1u << (point & 7));
        seen[point >> 3] = (uint8_t)(seen[point >> 3] | 1u << (point & 7));
    }
    letters = (char *)nn__text_take(call, t, (uint64_t)count * 5);
    if (!letters || !nn__text_make_vocab(call, t, count)) return false;
    for (uint32_t point = 0; point < 0x110000; point++) {
        if (!(seen[point >> 3] & 1u << (point & 7))) continue;
        length = nn__text_put(letters, point);
        nn__text_add_token(t, letters, length, id++);
        letters += length + 1;
    }
    return nn__text_plain(call, t) && nn__text_index_ids(call, t, "characters");
}

NN_API nn_tokenizer *nn_make_char_tokenizer_at(nn_site site, nn_context *nn, const char *text,
                                               size_t bytes) {
    nn__text_call call;
    nn_tokenizer *t;
    if (!nn) return NULL;
    call = nn__text_begin(nn, site, "nn_make_char_tokenizer");
    if (!text || bytes == 0 || bytes > NN__TEXT_LONGEST) {
        nn__text_fail(&call, NN_ERROR_ARGUMENT, "the text has %d bytes%s; wanted 1 to 2^30",
                      (int64_t)bytes, text ? "" : " at NULL");
        return NULL;
    }
    t = nn__text_make(&call);
    if (!t) return NULL;
    t->model = NN__TEXT_CHARS;
    t->decoder = NN__TEXT_DECODE_PLAIN;
    nn__text_fill_chars(&call, t, text, bytes);
    return nn__text_made(&call, t);
}
