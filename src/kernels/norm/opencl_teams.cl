/* kernels/norm/opencl_teams.cl - norms on GPUs in as few launches as possible. Forward is one
   launch if one team of work-items can process a set. Longer sets are cut into pieces, whose sums
   an extra launch computes first. Backward may also need an extra launch for the sums of lines, and
   another one that joins the gradients of weight and bias of several blocks of rows.

   A set is the group of numbers that share one mean. A work-group has `teams` teams of equal size;
   both numbers are powers of two. A team takes a piece of a set: lines of `inner` numbers that
   begin `jump` apart; the first line begins at set * run. With `across`, neighbouring sets are
   neighbours in memory, and teams are interleaved so that neighbouring work-items read neighbouring
   numbers. */

/* Storage of x, y, dy and dx: 0 f32, 1 f16, 2 bf16. */
#ifndef NN_NORM_X
#define NN_NORM_X 0
#endif
#ifndef NN_NORM_Y
#define NN_NORM_Y 0
#endif
#ifndef NN_NORM_DY
#define NN_NORM_DY 0
#endif
#ifndef NN_NORM_DX
#define NN_NORM_DX 0
#endif
#define NN_NORM_XS    NN_STORED(NN_NORM_X)
#define NN_NORM_DYS   NN_STORED(NN_NORM_DY)
#define NN_NORM_X_AT  NN_STORED_AT(NN_NORM_X)
#define NN_NORM_DY_AT NN_STORED_AT(NN_NORM_DY)

/* If a sum of squares overflows float, as with numbers around 1e20, it is computed again from
   numbers times NN_NORM_SMALL, a power of two, and stored negated. */
#define NN_NORM_SMALL 8.2718061e-25f
float nn_norm_rstd(float biased, float epsilon) {
    return biased < 0.0f ? 1.0f / sqrt(-biased) * NN_NORM_SMALL : 1.0f / sqrt(biased + epsilon);
}
float nn_norm_unbiased(float squares, uint size) {
    return squares < 0.0f ? INFINITY : squares / (float)(size - 1u);
}
/* Adds a piece's share of the whole: its sum of squares, and `count` times the square of d, the
   distance of its mean from the mean of the whole. *small gets both scaled by the square of
   NN_NORM_SMALL. */
void nn_norm_add_squares(float *plain, float *small, float squares, float d, float count) {
    *plain += squares < 0.0f ? INFINITY : squares + d * d * count;
    *small += squares < 0.0f ? -squares : squares * NN_NORM_SMALL * NN_NORM_SMALL;
    d *= NN_NORM_SMALL;
    *small += d * d * count;
}

void nn_norm_give(__global float *to, ulong at, float value, int accumulate) {
    if (to) to[at] = accumulate ? to[at] + value : value;
}
void nn_norm_give_dx(__global NN_STORED(NN_NORM_DX) *to, ulong at, float value, int accumulate) {
    if (accumulate) value += NN_STORED_AT(NN_NORM_DX)(to, at);
    NN_STORED_PUT(NN_NORM_DX)(to, at, value);
}

#define NN_NORM_MOST   256 /* work-items per group */
#define NN_NORM_PLACES 64  /* rows per block */
#define NN_NORM_HELD   32  /* most numbers that a lane keeps in registers */
#define NN_NORM_AHEAD  8   /* loads per lane in flight at once */

typedef struct nn_norm_team {
    ulong set;
    uint index;             /* of its piece */
    uint lane, lanes, step; /* step: distance between two lanes in local memory */
    uint first;             /* index of lane 0 there */
    uint begin, end;        /* the numbers of the piece */
    int there; /* 0: beyond the last piece; the team computes that piece again and stores nothing */
} nn_norm_team;

nn_norm_team nn_norm_team_of(ulong group, uint teams, int across, ulong sets, uint pieces,
                             uint piece, uint size) {
    nn_norm_team t;
    uint id = (uint)get_local_id(0);
    ulong part;
    t.lanes = (uint)get_local_size(0) / teams;
    t.step = across ? teams : 1u;
    t.lane = across ? id / teams : id % t.lanes;
    t.first = across ? id % teams : id - t.lane;
    part = group * teams + (across ? t.first : id / t.lanes);
    t.there = part < sets * pieces;
    if (!t.there) part = sets * pieces - 1u;
    t.set = part % sets;
    t.index = (uint)(part / sets);
    t.begin = t.index * piece;
    t.end = min(t.begin + piece, size);
    return t;
}

