/* tests/kernels/test_gather_scatter_sort.c - gather, scatter, one_hot and sorting, as far as
   test_catalogue, test_random_graphs and test_backends do not cover them: indices out of range,
   sums in a fixed order, long lines, faults. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "error.h"
#include "inside.h"
#include "open.h"
#include "test.h"
#include "lists.h"

#include <math.h>

static nn_device device; /* of every model below */

static nn_context *open_with(int threads) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = threads;
    nn_context *nn = nn_open(&desc);
#ifdef NN_TEST_OPENCL
    if (device.kind == NN_OPENCL) nn_opencl_open(nn, NULL);
#endif
    return nn;
}

static nn_model *model_of(nn_context *nn) {
    nn_model_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.device = device;
    return nn_make_model(nn, &desc);
}

static void collect(void *user, const char *text, size_t length) {
    char *all = (char *)user;
    size_t used = strlen(all), room = 3999 - used;
    memcpy(all + used, text, length < room ? length : room);
    all[used + (length < room ? length : room)] = 0;
}

static bool faults_say(const nn_model *net, const char *words) {
    char all[4000] = "";
    nn_writer writer;
    writer.function = collect;
    writer.user = all;
    nn_write_faults(net, writer);
    if (strstr(all, words)) return true;
    printf("the faults are: %s\n", all);
    return false;
}

/* ---- indices out of range -------------------------------------------------------------------- */

/* Runs `y`, which reads `index` (5), and returns the result of the run. */
static nn_result run_with(nn_model *net, nn_node *y, nn_node *index, const int32_t *numbers) {
    nn_plan_desc desc;
    float got[64];
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = y;
    desc.batch = 5;
    nn_plan *plan = nn_make_plan(net, &desc);
    nn_upload(plan, index, numbers, 5 * sizeof *numbers);
    const nn_view view = nn_plan_view(plan, y);
    nn_result result = nn_run(plan);
    if (result == NN_OK) result = nn_download(plan, y, got, (size_t)nn_shape_count(view.shape) * sizeof *got);
    nn_free_plan(plan);
    return result;
}

static void test_missing_index(void) {
    static const int wrong[] = {4, -1, INT32_MAX, INT32_MIN};
    nn_context *nn = open_with(2);
    for (int i = 0; i < 20; i++) {
        int32_t numbers[5] = {0, 3, 1, 1, 2};
        nn_model *net = model_of(nn);
        nn_node *x = nn_parameter(net, "x", NN_SHAPE(4), -1, 1);
        nn_node *src = nn_parameter(net, "s", NN_SHAPE(5), -1, 1);
        nn_node *at = nn_input(net, "at", NN_I32, NN_SHAPE(5));
        nn_node *y = i % 5 == 0   ? nn_gather(net, x, 0, at)
                     : i % 5 == 1 ? nn_scatter_add(net, x, 0, at, src)
                     : i % 5 == 2 ? nn_scatter(net, x, 0, at, src)
                     : i % 5 == 3 ? nn_scatter_value(net, x, 0, at, 2.0f)
                                  : nn_one_hot(net, at, 4);
        static const char *const names[] = {"gather", "scatter_add", "scatter", "scatter",
                                            "one_hot"};
        char words[100];
        ENSURE(run_with(net, y, at, numbers) == NN_OK);
        numbers[i / 5] = wrong[i / 5];
        ENSURE(run_with(net, y, at, numbers) == NN_ERROR_INDEX);
        sprintf(words, "an index is out of range: %s \"%s\" wants those of \"at\" to be in [0, 4)",
                names[i % 5], names[i % 5]);
        ENSURE(says(nn, words));
        nn_free_model(net);
    }
    nn_close(nn);
}

