/* train/augment.c - draws one row of random numbers for each sample, and runs the kernel that
   applies them (kernels/augment/cpu.c).

   The words of a sample are at fixed places of the generator, so that switching one change on or
   off does not change the draws of the others. */
#include "base/functions.h"
#include "train/private.h"

#ifndef NN__NO_TRAINER

#include <math.h>

NN__UNFUSED_BEGIN

/* ---- checks ---------------------------------------------------------------------------------- */

typedef struct nn__augment_limit {
    const char *name;
    float value, low, high;
} nn__augment_limit;

static nn_result nn__augment_check_numbers(nn_context *nn, nn_site site, const char *who,
                                           const nn_augment_desc *d) {
    const float most = 1e6f;
    const nn__augment_limit limits[] = {{"padding", (float)d->padding, 0, most},
                                        {"crop", (float)d->crop, 0, 1e9f},
                                        {"crop_w", (float)d->crop_w, 0, 1e9f},
                                        {"flip", d->flip, 0, 1},
                                        {"degrees", d->degrees, 0, 180},
                                        {"translate[0]", d->translate[0], 0, 1},
                                        {"translate[1]", d->translate[1], 0, 1},
                                        {"zoom[0]", d->zoom[0], 0, most},
                                        {"zoom[1]", d->zoom[1], d->zoom[0], most},
                                        {"shear", d->shear, 0, 89},
                                        {"shear_y", d->shear_y, 0, 89},
                                        {"brightness", d->brightness, 0, most},
                                        {"contrast", d->contrast, 0, most},
                                        {"cutout", (float)d->cutout, 0, most},
                                        {"mixup", d->mixup, 0, most}};
    for (int i = 0; i < NN__COUNT(limits); i++)
        if (!(limits[i].value >= limits[i].low && limits[i].value <= limits[i].high))
            return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                               "%s: %s is %g; wanted a number of %g to %g", who, limits[i].name,
                               (double)limits[i].value, (double)limits[i].low,
                               (double)limits[i].high);
    if (d->zoom[0] == 0.0f && d->zoom[1] != 0.0f)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "%s: zoom is 0 to %g; wanted two factors above 0, or none", who,
                           (double)d->zoom[1]);
    return NN_OK;
}

/* The last two extents of the image become those of y. An error names what does not fit. */
NN_PRIVATE nn_result nn__augment_check(nn_context *nn, nn_site site, const char *who,
                                       const nn_augment_desc *d, nn_shape *picture) {
    char text[NN__SHAPE_TEXT];
    int first = picture->rank - 3;
    nn_result result = nn__augment_check_numbers(nn, site, who, d);
    if (result != NN_OK) return result;
    if (first < 0 || first > 1 || nn_shape_count(*picture) < 1)
        return nn__fail_at(nn, site, NN_ERROR_SHAPE,
                           "%s: the images have the shape %s; wanted (C, H, W) or (N, C, H, W)",
                           who, nn__format_shape(*picture, text, sizeof text));
    for (int i = 0; i < 2; i++) {
        int32_t *extent = &picture->extent[first + 1 + i];
        int crop = i == 1 && d->crop_w > 0 ? d->crop_w : d->crop;
        if (crop > (int64_t)*extent + 2 * (int64_t)d->padding)
            return nn__fail_at(
                nn, site, NN_ERROR_SHAPE,
                "%s: a crop of %d out of %d pixels and a padding of %d; a smaller crop or more "
                "padding",
                who, crop, (int)*extent, d->padding);
        if (crop > 0) *extent = crop;
    }
    return NN_OK;
}

NN_API nn_shape nn_augment_shape(const nn_augment_desc *desc, nn_shape x) {
    nn_augment_desc none;
    nn_site nowhere = nn_make_site(NULL, 0);
    memset(&none, 0, sizeof none);
    if (x.rank != 4 ||
        nn__augment_check(NULL, nowhere, "nn_augment_shape", desc ? desc : &none, &x) != NN_OK)
        memset(&x, 0, sizeof x);
    return x;
}

/* ---- drawing --------------------------------------------------------------------------------- */

typedef struct nn__augment_source {
    uint64_t seed, stream, counter; /* counter: the sample's first */
} nn__augment_source;

/* The place of each draw among the words of its sample. */
typedef enum nn__augment_word {
    NN__DRAW_TOP,
    NN__DRAW_LEFT,
    NN__DRAW_FLIP,
    NN__DRAW_BRIGHTNESS,
    NN__DRAW_CONTRAST,
    NN__DRAW_ANGLE,
    NN__DRAW_X,
    NN__DRAW_Y,
    NN__DRAW_ZOOM,
    NN__DRAW_SHEAR,
    NN__DRAW_SHEAR_Y,
    NN__DRAW_CUT_ROW,
    NN__DRAW_CUT_COLUMN,
    NN__DRAW_PARTNER,
    NN__DRAW_LAMBDA = 16, /* Each try takes two words. */
    NN__DRAW_END = 16 + 2 * 256
} nn__augment_word;

