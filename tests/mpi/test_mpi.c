/* tests/mpi/test_mpi.c - groups over MPI. Started without mpirun, this program starts itself under
   mpirun, once for each number of ranks and each kind of failure. Each rank writes its results into
   a file of its own, which is read after mpirun has ended. NN_FULL: every rank in turn, every level
   of thread support. */
#define _POSIX_C_SOURCE 200809L
#define NN_IMPLEMENTATION
#include "nn_group.h"
#ifdef NN_TEST_MPI
#define NN_MPI_IMPLEMENTATION
#include "nn_mpi.h"
#ifdef WITH_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif
#endif

#include "test.h"

#ifndef NN_TEST_MPI
static void test_mpi(void) { SKIP("no mpicc (libopenmpi-dev)"); }
int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_mpi);
    return test_report();
}
#else

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

#include "mpi_kill.h"
#include "rank_failures.h"
#include "rank_hash.h"
#include "rank_net.h"

/* ---- under mpirun: one rank ------------------------------------------------------------------ */

static nn_context *nn;
static nn_group *group;
static int32_t rank, size, odd;
static int wrong;
static const char *folder;
enum { STEPS = 200 };           /* of a training run */
static uint64_t weights, whole; /* hashes of what was trained: the weights, rank 0's checkpoint */

#define WANT(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            wrong++;                                                                               \
            fprintf(stderr, "rank %d, line %d: %s; %s\n", (int)rank, __LINE__, #condition,         \
                    nn_error(nn) ? nn_error(nn) : "no error");                                     \
        }                                                                                          \
    } while (0)

static float value_of(int32_t r, int64_t i) {
    uint32_t bits = (uint32_t)(i * 40503 + r * 9176 + 77) * 2654435761u;
    return ((float)(bits >> 8) / 8388608.0f - 1.0f) * (bits & 1 ? 1.0f : 4097.0f);
}

/* Computes the sum of all ranks in the tree of test_group.c. */
static float tree_of(int32_t ranks, int64_t i) {
    volatile float sums[8];
    for (int32_t r = 0; r < ranks; r++) sums[r] = value_of(r, i);
    for (int32_t left = ranks, pairs, power; left > 1; left -= pairs) {
        for (power = 1; 2 * power < left;) power *= 2;
        pairs = left - power;
        for (int32_t r = 0; r < pairs; r++) sums[r] = sums[2 * r] + sums[2 * r + 1];
        for (int32_t r = pairs; r < left - pairs; r++) sums[r] = sums[r + pairs];
    }
    return sums[0];
}

/* Repeats the checks that test_group.c makes with threads, over MPI. */
static void job_values(void) {
    static const int32_t counts[] = {1, 7, 1025, 5003, 600001};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        float *values = (float *)malloc(sizeof *values * (size_t)counts[c]);
        nn_tensor *t = nn_wrap(nn, "t", NN_F32, NN_SHAPE(counts[c]), values);
        int64_t differ = 0;
        for (int32_t i = 0; i < counts[c]; i++) values[i] = value_of(rank, i);
        WANT(nn_group_sum(group, t) == NN_OK);
        for (int32_t i = 0; i < counts[c]; i++) differ += values[i] != tree_of(size, i);
        WANT(differ == 0);
        for (int32_t from = 0; from < size; from++) {
            for (int32_t i = 0; i < counts[c]; i++) values[i] = value_of(rank, i);
            WANT(nn_group_broadcast(group, t, from) == NN_OK);
            for (int32_t i = 0; i < counts[c]; i++) differ += values[i] != value_of(from, i);
            WANT(differ == 0);
        }
        nn_free_tensor(t);
        free(values);
    }
    for (int32_t bad = 0; bad < size; bad++) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "rank %d: the loss is NaN", (int)bad);
        WANT(nn_group_agree(group, rank == bad ? NN_ERROR_NAN : NN_OK) == NN_ERROR_NAN);
        WANT(nn_error(nn) && strstr(nn_error(nn), wanted));
        nn_clear_error(nn);
        WANT(nn_group_agree(group, NN_OK) == NN_OK);
    }
    for (int32_t other = 0; other < size && size > 1; other++) {
        float values[10] = {1};
        char wanted[64];
        nn_tensor *t = nn_wrap(nn, "t", NN_F32, NN_SHAPE(10), values);
        snprintf(wanted, sizeof wanted, "rank %d is in nn_group_sum at test_mpi.c:", (int)other);
        WANT((rank == other ? nn_group_sum(group, t) : nn_group_agree(group, NN_OK)) ==
             NN_ERROR_GROUP);
        WANT(nn_error(nn) && strstr(nn_error(nn), wanted) && values[0] == 1.0f);
        nn_clear_error(nn);
        nn_free_tensor(t);
    }
}

