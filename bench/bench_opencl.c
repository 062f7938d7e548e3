/* bench/bench_opencl.c - the CPU backend and every open OpenCL device beside each other.

     bench_opencl [seconds [work]]         default: 0.3 s for each number, all
     bench_opencl --first index folder     one number, ms: what a user of opencl:index waits for

   gemm         y (n, n) = a (n, k) b (k, n), immediate; GFLOP/s beside the time; CLBlast alone
                below it, where it is installed
   conv         the convolutions of W1 and W2 (bench_w1_w5.c): forward, and backward (dx, dweight,
                dbias) together
   W1 W2 W3     training steps, inputs bound where the device is; the queue is finished after every
   sample of 4 steps
   field        the same of 65,536 samples through 6 linear layers, 64 wide (a radiance cache, which
                learns in a game's frame: examples/27_frames.c), with Adam; and that net's inference
   --first      from nn_opencl_open to the end of the first step of W1, with this cache_folder (-
                for none); bench/opencl.sh runs it in processes and folders of its own, the driver's
                cache included

   Microseconds, the median. OpenCL's library is loaded at run time, so that `make bench` needs no
   option. */
#ifndef NN_OPENCL_DYNAMIC
#define NN_OPENCL_DYNAMIC
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_DEVICES = 9, MOST_SAMPLES = 1000, BATCH = 64 };

static double seconds = 0.3;
static const char *only = "";
static nn_device devices[MOST_DEVICES];
static int device_count;

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

/* The median of samples of `inner` calls and a finish; -1: a call failed. */
static double measure(nn_context *nn, work_function work, void *state, int inner) {
    static double samples[MOST_SAMPLES];
    int count = 0, i;
    double end;
    for (i = 0; i < 2; i++) /* the first builds programs */
        if (work(state) != NN_OK || nn_finish(nn) != NN_OK) return -1;
    end = now_us() + seconds * 1e6;
    while (count < MOST_SAMPLES && (count < 3 || now_us() < end)) {
        double before = now_us();
        for (i = 0; i < inner; i++)
            if (work(state) != NN_OK) return -1;
        if (nn_finish(nn) != NN_OK) return -1;
        samples[count++] = (now_us() - before) / inner;
    }
    qsort(samples, (size_t)count, sizeof samples[0], compare_samples);
    return samples[count / 2];
}

static bool wanted(const char *name) { return strstr(name, only) != NULL; }

