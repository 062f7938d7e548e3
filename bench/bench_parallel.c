/* bench/bench_parallel.c - training steps on several processes: the work of bench/pytorch_ddp.py.

     bench_parallel [net [rounds [steps [shards [trace.json|- [what]]]]]]
   Alone one process; under `mpirun -n 2` two, each with half of the batch. Default: w2, 4 rounds
   of 3 steps, 8 shards.

   net: w2 (bench_w1_w5.c: 64 x (1, 28, 28), Adam) or resnet18 (bench_nets.c: 64 x (3, 32, 32), SGD
   with momentum). Each process has one thread of its own, and where MPI allows it one that
   exchanges. Several processes take turns within each round, so that what else the machine does
   disturbs all alike:
     alone     rank 0 trains by itself, with the whole batch; the others sleep
     together  one training run of all ranks
     sharing   the same with nn_trainer_desc.shard_state
     apart     each rank trains by itself, with its part of the batch and of the shards: the same
               as together without an exchange
     each      each rank does what rank 0 does alone: ranks * alone / each is what the machine gives
   In the last two, the ranks wait for each other after each step, as in one training run.
   what: only this one of them.
   One line for each: name, processes, shards, minimum and median in microseconds of a step; then
   ratios of minima and of medians. trace.json: what rank 0 did in its last step together, for
   Perfetto, with how long buckets were under way, and how much of that during the backward pass. */
#define NN_IMPLEMENTATION
#include "nn_more.h"
#include "nn_group.h"
#ifdef WITH_MPI
#define NN_MPI_IMPLEMENTATION
#include "nn_mpi.h"
#endif

#include <stdio.h>
#include <stdlib.h>

#define main resnet_main
#include "../examples/15_resnet.c"
#undef main

enum { MOST_STEPS = 4096, BATCH = 64, ALONE = 0, TOGETHER, SHARING, APART, EACH, PHASES };

typedef struct phase {
    const char *name;
    nn_trainer *trainer;
    double samples[MOST_STEPS];
    int count;
} phase;

static uint64_t now_ns(void) { return nn__system_now(); }

static int compare_samples(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static nn_node *build_w2(nn_model *net, nn_node *x) {
    const nn_conv2d_desc conv1 = {.out_channels = 32, .kernel = 3, .padding = 1};
    const nn_conv2d_desc conv2 = {.out_channels = 64, .kernel = 3, .padding = 1};
    x = nn_relu(net, nn_conv2d(net, "conv1", x, &conv1));
    x = nn_relu(net, nn_conv2d(net, "conv2", x, &conv2));
    x = nn_flatten(net, nn_max_pool2d(net, x, &(nn_pool2d_desc){.kernel = 2}));
    x = nn_relu(net, nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = 128}));
    return nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = 10});
}

/* Makes a trainer whose inputs are bound to this rank's part of one batch; group NULL: to the whole
   batch. */
static nn_trainer *make_trainer(nn_context *nn, nn_group *group, bool w2, int batch, int shards,
                                bool shares) {
    const int ranks = group ? (int)nn_group_size(group) : 1, own = batch / ranks;
    const nn_shape shape = w2 ? NN_SHAPE(NN_BATCH, 1, 28, 28) : NN_SHAPE(NN_BATCH, 3, 32, 32);
    nn_shape part = shape;
    part.extent[0] = own;
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = w2 ? "w2" : "resnet18", .seed = 1});
    nn_node *input = nn_input(net, "x", NN_F32, shape), *logits;
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    logits = w2 ? build_w2(net, input)
                : resnet18(net, input, &(resnet_desc){.classes = 10, .width = 64, .cifar = true});
    nn_tensor *x = nn_make_tensor(nn, &(nn_tensor_desc){.name = "x", .shape = part});
    nn_tensor *y = nn_make_tensor(
        nn, &(nn_tensor_desc){.name = "label", .shape = NN_SHAPE(own), .dtype = NN_I32});
    uint32_t words[4];
    for (int64_t i = 0; x && i < nn_shape_count(part); i++) {
        nn_random_words(1, 0, (uint64_t)i, words);
        ((float *)nn_tensor_data(x))[i] = nn_word_to_uniform(words[0]) - 0.5f;
    }
    for (int i = 0; y && i < own; i++) ((int32_t *)nn_tensor_data(y))[i] = i % 10;
    nn_trainer *trainer = nn_make_trainer(net, nn_cross_entropy(net, logits, label, NULL),
                                          &(nn_trainer_desc){.batch = batch,
                                                             .group = group,
                                                             .shards = shards,
                                                             .shard_state = shares,
                                                             .optimizer = w2 ? NN_ADAM : NN_SGD,
                                                             .learning_rate = 1e-4f,
                                                             .momentum = w2 ? 0.0f : 0.9f});
    nn_bind(nn_trainer_plan(trainer), input, x);
    nn_bind(nn_trainer_plan(trainer), label, y);
    return trainer;
}

/* Prints when each bucket of the last step was exchanged, counted from the end of the backward
   pass. */
