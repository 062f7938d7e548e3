/* tests/support/rank_jobs.h - one training run on 1 to 8 ranks, threads of this process. The
   weights of each rank and the checkpoint of rank 0 are compared with those of one rank alone. */
#ifndef RANK_JOBS_H
#define RANK_JOBS_H

#include "rank_threads.h"
#include "lists.h"

enum { FEATURES = 12, CLASSES = 3, BATCH = 16, SAMPLES = 44 };

static char path[200]; /* of checkpoints */
static float values[SAMPLES * FEATURES];
static int32_t labels[SAMPLES];

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
    if (self->two)
        DEVICE_AT(desc.devices, 0) = self->device, DEVICE_AT(desc.devices, 1) = self->second;
    self->trainer = nn_make_trainer(m, nn_cross_entropy(m, x, y, NULL), &desc);
    if (!self->trainer) self->result = nn_error_code(self->nn);
}

static void make_loader(job *self) {
    nn_dataset *data = nn_make_dataset(
        self->nn, &(nn_dataset_desc){.fields = NN_FIELDS(
                                         {.name = "x", .shape = NN_SHAPE(FEATURES), .data = values},
                                         {.name = "label", .dtype = NN_I32, .data = labels}),
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

/* Trains, then saves a checkpoint of parameters, buffers, moments and averages. */
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

/* Trains with a single rank, which keeps everything. */
static uint64_t train_alone(job *one, const job *like) {
    job whole = *like;
    whole.simulated = 0;
    whole.two = whole.desc.shard_state = false;
    run(one, 1, &whole);
    return hash_file(path);
}

/* Compares every byte of the weights of all ranks, and of the file of rank 0. */
static void same(const job *like, int32_t size, uint64_t weights, uint64_t file,
                 const char *what) {
    static job ranks[RANKS];
    uint64_t found;
    remove(path);
    run(ranks, size, like);
    found = hash_file(path);
    for (int32_t r = 0; r < size; r++)
        if (test_wrong(ranks[r].result != NN_OK || ranks[r].error[0] || ranks[r].hash != weights ||
            found != file || file == 0))
            test_fail(__FILE__, __LINE__, "%s: rank %d of %d: %s weights, %s file: %s", what,
                      (int)r, (int)size, ranks[r].hash == weights ? "the same" : "other",
                      found == file ? "the same" : "another", ranks[r].error);
}

/* Returns the next size to try: 1, 2, 3 and 8, or all. */
static int32_t next_size(int32_t size) {
    return size < 3 || getenv("NN_FULL") ? size + 1 : size + 5;
}

static job usual(void) {
    job like;
    memset(&like, 0, sizeof like);
    like.work = train;
    like.steps = 5;
    like.odd = -1;
    like.desc.optimizer = NN_ADAM;
    like.desc.learning_rate = 0.01f;
    return like;
}

static bool begin_jobs(const char *name) {
    snprintf(path, sizeof path, "build/%s.checkpoint", name);
    for (int i = 0; i < SAMPLES * FEATURES; i++)
        values[i] = (float)(((uint32_t)i * 2654435761u >> 16) % 1000) / 500.0f - 1.0f;
    for (int i = 0; i < SAMPLES; i++) labels[i] = i * 5 % CLASSES;
    return has_threads();
}

#endif
