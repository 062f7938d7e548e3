/* kernels/augment/opencl.cl - turns images of bytes or floats into augmented images of floats, as
   nn_augment_args describes, and does plain conversions. x is one of two pointers; the other is
   NULL. */

/* The values of enum nn_augment_column. */
#define NN_AUGMENT_TOP        0
#define NN_AUGMENT_LEFT       1
#define NN_AUGMENT_FLIP       2
#define NN_AUGMENT_MATRIX     3
#define NN_AUGMENT_BRIGHTNESS 9
#define NN_AUGMENT_CONTRAST   10
#define NN_AUGMENT_CUT_TOP    11
#define NN_AUGMENT_CUT_LEFT   12
#define NN_AUGMENT_CUT_BOTTOM 13
#define NN_AUGMENT_CUT_RIGHT  14
#define NN_AUGMENT_LAMBDA     15
#define NN_AUGMENT_PARTNER    16
#define NN_AUGMENT_COLUMNS    17

/* ---- conversion ------------------------------------------------------------------------------ */

/* Returns the mean and 1 / std of a channel. */
float2 nn_augment_channel(const __global float *normalize, int channels, int c, float4 mean,
                          float4 gain) {
    if (normalize) return (float2)(normalize[c], 1.0f / normalize[channels + c]);
    switch (c) {
    case 0: return (float2)(mean.x, gain.x);
    case 1: return (float2)(mean.y, gain.y);
    case 2: return (float2)(mean.z, gain.z);
    case 3: return (float2)(mean.w, gain.w);
    default: return (float2)(0.0f, 1.0f);
    }
}

/* Converts the numbers [0, count) after the offsets. A work-item takes `each` numbers; the channel
   changes every `plane` numbers. */
__kernel void nn_convert(__global float *y, ulong y_offset, const __global uchar *bytes,
                         ulong bytes_offset, const __global float *numbers, ulong numbers_offset,
                         const __global float *normalize, ulong normalize_offset, int channels,
                         uint plane, float scale, float offset, float mean0, float mean1,
                         float mean2, float mean3, float gain0, float gain1, float gain2,
                         float gain3, ulong first, uint count, uint each) {
    uint at = get_global_id(0) * each, end = at < count ? min(count - at, each) + at : 0;
    y += y_offset + first;
    if (bytes) bytes += bytes_offset + first;
    if (numbers) numbers += numbers_offset + first;
    if (normalize) normalize += normalize_offset;
    while (at < end) {
        uint n = at / plane, stop = min(end - at, (n + 1) * plane - at) + at;
        float2 channel = nn_augment_channel(normalize, channels, (int)(n % (uint)channels),
                                            (float4)(mean0, mean1, mean2, mean3),
                                            (float4)(gain0, gain1, gain2, gain3));
        if (bytes)
            for (; at < stop; at++)
                y[at] = ((float)bytes[at] * scale + offset - channel.x) * channel.y;
        else
            for (; at < stop; at++) y[at] = (numbers[at] * scale + offset - channel.x) * channel.y;
    }
}

/* Converts likewise, rounding to the nearest integer. Contraction is off, because the last bit can
   decide. */
__kernel void nn_convert_whole(__global int *y, ulong y_offset, const __global uchar *x,
                               ulong x_offset, float scale, float offset, ulong first, uint count,
                               uint each) {
#pragma OPENCL FP_CONTRACT OFF
    uint at = get_global_id(0) * each, end = at < count ? min(count - at, each) + at : 0;
    for (; at < end; at++) {
        float scaled = (float)x[x_offset + first + at] * scale, v = scaled + offset;
        v += v < 0.0f ? -0.5f : 0.5f;
        y[y_offset + first + at] =
            v > -2147483648.0f && v < 2147483648.0f ? (int)v : -2147483647 - 1;
    }
}

/* ---- augmentation ---------------------------------------------------------------------------- */

typedef struct {
    const __global uchar *bytes; /* of the whole batch */
    const __global float *numbers, *table, *means, *normalize;
    int channels, height, width, crop_height, crop_width;
    float scale, offset;
} nn_pictures;

typedef struct { /* one channel of one sample */
    ulong first; /* index of its first number */
    const __global float *row;
    int top, left;
    bool flip;
    float brightness, contrast, grey;
} nn_plane;

float nn_augment_clamp(float v) { return v < 0.0f ? 0.0f : v > 1.0f ? 1.0f : v; }
int nn_augment_whole(float value) { return value > -1e9f && value < 1e9f ? (int)value : 1 << 30; }

