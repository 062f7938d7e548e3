/* tests/group/test_shard_ranks.c - one training run on 1 to 8 ranks, threads of this process:
   weights, moments, running statistics and reports have the same bytes, and an error on one rank is
   the same error on all. Known mistakes of peers: pytorch#22192 (statistics of uneven batches),
   pytorch#25162 (samples of a validation twice), lightning#6430 (an error on one rank hangs the
   others), DeepSpeed#2898 (a checkpoint requires its number of ranks). */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#define NN_IMPLEMENTATION
#include "nn_more.h"
#include "nn_group.h"

#include "inside.h"
#include "rank_net.h"
#include "rank_shared.h"
#include "rank_threads.h"
#include "lists.h"

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

enum { SAMPLES = 29, BATCH = 16, CLASSES = NET_CLASSES };

static const char *const path = "build/test_shard_ranks.checkpoint";

/* Gives all parameters and buffers of a net numbers that belong to one rank. */
static void change_numbers(nn_model *net, int32_t rank) {
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        static const unsigned char byte[] = {0x3e, 0x3f, 0x3d}; /* as floats: 0.2, 0.7, 0.05 */
        unsigned char bytes[4 * 128 * NET_PIXELS];
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const size_t size = (size_t)nn_tensor_bytes(tensor);
        if (size > sizeof bytes) abort();
        memset(bytes, byte[rank % 3], size);
        nn_upload_tensor(tensor, bytes, size);
    }
}

/* conv, batch norm, dropout. All ranks have one seed, as a group demands, but only rank 0 has the
   numbers that follow from it. The trainer copies them to the others. */
static void make_net(job *self, uint64_t seed, int channels) {
    const rank_net net = rank_make_net(self->nn, self->device, seed, channels);
    nn_model *m = self->net = net.model;
    nn_trainer_desc desc = self->desc;
    if (self->rank > 0) change_numbers(m, self->rank);
    desc.batch = BATCH;
    desc.optimizer = NN_ADAM;
    desc.learning_rate = 0.01f;
    NODE_AT(desc.metrics, 0) = nn_accuracy(m, net.scores, net.label);
    desc.confusion = (nn_confusion_desc){net.scores, net.label};
    desc.group = self->group;
    if (self->two)
        DEVICE_AT(desc.devices, 0) = self->device, DEVICE_AT(desc.devices, 1) = self->second;
    self->trainer = nn_make_trainer(m, net.loss, &desc);
}

static void make_loader(job *self) {
    self->dataset = rank_make_data(self->nn, SAMPLES);
    self->loader = nn_make_loader(self->nn, &(nn_loader_desc){.dataset = self->dataset,
                                                              .batch = BATCH,
                                                              .shuffle = true,
                                                              .seed = 5,
 .device = self->device,
                                                              .shards = self->desc.shards,
                                                              .group = self->group});
}

static void look(job *self) {
    self->hash = hash_net(self->net);
    self->step = nn_trainer_step(self->trainer);
}

static void train_steps(job *self, int steps) {
    for (int i = 0; i < steps && self->result == NN_OK; i++) {
        if (!nn_next_batch(self->loader)) {
            self->result = nn_loader_result(self->loader);
            if (self->result != NN_END) return;
            self->result = NN_OK;
            i--;
            continue;
        }
        self->result = nn_train_step(self->trainer, self->loader);
    }
}

/* Trains, saves or loads if asked, evaluates, and leaves all results in the job. */
static void train(job *self) {
    if (self->shares) share_memory(self->group);
    make_net(self, 7, 4);
    if (self->shares && !self->group->windows->met) self->result = NN_ERROR_ARGUMENT;
    make_loader(self);
    if (self->load)
        self->result = nn_load_checkpoint(self->trainer, self->load,
                                          &(nn_checkpoint_desc){.loader = self->loader});
    train_steps(self, self->steps);
    if (self->result == NN_OK && self->save)
        self->result = nn_save_checkpoint(self->trainer, self->save,
                                          &(nn_checkpoint_desc){.loader = self->loader});
    if (self->result == NN_OK) self->result = nn_read_loss(self->trainer, &self->last);
    if (self->result == NN_OK) self->result = nn_read_report(self->trainer, &self->report);
    if (self->result == NN_OK)
        self->result = nn_evaluate(self->trainer, self->loader, &self->tested);
    if (self->result == NN_OK)
        self->result =
            nn_read_confusion(self->trainer, self->confusion, sizeof(int64_t) * CLASSES * CLASSES);
    if (self->trainer) look(self);
}

