/* tests/base/test_host_program.c - the library in a program that changes the rounding mode of its
   threads, handles and blocks signals, forks, and has a faulty job system, as real programs do. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include <fenv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"
#include "lists.h"

#if !defined(_WIN32) && !defined(NN_NO_THREADS) && !defined(__TINYC__)
#define TEST_POSIX
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#endif

enum { COUNT = 1 << 18 };

static nn_tensor *make_floats(nn_context *nn, int count) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.shape = NN_SHAPE(count);
    return nn_make_tensor(nn, &desc);
}

static nn_context *open_with(int threads, nn_jobs jobs) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = threads;
    desc.jobs = jobs;
    return nn_open(&desc);
}

static const nn_jobs no_jobs = {NULL, 0, NULL};

/* ---- the caller's rounding ------------------------------------------------------------------- */

#ifdef TEST_POSIX
typedef struct {
    pthread_t thread;
    void (*item)(void *, int);
    void *data;
    int i;
} job_thread;
static void *job_thread_main(void *user) {
    job_thread *self = (job_thread *)user;
    self->item(self->data, self->i);
    if (fegetround() != FE_TONEAREST)
        self->i = -1; /* the program's threads get their own rounding back */
    return NULL;
}
/* Each item runs on a thread of its own, which is made with the usual rounding mode. */
static void jobs_on_threads(void *user, int count, void (*item)(void *, int), void *data) {
    job_thread threads[8];
    int before = fegetround();
    fesetround(FE_TONEAREST);
    for (int i = 0; i < count; i++) {
        threads[i].item = item, threads[i].data = data, threads[i].i = i;
        if (pthread_create(&threads[i].thread, NULL, job_thread_main, &threads[i]) != 0)
            *(int *)user += 100;
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i].thread, NULL);
        *(int *)user += threads[i].i < 0;
    }
    fesetround(before);
}

static void test_rounding(void) {
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    int wrong = 0;
    nn_jobs jobs = {jobs_on_threads, 4, &wrong};
    nn_context *one = open_with(1, no_jobs), *many[2];
    nn_tensor *x = make_floats(one, COUNT), *y = make_floats(one, COUNT);
    float *values = (float *)nn_tensor_data(x), last = 0;
    many[0] = open_with(4, no_jobs);
    many[1] = open_with(0, jobs);
    for (int i = 0; i < COUNT; i++) values[i] = 1.0f + (float)i * 1e-4f;
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m]);
        ENSURE(nn_scale_forward(y, x, 1.0f / 3.0f) == NN_OK);
        for (int k = 0; k < 2; k++) {
            nn_tensor *a = make_floats(many[k], COUNT), *b = make_floats(many[k], COUNT);
            memcpy(nn_tensor_data(a), values, COUNT * sizeof *values);
            for (int run = 0; run < 20; run++) {
                ENSURE(nn_scale_forward(b, a, 1.0f / 3.0f) == NN_OK);
                ENSURE(memcmp(nn_tensor_data(b), nn_tensor_data(y), COUNT * sizeof *values) == 0);
            }
            nn_free_tensor(a);
            nn_free_tensor(b);
        }
        float sum = 0; /* if all sums are equal, the machine has only one rounding mode, and this
                          tests nothing */
        fesetround(FE_TONEAREST);
        for (int i = 0; i < 1000; i++) sum += ((const float *)nn_tensor_data(y))[i];
        if (modes[m] == FE_DOWNWARD && last == sum) SKIP("this machine rounds in one way only");
        last = sum;
    }
    ENSURE(wrong == 0);
    nn_close(one);
    nn_close(many[0]);
    nn_close(many[1]);
}
#endif

/* ---- job systems with a mistake -------------------------------------------------------------- */

typedef enum {
    JOBS_NONE,
    JOBS_ONE,
    JOBS_ALL_BUT_LAST,
    JOBS_SAME,
    JOBS_WRONG_NUMBERS,
    JOBS_TWICE,
    JOBS_LATE
} mistake;
typedef struct {
    mistake kind;
    int calls, count;
    void (*item)(void *, int);
    void *data;
} bad_jobs;

