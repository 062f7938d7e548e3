/* test_opencl_residual.c: sums of a linear layer and another value, gradients of gelu, and sums of
   gradients, which are the end of the product or of the gradient of a norm before them
   (ops/residual_fusion.c). All kernels must give the same bytes with and without that, in f32 and in
   bf16. */
#define _POSIX_C_SOURCE 200809L
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <stdio.h>
#include <stdlib.h>

#include "emulated_units.h"
#include "inside.h"
#include "test.h"

#include "lists.h"
#include "opencl_as_gpu.h"

enum { WIDE = 150, INNER = 40, TIME = 9, BATCH = 2, STEPS = 2, MOST = 700 * 300 };

static nn_context *nn;
static nn__opencl *gpu;
static unsigned ways; /* bits of nn__opencl_gemm_way that products with a residual took */
static bool finishes, gathers;

/* Opens a device as a GPU of a few compute units. False: there is no OpenCL device. */
static bool open_gpu(nn__opencl_family family, bool units) {
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
    gpu->forced = family;
    gpu->mma = units ? NN__OPENCL_MMA_EMULATED : NN__OPENCL_MMA_NONE;
    gpu->mma_always = units;
    return true;
}

static nn_model *make_model(void) {
    nn_model_desc model;
    memset(&model, 0, sizeof model);
    model.device = nn_opencl(0);
    model.seed = 3;
    return nn_make_model(nn, &model);
}

static nn_node *linear(nn_model *m, const char *name, nn_node *x, int outputs, bool no_bias) {
    nn_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = outputs;
    desc.no_bias = no_bias;
    return nn_linear(m, name, x, &desc);
}

static bool full(void) { return getenv("NN_FULL") != NULL; }

static bool do_nothing(nn__steps *list) {
    (void)list;
    return true;
}

/* nn_add installs no other one where this one is. */
static const nn__fusion no_fusion = {NULL, 0, NULL, NULL, 0, 0, 0, false, 0, do_nothing};

/* Returns the number of products with a residual, and records their kernels. */
static int look(const nn_plan *plan) {
    int count = 0;
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (step->node->rule->kernel != NN_KERNEL_GEMM || !step->args->gemm.residual.dtype)
            continue;
        const nn__opencl_gemm_plan way = nn__opencl_gemm_plan_of(gpu, &step->args->gemm);
        ways |= 1u << way.way;
        finishes |= way.finish;
        gathers |= way.gather;
        count++;
    }
    return count;
}

static bool give(nn_plan *plan, nn_node *node, int count, int below) {
    static float numbers[MOST];
    int32_t *const whole = (int32_t *)(void *)numbers;
    for (int i = 0; i < count; i++)
        if (below)
            whole[i] = i * 7 % below;
        else
            numbers[i] = (float)((int64_t)i * 7919 % 2003) / 1001.0f - 1.0f;
    return nn_upload(plan, node, numbers, (size_t)count * 4) == NN_OK;
}

/* ---- one product ----------------------------------------------------------------------------- */

/* half: the layer computes and stores bf16. one_row: the plan also runs with one row. */
static void product(int rows, int depth, int columns, bool transposed, nn_precision precision,
                    bool half, bool one_row) {
    static float results[4][MOST];
    nn_model *m = make_model();
    nn_linear_desc layer;
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(&layer, 0, sizeof layer);
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, depth)),
            *r = nn_input(m, "r", NN_F32, NN_SHAPE(NN_BATCH, columns)), *y;
    layer.out_features = columns;
    layer.no_bias = rows % 2 == 0;
    if (half) nn_autocast_begin(m, NN_BF16);
    y = transposed ? nn_linear_transposed(m, "fc", x, &layer) : nn_linear(m, "fc", x, &layer);
    y = rows % 3 ? nn_add(m, r, y) : nn_add(m, y, r);
    if (half) nn_autocast_end(m);
    desc.batch = rows;
    desc.precision = precision;
    NODE_AT(desc.outputs, 0) = y;
    ENSURE(rows * depth <= MOST && rows * columns <= MOST);
    for (int i = 0; i < 2; i++) {
        const nn__fusion *const fusion = nn->fusions[NN__FUSION_RESIDUAL];
        if (i) nn->fusions[NN__FUSION_RESIDUAL] = &no_fusion;
        nn_plan *plan = nn_make_plan(m, &desc);
        nn->fusions[NN__FUSION_RESIDUAL] = fusion;
        ENSURE(plan && (half || plan->step_count == 1 + i));
        for (int k = 0; k < 1 + one_row; k++) {
            const int some = k ? 1 : rows;
            ENSURE(give(plan, x, some * depth, 0) && give(plan, r, some * columns, 0) &&
                   nn_run(plan) == NN_OK && look(plan) == 1 - i &&
                   nn_download(plan, y, results[2 * i + k], (size_t)(some * columns) * 4) == NN_OK);
        }
    }
    for (int k = 0; k < 1 + one_row; k++)
        if (memcmp(results[k], results[2 + k], (size_t)(k ? 1 : rows) * (size_t)columns * 4))
            test_fail(__FILE__, __LINE__, "%d of %d x %d x %d%s: bytes differ", k ? 1 : rows, rows,
                      depth, columns, transposed ? ", transposed" : "");
}

