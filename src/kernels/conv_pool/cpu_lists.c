/* kernels/conv_pool/cpu_lists.c - the gradients of blocks. Only the maxima have a gradient, at most
   a quarter of the convolution's results. For some windows of one channel, a list has the offset
   and the gradient of each maximum.

   The image is stored in a band with its channels innermost, so that a row of taps, (S, C), is
   contiguous wherever it begins. backward_weight multiplies these rows by the gradient and adds
   them to the taps of the channel, which stay in registers. It takes only so many windows at a time
   that the part of the band that they read fits into the L1 cache, and goes through all output
   channels with them. With up to three channels and AVX-512, cpu_gather.c does it without lists.

   backward_input sorts the lists of all channels by the place in the window. For each place it then
   adds the taps of the channels that have their maximum there, times their gradients. The sum of a
   place stays in registers. */
#include "cpu/gemm.h"
#include "kernels/conv_pool/cpu.h"

#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_TRAINING)

#define NN__CONV_POOL_BAND   (64 * 1024)  /* limit of a band, in floats */
#define NN__CONV_POOL_NEAR   (8 * 1024)   /* limit of the part that the windows of a list read */
#define NN__CONV_POOL_PIECES (320 * 1024) /* limit of the sums of all pieces, in floats */
#define NN__CONV_POOL_UNITS  32
#define NN__CONV_POOL_DEALT  (16 * 1024) /* most maxima that are sorted at a time */
#define NN__CONV_POOL_AHEAD  2 /* distance of prefetching, in lists */
#define NN__CONV_POOL_GATHER 32 /* most output channels whose sums of points a worker holds */

/* ---- shared ---------------------------------------------------------------------------------- */

typedef struct nn__conv_pool_lists {
    const nn__conv_pool_loops *loops;
    int N, C, H, W, K, R, S, height, width; /* height and width: PH and PW */
    int outputs, bands; /* rows of windows in a band, and the number of bands */
    int block;          /* rows of windows in a list */
    int columns;        /* columns of the band */
    ptrdiff_t band_row, tap_row;
    size_t band_floats, list_floats, channel; /* channel: all taps of one output channel */
} nn__conv_pool_lists;

static int nn__conv_pool_band_rows(const nn__conv_pool_lists *b, int windows) {
    return 2 * windows + b->R - 1;
}

/* more: additional rows of windows of a band, which belong to its neighbour. */
static nn__conv_pool_lists nn__conv_pool_make_lists(const nn__cpu *cpu, const nn_conv_pool_args *g,
                                                    int wanted, int more) {
    nn__conv_pool_lists b;
    const int32_t *x = g->x.shape.extent, *y = g->y.shape.extent, *weight = g->weight.shape.extent;
    b.loops = nn__conv_pool_loops_of(cpu);
    b.N = x[0], b.C = x[1], b.H = x[2], b.W = x[3];
    b.K = weight[0], b.R = weight[2], b.S = weight[3];
    b.height = y[2], b.width = y[3];
    b.columns = 2 * b.width + b.S - 1;
    b.band_row = (ptrdiff_t)b.columns * b.C;
    b.tap_row = (ptrdiff_t)nn__align_up((size_t)b.S * (size_t)b.C, NN__CONV_POOL_LANES);
    b.channel = (size_t)b.R * (size_t)b.tap_row;
    b.bands = nn__mini(nn__ceil_div(wanted, nn__maxi(b.N, 1)), nn__maxi(1, b.height / 4));
    b.outputs = nn__ceil_div(b.height, b.bands);
    while (b.outputs > 1 &&
           nn__conv_pool_band_rows(&b, b.outputs + more) * b.band_row > NN__CONV_POOL_BAND)
        b.outputs = nn__ceil_div(b.outputs, 2);
    b.bands = nn__ceil_div(b.height, nn__maxi(b.outputs, 1));
    b.block = b.outputs + more;
    const ptrdiff_t near_rows = NN__CONV_POOL_NEAR / b.band_row;
    if (nn__conv_pool_band_rows(&b, b.block) > near_rows)
        b.block = nn__maxi(1, ((int)near_rows - b.R + 1) / 2);
    b.band_floats = nn__align_up((size_t)nn__conv_pool_band_rows(&b, b.outputs + more) *
                                         (size_t)b.band_row +
                                     2 * NN__CONV_POOL_LANES,
                                 16);
    b.list_floats = nn__align_up((size_t)b.block * (size_t)b.width + 2 * NN__CONV_POOL_LANES, 16);
    return b;
}