static bool same_rank(const job *a, const job *b, const char *what) {
    const bool same = a->hash == b->hash && a->step == b->step && a->last == b->last &&
                      memcmp(&a->report, &b->report, sizeof a->report) == 0 &&
                      memcmp(&a->tested, &b->tested, sizeof a->tested) == 0 &&
                      memcmp(a->confusion, b->confusion, sizeof a->confusion) == 0;
    if (test_wrong(b->result != NN_OK || b->error[0]))
        test_fail(__FILE__, __LINE__, "%s, rank %d of %d: %s", what, (int)b->rank, (int)b->size,
                  b->error);
    else if (test_wrong(!same))
        test_fail(__FILE__, __LINE__,
                  "%s, rank %d of %d: hash %016llx, %016llx; step %d, %d; loss %.9g, %.9g; report "
                  "%.9g, %.9g; tested %.9g, %.9g over %d, %d",
                  what, (int)b->rank, (int)b->size, (unsigned long long)b->hash,
                  (unsigned long long)a->hash, (int)b->step, (int)a->step, (double)b->last,
                  (double)a->last, b->report.loss, a->report.loss, b->tested.loss, a->tested.loss,
                  (int)b->tested.samples, (int)a->tested.samples);
    return same;
}

/* ---- the same bytes -------------------------------------------------------------------------- */

static void test_same_bytes(void) {
    static const int threads[] = {1, 2, 1, 1, 1, 2, 1, 1};
    static const int64_t buckets[] = {0, 64, 1000, 0, 64, 0, 1000, 0};
    job ranks[RANKS], one, like;
    memset(&like, 0, sizeof like);
    like.work = train;
    like.steps = getenv("NN_FULL") ? 200 : 12;
    like.desc.shards = 8;
    like.threads = 1;
    run(&one, 1, &like);
    ENSURE(one.result == NN_OK && one.step == like.steps && one.tested.samples == SAMPLES);
    ENSURE(one.hash != 0 && one.report.samples > 0);
    for (int32_t size = 1; size <= RANKS; size++) {
        like.threads = threads[size - 1];
        like.desc.bucket_bytes = buckets[size - 1];
        run(ranks, size, &like);
        for (int32_t r = 0; r < size; r++) same_rank(&one, &ranks[r], "trained");
    }
    /* added in place, as processes of one machine do, without leaks */
    for (int i = 0; i < 8; i++) {
        static const int sizes[] = {2, 3, 4, 8, 2, 4, 8, 2};
        like.shares = true;
        like.desc.bucket_bytes = buckets[i];
        like.desc.shard_state = i >= 4;
        run(ranks, sizes[i], &like);
        for (int r = 0; r < sizes[i]; r++) same_rank(&one, &ranks[r], "in place");
        ENSURE(shared_blocks == 0);
    }
    like.shares = like.desc.shard_state = false;
    /* sums go through host memory, in one bucket and in many */
    like.simulated = true;
    for (int i = 0; i < 3; i++) {
        static const int sizes[] = {2, 3, 1};
        like.desc.bucket_bytes = buckets[i];
        run(ranks, sizes[i], &like);
        for (int r = 0; r < sizes[i]; r++) same_rank(&one, &ranks[r], "simulated");
    }
    /* ranks with two devices each: the CPU and a simulated one, then two simulated ones */
    like.two = true;
    for (int i = 0; i < 2; i++) {
        like.simulated = i == 1;
        run(ranks, 2 + i, &like);
        for (int r = 0; r < 2 + i; r++) same_rank(&one, &ranks[r], "two devices each");
    }
}

