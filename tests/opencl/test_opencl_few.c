/* test_opencl_few.c: few pictures on a GPU. Convolutions whose depth is cut over work-groups give
   the sums of the CPU backend, the same bytes in each run and in slices, and one launch where the
   last work-group adds the parts. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <math.h>
#include <stdlib.h>

#include "inside.h"
#include "test.h"

#include "opencl_as_gpu.h"

static nn_device first;
static nn__opencl_api real;
static int launches, groups;

static cl_int CL_API_CALL count_launch(cl_command_queue queue, cl_kernel kernel, cl_uint extents,
                                       const size_t *offset, const size_t *global,
                                       const size_t *local, cl_uint count, const cl_event *waits,
                                       cl_event *event) {
    int all = 1;
    for (cl_uint i = 0; i < extents; i++) all *= (int)(global[i] / local[i]);
    if (all > groups) groups = all;
    launches++;
    return real.EnqueueNDRangeKernel(queue, kernel, extents, offset, global, local, count, waits,
                                     event);
}

static nn_context *open_gpu(int units, bool gathers, nn__opencl **device) {
    nn_opencl_desc desc;
    nn_context *nn = nn_open(NULL);
    void *state = NULL;
    memset(&desc, 0, sizeof desc);
    desc.cache_folder = "";
    desc.no_clblast = true;
    if (nn_opencl_open(nn, &desc) != NN_OK) {
        nn_close(nn);
        return NULL;
    }
    nn_device_backend(nn, first, &state);
    *device = (nn__opencl *)state;
    (*device)->cpu = false, (*device)->gpu = true, (*device)->units = (cl_uint)units;
    (*device)->forced = NN__OPENCL_TILES;
    (*device)->gathers = gathers;
    real = (*device)->cl;
    (*device)->cl.EnqueueNDRangeKernel = count_launch;
    nn_use_all_kernels(nn);
    return nn;
}

typedef struct shape {
    int images, channels, rows, side, taps, stride, padding, groups;
    bool bias, relu, accumulate, gelu;
} shape;

/* Odd extents, so that tiles, turns and parts end within. */
static const shape shapes[] = {
    {1, 320, 96, 7, 3, 1, 1, 1, true, true, false, false},
    {1, 131, 70, 9, 3, 1, 1, 1, true, false, false, false},
    {2, 96, 33, 11, 3, 2, 1, 1, false, false, true, false},
    {1, 333, 45, 5, 1, 1, 0, 1, true, false, false, true},
    {1, 120, 66, 8, 5, 1, 2, 2, false, true, false, false},
    {3, 77, 39, 6, 2, 1, 0, 1, true, false, true, false},
};

static float number_at(unsigned i) {
    i = i * 2654435761u + 12345u;
    return (float)(i >> 8) / 8388608.0f - 1.0f;
}

static nn_tensor *make(nn_context *nn, nn_device device, nn_shape extents, unsigned seed,
                       float scale) {
    nn_tensor_desc desc;
    nn_tensor *t;
    const int64_t count = nn_shape_count(extents);
    float *values = (float *)malloc((size_t)count * sizeof *values);
    memset(&desc, 0, sizeof desc);
    desc.shape = extents;
    desc.device = device;
    t = nn_make_tensor(nn, &desc);
    for (int64_t i = 0; i < count; i++) values[i] = scale * number_at(seed + (unsigned)i);
    nn_upload_tensor(t, values, (size_t)count * sizeof *values);
    free(values);
    return t;
}

/* Runs a convolution; slices: in several ranges of units. Returns the numbers of y, which the caller
   frees. */
