/* test_opencl_logits.c: on a GPU the gradient of the logits takes the place of the logits
   (plan/layout.c). Training must give the same bytes as with logits that stay, in all kernels of
   the cross entropy. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include "emulated_units.h"
#include "inside.h"
#include "test.h"

#include "lists.h"
#include "opencl_as_gpu.h"

enum { STEPS = 2, WIDE = 136, MOST = 160 * WIDE };

static nn_context *nn;

/* Opens a device, as a GPU if `gpu`. units: products take matrix units, else the plain kernel.
   False: there is no OpenCL device. */
static bool open_gpu(bool gpu, bool units) {
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
    nn__opencl *opencl = (nn__opencl *)state;
    opencl->cpu = !gpu;
    opencl->gpu = gpu;
    opencl->units = 4;
    opencl->forced = units ? NN__OPENCL_TILES : NN__OPENCL_PLAIN;
    opencl->mma = units ? NN__OPENCL_MMA_EMULATED : NN__OPENCL_MMA_NONE;
    opencl->mma_always = units;
    nn__find_device(nn, nn_opencl(0))->limits.gpu = gpu;
    return true;
}

typedef struct net {
    int rows, classes;
    int inner; /* positions that lie beside each other; 0: none */
    bool half, separate_steps;
    nn_reduction reduction;
    float smoothing;
} net;

typedef struct outcome {
    float losses[STEPS], weight[MOST];
    bool shares;
    bool joined; /* the loss, its gradient and its total are one step */
    int whole;   /* f32 values of the plan with as many numbers as the logits */
} outcome;

/* True if a loss's gradient has the memory of the logits. */
static bool shares_memory(const nn_plan *plan) {
    bool shares = false;
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        const nn_cross_entropy_args *args = &step->args->cross_entropy_backward;
        if (step->node->rule->kernel == NN_KERNEL_CROSS_ENTROPY_HEAD)
            args = &step->args->cross_entropy_head.entropy;
        else if (step->node->rule->kernel != NN_KERNEL_CROSS_ENTROPY_BACKWARD)
            continue;
        shares = shares || (args->logits.handle == args->dlogits.handle &&
                            args->logits.offset == args->dlogits.offset);
    }
    return shares;
}

/* Counts the values that are read in the plan's own memory that have as many numbers as the logits, in f32. */
static int whole_logits(const nn_plan *plan, const net *n) {
    const int64_t count = (int64_t)n->rows * n->classes * (n->inner ? n->inner : 1);
    int whole = 0;
    for (int i = 0; i < plan->value_count; i++) {
        const nn__value *value = &plan->values[i];
        int64_t numbers = 1;
        for (int k = 0; k < value->view.shape.rank; k++) numbers *= value->view.shape.extent[k];
        whole += value->place == NN__PLACE_ARENA && value->uses > 0 &&
                 value->view.dtype == NN_F32 && numbers == count;
    }
    return whole;
}

static bool joins(const nn_plan *plan) {
    bool head = false, separate = false;
    for (int s = 0; s < plan->step_count; s++) {
        const nn_kernel kernel = plan->steps[s].node->rule->kernel;
        head = head || kernel == NN_KERNEL_CROSS_ENTROPY_HEAD;
        separate = separate || kernel == NN_KERNEL_CROSS_ENTROPY_FORWARD ||
                   kernel == NN_KERNEL_CROSS_ENTROPY_BACKWARD || kernel == NN_KERNEL_ACCUMULATE;
    }
    return head && !separate;
}

static void train(const net *n, bool kept, outcome *o) {
    static float x[MOST];
    static int32_t label[MOST];
    nn_model_desc on;
    nn_linear_desc layer;
    nn_cross_entropy_desc entropy;
    nn_trainer_desc desc;
    const int inner = n->inner ? n->inner : 1;
    memset(&on, 0, sizeof on);
    memset(&layer, 0, sizeof layer);
    memset(&entropy, 0, sizeof entropy);
    memset(&desc, 0, sizeof desc);
    memset(o, 0, sizeof *o);
    on.device = nn_opencl(0);
    on.seed = 3;
    layer.out_features = n->classes * inner;
    layer.no_bias = n->half; /* the gradient of a bias would need f32 */
    entropy.reduction = n->reduction;
    entropy.label_smoothing = n->smoothing;
    entropy.ignore = true;
    entropy.ignore_index = 1;
    desc.batch = n->rows;
    desc.optimizer = NN_SGD;
    desc.learning_rate = 0.1f;
    desc.separate_steps = n->separate_steps;
    nn_model *m = nn_make_model(nn, &on);
    nn_node *input = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDE)), *logits,
            *labels = nn_input(m, "label", NN_I32,
                               n->inner ? NN_SHAPE(NN_BATCH, inner) : NN_SHAPE(NN_BATCH));
    if (n->half) nn_autocast_begin(m, NN_BF16);
    logits = nn_linear(m, "fc", input, &layer);
    /* in bf16 the node is not what the loss reads */
    if (n->half)
        nn__find_device(nn, nn_opencl(0))->limits.gpu = !kept;
    else if (kept)
        nn_keep(logits);
    if (n->inner) logits = nn_reshape(m, logits, NN_SHAPE(NN_BATCH, n->classes, inner));
    nn_node *loss = nn_cross_entropy(m, logits, labels, &entropy);
    if (n->half) nn_autocast_end(m);
    for (int i = 0; i < n->rows * WIDE; i++)
        x[i] = (float)((int64_t)i * 7919 % 2003) / 1001.0f - 1.0f;
    for (int i = 0; i < n->rows * inner; i++) label[i] = i * 7 % n->classes;
    nn_trainer *trainer = nn_make_trainer(m, loss, &desc);
    nn_plan *plan = nn_trainer_plan(trainer);
    ENSURE(plan && n->rows * WIDE <= MOST && n->classes * inner * WIDE <= MOST);
    for (int i = 0; i < STEPS; i++)
        ENSURE(nn_upload(plan, input, x, (size_t)(n->rows * WIDE) * 4) == NN_OK &&
               nn_upload(plan, labels, label, (size_t)(n->rows * inner) * 4) == NN_OK &&
               nn_train_on_inputs(trainer) == NN_OK &&
               nn_read_loss(trainer, &o->losses[i]) == NN_OK);
    ENSURE(nn_download_tensor(nn_find_tensor(m, "fc.weight"), o->weight,
                              (size_t)(n->classes * inner * WIDE) * 4) == NN_OK);
    o->shares = shares_memory(plan);
    o->joined = joins(plan);
    o->whole = whole_logits(plan, n);
}

