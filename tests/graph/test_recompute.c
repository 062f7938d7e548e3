/* tests/graph/test_recompute.c - blocks that are recomputed in the backward pass: the same bytes in
   less memory. */
#define NN_IMPLEMENTATION
#include "nn_group.h"
#include "nn_sequence.h"

#include "error.h"
#include "test.h"

#include <stdlib.h>

typedef enum kind { ATTENTION, CONVOLUTION, RECURRENT, HALVES, MIXED, KINDS } kind;
static const char *const names[] = {"attention", "convolution", "recurrent", "halves", "mixed"};

enum { BATCH = 4, BLOCKS = 3, MOST = 1 << 16 };

typedef struct run {
    nn_context *nn;
    nn_model *model;
    nn_node *x, *target, *loss;
    nn_trainer *trainer;
    float losses[3];
    unsigned char values[MOST];
    size_t bytes, activations;
} run;

/* The values inside the block are large, and its output is small. */
static nn_node *block(nn_model *m, kind k, const char *name, nn_node *x, bool repeated) {
    char part[64];
    snprintf(part, sizeof part, "%s.inner", name);
    switch (k) {
    case CONVOLUTION:
        x = nn_conv2d(m, part, x,
                      &(nn_conv2d_desc){.out_channels = 8, .kernel = 3, .padding = 1});
        x = nn_relu(m, nn_batch_norm2d(m, name, x, NULL));
        snprintf(part, sizeof part, "%s.outer", name);
        x = nn_conv2d(m, part, x,
                      &(nn_conv2d_desc){.out_channels = 2, .kernel = 3, .padding = 1});
        return nn_dropout(m, x, 0.2f);
    case RECURRENT:
        x = nn_lstm(m, part, nn_exp(m, x), &(nn_lstm_desc){.hidden_size = 4});
        return nn_tanh(m, nn_scale(m, x, 1.5f));
    case MIXED: { /* values that others read, values that nobody trains, parts of an output */
        nn_node *a = nn_linear(m, part, x, &(nn_linear_desc){.out_features = 32});
        nn_node *b = nn_softmax(m, nn_square(m, a));
        nn_node *c = nn_detach(m, nn_sigmoid(m, a));
        snprintf(part, sizeof part, "%s.outer", name);
        a = nn_linear(m, part, nn_multiply(m, b, c), &(nn_linear_desc){.out_features = 8});
        return nn_add(m, x, nn_dropout(m, a, 0.3f));
    }
    default:
        (void)repeated;
        return nn_transformer_encoder_layer(
            m, name, x,
            &(nn_transformer_encoder_layer_desc){
                .nhead = 2, .dim_feedforward = 32, .is_causal = true});
    }
}

static void describe(run *r, kind k, bool repeated) {
    nn_model *m = r->model =
        nn_make_model(r->nn, &(nn_model_desc){.seed = 3, .dtype = k == HALVES ? NN_BF16 : NN_F32});
    const nn_shape shape = k == CONVOLUTION ? NN_SHAPE(NN_BATCH, 2, 6, 6)
                           : k == RECURRENT ? NN_SHAPE(NN_BATCH, 5, 4)
                                            : NN_SHAPE(NN_BATCH, 5, 8);
    nn_node *x = r->x = nn_input(m, "x", NN_F32, shape), *first = NULL;
    r->target = nn_input(m, "target", NN_F32, NN_SHAPE(NN_BATCH, 3));
    for (int i = 0; i < BLOCKS; i++) {
        char name[16];
        snprintf(name, sizeof name, "block%d", i);
        if (k == RECURRENT) x = nn_softplus(m, nn_scale(m, x, 0.7f), NULL); /* continues inside */
        if (repeated) nn_recompute_begin(m);
        x = block(m, k, name, x, repeated);
        if (repeated) nn_recompute_end(m);
        if (i == 0) first = x;
    }
    if (k == MIXED) x = nn_add(m, x, first); /* one block is read much later */
    x = nn_linear(m, "head", nn_flatten(m, x), &(nn_linear_desc){.out_features = 3});
    r->loss = nn_mse_loss(m, x, r->target, NULL);
}

