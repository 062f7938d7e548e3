/* tests/onnx/test_onnx_models.c - the real models of ../shared/onnx against onnxruntime's outputs,
   on plain C, with the best instructions and on an OpenCL device. Without the folder everything is
   skipped. NN_SHOW=1 prints a table of the errors; NN_FULL=1 runs all models on OpenCL. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "open.h"
#include "real.h"

/* Tolerances: 1e-5, or ten times the difference between two runs of onnxruntime; 2e-3 for halves,
   1e-2 for files in 8 bits. */
static const real_model models[] = {
    /* Winograd's convolutions add 1e-5 */
    {"aecmos", 1e-5, NULL, NULL, NULL, true, false, false},
    {"attacut-c", 1e-5, NULL, NULL, NULL, false, false, false},
    {"attacut-c-external", 1e-5, NULL, NULL, NULL, false, false, false},
    {"basic-pitch", 2e-3, NULL, NULL, NULL, false, false, false},
    {"dnsmos", 1e-5, NULL, NULL, NULL, false, false, false},
    {"face-onet", 1e-5, NULL, NULL, NULL, false, false, false},
    {"face-pnet", 1e-5, NULL, NULL, NULL, false, false, false},
    {"magika", 1e-5, NULL, NULL, NULL, false, false, true},
    {"melspectrogram", 1e-5, NULL, NULL, NULL, false, false, false},
    {"ocr-angle", 1e-5, NULL, NULL, NULL, false, false, true},
    {"ocr-angle-qdq", 1e-2, NULL, NULL, NULL, false, false, true},
    {"ocr-angle-qoperator", 1e-2, NULL, NULL, NULL, false, false, true},
    {"ocr-detect", 2e-4, NULL, NULL, NULL, false, false, false},
    {"ocr-read", 2e-4, NULL, NULL, NULL, false, false, true},
    {"rawi-int8", 1e-2, NULL, NULL, NULL, false, false, true},
    {"slovorez", 2e-3, NULL, NULL, NULL, false, false, true},
    {"smart-turn-qdq", 1e-2, NULL, NULL, NULL, false, false, false},
    {"speech-embedding", 1e-5, NULL, NULL, NULL, false, false, false},
    {"spindle-eeg", 1e-5, NULL, NULL, NULL, false, false, false},
    {"vad-ifless", 1e-5, "sr", NULL, NULL, false, false, false},
    {"vad-v5", 1e-5, "sr", NULL, NULL, false, false, false},
    {"ocr-angle-qdq", 1e-2, NULL, NULL, NULL, false, true, true},
    {"ocr-angle-qoperator", 1e-2, NULL, NULL, NULL, false, true, true},
    {"rawi-int8", 1e-2, NULL, NULL, NULL, false, true, true},
    {"smart-turn-qdq", 1e-2, NULL, NULL, NULL, false, true, false},
    {"light/bvlc-alexnet", 1e-5, NULL, "data_0", "prob_1", false, false, true},
    {"light/inception-v1", 1e-5, NULL, "data_0", "prob_1", false, false, true},
    {"light/resnet50", 1e-5, NULL, "gpu_0/data_0", "gpu_0/softmax_1", false, false, true},
    {"light/shufflenet", 1e-5, NULL, "gpu_0/data_0", "gpu_0/softmax_1", false, false, true},
    {"light/squeezenet", 1e-5, NULL, "data_0", "softmaxout_1", false, false, true},
};

static nn_device opencl_device(void) {
#ifdef NN_TEST_OPENCL
    return nn_opencl(0);
#else
    return nn_cpu();
#endif
}

/* Opens a context whose models are on this device; NULL: it is not there. */
static nn_context *open_device(nn_instruction_set instructions, nn_device device) {
    nn_context *nn =
        nn_open(&(nn_desc){.instructions = instructions, .threads = 1, .device = device});
#ifdef NN_TEST_OPENCL
    if (nn && device.kind == NN_OPENCL && !OPEN_OPENCL(nn)) {
        nn_close(nn);
        return NULL;
    }
#endif
    return nn;
}

/* ---- the table ------------------------------------------------------------------------------- */

enum { MODELS = sizeof models / sizeof *models };
typedef enum where { PLAIN, BEST, ON_OPENCL, WHERES } where;

/* The largest difference of each model's cases, divided by the largest number of the output. */
static double errors[MODELS][WHERES];
static bool was_run[MODELS][WHERES];
static char names[WHERES][64];

