/* language/generate.h - a causal language model writes: prompts in, text out, a token at a time.

       nn_generator *writer = nn_make_generator(net, &(nn_generator_desc){
           .tokenizer = tokenizer, .ids = ids, .positions = positions, .logits = logits,
           .context = 1024, .sampling = { .sample = true, .temperature = 0.8f, .top_k = 40 },
           .stop = { "\nUser:" }, .write = { say, user } });
       nn_prompt(writer, 0, "Once upon a time", 16);
       nn_generate(writer);                      or, in a game, a slice of each frame:
       if (nn_generate_for(writer, 2000) != NN_PENDING) ...
       nn_prompt(writer, 0, "And then?", 9);     a further turn goes on with what is there

   Several texts are written at once, each in a place of its own, numbered from 0. They have
   different lengths, begin and end when they do, and none changes what another one says.

   WITH A CACHE (.positions) a run reads only what is new: a prompt in chunks, then one token of
   each text. The cache is the model's matter: nn_cache, whose length is .context at least. WITHOUT
   ONE each token reads the whole text anew, filled up at its end, which causal attention does not
   see.

   WHAT CROSSES. Ids, 4 bytes each, to the device of .ids. Of the logits those rows that tokens are
   chosen from: where they are in the CPU's memory they are read in place; else they are downloaded,
   a row for each text, all of it in the ledger. Only without a cache and without .last that is a
   row for each token. With .last the product with the vocabulary is taken of these rows alone.

   MEMORY is taken when a generator is made, and when nn_prompt turns text into ids. Generating
   allocates nothing. */
#pragma once

#include "text/text.h"

typedef struct nn_generator nn_generator;

/* How a token is chosen from the logits. What a field does is what the logits processor of that
   name does in Hugging Face's transformers 5 (generation/logits_process.py), in this order, which
   is that of generate(); only top_k has no default of 50. */
typedef struct nn_sampling {
    float repetition_penalty; /* default: 1. Logits of tokens that the text has already are divided
                                 by it where positive, and multiplied where negative */
    bool sample;        /* default: false, the most likely token, the first of equals. true: drawn;
                           the four fields below are errors without it */
    float temperature;  /* default: 1. Logits are divided by it */
    int32_t top_k;      /* default: 0, all. Only the k largest, and those equal to the last one */
    float top_p;        /* default: 1, all. Only the largest ones, until they have this share */
    float min_p;        /* default: 0, all. Only those at least so likely, times the likeliest */
    uint64_t seed;      /* default: 0. The words of Philox for (seed, number of the text, place of
                           the token in it): equal for any threads, slices and neighbours */
} nn_sampling;

/* Why a text stopped. */
typedef enum nn_ending {
    NN_ENDED_NOT,       /* it is being written, or nobody asked for it */
    NN_ENDED_BY_TOKEN,  /* one of .end_tokens */
    NN_ENDED_BY_WORD,   /* one of .stop */
    NN_ENDED_BY_LENGTH, /* .max_tokens were written */
    NN_ENDED_BY_CONTEXT, /* .context is full */
    NN_ENDED_BY_CALLER  /* .write returned false, or nn_cancel_generation */
} nn_ending;

#define NN_STOP_WORDS 8
#define NN_END_TOKENS 8

typedef struct nn_generator_desc {
    nn_tokenizer *tokenizer; /* must be given */
    nn_node *ids; /* must be given: an input (NN_BATCH, NN_TIME) i32 */
    nn_node *logits; /* must be given: (NN_BATCH, NN_TIME, V) f32, or these as (NN_BATCH_TIME, V);
                        with .last (NN_BATCH, V) */
    nn_node *positions; /* default: none, and there is no cache. An input (NN_BATCH) i32: how many
                           tokens of each text are in the cache */
    nn_node *places; /* default: none. An input (NN_BATCH, NN_TIME) i32, or without a cache also
                        (NN_TIME): the place of each id in its text, for learned positions */
    nn_node *last; /* default: none. An input (NN_BATCH) i32 for nn_pick_rows: the row of each text
                      that its next token is chosen from, NN_TIME times the text's number added */
    int32_t batch;   /* default: 1. Texts at a time at most */
    int32_t context; /* must be given: tokens of a text at most, prompts included */
    int32_t chunk;   /* default: 64, or .context if that is less. With a cache: tokens of a prompt
                        read in one run at most */
    bool slide; /* default: false. true, without a cache: of a text longer than .context the last
                   tokens are read, and it goes on for up to .longest */
    int32_t longest;    /* default: 8 times .context. With .slide: tokens of a text at most */
    int32_t max_tokens; /* default: 0, until the context is full. New tokens of a turn at most */
    nn_sampling sampling;
    /* default: none. A text ends before these words, which are found in its text, wherever tokens
       begin and end; UTF-8 */
    const char *stop[NN_STOP_WORDS];
    /* default: none. A text ends with these tokens, as the tokenizer spells them ("<|endoftext|>");
       they belong to its ids */
    const char *end_tokens[NN_END_TOKENS];
    bool padded_vocabulary; /* default: false. true: there may be more logits than the tokenizer has
                               ids, as where a vocabulary was rounded up; ids that it does not know
                               are never chosen */
    bool no_special_tokens; /* default: false: the first prompt of a text gets those of the
                               tokenizer (<s>), later ones do not. true: it does not either */
    bool special_tokens;    /* default: false. true: they are written as text as well */
    /* default: none. Gets the text as it is written: whole characters, nothing of a stop word, not
       even its beginning. false: the text ends here. It cannot prompt, forget, generate or free */
    struct nn_generator_write {
        bool (*function)(void *user, int32_t text, const char *piece, size_t bytes);
        void *user;
    } write;
} nn_generator_desc;

