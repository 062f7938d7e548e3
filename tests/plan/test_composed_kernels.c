/* tests/plan/test_composed_kernels.c - devices that lack composed kernels: kernels that no builder
   asks for, because only a rewriting of the plan or a group creates their steps. Such a device runs
   every net, with separate steps. */
#ifndef NN_TEST_OPENCL
#define NN_IMPLEMENTATION
#endif
#include "nn_group.h"

#include "scarce.h"
#include "sim_device.h"
#include "test.h"

enum { SAMPLES = 12, IN = 5, OUT = 3, BATCH = 8, IMAGE = 2 * 6 * 6, FEATURES = 4 * 6 * 6 };

typedef struct world {
    nn_context *nn;
    sim_device *sim;
    nn_device device;
} world;

static float number(int i) { return (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f; }

/* Opens a context with a simulated device that lacks the given kernels. */
static world open_lacking(const nn_kernel *kernels, int count) {
    world w;
    sim_desc desc;
    memset(&desc, 0, sizeof desc);
    for (int i = 0; i < count; i++) desc.missing[kernels[i]] = true;
    w.nn = nn_open(&(nn_desc){.threads = 1});
    w.sim = sim_open(w.nn, &desc, &w.device);
    return w;
}

static void close_world(world *w) {
    if (nn_error(w->nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(w->nn));
    nn_close(w->nn);
    if (sim_free(w->sim) != 0)
        test_fail(__FILE__, __LINE__, "the simulated device saw violations or leaks");
}

/* ---- a batch norm after a convolution -------------------------------------------------------- */

/* Runs a convolution and its batch norm, and writes the features. Returns the calls of norm_fold. */
static uint64_t infer(bool lacks, float *features) {
    static const nn_kernel fold = NN_KERNEL_NORM_FOLD;
    world w = open_lacking(&fold, lacks);
    float image[IMAGE], weight[4];
    nn_model *m = nn_make_model(w.nn, &(nn_model_desc){.device = w.device, .seed = 3});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 6, 6));
    nn_node *y = nn_conv2d(m, "conv", x, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3,
                                                          .padding = 1});
    y = nn_relu(m, nn_batch_norm2d(m, "bn", y, NULL));
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y)});
    if (!plan) {
        close_world(&w);
        return UINT64_MAX;
    }
    for (int i = 0; i < IMAGE; i++) image[i] = number(i);
    for (int i = 0; i < 4; i++) weight[i] = 0.5f + number(i);
    nn_upload_tensor(nn_find_tensor(m, "bn.weight"), weight, sizeof weight);
    nn_upload_tensor(nn_find_tensor(m, "bn.running_mean"), weight, sizeof weight);
    nn_upload(plan, x, image, sizeof image);
    if (test_wrong(nn_run(plan) != NN_OK ||
                   nn_download(plan, y, features, sizeof(float) * FEATURES) != NN_OK))
        test_fail(__FILE__, __LINE__, "the features cannot be read");
    const uint64_t folds = w.sim->kernel_counters[fold];
    close_world(&w);
    return folds;
}

static void test_no_norm_fold(void) {
    static float with[FEATURES], without[FEATURES];
    ENSURE(infer(false, with) == 1);
    ENSURE(infer(true, without) == 0);
    for (int i = 0; i < FEATURES; i++) ENSURE_CLOSE(without[i], with[i], 1e-5);
}

/* Makes plans of nets with more and more layers, which fill blocks of memory differently. In each
   attempt, one allocation fails and so do all later ones; the plan reports the error. */
static void test_no_memory_to_fold(void) {
    scarce memory;
    memset(&memory, 0, sizeof memory);
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .allocator = scarce_memory(&memory)});
    for (int layers = 1; layers < 20; layers++) {
        bool refused = true;
        for (int n = 1; refused; n++) {
            nn_model *m = nn_make_model(nn, NULL);
            nn_node *y = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 3, 3));
            for (int i = 0; i < layers; i++) {
                char conv[16], norm[16];
                snprintf(conv, sizeof conv, "conv%d", i), snprintf(norm, sizeof norm, "bn%d", i);
                y = nn_conv2d(m, conv, y, &(nn_conv2d_desc){.out_channels = 2, .kernel = 1});
                y = nn_batch_norm2d(m, norm, y, NULL);
            }
            memory.calls = 0, memory.fail_at = n;
            nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y)});
            refused = memory.calls >= n;
            memory.fail_at = 0;
            if (test_wrong(!plan != refused || !plan != (nn_error(nn) != NULL)))
                test_fail(__FILE__, __LINE__, "%d layers, allocation %d: %s", layers, n,
                          nn_error(nn) ? nn_error(nn) : "no word");
            nn_clear_error(nn);
            nn_free_model(m);
        }
    }
    nn_close(nn);
    ENSURE(memory.live == 0);
}