/* Batch norms over all shards: the bytes differ from those of separate shards, and are the same on
   any number of ranks, some of which have no samples in the last batch of an epoch. */
static void test_same_bytes_over_all(void) {
    job ranks[RANKS], one, other, like;
    memset(&like, 0, sizeof like);
    like.work = train;
    like.steps = getenv("NN_FULL") ? 60 : 6;
    like.desc.shards = 8;
    like.threads = 1;
    run(&other, 1, &like);
    like.desc.batch_norm = NN_OVER_ALL;
    run(&one, 1, &like);
    ENSURE(one.result == NN_OK && one.step == like.steps && one.hash != other.hash);
    for (int32_t size = 2; size <= RANKS; size += size == 3 ? 1 : size == 2 ? 1 : size) {
        like.threads = size == 2 ? 2 : 1;
        run(ranks, size, &like);
        for (int32_t r = 0; r < size; r++) same_rank(&one, &ranks[r], "over all");
    }
    like.simulated = like.two = true;
    run(ranks, 2, &like);
    for (int r = 0; r < 2; r++) same_rank(&one, &ranks[r], "over all, two devices each");
}

/* ---- a trainer that moves -------------------------------------------------------------------- */

/* After a move that is impossible, the trainer continues as before. */
static void refuse_to_move(job *self) {
    if (self->result != NN_OK || !self->shares) return;
    if (nn_move_trainer(self->trainer, nn_opencl(7)) == NN_OK) self->result = NN_ERROR_ARGUMENT;
    nn_clear_error(self->nn);
}

static void move(job *self) {
    nn_device there = self->device;
    if (self->shares) share_memory(self->group);
    self->device = nn_cpu();
    make_net(self, 7, 4);
    make_loader(self);
    train_steps(self, 2);
    refuse_to_move(self);
    train_steps(self, 2);
    nn_free_loader(self->loader);
    if (self->result == NN_OK && self->simulated)
        self->result = nn_move_trainer(self->trainer, there);
    if (self->simulated) self->device = there;
    make_loader(self);
    train_steps(self, 3);
    look(self);
}

/* shares: the ranks share the memory of their gradients until they move. */
static void moving(bool over_all, bool shares) {
    job stays[2], moves[2], like;
    memset(&like, 0, sizeof like);
    like.work = move;
    like.threads = 1;
    like.desc.batch_norm = (over_all) ? NN_OVER_ALL : NN_PER_SHARD;
    run(stays, 2, &like);
    like.simulated = shares ? 2 : true; /* the second of the ranks that share */
    like.shares = shares;
    run(moves, 2, &like);
    ENSURE(shared_blocks == 0);
    for (int r = 0; r < 2; r++)
        if (test_wrong(moves[r].result != NN_OK || moves[r].hash != stays[0].hash || moves[r].step != 7))
            test_fail(__FILE__, __LINE__, "rank %d at step %d: %s", r, (int)moves[r].step,
                      moves[r].error);
}

static void test_moving(void) {
    moving(false, false);
    moving(true, false);
    moving(false, true);
}

/* ---- fork() ---------------------------------------------------------------------------------- */

#ifndef _WIN32
/* What a child writes to its gradients does not reach the parent, even where processes share
   memory. */
static void fork_a_child(job *self) {
    int status = 0;
    share_memory(self->group);
    make_net(self, 7, 4);
    make_loader(self);
    train_steps(self, 1);
    if (self->result != NN_OK) return;
    const nn__window *window = self->group->windows;
    const char *own = window->own; /* which stays: the other rank reaches it */
    const size_t bytes = window->bytes;
    char *copy = (char *)malloc(bytes);
    memcpy(copy, own, bytes);
    const pid_t child = self->rank == 0 ? fork() : 0;
    if (self->rank == 0 && child == 0) {
        const bool refused = nn_run(nn_trainer_plan(self->trainer)) == NN_ERROR_GROUP;
        nn_clear_error(self->nn);
        const bool zeroed = nn_zero_gradients(self->trainer) == NN_OK;
        _exit(refused && zeroed && memcmp(own, copy, bytes) == 0 ? 0 : 1);
    }
    if (child > 0 && (waitpid(child, &status, 0) != child || status != 0))
        self->result = NN_ERROR_ARGUMENT;
    free(copy);
    if (nn__group_agree(self->group, self->result, NULL, NN_HERE, "test") != NN_OK) return;
    train_steps(self, 1);
}
#endif