/* Returns the bytes of a worker: a band, the offsets of the windows, and the two arrays of a
   list. */
static size_t nn__conv_pool_lists_own(const nn__conv_pool_lists *b) {
    return (b->band_floats + 3 * b->list_floats) * sizeof(float);
}

/* The memory of a worker. window: the offset of each window; move: from there to its four
   places. */
typedef struct nn__conv_pool_room {
    float *band;
    int32_t *window, move[4];
    nn__conv_pool_list list;
} nn__conv_pool_room;

static nn__conv_pool_room nn__conv_pool_make_room(const nn__conv_pool_lists *b, void *own) {
    nn__conv_pool_room room;
    memset(&room, 0, sizeof room);
    room.band = (float *)own;
    room.window = (int32_t *)(void *)(room.band + b->band_floats);
    room.list.at = room.window + b->list_floats;
    room.list.value = (float *)(void *)(room.list.at + b->list_floats);
    return room;
}

/* Fills in the distances from a window of the band to its four places. */
static void nn__conv_pool_fill_move(const nn__conv_pool_lists *b, int32_t move[4]) {
    move[0] = 0;
    move[1] = b->C;
    move[2] = (int32_t)b->band_row;
    move[3] = (int32_t)b->band_row + b->C;
}

NN_PRIVATE nn__conv_pool_maxima nn__conv_pool_maxima_of(const nn_conv_pool_args *g, int n, int k,
                                                        int first, int count, int ahead) {
    const int32_t *y = g->y.shape.extent;
    const ptrdiff_t plane = (ptrdiff_t)y[2] * y[3],
                    from = ((ptrdiff_t)n * y[1] + k) * plane + first;
    nn__conv_pool_maxima m;
    memset(&m, 0, sizeof m);
    m.dy = nn__f32(&g->dy) + from;
    m.y = nn__f32(&g->y) + from;
    m.place = (const uint8_t *)g->place.handle + g->place.offset + from;
    m.count = count;
    m.relu = g->epilogue.activation == NN_ACTIVATION_RELU;
    if (k + ahead < y[1]) {
        nn__gemm_ahead(m.dy + ahead * plane, count);
        if (m.relu) nn__gemm_ahead(m.y + ahead * plane, count);
        nn__gemm_ahead((const float *)(const void *)(m.place + ahead * plane), count / 4 + 1);
    }
    return m;
}

/* Makes the list of channel k for `count` windows of image n, from window `first` on. */
static void nn__conv_pool_make_list(const nn__conv_pool_lists *b, const nn_conv_pool_args *g,
                                    nn__conv_pool_room *room, int n, int k, int first, int count) {
    nn__conv_pool_maxima m =
        nn__conv_pool_maxima_of(g, n, k, first, count, NN__CONV_POOL_AHEAD);
    m.window = room->window;
    memcpy(m.move, room->move, sizeof m.move);
    b->loops->list(&room->list, &m);
}

/* Prefetches part c of `parts` parts of image n. Images of several bands have long rows, which the
   processor prefetches by itself. */
static void nn__conv_pool_ahead(const nn__conv_pool_lists *b, const nn_conv_pool_args *g, int n,
                                int c, int parts) {
    const int64_t picture = (int64_t)b->C * b->H * b->W, from = picture * c / parts;
    if (b->bands == 1)
        nn__gemm_ahead(nn__f32(&g->x) + n * picture + from,
                       (int)(picture * (c + 1) / parts - from));
}

/* ---- backward_weight ------------------------------------------------------------------------- */

