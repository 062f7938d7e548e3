/* tensor/safetensors.h - the safetensors format: a JSON header, then the bytes of all tensors.
   https://github.com/huggingface/safetensors (format section of its README).

   Reading accepts every file that Python's safetensors writes. Sizes, offsets, overlaps, names and
   nesting are checked before use. Files are little-endian on every machine. */
#pragma once

#include "tensor/tensor.h"

#ifndef NN_NO_FILES
typedef struct nn_safetensors
    nn_safetensors; /* an open file: header in memory, tensors on disk */

typedef struct nn_safetensors_entry {
    const char *name; /* UTF-8, valid until the file is closed */
    nn_dtype dtype; /* NN_DTYPE_COUNT: a dtype that the library lacks (U16, F8_E4M3, C64 ...); it
                       can be skipped but not read */
    nn_shape shape;
    uint64_t offset, bytes; /* in the file; with an index, as if its files were concatenated */
} nn_safetensors_entry;

/* Opens a file. path may also be a model.safetensors.index.json: the files that it names, in the
   same folder, are opened as one, and each tensor must be where the index says, or nothing is
   opened. All functions that read safetensors accept such a path, nn_load_weights too. Returns NULL
   on failure; see nn_error. */
NN_API nn_safetensors *nn_open_safetensors_at(nn_site site, nn_context *nn, const char *path);
#define nn_open_safetensors(...) nn_open_safetensors_at(NN_HERE, __VA_ARGS__)
NN_API void nn_close_safetensors(nn_safetensors *file);
NN_API int nn_safetensors_count(const nn_safetensors *file);
NN_API nn_safetensors_entry nn_safetensors_at(const nn_safetensors *file,
                                              int i); /* ordered by offset */
NN_API int nn_safetensors_find(const nn_safetensors *file, const char *name); /* -1: not found */
/* Returns the value of a key of __metadata__; NULL if there is none. */
NN_API const char *nn_safetensors_metadata(const nn_safetensors *file, const char *key);
/* Reads entry i into host memory, converted to `dtype` (F16, BF16, F64, I64 ...; default: as
   stored). `bytes` must be its exact size in that dtype. */
NN_API nn_result nn_read_safetensors_at(nn_site site, nn_safetensors *file, int i, nn_dtype dtype,
                                        void *to, size_t bytes);
#define nn_read_safetensors(...) nn_read_safetensors_at(NN_HERE, __VA_ARGS__)

/* Writes tensors of any device (downloads are in the ledger) to a new file that replaces `path` at
   the end; after a failure the old file stays. metadata: key, value, key, value ..., or NULL;
   metadata_count is the number of strings. */
NN_API nn_result nn_save_safetensors_at(nn_site site, nn_context *nn, const char *path,
                                        nn_tensor *const *tensors, int count,
                                        const char *const *metadata, int metadata_count);
#define nn_save_safetensors(...) nn_save_safetensors_at(NN_HERE, __VA_ARGS__)
#endif