static const short shapes[][3] = {{1, 150, 141},   {3, 300, 132},  {8, 700, 130},   {20, 140, 140},
                                  {37, 150, 163},  {40, 600, 136}, {129, 130, 132}, {200, 7, 260},
                                  {300, 152, 136}, {64, 9, 200}};

/* wanted: one bit for each of the shapes, which choose each kernel of the family once. With NN_FULL
   all shapes run, each with all rows and with one. */
static void products(nn__opencl_family family, bool units, nn_precision precision,
                     unsigned wanted) {
    if (!open_gpu(family, units)) SKIP("no OpenCL device here");
    for (int i = 0; i < (int)(sizeof shapes / sizeof *shapes); i++)
        for (int t = 0; t < 2; t++)
            if (full() || (wanted >> (2 * i + t) & 1))
                product(shapes[i][0], shapes[i][1], shapes[i][2], t != 0, precision, false, full());
    nn_close(nn);
}

#define SHAPE(index, transposed) (1u << (2 * (index) + (transposed)))

static void test_plain(void) {
    products(NN__OPENCL_PLAIN, false, NN_PRECISION_DEFAULT, SHAPE(3, 0));
}
static void test_small_tiles(void) {
    products(NN__OPENCL_SMALL_TILES, false, NN_PRECISION_DEFAULT, SHAPE(4, 0) | SHAPE(5, 0));
}
static void test_tiles(void) {
    products(NN__OPENCL_TILES, false, NN_PRECISION_DEFAULT,
             SHAPE(2, 0) | SHAPE(2, 1) | SHAPE(6, 0) | SHAPE(7, 0));
}
static void test_large_tiles(void) {
    products(NN__OPENCL_LARGE_TILES, false, NN_PRECISION_DEFAULT, SHAPE(4, 0));
}
static void test_units_tf32(void) { products(NN__OPENCL_TILES, true, NN_PRECISION_HIGH, 0); }
static void test_units_bf16(void) { products(NN__OPENCL_TILES, true, NN_PRECISION_MEDIUM, 0); }

/* A layer that would store bf16 is rounded before the sum. */
static void test_rounding(void) {
    if (!open_gpu(NN__OPENCL_TILES, true)) SKIP("no OpenCL device here");
    product(300, 152, 136, false, NN_PRECISION_DEFAULT, true, false);
    if (full()) product(37, 600, 163, true, NN_PRECISION_DEFAULT, true, true);
    nn_close(nn);
}

static void test_all_kernels_were_seen(void) {
    const unsigned wanted = 1u << NN__OPENCL_GEMM_PLAIN | 1u << NN__OPENCL_GEMM_TILES |
                            1u << NN__OPENCL_GEMM_LARGE | 1u << NN__OPENCL_GEMM_LONG |
                            1u << NN__OPENCL_GEMM_THIN | 1u << NN__OPENCL_GEMM_SLICES |
                            1u << NN__OPENCL_GEMM_OUTER | 1u << NN__OPENCL_GEMM_MMA;
    if (!open_gpu(NN__OPENCL_TILES, false)) SKIP("no OpenCL device here");
    nn_close(nn);
    if (test_wrong(ways != wanted))
        test_fail(__FILE__, __LINE__, "ways %x instead of %x", ways, wanted);
    ENSURE(finishes && gathers);
}

