/* tests/test_recipes.c - several trainers of one model, averages of weights, and what users of both
   do wrong: no trainer touches what belongs to another one, a call that fails changes nothing, and
   no mistake goes unnoticed. */
#ifndef NN_TEST_OPENCL
#define NN_IMPLEMENTATION
#endif
#include "nn.h"

#include "test.h"

#include "memory_files.h"
#include "sim_device.h"

#include <stdlib.h>

static float some(int i) { return (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f; }

/* ---- a GAN ----------------------------------------------------------------------------------- */

enum { BATCH = 4, NOISE = 3, POINT = 2 };

typedef struct gan {
    nn_model *net;
    nn_node *z, *real;
    nn_trainer *trainers[2]; /* of the discriminator, of the generator */
} gan;
static const char *const parts[2] = {"discriminator.", "generator."};

/* Batch norms in both halves, so that there are running statistics; the discriminator is described
   twice, for points of both kinds. */
static nn_node *judge(nn_model *m, nn_node *x) {
    x = nn_linear(m, "discriminator.1", x,
                  &(nn_linear_desc){.out_features = 5, .no_bias = true, .shared = true});
    x = nn_batch_norm1d(m, "discriminator.bn", x, &(nn_batch_norm_desc){.shared = true});
    return nn_linear(m, "discriminator.2", nn_tanh(m, x),
                     &(nn_linear_desc){.out_features = 1, .shared = true});
}

static gan make_gan(nn_context *nn, nn_optimizer optimizer, int accumulate) {
    gan g;
    nn_model *m = g.net = nn_make_model(nn, &(nn_model_desc){.name = "gan", .seed = 3});
    g.z = nn_input(m, "z", NN_F32, NN_SHAPE(NN_BATCH, NOISE));
    g.real = nn_input(m, "real", NN_F32, NN_SHAPE(NN_BATCH, POINT));
    nn_node *x =
        nn_linear(m, "generator.1", g.z, &(nn_linear_desc){.out_features = 6, .no_bias = true});
    x = nn_relu(m, nn_batch_norm1d(m, "generator.bn", x, NULL));
    x = nn_dropout(m, x, 0.2f);
    nn_node *fake =
        nn_linear(m, "generator.2", x, &(nn_linear_desc){.out_features = POINT, .no_bias = true});
    nn_node *right = judge(m, g.real), *wrong = judge(m, fake);
    nn_node *losses[2];
    losses[0] = nn_mean(m, nn_expression(m, "softplus(-right) + softplus(wrong)", right, wrong));
    losses[1] = nn_mean(m, nn_expression(m, "softplus(-wrong)", wrong));
    for (int i = 0; i < 2; i++)
        g.trainers[i] =
            nn_make_trainer(m, losses[i],
                            &(nn_trainer_desc){.batch = BATCH,
                                               .optimizer = optimizer,
                                               .parameters = {parts[i]},
                                               .max_norm = 1.0f,
                                               .accumulate = accumulate,
                                               .average = {.kind = NN_AVERAGE_EMA, .decay = 0.9f}});
    return g;
}

static nn_result step_gan(const gan *g, int which, int k) {
    float z[BATCH * NOISE], real[BATCH * POINT];
    nn_trainer *trainer = g->trainers[which];
    for (int i = 0; i < BATCH * NOISE; i++) z[i] = some(i + 100 * k);
    for (int i = 0; i < BATCH * POINT; i++) real[i] = some(i + 100 * k + 50);
    nn_upload(nn_trainer_plan(trainer), g->z, z, sizeof z);
    if (which == 0) nn_upload(nn_trainer_plan(trainer), g->real, real, sizeof real);
    return nn_step(trainer);
}

/* Does the tensor of a checkpoint belong to the trainer? Its part's parameters and buffers, and
   everything of its own. */
static bool belongs(const char *name, int which) {
    return strncmp(name, "optimizer.", 10) == 0 || strncmp(name, "trainer.", 8) == 0 ||
           strncmp(name, parts[which], strlen(parts[which])) == 0;
}

/* How many tensors of the two checkpoints, of those that belong to the trainer or of all others,
   differ; -1: the files are not alike. `seen`: how many there are. */
static int count_changes(nn_context *nn, const char *before, const char *after, int which, bool own,
                         int *seen) {
    nn_safetensors *a = nn_open_safetensors(nn, before), *b = nn_open_safetensors(nn, after);
    int changes = nn_safetensors_count(a) == nn_safetensors_count(b) ? 0 : -1;
    *seen = 0;
    for (int i = 0; changes >= 0 && i < nn_safetensors_count(a); i++) {
        const nn_safetensors_entry entry = nn_safetensors_at(a, i);
        const int64_t numbers = nn_shape_count(entry.shape);
        const int other = nn_safetensors_find(b, entry.name);
        double x[64], y[64];
        if (other < 0 || numbers > 64) return -1;
        if (belongs(entry.name, which) != own) continue;
        const size_t bytes = sizeof(double) * (size_t)numbers;
        if (nn_read_safetensors(a, i, NN_F64, x, bytes) != NN_OK ||
            nn_read_safetensors(b, other, NN_F64, y, bytes) != NN_OK)
            return -1;
        ++*seen;
        changes += memcmp(x, y, bytes) != 0;
    }
    nn_close_safetensors(a);
    nn_close_safetensors(b);
    return changes;
}

/* The step of one trainer changes everything that is its own, and no byte of anything else:
   parameters, running statistics, the other one's moments, averages and totals. */
static void check_gan(nn_optimizer optimizer, int accumulate) {
    static memory_disk disk;
    memset(&disk, 0, sizeof disk);
    nn_context *nn = nn_open(&(nn_desc){.files = memory_files(&disk)});
    gan g = make_gan(nn, optimizer, accumulate);
    int seen;
    ENSURE(g.trainers[0] && g.trainers[1]);
    for (int k = 0; k < 2 * accumulate; k++) ENSURE(step_gan(&g, k % 2, k) == NN_OK);
    for (int k = 0; k < 4; k++) {
        const int at = k % 2, other = 1 - at;
        ENSURE(nn_save_checkpoint(g.trainers[at], "own", NULL) == NN_OK);
        ENSURE(nn_save_checkpoint(g.trainers[other], "other", NULL) == NN_OK);
        for (int i = 0; i < accumulate; i++) ENSURE(step_gan(&g, at, k + i) == NN_OK);
        ENSURE(nn_save_checkpoint(g.trainers[at], "own.after", NULL) == NN_OK);
        ENSURE(nn_save_checkpoint(g.trainers[other], "other.after", NULL) == NN_OK);
        ENSURE(count_changes(nn, "other", "other.after", other, true, &seen) == 0 && seen > 15);
        ENSURE(count_changes(nn, "own", "own.after", at, false, &seen) == 0 && seen > 6);
        ENSURE(count_changes(nn, "own", "own.after", at, true, &seen) == seen && seen > 15);
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
    for (int i = 0; i < MEMORY_FILES; i++) memory_delete(&disk.files[i]);
}

static void test_gan(void) {
    check_gan(NN_ADAM, 1);
    check_gan(NN_RADAM, 1);
    check_gan(NN_ADAM, 2);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_gan);
    return test_report();
}