/* The bands of all images are divided into pieces, whose number depends on the shape alone. shared
   has the sums of each piece, (piece, K, R, tap_row), and after them the sums of the gradients,
   (piece, K). Phase 1 adds the pieces. */
typedef struct nn__conv_pool_sums {
    nn__conv_pool_lists b;
    int pieces, size, parts; /* size: output channels of a part */
    bool gathers; /* with kernels/conv_pool/cpu_gather.c */
} nn__conv_pool_sums;

static nn__conv_pool_sums nn__conv_pool_make_sums(const nn__cpu *cpu, const nn_conv_pool_args *g) {
    nn__conv_pool_sums s;
    s.b = nn__conv_pool_make_lists(cpu, g, 1, 0);
    const int64_t fit = NN__CONV_POOL_PIECES / ((int64_t)s.b.K * ((int64_t)s.b.channel + 1)),
                  bands = (int64_t)s.b.N * s.b.bands;
    s.pieces = (int)nn__max64(1, nn__min64(bands, nn__min64(fit, NN__CONV_POOL_UNITS / 2)));
    s.parts = nn__mini(nn__ceil_div(NN__CONV_POOL_UNITS / 2, s.pieces), nn__ceil_div(s.b.K, 8));
    s.gathers = nn__conv_pool_gathers(cpu, g);
    if (s.gathers) s.parts = nn__maxi(s.parts, nn__ceil_div(s.b.K, NN__CONV_POOL_GATHER));
    s.size = nn__ceil_div(s.b.K, s.parts);
    return s;
}

static int nn__conv_pool_weight_units(const nn__cpu *cpu, const void *args, int phase) {
    if (phase > 1) return 0;
    const nn__conv_pool_sums s = nn__conv_pool_make_sums(cpu, (const nn_conv_pool_args *)args);
    return phase == 0 ? s.pieces * s.parts : nn__mini(NN__CONV_POOL_UNITS, s.b.K);
}

static size_t nn__conv_pool_weight_own(const nn__cpu *cpu, const void *args) {
    const nn__conv_pool_sums s = nn__conv_pool_make_sums(cpu, (const nn_conv_pool_args *)args);
    const nn_conv_pool_args *g = (const nn_conv_pool_args *)args;
    const size_t phase1 = s.b.channel * sizeof(float),
                 phase0 = s.gathers ? nn__conv_pool_gather_own(cpu, g, s.size)
                                    : nn__conv_pool_lists_own(&s.b);
    return phase0 > phase1 ? phase0 : phase1;
}

static size_t nn__conv_pool_weight_shared(const nn__cpu *cpu, const void *args) {
    const nn__conv_pool_sums s = nn__conv_pool_make_sums(cpu, (const nn_conv_pool_args *)args);
    return (size_t)s.pieces * (size_t)s.b.K * (s.b.channel + 1) * sizeof(float);
}

/* to[i * channels + c] = from[c * plane + i], i in [0, n). For three channels, storing parts of
   vectors takes twice as long as storing numbers. */
static void nn__conv_pool_interleave(const nn__gemm_set *gemm, float *to, const float *from,
                                     ptrdiff_t plane, int channels, int n) {
    if (channels == 1)
        memcpy(to, from, (size_t)n * sizeof(float));
    else if (channels == 3)
        for (int i = 0; i < n; i++, to += 3) {
            to[0] = from[i];
            to[1] = from[plane + i];
            to[2] = from[2 * plane + i];
        }
    else
        gemm->transpose(to, channels, from, plane, channels, n);
}