/* ---- gradients of gelu ----------------------------------------------------------------------- */

static int slopes_of(const nn_plan *plan, int *widened) {
    int count = 0;
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (step->node->rule->kernel != NN_KERNEL_GEMM || !step->args->gemm.residual_use) continue;
        ways |= 1u << nn__opencl_gemm_plan_of(gpu, &step->args->gemm).way;
        *widened += step->args->gemm.residual.dtype != NN_F32;
        count++;
    }
    return count;
}

/* Trains linear, gelu, linear, gelu_tanh, linear, whose widths are `wide` and `deep` in turns, and
   returns the number of gradients that ended a product. The losses and all weights go to results.
   widened: the number of gradients whose x was not f32. */
static int slopes(int rows, int wide, int deep, bool half, bool fuses, float *results,
                  int *widened) {
    nn_model *m = make_model();
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, wide)),
            *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH)), *y;
    nn_trainer_desc desc;
    int used = STEPS;
    memset(&desc, 0, sizeof desc);
    desc.batch = rows;
    desc.optimizer = NN_SGD;
    desc.learning_rate = 0.1f;
    if (half) nn_autocast_begin(m, NN_BF16);
    y = linear(m, "a", x, wide, false);
    y = linear(m, "b", nn_gelu(m, y), deep, false);
    y = linear(m, "c", nn_gelu_tanh(m, y), wide, false);
    /* nn_add installs the fusion */
    y = nn_cross_entropy(m, nn_add(m, y, y), label, NULL);
    if (half) nn_autocast_end(m);
    const nn__fusion *const fusion = nn->fusions[NN__FUSION_RESIDUAL];
    if (!fuses) nn->fusions[NN__FUSION_RESIDUAL] = &no_fusion;
    nn_trainer *trainer = nn_make_trainer(m, y, &desc);
    nn_plan *plan = nn_trainer_plan(trainer);
    nn->fusions[NN__FUSION_RESIDUAL] = fusion;
    ENSURE_OR(-1, plan);
    for (int i = 0; i < STEPS; i++)
        ENSURE_OR(-1, give(plan, x, rows * wide, 0) && give(plan, label, rows, wide) &&
                          nn_train_on_inputs(trainer) == NN_OK &&
                          nn_read_loss(trainer, &results[i]) == NN_OK);
    for (int i = 0; i < 3; i++) {
        static const char *const names[3] = {"a.weight", "b.weight", "c.weight"};
        const int count = wide * (i ? deep : wide);
        ENSURE_OR(-1, used + count <= MOST &&
                          nn_download_tensor(nn_find_tensor(m, names[i]), results + used,
                                             (size_t)count * 4) == NN_OK);
        used += count;
    }
    return slopes_of(plan, widened);
}

static void compare_slopes(nn__opencl_family family, int rows, int wide, int deep, bool half) {
    static float with[MOST], without[MOST];
    int widened = 0;
    memset(with, 0, sizeof with);
    memset(without, 0, sizeof without);
    if (!open_gpu(family, half)) SKIP("no OpenCL device here");
    ENSURE(slopes(rows, wide, deep, half, false, without, &widened) == 0);
    ENSURE(slopes(rows, wide, deep, half, true, with, &widened) == 2);
    ENSURE(widened == (half ? 2 : 0));
    ENSURE(without[1] < without[0]);
    for (int i = 0; i < MOST; i++)
        if (memcmp(&with[i], &without[i], 4)) {
            test_fail(__FILE__, __LINE__, "%d x %d x %d, number %d: %.9g instead of %.9g", rows,
                      wide, deep, i, with[i], without[i]);
            break;
        }
    nn_close(nn);
}

