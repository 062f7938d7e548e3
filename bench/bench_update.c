/* bench_update.c: measures what the step of each optimizer costs, apart from forward and backward:
   many small parameters, and one that no cache holds. The kernels of a step are called one by one,
   and the kernels after the gradients are timed: parameters have just been read and gradients
   written after that, by one plain pass each; bench_update.py, which has PyTorch's, does the same.
   (nn_backward and nn_update would add each gradient to one that is kept: more for the caches to
   hold.) Then the whole step of a linear layer of 2048 by 2048 whose loss is the sum of the squares
   of what it makes of 64 samples: forward, backward and update. "As a program" is what SGD, Adam
   and AdamW would cost without a kernel of their own.

   ./bench_update [threads [optimizer]]    default: all cores, all optimizers */
#define NN_IMPLEMENTATION
#include "../nn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS 5 /* the best counts */

static const char *const names[NN_MUON + 1] = {
    "",      "sgd",   "adam",   "adamw", "rmsprop", "adagrad", "adadelta",
    "nadam", "radam", "adamax", "lion",  "asgd",    "rprop",   "muon"};

static double now(nn_context *nn) {
    const nn_clock *clock = &nn_context_desc(nn)->clock;
    return (double)clock->now(clock->user) * 1e-9;
}

/* Runs the steps of the trainer's plan; returns the seconds of those after the loss's total, which
   stands between the gradients and the update. */
static double run_steps(nn_context *nn, nn_plan *plan) {
    double start = 0;
    for (int i = 0; i < plan->step_count; i++) {
        const nn__step *step = &plan->steps[i];
        const nn_range all = {0, -1};
        nn__call_kernel(nn__find_device(nn, step->node->device), step->node->rule->kernel,
                        step->args, all);
        if (step->node->rule->kernel == NN_KERNEL_ACCUMULATE) start = now(nn);
    }
    return now(nn) - start;
}

/* Returns the seconds of one update of `count` parameters of (rows, columns). */
static double time_updates(nn_context *nn, nn_optimizer optimizer, bool clamp, int count, int rows,
                           int columns, int steps) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});
    nn_node *loss = NULL;
    double best = 1e9;
    char name[32];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "p%d", i);
        nn_node *p = nn_parameter(net, name, NN_SHAPE(rows, columns), -1, 1);
        nn_node *sum = nn_sum(net, p);
        loss = loss ? nn_add(net, loss, sum) : sum;
    }
    nn_trainer *trainer = nn_make_trainer(
        net, loss,
        &(nn_trainer_desc){.optimizer = optimizer, .max_value = clamp ? 1e9f : 0.0f});
    nn_train_on_inputs(trainer);
    for (int run = 0; run < RUNS; run++) {
        double seconds = 0;
        for (int k = 0; k < steps; k++) seconds += run_steps(nn, nn_trainer_plan(trainer));
        if (seconds / steps < best) best = seconds / steps;
    }
    nn_free_model(net);
    return best;
}

/* Returns the seconds of one step of the linear layer. */
static double time_step(nn_context *nn, nn_optimizer optimizer, bool clamp, int steps) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 1});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2048));
    nn_node *y = nn_linear(net, "fc", x, &(nn_linear_desc){.out_features = 2048});
    nn_trainer *trainer = nn_make_trainer(net, nn_sum(net, nn_square(net, y)),
                                          &(nn_trainer_desc){.batch = 64,
                                                             .optimizer = optimizer,
                                                             .learning_rate = 1e-9f,
                                                             .max_value = clamp ? 1e9f : 0.0f});
    const size_t bytes = (size_t)64 * 2048 * sizeof(float);
    float *samples = (float *)malloc(bytes);
    double best = 1e9;
    for (int i = 0; i < 64 * 2048; i++) samples[i] = (float)(i % 97) / 97 - 0.5f;
    nn_upload(nn_trainer_plan(trainer), x, samples, bytes);
    for (int run = 0; run < RUNS + 1; run++) { /* the first one warms up */
        const double start = now(nn);
        for (int k = 0; k < steps; k++) nn_train_on_inputs(trainer);
        const double seconds = (now(nn) - start) / steps;
        if (run && seconds < best) best = seconds;
    }
    free(samples);
    nn_free_model(net);
    return best;
}

/* BENCH_TIMES=4: the large parameter has four times as many rows, so that no cache holds it; 1/64:
   so few rows that a cache near the core holds it. */
int main(int argc, char **argv) {
    nn_context *nn = nn_open(&(nn_desc){.threads = argc > 1 ? atoi(argv[1]) : 0});
    const char *times = getenv("BENCH_TIMES"), *part = times ? strchr(times, '/') : NULL;
    const int rows = 2048 * (times ? atoi(times) : 1) / (part ? atoi(part + 1) : 1);
    char large[32];
    snprintf(large, sizeof large, "(%d, 2048)", rows);
    printf("%-24s %16s %16s %16s\n", "optimizer", "100 x (30, 30)", large, "linear step");
    for (int o = NN_SGD; o <= NN_MUON; o++)
        for (int program = 0; program < (o <= NN_ADAMW ? 2 : 1); program++) {
            if (argc > 2 && strcmp(argv[2], names[o]) != 0) continue;
            printf("%-10s%-14s %13.1f us", names[o], program ? " as a program" : "",
                   1e6 * time_updates(nn, (nn_optimizer)o, program, 100, 30, 30, 20));
            if (o == NN_MUON) { /* it multiplies matrices, whose cost grows with the cube */
                printf("\n");
                continue;
            }
            printf(" %13.4f ms",
                   1e3 * time_updates(nn, (nn_optimizer)o, program, 1, rows, 2048,
                                      rows < 2048 ? 300 : 10));
            printf(" %13.2f ms\n", 1e3 * time_step(nn, (nn_optimizer)o, program, 10));
        }
    if (nn_error(nn)) printf("%s\n", nn_error(nn));
    nn_close(nn);
    return 0;
}
