/* text/text.h - tokenizers: text to ids and back, as Hugging Face's tokenizers have them, ids where
   you want them. An optional file beside nn.h.

   In one file of the program: #define NN_TEXT_IMPLEMENTATION (beside NN_IMPLEMENTATION there or
   elsewhere), then #include "nn_text.h".

       nn_tokenizer *tokenizer =
           nn_open_tokenizer(nn, &(nn_tokenizer_desc){ .path = "tokenizer.json" });
       int32_t ids[512];
       nn_tokens tokens = { .ids = ids, .capacity = 512 };
       nn_encode(tokenizer, text, strlen(text), NULL, &tokens);        tokens.count of them
       nn_decode(tokenizer, ids, tokens.count, NULL, (nn_writer){ nn_write_stdout });

   A tokenizer belongs to its context: its memory comes from there, its errors go there, nn_close
   frees it. Like the context it is one thread's at a time: it keeps the words that it has met.

   TEXT is UTF-8 with its length in bytes; zero bytes may be in it. What is no UTF-8 counts as
   U+FFFD, one for each maximal piece of a broken sequence, as Python's errors="replace" has it.
   Offsets are bytes of your text, whatever was normalised: [start, end) covers the characters that
   a token was made of. A text has at most 2^30 bytes.

   WHICH FILES
   - tokenizer.json: models BPE, WordPiece and Unigram with what GPT-2 to GPT-4o, RoBERTa, Llama 2
     to 4, Mistral, Gemma, Qwen, DeepSeek, BERT and their kin use of normalizers, pre_tokenizers,
     post_processors and decoders. A key, a type or a regular expression that is not understood is
     an error that names it and its line; nothing is left out in silence.
   - vocab.json and merges.txt: byte-level BPE, GPT-2's, or with .pattern Llama 3's or Qwen's
     splitting.
   - vocab.txt: WordPiece with BERT's normaliser: [CLS] text [SEP] text [SEP].
   Files come and go through nn_desc.files. Ids, offsets, type ids and decoded text are those of
   Hugging Face's tokenizers 0.23; offsets there count characters. Of byte_fallback, bytes that are
   no UTF-8 come out as one U+FFFD for each maximal piece, not for each byte.

   IT DOES NOT
     - know the model WordLevel, the normalizer Precompiled (of T5's and XLM-R's own files), chat
       templates, or BPE with dropout
     - give the overflowing parts of a text that it truncated
     - move ids between devices behind your back: see nn_encode_batch */
#pragma once

#include "nn.h"

typedef struct nn_tokenizer nn_tokenizer;

/* ---- opening --------------------------------------------------------------------------------- */

/* How text is cut before byte-level BPE. */
typedef enum nn_pattern {
    NN_PATTERN_GPT2,   /* the default: 's, words with the space before them, numbers, signs */
    NN_PATTERN_LLAMA3, /* GPT-4's too: any case in 'S, numbers of three digits at most, lines end a
                          word */
    NN_PATTERN_QWEN2,  /* the same, each digit alone */
    NN_PATTERN_WHOLE,  /* the text is one word */
    NN_PATTERN_GPT4O   /* o200k's: words end before a capital within, their 'S behind them */
} nn_pattern;

typedef struct nn_tokenizer_desc {
    const char *path;   /* a tokenizer.json, a vocab.txt, or the vocab.json beside .merges */
    const char *merges; /* default: none. The path of a merges.txt */
    /* default: none. Instead of .path: the text of a tokenizer.json, read during the call only */
    const void *data;
    size_t bytes;
    nn_pattern pattern; /* default: NN_PATTERN_GPT2. With .merges */
    bool cased;         /* default: false. With vocab.txt: true keeps case and accents */
} nn_tokenizer_desc;

/* NULL: nn_error tells the file, the line and the key. */
NN_API nn_tokenizer *nn_open_tokenizer_at(nn_site site, nn_context *nn,
                                          const nn_tokenizer_desc *desc);
#define nn_open_tokenizer(...) nn_open_tokenizer_at(NN_HERE, __VA_ARGS__)

/* Each byte is a token: 256 ids. */
NN_API nn_tokenizer *nn_make_byte_tokenizer_at(nn_site site, nn_context *nn);
#define nn_make_byte_tokenizer(...) nn_make_byte_tokenizer_at(NN_HERE, __VA_ARGS__)
/* Each character is a token: those that `text` has, in the order of their code points. To encode
   any other character is an error that names it. */
NN_API nn_tokenizer *nn_make_char_tokenizer_at(nn_site site, nn_context *nn, const char *text,
                                               size_t bytes);
#define nn_make_char_tokenizer(...) nn_make_char_tokenizer_at(NN_HERE, __VA_ARGS__)

