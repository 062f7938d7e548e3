/* bench_realtime.c - what a run costs beside its arithmetic, and small nets with a memory in blocks:
   nanoseconds of nn_run_on, and of nn_upload, nn_run and nn_download, on one thread.

     build/bench/bench_realtime            every row: name, block, then nanoseconds a run

   The smallest plan is a relu of 4 numbers. The same loop over a function that does only its
   arithmetic is measured beside it. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

enum { ROUNDS = 41, LONGEST = 64 };
static float x[LONGEST * 4], y[LONGEST * 4];

/* Median nanoseconds of one run on the caller's memory, and of one through the plan's. */
static void measure(const char *name, nn_plan *plan, nn_node *in, nn_node *out, size_t in_bytes,
                    size_t out_bytes, int time) {
    const void *inputs[1] = {x};
    void *outputs[1] = {y};
    static double direct[ROUNDS], copied[ROUNDS];
    int runs = 20;
    for (int round = -1; round < ROUNDS; round++) {
        double begun = now();
        for (int i = 0; i < runs; i++)
            if (nn_run_on(plan, inputs, outputs) != NN_OK) return;
        const double each = (now() - begun) / runs;
        begun = now();
        for (int i = 0; i < runs; i++) {
            nn_upload(plan, in, x, in_bytes);
            nn_run(plan);
            nn_download(plan, out, y, out_bytes);
        }
        if (round < 0) { /* some 200 microseconds a round */
            runs = 1 + (int)(200000.0 / (each + 1));
            continue;
        }
        direct[round] = each;
        copied[round] = (now() - begun) / runs;
        nn_run_on(plan, inputs, outputs); /* prepares again, outside the next measurement */
    }
    qsort(direct, ROUNDS, sizeof *direct, compare);
    qsort(copied, ROUNDS, sizeof *copied, compare);
    printf("%-12s block %2d   nn_run_on %9.1f ns (%7.1f a sample)   copied %9.1f ns\n", name, time,
           direct[ROUNDS / 2], direct[ROUNDS / 2] / time, copied[ROUNDS / 2]);
}

static void smallest(nn_context *nn) {
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)), *out = nn_relu(net, in);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out)});
    measure("relu of 4", plan, in, out, 16, 16, 1);
    nn_free_model(net);
}

static void recurrent(nn_context *nn, bool gru, int hidden, int time) {
    char name[24];
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 1)), *h, *out;
    if (gru)
        h = nn_gru(net, "r", in, &(nn_gru_desc){.hidden_size = hidden, .stateful = true});
    else
        h = nn_lstm(net, "r", in, &(nn_lstm_desc){.hidden_size = hidden, .stateful = true});
    out = nn_linear(net, "out", h, &(nn_linear_desc){.out_features = 1});
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out), .time = time});
    snprintf(name, sizeof name, "%s %d", gru ? "gru" : "lstm", hidden);
    measure(name, plan, in, out, sizeof(float) * (size_t)time, sizeof(float) * (size_t)time, time);
    nn_free_model(net);
}

/* The size of NAM's "standard" net: two stacks of ten dilated layers, of 16 and 8 channels. */
static nn_node *stack(nn_model *net, int s, int channels, nn_node *signal, nn_node *dry,
                      nn_node **skips) {
    char name[24];
    snprintf(name, sizeof name, "in%d", s);
    nn_node *z = nn_conv1d(net, name, signal, &(nn_conv1d_desc){.out_channels = channels,
                                                                .kernel = 1, .no_bias = true,
                                                                .streaming = true});
    for (int i = 0; i < 10; i++) {
        nn_conv1d_desc wide = {.out_channels = channels, .kernel = 3, .dilation = 1 << i,
                               .streaming = true};
        nn_conv1d_desc one = {.out_channels = channels, .kernel = 1, .streaming = true};
        nn_conv1d_desc mix = one;
        mix.no_bias = true;
        snprintf(name, sizeof name, "conv%d.%d", s, i);
        nn_node *a = nn_conv1d(net, name, z, &wide);
        snprintf(name, sizeof name, "mix%d.%d", s, i);
        a = nn_tanh(net, nn_add(net, a, nn_conv1d(net, name, dry, &mix)));
        *skips = *skips ? nn_add(net, *skips, a) : a;
        snprintf(name, sizeof name, "one%d.%d", s, i);
        z = nn_add(net, z, nn_conv1d(net, name, a, &one));
    }
    return z;
}
static void wavenet(nn_context *nn, int time) {
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, NN_TIME)), *skips = NULL;
    nn_node *z = stack(net, 0, 16, in, in, &skips);
    nn_node *head = nn_conv1d(net, "head0", skips, &(nn_conv1d_desc){.out_channels = 8, .kernel = 1,
                                                                     .no_bias = true,
                                                                     .streaming = true});
    stack(net, 1, 8, z, in, &head);
    nn_node *out = nn_conv1d(net, "head1", head, &(nn_conv1d_desc){.out_channels = 1, .kernel = 1,
                                                                   .streaming = true});
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out), .time = time});
    measure("wavenet", plan, in, out, sizeof(float) * (size_t)time, sizeof(float) * (size_t)time,
            time);
    nn_free_model(net);
}

int main(void) {
    static const int blocks[3] = {64, 16, 1};
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .log = {.function = nn_write_stderr}});
    for (int i = 0; i < LONGEST; i++) x[i] = 0.01f * (float)i - 0.3f;
    smallest(nn);
    for (int b = 0; b < 3; b++) {
        for (int hidden = 8; hidden <= 64; hidden *= 2) recurrent(nn, false, hidden, blocks[b]);
        for (int hidden = 16; hidden <= 32; hidden *= 2) recurrent(nn, true, hidden, blocks[b]);
        wavenet(nn, blocks[b]);
    }
    nn_close(nn);
    return 0;
}