/* A trainer and its loader, whose batches do not divide evenly. */
typedef struct training {
    rank_net net;
    nn_dataset *data;
    nn_loader *loader;
    nn_trainer *trainer;
} training;

static training begin_training(nn_group *of, nn_device device, bool narrow) {
    enum { SAMPLES = 29, BATCH = 16 };
    training t;
    t.net = rank_make_net(nn, device, 7, 4);
    t.data = rank_make_data(nn, SAMPLES);
    t.loader = nn_make_loader(nn, &(nn_loader_desc){.dataset = t.data,
                                                    .batch = BATCH,
                                                    .shuffle = true,
                                                    .seed = 5,
                                                    .device = device,
                                                    .shards = 8,
                                                    .group = of});
    t.trainer = nn_make_trainer(
        t.net.model, t.net.loss,
        &(nn_trainer_desc){
            .batch = BATCH,
            .optimizer = NN_ADAM,
            .learning_rate = 0.01f,
            .shards = 8,
            .shard_state = nn_group_size(of) % 2 == 0, /* it must not change results */
            .wire = narrow ? NN_BF16 : NN_F32,
            .group = of});
    return t;
}

static nn_result next_step(training *t) {
    for (int i = 0; i < 2; i++) {
        if (nn_next_batch(t->loader)) return nn_train_step(t->trainer, t->loader);
        if (nn_loader_result(t->loader) != NN_END) break;
    }
    return nn_loader_result(t->loader);
}

static void end_training(training *t) {
    nn_free_trainer(t->trainer);
    nn_free_loader(t->loader);
    nn_free_dataset(t->data);
    nn_free_model(t->net.model);
}

/* Returns this process's number of mappings of shared memory. */
static int count_shared(void) {
    FILE *file = fopen("/proc/self/maps", "r");
    char line[500];
    int count = 0;
    while (file && fgets(line, sizeof line, file)) count += strstr(line, "/dev/shm/nn-") != NULL;
    if (file) fclose(file);
    return count;
}

/* Runs all steps and saves a checkpoint of the weights, the running statistics and the moments.
   losses: the loss of each step, or NULL. */
static uint64_t train_net(nn_group *of, nn_device device, const char *path, float *losses) {
    const bool narrow = getenv("NN_FULL") && !losses;
    const int shared = count_shared();
    training t = begin_training(of, device, narrow);
    uint64_t hash;
    /* ranks of one machine add in shared memory, which needs a second mapping for each message */
    if (of && !narrow && !losses) WANT(count_shared() == 2 * shared);
    for (int step = 0; step < STEPS; step++) {
        WANT(next_step(&t) == NN_OK);
        if (losses) WANT(nn_read_loss(t.trainer, &losses[step]) == NN_OK);
    }
    WANT(nn_save_checkpoint(t.trainer, path, &(nn_checkpoint_desc){.loader = t.loader}) == NN_OK);
    hash = hash_net(t.net.model);
    end_training(&t);
    WANT(count_shared() == shared);
    return hash;
}

static void job_trains(void) {
    char path[200];
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    weights = train_net(group, nn_cpu(), path, NULL);
    whole = rank == 0 ? hash_file(path) : 0;
}

#ifdef WITH_OPENCL
/* Ranks with odd numbers have an OpenCL device, the others the CPU: each step has the loss that the
   CPU alone has, within 1e-3. Where each parameter is updated by one rank (.shard_state, here with
   2 and 4 ranks), all have the same weights. */
static void job_mixes(void) {
    static float alone[STEPS], mixed[STEPS];
    double most = 0.0;
    int64_t numbers[1];
    char path[200];
    nn_tensor *t = nn_wrap(nn, "hash", NN_I64, NN_SHAPE(1), numbers);
    snprintf(path, sizeof path, "%s/alone%d", folder, (int)rank);
    train_net(NULL, nn_cpu(), path, alone);
    WANT(rank % 2 == 0 || nn_opencl_open(nn, NULL) == NN_OK);
    snprintf(path, sizeof path, "%s/mixed", folder);
    weights = train_net(group, rank % 2 ? nn_opencl(0) : nn_cpu(), path, mixed);
    for (int i = 0; i < STEPS; i++) most = fmax(most, fabs((double)mixed[i] - (double)alone[i]));
    fprintf(stderr, "rank %d: losses differ by up to %g; the last one is %g\n", (int)rank, most,
            (double)mixed[STEPS - 1]);
    WANT(most < 1e-3 && alone[STEPS - 1] < 0.5f * alone[0]);
    numbers[0] = (int64_t)weights;
    WANT(nn_group_broadcast(group, t, 0) == NN_OK);
    WANT(size % 2 == 1 || numbers[0] == (int64_t)weights);
    nn_free_tensor(t);
}
#endif

