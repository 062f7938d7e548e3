/* kernels/conv2d/cpu_quads_weight.c - the gradient of the weights by kernels/conv2d/cpu_quads.h. Of
   a block of rows of quads the points of x are made once; of dy, whose four places in a quad are
   planes of their own, they are made again for each row of points, so that a few sums stay in
   registers for a block. All rows of quads of all pictures, in order, are dealt to a number of
   pieces that depends on the shape. What a piece has summed lies in shared as in
   kernels/conv2d/cpu_few.c, which adds the pieces. */
#include "kernels/conv2d/cpu_panel.h"
#include "kernels/conv2d/cpu_quads.h"

#if !defined(NN_NO_SIMD) && !defined(NN_NO_TRAINING)

#define NN__QUADS_VECTORS 16 /* of quads in a block: a row of their points is in the first cache */
#define NN__QUADS_OUTPUTS 16 /* output channels whose dy a block has at a time */
#define NN__QUADS_SHARE   32 /* output channels of a unit, at most */
#define NN__QUADS_LEAST   64 /* vectors of quads */
#define NN__QUADS_BLOCKS  4  /* of a piece, at least: then adding lanes up takes no time */

typedef struct nn__quads_pieces {
    nn__conv of, conv; /* the convolution, its quads */
    const nn__quads_set *set;
    nn__quad_band band;
    int outputs, vectors; /* rows of quads in a block; vectors of a row */
    ptrdiff_t plane;      /* floats of one place of the quads of a block */
    size_t band_floats, row_floats, sum_floats;
    int pieces, parts, size; /* size: output channels of a unit */
} nn__quads_pieces;

static nn__quads_pieces nn__quads_make_pieces(const nn__cpu *cpu, const nn_conv2d_args *g) {
    nn__quads_pieces q;
    memset(&q, 0, sizeof q);
    q.of = nn__conv_forward_geometry(g);
    q.conv = nn__quads_geometry(&q.of);
    q.conv.row = (int)nn__align_up((size_t)q.conv.row, NN__QUAD_LANES);
    q.set = nn__quads_set_of(cpu);
    const int C = q.conv.channels, lanes = q.set->lanes, height = q.conv.h.outputs;
    q.vectors = nn__ceil_div(q.conv.w.outputs, lanes);
    q.outputs = nn__maxi(
        1, nn__mini(NN__QUADS_VECTORS * NN__QUAD_LANES / lanes / q.vectors, height));
    q.plane = (ptrdiff_t)q.outputs * q.vectors * lanes;
    q.band.channels = C;
    q.band.row = q.conv.row;
    q.band.plane = nn__conv_plane(&q.conv, q.outputs);
    q.band.channel = nn__conv_channel(&q.conv, q.outputs);
    q.band_floats =
        nn__align_up((size_t)q.band.channel * (size_t)C + 2 * NN__QUAD_LANES, 16);
    /* one row of the points of all quads of a block */
    q.row_floats = (size_t)(NN__QUAD_POINTS / 4 * q.plane) * (size_t)C;
    /* of an output channel: of each point and channel a vector, and one of dy */
    q.sum_floats = (size_t)(NN__QUAD_POINTS * C + 1) * (size_t)lanes;
    const int64_t blocks = (int64_t)q.conv.images * nn__ceil_div(height, q.outputs);
    q.pieces = (int)nn__max64(
        1, nn__min64(blocks / NN__QUADS_BLOCKS, NN__CONV_UNITS / q.conv.groups));
    q.parts = nn__ceil_div(q.conv.rows, NN__QUADS_SHARE);
    q.size = nn__ceil_div(q.conv.rows, q.parts);
    return q;
}

static int nn__quads_at_once(int rows) { return nn__mini(rows, NN__QUADS_OUTPUTS); }

/* What a unit works with: a group's arrays from its first output channel on, and its own memory. */
typedef struct nn__quads_room {
    const float *x, *dy;
    int rows; /* output channels */
    float *band, *points, *spread, *sums;
} nn__quads_room;

/* Some rows of quads of a picture, and of the output channels those that are spread at a time. */
typedef struct nn__quads_part {
    int n, t, rows, first;
} nn__quads_part;

/* dy of a part's rows of an output channel. */
static const float *nn__quads_dy(const nn__quads_pieces *q, const nn__quads_room *room,
                                 const nn__quads_part *part, int k) {
    const ptrdiff_t height = q->of.h.outputs, width = q->of.w.outputs,
                    channels = (ptrdiff_t)q->of.groups * q->of.rows;
    return room->dy + ((part->n * channels + k) * height + 2 * part->t) * width;
}

