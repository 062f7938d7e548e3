/* text/text.h - tokenizers, compatible with Hugging Face's tokenizers. An optional file next to
   nn.h.

   In one file of the program, #define NN_TEXT_IMPLEMENTATION (NN_IMPLEMENTATION may be in the same
   file or another), then #include "nn_text.h".

       nn_tokenizer *tokenizer =
           nn_open_tokenizer(nn, &(nn_tokenizer_desc){ .path = "tokenizer.json" });
       int32_t ids[512];
       nn_tokens tokens = { .ids = ids, .capacity = 512 };
       nn_encode(tokenizer, text, strlen(text), NULL, &tokens);        tokens.count of them
       nn_decode(tokenizer, ids, tokens.count, NULL, (nn_writer){ nn_write_stdout });

   A tokenizer belongs to its context, which provides its memory and receives its errors; nn_close
   frees it. Like the context it belongs to one thread at a time, because it caches words.

   TEXT is UTF-8 with its length in bytes; it may contain zero bytes. Each maximal piece of an
   invalid sequence counts as one U+FFFD, as with Python's errors="replace". Offsets count bytes of
   your text before normalisation: [start, end) covers the characters of a token. A text has at most
   2^30 bytes.

   WHICH FILES
   - tokenizer.json: models BPE, WordPiece and Unigram, with the normalizers, pre_tokenizers,
     post_processors and decoders of GPT-2 to GPT-4o, RoBERTa, Llama 2 to 4, Mistral, Gemma, Qwen,
     DeepSeek, BERT and similar models. A key, type or regular expression that is not understood is
     an error that names it and its line; nothing is ignored silently.
   - vocab.json and merges.txt: byte-level BPE, split as for GPT-2, or by .pattern as for Llama 3 or
     Qwen.
   - vocab.txt: WordPiece with BERT's normaliser: [CLS] text [SEP] text [SEP].
   Files are read and written through nn_desc.files. Ids, offsets, type ids and decoded text are
   those of Hugging Face's tokenizers 0.23, whose offsets count characters. With byte_fallback,
   invalid UTF-8 gives one U+FFFD for each maximal piece, not for each byte.

   IT DOES NOT
     - know the model WordLevel, the normalizer Precompiled (of T5's and XLM-R's own files), chat
       templates, or BPE with dropout
     - return the overflowing parts of a truncated text
     - move ids between devices without telling you: see nn_encode_batch */
#pragma once

#include "nn.h"
#include "nn_sequence.h"

typedef struct nn_tokenizer nn_tokenizer;

/* ---- opening --------------------------------------------------------------------------------- */

/* How text is split before byte-level BPE. */
typedef enum nn_pattern {
    NN_PATTERN_GPT2,   /* the default: 's, words with the space before them, numbers, punctuation */
    NN_PATTERN_LLAMA3, /* GPT-4's, too: 's in any case, numbers of at most three digits, line ends
                          end a word */
    NN_PATTERN_QWEN2,  /* the same, but each digit is a word */
    NN_PATTERN_WHOLE,  /* the text is one word */
    NN_PATTERN_GPT4O   /* o200k's: words end before an inner capital and include their 's */
} nn_pattern;

typedef struct nn_tokenizer_desc {
    const char *path;   /* a tokenizer.json, a .gguf, a vocab.txt, or with .merges a vocab.json */
    const char *merges; /* default: none. The path of a merges.txt */
    /* default: none. Instead of .path: the text of a tokenizer.json, read during the call only */
    const void *data;
    size_t bytes;
    nn_pattern pattern; /* default: NN_PATTERN_GPT2. With .merges */
    bool cased;         /* default: false. With vocab.txt: true keeps case and accents */
} nn_tokenizer_desc;

/* Opens a tokenizer. Returns NULL on failure; nn_error names the file, line and key. */
NN_API nn_tokenizer *nn_open_tokenizer_at(nn_site site, nn_context *nn,
                                          const nn_tokenizer_desc *desc);
#define nn_open_tokenizer(...) nn_open_tokenizer_at(NN_HERE, __VA_ARGS__)

