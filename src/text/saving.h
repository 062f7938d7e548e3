/* text/saving.h - what writes a tokenizer.json: text that grows, as JSON. */
#pragma once

#include "text/private.h"

typedef struct nn__text_saving {
    nn__text_call *call;
    const nn_tokenizer *t;
    nn__text_buffer text;
    size_t length;
    bool again; /* behind a member of a list or an object: a comma comes first */
} nn__text_saving;

/* A comma where one is due, and a line. */
NN__TEXT_PRIVATE void nn__save_next(nn__text_saving *out, const char *line);
NN__TEXT_PRIVATE void nn__save_text(nn__text_saving *out, const char *text);
/* What stands between quotes, then with them. */
NN__TEXT_PRIVATE void nn__save_escaped(nn__text_saving *out, const char *text, size_t bytes);
NN__TEXT_PRIVATE void nn__save_quoted(nn__text_saving *out, const char *text, size_t bytes);
NN__TEXT_PRIVATE void nn__save_number(nn__text_saving *out, int64_t value);
NN__TEXT_PRIVATE void nn__save_open(nn__text_saving *out, const char *sign);
NN__TEXT_PRIVATE void nn__save_close(nn__text_saving *out, const char *sign);
/* A key; its value is written next. */
NN__TEXT_PRIVATE void nn__save_key(nn__text_saving *out, const char *key);
NN__TEXT_PRIVATE void nn__save_flag(nn__text_saving *out, const char *key, bool value);
/* text NULL: null. */
NN__TEXT_PRIVATE void nn__save_string(nn__text_saving *out, const char *key, const char *text,
                                      size_t bytes);
NN__TEXT_PRIVATE void nn__save_integer(nn__text_saving *out, const char *key, int64_t value);
/* {"type": name, and what follows until nn__save_close. */
NN__TEXT_PRIVATE void nn__save_type(nn__text_saving *out, const char *name);
/* The text of a token, by its id; none: null. */
NN__TEXT_PRIVATE void nn__save_token_text(nn__text_saving *out, const char *key, uint32_t id);

/* Keys of the file. */
NN__TEXT_PRIVATE void nn__save_normalizers(nn__text_saving *out);
NN__TEXT_PRIVATE void nn__save_splitters(nn__text_saving *out);
NN__TEXT_PRIVATE void nn__save_post(nn__text_saving *out);
NN__TEXT_PRIVATE void nn__save_decoder(nn__text_saving *out);
NN__TEXT_PRIVATE void nn__save_limits(nn__text_saving *out);