/* Does the same with a trainer whose optimizer is a program. */
static void test_no_memory_to_update(void) {
    scarce memory;
    memset(&memory, 0, sizeof memory);
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .allocator = scarce_memory(&memory)});
    for (int layers = 1; layers < 20; layers++) {
        bool refused = true;
        for (int n = 1; refused; n++) {
            nn_model *m = nn_make_model(nn, NULL);
            nn_node *y = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
            for (int i = 0; i < layers; i++) {
                char name[16];
                snprintf(name, sizeof name, "fc%d", i);
                y = nn_linear(m, name, y, &(nn_linear_desc){.out_features = 2});
            }
            nn_node *loss = nn_mean(m, y);
            memory.calls = 0, memory.fail_at = n;
            nn_trainer *trainer =
                nn_make_trainer(m, loss, &(nn_trainer_desc){.optimizer = NN_NADAM});
            refused = memory.calls >= n;
            memory.fail_at = 0;
            if (test_wrong(!trainer != refused || !trainer != (nn_error(nn) != NULL)))
                test_fail(__FILE__, __LINE__, "%d layers, allocation %d: %s", layers, n,
                          nn_error(nn) ? nn_error(nn) : "no word");
            nn_clear_error(nn);
            nn_free_model(m);
        }
    }
    nn_close(nn);
    ENSURE(memory.live == 0);
}

/* ---- sums of shards -------------------------------------------------------------------------- */

/* Trains for some steps of 8 and of 4 samples in shards, and reads the parameters. Returns the calls
   of shard_sum. */
static uint64_t learn(bool lacks, int shards, nn_dtype wire, float *parameters) {
    static const nn_kernel sum = NN_KERNEL_SHARD_SUM;
    world w = open_lacking(&sum, lacks);
    float inputs[SAMPLES * IN], targets[SAMPLES * OUT];
    for (int i = 0; i < SAMPLES * IN; i++) inputs[i] = number(i);
    for (int i = 0; i < SAMPLES * OUT; i++) targets[i] = number(i + 777);
    nn_model *m = nn_make_model(w.nn, &(nn_model_desc){.device = w.device, .seed = 3});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    nn_node *t = nn_input(m, "t", NN_F32, NN_SHAPE(NN_BATCH, OUT));
    nn_node *y = nn_linear(m, "fc", x, &(nn_linear_desc){.out_features = OUT});
    nn_node *loss = nn_mse_loss(m, y, t, NULL);
    nn_trainer *trainer = nn_make_trainer(m, loss,
                                          &(nn_trainer_desc){.batch = BATCH, .shards = shards,
                                                             .wire = wire, .learning_rate = 0.1f});
    if (!trainer) {
        close_world(&w);
        return UINT64_MAX;
    }
    for (int step = 0; step < 4; step++) {
        const int count = step % 2 ? SAMPLES - BATCH : BATCH;
        nn_tensor *batch = nn_make_tensor(
            w.nn, &(nn_tensor_desc){.shape = NN_SHAPE(count, IN), .device = w.device});
        nn_tensor *wanted = nn_make_tensor(
            w.nn, &(nn_tensor_desc){.shape = NN_SHAPE(count, OUT), .device = w.device});
        nn_upload_tensor(batch, inputs, sizeof(float) * (size_t)(count * IN));
        nn_upload_tensor(wanted, targets, sizeof(float) * (size_t)(count * OUT));
        nn_bind(nn_trainer_plan(trainer), x, batch);
        nn_bind(nn_trainer_plan(trainer), t, wanted);
        if (test_wrong(nn_train_on_inputs(trainer) != NN_OK))
            test_fail(__FILE__, __LINE__, "step %d fails", step);
    }
    nn_download_tensor(nn_find_tensor(m, "fc.weight"), parameters, sizeof(float) * IN * OUT);
    nn_download_tensor(nn_find_tensor(m, "fc.bias"), parameters + IN * OUT, sizeof(float) * OUT);
    const uint64_t sums = w.sim->kernel_counters[sum];
    close_world(&w);
    return sums;
}

/* Separate additions, and separate roundings to bf16, give the same bytes. 64 shards need more
   sums in a row than one call takes. */
static void test_no_shard_sum(void) {
    static const int shards[] = {2, 4, 64};
    float with[IN * OUT + OUT], without[IN * OUT + OUT], f32[IN * OUT + OUT];
    for (int i = 0; i < 3; i++) {
        ENSURE(learn(false, shards[i], NN_F32, with) > 0);
        ENSURE(learn(true, shards[i], NN_F32, without) == 0);
        ENSURE(memcmp(with, without, sizeof with) == 0);
        memcpy(f32, with, sizeof f32);
        ENSURE(learn(false, shards[i], NN_BF16, with) > 0);
        ENSURE(learn(true, shards[i], NN_BF16, without) == 0);
        ENSURE(memcmp(with, without, sizeof with) == 0);
        ENSURE(memcmp(with, f32, sizeof f32) != 0);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_no_norm_fold);
    RUN(test_no_memory_to_fold);
    RUN(test_no_memory_to_update);
    RUN(test_no_shard_sum);
    return test_report();
}
