/* tests/opencl/test_opencl_moments.c - variance and standard deviation on OpenCL, forward and
   backward, compared with double: for rows and columns whose mean is large compared with their
   spread, and for constant ones. Gradients are checked along rows, for which OpenCL has a kernel
   that subtracts the first number of the row. Gradients along other axes, and the CPU's, subtract a
   rounded mean. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include <math.h>
#include <stdlib.h>

#include "open.h"
#include "test.h"

enum { KINDS = 5, MOST = 70001 };

/* Returns number i of a row of this kind. No kind has a spread that a mean in float would hide. */
static float number(int kind, int i) {
    switch (kind) {
    case 0: return 12345.678f;
    case 1: return 0.1f;
    case 2: return 12345.7f + 0.0009765625f * (float)(i % 3);
    case 3: return (float)(i % 7);
    default: return i == 0 ? -3.0f : 1000.0f + 0.00006103515625f * (float)(i % 5);
    }
}

static void moments(int kind, int n, double *mean, double *variance) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) sum += (double)number(kind, i);
    *mean = sum / n;
    for (int i = 0; i < n; i++) {
        const double d = (double)number(kind, i) - *mean;
        squares += d * d;
    }
    *variance = squares / (n - 1);
    if (kind < 2) *mean = (double)number(kind, 0), *variance = 0;
}

static float x[KINDS * MOST], dx[KINDS * MOST];

static nn_tensor *tensor(nn_context *nn, nn_device device, nn_shape shape) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.device = device;
    desc.shape = shape;
    return nn_make_tensor(nn, &desc);
}

/* Checks n numbers along an axis: 1, rows; 0, columns. */
static void check(nn_context *nn, nn_device device, bool deviation, int axis, int n) {
    const nn_shape of_x = axis ? NN_SHAPE(KINDS, n) : NN_SHAPE(n, KINDS),
                   of_y = axis ? NN_SHAPE(KINDS, 1) : NN_SHAPE(1, KINDS);
    const nn_reduction reduction = deviation ? NN_STD : NN_VAR;
    const size_t bytes = sizeof *x * (size_t)(KINDS * n);
    float got[KINDS], ones[KINDS];
    nn_tensor *in = tensor(nn, device, of_x), *slope = tensor(nn, device, of_x),
              *y = tensor(nn, device, of_y), *dy = tensor(nn, device, of_y);
    for (int k = 0; k < KINDS; k++) {
        ones[k] = 1;
        for (int i = 0; i < n; i++) x[axis ? k * n + i : i * KINDS + k] = number(k, i);
    }
    ENSURE(nn_upload_tensor(in, x, bytes) == NN_OK &&
           nn_upload_tensor(dy, ones, sizeof ones) == NN_OK);
    ENSURE(nn_reduce_forward(y, reduction, in, NN_AXES(axis)) == NN_OK);
    ENSURE(nn_reduce_backward(slope, reduction, dy, in, y, NN_AXES(axis), false) == NN_OK);
    ENSURE(nn_download_tensor(y, got, sizeof got) == NN_OK &&
           nn_download_tensor(slope, dx, bytes) == NN_OK);
    nn_free_tensor(in), nn_free_tensor(slope), nn_free_tensor(y), nn_free_tensor(dy);
    for (int k = 0; k < KINDS; k++) {
        double mean, variance;
        moments(k, n, &mean, &variance);
        const double root = sqrt(variance), want = deviation ? root : variance;
        if (test_wrong(!(fabs((double)got[k] - want) <= 1e-4 * want)))
            test_fail(__FILE__, __LINE__, "%s of %d along %d, kind %d: %g, not %g",
                      deviation ? "std" : "var", n, axis, k, (double)got[k], want);
        double worst = 0, most = 0;
        for (int i = 0; i < n; i++) {
            const double d = (double)number(k, i) - mean;
            const double right = variance == 0 ? 0 : (deviation ? d / root : 2 * d) / (n - 1);
            const double off = fabs((double)dx[axis ? k * n + i : i * KINDS + k] - right);
            worst = off > worst || off != off ? off : worst;
            most = fabs(right) > most ? fabs(right) : most;
        }
        if (axis == 1 && device.kind == NN_OPENCL && test_wrong(!(worst <= 2e-2 * most)))
            test_fail(__FILE__, __LINE__,
                      "gradient of %s of %d along %d, kind %d: off by %g, the largest is %g",
                      deviation ? "std" : "var", n, axis, k, worst, most);
    }
}

static void test_on(nn_context *nn, nn_device device) {
    static const int lengths[] = {3, 24, 91, 700, MOST};
    for (int l = 0; l < 5; l++)
        for (int axis = 0; axis < 2; axis++)
            for (int deviation = 0; deviation < 2; deviation++)
                check(nn, device, deviation != 0, axis, lengths[l]);
}

static void test_cpu(void) {
    nn_context *nn = nn_open(NULL);
    ENSURE(nn != NULL);
    test_on(nn, nn_cpu());
    nn_close(nn);
}

static void test_opencl(void) {
#ifdef NN_TEST_OPENCL
    nn_context *nn = nn_open(NULL);
    nn_opencl_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.cache_folder = "";
    ENSURE(nn != NULL);
    if (OPEN_OPENCL_WITH(nn, &desc))
        for (int d = 1; d < nn_device_count(nn); d++) test_on(nn, nn_device_at(nn, d));
    nn_close(nn);
#else
    SKIP("built without OpenCL");
#endif
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_cpu);
    RUN(test_opencl);
    return test_report();
}
