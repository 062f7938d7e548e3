/* Several kernels, each value compared with a sum in double: depthwise convolutions of 3 x 3 taps
   (kernels/conv2d/vector_depthwise.h) and their gradients; the weight gradient of 1 x 1
   convolutions in large images and with few channels and filters
   (kernels/conv2d/cpu_panel_weight.c, cpu_weight.c); the maximum over windows that halve an image.
   Planes have from a few numbers to several vectors, strides of one and two, and sizes that are not
   multiples of a vector, with each instruction set. The bytes are the same for any number of
   threads; nothing around a result is written, and nothing after an operand is read. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"
#include "open.h"

#include <stdlib.h>
#ifndef _WIN32
#include <sys/mman.h>
#include <unistd.h>
#endif

static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_AVX512, NN_INSTRUCTIONS_AVX2,
                                          OTHER_SET, NN_INSTRUCTIONS_PLAIN};
static const int threads[] = {1, 3};

static uint32_t seed = 1;
static int below(int n) {
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)n);
}

/* Allocates an array that ends before a page that nobody may read, and frees it. */
#ifndef _WIN32
static float *end_of_pages(float *room, int64_t count, int protection) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)count * sizeof(float),
                 whole = (bytes + page - 1) / page * page;
    void *pages = room ? (char *)room + bytes - whole : NULL;
    if (!room && posix_memalign(&pages, page, whole + page) != 0) return NULL;
    if (mprotect((char *)pages + whole, page, protection) != 0) abort();
    return (float *)(void *)((char *)pages + (room ? 0 : whole - bytes));
}
static float *take(int64_t count) { return end_of_pages(NULL, count, PROT_NONE); }
static void give(float *room, int64_t count) {
    free(end_of_pages(room, count, PROT_READ | PROT_WRITE));
}
#else
static float *take(int64_t count) { return (float *)malloc((size_t)count * sizeof(float)); }
static void give(float *room, int64_t count) { (void)count, free(room); }
#endif

typedef struct conv {
    int N, C, H, W, stride, out_h, out_w;
    bool accumulate;
} conv;

/* Sizes of the arrays x, y, w, b, and the initial contents of dx, dw, db. */
enum { X, Y, W, B, DX, DW, DB, ARRAYS };
static int64_t count_of(const conv *c, int which) {
    const int64_t x = (int64_t)c->N * c->C * c->H * c->W,
                  y = (int64_t)c->N * c->C * c->out_h * c->out_w;
    const int64_t counts[ARRAYS] = {x, y, 9 * c->C, c->C, x, 9 * c->C, c->C};
    return counts[which];
}
static nn_shape shape_of(const conv *c, int which) {
    const nn_shape x = NN_SHAPE(c->N, c->C, c->H, c->W), w = NN_SHAPE(c->C, 1, 3, 3);
    if (which == Y) return NN_SHAPE(c->N, c->C, c->out_h, c->out_w);
    if (which == B || which == DB) return NN_SHAPE(c->C);
    return which == X || which == DX ? x : w;
}

/* Runs all three kernels; out: y, dx, dw and db, each with a guard after it. A failure makes y a
   NaN; false: the machine has no such instructions. */
static const float guard = 123.0f;
static bool run(const conv *c, nn_instruction_set set, int count, float *const *in, float **out) {
    nn_context *nn = OPEN_WITH_SET(
        (&(nn_desc){.instructions = set, .threads = count, .scratch_bytes = (size_t)16 << 20}));
    const nn_conv2d_desc desc = {.stride = c->stride, .padding = 1, .groups = c->C};
    nn_tensor *t[ARRAYS], *dy;
    if (!nn) return false;
    for (int i = 0; i < ARRAYS; i++) {
        const int to = i == Y ? 0 : i >= DX ? i - DX + 1 : -1;
        void *data = to < 0 ? in[i] : out[to];
        if (to >= 0) memcpy(data, in[i], (size_t)count_of(c, i) * sizeof(float));
        if (to >= 0) out[to][count_of(c, i)] = guard;
        t[i] = nn_wrap(nn, "", NN_F32, shape_of(c, i), data);
    }
    dy = nn_wrap(nn, "dy", NN_F32, shape_of(c, Y), in[Y]);
    bool well = nn_conv2d_forward(t[Y], t[X], t[W], t[B], &desc) == NN_OK &&
                nn_conv2d_backward(t[DX], t[DW], t[DB], dy, t[X], t[W], &desc, c->accumulate) ==
                    NN_OK &&
                out[0][count_of(c, Y)] == guard;
    for (int i = DX; i < ARRAYS; i++) well = well && out[i - DX + 1][count_of(c, i)] == guard;
    nn_close(nn);
    if (!well) out[0][0] = NAN;
    return true;
}

