/* tests/plan/test_precision.c - the choice of a precision reaches the arguments of every kernel that
   multiplies, from the context, the plan, the trainer and nn_autocast_begin; a wrong one is an
   error; a device that rounds nothing gives the same bytes for each of them; and nn_write_plan and
   .require_precision tell what a device does. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_sequence.h"

#include "sim_device.h"
#include "test.h"

enum { BATCH = 4, IMAGE = 2 * 8 * 8 };

/* What the spy saw: for each kernel the number of calls, and of those with another precision. */
static struct {
    nn_precision wanted;
    int calls[NN_KERNEL_COUNT], others[NN_KERNEL_COUNT];
} seen;

static const nn_kernel products[] = {
    NN_KERNEL_GEMM,
    NN_KERNEL_CONV2D_FORWARD,
    NN_KERNEL_CONV2D_BACKWARD_INPUT,
    NN_KERNEL_CONV2D_BACKWARD_WEIGHT,
    NN_KERNEL_ATTENTION_FORWARD,
    NN_KERNEL_ATTENTION_BACKWARD,
    NN_KERNEL_CONV_POOL_FORWARD,
    NN_KERNEL_CONV_POOL_BACKWARD_WEIGHT,
    NN_KERNEL_CONV_POOL_BACKWARD_INPUT,
    NN_KERNEL_LINEAR_GRADIENT,
    NN_KERNEL_CROSS_ENTROPY_HEAD,
};

static nn_precision precision_of(nn_kernel kernel, const void *args) {
    switch (kernel) {
    case NN_KERNEL_GEMM: return ((const nn_gemm_args *)args)->precision;
    case NN_KERNEL_CONV2D_FORWARD:
    case NN_KERNEL_CONV2D_BACKWARD_INPUT:
    case NN_KERNEL_CONV2D_BACKWARD_WEIGHT: return ((const nn_conv2d_args *)args)->precision;
    case NN_KERNEL_ATTENTION_FORWARD:
    case NN_KERNEL_ATTENTION_BACKWARD: return ((const nn_attention_args *)args)->precision;
    case NN_KERNEL_CONV_POOL_FORWARD:
    case NN_KERNEL_CONV_POOL_BACKWARD_WEIGHT:
    case NN_KERNEL_CONV_POOL_BACKWARD_INPUT: return ((const nn_conv_pool_args *)args)->precision;
    case NN_KERNEL_LINEAR_GRADIENT: return ((const nn_linear_gradient_args *)args)->precision;
    case NN_KERNEL_CROSS_ENTROPY_HEAD:
        return ((const nn_cross_entropy_head_args *)args)->precision;
    default: return NN_PRECISION_DEFAULT;
    }
}

static nn_result spy(void *state, nn_kernel kernel, const void *args, nn_range range) {
    seen.calls[kernel]++;
    seen.others[kernel] += precision_of(kernel, args) != seen.wanted;
    return sim_run_kernel(state, kernel, args, range);
}

typedef struct world {
    nn_context *nn;
    sim_device *sim;
    nn_device device;
} world;

/* Opens a context with a simulated device whose products are watched. */
static world open_world(nn_precision precision, bool gpu) {
    world w;
    sim_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(&seen, 0, sizeof seen);
    desc.gpu = gpu;
    w.nn = nn_open(&(nn_desc){.threads = 1, .precision = precision});
    w.sim = sim_open(w.nn, &desc, &w.device);
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        w.sim->backend.kernels[products[i]] = spy;
    return w;
}

static void close_world(world *w) {
    if (nn_error(w->nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(w->nn));
    nn_close(w->nn);
    if (sim_free(w->sim) != 0)
        test_fail(__FILE__, __LINE__, "the simulated device saw violations or leaks");
}

typedef struct net {
    nn_node *x, *label, *logits, *loss;
} net;

/* Convolutions with and without a pool after them, attention, a product of two activations, linear
   layers and a cross entropy: all kernels of `products`. */
static net describe(nn_model *m, nn_dtype autocast) {
    net n;
    n.x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 8, 8));
    n.label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    if (autocast) nn_autocast_begin(m, autocast);
    nn_node *y = nn_conv2d(m, "conv1", n.x,
                           &(nn_conv2d_desc){.out_channels = 8, .kernel = 3, .padding = 1});
    y = nn_conv2d(m, "conv2", nn_tanh(m, y), &(nn_conv2d_desc){.out_channels = 4, .kernel = 1});
    y = nn_conv2d(m, "conv3", nn_tanh(m, y),
                  &(nn_conv2d_desc){.out_channels = 8, .kernel = 3, .padding = 1});
    y = nn_max_pool2d(m, nn_relu(m, y), &(nn_pool2d_desc){.kernel = 2});
    y = nn_reshape(m, y, NN_SHAPE(NN_BATCH, 2, 16, 4));
    nn_node *scores = nn_matmul(m, y, nn_transpose(m, y, -2, -1), NULL);
    y = nn_matmul(m, scores, y, NULL);
    y = nn_scaled_dot_product_attention(m, y, y, y, NULL);
    y = nn_relu(m, nn_linear(m, "fc1", nn_flatten(m, y), &(nn_linear_desc){.out_features = 16}));
    n.logits = nn_linear(m, "fc2", y, &(nn_linear_desc){.out_features = 4});
    n.loss = nn_cross_entropy(m, n.logits, n.label, NULL);
    if (autocast) nn_autocast_end(m);
    return n;
}

