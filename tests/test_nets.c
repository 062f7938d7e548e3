/* tests/test_nets.c - ResNet-18, MobileNetV2 and a U-Net, as the examples describe them, and a
   bidirectional LSTM of two layers beside PyTorch: weights loaded under its names, logits (norms folded), ten steps of training with their
   running statistics, logits again. On the CPU with each instruction set, and on OpenCL. What is
   compared with what: tests/golden/nets.py; tests/nets.h does it.

   `make test` takes a narrow ResNet-18. NN_FULL=1: all nets, and OpenCL. NN_SHOW=1 prints all
   differences. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "nets.h"

#include "golden/nets/lstm.h"
#include "golden/nets/mobilenet_v2.h"
#include "golden/nets/resnet18.h"
#include "golden/nets/resnet18_narrow.h"
#include "golden/nets/unet.h"

/* The builders are those of the examples. */
#define main resnet_main
#include "../examples/15_resnet.c"
#undef main
#define main mobilenet_main
#include "../examples/16_mobilenet.c"
#undef main
#define main unet_main
#include "../examples/17_unet.c"
#undef main

static nn_node *build_resnet18(nn_model *net, nn_node *x) {
    return resnet18(net, x, &(resnet_desc){.classes = 10, .width = 64});
}
static nn_node *build_resnet18_narrow(nn_model *net, nn_node *x) {
    return resnet18(net, x, &(resnet_desc){.classes = 10, .width = 4, .cifar = true});
}
static nn_node *build_mobilenet_v2(nn_model *net, nn_node *x) {
    return mobilenet_v2(net, x, 10, 0);
}
/* Two layers in both directions; the mean of all steps and the last states are classified. */
static nn_node *build_lstm(nn_model *net, nn_node *x) {
    nn_node *y = nn_lstm(net, "lstm", x,
                         &(nn_lstm_desc){.hidden_size = 40, .layers = 2, .bidirectional = true});
    nn_node *last = nn_slice(net, nn_output(y, 1), &(nn_slice_desc){.start = 2});
    last = nn_reshape(net, nn_transpose(net, last, 0, 1), NN_SHAPE(NN_BATCH, 80));
    return nn_linear(net, "fc", nn_add(net, nn_mean(net, y, NN_AXES(1)), last),
                     &(nn_linear_desc){.out_features = 5});
}
static nn_node *build_unet(nn_model *net, nn_node *x) { return unet(net, x, 2, 16, 3); }

typedef struct net_case {
    const net_golden *golden;
    net_builder build;
    bool quick; /* `make test` takes it */
} net_case;

static const net_case cases[] = {
    {&net_resnet18_narrow, build_resnet18_narrow, true},
    {&net_resnet18, build_resnet18, false},
    {&net_mobilenet_v2, build_mobilenet_v2, false},
    {&net_lstm, build_lstm, false},
    {&net_unet, build_unet, false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static const net_case *running;
static bool full(void) { return getenv("NN_FULL") != NULL; }

/* ---- stored values --------------------------------------------------------------------------- */

static void with_set(nn_instruction_set set) {
    nn_context *nn = nn_open(&(nn_desc){.instructions = set, .threads = 2});
    if (!nn) SKIP("this machine lacks the instruction set");
    net_compare(nn, nn_cpu(), running->golden, running->build);
    nn_close(nn);
}
static void on_plain(void) { with_set(NN_INSTRUCTIONS_PLAIN); }
static void on_avx2(void) { with_set(NN_INSTRUCTIONS_AVX2); }
static void on_avx512(void) { with_set(NN_INSTRUCTIONS_AVX512); }
static void on_neon(void) { with_set(NN_INSTRUCTIONS_NEON); }

static void swallow(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
}
static bool has_set(nn_instruction_set set) {
    nn_context *nn = nn_open(&(nn_desc){.instructions = set, .log = {swallow, NULL}});
    nn_close(nn);
    return nn != NULL;
}

#ifdef NN_TEST_OPENCL
static void on_opencl(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 2});
    nn_opencl_open(nn, NULL);
    nn_clear_error(nn);
    if (nn_is_open(nn, nn_opencl(0)))
        net_compare(nn, nn_opencl(0), running->golden, running->build);
    nn_close(nn);
}

static bool has_opencl(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_opencl_open(nn, NULL);
    bool has = nn_is_open(nn, nn_opencl(0));
    nn_close(nn);
    return has;
}
#endif

/* A plan that only infers folds norms into their convolutions, where that is less work. */
static void norms_are_folded(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 16, 16));
    nn_node *y = build_resnet18_narrow(net, x);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = {y}});
    float pixels[3 * 16 * 16] = {0};
    int folds = 0, norms = 0;
    nn_start_profile(plan);
    nn_upload(plan, x, pixels, sizeof pixels);
    nn_run(plan);
    for (int i = nn_profile_count(plan); i-- > 0;) {
        const nn_profile_entry entry = nn_profile_at(plan, i);
        folds += strcmp(entry.operation, "fold") == 0;
        norms += strncmp(entry.operation, "batch_norm", 10) == 0;
    }
    ENSURE(nn_error(nn) == NULL);
    ENSURE(folds >= 8 && folds + norms == 20); /* the last have more weights than results */
    nn_close(nn);
}

/* A loss, a parameter or a running statistic that differs a little must be told. */
static void wrong_nets_are_found(void) {
    static const char *const names[] = {"a loss", "layer2.0.conv1.weight",
                                        "layer2.0.bn1.running_var"};
    nn_context *nn = nn_open(NULL);
    for (int k = 0; k < 3; k++) {
        net_golden wrong = net_resnet18_narrow;
        net_tensor tensors[sizeof net_resnet18_narrow_tensors / sizeof(net_tensor)];
        double losses[NET_STEPS];
        memcpy(losses, wrong.losses[0], sizeof losses);
        memcpy(tensors, wrong.tensors, sizeof tensors);
        if (k == 0) losses[7] += 1e-4;
        for (int i = 0; i < wrong.count; i++)
            if (strcmp(tensors[i].name, names[k]) == 0) tensors[i].sgd[1] += 1e-4;
        wrong.losses[0] = losses;
        wrong.tensors = tensors;
        net_quiet = true;
        net_failures = 0;
        net_compare(nn, nn_cpu(), &wrong, build_resnet18_narrow);
        net_quiet = false;
        if (net_failures != 1)
            test_fail(__FILE__, __LINE__, "%s: %d differences", names[k], net_failures);
    }
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

static void run_case(const net_case *one, void (*test)(void), const char *how) {
    char name[100];
    snprintf(name, sizeof name, "%s %s", one->golden->name, how);
    running = one;
    test_run(test, name);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    test_file_name = __FILE__;
    for (int i = 0; i < CASES; i++) {
        if (!cases[i].quick && !full()) continue;
        run_case(&cases[i], on_plain, "plain");
        if (has_set(NN_INSTRUCTIONS_AVX2)) run_case(&cases[i], on_avx2, "avx2");
        if (has_set(NN_INSTRUCTIONS_AVX512)) run_case(&cases[i], on_avx512, "avx512");
        if (has_set(NN_INSTRUCTIONS_NEON)) run_case(&cases[i], on_neon, "neon");
#ifdef NN_TEST_OPENCL
        if (full() && has_opencl()) run_case(&cases[i], on_opencl, "opencl:0");
#endif
    }
    RUN(norms_are_folded);
    RUN(wrong_nets_are_found);
    return test_report();
}
