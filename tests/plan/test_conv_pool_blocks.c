/* tests/plan/test_conv_pool_blocks.c - convolutions followed by a 2 x 2 maximum pool: where a plan
   makes one block of them and where it must not, and that blocks learn like separate steps. The
   separate steps come from keeping the convolution's result. test_backends.c has the kernels
   alone. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "test.h"

#include "sim_device.h"

enum { BATCH = 5, SIDE = 14, STEPS = 3 };

typedef enum kind {
    PLAIN, BARE, NO_BIAS, WIDE, TWO, TAIL, BEHIND, FROZEN, AFTER, AFTER_KEPT,
    BLOCKS, /* the cases before this one become blocks */
    OVERLAP = BLOCKS, PADDED, AVERAGE, CUT, STRIDE, GROUPS, DILATION, TANH, READ_TWICE, READ_RELU,
    KEPT, KEPT_PLACES, DILATED_POOL, PARTED, KINDS
} kind;

static const char *const names[KINDS] = {
    "plain", "bare", "no bias", "wide", "two", "tail", "behind", "frozen", "relu after",
    "relu after kept", "overlap", "padded",
    "average", "cut", "stride", "groups", "dilation", "tanh", "read twice", "relu read", "kept",
    "kept places", "dilated pool", "parted"};

typedef struct job {
    nn_context *nn;
    nn_model *net;
    nn_node *x, *label, *logits, *loss;
    sim_device *sim; /* NULL: the CPU */
} job;

/* apart: the intermediate results are kept, so that nothing becomes a block. */
static nn_node *layer(nn_model *net, nn_node *x, const char *name, int channels, kind which,
                      bool apart) {
    nn_conv2d_desc conv = {.out_channels = channels, .kernel = 3, .padding = 1};
    nn_pool2d_desc pool = {.kernel = 2};
    nn_node *z, *y;
    if (which == NO_BIAS) conv.no_bias = true;
    if (which == WIDE) conv.kernel = 5, conv.padding = 0;
    if (which == TAIL) conv.padding = 0, conv.padding_bottom = 1; /* 13 rows and 12 columns */
    if (which == STRIDE) conv.stride = 2;
    if (which == GROUPS) conv.groups = 3;
    if (which == DILATION) conv.dilation = 2, conv.padding = 2;
    if (which == OVERLAP) pool.kernel = 3, pool.stride = 2;
    if (which == PADDED) pool.padding = 1;
    if (which == CUT) conv.padding = 0, conv.padding_bottom = 1, pool.ceil = true;
    if (which == DILATED_POOL) pool.dilation = 2;
    if (which == PARTED) nn_recompute_begin(net);
    z = nn_conv2d(net, name, x, &conv);
    if (apart || which == KEPT) nn_keep(z);
    y = which == BARE || which == AFTER || which == AFTER_KEPT ? z
        : which == TANH                                        ? nn_tanh(net, z)
                                                               : nn_relu(net, z);
    if (which == PARTED) nn_recompute_end(net); /* the gradient of relu reads another */
    if (apart) nn_keep(y);
    z = which == AVERAGE ? nn_avg_pool2d(net, y, &pool) : nn_max_pool2d(net, y, &pool);
    if (which == AFTER || which == AFTER_KEPT) { /* kept: a block without its relu */
        if (apart || which == AFTER_KEPT) nn_keep(z);
        z = nn_relu(net, z);
    }
    if (which == KEPT_PLACES) nn_keep(nn_output(z, 1));
    if (which == READ_TWICE || which == READ_RELU)
        z = nn_add(net, z, nn_global_avg_pool2d(net, which == READ_RELU ? y : nn_exp(net, y)));
    return z;
}