/* A step with an index out of range updates nothing. */
static void test_missing_index_of_step(void) {
    nn_context *nn = open_with(2);
    nn_model *net = model_of(nn);
    nn_trainer_desc desc;
    int32_t numbers[3] = {0, 4, 2};
    float before[4], after[4];
    memset(&desc, 0, sizeof desc);
    desc.batch = 3;
    desc.learning_rate = 0.5f;
    nn_node *x = nn_parameter(net, "x", NN_SHAPE(4), -1, 1);
    nn_node *at = nn_input(net, "at", NN_I32, NN_SHAPE(3));
    nn_trainer *trainer =
        nn_make_trainer(net, nn_sum(net, nn_square(net, nn_gather(net, x, 0, at))), &desc);
    nn_tensor *tensor = nn_find_tensor(net, "x");
    nn_download_tensor(tensor, before, sizeof before);
    nn_upload(nn_trainer_plan(trainer), at, numbers, sizeof numbers);
    nn_result result = nn_train_on_inputs(trainer);
    if (result == NN_OK) result = nn_train_on_inputs(trainer); /* a queue reports it later */
    float loss;
    if (result == NN_OK) result = nn_read_loss(trainer, &loss);
    ENSURE(result == NN_ERROR_INDEX);
    nn_clear_error(nn);
    nn_download_tensor(tensor, after, sizeof after);
    ENSURE(memcmp(before, after, sizeof before) == 0);
    numbers[1] = 3;
    nn_clear_fault(trainer);
    nn_upload(nn_trainer_plan(trainer), at, numbers, sizeof numbers);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    nn_download_tensor(tensor, after, sizeof after);
    ENSURE(before[0] != after[0] && before[1] == after[1]);
    nn_close(nn);
}

/* The device does not say which of two operations with indices failed. The message names it only if
   the indices are an input in the CPU's memory. */
static void test_two_with_indices(void) {
    nn_context *nn = open_with(1);
    nn_model *net = model_of(nn);
    int32_t numbers[5] = {0, 1, 9, 0, 1};
    nn_node *x = nn_parameter(net, "x", NN_SHAPE(10), -1, 1);
    nn_node *at = nn_input(net, "at", NN_I32, NN_SHAPE(5));
    nn_slice_desc few;
    memset(&few, 0, sizeof few);
    few.stop = 4;
    nn_node *y = nn_add(net, nn_gather(net, x, 0, at),
                        nn_gather(net, nn_slice(net, x, &few), 0, at));
    ENSURE(run_with(net, y, at, numbers) == NN_ERROR_INDEX);
    ENSURE(device.kind != NN_CPU || !strstr(nn_error(nn), "or an index of another"));
    ENSURE(says(nn, device.kind == NN_CPU ? "wants those of \"at\" to be in [0, 4)"
                                          : "or an index of another"));
    nn_node *moved = nn_flip(net, at, NN_AXES(0));
    y = nn_add(net, nn_gather(net, x, 0, moved), nn_gather(net, nn_slice(net, x, &few), 0, moved));
    ENSURE(run_with(net, y, at, numbers) == NN_ERROR_INDEX);
    ENSURE(says(nn, "; or an index of another operation in the step is wrong"));
    nn_close(nn);
}

/* ---- sums ------------------------------------------------------------------------------------ */

enum { MANY = 40000, PLACES = 7, ROWS = 3 };
static float summands[ROWS * MANY], sums[2][ROWS * PLACES];
static int32_t targets[ROWS * MANY];

/* Elements are added one after the other, in their order, for any number of threads: a sum in
   another order has other bytes. */
static void test_order_of_sums(void) {
    float wanted[ROWS * PLACES] = {0};
    for (int i = 0; i < ROWS * MANY; i++) {
        summands[i] = (float)(i * 7919 % 10007) * (i % 3 ? 1e-3f : 1e3f);
        targets[i] = i * 31 % 11 % PLACES;
        wanted[i / MANY * PLACES + targets[i]] += summands[i];
    }
    for (int run = 0; run < 3; run++) {
        nn_context *nn = open_with(1 + run);
        nn_model *net = model_of(nn);
        nn_plan_desc desc;
        memset(&desc, 0, sizeof desc);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(ROWS, PLACES));
        nn_node *at = nn_input(net, "at", NN_I32, NN_SHAPE(ROWS, MANY));
        nn_node *src = nn_input(net, "src", NN_F32, NN_SHAPE(ROWS, MANY));
        NODE_AT(desc.outputs, 0) = nn_scatter_add(net, x, 1, at, src);
        desc.batch = 1;
        nn_plan *plan = nn_make_plan(net, &desc);
        memset(sums[0], 0, sizeof sums[0]);
        nn_upload(plan, x, sums[0], sizeof sums[0]);
        nn_upload(plan, at, targets, sizeof targets);
        nn_upload(plan, src, summands, sizeof summands);
        ENSURE(nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, desc.outputs.node[0], sums[1], sizeof sums[1]) == NN_OK);
        ENSURE(memcmp(sums[1], wanted, sizeof wanted) == 0);
        nn_close(nn);
    }
}

