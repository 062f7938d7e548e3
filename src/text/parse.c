/* text/parse.c - reads tokenizer.json: the model, its vocabulary and added tokens; parse_steps.c
   reads the rest. Anything unknown is an error with its line. */
#include "text/private.h"

/* Reads true or false. If missing or null, *value is `otherwise`. */
NN__TEXT_PRIVATE bool nn__json_flag(const nn__text_json *json, size_t at, const char *key,
                                    bool otherwise, bool *value) {
    size_t found = nn__json_find(json, at, key);
    char type = found ? nn__json_type(json, found) : 'n';
    *value = type == 'n' ? otherwise : type == 't';
    if (type == 'n' || type == 't' || type == 'f') return true;
    return nn__json_fail(json, found, key, "true or false");
}

/* Copies a string and terminates it. NULL: missing or null, or with an error: no string. */
NN__TEXT_PRIVATE const char *nn__json_copy(const nn__text_json *json, nn_tokenizer *t, size_t at,
                                           const char *key, uint32_t *bytes) {
    size_t found = nn__json_find(json, at, key);
    char *copy;
    *bytes = 0;
    if (!found || nn__json_type(json, found) == 'n') return NULL;
    if (nn__json_type(json, found) != '"') {
        nn__json_fail(json, found, key, "a string");
        return NULL;
    }
    copy = (char *)nn__text_take(json->call, t, (uint64_t)nn__json_span(json, found) + 1);
    if (copy) *bytes = (uint32_t)nn__json_string(json, found, copy);
    return copy;
}

/* Reads a token's text under a key, and finds its id. NN__TEXT_NONE: missing or null. */
static bool nn__text_parse_id(nn__text_json *json, nn_tokenizer *t, size_t at, const char *key,
                              uint32_t *id) {
    uint32_t bytes;
    const char *text = nn__json_copy(json, t, at, key, &bytes);
    const nn__text_token *token;
    *id = NN__TEXT_NONE;
    if (!text) return json->call->code == NN_OK;
    token = nn__text_find_model(t, text, bytes);
    if (!token)
        return nn__json_fail(json, nn__json_find(json, at, key), key, "a token of the vocabulary");
    *id = token->id;
    return true;
}

/* Counts the elements of a list or an object. *bytes: total length of its keys. */
NN__TEXT_PRIVATE uint64_t nn__json_count(const nn__text_json *json, size_t at,
                                         uint64_t *bytes) {
    uint64_t count = 0;
    bool object;
    *bytes = 0;
    if (nn__json_type(json, at) != '{' && nn__json_type(json, at) != '[') return 0;
    object = nn__json_type(json, at) == '{';
    for (size_t i = nn__json_first(json, at); i;
         i = object ? nn__json_after(json, i) : nn__json_next(json, i)) {
        if (object) *bytes += nn__json_span(json, i) + 1;
        count++;
    }
    return count;
}

/* Reads {"token": id, ...} */
NN__TEXT_PRIVATE bool nn__text_parse_vocab(nn__text_json *json, nn_tokenizer *t, size_t at,
                                           size_t added) {
    uint64_t bytes, ignored, count = nn__json_count(json, at, &bytes);
    char *texts;
    if (nn__json_type(json, at) != '{')
        return nn__json_fail(json, at, "vocab", "an object of tokens and ids");
    if (added) count += nn__json_count(json, added, &ignored);
    if (!nn__text_make_vocab(json->call, t, count)) return false;
    texts = (char *)nn__text_take(json->call, t, bytes + 1);
    if (!texts) return false;
    for (size_t key = nn__json_first(json, at); key; key = nn__json_after(json, key)) {
        size_t length = nn__json_string(json, key, texts);
        int64_t id;
        if (!nn__json_integer(json, nn__json_value(json, key), &id) || id < 0 || id >= INT32_MAX)
            return nn__json_fail(json, nn__json_value(json, key), "a token without an id",
                                 "a number from 0 on");
        texts[length] = 0;
        if (!nn__text_add_token(t, texts, length, (uint32_t)id))
            return nn__json_fail(json, key, "a token that occurs twice", NULL);
        if (length > t->longest_token) t->longest_token = (uint32_t)length;
        texts += length + 1;
    }
    return true;
}

/* ---- BPE ------------------------------------------------------------------------------------- */

