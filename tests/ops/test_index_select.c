/* tests/ops/test_index_select.c - nn_index_select and nn_embedding, as far as test_golden,
   test_random_graphs and test_backends do not cover them: indices out of range, the padding row,
   first values, and the same bytes for any number of threads. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"

#include "error.h"
#include "inside.h"
#include "test.h"
#include "lists.h"

#include <math.h>
#include <stdlib.h>

static nn_context *open_with(int threads) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = threads;
    return nn_open(&desc);
}

static nn_tensor *tensor_of(nn_context *nn, nn_dtype dtype, nn_shape shape) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.shape = shape;
    desc.dtype = dtype;
    return nn_make_tensor(nn, &desc);
}

/* Collects the faults of a description in one text. */
static void collect(void *user, const char *text, size_t length) {
    char *all = (char *)user;
    size_t used = strlen(all), room = 3999 - used;
    memcpy(all + used, text, length < room ? length : room);
    all[used + (length < room ? length : room)] = 0;
}

static bool faults_say(const nn_model *net, const char *words) {
    char all[4000] = "";
    nn_writer writer;
    writer.function = collect;
    writer.user = all;
    nn_write_faults(net, writer);
    if (strstr(all, words)) return true;
    printf("the faults are: %s\n", all);
    return false;
}

/* ---- a trainer ------------------------------------------------------------------------------- */

typedef struct table_net {
    nn_model *net;
    nn_node *ids, *target;
    nn_trainer *trainer;
} table_net;

/* Makes a trainer of (batch, 4) indices into 50 rows of 6, of which the last is padding. */
static table_net make_table_for(nn_context *nn, nn_optimizer optimizer) {
    nn_embedding_desc desc;
    nn_trainer_desc trainer;
    table_net t;
    memset(&desc, 0, sizeof desc);
    memset(&trainer, 0, sizeof trainer);
    desc.num_embeddings = 50;
    desc.embedding_dim = 6;
    desc.padding = true;
    desc.padding_idx = -1;
    trainer.batch = 8;
    trainer.learning_rate = 0.5f;
    trainer.optimizer = optimizer;
    t.net = nn_make_model(nn, NULL);
    t.ids = nn_input(t.net, "ids", NN_I32, NN_SHAPE(NN_BATCH, 4));
    t.target = nn_input(t.net, "target", NN_F32, NN_SHAPE(NN_BATCH, 4, 6));
    t.trainer = nn_make_trainer(t.net,
                                nn_mse_loss(t.net, nn_embedding(t.net, "tok", t.ids, &desc),
                                            t.target, &(nn_mse_desc){.reduction = NN_SUM}),
                                &trainer);
    return t;
}
static table_net make_table(nn_context *nn) { return make_table_for(nn, NN_SGD); }

static nn_result step(const table_net *t, int one) {
    int32_t ids[32];
    float target[192];
    for (int i = 0; i < 32; i++) ids[i] = i * i % 50;
    ids[3] = 49;
    ids[17] = one;
    for (int i = 0; i < 192; i++) target[i] = (float)(i % 7);
    nn_upload(nn_trainer_plan(t->trainer), t->ids, ids, sizeof ids);
    nn_upload(nn_trainer_plan(t->trainer), t->target, target, sizeof target);
    return nn_train_on_inputs(t->trainer);
}

static const float *table_of(const table_net *t) {
    return (const float *)nn_tensor_data(nn_find_tensor(t->net, "tok.weight"));
}

static void test_missing_index(void) {
    static const int wrong[] = {50, -1, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 4; i++) {
        nn_context *nn = open_with(2);
        table_net t = make_table(nn);
        float before[300];
        ENSURE(step(&t, 5) == NN_OK);
        memcpy(before, table_of(&t), sizeof before);
        ENSURE(step(&t, wrong[i]) == NN_ERROR_INDEX);
        ENSURE(says(nn,
                    "step 2: an index is out of range: embedding \"tok\" wants those of \"ids\" "
                    "to be in [0, 50)"));
        ENSURE(memcmp(before, table_of(&t), sizeof before) == 0);
        ENSURE(step(&t, 5) == NN_ERROR_INDEX); /* until the fault is cleared */
        /* of the run that met the index; later ones are not checked */
        ENSURE(says(nn, "embedding \"tok\" wants those of \"ids\" to be in [0, 50)"));
        ENSURE(nn_clear_fault(t.trainer) == NN_OK);
        ENSURE(step(&t, 5) == NN_OK);
        ENSURE(memcmp(before, table_of(&t), sizeof before) != 0);
        nn_close(nn);
    }
}

