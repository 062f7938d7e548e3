/* text/save_steps.c - writes the steps of a tokenizer for save.c: normalizers, pre-tokenizers,
   decoders, special tokens, truncation and padding. */
#include "text/saving.h"

/* Begins a list of steps under "key". Writes null for none, and no list for a single step. */
static void nn__save_steps(nn__text_saving *out, const char *key, const char *list,
                           uint32_t count) {
    nn__save_key(out, key);
    out->again = false;
    if (count == 0) nn__save_close(out, "null");
    if (count < 2) return;
    nn__save_type(out, "Sequence");
    nn__save_key(out, list);
    nn__save_open(out, "[");
}

static void nn__save_steps_end(nn__text_saving *out, uint32_t count) {
    if (count >= 2) nn__save_close(out, "]}");
    out->again = true;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void nn__save_pattern(nn__text_saving *out, const char *text, size_t bytes, bool regex) {
    nn__save_key(out, "pattern");
    nn__save_open(out, "{");
    nn__save_string(out, regex ? "Regex" : "String", text, bytes);
    nn__save_close(out, "}");
}

/* Writes steps from the i-th on as a BertNormalizer, as far as they follow its order. Returns their
   number. */
static uint32_t nn__save_bert(nn__text_saving *out, uint32_t i) {
    static const int kinds[4] = {NN__TEXT_CLEAN, NN__TEXT_CJK, NN__TEXT_BERT_ACCENTS,
                                 NN__TEXT_LOWERCASE};
    static const char *const names[4] = {"clean_text", "handle_chinese_chars", "strip_accents",
                                         "lowercase"};
    uint32_t used = 0;
    nn__save_type(out, "BertNormalizer");
    for (int k = 0; k < 4; k++) {
        bool has =
            i + used < out->t->normalizer_count && out->t->normalizers[i + used].kind == kinds[k];
        nn__save_flag(out, names[k], has);
        used += has;
    }
    nn__save_close(out, "}");
    return used;
}

static void nn__save_normalizer(nn__text_saving *out, const nn__text_step *step) {
    static const char *const names[] = {"NFC",          "NFD",     "NFKC",    "NFKD", "Lowercase",
                                        "StripAccents", "Replace", "Prepend", "Strip"};
    nn__save_type(out, names[step->kind]);
    if (step->kind == NN__TEXT_REPLACE) {
        nn__save_pattern(out, step->text, step->text_bytes, step->regex != NULL);
        nn__save_string(out, "content", step->with, step->with_bytes);
    }
    if (step->kind == NN__TEXT_PREPEND)
        nn__save_string(out, "prepend", step->text, step->text_bytes);
    if (step->kind == NN__TEXT_STRIP) {
        nn__save_flag(out, "strip_left", step->left);
        nn__save_flag(out, "strip_right", step->right);
    }
    nn__save_close(out, "}");
}

/* Writes the normalizers. Steps of a BertNormalizer are combined again. */
NN__TEXT_PRIVATE void nn__save_normalizers(nn__text_saving *out) {
    const nn_tokenizer *t = out->t;
    uint32_t count = t->normalizer_count;
    nn__save_steps(out, "normalizer", "normalizers", count);
    for (uint32_t i = 0; i < t->normalizer_count;)
        if (t->normalizers[i].kind >= NN__TEXT_CLEAN)
            i += nn__save_bert(out, i);
        else
            nn__save_normalizer(out, &t->normalizers[i++]);
    nn__save_steps_end(out, count);
}

static void nn__save_metaspace(nn__text_saving *out, const char *sign, size_t bytes,
                               const char *scheme, bool splits) {
    nn__save_type(out, "Metaspace");
    nn__save_string(out, "replacement", sign, bytes);
    nn__save_string(out, "prepend_scheme", scheme, strlen(scheme));
    nn__save_flag(out, "split", splits);
}

static void nn__save_byte_level(nn__text_saving *out, bool before, bool trims, bool regex) {
    nn__save_type(out, "ByteLevel");
    nn__save_flag(out, "add_prefix_space", before);
    nn__save_flag(out, "trim_offsets", trims);
    nn__save_flag(out, "use_regex", regex);
}

static void nn__save_splitter(nn__text_saving *out, const nn__text_step *step, bool byte_level) {
    static const char *const behaviors[] = {"Isolated", "Removed", "MergedWithPrevious",
                                            "MergedWithNext", "Contiguous"};
    const char *behavior = behaviors[step->behavior];
    if (byte_level)
        nn__save_byte_level(out, step->left, step->right, step->kind == NN__TEXT_SPLIT_GPT2);
    else if (step->kind <= NN__TEXT_SPLIT_LITERAL) {
        nn__save_type(out, "Split");
        nn__save_pattern(out, step->text, step->text_bytes, step->kind < NN__TEXT_SPLIT_LITERAL);
        nn__save_string(out, "behavior", behavior, strlen(behavior));
        nn__save_flag(out, "invert", step->invert);
    } else if (step->kind == NN__TEXT_SPLIT_METASPACE)
        nn__save_metaspace(out, step->text, step->text_bytes,
                           step->left    ? "always"
                           : step->right ? "first"
                                         : "never",
                           !step->invert);
    else if (step->kind == NN__TEXT_SPLIT_PUNCTUATION) {
        nn__save_type(out, "Punctuation");
        nn__save_string(out, "behavior", behavior, strlen(behavior));
    } else if (step->kind == NN__TEXT_SPLIT_DIGITS) {
        nn__save_type(out, "Digits");
        nn__save_flag(out, "individual_digits", step->behavior == NN__TEXT_ISOLATED);
    } else
        nn__save_type(out, step->kind == NN__TEXT_SPLIT_WHITESPACE ? "Whitespace"
                           : step->kind == NN__TEXT_SPLIT_SPACES   ? "WhitespaceSplit"
                                                                   : "BertPreTokenizer");
    nn__save_close(out, "}");
}

NN__TEXT_PRIVATE void nn__save_splitters(nn__text_saving *out) {
    const nn_tokenizer *t = out->t;
    uint32_t steps = t->splitter_count + (t->model == NN__TEXT_BYTES);
    nn__save_steps(out, "pre_tokenizer", "pretokenizers", steps);
    for (uint32_t i = 0; i < t->splitter_count; i++)
        nn__save_splitter(out, &t->splitters[i], t->bpe.byte_level && i + 1 == t->splitter_count);
    if (t->model == NN__TEXT_BYTES) {
        nn__save_byte_level(out, false, false, false);
        nn__save_close(out, "}");
    }
    nn__save_steps_end(out, steps);
}

NN__TEXT_PRIVATE void nn__save_decoder(nn__text_saving *out) {
    const nn_tokenizer *t = out->t;
    bool sequence = t->decoder == NN__TEXT_DECODE_SEQUENCE;
    uint32_t count = t->decode_count + t->decode_falls_back + t->decode_fuses + t->decode_strips;
    nn__save_steps(out, "decoder", "decoders",
                   sequence ? count : t->decoder != NN__TEXT_DECODE_JOIN);
    if (t->decoder == NN__TEXT_DECODE_BYTES || t->model == NN__TEXT_BYTES) {
        nn__save_byte_level(out, false, false, false);
        nn__save_close(out, "}");
    } else if (t->decoder == NN__TEXT_DECODE_PLAIN) {
        nn__save_type(out, "Fuse");
        nn__save_close(out, "}");
    } else if (t->decoder == NN__TEXT_DECODE_WORDPIECE) {
        nn__save_type(out, "WordPiece");
        nn__save_string(out, "prefix", t->decode_text, t->decode_bytes);
        nn__save_flag(out, "cleanup", t->cleanup);
        nn__save_close(out, "}");
    } else if (t->decoder == NN__TEXT_DECODE_METASPACE) {
        nn__save_metaspace(out, t->decode_text, t->decode_bytes,
                           t->decode_strips ? "always" : "never", true);
        nn__save_close(out, "}");
    }
    for (uint32_t i = 0; sequence && i < t->decode_count; i++) {
        const nn__text_step *step = &t->decode_steps[i];
        nn__save_type(out, "Replace");
        nn__save_pattern(out, step->text, step->text_bytes, false);
        nn__save_string(out, "content", step->with, step->with_bytes);
        nn__save_close(out, "}");
    }
    if (sequence && t->decode_falls_back) nn__save_next(out, "{\"type\":\"ByteFallback\"}");
    if (sequence && t->decode_fuses) nn__save_next(out, "{\"type\":\"Fuse\"}");
    if (sequence && t->decode_strips)
        nn__save_next(out, "{\"type\":\"Strip\",\"content\":\" \",\"start\":1,\"stop\":0}");
    nn__save_steps_end(out, sequence ? count : 0);
}

/* ---- what surrounds texts -------------------------------------------------------------------- */

static bool nn__save_is_plain(const nn__text_template *around, bool pair) {
    const nn__text_place *places = around->places;
    return around->count == (uint32_t)pair + 1 && places[0].sequence == 0 && places[0].type == 0 &&
           (!pair || (places[1].sequence == 1 && places[1].type == 1));
}

static void nn__save_template(nn__text_saving *out, const char *key,
                              const nn__text_template *around) {
    nn__save_key(out, key);
    nn__save_open(out, "[");
    for (uint32_t i = 0; i < around->count; i++) {
        const nn__text_place *place = &around->places[i];
        bool text = place->sequence >= 0;
        nn__save_next(out, text ? "{\"Sequence\":" : "{\"SpecialToken\":");
        nn__save_open(out, "{");
        if (text)
            nn__save_string(out, "id", place->sequence ? "B" : "A", 1);
        else
            nn__save_token_text(out, "id", place->id);
        nn__save_integer(out, "type_id", place->type);
        nn__save_close(out, "}}");
    }
    nn__save_close(out, "]");
}

/* Writes the special tokens of a template, each once. */
static void nn__save_special(nn__text_saving *out, const nn__text_template *around,
                             const nn__text_template *before) {
    for (uint32_t i = 0; i < around->count; i++) {
        uint32_t id = around->places[i].id;
        const nn__text_token *token = nn__text_by_id(&out->t->vocab, id);
        bool known = around->places[i].sequence >= 0 || !token;
        for (uint32_t j = 0; j < i && !known; j++)
            known = around->places[j].sequence < 0 && around->places[j].id == id;
        for (uint32_t j = 0; before && j < before->count && !known; j++)
            known = before->places[j].sequence < 0 && before->places[j].id == id;
        if (known) continue;
        nn__save_next(out, "");
        nn__save_quoted(out, token->text, token->bytes);
        nn__save_open(out, ":{");
        nn__save_string(out, "id", token->text, token->bytes);
        nn__save_key(out, "ids");
        nn__save_text(out, "[");
        nn__save_number(out, id);
        nn__save_text(out, "],\"tokens\":[");
        nn__save_quoted(out, token->text, token->bytes);
        nn__save_close(out, "]}");
    }
}

NN__TEXT_PRIVATE void nn__save_post(nn__text_saving *out) {
    const nn_tokenizer *t = out->t;
    bool plain = nn__save_is_plain(&t->single, false) && nn__save_is_plain(&t->pair, true);
    nn__save_steps(out, "post_processor", "processors", (uint32_t)t->trims + !plain);
    if (t->trims) {
        nn__save_byte_level(out, t->trims_prefix_space, true, true);
        nn__save_close(out, "}");
    }
    if (!plain) {
        nn__save_type(out, "TemplateProcessing");
        nn__save_template(out, "single", &t->single);
        nn__save_template(out, "pair", &t->pair);
        nn__save_key(out, "special_tokens");
        nn__save_open(out, "{");
        nn__save_special(out, &t->single, NULL);
        nn__save_special(out, &t->pair, &t->single);
        nn__save_close(out, "}}");
    }
    nn__save_steps_end(out, (uint32_t)t->trims + !plain);
}

NN__TEXT_PRIVATE void nn__save_limits(nn__text_saving *out) {
    static const char *const ways[3] = {"LongestFirst", "OnlyFirst", "OnlySecond"};
    const nn_tokenizer *t = out->t;
    nn__save_key(out, "truncation");
    if (t->max_length > 0) {
        nn__save_open(out, "{");
        nn__save_string(out, "direction", t->truncate_left ? "Left" : "Right",
                        t->truncate_left ? 4 : 5);
        nn__save_integer(out, "max_length", t->max_length);
        nn__save_string(out, "strategy", ways[t->truncation], strlen(ways[t->truncation]));
        nn__save_integer(out, "stride", 0);
        nn__save_close(out, "}");
    } else
        nn__save_text(out, "null");
    nn__save_key(out, "padding");
    if (t->pad_id == NN__TEXT_NONE) {
        nn__save_text(out, "null");
        return;
    }
    nn__save_open(out, "{");
    nn__save_key(out, "strategy");
    if (t->pad_fixed > 0) {
        nn__save_text(out, "{\"Fixed\":");
        nn__save_number(out, t->pad_fixed);
        nn__save_text(out, "}");
    } else
        nn__save_text(out, "\"BatchLongest\"");
    nn__save_string(out, "direction", t->pad_left ? "Left" : "Right", t->pad_left ? 4 : 5);
    nn__save_key(out, "pad_to_multiple_of");
    if (t->pad_multiple > 0)
        nn__save_number(out, t->pad_multiple);
    else
        nn__save_text(out, "null");
    nn__save_integer(out, "pad_id", t->pad_id);
    nn__save_integer(out, "pad_type_id", t->pad_type);
    nn__save_token_text(out, "pad_token", t->pad_id);
    nn__save_close(out, "}");
}
