/* test_opencl_mma.c: when a device uses its matrix units, and what takes their place. The numbers
   of every kernel on matrix units are tested by test_backends.c (NN_TEST_AS=tf32, bf16). */
#define _POSIX_C_SOURCE 200809L /* setenv */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "emulated_units.h"
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
    ENSURE_OR(-1, nn_upload(plan, x, values, sizeof values) == NN_OK && nn_run(plan) == NN_OK &&
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

/* ---- products whose operands are copied as they are ------------------------------------------ */

enum { EXTENT = 300, STEPS = 420, NUMBERS = EXTENT * STEPS, RESULTS = EXTENT * EXTENT };
enum { SCRATCH = 2 * 3 * (STEPS / 16 + 1) * 8192 + 16 * 4 * RESULTS };

/* A product, and where its matrices begin in the buffer, in bytes. */
typedef struct copied_case {
    int m, n, k;
    nn_dtype a, b; /* f32 or bf16 */
    bool transpose_a, transpose_b;
    bool bf16; /* the precision */
} copied_case;

static uint32_t shape_state = 2026;
static int drawn(int from, int to) {
    shape_state = shape_state * 1664525u + 1013904223u;
    return from + (int)((shape_state >> 8) % (uint32_t)(to - from + 1));
}

static void set_view(nn_view *view, void *handle, uint64_t offset, nn_dtype dtype, int rows,
                     int columns) {
    const int32_t extents[] = {rows, columns};
    view->handle = handle;
    view->offset = offset;
    view->dtype = dtype;
    view->shape = nn_make_shape(extents, 2);
}

/* Writes `count` numbers between -1 and 1 to an image of the buffer, and keeps them as f32. */
static void fill_operand(char *image, float *kept, int count, nn_dtype dtype) {
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        uint16_t half;
        kept[i] = (float)drawn(-8388607, 8388607) / 8388608.0f;
        memcpy(&bits, &kept[i], sizeof bits);
        if (dtype == NN_BF16) bits &= 0xffff0000u;
        memcpy(&kept[i], &bits, sizeof bits);
        half = (uint16_t)(bits >> 16);
        if (dtype == NN_BF16) memcpy(image + 2 * i, &half, sizeof half);
        else memcpy(image + 4 * i, &bits, sizeof bits);
    }
}

/* Returns the largest distance between y and sums in double, divided by the error that rounding
   allows: half a unit in the last place of each f32 operand, and f32 sums. */
static double copied_distance(const copied_case *c, const float *a, const float *b,
                              const float *y) {
    const double each = c->bf16 ? 1.0 / 256 : 1.0 / 2048;
    const double unit = (c->a == NN_F32 ? each : 0) + (c->b == NN_F32 ? each : 0);
    double most = 0;
    for (int i = 0; i < c->m; i++)
        for (int j = 0; j < c->n; j++) {
            double sum = 0, size = 1e-30, apart;
            for (int l = 0; l < c->k; l++) {
                const double product =
                    (double)a[c->transpose_a ? l * c->m + i : i * c->k + l] *
                    (double)b[c->transpose_b ? j * c->k + l : l * c->n + j];
                sum += product;
                size += fabs(product);
            }
            apart = fabs((double)y[i * c->n + j] - sum) /
                    (size * (1.01 * unit + 6e-8 * (c->k + 2)));
            if (!(apart <= most)) most = apart;
        }
    return most;
}

/* Runs a product with copied operands. The rest of the buffer is NaN. Returns the distance. */
static double run_copied(nn__opencl *state, const copied_case *c) {
    static float a[NUMBERS], b[NUMBERS], y[RESULTS];
    static char image[8 * NUMBERS + 64];
    const nn__opencl_kernel *gemm = nn__opencl_kernel_of(NN_KERNEL_GEMM);
    const uint64_t b_at = 4 * NUMBERS, y_at = 8 * NUMBERS + 64, scratch_at = y_at + 4 * RESULTS,
                   bytes = scratch_at + SCRATCH;
    nn_gemm_args g;
    void *buffer = NULL;
    double distance = INFINITY;
    memset(&g, 0, sizeof g);
    memset(image, 0xff, sizeof image);
    g.m = c->m;
    g.n = c->n;
    g.k = c->k;
    g.transpose_a = c->transpose_a;
    g.transpose_b = c->transpose_b;
    g.precision = c->bf16 ? NN_PRECISION_MEDIUM : NN_PRECISION_HIGH;
    fill_operand(image, a, c->m * c->k, c->a);
    fill_operand(image + b_at, b, c->n * c->k, c->b);
    if (state->backend.alloc(state, bytes, &buffer) < 0) return INFINITY;
    set_view(&g.a, buffer, 0, c->a, c->m, c->k);
    set_view(&g.b, buffer, b_at, c->b, c->k, c->n);
    set_view(&g.y, buffer, y_at, NN_F32, c->m, c->n);
    set_view(&g.scratch, buffer, scratch_at, NN_F32, 1, SCRATCH / 4);
    if (state->backend.fill(state, buffer, 0, bytes, 0xff) >= 0 &&
        nn__opencl_upload(state, buffer, 0, image, sizeof image, NULL) >= 0 &&
        gemm->scratch_bytes(state, &g) <= SCRATCH &&
        nn__opencl_gemm_taken(state, &g).tile == NN__OPENCL_GEMM_TILE_MMA_COPIED &&
        gemm->run(state, &g, 0, gemm->units(state, &g)) >= 0 &&
        nn__opencl_download(state, buffer, y_at, y, 4 * (uint64_t)(c->m * c->n), NULL) >= 0 &&
        state->backend.finish(state) >= 0)
        distance = copied_distance(c, a, b, y);
    state->backend.release(state, buffer, bytes);
    return distance;
}

