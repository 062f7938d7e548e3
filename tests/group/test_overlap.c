/* tests/group/test_overlap.c - ranks exchange gradients during the backward pass. The pass
   continues meanwhile, the bytes are those of one rank, large gradients travel in pieces, and a
   step allocates nothing. Known mistakes of peers: pytorch#22192 and others wait for all gradients;
   horovod's buffers grow in the first steps (horovod#2564: out of memory on one rank, the others
   hang). */
#define _POSIX_C_SOURCE 200809L
#define NN_IMPLEMENTATION
#include "nn_group.h"

#include "inside.h"
#include "sim_device.h"
#include "systems.h"
#include "test.h"

#include <pthread.h>

enum { RANKS = 2, IN = 160, WIDE = 128, BATCH = 4 }; /* IN * WIDE numbers: 80 KB, two pieces */

typedef struct rank {
    pthread_t thread;
    nn_meeting *meeting;
    int32_t number, size;
    bool simulated, waits;
    int64_t bucket_bytes;
    nn_group *group;
    nn_trainer *trainer;
    int allocations; /* while `armed` */
    bool armed, overlapped;
    nn_result result;
    int buckets;
    float weights[IN * WIDE];
    char error[1024], plan[8192];
} rank;

static void *allocate(void *user, size_t bytes, size_t alignment) {
    rank *self = (rank *)user;
    if (self->armed) {
        self->allocations++;
        return NULL;
    }
    return allocate_aligned(bytes ? bytes : 1, alignment);
}

static void release(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)user, (void)bytes, (void)alignment;
    free_aligned(memory);
}

static nn_result copy(void *user, const nn_custom_args *args) {
    (void)user;
    memcpy((char *)args->output.handle + args->output.offset,
           (const char *)args->input[0].handle + args->input[0].offset,
           sizeof(float) * nn__elements(&args->output));
    return NN_OK;
}

/* Runs in the middle of the backward pass and waits until the first bucket has been exchanged. If
   exchanges began only after the pass, the wait would last until its time limit. */
static nn_result wait_for_bucket(void *user, const nn_custom_args *args) {
    rank *self = (rank *)user;
    const uint64_t limit = nn__system_now() + 20u * 1000000000u;
    while (self->waits && !self->overlapped && nn__system_now() < limit) {
        nn__helpers_lock(self->group->helpers);
        self->overlapped = self->trainer->shards->exchange.buckets[0].job.done;
        nn__helpers_unlock(self->group->helpers);
    }
    return copy(NULL, args);
}

static nn_trainer *make(rank *self, nn_context *nn, nn_device device) {
    float data[BATCH * IN];
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 3, .device = device});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN)), *y;
    y = nn_linear(m, "first", x, &(nn_linear_desc){.out_features = WIDE});
    if (self->waits)
        y = nn_custom(m, "slow", &(nn_custom_desc){.inputs = NN_NODES(y),
                                                   .shape = NN_SHAPE(NN_BATCH, WIDE),
                                                   .function = copy,
                                                   .gradients = NN_CUSTOM_FUNCTIONS(wait_for_bucket),
                                                   .user = self});
    y = nn_linear(m, "last", nn_relu(m, y), &(nn_linear_desc){.out_features = 2});
    nn_trainer *trainer =
        nn_make_trainer(m, nn_mean(m, nn_square(m, y)),
                        &(nn_trainer_desc){.batch = BATCH, .shards = 2, .group = self->group,
                                           .learning_rate = 0.1f,
                                           .bucket_bytes = self->bucket_bytes});
    const int own = BATCH / self->size;
    nn_tensor *part = nn_make_tensor(
        nn, &(nn_tensor_desc){.name = "x", .shape = NN_SHAPE(own, IN), .device = device});
    for (int i = 0; i < BATCH * IN; i++) data[i] = (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f;
    nn_upload_tensor(part, data + self->number * own * IN, sizeof(float) * (size_t)(own * IN));
    nn_bind(nn_trainer_plan(trainer), x, part);
    return trainer;
}