/* Makes a tokenizer in which each byte is a token: 256 ids. */
NN_API nn_tokenizer *nn_make_byte_tokenizer_at(nn_site site, nn_context *nn);
#define nn_make_byte_tokenizer(...) nn_make_byte_tokenizer_at(NN_HERE, __VA_ARGS__)
/* Makes a tokenizer in which each character of `text` is a token, ordered by code point. Encoding
   any other character is an error that names it. */
NN_API nn_tokenizer *nn_make_char_tokenizer_at(nn_site site, nn_context *nn, const char *text,
                                               size_t bytes);
#define nn_make_char_tokenizer(...) nn_make_char_tokenizer_at(NN_HERE, __VA_ARGS__)

#define NN_TRAIN_SPECIAL_TOKENS     16

typedef struct nn_train_tokenizer_desc {
    int32_t vocab_size; /* default: 30,000. Number of tokens, including special tokens and the 256
                           bytes, which are the minimum */
    /* default: 0. Least number of occurrences of a pair that becomes a token */
    int32_t min_frequency;
    nn_pattern pattern;    /* default: NN_PATTERN_GPT2 */
    /* default: none. They get the first ids, and encoding finds them as a whole */
    const char *special_tokens[NN_TRAIN_SPECIAL_TOKENS];
} nn_train_tokenizer_desc;

/* Trains a byte-level BPE on a text: repeatedly makes the most frequent pair of neighbours a token;
   of equally frequent pairs, the one with lower ids. Tokens, ids and merges are those of Hugging
   Face's BpeTrainer with the whole byte alphabet. desc may be NULL. */
NN_API nn_tokenizer *nn_train_tokenizer_at(nn_site site, nn_context *nn, const char *text,
                                           size_t bytes, const nn_train_tokenizer_desc *desc);
#define nn_train_tokenizer(...) nn_train_tokenizer_at(NN_HERE, __VA_ARGS__)

/* Writes a tokenizer.json for nn_open_tokenizer and Hugging Face's tokenizers. It gives the same
   ids for the same text, however the tokenizer was made, with two exceptions: a reopened byte
   tokenizer replaces invalid UTF-8 with U+FFFD, and a reopened char tokenizer skips unknown
   characters without an error. The old file at `path` stays until the new one is complete on
   disk. */
NN_API nn_result nn_save_tokenizer_at(nn_site site, nn_tokenizer *tokenizer, const char *path);
#define nn_save_tokenizer(...) nn_save_tokenizer_at(NN_HERE, __VA_ARGS__)
/* Writes the same text to a writer, which is called once. */
NN_API nn_result nn_save_tokenizer_to_at(nn_site site, nn_tokenizer *tokenizer, nn_writer writer);
#define nn_save_tokenizer_to(...) nn_save_tokenizer_to_at(NN_HERE, __VA_ARGS__)

/* Frees a tokenizer; NULL is allowed. While a generator uses it, this is an error, and nothing is
   freed. */
NN_API void nn_free_tokenizer(nn_tokenizer *tokenizer);

/* ---- the vocabulary -------------------------------------------------------------------------- */

/* Returns the largest id, added tokens included, plus 1: the num_embeddings for nn_embedding. 0 for
   NULL. */
NN_API int32_t nn_vocab_size(const nn_tokenizer *tokenizer);
/* Returns the id of a token in the file's spelling ("[CLS]", "\xc4\xa0the"); -1 if there is
   none. */
NN_API int32_t nn_token_id(const nn_tokenizer *tokenizer, const char *token);
/* Returns the spelling of an id, zero-terminated and valid as long as the tokenizer; NULL if there
   is none. */
NN_API const char *nn_token_text(const nn_tokenizer *tokenizer, int32_t id);

/* ---- text to ids ----------------------------------------------------------------------------- */

/* Which of two texts is truncated if both together are too long. */
typedef enum nn_truncation {
    NN_TRUNCATION_LONGEST_FIRST, /* the default: the longer one, then both equally */
    NN_TRUNCATION_ONLY_FIRST,
    NN_TRUNCATION_ONLY_SECOND
} nn_truncation;

