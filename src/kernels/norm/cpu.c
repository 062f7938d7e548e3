/* kernels/norm/cpu.c - norms forward, and running statistics, on the CPU. A contiguous set is read
   from memory once: its moments are computed and its results written while it is in the cache.
   Across, a unit does the same with a strip of channels. If there are few channels with many
   numbers each, strips are cut into pieces, and a second phase joins their moments in order. */
#include "kernels/norm/cpu.h"

#include <math.h>

#define NN__NORM_UNIT  16384 /* numbers per unit, approximately */
#define NN__NORM_BLOCK 32    /* outer indices whose columns are added in float */
#define NN__NORM_LONGEST 256 /* most numbers of a channel that are taken as columns */

/* Data that stays in the cache between two passes is processed strip by strip; other data is read
   twice, in memory order. */
NN_PRIVATE nn__norm_strips nn__norm_cut_strips(const nn_norm_cut *cut, int64_t longest) {
    nn__norm_strips s;
    s.columns = cut->inner <= longest;
    /* with few channels, narrow strips make more units, and cost less than pieces */
    const int64_t wide = nn__min64(1024, nn__max64(128, cut->groups * cut->inner / 16));
    s.strip = nn__max64(1, (s.columns ? wide : 1024) / cut->inner);
    s.strip = nn__min64(s.strip, cut->groups);
    s.strips = (cut->groups + s.strip - 1) / s.strip;
    s.piece = cut->outer;
    if (cut->outer * cut->groups * cut->inner > (s.strips < 16 ? 1 << 14 : 1 << 18)) {
        if (!s.columns) s.strip = nn__min64(cut->groups, nn__max64(1, 16384 / cut->inner));
        s.strips = (cut->groups + s.strip - 1) / s.strip;
        s.piece = (s.strips < 16 ? 1 << 12 : 1 << 16) / (s.strip * cut->inner);
        s.piece = nn__min64(cut->outer, nn__max64(s.piece, (cut->outer + 63) / 64));
    }
    s.pieces = (cut->outer + s.piece - 1) / s.piece;
    s.width = s.columns ? s.strip * cut->inner : s.strip;
    return s;
}

/* ---- along: contiguous sets ------------------------------------------------------------------ */

static int64_t nn__norm_sets_per_unit(const nn_norm_cut *cut) {
    return nn__max64(1, NN__NORM_UNIT / nn__norm_size(cut));
}

static float nn__norm_rstd(const nn_norm_args *args, double count, double squares) {
    return (float)(1.0 / sqrt(squares / count + (double)args->epsilon));
}

/* Stores the statistics of a set in the outputs that are present. Returns rstd. */
static float nn__norm_store(const nn_norm_args *args, int64_t set, double count, double mean,
                            double squares) {
    const float rstd = nn__norm_rstd(args, count, squares);
    if (nn__present(&args->mean)) nn__f32(&args->mean)[set] = (float)mean;
    if (nn__present(&args->rstd)) nn__f32(&args->rstd)[set] = rstd;
    if (nn__present(&args->variance))
        nn__f32(&args->variance)[set] = (float)(squares / (count - 1.0));
    return rstd;
}

/* nn__norm_clamp returns the activation that is applied before results are written,
   nn__norm_activate the one that is applied to them later. Rows with weights of their own use only
   the latter. */
static nn__clamp nn__norm_clamp(const nn__cpu *cpu, const nn_norm_args *args) {
    if (!args->cut.across && args->cut.inner == 1) return NN__CLAMP_NOT;
    return nn__clamp_of(cpu->activations[args->activation]);
}
static nn__activate nn__norm_activate(const nn__cpu *cpu, const nn_norm_args *args) {
    return nn__norm_clamp(cpu, args) ? NULL : cpu->activations[args->activation];
}

/* Returns the bytes of the results, which bypass the caches if these cannot hold them; 0 if an
   activation reads the results at once. */