/* Does three steps and writes the losses. */
static void train(world *w, nn_precision precision, nn_dtype autocast, float *losses) {
    nn_model *m = nn_make_model(w->nn, &(nn_model_desc){.device = w->device, .seed = 5});
    const net n = describe(m, autocast);
    nn_trainer *trainer =
        nn_make_trainer(m, n.loss, &(nn_trainer_desc){.batch = BATCH, .precision = precision});
    float image[BATCH * IMAGE];
    const int32_t label[BATCH] = {0, 1, 2, 3};
    for (int i = 0; i < BATCH * IMAGE; i++) image[i] = (float)((i * 7919 + 13) % 1000) / 500 - 1;
    nn_plan *plan = nn_trainer_plan(trainer);
    for (int i = 0; i < 3; i++) {
        nn_upload(plan, n.x, image, sizeof image);
        nn_upload(plan, n.label, label, sizeof label);
        if (test_wrong(nn_train_on_inputs(trainer) != NN_OK ||
                       nn_read_loss(trainer, &losses[i]) != NN_OK))
            test_fail(__FILE__, __LINE__, "%s", nn_error(w->nn));
    }
    nn_free_model(m);
}

/* The trainer's precision, or else the context's, is in the arguments of every kernel. A device with
   cheap launches has the kernels of a block, and one with expensive launches the others. */
static void test_every_kernel(void) {
    static const struct {
        nn_precision context, trainer, wanted;
    } cases[] = {
        {NN_PRECISION_DEFAULT, NN_PRECISION_DEFAULT, NN_PRECISION_HIGHEST},
        {NN_PRECISION_HIGH, NN_PRECISION_DEFAULT, NN_PRECISION_HIGH},
        {NN_PRECISION_MEDIUM, NN_PRECISION_HIGHEST, NN_PRECISION_HIGHEST},
        {NN_PRECISION_DEFAULT, NN_PRECISION_MEDIUM, NN_PRECISION_MEDIUM},
    };
    float losses[2][3], first[2][3];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int calls[NN_KERNEL_COUNT] = {0};
        for (int gpu = 0; gpu < 2; gpu++) {
            world w = open_world(cases[c].context, gpu);
            seen.wanted = cases[c].wanted;
            train(&w, cases[c].trainer, NN_DTYPE_DEFAULT, losses[gpu]);
            close_world(&w);
            for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
                calls[products[i]] += seen.calls[products[i]];
                if (test_wrong(seen.others[products[i]] != 0))
                    test_fail(__FILE__, __LINE__, "case %d: %s", (int)c,
                              nn_kernel_name(products[i]));
            }
        }
        for (size_t i = 0; i < sizeof products / sizeof *products; i++)
            if (test_wrong(calls[products[i]] == 0))
                test_fail(__FILE__, __LINE__, "no call of %s", nn_kernel_name(products[i]));
        if (c == 0) memcpy(first, losses, sizeof first);
        /* the kernels of the simulated device are the CPU's, which rounds nothing */
        ENSURE(memcmp(first, losses, sizeof first) == 0);
    }
}

/* A plan's own precision, and that of immediate calls. */
static void test_plans_and_calls(void) {
    world w = open_world(NN_PRECISION_HIGH, false);
    nn_model *m = nn_make_model(w.nn, &(nn_model_desc){.device = w.device});
    const net n = describe(m, NN_DTYPE_DEFAULT);
    for (int p = NN_PRECISION_DEFAULT; p < NN_PRECISION_COUNT; p++) {
        nn_plan *plan = nn_make_plan(
            m, &(nn_plan_desc){.outputs = NN_NODES(n.logits), .precision = (nn_precision)p});
        float image[IMAGE] = {1};
        seen.wanted = p ? (nn_precision)p : NN_PRECISION_HIGH;
        ENSURE(nn_upload(plan, n.x, image, sizeof image) == NN_OK);
        ENSURE(nn_run(plan) == NN_OK);
        nn_free_plan(plan);
    }
    seen.wanted = NN_PRECISION_HIGH;
    const int before = seen.calls[NN_KERNEL_GEMM];
    nn_tensor *a = nn_make_tensor(
        w.nn, &(nn_tensor_desc){.device = w.device, .shape = NN_SHAPE(3, 3)});
    nn_tensor *y = nn_make_tensor(
        w.nn, &(nn_tensor_desc){.device = w.device, .shape = NN_SHAPE(3, 3)});
    ENSURE(nn_matmul_forward(y, a, a, NULL) == NN_OK);
    ENSURE(before > 0 && seen.calls[NN_KERNEL_GEMM] == before + 1);
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        ENSURE(seen.others[products[i]] == 0);
    close_world(&w);
}

