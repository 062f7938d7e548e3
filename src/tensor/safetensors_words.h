/* tensor/safetensors_words.h - reads the header of a safetensors file word by word. */
#pragma once

#include "tensor/private.h"

#ifndef NN_NO_FILES
typedef struct nn__safetensors_reader {
    nn_safetensors *file;
    nn_site site;
    char *text; /* the header, with a zero at text[length] */
    size_t length, at;
    size_t before; /* bytes of the file before the text */
} nn__safetensors_reader;

/* Reports an error at byte `at`. Returns false, so that callers can return it. */
NN_PRIVATE bool nn__safetensors_wrong(const nn__safetensors_reader *reader, size_t at,
                                      const char *format, ...);
/* Skips white space and returns the next character; 0 at the end. */
NN_PRIVATE char nn__safetensors_peek(nn__safetensors_reader *reader);
/* Takes `wanted`, or reports that it is missing; `where` as in "after a name". */
NN_PRIVATE bool nn__safetensors_expect(nn__safetensors_reader *reader, char wanted,
                                       const char *where);
NN_PRIVATE bool nn__safetensors_string(nn__safetensors_reader *reader, const char **string,
                                       const char *where);
NN_PRIVATE bool nn__safetensors_number(nn__safetensors_reader *reader, uint64_t *number,
                                       const char *where);
/* After an element of a list: takes a comma (*more is true) or `closing`; false: anything else,
   reported. */
NN_PRIVATE bool nn__safetensors_next(nn__safetensors_reader *reader, char closing, bool *more,
                                     const char *where);
/* Makes room for one more item of a list (safetensors_header.c). */
NN_PRIVATE bool nn__safetensors_grow(nn_safetensors *file, void **items, int count, int *capacity,
                                     size_t item_bytes);
/* Fills by_name. False: two entries have one name, or there is no memory. */
NN_PRIVATE bool nn__safetensors_check_names(const nn__safetensors_reader *reader);
NN_PRIVATE bool nn__safetensors_order(nn_safetensors *file); /* fills by_offset */
#endif
