/* kernels/elements/cpu.c - element-wise gather and scatter on the CPU. A unit of gather makes
   numbers of its own; a unit of scatter owns the lines along the axis that it adds to. */
#include "cpu/private.h"

#define NN__ELEMENTS_UNIT  16384 /* elements of a unit, about */
#define NN__ELEMENTS_LANES 64    /* lines that are walked side by side */

/* The part is (outer, chosen, inner); `step` are the whole's. */
typedef struct nn__elements_walk {
    const nn_shape *part;
    int64_t step[NN_MAX_RANK], outer, chosen, inner;
    int axis;
    int32_t count; /* of the whole along the axis */
    bool even;     /* behind the axis the part is as large as the whole */
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

/* Where element i of the part's axes [first, end) lies in the whole. */
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

/* Element i has an index that is not there. Who finds the first of them sets the status word, so
   that no two units write it. */
static void nn__elements_missing(const nn_view *index, int32_t count, int64_t i,
                                 const nn_view *status, uint32_t step) {
    const int32_t *numbers = nn__i32(index);
    uint32_t *word = nn__status(status);
    for (int64_t j = 0; j < i; j++)
        if (numbers[j] < 0 || numbers[j] >= count) return;
    if (*word == 0) *word = (step << 3) | (uint32_t)NN_FAULT_INDEX;
}

/* ---- gather ---------------------------------------------------------------------------------- */

static int nn__gather_elements_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_gather_elements_args *args = (const nn_gather_elements_args *)arguments;
    (void)cpu;
    return phase ? 0 : (int)((nn__count(&args->y) + NN__ELEMENTS_UNIT - 1) / NN__ELEMENTS_UNIT);
}

/* Numbers of one line of the last axis, up to the first index that is not there: how many. */
static int64_t nn__gather_elements_row(uint32_t *y, const uint32_t *x, const int32_t *index,
                                       int64_t n, int32_t count) {
    const uint32_t most = (uint32_t)count;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const uint32_t a = (uint32_t)index[i], b = (uint32_t)index[i + 1],
                       c = (uint32_t)index[i + 2], d = (uint32_t)index[i + 3];
        if (a >= most || b >= most || c >= most || d >= most) break;
        y[i] = x[a], y[i + 1] = x[b], y[i + 2] = x[c], y[i + 3] = x[d];
    }
    for (; i < n && (uint32_t)index[i] < most; i++) y[i] = x[index[i]];
    return i;
}

static void nn__gather_elements_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                     void *shared, void *own) {
    const nn_gather_elements_args *args = (const nn_gather_elements_args *)arguments;
    const nn__elements_walk walk = nn__elements_plan(&args->x, &args->index, args->axis);
    const bool checked = nn__present(&args->status) && args->status.handle;
    const bool last = walk.inner == 1;
    const int64_t run = last ? walk.chosen : walk.inner, step = walk.step[walk.axis];
    const size_t size = nn_dtype_size(args->y.dtype);
    char *y = (char *)args->y.handle + args->y.offset;
    const char *x = (const char *)args->x.handle + args->x.offset;
    int64_t i = (int64_t)unit * NN__ELEMENTS_UNIT;
    const int64_t end = nn__min64(i + NN__ELEMENTS_UNIT, nn__count(&args->y));
    (void)cpu, (void)phase, (void)shared, (void)own;
    while (i < end) {
        const int64_t row = i / run, stop = nn__min64(end, (row + 1) * run),
                      base = nn__elements_at(&walk, 0, walk.axis, last ? row : row / walk.chosen);
        if (last && size == 4)
            i += nn__gather_elements_row((uint32_t *)(void *)y + i,
                                         (const uint32_t *)(const void *)x + base,
                                         nn__i32(&args->index) + i, stop - i, walk.count);
        for (; i < stop; i++) {
            const int32_t from = nn__i32(&args->index)[i];
            const int64_t lane = last ? 0 : nn__elements_lane(&walk, i - row * run);
            if (from < 0 || from >= walk.count) {
                memset(y + (size_t)i * size, checked ? 0xff : 0, size);
                if (checked)
                    nn__elements_missing(&args->index, walk.count, i, &args->status, args->step);
            } else if (size == 4) {
                memcpy(y + (size_t)i * 4, x + (size_t)(base + lane + from * step) * 4, 4);
            } else {
                memcpy(y + (size_t)i * size, x + (size_t)(base + lane + from * step) * size, size);
            }
        }
    }
}