/* Products of a region and their gradients may round to what they are stored in. The cross entropy
   has no product, and steps of a linear layer in half are not joined into its kernel. */
static void test_autocast(void) {
    static const struct {
        nn_dtype autocast;
        nn_precision trainer, wanted;
    } cases[] = {
        {NN_BF16, NN_PRECISION_DEFAULT, NN_PRECISION_MEDIUM},
        {NN_F16, NN_PRECISION_DEFAULT, NN_PRECISION_HIGH},
        {NN_F16, NN_PRECISION_MEDIUM, NN_PRECISION_MEDIUM},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int gpu = 0; gpu < 2; gpu++) {
            float losses[3];
            world w = open_world(NN_PRECISION_DEFAULT, gpu);
            seen.wanted = cases[c].wanted;
            train(&w, cases[c].trainer, cases[c].autocast, losses);
            close_world(&w);
            ENSURE(seen.calls[NN_KERNEL_GEMM] > 0 && seen.calls[NN_KERNEL_CONV2D_FORWARD] > 0);
            ENSURE(seen.calls[NN_KERNEL_ATTENTION_BACKWARD] > 0);
            for (size_t i = 0; i < sizeof products / sizeof *products; i++)
                if (test_wrong(products[i] != NN_KERNEL_CROSS_ENTROPY_HEAD &&
                               seen.others[products[i]] != 0))
                    test_fail(__FILE__, __LINE__, "case %d: %s", (int)c,
                              nn_kernel_name(products[i]));
        }
}

/* ---- what a device does ---------------------------------------------------------------------- */

/* A device that rounds the operands of products of matrices, and of nothing else. */
static const char *rounds(void *state, nn_kernel kernel, const void *args, char *why,
                          size_t why_bytes) {
    (void)state;
    if (kernel == NN_KERNEL_GEMM)
        return ((const nn_gemm_args *)args)->precision == NN_PRECISION_HIGH ? "tf32" : "bf16";
    snprintf(why, why_bytes, "too few rows");
    return NULL;
}

/* Returns the report of a plan for the logits, or NULL if there is no plan. */
static const char *report(world *w, nn_precision precision, nn_dtype autocast, bool require) {
    static char words[1 << 15];
    nn_text text = {.buffer = words, .size = sizeof words};
    nn_model *m = nn_make_model(w->nn, &(nn_model_desc){.device = w->device});
    const net n = describe(m, autocast);
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(n.logits),
                                                    .precision = precision,
                                                    .require_precision = require});
    nn_write_plan(plan, (nn_writer){.function = nn_write_text, .user = &text});
    nn_free_model(m);
    return plan ? words : NULL;
}

static bool has_line(const char *text, const char *operation, const char *node, const char *words) {
    char line[256];
    snprintf(line, sizeof line, " %-26s %-28s %s\n", operation, node, words);
    if (text && strstr(text, line)) return true;
    printf("no line \"%s\" in %s\n", line, text ? text : "(none)");
    return false;
}

static void test_reports(void) {
    static const char head[] = "\nproducts, and what their operands are rounded to: NN_PRECISION_";
    const char *text;
    world w = open_world(NN_PRECISION_DEFAULT, false);
    text = report(&w, NN_PRECISION_DEFAULT, NN_DTYPE_DEFAULT, true);
    ENSURE(text && !strstr(text, head)); /* f32 was asked for, so there is nothing to tell */
    text = report(&w, NN_PRECISION_MEDIUM, NN_DTYPE_DEFAULT, false);
    ENSURE(text && strstr(text, head));
    ENSURE(has_line(text, "linear+relu", "fc1", "f32: this device has no matrix units") ||
           has_line(text, "linear", "fc1", "f32: this device has no matrix units"));
    w.sim->backend.rounds = rounds;
    text = report(&w, NN_PRECISION_MEDIUM, NN_DTYPE_DEFAULT, true);
    ENSURE(has_line(text, "linear", "fc1", "bf16"));
    ENSURE(has_line(text, "conv2d", "conv1", "f32: too few rows"));
    text = report(&w, NN_PRECISION_HIGH, NN_DTYPE_DEFAULT, true);
    ENSURE(has_line(text, "linear", "fc2", "tf32"));
    text = report(&w, NN_PRECISION_HIGHEST, NN_F16, true);
    ENSURE(has_line(text, "linear", "fc2", "f16, as they are stored"));
    ENSURE(strstr(text, "NN_PRECISION_HIGHEST, nn_autocast_begin\n"));
    close_world(&w);
}

