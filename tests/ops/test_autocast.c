/* tests/ops/test_autocast.c - regions of nn_autocast_begin: which operations round and store half
   floats, that this saves memory, and that gradients, recomputed blocks, copies, checkpoints and
   shards work as they do outside regions. */
#define NN_IMPLEMENTATION
#include "nn_group.h"
#include "nn_more.h"
#include "nn_sequence.h"

#include "error.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static float some(int i) { return (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f; }

/* Rounds to bf16, halves to even. */
static float rounded(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x7fffu + (bits >> 16 & 1u)) & 0xffff0000u;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static char report[1 << 17];

/* Returns the text of the plan that computes y. */
static const char *plan_text(nn_model *m, nn_node *y) {
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = 2});
    nn_text text = {.buffer = report, .size = sizeof report};
    report[0] = 0;
    nn_write_plan(plan, (nn_writer){.function = nn_write_text, .user = &text});
    nn_free_plan(plan);
    return report;
}

static bool has_step(const char *operation, const char *result) {
    char line[160];
    snprintf(line, sizeof line, " %-26s %-28s ", operation, result);
    return strstr(report, line) != NULL;
}

/* ---- which operations ------------------------------------------------------------------------ */

typedef nn_node *(*builder)(nn_model *m, nn_node *x);
#define BUILDER(name, call)                                                                        \
    static nn_node *name(nn_model *m, nn_node *x) { return call; }
BUILDER(a_linear, nn_linear(m, "layer", x, &(nn_linear_desc){.out_features = 4}))
BUILDER(a_transposed, nn_linear_transposed(m, "layer", x, &(nn_linear_desc){.out_features = 4}))
BUILDER(a_matmul, nn_matmul(m, x, nn_transpose(m, x, -2, -1), NULL))
BUILDER(a_conv2d, nn_conv2d(m, "layer", x, &(nn_conv2d_desc){.out_channels = 2, .kernel = 3}))
BUILDER(a_conv_transpose2d, nn_conv_transpose2d(m, "layer", x,
                                                &(nn_conv_transpose2d_desc){.out_channels = 2,
                                                                            .kernel = 2}))
BUILDER(a_attention, nn_scaled_dot_product_attention(m, x, x, x, NULL))
BUILDER(a_gelu, nn_gelu(m, x))
BUILDER(a_relu, nn_relu(m, x))
BUILDER(a_add, nn_add(m, x, x))
BUILDER(a_silu, nn_silu(m, x))
BUILDER(a_max_pool2d, nn_max_pool2d(m, x, &(nn_pool2d_desc){.kernel = 2}))
BUILDER(an_avg_pool2d, nn_avg_pool2d(m, x, &(nn_pool2d_desc){.kernel = 2}))
BUILDER(a_batch_norm2d, nn_batch_norm2d(m, "layer", x, NULL))
BUILDER(a_reshape, nn_reshape(m, x, NN_SHAPE(NN_BATCH, 16)))
BUILDER(a_permute, nn_transpose(m, x, 1, 2))
BUILDER(a_dropout, nn_dropout(m, x, 0.5f))
BUILDER(an_exp, nn_exp(m, x))
BUILDER(a_log, nn_log(m, x))
BUILDER(a_pow, nn_pow(m, x, x))
BUILDER(a_softmax, nn_softmax(m, x))
BUILDER(a_layer_norm, nn_layer_norm(m, "layer", x, NULL))
BUILDER(a_group_norm, nn_group_norm(m, "layer", x, &(nn_group_norm_desc){.num_groups = 1}))
BUILDER(a_sum, nn_sum(m, x, NN_AXES(3)))
BUILDER(an_mse_loss, nn_mse_loss(m, x, x, NULL))
BUILDER(a_parameter_sum, nn_add(m, x, nn_parameter(m, "p", NN_SHAPE(4), -1, 1)))

/* reads: the operation reads its input after it was rounded. stores: so does the reader of its
   result. */