/* NN_SHOW=1: a line for each model that ran, a column for each instruction set or device. */
static void print_table(void) {
    if (!getenv("NN_SHOW")) return;
    printf("%-32s %-10s", "model", "limit");
    for (int w = 0; w < WHERES; w++)
        if (names[w][0]) printf(" %-12s", names[w]);
    printf("\n");
    for (int i = 0; i < MODELS; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", models[i].folder,
                 models[i].integers ? " in integers" : "");
        if (!was_run[i][PLAIN] && !was_run[i][BEST] && !was_run[i][ON_OPENCL]) continue;
        printf("%-32s %-10.0e", name, models[i].tolerance);
        for (int w = 0; w < WHERES; w++) {
            if (!names[w][0]) continue;
            if (was_run[i][w]) printf(" %-12.1e", errors[i][w]);
            else printf(" %-12s", "-");
        }
        printf("\n");
    }
}

/* Runs both cases of a model. Returns 1 if they are close enough to their references. */
static int run_model(int i, where w) {
    const real_model *model = &models[i];
    const nn_device device = w == ON_OPENCL ? opencl_device() : nn_cpu();
    for (int number = 0; number < 2; number++) {
        nn_context *nn = open_device(
            w == PLAIN ? NN_INSTRUCTIONS_PLAIN : NN_INSTRUCTIONS_DEFAULT, device);
        real_case c;
        double difference = 0;
        if (!nn || (model->integers && w == ON_OPENCL)) { /* there are no such kernels */
            nn_close(nn);
            return w == ON_OPENCL;
        }
        snprintf(names[w], sizeof names[w], "%.10s", w == ON_OPENCL ? "OpenCL" : nn_instruction_set_name(nn));
        if (real_read_case(nn, model, number, &c))
            difference = real_run(nn, model, &c);
        else if (number == 0)
            difference = NAN;
        if (!(difference <= errors[i][w])) errors[i][w] = difference;
        was_run[i][w] = true;
        if (!(difference <= model->tolerance))
            printf("%s%s case %d: %g %s\n", model->folder, model->integers ? " in integers" : "",
                   number, difference, nn_error(nn) ? nn_error(nn) : "");
        nn_clear_error(nn);
        nn_close(nn);
        if (!(difference <= model->tolerance)) return 0;
    }
    return 1;
}

/* A driver that compiles kernels for minutes runs three models; NN_FULL=1: all. */
static void run_models(where w) {
    static const char *const few[] = {"attacut-c", "face-pnet", "magika"};
    for (int i = 0; i < MODELS; i++) {
        bool wanted = w != ON_OPENCL || getenv("NN_FULL") != NULL;
        for (int k = 0; k < 3; k++) wanted = wanted || strcmp(models[i].folder, few[k]) == 0;
        if (!wanted) continue;
        if (real_exists(models[i].folder)) ENSURE(run_model(i, w));
        else SKIP_PART("../shared/onnx is not there");
    }
}

static void plain_c(void) { run_models(PLAIN); }
static void best_instructions(void) { run_models(BEST); }
static void on_opencl(void) {
#ifdef NN_TEST_OPENCL
    run_models(ON_OPENCL);
#else
    SKIP("built without OpenCL");
#endif
}

/* A file of decision trees has no net: nothing is described, and the error says so. */
static void trees_are_refused(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_onnx *file;
    char path[512];
    if (!real_exists("yomi-trees")) {
        nn_close(nn);
        SKIP("../shared/onnx is not there");
    }
    real_path("yomi-trees", path, sizeof path);
    file = nn_open_onnx(nn, &(nn_onnx_desc){.path = path});
    ENSURE(file);
    nn_onnx_net(net, NULL, file, NULL);
    ENSURE(nn_fault_count(net) == 1 && nn_parameter_count(net) == 0);
    ENSURE(strstr(nn_error(nn), "ai.onnx.ml.TreeEnsembleClassifier"));
    ENSURE(strstr(nn_error(nn), "trees, vectors and class tables"));
    nn_close_onnx(file);
    nn_clear_error(nn);
    nn_close(nn);
}

/* Layers of integers have no operators of their own: writing them is refused in words. */
static void integers_are_not_written(void) {
    const real_model model = {"ocr-angle-qdq", 0, NULL, NULL, NULL, false, true, false};
    nn_context *nn = nn_open(NULL);
    real_case c;
    real_net net;
    if (!real_exists(model.folder)) {
        nn_close(nn);
        SKIP("../shared/onnx is not there");
    }
    ENSURE(real_read_case(nn, &model, 0, &c));
    net = real_describe(nn, &model, &c);
    ENSURE(net.net && !nn_error(nn));
    ENSURE(nn_save_onnx(net.net, "integers.onnx", &(nn_onnx_save_desc){
                          .outputs = NN_NODES(net.out[0])}) == NN_ERROR_UNSUPPORTED);
    ENSURE(nn_error(nn) && strstr(nn_error(nn), "read the file without nn_onnx_integers"));
    nn_clear_error(nn);
    ENSURE(nn_onnx_integers(NULL) == NN_ERROR_ARGUMENT);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(plain_c);
    RUN(best_instructions);
    RUN(on_opencl);
    print_table();
    RUN(trees_are_refused);
    RUN(integers_are_not_written);
    return test_report();
}