static void test_fork(void) {
#ifdef _WIN32
    SKIP("no fork here");
#else
    job ranks[2], like;
    memset(&like, 0, sizeof like);
    like.work = fork_a_child;
    like.threads = 1;
    like.desc.gradients = true;
    run(ranks, 2, &like);
    for (int r = 0; r < 2; r++)
        if (test_wrong(ranks[r].result != NN_OK))
            test_fail(__FILE__, __LINE__, "rank %d: %s", r, ranks[r].error);
#endif
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static void test_other_number_of_ranks(void) {
    job ranks[RANKS], whole, like;
    memset(&like, 0, sizeof like);
    like.work = train;
    like.steps = 7;
    like.threads = 1;
    run(&whole, 1, &like); /* without a break; .shards is 8 by default */
    like.steps = 4;
    like.save = path;
    run(ranks, 4, &like);
    for (int r = 0; r < 4; r++) ENSURE(ranks[r].result == NN_OK);
    like.save = NULL;
    like.load = path;
    like.steps = 3;
    for (int32_t size = 1; size <= RANKS; size++) {
        run(ranks, size, &like);
        for (int32_t r = 0; r < size; r++) {
            ranks[r].report = whole.report; /* which the first evaluation began anew */
            same_rank(&whole, &ranks[r], "resumed");
        }
    }
    like.desc.shards = 4;
    run(ranks, 2, &like);
    for (int r = 0; r < 2; r++)
        if (test_wrong(ranks[r].result != NN_ERROR_SHAPE ||
            !strstr(ranks[r].error, "have 8 shards in the file")))
            test_fail(__FILE__, __LINE__, "rank %d: %d: %s", r, (int)ranks[r].result,
                      ranks[r].error);
    remove(path);
}

/* ---- ranks that differ ----------------------------------------------------------------------- */

static void differ(job *self) {
    const bool me = self->rank == self->odd;
    make_net(self, me ? 8 : 7, me ? 6 : 4);
    self->result = self->trainer ? NN_OK : nn_error_code(self->nn);
}

static void test_differences(void) {
    job ranks[4], like;
    memset(&like, 0, sizeof like);
    like.work = differ;
    like.threads = 1;
    like.odd = 2;
    run(ranks, 4, &like);
    for (int r = 0; r < 4; r++) {
        const char *e = ranks[r].error;
        if (test_wrong(ranks[r].result != NN_ERROR_GROUP || !strstr(e, "rank 2: seed is 8; rank 0: 7") ||
            !strstr(e, "\"conv.weight\" is (6, 1, 3, 3) f32; rank 0: (4, 1, 3, 3) f32") ||
            !strstr(e, "\"wide.weight\" is (128, 54) f32; rank 0: (128, 36) f32") ||
            strstr(e, "rank 1:") || strstr(e, "rank 3:")))
            test_fail(__FILE__, __LINE__, "rank %d: %d: %s", r, (int)ranks[r].result, e);
    }
}

/* One rank alone fails to make an object, or its loader lacks the trainer's group. */
static void refuse(job *self) {
    if (self->rank == self->odd) self->desc.shards = 3;
    make_net(self, 7, 4);
    if (self->trainer) {
        self->group = NULL;
        make_loader(self);
        self->result =
            nn_next_batch(self->loader) ? nn_train_step(self->trainer, self->loader) : NN_OK;
    } else {
        self->result = nn_error_code(self->nn);
    }
}

static void test_refused(void) {
    job ranks[2], like;
    memset(&like, 0, sizeof like);
    like.work = refuse;
    like.threads = 1;
    like.odd = 1;
    run(ranks, 2, &like);
    for (int r = 0; r < 2; r++)
        if (test_wrong(ranks[r].result != NN_ERROR_ARGUMENT || !strstr(ranks[r].error, "shards is 3")))
            test_fail(__FILE__, __LINE__, "rank %d: %s", r, ranks[r].error);
    ENSURE(strstr(ranks[0].error, "rank 1: "));
    like.odd = -1;
    run(ranks, 2, &like);
    for (int r = 0; r < 2; r++)
        if (test_wrong(ranks[r].result != NN_ERROR_ARGUMENT || !strstr(ranks[r].error, "the same group")))
            test_fail(__FILE__, __LINE__, "rank %d: %s", r, ranks[r].error);
}

/* ---- trouble on one rank --------------------------------------------------------------------- */

typedef enum trouble { NOT_A_NUMBER, BAD_LABEL, BAD_SAMPLE, NO_LOADER, TROUBLES } trouble;

/* Gives the samples, and has the trouble after the eighth, which is later than the first step. */
static nn_result get_sample(void *user, int32_t sample, void *const *to) {
    job *self = (job *)user;
    const bool now = self->rank == self->odd && ++self->calls > 8;
    memcpy(to[0], net_pictures + sample * NET_PIXELS, sizeof(float) * NET_PIXELS);
    memcpy(to[1], net_labels + sample, sizeof(int32_t));
    if (now && self->steps == NOT_A_NUMBER) ((float *)to[0])[3] = NAN;
    if (now && self->steps == BAD_LABEL) *(int32_t *)to[1] = CLASSES;
    return now && self->steps == BAD_SAMPLE ? NN_ERROR_FILE : NN_OK;
}

static void have_trouble(job *self) {
    make_net(self, 7, 4);
    self->dataset = nn_make_dataset(
        self->nn, &(nn_dataset_desc){
                      .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(1, NET_SIDE, NET_SIDE)},
                                          {.name = "label", .dtype = NN_I32}),
                      .count = SAMPLES,
                      .get = get_sample,
                      .user = self});
    self->loader = nn_make_loader(self->nn, &(nn_loader_desc){.dataset = self->dataset,
                                                              .batch = BATCH,
                                                              .device = self->device,
                                                              .group = self->group});
    for (int i = 0; i < 12 && self->result == NN_OK; i++) {
        if (!nn_next_batch(self->loader)) {
            self->result = nn_loader_result(self->loader);
            if (self->result == NN_END) self->result = NN_OK;
            continue;
        }
        const bool none = self->rank == self->odd && self->steps == NO_LOADER && i == 4;
        self->result = nn_train_step(self->trainer, none ? NULL : self->loader);
    }
    look(self);
}

