/* mve.c - 8-bit convolutions on a Cortex-M55 under qemu-system-arm (mps3-an547): drawn layers against
   exact integer loops, and the instructions of some usual ones. The kernel is called directly. The
   same file runs on any processor, where it tests the plain loops. With qemu's -icount shift=0 an
   instruction takes a nanosecond, and SysTick counts 32 of them a microsecond.
   tools/test_full.sh mve builds it twice, with and without the vector instructions. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 48 * 1024 };
static int8_t x[MOST], y[MOST], wanted[MOST];
static int8_t weight[MOST];
static int32_t bias[300], factor[600], zero[4];
static char own[MOST];
static uint32_t state = 7;

static int pick(int n) {
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 12) % (uint32_t)n);
}
/* Often an end of the range. */
static int byte(void) { return pick(6) ? pick(256) - 128 : pick(2) ? -128 : 127; }

static void set_shape(nn_view *view, nn_dtype dtype, const void *data, int rank, int a, int b,
                      int c, int d) {
    const int32_t extents[4] = {a, b, c, d};
    memset(view, 0, sizeof *view);
    view->dtype = dtype;
    view->handle = (void *)(uintptr_t)data;
    view->shape.rank = rank;
    for (int i = 0; i < rank; i++) view->shape.extent[i] = extents[i];
}

/* The definition of kernels/integer/args.h, with divisions. */
static int64_t rounded(int64_t sum, int64_t multiplier, int32_t shift) {
    const int64_t up = (int32_t)(uint32_t)((uint64_t)sum << (shift > 0 ? shift : 0)),
                  product = up * multiplier + 1073741824, size = (int64_t)1 << 31;
    const int64_t high = product / size - (product % size != 0 && product < 0),
                  by = (int64_t)1 << (shift < 0 ? -shift : 0);
    return high < 0 ? -((-2 * high + by) / (2 * by)) : (2 * high + by) / (2 * by);
}

static nn_integer_conv2d_args draw(int H, int W, int C, int K, int kernel, int stride,
                                   int depthwise) {
    nn_integer_conv2d_args a;
    memset(&a, 0, sizeof a);
    const int OH = (H + 2 * (kernel / 2) - kernel) / stride + 1,
              OW = (W + 2 * (kernel / 2) - kernel) / stride + 1;
    set_shape(&a.x, NN_I8, x, 4, 1, H, W, C);
    set_shape(&a.y, NN_I8, y, 4, 1, OH, OW, K);
    if (depthwise) set_shape(&a.weight, NN_I8, weight, 3, kernel, kernel, K, 0);
    else set_shape(&a.weight, NN_I8, weight, 4, K, kernel, kernel, C);
    set_shape(&a.bias, NN_I32, bias, 1, K, 0, 0, 0);
    set_shape(&a.factor, NN_I32, factor, 2, 2, K, 0, 0);
    set_shape(&a.zero, NN_I32, zero, 1, 4, 0, 0, 0);
    a.params.kernel_h = a.params.kernel_w = kernel;
    a.params.stride_h = a.params.stride_w = stride;
    a.params.padding_h = a.params.padding_w = kernel / 2;
    a.params.dilation_h = a.params.dilation_w = 1;
    a.params.groups = depthwise ? C : 1;
    for (int i = 0; i < H * W * C; i++) x[i] = (int8_t)byte();
    for (int i = 0; i < kernel * kernel * K * (depthwise ? 1 : C); i++) weight[i] = (int8_t)byte();
    for (int k = 0; k < K; k++) {
        bias[k] = pick(8) ? pick(60000) - 30000 : INT32_MAX;
        factor[k] = (1 << 30) + (pick(1 << 15) << 15) + pick(1 << 15);
        factor[K + k] = pick(7) ? -pick(14) : pick(2) ? -31 : pick(6);
    }
    zero[0] = byte(), zero[1] = byte();
    zero[2] = pick(2) ? -128 : -20, zero[3] = pick(2) ? 127 : 60;
    return a;
}

