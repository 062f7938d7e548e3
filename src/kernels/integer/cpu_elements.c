/* kernels/integer/cpu_elements.c - sums and products of two tensors of 8-bit integers, functions of
   one number, and the conversions from and to f32, on the CPU. A unit is a fixed number of
   elements, or of an image's places. */
#include "kernels/install_quantize.h"
#include "kernels/integer/cpu.h"
#include "kernels/integer/vector.h"

#include <math.h>

#define NN__INTEGER_EACH     16384 /* elements of a unit */
/* Places and channels transposed at once, which are on the stack: firmware has little of it. */
#ifdef NN_NO_SIMD
#define NN__INTEGER_PLACES   32
#define NN__INTEGER_CHANNELS 8
#else
#define NN__INTEGER_PLACES   128
#define NN__INTEGER_CHANNELS 32
#endif

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

static int nn__integer_table_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_view *y = &((const nn_integer_table_args *)arguments)->y;
    (void)cpu;
    return phase == 0 ? nn__integer_blocks(nn__count(y), NN__INTEGER_EACH) : 0;
}
static void nn__integer_table_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                   void *shared, void *own) {
    const nn_integer_table_args *args = (const nn_integer_table_args *)arguments;
    const int64_t first = (int64_t)unit * NN__INTEGER_EACH;
    const int n = (int)nn__min64(NN__INTEGER_EACH, nn__count(&args->y) - first);
    const int8_t *x = nn__i8(&args->x) + first, *table = nn__i8(&args->table);
    int8_t *y = (int8_t *)(void *)nn__i32(&args->y) + first;
    (void)cpu, (void)phase, (void)shared, (void)own;
    for (int i = 0; i < n; i++) y[i] = table[x[i] + 128];
}

/* A unit is a number of rows. A row has all numbers of b if b is (N, 1, 1, C), else one number. */
typedef struct nn__integer_rows {
    int64_t rows, images; /* images: rows that read the same numbers of b */
    int length, each;
} nn__integer_rows;

static nn__integer_rows nn__integer_rows_of(const nn_integer_multiply_args *args) {
    const nn_shape *b = &args->b.shape;
    nn__integer_rows r;
    const bool wide = nn__count(&args->b) != nn__count(&args->y);
    r.length = wide ? b->extent[3] : 1;
    r.rows = r.length ? nn__count(&args->y) / r.length : 0;
    r.images = wide ? (int64_t)args->y.shape.extent[1] * args->y.shape.extent[2] : 1;
    r.each = nn__maxi(1, NN__INTEGER_EACH / nn__maxi(1, r.length));
    return r;
}
static int nn__integer_multiply_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn__integer_rows r = nn__integer_rows_of((const nn_integer_multiply_args *)arguments);
    (void)cpu;
    return phase == 0 ? nn__integer_blocks(r.rows, r.each) : 0;
}
static void nn__integer_products(int8_t *y, const int8_t *a, const int8_t *b,
                                 const int32_t *numbers, int n) {
    const int32_t *zero = numbers + NN_INTEGER_MULTIPLY_ZERO;
    const int32_t multiplier = numbers[NN_INTEGER_MULTIPLY_MULTIPLIER],
                  shift = numbers[NN_INTEGER_MULTIPLY_SHIFT];
    for (int i = 0; i < n; i++) {
        const int32_t product = (a[i] - zero[0]) * (b[i] - zero[1]);
        const uint32_t value =
            (uint32_t)nn__integer_scale(product, multiplier, shift) + (uint32_t)zero[2];
        y[i] = nn__integer_clamp((int32_t)value, numbers[NN_INTEGER_MULTIPLY_LOW],
                                 numbers[NN_INTEGER_MULTIPLY_HIGH]);
    }
}
static void nn__integer_multiply_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                      int unit, void *shared, void *own) {
    const nn_integer_multiply_args *args = (const nn_integer_multiply_args *)arguments;
    const nn__integer_rows r = nn__integer_rows_of(args);
    const int64_t first = (int64_t)unit * r.each, end = nn__min64(first + r.each, r.rows);
    const int8_t *a = nn__i8(&args->a), *b = nn__i8(&args->b);
    const int32_t *numbers = nn__i32(&args->numbers);
    int8_t *y = (int8_t *)(void *)nn__i32(&args->y);
    (void)cpu, (void)phase, (void)shared, (void)own;
    if (r.length == 1 && r.images == 1) {
        nn__integer_products(y + first, a + first, b + first, numbers, (int)(end - first));
        return;
    }
    for (int64_t row = first; row < end; row++)
        nn__integer_products(y + row * r.length, a + row * r.length, b + row / r.images * r.length,
                             numbers, r.length);
}

