/* kernels/augment/cpu.c - turns images of bytes or floats into augmented images of floats, row by
   row, as nn_augment_args describes.

   The kernel draws no random numbers: train/augment.c puts them into a table. Without a table it is
   a conversion. */
#include "cpu/private.h"

#include <math.h>

#define NN__AUGMENT_UNIT 16384 /* numbers per unit, approximately */

typedef struct nn__augment_shape {
    int32_t channels, height, width;         /* of x */
    int32_t crop_height, crop_width;         /* of y */
    /* convert: number of elements between changes of channel */
    int64_t samples, rows_per_unit, convert;
} nn__augment_shape;

/* Without a table, channels are those of (N, C, H, W) for images, else 1. */
static nn__augment_shape nn__augment_of(const nn_augment_args *args) {
    nn__augment_shape s;
    const int32_t *x = args->x.shape.extent, *y = args->y.shape.extent;
    bool picture = args->x.shape.rank == 4;
    s.samples = picture ? x[0] : 1;
    s.channels = picture ? x[1] : 1;
    s.height = picture ? x[2] : 1;
    s.width = picture ? x[3] : 1;
    s.crop_height = picture ? y[2] : 1;
    s.crop_width = picture ? y[3] : 1;
    s.rows_per_unit = nn__max64(1, NN__AUGMENT_UNIT / s.crop_width);
    s.convert = picture ? (int64_t)s.height * s.width : nn__count(&args->x);
    return s;
}

static int64_t nn__augment_rows(const nn__augment_shape *s) {
    return s->samples * s->channels * s->crop_height;
}

static bool nn__augment_has_means(const nn_augment_args *args) {
    return args->contrast && nn__present(&args->table);
}

static int nn__augment_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_augment_args *args = (const nn_augment_args *)arguments;
    nn__augment_shape s = nn__augment_of(args);
    (void)cpu;
    if (!nn__present(&args->table))
        return phase == 0 ? (int)((nn__count(&args->y) + NN__AUGMENT_UNIT - 1) / NN__AUGMENT_UNIT)
                          : 0;
    if (nn__augment_has_means(args) && phase-- == 0) return (int)s.samples;
    return phase == 0 ? (int)((nn__augment_rows(&s) + s.rows_per_unit - 1) / s.rows_per_unit) : 0;
}

static size_t nn__augment_shared_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn_augment_args *args = (const nn_augment_args *)arguments;
    (void)cpu;
    return nn__augment_has_means(args) ? (size_t)args->x.shape.extent[0] * sizeof(float) : 0;
}

/* ---- one channel of one sample --------------------------------------------------------------- */

typedef struct nn__augment_plane {
    const uint8_t *bytes; /* either bytes or numbers */
    const float *numbers;
    int32_t height, width, crop_height, crop_width, top, left;
    bool flip, warp;
    float matrix[6], scale, offset, brightness, contrast, grey, mean, gain;
} nn__augment_plane;

/* Returns an integer of the table. Invalid ones become a position far outside of every image. */
static int32_t nn__augment_whole(float value) {
    return value > -1e9f && value < 1e9f ? (int32_t)value : 1 << 30;
}

static float nn__augment_clamp(float v) { return v < 0.0f ? 0.0f : v > 1.0f ? 1.0f : v; }

static void nn__augment_channel(const nn_augment_args *args, int32_t c, float *mean, float *gain) {
    int32_t channels = args->x.shape.rank == 4 ? args->x.shape.extent[1] : 1;
    *mean = c < 4 ? args->mean[c] : 0.0f;
    *gain = c < 4 ? 1.0f / args->std[c] : 1.0f;
    if (!nn__present(&args->normalize)) return;
    *mean = nn__f32(&args->normalize)[c];
    *gain = 1.0f / nn__f32(&args->normalize)[channels + c];
}

