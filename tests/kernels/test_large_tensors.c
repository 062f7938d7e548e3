/* tests/kernels/test_large_tensors.c - tensors too large for the near caches, for which kernels
   that move numbers take other paths: gathers in bands, transpositions and rows that bypass the
   caches, a fill between the rows of a piece, sums of rows in registers. Every instruction set and
   number of threads gives the bytes of a plain loop in this file. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"

#include "error.h"
#include "inside.h"
#include "open.h"
#include "test.h"
#include "lists.h"

#include <stdlib.h>

static nn_context *nn;

/* past: stores that may bypass the caches do so, whatever the size. */
static bool open_with(nn_instruction_set set, int threads, bool past) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.instructions = set;
    desc.threads = threads;
    desc.scratch_bytes = 8 << 20;
    nn = OPEN_WITH_SET(&desc);
    if (!nn) return false;
    ((nn__cpu *)nn->cpu)->stream_bytes = past ? 0 : INT64_MAX;
    return true;
}

/* Runs the test with each set: with one thread, and with three whose stores may bypass the
   caches. */
static void each_way(void (*test)(void)) {
    static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_PLAIN, NN_INSTRUCTIONS_AVX2,
                                              NN_INSTRUCTIONS_AVX512, OTHER_SET};
    for (int i = 0; i < 4; i++)
        for (int past = 0; past < 2; past++) {
            if (!open_with(sets[i], past ? 3 : 1, past)) continue;
            test();
            ENSURE(nn_error(nn) == NULL);
            nn_close(nn);
        }
}

static nn_tensor *tensor_of(nn_dtype dtype, int a, int b, int c, uint32_t seed) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.dtype = dtype;
    desc.shape = c ? NN_SHAPE(a, b, c) : b ? NN_SHAPE(a, b) : NN_SHAPE(a);
    nn_tensor *tensor = nn_make_tensor(nn, &desc);
    float *to = (float *)nn_tensor_data(tensor);
    for (int64_t i = 0; i < nn_shape_count(desc.shape); i++) {
        seed = seed * 1664525u + 1013904223u;
        if (dtype == NN_F32) to[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
        else ((int32_t *)(void *)to)[i] = (int32_t)(seed >> 8);
    }
    return tensor;
}
static float *f32(nn_tensor *tensor) { return (float *)nn_tensor_data(tensor); }
static int32_t *numbers(nn_tensor *tensor, int below) {
    int32_t *to = (int32_t *)nn_tensor_data(tensor);
    const int64_t count = (int64_t)nn_tensor_bytes(tensor) / 4;
    for (int64_t i = 0; i < count; i++) to[i] %= below;
    return to;
}

/* Tests gathers of (2, 700, 133) along axis 1, in bands of 128 columns and of 5, then along
   axis 2. */
static void gathers(void) {
    enum { N = 2, ROWS = 700, WIDE = 133, CHOSEN = 530 };
    nn_tensor *x = tensor_of(NN_F32, N, ROWS, WIDE, 1), *y = tensor_of(NN_F32, N, CHOSEN, WIDE, 2),
              *at = tensor_of(NN_I32, N, CHOSEN, WIDE, 3), *one = tensor_of(NN_I32, 1000, 0, 0, 4),
              *z = tensor_of(NN_F32, 1000, WIDE, 0, 5);
    int32_t *index = numbers(at, ROWS);
    ENSURE(nn_gather_forward(y, x, 1, at) == NN_OK);
    for (int i = 0; i < N * CHOSEN * WIDE; i++)
        ENSURE(f32(y)[i] == f32(x)[(i / (CHOSEN * WIDE) * ROWS + index[i]) * WIDE + i % WIDE]);
    for (int wrong = 0; wrong < 3; wrong++) { /* nothing is written */
        const int place = wrong == 0 ? 0 : wrong == 1 ? CHOSEN * WIDE + 77 : N * CHOSEN * WIDE - 1;
        const int32_t right = index[place];
        static float before[N * CHOSEN * WIDE];
        memcpy(before, f32(y), sizeof before);
        index[place] = wrong == 1 ? -1 : ROWS;
        for (int i = 0; i < N * ROWS * WIDE; i++) f32(x)[i] += 1.0f;
        ENSURE(nn_gather_forward(y, x, 1, at) == NN_ERROR_INDEX);
        nn_clear_error(nn);
        ENSURE(memcmp(f32(y), before, sizeof before) == 0);
        index[place] = right;
    }
    numbers(at, WIDE);
    ENSURE(nn_gather_forward(y, y, 2, at) != NN_OK); /* not in place */
    nn_clear_error(nn);
    nn_tensor *w = tensor_of(NN_F32, N, CHOSEN, WIDE, 6);
    ENSURE(nn_gather_forward(w, y, 2, at) == NN_OK);
    for (int i = 0; i < N * CHOSEN * WIDE; i++)
        ENSURE(f32(w)[i] == f32(y)[i / WIDE * WIDE + index[i]]);
    numbers(one, ROWS);
    nn_tensor *rows = tensor_of(NN_F32, ROWS, WIDE, 0, 7);
    ENSURE(nn_embedding_forward(z, one, rows) == NN_OK);
    ENSURE(memcmp(f32(z) + 999 * WIDE, f32(rows) + ((int32_t *)nn_tensor_data(one))[999] * WIDE,
                  WIDE * 4) == 0);
}