/* Fills the band with what rows [t, t + outputs) of windows of image n read, padded with zeros. */
static void nn__conv_pool_fill(const nn__conv_pool_lists *b, const nn__gemm_set *gemm,
                               const nn_conv_pool_args *g, int n, int t, int outputs,
                               float *band) {
    const ptrdiff_t plane = (ptrdiff_t)b->H * b->W;
    const float *x = nn__f32(&g->x) + (ptrdiff_t)n * b->C * plane;
    const int rows = nn__conv_pool_band_rows(b, outputs),
              before = nn__mini(g->padding_w, b->columns),
              inside = nn__mini(b->W, b->columns - before), behind = b->columns - before - inside;
    for (int q = 0; q < rows; q++, band += b->band_row) {
        const int64_t h = 2 * (int64_t)t - g->padding_h + q;
        if (h < 0 || h >= b->H) {
            memset(band, 0, (size_t)b->band_row * sizeof(float));
            continue;
        }
        memset(band, 0, (size_t)before * (size_t)b->C * sizeof(float));
        nn__conv_pool_interleave(gemm, band + before * b->C, x + h * b->W, plane, b->C, inside);
        memset(band + (before + inside) * b->C, 0, (size_t)behind * (size_t)b->C * sizeof(float));
    }
    memset(band, 0, 2 * NN__CONV_POOL_LANES * sizeof(float)); /* vectors read beyond the end */
}

static void nn__conv_pool_sum_piece(const nn__cpu *cpu, const nn__conv_pool_sums *s,
                                    const nn_conv_pool_args *g, int unit, float *shared,
                                    void *own) {
    const nn__conv_pool_lists *b = &s->b;
    const int part = unit % s->parts, piece = unit / s->parts, k = part * s->size,
              end = nn__mini(k + s->size, b->K);
    const int64_t bands = (int64_t)b->N * b->bands;
    const int from = (int)(bands * piece / s->pieces), to = (int)(bands * (piece + 1) / s->pieces);
    nn__conv_pool_room room = nn__conv_pool_make_room(b, own);
    nn__conv_pool_taps taps;
    float *sums = shared + (size_t)piece * (size_t)b->K * b->channel,
          *bias = shared + (size_t)s->pieces * (size_t)b->K * b->channel +
                  (size_t)piece * (size_t)b->K;
    if (k >= end) return;
    if (s->gathers) {
        const int64_t first = (int64_t)from / b->bands * b->height + from % b->bands * b->outputs,
                      last = (int64_t)to / b->bands * b->height + to % b->bands * b->outputs;
        float *at = sums + (size_t)k * b->channel;
        nn__conv_pool_gather_sum(cpu, g, k, end - k, first, last, at, b->tap_row, bias + k,
                                 (float *)own);
        return;
    }
    for (int i = 0; i < b->block * b->width; i++)
        room.window[i] =
            (int32_t)(2 * (i / b->width) * b->band_row) + 2 * (i % b->width) * b->C;
    nn__conv_pool_fill_move(b, room.move);
    taps.tap_row = b->tap_row;
    taps.band_row = b->band_row;
    taps.rows = b->R;
    taps.floats = b->S * b->C;
    memset(sums + (size_t)k * b->channel, 0, (size_t)(end - k) * b->channel * sizeof(float));
    memset(bias + k, 0, (size_t)(end - k) * sizeof(float));
    for (int e = from; e < to; e++) {
        const int n = e / b->bands, t = e % b->bands * b->outputs,
                  outputs = nn__mini(b->outputs, b->height - t);
        if (outputs <= 0) continue;
        nn__conv_pool_fill(b, nn__gemm_set_of(cpu), g, n, t, outputs, room.band);
        for (int i = 0; i < outputs; i += b->block)
            for (int c = k; c < end; c++) {
                if (i == 0 && e + 1 < to) nn__conv_pool_ahead(b, g, n + 1, c - k, end - k);
                nn__conv_pool_make_list(b, g, &room, n, c, (t + i) * b->width,
                                        nn__mini(b->block, outputs - i) * b->width);
                room.list.taps = sums + (size_t)c * b->channel;
                taps.band = room.band + 2 * i * b->band_row;
                b->loops->sum(&taps, &room.list, 1);
                bias[c] += room.list.sum;
            }
    }
}

/* n: a multiple of NN__CONV_POOL_LANES, so that compilers vectorise the loop. */
static void nn__conv_pool_add(float *sum, const float *from, size_t n) {
    float some[NN__CONV_POOL_LANES];
    for (size_t j = 0; j < n; j += NN__CONV_POOL_LANES, sum += NN__CONV_POOL_LANES) {
        for (int l = 0; l < NN__CONV_POOL_LANES; l++) some[l] = sum[l] + from[j + (size_t)l];
        memcpy(sum, some, sizeof some);
    }
}