static void jobs_with_mistake(void *user, int count, void (*item)(void *, int), void *data) {
    bad_jobs *jobs = (bad_jobs *)user;
    jobs->calls++;
    jobs->count = count, jobs->item = item, jobs->data = data;
    switch (jobs->kind) {
    case JOBS_ONE: item(data, 0); break;
    case JOBS_ALL_BUT_LAST:
        for (int i = 0; i + 1 < count; i++) item(data, i);
        break;
    case JOBS_SAME:
        for (int i = 0; i < count; i++) item(data, 1);
        break;
    case JOBS_WRONG_NUMBERS:
        for (int i = 1; i <= count; i++) item(data, i == count ? 1000 : -i);
        break;
    case JOBS_TWICE:
        for (int i = 0; i < 2 * count; i++) item(data, i % count);
        break;
    default: break;
    }
}

/* No mistake may return NN_OK without a result. */
static void test_jobs_that_return_early(void) {
    for (int kind = JOBS_NONE; kind <= JOBS_LATE; kind++) {
        bad_jobs bad = {(mistake)kind, 0, 0, NULL, NULL};
        nn_jobs jobs = {jobs_with_mistake, 4, &bad};
        nn_context *nn = open_with(0, jobs);
        nn_tensor *x = make_floats(nn, COUNT), *y = make_floats(nn, COUNT);
        float *to = (float *)nn_tensor_data(y);
        for (int i = 0; i < COUNT; i++) ((float *)nn_tensor_data(x))[i] = 2.0f;
        nn_result result = nn_scale_forward(y, x, 2.0f);
        ENSURE(bad.calls == 1 && bad.count == 4);
        if (kind == JOBS_TWICE) {
            ENSURE(result == NN_OK && nn_error(nn) == NULL); /* an item that runs twice counts
                                                                once */
        } else {
            ENSURE(result == NN_ERROR_CALLBACK && nn_error_code(nn) == NN_ERROR_CALLBACK);
#ifndef NN_NO_REPORTS
            ENSURE(strstr(nn_error(nn), "nn_scale_forward") &&
                   strstr(nn_error(nn), "nn_desc.jobs.run returned before"));
#endif
        }
        nn_clear_error(nn);
        memset(to, 0, COUNT * sizeof *to); /* a late item writes nothing */
        for (int i = 0; i < 4 && kind == JOBS_LATE; i++) bad.item(bad.data, i);
        for (int i = 0; i < COUNT; i++) ENSURE(to[i] == 0.0f);
        ENSURE(nn_scale_forward(y, x, 2.0f) == NN_OK);
        for (int i = 0; i < COUNT; i++) ENSURE(to[i] == 4.0f);
        ENSURE(bad.calls == (kind == JOBS_TWICE ? 2 : 1)); /* not called after a mistake */
        nn_close(nn);
    }
}

#ifdef TEST_POSIX
/* ---- loaders with workers -------------------------------------------------------------------- */

static nn_loader *make_loader(nn_context *nn) {
    static float data[64 * 4];
    nn_dataset_desc set;
    nn_loader_desc desc;
    memset(&set, 0, sizeof set);
    memset(&desc, 0, sizeof desc);
    for (int i = 0; i < 64 * 4; i++) data[i] = (float)i;
    set.count = 64;
    FIELD_AT(set.fields, 0).name = "x";
    FIELD_AT(set.fields, 0).shape = NN_SHAPE(4);
    FIELD_AT(set.fields, 0).data = data;
    desc.dataset = nn_make_dataset(nn, &set);
    desc.batch = 8;
    desc.workers = 2;
    return nn_make_loader(nn, &desc);
}

