/* tensor/safetensors_words.h - reading the header of a safetensors file word by word. */
#pragma once

#include "tensor/private.h"

#ifndef NN_NO_FILES
typedef struct nn__safetensors_reader {
    nn_safetensors *file;
    nn_site site;
    char *text; /* the header; at text[length] stands a zero */
    size_t length, at;
    size_t before; /* bytes of the file in front of the text */
} nn__safetensors_reader;

/* An error about a byte of the file. Returns false, so that callers can return it. */
NN_PRIVATE bool nn__safetensors_wrong(const nn__safetensors_reader *reader, size_t at,
                                      const char *format, ...);
/* The next sign behind white space; 0 at the end. */
NN_PRIVATE char nn__safetensors_peek(nn__safetensors_reader *reader);
/* False, with an error that says where (`where`: "behind a name"), unless this is what comes
   next. */
NN_PRIVATE bool nn__safetensors_expect(nn__safetensors_reader *reader, char wanted,
                                       const char *where);
NN_PRIVATE bool nn__safetensors_string(nn__safetensors_reader *reader, const char **string,
                                       const char *where);
NN_PRIVATE bool nn__safetensors_number(nn__safetensors_reader *reader, uint64_t *number,
                                       const char *where);
/* After an element of a list: true with *more when a comma follows, false with a message on
   anything but `closing`. */
NN_PRIVATE bool nn__safetensors_next(nn__safetensors_reader *reader, char closing, bool *more,
                                     const char *where);
/* safetensors_header.c: room for one more item of a list. */
NN_PRIVATE bool nn__safetensors_grow(nn_safetensors *file, void **items, int count, int *capacity,
                                     size_t item_bytes);
/* Fills by_name; false: two have one name, or there is no memory. */
NN_PRIVATE bool nn__safetensors_check_names(const nn__safetensors_reader *reader);
NN_PRIVATE bool nn__safetensors_order(nn_safetensors *file); /* fills by_offset */
#endif