/* The four places of its quads, those beyond the last row as zeros. */
static void nn__quads_spread(const nn__quads_pieces *q, const nn__quads_room *room,
                             const nn__quads_part *part, int k, float *to) {
    nn__quad_dy d;
    d.dy = nn__quads_dy(q, room, part, k);
    d.to = to;
    d.total = room->sums + (size_t)k * q->sum_floats;
    d.plane = q->plane;
    d.width = q->of.w.outputs;
    d.rows = nn__mini(2 * part->rows, q->of.h.outputs - 2 * part->t);
    d.lanes = q->vectors * q->set->lanes;
    q->set->spread(&d);
    if (d.rows == 2 * part->rows) return;
    to += (ptrdiff_t)(part->rows - 1) * d.lanes;
    for (int place = 2; place < 4; place++)
        memset(to + place * d.plane, 0, (size_t)d.lanes * sizeof(float));
}

/* Asks for a quarter of what will be spread of two output channels. */
static NN__ALWAYS_INLINE void nn__quads_ahead(const nn__quads_pieces *q, const nn__quads_room *room,
                            const nn__quads_part *next, int k, int quarter) {
    const int bytes = 2 * next->rows * q->of.w.outputs * (int)sizeof(float);
    for (int i = 0; i < 2; i++) {
        const char *from = (const char *)nn__quads_dy(q, room, next, k + i);
        const int at = bytes * quarter / 4, end = bytes * (quarter + 1) / 4;
        nn__conv_ahead(from + at, end - at);
    }
}

/* Of a part of a piece; `next` comes after it. */
static void nn__quads_block(const nn__quads_pieces *q, const nn__quads_room *room,
                            const nn__quads_part *part, const nn__quads_part *next) {
    const int C = q->conv.channels, lanes = q->set->lanes, first = part->first,
              some = nn__mini(nn__quads_at_once(room->rows), room->rows - first);
    const ptrdiff_t vector = (ptrdiff_t)(NN__QUAD_POINTS / 4) * lanes * C,
                    picture = (ptrdiff_t)q->of.groups * C * q->of.h.source * q->of.w.source;
    float *points = room->points;
    nn__quad_sums m;
    if (first == 0) {
        nn__quads_split(q->set, &q->conv, &q->band, room->x + part->n * picture, part->t,
                        part->rows, room->band);
        for (int i = 0; i < part->rows; i++)
            for (int v = 0; v < q->vectors; v++, points += vector)
                q->set->points(&q->band, room->band + i * q->band.row + v * lanes, points,
                               (ptrdiff_t)q->row_floats);
    }
    for (int e = 0; e < some; e++)
        nn__quads_spread(q, room, part, first + e, room->spread + 4 * q->plane * e);
    m.points_row = (ptrdiff_t)q->row_floats;
    m.plane = q->plane;
    m.channels = C;
    m.vectors = part->rows * q->vectors;
    for (m.row = 0; m.row < 4; m.row++)
        for (int e = 0; e < some; e += 2) {
            nn__quads_ahead(q, room, next, next->first + e, m.row);
            if (C == 1 && m.row > 0) continue;
            m.points = room->points + (size_t)m.row * q->row_floats;
            m.dy = room->spread + 4 * q->plane * e;
            m.next_dy = e + 1 < some ? 4 * q->plane : 0;
            /* what a channel alone has twice goes behind those of all */
            m.next_sums =
                (ptrdiff_t)q->sum_floats * (e + 1 < some ? 1 : room->rows - first - e);
            m.sums = room->sums + (size_t)(first + e) * q->sum_floats + lanes + m.row * vector;
            q->set->gather(&m);
        }
}

/* Four numbers of one axis, to three. */
static void nn__quads_three(const float *from, int step, float *to, int to_step) {
    const float half = 0.5f * (from[step] + from[2 * step]);
    to[0] = from[0] + half;
    to[to_step] = 0.5f * (from[step] - from[2 * step]);
    to[2 * to_step] = half - from[3 * step];
}

/* The sums of vectors and points, to (K, C 9 + 1). */
static void nn__quads_finish(const nn__quads_pieces *q, const nn__quads_room *room, float *to) {
    const int C = q->conv.channels;
    float point[NN__QUAD_POINTS * NN__QUAD_CHANNELS + 1], part[12];
    for (int k = 0; k < room->rows; k++) {
        q->set->add_up(room->sums + (size_t)k * q->sum_floats, NN__QUAD_POINTS * C + 1, point);
        for (int c = 0; c < C; c++, to += 9) {
            for (int j = 0; j < 4; j++) /* (point, channel) */
                nn__quads_three(point + 1 + c + j * C, 4 * C, part + j, 4);
            for (int r = 0; r < 3; r++) nn__quads_three(part + 4 * r, 1, to + 3 * r, 1);
        }
        *to++ = point[0];
    }
}

/* The part that begins with row `from`; no rows: there is none. */
static void nn__quads_begin(const nn__quads_pieces *q, nn__quads_part *part, int64_t from,
                            int64_t to) {
    const int height = q->conv.h.outputs;
    part->n = (int)(from / height);
    part->t = (int)(from % height);
    part->rows = (int)nn__min64(q->outputs, nn__min64(height - part->t, to - from));
    part->first = 0;
}

