/* kernels/elements/cpu.c - element-wise gather and scatter on the CPU. A unit of gather makes
   numbers of its own; a unit of scatter owns the lines along the axis that it adds to. */
#include "kernels/install_more.h"
#include "kernels/elements/cpu.h"
#include "kernels/elements/vector.h"

#define NN__ELEMENTS_UNIT  16384 /* elements per unit, approximately */
#define NN__ELEMENTS_LANES 64    /* lines that are processed side by side */
#define NN__ELEMENTS_BAND  128   /* columns of a gather's band */
#define NN__ELEMENTS_AHEAD 2048  /* prefetch distance in numbers */

/* The part is (outer, chosen, inner). step: strides of the whole. */
typedef struct nn__elements_walk {
    const nn_shape *part;
    int64_t step[NN_MAX_RANK], outer, chosen, inner;
    int axis;
    int32_t count; /* extent of the whole along the axis */
    bool even;     /* after the axis, part and whole have the same extents */
} nn__elements_walk;

static nn__elements_walk nn__elements_plan(const nn_view *whole, const nn_view *index, int axis) {
    nn__elements_walk walk;
    int64_t step = 1;
    memset(&walk, 0, sizeof walk);
    walk.part = &index->shape;
    walk.axis = axis;
    walk.outer = walk.inner = 1;
    walk.chosen = index->shape.extent[axis];
    walk.count = whole->shape.extent[axis];
    walk.even = true;
    for (int i = whole->shape.rank - 1; i >= 0; i--) {
        const int32_t own = index->shape.extent[i];
        walk.step[i] = step;
        step *= whole->shape.extent[i];
        if (i < axis) walk.outer *= own;
        if (i <= axis) continue;
        walk.inner *= own;
        walk.even = walk.even && own == whole->shape.extent[i];
    }
    return walk;
}

/* Returns where element i of the part's axes [first, end) lies in the whole. */
static int64_t nn__elements_at(const nn__elements_walk *walk, int first, int end, int64_t i) {
    int64_t at = 0;
    for (int axis = end - 1; axis >= first; axis--) {
        at += i % walk->part->extent[axis] * walk->step[axis];
        i /= walk->part->extent[axis];
    }
    return at;
}

static int64_t nn__elements_lane(const nn__elements_walk *walk, int64_t lane) {
    return walk->even ? lane : nn__elements_at(walk, walk->axis + 1, walk->part->rank, lane);
}

/* Called if element i has an index out of range. Only the unit with the first such element sets the
   status word, so no two units write it. */
static void nn__elements_missing(const nn_view *index, int32_t count, int64_t i,
                                 const nn_view *status, uint32_t step) {
    const int32_t *numbers = nn__i32(index);
    uint32_t *word = nn__status(status);
    for (int64_t j = 0; j < i; j++)
        if (numbers[j] < 0 || numbers[j] >= count) return;
    if (*word == 0) *word = (step << 3) | (uint32_t)NN_FAULT_INDEX;
}

/* ---- gather ---------------------------------------------------------------------------------- */

/* The cut of rows whose elements come from anywhere in x, while the nearer caches hold only a part
   of x. They are gathered in bands of columns, so the lines of x that are read stay in the cache
   for the next row. A unit is some rows of a band. */
typedef struct nn__gather_bands {
    int64_t bands, each, cuts; /* bands of one outer index; rows per unit; units per band */
} nn__gather_bands;

#define NN__ELEMENTS_NEAR 262144 /* bytes of cache */
static bool nn__gather_bands_of(const nn_gather_elements_args *args, const nn__elements_walk *walk,
                                nn__gather_bands *bands) {
    const int64_t step = walk->step[walk->axis];
    if (!walk->even || walk->inner < NN__ELEMENTS_BAND / 2 || nn_dtype_size(args->y.dtype) != 4 ||
        walk->count * step * 4 <= NN__ELEMENTS_NEAR || walk->count * step > INT32_MAX)
        return false;
    bands->bands = (walk->inner + NN__ELEMENTS_BAND - 1) / NN__ELEMENTS_BAND;
    bands->each = 4 * NN__ELEMENTS_UNIT / NN__ELEMENTS_BAND;
    bands->cuts = (walk->chosen + bands->each - 1) / bands->each;
    return true;
}
#undef NN__ELEMENTS_NEAR

