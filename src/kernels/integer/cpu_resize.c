/* kernels/integer/cpu_resize.c - resizes images of 8-bit integers on the CPU. A unit is a row of
   places of y. */
#include "cpu/gemm.h"
#include "kernels/integer/cpu.h"

static int nn__integer_resize_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_view *y = &((const nn_integer_resize2d_args *)arguments)->y;
    (void)cpu;
    return phase == 0 ? y->shape.extent[0] * y->shape.extent[1] : 0;
}

/* The two places that place i lies between, and the part of the second one. */
typedef struct nn__integer_between {
    int first, second;
    int32_t part;
} nn__integer_between;
static nn__integer_between nn__integer_between_of(const int32_t *table, int i, int count,
                                                  int extent) {
    nn__integer_between b;
    b.first = nn__mini(nn__maxi(table[i], 0), extent - 1);
    b.second = nn__mini(nn__maxi(table[count + i], 0), extent - 1);
    b.part = table[2 * count + i];
    return b;
}

/* sum / 2^20, rounded, halves away from zero. */
static NN__ALWAYS_INLINE int8_t nn__integer_mean_of_four(int32_t sum) {
    return (int8_t)((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
}

static void nn__integer_resize_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                    void *shared, void *own) {
    const nn_integer_resize2d_args *args = (const nn_integer_resize2d_args *)arguments;
    const int32_t *from = args->x.shape.extent, *to = args->y.shape.extent;
    const int OH = to[1], OW = to[2], C = to[3];
    const nn__integer_between h =
        nn__integer_between_of(nn__i32(&args->rows), unit % OH, OH, from[1]);
    const int8_t *x = nn__i8(&args->x) + (ptrdiff_t)(unit / OH) * from[1] * from[2] * C;
    const int8_t *upper = x + (ptrdiff_t)h.first * from[2] * C,
                 *lower = x + (ptrdiff_t)h.second * from[2] * C;
    int8_t *y = (int8_t *)(void *)nn__i32(&args->y) + (ptrdiff_t)unit * OW * C;
    (void)cpu, (void)phase, (void)shared, (void)own;
    for (int i = 0; i < OW; i++, y += C) {
        const nn__integer_between w =
            nn__integer_between_of(nn__i32(&args->columns), i, OW, from[2]);
        const int8_t *a = upper + (ptrdiff_t)w.first * C, *b = upper + (ptrdiff_t)w.second * C,
                     *c = lower + (ptrdiff_t)w.first * C, *d = lower + (ptrdiff_t)w.second * C;
        const int32_t of_a = (1024 - h.part) * (1024 - w.part), of_b = (1024 - h.part) * w.part,
                      of_c = h.part * (1024 - w.part), of_d = h.part * w.part;
        if (h.part == 0 && w.part == 0) {
            memcpy(y, a, (size_t)C);
            continue;
        }
        for (int k = 0; k < C; k++)
            y[k] = nn__integer_mean_of_four(a[k] * of_a + b[k] * of_b + c[k] * of_c + d[k] * of_d);
    }
}

static const nn__cpu_kernel nn__integer_resize_kernel = {
    nn__integer_resize_units, nn__integer_resize_unit, NULL, NULL, NULL};

NN_PRIVATE const nn__cpu_kernel *nn__integer_resize_functions(void) {
    return &nn__integer_resize_kernel;
}
