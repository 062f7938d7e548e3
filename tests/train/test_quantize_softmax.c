/* tests/train/test_quantize_softmax.c - softmax in 8-bit integers: against the exactly rounded
   softmax in long double for rows of up to 65,536 numbers, and in nets of nn_quantize_net and
   nn_prepare_qat. The kernel is tested in tests/kernels/random_integer.h. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_quantize.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "open.h"
#include "quantize_nets.h"

/* ---- rows ------------------------------------------------------------------------------------ */

enum { LONGEST = 65536 };
static int8_t row[LONGEST], shares[LONGEST];
static unsigned state = 1;
static int pick(int n) {
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 16) % n;
}

/* Returns how many results of a row differ from the exact ones; *most: by how much at most. */
static int differences(nn_context *nn, int length, double scale, double scale_y, int *most) {
    int32_t table[256];
    /* without a shift the factor is multiplier * 2^-31, which is 2^-30 / scale_y here */
    const int32_t numbers[3] = {-128, (int32_t)(2.0 / scale_y), 0};
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, length));
    nn_node *y = nn_integer_softmax(net, "s", x, -1);
    int count = 0, top = -128;
    long double sum = 0;
    for (int i = 0; i < 256; i++)
        table[i] = (int32_t)(1073741824.0L * expl(-(long double)scale * i) + 0.5L);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = 1});
    ENSURE_OR(-1, plan != NULL);
    ENSURE_OR(-1, nn_upload_tensor(nn_find_tensor(net, "s.table"), table, sizeof table) == NN_OK);
    ENSURE_OR(-1,
              nn_upload_tensor(nn_find_tensor(net, "s.numbers"), numbers, sizeof numbers) == NN_OK);
    ENSURE_OR(-1, nn_upload(plan, x, row, (size_t)length) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE_OR(-1, nn_download(plan, y, shares, (size_t)length) == NN_OK);
    for (int i = 0; i < length; i++) top = row[i] > top ? row[i] : top;
    for (int i = 0; i < length; i++) sum += expl((long double)scale * (row[i] - top));
    for (int i = 0; i < length; i++) {
        const long double exact = expl((long double)scale * (row[i] - top)) / sum;
        long rounded = (long)floorl(exact / (long double)scale_y + 0.5L) - 128;
        if (rounded > 127) rounded = 127;
        const int off = (int)(rounded > shares[i] ? rounded - shares[i] : shares[i] - rounded);
        count += off != 0;
        if (off > *most) *most = off;
    }
    nn_free_model(net);
    return count;
}

static void test_exact_rows(void) {
    static const int lengths[] = {1, 2, 3, 10, 64, 255, 256, 257, 1000, 4096, 30000, LONGEST};
    static const double scales[] = {1e-4, 0.005, 0.02, 0.1, 0.37, 2.0};
    nn_context *nn = nn_open(NULL);
    long all = 0, off = 0;
    int most = 0;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
            for (int kind = 0; kind < 3; kind++) {
                const int n = lengths[k];
                /* drawn numbers; one large number; small numbers of much weight together */
                for (int i = 0; i < n; i++)
                    row[i] = (int8_t)(kind == 0 ? pick(256) - 128 : -90 - pick(kind == 1 ? 38 : 2));
                if (kind) row[pick(n)] = (int8_t)(kind == 1 ? 127 : -60);
                const double scale_y = s % 2 ? 1.0 / 256 : 1.0 / 4096;
                off += differences(nn, n, scales[s], scale_y, &most);
                all += n;
            }
    if (getenv("NN_VERBOSE")) printf("%ld of %ld differ, by up to %d\n", off, all, most);
    ENSURE(most <= 1);
    ENSURE(off * 10000 < all);
    ENSURE(fine(nn));
    nn_close(nn);
}

/* ---- nets ------------------------------------------------------------------------------------ */

typedef struct soft_net {
    nn_model *net;
    nn_node *x, *inside, *y;
} soft_net;