/* Adds up `numbers` sums over the lanes of a team; all lanes get the totals. lanes: numbers *
   NN_NORM_MOST. */
void nn_norm_team_total(float *sums, uint numbers, __local float *lanes, const nn_norm_team *t) {
    uint id = (uint)get_local_id(0);
    for (uint k = 0; k < numbers; k++) lanes[k * NN_NORM_MOST + id] = sums[k];
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (uint reach = t->lanes / 2u; reach > 0u; reach /= 2u) {
        if (t->lane < reach)
            for (uint k = 0; k < numbers; k++)
                lanes[k * NN_NORM_MOST + id] += lanes[k * NN_NORM_MOST + id + reach * t->step];
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = 0; k < numbers; k++) sums[k] = lanes[k * NN_NORM_MOST + t->first];
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
}

/* A number of a lane's piece as (row, column) of the lines, which advances without a division. */
typedef struct nn_norm_walk {
    uint i, row, column;
} nn_norm_walk;

nn_norm_walk nn_norm_walk_of(const nn_norm_team *t, uint inner) {
    nn_norm_walk p;
    p.i = t->begin + t->lane;
    p.row = p.i / inner;
    p.column = p.i % inner;
    return p;
}
void nn_norm_walk_on(nn_norm_walk *p, const nn_norm_team *t, uint inner) {
    p->i += t->lanes;
    p->column += t->lanes % inner;
    p->row += t->lanes / inner + (p->column >= inner);
    p->column -= p->column >= inner ? inner : 0u;
}

/* Adds a distance, its square, and its square scaled by NN_NORM_SMALL. */
void nn_norm_team_square(float d, float *sums) {
    sums[0] += d;
    sums[1] += d * d;
    d *= NN_NORM_SMALL;
    sums[2] += d * d;
}

/* Computes the mean and the sum of squared distances from it; with rms, 0 and the sum of squares. A
   lane keeps its numbers in registers if they fit, so all loads are in flight at once and each
   number is read once. It is inlined, because a team passed by address would be stored in
   memory. */
__attribute__((always_inline)) void
nn_norm_team_moments(const __global NN_NORM_XS *x, uint inner, ulong jump, int rms,
                     const nn_norm_team *t, __local float *lanes, float *moments) {
    float sums[3] = {0.0f, 0.0f, 0.0f}, mean = 0.0f, count = (float)(t->end - t->begin);
    const bool held = t->end - t->begin <= NN_NORM_HELD * t->lanes;
    float kept[NN_NORM_HELD];
    nn_norm_walk p = nn_norm_walk_of(t, inner);
    if (held)
#pragma unroll
        for (uint q = 0; q < NN_NORM_HELD; q++) {
            kept[q] = p.i < t->end ? NN_NORM_X_AT(x, p.row * jump + p.column) : 0.0f;
            nn_norm_walk_on(&p, t, inner);
        }
    if (!rms) {
        if (held)
#pragma unroll
            for (uint q = 0; q < NN_NORM_HELD; q++) sums[0] += kept[q];
        else
            for (; p.i < t->end; nn_norm_walk_on(&p, t, inner))
                sums[0] += NN_NORM_X_AT(x, p.row * jump + p.column);
        nn_norm_team_total(sums, 2, lanes, t);
        mean = sums[0] / count;
    }
    sums[0] = sums[1] = sums[2] = 0.0f;
    p = nn_norm_walk_of(t, inner);
    if (held)
#pragma unroll
        for (uint q = 0; q < NN_NORM_HELD; q++)
            nn_norm_team_square(
                t->begin + t->lane + q * t->lanes < t->end ? kept[q] - mean : 0.0f, sums);
    else
        for (; p.i < t->end; nn_norm_walk_on(&p, t, inner))
            nn_norm_team_square(NN_NORM_X_AT(x, p.row * jump + p.column) - mean, sums);
    nn_norm_team_total(sums, 3, lanes, t);
    float back = rms ? 0.0f : sums[0] / count, squares = sums[1] - back * sums[0];
    moments[0] = mean + back;
    moments[1] = sums[1] <= FLT_MAX
                     ? squares
                     : back * NN_NORM_SMALL * (sums[0] * NN_NORM_SMALL) - sums[2];
}

