/* kernels/scan/cpu.c - running sums on the CPU: lanes that lie side by side are added together,
   block by block. */
#include "cpu/private.h"

#define NN__SCAN_LANES 64    /* lanes of a block */
#define NN__SCAN_UNIT  16384 /* elements of a unit, about */

typedef struct nn__scan_walk {
    int64_t length, inner, blocks; /* blocks: of up to NN__SCAN_LANES lanes, in all */
    int64_t cuts, each;            /* blocks of one row of lanes; blocks of a unit */
} nn__scan_walk;

static nn__scan_walk nn__scan_plan(const nn_scan_args *args) {
    const nn_shape *shape = &args->x.shape;
    nn__scan_walk walk;
    int64_t outer = 1;
    walk.inner = 1;
    walk.length = shape->extent[args->axis];
    for (int i = 0; i < args->axis; i++) outer *= shape->extent[i];
    for (int i = args->axis + 1; i < shape->rank; i++) walk.inner *= shape->extent[i];
    walk.cuts = (walk.inner + NN__SCAN_LANES - 1) / NN__SCAN_LANES;
    walk.blocks = outer * walk.cuts;
    walk.each = nn__max64(1, NN__SCAN_UNIT / (walk.length * nn__min64(walk.inner, NN__SCAN_LANES)));
    return walk;
}

static int nn__scan_units(const nn__cpu *cpu, const void *arguments, int phase) {
    nn__scan_walk walk = nn__scan_plan((const nn_scan_args *)arguments);
    (void)cpu;
    return phase == 0 ? (int)((walk.blocks + walk.each - 1) / walk.each) : 0;
}

/* `count` lanes side by side; `step` from one element of a lane to the next, negative in reverse.
   Source: Kahan, "Further remarks on reducing truncation errors", 1965. */
static void nn__scan_block(float *y, const float *x, int count, int64_t length, int64_t step) {
    float sum[NN__SCAN_LANES], lost[NN__SCAN_LANES];
    for (int i = 0; i < count; i++) sum[i] = lost[i] = 0.0f;
    for (int64_t k = 0; k < length; k++) {
        for (int i = 0; i < count; i++) {
            volatile float next, taken; /* no compiler may cancel the difference below */
            float value = x[i] - lost[i];
            next = sum[i] + value;
            taken = next - sum[i];
            lost[i] = next - next == 0.0f ? taken - value : 0.0f; /* infinity stays infinity */
            y[i] = sum[i] = next;
        }
        x += step;
        y += step;
    }
}

static void nn__scan_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                          void *shared, void *own) {
    const nn_scan_args *args = (const nn_scan_args *)arguments;
    nn__scan_walk walk = nn__scan_plan(args);
    int64_t end = nn__min64((unit + 1) * walk.each, walk.blocks);
    (void)cpu, (void)phase, (void)shared, (void)own;
    for (int64_t block = unit * walk.each; block < end; block++) {
        int64_t lane = block % walk.cuts * NN__SCAN_LANES;
        int64_t first = block / walk.cuts * walk.length * walk.inner + lane;
        int count = (int)nn__min64(NN__SCAN_LANES, walk.inner - lane);
        if (args->reverse) first += (walk.length - 1) * walk.inner;
        nn__scan_block(nn__f32(&args->y) + first, nn__f32(&args->x) + first, count, walk.length,
                       args->reverse ? -walk.inner : walk.inner);
    }
}
#undef NN__SCAN_LANES
#undef NN__SCAN_UNIT

static const nn__cpu_kernel nn__scan_kernel = {nn__scan_units, nn__scan_unit, NULL, NULL, NULL};

NN_PRIVATE void nn__install_scan(nn_context *nn) {
    NN__CPU_INSTALL(nn, SCAN, scan, &nn__scan_kernel);
}
