/* test_augment.c: the draws of nn_draw_augment (ranges, odds, equal draws for an equal seed, epoch
   and sample), nn_augment compared with PyTorch, and loaders that augment. The tests run on the
   CPU, on a simulated device and, with NN_TEST_OPENCL, on every OpenCL device. test_backends.c has
   the kernels alone, on every device. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include <stdlib.h>

#include "golden/augment.h"
#include "sim_device.h"
#include "open.h"
#include "test.h"
#include "lists.h"

#define MANY 4000
#define K NN_AUGMENT_COLUMNS

static nn_context *nn;
static float table[MANY * K];
static int32_t numbers[MANY];

static nn_augment_desc everything(void) {
    nn_augment_desc d;
    memset(&d, 0, sizeof d);
    d.crop = 24;
    d.crop_w = 30;
    d.padding = 4;
    d.flip = 0.3f;
    d.degrees = 15;
    d.translate[0] = 0.1f;
    d.translate[1] = 0.25f;
    d.zoom[0] = 0.8f;
    d.zoom[1] = 1.25f;
    d.shear = 10;
    d.shear_y = 5;
    d.brightness = 0.4f;
    d.contrast = 1.5f;
    d.cutout = 8;
    d.mixup = 0.5f;
    return d;
}

static nn_shape picture(void) { return NN_SHAPE(3, 32, 28); }

static bool draw(const nn_augment_desc *d, int32_t epoch, int32_t count) {
    return nn_draw_augment(nn, d, picture(), 7, epoch, numbers, count, table) == NN_OK;
}

static float column(int sample, int which) { return table[sample * K + which]; }

/* Computes the lowest, highest and mean of a column over MANY samples. */
static void spread(int which, double *low, double *high, double *mean) {
    int i;
    *low = *high = (double)column(0, which);
    *mean = 0;
    for (i = 0; i < MANY; i++) {
        double v = (double)column(i, which);
        if (v < *low) *low = v;
        if (v > *high) *high = v;
        *mean += v / MANY;
    }
}

#define ENSURE_SPREAD(which, least, most, middle, tolerance)                                       \
    do {                                                                                           \
        double low, high, mean, width = (double)(most) - (double)(least);                          \
        spread((which), &low, &high, &mean);                                                       \
        ENSURE(low >= (double)(least)-1e-6 && high <= (double)(most) + 1e-6);                      \
        ENSURE(low<(double)(least) + 0.01 * width + 1e-6 && high>(double)(most) - 0.01 * width -   \
               1e-6);                                                                              \
        ENSURE_CLOSE(mean, middle, tolerance);                                                     \
    } while (0)

static void test_ranges(void) {
    nn_augment_desc d = everything();
    int i;
    ENSURE(draw(&d, 0, MANY));
    ENSURE_SPREAD(NN_AUGMENT_TOP, -4, 32 + 4 - 24, 4, 0.3);
    ENSURE_SPREAD(NN_AUGMENT_LEFT, -4, 28 + 4 - 30, -1, 0.15);
    ENSURE_SPREAD(NN_AUGMENT_FLIP, 0, 1, 0.3, 0.03);
    ENSURE_SPREAD(NN_AUGMENT_BRIGHTNESS, 0.6, 1.4, 1, 0.02);
    ENSURE_SPREAD(NN_AUGMENT_CONTRAST, 0, 2.5, 1.25, 0.05);
    ENSURE_SPREAD(NN_AUGMENT_LAMBDA, 0, 1, 0.5, 0.03);
    ENSURE_SPREAD(NN_AUGMENT_PARTNER, 0, MANY - 1, MANY / 2.0, 80);
    ENSURE_SPREAD(NN_AUGMENT_CUT_TOP, 0, 23 - 4, 24 / 2.0 - 4 + 0.2, 0.6);
    for (i = 0; i < MANY; i++) {
        float top = column(i, NN_AUGMENT_CUT_TOP), bottom = column(i, NN_AUGMENT_CUT_BOTTOM);
        float left = column(i, NN_AUGMENT_CUT_LEFT), right = column(i, NN_AUGMENT_CUT_RIGHT);
        ENSURE(top >= 0 && bottom <= 24 && bottom - top >= 4 && bottom - top <= 8);
        ENSURE(left >= 0 && right <= 30 && right - left >= 4 && right - left <= 8);
        ENSURE(column(i, NN_AUGMENT_PARTNER) == floorf(column(i, NN_AUGMENT_PARTNER)));
        ENSURE(column(i, NN_AUGMENT_TOP) == floorf(column(i, NN_AUGMENT_TOP)));
    }
}