/* A run of a plan reports the first index of a gather that has no row. All bits of the elements of
   such indices are set; the other elements are those of their rows. */
static void gathers_of_a_plan(void) {
    enum { ROWS = 700, WIDE = 133 };
    static int32_t index[ROWS * WIDE];
    static float got[ROWS * WIDE];
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_parameter(net, "x", NN_SHAPE(ROWS, WIDE), -1, 1),
            *at = nn_input(net, "at", NN_I32, NN_SHAPE(ROWS, WIDE)), *y = nn_gather(net, x, 0, at);
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = y;
    nn_plan *plan = nn_make_plan(net, &desc);
    const float *from = (const float *)nn_tensor_data(nn_find_tensor(net, "x"));
    for (int wrong = 0; wrong < 2; wrong++) {
        for (int i = 0; i < ROWS * WIDE; i++)
            index[i] = (int32_t)((unsigned)i * (7919u + (unsigned)wrong) % ROWS);
        if (wrong) index[5 * WIDE + 20] = ROWS, index[99 * WIDE + 131] = -1;
        nn_upload(plan, at, index, sizeof index);
        ENSURE(nn_run(plan) == (wrong ? NN_ERROR_INDEX : NN_OK));
        ENSURE(!wrong || strstr(nn_error(nn), "step 1: an index is out of range: gather \"gather\" "
                                              "wants those of \"at\" to be in [0, 700)"));
        if (wrong) nn_clear_error(nn);
        nn_download(plan, y, got, sizeof got);
        if (wrong) nn_clear_error(nn);
        for (int i = 0; i < ROWS * WIDE; i++) {
            static const uint32_t missing = UINT32_MAX;
            const bool right = index[i] >= 0 && index[i] < ROWS;
            const float *want = right ? &from[index[i] * WIDE + i % WIDE] : NULL;
            ENSURE(memcmp(&got[i], right ? (const void *)want : &missing, sizeof missing) == 0);
        }
    }
    nn_free_plan(plan);
    nn_free_model(net);
}

static void check_turned(int pictures, int rows, int columns) {
    nn_tensor *x = tensor_of(NN_F32, pictures, rows, columns, 1),
              *y = tensor_of(NN_F32, pictures, columns, rows, 2);
    ENSURE(nn_permute_forward(y, x, NN_AXES(0, 2, 1)) == NN_OK);
    for (int p = 0; p < pictures; p++)
        for (int c = 0; c < columns; c++)
            for (int r = 0; r < rows; r++)
                ENSURE(f32(y)[(p * columns + c) * rows + r] ==
                       f32(x)[(p * rows + r) * columns + c]);
    nn_free_tensor(x), nn_free_tensor(y);
}

static void copies(void) {
    check_turned(1, 1024, 523);
    check_turned(3, 336, 523);
    check_turned(2, 512, 521);
    /* a pad on every side, which fills the space between rows; flipped and rolled rows; columns
       again */
    enum { N = 3, H = 150, W = 77 };
    const float fill = -2.5f;
    nn_tensor *x = tensor_of(NN_F32, N, H, W, 1), *y = tensor_of(NN_F32, N, H + 3, W + 4, 2),
              *z = tensor_of(NN_F32, N, H, W, 3), *bytes = tensor_of(NN_F32, N, H, 96, 4),
              *turned = tensor_of(NN_F32, N, H, 96, 5);
    nn_pad_desc pad;
    memset(&pad, 0, sizeof pad);
    pad.left = 3, pad.right = 1, pad.top = 1, pad.bottom = 2, pad.value = fill;
    ENSURE(nn_pad_forward(y, x, &pad) == NN_OK);
    for (int i = 0; i < N * (H + 3) * (W + 4); i++) {
        const int c = i % (W + 4) - 3, r = i / (W + 4) % (H + 3) - 1, p = i / (W + 4) / (H + 3);
        const bool inside = c >= 0 && c < W && r >= 0 && r < H;
        ENSURE(f32(y)[i] == (inside ? f32(x)[(p * H + r) * W + c] : fill));
    }
    ENSURE(nn_flip_forward(turned, bytes, NN_AXES(2)) == NN_OK);
    for (int i = 0; i < N * H * 96; i++)
        ENSURE(f32(turned)[i] == f32(bytes)[i / 96 * 96 + 95 - i % 96]);
    ENSURE(nn_flip_forward(z, x, NN_AXES(2)) == NN_OK);
    for (int i = 0; i < N * H * W; i++)
        ENSURE(f32(z)[i] == f32(x)[i / W * W + W - 1 - i % W]);
    ENSURE(nn_roll_forward(z, x, 7, 1) == NN_OK);
    for (int i = 0; i < N * H * W; i++)
        ENSURE(f32(z)[i] == f32(x)[(i / W / H * H + (i / W + H - 7) % H) * W + i % W]);
}

