/* kernels/strided_copy/cpu.c - strided copies on the CPU: rows that are contiguous on both sides
   are copied whole, transpositions are done in small squares that use whole cache lines, everything
   else is copied element by element.

   Phase 0 fills, phase p copies piece p - 1; the barrier between phases gives the pieces their
   order. A unit is a run of elements in the order of the piece's axes. If a single piece runs
   through y from beginning to end, the same pass also fills the gaps between its rows. */
#include "kernels/strided_copy/cpu.h"
#include "kernels/strided_copy/vector.h"

#define NN__COPY_UNIT  16384 /* elements per unit, approximately */
#define NN__COPY_BAND  64    /* rows of a transposition that are processed together: whole cache
                                lines of x */

/* The axes of a piece, simplified: extents of 1 are dropped, and axes that continue each other on
   both sides are joined. At least one axis is left. */
typedef struct nn__copy_walk {
    int axes;
    int64_t extent[NN_COPY_AXES], x[NN_COPY_AXES], y[NN_COPY_AXES];
    int64_t total;
} nn__copy_walk;

static void nn__copy_plan(const nn_copy_piece *piece, nn__copy_walk *walk) {
    int n = 0;
    walk->total = 1;
    for (int i = 0; i < NN_COPY_AXES; i++) {
        int64_t extent = piece->extent[i];
        walk->total *= extent;
        if (extent == 1) continue;
        if (n && walk->x[n - 1] == piece->x_stride[i] * extent &&
            walk->y[n - 1] == piece->y_stride[i] * extent) {
            walk->extent[n - 1] *= extent;
            walk->x[n - 1] = piece->x_stride[i];
            walk->y[n - 1] = piece->y_stride[i];
            continue;
        }
        walk->extent[n] = extent;
        walk->x[n] = piece->x_stride[i];
        walk->y[n] = piece->y_stride[i];
        n++;
    }
    if (n == 0) {
        walk->extent[0] = 1;
        walk->x[0] = walk->y[0] = 1;
        n = 1;
    }
    walk->axes = n;
}

/* True for a transposition: x is contiguous along the second-to-last axis. */
static bool nn__copy_is_turned(const nn__copy_walk *walk) {
    const int last = walk->axes - 1;
    return last > 0 && walk->x[last] != 1 && walk->x[last] != 0 && walk->x[last - 1] == 1;
}

/* Returns the rows of the last axis per unit: whole squares of a transposition, and enough of them
   that no two units read the same cache line of x. */
static int64_t nn__copy_rows(const nn__copy_walk *walk) {
    const int64_t least = nn__copy_is_turned(walk) ? NN__COPY_BAND : 1;
    const int64_t rows = nn__max64(least, NN__COPY_UNIT / walk->extent[walk->axes - 1]);
    return rows > NN__COPY_BLOCK ? rows / NN__COPY_BLOCK * NN__COPY_BLOCK : rows;
}

/* Returns the number of units per row. */
static int64_t nn__copy_cuts(const nn__copy_walk *walk) {
    return (walk->extent[walk->axes - 1] + NN__COPY_UNIT - 1) / NN__COPY_UNIT;
}

/* True if the only piece goes through y in ascending order, row by row. Then the gaps between its
   rows are filled in the same pass. */
static bool nn__copy_fills_between(const nn_strided_copy_args *args, const nn__copy_walk *walk) {
    int64_t span = 0; /* from the first to the last element of the inner axes */
    if (!args->fill || args->count != 1 || args->accumulate || walk->total < 1) return false;
    if (walk->y[walk->axes - 1] != 1 || nn__copy_is_turned(walk)) return false;
    for (int i = walk->axes - 1; i >= 0; i--) {
        if (walk->y[i] <= span) return false;
        span += (walk->extent[i] - 1) * walk->y[i];
    }
    return true;
}

static int nn__copy_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_strided_copy_args *args = (const nn_strided_copy_args *)arguments;
    nn__copy_walk walk;
    (void)cpu;
    if (phase == 0) {
        if (args->count == 1) nn__copy_plan(&args->pieces[0], &walk);
        const bool filled =
            args->fill && (args->count != 1 || !nn__copy_fills_between(args, &walk));
        const int64_t elements = filled ? nn__count(&args->y) : 0;
        return (int)nn__max64(1, (elements + NN__COPY_UNIT - 1) / NN__COPY_UNIT);
    }
    if (phase > args->count) return 0;
    nn__copy_plan(&args->pieces[phase - 1], &walk);
    int64_t rows = walk.total / walk.extent[walk.axes - 1], each = nn__copy_rows(&walk);
    return (int)((rows + each - 1) / each * nn__copy_cuts(&walk));
}

