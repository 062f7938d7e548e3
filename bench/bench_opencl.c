/* bench/bench_opencl.c - measures the CPU backend and every open OpenCL device, which take turns.

     bench_opencl [seconds [work]]         default: 0.3 s for each number, all; work: part of a name
     bench_opencl --first index folder     one number, ms: what a user of opencl:index waits for
     bench_opencl --profile work [folder]  the kernels of a training step on opencl:0 (W1 to W4, field,
                                           resnet18), by the times that its queue records; folder:
                                           a cache_folder, which then holds what the driver compiled
     bench_opencl --tune [seconds]         nn_opencl_tune of the usual shapes on opencl:0: its table
     bench_opencl --tiles shape...         us of every tile on opencl:0, the first as it is judged. gemm:m,n,k,t
   (t 0: y = x w^T, 1: x w, 2: x^T w); conv:images,channels,outputs,
                                           places,taps,stride,t (t 0: forward, 1: dx, 2: dw)

   gemm         y (n, n) = a (n, k) b (k, n), immediate; GFLOP/s beside the time; CLBlast alone
                below it, where it is installed; from 2048 on not on the CPU
   linear       linear layers (batch x outputs x inputs): forward, dx, dw, immediate
   conv         the convolutions of W1 and W2 (bench_w1_w5.c) and depthwise ones: forward, dx, dw
                with dbias
   W1 to W4     training steps with Adam and inputs bound on the device (of W4 also 16 in one call,
                from a loader whose data are on the device); the queue is finished
                after every sample of 4 steps (W4: 50; where a GPU is open: 50)
   small        the same of 16-64-64-16 with losses and an activation that are many kernels, SGD: as
                the plan has them, and each step apart
   resnet18     the same of ResNet-18 on 64 pictures of 3x32x32, SGD with momentum, on GPUs alone
   field        the same of 65,536 samples through 6 linear layers, 64 wide (a radiance cache, which
                learns in a game's frame: examples/27_frames.c), with Adam; and that net's inference
   --first      from nn_opencl_open to the end of the first step of W1, with this cache_folder (-
                for none); bench/opencl.sh runs it in processes and folders of its own, the driver's
                cache included

   NN_KERNEL_FILE: a kernels.cl to use instead of the text inside (--first ignores it). BENCH_NO_CPU=1:
   the CPU backend takes no turns.

   Values are median microseconds; after an OpenCL device's, how many times as long as the CPU
   backend it takes. OpenCL's library is loaded at run time, so that `make bench` needs no
   option. */
#ifndef NN_OPENCL_DYNAMIC
#define NN_OPENCL_DYNAMIC
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <stdio.h>
#include <stdlib.h>

#define main resnet_main
#include "../examples/15_resnet.c"
#undef main

enum { MOST_DEVICES = 9, MOST_SAMPLES = 1000, BATCH = 64 };

static double seconds = 0.3;
static const char *only = "";
static nn_device devices[MOST_DEVICES];
static int device_count;
static bool any_gpu;

static double now_us(void) { /* the library's own clock, so that this program needs no POSIX */
    static nn_clock clock;
    if (!clock.now) nn__clock_init(&clock);
    return (double)nn__now(&clock) / 1000;
}

