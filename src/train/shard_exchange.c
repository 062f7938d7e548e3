/* train/shard_exchange.c - what the shards of all ranks of a group leave, added: the upper levels
   of the tree whose lower ones train/shard.c adds. It travels in buckets, so that on a device with
   memory of its own one is read while another is under way. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

/* Of a device: through host memory, with two buckets under way. */
typedef struct nn__shard_bucket {
    nn__group_job job;
    nn_view view;
    float *numbers;
    uint64_t bytes; /* 0: nothing is under way */
} nn__shard_bucket;

/* Waits for a bucket, and puts it back. */
static nn_result nn__shard_bucket_end(nn_trainer *trainer, nn__shard_bucket *bucket,
                                      nn_site site) {
    const uint64_t bytes = bucket->bytes;
    nn_result result;
    if (bytes == 0) return NN_OK;
    bucket->bytes = 0;
    result = nn__group_end(trainer->desc.group, &bucket->job);
    if (result != NN_OK) return result;
    return nn__upload(trainer->nn, trainer->loss->device, &bucket->view, bucket->numbers, bytes,
                      "exchange", site, NULL);
}

static nn_result nn__shard_exchange_device(nn_trainer *trainer, const nn_view *leaf, uint64_t all,
                                           nn_site site, const char *who) {
    const uint64_t most = nn__padded((uint64_t)trainer->desc.bucket_bytes);
    const uint64_t room = most < all ? most : all;
    nn_context *nn = trainer->nn;
    nn__shard_bucket buckets[2];
    char *numbers = (char *)nn__allocate_for(nn, who, (size_t)(2 * room));
    nn_result result = nn__trainer_agree(trainer, numbers ? NN_OK : NN_ERROR_MEMORY, site, who);
    int turn = 0;
    buckets[0].bytes = buckets[1].bytes = 0;
    for (uint64_t done = 0; done < all && result == NN_OK; done += room, turn = !turn) {
        nn__shard_bucket *bucket = &buckets[turn];
        result = nn__shard_bucket_end(trainer, bucket, site);
        if (result != NN_OK) break;
        bucket->bytes = all - done < room ? all - done : room;
        bucket->numbers = (float *)(void *)(numbers + room * (uint64_t)turn);
        bucket->view = *leaf;
        bucket->view.offset += done;
        bucket->view.shape.extent[0] = (int32_t)(bucket->bytes / sizeof(float));
        result = nn__download(nn, trainer->loss->device, &bucket->view, bucket->numbers,
                              bucket->bytes, "exchange", site);
        nn__group_begin_sum(trainer->desc.group, &bucket->job, bucket->numbers,
                            (size_t)(bucket->bytes / sizeof(float)), site, who);
    }
    for (int i = 0; i < 2; i++, turn = !turn) { /* the older one first */
        const nn_result ended = nn__shard_bucket_end(trainer, &buckets[turn], site);
        if (result == NN_OK) result = ended;
    }
    nn__release(&nn->memory, numbers, (size_t)(2 * room));
    return result;
}

NN_PRIVATE nn_result nn__shard_exchange(nn_trainer *trainer, const nn_view *leaf, nn_site site,
                                        const char *who) {
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    const uint64_t all = (uint64_t)leaf->shape.extent[0] * sizeof(float);
    const uint64_t room = nn__padded((uint64_t)trainer->desc.bucket_bytes);
    nn_result result = NN_OK;
    if (nn_group_size(trainer->desc.group) < 2) return NN_OK;
    if (!on->limits.host_memory)
        return nn__shard_exchange_device(trainer, leaf, all, site, who);
    result = on->backend->finish(on->state);
    for (uint64_t done = 0; done < all && result == NN_OK; done += room) {
        char *numbers = (char *)leaf->handle + leaf->offset + done;
        const uint64_t bytes = all - done < room ? all - done : room;
        result = nn__group_sum(trainer->desc.group, (float *)(void *)numbers,
                               (size_t)(bytes / sizeof(float)), site, who);
    }
    return result;
}

#endif /* NN_NO_TRAINING */

typedef int nn__shard_exchange_part; /* a part must not be empty under NN_NO_TRAINING */
