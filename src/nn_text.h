/* nn_text.h - tokenizers, language models, generation for nn.h. This is the list of its parts. */
#ifndef NN_TEXT_H
#define NN_TEXT_H

/* CONTENTS */

#include "nn.h"
#include "nn_sequence.h"

/* ---- TEXT: tokenizers, text to ids, ids to text ---- */
#include "text/text.h"

/* ---- ANSWERS: rows to train a language model on ---- */
#include "language/answers.h"

/* ---- GENERATION: a language model writes ---- */
#include "language/generate.h"

/* ---- MODELS: other people's language models and their weights ---- */
#include "language/models.h"
#include "text/overloads.h"

#endif /* NN_TEXT_H: stop here if you only want the API. */

#if defined(NN_TEXT_IMPLEMENTATION) && !defined(NN_TEXT_IMPLEMENTED)
#define NN_TEXT_IMPLEMENTED
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic push
#ifdef NN__OWN_API
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#endif
/* ---- IMPLEMENTATION, base: memory and errors, UTF-8 and Unicode, JSON ---- */
#include "text/tables.h"
#include "text/tables_read.h"
#include "text/memory.c"
#include "text/unicode.c"
#include "text/compose.c"
#include "text/json.c"
/* ---- text to tokens: vocabulary, models, normalizers, pre-tokenizers ---- */
#include "text/vocab.c"
#include "text/unigram.c"
#include "text/bpe.c"
#include "text/wordpiece.c"
#include "text/normalize.c"
#include "text/regex.c"
#include "text/split.c"
#include "text/added.c"
#include "text/encode.c"
#include "text/finish.c"
#include "text/batch.c"
#include "text/decode.c"
/* ---- files ---- */
#include "text/parse.c"
#include "text/parse_steps.c"
#include "text/parse_post.c"
#include "text/open.c"
#include "text/train.c"
#include "text/saving.h"
#include "text/save_steps.c"
#include "text/save.c"
/* ---- language: rows to learn from, generation ---- */
#include "language/answers.c"
#include "language/sample.c"
#include "language/speak.c"
#include "language/generator.c"
#include "language/generate.c"
/* ---- models of others: config.json, nets, weights ---- */
#include "language/config.c"
#include "language/config_values.c"
#include "language/config_keys.c"
#include "language/causal_lm.c"
#include "language/text_encoder.c"
#include "language/gguf.c"
#include "language/gguf_blocks.c"
#include "language/gguf_config.c"
#include "language/gguf_weights.c"
#include "language/gguf_tokenizer.c"
#include "language/pretrained.c"
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#endif
#endif