/* In a plan that infers, the run with the wrong index returns the error, and the next run
   succeeds. */
static void test_missing_index_of_plan(void) {
    nn_context *nn = open_with(1);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *index = nn_input(net, "order", NN_I32, NN_SHAPE(2));
    nn_plan_desc desc;
    float numbers[6] = {1, 2, 3, 4, 5, 6}, y[4];
    int32_t order[2] = {2, 3};
    memset(&desc, 0, sizeof desc);
    nn_node *chosen = nn_index_select(net, x, 1, index);
    NODE_AT(desc.outputs, 0) = chosen;
    desc.batch = 2;
    nn_plan *plan = nn_make_plan(net, &desc);
    nn_upload(plan, x, numbers, sizeof numbers);
    nn_upload(plan, index, order, sizeof order);
    ENSURE(nn_run(plan) == NN_ERROR_INDEX);
    ENSURE(says(nn, "index_select \"index_select\" wants those of \"order\" to be in [0, 3)"));
    order[1] = 0;
    nn_upload(plan, index, order, sizeof order);
    ENSURE(nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, chosen, y, sizeof y) == NN_OK);
    ENSURE(y[0] == 3 && y[1] == 1 && y[2] == 6 && y[3] == 4);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void test_padding_row(void) {
    nn_context *nn = open_with(1);
    table_net t = make_table(nn);
    ENSURE(step(&t, 49) == NN_OK);
    for (int i = 0; i < 6; i++) ENSURE(table_of(&t)[49 * 6 + i] == 0.0f);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* First values are torch.nn.Embedding's: normal, mean 0, variance 1. */
static void test_first_values(void) {
    nn_context *nn = open_with(1);
    nn_model *net = nn_make_model(nn, NULL);
    nn_embedding_desc desc;
    double mean = 0, square = 0, fourth = 0, beyond = 0;
    const int count = 40000;
    memset(&desc, 0, sizeof desc);
    desc.num_embeddings = 400;
    desc.embedding_dim = 100;
    nn_embedding(net, "tok", nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH)), &desc);
    const float *table = (const float *)nn_tensor_data(nn_find_tensor(net, "tok.weight"));
    ENSURE(table != NULL);
    for (int i = 0; table && i < count; i++) {
        double x = table[i];
        mean += x / count;
        square += x * x / count;
        fourth += x * x * x * x / count;
        beyond += fabs(x) > 2 ? 1.0 / count : 0;
    }
    ENSURE(fabs(mean) < 0.02 && fabs(square - 1) < 0.03);
    ENSURE(fabs(fourth - 3) < 0.2 && fabs(beyond - 0.0455) < 0.005);
    nn_close(nn);
}

/* Any one description of a shared table may name the padding row. */
static void test_shared_padding(void) {
    for (int way = 0; way < 4; way++) {
        nn_context *nn = open_with(1);
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH));
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
        for (int i = 0; i < 2; i++) {
            nn_embedding_desc desc;
            memset(&desc, 0, sizeof desc);
            desc.num_embeddings = 5;
            desc.embedding_dim = 3;
            desc.shared = true;
            desc.padding = way < 2 ? i == way : i == 1;
            desc.padding_idx = desc.padding ? -2 : 0;
            if (way >= 2 && i == 0) {
                nn_linear_desc tied = {.out_features = 5, .no_bias = true, .shared = true};
                nn_linear(net, "tok", x, &tied);
            }
            nn_embedding(net, "tok", ids, &desc);
            if (way == 3 && i == 1) {
                desc.padding = false;
                desc.padding_idx = 0;
                nn_embedding(net, "tok", ids, &desc);
            }
        }
        nn_tensor *table = nn_find_tensor(net, "tok.weight");
        ENSURE(table);
        const float *row = (const float *)nn_tensor_const_data(table);
        for (int j = 0; j < 15; j++) ENSURE((row[j] == 0) == (j / 3 == 3));
        nn_close(nn);
    }
}

