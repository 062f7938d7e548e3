/* tests/language/test_answers.c - fine-tuning on answers: labels are shifted once, padding does not
   count, and packed texts do not attend to each other. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_TEXT_IMPLEMENTATION
#include "nn_text.h"

#include "error.h"
#include "test.h"

#include <stdlib.h>

enum { LENGTH = 12, VOCAB = 9, NONE = -100 };

/* ids: ; = a b c d e f g are 0 to 8 */
static nn_tokenizer *letters(nn_context *nn) {
    return nn_make_char_tokenizer(nn, "=;abcdefg", 9);
}

static const nn_answer pairs[] = {
    {"ab=", 3, "cd", 2}, {"e=", 2, "f", 1}, {"g=", 2, "abcdefg", 7}, {NULL, 0, "gg", 2}};

static nn_tensor *grid(nn_context *nn, const char *name, int rows) {
    return nn_make_tensor(
        nn, &(nn_tensor_desc){.name = name, .dtype = NN_I32, .shape = NN_SHAPE(rows, LENGTH)});
}

static const int32_t packed_ids[3][LENGTH] = {{2, 3, 1, 4, 5, 0, 6, 1, 7, 0, 0, 0},
                                              {8, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0},
                                              {8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
static const int32_t packed_labels[3][LENGTH] = {
    {NONE, NONE, 4, 5, 0, NONE, NONE, 7, 0, NONE, NONE, NONE},
    {NONE, 2, 3, 4, 5, 6, 7, 8, 0, NONE, NONE, NONE},
    {8, 0, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE}};
static const int32_t packed_starts[3][LENGTH] = {{0, 0, 0, 0, 0, 0, 6, 6, 6, 6, 10, 11},
                                                 {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 11},
                                                 {0, 0, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11}};

static void rows_are_those_by_hand(void) {
    nn_context *nn = nn_open(NULL);
    nn_tokenizer *t = letters(nn);
    nn_tensor *ids = grid(nn, "ids", 3), *labels = grid(nn, "labels", 3),
              *starts = grid(nn, "starts", 3), *few = grid(nn, "few", 1),
              *more = grid(nn, "more", 1), *row = grid(nn, "row", 1);
    int32_t used = 7, values[3][LENGTH];
    ENSURE(nn_fill_answers(t, pairs, 4, &(nn_fill_answers_desc){.pack = true, .end = ";"}, ids,
                           labels, starts, &used) == NN_OK);
    ENSURE(used == 4);
    nn_download_tensor(ids, values, sizeof values);
    ENSURE(memcmp(values, packed_ids, sizeof values) == 0);
    nn_download_tensor(labels, values, sizeof values);
    ENSURE(memcmp(values, packed_labels, sizeof values) == 0);
    nn_download_tensor(starts, values, sizeof values);
    ENSURE(memcmp(values, packed_starts, sizeof values) == 0);
    /* pairs without room wait for the next call */
    ENSURE(nn_fill_answers(t, pairs, 4, &(nn_fill_answers_desc){.pack = true, .end = ";"}, few,
                           more, row, &used) == NN_OK);
    ENSURE(used == 2);
    nn_download_tensor(few, values, sizeof *values);
    ENSURE(memcmp(values, packed_ids, sizeof *values) == 0);
    /* without .pack a row has one pair; the prompt is learned, too, and a token precedes it */
    ENSURE(nn_fill_answers(t, &pairs[1], 1, &(nn_fill_answers_desc){.whole = true, .begin = "a"},
                           few, more, NULL, NULL) == NN_OK);
    static const int32_t whole[LENGTH] = {2, 6, 1, 7}, learned[4] = {6, 1, 7, NONE};
    nn_download_tensor(few, values, sizeof *values);
    ENSURE(memcmp(values, whole, sizeof whole) == 0);
    nn_download_tensor(more, values, sizeof *values);
    ENSURE(memcmp(values, learned, sizeof learned) == 0 && values[0][4] == NONE);
    /* a pair without tokens has a row of its own, too */
    const nn_answer some[3] = {{NULL, 0, "", 0}, {"e", 1, "f", 1}, {"g", 1, "", 0}};
    static const int32_t each[3][LENGTH] = {{0}, {6, 7}, {8}};
    ENSURE(nn_fill_answers(t, some, 3, NULL, ids, labels, NULL, &used) == NN_OK && used == 3);
    nn_download_tensor(ids, values, sizeof values);
    ENSURE(memcmp(values, each, sizeof values) == 0);
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

static void mistakes(void) {
    nn_context *nn = nn_open(NULL);
    nn_tokenizer *t = letters(nn);
    nn_tensor *ids = grid(nn, "ids", 1), *labels = grid(nn, "labels", 1), *two = grid(nn, "two", 2);
    const nn_answer lengthy = {"abcdefgabc", 10, "de", 2}, odd = {"?", 1, "a", 1};
    const nn_fill_answers_desc pack = {.pack = true}, end = {.end = "!"};
    int32_t values[LENGTH], before[LENGTH], used = 5;
    nn_fill_answers(t, pairs, 1, NULL, ids, labels, NULL, NULL);
    nn_download_tensor(ids, before, sizeof before);
    ENSURE(nn_fill_answers(t, pairs, 2, NULL, ids, labels, NULL, &used) < 0 &&
           says(nn, "2 pairs and 1 rows"));
    ENSURE(nn_fill_answers(t, pairs, 2, &pack, ids, labels, NULL, &used) < 0 &&
           says(nn, "starts is NULL; packed"));
    ENSURE(nn_fill_answers(t, &lengthy, 1, &(nn_fill_answers_desc){.end = ";"}, ids, labels, NULL,
                           &used) < 0 &&
           says(nn, "together have 13 tokens, but a row has room for 12"));
    ENSURE(nn_fill_answers(t, &odd, 1, NULL, ids, labels, NULL, &used) < 0 && nn_error(nn));
    nn_clear_error(nn);
    ENSURE(nn_fill_answers(t, pairs, 1, &end, ids, labels, NULL, &used) < 0 &&
           says(nn, "\"!\" is not in the vocabulary"));
    ENSURE(nn_fill_answers(t, pairs, 1, NULL, ids, two, NULL, &used) < 0 &&
           says(nn, "labels \"two\""));
    ENSURE(nn_fill_answers(t, NULL, 1, NULL, ids, labels, NULL, &used) < 0 && says(nn, "at NULL"));
    ENSURE(nn_fill_answers(t, pairs, 1, NULL, NULL, labels, NULL, &used) < 0 &&
           says(nn, "ids is NULL"));
    ENSURE(nn_fill_answers(t, pairs, 1, NULL, ids, ids, NULL, &used) < 0 &&
           says(nn, "ids and labels are one tensor, \"ids\""));
    ENSURE(nn_fill_answers(NULL, pairs, 1, NULL, ids, labels, NULL, &used) < 0);
    /* "abc" and "de": 5 tokens, of which "d" stands after the prompt */
    const nn_answer learned = {"abc", 3, "de", 2}, missing = {NULL, 3, "de", 2};
    const nn_fill_answers_desc d = {.ignore_index = nn_token_id(t, "d")},
                               c = {.ignore_index = nn_token_id(t, "c")};
    ENSURE(nn_fill_answers(t, &learned, 1, &d, ids, labels, NULL, &used) < 0 &&
           says(nn, "its token 3 is the ignore_index"));
    ENSURE(nn_fill_answers(t, &missing, 1, NULL, ids, labels, NULL, &used) < 0 &&
           says(nn, "3 bytes at NULL"));
    nn_download_tensor(ids, values, sizeof values);
    ENSURE(used == 5 && memcmp(values, before, sizeof values) == 0);
    ENSURE(nn_fill_answers(t, &learned, 1, &c, ids, labels, NULL, &used) == NN_OK && used == 1);
    nn_close(nn);
}

/* ---- packed texts do not see each other ------------------------------------------------------ */

static nn_config tiny(nn_config_family family) {
    nn_config config;
    memset(&config, 0, sizeof config);
    config.family = family;
    config.vocab_size = VOCAB;
    config.hidden_size = 16;
    config.num_hidden_layers = 2;
    config.num_attention_heads = 2;
    config.intermediate_size = 24;
    config.max_position_embeddings = LENGTH;
    return config;
}

/* Computes the logits of one row; starts NULL: it is one text. */
static bool logits_of(nn_context *nn, nn_config_family family, const int32_t *ids,
                      const int32_t *starts, int32_t length, float *to) {
    const nn_config config = tiny(family);
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.seed = 9});
    nn_node *in = nn_input(m, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *from = starts ? nn_input(m, "starts", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME)) : NULL;
    nn_node *y = nn_causal_lm(m, in, &(nn_causal_lm_desc){.config = &config, .starts = from});
    nn_plan *plan =
        nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = 1, .time = length});
    const size_t bytes = sizeof(int32_t) * (size_t)length;
    nn_upload(plan, in, ids, bytes);
    if (starts) nn_upload(plan, from, starts, bytes);
    nn_run(plan);
    nn_download(plan, y, to, sizeof(float) * VOCAB * (size_t)length);
    nn_free_model(m);
    if (nn_error(nn)) printf("%s\n", nn_error(nn));
    return nn_error(nn) == NULL;
}