static int compare_samples(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

typedef nn_result (*work_function)(void *state);

/* A GPU's kernels take less time than a wait, so there is one wait for many calls. */
static int calls_each(void) { return any_gpu ? 20 : 1; }

static bool wanted(const char *name) { return strstr(name, only) != NULL; }

/* Measures one sample: `inner` calls and a finish; -1: a call failed. */
static double sample(nn_context *nn, work_function work, void *state, int inner) {
    double before = now_us();
    for (int i = 0; i < inner; i++)
        if (work(state) != NN_OK) return -1;
    return nn_finish(nn) == NN_OK ? (now_us() - before) / inner : -1;
}

/* Measures and prints one row: the medians of all devices, which take turns. For each device after
   the first, the row says how many times as long as the first it takes. states: one for each
   device, NULL: none there. flops: of one call, for GFLOP/s; 0: none. */
static void measure_row(nn_context *nn, const char *name, work_function work, void *const *states,
                        int inner, double flops) {
    static double samples[MOST_DEVICES][MOST_SAMPLES];
    bool well[MOST_DEVICES];
    double end, us[MOST_DEVICES];
    int count = 0;
    for (int i = 0; i < device_count; i++) { /* the first builds programs */
        well[i] = states[i] && (i > 0 || !getenv("BENCH_NO_CPU"));
        well[i] = well[i] && sample(nn, work, states[i], inner) >= 0;
        well[i] = well[i] && sample(nn, work, states[i], inner) >= 0;
    }
    end = now_us() + seconds * 1e6 * device_count;
    while (count < MOST_SAMPLES && (count < 3 || now_us() < end)) {
        for (int i = 0; i < device_count; i++) {
            samples[i][count] = well[i] ? sample(nn, work, states[i], inner) : -1;
            well[i] = samples[i][count] >= 0;
        }
        count++;
    }
    printf("%-28s", name);
    for (int i = 0; i < device_count; i++) {
        qsort(samples[i], (size_t)count, sizeof samples[i][0], compare_samples);
        us[i] = samples[i][count / 2];
        if (!well[i]) printf("  %21s", nn_error(nn) ? "failed" : "-");
        else if (flops > 0) printf("  %11.1f (%7.2f)", us[i], flops / us[i] / 1000);
        else printf("  %11.1f          ", us[i]);
        if (i > 0 && well[i] && well[0]) printf(" x%.2f", us[i] / us[0]);
    }
    printf("\n");
    if (nn_error(nn)) printf("  %s\n", nn_error(nn));
    nn_clear_error(nn);
    fflush(stdout);
}

static nn_tensor *filled(nn_context *nn, nn_device device, nn_shape shape) {
    nn_tensor *tensor = nn_make_tensor(nn, &(nn_tensor_desc){.shape = shape, .device = device});
    int64_t count = nn_shape_count(shape);
    float *values = count > 0 ? (float *)malloc((size_t)count * sizeof(float)) : NULL;
    uint32_t words[4];
    for (int64_t i = 0; i < count && values; i++) {
        nn_random_words(1, 0, (uint64_t)i, words);
        values[i] = nn_word_to_uniform(words[0]) - 0.5f;
    }
    if (values) nn_upload_tensor(tensor, values, (size_t)count * sizeof(float));
    free(values);
    return tensor;
}

/* ---- products and convolutions --------------------------------------------------------------- */

typedef struct operands {
    nn_tensor *x, *weight, *bias, *y, *dx, *dweight, *dbias;
    nn_conv2d_desc conv;
} operands;

static void free_operands(operands *o) {
    nn_tensor *all[] = {o->x, o->weight, o->bias, o->y, o->dx, o->dweight, o->dbias};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) nn_free_tensor(all[i]);
}

static nn_result linear_forward(void *state) {
    operands *o = (operands *)state;
    return nn_linear_forward(o->y, o->x, o->weight, NULL);
}
static nn_result linear_dx(void *state) {
    operands *o = (operands *)state;
    return nn_linear_backward(o->dx, NULL, NULL, o->y, o->x, o->weight, false);
}
static nn_result linear_dweight(void *state) {
    operands *o = (operands *)state;
    return nn_linear_backward(NULL, o->dweight, NULL, o->y, o->x, o->weight, false);
}
static nn_result conv_forward(void *state) {
    operands *o = (operands *)state;
    return nn_conv2d_forward(o->y, o->x, o->weight, o->bias, &o->conv);
}
static nn_result conv_dx(void *state) {
    operands *o = (operands *)state;
    return nn_conv2d_backward(o->dx, NULL, NULL, o->y, o->x, o->weight, &o->conv, false);
}
static nn_result conv_dweight(void *state) {
    operands *o = (operands *)state;
    return nn_conv2d_backward(NULL, o->dweight, o->dbias, o->y, o->x, o->weight, &o->conv, false);
}

/* Prints the rows of forward, dx and dweight (with dbias). o[i] has the operands on device i, which
   are then freed. */
static void measure_three(nn_context *nn, const char *name, const work_function *works,
                          operands *o, double flops) {
    static const char *const ends[] = {"fwd", "dx", "dw"};
    for (int way = 0; way < 3; way++) {
        void *states[MOST_DEVICES];
        char row[80];
        snprintf(row, sizeof row, "%s %s", name, ends[way]);
        for (int i = 0; i < device_count; i++) states[i] = &o[i];
        if (works[way] && wanted(row)) measure_row(nn, row, works[way], states, calls_each(), flops);
    }
    for (int i = 0; i < device_count; i++) free_operands(&o[i]);
}

/* Measures the same products with CLBlast alone; -1: it is not installed. */
static nn_result clblast_forward(void *state) {
    nn_gemm_args *args = (nn_gemm_args *)state;
    return nn__opencl_blas_gemm((nn__opencl *)args->scratch.handle, args);
}

