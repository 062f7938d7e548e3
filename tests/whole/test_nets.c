/* tests/whole/test_nets.c - ResNet-18, MobileNetV2 and a U-Net, as the examples describe them, and
   a bidirectional LSTM of two layers, compared with PyTorch: weights loaded under its names, logits
   (norms folded), ten steps of training with their running statistics, logits again. The nets run
   on the CPU with each instruction set, and on OpenCL. tests/golden/nets.py lists the comparisons;
   tests/whole/nets.h makes them.

   `make test` runs a narrow ResNet-18. NN_FULL=1: all nets, OpenCL, and if $PYTHON has PyTorch also
   its own first weights ("live"). NN_SHOW=1 prints all differences. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_sequence.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "nets.h"
#include "open.h"

#include "golden/nets/lstm.h"
#include "golden/nets/mobilenet_v2.h"
#include "golden/nets/resnet18.h"
#include "golden/nets/resnet18_narrow.h"
#include "golden/nets/unet.h"

/* The builders are those of the examples. */
#define main resnet_main
#include "examples/15_resnet.c"
#undef main
#define main mobilenet_main
#include "examples/16_mobilenet.c"
#undef main
#define main unet_main
#include "examples/17_unet.c"
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
    bool quick; /* true: `make test` runs it */
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
    nn_context *nn = OPEN_WITH_SET((&(nn_desc){.instructions = set, .threads = 2}));
    if (!nn) return;
    net_compare(nn, nn_cpu(), running->golden, running->build);
    nn_close(nn);
}
static void on_plain(void) { with_set(NN_INSTRUCTIONS_PLAIN); }
static void on_avx2(void) { with_set(NN_INSTRUCTIONS_AVX2); }
static void on_avx512(void) { with_set(NN_INSTRUCTIONS_AVX512); }
static void on_other(void) { with_set(OTHER_SET); }

#ifdef NN_TEST_OPENCL
static void on_opencl(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 2});
    if (OPEN_OPENCL(nn))
        net_compare(nn, nn_opencl(0), running->golden, running->build);
    nn_close(nn);
}

#endif

/* A plan that only infers folds norms into their convolutions, where that is less work. */
static void norms_are_folded(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 16, 16));
    nn_node *y = build_resnet18_narrow(net, x);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y)});
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
    ENSURE(folds >= 8 && folds + norms == 20); /* the last layers have more weights than results,
                                                  and are not folded */
    nn_close(nn);
}

/* A small difference in a loss, a parameter or a running statistic must fail the comparison. */
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

/* ---- with a PyTorch that is there -------------------------------------------------------------
 */

static const char *python(void) {
#ifndef _WIN32
    const char *name = getenv("PYTHON") ? getenv("PYTHON") : "/usr/bin/python3";
    char command[512];
    snprintf(command, sizeof command, "%s -c 'import torch' 2> /dev/null", name);
    if (system(command) == 0) return name;
#endif
    return NULL;
}

/* Compares every number of every tensor with a state_dict of PyTorch. */
static void check_state(net_run *r, const char *path, const char *what) {
    nn_safetensors *file = nn_open_safetensors(r->nn, path);
    double largest = 0;
    char text[64];
    for (int i = 0; i < nn_safetensors_count(file); i++) {
        const nn_safetensors_entry entry = nn_safetensors_at(file, i);
        const size_t count = (size_t)nn_shape_count(entry.shape);
        double *theirs = (double *)malloc(sizeof(double) * count);
        float *ours = (float *)malloc(sizeof(float) * count);
        int64_t batches = 0;
        nn_tensor *tensor = nn_find_tensor(r->net, entry.name);
        nn_read_safetensors(file, i, NN_F64, theirs, sizeof(double) * count);
        if (entry.dtype == NN_I64) {
            nn_download_tensor(tensor, &batches, sizeof batches);
            ours[0] = (float)batches;
        } else
            nn_download_tensor(tensor, ours, sizeof(float) * count);
        for (size_t k = 0; k < count; k++) net_see(&largest, (double)ours[k], theirs[k]);
        free(theirs), free(ours);
    }
    nn_close_safetensors(file);
    snprintf(text, sizeof text, "%s: all tensors", what);
    net_check(r, text, largest, 1e-3);
}

static void read_numbers(nn_context *nn, const char *path, const char *name, double *to, int stride,
                         int64_t count) {
    nn_safetensors *file = nn_open_safetensors(nn, path);
    double *all = (double *)malloc(sizeof(double) * (size_t)count);
    nn_read_safetensors(file, nn_safetensors_find(file, name), NN_F64, all,
                        sizeof(double) * (size_t)count);
    for (int64_t i = 0, k = 0; i < count; i += stride) to[k++] = all[i];
    nn_close_safetensors(file);
    free(all);
}

/* PyTorch's own first weights, saved as its users save them: loaded, trained, compared. */
static void live_net(nn_context *nn, const net_case *one) {
    static const char *const optimizers[] = {"sgd", "adamw"};
    const net_golden *golden = one->golden;
    char command[512], path[128], key[32];
    double logits[256], losses[NET_STEPS];
    snprintf(command, sizeof command, "%s tests/golden/nets.py --live . %s", python(),
             golden->name);
    ENSURE(system(command) == 0);
    for (int optimizer = 0; optimizer < NET_OPTIMIZERS; optimizer++) {
        net_golden theirs = *golden;
        net_run r;
        snprintf(path, sizeof path, "%s_start.safetensors", golden->name);
        bool open = net_open(&r, nn, nn_cpu(), golden, one->build, path);
        if (optimizer == 1) remove(path);
        snprintf(path, sizeof path, "%s_logits.safetensors", golden->name);
        const int stride = r.logit_count > 256 ? NET_STRIDE : 1;
        read_numbers(nn, path, "logits", logits, stride, r.logit_count);
        if (open) net_check_logits(&r, "live: logits", logits, 1e-4);
        snprintf(key, sizeof key, "%s.logits", optimizers[optimizer]);
        read_numbers(nn, path, key, logits, stride, r.logit_count);
        snprintf(key, sizeof key, "%s.losses", optimizers[optimizer]);
        read_numbers(nn, path, key, losses, 1, NET_STEPS);
        theirs.losses[optimizer] = losses;
        theirs.after[optimizer] = logits;
        theirs.count = 0; /* no stored probe fits, so all numbers are compared below */
        r.golden = &theirs;
        if (open) net_check_steps(&r, optimizer);
        if (optimizer == 1) remove(path);
        snprintf(path, sizeof path, "%s_%s.safetensors", golden->name, optimizers[optimizer]);
        if (open) check_state(&r, path, optimizers[optimizer]);
        remove(path);
        net_close(&r);
        if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        nn_clear_error(nn);
    }
}

static void live(void) {
    nn_context *nn;
    if (!python()) SKIP("no PyTorch here (PYTHON=...)");
    nn = nn_open(&(nn_desc){.threads = 2});
    for (int i = 0; i < CASES; i++) live_net(nn, &cases[i]);
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
        run_case(&cases[i], on_avx2, "avx2");
        run_case(&cases[i], on_avx512, "avx512");
        run_case(&cases[i], on_other, "other");
#ifdef NN_TEST_OPENCL
        if (full()) run_case(&cases[i], on_opencl, "opencl:0");
#endif
    }
    RUN(norms_are_folded);
    RUN(wrong_nets_are_found);
    if (full()) RUN(live);
    return test_report();
}
