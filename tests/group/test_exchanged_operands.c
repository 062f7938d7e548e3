/* tests/group/test_exchanged_operands.c - ranks that exchange the operands of a large gradient
   instead of its sums (src/group/operands.c). Weights, moments and losses are those of one rank
   alone, for any number of ranks, buckets of any size, several rows in a sample, ignored labels,
   and short or empty shards. It also tests ranks that cannot exchange operands, together with ranks
   that can; trainers that move to other devices; and a NaN on one rank. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#define NN_IMPLEMENTATION
#include "nn_group.h"

#include "inside.h"
#include "rank_threads.h"

enum { SAMPLES = 43, BATCH = 16, PLACES = 3, NARROW = 20, WIDE = 160, KINDS = 7 };

static float given[SAMPLES * PLACES * NARROW], spoiled[SAMPLES * PLACES * NARROW];
static int32_t kinds[SAMPLES * PLACES];

static void fill_data(void) {
    for (int i = 0; i < SAMPLES * PLACES * NARROW; i++)
        given[i] = (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f;
    for (int i = 0; i < SAMPLES * PLACES; i++) kinds[i] = i % 5 == 3 ? -1 : i * 29 % KINDS;
}

static nn_node *layer(nn_model *m, const char *name, nn_node *x, int features) {
    return nn_linear(m, name, x, &(nn_linear_desc){.out_features = features});
}

/* The gradients of two layers are large compared with the few rows that they are computed from. */
static nn_trainer *make_trainer(job *self) {
    const nn_model_desc model = {.name = "net", .seed = 7, .device = self->device};
    nn_model *m = self->net = nn_make_model(self->nn, &model);
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, PLACES, NARROW));
    nn_node *label = nn_input(m, "kind", NN_I32, NN_SHAPE(NN_BATCH, PLACES));
    x = nn_tanh(m, layer(m, "narrow", x, WIDE));
    x = nn_tanh(m, layer(m, "wide.1", x, WIDE));
    x = nn_tanh(m, layer(m, "wide.2", nn_dropout(m, x, 0.1f), WIDE));
    nn_trainer_desc desc = self->desc;
    desc.batch = BATCH;
    desc.shards = 8;
    desc.group = self->group;
    desc.optimizer = NN_ADAMW;
    desc.learning_rate = 0.01f;
    nn_trainer *trainer = nn_make_trainer(
        m, nn_cross_entropy(m, nn_reshape(m, layer(m, "last", x, KINDS),
                                          NN_SHAPE(NN_BATCH * PLACES, KINDS)),
                            nn_reshape(m, label, NN_SHAPE(NN_BATCH * PLACES)),
                            &(nn_cross_entropy_desc){.ignore = true, .ignore_index = -1}), &desc);
    if (!trainer) self->result = nn_error_code(self->nn);
    return trainer;
}

static nn_loader *make_loader(job *self, bool bad) {
    const nn_field x = {.name = "x", .shape = NN_SHAPE(PLACES, NARROW),
                        .data = bad ? spoiled : given};
    const nn_field label = {.name = "kind", .shape = NN_SHAPE(PLACES), .dtype = NN_I32,
                            .data = kinds};
    const nn_dataset_desc desc = {.count = SAMPLES, .fields = NN_FIELDS(x, label)};
    return nn_make_loader(self->nn, &(nn_loader_desc){.dataset = nn_make_dataset(self->nn, &desc),
                                                      .batch = BATCH,
                                                      .device = self->device,
                                                      .shards = 8,
                                                      .group = self->group});
}

/* True if the trainer's plan says that operands travel. */
static bool gives_operands(nn_trainer *trainer) {
    enum { ROOM = 200000 };
    nn_text text = {(char *)malloc(ROOM), ROOM, 0};
    if (text.buffer) nn_write_plan(nn_trainer_plan(trainer), (nn_writer){nn_write_text, &text});
    const bool found = text.buffer && strstr(text.buffer, "ranks exchange the operands");
    free(text.buffer);
    return found;
}

/* odd: a sample that is refused in a batch that is then left out, or -1. */
static void train(job *self) {
    nn_trainer *trainer = make_trainer(self);
    nn_loader *loader = make_loader(self, false), *bad = make_loader(self, true);
    if (self->result != NN_OK) return;
    self->step = gives_operands(trainer);
    if (self->odd >= 0) {
        next(self, bad);
        self->again = nn_train_step(trainer, bad);
        snprintf(self->told, sizeof self->told, "%s",
                 nn_error(self->nn) ? nn_error(self->nn) : "");
        nn_clear_error(self->nn);
        if (!strstr(self->told, "rank")) self->result = nn_clear_fault(trainer);
    }
    for (int i = 0; i < self->steps && self->result == NN_OK; i++) {
        next(self, loader); /* the third one of an epoch has 11 samples */
        if (self->result == NN_OK) self->result = nn_train_step(trainer, loader);
    }
    if (self->result == NN_OK) self->result = nn_read_loss(trainer, &self->last);
    if (self->result == NN_OK && self->save)
        self->result = nn_save_checkpoint(trainer, self->save, NULL);
    hash_bytes(&self->other, &self->last, sizeof self->last);
    self->hash = self->result == NN_OK ? hash_net(self->net) : 0;
}

/* Makes two steps on the CPU, where operands travel, then two on a device with memory of its
   own. */