static int64_t nn__norm_written(const nn__cpu *cpu, const nn_norm_args *args) {
    return nn__norm_activate(cpu, args) ? 0 : nn__count(&args->x) * (int64_t)sizeof(float);
}

static void nn__norm_set(const nn__cpu *cpu, const nn_norm_args *args, int64_t set) {
    const nn_norm_cut *cut = &args->cut;
    const int64_t size = nn__norm_size(cut), channel = set % cut->groups * cut->channels;
    const nn__activate activate = nn__norm_activate(cpu, args);
    const float *x = nn__f32(&args->x) + set * size;
    float *y = nn__f32(&args->y) + set * size;
    double mean, squares;
    nn__norm_moments(cpu, x, size, args->rms, &mean, &squares);
    const float rstd = nn__norm_store(args, set, (double)size, mean, squares), m = (float)mean;
    if (cut->inner == 1)
        nn__norm_apply_each(cpu, y, x, size, m, rstd, nn__norm_from(&args->weight, channel),
                            nn__norm_from(&args->bias, channel), nn__norm_written(cpu, args));
    else
        for (int64_t k = 0; k < cut->channels; k++)
            nn__norm_apply(cpu, y + k * cut->inner, x + k * cut->inner, cut->inner, m,
                           rstd * nn__norm_or(&args->weight, channel + k, 1.0f),
                           nn__norm_or(&args->bias, channel + k, 0.0f),
                           nn__norm_clamp(cpu, args), nn__norm_written(cpu, args));
    for (int64_t i = 0; activate && i < size; i += NN__NORM_UNIT)
        activate(y + i, (int)nn__min64(NN__NORM_UNIT, size - i));
}

/* ---- across: strips of channels -------------------------------------------------------------- */

typedef struct nn__norm_moment {
    double mean, squares;
} nn__norm_moment;

/* Joins the moments of `before` numbers in *a with those of `more` numbers. */
static void nn__norm_join(nn__norm_moment *a, double before, double mean, double squares,
                          double more) {
    const double all = before + more, d = mean - a->mean;
    a->squares += squares + d * d * before * more / all;
    a->mean += d * more / all;
}

/* Returns the bytes of a worker's scratch for a strip: two moments per channel, then six rows of
   floats. */
static size_t nn__norm_across_own(const nn__norm_strips *s) {
    return (size_t)s->width * (2 * sizeof(nn__norm_moment) + 6 * sizeof(float));
}

/* Computes the moments of a channel of a block of rows in double, if float overflows, as with
   squares of numbers around 1e20. */
static void nn__norm_column_again(const float *x, ptrdiff_t row, int rows, int inner, double *mean,
                                  double *squares) {
    double sum = 0.0;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < inner; i++) sum += (double)x[r * row + i];
    *mean = sum / ((double)rows * inner);
    *squares = 0.0;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < inner; i++) {
            const double d = (double)x[r * row + i] - *mean;
            *squares += d * d;
        }
}

/* Computes the moments of the channels of a part, column by column, in blocks. The rounding of a
   block's mean is corrected through its squares. */
