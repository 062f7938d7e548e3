/* test_opencl_mma.c: when a device uses its matrix units, and what takes their place. The numbers
   of every kernel on matrix units are tested by test_backends.c (NN_TEST_AS=tf32, bf16). */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "inside.h"
#include "test.h"

#include "lists.h"
#include "opencl_as_gpu.h"

enum { BATCH = 40, INPUTS = 96, OUTPUTS = 72 };

static nn_device first;
static char said[4000]; /* the log */

static void hear(void *user, const char *text, size_t length) {
    size_t used = strlen(said);
    (void)user;
    if (length > sizeof said - 1 - used) length = sizeof said - 1 - used;
    memcpy(said + used, text, length);
    said[used + length] = 0;
}

/* Opens a device that is a GPU with these matrix units. NULL: no OpenCL device. */
static nn_context *open_with(nn__opencl_mma mma, nn__opencl **state) {
    nn_opencl_desc desc;
    nn_desc open;
    nn_context *nn;
    void *found = NULL;
    memset(&open, 0, sizeof open);
    memset(&desc, 0, sizeof desc);
    open.log.function = hear;
    desc.cache_folder = "";
    desc.no_clblast = true;
    said[0] = 0;
    nn = nn_open(&open);
    if (nn_opencl_open(nn, &desc) != NN_OK) {
        nn_close(nn);
        return NULL;
    }
    nn_device_backend(nn, first, &found);
    *state = (nn__opencl *)found;
    (*state)->cpu = false;
    (*state)->gpu = true;
    (*state)->forced = NN__OPENCL_TILES;
    (*state)->mma = mma;
    return nn;
}

static float input_at(int i) { return (float)(i * 37 % 1009 - 504) / 1021; }

/* Runs a linear layer, and writes its plan. Returns the number of programs that the device has. */
static int run_layer(nn_context *nn, const nn__opencl *state, nn_precision precision, float *y,
                     char *report, size_t size) {
    static float values[BATCH * INPUTS];
    nn_model_desc model;
    nn_linear_desc linear;
    nn_plan_desc desc;
    nn_text to;
    nn_writer writer = {nn_write_text, NULL};
    nn_plan *plan;
    nn_model *net;
    nn_node *x, *out;
    int programs = 0;
    memset(&model, 0, sizeof model);
    memset(&linear, 0, sizeof linear);
    memset(&desc, 0, sizeof desc);
    memset(&to, 0, sizeof to);
    model.device = first;
    model.seed = 1;
    net = nn_make_model(nn, &model);
    x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, INPUTS));
    linear.out_features = OUTPUTS;
    out = nn_linear(net, "fc", x, &linear);
    NODE_AT(desc.outputs, 0) = out;
    desc.batch = BATCH;
    desc.separate_steps = true;
    desc.precision = precision;
    plan = nn_make_plan(net, &desc);
    for (int i = 0; i < BATCH * INPUTS; i++) values[i] = input_at(i);
    ENSURE(nn_upload(plan, x, values, sizeof values) == NN_OK && nn_run(plan) == NN_OK &&
           nn_download(plan, out, y, BATCH * OUTPUTS * sizeof *y) == NN_OK);
    to.buffer = report;
    to.size = size;
    writer.user = &to;
    nn_write_plan(plan, writer);
    for (const nn__opencl_program *p = state->programs; p; p = p->next) programs++;
    nn_free_plan(plan);
    nn_free_model(net);
    return programs;
}

static double largest_difference(const float *a, const float *b) {
    double most = 0;
    for (int i = 0; i < BATCH * OUTPUTS; i++) {
        const double apart = fabs((double)a[i] - (double)b[i]);
        most = apart > most || apart != apart ? apart : most;
    }
    return most;
}

/* Each precision rounds as it says, and HIGHEST gives the bytes of a device without matrix
   units. */
static void test_precisions(void) {
    static float plain[BATCH * OUTPUTS], highest[BATCH * OUTPUTS], high[BATCH * OUTPUTS],
        medium[BATCH * OUTPUTS];
    static char report[8000];
    nn__opencl *state = NULL;
    nn_context *nn = open_with(NN__OPENCL_MMA_NONE, &state);
    int programs;
    if (!nn) SKIP("no OpenCL device here");
    programs = run_layer(nn, state, NN_PRECISION_HIGHEST, plain, report, sizeof report);
    ENSURE(run_layer(nn, state, NN_PRECISION_MEDIUM, highest, report, sizeof report) == programs);
    ENSURE(memcmp(plain, highest, sizeof plain) == 0 && strstr(report, "bf16") == NULL);
    nn_close(nn);
    nn = open_with(NN__OPENCL_MMA_EMULATED, &state);
    ENSURE(run_layer(nn, state, NN_PRECISION_HIGHEST, highest, report, sizeof report) == programs);
    ENSURE(memcmp(plain, highest, sizeof plain) == 0 && state->mma_tested[0] == 0 &&
           state->mma_tested[1] == 0);
    run_layer(nn, state, NN_PRECISION_HIGH, high, report, sizeof report);
    ENSURE(strstr(report, "tf32") != NULL && strstr(report, "mma") != NULL);
    run_layer(nn, state, NN_PRECISION_MEDIUM, medium, report, sizeof report);
    ENSURE(strstr(report, "bf16") != NULL && strstr(report, "mma") != NULL);
    ENSURE(state->mma_tested[0] == 1 && state->mma_tested[1] == 1 && said[0] == 0);
    /* 96 products of at most 0.5 by 0.11, each off by 2^-10 (2^-7) at most; in fact much less */
    ENSURE(largest_difference(plain, high) > 0 && largest_difference(plain, high) < 3e-3);
    ENSURE(largest_difference(plain, medium) > largest_difference(plain, high) &&
           largest_difference(plain, medium) < 3e-2);
    nn_close(nn);
}

/* Matrix units whose program does not build: f32 kernels take their place, and the log says so. No
   error stays. */
static void test_units_that_fail(void) {
    static float plain[BATCH * OUTPUTS], medium[BATCH * OUTPUTS];
    static char report[8000];
    nn__opencl *state = NULL;
    nn_context *nn = open_with(NN__OPENCL_MMA_GFX90A, &state);
    if (!nn) SKIP("no OpenCL device here");
    run_layer(nn, state, NN_PRECISION_HIGHEST, plain, report, sizeof report);
    ENSURE(said[0] == 0);
    run_layer(nn, state, NN_PRECISION_MEDIUM, medium, report, sizeof report);
    ENSURE(strstr(said, "the self-test of the matrix units with bf16 failed") != NULL);
    ENSURE(nn_error_code(nn) == NN_OK && state->mma_tested[1] == -1);
    ENSURE(memcmp(plain, medium, sizeof plain) == 0);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    first.kind = NN_OPENCL;
    RUN(test_precisions);
    RUN(test_units_that_fail);
    return test_report();
}
