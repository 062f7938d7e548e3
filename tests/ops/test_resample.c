/* test_resample.c - resize, grid_sample, affine_grid, max_unpool and lp_pool: their error texts,
   their immediate calls, and mistakes that no single value shows. Their numbers are tested by
   tests/golden/catalogue/resize.py, grid_sample.py and unpool.py, test_backends and
   test_random_graphs. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char at[1 << 16];
    size_t used;
} text;
static void write_text(void *user, const char *words, size_t bytes) {
    text *to = (text *)user;
    if (to->used + bytes + 1 > sizeof to->at) return;
    memcpy(to->at + to->used, words, bytes);
    to->used += bytes;
}

/* The node is refused, and the report says these words. */
#define REFUSED(node, words)                                                                       \
    do {                                                                                           \
        text *said = (text *)calloc(1, sizeof *said);                                              \
        nn_writer to = {write_text, said};                                                         \
        const int before = nn_fault_count(net);                                                    \
        (void)(node);                                                                              \
        ENSURE(nn_fault_count(net) == before + 1);                                                 \
        nn_write_faults(net, to);                                                                  \
        if (!strstr(said->at, words))                                                              \
            test_fail(__FILE__, __LINE__, "no \"%s\" in: %s", words, said->at);                    \
        free(said);                                                                                \
    } while (0)

#define RESIZE(...) (&(nn_resize_desc){__VA_ARGS__})

