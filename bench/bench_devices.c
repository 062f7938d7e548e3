/* bench_devices.c - what a trainer on two devices of one process costs (nn_trainer_desc.devices).
   Two devices that share the same cores cannot be faster. Their time beyond that of one device, for
   the same batches in the same shards, is the cost of replicas, of weights and samples that cross,
   and of gradients that come back. Ratios near 1 show that this cost is small. Devices with cores
   of their own have the same cost and share the work.

     build/bench/bench_devices [rounds]          (5) one of each row a round, the best of all counts

   Rows: one OpenCL device beside two of the same kind (PoCL: POCL_DEVICES="pthread pthread" is set
   here); the CPU beside the CPU with an OpenCL device, a mixed pair; the CPU beside the
   CPU with a simulated device, whose kernels are the CPU's and wait in a queue; both have one
   thread there, since the simulated device has no more. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#define NN_IMPLEMENTATION
#include "nn_group.h"
#ifdef WITH_OPENCL
#define NN_OPENCL_DYNAMIC
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include <stdio.h>
#include <stdlib.h>

#include "tests/support/sim_device.h"

enum { BATCH = 256, SHARDS = 8, PIXELS = 28 * 28, CLASSES = 10, STEPS = 4, MOST = 8 };

static float pixels[BATCH * PIXELS];
static int32_t labels[BATCH];

static double now(void) { return (double)nn__system_now() * 1e-9; }

/* ---- nets ------------------------------------------------------------------------------------ */

static nn_node *mlp(nn_model *net, nn_node *x) {
    nn_linear_desc layer;
    memset(&layer, 0, sizeof layer);
    layer.out_features = 256;
    x = nn_relu(net, nn_linear(net, "fc1", nn_flatten(net, x), &layer));
    layer.out_features = CLASSES;
    return nn_linear(net, "fc2", x, &layer);
}

static nn_node *cnn(nn_model *net, nn_node *x) {
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    nn_linear_desc layer;
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    memset(&layer, 0, sizeof layer);
    pool.kernel = 2;
    conv.kernel = 3;
    conv.padding = 1;
    for (int i = 0; i < 2; i++) {
        conv.out_channels = 16 << i;
        x = nn_conv2d(net, i ? "conv2" : "conv1", x, &conv);
        x = nn_batch_norm2d(net, i ? "bn2" : "bn1", x, (const nn_batch_norm_desc *)NULL);
        x = nn_max_pool2d(net, nn_relu(net, x), &pool);
    }
    layer.out_features = CLASSES;
    return nn_linear(net, "fc", nn_flatten(net, x), &layer);
}

typedef struct net_kind {
    const char *name;
    nn_node *(*describe)(nn_model *net, nn_node *x);
} net_kind;
static const net_kind kinds[] = {{"784-256-10 MLP", mlp},
                                 {"two convolutions with batch norm", cnn}};

/* ---- one training ---------------------------------------------------------------------------- */

typedef struct run {
    nn_trainer *trainer;
    nn_tensor *images, *labels;
    double best; /* seconds of a step */
} run;

static nn_tensor *filled(nn_context *nn, nn_device device, nn_dtype dtype, nn_shape shape,
                         const void *from) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.device = device;
    desc.dtype = dtype;
    desc.shape = shape;
    nn_tensor *tensor = nn_make_tensor(nn, &desc);
    nn_upload_tensor(tensor, from, (size_t)nn_tensor_bytes(tensor));
    return tensor;
}

static run start(nn_context *nn, const net_kind *kind, const nn_device *devices, int count) {
    nn_model_desc model;
    nn_trainer_desc desc;
    run r;
    memset(&r, 0, sizeof r);
    memset(&model, 0, sizeof model);
    memset(&desc, 0, sizeof desc);
    model.device = devices[0];
    model.seed = 1;
    nn_model *net = nn_make_model(nn, &model);
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *loss = nn_cross_entropy(net, kind->describe(net, image), label,
                                     (const nn_cross_entropy_desc *)NULL);
    desc.batch = BATCH;
    desc.shards = SHARDS;
    desc.optimizer = NN_ADAM;
    if (count > 1) desc.devices = (nn_devices){devices, count};
    r.trainer = nn_make_trainer(net, loss, &desc);
    r.images = filled(nn, devices[0], NN_F32, NN_SHAPE(BATCH, 1, 28, 28), pixels);
    r.labels = filled(nn, devices[0], NN_I32, NN_SHAPE(BATCH), labels);
    nn_bind(nn_trainer_plan(r.trainer), image, r.images);
    nn_bind(nn_trainer_plan(r.trainer), label, r.labels);
    nn_train_on_inputs(r.trainer); /* builds the programs, and prepares everything */
    r.best = 1e9;
    return r;
}

