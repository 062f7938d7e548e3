/* text/parse_steps.c - reads tokenizer.json: normalizers, pre-tokenizers, decoders, truncation and
   padding. Nested sequences are flattened. */
#include "text/private.h"

enum { NN__TEXT_DEPTH = 4 };

/* A kind of step: its name, the keys that it may have. */
typedef struct nn__text_choice {
    const char *name;
    const char *keys;
    int kind;
} nn__text_choice;

/* Returns the kind that "type" names. NULL, with an error: the type is unknown. */
static const nn__text_choice *nn__text_type(nn__text_json *json, size_t at, const char *what,
                                            const nn__text_choice *words, size_t count) {
    size_t type = nn__json_type(json, at) == '{' ? nn__json_find(json, at, "type") : 0;
    for (size_t i = 0; i < count; i++)
        if (nn__json_is(json, type, words[i].name))
            return nn__json_keys(json, at, words[i].keys) ? &words[i] : NULL;
    if (type && nn__json_type(json, type) == '"')
        nn__text_fail(json->call, NN_ERROR_UNSUPPORTED, "%s, line %d: the %s %q is not supported",
                      json->name, nn__json_line(json, type), what, nn__json_span(json, type),
                      json->text + type + 1);
    else
        nn__json_fail(json, at, what, "an object with a type");
    return NULL;
}

/* Parses each element of a list. */
static bool nn__text_each(nn__text_json *json, nn_tokenizer *t, size_t at, const char *key,
                          int depth, bool (*parse)(nn__text_json *, nn_tokenizer *, size_t, int)) {
    size_t list = nn__json_find(json, at, key);
    if (!list || nn__json_type(json, list) != '[' || depth == NN__TEXT_DEPTH)
        return nn__json_fail(json, list ? list : at, key, "a list that is not nested too deep");
    for (size_t i = nn__json_first(json, list); i; i = nn__json_next(json, i))
        if (!parse(json, t, i, depth + 1)) return false;
    return true;
}

static nn__text_step *nn__text_step_of(nn__text_json *json, nn__text_step *steps, uint32_t *count,
                                       size_t at, int kind) {
    nn__text_step *step = &steps[*count];
    if (*count == NN__TEXT_STEPS) {
        nn__json_fail(json, at, "more steps than are supported", "16 at most");
        return NULL;
    }
    ++*count;
    memset(step, 0, sizeof *step);
    step->kind = kind;
    return step;
}

/* Reads "pattern": {"String": text}. *regex: position of a regular expression, if there is one
   instead. */
static bool nn__text_pattern(nn__text_json *json, nn_tokenizer *t, size_t at, nn__text_step *step,
                             size_t *regex) {
    size_t pattern = nn__json_find(json, at, "pattern");
    *regex = 0;
    if (!pattern || nn__json_type(json, pattern) != '{' ||
        !nn__json_keys(json, pattern, "String Regex"))
        return nn__json_fail(json, pattern ? pattern : at, "pattern", "{\"String\": ...}");
    *regex = nn__json_find(json, pattern, "Regex");
    if (*regex && nn__json_type(json, *regex) == '"') return true;
    step->text = nn__json_copy(json, t, pattern, "String", &step->text_bytes);
    if (step->text && step->text_bytes > 0 && !*regex) return true;
    return nn__json_fail(json, pattern, "pattern", "a text that is not empty");
}

static bool nn__text_parse_regex(nn__text_json *json, nn_tokenizer *t, size_t at,
                                 nn__text_step *step, const char *what) {
    const char *why;
    char *text = (char *)nn__text_take(json->call, t, (uint64_t)nn__json_span(json, at) + 1);
    if (!text) return false;
    step->text = text;
    step->text_bytes = (uint32_t)nn__json_string(json, at, text);
    step->regex = nn__regex_read(json->call, t, text, step->text_bytes, &why);
    if (step->regex) return true;
    return nn__text_fail(json->call, NN_ERROR_UNSUPPORTED,
                         "%s, line %d: the regular expression %q of %s is not supported: %s",
                         json->name, nn__json_line(json, at), (size_t)step->text_bytes, text, what,
                         why);
}

/* ---- normalizers ----------------------------------------------------------------------------- */

