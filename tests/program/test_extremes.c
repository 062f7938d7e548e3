/* test_extremes.c: numbers near the limits of float, and whole numbers beyond 2^24, in operations
   that are not element-wise (test_ulps.c has those): norms of large numbers, the gradient of a
   product, casts and copies of whole numbers. The tests run on every instruction set of this
   machine and, with NN_TEST_OPENCL, on every OpenCL device. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include <stdlib.h>

#include "open.h"
#include "test.h"
#include "lists.h"

/* ---- where ----------------------------------------------------------------------------------- */

typedef struct place {
    nn_context *nn;
    nn_device device;
    char name[32];
} place;

static place places[16];
static int place_count;

static void open_places(void) {
    for (int set = NN_INSTRUCTIONS_PLAIN; set <= LAST_SET; set++) {
        nn_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.instructions = (nn_instruction_set)set;
        nn_context *nn = OPEN_WITH_SET(&desc);
        if (!nn) continue;
        place *p = &places[place_count++];
        p->nn = nn;
        p->device = nn_cpu();
        snprintf(p->name, sizeof p->name, "%s", nn_instruction_set_name(nn));
    }
#ifdef NN_TEST_OPENCL
    nn_opencl_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.cache_folder = "";
    nn_context *nn = nn_open(NULL);
    OPEN_OPENCL_WITH(nn, &desc);
    for (int i = 1; i < nn_device_count(nn); i++) {
        place *p = &places[place_count++];
        p->nn = nn;
        p->device = nn_device_at(nn, i);
        snprintf(p->name, sizeof p->name, "opencl:%d", i - 1);
    }
#endif
}

static nn_tensor *tensor_on(const place *p, nn_dtype dtype, nn_shape shape, const void *numbers) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.name = "t";
    desc.dtype = dtype;
    desc.shape = shape;
    desc.device = p->device;
    nn_tensor *t = nn_make_tensor(p->nn, &desc);
    if (t && numbers) nn_upload_tensor(t, numbers, (size_t)nn_shape_count(shape) * nn_dtype_size(dtype));
    return t;
}

/* ---- norms ----------------------------------------------------------------------------------- */

/* Normalises numbers, (x - mean) / spread, including some whose squares no float holds. kind 0 to
   3: rms, layer, group, batch norm. x is (rows, n), for batch norm (rows, 3, n). */
static void one_norm(const place *p, int kind, int rows, int n, float size) {
    const int count = kind == 3 ? rows * 3 * n : rows * n, sets = kind == 3 ? 3 : rows, each = count / sets;
    float *x = (float *)malloc(sizeof(float) * (size_t)count), *y = (float *)malloc(sizeof(float) * (size_t)count);
    for (int i = 0; i < count; i++) x[i] = size * (float)sin(i * 1.7 + 1);
    const nn_shape shape = kind == 3 ? NN_SHAPE(rows, 3, n) : NN_SHAPE(rows, n);
    nn_tensor *X = tensor_on(p, NN_F32, shape, x), *Y = tensor_on(p, NN_F32, shape, NULL);
    nn_rms_norm_desc rms;
    nn_layer_norm_desc layer;
    nn_group_norm_desc group;
    memset(&rms, 0, sizeof rms), memset(&layer, 0, sizeof layer), memset(&group, 0, sizeof group);
    rms.normalized_shape = layer.normalized_shape = NN_SHAPE(n);
    group.num_groups = 1;
    const nn_result result = kind == 0   ? nn_rms_norm_forward(Y, NULL, X, NULL, &rms)
                             : kind == 1 ? nn_layer_norm_forward(Y, NULL, NULL, X, NULL, NULL, &layer)
                             : kind == 2 ? nn_group_norm_forward(Y, NULL, NULL, X, NULL, NULL, &group)
                                         : nn_batch_norm_forward(Y, NULL, NULL, NULL, X, NULL, NULL, NULL, NULL, 0);
    ENSURE(result == NN_OK && nn_download_tensor(Y, y, sizeof(float) * (size_t)count) == NN_OK);
    for (int s = 0; s < sets; s++) {
        double mean = 0, square = 0;
        int wrong = 0, at = 0;
#define PLACE(i) (kind == 3 ? ((i) / n * 3 + s) * n + (i) % n : s * n + (i))
        for (int i = 0; i < each && kind; i++) mean += (double)x[PLACE(i)] / each;
        for (int i = 0; i < each; i++) square += pow((double)x[PLACE(i)] - mean, 2) / each;
        for (int i = 0; i < each; i++) {
            const double want = ((double)x[PLACE(i)] - mean) / sqrt(square);
            if (!(fabs((double)y[PLACE(i)] - want) <= 1e-4)) wrong++, at = PLACE(i);
        }
        if (wrong)
            test_fail(__FILE__, __LINE__, "kind %d on %s, %d x %d of %g: %d of set %d are wrong, such as number %d: %g", kind, p->name,
                      rows, n, (double)size, wrong, s, at, (double)y[at]);
    }
    nn_free_tensor(X), nn_free_tensor(Y), free(x), free(y);
}

