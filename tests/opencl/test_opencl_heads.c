/* test_opencl_heads.c: attention that reads q, k and v as parts of the rows of one product, and
   writes their gradients there, and caches that take keys and values from there, two in one step.
   That must leave out the slices and the join of their gradients, and must not change a byte. Also
   biases in bf16, whose f32 forms a plan keeps from run to run. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_sequence.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <stdio.h>
#include <stdlib.h>

#include "inside.h"
#include "test.h"

#include "lists.h"
#include "opencl_as_gpu.h"

enum { STEPS = 3, TIME = 37, WIDE = 24, WORDS = 30, BATCH = 2 };

/* A net: `heads` query heads of `each` numbers, `shared` heads of keys and values. */
typedef struct kind {
    int heads, shared, each;
    bool rows;   /* the product has one row for each position, so it has two axes */
    bool biased; /* a mask with a gradient */
    bool known;  /* k is an output, too, so its slice stays */
    int left;    /* slices that stay in a plan that trains */
} kind;

static nn_context *nn;

/* Opens a device whose kernels are those of this family. False: there is no OpenCL device. */
static bool open_device(nn__opencl_family family) {
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
    ((nn__opencl *)state)->forced = family;
    ((nn__opencl *)state)->backend.chain_make = NULL; /* joined kernels add in another order */
    return true;
}

typedef struct net {
    nn_model *model;
    nn_node *ids, *label, *output, *keys, *loss;
} net;