static void test_off_is_off(void) {
    static const float still[K] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0};
    nn_augment_desc d;
    int i, j;
    memset(&d, 0, sizeof d);
    ENSURE(draw(&d, 0, 50));
    for (i = 0; i < 50; i++)
        for (j = 0; j < K; j++)
            ENSURE(column(i, j) == (j == NN_AUGMENT_PARTNER ? (float)i : still[j]));
}

static void test_same_draws(void) {
    static float whole[100 * K], one[K];
    nn_augment_desc d = everything();
    int32_t some[3] = {31, 90, 2};
    int i, j, differ = 0;
    ENSURE(draw(&d, 3, 100));
    memcpy(whole, table, sizeof whole);
    for (i = 0; i < 3; i++) { /* equal in another batch, but for the partner */
        ENSURE(nn_draw_augment(nn, &d, NN_SHAPE(9, 3, 32, 28), 7, 3, some + i, 1, one) == NN_OK);
        ENSURE(memcmp(one, whole + some[i] * K, sizeof(float) * NN_AUGMENT_PARTNER) == 0);
        ENSURE(one[NN_AUGMENT_PARTNER] == 0);
    }
    ENSURE(draw(&d, 4, 100)); /* another epoch */
    for (i = 0; i < 100; i++) differ += memcmp(table + i * K, whole + i * K, sizeof one) != 0;
    ENSURE(differ == 100);
    ENSURE(nn_draw_augment(nn, &d, picture(), 8, 3, numbers, 100, table) ==
           NN_OK); /* another seed */
    for (i = differ = 0; i < 100; i++)
        differ += memcmp(table + i * K, whole + i * K, sizeof one) != 0;
    ENSURE(differ == 100);
    d.flip = 0; /* one change off: the others stay */
    d.mixup = 0;
    ENSURE(draw(&d, 3, 100));
    for (i = 0; i < 100; i++)
        for (j = 0; j < K; j++)
            ENSURE(j == NN_AUGMENT_FLIP || j >= NN_AUGMENT_LAMBDA ||
                   column(i, j) == whole[i * K + j]);
}

/* Beta(alpha, alpha): mean 1/2, variance 1 / (4 (2 alpha + 1)). */
static void test_mixup_is_beta(void) {
    static const float alphas[5] = {0.05f, 0.2f, 1, 2.5f, 40};
    nn_augment_desc d;
    int i, a, e;
    memset(&d, 0, sizeof d);
    for (a = 0; a < 5; a++) {
        double mean = 0, variance = 0, fourth = 0, wanted = 1 / (4 * (2 * (double)alphas[a] + 1)),
               many = 10 * MANY;
        d.mixup = alphas[a];
        for (e = 0; e < 10; e++) {
            ENSURE(draw(&d, e, MANY));
            for (i = 0; i < MANY; i++) {
                double v = (double)column(i, NN_AUGMENT_LAMBDA) - 0.5;
                ENSURE(v >= -0.5 && v <= 0.5);
                mean += v / many;
                variance += v * v / many;
                fourth += v * v * v * v / many;
            }
        }
        ENSURE_CLOSE(mean, 0, 4 * sqrt(wanted / many));
        ENSURE_CLOSE(variance, wanted, 0.03 * wanted);
        /* excess kurtosis of Beta(a, a): -6 / (2 a + 3) */
        ENSURE_CLOSE(fourth / (variance * variance), 3 - 6 / (2 * (double)alphas[a] + 3), 0.12);
    }
}

/* Each change of RandomAffine that is drawn alone gives its number. All changes together must give
   the inverse of their product in torchvision's order: zoom * rotation * shear along y * shear
   along x, and the translation. */
