/* kernels/norm/cpu_backward.c - the gradients of norms on the CPU. With g = dy weight and h = (x -
   mean) rstd, dx = rstd (g - mean(g) - h mean(g h)), with means over the set. dweight is the sum of
   dy h, and dbias the sum of dy. Source: Ioffe and Szegedy, "Batch normalization", 2015, section 3.
   If a set fits into the cache, each number is read from memory once. Sums over units go to
   scratch, and a second phase adds them in order. */
#include "kernels/norm/cpu.h"

#ifndef NN_NO_TRAINING

#define NN__NORM_UNIT  16384 /* numbers per unit, approximately */
#define NN__NORM_BLOCK 64    /* rows that are added in float before double */
#define NN__NORM_LONGEST 255 /* most numbers of a channel that are taken as columns */

/* ---- along: contiguous sets ------------------------------------------------------------------ */

/* Units are rectangles of outer indices and groups, so that each has few sums for dweight. */
typedef struct nn__norm_rectangles {
    int64_t places, blocks; /* outer indices per unit, and the number of such blocks */
    int64_t groups, side;   /* groups per unit, and the number of units side by side */
    int64_t channels;       /* channels per unit */
    bool affine;            /* dweight or dbias is present */
} nn__norm_rectangles;

static nn__norm_rectangles nn__norm_cut_rectangles(const nn_norm_backward_args *args) {
    const nn_norm_cut *cut = &args->cut;
    const int64_t size = nn__norm_size(cut);
    nn__norm_rectangles r;
    r.affine = nn__present(&args->dweight) || nn__present(&args->dbias);
    r.groups = nn__min64(cut->groups, nn__max64(1, NN__NORM_UNIT / size));
    r.side = (cut->groups + r.groups - 1) / r.groups;
    r.places = nn__max64(1, NN__NORM_UNIT / (size * r.groups));
    if (r.affine) r.places = nn__max64(r.places, (cut->outer + 63) / 64);
    r.blocks = (cut->outer + r.places - 1) / r.places;
    r.channels = r.groups * cut->channels;
    return r;
}

/* The sums of a unit for its channels: those of dweight, then those of dbias. */
typedef struct nn__norm_own {
    double *total;
    float *some; /* since the last `flush` */
    int64_t channels;
} nn__norm_own;

/* The sums become 0 after the loop, not in it: the engine of browsers of 2023 (V8 11) reads vectors
   of them only after the store. */
static void nn__norm_flush(const nn__norm_own *own) {
    for (int64_t i = 0; i < 2 * own->channels; i++) own->total[i] += (double)own->some[i];
    memset(own->some, 0, (size_t)(2 * own->channels) * sizeof *own->some);
}

/* Returns the bytes that are read and written for dx. */
static int64_t nn__norm_bytes(const nn_norm_backward_args *args) {
    return 3 * nn__count(&args->x) * (int64_t)sizeof(float);
}

