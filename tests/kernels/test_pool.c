/* tests/kernels/test_pool.c - compares pools with random windows on each instruction set with the
   library's plain loops, which test_backends compares with loops in double. Forward results must
   have equal bytes, also with NaN, infinities and ties, and the places of the maxima too; gradients
   must agree within rounding. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"
#include "open.h"

#include <stdlib.h>

static uint32_t seed = 1;
static int below(int n) {
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)n);
}

enum { MOST = 3 * 2 * 40 * 1400 };
typedef struct outcome {
    float y[MOST], dx[MOST];
    int32_t index[MOST];
    int64_t outputs, inputs;
} outcome;

typedef struct window {
    int N, C, H, W, oh, ow, numbers;
    bool max;
    nn_pool2d_desc desc;
} window;

/* Returns how many windows fit along an axis, as PyTorch counts them. */
static int windows(int extent, int kernel, int stride, int padding, bool ceil) {
    const int left = extent + 2 * padding - kernel;
    const int n = (left + (ceil ? stride - 1 : 0)) / stride + 1;
    return ceil && (n - 1) * stride >= extent + padding ? n - 1 : n;
}

static bool draw_window(window *w, int round) {
    int kernel_h = 1 + below(5), kernel_w = 1 + below(5), stride_h = 1 + below(3),
        stride_w = 1 + below(3), padding_h = below(kernel_h / 2 + 1),
        padding_w = below(kernel_w / 2 + 1);
    memset(w, 0, sizeof *w);
    if (round % 3 == 0) kernel_h = kernel_w = stride_h = stride_w = 2, padding_h = padding_w = 0;
    if (round % 7 == 0) kernel_h = kernel_w = 3, stride_h = stride_w = padding_h = padding_w = 1;
    w->N = 1 + below(2), w->C = 1 + below(3), w->H = 1 + below(40);
    w->W = 1 + below(round % 50 ? 60 : 1300);
    w->numbers = below(12);
    w->max = below(2);
    w->desc.kernel = kernel_h, w->desc.kernel_w = kernel_w;
    w->desc.stride = stride_h, w->desc.stride_w = stride_w;
    w->desc.padding = padding_h, w->desc.padding_w = padding_w ? padding_w : NN_NONE;
    w->desc.ceil = below(2);
    if (!w->max) w->desc.count_only_inside = below(2), w->desc.divisor = below(4) ? 0 : 7;
    if (w->H + 2 * padding_h < kernel_h || w->W + 2 * padding_w < kernel_w) return false;
    w->oh = windows(w->H, kernel_h, stride_h, padding_h, w->desc.ceil);
    w->ow = windows(w->W, kernel_w, stride_w, padding_w, w->desc.ceil);
    return true;
}

/* Draws few different numbers, with NaN or the smallest float among them, or any numbers. */
static float draw_number(const window *w) {
    if (w->numbers == 1 && below(97) == 0) return NAN;
    if (w->numbers == 2 && below(5) == 0) return -INFINITY;
    return w->numbers < 5 ? (float)below(3) : (float)below(2000) / 1000.0f - 1.0f;
}

