/* tests/test_shard_state.c - nn_trainer_desc.shard_state on threads of this process: checkpoints of
   the same bytes as without it, for every optimizer and any number of ranks; less memory on each
   rank; and what happens to one rank happens to all. Known mistakes of peers: pytorch#94210
   (ZeroRedundancyOptimizer: a state that only its ranks can load), DeepSpeed#4295 (a checkpoint
   wants its number of ranks back), pytorch#73134 (frozen parameters break the dealing). */
#define _POSIX_C_SOURCE 200809L
#define NN_IMPLEMENTATION
#include "nn.h"

#include "sim_device.h"
#include "test.h"

#include <pthread.h>
#include <stdlib.h>

#define RANKS 8
enum { FEATURES = 12, CLASSES = 3, BATCH = 16, SAMPLES = 44 };

static const char *const path = "build/test_shard_state.checkpoint";
static float values[SAMPLES * FEATURES];
static int32_t labels[SAMPLES];

static void make_data(void) {
    for (int i = 0; i < SAMPLES * FEATURES; i++)
        values[i] = (float)((i * 7919 + i / 12 * 31 + 13) % 1000) / 500.0f - 1.0f;
    for (int i = 0; i < SAMPLES; i++) labels[i] = i * 5 % CLASSES;
}

/* Memory of one rank, as it was asked for. */
typedef struct counter {
    size_t live;
} counter;

static void *count_allocate(void *user, size_t bytes, size_t alignment) {
    counter *c = (counter *)user;
    void *memory = NULL;
    if (posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes))
        return NULL;
    c->live += bytes;
    return memory;
}
static void count_release(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)alignment;
    ((counter *)user)->live -= memory ? bytes : 0;
    free(memory);
}

typedef struct job job;
struct job {
    /* what is wanted, the same for all ranks */
    void (*work)(job *self);
    nn_trainer_desc desc;
    nn_dtype dtype;
    int hidden;        /* features; default: 10 */
    int simulated;     /* ranks from this one on have a device with memory of their own; 0: none */
    bool two, by_hand; /* two devices for each rank; nn_backward and nn_update */
    int steps, odd;    /* odd: the rank that does otherwise, or -1 */
    const char *load;
    bool alone; /* no group */
    /* of a rank */
    pthread_t thread;
    nn_meeting *meeting;
    int32_t rank;
    counter memory;
    nn_context *nn;
    nn_group *group;
    nn_device device, second;
    nn_model *net;
    nn_node *x, *label;
    nn_trainer *trainer;
    nn_loader *loader;
    /* what it found */
    nn_result result;
    uint64_t hash, other;
    size_t live;
    char text[12000], error[1000];
};

static void *run_rank(void *data) {
    job *self = (job *)data;
    sim_device *sim[2] = {NULL, NULL};
    sim_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = true;
    self->nn = nn_open(&(nn_desc){.threads = 1,
                                  .allocator = {count_allocate, count_release, &self->memory}});
    self->device = nn_cpu();
    if (self->simulated && self->rank + 1 >= self->simulated)
        sim[0] = sim_open(self->nn, &desc, &self->device);
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

static void run(job *ranks, int32_t size, const job *like) {
    nn_context *owner = nn_open(NULL);
    nn_meeting *meeting = nn_make_meeting(owner, size);
    for (int32_t r = 0; r < size; r++) {
        ranks[r] = *like;
        ranks[r].meeting = meeting;
        ranks[r].rank = r;
        if (pthread_create(&ranks[r].thread, NULL, run_rank, &ranks[r]) != 0) abort();
    }
    for (int32_t r = 0; r < size; r++) pthread_join(ranks[r].thread, NULL);
    nn_close(owner);
}

static void hash_bytes(uint64_t *hash, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

static uint64_t hash_net(nn_model *net) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        char bytes[4096];
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const size_t count = (size_t)nn_tensor_bytes(tensor);
        if (count > sizeof bytes) continue;
        nn_download_tensor(tensor, bytes, count);
        hash_bytes(&hash, bytes, count);
    }
    return hash;
}

static uint64_t hash_file(void) {
    uint64_t hash = 0xcbf29ce484222325u;
    char bytes[4096];
    size_t count;
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    while ((count = fread(bytes, 1, sizeof bytes, file)) > 0) hash_bytes(&hash, bytes, count);
    fclose(file);
    return hash;
}