/* Makes a plan of .logits, which is its own. NULL: nn_error tells what is wrong: an input of
   another dtype or shape, logits of another vocabulary than the tokenizer's, a token that there is
   not, a setting out of its range, .positions that are not those of the cache, a cache without them
   or shorter than .context, or what nn_make_plan finds, such as ids on the wrong device. Behind
   nn_move_model its plan is made again (nn_replan); a generator whose logits were on the CPU and
   are not any more is made anew. */
NN_API nn_generator *nn_make_generator_at(nn_site site, nn_model *net,
                                          const nn_generator_desc *desc);
#define nn_make_generator(...) nn_make_generator_at(NN_HERE, __VA_ARGS__)
/* NULL is allowed. It comes before the tokenizer's and the model's; behind the model's it is an
   error that says so, and the rest is freed. nn_close frees generators too. */
NN_API void nn_free_generator(nn_generator *generator);

/* Adds to a text what it will answer, as the first or a further turn. An error, and nothing was
   added, where the context has no room for it and one token more (with .slide: where .longest
   has none), or while nn_generate_for is pending. */
NN_API nn_result nn_prompt_at(nn_site site, nn_generator *generator, int32_t text,
                              const char *prompt, size_t bytes);
#define nn_prompt(...) nn_prompt_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_prompt_ids_at(nn_site site, nn_generator *generator, int32_t text,
                                  const int32_t *ids, int32_t count);
#define nn_prompt_ids(...) nn_prompt_ids_at(NN_HERE, __VA_ARGS__)
/* The text is empty again; -1: all of them. Not while nn_generate_for is pending. */
NN_API nn_result nn_forget_at(nn_site site, nn_generator *generator, int32_t text);
#define nn_forget(...) nn_forget_at(NN_HERE, __VA_ARGS__)
/* Other ways to choose, from the next token on. NULL: the defaults. */
NN_API nn_result nn_set_sampling_at(nn_site site, nn_generator *generator,
                                    const nn_sampling *sampling);
#define nn_set_sampling(...) nn_set_sampling_at(NN_HERE, __VA_ARGS__)

/* Writes until all texts have ended: those that were prompted since they last ended, or where none
   was, all that go on: texts with tokens that the context did not end. NN_OK; NN_CANCELLED when a
   text was ended by its caller; or an error, behind which the call may be made again. Logits that
   are NaN or infinite, or all -infinity, are NN_ERROR_NAN; .write is told nothing of that run. */
NN_API nn_result nn_generate_at(nn_site site, nn_generator *generator);
#define nn_generate(...) nn_generate_at(NN_HERE, __VA_ARGS__)
/* The same for about so many microseconds, as nn_run_for: NN_PENDING until all is written. The same
   texts, however they are cut. */
NN_API nn_result nn_generate_for_at(nn_site site, nn_generator *generator, int64_t microseconds);
#define nn_generate_for(...) nn_generate_for_at(NN_HERE, __VA_ARGS__)
/* What is being written ends: the next nn_generate_for finishes the run under way and returns
   NN_CANCELLED. */
NN_API void nn_cancel_generation(nn_generator *generator);

/* ---- what was written ------------------------------------------------------------------------ */

NN_API nn_ending nn_text_ending(const nn_generator *generator, int32_t text);
/* All ids of a text, prompts included; valid until it changes. NULL and 0: there are none. count
   may be NULL. */
NN_API const int32_t *nn_text_ids(const nn_generator *generator, int32_t text, int32_t *count);
/* Those written in its last turn, with the token or the word that ended it. */
NN_API const int32_t *nn_answer_ids(const nn_generator *generator, int32_t text, int32_t *count);
/* The last turn as .write got it. */
NN_API nn_result nn_write_answer_at(nn_site site, nn_generator *generator, int32_t text,
                                    nn_writer writer);
#define nn_write_answer(...) nn_write_answer_at(NN_HERE, __VA_ARGS__)
/* The plan, for reports (nn_write_plan, nn_plan_bytes); it goes with the generator. NULL for
   NULL. */
NN_API nn_plan *nn_generator_plan(const nn_generator *generator);

/* ---- describing ------------------------------------------------------------------------------ */

/* (NN_BATCH, C) of x (NN_BATCH, NN_TIME, C): the row of each text that nn_generator_desc.last says.
   Between the last layer and the product with the vocabulary it saves that product for all other
   rows. */
NN_API nn_node *nn_pick_rows_at(nn_site site, nn_model *net, nn_node *x, nn_node *last);
#define nn_pick_rows(...) nn_pick_rows_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_generator *nn_make_generator_at(nn_site site, nn_model *net,
                                          const nn_generator_desc &desc) {
    return nn_make_generator_at(site, net, &desc);
}
inline nn_result nn_set_sampling_at(nn_site site, nn_generator *generator,
                                    const nn_sampling &sampling) {
    return nn_set_sampling_at(site, generator, &sampling);
}
}
#endif
