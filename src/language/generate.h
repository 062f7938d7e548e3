/* language/generate.h - generates text with a causal language model, token by token.

       nn_generator *writer = nn_make_generator(net, &(nn_generator_desc){
           .tokenizer = tokenizer, .ids = ids, .positions = positions, .logits = logits,
           .context = 1024, .sampling = { .sample = true, .temperature = 0.8f, .top_k = 40 },
           .stop = NN_TEXTS("\nUser:"), .write = { say, user } });
       nn_prompt(writer, 0, "Once upon a time", 16);
       nn_generate(writer);                      or, in a game, a slice per frame:
       if (nn_generate_for(writer, 2000) != NN_PENDING) ...
       nn_prompt(writer, 0, "And then?", 9);     a further turn continues the text

   Several texts, numbered from 0, are written at once. They may have different lengths and may
   begin and end at different times; none affects another.

   WITH A CACHE (.positions) a run reads only new tokens: a prompt in chunks, then one token of each
   text. The model contains the cache: nn_cache, with a length of at least .context. WITHOUT ONE
   each token reads the whole text again, padded at its end, which causal attention does not see.

   TRANSFERS. Ids, 4 bytes each, are uploaded to the device of .ids. The logits from which tokens
   are chosen are read in place on the CPU; from other devices one row per text is downloaded, or
   one row per token without a cache and without .last. All are in the ledger. With .last only these
   rows are multiplied with the vocabulary.

   MEMORY is allocated when a generator is made, and when nn_prompt turns text into ids. Generating
   allocates nothing. */
#pragma once

#include "text/text.h"

typedef struct nn_generator nn_generator;

/* How a token is chosen from the logits. Each field works as the logits processor of that name in
   Hugging Face's transformers 5 (generation/logits_process.py), in the order of generate(). Only
   top_k does not default to 50. */
typedef struct nn_sampling {
    float repetition_penalty; /* default: 1. Logits of tokens that are already in the text are
                                 divided by it if positive, and multiplied by it if negative */
    bool sample; /* default: false, the most likely token, the first of equal ones. true: draws a
                    token. The four fields below are errors without it */
    float temperature;  /* default: 1. Logits are divided by it */
    int32_t top_k;      /* default: 0, all. Keeps the k largest, and those equal to the last */
    float top_p;        /* default: 1, all. Keeps the largest whose probabilities add up to it */
    /* default: 0, all. Keeps tokens with at least min_p times the largest probability */
    float min_p;
    uint64_t seed; /* default: 0. A draw uses Philox's words for (seed, text number, token place),
                      so it does not depend on threads, slices or other texts */
} nn_sampling;

/* Why a text stopped. */
typedef enum nn_ending {
    NN_ENDED_NOT,       /* it is being written, or was never started */
    NN_ENDED_BY_TOKEN,  /* one of .end_tokens */
    NN_ENDED_BY_WORD,   /* one of .stop */
    NN_ENDED_BY_LENGTH, /* .max_tokens were written */
    NN_ENDED_BY_CONTEXT, /* .context is full */
    NN_ENDED_BY_CALLER  /* .write returned false, or nn_cancel_generation */
} nn_ending;


typedef struct nn_generator_desc {
    nn_tokenizer *tokenizer; /* must be given */
    nn_node *ids; /* must be given: an input (NN_BATCH, NN_TIME) i32 */
    nn_node *logits; /* must be given: (NN_BATCH, NN_TIME, V) f32, or the same as (NN_BATCH_TIME,
                        V); with .last (NN_BATCH, V) */
    nn_node *positions; /* default: none, no cache. An input (NN_BATCH) i32: the number of tokens of
                           each text in the cache */
    nn_node *places; /* default: none. An input (NN_BATCH, NN_TIME) i32, or without a cache also
                        (NN_TIME): the position of each id in its text, for learned positions */
    nn_node *last; /* default: none. An input (NN_BATCH) i32 for nn_pick_rows: the row from which
                      each text's next token is chosen, plus NN_TIME times the text's number */
    int32_t batch;   /* default: 1. Largest number of texts at a time */
    int32_t context; /* must be given: most tokens of a text, prompts included */
    /* default: 64, or .context if that is less. With a cache: most tokens of a prompt per run */
    int32_t chunk;
    bool slide; /* default: false. true, without a cache: a text may grow up to .longest; of a text
                   longer than .context the last tokens are read */
    int32_t longest;    /* default: 8 times .context. With .slide: most tokens of a text */
    int32_t max_tokens; /* default: 0, until the context is full. Most new tokens per turn */
    nn_sampling sampling;
    /* default: none. A text ends before any of these words (UTF-8), which are found in its text,
       independent of token borders */
    nn_texts stop;
    /* default: none. A text ends with any of these tokens, in the tokenizer's spelling
       ("<|endoftext|>"); they belong to its ids */
    nn_texts end_tokens;
    /* default: false. true: there may be more logits than the tokenizer has ids, as when a
       vocabulary was rounded up; unknown ids are never chosen */
    bool padded_vocabulary;
    bool no_special_tokens; /* default: false: the first prompt of a text gets the tokenizer's
                               special tokens (<s>), later ones do not. true: none does */
    bool special_tokens;    /* default: false. true: special tokens are written as text, too */
    /* default: none. Receives the text as it is written: whole characters, and nothing of a stop
       word, not even its beginning. Returning false ends the text. It must not prompt, forget,
       generate or free */
    struct nn_generator_write {
        bool (*function)(void *user, int32_t text, const char *piece, size_t bytes);
        void *user;
    } write;
} nn_generator_desc;

