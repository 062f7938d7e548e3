/* train/loader.h - batches of a dataset on a device. Their order depends on the seed and the epoch
   only. */
#pragma once

#include "train/augment.h"
#include "train/dataset.h"

typedef struct nn_loader nn_loader;
typedef struct nn_group nn_group; /* the ranks that share one training run: nn_group.h */

typedef struct nn_loader_desc {
    nn_dataset *dataset; /* must be given; must outlive the loader */
    int32_t batch;       /* default: 1 */
    bool shuffle;        /* default: false */
    bool drop_last;      /* default: false, the last batch of an epoch may be short */
    uint64_t seed;       /* default: 0. Epoch e is shuffled by (seed, e) */
    nn_device device;    /* default: the context's. Batches are put there */
    /* default: 0, nn_next_batch gathers. Number of threads that gather, convert and call the
       dataset's function ahead of time; they begin at an epoch's first nn_next_batch. Any number
       gives the same samples, bytes and order. Without threads (NN_NO_THREADS, a context in a
       block) it is the same as 0. At most 256. */
    int workers;
    /* default: 2 with workers, else 0. Number of batches that the workers may be ahead; each needs
       memory of its own. With on_device the default is 1, and it is the number of batches that the
       device gathers at once: the next ones then cost nothing, and nn_train_steps takes them
       together. With a group, on_device gathers them one by one */
    int prefetch;
    /* Seconds; default: none. If the dataset's function returns no sample for this long,
       nn_next_batch ends the epoch with an error that names the sample; it can be called again.
       nn_free_loader, nn_free_dataset and nn_close wait as long for running calls of the function.
       Then they abandon the thread and its memory (an error names the sample). An abandoned thread
       still reads what the dataset's `user` points to, and memory of the context's allocator: both
       must stay valid. Without a timeout they all wait until the function returns. With workers 0
       there is no timeout, because nn_next_batch itself calls the function. */
    float timeout;
    /* Like PyTorch's DistributedSampler, this loader takes every world-th sample of the epoch's
       order, beginning with number `rank`. If the samples do not divide evenly, the first ones are
       repeated; with drop_last, the last ones are left out. All ranks with one seed shuffle
       alike. */
    int32_t rank;  /* default: 0 */
    int32_t world; /* default: 1 */
    /* default: none (nn_group.h). See nn_trainer_desc.group. .batch is the batch of all ranks, and
       this loader delivers the samples of its own shards, which are consecutive in the epoch's
       order. The last batch may be short or empty here (nn_loader_batch is 0). All ranks deliver
       equally many batches, and no sample twice. nn_make_loader and nn_next_batch are collectives:
       an error of one rank is an error of all. rank and world stay 0 */
    nn_group *group;
    int32_t shards; /* default: 1; with a group see nn_trainer_desc */
    /* default: NULL, none. The device augments the images of the field augment->field,
       differently in each epoch; the batch tensor has the shape of nn_augment_shape. The desc is
       copied; its .normalize must outlive the loader. */
    const nn_augment_desc *augment;
    /* default: false. true: nn_make_loader copies the whole dataset to the device (calling its
       function for every sample; the ledger says "dataset"), and batches are gathered there. Only
       the numbers of their samples cross ("index"), for `prefetch` batches at once. workers are not
       used. Later changes of the arrays have no effect. */
    bool on_device;
} nn_loader_desc;

NN_API nn_loader *nn_make_loader_at(nn_site site, nn_context *nn, const nn_loader_desc *desc);
#define nn_make_loader(...) nn_make_loader_at(NN_HERE, __VA_ARGS__)
NN_API void nn_free_loader(nn_loader *loader);

/* Puts the next batch on the device. Returns false at the end of an epoch (nn_loader_result is
   NN_END) and on an error (nn_loader_result is the error). After the end, the next call begins the
   next epoch. */
NN_API bool nn_next_batch_at(nn_site site, nn_loader *loader);
#define nn_next_batch(...) nn_next_batch_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_loader_result(const nn_loader *loader);
/* Begins the given epoch from its first batch. */
NN_API nn_result nn_start_epoch(nn_loader *loader, int32_t epoch);

/* Where a loader is in its data. With it, any process can continue with the same samples. */
typedef struct nn_loader_state {
    uint64_t seed;
    int32_t epoch;    /* from 0 */
    int32_t position; /* samples of the epoch delivered so far, of all ranks of a group */
} nn_loader_state;
/* Returns where the loader is; zeros for NULL. */
NN_API nn_loader_state nn_loader_position(const nn_loader *loader);
/* Goes to a position. The next batch is the one that followed when the position was read. */
NN_API nn_result nn_set_loader_position(nn_loader *loader, const nn_loader_state *state);

NN_API int32_t nn_loader_epoch(const nn_loader *loader); /* from 0 */
/* Returns the number of samples in the current batch */
NN_API int32_t nn_loader_batch(const nn_loader *loader);
NN_API int32_t nn_batches_per_epoch(const nn_loader *loader);
/* Returns the current batch of a field, (samples, ...), or NULL if there is no such field. It is
   always the same object, but the next batch may lie elsewhere in memory: do not keep
   nn_tensor_data or views of it. */
NN_API nn_tensor *nn_batch_tensor(nn_loader *loader, const char *field);

/* With augment: returns the draws of the current batch, (samples, NN_AUGMENT_COLUMNS) f32 on the
   device; NULL without. Like nn_batch_tensor, it is always the same object. */
NN_API nn_tensor *nn_batch_augment(const nn_loader *loader);

/* Counters since the loader was made. */
typedef struct nn_loader_use {
    uint64_t batches;   /* delivered */
    uint64_t bytes;     /* of the delivered batches, as they crossed */
    uint64_t wait_ns;   /* time that the calling thread spent in nn_next_batch, waiting for data or
                           the device */
    uint64_t gather_ns; /* time spent on gathering, summed over workers, with the dataset's
                           function */
    uint64_t data_ns; /* the part of wait_ns spent on data, which more workers reduce; the rest was
                         for the device */
} nn_loader_use;
NN_API nn_loader_use nn_loader_counters(const nn_loader *loader); /* zeros for NULL */
