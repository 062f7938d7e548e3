/* train/loader.h - batches of a dataset, on a device, in an order that depends on the seed and the
   epoch only. */
#pragma once

#include "train/augment.h"
#include "train/dataset.h"

typedef struct nn_loader nn_loader;
typedef struct nn_group nn_group; /* those who share one training: nn_group.h */

typedef struct nn_loader_desc {
    nn_dataset *dataset; /* must be given; must outlive the loader */
    int32_t batch;       /* default: 1 */
    bool shuffle;        /* default: false */
    bool drop_last;      /* default: false: the last batch of an epoch may be short */
    uint64_t seed;       /* default: 0. Epoch e is shuffled by (seed, e) */
    nn_device device;    /* default: the context's. Where batches are put */
    /* default: 0, nn_next_batch gathers. Threads that gather, convert and call the dataset's
       function ahead of time; they begin at an epoch's first nn_next_batch. Any number gives the
       same samples, bytes and order. Where there are no threads (NN_NO_THREADS, a context in a
       block) the same as 0. At most 256. */
    int workers;
    int prefetch; /* default: 2 with workers, else 0. Batches that they may be ahead; each has its
                     memory. With on_device another thing, whose default is 1: batches that the
                     device gathers at once, so that the next ones cost nothing, and nn_train_steps
                     takes as many; a group's are gathered one by one */
    /* Seconds; default: none. When for so long no sample came back from the dataset's function,
       nn_next_batch ends the epoch with an error that names the sample; it can be called again.
       nn_free_loader, nn_free_dataset and nn_close wait so long for functions that are being
       called, then leave such a thread and its memory to themselves (an error names the sample).
       Without a timeout they all wait until it returns. A thread that was left reads what the
       dataset's `user` points to, and memory of the context's allocator: both must live on. Not for
       workers 0: their function is called by nn_next_batch itself. */
    float timeout;
    /* As PyTorch's DistributedSampler: of all samples in the epoch's order this loader has every
       world-th, from rank on; where they do not come out even, the first ones again, or with
       drop_last the last ones not. Each epoch is shuffled anew, alike for all ranks of one seed. */
    int32_t rank;  /* default: 0 */
    int32_t world; /* default: 1 */
    /* default: none (nn_group.h). As nn_trainer_desc.group: .batch is that of all ranks, and this
       loader delivers the samples of its own shards, which follow each other in the epoch's order.
       The last batch may be short or empty here (nn_loader_batch is 0); all ranks deliver as many
       batches, and no sample twice. nn_make_loader and nn_next_batch are collectives: an error of
       one rank is that of all. rank and world stay 0 */
    nn_group *group;
    int32_t shards; /* default: 1, with a group 8 or its size, as in nn_trainer_desc */
    /* default: NULL, none. Pictures of the field augment->field are changed on the device, anew in
       each epoch; the batch tensor has the shape of nn_augment_shape. Copied; .normalize must
       outlive the loader. */
    const nn_augment_desc *augment;
    /* default: false. The whole dataset is copied to the device by nn_make_loader (a function is
       called for every sample; the ledger says "dataset"), and batches are gathered there: only the
       numbers of their samples cross ("index"), those of `prefetch` batches at once. workers have
       nothing to do then. Changes of the arrays are not seen any more. */
    bool on_device;
} nn_loader_desc;

NN_API nn_loader *nn_make_loader_at(nn_site site, nn_context *nn, const nn_loader_desc *desc);
#define nn_make_loader(...) nn_make_loader_at(NN_HERE, __VA_ARGS__)
NN_API void nn_free_loader(nn_loader *loader);

/* Puts the next batch on the device. false at the end of an epoch and on an error, which
   nn_loader_result tells apart (NN_END, or an error). After the end, the next call begins the next
   epoch. */
NN_API bool nn_next_batch_at(nn_site site, nn_loader *loader);
#define nn_next_batch(...) nn_next_batch_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_loader_result(const nn_loader *loader);
/* Begins the given epoch anew. */
NN_API nn_result nn_start_epoch(nn_loader *loader, int32_t epoch);

/* Where a loader is in its data: all that it takes to go on with the same samples, in any
   process. */
typedef struct nn_loader_state {
    uint64_t seed;
    int32_t epoch;    /* from 0 */
    int32_t position; /* samples of the epoch that were delivered, by all ranks of a group */
} nn_loader_state;
NN_API nn_loader_state nn_get_loader_state(const nn_loader *loader); /* zeros for NULL */
/* The next batch is the one that would have followed when the state was taken. */
NN_API nn_result nn_set_loader_state(nn_loader *loader, const nn_loader_state *state);

NN_API int32_t nn_loader_epoch(const nn_loader *loader); /* from 0 */
NN_API int32_t nn_loader_batch(const nn_loader *loader); /* samples in the current batch */
NN_API int32_t nn_batches_per_epoch(const nn_loader *loader);
/* The current batch of a field, (samples, ...); NULL: no such field. Always the same object; the
   next batch may stand elsewhere in memory, so do not keep nn_tensor_data or views of it. */
NN_API nn_tensor *nn_batch_tensor(nn_loader *loader, const char *field);

/* With augment: the draws of the current batch, (samples, NN_AUGMENT_COLUMNS) f32 on the device;
   NULL: none. As nn_batch_tensor. */
NN_API nn_tensor *nn_batch_augment(const nn_loader *loader);

/* What a loader did since it was made. */
typedef struct nn_loader_use {
    uint64_t batches;   /* delivered */
    uint64_t bytes;     /* of them, as they travelled */
    uint64_t wait_ns;   /* of the calling thread inside nn_next_batch, for data or for room */
    uint64_t gather_ns; /* spent on gathering, summed over workers: their functions included */
    uint64_t data_ns; /* of wait_ns: for data, which more workers make shorter; the rest was for the
                         device */
} nn_loader_use;
NN_API nn_loader_use nn_get_loader_use(const nn_loader *loader); /* zeros for NULL */

#ifdef __cplusplus
extern "C++" {
inline nn_loader *nn_make_loader_at(nn_site site, nn_context *nn, const nn_loader_desc &desc) {
    return nn_make_loader_at(site, nn, &desc);
}
}
#endif