/* This stream differs from that of the epoch's permutation, which has the same seed. */
static nn__augment_source nn__augment_source_of(uint64_t seed, int32_t epoch, int32_t sample) {
    nn__augment_source source;
    source.seed = seed;
    source.stream = ((uint64_t)0x6175676d << 32) | (uint32_t)epoch;
    /* A sample has 256 counters of four words each, more than its NN__DRAW_END words need. */
    source.counter = (uint64_t)(uint32_t)sample << 8;
    return source;
}

static uint32_t nn__augment_word_at(const nn__augment_source *source, int word) {
    uint32_t words[4];
    nn_random_words(source->seed, source->stream, source->counter + (uint64_t)(word / 4), words);
    return words[word % 4];
}

static double nn__augment_uniform(const nn__augment_source *source, int word, double low,
                                  double high) {
    return low + (high - low) * (double)nn_word_to_uniform(nn__augment_word_at(source, word));
}

/* Returns one of 0 to count - 1. */
static int32_t nn__augment_integer(const nn__augment_source *source, int word, int64_t count) {
    return (int32_t)(((uint64_t)nn__augment_word_at(source, word) * (uint64_t)count) >> 32);
}

/* Draws from Beta(alpha, alpha). Source: Cheng, "Generating beta variates with nonintegral shape
   parameters", CACM 1978, algorithm BA with a = b. A try fails with a probability of at most 3 / 4,
   so 256 tries are enough. */
static double nn__augment_beta(const nn__augment_source *source, double alpha) {
    double slope = alpha <= 1.0 ? 1.0 / alpha : 1.0 / sqrt(alpha);
    for (int word = NN__DRAW_LAMBDA; word < NN__DRAW_END; word += 2) {
        double u = ((double)nn__augment_word_at(source, word) + 0.5) / 4294967296.0;
        double v = ((double)nn__augment_word_at(source, word + 1) + 0.5) / 4294967296.0;
        double logit = slope * nn__log(u / (1.0 - u));
        const double more = nn__log(1.0 + nn__exp(logit > 0.0 ? -logit : logit));
        double softplus = logit > 0.0 ? logit + more : more;
        double ratio =
            2.0 * alpha * (nn__log(2.0) - softplus) + (alpha + 1.0 / slope) * logit - nn__log(4.0);
        if (ratio >= nn__log(u * u * v)) return 1.0 / (1.0 + nn__exp(-logit));
    }
    return 0.5;
}

/* Computes torchvision's inverse matrix, around the centre of an image of this width and height. */
static void nn__augment_draw_matrix(const nn_augment_desc *d, const nn__augment_source *source,
                                    int32_t width, int32_t height, float *matrix) {
    const double radian = 3.14159265358979323846 / 180.0;
    double angle = radian * nn__augment_uniform(source, NN__DRAW_ANGLE, -(double)d->degrees,
                                                (double)d->degrees);
    double dx = (double)d->translate[0] * width, dy = (double)d->translate[1] * height;
    double x = floor(nn__augment_uniform(source, NN__DRAW_X, -dx, dx) + 0.5);
    double y = floor(nn__augment_uniform(source, NN__DRAW_Y, -dy, dy) + 0.5);
    double zoom =
        nn__augment_uniform(source, NN__DRAW_ZOOM, (double)d->zoom[0], (double)d->zoom[1]);
    double sx =
        radian * nn__augment_uniform(source, NN__DRAW_SHEAR, -(double)d->shear, (double)d->shear);
    double sy = radian * nn__augment_uniform(source, NN__DRAW_SHEAR_Y, -(double)d->shear_y,
                                             (double)d->shear_y);
    const double slope = nn__sin(sx) / nn__cos(sx), below = nn__cos(sy);
    const double along = nn__cos(angle - sy) / below, across = nn__sin(angle - sy) / below;
    double a = along, b = -along * slope - nn__sin(angle);
    double c = across, e = -across * slope + nn__cos(angle);
    double m[4];
    if (d->zoom[0] == 0.0f) zoom = 1.0;
    m[0] = e / zoom, m[1] = -b / zoom, m[2] = -c / zoom, m[3] = a / zoom;
    for (int i = 0; i < 2; i++) {
        matrix[3 * i] = (float)m[2 * i];
        matrix[3 * i + 1] = (float)m[2 * i + 1];
        matrix[3 * i + 2] = (float)(-m[2 * i] * x - m[2 * i + 1] * y);
    }
}