static void words(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *line = nn_input(net, "line", NN_F32, NN_SHAPE(NN_BATCH, 2, 5)),
            *time = nn_input(net, "time", NN_F32, NN_SHAPE(NN_BATCH, 2, NN_TIME)),
            *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 2, 5, 6)),
            *bytes = nn_input(net, "bytes", NN_U8, NN_SHAPE(NN_BATCH, 2, 5, 6)),
            *one = nn_input(net, "one", NN_F32, NN_SHAPE(1, 2, 5, 6)),
            *index = nn_input(net, "index", NN_I32, NN_SHAPE(NN_BATCH, 2, 5)),
            *theta = nn_input(net, "theta", NN_F32, NN_SHAPE(NN_BATCH, 2, 3));
    REFUSED(nn_resize(net, line, NULL), "desc is NULL");
    REFUSED(nn_resize(net, theta, RESIZE(.mode = NN_RESIZE_LINEAR)), "neither size nor scale");
    REFUSED(nn_resize(net, line, RESIZE(.size = 2, .scale_factor = 2)), "both size and");
    REFUSED(nn_resize(net, line, RESIZE(.size = -1)), "size is -1");
    REFUSED(nn_resize(net, image, RESIZE(.size = 2, .size_w = -3)), "size_w is -3");
    REFUSED(nn_resize(net, image, RESIZE(.size_w = 3)), "size is 0");
    REFUSED(nn_resize(net, image, RESIZE(.scale_factor_w = 3)), "scale_factor is 0");
    REFUSED(nn_resize(net, image, RESIZE(.scale_factor = -2)), "scale_factor is -2");
    REFUSED(nn_resize(net, line, RESIZE(.size = 2, .size_w = 2)), "size_w is given for a line");
    REFUSED(nn_resize(net, line, RESIZE(.scale_factor = 0.1)), "would be 0");
    REFUSED(nn_resize(net, line, RESIZE(.size = 2, .align_corners = true)), "align_corners is set");
    REFUSED(nn_resize(net, line, RESIZE(.size = 2, .mode = NN_RESIZE_AREA, .antialias = true)),
            "antialias is set");
    REFUSED(nn_resize(net, line, RESIZE(.size = 2, .mode = (nn_resize_mode)9)), "mode is 9");
    REFUSED(nn_resize(net, time, RESIZE(.size = 8)), "depends on the time");
    nn_node *volume = nn_input(net, "volume", NN_F32, NN_SHAPE(NN_BATCH, 2, NN_TIME, 3, 4)),
            *bits = nn_input(net, "bits", NN_F32, NN_SHAPE(NN_BATCH, 2, 1, 3, 4, 1));
    REFUSED(nn_resize(net, bits, RESIZE(.size = 2)), "has 6 extents; resize wants 3, 4 or 5");
    REFUSED(nn_resize(net, volume, NULL), "desc is NULL");
    REFUSED(nn_resize(net, volume, RESIZE(.size = 2)), "depends on the time");
    REFUSED(nn_resize(net, volume, RESIZE(.scale_factor = 2, .mode = NN_RESIZE_CUBIC)),
            "mode NN_RESIZE_CUBIC is for images");
    REFUSED(nn_resize(net, volume,
                      RESIZE(.scale_factor = 2, .mode = NN_RESIZE_LINEAR, .antialias = true)),
            "antialias is for images");
    REFUSED(nn_resize(net, volume, RESIZE(.scale_factor = 2, .scale_factor_h = -1)),
            "scale_factor_h is -1");
    REFUSED(nn_resize(net, image, RESIZE(.size = 2, .size_h = 3)), "size_h is given, but");
    REFUSED(nn_resize(net, line, RESIZE(.scale_factor = 2, .scale_factor_h = 3)),
            "scale_factor_h is given, but");
    nn_node *larger = nn_resize(
        net, volume, RESIZE(.scale_factor = 2, .scale_factor_h = 3, .mode = NN_RESIZE_LINEAR));
    ENSURE(nn_same_shape(nn_node_shape(larger),
                         NN_SHAPE(NN_BATCH, 2, nn_multiply_extents(2, NN_TIME), 9, 8)));
    nn_tensor *deep = nn_make_tensor(nn, &(nn_tensor_desc){.shape = NN_SHAPE(1, 1, 2, 2, 2)});
    ENSURE(nn_resize_forward(deep, deep, RESIZE(.size = 2)) != NN_OK);
    nn_clear_error(nn);
    REFUSED(nn_resize(net, time, RESIZE(.scale_factor = 1.5)), "depends on the time");
    REFUSED(nn_resize(net, time, RESIZE(.scale_factor = 2, .mode = NN_RESIZE_AREA)), "the time");
    REFUSED(nn_resize(net, bytes, RESIZE(.size = 2)), "u8");
    REFUSED(nn_grid_sample(net, image, one, NULL), "(N, OH, OW, 2) with the same N");
    REFUSED(nn_grid_sample(net, line, line, NULL), "wanted (N, C, H, W)");
    REFUSED(nn_grid_sample(net, image, image, &(nn_grid_sample_desc){.mode = (nn_grid_mode)3}),
            "mode is 3");
    REFUSED(nn_affine_grid(net, line, 2, 2, false), "wanted (N, 2, 3)");
    REFUSED(nn_affine_grid(net, theta, 0, 2, false), "height is 0");
    REFUSED(nn_max_unpool1d(net, line, index, NULL), "kernel is 0");
    REFUSED(nn_max_unpool1d(net, line, line, &(nn_max_unpool1d_desc){.kernel = 2}), "i32");
    REFUSED(nn_max_unpool1d(net, line, index, &(nn_max_unpool1d_desc){.kernel = 2, .out = 12}),
            "5 becomes 12");
    /* a free extent is multiplied by the stride if windows follow each other without a gap */
    nn_node *places = nn_input(net, "places", NN_I32, NN_SHAPE(NN_BATCH, 2, NN_TIME));
    ENSURE(nn_same_shape(
        nn_node_shape(nn_max_unpool1d(net, time, places, &(nn_max_unpool1d_desc){.kernel = 3})),
        NN_SHAPE(NN_BATCH, 2, nn_multiply_extents(NN_TIME, 3))));
    REFUSED(nn_max_unpool1d(net, time, places, &(nn_max_unpool1d_desc){.kernel = 3, .stride = 2}),
            "depends on the time");
    REFUSED(nn_max_unpool1d(net, time, places, &(nn_max_unpool1d_desc){.kernel = 3, .out = 9}),
            "depends on the time");
    REFUSED(nn_max_unpool2d(net, line, index, &(nn_max_unpool2d_desc){.kernel = 2}),
            "max_unpool2d wants (N, C, H, W)");
    REFUSED(nn_lp_pool1d(net, line, 0, &(nn_pool1d_desc){.kernel = 2}), "norm_type is 0");
    REFUSED(nn_lp_pool1d(net, line, 2, NULL), "desc is NULL");
    REFUSED(nn_lp_pool1d(net, line, INFINITY, &(nn_pool1d_desc){.kernel = 2, .dilation = 2}),
            "dilation is 2");
    REFUSED(nn_lp_pool2d(net, image, 3, &(nn_pool2d_desc){.kernel = 2, .dilation_w = 3}),
            "dilation is 3");
    REFUSED(nn_lp_pool2d(net, image, 2, &(nn_pool2d_desc){.kernel = 2, .padding = 1}),
            "padding is 1");
    REFUSED(nn_lp_pool2d(net, image, 2, &(nn_pool2d_desc){.kernel = 2, .padding_w = 1}),
            "padding is 1");
    REFUSED(nn_lp_pool2d(net, image, 3,
                         &(nn_pool2d_desc){.kernel = 2, .dilation_h = 1, .dilation_w = 3}),
            "dilation is 3");
    ENSURE(!nn_resize(NULL, line, RESIZE(.size = 2)) && !nn_grid_sample(NULL, image, one, NULL));
    nn_close(nn);
}