/* Prepares a product by CLBlast alone. False: CLBlast is not there. */
static bool make_clblast(nn_context *nn, nn_device device, int n, nn_gemm_args *args, operands *o) {
    void *state = NULL;
    nn__opencl *opencl;
    bool cpu;
    nn_device_backend(nn, device, &state);
    opencl = (nn__opencl *)state;
    cpu = opencl->cpu;
    opencl->cpu = false; /* on a CPU the library would not look for CLBlast */
    nn__opencl_blas_open(opencl);
    opencl->cpu = cpu;
    if (!opencl->blas) return false;
    memset(args, 0, sizeof *args);
    args->m = args->n = args->k = n;
    args->transpose_b = true; /* as in a linear layer */
    args->a = nn_tensor_view(o->x);
    args->b = nn_tensor_view(o->weight);
    args->y = nn_tensor_view(o->y);
    args->scratch.handle = opencl;
    return true;
}

static void bench_gemm(nn_context *nn) {
    static const int sizes[] = {256, 384, 512, 768, 1024, 2048, 4096};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        int n = sizes[s];
        operands o[MOST_DEVICES];
        nn_gemm_args args[MOST_DEVICES];
        void *states[MOST_DEVICES], *blas[MOST_DEVICES];
        char name[40];
        snprintf(name, sizeof name, "gemm %d", n);
        if (!wanted(name) || (n > 1024 && !any_gpu)) continue;
        memset(o, 0, sizeof o);
        for (int i = 0; i < device_count; i++) {
            states[i] = blas[i] = NULL;
            if (n > 1024 && i == 0) continue;
            o[i].x = filled(nn, devices[i], NN_SHAPE(n, n));
            o[i].weight = filled(nn, devices[i], NN_SHAPE(n, n));
            o[i].y = filled(nn, devices[i], NN_SHAPE(n, n));
            states[i] = &o[i];
            blas[i] = i && make_clblast(nn, devices[i], n, &args[i], &o[i]) ? &args[i] : NULL;
        }
        measure_row(nn, name, linear_forward, states, calls_each(), 2.0 * n * n * n);
        strcat(name, ", CLBlast alone");
        measure_row(nn, name, clblast_forward, blas, calls_each(), 2.0 * n * n * n);
        for (int i = 0; i < device_count; i++) free_operands(&o[i]);
    }
}

static void bench_linear(nn_context *nn) {
    static const work_function works[] = {linear_forward, linear_dx, linear_dweight};
    static const int shapes[][3] = {{64, 128, 12544}, {64, 10, 16384}, {1, 4096, 4096},
                                    {1, 1000, 512},   {64, 256, 784},  {64, 128, 256},
                                    {64, 10, 128},    {512, 512, 512}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const int m = shapes[s][0], n = shapes[s][1], k = shapes[s][2];
        operands o[MOST_DEVICES];
        char name[64];
        snprintf(name, sizeof name, "linear %dx%dx%d", m, n, k);
        if (!strstr(only, "linear") && !wanted(name)) continue;
        memset(o, 0, sizeof o);
        for (int i = 0; i < device_count; i++) {
            o[i].x = filled(nn, devices[i], NN_SHAPE(m, k));
            o[i].weight = filled(nn, devices[i], NN_SHAPE(n, k));
            o[i].y = filled(nn, devices[i], NN_SHAPE(m, n));
            o[i].dx = filled(nn, devices[i], NN_SHAPE(m, k));
            o[i].dweight = filled(nn, devices[i], NN_SHAPE(n, k));
        }
        measure_three(nn, name, works, o, 2.0 * m * n * k);
    }
}

static void bench_conv(nn_context *nn) {
    static const work_function works[] = {conv_forward, conv_dx, conv_dweight};
    static const struct shape {
        const char *name;
        int batch, C, side, K, kernel, stride, groups;
    } shapes[] = {{"conv W1   3x64 k16", BATCH, 3, 64, 16, 3, 1, 1},
                  {"conv W2.1 1x28 k32", BATCH, 1, 28, 32, 3, 1, 1},
                  {"conv W2.2 32x28 k64", BATCH, 32, 28, 64, 3, 1, 1},
                  {"conv depth 96x28", 8, 96, 28, 96, 3, 1, 96},
                  {"conv depth 96x56 s2", 8, 96, 56, 96, 3, 2, 96},
                  {"conv depth 192x14 5x5", 8, 192, 14, 192, 5, 1, 192}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const struct shape *h = &shapes[s];
        const int out = (h->side - 1) / h->stride + 1;
        operands o[MOST_DEVICES];
        if (!strstr(only, "conv") && !wanted(h->name)) continue;
        memset(o, 0, sizeof o);
        for (int i = 0; i < device_count; i++) {
            o[i].conv.out_channels = h->K;
            o[i].conv.kernel = h->kernel;
            o[i].conv.stride = h->stride;
            o[i].conv.padding = h->kernel / 2;
            o[i].conv.groups = h->groups;
            o[i].x = filled(nn, devices[i], NN_SHAPE(h->batch, h->C, h->side, h->side));
            o[i].weight =
                filled(nn, devices[i], NN_SHAPE(h->K, h->C / h->groups, h->kernel, h->kernel));
            o[i].bias = filled(nn, devices[i], NN_SHAPE(h->K));
            o[i].y = filled(nn, devices[i], NN_SHAPE(h->batch, h->K, out, out));
            o[i].dx = filled(nn, devices[i], NN_SHAPE(h->batch, h->C, h->side, h->side));
            o[i].dweight =
                filled(nn, devices[i], NN_SHAPE(h->K, h->C / h->groups, h->kernel, h->kernel));
            o[i].dbias = filled(nn, devices[i], NN_SHAPE(h->K));
        }
        measure_three(nn, h->name, works, o,
                      2.0 * h->batch * h->K * out * out * (h->C / h->groups) * h->kernel *
                          h->kernel);
    }
}