static bool nn__text_parse_bert(nn__text_json *json, nn_tokenizer *t, size_t at) {
    static const int kinds[4] = {NN__TEXT_CLEAN, NN__TEXT_CJK, NN__TEXT_BERT_ACCENTS,
                                 NN__TEXT_LOWERCASE};
    bool wanted[4];
    if (!nn__json_flag(json, at, "clean_text", true, &wanted[0]) ||
        !nn__json_flag(json, at, "handle_chinese_chars", true, &wanted[1]) ||
        !nn__json_flag(json, at, "lowercase", true, &wanted[3]) ||
        !nn__json_flag(json, at, "strip_accents", wanted[3], &wanted[2]))
        return false;
    for (int i = 0; i < 4; i++)
        if (wanted[i] &&
            !nn__text_step_of(json, t->normalizers, &t->normalizer_count, at, kinds[i]))
            return false;
    return !wanted[2] || nn__text_load_forms(json->call, t);
}

static bool nn__text_fill_normalizer(nn__text_json *json, nn_tokenizer *t, size_t at,
                                     nn__text_step *step) {
    size_t regex;
    if (step->kind <= NN__TEXT_NFKD) return nn__text_load_forms(json->call, t);
    if (step->kind == NN__TEXT_REPLACE) {
        if (!nn__text_pattern(json, t, at, step, &regex) ||
            (regex && !nn__text_parse_regex(json, t, regex, step, "Replace")))
            return false;
        step->with = nn__json_copy(json, t, at, "content", &step->with_bytes);
        if (!step->with || (!regex && step->text_bytes > 64) || step->with_bytes > 64)
            return nn__json_fail(json, at, "Replace", "texts of at most 64 bytes");
    }
    if (step->kind == NN__TEXT_PREPEND) {
        step->text = nn__json_copy(json, t, at, "prepend", &step->text_bytes);
        if (!step->text || step->text_bytes > 64)
            return nn__json_fail(json, at, "prepend", "a text of at most 64 bytes");
    }
    return step->kind != NN__TEXT_STRIP ||
           (nn__json_flag(json, at, "strip_left", true, &step->left) &&
            nn__json_flag(json, at, "strip_right", true, &step->right));
}

NN__TEXT_PRIVATE bool nn__text_parse_normalizer(nn__text_json *json, nn_tokenizer *t, size_t at,
                                                int depth) {
    static const nn__text_choice words[] = {
        {"Sequence", "type normalizers", -1},
        {"BertNormalizer", "type clean_text handle_chinese_chars strip_accents lowercase", -2},
        {"NFC", "type", NN__TEXT_NFC},
        {"NFD", "type", NN__TEXT_NFD},
        {"NFKC", "type", NN__TEXT_NFKC},
        {"NFKD", "type", NN__TEXT_NFKD},
        {"Lowercase", "type", NN__TEXT_LOWERCASE},
        {"StripAccents", "type", NN__TEXT_STRIP_ACCENTS},
        {"Replace", "type pattern content", NN__TEXT_REPLACE},
        {"Prepend", "type prepend", NN__TEXT_PREPEND},
        {"Strip", "type strip_left strip_right", NN__TEXT_STRIP}};
    const nn__text_choice *word;
    nn__text_step *step;
    if (!at || nn__json_type(json, at) == 'n') return true;
    word = nn__text_type(json, at, "normalizer", words, sizeof words / sizeof words[0]);
    if (!word) return false;
    if (word->kind == -1)
        return nn__text_each(json, t, at, "normalizers", depth, nn__text_parse_normalizer);
    if (word->kind == -2) return nn__text_parse_bert(json, t, at);
    step = nn__text_step_of(json, t->normalizers, &t->normalizer_count, at, word->kind);
    return step && nn__text_fill_normalizer(json, t, at, step);
}

/* ---- pre-tokenizers -------------------------------------------------------------------------- */

static bool nn__text_behavior_of(nn__text_json *json, size_t at, nn__text_behavior otherwise,
                                 nn__text_behavior *behavior) {
    static const char *const names[] = {"Isolated", "Removed", "MergedWithPrevious",
                                        "MergedWithNext", "Contiguous"};
    size_t found = nn__json_find(json, at, "behavior");
    *behavior = otherwise;
    if (!found) return true;
    for (int i = 0; i < 5; i++)
        if (nn__json_is(json, found, names[i])) {
            *behavior = (nn__text_behavior)i;
            return true;
        }
    return nn__json_fail(json, found, "behavior",
                         "Isolated, Removed, MergedWithPrevious, MergedWithNext or Contiguous");
}