static void packed_texts_do_not_leak(void) {
    static const nn_config_family families[2] = {NN_FAMILY_GPT2, NN_FAMILY_LLAMA};
    nn_context *nn = nn_open(NULL);
    for (int f = 0; f < 2; f++) {
        float whole[LENGTH * VOCAB], first[6 * VOCAB], second[4 * VOCAB], other[LENGTH * VOCAB];
        int32_t changed[LENGTH], moved[LENGTH] = {0};
        const int32_t *ids = packed_ids[0], *starts = packed_starts[0];
        ENSURE(logits_of(nn, families[f], ids, starts, LENGTH, whole));
        ENSURE(logits_of(nn, families[f], ids, NULL, 6, first));
        ENSURE(logits_of(nn, families[f], ids + 6, NULL, 4, second));
        for (int i = 0; i < 6 * VOCAB; i++) ENSURE_CLOSE(whole[i], first[i], 1e-5);
        for (int i = 0; i < 4 * VOCAB; i++) ENSURE_CLOSE(whole[6 * VOCAB + i], second[i], 1e-5);
        /* the same as at the beginning of a row of the same length: positions begin at 0 again,
           rotary ones, too */
        memcpy(moved, ids + 6, 4 * sizeof *ids);
        ENSURE(logits_of(nn, families[f], moved, NULL, LENGTH, other));
        ENSURE(memcmp(whole + 6 * VOCAB, other, sizeof second) == 0);
        memcpy(changed, ids, sizeof changed);
        for (int i = 0; i < 6; i++) changed[i] = (ids[i] + 3) % VOCAB;
        ENSURE(logits_of(nn, families[f], changed, starts, LENGTH, other));
        ENSURE(memcmp(whole, other, sizeof(float) * 6 * VOCAB) != 0);
        ENSURE(memcmp(whole + 6 * VOCAB, other + 6 * VOCAB, sizeof(float) * 6 * VOCAB) == 0);
    }
    nn_close(nn);
}