/* Computes all sums in double, and the sums of absolute products. */
static void reference(const conv *c, float *const *in, double **sum, double **scale) {
    const int at[4] = {Y, DX, DW, DB};
    for (int k = 0; k < 4; k++)
        for (int64_t i = 0; i < count_of(c, at[k]); i++) {
            sum[k][i] = k > 0 && c->accumulate ? (double)in[at[k]][i] : 0.0;
            scale[k][i] = fabs(sum[k][i]);
        }
    for (int plane = 0; plane < c->N * c->C; plane++)
        for (int q = 0; q < c->out_h * c->out_w; q++) {
            const int64_t y = (int64_t)plane * c->out_h * c->out_w + q;
            const int k = plane % c->C;
            sum[0][y] += (double)in[B][k], scale[0][y] += fabs((double)in[B][k]);
            sum[3][k] += (double)in[Y][y], scale[3][k] += fabs((double)in[Y][y]);
            for (int tap = 0; tap < 9; tap++) {
                const int h = q / c->out_w * c->stride + tap / 3 - 1,
                          w = q % c->out_w * c->stride + tap % 3 - 1;
                if (h < 0 || w < 0 || h >= c->H || w >= c->W) continue;
                const int64_t x = ((int64_t)plane * c->H + h) * c->W + w;
                const double weight = (double)in[W][9 * k + tap], dy = (double)in[Y][y];
                sum[0][y] += weight * (double)in[X][x];
                scale[0][y] += fabs(weight * (double)in[X][x]);
                sum[1][x] += weight * dy, scale[1][x] += fabs(weight * dy);
                sum[2][9 * k + tap] += dy * (double)in[X][x];
                scale[2][9 * k + tap] += fabs(dy * (double)in[X][x]);
            }
        }
}

static void check(const conv *c) {
    float *in[ARRAYS], *out[2][4];
    double *sum[4], *scale[4];
    for (int i = 0; i < ARRAYS; i++) {
        in[i] = take(count_of(c, i));
        for (int64_t j = 0; j < count_of(c, i); j++)
            in[i][j] = (float)below(1 << 24) / 8388608.0f - 1.0f;
    }
    const int at[4] = {Y, DX, DW, DB};
    for (int k = 0; k < 4; k++) {
        sum[k] = (double *)malloc((size_t)count_of(c, at[k]) * sizeof(double));
        scale[k] = (double *)malloc((size_t)count_of(c, at[k]) * sizeof(double));
        for (int i = 0; i < 2; i++)
            out[i][k] = (float *)malloc((size_t)(count_of(c, at[k]) + 1) * sizeof(float));
    }
    reference(c, in, sum, scale);
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        static bool missing[sizeof sets / sizeof sets[0]];
        double worst = 0;
        if (missing[s] || !run(c, sets[s], threads[0], in, out[0])) {
            missing[s] = true;
            continue;
        }
        ENSURE(run(c, sets[s], threads[1], in, out[1]));
        for (int k = 0; k < 4; k++) {
            const int64_t n = count_of(c, at[k]);
            ENSURE(memcmp(out[0][k], out[1][k], (size_t)n * sizeof(float)) == 0);
            for (int64_t i = 0; i < n; i++) {
                const double error = fabs((double)out[0][k][i] - sum[k][i]) / scale[k][i];
                if (!(error <= worst)) worst = error;
            }
        }
        if (!(worst * 16777216 <= 8))
            printf("(%d, %d, %d, %d) stride %d, set %d: %g\n", c->N, c->C, c->H, c->W, c->stride,
                   (int)sets[s], worst * 16777216);
        ENSURE(worst * 16777216 <= 8);
    }
    for (int i = 0; i < ARRAYS; i++) give(in[i], count_of(c, i));
    for (int k = 0; k < 4; k++)
        free(sum[k]), free(scale[k]), free(out[0][k]), free(out[1][k]);
}