/* ---- training -------------------------------------------------------------------------------- */

typedef enum net_kind { NET_W1, NET_W2, NET_W3, NET_W4, NET_RESNET18, NET_COUNT } net_kind;
static const char *const net_names[] = {"W1 train", "W2 train", "W3 train", "W4 train",
                                        "resnet18 train"};

static nn_trainer *make_trainer(nn_context *nn, nn_device device, net_kind kind) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 1, .device = device});
    nn_shape shapes[] = {NN_SHAPE(NN_BATCH, 3, 64, 64), NN_SHAPE(NN_BATCH, 1, 28, 28),
                         NN_SHAPE(NN_BATCH, 784), NN_SHAPE(NN_BATCH, 4),
                         NN_SHAPE(NN_BATCH, 3, 32, 32)};
    const int batch = kind == NET_W4 ? 32 : BATCH, classes = kind == NET_W4 ? 2 : 10;
    nn_node *x, *image = nn_input(net, "image", NN_F32, shapes[kind]),
                *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_trainer *trainer;
    nn_shape shape = shapes[kind];
    nn_tensor *labels = nn_make_tensor(
        nn, &(nn_tensor_desc){.shape = NN_SHAPE(batch), .dtype = NN_I32, .device = device});
    int32_t numbers[BATCH];
    x = image;
    if (kind == NET_RESNET18) {
        x = resnet18(net, x, &(resnet_desc){.classes = classes, .width = 64, .cifar = true});
    } else if (kind >= NET_W3) {
        const int wide = kind == NET_W4 ? 64 : 256, next = kind == NET_W4 ? 64 : 128;
        x = nn_relu(net, nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = wide}));
        x = nn_relu(net, nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = next}));
    } else {
        x = nn_relu(net, nn_conv2d(net, "conv1", x,
                                   &(nn_conv2d_desc){.out_channels = kind == NET_W1 ? 16 : 32,
                                                     .kernel = 3,
                                                     .padding = 1}));
        if (kind == NET_W2)
            x = nn_relu(
                net, nn_conv2d(net, "conv2", x,
                               &(nn_conv2d_desc){.out_channels = 64, .kernel = 3, .padding = 1}));
        x = nn_flatten(net, nn_max_pool2d(net, x, &(nn_pool2d_desc){.kernel = 2}));
        if (kind == NET_W2)
            x = nn_relu(net, nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = 128}));
    }
    if (kind != NET_RESNET18)
        x = nn_linear(net, "last", x, &(nn_linear_desc){.out_features = classes});
    trainer = nn_make_trainer(net, nn_cross_entropy(net, x, label, NULL),
                              &(nn_trainer_desc){.batch = batch,
                                                 .optimizer = kind == NET_RESNET18 ? NN_SGD : NN_ADAM,
                                                 .momentum = kind == NET_RESNET18 ? 0.9f : 0,
                                                 .learning_rate = 1e-4f});
    shape.extent[0] = batch;
    for (int i = 0; i < batch; i++) numbers[i] = i % classes;
    nn_upload_tensor(labels, numbers, (size_t)batch * sizeof numbers[0]);
    if (trainer) {
        nn_bind(nn_trainer_plan(trainer), image, filled(nn, device, shape));
        nn_bind(nn_trainer_plan(trainer), label, labels);
    }
    return trainer;
}

static nn_result train_once(void *trainer) { return nn_train_on_inputs((nn_trainer *)trainer); }

/* 16 steps of W4 in one call, of batches that the device gathered at once. */
typedef struct some_steps {
    nn_trainer *trainer;
    nn_loader *loader;
} some_steps;

