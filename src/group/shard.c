/* group/shard.c - a step of a trainer with shards: the plan runs on each of them, their leaves are
   added in a binary tree over the shards' numbers, and the mean becomes gradient, totals and
   buffers. group/shard_describe.c lays out their memory. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- views and programs ---------------------------------------------------------------------- */

static uint64_t nn__shard_padded(const nn_node *node) { return nn__padded(node->tensor->bytes); }

/* Returns the memory from one state to a later one, as f32 numbers. */
static nn_view nn__shard_span(const nn_node *from, const nn_node *to) {
    nn_view view = from->tensor->view;
    const uint64_t end = to->tensor->view.offset + nn__shard_padded(to);
    memset(&view.shape, 0, sizeof view.shape);
    view.dtype = NN_F32;
    view.shape.rank = 1;
    view.shape.extent[0] = (int32_t)((end - view.offset) / sizeof(float));
    return view;
}

NN_PRIVATE nn_view nn__shard_leaf(const nn_trainer *trainer) {
    return nn__shard_span(trainer->gradients[0].state, trainer->shards->end);
}

NN_PRIVATE uint64_t nn__shard_leaf_bytes(const nn_trainer *trainer) {
    const nn_view leaf = nn__shard_leaf(trainer);
    return (uint64_t)leaf.shape.extent[0] * sizeof(float);
}

NN_PRIVATE nn_view nn__shard_gradients(const nn_trainer *trainer) {
    return nn__shard_span(trainer->gradients[0].state,
                          trainer->gradients[trainer->gradient_count - 1].state);
}

/* Fails if the states are not in one piece of memory: an allocation of a device has a limit. */
NN_PRIVATE nn_result nn__shard_whole(const nn_trainer *trainer, nn_site site, const char *who) {
    const nn_node *end = trainer->shards->end;
    const nn_view *first = &trainer->gradients[0].state->tensor->view, *last = &end->tensor->view;
    uint64_t bytes = 0;
    for (const nn_node *node = trainer->gradients[0].state; node; node = node->next) {
        if (node->kind == NN__STATE) bytes += nn__shard_padded(node);
        if (node == end) break;
    }
    if (first->handle == last->handle &&
        last->offset + nn__shard_padded(end) - first->offset == bytes)
        return NN_OK;
    return nn__fail_at(trainer->nn, site, NN_ERROR_UNSUPPORTED,
                       "%s: shards: the gradients of \"%s\" are %llu bytes, which this device does "
                       "not give in one piece; give .shards = 1",
                       who, trainer->net->name, (unsigned long long)bytes);
}

NN_PRIVATE nn_result nn__shard_kernel(nn_trainer *trainer, nn_kernel kernel, void *args,
                                      nn_view *scratch, nn_site site, const char *who) {
    return (trainer->shards->rehearses ? nn__prepare_immediate : nn__run_immediate)(
        site, who, trainer->nn, trainer->loss->device, kernel, args, scratch);
}

NN_PRIVATE nn_result nn__shard_program(nn_trainer *trainer, nn_program_args *args, nn_site site,
                                       const char *who) {
    nn_context *nn = trainer->nn;
    nn__install_program(nn);
    nn__install_program_general(nn);
    nn__install_code_add(nn);
    nn__install_code_divide(nn);
    nn__install_code_multiply(nn);
    nn__install_code_subtract(nn);
    nn__install_code_select(nn);
    return nn__shard_kernel(trainer, NN_KERNEL_POINTWISE, args, &args->scratch, site, who);
}

NN_PRIVATE void nn__shard_begin_program(nn_program_args *args, const nn_instruction *code,
                                        int count, int inputs) {
    memset(args, 0, sizeof *args);
    args->program.code = code;
    args->program.count = (uint8_t)count;
    args->program.input_count = (uint8_t)inputs;
    args->program.output_count = 1;
    args->program.output[0] = (uint8_t)(count - 1);
}