/* One row; flops: of one call, for GFLOP/s; 0: none. */
static void print_row(nn_context *nn, const char *name, const double *us, double flops) {
    printf("%-28s", name);
    for (int i = 0; i < device_count; i++) {
        if (us[i] < 0) printf("  %21s", nn_error(nn) ? "failed" : "-");
        else if (flops > 0) printf("  %11.1f (%7.2f)", us[i], flops / us[i] / 1000);
        else printf("  %11.1f          ", us[i]);
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

static nn_result conv_forward(void *state) {
    operands *o = (operands *)state;
    return nn_conv2d_forward(o->y, o->x, o->weight, o->bias, &o->conv);
}

static nn_result conv_backward(void *state) {
    operands *o = (operands *)state;
    return nn_conv2d_backward(o->dx, o->dweight, o->dbias, o->y, o->x, o->weight, &o->conv, false);
}

/* The same products by CLBlast without us choosing; -1 where there is none. */
static nn_result clblast_forward(void *state) {
    nn_gemm_args *args = (nn_gemm_args *)state;
    return nn__opencl_blas_gemm((nn__opencl *)args->scratch.handle, args);
}

static double bench_clblast(nn_context *nn, nn_device device, int n) {
    void *state = NULL;
    nn__opencl *opencl;
    nn_gemm_args args;
    operands o;
    double us = -1;
    bool cpu;
    nn_get_backend(nn, device, &state);
    opencl = (nn__opencl *)state;
    cpu = opencl->cpu;
    opencl->cpu = false; /* we would not look for it on a CPU */
    nn__opencl_blas_open(opencl);
    opencl->cpu = cpu;
    if (!opencl->blas) return -1;
    memset(&o, 0, sizeof o);
    memset(&args, 0, sizeof args);
    o.x = filled(nn, device, NN_SHAPE(n, n));
    o.weight = filled(nn, device, NN_SHAPE(n, n));
    o.y = filled(nn, device, NN_SHAPE(n, n));
    args.m = args.n = args.k = n;
    args.transpose_b = true; /* as in a linear layer */
    args.a = nn_tensor_view(o.x);
    args.b = nn_tensor_view(o.weight);
    args.y = nn_tensor_view(o.y);
    args.scratch.handle = opencl;
    us = measure(nn, clblast_forward, &args, 1);
    free_operands(&o);
    return us;
}

static void bench_gemm(nn_context *nn) {
    static const int sizes[] = {256, 384, 512, 768, 1024};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        int n = sizes[s];
        double us[MOST_DEVICES];
        char name[40];
        snprintf(name, sizeof name, "gemm %d", n);
        if (!wanted(name)) continue;
        for (int i = 0; i < device_count; i++) {
            operands o;
            memset(&o, 0, sizeof o);
            o.x = filled(nn, devices[i], NN_SHAPE(n, n));
            o.weight = filled(nn, devices[i], NN_SHAPE(n, n));
            o.y = filled(nn, devices[i], NN_SHAPE(n, n));
            us[i] = measure(nn, linear_forward, &o, 1);
            free_operands(&o);
        }
        print_row(nn, name, us, 2.0 * n * n * n);
        us[0] = -1;
        for (int i = 1; i < device_count; i++) us[i] = bench_clblast(nn, devices[i], n);
        strcat(name, ", CLBlast alone");
        print_row(nn, name, us, 2.0 * n * n * n);
    }
}

static void bench_conv(nn_context *nn) {
    static const struct { const char *name; int C, side, K;
    } shapes[] = {{"conv W1     3x64x64 k16", 3, 64, 16},
                  {"conv W2.1   1x28x28 k32", 1, 28, 32},
                  {"conv W2.2  32x28x28 k64", 32, 28, 64}};
    for (int s = 0; s < 6; s++) {
        int C = shapes[s / 2].C, side = shapes[s / 2].side, K = shapes[s / 2].K;
        double us[MOST_DEVICES], flops = 2.0 * BATCH * K * side * side * C * 9;
        char name[64];
        snprintf(name, sizeof name, "%s %s", shapes[s / 2].name, s % 2 ? "bwd" : "fwd");
        if (!wanted(name)) continue;
        for (int i = 0; i < device_count; i++) {
            operands o;
            memset(&o, 0, sizeof o);
            o.conv.out_channels = K;
            o.conv.kernel = 3;
            o.conv.padding = 1;
            o.x = filled(nn, devices[i], NN_SHAPE(BATCH, C, side, side));
            o.weight = filled(nn, devices[i], NN_SHAPE(K, C, 3, 3));
            o.bias = filled(nn, devices[i], NN_SHAPE(K));
            o.y = filled(nn, devices[i], NN_SHAPE(BATCH, K, side, side));
            if (s % 2) {
                o.dx = filled(nn, devices[i], NN_SHAPE(BATCH, C, side, side));
                o.dweight = filled(nn, devices[i], NN_SHAPE(K, C, 3, 3));
                o.dbias = filled(nn, devices[i], NN_SHAPE(K));
            }
            us[i] = measure(nn, s % 2 ? conv_backward : conv_forward, &o, 1);
            free_operands(&o);
        }
        print_row(nn, name, us, s % 2 ? 2 * flops : flops);
    }
}

/* ---- training -------------------------------------------------------------------------------- */

typedef enum net_kind { NET_W1, NET_W2, NET_W3 } net_kind;

static nn_trainer *make_trainer(nn_context *nn, nn_device device, net_kind kind) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 1, .device = device});
    nn_shape shapes[] = {NN_SHAPE(NN_BATCH, 3, 64, 64), NN_SHAPE(NN_BATCH, 1, 28, 28),
                         NN_SHAPE(NN_BATCH, 784)};
    nn_node *x, *image = nn_input(net, "image", NN_F32, shapes[kind]),
                *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_trainer *trainer;
    nn_shape shape = shapes[kind];
    nn_tensor *labels = nn_make_tensor(
        nn, &(nn_tensor_desc){.shape = NN_SHAPE(BATCH), .dtype = NN_I32, .device = device});
    int32_t numbers[BATCH];
    x = image;
    if (kind == NET_W3) {
        x = nn_relu(net, nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = 256}));
        x = nn_relu(net, nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = 128}));
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
    x = nn_linear(net, "last", x, &(nn_linear_desc){.out_features = 10});
    trainer = nn_make_trainer(
        net, nn_cross_entropy(net, x, label, NULL),
        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM, .learning_rate = 1e-4f});
    shape.extent[0] = BATCH;
    for (int i = 0; i < BATCH; i++) numbers[i] = i % 10;
    nn_upload_tensor(labels, numbers, sizeof numbers);
    if (trainer) {
        nn_bind(nn_trainer_plan(trainer), image, filled(nn, device, shape));
        nn_bind(nn_trainer_plan(trainer), label, labels);
    }
    return trainer;
}