static void print_buckets(const nn_trainer *trainer, uint64_t step_begun, uint64_t step_ended) {
    const nn__exchange *exchange = &trainer->shards->exchange;
    const uint64_t pass = exchange->passed;
    double all = 0, hidden = 0;
    if (nn_group_size(trainer->desc.group) < 2) return;
    printf("# step %.0f us, its backward passes %.0f us\n", (double)(step_ended - step_begun) / 1e3,
           (double)(pass - step_begun) / 1e3);
    for (int b = 0; b < exchange->count; b++) {
        const nn__bucket *bucket = &exchange->buckets[b];
        const double begun = (double)(int64_t)(bucket->job.begun - step_begun) / 1e3;
        const double took = (double)(bucket->job.ended - bucket->job.begun) / 1e3;
        const double left = (double)(int64_t)(pass - bucket->job.begun) / 1e3;
        printf("# bucket %d: %d numbers, begun at %.0f us, took %.0f us\n", b, bucket->count, begun,
               took);
        all += took;
        hidden += left <= 0 ? 0 : left < took ? left : took;
    }
    printf("# exchanged for %.0f us, %.0f us of it during the backward pass\n", all, hidden);
}

/* Runs the steps of one phase. A few steps before the timed ones bring the data into the caches. */
static void run_phase(phase *one, nn_group *meets, int warm, int steps) {
    for (int i = 0; i < warm + steps; i++) {
        const uint64_t before = now_ns();
        nn_train_on_inputs(one->trainer);
        if (meets) nn_group_agree(meets, NN_OK);
        if (i >= warm && one->count < MOST_STEPS)
            one->samples[one->count++] = (double)(now_ns() - before) / 1000;
    }
}

static double median(const phase *one) { return one->samples[one->count / 2]; }

static void print_phases(phase *phases, const char *net, int ranks, int shards) {
    for (int p = 0; p < PHASES; p++) {
        phase *one = &phases[p];
        if (one->count == 0) continue;
        qsort(one->samples, (size_t)one->count, sizeof one->samples[0], compare_samples);
        printf("%-10s %-9s %2d processes %2d shards %10.0f %10.0f\n", net, one->name, ranks, shards,
               one->samples[0], median(one));
    }
    if (phases[ALONE].count == 0) return;
    for (int p = TOGETHER; p < PHASES && ranks > 1; p++) {
        const int factor = p == EACH ? ranks : 1;
        printf("%-10s %-9s gains %.2f of minima, %.2f of medians\n", net, phases[p].name,
               factor * phases[ALONE].samples[0] / phases[p].samples[0],
               factor * median(&phases[ALONE]) / median(&phases[p]));
    }
}

static void print_trace(nn_trainer *trainer, nn_group *group, const char *path) {
    const uint64_t before = now_ns();
    nn_start_profile(nn_trainer_plan(trainer));
    nn_train_on_inputs(trainer);
    const uint64_t after = now_ns();
    FILE *file = nn_group_rank(group) <= 0 ? fopen(path, "w") : NULL;
    if (!file) return;
    nn_write_trace(nn_trainer_plan(trainer), (nn_writer){nn_write_file, file});
    fclose(file);
    print_buckets(trainer, before, after);
}

int main(int argc, char **argv) {
    static phase phases[PHASES] = {{.name = "alone"}, {.name = "together"}, {.name = "sharing"},
                                   {.name = "apart"}, {.name = "each"}};
    const bool w2 = argc < 2 || strcmp(argv[1], "w2") == 0;
    const int rounds = argc > 2 ? atoi(argv[2]) : 4, steps = argc > 3 ? atoi(argv[3]) : 3;
    const int shards = argc > 4 ? atoi(argv[4]) : 8;
    nn_context *nn = nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}, .threads = 1});
    nn_group *group = NULL;
    if (!nn || rounds < 1 || steps < 1 || (!w2 && strcmp(argv[1], "resnet18") != 0)) {
        fprintf(stderr, "bench_parallel w2|resnet18 rounds steps [shards [trace.json|- [what]]]\n");
        return 1;
    }
#ifdef WITH_MPI
    group = nn_mpi_open(nn, NULL);
    if (!group) return 1;
#endif
    const int ranks = group ? (int)nn_group_size(group) : 1;
    phases[ALONE].trainer = make_trainer(nn, NULL, w2, BATCH, shards, false);
    if (ranks > 1) {
        phases[TOGETHER].trainer = make_trainer(nn, group, w2, BATCH, shards, false);
        phases[SHARING].trainer = make_trainer(nn, group, w2, BATCH, shards, true);
        phases[APART].trainer = make_trainer(nn, NULL, w2, BATCH / ranks, shards / ranks, false);
        phases[EACH].trainer = phases[ALONE].trainer;
    }
    for (int p = 0; p < PHASES && argc > 6; p++)
        if (strcmp(argv[6], phases[p].name) != 0) phases[p].trainer = NULL;
    for (int p = 0; p < PHASES; p++) /* what each step then finds ready */
        if (phases[p].trainer && p != EACH && (p != ALONE || nn_group_rank(group) <= 0))
            nn_train_on_inputs(phases[p].trainer);
    for (int i = 0; i < rounds && !nn_error(nn); i++)
        for (int p = 0; p < PHASES; p++) {
            if (!phases[p].trainer) continue;
            if (group) nn_group_agree(group, NN_OK);
            if (p != ALONE || nn_group_rank(group) <= 0)
                run_phase(&phases[p], p < APART ? NULL : group, w2, steps);
            if (group) nn_group_agree(group, NN_OK);
        }
    if (nn_group_rank(group) <= 0) print_phases(phases, w2 ? "w2" : "resnet18", ranks, shards);
    if (argc > 5 && strcmp(argv[5], "-") != 0 && phases[TOGETHER].trainer)
        print_trace(phases[TOGETHER].trainer, group, argv[5]);
    const bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
