/* test_cuts.c: into how many units kernels cut the steps of some nets, and how much scratch these
   steps take. No other result depends on these numbers, but the time of a step and the memory of a
   plan do. The extents are large and distinct, so that most rules of the cuts are reached.
   tests/golden/cuts.txt has a line for each instruction set, net and kernel. Where a change of the
   numbers is meant, write the file anew:

     build/tests/test_cuts --write > tests/golden/cuts.txt */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_quantize.h"

#include "inside.h"
#include "open.h"
#include "test.h"

enum { BATCH = 13, CLASSES = 11, LINES = 600, LINE = 160 };

/* ---- nets ------------------------------------------------------------------------------------ */

static nn_node *classes(nn_model *m, nn_node *x) {
    return nn_linear(m, "head", nn_flatten(m, x), &(nn_linear_desc){.out_features = CLASSES});
}
static nn_node *conv(nn_model *m, const char *name, nn_node *x, int out, int kernel, int stride,
                     int groups) {
    return nn_conv2d(m, name, x,
                     &(nn_conv2d_desc){.out_channels = out, .kernel = kernel, .stride = stride,
                                       .padding = kernel / 2, .groups = groups});
}

static nn_node *mlp(nn_model *m, nn_node *x) {
    x = nn_flatten(m, x);
    x = nn_gelu(m, nn_linear(m, "a", x, &(nn_linear_desc){.out_features = 515}));
    x = nn_layer_norm(m, "norm", x, NULL);
    x = nn_tanh(m, nn_linear(m, "b", x, &(nn_linear_desc){.out_features = 97}));
    return nn_dropout(m, nn_linear(m, "c", x, &(nn_linear_desc){.out_features = 23}), 0.25f);
}
static nn_node *cnn(nn_model *m, nn_node *x) {
    x = nn_relu(m, nn_batch_norm2d(m, "n1", conv(m, "c1", x, 19, 3, 1, 1), NULL));
    x = nn_max_pool2d(m, x, &(nn_pool2d_desc){.kernel = 2});
    x = nn_relu(m, conv(m, "c2", x, 38, 3, 1, 1));
    x = nn_relu(m, conv(m, "c3", x, 38, 5, 2, 38));
    x = nn_silu(m, conv(m, "c4", x, 71, 1, 1, 1));
    x = nn_group_norm(m, "n2", conv(m, "c5", x, 46, 3, 1, 1), &(nn_group_norm_desc){.num_groups = 2});
    return nn_avg_pool2d(m, x, &(nn_pool2d_desc){.kernel = 3, .stride = 2});
}
static nn_node *pooled(nn_model *m, nn_node *x) { /* convolutions that take maxima */
    x = nn_max_pool2d(m, nn_relu(m, conv(m, "c1", x, 34, 3, 1, 1)), &(nn_pool2d_desc){.kernel = 2});
    x = nn_max_pool2d(m, nn_relu(m, conv(m, "c2", x, 66, 3, 1, 1)), &(nn_pool2d_desc){.kernel = 2});
    return x;
}
static nn_node *up(nn_model *m, nn_node *x) {
    const nn_conv_transpose2d_desc wider = {.out_channels = 9, .kernel = 4, .stride = 2,
                                            .padding = 1};
    x = nn_resize(m, x, &(nn_resize_desc){.size = 40, .size_w = 28, .mode = NN_RESIZE_CUBIC});
    x = nn_conv_transpose2d(m, "t", x, &wider);
    x = nn_resize(m, x, &(nn_resize_desc){.size = 17, .size_w = 23, .mode = NN_RESIZE_LINEAR});
    return nn_softmax(m, nn_permute(m, x, NN_AXES(0, 2, 3, 1)), -1);
}
static nn_node *rows(nn_model *m, nn_node *x) { /* (N, 3, 31, 33) as sequences of 93 steps */
    (void)m;
    return nn_reshape(m, x, NN_SHAPE(NN_BATCH, 93, 33));
}
static nn_node *recurrent(nn_model *m, nn_node *x) {
    x = nn_lstm(m, "lstm", rows(m, x), &(nn_lstm_desc){.hidden_size = 48});
    x = nn_gru(m, "gru", x, &(nn_gru_desc){.hidden_size = 27, .bidirectional = true});
    return nn_mean(m, x, NN_AXES(1));
}
static nn_node *attending(nn_model *m, nn_node *x) {
    const nn_multihead_attention_desc heads = {.num_heads = 3, .is_causal = true};
    x = nn_multihead_attention(m, "attention", rows(m, x), NULL, NULL, &heads);
    x = nn_rms_norm(m, "norm", x, NULL);
    return nn_amax(m, nn_cumsum(m, x, 1), NN_AXES(2));
}
/* Extents at the limits of rules: four queries, the most that attention computes row by row; rows of
   a table that fill more than a unit each; products of 1024 steps, the fewest that are cut along k;
   a window with so many taps that a band holds one channel. */