#include "mpi_attacks.h"

/* Makes everything that may fail on one rank fail, on each rank in turn (rank_failures.h). */
static failing memory;

static void job_fails(void) {
    static const long some[] = {1, 6, 25, 60};
    char own[200];
    failing_signals();
    snprintf(own, sizeof own, "%s/fails", folder);
    mkdir(own, 0777);
    for (int i = 0; i < (FAILURE_MEMORY + 4) * size; i++) {
        char name[16], path[300];
        int64_t numbers[4];
        nn_tensor *t = nn_wrap(nn, "numbers", NN_I64, NN_SHAPE(4), numbers);
        nn_result wanted;
        attempt a;
        memset(&a, 0, sizeof a);
        a.nn = nn;
        a.group = group;
        a.memory = &memory;
        a.what = i / size < FAILURE_MEMORY ? (failure)(i / size) : FAILURE_MEMORY;
        a.nth = a.what == FAILURE_MEMORY ? some[i / size - FAILURE_MEMORY] : 0;
        a.victim = (int32_t)i % size;
        a.folder = own;
        attempt_run(&a);
        numbers[0] = attempt_wanted(&a);
        numbers[1] = a.failed;
        WANT(nn_group_broadcast(group, t, a.victim) == NN_OK && numbers[1]);
        wanted = (nn_result)numbers[0];
        numbers[2] = a.step;
        numbers[3] = (int64_t)a.hash;
        WANT(nn_group_broadcast(group, t, 0) == NN_OK);
        snprintf(name, sizeof name, "rank %d: ", (int)a.victim);
        if (a.result != wanted || a.step != numbers[2] || (int64_t)a.hash != numbers[3] ||
            ((int)wanted < 0 && rank != a.victim && !strstr(a.error, name)) ||
            (rank == 0 && (a.files > 2 || (a.files > 0 && !a.complete)))) {
            wrong++;
            fprintf(stderr, "%s %ld on rank %d: rank %d has %s at step %d, %d files, %s: %s\n",
                    failure_names[a.what], a.nth, (int)a.victim, (int)rank,
                    nn_result_text(a.result), (int)a.step, a.files,
                    a.complete ? "whole" : "none is whole", a.error);
        }
        nn_free_tensor(t);
        for (int f = 0; f < 2 && rank == 0; f++) {
            snprintf(path, sizeof path, "%s/checkpoint%s", own, f ? ".best" : "");
            remove(path);
        }
    }
}

/* One rank fails and closes while the others are in a sum. */
static void job_leaves(void) {
    float values[10] = {1};
    nn_tensor *t = nn_wrap(nn, "t", NN_F32, NN_SHAPE(10), values);
    WANT(nn_group_agree(group, NN_OK) == NN_OK);
    if (rank == odd) {
        nn_open_safetensors(nn, "/nowhere/at_all");
        return;
    }
    WANT(nn_group_sum(group, t) == NN_ERROR_GROUP && values[0] == 1.0f);
    WANT(nn_group_agree(group, NN_OK) == NN_ERROR_GROUP);
}

static int dies_after; /* microseconds */

static void *die_soon(void *data) {
    struct timespec moment = {0, 0};
    moment.tv_sec = dies_after / 1000000;
    moment.tv_nsec = 1000 * (long)(dies_after % 1000000);
    nanosleep(&moment, NULL);
    raise(SIGKILL);
    return data;
}

/* One process is killed, most often inside an exchange. */
static void job_dies(void) {
    float *values = (float *)calloc(1000000, sizeof *values);
    nn_tensor *t = nn_wrap(nn, "t", NN_F32, NN_SHAPE(1000000), values);
    nn_result result = NN_OK;
    pthread_t thread;
    WANT(nn_group_agree(group, NN_OK) == NN_OK);
    if (rank == odd) WANT(pthread_create(&thread, NULL, die_soon, NULL) == 0);
    while (result == NN_OK) result = nn_group_sum(group, t);
    WANT(result == NN_ERROR_GROUP);
    WANT(nn_group_agree(group, NN_OK) == NN_ERROR_GROUP);
}

