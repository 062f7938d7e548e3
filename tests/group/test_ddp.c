/* tests/group/test_ddp.c - comparison with PyTorch's DistributedDataParallel (gloo, 2 processes).
   Where its average of averages is the gradient of the batch, 20 steps have the same losses;
   elsewhere the losses are those of one process on the whole batch. tests/golden/ddp.py made the
   values. Known mistakes of peers: pytorch#31579 and transformers#608 (shares of different sizes
   have equal weight), pytorch#38174 (a rank without samples hangs the others), pytorch#22192
   (running statistics). tests/mpi/test_mpi.c shows that processes give the same bytes as
   threads. */
#define NN_IMPLEMENTATION
#include "nn_group.h"

#include "golden/ddp.h"
#include "test.h"

#include <math.h>
#include <pthread.h>

enum { STEPS = 20, BATCH = 8, SIDE = 6, PIXELS = SIDE * SIDE, CLASSES = 3, MOST = 24, RANKS = 4 };

typedef struct golden {
    const char *name;
    bool conv, norm, adam, ignored;
    int samples, shards, count; /* shards 0: the default, 8; count: of numbers */
    const double *losses, *numbers, *averaged;
} golden;

#define VALUES(name)                                                                               \
    (int)(sizeof ddp_##name##_numbers / sizeof(double)), ddp_##name##_losses, ddp_##name##_numbers

/* PyTorch's batch norm has the statistics of a process, ours those of a shard: there are two. */
static const golden cases[] = {
    {"linear", false, false, false, false, 24, 0, VALUES(linear), NULL},
    {"conv", true, false, true, false, 24, 0, VALUES(conv), NULL},
    {"batch_norm", true, true, false, false, 24, 2, VALUES(batch_norm), NULL},
    {"uneven", false, false, false, false, 21, 0, VALUES(uneven), ddp_uneven_averaged},
    {"uneven halves", false, false, false, false, 21, 2, VALUES(uneven), ddp_uneven_averaged},
    {"empty", false, false, false, false, 18, 2, VALUES(empty), NULL},
    {"ignored", false, false, false, true, 24, 2, VALUES(ignored), ddp_ignored_averaged},
};

typedef struct rank {
    pthread_t thread;
    nn_meeting *meeting;
    int32_t rank;
    const golden *wanted;
    float losses[STEPS], numbers[512];
    int count;
    nn_result result;
    char error[1024];
} rank;

/* Makes the samples as the script does; they are exact in f32. */
static void make_samples(const golden *wanted, float *pictures, int32_t *labels) {
    for (int i = 0; i < wanted->samples * PIXELS; i++)
        pictures[i] = (float)((i * 7919 + i / 36 * 31 + 13) % 1024) / 512.0f - 1.0f;
    for (int i = 0; i < wanted->samples; i++)
        labels[i] = wanted->ignored && i % 8 < 4 && i % 4 != 1 ? -100 : i * 5 % CLASSES;
}

static void fill_parameters(nn_model *net) {
    int k = 0;
    nn_find_tensor(net, "fc.weight"); /* which gives them memory */
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const size_t count = (size_t)nn_tensor_bytes(tensor) / sizeof(float);
        float *values = (float *)nn_tensor_data(tensor);
        if (strncmp(nn_tensor_name(tensor), "bn.", 3) == 0) continue;
        for (size_t j = 0; j < count; j++)
            values[j] = (float)((j * 37 + (size_t)k * 101 + 11) % 64) / 128.0f - 0.25f;
        k++;
    }
}

static nn_node *make_net(nn_model *m, const golden *wanted) {
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, SIDE, SIDE));
    nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    if (wanted->conv) {
        x = nn_conv2d(m, "conv", x,
                      &(nn_conv2d_desc){.out_channels = 4, .kernel = 3, .padding = 1});
        if (wanted->norm) x = nn_batch_norm2d(m, "bn", x, NULL);
        x = nn_max_pool2d(m, nn_relu(m, x), &(nn_pool2d_desc){.kernel = 2});
    } else {
        x = nn_linear(m, "hidden", nn_flatten(m, x), &(nn_linear_desc){.out_features = 7});
        x = nn_tanh(m, x);
    }
    x = nn_linear(m, "fc", nn_flatten(m, x), &(nn_linear_desc){.out_features = CLASSES});
    return nn_cross_entropy(
        m, x, label, &(nn_cross_entropy_desc){.ignore = true, .ignore_index = -100});
}