/* ---- forward --------------------------------------------------------------------------------- */

__kernel void nn_norm_team_pieces(__global float *parts, ulong parts_offset,
                                  const __global NN_NORM_XS *x, ulong x_offset, uint inner,
                                  ulong jump,
                                  ulong run, uint size, uint pieces, uint piece, ulong sets,
                                  uint teams, int across, int rms) {
    __local float lanes[3 * NN_NORM_MOST];
    nn_norm_team t = nn_norm_team_of(get_group_id(0), teams, across, sets, pieces, piece, size);
    float moments[2];
    nn_norm_team_moments(x + x_offset + t.set * run, inner, jump, rms, &t, lanes, moments);
    if (t.lane || !t.there) return;
    parts += parts_offset + 2u * (t.set * pieces + t.index);
    parts[0] = moments[0];
    parts[1] = moments[1];
}

/* Joins the moments of a set's pieces. */
void nn_norm_team_join(const __global float *parts, uint size, uint pieces, uint piece, int rms,
                       const nn_norm_team *t, __local float *lanes, float *moments) {
    float sums[2] = {0.0f, 0.0f}, mean = 0.0f;
    if (!rms) {
        for (uint p = t->lane; p < pieces; p += t->lanes)
            sums[0] += parts[2u * p] * ((float)min(piece, size - p * piece) / (float)size);
        nn_norm_team_total(sums, 2, lanes, t);
        mean = sums[0];
    }
    sums[0] = sums[1] = 0.0f;
    for (uint p = t->lane; p < pieces; p += t->lanes) {
        float d = rms ? 0.0f : parts[2u * p] - mean;
        nn_norm_add_squares(&sums[0], &sums[1], parts[2u * p + 1u], d,
                            (float)min(piece, size - p * piece));
    }
    nn_norm_team_total(sums, 2, lanes, t);
    moments[0] = mean;
    moments[1] = sums[0] <= FLT_MAX ? sums[0] : -sums[1];
}

/* Computes the results of a piece. The team of the first piece also stores the statistics of its
   set, unless they are NULL. Without running statistics they are joined from `parts`; if parts is
   NULL, the set is one piece. */
__kernel void nn_norm_team_forward(
    __global NN_STORED(NN_NORM_Y) *y, ulong y_offset, const __global NN_NORM_XS *x,
    ulong x_offset,
    const __global float *weight, ulong weight_offset, const __global float *bias,
    ulong bias_offset, const __global float *parts, ulong parts_offset,
    const __global float *running_mean, ulong running_mean_offset,
    const __global float *running_var, ulong running_var_offset, __global float *mean,
    ulong mean_offset, __global float *rstd, ulong rstd_offset, __global float *variance,
    ulong variance_offset, uint inner, ulong jump, ulong run, uint size, uint pieces, uint piece,
    ulong sets, uint teams, int across, uint channels, uint groups, float epsilon, int rms,
    int activation) {
    __local float lanes[3 * NN_NORM_MOST];
    nn_norm_team t = nn_norm_team_of(get_group_id(0), teams, across, sets, pieces, piece, size);
    float moments[2] = {0.0f, 0.0f}, r;
    x += x_offset + t.set * run;
    if (running_mean) {
        moments[0] = running_mean[running_mean_offset + t.set];
        r = 1.0f / sqrt(running_var[running_var_offset + t.set] + epsilon);
    } else {
        if (parts)
            nn_norm_team_join(parts + parts_offset + 2u * t.set * pieces, size, pieces, piece, rms,
                              &t, lanes, moments);
        else
            nn_norm_team_moments(x, inner, jump, rms, &t, lanes, moments);
        r = nn_norm_rstd(moments[1] / (float)size, epsilon);
    }
    if (!t.there) return;
    float m = moments[0];
    if (t.lane == 0u && t.index == 0u) {
        if (mean) mean[mean_offset + t.set] = m;
        if (rstd) rstd[rstd_offset + t.set] = r;
        if (variance) variance[variance_offset + t.set] = nn_norm_unbiased(moments[1], size);
    }
    if (!y) return;
    y += y_offset + t.set * run;
    ulong first = across ? t.set : t.set % groups * channels;
    weight = weight ? weight + weight_offset + first : 0;
    bias = bias ? bias + bias_offset + first : 0;
    for (nn_norm_walk p = nn_norm_walk_of(&t, inner); p.i < t.end;) {
        float value[NN_NORM_AHEAD];
        ulong at[NN_NORM_AHEAD];
        const uint begin = p.i;
#pragma unroll
        for (uint q = 0; q < NN_NORM_AHEAD; q++) {
            const bool in = p.i < t.end;
            const uint c = across ? 0u : p.row;
            at[q] = p.row * jump + p.column;
            value[q] = in ? (NN_NORM_X_AT(x, at[q]) - m) * (r * (weight ? weight[c] : 1.0f)) +
                                (bias ? bias[c] : 0.0f)
                          : 0.0f;
            nn_norm_walk_on(&p, &t, inner);
        }
#pragma unroll
        for (uint q = 0; q < NN_NORM_AHEAD; q++)
            if (begin + q * t.lanes < t.end)
                NN_STORED_PUT(NN_NORM_Y)
                (y, at[q], activation ? nn_activate(activation, value[q]) : value[q]);
    }
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* Adds a lane's numbers of a piece: g and g (x - mean), where g is dy times its weight (NULL:
   1). */