/* ---- one element size at a time -------------------------------------------------------------- */

/* Copies a run of n elements of one row; strides count elements. streams: it may bypass the
   caches. */
#define NN__COPY_ROW(name, type)                                                                   \
    static void name(char *to, const char *from, int64_t n, int64_t y_stride, int64_t x_stride,    \
                     bool streams) {                                                               \
        type *y = (type *)(void *)to;                                                              \
        const type *x = (const type *)(const void *)from;                                          \
        (void)streams;                                                                             \
        for (int64_t i = 0; i < n; i++) y[i * y_stride] = x[i * x_stride];                         \
    }
NN__COPY_ROW(nn__copy_row1, uint8_t)
NN__COPY_ROW(nn__copy_row2, uint16_t)
NN__COPY_ROW(nn__copy_row4, uint32_t)
NN__COPY_ROW(nn__copy_row8, uint64_t)
#undef NN__COPY_ROW

static void nn__copy_row_add(char *to, const char *from, int64_t n, int64_t y_stride,
                             int64_t x_stride, bool streams) {
    float *y = (float *)(void *)to;
    const float *x = (const float *)(const void *)from;
    (void)streams;
    for (int64_t i = 0; i < n; i++) y[i * y_stride] += x[i * x_stride];
}

static nn__copy_row nn__copy_row_of(size_t size, bool accumulate) {
    if (accumulate) return nn__copy_row_add;
    return size == 1   ? nn__copy_row1
           : size == 2 ? nn__copy_row2
           : size == 4 ? nn__copy_row4
                       : nn__copy_row8;
}

/* The bits of one element, at its start. */
typedef union nn__copy_value {
    uint64_t eight;
    uint32_t four;
    uint16_t two;
    uint8_t one;
} nn__copy_value;

static nn__copy_value nn__copy_value_of(uint64_t bits, size_t size) {
    nn__copy_value value;
    value.eight = bits;
    if (size == 4) value.four = (uint32_t)bits;
    if (size == 2) value.two = (uint16_t)bits;
    if (size == 1) value.one = (uint8_t)bits;
    return value;
}

static void nn__copy_fill(const nn_strided_copy_args *args, int64_t first, int64_t end) {
    const size_t size = nn_dtype_size(args->y.dtype);
    const nn__copy_value value = nn__copy_value_of(args->value, size);
    char *y = (char *)args->y.handle + args->y.offset;
    nn__copy_row_of(size, false)(y + (size_t)first * size, (const char *)&value, end - first, 1, 0,
                                 false);
}

/* A transposition whose x and y have at least this many bytes is larger than the nearer caches. Its
   y bypasses all caches if they could not hold it, or if its rows are a power of two apart and so
   evict each other. */
#define NN__COPY_FAR ((int64_t)4 << 20)
static bool nn__copy_turn_streams(const nn__cpu *cpu, const nn__copy_walk *walk, const float *y) {
    const int64_t bytes = 8 * walk->total;
    if (bytes < NN__COPY_FAR || (uintptr_t)y % 64 != 0) return false;
    for (int i = 0; i < walk->axes - 1; i++)
        if (walk->y[i] % 16 != 0) return false;
    return walk->y[walk->axes - 2] % 512 == 0 || nn__streams_at(cpu, y, bytes);
}

/* ---- a unit ---------------------------------------------------------------------------------- */

/* Returns where a row begins in x and y. */
static void nn__copy_row_start(const nn_copy_piece *piece, const nn__copy_walk *walk, int64_t row,
                               int64_t *x, int64_t *y) {
    *x = piece->x_first;
    *y = piece->y_first;
    for (int i = walk->axes - 2; i >= 0; i--) {
        int64_t at = row % walk->extent[i];
        row /= walk->extent[i];
        *x += at * walk->x[i];
        *y += at * walk->y[i];
    }
}

