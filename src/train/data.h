/* train/data.h - the inside of datasets and loaders. */
#pragma once

#include "model/private.h"
#include "train/dataset.h"
#include "train/augment.h"
#include "train/loader.h"
#include "train/sharing.h"

#define NN__FIELDS  8 /* as in nn_dataset_desc */

struct nn_dataset {
    nn__owned owned;
    nn_context *nn;
    nn_site site;
    nn_field fields[NN__FIELDS]; /* defaults filled in */
    char names[NN__FIELDS][NN_NAME_BYTES];
    int field_count;
    int32_t count;
    nn_result (*get)(void *user, int32_t sample, void *const *to);
    void *user;
    nn_loader *loaders; /* that read from it */
    nn_tensor *tensors[NN__FIELDS]; /* what it read from files; its own */
};

/* Bytes of one sample of a field, as the model wants it and as it lies in the data. */
NN_PRIVATE uint64_t nn__field_bytes(const nn_field *field);
NN_PRIVATE uint64_t nn__field_data_bytes(const nn_field *field);
/* Is a sample more than a copy of its data? */
NN_PRIVATE bool nn__field_converts(const nn_field *field);
/* One sample from its data dtype to its dtype. */
NN_PRIVATE void nn__field_convert(const nn_field *field, const void *from, void *to);

/* ---- augmentation (train/augment.c) ---------------------------------------------------------- */

/* Checks desc for pictures (C, H, W) or (N, C, H, W), whose last two extents become those of the
   result. */
NN_PRIVATE nn_result nn__augment_check(nn_context *nn, nn_site site, const char *who,
                                       const nn_augment_desc *d, nn_shape *picture);
NN_PRIVATE nn_result nn__augment_check_normalize(nn_context *nn, nn_site site, const char *who,
                                                 nn_shape x, const nn_augment_desc *d);
/* table may be NULL. */
NN_PRIVATE nn_augment_args nn__augment_args_of(const nn_view *y, const nn_view *x,
                                               const nn_view *table, const nn_augment_desc *d);

/* ---- ring: batches that are gathered ahead of their use (train/ring.c) ----------------------- */

typedef struct nn__ring_row {
    uint64_t data_bytes; /* of one sample as it lies in the data */
    uint64_t bytes;      /* of one sample in the ring */
    uint64_t slot_bytes; /* from one batch of the ring to the next */
    uint64_t raw_offset; /* where a function puts it in the room for one sample */
    bool converts;       /* from data_dtype to dtype on its way into the ring */
    char *rows;          /* (slots, batch): what is gathered */
} nn__ring_row;

typedef struct nn__ring_worker {
    char *raw;           /* room for one sample of the function */
    bool calling;        /* is inside the function */
    uint32_t generation; /* for which */
    int32_t position, sample;
} nn__ring_worker;

/* All that workers touch; in one piece with the crew, so that it can be left to a worker that does
   not come back. Positions count the samples of an epoch in the order of delivery. */
typedef struct nn__ring {
    nn__crew *crew; /* NULL: the calling thread gathers */
    nn__crew *lost; /* the crew of the process whose fork() made this one; the memory of this ring
                       is in it */
    /* the same as long as the loader lives */
    nn_field fields[NN__FIELDS];
    nn__ring_row row[NN__FIELDS];
    int field_count;
    nn_result (*get)(void *user, int32_t sample, void *const *to);
    void *user;
    int32_t total, rank, world; /* samples of the dataset; which of them are ours */
    /* With a group: samples of a batch of all ranks, and of those the ones before ours. whole 0:
       no group */
    int32_t whole, before;
    int32_t batch, slots;
    int32_t unit;   /* samples that a worker takes at once */
    int32_t *order; /* (total); NULL: 0, 1, 2 ... Written while no worker gathers */
    int worker_count;
    /* with a crew: under its lock */
    uint32_t generation; /* of the epoch under way; what belongs to an older one is dropped */
    int64_t first, end;         /* positions of that epoch */
    int64_t next, limit;        /* the next to be gathered; where there is no room yet */
    int64_t failed;             /* the first position whose function failed; -1: none */
    nn_result failure;
    int writing;                /* workers inside the rows */
    uint32_t progress;          /* samples that came back from the function */
    uint64_t gather_ns;
    int32_t *done;              /* (slots): samples of the batch there */
    nn__ring_worker *workers;   /* at least one */
} nn__ring;

