/* tests/plan/test_plan_steps.c - the steps of plans for small nets, in order: on a device with all
   kernels, and on one that lacks the composed ones (kernels/list.h). Both give the same numbers. */
#ifndef NN_TEST_OPENCL
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"
#else
#include "nn.h"
#endif

#include "inside.h"
#include "sim_device.h"
#include "test.h"

enum { BATCH = 2, NUMBERS = 4096, TEXT = 4000 };

/* Where a net runs. The GPU is simulated: plans join gradients and losses there. */
typedef enum place { CPU, GPU } place;

typedef struct net {
    const char *name;
    place place;
    bool trains;
    nn_node *(*describe)(nn_model *m, nn_node *x); /* from x to the output */
    int rank, channels; /* of the input: (N, C), (N, 5, C) or (N, C, 8, 8) */
    const char *steps;    /* with all kernels */
    const char *separate; /* without composed ones; NULL: the same */
} net;

/* ---- nets ------------------------------------------------------------------------------------ */

static nn_node *conv(nn_model *m, const char *name, nn_node *x, int channels, int kernel, int groups) {
    return nn_conv2d(m, name, x, &(nn_conv2d_desc){.out_channels = channels, .kernel = kernel,
                                                   .padding = kernel / 2, .groups = groups});
}

static nn_node *halve(nn_model *m, nn_node *x) {
    return nn_max_pool2d(m, x, &(nn_pool2d_desc){.kernel = 2});
}

static nn_node *linear(nn_model *m, const char *name, nn_node *x, int outputs) {
    return nn_linear(m, name, x, &(nn_linear_desc){.out_features = outputs});
}

static nn_node *mlp(nn_model *m, nn_node *x) {
    x = nn_relu(m, linear(m, "a", x, 200));
    return linear(m, "fc", nn_relu(m, linear(m, "c", x, 160)), 5);
}
static nn_node *narrow_mlp(nn_model *m, nn_node *x) {
    return linear(m, "fc", nn_tanh(m, linear(m, "a", x, 8)), 5);
}
static nn_node *norm_after_conv(nn_model *m, nn_node *x) {
    x = nn_relu(m, nn_batch_norm2d(m, "bn", conv(m, "conv", x, 4, 3, 1), NULL));
    x = nn_batch_norm2d(m, "bn2", conv(m, "conv2", x, 4, 3, 1), NULL);
    return linear(m, "fc", nn_flatten(m, x), 5);
}
static nn_node *norm_of_two(nn_model *m, nn_node *x) { /* the convolution has another reader */
    nn_node *y = conv(m, "conv", x, 2, 3, 1);
    y = nn_add(m, nn_batch_norm2d(m, "bn", y, NULL), y);
    return linear(m, "fc", nn_flatten(m, y), 5);
}
static nn_node *blocks(nn_model *m, nn_node *x) { /* relu before and after the maximum */
    x = halve(m, nn_relu(m, conv(m, "conv", x, 6, 3, 1)));
    x = nn_relu(m, halve(m, conv(m, "conv2", x, 4, 3, 1)));
    return linear(m, "fc", nn_flatten(m, x), 5);
}
static nn_node *plain_block(nn_model *m, nn_node *x) {
    return linear(m, "fc", nn_flatten(m, halve(m, conv(m, "conv", x, 6, 3, 1))), 5);
}
static nn_node *no_block(nn_model *m, nn_node *x) { /* the relu has another reader */
    nn_node *y = nn_relu(m, conv(m, "conv", x, 6, 3, 1));
    y = nn_add(m, nn_mean(m, halve(m, y), NN_AXES(2, 3)), nn_mean(m, y, NN_AXES(2, 3)));
    return linear(m, "fc", y, 5);
}
static nn_node *inverted_residual(nn_model *m, nn_node *x, bool norms) {
    nn_node *y = conv(m, "expand", x, 16, 1, 1);
    if (norms) y = nn_batch_norm2d(m, "bn", y, NULL);
    y = nn_relu6(m, y);
    y = nn_relu6(m, conv(m, "depth", y, 16, 3, 16));
    return nn_add(m, x, conv(m, "project", y, 8, 1, 1));
}
static nn_node *mobile(nn_model *m, nn_node *x) {
    x = nn_relu(m, conv(m, "stem", x, 8, 3, 1));
    x = inverted_residual(m, x, true);
    return linear(m, "fc", nn_mean(m, x, NN_AXES(2, 3)), 5);
}
static nn_node *depthwise(nn_model *m, nn_node *x) { /* no convolution before it, no sum after */
    x = nn_relu(m, conv(m, "depth", nn_tanh(m, x), 8, 3, 8));
    return linear(m, "fc", nn_flatten(m, conv(m, "project", x, 8, 1, 1)), 5);
}
static nn_node *stem(nn_model *m, nn_node *x) { /* the first convolution before it */
    x = nn_relu(m, conv(m, "depth", nn_relu(m, conv(m, "stem", x, 16, 3, 1)), 16, 3, 16));
    return nn_tanh(m, nn_add(m, conv(m, "project", x, 8, 1, 1), conv(m, "skip", x, 8, 1, 1)));
}
static nn_node *sum_then_tanh(nn_model *m, nn_node *x) { /* the sum joins the tanh instead */
    return nn_tanh(m, inverted_residual(m, x, false));
}
static nn_node *stem_alone(nn_model *m, nn_node *x) {
    x = nn_relu(m, conv(m, "depth", nn_relu(m, conv(m, "stem", x, 16, 3, 1)), 16, 3, 16));
    return conv(m, "project", x, 8, 1, 1);
}
static nn_node *prelu(nn_model *m, const char *name, nn_node *x, int slopes) {
    return nn_prelu(m, name, x, &(nn_prelu_desc){.num_parameters = slopes});
}
static nn_node *prelu_after_conv(nn_model *m, nn_node *x) { /* one slope for all is not joined */
    x = prelu(m, "slope", conv(m, "conv", x, 12, 3, 1), 12);
    x = prelu(m, "slope2", nn_batch_norm2d(m, "bn", conv(m, "depth", x, 12, 3, 12), NULL), 12);
    x = prelu(m, "slope3", conv(m, "conv2", x, 4, 1, 1), 1);
    return linear(m, "fc", nn_flatten(m, x), 5);
}
static nn_node *prelu_of_two(nn_model *m, nn_node *x) { /* the convolution has another reader */
    nn_node *y = conv(m, "conv", x, 2, 3, 1);
    return linear(m, "fc", nn_flatten(m, nn_add(m, prelu(m, "slope", y, 2), y)), 5);
}
static nn_node *recurrent(nn_model *m, nn_node *x) {
    x = nn_lstm(m, "lstm", x, &(nn_lstm_desc){.hidden_size = 16});
    return linear(m, "fc", x, 5);
}
static nn_node *recurrent_tanh(nn_model *m, nn_node *x) { /* the head is no plain product */
    x = nn_gru(m, "gru", x, &(nn_gru_desc){.hidden_size = 16});
    return nn_tanh(m, linear(m, "fc", x, 5));
}

