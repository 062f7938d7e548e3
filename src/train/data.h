/* train/data.h - private declarations of datasets and loaders. */
#pragma once

#include "kernels/augment/args.h"
#include "model/private.h"
#include "train/dataset.h"
#include "train/augment.h"
#include "train/loader.h"
#include "train/sharing.h"

struct nn_dataset {
    nn__owned owned;
    nn_context *nn;
    nn_site site;
    /* The next three arrays have field_room elements each. They are in the allocation of the
       dataset, which has `bytes` bytes. */
    nn_field *fields; /* defaults filled in */
    char (*names)[NN_NAME_BYTES];
    nn_tensor **tensors; /* arrays that were read from files; owned */
    size_t bytes;
    int field_count, field_room;
    int32_t count;
    nn_result (*get)(void *user, int32_t sample, void *const *to);
    void *user;
    nn_loader *loaders;
};

/* Return the bytes of one sample of a field: in the model's input, and in the data. */
NN_PRIVATE uint64_t nn__field_bytes(const nn_field *field);
NN_PRIVATE uint64_t nn__field_data_bytes(const nn_field *field);
/* True if a sample is not just a copy of its data. */
NN_PRIVATE bool nn__field_converts(const nn_field *field);
/* Converts one sample from data_dtype to dtype. */
NN_PRIVATE void nn__field_convert(const nn_field *field, const void *from, void *to);

/* ---- augmentation (train/augment.c) ---------------------------------------------------------- */

/* Checks desc for images (C, H, W) or (N, C, H, W). Their last two extents become those of the
   result. */
NN_PRIVATE nn_result nn__augment_check(nn_context *nn, nn_site site, const char *who,
                                       const nn_augment_desc *d, nn_shape *picture);
NN_PRIVATE nn_result nn__augment_check_normalize(nn_context *nn, nn_site site, const char *who,
                                                 nn_shape x, const nn_augment_desc *d);
/* Returns the arguments of the kernel. table may be NULL. */
NN_PRIVATE nn_augment_args nn__augment_args_of(const nn_view *y, const nn_view *x,
                                               const nn_view *table, const nn_augment_desc *d);

/* ---- ring: batches that are gathered ahead of their use (train/ring.c) ----------------------- */

typedef struct nn__ring_row {
    uint64_t data_bytes; /* of one sample in the data */
    uint64_t bytes;      /* of one sample in the ring */
    uint64_t slot_bytes; /* from one batch of the ring to the next */
    uint64_t raw_offset; /* offset of the field in the room where a function writes one sample */
    bool converts;       /* from data_dtype to dtype on its way into the ring */
    char *rows;          /* (slots, batch): the gathered samples */
} nn__ring_row;

typedef struct nn__ring_worker {
    char *raw;           /* room for one sample of the function */
    void **to;           /* where the function writes each field */
    bool calling;        /* is inside the function */
    uint32_t generation; /* the epoch for which it was called */
    int32_t position, sample;
} nn__ring_worker;

/* All that workers use. It is one allocation with the helper threads, so that it can be abandoned
   with a worker that does not return. Positions count the samples of an epoch in the order of
   delivery. */
typedef struct nn__ring {
    nn__helpers *helpers; /* NULL: the calling thread gathers */
    /* after fork(), in the child: the parent's helpers, whose allocation holds this ring */
    nn__helpers *lost;
    /* These do not change while the loader lives. */
    nn_field *fields;
    nn__ring_row *row;
    int field_count;
    nn_result (*get)(void *user, int32_t sample, void *const *to);
    void *user;
    int32_t total, rank, world; /* number of samples of the dataset; this loader's share of them */
    /* With a group: samples in a batch of all ranks, and those before this rank's. whole 0: no
       group */
    int32_t whole, before;
    int32_t batch, slots;
    int32_t unit;   /* samples that a worker takes at a time */
    int32_t *order; /* (total); NULL: 0, 1, 2 ... Written only while no worker gathers */
    int worker_count;
    /* With helpers, these are used under their lock. */
    uint32_t generation; /* of the current epoch; results of older ones are dropped */
    int64_t first, end;         /* positions of that epoch */
    int64_t next, limit;        /* the next position to gather; the first one without room */
    int64_t failed;             /* the first position whose function call failed; -1: none */
    nn_result failure;
    int writing;                /* number of workers that write rows */
    uint32_t progress;          /* number of calls of the function that returned */
    uint64_t gather_ns;
    int32_t *done;              /* (slots): samples of each batch gathered so far */
    nn__ring_worker *workers;   /* at least one */
} nn__ring;

