/* language/generate_private.h - shared by the files of a generator.

     a run        ids, positions -> logits             generate.c
     a token      logits -> one of them                sample.c
     a piece      token -> text, but no stop word      speak.c */
#pragma once

#include "language/generate.h"
#include "text/private.h"

#include <math.h>

/* Work memory for sampling; each array has `size` elements. */
typedef struct nn__sampler {
    float *scores;   /* the logits; -infinity: the token is not allowed */
    float *kept;     /* a copy of scores, to select from */
    double *weights; /* exp(score - the largest score) */
    int32_t *order;  /* tokens, as a heap */
    uint32_t *seen;  /* a bit for each token, all zero between calls */
    int32_t size;
} nn__sampler;

/* Returns the token that `sampling` chooses from sampler->scores, to follow these ids. -1: logits
   are NaN, infinite, or all -infinity. */
NN__TEXT_PRIVATE int32_t nn__sample_token(nn__sampler *sampler, const nn_sampling *sampling,
                                          const int32_t *ids, int32_t count, uint64_t text);
/* Computes the scores and weights that the choice uses; false where nn__sample_token returns -1. */
NN__TEXT_PRIVATE bool nn__sample_process(nn__sampler *sampler, const nn_sampling *sampling,
                                         const int32_t *ids, int32_t count);
/* Records which number is out of range. */
NN__TEXT_PRIVATE bool nn__sample_check(nn__text_call *call, const nn_sampling *sampling);

/* Text on its way to the reader. The end of it is held back while it may become a stop word. */
typedef struct nn__speech {
    nn_decode_stream stream;
    char *held;
    size_t length; /* bytes in held */
    bool stopped;  /* by a stop word */
    bool refused;  /* by the function that it is written to */
} nn__speech;

typedef struct nn__writing {
    int32_t *ids;    /* all of the text, prompts included */
    int32_t count;   /* number of ids */
    int32_t fed;     /* number of ids whose keys and values are in the cache */
    int32_t answer;  /* where the last turn's answer begins */
    bool prompted;   /* since the text last ended */
    bool active;     /* it is being written */
    nn_ending ending;
    nn__speech speech;
    nn_decode_stream before; /* the decoder, where the answer begins */
    int32_t feeds;           /* number of ids in this run */
    bool chooses;            /* a token is chosen after this run */
    int32_t next;            /* that token */
} nn__writing;

struct nn_generator {
    nn_context *nn;
    void *owned;
    nn_generator_desc desc; /* with defaults; .stop.text and .end_tokens.text are the caller's */
    nn_plan *plan;
    int32_t vocabulary; /* logits in a row */
    int32_t room;       /* the most tokens of a text */
    int32_t widest;     /* the plan's time */
    bool places_shared; /* .places is (NN_TIME) */
    int32_t *end_ids;        /* of desc.end_tokens, in their order */
    const char **stop_words; /* of desc.stop */
    size_t *stop_bytes;      /* their lengths */
    size_t held_capacity;
    bool in_memory; /* logits are on the CPU, and read in place */
    bool has_gaps;  /* some ids below `vocabulary` have no token */

    nn__writing *texts;
    int32_t *input_ids, *input_positions, *input_places, *input_last;
    float *rows; /* logits, downloaded */
    nn__sampler sampler;
    char *rehearsed; /* held text for nn_write_answer */

    /* The turn and the run under way. */
    bool writing, running, sliced, cancelled;
    bool by_caller; /* a text of this turn was ended by the caller */
    bool busy; /* inside nn_generate or nn_generate_for, and so perhaps inside .write */
    int32_t run_rows, run_time;

    void *memory; /* of all arrays above */
    size_t memory_bytes;
};

/* Where pieces of text go. */
typedef struct nn__listener {
    const nn_generator *generator;
    int32_t text;
    bool writes; /* to .write; otherwise to `writer`, if it has a function */
    nn_writer writer;
} nn__listener;

/* Writes one more token of an answer; writes what is held at its end. False: an error, which is
   recorded. */
NN__TEXT_PRIVATE bool nn__speak(nn__text_call *call, nn__speech *speech, int32_t id,
                                const nn__listener *listener);
NN__TEXT_PRIVATE bool nn__speak_end(nn__text_call *call, nn__speech *speech,
                                    const nn__listener *listener);
/* Decodes a token of a prompt: it is not written, but the decoder needs it for what follows. */
NN__TEXT_PRIVATE bool nn__speak_silently(nn__text_call *call, nn__speech *speech,
                                         const nn_generator *generator, int32_t id);
/* Returns the bytes of the longest piece, and gives the tokenizer memory to decode any token. 0: an
   error. */
NN__TEXT_PRIVATE size_t nn__speak_longest(nn__text_call *call, nn_tokenizer *tokenizer,
                                          bool special);
