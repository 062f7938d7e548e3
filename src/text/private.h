/* text/private.h - the inside of a tokenizer: how a text becomes ids.

     text, as given
       broken UTF-8 replaced         unicode.c     a nn__text_string: text with, for each byte, the
                                                   bytes of the given text that it stands for
       cut at added tokens           added.c
       each piece normalised         normalize.c   with compose.c
       cut at added tokens that are looked for in normalised text
       each piece cut into words     split.c    with regex.c
       each word into tokens         bpe.c, wordpiece.c
     truncated, special tokens put around           finish.c */
#pragma once

#include "text/models.h"
#include "text/text.h"

#include <stdarg.h>
#include <string.h>

/* As in nn.h: static in the drop-in. */
#if defined(__GNUC__) || defined(__TINYC__)
#define NN__TEXT_UNUSED __attribute__((unused))
#else
#define NN__TEXT_UNUSED
#endif
#ifdef NN_PRIVATE
#define NN__TEXT_PRIVATE NN_PRIVATE
#elif defined(NN_TEXT_IMPLEMENTATION)
#define NN__TEXT_PRIVATE static NN__TEXT_UNUSED
#elif defined(__GNUC__) && !defined(_WIN32)
#define NN__TEXT_PRIVATE extern __attribute__((visibility("hidden")))
#else
#define NN__TEXT_PRIVATE extern
#endif

#define NN__TEXT_NONE    0xffffffffu
#define NN__TEXT_LONGEST (1 << 30) /* bytes of a text */

/* ---- memory.c -------------------------------------------------------------------------------- */

/* Memory that grows and keeps its contents. */
typedef struct nn__text_buffer {
    void *data;
    size_t bytes;
} nn__text_buffer;

typedef struct nn__text_block nn__text_block;

/* Where a call stands, for its errors. */
typedef struct nn__text_call {
    nn_context *nn;
    nn_site site;
    const char *name; /* "nn_encode" */
    nn_result code;   /* NN_OK, or that of its first error */
    int32_t item;     /* of a batch; -1: none */
} nn__text_call;

/* True: there is room for so many bytes. */
NN__TEXT_PRIVATE bool nn__text_grow(nn__text_call *call, nn__text_buffer *buffer, uint64_t bytes);
NN__TEXT_PRIVATE void nn__text_drop(nn_context *nn, nn__text_buffer *buffer);
/* Zeroed, until the tokenizer is freed. NULL: no memory, recorded. */
NN__TEXT_PRIVATE void *nn__text_take(nn__text_call *call, nn_tokenizer *t, uint64_t bytes);
NN__TEXT_PRIVATE void nn__text_free_blocks(nn_tokenizer *t);
/* Records one error for a call. %s: a text; %q: a text as far as it can be shown (length, pointer);
   %d: an int64_t; %x: a code point. Always false. */
NN__TEXT_PRIVATE bool nn__text_fail(nn__text_call *call, nn_result code, const char *format, ...);
NN__TEXT_PRIVATE nn__text_call nn__text_begin(nn_context *nn, nn_site site, const char *name);
NN__TEXT_PRIVATE uint64_t nn__text_hash(const char *text, size_t bytes);

/* ---- unicode.c, compose.c -------------------------------------------------------------------- */

/* What a code point is. The bits of tools/text_tables.py, in its order. */
#define NN__TEXT_LETTER    1u   /* \p{L} of regular expressions */
#define NN__TEXT_NUMBER    2u   /* \p{N} */
#define NN__TEXT_SPACE     4u   /* \s, and what char::is_whitespace has */
#define NN__TEXT_MARK      8u   /* \p{M} */
#define NN__TEXT_CONTROL   16u  /* what BERT's normaliser removes */
#define NN__TEXT_ACCENT    32u  /* what it strips: Mn of an older Unicode */
#define NN__TEXT_COMBINING 64u  /* what StripAccents strips */
#define NN__TEXT_PUNCT     128u /* BERT's punctuation */
#define NN__TEXT_NUMERIC   256u /* what Digits takes for a digit */
#define NN__TEXT_WORD      512u /* \w of Whitespace and of added tokens */
#define NN__TEXT_UPPER     1024u  /* \p{Lu} */
#define NN__TEXT_TITLE     2048u  /* \p{Lt} */
#define NN__TEXT_LOWER     4096u  /* \p{Ll} */
#define NN__TEXT_MODIFIER  8192u  /* \p{Lm} */
#define NN__TEXT_SIGN      16384u /* \p{P} */
#define NN__TEXT_SYMBOL    32768u /* \p{S} */