typedef enum nn__ring_answer { NN__RING_READY, NN__RING_FAILED, NN__RING_HANGS } nn__ring_answer;

/* Makes a ring. desc has its defaults, except prefetch: 0 means 2 with workers. The caller fills in
   rows, bytes and converts. NULL: an error of nn_make_loader. */
NN_PRIVATE nn__ring *nn__ring_make(nn_context *nn, const nn_loader_desc *desc, size_t *bytes);
/* Dismisses the workers and frees the ring. Waits up to `milliseconds` for functions of the user
   (0: for ever). A thread that does not return is abandoned; an error names its sample. */
NN_PRIVATE void nn__ring_free(nn_context *nn, nn__ring *ring, size_t bytes, int milliseconds,
                              const char *who);
/* Stops gathering. Results of running functions will be dropped. */
NN_PRIVATE void nn__ring_stop(nn__ring *ring);
/* After a stop: lets gathering of [first, end) begin. */
NN_PRIVATE void nn__ring_start(nn__ring *ring, int64_t first, int64_t end);
/* Return the sample at a position: in the order of this rank's deliveries, and of all ranks'. */
NN_PRIVATE int32_t nn__ring_sample(const nn__ring *ring, int64_t position);
NN_PRIVATE int32_t nn__ring_order(const nn__ring *ring, int64_t position);
/* Gathers the batch that begins at `first`, or waits for it. Workers may go on to later batches
   that begin before `room`. Without helpers the calling thread gathers. *sample and *failure tell
   what failed or hangs. */
NN_PRIVATE nn__ring_answer nn__ring_fetch(nn__ring *ring, int64_t first, int32_t samples,
                                          int64_t room, int milliseconds, int32_t *sample,
                                          nn_result *failure);
/* True if a worker has gathered this batch. */
NN_PRIVATE bool nn__ring_ready(nn__ring *ring, int64_t first, int32_t samples);

typedef struct nn__loader_field {
    nn_tensor *tensor; /* read by steps; over the storage of the current batch */
    uint64_t bytes;    /* of a full batch */
    void *storage[2];  /* with host memory, storage[0] is the ring's rows; else batches alternate
                          between both */
    uint64_t storage_bytes;
    char *host; /* the ring's rows, if the device is not the host; else NULL */
    uint64_t host_bytes;
    bool pinned;   /* host came from the backend */
    bool raw; /* the device computes the tensor: `storage` holds raw_dtype, `converted` the
                 result */
    nn_dtype raw_dtype;
    nn_augment_desc desc; /* for raw: how it is computed */
    void *converted;
} nn__loader_field;

/* The random draws of a loader's batches. */
typedef struct nn__loader_draws {
    bool on;
    int field;
    nn_tensor *tensor; /* (batch, NN_AUGMENT_COLUMNS), over storage[0] or [1] */
    float *host;       /* (slots, batch, NN_AUGMENT_COLUMNS); NULL on a device with host memory */
    uint64_t host_bytes;
    int32_t *samples;  /* (batch): the samples' numbers */
    void *storage[2];
    uint64_t bytes; /* of a full batch */
    nn_view scratch;
} nn__loader_draws;

/* A dataset that lies on the device as a whole (train/resident.c). */
typedef struct nn__resident nn__resident;

struct nn_loader {
    nn__owned owned;
    nn_context *nn;
    nn_site site;
    nn_dataset *dataset; /* NULL: it was freed */
    nn_loader *next;     /* in the list of its dataset */
    int fits;            /* as in nn_trainer */
    nn__loader_field *fields; /* field_room of them */
    int field_room;
    int field_count;
    nn_device device;
    int32_t count, batch; /* count: samples of an epoch for this loader */
    bool shuffle, drop_last;
    uint64_t seed;
    int32_t epoch, position, samples; /* position: samples delivered by all ranks of a group */
    nn_group *group;
    int32_t shards;        /* number of shards of its batches */
    int32_t whole, before; /* as in the ring; without a group whole is batch, and before 0 */
    bool holds;            /* it holds a batch, of which this rank's share may be empty */
    bool ended; /* the next call begins an epoch */
    nn_result result;
    int timeout; /* milliseconds; 0: none */
    nn__ring *ring;
    size_t ring_bytes;
    bool started;     /* the ring gathers the current epoch */
    int64_t delivered; /* number of batches since the ring was started */
    int64_t released;  /* number of batches whose rows may be overwritten */
    bool ahead;        /* the next batch is being uploaded */
    /* (slots, field_room + 1): uploads that still read the rows, the last of each slot for the
       draws; value 0: none */
    nn_fence *fences;
    nn__loader_draws draws;
    nn_loader_use use;
    nn__resident *resident; /* NULL: samples come through the ring */
    int32_t gathers;        /* number of batches that `resident` gathers at once */
};