static nn_result train_some(void *user) {
    some_steps *some = (some_steps *)user;
    const nn_result result = nn_train_steps(some->trainer, some->loader, 16, NULL);
    return result == NN_END ? nn_train_steps(some->trainer, some->loader, 16, NULL) : result;
}

static void bench_some_steps(nn_context *nn) {
    enum { COUNT = 32 * 16 * 64 };
    static float images[COUNT * 4];
    static int32_t labels[COUNT];
    some_steps some[MOST_DEVICES];
    void *users[MOST_DEVICES];
    if (!wanted("W4 train, 16 steps")) return;
    for (int i = 0; i < COUNT; i++) labels[i] = i % 2, images[4 * i] = (float)(i % 2);
    nn_dataset *set = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = COUNT,
                .fields = NN_FIELDS({.name = "image", .shape = NN_SHAPE(4), .data = images},
                                    {.name = "label", .dtype = NN_I32, .data = labels})});
    for (int i = 0; i < device_count; i++) {
        some[i].trainer = make_trainer(nn, devices[i], NET_W4);
        some[i].loader = nn_make_loader(
            nn, &(nn_loader_desc){.dataset = set, .batch = 32, .shuffle = true,
                                  .device = devices[i], .on_device = true, .prefetch = 16});
        users[i] = &some[i];
    }
    measure_row(nn, "W4 train, 16 steps", train_some, users, any_gpu ? 50 : 4, 0);
    for (int i = 0; i < device_count; i++) {
        nn_free_trainer(some[i].trainer);
        nn_free_loader(some[i].loader);
    }
}

static void bench_training(nn_context *nn) {
    for (int kind = 0; kind < NET_COUNT; kind++) {
        void *trainers[MOST_DEVICES];
        if (!wanted(net_names[kind]) || (kind == NET_RESNET18 && !any_gpu)) continue;
        for (int i = 0; i < device_count; i++)
            trainers[i] = i == 0 && kind == NET_RESNET18 ? NULL
                                                         : make_trainer(nn, devices[i], (net_kind)kind);
        measure_row(nn, net_names[kind], train_once, trainers, kind == NET_W4 || any_gpu ? 50 : 4, 0);
        for (int i = 0; i < device_count; i++) nn_free_trainer((nn_trainer *)trainers[i]);
    }
    bench_some_steps(nn);
}

/* ---- losses that are many kernels ------------------------------------------------------------ */

enum { SMALL_BATCH = 32, SMALL_IN = 16, SMALL_WIDE = 64, SMALL_OUT = 16 };
static const char *const small_names[] = {"triplet", "multi_margin", "cosine", "glu"};

/* Every input is filled with ones, which are labels, targets and numbers alike. */
static nn_node *small_given(nn_model *net, const char *name, nn_dtype dtype, bool rows) {
    return nn_input(net, name, dtype, rows ? NN_SHAPE(NN_BATCH) : NN_SHAPE(NN_BATCH, SMALL_OUT));
}

static nn_trainer *make_small(nn_context *nn, nn_device device, int which, bool apart) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 1, .device = device});
    nn_node *in[3] = {nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, SMALL_IN))}, *loss;
    nn_node *y = nn_linear(net, "fc1", in[0], &(nn_linear_desc){.out_features = SMALL_WIDE});
    y = which == 3 ? nn_glu(net, nn_linear(net, "gate", y,
                                           &(nn_linear_desc){.out_features = 2 * SMALL_WIDE}), -1)
                   : nn_relu(net, y);
    y = nn_relu(net, nn_linear(net, "fc2", y, &(nn_linear_desc){.out_features = SMALL_WIDE}));
    y = nn_linear(net, "last", y, &(nn_linear_desc){.out_features = SMALL_OUT});
    in[1] = small_given(net, "target", which == 1 ? NN_I32 : NN_F32, which == 1 || which == 2);
    if (which == 0 || which == 2) in[2] = small_given(net, "other", NN_F32, false);
    loss = which == 0   ? nn_triplet_margin_loss(net, y, in[1], in[2], NULL)
           : which == 1 ? nn_multi_margin_loss(net, y, in[1], NULL)
           : which == 2 ? nn_cosine_embedding_loss(net, y, in[2], in[1], NULL)
                        : nn_mse_loss(net, y, in[1], NULL);
    nn_trainer *trainer =
        nn_make_trainer(net, loss, &(nn_trainer_desc){.batch = SMALL_BATCH, .optimizer = NN_SGD,
                                                      .learning_rate = 1e-4f,
                                                      .separate_steps = apart});
    for (int i = 0; trainer && i < 3 && in[i]; i++) {
        static float ones[SMALL_BATCH * SMALL_OUT];
        static int32_t labels[SMALL_BATCH];
        for (int k = 0; k < SMALL_BATCH * SMALL_OUT; k++) ones[k] = 1;
        for (int k = 0; k < SMALL_BATCH; k++) labels[k] = 1;
        const bool rows = i == 1 && (which == 1 || which == 2);
        nn_upload(nn_trainer_plan(trainer), in[i], i == 1 && which == 1 ? (void *)labels : ones,
                  sizeof(float) * SMALL_BATCH * (rows ? 1 : SMALL_OUT));
    }
    return trainer;
}