/* A table of halves: rows are gathered as they are stored, so that no step makes an f32 of the whole
   table; rows and the gradient are those of an f32 table with the same numbers. */
static void test_table_of_halves(void) {
    static const nn_dtype types[] = {NN_F16, NN_BF16};
    static const int32_t ids[6] = {4, 0, 4, 2, 19, 4};
    for (int t = 0; t < 2; t++) {
        float rows[2][18], slopes[2][60], table[60];
        for (int wide = 0; wide < 2; wide++) { /* the halves first: they are rounded */
            nn_context *nn = open_with(2);
            nn_model_desc model;
            nn_embedding_desc desc;
            nn_trainer_desc training;
            nn_plan_desc wanted;
            memset(&model, 0, sizeof model), memset(&desc, 0, sizeof desc);
            memset(&training, 0, sizeof training), memset(&wanted, 0, sizeof wanted);
            model.dtype = wide ? NN_F32 : types[t];
            desc.num_embeddings = 20, desc.embedding_dim = 3;
            training.gradients = true;
            training.batch = wanted.batch = 6;
            nn_model *net = nn_make_model(nn, &model);
            nn_node *in = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH));
            nn_node *y = nn_embedding(net, "tok", in, &desc);
            nn_trainer *trainer = nn_make_trainer(net, nn_sum(net, nn_square(net, y)), &training);
            nn_tensor *tok = nn_find_tensor(net, "tok.weight");
            ENSURE(nn_node_dtype(y) == NN_F32 && tok);
            if (wide) ENSURE(nn_upload_tensor(tok, table, sizeof table) == NN_OK);
            for (int i = 0; !wide && i < 60; i++) {
                const uint32_t bits = ((const uint16_t *)nn_tensor_const_data(tok))[i];
                const uint32_t f32 = bits << 16;
                if (t) memcpy(&table[i], &f32, 4);
                else
                    table[i] = (bits & 0x8000u ? -1.0f : 1.0f) *
                               (bits >> 10 & 31u
                                    ? ldexpf((float)((bits & 1023u) | 1024u),
                                             (int)(bits >> 10 & 31u) - 25)
                                    : ldexpf((float)(bits & 1023u), -24));
            }
            NODE_AT(wanted.outputs, 0) = y;
            nn_plan *plan = nn_make_plan(net, &wanted);
            ENSURE(nn_upload(plan, in, ids, sizeof ids) == NN_OK && nn_run(plan) == NN_OK &&
                   nn_download(plan, y, rows[wide], sizeof rows[wide]) == NN_OK);
            for (int i = 0; i < plan->step_count; i++)
                ENSURE(plan->steps[i].node->shape.extent[0] != 20);
            ENSURE(nn_upload(nn_trainer_plan(trainer), in, ids, sizeof ids) == NN_OK &&
                   nn_backward(trainer) == NN_OK &&
                   nn_read_gradient(trainer, "tok.weight", slopes[wide], sizeof slopes[wide]) ==
                       NN_OK);
            if (nn_error(nn)) puts(nn_error(nn));
            nn_close(nn);
        }
        ENSURE(memcmp(rows[0], rows[1], sizeof rows[0]) == 0);
        ENSURE(memcmp(slopes[0], slopes[1], sizeof slopes[0]) == 0);
        ENSURE(slopes[0][0] != 0 && slopes[0][3] == 0);
    }
}

/* Two layers that share a table but have different padding rows are a fault, however the second row
   is written. The same row twice is allowed. */