nn_plane nn_plane_of(const nn_pictures *x, uint n, int c) {
    nn_plane p;
    p.first = ((ulong)n * (ulong)x->channels + (ulong)c) * (ulong)x->height * (ulong)x->width;
    p.row = x->table + (ulong)n * NN_AUGMENT_COLUMNS;
    p.top = nn_augment_whole(p.row[NN_AUGMENT_TOP]);
    p.left = nn_augment_whole(p.row[NN_AUGMENT_LEFT]);
    p.flip = p.row[NN_AUGMENT_FLIP] == 1.0f;
    p.brightness = p.row[NN_AUGMENT_BRIGHTNESS];
    p.contrast = x->means ? p.row[NN_AUGMENT_CONTRAST] : 1.0f;
    p.grey = x->means ? x->means[n] * (1.0f - p.contrast) : 0.0f;
    return p;
}

float nn_augment_value(const nn_pictures *x, const nn_plane *p, uint at) {
    float v = x->bytes ? (float)x->bytes[p->first + at] : x->numbers[p->first + at];
    v = v * x->scale + x->offset;
    if (p->brightness != 1.0f) v = nn_augment_clamp(v * p->brightness);
    if (p->contrast != 1.0f) v = nn_augment_clamp(v * p->contrast + p->grey);
    return v;
}

/* Returns a pixel of the crop, mirrored if the row says so; 0 outside of it. */
float nn_augment_pixel(const nn_pictures *x, const nn_plane *p, int h, int w) {
    if (h < 0 || h >= x->crop_height || w < 0 || w >= x->crop_width) return 0.0f;
    int row = p->top + h, column = p->left + (p->flip ? x->crop_width - 1 - w : w);
    if (row < 0 || row >= x->height || column < 0 || column >= x->width) return 0.0f;
    return nn_augment_value(x, p, (uint)row * (uint)x->width + (uint)column);
}

/* Contraction is off, so that the positions are the CPU's. */
float2 nn_augment_position(const nn_pictures *x, const __global float *m, int h, int w) {
#pragma OPENCL FP_CONTRACT OFF
    float cx = (float)(x->crop_width - 1) * 0.5f, cy = (float)(x->crop_height - 1) * 0.5f;
    float dx = (float)w - cx, dy = (float)h - cy;
    float x0 = m[0] * dx, x1 = m[1] * dy, y0 = m[3] * dx, y1 = m[4] * dy;
    return (float2)((x0 + x1) + (m[2] + cx), (y0 + y1) + (m[5] + cy));
}

/* It is static and called from one place, so compilers for NVIDIA inline all of it and it needs no
   private memory. */
static float nn_augment_warped(const nn_pictures *x, const nn_plane *p, int h, int w) {
    float2 at = nn_augment_position(x, p->row + NN_AUGMENT_MATRIX, h, w);
    if (!(at.x > -1.0f && at.x < (float)x->crop_width && at.y > -1.0f &&
          at.y < (float)x->crop_height))
        return 0.0f;
    float left = floor(at.x), top = floor(at.y), right = at.x - left, bottom = at.y - top;
    int i = (int)top, j = (int)left;
    float above =
        (1.0f - right) * nn_augment_pixel(x, p, i, j) + right * nn_augment_pixel(x, p, i, j + 1);
    float below = (1.0f - right) * nn_augment_pixel(x, p, i + 1, j) +
                  right * nn_augment_pixel(x, p, i + 1, j + 1);
    return (1.0f - bottom) * above + bottom * below;
}

/* Returns one number of sample n before the mix. */
static float nn_augment_one(const nn_pictures *x, uint n, int c, int h, int w, float fill,
                            float4 mean, float4 gain) {
    nn_plane p = nn_plane_of(x, n, c);
    const __global float *m = p.row + NN_AUGMENT_MATRIX;
    float2 channel = nn_augment_channel(x->normalize, x->channels, c, mean, gain);
    if (h >= nn_augment_whole(p.row[NN_AUGMENT_CUT_TOP]) &&
        h < nn_augment_whole(p.row[NN_AUGMENT_CUT_BOTTOM]) &&
        w >= nn_augment_whole(p.row[NN_AUGMENT_CUT_LEFT]) &&
        w < nn_augment_whole(p.row[NN_AUGMENT_CUT_RIGHT]))
        return fill;
    bool still = m[0] == 1.0f && m[1] == 0.0f && m[2] == 0.0f && m[3] == 0.0f && m[4] == 1.0f &&
                 m[5] == 0.0f;
    float v = still ? nn_augment_pixel(x, &p, h, w) : nn_augment_warped(x, &p, h, w);
    return (v - channel.x) * channel.y;
}

nn_pictures nn_pictures_of(const __global uchar *bytes, ulong bytes_offset,
                           const __global float *numbers, ulong numbers_offset,
                           const __global float *table, ulong table_offset, int channels,
                           int height, int width, float scale, float offset) {
    nn_pictures x;
    x.bytes = bytes ? bytes + bytes_offset : bytes;
    x.numbers = numbers ? numbers + numbers_offset : numbers;
    x.table = table + table_offset;
    x.means = x.normalize = 0;
    x.channels = channels, x.height = height, x.width = width;
    x.crop_height = x.crop_width = 0;
    x.scale = scale, x.offset = offset;
    return x;
}