static bool begin(job *j, kind which, bool apart, int threads, nn_instruction_set set,
                  const bool *missing) {
    sim_desc simulated;
    nn_device device = nn_cpu();
    memset(&simulated, 0, sizeof simulated);
    memset(j, 0, sizeof *j);
    j->nn = nn_open(&(nn_desc){.threads = threads, .instructions = set});
    if (!j->nn) return false;
    if (missing) {
        memcpy(simulated.missing, missing, sizeof simulated.missing);
        j->sim = sim_open(j->nn, &simulated, &device);
        if (!j->sim) return false;
    }
    j->net = nn_make_model(j->nn, &(nn_model_desc){.name = "net", .seed = 3, .device = device});
    nn_node *x = j->x = nn_input(j->net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, SIDE, SIDE));
    j->label = nn_input(j->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    if (which == BEHIND)
        x = nn_relu(j->net, nn_conv2d(j->net, "first", x,
                                      &(nn_conv2d_desc){.out_channels = 17, .kernel = 1}));
    x = layer(j->net, x, "conv1", 9, which, apart);
    if (which == TWO) x = layer(j->net, x, "conv2", 6, which, apart);
    if (which == FROZEN) nn_freeze(j->net, "conv1.", true);
    j->logits = nn_linear(j->net, "fc", nn_flatten(j->net, x),
                          &(nn_linear_desc){.out_features = 4});
    j->loss = nn_cross_entropy(j->net, j->logits, j->label, NULL);
    return !nn_error(j->nn);
}

static void give(job *j, nn_plan *plan, bool label) {
    static float x[BATCH * 3 * SIDE * SIDE];
    int32_t labels[BATCH];
    uint32_t words[4];
    for (int i = 0; i < BATCH * 3 * SIDE * SIDE; i++) {
        nn_random_words(7, 1, (uint64_t)i, words);
        x[i] = nn_word_to_uniform(words[0]) * 2 - 1;
    }
    for (int i = 0; i < BATCH; i++) labels[i] = i % 4;
    nn_upload(plan, j->x, x, sizeof x);
    if (label) nn_upload(plan, j->label, labels, sizeof labels);
}

/* Returns how often the plan's steps have these words. It leaves out the text after the steps,
   which names the algorithm of each convolution. */
static int told(nn_plan *plan, const char *words) {
    static char text[40000];
    nn_text out = {.buffer = text, .size = sizeof text};
    int count = 0;
    nn_write_plan(plan, (nn_writer){nn_write_text, &out});
    char *behind = strstr(text, "\nconvolutions, at");
    if (behind) *behind = '\0';
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) count++;
    return count;
}

typedef struct learnt {
    float logits[BATCH * 4], weights[4000];
    int count, blocks, gradients; /* steps of the plans */
} learnt;

/* Computes the logits, then the weights after some steps. */
static void learn(learnt *l, kind which, bool apart, int threads, nn_instruction_set set,
                  const bool *missing) {
    static const char *const leaves[] = {"first.weight", "first.bias", "conv1.weight",
                                         "conv1.bias",   "conv2.weight", "conv2.bias",
                                         "fc.weight",    "fc.bias"};
    job j;
    memset(l, 0, sizeof *l);
    ENSURE(begin(&j, which, apart, threads, set, missing));
    nn_plan *plan =
        nn_make_plan(j.net, &(nn_plan_desc){.outputs = NN_NODES(j.logits), .batch = BATCH});
    give(&j, plan, false);
    nn_run(plan);
    nn_download(plan, j.logits, l->logits, sizeof l->logits);
    l->blocks = told(plan, " conv_pool");
    nn_trainer *trainer = nn_make_trainer(
        j.net, j.loss,
        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_SGD, .learning_rate = 0.1f});
    for (int i = 0; i < STEPS; i++) {
        give(&j, nn_trainer_plan(trainer), true);
        nn_train_on_inputs(trainer);
    }
    l->gradients = told(nn_trainer_plan(trainer), " conv_pool_back_");
    for (int i = 0; i < (int)(sizeof leaves / sizeof leaves[0]); i++) {
        if (strncmp(leaves[i], "first", 5) == 0 ? which != BEHIND
            : strncmp(leaves[i], "conv2", 5) == 0 ? which != TWO
                                                  : which == NO_BIAS && i == 3)
            continue;
        nn_tensor *leaf = nn_find_tensor(j.net, leaves[i]);
        const int n = (int)nn_shape_count(nn_tensor_shape(leaf));
        ENSURE(l->count + n <= (int)(sizeof l->weights / sizeof l->weights[0]));
        nn_download_tensor(leaf, l->weights + l->count, (size_t)n * sizeof(float));
        l->count += n;
    }
    if (nn_error(j.nn)) test_fail(__FILE__, __LINE__, "%s: %s", names[which], nn_error(j.nn));
    nn_close(j.nn);
    if (j.sim) ENSURE(sim_free(j.sim) == 0);
}