static bool nn__augment_warps(const nn_augment_desc *d) {
    return d->degrees > 0 || d->translate[0] > 0 || d->translate[1] > 0 || d->zoom[0] > 0 ||
           d->shear > 0 || d->shear_y > 0;
}

static float nn__augment_factor(const nn__augment_source *source, int word, float range) {
    double low = range < 1.0f ? 1.0 - (double)range : 0.0;
    return range > 0.0f ? (float)nn__augment_uniform(source, word, low, 1.0 + (double)range) : 1.0f;
}

static void nn__augment_draw_row(const nn_augment_desc *d, const nn__augment_source *source,
                                 const int32_t *from, const int32_t *to, int32_t i, int32_t count,
                                 float *row) {
    memset(row, 0, sizeof *row * NN_AUGMENT_COLUMNS);
    for (int axis = 0; axis < 2; axis++) {
        int64_t places = (int64_t)from[axis] + 2 * (int64_t)d->padding - to[axis] + 1;
        row[NN_AUGMENT_TOP + axis] =
            (float)(nn__augment_integer(source, NN__DRAW_TOP + axis, places) - d->padding);
    }
    row[NN_AUGMENT_FLIP] =
        nn__augment_uniform(source, NN__DRAW_FLIP, 0.0, 1.0) < (double)d->flip ? 1.0f : 0.0f;
    row[NN_AUGMENT_MATRIX] = row[NN_AUGMENT_MATRIX + 4] = 1.0f;
    if (nn__augment_warps(d))
        nn__augment_draw_matrix(d, source, to[1], to[0], row + NN_AUGMENT_MATRIX);
    row[NN_AUGMENT_BRIGHTNESS] = nn__augment_factor(source, NN__DRAW_BRIGHTNESS, d->brightness);
    row[NN_AUGMENT_CONTRAST] = nn__augment_factor(source, NN__DRAW_CONTRAST, d->contrast);
    for (int axis = 0; axis < 2 && d->cutout > 0; axis++) {
        int32_t first =
            nn__augment_integer(source, NN__DRAW_CUT_ROW + axis, to[axis]) - d->cutout / 2;
        row[NN_AUGMENT_CUT_TOP + axis] = (float)(first > 0 ? first : 0);
        row[NN_AUGMENT_CUT_BOTTOM + axis] =
            (float)(first + d->cutout < to[axis] ? first + d->cutout : to[axis]);
    }
    row[NN_AUGMENT_LAMBDA] =
        d->mixup > 0.0f ? (float)nn__augment_beta(source, (double)d->mixup) : 1.0f;
    row[NN_AUGMENT_PARTNER] =
        (float)(d->mixup > 0.0f ? nn__augment_integer(source, NN__DRAW_PARTNER, count) : i);
}

static nn_result nn__inside_draw_augment(nn_site site, nn_context *nn, const nn_augment_desc *desc,
                                         nn_shape picture, uint64_t seed, int32_t epoch,
                                         const int32_t *samples, int32_t count, float *table) {
    const char *who = "nn_draw_augment";
    nn_shape crop = picture;
    nn_result result;
    if (!nn) return NN_ERROR_ARGUMENT;
    if (!desc || !samples || !table || count < 0 || epoch < 0)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "%s: %s", who,
                           !desc      ? "desc is NULL"
                           : !samples ? "samples is NULL; give the numbers of the samples"
                           : !table
                               ? "table is NULL; give room for count * NN_AUGMENT_COLUMNS floats"
                           : count < 0 ? "count is negative"
                                       : "epoch is negative; they count from 0");
    result = nn__augment_check(nn, site, who, desc, &crop);
    if (result != NN_OK) return result;
    for (int32_t i = 0; i < count; i++)
        if (samples[i] < 0)
            return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                               "%s: samples[%d] is %d; they count from 0", who, (int)i,
                               (int)samples[i]);
    for (int32_t i = 0; i < count; i++) {
        nn__augment_source source = nn__augment_source_of(seed, epoch, samples[i]);
        nn__augment_draw_row(desc, &source, &picture.extent[picture.rank - 2],
                             &crop.extent[crop.rank - 2], i, count,
                             table + (size_t)i * NN_AUGMENT_COLUMNS);
    }
    return NN_OK;
}

NN_API nn_result nn_draw_augment_at(nn_site site, nn_context *nn, const nn_augment_desc *desc,
                                    nn_shape picture, uint64_t seed, int32_t epoch,
                                    const int32_t *samples, int32_t count, float *table) {
    return NN__ALONE(
        nn, "nn_draw_augment", site,
        nn__inside_draw_augment(site, nn, desc, picture, seed, epoch, samples, count, table));
}

/* ---- applying -------------------------------------------------------------------------------- */