static net describe(const kind *k) {
    net n;
    nn_model_desc model;
    nn_embedding_desc words;
    nn_linear_desc layer;
    nn_scaled_dot_product_attention_desc attention;
    nn_node *parts[3], *x;
    const int extents[3] = {k->heads * k->each, k->shared * k->each, k->shared * k->each};
    memset(&n, 0, sizeof n);
    memset(&model, 0, sizeof model);
    memset(&words, 0, sizeof words);
    memset(&layer, 0, sizeof layer);
    memset(&attention, 0, sizeof attention);
    model.device = nn_opencl(0);
    model.seed = 3;
    n.model = nn_make_model(nn, &model);
    n.ids = nn_input(n.model, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    n.label = nn_input(n.model, "label", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    words.num_embeddings = WORDS;
    words.embedding_dim = WIDE;
    x = nn_embedding(n.model, "words", n.ids, &words);
    if (k->rows) x = nn_reshape(n.model, x, NN_SHAPE(NN_BATCH_TIME, WIDE));
    layer.out_features = extents[0] + extents[1] + extents[2];
    x = nn_linear(n.model, "qkv", x, &layer);
    for (int i = 0, start = 0; i < 3; start += extents[i++]) {
        nn_slice_desc slice;
        memset(&slice, 0, sizeof slice);
        slice.axis = -1;
        slice.start = start;
        slice.stop = start + extents[i];
        parts[i] = nn_slice(n.model, x, &slice);
        if (i == 1) n.keys = parts[i];
        parts[i] = nn_reshape(n.model, parts[i],
                              NN_SHAPE(NN_BATCH, NN_TIME, extents[i] / k->each, k->each));
    }
    attention.is_causal = attention.heads_inside = true;
    if (k->biased)
        attention.attn_mask = nn_parameter(n.model, "mask", NN_SHAPE(k->heads, 1, 1), -1, 1);
    x = nn_scaled_dot_product_attention(n.model, parts[0], parts[1], parts[2], &attention);
    x = nn_reshape(n.model, x, NN_SHAPE(NN_BATCH_TIME, k->heads * k->each));
    layer.out_features = WORDS;
    n.output = nn_linear(n.model, "head", x, &layer);
    n.loss = nn_cross_entropy(n.model, n.output,
                              nn_reshape(n.model, n.label, NN_SHAPE(NN_BATCH_TIME)), NULL);
    return n;
}

static bool give(nn_plan *plan, nn_node *node, int batch, int time) {
    int32_t numbers[BATCH * TIME];
    for (int i = 0; i < batch * time; i++) numbers[i] = i * 7 % WORDS;
    nn_set_time(plan, time);
    return nn_upload(plan, node, numbers, (size_t)(batch * time) * 4) == NN_OK;
}

typedef struct outcome {
    float losses[STEPS], outputs[2][BATCH * TIME * WORDS];
    int slices; /* strided copies of the training plan */
} outcome;

static int count_copies(const nn_plan *plan) {
    int count = 0;
    for (int s = 0; s < plan->step_count; s++)
        count += plan->steps[s].node->rule->kernel == NN_KERNEL_STRIDED_COPY;
    return count;
}

/* Trains, and infers with all positions and with one. fuses: attention reads parts of rows. */
static void run(const kind *k, bool fuses, outcome *o) {
    nn_trainer_desc desc;
    nn_plan_desc infer;
    const net n = describe(k);
    memset(&desc, 0, sizeof desc);
    memset(&infer, 0, sizeof infer);
    memset(o, 0, sizeof *o);
    if (!fuses) nn->fusions[NN__FUSION_ATTENTION] = NULL;
    desc.batch = infer.batch = BATCH;
    desc.time = infer.time = TIME;
    desc.optimizer = NN_SGD;
    desc.learning_rate = 0.5f;
    if (k->known) nn_keep(n.keys);
    NODE_AT(infer.outputs, 0) = n.output;
    nn_trainer *trainer = nn_make_trainer(n.model, n.loss, &desc);
    nn_plan *plan = nn_trainer_plan(trainer);
    ENSURE(plan != NULL);
    o->slices = count_copies(plan);
    for (int i = 0; i < STEPS; i++)
        ENSURE(give(plan, n.ids, BATCH, TIME) && give(plan, n.label, BATCH, TIME) &&
               nn_train_on_inputs(trainer) == NN_OK &&
               nn_read_loss(trainer, &o->losses[i]) == NN_OK);
    plan = nn_make_plan(n.model, &infer);
    for (int i = 0; i < 2; i++) {
        const int batch = i ? 1 : BATCH, time = i ? 1 : TIME;
        ENSURE(give(plan, n.ids, batch, time) && nn_run(plan) == NN_OK &&
               nn_download(plan, n.output, o->outputs[i], (size_t)(batch * time * WORDS) * 4) ==
                   NN_OK);
    }
}

static void compare(const kind *k, nn__opencl_family family) {
    static outcome with, without;
    if (!open_device(family)) SKIP("no OpenCL device here");
    run(k, true, &with);
    nn_close(nn);
    ENSURE(open_device(family));
    run(k, false, &without);
    nn_close(nn);
    ENSURE(memcmp(with.losses, without.losses, sizeof with.losses) == 0);
    ENSURE(memcmp(with.outputs, without.outputs, sizeof with.outputs) == 0);
    ENSURE(with.losses[STEPS - 1] < with.losses[0]);
    if (with.slices != k->left || without.slices != 4)
        test_fail(__FILE__, __LINE__, "%d copies with parts of rows, %d without", with.slices,
                  without.slices);
}

/* ---- caches ---------------------------------------------------------------------------------- */

enum { LENGTH = 9, KEYS = 2, EACH = 6 };

typedef struct decoded {
    float outputs[LENGTH * 2 * KEYS * EACH];
    int steps[2]; /* copies and caches of the plan */
    int caches;
} decoded;

/* Describes a decoder whose first product has the queries, keys and values of two heads. */
static nn_plan *decoder(nn_node **x, nn_node **positions, nn_node **y, bool fuses, bool half) {
    nn_model_desc model;
    nn_linear_desc layer;
    nn_plan_desc planned;
    nn_cache_desc cache;
    nn_scaled_dot_product_attention_desc attention;
    nn_node *parts[3];
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&planned, 0, sizeof planned);
    memset(&cache, 0, sizeof cache);
    memset(&attention, 0, sizeof attention);
    model.device = nn_opencl(0);
    model.seed = 5;
    nn_model *m = nn_make_model(nn, &model);
    *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, WIDE));
    *positions = nn_input(m, "positions", NN_I32, NN_SHAPE(NN_BATCH));
    layer.out_features = 3 * KEYS * EACH;
    nn_chunk(m, nn_linear(m, "qkv", *x, &layer), parts, 3, 2);
    cache.length = LENGTH;
    cache.heads_inside = attention.heads_inside = attention.is_causal = true;
    cache.dtype = half ? NN_BF16 : NN_F32;
    attention.positions = *positions;
    for (int i = 0; i < 3; i++)
        parts[i] = nn_reshape(m, parts[i], NN_SHAPE(NN_BATCH, NN_TIME, KEYS, EACH));
    *y = nn_scaled_dot_product_attention(m, parts[0],
                                         nn_cache(m, "k", parts[1], *positions, &cache),
                                         nn_cache(m, "v", parts[2], *positions, &cache), &attention);
    planned.batch = 2;
    planned.time = 3;
    if (!fuses) nn->fusions[NN__FUSION_ATTENTION] = NULL;
    planned.outputs.node = y;
    planned.outputs.count = 1;
    return nn_make_plan(m, &planned);
}

