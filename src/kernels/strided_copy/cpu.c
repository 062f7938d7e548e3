/* kernels/strided_copy/cpu.c - strided copies on the CPU: rows that are contiguous on both sides
   are moved whole, transpositions go in small squares so that every cache line is used up,
   everything else goes element by element.

   Phase 0 fills, phase p copies piece p - 1; the barrier between phases gives the pieces their
   order. A unit is a run of elements in the order of the piece's axes. */
#include "cpu/simd.h"

#define NN__COPY_UNIT  16384 /* elements of a unit, about */
#define NN__COPY_BLOCK 16    /* rows and columns of a square */
#define NN__COPY_BAND  64    /* rows of a transposition that go together: whole cache lines of x */

/* A piece without the axes that say nothing: extents of 1 are dropped and axes that continue each
   other on both sides are one. At least one axis is left. */
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

/* A transposition: x is contiguous along the last axis but one. */
static bool nn__copy_is_turned(const nn__copy_walk *walk) {
    const int last = walk->axes - 1;
    return last > 0 && walk->x[last] != 1 && walk->x[last] != 0 && walk->x[last - 1] == 1;
}

/* Rows of the last axis that one unit takes: whole squares of a transposition, and enough of them
   that no cache line of x is read by two units. */
static int64_t nn__copy_rows(const nn__copy_walk *walk) {
    const int64_t least = nn__copy_is_turned(walk) ? NN__COPY_BAND : 1;
    const int64_t rows = nn__max64(least, NN__COPY_UNIT / walk->extent[walk->axes - 1]);
    return rows > NN__COPY_BLOCK ? rows / NN__COPY_BLOCK * NN__COPY_BLOCK : rows;
}

/* Units that one row is cut into. */
static int64_t nn__copy_cuts(const nn__copy_walk *walk) {
    return (walk->extent[walk->axes - 1] + NN__COPY_UNIT - 1) / NN__COPY_UNIT;
}

static int nn__copy_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_strided_copy_args *args = (const nn_strided_copy_args *)arguments;
    (void)cpu;
    if (phase == 0) {
        int64_t elements = args->fill ? nn__count(&args->y) : 0;
        return (int)nn__max64(1, (elements + NN__COPY_UNIT - 1) / NN__COPY_UNIT);
    }
    if (phase > args->count) return 0;
    nn__copy_walk walk;
    nn__copy_plan(&args->pieces[phase - 1], &walk);
    int64_t rows = walk.total / walk.extent[walk.axes - 1], each = nn__copy_rows(&walk);
    return (int)((rows + each - 1) / each * nn__copy_cuts(&walk));
}

/* ---- one element size at a time -------------------------------------------------------------- */

/* A run of one row: n elements, strides in elements. */
#define NN__COPY_ROW(name, type)                                                                   \
    static void name(char *to, const char *from, int64_t n, int64_t y_stride, int64_t x_stride) {  \
        type *y = (type *)(void *)to;                                                              \
        const type *x = (const type *)(const void *)from;                                          \
        for (int64_t i = 0; i < n; i++) y[i * y_stride] = x[i * x_stride];                         \
    }
NN__COPY_ROW(nn__copy_row1, uint8_t)
NN__COPY_ROW(nn__copy_row2, uint16_t)
NN__COPY_ROW(nn__copy_row4, uint32_t)
NN__COPY_ROW(nn__copy_row8, uint64_t)
#undef NN__COPY_ROW

static void nn__copy_row_add(char *to, const char *from, int64_t n, int64_t y_stride,
                             int64_t x_stride) {
    float *y = (float *)(void *)to;
    const float *x = (const float *)(const void *)from;
    for (int64_t i = 0; i < n; i++) y[i * y_stride] += x[i * x_stride];
}

typedef void (*nn__copy_row)(char *to, const char *from, int64_t n, int64_t y_stride,
                             int64_t x_stride);

static nn__copy_row nn__copy_row_of(size_t size, bool accumulate) {
    if (accumulate) return nn__copy_row_add;
    return size == 1   ? nn__copy_row1
           : size == 2 ? nn__copy_row2
           : size == 4 ? nn__copy_row4
                       : nn__copy_row8;
}