static nn_node *many_norms(nn_model *m, nn_node *x) { /* one step updates all running statistics */
    char name[8];
    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof name, "bn%d", i);
        x = nn_tanh(m, nn_batch_norm1d(m, name, x, &(nn_batch_norm_desc){.no_affine = true}));
    }
    return linear(m, "fc", x, 5);
}

static const net nets[] = {
#include "plan_steps.h"
};
enum { NETS = sizeof nets / sizeof nets[0] };

/* ---- what a plan has ------------------------------------------------------------------------- */

static float number(int i) { return (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f; }

static nn_shape shape_of(const net *n, int batch) {
    return n->rank == 2   ? NN_SHAPE(batch, n->channels)
           : n->rank == 3 ? NN_SHAPE(batch, 5, n->channels)
                          : NN_SHAPE(batch, n->channels, 8, 8);
}

static void put(char *text, const char *word) {
    if (strlen(text) + strlen(word) + 1 < TEXT) strcat(text, word);
}

/* Writes the operations of the steps, each with the activation that it fused. */
static void write_steps(const nn_plan *plan, char *text) {
    text[0] = 0;
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        put(text, s ? "; " : "");
        put(text, nn__operation(step->node));
        put(text, step->fused ? " > " : "");
        put(text, step->fused ? nn__operation(step->fused) : "");
    }
}

/* Takes the composed kernels from the CPU of a context, which has them since the net was
   described. */
static void take_composed(nn_context *nn) {
    void *state = NULL;
    nn_backend *backend = (nn_backend *)nn_device_backend(nn, nn_cpu(), &state);
#define TAKE(number, upper, lower, args, family) backend->kernels[number] = NULL;
    NN_COMPOSED_KERNELS(TAKE)
#undef TAKE
}

typedef struct outcome {
    char steps[TEXT];
    float numbers[NUMBERS];
    int count;
} outcome;

static void infer(const net *n, nn_model *m, nn_node *x, nn_node *y, outcome *o) {
    static float input[NUMBERS];
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = BATCH});
    if (!plan) return;
    write_steps(plan, o->steps);
    const int numbers = (int)nn_shape_count(shape_of(n, BATCH));
    for (int i = 0; i < numbers; i++) input[i] = number(i);
    nn_upload(plan, x, input, sizeof(float) * (size_t)numbers);
    ENSURE(nn_run(plan) == NN_OK);
    const nn_view view = nn_plan_view(plan, y);
    o->count = (int)nn_shape_count(view.shape);
    ENSURE(nn_download(plan, y, o->numbers, sizeof(float) * (size_t)o->count) == NN_OK);
}