static void bench_small(nn_context *nn) {
    for (int which = 0; which < 4; which++)
        for (int apart = 0; apart < 2; apart++) {
            void *trainers[MOST_DEVICES];
            char name[48];
            snprintf(name, sizeof name, "small train, %s%s", small_names[which],
                     apart ? ", apart" : "");
            if (!wanted(name)) continue;
            for (int i = 0; i < device_count; i++)
                trainers[i] = make_small(nn, devices[i], which, apart);
            measure_row(nn, name, train_once, trainers, any_gpu ? 50 : 4, 0);
            for (int i = 0; i < device_count; i++) nn_free_trainer((nn_trainer *)trainers[i]);
        }
}

/* 64-64-64-64-64-64-3 with relu between the layers, as radiance fields with an encoded position
   use. */
enum { FIELD_BATCH = 65536, FIELD_WIDTH = 64, FIELD_LAYERS = 6, FIELD_OUT = 3 };

typedef struct field {
    nn_model *net;
    nn_node *at, *value;
} field;

static field make_field(nn_context *nn, nn_device device) {
    field f;
    f.net = nn_make_model(nn, &(nn_model_desc){.seed = 1, .device = device});
    f.at = f.value = nn_input(f.net, "at", NN_F32, NN_SHAPE(NN_BATCH, FIELD_WIDTH));
    for (int i = 0; i < FIELD_LAYERS; i++) {
        char name[16];
        const bool last = i == FIELD_LAYERS - 1;
        snprintf(name, sizeof name, "fc%d", i + 1);
        f.value = nn_linear(f.net, name, f.value,
                            &(nn_linear_desc){.out_features = last ? FIELD_OUT : FIELD_WIDTH});
        if (!last) f.value = nn_relu(f.net, f.value);
    }
    return f;
}

/* Makes a trainer with bound inputs. made: receives the net; may be NULL. */
static nn_trainer *make_field_trainer(nn_context *nn, nn_device device, field *made) {
    field f = make_field(nn, device);
    nn_node *target = nn_input(f.net, "wanted", NN_F32, NN_SHAPE(NN_BATCH, FIELD_OUT));
    nn_trainer *trainer = nn_make_trainer(
        f.net, nn_mse_loss(f.net, f.value, target, NULL),
        &(nn_trainer_desc){.batch = FIELD_BATCH, .optimizer = NN_ADAM, .learning_rate = 1e-3f});
    if (made) *made = f;
    if (!trainer) return NULL;
    nn_bind(nn_trainer_plan(trainer), f.at, filled(nn, device, NN_SHAPE(FIELD_BATCH, FIELD_WIDTH)));
    nn_bind(nn_trainer_plan(trainer), target,
            filled(nn, device, NN_SHAPE(FIELD_BATCH, FIELD_OUT)));
    return trainer;
}

static nn_result run_once(void *plan) { return nn_run((nn_plan *)plan); }

static void bench_field(nn_context *nn) {
    const double flops =
        2.0 * FIELD_BATCH * FIELD_WIDTH * ((FIELD_LAYERS - 1) * FIELD_WIDTH + FIELD_OUT);
    void *trainers[MOST_DEVICES], *plans[MOST_DEVICES];
    field f[MOST_DEVICES];
    if (!wanted("field train") && !wanted("field infer")) return;
    for (int i = 0; i < device_count; i++) {
        trainers[i] = make_field_trainer(nn, devices[i], &f[i]);
        plans[i] = nn_make_plan(
            f[i].net, &(nn_plan_desc){.outputs = NN_NODES(f[i].value), .batch = FIELD_BATCH});
        nn_bind((nn_plan *)plans[i], f[i].at,
                filled(nn, devices[i], NN_SHAPE(FIELD_BATCH, FIELD_WIDTH)));
    }
    measure_row(nn, "field train 65536", train_once, trainers, any_gpu ? 10 : 1, 3 * flops);
    measure_row(nn, "field infer 65536", run_once, plans, any_gpu ? 10 : 1, flops);
    for (int i = 0; i < device_count; i++) {
        nn_free_plan((nn_plan *)plans[i]);
        nn_free_trainer((nn_trainer *)trainers[i]);
        nn_free_model(f[i].net);
    }
}

