/* group/shard_sum.c - the sums of shards on a device that lacks the kernel shard_sum: the same
   additions and roundings as pointwise programs, with the same bytes. They read and write memory
   once for each addition and twice for each rounding to bf16. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* Runs a program of `inputs` views, which writes `to`. */
static nn_result nn__shard_sum_program(nn_trainer *trainer, const nn_instruction *code, int count,
                                       const nn_view *to, const nn_view *views, int inputs,
                                       nn_site site, const char *who) {
    nn_program_args args;
    nn__shard_begin_program(&args, code, count, inputs);
    args.outputs[0] = *to;
    for (int i = 0; i < inputs; i++) args.inputs[i] = views[i];
    return nn__shard_program(trainer, &args, site, who);
}

/* Rounds the first numbers of x to bf16, plus the rest of the step before, and stores the new
   rest. narrow: memory for the bf16 numbers, which keeps them. */
static nn_result nn__shard_sum_round(nn_trainer *trainer, const nn_view *x, const nn_view *rest,
                                     const nn_view *narrow, nn_site site, const char *who) {
    static const nn_instruction add[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                         {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                         {NN_CODE_ADD, 0, 1, 0, 0.0f}};
    /* left = x + rest - narrow; rest = left if left - left is 0, which it is unless infinite or
       NaN */
    static const nn_instruction leave[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
        {NN_CODE_INPUT, 2, 0, 0, 0.0f},    {NN_CODE_ADD, 0, 1, 0, 0.0f},
        {NN_CODE_SUBTRACT, 3, 2, 0, 0.0f}, {NN_CODE_SUBTRACT, 4, 4, 0, 0.0f},
        {NN_CODE_CONSTANT, 0, 0, 0, 0.0f}, {NN_CODE_SELECT, 5, 6, 4, 0.0f}};
    static const nn_instruction widen[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f}};
    nn_view views[3];
    views[0] = *x;
    views[0].shape = rest->shape;
    views[1] = *rest;
    views[2] = *narrow;
    nn_result result = nn__shard_sum_program(trainer, add, 3, narrow, views, 2, site, who);
    if (result == NN_OK)
        result = nn__shard_sum_program(trainer, leave, 8, rest, views, 3, site, who);
    return result == NN_OK
               ? nn__shard_sum_program(trainer, widen, 1, &views[0], narrow, 1, site, who)
               : result;
}

/* Adds one pending sum after the other to `to`. The bf16 numbers of a rounding are stored where
   those that travel are stored last. */
static nn_result nn__shard_sum_apart(nn_trainer *trainer, nn_shard_sum_args *args, nn_site site,
                                     const char *who) {
    const nn_view *x = &args->x;
    nn_result result = NN_OK;
    nn__wire_travel(trainer, args, x);
    for (int k = 0; k <= args->count && result == NN_OK; k++) {
        if (k > 0) {
            result = nn__shard_add(trainer, &args->to, &args->sums[k - 1], x, site, who);
            x = &args->to;
        }
        if (!nn__present(&args->rests[k]) || result != NN_OK) continue;
        if (k == 0 && (x->handle != args->to.handle || x->offset != args->to.offset)) {
            result = nn__shard_copy(trainer, &args->to, x, nn__bytes(x), site, who);
            x = &args->to;
        }
        if (result == NN_OK)
            result = nn__shard_sum_round(trainer, x, &args->rests[k], &args->narrow, site, who);
    }
    return result;
}

NN_PRIVATE nn_result nn__shard_run_sum(nn_trainer *trainer, nn_shard_sum_args *args,
                                       nn_site site, const char *who) {
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    nn__install_shard_sum(trainer->nn);
    if (on && nn__has_kernel(on->backend, NN_KERNEL_SHARD_SUM) &&
        nn__supports(on, NN_KERNEL_SHARD_SUM, args, NULL, 0))
        return nn__shard_kernel(trainer, NN_KERNEL_SHARD_SUM, args, &args->scratch, site, who);
    return nn__shard_sum_apart(trainer, args, site, who);
}

#endif /* NN__NO_TRAINER */

typedef int nn__group_shard_sum_part; /* a part must not be empty under NN__NO_TRAINER */
