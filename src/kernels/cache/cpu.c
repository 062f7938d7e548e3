/* kernels/cache/cpu.c - writes keys and values into a cache on the CPU. A unit is some rows of one
   sample. */
#include "cpu/private.h"
#include "kernels/install_sequence.h"

#define NN__CACHE_UNIT 16384 /* numbers per unit, approximately */

typedef struct nn__cache_walk {
    int N, S, L; /* S and L: rows of a head in y and in x */
    int heads;   /* 1 with heads_inside: then a row has all heads */
    int E, each; /* numbers per row, rows per unit */
} nn__cache_walk;

static nn__cache_walk nn__cache_walk_of(const nn_cache_args *args) {
    const int32_t *x = args->x.shape.extent, *y = args->y.shape.extent;
    const bool inside = args->heads_inside;
    nn__cache_walk walk;
    walk.N = x[0];
    walk.heads = inside ? 1 : x[1];
    walk.L = inside ? x[1] : x[2];
    walk.S = inside ? y[1] : y[2];
    walk.E = inside ? x[2] * x[3] : x[3];
    walk.each = nn__maxi(1, NN__CACHE_UNIT / walk.E);
    return walk;
}
#undef NN__CACHE_UNIT

static int nn__cache_blocks(const nn__cache_walk *walk) {
    return nn__ceil_div(walk->heads * walk->L, walk->each);
}

static int nn__cache_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn__cache_walk walk = nn__cache_walk_of((const nn_cache_args *)args);
    (void)cpu;
    return phase ? 0 : walk.N * nn__cache_blocks(&walk);
}

/* True if the rows of all samples may be written. Every unit checks all samples, so either all
   write or none; unit 0 sets the status word. */
static bool nn__cache_writes(const nn_cache_args *args, const nn__cache_walk *walk, int unit) {
    const int32_t *positions = nn__i32(&args->positions);
    uint32_t *status = nn__present(&args->status) && args->status.handle
                           ? nn__status(&args->status)
                           : NULL;
    for (int n = 0; n < walk->N; n++) {
        if (positions[n] >= 0 && positions[n] <= walk->S - walk->L) continue;
        if (unit == 0 && status && *status == 0)
            *status = (args->step << 3) | (uint32_t)NN_FAULT_LABEL;
        return false;
    }
    return !status || *status == 0;
}

static void nn__cache_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                           void *shared, void *own) {
    const nn_cache_args *args = (const nn_cache_args *)arguments;
    const nn__cache_walk walk = nn__cache_walk_of(args);
    const int blocks = nn__cache_blocks(&walk), n = unit / blocks, rows = walk.heads * walk.L,
              first = unit % blocks * walk.each, end = nn__mini(first + walk.each, rows);
    const nn_dtype from = args->x.dtype, to = args->y.dtype;
    const size_t x_row = (size_t)walk.E * nn_dtype_size(from),
                 y_row = (size_t)walk.E * nn_dtype_size(to);
    const char *x =
        (const char *)args->x.handle + args->x.offset + (size_t)n * (size_t)rows * x_row;
    char *y = (char *)args->y.handle + args->y.offset +
              (size_t)n * (size_t)walk.heads * (size_t)walk.S * y_row;
    (void)phase, (void)shared, (void)own;
    if (!nn__cache_writes(args, &walk, unit)) return;
    const int position = nn__i32(&args->positions)[n];
    for (int row = first; row < end; row++) {
        const size_t at = (size_t)(row / walk.L) * (size_t)walk.S +
                          (size_t)(position + row % walk.L);
        if (from == to)
            memcpy(y + at * y_row, x + (size_t)row * x_row, y_row);
        else
            cpu->programs.narrow(to, (const float *)(const void *)(x + (size_t)row * x_row),
                                 y + at * y_row, walk.E);
    }
}

static const char *nn__cache_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_cache_args *args = (const nn_cache_args *)arguments;
    (void)cpu;
    if (nn__present(&args->other_y) || args->x_row)
        return NN__TEXT("a cache on the CPU is written alone, from a tensor of its own");
    return args->x.dtype == args->y.dtype || args->x.dtype == NN_F32
               ? NULL
               : NN__TEXT("rows for a cache must be f32 or of the cache's dtype");
}

static const nn__cpu_kernel nn__cache_kernel = {nn__cache_units, nn__cache_unit, NULL, NULL,
                                                nn__cache_refuses};

NN_PRIVATE void nn__install_cache(nn_context *nn) {
    nn__install_program_dtypes(nn); /* provides the rounding */
    NN__CPU_INSTALL(nn, CACHE, cache, &nn__cache_kernel);
}
