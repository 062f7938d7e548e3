/* tests/train/test_quantize_random.c - random nets of images (random_images.h) in three forms: f32,
   rounded (nn_prepare_qat), and integers (nn_quantize_net of the f32 net and of the rounded one).
   The forms compute nearly the same. Integers have the same bytes in slices, in other batches, in
   copies, and after saving and loading.

     test_quantize_random --seed N      one net
     NN_FULL=1 test_quantize_random     10,000 nets instead of 300 */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"
#include "random_images.h"

enum { BATCH = 4, ROOM = BATCH * 32 * 1024 };

static float numbers[2][ROOM], real[2][ROOM], rounded[2][ROOM], whole[2][ROOM], again[2][ROOM];
static uint64_t one_seed;
static int quantised, ill_conditioned, small_layers;

/* The nodes of one form of a net. */
typedef struct form {
    nn_model *net;
    nn_node *input[2], *output[2];
    const images *g;
} form;

static form form_of(nn_model *net, const form *from) {
    form to = *from;
    to.net = net;
    for (int i = 0; i < from->g->inputs; i++) to.input[i] = nn_copied_node(net, from->input[i]);
    for (int i = 0; i < from->g->outputs; i++) to.output[i] = nn_copied_node(net, from->output[i]);
    return to;
}

static int elements(const nn_node *node) {
    const nn_shape shape = nn_node_shape(node);
    int all = 1;
    for (int i = 1; i < shape.rank; i++) all *= shape.extent[i];
    return all;
}

static void run_form(const form *f, float to[2][ROOM], int most, int batch, bool slices,
                     const char *what) {
    nn_context *nn = nn_model_context(f->net);
    nn_plan_desc desc;
    nn_result result;
    memset(&desc, 0, sizeof desc);
    desc.outputs.node = f->output;
    desc.outputs.count = f->g->outputs;
    desc.batch = most;
    desc.poison = true;
    nn_plan *plan = nn_make_plan(f->net, &desc);
    bool fine = plan != NULL;
    for (int i = 0; i < f->g->inputs && fine; i++)
        if (f->input[i] && nn_plan_view(plan, f->input[i]).dtype)
            fine = nn_upload(plan, f->input[i], numbers[i],
                             sizeof(float) * (size_t)(batch * elements(f->input[i]))) == NN_OK;
    do result = slices ? nn_run_for(plan, 1) : nn_run(plan);
    while (result == NN_PENDING);
    for (int i = 0; i < f->g->outputs && fine; i++)
        fine = nn_download(plan, f->output[i], to[i],
                           sizeof(float) * (size_t)(batch * elements(f->output[i]))) == NN_OK;
    if (test_wrong(!fine || result != NN_OK))
        test_fail(__FILE__, __LINE__, "seed %d, %s: %s", (int)f->g->seed, what, nn_error(nn));
    nn_clear_error(nn);
    nn_free_plan(plan);
}

/* ---- how far rounding may move a net --------------------------------------------------------- */

/* Moves each number by up to half a step of 8 bits. least, largest: of all numbers. */
static void move(images *g, float *to, const float *from, int count) {
    float least = 0, largest = 0;
    for (int k = 0; k < count; k++) {
        if (from[k] < least) least = from[k];
        if (from[k] > largest) largest = from[k];
    }
    for (int k = 0; k < count; k++)
        to[k] = from[k] + images_number(g) * (largest - least) / 510.0f;
}

/* Runs the f32 net with inputs, weights and biases that are moved as rounding to 8 bits moves them,
   and puts them back. Returns the root mean square of the change of an output in several runs,
   divided by that of the output. A net with a large change is ill conditioned: its outputs are
   small differences of large numbers. */
static double moved_by_rounding(const form *plain, int output) {
    enum { RUNS = 20, PARAMETERS = 1 << 20 };
    static float kept[2][ROOM], moved[2][ROOM];
    static float before[PARAMETERS], after[PARAMETERS];
    images drawn = *plain->g;
    const int n = BATCH * elements(plain->output[output]), tensors = nn_model_tensor_count(plain->net);
    double off = 0, all = 0;
    memcpy(kept, numbers, sizeof kept);
    for (int r = 0; r < RUNS; r++) {
        size_t used = 0;
        for (int back = 0; back < 2; back++, used = 0) {
            for (int t = 0; t < tensors; t++) {
                nn_tensor *tensor = nn_model_tensor_at(plain->net, t);
                const size_t bytes = nn_tensor_bytes(tensor), count = bytes / sizeof(float);
                if (strstr(nn_tensor_name(tensor), "running_")) continue;
                ENSURE_OR(0, used + count <= PARAMETERS);
                if (!back) {
                    ENSURE_OR(0, nn_download_tensor(tensor, before + used, bytes) == NN_OK);
                    move(&drawn, after + used, before + used, (int)count);
                }
                ENSURE_OR(0, nn_upload_tensor(tensor, (back ? before : after) + used, bytes) ==
                                 NN_OK);
                used += count;
            }
            for (int i = 0; i < plain->g->inputs && !back; i++)
                move(&drawn, numbers[i], kept[i], BATCH * elements(plain->input[i]));
            if (!back) run_form(plain, moved, BATCH, BATCH, false, "moved");
        }
        for (int k = 0; k < n; k++) {
            const double d = (double)moved[output][k] - (double)real[output][k];
            off += d * d / RUNS;
            all += (double)real[output][k] * (double)real[output][k] / RUNS;
        }
    }
    memcpy(numbers, kept, sizeof kept);
    return sqrt(off / all);
}

