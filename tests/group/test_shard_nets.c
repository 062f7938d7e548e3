/* tests/group/test_shard_nets.c - unusual training runs on 1 to 8 ranks, threads of this process:
   several trainers of one group with different losses and parameters; a weight shared by an
   embedding and a layer; NaN in one shard's samples while gradients are computed for all shards at
   once; a context with hardly any scratch. Any number of ranks gives the same bytes, and all ranks
   get the same error. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#define NN_IMPLEMENTATION
#include "nn_group.h"

#include "inside.h"
#include "rank_threads.h"
#include "lists.h"
#include "systems.h"

enum { SAMPLES = 29, BATCH = 16, NOISE = 4, POINT_SIZE = 6, WORDS = 40, HIDDEN = 64, TRAINERS = 3 };

static float noise[SAMPLES * NOISE], spoiled[SAMPLES * NOISE], points[SAMPLES * POINT_SIZE];
static int32_t words[SAMPLES], following[SAMPLES];

static void fill_data(void) {
    for (int i = 0; i < SAMPLES * NOISE; i++)
        noise[i] = (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f;
    for (int i = 0; i < SAMPLES * POINT_SIZE; i++)
        points[i] = (float)((i * 6007 + 401) % 1000) / 500.0f - 1.0f;
    for (int i = 0; i < SAMPLES; i++) words[i] = i * 13 % WORDS, following[i] = i * 29 % WORDS;
}

static void make_model(job *self) {
    const nn_model_desc desc = {.name = "net", .seed = 7, .device = self->device};
    self->net = nn_make_model(self->nn, &desc);
}

/* Bits of `fields`: noise, points, words and those that follow them; SPOILED: noise with a NaN. */
enum { SPOILED = 16 };
static nn_loader *make_loader(job *self, int fields) {
    const float *const given = fields & SPOILED ? spoiled : noise;
    const nn_field every[] = {{.name = "noise", .shape = NN_SHAPE(NOISE), .data = given},
                                   {.name = "point", .shape = NN_SHAPE(POINT_SIZE), .data = points},
                                   {.name = "word", .dtype = NN_I32, .data = words},
                                   {.name = "next", .dtype = NN_I32, .data = following}};
    nn_dataset_desc desc = {.count = SAMPLES};
    for (int i = 0, count = 0; i < 4; i++)
        if (fields >> i & 1) FIELD_AT(desc.fields, count++) = every[i];
    return nn_make_loader(self->nn, &(nn_loader_desc){.dataset = nn_make_dataset(self->nn, &desc),
                                                      .batch = BATCH,
                                                      .device = self->device,
                                                      .shards = 8,
                                                      .group = self->group});
}

static nn_trainer *make_trainer(job *self, nn_node *loss, nn_trainer_desc desc) {
    if (!desc.batch) desc.batch = BATCH;
    desc.shards = self->alone ? 1 : 8;
    desc.group = self->group;
    nn_trainer *trainer = nn_make_trainer(self->net, loss, &desc);
    if (!trainer) self->result = nn_error_code(self->nn);
    return trainer;
}

/* Returns how many gradients are computed for all shards at once, as its plan says. */
static int at_once(nn_trainer *trainer) {
    enum { ROOM = 200000 };
    nn_text text = {(char *)malloc(ROOM), ROOM, 0};
    const nn_writer writer = {nn_write_text, &text};
    const bool reads = trainer && text.buffer;
    if (reads) nn_write_plan(nn_trainer_plan(trainer), writer);
    const char *at =
        reads ? strstr(text.buffer, " gradients are computed after the last shard") : NULL;
    while (at && at > text.buffer && at[-1] >= '0' && at[-1] <= '9') at--;
    const int found = at ? atoi(at) : 0;
    free(text.buffer);
    return found;
}

static nn_node *layer(nn_model *m, const char *name, nn_node *x, int features, bool shared) {
    return nn_linear(m, name, x, &(nn_linear_desc){.out_features = features, .shared = shared});
}

/* ---- several trainers of one group ----------------------------------------------------------- */

