/* test_opencl_halves.c: nets with nn_autocast_begin on a GPU whose kernels read and write f16 and
   bf16 themselves. Leaving out the casts must not change a byte. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_sequence.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <stdio.h>
#include <stdlib.h>

#include "emulated_units.h"
#include "inside.h"
#include "test.h"

#include "lists.h"
#include "opencl_as_gpu.h"

enum { STEPS = 3, TIME = 36, WIDE = 64, WORDS = 90, SIDE = 5 };

static nn_context *nn;
static nn__opencl *gpu;

/* Opens a device as a GPU of a few compute units with matrix units. halves: its kernels take f16
   and bf16. False: there is no OpenCL device. */
static bool open_gpu(bool halves, bool always) {
    nn_opencl_desc desc;
    void *state = NULL;
    memset(&desc, 0, sizeof desc);
    desc.cache_folder = "";
    desc.no_clblast = true;
    nn = nn_open(NULL);
    if (nn_opencl_open(nn, &desc) != NN_OK) {
        nn_close(nn);
        return false;
    }
    nn_device_backend(nn, nn_opencl(0), &state);
    gpu = (nn__opencl *)state;
    gpu->cpu = false;
    gpu->gpu = true;
    gpu->units = 4;
    gpu->forced = NN__OPENCL_TILES;
    gpu->mma = NN__OPENCL_MMA_EMULATED;
    gpu->mma_always = always;
    if (!halves) gpu->backend.halves = NULL;
    return true;
}

/* ---- nets ------------------------------------------------------------------------------------ */

typedef struct net {
    nn_model *model;
    nn_node *input, *label, *output, *loss;
    nn_shape input_shape, label_shape;
    int classes;
} net;

static nn_node *linear(nn_model *m, const char *name, nn_node *x, int outputs) {
    nn_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = outputs;
    return nn_linear(m, name, x, &desc);
}

/* A block of GPT-2: heads beside each other, as three pieces of one product. */
static net transformer(nn_dtype half) {
    net n;
    nn_model_desc model;
    nn_embedding_desc words;
    nn_scaled_dot_product_attention_desc attention;
    nn_node *parts[3], *x, *y;
    const nn_shape heads = NN_SHAPE(NN_BATCH, NN_TIME, 2, WIDE / 2);
    memset(&n, 0, sizeof n);
    memset(&model, 0, sizeof model);
    memset(&words, 0, sizeof words);
    memset(&attention, 0, sizeof attention);
    model.device = nn_opencl(0);
    model.seed = 3;
    n.model = nn_make_model(nn, &model);
    n.input_shape = n.label_shape = NN_SHAPE(NN_BATCH, NN_TIME);
    n.classes = WORDS;
    n.input = nn_input(n.model, "ids", NN_I32, n.input_shape);
    n.label = nn_input(n.model, "label", NN_I32, n.label_shape);
    nn_autocast_begin(n.model, half);
    words.num_embeddings = WORDS;
    words.embedding_dim = WIDE;
    x = nn_embedding(n.model, "words", n.input, &words);
    y = linear(n.model, "qkv", nn_layer_norm(n.model, "norm1", x, NULL), 3 * WIDE);
    nn_chunk(n.model, y, parts, 3, 2);
    for (int i = 0; i < 3; i++) parts[i] = nn_reshape(n.model, parts[i], heads);
    attention.is_causal = attention.heads_inside = true;
    y = nn_scaled_dot_product_attention(n.model, parts[0], parts[1], parts[2], &attention);
    y = nn_reshape(n.model, y, NN_SHAPE(NN_BATCH, NN_TIME, WIDE));
    x = nn_add(n.model, x, linear(n.model, "proj", y, WIDE));
    y = linear(n.model, "up", nn_layer_norm(n.model, "norm2", x, NULL), 2 * WIDE);
    x = nn_add(n.model, x, linear(n.model, "down", nn_gelu(n.model, y), WIDE));
    x = nn_reshape(n.model, x, NN_SHAPE(NN_BATCH_TIME, WIDE));
    n.output = linear(n.model, "head", x, WORDS);
    n.loss = nn_cross_entropy(n.model, n.output,
                              nn_reshape(n.model, n.label, NN_SHAPE(NN_BATCH_TIME)), NULL);
    nn_autocast_end(n.model);
    return n;
}