/* ---- immediate ------------------------------------------------------------------------------- */

static nn_tensor *tensor_of(nn_context *nn, nn_dtype dtype, nn_shape shape, const void *values) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.shape = shape;
    desc.dtype = dtype;
    desc.device = device;
    nn_tensor *tensor = nn_make_tensor(nn, &desc);
    nn_upload_tensor(tensor, values, nn_tensor_bytes(tensor));
    return tensor;
}

static bool is(nn_tensor *tensor, const float *wanted, int count) {
    float got[32];
    nn_download_tensor(tensor, got, (size_t)count * sizeof *got);
    return memcmp(got, wanted, (size_t)count * sizeof *got) == 0;
}

static void test_immediate(void) {
    static const float a[6] = {1, 2, 3, 4, 5, 6}, b[4] = {10, 20, 30, 40}, z[8] = {0};
    static const int32_t good[4] = {2, 0, 1, 1}, bad[4] = {0, 1, 3, 0};
    static const float gathered[4] = {3, 1, 5, 5}, back[6] = {20, 0, 10, 0, 70, 0},
                       both[6] = {21, 2, 13, 4, 75, 6}, put[6] = {20, 2, 10, 4, 40, 6},
                       hot[6] = {0, 0, 1, 1, 0, 0}, filled[6] = {9, 2, 9, 4, 9, 6};
    nn_context *nn = open_with(2);
    nn_tensor *x = tensor_of(nn, NN_F32, NN_SHAPE(2, 3), a),
              *y = tensor_of(nn, NN_F32, NN_SHAPE(2, 2), z),
              *w = tensor_of(nn, NN_F32, NN_SHAPE(2, 3), a),
              *s = tensor_of(nn, NN_F32, NN_SHAPE(2, 2), b),
              *k = tensor_of(nn, NN_I32, NN_SHAPE(2, 2), good),
              *l = tensor_of(nn, NN_I32, NN_SHAPE(2), good);
    ENSURE(nn_gather_forward(y, x, 1, k) == NN_OK && is(y, gathered, 4));
    ENSURE(nn_gather_backward(w, s, -1, k, false) == NN_OK && is(w, back, 6));
    ENSURE(nn_gather_backward(x, s, 1, k, true) == NN_OK && is(x, both, 6));
    nn_upload_tensor(x, a, sizeof a);
    ENSURE(nn_scatter_add_forward(w, x, 1, k, s) == NN_OK && is(w, both, 6));
    ENSURE(nn_scatter_forward(w, x, 1, k, s) == NN_OK && is(w, put, 6)); /* the last one stays */
    ENSURE(nn_scatter_value_forward(w, x, 1, k, 9) == NN_OK && is(w, filled, 6));
    ENSURE(nn_one_hot_forward(w, l, 3) == NN_OK && is(w, hot, 6));
    ENSURE(nn_scatter_add_forward(x, x, 1, k, s) == NN_OK && is(x, both, 6)); /* in place */
    nn_upload_tensor(k, bad, sizeof bad);
    nn_upload_tensor(l, bad + 1, 2 * sizeof *bad);
    ENSURE(nn_gather_forward(y, x, 1, k) == NN_ERROR_INDEX && is(y, gathered, 4));
    ENSURE(says(nn, ": an index is outside [0, 3); nothing was written"));
    ENSURE(nn_scatter_add_forward(x, x, 1, k, s) == NN_ERROR_INDEX && is(x, both, 6));
    nn_clear_error(nn);
    ENSURE(nn_gather_backward(x, s, 1, k, true) == NN_ERROR_INDEX && is(x, both, 6));
    nn_clear_error(nn);
    ENSURE(nn_one_hot_forward(w, l, 3) == NN_ERROR_INDEX && is(w, hot, 6));
    nn_clear_error(nn);
    ENSURE(nn_gather_forward(NULL, x, 1, k) < 0 && nn_scatter_add_forward(y, x, 1, k, s) < 0 &&
           nn_scatter_forward(w, x, 1, k, x) < 0 && nn_gather_backward(s, s, 1, k, false) < 0 &&
           nn_scatter_value_forward(w, x, 2, k, 1) < 0 && nn_one_hot_forward(w, NULL, 3) < 0);
    nn_clear_error(nn);
    nn_close(nn);
}