/* Returns the number of channels that the kernel tells apart. */
static int32_t nn__augment_channels(nn_shape x) { return x.rank == 4 ? x.extent[1] : 1; }

NN_PRIVATE nn_result nn__augment_check_normalize(nn_context *nn, nn_site site, const char *who,
                                                 nn_shape x, const nn_augment_desc *d) {
    int32_t channels = nn__augment_channels(x), extents[2];
    bool given = false;
    for (int c = 0; c < 4; c++) {
        if (!(d->std[c] >= 0.0f && d->std[c] < INFINITY))
            return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                               "%s: std[%d] is %g; wanted a number above 0", who, c,
                               (double)d->std[c]);
        given |= d->mean[c] != 0.0f || d->std[c] != 0.0f;
    }
    extents[0] = 2, extents[1] = channels;
    if (d->normalize)
        return nn__want_shape(nn, site, who, "normalize", nn_make_shape(extents, 2), d->normalize);
    if (given && (channels > 4 || x.rank != 4))
        return nn__fail_at(
            nn, site, NN_ERROR_SHAPE,
            "%s: mean and std are for images (N, C, H, W) of up to 4 channels; x has %d "
            "extents and %d channels; give .normalize",
            who, (int)x.rank, (int)channels);
    return NN_OK;
}

static nn_result nn__augment_check_shapes(nn_context *nn, nn_site site, const char *who,
                                          const nn_tensor *y, const nn_tensor *x,
                                          const nn_tensor *table, const nn_augment_desc *d) {
    nn_shape wanted = x->view.shape;
    int32_t extents[2];
    nn_result result = nn__augment_check_numbers(nn, site, who, d);
    if (result != NN_OK) return result;
    if (!table) return nn__want_shape(nn, site, who, "y", wanted, y);
    if (wanted.rank != 4)
        return nn__fail_at(nn, site, NN_ERROR_SHAPE,
                           "%s: x has %d extents; with a table it must be images (N, C, H, W)", who,
                           (int)wanted.rank);
    result = nn__augment_check(nn, site, who, d, &wanted);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "y", wanted, y);
    extents[0] = wanted.extent[0], extents[1] = NN_AUGMENT_COLUMNS;
    if (result == NN_OK)
        result = nn__want_shape(nn, site, who, "table", nn_make_shape(extents, 2), table);
    return result;
}

NN_PRIVATE nn_augment_args nn__augment_args_of(const nn_view *y, const nn_view *x,
                                               const nn_view *table, const nn_augment_desc *d) {
    nn_augment_args args;
    memset(&args, 0, sizeof args);
    args.y = *y;
    args.x = *x;
    if (table) args.table = *table;
    if (d->normalize) args.normalize = d->normalize->view;
    for (int c = 0; c < 4; c++) {
        args.mean[c] = d->mean[c];
        args.std[c] = d->std[c] > 0.0f ? d->std[c] : 1.0f;
    }
    args.scale = d->pixel_scale != 0.0f                          ? d->pixel_scale :
                 x->dtype == NN_U8 && y->dtype == NN_F32 ? 1.0f / 255.0f :
                                                           1.0f;
    args.offset = d->pixel_offset;
    args.fill = d->fill;
    args.contrast = d->contrast > 0.0f;
    return args;
}

static nn_result nn__inside_augment(nn_site site, nn_tensor *y, const nn_tensor *x,
                                    const nn_tensor *table, const nn_augment_desc *desc) {
    const char *who = "nn_augment";
    nn_augment_desc none;
    nn_augment_args args;
    nn_context *nn;
    nn_device device;
    nn_result result;
    memset(&none, 0, sizeof none);
    if (!desc) desc = &none;
    {
        const nn__given given[] = {{"y", y, NN__WRITTEN, NN_DTYPE_DEFAULT},
                                   {"x", x, false, NN_DTYPE_DEFAULT},
                                   {"table", table, true, NN_F32},
                                   {"normalize", desc->normalize, true, NN_F32}};
        result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    }
    if (result == NN_OK) result = nn__augment_check_shapes(nn, site, who, y, x, table, desc);
    if (result == NN_OK) result = nn__augment_check_normalize(nn, site, who, x->view.shape, desc);
    if (result != NN_OK) return result;
    nn__install_augment(nn);
    args = nn__augment_args_of(&y->view, &x->view, table ? &table->view : NULL, desc);
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_AUGMENT, &args, &args.scratch);
}

NN_API nn_result nn_augment_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                               const nn_tensor *table, const nn_augment_desc *desc) {
    return NN__ALONE(y ? y->nn : NULL, "nn_augment", site,
                     nn__inside_augment(site, y, x, table, desc));
}

NN__UNFUSED_END
#endif /* NN__NO_TRAINER */

typedef int nn__augment_part; /* a part must not be empty under NN__NO_TRAINER */