static void test_slopes(void) {
    compare_slopes(NN__OPENCL_PLAIN, 5, 131, 140, false);
    compare_slopes(NN__OPENCL_TILES, 40, 140, 180, false);
    if (full()) compare_slopes(NN__OPENCL_SMALL_TILES, 20, 150, 163, false);
    if (full()) compare_slopes(NN__OPENCL_LARGE_TILES, 129, 132, 240, false);
    if (full()) compare_slopes(NN__OPENCL_TILES, 3, 132, 600, false);
    if (full()) compare_slopes(NN__OPENCL_TILES, 300, 152, 136, false);
}
static void test_slopes_in_bf16(void) {
    compare_slopes(NN__OPENCL_TILES, 70, 136, 152, true);
    if (full()) compare_slopes(NN__OPENCL_TILES, 37, 163, 400, true);
}

/* ---- a net that trains ----------------------------------------------------------------------- */

typedef struct outcome {
    float losses[STEPS], outputs[BATCH * TIME * WIDE];
    int steps, sums, norms;
} outcome;

/* Two residual blocks. The first sum is read twice, and the second through a reshape. kept: the
   result of the last layer is an output, too, so its sum stays. Without NN_FULL the blocks have no
   norm, and only f32 trains: each kernel takes PoCL a third of a second. */
static nn_node *make_net(nn_model *m, nn_node *x, bool kept, bool norms) {
    nn_node *y = NULL;
    for (int i = 0; i < 2; i++) {
        char name[16];
        snprintf(name, sizeof name, "norm%d", i);
        y = norms ? nn_layer_norm(m, name, x, NULL) : x;
        snprintf(name, sizeof name, "up%d", i);
        y = linear(m, name, y, INNER, false);
        y = full() ? nn_gelu(m, y) : nn_relu(m, y);
        snprintf(name, sizeof name, "down%d", i);
        y = linear(m, name, y, WIDE, i == 1);
        x = nn_add(m, x, y);
    }
    if (kept) nn_keep(y);
    return nn_reshape(m, x, NN_SHAPE(NN_BATCH_TIME, WIDE));
}

/* Returns the number of gradients of norms that add another gradient. */
static int sums_of_norms(const nn_plan *plan) {
    int count = 0;
    for (int s = 0; s < plan->step_count; s++)
        count += plan->steps[s].node->rule->kernel == NN_KERNEL_NORM_BACKWARD &&
                 plan->steps[s].args->norm_backward.residual.dtype != 0;
    return count;
}

static void train(bool fuses, bool half, bool kept, bool norms, outcome *o) {
    nn_trainer_desc desc;
    nn_plan_desc infer;
    nn_model *m = make_model();
    nn_node *input = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, WIDE)),
            *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME)), *output, *loss;
    memset(&desc, 0, sizeof desc);
    memset(&infer, 0, sizeof infer);
    memset(o, 0, sizeof *o);
    if (!fuses) nn->fusions[NN__FUSION_RESIDUAL] = &no_fusion;
    /* a sum of bf16 and bf16 would be bf16 */
    output = linear(m, "first", input, WIDE, false);
    if (half) nn_autocast_begin(m, NN_BF16);
    output = make_net(m, output, kept, norms);
    loss = nn_cross_entropy(m, output, nn_reshape(m, label, NN_SHAPE(NN_BATCH_TIME)), NULL);
    if (half) nn_autocast_end(m);
    desc.batch = infer.batch = BATCH;
    desc.time = infer.time = TIME;
    desc.optimizer = NN_SGD;
    desc.learning_rate = 0.1f;
    NODE_AT(infer.outputs, 0) = output;
    nn_trainer *trainer = nn_make_trainer(m, loss, &desc);
    nn_plan *plan = nn_trainer_plan(trainer);
    ENSURE(plan != NULL);
    o->steps = plan->step_count;
    for (int i = 0; i < STEPS; i++)
        ENSURE(give(plan, input, BATCH * TIME * WIDE, 0) && give(plan, label, BATCH * TIME, WIDE) &&
               nn_train_on_inputs(trainer) == NN_OK &&
               nn_read_loss(trainer, &o->losses[i]) == NN_OK);
    o->sums = look(plan);
    o->norms = sums_of_norms(plan);
    plan = nn_make_plan(m, &infer);
    ENSURE(give(plan, input, BATCH * TIME * WIDE, 0) && nn_run(plan) == NN_OK &&
           nn_download(plan, output, o->outputs, sizeof o->outputs) == NN_OK);
}