/* ---- sorting --------------------------------------------------------------------------------- */

enum { SORTED = 30011 };
static float drawn[SORTED], sorted[SORTED];
static int32_t from[SORTED];

/* A line too long for the fast memory of any device. A fifth of its numbers are equal and keep
   their order. The 20 largest are its end, reversed except for equal ones. */
static void test_long_line(void) {
    static int32_t top[20];
    nn_context *nn = open_with(2);
    nn_model *net = model_of(nn);
    nn_plan_desc desc;
    bool right = true;
    memset(&desc, 0, sizeof desc);
    for (int i = 0; i < SORTED; i++)
        drawn[i] = i % 5 ? (float)((int64_t)i * 7919 % 100003) - 5e4f : (float)(i % 3);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(SORTED));
    nn_node *y = NODE_AT(desc.outputs, 0) = nn_sort(net, x, 0, NULL);
    nn_node *at = NODE_AT(desc.outputs, 1) = nn_output(y, 1);
    nn_node *few = NODE_AT(desc.outputs, 2) = nn_output(nn_top_k(net, x, 20, -1, NULL), 1);
    nn_plan *plan = nn_make_plan(net, &desc);
    nn_upload(plan, x, drawn, sizeof drawn);
    ENSURE(nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, sorted, sizeof sorted) == NN_OK);
    ENSURE(nn_download(plan, at, from, sizeof from) == NN_OK);
    ENSURE(nn_download(plan, few, top, sizeof top) == NN_OK);
    for (int i = 0; i < SORTED && right; i++) {
        right = from[i] >= 0 && from[i] < SORTED && sorted[i] == drawn[from[i]];
        if (i && right)
            right = sorted[i - 1] < sorted[i] ||
                    (sorted[i - 1] == sorted[i] && from[i - 1] < from[i]);
    }
    ENSURE(right);
    for (int i = 0; i < 20; i++) ENSURE(drawn[top[i]] == sorted[SORTED - 1 - i]);
    nn_close(nn);
}

/* Checks which of equal numbers counts as the largest: the first one, for max, argmax and top_k
   alike. */
static void test_ties_first(void) {
    static const float numbers[6] = {1, 3, 3, NAN, 2, NAN};
    static const int32_t wanted[6] = {3, 5, 1, 2, 4, 0};
    nn_context *nn = open_with(1);
    nn_tensor *x = tensor_of(nn, NN_F32, NN_SHAPE(6), numbers),
              *y = tensor_of(nn, NN_F32, NN_SHAPE(6), numbers),
              *z = tensor_of(nn, NN_F32, NN_SHAPE(1), numbers),
              *k = tensor_of(nn, NN_I32, NN_SHAPE(6), wanted),
              *one = tensor_of(nn, NN_I32, NN_SHAPE(1), wanted + 3);
    nn_sort_desc down;
    int32_t got[6];
    memset(&down, 0, sizeof down);
    down.descending = true;
    ENSURE(nn_sort_forward(y, k, x, 0, &down) == NN_OK);
    nn_download_tensor(k, got, sizeof got);
    ENSURE(memcmp(got, wanted, sizeof got) == 0);
    ENSURE(nn_top_k_forward(z, one, x, 1, 0, NULL) == NN_OK);
    nn_download_tensor(one, got, sizeof *got);
    ENSURE(got[0] == 3);
    nn_reduce_forward(one, NN_ARGMAX, x, NN_AXES(0));
    nn_download_tensor(one, got, sizeof *got);
    ENSURE(got[0] == 3);
    ENSURE(nn_sort_forward(y, NULL, x, -1, NULL) == NN_OK);
    nn_sort_forward(y, k, NULL, 0, NULL);
    ENSURE(says(nn, "input is NULL"));
    ENSURE(nn_sort_forward(x, k, x, 0, NULL) < 0 && nn_top_k_forward(z, one, x, 2, 0, NULL) < 0);
    nn_clear_error(nn);
    nn_close(nn);
}