static void measure(run *r) {
    const double begin = now();
    float loss;
    for (int i = 0; i < STEPS; i++) nn_train_on_inputs(r->trainer);
    nn_read_loss(r->trainer, &loss); /* waits */
    const double took = (now() - begin) / STEPS;
    if (took < r->best) r->best = took;
}

/* rows: the devices of each. The others are compared with the first row. */
static void compare(nn_context *nn, const net_kind *kind, const nn_device (*rows)[2],
                    const int *counts, const char *const *names, int count, int rounds) {
    run runs[MOST];
    for (int i = 0; i < count; i++) runs[i] = start(nn, kind, rows[i], counts[i]);
    for (int k = 0; k < rounds && !nn_error(nn); k++)
        for (int i = 0; i < count; i++) measure(&runs[i]);
    if (nn_error(nn)) {
        printf("%s\n", nn_error(nn));
        exit(1);
    }
    for (int i = 0; i < count; i++)
        printf("| %s | %s | %.1f ms | %.2f |\n", kind->name, names[i], runs[i].best * 1e3,
               runs[i].best / runs[0].best);
}

/* ---- the rows -------------------------------------------------------------------------------- */

#ifdef WITH_OPENCL
static void with_opencl(nn_context *nn, int rounds) {
    nn_opencl_open(nn, NULL);
    if (!nn_is_open(nn, nn_opencl(0))) {
        printf("skipped OpenCL: %s\n", nn_error(nn) ? nn_error(nn) : "no device");
        nn_clear_error(nn);
        return;
    }
    nn_clear_error(nn);
    const nn_device zero = nn_opencl(0), one = nn_opencl(1);
    const nn_device pair[][2] = {{zero, zero}, {zero, one}};
    const nn_device mixed[][2] = {
        {nn_cpu(), zero}, {zero, zero}, {nn_cpu(), zero}, {zero, nn_cpu()}};
    static const int one_and_two[] = {1, 2}, four[] = {1, 1, 2, 2};
    static const char *const pairs[] = {"opencl:0", "opencl:0, opencl:1"};
    static const char *const mixes[] = {"cpu", "opencl:0", "cpu, opencl:0", "opencl:0, cpu"};
    for (int k = 0; k < 2; k++) {
        if (nn_is_open(nn, one)) compare(nn, &kinds[k], pair, one_and_two, pairs, 2, rounds);
        compare(nn, &kinds[k], mixed, four, mixes, 4, rounds);
    }
}
#endif

static int with_simulated(int rounds) {
    static const int one_and_two[] = {1, 2};
    static const char *const names[] = {"cpu, 1 thread", "cpu and simulated, 1 thread"};
    nn_desc one;
    sim_desc desc;
    nn_device device;
    memset(&one, 0, sizeof one);
    memset(&desc, 0, sizeof desc);
    one.threads = 1;
    desc.asynchronous = true;
    nn_context *nn = nn_open(&one);
    sim_device *sim = sim_open(nn, &desc, &device);
    const nn_device rows[][2] = {{nn_cpu(), nn_cpu()}, {nn_cpu(), device}};
    for (int k = 0; k < 2; k++) compare(nn, &kinds[k], rows, one_and_two, names, 2, rounds);
    nn_close(nn);
    return sim_free(sim);
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 5;
    int violations;
#ifndef _WIN32
    setenv("POCL_DEVICES", "pthread pthread", 0); /* read when the first context asks */
#endif
    for (int i = 0; i < BATCH; i++) {
        labels[i] = i % CLASSES;
        for (int k = 0; k < PIXELS; k++) pixels[i * PIXELS + k] = (float)(i * k % 17) / 17.0f;
    }
    printf("| net | devices | a step of %d samples | beside the first |\n|---|---|---|---|\n",
           BATCH);
    violations = with_simulated(rounds);
#ifdef WITH_OPENCL
    nn_context *nn = nn_open(NULL);
    with_opencl(nn, rounds);
    nn_close(nn);
#endif
    return violations != 0;
}