/* Softmax over the columns of an image, over a row of numbers and, perhaps, at the end. */
static soft_net describe_soft(nn_context *nn, bool ends) {
    soft_net s;
    s.net = nn_make_model(nn, &(nn_model_desc){.seed = 7});
    s.x = nn_input(s.net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_node *y = nn_conv2d(s.net, "conv", s.x, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3});
    s.inside = y = nn_softmax(s.net, y);
    y = nn_conv2d(s.net, "mixed", y, &(nn_conv2d_desc){.out_channels = 5, .kernel = 3});
    y = nn_linear(s.net, "fc", nn_flatten(s.net, y), &(nn_linear_desc){.out_features = 12});
    y = nn_linear(s.net, "head", nn_softmax(s.net, y), &(nn_linear_desc){.out_features = 7});
    s.y = ends ? nn_softmax(s.net, y) : y;
    return s;
}
/* Lets the numbers before each softmax be far apart. */
static void sharpen(nn_model *net) {
    static const char *const names[] = {"conv.weight", "mixed.weight", "fc.weight", "head.weight"};
    static float numbers[4096];
    for (int i = 0; i < 4; i++) {
        nn_tensor *tensor = nn_find_tensor(net, names[i]);
        const size_t bytes = (size_t)nn_tensor_bytes(tensor);
        ENSURE(bytes <= sizeof numbers && nn_download_tensor(tensor, numbers, bytes) == NN_OK);
        for (size_t k = 0; k < bytes / sizeof *numbers; k++) numbers[k] *= 6.0f;
        ENSURE(nn_upload_tensor(tensor, numbers, bytes) == NN_OK);
    }
}

static void test_inside(void) {
    nn_context *nn = nn_open(NULL);
    soft_net s = describe_soft(nn, false);
    float real[24 * 7], whole[24 * 7], scale[2];
    fill_zoo();
    sharpen(s.net);
    report[0] = 0;
    nn_model *copy = nn_quantize_net(s.net, zoo_loader(nn, zoo_numbers, 24),
                                     &(nn_quantize_net_desc){.report.function = write_report});
    ENSURE(copy != NULL);
    if (getenv("NN_VERBOSE")) printf("%s", report);
    ENSURE(!strstr(report, "stays in f32"));
    ENSURE(nn_find_tensor(copy, "softmax.table") && nn_find_tensor(copy, "softmax.scale"));
    ENSURE(nn_download_tensor(nn_find_tensor(copy, "softmax.scale"), scale, sizeof scale) == NN_OK);
    ENSURE(scale[0] == 1.0f / 256.0f && scale[1] == -128.0f);
    run_zoo(s.net, s.x, s.y, 24, real, sizeof real);
    run_zoo(copy, nn_copied_node(copy, s.x), nn_copied_node(copy, s.y), 24, whole, sizeof whole);
    if (test_wrong(!(distance(whole, real, 24 * 7) < 0.05)))
        test_fail(__FILE__, __LINE__, "integers are off by %.3f", distance(whole, real, 24 * 7));
    ENSURE(nn_copied_node(copy, s.inside) != NULL);
    ENSURE(fine(nn));
    nn_close(nn);
}

/* At the end of a net, a softmax stays in f32 unless the outputs are to be integers. */
static void test_at_the_end(void) {
    nn_context *nn = nn_open(NULL);
    soft_net s = describe_soft(nn, true);
    float real[24 * 7];
    int8_t x[24 * ZOO], y[24 * 7];
    fill_zoo();
    sharpen(s.net);
    report[0] = 0;
    nn_model *copy = nn_quantize_net(s.net, zoo_loader(nn, zoo_numbers, 24),
                                     &(nn_quantize_net_desc){.report.function = write_report});
    ENSURE(copy && strstr(report, ".integer_outputs keeps its integers"));
    report[0] = 0;
    copy = nn_quantize_net(s.net, zoo_loader(nn, zoo_numbers, 24),
                           &(nn_quantize_net_desc){.report.function = write_report,
                                                   .integer_inputs = true,
                                                   .integer_outputs = true});
    ENSURE(copy && !strstr(report, "stays in f32"));
    nn_node *in = nn_copied_node(copy, s.x), *out = nn_copied_node(copy, s.y);
    ENSURE(in && out && nn_node_dtype(out) == NN_I8);
    float scale[2];
    ENSURE(nn_download_tensor(nn_find_tensor(copy, "x.scale"), scale, sizeof scale) == NN_OK);
    for (int n = 0; n < 24; n++) /* channels come last */
        for (int c = 0; c < 3; c++)
            for (int p = 0; p < 13 * 11; p++) {
                const float q = roundf(zoo_numbers[n * ZOO + c * 13 * 11 + p] / scale[0]);
                const float z = q + scale[1];
                x[n * ZOO + p * 3 + c] = (int8_t)(z < -128 ? -128 : z > 127 ? 127 : z);
            }
    nn_plan *plan = nn_make_plan(copy, &(nn_plan_desc){.outputs = NN_NODES(out), .batch = 24});
    ENSURE(plan && nn_upload(plan, in, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, out, y, sizeof y) == NN_OK);
    run_zoo(s.net, s.x, s.y, 24, real, sizeof real);
    double off = 0;
    for (int i = 0; i < 24 * 7; i++) off += fabs((double)real[i] - (y[i] + 128) / 256.0);
    ENSURE(off / (24 * 7) < 0.02);
    ENSURE(fine(nn));
    nn_close(nn);
}