static const struct {
    const char *name;
    builder build;
    bool reads, stores;
} cases[] = {
    {"linear", a_linear, true, true},
    {"linear_transposed", a_transposed, true, true},
    {"matmul", a_matmul, true, true},
    {"conv2d", a_conv2d, true, true},
    {"conv_transpose2d", a_conv_transpose2d, true, true},
    {"attention", a_attention, true, true},
    {"gelu", a_gelu, true, true},
    {"silu", a_silu, true, true},
    {"add", a_add, true, true},
    {"avg_pool2d", an_avg_pool2d, true, true},
    {"batch_norm", a_batch_norm2d, true, true},
    {"relu", a_relu, false, true},
    {"max_pool2d", a_max_pool2d, false, true},
    {"reshape", a_reshape, false, true},
    {"permute", a_permute, false, true},
    {"dropout", a_dropout, false, true},
    {"exp", an_exp, true, false},
    {"log", a_log, true, false},
    {"pow", a_pow, true, false},
    {"softmax", a_softmax, true, false},
    {"layer_norm", a_layer_norm, true, false},
    {"group_norm", a_group_norm, true, false},
    {"sum", a_sum, true, false},
    {"mse_loss", an_mse_loss, true, false},
    {"add of a parameter", a_parameter_sum, true, false},
};

/* The input of each operation is the result of a product, and nn_abs after the region reads its
   result. */
static void test_each_operation(void) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[64];
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        nn_model *m = nn_make_model(nn, NULL);
        nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 4));
        nn_autocast_begin(m, NN_BF16);
        x = nn_matmul(m, x, x, NULL);
        x = nn_reshape(m, x, NN_SHAPE(NN_BATCH, 1, 4, 4));
        nn_node *y = cases[i].build(m, x);
        nn_autocast_end(m);
        ENSURE(nn_node_dtype(y) == NN_F32);
        nn_node *z = nn_abs(m, y);
        plan_text(m, z);
        const bool reads = has_step("cast", "reshape.bf16") || has_step("cast", "transpose.bf16");
        snprintf(name, sizeof name, "%s.bf16", nn_node_name(y));
        if (test_wrong(nn_error(nn) || reads != cases[i].reads ||
                       has_step("cast", name) != cases[i].stores))
            test_fail(__FILE__, __LINE__, "%s: %s\n%s", cases[i].name,
                      nn_error(nn) ? nn_error(nn) : "", report);
        nn_close(nn);
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A product sums rounded operands, and its readers get the rounded sum. */
static void test_values(void) {
    enum { ROWS = 3, IN = 7, OUT = 5 };
    float x[ROWS * IN], w[OUT * IN], b[OUT], y[ROWS * OUT], z[ROWS * OUT];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *m = nn_make_model(nn, NULL);
    nn_node *input = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    nn_autocast_begin(m, NN_BF16);
    nn_node *out = nn_linear(m, "fc", input, &(nn_linear_desc){.out_features = OUT});
    nn_autocast_end(m);
    nn_node *seen = nn_negate(m, out);
    nn_plan *plan =
        nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(out, seen), .batch = ROWS});
    for (int i = 0; i < ROWS * IN; i++) x[i] = some(i);
    for (int i = 0; i < OUT * IN; i++) w[i] = some(i + 99);
    for (int i = 0; i < OUT; i++) b[i] = some(i + 200);
    nn_upload_tensor(nn_find_tensor(m, "fc.weight"), w, sizeof w);
    nn_upload_tensor(nn_find_tensor(m, "fc.bias"), b, sizeof b);
    ENSURE(nn_upload(plan, input, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, out, y, sizeof y) == NN_OK);
    ENSURE(nn_download(plan, seen, z, sizeof z) == NN_OK);
    for (int r = 0; r < ROWS; r++)
        for (int o = 0; o < OUT; o++) {
            double sum = b[o];
            for (int k = 0; k < IN; k++)
                sum += (double)rounded(x[r * IN + k]) * rounded(w[o * IN + k]);
            ENSURE_CLOSE(y[r * OUT + o], sum, 1e-6);
            ENSURE(z[r * OUT + o] == -rounded(y[r * OUT + o]));
        }
    nn_close(nn);
}

/* ---- training -------------------------------------------------------------------------------- */

enum { BATCH = 4, TIME = 6, WIDTH = 16, LAYERS = 3 };

typedef struct run {
    nn_context *nn;
    nn_model *model;
    nn_node *x, *target, *loss;
    nn_trainer *trainer;
} run;

typedef struct how {
    nn_dtype autocast; /* NN_DTYPE_DEFAULT: none */
    bool recompute, outside; /* outside: blocks begin before the region */
    int shards;
} how;