static void nn__copy_fill(const nn_strided_copy_args *args, int unit) {
    size_t size = nn_dtype_size(args->y.dtype);
    int64_t first = (int64_t)unit * NN__COPY_UNIT;
    int64_t end = nn__min64(first + NN__COPY_UNIT, nn__count(&args->y));
    char *y = (char *)args->y.handle + args->y.offset;
    union {
        uint64_t eight;
        uint32_t four;
        uint16_t two;
        uint8_t one;
    } value;
    value.eight = args->value;
    if (size == 4) value.four = (uint32_t)args->value;
    if (size == 2) value.two = (uint16_t)args->value;
    if (size == 1) value.one = (uint8_t)args->value;
    nn__copy_row_of(size, false)(y + (size_t)first * size, (const char *)&value, end - first, 1, 0);
}

#ifdef NN__VECTOR8
/* The numbers backwards: those of x go down, those of y up. */
NN__AVX2 static void nn__copy_row4_back8(char *to, const char *from, int64_t n, int64_t y_stride,
                                         int64_t x_stride) {
    const __m256i order = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    float *y = (float *)(void *)to;
    const float *x = (const float *)(const void *)from;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, _mm256_permutevar8x32_ps(_mm256_loadu_ps(x - i - 7), order));
    nn__copy_row4(to + 4 * i, from - 4 * i, n - i, y_stride, x_stride);
}

/* One number, again and again. */
NN__AVX2 static void nn__copy_row4_same8(char *to, const char *from, int64_t n, int64_t y_stride,
                                         int64_t x_stride) {
    const __m256 value = _mm256_broadcast_ss((const float *)(const void *)from);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) _mm256_storeu_ps((float *)(void *)to + i, value);
    nn__copy_row4(to + 4 * i, from, n - i, y_stride, x_stride);
}

/* Four rows of y, of eight numbers each, from four columns of eight rows of x. */
NN__AVX2 static inline void nn__copy_turn4(float *y, int64_t y_step, const float *x,
                                           int64_t x_step) {
    __m256 r[4];
    r[0] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(x)),
                                _mm_loadu_ps(x + 4 * x_step), 1);
    r[1] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(x + x_step)),
                                _mm_loadu_ps(x + 5 * x_step), 1);
    r[2] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(x + 2 * x_step)),
                                _mm_loadu_ps(x + 6 * x_step), 1);
    r[3] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(x + 3 * x_step)),
                                _mm_loadu_ps(x + 7 * x_step), 1);
    const __m256 a = _mm256_unpacklo_ps(r[0], r[1]), b = _mm256_unpackhi_ps(r[0], r[1]);
    const __m256 c = _mm256_unpacklo_ps(r[2], r[3]), d = _mm256_unpackhi_ps(r[2], r[3]);
    _mm256_storeu_ps(y, _mm256_shuffle_ps(a, c, 0x44));
    _mm256_storeu_ps(y + y_step, _mm256_shuffle_ps(a, c, 0xee));
    _mm256_storeu_ps(y + 2 * y_step, _mm256_shuffle_ps(b, d, 0x44));
    _mm256_storeu_ps(y + 3 * y_step, _mm256_shuffle_ps(b, d, 0xee));
}

/* y[r, c] = x[c, r] for `rows` rows and `columns` columns of y: whole cache lines are written one
   after the other, and what was read of a line of x is used before the next one comes. */
NN__AVX2 static void nn__copy_turn8(float *y, int64_t y_step, const float *x, int64_t x_step,
                                    int64_t rows, int64_t columns) {
    const int64_t whole_rows = rows / 8 * 8, whole_columns = columns / 8 * 8;
    for (int64_t first = 0; first < whole_columns; first += NN__COPY_BLOCK)
        for (int64_t r = 0; r < whole_rows; r += 8)
            for (int64_t c = first; c < nn__min64(first + NN__COPY_BLOCK, whole_columns); c += 8) {
                nn__copy_turn4(y + r * y_step + c, y_step, x + c * x_step + r, x_step);
                nn__copy_turn4(y + (r + 4) * y_step + c, y_step, x + c * x_step + r + 4, x_step);
            }
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = r < whole_rows ? whole_columns : 0; c < columns; c++)
            y[r * y_step + c] = x[c * x_step + r];
}
#endif

/* ---- a unit ---------------------------------------------------------------------------------- */

/* The places in x and y where a row begins. */
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

/* Rows that follow each other along the last axis but one, where x is contiguous: squares of
   NN__COPY_BLOCK. */