/* Makes one pass and returns the sum of all numbers, which is 32640 in any order. */
static float sum_of_loader(nn_loader *loader) {
    float sum = 0;
    while (nn_next_batch(loader)) {
        const float *rows = (const float *)nn_tensor_data(nn_batch_tensor(loader, "x"));
        for (int i = 0; i < 8 * 4; i++) sum += rows[i];
    }
    return sum;
}

/* ---- files that others touch ----------------------------------------------------------------- */

#if !defined(NN_NO_FILES) && !defined(NN_NO_STDIO)
enum { SAVED = 20000 };

static nn_model *make_saved(nn_context *nn, float value) {
    nn_model *net = nn_make_model(nn, NULL);
    nn_parameter(net, "w", NN_SHAPE(SAVED), value, value);
    return net;
}

static int save_many(const char *path, float value) {
    nn_context *nn = open_with(1, no_jobs);
    nn_model *net = make_saved(nn, value);
    int failed = 0;
    for (int i = 0; i < 150; i++) failed += nn_save_weights(net, path) != NN_OK;
    nn_close(nn);
    return failed > 0;
}

/* Several processes save to one path: every save succeeds, and every load finds a complete file. */
static void test_concurrent_savers(void) {
    const char *path = "test_host_shared.safetensors";
    static float w[SAVED];
    nn_context *nn = open_with(1, no_jobs);
    nn_model *net = make_saved(nn, 9.0f);
    pid_t child[3];
    int ended = 0, status;
    ENSURE(nn_save_weights(net, path) == NN_OK);
    fflush(NULL);
    for (int k = 0; k < 3; k++)
        if ((child[k] = fork()) == 0) _exit(save_many(path, (float)k));
    while (ended < 3) {
        if (waitpid(child[ended], &status, WNOHANG) == child[ended]) {
            ENSURE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            ended++;
        }
        ENSURE(nn_load_weights(net, path, NULL) == NN_OK);
        ENSURE(nn_download_tensor(nn_find_tensor(net, "w"), w, sizeof w) == NN_OK);
        for (int i = 1; i < SAVED; i++) ENSURE(w[i] == w[0]);
    }
    remove(path);
    ENSURE(fopen("test_host_shared.safetensors.tmp", "rb") == NULL);
    ENSURE(fopen("test_host_shared.safetensors.1.tmp", "rb") == NULL);
    nn_close(nn);
}

static int is_there(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}
static off_t size_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? status.st_size : -1;
}

static void test_planted_files(void) {
    nn_context *nn = open_with(1, no_jobs);
    nn_model *net = make_saved(nn, 1.0f);
    const char *const names[] = {"test_host_m", "test_host_m.tmp", "test_host_victim",
                                 "test_host_link", "test_host_pipe"};
    struct stat status;
    FILE *file;
    for (int i = 0; i < 5; i++) remove(names[i]);
    file = fopen("test_host_victim", "w");
    ENSURE(file && fputs("precious", file) >= 0 && fclose(file) == 0);
    ENSURE(symlink("test_host_victim", "test_host_m.tmp") ==
           0); /* a link where our temporary file would be */
    ENSURE(nn_save_weights(net, "test_host_m") == NN_OK && size_of("test_host_victim") == 8);
    ENSURE(size_of("test_host_m") > 4 * SAVED && !is_there("test_host_m.tmp"));
    file = fopen("test_host_m.tmp", "w"); /* the rest of a killed save */
    ENSURE(file && fclose(file) == 0);
    ENSURE(chmod("test_host_m", 0600) == 0 && nn_save_weights(net, "test_host_m") == NN_OK);
    ENSURE(stat("test_host_m", &status) == 0 && (status.st_mode & 0777) == 0600 &&
           !is_there("test_host_m.tmp"));
    ENSURE(symlink("test_host_m", "test_host_link") ==
           0); /* the path is a link to where the weights live */
    ENSURE(remove("test_host_m") == 0 && nn_save_weights(net, "test_host_link") == NN_OK);
    ENSURE(lstat("test_host_link", &status) == 0 && S_ISLNK(status.st_mode) &&
           size_of("test_host_m") > 4 * SAVED);
    ENSURE(mkfifo("test_host_pipe", 0644) == 0); /* neither a pipe nor a device becomes a file */
    ENSURE(nn_error(nn) == NULL && nn_save_weights(net, "test_host_pipe") == NN_ERROR_FILE);
    ENSURE(lstat("test_host_pipe", &status) == 0 && S_ISFIFO(status.st_mode));
    ENSURE(nn_error(nn) != NULL);
    for (int i = 0; i < 5; i++) remove(names[i]);
    nn_close(nn);
}
#endif