static void test_shapes(void) {
    const int cases = getenv("NN_FULL") ? 2000 : 60;
    seed = 5;
    for (int i = 0; i < cases; i++) {
        const int side = i % 20 == 6 ? 75 : i % 3 == 0 ? 4 : i % 3 == 1 ? 17 : 34,
                  stride = 1 + i % 2;
        conv c = {1 + below(9), 2 + below(19), 1 + below(side), 1 + below(side), stride, 0, 0,
                  below(2) == 1};
        if (stride == 2 && i % 8 != 1) c.H = (c.H + 1) & ~1, c.W = (c.W + 1) & ~1;
        c.out_h = (c.H - 1) / stride + 1, c.out_w = (c.W - 1) / stride + 1;
        check(&c);
    }
}

/* Tests the image sizes and strides of MobileNetV2's depthwise layers. */
static void test_nets(void) {
    static const int sides[][2] = {{32, 2}, {28, 1}, {16, 2}, {14, 1}, {8, 1}, {8, 2},
                                   {7, 1},  {4, 1},  {4, 2},  {2, 1}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        const int side = sides[i][0], stride = sides[i][1], out = side / stride;
        const conv c = {70, 18, side, side, stride, out, out, false};
        check(&c);
    }
}

/* Computes dweight of R x R kernels that keep an image's extents, overwritten or accumulated. */
static bool run_weights(nn_instruction_set set, int count, int N, int C, int K, int groups, int R,
                        int side, float *const *in, float *dw, bool accumulate) {
    nn_context *nn = OPEN_WITH_SET(
        (&(nn_desc){.instructions = set, .threads = count, .scratch_bytes = (size_t)16 << 20}));
    const nn_conv2d_desc desc = {.groups = groups, .padding = R / 2};
    if (!nn) return false;
    nn_tensor *x = nn_wrap(nn, "x", NN_F32, NN_SHAPE(N, C, side, side), in[0]),
              *dy = nn_wrap(nn, "dy", NN_F32, NN_SHAPE(N, K, side, side), in[1]),
              *w = nn_wrap(nn, "w", NN_F32, NN_SHAPE(K, C / groups, R, R), in[2]),
              *to = nn_wrap(nn, "dw", NN_F32, NN_SHAPE(K, C / groups, R, R), dw);
    memcpy(dw, in[2], (size_t)(K * C / groups * R * R) * sizeof(float));
    if (nn_conv2d_backward(NULL, to, NULL, dy, x, w, &desc, accumulate) != NN_OK) dw[0] = NAN;
    nn_close(nn);
    return true;
}

static void check_weights(int N, int C, int K, int groups, int R, int side, bool accumulate) {
    const int places = side * side, c_each = C / groups, k_each = K / groups, taps = R * R,
              all = K * c_each * taps, counts[3] = {N * C * places, N * K * places, all};
    float *in[3], *out[2];
    for (int i = 0; i < 3; i++) {
        in[i] = take(counts[i]);
        for (int j = 0; j < counts[i]; j++) in[i][j] = (float)below(1 << 24) / 8388608.0f - 1.0f;
    }
    for (int i = 0; i < 2; i++) out[i] = (float *)malloc((size_t)all * sizeof(float));
    for (size_t s = 0; s + 1 < sizeof sets / sizeof sets[0]; s++) {
        static bool missing[sizeof sets / sizeof sets[0]];
        double worst = 0;
        for (int t = 0; t < 2 && !missing[s]; t++)
            missing[s] = !run_weights(sets[s], threads[t], N, C, K, groups, R, side, in, out[t],
                                      accumulate);
        if (missing[s]) continue;
        ENSURE(memcmp(out[0], out[1], (size_t)all * sizeof(float)) == 0);
        for (int i = 0; i < all; i++) {
            const int k = i / taps / c_each, c = k / k_each * c_each + i / taps % c_each,
                      down = i % taps / R - R / 2, right = i % R - R / 2;
            double sum = accumulate ? (double)in[2][i] : 0.0, scale = fabs(sum);
            for (int n = 0; n < N; n++)
                for (int p = 0; p < places; p++) {
                    const int h = p / side + down, w = p % side + right;
                    if (h < 0 || w < 0 || h >= side || w >= side) continue;
                    const double one = (double)in[0][((int64_t)n * C + c) * places + h * side + w] *
                                       (double)in[1][((int64_t)n * K + k) * places + p];
                    sum += one, scale += fabs(one);
                }
            const double error = fabs((double)out[0][i] - sum) / scale;
            if (!(error <= worst)) worst = error;
        }
        ENSURE(worst * 16777216 <= 16);
    }
    for (int i = 0; i < 3; i++) give(in[i], counts[i]);
    free(out[0]), free(out[1]);
}