/* Softmax over each axis of an image, of a line and of a row is near f32, with nothing in f32. */
static void test_axes(void) {
    for (int i = 0; i < 7; i++) {
        nn_context *nn = nn_open(NULL);
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 7});
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11)), *y = x;
        float real[24 * 7], whole[24 * 7];
        fill_zoo();
        if (i < 3) {
            y = nn_conv2d(net, "a", y, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3});
            y = nn_softmax(net, nn_scale(net, y, 4.0f), 1 + i);
            y = nn_conv2d(net, "b", y, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3});
        } else if (i < 5) {
            y = nn_reshape(net, y, NN_SHAPE(NN_BATCH, 39, 11));
            y = nn_conv1d(net, "a", y, &(nn_conv1d_desc){.out_channels = 6, .kernel = 3});
            y = nn_softmax(net, nn_scale(net, y, 4.0f), i - 2);
            y = nn_conv1d(net, "b", y, &(nn_conv1d_desc){.out_channels = 6, .kernel = 3});
        } else {
            y = nn_reshape(net, y, NN_SHAPE(NN_BATCH, 13, 33));
            y = nn_linear(net, "a", y, &(nn_linear_desc){.out_features = 6});
            y = nn_softmax(net, nn_scale(net, y, 4.0f), i - 4);
            y = nn_linear(net, "b", y, &(nn_linear_desc){.out_features = 6});
        }
        y = nn_linear(net, "head", nn_flatten(net, y), &(nn_linear_desc){.out_features = 7});
        report[0] = 0;
        nn_model *copy = nn_quantize_net(net, zoo_loader(nn, zoo_numbers, 24),
                                         &(nn_quantize_net_desc){.report.function = write_report});
        ENSURE(copy != NULL);
        if (getenv("NN_VERBOSE")) printf("%s", report);
        ENSURE(nn_find_tensor(copy, "softmax.table") && !strstr(report, "stays in f32"));
        run_zoo(net, x, y, 24, real, sizeof real);
        run_zoo(copy, nn_copied_node(copy, x), nn_copied_node(copy, y), 24, whole, sizeof whole);
        if (test_wrong(!(distance(whole, real, 24 * 7) < 0.05)))
            test_fail(__FILE__, __LINE__, "case %d: integers are off by %.3f", i,
                      distance(whole, real, 24 * 7));
        ENSURE(fine(nn));
        nn_close(nn);
    }
}

/* What stays in f32 says why. */
static void test_reasons(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 7});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_node *y = nn_conv2d(net, "conv", x, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3});
    y = nn_softmax(net, nn_sigmoid(net, nn_flip(net, y, NN_AXES(3))), 1);
    y = nn_conv2d(net, "mixed", y, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3});
    y = nn_log_softmax(net, y);
    y = nn_conv2d(net, "last", y, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3});
    fill_zoo();
    report[0] = 0;
    nn_model *copy = nn_quantize_net(net, zoo_loader(nn, zoo_numbers, 24),
                                     &(nn_quantize_net_desc){.report.function = write_report});
    ENSURE(copy != NULL && y != NULL);
    if (getenv("NN_VERBOSE")) printf("%s", report);
    ENSURE(strstr(report, "softmax                  stays in f32: its input stays in f32"));
    ENSURE(strstr(report, "log_softmax has no form in integers"));
    ENSURE(fine(nn));
    nn_close(nn);
}

/* A net with learned scales, its integers, and the same integers after saving and loading. */
static void test_learned(void) {
    nn_context *nn = nn_open(NULL);
    soft_net s = describe_soft(nn, false);
    float rounded[24 * 7], whole[24 * 7], log_scale;
    fill_zoo();
    sharpen(s.net);
    nn_model *qat = nn_prepare_qat(s.net, zoo_loader(nn, zoo_numbers, 24), NULL);
    ENSURE(qat && nn_find_tensor(qat, "softmax.log_scale"));
    ENSURE(nn_download_tensor(nn_find_tensor(qat, "softmax.log_scale"), &log_scale,
                              sizeof log_scale) == NN_OK);
    ENSURE(fabsf(log_scale - logf(1.0f / 256.0f)) < 1e-6f);
    nn_node *x = nn_copied_node(qat, s.x), *y = nn_copied_node(qat, s.y);
    run_zoo(qat, x, y, 24, rounded, sizeof rounded);
    /* a scale as training might leave it */
    log_scale = logf(1.0f / 200.0f);
    ENSURE(nn_upload_tensor(nn_find_tensor(qat, "softmax.log_scale"), &log_scale,
                            sizeof log_scale) == NN_OK);
    run_zoo(qat, x, y, 24, rounded, sizeof rounded);
    nn_model *copy = nn_quantize_net(qat, NULL, NULL);
    ENSURE(copy && nn_find_tensor(copy, "softmax.table"));
    run_zoo(copy, nn_copied_node(copy, x), nn_copied_node(copy, y), 24, whole, sizeof whole);
    if (test_wrong(!(distance(whole, rounded, 24 * 7) < 0.02)))
        test_fail(__FILE__, __LINE__, "integers are off by %.3f", distance(whole, rounded, 24 * 7));
    ENSURE(fine(nn));
    nn_close(nn);
}