static nn_result run(nn_context *nn, const window *w, outcome *to) {
    const nn_shape in = NN_SHAPE(w->N, w->C, w->H, w->W), out = NN_SHAPE(w->N, w->C, w->oh, w->ow);
    nn_tensor *x = nn_make_tensor(nn, &(nn_tensor_desc){.shape = in});
    nn_tensor *dx = nn_make_tensor(nn, &(nn_tensor_desc){.shape = in});
    nn_tensor *y = nn_make_tensor(nn, &(nn_tensor_desc){.shape = out});
    nn_tensor *dy = nn_make_tensor(nn, &(nn_tensor_desc){.shape = out});
    nn_tensor *index = nn_make_tensor(nn, &(nn_tensor_desc){.shape = out, .dtype = NN_I32});
    const bool places = w->max && w->numbers % 2;
    nn_result result = NN_ERROR_MEMORY;
    to->inputs = nn_shape_count(in), to->outputs = nn_shape_count(out);
    if (x && dx && y && dy && index) {
        for (int64_t i = 0; i < to->inputs; i++) ((float *)nn_tensor_data(x))[i] = draw_number(w);
        for (int64_t i = 0; i < to->inputs; i++) ((float *)nn_tensor_data(dx))[i] = 9.0f;
        for (int64_t i = 0; i < to->outputs; i++)
            ((float *)nn_tensor_data(dy))[i] = (float)below(2000) / 1000.0f - 1.0f;
        memset(nn_tensor_data(index), 0, (size_t)to->outputs * sizeof(int32_t));
        result = w->max ? nn_max_pool2d_forward(y, places ? index : NULL, x, &w->desc)
                        : nn_avg_pool2d_forward(y, x, &w->desc);
        if (result == NN_OK && (places || !w->max))
            result = w->max ? nn_max_pool2d_backward(dx, dy, index, &w->desc)
                            : nn_avg_pool2d_backward(dx, dy, &w->desc);
        memcpy(to->y, nn_tensor_data(y), (size_t)to->outputs * sizeof(float));
        memcpy(to->index, nn_tensor_data(index), (size_t)to->outputs * sizeof(int32_t));
        memcpy(to->dx, nn_tensor_data(dx), (size_t)to->inputs * sizeof(float));
    }
    nn_free_tensor(x), nn_free_tensor(dx), nn_free_tensor(y), nn_free_tensor(dy);
    nn_free_tensor(index);
    return result;
}

/* A log function that prints nothing. */
static void say_nothing(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
}

/* Returns the index of the first number that differs, or -1. */
static int64_t differs(const outcome *a, const outcome *b) {
    for (int64_t i = 0; i < a->outputs; i++) {
        const bool nan = a->y[i] != a->y[i];
        if (nan != (b->y[i] != b->y[i]) || (!nan && a->y[i] != b->y[i])) return i;
        if (a->index[i] != b->index[i]) return i;
    }
    for (int64_t i = 0; i < a->inputs; i++)
        if (fabsf(a->dx[i] - b->dx[i]) > 1e-5f) return i;
    return -1;
}

static void test_windows(void) {
    static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_AVX512, NN_INSTRUCTIONS_AVX2,
                                              OTHER_SET};
    static outcome wanted, got;
    const int rounds = getenv("NN_FULL") ? 20000 : 500;
    nn_context *plain = nn_open(&(nn_desc){.instructions = NN_INSTRUCTIONS_PLAIN, .threads = 1});
    nn_context *with[3];
    int compared = 0;
    ENSURE(plain);
    for (int k = 0; k < 3; k++) {
        with[k] = OPEN_WITH_SET(
            (&(nn_desc){.instructions = sets[k], .threads = k + 1, .log = {say_nothing, NULL}}));
    }
    for (int round = 0; round < rounds; round++) {
        window w;
        if (!draw_window(&w, round)) continue;
        const uint32_t start = seed;
        if (run(plain, &w, &wanted) != NN_OK) { /* all devices refuse such windows */
            nn_clear_error(plain);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            if (!with[k]) continue;
            seed = start;
            ENSURE(run(with[k], &w, &got) == NN_OK);
            if (differs(&wanted, &got) >= 0)
                test_fail(__FILE__, __LINE__,
                          "%s (%d, %d, %d, %d), kernel (%d, %d), stride (%d, %d), padding %d, "
                          "set %d: number %d differs",
                          w.max ? "max" : "average", w.N, w.C, w.H, w.W, w.desc.kernel,
                          w.desc.kernel_w, w.desc.stride, w.desc.stride_w, w.desc.padding,
                          (int)sets[k], (int)differs(&wanted, &got));
            compared++;
        }
    }
    for (int k = 0; k < 3; k++) nn_close(with[k]);
    nn_close(plain);
    if (compared == 0) SKIP("no instruction set beside plain C");
    ENSURE(compared > rounds / 2);
}

