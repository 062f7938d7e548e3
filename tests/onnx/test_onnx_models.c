/* tests/onnx/test_onnx_models.c - the real models of ../shared/onnx against onnxruntime's outputs,
   on plain C and with the best instructions. Without the folder everything is skipped. */
#include "real.h"

/* Tolerances: 1e-5, or ten times what onnxruntime differs from itself. */
static const real_model models[] = {
    {"attacut-c", 1e-5, NULL, NULL, NULL},
    {"attacut-c-external", 1e-5, NULL, NULL, NULL},
    {"basic-pitch", 2e-3, NULL, NULL, NULL},
    {"dnsmos", 1e-5, NULL, NULL, NULL},
    {"face-onet", 1e-5, NULL, NULL, NULL},
    {"face-pnet", 1e-5, NULL, NULL, NULL},
    {"magika", 1e-5, NULL, NULL, NULL},
    {"melspectrogram", 1e-5, NULL, NULL, NULL},
    {"ocr-angle", 1e-5, NULL, NULL, NULL},
    {"ocr-read", 2e-4, NULL, NULL, NULL},
    {"slovorez", 2e-3, NULL, NULL, NULL},
    {"speech-embedding", 1e-5, NULL, NULL, NULL},
    {"spindle-eeg", 1e-5, NULL, NULL, NULL},
    {"vad-ifless", 1e-5, "sr", NULL, NULL},
    {"light/bvlc-alexnet", 1e-5, NULL, "data_0", "prob_1"},
    {"light/inception-v1", 1e-5, NULL, "data_0", "prob_1"},
    {"light/resnet50", 1e-5, NULL, "gpu_0/data_0", "gpu_0/softmax_1"},
    {"light/shufflenet", 1e-5, NULL, "gpu_0/data_0", "gpu_0/softmax_1"},
    {"light/squeezenet", 1e-5, NULL, "data_0", "softmaxout_1"},
};

static void run_models(nn_instruction_set instructions) {
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (!real_exists(models[i].folder)) {
            SKIP_PART("../shared/onnx is not there");
            continue;
        }
        for (int number = 0; number < 2; number++) {
            nn_context *nn = nn_open(&(nn_desc){.instructions = instructions, .threads = 1});
            real_case c;
            double difference = 0;
            ENSURE(nn);
            if (real_read_case(nn, &models[i], number, &c)) {
                difference = real_run(nn, &models[i], &c);
                if (!(difference <= models[i].tolerance))
                    printf("%s case %d: %g %s\n", models[i].folder, number, difference,
                           nn_error(nn) ? nn_error(nn) : "");
            } else {
                ENSURE(number > 0);
            }
            nn_clear_error(nn);
            nn_close(nn);
            ENSURE(difference <= models[i].tolerance);
        }
    }
}

static void best_instructions(void) { run_models(NN_INSTRUCTIONS_DEFAULT); }
static void plain_c(void) { run_models(NN_INSTRUCTIONS_PLAIN); }

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(best_instructions);
    RUN(plain_c);
    return test_report();
}