/* The gradient of a running product contains no division, so zeros do no harm. */
static void test_running(void) {
    static const float numbers[6] = {2, 0, 3, 2, 1, 4}, ones[6] = {1, 1, 1, 1, 1, 1},
                       products[6] = {2, 0, 0, 2, 2, 8}, slopes[6] = {1, 8, 0, 6, 10, 2},
                       largest[6] = {2, 2, 3, 2, 2, 4};
    static const int32_t places[6] = {0, 0, 2, 0, 0, 2};
    nn_context *nn = open_with(1);
    nn_tensor *x = tensor_of(nn, NN_F32, NN_SHAPE(2, 3), numbers),
              *y = tensor_of(nn, NN_F32, NN_SHAPE(2, 3), ones),
              *dy = tensor_of(nn, NN_F32, NN_SHAPE(2, 3), ones),
              *dx = tensor_of(nn, NN_F32, NN_SHAPE(2, 3), ones),
              *k = tensor_of(nn, NN_I32, NN_SHAPE(2, 3), places),
              *line = tensor_of(nn, NN_F32, NN_SHAPE(3), ones);
    int32_t got[6];
    ENSURE(nn_cumprod_forward(y, x, 1) == NN_OK && is(y, products, 6));
    ENSURE(nn_cumprod_backward(dx, dy, x, y, -1) == NN_OK && is(dx, slopes, 6));
    ENSURE(nn_cummax_forward(y, k, x, 1) == NN_OK && is(y, largest, 6));
    nn_download_tensor(k, got, sizeof got);
    ENSURE(memcmp(got, places, sizeof got) == 0);
    ENSURE(nn_logcumsumexp_forward(y, x, 1) == NN_OK &&
           nn_logcumsumexp_backward(dx, dy, x, y, 1) == NN_OK);
    ENSURE(nn_cummin_forward(x, NULL, x, 0) == NN_OK); /* in place */
    ENSURE(nn_cumprod_backward(dx, line, x, y, 1) < 0 &&
           nn_cumprod_backward(dx, dy, x, NULL, 1) < 0 &&
           nn_cumprod_forward(y, x, 2) < 0 && nn_cummax_forward(line, k, x, 1) < 0);
    nn_clear_error(nn);
    nn_close(nn);
}