/* ---- errors that nobody reads ---------------------------------------------------------------- */

#if !defined(NN_NO_STDIO) && !defined(NN_NO_REPORTS)
enum { READ_NOT, READ_TEXT, READ_CODE, READ_CLEARED, READ_LOGGED, READ_BEFORE_ANOTHER };

static void ignore_text(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
}

/* Stores what a child process writes to stderr, and returns its length. The child makes a mistake,
   reads the error in one of these ways, and closes. */
static size_t stderr_of_child(int how, char *text, size_t size) {
    int ends[2], status;
    size_t length = 0;
    if (pipe(ends) != 0) return 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        nn_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.threads = 1;
        if (how == READ_LOGGED) desc.log.function = ignore_text;
        dup2(ends[1], 2);
        nn_context *nn = nn_open(&desc);
        nn_device device;
        if (how == READ_BEFORE_ANOTHER) nn_error(nn);
        nn_parse_device(nn, "toaster", &device);
        if (how == READ_TEXT) nn_error(nn);
        if (how == READ_CODE) nn_error_code(nn);
        if (how == READ_CLEARED) nn_clear_error(nn);
        nn_close(nn);
        fflush(NULL);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t got;
         length + 1 < size && (got = read(ends[0], text + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    text[length] = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    return length;
}

static void test_unread_errors(void) {
    char text[4000];
    for (int how = READ_NOT; how <= READ_BEFORE_ANOTHER; how++) {
        size_t length = stderr_of_child(how, text, sizeof text);
        bool tells = how == READ_NOT || how == READ_BEFORE_ANOTHER;
        if (tells != (length > 0))
            test_fail(__FILE__, __LINE__, "way %d of reading: \"%s\"", how, text);
        if (tells)
            ENSURE(strstr(text, "nn_parse_device") && strstr(text, "toaster") &&
                   text[length - 1] == '\n');
    }
}
#endif

/* ---- signals --------------------------------------------------------------------------------- */

static pthread_t signal_owner;
static volatile sig_atomic_t signals_mine, signals_elsewhere;
static void on_signal(int number) {
    (void)number;
    if (pthread_equal(signal_owner, pthread_self())) signals_mine++;
    else signals_elsewhere++;
}

/* Sends all signals that a program may send itself, while only its own thread blocks them: they
   stay pending for that thread. */
static void test_signals(void) {
    static const int numbers[] = {SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGINT, SIGCHLD, SIGHUP};
    nn_context *nn = open_with(4, no_jobs);
    nn_loader *loader = make_loader(nn);
    nn_tensor *x = make_floats(nn, COUNT);
    struct timespec pause = {0, 1000000};
    struct sigaction action, before[7];
    sigset_t set, still;
    ENSURE(sum_of_loader(loader) == 32640.0f); /* its threads are there */
    signal_owner = pthread_self();
    signals_mine = signals_elsewhere = 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&set);
    for (int i = 0; i < 7; i++)
        sigaddset(&set, numbers[i]), sigaction(numbers[i], &action, &before[i]);
    for (int round = 0; round < 10; round++) {
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        for (int i = 0; i < 7; i++) kill(getpid(), numbers[i]);
        nn_scale_forward(x, x, 1.0f);
        nanosleep(&pause, NULL);
        sigpending(&still);
        for (int i = 0; i < 7; i++) ENSURE(sigismember(&still, numbers[i]));
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    }
    ENSURE(signals_mine == 70 && signals_elsewhere == 0);
    for (int i = 0; i < 7; i++) sigaction(numbers[i], &before[i], NULL);
    pthread_sigmask(SIG_SETMASK, NULL,
                    &still); /* making threads did not change the program's own threads */
    for (int i = 0; i < 7; i++) ENSURE(!sigismember(&still, numbers[i]));
    nn_close(nn);
}

/* ---- fork ------------------------------------------------------------------------------------ */

typedef struct {
    nn_context *nn;
    nn_loader *loader;
    nn_tensor *x, *y;
} forked;

static int child_closes(forked *f) { return nn_close(f->nn), 0; }
static int child_frees_loader(forked *f) { return nn_free_loader(f->loader), 0; }
static int child_computes(forked *f) {
    for (int run = 0; run < 100; run++) {
        memset(nn_tensor_data(f->y), 0, COUNT * sizeof(float));
        if (nn_scale_forward(f->y, f->x, 2.0f) != NN_OK) return 1;
        for (int i = 0; i < COUNT; i++)
            if (((float *)nn_tensor_data(f->y))[i] != 4.0f) return 2;
    }
    return nn_close(f->nn), 0;
}
static int child_loads(forked *f) {
    for (int i = 0; i < 3; i++)
        if (sum_of_loader(f->loader) != 32640.0f) return 1;
    nn_loader_counters(f->loader);
    nn_free_loader(f->loader);
    return nn_close(f->nn), 0;
}
static int child_opens_another(forked *f) {
    nn_context *nn = open_with(4, no_jobs);
    nn_tensor *x = make_floats(nn, COUNT);
    int bad = nn_scale_forward(x, x, 2.0f) != NN_OK || sum_of_loader(make_loader(nn)) != 32640.0f;
    nn_close(nn);
    nn_close(f->nn);
    return bad;
}

static void test_fork(void) {
    static int (*const children[])(forked *) = {child_closes, child_frees_loader, child_computes,
                                                child_loads, child_opens_another};
    for (int c = 0; c < 5 * 4; c++) {
        forked f;
        int status = 0;
        f.nn = open_with(4, no_jobs);
        f.x = make_floats(f.nn, COUNT);
        f.y = make_floats(f.nn, COUNT);
        f.loader = make_loader(f.nn);
        for (int i = 0; i < COUNT; i++) ((float *)nn_tensor_data(f.x))[i] = 2.0f;
        if (c % 2)
            ENSURE(nn_scale_forward(f.y, f.x, 2.0f) == NN_OK); /* its threads are awake, or not */
        if (c % 4 > 1) ENSURE(nn_next_batch(f.loader));
        fflush(NULL);
        pid_t child = fork();
        ENSURE(child >= 0);
        if (child == 0) {
            if (c % 4 > 1)
                while (nn_next_batch(f.loader)) continue;
            alarm(240);
            _exit(children[c / 4](&f));
        }
        ENSURE(waitpid(child, &status, 0) == child);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            test_fail(__FILE__, __LINE__, "child %d ended with status %x", c, (unsigned)status);
        if (c % 4 > 1)
            while (nn_next_batch(f.loader)) continue;
        ENSURE(sum_of_loader(f.loader) == 32640.0f); /* the parent notices nothing */
        ENSURE(nn_scale_forward(f.y, f.x, 2.0f) == NN_OK && nn_error(f.nn) == NULL);
        nn_close(f.nn);
    }
}
#endif

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_jobs_that_return_early);
#ifdef TEST_POSIX
    RUN(test_rounding);
#if !defined(NN_NO_FILES) && !defined(NN_NO_STDIO)
    RUN(test_concurrent_savers);
    RUN(test_planted_files);
#endif
#if !defined(NN_NO_STDIO) && !defined(NN_NO_REPORTS)
    RUN(test_unread_errors);
#endif
    RUN(test_signals);
    RUN(test_fork);
#endif
    return test_report();
}