static nn__augment_plane nn__augment_plane_of(const nn_augment_args *args,
                                              const nn__augment_shape *s, const float *means,
                                              int64_t n, int32_t c) {
    static const float identity[6] = {1, 0, 0, 0, 1, 0};
    const float *row = nn__f32(&args->table) + n * NN_AUGMENT_COLUMNS;
    int64_t first = (n * s->channels + c) * s->height * s->width;
    nn__augment_plane p;
    p.bytes =
        args->x.dtype == NN_U8 ? (const uint8_t *)args->x.handle + args->x.offset + first : NULL;
    p.numbers = args->x.dtype == NN_U8 ? NULL : nn__f32(&args->x) + first;
    p.height = s->height, p.width = s->width;
    p.crop_height = s->crop_height, p.crop_width = s->crop_width;
    p.top = nn__augment_whole(row[NN_AUGMENT_TOP]);
    p.left = nn__augment_whole(row[NN_AUGMENT_LEFT]);
    p.flip = row[NN_AUGMENT_FLIP] == 1.0f;
    memcpy(p.matrix, row + NN_AUGMENT_MATRIX, sizeof p.matrix);
    p.warp = memcmp(p.matrix, identity, sizeof identity) != 0;
    p.scale = args->scale, p.offset = args->offset;
    p.brightness = row[NN_AUGMENT_BRIGHTNESS];
    p.contrast = means ? row[NN_AUGMENT_CONTRAST] : 1.0f;
    p.grey = means ? means[n] * (1.0f - p.contrast) : 0.0f;
    nn__augment_channel(args, c, &p.mean, &p.gain);
    return p;
}

/* Returns element `at` of the plane before any geometric change. */
static float nn__augment_value(const nn__augment_plane *p, int64_t at) {
    float v = p->bytes ? (float)p->bytes[at] : p->numbers[at];
    v = v * p->scale + p->offset;
    if (p->brightness != 1.0f) v = nn__augment_clamp(v * p->brightness);
    if (p->contrast != 1.0f) v = nn__augment_clamp(v * p->contrast + p->grey);
    return v;
}

/* Returns a pixel of the crop, mirrored if flip is set; 0 outside of it. */
static float nn__augment_pixel(const nn__augment_plane *p, int32_t h, int32_t w) {
    if (h < 0 || h >= p->crop_height || w < 0 || w >= p->crop_width) return 0.0f;
    int64_t row = (int64_t)p->top + h,
            column = (int64_t)p->left + (p->flip ? p->crop_width - 1 - w : w);
    if (row < 0 || row >= p->height || column < 0 || column >= p->width) return 0.0f;
    return nn__augment_value(p, row * p->width + column);
}

static float nn__augment_warped(const nn__augment_plane *p, int32_t h, int32_t w) {
    float cx = (float)(p->crop_width - 1) * 0.5f, cy = (float)(p->crop_height - 1) * 0.5f;
    float dx = (float)w - cx, dy = (float)h - cy;
    float x0 = p->matrix[0] * dx, x1 = p->matrix[1] * dy, y0 = p->matrix[3] * dx,
          y1 = p->matrix[4] * dy;
    float x = (x0 + x1) + (p->matrix[2] + cx), y = (y0 + y1) + (p->matrix[5] + cy);
    if (!(x > -1.0f && x < (float)p->crop_width && y > -1.0f && y < (float)p->crop_height))
        return 0.0f;
    float left = floorf(x), top = floorf(y), right = x - left, bottom = y - top;
    int32_t i = (int32_t)top, j = (int32_t)left;
    float above =
        (1.0f - right) * nn__augment_pixel(p, i, j) + right * nn__augment_pixel(p, i, j + 1);
    float below = (1.0f - right) * nn__augment_pixel(p, i + 1, j) +
                  right * nn__augment_pixel(p, i + 1, j + 1);
    return (1.0f - bottom) * above + bottom * below;
}

