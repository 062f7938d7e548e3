/* kernels/nibble/cpu.c - products with 4-bit weights, and the conversion of these weights to
   floats, on the CPU. The first phase rounds the rows of x to 8 bits, and the second multiplies:
   each unit reads its own rows of weights once for every four rows of x. */
#include "kernels/nibble/cpu.h"

#include "cpu/sets.h"
#include "kernels/install_quantize.h"
#include "kernels/nibble/vector.h"

#define NN__NIBBLE_UNIT  16384 /* bytes of weights in a unit: a quarter of a first-level cache */
#define NN__NIBBLE_ROUND 32768 /* numbers of x that a unit rounds */
#define NN__NIBBLE_WRITE 65536 /* numbers of y that a unit of nibble_floats writes */

static const nn__nibble_loops *nn__nibble_loops_of(const nn__cpu *cpu) {
#if NN__HAS_AVX512
    if (cpu->instructions == NN_INSTRUCTIONS_AVX512 && !cpu->dots) return &nn__nibble_loops_avx2;
#endif
    return NN__OF_SET(cpu, nn__nibble_loops);
}

static const uint16_t *nn__nibble_scales(const nn_view *view) {
    return nn__present(view) ? (const uint16_t *)(const void *)nn__i32(view) : NULL;
}

/* ---- linear ---------------------------------------------------------------------------------- */

typedef struct nn__nibble_cut {
    const nn__nibble_loops *loops;
    int N, C, K;
    int rows, columns;               /* of a unit of phase 0, of phase 1 */
    size_t x, start, size, sums, row; /* offsets in the scratch of a row of x, and its bytes */
} nn__nibble_cut;

static nn__nibble_cut nn__nibble_cut_of(const nn__cpu *cpu, const nn_nibble_linear_args *args) {
    nn__nibble_cut cut;
    cut.loops = nn__nibble_loops_of(cpu);
    cut.N = args->x.shape.extent[0];
    cut.C = args->x.shape.extent[1];
    cut.K = args->weight.shape.extent[0];
    cut.rows = nn__maxi(NN__NIBBLE_ROUND / cut.C, 1);
    cut.columns = nn__maxi(NN__NIBBLE_UNIT / (cut.C / 2), 4);
    const size_t lanes = (size_t)cut.loops->lanes,
                 words = nn__align_up((size_t)cut.C / 8, lanes),
                 groups = nn__align_up((words + 3) / 4, lanes);
    cut.x = 0;
    cut.start = nn__align_up(words * 8 * (size_t)cut.loops->bytes, 64);
    cut.size = cut.start + nn__align_up(words * 4, 64);
    cut.sums = cut.size + nn__align_up(words * 4, 64);
    cut.row = cut.sums + nn__align_up(groups * 4, 64);
    return cut;
}

static nn__nibble_row nn__nibble_row_of(const nn__nibble_cut *cut, void *shared, int n) {
    char *first = (char *)shared + cut->row * (size_t)n;
    nn__nibble_row row;
    row.x = first + cut->x;
    row.start = first + cut->start;
    row.size = (float *)(void *)(first + cut->size);
    row.sums = (float *)(void *)(first + cut->sums);
    return row;
}

static int nn__nibble_linear_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn__nibble_cut cut = nn__nibble_cut_of(cpu, (const nn_nibble_linear_args *)arguments);
    if (phase == 0) return nn__ceil_div(cut.N, cut.rows);
    return phase == 1 ? nn__ceil_div(cut.K, cut.columns) : 0;
}

static size_t nn__nibble_linear_shared(const nn__cpu *cpu, const void *arguments) {
    const nn__nibble_cut cut = nn__nibble_cut_of(cpu, (const nn_nibble_linear_args *)arguments);
    return cut.row * (size_t)cut.N;
}