/* Compares two forms: the root mean square of the difference, divided by that of the numbers. With
   a net in f32, a larger difference than `most` is right if it is at most three times the change
   that rounding makes: values are rounded after each layer, too. */
static void compare(const images *g, float a[2][ROOM], float b[2][ROOM], double most,
                    const form *plain, const char *what) {
    for (int i = 0; i < g->outputs; i++) {
        const int n = BATCH * elements(g->output[i]);
        double off = 0, all = 0;
        for (int k = 0; k < n; k++) {
            const double d = (double)a[i][k] - (double)b[i][k];
            off += d * d;
            all += (double)real[i][k] * (double)real[i][k];
        }
        if (sqrt(all / n) < 1e-3) continue; /* nearly zeros, such as those of a clamp */
        if (plain && sqrt(off / all) >= most) {
            const double moved = moved_by_rounding(plain, i);
            if (getenv("NN_VERBOSE"))
                printf("seed %d, output %d: %s differ by %.4f; rounding moves it by %.4f\n",
                       (int)g->seed, i, what, sqrt(off / all), moved);
            ill_conditioned++;
            if (sqrt(off / all) < 3 * moved) continue;
        }
        if (test_wrong(!(sqrt(off / all) < most)))
            test_fail(__FILE__, __LINE__, "seed %d, output %d: %s differ by %.4f", (int)g->seed, i,
                      what, sqrt(off / all));
    }
}
/* A recurrent layer may stay in f32, and its products may be rounded otherwise in a plan for another
   number of samples. That is far less than a step of integers. */
static bool nearly_same(const float *a, const float *b, int count) {
    double off = 0, all = 0;
    for (int k = 0; k < count; k++) {
        off += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
        all += (double)a[k] * (double)a[k];
    }
    return sqrt(off) <= 1e-6 * sqrt(all);
}
static void compare_bytes(const images *g, int batch, const char *what) {
    for (int i = 0; i < g->outputs; i++) {
        const int count = batch * elements(g->output[i]);
        const bool same = memcmp(whole[i], again[i], sizeof(float) * (size_t)count) == 0 ||
                          (g->grouped && nearly_same(whole[i], again[i], count));
        if (test_wrong(!same))
            test_fail(__FILE__, __LINE__, "seed %d, output %d: other bytes %s", (int)g->seed, i,
                      what);
    }
}

/* Draws biases and statistics other than those of a fresh net. */
static void shake(images *g) {
    static float values[IMAGES_EXTENT * IMAGES_EXTENT * IMAGES_EXTENT];
    for (int t = 0; t < nn_model_tensor_count(g->net); t++) {
        nn_tensor *tensor = nn_model_tensor_at(g->net, t);
        const char *name = nn_tensor_name(tensor);
        const int n = (int)(nn_tensor_bytes(tensor) / sizeof(float));
        const bool variance = strstr(name, "running_var") != NULL;
        if (!variance && !strstr(name, "bias") && !strstr(name, "running_mean")) continue;
        for (int k = 0; k < n; k++)
            values[k] = variance ? 0.4f + 0.1f * images_number(g) : 0.3f * images_number(g);
        ENSURE(nn_upload_tensor(tensor, values, sizeof(float) * (size_t)n) == NN_OK);
    }
}

static nn_loader *images_loader(nn_context *nn, const images *g) {
    nn_field fields[2];
    nn_dataset_desc data;
    nn_loader_desc desc;
    memset(fields, 0, sizeof fields);
    memset(&data, 0, sizeof data);
    memset(&desc, 0, sizeof desc);
    for (int i = 0; i < g->inputs; i++) {
        const nn_shape shape = nn_node_shape(g->input[i]);
        fields[i].name = nn_node_name(g->input[i]);
        fields[i].shape.rank = 3;
        for (int k = 0; k < 3; k++) fields[i].shape.extent[k] = shape.extent[k + 1];
        fields[i].data = numbers[i];
    }
    data.fields.field = fields;
    data.fields.count = g->inputs;
    data.count = BATCH;
    desc.dataset = nn_make_dataset(nn, &data);
    desc.batch = BATCH;
    return nn_make_loader(nn, &desc);
}