/* Processes one set. Its channels are the unit's from `channel` on. */
static void nn__norm_backward_set(const nn__cpu *cpu, const nn_norm_backward_args *args,
                                  int64_t set, int64_t channel, const nn__norm_own *own) {
    const nn_norm_cut *cut = &args->cut;
    const int64_t size = nn__norm_size(cut), first = set % cut->groups * cut->channels;
    const float *x = nn__f32(&args->x) + set * size, *dy = nn__f32(&args->dy) + set * size;
    const float *weight = nn__norm_from(&args->weight, first);
    const float mean = nn__norm_or(&args->mean, set, 0.0f), rstd = nn__f32(&args->rstd)[set];
    const int64_t inner = cut->inner;
    double sums[2] = {0.0, 0.0};
    float pqr[3];
    if (inner == 1) {
        nn__norm_sums_each(cpu, dy, x, size, mean, rstd, weight,
                           nn__present(&args->dweight) ? own->some + channel : NULL,
                           nn__present(&args->dbias) ? own->some + own->channels + channel : NULL,
                           sums);
    } else {
        for (int64_t k = 0; k < cut->channels; k++) {
            double line[2] = {0.0, 0.0};
            const double w = weight ? (double)weight[k] : 1.0;
            nn__norm_sums(cpu, dy + k * inner, x + k * inner, inner, mean, line);
            sums[0] += w * line[0], sums[1] += w * line[1];
            if (!own->total) continue;
            own->total[channel + k] += line[1] * (double)rstd;
            own->total[own->channels + channel + k] += line[0];
        }
    }
    if (!nn__present(&args->dx)) return;
    float *dx = nn__f32(&args->dx) + set * size;
    const double r = (double)rstd, n = (double)size;
    pqr[0] = rstd;
    pqr[1] = nn__present(&args->mean) ? (float)(-r * sums[0] / n) : 0.0f;
    pqr[2] = (float)(-r * r * r * sums[1] / n);
    if (inner == 1) {
        nn__norm_dx(cpu, dx, dy, x, size, mean, weight, pqr, args->accumulate,
                    nn__norm_bytes(args));
        return;
    }
    for (int64_t k = 0; k < cut->channels; k++) {
        pqr[0] = weight ? rstd * weight[k] : rstd;
        nn__norm_dx(cpu, dx + k * inner, dy + k * inner, x + k * inner, inner, mean, NULL, pqr,
                    args->accumulate, nn__norm_bytes(args));
    }
}

/* parts: (blocks, 2, all channels) */
static void nn__norm_rectangle(const nn__cpu *cpu, const nn_norm_backward_args *args, int unit,
                               float *parts, void *scratch) {
    const nn_norm_cut *cut = &args->cut;
    const nn__norm_rectangles r = nn__norm_cut_rectangles(args);
    const int64_t block = unit / r.side, first = unit % r.side * r.groups,
                  end = nn__min64(first + r.groups, cut->groups),
                  last = nn__min64((block + 1) * r.places, cut->outer),
                  all = (int64_t)cut->groups * cut->channels;
    nn__norm_own own;
    own.channels = r.channels;
    own.total = r.affine ? (double *)scratch : NULL;
    own.some = r.affine ? (float *)(void *)(own.total + 2 * r.channels) : NULL;
    for (int64_t i = 0; r.affine && i < 2 * r.channels; i++) own.total[i] = 0.0, own.some[i] = 0.0f;
    for (int64_t n = block * r.places; n < last; n++) {
        for (int64_t g = first; g < end; g++)
            nn__norm_backward_set(cpu, args, n * cut->groups + g, (g - first) * cut->channels,
                                  &own);
        if (r.affine && cut->inner == 1 && (n - block * r.places + 1) % NN__NORM_BLOCK == 0)
            nn__norm_flush(&own);
    }
    if (!r.affine) return;
    nn__norm_flush(&own);
    for (int k = 0; k < 2; k++)
        for (int64_t c = 0; c < (end - first) * cut->channels; c++)
            parts[(2 * block + k) * all + first * cut->channels + c] =
                (float)own.total[k * r.channels + c];
}

static void nn__norm_give(const nn_view *view, int64_t i, double value, bool accumulate) {
    if (!nn__present(view)) return;
    float *to = nn__f32(view) + i;
    *to = accumulate ? *to + (float)value : (float)value;
}

/* Adds the blocks of channels [first, end). */
static void nn__norm_add_blocks(const nn_norm_backward_args *args, const float *parts, int64_t all,
                                int64_t first, int64_t end) {
    const nn__norm_rectangles r = nn__norm_cut_rectangles(args);
    for (int64_t c = first; c < end; c++) {
        double dweight = 0.0, dbias = 0.0;
        for (int64_t block = 0; block < r.blocks; block++) {
            dweight += (double)parts[2 * block * all + c];
            dbias += (double)parts[(2 * block + 1) * all + c];
        }
        nn__norm_give(&args->dweight, c, dweight, args->accumulate);
        nn__norm_give(&args->dbias, c, dbias, args->accumulate);
    }
}

/* ---- across: strips of channels -------------------------------------------------------------- */

