/* bench/bench_start.c - what a process costs besides its steps: memory, the way to the first step,
   and what it does while it waits for the next frame. It needs Linux or another system with POSIX.

     bench_start [threads [rounds [frames [net]]]]
   Default: 1 thread, 20 rounds, 250 frames, both nets.

   w1  the training step of W1 (bench_w1_w5.c): conv16 relu pool linear10, 64 x (3, 64, 64), Adam
   w4  the training step of W4: MLP 4-64-64-2, batch 32, Adam
   Each round is a process of its own, started by this one, which passes it the start time. Rows:
     start  from before the process was made to the end of its first step, in milliseconds: minimum
            and median; then the parts of the median one: until main, nn_open, the description, the
            trainer, the inputs, the first step
     memory its peak in kB after the first step and after 50 of them, by getrusage; the least of
            all rounds
     idle   a process that steps once in 16 ms and sleeps between: CPU time (of all its threads)
            between the steps, and that of the steps themselves compared with steps without pauses,
            in per cent of one core */
#define _POSIX_C_SOURCE 200809L
#define NN_IMPLEMENTATION
#include "nn.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { W1, W4, NETS, BATCH_W1 = 64, BATCH_W4 = 32, MOST_ROUNDS = 256, PARTS = 6, STEPS = 50 };
static const char *const net_names[NETS] = {"w1", "w4"};

typedef struct round_result {
    double milliseconds, part[PARTS];
    long first_kb, peak_kb;
} round_result;

typedef struct idle_result {
    double between, inside, alone; /* seconds of CPU time: between and inside steps; without pauses */
    double frames;                 /* seconds */
} idle_result;

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static double wall(void) { return seconds_of(CLOCK_MONOTONIC); }

/* CPU time of each thread that exists when this is first called. The clock of the process would
   count what another core's thread does only in whole ticks, some of it after the step. */
static double cpu(void) {
    static clockid_t clocks[256];
    static int count = 0;
    double sum = 0;
    if (!count) {
        DIR *threads = opendir("/proc/self/task");
        for (struct dirent *one; threads && count < 256 && (one = readdir(threads));)
            if (atoi(one->d_name) > 0) /* the number that Linux gives a thread's clock */
                clocks[count++] = (clockid_t)(~(unsigned)atoi(one->d_name) << 3 | 6);
        if (threads) closedir(threads);
        if (!count) clocks[count++] = CLOCK_PROCESS_CPUTIME_ID;
    }
    for (int i = 0; i < count; i++) sum += seconds_of(clocks[i]);
    return sum;
}

static long peak_kb(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* ---- the process that is measured ------------------------------------------------------------ */

typedef struct work {
    nn_context *nn;
    nn_model *net;
    nn_node *image, *label, *logits;
    nn_trainer *trainer;
    int batch;
} work;

static void describe(work *w, int kind) {
    nn_node *x;
    w->batch = kind == W1 ? BATCH_W1 : BATCH_W4;
    w->net = nn_make_model(w->nn, &(nn_model_desc){.seed = 1});
    w->image = nn_input(w->net, "image", NN_F32,
                        kind == W1 ? NN_SHAPE(NN_BATCH, 3, 64, 64) : NN_SHAPE(NN_BATCH, 4));
    w->label = nn_input(w->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    x = w->image;
    if (kind == W1) {
        const nn_conv2d_desc conv = {.out_channels = 16, .kernel = 3, .padding = 1};
        x = nn_relu(w->net, nn_conv2d(w->net, "conv1", x, &conv));
        x = nn_flatten(w->net, nn_max_pool2d(w->net, x, &(nn_pool2d_desc){.kernel = 2}));
    } else {
        x = nn_relu(w->net, nn_linear(w->net, "fc1", x, &(nn_linear_desc){.out_features = 64}));
        x = nn_relu(w->net, nn_linear(w->net, "fc2", x, &(nn_linear_desc){.out_features = 64}));
    }
    w->logits = nn_linear(w->net, "fc", x, &(nn_linear_desc){.out_features = kind == W1 ? 10 : 2});
}

static void train(work *w) {
    nn_node *loss = nn_cross_entropy(w->net, w->logits, w->label, NULL);
    w->trainer = nn_make_trainer(w->net, loss,
                                 &(nn_trainer_desc){.batch = w->batch, .optimizer = NN_ADAM,
                                                    .learning_rate = 1e-4f});
}

/* Tensors of the program, which the plan reads where they are. */
static void bind_inputs(work *w) {
    nn_shape shape = nn_node_shape(w->image);
    const int classes = nn_node_shape(w->logits).extent[1];
    shape.extent[0] = w->batch;
    nn_tensor *image = nn_make_tensor(w->nn, &(nn_tensor_desc){.name = "image", .shape = shape});
    nn_tensor *label = nn_make_tensor(
        w->nn, &(nn_tensor_desc){.name = "label", .shape = NN_SHAPE(w->batch), .dtype = NN_I32});
    float *to = image ? (float *)nn_tensor_data(image) : NULL;
    const int64_t count = to ? nn_shape_count(shape) : 0;
    uint32_t word = 1; /* from a simple generator, so that the program itself takes little time */
    for (int64_t i = 0; i < count; i++) {
        word = word * 1664525u + 1013904223u;
        to[i] = nn_word_to_uniform(word) - 0.5f;
    }
    for (int i = 0; label && i < w->batch; i++) ((int32_t *)nn_tensor_data(label))[i] = i % classes;
    nn_bind(nn_trainer_plan(w->trainer), w->image, image);
    nn_bind(nn_trainer_plan(w->trainer), w->label, label);
}

static idle_result wait_for_frames(work *w, int frames) {
    idle_result idle = {0};
    const double start = wall();
    double next = start, before = cpu();
    for (int i = 0; i < frames; i++) {
        double now = cpu();
        idle.between += now - before;
        nn_train_on_inputs(w->trainer);
        before = cpu();
        idle.inside += before - now;
        next += 0.016;
        const double pause = next - wall();
        if (pause > 0)
            nanosleep(&(struct timespec){.tv_nsec = (long)(pause * 1e9)}, NULL);
    }
    idle.between += cpu() - before;
    idle.frames = wall() - start;
    before = cpu();
    for (int i = 0; i < frames; i++) nn_train_on_inputs(w->trainer);
    idle.alone = cpu() - before;
    return idle;
}

/* Writes the measured numbers to the pipe. */
static int measured(int kind, int threads, double start, int frames, int pipe_end) {
    round_result result = {0};
    work w = {0};
    double at[PARTS + 1] = {start, wall()};
    w.nn = nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}, .threads = threads});
    at[2] = wall();
    describe(&w, kind);
    at[3] = wall();
    train(&w);
    at[4] = wall();
    bind_inputs(&w);
    at[5] = wall();
    nn_train_on_inputs(w.trainer);
    at[6] = wall();
    result.milliseconds = 1e3 * (at[6] - start);
    for (int i = 0; i < PARTS; i++) result.part[i] = 1e3 * (at[i + 1] - at[i]);
    result.first_kb = peak_kb();
    for (int i = 1; i < STEPS; i++) nn_train_on_inputs(w.trainer);
    result.peak_kb = peak_kb();
    bool good = !nn_error(w.nn);
    if (frames) {
        idle_result idle = wait_for_frames(&w, frames);
        good = good && write(pipe_end, &idle, sizeof idle) == (ssize_t)sizeof idle;
    } else
        good = good && write(pipe_end, &result, sizeof result) == (ssize_t)sizeof result;
    nn_close(w.nn);
    return good ? 0 : 1;
}