/* The tables, read once for each tokenizer that needs them. */
typedef struct nn__text_unicode {
    uint16_t *pages;    /* of a code point / 256: the number of its block of kinds */
    uint16_t *kinds;    /* blocks of 256 */
    uint16_t *lower_at; /* 0x110001 / 256 + 1: the first of `lower` that may hold it */
    uint32_t (*lower)[2];
    uint32_t lower_count;
    /* For normal forms; NULL until one is needed. */
    uint8_t *combining; /* blocks of 256, numbered by combining_pages */
    uint8_t *combining_pages;
    uint16_t *part_at; /* by page: the first of `parts` */
    struct nn__text_part *parts;
    uint32_t part_count;
    uint32_t *part_values;
    uint32_t (*pairs)[3]; /* a hash: first, second, composed; 0: free */
} nn__text_unicode;

typedef struct nn__text_part {
    uint32_t point;
    uint16_t first, count; /* of part_values */
    uint8_t kind;          /* 0 canonical, 1 never composed, 2 compatible */
} nn__text_part;

/* The code point at `at`, and *length its bytes; of what is no UTF-8: U+FFFD and the bytes of the
   longest piece of a broken sequence. at < bytes. */
NN__TEXT_PRIVATE uint32_t nn__text_decode(const char *text, size_t bytes, size_t at,
                                          size_t *length);
NN__TEXT_PRIVATE size_t nn__text_put(char *to, uint32_t point); /* its bytes, 1 to 4 */
NN__TEXT_PRIVATE bool nn__text_is_utf8(const char *text, size_t bytes);
NN__TEXT_PRIVATE bool nn__text_load_unicode(nn__text_call *call, nn_tokenizer *t);
NN__TEXT_PRIVATE bool nn__text_load_forms(nn__text_call *call, nn_tokenizer *t);
NN__TEXT_PRIVATE uint32_t nn__text_lower(const nn__text_unicode *u, uint32_t point);
static inline uint32_t nn__text_kind(const nn__text_unicode *u, uint32_t point) {
    return u->kinds[(uint32_t)u->pages[point >> 8] * 256u + (point & 255u)];
}
/* ---- json.c: a text that was checked once and is then walked through ------------------------- */

typedef struct nn__text_json {
    nn__text_call *call;
    const char *name; /* of the file */
    const char *text;
    size_t size;
} nn__text_json;

/* Places in the text are those of values, or of the key of a member; 0 is none: what is walked
   through is in the outermost object. */
NN__TEXT_PRIVATE bool nn__json_check(nn__text_json *json); /* all of it, by RFC 8259 */
/* '{' '[' '"' 't' 'f' 'n' or '0' */
NN__TEXT_PRIVATE char nn__json_type(const nn__text_json *json, size_t at);
NN__TEXT_PRIVATE size_t nn__json_first(const nn__text_json *json, size_t at);
NN__TEXT_PRIVATE size_t nn__json_next(const nn__text_json *json, size_t at); /* of an array */
NN__TEXT_PRIVATE size_t nn__json_value(const nn__text_json *json, size_t key);
NN__TEXT_PRIVATE size_t nn__json_after(const nn__text_json *json, size_t key); /* of an object */
/* The value of a key of the object at `at`; 0: there is none. */
NN__TEXT_PRIVATE size_t nn__json_find(const nn__text_json *json, size_t at, const char *key);
NN__TEXT_PRIVATE bool nn__json_is(const nn__text_json *json, size_t at, const char *text);
/* The string at `at` without its escapes; it never becomes longer. Returns its bytes. */
NN__TEXT_PRIVATE size_t nn__json_string(const nn__text_json *json, size_t at, char *to);
NN__TEXT_PRIVATE size_t nn__json_span(const nn__text_json *json, size_t at); /* bytes as written */
NN__TEXT_PRIVATE bool nn__json_integer(const nn__text_json *json, size_t at, int64_t *value);
NN__TEXT_PRIVATE int64_t nn__json_line(const nn__text_json *json, size_t at); /* from 1 on */
/* Records an error with the line of `at`; the format's arguments come behind. Always false. */
NN__TEXT_PRIVATE bool nn__json_fail(const nn__text_json *json, size_t at, const char *what,
                                    const char *wanted);