/* Describes layers of a transformer, as test_recompute has them, with a head. */
static void describe(run *r, const how *h) {
    nn_model *m = r->model = nn_make_model(r->nn, &(nn_model_desc){.seed = 3});
    nn_node *x = r->x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, TIME, WIDTH));
    r->target = nn_input(m, "target", NN_F32, NN_SHAPE(NN_BATCH, 3));
    for (int i = 0; i < LAYERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "block%d", i);
        if (h->recompute && h->outside) nn_recompute_begin(m);
        if (h->autocast) nn_autocast_begin(m, h->autocast);
        if (h->recompute && !h->outside) nn_recompute_begin(m);
        x = nn_transformer_encoder_layer(m, name, x,
                                         &(nn_transformer_encoder_layer_desc){
                                             .nhead = 2, .dim_feedforward = 64, .dropout = 0.1f});
        if (h->recompute && !h->outside) nn_recompute_end(m);
        if (h->autocast) nn_autocast_end(m);
        if (h->recompute && h->outside) nn_recompute_end(m);
    }
    if (h->autocast) nn_autocast_begin(m, h->autocast);
    x = nn_relu(m, nn_linear(m, "hidden", nn_flatten(m, x), &(nn_linear_desc){.out_features = 16}));
    x = nn_linear(m, "head", x, &(nn_linear_desc){.out_features = 3});
    r->loss = nn_mse_loss(m, x, r->target, NULL);
    if (h->autocast) nn_autocast_end(m);
}

static void begin(run *r, const how *h) {
    memset(r, 0, sizeof *r);
    r->nn = nn_open(&(nn_desc){.threads = 1});
    describe(r, h);
    nn_trainer_desc desc = {.batch = BATCH, .optimizer = NN_ADAMW, .shards = h->shards};
    r->trainer = nn_make_trainer(r->model, r->loss, &desc);
    if (test_wrong(!r->trainer)) test_fail(__FILE__, __LINE__, "%s", nn_error(r->nn));
}

static float step(run *r, int s) {
    float x[BATCH * TIME * WIDTH], target[BATCH * 3], loss = NAN;
    for (int i = 0; i < BATCH * TIME * WIDTH; i++) x[i] = some(i + 31 * s);
    for (int i = 0; i < BATCH * 3; i++) target[i] = some(i + 17 * s);
    nn_plan *plan = nn_trainer_plan(r->trainer);
    nn_upload(plan, r->x, x, sizeof x);
    nn_upload(plan, r->target, target, sizeof target);
    if (test_wrong(nn_train_on_inputs(r->trainer) != NN_OK ||
                   nn_read_loss(r->trainer, &loss) != NN_OK))
        test_fail(__FILE__, __LINE__, "%s", nn_error(r->nn));
    return loss;
}

/* Copies all parameters; returns their bytes. */
static size_t weights(nn_model *m, float *to) {
    size_t count = 0;
    for (int i = 0; i < nn_model_tensor_count(m); i++) {
        nn_tensor *tensor = nn_model_tensor_at(m, i);
        ENSURE_OR(0, nn_download_tensor(tensor, to + count, nn_tensor_bytes(tensor)) == NN_OK);
        count += nn_tensor_bytes(tensor) / sizeof(float);
    }
    return count * sizeof(float);
}

static void end(run *r) {
    if (nn_error(r->nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(r->nn));
    nn_close(r->nn);
}

/* Trains for one epoch whose batches are cut into shards. */
static void load(run *r, int shards) {
    static float x[3 * BATCH * TIME * WIDTH], target[3 * BATCH * 3];
    for (int i = 0; i < 3 * BATCH * TIME * WIDTH; i++) x[i] = some(i);
    for (int i = 0; i < 3 * BATCH * 3; i++) target[i] = some(i);
    nn_dataset *data = nn_make_dataset(
        r->nn, &(nn_dataset_desc){
                   .count = 3 * BATCH,
                   .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(TIME, WIDTH), .data = x},
                              {.name = "target", .shape = NN_SHAPE(3), .data = target})});
    nn_loader *loader = nn_make_loader(
        r->nn, &(nn_loader_desc){.dataset = data, .batch = BATCH, .shards = shards});
    while (nn_next_batch(loader)) ENSURE(nn_train_step(r->trainer, loader) == NN_OK);
}