static void test_two_padding_rows(void) {
    static const int second[] = {3, -2, 1, -4};
    for (int way = 0; way < (int)(sizeof second / sizeof *second); way++) {
        nn_context *nn = open_with(1);
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH)), *out = NULL;
        for (int i = 0; i < 2; i++) {
            nn_embedding_desc desc;
            memset(&desc, 0, sizeof desc);
            desc.num_embeddings = 5;
            desc.embedding_dim = 3;
            desc.shared = desc.padding = true;
            desc.padding_idx = i ? second[way] : 1;
            out = nn_embedding_at(nn_make_site("net.c", 10 + i), net, "tok", ids, &desc);
        }
        nn_plan_desc plan;
        memset(&plan, 0, sizeof plan);
        NODE_AT(plan.outputs, 0) = out;
        ENSURE(nn_fault_count(net) == (way < 2) && !nn_make_plan(net, &plan) == (way < 2));
        if (way < 2)
            ENSURE(strstr(nn_error(nn), "embedding \"tok\" at net.c:11") &&
                   strstr(nn_error(nn), "its padding row is 3 here; the table described at net.c:10 "
                                        "has the padding row 1"));
        nn_clear_error(nn);
        nn_close(nn);
    }
}

static void test_same_bytes_for_any_threads(void) {
    float first[300];
    for (int threads = 1; threads <= 8; threads++) {
        nn_context *nn = open_with(threads);
        table_net t = make_table(nn);
        for (int i = 0; i < 5; i++) ENSURE(step(&t, i) == NN_OK);
        if (threads == 1) memcpy(first, table_of(&t), sizeof first);
        ENSURE(memcmp(first, table_of(&t), sizeof first) == 0);
        nn_close(nn);
    }
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static void test_faults(void) {
    nn_context *nn = open_with(1);
    nn_embedding_desc desc;
    nn_node *node;
    static const struct {
        int rows, dim, row;
        bool padding;
        const char *words;
    } wrong[] = {{0, 4, 0, false, "num_embeddings is 0"},
                 {4, -1, 0, false, "embedding_dim is -1"},
                 {4, 4, 4, true, "padding_idx is 4, but there are 4 rows"},
                 {4, 4, -5, true, "padding_idx is -5"},
                 {4, 4, 2, false, "padding_idx is 2, but padding is false"}};
    for (int i = 0; i < 5; i++) {
        nn_model *net = nn_make_model(nn, NULL);
        memset(&desc, 0, sizeof desc);
        desc.num_embeddings = wrong[i].rows;
        desc.embedding_dim = wrong[i].dim;
        desc.padding = wrong[i].padding;
        desc.padding_idx = wrong[i].row;
        node = nn_embedding(net, "tok", nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH)), &desc);
        ENSURE(node && faults_say(net, wrong[i].words));
        nn_free_model(net);
    }
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH));
    nn_embedding(net, "tok", x, &desc);
    ENSURE(faults_say(net, "index is f32; embedding wants i32"));
    nn_embedding(net, "tok", ids, NULL);
    ENSURE(faults_say(net, "desc is NULL"));
    nn_index_select(net, x, 2, ids);
    ENSURE(faults_say(net, "axis is 2, but the input (batch, 3) has 2 axes"));
    nn_index_select(net, x, 1, ids);
    ENSURE(faults_say(net, "both depend on the batch"));
    nn_index_select(net, x, 0, x);
    ENSURE(faults_say(net, "index is f32; index_select wants i32"));
    nn_close(nn);
}

