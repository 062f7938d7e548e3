/* kernels/shard_sum/cpu.c - sums of shards on the CPU: eight numbers stay in a register for all
   additions, so each operand is read once and each result is written once. */
#include "kernels/shard_sum/cpu.h"
#include "kernels/shard_sum/vector.h"

#ifndef NN_NO_TRAINING

#define NN__SHARD_SUM_UNIT 16384 /* numbers */

static float *nn__shard_sum_at(const nn_view *view, int64_t at) {
    return nn__present(view) ? nn__f32(view) + at : NULL;
}

static nn__shard_sum nn__shard_sum_of(const nn_shard_sum_args *args, int unit) {
    const int64_t at = (int64_t)unit * NN__SHARD_SUM_UNIT;
    nn__shard_sum join;
    join.to = nn__shard_sum_at(&args->to, at);
    join.x = nn__shard_sum_at(&args->x, at);
    for (int k = 0; k < args->count; k++) join.sums[k] = nn__shard_sum_at(&args->sums[k], at);
    for (int k = 0; k <= args->count; k++) join.rests[k] = nn__shard_sum_at(&args->rests[k], at);
    join.narrow = nn__present(&args->narrow)
                      ? (uint16_t *)(void *)((char *)args->narrow.handle + args->narrow.offset) + at
                      : NULL;
    join.count = args->count;
    join.n = (int)nn__min64(nn__count(&args->to) - at, NN__SHARD_SUM_UNIT);
    join.rounded = (int)nn__max64(nn__min64(args->rounded - at, join.n), 0);
    return join;
}

NN_PRIVATE void nn__shard_weigh(const nn__cpu *cpu, float *y, float weight, int n) {
    if (weight == 0.0f)
        memset(y, 0, (size_t)n * sizeof(float));
    else
        NN__OF_NARROW(cpu, nn__shard_loops)->scale(y, weight, n);
}

NN_PRIVATE void nn__shard_add_row(const nn__cpu *cpu, float *to, const float *a, const float *b,
                                  int n) {
    NN__OF_NARROW(cpu, nn__shard_loops)->add(to, a, b, n);
}

static int nn__shard_sum_units(const nn__cpu *cpu, const void *args, int phase) {
    const int64_t count = nn__count(&((const nn_shard_sum_args *)args)->to);
    (void)cpu;
    return phase ? 0 : nn__maxi((int)((count + NN__SHARD_SUM_UNIT - 1) / NN__SHARD_SUM_UNIT), 1);
}

static void nn__shard_sum_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                          void *shared, void *own) {
    const nn__shard_sum join = nn__shard_sum_of((const nn_shard_sum_args *)arguments, unit);
    const nn__shard_loops *loops = NN__OF_NARROW(cpu, nn__shard_loops);
    (void)phase, (void)shared, (void)own;
    loops->sum(&join, 0, join.rounded, true);
    loops->sum(&join, join.rounded, join.n, false);
}

#undef NN__SHARD_SUM_UNIT

static const nn__cpu_kernel nn__shard_sum_kernel = {nn__shard_sum_units, nn__shard_sum_unit,
                                                    NULL, NULL, NULL};
#endif

NN_PRIVATE void nn__install_shard_sum(nn_context *nn) {
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, SHARD_SUM, shard_sum, &nn__shard_sum_kernel);
    nn__install_shard_product(nn);
#else
    (void)nn;
#endif
}