static void test_pointwise_weights(void) {
    seed = 9;
    check_weights(3, 16, 30, 1, 1, 32, false);
    check_weights(2, 37, 9, 1, 1, 17, true);
    check_weights(35, 4, 5, 1, 1, 16, true);
    check_weights(2, 10, 26, 2, 1, 19, false);
    check_weights(1, 70, 6, 1, 1, 45, true);
}

/* Tests rows that end within a vector, filters and taps that fill no tile, groups, and blocks of
   several images. */
static void test_few_weights(void) {
    seed = 13;
    check_weights(2, 3, 16, 1, 3, 47, false);
    check_weights(9, 1, 6, 1, 3, 14, true);
    check_weights(2, 2, 13, 1, 5, 32, false);
    check_weights(3, 6, 10, 2, 3, 31, true);
    check_weights(1, 1, 33, 1, 7, 33, false);
    check_weights(17, 8, 4, 4, 3, 16, false);
    check_weights(3, 4, 20, 1, 1, 64, true);
}

/* relu and relu6 that a plan fuses into the convolution before them, depthwise or 1x1, give the
   bytes of that convolution, clamped. The third image has numbers so small that all products
   are 0 or -0: relu6 of either is 0. */
enum { CLAMPS = 3 * 20 * 34 * 34 };
static void clamped_in(nn_context *nn, int groups, int kernel, int side, int stride, bool no_bias,
                       const float *x, float *y, int which) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 3});
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 20, side, side));
    const nn_conv2d_desc desc = {.out_channels = groups > 1 ? 20 : 40,
                                 .kernel = kernel,
                                 .stride = stride,
                                 .padding = kernel / 2,
                                 .groups = groups,
                                 .no_bias = no_bias};
    nn_node *out = nn_conv2d(net, "conv", in, &desc);
    if (which == 1) out = nn_relu(net, out);
    if (which == 2) out = nn_relu6(net, out);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out), .batch = 3});
    const int64_t places = (int64_t)((side - 1) / stride + 1) * ((side - 1) / stride + 1);
    ENSURE(nn_upload(plan, in, x, sizeof(float) * 60 * (size_t)(side * side)) == NN_OK);
    ENSURE(nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, out, y,
                       sizeof(float) * (size_t)(3 * desc.out_channels * places)) == NN_OK);
    nn_free_plan(plan);
    nn_free_model(net);
}

static void test_clamps(void) {
    static const int cases[][4] = {{20, 3, 34, 1}, {20, 3, 14, 1}, {20, 3, 7, 1}, {20, 3, 3, 1},
                                   {20, 3, 34, 2}, {20, 3, 10, 2}, {1, 1, 24, 1}, {1, 1, 7, 1}};
    float *x = (float *)malloc(CLAMPS * sizeof(float)),
          *given = (float *)malloc(CLAMPS * sizeof(float)), *y[3];
    bool fused = false;
    int all_minus = 0;
    for (int k = 0; k < 3; k++) y[k] = (float *)malloc(2 * CLAMPS * sizeof(float));
    seed = 11;
    for (int i = 0; i < CLAMPS; i++)
        x[i] = below(97) ? ((float)below(1 << 20) / 65536.0f - 8.0f) * 3 : below(2) ? NAN : -0.0f;
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) { /* with a bias, without */
            const int *c = cases[i / 2], side = (c[2] - 1) / c[3] + 1, image = 20 * c[2] * c[2],
                      n = 3 * (c[0] > 1 ? 20 : 40) * side * side;
            nn_context *nn = OPEN_WITH_SET((&(nn_desc){.instructions = sets[s], .threads = 1}));
            int low = 0, high = 0, minus = 0;
            if (!nn) continue;
            for (int j = 0; j < 3 * image; j++)
                given[j] = j < 2 * image ? x[j] : x[j] < 0 ? -1e-45f : 1e-45f;
            for (int k = 0; k < 3; k++)
                clamped_in(nn, c[0], c[1], c[2], c[3], i % 2 == 1, given, y[k], k);
            for (int j = 0; j < n; j++) {
                const float v = y[0][j], relu6 = v <= 0 ? 0 : v > 6 ? 6 : v;
                ENSURE(v != v ? y[1][j] != y[1][j] && y[2][j] != y[2][j]
                              : y[1][j] == (v < 0 ? 0 : v) && memcmp(&y[2][j], &relu6, 4) == 0);
                low += v < 0, high += v > 6, minus += v == 0 && signbit(v);
            }
            ENSURE(low > 0 && high > 0 && (minus == 0 || i % 2 == 1));
            all_minus += minus;
            fused = fused || sets[s] != NN_INSTRUCTIONS_PLAIN;
            nn_close(nn);
        }
    ENSURE(!fused || all_minus > 0); /* a sum of fused steps keeps the sign of what is too small */
    free(x);
    free(given);
    for (int k = 0; k < 3; k++) free(y[k]);
}