static void compare(const net *n) {
    static outcome with, without;
    if (!open_gpu(true, n->half)) SKIP("no OpenCL device here");
    train(n, false, &with);
    train(n, true, &without);
    nn_close(nn);
    ENSURE(memcmp(with.losses, without.losses, sizeof with.losses) == 0);
    ENSURE(memcmp(with.weight, without.weight, sizeof with.weight) == 0);
    ENSURE(with.losses[STEPS - 1] < with.losses[0]);
    ENSURE(with.shares && !without.shares);
    ENSURE(n->half || with.whole > 0);
}

/* With nn_autocast_begin, the loss is joined with its gradient and its total, and gives the bytes of
   separate steps. Only the emulated units read logits of bf16. */
static void compare_joined(const net *n) {
    static outcome joined, separate;
    net apart = *n;
    apart.separate_steps = true;
    if (!open_gpu(true, true)) SKIP("no OpenCL device here");
    train(n, false, &joined);
    train(&apart, false, &separate);
    nn_close(nn);
    ENSURE(joined.joined && !separate.joined);
    ENSURE(memcmp(joined.losses, separate.losses, sizeof joined.losses) == 0);
    ENSURE(memcmp(joined.weight, separate.weight, sizeof joined.weight) == 0);
    ENSURE(joined.losses[STEPS - 1] < joined.losses[0]);
    ENSURE(joined.shares && separate.shares);
    ENSURE(joined.whole == 0); /* neither the logits nor their gradient are kept in f32 */
}

static const net wide = {30, 140, 0, false, false, NN_MEAN, 0.1f},
                 whole = {20, 33, 0, false, false, NN_MEAN, 0.0f},
                 head = {150, 50, 0, false, true, NN_SUM, 0.1f},
                 beside = {6, 20, 7, false, false, NN_MEAN, 0.1f},
                 half = {30, 140, 0, true, false, NN_MEAN, 0.0f},
                 half_whole = {20, 33, 0, true, false, NN_MEAN, 0.1f},
                 half_head = {150, 50, 0, true, false, NN_SUM, 0.1f},
                 half_narrow = {20, 10, 0, true, false, NN_MEAN, 0.0f};

static void test_a_group_for_each_row(void) { compare(&wide); }
static void test_one_group(void) { compare(&whole); }
static void test_separate_steps(void) { compare(&head); }
static void test_positions_beside_each_other(void) { compare(&beside); }
static void test_bf16(void) { compare(&half); }
static void test_bf16_joined(void) { compare_joined(&half); }
static void test_bf16_one_group(void) { compare_joined(&half_whole); }
static void test_bf16_few_groups(void) { compare_joined(&half_head); }
static void test_bf16_few_classes(void) { compare_joined(&half_narrow); }

/* Elsewhere logits and their gradient have memory of their own. */
static void test_other_devices(void) {
    static outcome o;
    if (!open_gpu(false, false)) SKIP("no OpenCL device here");
    train(&whole, false, &o);
    nn_close(nn);
    ENSURE(!o.shares && o.losses[STEPS - 1] < o.losses[0]);
}

int main(int argc, char **argv) {
    BEFORE_EMULATED_UNITS();
    test_start(argc, argv);
    RUN(test_a_group_for_each_row);
    RUN(test_one_group);
    RUN(test_separate_steps);
    RUN(test_positions_beside_each_other);
    RUN(test_bf16);
    RUN(test_bf16_joined);
    RUN(test_bf16_one_group);
    RUN(test_bf16_few_groups);
    RUN(test_bf16_few_classes);
    RUN(test_other_devices);
    return test_report();
}