/* Computes dx of the line that begins at `at`, in channel c of a part. */
static void nn__norm_line_dx(const nn__cpu *cpu, const nn_norm_backward_args *args,
                             const nn__norm_part *part, int64_t at, int64_t c, const float *pqr) {
    nn__norm_dx(cpu, nn__f32(&args->dx) + at, nn__f32(&args->dy) + at, nn__f32(&args->x) + at,
                args->cut.inner, nn__f32(&args->mean)[part->channel + c], NULL, pqr + 3 * c,
                args->accumulate, nn__norm_bytes(args));
}

/* With fixed statistics, dx does not depend on the sums: it is written while a line is in the
   cache. */
static bool nn__norm_at_once(const nn_norm_backward_args *args, const nn__norm_strips *s) {
    return args->fixed && nn__present(&args->dx) && !s->columns;
}

/* Computes the sums of dy and of dy (x - mean) of each channel of a part: 2 per channel. floats: 3
   rows of the part's width for columns, the means first. pqr: the factors of dx if it is written at
   once, else NULL. */
static void nn__norm_part_sums(const nn__cpu *cpu, const nn_norm_backward_args *args,
                               const nn__norm_part *part, double *sums, float *floats,
                               const float *pqr) {
    const nn__norm_loops *loops = nn__norm_loops_of(cpu);
    const nn_norm_cut *cut = &args->cut;
    const float *x = nn__f32(&args->x), *dy = nn__f32(&args->dy), *mean = nn__f32(&args->mean);
    const int64_t inner = cut->inner;
    const int w = part->width;
    float *a = floats + w, *b = a + w;
    double *some = sums + 2 * part->count; /* of the rows of a block */
    for (int64_t i = 0; i < 2 * part->count; i++) sums[i] = 0.0;
    if (w)
        loops->spread(floats, mean + part->channel, 1, (int)inner, (int)part->count);
    for (int64_t n = part->first; !w && n < part->end; n++)
        for (int64_t c = 0; c < part->count; c++) {
            const int64_t at = nn__norm_at(cut, part, n) + c * inner;
            nn__norm_sums(cpu, dy + at, x + at, inner, mean[part->channel + c], sums + 2 * c);
            if (pqr) nn__norm_line_dx(cpu, args, part, at, c, pqr);
        }
    for (int64_t n = part->first; w && n < part->end; n += NN__NORM_BLOCK) {
        const int64_t at = nn__norm_at(cut, part, n);
        memset(a, 0, (size_t)(2 * w) * sizeof *a);
        loops->column_sums(a, b, dy + at, x + at, (ptrdiff_t)(cut->groups * inner),
                             (int)nn__min64(NN__NORM_BLOCK, part->end - n), floats, w);
        loops->totals(some, a, (int)inner, 2 * (int)part->count);
        for (int64_t c = 0; c < part->count; c++) {
            sums[2 * c] += some[c];
            sums[2 * c + 1] += some[part->count + c];
        }
    }
}

/* Returns p of nn__norm_factors. */
static double nn__norm_factor(const nn_norm_backward_args *args, int64_t channel) {
    return (double)nn__f32(&args->rstd)[channel] *
           (double)nn__norm_or(&args->weight, channel, 1.0f);
}

/* Computes the factors of dx = p dy + q + r (x - mean) for `count` channels from `first` on, as
   pqr[3 c] to pqr[3 c + 2], and the gradients of weight and bias. */
static void nn__norm_factors(const nn_norm_backward_args *args, int64_t first, int64_t count,
                             const double *sums, float *pqr) {
    const double n = (double)nn__norm_size(&args->cut);
    for (int64_t c = 0; c < count; c++) {
        const int64_t channel = first + c;
        const double rstd = (double)nn__f32(&args->rstd)[channel],
                     p = nn__norm_factor(args, channel);
        nn__norm_give(&args->dweight, channel, sums[2 * c + 1] * rstd, args->accumulate);
        nn__norm_give(&args->dbias, channel, sums[2 * c], args->accumulate);
        pqr[3 * c] = (float)p;
        pqr[3 * c + 1] = args->fixed ? 0.0f : (float)(-p * sums[2 * c] / n);
        pqr[3 * c + 2] = args->fixed ? 0.0f : (float)(-p * rstd * rstd * sums[2 * c + 1] / n);
    }
}