static nn_tensor *tensor(nn_context *nn, nn_shape shape, const float *numbers) {
    nn_tensor *t = nn_make_tensor(nn, &(nn_tensor_desc){.name = "t", .shape = shape});
    if (numbers) nn_upload_tensor(t, numbers, (size_t)nn_tensor_bytes(t));
    return t;
}

/* Backward overwrites or adds, and an image or a grid may be left out. */
static void calls(void) {
    static const float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, x[4] = {1, 2, 3, 4};
    static const float grid[4] = {-0.5f, -0.5f, 0.25f, 0.5f};
    nn_context *nn = nn_open(NULL);
    nn_tensor *in = tensor(nn, NN_SHAPE(1, 1, 4), x), *out = tensor(nn, NN_SHAPE(1, 1, 8), ones),
              *image = tensor(nn, NN_SHAPE(1, 1, 2, 2), x),
              *y = tensor(nn, NN_SHAPE(1, 1, 1, 2), x),
              *places = tensor(nn, NN_SHAPE(1, 1, 2, 2), grid),
              *dplaces = tensor(nn, NN_SHAPE(1, 1, 2, 2), ones);
    nn_resize_desc twice = {.scale_factor = 2}, area = {.size = 8, .mode = NN_RESIZE_AREA};
    float got[8];
    ENSURE(nn_resize_forward(out, in, &twice) == NN_OK);
    nn_download_tensor(out, got, sizeof got);
    for (int i = 0; i < 8; i++) ENSURE(got[i] == x[i / 2]);
    ENSURE(nn_resize_backward(in, out, &twice, false) == NN_OK);
    ENSURE(nn_resize_backward(in, out, &twice, true) == NN_OK);
    nn_download_tensor(in, got, 16);
    for (int i = 0; i < 4; i++) ENSURE(got[i] == 4 * x[i]);
    ENSURE(nn_resize_forward(out, in, &area) == NN_OK);
    ENSURE(nn_resize_backward(in, out, &area, true) == NN_OK);
    nn_download_tensor(in, got, 16);
    for (int i = 0; i < 4; i++) ENSURE(got[i] == 12 * x[i]);
    ENSURE(nn_grid_sample_forward(y, image, places, NULL) == NN_OK);
    nn_download_tensor(y, got, 8);
    ENSURE_CLOSE(got[0], 1, 0);
    ENSURE_CLOSE(got[1], 3.75, 1e-6); /* row 1 at column 0.75: 0.25 times 3, 0.75 times 4 */
    ENSURE(nn_grid_sample_backward(NULL, dplaces, y, image, places, NULL, true) == NN_OK);
    ENSURE(nn_grid_sample_backward(image, NULL, y, places, places, NULL, false) == NN_OK);
    nn_download_tensor(image, got, 16);
    ENSURE(got[0] == 1 && got[1] == 0);
    ENSURE_CLOSE(got[2] + got[3], 3.75, 1e-6);
    nn_download_tensor(dplaces, got, 16);
    ENSURE_CLOSE(got[0], 1 + 1, 1e-6); /* x rises by 1 a column, and a column is 1 wide here */
    ENSURE(nn_grid_sample_backward(NULL, NULL, y, image, places, NULL, false) == NN_OK);
    ENSURE(nn_error(nn) == NULL);
    ENSURE(nn_resize_forward(out, in, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(nn_resize_forward(in, in, &twice) == NN_ERROR_ARGUMENT);
    ENSURE(nn_resize_forward(in, out, &twice) == NN_ERROR_SHAPE);
    ENSURE(nn_resize_forward(NULL, in, &twice) == NN_ERROR_ARGUMENT);
    ENSURE(nn_resize_backward(in, in, &twice, false) == NN_ERROR_ARGUMENT);
    ENSURE(nn_resize_backward(NULL, NULL, NULL, false) == NN_ERROR_ARGUMENT);
    ENSURE(nn_grid_sample_forward(y, image, in, NULL) == NN_ERROR_SHAPE);
    ENSURE(nn_grid_sample_backward(in, NULL, y, image, places, NULL, false) == NN_ERROR_SHAPE);
    ENSURE(nn_grid_sample_backward(NULL, NULL, NULL, NULL, NULL, NULL, false) == NN_ERROR_ARGUMENT);
    nn_close(nn);
}

/* An image of bytes: bicubic leaves 0 to 255, so it is rounded and clamped; then the bytes are
   PyTorch's, or differ by 1, because its weights are fixed-point numbers. (PyTorch also rounds and
   clamps between rows and columns, which makes no difference here: only columns change.) */
static void bytes_overshoot(void) {
    enum { W = 11, ALL = 2 * W };
    static const uint8_t x[8] = {0, 0, 0, 255, 255, 255, 10, 200},
                         wanted[ALL] = {0,   0,   0,   0,   0,   0,   0,  52, 153, 246, 255,
                                        255, 255, 255, 255, 225, 115, 24, 24, 106, 193, 221};
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *in = nn_input(net, "x", NN_U8, NN_SHAPE(1, 1, 2, 4)),
            *f = nn_resize(net, nn_cast(net, in, NN_F32),
                           RESIZE(.size = 2, .size_w = W, .mode = NN_RESIZE_CUBIC)),
            *y = nn_cast(net, nn_clamp(net, nn_round(net, f), 0, 255), NN_U8);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y, f)});
    uint8_t got[ALL];
    float raw[ALL], low = 0, high = 0;
    ENSURE(nn_upload(plan, in, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, got, sizeof got) == NN_OK);
    ENSURE(nn_download(plan, f, raw, sizeof raw) == NN_OK);
    for (int i = 0; i < ALL; i++) {
        ENSURE_CLOSE(got[i], wanted[i], 1);
        if (raw[i] < low) low = raw[i];
        if (raw[i] > high) high = raw[i];
    }
    ENSURE(low < -1 && high > 256);
    nn_close(nn);
}