/* Draws a product. The forms of its operands, which choose the program, take turns: all of them, or
   those that the self-test has already compiled. */
static copied_case draw_copied(int number, bool all) {
    const int turn = number % (all ? 10 : 4), tf32 = all ? 9 : 3;
    const int pair = turn == tf32 ? 0 : all ? turn : 4 * turn;
    const int a_form = pair / 3, b_form = pair % 3; /* 0 packed, 1 deep, 2 across */
    copied_case c;
    memset(&c, 0, sizeof c);
    c.bf16 = turn != tf32;
    c.m = drawn(1, EXTENT);
    c.n = drawn(1, EXTENT);
    c.k = drawn(1, STEPS);
    c.a = a_form && c.bf16 ? NN_BF16 : NN_F32;
    c.b = b_form && c.bf16 ? NN_BF16 : NN_F32;
    c.transpose_a = a_form ? a_form == 2 : drawn(0, 1) == 1;
    c.transpose_b = b_form ? b_form == 1 : drawn(0, 1) == 1;
    if (a_form == 1 || b_form == 1) c.k = c.k < 8 ? 8 : c.k / 8 * 8;
    if (a_form == 2) c.m = c.m < 8 ? 8 : c.m / 8 * 8;
    if (b_form == 2) c.n = c.n < 8 ? 8 : c.n / 8 * 8;
    return c;
}

/* Random shapes. With NN_FULL 2,000 (NN_TEST_CASES) in all forms, else a few. */
static void test_copied(void) {
    const char *asked = getenv("NN_TEST_CASES");
    const int cases = asked ? atoi(asked) : getenv("NN_FULL") ? 2000 : 12;
    nn__opencl *state = NULL;
    nn_context *nn = open_with(NN__OPENCL_MMA_EMULATED, &state);
    if (!nn) SKIP("no OpenCL device here");
    if (!nn__opencl_mma_fits_copied(state)) {
        nn_close(nn);
        SKIP("too little local memory");
    }
    state->mma_copied = 1;
    state->mma_always = true;
    for (int i = 0; i < cases; i++) {
        const copied_case c = draw_copied(i, cases > 100);
        const double distance = run_copied(state, &c);
        if (test_wrong(!(distance <= 1)))
            test_fail(__FILE__, __LINE__,
                      "case %d: m%d n%d k%d %s a %s%s b %s%s: %.3g of what rounding allows", i, c.m,
                      c.n, c.k, c.bf16 ? "bf16" : "tf32", c.a == NN_BF16 ? "bf16" : "f32",
                      c.transpose_a ? "'" : "", c.b == NN_BF16 ? "bf16" : "f32",
                      c.transpose_b ? "'" : "", distance);
    }
    ENSURE(state->mma_copies[0] == 1 && state->mma_copies[1] == 1 && said[0] == 0);
    nn_close(nn);
}

/* Large products pack their operands, and small ones do not. */
static void test_when_copied(void) {
    static const struct { int m, n, k; bool copied; } sizes[] = {
        {4096, 4096, 4096, true}, {4096, 4096, 64, true}, {1024, 1024, 4096, false},
        {256, 256, 256, false},   {8192, 64, 1024, false}};
    nn__opencl *state = NULL;
    nn_context *nn = open_with(NN__OPENCL_MMA_EMULATED, &state);
    if (!nn) SKIP("no OpenCL device here");
    state->mma_tested[0] = state->mma_tested[1] = 1; /* nothing is launched */
    state->mma_copies[0] = state->mma_copies[1] = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int halves = 0; halves < 2; halves++) {
            const nn_dtype dtype = halves ? NN_BF16 : NN_F32;
            nn_gemm_args g;
            bool copied;
            memset(&g, 0, sizeof g);
            g.m = sizes[i].m;
            g.n = sizes[i].n;
            g.k = sizes[i].k;
            g.precision = NN_PRECISION_MEDIUM;
            set_view(&g.a, NULL, 0, dtype, g.m, g.k);
            set_view(&g.b, NULL, 0, dtype, g.k, g.n);
            set_view(&g.y, NULL, 0, NN_F32, g.m, g.n);
            copied = nn__opencl_gemm_taken(state, &g).tile == NN__OPENCL_GEMM_TILE_MMA_COPIED;
            if (!halves) ENSURE(copied == sizes[i].copied);
            if (halves && sizes[i].copied) ENSURE(copied);
        }
    nn_close(nn);
}

#include "copied_convolutions.h"
#include "half_products.h"
#include "half_convolutions.h"

int main(int argc, char **argv) {
    test_start(argc, argv);
    BEFORE_EMULATED_UNITS();
    first.kind = NN_OPENCL;
    RUN(test_precisions);
    RUN(test_units_that_fail);
    RUN(test_copied);
    RUN(test_when_copied);
    RUN(test_copied_convolutions);
    RUN(test_when_convolutions_are_copied);
    RUN(test_half_products);
    RUN(test_when_halves_are_used);
    RUN(test_half_convolutions);
    RUN(test_half_convolutions_that_fail);
    RUN(test_when_convolutions_are_half);
    return test_report();
}