static void nn__norm_part_dx(const nn__cpu *cpu, const nn_norm_backward_args *args,
                             const nn__norm_part *part, const float *pqr, float *floats) {
    const nn__norm_loops *loops = nn__norm_loops_of(cpu);
    const nn_norm_cut *cut = &args->cut;
    const float *x = nn__f32(&args->x), *dy = nn__f32(&args->dy), *mean = nn__f32(&args->mean);
    float *dx = nn__f32(&args->dx);
    const int64_t inner = cut->inner;
    const int w = part->width;
    if (w)
        loops->spread(floats, mean + part->channel, 1, (int)inner, (int)part->count);
    for (int k = 0; w && k < 3; k++)
        loops->spread(floats + (k + 1) * w, pqr + k, 3, (int)inner, (int)part->count);
    for (int64_t n = part->end; n > part->first;) {
        const int rows = w ? (int)nn__min64(NN__NORM_ROWS, n - part->first) : 1;
        n -= rows;
        const int64_t at = nn__norm_at(cut, part, n);
        if (w)
            loops->column_dx(dx + at, dy + at, x + at, (ptrdiff_t)(cut->groups * inner),
                               rows, floats, w, args->accumulate);
        for (int64_t c = 0; !w && c < part->count; c++)
            nn__norm_line_dx(cpu, args, part, at + c * inner, c, pqr);
    }
}

/* pieces: (pieces, groups, 2), then 3 floats per channel. With pieces, phase 0 computes sums, phase
   1 joins them, and phase 2 writes dx, starting with the numbers that were read last. Otherwise
   phase 0 does everything. */
static void nn__norm_backward_strip(const nn__cpu *cpu, const nn_norm_backward_args *args,
                                    int phase, int unit, double *pieces, double *sums) {
    const nn_norm_cut *cut = &args->cut;
    const nn__norm_strips s = nn__norm_cut_strips(cut, NN__NORM_LONGEST);
    float *pqr = (float *)(void *)(sums + 4 * nn__max64(s.strip, NN__NORM_JOINED)),
          *floats = pqr + 3 * s.strip;
    float *joined = pieces ? (float *)(void *)(pieces + 2 * s.pieces * cut->groups) : NULL;
    if (phase == 1) {
        const int64_t first = unit * (int64_t)NN__NORM_JOINED,
                      count = nn__min64(NN__NORM_JOINED, cut->groups - first);
        for (int64_t i = 0; i < 2 * count; i++) {
            sums[i] = 0.0;
            for (int64_t p = 0; p < s.pieces; p++)
                sums[i] += pieces[2 * (p * cut->groups + first) + i];
        }
        nn__norm_factors(args, first, count, sums, joined + 3 * first);
        return;
    }
    if (phase == 2) unit = (int)(s.strips * s.pieces) - 1 - unit;
    const nn__norm_part part = nn__norm_part_of(cut, &s, unit);
    const bool at_once = nn__norm_at_once(args, &s);
    for (int64_t c = 0; at_once && c < part.count; c++) {
        pqr[3 * c] = (float)nn__norm_factor(args, part.channel + c);
        pqr[3 * c + 1] = pqr[3 * c + 2] = 0.0f;
    }
    if (phase == 0)
        nn__norm_part_sums(cpu, args, &part, sums, floats, at_once ? pqr : NULL);
    if (phase == 0 && s.pieces > 1) {
        memcpy(pieces + 2 * (part.piece * cut->groups + part.channel), sums,
               (size_t)(2 * part.count) * sizeof *sums);
        return;
    }
    if (phase == 0) nn__norm_factors(args, part.channel, part.count, sums, pqr);
    if (phase == 2) pqr = joined + 3 * part.channel;
    if (nn__present(&args->dx) && !at_once) nn__norm_part_dx(cpu, args, &part, pqr, floats);
}