/* Kills a process in the middle of training with checkpoints. odd -1: nobody is killed. */
static void job_goes_on(void) {
    char path[300];
    pthread_t thread;
    nn_result result;
    snprintf(path, sizeof path, "%s.kept/checkpoint", folder);
    if (rank == odd) WANT(pthread_create(&thread, NULL, die_soon, NULL) == 0);
    result = train_resumed(nn, group, path);
    if (rank == odd && result == NN_OK) pthread_join(thread, NULL); /* it waits for its death */
    WANT(result == NN_OK || nn_error_code(nn) == NN_ERROR_GROUP);
}

/* A rank sleeps until the others have accused it. */
static void job_silent(void) {
    WANT(nn_group_agree(group, NN_OK) == NN_OK);
    for (int32_t r = 0; rank == odd && r < size; r++) {
        char path[400];
        struct stat there;
        struct timespec moment = {0, 1000000};
        if (r == odd) continue;
        snprintf(path, sizeof path, "%s/rank%d", folder, (int)r);
        while (stat(path, &there) != 0) nanosleep(&moment, NULL);
    }
    WANT(nn_group_agree(group, NN_OK) == NN_ERROR_GROUP);
}

static void job_nothing(void) {
    float value = 1.0f;
    nn_tensor *t = nn_wrap(nn, "t", NN_F32, NN_SHAPE(1), &value);
    WANT(nn_group_sum(group, t) == NN_OK && value == (float)size);
}

/* A program may call MPI_Finalize too early: this is an error, and the process continues. The
   loader has fewer samples than there are ranks; ranks without a sample get the loss of all
   samples, too. */
static void job_ends_early(void) {
    float x[4] = {1, 2, 3, 4}, value = 0.0f, same = 0.0f;
    nn_model *m = nn_make_model(nn, NULL);
    nn_node *y = nn_linear(m, "fc", nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)),
                           &(nn_linear_desc){.out_features = 1});
    nn_dataset *data = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = 1, .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(4), .data = x})});
    nn_loader *loader =
        nn_make_loader(nn, &(nn_loader_desc){.dataset = data, .batch = 8, .group = group});
    nn_trainer *trainer = nn_make_trainer(m, nn_mean(m, nn_multiply(m, y, y), NN_ALL_AXES),
                                          &(nn_trainer_desc){.batch = 8, .group = group});
    nn_tensor *t = nn_wrap(nn, "t", NN_F32, NN_SHAPE(1), &same);
    WANT(nn_next_batch(loader) && nn_train_step(trainer, loader) == NN_OK);
    WANT(nn_read_loss(trainer, &value) == NN_OK && value > 0.0f);
    same = value;
    WANT(nn_group_broadcast(group, t, 0) == NN_OK && same == value);
    MPI_Finalize();
    WANT(nn_group_sum(group, t) == NN_ERROR_GROUP && same == value);
    WANT(nn_error(nn) && strstr(nn_error(nn), "MPI_Finalize was called before nn_free_group"));
    WANT(nn_train_step(trainer, loader) == NN_ERROR_GROUP);
    nn_clear_error(nn);
}

static void report_now(int status) {
    char path[400], final[380];
    FILE *file;
    const char *error = nn ? nn_error(nn) : "no context";
    snprintf(final, sizeof final, "%s/rank%d", folder, (int)rank);
    snprintf(path, sizeof path, "%s.new", final);
    file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "%d\n%016llx %016llx\n%s\n", status, (unsigned long long)weights,
            (unsigned long long)whole, error ? error : "");
    fclose(file);
    rename(path, final);
}

/* The arguments are the job, the folder, the odd rank, the timeout, the level of thread support
   (-1: MPI is not initialised), and when the odd rank dies (in microseconds, or at which call of
   MPI). With "wire" as the last one, all bytes go through MPI. */