/* Weights of an update that failed half way cannot be saved, copied, evaluated or merged. */
static bool refuses_torn(job *self) {
    static const char *const wanted = "broke off half way, so that its parameters are those of two";
    nn_loader *const next = self->loader; /* an evaluation begins an epoch */
    char file[200];
    nn_report report;
    bool refused = true;
    make_loader(self);
    snprintf(file, sizeof file, "%s.torn%d", path, (int)self->rank);
    for (int i = 0; i < 4; i++) {
        nn_result result = NN_OK;
        if (i == 3) result = nn_merge_lora(self->net, false);
        if (i == 0) result = nn_save_weights(self->net, file);
        if (i == 1) result = nn_copy_model(self->net, NULL) ? NN_OK : nn_error_code(self->nn);
        if (i == 2) result = nn_evaluate(self->trainer, self->loader, &report);
        refused = refused && result == NN_ERROR_BACKEND && strstr(nn_error(self->nn), wanted);
        nn_clear_error(self->nn);
    }
    nn_free_loader(self->loader);
    self->loader = next;
    return refused && hash_file(file) == 0;
}

/* The rank's device fails at each call of a step in turn: uploads, downloads, copies. Then the same
   step is repeated. If that is refused, it is repeated after loading the checkpoint of the steps
   before. */