/* The defaults of truncation and padding are those of the tokenizer.json, if it has any. */
typedef struct nn_encode_desc {
    const char *pair; /* default: none. A second text, for models that read two */
    size_t pair_bytes;
    bool no_special_tokens;   /* default: false. true: without [CLS], <s> and the like */
    int32_t max_length; /* default: no limit. Most tokens, including special ones; NN_NONE: no
                           limit, even if the file has one */
    nn_truncation truncation; /* default: NN_TRUNCATION_LONGEST_FIRST */
    bool truncate_left;       /* default: false. true: cuts off the beginning */
    bool pad_left; /* default: false. For nn_encode_batch: true for models that generate text */
    const char *pad_token; /* default: "[PAD]" or "<pad>", whichever exists. For nn_encode_batch */
} nn_encode_desc;

/* Arrays of yours, each of `capacity` elements, or NULL if not wanted. */
typedef struct nn_tokens {
    int32_t *ids;
    int32_t *type_ids;      /* 0 or 1: first or second text, for BERT */
    int32_t *starts, *ends; /* byte range of the token in its text; 0 and 0 for special tokens */
    int32_t *sequence_ids;  /* 0 or 1: the text of the token; -1: added by the tokenizer */
    int32_t capacity;
    int32_t count; /* result: the number of tokens, even if they do not fit */
} nn_tokens;

/* Encodes a text. desc may be NULL. If capacity is too small, it is an error and nothing is written
   but count. With capacity 0 it is not an error: use it to count tokens. */
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
   and type_ids may be NULL. Shorter texts are padded. A longer text is an error that states its
   length, unless max_length is at most `length`. Tensors on the CPU are written directly, others by
   an upload, which is in the ledger. */
NN_API nn_result nn_encode_batch_at(nn_site site, nn_tokenizer *tokenizer,
                                    const nn_batch_text *texts, int32_t count,
                                    const nn_encode_desc *desc, nn_tensor *ids, nn_tensor *mask,
                                    nn_tensor *type_ids);
#define nn_encode_batch(...) nn_encode_batch_at(NN_HERE, __VA_ARGS__)

/* ---- ids to text ----------------------------------------------------------------------------- */

typedef struct nn_decode_desc {
    bool special_tokens; /* default: false: special tokens are skipped. true: they are written */
} nn_decode_desc;

/* Writes the text of the ids; desc may be NULL. An id outside the vocabulary, or a writer without a
   function, is an error, and nothing is written. Invalid UTF-8 is written as U+FFFD. */
NN_API nn_result nn_decode_at(nn_site site, nn_tokenizer *tokenizer, const int32_t *ids,
                              int32_t count, const nn_decode_desc *desc, nn_writer writer);
#define nn_decode(...) nn_decode_at(NN_HERE, __VA_ARGS__)

/* State for decoding ids one by one, as a model generates them. Zero it at the start; only desc is
   yours to set. */
typedef struct nn_decode_stream {
    nn_decode_desc desc;
    uint8_t
        pending[16]; /* internal: bytes of an incomplete character */
    int32_t held;    /* internal: their number */
    int32_t count;   /* internal: tokens written so far */
} nn_decode_stream;

/* Adds one id and writes the text that is certain then; nothing while a character is incomplete.
   All pieces together, with that of nn_decode_end, are the text of nn_decode. */
NN_API nn_result nn_decode_next_at(nn_site site, nn_tokenizer *tokenizer, nn_decode_stream *stream,
                                   int32_t id, nn_writer writer);
#define nn_decode_next(...) nn_decode_next_at(NN_HERE, __VA_ARGS__)
/* Writes the pending bytes and resets the stream. */
NN_API nn_result nn_decode_end_at(nn_site site, nn_tokenizer *tokenizer, nn_decode_stream *stream,
                                  nn_writer writer);
#define nn_decode_end(...) nn_decode_end_at(NN_HERE, __VA_ARGS__)