/* The report leaves the caller's memory in the arguments of nn_run_on. */
static void test_report_between_runs(void) {
    static char words[1 << 15];
    nn_text text = {.buffer = words, .size = sizeof words};
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .precision = NN_PRECISION_MEDIUM});
    nn_model *m = nn_make_model(nn, NULL);
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *y = nn_linear(m, "fc", x, &(nn_linear_desc){.out_features = 2});
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y)});
    const float in[2][3] = {{1, 2, 3}, {4, 5, 6}};
    float out[2] = {0}, wanted[2];
    const void *inputs[1] = {in[0]};
    void *outputs[1] = {out};
    ENSURE(nn_run_on(plan, inputs, outputs) == NN_OK);
    nn_write_plan(plan, (nn_writer){.function = nn_write_text, .user = &text});
    ENSURE(strstr(words, "f32: this device has no matrix units"));
    inputs[0] = in[1];
    ENSURE(nn_run_on(plan, inputs, outputs) == NN_OK);
    ENSURE(nn_upload(plan, x, in[1], sizeof in[1]) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, wanted, sizeof wanted) == NN_OK);
    ENSURE(memcmp(out, wanted, sizeof out) == 0);
    nn_close(nn);
}

static void refused(nn_context *nn, const char *words) {
    if (test_wrong(!nn_error(nn) || !strstr(nn_error(nn), words)))
        test_fail(__FILE__, __LINE__, "wanted \"%s\", got: %s", words, nn_error(nn));
    nn_clear_error(nn);
}

static void test_wrong_values(void) {
    char words[512] = "";
    nn_text text = {.buffer = words, .size = sizeof words};
    ENSURE(!nn_open(&(nn_desc){.precision = NN_PRECISION_COUNT,
                               .log = {.function = nn_write_text, .user = &text}}));
    ENSURE(strstr(words, "nn_open: precision is 4; wanted NN_PRECISION_HIGHEST, "));
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    ENSURE(nn_context_desc(nn)->precision == NN_PRECISION_HIGHEST);
    nn_model *m = nn_make_model(nn, NULL);
    const net n = describe(m, NN_DTYPE_DEFAULT);
    ENSURE(!nn_make_plan(
        m, &(nn_plan_desc){.outputs = NN_NODES(n.logits), .precision = (nn_precision)-1}));
    refused(nn, "precision is -1; wanted NN_PRECISION_HIGHEST, NN_PRECISION_HIGH or");
    ENSURE(!nn_make_trainer(m, n.loss, &(nn_trainer_desc){.precision = NN_PRECISION_COUNT}));
    refused(nn, "precision is 4; wanted NN_PRECISION_HIGHEST, NN_PRECISION_HIGH or");
    nn_close(nn);
}

/* A device that rounds nothing is refused if the precision is required. */
static void test_required(void) {
    world w = open_world(NN_PRECISION_DEFAULT, false);
    ENSURE(!report(&w, NN_PRECISION_HIGH, NN_DTYPE_DEFAULT, true));
    refused(w.nn, "nn_make_plan");
    ENSURE(!report(&w, NN_PRECISION_HIGH, NN_DTYPE_DEFAULT, true));
    refused(w.nn, ".require_precision is set, and user0:0 computes all 8 products of \"model\" in "
                  "f32: this device has no matrix units; leave .require_precision out");
    nn_model *m = nn_make_model(w.nn, &(nn_model_desc){.device = w.device});
    const net n = describe(m, NN_BF16);
    ENSURE(!nn_make_trainer(m, n.loss, &(nn_trainer_desc){.require_precision = true}));
    refused(w.nn, "nn_make_trainer");
    w.sim->backend.rounds = rounds;
    ENSURE(nn_make_trainer(m, n.loss, &(nn_trainer_desc){.require_precision = true}) != NULL);
    close_world(&w);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_every_kernel);
    RUN(test_plans_and_calls);
    RUN(test_autocast);
    RUN(test_reports);
    RUN(test_report_between_runs);
    RUN(test_wrong_values);
    RUN(test_required);
    return test_report();
}
