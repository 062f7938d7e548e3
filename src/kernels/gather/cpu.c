/* kernels/gather/cpu.c - selects pieces of a tensor by their indices along an axis. Embeddings use
   it, and so do batches of a dataset that is on the device. Pieces are copied without conversion.
 */
#include "cpu/private.h"

#define NN__GATHER_UNIT 65536 /* bytes per unit, approximately */

/* x is (outer, count, piece), y is (outer, chosen, piece). A unit is `each` pieces of y. */
typedef struct nn__gather_walk {
    int64_t chosen, pieces, each;
    size_t bytes; /* of a piece */
    int32_t count;
} nn__gather_walk;

static nn__gather_walk nn__gather_plan(const nn_gather_args *args) {
    nn__gather_walk walk;
    walk.count = args->x.shape.extent[args->axis];
    walk.chosen = nn__count(&args->index);
    walk.pieces = walk.chosen;
    for (int i = 0; i < args->axis; i++) walk.pieces *= args->x.shape.extent[i];
    walk.bytes = (size_t)(nn__bytes(&args->y) / (uint64_t)walk.pieces);
    walk.each = nn__max64(1, NN__GATHER_UNIT / (int64_t)walk.bytes);
    return walk;
}
#undef NN__GATHER_UNIT

static int nn__gather_units(const nn__cpu *cpu, const void *arguments, int phase) {
    nn__gather_walk walk = nn__gather_plan((const nn_gather_args *)arguments);
    (void)cpu;
    return phase == 0 ? (int)((walk.pieces + walk.each - 1) / walk.each) : 0;
}

/* Called if position i has an index out of range. Only the unit with the first such position sets
   the status word, so no two units write it. */
static void nn__gather_missing(const nn_gather_args *args, int32_t count, int64_t i) {
    const int32_t *index = nn__i32(&args->index);
    uint32_t *status = nn__status(&args->status);
    for (int64_t j = 0; j < i; j++)
        if (index[j] < 0 || index[j] >= count) return;
    if (*status == 0) *status = (args->step << 3) | (uint32_t)NN_FAULT_INDEX;
}

/* Gathers pieces of one or four bytes, up to the first index out of range. Returns the number of
   pieces done. */
static int64_t nn__gather_small(const nn__gather_walk *walk, char *to, const char *from,
                                const int32_t *index, int64_t n) {
    const uint32_t count = (uint32_t)walk->count;
    int64_t i = 0;
    if (walk->bytes == 1)
        for (; i < n && (uint32_t)index[i] < count; i++) to[i] = from[index[i]];
    else if (walk->bytes == 4)
        for (; i < n && (uint32_t)index[i] < count; i++)
            memcpy(to + 4 * i, from + (size_t)index[i] * 4, 4);
    return i;
}

/* Only checks the indices. Writes nothing but the status word. */
static void nn__gather_look(const nn_gather_args *args, const nn__gather_walk *walk, int64_t i,
                            int64_t end) {
    const int32_t *index = nn__i32(&args->index);
    while (i < end && (uint32_t)index[i] < (uint32_t)walk->count) i++;
    if (i < end) nn__gather_missing(args, walk->count, i);
}

static void nn__gather_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                            void *shared, void *own) {
    const nn_gather_args *args = (const nn_gather_args *)arguments;
    const nn__gather_walk walk = nn__gather_plan(args);
    const int64_t end = nn__min64((unit + 1) * walk.each, walk.pieces);
    const bool checked = nn__present(&args->status) && args->status.handle;
    (void)cpu, (void)phase, (void)shared, (void)own;
    if (!args->y.handle) {
        nn__gather_look(args, &walk, unit * walk.each, end);
        return;
    }
    char *y = (char *)args->y.handle + args->y.offset;
    const char *x = (const char *)args->x.handle + args->x.offset;
    for (int64_t i = unit * walk.each; i < end; i++) {
        int64_t outer = i / walk.chosen, at = i % walk.chosen;
        const int64_t some = nn__gather_small(&walk, y + (size_t)i * walk.bytes,
                                              x + (size_t)(outer * walk.count) * walk.bytes,
                                              nn__i32(&args->index) + at,
                                              nn__min64(end - i, walk.chosen - at));
        if (some && (i += some, at += some, i >= end)) break;
        if (at == walk.chosen) outer++, at = 0;
        const int32_t from = nn__i32(&args->index)[at];
        char *to = y + (size_t)i * walk.bytes;
        if (from >= 0 && from < walk.count) {
            memcpy(to, x + (size_t)(outer * walk.count + from) * walk.bytes, walk.bytes);
            continue;
        }
        memset(to, checked ? 0xff : 0, walk.bytes);
        if (checked && outer == 0) nn__gather_missing(args, walk.count, at);
    }
}

static const nn__cpu_kernel nn__gather_kernel = {nn__gather_units, nn__gather_unit, NULL, NULL,
                                                 NULL};

NN_PRIVATE void nn__install_gather(nn_context *nn) {
    NN__CPU_INSTALL(nn, GATHER, gather, &nn__gather_kernel);
}