static int run_rank(char **argv) {
    const char *job = argv[0];
    const int level = atoi(argv[4]);
    nn_desc desc = {.threads = 1, .allocator = {failing_allocate, failing_release, &memory}};
    nn_mpi_desc mpi;
    int given = 0, process = 0;
    memset(&mpi, 0, sizeof mpi);
    folder = argv[1];
    odd = (int32_t)atoi(argv[2]);
    mpi.timeout = atof(argv[3]);
    mpi.no_shared_memory = argv[6] && strcmp(argv[6], "wire") == 0;
    dies_after = atoi(argv[5]);
    rank_fill_data();
    if (level >= 0) MPI_Init_thread(NULL, NULL, level, &given);
    if (level >= 0) MPI_Comm_rank(MPI_COMM_WORLD, &process);
    nn = nn_open(&desc);
    if (strcmp(job, "opens") == 0 && process == odd) calls_left = dies_after;
    group = nn_mpi_open(nn, &mpi);
    rank = group ? nn_group_rank(group) : (int32_t)process;
    size = nn_group_size(group);
    calls_left = 0;
    if (!group) {
        report_now(strcmp(job, "opens") != 0);
        return 1;
    }
    if (strstr(job, "values")) job_values();
    if (strstr(job, "trains")) job_trains();
#ifdef WITH_OPENCL
    if (strcmp(job, "mixes") == 0) job_mixes();
#endif
    if (strstr(job, "fails")) job_fails();
    if (strstr(job, "leaves")) job_leaves();
    if (strcmp(job, "dies") == 0) job_dies();
    if (strcmp(job, "goes_on") == 0) job_goes_on();
    if (strcmp(job, "silent") == 0) job_silent();
    if (strcmp(job, "opens") == 0) nn_group_agree(group, NN_OK);
    if (strcmp(job, "exits") == 0) job_exits();
    if (strcmp(job, "attacks") == 0) job_attacks();
    if (strcmp(job, "two_groups") == 0) job_two_groups();
    if (strcmp(job, "ends_early") == 0) job_ends_early();
    if (strcmp(job, "nothing") == 0) job_nothing();
    report_now(wrong);
    nn_close(nn);
    if (level >= 0) {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (strcmp(job, "ends_early") == 0) return wrong != 0;
        if (finalized) return 3; /* the library must not do that */
        if (strcmp(job, "nothing") == 0) MPI_Finalize();
    }
    return wrong != 0;
}

/* ---- the program that starts them ------------------------------------------------------------ */

static const char *self, *wire = "";
static char words[8][4096]; /* of each rank */

/* mpirun kills all processes when one dies, unless an option forbids it. MPICH's mpirun (4.0)
   ignores its option, so each process runs inside a shell that survives. */
#ifdef OPEN_MPI
static const char before[] = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ";
static const char options[] =
    "--oversubscribe --mca orte_abort_on_non_zero_status 0 --enable-recovery";
static const char survivor[] = "";
#else
/* UCX, MPICH's transport, ends a process that copies memory of a process that just died (CMA) */
static const char before[] = "UCX_TLS=^cma ";
static const char options[] = "-disable-auto-cleanup";
static const char survivor[] = "sh -c 'trap \"\" USR1; \"$@\"; exit 0' sh ";
#endif
#ifndef MPIRUN
#define MPIRUN "mpirun"
#endif

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool full(void) { return getenv("NN_FULL") != NULL; }

/* Runs a job. words[r] receives the output of rank r: its number of mistakes, its hashes, its first
   error. */