static void *run_rank(void *data) {
    rank *self = (rank *)data;
    const nn_allocator allocator = {allocate, release, self};
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .allocator = allocator});
    nn_device device = nn_cpu();
    sim_desc desc;
    sim_device *sim = NULL;
    nn_text text;
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = true;
    if (self->simulated) sim = sim_open(nn, &desc, &device);
    self->group = nn_join_meeting(nn, self->meeting, self->number, 20);
    self->trainer = make(self, nn, device);
    self->buckets = self->trainer ? self->trainer->shards->exchange.count : 0;
    nn_write_plan(nn_trainer_plan(self->trainer),
                  nn__write_into(&text, self->plan, sizeof self->plan));
    for (int i = 0; i < 3 && self->result == NN_OK; i++) {
        self->armed = true; /* in the first step, too */
        self->result = nn_train_on_inputs(self->trainer);
        self->armed = false;
    }
    if (self->trainer)
        nn_download_tensor(nn_find_tensor(self->trainer->net, "first.weight"), self->weights,
                           sizeof self->weights);
    snprintf(self->error, sizeof self->error, "%s", nn_error(nn) ? nn_error(nn) : "");
    nn_close(nn);
    if (sim && sim_free(sim) != 0) self->result = NN_ERROR_DEVICE;
    return NULL;
}

static void run(rank *ranks, int32_t size, const rank *like) {
    nn_context *owner = nn_open(NULL);
    nn_meeting *meeting = nn_make_meeting(owner, size);
    for (int32_t r = 0; r < size; r++) {
        ranks[r] = *like;
        ranks[r].meeting = meeting;
        ranks[r].number = r;
        ranks[r].size = size;
        if (pthread_create(&ranks[r].thread, NULL, run_rank, &ranks[r]) != 0) abort();
    }
    for (int32_t r = 0; r < size; r++) pthread_join(ranks[r].thread, NULL);
    nn_free_meeting(meeting);
    nn_close(owner);
}

static rank one, ranks[RANKS], like;

static void check(const char *what, int buckets) {
    for (int r = 0; r < RANKS; r++) {
        if (test_wrong(ranks[r].result != NN_OK || ranks[r].error[0]))
            test_fail(__FILE__, __LINE__, "%s, rank %d: %s", what, r, ranks[r].error);
        if (test_wrong(ranks[r].allocations > 0 || one.allocations > 0))
            test_fail(__FILE__, __LINE__, "%s, rank %d: %d allocations in steps, alone %d", what, r,
                      ranks[r].allocations, one.allocations);
        if (test_wrong(memcmp(ranks[r].weights, one.weights, sizeof one.weights) != 0))
            test_fail(__FILE__, __LINE__, "%s, rank %d: other weights: %.9g, %.9g", what, r,
                      (double)ranks[r].weights[0], (double)one.weights[0]);
        if (test_wrong(ranks[r].buckets != buckets))
            test_fail(__FILE__, __LINE__, "%s: %d buckets, wanted %d", what, ranks[r].buckets,
                      buckets);
    }
}

/* With .bucket_bytes = 64, five buckets: last.bias, last.weight, two pieces of first.weight, and
   first.bias with the numbers after the gradients. By default, three: last.bias with last.weight,
   first.weight, and first.bias as before. first.weight has buckets of its own because it is computed
   for all shards at once. */
static void test_bytes_and_memory(void) {
    static const int64_t sizes[] = {64, 0};
    char text[64];
    memset(&like, 0, sizeof like);
    for (int simulated = 0; simulated < 2; simulated++) {
        like.simulated = simulated == 1;
        run(&one, 1, &like);
        ENSURE(one.result == NN_OK && one.error[0] == 0 && one.weights[0] != 0.0f);
        for (int i = 0; i < 2; i++) {
            like.bucket_bytes = sizes[i];
            run(ranks, RANKS, &like);
            check(simulated ? "simulated" : "cpu", i ? 3 : 5);
            snprintf(text, sizeof text, "in %d buckets", i ? 3 : 5);
            ENSURE(strstr(ranks[0].plan, text));
            ENSURE((strstr(ranks[0].plan, "bytes of host memory (\"exchange\")") != NULL) ==
                   (simulated == 1));
        }
    }
}

static void test_overlap(void) {
    memset(&like, 0, sizeof like);
    like.waits = true;
    like.bucket_bytes = 64;
    run(ranks, RANKS, &like);
    for (int r = 0; r < RANKS; r++)
        if (test_wrong(ranks[r].result != NN_OK || !ranks[r].overlapped))
            test_fail(__FILE__, __LINE__, "rank %d: %s %s", r, ranks[r].error,
                      ranks[r].overlapped ? "" : "nothing was exchanged in the backward pass");
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_bytes_and_memory);
    RUN(test_overlap);
    return test_report();
}
