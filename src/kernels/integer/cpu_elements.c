/* kernels/integer/cpu_elements.c - sums of two tensors of 8-bit integers, and the way into integers
   and out of them, on the CPU. A unit is a fixed number of elements, or of an image's places. */
#include "kernels/integer/cpu.h"
#include "kernels/integer/vector.h"

#include <math.h>

#define NN__INTEGER_EACH   16384 /* elements of a unit */
#define NN__INTEGER_PLACES 128   /* and channels that are transposed at once */
#define NN__INTEGER_CHANNELS 32

static int nn__integer_blocks(int64_t count, int each) {
    return (int)nn__min64((count + each - 1) / each, INT32_MAX);
}

static int nn__integer_add_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_view *y = &((const nn_integer_add_args *)arguments)->y;
    (void)cpu;
    return phase == 0 ? nn__integer_blocks(nn__count(y), NN__INTEGER_EACH) : 0;
}
static void nn__integer_add_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                 void *shared, void *own) {
    const nn_integer_add_args *args = (const nn_integer_add_args *)arguments;
    const int64_t first = (int64_t)unit * NN__INTEGER_EACH;
    const int n = (int)nn__min64(NN__INTEGER_EACH, nn__count(&args->y) - first);
    (void)phase, (void)shared, (void)own;
    nn__integer_loops_of(cpu)->add((int8_t *)(void *)nn__i32(&args->y) + first,
                                   nn__i8(&args->a) + first, nn__i8(&args->b) + first,
                                   nn__i32(&args->numbers), n);
}

/* ---- quantize, dequantize -------------------------------------------------------------------- */

/* The f32 tensor as (images, channels, places); without channels_last there is one channel. */
typedef struct nn__integer_planes {
    int64_t images, places, blocks;
    int channels, each; /* places of a unit */
} nn__integer_planes;

static nn__integer_planes nn__integer_planes_of(const nn_view *real, bool channels_last) {
    const int32_t *extent = real->shape.extent;
    nn__integer_planes p;
    p.images = channels_last ? extent[0] : 1;
    p.channels = channels_last ? extent[1] : 1;
    p.places = nn__count(real) / (p.images * p.channels);
    p.each = nn__maxi(1, NN__INTEGER_EACH / p.channels);
    p.blocks = (p.places + p.each - 1) / p.each;
    return p;
}
static int nn__quantize_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_quantize_args *args = (const nn_quantize_args *)arguments;
    const nn_view *real = args->x.dtype == NN_F32 ? &args->x : &args->y;
    const nn__integer_planes p = nn__integer_planes_of(real, args->channels_last);
    (void)cpu;
    return phase == 0 ? (int)(p.images * p.blocks) : 0;
}

static void nn__quantize_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                              void *shared, void *own) {
    const nn_quantize_args *args = (const nn_quantize_args *)arguments;
    const nn__integer_planes p = nn__integer_planes_of(&args->x, args->channels_last);
    const int64_t first = unit % p.blocks * p.each, end = nn__min64(first + p.each, p.places);
    const float scale = nn__f32(&args->scale)[0], zero = nn__f32(&args->scale)[1];
    const ptrdiff_t image = (ptrdiff_t)(unit / p.blocks * p.channels * p.places);
    const float *x = nn__f32(&args->x) + image;
    int8_t *y = (int8_t *)(void *)nn__i32(&args->y) + image;
    const nn__integer_loops *loops = nn__integer_loops_of(cpu);
    int8_t some[NN__INTEGER_CHANNELS * NN__INTEGER_PLACES];
    (void)phase, (void)shared, (void)own;
    if (p.channels == 1) {
        loops->quantize(y + first, x + first, scale, zero, (int)(end - first));
        return;
    }
    for (int64_t i = first; i < end; i += NN__INTEGER_PLACES)
        for (int c = 0; c < p.channels; c += NN__INTEGER_CHANNELS) {
            const int places = (int)nn__min64(NN__INTEGER_PLACES, end - i),
                      channels = nn__mini(NN__INTEGER_CHANNELS, p.channels - c);
            for (int k = 0; k < channels; k++)
                loops->quantize(some + k * NN__INTEGER_PLACES, x + (c + k) * p.places + i, scale,
                                zero, places);
            for (int at = 0; at < places; at++)
                for (int k = 0; k < channels; k++)
                    y[(i + at) * p.channels + c + k] = some[k * NN__INTEGER_PLACES + at];
        }
}

static void nn__dequantize_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                void *shared, void *own) {
    const nn_quantize_args *args = (const nn_quantize_args *)arguments;
    const nn__integer_planes p = nn__integer_planes_of(&args->y, args->channels_last);
    const int64_t first = unit % p.blocks * p.each, end = nn__min64(first + p.each, p.places);
    const float scale = nn__f32(&args->scale)[0], zero = nn__f32(&args->scale)[1];
    const ptrdiff_t image = (ptrdiff_t)(unit / p.blocks * p.channels * p.places);
    const int8_t *x = nn__i8(&args->x) + image;
    float *y = nn__f32(&args->y) + image;
    (void)cpu, (void)phase, (void)shared, (void)own;
    for (int c = 0; c < p.channels; c++)
        for (int64_t i = first; i < end; i++)
            y[c * p.places + i] = scale * ((float)x[i * p.channels + c] - zero);
}
#undef NN__INTEGER_EACH
#undef NN__INTEGER_PLACES
#undef NN__INTEGER_CHANNELS

static const nn__cpu_kernel nn__integer_add_kernel = {nn__integer_add_units, nn__integer_add_unit,
                                                      NULL, NULL, NULL};
static const nn__cpu_kernel nn__quantize_kernel = {nn__quantize_units, nn__quantize_unit, NULL,
                                                   NULL, NULL};
static const nn__cpu_kernel nn__dequantize_kernel = {nn__quantize_units, nn__dequantize_unit, NULL,
                                                     NULL, NULL};

NN_PRIVATE void nn__install_integer(nn_context *nn) {
    ((nn__cpu *)nn->cpu)->dots = nn__cpu_has_dots();
#ifndef NN_NO_SPEEDUPS
    nn->cached_integers = nn__integer_cached;
#endif
    NN__CPU_INSTALL(nn, INTEGER_CONV2D, integer_conv2d, nn__integer_conv_functions());
    NN__CPU_INSTALL(nn, INTEGER_POOL2D, integer_pool2d, nn__integer_pool_functions());
    NN__CPU_INSTALL(nn, INTEGER_ADD, integer_add, &nn__integer_add_kernel);
    NN__CPU_INSTALL(nn, QUANTIZE, quantize, &nn__quantize_kernel);
    NN__CPU_INSTALL(nn, DEQUANTIZE, dequantize, &nn__dequantize_kernel);
}