static void nn__norm_column_moments(const nn__cpu *cpu, const nn_norm_args *args,
                                    const nn__norm_part *part, nn__norm_moment *m, float *means) {
    const nn__norm_loops *loops = nn__norm_loops_of(cpu);
    const int w = part->width, inner = (int)args->cut.inner;
    const ptrdiff_t row = (ptrdiff_t)args->cut.groups * inner;
    const int count = (int)part->count;
    float *sums = means + w, *rounded = sums + w;
    double *mean = (double *)(void *)(m + count), *squares = mean + count; /* of a block */
    for (int c = 0; c < count; c++) m[c].mean = m[c].squares = 0.0;
    for (int64_t n = part->first; n < part->end; n += NN__NORM_BLOCK) {
        const int rows = (int)nn__min64(NN__NORM_BLOCK, part->end - n);
        const double more = (double)rows * inner, before = (double)((n - part->first) * inner),
                     share = more / (before + more), each = 1.0 / more;
        const float *x = nn__f32(&args->x) + nn__norm_at(&args->cut, part, n);
        memset(sums, 0, (size_t)w * sizeof *sums);
        loops->column_add(sums, x, row, rows, NULL, w);
        loops->totals(mean, sums, inner, count);
        for (int c = 0; c < count; c++) rounded[c] = (float)(mean[c] *= each);
        loops->spread(means, rounded, 1, inner, count);
        memset(sums, 0, (size_t)w * sizeof *sums);
        loops->column_add(sums, x, row, rows, means, w);
        loops->totals(squares, sums, inner, count);
        for (int c = 0; c < count; c++) {
            double rest = mean[c] - (double)rounded[c];
            if (!(squares[c] <= (double)FLT_MAX)) {
                nn__norm_column_again(x + (ptrdiff_t)c * inner, row, rows, inner, &mean[c],
                                      &squares[c]);
                rest = 0.0;
            }
            const double d = mean[c] - m[c].mean;
            m[c].squares += squares[c] - rest * rest * more + d * d * before * share;
            m[c].mean += d * share;
        }
    }
}

static void nn__norm_line_moments(const nn__cpu *cpu, const nn_norm_args *args,
                                  const nn__norm_part *part, nn__norm_moment *m) {
    const int64_t inner = args->cut.inner;
    for (int64_t n = part->first; n < part->end; n++) {
        const float *x = nn__f32(&args->x) + nn__norm_at(&args->cut, part, n);
        for (int64_t c = 0; c < part->count; c++) {
            nn__norm_moment line;
            nn__norm_moments(cpu, x + c * inner, inner, args->rms, &line.mean, &line.squares);
            if (n == part->first)
                m[c] = line;
            else
                nn__norm_join(&m[c], (double)((n - part->first) * inner), line.mean, line.squares,
                              (double)inner);
        }
    }
}

static void nn__norm_part_moments(const nn__cpu *cpu, const nn_norm_args *args,
                                  const nn__norm_strips *s, const nn__norm_part *part,
                                  nn__norm_moment *m) {
    if (s->columns)
        nn__norm_column_moments(cpu, args, part, m, (float *)(void *)(m + 2 * s->width));
    else
        nn__norm_line_moments(cpu, args, part, m);
}

/* Joins the moments of channel c from its pieces: (pieces, groups). */
static nn__norm_moment nn__norm_join_pieces(const nn_norm_cut *cut, const nn__norm_strips *s,
                                            const nn__norm_moment *pieces, int64_t c) {
    nn__norm_moment m = pieces[c];
    for (int64_t p = 1; p < s->pieces; p++) {
        const nn__norm_moment *more = &pieces[p * cut->groups + c];
        const int64_t first = p * s->piece, end = nn__min64(first + s->piece, cut->outer);
        nn__norm_join(&m, (double)(first * cut->inner), more->mean, more->squares,
                      (double)((end - first) * cut->inner));
    }
    return m;
}

/* Computes the mean that is subtracted from channel c of a part, and the factor and summand that
   follow. */
static void nn__norm_channel(const nn_norm_args *args, const nn__norm_part *part,
                             const nn__norm_moment *m, int64_t c, float *mean, float *scale,
                             float *shift) {
    const int64_t channel = part->channel + c;
    nn__norm_moment given;
    double count = (double)nn__norm_size(&args->cut);
    if (nn__present(&args->running_mean)) {
        given.mean = (double)nn__f32(&args->running_mean)[channel];
        given.squares = (double)nn__f32(&args->running_var)[channel] * count;
    } else {
        given = m[c];
    }
    const float rstd = part->piece == 0
                           ? nn__norm_store(args, channel, count, given.mean, given.squares)
                           : nn__norm_rstd(args, count, given.squares);
    *mean = (float)given.mean;
    *scale = rstd * nn__norm_or(&args->weight, channel, 1.0f);
    *shift = nn__norm_or(&args->bias, channel, 0.0f);
}

