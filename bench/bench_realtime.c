/* bench_realtime.c - measures what a run costs beside its arithmetic, and small nets with a memory
   in blocks: nanoseconds of nn_run_on, and of nn_upload, nn_run and nn_download, on one thread.

     build/bench/bench_realtime            every row: name, block, then nanoseconds a run
     build/bench/bench_realtime tail 120   how even the time of a block is: percentiles over 120
                                           seconds for each net, in blocks of 64, alternately with
                                           a chain of multiplications that takes as long

   The smallest plan is a relu of 4 numbers. "least" is the fastest of the rounds, which a busy
   machine disturbs least. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Counts single runs in buckets of 10 ns. The last bucket has all longer runs. The clock's own
   time, some 25 ns, is part of each. */
enum { BUCKETS = 200000 };
typedef struct times {
    int count[BUCKETS];
    int64_t runs;
    double longest;
} times;
static double seconds; /* 0: medians */
static void record(times *t, double took) {
    t->count[took < 10.0 * (BUCKETS - 1) ? (int)(took / 10) : BUCKETS - 1]++;
    t->runs++;
    if (took > t->longest) t->longest = took;
}
static double percentile(const times *t, double share) {
    int64_t before = 0;
    int b = 0;
    while ((double)before < share * (double)t->runs) before += t->count[b++];
    return 10.0 * b;
}
static void print_tail(const char *name, const times *t) {
    const double median = percentile(t, 0.5), last = percentile(t, 0.9999);
    printf("%-12s %9lld runs   median %8.0f ns   99 %% %8.0f   99.9 %% %8.0f   99.99 %% %8.0f "
           "(%.2f medians)   longest %.0f\n",
           name, (long long)t->runs, median, percentile(t, 0.99), percentile(t, 0.999), last,
           last / median, t->longest);
    fflush(stdout);
}

/* A chain of multiplications and additions in a register, without the library and without memory:
   only the machine makes its runs uneven. */
static volatile float chained = 1;
static void chain(int length) {
    float value = chained;
    for (int i = 0; i < length; i++) value = value * 1.0001f + 0.1f;
    chained = value;
}

/* Measures runs of the net and chains of the same length, alternately 100 of each. */
static void tail(const char *name, nn_plan *plan, const void *const *inputs, void *const *outputs) {
    static times net, empty;
    int length = 1000;
    double begun = now();
    for (int i = 0; i < 1000; i++) nn_run_on(plan, inputs, outputs);
    const double each = (now() - begun) / 1000;
    begun = now();
    for (int i = 0; i < 1000; i++) chain(length);
    length = (int)(length * each / ((now() - begun) / 1000));
    memset(&net, 0, sizeof net);
    memset(&empty, 0, sizeof empty);
    for (const double end = now() + seconds * 1e9; now() < end;) {
        for (int i = 0; i < 100; i++) {
            begun = now();
            if (nn_run_on(plan, inputs, outputs) != NN_OK) return;
            record(&net, now() - begun);
        }
        for (int i = 0; i < 100; i++) {
            begun = now();
            chain(length);
            record(&empty, now() - begun);
        }
    }
    print_tail(name, &net);
    print_tail("  chain", &empty);
}

/* Measures the median nanoseconds of a run on the caller's memory, and of a run on the plan's
   memory. */
static void measure(const char *name, nn_plan *plan, nn_node *in, nn_node *out, size_t in_bytes,
                    size_t out_bytes, int time) {
    const void *inputs[1] = {x};
    void *outputs[1] = {y};
    static double direct[ROUNDS], copied[ROUNDS];
    int runs = 20;
    if (seconds > 0) {
        if (time != 1) tail(name, plan, inputs, outputs);
        return;
    }
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
    printf("%-12s block %2d   nn_run_on %9.1f ns (%7.1f a sample, least %7.1f)   copied %9.1f ns\n",
           name, time, direct[ROUNDS / 2], direct[ROUNDS / 2] / time, direct[0] / time,
           copied[ROUNDS / 2]);
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

/* Describes one of the two stacks of a net of the size of NAM's "standard" one: ten dilated layers
   of 16 or 8 channels. */
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

int main(int argc, char **argv) {
    static const int blocks[3] = {64, 16, 1};
    if (argc > 2 && strcmp(argv[1], "tail") == 0) seconds = atof(argv[2]);
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .log = {.function = nn_write_stderr}});
    for (int i = 0; i < LONGEST; i++) x[i] = 0.01f * (float)i - 0.3f;
    smallest(nn);
    for (int b = 0; b < (seconds > 0 ? 1 : 3); b++) {
        for (int hidden = 8; hidden <= 64; hidden *= 2) recurrent(nn, false, hidden, blocks[b]);
        for (int hidden = 16; hidden <= 32; hidden *= 2) recurrent(nn, true, hidden, blocks[b]);
        wavenet(nn, blocks[b]);
    }
    nn_close(nn);
    return 0;
}