static void test_affine_is_torchvisions(void) {
    nn_augment_desc all = everything(), d;
    int i, j;
    static float only[5][200 * K];
    all.crop = all.crop_w = all.padding = 0;
    for (j = 0; j < 5; j++) {
        memset(&d, 0, sizeof d);
        if (j == 0) d.degrees = all.degrees;
        if (j == 1) { d.translate[0] = all.translate[0]; d.translate[1] = all.translate[1]; }
        if (j == 2) { d.zoom[0] = all.zoom[0]; d.zoom[1] = all.zoom[1]; }
        if (j == 3) d.shear = all.shear;
        if (j == 4) d.shear_y = all.shear_y;
        ENSURE(draw(&d, 0, 200));
        memcpy(only[j], table, sizeof only[j]);
    }
    ENSURE(draw(&all, 0, 200));
    for (i = 0; i < 200; i++) {
        const float *m = table + i * K + NN_AUGMENT_MATRIX,
                    *one = only[0] + i * K + NN_AUGMENT_MATRIX;
        double angle = atan2((double)one[1], (double)one[0]), zoom, sx, sy, tx, ty, r[4], s[4];
        ENSURE(fabs(angle) <= 15 * 3.1415927 / 180);
        ENSURE_CLOSE(one[3], -sin(angle), 1e-6);
        one = only[1] + i * K + NN_AUGMENT_MATRIX;
        tx = -(double)one[2];
        ty = -(double)one[5];
        ENSURE(tx == floor(tx) && ty == floor(ty) && fabs(tx) <= 3 && fabs(ty) <= 8);
        zoom = 1 / (double)only[2][i * K + NN_AUGMENT_MATRIX];
        ENSURE(zoom >= 0.799 && zoom <= 1.251);
        sx = atan((double)only[3][i * K + NN_AUGMENT_MATRIX + 1]);
        sy = atan((double)only[4][i * K + NN_AUGMENT_MATRIX + 3]);
        ENSURE(fabs(sx) <= 10.001 * 3.1415927 / 180 && fabs(sy) <= 5.001 * 3.1415927 / 180);
        /* r = rotation * shear_y, s = zoom * r * shear_x */
        r[0] = cos(angle) + sin(angle) * tan(sy); r[1] = -sin(angle);
        r[2] = sin(angle) - cos(angle) * tan(sy); r[3] = cos(angle);
        s[0] = zoom * r[0]; s[1] = zoom * (r[1] - r[0] * tan(sx));
        s[2] = zoom * r[2]; s[3] = zoom * (r[3] - r[2] * tan(sx));
        ENSURE_CLOSE((double)m[0] * s[0] + (double)m[1] * s[2], 1, 1e-5);
        ENSURE_CLOSE((double)m[0] * s[1] + (double)m[1] * s[3], 0, 1e-5);
        ENSURE_CLOSE((double)m[3] * s[0] + (double)m[4] * s[2], 0, 1e-5);
        ENSURE_CLOSE((double)m[3] * s[1] + (double)m[4] * s[3], 1, 1e-5);
        ENSURE_CLOSE((double)m[0] * tx + (double)m[1] * ty + (double)m[2], 0,
                     1e-4); /* the centre goes to (tx, ty) */
        ENSURE_CLOSE((double)m[3] * tx + (double)m[4] * ty + (double)m[5], 0, 1e-4);
    }
}

static void test_golden(void) {
    static const float means[3] = {0.49f, 0.48f, 0.45f}, stds[3] = {0.25f, 0.24f, 0.26f};
    uint8_t bytes[3 * 5 * 7];
    float row[K] = {0}, y[3 * 6 * 6];
    nn_augment_desc d;
    nn_tensor *from, *to, *rows;
    int i;
    for (i = 0; i < 3 * 5 * 7; i++) bytes[i] = (uint8_t)((i * 37 + 11) % 256);
    row[NN_AUGMENT_TOP] = -1;
    row[NN_AUGMENT_LEFT] = 1;
    row[NN_AUGMENT_FLIP] = 1;
    memcpy(row + NN_AUGMENT_MATRIX, golden_matrix, sizeof golden_matrix);
    row[NN_AUGMENT_BRIGHTNESS] = 1.3f;
    row[NN_AUGMENT_CONTRAST] = 0.6f;
    row[NN_AUGMENT_CUT_TOP] = 2;
    row[NN_AUGMENT_CUT_BOTTOM] = 4;
    row[NN_AUGMENT_CUT_LEFT] = 1;
    row[NN_AUGMENT_CUT_RIGHT] = 3;
    row[NN_AUGMENT_LAMBDA] = 1;
    memset(&d, 0, sizeof d);
    d.crop = 6;
    d.padding = 2;
    d.contrast = 0.5f;
    for (i = 0; i < 3; i++) { d.mean[i] = means[i]; d.std[i] = stds[i]; }
    from = nn_wrap(nn, "x", NN_U8, NN_SHAPE(1, 3, 5, 7), bytes);
    to = nn_wrap(nn, "y", NN_F32, NN_SHAPE(1, 3, 6, 6), y);
    rows = nn_wrap(nn, "table", NN_F32, NN_SHAPE(1, K), row);
    ENSURE(nn_augment(to, from, rows, &d) == NN_OK);
    for (i = 0; i < 3 * 6 * 6; i++) ENSURE_CLOSE(y[i], golden_augmented[i], 1e-5);
    nn_free_tensor(rows);
    nn_free_tensor(to);
    nn_free_tensor(from);
}