/* ---- a batch on its way (train/deliver.c) ---------------------------------------------------- */

NN_PRIVATE nn_fence *nn__loader_fence(nn_loader *loader, int64_t batch, int field);
/* Waits until no upload reads the rows. */
NN_PRIVATE nn_result nn__loader_wait_uploads(nn_loader *loader);
/* Does the work of nn_next_batch. (train/loader.c) */
NN_PRIVATE bool nn__loader_take(nn_loader *loader, nn_site site);
/* Return the samples of the next batch of all ranks (0: the epoch ends), and this rank's part of
   `whole` samples. */
NN_PRIVATE int32_t nn__loader_next(const nn_loader *loader);
NN_PRIVATE int32_t nn__loader_own_samples(const nn_loader *loader, int32_t whole);
/* Returns the number of samples to make room for: this rank's part of a full batch, at least 1.
   *before: the number of samples of lower ranks. desc has its defaults filled in. */
NN_PRIVATE int32_t nn__loader_own(const nn_loader_desc *desc, int32_t *before);
/* Returns sample i of this rank's share of the batch at the loader's position. */
NN_PRIVATE int32_t nn__loader_sample(const nn_loader *loader, int32_t i);
/* Begins to upload the next batch, if it is gathered and the device's memory is not the host's. */
NN_PRIVATE void nn__loader_ahead(nn_loader *loader);
/* deliver brings the next `samples` samples to the device; resize then sets the first extent of the
   tensors. */
NN_PRIVATE nn_result nn__loader_deliver(nn_loader *loader, int32_t samples, nn_site site);
NN_PRIVATE void nn__loader_resize(nn_loader *loader, int32_t samples);

/* ---- a batch on its device (train/batch.c) --------------------------------------------------- */

/* Finds the field to be augmented, if augment is given. Returns false after an error. */
NN_PRIVATE bool nn__batch_choose(nn_loader *loader, const nn_loader_desc *desc);
/* Decides if the device computes this field's tensor, and fills raw, raw_dtype and desc. view: the
   tensor's; a crop changes its extents. Returns false after an error. */
NN_PRIVATE bool nn__batch_field(nn_loader *loader, int f, nn_view *view);
/* Allocates memory for the draws, after all fields are made. */
NN_PRIVATE bool nn__batch_make_draws(nn_loader *loader);
NN_PRIVATE void nn__batch_free(nn_loader *loader);
NN_PRIVATE uint64_t nn__batch_draw_bytes(const nn_loader *loader,
                                         int32_t samples); /* 0: no draws */
/* Draws for the next batch, and begins to upload the draws. */
NN_PRIVATE nn_result nn__batch_draw(nn_loader *loader, int32_t samples, nn_site site);
/* Enqueues the kernel that computes the field's tensor from the samples in `raw` (raw_dtype, on the
   device). */
NN_PRIVATE nn_result nn__batch_convert(nn_loader *loader, int f, const nn_view *raw, nn_site site,
                                       const char *who);
/* Allocates device memory of the loader and clears it. */
NN_PRIVATE bool nn__loader_alloc(nn_loader *loader, uint64_t bytes, void **handle);

/* ---- a dataset on the device (train/resident.c) ---------------------------------------------- */

/* Brings the next samples to the fields' tensors: in storage[0] or, with `raw`, converted from
   it. */
NN_PRIVATE nn_result nn__resident_deliver(nn_loader *loader, int32_t samples, nn_site site);
/* Returns the number of batches after the current one that need no work of the device. */
NN_PRIVATE int32_t nn__resident_waiting(const nn_loader *loader);
/* Drops samples that were gathered and not delivered. */
NN_PRIVATE void nn__resident_drop(nn_loader *loader);
NN_PRIVATE nn_result nn__resident_make(nn_loader *loader); /* after the fields */
NN_PRIVATE void nn__resident_free(nn_loader *loader);

/* Frees the ring of a loader whose dataset is about to be freed; the loader stays. */
NN_PRIVATE void nn__loader_dismiss(nn_loader *loader, const char *who);