enum { MOST = 1 << 15 };
static size_t trained(const how *h, float *to, uint64_t *activations) {
    run r;
    begin(&r, h);
    if (h->shards > 1) load(&r, h->shards);
    for (int s = 0; s < 3 && h->shards < 2; s++) step(&r, s);
    if (activations)
        *activations = nn_plan_bytes(nn_trainer_plan(r.trainer), nn_cpu(), NN_MEMORY_ACTIVATIONS);
    const size_t bytes = weights(r.model, to);
    end(&r);
    return bytes;
}

/* Blocks give the same bytes as no blocks, in less memory, whichever begins first. */
static void test_recomputed(void) {
    static float plain[MOST], blocks[MOST];
    for (int outside = 0; outside < 2; outside++) {
        uint64_t without, with;
        const size_t bytes = trained(&(how){.autocast = NN_BF16}, plain, &without);
        ENSURE(trained(&(how){.autocast = NN_BF16, .recompute = true, .outside = outside}, blocks,
                       &with) == bytes);
        ENSURE(memcmp(plain, blocks, bytes) == 0);
        ENSURE(with < without);
    }
}

/* Weights stay near those of f32, and are not the same. */
static void test_near_f32(void) {
    static float wide[MOST], half[MOST];
    const nn_dtype dtypes[] = {NN_BF16, NN_F16};
    const size_t bytes = trained(&(how){.autocast = NN_DTYPE_DEFAULT}, wide, NULL);
    for (int d = 0; d < 2; d++) {
        double difference = 0, size = 0;
        ENSURE(trained(&(how){.autocast = dtypes[d]}, half, NULL) == bytes);
        for (size_t i = 0; i < bytes / sizeof(float); i++) {
            difference += fabs((double)half[i] - wide[i]);
            size += fabs((double)wide[i]);
        }
        /* 3 steps of AdamW at a rate of 1e-3 move a weight by at most 3e-3 */
        ENSURE(difference > 0 && difference / size < 0.01);
    }
}

/* In a net whose activations are large beside its weights, a step keeps little more than half. */
static void test_memory(void) {
    uint64_t bytes[2];
    for (int half = 0; half < 2; half++) {
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        nn_model *m = nn_make_model(nn, NULL);
        nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 64));
        nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
        if (half) nn_autocast_begin(m, NN_BF16);
        for (int i = 0; i < 24; i++) {
            char name[16];
            snprintf(name, sizeof name, "fc%d", i);
            x = nn_gelu(m, nn_linear(m, name, x, &(nn_linear_desc){.out_features = 64}));
        }
        if (half) nn_autocast_end(m);
        nn_trainer *trainer = nn_make_trainer(m, nn_cross_entropy(m, x, label, NULL),
                                              &(nn_trainer_desc){.batch = 1024});
        bytes[half] = nn_plan_bytes(nn_trainer_plan(trainer), nn_cpu(), NN_MEMORY_ACTIVATIONS);
        ENSURE(!nn_error(nn));
        nn_close(nn);
    }
    ENSURE((double)bytes[1] < 0.6 * (double)bytes[0]);
}

/* Trainers that resume from a checkpoint train to the same bytes, also that of a copied model. */
static void test_copies(void) {
    static float first[MOST], second[MOST];
    const how h = {.autocast = NN_BF16};
    run r, other;
    begin(&r, &h);
    for (int s = 0; s < 2; s++) step(&r, s);
    ENSURE(nn_save_checkpoint(r.trainer, "autocast.safetensors", NULL) == NN_OK);
    begin(&other, &h);
    ENSURE(nn_load_checkpoint(other.trainer, "autocast.safetensors", NULL) == NN_OK);
    run copied = r;
    copied.model = nn_copy_model(r.model, NULL);
    copied.x = nn_copied_node(copied.model, r.x);
    copied.target = nn_copied_node(copied.model, r.target);
    copied.loss = nn_copied_node(copied.model, r.loss);
    nn_trainer_desc desc = {.batch = BATCH, .optimizer = NN_ADAMW};
    copied.trainer = nn_make_trainer(copied.model, copied.loss, &desc);
    ENSURE(nn_load_checkpoint(copied.trainer, "autocast.safetensors", NULL) == NN_OK);
    remove("autocast.safetensors");
    const float of_copy = step(&copied, 2), resumed = step(&other, 2), went_on = step(&r, 2);
    ENSURE(of_copy == went_on && resumed == went_on);
    const size_t bytes = weights(r.model, first);
    ENSURE(weights(other.model, second) == bytes && memcmp(first, second, bytes) == 0);
    ENSURE(weights(copied.model, second) == bytes && memcmp(first, second, bytes) == 0);
    end(&other);
    end(&r);
}