static bool nn__text_parse_split(nn__text_json *json, nn_tokenizer *t, size_t at,
                                 nn__text_step *step) {
    size_t regex;
    if (!nn__text_pattern(json, t, at, step, &regex) ||
        !nn__json_flag(json, at, "invert", false, &step->invert) ||
        !nn__text_behavior_of(json, at, NN__TEXT_ISOLATED, &step->behavior))
        return false;
    step->kind = NN__TEXT_SPLIT_LITERAL;
    if (!regex) return true;
    step->kind = NN__TEXT_SPLIT_REGEX;
    if (!nn__text_parse_regex(json, t, regex, step, "Split")) return false;
    nn__text_know_pattern(step);
    return true;
}

/* Reads a Metaspace step: SentencePiece's sign for a space, and when it is prepended. */
static bool nn__text_parse_metaspace(nn__text_json *json, nn_tokenizer *t, size_t at,
                                     const char **sign, uint32_t *bytes, int *scheme) {
    static const char *const schemes[3] = {"always", "first", "never"};
    size_t found = nn__json_find(json, at, "prepend_scheme"), length = 0;
    bool before;
    *scheme = 0;
    *sign = nn__json_copy(json, t, at, "replacement", bytes);
    if (*sign && *bytes > 0) nn__text_decode(*sign, *bytes, 0, &length);
    if (length == 0 || length != *bytes || !**sign)
        return nn__json_fail(json, at, "replacement", "one character");
    if (!nn__json_flag(json, at, "add_prefix_space", true, &before)) return false;
    if (!before) *scheme = 2;
    if (!found) return true;
    for (int i = 0; i < 3; i++)
        if (nn__json_is(json, found, schemes[i])) {
            *scheme = i;
            return before || i == 2 ||
                   nn__json_fail(
                       json, found,
                       "prepend_scheme contradicts add_prefix_space, which says \"never\"", NULL);
        }
    return nn__json_fail(json, found, "prepend_scheme", "always, first or never");
}

static bool nn__text_fill_metaspace(nn__text_json *json, nn_tokenizer *t, size_t at,
                                    nn__text_step *step) {
    bool splits;
    int scheme;
    if (!nn__text_parse_metaspace(json, t, at, &step->text, &step->text_bytes, &scheme) ||
        !nn__json_flag(json, at, "split", true, &splits))
        return false;
    step->left = scheme == 0;
    step->right = scheme == 1;
    step->invert = !splits;
    step->behavior = NN__TEXT_MERGED_WITH_NEXT;
    for (uint32_t i = 0; i + 1 < t->splitter_count; i++)
        if (t->splitters[i].kind == NN__TEXT_SPLIT_METASPACE)
            return nn__json_fail(json, at, "Metaspace twice", "it once");
    return true;
}

static bool nn__text_fill_splitter(nn__text_json *json, nn_tokenizer *t, size_t at,
                                   nn__text_step *step) {
    bool flag;
    switch (step->kind) {
    case NN__TEXT_SPLIT_WHOLE: /* ByteLevel */
        if (!nn__json_flag(json, at, "add_prefix_space", true, &step->left) ||
            !nn__json_flag(json, at, "use_regex", true, &flag) ||
            !nn__json_flag(json, at, "trim_offsets", true, &step->right))
            return false;
        if (flag) step->kind = NN__TEXT_SPLIT_GPT2;
        t->bpe.byte_level = true;
        for (uint32_t i = 0; i + 1 < t->splitter_count; i++)
            if (t->splitters[i].kind == NN__TEXT_SPLIT_METASPACE)
                return nn__json_fail(json, at, "ByteLevel after Metaspace", "one of them");
        if (t->model == NN__TEXT_BPE) return true;
        return nn__json_fail(json, at, "ByteLevel before a model that is not BPE", NULL);
    case NN__TEXT_SPLIT_METASPACE: return nn__text_fill_metaspace(json, t, at, step);
    case NN__TEXT_SPLIT_LITERAL: return nn__text_parse_split(json, t, at, step);
    case NN__TEXT_SPLIT_WHITESPACE:
        step->behavior = NN__TEXT_REMOVED;
        step->invert = true;
        return true;
    case NN__TEXT_SPLIT_SPACES: step->behavior = NN__TEXT_REMOVED; return true;
    case NN__TEXT_SPLIT_PUNCTUATION:
        return nn__text_behavior_of(json, at, NN__TEXT_ISOLATED, &step->behavior);
    case NN__TEXT_SPLIT_DIGITS:
        if (!nn__json_flag(json, at, "individual_digits", false, &flag)) return false;
        step->behavior = flag ? NN__TEXT_ISOLATED : NN__TEXT_CONTIGUOUS;
        return true;
    default: return true;
    }
}