static void norms_of_large_numbers(void) {
    static const int shapes[][2] = {{1, 24}, {3, 7}, {2, 5000}, {40, 33}, {70, 1}, {5, 300}};
    static const float sizes[] = {1.0f, 1e20f, 1e30f};
    for (int k = 0; k < place_count; k++)
        for (int kind = 0; kind < 4; kind++)
            for (int i = 0; i < 6; i++)
                for (int s = 0; s < 3; s++)
                    if (kind == 3 || shapes[i][1] > 1) one_norm(&places[k], kind, shapes[i][0], shapes[i][1], sizes[s]);
}

/* ---- products -------------------------------------------------------------------------------- */

/* The gradient is the product of the other numbers of the row, which may be a float even if the
   product of all overflows. There are `rows` rows of n numbers. */
static void one_product(const place *p, const float *x, int rows, int n, bool accumulate) {
    const int count = rows * n;
    float *dx = (float *)malloc(sizeof(float) * (size_t)count), *dy = (float *)malloc(sizeof(float) * (size_t)rows);
    for (int i = 0; i < rows; i++) dy[i] = 0.5f + 0.25f * (float)(i % 3);
    for (int i = 0; i < count; i++) dx[i] = 1;
    nn_tensor *X = tensor_on(p, NN_F32, NN_SHAPE(rows, n), x), *DX = tensor_on(p, NN_F32, NN_SHAPE(rows, n), dx);
    nn_tensor *DY = tensor_on(p, NN_F32, NN_SHAPE(rows, 1), dy);
    ENSURE(nn_reduce_backward(DX, NN_PROD, DY, X, NULL, NN_AXES(1), accumulate) == NN_OK);
    ENSURE(nn_download_tensor(DX, dx, sizeof(float) * (size_t)count) == NN_OK);
    for (int i = 0; i < count; i++) {
        double want = (double)dy[i / n], more = accumulate ? 1 : 0;
        for (int j = 0; j < n; j++)
            if (j != i % n) want *= (double)x[i / n * n + j];
        const double wanted = (double)(float)(want + more), off = n * 1.2e-7 * fabs(want) + 1.2e-7 * fabs(wanted) + 1.2e-38;
        const double got = (double)dx[i];
        if (!(got == wanted || fabs(got - want - more) <= off || (got != got && wanted != wanted)))
            test_fail(__FILE__, __LINE__, "%s, row %d of %d: the gradient by %g is %g, not %g", p->name, i / n, n,
                      (double)x[i], got, want + more);
    }
    nn_free_tensor(X), nn_free_tensor(DX), nn_free_tensor(DY), free(dx), free(dy);
}