/* Copies rows that follow each other along the second-to-last axis, where x is contiguous, in
   squares of NN__COPY_BLOCK. */
static void nn__copy_squares(const nn__copy_walk *walk, char *y, const char *x, int64_t rows,
                             int64_t columns, size_t size, nn__copy_row move) {
    const int64_t xs = walk->x[walk->axes - 1], ys = walk->y[walk->axes - 1];
    const int64_t xr = walk->x[walk->axes - 2], yr = walk->y[walk->axes - 2], step = (int64_t)size;
    for (int64_t first = 0; first < columns; first += NN__COPY_BLOCK) {
        int64_t n = nn__min64(NN__COPY_BLOCK, columns - first);
        for (int64_t row = 0; row < rows; row++)
            move(y + (row * yr + first * ys) * step, x + (row * xr + first * xs) * step, n, ys, xs,
                 false);
    }
}

/* How the rows of a piece are copied; computed once per unit. */
typedef struct nn__copy_way {
    const nn_strided_copy_args *args;
    char *to;
    const char *from;
    nn__copy_walk walk;
    nn__copy_row move;
    const nn__copy_loops *loops;
    int64_t size, first, columns; /* bytes of an element; the elements of each row that are moved */
    bool whole, between, vectors, streams;
} nn__copy_way;

/* For rows [row, row + count), which begin at y: fills the elements before the first row of all and
   after the last row of all. */
static void nn__copy_ends(const nn__copy_way *way, int64_t row, int64_t count, int64_t y) {
    const nn__copy_walk *walk = &way->walk;
    const int last = walk->axes - 1;
    const int64_t extent = walk->extent[last], rows = walk->total / extent;
    if (way->first == 0) {
        int64_t x, before = -extent;
        if (row) nn__copy_row_start(&way->args->pieces[0], walk, row - 1, &x, &before);
        nn__copy_fill(way->args, before + extent, y);
    }
    if (row + count == rows && way->first + way->columns == extent) {
        if (last) y += (count - 1) * walk->y[last - 1];
        nn__copy_fill(way->args, y + extent, nn__count(&way->args->y));
    }
}

/* Copies `count` rows along the second-to-last axis, from x to y, and fills the gaps between
   them. */
static void nn__copy_some(const nn__copy_way *way, int64_t count, int64_t x, int64_t y) {
    const nn__copy_walk *walk = &way->walk;
    const int last = walk->axes - 1;
    const int64_t size = way->size, x_step = last ? walk->x[last - 1] : 0,
                  y_step = last ? walk->y[last - 1] : 0,
                  gap = way->between && way->first == 0 ? y_step - walk->extent[last] : 0;
    const nn__copy_value value = nn__copy_value_of(way->args->value, (size_t)size);
    const nn__copy_row fill = nn__copy_row_of((size_t)size, false);
    const char *from = way->from + (x + way->first * walk->x[last]) * size;
    char *to = way->to + (y + way->first * walk->y[last]) * size;
    for (int64_t k = 0; k < count; k++, from += x_step * size, to += y_step * size) {
        if (k && gap) fill(to - gap * size, (const char *)&value, gap, 1, 0, false);
        if (way->whole && way->streams && way->columns * size >= 256)
            way->loops->line(to, from, way->columns * size);
        else if (way->whole)
            memcpy(to, from, (size_t)(way->columns * size));
        else
            way->move(to, from, way->columns, walk->y[last], walk->x[last], way->streams);
    }
}

/* Transposes rows. Returns their number. */
static int64_t nn__copy_turn(const nn__copy_way *way, int64_t count, int64_t x, int64_t y) {
    const nn__copy_walk *walk = &way->walk;
    const int last = walk->axes - 1;
    const char *from = way->from + (x + way->first * walk->x[last]) * way->size;
    char *to = way->to + (y + way->first * walk->y[last]) * way->size;
    if (way->vectors && way->size == 4) {
        count = nn__min64(count, NN__COPY_BAND);
        way->loops->turn((float *)(void *)to, walk->y[last - 1], (const float *)(const void *)from,
                         walk->x[last], count, way->columns, 8 * walk->total >= NN__COPY_FAR,
                         way->streams);
        return count;
    }
    count = nn__min64(count, NN__COPY_BLOCK);
    nn__copy_squares(walk, to, from, count, way->columns, (size_t)way->size, way->move);
    return count;
}