static nn_node *conv(nn_model *m, const char *name, nn_node *x, int channels, int stride) {
    nn_conv2d_desc desc;
    char norm[32];
    memset(&desc, 0, sizeof desc);
    desc.out_channels = channels;
    desc.kernel = 3;
    desc.padding = 1;
    desc.stride = stride;
    snprintf(norm, sizeof norm, "%s_norm", name);
    return nn_batch_norm2d(m, norm, nn_conv2d(m, name, x, &desc), NULL);
}

static net pictures(nn_dtype half) {
    net n;
    nn_model_desc model;
    nn_node *x, *y;
    memset(&n, 0, sizeof n);
    memset(&model, 0, sizeof model);
    model.device = nn_opencl(0);
    model.seed = 3;
    n.model = nn_make_model(nn, &model);
    n.input_shape = NN_SHAPE(NN_BATCH, 32, SIDE, SIDE);
    n.label_shape = NN_SHAPE(NN_BATCH);
    n.classes = 5;
    n.input = nn_input(n.model, "image", NN_F32, n.input_shape);
    n.label = nn_input(n.model, "label", NN_I32, n.label_shape);
    nn_autocast_begin(n.model, half);
    x = nn_relu(n.model, conv(n.model, "conv1", n.input, 32, 1));
    y = nn_relu(n.model, conv(n.model, "conv2", x, 32, 1));
    x = nn_relu(n.model, nn_add(n.model, x, conv(n.model, "conv3", y, 32, 1)));
    n.output = linear(n.model, "head", nn_flatten(n.model, x), n.classes);
    n.loss = nn_cross_entropy(n.model, n.output, n.label, NULL);
    nn_autocast_end(n.model);
    return n;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static bool give(nn_plan *plan, nn_node *node, nn_shape shape, int batch, int below) {
    static float numbers[8 * 32 * SIDE * SIDE];
    int32_t *const whole = (int32_t *)(void *)numbers;
    int64_t count;
    for (int i = 0; i < shape.rank; i++) {
        if (shape.extent[i] == NN_BATCH) shape.extent[i] = batch;
        if (shape.extent[i] == NN_TIME) shape.extent[i] = TIME;
    }
    count = nn_shape_count(shape);
    for (int64_t i = 0; i < count; i++)
        if (below) whole[i] = (int32_t)(i * 7 % below);
        else numbers[i] = (float)(i * 7919 % 2003) / 1001.0f - 1.0f;
    return nn_upload(plan, node, numbers, (size_t)count * 4) == NN_OK;
}

typedef struct outcome {
    float losses[STEPS], outputs[2][8 * TIME * WORDS];
    int steps; /* number of steps of the training plan */
    int casts[2]; /* its casts of single weights, and of all weights at once */
    double bytes;
} outcome;

static void count_casts(const nn_plan *plan, int *casts) {
    for (int s = 0; s < plan->step_count; s++) {
        const nn_node *node = plan->steps[s].node;
        casts[0] += strcmp(node->rule->name, "cast") == 0 && node->inputs[0]->kind == NN__PARAMETER;
        casts[1] += strcmp(node->rule->name, "casts") == 0;
    }
}

/* Trains, and infers with a full batch and with a smaller one. */
static void run(net n, outcome *o, int batch) {
    nn_trainer_desc desc;
    nn_plan_desc infer;
    memset(&desc, 0, sizeof desc);
    memset(&infer, 0, sizeof infer);
    memset(o, 0, sizeof *o);
    const bool text = n.input_shape.rank == 2;
    desc.batch = infer.batch = batch;
    desc.time = infer.time = text ? TIME : 0;
    desc.optimizer = NN_SGD;
    desc.learning_rate = 0.1f;
    NODE_AT(infer.outputs, 0) = n.output;
    nn_trainer *trainer = nn_make_trainer(n.model, n.loss, &desc);
    nn_plan *plan = nn_trainer_plan(trainer);
    ENSURE(plan != NULL);
    o->steps = plan->step_count;
    count_casts(plan, o->casts);
    o->bytes = (double)nn_plan_bytes(plan, nn_opencl(0), NN_MEMORY_ACTIVATIONS);
    for (int i = 0; i < STEPS; i++)
        ENSURE(give(plan, n.input, n.input_shape, batch, text ? WORDS : 0) &&
               give(plan, n.label, n.label_shape, batch, n.classes) &&
               nn_train_on_inputs(trainer) == NN_OK &&
               nn_read_loss(trainer, &o->losses[i]) == NN_OK);
    plan = nn_make_plan(n.model, &infer);
    for (int i = 0; i < 2; i++) {
        const int some = i ? 1 : batch;
        ENSURE(give(plan, n.input, n.input_shape, some, text ? WORDS : 0) &&
               nn_run(plan) == NN_OK &&
               nn_download(plan, n.output, o->outputs[i],
                           (size_t)some * (size_t)(text ? TIME : 1) * (size_t)n.classes * 4) ==
                   NN_OK);
    }
}

/* True if the numbers decrease, so that the steps trained. */
static bool falls(const float *losses) { return losses[STEPS - 1] < losses[0]; }

/* always: also products and convolutions that would be too small for matrix units use them. */
static void compare(net (*make)(nn_dtype), nn_dtype half, bool always, int batch, int fewer,
                    double less) {
    static outcome with, without;
    if (!open_gpu(true, always)) SKIP("no OpenCL device here");
    run(make(half), &with, batch);
    nn_close(nn);
    ENSURE(open_gpu(false, always));
    run(make(half), &without, batch);
    nn_close(nn);
    ENSURE(memcmp(with.losses, without.losses, sizeof with.losses) == 0);
    ENSURE(memcmp(with.outputs, without.outputs, sizeof with.outputs) == 0);
    ENSURE(falls(with.losses));
    ENSURE(with.casts[0] == 0 && with.casts[1] == 1);
    ENSURE(without.casts[0] > 1 && without.casts[1] == 0);
    if (with.steps + fewer > without.steps || with.bytes > less * without.bytes)
        test_fail(__FILE__, __LINE__, "%d steps instead of %d, %g bytes instead of %g", with.steps,
                  without.steps, with.bytes, without.bytes);
}

static void test_transformer_bf16(void) { compare(transformer, NN_BF16, false, 2, 15, 0.99); }
static void test_transformer_f16(void) {
    if (!getenv("NN_FULL")) SKIP("NN_FULL=1 runs it: the same programs with the other dtype");
    compare(transformer, NN_F16, false, 2, 15, 0.99);
}
static void test_pictures_bf16(void) { compare(pictures, NN_BF16, false, 4, 10, 1.0); }

/* Steps that run as one compute their products in f32, and the plan says so. */
static void test_joined_products_are_told(void) {
    static char words[8192];
    nn_text text = {words, sizeof words, 0};
    nn_writer writer = {0};
    nn_model_desc on;
    nn_linear_desc layer;
    nn_plan_desc planned;
    if (!open_gpu(false, false)) SKIP("no OpenCL device here");
    memset(&on, 0, sizeof on);
    memset(&layer, 0, sizeof layer);
    memset(&planned, 0, sizeof planned);
    on.device = nn_opencl(0);
    layer.out_features = 40;
    nn_model *m = nn_make_model(nn, &on);
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(40, 40)),
            *y = nn_linear(m, "fc", nn_tanh(m, x), &layer);
    planned.outputs.node = &y;
    planned.outputs.count = 1;
    planned.precision = NN_PRECISION_MEDIUM;
    nn_plan *plan = nn_make_plan(m, &planned);
    ENSURE(plan);
    writer.function = nn_write_text, writer.user = &text;
    nn_write_plan(plan, writer);
    ENSURE(strstr(words, "steps 1 to 2 run as one") &&
           strstr(words, "f32: it runs as one with other steps"));
    planned.require_precision = true;
    ENSURE(!nn_make_plan(m, &planned));
    ENSURE(strstr(nn_error(nn), ".separate_steps lets it run alone"));
    planned.separate_steps = true;
    ENSURE(nn_make_plan(m, &planned));
    nn_close(nn);
}