NN__TEXT_PRIVATE bool nn__text_parse_splitter(nn__text_json *json, nn_tokenizer *t, size_t at,
                                              int depth) {
    static const nn__text_choice words[] = {
        {"Sequence", "type pretokenizers", -1},
        {"ByteLevel", "type add_prefix_space trim_offsets use_regex", NN__TEXT_SPLIT_WHOLE},
        {"Split", "type pattern behavior invert", NN__TEXT_SPLIT_LITERAL},
        {"Metaspace", "type replacement add_prefix_space prepend_scheme split str_rep",
         NN__TEXT_SPLIT_METASPACE},
        {"BertPreTokenizer", "type", NN__TEXT_SPLIT_BERT},
        {"Whitespace", "type", NN__TEXT_SPLIT_WHITESPACE},
        {"WhitespaceSplit", "type", NN__TEXT_SPLIT_SPACES},
        {"Punctuation", "type behavior", NN__TEXT_SPLIT_PUNCTUATION},
        {"Digits", "type individual_digits", NN__TEXT_SPLIT_DIGITS}};
    const nn__text_choice *word;
    nn__text_step *step;
    if (!at || nn__json_type(json, at) == 'n') return true;
    word = nn__text_type(json, at, "pre_tokenizer", words, sizeof words / sizeof words[0]);
    if (!word) return false;
    if (word->kind == -1)
        return nn__text_each(json, t, at, "pretokenizers", depth, nn__text_parse_splitter);
    if (t->bpe.byte_level)
        return nn__json_fail(json, at, "a pre_tokenizer after ByteLevel",
                             "ByteLevel as the last one");
    step = nn__text_step_of(json, t->splitters, &t->splitter_count, at, word->kind);
    return step && nn__text_fill_splitter(json, t, at, step);
}

/* ---- decoders -------------------------------------------------------------------------------- */

static bool nn__text_fill_decoder(nn__text_json *json, nn_tokenizer *t, size_t at, int kind) {
    size_t regex;
    int64_t start, stop;
    int scheme;
    nn__text_step *step;
    t->decoder = NN__TEXT_DECODE_SEQUENCE;
    switch (kind) {
    case 0: t->decoder = NN__TEXT_DECODE_BYTES; return nn__text_make_bytes(json->call, t);
    case 1:
        t->decoder = NN__TEXT_DECODE_WORDPIECE;
        t->decode_text = nn__json_copy(json, t, at, "prefix", &t->decode_bytes);
        return (t->decode_text && t->decode_bytes > 0 &&
                nn__json_flag(json, at, "cleanup", true, &t->cleanup)) ||
               nn__json_fail(json, at, "prefix", "a text that is not empty");
    case 2:
        step = nn__text_step_of(json, t->decode_steps, &t->decode_count, at, 0);
        if (!step || !nn__text_pattern(json, t, at, step, &regex)) return false;
        step->with = nn__json_copy(json, t, at, "content", &step->with_bytes);
        return (step->with && !regex) ||
               nn__json_fail(json, at, "Replace", "two texts, no regular expression");
    case 6:
        t->decoder = NN__TEXT_DECODE_METASPACE;
        if (!nn__text_parse_metaspace(json, t, at, &t->decode_text, &t->decode_bytes, &scheme))
            return false;
        t->decode_strips = scheme < 2;
        return true;
    case 3: t->decode_falls_back = true; return true;
    case 4: t->decode_fuses = true; return true;
    default:
        t->decode_strips = true;
        return (t->decode_fuses && nn__json_is(json, nn__json_find(json, at, "content"), " ") &&
                nn__json_integer(json, nn__json_find(json, at, "start"), &start) &&
                nn__json_integer(json, nn__json_find(json, at, "stop"), &stop) && start == 1 &&
                stop == 0) ||
               nn__json_fail(json, at, "Strip", "the first blank, after Fuse");
    }
}