static nn_node *limits(nn_model *m, nn_node *x) {
    const nn_multihead_attention_desc heads = {.num_heads = 3};
    const nn_embedding_desc table = {.num_embeddings = 3, .embedding_dim = 17000};
    const nn_shape deep = NN_SHAPE(1024, 90);
    nn_node *all = rows(m, x), *four = nn_slice(m, all, &(nn_slice_desc){.axis = 1, .stop = 4}),
            *index = nn_argmax(m, nn_mean(m, x, NN_AXES(2, 3)), NN_AXES(1)),
            *product = nn_matmul(m, nn_parameter(m, "a", deep, -1, 1),
                                 nn_parameter(m, "b", deep, -1, 1),
                                 &(nn_matmul_desc){.transpose_a = true}),
            *broad = conv(m, "broad", x, 2, 23, 1, 1);
    four = nn_multihead_attention(m, "four", four, all, all, &heads);
    x = nn_linear(m, "wide", nn_flatten(m, broad), &(nn_linear_desc){.out_features = 90});
    x = nn_add(m, x, nn_mean(m, product, NN_AXES(0)));
    return nn_concat(
        m, NN_NODES(nn_flatten(m, four), nn_embedding(m, "table", index, &table), x), 1);
}

static const struct {
    const char *name;
    nn_node *(*describe)(nn_model *, nn_node *);
} nets[] = {{"mlp", mlp}, {"cnn", cnn}, {"pooled", pooled}, {"up", up},
            {"recurrent", recurrent}, {"attending", attending}, {"limits", limits}};

/* ---- the numbers ----------------------------------------------------------------------------- */

static char have[LINES][LINE];
static int have_count;

/* Adds the lines of a plan: for each kernel its steps, their units, and the scratch of all. */
static void add_plan(nn_context *nn, nn_plan *plan, const char *set, const char *net,
                     const char *kind) {
    void *state;
    const nn_backend *backend = nn_device_backend(nn, nn_cpu(), &state);
    int steps[NN_KERNEL_COUNT] = {0};
    int64_t units[NN_KERNEL_COUNT] = {0}, scratch[NN_KERNEL_COUNT] = {0};
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        const nn_kernel kernel = step->node->rule->kernel;
        if (!step->args || kernel == NN_KERNEL_NONE) continue;
        steps[kernel]++;
        units[kernel] += step->units;
        scratch[kernel] += (int64_t)backend->scratch_bytes(state, kernel, step->args);
    }
    for (int k = 1; k < NN_KERNEL_COUNT && have_count < LINES; k++)
        if (steps[k])
            snprintf(have[have_count++], LINE, "%s %s %s %s: %d steps, %lld units, %lld bytes", set,
                     net, kind, nn_kernel_name((nn_kernel)k), steps[k], (long long)units[k],
                     (long long)scratch[k]);
}

static bool make_plans(nn_context *nn, const char *set, int which) {
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.seed = 3});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 31, 33)),
            *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH)),
            *y = classes(m, nets[which].describe(m, x)),
            *loss = nn_cross_entropy(m, y, label, NULL);
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = BATCH,
                                                    .separate_steps = true});
    nn_trainer *trainer = nn_make_trainer(
        m, loss, &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM, .max_norm = 1,
                                    .separate_steps = true});
    const bool fine = plan && trainer && nn__lower_plan(plan) >= 0 &&
                      nn__lower_plan(nn_trainer_plan(trainer)) >= 0;
    if (fine) {
        add_plan(nn, plan, set, nets[which].name, "infers");
        add_plan(nn, nn_trainer_plan(trainer), set, nets[which].name, "trains");
    }
    return fine;
}