/* ---- scatter --------------------------------------------------------------------------------- */

/* Blocks of up to NN__ELEMENTS_LANES lines; cuts: those of one place before the axis; each: those
   of a unit. */
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

/* The part has all lines of y's last axis: a unit copies the base of those that it adds to, while
   they are in the cache. */
static bool nn__scatter_elements_whole(const nn_scatter_elements_args *args,
                                       const nn__elements_walk *walk) {
    return walk->inner == 1 && walk->step[walk->axis] == 1 &&
           walk->outer * walk->count == nn__count(&args->y);
}

/* First the base is copied, then the part is added; where the second phase copies as well there is
   no first one. */
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

/* y = base, `count` numbers from `first` on. */
static void nn__scatter_elements_base(const nn_scatter_elements_args *args, int64_t first,
                                      int64_t count) {
    float *y = nn__f32(&args->y) + first;
    if (!nn__present(&args->base)) memset(y, 0, (size_t)count * sizeof *y);
    else memmove(y, nn__f32(&args->base) + first, (size_t)count * sizeof *y); /* or in place */
}

/* One line of the last axis: how many of its n numbers were added before the first index that is
   not there. */
static int64_t nn__scatter_elements_row(float *y, const float *x, const int32_t *index, int64_t n,
                                        int32_t count) {
    const uint32_t most = (uint32_t)count;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const uint32_t a = (uint32_t)index[i], b = (uint32_t)index[i + 1],
                       c = (uint32_t)index[i + 2], d = (uint32_t)index[i + 3];
        if (a >= most || b >= most || c >= most || d >= most) break;
        y[a] += x[i];
        y[b] += x[i + 1];
        y[c] += x[i + 2];
        y[d] += x[i + 3];
    }
    for (; i < n && (uint32_t)index[i] < most; i++) y[index[i]] += x[i];
    return i;
}

/* `count` lines from `lane` on. */
static void nn__scatter_elements_block(const nn_scatter_elements_args *args,
                                       const nn__elements_walk *walk, int64_t outer, int64_t lane,
                                       int count) {
    const float *x = nn__present(&args->x) ? nn__f32(&args->x) : NULL;
    const int64_t base = nn__elements_at(walk, 0, walk->axis, outer), step = walk->step[walk->axis];
    int64_t at[NN__ELEMENTS_LANES];
    int64_t j = 0;
    for (int k = 0; k < count; k++) at[k] = base + nn__elements_lane(walk, lane + k);
    if (walk->inner == 1 && step == 1 && x && !args->replace)
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
                *y = args->replace ? value : *y + value;
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
#undef NN__ELEMENTS_UNIT

static const nn__cpu_kernel nn__gather_elements_kernel = {
    nn__gather_elements_units, nn__gather_elements_unit, NULL, NULL, NULL};
static const nn__cpu_kernel nn__scatter_elements_kernel = {
    nn__scatter_elements_units, nn__scatter_elements_unit, NULL, NULL, NULL};

NN_PRIVATE void nn__install_elements(nn_context *nn) {
    NN__CPU_INSTALL(nn, GATHER_ELEMENTS, gather_elements, &nn__gather_elements_kernel);
    NN__CPU_INSTALL(nn, SCATTER_ELEMENTS, scatter_elements, &nn__scatter_elements_kernel);
}