static void compare(bool half, bool kept, bool norms, int sums, int slopes) {
    static outcome with, without;
    if (!open_gpu(NN__OPENCL_TILES, half)) SKIP("no OpenCL device here");
    train(true, half, kept, norms, &with);
    nn_close(nn);
    ENSURE(open_gpu(NN__OPENCL_TILES, half));
    train(false, half, kept, norms, &without);
    nn_close(nn);
    ENSURE(memcmp(with.losses, without.losses, sizeof with.losses) == 0);
    ENSURE(memcmp(with.outputs, without.outputs, sizeof with.outputs) == 0);
    ENSURE(with.losses[STEPS - 1] < with.losses[0]);
    if (with.sums != sums + slopes || without.sums != 0 || with.norms != (norms ? 2 : 0) ||
        without.norms != 0 || with.steps != without.steps - with.sums - with.norms)
        test_fail(__FILE__, __LINE__, "%d and %d sums, %d of norms, %d steps instead of %d",
                  with.sums, without.sums, with.norms, with.steps, without.steps);
}

static void test_training(void) { compare(false, false, full(), 2, full() ? 2 : 0); }
static void test_training_in_bf16(void) { compare(true, false, full(), 2, full() ? 2 : 0); }
static void test_norms(void) { compare(false, false, true, 2, full() ? 2 : 0); }
static void test_a_result_that_stays(void) { compare(false, true, full(), 1, full() ? 2 : 0); }

/* ---- the report, and what refuses ------------------------------------------------------------ */

static void test_the_plan_tells(void) {
    static char words[8192];
    nn_text text = {words, sizeof words, 0};
    nn_writer writer = {0};
    nn_plan_desc desc;
    if (!open_gpu(NN__OPENCL_TILES, false)) SKIP("no OpenCL device here");
    memset(&desc, 0, sizeof desc);
    nn_model *m = make_model();
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(40, WIDE));
    NODE_AT(desc.outputs, 0) = nn_add(m, x, linear(m, "fc", x, WIDE, false));
    writer.function = nn_write_text, writer.user = &text;
    nn_plan *plan = nn_make_plan(m, &desc);
    ENSURE(plan);
    nn_write_plan(plan, writer);
    ENSURE(strstr(words, "linear+add"));
    nn_close(nn);
}

/* Narrow layers run in chains with their sums, and a CPU adds in a step of its own. */
static void test_what_stays(void) {
    nn_plan_desc desc;
    if (!open_gpu(NN__OPENCL_TILES, false)) SKIP("no OpenCL device here");
    memset(&desc, 0, sizeof desc);
    nn_model *m = make_model();
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(40, 128));
    NODE_AT(desc.outputs, 0) = nn_add(m, x, linear(m, "fc", x, 128, false));
    nn_plan *plan = nn_make_plan(m, &desc);
    ENSURE(plan && plan->step_count == 2);
    m = nn_make_model(nn, NULL);
    x = nn_input(m, "x", NN_F32, NN_SHAPE(40, WIDE));
    NODE_AT(desc.outputs, 0) = nn_add(m, x, linear(m, "fc", x, WIDE, false));
    plan = nn_make_plan(m, &desc);
    ENSURE(plan && plan->step_count == 2);
    nn_close(nn);
}

int main(int argc, char **argv) {
    BEFORE_EMULATED_UNITS();
    test_start(argc, argv);
    RUN(test_plain);
    RUN(test_small_tiles);
    RUN(test_tiles);
    RUN(test_large_tiles);
    if (full()) RUN(test_units_tf32);
    if (full()) RUN(test_units_bf16);
    RUN(test_rounding);
    RUN(test_all_kernels_were_seen);
    RUN(test_training);
    if (full()) RUN(test_training_in_bf16);
    if (!full()) RUN(test_norms);
    RUN(test_a_result_that_stays);
    RUN(test_slopes);
    RUN(test_slopes_in_bf16);
    RUN(test_the_plan_tells);
    RUN(test_what_stays);
    return test_report();
}
