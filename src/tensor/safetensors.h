/* tensor/safetensors.h - the safetensors format: a JSON header, then the bytes of all tensors.
   https://github.com/huggingface/safetensors (format section of its README).

   Reading accepts every file that Python's safetensors writes; nothing in a file is trusted: sizes,
   offsets, overlaps, names and nesting are checked before use. Files are little-endian on every
   machine. */
#pragma once

#include "tensor/tensor.h"

#ifndef NN_NO_FILES
typedef struct nn_safetensors
    nn_safetensors; /* an open file: its table of contents in memory, its tensors on disk */

typedef struct nn_safetensors_entry {
    const char *name; /* UTF-8, lives until the file is closed */
    nn_dtype dtype; /* NN_DTYPE_COUNT: one that the library has not (U16, F8_E4M3, C64 ...), which
                       can be passed over but not read */
    nn_shape shape;
    uint64_t offset, bytes; /* in the file; of an index: in its files, one behind the other */
} nn_safetensors_entry;

/* path may also be a model.safetensors.index.json: then the files that it names, which lie beside
   it, are open as one, and each tensor has to be where the index says, all or nothing. Every
   function that reads safetensors takes such a path, nn_load_weights too. NULL: nn_error tells. */
NN_API nn_safetensors *nn_open_safetensors_at(nn_site site, nn_context *nn, const char *path);
#define nn_open_safetensors(...) nn_open_safetensors_at(NN_HERE, __VA_ARGS__)
NN_API void nn_close_safetensors(nn_safetensors *file);
NN_API int nn_safetensors_count(const nn_safetensors *file);
NN_API nn_safetensors_entry nn_safetensors_at(const nn_safetensors *file,
                                              int i); /* in the order of their offsets */
NN_API int nn_safetensors_find(const nn_safetensors *file, const char *name); /* -1: not there */
/* The value of a key of __metadata__; NULL: not there. */
NN_API const char *nn_safetensors_metadata(const nn_safetensors *file, const char *key);
/* Reads entry i as `dtype` (F16, BF16, F64, I64 ... converted; default: as stored) into host memory
   of exactly count elements. */
NN_API nn_result nn_read_safetensors_at(nn_site site, nn_safetensors *file, int i, nn_dtype dtype,
                                        void *to, size_t bytes);
#define nn_read_safetensors(...) nn_read_safetensors_at(NN_HERE, __VA_ARGS__)

/* Writes tensors (of any device: downloads are in the ledger) to a new file that replaces `path` at
   the end; on any failure the old file stays. metadata: key, value, key, value ..., or NULL;
   metadata_count: how many strings these are. */
NN_API nn_result nn_save_safetensors_at(nn_site site, nn_context *nn, const char *path,
                                        nn_tensor *const *tensors, int count,
                                        const char *const *metadata, int metadata_count);
#define nn_save_safetensors(...) nn_save_safetensors_at(NN_HERE, __VA_ARGS__)
#endif
