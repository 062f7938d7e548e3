/* bench/bench_precision.c - what the precision of products costs and saves on opencl:0: in f32
   (highest), TF32 (high) and bf16 (medium), and with activations in bf16 (autocast).

     bench_precision [seconds [work]]    default: 1 s for each number, all; work: part of a name
     bench_precision --tiny              small nets on any OpenCL device, to see that all of it runs

   product      y = x w^T of 4096^3, immediate; TFLOP/s
   resnet18     training steps on 64 and 256 pictures of 3x32x32 with SGD and momentum; inference of
                1 and 256 pictures
   gpt2         training steps of GPT-2 124M on 4 x 1024 tokens with AdamW (bench_gpt2.c)

   BENCH_COPIED=1: all products of f32 and bf16 take the loop that copies operands as they are
   (f32 operands are packed first); -1: none do; without it the library chooses.
   BENCH_SIZE=N: the product is N^3.

   Values are medians in milliseconds. bench/pytorch_precision.py does the same with PyTorch. */
#ifndef NN_OPENCL_DYNAMIC
#define NN_OPENCL_DYNAMIC
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#define main resnet_main
#include "../examples/15_resnet.c"
#undef main
#define main    gpt2_main
#define measure gpt2_measure
#include "bench_gpt2.c"
#undef main
#undef measure

enum { MOST = 512 };

static nn_context *nn;
static nn_device device;
static double seconds = 1;
static const char *only = "";
static nn_precision precision;
static const char *label;
static bool autocast;

static void choose_loop(void) {
    void *state = NULL;
    nn_device_backend(nn, device, &state);
    if (state && getenv("BENCH_COPIED"))
        ((nn__opencl *)state)->mma_copied = (signed char)atoi(getenv("BENCH_COPIED"));
}

/* Fills an input: below 0 with 0, 1, 2 ..., 0 with numbers in [-0.5, 0.5), else with whole numbers
   below it. */
static void fill_input(nn_plan *plan, nn_node *input, int64_t count, int below) {
    float *numbers = (float *)malloc((size_t)count * 4);
    int32_t *whole = (int32_t *)(void *)numbers;
    uint32_t words[4];
    for (int64_t i = 0; i < count; i++) {
        nn_random_words(1, 7, (uint64_t)i, words);
        if (below == 0) numbers[i] = nn_word_to_uniform(words[0]) - 0.5f;
        else whole[i] = below < 0 ? (int32_t)i : (int32_t)(words[0] % (uint32_t)below);
    }
    nn_upload(plan, input, numbers, (size_t)count * 4);
    free(numbers);
}

/* Prints the median of steps of the trainer, or of runs of the plan. flops: of one, or 0. */
static void measure(const char *name, nn_trainer *trainer, nn_plan *plan, int inner, double flops) {
    static double samples[MOST];
    int count = 0;
    float loss = 0;
    double end;
    for (int i = 0; i < 3 && !nn_error(nn); i++)
        trainer ? nn_train_on_inputs(trainer) : nn_run(plan);
    nn_finish(nn);
    end = now(nn) + seconds;
    while (count < MOST && !nn_error(nn) && (count < 3 || now(nn) < end)) {
        const double before = now(nn);
        for (int i = 0; i < inner; i++) trainer ? nn_train_on_inputs(trainer) : nn_run(plan);
        nn_finish(nn);
        samples[count++] = (now(nn) - before) * 1e3 / inner;
    }
    if (trainer) nn_read_loss(trainer, &loss);
    if (nn_error(nn)) {
        printf("%-26s %-10s %s\n", name, label, nn_error(nn));
        nn_clear_error(nn);
        return;
    }
    qsort(samples, (size_t)count, sizeof samples[0], compare_samples);
    printf("%-26s %-10s %10.3f ms", name, label, samples[count / 2]);
    if (flops > 0) printf("  %.1f TFLOP/s", flops / samples[count / 2] * 1e-9);
    printf(trainer ? "  loss %.4f\n" : "\n", (double)loss);
    fflush(stdout);
}

static void time_product(int n) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = device, .seed = 1});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, n));
    nn_node *y = nn_linear(net, "w", x, &(nn_linear_desc){.out_features = n, .no_bias = true});
    nn_plan *plan = nn_make_plan(
        net, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = n, .precision = precision});
    char name[40];
    snprintf(name, sizeof name, "product %d", n);
    if (plan) fill_input(plan, x, (int64_t)n * n, 0);
    measure(name, NULL, plan, 10, 2.0 * n * n * n);
    nn_free_model(net);
}