/* ---- the first step -------------------------------------------------------------------------- */

/* Returns the whole time that a user waits (opening, trainer, first step), and the part of the
   opening. */
static double first_step(nn_device device, const char *folder, double *opening) {
    nn_context *nn = nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}});
    double start = now_us(), us = -1;
    nn_trainer *trainer;
    *opening = 0;
    if (nn_opencl_open(nn, &(nn_opencl_desc){.cache_folder = folder}) == NN_OK) {
        *opening = now_us() - start;
        trainer = make_trainer(nn, device, NET_W1);
        if (trainer && nn_train_on_inputs(trainer) == NN_OK && nn_finish(nn) == NN_OK)
            us = now_us() - start;
    }
    nn_close(nn);
    return us;
}

static int bench_first_step(int index, const char *folder) {
    double opening,
        us = first_step(nn_opencl(index), strcmp(folder, "-") == 0 ? "" : folder, &opening);
    if (us < 0) return 1;
    printf("%.1f ms, of it %.1f nn_opencl_open\n", us / 1000, opening / 1000);
    return 0;
}

/* Prints the kernels of one training step, by the times that the queue of opencl:0 records. */
static int bench_profile(const char *work, const char *folder) {
    nn_context *nn =
        nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}, .scratch_bytes = (size_t)256 << 20});
    nn_opencl_desc with_times = {
        .cache_folder = folder, .profile = true, .kernel_file = getenv("NN_KERNEL_FILE")};
    nn_result result = nn ? nn_opencl_open(nn, &with_times) : NN_ERROR_MEMORY;
    for (int kind = 0; kind <= NET_COUNT && result == NN_OK; kind++) {
        const char *name = kind == NET_COUNT ? "field train" : net_names[kind];
        nn_trainer *trainer;
        nn_plan *plan;
        if (!strstr(name, work)) continue;
        trainer = kind == NET_COUNT ? make_field_trainer(nn, nn_opencl(0), NULL)
                                    : make_trainer(nn, nn_opencl(0), (net_kind)kind);
        plan = trainer ? nn_trainer_plan(trainer) : NULL;
        for (int i = 0; i < 10 && plan && result == NN_OK; i++)
            result = nn_train_on_inputs(trainer);
        if (plan && result == NN_OK) result = nn_start_profile(plan);
        for (int i = 0; i < 50 && plan && result == NN_OK; i++)
            result = nn_train_on_inputs(trainer);
        printf("# %s\n", name);
        if (plan && result == NN_OK) nn_write_profile(plan, (nn_writer){nn_write_stdout, NULL});
        nn_free_trainer(trainer);
    }
    if (nn) nn_close(nn);
    return result == NN_OK ? 0 : 1;
}

static int bench_tune(double limit) {
    nn_context *nn = nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}});
    nn_result result =
        nn ? nn_opencl_open(nn, &(nn_opencl_desc){.cache_folder = ""}) : NN_ERROR_MEMORY;
    if (result == NN_OK)
        result = nn_opencl_tune(nn, nn_opencl(0), &(nn_opencl_tune_desc){.seconds = limit}, NULL);
    if (result == NN_OK) nn_opencl_write_tuning(nn, nn_opencl(0), (nn_writer){nn_write_stdout, NULL});
    if (nn) nn_close(nn);
    return result == NN_OK ? 0 : 1;
}

/* ---- all tiles of a shape -------------------------------------------------------------------- */

/* Reads a shape. False: the text is not one. */
static bool tile_shape(const char *text, nn__opencl_shape *shape) {
    static const nn_kernel kernels[] = {NN_KERNEL_CONV2D_FORWARD, NN_KERNEL_CONV2D_BACKWARD_INPUT,
                                        NN_KERNEL_CONV2D_BACKWARD_WEIGHT};
    int v[7];
    if (sscanf(text, "gemm:%d,%d,%d,%d", v, v + 1, v + 2, v + 3) == 4) {
        nn_gemm_args g;
        memset(&g, 0, sizeof g);
        g.m = v[0], g.n = v[1], g.k = v[2];
        g.transpose_b = v[3] == 0, g.transpose_a = v[3] == 2;
        g.a.dtype = g.b.dtype = NN_F32;
        return nn__opencl_shape_of(NN_KERNEL_GEMM, &g, shape);
    }
    if (sscanf(text, "conv:%d,%d,%d,%d,%d,%d,%d", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6) != 7 ||
        v[6] < 0 || v[6] > 2)
        return false;
    const int out = (v[3] + v[4] / 2 * 2 - v[4]) / v[5] + 1;
    nn_conv2d_args c;
    memset(&c, 0, sizeof c);
    c.x.shape = NN_SHAPE(v[0], v[1], v[3], v[3]), c.y.shape = NN_SHAPE(v[0], v[2], out, out);
    c.weight.dtype = NN_F32;
    c.params.kernel_h = c.params.kernel_w = v[4], c.params.stride_h = c.params.stride_w = v[5];
    c.params.padding_h = c.params.padding_w = v[4] / 2;
    c.params.dilation_h = c.params.dilation_w = c.params.groups = 1;
    return nn__opencl_shape_of(kernels[v[6]], &c, shape);
}

