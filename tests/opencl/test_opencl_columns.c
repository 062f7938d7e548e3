/* test_opencl_columns.c: sums, means and maxima of long columns, whose pieces the last work-group
   of a launch adds on some devices (nn_reduce_whole). Other devices take a second launch, and the
   bytes must be the same. */
#if !defined(NN_TEST_OPENCL) && !defined(NN_OPENCL_DYNAMIC)
#define NN_OPENCL_DYNAMIC
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include "inside.h"
#include "test.h"

#include "lists.h"
#include "opencl_as_gpu.h"

enum { MOST = 1000 * 1000 };

static nn_context *nn;
static nn__opencl *gpu;
static int launches;
static cl_int(CL_API_CALL *enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                    const size_t *, const size_t *, cl_uint, const cl_event *,
                                    cl_event *);

static cl_int CL_API_CALL count_launch(cl_command_queue queue, cl_kernel kernel, cl_uint extents,
                                       const size_t *offset, const size_t *global,
                                       const size_t *local, cl_uint count, const cl_event *waits,
                                       cl_event *event) {
    launches++;
    return enqueue(queue, kernel, extents, offset, global, local, count, waits, event);
}

static bool open_device(void) {
    nn_opencl_desc desc;
    void *state = NULL;
    memset(&desc, 0, sizeof desc);
    desc.cache_folder = "";
    nn = nn_open(NULL);
    if (!nn || nn_opencl_open(nn, &desc) != NN_OK) {
        nn_close(nn);
        return false;
    }
    nn_device_backend(nn, nn_opencl(0), &state);
    gpu = (nn__opencl *)state;
    enqueue = gpu->cl.EnqueueNDRangeKernel;
    gpu->cl.EnqueueNDRangeKernel = count_launch;
    return true;
}

static nn_tensor *tensor(nn_shape shape) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.device = nn_opencl(0);
    desc.shape = shape;
    return nn_make_tensor(nn, &desc);
}

/* Reduces axis 1 of (outer, rows, columns), and also axis 0 if `both`. */
static void check(int outer, int rows, int columns, nn_reduction reduction, bool both) {
    static float numbers[MOST], results[2][MOST / 64];
    const int kept = both ? 1 : outer;
    const size_t bytes = (size_t)(kept * columns) * 4;
    nn_tensor *x = tensor(NN_SHAPE(outer, rows, columns)), *made[2] = {NULL, NULL};
    ENSURE(x && outer * rows * columns <= MOST && kept * columns <= MOST / 64);
    for (int i = 0; i < outer * rows * columns; i++)
        numbers[i] = (float)((int64_t)i * 7919 % 20011) / 1001.0f - 7.0f;
    ENSURE(nn_upload_tensor(x, numbers, (size_t)(outer * rows * columns) * 4) == NN_OK);
    for (int k = 0; k < 2; k++) {
        nn_tensor *const y = made[k] = tensor(NN_SHAPE(kept, 1, columns)); /* a known call would be repeated */
        int took = launches;
        gpu->gathers = k == 0;
        ENSURE((both ? nn_reduce_forward(y, reduction, x, NN_AXES(0, 1))
                     : nn_reduce_forward(y, reduction, x, NN_AXES(1))) == NN_OK);
        ENSURE(nn_download_tensor(y, results[k], bytes) == NN_OK);
        took = launches - took;
        if (test_wrong(took != 1 + k))
            test_fail(__FILE__, __LINE__, "%d launches instead of %d", took, 1 + k);
    }
    gpu->gathers = true;
    for (int c = 0; c < columns && reduction != NN_MAX; c++) {
        double sum = 0.0;
        for (int r = 0; r < (both ? outer : 1) * rows; r++)
            sum += (double)numbers[r * columns + c];
        if (reduction == NN_MEAN) sum /= (both ? outer : 1) * rows;
        ENSURE_CLOSE(results[0][c], sum, 2e-6 * (7.0 + 13.0) * rows * outer);
    }
    if (test_wrong(memcmp(results[0], results[1], bytes) != 0))
        test_fail(__FILE__, __LINE__, "%d x %d x %d, reduction %d: bytes differ", outer, rows,
                  columns, (int)reduction);
    nn_free_tensor(x), nn_free_tensor(made[0]), nn_free_tensor(made[1]);
}

