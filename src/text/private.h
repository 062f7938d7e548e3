/* text/private.h - the inside of a tokenizer: how a text becomes ids.

     text, as given
       broken UTF-8 replaced         unicode.c     an nn__text_string: text with, for each byte, the
                                                   bytes of the given text that it stands for
       cut at added tokens           added.c
       each piece normalised         normalize.c   with compose.c
       cut at added tokens that are looked for in normalised text
       each piece cut into words     split.c    with regex.c
       each word into tokens         bpe.c, wordpiece.c, unigram.c
     truncated, special tokens put around           finish.c */
#pragma once

#include "text/base.h"
#include "text/steps.h"

/* ---- vocab.c --------------------------------------------------------------------------------- */

typedef struct nn__text_token {
    const char *text; /* zero-terminated; may have zero bytes inside */
    uint32_t bytes, id;
    bool added, special; /* special: left out by decoding */
    bool beside;         /* an added token that is not in the model's vocabulary */
    const char *written; /* text for decoding; for an added token its normalised form */
    uint32_t written_bytes;
} nn__text_token;

typedef struct nn__text_vocab {
    nn__text_token *tokens;
    uint32_t count, capacity;
    uint32_t *slots; /* a hash of texts: index + 1 */
    uint32_t mask;
    uint32_t *by_id; /* index + 1; 0: none */
    uint32_t size;   /* length of by_id */
} nn__text_vocab;

/* Makes room for `count` tokens. */
NN__TEXT_PRIVATE bool nn__text_make_vocab(nn__text_call *call, nn_tokenizer *t, uint64_t count);
/* text must live as long as the tokenizer. NULL: the text exists already. */
NN__TEXT_PRIVATE nn__text_token *nn__text_add_token(nn_tokenizer *t, const char *text, size_t bytes,
                                                    uint32_t id);
NN__TEXT_PRIVATE nn__text_token *nn__text_find(const nn_tokenizer *t, const char *text,
                                               size_t bytes);
/* Ignores added tokens that the model does not have. */
NN__TEXT_PRIVATE nn__text_token *nn__text_find_model(const nn_tokenizer *t, const char *text,
                                                     size_t bytes);
/* Fills by_id after the last token. False: two tokens have one id, or ids have large gaps. */
NN__TEXT_PRIVATE bool nn__text_index_ids(nn__text_call *call, nn_tokenizer *t, const char *name);
static inline nn__text_token *nn__text_by_id(const nn__text_vocab *v, uint32_t id) {
    return id < v->size && v->by_id[id] ? &v->tokens[v->by_id[id] - 1] : NULL;
}

/* ---- models ---------------------------------------------------------------------------------- */

typedef enum nn__text_model {
    NN__TEXT_BYTES, /* each byte is an id */
    NN__TEXT_CHARS,
    NN__TEXT_BPE,
    NN__TEXT_WORDPIECE,
    NN__TEXT_UNIGRAM,
    NN__TEXT_LEARNS /* train.c counts words */
} nn__text_model;

typedef struct nn__text_merge {
    uint32_t left, right, rank, id; /* id NN__TEXT_NONE: a free slot */
} nn__text_merge;

/* A word in the cache. */
typedef struct nn__text_known {
    uint64_t hash;
    uint32_t text, bytes;  /* in known_text */
    uint32_t first, count; /* in known_pieces */
} nn__text_known;

/* A token of a word, and its bytes in the word. */
typedef struct nn__text_piece {
    uint32_t id, start, end;
} nn__text_piece;

typedef struct nn__text_symbol {
    uint32_t id, start, end;
    int32_t previous, next;
} nn__text_symbol;

typedef struct nn__text_candidate {
    const nn__text_merge *merge;
    uint32_t rank;
    int32_t at;
} nn__text_candidate;

typedef struct nn__text_bpe {
    nn__text_merge *merges; /* a hash of pairs */
    uint32_t merge_mask;
    uint32_t merge_count;
    uint32_t bytes[256]; /* byte-level: id of each byte; NN__TEXT_NONE: none */
    bool byte_level;     /* words are bytes; tokens are spelled with the letters for bytes */
    bool byte_fallback, fuse_unknown, ignore_merges;
    uint32_t unknown; /* id; NN__TEXT_NONE: unknown characters are dropped */
    const char *prefix, *suffix;
    uint32_t prefix_bytes, suffix_bytes;
    nn__text_buffer symbols, heap, spelled; /* of the current word */
    nn__text_known *known;                  /* the cache */
    char *known_text;
    nn__text_piece *known_pieces;
    uint32_t known_text_count, known_piece_count;
} nn__text_bpe;