#define NN_TRAIN_SPECIAL_TOKENS     16

typedef struct nn_train_tokenizer_desc {
    int32_t vocab_size;    /* default: 30,000. Tokens, special ones and the 256 bytes included, so
                              that it cannot be less than these */
    int32_t min_frequency; /* default: 0. How often a pair must occur to become a token */
    nn_pattern pattern;    /* default: NN_PATTERN_GPT2 */
    /* default: none. They have the first ids, and are found as a whole when encoding */
    const char *special_tokens[NN_TRAIN_SPECIAL_TOKENS];
} nn_train_tokenizer_desc;

/* Learns a byte-level BPE from a text: the most frequent pair of neighbours becomes a token, again
   and again; of equally frequent ones that of the lower ids. Tokens, ids and merges are those of
   Hugging Face's BpeTrainer with the whole alphabet of bytes. desc may be NULL. */
NN_API nn_tokenizer *nn_train_tokenizer_at(nn_site site, nn_context *nn, const char *text,
                                           size_t bytes, const nn_train_tokenizer_desc *desc);
#define nn_train_tokenizer(...) nn_train_tokenizer_at(NN_HERE, __VA_ARGS__)

/* Writes a tokenizer.json, which nn_open_tokenizer and Hugging Face's tokenizers open: of whatever
   a tokenizer was made, it has the same ids for the same text. What was at `path` stays until all
   of the new file is on the disk. Two things are not the same when it is opened again: a byte
   tokenizer takes bytes that are no UTF-8 for U+FFFD, and a char tokenizer leaves out characters
   that it does not know, without an error. */
NN_API nn_result nn_save_tokenizer_at(nn_site site, nn_tokenizer *tokenizer, const char *path);
#define nn_save_tokenizer(...) nn_save_tokenizer_at(NN_HERE, __VA_ARGS__)
/* The same, in one call of the writer. */
NN_API nn_result nn_save_tokenizer_to_at(nn_site site, nn_tokenizer *tokenizer, nn_writer writer);
#define nn_save_tokenizer_to(...) nn_save_tokenizer_to_at(NN_HERE, __VA_ARGS__)

/* NULL is allowed. While a generator uses it that is an error, and nothing is freed. */
NN_API void nn_free_tokenizer(nn_tokenizer *tokenizer);

/* ---- the vocabulary -------------------------------------------------------------------------- */

/* One more than the largest id, added tokens included: what nn_embedding wants. 0 for NULL. */
NN_API int32_t nn_vocab_size(const nn_tokenizer *tokenizer);
/* The id of a token as the file spells it ("[CLS]", "\xc4\xa0the"); -1: there is none. */
NN_API int32_t nn_token_id(const nn_tokenizer *tokenizer, const char *token);
/* The spelling of an id, zero-terminated, as long as the tokenizer lives; NULL: there is none. */
NN_API const char *nn_token_text(const nn_tokenizer *tokenizer, int32_t id);

/* ---- text to ids ----------------------------------------------------------------------------- */

/* What is cut when two texts together are too long. */
typedef enum nn_truncation {
    NN_TRUNCATION_LONGEST_FIRST, /* the default: the longer one, then both alike */
    NN_TRUNCATION_ONLY_FIRST,
    NN_TRUNCATION_ONLY_SECOND
} nn_truncation;

/* Where the tokenizer.json says something of truncation and padding, that is the default. */
typedef struct nn_encode_desc {
    const char *pair; /* default: none. A second text, for models that read two */
    size_t pair_bytes;
    bool no_special_tokens;   /* default: false. true: without [CLS], <s> and their like */
    int32_t max_length;       /* default: no limit. Tokens, special ones included; NN_NONE: no limit
                                 in spite of the file */
    nn_truncation truncation; /* default: NN_TRUNCATION_LONGEST_FIRST */
    bool truncate_left;       /* default: false. true: the beginning is cut off */
    bool pad_left;         /* default: false. nn_encode_batch: true for models that go on writing */
    const char *pad_token; /* default: "[PAD]" or "<pad>", whichever there is. nn_encode_batch */
} nn_encode_desc;

/* Arrays of yours, each of `capacity` elements, or NULL for what is not wanted. */
typedef struct nn_tokens {
    int32_t *ids;
    int32_t *type_ids;      /* 0 or 1: first or second text, as BERT wants it */
    int32_t *starts, *ends; /* bytes of the text that a token is from; 0 and 0 for special tokens */
    int32_t *sequence_ids;  /* 0 or 1: the text that a token is from; -1: put in by the tokenizer */
    int32_t capacity;
    int32_t count; /* result: how many tokens there are, also where they did not fit */
} nn_tokens;