/* False, and an error: the object has a key that is not in `keys`, words with blanks between, or
   one twice. */
NN__TEXT_PRIVATE bool nn__json_keys(const nn__text_json *json, size_t at, const char *keys);

/* ---- vocab.c --------------------------------------------------------------------------------- */

typedef struct nn__text_token {
    const char *text; /* zero-terminated; may have zero bytes inside */
    uint32_t bytes, id;
    bool added, special; /* special: left out when decoding */
    bool beside;         /* an added token, which the model does not have */
    const char *written; /* what it is when decoded: of an added token its normalised form */
    uint32_t written_bytes;
} nn__text_token;

typedef struct nn__text_vocab {
    nn__text_token *tokens;
    uint32_t count, capacity;
    uint32_t *slots; /* a hash of texts: token + 1 */
    uint32_t mask;
    uint32_t *by_id; /* token + 1; 0: none */
    uint32_t size;   /* of by_id */
} nn__text_vocab;

/* Room for so many tokens. */
NN__TEXT_PRIVATE bool nn__text_make_vocab(nn__text_call *call, nn_tokenizer *t, uint64_t count);
/* text must live as long as the tokenizer. NULL: the text is there already. */
NN__TEXT_PRIVATE nn__text_token *nn__text_add_token(nn_tokenizer *t, const char *text, size_t bytes,
                                                    uint32_t id);
NN__TEXT_PRIVATE nn__text_token *nn__text_find(const nn_tokenizer *t, const char *text,
                                               size_t bytes);
/* The same, but no token that the model does not have. */
NN__TEXT_PRIVATE nn__text_token *nn__text_find_model(const nn_tokenizer *t, const char *text,
                                                     size_t bytes);
/* by_id, when all tokens are there. False: two have one id, or ids have large gaps. */
NN__TEXT_PRIVATE bool nn__text_index_ids(nn__text_call *call, nn_tokenizer *t, const char *name);
static inline nn__text_token *nn__text_by_id(const nn__text_vocab *v, uint32_t id) {
    return id < v->size && v->by_id[id] ? &v->tokens[v->by_id[id] - 1] : NULL;
}

/* ---- models ---------------------------------------------------------------------------------- */

typedef enum nn__text_model {
    NN__TEXT_BYTES, /* a byte, an id */
    NN__TEXT_CHARS,
    NN__TEXT_BPE,
    NN__TEXT_WORDPIECE,
    NN__TEXT_UNIGRAM,
    NN__TEXT_LEARNS /* words are counted: train.c */
} nn__text_model;

typedef struct nn__text_merge {
    uint32_t left, right, rank, id; /* id NN__TEXT_NONE: a free slot */
} nn__text_merge;

/* A word that was met before. */
typedef struct nn__text_known {
    uint64_t hash;
    uint32_t text, bytes;  /* in the cache's texts */
    uint32_t first, count; /* in the cache's pieces */
} nn__text_known;