/* Gradients of a few large images have the same bytes for any number of threads. */
static void bytes_of_threads(void) {
    enum { N = 2, C = 9, H = 37, W = 41, OH = 64, OW = 80, X = N * C * H * W, Y = N * C * OH * OW };
    float *numbers = (float *)malloc(Y * sizeof *numbers);
    float *first = (float *)malloc(2 * X * sizeof *first), *other = (float *)malloc(X * 2 * 4);
    for (int i = 0; i < Y; i++) numbers[i] = (float)(i * 7919 % 2003) / 1001.5f - 1;
    for (int threads = 1; threads < 4; threads++) {
        nn_context *nn = nn_open(&(nn_desc){.threads = threads});
        nn_tensor *dy = tensor(nn, NN_SHAPE(N, C, OH, OW), numbers),
                  *dx = tensor(nn, NN_SHAPE(N, C, H, W), NULL),
                  *grid = tensor(nn, NN_SHAPE(N, OH, OW, 2), numbers);
        float *to = threads == 1 ? first : other;
        ENSURE(nn_resize_backward(dx, dy, RESIZE(.size = OH, .size_w = OW, .mode = NN_RESIZE_CUBIC),
                                  false) == NN_OK);
        nn_download_tensor(dx, to, X * sizeof *to);
        ENSURE(nn_grid_sample_backward(dx, NULL, dy, dx, grid, NULL, false) != NN_OK);
        nn_tensor *x = tensor(nn, NN_SHAPE(N, C, H, W), numbers);
        ENSURE(nn_grid_sample_backward(dx, NULL, dy, x, grid, NULL, false) == NN_OK);
        nn_download_tensor(dx, to + X, X * sizeof *to);
        ENSURE(threads == 1 || memcmp(first, other, 2 * X * sizeof *to) == 0);
        nn_close(nn);
    }
    free(numbers);
    free(first);
    free(other);
}