/* Makes the same net with 8-bit weights. */
static bool make_quantized(nn_context *nn, const char *set, int which) {
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.seed = 3});
    nn_quantize(m, NULL);
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 31, 33)),
            *y = classes(m, nets[which].describe(m, x));
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = BATCH,
                                                    .separate_steps = true});
    const bool fine = plan && nn__lower_plan(plan) >= 0;
    if (fine) add_plan(nn, plan, set, nets[which].name, "infers from bytes");
    return fine;
}

/* Adds the lines of an instruction set on four threads. Everything else that depends on the machine
   is fixed: the size from which stores bypass the caches, and whether there are dot products of
   bytes. */
static bool add_set(nn_instruction_set instructions, const char *set) {
    const nn_desc desc = {.instructions = instructions, .threads = 4};
    nn_context *nn = OPEN_WITH_SET(&desc);
    bool fine = nn != NULL;
    if (!nn) return false;
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    cpu->stream_bytes = 1 << 22;
    cpu->dots = false;
    for (int i = 0; i < (int)(sizeof nets / sizeof *nets) && fine; i++)
        fine = make_plans(nn, set, i) && make_quantized(nn, set, i);
    if (test_wrong(!fine || nn_error(nn)))
        test_fail(__FILE__, __LINE__, "%s: %s", set, nn_error(nn) ? nn_error(nn) : "no plan");
    nn_close(nn);
    return fine;
}

/* Compares with the lines of the file that begin with the name of the set. */
static void compare(const char *set) {
    FILE *file = fopen("tests/golden/cuts.txt", "r");
    char line[LINE + 2];
    int wrong = 0, at = 0;
    ENSURE(file != NULL);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, set, strlen(set)) != 0 || line[strlen(set)] != ' ') continue;
        const char *now = at < have_count ? have[at] : "nothing";
        at++;
        if (!test_wrong(strcmp(line, now) != 0) || wrong++ >= 5) continue;
        test_fail(__FILE__, __LINE__, "\n  has    %s\n  wanted %s", now, line);
    }
    fclose(file);
    ENSURE(at == have_count);
    if (wrong) printf("  if this is meant: build/tests/test_cuts --write > tests/golden/cuts.txt\n");
}

static void check_set(nn_instruction_set instructions, const char *set) {
    if (sizeof(void *) != 8) SKIP("scratch holds pointers, and these do not have 64 bits here");
#ifdef NN_NO_SIMD
    SKIP("built without the kernels of vectors");
#endif
    have_count = 0;
    if (add_set(instructions, set)) compare(set);
}
/* Returns the floating point operations of a step's products that trains a layer with Muon. */
static double muon_flops(int in, int out) {
    nn_context *nn = nn_open(NULL);
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.seed = 3});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, in)),
            *wanted = nn_input(m, "wanted", NN_F32, NN_SHAPE(NN_BATCH, out)),
            *y = nn_linear(m, "l", x, &(nn_linear_desc){.out_features = out, .no_bias = true});
    nn_trainer *trainer = nn_make_trainer(
        m, nn_mse_loss(m, y, wanted, NULL),
        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_MUON, .separate_steps = true});
    const nn_plan *plan = nn_trainer_plan(trainer);
    double flops = 0;
    for (int s = 0; plan && s < plan->step_count; s++)
        if (plan->steps[s].node->rule->kernel == NN_KERNEL_GEMM) flops += plan->steps[s].flops;
    nn_close(nn);
    return flops;
}

/* Muon multiplies along the longer side of a matrix, so that its squares have the shorter one. */
static void test_muon(void) {
    const double wide = muon_flops(40, 8);
    ENSURE(wide > 0);
    ENSURE(muon_flops(8, 40) == wide);
}

static void test_plain(void) { check_set(NN_INSTRUCTIONS_PLAIN, "plain"); }
static void test_avx2(void) { check_set(NN_INSTRUCTIONS_AVX2, "avx2"); }

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--write") == 0) {
        if (!add_set(NN_INSTRUCTIONS_PLAIN, "plain") || !add_set(NN_INSTRUCTIONS_AVX2, "avx2"))
            return 1;
        printf("# Units and scratch of steps on four threads: tests/plan/test_cuts.c.\n");
        for (int i = 0; i < have_count; i++) printf("%s\n", have[i]);
        return 0;
    }
    test_start(argc, argv);
    RUN(test_plain);
    RUN(test_avx2);
    RUN(test_muon);
    return test_report();
}