static float *convolve(nn_context *nn, nn_device on, const shape *s, bool slices, int64_t *count,
                       nn_result *result) {
    const int out = (s->side + 2 * s->padding - s->taps) / s->stride + 1;
    nn_tensor *x = make(nn, on, NN_SHAPE(s->images, s->channels, s->side, s->side), 7, 1);
    nn_tensor *w = make(nn, on, NN_SHAPE(s->rows, s->channels / s->groups, s->taps, s->taps), 99,
                        0.1f);
    nn_tensor *b = make(nn, on, NN_SHAPE(s->rows), 5, 1);
    nn_tensor *y = make(nn, on, NN_SHAPE(s->images, s->rows, out, out), 55, 1), *scratch = NULL;
    void *state = NULL;
    const nn_backend *backend = nn_device_backend(nn, on, &state);
    nn_conv2d_args a;
    nn_range range = {0, -1};
    float *values;
    memset(&a, 0, sizeof a);
    a.x = nn_tensor_view(x), a.weight = nn_tensor_view(w), a.y = nn_tensor_view(y);
    if (s->bias) a.epilogue.bias = nn_tensor_view(b);
    if (s->relu) a.epilogue.activation = NN_ACTIVATION_RELU;
    if (s->gelu) a.epilogue.activation = NN_ACTIVATION_GELU;
    a.params.kernel_h = a.params.kernel_w = s->taps;
    a.params.stride_h = a.params.stride_w = s->stride;
    a.params.padding_h = a.params.padding_w = s->padding;
    a.params.dilation_h = a.params.dilation_w = 1;
    a.params.groups = s->groups;
    a.accumulate = s->accumulate;
    const uint64_t bytes = backend->scratch_bytes(state, NN_KERNEL_CONV2D_FORWARD, &a);
    if (bytes) {
        scratch = make(nn, on, NN_SHAPE((int32_t)(bytes / 4 + 16)), 1, 1);
        a.scratch = nn_tensor_view(scratch);
    }
    const int32_t units = backend->units(state, NN_KERNEL_CONV2D_FORWARD, &a);
    launches = groups = 0;
    *result = NN_OK;
    if (slices)
        for (int32_t i = 0; i < units && *result == NN_OK; i++) {
            range.first = i, range.count = 1;
            *result = nn_run_kernel(nn, on, NN_KERNEL_CONV2D_FORWARD, &a, range);
        }
    else
        *result = nn_run_kernel(nn, on, NN_KERNEL_CONV2D_FORWARD, &a, range);
    *count = nn_shape_count(nn_tensor_shape(y));
    values = (float *)malloc((size_t)*count * sizeof *values);
    nn_download_tensor(y, values, (size_t)*count * sizeof *values);
    nn_free_tensor(x), nn_free_tensor(w), nn_free_tensor(b), nn_free_tensor(y);
    if (scratch) nn_free_tensor(scratch);
    return values;
}

static void check_all(bool gathers) {
    nn__opencl *device = NULL;
    nn_context *nn = open_gpu(132, gathers, &device);
    if (!nn) SKIP("no OpenCL device here");
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const shape *s = &shapes[k];
        nn_result result[4];
        int64_t count;
        float *wanted = convolve(nn, nn_cpu(), s, false, &count, &result[0]);
        float *y = convolve(nn, first, s, false, &count, &result[1]);
        const int launched = launches, most = groups;
        float *again = convolve(nn, first, s, false, &count, &result[2]);
        float *sliced = convolve(nn, first, s, true, &count, &result[3]);
        double apart = 0;
        const double depth = (double)s->channels / s->groups * s->taps * s->taps;
        for (int64_t i = 0; i < count; i++) {
            const double d = fabs((double)wanted[i] - (double)y[i]);
            apart = d > apart || d != d ? d : apart;
        }
        if (test_wrong(result[0] != NN_OK || result[1] != NN_OK || result[2] != NN_OK ||
                       result[3] != NN_OK))
            test_fail(__FILE__, __LINE__, "shape %d: %s", (int)k, nn_error(nn));
        /* sums of `depth` products below 0.1, added in another order */
        if (test_wrong(!(apart <= 0.1 * depth * 6e-8 * 8 + 1e-6)))
            test_fail(__FILE__, __LINE__, "shape %d: off by %.3g", (int)k, apart);
        if (test_wrong(memcmp(y, again, (size_t)count * 4) != 0 ||
                       memcmp(y, sliced, (size_t)count * 4) != 0))
            test_fail(__FILE__, __LINE__, "shape %d: other bytes", (int)k);
        if (test_wrong(launched > (gathers ? 1 : 2)))
            test_fail(__FILE__, __LINE__, "shape %d: %d launches", (int)k, launched);
        if (test_wrong(k == 0 && most < 60))
            test_fail(__FILE__, __LINE__, "only %d work-groups", most);
        free(wanted), free(y), free(again), free(sliced);
    }
    nn_close(nn);
}

static void test_cut_gathers(void) { check_all(true); }
static void test_cut_adds(void) { check_all(false); }

/* A device that is full is not cut: nothing changes there. */
static void test_full_device(void) {
    nn__opencl *device = NULL;
    nn_context *nn = open_gpu(1, true, &device);
    const shape s = {8, 64, 64, 8, 3, 1, 1, 1, true, true, false, false};
    nn_result result;
    int64_t count;
    if (!nn) SKIP("no OpenCL device here");
    free(convolve(nn, first, &s, false, &count, &result));
    ENSURE(result == NN_OK && launches == 1 && groups <= 32);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    first.kind = NN_OPENCL;
    RUN(test_cut_gathers);
    RUN(test_cut_adds);
    RUN(test_full_device);
    return test_report();
}