/* A function of a flattened image: the integers after training load into a net that was never
   trained, and the value is the rounded one. */
static void test_flat(void) {
    static const char path[] = "build/test_quantize_softmax.safetensors";
    for (int i = 0; i < 2; i++) {
        nn_context *nn = nn_open(NULL);
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 7});
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
        nn_node *y = nn_conv2d(
            net, "conv", x, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3, .stride = 5});
        y = nn_flatten(net, y);
        nn_node *inside = i ? nn_sigmoid(net, y) : nn_softmax(net, y);
        y = nn_linear(net, "head", inside, &(nn_linear_desc){.out_features = 7});
        static float rounded[24 * 24], whole[24 * 24], first[24 * 7], second[24 * 7];
        fill_zoo();
        nn_model *qat = nn_prepare_qat(net, zoo_loader(nn, zoo_numbers, 24), NULL);
        nn_model *copy = nn_quantize_net(qat, NULL, NULL), *again = nn_quantize_net(net, NULL, NULL);
        ENSURE(copy && again && nn_save_weights(copy, path) == NN_OK);
        ENSURE(nn_load_weights(again, path, NULL) == NN_OK);
        remove(path);
        nn_node *in = nn_copied_node(qat, x), *out = nn_copied_node(qat, y),
                *seen = nn_copied_node(qat, inside);
        run_zoo(copy, nn_copied_node(copy, in), nn_copied_node(copy, out), 24, first, sizeof first);
        run_zoo(again, nn_copied_node(again, x), nn_copied_node(again, y), 24, second,
                sizeof second);
        ENSURE(memcmp(first, second, sizeof first) == 0);
        run_zoo(qat, in, seen, 24, rounded, sizeof rounded);
        run_zoo(copy, nn_copied_node(copy, in), nn_copied_node(copy, seen), 24, whole,
                sizeof whole);
        ENSURE(distance(whole, rounded, 24 * 24) < 0.01);
        ENSURE(fine(nn));
        nn_close(nn);
    }
}

static void test_same_bytes(void) {
    static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_PLAIN, NN_INSTRUCTIONS_AVX2,
                                              NN_INSTRUCTIONS_AVX512, NN_INSTRUCTIONS_NEON,
                                              NN_INSTRUCTIONS_SIMD128};
    static float y[2][24 * 7];
    int runs = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        nn_desc desc = {.instructions = sets[i], .threads = 1 + (int)i};
        nn_context *nn = OPEN_WITH_SET(&desc);
        if (!nn) continue;
        soft_net s = describe_soft(nn, false);
        fill_zoo();
        sharpen(s.net);
        /* ranges of products in f32 depend on the set: measured ones would differ a little */
        nn_model *copy = nn_quantize_net(s.net, NULL, NULL);
        ENSURE(copy != NULL);
        nn_node *x = nn_copied_node(copy, s.x), *out = nn_copied_node(copy, s.y);
        run_zoo(copy, x, out, 24, y[runs > 0], sizeof y[0]);
        ENSURE(!runs || memcmp(y[0], y[1], sizeof y[0]) == 0);
        runs++;
#ifdef NN_TEST_OPENCL
        static const nn_opencl_desc own = {.no_lending = true, .cache_folder = ""};
        if (i == 0 && OPEN_OPENCL_WITH(nn, &own)) {
            ENSURE(nn_move_model(copy, nn_opencl(0)) == NN_OK);
            run_zoo(copy, x, out, 24, y[1], sizeof y[0]);
            ENSURE(memcmp(y[0], y[1], sizeof y[0]) == 0);
        }
#endif
        ENSURE(fine(nn));
        nn_close(nn);
    }
    ENSURE(runs > 0);
}

int main(int argc, char **argv) {
    RUN(test_exact_rows);
    RUN(test_inside);
    RUN(test_at_the_end);
    RUN(test_axes);
    RUN(test_reasons);
    RUN(test_learned);
    RUN(test_flat);
    RUN(test_same_bytes);
    return test_report();
}