static nn_node *judge(nn_model *m, nn_node *point) {
    nn_node *x = nn_leaky_relu(m, layer(m, "judge.1", point, HIDDEN, true),
                               &(nn_leaky_relu_desc){.negative_slope = 0.2f});
    x = nn_leaky_relu(m, layer(m, "judge.2", x, HIDDEN, true),
                      &(nn_leaky_relu_desc){.negative_slope = 0.2f});
    return layer(m, "judge.3", x, 1, true);
}

/* Makes the trainers of a generator and of a discriminator, whose weights are used twice, and a
   third one, which shares the generator's parameters, gathers two batches and sends half the
   bytes. */
static void make_gan(job *self, nn_trainer **trainers) {
    make_model(self);
    nn_model *m = self->net;
    nn_node *z = self->x = nn_input(m, "noise", NN_F32, NN_SHAPE(NN_BATCH, NOISE));
    nn_node *real = nn_input(m, "point", NN_F32, NN_SHAPE(NN_BATCH, POINT_SIZE));
    nn_node *x = nn_tanh(m, layer(m, "make.1", z, HIDDEN, false));
    x = nn_tanh(m, layer(m, "make.2", nn_dropout(m, x, 0.1f), HIDDEN + 8, false));
    nn_node *made = layer(m, "make.3", x, POINT_SIZE, false);
    nn_node *right = judge(m, real), *wrong = judge(m, made);
    nn_node *loss[TRAINERS];
    const bool even = nn_group_size(self->group) % 2 == 0;
    loss[0] = nn_mean(m, nn_expression(m, "softplus(-right) + softplus(wrong)", right, wrong));
    loss[1] = nn_mean(m, nn_expression(m, "softplus(-wrong)", wrong));
    loss[2] = nn_mse_loss(m, made, real, NULL);
    trainers[0] = make_trainer(self, loss[0], (nn_trainer_desc){.optimizer = NN_ADAM,
                                                                .learning_rate = 0.01f,
                                                                .parameters = NN_TEXTS("judge.")});
    trainers[1] = make_trainer(self, loss[1], (nn_trainer_desc){.optimizer = NN_RMSPROP,
                                                                .shard_state = even,
                                                                .bucket_bytes = even ? 64 : 0,
                                                                .parameters = NN_TEXTS("make.")});
    trainers[2] = make_trainer(self, loss[2], (nn_trainer_desc){.learning_rate = 0.05f,
                                                                .momentum = 0.9f,
                                                                .accumulate = 2,
                                                                .wire = NN_BF16,
                                                                .parameters = NN_TEXTS("make.")});
}

/* odd: the rank whose second trainer is stepped once with too many samples. */
static void train_gan(job *self) {
    static const int fields[TRAINERS] = {3, 1, 3};
    nn_trainer *trainers[TRAINERS];
    nn_loader *loaders[TRAINERS];
    float loss;
    make_gan(self, trainers);
    if (self->result == NN_OK && !self->sim && !at_once(trainers[1]))
        self->result = NN_ERROR_ARGUMENT;
    for (int t = 0; t < TRAINERS; t++) loaders[t] = make_loader(self, fields[t]);
    if (self->result == NN_OK && self->odd >= 0) {
        nn_tensor_desc desc = {.name = "long", .shape = NN_SHAPE(2 * BATCH, NOISE)};
        nn_tensor *many = nn_make_tensor(self->nn, &desc);
        nn_loader *other = make_loader(self, fields[1]);
        const uint64_t before = hash_net(self->net);
        next(self, other);
        nn_bind(nn_trainer_plan(trainers[1]), self->x, many);
        self->again = self->rank == self->odd ? nn_train_on_inputs(trainers[1])
                                              : nn_train_step(trainers[1], other);
        snprintf(self->told, sizeof self->told, "%s",
                 nn_error(self->nn) ? nn_error(self->nn) : "");
        nn_clear_error(self->nn);
        self->torn = hash_net(self->net) != before || nn_trainer_step(trainers[1]) != 0;
    }
    for (int i = 0; i < self->steps && self->result == NN_OK; i++)
        for (int t = 0; t < TRAINERS && self->result == NN_OK; t++) {
            if (t == 0 && i % 3 == 2) continue;
            next(self, loaders[t]);
            if (self->result == NN_OK) self->result = nn_train_step(trainers[t], loaders[t]);
        }
    for (int t = 0; t < TRAINERS && self->result == NN_OK; t++) {
        self->result = nn_read_loss(trainers[t], &loss);
        hash_bytes(&self->other, &loss, sizeof loss);
        self->step += nn_trainer_step(trainers[t]);
    }
    self->hash = self->result == NN_OK ? hash_net(self->net) : 0;
}