/* Adds the pieces in ascending order and stores the taps of a channel in the order of dweight. */
static void nn__conv_pool_add_pieces(const nn__conv_pool_sums *s, const nn_conv_pool_args *g,
                                     int unit, const float *shared, float *sum) {
    const nn__conv_pool_lists *b = &s->b;
    const int units = nn__mini(NN__CONV_POOL_UNITS, b->K), RS = b->R * b->S,
              from = (int)((int64_t)b->K * unit / units),
              to = (int)((int64_t)b->K * (unit + 1) / units);
    const size_t piece = (size_t)b->K * b->channel;
    for (int k = from; k < to; k++) {
        const float *at = shared + (size_t)k * b->channel;
        float *y = nn__f32(&g->weight) + (ptrdiff_t)k * b->C * RS;
        memcpy(sum, at, b->channel * sizeof(float));
        for (int e = 1; e < s->pieces; e++)
            nn__conv_pool_add(sum, at + (size_t)e * piece, b->channel);
        for (int r = 0; r < b->R; r++)
            for (int q = 0; q < b->S; q++)
                for (int c = 0; c < b->C; c++)
                    y[c * RS + r * b->S + q] = sum[r * b->tap_row + q * b->C + c];
        if (!nn__present(&g->epilogue.bias)) continue;
        at = shared + (size_t)s->pieces * piece + k;
        float value = *at;
        for (int e = 1; e < s->pieces; e++) value += at[(size_t)e * (size_t)b->K];
        nn__f32(&g->epilogue.bias)[k] = value;
    }
}

static void nn__conv_pool_weight_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                                      void *shared, void *own) {
    const nn_conv_pool_args *g = (const nn_conv_pool_args *)args;
    const nn__conv_pool_sums s = nn__conv_pool_make_sums(cpu, g);
    if (phase == 0)
        nn__conv_pool_sum_piece(cpu, &s, g, unit, (float *)shared, own);
    else
        nn__conv_pool_add_pieces(&s, g, unit, (const float *)shared, (float *)own);
}

/* ---- backward_input -------------------------------------------------------------------------- */

/* A unit computes some rows of dx of one image: from the first row that its windows read up to the
   first row that the next unit's windows read. The last windows above read these rows too. Phase 0
   copies the weights into the order of bands. */
static nn__conv_pool_lists nn__conv_pool_make_input(const nn__cpu *cpu,
                                                    const nn_conv_pool_args *g) {
    return nn__conv_pool_make_lists(cpu, g, NN__CONV_POOL_UNITS / 2,
                                    g->weight.shape.extent[2] / 2);
}

/* Returns the number of windows of a unit whose maxima are sorted at a time. */
static int nn__conv_pool_dealt(const nn__conv_pool_lists *b) {
    return nn__mini(b->block * b->width, nn__maxi(8, NN__CONV_POOL_DEALT / 4 / b->K));
}

static int nn__conv_pool_input_units(const nn__cpu *cpu, const void *args, int phase) {
    if (phase > 1) return 0;
    const nn__conv_pool_lists b = nn__conv_pool_make_input(cpu, (const nn_conv_pool_args *)args);
    return phase == 0 ? nn__mini(NN__CONV_POOL_UNITS, b.K) : b.N * b.bands;
}

/* The memory of a worker, followed by a list for each place of each window, with room for every
   channel. */
static size_t nn__conv_pool_input_own(const nn__cpu *cpu, const void *args) {
    const nn__conv_pool_lists b = nn__conv_pool_make_input(cpu, (const nn_conv_pool_args *)args);
    return nn__conv_pool_lists_own(&b) +
           4 * (size_t)nn__conv_pool_dealt(&b) *
               (sizeof(nn__conv_pool_list) + 2 * (size_t)b.K * sizeof(float));
}

