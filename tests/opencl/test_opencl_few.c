/* test_opencl_few.c: few pictures on a GPU. Convolutions whose depth is cut over work-groups give
   the sums of the CPU backend, and the same bytes in each run and in slices. They take one launch
   where the last work-group adds the parts. The same holds for attention of one query. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_sequence.h"
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
    nn_use_sequence_kernels(nn);
    return nn;
}

typedef struct shape {
    int images, channels, rows, side, taps, stride, padding, groups;
    bool bias, relu, accumulate, gelu;
} shape;

/* Odd extents: the last tiles, turns and parts are not full. */
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

/* Runs a convolution. slices: in several ranges of units. Returns the numbers of y, which the
   caller frees. */
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

/* A convolution that fills the device is not cut. */
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

/* ---- one query per sequence ------------------------------------------------------------------ */

typedef struct query {
    int samples, heads, key_heads, keys, width, values;
    nn_dtype dtype;
    bool inside, causal, positions, lengths, starts, mask, alibi, log_sum;
    int window;
} query;

static const query queries[] = {
    {1, 12, 12, 1000, 64, 64, NN_F32, true, true, true, false, false, false, false, false, 0},
    {2, 4, 2, 203, 48, 80, NN_BF16, true, true, true, true, false, false, false, true, 0},
    {3, 6, 3, 130, 30, 33, NN_F16, false, false, false, true, false, true, false, true, 0},
    {1, 2, 1, 517, 128, 128, NN_F32, false, true, true, false, true, false, true, true, 100},
    {2, 3, 3, 64, 7, 5, NN_F32, true, false, false, true, true, true, false, false, 0},
};

static nn_tensor *make_ints(nn_context *nn, nn_device on, int count, int scale, int shift) {
    nn_tensor_desc desc;
    int32_t values[16];
    nn_tensor *t;
    memset(&desc, 0, sizeof desc);
    desc.shape = NN_SHAPE(count);
    desc.dtype = NN_I32;
    desc.device = on;
    t = nn_make_tensor(nn, &desc);
    for (int i = 0; i < count; i++) values[i] = scale * i + shift;
    nn_upload_tensor(t, values, (size_t)count * sizeof *values);
    return t;
}

/* Makes a tensor of f16 or bf16 from numbers that both formats hold exactly. */
static nn_tensor *make_halves(nn_context *nn, nn_device on, nn_shape extents, unsigned seed,
                              nn_dtype dtype) {
    nn_tensor_desc desc;
    const int64_t count = nn_shape_count(extents);
    uint16_t *values = (uint16_t *)malloc((size_t)count * sizeof *values);
    nn_tensor *t;
    if (dtype == NN_F32) {
        free(values);
        return make(nn, on, extents, seed, 1);
    }
    memset(&desc, 0, sizeof desc);
    desc.shape = extents;
    desc.dtype = dtype;
    desc.device = on;
    t = nn_make_tensor(nn, &desc);
    for (int64_t i = 0; i < count; i++) { /* between 1 and 2, or -2 and -1 */
        const unsigned w = (seed + (unsigned)i) * 2654435761u >> 8, sign = w & 0x8000u;
        values[i] = (uint16_t)(sign | (dtype == NN_F16 ? 0x3c00u | (w & 0x3ffu)
                                                       : 0x3f80u | (w & 0x7fu)));
    }
    nn_upload_tensor(t, values, (size_t)count * sizeof *values);
    free(values);
    return t;
}

typedef struct answer {
    float *y, *log_sum;
    int64_t count;
    int lines, launches, groups;
    nn_result result;
} answer;