static void test_labels_and_defaults(void) {
    uint8_t labels[4] = {0, 3, 255, 9};
    int32_t whole[4] = {-1, -1, -1, -1};
    float y[4];
    nn_tensor *from = nn_wrap(nn, "labels", NN_U8, NN_SHAPE(4), labels);
    nn_tensor *to = nn_wrap(nn, "whole", NN_I32, NN_SHAPE(4), whole),
              *f = nn_wrap(nn, "f", NN_F32, NN_SHAPE(4), y);
    nn_augment_desc d;
    int i;
    memset(&d, 0, sizeof d);
    ENSURE(nn_augment(to, from, NULL, NULL) == NN_OK);
    for (i = 0; i < 4; i++) ENSURE(whole[i] == labels[i]);
    d.pixel_offset = -1;
    ENSURE(nn_augment(to, from, NULL, &d) == NN_OK);
    for (i = 0; i < 4; i++) ENSURE(whole[i] == labels[i] - 1);
    ENSURE(nn_augment(f, from, NULL, NULL) == NN_OK);
    for (i = 0; i < 4; i++) ENSURE_CLOSE(y[i], labels[i] / 255.0, 1e-7);
    nn_free_tensor(f);
    nn_free_tensor(to);
    nn_free_tensor(from);
}

/* Without a change the pixels stay as they are, beside an infinite one as well. */
static void test_infinite_pixel(void) {
    float pixels[9] = {1, 2, 3, 4, INFINITY, 6, 7, 8, 9}, y[9];
    nn_tensor *x = nn_wrap(nn, "x", NN_F32, NN_SHAPE(1, 1, 3, 3), pixels);
    nn_tensor *to = nn_wrap(nn, "y", NN_F32, NN_SHAPE(1, 1, 3, 3), y);
    nn_tensor *t = nn_wrap(nn, "rows", NN_F32, NN_SHAPE(1, K), table);
    nn_augment_desc d;
    memset(&d, 0, sizeof d);
    ENSURE(nn_draw_augment(nn, &d, NN_SHAPE(1, 3, 3), 7, 0, numbers, 1, table) == NN_OK);
    ENSURE(nn_augment(to, x, t, &d) == NN_OK && memcmp(pixels, y, sizeof y) == 0);
    nn_free_tensor(t), nn_free_tensor(to), nn_free_tensor(x);
}

static nn_result error_of(nn_result result, const char *wanted) {
    const char *text = nn_error(nn);
    if (!text || !strstr(text, wanted))
        test_fail(__FILE__, __LINE__, "wanted \"%s\" in \"%s\"", wanted, text ? text : "");
    nn_clear_error(nn);
    return result;
}

static void test_refusals(void) {
    static float data[2 * 3 * 8 * 8], small[2 * 3 * 4 * 4], rows[2 * K];
    static int32_t integers[2 * 3 * 4 * 4];
    nn_tensor *x = nn_wrap(nn, "pictures", NN_F32, NN_SHAPE(2, 3, 8, 8), data);
    nn_tensor *y = nn_wrap(nn, "out", NN_F32, NN_SHAPE(2, 3, 4, 4), small);
    nn_tensor *t = nn_wrap(nn, "rows", NN_F32, NN_SHAPE(2, K), rows),
              *bad = nn_wrap(nn, "bad", NN_F32, NN_SHAPE(K, 2), rows);
    nn_tensor *whole = nn_wrap(nn, "whole", NN_I32, NN_SHAPE(2, 3, 4, 4), integers);
    nn_augment_desc d;
    int32_t negative[2] = {0, -4};
    memset(&d, 0, sizeof d);
    ENSURE(nn_augment_shape(&d, NN_SHAPE(2, 3, 8, 9)).extent[3] == 9);
    ENSURE(error_of(nn_augment(y, x, t, &d), "y has the shape (2, 3, 4, 4); wanted (2, 3, 8, 8)") ==
           NN_ERROR_SHAPE);
    d.crop = 4;
    ENSURE(nn_augment_shape(&d, NN_SHAPE(2, 3, 8, 9)).extent[3] == 4);
    ENSURE(nn_augment(y, x, t, &d) == NN_OK);
    ENSURE(error_of(nn_augment(y, x, bad, &d), "table has the shape") == NN_ERROR_SHAPE);
    ENSURE(error_of(nn_augment(y, x, NULL, &d), "y has the shape") == NN_ERROR_SHAPE);
    ENSURE(error_of(nn_augment(whole, x, t, &d), "an i32 output needs a u8 input") ==
           NN_ERROR_UNSUPPORTED);
    ENSURE(error_of(nn_augment(y, whole, t, &d), "x is neither u8 nor f32") ==
           NN_ERROR_UNSUPPORTED);
    ENSURE(error_of(nn_augment(NULL, x, t, &d), "y is NULL") == NN_ERROR_ARGUMENT);
    ENSURE(nn_augment(NULL, NULL, NULL, NULL) == NN_ERROR_ARGUMENT);
    d.normalize = bad;
    ENSURE(error_of(nn_augment(y, x, t, &d), "normalize has the shape") == NN_ERROR_SHAPE);
    d.normalize = NULL;
    d.std[1] = -1;
    ENSURE(error_of(nn_augment(y, x, t, &d), "std[1] is -1") == NN_ERROR_ARGUMENT);
    d.std[1] = 0;
    d.flip = 1.5f;
    ENSURE(error_of(nn_augment(y, x, t, &d), "flip is 1.5; wanted a number of 0 to 1") ==
           NN_ERROR_ARGUMENT);
    d.flip = (float)NAN;
    ENSURE(error_of(nn_draw_augment(nn, &d, picture(), 0, 0, numbers, 1, table), "flip") ==
           NN_ERROR_ARGUMENT);
    d.flip = 0;
    d.zoom[1] = 2;
    ENSURE(error_of(nn_draw_augment(nn, &d, picture(), 0, 0, numbers, 1, table),
                    "zoom is 0 to 2") == NN_ERROR_ARGUMENT);
    d.zoom[1] = 0;
    d.crop = 40;
    ENSURE(error_of(nn_draw_augment(nn, &d, picture(), 0, 0, numbers, 1, table),
                    "a crop of 40 out of 32") == NN_ERROR_SHAPE);
    ENSURE(nn_augment_shape(&d, NN_SHAPE(2, 3, 8, 9)).rank == 0);
    d.crop = 0;
    ENSURE(error_of(nn_draw_augment(nn, &d, picture(), 0, 0, negative, 2, table),
                    "samples[1] is -4") == NN_ERROR_ARGUMENT);
    ENSURE(error_of(nn_draw_augment(nn, &d, NN_SHAPE(4), 0, 0, numbers, 1, table),
                    "the images have the shape (4)") == NN_ERROR_SHAPE);
    ENSURE(error_of(nn_draw_augment(nn, NULL, picture(), 0, 0, numbers, 1, table),
                    "desc is NULL") == NN_ERROR_ARGUMENT);
    ENSURE(nn_draw_augment(NULL, &d, picture(), 0, 0, numbers, 1, table) == NN_ERROR_ARGUMENT);
    nn_free_tensor(whole);
    nn_free_tensor(bad);
    nn_free_tensor(t);
    nn_free_tensor(y);
    nn_free_tensor(x);
}