/* Runs positions 0 to 2, then single ones, of two samples. */
static void decode(decoded *to, bool fuses, bool half) {
    nn_node *x, *positions, *y;
    float numbers[2 * 3 * WIDE];
    float *out = to->outputs;
    memset(to, 0, sizeof *to);
    nn_plan *plan = decoder(&x, &positions, &y, fuses, half);
    ENSURE(plan != NULL);
    for (int s = 0; s < plan->step_count; s++) {
        const nn_kernel kernel = plan->steps[s].node->rule->kernel;
        to->steps[0] += kernel == NN_KERNEL_STRIDED_COPY;
        to->steps[1] += kernel == NN_KERNEL_CACHE;
    }
    to->caches = nn_plan_caches(plan).count;
    for (int at = 0; at < LENGTH; at += at ? 1 : 3) {
        const int time = at ? 1 : 3;
        const int32_t places[2] = {at, at};
        const size_t bytes = (size_t)(2 * time * KEYS * EACH) * sizeof(float);
        for (int i = 0; i < 2 * time * WIDE; i++)
            numbers[i] = (float)((i + 31 * at) * 7919 % 2003) / 1001.0f - 1.0f;
        nn_set_time(plan, time);
        ENSURE(nn_upload(plan, x, numbers, (size_t)(2 * time * WIDE) * 4) == NN_OK &&
               nn_upload(plan, positions, places, sizeof places) == NN_OK &&
               nn_run(plan) == NN_OK && nn_download(plan, y, out, bytes) == NN_OK);
        out += bytes / sizeof(float);
        if (at == 4) ENSURE(nn_replan(plan) == NN_OK);
    }
    for (int k = 0; k < 2; k++) { /* both caches have rows; nn_clear_caches clears both */
        float sum = 0, rows[2 * LENGTH * KEYS * EACH];
        ENSURE(k == 0 || nn_clear_caches(plan) == NN_OK);
        for (int i = 0; i < plan->value_count && !half; i++) {
            if (!plan->values[i].node->remembers) continue;
            ENSURE(nn_download(plan, plan->values[i].node, rows, sizeof rows) == NN_OK);
            for (int r = 0; r < 2 * LENGTH * KEYS * EACH; r++) sum += rows[r] * rows[r];
            ENSURE(k ? sum == 0.0f : sum > 1.0f);
        }
    }
}

static void compare_decoded(bool half) {
    static decoded with, without;
    if (!open_device(NN__OPENCL_TILES)) SKIP("no OpenCL device here");
    decode(&with, true, half);
    decode(&without, false, half);
    nn_close(nn);
    ENSURE(memcmp(with.outputs, without.outputs, sizeof with.outputs) == 0);
    ENSURE(with.steps[0] == 0 && with.steps[1] == 1 && with.caches == 2);
    ENSURE(without.steps[0] == 3 && without.steps[1] == 2 && without.caches == 2);
}

static void test_caches(void) { compare_decoded(false); }
static void test_caches_in_bf16(void) { compare_decoded(true); }

static const kind plain = {3, 3, 8, false, false, false, 0},
                  grouped = {4, 2, 6, true, false, false, 0},
                  biased = {2, 2, 5, false, true, false, 0},
                  known = {2, 2, 8, false, false, true, 2};

static void test_tiles(void) { compare(&plain, NN__OPENCL_TILES); }
static void test_small_tiles(void) { compare(&grouped, NN__OPENCL_SMALL_TILES); }
static void test_rows(void) { compare(&grouped, NN__OPENCL_PLAIN); }
static void test_mask_with_gradient(void) { compare(&biased, NN__OPENCL_TILES); }
static void test_a_slice_that_stays(void) { compare(&known, NN__OPENCL_PLAIN); }

/* ---- biases ---------------------------------------------------------------------------------- */

/* The f32 form of a bias in bf16 is computed once, and again after the bias changed. */
static void test_biases_are_kept(void) {
    float numbers[WIDE], before[WIDE], after[WIDE];
    uint16_t bias[WIDE];
    nn_model_desc model;
    nn_linear_desc layer;
    nn_plan_desc planned;
    int steady = 0;
    if (!open_device(NN__OPENCL_TILES)) SKIP("no OpenCL device here");
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&planned, 0, sizeof planned);
    nn__find_device(nn, nn_opencl(0))->limits.gpu = true;
    model.device = nn_opencl(0);
    model.dtype = NN_BF16;
    layer.out_features = WIDE;
    nn_model *m = nn_make_model(nn, &model);
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDE)),
            *y = nn_linear(m, "fc", x, &layer);
    planned.outputs.node = &y;
    planned.outputs.count = 1;
    nn_plan *plan = nn_make_plan(m, &planned);
    ENSURE(plan != NULL);
    for (int s = 0; s < plan->step_count; s++) steady += plan->steps[s].steady;
    ENSURE(steady == 1);
    for (int i = 0; i < WIDE; i++) numbers[i] = (float)i / 10.0f, bias[i] = 0x4080; /* 4 */
    ENSURE(nn_upload(plan, x, numbers, sizeof numbers) == NN_OK && nn_run(plan) == NN_OK &&
           nn_run(plan) == NN_OK && nn_download(plan, y, before, sizeof before) == NN_OK);
    nn_tensor *tensor = nn_find_tensor(m, "fc.bias");
    ENSURE(tensor && nn_upload_tensor(tensor, bias, sizeof bias) == NN_OK);
    ENSURE(nn_run(plan) == NN_OK && nn_download(plan, y, after, sizeof after) == NN_OK);
    for (int i = 0; i < WIDE; i++) ENSURE(after[i] > before[i] + 3.0f);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_tiles);
    RUN(test_small_tiles);
    RUN(test_rows);
    RUN(test_mask_with_gradient);
    RUN(test_a_slice_that_stays);
    RUN(test_caches);
    RUN(test_caches_in_bf16);
    RUN(test_biases_are_kept);
    return test_report();
}