typedef enum nn__ring_answer { NN__RING_READY, NN__RING_FAILED, NN__RING_HANGS } nn__ring_answer;

/* desc with defaults filled in, but prefetch: 0 is 2 with workers. NULL: an error that names
   nn_make_loader. rows, bytes and converts are still to be filled. */
NN_PRIVATE nn__ring *nn__ring_make(nn_context *nn, const nn_loader_desc *desc, size_t *bytes);
/* Lets the workers go, waiting so long for their functions (0: for ever), and frees the ring. What
   does not return is left to itself, with an error that names its sample. */
NN_PRIVATE void nn__ring_free(nn_context *nn, nn__ring *ring, size_t bytes, int milliseconds,
                              const char *who);
/* Stops the gathering. The results of functions of the user that are still running are dropped. */
NN_PRIVATE void nn__ring_stop(nn__ring *ring);
/* After a stop: gathering [first, end) may begin. */
NN_PRIVATE void nn__ring_start(nn__ring *ring, int64_t first, int64_t end);
/* Of a position in the order of this rank's deliveries; of one in the order of all ranks. */
NN_PRIVATE int32_t nn__ring_sample(const nn__ring *ring, int64_t position);
NN_PRIVATE int32_t nn__ring_order(const nn__ring *ring, int64_t position);
/* Makes the batch from `first` on, or waits for it; batches that begin before `room` may be
   gathered ahead. Without a crew the calling thread gathers. sample, failure: of what failed or
   hangs. */
NN_PRIVATE nn__ring_answer nn__ring_fetch(nn__ring *ring, int64_t first, int32_t samples,
                                          int64_t room, int milliseconds, int32_t *sample,
                                          nn_result *failure);
/* Would nn__ring_fetch give this batch at once, gathered by a worker? */
NN_PRIVATE bool nn__ring_ready(nn__ring *ring, int64_t first, int32_t samples);

typedef struct nn__loader_field {
    nn_tensor *tensor; /* what steps read: a face over the storage of the batch under way */
    uint64_t bytes;    /* of a full batch of it */
    void *storage[2];  /* on a device with host memory: storage[0] is the ring's rows. Else batches
                          take turns */
    uint64_t storage_bytes;
    char *host; /* the ring's rows where the device is not the host; else NULL */
    uint64_t host_bytes;
    bool pinned;   /* host came from the backend */
    bool raw; /* the device makes the tensor: storage holds raw_dtype, and `converted` the tensor's
                 numbers */
    nn_dtype raw_dtype;
    nn_augment_desc desc; /* raw: how */
    void *converted;
} nn__loader_field;

/* The draws of a loader's batches. */
typedef struct nn__loader_draws {
    bool on;
    int field;
    nn_tensor *tensor; /* (batch, NN_AUGMENT_COLUMNS), over storage[0] or [1] */
    float *host;       /* (slots, batch, NN_AUGMENT_COLUMNS); NULL on a device with host memory */
    uint64_t host_bytes;
    int32_t *samples;  /* (batch): their numbers */
    void *storage[2];
    uint64_t bytes; /* of a full batch */
    nn_view scratch;
} nn__loader_draws;

/* A dataset that lies on the device whole (train/resident.c). */
typedef struct nn__resident nn__resident;

struct nn_loader {
    nn__owned owned;
    nn_context *nn;
    nn_site site;
    nn_dataset *dataset; /* NULL: it was freed */
    nn_loader *next;     /* of its dataset */
    int fits;            /* as of nn_trainer */
    nn__loader_field fields[NN__FIELDS];
    int field_count;
    nn_device device;
    int32_t count, batch; /* count: samples of an epoch, here */
    bool shuffle, drop_last;
    uint64_t seed;
    int32_t epoch, position, samples; /* position: of all ranks of a group */
    nn_group *group;
    int32_t shards;        /* of its batches */
    int32_t whole, before; /* as in the ring; without a group whole is batch, and before 0 */
    bool holds;            /* a batch, of which this rank's share may be empty */
    bool ended; /* the next call begins an epoch */
    nn_result result;
    int timeout; /* milliseconds; 0: none */
    nn__ring *ring;
    size_t ring_bytes;
    bool started;     /* the ring gathers this epoch */
    int64_t delivered; /* batches since the ring was started */
    int64_t released;  /* batches whose rows may be filled anew */
    bool ahead;        /* the next batch is on its way to its storage */
    /* (slots, NN__LOADER_FENCES): uploads that still read the rows; value 0: none */
    nn_fence *fences;
    nn__loader_draws draws;
    nn_loader_use use;
    nn__resident *resident; /* NULL: samples come through the ring */
    int32_t gathers;        /* batches that it gathers at once */
};