static void make_trainer(job *self) {
    nn_model *m = self->net =
        nn_make_model(self->nn, &(nn_model_desc){.name = "net",
                                                 .seed = 7,
                                                 .device = self->device,
                                                 .dtype = self->dtype});
    nn_node *x = self->x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, FEATURES));
    nn_node *y = self->label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_trainer_desc desc = self->desc;
    x = nn_linear(m, "hidden", x,
                  &(nn_linear_desc){.out_features = self->hidden ? self->hidden : 10});
    x = nn_dropout(m, nn_relu(m, nn_batch_norm1d(m, "bn", x, NULL)), 0.25f);
    x = nn_linear(m, "out", x, &(nn_linear_desc){.out_features = CLASSES});
    desc.batch = BATCH;
    desc.group = self->group;
    desc.shards = 8;
    if (self->two) desc.devices[0] = self->device, desc.devices[1] = self->second;
    self->trainer = nn_make_trainer(m, nn_cross_entropy(m, x, y, NULL), &desc);
    if (!self->trainer) self->result = nn_error_code(self->nn);
}

static void make_loader(job *self) {
    nn_dataset *data = nn_make_dataset(
        self->nn,
        &(nn_dataset_desc){.fields = {{.name = "x", .shape = NN_SHAPE(FEATURES), .data = values},
                                      {.name = "label", .dtype = NN_I32, .data = labels}},
                           .count = SAMPLES});
    self->loader = nn_make_loader(self->nn, &(nn_loader_desc){.dataset = data,
                                                              .batch = BATCH,
                                                              .shuffle = true,
                                                              .seed = 5,
                                                              .device = self->device,
                                                              .shards = 8,
                                                              .group = self->group});
}

static void step(job *self, int steps) {
    for (int i = 0; i < steps && self->result == NN_OK; i++) {
        while (!nn_next_batch(self->loader))
            if (nn_loader_result(self->loader) != NN_END) {
                self->result = nn_loader_result(self->loader);
                return;
            }
        self->result = nn_train_step(self->trainer, self->loader);
    }
}

/* Steps, and what a checkpoint then has: parameters, buffers, moments, averages. */
static void train(job *self) {
    make_trainer(self);
    make_loader(self);
    if (self->load && self->trainer)
        self->result = nn_load_checkpoint(self->trainer, self->load,
                                          &(nn_checkpoint_desc){.loader = self->loader});
    step(self, self->steps);
    self->live = self->memory.live;
    if (self->trainer) nn_write_plan(nn_trainer_plan(self->trainer),
                                     (nn_writer){nn_write_text, &(nn_text){.buffer = self->text,
                                                              .size = sizeof self->text}});
    if (self->result == NN_OK)
        self->result = nn_save_checkpoint(self->trainer, path,
                                          &(nn_checkpoint_desc){.loader = self->loader});
    self->hash = hash_net(self->net);
}

/* One rank that keeps all. */
static uint64_t train_alone(job *one, const job *like) {
    job whole = *like;
    whole.simulated = 0;
    whole.two = whole.desc.shard_state = false;
    run(one, 1, &whole);
    return hash_file();
}

/* Every byte of the weights of all, and of the file of rank 0. */
static void same(const job *like, int32_t size, uint64_t weights, uint64_t file,
                 const char *what) {
    static job ranks[RANKS];
    uint64_t found;
    remove(path);
    run(ranks, size, like);
    found = hash_file();
    for (int32_t r = 0; r < size; r++)
        if (ranks[r].result != NN_OK || ranks[r].error[0] || ranks[r].hash != weights ||
            found != file || file == 0)
            test_fail(__FILE__, __LINE__, "%s: rank %d of %d: %s weights, %s file: %s", what,
                      (int)r, (int)size, ranks[r].hash == weights ? "the same" : "other",
                      found == file ? "the same" : "another", ranks[r].error);
}

static job usual(void) {
    job like;
    memset(&like, 0, sizeof like);
    like.work = train;
    like.steps = 5;
    like.odd = -1;
    like.desc.optimizer = NN_ADAM;
    like.desc.learning_rate = 0.01f;
    like.desc.shard_state = true;
    return like;
}