/* to = a + b */
NN_PRIVATE nn_result nn__shard_add(nn_trainer *trainer, const nn_view *to, const nn_view *a,
                                   const nn_view *b, nn_site site, const char *who) {
    static const nn_instruction code[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                          {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                          {NN_CODE_ADD, 0, 1, 0, 0.0f}};
    nn_program_args args;
    nn__shard_begin_program(&args, code, 3, 2);
    args.outputs[0] = *to;
    args.inputs[0] = *a;
    args.inputs[1] = *b;
    return nn__shard_program(trainer, &args, site, who);
}

NN_PRIVATE nn_result nn__shard_copy(nn_trainer *trainer, const nn_view *to, const nn_view *from,
                                    uint64_t bytes, nn_site site, const char *who) {
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    nn_result result;
    if (trainer->shards->rehearses) return NN_OK;
    result = on->backend->copy(on->state, to->handle, to->offset, from->handle, from->offset,
                               bytes);
    if ((int)result >= 0) return NN_OK;
    return nn__fail_at(trainer->nn, site, result, "%s: copying on %s: %s", who, on->limits.name,
                       nn_result_text(result));
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* back: restores the buffers; otherwise saves them. */
NN_PRIVATE nn_result nn__shard_buffers(nn_trainer *trainer, bool back, nn_site site,
                                       const char *who) {
    nn_result result = NN_OK;
    for (int i = 0; i < trainer->shards->carried_count && result == NN_OK; i++) {
        const nn__carried *one = &trainer->shards->carried[i];
        const nn_tensor *buffer = one->buffer->tensor, *saved = one->saved->tensor;
        result = nn__shard_copy(trainer, back ? &buffer->view : &saved->view,
                                back ? &saved->view : &buffer->view, buffer->bytes, site, who);
    }
    return result;
}

/* Copies a shard's buffers, multiplied by its samples, to the leaf. fresh: it is the first shard
   with samples here. */
NN_PRIVATE nn_result nn__shard_leave_buffers(nn_trainer *trainer, bool fresh, nn_site site,
                                             const char *who) {
    static const nn_instruction code[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                          {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                          {NN_CODE_MULTIPLY, 0, 1, 0, 0.0f}};
    nn_program_args args;
    nn_result result = NN_OK;
    for (int i = 0; i < trainer->shards->carried_count && result == NN_OK; i++) {
        const nn__carried *one = &trainer->shards->carried[i];
        const nn_tensor *buffer = one->buffer->tensor;
        if (one->first) {
            if (fresh)
                result = nn__shard_copy(trainer, &one->first->tensor->view, &buffer->view,
                                        buffer->bytes, site, who);
            continue;
        }
        nn__shard_begin_program(&args, code, 3, 2);
        args.outputs[0] = one->leaf->tensor->view;
        args.inputs[0] = buffer->view;
        args.inputs[1] = trainer->shards->samples->tensor->view;
        result = nn__shard_program(trainer, &args, site, who);
    }
    return result;
}

/* ---- the tree -------------------------------------------------------------------------------- */

NN_PRIVATE nn_view nn__shard_pending(const nn_trainer *trainer, int level, const nn_view *part) {
    nn_view view = trainer->shards->pending[level]->tensor->view;
    view.offset += part->offset - nn__shard_leaf(trainer).offset;
    view.shape = part->shape;
    return view;
}

/* Ends a chain of sums, or one as long as a kernel takes. */
static nn_result nn__shard_join_sums(nn_trainer *trainer, nn_shard_sum_args *args,
                                     const nn_view *to, nn_site site, const char *who) {
    nn_result result;
    args->to = *to;
    result = nn__shard_run_sum(trainer, args, site, who);
    memset(args, 0, sizeof *args);
    args->x = *to;
    return result;
}

/* Adds a part of a leaf to the waiting sums, as in a binary counter. The leaf is that of 2^base
   shards, and i such leaves came before it. */
static nn_result nn__shard_join_part(nn_trainer *trainer, const nn_view *part, int base, int32_t i,
                                     nn_site site, const char *who) {
    const uint64_t bytes = (uint64_t)part->shape.extent[0] * sizeof(float);
    const int waiting = trainer->shards->pending_count;
    nn_result result = NN_OK;
    nn_shard_sum_args args;
    nn_view to = *part;
    int level = base;
    memset(&args, 0, sizeof args);
    args.x = *part;
    if (base == 0) nn__wire_round(trainer, &args, part, 0, i);
    for (; (i >> (level - base)) & 1 && result == NN_OK; level++) {
        const int32_t above = i >> (level + 1 - base);
        if (args.count == NN_SHARD_SUM_MOST)
            result = nn__shard_join_sums(trainer, &args, part, site, who);
        args.sums[args.count++] = nn__shard_pending(trainer, level, part);
        nn__wire_round(trainer, &args, part, level + 1, above);
    }
    const bool waits = level < waiting; /* for its other half; otherwise it is the sum of all */
    if (result != NN_OK) return result;
    if (waits) to = nn__shard_pending(trainer, level, part);
    if (args.count == 0 && args.rounded == 0)
        return waits ? nn__shard_copy(trainer, &to, part, bytes, site, who) : NN_OK;
    if (!waits) nn__wire_travel(trainer, &args, part);
    return nn__shard_join_sums(trainer, &args, &to, site, who);
}

NN_PRIVATE nn_result nn__shard_join(nn_trainer *trainer, int base, int32_t i, nn_site site,
                                    const char *who) {
    const nn_view leaf = nn__shard_leaf(trainer);
    return nn__shard_join_part(trainer, &leaf, base, i, site, who);
}

/* Adds bucket b of own shard i. A product over all shards is computed once, after the last shard,
   and is their sum already. */
static nn_result nn__shard_join_bucket(nn_trainer *trainer, int b, const nn_view *part, int32_t i,
                                       nn_site site, const char *who) {
    const nn__shards *shards = trainer->shards;
    const nn__bucket *bucket = &shards->exchange.buckets[b];
    int level = 0;
    if (!bucket->whole) return nn__shard_join_part(trainer, part, 0, i, site, who);
    if (i + 1 < shards->mine && !shards->rehearses) return NN_OK;
    if (bucket->gathers && shards->operands) return NN_OK; /* made after the exchange */
    const nn_result result = nn__whole_run(trainer, bucket, site, who);
    while ((1 << level) < shards->mine) level++;
    return result == NN_OK ? nn__shard_join_part(trainer, part, level, 0, site, who) : result;
}

/* Adds the leaf of own shard i. Adjacent buckets are added together. */
static nn_result nn__shard_join_own(nn_trainer *trainer, int32_t i, nn_site site,
                                    const char *who) {
    const nn__exchange *exchange = &trainer->shards->exchange;
    nn_result result = NN_OK;
    for (int b = 0; b < exchange->count && result == NN_OK; b++) {
        const int first = b;
        nn_view part = nn__exchange_view(trainer, b);
        while (!exchange->buckets[b].whole && b + 1 < exchange->count &&
               !exchange->buckets[b + 1].whole)
            part.shape.extent[0] += exchange->buckets[++b].count;
        result = nn__shard_join_bucket(trainer, first, &part, i, site, who);
    }
    return result;
}

/* ---- with other ranks ------------------------------------------------------------------------ */

/* Finishes the exchange with the other ranks; buffers that are not float are those of rank 0, which
   has the first shard. The result is the same on all ranks. confirm: the ranks must still agree
   whether the last numbers came back to a device. */
static nn_result nn__shard_exchange(nn_trainer *trainer, nn_result mine, bool *confirm,
                                    nn_site site, const char *who) {
    char few[256];
    nn_group *group = trainer->desc.group;
    nn_result result = nn__exchange_end(trainer, mine, confirm);
    if (result == NN_OK) result = nn__wire_widen(trainer, site, who);
    if (nn_group_size(group) < 2) return result;
    mine = NN_OK;
    for (int i = 0; i < trainer->shards->carried_count && (result == NN_OK || *confirm); i++) {
        const nn__carried *one = &trainer->shards->carried[i];
        const nn_result next = !one->first
                                   ? NN_OK
                                   : nn__agree_tensor(group, one->first->tensor, few, sizeof few,
                                                      &mine, site, who);
        if (next == NN_OK) continue;
        *confirm = false; /* all ranks know the error */
        return next;
    }
    if (result == NN_OK) result = mine;
    return result;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Makes the leaf of a shard without samples. */
NN_PRIVATE nn_result nn__shard_clear(nn_trainer *trainer, nn_site site, const char *who) {
    const nn_view leaf = nn__shard_leaf(trainer);
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    const nn_result result = on->backend->fill(on->state, leaf.handle, leaf.offset,
                                               nn__shard_leaf_bytes(trainer), 0);
    return (int)result >= 0 ? NN_OK
                            : nn__fail_at(trainer->nn, site, result,
                                          "%s: %s could not clear its memory", who,
                                          on->limits.name);
}

static nn_result nn__shard_clear_own(nn_trainer *trainer, int32_t i, nn_site site,
                                     const char *who) {
    const nn_result result = nn__shard_clear(trainer, site, who);
    return result == NN_OK ? nn__operands_clear(trainer, i, site, who) : result;
}

/* Prepares the plan for own shard i, samples [first, first + count) of the batch. */
static nn_result nn__shard_ready(nn_trainer *trainer, int32_t i, int32_t first, int32_t count,
                                 nn_site site, const char *who) {
    const nn__shards *shards = trainer->shards;
    const uint64_t pass = (uint64_t)(uint32_t)trainer->backwards * (uint64_t)shards->count +
                          (uint64_t)(shards->first + i);
    nn__shard_cut(trainer, trainer->plan, first, count);
    trainer->plan->run.seed = trainer->net->seed + pass * 0x9E3779B97F4A7C15u;
    trainer->plan->run.shard = i;
    return i > 0 ? nn__shard_buffers(trainer, true, site, who) : NN_OK;
}

/* Runs the last shard, bucket by bucket. Each bucket except the last is given to the group while
   the next is computed. i: the shard; count: its samples. */
static nn_result nn__shard_run_last(nn_trainer *trainer, int32_t i, int32_t count, nn_site site,
                                    const char *who) {
    const nn__exchange *exchange = &trainer->shards->exchange;
    nn_plan *plan = trainer->plan;
    nn_result result = count == 0 ? nn__shard_clear_own(trainer, i, site, who) : NN_OK;
    for (int b = 0; b < exchange->count && result == NN_OK; b++) {
        const nn_view view = nn__exchange_view(trainer, b);
        const bool last = b + 1 == exchange->count;
        if (count > 0)
            result = nn__run_plan_to(plan, last ? plan->step_count : exchange->buckets[b].until,
                                     site, who);
        if (result == NN_OK && b == 0 && count > 0) nn__whole_passes(trainer, i);
        if (result == NN_OK && last && count > 0)
            result = nn__shard_leave_buffers(trainer, i == 0, site, who);
        if (result == NN_OK) result = nn__shard_join_bucket(trainer, b, &view, i, site, who);
        if (result == NN_OK && !last) result = nn__exchange_begin(trainer);
    }
    if (plan->running) nn__run_leave(plan);
    return result;
}

NN_PRIVATE nn_result nn__shard_run_own(nn_trainer *trainer, int32_t samples, nn_site site,
                                       const char *who) {
    const nn__shards *shards = trainer->shards;
    nn_result result = NN_OK;
    nn__whole_passes(trainer, -1);
    for (int32_t i = 0; i < shards->mine && result == NN_OK; i++) {
        const int32_t first = (int32_t)nn__min64((int64_t)i * shards->shard_samples, samples);
        const int32_t count = nn__mini(shards->shard_samples, samples - first);
        if (count > 0) result = nn__shard_ready(trainer, i, first, count, site, who);
        if (result == NN_OK && i + 1 == shards->mine && nn__exchange_overlaps(trainer))
            return nn__shard_run_last(trainer, i, count, site, who);
        if (result == NN_OK)
            result = count > 0 ? nn__run_plan(trainer->plan, site, who)
                               : nn__shard_clear_own(trainer, i, site, who);
        if (result == NN_OK && count > 0) nn__whole_passes(trainer, i);
        if (result == NN_OK && count > 0)
            result = nn__shard_leave_buffers(trainer, i == 0, site, who);
        if (result == NN_OK) result = nn__shard_join_own(trainer, i, site, who);
    }
    return result;
}

static nn_result nn__shard_run_all(nn_trainer *trainer, int32_t samples, nn_site site,
                                   const char *who) {
    nn_result result = NN_OK;
    if (trainer->shards->together.lane_count)
        return nn__replicas_together(trainer, samples, site, who);
    if (!trainer->replicas->count) {
        result = nn__shard_run_own(trainer, samples, site, who);
        return result == NN_OK ? nn__read_status(trainer->plan, site, who) : result;
    }
    result = nn__replicas_begin(trainer, samples, site, who);
    if (result == NN_OK) result = nn__shard_run_own(trainer, samples, site, who);
    return result == NN_OK ? nn__replicas_end(trainer, site, who) : result;
}

/* Does once, without effect, the work of a step outside its plan, so that kernels and their memory
   are ready. With other ranks, a failure after the exchange would happen on one rank alone. */
NN_PRIVATE nn_result nn__shard_rehearse(nn_trainer *trainer, nn_site site, const char *who) {
    nn__shards *shards = trainer->shards;
    const int32_t backwards = trainer->backwards;
    nn_result result = NN_OK;
    if (!shards->count || nn_same_device(shards->rehearsed, trainer->loss->device)) return NN_OK;
    shards->rehearses = true;
    result = nn__shard_leave_buffers(trainer, true, site, who);
    if (result == NN_OK) result = nn__shard_join_own(trainer, shards->own - 1, site, who);
    if (result == NN_OK) result = nn__wire_widen(trainer, site, who);
    for (int32_t i = 0; i <= (shards->kept != NULL) && result == NN_OK; i++) {
        trainer->backwards = i;
        result = nn__shard_commit(trainer, site, who);
    }
    trainer->backwards = backwards;
    shards->rehearses = false;
    if (result == NN_OK) shards->rehearsed = trainer->loss->device;
    return result;
}

/* Saves the gradients of earlier batches, which the leaf overwrites; back: restores them. */
static nn_result nn__shard_save_gradients(nn_trainer *trainer, bool back, nn_site site,
                                          const char *who) {
    const nn_view gradients = nn__shard_gradients(trainer);
    const nn_view *kept = trainer->backwards > 0 ? &trainer->shards->kept->tensor->view : NULL;
    if (!kept) return NN_OK;
    return nn__shard_copy(trainer, back ? &gradients : kept, back ? kept : &gradients,
                          (uint64_t)gradients.shape.extent[0] * sizeof(float), site, who);
}

NN_PRIVATE nn_result nn__shard_backward(nn_trainer *trainer, nn_result mine, int32_t samples,
                                        nn_site site, const char *who) {
    int32_t batch = 0;
    nn_result result = mine;
    bool begun, summed, confirm = false;
    nn__replicas_enter(trainer);
    trainer->shards->together.agreed = false;
    trainer->shards->together.met = 0;
    nn__exchange_open(trainer, site, who);
    if (result == NN_OK) result = nn__check_torn(trainer, site, who);
    if (result == NN_OK) result = nn__exchange_separate(trainer, who);
    if (result == NN_OK) result = nn__shard_whole(trainer, site, who);
    if (result == NN_OK)
        result = nn__shard_open_slices(trainer, trainer->plan, samples, &batch, site, who);
    if (result == NN_OK) result = nn__shard_rehearse(trainer, site, who);
    if (result == NN_OK) result = nn__shard_save_gradients(trainer, false, site, who);
    if (result == NN_OK) result = nn__shard_buffers(trainer, false, site, who);
    begun = result == NN_OK; /* the saved values are those of this step */
    if (result == NN_OK) result = nn__shard_run_all(trainer, batch, site, who);
    /* Ranks that wait at a batch norm learn there of the error that kept this rank from it. */
    if (result != NN_OK && nn__together_waits(trainer)) {
        result = nn__trainer_agree(trainer, result, site, who);
        trainer->shards->together.agreed = true;
    }
    if (!trainer->shards->together.agreed)
        result = nn__shard_exchange(trainer, result, &confirm, site, who);
    summed = result == NN_OK || confirm;
    if (result == NN_OK) result = nn__shard_commit(trainer, site, who);
    if (confirm) result = nn__trainer_agree(trainer, result, site, who);
    if (result != NN_OK && summed) nn__tear(trainer);
    if (result == NN_OK) trainer->plan->ran = true; /* perhaps without a sample on this rank */
    if (result != NN_OK) nn__wire_forget(trainer);
    if (result != NN_OK && begun) { /* the first error is reported */
        nn__shard_buffers(trainer, true, site, who);
        nn__shard_save_gradients(trainer, true, site, who);
    }
    /* Only the rank with the fault has something to clear, so all ranks drop their gathered
       gradients here. */
    if (result == NN_ERROR_NAN || result == NN_ERROR_LABEL) {
        trainer->backwards = 0;
        trainer->gathered = false;
    }
    nn__shard_close_slices(trainer, trainer->plan);
    nn__replicas_leave(trainer);
    return result;
}

#endif /* NN__NO_TRAINER */

typedef int nn__shard_part; /* a part must not be empty under NN__NO_TRAINER */