static int nn__gather_elements_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_gather_elements_args *args = (const nn_gather_elements_args *)arguments;
    const nn__elements_walk walk = nn__elements_plan(&args->x, &args->index, args->axis);
    nn__gather_bands bands;
    (void)cpu;
    if (phase) return 0;
    if (nn__gather_bands_of(args, &walk, &bands))
        return (int)(walk.outer * bands.bands * bands.cuts);
    return (int)((nn__count(&args->y) + NN__ELEMENTS_UNIT - 1) / NN__ELEMENTS_UNIT);
}

/* Gathers one line of the last axis, up to the first index out of range. Returns the number of
   elements done. distant: the line of x is at most twice as long and at least half as long. Such
   lines are read one after the other, which no hardware prefetcher sees, so this loop prefetches
   index, x and y. */
static int64_t nn__gather_elements_row(uint32_t *y, const uint32_t *x, const int32_t *index,
                                       int64_t n, int32_t count, bool distant) {
    const uint32_t most = (uint32_t)count;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const uint32_t a = (uint32_t)index[i], b = (uint32_t)index[i + 1],
                       c = (uint32_t)index[i + 2], d = (uint32_t)index[i + 3];
        if (distant && i % 16 == 0) {
            nn__ahead(index + i + NN__ELEMENTS_AHEAD);
            nn__ahead(x + i + NN__ELEMENTS_AHEAD);
            nn__ahead(y + i + 512);
        }
        if (a >= most || b >= most || c >= most || d >= most) break;
        y[i] = x[a], y[i + 1] = x[b], y[i + 2] = x[c], y[i + 3] = x[d];
    }
    for (; i < n && (uint32_t)index[i] < most; i++) y[i] = x[index[i]];
    return i;
}

/* Gathers element i of y. base: its place in x at index 0. */
static void nn__gather_element(const nn_gather_elements_args *args, const nn__elements_walk *walk,
                               int64_t i, int64_t base) {
    const size_t size = nn_dtype_size(args->y.dtype);
    const bool checked = nn__present(&args->status) && args->status.handle;
    const int32_t from = nn__i32(&args->index)[i];
    char *y = (char *)args->y.handle + args->y.offset + (size_t)i * size;
    const char *x = (const char *)args->x.handle + args->x.offset;
    const int64_t at = base + from * walk->step[walk->axis];
    if (from < 0 || from >= walk->count) {
        memset(y, checked ? 0xff : 0, size);
        if (checked) nn__elements_missing(&args->index, walk->count, i, &args->status, args->step);
    } else if (size == 4) {
        memcpy(y, x + (size_t)at * 4, 4);
    } else {
        memcpy(y, x + (size_t)at * size, size);
    }
}

static void nn__gather_band(const nn__cpu *cpu, const nn_gather_elements_args *args,
                            const nn__elements_walk *walk, const nn__gather_bands *bands,
                            int unit) {
    const int64_t outer = unit / bands->cuts / bands->bands,
                  first = unit / bands->cuts % bands->bands * NN__ELEMENTS_BAND,
                  n = nn__min64(NN__ELEMENTS_BAND, walk->inner - first),
                  start = unit % bands->cuts * bands->each, step = walk->step[walk->axis],
                  base = nn__elements_at(walk, 0, walk->axis, outer) + first;
    const nn__elements_loops *loops = NN__OF_NARROW(cpu, nn__elements_loops);
    int32_t *y = (int32_t *)(void *)((char *)args->y.handle + args->y.offset);
    const int32_t *x =
        (const int32_t *)(const void *)((const char *)args->x.handle + args->x.offset) + base;
    for (int64_t j = start; j < nn__min64(start + bands->each, walk->chosen); j++) {
        const int64_t i = (outer * walk->chosen + j) * walk->inner + first;
        int64_t done = loops->across(y + i, x, nn__i32(&args->index) + i, n, walk->count, step);
        for (; done < n; done++) nn__gather_element(args, walk, i + done, base + done);
    }
}