static answer attend(nn_context *nn, nn_device on, const query *s, bool slices) {
    const bool in = s->inside;
    nn_tensor *q = make(nn, on, in ? NN_SHAPE(s->samples, 1, s->heads, s->width)
                                   : NN_SHAPE(s->samples, s->heads, 1, s->width), 3, 1);
    nn_tensor *k = make_halves(nn, on, in ? NN_SHAPE(s->samples, s->keys, s->key_heads, s->width)
                                          : NN_SHAPE(s->samples, s->key_heads, s->keys, s->width),
                               11, s->dtype);
    nn_tensor *v = make_halves(nn, on, in ? NN_SHAPE(s->samples, s->keys, s->key_heads, s->values)
                                          : NN_SHAPE(s->samples, s->key_heads, s->keys, s->values),
                               77, s->dtype);
    nn_tensor *y = make(nn, on, in ? NN_SHAPE(s->samples, 1, s->heads, s->values)
                                   : NN_SHAPE(s->samples, s->heads, 1, s->values), 5, 1);
    nn_tensor *log_sum = make(nn, on, NN_SHAPE(s->samples, s->heads, 1), 9, 1);
    nn_tensor *mask = make(nn, on, NN_SHAPE(1, s->heads, 1, s->keys), 21, 1);
    nn_tensor *positions = make_ints(nn, on, s->samples, -7, s->keys - 9);
    nn_tensor *lengths = make_ints(nn, on, s->samples, 3, s->keys / 2);
    nn_tensor *starts = make_ints(nn, on, s->samples, 2, 4);
    nn_tensor *status = make_ints(nn, on, 1, 0, 0), *scratch = NULL;
    void *state = NULL;
    const nn_backend *backend = nn_device_backend(nn, on, &state);
    nn_attention_args a;
    nn_range range = {0, -1};
    answer r;
    memset(&a, 0, sizeof a);
    memset(&r, 0, sizeof r);
    a.q = nn_tensor_view(q), a.k = nn_tensor_view(k), a.v = nn_tensor_view(v);
    a.y = nn_tensor_view(y), a.status = nn_tensor_view(status);
    if (s->log_sum) a.log_sum = nn_tensor_view(log_sum);
    if (s->mask) a.mask = nn_tensor_view(mask);
    if (s->positions) a.positions = nn_tensor_view(positions);
    if (s->lengths) a.lengths = nn_tensor_view(lengths);
    if (s->starts) {
        a.starts = nn_tensor_view(starts);
        a.starts.shape = NN_SHAPE(s->samples, 1);
    }
    a.scale = 0.3f;
    a.causal = s->causal, a.window = s->window, a.alibi = s->alibi;
    a.heads_inside = s->inside;
    const uint64_t bytes = backend->scratch_bytes(state, NN_KERNEL_ATTENTION_FORWARD, &a);
    if (bytes) {
        scratch = make(nn, on, NN_SHAPE((int32_t)(bytes / 4 + 16)), 1, 1);
        a.scratch = nn_tensor_view(scratch);
    }
    const int32_t units = backend->units(state, NN_KERNEL_ATTENTION_FORWARD, &a);
    launches = groups = 0;
    for (int32_t i = 0; slices && i < units && r.result == NN_OK; i++) {
        range.first = i, range.count = 1;
        r.result = nn_run_kernel(nn, on, NN_KERNEL_ATTENTION_FORWARD, &a, range);
    }
    if (!slices) r.result = nn_run_kernel(nn, on, NN_KERNEL_ATTENTION_FORWARD, &a, range);
    r.launches = launches, r.groups = groups;
    r.count = nn_shape_count(nn_tensor_shape(y));
    r.lines = s->samples * s->heads;
    r.y = (float *)malloc((size_t)r.count * sizeof *r.y);
    r.log_sum = (float *)malloc((size_t)r.lines * sizeof *r.log_sum);
    nn_download_tensor(y, r.y, (size_t)r.count * sizeof *r.y);
    nn_download_tensor(log_sum, r.log_sum, (size_t)r.lines * sizeof *r.log_sum);
    nn_tensor *all[] = {q, k, v, y, log_sum, mask, positions, lengths, starts, status};
    for (int i = 0; i < 10; i++) nn_free_tensor(all[i]);
    if (scratch) nn_free_tensor(scratch);
    return r;
}

static void check_queries(bool gathers) {
    nn__opencl *device = NULL;
    nn_context *nn = open_gpu(132, gathers, &device);
    if (!nn) SKIP("no OpenCL device here");
    for (size_t k = 0; k < sizeof queries / sizeof queries[0]; k++) {
        const query *s = &queries[k];
        answer r[4];
        double apart = 0;
        r[0] = attend(nn, nn_cpu(), s, false);
        for (int i = 1; i < 4; i++) r[i] = attend(nn, first, s, i == 3);
        for (int64_t i = 0; i < r[0].count; i++) {
            const double d = fabs((double)r[0].y[i] - (double)r[1].y[i]);
            apart = d > apart || d != d ? d : apart;
        }
        for (int i = 0; i < r[0].lines; i++) {
            const double d = fabs((double)r[0].log_sum[i] - (double)r[1].log_sum[i]) / 16;
            apart = d > apart || d != d ? d : apart;
        }
        if (test_wrong(r[0].result || r[1].result || r[2].result || r[3].result))
            test_fail(__FILE__, __LINE__, "query %d: %s", (int)k, nn_error(nn));
        if (test_wrong(!(apart <= 3e-6)))
            test_fail(__FILE__, __LINE__, "query %d: off by %.3g", (int)k, apart);
        for (int i = 2; i < 4; i++)
            if (test_wrong(memcmp(r[1].y, r[i].y, (size_t)r[0].count * sizeof(float)) != 0))
                test_fail(__FILE__, __LINE__, "query %d: other bytes", (int)k);
        if (test_wrong(r[1].launches != (gathers ? 1 : 2)))
            test_fail(__FILE__, __LINE__, "query %d: %d launches", (int)k, r[1].launches);
        if (test_wrong(k == 0 && r[1].groups < 132))
            test_fail(__FILE__, __LINE__, "only %d work-groups", r[1].groups);
        for (int i = 0; i < 4; i++) free(r[i].y), free(r[i].log_sum);
    }
    nn_close(nn);
}

/* The keys of a head are cut over work-groups. The joined parts give the CPU's numbers. */
static void test_query_gathers(void) { check_queries(true); }
static void test_query_joins(void) { check_queries(false); }

int main(int argc, char **argv) {
    test_start(argc, argv);
    first.kind = NN_OPENCL;
    RUN(test_cut_gathers);
    RUN(test_cut_adds);
    RUN(test_full_device);
    RUN(test_query_gathers);
    RUN(test_query_joins);
    return test_report();
}