NN__TEXT_PRIVATE bool nn__text_join(nn__text_call *call, nn_tokenizer *t, const char *left,
                                    size_t left_bytes, const char *right, size_t right_bytes,
                                    const char **why) {
    const nn__text_token *a = nn__text_find_model(t, left, left_bytes);
    const nn__text_token *b = nn__text_find_model(t, right, right_bytes), *both;
    size_t skipped = t->bpe.prefix_bytes < right_bytes ? t->bpe.prefix_bytes : right_bytes;
    char *joined;
    *why = "a merge of a token that the vocabulary does not have";
    if (!a || !b || !nn__text_grow(call, &t->word, (uint64_t)left_bytes + right_bytes + 1))
        return false;
    joined = (char *)t->word.data;
    memcpy(joined, left, left_bytes);
    memcpy(joined + left_bytes, right + skipped, right_bytes - skipped);
    both = nn__text_find_model(t, joined, left_bytes + right_bytes - skipped);
    *why = "a merge whose result the vocabulary does not have";
    if (!both) return false;
    nn__bpe_add_merge(t, a->id, b->id, both->id);
    return true;
}

/* Reads a merge: "left right", or in newer files ["left", "right"]. */
static bool nn__text_parse_merge(nn__text_json *json, nn_tokenizer *t, size_t at) {
    size_t second = 0, left_bytes, right_bytes, span;
    const char *why = "a merge that is not two tokens", *right;
    char *left;
    if (nn__json_type(json, at) == '[') {
        at = nn__json_first(json, at);
        second = at ? nn__json_next(json, at) : 0;
        if (!second || nn__json_next(json, second) || nn__json_type(json, second) != '"')
            return nn__json_fail(json, at ? at : second, why, "[\"a\", \"b\"]");
    }
    if (nn__json_type(json, at) != '"') return nn__json_fail(json, at, why, "\"a b\"");
    span = nn__json_span(json, at) + (second ? nn__json_span(json, second) : 0) + 2;
    if (!nn__text_grow(json->call, &t->decoded, span)) return false;
    left = (char *)t->decoded.data;
    left_bytes = nn__json_string(json, at, left);
    if (second) {
        right = left + left_bytes;
        right_bytes = nn__json_string(json, second, left + left_bytes);
    } else {
        const char *blank = (const char *)memchr(left, ' ', left_bytes);
        if (!blank || memchr(blank + 1, ' ', left_bytes - (size_t)(blank + 1 - left)))
            return nn__json_fail(json, at, why, "\"a b\"");
        right = blank + 1;
        right_bytes = left_bytes - (size_t)(right - left);
        left_bytes = (size_t)(blank - left);
    }
    if (nn__text_join(json->call, t, left, left_bytes, right, right_bytes, &why)) return true;
    return nn__json_fail(json, at, why, NULL);
}

static bool nn__text_parse_bpe(nn__text_json *json, nn_tokenizer *t, size_t at, size_t added) {
    size_t vocab = nn__json_find(json, at, "vocab");
    size_t merges = nn__json_find(json, at, "merges"), dropout = nn__json_find(json, at, "dropout");
    nn__text_bpe *bpe = &t->bpe;
    uint64_t ignored;
    int64_t none;
    if (!nn__json_keys(json, at,
                       "type dropout unk_token continuing_subword_prefix "
                       "end_of_word_suffix fuse_unk byte_fallback ignore_merges vocab merges"))
        return false;
    if (dropout && nn__json_type(json, dropout) != 'n' &&
        !(nn__json_integer(json, dropout, &none) && none == 0) &&
        !(nn__json_type(json, dropout) == '0' && memcmp(json->text + dropout, "0.0", 3) == 0 &&
          strchr(",} \n\r\t", json->text[dropout + 3])))
        return nn__json_fail(json, dropout, "dropout is not supported", "null");
    if (!vocab) return nn__json_fail(json, at, "a model without vocab", NULL);
    if (!merges || nn__json_type(json, merges) != '[')
        return nn__json_fail(json, merges ? merges : at, "merges", "a list of pairs of tokens");
    bpe->prefix = nn__json_copy(json, t, at, "continuing_subword_prefix", &bpe->prefix_bytes);
    bpe->suffix = nn__json_copy(json, t, at, "end_of_word_suffix", &bpe->suffix_bytes);
    if (!nn__json_flag(json, at, "fuse_unk", false, &bpe->fuse_unknown) ||
        !nn__json_flag(json, at, "byte_fallback", false, &bpe->byte_fallback) ||
        !nn__json_flag(json, at, "ignore_merges", false, &bpe->ignore_merges) ||
        !nn__text_parse_vocab(json, t, vocab, added) ||
        !nn__text_parse_id(json, t, at, "unk_token", &bpe->unknown) ||
        !nn__bpe_make_merges(json->call, t, nn__json_count(json, merges, &ignored)))
        return false;
    for (size_t i = nn__json_first(json, merges); i; i = nn__json_next(json, i))
        if (!nn__text_parse_merge(json, t, i)) return false;
    t->model = NN__TEXT_BPE;
    return json->call->code == NN_OK;
}