static void gradients_of_products(void) {
    static const float four[] = {1e38f, 1e38f, 1,     1,    1e30f, -1e30f, 2,     0.5f,     1e-25f, 1e-25f,   -1, 1,        1e-30f, 1e-30f, 1e30f, 1e30f,
                                 0,     1e38f, 1e-3f, -2,   0,     3,      0,     4,        2,      INFINITY, 3,  -4,       2,      NAN,    3,     4,
                                 0,     3,     5,     NAN,  0,     1,      2,     INFINITY, -2,     -3,       -4, -0.0625f, 1e-45f, 1e20f,  1e20f, 1,
                                 NAN,   NAN,   1,     2};
    float many[3 * 200];
    for (int i = 0; i < 600; i++) many[i] = (i < 200 ? 10.0f : i < 400 ? 0.1f : 1.0f) * (1.5f + (float)sin(i));
    many[450] = 0;
    for (int k = 0; k < place_count; k++)
        for (int accumulate = 0; accumulate < 2; accumulate++) {
            one_product(&places[k], four, (int)(sizeof four / sizeof four[0]) / 4, 4, accumulate == 1);
            one_product(&places[k], many, 3, 200, accumulate == 1);
            one_product(&places[k], four + 25, 1, 1, accumulate == 1);
        }
}

/* ---- whole numbers --------------------------------------------------------------------------- */

/* Operations that move whole numbers keep all of their bits, which a float cannot hold. */
static void whole_numbers_keep_their_bits(void) {
    enum { N = 9 };
    static const int32_t x[N] = {0, -1, 16777216, 16777217, -16777217, 33554435, 1000000007, INT32_MAX, INT32_MIN};
    static const int32_t order[N] = {8, 7, 6, 5, 4, 3, 2, 1, 0};
    for (int k = 0; k < place_count; k++) {
        const place *p = &places[k];
        int32_t y[2 * N];
        nn_tensor *X = tensor_on(p, NN_I32, NN_SHAPE(N), x), *Y = tensor_on(p, NN_I32, NN_SHAPE(N), NULL);
        nn_tensor *I = tensor_on(p, NN_I32, NN_SHAPE(N), order);
        ENSURE(nn_cast_forward(Y, X) == NN_OK && nn_download_tensor(Y, y, sizeof x) == NN_OK);
        for (int i = 0; i < N; i++) ENSURE(y[i] == x[i]);
        ENSURE(nn_gather_forward(Y, X, 0, I) == NN_OK && nn_download_tensor(Y, y, sizeof x) == NN_OK);
        for (int i = 0; i < N; i++) ENSURE(y[i] == x[N - 1 - i]);
        ENSURE(nn_copy(Y, X) == NN_OK && nn_download_tensor(Y, y, sizeof x) == NN_OK);
        for (int i = 0; i < N; i++) ENSURE(y[i] == x[i]);
        nn_model_desc desc;
        nn_plan_desc planned;
        memset(&desc, 0, sizeof desc), memset(&planned, 0, sizeof planned);
        desc.device = p->device;
        nn_model *net = nn_make_model(p->nn, &desc);
        nn_node *in = nn_input(net, "in", NN_I32, NN_SHAPE(N));
        nn_node *parts[2] = {in, nn_flip(net, in, NN_AXES(0))};
        nn_nodes list;
        list.node = parts;
        list.count = 2;
        NODE_AT(planned.outputs, 0) = nn_concat(net, list, 0);
        nn_plan *plan = nn_make_plan(net, &planned);
        ENSURE(plan && nn_upload(plan, in, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, planned.outputs.node[0], y, sizeof y) == NN_OK);
        for (int i = 0; i < N; i++) ENSURE(y[i] == x[i] && y[N + i] == x[N - 1 - i]);
        nn_free_plan(plan), nn_free_model(net);
        nn_free_tensor(X), nn_free_tensor(Y), nn_free_tensor(I);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    open_places();
    RUN(norms_of_large_numbers);
    RUN(gradients_of_products);
    RUN(whole_numbers_keep_their_bits);
    return test_report();
}