/* ---- a batch on its way (train/deliver.c) ---------------------------------------------------- */

#define NN__LOADER_FENCES (NN__FIELDS + 1) /* the last: of the draws */
NN_PRIVATE nn_fence *nn__loader_fence(nn_loader *loader, int64_t batch, int field);
/* Until nothing reads the rows any more. */
NN_PRIVATE nn_result nn__loader_wait_uploads(nn_loader *loader);
/* nn_next_batch. (train/loader.c) */
NN_PRIVATE bool nn__loader_take(nn_loader *loader, nn_site site);
/* Samples of the next batch, of all ranks; 0: the epoch ends. Of `whole` those that are ours. */
NN_PRIVATE int32_t nn__loader_next(const nn_loader *loader);
NN_PRIVATE int32_t nn__loader_share(const nn_loader *loader, int32_t whole);
/* Samples of a full batch that are this rank's, at least 1: room for them. before: those of the
   ranks before it. desc with the defaults filled in. */
NN_PRIVATE int32_t nn__loader_own(const nn_loader_desc *desc, int32_t *before);
/* Sample i of our share of the batch that begins at the loader's position. */
NN_PRIVATE int32_t nn__loader_sample(const nn_loader *loader, int32_t i);
/* Sends the next batch to the device, if it is gathered already and the device's memory is not the
   host's. */
NN_PRIVATE void nn__loader_ahead(nn_loader *loader);
/* The next `samples` samples to the device; then the tensors get that extent by resize. */
NN_PRIVATE nn_result nn__loader_deliver(nn_loader *loader, int32_t samples, nn_site site);
NN_PRIVATE void nn__loader_resize(nn_loader *loader, int32_t samples);

/* ---- a batch on its device (train/batch.c) --------------------------------------------------- */

/* Which field is augmented, if one is; false: an error. */
NN_PRIVATE bool nn__batch_choose(nn_loader *loader, const nn_loader_desc *desc);
/* Fills raw, raw_dtype and desc: does the device make this field's tensor? view: the tensor's, in
   which the extents of a crop are filled in. False: an error. */
NN_PRIVATE bool nn__batch_field(nn_loader *loader, int f, nn_view *view);
/* Memory for the draws, when all fields are made. */
NN_PRIVATE bool nn__batch_make_draws(nn_loader *loader);
NN_PRIVATE void nn__batch_free(nn_loader *loader);
NN_PRIVATE uint64_t nn__batch_draw_bytes(const nn_loader *loader,
                                         int32_t samples); /* 0: no draws */
/* The draws of the next batch, on their way to the device. */
NN_PRIVATE nn_result nn__batch_draw(nn_loader *loader, int32_t samples, nn_site site);
/* Enqueues what turns the samples in `raw` (raw_dtype, on the device) into the field's tensor. */
NN_PRIVATE nn_result nn__batch_convert(nn_loader *loader, int f, const nn_view *raw, nn_site site,
                                       const char *who);
/* Device memory of the loader, cleared. */
NN_PRIVATE bool nn__loader_alloc(nn_loader *loader, uint64_t bytes, void **handle);

/* ---- a dataset on the device (train/resident.c) ---------------------------------------------- */

/* The fields' tensors become the next samples, in storage[0] or, with `raw`, converted from it. */
NN_PRIVATE nn_result nn__resident_deliver(nn_loader *loader, int32_t samples, nn_site site);
/* Batches behind the current one that nn_next_batch delivers without a word to the device. */
NN_PRIVATE int32_t nn__resident_waiting(const nn_loader *loader);
NN_PRIVATE void nn__resident_drop(nn_loader *loader); /* what was gathered and not delivered */
NN_PRIVATE nn_result nn__resident_make(nn_loader *loader); /* after the fields */
NN_PRIVATE void nn__resident_free(nn_loader *loader);

/* The crew goes, the loader stays: its dataset is about to be freed. */
NN_PRIVATE void nn__loader_dismiss(nn_loader *loader, const char *who);
