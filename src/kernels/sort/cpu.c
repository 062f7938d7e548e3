/* kernels/sort/cpu.c - sorts lines on the CPU. A number and its index form one 64-bit key with the
   index in the low half, so all keys differ and their order is the stable one. Long lines are
   sorted by radix, short ones by insertion. A heap finds a few elements of many. */
#include "kernels/install_more.h"
#include "cpu/private.h"

#define NN__SORT_UNIT  16384 /* numbers per unit, approximately */
#define NN__SORT_SHORT 48    /* up to this length insertion is faster */

typedef struct nn__sort_walk {
    int64_t length, kept, inner, lines, each; /* each: lines per unit */
    bool heap; /* a few of many are kept */
} nn__sort_walk;

static nn__sort_walk nn__sort_plan(const nn_sort_args *args) {
    const nn_shape *shape = &args->x.shape;
    nn__sort_walk walk;
    walk.length = shape->extent[args->axis];
    walk.kept = args->y.shape.extent[args->axis];
    walk.inner = 1;
    for (int i = args->axis + 1; i < shape->rank; i++) walk.inner *= shape->extent[i];
    walk.lines = nn__count(&args->x) / walk.length;
    walk.each = nn__max64(1, NN__SORT_UNIT / walk.length);
    walk.heap = walk.kept <= walk.length / 8;
    return walk;
}
#undef NN__SORT_UNIT

static int nn__sort_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn__sort_walk walk = nn__sort_plan((const nn_sort_args *)arguments);
    (void)cpu;
    return phase ? 0 : (int)((walk.lines + walk.each - 1) / walk.each);
}

static size_t nn__sort_own(const nn__cpu *cpu, const void *arguments) {
    const nn__sort_walk walk = nn__sort_plan((const nn_sort_args *)arguments);
    (void)cpu;
    if (walk.heap) return (size_t)walk.kept * sizeof(uint64_t);
    return (size_t)walk.length * (2 * sizeof(uint64_t)) + 4 * 256 * sizeof(uint32_t);
}

/* Makes keys in the order of the numbers: the bits of negative ones are inverted, and NaN is all
   ones. */
static uint64_t nn__sort_item(const float *x, int64_t i, int64_t inner, uint32_t turn) {
    uint32_t word;
    memcpy(&word, &x[i * inner], sizeof word);
    if (word == 0x80000000u) word = 0; /* -0 */
    if ((word & 0x7fffffffu) > 0x7f800000u) word = UINT32_MAX;
    else word = word & 0x80000000u ? ~word : word | 0x80000000u;
    return (uint64_t)(word ^ turn) << 32 | (uint64_t)i;
}

static void nn__sort_insert(uint64_t *items, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        const uint64_t item = items[i];
        int64_t k = i;
        for (; k > 0 && items[k - 1] > item; k--) items[k] = items[k - 1];
        items[k] = item;
    }
}

/* Sorts by the four bytes above the index, the lowest first; keys come in the order of their
   indices. Returns where the result is: items or other. */
static uint64_t *nn__sort_radix(uint64_t *items, uint64_t *other, int64_t count, uint32_t *counts) {
    memset(counts, 0, 4 * 256 * sizeof *counts);
    for (int64_t i = 0; i < count; i++)
        for (int byte = 0; byte < 4; byte++)
            counts[byte * 256 + (int)(items[i] >> (32 + 8 * byte) & 255)]++;
    for (int byte = 0; byte < 4; byte++) {
        const int shift = 32 + 8 * byte;
        uint32_t *to = counts + byte * 256, sum = 0;
        uint64_t *swap = items;
        if ((int64_t)to[items[0] >> shift & 255] == count) continue; /* all have the same byte */
        for (int i = 0; i < 256; i++) {
            const uint32_t own = to[i];
            to[i] = sum;
            sum += own;
        }
        for (int64_t i = 0; i < count; i++) other[to[items[i] >> shift & 255]++] = items[i];
        items = other;
        other = swap;
    }
    return items;
}

/* Moves item i of a heap to its place. The largest item of a heap is the first. */
static void nn__sort_sink(uint64_t *heap, int64_t count, int64_t i) {
    const uint64_t item = heap[i];
    for (int64_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && heap[child + 1] > heap[child]) child++;
        if (heap[child] <= item) break;
        heap[i] = heap[child];
    }
    heap[i] = item;
}

static void nn__sort_first(uint64_t *heap, const float *x, const nn__sort_walk *walk,
                           uint32_t turn) {
    const int64_t kept = walk->kept;
    for (int64_t i = 0; i < kept; i++) heap[i] = nn__sort_item(x, i, walk->inner, turn);
    for (int64_t i = kept / 2 - 1; i >= 0; i--) nn__sort_sink(heap, kept, i);
    for (int64_t i = kept; i < walk->length; i++) {
        const uint64_t item = nn__sort_item(x, i, walk->inner, turn);
        if (item >= heap[0]) continue;
        heap[0] = item;
        nn__sort_sink(heap, kept, 0);
    }
    for (int64_t end = kept - 1; end > 0; end--) {
        const uint64_t largest = heap[0];
        heap[0] = heap[end];
        heap[end] = largest;
        nn__sort_sink(heap, end, 0);
    }
}

static uint64_t *nn__sort_line(uint64_t *items, const float *x, const nn__sort_walk *walk,
                               uint32_t turn) {
    uint64_t *other = items + walk->length;
    if (walk->heap) {
        nn__sort_first(items, x, walk, turn);
        return items;
    }
    for (int64_t i = 0; i < walk->length; i++) items[i] = nn__sort_item(x, i, walk->inner, turn);
    if (walk->length > NN__SORT_SHORT)
        return nn__sort_radix(items, other, walk->length,
                              (uint32_t *)(void *)(other + walk->length));
    nn__sort_insert(items, walk->length);
    return items;
}
#undef NN__SORT_SHORT

static void nn__sort_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                          void *shared, void *own) {
    const nn_sort_args *args = (const nn_sort_args *)arguments;
    const nn__sort_walk walk = nn__sort_plan(args);
    const int64_t end = nn__min64((unit + 1) * walk.each, walk.lines);
    int32_t *index = nn__present(&args->index) ? nn__i32(&args->index) : NULL;
    (void)cpu, (void)phase, (void)shared;
    for (int64_t line = unit * walk.each; line < end; line++) {
        const int64_t outer = line / walk.inner, lane = line % walk.inner,
                      first = outer * walk.kept * walk.inner + lane;
        const float *x = nn__f32(&args->x) + outer * walk.length * walk.inner + lane;
        const uint64_t *items =
            nn__sort_line((uint64_t *)own, x, &walk, args->descending ? UINT32_MAX : 0);
        for (int64_t k = 0; k < walk.kept; k++) {
            const int32_t from = (int32_t)(items[k] & UINT32_MAX);
            nn__f32(&args->y)[first + k * walk.inner] = x[from * walk.inner];
            if (index) index[first + k * walk.inner] = from;
        }
    }
}

static const nn__cpu_kernel nn__sort_kernel = {nn__sort_units, nn__sort_unit, NULL, nn__sort_own,
                                               NULL};

NN_PRIVATE void nn__install_sort(nn_context *nn) {
    NN__CPU_INSTALL(nn, SORT, sort, &nn__sort_kernel);
}