static void nn__gather_elements_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                     void *shared, void *own) {
    const nn_gather_elements_args *args = (const nn_gather_elements_args *)arguments;
    const nn__elements_walk walk = nn__elements_plan(&args->x, &args->index, args->axis);
    const bool last = walk.inner == 1,
               distant = walk.chosen >= walk.count / 2 && walk.chosen / 2 <= walk.count;
    const int64_t run = last ? walk.chosen : walk.inner;
    nn__gather_bands bands;
    (void)phase, (void)shared, (void)own;
    if (nn__gather_bands_of(args, &walk, &bands)) {
        nn__gather_band(cpu, args, &walk, &bands, unit);
        return;
    }
    char *y = (char *)args->y.handle + args->y.offset;
    const char *x = (const char *)args->x.handle + args->x.offset;
    int64_t i = (int64_t)unit * NN__ELEMENTS_UNIT;
    const int64_t end = nn__min64(i + NN__ELEMENTS_UNIT, nn__count(&args->y));
    while (i < end) {
        const int64_t row = i / run, stop = nn__min64(end, (row + 1) * run),
                      base = nn__elements_at(&walk, 0, walk.axis, last ? row : row / walk.chosen);
        if (last && walk.step[walk.axis] == 1 && nn_dtype_size(args->y.dtype) == 4)
            i += nn__gather_elements_row((uint32_t *)(void *)y + i,
                                         (const uint32_t *)(const void *)x + base,
                                         nn__i32(&args->index) + i, stop - i, walk.count, distant);
        for (; i < stop; i++)
            nn__gather_element(args, &walk, i,
                               base + (last ? 0 : nn__elements_lane(&walk, i - row * run)));
    }
}

/* ---- scatter --------------------------------------------------------------------------------- */

/* Blocks of up to NN__ELEMENTS_LANES lines. cuts: blocks of one outer index; each: blocks per
   unit. */
typedef struct nn__scatter_blocks {
    int64_t cuts, blocks, each;
} nn__scatter_blocks;

static nn__scatter_blocks nn__scatter_blocks_of(const nn__elements_walk *walk) {
    nn__scatter_blocks blocks;
    blocks.cuts = (walk->inner + NN__ELEMENTS_LANES - 1) / NN__ELEMENTS_LANES;
    blocks.blocks = walk->outer * blocks.cuts;
    blocks.each = nn__max64(1, NN__ELEMENTS_UNIT / (walk->chosen *
                                                    nn__min64(walk->inner, NN__ELEMENTS_LANES)));
    return blocks;
}

/* True if the part has all lines of y's last axis. Then a unit copies the base of its lines while
   they are in the cache. */
static bool nn__scatter_elements_whole(const nn_scatter_elements_args *args,
                                       const nn__elements_walk *walk) {
    return walk->inner == 1 && walk->step[walk->axis] == 1 &&
           walk->outer * walk->count == nn__count(&args->y);
}

/* Phase 0 copies the base, phase 1 adds the part. If phase 1 copies as well, there is no phase
   0. */
static int nn__scatter_elements_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_scatter_elements_args *args = (const nn_scatter_elements_args *)arguments;
    const nn__elements_walk walk = nn__elements_plan(&args->y, &args->index, args->axis);
    const nn__scatter_blocks blocks = nn__scatter_blocks_of(&walk);
    (void)cpu;
    if (nn__scatter_elements_whole(args, &walk)) phase++;
    return phase == 0   ? (int)((nn__count(&args->y) + NN__ELEMENTS_UNIT - 1) / NN__ELEMENTS_UNIT)
           : phase == 1 ? (int)((blocks.blocks + blocks.each - 1) / blocks.each)
                        : 0;
}

/* y = base, `count` numbers from `first` on. Prefetches the lines after them, because the hardware
   prefetcher stops at the end of a page. */
static void nn__scatter_elements_base(const nn_scatter_elements_args *args, int64_t first,
                                      int64_t count) {
    float *y = nn__f32(&args->y) + first;
    const float *from = nn__present(&args->base) ? nn__f32(&args->base) + first : y;
    for (int64_t i = 0; i < count; i += 16) {
        nn__ahead(y + i + NN__ELEMENTS_AHEAD);
        if (from != y) nn__ahead(from + i + NN__ELEMENTS_AHEAD);
    }
    if (!nn__present(&args->base)) memset(y, 0, (size_t)count * sizeof *y);
    else memmove(y, nn__f32(&args->base) + first, (size_t)count * sizeof *y); /* may be in place */
}

/* Adds one line of the last axis, up to the first index out of range. Returns the number of
   elements done. */
static int64_t nn__scatter_elements_row(float *y, const float *x, const int32_t *index, int64_t n,
                                        int32_t count) {
    const uint32_t most = (uint32_t)count;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const uint32_t a = (uint32_t)index[i], b = (uint32_t)index[i + 1],
                       c = (uint32_t)index[i + 2], d = (uint32_t)index[i + 3];
        if (i % 16 == 0) {
            nn__ahead(index + i + NN__ELEMENTS_AHEAD);
            nn__ahead(x + i + NN__ELEMENTS_AHEAD);
        }
        if (a >= most || b >= most || c >= most || d >= most) break;
        y[a] += x[i];
        y[b] += x[i + 1];
        y[c] += x[i + 2];
        y[d] += x[i + 3];
    }
    for (; i < n && (uint32_t)index[i] < most; i++) y[index[i]] += x[i];
    return i;
}