static void compare(const job *one, const job *ranks, int32_t size, const char *what) {
    for (int32_t r = 0; r < size; r++)
        if (test_wrong(ranks[r].result != NN_OK || ranks[r].hash != one->hash || ranks[r].error[0] ||
            ranks[r].other != one->other || ranks[r].step != one->step))
            test_fail(__FILE__, __LINE__, "%s, rank %d of %d: %s; weights %016llx, alone %016llx; "
                      "losses %016llx, %016llx; step %d, %d", what, (int)r, (int)size,
                      ranks[r].error, (unsigned long long)ranks[r].hash,
                      (unsigned long long)one->hash, (unsigned long long)ranks[r].other,
                      (unsigned long long)one->other, (int)ranks[r].step, (int)one->step);
}

static const int32_t sizes[] = {1, 2, 3, 4, 8};
enum { SIZES = (int)(sizeof sizes / sizeof sizes[0]) };

static void test_several_trainers(void) {
    static job ranks[RANKS], one, like;
    if (!has_threads()) { no_threads(); return; }
    memset(&like, 0, sizeof like);
    like.work = train_gan;
    like.steps = 6;
    like.odd = -1;
    run(&one, 1, &like);
    compare(&one, &one, 1, "three trainers");
    ENSURE(one.hash && one.step == 4 + 6 + 3);
    for (int i = 0; i < SIZES; i++) {
        like.threads = 1 + i % 2;
        like.simulated = i == 1 ? 1 : 0;
        run(ranks, sizes[i], &like);
        compare(&one, ranks, sizes[i], "three trainers");
    }
    like.simulated = 0;
    for (like.odd = 0; like.odd < 3; like.odd++) { /* the failure of one trainer does not affect the
                                                      others */
        run(ranks, 3, &like);
        compare(&one, ranks, 3, "three trainers after a failure");
        for (int r = 0; r < 3; r++) {
            char wanted[16];
            snprintf(wanted, sizeof wanted, "rank %d", like.odd);
            if (test_wrong(ranks[r].again != NN_ERROR_SHAPE || ranks[r].torn ||
                (r != like.odd && !strstr(ranks[r].told, wanted)) ||
                !strstr(ranks[r].told, "has 32 samples")))
                test_fail(__FILE__, __LINE__, "rank %d: %d, %s", r, (int)ranks[r].again,
                          ranks[r].told);
        }
    }
}

/* ---- a weight that is an embedding and a layer ----------------------------------------------- */

/* Maps words to the words that follow. The head has the embedding's weight, a hidden layer is
   there twice, and another one is so large that its gradient is made of all shards at once. */