static void nn__nibble_linear_multiply(const nn__nibble_cut *cut, const nn_nibble_linear_args *args,
                                       int first, void *shared) {
    const ptrdiff_t groups = cut->C / NN_NIBBLE_GROUP;
    const uint16_t *minimum = nn__nibble_scales(&args->minimum);
    nn__nibble_product p;
    p.weight = (const uint8_t *)nn__i32(&args->weight) + (ptrdiff_t)first * (cut->C / 2);
    p.scale = nn__nibble_scales(&args->scale) + first * groups;
    p.minimum = minimum ? minimum + first * groups : NULL;
    p.after = (cut->K - first) * groups;
    p.bias = nn__present(&args->bias) ? nn__f32(&args->bias) + first : NULL;
    p.columns = nn__mini(cut->columns, cut->K - first);
    p.C = cut->C;
    p.y_row = cut->K;
    for (int n = 0; n < cut->N; n += p.rows) {
        p.rows = cut->N - n == 1 ? 1 : nn__mini(4, cut->N - n);
        for (int r = 0; r < 4; r++)
            p.row[r] = nn__nibble_row_of(cut, shared, n + (r < p.rows ? r : 0));
        p.y = nn__f32(&args->y) + (ptrdiff_t)n * cut->K + first;
        cut->loops->multiply(&p);
    }
}

static void nn__nibble_linear_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                   void *shared, void *own) {
    const nn_nibble_linear_args *args = (const nn_nibble_linear_args *)arguments;
    const nn__nibble_cut cut = nn__nibble_cut_of(cpu, args);
    (void)own;
    if (phase == 1) {
        nn__nibble_linear_multiply(&cut, args, unit * cut.columns, shared);
        return;
    }
    const int end = nn__mini((unit + 1) * cut.rows, cut.N);
    for (int n = unit * cut.rows; n < end; n++) {
        const nn__nibble_row row = nn__nibble_row_of(&cut, shared, n);
        cut.loops->to_bytes(&row, nn__f32(&args->x) + (ptrdiff_t)n * cut.C, cut.C,
                         nn__present(&args->minimum));
    }
}

/* ---- floats ---------------------------------------------------------------------------------- */

static int nn__nibble_floats_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const int64_t count = nn__count(&((const nn_nibble_floats_args *)arguments)->y);
    (void)cpu;
    return phase == 0 ? (int)nn__min64((count + NN__NIBBLE_WRITE - 1) / NN__NIBBLE_WRITE, INT32_MAX)
                      : 0;
}

/* The rows follow each other, and each is a whole number of groups. */
static void nn__nibble_floats_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                   void *shared, void *own) {
    const nn_nibble_floats_args *args = (const nn_nibble_floats_args *)arguments;
    const int64_t first = (int64_t)unit * NN__NIBBLE_WRITE, group = first / NN_NIBBLE_GROUP;
    const uint16_t *minimum = nn__nibble_scales(&args->minimum);
    (void)phase, (void)shared, (void)own;
    nn__nibble_loops_of(cpu)->floats(
        nn__f32(&args->y) + first, (const uint8_t *)nn__i32(&args->weight) + first / 2,
        nn__nibble_scales(&args->scale) + group, minimum ? minimum + group : NULL,
        (int)nn__min64(NN__NIBBLE_WRITE, nn__count(&args->y) - first));
}
#undef NN__NIBBLE_UNIT
#undef NN__NIBBLE_ROUND
#undef NN__NIBBLE_WRITE

static const nn__cpu_kernel nn__nibble_linear_kernel = {
    nn__nibble_linear_units, nn__nibble_linear_unit, nn__nibble_linear_shared, NULL, NULL};
static const nn__cpu_kernel nn__nibble_floats_kernel = {
    nn__nibble_floats_units, nn__nibble_floats_unit, NULL, NULL, NULL};

NN_PRIVATE void nn__install_nibble(nn_context *nn) {
    ((nn__cpu *)nn->cpu)->dots = nn__cpu_has_dots();
    NN__CPU_INSTALL(nn, NIBBLE_LINEAR, nibble_linear, &nn__nibble_linear_kernel);
    NN__CPU_INSTALL(nn, NIBBLE_FLOATS, nibble_floats, &nn__nibble_floats_kernel);
}