/* y = weight * row, or y += weight * row. */
static void nn__augment_row(const nn_augment_args *args, const nn__augment_shape *s,
                            const float *means, int64_t n, int32_t c, int32_t h, float weight,
                            bool add, float *y) {
    const float *row = nn__f32(&args->table) + n * NN_AUGMENT_COLUMNS;
    nn__augment_plane p = nn__augment_plane_of(args, s, means, n, c);
    int32_t cut_left = nn__augment_whole(row[NN_AUGMENT_CUT_LEFT]),
            cut_right = nn__augment_whole(row[NN_AUGMENT_CUT_RIGHT]);
    if (h < nn__augment_whole(row[NN_AUGMENT_CUT_TOP]) ||
        h >= nn__augment_whole(row[NN_AUGMENT_CUT_BOTTOM]))
        cut_left = cut_right = 0;
    for (int32_t w = 0; w < s->crop_width; w++) {
        float v = p.warp ? nn__augment_warped(&p, h, w) : nn__augment_pixel(&p, h, w);
        v = (v - p.mean) * p.gain;
        if (w >= cut_left && w < cut_right) v = args->fill;
        y[w] = add ? y[w] + weight * v : weight * v;
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Returns the mean for contrast: the mean grey of a sample after brightness. */
static float nn__augment_grey(const nn_augment_args *args, const nn__augment_shape *s, int64_t n) {
    static const double rgb[3] = {0.2989, 0.587, 0.114};
    int64_t plane = (int64_t)s->height * s->width;
    double mean = 0;
    for (int32_t c = 0; c < s->channels; c++) {
        nn__augment_plane p = nn__augment_plane_of(args, s, NULL, n, c);
        double sum = 0;
        for (int64_t i = 0; i < plane; i++) sum += (double)nn__augment_value(&p, i);
        mean += (s->channels == 3 ? rgb[c] : 1.0 / s->channels) * sum;
    }
    return (float)(mean / (double)plane);
}

static void nn__augment_convert(const nn_augment_args *args, const nn__augment_shape *s, int64_t i,
                                int64_t end) {
    const uint8_t *bytes = (const uint8_t *)args->x.handle + args->x.offset;
    float scale = args->scale, offset = args->offset, mean, gain;
    while (i < end) {
        int64_t plane = i / s->convert, stop = nn__min64(end, (plane + 1) * s->convert);
        float *y = nn__f32(&args->y);
        nn__augment_channel(args, (int32_t)(plane % s->channels), &mean, &gain);
        if (args->y.dtype == NN_I32) {
            for (; i < stop; i++) {
                float v = (float)bytes[i] * scale + offset;
                v += v < 0.0f ? -0.5f : 0.5f;
                nn__i32(&args->y)[i] =
                    v > -2147483648.0f && v < 2147483648.0f ? (int32_t)v : INT32_MIN;
            }
        } else if (args->x.dtype == NN_U8) {
            for (; i < stop; i++) y[i] = ((float)bytes[i] * scale + offset - mean) * gain;
        } else {
            const float *x = nn__f32(&args->x);
            for (; i < stop; i++) y[i] = (x[i] * scale + offset - mean) * gain;
        }
    }
}

static void nn__augment_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                             void *shared, void *own) {
    const nn_augment_args *args = (const nn_augment_args *)arguments;
    nn__augment_shape s = nn__augment_of(args);
    float *means = (float *)shared;
    (void)cpu, (void)own;
    if (!nn__present(&args->table)) {
        int64_t i = (int64_t)unit * NN__AUGMENT_UNIT;
        nn__augment_convert(args, &s, i, nn__min64(i + NN__AUGMENT_UNIT, nn__count(&args->y)));
        return;
    }
    if (means && phase == 0) {
        means[unit] = nn__augment_grey(args, &s, unit);
        return;
    }
    int64_t end = nn__min64((unit + 1) * s.rows_per_unit, nn__augment_rows(&s));
    for (int64_t i = unit * s.rows_per_unit; i < end; i++) {
        int64_t plane = i / s.crop_height, n = plane / s.channels;
        int32_t c = (int32_t)(plane % s.channels), h = (int32_t)(i % s.crop_height);
        const float *row = nn__f32(&args->table) + n * NN_AUGMENT_COLUMNS;
        float *y = nn__f32(&args->y) + i * s.crop_width, lambda = row[NN_AUGMENT_LAMBDA];
        int32_t partner = nn__augment_whole(row[NN_AUGMENT_PARTNER]);
        if (partner < 0 || partner >= s.samples) partner = (int32_t)n;
        nn__augment_row(args, &s, means, n, c, h, lambda, false, y);
        if (lambda != 1.0f) nn__augment_row(args, &s, means, partner, c, h, 1.0f - lambda, true, y);
    }
}
#undef NN__AUGMENT_UNIT

static const char *nn__augment_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_augment_args *args = (const nn_augment_args *)arguments;
    (void)cpu;
    if (args->x.dtype != NN_U8 && args->x.dtype != NN_F32)
        return NN__TEXT("x is neither u8 nor f32");
    if (args->y.dtype == NN_I32 && (args->x.dtype != NN_U8 || nn__present(&args->table)))
        return NN__TEXT("an i32 output needs a u8 input and no table");
    if (args->y.dtype != NN_I32 && args->y.dtype != NN_F32)
        return NN__TEXT("y is neither f32 nor i32");
    return NULL;
}

static const nn__cpu_kernel nn__augment_kernel = {
    nn__augment_units, nn__augment_unit, nn__augment_shared_bytes, NULL, nn__augment_refuses};

NN_PRIVATE void nn__install_augment(nn_context *nn) {
    NN__CPU_INSTALL(nn, AUGMENT, augment, &nn__augment_kernel);
}
