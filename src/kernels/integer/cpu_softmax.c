/* kernels/integer/cpu_softmax.c - softmax of 8-bit integers on the CPU, with the formulas of
   args.h. A unit is a number of rows. */
#include "cpu/gemm.h"
#include "kernels/integer/cpu.h"

#define NN__SOFTMAX_EACH 16384 /* numbers of a unit */

typedef struct nn__integer_soft_rows {
    int64_t rows, inner; /* inner: numbers from one of a row to the next one */
    int length, each;    /* each: rows of a unit */
} nn__integer_soft_rows;

static nn__integer_soft_rows nn__integer_soft_rows_of(const nn_integer_softmax_args *args) {
    const nn_shape *shape = &args->x.shape;
    nn__integer_soft_rows r;
    r.length = shape->extent[args->axis];
    r.rows = r.length ? nn__count(&args->x) / r.length : 0;
    r.inner = 1;
    for (int i = args->axis + 1; i < shape->rank; i++) r.inner *= shape->extent[i];
    r.each = nn__maxi(1, NN__SOFTMAX_EACH / nn__maxi(1, r.length));
    return r;
}

static int nn__integer_softmax_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn__integer_soft_rows r =
        nn__integer_soft_rows_of((const nn_integer_softmax_args *)arguments);
    (void)cpu;
    return phase == 0 ? (int)nn__min64((r.rows + r.each - 1) / r.each, INT32_MAX) : 0;
}

/* Returns the result of a number whose exponential is e. */
static NN__ALWAYS_INLINE int8_t nn__integer_softmax_one(int32_t e, uint32_t r,
                                                        const int32_t *numbers) {
    const uint64_t p = ((uint64_t)(uint32_t)e * r + ((uint32_t)1 << 30)) >> 31;
    const uint32_t value =
        (uint32_t)nn__integer_scale((int32_t)(uint32_t)p, numbers[NN_INTEGER_SOFTMAX_MULTIPLIER],
                                    numbers[NN_INTEGER_SOFTMAX_SHIFT]) +
        (uint32_t)numbers[NN_INTEGER_SOFTMAX_ZERO];
    return nn__integer_clamp((int32_t)value, -128, 127);
}

/* Returns the largest number of a row. Four at a time: each waits for the one before it. */
static int nn__integer_softmax_largest(const int8_t *x, ptrdiff_t end, ptrdiff_t step) {
    int a = -128, b = -128, c = -128, d = -128;
    ptrdiff_t i = 0;
    for (; i + 3 * step < end; i += 4 * step) {
        a = nn__maxi(a, x[i]);
        b = nn__maxi(b, x[i + step]);
        c = nn__maxi(c, x[i + 2 * step]);
        d = nn__maxi(d, x[i + 3 * step]);
    }
    for (; i < end; i += step) a = nn__maxi(a, x[i]);
    return nn__maxi(nn__maxi(a, b), nn__maxi(c, d));
}

static void nn__integer_softmax_row(const nn_integer_softmax_args *args, const int8_t *x,
                                    int8_t *y, int length, ptrdiff_t step) {
    const int32_t *table = nn__i32(&args->table), *numbers = nn__i32(&args->numbers);
    const ptrdiff_t end = (ptrdiff_t)length * step;
    int8_t results[256];
    const int largest = nn__integer_softmax_largest(x, end, step);
    uint64_t sum = 0;
    for (ptrdiff_t i = 0; i < end; i += step) sum += (uint32_t)table[largest - x[i]];
    if (sum < (uint64_t)1 << 30) sum = (uint64_t)1 << 30; /* the table is not filled yet */
    const uint32_t r = (uint32_t)((((uint64_t)1 << 61) + sum / 2) / sum);
    if (length <= 256) {
        for (ptrdiff_t i = 0; i < end; i += step)
            y[i] = nn__integer_softmax_one(table[largest - x[i]], r, numbers);
        return;
    }
    for (int i = 0; i <= largest + 128; i++)
        results[i] = nn__integer_softmax_one(table[i], r, numbers);
    for (ptrdiff_t i = 0; i < end; i += step) y[i] = results[largest - x[i]];
}

static void nn__integer_softmax_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                     void *shared, void *own) {
    const nn_integer_softmax_args *args = (const nn_integer_softmax_args *)arguments;
    const nn__integer_soft_rows r = nn__integer_soft_rows_of(args);
    const int64_t first = (int64_t)unit * r.each, end = nn__min64(first + r.each, r.rows);
    const int8_t *x = nn__i8(&args->x);
    int8_t *y = (int8_t *)(void *)nn__i32(&args->y);
    (void)cpu, (void)phase, (void)shared, (void)own;
    for (int64_t row = first; row < end; row++) {
        const ptrdiff_t at = (ptrdiff_t)(row / r.inner * r.inner * r.length + row % r.inner);
        nn__integer_softmax_row(args, x + at, y + at, r.length, (ptrdiff_t)r.inner);
    }
}
#undef NN__SOFTMAX_EACH

static const nn__cpu_kernel nn__integer_softmax_kernel = {
    nn__integer_softmax_units, nn__integer_softmax_unit, NULL, NULL, NULL};

NN_PRIVATE const nn__cpu_kernel *nn__integer_softmax_functions(void) {
    return &nn__integer_softmax_kernel;
}
