/* tests/train/test_killed_saving.c - a run that saves every few steps is killed with SIGKILL at
   random moments and resumed, until it is complete. There is always a checkpoint that loads, and
   the final bytes are those of an undisturbed run. There are 20 kills, or 300 with NN_FULL=1. The
   test needs POSIX. */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#define _DARWIN_C_SOURCE 1 /* macOS: for mkdtemp */
#endif
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"
#include "lists.h"

#include <stdlib.h>

#if !defined(_WIN32)
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES = 40, WIDTH = 24, BATCH = 4, EPOCHS = 3, STEPS = EPOCHS * SAMPLES / BATCH };

static char folder[64], paths[2][96]; /* of the run that is killed, and of the one that is not */

typedef struct run {
    nn_context *nn;
    nn_loader  *loader;
    nn_trainer *trainer;
    float images[SAMPLES * WIDTH];
    float targets[SAMPLES];
} run;

static void open_run(run *r) {
    nn_desc desc;
    nn_model *net;
    nn_linear_desc layer;
    nn_dataset_desc data;
    nn_loader_desc loader;
    nn_trainer_desc trainer;
    nn_node *x;
    uint32_t words[4];
    memset(r, 0, sizeof *r);
    memset(&desc, 0, sizeof desc);
    memset(&layer, 0, sizeof layer);
    memset(&data, 0, sizeof data);
    memset(&loader, 0, sizeof loader);
    memset(&trainer, 0, sizeof trainer);
    for (int i = 0; i < SAMPLES * WIDTH; i++) {
        nn_random_words(1, 2, (uint64_t)i, words);
        r->images[i] = nn_word_to_uniform(words[0]);
        r->targets[i / WIDTH] += r->images[i] / WIDTH;
    }
    desc.threads = 1;
    r->nn = nn_open(&desc);
    net = nn_make_model(r->nn, NULL);
    x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    layer.out_features = 32;
    x = nn_dropout(net, nn_tanh(net, nn_linear(net, "fc1", x, &layer)), 0.1f);
    layer.out_features = 1;
    x = nn_linear(net, "fc2", x, &layer);
    data.count = SAMPLES;
    FIELD_AT(data.fields, 0).name = "x";
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(WIDTH);
    FIELD_AT(data.fields, 0).data = r->images;
    FIELD_AT(data.fields, 1).name = "y";
    FIELD_AT(data.fields, 1).shape = NN_SHAPE(1);
    FIELD_AT(data.fields, 1).data = r->targets;
    loader.dataset = nn_make_dataset(r->nn, &data);
    loader.batch = BATCH;
    loader.shuffle = true;
    r->loader = nn_make_loader(r->nn, &loader);
    trainer.batch = BATCH;
    trainer.optimizer = NN_ADAM;
    trainer.schedule.kind = NN_SCHEDULE_COSINE;
    trainer.schedule.steps = STEPS;
    r->trainer = nn_make_trainer(
        net, nn_mse_loss(net, x, nn_input(net, "y", NN_F32, NN_SHAPE(NN_BATCH, 1)), NULL),
        &trainer);
}

static bool go_on(const char *path, int keep) {
    run r;
    nn_fit_desc desc;
    bool done;
    open_run(&r);
    memset(&desc, 0, sizeof desc);
    desc.epochs = EPOCHS;
    desc.checkpoint.path = path;
    desc.checkpoint.every = 2;
    desc.checkpoint.keep = keep;
    desc.checkpoint.resume = true;
    done = nn_fit(r.trainer, r.loader, &desc) == NN_OK && nn_trainer_step(r.trainer) == STEPS;
    if (nn_error(r.nn)) printf("%s\n", nn_error(r.nn));
    nn_close(r.nn);
    return done;
}

static bool loads(const char *path) {
    run r;
    bool fine;
    open_run(&r);
    fine = nn_load_checkpoint(r.trainer, path, NULL) == NN_OK;
    if (nn_error(r.nn)) printf("%s\n", nn_error(r.nn));
    nn_close(r.nn);
    return fine;
}

static bool exists(const char *path, const char *end) {
    char name[128];
    FILE *file;
    snprintf(name, sizeof name, "%s%s", path, end);
    file = fopen(name, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static void forget(const char *path) {
    const char *const ends[] = {"", ".1", ".2", ".new", ".tmp", ".new.tmp"};
    char name[128];
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        remove(name);
    }
}

static long read_all(const char *path, char *bytes, long most) {
    FILE *file = fopen(path, "rb");
    long count = file ? (long)fread(bytes, 1, (size_t)most, file) : -1;
    if (file) fclose(file);
    return count;
}

static void nap(double seconds) {
    struct timespec time;
    time.tv_sec = (time_t)seconds;
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    nanosleep(&time, NULL);
}

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void test_killed_at_any_moment(void) {
    static char whole[1 << 17], other[1 << 17];
    int wanted = getenv("NN_FULL") ? 300 : 20, kills = 0, written = 0, runs = 0;
    long bytes;
    double start, length;
    uint32_t words[4];
    ENSURE(exists(folder, "/."));
    start = seconds_now();
    ENSURE(go_on(paths[1], 1));
    length = seconds_now() - start;
    bytes = read_all(paths[1], whole, sizeof whole);
    ENSURE(bytes > 1000 && bytes < (long)sizeof whole);
    while (kills < wanted) { /* a run that is killed several times */
        int keep = runs % 2 ? 3 : 1, status = 0;
        forget(paths[0]);
        for (bool done = false; !done;) {
            bool before = exists(paths[0], "") || exists(paths[0], ".1"), exited;
            pid_t child;
            fflush(stdout);
            child = fork();
            ENSURE(child >= 0);
            if (child == 0) _exit(go_on(paths[0], keep) ? 0 : 1);
            nn_random_words(77, 1, (uint64_t)(kills * 1000 + runs), words);
            if (kills < wanted) nap(length * 0.6 * (double)nn_word_to_uniform(words[0]));
            exited = waitpid(child, &status, WNOHANG) == child;
            if (!exited && kills < wanted) {
                kill(child, SIGKILL);
                kills++;
                waitpid(child, &status, 0);
                exited = WIFEXITED(status); /* it ended before the signal */
            } else if (!exited) {
                waitpid(child, &status, 0);
                exited = true;
            }
            if (exited) ENSURE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            done = exited;
            if (before || exists(paths[0], "") || exists(paths[0], ".1")) {
                ENSURE(loads(paths[0]));
                written++;
            }
        }
        runs++;
        ENSURE(read_all(paths[0], other, sizeof other) == bytes &&
               memcmp(whole, other, (size_t)bytes) == 0);
    }
    forget(paths[0]);
    forget(paths[1]);
    ENSURE(written > 0); /* how many depends on the load of the machine */
    printf("killed %d times in %d runs, a checkpoint was there %d times\n", kills, runs, written);
}

int main(int argc, char **argv) {
    const char *where = getenv("TMPDIR");
    test_start(argc, argv);
    snprintf(folder, sizeof folder, "%s/nn_kill_XXXXXX",
             where && strlen(where) < 40 ? where : "/tmp");
    if (!mkdtemp(folder)) return 1;
    snprintf(paths[0], sizeof paths[0], "%s/run", folder);
    snprintf(paths[1], sizeof paths[1], "%s/whole", folder);
    RUN(test_killed_at_any_moment);
    rmdir(folder);
    return test_report();
}
#else
static void test_killed_at_any_moment(void) { SKIP("no fork here"); }

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_killed_at_any_moment);
    return test_report();
}
#endif
