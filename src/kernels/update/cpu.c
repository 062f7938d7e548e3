/* kernels/update/cpu.c - SGD, Adam, AdamW and gradient clipping, with the formulas and the order of
   torch.optim 1.13.

   Schedules and groups are handled elsewhere: one call updates a list of parameters with one set of
   numbers. Updates are limited by memory, so each number is read and written once.
   Compiled for size. */
#include "base/functions.h"
#include "kernels/update/cpu.h"
#include "kernels/update/vector.h"

#include <float.h>
#include <math.h>

#ifndef NN_NO_TRAINING

/* Least and most numbers of a parameter per unit. */
#define NN__UPDATE_UNIT 16384
#define NN__UPDATE_MOST 65536

/* ---- the numbers of a unit ------------------------------------------------------------------- */

/* Returns the numbers per unit: a sixteenth of the parameter, within the limits above, because long
   sequential reads are fastest. */
static int64_t nn__update_each(const nn_update_item *item) {
    const int64_t each = nn__count(&item->gradient) / 16;
    if (each <= NN__UPDATE_UNIT) return NN__UPDATE_UNIT;
    return each < NN__UPDATE_MOST ? each / NN__UPDATE_UNIT * NN__UPDATE_UNIT : NN__UPDATE_MOST;
}

static int nn__update_blocks(const nn_update_item *item) {
    const int64_t each = nn__update_each(item);
    return (int)((nn__count(&item->gradient) + each - 1) / each);
}

static int nn__update_all_blocks(const nn_update_item *items, int count) {
    int blocks = 0;
    for (int i = 0; i < count; i++) blocks += nn__update_blocks(&items[i]);
    return blocks;
}

/* Returns the item of a unit, its first number, and the count. */
static const nn_update_item *nn__update_find(const nn_update_item *items, int unit, int64_t *first,
                                             int *count) {
    while (unit >= nn__update_blocks(items)) unit -= nn__update_blocks(items++);
    *first = (int64_t)unit * nn__update_each(items);
    *count = (int)nn__min64(nn__update_each(items), nn__count(&items->gradient) - *first);
    return items;
}

/* Returns how many items, from the first of `count` on, a unit updates together: small ones, so
   that the numbers of the step are computed once for all of them. */
static int nn__update_together(const nn_update_item *items, int count) {
    int64_t numbers = 0;
    int n = 0;
    while (n < count && (numbers += nn__count(&items[n].gradient)) <= NN__UPDATE_UNIT) n++;
    return nn__maxi(n, 1);
}

static int nn__update_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_update_args *args = (const nn_update_args *)arguments;
    int units = 0, together;
    (void)cpu;
    if (phase) return 0;
    for (int i = 0; i < args->count; i += together) {
        together = nn__update_together(&args->items[i], args->count - i);
        units += together > 1 ? 1 : nn__update_blocks(&args->items[i]);
    }
    return nn__maxi(1, units);
}

/* ---- the numbers of a step ------------------------------------------------------------------- */

/* Returns the decimal number that was written for a float. With 0.999f itself, 1 - beta would be
   wrong in its fifth digit; PyTorch computes with 0.999. */
static double nn__update_decimal(float number) {
    double decimal = floor((double)number * 1e7 + 0.5) / 1e7;
    return (float)decimal == number ? decimal : (double)number;
}

static nn__update_numbers nn__update_make_numbers(const nn_update_args *args) {
    nn__update_numbers k;
    bool adam = args->optimizer == NN_ADAM || args->optimizer == NN_ADAMW,
         decoupled = args->optimizer == NN_ADAMW;
    memset(&k, 0, sizeof k);
    k.scale = nn__present(&args->gradient_scale) ? *nn__f32(&args->gradient_scale) : 1.0f;
    k.decay = decoupled ? 0.0f : args->weight_decay;
    k.rate = args->learning_rate;
    k.momentum = args->momentum;
    k.keep = (float)(1.0 - nn__update_decimal(args->dampening));
    k.nesterov = args->nesterov;
    k.first = args->step <= 1;
    k.shrink =
        decoupled ? (float)(1.0 - (double)args->learning_rate * (double)args->weight_decay) : 1.0f;
    if (!adam) return k;
    double beta1 = nn__update_decimal(args->beta1), beta2 = nn__update_decimal(args->beta2),
           step = (double)args->step;
    k.beta1 = args->beta1, k.beta2 = args->beta2;
    k.rest1 = (float)(1.0 - beta1), k.rest2 = (float)(1.0 - beta2);
    const double root = sqrt(1.0 - nn__pow(beta2, step));
    k.rate = (float)(nn__update_decimal(args->learning_rate) * root / (1.0 - nn__pow(beta1, step)));
    k.epsilon = (float)((double)args->epsilon * root);
    /* the root of FLT_MIN is less than half of the last bit of epsilon */
    k.least = k.epsilon >= 1e-11f ? FLT_MIN : 0.0f;
    return k;
}