static void lose_device(job *self) {
    const bool me = self->rank == self->odd;
    char before[200];
    snprintf(before, sizeof before, "%s.before", path);
    make_net(self, 7, 4);
    make_loader(self);
    train_steps(self, 2);
    if (nn_save_checkpoint(self->trainer, before, NULL) != NN_OK) return;
    if (!nn_next_batch(self->loader) && !nn_next_batch(self->loader)) return;
    if (me) self->sim->fail_at = self->sim->fallible + self->fails;
    self->result = nn_train_step(self->trainer, self->loader);
    self->sim->fail_at = 0;
    self->failed_at = nn_trainer_step(self->trainer);
    snprintf(self->told, sizeof self->told, "%s", nn_error(self->nn) ? nn_error(self->nn) : "");
    nn_clear_error(self->nn);
    self->again = self->result == NN_OK ? NN_OK : nn_train_step(self->trainer, self->loader);
    if (self->again != NN_OK && strstr(nn_error(self->nn), "continue from a checkpoint")) {
        const nn_result saved = nn_save_checkpoint(self->trainer, path, NULL);
        nn_clear_error(self->nn);
        if (!refuses_torn(self)) self->again = NN_ERROR_ARGUMENT;
        self->torn = true;
        if (saved == NN_OK) self->again = NN_ERROR_FILE;
        if (self->again == NN_ERROR_BACKEND)
            self->again = nn_load_checkpoint(self->trainer, before, NULL);
        if (self->again == NN_OK) self->again = nn_train_step(self->trainer, self->loader);
    }
    if (self->again == NN_OK) self->again = nn_save_checkpoint(self->trainer, path, NULL);
    look(self);
}

static void one_device_fails(bool shares) {
    job ranks[2], like;
    int failed = 0, torn = 0;
    uint64_t whole, file;
    memset(&like, 0, sizeof like);
    like.work = lose_device;
    like.threads = 1;
    like.simulated = true;
    like.desc.bucket_bytes = 64;
    like.desc.shard_state = shares;
    like.odd = -1;
    run(ranks, 2, &like);
    whole = ranks[0].hash;
    file = hash_file(path);
    for (like.odd = 0; like.odd < 2; like.odd++)
        for (like.fails = 1;; like.fails += getenv("NN_FULL") ? 1 : 23) {
            char who[16];
            snprintf(who, sizeof who, "rank %d: ", like.odd);
            run(ranks, 2, &like);
            if (ranks[like.odd].result == NN_OK) break;
            failed++;
            torn += ranks[0].torn;
            for (int r = 0; r < 2; r++) {
                const job *one = &ranks[r];
                if (test_wrong(one->result != NN_ERROR_BACKEND || one->failed_at != 2 ||
                    (r != like.odd && !strstr(one->told, who))))
                    test_fail(__FILE__, __LINE__, "call %d of rank %d: rank %d has %d at %d: %s",
                              (int)like.fails, like.odd, r, (int)one->result,
                              (int)one->failed_at, one->told);
                if (test_wrong(one->again != NN_OK || one->torn != ranks[0].torn || one->hash != whole ||
                    hash_file(path) != file))
                    test_fail(__FILE__, __LINE__,
                              "call %d of rank %d: rank %d then has %d, %s weights, %s file: %s",
                              (int)like.fails, like.odd, r, (int)one->again,
                              one->hash == whole ? "the same" : "other",
                              hash_file(path) == file ? "the same" : "another", one->error);
            }
        }
    ENSURE(failed > 10 && (failed > 200 || !getenv("NN_FULL")));
    ENSURE(torn > 0 && torn < failed / 2);
}

static void test_a_device_fails(void) {
    char before[200];
    one_device_fails(false);
    if (getenv("NN_FULL")) one_device_fails(true);
    snprintf(before, sizeof before, "%s.before", path);
    remove(before);
    remove(path);
}

/* The rank's device fails at one call after another while a trainer is made, or a checkpoint is
   loaded. Then the same is done again. */
