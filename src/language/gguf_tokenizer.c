/* language/gguf_tokenizer.c - the tokenizer of a GGUF file: a byte-level BPE, which such files call
   "gpt2". Its words are split as `tokenizer.ggml.pre` says. */
#include "language/gguf.h"
#include "text/private.h"

#ifndef NN_NO_FILES

/* Types of tokens in tokenizer.ggml.token_type. */
enum { NN__GGUF_CONTROL = 3, NN__GGUF_USER_DEFINED = 4 };

/* A walk through the texts of an array. */
typedef struct nn__gguf_texts {
    const char *at;
    uint64_t left;
    size_t length; /* of the last text */
} nn__gguf_texts;

/* Finds an array of texts. False: there is none. */
static bool nn__gguf_texts_of(const nn__gguf *g, const char *name, nn__gguf_texts *texts) {
    const nn__gguf_key *key = nn__gguf_find(g, name);
    if (!key || !key->is_array || key->type != NN__GGUF_TEXTS) return false;
    texts->at = key->value;
    texts->left = key->count;
    texts->length = 0;
    return true;
}
/* Returns the next text, which is not terminated; NULL: there are no more. */
static const char *nn__gguf_next(nn__gguf_texts *texts) {
    const char *text = texts->at + 8;
    if (texts->left == 0) return NULL;
    texts->left--;
    texts->length = (size_t)nn__gguf_word(texts->at, 8);
    texts->at = text + texts->length;
    return text;
}

static bool nn__gguf_is_text(const nn__gguf *g, const char *name, const char *text) {
    size_t length;
    const char *found = nn__gguf_text(nn__gguf_find(g, name), &length);
    return found && length == strlen(text) && memcmp(found, text, length) == 0;
}

/* Returns a number or a flag of the metadata. */
static double nn__gguf_number_of(const nn__gguf *g, const char *name, double absent) {
    const nn__gguf_key *key = nn__gguf_find(g, name);
    double number;
    return key && !key->is_array && nn__gguf_number(key, 0, &number) ? number : absent;
}

/* Finds how words are split. *llama: as in Llama 3, with a token before each text. */
static bool nn__gguf_pattern(const nn__gguf *g, nn_pattern *pattern, bool *llama) {
    static const struct {
        const char *name;
        nn_pattern pattern;
        bool llama;
    } known[] = {{"gpt-2", NN_PATTERN_GPT2, false},      {"gpt2", NN_PATTERN_GPT2, false},
                 {"llama-bpe", NN_PATTERN_LLAMA3, true}, {"llama3", NN_PATTERN_LLAMA3, true},
                 {"llama-v3", NN_PATTERN_LLAMA3, true},  {"qwen2", NN_PATTERN_QWEN2, false},
                 {"gpt-4o", NN_PATTERN_GPT4O, false}};
    size_t length = 0;
    const char *pre = nn__gguf_text(nn__gguf_find(g, "tokenizer.ggml.pre"), &length);
    *pattern = NN_PATTERN_GPT2;
    *llama = false;
    if (!pre && nn__gguf_is_text(g, "general.architecture", "gpt2")) return true;
    for (size_t i = 0; pre && i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].name) != length || memcmp(known[i].name, pre, length) != 0) continue;
        *pattern = known[i].pattern;
        *llama = known[i].llama;
        return true;
    }
    return nn__text_fail(g->call, NN_ERROR_UNSUPPORTED,
                         "take the tokenizer.json of the same model: \"%s\" splits words as %q, "
                         "which is not known here (tokenizer.ggml.pre)",
                         g->path, length, pre ? pre : "");
}

/* ---- vocabulary ------------------------------------------------------------------------------ */

/* Makes an added token of token `id` if it is a control token or one that its user defined. */
static void nn__gguf_add_special(nn_tokenizer *t, nn__text_token *token, int type) {
    nn__text_added *added = &t->plain.added[t->plain.added_count];
    if (type != NN__GGUF_CONTROL && type != NN__GGUF_USER_DEFINED) return;
    token->added = true;
    token->special = type == NN__GGUF_CONTROL;
    added->id = token->id;
    added->text = token->text;
    added->bytes = token->bytes;
    if (token->bytes > 0) t->plain.added_count++;
}

/* Returns the type of token i; 0: the file has no types. */
static int nn__gguf_token_type(const nn__gguf_key *types, uint64_t i) {
    double type;
    return types && nn__gguf_number(types, i, &type) && type >= 0 && type < 100 ? (int)type : 0;
}

