/* tensor/private.h - the inside of a tensor. */
#pragma once

#include "device/private.h"
#include "tensor/tensor.h"
#include "tensor/idx.h"
#include "tensor/npy.h"
#include "tensor/safetensors.h"

/* A sliced run under way, in its model's list. Between two slices the parameters may belong to
   two different steps, and nothing that the run still reads may change. */
typedef struct nn__slicing {
    struct nn__slicing *next;
    nn_site site; /* where its plan was made */
    bool writes;  /* it has begun to change parameters */
} nn__slicing;

/* Who frees a tensor. The user sees tensors of models, trainers and loaders, but may not free
   them. */
typedef enum nn__holder { NN__HELD_BY_USER, NN__HELD_BY_MODEL, NN__HELD_BY_LOADER } nn__holder;

struct nn_tensor {
    nn__owned owned;
    nn_context *nn;
    nn_view view;
    nn_device device;
    uint64_t bytes;
    bool owns;    /* the storage is released with the tensor */
    bool writes;  /* mapped for writing */
    bool read_only;    /* nothing may write it: constant arrays, perhaps in flash */
    nn__holder holder; /* who frees it */
#ifndef NN_NO_REPORTS
    int32_t uses;        /* plans, models and views that use its storage */
    const char *used_by; /* the call that used it last: "nn_bind" */
    nn_site used_at;
#endif
#ifndef NN__LEAN
    nn_tensor *base; /* of a view: the tensor that it views */
    bool reached; /* the program got its address and may write there at any time */
#endif
    nn_site site;      /* where it was made */
    void *mapped;      /* nn_map_tensor */
#ifndef NN__ONE_PIECE
    void (*unmap)(nn_tensor *tensor); /* mapped: gives the pointer back when the tensor is freed */
    nn__slicing **slicing; /* of a model's parameter or constant: the model's list; else NULL */
#endif
    /* after the tensor, in the same allocation; a model's tensor has its node's */
    const char *name;
};

/* Call this before a write to the tensor. It tells plans that weights may have changed if the
   tensor is a model's or a view. Memory of the user's own is always assumed to change. */
static inline NN__UNUSED void nn__tensor_changes(const nn_tensor *tensor) {
    (void)tensor;
#ifndef NN_NO_TRAINING
    tensor->nn->changes++;
#endif
#ifndef NN__LEAN
    if (tensor->holder == NN__HELD_BY_MODEL || tensor->base) tensor->nn->weight_changes++;
#endif
}
/* Marks that the program gets the tensor's address. */
#ifndef NN__LEAN
NN_PRIVATE void nn__reach_tensor(const nn_tensor *tensor);
#else
#define nn__reach_tensor(tensor) ((void)0)
#endif
/* Do what nn_tensor_view and nn_tensor_data do, for internal use. */
NN_PRIVATE nn_view nn__view_of(const nn_tensor *tensor);
static inline NN__UNUSED void *nn__host_data(const nn_tensor *tensor) {
    return (char *)tensor->view.handle + tensor->view.offset;
}

/* Returns a tensor over storage that somebody else owns (a file, the ring of a loader). The context
   allocates and owns it. */
NN_PRIVATE nn_tensor *nn__make_tensor_over(nn_context *nn, const char *name, nn_device device,
                                           const nn_view *view, nn_site site);
/* Does the same for a leaf of a model, which frees it; the name is not copied. */
NN_PRIVATE nn_tensor *nn__make_leaf_tensor(nn_context *nn, const char *name, nn_device device,
                                           const nn_view *view, nn_site site);

/* True if the tensor's storage is host memory that a pointer can address. */
NN_PRIVATE bool nn__tensor_on_host(const nn_tensor *tensor);

/* Frees an internal tensor, whoever holds it. NULL is allowed. */
NN_PRIVATE void nn__drop_tensor(nn_tensor *tensor);

/* Begin and end a use of the tensor's storage: nn_free_tensor refuses a tensor in use. NULL is
   allowed. nn_close frees in an order of its own, so nothing is counted then. */