/* ---- in a loader ----------------------------------------------------------------------------- */

#define SAMPLES 21
#define SIDE 12

static uint8_t pixels[SAMPLES * 3 * SIDE * SIDE];
static uint8_t labels[SAMPLES];

static nn_dataset *make_dataset(nn_context *context, bool bytes) {
    static float values[SAMPLES * 3 * SIDE * SIDE];
    nn_dataset_desc desc;
    int i;
    memset(&desc, 0, sizeof desc);
    for (i = 0; i < SAMPLES * 3 * SIDE * SIDE; i++) {
        pixels[i] = (uint8_t)((i * 37 + i / 100) % 256);
        values[i] = (float)pixels[i] * (1.0f / 255);
    }
    for (i = 0; i < SAMPLES; i++) labels[i] = (uint8_t)(i + 100);
    desc.count = SAMPLES;
    FIELD_AT(desc.fields, 0).name = "label";
    FIELD_AT(desc.fields, 0).dtype = NN_I32;
    FIELD_AT(desc.fields, 0).data_dtype = NN_U8;
    FIELD_AT(desc.fields, 0).data = labels;
    FIELD_AT(desc.fields, 1).name = "x";
    FIELD_AT(desc.fields, 1).shape = NN_SHAPE(3, SIDE, SIDE);
    FIELD_AT(desc.fields, 1).data = bytes ? (const void *)pixels : (const void *)values;
    FIELD_AT(desc.fields, 1).data_dtype = bytes ? NN_U8 : NN_F32;
    FIELD_AT(desc.fields, 1).scale = bytes ? 1.0f / 255 : 1;
    return nn_make_dataset(context, &desc);
}

static nn_augment_desc loader_augment(void) {
    nn_augment_desc d = everything();
    int i;
    d.crop = 10;
    d.crop_w = 11;
    d.cutout = 4;
    for (i = 0; i < 3; i++) { d.mean[i] = 0.4f; d.std[i] = 0.2f; }
    return d;
}

/* workers -1: the whole dataset is on the device */
static nn_loader *make_loader(nn_context *context, nn_device device, int workers, bool bytes,
                              const nn_augment_desc *d) {
    nn_loader_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.dataset = make_dataset(context, bytes);
    desc.batch = 8;
    desc.shuffle = true;
    desc.seed = 5;
    desc.device = device;
    desc.workers = workers < 0 ? 0 : workers;
    desc.on_device = workers < 0;
    desc.augment = d;
    return nn_make_loader(context, &desc);
}