/* Makes a generator, with its own plan of .logits. Returns NULL on failure; nn_error says why: an
   input of another dtype or shape, a vocabulary that differs from the tokenizer's, an unknown
   token, a setting out of range, .positions that are not those of the cache, a cache without them
   or shorter than .context, or an error of nn_make_plan, such as ids on the wrong device. After
   nn_move_model its plan is made again (nn_replan). If the logits leave the CPU by such a move,
   make a new generator. */
NN_API nn_generator *nn_make_generator_at(nn_site site, nn_model *net,
                                          const nn_generator_desc *desc);
#define nn_make_generator(...) nn_make_generator_at(NN_HERE, __VA_ARGS__)
/* Frees a generator; NULL is allowed. Call it before freeing the tokenizer and the model; after the
   model was freed, it is an error that says so, and the rest is freed. nn_close frees generators,
   too. */
NN_API void nn_free_generator(nn_generator *generator);

/* Adds a prompt to a text, as its first or a further turn. It is an error, and nothing is added, if
   the context (with .slide: .longest) has no room for it and one more token, or while
   nn_generate_for is pending. */
NN_API nn_result nn_prompt_at(nn_site site, nn_generator *generator, int32_t text,
                              const char *prompt, size_t bytes);
#define nn_prompt(...) nn_prompt_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_prompt_ids_at(nn_site site, nn_generator *generator, int32_t text,
                                  const int32_t *ids, int32_t count);
#define nn_prompt_ids(...) nn_prompt_ids_at(NN_HERE, __VA_ARGS__)
/* Empties a text; -1: all texts. It is an error while nn_generate_for is pending. */
NN_API nn_result nn_forget_at(nn_site site, nn_generator *generator, int32_t text);
#define nn_forget(...) nn_forget_at(NN_HERE, __VA_ARGS__)
/* Changes the sampling, from the next token on. NULL: the defaults. */
NN_API nn_result nn_set_sampling_at(nn_site site, nn_generator *generator,
                                    const nn_sampling *sampling);
#define nn_set_sampling(...) nn_set_sampling_at(NN_HERE, __VA_ARGS__)

/* Writes until all texts have ended: those that were prompted since they last ended. If there are
   none, it continues all texts that have tokens and room in the context. Returns NN_OK,
   NN_CANCELLED if .write or nn_cancel_generation ended a text, or an error, after which you may
   call it again. Logits that are NaN or infinite, or all -infinity, give NN_ERROR_NAN; .write gets
   nothing of that run. */
NN_API nn_result nn_generate_at(nn_site site, nn_generator *generator);
#define nn_generate(...) nn_generate_at(NN_HERE, __VA_ARGS__)
/* Does the same in slices of about `microseconds`, as nn_run_for: returns NN_PENDING until all is
   written. The texts do not depend on the slices. */
NN_API nn_result nn_generate_for_at(nn_site site, nn_generator *generator, int64_t microseconds);
#define nn_generate_for(...) nn_generate_for_at(NN_HERE, __VA_ARGS__)
/* Cancels the texts that are being written: the next nn_generate_for finishes the current run and
   returns NN_CANCELLED. */
NN_API void nn_cancel_generation(nn_generator *generator);

/* ---- what was written ------------------------------------------------------------------------ */

NN_API nn_ending nn_text_ending(const nn_generator *generator, int32_t text);
/* Returns all ids of a text, prompts included, valid until it changes; NULL and a count of 0 if
   there are none. count may be NULL. */
NN_API const int32_t *nn_text_ids(const nn_generator *generator, int32_t text, int32_t *count);
/* Returns the ids written in its last turn, including the token or word that ended it. */
NN_API const int32_t *nn_answer_ids(const nn_generator *generator, int32_t text, int32_t *count);
/* Writes the text of the last turn, as .write received it. */
NN_API nn_result nn_write_answer_at(nn_site site, nn_generator *generator, int32_t text,
                                    nn_writer writer);
#define nn_write_answer(...) nn_write_answer_at(NN_HERE, __VA_ARGS__)
/* Returns the generator's plan, for reports (nn_write_plan, nn_plan_bytes); it is freed with the
   generator. NULL for NULL. */
NN_API nn_plan *nn_generator_plan(const nn_generator *generator);

/* ---- describing ------------------------------------------------------------------------------ */

/* Picks one row per text, given by nn_generator_desc.last: (NN_BATCH, C) from x (NN_BATCH, NN_TIME,
   C). Use it before the product with the vocabulary, which then skips all other rows. */
NN_API nn_node *nn_pick_rows_at(nn_site site, nn_model *net, nn_node *x, nn_node *last);
#define nn_pick_rows(...) nn_pick_rows_at(NN_HERE, __VA_ARGS__)