/* A token of a word, and its bytes there. */
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
    uint32_t bytes[256]; /* byte-level: the id of each byte; NN__TEXT_NONE: none */
    bool byte_level;     /* words are bytes; tokens are spelled in the letters for bytes */
    bool byte_fallback, fuse_unknown, ignore_merges;
    uint32_t unknown; /* id; NN__TEXT_NONE: what is not known is left out */
    const char *prefix, *suffix;
    uint32_t prefix_bytes, suffix_bytes;
    nn__text_buffer symbols, heap, spelled; /* of the word at hand */
    nn__text_known *known;                  /* the cache */
    char *known_text;
    nn__text_piece *known_pieces;
    uint32_t known_text_count, known_piece_count;
} nn__text_bpe;

/* A score of Unigram, and as it was written: digits times ten to the exponent. */
typedef struct nn__text_score {
    double value;
    int64_t digits;
    int32_t exponent;
} nn__text_score;

typedef struct nn__text_unigram {
    nn__text_score *scores; /* by id */
    double least;
    uint32_t longest[256]; /* bytes of the longest token that begins with a byte */
    uint32_t bytes[256];   /* the ids of <0x00> to <0xFF>; NN__TEXT_NONE: none */
} nn__text_unigram;

/* ---- regex.c --------------------------------------------------------------------------------- */

#define NN__TEXT_NOWHERE SIZE_MAX

/* A text that is being cut. */
typedef struct nn__text_scan {
    const nn__text_unicode *u;
    const char *text;
    size_t end;
    int64_t left; /* steps that regular expressions may still take; 0: too many */
} nn__text_scan;

enum { NN__REGEX_SET, NN__REGEX_GROUP, NN__REGEX_AHEAD, NN__REGEX_WAY };

typedef struct nn__regex_range {
    uint32_t from, to;      /* code points, */
    uint16_t bits, without; /* or, not 0: of a kind that has one of `bits` and none of `without` */
    bool none;              /* all others */
} nn__regex_range;

/* SET: characters, `count` ranges from `first` on. GROUP and AHEAD: WAYs, the first of which is
   `first`, each the next one's `next`. A WAY: what is to fit, from `first` on. 0 is no node. */
typedef struct nn__regex_node {
    uint8_t kind;
    bool negated, possessive;
    uint32_t least, most; /* repeats */
    uint32_t first, next;
    uint32_t count; /* of a group: characters at least */
    uint32_t ascii[4];
} nn__regex_node;

typedef struct nn__regex {
    nn__regex_node *nodes; /* from 1 on */
    nn__regex_range *ranges;
    uint32_t node_count, range_count;
    const nn__text_unicode *unicode;
} nn__regex;

/* NULL: *why, or no memory. */
NN__TEXT_PRIVATE const nn__regex *nn__regex_read(nn__text_call *call, nn_tokenizer *t,
                                                 const char *text, size_t bytes, const char **why);
/* Behind what fits from `at` on; NN__TEXT_NOWHERE: nothing does, or scan->left is used up. */
NN__TEXT_PRIVATE size_t nn__regex_match(nn__text_scan *scan, const nn__regex *regex, size_t at);

/* ---- steps from the file --------------------------------------------------------------------- */

typedef enum nn__text_normalizer_kind {
    NN__TEXT_NFC,
    NN__TEXT_NFD,
    NN__TEXT_NFKC,
    NN__TEXT_NFKD,
    NN__TEXT_LOWERCASE,
    NN__TEXT_STRIP_ACCENTS,
    NN__TEXT_REPLACE,
    NN__TEXT_PREPEND,
    NN__TEXT_STRIP,
    /* those of BertNormalizer */
    NN__TEXT_CLEAN,
    NN__TEXT_CJK,
    NN__TEXT_BERT_ACCENTS
} nn__text_normalizer_kind;

typedef enum nn__text_splitter_kind {
    NN__TEXT_SPLIT_GPT2,
    NN__TEXT_SPLIT_LLAMA3,
    NN__TEXT_SPLIT_QWEN2,
    NN__TEXT_SPLIT_REGEX, /* any other */
    NN__TEXT_SPLIT_LITERAL,
    NN__TEXT_SPLIT_WHITESPACE, /* \w+|[^\w\s]+ */
    NN__TEXT_SPLIT_SPACES,
    NN__TEXT_SPLIT_BERT,
    NN__TEXT_SPLIT_PUNCTUATION,
    NN__TEXT_SPLIT_DIGITS,
    NN__TEXT_SPLIT_METASPACE, /* blanks become `text`, which words begin with */
    NN__TEXT_SPLIT_WHOLE
} nn__text_splitter_kind;