static int bench_tiles(char **shapes, int count) {
    nn_context *nn = nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}});
    void *state = NULL;
    if (!nn || nn_opencl_open(nn, &(nn_opencl_desc){.cache_folder = ""}) != NN_OK) return 1;
    nn_device_backend(nn, nn_opencl(0), &state);
    for (int i = 0; i < count; i++) {
        static nn__opencl_tuner tuner;
        nn__opencl_entry entry;
        nn__opencl_shape shape;
        int names = 0;
        memset(&tuner, 0, sizeof tuner);
        tuner.device = (nn__opencl *)state;
        if (!tile_shape(shapes[i], &shape) ||
            nn__opencl_tune_shape(&tuner, &shape, &entry) != NN_OK) {
            printf("%s: no such shape here\n", shapes[i]);
            continue;
        }
        const char *const *name = nn__opencl_tile_names(shape.kernel, &names);
        for (int t = 0; t < tuner.count; t++)
            if (tuner.time[t]) /* 0: it has no time */
                printf("%s  %-14s %3d sums %9.1f us%s\n", shapes[i],
                       name[tuner.taken[t].tile] ? name[tuner.taken[t].tile] : "its own",
                       (int)tuner.taken[t].splits, (double)tuner.time[t] / 1000,
                       t ? "" : ", judged");
    }
    nn_close(nn);
    return 0;
}

int main(int argc, char **argv) {
    nn_context *nn =
        nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}, .scratch_bytes = (size_t)256 << 20});
    nn_opencl_info info;
    if (argc == 4 && strcmp(argv[1], "--first") == 0) {
        nn_close(nn);
        return bench_first_step(atoi(argv[2]), argv[3]);
    }
    if (argc >= 3 && strcmp(argv[1], "--profile") == 0) {
        nn_close(nn);
        return bench_profile(argv[2], argc > 3 ? argv[3] : "");
    }
    if (argc >= 2 && strcmp(argv[1], "--tune") == 0) {
        nn_close(nn);
        return bench_tune(argc > 2 ? atof(argv[2]) : 0);
    }
    if (argc >= 2 && strcmp(argv[1], "--tiles") == 0) {
        nn_close(nn);
        return bench_tiles(argv + 2, argc - 2);
    }
    if (argc > 1) seconds = atof(argv[1]);
    if (argc > 2) only = argv[2];
    if (!nn) return 1;
    devices[device_count++] = nn_cpu();
    if (nn_opencl_open(nn, &(nn_opencl_desc){.cache_folder = "",
                                             .kernel_file = getenv("NN_KERNEL_FILE")}) != NN_OK)
        printf("no OpenCL device here: the CPU alone\n");
    for (int i = 1; i < nn_device_count(nn) && device_count < MOST_DEVICES; i++)
        devices[device_count++] = nn_device_at(nn, i);
    for (int i = 1; i < device_count; i++)
        any_gpu = any_gpu || nn__find_device(nn, devices[i])->limits.gpu;
    printf("# nn.h %s; cpu: %s, %d threads\n", NN_VERSION, nn_instruction_set_name(nn),
           nn_thread_count(nn));
    for (int i = 1; i < device_count; i++)
        if (nn_opencl_describe(nn, devices[i], &info))
            printf("# opencl:%d: %s (%s, driver %s, %u units)\n", devices[i].index, info.name,
                   info.platform, info.driver, info.compute_units);
    printf("%-28s", "us (GFLOP/s)");
    for (int i = 0; i < device_count; i++) {
        char name[32];
        printf("  %11s          ", nn_format_device(devices[i], name, sizeof name));
    }
    printf("\n");
    bench_gemm(nn);
    bench_linear(nn);
    bench_conv(nn);
    bench_training(nn);
    bench_small(nn);
    bench_field(nn);
    nn_close(nn);
    return 0;
}