static bool nn__text_parse_wordpiece(nn__text_json *json, nn_tokenizer *t, size_t at,
                                     size_t added) {
    size_t vocab = nn__json_find(json, at, "vocab");
    size_t most = nn__json_find(json, at, "max_input_chars_per_word");
    int64_t longest = 100;
    if (!nn__json_keys(json, at,
                       "type unk_token continuing_subword_prefix max_input_chars_per_word vocab"))
        return false;
    if (most && (!nn__json_integer(json, most, &longest) || longest < 0 || longest > INT32_MAX))
        return nn__json_fail(json, most, "max_input_chars_per_word", "a number");
    if (!vocab) return nn__json_fail(json, at, "a model without vocab", NULL);
    t->longest_word = (uint32_t)longest;
    t->prefix = nn__json_copy(json, t, at, "continuing_subword_prefix", &t->prefix_bytes);
    if (!t->prefix) t->prefix = "";
    t->model = NN__TEXT_WORDPIECE;
    return json->call->code == NN_OK && nn__text_parse_vocab(json, t, vocab, added) &&
           nn__text_parse_id(json, t, at, "unk_token", &t->unknown);
}

/* ---- added tokens ---------------------------------------------------------------------------- */

static bool nn__text_parse_added(nn__text_json *json, nn_tokenizer *t, size_t at, bool special,
                                 bool *was) {
    nn__text_added added;
    nn__text_token *token;
    nn__text_tree *tree;
    bool normalised, is_special;
    int64_t id;
    if (nn__json_type(json, at) != '{' ||
        !nn__json_keys(json, at, "id content single_word lstrip rstrip normalized special"))
        return nn__json_fail(json, at, "an added token", "an object");
    memset(&added, 0, sizeof added);
    if (!nn__json_flag(json, at, "special", false, &is_special)) return false;
    *was = is_special == special;
    if (!*was) return true;
    if (!nn__json_integer(json, nn__json_find(json, at, "id"), &id) || id < 0 || id >= INT32_MAX)
        return nn__json_fail(json, at, "an added token without id", "a number from 0 on");
    added.text = nn__json_copy(json, t, at, "content", &added.bytes);
    if (!added.text || added.bytes == 0)
        return nn__json_fail(json, at, "an added token without content", "a string");
    if (!nn__json_flag(json, at, "single_word", false, &added.single_word) ||
        !nn__json_flag(json, at, "lstrip", false, &added.left_strip) ||
        !nn__json_flag(json, at, "rstrip", false, &added.right_strip) ||
        !nn__json_flag(json, at, "normalized", !is_special, &normalised))
        return false;
    token = nn__text_find(t, added.text, added.bytes);
    if (token && (token->added || token->id != (uint32_t)id))
        return nn__json_fail(json, at,
                             token->added ? "an added token that occurs twice"
                                          : "an added token has another id in the vocabulary",
                             NULL);
    if (!token) {
        token = nn__text_add_token(t, added.text, added.bytes, (uint32_t)id);
        if (!token)
            return nn__json_fail(json, at, "an added token for which the vocabulary has no room",
                                 NULL);
        token->beside = true;
    }
    token->added = true;
    token->special = is_special;
    added.id = (uint32_t)id;
    tree = normalised ? &t->normalised : &t->plain;
    tree->added[tree->added_count++] = added;
    return true;
}

