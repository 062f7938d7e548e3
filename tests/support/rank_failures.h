/* tests/support/rank_failures.h - one training run of a group in which one rank has a failure. All
   ranks must end with the same error, at the same step, with the same weights, and with the name of
   that rank. tests/group/test_rank_failures.c runs it with threads, tests/mpi/test_mpi.c with
   processes. */
#ifndef RANK_FAILURES_H
#define RANK_FAILURES_H

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FAIL_SAMPLES = 42, FAIL_FEATURES = 4, FAIL_BATCH = 16, FAIL_CLASSES = 3 };

typedef enum failure {
    FAILURE_NAN,
    FAILURE_LABEL,
    FAILURE_SAMPLE,           /* the dataset's function fails */
    FAILURE_VALIDATION_LABEL, /* in a validation */
    FAILURE_CALLBACK,         /* nn_fit's callback says stop */
    FAILURE_SIGNAL,           /* Ctrl-C: a handler sets a flag that the callback checks */
    FAILURE_DISK,             /* no room for a checkpoint; an older one exists */
    FAILURE_MEMORY,           /* allocation number `nth`, counted from the dataset on */
    FAILURES
} failure;

static const char *const failure_names[] = {"NaN",      "label",  "sample", "label of validation",
                                            "callback", "Ctrl-C", "disk",   "memory"};

/* An allocator that can fail once. */
typedef struct failing {
    long calls, fail_at; /* fail_at 0: never */
    bool failed;
} failing;

static void *failing_allocate(void *user, size_t bytes, size_t alignment) {
    failing *f = (failing *)user;
    void *memory = NULL;
    if (++f->calls == f->fail_at) {
        f->failed = true;
        return NULL;
    }
    if (alignment < sizeof(void *)) alignment = sizeof(void *);
    return posix_memalign(&memory, alignment, bytes) == 0 ? memory : NULL;
}

static void failing_release(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)user, (void)bytes, (void)alignment;
    free(memory);
}

typedef struct attempt {
    nn_context *nn;
    nn_group *group;
    failing *memory; /* of that context */
    failure what;
    int32_t victim, rank;
    long nth;
    bool shares;        /* with .shard_state, and gradients in bf16 */
    const char *folder; /* for checkpoints: rank 0's, empty */
    /* state of the run */
    int calls;
    bool validates;
    struct rlimit limit;
    /* results */
    bool failed; /* the failure has happened on the victim */
    nn_result result;
    int64_t step;
    uint64_t hash;
    int files;     /* number of files in the folder at the end */
    bool complete; /* the checkpoint in the folder can be loaded */
    char error[600];
} attempt;

static volatile sig_atomic_t failing_signal;
static void failing_handler(int signal_number) { failing_signal = signal_number; }

/* Called once by the program that uses this file. */
static void failing_signals(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = failing_handler;
    sigaction(SIGINT, &action, NULL);
    action.sa_handler = SIG_IGN; /* writing beyond the limit is then an error */
    sigaction(SIGXFSZ, &action, NULL);
}

static nn_result failing_sample(attempt *a, int32_t sample, void *const *to, bool validation) {
    const bool here = a->rank == a->victim && validation == (a->what == FAILURE_VALIDATION_LABEL);
    bool now;
    for (int i = 0; i < FAIL_FEATURES; i++)
        ((float *)to[0])[i] = (float)((sample * 17 + i * 5) % 23) / 8.0f - 1.0f;
    *(int32_t *)to[1] = sample % FAIL_CLASSES;
    now = here && ++a->calls > (validation ? 2 : 5); /* not in the first step */
    if (now && a->what <= FAILURE_VALIDATION_LABEL) a->failed = true;
    if (now && a->what == FAILURE_NAN) ((float *)to[0])[1] = NAN;
    if (now && (a->what == FAILURE_LABEL || a->what == FAILURE_VALIDATION_LABEL))
        *(int32_t *)to[1] = FAIL_CLASSES;
    return now && a->what == FAILURE_SAMPLE ? NN_ERROR_FILE : NN_OK;
}

static nn_result failing_train_sample(void *user, int32_t sample, void *const *to) {
    return failing_sample((attempt *)user, sample, to, false);
}
static nn_result failing_test_sample(void *user, int32_t sample, void *const *to) {
    return failing_sample((attempt *)user, sample, to, true);
}

static bool failing_callback(void *user, const nn_progress *progress) {
    attempt *a = (attempt *)user;
    const bool now = a->rank == a->victim && progress->train.step == 4;
    if (now && a->what >= FAILURE_CALLBACK && a->what <= FAILURE_DISK) a->failed = true;
    if (now && a->what == FAILURE_SIGNAL) raise(SIGINT);
    if (now && a->what == FAILURE_DISK) { /* the checkpoint of step 2 exists */
        struct rlimit small = a->limit;
        small.rlim_cur = 700;
        setrlimit(RLIMIT_FSIZE, &small);
    }
    return !(now && (a->what == FAILURE_CALLBACK || failing_signal));
}

static nn_dataset *failing_dataset(attempt *a, nn_result (*get)(void *, int32_t, void *const *)) {
    return nn_make_dataset(
        a->nn,
        &(nn_dataset_desc){.count = FAIL_SAMPLES,
                           .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(FAIL_FEATURES)},
                                               {.name = "label", .dtype = NN_I32}),
                           .get = get,
                           .user = a});
}