void nn_norm_team_add(const __global NN_NORM_DYS *dy, const __global NN_NORM_XS *x,
                      const __global float *weight, float m, uint inner, ulong jump,
                      const nn_norm_team *t, float *sums) {
    for (nn_norm_walk p = nn_norm_walk_of(t, inner); p.i < t->end;) {
        float g[NN_NORM_AHEAD], d[NN_NORM_AHEAD];
#pragma unroll
        for (uint q = 0; q < NN_NORM_AHEAD; q++) {
            const bool in = p.i < t->end;
            const ulong at = p.row * jump + p.column;
            g[q] = in ? NN_NORM_DY_AT(dy, at) : 0.0f;
            d[q] = in ? NN_NORM_X_AT(x, at) - m : 0.0f;
            if (weight && in) g[q] *= weight[p.row];
            nn_norm_walk_on(&p, t, inner);
        }
#pragma unroll
        for (uint q = 0; q < NN_NORM_AHEAD; q++) {
            sums[0] += g[q];
            sums[1] += g[q] * d[q];
        }
    }
}

/* Stores the two sums of nn_norm_team_add for each piece in parts. The mean is mean[set / per], or
   0 if mean is NULL. */
__kernel void nn_norm_team_sums(__global float *parts, ulong parts_offset,
                                const __global NN_NORM_DYS *dy, ulong dy_offset,
                                const __global NN_NORM_XS *x, ulong x_offset,
                                const __global float *weight, ulong weight_offset,
                                const __global float *mean, ulong mean_offset, uint inner,
                                ulong jump, ulong run, uint size, uint pieces, uint piece,
                                ulong sets, uint teams, int across, uint per) {
    __local float lanes[2 * NN_NORM_MOST];
    nn_norm_team t = nn_norm_team_of(get_group_id(0), teams, across, sets, pieces, piece, size);
    float sums[2] = {0.0f, 0.0f}, m = mean ? mean[mean_offset + t.set / per] : 0.0f;
    ulong from = t.set * run;
    nn_norm_team_add(dy + dy_offset + from, x + x_offset + from,
                     weight ? weight + weight_offset : 0, m, inner, jump, &t, sums);
    nn_norm_team_total(sums, 2, lanes, &t);
    if (t.lane || !t.there) return;
    parts += parts_offset + 2u * (t.set * pieces + t.index);
    parts[0] = sums[0];
    parts[1] = sums[1];
}

void nn_norm_team_give(__global float *dweight, ulong dweight_offset, __global float *dbias,
                       ulong dbias_offset, ulong channel, float b, float a, int accumulate) {
    nn_norm_give(dweight, dweight_offset + channel, b, accumulate);
    nn_norm_give(dbias, dbias_offset + channel, a, accumulate);
}