static void test_immediate_mistakes(void) {
    nn_context *nn = open_with(2);
    nn_tensor *x = tensor_of(nn, NN_F32, NN_SHAPE(5, 3)),
              *y = tensor_of(nn, NN_F32, NN_SHAPE(2, 3)),
              *index = tensor_of(nn, NN_I32, NN_SHAPE(2)),
              *row = tensor_of(nn, NN_F32, NN_SHAPE(5));
    float *numbers = (float *)nn_tensor_data(y), *table = (float *)nn_tensor_data(x);
    int32_t *at = (int32_t *)nn_tensor_data(index);
    for (int i = 0; i < 6; i++) numbers[i] = 7;
    for (int i = 0; i < 15; i++) table[i] = (float)i;
    at[0] = 4;
    at[1] = 5;
    ENSURE(nn_embedding_forward(y, index, x) == NN_ERROR_INDEX);
    ENSURE(says(nn, "an index is outside [0, 5); nothing was written"));
    ENSURE(nn_index_select_forward(y, x, 0, index) == NN_ERROR_INDEX);
    nn_clear_error(nn);
    for (int i = 0; i < 6; i++) ENSURE(numbers[i] == 7);
    ENSURE(nn_embedding_backward(x, y, index, NULL, true) == NN_ERROR_INDEX);
    nn_clear_error(nn);
    for (int i = 0; i < 15; i++) ENSURE(table[i] == (float)i);
    at[1] = 4;
    ENSURE(nn_index_select_backward(x, y, 0, index, true) == NN_OK);
    for (int i = 0; i < 15; i++) ENSURE(table[i] == (float)(i < 12 ? i : i + 14));
    ENSURE(nn_embedding_forward(y, index, row) == NN_ERROR_SHAPE);
    nn_clear_error(nn);
    ENSURE(nn_index_select_forward(y, x, 1, index) == NN_ERROR_SHAPE);
    nn_clear_error(nn);
    ENSURE(nn_index_select_forward(NULL, x, 0, index) < 0);
    nn_clear_error(nn);
    ENSURE(nn_embedding_backward(NULL, NULL, NULL, NULL, false) < 0);
    nn_clear_error(nn);
    nn_free_tensor(x);
    nn_free_tensor(y);
    nn_free_tensor(row);
    nn_free_tensor(index);
    nn_close(nn);
}

/* The error about a text of nn_einsum names the letter. */
static void test_einsum_faults(void) {
    nn_context *nn = open_with(1);
    static const struct {
        const char *text, *words;
    } wrong[] = {{"bi,bj", "the letters \"bj\" for input 1, which is (batch, 3, 4)"},
                 {"bi,bij->b", "i is another extent in input 1, which is (batch, 3, 4), than before"},
                 {"bi,bjk->bx", "x is in the result, but in no input"},
                 {"bb,bjk->b", "b comes twice, and is not"}, /* free */
                 {"bi,bjj->b", "j is another extent in input 1, which is (batch, 3, 4)"},
                 {"bi,bjk->bb", "b comes twice in the result"},
                 {"b..,bjk->b", ". is no letter"},
                 {"b......,bjk->b", ". is no letter"},
                 {"bi,b...->bcdefg...", ". makes more axes than a shape has"},
                 {"b...jk,bi->b", "the letters \"bjk\" for input 0, which is (batch, 2)"},
                 {"b1,bjk->b", "1 is no letter"},
                 {"bi,bjk-b", "- begins no arrow"},
                 {"bi,bjk->b,i", ", comes after the result"},
                 {"bi", "is not for 2 inputs"},
                 {"bi,bjk,b", "is not for 2 inputs"},
                 {"bi,cjk->bcijk", NULL}, /* two extents of the batch */
                 {NULL, "the text is NULL"}};
    for (int i = 0; i < (int)(sizeof wrong / sizeof *wrong); i++) {
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *pair[2];
        nn_nodes both;
        pair[0] = nn_input(net, "a", NN_F32, NN_SHAPE(NN_BATCH, 2));
        pair[1] = nn_input(net, "b", NN_F32, NN_SHAPE(NN_BATCH, 3, 4));
        both.node = pair, both.count = 2;
        ENSURE(nn_einsum(net, wrong[i].text, both) && nn_fault_count(net) == 1);
        if (wrong[i].words) ENSURE(faults_say(net, wrong[i].words));
        both.count = 0;
        nn_einsum(net, "i", both);
        ENSURE(nn_fault_count(net) == 2);
        nn_free_model(net);
    }
    ENSURE(!nn_einsum(NULL, "i", NN_NODES(NULL)));
    nn_close(nn);
}

