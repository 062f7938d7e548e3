/* kernels/strided_copy/vector.h - copies of numbers of four bytes, for every instruction set. */
#ifndef NN__SET
#define NN__BODY "kernels/strided_copy/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/strided_copy/cpu.h"

#if NN__LANES > 1
static void NN__(copy_back)(char *to, const char *from, int64_t n, int64_t y_stride,
                            int64_t x_stride, bool streams) {
    const NN__I32 order = NN__(int_sub)(NN__(int_all)(NN__LANES - 1), NN__(int_lanes)());
    float *y = (float *)(void *)to;
    const float *x = (const float *)(const void *)from;
    int64_t i = 0;
    (void)y_stride, (void)x_stride;
    streams = streams && (uintptr_t)y % 64 == 0;
    for (; i + NN__LANES <= n; i += NN__LANES)
        NN__(put)(y + i, NN__(permute)(NN__(load)(x - i - (NN__LANES - 1)), order), streams);
    for (; i < n; i++) y[i] = x[-i];
}

static void NN__(copy_same)(char *to, const char *from, int64_t n, int64_t y_stride,
                            int64_t x_stride, bool streams) {
    float *y = (float *)(void *)to;
    const NN__F32 value = NN__(all)(*(const float *)(const void *)from);
    int64_t i = 0;
    (void)y_stride, (void)x_stride;
    streams = streams && (uintptr_t)y % 64 == 0;
    for (; i + NN__LANES <= n; i += NN__LANES) NN__(put)(y + i, value, streams);
    if (i < n) NN__(store_some)(y + i, (int)(n - i), value);
}

/* Transposes one square of x into the square of y on the other side of the diagonal. */
NN__OP void NN__(copy_square)(float *y, int64_t y_step, const float *x, int64_t x_step,
                              bool streams) {
    float square[NN__LANES * NN__LANES];
    if (!streams) {
        NN__(transpose_square)(y, (ptrdiff_t)y_step, x, (ptrdiff_t)x_step);
        return;
    }
    NN__(transpose_square)(square, NN__LANES, x, (ptrdiff_t)x_step);
    for (int i = 0; i < NN__LANES; i++)
        NN__(stream)(y + i * y_step, NN__(load)(square + i * NN__LANES));
}

/* y[i] = x[3 i]: a plane of a picture whose colours lie side by side. Reads nothing after the last
   number. */
static void NN__(copy_third)(float *y, const float *x, int64_t n) {
    const NN__I32 three = NN__(int_add)(NN__(int_add)(NN__(int_lanes)(), NN__(int_lanes)()),
                                        NN__(int_lanes)()),
                  wide = NN__(int_all)(NN__LANES), past = NN__(int_all)(2 * NN__LANES - 1),
                  zero = NN__(int_all)(0);
    /* Lane i reads number 3 i of three vectors. Each of them gives 0 where another one has it. */
    const NN__I32 b = NN__(int_sub)(three, wide), c = NN__(int_sub)(b, wide);
    const NN__I32 at0 = NN__(int_pick)(NN__(int_less)(three, wide), three, past),
                  at1 = NN__(int_pick)(NN__(both)(NN__(not)(NN__(int_less)(b, zero)),
                                                  NN__(int_less)(b, wide)), b, past),
                  at2 = NN__(int_pick)(NN__(int_less)(c, zero), past, c);
    int64_t i = 0;
    for (; i + NN__LANES < n; i += NN__LANES, x += 3 * NN__LANES) {
        const NN__F32 u = NN__(permute)(NN__(load)(x), at0),
                      v = NN__(permute)(NN__(load)(x + NN__LANES), at1),
                      w = NN__(permute)(NN__(load)(x + 2 * NN__LANES), at2);
        NN__(store)(y + i, NN__(of_bits)(NN__(int_or)(
                               NN__(int_or)(NN__(bits)(u), NN__(bits)(v)), NN__(bits)(w))));
    }
    for (; i < n; i++, x += 3) y[i] = *x;
}

/* Writes whole cache lines one after the other, and uses all numbers of a line of x before it reads
   the next line. */
static void NN__(copy_turn)(float *y, int64_t y_step, const float *x, int64_t x_step, int64_t rows,
                            int64_t columns, bool distant, bool streams) {
    for (int64_t r = 0; x_step == 3 && rows <= 3 && r < rows; r++)
        NN__(copy_third)(y + r * y_step, x + r, columns);
    if (x_step == 3 && rows <= 3) return;
    const int64_t whole_rows = rows / NN__LANES * NN__LANES,
                  whole_columns = columns / NN__LANES * NN__LANES;
    for (int64_t first = 0; first < whole_columns; first += NN__COPY_BLOCK)
        for (int64_t r = 0; r < whole_rows; r += NN__LANES) {
            const int64_t end = nn__min64(first + NN__COPY_BLOCK, whole_columns);
            for (int64_t c = end; distant && r % 16 == 0 && c < end + NN__COPY_BLOCK; c++)
                NN__(ahead)(x + c * x_step + r);
            for (int64_t c = first; c < end; c += NN__LANES)
                NN__(copy_square)(y + r * y_step + c, y_step, x + c * x_step + r, x_step, streams);
        }
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = r < whole_rows ? whole_columns : 0; c < columns; c++)
            y[r * y_step + c] = x[c * x_step + r];
}

/* A cache line that bypasses the caches is never also written in the ordinary way. */
static void NN__(copy_line)(char *to, const char *from, int64_t n) {
    int64_t i = (int64_t)(-(uintptr_t)to & 63);
    memcpy(to, from, (size_t)i);
    for (; i + 64 <= n; i += 64) {
        const float *x = (const float *)(const void *)(from + i);
        float *y = (float *)(void *)(to + i);
        for (int k = 0; k < 16; k += NN__LANES) NN__(stream)(y + k, NN__(load)(x + k));
    }
    memcpy(to + i, from + i, (size_t)(n - i));
}

static const nn__copy_loops NN__(copy_loops) = {NN__(copy_back), NN__(copy_same), NN__(copy_turn),
                                                NN__(copy_line)};
#else
static const nn__copy_loops NN__(copy_loops) = {NULL, NULL, NULL, NULL};
#endif
#endif