/* Updates n numbers of an item, from `first` on. */
static void nn__update_some(const nn__cpu *cpu, const nn_update_args *args,
                            const nn__update_numbers *k, const nn_update_item *item, int64_t first,
                            int n) {
    float *p = nn__f32(&item->parameter) + first;
    const float *g = nn__f32(&item->gradient) + first;
    float *moment1 = nn__present(&item->moment1) ? nn__f32(&item->moment1) + first : NULL;
    const nn__update_loops *loops = NN__OF_NARROW(cpu, nn__update_loops);
    if (args->optimizer == NN_ADAM || args->optimizer == NN_ADAMW)
        loops->adam(k, p, g, moment1, nn__f32(&item->moment2) + first, n);
    else /* as in PyTorch: without momentum no buffer and no nesterov */
        loops->sgd(k, p, g, args->momentum == 0.0f ? NULL : moment1, n);
}

static void nn__update_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                            void *shared, void *own) {
    const nn_update_args *args = (const nn_update_args *)arguments;
    const nn_update_item *items = args->items, *end = items + args->count;
    (void)phase, (void)shared, (void)own;
    if (nn__present(&args->status) && args->status.handle && *nn__status(&args->status) != 0)
        return;
    while (items < end) {
        const int together = nn__update_together(items, (int)(end - items)),
                  units = together > 1 ? 1 : nn__update_blocks(items);
        if (unit >= units) {
            unit -= units;
            items += together;
            continue;
        }
        const nn__update_numbers k = nn__update_make_numbers(args);
        for (int i = 0; i < together; i++) {
            int64_t first;
            int n;
            const nn_update_item *item = nn__update_find(items + i, unit, &first, &n);
            nn__update_some(cpu, args, &k, item, first, n);
        }
        return;
    }
}

static const nn__cpu_kernel nn__update_kernel = {nn__update_units, nn__update_unit, NULL, NULL,
                                                 NULL};

/* ---- clipping: first sums of squares in double, then the scale ------------------------------- */

static int nn__update_clip_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_clip_args *args = (const nn_clip_args *)arguments;
    (void)cpu;
    if (phase == 0) return nn__maxi(1, nn__update_all_blocks(args->items, args->count));
    return phase == 1 ? 1 : 0;
}

static size_t nn__update_clip_shared_bytes(const nn__cpu *cpu, const void *args) {
    return (size_t)nn__update_clip_units(cpu, args, 0) * sizeof(double);
}

static void nn__update_clip_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                 void *shared, void *own) {
    const nn_clip_args *args = (const nn_clip_args *)arguments;
    double *sums = (double *)shared, total = 0.0;
    int blocks = nn__update_all_blocks(args->items, args->count);
    (void)own;
    if (phase == 1) {
        for (int i = 0; i < blocks; i++) total += sums[i];
        float norm = (float)sqrt(total), scale = args->max_norm / (norm + 1e-6f);
        if (nn__present(&args->norm)) *nn__f32(&args->norm) = norm;
        *nn__f32(&args->scale) = scale > 1.0f ? 1.0f : scale; /* NaN stays */
        return;
    }
    if (blocks == 0) return;
    int64_t first;
    int n;
    const nn_update_item *item = nn__update_find(args->items, unit, &first, &n);
    const float *g = nn__f32(&item->gradient) + first;
    sums[unit] = NN__OF_NARROW(cpu, nn__update_loops)->squares(g, n);
}

static const nn__cpu_kernel nn__update_clip = {nn__update_clip_units, nn__update_clip_unit,
                                               nn__update_clip_shared_bytes, NULL, NULL};
#undef NN__UPDATE_UNIT
#undef NN__UPDATE_MOST

NN_PRIVATE void nn__install_update(nn_context *nn) {
    NN__CPU_INSTALL(nn, UPDATE, update, &nn__update_kernel);
#ifndef NN__NO_TRAINER
    NN__CPU_INSTALL(nn, CLIP, clip, &nn__update_clip);
#endif
}

#else

NN_PRIVATE void nn__install_update(nn_context *nn) { (void)nn; }

#endif