/* A Unigram score, and its spelling: digits times ten to the exponent. */
typedef struct nn__text_score {
    double value;
    int64_t digits;
    int32_t exponent;
} nn__text_score;

typedef struct nn__text_unigram {
    nn__text_score *scores; /* by id */
    double least;
    uint32_t longest[256]; /* by first byte: length of the longest token */
    uint32_t bytes[256];   /* ids of <0x00> to <0xFF>; NN__TEXT_NONE: none */
} nn__text_unigram;

/* ---- added.c --------------------------------------------------------------------------------- */

typedef struct nn__text_added {
    uint32_t id;
    const char *text; /* as it is searched */
    uint32_t bytes;
    bool single_word, left_strip, right_strip;
} nn__text_added;

/* A node of a byte tree (trie). */
typedef struct nn__text_node {
    uint32_t child, sibling; /* 0: none */
    uint32_t added;          /* index + 1; 0: no token ends here */
    uint8_t byte;
} nn__text_node;

typedef struct nn__text_tree {
    nn__text_node *nodes;
    uint32_t count;
    nn__text_added *added;
    uint32_t added_count;
    bool begins[256]; /* true if a token begins with this byte */
} nn__text_tree;

/* ---- a tokenizer ----------------------------------------------------------------------------- */

/* A text between steps. starts, ends: for each byte, its range in the given text. NULL: `text` is a
   part of the given text, from `base` on. */
typedef struct nn__text_string {
    const char *text;
    size_t bytes;
    const uint32_t *starts, *ends;
    uint32_t base;
} nn__text_string;

/* Buffers for a string. */
typedef struct nn__text_room {
    nn__text_buffer text, starts, ends;
} nn__text_room;

/* A character between normalizers: code point, and range in the given text. */
typedef struct nn__text_char {
    uint32_t point, start, end;
} nn__text_char;

/* Output of a step. change 0: replaces one character; 1: is inserted; -n: replaces one character
   and the n after it. */
typedef struct nn__text_out {
    uint32_t point;
    int32_t change;
} nn__text_out;

typedef struct nn__text_result {
    uint32_t id, start, end;
    uint16_t blank_before, blank_behind; /* characters that trimming removes */
} nn__text_result;

struct nn_tokenizer {
    nn_context *nn;
    void *owned;
    uint32_t users; /* generators that use it, and must be freed first */
    nn__text_block *blocks;
    nn__text_unicode *unicode;
    nn__text_vocab vocab;
    nn__text_model model;
    nn__text_bpe bpe;
    nn__text_unigram unigram; /* uses bpe's cache and buffers */
    /* WordPiece */
    const char *prefix;
    uint32_t prefix_bytes, unknown, longest_word;
    uint32_t longest_token; /* in bytes */

    nn__text_step normalizers[NN__TEXT_STEPS], splitters[NN__TEXT_STEPS];
    uint32_t normalizer_count, splitter_count;

    nn__text_tree plain, normalised; /* added tokens searched before and after normalising */
    nn__text_template single, pair;
    bool trims, trims_prefix_space; /* offsets exclude spaces */

    nn__text_decoder_kind decoder;
    nn__text_step decode_steps[NN__TEXT_STEPS];
    uint32_t decode_count;
    bool cleanup; /* of the WordPiece decoder */
    bool decode_falls_back, decode_fuses,
        decode_strips; /* of a sequence: <0x41> is a byte; the first blank goes */
    const char *decode_text;
    uint32_t decode_bytes;
    int16_t *byte_of; /* by code point below 324: its byte; -1: none */

    int32_t max_length; /* of the file; 0: none */
    nn_truncation truncation;
    bool truncate_left, pad_left;
    uint32_t pad_id; /* NN__TEXT_NONE: unknown */
    int32_t pad_fixed, pad_multiple, pad_type; /* of the file, kept for saving */

    struct nn__train *train; /* during training */