/* Special tokens come first: of two that are equal once normalised, the first is found. */
static bool nn__text_parse_all_added(nn__text_json *json, nn_tokenizer *t, size_t at) {
    uint64_t ignored, count = at ? nn__json_count(json, at, &ignored) : 0;
    if (at && nn__json_type(json, at) != '[' && nn__json_type(json, at) != 'n')
        return nn__json_fail(json, at, "added_tokens", "a list");
    t->plain.added =
        (nn__text_added *)nn__text_take(json->call, t, (count + 1) * sizeof *t->plain.added);
    t->normalised.added =
        (nn__text_added *)nn__text_take(json->call, t, (count + 1) * sizeof *t->plain.added);
    if (!t->plain.added || !t->normalised.added) return false;
    for (int pass = 0; pass < 2 && count > 0; pass++)
        for (size_t i = nn__json_first(json, at); i; i = nn__json_next(json, i)) {
            bool was;
            if (!nn__text_parse_added(json, t, i, pass == 0, &was)) return false;
        }
    return true;
}

/* Normalises the added tokens that are searched in normalised text, and makes both search trees. */
NN__TEXT_PRIVATE bool nn__text_plant(nn__text_call *call, nn_tokenizer *t) {
    for (uint32_t i = 0; i < t->normalised.added_count; i++) {
        nn__text_added *added = &t->normalised.added[i];
        nn__text_token *token;
        nn__text_string s;
        char *copy;
        memset(&s, 0, sizeof s);
        s.text = added->text;
        s.bytes = added->bytes;
        if (!nn__text_normalize(call, t, &s)) return false;
        copy = (char *)nn__text_take(call, t, (uint64_t)s.bytes + 1);
        if (!copy) return false;
        memcpy(copy, s.text, s.bytes);
        token = nn__text_find(t, added->text, added->bytes);
        added->text = copy;
        added->bytes = (uint32_t)s.bytes;
        if (!token) continue;
        token->written = copy;
        token->written_bytes = added->bytes;
    }
    return nn__text_make_tree(call, t, &t->plain) && nn__text_make_tree(call, t, &t->normalised);
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool nn__text_parse_model(nn__text_json *json, nn_tokenizer *t, size_t at, size_t added) {
    size_t type;
    if (!at || nn__json_type(json, at) != '{') return nn__json_fail(json, at, "model", "an object");
    type = nn__json_find(json, at, "type"); /* missing in old files */
    if (type ? nn__json_is(json, type, "BPE") : nn__json_find(json, at, "merges") > 0)
        return nn__text_parse_bpe(json, t, at, added);
    if (type ? nn__json_is(json, type, "WordPiece")
             : nn__json_find(json, at, "max_input_chars_per_word") > 0)
        return nn__text_parse_wordpiece(json, t, at, added);
    if (nn__json_is(json, type, "Unigram")) {
        uint64_t ignored;
        return nn__text_parse_unigram(json, t, at,
                                      added ? nn__json_count(json, added, &ignored) : 0);
    }
    return nn__json_fail(json, type ? type : at, "a model that is not supported",
                         "BPE, WordPiece or Unigram");
}

NN__TEXT_PRIVATE bool nn__text_parse(nn__text_json *json, nn_tokenizer *t) {
    size_t at = 0, added;
    if (!nn__json_check(json)) return false;
    while (json->text[at] != '{') at++;
    if (!nn__json_keys(json, at,
                       "version truncation padding added_tokens normalizer pre_tokenizer "
                       "post_processor decoder model"))
        return false;
    added = nn__json_find(json, at, "added_tokens");
    return nn__text_load_unicode(json->call, t) &&
           nn__text_parse_model(json, t, nn__json_find(json, at, "model"), added) &&
           nn__text_parse_normalizer(json, t, nn__json_find(json, at, "normalizer"), 0) &&
           nn__text_parse_splitter(json, t, nn__json_find(json, at, "pre_tokenizer"), 0) &&
           nn__text_parse_all_added(json, t, added) &&
           nn__text_index_ids(json->call, t, json->name) && nn__text_plant(json->call, t) &&
           nn__text_parse_post(json, t, nn__json_find(json, at, "post_processor"), 0) &&
           nn__text_parse_decoder(json, t, nn__json_find(json, at, "decoder"), 0) &&
           nn__text_parse_limits(json, t, nn__json_find(json, at, "truncation"),
                                 nn__json_find(json, at, "padding")) &&
           (t->model != NN__TEXT_BPE || nn__bpe_finish(json->call, t));
}