/* ---- units ----------------------------------------------------------------------------------- */

static int nn__norm_backward_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_norm_backward_args *args = (const nn_norm_backward_args *)arguments;
    const int64_t all = (int64_t)args->cut.groups * args->cut.channels;
    (void)cpu;
    if (args->cut.across) {
        const nn__norm_strips s = nn__norm_cut_strips(&args->cut, NN__NORM_LONGEST);
        const bool later = nn__present(&args->dx) && !nn__norm_at_once(args, &s);
        if (phase > (s.pieces > 1 ? 1 + later : 0)) return 0;
        return phase == 1 ? (args->cut.groups + NN__NORM_JOINED - 1) / NN__NORM_JOINED
                          : (int)(s.strips * s.pieces);
    }
    const nn__norm_rectangles r = nn__norm_cut_rectangles(args);
    if (phase == 0) return (int)(r.blocks * r.side);
    return phase == 1 && r.affine ? (int)((all + 1023) / 1024) : 0;
}

static size_t nn__norm_backward_shared(const nn__cpu *cpu, const void *arguments) {
    const nn_norm_backward_args *args = (const nn_norm_backward_args *)arguments;
    (void)cpu;
    if (args->cut.across) {
        const nn__norm_strips s = nn__norm_cut_strips(&args->cut, NN__NORM_LONGEST);
        return s.pieces > 1 ? (size_t)args->cut.groups * ((size_t)(2 * s.pieces) * sizeof(double) +
                                                          3 * sizeof(float))
                            : 0;
    }
    const nn__norm_rectangles r = nn__norm_cut_rectangles(args);
    return r.affine ? (size_t)(2 * r.blocks * args->cut.groups * args->cut.channels) * sizeof(float)
                    : 0;
}

static size_t nn__norm_backward_own(const nn__cpu *cpu, const void *arguments) {
    const nn_norm_backward_args *args = (const nn_norm_backward_args *)arguments;
    (void)cpu;
    if (args->cut.across) {
        const nn__norm_strips s = nn__norm_cut_strips(&args->cut, NN__NORM_LONGEST);
        return (size_t)nn__max64(s.strip, NN__NORM_JOINED) * 4 * sizeof(double) +
               (size_t)s.strip * 3 * sizeof(float) +
               (size_t)(s.columns ? 4 * s.width : 0) * sizeof(float);
    }
    const nn__norm_rectangles r = nn__norm_cut_rectangles(args);
    return r.affine ? (size_t)(2 * r.channels) * (sizeof(double) + sizeof(float)) : 0;
}

static void nn__norm_backward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                   void *shared, void *own) {
    const nn_norm_backward_args *args = (const nn_norm_backward_args *)arguments;
    const int64_t all = (int64_t)args->cut.groups * args->cut.channels;
    if (args->cut.across)
        nn__norm_backward_strip(cpu, args, phase, unit, (double *)shared, (double *)own);
    else if (phase == 0)
        nn__norm_rectangle(cpu, args, unit, (float *)shared, own);
    else
        nn__norm_add_blocks(args, (const float *)shared, all, unit * (int64_t)1024,
                            nn__min64((unit + 1) * (int64_t)1024, all));
    nn__all_streamed();
}
#undef NN__NORM_UNIT
#undef NN__NORM_BLOCK
#undef NN__NORM_LONGEST

static const char *nn__norm_backward_refuses(const nn__cpu *cpu, const void *arguments) {
    (void)cpu;
    return ((const nn_norm_backward_args *)arguments)->residual.dtype
               ? NN__TEXT("the gradient of a norm takes no residual")
               : NULL;
}

static const nn__cpu_kernel nn__norm_backward = {nn__norm_backward_units, nn__norm_backward_unit,
                                                 nn__norm_backward_shared, nn__norm_backward_own,
                                                 nn__norm_backward_refuses};

NN_PRIVATE void nn__install_norm_backward(nn_context *nn) {
    NN__CPU_INSTALL(nn, NORM_BACKWARD, norm_backward, &nn__norm_backward);
}
#endif
