/* tests/support/rank_threads.h - ranks as threads of this process: each runs a job, with its own
   context, group and devices. */
#ifndef RANK_THREADS_H
#define RANK_THREADS_H

#include "rank_hash.h"
#include "sim_device.h"
#include "systems.h"
#include "test.h"

#include <pthread.h>
#include <stdlib.h>

#define RANKS 8

/* The memory of one rank, in bytes that it asked for. */
typedef struct counter {
    size_t live;
} counter;

static void *count_allocate(void *user, size_t bytes, size_t alignment) {
    counter *c = (counter *)user;
    void *memory = allocate_aligned(bytes, alignment);
    if (!memory) return NULL;
    c->live += bytes;
    return memory;
}
static void count_release(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)alignment;
    ((counter *)user)->live -= memory ? bytes : 0;
    free_aligned(memory);
}

typedef struct job job;
struct job {
    /* the task, the same for all ranks */
    void (*work)(job *self);
    nn_trainer_desc desc;
    nn_dtype dtype;
    int hidden;        /* features; default: 10 */
    int threads;       /* of each rank; default: 1 */
    int simulated;     /* ranks from this one on have a device with its own memory; 0: none */
    bool shares;       /* memory, where the test has rank_shared.h */
    bool two, by_hand; /* two devices for each rank; nn_backward and nn_update */
    int steps, odd;    /* odd: the rank that behaves differently or fails, or -1 */
    const char *save, *load;
    int64_t fails; /* the odd rank's device fails at this call */
    bool alone; /* no group */
    size_t scratch; /* nn_desc.scratch_bytes of ranks 0, 2, 4 ...; 0: the default */
    /* of this rank */
    pthread_t thread;
    nn_meeting *meeting;
    int32_t rank, size;
    counter memory;
    nn_context *nn;
    nn_group *group;
    nn_device device, second;
    sim_device *sim; /* the simulation behind `device` */
    nn_model *net;
    nn_node *x, *label;
    nn_trainer *trainer;
    nn_dataset *dataset;
    nn_loader *loader;
    int calls; /* so far */
    /* results */
    nn_result result;
    uint64_t hash, other;
    size_t live;
    int64_t step, failed_at;
    float last;
    nn_report report, tested;
    int64_t confusion[16];
    nn_result again; /* result of repeating the step that failed */
    bool torn;       /* that was only possible after loading a checkpoint */
    char text[12000], error[2048], told[2048];
};

static void *run_rank(void *data) {
    job *self = (job *)data;
    sim_device *sim[2] = {NULL, NULL};
    sim_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = true;
    self->nn = nn_open(&(nn_desc){.threads = self->threads ? self->threads : 1,
                                  .scratch_bytes = self->rank % 2 == 0 ? self->scratch : 0,
                                  .allocator = {count_allocate, count_release, &self->memory}});
    self->device = nn_cpu();
    if (self->simulated && self->rank + 1 >= self->simulated)
        sim[0] = self->sim = sim_open(self->nn, &desc, &self->device);
    if (self->two) sim[1] = sim_open(self->nn, &desc, &self->second);
    if (!self->alone) self->group = nn_join_meeting(self->nn, self->meeting, self->rank, 20);
    self->work(self);
    snprintf(self->error, sizeof self->error, "%s",
             nn_error(self->nn) ? nn_error(self->nn) : "");
    nn_close(self->nn);
    for (int i = 0; i < 2; i++)
        if (sim[i] && sim_free(sim[i]) != 0) self->result = NN_ERROR_DEVICE;
    return NULL;
}

/* Takes the next batch; after the last one, the first of the next epoch. */
static TEST_UNUSED void next(job *self, nn_loader *loader) {
    while (self->result == NN_OK && !nn_next_batch(loader))
        if (nn_loader_result(loader) != NN_END) self->result = nn_loader_result(loader);
}

/* Runs `like` on all ranks; afterwards each rank's job has its results. */
static void run(job *ranks, int32_t size, const job *like) {
    nn_context *owner = nn_open(NULL);
    nn_meeting *meeting = nn_make_meeting(owner, size);
    for (int32_t r = 0; r < size; r++) {
        ranks[r] = *like;
        ranks[r].meeting = meeting;
        ranks[r].rank = r;
        ranks[r].size = size;
        if (pthread_create(&ranks[r].thread, NULL, run_rank, &ranks[r]) != 0) abort();
    }
    for (int32_t r = 0; r < size; r++) pthread_join(ranks[r].thread, NULL);
    nn_free_meeting(meeting);
    nn_close(owner);
}

/* The library has no threads without atomics. */
static bool has_threads(void) {
#if defined(NN_NO_THREADS) || defined(__TINYC__)
    return false;
#else
    return true;
#endif
}
static void no_threads(void) { SKIP("this build or compiler has no threads"); }

#endif
