/* tests/group/test_rank_failures.c - any failure on one rank, a thread of this process, is the same
   error on all ranks at the same step, and nothing is left half-written. NN_FULL: every allocation
   of a training run fails once, on every rank. Known mistakes of peers: lightning#6430,
   horovod#100, determined#8915 (an error on one rank is a time-out on the others, half an hour
   later). */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */
#define NN_IMPLEMENTATION
#include "nn_group.h"

#include "test.h"

#include <pthread.h>

#include "rank_failures.h"

#define RANKS 4

typedef struct rank {
    pthread_t thread;
    nn_meeting *meeting;
    int32_t rank;
    attempt attempt;
} rank;

static void *run_rank(void *data) {
    rank *self = (rank *)data;
    failing memory;
    memset(&memory, 0, sizeof memory);
    self->attempt.nn = nn_open(
        &(nn_desc){.threads = 1, .allocator = {failing_allocate, failing_release, &memory}});
    self->attempt.memory = &memory;
    self->attempt.group = nn_join_meeting(self->attempt.nn, self->meeting, self->rank, 20);
    attempt_run(&self->attempt);
    nn_close(self->attempt.nn);
    return NULL;
}

static const char *const folder = "build/test_rank_failures";

static void clear_folder(void) {
    char path[300];
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') remove(path);
    }
    if (dir) closedir(dir);
}

/* True if the victim has failed. */
static bool fail(int32_t size, failure what, int32_t victim, long nth, bool shares) {
    rank ranks[RANKS];
    nn_context *owner = nn_open(NULL);
    nn_meeting *meeting = nn_make_meeting(owner, size);
    const attempt *first = &ranks[0].attempt, *bad = &ranks[victim].attempt;
    nn_result wanted;
    char name[16];
    snprintf(name, sizeof name, "rank %d: ", (int)victim);
    clear_folder();
    memset(ranks, 0, sizeof ranks);
    for (int32_t r = 0; r < size; r++) {
        ranks[r].meeting = meeting;
        ranks[r].rank = r;
        ranks[r].attempt.what = what;
        ranks[r].attempt.victim = victim;
        ranks[r].attempt.nth = nth;
        ranks[r].attempt.shares = shares;
        ranks[r].attempt.folder = folder;
        if (pthread_create(&ranks[r].thread, NULL, run_rank, &ranks[r]) != 0) abort();
    }
    for (int32_t r = 0; r < size; r++) pthread_join(ranks[r].thread, NULL);
    nn_close(owner);
    wanted = bad->failed ? attempt_wanted(bad) : NN_OK;
    for (int32_t r = 0; r < size; r++) {
        const attempt *a = &ranks[r].attempt;
        if (a->result != wanted || a->step != first->step || a->hash != first->hash ||
            (r != victim && (int)wanted < 0 && !strstr(a->error, name)))
            test_fail(__FILE__, __LINE__,
                      "%s %ld on rank %d of %d: rank %d has %s at step %d (rank 0 at %d), %s: %s",
                      failure_names[what], nth, (int)victim, (int)size, (int)r,
                      nn_result_text(a->result), (int)a->step, (int)first->step,
                      a->hash == first->hash ? "its weights" : "other weights", a->error);
    }
    if (first->files > 2 || (first->files > 0 && !first->complete))
        test_fail(__FILE__, __LINE__, "%s %ld on rank %d of %d: %d files, the checkpoint is %s",
                  failure_names[what], nth, (int)victim, (int)size, first->files,
                  first->complete ? "whole" : "not whole");
    return bad->failed;
}

static void test_every_failure(void) {
    for (int what = 0; what < FAILURE_MEMORY; what++)
        /* The threads share a disk. */
        for (int32_t victim = 0; victim < (what == FAILURE_DISK ? 1 : RANKS); victim++)
            ENSURE(fail(RANKS, (failure)what, victim, 0, (what + victim) % 2 == 0));
}

/* Tests failures while loaders and trainer are made, in the first steps, and with the first
   checkpoint. */
static void test_memory(void) {
    static const long some[] = {1, 6, 25, 60, 0};
    for (int32_t victim = 0; victim < RANKS; victim++) {
        for (int i = 0; some[i] && !getenv("NN_FULL"); i++)
            ENSURE(fail(RANKS, FAILURE_MEMORY, victim, some[i], (victim + i) % 2 == 1));
        for (int shares = 0; shares < 2 && getenv("NN_FULL"); shares++)
            for (long nth = 1; fail(RANKS, FAILURE_MEMORY, victim, nth, shares == 1);) nth++;
    }
    for (int32_t victim = 0; victim < 3 && getenv("NN_FULL"); victim++)
        for (long nth = 1; fail(3, FAILURE_MEMORY, victim, nth, victim == 1);) nth++;
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    mkdir("build", 0777);
    mkdir(folder, 0777);
    failing_signals();
    RUN(test_every_failure);
    RUN(test_memory);
    clear_folder();
    rmdir(folder);
    return test_report();
}