static void train(const net *n, nn_model *m, nn_node *x, nn_node *y, outcome *o) {
    static float input[NUMBERS];
    static const int32_t labels[BATCH] = {3, 1};
    nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_trainer *trainer = nn_make_trainer(m, nn_cross_entropy(m, y, label, NULL),
                                          &(nn_trainer_desc){.batch = BATCH, .learning_rate = 0.1f,
                                                             .optimizer = NN_SGD});
    if (!trainer) return;
    nn_plan *plan = nn_trainer_plan(trainer);
    write_steps(plan, o->steps);
    const int numbers = (int)nn_shape_count(shape_of(n, BATCH));
    for (int i = 0; i < numbers; i++) input[i] = number(i);
    for (int step = 0; step < 3; step++) {
        nn_upload(plan, x, input, sizeof(float) * (size_t)numbers);
        nn_upload(plan, label, labels, sizeof labels);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        ENSURE(nn_read_loss(trainer, &o->numbers[o->count++]) == NN_OK);
    }
    nn_download_tensor(nn_find_tensor(m, "fc.bias"), o->numbers + o->count, sizeof(float) * 5);
    o->count += 5;
}

static void take(const net *n, bool lacks, outcome *o) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_device device = nn_cpu();
    sim_device *sim = NULL;
    sim_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(o, 0, sizeof *o);
    desc.gpu = true;
#define LACKS(number, upper, lower, args, family) desc.missing[number] = lacks;
    NN_COMPOSED_KERNELS(LACKS)
#undef LACKS
    if (n->place == GPU) sim = sim_open(nn, &desc, &device);
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.device = device, .seed = 7});
    nn_node *x = nn_input(m, "x", NN_F32, shape_of(n, NN_BATCH));
    nn_node *y = n->describe(m, x);
    if (lacks) take_composed(nn);
    (n->trains ? train : infer)(n, m, x, y, o);
    if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s: %s", n->name, nn_error(nn));
    nn_clear_error(nn);
    nn_close(nn);
    if (sim) ENSURE(sim_free(sim) == 0);
}

static void compare_steps(const char *name, const char *which, const char *have,
                          const char *wanted) {
    if (test_wrong(strcmp(have, wanted) != 0))
        test_fail(__FILE__, __LINE__, "%s, %s:\n  has    %s\n  wanted %s", name, which, have,
                  wanted);
}

static void test_steps(void) {
    static outcome all, few;
    for (int i = 0; i < NETS; i++) {
        const net *n = &nets[i];
        take(n, false, &all);
        take(n, true, &few);
        compare_steps(n->name, "all kernels", all.steps, n->steps);
        compare_steps(n->name, "no composed kernels", few.steps,
                      n->separate ? n->separate : n->steps);
        ENSURE(all.count == few.count && all.count > 0);
        for (int k = 0; k < all.count; k++) ENSURE_CLOSE(few.numbers[k], all.numbers[k], 2e-5);
    }
}

/* ---- prelu ----------------------------------------------------------------------------------- */

/* A convolution for each algorithm: (channels of x, channels, kernel, stride, groups, extent). */
static const int preludes[][6] = {{3, 10, 3, 1, 1, 21}, {3, 4, 3, 1, 1, 9},  {10, 16, 3, 1, 1, 15},
                                  {40, 40, 3, 1, 1, 16}, {8, 8, 3, 1, 8, 19}, {8, 8, 3, 2, 8, 18},
                                  {8, 8, 3, 1, 8, 3},    {6, 12, 5, 1, 6, 13}, {16, 24, 1, 1, 1, 7},
                                  {9, 20, 3, 2, 1, 17},  {8, 12, 3, 1, 2, 11}};

/* Runs a convolution and the prelu after it on two images. Returns the numbers of y, and the
   floating point operations of the first step. */