/* dx = p dy + q + k (x - mean). A set is `per` lines with one channel each, and a team takes a
   piece of one line; with `across`, a set is one channel and per is 1. The groups from dx_groups on
   compute the gradients of weight and bias from the sums of all `outer` lines of a channel. If
   parts is NULL, a set is one piece, which the team sums itself. */
__kernel void nn_norm_team_dx(
    __global NN_STORED(NN_NORM_DX) *dx, ulong dx_offset, __global float *dweight,
    ulong dweight_offset,
    __global float *dbias, ulong dbias_offset, const __global NN_NORM_DYS *dy, ulong dy_offset,
    const __global NN_NORM_XS *x, ulong x_offset, const __global float *weight,
    ulong weight_offset,
    const __global float *mean, ulong mean_offset, const __global float *rstd, ulong rstd_offset,
    const __global float *parts, ulong parts_offset, uint inner, ulong jump, ulong run, uint size,
    uint pieces, uint piece, ulong sets, uint teams, int across, uint per, uint all, ulong outer,
    ulong dx_groups, int fixed, int accumulate) {
    __local float lanes[2 * NN_NORM_MOST];
    float sums[2] = {0.0f, 0.0f};
    int joins = get_group_id(0) >= dx_groups;
    nn_norm_team t =
        nn_norm_team_of(joins ? get_group_id(0) - dx_groups : get_group_id(0), teams, across,
                        joins ? all : sets, joins ? 1u : pieces, piece, size);
    ulong set = t.set / per, from = t.set * run;
    float m = mean ? mean[mean_offset + set] : 0.0f, r = rstd[rstd_offset + set];
    parts = parts ? parts + parts_offset : 0;
    weight = weight ? weight + weight_offset : 0;
    float w = weight ? weight[t.set % all] : 1.0f;
    if (parts) {
        ulong count = joins ? outer * pieces : per * pieces;
        for (ulong i = t.lane; i < count; i += t.lanes) {
            ulong line = joins ? i / pieces * all + t.set : set * per + i / pieces;
            const __global float *part = parts + 2u * (line * pieces + i % pieces);
            float g = weight && !across && !joins ? weight[line % all] : 1.0f;
            sums[0] += g * part[0];
            sums[1] += g * (joins ? part[1] * rstd[rstd_offset + line / per] : part[1]);
        }
    } else if (!fixed || dweight || dbias) {
        nn_norm_team_add(dy + dy_offset + from, x + x_offset + from, 0, m, inner, jump, &t, sums);
    }
    nn_norm_team_total(sums, 2, lanes, &t);
    if (!t.there) return;
    if ((across || joins) && t.lane == 0u && t.index == 0u)
        nn_norm_team_give(dweight, dweight_offset, dbias, dbias_offset, t.set,
                          joins ? sums[1] : sums[1] * r, sums[0], accumulate);
    if (joins) return;
    if (!dx) return;
    if (across || !parts) sums[0] *= w, sums[1] *= w;
    float count = (float)size * (float)per, p = r * w;
    float q = fixed || !mean ? 0.0f : -r * (sums[0] / count);
    float k = fixed ? 0.0f : -r * r * r * (sums[1] / count);
    for (nn_norm_walk at = nn_norm_walk_of(&t, inner); at.i < t.end;) {
        float value[NN_NORM_AHEAD];
        ulong to[NN_NORM_AHEAD];
        const uint begin = at.i;
#pragma unroll
        for (uint i = 0; i < NN_NORM_AHEAD; i++) {
            const bool in = at.i < t.end;
            to[i] = from + at.row * jump + at.column;
            value[i] = in ? NN_NORM_DY_AT(dy, dy_offset + to[i]) * p : 0.0f;
            if (!fixed && in) value[i] += q + k * (NN_NORM_X_AT(x, x_offset + to[i]) - m);
            nn_norm_walk_on(&at, &t, inner);
        }
#pragma unroll
        for (uint i = 0; i < NN_NORM_AHEAD; i++)
            if (begin + i * t.lanes < t.end)
                nn_norm_give_dx(dx, dx_offset + to[i], value[i], accumulate);
    }
}