static bool nn__gguf_vocabulary(nn__gguf *g, nn_tokenizer *t) {
    const nn__gguf_key *types = nn__gguf_find(g, "tokenizer.ggml.token_type");
    nn__gguf_texts texts;
    uint64_t bytes = 0, specials = 1;
    const char *text;
    char *copy;
    if (!nn__gguf_texts_of(g, "tokenizer.ggml.tokens", &texts) || texts.left == 0 ||
        (types && (!types->is_array || types->count != texts.left)))
        return nn__text_fail(g->call, NN_ERROR_FORMAT,
                             "\"%s\" has no tokens, or not one type for each "
                             "(tokenizer.ggml.tokens, tokenizer.ggml.token_type)",
                             g->path);
    const uint64_t count = texts.left;
    while (nn__gguf_next(&texts)) bytes += texts.length + 1;
    for (uint64_t i = 0; i < count; i++) {
        const int type = nn__gguf_token_type(types, i);
        specials += type == NN__GGUF_CONTROL || type == NN__GGUF_USER_DEFINED;
    }
    copy = (char *)nn__text_take(g->call, t, bytes);
    t->plain.added =
        (nn__text_added *)nn__text_take(g->call, t, specials * sizeof *t->plain.added);
    if (!copy || !t->plain.added || !nn__text_make_vocab(g->call, t, count)) return false;
    nn__gguf_texts_of(g, "tokenizer.ggml.tokens", &texts);
    for (uint32_t id = 0; (text = nn__gguf_next(&texts)) != NULL; id++) {
        nn__text_token *token;
        memcpy(copy, text, texts.length);
        copy[texts.length] = 0;
        token = nn__text_is_utf8(copy, texts.length)
                    ? nn__text_add_token(t, copy, texts.length, id)
                    : NULL;
        if (!token)
            return nn__text_fail(g->call, NN_ERROR_FORMAT,
                                 "\"%s\": token %d (%q) occurs twice, or is not UTF-8", g->path,
                                 (int64_t)id, texts.length, copy);
        nn__gguf_add_special(t, token, nn__gguf_token_type(types, id));
        copy += texts.length + 1;
    }
    return nn__text_index_ids(g->call, t, g->path);
}

static bool nn__gguf_merges(nn__gguf *g, nn_tokenizer *t) {
    nn__gguf_texts texts;
    const char *text;
    if (!nn__gguf_texts_of(g, "tokenizer.ggml.merges", &texts))
        return nn__text_fail(g->call, NN_ERROR_FORMAT,
                             "\"%s\" has no merges (tokenizer.ggml.merges)", g->path);
    if (!nn__bpe_make_merges(g->call, t, texts.left + 1)) return false;
    for (int64_t i = 0; (text = nn__gguf_next(&texts)) != NULL; i++) {
        const char *blank = texts.length > 1
                                ? (const char *)memchr(text + 1, ' ', texts.length - 1)
                                : NULL;
        const char *why = "it is not two tokens";
        if (!blank || !nn__text_join(g->call, t, text, (size_t)(blank - text), blank + 1,
                                     texts.length - (size_t)(blank + 1 - text), &why))
            return nn__text_fail(g->call, NN_ERROR_FORMAT, "\"%s\", merge %d: %s", g->path, i, why);
    }
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool nn__gguf_read_tokenizer(nn__gguf *g, nn_tokenizer *t) {
    nn_pattern pattern;
    bool llama;
    double bos;
    size_t length = 0;
    const char *model = nn__gguf_text(nn__gguf_find(g, "tokenizer.ggml.model"), &length);
    if (!nn__gguf_is_text(g, "tokenizer.ggml.model", "gpt2"))
        return nn__text_fail(g->call, NN_ERROR_UNSUPPORTED,
                             "take the tokenizer.json of the same model: \"%s\" has a tokenizer of "
                             "the kind %q; only gpt2 is read (tokenizer.ggml.model)",
                             g->path, length, model ? model : "");
    if (!nn__gguf_pattern(g, &pattern, &llama)) return false;
    if (nn__gguf_number_of(g, "tokenizer.ggml.add_eos_token", 0) != 0)
        return nn__text_fail(g->call, NN_ERROR_UNSUPPORTED,
                             "take the tokenizer.json of the same model: \"%s\" adds a token after "
                             "each text (tokenizer.ggml.add_eos_token)",
                             g->path);
    t->bpe.ignore_merges = llama;
    if (!nn__gguf_vocabulary(g, t) || !nn__gguf_merges(g, t) ||
        !nn__text_byte_level(g->call, t, pattern))
        return false;
    if (nn__gguf_number_of(g, "tokenizer.ggml.add_bos_token", llama) == 0) return true;
    bos = nn__gguf_number_of(g, "tokenizer.ggml.bos_token_id", -1);
    if (!(bos >= 0 && bos < t->vocab.count))
        return nn__text_fail(g->call, NN_ERROR_FORMAT,
                             "\"%s\" has no token to begin texts with "
                             "(tokenizer.ggml.bos_token_id)",
                             g->path);
    return nn__text_begin_with(g->call, t, (uint32_t)bos);
}

#endif

NN__TEXT_PRIVATE bool nn__text_gguf(nn__text_call *call, nn_tokenizer *t, const char *path) {
#ifdef NN_NO_FILES
    (void)t;
    return nn__text_fail(call, NN_ERROR_UNSUPPORTED,
                         "\"%s\": this program was built without files; use .data", path);
#else
    nn__gguf g;
    const bool well = nn__gguf_open(call, path, &g) && nn__gguf_read_tokenizer(&g, t);
    nn__gguf_close(&g);
    return well;
#endif
}