static void move(job *self) {
    const nn_device there = self->device;
    self->device = nn_cpu();
    nn_trainer *trainer = make_trainer(self);
    nn_loader *here = make_loader(self, false), *loader;
    if (self->result != NN_OK) return;
    self->step = gives_operands(trainer);
    for (int i = 0; i < 2 && self->result == NN_OK; i++) {
        next(self, here);
        if (self->result == NN_OK) self->result = nn_train_step(trainer, here);
    }
    if (self->result == NN_OK) self->result = nn_move_trainer(trainer, there);
    self->device = there;
    loader = make_loader(self, false);
    for (int i = 0; i < 3 && self->result == NN_OK; i++) { /* the third one is short */
        next(self, loader);
        if (self->result == NN_OK) self->result = nn_train_step(trainer, loader);
    }
    if (self->result == NN_OK) self->result = nn_read_loss(trainer, &self->last);
    hash_bytes(&self->other, &self->last, sizeof self->last);
    self->hash = self->result == NN_OK ? hash_net(self->net) : 0;
}

static job usual(void) {
    job like;
    memset(&like, 0, sizeof like);
    like.work = train;
    like.steps = 7;
    like.odd = -1;
    like.desc.shard_state = true;
    return like;
}

/* operands: the plans of all ranks report that operands travel. */
static void check(const job *one, const job *ranks, int32_t size, bool operands,
                  const char *what) {
    for (int32_t r = 0; r < size; r++)
        if (test_wrong(ranks[r].result != NN_OK || ranks[r].hash != one->hash || ranks[r].error[0] ||
            ranks[r].other != one->other || (ranks[r].step != 0) != operands))
            test_fail(__FILE__, __LINE__, "%s, rank %d of %d: %s; weights %016llx, alone %016llx; "
                      "operands travel: %d", what, (int)r, (int)size, ranks[r].error,
                      (unsigned long long)ranks[r].hash, (unsigned long long)one->hash,
                      (int)ranks[r].step);
}

static void test_ranks(void) {
    static const int64_t buckets[] = {0, 1, 120000};
    static const char *const kept = "build/test_operands.kept";
    static const char *const alone = "build/test_operands.one";
    static job ranks[RANKS], one;
    job like = usual();
    if (!has_threads()) { no_threads(); return; }
    like.save = alone;
    run(&one, 1, &like);
    check(&one, &one, 1, false, "alone");
    const uint64_t file = hash_file(alone);
    like.save = kept; /* weights and moments, whoever had them */
    for (int32_t size = 2; size <= 8; size *= 2)
        for (int b = 0; b < 3; b++) {
            like.desc.bucket_bytes = buckets[b];
            like.threads = 1 + b % 2;
            run(ranks, size, &like);
            check(&one, ranks, size, true, "ranks");
            ENSURE(hash_file(kept) == file);
        }
    like.desc.bucket_bytes = 0;
    run(ranks, 3, &like); /* no power of two */
    check(&one, ranks, 3, false, "three ranks");
    like.desc.shard_state = false;
    run(ranks, 4, &like);
    check(&one, ranks, 4, false, "ranks that update all");
    remove(alone);
    remove(kept);
}

/* Ranks on a device with memory of its own, or with little scratch, cannot exchange operands; then
   no rank does. */
static void test_others(void) {
    static job ranks[RANKS], one;
    job like = usual();
    if (!has_threads()) { no_threads(); return; }
    run(&one, 1, &like);
    for (like.simulated = 1; like.simulated < 3; like.simulated++) {
        run(ranks, 4, &like);
        check(&one, ranks, 4, false, "other devices");
    }
    like.simulated = 0;
    like.scratch = 16384; /* of ranks 0 and 2 */
    run(ranks, 4, &like);
    check(&one, ranks, 4, false, "little scratch");
}

static void test_moving(void) {
    static job ranks[RANKS], one;
    job like = usual();
    if (!has_threads()) { no_threads(); return; }
    like.work = move;
    run(&one, 1, &like);
    for (like.simulated = 1; like.simulated <= 2; like.simulated++)
        for (int32_t size = 2; size <= 4; size *= 2) {
            like.desc.bucket_bytes = size == 4;
            run(ranks, size, &like);
            check(&one, ranks, size, true, "moved");
        }
}

static void test_nan(void) {
    static job ranks[RANKS], one;
    job like = usual();
    if (!has_threads()) { no_threads(); return; }
    run(&one, 1, &like);
    for (like.odd = 0; like.odd < BATCH; like.odd += 5) {
        memcpy(spoiled, given, sizeof spoiled);
        spoiled[like.odd * PLACES * NARROW + 1] = NAN;
        for (int32_t size = 2; size <= 8; size *= 2) {
            char wanted[16];
            run(ranks, size, &like);
            check(&one, ranks, size, true, "behind a NaN");
            snprintf(wanted, sizeof wanted, "rank %d", (int)(like.odd / 2 * size / 8));
            for (int32_t r = 0; r < size; r++)
                if (test_wrong(ranks[r].again != NN_ERROR_NAN ||
                    (!strstr(ranks[r].told, wanted) && !strstr(ranks[r].told, "NaN"))))
                    test_fail(__FILE__, __LINE__, "sample %d, rank %d of %d: %d, %s", like.odd,
                              (int)r, (int)size, (int)ranks[r].again, ranks[r].told);
        }
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    fill_data();
    RUN(test_ranks);
    RUN(test_others);
    RUN(test_moving);
    RUN(test_nan);
    return test_report();
}