static void test_shards(void) {
    static float two[MOST], again[MOST];
    const size_t bytes = trained(&(how){.autocast = NN_BF16, .shards = 2}, two, NULL);
    ENSURE(trained(&(how){.autocast = NN_BF16, .shards = 2, .recompute = true}, again, NULL) ==
           bytes);
    ENSURE(memcmp(two, again, bytes) == 0);
}

/* ---- gradients that are nodes ---------------------------------------------------------------- */

/* nn_gradient inside of a region: dx of sum(W x) is the sum of the rounded rows of W. */
static void test_gradient_nodes(void) {
    enum { IN = 5, OUT = 4 };
    float x[IN], w[OUT * IN], dx[IN];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *m = nn_make_model(nn, NULL);
    nn_node *input = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    nn_autocast_begin(m, NN_BF16);
    nn_node *y = nn_linear(m, "fc", input, &(nn_linear_desc){.out_features = OUT});
    nn_node *g = nn_gradient(m, nn_sum(m, y), input, NULL);
    nn_node *after = nn_linear(m, "fc2", g, &(nn_linear_desc){.out_features = OUT});
    nn_autocast_end(m);
    plan_text(m, after);
    ENSURE(has_step("cast", "fc.weight.bf16") && has_step("cast", "fc2.weight.bf16"));
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(g)});
    for (int i = 0; i < IN; i++) x[i] = some(i);
    for (int i = 0; i < OUT * IN; i++) w[i] = some(i + 99);
    nn_upload_tensor(nn_find_tensor(m, "fc.weight"), w, sizeof w);
    ENSURE(nn_upload(plan, input, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, g, dx, sizeof dx) == NN_OK);
    for (int i = 0; i < IN; i++) {
        double sum = 0;
        for (int o = 0; o < OUT; o++) sum += rounded(w[o * IN + i]);
        ENSURE_CLOSE(dx[i], sum, 1e-6);
    }
    nn_close(nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static void refused(nn_context *nn, nn_model *m, const char *words) {
    nn_node *y = nn_abs(m, nn_input(m, "y", NN_F32, NN_SHAPE(NN_BATCH)));
    ENSURE(!nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y)}));
    if (test_wrong(!nn_error(nn) || !strstr(nn_error(nn), words)))
        test_fail(__FILE__, __LINE__, "wanted \"%s\", got: %s", words, nn_error(nn));
    nn_clear_error(nn);
    nn_free_model(m);
}

static void test_mistakes(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *m = nn_make_model(nn, NULL);
    nn_autocast_begin(m, NN_F32);
    refused(nn, m, "dtype is f32; wanted NN_BF16 or NN_F16");
    m = nn_make_model(nn, NULL);
    nn_autocast_begin(m, NN_BF16);
    nn_autocast_begin(m, NN_F16);
    refused(nn, m, "test_autocast.c:");
    m = nn_make_model(nn, NULL);
    nn_autocast_begin(m, NN_BF16);
    nn_autocast_begin(m, NN_F16);
    refused(nn, m, "nn_autocast_end first: regions cannot be nested");
    m = nn_make_model(nn, NULL);
    nn_autocast_end(m);
    refused(nn, m, "there is no nn_autocast_begin to end");
    m = nn_make_model(nn, NULL);
    nn_autocast_begin(m, NN_BF16);
    refused(nn, m, "nn_autocast_begin");
    m = nn_make_model(nn, NULL);
    nn_autocast_begin(m, NN_BF16);
    refused(nn, m, "it was never ended");
    nn_autocast_begin(NULL, NN_BF16);
    nn_autocast_end(NULL);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_each_operation);
    RUN(test_values);
    RUN(test_recomputed);
    RUN(test_near_f32);
    RUN(test_memory);
    RUN(test_copies);
    RUN(test_shards);
    RUN(test_gradient_nodes);
    RUN(test_mistakes);
    return test_report();
}