    /* temporary, for one call */
    nn__text_room given, normal, spaced;
    nn__text_buffer chars, outs, held, word, results, results_pair, decoded, batch;
};

/* Collects tokens. */
typedef struct nn__text_sink {
    nn__text_call *call;
    nn_tokenizer *t;
    nn__text_buffer *results;
    uint32_t count;
} nn__text_sink;

NN__TEXT_PRIVATE bool nn__text_push(nn__text_sink *sink, const nn__text_string *s, uint32_t id,
                                    size_t from, size_t to);

/* The byte-level alphabet: a code point for each byte. */
NN__TEXT_PRIVATE uint32_t nn__text_byte_point(uint32_t byte);
NN__TEXT_PRIVATE bool nn__text_make_bytes(nn__text_call *call, nn_tokenizer *t);

NN__TEXT_PRIVATE bool nn__bpe_make_merges(nn__text_call *call, nn_tokenizer *t, uint64_t count);
NN__TEXT_PRIVATE void nn__bpe_add_merge(nn_tokenizer *t, uint32_t left, uint32_t right,
                                        uint32_t id);
NN__TEXT_PRIVATE bool nn__bpe_finish(nn__text_call *call, nn_tokenizer *t);
/* Encodes a word, [from, to) of s. */
NN__TEXT_PRIVATE bool nn__bpe_encode(nn__text_sink *sink, const nn__text_string *s, size_t from,
                                     size_t to);
/* Encodes a word into the tokenizer's buffer. */
NN__TEXT_PRIVATE bool nn__unigram_word(nn__text_call *call, nn_tokenizer *t, const char *text,
                                       size_t bytes, nn__text_symbol **symbols, int32_t *count);
NN__TEXT_PRIVATE bool nn__text_parse_unigram(nn__text_json *json, nn_tokenizer *t, size_t at,
                                             uint64_t added);
NN__TEXT_PRIVATE uint64_t nn__json_count(const nn__text_json *json, size_t at, uint64_t *bytes);
NN__TEXT_PRIVATE bool nn__train_count(struct nn__train *train, const char *text, size_t bytes);
NN__TEXT_PRIVATE bool nn__wordpiece_encode(nn__text_sink *sink, const nn__text_string *s,
                                           size_t from, size_t to);

/* Normalises s into the tokenizer's buffer. */
NN__TEXT_PRIVATE bool nn__text_normalize(nn__text_call *call, nn_tokenizer *t, nn__text_string *s);
NN__TEXT_PRIVATE bool nn__text_form(nn__text_call *call, nn_tokenizer *t,
                                    const nn__text_char *chars, size_t count, bool compatible,
                                    bool composed, size_t *out_count);
NN__TEXT_PRIVATE bool nn__text_from_chars(nn__text_call *call, nn__text_room *room,
                                          const nn__text_char *chars, size_t count,
                                          nn__text_string *s);
NN__TEXT_PRIVATE bool nn__text_put_out(nn__text_call *call, nn_tokenizer *t, size_t *count,
                                       uint32_t point, int32_t change);
/* Returns the end of the next piece. *found: a match of the splitter, not text between. */
NN__TEXT_PRIVATE size_t nn__text_next_piece(nn__text_scan *scan, const nn__text_step *step,
                                            size_t at, bool *found);
/* Splits [from, to) of s into words and encodes them. */
NN__TEXT_PRIVATE bool nn__text_split(nn__text_sink *sink, const nn__text_string *s, size_t from,
                                     size_t to);
NN__TEXT_PRIVATE bool nn__text_make_tree(nn__text_call *call, nn_tokenizer *t, nn__text_tree *tree);
/* Finds the next added token of s from `from` on, with its range. NULL: none. */
NN__TEXT_PRIVATE const nn__text_added *nn__text_next_added(const nn_tokenizer *t,
                                                           const nn__text_tree *tree,
                                                           const nn__text_string *s, size_t from,
                                                           size_t *start, size_t *end);
/* Encodes a whole text, without special tokens around it. */
NN__TEXT_PRIVATE bool nn__text_tokens(nn__text_sink *sink, const char *text, size_t bytes);
NN__TEXT_PRIVATE bool nn__text_finish(nn__text_call *call, nn_tokenizer *t, const char *text,
                                      size_t bytes, const nn_encode_desc *desc, nn_tokens *tokens);