/* ---- results that fit into no cache ---------------------------------------------------------- */

/* Pools an image that is larger than a third-level cache of 32 MB, the usual size. Rows of 16 and
   of 32 results then bypass the caches; rows of 15 cannot. */
static void pool_large(nn_context *nn, int columns, int kernel, bool max, nn_tensor **x,
                       nn_tensor **y, nn_tensor **index) {
    const nn_pool2d_desc desc = {.kernel = kernel, .stride = max ? 2 : 1, .padding = kernel == 3};
    const int wide = max ? columns / 2 : columns, C = 36000000 / 4 / 32 / columns;
    const nn_shape out = NN_SHAPE(1, C, max ? 16 : 32, wide);
    *x = nn_make_tensor(nn, &(nn_tensor_desc){.shape = NN_SHAPE(1, C, 32, columns)});
    *y = nn_make_tensor(nn, &(nn_tensor_desc){.shape = out});
    *index = nn_make_tensor(nn, &(nn_tensor_desc){.shape = out, .dtype = NN_I32});
    ENSURE(*x && *y && *index);
    float *data = (float *)nn_tensor_data(*x);
    for (int64_t i = 0; i < (int64_t)C * 32 * columns; i++)
        data[i] = (float)(i * 40503 % 65521) / 32768.0f - 1.0f;
    memset(nn_tensor_data(*index), 0, (size_t)nn_shape_count(out) * sizeof(int32_t));
    ENSURE(max ? nn_max_pool2d_forward(*y, *index, *x, &desc) == NN_OK
               : nn_avg_pool2d_forward(*y, *x, &desc) == NN_OK);
    if (!max) /* the gradient of a result, as if that were the image */
        ENSURE(nn_avg_pool2d_backward(*x, *y, &desc) == NN_OK);
}

static void test_large(void) {
    static const struct { int columns, kernel; bool max; } cases[] = {
        {32, 3, false}, {32, 3, true}, {32, 2, true}, {15, 3, false}, {30, 3, true}};
    nn_context *plain = nn_open(&(nn_desc){.instructions = NN_INSTRUCTIONS_PLAIN});
    ENSURE(plain);
    for (int k = 0; k < 2; k++) {
        nn_context *nn = OPEN_WITH_SET(
            (&(nn_desc){.instructions = k ? NN_INSTRUCTIONS_AVX2 : NN_INSTRUCTIONS_DEFAULT,
                        .threads = 2 - k, .log = {say_nothing, NULL}}));
        for (int i = 0; nn && i < 5; i++) {
            nn_tensor *x, *y, *index, *rx, *ry, *places;
            const int kernel = cases[i].kernel;
            pool_large(nn, cases[i].columns, kernel, cases[i].max, &x, &y, &index);
            pool_large(plain, cases[i].columns, kernel, cases[i].max, &rx, &ry, &places);
            const int64_t n = nn_shape_count(nn_tensor_shape(y));
            const float *a = (float *)nn_tensor_data(x), *b = (float *)nn_tensor_data(rx);
            ENSURE(memcmp(nn_tensor_data(y), nn_tensor_data(ry), (size_t)n * 4) == 0);
            ENSURE(memcmp(nn_tensor_data(index), nn_tensor_data(places), (size_t)n * 4) == 0);
            int64_t wrong = 0;
            for (int64_t j = 0; j < nn_shape_count(nn_tensor_shape(x)); j++)
                wrong += !(fabsf(a[j] - b[j]) <= 1e-6f);
            ENSURE(wrong == 0);
            nn_free_tensor(x), nn_free_tensor(y), nn_free_tensor(index);
            nn_free_tensor(rx), nn_free_tensor(ry), nn_free_tensor(places);
        }
        nn_close(nn);
    }
    nn_close(plain);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_windows);
    RUN(test_large);
    return test_report();
}
