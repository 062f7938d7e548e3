/* bench_recurrent.c: what lstm, gru and rnn cost: inference, and a training step (forward, mean
   squared error, backward, Adam) of 64 sequences of 64 steps, 128 numbers in and 128 wide.
   bench_recurrent.py measures the same with PyTorch.

   ./bench_recurrent [threads [cpu]]    default: all cores; cpu: processor time, on a busy machine */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 64, TIME = 64, WIDE = 128, RUNS = 12 };
static bool of_processor;

static double now(nn_context *nn) {
    const nn_clock *wall = &nn_context_desc(nn)->clock;
    if (of_processor) return (double)clock() / CLOCKS_PER_SEC;
    return (double)wall->now(wall->user) * 1e-9;
}

static nn_node *layer(nn_model *net, int kind, nn_node *x) {
    if (kind == 0) return nn_lstm(net, "r", x, &(nn_lstm_desc){.hidden_size = WIDE});
    if (kind == 1) return nn_gru(net, "r", x, &(nn_gru_desc){.hidden_size = WIDE});
    if (kind == 2) return nn_rnn(net, "r", x, &(nn_rnn_desc){.hidden_size = WIDE});
    return nn_lstm(net, "r", x,
                   &(nn_lstm_desc){.hidden_size = WIDE, .layers = 2, .bidirectional = true});
}

int main(int argc, char **argv) {
    static const char *const names[] = {"lstm", "gru", "rnn", "lstm 2 layers, both ways"};
    static float numbers[BATCH * TIME * WIDE], targets[2 * BATCH * TIME * WIDE];
    nn_context *nn = nn_open(&(nn_desc){.threads = argc > 1 ? atoi(argv[1]) : 0});
    of_processor = argc > 2 && strcmp(argv[2], "cpu") == 0;
    for (int i = 0; i < BATCH * TIME * WIDE; i++) numbers[i] = (float)(i * 37 % 101) / 50 - 1;
    printf("%-26s %14s %14s\n", "64 x (64, 128), 128 wide", "inference", "training step");
    for (int kind = 0; kind < 4; kind++) {
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 1});
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, WIDE));
        nn_node *target =
            nn_input(net, "target", NN_F32,
                     NN_SHAPE(NN_BATCH, NN_TIME, kind == 3 ? 2 * WIDE : WIDE));
        nn_node *y = layer(net, kind, x);
        nn_node *loss = nn_mse_loss(net, y, target, NULL);
        nn_plan *plan = nn_make_plan(
            net, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = BATCH, .time = TIME});
        nn_trainer *trainer = nn_make_trainer(
            net, loss,
            &(nn_trainer_desc){.batch = BATCH, .time = TIME, .optimizer = NN_ADAM});
        double best[2] = {1e9, 1e9};
        nn_upload(plan, x, numbers, sizeof numbers);
        nn_upload(nn_trainer_plan(trainer), x, numbers, sizeof numbers);
        nn_upload(nn_trainer_plan(trainer), target, targets,
                  sizeof targets / (kind == 3 ? 1 : 2));
        for (int run = 0; run < 2 * RUNS; run++) {
            const double start = now(nn);
            if (run % 2 ? nn_train_on_inputs(trainer) != NN_OK : nn_run(plan) != NN_OK) break;
            const double seconds = now(nn) - start;
            if (seconds < best[run % 2]) best[run % 2] = seconds;
        }
        printf("%-26s %11.2f ms %11.2f ms\n", names[kind], 1e3 * best[0], 1e3 * best[1]);
        fflush(stdout);
        nn_free_trainer(trainer);
        nn_free_plan(plan);
        nn_free_model(net);
    }
    if (nn_error(nn)) printf("%s\n", nn_error(nn));
    nn_close(nn);
    return 0;
}
