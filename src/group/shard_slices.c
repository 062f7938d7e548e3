/* group/shard_slices.c - cuts the tensors bound to a plan's inputs to the samples of one shard, and
   restores them. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* The rows of a sample follow from the batch: they are along axis 0, which may include time. */
NN_PRIVATE nn_result nn__shard_open_slices(nn_trainer *trainer, nn_plan *plan, int32_t samples,
                                           int32_t *batch, nn_site site, const char *who) {
    nn__shards *shards = trainer->shards;
    shards->slice_count = 0;
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        const nn_node *node = value->node;
        nn__slice *slice = &shards->slices[shards->slice_count];
        const int32_t extent = node->shape.rank > 0 ? node->shape.extent[0] : 1;
        if (value->place != NN__PLACE_INPUT || value->node->remembers ||
            !(nn__extent_kind(extent) & NN__OF_BATCH))
            continue;
        /* uploaded, and this rank has one shard: the input already holds its samples */
        if (!value->bound && shards->own == 1) continue;
        if (!value->bound)
            return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                               "%s: the input \"%s\" %s; a batch in %d shards is given as a "
                               "tensor: nn_bind it, or "
                               "use a loader",
                               who, node->name,
                               value->given ? "was filled by nn_upload, which holds one shard"
                                            : "was not given",
                               (int)shards->own);
        slice->value = i;
        slice->whole = value->bound;
        slice->rows = value->bound->view.shape.rank > 0 ? value->bound->view.shape.extent[0] : 0;
        slice->row = 0;
        if (nn__extent_kind(extent) == NN__OF_BATCH) {
            slice->row = nn__extent_factor(extent);
            if (samples < 0 && slice->rows > 0) samples = nn__ceil_div(slice->rows, slice->row);
        }
        shards->slice_count++;
    }
    if (samples < 0) samples = shards->shard_samples;
    for (int i = 0; i < shards->slice_count; i++) {
        nn__slice *slice = &shards->slices[i];
        if (slice->row == 0 && samples > 0) slice->row = nn__maxi(slice->rows / samples, 1);
        /* If the rows do not divide evenly, nothing is cut: the plan reports the mistake. */
        if (samples > 0 && (int64_t)slice->row * samples != slice->rows) slice->row = 0;
    }
    *batch = samples;
    if (samples <= (int64_t)shards->shard_samples * shards->own) return NN_OK;
    return nn__fail_at(
        trainer->nn, site, NN_ERROR_SHAPE,
        "%s: the batch has %d samples, the trainer was made for at most %d (%d shards "
        "of %d here); give nn_trainer_desc.batch",
        who, (int)samples, (int)(shards->shard_samples * shards->own), (int)shards->own,
        (int)shards->shard_samples);
}

/* Binds samples [first, first + count) instead of the whole batch. */
NN_PRIVATE void nn__shard_cut(nn_trainer *trainer, nn_plan *plan, int32_t first, int32_t count) {
    for (int i = 0; i < trainer->shards->slice_count; i++) {
        nn__slice *slice = &trainer->shards->slices[i];
        nn__value *value = &plan->values[slice->value];
        slice->face = *slice->whole;
        if (slice->row > 0) {
            const uint64_t bytes =
                slice->whole->bytes / (uint64_t)slice->rows * (uint64_t)slice->row;
            slice->face.view.offset += bytes * (uint64_t)first;
            slice->face.view.shape.extent[0] = slice->row * count;
            slice->face.bytes = bytes * (uint64_t)count;
        }
        value->bound = &slice->face;
        value->checked = false;
    }
}

NN_PRIVATE void nn__shard_close_slices(nn_trainer *trainer, nn_plan *plan) {
    for (int i = 0; i < trainer->shards->slice_count; i++) {
        nn__value *value = &plan->values[trainer->shards->slices[i].value];
        value->bound = trainer->shards->slices[i].whole;
        value->checked = false;
    }
    trainer->shards->slice_count = 0;
}

#endif /* NN__NO_TRAINER */

typedef int nn__shard_slices_part; /* a part must not be empty under NN__NO_TRAINER */
