/* text/steps.h - what a tokenizer.json says is to be done with a text: regular expressions,
   normalizers, pre-tokenizers, decoders, what surrounds texts. */
#pragma once

#include "text/base.h"

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
