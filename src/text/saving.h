/* text/saving.h - functions that write tokenizer.json into a growing text. */
#pragma once

#include "text/private.h"

typedef struct nn__text_saving {
    nn__text_call *call;
    const nn_tokenizer *t;
    nn__text_buffer text;
    size_t length;
    bool again; /* after a member of a list or object: the next one starts with a comma */
} nn__text_saving;

/* Writes a comma if one is due, and then the line. */
NN__TEXT_PRIVATE void nn__save_next(nn__text_saving *out, const char *line);
NN__TEXT_PRIVATE void nn__save_text(nn__text_saving *out, const char *text);
/* Both write a string with escapes, the second one in quotes. */
NN__TEXT_PRIVATE void nn__save_escaped(nn__text_saving *out, const char *text, size_t bytes);
NN__TEXT_PRIVATE void nn__save_quoted(nn__text_saving *out, const char *text, size_t bytes);
NN__TEXT_PRIVATE void nn__save_number(nn__text_saving *out, int64_t value);
NN__TEXT_PRIVATE void nn__save_open(nn__text_saving *out, const char *sign);
NN__TEXT_PRIVATE void nn__save_close(nn__text_saving *out, const char *sign);
/* Writes a key; write its value next. */
NN__TEXT_PRIVATE void nn__save_key(nn__text_saving *out, const char *key);
NN__TEXT_PRIVATE void nn__save_flag(nn__text_saving *out, const char *key, bool value);
/* text NULL: writes null. */
NN__TEXT_PRIVATE void nn__save_string(nn__text_saving *out, const char *key, const char *text,
                                      size_t bytes);
NN__TEXT_PRIVATE void nn__save_integer(nn__text_saving *out, const char *key, int64_t value);
/* Opens an object and writes {"type": name. nn__save_close ends it. */
NN__TEXT_PRIVATE void nn__save_type(nn__text_saving *out, const char *name);
/* Writes the text of a token by its id; unknown: null. */
NN__TEXT_PRIVATE void nn__save_token_text(nn__text_saving *out, const char *key, uint32_t id);

/* Each writes one key of the file, with its value. */
NN__TEXT_PRIVATE void nn__save_normalizers(nn__text_saving *out);
NN__TEXT_PRIVATE void nn__save_splitters(nn__text_saving *out);
NN__TEXT_PRIVATE void nn__save_post(nn__text_saving *out);
NN__TEXT_PRIVATE void nn__save_decoder(nn__text_saving *out);
NN__TEXT_PRIVATE void nn__save_limits(nn__text_saving *out);