#define EPOCH (SAMPLES * 3 * 10 * 11)

/* Reads two epochs of images, rows and labels; false: something went wrong. */
static bool read_epochs(nn_loader *loader, float *x, float *rows, int32_t *label) {
    int epoch;
    for (epoch = 0; epoch < 2; epoch++) {
        while (nn_next_batch(loader)) {
            nn_tensor *picture_tensor = nn_batch_tensor(loader, "x"),
                      *drawn = nn_batch_augment(loader);
            int n = nn_loader_batch(loader);
            if (nn_download_tensor(picture_tensor, x, (size_t)nn_tensor_bytes(picture_tensor)) !=
                    NN_OK ||
                nn_download_tensor(drawn, rows, (size_t)nn_tensor_bytes(drawn)) != NN_OK ||
                nn_download_tensor(nn_batch_tensor(loader, "label"), label,
                                   sizeof *label * (size_t)n) != NN_OK)
                return false;
            x += n * 3 * 10 * 11;
            rows += n * K;
            label += n;
        }
        if (nn_loader_result(loader) != NN_END) return false;
    }
    return true;
}

static float expected[2 * EPOCH], expected_rows[2 * SAMPLES * K]; /* of the CPU, without workers */
static int32_t expected_label[2 * SAMPLES];

/* Compares another device with the CPU. In ways 2 and 4 images are not bytes; in 3 and 4 the data
   set is on the device. */
static void same_epochs(nn_context *context, nn_device device, int way) {
    static float got[2 * EPOCH], rows[2 * SAMPLES * K];
    int32_t label[2 * SAMPLES];
    nn_augment_desc d = loader_augment();
    nn_loader *loader = make_loader(context, device, way > 2 ? -1 : way, way != 2 && way != 4, &d);
    int i;
    if (!loader) test_fail(__FILE__, __LINE__, "%s", nn_error(context));
    ENSURE(loader && read_epochs(loader, got, rows, label));
    ENSURE(memcmp(rows, expected_rows, sizeof rows) == 0 &&
           memcmp(label, expected_label, sizeof label) == 0);
    for (i = 0; i < 2 * EPOCH; i++) ENSURE(fabsf(got[i] - expected[i]) <= 1e-5f);
    nn_free_loader(loader);
}

#ifdef NN_TEST_OPENCL
/* Opens a context with every OpenCL device, or with none. */
static nn_context *open_opencl(void) {
    nn_context *context = nn_open(NULL);
    nn_opencl_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.cache_folder = "";
    desc.kernel_file = getenv("NN_KERNEL_FILE");
    OPEN_OPENCL_WITH(context, &desc);
    return context;
}
#endif

/* The loader's images are nn_augment's of the same samples, whatever the device, the workers and
   the data. */
static void test_loader(void) {
    static uint8_t chosen[8 * 3 * SIDE * SIDE];
    static float one[8 * 3 * 10 * 11];
    int32_t *label = expected_label, seen[SAMPLES] = {0}, samples[8];
    nn_augment_desc d = loader_augment();
    nn_loader *loader = make_loader(nn, nn_cpu(), 0, true, &d);
    nn_tensor *x, *y, *t;
    int i, way;
    ENSURE(loader && nn_tensor_shape(nn_batch_tensor(loader, "x")).extent[3] == 11);
    ENSURE(read_epochs(loader, expected, expected_rows, label));
    for (i = 0; i < SAMPLES; i++) seen[label[i] - 100]++;
    for (i = 0; i < SAMPLES; i++) ENSURE(seen[i] == 1);
    for (i = 0; i < 8; i++) { /* the first batch, by hand */
        samples[i] = label[i] - 100;
        memcpy(chosen + i * 3 * SIDE * SIDE, pixels + samples[i] * 3 * SIDE * SIDE,
               3 * SIDE * SIDE);
    }
    ENSURE(nn_draw_augment(nn, &d, NN_SHAPE(3, SIDE, SIDE), 5, 0, samples, 8, table) == NN_OK);
    ENSURE(memcmp(table, expected_rows, sizeof(float) * 8 * K) == 0);
    x = nn_wrap(nn, "chosen", NN_U8, NN_SHAPE(8, 3, SIDE, SIDE), chosen);
    y = nn_wrap(nn, "one", NN_F32, NN_SHAPE(8, 3, 10, 11), one);
    t = nn_wrap(nn, "t", NN_F32, NN_SHAPE(8, K), table);
    ENSURE(nn_augment(y, x, t, &d) == NN_OK && memcmp(one, expected, sizeof one) == 0);
    ENSURE(memcmp(expected, expected + EPOCH, sizeof(float) * EPOCH) != 0);
    for (way = 0; way < 10; way++) {
        nn_context *context = nn_open(NULL);
        nn_device device = nn_cpu();
        sim_device *sim = NULL;
        sim_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.asynchronous = true;
        desc.poison_on_release = true;
        if (way >= 5) sim = sim_open(context, &desc, &device);
        same_epochs(context, device, way % 5);
        nn_close(context);
        if (sim) ENSURE(sim_free(sim) == 0);
    }
#ifdef NN_TEST_OPENCL
    {
        nn_context *context = open_opencl();
        for (i = 1; i < nn_device_count(context); i++)
            for (way = 0; way < 5; way++) same_epochs(context, nn_device_at(context, i), way);
        nn_close(context);
    }
#endif
    nn_free_tensor(t);
    nn_free_tensor(y);
    nn_free_tensor(x);
}