/* Computes the numbers [0, count) from sample `first` on. A work-item takes `each` of them. */
__kernel void nn_augment(__global float *y, ulong y_offset, const __global uchar *bytes,
                         ulong bytes_offset, const __global float *numbers, ulong numbers_offset,
                         const __global float *table, ulong table_offset,
                         const __global float *normalize, ulong normalize_offset,
                         const __global float *means, ulong means_offset, int samples, int channels,
                         int height, int width, int crop_height, int crop_width, float scale,
                         float offset, float fill, float mean0, float mean1, float mean2,
                         float mean3, float gain0, float gain1, float gain2, float gain3,
                         uint first, uint count, uint each) {
    nn_pictures x = nn_pictures_of(bytes, bytes_offset, numbers, numbers_offset, table,
                                   table_offset, channels, height, width, scale, offset);
    float4 mean = (float4)(mean0, mean1, mean2, mean3), gain = (float4)(gain0, gain1, gain2, gain3);
    uint at = get_global_id(0) * each, end = at < count ? min(count - at, each) + at : 0;
    x.crop_height = crop_height, x.crop_width = crop_width;
    if (means) x.means = means + means_offset;
    if (normalize) x.normalize = normalize + normalize_offset;
    uint plane = (uint)crop_height * (uint)crop_width, sample = plane * (uint)channels;
    y += y_offset + (ulong)first * sample;
    for (; at < end; at++) {
        uint n = first + at / sample, inside = at % plane;
        int c = (int)(at / plane % (uint)channels), h = (int)(inside / (uint)crop_width),
            w = (int)(inside % (uint)crop_width);
        const __global float *row = x.table + (ulong)n * NN_AUGMENT_COLUMNS;
        float weight = row[NN_AUGMENT_LAMBDA], value = 0.0f;
        for (int mixed = 0; mixed < 2 && (mixed == 0 || weight != 0.0f);
             mixed++, weight = 1.0f - weight) {
            if (mixed) {
                int partner = nn_augment_whole(row[NN_AUGMENT_PARTNER]);
                n = partner < 0 || partner >= samples ? n : (uint)partner;
            }
            value += weight * nn_augment_one(&x, n, c, h, w, fill, mean, gain);
        }
        y[at] = value;
    }
}

/* ---- the mean for contrast ------------------------------------------------------------------- */

/* Returns the grey value of pixel i after brightness: a weighted sum of 3 channels, or else the
   mean of all. */
float nn_augment_grey(const nn_pictures *x, uint n, uint i, uint plane) {
    nn_plane p = nn_plane_of(x, n, 0);
    float grey = 0.0f;
    for (int c = 0; c < x->channels; c++, p.first += plane) {
        float v = nn_augment_value(x, &p, i);
        grey += x->channels != 3 ? v : v * (c == 0 ? 0.2989f : c == 1 ? 0.587f : 0.114f);
    }
    return x->channels != 3 ? grey / (float)x->channels : grey;
}

#define NN_AUGMENT_MEANS_ARGUMENTS                                                                 \
    __global float *means, ulong means_offset, const __global uchar *bytes, ulong bytes_offset,    \
        const __global float *numbers, ulong numbers_offset, const __global float *table,          \
        ulong table_offset, int channels, int height, int width, float scale, float offset,        \
        uint samples
#define NN_AUGMENT_PICTURES                                                                        \
    nn_pictures_of(bytes, bytes_offset, numbers, numbers_offset, table, table_offset, channels,    \
                   height, width, scale, offset)

/* A work-item computes the mean of one sample. It adds in blocks to keep long sums accurate. */
__kernel void nn_augment_means(NN_AUGMENT_MEANS_ARGUMENTS) {
    nn_pictures x = NN_AUGMENT_PICTURES;
    uint n = get_global_id(0), plane = (uint)height * (uint)width;
    float total = 0.0f;
    if (n >= samples) return;
    for (uint i = 0; i < plane;) {
        uint stop = i + min(plane - i, 256u);
        float sum = 0.0f;
        for (; i < stop; i++) sum += nn_augment_grey(&x, n, i, plane);
        total += sum;
    }
    means[means_offset + n] = total / (float)plane;
}

/* A work-group of 64 computes the mean of one sample. */
__kernel void nn_augment_means_group(NN_AUGMENT_MEANS_ARGUMENTS) {
    __local float lanes[NN_LANES];
    nn_pictures x = NN_AUGMENT_PICTURES;
    uint n = get_group_id(0), plane = (uint)height * (uint)width;
    float sum = 0.0f;
    for (uint i = get_local_id(0); i < plane; i += NN_LANES)
        sum += nn_augment_grey(&x, n, i, plane);
    sum = nn_group_sum(sum, lanes);
    if (get_local_id(0) == 0 && n < samples) means[means_offset + n] = sum / (float)plane;
}