#ifndef NN_NO_REPORTS
#define nn__is_closing(nn) ((nn)->closing) /* used tensors may then be gone */
NN_PRIVATE void nn__use_tensor(nn_tensor *tensor, const char *who, nn_site site);
NN_PRIVATE void nn__unuse_tensor(nn_tensor *tensor);
/* Fails if the tensor is in use. what: what would be freed, "the tensor" or "the loader". */
NN_PRIVATE nn_result nn__check_unused(const nn_tensor *tensor, const char *who, const char *what);
#else
#define nn__is_closing(nn)                ((void)(nn), false)
#define nn__use_tensor(tensor, who, site) ((void)(tensor), (void)(site))
#define nn__unuse_tensor(tensor)          ((void)(tensor))
#define nn__check_unused(tensor, who, what) ((void)(tensor), NN_OK)
#endif

/* Fails if the call `who` would write to a read-only tensor. */
NN_PRIVATE nn_result nn__check_writable(const nn_tensor *tensor, nn_site site, const char *who);
/* Fails if operations on integers read the tensor and cannot compute with these numbers. */
NN_PRIVATE nn_result nn__tensor_check_integers(const nn_tensor *tensor, const void *numbers,
                                               nn_site site, const char *who);

/* A mapped tensor belongs to the one who mapped it: other calls refuse it. The smallest programs
   do not check, because all their memory is the host's. */
#ifdef NN__ONE_PIECE
#define nn__is_mapped(tensor) ((void)(tensor), false)
#else
#define nn__is_mapped(tensor) ((tensor) && (tensor)->mapped)
#endif
/* Fails if the call `who` would read parameters that are half updated, or would change
   (`writes`) something that a sliced run still reads. own: the caller's own run, which does not
   count, or NULL. Small programs do not check. */
#ifdef NN__ONE_PIECE
#define nn__check_slicing(nn, list, own, writes, site, who) ((void)(site), (void)(who), NN_OK)
#define nn__check_whole(tensor, writes, site, who)          ((void)(site), NN_OK)
#else
NN_PRIVATE nn_result nn__check_slicing(nn_context *nn, const nn__slicing *list,
                                       const nn__slicing *own, bool writes, nn_site site,
                                       const char *who);
static inline NN__UNUSED nn_result nn__check_whole(const nn_tensor *tensor, bool writes,
                                                   nn_site site, const char *who) {
    if (writes) nn__tensor_changes(tensor);
    return tensor->slicing && *tensor->slicing
               ? nn__check_slicing(tensor->nn, *tensor->slicing, NULL, writes, site, who)
               : NN_OK;
}
#endif
NN_PRIVATE nn_result nn__fail_mapped(const nn_tensor *tensor, nn_site site, const char *who);

/* Reads a number of a file (little-endian) as double; any alignment. */
NN_PRIVATE double nn__load_number(nn_dtype dtype, const void *from);
/* Rounds to nearest even and writes in the host's byte order; any alignment. */
NN_PRIVATE void nn__store_number(nn_dtype dtype, void *to, double value);
/* Converts n little-endian numbers of a file to host numbers of `to_dtype`. */
NN_PRIVATE void nn__convert_from_file(nn_dtype from_dtype, const void *from, nn_dtype to_dtype,
                                      void *to, int64_t n);
/* Converts host numbers to little-endian bytes of the same dtype. */
NN_PRIVATE void nn__convert_to_file(nn_dtype dtype, const void *from, void *to, int64_t n);
/* False on a big-endian machine. */
NN_PRIVATE bool nn__host_is_little(void);

#ifndef NN_NO_FILES
/* A file that is being read. `who` is the call that reads it, for messages. */
typedef struct nn__reading {
    nn_context *nn;
    nn_site site;
    const char *who, *path;
    void *handle;
    uint64_t size;
} nn__reading;
NN_PRIVATE bool nn__reading_begin(nn__reading *file, nn_context *nn, nn_site site, const char *who,
                                  const char *path);
/* Reads all the bytes; false: the error, with its place, is reported. */
NN_PRIVATE bool nn__reading_at(const nn__reading *file, uint64_t offset, void *to, size_t bytes);
NN_PRIVATE void nn__reading_end(nn__reading *file); /* harmless twice */

/* Opens a file for reading and finds its size. NULL: the error is reported in the name of `who`. */
NN_PRIVATE void *nn__open_to_read(nn_context *nn, nn_site site, const char *who, const char *path,
                                  uint64_t *size);