/* A product that rounds f32 operands to bf16 would keep f16 ones, so their cast stays. */
static void test_f16_is_rounded_to_bf16(void) {
    static float from[40 * 40], to[2][40 * 40];
    for (int i = 0; i < 40 * 40; i++) from[i] = (float)(i * 37 % 1999) / 700.0f - 1.4f;
    for (int k = 0; k < 2; k++) {
        nn_model_desc on;
        nn_linear_desc layer;
        nn_plan_desc planned;
        if (!open_gpu(k == 0, true)) SKIP("no OpenCL device here");
        memset(&on, 0, sizeof on);
        memset(&layer, 0, sizeof layer);
        memset(&planned, 0, sizeof planned);
        on.device = nn_opencl(0);
        layer.out_features = 40;
        nn_model *m = nn_make_model(nn, &on);
        nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(40, 40)),
                *y = nn_linear(m, "fc", nn_cast(m, nn_cast(m, x, NN_F16), NN_F32), &layer);
        planned.outputs.node = &y;
        planned.outputs.count = 1;
        planned.precision = NN_PRECISION_MEDIUM;
        planned.separate_steps = true;
        nn_plan *plan = nn_make_plan(m, &planned);
        ENSURE(plan && nn_upload(plan, x, from, sizeof from) == NN_OK && nn_run(plan) == NN_OK &&
               nn_download(plan, y, to[k], sizeof to[k]) == NN_OK);
        nn_close(nn);
    }
    ENSURE(memcmp(to[0], to[1], sizeof to[0]) == 0);
}