static void test_bag_faults(void) {
    nn_context *nn = open_with(1);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, 3));
    nn_embedding_bag_desc desc;
    memset(&desc, 0, sizeof desc);
    nn_embedding_bag(net, "bag", ids, NULL);
    ENSURE(faults_say(net, "desc is NULL"));
    desc.num_embeddings = desc.embedding_dim = 4;
    nn_embedding_bag(net, "bag", nn_input(net, "one", NN_I32, NN_SHAPE(NN_BATCH)), &desc);
    ENSURE(faults_say(net, "index has the shape (batch); wanted (N, L)"));
    desc.mode = NN_PROD;
    nn_embedding_bag(net, "bag", ids, &desc);
    ENSURE(faults_say(net, "must be NN_MEAN, NN_SUM or NN_MAX"));
    desc.mode = NN_SUM, desc.padding = true, desc.padding_idx = 4;
    nn_embedding_bag(net, "bag", ids, &desc);
    ENSURE(faults_say(net, "padding_idx is 4, but there are 4 rows"));
    desc.padding_idx = 0, desc.num_embeddings = (1 << 24) + 1;
    nn_embedding_bag(net, "bag", ids, &desc);
    ENSURE(faults_say(net, "at most 16777216 with padding"));
    nn_close(nn);
}

/* Shuffles whose extent the factor does not divide, and vectors of two lengths. */
static void test_shuffle_faults(void) {
    nn_context *nn = open_with(1);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 6, 4, 5));
    nn_pixel_shuffle(net, x, 2);
    ENSURE(faults_say(net, "axis 1 of (batch, 6, 4, 5) is no multiple of 4; factor is 2"));
    nn_pixel_unshuffle(net, x, 2);
    ENSURE(faults_say(net, "axis 3 of (batch, 6, 4, 5) is no multiple of 2; factor is 2"));
    nn_channel_shuffle(net, x, 4);
    ENSURE(faults_say(net, "axis 1 of (batch, 6, 4, 5) is no multiple of 4; groups is 4"));
    nn_channel_shuffle(net, x, 0);
    ENSURE(faults_say(net, "groups is 0"));
    nn_pixel_shuffle(net, nn_slice(net, x, NULL), 46341);
    ENSURE(faults_say(net, "factor is 46341"));
    nn_cosine_similarity(net, x, nn_input(net, "z", NN_F32, NN_SHAPE(1)), 3);
    ENSURE(faults_say(net, "along axis 3 of the result they must be equally long"));
    nn_close(nn);
}

/* pytorch#18404: Adam moves a row without a gradient by its moments, as in PyTorch, whose
   step 2 is then 0.9 / 1.9 / sqrt(0.999 / 1.999) of the rate; the padding row, which never had a
   gradient, stays. */
static void test_momentum_moves_rows(void) {
    nn_context *nn = open_with(1);
    table_net t = make_table_for(nn, NN_ADAM);
    float first[300];
    ENSURE(step(&t, 23) == NN_OK); /* 23 is not a square modulo 50 */
    memcpy(first, table_of(&t), sizeof first);
    ENSURE(step(&t, 5) == NN_OK);
    for (int i = 0; i < 6; i++) {
        ENSURE_CLOSE(fabs((double)table_of(&t)[23 * 6 + i] - (double)first[23 * 6 + i]),
                     0.5 * 0.670054, 1e-4);
        ENSURE(table_of(&t)[49 * 6 + i] == 0);
    }
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_missing_index);
    RUN(test_missing_index_of_plan);
    RUN(test_padding_row);
    RUN(test_momentum_moves_rows);
    RUN(test_first_values);
    RUN(test_shared_padding);
    RUN(test_two_padding_rows);
    RUN(test_table_of_halves);
    RUN(test_same_bytes_for_any_threads);
    RUN(test_faults);
    RUN(test_immediate_mistakes);
    RUN(test_einsum_faults);
    RUN(test_bag_faults);
    RUN(test_shuffle_faults);
    return test_report();
}