/* Returns the last part of a path, as a tensor's name. */
NN_PRIVATE const char *nn__name_of_path(char name[NN_NAME_BYTES], const char *path);
/* Returns a new tensor on the CPU, named after the file, with the file's bytes from `start` on.
   NULL: reported. */
NN_PRIVATE nn_tensor *nn__read_array(const nn__reading *file, uint64_t start, nn_dtype dtype,
                                     nn_shape shape);

typedef struct nn__safetensors_pair {
    const char *key, *value;
} nn__safetensors_pair;

typedef struct nn__safetensors_shard nn__safetensors_shard;
struct nn_safetensors {
    nn__owned owned;
    nn_context *nn;
    nn_files files; /* the context's, or those of a file in memory */
    void *handle;
    const char *memory; /* nn__open_safetensors_memory: the bytes */
    char *header; /* header_bytes + 1 */
    size_t header_bytes;
    uint64_t size; /* of the file */
    nn_safetensors_entry *entries;
    int count, capacity;
    nn__safetensors_pair *pairs; /* of __metadata__ */
    int pair_count, pair_capacity;
    int32_t *by_offset, *by_name; /* count each */
    nn__safetensors_shard *shards; /* an index: its files */
    int shard_count, shard_capacity;
    bool single;                   /* one of these, which must not be an index itself */
    char path[256];               /* for messages, may be cut */
};

/* Returns a file in memory, which must stay there while it is open. who: the call, for messages. */
NN_PRIVATE nn_safetensors *nn__open_safetensors_memory(nn_site site, nn_context *nn,
                                                       const char *who, const void *bytes,
                                                       size_t size);
/* Parses and checks file->header; fills entries, pairs and the orders. False: reported. */
NN_PRIVATE bool nn__safetensors_parse(nn_safetensors *file, nn_site site);
NN_PRIVATE const char *nn__safetensors_dtype_name(nn_dtype dtype); /* "BF16" */
/* Finds an entry by name. NULL: there is none. */
NN_PRIVATE const nn_safetensors_entry *nn__safetensors_lookup(const nn_safetensors *file,
                                                              const char *name);
/* Opens a file that must not be an index and that the context does not own: end it with
   nn__safetensors_close. */
NN_PRIVATE nn_safetensors *nn__safetensors_open_one(nn_site site, nn_context *nn, const char *path);
NN_PRIVATE void nn__safetensors_close(nn_safetensors *file); /* NULL is allowed */
/* Does the same as nn__safetensors_parse, for an index. */
NN_PRIVATE bool nn__safetensors_load_index(nn_safetensors *file, nn_site site, const char *path);
NN_PRIVATE void nn__safetensors_close_shards(nn_safetensors *file);

/* A checksum of the contents that does not depend on their order in the file: the sum (mod 2^64)
   of one number for each tensor (name, dtype, extents, bytes) and one for each metadata pair
   except "checksum". */
typedef struct nn__checksum {
    uint64_t state, word, length;
} nn__checksum;
NN_PRIVATE void nn__checksum_begin(nn__checksum *checksum, const char *name, nn_dtype dtype,
                                   nn_shape shape);
NN_PRIVATE void nn__checksum_add(nn__checksum *checksum, const void *data,
                                 size_t bytes); /* as in the file */
NN_PRIVATE uint64_t nn__checksum_end(nn__checksum *checksum);
NN_PRIVATE uint64_t nn__checksum_pair(const char *key, const char *value);

/* The arguments of nn_save_safetensors, and more. */
typedef struct nn__safetensors_saving {
    nn_context *nn;
    nn_site site;
    const char *who, *path;
    nn_writer writer; /* if set, the file goes there and not to `path` */
    nn_tensor *const *tensors;
    const char *const *names; /* NULL: those of the tensors */
    int count;
    const char *const *metadata;
    int metadata_count;
    bool checksum; /* adds a pair "checksum"; needs other metadata; reads every tensor twice */
    /* internal */
    uint64_t sum;
    void *buffer;
    size_t buffer_bytes;
} nn__safetensors_saving;
NN_PRIVATE nn_result nn__save_safetensors(nn__safetensors_saving *saving);
/* Writes the text in quotes, escaped. */
NN_PRIVATE void nn__write_json_text(const nn_writer *writer, const char *text);
/* True for UTF-8 in its shortest forms, without surrogates, up to U+10FFFF. */
NN_PRIVATE bool nn__is_utf8(const char *text);
#endif