/* ---- two embeddings and their sum, as one kernel --------------------------------------------- */

enum { WIDEST = 72, MANY = 2000 }; /* as many rows are more than one work-group takes */
typedef struct summed {
    float y[MANY * WIDEST];
    nn_result ran, read; /* of nn_run and of the download after it */
    int joined;          /* the number of steps that the first one runs with */
} summed;

/* first: the first of the numbers of words. All other numbers are in range. */
static void add_embeddings(nn_dtype dtype, int rows, int wide, int first, bool separate,
                           summed *o) {
    static int32_t word[MANY], place[MANY];
    nn_model_desc on;
    nn_embedding_desc table;
    nn_plan_desc planned;
    memset(&on, 0, sizeof on);
    memset(&table, 0, sizeof table);
    memset(&planned, 0, sizeof planned);
    memset(o, 0, sizeof *o);
    on.device = nn_opencl(0);
    on.dtype = dtype;
    on.seed = 5;
    table.num_embeddings = WORDS;
    table.embedding_dim = wide;
    nn_model *m = nn_make_model(nn, &on);
    nn_node *words = nn_input(m, "words", NN_I32, NN_SHAPE(NN_BATCH)),
            *places = nn_input(m, "places", NN_I32, NN_SHAPE(NN_BATCH)),
            *y = nn_add(m, nn_embedding(m, "word", words, &table),
                        nn_embedding(m, "place", places, &table));
    y = nn_scale(m, nn_cast(m, y, NN_F32), 3.0f);
    NODE_AT(planned.outputs, 0) = y;
    planned.batch = rows;
    planned.separate_steps = separate;
    nn_plan *plan = nn_make_plan(m, &planned);
    ENSURE(plan && wide <= WIDEST && rows <= MANY);
    for (int i = 0; i < rows; i++) word[i] = i * 11 % WORDS, place[i] = i % WORDS;
    word[0] = first;
    ENSURE(nn_upload(plan, words, word, (size_t)rows * 4) == NN_OK &&
           nn_upload(plan, places, place, (size_t)rows * 4) == NN_OK);
    o->ran = nn_run(plan);
    o->read = nn_download(plan, y, o->y, (size_t)(rows * wide) * 4);
    o->joined = plan->steps->chain;
    nn_clear_error(nn);
}

/* whole: the rows are whole words of four bytes, so they can be joined. */
static void compare_embeddings(nn_dtype dtype, int rows, int wide, int first, bool whole) {
    static summed joined, separate;
    if (!open_gpu(true, false)) SKIP("no OpenCL device here");
    add_embeddings(dtype, rows, wide, first, false, &joined);
    add_embeddings(dtype, rows, wide, first, true, &separate);
    nn_close(nn);
    ENSURE(whole ? joined.joined >= 3 : joined.joined < 2);
    ENSURE(separate.joined < 2);
    ENSURE(joined.ran == separate.ran && joined.read == separate.read);
    ENSURE(memcmp(joined.y, separate.y, sizeof joined.y) == 0);
    ENSURE(first < 0 || (joined.read == NN_OK && joined.y[0] != 0.0f));
}

static void test_embeddings(void) {
    const nn_dtype halves[2] = {NN_BF16, NN_F16};
    for (int i = 0; i < 2; i++) {
        compare_embeddings(halves[i], 6, 72, 0, true);
        compare_embeddings(halves[i], 6, 6, 30, true);
        compare_embeddings(halves[i], MANY, 72, 0, true);
        compare_embeddings(halves[i], MANY, 72, -1, true);
        compare_embeddings(halves[i], 6, 7, 0, false); /* half a word is left of each row */
        compare_embeddings(halves[i], 6, 72, -1, true); /* the first number is out of range */
    }
    compare_embeddings(NN_F32, 6, 72, 0, true);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    BEFORE_EMULATED_UNITS();
    RUN(test_joined_products_are_told);
    RUN(test_f16_is_rounded_to_bf16);
    RUN(test_embeddings);
    RUN(test_transformer_bf16);
    RUN(test_transformer_f16);
    RUN(test_pictures_bf16);
    return test_report();
}