/* The padding after the last text needs no more positions than the position table has. */
static void a_row_is_longer_than_the_table(void) {
    enum { LONG = 2 * LENGTH };
    nn_context *nn = nn_open(NULL);
    nn_tokenizer *t = letters(nn);
    nn_tensor *made[3];
    int32_t ids[LONG], starts[LONG];
    float row[LONG * VOCAB], alone[5 * VOCAB];
    for (int i = 0; i < 3; i++)
        made[i] = nn_make_tensor(
            nn, &(nn_tensor_desc){.dtype = NN_I32, .shape = NN_SHAPE(1, LONG)});
    ENSURE(nn_fill_answers(t, pairs, 1, &(nn_fill_answers_desc){.pack = true}, made[0], made[1],
                           made[2], NULL) == NN_OK);
    nn_download_tensor(made[0], ids, sizeof ids);
    nn_download_tensor(made[2], starts, sizeof starts);
    ENSURE(logits_of(nn, NN_FAMILY_GPT2, ids, starts, LONG, row));
    ENSURE(logits_of(nn, NN_FAMILY_GPT2, ids, NULL, 5, alone));
    for (int i = 0; i < 5 * VOCAB; i++) ENSURE_CLOSE(row[i], alone[i], 1e-5);
    nn_close(nn);
}

