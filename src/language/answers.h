/* language/answers.h - prompts and their answers as rows of ids and labels, to train a language
   model on the answers alone. */
#pragma once

#include "text/text.h"

typedef struct nn_answer {
    const char *prompt; /* NULL: none, all of it is answer */
    size_t prompt_bytes;
    const char *answer;
    size_t answer_bytes;
} nn_answer;

typedef struct nn_fill_answers_desc {
    bool pack;            /* default: false, one pair in each row. true: as many as there is room
                             for, in their order, none cut */
    bool whole;           /* default: false. true: the prompt is learned, too */
    int32_t ignore_index; /* default: -100. The label where nothing is to be learned; an id that is
                             to be learned is an error */
    const char *begin;    /* default: none. A token before each prompt: "<s>" */
    const char *end;      /* default: none. A token behind each answer, which is learned with it:
                             "<|endoftext|>"; generation stops there */
} nn_fill_answers_desc;

/* Fills three i32 tensors of (rows, length), which stay where they are (nn_encode_batch), with as
   many of the pairs as they have room for; their number into *used. An error, and nothing is
   written: a pair that is longer than a row, with its number and length; without .pack more pairs
   than rows.

   - ids: of prompt and answer, each encoded alone and without special tokens; 0 behind them.
   - labels: at each place the id that FOLLOWS there, where it is one of an answer, and ignore_index
     elsewhere. They are shifted already: compare row i of the logits with label i,
         nn_cross_entropy(net, nn_reshape(net, logits, NN_SHAPE(128 * NN_BATCH, vocab_size)),
                          nn_reshape(net, labels, NN_SHAPE(128 * NN_BATCH)),
                          &(nn_cross_entropy_desc){ .ignore = true, .ignore_index = -100 })
     whose mean is over the labels that count; a trainer with .accumulate weighs its batches by
     them.
   - starts (may be NULL without .pack): the place in the row where the text of each id begins, for
     nn_causal_lm_desc.starts, by which no text sees another one and positions begin anew. Each
     place behind the last text is a text of its own.
   desc may be NULL. */
NN_API nn_result nn_fill_answers_at(nn_site site, nn_tokenizer *tokenizer, const nn_answer *pairs,
                                    int32_t count, const nn_fill_answers_desc *desc, nn_tensor *ids,
                                    nn_tensor *labels, nn_tensor *starts, int32_t *used);
#define nn_fill_answers(...) nn_fill_answers_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_result nn_fill_answers_at(nn_site site, nn_tokenizer *tokenizer, const nn_answer *pairs,
                                    int32_t count, const nn_fill_answers_desc &desc, nn_tensor *ids,
                                    nn_tensor *labels, nn_tensor *starts, int32_t *used) {
    return nn_fill_answers_at(site, tokenizer, pairs, count, &desc, ids, labels, starts, used);
}
}
#endif
