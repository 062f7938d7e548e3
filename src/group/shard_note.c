/* group/shard_note.c - the text of nn_write_plan about the shards of a trainer: how the batch is
   cut, and how many bytes travel between ranks. */
#include "group/private.h"

#if !defined(NN__NO_TRAINER) && !defined(NN_NO_REPORTS)

NN_PRIVATE const char *nn__shard_note(nn_trainer *trainer) {
    const nn__shards *shards = trainer->shards;
    const nn_group *group = trainer->desc.group;
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    const nn__seat at = nn__group_seat(group);
    uint64_t bytes, travels, back, sent;
    char *text = shards->count ? (char *)nn__arena_take(&trainer->tape.arena, 1000) : NULL;
    size_t used;
    if (!text) return NULL;
    bytes = travels = (uint64_t)nn__shard_leaf_numbers(trainer, false) * sizeof(float);
    if (trainer->desc.wire == NN_BF16)
        travels -= (uint64_t)nn__shard_leaf_numbers(trainer, true) * sizeof(uint16_t);
    back = travels;
    if (trainer->owners->cut)
        back -= (uint64_t)nn__shard_leaf_numbers(trainer, true) * sizeof(float);
    travels -= nn__operands_save(trainer);
    used = nn__format(text, 560,
                      "shards: %d of %d samples; this plan runs for each of %d here (from %d "
                      "on); each shard leaves %llu bytes of gradients, and up to %d sums of them "
                      "wait",
                      (int)shards->count, (int)shards->shard_samples, (int)shards->own,
                      (int)shards->first, (unsigned long long)bytes, shards->pending_count);
    if (trainer->desc.batch_norm == NN_OVER_ALL && trainer->shards->count > 1 && used < 560)
        used += nn__format(text + used, 560 - used,
                           "\nbatch norms over all shards: each shard of a device has a plan "
                           "like this one, with as many bytes");
    /* The ranks of a pair send each other everything, and the first one acts for both. */
    sent = travels - (travels >> at.levels) + back - (back >> at.levels);
    if (at.second) sent = 0;
    if (at.partner >= 0) sent += travels;
    if (sent > 0 && used < 560)
        used += nn__format(
            text + used, 560 - used,
            "\ngroup: rank %d of %d of \"%s\"; a step sends %llu bytes and receives as many, "
            "in %d buckets",
            (int)nn_group_rank(group), (int)nn_group_size(group), group->head.name,
            (unsigned long long)sent, shards->exchange.count);
    if (sent > 0 && used < 560 && !on->limits.host_memory)
        nn__format(text + used, 560 - used, ", through %llu bytes of host memory (\"exchange\")",
                   (unsigned long long)bytes);
    nn__whole_note(trainer, text, 1000);
    nn__wire_note(trainer, text, 1000);
    nn__owners_note(trainer, text, 1000);
    return text;
}

#endif

typedef int nn__shard_note_part; /* a part must not be empty under NN_NO_REPORTS */