/* ---- the same bytes -------------------------------------------------------------------------- */

/* More ranks than parameters (six): the last ones update nothing. */
static void test_ranks(void) {
    static const int64_t buckets[] = {0, 1, 0, 300, 1, 0, 0, 64};
    static job one;
    job like = usual();
    like.desc.max_norm = 0.5f;
    like.desc.average.kind = NN_AVERAGE_EMA;
    like.desc.average.decay = 0.8f;
    const uint64_t file = train_alone(&one, &like);
    ENSURE(one.result == NN_OK);
    for (int32_t size = 1; size <= RANKS; size++) {
        like.desc.bucket_bytes = buckets[size - 1];
        same(&like, size, one.hash, file, "ranks");
    }
    /* all ranks with memory of their own, only the last ones, two devices each */
    for (int simulated = 0; simulated <= 2; simulated++)
        for (int two = simulated == 0; two < 2; two++) {
            like.simulated = simulated;
            like.two = two != 0;
            like.desc.bucket_bytes = simulated * 64;
            same(&like, 2 + two, one.hash, file, "devices");
        }
}

static void test_optimizers(void) {
    static const nn_parameter_group biases[] = {{.pattern = "*.bias", .optimizer = NN_ADAMW},
                                                {.pattern = "bn.", .optimizer = NN_SGD}};
    static job one;
    for (int o = NN_SGD; o <= NN_MUON; o++) {
        job like = usual();
        like.steps = 3;
        like.desc.optimizer = (nn_optimizer)o;
        like.desc.amsgrad = o == NN_ADAMW;
        like.desc.centered = true;
        like.desc.momentum = 0.9f;
        like.desc.max_value = o == NN_ADAM ? 0.01f : 0.0f;
        if (o == NN_MUON) memcpy(like.desc.groups, biases, sizeof biases);
        const uint64_t file = train_alone(&one, &like);
        ENSURE(one.result == NN_OK);
        same(&like, 2 + o % 3, one.hash, file, "optimizer");
    }
}

/* Frozen parameters, groups, masters of f16 and bf16 with their averages, accumulation. */
static void test_what_goes_with_it(void) {
    static job one;
    for (int i = 0; i < 5; i++) {
        job like = usual();
        if (i == 0)
            like.desc.groups[0] = (nn_parameter_group){.pattern = "hidden.", .frozen = true};
        if (i == 1) like.desc.groups[0] = (nn_parameter_group){
            .pattern = "*.bias", .optimizer = NN_RMSPROP, .rate_factor = 0.5f};
        if (i == 2 || i == 3) {
            like.dtype = i == 2 ? NN_F16 : NN_BF16;
            like.desc.average.kind = NN_AVERAGE_SWA;
            like.desc.average.start = 1;
        }
        if (i == 4) like.desc.accumulate = 2, like.steps = 6;
        const uint64_t file = train_alone(&one, &like);
        ENSURE(one.result == NN_OK);
        same(&like, 2, one.hash, file, "what goes with it");
        like.simulated = i % 2 + 1;
        same(&like, 3, one.hash, file, "what goes with it, on devices");
    }
}

/* Gradients by hand are those of all parameters, on every rank. */
static void by_hand(job *self) {
    float gradient[CLASSES], norm = 0.0f;
    make_trainer(self);
    make_loader(self);
    for (int i = 0; i < 2 && self->result == NN_OK; i++) {
        float part[2];
        while (!nn_next_batch(self->loader)) {}
        nn_plan *plan = nn_trainer_plan(self->trainer);
        nn_bind(plan, self->x, nn_batch_tensor(self->loader, "x"));
        nn_bind(plan, self->label, nn_batch_tensor(self->loader, "label"));
        self->result = nn_backward(self->trainer);
        if (self->result == NN_OK)
            self->result = nn_clip_gradients(self->trainer, 0.5f, &norm);
        if (self->result == NN_OK)
            self->result =
                nn_read_gradient(self->trainer, "out.bias", gradient, sizeof gradient);
        part[0] = norm;
        part[1] = gradient[1];
        hash_bytes(&self->other, part, sizeof part);
        if (self->result == NN_OK) self->result = nn_update(self->trainer);
    }
    self->hash = hash_net(self->net);
}

