/* tests/test_shard_ranks.c - one training on 1, 2, 4 and 8 ranks, threads of this process: the same
   bytes of weights, moments, running statistics and reports; and what happens to one rank is the
   same error on all. Known mistakes of peers: pytorch#22192 (statistics of uneven batches),
   pytorch#25162 (samples of a validation twice), lightning#6430 (an error on one rank hangs the
   others), DeepSpeed#2898 (a checkpoint wants its number of ranks back). */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"

#include <pthread.h>
#include <stdlib.h>

#define RANKS 8
enum { SAMPLES = 29, SIDE = 6, PIXELS = SIDE * SIDE, BATCH = 16, CLASSES = 3 };

static float pictures[SAMPLES * PIXELS];
static int32_t labels[SAMPLES];

static void make_data(void) {
    for (int i = 0; i < SAMPLES * PIXELS; i++)
        pictures[i] = (float)((i * 7919 + i / 36 * 31 + 13) % 1000) / 500.0f - 1.0f;
    for (int i = 0; i < SAMPLES; i++) labels[i] = i * 5 % CLASSES;
}

typedef struct rank rank;
struct rank {
    pthread_t thread;
    nn_meeting *meeting;
    int32_t rank, size;
    void (*work)(rank *self);
    /* what the work wants */
    int threads, shards, steps, troubled; /* troubled: the rank that has the trouble, or -1 */
    int64_t bucket_bytes;
    const char *save, *load;
    /* what it has */
    nn_context *nn;
    nn_group *group;
    nn_model *net;
    nn_node *loss, *accuracy;
    nn_dataset *dataset;
    nn_loader *loader;
    nn_trainer *trainer;
    /* what it found */
    nn_result result;
    uint64_t hash;
    int64_t step;
    float last;
    nn_report report, tested;
    int64_t confusion[CLASSES * CLASSES];
    char error[2048];
};

static void *run_rank(void *data) {
    rank *self = (rank *)data;
    const char *error;
    self->nn = nn_open(&(nn_desc){.threads = self->threads});
    self->group = nn_join_meeting(self->nn, self->meeting, self->rank, 20);
    if (self->group) self->work(self);
    error = nn_error(self->nn);
    snprintf(self->error, sizeof self->error, "%s", error ? error : "");
    nn_close(self->nn);
    return NULL;
}

/* `like` says what the work wants; then each rank has what it found. */
static void run_ranks(rank *ranks, int32_t size, const rank *like) {
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

static void add_hash(uint64_t *hash, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

/* conv, batch norm, dropout */
static void make_net(rank *self, uint64_t seed, int channels) {
    nn_model *m = self->net =
        nn_make_model(self->nn, &(nn_model_desc){.name = "net", .seed = seed});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, SIDE, SIDE));
    nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    x = nn_conv2d(m, "conv", x,
                  &(nn_conv2d_desc){.out_channels = channels, .kernel = 3, .padding = 1});
    x = nn_relu(m, nn_batch_norm2d(m, "bn", x, NULL));
    x = nn_dropout(m, nn_max_pool2d(m, x, &(nn_pool2d_desc){.kernel = 2}), 0.25f);
    x = nn_linear(m, "fc", nn_flatten(m, x), &(nn_linear_desc){.out_features = CLASSES});
    self->loss = nn_cross_entropy(m, x, label, NULL);
    self->accuracy = nn_accuracy(m, x, label);
    nn_trainer_desc desc = {.batch = BATCH,
                            .optimizer = NN_ADAM,
                            .learning_rate = 0.01f,
                            .metrics = {self->accuracy},
                            .confusion = {x, label},
                            .shards = self->shards,
                            .bucket_bytes = self->bucket_bytes,
                            .group = self->group};
    self->trainer = nn_make_trainer(m, self->loss, &desc);
}

static void make_loader(rank *self) {
    self->dataset = nn_make_dataset(
        self->nn, &(nn_dataset_desc){.fields = {{.name = "x",
                                                 .shape = NN_SHAPE(1, SIDE, SIDE),
                                                 .data = pictures},
                                                {.name = "label", .dtype = NN_I32,
                                                 .data = labels}},
                                     .count = SAMPLES});
    self->loader = nn_make_loader(self->nn, &(nn_loader_desc){.dataset = self->dataset,
                                                              .batch = BATCH,
                                                              .shuffle = true,
                                                              .seed = 5,
                                                              .shards = self->shards,
                                                              .group = self->group});
}

static void hash_net(rank *self) {
    self->hash = 0xcbf29ce484222325u;
    for (int i = 0; i < nn_model_tensor_count(self->net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(self->net, i);
        add_hash(&self->hash, nn_tensor_const_data(tensor), nn_tensor_bytes(tensor));
    }
    self->step = nn_trainer_step(self->trainer);
}

static void train_steps(rank *self, int steps) {
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

/* The rank's own seed must not matter: rank 0's state reaches all. */
static void train(rank *self) {
    make_net(self, 7, 4);
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
            nn_read_confusion(self->trainer, self->confusion, sizeof self->confusion);
    if (self->trainer) hash_net(self);
}

static bool same_rank(const rank *a, const rank *b, const char *what) {
    const bool same = a->hash == b->hash && a->step == b->step && a->last == b->last &&
                      memcmp(&a->report, &b->report, sizeof a->report) == 0 &&
                      memcmp(&a->tested, &b->tested, sizeof a->tested) == 0 &&
                      memcmp(a->confusion, b->confusion, sizeof a->confusion) == 0;
    if (b->result != NN_OK || b->error[0])
        test_fail(__FILE__, __LINE__, "%s, rank %d of %d: %s", what, (int)b->rank, (int)b->size,
                  b->error);
    else if (!same)
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
    static const int threads[] = {1, 2, 1, 1};
    static const int64_t buckets[] = {0, 64, 1000, 0};
    rank ranks[RANKS], one, like;
    memset(&like, 0, sizeof like);
    like.work = train;
    like.steps = getenv("NN_FULL") ? 200 : 12;
    like.shards = 8;
    like.threads = 1;
    run_ranks(&one, 1, &like);
    ENSURE(one.result == NN_OK && one.step == like.steps && one.tested.samples == SAMPLES);
    ENSURE(one.hash != 0 && one.report.samples > 0);
    for (int32_t size = 1, i = 0; size <= RANKS; size *= 2, i++) {
        like.threads = threads[i];
        like.bucket_bytes = buckets[i];
        run_ranks(ranks, size, &like);
        for (int32_t r = 0; r < size; r++) same_rank(&one, &ranks[r], "trained");
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    make_data();
    RUN(test_same_bytes);
    return test_report();
}