/* What becomes of the pieces that a splitter finds. */
typedef enum nn__text_behavior {
    NN__TEXT_ISOLATED,
    NN__TEXT_REMOVED,
    NN__TEXT_MERGED_WITH_PREVIOUS,
    NN__TEXT_MERGED_WITH_NEXT,
    NN__TEXT_CONTIGUOUS
} nn__text_behavior;

typedef struct nn__text_step {
    int kind;
    nn__text_behavior behavior;
    bool invert;
    bool left, right; /* STRIP: which ends; of a splitter: left puts a blank before */
    const char *text, *with;
    uint32_t text_bytes, with_bytes;
    const nn__regex *regex; /* of `text`; NULL: `text` is to be found as it is */
} nn__text_step;

typedef enum nn__text_decoder_kind {
    NN__TEXT_DECODE_JOIN,  /* no decoder: a blank between tokens */
    NN__TEXT_DECODE_BYTES, /* ByteLevel */
    NN__TEXT_DECODE_WORDPIECE,
    NN__TEXT_DECODE_METASPACE,
    NN__TEXT_DECODE_PLAIN,   /* tokens behind each other */
    NN__TEXT_DECODE_SEQUENCE /* Replace, ByteFallback, Fuse, Strip, as Llama 2 has them */
} nn__text_decoder_kind;

/* A place in what surrounds texts: a special token, or (sequence 0 or 1) a text. */
typedef struct nn__text_place {
    uint32_t id;
    int32_t sequence; /* -1: the token */
    int32_t type;
} nn__text_place;

typedef struct nn__text_template {
    nn__text_place *places;
    uint32_t count;
    uint32_t special; /* tokens that it adds */
} nn__text_template;

#define NN__TEXT_STEPS 16

/* ---- added.c --------------------------------------------------------------------------------- */

typedef struct nn__text_added {
    uint32_t id;
    const char *text; /* as it is looked for */
    uint32_t bytes;
    bool single_word, left_strip, right_strip;
} nn__text_added;

/* A node of a tree of bytes. */
typedef struct nn__text_node {
    uint32_t child, sibling; /* 0: none */
    uint32_t added;          /* + 1; 0: no token ends here */
    uint8_t byte;
} nn__text_node;

typedef struct nn__text_tree {
    nn__text_node *nodes;
    uint32_t count;
    nn__text_added *added;
    uint32_t added_count;
    bool begins[256]; /* with this byte */
} nn__text_tree;

/* ---- a tokenizer ----------------------------------------------------------------------------- */

/* Text under way. starts, ends: of each byte, the bytes of the given text that it stands for; NULL:
   text is a part of the given text, from `base` on. */
typedef struct nn__text_string {
    const char *text;
    size_t bytes;
    const uint32_t *starts, *ends;
    uint32_t base;
} nn__text_string;

/* Room for a string of the tokenizer's own. */
typedef struct nn__text_room {
    nn__text_buffer text, starts, ends;
} nn__text_room;

/* Characters under way through normalizers: point, and the bytes of the given text. */
typedef struct nn__text_char {
    uint32_t point, start, end;
} nn__text_char;

/* A character that a step puts out. change: 0: in the place of one; 1: a new one; -n: in the place
   of one, and n behind it are gone. */
typedef struct nn__text_out {
    uint32_t point;
    int32_t change;
} nn__text_out;

typedef struct nn__text_result {
    uint32_t id, start, end;
    uint16_t blank_before, blank_behind; /* characters that trimming takes off */
} nn__text_result;