static void time_resnet(int batch, bool train, int width) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = device, .seed = 1});
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 32, 32)), *logits;
    nn_trainer *trainer = NULL;
    nn_plan *plan;
    char name[40];
    if (autocast) nn_autocast_begin(net, NN_BF16);
    logits = resnet18(net, image, &(resnet_desc){.classes = 10, .width = width, .cifar = true});
    if (autocast) nn_autocast_end(net);
    if (train) {
        nn_node *labels = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
        nn_node *loss = nn_cross_entropy(net, logits, labels, NULL);
        trainer = nn_make_trainer(net, loss,
                                  &(nn_trainer_desc){.batch = batch,
                                                     .learning_rate = 1e-4f,
                                                     .momentum = 0.9f,
                                                     .precision = precision});
        plan = nn_trainer_plan(trainer);
        if (plan) fill_input(plan, labels, batch, 10);
    } else {
        plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(logits),
                                                 .batch = batch,
                                                 .precision = precision});
    }
    snprintf(name, sizeof name, "resnet18 %s %d", train ? "train" : "infer", batch);
    if (plan) fill_input(plan, image, (int64_t)batch * 3072, 0);
    measure(name, trainer, plan, batch < 100 ? 10 : 4, 0);
    nn_free_model(net);
}

static void time_gpt2(int batch, int time, int layers) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = device, .seed = 1});
    nn_node *inputs[3], *loss;
    nn_trainer *trainer;
    nn_plan *plan;
    char name[40];
    if (autocast) nn_autocast_begin(net, NN_BF16);
    loss = gpt2(net, layers, inputs);
    if (autocast) nn_autocast_end(net);
    trainer = nn_make_trainer(net, loss,
                              &(nn_trainer_desc){.batch = batch,
                                                 .time = time,
                                                 .optimizer = NN_ADAMW,
                                                 .learning_rate = 1e-4f,
                                                 .weight_decay = 0.01f,
                                                 .precision = precision});
    plan = nn_trainer_plan(trainer);
    if (plan) {
        fill_input(plan, inputs[0], (int64_t)batch * time, WORDS);
        fill_input(plan, inputs[1], time, -1);
        fill_input(plan, inputs[2], (int64_t)batch * time, WORDS);
    }
    snprintf(name, sizeof name, "gpt2 train %d x %d", batch, time);
    measure(name, trainer, plan, 1, 0);
    nn_free_model(net);
}

int main(int argc, char **argv) {
    static const char *const names[] = {"f32", "tf32", "bf16", "autocast"};
    const bool tiny = argc > 1 && strcmp(argv[1], "--tiny") == 0;
    if (argc > 1) seconds = tiny ? 0.01 : atof(argv[1]);
    if (argc > 2) only = argv[2];
    nn = nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}});
    nn_opencl_open(nn, NULL);
    if (nn_parse_device(nn, "opencl:0", &device) != NN_OK) {
        printf("SKIP no OpenCL device\n");
        return 0;
    }
    nn_opencl_info info;
    if (nn_opencl_describe(nn, device, &info) && info.cpu && !tiny) {
        printf("SKIP opencl:0 is a CPU, on which this takes hours\n");
        nn_close(nn);
        return 0;
    }
    choose_loop();
    for (int i = 0; i < 4; i++) {
        precision = (nn_precision)(NN_PRECISION_HIGHEST + (i < 3 ? i : 2));
        label = names[i];
        autocast = i == 3;
        if (strstr("product", only) && !autocast)
            time_product(tiny                   ? 64
                         : getenv("BENCH_SIZE") ? atoi(getenv("BENCH_SIZE"))
                                                : 4096);
        if (strstr("resnet18", only)) {
            time_resnet(tiny ? 2 : 64, true, tiny ? 4 : 64);
            if (!tiny) time_resnet(256, true, 64);
            time_resnet(1, false, tiny ? 4 : 64);
            if (!tiny) time_resnet(256, false, 64);
        }
        if (strstr("gpt2", only)) time_gpt2(tiny ? 1 : 4, tiny ? 16 : 1024, tiny ? 1 : 12);
    }
    nn_close(nn);
    return 0;
}
