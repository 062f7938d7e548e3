/* kernels/scatter_add/cpu.c - adds pieces at given indices on the CPU.

   The first phase makes a chain of positions for each piece of the result, the second adds up along
   the chains: each unit writes pieces of its own, in the order of positions. */
#include "kernels/scatter_add/cpu.h"
#include "kernels/scatter_add/vector.h"

#define NN__SCATTER_UNIT 16384 /* numbers per unit, approximately */

/* y is (outer, count, piece), x is (outer, chosen, piece). A unit is `each` pieces of y. */
typedef struct nn__scatter_walk {
    int64_t chosen, count, pieces, piece, each;
} nn__scatter_walk;

static nn__scatter_walk nn__scatter_plan(const nn_scatter_add_args *args) {
    nn__scatter_walk walk;
    walk.chosen = nn__count(&args->index);
    walk.count = walk.pieces = args->y.shape.extent[args->axis];
    for (int i = 0; i < args->axis; i++) walk.pieces *= args->y.shape.extent[i];
    walk.piece = nn__count(&args->y) / walk.pieces;
    walk.each = nn__max64(1, NN__SCATTER_UNIT / walk.piece);
    return walk;
}
#undef NN__SCATTER_UNIT

static int nn__scatter_units(const nn__cpu *cpu, const void *arguments, int phase) {
    nn__scatter_walk walk = nn__scatter_plan((const nn_scatter_add_args *)arguments);
    (void)cpu;
    return phase == 0   ? 1
           : phase == 1 ? (int)((walk.pieces + walk.each - 1) / walk.each)
                        : 0;
}

/* Returns the bytes of the chains: for each piece of the axis, the first position with its index,
   or -1; for each position, the next one with the same index. */
static size_t nn__scatter_shared(const nn__cpu *cpu, const void *arguments) {
    nn__scatter_walk walk = nn__scatter_plan((const nn_scatter_add_args *)arguments);
    (void)cpu;
    return (size_t)(walk.count + walk.chosen) * sizeof(int32_t);
}

static void nn__scatter_chains(const nn_scatter_add_args *args, const nn__scatter_walk *walk,
                               int32_t *first) {
    const int32_t *index = nn__i32(&args->index);
    int32_t *next = first + walk->count;
    for (int64_t i = 0; i < walk->count; i++) first[i] = -1;
    for (int64_t i = walk->chosen - 1; i >= 0; i--) {
        const int32_t to = index[i];
        if (to < 0 || to >= walk->count || (args->skip && to == args->skip_index)) continue;
        next[i] = first[to];
        first[to] = (int32_t)i;
    }
}

/* Prefetches the first piece of x that piece `early` of y will add: such pieces lie in no order. */
static inline void nn__scatter_ahead(const float *x, const int32_t *first, int64_t early,
                                     int64_t end, int64_t piece) {
    if (early >= end || first[early] < 0) return;
    const char *from = (const char *)(x + first[early] * piece);
    for (int64_t i = 0; i < nn__min64(piece * 4, 1024); i += 64)
        nn__ahead(from + i);
}

static void nn__scatter_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                             void *shared, void *own) {
    const nn_scatter_add_args *args = (const nn_scatter_add_args *)arguments;
    const nn__scatter_walk walk = nn__scatter_plan(args);
    const nn__scatter_loops *loops = NN__OF_NARROW(cpu, nn__scatter_loops);
    const int64_t end = nn__min64((unit + 1) * walk.each, walk.pieces);
    int32_t *first = (int32_t *)shared;
    const int32_t *next = first + walk.count;
    (void)own;
    if (phase == 0) {
        nn__scatter_chains(args, &walk, first);
        return;
    }
    const int64_t bytes = 4 * (nn__count(&args->y) + nn__count(&args->x));
    const bool streams = !args->accumulate && walk.piece % 16 == 0 &&
                         nn__streams_at(cpu, nn__f32(&args->y), bytes);
    for (int64_t i = unit * walk.each; i < end; i++) {
        float *y = nn__f32(&args->y) + i * walk.piece;
        const float *x = nn__f32(&args->x) + i / walk.count * walk.chosen * walk.piece;
        const int64_t at = i % walk.count;
        nn__scatter_ahead(x, first, at + 4, walk.count, walk.piece);
        loops->piece(y, x, first[at], next, walk.piece, args->accumulate, streams);
    }
    nn__all_streamed();
}

static const nn__cpu_kernel nn__scatter_add_kernel = {nn__scatter_units, nn__scatter_unit,
                                                      nn__scatter_shared, NULL, NULL};

NN_PRIVATE void nn__install_scatter_add(nn_context *nn) {
    NN__CPU_INSTALL(nn, SCATTER_ADD, scatter_add, &nn__scatter_add_kernel);
}