/* Rows [from, to) of the quads of all pictures, counted on from one picture to the next. */
static void nn__quads_piece(const nn__quads_pieces *q, nn__quads_room *room, int64_t from,
                            int64_t to, float *own) {
    nn__quads_part part, next;
    room->points = own;
    room->spread = room->points + 4 * q->row_floats;
    room->sums = room->spread + 4 * q->plane * nn__quads_at_once(room->rows);
    room->band = room->sums + (size_t)(room->rows + 1) * q->sum_floats;
    memset(room->sums, 0, (size_t)(room->rows + 1) * q->sum_floats * sizeof(float));
    /* vectors read on behind the last quads: a NaN there would not vanish beside a 0 */
    memset(room->band, 0, q->band_floats * sizeof(float));
    for (nn__quads_begin(q, &part, from, to); part.rows > 0; part = next) {
        next = part;
        next.first += nn__quads_at_once(room->rows);
        if (next.first >= room->rows) nn__quads_begin(q, &next, from += part.rows, to);
        nn__quads_block(q, room, &part, &next);
    }
}

/* ---- backward_weight ------------------------------------------------------------------------- */

/* Measured beside the other ways, which are kernels/conv2d/cpu_few.c up to 32 output channels: 1.0
   to 1.7 times as fast, up to 3 times where a vector of channels would be half empty. Of one or two
   channels reading dy takes longer than the products. */
static bool nn__quads_sums_pay(int lanes, int channels, int rows) {
    if (channels < 3) return rows > 32 || (rows < 8 && lanes == 16);
    if (lanes == 16) return channels < 8 || rows <= 8;
    return channels < 8 ? rows > 16 : rows < 8;
}

NN_PRIVATE bool nn__quads_weight_suits(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn__conv conv = nn__conv_forward_geometry(g);
    if (!nn__present(&g->weight) || conv.groups > NN__CONV_UNITS || !nn__quads_fit(cpu, g, &conv))
        return false;
    const nn__quads_pieces q = nn__quads_make_pieces(cpu, g);
    return (int64_t)conv.images * q.conv.h.outputs * q.vectors >= NN__QUADS_LEAST &&
           nn__quads_sums_pay(q.set->lanes, conv.channels, conv.rows);
}

NN_PRIVATE int nn__quads_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    if (phase > 1) return 0;
    const nn__quads_pieces q = nn__quads_make_pieces(cpu, g);
    return q.conv.groups * (phase == 0 ? q.pieces * q.parts : 1);
}

NN_PRIVATE size_t nn__quads_weight_own(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn__quads_pieces q = nn__quads_make_pieces(cpu, g);
    return (q.band_floats + 4 * q.row_floats +
            4 * (size_t)q.plane * (size_t)nn__quads_at_once(q.size) +
            (size_t)(q.size + 1) * q.sum_floats) *
           sizeof(float);
}

NN_PRIVATE size_t nn__quads_weight_shared(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn__quads_pieces q = nn__quads_make_pieces(cpu, g);
    return (size_t)q.pieces * (size_t)q.conv.groups * (size_t)q.conv.rows *
           (size_t)(9 * q.conv.channels + 1) * sizeof(float);
}

NN_PRIVATE void nn__quads_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int phase,
                                      int unit, float *shared, void *own) {
    const nn__quads_pieces q = nn__quads_make_pieces(cpu, g);
    if (phase == 1) {
        nn__few_add_pieces(&q.of, g, q.pieces, unit, shared);
        return;
    }
    const int groups = q.of.groups, part = unit % q.parts, group = unit / q.parts % groups,
              piece = unit / q.parts / groups, k = part * q.size;
    const int64_t rows = (int64_t)q.of.images * q.conv.h.outputs;
    const ptrdiff_t first = (ptrdiff_t)group * q.of.rows + k; /* output channel of all groups */
    nn__quads_room room;
    room.rows = nn__mini(q.size, q.of.rows - k);
    if (room.rows <= 0) return;
    room.x = nn__f32(&g->x) + (ptrdiff_t)group * q.of.channels * q.of.h.source * q.of.w.source;
    room.dy = nn__f32(&g->y) + first * q.of.h.outputs * q.of.w.outputs;
    nn__quads_piece(&q, &room, rows * piece / q.pieces, rows * (piece + 1) / q.pieces,
                    (float *)own);
    nn__quads_finish(&q, &room,
                     shared + ((ptrdiff_t)piece * groups * q.of.rows + first) *
                                  (9 * q.of.channels + 1));
}

#undef NN__QUADS_VECTORS
#undef NN__QUADS_OUTPUTS
#undef NN__QUADS_SHARE
#undef NN__QUADS_LEAST
#undef NN__QUADS_BLOCKS
#endif

typedef int nn__conv2d_quads_weight_part; /* a part must not be empty under NN_NO_SIMD */