/* Checks the largest numbers of windows (high, 3) that lie 2 apart, with ties, and now and then a
   NaN or a window of nothing but -infinity; with and without places. Memory after an operand is not
   read. */
static void check_pool(int planes, int tall, int wide, int high, int padding, int special) {
    const int out_h = (tall + 2 * padding - high) / 2 + 1, out_w = (wide + 2 * padding - 3) / 2 + 1,
              n = planes * tall * wide, all = planes * out_h * out_w;
    float *x = take(n), *y = take(all), *index = take(all);
    int32_t *where = (int32_t *)(void *)index;
    for (int i = 0; i < n; i++) {
        x[i] = (float)below(4) - 1.5f;
        if (special == 1 && below(50) == 0) x[i] = NAN;
        if (special == 2 && below(5) > 0) x[i] = -INFINITY;
    }
    for (size_t s = 0; s < 2 * sizeof sets / sizeof sets[0]; s++) {
        nn_context *nn = OPEN_WITH_SET((&(nn_desc){.instructions = sets[s / 2], .threads = 1}));
        const nn_pool2d_desc desc = {
            .kernel = high, .kernel_w = 3, .stride = 2, .padding = padding};
        if (!nn) continue;
        nn_tensor *from = nn_wrap(nn, "x", NN_F32, NN_SHAPE(1, planes, tall, wide), x),
                  *to = nn_wrap(nn, "y", NN_F32, NN_SHAPE(1, planes, out_h, out_w), y),
                  *place = nn_wrap(nn, "i", NN_I32, NN_SHAPE(1, planes, out_h, out_w), where);
        for (int i = 0; i < all; i++) y[i] = 99.0f, where[i] = -1;
        ENSURE(nn_max_pool2d_forward(to, s % 2 ? place : NULL, from, &desc) == NN_OK);
        for (int i = 0; i < all; i++) {
            const int plane = i / out_w / out_h, h0 = i / out_w % out_h * 2 - padding,
                      w0 = i % out_w * 2 - padding;
            float best = -INFINITY;
            int at = (h0 > 0 ? h0 : 0) * wide + (w0 > 0 ? w0 : 0);
            for (int h = h0; h < h0 + high; h++)
                for (int w = w0; w < w0 + 3; w++) {
                    if (h < 0 || w < 0 || h >= tall || w >= wide) continue;
                    const float value = x[(plane * tall + h) * wide + w];
                    if (value > best || value != value) best = value, at = h * wide + w;
                }
            ENSURE(y[i] == best || (best != best && y[i] != y[i]));
            ENSURE(where[i] == (s % 2 ? at : -1));
        }
        nn_close(nn);
    }
    give(x, n), give(y, all), give(index, all);
}

static void test_pools(void) {
    seed = 3;
    for (int i = 0; i < (getenv("NN_FULL") ? 600 : 60); i++) {
        const int high = 1 + below(4);
        check_pool(1 + below(3), high + below(20), 5 + below(i % 2 ? 90 : 20), high,
                   high > 1 ? below(2) : 0, i % 3);
    }
    check_pool(1, 5, 1100, 3, 1, 0); /* wider than the widest row that is kept */
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_pools);
    RUN(test_clamps);
    RUN(test_shapes);
    RUN(test_nets);
    RUN(test_pointwise_weights);
    RUN(test_few_weights);
    return test_report();
}