static float some(int i) { return (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f; }

static void read_all(run *r) {
    r->bytes = 0;
    for (int i = 0; i < nn_model_tensor_count(r->model); i++) {
        nn_tensor *tensor = nn_model_tensor_at(r->model, i);
        nn_download_tensor(tensor, r->values + r->bytes, nn_tensor_bytes(tensor));
        r->bytes += nn_tensor_bytes(tensor);
    }
}

/* Trains one epoch of two batches, which are cut into shards; the second batch is uneven. */
static void load(run *r, nn_group *group) {
    static float numbers[(2 * BATCH - 1) * 72];
    for (int i = 0; i < (2 * BATCH - 1) * 72; i++) numbers[i] = some(i);
    nn_dataset *data = nn_make_dataset(
        r->nn, &(nn_dataset_desc){
                   .count = 2 * BATCH - 1,
                   .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(2, 6, 6), .data = numbers},
                              {.name = "target", .shape = NN_SHAPE(3), .data = numbers})});
    nn_loader *loader =
        nn_make_loader(r->nn, &(nn_loader_desc){.dataset = data,
                                                 .batch = BATCH,
                                                 .group = group,
                                                 .shards = 2});
    while (nn_next_batch(loader)) nn_train_step(r->trainer, loader);
    read_all(r);
}

static void steps(run *r, int count) {
    static float numbers[BATCH * 72];
    for (int s = 0; s < count; s++) {
        for (int i = 0; i < BATCH * 72; i++) numbers[i] = some(i + 31 * s);
        nn_shape shape = nn_node_shape(r->x);
        shape.extent[0] = BATCH;
        nn_upload(nn_trainer_plan(r->trainer), r->x, numbers,
                  sizeof(float) * (size_t)nn_shape_count(shape));
        nn_upload(nn_trainer_plan(r->trainer), r->target, numbers, sizeof(float) * BATCH * 3);
        nn_train_on_inputs(r->trainer);
        nn_read_loss(r->trainer, &r->losses[s]);
    }
    read_all(r);
}

static bool train(run *r, kind k, bool repeated, nn_trainer_desc desc) {
    memset(r, 0, sizeof *r);
    r->nn = nn_open(NULL);
    describe(r, k, repeated);
    desc.batch = BATCH;
    desc.optimizer = NN_ADAMW;
    if (desc.shards) desc.group = nn_make_group(r->nn, NULL);
    r->trainer = nn_make_trainer(r->model, r->loss, &desc);
    if (r->trainer) {
        if (desc.group) load(r, desc.group);
        else steps(r, 3);
        r->activations =
            nn_plan_bytes(nn_trainer_plan(r->trainer), nn_cpu(), NN_MEMORY_ACTIVATIONS);
    }
    if (nn_error(r->nn)) test_fail(__FILE__, __LINE__, "%s: %s", names[k], nn_error(r->nn));
    return nn_error(r->nn) == NULL;
}

static run plain, again;

static void same_bytes_in_less_memory(void) {
    for (kind k = ATTENTION; k < KINDS; k++) {
        ENSURE(train(&plain, k, false, (nn_trainer_desc){0}));
        ENSURE(train(&again, k, true, (nn_trainer_desc){0}));
        if (memcmp(plain.losses, again.losses, sizeof plain.losses) != 0 ||
            plain.bytes != again.bytes || memcmp(plain.values, again.values, plain.bytes) != 0)
            test_fail(__FILE__, __LINE__, "%s: other bytes", names[k]);
        if (again.activations >= plain.activations)
            test_fail(__FILE__, __LINE__, "%s: %zu bytes of activations instead of %zu", names[k],
                      again.activations, plain.activations);
        nn_close(plain.nn);
        nn_close(again.nn);
    }
}

static void shards_and_parts_too(void) {
    const nn_trainer_desc descs[] = {{.shards = 2}, {.shards = 2, .batch_norm = NN_OVER_ALL}};
    for (size_t i = 0; i < sizeof descs / sizeof *descs; i++) {
        ENSURE(train(&plain, CONVOLUTION, false, descs[i]));
        ENSURE(train(&again, CONVOLUTION, true, descs[i]));
        ENSURE(plain.bytes == again.bytes && memcmp(plain.values, again.values, plain.bytes) == 0);
        nn_close(plain.nn);
        nn_close(again.nn);
    }
}