struct nn_tokenizer {
    nn_context *nn;
    void *owned;
    uint32_t users; /* generators, which must be freed before */
    nn__text_block *blocks;
    nn__text_unicode *unicode;
    nn__text_vocab vocab;
    nn__text_model model;
    nn__text_bpe bpe;
    nn__text_unigram unigram; /* with bpe's cache and rooms */
    /* WordPiece */
    const char *prefix;
    uint32_t prefix_bytes, unknown, longest_word;
    uint32_t longest_token; /* bytes */

    nn__text_step normalizers[NN__TEXT_STEPS], splitters[NN__TEXT_STEPS];
    uint32_t normalizer_count, splitter_count;

    nn__text_tree plain, normalised; /* added tokens looked for before and after normalising */
    nn__text_template single, pair;
    bool trims, trims_prefix_space; /* offsets leave out blanks */

    nn__text_decoder_kind decoder;
    nn__text_step decode_steps[NN__TEXT_STEPS];
    uint32_t decode_count;
    bool cleanup; /* of WordPiece's decoder */
    bool decode_falls_back, decode_fuses,
        decode_strips; /* of a sequence: <0x41> is a byte; the first blank goes */
    const char *decode_text;
    uint32_t decode_bytes;
    int16_t *byte_of; /* of a code point below 324, the byte that it stands for; -1: none */

    int32_t max_length; /* 0: none; that of the file */
    nn_truncation truncation;
    bool truncate_left, pad_left;
    uint32_t pad_id; /* NN__TEXT_NONE: unknown */
    int32_t pad_fixed, pad_multiple, pad_type; /* of the file, for the file that is saved */

    struct nn__train *train; /* while it learns */

    /* One call's. */
    nn__text_room given, normal, spaced;
    nn__text_buffer chars, outs, held, word, results, results_pair, decoded, batch;
};

/* Tokens gathered. */
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
/* A word of s, [from, to), into tokens. */
NN__TEXT_PRIVATE bool nn__bpe_encode(nn__text_sink *sink, const nn__text_string *s, size_t from,
                                     size_t to);
/* The tokens of a word, in the tokenizer's room. */
NN__TEXT_PRIVATE bool nn__unigram_word(nn__text_call *call, nn_tokenizer *t, const char *text,
                                       size_t bytes, nn__text_symbol **symbols, int32_t *count);
NN__TEXT_PRIVATE bool nn__text_parse_unigram(nn__text_json *json, nn_tokenizer *t, size_t at,
                                             uint64_t added);
NN__TEXT_PRIVATE uint64_t nn__json_count(const nn__text_json *json, size_t at, uint64_t *bytes);
NN__TEXT_PRIVATE bool nn__train_count(struct nn__train *train, const char *text, size_t bytes);
NN__TEXT_PRIVATE bool nn__wordpiece_encode(nn__text_sink *sink, const nn__text_string *s,
                                           size_t from, size_t to);

/* s becomes its normalised form, in the tokenizer's room. */
NN__TEXT_PRIVATE bool nn__text_normalize(nn__text_call *call, nn_tokenizer *t, nn__text_string *s);
NN__TEXT_PRIVATE bool nn__text_form(nn__text_call *call, nn_tokenizer *t,
                                    const nn__text_char *chars, size_t count, bool compatible,
                                    bool composed, size_t *out_count);
NN__TEXT_PRIVATE bool nn__text_from_chars(nn__text_call *call, nn__text_room *room,
                                          const nn__text_char *chars, size_t count,
                                          nn__text_string *s);
NN__TEXT_PRIVATE bool nn__text_put_out(nn__text_call *call, nn_tokenizer *t, size_t *count,
                                       uint32_t point, int32_t change);
/* Words of s, [from, to), through the splitters from `step` on, into tokens. */
NN__TEXT_PRIVATE bool nn__text_split(nn__text_sink *sink, const nn__text_string *s, size_t from,
                                     size_t to);
NN__TEXT_PRIVATE bool nn__text_make_tree(nn__text_call *call, nn_tokenizer *t, nn__text_tree *tree);
/* The next added token of s at or behind `from`: its token and place; NULL: none. */
NN__TEXT_PRIVATE const nn__text_added *nn__text_next_added(const nn_tokenizer *t,
                                                           const nn__text_tree *tree,
                                                           const nn__text_string *s, size_t from,
                                                           size_t *start, size_t *end);