/* ---- quantize, dequantize -------------------------------------------------------------------- */

/* The f32 tensor seen as (images, channels, places). Without channels_last there is one channel. */
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

/* Transposes: lines has a line of places for each channel, NN__INTEGER_PLACES numbers apart; y gets
   a place with all channels every `across` numbers. */
static void nn__quantize_turn(const nn__integer_loops *loops, int8_t *y, ptrdiff_t across,
                              const int8_t *lines, int places, int channels) {
    if (loops->weave && channels == 3 && across == 3 && places % 16 == 0) {
        loops->weave(y, lines, NN__INTEGER_PLACES, places);
        return;
    }
    const int8_t *red = lines, *green = lines + NN__INTEGER_PLACES,
                 *blue = lines + 2 * NN__INTEGER_PLACES;
    for (int at = 0; at < places && channels == 3; at++, y += across) {
        y[0] = red[at];
        y[1] = green[at];
        y[2] = blue[at];
    }
    for (int at = 0; at < places && channels != 3; at++, y += across)
        for (int k = 0; k < channels; k++) y[k] = lines[k * NN__INTEGER_PLACES + at];
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
            nn__quantize_turn(loops, y + i * p.channels + c, p.channels, some, places, channels);
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
static const nn__cpu_kernel nn__integer_table_kernel = {nn__integer_table_units,
                                                        nn__integer_table_unit, NULL, NULL, NULL};
static const nn__cpu_kernel nn__integer_multiply_kernel = {
    nn__integer_multiply_units, nn__integer_multiply_unit, NULL, NULL, NULL};
static const nn__cpu_kernel nn__quantize_kernel = {nn__quantize_units, nn__quantize_unit, NULL,
                                                   NULL, NULL};
static const nn__cpu_kernel nn__dequantize_kernel = {nn__quantize_units, nn__dequantize_unit, NULL,
                                                     NULL, NULL};

NN_PRIVATE void nn__install_integer(nn_context *nn) {
    ((nn__cpu *)nn->cpu)->dots = nn__cpu_has_dots();
    ((nn__cpu *)nn->cpu)->picks = nn__cpu_has_picks();
#ifndef NN_NO_SPEEDUPS
    nn->cached_integers = nn__integer_cached;
#endif
    NN__CPU_INSTALL(nn, INTEGER_CONV2D, integer_conv2d, nn__integer_conv_functions());
    NN__CPU_INSTALL(nn, INTEGER_POOL2D, integer_pool2d, nn__integer_pool_functions());
    NN__CPU_INSTALL(nn, INTEGER_ADD, integer_add, &nn__integer_add_kernel);
    NN__CPU_INSTALL(nn, INTEGER_TABLE, integer_table, &nn__integer_table_kernel);
    NN__CPU_INSTALL(nn, INTEGER_MULTIPLY, integer_multiply, &nn__integer_multiply_kernel);
    NN__CPU_INSTALL(nn, INTEGER_RESIZE2D, integer_resize2d, nn__integer_resize_functions());
    NN__CPU_INSTALL(nn, INTEGER_SOFTMAX, integer_softmax, nn__integer_softmax_functions());
    NN__CPU_INSTALL(nn, QUANTIZE, quantize, &nn__quantize_kernel);
    NN__CPU_INSTALL(nn, DEQUANTIZE, dequantize, &nn__dequantize_kernel);
}