static nn_trainer *make_words(job *self, float rate) {
    make_model(self);
    nn_model *m = self->net;
    const int hidden = self->hidden ? self->hidden : HIDDEN;
    nn_node *word = self->x = nn_input(m, "word", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *after = self->label = nn_input(m, "next", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = nn_embedding(m, "word", word, &(nn_embedding_desc){.num_embeddings = WORDS,
                                                                    .embedding_dim = hidden});
    x = nn_tanh(m, layer(m, "wide", x, hidden, false));
    for (int i = 0; i < 2; i++) x = nn_tanh(m, layer(m, "twice", x, hidden, true));
    x = nn_linear(m, "word", x, &(nn_linear_desc){.out_features = WORDS, .no_bias = true,
                                                  .shared = true});
    nn_trainer_desc desc = self->desc;
    desc.optimizer = NN_ADAM;
    desc.learning_rate = rate;
    return make_trainer(self, nn_cross_entropy(m, x, after, NULL), desc);
}

static void train_words(job *self) {
    nn_trainer *trainer = make_words(self, 0.01f);
    nn_loader *loader = make_loader(self, 12);
    const bool plain = self->alone || (self->scratch && self->rank % 2 == 0);
    if (self->result == NN_OK && (at_once(trainer) == 0) != plain)
        self->result = NN_ERROR_ARGUMENT;
    for (int i = 0; i < self->steps && self->result == NN_OK; i++) {
        next(self, loader);
        if (self->result == NN_OK) self->result = nn_train_step(trainer, loader);
    }
    if (self->result == NN_OK) self->result = nn_read_loss(trainer, &self->last);
    self->step = trainer ? nn_trainer_step(trainer) : 0;
    self->hash = self->result == NN_OK ? hash_net(self->net) : 0;
}

static void test_tied(void) {
    static job ranks[RANKS], one, plain, like;
    if (!has_threads()) { no_threads(); return; }
    memset(&like, 0, sizeof like);
    like.work = train_words;
    like.steps = 7;
    for (int state = 0; state < 2; state++) {
        like.desc.shard_state = state;
        run(&one, 1, &like);
        compare(&one, &one, 1, "tied");
        for (int i = 1; i < SIZES; i++) {
            run(ranks, sizes[i], &like);
            compare(&one, ranks, sizes[i], "tied");
        }
    }
    like.alone = true; /* one batch that is not cut */
    like.desc.shard_state = false;
    run(&plain, 1, &like);
    ENSURE(plain.result == NN_OK);
    ENSURE_CLOSE(plain.last, one.last, 2e-6);
}

/* If a rank's context allows less scratch than a product over all shards needs, it makes these
   gradients as usual, with the same bytes. */
static void test_little_scratch(void) {
    static job ranks[RANKS], one, like;
    if (!has_threads()) { no_threads(); return; }
    memset(&like, 0, sizeof like);
    like.work = train_words;
    like.steps = 3;
    run(&one, 1, &like);
    compare(&one, &one, 1, "scratch");
    like.scratch = 16384; /* which is enough for all else */
    for (int i = 0; i < 4; i++) {
        run(ranks, sizes[i], &like);
        compare(&one, ranks, sizes[i], "little scratch");
    }
}

/* ---- convolutions whose gradients are made of all shards at once ----------------------------- */

enum { CHANNELS = 96, SIDE = 4, CONV_BATCH = 32 };
static float pictures[SAMPLES * 3 * SIDE * SIDE];

/* Shards of 4 images, but the last one has a single image, for which the gradient does not use
   Winograd's algorithm. */
static void train_pictures(job *self) {
    make_model(self);
    nn_model *m = self->net;
    const nn_conv2d_desc wide = {.out_channels = CHANNELS, .kernel = 3, .padding = 1,
                                 .no_bias = true};
    nn_node *x = self->x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, SIDE, SIDE));
    nn_node *label = self->label = nn_input(m, "next", NN_I32, NN_SHAPE(NN_BATCH));
    x = nn_relu(m, nn_conv2d(m, "first", x, &wide));
    x = nn_relu(m, nn_batch_norm2d(m, "norm", nn_conv2d(m, "wide.1", x, &wide), NULL));
    x = nn_relu(m, nn_conv2d(m, "wide.2", x, &wide));
    x = nn_linear(m, "out", nn_flatten(m, x), &(nn_linear_desc){.out_features = WORDS});
    nn_trainer_desc desc = self->desc;
    desc.batch = CONV_BATCH;
    desc.learning_rate = 0.01f;
    desc.momentum = 0.9f;
    nn_trainer *trainer = make_trainer(self, nn_cross_entropy(m, x, label, NULL), desc);
    const nn_field fields[] = {{.name = "x", .shape = NN_SHAPE(3, SIDE, SIDE), .data = pictures},
                               {.name = "next", .dtype = NN_I32, .data = following}};
    nn_dataset_desc data = {.count = SAMPLES - self->odd,
                            .fields = NN_FIELDS(fields[0], fields[1])};
    nn_loader *loader = nn_make_loader(
        self->nn, &(nn_loader_desc){.dataset = nn_make_dataset(self->nn, &data),
                                    .batch = CONV_BATCH,
                                    .device = self->device,
                                    .shards = 8,
                                    .group = self->group});
    /* the two wide convolutions and the last layer; CPUs without vectors compute those shard by
       shard */
    const bool plain = self->scratch && self->rank % 2 == 0;
    const nn__open_device *cpu = nn__find_device(self->nn, nn_cpu());
    const int wanted = plain ? 0 : ((const nn__cpu *)cpu->state)->instructions != NN_INSTRUCTIONS_PLAIN ? 3 : 1;
    if (self->result == NN_OK && at_once(trainer) != wanted) self->result = NN_ERROR_ARGUMENT;
    for (int i = 0; i < self->steps && self->result == NN_OK; i++) {
        next(self, loader);
        if (self->result == NN_OK) self->result = nn_train_step(trainer, loader);
    }
    if (self->result == NN_OK) self->result = nn_read_loss(trainer, &self->last);
    self->hash = self->result == NN_OK ? hash_net(self->net) : 0;
}