/* All of a text into tokens, without what surrounds them. */
NN__TEXT_PRIVATE bool nn__text_tokens(nn__text_sink *sink, const char *text, size_t bytes);
NN__TEXT_PRIVATE bool nn__text_finish(nn__text_call *call, nn_tokenizer *t, const char *text,
                                      size_t bytes, const nn_encode_desc *desc, nn_tokens *tokens);

/* A whole file, and a zero behind it. */
NN__TEXT_PRIVATE bool nn__text_read(nn__text_call *call, const char *path, nn__text_buffer *to,
                                    size_t *size);
NN__TEXT_PRIVATE nn_tokenizer *nn__text_make(nn__text_call *call);
/* The tokenizer, or NULL if something failed. */
NN__TEXT_PRIVATE nn_tokenizer *nn__text_made(const nn__text_call *call, nn_tokenizer *t);
/* A token that is found in texts as a whole, if the vocabulary has it. */
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
/* "[CLS] text [SEP] pair [SEP]" of these ids; sep_twice: RoBERTa's two between, and no types. */
NN__TEXT_PRIVATE bool nn__text_surround(nn__text_call *call, nn_tokenizer *t, uint32_t cls,
                                        uint32_t sep, bool roberta);
/* Texts as they are, the second with type 1. */
NN__TEXT_PRIVATE bool nn__text_plain(nn__text_call *call, nn_tokenizer *t);
NN__TEXT_PRIVATE bool nn__text_plant(nn__text_call *call, nn_tokenizer *t);
/* The merge of two tokens, whose result must be a token too. False: *why. */
NN__TEXT_PRIVATE bool nn__text_join(nn__text_call *call, nn_tokenizer *t, const char *left,
                                    size_t left_bytes, const char *right, size_t right_bytes,
                                    const char **why);
NN__TEXT_PRIVATE bool nn__json_flag(const nn__text_json *json, size_t at, const char *key,
                                    bool otherwise, bool *value);
NN__TEXT_PRIVATE const char *nn__json_copy(const nn__text_json *json, nn_tokenizer *t, size_t at,
                                           const char *key, uint32_t *bytes);
NN__TEXT_PRIVATE bool nn__text_parse_decoder(nn__text_json *json, nn_tokenizer *t, size_t at,
                                             int depth);

/* ---- models ---------------------------------------------------------------------------------- */

/* What is wrong with the numbers of a config: the name of a field, and *why; NULL: nothing.
   Defaults are filled in. */
NN__TEXT_PRIVATE const char *nn__config_complete(nn_config *config, const char **why);
/* The same for a builder, which has a copy: NULL, or the poisoned node of a fault of `operation`.
   families: bits by number. */
NN__TEXT_PRIVATE nn_node *nn__config_copy(nn_site site, nn_model *net, const char *operation,
                                          const nn_config *from, unsigned families, nn_config *to);
static inline bool nn__config_windowed(const nn_config *config, int layer) {
    return (config->window_layers[layer / 8] >> layer % 8 & 1) != 0;
}
/* "folder/name", or the path itself when it ends with `ending`. False: an error, it is too long. */
NN__TEXT_PRIVATE bool nn__text_path(nn__text_call *call, const char *path, const char *ending,
                                    const char *name, char *to, size_t size);

/* ---- config_values.c, for config_keys.c ------------------------------------------------------ */

/* Bits: the model types that have a key. */
enum {
    NN__GPT2 = 1,
    NN__LLAMA = 2,
    NN__MISTRAL = 4,
    NN__QWEN2 = 8,
    NN__QWEN3 = 16,
    NN__BERT = 32,
    NN__LLAMAS = NN__LLAMA | NN__MISTRAL | NN__QWEN2 | NN__QWEN3,
    NN__ALL = 63
};

