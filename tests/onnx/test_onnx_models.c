/* tests/onnx/test_onnx_models.c - the real models of ../shared/onnx against onnxruntime's outputs,
   on plain C and with the best instructions. Without the folder everything is skipped. */
#include "real.h"

/* Tolerances: 1e-5, or ten times what onnxruntime differs from itself. */
static const real_model models[] = {
    {"face-pnet", 1e-5, {{NULL, 0}}},
    {"face-onet", 1e-5, {{NULL, 0}}},
    {"basic-pitch", 2e-3, {{NULL, 0}}},
    {"slovorez", 2e-3, {{NULL, 0}}},
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
            if (real_read_case(nn, models[i].folder, number, &c)) {
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