/* Copies the results of a batch into the tensors, on their devices; NULL: not wanted. The call
   keeps the first error. */
NN__TEXT_PRIVATE void nn__text_store(nn__text_call *call, nn_tensor *const tensors[3],
                                     int32_t *const values[3], uint64_t elements);

/* Reads a whole file and adds a zero byte. */
NN__TEXT_PRIVATE bool nn__text_read(nn__text_call *call, const char *path, nn__text_buffer *to,
                                    size_t *size);
NN__TEXT_PRIVATE nn_tokenizer *nn__text_make(nn__text_call *call);
/* Returns the tokenizer. If something failed, frees it and returns NULL. */
NN__TEXT_PRIVATE nn_tokenizer *nn__text_made(const nn__text_call *call, nn_tokenizer *t);
/* Makes a token special, so that texts are split at it. False: the vocabulary does not have it. */
NN__TEXT_PRIVATE bool nn__text_make_special(nn_tokenizer *t, const char *text);
NN__TEXT_PRIVATE void nn__text_know_pattern(nn__text_step *step);
NN__TEXT_PRIVATE bool nn__text_by_pattern(nn__text_call *call, nn_tokenizer *t, nn__text_step *step,
                                          nn_pattern pattern);
NN__TEXT_PRIVATE bool nn__text_byte_level(nn__text_call *call, nn_tokenizer *t, nn_pattern pattern);
NN__TEXT_PRIVATE bool nn__text_parse_vocab(nn__text_json *json, nn_tokenizer *t, size_t at,
                                           size_t added);
NN__TEXT_PRIVATE bool nn__text_parse(nn__text_json *json, nn_tokenizer *t);
NN__TEXT_PRIVATE bool nn__text_parse_normalizer(nn__text_json *json, nn_tokenizer *t, size_t at,
                                                int depth);
NN__TEXT_PRIVATE bool nn__text_parse_splitter(nn__text_json *json, nn_tokenizer *t, size_t at,
                                              int depth);
NN__TEXT_PRIVATE bool nn__text_parse_post(nn__text_json *json, nn_tokenizer *t, size_t at,
                                          int depth);
NN__TEXT_PRIVATE bool nn__text_parse_limits(nn__text_json *json, nn_tokenizer *t, size_t cut,
                                            size_t pad);
/* Sets the templates "[CLS] text [SEP] pair [SEP]" with these ids. roberta: two [SEP] between the
   texts, and all types 0. */
NN__TEXT_PRIVATE bool nn__text_surround(nn__text_call *call, nn_tokenizer *t, uint32_t cls,
                                        uint32_t sep, bool roberta);
/* Sets the templates "[BOS] text [BOS] pair" with this id, as Llama 3 has them. */
NN__TEXT_PRIVATE bool nn__text_begin_with(nn__text_call *call, nn_tokenizer *t, uint32_t bos);
/* Sets templates without special tokens; the second text has type 1. */
NN__TEXT_PRIVATE bool nn__text_plain(nn__text_call *call, nn_tokenizer *t);
NN__TEXT_PRIVATE bool nn__text_plant(nn__text_call *call, nn_tokenizer *t);
/* language/gguf_tokenizer.c: reads the tokenizer of a GGUF file. */
NN__TEXT_PRIVATE bool nn__text_gguf(nn__text_call *call, nn_tokenizer *t, const char *path);
/* Adds the merge of two tokens. Its result must be a token too. False: *why. */
NN__TEXT_PRIVATE bool nn__text_join(nn__text_call *call, nn_tokenizer *t, const char *left,
                                    size_t left_bytes, const char *right, size_t right_bytes,
                                    const char **why);
NN__TEXT_PRIVATE bool nn__json_flag(const nn__text_json *json, size_t at, const char *key,
                                    bool otherwise, bool *value);
NN__TEXT_PRIVATE const char *nn__json_copy(const nn__text_json *json, nn_tokenizer *t, size_t at,
                                           const char *key, uint32_t *bytes);
NN__TEXT_PRIVATE bool nn__text_parse_decoder(nn__text_json *json, nn_tokenizer *t, size_t at,
                                             int depth);