/* Describes the net again, quantises it without a loader, fills it from a file of `integers` and
   runs it. */
static bool run_loaded(const form *integers, const nn_quantize_net_desc *how, const char *what) {
    static const char path[] = "quantize_random.safetensors";
    images other;
    nn_quantize_net_desc same = *how;
    nn_context *nn = nn_open(NULL);
    form plain = *integers;
    ENSURE_OR(false, nn_save_weights(integers->net, path) == NN_OK);
    plain.net = nn_make_model(nn, NULL);
    images_describe(&other, plain.net, integers->g->seed);
    memcpy(plain.input, other.input, sizeof plain.input);
    memcpy(plain.output, other.output, sizeof plain.output);
    same.outputs.node = plain.output;
    same.equalize = same.correct_bias = false;
    const form loaded = form_of(nn_quantize_net(plain.net, NULL, &same), &plain);
    const bool fine = loaded.net && nn_load_weights(loaded.net, path, NULL) == NN_OK;
    if (test_wrong(!fine))
        test_fail(__FILE__, __LINE__, "seed %d, %s: %s", (int)other.seed, what, nn_error(nn));
    else run_form(&loaded, again, BATCH, BATCH, false, what);
    remove(path);
    nn_close(nn);
    return fine;
}

/* Compares the integers in other runs, in a copy, and in a model that is filled from a file. */
static void check_again(const form *integers, const nn_quantize_net_desc *how) {
    const images *g = integers->g;
    run_form(integers, again, BATCH + 3, BATCH, true, "in slices");
    compare_bytes(g, BATCH, "in slices");
    run_form(integers, again, BATCH, 1, false, "one sample");
    compare_bytes(g, 1, "of one sample");
    const form copy = form_of(nn_copy_model(integers->net, NULL), integers);
    run_form(&copy, again, BATCH, BATCH, false, "a copy");
    compare_bytes(g, BATCH, "of a copy");
    if (run_loaded(integers, how, "a file")) compare_bytes(g, BATCH, "of a file");
}

/* Tests the rounded form, and the integers that nn_quantize_net makes of it. */
static void check_prepared(const form *plain, nn_loader *loader, nn_quantize_net_desc *how) {
    nn_context *nn = nn_model_context(plain->net);
    how->equalize = how->correct_bias = false;
    nn_model *qat = nn_prepare_qat(plain->net, loader, how);
    if (!qat) { /* only transposed convolutions in groups, which it leaves in f32 */
        if (test_wrong(nn_error_code(nn) != NN_ERROR_UNSUPPORTED))
            test_fail(__FILE__, __LINE__, "seed %d: %s", (int)plain->g->seed, nn_error(nn));
        nn_clear_error(nn);
        return;
    }
    const form prepared = form_of(qat, plain);
    run_form(&prepared, rounded, BATCH, BATCH, false, "rounded");
    how->outputs.node = prepared.output;
    nn_model *net = nn_quantize_net(qat, NULL, how);
    if (test_wrong(!net)) {
        test_fail(__FILE__, __LINE__, "seed %d: %s", (int)plain->g->seed, nn_error(nn));
        nn_clear_error(nn);
        return;
    }
    const form integers = form_of(net, &prepared);
    run_form(&integers, again, BATCH, BATCH, false, "integers of a rounded model");
    compare(plain->g, rounded, real, 0.15, plain, "rounded numbers and f32");
    /* ties differ: in 10,000 nets by at most 5 %, after average pools of small numbers */
    compare(plain->g, again, rounded, 0.08, NULL, "integers and rounded numbers");
    if (plain->g->grouped) return; /* integers of the f32 net, but not of the rounded one */
    if (run_loaded(&integers, how, "a file of a rounded model"))
        compare(plain->g, again, rounded, 0.08, NULL, "a file and rounded numbers");
}

/* Counts the layers whose largest weight is 7. */
static int count_small(nn_model *net) {
    int small = 0;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const size_t bytes = nn_tensor_bytes(tensor);
        int largest = 0;
        if (nn_tensor_dtype(tensor) != NN_I8 || nn_tensor_shape(tensor).rank != 4) continue;
        const int8_t *weights = (const int8_t *)nn_tensor_data(tensor); /* on the CPU */
        ENSURE_OR(-1, weights != NULL);
        for (size_t k = 0; k < bytes; k++)
            if (abs(weights[k]) > largest) largest = abs(weights[k]);
        small += largest == 7;
    }
    return small;
}