static nn_result train_once(void *trainer) { return nn_step((nn_trainer *)trainer); }

static void bench_training(nn_context *nn) {
    static const char *const names[] = {"W1 train", "W2 train", "W3 train"};
    for (int kind = 0; kind < 3; kind++) {
        double us[MOST_DEVICES];
        if (!wanted(names[kind])) continue;
        for (int i = 0; i < device_count; i++) {
            nn_trainer *trainer = make_trainer(nn, devices[i], (net_kind)kind);
            us[i] = trainer ? measure(nn, train_once, trainer, 4) : -1;
            nn_free_trainer(trainer);
        }
        print_row(nn, names[kind], us, 0);
    }
}

/* 64-64-64-64-64-64-3, relu between them, as fields with an encoding of the place have them. */
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

static nn_result run_once(void *plan) { return nn_run((nn_plan *)plan); }

static void bench_field(nn_context *nn) {
    const double flops =
        2.0 * FIELD_BATCH * FIELD_WIDTH * ((FIELD_LAYERS - 1) * FIELD_WIDTH + FIELD_OUT);
    double train[MOST_DEVICES], infer[MOST_DEVICES];
    if (!wanted("field train") && !wanted("field infer")) return;
    for (int i = 0; i < device_count; i++) {
        field f = make_field(nn, devices[i]);
        nn_node *wanted_value = nn_input(f.net, "wanted", NN_F32, NN_SHAPE(NN_BATCH, FIELD_OUT));
        nn_trainer *trainer = nn_make_trainer(
            f.net, nn_mse_loss(f.net, f.value, wanted_value, NN_MEAN),
            &(nn_trainer_desc){
                .batch = FIELD_BATCH, .optimizer = NN_ADAM, .learning_rate = 1e-3f});
        nn_plan *plan =
            nn_make_plan(f.net, &(nn_plan_desc){.outputs = {f.value}, .batch = FIELD_BATCH});
        nn_tensor *x = filled(nn, devices[i], NN_SHAPE(FIELD_BATCH, FIELD_WIDTH)),
                  *y = filled(nn, devices[i], NN_SHAPE(FIELD_BATCH, FIELD_OUT));
        nn_bind(nn_trainer_plan(trainer), f.at, x);
        nn_bind(nn_trainer_plan(trainer), wanted_value, y);
        nn_bind(plan, f.at, x);
        train[i] = trainer ? measure(nn, train_once, trainer, 1) : -1;
        infer[i] = plan ? measure(nn, run_once, plan, 1) : -1;
        nn_free_plan(plan);
        nn_free_trainer(trainer);
        nn_free_model(f.net);
        nn_free_tensor(x);
        nn_free_tensor(y);
    }
    print_row(nn, "field train 65536", train, 3 * flops);
    print_row(nn, "field infer 65536", infer, flops);
}

/* ---- the first step -------------------------------------------------------------------------- */

/* All that a user waits for: opening, the trainer, the first step; of it the opening. */
static double first_step(nn_device device, const char *folder, double *opening) {
    nn_context *nn = nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}});
    double start = now_us(), us = -1;
    nn_trainer *trainer;
    *opening = 0;
    if (nn_opencl_open(nn, &(nn_opencl_desc){.cache_folder = folder}) == NN_OK) {
        *opening = now_us() - start;
        trainer = make_trainer(nn, device, NET_W1);
        if (trainer && nn_step(trainer) == NN_OK && nn_finish(nn) == NN_OK) us = now_us() - start;
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

int main(int argc, char **argv) {
    nn_context *nn =
        nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}, .scratch_bytes = (size_t)256 << 20});
    nn_opencl_info info;
    if (argc == 4 && strcmp(argv[1], "--first") == 0) {
        nn_close(nn);
        return bench_first_step(atoi(argv[2]), argv[3]);
    }
    if (argc > 1) seconds = atof(argv[1]);
    if (argc > 2) only = argv[2];
    if (!nn) return 1;
    devices[device_count++] = nn_cpu();
    if (nn_opencl_open(nn, &(nn_opencl_desc){.cache_folder = ""}) != NN_OK)
        printf("no OpenCL device here: the CPU alone\n");
    for (int i = 1; i < nn_device_count(nn) && device_count < MOST_DEVICES; i++)
        devices[device_count++] = nn_device_at(nn, i);
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
    bench_conv(nn);
    bench_training(nn);
    bench_field(nn);
    nn_close(nn);
    return 0;
}