/* The end of a strip was read last and is still in the cache, so the results are computed from the
   end. */
static void nn__norm_part_columns(const nn__cpu *cpu, const nn_norm_args *args,
                                  const nn__norm_part *part, const nn__norm_moment *m,
                                  float *factors) {
    const nn__norm_loops *loops = nn__norm_loops_of(cpu);
    const nn__activate activate = nn__norm_activate(cpu, args);
    const int w = part->width;
    const int inner = (int)args->cut.inner;
    const ptrdiff_t row = (ptrdiff_t)args->cut.groups * inner;
    const int count = (int)part->count;
    float *each = factors + 3 * w; /* three numbers per channel */
    for (int c = 0; c < count; c++)
        nn__norm_channel(args, part, m, c, &each[3 * c], &each[3 * c + 1], &each[3 * c + 2]);
    for (int k = 0; k < 3; k++)
        loops->spread(factors + k * w, each + k, 3, inner, count);
    for (int64_t n = part->end; n > part->first;) {
        const int rows = (int)nn__min64(NN__NORM_ROWS, n - part->first);
        n -= rows;
        const int64_t at = nn__norm_at(&args->cut, part, n);
        float *y = nn__f32(&args->y) + at;
        loops->column_apply(y, nn__f32(&args->x) + at, row, rows, factors, w,
                              nn__norm_clamp(cpu, args));
        for (int r = 0; activate && r < rows; r++) activate(y + r * row, w);
    }
}

static void nn__norm_part_lines(const nn__cpu *cpu, const nn_norm_args *args,
                                const nn__norm_part *part, const nn__norm_moment *m, float *means) {
    const nn__activate activate = nn__norm_activate(cpu, args);
    const int64_t inner = args->cut.inner;
    float *scales = means + part->count, *shifts = scales + part->count;
    for (int64_t c = 0; c < part->count; c++)
        nn__norm_channel(args, part, m, c, &means[c], &scales[c], &shifts[c]);
    for (int64_t n = part->end - 1; n >= part->first; n--)
        for (int64_t c = 0; c < part->count; c++) {
            const int64_t at = nn__norm_at(&args->cut, part, n) + c * inner;
            float *y = nn__f32(&args->y) + at;
            nn__norm_apply(cpu, y, nn__f32(&args->x) + at, inner, means[c], scales[c], shifts[c],
                           nn__norm_clamp(cpu, args), nn__norm_written(cpu, args));
            for (int64_t i = 0; activate && i < inner; i += NN__NORM_UNIT)
                activate(y + i, (int)nn__min64(NN__NORM_UNIT, inner - i));
        }
}

/* ---- units ----------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
static bool nn__norm_only_moments(const nn_norm_args *args) { return !nn__present(&args->y); }

static void nn__norm_store_moments(const nn_norm_args *args, const nn__norm_moment *m,
                                   int64_t first, int64_t end) {
    for (int64_t c = first; c < end; c++, m++)
        nn__norm_store(args, c, (double)nn__norm_size(&args->cut), m->mean, m->squares);
}
#else
#define nn__norm_only_moments(args)                 false
#define nn__norm_store_moments(args, m, first, end) ((void)0)
#endif

static bool nn__norm_in_pieces(const nn_norm_args *args, const nn__norm_strips *s) {
    return s->pieces > 1 && !nn__present(&args->running_mean);
}

static int nn__norm_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_norm_args *args = (const nn_norm_args *)arguments;
    const nn_norm_cut *cut = &args->cut;
    (void)cpu;
    if (cut->across) {
        const nn__norm_strips s = nn__norm_cut_strips(cut, NN__NORM_LONGEST);
        if (phase > (nn__norm_in_pieces(args, &s) ? 2 - nn__norm_only_moments(args) : 0)) return 0;
        return phase == 1 ? (cut->groups + NN__NORM_JOINED - 1) / NN__NORM_JOINED
                          : (int)(s.strips * s.pieces);
    }
    const int64_t each = nn__norm_sets_per_unit(cut);
    return phase == 0 ? (int)((cut->outer * cut->groups + each - 1) / each) : 0;
}

static size_t nn__norm_shared_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn_norm_args *args = (const nn_norm_args *)arguments;
    (void)cpu;
    if (!args->cut.across) return 0;
    const nn__norm_strips s = nn__norm_cut_strips(&args->cut, NN__NORM_LONGEST);
    if (!nn__norm_in_pieces(args, &s)) return 0;
    return (size_t)((s.pieces + 1) * args->cut.groups) * sizeof(nn__norm_moment);
}

static size_t nn__norm_own_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn_norm_args *args = (const nn_norm_args *)arguments;
    (void)cpu;
    if (!args->cut.across) return 0;
    const nn__norm_strips s = nn__norm_cut_strips(&args->cut, NN__NORM_LONGEST);
    return nn__norm_across_own(&s);
}

/* pieces: (pieces, groups), then the joined ones. With pieces, phase 0 computes moments, phase 1
   joins them, and phase 2 writes results, starting with what was read last. Otherwise phase 0 does
   everything. */