/* ---- the process that measures --------------------------------------------------------------- */

static bool run_measured(const char *program, int kind, int threads, int frames, void *result,
                         size_t bytes) {
    char text[5][40];
    int ends[2], status = 1;
    if (pipe(ends) != 0) return false;
    snprintf(text[0], sizeof text[0], "%d", kind);
    snprintf(text[1], sizeof text[1], "%d", threads);
    snprintf(text[2], sizeof text[2], "%d", frames);
    snprintf(text[3], sizeof text[3], "%d", ends[1]);
    snprintf(text[4], sizeof text[4], "%.9f", wall());
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, "measured", text[0], text[1], text[2], text[3], text[4],
              (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    const bool read_all = child > 0 && read(ends[0], result, bytes) == (ssize_t)bytes;
    close(ends[0]);
    if (child > 0) waitpid(child, &status, 0);
    return read_all && status == 0;
}

static int compare_rounds(const void *a, const void *b) {
    double x = ((const round_result *)a)->milliseconds, y = ((const round_result *)b)->milliseconds;
    return x < y ? -1 : x > y;
}

static bool measure(const char *program, int kind, int threads, int rounds, int frames) {
    static round_result all[MOST_ROUNDS];
    long first = 0, peak = 0;
    idle_result idle;
    for (int i = 0; i < rounds; i++) {
        if (!run_measured(program, kind, threads, 0, &all[i], sizeof all[i])) return false;
        if (i == 0 || all[i].first_kb < first) first = all[i].first_kb;
        if (i == 0 || all[i].peak_kb < peak) peak = all[i].peak_kb;
    }
    qsort(all, (size_t)rounds, sizeof all[0], compare_rounds);
    const round_result *median = &all[rounds / 2];
    printf("%s start  %d thread(s) %8.2f %8.2f ms; main %.2f, open %.2f, describe %.2f, trainer %.2f, "
           "inputs %.2f, step %.2f\n",
           net_names[kind], threads, all[0].milliseconds, median->milliseconds, median->part[0],
           median->part[1], median->part[2], median->part[3], median->part[4], median->part[5]);
    printf("%s memory %d thread(s) %8ld %8ld kB\n", net_names[kind], threads, first, peak);
    fflush(stdout);
    if (!run_measured(program, kind, threads, frames, &idle, sizeof idle)) return false;
    printf("%s idle   %d thread(s) %8.3f %% between steps; steps %.3f %%, without pauses %.3f %%\n",
           net_names[kind], threads, 100 * idle.between / idle.frames,
           100 * idle.inside / idle.frames, 100 * idle.alone / idle.frames);
    fflush(stdout);
    return true;
}

int main(int argc, char **argv) {
    if (argc > 6 && strcmp(argv[1], "measured") == 0)
        return measured(atoi(argv[2]), atoi(argv[3]), atof(argv[6]), atoi(argv[4]), atoi(argv[5]));
    const int threads = argc > 1 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 20,
              frames = argc > 3 ? atoi(argv[3]) : 250;
    for (int kind = 0; kind < NETS; kind++)
        if ((argc < 5 || strcmp(argv[4], net_names[kind]) == 0) &&
            !measure(argv[0], kind, threads, rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS, frames)) {
            fprintf(stderr, "bench_start: %s failed\n", net_names[kind]);
            return 1;
        }
    return 0;
}