static void nn__copy_squares(const nn__copy_walk *walk, char *y, const char *x, int64_t rows,
                             int64_t columns, size_t size, nn__copy_row move) {
    const int64_t xs = walk->x[walk->axes - 1], ys = walk->y[walk->axes - 1];
    const int64_t xr = walk->x[walk->axes - 2], yr = walk->y[walk->axes - 2], step = (int64_t)size;
    for (int64_t first = 0; first < columns; first += NN__COPY_BLOCK) {
        int64_t n = nn__min64(NN__COPY_BLOCK, columns - first);
        for (int64_t row = 0; row < rows; row++)
            move(y + (row * yr + first * ys) * step, x + (row * xr + first * xs) * step, n, ys, xs);
    }
}

static void nn__copy_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                          void *shared, void *own) {
    const nn_strided_copy_args *args = (const nn_strided_copy_args *)arguments;
    (void)cpu, (void)shared, (void)own;
    if (nn__present(&args->status) && *nn__status(&args->status) != 0) return;
    if (phase == 0) {
        if (args->fill) nn__copy_fill(args, unit);
        return;
    }
    const nn_copy_piece *piece = &args->pieces[phase - 1];
    nn__copy_walk walk;
    nn__copy_plan(piece, &walk);
    const int last = walk.axes - 1;
    const size_t size = nn_dtype_size(args->y.dtype);
    const int64_t step = (int64_t)size, cuts = nn__copy_cuts(&walk), each = nn__copy_rows(&walk);
    const int64_t rows = walk.total / walk.extent[last], first = unit % cuts * NN__COPY_UNIT;
    const int64_t columns = nn__min64(NN__COPY_UNIT, walk.extent[last] - first);
    const int64_t end = nn__min64((unit / cuts + 1) * each, rows);
    const bool whole = walk.x[last] == 1 && walk.y[last] == 1 && !args->accumulate;
    const bool turned = nn__copy_is_turned(&walk);
    nn__copy_row move = nn__copy_row_of(size, args->accumulate);
#ifdef NN__VECTOR8
    const bool vectors = nn__vectors(cpu) && size == 4 && !args->accumulate && walk.y[last] == 1;
    if (vectors && walk.x[last] == -1) move = nn__copy_row4_back8;
    if (vectors && walk.x[last] == 0) move = nn__copy_row4_same8;
#endif
    char *to = (char *)args->y.handle + args->y.offset;
    const char *from = (const char *)piece->x.handle + piece->x.offset;
    for (int64_t row = unit / cuts * each, count = 1; row < end; row += count) {
        int64_t x, y;
        nn__copy_row_start(piece, &walk, row, &x, &y);
        x += first * walk.x[last];
        y += first * walk.y[last];
        if (whole) {
            memcpy(to + y * step, from + x * step, (size_t)(columns * step));
        } else if (turned) {
            int64_t left = walk.extent[last - 1] - row % walk.extent[last - 1];
            count = nn__min64(left, end - row);
#ifdef NN__VECTOR8
            if (vectors) {
                count = nn__min64(count, NN__COPY_BAND);
                nn__copy_turn8((float *)(void *)to + y, walk.y[last - 1],
                               (const float *)(const void *)from + x, walk.x[last], count,
                               columns);
                continue;
            }
#endif
            count = nn__min64(count, NN__COPY_BLOCK);
            nn__copy_squares(&walk, to + y * step, from + x * step, count, columns, size, move);
        } else {
            move(to + y * step, from + x * step, columns, walk.y[last], walk.x[last]);
        }
    }
}
#undef NN__COPY_UNIT
#undef NN__COPY_BLOCK
#undef NN__COPY_BAND

static const char *nn__copy_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_strided_copy_args *args = (const nn_strided_copy_args *)arguments;
    (void)cpu;
    return args->accumulate && args->y.dtype != NN_F32 ? NN__TEXT("only f32 can be added to")
                                                       : NULL;
}

static const nn__cpu_kernel nn__copy_kernel = {nn__copy_units, nn__copy_unit, NULL, NULL,
                                               nn__copy_refuses};

NN_PRIVATE void nn__install_strided_copy(nn_context *nn) {
    NN__CPU_INSTALL(nn, STRIDED_COPY, strided_copy, &nn__copy_kernel);
}
