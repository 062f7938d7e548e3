/* language/gguf.h - GGUF files, which llama.cpp writes: shared by the files that read them.
   https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

   gguf.c reads and checks the header, gguf_blocks.c unpacks blocks of weights, gguf_config.c makes
   an nn_config of the metadata, gguf_weights.c shows the tensors as a safetensors file, and
   gguf_tokenizer.c opens the tokenizer. */
#pragma once

#include "language/models_private.h"

/* Types of tensors that are read. The numbers are those of ggml_type. */
enum {
    NN__GGUF_F32 = 0,
    NN__GGUF_F16 = 1,
    NN__GGUF_Q4_0 = 2,
    NN__GGUF_Q4_1 = 3,
    NN__GGUF_Q5_0 = 6,
    NN__GGUF_Q5_1 = 7,
    NN__GGUF_Q8_0 = 8,
    NN__GGUF_Q4_K = 12,
    NN__GGUF_Q5_K = 13,
    NN__GGUF_Q6_K = 14,
    NN__GGUF_BF16 = 30
};

typedef struct nn__gguf_type {
    const char *name; /* NULL: a type that ggml does not have */
    int16_t block, bytes; /* numbers and bytes of a block */
    bool read; /* false: its blocks are not unpacked here */
} nn__gguf_type;

/* A key of the metadata. Texts are not terminated. */
typedef struct nn__gguf_key {
    const char *name;
    size_t length;
    uint32_t type; /* of the value, or of its elements */
    uint64_t count; /* elements of an array; of a single value 1 */
    bool is_array;
    const char *value;
} nn__gguf_key;

typedef struct nn__gguf_tensor {
    const char *name;
    size_t length;
    uint32_t type;
    int32_t rank;
    int64_t rows, columns; /* rows: of all axes but the fastest */
    uint64_t offset, row_bytes; /* in the file */
} nn__gguf_tensor;

typedef struct nn__gguf {
    nn__text_call *call;
    const char *path;
    nn_files files; /* the context's */
    void *file;
    uint64_t size;
    nn__text_buffer head, key_memory, tensor_memory;
    size_t head_bytes; /* bytes of the file in `head` */
    nn__gguf_key *keys;
    nn__gguf_tensor *tensors;
    uint32_t key_count, tensor_count;
} nn__gguf;

#ifndef NN_NO_FILES
/* Opens a file, and reads and checks all of its header. False: an error. Close it in any case. */
NN__TEXT_PRIVATE bool nn__gguf_open(nn__text_call *call, const char *path, nn__gguf *g);
NN__TEXT_PRIVATE void nn__gguf_close(nn__gguf *g);
/* True if the path ends in ".gguf". */
NN__TEXT_PRIVATE bool nn__gguf_is(const char *path);
/* NULL: there is none. */
NN__TEXT_PRIVATE const nn__gguf_key *nn__gguf_find(const nn__gguf *g, const char *name);
NN__TEXT_PRIVATE const nn__gguf_tensor *nn__gguf_tensor_of(const nn__gguf *g, const char *name);
NN__TEXT_PRIVATE const nn__gguf_type *nn__gguf_type_of(uint32_t type);
/* Reads element i of a key as a number. False: it is not a number. */
NN__TEXT_PRIVATE bool nn__gguf_number(const nn__gguf_key *key, uint64_t i, double *number);
enum { NN__GGUF_TEXTS = 8 }; /* type of texts */
/* Returns the text of a key; NULL: the key has no text. */
NN__TEXT_PRIVATE const char *nn__gguf_text(const nn__gguf_key *key, size_t *length);
/* Little-endian numbers at any address. */
NN__TEXT_PRIVATE uint64_t nn__gguf_word(const char *from, int bytes);

/* ---- gguf_blocks.c --------------------------------------------------------------------------- */

NN__TEXT_PRIVATE float nn__gguf_half(const uint8_t *from);
/* Rounds to f16, halves to even. Numbers that are too large become infinite. */
NN__TEXT_PRIVATE uint16_t nn__gguf_to_half(float number);
/* Unpacks n numbers, a multiple of the type's block. */
NN__TEXT_PRIVATE void nn__gguf_floats(uint32_t type, const uint8_t *blocks, int64_t n, float *to);
/* True for types whose groups of 32 are numbers of 4 bits with a scale and a minimum. */
NN__TEXT_PRIVATE bool nn__gguf_is_nibbles(uint32_t type);
/* Rearranges n such numbers as nn_quantize stores them. The last three parameters receive for every
   group 16 bytes, a scale and a minimum; the latter two are f16. Each parameter may be NULL. */
NN__TEXT_PRIVATE void nn__gguf_nibbles(uint32_t type, const uint8_t *blocks, int64_t n,
                                       uint8_t *bytes, uint16_t *scale, uint16_t *minimum);

/* ---- gguf_config.c, gguf_weights.c ----------------------------------------------------------- */

/* Fills a zeroed config; the caller completes and checks it. */
NN__TEXT_PRIVATE bool nn__gguf_config(nn__gguf *g, nn_config *config);
NN__TEXT_PRIVATE nn_result nn__gguf_load(nn__text_call *call, nn_model *net,
                                         const nn_config *config, const char *path);
#endif