static void test_convolutions(void) {
    static job ranks[RANKS], one, like;
    if (!has_threads()) { no_threads(); return; }
    for (int i = 0; i < SAMPLES * 3 * SIDE * SIDE; i++)
        pictures[i] = (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f;
    memset(&like, 0, sizeof like);
    like.work = train_pictures;
    like.steps = 2;
    run(&one, 1, &like);
    compare(&one, &one, 1, "convolutions");
    for (int i = 1; i < SIZES; i++) {
        like.threads = 1 + i % 2;
        run(ranks, sizes[i], &like);
        compare(&one, ranks, sizes[i], "convolutions");
    }
    like.scratch = 16384; /* enough for all but the gradients over all shards */
    run(ranks, 2, &like);
    compare(&one, ranks, 2, "convolutions and little scratch");
    like.scratch = 0;
    like.odd = 4; /* fewer images, so that the last rank has none */
    run(&one, 1, &like);
    run(ranks, 8, &like);
    compare(&one, ranks, 8, "convolutions and an empty share");
}

static void *count_call(void *user, size_t bytes, size_t alignment) {
    ++*(int *)user;
    return allocate_aligned(bytes, alignment);
}
static void release_call(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)user, (void)bytes, (void)alignment;
    free_aligned(memory);
}

/* The scratch of such a product is allocated before the first step, so no step runs out of
   memory. */
static void test_scratch_before(void) {
    enum { ROWS = 20, WIDE = 160 }; /* rows of a shard: more than a plain scratch begins with */
    job self;
    int calls = 0;
    memset(&self, 0, sizeof self);
    self.nn = nn_open(&(nn_desc){.threads = 1, .allocator = {count_call, release_call, &calls}});
    self.device = nn_cpu();
    self.hidden = WIDE;
    self.desc.batch = 8 * ROWS;
    nn_trainer *trainer = make_words(&self, 0.01f);
    nn_tensor_desc desc = {.name = "words", .shape = NN_SHAPE(8 * ROWS), .dtype = NN_I32};
    nn_tensor *zeros = nn_make_tensor(self.nn, &desc);
    ENSURE(self.result == NN_OK && at_once(trainer) && calls > 0);
    ENSURE(nn_bind(nn_trainer_plan(trainer), self.x, zeros) == NN_OK);
    ENSURE(nn_bind(nn_trainer_plan(trainer), self.label, zeros) == NN_OK);
    calls = 0;
    for (int i = 0; i < 2; i++) ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    if (test_wrong(calls != 0)) test_fail(__FILE__, __LINE__, "%d pieces of memory in steps", calls);
    nn_close(self.nn);
}

/* ---- NaN ------------------------------------------------------------------------------------- */

