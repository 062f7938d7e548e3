/* language/answers.h - turns prompts and answers into rows of ids and labels, to train a language
   model on the answers only. */
#pragma once

#include "text/text.h"

typedef struct nn_answer {
    const char *prompt; /* NULL: no prompt */
    size_t prompt_bytes;
    const char *answer;
    size_t answer_bytes;
} nn_answer;

typedef struct nn_fill_answers_desc {
    /* default: false, one pair per row. true: as many whole pairs per row as fit, in order */
    bool pack;
    bool whole;           /* default: false. true: trains on the prompt, too */
    int32_t ignore_index; /* default: -100. The label of places that are not trained; it is an error
                             if a trained id equals it */
    const char *begin;    /* default: none. A token before each prompt: "<s>" */
    const char *end; /* default: none. A token after each answer, which is trained with it:
                        "<|endoftext|>"; generation stops there */
} nn_fill_answers_desc;

/* Fills three i32 tensors (rows, length), on the device where they are (nn_encode_batch), with as
   many pairs as fit; *used receives their number. It is an error, and nothing is written, if a pair
   is longer than a row (the message has its number and length), or without .pack if there are more
   pairs than rows. desc may be NULL.

   - ids: the ids of prompt and answer, encoded separately and without special tokens; then 0.
   - labels: at each place the NEXT id if it belongs to an answer, else ignore_index. They are
     already shifted: compare row i of the logits with label i,
         nn_cross_entropy(net, nn_reshape(net, logits, NN_SHAPE(128 * NN_BATCH, vocab_size)),
                          nn_reshape(net, labels, NN_SHAPE(128 * NN_BATCH)),
                          &(nn_cross_entropy_desc){ .ignore = true, .ignore_index = -100 })
     whose mean is over the labels that are not ignored; a trainer with .accumulate weights its
     batches by their number.
   - starts (may be NULL without .pack): the place in the row where the text of each id begins. With
     nn_causal_lm_desc.starts no text sees another one, and positions begin at 0 in each. Each place
     after the last text is a text of its own. */
NN_API nn_result nn_fill_answers_at(nn_site site, nn_tokenizer *tokenizer, const nn_answer *pairs,
                                    int32_t count, const nn_fill_answers_desc *desc, nn_tensor *ids,
                                    nn_tensor *labels, nn_tensor *starts, int32_t *used);
#define nn_fill_answers(...) nn_fill_answers_at(NN_HERE, __VA_ARGS__)