static size_t nn__conv_pool_input_shared(const nn__cpu *cpu, const void *args) {
    const nn__conv_pool_lists b = nn__conv_pool_make_input(cpu, (const nn_conv_pool_args *)args);
    return (size_t)b.K * b.channel * sizeof(float);
}

static void nn__conv_pool_turn_weights(const nn__conv_pool_lists *b, const nn_conv_pool_args *g,
                                       int unit, float *shared) {
    const int units = nn__mini(NN__CONV_POOL_UNITS, b->K), RS = b->R * b->S,
              from = (int)((int64_t)b->K * unit / units),
              to = (int)((int64_t)b->K * (unit + 1) / units);
    for (int k = from; k < to; k++) {
        const float *weight = nn__f32(&g->weight) + (ptrdiff_t)k * b->C * RS;
        float *taps = shared + (size_t)k * b->channel;
        memset(taps, 0, b->channel * sizeof(float));
        for (int r = 0; r < b->R; r++)
            for (int s = 0; s < b->S; s++)
                for (int c = 0; c < b->C; c++)
                    taps[r * b->tap_row + s * b->C + c] = weight[c * RS + r * b->S + s];
    }
}

/* Adds the gradients of `count` windows of image n to the band. top: the band's first row of
   windows; first: the number of windows done before. If the taps of all channels do not fit into
   the L1 cache, this goes row by row through the taps. */
static void nn__conv_pool_deal(const nn__conv_pool_lists *b, const nn_conv_pool_args *g,
                               nn__conv_pool_room *room, const float *weights, int n, int top,
                               int first, int count) {
    const int places = 4 * nn__conv_pool_dealt(b);
    nn__conv_pool_list *lists = (nn__conv_pool_list *)(void *)(room->list.value + b->list_floats);
    int32_t *at = (int32_t *)(void *)(lists + places), move[4];
    float *value = (float *)(void *)(at + (ptrdiff_t)places * b->K);
    nn__conv_pool_taps taps;
    nn__conv_pool_fill_move(b, move);
    for (int place = 0; place < 4 * count; place++) {
        const int window = first + place / 4;
        lists[place].at = at + (ptrdiff_t)place * b->K;
        lists[place].value = value + (ptrdiff_t)place * b->K;
        lists[place].count = 0;
        lists[place].taps = room->band + 2 * (window / b->width) * b->band_row +
                            2 * (window % b->width) * b->C + move[place % 4];
    }
    for (int k = 0; k < b->K; k++) {
        if (first == 0) nn__conv_pool_ahead(b, g, n, k, b->K); /* dx, written later */
        nn__conv_pool_make_list(b, g, room, n, k, top * b->width + first, count);
        for (int e = 0; e < room->list.count; e++) {
            nn__conv_pool_list *list = lists + room->list.at[e];
            list->at[list->count] = k * (int32_t)b->channel;
            list->value[list->count++] = room->list.value[e];
        }
    }
    taps.band_row = b->tap_row;
    taps.tap_row = b->band_row;
    taps.rows = (size_t)b->K * b->channel <= NN__CONV_POOL_NEAR / 2 ? b->R : 1;
    taps.floats = b->S * b->C;
    for (int r = 0; r < b->R; r += taps.rows) {
        taps.band = weights + r * b->tap_row;
        b->loops->sum(&taps, lists, 4 * count);
        for (int place = 0; place < 4 * count; place++) lists[place].taps += b->band_row;
    }
}

/* Writes row h of dx of image n. from: that row of the band; NULL: no window reads it. */
static void nn__conv_pool_put_row(const nn__conv_pool_lists *b, const nn__gemm_set *gemm,
                                  const nn_conv_pool_args *g, const float *from, int n, int h) {
    const ptrdiff_t plane = (ptrdiff_t)b->H * b->W;
    const int inside = from ? nn__mini(b->W, nn__maxi(0, b->columns - g->padding_w)) : 0;
    float *to = nn__f32(&g->x) + (ptrdiff_t)n * b->C * plane + (ptrdiff_t)h * b->W;
    if (inside)
        gemm->transpose(to, plane, from + (ptrdiff_t)g->padding_w * b->C, b->C, inside, b->C);
    for (int c = 0; c < b->C && inside < b->W; c++)
        memset(to + c * plane + inside, 0, (size_t)(b->W - inside) * sizeof(float));
}