static int start(int32_t ranks, const char *job, int32_t odd_rank, double timeout, int level,
                 int death) {
    const bool lives =
        !strstr("dies silent exits opens", job) && (strcmp(job, "goes_on") != 0 || odd_rank < 0);
    char command[2000], where[100];
    int status;
    snprintf(where, sizeof where, "build/mpi.%d", (int)getpid());
    mkdir(where, 0777);
    snprintf(command, sizeof command,
             "%s%s %s -n %d %s%s --rank %s %s %d %g %d %d %s > %s/log 2>&1", before, MPIRUN,
             options, (int)ranks, lives ? "" : survivor, self, job, where, (int)odd_rank, timeout,
             level, death, wire, where);
    status = system(command);
    for (int32_t r = 0; r < ranks; r++) {
        char path[200];
        FILE *file;
        size_t length = 0;
        snprintf(path, sizeof path, "%s/rank%d", where, (int)r);
        file = fopen(path, "r");
        if (file) {
            length = fread(words[r], 1, sizeof words[r] - 1, file);
            fclose(file);
            remove(path);
        }
        words[r][length] = 0;
    }
    if (status != 0 && lives) {
        snprintf(command, sizeof command, "tail -n 8 %s/log", where);
        (void)!system(command);
    }
    snprintf(command, sizeof command, "rm -rf %s", where);
    (void)!system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* True if all others name the odd rank. tell: prints which rank does not. */
static bool is_named(int32_t ranks, int32_t odd_rank, const char *wanted, bool tell) {
    char name[100];
    bool named = true;
    snprintf(name, sizeof name, wanted, (int)odd_rank);
    test_checked(tell ? ranks - 1 : 0);
    for (int32_t r = 0; r < ranks; r++) {
        if (r == odd_rank || (words[r][0] == '0' && strstr(words[r], name))) continue;
        named = false;
        if (tell)
            test_fail(__FILE__, __LINE__, "rank %d of %d, odd %d, wanted \"%s\": %s", (int)r,
                      (int)ranks, (int)odd_rank, name, words[r]);
    }
    return named;
}

/* 1, 2 and 4 processes (NN_FULL: also 3) have the same hash of weights and running statistics on
   all ranks, and the same checkpoint. 2 processes run without shared memory. Of 4 ranks, one leaves
   at the end. */
static void test_ranks(void) {
    static char first[48];
    for (int32_t ranks = 1; ranks <= 4; ranks += ranks == 2 && !full() ? 2 : 1) {
        const char *job = ranks == 4 ? "values,trains,fails,leaves"
                          : full()   ? "values,trains"
                                     : "trains";
        wire = ranks == 2 ? "wire" : "";
        start(ranks, job, 2, 0, -1, 0);
        wire = "";
        if (ranks == 1) memcpy(first, words[0] + 2, 33);
        ENSURE(strlen(first) == 33 && strncmp(first, "0000", 4) != 0);
        for (int32_t r = 0; r < ranks; r++) {
            if (test_wrong(words[r][0] != '0' || strncmp(words[r] + 2, first, r ? 16 : 33) != 0))
                test_fail(__FILE__, __LINE__, "rank %d of %d does not have %s: %s", (int)r,
                          (int)ranks, first, words[r]);
            if (ranks < 4) ENSURE_TEXT(words[r] + 2 + 33, "\n\n");
        }
        if (ranks == 4) is_named(4, 2, "rank 2 left the group; its first error: nn_open_", true);
    }
}

/* Ranks on the CPU train together with ranks on OpenCL. */
static void test_mixed(void) {
#ifdef WITH_OPENCL
    nn_context *here = nn_open(NULL);
    const bool there = nn_opencl_open(here, NULL) == NN_OK && nn_is_open(here, nn_opencl(0));
    nn_close(here);
    if (!there) SKIP("no OpenCL device");
    for (int32_t ranks = 2; ranks <= 4; ranks++) {
        start(ranks, "mixes", -1, 0, -1, 0);
        for (int32_t r = 0; r < ranks; r++)
            if (test_wrong(words[r][0] != '0'))
                test_fail(__FILE__, __LINE__, "rank %d of %d: %s", (int)r, (int)ranks, words[r]);
    }
#else
    SKIP("built without OpenCL");
#endif
}

static void test_levels(void) {
    if (!full()) SKIP("NN_FULL=1 runs it");
    for (int level = MPI_THREAD_SINGLE; level <= MPI_THREAD_MULTIPLE; level++) {
        ENSURE(start(2, "ends_early", 0, 0, level, 0) == 0 && words[0][0] == '0');
        ENSURE(start(2, "nothing", 0, 0, level, 0) == 0);
        for (int32_t r = 0; r < 2; r++)
            ENSURE_TEXT(words[r], "0\n0000000000000000 0000000000000000\n\n");
    }
}

/* Runs the attacks of tests/mpi/mpi_attacks.h on each rank in turn. */
static void test_attacks(void) {
    if (!full()) SKIP("NN_FULL=1 runs it");
    for (int32_t odd_rank = 0; odd_rank < 3; odd_rank++)
        for (int i = 0; i < 2; i++) {
            start(3, i ? "two_groups" : "attacks", odd_rank, 0, i ? MPI_THREAD_MULTIPLE : -1, 0);
            for (int32_t r = 0; r < 3; r++)
                if (test_wrong(words[r][0] != '0' || strncmp(words[r] + 2, words[0] + 2, 16) != 0 ||
                    strcmp(words[r] + 35, "\n\n") != 0))
                    test_fail(__FILE__, __LINE__, "odd rank %d: rank %d: %s", (int)odd_rank, (int)r,
                              words[r]);
        }
}

static int segments(void) { return files_with("/dev/shm", "nn-"); }

/* A rank is killed at its n-th call of MPI inside nn_mpi_open: no rank gets a group with it, ranks
   that have heard from it before name it, and no memory is leaked. */
static void test_a_rank_dies_opening(void) {
    for (int nth = 1; nth <= 15 && full(); nth++) {
        const int32_t odd_rank = nth % 2 ? 0 : 1 + nth / 2 % 2;
        start(3, "opens", odd_rank, 1.5, MPI_THREAD_MULTIPLE, nth);
        if (words[odd_rank][0]) continue; /* the rank made fewer calls */
        for (int32_t r = 0; r < 3; r++)
            if (test_wrong(r != odd_rank && (words[r][0] != '0' || !strstr(words[r] + 35, "nn_"))))
                test_fail(__FILE__, __LINE__, "call %d, rank %d: %s", nth, (int)r, words[r]);
        if (nth > 1) is_named(3, odd_rank, "rank %d ", true);
    }
    for (int i = 0; i < 50 && segments() > 0; i++) { /* another test may be opening at this
                                                        moment */
        struct timespec moment = {0, 20000000};
        nanosleep(&moment, NULL);
    }
    ENSURE(segments() == 0);
}

static void test_a_rank_leaves(void) {
    if (!full()) SKIP("NN_FULL=1 runs it");
    for (int32_t odd_rank = 0; odd_rank < 4; odd_rank++) {
        start(4, "leaves", odd_rank, 0, -1, 0);
        is_named(4, odd_rank, "rank %d left the group; its first error: nn_open_safetensors",
                 true);
    }
}

/* Every job ends, and every rank but one has the error. On a busy machine another process may stand
   still for the whole timeout and be accused; the job then runs again with a longer timeout. */
static void ensure_missed(const char *job, int32_t ranks, int32_t odd_rank) {
    static const double timeouts[] = {0.5, 3, 15};
    const int delay = 1000 + 7000 * (int)odd_rank;
    for (int i = 0; i < 3; i++) {
        start(ranks, job, odd_rank, timeouts[i], -1, delay);
        if (is_named(ranks, odd_rank, "rank %d is gone, says rank", false) || /* MPI knows */
            is_named(ranks, odd_rank, "rank %d did not answer", i == 2)) {
            test_checked(1);
            return;
        }
        if (!is_named(ranks, odd_rank, "did not answer", true)) return;
    }
}

static void test_a_rank_exits(void) {
    if (!full()) SKIP("NN_FULL=1 runs it");
    for (int32_t odd_rank = 0; odd_rank < 3; odd_rank++)
        ensure_missed("exits", 3, odd_rank);
}

static void test_a_rank_dies(void) {
    if (!full()) {
        ensure_missed("dies", 2, 1);
        return;
    }
    for (int32_t odd_rank = 0; odd_rank < 4; odd_rank++) ensure_missed("dies", 4, odd_rank);
    wire = "wire";
    for (int32_t odd_rank = 0; odd_rank < 3; odd_rank++) ensure_missed("dies", 3, odd_rank);
    wire = "";
}

/* The longest time in seconds for which the machine kept this process from running. */
static volatile double stood_still;
static volatile bool watching;

static void *watch(void *data) {
    while (watching) {
        const double last = seconds_now();
        struct timespec moment = {0, 10000000};
        nanosleep(&moment, NULL);
        if (seconds_now() - last > stood_still) stood_still = seconds_now() - last;
    }
    return data;
}

/* A rank is killed 50 times, most often between two checkpoints, and the training continues with
   one rank fewer: 4, 3, 2, and again 4. A run that ends begins again. All others name the rank that
   was killed, unless the machine stood still for a good part of the timeout, so that they accused
   each other before. */
static void test_kills(void) {
    char kept[120], path[140], command[200];
    const double timeout = 2.0;
    uint64_t wanted, seed = (uint64_t)getpid();
    int starts = 0, kills = 0, ends = 0, named = 0;
    pthread_t watcher;
    if (!full()) SKIP("NN_FULL=1 runs it");
    snprintf(kept, sizeof kept, "build/mpi.%d.kept", (int)getpid());
    snprintf(path, sizeof path, "%s/checkpoint", kept);
    snprintf(command, sizeof command, "rm -rf %s", kept);
    mkdir(kept, 0777);
    start(1, "goes_on", -1, 0, -1, 0);
    ENSURE_TEXT(words[0] + 35, "\n\n");
    wanted = hash_files(path);
    ENSURE(wanted != 0);
    (void)!system(command);
    mkdir(kept, 0777);
    watching = true;
    ENSURE(pthread_create(&watcher, NULL, watch, NULL) == 0);
    for (int32_t ranks = 4; kills < 50 || ends == 0; ranks = ranks > 2 ? ranks - 1 : 4, starts++) {
        const int32_t victim = starts % ranks, other = victim == 0;
        uint32_t random[4];
        nn_random_words(seed, 1, (uint64_t)starts, random);
        stood_still = 0.0;
        start(ranks, "goes_on", kills < 50 ? victim : -1, timeout, -1, (int)(random[0] % 1500000));
        for (int32_t r = 0; r < ranks; r++)
            if (test_wrong(words[r][0] != '0' && (r != victim || words[r][0])))
                test_fail(__FILE__, __LINE__, "start %d, rank %d of %d is killed; rank %d: %s",
                          starts, (int)victim, (int)ranks, (int)r, words[r]);
        if (strstr(words[other], "\n\n")) { /* the training ended */
            ends++;
            if (test_wrong(hash_files(path) != wanted)) test_fail(__FILE__, __LINE__, "other bytes");
            (void)!system(command);
            mkdir(kept, 0777);
            continue;
        }
        kills += words[victim][0] == 0;
        if (words[victim][0] == 0 &&
            is_named(ranks, victim, "rank %d did not answer", stood_still < timeout / 4))
            named++;
        else
            printf("  this machine stood still for %.2f s\n", stood_still);
    }
    watching = false;
    pthread_join(watcher, NULL);
    printf("  %d kills, in %d of which all others named the rank; %d runs came to their end\n",
           kills, named, ends);
    (void)!system(command);
}

static void test_a_rank_is_silent(void) {
    if (!full()) SKIP("NN_FULL=1 runs it");
    for (int32_t odd_rank = 0; odd_rank < 4; odd_rank++)
        ensure_missed("silent", 4, odd_rank);
    for (int32_t odd_rank = 0; odd_rank < 3; odd_rank++)
        ensure_missed("silent", 3, odd_rank);
}

#ifdef NN__MPI_SHARED
static int patience_left;
static bool have_patience(void *of) {
    (void)of;
    return patience_left-- > 0;
}

/* A rank reads memory that another one writes: whatever it holds, nothing is written beyond the
   caller's bytes. */
static void test_a_peer_writes_nonsense(void) {
    enum { BYTES = 1000, GUARD = 4000 };
    static const uint32_t nonsense[][2] = {/* bytes, written */
                                           {BYTES, BYTES + 1},         {BYTES, BYTES + GUARD},
                                           {BYTES, 0xFFFFFFFFu},       {BYTES + 1, 10},
                                           {BYTES + GUARD, BYTES + 9}, {0, 0}};
    nn__mpi_segment *theirs = (nn__mpi_segment *)calloc(1, sizeof *theirs);
    nn__mpi_segment *mine = (nn__mpi_segment *)calloc(1, sizeof *mine);
    char got[BYTES + GUARD];
    for (size_t i = 0; i <= sizeof nonsense / sizeof nonsense[0]; i++) {
        const bool sound = i == sizeof nonsense / sizeof nonsense[0];
        nn__mpi_peer peers[2];
        nn__mpi mpi;
        size_t spoilt = 0;
        memset(&mpi, 0, sizeof mpi);
        memset(peers, 0, sizeof peers);
        memset(got, 1, sizeof got);
        mpi.size = 2;
        mpi.peers = peers;
        mpi.segment = mine;
        peers[1].segment = theirs;
        theirs->slot[0].word = nn__mpi_word(0, 1);
        theirs->slot[0].bytes = sound ? BYTES : nonsense[i][0];
        theirs->slot[0].written = sound ? BYTES : nonsense[i][1];
        memset(theirs->slot[0].data, 2, BYTES + GUARD);
        patience_left = 3;
        ENSURE(nn__mpi_pass(&mpi, 1, NULL, 0, got, BYTES, false, have_patience, NULL) == sound);
        for (size_t k = 0; k < sizeof got; k++) spoilt += got[k] != (sound && k < BYTES ? 2 : 1);
        ENSURE(spoilt == 0);
    }
    free(theirs);
    free(mine);
}
#else
static void test_a_peer_writes_nonsense(void) { SKIP("no memory in common here"); }
#endif

int main(int argc, char **argv) {
    if (argc >= 8 && strcmp(argv[1], "--rank") == 0) return run_rank(argv + 2);
    self = argv[0];
    test_start(argc, argv);
    RUN(test_a_peer_writes_nonsense);
    RUN(test_ranks);
    RUN(test_mixed);
    RUN(test_levels);
    RUN(test_attacks);
    RUN(test_a_rank_leaves);
    RUN(test_a_rank_exits);
    RUN(test_a_rank_dies_opening);
    RUN(test_a_rank_dies);
    RUN(test_kills);
    RUN(test_a_rank_is_silent);
    return test_report();
}
#endif