static float nn__elements_combined(nn_combination combine, float y, float x) {
    switch (combine) {
    case NN_COMBINE_ADD: return y + x;
    case NN_COMBINE_MULTIPLY: return y * x;
    case NN_COMBINE_MAX: return x > y || x != x ? x : y;
    case NN_COMBINE_MIN: return x < y || x != x ? x : y;
    default: return x;
    }
}

/* Adds `count` lines from `lane` on. */
static void nn__scatter_elements_block(const nn_scatter_elements_args *args,
                                       const nn__elements_walk *walk, int64_t outer, int64_t lane,
                                       int count) {
    const float *x = nn__present(&args->x) ? nn__f32(&args->x) : NULL;
    const int64_t base = nn__elements_at(walk, 0, walk->axis, outer), step = walk->step[walk->axis];
    int64_t at[NN__ELEMENTS_LANES];
    int64_t j = 0;
    for (int k = 0; k < count; k++) at[k] = base + nn__elements_lane(walk, lane + k);
    if (walk->inner == 1 && step == 1 && x && args->combine == NN_COMBINE_ADD)
        j = nn__scatter_elements_row(nn__f32(&args->y) + at[0], x + outer * walk->chosen,
                                     nn__i32(&args->index) + outer * walk->chosen, walk->chosen,
                                     walk->count);
    for (; j < walk->chosen; j++) {
        const int64_t first = (outer * walk->chosen + j) * walk->inner + lane;
        for (int k = 0; k < count; k++) {
            const int32_t to = nn__i32(&args->index)[first + k];
            const float value = x ? x[first + k] : args->value;
            if (to >= 0 && to < walk->count) {
                float *y = nn__f32(&args->y) + at[k] + to * step;
                *y = nn__elements_combined(args->combine, *y, value);
            } else if (nn__present(&args->status) && args->status.handle) {
                nn__elements_missing(&args->index, walk->count, first + k, &args->status,
                                     args->step);
            }
        }
    }
}

static void nn__scatter_elements_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                      int unit, void *shared, void *own) {
    const nn_scatter_elements_args *args = (const nn_scatter_elements_args *)arguments;
    const nn__elements_walk walk = nn__elements_plan(&args->y, &args->index, args->axis);
    const nn__scatter_blocks blocks = nn__scatter_blocks_of(&walk);
    const int64_t end = nn__min64((unit + 1) * blocks.each, blocks.blocks);
    const bool whole = nn__scatter_elements_whole(args, &walk);
    (void)cpu, (void)shared, (void)own;
    if (phase == 0 && !whole) {
        const int64_t first = (int64_t)unit * NN__ELEMENTS_UNIT;
        nn__scatter_elements_base(args, first,
                                  nn__min64(NN__ELEMENTS_UNIT, nn__count(&args->y) - first));
        return;
    }
    for (int64_t block = unit * blocks.each; block < end; block++) {
        const int64_t lane = block % blocks.cuts * NN__ELEMENTS_LANES;
        if (whole) nn__scatter_elements_base(args, block * walk.count, walk.count);
        nn__scatter_elements_block(args, &walk, block / blocks.cuts, lane,
                                   (int)nn__min64(NN__ELEMENTS_LANES, walk.inner - lane));
    }
}
#undef NN__ELEMENTS_LANES
#undef NN__ELEMENTS_BAND
#undef NN__ELEMENTS_AHEAD
#undef NN__ELEMENTS_UNIT

static const nn__cpu_kernel nn__gather_elements_kernel = {
    nn__gather_elements_units, nn__gather_elements_unit, NULL, NULL, NULL};
static const nn__cpu_kernel nn__scatter_elements_kernel = {
    nn__scatter_elements_units, nn__scatter_elements_unit, NULL, NULL, NULL};

NN_PRIVATE void nn__install_elements(nn_context *nn) {
    NN__CPU_INSTALL(nn, GATHER_ELEMENTS, gather_elements, &nn__gather_elements_kernel);
    NN__CPU_INSTALL(nn, SCATTER_ELEMENTS, scatter_elements, &nn__scatter_elements_kernel);
}