NN__TEXT_PRIVATE bool nn__text_parse_decoder(nn__text_json *json, nn_tokenizer *t, size_t at,
                                             int depth) {
    static const nn__text_choice words[] = {
        {"Sequence", "type decoders", -1},
        {"ByteLevel", "type add_prefix_space trim_offsets use_regex", 0},
        {"WordPiece", "type prefix cleanup", 1},
        {"Replace", "type pattern content", 2},
        {"ByteFallback", "type", 3},
        {"Fuse", "type", 4},
        {"Strip", "type content start stop", 5},
        {"Metaspace", "type replacement add_prefix_space prepend_scheme split str_rep", 6}};
    const nn__text_choice *word;
    if (!at || nn__json_type(json, at) == 'n') return true;
    word = nn__text_type(json, at, "decoder", words, sizeof words / sizeof words[0]);
    if (!word) return false;
    if (word->kind == -1)
        return nn__text_each(json, t, at, "decoders", depth, nn__text_parse_decoder);
    if (t->decoder != NN__TEXT_DECODE_JOIN &&
        (word->kind < 2 || word->kind == 6 || t->decoder != NN__TEXT_DECODE_SEQUENCE))
        return nn__json_fail(json, at, "a decoder that cannot be combined with the others",
                             "ByteLevel, WordPiece or Metaspace alone, or Replace, ByteFallback, "
                             "Fuse, Strip");
    return nn__text_fill_decoder(json, t, at, word->kind);
}

/* ---- truncation and padding ------------------------------------------------------------------ */

/* Returns a number that is only kept for saving; 0: none. */
static int32_t nn__text_small(const nn__text_json *json, size_t at) {
    int64_t value;
    return nn__json_integer(json, at, &value) && value > 0 && value <= INT32_MAX ? (int32_t)value
                                                                                 : 0;
}

NN__TEXT_PRIVATE bool nn__text_parse_limits(nn__text_json *json, nn_tokenizer *t, size_t cut,
                                            size_t pad) {
    static const char *const ways[3] = {"LongestFirst", "OnlyFirst", "OnlySecond"};
    int64_t most = 0, id = 0;
    size_t strategy, fixed;
    if (cut && nn__json_type(json, cut) == '{') {
        if (!nn__json_keys(json, cut, "direction max_length strategy stride")) return false;
        strategy = nn__json_find(json, cut, "strategy");
        t->truncate_left = nn__json_is(json, nn__json_find(json, cut, "direction"), "Left");
        if (!nn__json_integer(json, nn__json_find(json, cut, "max_length"), &most) || most < 1 ||
            most > INT32_MAX)
            return nn__json_fail(json, cut, "max_length", "a number from 1 on");
        t->max_length = (int32_t)most;
        if (strategy) {
            int way = 0;
            while (way < 3 && !nn__json_is(json, strategy, ways[way])) way++;
            if (way == 3)
                return nn__json_fail(json, cut, "strategy",
                                     "\"LongestFirst\", \"OnlyFirst\" or \"OnlySecond\"");
            t->truncation = (nn_truncation)way;
        }
    }
    if (pad && nn__json_type(json, pad) == '{') {
        if (!nn__json_keys(json, pad,
                           "strategy direction pad_to_multiple_of pad_id pad_type_id "
                           "pad_token"))
            return false;
        if (!nn__json_integer(json, nn__json_find(json, pad, "pad_id"), &id) || id < 0 ||
            id >= t->vocab.size)
            return nn__json_fail(json, pad, "pad_id", "an id of the vocabulary");
        t->pad_id = (uint32_t)id;
        fixed = nn__json_find(json, pad, "strategy");
        fixed =
            fixed && nn__json_type(json, fixed) == '{' ? nn__json_find(json, fixed, "Fixed") : 0;
        t->pad_fixed = nn__text_small(json, fixed);
        t->pad_multiple = nn__text_small(json, nn__json_find(json, pad, "pad_to_multiple_of"));
        t->pad_type = nn__text_small(json, nn__json_find(json, pad, "pad_type_id"));
        t->pad_left = nn__json_is(json, nn__json_find(json, pad, "direction"), "Left");
    }
    return true;
}