static void nn__norm_across_unit(const nn__cpu *cpu, const nn_norm_args *args, int phase, int unit,
                                 nn__norm_moment *pieces, nn__norm_moment *m) {
    const nn__norm_strips s = nn__norm_cut_strips(&args->cut, NN__NORM_LONGEST);
    const bool given = nn__present(&args->running_mean), in_pieces = nn__norm_in_pieces(args, &s);
    nn__norm_moment *joined = pieces ? pieces + s.pieces * args->cut.groups : NULL;
    float *floats = (float *)(void *)(m + 2 * s.width);
    if (phase == 1) {
        const int end = nn__mini((unit + 1) * NN__NORM_JOINED, args->cut.groups);
        for (int c = unit * NN__NORM_JOINED; c < end; c++)
            joined[c] = nn__norm_join_pieces(&args->cut, &s, pieces, c);
        if (nn__norm_only_moments(args))
            nn__norm_store_moments(args, joined + unit * NN__NORM_JOINED, unit * NN__NORM_JOINED,
                                   end);
        return;
    }
    if (phase == 2) unit = (int)(s.strips * s.pieces) - 1 - unit;
    const nn__norm_part part = nn__norm_part_of(&args->cut, &s, unit);
    if (phase == 0 && !given) nn__norm_part_moments(cpu, args, &s, &part, m);
    if (phase == 0 && in_pieces) {
        memcpy(pieces + part.piece * args->cut.groups + part.channel, m,
               (size_t)part.count * sizeof *m);
        return;
    }
    if (nn__norm_only_moments(args)) {
        nn__norm_store_moments(args, m, part.channel, part.channel + part.count);
        return;
    }
    if (phase == 2) m = joined + part.channel;
    if (s.columns)
        nn__norm_part_columns(cpu, args, &part, m, floats);
    else
        nn__norm_part_lines(cpu, args, &part, m, floats);
}

static void nn__norm_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                          void *shared, void *own) {
    const nn_norm_args *args = (const nn_norm_args *)arguments;
    if (args->cut.across) {
        nn__norm_across_unit(cpu, args, phase, unit, (nn__norm_moment *)shared,
                             (nn__norm_moment *)own);
    } else {
        const int64_t each = nn__norm_sets_per_unit(&args->cut),
                      sets = args->cut.outer * args->cut.groups;
        for (int64_t set = unit * each; set < nn__min64((unit + 1) * each, sets); set++)
            nn__norm_set(cpu, args, set);
    }
    nn__all_streamed();
}
#undef NN__NORM_BLOCK
#undef NN__NORM_LONGEST

static const char *nn__norm_refuses(const nn__cpu *cpu, const void *arguments) {
    return nn__refuses_activation(cpu, ((const nn_norm_args *)arguments)->activation);
}