typedef struct nn__config_reader {
    nn__text_json json;
    nn_config *config;
    const char *ignore; /* the desc's */
    size_t top;         /* the outermost object */
    unsigned model;     /* a bit */
    bool use_window, window_said;
    int64_t window, window_from;
    size_t layer_types;
} nn__config_reader;

/* An error: the value of the key is not one of those that are known. Always false. */
NN__TEXT_PRIVATE bool nn__config_unsupported(const nn__config_reader *reader, size_t at,
                                             const char *key, const char *known);
/* Values at a place, of the key for messages. False: an error. */
NN__TEXT_PRIVATE double nn__config_number(const nn__text_json *json, size_t at);
NN__TEXT_PRIVATE bool nn__config_real_value(const nn__config_reader *reader, size_t at,
                                            const char *key, float *value);
NN__TEXT_PRIVATE bool nn__config_count(const nn__config_reader *reader, size_t at, const char *key,
                                       int64_t least, int64_t *value);
NN__TEXT_PRIVATE bool nn__config_flag(const nn__config_reader *reader, size_t at, const char *key,
                                      bool *value);
NN__TEXT_PRIVATE bool nn__config_token(const nn__config_reader *reader, size_t at, const char *key,
                                       int32_t *value);
NN__TEXT_PRIVATE bool nn__config_eos(const nn__config_reader *reader, size_t at);
NN__TEXT_PRIVATE int nn__config_word(const nn__config_reader *reader, size_t at, const char *words);
NN__TEXT_PRIVATE bool nn__config_act(const nn__config_reader *reader, size_t at, const char *key);
NN__TEXT_PRIVATE bool nn__config_dtype(const nn__config_reader *reader, size_t at, const char *key);
NN__TEXT_PRIVATE bool nn__config_rope(const nn__config_reader *reader, size_t at, const char *key);

/* ---- causal_lm.c, for text_encoder.c too ----------------------------------------------------- */

/* A net under way. Letters: N samples, L ids of each, E hidden_size. */
typedef struct nn__lm {
    nn_site site;
    nn_model *net;
    const nn_config *config;
    nn_node *positions; /* (N) i32 or NULL */
    int32_t cache;      /* its length; 0: none */
    nn_dtype cache_dtype;
    bool shared;
    char prefix[48];
    char name[NN_NAME_BYTES];
} nn__lm;

/* The prefix becomes `of`, the number and a dot. */
NN__TEXT_PRIVATE void nn__lm_layer(nn__lm *lm, const char *of, int layer);
/* Layers named prefix + part. */
NN__TEXT_PRIVATE nn_node *nn__lm_linear(nn__lm *lm, const char *part, nn_node *x, int32_t out,
                                        bool bias);
NN__TEXT_PRIVATE nn_node *nn__lm_norm(nn__lm *lm, const char *part, nn_node *x);
NN__TEXT_PRIVATE nn_node *nn__lm_embedding(nn__lm *lm, const char *part, nn_node *index,
                                           int32_t count);
NN__TEXT_PRIVATE nn_node *nn__lm_dropout(const nn__lm *lm, nn_node *x, float probability);

/* NULL: these are ids (N, L), i32. Else the poisoned node of a fault. */
NN__TEXT_PRIVATE nn_node *nn__text_ids(nn_site site, nn_model *net, const char *operation,
                                       nn_node *ids, const char *role);
NN__TEXT_PRIVATE nn_node *nn__text_act(nn_site site, nn_model *net, nn_hidden_act act, nn_node *x);
/* (N, L, heads size) to (N, L, heads, size) and back, which costs nothing. */
NN__TEXT_PRIVATE nn_node *nn__text_heads(nn_site site, nn_model *net, nn_node *x, int32_t heads,
                                         int32_t size);
NN__TEXT_PRIVATE nn_node *nn__text_no_heads(nn_site site, nn_model *net, nn_node *x);
/* (N, L) i32: 0, 1, 2 ... in each sample, from its position (N) on; positions may be NULL. */
NN__TEXT_PRIVATE nn_node *nn__text_positions(nn_site site, nn_model *net, nn_node *ids,
                                             nn_node *positions);