static void test_columns(void) {
    static const short shapes[][3] = {{1, 65, 3},   {1, 129, 200},  {1, 4096, 140}, {3, 300, 130},
                                      {2, 700, 1},  {5, 64 * 3, 9}, {1, 9000, 5},   {40, 128, 127}};
    static const nn_reduction reductions[] = {NN_SUM, NN_MEAN, NN_MAX};
    if (!open_device()) SKIP("no OpenCL device here");
    if (!gpu->gathers) {
        nn_close(nn);
        SKIP("this device takes a second launch");
    }
    for (int i = 0; i < (int)(sizeof shapes / sizeof *shapes); i++)
        for (int r = 0; r < 3; r++)
            if (shapes[i][2] > 1) /* a single column is a row */
                check(shapes[i][0], shapes[i][1], shapes[i][2], reductions[r], false);
    check(7, 70, 50, NN_SUM, true);
    check(40, 64, 260, NN_MEAN, true);
    nn_close(nn);
}

/* A NaN of any piece reaches its result, and no other. */
static void test_nan(void) {
    static float numbers[300 * 40], sums[40];
    if (!open_device()) SKIP("no OpenCL device here");
    nn_tensor *x = tensor(NN_SHAPE(300, 40)), *y = tensor(NN_SHAPE(1, 40));
    numbers[299 * 40 + 7] = numbers[70 * 40 + 31] = NAN;
    ENSURE(nn_upload_tensor(x, numbers, sizeof numbers) == NN_OK);
    for (int k = 0; k < 2; k++) {
        ENSURE(nn_reduce_forward(y, k ? NN_MAX : NN_SUM, x, NN_AXES(0)) == NN_OK &&
               nn_download_tensor(y, sums, sizeof sums) == NN_OK);
        for (int c = 0; c < 40; c++)
            ENSURE(c == 7 || c == 31 ? sums[c] != sums[c] : sums[c] == 0.0f);
    }
    nn_close(nn);
}

/* A run that is cut into pieces of time, unit by unit, has the same bytes as one launch. */
static void test_slices(void) {
    static float numbers[9000 * 300];
    float results[2][300];
    int slices[2];
    if (!open_device()) SKIP("no OpenCL device here");
    for (int i = 0; i < 9000 * 300; i++)
        numbers[i] = (float)((int64_t)i * 7919 % 20011) / 1001.0f - 7.0f;
    for (int k = 0; k < 2; k++) {
        nn_model_desc on;
        nn_plan_desc desc;
        memset(&on, 0, sizeof on);
        memset(&desc, 0, sizeof desc);
        on.device = nn_opencl(0);
        nn_model *m = nn_make_model(nn, &on);
        nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(9000, 300)),
                *y = nn_sum(m, x, NN_AXES(0));
        NODE_AT(desc.outputs, 0) = y;
        nn_plan *plan = nn_make_plan(m, &desc);
        ENSURE(plan && nn_upload(plan, x, numbers, sizeof numbers) == NN_OK);
        slices[k] = 1;
        if (k)
            while (nn_run_for(plan, 1) == NN_PENDING) slices[k]++;
        else ENSURE(nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, y, results[k], sizeof results[k]) == NN_OK);
        nn_free_plan(plan);
    }
    ENSURE(slices[1] > 1);
    ENSURE(memcmp(results[0], results[1], sizeof results[0]) == 0);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_columns);
    RUN(test_nan);
    RUN(test_slices);
    return test_report();
}