static void text_writer(void *user, const char *text, size_t length) {
    char *all = (char *)user;
    const size_t used = strlen(all);
    if (used + length < MOST) memcpy(all + used, text, length), all[used + length] = 0;
}

/* By hand: y = W2 (W1 x)^2, W1 (32, 8), W2 (3, 32). The square's result (batch, 5, 32) and its
   input are recomputed: 4 * 5 * 32 * 4 bytes each. */
static void the_plan_says_what_it_costs(void) {
    static char text[MOST];
    nn_context *nn = nn_open(NULL);
    nn_model *m = nn_make_model(nn, NULL);
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 5, 8));
    nn_recompute_begin(m);
    nn_node *y = nn_linear(m, "a", x, &(nn_linear_desc){.out_features = 32, .no_bias = true});
    y = nn_square(m, y);
    y = nn_linear(m, "b", y, &(nn_linear_desc){.out_features = 3, .no_bias = true});
    nn_recompute_end(m);
    nn_node *loss = nn_mean(m, nn_square(m, y));
    nn_trainer *trainer = nn_make_trainer(m, loss, &(nn_trainer_desc){.batch = BATCH});
    nn_write_plan(nn_trainer_plan(trainer), (nn_writer){text_writer, text});
    ENSURE(nn_error(nn) == NULL);
    if (!strstr(text, "\ncomputed again in the backward pass: 2 steps, 10.9 kflop; 5120 bytes"))
        printf("%s", strstr(text, "least possible"));
    ENSURE(strstr(text, "\ncomputed again in the backward pass: 2 steps, 10.9 kflop; 5120 bytes"));
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = BATCH});
    text[0] = 0;
    nn_write_plan(plan, (nn_writer){text_writer, text});
    ENSURE(!strstr(text, "again"));
    nn_close(nn);
}

static void mistakes(void) {
    nn_context *nn = nn_open(NULL);
    for (int i = 0; i < 3; i++) {
        static const char *const parts[] = {"has not ended", "there is no nn_recompute_begin",
                                            "it was never ended"};
        nn_model *m = nn_make_model(nn, NULL);
        nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
        if (i == 1) nn_recompute_end(m);
        else nn_recompute_begin(m);
        if (i == 0) nn_recompute_begin(m);
        x = nn_linear(m, "fc", x, &(nn_linear_desc){.out_features = 2});
        if (i == 0) nn_recompute_end(m);
        ENSURE(nn_make_trainer(m, nn_mean(m, x), &(nn_trainer_desc){.batch = 2}) == NULL);
        ENSURE(says(nn, parts[i]));
    }
    nn_recompute_begin(NULL);
    nn_recompute_end(NULL);
    nn_close(nn);
}

/* A copy of the model has its blocks, and two trainers of one model do not interfere. */
static void copies_and_second_trainers(void) {
    ENSURE(train(&plain, MIXED, false, (nn_trainer_desc){0}));
    ENSURE(train(&again, MIXED, true, (nn_trainer_desc){0}));
    run *const runs[2] = {&plain, &again};
    for (int i = 0; i < 2; i++) {
        run *r = runs[i];
        nn_model *copy = nn_copy_model(r->model, NULL);
        r->x = nn_copied_node(copy, r->x);
        r->target = nn_copied_node(copy, r->target);
        r->loss = nn_copied_node(copy, r->loss);
        nn_free_model(r->model);
        r->model = copy;
        const nn_trainer_desc desc = {.batch = BATCH, .optimizer = NN_ADAM};
        nn_trainer *other = nn_make_trainer(copy, r->loss, &desc);
        r->trainer = nn_make_trainer(copy, r->loss, &desc);
        steps(r, 2);
        r->trainer = other;
        steps(r, 2);
        ENSURE(nn_error(r->nn) == NULL);
    }
    ENSURE(memcmp(plain.values, again.values, plain.bytes) == 0);
    nn_close(plain.nn);
    nn_close(again.nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(same_bytes_in_less_memory);
    RUN(shards_and_parts_too);
    RUN(the_plan_says_what_it_costs);
    RUN(mistakes);
    RUN(copies_and_second_trainers);
    return test_report();
}