static void compare(const learnt *a, const learnt *b, double tolerance, kind which) {
    double worst = 0;
    for (int i = 0; i < BATCH * 4; i++)
        worst = fmax(worst, fabs((double)a->logits[i] - (double)b->logits[i]));
    for (int i = 0; i < a->count; i++)
        worst = fmax(worst, fabs((double)a->weights[i] - (double)b->weights[i]));
    if (!(worst <= tolerance) || a->count != b->count || a->count == 0)
        test_fail(__FILE__, __LINE__, "%s: blocks and steps apart differ by %g", names[which],
                  worst);
}

static void test_blocks_learn_the_same(void) {
    static learnt block, apart;
    for (int k = 0; k < BLOCKS; k++) {
        learn(&block, (kind)k, false, 1, NN_INSTRUCTIONS_DEFAULT, NULL);
        learn(&apart, (kind)k, true, 1, NN_INSTRUCTIONS_DEFAULT, NULL);
        compare(&block, &apart, 2e-6, (kind)k);
        if (block.blocks != (k == TWO ? 2 : 1) || apart.blocks || apart.gradients ||
            block.gradients != (k == TWO ? 3 : k == BEHIND ? 2 : k == FROZEN ? 0 : 1))
            test_fail(__FILE__, __LINE__, "%s: %d blocks, %d gradients of blocks", names[k],
                      block.blocks, block.gradients);
        learn(&block, (kind)k, false, 1, NN_INSTRUCTIONS_PLAIN, NULL);
        compare(&block, &apart, 2e-6, (kind)k);
    }
}

static void test_other_patterns_stay(void) {
    static learnt l, apart;
    for (int k = BLOCKS; k < KINDS; k++) {
        learn(&l, (kind)k, false, 1, NN_INSTRUCTIONS_DEFAULT, NULL);
        if (l.blocks && k != KEPT_PLACES && k != PARTED) /* inference has no such step */
            test_fail(__FILE__, __LINE__, "%s: became a block", names[k]);
        if (k == PARTED) {
            learn(&apart, PLAIN, true, 1, NN_INSTRUCTIONS_DEFAULT, NULL);
            compare(&l, &apart, 2e-6, PARTED);
        }
        if (l.gradients) test_fail(__FILE__, __LINE__, "%s: has a block's gradient", names[k]);
    }
}

static void test_any_threads(void) {
    static learnt one, many;
    for (int k = 0; k < BLOCKS; k++)
        for (int threads = 2; threads <= 3; threads++) {
            learn(&one, (kind)k, false, 1, NN_INSTRUCTIONS_DEFAULT, NULL);
            learn(&many, (kind)k, false, threads, NN_INSTRUCTIONS_DEFAULT, NULL);
            ENSURE(memcmp(&one, &many, sizeof one) == 0);
        }
}

/* A device that lacks one of the kernels runs separate steps, and works. */
static void test_missing_kernels(void) {
    static const nn_kernel kernels[] = {NN_KERNEL_NONE, NN_KERNEL_CONV_POOL_FORWARD,
                                        NN_KERNEL_CONV_POOL_BACKWARD_WEIGHT,
                                        NN_KERNEL_CONV_POOL_BACKWARD_INPUT};
    static learnt apart, l;
    bool missing[NN_KERNEL_COUNT];
    learn(&apart, TWO, true, 1, NN_INSTRUCTIONS_DEFAULT, NULL);
    for (int i = 0; i < 4; i++) {
        memset(missing, 0, sizeof missing);
        missing[kernels[i]] = true;
        learn(&l, TWO, false, 1, NN_INSTRUCTIONS_DEFAULT, missing);
        compare(&l, &apart, 2e-6, TWO);
        ENSURE(l.blocks == (i == 1 ? 0 : 2));
        ENSURE(l.gradients == (i == 0 ? 3 : i == 3 ? 1 : 0));
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_blocks_learn_the_same);
    RUN(test_other_patterns_stay);
    RUN(test_any_threads);
    RUN(test_missing_kernels);
    return test_report();
}
