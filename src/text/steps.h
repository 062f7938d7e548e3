/* text/steps.h - the steps of a tokenizer.json: regular expressions, normalizers, pre-tokenizers,
   decoders, and special tokens around texts. */
#pragma once

#include "text/base.h"

/* ---- regex.c --------------------------------------------------------------------------------- */

#define NN__TEXT_NOWHERE SIZE_MAX

/* A text that is being split. */
typedef struct nn__text_scan {
    const nn__text_unicode *u;
    const char *text;
    size_t end;
    int64_t left; /* steps that regular expressions may still take; 0 or less: too many */
} nn__text_scan;

enum { NN__REGEX_SET, NN__REGEX_GROUP, NN__REGEX_AHEAD, NN__REGEX_WAY };

typedef struct nn__regex_range {
    uint32_t from, to;      /* code points; */
    uint16_t bits, without; /* or if not 0: characters with one of `bits` and none of `without` */
    bool none;              /* inverts the range */
} nn__regex_range;

/* SET: `count` ranges from `first` on. GROUP and AHEAD: `first` is the first WAY (alternative),
   linked by `next`. WAY: `first` is the first node to match. Index 0 is no node. */
typedef struct nn__regex_node {
    uint8_t kind;
    bool negated, possessive;
    uint32_t least, most; /* number of repeats */
    uint32_t first, next;
    uint32_t count; /* of a group: least number of characters */
    uint32_t ascii[4];
} nn__regex_node;

typedef struct nn__regex {
    nn__regex_node *nodes; /* indices start at 1 */
    nn__regex_range *ranges;
    uint32_t node_count, range_count;
    const nn__text_unicode *unicode;
} nn__regex;

/* Reads a regular expression. NULL: it is not supported (*why), or there is no memory. */
NN__TEXT_PRIVATE const nn__regex *nn__regex_read(nn__text_call *call, nn_tokenizer *t,
                                                 const char *text, size_t bytes, const char **why);
/* Returns the end of the match at `at`; NN__TEXT_NOWHERE: no match, or scan->left is used up. */
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
    /* steps of BertNormalizer */
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
    NN__TEXT_SPLIT_METASPACE, /* spaces become `text`, at which words begin */
    NN__TEXT_SPLIT_WHOLE
} nn__text_splitter_kind;

/* What happens to the pieces that a splitter finds. */
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
    bool left, right; /* STRIP: which ends; splitter: left prepends a space */
    const char *text, *with;
    uint32_t text_bytes, with_bytes;
    const nn__regex *regex; /* compiled `text`; NULL: `text` is a literal */
} nn__text_step;

typedef enum nn__text_decoder_kind {
    NN__TEXT_DECODE_JOIN,  /* no decoder: spaces between tokens */
    NN__TEXT_DECODE_BYTES, /* ByteLevel */
    NN__TEXT_DECODE_WORDPIECE,
    NN__TEXT_DECODE_METASPACE,
    NN__TEXT_DECODE_PLAIN,   /* tokens in sequence */
    NN__TEXT_DECODE_SEQUENCE /* Replace, ByteFallback, Fuse, Strip, as in Llama 2 */
} nn__text_decoder_kind;

/* A place in a template: a special token, or a text (sequence 0 or 1). */
typedef struct nn__text_place {
    uint32_t id;
    int32_t sequence; /* -1: a special token */
    int32_t type;
} nn__text_place;

typedef struct nn__text_template {
    nn__text_place *places;
    uint32_t count;
    uint32_t special; /* number of special tokens */
} nn__text_template;

#define NN__TEXT_STEPS 16