/* ---- the loss of mixed images ---------------------------------------------------------------- */

#define CLASSES 4
#define PIXELS (3 * SIDE * SIDE)
#define RATE 0.02

/* Computes a step of SGD in double, with two weighted cross entropies for each sample. Returns the
   mean loss. */
static double mixed_step(double (*w)[CLASSES], const float *x, const float *rows,
                         const int32_t *label, int batch) {
    static double gradient[PIXELS][CLASSES];
    double loss = 0;
    memset(gradient, 0, sizeof gradient);
    for (int n = 0; n < batch; n++, x += PIXELS, rows += K) {
        double z[CLASSES] = {0}, sum = 0, lambda = (double)rows[NN_AUGMENT_LAMBDA];
        int own = label[n], other = label[(int)rows[NN_AUGMENT_PARTNER]];
        for (int i = 0; i < PIXELS; i++)
            for (int c = 0; c < CLASSES; c++) z[c] += (double)x[i] * w[i][c];
        for (int c = 0; c < CLASSES; c++) sum += exp(z[c]);
        loss += (lambda * (log(sum) - z[own]) + (1 - lambda) * (log(sum) - z[other])) / batch;
        for (int c = 0; c < CLASSES; c++) {
            double dz =
                (exp(z[c]) / sum - lambda * (c == own) - (1 - lambda) * (c == other)) / batch;
            for (int i = 0; i < PIXELS; i++) gradient[i][c] += dz * (double)x[i];
        }
    }
    for (int i = 0; i < PIXELS; i++)
        for (int c = 0; c < CLASSES; c++) w[i][c] -= RATE * gradient[i][c];
    return loss;
}

/* Trains for two epochs with the recipe of train/augment.h. */
static void mixed_training_on(nn_context *context, nn_device device) {
    static double w[PIXELS][CLASSES];
    static float x[8 * PIXELS], rows[8][K], mixed[8][CLASSES];
    int32_t label[8];
    int partners = 0;
    nn_augment_desc augment;
    nn_model_desc model;
    nn_trainer_desc desc;
    memset(w, 0, sizeof w);
    memset(&augment, 0, sizeof augment);
    memset(&model, 0, sizeof model);
    memset(&desc, 0, sizeof desc);
    augment.mixup = 1;
    augment.flip = 0.5f;
    model.device = device;
    desc.batch = 8;
    desc.learning_rate = (float)RATE;
    nn_model *net = nn_make_model(context, &model);
    nn_node *image = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, SIDE, SIDE));
    nn_node *target = nn_input(net, "target", NN_F32, NN_SHAPE(NN_BATCH, CLASSES));
    nn_node *weight = nn_parameter(net, "w", NN_SHAPE(PIXELS, CLASSES), 0, 0);
    nn_node *logits = nn_matmul(net, nn_flatten(net, image), weight, NULL);
    nn_node *each = nn_reduce(net, NN_SUM, nn_multiply(net, nn_log_softmax(net, logits), target),
                              NN_AXES(1), false);
    nn_node *loss = nn_negate(net, nn_mean(net, each));
    nn_trainer *trainer = nn_make_trainer(net, loss, &desc);
    nn_plan *plan = nn_trainer_plan(trainer);
    nn_loader *loader = make_loader(context, device, 0, true, &augment);
    ENSURE(trainer && loader);
    for (int epoch = 0; epoch < 2; epoch++)
        while (nn_next_batch(loader)) {
            int batch = nn_loader_batch(loader);
            nn_tensor *pictures = nn_batch_tensor(loader, "x");
            float got = 0;
            size_t samples = (size_t)batch;
            ENSURE(nn_download_tensor(nn_batch_augment(loader), rows, samples * sizeof rows[0]) ==
                   NN_OK);
            ENSURE(nn_download_tensor(nn_batch_tensor(loader, "label"), label,
                                      samples * sizeof label[0]) == NN_OK);
            ENSURE(nn_download_tensor(pictures, x, (size_t)nn_tensor_bytes(pictures)) == NN_OK);
            memset(mixed, 0, sizeof mixed);
            for (int n = 0; n < batch; n++) label[n] %= CLASSES;
            for (int n = 0; n < batch; n++) {
                int partner = (int)rows[n][NN_AUGMENT_PARTNER];
                mixed[n][label[n]] += rows[n][NN_AUGMENT_LAMBDA];
                mixed[n][label[partner]] += 1 - rows[n][NN_AUGMENT_LAMBDA];
                partners += label[partner] != label[n];
            }
            ENSURE(nn_bind(plan, image, pictures) == NN_OK);
            ENSURE(nn_upload(plan, target, mixed, samples * sizeof mixed[0]) == NN_OK);
            ENSURE(nn_train_on_inputs(trainer) == NN_OK && nn_read_loss(trainer, &got) == NN_OK);
            ENSURE_CLOSE(got, mixed_step(w, x, rows[0], label, batch), 1e-5);
        }
    ENSURE(nn_trainer_step(trainer) == 6 && partners > 10 && nn_error(context) == NULL);
}