#ifndef NN_NO_TRAINING
/* Tests the gradient of sums of rows, which is one number along each row of dx. Rows begin
   anywhere in memory. */
static void gradients_of_sums(void) {
    enum { H = 150, W = 77 };
    nn_tensor *x = tensor_of(NN_F32, H, W, 0, 1), *dy = tensor_of(NN_F32, H, 1, 0, 2),
              *dx = tensor_of(NN_F32, H, W, 0, 3);
    ENSURE(nn_reduce_backward(dx, NN_SUM, dy, x, NULL, NN_AXES(1), false) == NN_OK);
    for (int i = 0; i < H * W; i++) ENSURE(f32(dx)[i] == f32(dy)[i / W]);
}
#endif

/* Tests pads with rows that are longer than a unit: a pad of both axes, and one that only adds
   rows. */
static void long_rows(void) {
    enum { W = 40000 };
    nn_tensor *x = tensor_of(NN_F32, 3, W, 0, 1), *y = tensor_of(NN_F32, 5, W + 9, 0, 2),
              *z = tensor_of(NN_F32, 7, W, 0, 3);
    nn_pad_desc pad;
    memset(&pad, 0, sizeof pad);
    pad.left = 4, pad.right = 5, pad.top = 1, pad.bottom = 1;
    ENSURE(nn_pad_forward(y, x, &pad) == NN_OK);
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < W + 9; c++) {
            const bool inside = r >= 1 && r < 4 && c >= 4 && c < W + 4;
            ENSURE(f32(y)[r * (W + 9) + c] == (inside ? f32(x)[(r - 1) * W + c - 4] : 0.0f));
        }
    memset(&pad, 0, sizeof pad);
    pad.top = 2, pad.bottom = 2, pad.value = 1.0f;
    ENSURE(nn_pad_forward(z, x, &pad) == NN_OK);
    for (int i = 0; i < 7 * W; i++)
        ENSURE(f32(z)[i] == (i >= 2 * W && i < 5 * W ? f32(x)[i - 2 * W] : 1.0f));
}

/* Checks gradients of a table: rows that come often, once and never, 64 numbers at a time and the
   rest. */
static void check_rows(int rows, int width, int chosen, bool accumulate) {
    nn_tensor *dx = tensor_of(NN_F32, rows, width, 0, 1),
              *dy = tensor_of(NN_F32, chosen, width, 0, 2),
              *at = tensor_of(NN_I32, chosen, 0, 0, 3);
    const size_t bytes = (size_t)(rows * width) * sizeof(float);
    float *wanted = (float *)malloc(bytes);
    const int32_t *index = numbers(at, rows / 2);
    f32(dy)[0] = -0.0f;
    memcpy(wanted, f32(dx), bytes);
    if (!accumulate) memset(wanted, 0, bytes);
    for (int i = 0; i < chosen; i++)
        for (int k = 0; k < width; k++) wanted[index[i] * width + k] += f32(dy)[i * width + k];
    const nn_result result = nn_embedding_backward(dx, dy, at, NULL, accumulate);
    const bool same = memcmp(wanted, f32(dx), bytes) == 0;
    free(wanted);
    ENSURE(result == NN_OK && same);
    nn_free_tensor(dx), nn_free_tensor(dy), nn_free_tensor(at);
}
static void tables(void) {
    for (int accumulate = 0; accumulate < 2; accumulate++) {
        check_rows(90, 64, 200, accumulate != 0);
        check_rows(301, 144, 170, accumulate != 0);
        check_rows(57, 203, 99, accumulate != 0);
        check_rows(40, 1, 500, accumulate != 0);
    }
}

static void test_gathers(void) { each_way(gathers); }
static void test_gathers_of_a_plan(void) { each_way(gathers_of_a_plan); }
static void test_copies(void) { each_way(copies); }
#ifndef NN_NO_TRAINING
static void test_gradients_of_sums(void) { each_way(gradients_of_sums); }
#endif
static void test_long_rows(void) { each_way(long_rows); }
static void test_tables(void) { each_way(tables); }

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_gathers);
    RUN(test_gathers_of_a_plan);
    RUN(test_copies);
#ifndef NN_NO_TRAINING
    RUN(test_gradients_of_sums);
#endif
    RUN(test_long_rows);
    RUN(test_tables);
    return test_report();
}