/* desc may be NULL. If capacity is too small that is an error and nothing is written, but count
   tells; with capacity 0 it is none: that is how to count. */
NN_API nn_result nn_encode_at(nn_site site, nn_tokenizer *tokenizer, const char *text, size_t bytes,
                              const nn_encode_desc *desc, nn_tokens *tokens);
#define nn_encode(...) nn_encode_at(NN_HERE, __VA_ARGS__)

/* One text of a batch, and its pair where the model reads two. */
typedef struct nn_batch_text {
    const char *text;
    size_t bytes;
    const char *pair; /* default: none */
    size_t pair_bytes;
} nn_batch_text;

/* Fills i32 tensors of (count, length): ids; mask, 1 for tokens and 0 for padding; type_ids. mask
   and type_ids may be NULL. Shorter texts are padded; a longer one is an error that says how long
   it is, unless max_length allows at most `length`. Tensors stay where they are: one on the CPU is
   written directly, one elsewhere by an upload, which is a row of the ledger. */
NN_API nn_result nn_encode_batch_at(nn_site site, nn_tokenizer *tokenizer,
                                    const nn_batch_text *texts, int32_t count,
                                    const nn_encode_desc *desc, nn_tensor *ids, nn_tensor *mask,
                                    nn_tensor *type_ids);
#define nn_encode_batch(...) nn_encode_batch_at(NN_HERE, __VA_ARGS__)

/* ---- ids to text ----------------------------------------------------------------------------- */

typedef struct nn_decode_desc {
    bool special_tokens; /* default: false: special tokens are left out. true: written */
} nn_decode_desc;

/* Writes the text of the ids; desc may be NULL. An id outside the vocabulary, or a writer without a
   function, is an error, and nothing is written. Bytes that are no UTF-8 come out as U+FFFD. */
NN_API nn_result nn_decode_at(nn_site site, nn_tokenizer *tokenizer, const int32_t *ids,
                              int32_t count, const nn_decode_desc *desc, nn_writer writer);
#define nn_decode(...) nn_decode_at(NN_HERE, __VA_ARGS__)

/* Ids to text piece by piece, as a model writes them. Begins as zeros; desc is yours to set. */
typedef struct nn_decode_stream {
    nn_decode_desc desc;
    uint8_t
        pending[16]; /* the rest is the library's: bytes of a character that is not whole yet, */
    int32_t held;    /* how many, */
    int32_t count;   /* tokens that were written */
} nn_decode_stream;

/* Writes what is certain after one more id: nothing, while a character is not whole. All pieces
   together, with that of nn_decode_end, are what nn_decode writes. */
NN_API nn_result nn_decode_next_at(nn_site site, nn_tokenizer *tokenizer, nn_decode_stream *stream,
                                   int32_t id, nn_writer writer);
#define nn_decode_next(...) nn_decode_next_at(NN_HERE, __VA_ARGS__)
/* Writes what was held back, and the stream is as at its beginning. */
NN_API nn_result nn_decode_end_at(nn_site site, nn_tokenizer *tokenizer, nn_decode_stream *stream,
                                  nn_writer writer);
#define nn_decode_end(...) nn_decode_end_at(NN_HERE, __VA_ARGS__)

/* ---- C++: descs by reference ----------------------------------------------------------------- */

#ifdef __cplusplus
extern "C++" {
inline nn_tokenizer *nn_open_tokenizer_at(nn_site site, nn_context *nn,
                                          const nn_tokenizer_desc &desc) {
    return nn_open_tokenizer_at(site, nn, &desc);
}
inline nn_tokenizer *nn_train_tokenizer_at(nn_site site, nn_context *nn, const char *text,
                                           size_t bytes, const nn_train_tokenizer_desc &desc) {
    return nn_train_tokenizer_at(site, nn, text, bytes, &desc);
}
inline nn_result nn_encode_at(nn_site site, nn_tokenizer *tokenizer, const char *text, size_t bytes,
                              const nn_encode_desc &desc, nn_tokens *tokens) {
    return nn_encode_at(site, tokenizer, text, bytes, &desc, tokens);
}
inline nn_result nn_encode_batch_at(nn_site site, nn_tokenizer *tokenizer,
                                    const nn_batch_text *texts, int32_t count,
                                    const nn_encode_desc &desc, nn_tensor *ids, nn_tensor *mask,
                                    nn_tensor *type_ids) {
    return nn_encode_batch_at(site, tokenizer, texts, count, &desc, ids, mask, type_ids);
}
inline nn_result nn_decode_at(nn_site site, nn_tokenizer *tokenizer, const int32_t *ids,
                              int32_t count, const nn_decode_desc &desc, nn_writer writer) {
    return nn_decode_at(site, tokenizer, ids, count, &desc, writer);
}
}
#endif