static void test_mixup_loss(void) {
    mixed_training_on(nn, nn_cpu());
#ifdef NN_TEST_OPENCL
    nn_context *context = open_opencl();
    for (int i = 1; i < nn_device_count(context); i++)
        mixed_training_on(context, nn_device_at(context, i));
    nn_close(context);
#endif
}

/* Bytes travel as bytes, and the rows of the draws with them. */
static void test_loader_ledger(void) {
    nn_context *context = nn_open(NULL);
    nn_augment_desc d = loader_augment();
    nn_loader *loader = make_loader(context, nn_cpu(), 0, true, &d);
    uint64_t bytes = 8 * (3 * SIDE * SIDE + 1 + K * sizeof(float));
    nn_ledger_limits limits;
    ENSURE(nn_next_batch(loader));
    ENSURE(nn_ledger_bytes(context, NN_CROSS_UPLOAD) == bytes &&
           nn_loader_counters(loader).bytes == bytes);
    memset(&limits, 0, sizeof limits);
    limits.upload_bytes = bytes - 1;
    nn_ledger_limit(context, &limits);
    ENSURE(!nn_next_batch(loader) && nn_loader_result(loader) == NN_ERROR_LIMIT);
    nn_close(context);
}

static void test_loader_refusals(void) {
    nn_augment_desc d = loader_augment();
    nn_dataset_desc raw;
    nn_loader_desc desc;
    d.field = "none";
    ENSURE(!make_loader(nn, nn_cpu(), 0, true, &d));
    error_of(NN_OK, "augment: the dataset has no field none");
    d.field = "label";
    ENSURE(!make_loader(nn, nn_cpu(), 0, true, &d));
    error_of(NN_OK, "augment.field \"label\" is i32 with 0 extents");
    d.field = "x";
    d.crop = 99;
    ENSURE(!make_loader(nn, nn_cpu(), 0, true, &d));
    error_of(NN_OK, "a crop of 99 out of 12 pixels");
    d.crop = 0;
    memset(&raw, 0, sizeof raw);
    raw.count = SAMPLES;
    FIELD_AT(raw.fields, 0).name = "x";
    FIELD_AT(raw.fields, 0).shape = NN_SHAPE(3, SIDE, SIDE);
    FIELD_AT(raw.fields, 0).data = pixels;
    FIELD_AT(raw.fields, 0).data_dtype = NN_U8;
    memset(&desc, 0, sizeof desc);
    desc.dataset = nn_make_dataset(nn, &raw);
    desc.augment = &d;
    ENSURE(!nn_make_loader(nn, &desc));
    error_of(NN_OK, "\"x\" has 0 to 255; set the field's scale to 1.0f / 255");
    ENSURE(!nn_batch_augment(NULL));
}

int main(int argc, char **argv) {
    int i;
    test_start(argc, argv);
    nn = nn_open(NULL);
    for (i = 0; i < MANY; i++) numbers[i] = i;
    RUN(test_ranges);
    RUN(test_off_is_off);
    RUN(test_same_draws);
    RUN(test_mixup_is_beta);
    RUN(test_affine_is_torchvisions);
    RUN(test_golden);
    RUN(test_labels_and_defaults);
    RUN(test_infinite_pixel);
    RUN(test_refusals);
    RUN(test_loader);
    RUN(test_mixup_loss);
    RUN(test_loader_ledger);
    RUN(test_loader_refusals);
    nn_close(nn);
    return test_report();
}