/* Resizes a line so long that twice the width of the function overflows an int. Its table has one
   tap for each place of the line, and no more. */
static void longest_line(void) {
    const int32_t length = (1 << 30) - 3;
    if (sizeof(size_t) < 8) SKIP("such a line is more than this machine can address");
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(1, 1, length));
    for (int mode = NN_RESIZE_LINEAR; mode <= NN_RESIZE_CUBIC; mode++) {
        nn_node *y = nn_resize(
            net, x, RESIZE(.size = 1, .mode = (nn_resize_mode)mode, .antialias = true));
        nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y), .dry_run = true});
        const uint64_t scratch = nn_plan_bytes(plan, nn_cpu(), NN_MEMORY_SCRATCH);
        ENSURE(plan && scratch > 8 * (uint64_t)length && scratch < 16 * (uint64_t)length);
        nn_free_plan(plan);
    }
    nn_close(nn);
}

/* With antialias, all pixels of an enlarged image of one pixel have its bytes, because the only tap
   has all of the weight. The gradient is the number of pixels. */
static void one_pixel_grows(void) {
    static const float numbers[3] = {0.1f, -1.7f, 3.3f};
    for (int mode = NN_RESIZE_LINEAR; mode <= NN_RESIZE_CUBIC; mode++) {
        float y[3 * 4 * 5] = {0}, dx[3] = {0};
        nn_context *nn = nn_open(NULL);
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_parameter(net, "x", NN_SHAPE(1, 3, 1, 1), 0, 0);
        nn_upload_tensor(nn_find_tensor(net, "x"), numbers, sizeof numbers);
        nn_node *large = nn_keep(nn_resize(
            net, x,
            RESIZE(.size = 4, .size_w = 5, .mode = (nn_resize_mode)mode, .antialias = true)));
        nn_trainer *trainer = nn_make_trainer(
            net, nn_sum(net, large),
            &(nn_trainer_desc){.batch = 1, .gradients = true, .learning_rate = NN_NONE});
        ENSURE(trainer && nn_train_on_inputs(trainer) == NN_OK);
        ENSURE(nn_download(nn_trainer_plan(trainer), large, y, sizeof y) == NN_OK);
        for (int i = 0; i < 3 * 4 * 5; i++) ENSURE(y[i] == numbers[i / 20]);
        ENSURE(nn_read_gradient(trainer, "x", dx, sizeof dx) == NN_OK);
        for (int i = 0; i < 3; i++) ENSURE(dx[i] == 20);
        nn_close(nn);
    }
}

/* An index outside of the plane ends the step, and nothing is updated. */
static void unpool_index(void) {
    static const int32_t bad[2] = {1, 4};
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *p = nn_parameter(net, "p", NN_SHAPE(1, 1, 2), 1, 1),
            *index = nn_input(net, "index", NN_I32, NN_SHAPE(1, 1, 2)),
            *y = nn_max_unpool1d(net, p, index, &(nn_max_unpool1d_desc){.kernel = 2});
    nn_trainer *trainer = nn_make_trainer(net, nn_sum(net, y), &(nn_trainer_desc){.batch = 1});
    float got[2] = {0, 0};
    ENSURE(trainer);
    ENSURE(nn_upload(nn_trainer_plan(trainer), index, bad, sizeof bad) == NN_OK);
    ENSURE(nn_train_on_inputs(trainer) == NN_ERROR_INDEX);
    nn_clear_error(nn);
    ENSURE(nn_download_tensor(nn_find_tensor(net, "p"), got, sizeof got) == NN_OK);
    ENSURE(got[0] == 1 && got[1] == 1);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(words);
    RUN(calls);
    RUN(bytes_overshoot);
    RUN(bytes_of_threads);
    RUN(longest_line);
    RUN(one_pixel_grows);
    RUN(unpool_index);
    return test_report();
}