static void test_sort_faults(void) {
    nn_context *nn = open_with(1);
    nn_model *net = model_of(nn);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *at = nn_input(net, "at", NN_I32, NN_SHAPE(NN_BATCH, 2));
    nn_sort(net, at, 1, NULL);
    ENSURE(faults_say(net, "input is i32; sort wants f32"));
    nn_sort(net, x, 2, NULL);
    ENSURE(faults_say(net, "axis is 2"));
    nn_top_k(net, x, 4, 1, NULL);
    ENSURE(faults_say(net, "k is 4, but axis 1 of (batch, 3) has 3 elements"));
    nn_kthvalue(net, x, 0, 1);
    ENSURE(faults_say(net, "k is 0, but axis 1 of (batch, 3) has 3 elements"));
    nn_top_k(net, x, 1, 0, NULL);
    ENSURE(faults_say(net, "axis 0 of (batch, 3) depends on the batch"));
    nn_median(net, x, -3);
    ENSURE(faults_say(net, "axis is -3"));
    nn_median(net, NULL, 0);
    nn_cdist(net, x, x, -1);
    ENSURE(faults_say(net, "p is -1; it must be positive"));
    nn_cdist(net, x, x, 2);
    ENSURE(faults_say(net, "every sample"));
    nn_pairwise_distance(net, x, nn_input(net, "four", NN_F32, NN_SHAPE(4)), NULL);
    ENSURE(faults_say(net, "a is (batch, 3) and b is (4); pairwise_distance wants"));
    nn_argsort(NULL, x, 0, NULL);
    nn_close(nn);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void test_faults(void) {
    nn_context *nn = open_with(1);
    nn_model *net = model_of(nn);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *at = nn_input(net, "at", NN_I32, NN_SHAPE(NN_BATCH, 2));
    nn_node *line = nn_input(net, "line", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *five = nn_input(net, "five", NN_I32, NN_SHAPE(5, 2));
    nn_node *src = nn_input(net, "src", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_gather(net, x, 1, x);
    ENSURE(faults_say(net, "index is f32; gather wants i32"));
    nn_gather(net, x, 2, at);
    ENSURE(faults_say(net, "axis is 2"));
    nn_gather(net, x, 1, line);
    ENSURE(faults_say(net, "index (batch) has 1 axes, but input (batch, 3) has 2"));
    nn_gather(net, x, 1, five);
    ENSURE(faults_say(net, "axis 0 of index (5, 2) must be at most that of input (batch, 3)"));
    nn_scatter_add(net, x, 1, at, src);
    ENSURE(faults_say(net, "src has the shape (batch, 1); wanted (batch, 2)"));
    nn_scatter_add(net, line, 0, line, src);
    ENSURE(faults_say(net, "input is i32; scatter_add wants f32"));
    nn_one_hot(net, x, 3);
    ENSURE(faults_say(net, "label is f32; one_hot wants i32"));
    nn_one_hot(net, line, 0);
    ENSURE(faults_say(net, "num_classes is 0; it must be at least 1"));
    nn_gather(NULL, x, 0, at);
    nn_scatter_value(net, NULL, 0, at, 1);
    nn_close(nn);
}

static void everything(void) {
    RUN(test_missing_index);
    RUN(test_missing_index_of_step);
    RUN(test_two_with_indices);
    RUN(test_order_of_sums);
    RUN(test_immediate);
    RUN(test_faults);
    RUN(test_long_line);
    RUN(test_ties_first);
    RUN(test_running);
    RUN(test_sort_faults);
}

/* A tensor that cannot be split is a fault, and the parts are safe to build with. */
static void split_says_what_is_missing(void) {
    nn_context *nn = open_with(1);
    nn_model *net = model_of(nn);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(2, 6)), *parts[2] = {NULL, NULL};
    static const int sizes[2] = {2, 4};
    ENSURE(nn_split(NULL, NULL, parts, sizes, 2, 1) == NULL);
    nn_split(net, x, NULL, sizes, 2, 1);
    ENSURE(faults_say(net, "parts or sizes is NULL, or count is less than 1"));
    nn_split(net, x, parts, sizes, 2, 2);
    ENSURE(nn_fault_count(net) == 2 && parts[0] && parts[1]);
    static const int whole[1] = {6};
    nn_node *one[1] = {NULL};
    nn_split(net, x, one, whole, 1, 1); /* a single part is allowed */
    ENSURE(nn_fault_count(net) == 2 && one[0] && nn_node_shape(one[0]).extent[1] == 6);
    nn_split(net, x, parts, sizes, 0, 1);
    ENSURE(nn_fault_count(net) == 3);
    nn_relu(net, parts[1]);
    ENSURE(nn_fault_count(net) == 3); /* no cascade */
    nn_free_model(net);
    nn_clear_error(nn);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    device = nn_cpu();
    everything();
#ifdef NN_TEST_OPENCL
    device = nn_opencl(0);
    nn_context *nn = nn_open(NULL);
    const bool there = OPEN_OPENCL(nn);
    nn_close(nn);
    if (there) everything();
#endif
    RUN(split_says_what_is_missing);
    return test_report();
}