static void read_numbers(rank *self, nn_model *net) {
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const size_t bytes = (size_t)nn_tensor_bytes(tensor);
        if (strstr(nn_tensor_name(tensor), "num_batches")) continue;
        if (sizeof self->numbers - sizeof(float) * (size_t)self->count < bytes) return;
        memcpy(self->numbers + self->count, nn_tensor_const_data(tensor), bytes);
        self->count += (int)(bytes / sizeof(float));
    }
}

static void *run_rank(void *data) {
    rank *self = (rank *)data;
    const golden *wanted = self->wanted;
    float pictures[MOST * PIXELS];
    int32_t labels[MOST];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_group *group = nn_join_meeting(nn, self->meeting, self->rank, 0);
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.name = "net"});
    nn_node *loss = make_net(m, wanted);
    make_samples(wanted, pictures, labels);
    fill_parameters(m);
    nn_dataset *dataset = nn_make_dataset(
        nn,
        &(nn_dataset_desc){
            .count = wanted->samples,
            .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(1, SIDE, SIDE), .data = pictures},
                                {.name = "label", .dtype = NN_I32, .data = labels})});
    nn_loader *loader = nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset,
                                                             .batch = BATCH,
                                                             .shards = wanted->shards,
                                                             .group = group});
    nn_trainer *trainer = nn_make_trainer(
        m, loss, &(nn_trainer_desc){.batch = BATCH,
                                    .optimizer = wanted->adam ? NN_ADAM : NN_SGD,
                                    .learning_rate = wanted->adam ? 0.01f : 0.1f,
                                    .momentum = wanted->adam ? 0.0f : 0.9f,
                                    .shards = wanted->shards,
                                    .group = group});
    for (int step = 0; step < STEPS && self->result == NN_OK; step++) {
        if (!nn_next_batch(loader)) nn_next_batch(loader); /* the next epoch */
        self->result = nn_train_step(trainer, loader);
        if (self->result == NN_OK) self->result = nn_read_loss(trainer, &self->losses[step]);
    }
    read_numbers(self, m);
    snprintf(self->error, sizeof self->error, "%s", nn_error(nn) ? nn_error(nn) : "");
    nn_close(nn);
    return NULL;
}

static void compare(const rank *self, int size) {
    const golden *wanted = self->wanted;
    double worst = 0.0, least = 1.0;
    int at = 0;
    if (self->result != NN_OK || self->error[0] || self->count != wanted->count)
        test_fail(__FILE__, __LINE__, "%s, rank %d of %d: %d numbers: %s", wanted->name,
                  (int)self->rank, size, self->count, self->error);
    for (int i = 0; i < STEPS; i++) {
        const double error = fabs((double)self->losses[i] - wanted->losses[i]);
        if (!(error <= worst)) worst = error, at = i;
        /* The average of averages is wrong by more than our tolerance. */
        if (wanted->averaged && fabs(wanted->averaged[i] - wanted->losses[i]) > 1e-3)
            least = fmin(least, fabs((double)self->losses[i] - wanted->averaged[i]));
    }
    if (!(worst <= 1e-5) || least < 1e-4)
        test_fail(__FILE__, __LINE__, "%s, rank %d of %d, step %d: loss %.9g; wanted %.9g",
                  wanted->name, (int)self->rank, size, at, (double)self->losses[at],
                  wanted->losses[at]);
    for (int i = 0; i < self->count; i++)
        if (!(fabs((double)self->numbers[i] - wanted->numbers[i]) <=
              2e-5 * (1.0 + fabs(wanted->numbers[i])))) {
            test_fail(__FILE__, __LINE__, "%s, rank %d of %d, number %d: %.9g; wanted %.9g",
                      wanted->name, (int)self->rank, size, i, (double)self->numbers[i],
                      wanted->numbers[i]);
            break;
        }
}

static void test_losses(void) {
    rank ranks[RANKS];
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (int size = 1; size <= (cases[c].shards ? 2 : RANKS); size++) {
            nn_context *owner = nn_open(NULL);
            nn_meeting *meeting = nn_make_meeting(owner, size);
            memset(ranks, 0, sizeof ranks);
            for (int r = 0; r < size; r++) {
                ranks[r].meeting = meeting;
                ranks[r].rank = r;
                ranks[r].wanted = &cases[c];
                ENSURE(pthread_create(&ranks[r].thread, NULL, run_rank, &ranks[r]) == 0);
            }
            for (int r = 0; r < size; r++) pthread_join(ranks[r].thread, NULL);
            for (int r = 0; r < size; r++) compare(&ranks[r], size);
            nn_close(owner);
        }
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_losses);
    return test_report();
}