/* Weights of 4 bits: the same bytes in other runs, and those that the rounded form predicts. */
static void check_four_bits(const form *plain, nn_loader *loader, nn_quantize_net_desc *how) {
    nn_context *nn = nn_model_context(plain->net);
    how->weight_bits = 4;
    how->outputs.node = plain->output;
    nn_model *net = nn_quantize_net(plain->net, loader, how);
    if (test_wrong(!net)) {
        test_fail(__FILE__, __LINE__, "seed %d: %s", (int)plain->g->seed, nn_error(nn));
        nn_clear_error(nn);
        return;
    }
    const form integers = form_of(net, plain);
    const int small = count_small(net);
    run_form(&integers, whole, BATCH, BATCH, false, "integers of 4 bits");
    check_again(&integers, how);
    small_layers += small;
    nn_model *qat = nn_prepare_qat(plain->net, loader, how);
    how->weight_bits = 0;
    nn_clear_error(nn); /* there may be transposed convolutions in groups alone */
    if (!qat) return;
    const form prepared = form_of(qat, plain);
    run_form(&prepared, rounded, BATCH, BATCH, false, "rounded to 4 bits");
    how->outputs.node = prepared.output;
    nn_model *trained = nn_quantize_net(qat, NULL, how);
    if (test_wrong(!trained)) {
        test_fail(__FILE__, __LINE__, "seed %d: %s", (int)plain->g->seed, nn_error(nn));
        nn_clear_error(nn);
        return;
    }
    if (test_wrong(!plain->g->grouped && count_small(trained) != small))
        test_fail(__FILE__, __LINE__, "seed %d: %d layers of 4 bits, %d after training",
                  (int)plain->g->seed, small, count_small(trained));
    const form other = form_of(trained, &prepared);
    run_form(&other, again, BATCH, BATCH, false, "integers of a model rounded to 4 bits");
    compare(plain->g, again, rounded, 0.08, NULL, "integers and numbers rounded to 4 bits");
}

static void check_net(uint64_t seed) {
    images g;
    form plain;
    nn_quantize_net_desc how;
    nn_desc desc;
    memset(&how, 0, sizeof how);
    memset(&desc, 0, sizeof desc);
    desc.threads = 1 + (int)(seed % 3);
    nn_context *nn = nn_open(&desc);
    plain.net = nn_make_model(nn, NULL);
    plain.g = &g;
    images_describe(&g, plain.net, seed);
    memcpy(plain.input, g.input, sizeof plain.input);
    memcpy(plain.output, g.output, sizeof plain.output);
    for (int i = 0; i < g.inputs; i++)
        for (int k = 0; k < BATCH * elements(g.input[i]); k++)
            numbers[i][k] = 1.5f * images_number(&g) + 0.2f;
    run_form(&plain, real, BATCH, BATCH, false, "f32");
    shake(&g);
    run_form(&plain, real, BATCH, BATCH, false, "f32");
    nn_loader *loader = images_loader(nn, &g);
    how.outputs.node = plain.output;
    how.outputs.count = g.outputs;
    how.equalize = seed % 7 == 0;
    how.correct_bias = seed % 5 == 0;
    nn_model *net = nn_quantize_net(plain.net, loader, &how);
    if (net) {
        const form integers = form_of(net, &plain);
        quantised++;
        run_form(&integers, whole, BATCH, BATCH, false, "integers");
        compare(&g, whole, real, 0.12, &plain, "integers and f32");
        check_again(&integers, &how);
        check_prepared(&plain, loader, &how);
        if (seed % 3 == 0) check_four_bits(&plain, loader, &how);
    } else { /* no layer */
        if (test_wrong(nn_error_code(nn) != NN_ERROR_UNSUPPORTED))
            test_fail(__FILE__, __LINE__, "seed %d: %s", (int)seed, nn_error(nn));
        nn_clear_error(nn);
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

static void test_drawn_nets(void) {
    const char *full = getenv("NN_FULL");
    const int most = one_seed ? 1 : full && *full == '1' ? 10000 : 300;
    quantised = ill_conditioned = small_layers = 0;
    for (int i = 0; i < most && test_this_failed < 10; i++)
        check_net(one_seed ? one_seed : (uint64_t)i + 1);
    if (getenv("NN_VERBOSE"))
        printf("%d of %d nets have integers, %d layers have 4 bits\n", quantised, most, small_layers);
    ENSURE(one_seed || quantised * 10 > most * 8);
    ENSURE(one_seed || small_layers * 10 > most);
    ENSURE(one_seed || ill_conditioned * 1000 <= most); /* of 10,000 nets the one of seed 9873 */
}

int main(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--seed") == 0) one_seed = strtoull(argv[i + 1], NULL, 10), argc = 1;
    test_start(argc, argv);
    RUN(test_drawn_nets);
    return test_report();
}