static void nn__conv_pool_input_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                                     void *shared, void *own) {
    const nn_conv_pool_args *g = (const nn_conv_pool_args *)args;
    const nn__conv_pool_lists b = nn__conv_pool_make_input(cpu, g);
    if (phase == 0) {
        nn__conv_pool_turn_weights(&b, g, unit, (float *)shared);
        return;
    }
    const int n = unit / b.bands, t = unit % b.bands * b.outputs,
              end = nn__mini(t + b.outputs, b.height), first = nn__maxi(0, t - b.R / 2);
    const bool last = unit % b.bands == b.bands - 1;
    nn__conv_pool_room room = nn__conv_pool_make_room(&b, own);
    const int rows = end > first ? nn__conv_pool_band_rows(&b, end - first) : 0,
              windows = (end - first) * b.width, dealt = nn__conv_pool_dealt(&b);
    memset(room.band, 0, (size_t)rows * (size_t)b.band_row * sizeof(float));
    for (int i = 0; i < dealt; i++) room.window[i] = 4 * i;
    for (int i = 0; i < 4; i++) room.move[i] = i;
    for (int i = 0; i < windows; i += dealt)
        nn__conv_pool_deal(&b, g, &room, (float *)shared, n, first, i,
                           nn__mini(dealt, windows - i));
    const int64_t above = 2 * (int64_t)first - g->padding_h; /* of the band's first row, in dx */
    const int h0 = t == 0 ? 0 : (int)nn__min64(b.H, nn__max64(0, 2 * (int64_t)t - g->padding_h)),
              h1 = last ? b.H
                        : (int)nn__min64(b.H, nn__max64(0, 2 * (int64_t)end - g->padding_h));
    for (int h = h0; h < h1; h++) {
        const int64_t q = h - above;
        nn__conv_pool_put_row(&b, nn__gemm_set_of(cpu), g,
                              q >= 0 && q < rows ? room.band + q * b.band_row : NULL, n, h);
    }
}

static const char *nn__conv_pool_backward_refuses(const nn__cpu *cpu, const void *args) {
    const nn_activation activation = ((const nn_conv_pool_args *)args)->epilogue.activation;
    (void)cpu;
    return activation == NN_ACTIVATION_NONE || activation == NN_ACTIVATION_RELU
               ? NULL
               : NN__TEXT("a joined block of convolutions supports no activation but relu");
}

static const nn__cpu_kernel nn__conv_pool_weight_kernel = {
    nn__conv_pool_weight_units, nn__conv_pool_weight_unit, nn__conv_pool_weight_shared,
    nn__conv_pool_weight_own, nn__conv_pool_backward_refuses};

static const nn__cpu_kernel nn__conv_pool_input_kernel = {
    nn__conv_pool_input_units, nn__conv_pool_input_unit, nn__conv_pool_input_shared,
    nn__conv_pool_input_own, nn__conv_pool_backward_refuses};

NN_PRIVATE void nn__install_conv_pool_backward(nn_context *nn) {
    NN__CPU_INSTALL(nn, CONV_POOL_BACKWARD_WEIGHT, conv_pool_backward_weight,
                    &nn__conv_pool_weight_kernel);
    NN__CPU_INSTALL(nn, CONV_POOL_BACKWARD_INPUT, conv_pool_backward_input,
                    &nn__conv_pool_input_kernel);
}

#undef NN__CONV_POOL_BAND
#undef NN__CONV_POOL_NEAR
#undef NN__CONV_POOL_PIECES
#undef NN__CONV_POOL_UNITS
#undef NN__CONV_POOL_DEALT
#undef NN__CONV_POOL_AHEAD
#undef NN__CONV_POOL_GATHER
#endif

typedef int nn__conv_pool_lists_part; /* a part must not be empty under NN_NO_TRAINING */