static void lose_state(job *self) {
    const bool me = self->rank == self->odd, loads = self->load != NULL;
    if (loads) make_net(self, 7, 4);
    const int64_t from = self->sim->fallible;
    if (me) self->sim->fail_at = from + self->fails;
    if (loads)
        self->result = nn_load_checkpoint(self->trainer, self->load, NULL);
    else
        make_net(self, 7, 4);
    if (!loads) self->result = self->trainer ? NN_OK : nn_error_code(self->nn);
    self->sim->fail_at = 0;
    self->calls = (int)(self->sim->fallible - from);
    snprintf(self->told, sizeof self->told, "%s", nn_error(self->nn) ? nn_error(self->nn) : "");
    nn_clear_error(self->nn);
    if (self->result == NN_OK) return;
    if (!loads) nn_free_model(self->net);
    if (!loads) make_net(self, 7, 4);
    self->again = loads           ? nn_load_checkpoint(self->trainer, self->load, NULL)
                  : self->trainer ? NN_OK
                                  : nn_error_code(self->nn);
    if (self->again == NN_OK) look(self);
}

static void test_a_device_fails_at_state(void) {
    job ranks[2], like;
    memset(&like, 0, sizeof like);
    like.threads = 1;
    like.simulated = true;
    like.work = train;
    like.steps = 2;
    like.save = path;
    run(ranks, 2, &like);
    ENSURE(ranks[0].result == NN_OK);
    like.work = lose_state;
    for (int i = 0; i < 8; i++) {
        int failed = 0;
        like.load = i & 1 ? path : NULL;
        like.desc.shard_state = (i & 2) != 0;
        like.odd = i / 4;
        for (like.fails = 1; failed == like.fails - 1; like.fails++) {
            char who[16];
            if (like.fails > 4 && !getenv("NN_FULL")) break;
            snprintf(who, sizeof who, "rank %d: ", like.odd);
            run(ranks, 2, &like);
            if (ranks[like.odd].calls < like.fails) break;
            failed++;
            for (int r = 0; r < 2; r++)
                if (test_wrong(ranks[r].result != ranks[like.odd].result || ranks[r].again != NN_OK ||
                    (ranks[r].result != NN_OK && r != like.odd &&
                     !strstr(ranks[r].told, who)) ||
                    ranks[r].hash != ranks[0].hash))
                    test_fail(__FILE__, __LINE__,
                              "%s%s, call %d of rank %d: rank %d has %d, then %d: %s, then %s",
                              i & 1 ? "loading" : "making", i & 2 ? ", shares" : "",
                              (int)like.fails, like.odd, r, (int)ranks[r].result,
                              (int)ranks[r].again, ranks[r].told, ranks[r].error);
        }
    }
    remove(path);
}

static void test_trouble(void) {
    static const nn_result results[] = {NN_ERROR_NAN, NN_ERROR_LABEL, NN_ERROR_FILE,
                                        NN_ERROR_ARGUMENT};
    job ranks[4], like;
    memset(&like, 0, sizeof like);
    like.work = have_trouble;
    like.threads = 1;
    for (int t = 0; t < TROUBLES; t++)
        for (int i = 0; i < 4 + 3; i++) {
            const int size = i < 4 ? 4 : 3, victim = i < 4 ? i : i - 4;
            char who[16];
            snprintf(who, sizeof who, "rank %d: ", victim);
            like.steps = t;
            like.odd = victim;
            like.two = victim == 1; /* ranks without an error wait for its replica, too */
            like.desc.bucket_bytes = victim % 2 ? 64 : 0; /* one bucket or several are being
                                                             exchanged */
            like.simulated = victim > 1;
            like.desc.batch_norm = (victim >= 2) ? NN_OVER_ALL : NN_PER_SHARD;
            run(ranks, size, &like);
            for (int r = 0; r < size; r++)
                if (test_wrong(ranks[r].result != results[t] || ranks[r].hash != ranks[0].hash ||
                    ranks[r].step != ranks[0].step || ranks[r].step == 0 ||
                    (r != victim && !strstr(ranks[r].error, who))))
                    test_fail(__FILE__, __LINE__,
                              "trouble %d on rank %d: rank %d has %d at step %d: %s", t, victim, r,
                              (int)ranks[r].result, (int)ranks[r].step, ranks[r].error);
        }
}

