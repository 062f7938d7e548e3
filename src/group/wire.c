/* group/wire.c - nn_trainer_desc.wire = NN_BF16: gradients travel in half the bytes.

   The number of ranks decides which sums of the tree travel, but must not change the result. So
   every sum is rounded to bf16, on any rank: the gradient of each shard, and each sum of two. The
   rounding error, the rest, is kept in f32 and added to the same sum of the next step before that
   is rounded. Nothing is lost; it is only added later (error feedback: Seide et al., "1-bit
   stochastic gradient descent", 2014). Rests belong to a place in the tree, not to a rank; those of
   sums over ranks are in host memory (group/collective.c).

   A checkpoint has no rests, and saving one drops them. So a run that continues has the same bytes
   as one that resumes. A step that fails leaves no rests. Numbers that are not gradients (counts,
   losses, buffers) are never rounded. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- made with the trainer ------------------------------------------------------------------- */

/* Returns the number of sums of 2^level shards here. Other devices have those of their own
   shards. */
static int32_t nn__wire_sums(const nn__shards *shards, int level) {
    return ((int32_t)1 << level <= shards->mine ? shards->mine : shards->own) >> level;
}

NN_PRIVATE bool nn__wire_describe(nn_trainer *trainer, int32_t numbers) {
    nn__shards *shards = trainer->shards;
    nn__wire *wire = &shards->wire;
    nn_shape flat;
    int32_t count = 0;
    if (trainer->desc.wire != NN_BF16) return true;
    memset(&flat, 0, sizeof flat);
    flat.rank = 1;
    flat.extent[0] = numbers;
    for (int level = 0; nn__wire_sums(shards, level) > 0; level++) {
        wire->offsets[level] = count;
        count += nn__wire_sums(shards, level);
    }
    wire->rests =
        (nn_node **)nn__arena_take(&trainer->tape.arena, sizeof(nn_node *) * (size_t)count);
    if (!wire->rests) return nn__describe_no_memory(trainer);
    for (int32_t i = 0; i < count; i++)
        wire->rests[i] = nn__describe_state(trainer, trainer->loss, ".rest", flat);
    wire->rest_count = count;
    wire->numbers = numbers;
    wire->bytes = nn__describe_state(trainer, trainer->loss, ".wire", flat);
    wire->bytes->dtype = NN_BF16;
    nn__install_cast(trainer->nn);
    return true;
}

/* Returns the bytes of the rests of sums over ranks. */
static size_t nn__wire_away(const nn_trainer *trainer) {
    const nn_group *group = trainer->desc.group;
    const nn__seat at = nn__group_seat(group);
    if (!trainer->shards->wire.bytes || nn_group_size(group) < 2) return 0;
    return sizeof(float) * nn__group_rests(&at, (size_t)trainer->shards->wire.numbers);
}

NN_PRIVATE bool nn__wire_room(nn_trainer *trainer) {
    nn__wire *wire = &trainer->shards->wire;
    if (nn__trainer_is_dry(&trainer->desc) || !wire->bytes) return true;
    wire->away_bytes = nn__wire_away(trainer);
    if (wire->away_bytes == 0) return true;
    wire->away = (float *)nn__allocate_for(trainer->nn, "nn_make_trainer", wire->away_bytes);
    if (wire->away) memset(wire->away, 0, wire->away_bytes);
    return wire->away != NULL;
}

NN_PRIVATE void nn__wire_drop(nn_trainer *trainer) {
    nn__release(&trainer->nn->memory, trainer->shards->wire.away, trainer->shards->wire.away_bytes);
    trainer->shards->wire.away = NULL;
}

NN_PRIVATE float *nn__wire_rests(const nn_trainer *trainer, const nn__bucket *bucket) {
    const nn__seat at = nn__group_seat(trainer->desc.group);
    return trainer->shards->wire.away + nn__group_rests(&at, (size_t)bucket->first);
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Returns `count` numbers of a state, from number `first` on. */
static nn_view nn__wire_part(const nn_node *state, int32_t first, int32_t count) {
    nn_view view = state->tensor->view;
    view.offset += (uint64_t)first * nn_dtype_size(view.dtype);
    view.shape.extent[0] = count;
    return view;
}

/* Returns how many numbers of a part of the leaf are gradients; *first: the index of the first one
   among all gradients. */
static int32_t nn__wire_numbers(const nn_trainer *trainer, const nn_view *part, int32_t *first) {
    const nn__wire *wire = &trainer->shards->wire;
    if (!wire->bytes) return 0;
    *first = (int32_t)((part->offset - nn__shard_leaf(trainer).offset) / sizeof(float));
    return nn__maxi(nn__mini(part->shape.extent[0], wire->numbers - *first), 0);
}

NN_PRIVATE void nn__wire_round(const nn_trainer *trainer, nn_shard_sum_args *args,
                               const nn_view *part, int level, int32_t index) {
    const nn__wire *wire = &trainer->shards->wire;
    int32_t first;
    args->rounded = nn__wire_numbers(trainer, part, &first);
    if (args->rounded > 0)
        args->rests[args->count] =
            nn__wire_part(wire->rests[wire->offsets[level] + index], first, args->rounded);
}

NN_PRIVATE void nn__wire_travel(const nn_trainer *trainer, nn_shard_sum_args *args,
                                const nn_view *part) {
    int32_t first;
    if (args->rounded > 0 && nn__wire_numbers(trainer, part, &first) > 0)
        args->narrow = nn__wire_part(trainer->shards->wire.bytes, first, args->rounded);
}

NN_PRIVATE nn_result nn__wire_widen(nn_trainer *trainer, nn_site site, const char *who) {
    static const nn_instruction copy[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f}};
    const nn__wire *wire = &trainer->shards->wire;
    nn_program_args args;
    if (!wire->bytes || nn_group_size(trainer->desc.group) < 2) return NN_OK;
    nn__shard_begin_program(&args, copy, 1, 1);
    args.outputs[0] = nn__shard_gradients(trainer);
    args.inputs[0] = nn__wire_part(wire->bytes, 0, args.outputs[0].shape.extent[0]);
    return nn__shard_program(trainer, &args, site, who);
}

NN_PRIVATE void nn__wire_forget(nn_trainer *trainer) {
    nn__wire *wire = &trainer->shards->wire;
    for (int32_t i = 0; i < wire->rest_count; i++) nn_fill_zero(wire->rests[i]->tensor);
    if (wire->away) memset(wire->away, 0, wire->away_bytes);
    for (int i = 0; i < trainer->replicas->count; i++)
        if (trainer->replicas->list[i].trainer) nn__wire_forget(trainer->replicas->list[i].trainer);
}

#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__wire_note(const nn_trainer *trainer, char *text, size_t size) {
    const nn__wire *wire = &trainer->shards->wire;
    const size_t used = strlen(text);
    if (!wire->bytes) return;
    nn__format(text + used, size - used,
               "\nwire: gradients are rounded to bf16 at each of %d sums here; what that leaves "
               "over takes %llu bytes, and %llu bytes of host memory",
               (int)wire->rest_count,
               (unsigned long long)wire->rest_count * (unsigned long long)wire->numbers *
                   sizeof(float),
               (unsigned long long)nn__wire_away(trainer));
}
#endif

#endif /* NN__NO_TRAINER */

typedef int nn__train_wire_part; /* a part must not be empty under NN__NO_TRAINER */