static const nn__cpu_kernel nn__norm_forward = {
    nn__norm_units, nn__norm_unit, nn__norm_shared_bytes, nn__norm_own_bytes, nn__norm_refuses};

/* ---- fold ------------------------------------------------------------------------------------ */

static int64_t nn__norm_fold_rows(const nn_norm_fold_args *args) { /* per unit */
    const int64_t row = nn__count(&args->weight) / args->weight.shape.extent[0];
    return nn__max64(1, NN__NORM_UNIT / row);
}

static int nn__norm_fold_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_norm_fold_args *args = (const nn_norm_fold_args *)arguments;
    const int64_t each = nn__norm_fold_rows(args);
    (void)cpu;
    return phase == 0 ? (int)((args->weight.shape.extent[0] + each - 1) / each) : 0;
}

static void nn__norm_fold_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                               void *shared, void *own) {
    const nn_norm_fold_args *args = (const nn_norm_fold_args *)arguments;
    const int64_t channels = args->weight.shape.extent[0], each = nn__norm_fold_rows(args),
                  row = nn__count(&args->weight) / channels;
    (void)phase, (void)shared, (void)own;
    for (int64_t c = unit * each; c < nn__min64((unit + 1) * each, channels); c++) {
        const double spread = sqrt((double)nn__f32(&args->running_var)[c] + (double)args->epsilon);
        const float scale = (float)((double)nn__norm_or(&args->norm_weight, c, 1.0f) / spread);
        nn__norm_apply(cpu, nn__f32(&args->weight) + c * row, nn__f32(&args->from) + c * row, row,
                       0.0f, scale, 0.0f, NN__CLAMP_NOT, 0);
        nn__f32(&args->bias)[c] =
            (nn__norm_or(&args->from_bias, c, 0.0f) - nn__f32(&args->running_mean)[c]) * scale +
            nn__norm_or(&args->norm_bias, c, 0.0f);
    }
}

static const nn__cpu_kernel nn__norm_fold = {nn__norm_fold_units, nn__norm_fold_unit, NULL, NULL,
                                             NULL};

#undef NN__NORM_UNIT

/* ---- running statistics ---------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
static int nn__norm_track_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu;
    return phase == 0 ? ((const nn_norm_track_args *)args)->item_count : 0;
}

static void nn__norm_track_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                void *shared, void *own) {
    const nn_norm_track_args *args = (const nn_norm_track_args *)arguments;
    const nn_norm_track_item *item = &args->items[unit];
    const int64_t channels = nn__count(&item->running_mean), n = nn__count(&item->mean) / channels;
    int64_t *count = nn__present(&item->count) ? (int64_t *)(void *)nn__i32(&item->count) : NULL;
    (void)cpu, (void)phase, (void)shared, (void)own;
    if (nn__present(&args->status) && *nn__status(&args->status)) return;
    const double share =
        args->cumulative && count ? 1.0 / ((double)*count + 1.0) : (double)args->momentum;
    for (int k = 0; k < 2; k++) {
        float *running = nn__f32(k ? &item->running_var : &item->running_mean);
        const float *from = nn__f32(k ? &item->variance : &item->mean);
        for (int64_t c = 0; c < channels; c++) {
            double sum = 0.0;
            for (int64_t i = 0; i < n; i++) sum += (double)from[i * channels + c];
            running[c] = (float)((1.0 - share) * (double)running[c] + share * (sum / (double)n));
        }
    }
    if (count && *count < INT64_MAX) ++*count;
}

static const nn__cpu_kernel nn__norm_track = {nn__norm_track_units, nn__norm_track_unit, NULL, NULL,
                                              NULL};
#endif

NN_PRIVATE void nn__install_norm(nn_context *nn) {
    NN__CPU_INSTALL(nn, NORM_FORWARD, norm_forward, &nn__norm_forward);
    NN__CPU_INSTALL(nn, NORM_FOLD, norm_fold, &nn__norm_fold);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, NORM_TRACK, norm_track, &nn__norm_track);
    nn__install_norm_backward(nn);
#endif
}
