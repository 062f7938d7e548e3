/* language/generate_private.h - the inside of a generator.

     a run        ids, positions -> logits             generate.c
     a token      logits -> one of them                sample.c
     a piece      token -> text, but no stop word      speak.c */
#pragma once

#include "language/generate.h"
#include "text/private.h"

#include <math.h>

/* Work memory of sampling, `size` of each. */
typedef struct nn__sampler {
    float *scores;   /* logits under way; -infinity: not allowed */
    float *kept;     /* a copy, for selection */
    double *weights; /* exp(score - the largest) */
    int32_t *order;  /* a heap of tokens */
    uint32_t *seen;  /* a bit for each token, all zero between calls */
    int32_t size;
} nn__sampler;

/* The token that `sampling` chooses of sampler->scores, behind these ids. -1: logits are NaN,
   infinite, or all -infinity. */
NN__TEXT_PRIVATE int32_t nn__sample_token(nn__sampler *sampler, const nn_sampling *sampling,
                                          const int32_t *ids, int32_t count, uint64_t text);
/* Scores and weights as the choice sees them; false: as above. */
NN__TEXT_PRIVATE bool nn__sample_process(nn__sampler *sampler, const nn_sampling *sampling,
                                         const int32_t *ids, int32_t count);
/* Records what is out of range. */
NN__TEXT_PRIVATE bool nn__sample_check(nn__text_call *call, const nn_sampling *sampling);

/* Text on its way out: pieces of tokens, of which the end is held back while it may become a stop
   word. */
typedef struct nn__speech {
    nn_decode_stream stream;
    char *held;
    size_t length; /* of held */
    bool stopped;  /* by a word */
    bool refused;  /* by the one who hears it */
} nn__speech;

typedef struct nn__writing {
    int32_t *ids;    /* of the text, prompts included */
    int32_t count;   /* of ids */
    int32_t fed;     /* of ids, whose keys and values are in the cache */
    int32_t answer;  /* where the last turn's answer begins */
    bool prompted;   /* since it last ended */
    bool active;     /* it is being written */
    nn_ending ending;
    nn__speech speech;
    nn_decode_stream before; /* the decoder where the answer begins */
    int32_t feeds;           /* of ids, in the run under way */
    bool chooses;            /* a token, when it is done */
    int32_t next;            /* that token */
} nn__writing;

struct nn_generator {
    nn_context *nn;
    void *owned;
    nn_generator_desc desc; /* defaults filled in; words point into `words` */
    nn_plan *plan;
    int32_t vocabulary; /* logits in a row */
    int32_t room;       /* tokens of a text at most */
    int32_t widest;     /* the plan's time */
    bool places_shared; /* .places is (NN_TIME) */
    int32_t end_ids[NN_END_TOKENS], end_count;
    size_t stop_bytes[NN_STOP_WORDS];
    int32_t stop_count;
    size_t held_capacity;
    bool in_memory; /* logits are read in place */
    bool has_gaps;  /* the tokenizer does not know all ids below `vocabulary` */

    nn__writing *texts;
    int32_t *input_ids, *input_positions, *input_places, *input_last;
    float *rows; /* logits that were downloaded */
    nn__sampler sampler;
    char *rehearsed; /* for nn_write_answer */

    /* The run under way. */
    bool writing, running, sliced, cancelled;
    bool by_caller; /* a text of this turn ended so */
    bool busy; /* nn_generate or nn_generate_for is at work, so that .write may be, too */
    int32_t run_rows, run_time;

    void *memory; /* all of the above */
    size_t memory_bytes;
};

/* What hears a piece; false: no more. */
typedef struct nn__listener {
    const nn_generator *generator;
    int32_t text;
    bool writes; /* to .write; else to `writer`, if it has a function */
    nn_writer writer;
} nn__listener;

/* One more token of an answer, and the end of it. False: an error, which is recorded. */
NN__TEXT_PRIVATE bool nn__speak(nn__text_call *call, nn__speech *speech, int32_t id,
                                const nn__listener *listener);
NN__TEXT_PRIVATE bool nn__speak_end(nn__text_call *call, nn__speech *speech,
                                    const nn__listener *listener);
/* A token of a prompt: it is not heard, but what follows is decoded as behind it. */
NN__TEXT_PRIVATE bool nn__speak_silently(nn__text_call *call, nn__speech *speech,
                                         const nn_generator *generator, int32_t id);
/* Bytes of the longest piece; the tokenizer then has the memory to decode any token. 0: an
   error. */
NN__TEXT_PRIVATE size_t nn__speak_longest(nn__text_call *call, nn_tokenizer *tokenizer,
                                          bool special);