/* ---- nn_fit ---------------------------------------------------------------------------------- */

typedef struct told {
    int calls, last;
} told;

static bool stop_sometime(void *user, const nn_progress *progress) {
    told *t = (told *)user;
    t->calls++;
    return !(t->last && progress->epoch == 2 && progress->batch == t->last);
}

static void fit(job *self) {
    told t = {0, self->rank == self->odd ? self->steps : 0};
    make_net(self, 7, 4);
    make_loader(self);
    nn_loader *validation = nn_make_loader(
        self->nn,
        &(nn_loader_desc){.dataset = self->dataset, .batch = BATCH, .group = self->group});
    nn_fit_desc desc = {.epochs = 3,
                        .validation = validation,
                        .report_every = 1,
                        .callback = stop_sometime,
                        .user = &t,
                        .checkpoint = {.path = self->save, .every = 2, .resume = true}};
    self->result = nn_fit(self->trainer, self->loader, &desc);
    if (self->result == NN_CANCELLED && self->save) { /* again, from where it was */
        t.last = 0;
        self->result = nn_fit(self->trainer, self->loader, &desc);
    }
    look(self);
}

static void test_fit(void) {
    job ranks[4], whole, like;
    memset(&like, 0, sizeof like);
    like.work = fit;
    like.threads = 1;
    like.odd = -1;
    run(&whole, 1, &like);
    ENSURE(whole.result == NN_OK && whole.step == 6);
    /* a callback that says stop on one rank stops all; then they continue */
    like.steps = 1;
    for (int victim = 0; victim < 4; victim += 3) {
        like.odd = victim;
        like.save = NULL;
        run(ranks, 4, &like);
        for (int r = 0; r < 4; r++)
            if (test_wrong(ranks[r].result != NN_CANCELLED || ranks[r].step != 3 || ranks[r].error[0]))
                test_fail(__FILE__, __LINE__, "rank %d: %d at step %d: %s", r,
                          (int)ranks[r].result, (int)ranks[r].step, ranks[r].error);
        like.save = path;
        run(ranks, 4, &like);
        for (int r = 0; r < 4; r++)
            if (test_wrong(ranks[r].result != NN_OK || ranks[r].hash != whole.hash || ranks[r].step != 6))
                test_fail(__FILE__, __LINE__, "rank %d: %d at step %d, %016llx, %016llx: %s", r,
                          (int)ranks[r].result, (int)ranks[r].step,
                          (unsigned long long)ranks[r].hash, (unsigned long long)whole.hash,
                          ranks[r].error);
        remove(path);
    }
    /* no room, or no such folder: all know */
    like.odd = -1;
    like.save = "build/there is no such folder/a";
    run(ranks, 4, &like);
    for (int r = 0; r < 4; r++)
        if (test_wrong(ranks[r].result != NN_ERROR_FILE || ranks[r].step != 2 ||
            (r > 0 && !strstr(ranks[r].error, "rank 0: "))))
            test_fail(__FILE__, __LINE__, "rank %d: %d at step %d: %s", r, (int)ranks[r].result,
                      (int)ranks[r].step, ranks[r].error);
}


int main(int argc, char **argv) {
    test_start(argc, argv);
    if (!has_threads()) {
        RUN(no_threads);
        return test_report();
    }
    rank_fill_data();
    RUN(test_same_bytes);
    RUN(test_same_bytes_over_all);
    RUN(test_moving);
    RUN(test_fork);
    RUN(test_other_number_of_ranks);
    RUN(test_differences);
    RUN(test_refused);
    RUN(test_trouble);
    RUN(test_a_device_fails);
    RUN(test_a_device_fails_at_state);
    RUN(test_fit);
    return test_report();
}