/* The loss is the mean over the 5 labels that count, computed here from the logits of the row. */
static void the_loss_is_over_answers(void) {
    const nn_config config = tiny(NN_FAMILY_GPT2);
    nn_context *nn = nn_open(NULL);
    float logits[LENGTH * VOCAB], loss, gradient[LENGTH * 16];
    double sum = 0;
    int count = 0;
    ENSURE(logits_of(nn, NN_FAMILY_GPT2, packed_ids[0], packed_starts[0], LENGTH, logits));
    for (int i = 0; i < LENGTH; i++) {
        double all = 0;
        if (packed_labels[0][i] == NONE) continue;
        for (int k = 0; k < VOCAB; k++) all += exp((double)logits[i * VOCAB + k]);
        sum += log(all) - (double)logits[i * VOCAB + packed_labels[0][i]];
        count++;
    }
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.seed = 9});
    nn_node *ids = nn_input(m, "ids", NN_I32, NN_SHAPE(NN_BATCH, LENGTH));
    nn_node *labels = nn_input(m, "labels", NN_I32, NN_SHAPE(NN_BATCH, LENGTH));
    nn_node *starts = nn_input(m, "starts", NN_I32, NN_SHAPE(NN_BATCH, LENGTH));
    nn_node *y = nn_causal_lm(m, ids, &(nn_causal_lm_desc){.config = &config, .starts = starts});
    y = nn_cross_entropy(m, nn_reshape(m, y, NN_SHAPE(LENGTH * NN_BATCH, VOCAB)),
                         nn_reshape(m, labels, NN_SHAPE(LENGTH * NN_BATCH)),
                         &(nn_cross_entropy_desc){.ignore = true, .ignore_index = NONE});
    nn_trainer *trainer =
        nn_make_trainer(m, y, &(nn_trainer_desc){.batch = 1, .gradients = true});
    nn_upload(nn_trainer_plan(trainer), ids, packed_ids[0], sizeof packed_ids[0]);
    nn_upload(nn_trainer_plan(trainer), labels, packed_labels[0], sizeof packed_labels[0]);
    nn_upload(nn_trainer_plan(trainer), starts, packed_starts[0], sizeof packed_starts[0]);
    ENSURE(nn_backward(trainer) == NN_OK);
    nn_read_loss(trainer, &loss);
    nn_read_gradient(trainer, "transformer.wpe.weight", gradient, sizeof gradient);
    if (nn_error(nn)) printf("%s\n", nn_error(nn));
    ENSURE(nn_error(nn) == NULL && count == 5);
    ENSURE_CLOSE(loss, sum / count, 1e-5);
    /* no text is longer than 6, so later positions, the end and the padding get no gradient */
    for (int i = 0; i < LENGTH * 16; i++) ENSURE(i < 5 * 16 || gradient[i] == 0.0f);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(rows_are_those_by_hand);
    RUN(mistakes);
    RUN(packed_texts_do_not_leak);
    RUN(a_row_is_longer_than_the_table);
    RUN(the_loss_is_over_answers);
    return test_report();
}