/* odd: a sample's number in the batch that is refused, or -1: that batch is left out. */
static void train_spoiled(job *self) {
    make_model(self);
    nn_model *m = self->net;
    nn_node *x = nn_input(m, "noise", NN_F32, NN_SHAPE(NN_BATCH, NOISE));
    nn_node *point = nn_input(m, "point", NN_F32, NN_SHAPE(NN_BATCH, POINT_SIZE));
    x = nn_tanh(m, layer(m, "first", x, HIDDEN, false));
    x = nn_tanh(m, layer(m, "wide", x, HIDDEN, false));
    x = layer(m, "last", x, POINT_SIZE, false);
    nn_trainer_desc desc = self->desc;
    desc.optimizer = NN_ADAM;
    nn_trainer *trainer = make_trainer(self, nn_mse_loss(m, x, point, NULL), desc);
    nn_loader *bad = make_loader(self, 3 | SPOILED), *good = make_loader(self, 3);
    if (self->result == NN_OK && !at_once(trainer)) self->result = NN_ERROR_ARGUMENT;
    if (self->result != NN_OK) return;
    const uint64_t before = hash_net(m);
    const bool gathers = desc.accumulate > 1; /* then the second batch is the spoiled one */
    for (int i = 0; i <= gathers && self->odd >= 0; i++) {
        next(self, bad);
        self->again = nn_train_step(trainer, bad);
        if (i < gathers) self->torn |= self->again != NN_OK;
    }
    snprintf(self->told, sizeof self->told, "%s", nn_error(self->nn) ? nn_error(self->nn) : "");
    nn_clear_error(self->nn);
    self->torn |= hash_net(m) != before || nn_trainer_step(trainer) != 0;
    /* a rank that was told of another rank's NaN has nothing to clear, and may leave it */
    if (self->odd >= 0 && (!strstr(self->told, "rank") || self->rank % 2 == 0))
        self->result = nn_clear_fault(trainer);
    for (int i = 0; i < 4 && self->result == NN_OK; i++) {
        next(self, good);
        if (self->result == NN_OK) self->result = nn_train_step(trainer, good);
    }
    self->step = nn_trainer_step(trainer);
    self->hash = hash_net(m);
}

/* All ranks are told which rank has the NaN, and continue as if that batch had never been there. */
static void test_nan(void) {
    static const int samples[] = {0, 5, 12};
    static job ranks[RANKS], one, like;
    if (!has_threads()) { no_threads(); return; }
    memset(&like, 0, sizeof like);
    like.work = train_spoiled;
    for (like.desc.accumulate = 1; like.desc.accumulate <= 2; like.desc.accumulate++) {
        like.odd = -1;
        run(&one, 1, &like);
        compare(&one, &one, 1, "without the batch");
        for (int s = 0; s < 3; s++)
            for (int i = s == 0 ? 0 : 1; i < SIZES; i += s == 0 ? 1 : 2) {
                const int32_t size = sizes[i];
                char wanted[16] = "NaN";
                int32_t owner = -1; /* of the sample, where ranks have whole shards alike */
                like.odd = samples[s];
                memcpy(spoiled, noise, sizeof spoiled);
                spoiled[(samples[s] + (like.desc.accumulate > 1 ? BATCH : 0)) * NOISE + 1] = NAN;
                run(ranks, size, &like);
                compare(&one, ranks, size, "after a NaN");
                if (size == 2 || size == 4 || size == 8) owner = samples[s] / 2 * size / 8;
                if (owner >= 0) snprintf(wanted, sizeof wanted, "rank %d", (int)owner);
                for (int32_t r = 0; r < size; r++)
                    if (test_wrong(ranks[r].again != NN_ERROR_NAN || ranks[r].torn ||
                        !strstr(ranks[r].told, r == owner ? "NaN" : wanted)))
                        test_fail(__FILE__, __LINE__, "sample %d, rank %d of %d: %d, %s",
                                  samples[s], (int)r, (int)size, (int)ranks[r].again,
                                  ranks[r].told);
            }
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    fill_data();
    RUN(test_several_trainers);
    RUN(test_tied);
    RUN(test_little_scratch);
    RUN(test_convolutions);
    RUN(test_scratch_before);
    RUN(test_nan);
    return test_report();
}