static nn_trainer *failing_trainer(attempt *a, nn_model **net) {
    nn_model *m = *net = nn_make_model(a->nn, &(nn_model_desc){.name = "net", .seed = 3});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, FAIL_FEATURES));
    nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *y = nn_linear(m, "hidden", x, &(nn_linear_desc){.out_features = 5});
    y = nn_relu(m, nn_batch_norm1d(m, "bn", y, NULL));
    y = nn_linear(m, "fc", nn_dropout(m, y, 0.2f), &(nn_linear_desc){.out_features = FAIL_CLASSES});
    return nn_make_trainer(m, nn_cross_entropy(m, y, label, NULL),
                           &(nn_trainer_desc){.batch = FAIL_BATCH,
                                              .optimizer = NN_ADAM,
                                              .learning_rate = 0.01f,
                                              .metrics = NN_NODES(nn_accuracy(m, y, label)),
                                              .confusion = {y, label},
                                              .shard_state = a->shares,
                                              .wire = a->shares ? NN_BF16 : NN_F32,
                                              .group = a->group});
}

/* Counts the files in the folder and tries to load the checkpoint, as one rank in its own
   context. */
static void failing_look(attempt *a, const char *path) {
    DIR *folder = opendir(a->folder);
    struct dirent *entry;
    attempt alone = *a;
    nn_model *net;
    a->files = 0;
    while (folder && (entry = readdir(folder)) != NULL) a->files += entry->d_name[0] != '.';
    if (folder) closedir(folder);
    if (a->files == 0) return;
    alone.nn = nn_open(NULL);
    alone.group = nn_make_group(alone.nn, NULL);
    a->complete = nn_load_checkpoint(failing_trainer(&alone, &net), path, NULL) == NN_OK;
    nn_close(alone.nn);
}

static void attempt_run(attempt *a) {
    nn_context *nn = a->nn;
    nn_dataset *data, *test = NULL;
    nn_loader *train = NULL, *validation = NULL;
    nn_model *net = NULL;
    nn_trainer *trainer = NULL;
    nn_history *history = NULL;
    char path[300];
    a->rank = nn_group_rank(a->group);
    snprintf(path, sizeof path, "%s/checkpoint", a->folder);
    if (a->rank == a->victim) failing_signal = 0; /* the victim is the only thread that reads it */
    getrlimit(RLIMIT_FSIZE, &a->limit);
    a->memory->failed = false;
    history = nn_make_history(nn, NULL); /* each rank has its own history, or none */
    if (a->what == FAILURE_MEMORY && a->rank == a->victim)
        a->memory->fail_at = a->memory->calls + a->nth;
    data = failing_dataset(a, failing_train_sample);
    test = failing_dataset(a, failing_test_sample);
    train = nn_make_loader(nn, &(nn_loader_desc){.dataset = data,
                                                 .batch = FAIL_BATCH,
                                                 .shuffle = true,
                                                 .group = a->group});
    if (train)
        validation = nn_make_loader(
            nn, &(nn_loader_desc){.dataset = test, .batch = FAIL_BATCH, .group = a->group});
    if (validation) trainer = failing_trainer(a, &net);
    if (trainer) {
        nn_fit_desc desc = {.epochs = 2,
                            .validation = validation,
                            .report_every = 1,
                            .callback = failing_callback,
                            .user = a,
                            .stop = {.patience = 9, .restore_best = true},
                            .checkpoint = {.path = path, .every = 2, .best = true}};
        desc.history = history;
        a->result = nn_fit(trainer, train, &desc);
    } else {
        a->result = nn_error_code(nn);
    }
    a->memory->fail_at = 0;
    setrlimit(RLIMIT_FSIZE, &a->limit);
    a->failed = a->failed || a->memory->failed;
    a->step = nn_trainer_step(trainer);
    a->hash = 0xcbf29ce484222325u;
    for (int i = 0; trainer && i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const unsigned char *bytes = (const unsigned char *)nn_tensor_const_data(tensor);
        for (size_t j = 0; j < (size_t)nn_tensor_bytes(tensor); j++)
            a->hash = (a->hash ^ bytes[j]) * 0x100000001b3u;
    }
    snprintf(a->error, sizeof a->error, "%s", nn_error(nn) ? nn_error(nn) : "");
    nn_free_history(history);
    nn_free_trainer(trainer);
    nn_free_model(net);
    nn_free_loader(validation);
    nn_free_loader(train);
    nn_free_dataset(test);
    nn_free_dataset(data);
    nn_clear_error(nn);
    if (a->rank == 0) failing_look(a, path);
}

/* Returns the result that all ranks must have after the failure of this rank, the victim. After a
   failed allocation NN_OK is right too: a row of the ledger is memory that the library can do
   without. */
static nn_result attempt_wanted(const attempt *a) {
    static const nn_result wanted[] = {NN_ERROR_NAN, NN_ERROR_LABEL, NN_ERROR_FILE,
                                       NN_ERROR_LABEL, NN_CANCELLED, NN_CANCELLED,
                                       NN_ERROR_FILE, NN_ERROR_MEMORY};
    if (a->what == FAILURE_DISK && a->victim != 0) return NN_OK; /* rank 0 writes */
    return a->what == FAILURE_MEMORY && a->result == NN_OK ? NN_OK : wanted[a->what];
}

#endif