static void exact(const nn_integer_conv2d_args *a) {
    const int32_t *e = a->x.shape.extent, *o = a->y.shape.extent;
    const int R = a->params.kernel_h, S = a->params.stride_h, P = a->params.padding_h,
              deep = a->weight.shape.rank == 3, K = o[3], C = e[3];
    for (int i = 0; i < o[1] * o[2] * K; i++) {
        const int k = i % K, ow = i / K % o[2], oh = i / K / o[2];
        int64_t sum = bias[k];
        for (int t = 0; t < R * R; t++) {
            const int h = oh * S - P + t / R, w = ow * S - P + t % R;
            if (h < 0 || w < 0 || h >= e[1] || w >= e[2]) continue;
            for (int c = deep ? k : 0; c < (deep ? k + 1 : C); c++)
                sum += (x[(h * e[2] + w) * C + c] - zero[0]) *
                       weight[deep ? t * K + k : (k * R * R + t) * C + c];
        }
        sum = (int32_t)(uint32_t)(uint64_t)sum;
        int64_t v = (int32_t)(rounded(sum, factor[k], factor[K + k]) + zero[1]);
        v = v < zero[2] ? zero[2] : v;
        wanted[i] = (int8_t)(v > zero[3] ? zero[3] : v);
    }
}

static void run(const nn_integer_conv2d_args *a) {
    for (int u = 0; u < nn__integer_plain_units(a, 0); u++) nn__integer_plain_unit(a, u, own);
}

#ifdef __arm__
static uint32_t ticks(void) { return 0xffffff - *(volatile uint32_t *)0xe000e018u; }
static void begin_ticks(void) {
    *(volatile uint32_t *)0xe000e014u = 0xffffff;
    *(volatile uint32_t *)0xe000e018u = 0;
    *(volatile uint32_t *)0xe000e010u = 5;
}
#else
static uint32_t ticks(void) { return 0; }
static void begin_ticks(void) {}
#endif

static void count(const char *name, int H, int W, int C, int K, int kernel, int depthwise) {
    const nn_integer_conv2d_args a = draw(H, W, C, K, kernel, 1, depthwise);
    for (int k = 0; k < K; k++) factor[K + k] = -8;
    begin_ticks();
    run(&a);
    const double products = (double)H * W * K * kernel * kernel * (depthwise ? 1 : C),
                 each = (double)ticks() * 31.25 / products;
    printf("%s: %d.%03d instructions a multiply-add\n", name, (int)each,
           (int)(each * 1000) % 1000);
}

int main(void) {
    for (int i = 0; i < 300; i++) {
        const int deep = pick(3) == 0, kernel = 1 + 2 * pick(2), H = 1 + pick(7), W = 1 + pick(7),
                  C = 1 + pick(pick(2) ? 9 : 70), K = deep ? C : 1 + pick(40);
        const nn_integer_conv2d_args a = draw(H, W, C, K, kernel, 1 + pick(2), deep && C > 1);
        const int n = a.y.shape.extent[1] * a.y.shape.extent[2] * K;
        if (nn__integer_plain_own(&a) > sizeof own) continue;
        memset(y, 85, sizeof y);
        run(&a);
        exact(&a);
        if (memcmp(y, wanted, (size_t)n) != 0 || y[n] != 85) {
            printf("case %d differs: (%d, %d, %d) to %d, %d x %d\n", i, H, W, C, K, kernel, kernel);
            return 1;
        }
    }
    count("linear 256 to 128", 1, 1, 256, 128, 1, 0);
    count("1 x 1, 64 to 64 channels", 12, 12, 64, 64, 1, 0);
    count("3 x 3, 32 to 32 channels", 12, 12, 32, 32, 3, 0);
    count("depthwise 3 x 3, 64 channels", 12, 12, 64, 64, 3, 1);
    return 0;
}