static void test_by_hand(void) {
    static job one, ranks[4];
    job like = usual();
    like.work = by_hand;
    like.desc.gradients = true;
    train_alone(&one, &like);
    ENSURE(one.result == NN_OK && one.other != 0);
    run(ranks, 4, &like);
    for (int r = 0; r < 4; r++)
        if (ranks[r].result != NN_OK || ranks[r].hash != one.hash || ranks[r].other != one.other)
            test_fail(__FILE__, __LINE__, "rank %d: %s", r, ranks[r].error);
}

/* ---- checkpoints, averages, moving ----------------------------------------------------------- */

/* Four ranks that share save; any number goes on, sharing or not, and the other way round. */
static void test_resume(void) {
    static const char *const kept = "build/test_shard_state.kept";
    static job whole, ranks[RANKS];
    job like = usual();
    like.steps = 6;
    like.desc.average.kind = NN_AVERAGE_EMA;
    const uint64_t file = train_alone(&whole, &like);
    for (int shares = 0; shares < 2; shares++) {
        like.steps = 4;
        like.load = NULL;
        like.desc.shard_state = shares == 1;
        run(ranks, 4, &like);
        ENSURE(ranks[3].result == NN_OK && rename(path, kept) == 0);
        like.steps = 2;
        like.load = kept;
        for (int32_t size = 1; size <= RANKS; size += size < 3 ? 1 : size == 3 ? 2 : 3) {
            like.desc.shard_state = shares == 0 || size != 3;
            like.simulated = size == 2 ? 2 : 0;
            same(&like, size, whole.hash, file, "resumed");
        }
    }
    remove(kept);
}

static void swap(job *self) {
    nn_report report;
    make_trainer(self);
    make_loader(self);
    step(self, 3);
    if (self->result == NN_OK) self->result = nn_swap_average(self->trainer);
    self->other = hash_net(self->net);
    if (self->result == NN_OK) self->result = nn_evaluate(self->trainer, self->loader, &report);
    hash_bytes(&self->other, &report.loss, sizeof report.loss);
    if (self->result == NN_OK) self->result = nn_swap_average(self->trainer);
    self->hash = hash_net(self->net);
}

static void test_averages(void) {
    static job one, ranks[4];
    for (int i = 0; i < 3; i++) {
        job like = usual();
        like.work = swap;
        like.dtype = i == 2 ? NN_BF16 : NN_F32;
        like.desc.average.kind = NN_AVERAGE_EMA;
        like.desc.average.decay = 0.7f;
        train_alone(&one, &like);
        ENSURE(one.result == NN_OK && one.other != one.hash);
        like.simulated = i;
        run(ranks, 4, &like);
        for (int r = 0; r < 4; r++)
            if (ranks[r].result != NN_OK || ranks[r].hash != one.hash ||
                ranks[r].other != one.other)
                test_fail(__FILE__, __LINE__, "rank %d: %s", r, ranks[r].error);
    }
}

static void move(job *self) {
    const nn_device there = self->device;
    self->device = nn_cpu();
    make_trainer(self);
    make_loader(self);
    step(self, 2);
    nn_free_loader(self->loader);
    if (self->result == NN_OK) self->result = nn_move_trainer(self->trainer, there);
    self->device = there;
    make_loader(self);
    step(self, 2);
    self->hash = hash_net(self->net);
}