static void nn__copy_choose(const nn__cpu *cpu, nn__copy_way *way) {
    const nn__copy_walk *walk = &way->walk;
    const int last = walk->axes - 1;
    way->whole = walk->x[last] == 1 && walk->y[last] == 1 && !way->args->accumulate;
    way->move = nn__copy_row_of((size_t)way->size, way->args->accumulate);
    way->loops = NN__OF_NARROW(cpu, nn__copy_loops);
    way->streams = false;
    way->vectors = way->loops->turn && !way->args->accumulate && walk->y[last] == 1;
    if (!way->vectors) return;
    if (nn__copy_is_turned(walk)) {
        const char *y = way->to + way->args->pieces[0].y_first * way->size;
        way->streams = way->size == 4 && way->args->count == 1 &&
                       nn__copy_turn_streams(cpu, walk, (const float *)(const void *)y);
        return;
    }
    way->streams = way->size * walk->total * (walk->x[last] ? 2 : 1) >= cpu->stream_bytes;
    if (way->size == 4 && walk->x[last] == -1) way->move = way->loops->back;
    if (way->size == 4 && walk->x[last] == 0) way->move = way->loops->same;
}

static void nn__copy_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                          void *shared, void *own) {
    const nn_strided_copy_args *args = (const nn_strided_copy_args *)arguments;
    nn__copy_way way;
    (void)shared, (void)own;
    if (nn__present(&args->status) && *nn__status(&args->status) != 0) return;
    if (args->count > 0) nn__copy_plan(&args->pieces[phase ? phase - 1 : 0], &way.walk);
    way.between = args->count > 0 && nn__copy_fills_between(args, &way.walk);
    if (phase == 0) {
        const int64_t first = (int64_t)unit * NN__COPY_UNIT;
        if (args->fill && !way.between)
            nn__copy_fill(args, first, nn__min64(first + NN__COPY_UNIT, nn__count(&args->y)));
        return;
    }
    const nn_copy_piece *piece = &args->pieces[phase - 1];
    const int last = way.walk.axes - 1;
    const int64_t cuts = nn__copy_cuts(&way.walk), each = nn__copy_rows(&way.walk);
    const int64_t rows = way.walk.total / way.walk.extent[last];
    const int64_t end = nn__min64((unit / cuts + 1) * each, rows);
    const int64_t group = last ? way.walk.extent[last - 1] : 1;
    way.args = args;
    way.size = (int64_t)nn_dtype_size(args->y.dtype);
    way.to = (char *)args->y.handle + args->y.offset;
    way.from = (const char *)piece->x.handle + piece->x.offset;
    way.first = unit % cuts * NN__COPY_UNIT;
    way.columns = nn__min64(NN__COPY_UNIT, way.walk.extent[last] - way.first);
    nn__copy_choose(cpu, &way);
    const bool turned = nn__copy_is_turned(&way.walk);
    for (int64_t row = unit / cuts * each, count = 1; row < end; row += count) {
        int64_t x, y;
        nn__copy_row_start(piece, &way.walk, row, &x, &y);
        count = nn__min64(group - row % group, end - row);
        if (turned) {
            count = nn__copy_turn(&way, count, x, y);
            continue;
        }
        nn__copy_some(&way, count, x, y);
        if (way.between) nn__copy_ends(&way, row, count, y);
    }
    if (way.streams) nn__all_streamed();
}
#undef NN__COPY_UNIT
#undef NN__COPY_BLOCK
#undef NN__COPY_BAND
#undef NN__COPY_FAR

static const char *nn__copy_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_strided_copy_args *args = (const nn_strided_copy_args *)arguments;
    (void)cpu;
    return args->accumulate && args->y.dtype != NN_F32
               ? NN__TEXT("a copy that accumulates must write f32")
               : NULL;
}

static const nn__cpu_kernel nn__copy_kernel = {nn__copy_units, nn__copy_unit, NULL, NULL,
                                               nn__copy_refuses};

NN_PRIVATE void nn__install_strided_copy(nn_context *nn) {
    NN__CPU_INSTALL(nn, STRIDED_COPY, strided_copy, &nn__copy_kernel);
}