static int bend(const int *p, nn_instruction_set set, bool separate, float *y_numbers,
                double *flops) {
    static float input[2 * 40 * 32 * 32];
    nn_context *nn = nn_open(&(nn_desc){.threads = 2, .instructions = set});
    if (!nn) return 0;
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.seed = 11});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, p[0], p[5], p[5]));
    nn_conv2d_desc desc = {.out_channels = p[1], .kernel = p[2], .stride = p[3], .groups = p[4],
                           .padding = p[2] / 2};
    nn_node *y = prelu(m, "slope", nn_conv2d(m, "conv", x, &desc), p[1]);
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = 2,
                                                    .separate_steps = separate});
    float slopes[64];
    for (int i = 0; i < p[1]; i++) slopes[i] = number(i + 31);
    ENSURE_OR(0, nn_upload_tensor(nn_find_tensor(m, "slope.weight"), slopes,
                                  sizeof(float) * (size_t)p[1]) == NN_OK);
    for (int i = 0; i < 2 * p[0] * p[5] * p[5]; i++) input[i] = number(i);
    ENSURE_OR(0, nn_upload(plan, x, input, sizeof(float) * (size_t)(2 * p[0] * p[5] * p[5])) == NN_OK);
    ENSURE_OR(0, plan->step_count == (separate ? 2 : 1));
    *flops = plan->steps[0].flops;
    ENSURE_OR(0, nn_run(plan) == NN_OK && nn_run(plan) == NN_OK);
    const int count = (int)nn_shape_count(nn_plan_view(plan, y).shape);
    ENSURE_OR(0, nn_download(plan, y, y_numbers, sizeof(float) * (size_t)count) == NN_OK);
    nn_close(nn);
    return count;
}

/* The joined step gives the bytes of the separate ones, on every instruction set. It counts two
   operations more for each number than the convolution. */
static void test_prelu_bytes(void) {
    static float joined[2 * 40 * 32 * 32], separate[2 * 40 * 32 * 32];
    static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_DEFAULT, NN_INSTRUCTIONS_PLAIN,
                                              NN_INSTRUCTIONS_AVX2};
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < (int)(sizeof preludes / sizeof preludes[0]); i++) {
            double flops = 0, conv_flops = 0;
            const int count = bend(preludes[i], sets[s], false, joined, &flops);
            int negative = 0;
            if (s == 2 && count == 0) SKIP("this machine has no AVX2");
            ENSURE(bend(preludes[i], sets[s], true, separate, &conv_flops) == count && count > 0);
            ENSURE(conv_flops > 0 && flops == conv_flops + 2.0 * count);
            ENSURE(memcmp(joined, separate, sizeof(float) * (size_t)count) == 0);
            for (int k = 0; k < count; k++) negative += joined[k] < 0;
            ENSURE(negative > count / 20);
        }
}

/* ---- nothing that need not be there ---------------------------------------------------------- */

static int nodes_of(const nn_model *m) {
    int count = 0;
    for (const nn_node *node = m->graph.first; node; node = node->next) count++;
    return count;
}

/* A softmax over the last axis transposes nothing, however the axis is given. A scale of one number
   broadcasts as it is, without a copy in another shape. */
static void test_no_further_nodes(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *m = nn_make_model(nn, NULL);
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 6, 5)),
            *scale = nn_input(m, "scale", NN_F32, NN_SHAPE(1));
    nn_softmax(m, x, -1);
    nn_log_softmax(m, x, 2);
    ENSURE(nodes_of(m) == 4);
    nn_fake_quantize(m, x, scale, NULL, NULL);
    for (const nn_node *node = m->graph.first; node; node = node->next)
        ENSURE(node->shape.rank == 1 || nn_same_shape(node->shape, x->shape));
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* The gradients of slices go into that of their source in one copy, which first fills the source's
   gradient only if the slices leave part of it out. */
static void test_filled_gradients(void) {
    for (int left = 0; left < 2; left++) {
        nn_context *nn = nn_open(NULL);
        nn_model *m = nn_make_model(nn, &(nn_model_desc){.seed = 5});
        nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 6)),
                *all = linear(m, "l", x, 6),
                *a = nn_tanh(m, nn_slice(m, all, &(nn_slice_desc){.axis = 1, .stop = 2})),
                *b = nn_slice(m, all, &(nn_slice_desc){.axis = 1, .start = 2, .stop = 6 - left}),
                *loss = nn_add(m, nn_mean(m, a, NN_AXES(0, 1)), nn_mean(m, b, NN_AXES(0, 1)));
        nn_trainer *trainer = nn_make_trainer(m, loss, &(nn_trainer_desc){.batch = 3});
        nn_plan *plan = nn_trainer_plan(trainer);
        int copies = 0;
        ENSURE(plan && nn__lower_plan(plan) == NN_OK);
        for (int s = 0; s < plan->step_count; s++) {
            const nn__step *step = &plan->steps[s];
            if (!step->args || strcmp(step->node->rule->name, "slices_backward") != 0) continue;
            copies++;
            ENSURE(step->args->strided_copy.fill == (left == 1));
        }
        ENSURE(copies == 1);
        nn_close(nn);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_steps);
    RUN(test_prelu_bytes);
    RUN(test_no_further_nodes);
    RUN(test_filled_gradients);
    return test_report();
}