static void test_moving(void) {
    static job one, ranks[3];
    job like = usual();
    like.work = move;
    train_alone(&one, &like);
    like.simulated = 2;
    run(ranks, 3, &like);
    for (int r = 0; r < 3; r++)
        if (ranks[r].result != NN_OK || ranks[r].hash != one.hash)
            test_fail(__FILE__, __LINE__, "rank %d: %s", r, ranks[r].error);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Adam's moments are twice the parameters. Each rank keeps those of its own and has less memory. */
static void test_memory(void) {
    static job ranks[4], whole[4];
    job like = usual();
    like.hidden = 2000;
    like.steps = 1;
    like.desc.bucket_bytes = 4096;
    run(ranks, 4, &like);
    like.desc.shard_state = false;
    run(whole, 4, &like);
    for (int r = 0; r < 4; r++) {
        static const size_t kept[] = {192000, 48000, 32000, 16024};
        const size_t all = 288024, room = 4096, saved = whole[r].live - ranks[r].live;
        char wanted[80];
        snprintf(wanted, sizeof wanted, "this rank keeps %zu of %zu bytes", kept[r], all);
        ENSURE(ranks[r].result == NN_OK && whole[r].result == NN_OK);
        ENSURE(ranks[r].hash == whole[r].hash && whole[r].live > ranks[r].live);
        ENSURE(strstr(ranks[r].text, wanted) && !strstr(whole[r].text, "shard_state"));
        ENSURE(strstr(ranks[r].text, "each rank then gives up to 96000 bytes of them to all, "
                                     "through 4096 bytes of host memory"));
        /* what lists and names take is less as well */
        if (saved + room + 2000 < all - kept[r] || saved + room > all - kept[r] + 16000)
            test_fail(__FILE__, __LINE__, "rank %d: %zu bytes less; wanted %zu - %zu", r, saved,
                      all - kept[r], room);
    }
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void differ(job *self) {
    if (self->rank == self->odd) self->desc.shard_state = false;
    make_trainer(self);
}

/* A rank that updates before there is a gradient. */
static void hurry(job *self) {
    make_trainer(self);
    make_loader(self);
    while (!nn_next_batch(self->loader)) {}
    nn_plan *plan = nn_trainer_plan(self->trainer);
    nn_bind(plan, self->x, nn_batch_tensor(self->loader, "x"));
    nn_bind(plan, self->label, nn_batch_tensor(self->loader, "label"));
    self->result = nn_backward(self->trainer);
    if (self->rank == self->odd) nn_zero_gradients(self->trainer);
    if (self->result == NN_OK) self->result = nn_update(self->trainer);
    self->hash = hash_net(self->net);
}

/* A rank that cannot exchange its average. */
static void lonely(job *self) {
    make_trainer(self);
    make_loader(self);
    if (self->rank != self->odd) step(self, 0);
    self->result = nn_swap_average(self->trainer);
}

static void test_faults(void) {
    static const struct {
        void (*work)(job *self);
        nn_result result;
        const char *words;
    } cases[] = {{differ, NN_ERROR_GROUP, "rank 1: shard_state is 0; rank 0: 1"},
                 {hurry, NN_ERROR_ARGUMENT, "no nn_backward since the last update"},
                 {lonely, NN_ERROR_ARGUMENT, "nothing was averaged"}};
    static job ranks[3];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        job like = usual();
        like.work = cases[c].work;
        like.odd = 1;
        like.desc.gradients = true;
        like.desc.average.kind = NN_AVERAGE_EMA;
        run(ranks, 3, &like);
        for (int r = 0; r < 3; r++)
            if (ranks[r].result != cases[c].result || !strstr(ranks[r].error, cases[c].words) ||
                ranks[r].hash != ranks[0].hash)
                test_fail(__FILE__, __LINE__, "case %d, rank %d: %d: %s", (int)c, r,
                          (int)ranks[r].result, ranks[r].error);
    }
    /* devices of one rank do not share; one rank has all */
    job like = usual();
    like.work = make_trainer;
    like.alone = like.two = true;
    run(ranks, 1, &like);
    ENSURE(ranks[0].result == NN_ERROR_UNSUPPORTED &&
           strstr(ranks[0].error, "shard_state shares the optimizer's state between the ranks"));
    like.two = false;
    run(ranks, 1, &like);
    ENSURE(ranks[0].result == NN_OK);
}

static bool has_threads(void) {
#if defined(NN_NO_THREADS) || defined(__TINYC__)
    return false;
#else
    return true;
#endif
}
static void no_threads(void) { SKIP("this build or compiler has no threads"); }

int main(int argc, char **argv) {
    test_start(argc, argv);
    if (!has_threads()) {
        RUN(no_threads);
        return test_report();
    }
    make_data();
    RUN(test_ranks);
    RUN(test_optimizers);
    RUN(test_what_goes_with_it);
    RUN(test_by_hand);
    RUN(test_resume);
    RUN(test_averages);
    RUN(test_moving);
    RUN(test_memory);
    RUN(test_faults);
    remove(path);
    return test_report();
}
