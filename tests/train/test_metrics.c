/* tests/train/test_metrics.c - top-k accuracy, the confusion matrix of an evaluation, precision,
   recall and F1. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"

#include "sim_device.h"
#include "lists.h"

/* ---- scores ---------------------------------------------------------------------------------- */

/* true 0 1 2 0 1 2, predicted 0 2 1 0 0 1: the example in the documentation of
   sklearn.metrics.precision_score, recall_score and f1_score, whose numbers these are. */
static void test_scores_golden(void) {
    static const int64_t counts[9] = {2, 0, 0, 1, 0, 1, 0, 2, 0};
    nn_scores zero = nn_class_scores(counts, 3, 0), one = nn_class_scores(counts, 3, 1),
              macro = nn_macro_scores(counts, 3);
    nn_scores weighted = nn_weighted_scores(counts, 3);
    ENSURE_CLOSE(zero.precision, 2.0 / 3.0, 1e-12);
    ENSURE_CLOSE(zero.recall, 1.0, 1e-12);
    ENSURE_CLOSE(zero.f1, 0.8, 1e-12);
    ENSURE(zero.samples == 2 && one.precision == 0 && one.recall == 0 && one.f1 == 0);
    ENSURE_CLOSE(macro.precision, 0.222222222, 1e-8);
    ENSURE_CLOSE(macro.recall, 0.333333333, 1e-8);
    ENSURE_CLOSE(macro.f1, 0.266666667, 1e-8);
    ENSURE_CLOSE(weighted.f1, 0.266666667, 1e-8);
    ENSURE(macro.samples == 6 && weighted.samples == 6);
}

/* Tests classes that do not occur at all, a class that is never predicted correctly, a class
   without samples, and a matrix of zeros. */
static void test_scores_nothing_below(void) {
    static const int64_t counts[16] = {3, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const int64_t taken[4] = {0, 5, 0,
                                     0}; /* class 0 always taken for 1, which has no samples */
    static const int64_t none[4] = {0, 0, 0, 0};
    nn_scores macro = nn_macro_scores(counts, 4), weighted = nn_weighted_scores(counts, 4);
    ENSURE_CLOSE(macro.precision, (3.0 / 5.0 + 0.0) / 2, 1e-12); /* classes 2 and 3 do not count */
    ENSURE_CLOSE(macro.recall, (3.0 / 4.0 + 0.0) / 2, 1e-12);
    ENSURE_CLOSE(macro.f1, (6.0 / 9.0 + 0.0) / 2, 1e-12);
    ENSURE_CLOSE(weighted.recall, 3.0 / 6.0, 1e-12); /* the accuracy */
    ENSURE_CLOSE(weighted.precision, (3.0 / 5.0 * 4 + 0.0 * 2) / 6, 1e-12);
    macro = nn_macro_scores(taken, 2);
    ENSURE(macro.precision == 0 && macro.recall == 0 && macro.f1 == 0 && macro.samples == 5);
    macro = nn_macro_scores(none, 2);
    ENSURE(macro.f1 == 0 && macro.samples == 0 && nn_weighted_scores(none, 2).f1 == 0);
    ENSURE(nn_macro_scores(NULL, 3).samples == 0 && nn_class_scores(counts, 4, 4).samples == 0);
    ENSURE(nn_class_scores(counts, 4, -1).samples == 0 && nn_class_scores(NULL, 4, 0).samples == 0);
}

/* Compares with random labels and predictions that are counted sample by sample. */
static void test_scores_plain_loop(void) {
    enum { N = 500, C = 7 };
    int truth[N], taken[N];
    int64_t counts[C * C];
    double f1 = 0, weighted = 0;
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < N; i++) {
        uint32_t words[4];
        nn_random_words(5, 2, (uint64_t)i, words);
        truth[i] = (int)(words[0] % C);
        taken[i] = words[1] % 3 ? truth[i] : (int)(words[2] % C);
        counts[truth[i] * C + taken[i]]++;
    }
    for (int k = 0; k < C; k++) {
        double right = 0, of = 0, as = 0, precision, recall;
        nn_scores scores = nn_class_scores(counts, C, k);
        for (int i = 0; i < N; i++) {
            right += truth[i] == k && taken[i] == k;
            of += truth[i] == k;
            as += taken[i] == k;
        }
        precision = right / as;
        recall = right / of;
        ENSURE_CLOSE(scores.precision, precision, 1e-12);
        ENSURE_CLOSE(scores.recall, recall, 1e-12);
        ENSURE_CLOSE(scores.f1, 2 * precision * recall / (precision + recall), 1e-12);
        f1 += scores.f1 / C;
        weighted += scores.f1 * of / N;
    }
    ENSURE_CLOSE(nn_macro_scores(counts, C).f1, f1, 1e-12);
    ENSURE_CLOSE(nn_weighted_scores(counts, C).f1, weighted, 1e-12);
}

/* ---- top-k ----------------------------------------------------------------------------------- */

static void test_top_k(void) {
    static const float logits[5][4] = {
        {1, 2, 3, 4}, {4, 3, 2, 1}, {5, 5, 5, 5}, {0, (float)NAN, 1, (float)NAN}, {-1, -2, -3, -4}};
    static const int32_t label[5] = {
        2, 2, 1, 3,
        9}; /* ranks from 0: 1, 2, 1 (after the equal 0), 1 (after the NaN at 1), none */
    static const float wanted[4] = {0.0f, 0.6f, 0.8f, 0.8f};
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_plan_desc desc;
    nn_plan *plan;
    nn_node *x = nn_input(net, "logits", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *y = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    memset(&desc, 0, sizeof desc);
    desc.batch = 5;
    for (int k = 1; k <= 4; k++) NODE_AT(desc.outputs, k - 1) = nn_top_k_accuracy(net, x, y, k);
    NODE_AT(desc.outputs, 4) = nn_accuracy(net, x, y);
    plan = nn_make_plan(net, &desc);
    ENSURE(plan && strcmp(nn_node_name(desc.outputs.node[0]), "top_k_accuracy") == 0);
    ENSURE(nn_upload(plan, x, logits, sizeof logits) == NN_OK &&
           nn_upload(plan, y, label, sizeof label) == NN_OK);
    ENSURE(nn_run(plan) == NN_OK);
    for (int k = 0; k < 5; k++) {
        float value = -1;
        ENSURE(nn_download(plan, desc.outputs.node[k], &value, sizeof value) == NN_OK);
        ENSURE_CLOSE(value, wanted[k % 4], 1e-6); /* the fifth is nn_accuracy: as k = 1 */
    }
    nn_close(nn);
}

static void test_top_k_faults(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    char text[2000];
    nn_text out = {text, sizeof text, 0};
    nn_writer writer = {nn_write_text, &out};
    nn_node *x = nn_input(net, "logits", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *y = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_top_k_accuracy(net, x, y, 0);
    nn_top_k_accuracy(net, x, y, 5);
    nn_top_k_accuracy(net, x, x, 1);
    ENSURE(nn_fault_count(net) == 3 && !nn_top_k_accuracy(NULL, x, y, 1));
    text[0] = 0;
    nn_write_faults(net, writer);
    ENSURE(strstr(text, "top_k_accuracy") && strstr(text, "k is 0, but there are 4 classes") &&
           strstr(text, "k is 5, but there are 4 classes"));
    nn_close(nn);
}

/* ---- confusion ------------------------------------------------------------------------------- */

enum { SAMPLES = 37, WIDTH = 5, CLASSES = 4, BATCH = 8 };

typedef struct job {
    nn_context *nn;
    nn_model   *net;
    nn_node    *x, *label, *logits;
    nn_dataset *dataset;
    nn_loader  *loader;
    nn_trainer *trainer;
    float       data[SAMPLES * WIDTH];
    int32_t     labels[SAMPLES];
} job;

static void job_open(job *j, bool ignore, bool confusion) {
    nn_desc open;
    nn_model_desc model;
    nn_linear_desc layer;
    nn_cross_entropy_desc loss;
    nn_dataset_desc dataset;
    nn_loader_desc loader;
    nn_trainer_desc desc;
    memset(j, 0, sizeof *j);
    memset(&open, 0, sizeof open);
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&loss, 0, sizeof loss);
    memset(&dataset, 0, sizeof dataset);
    memset(&loader, 0, sizeof loader);
    memset(&desc, 0, sizeof desc);
    for (int i = 0; i < SAMPLES * WIDTH; i++) {
        uint32_t words[4];
        nn_random_words(9, 1, (uint64_t)i, words);
        j->data[i] = nn_word_to_uniform(words[0]) * 2 - 1;
        j->labels[i / WIDTH] = ignore && words[1] % 4 == 0 ? -100 : (int32_t)(words[2] % CLASSES);
    }
    open.threads = 2;
    j->nn = nn_open(&open);
    model.seed = 4;
    model.device = nn_cpu();
    j->net = nn_make_model(j->nn, &model);
    j->x = nn_input(j->net, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    j->label = nn_input(j->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    layer.out_features = CLASSES;
    j->logits = nn_linear(j->net, "fc", j->x, &layer);
    loss.ignore = ignore;
    loss.ignore_index = -100;
    dataset.count = SAMPLES;
    FIELD_AT(dataset.fields, 0).name = "x";
    FIELD_AT(dataset.fields, 0).shape = NN_SHAPE(WIDTH);
    FIELD_AT(dataset.fields, 0).data = j->data;
    FIELD_AT(dataset.fields, 1).name = "label";
    FIELD_AT(dataset.fields, 1).dtype = NN_I32;
    FIELD_AT(dataset.fields, 1).data = j->labels;
    j->dataset = nn_make_dataset(j->nn, &dataset);
    loader.dataset = j->dataset;
    loader.batch = BATCH;
    loader.device = nn_cpu();
    j->loader = nn_make_loader(j->nn, &loader);
    desc.batch = BATCH;
    desc.learning_rate = 0.1f;
    if (confusion) {
        desc.confusion.logits = j->logits;
        desc.confusion.label = j->label;
    }
    j->trainer =
        nn_make_trainer(j->net, nn_cross_entropy(j->net, j->logits, j->label, &loss), &desc);
}

/* Counts the same from the weights, in a plain loop. */
static void job_count(job *j, int64_t *counts) {
    float weight[CLASSES * WIDTH], bias[CLASSES];
    nn_download_tensor(nn_find_tensor(j->net, "fc.weight"), weight, sizeof weight);
    nn_download_tensor(nn_find_tensor(j->net, "fc.bias"), bias, sizeof bias);
    memset(counts, 0, CLASSES * CLASSES * sizeof *counts);
    for (int i = 0; i < SAMPLES; i++) {
        double best = -1e30;
        int taken = 0;
        for (int k = 0; k < CLASSES; k++) {
            double sum = (double)bias[k];
            for (int d = 0; d < WIDTH; d++)
                sum += (double)weight[k * WIDTH + d] * (double)j->data[i * WIDTH + d];
            if (sum > best) best = sum, taken = k;
        }
        if (j->labels[i] >= 0) counts[j->labels[i] * CLASSES + taken]++;
    }
}

static bool job_agrees(job *j) {
    int64_t counts[CLASSES * CLASSES], wanted[CLASSES * CLASSES];
    nn_report report;
    memset(counts, 0x55, sizeof counts);
    job_count(j, wanted);
    return nn_evaluate(j->trainer, j->loader, &report) == NN_OK &&
           nn_read_confusion(j->trainer, counts, sizeof counts) == NN_OK &&
           memcmp(counts, wanted, sizeof counts) == 0;
}

static void confusion_of(bool ignore) {
    job j;
    int64_t counts[CLASSES * CLASSES];
    nn_ledger_entry last;
    job_open(&j, ignore, true);
    ENSURE(j.trainer && nn_confusion_classes(j.trainer) == CLASSES);
    ENSURE(nn_read_confusion(j.trainer, counts, sizeof counts) == NN_OK);
    for (int i = 0; i < CLASSES * CLASSES; i++) ENSURE(counts[i] == 0); /* nothing evaluated yet */
    last = nn_ledger_at(j.nn, nn_ledger_count(j.nn) - 1);
    ENSURE(strcmp(last.tensor, "confusion") == 0 && last.logical_bytes == CLASSES * CLASSES * 4);
    ENSURE(job_agrees(&j) && job_agrees(&j)); /* counted anew each time */
    while (nn_next_batch(j.loader)) ENSURE(nn_train_step(j.trainer, j.loader) == NN_OK);
    ENSURE(job_agrees(&j) && !nn_error(j.nn));
    nn_close(j.nn);
}
static void test_confusion(void) { confusion_of(false); }
static void test_confusion_ignored_labels(void) { confusion_of(true); }

static void test_confusion_on_another_device(void) {
    job j;
    sim_device *sim;
    sim_desc sim_desc_of;
    nn_device device;
    int64_t before[CLASSES * CLASSES], after[CLASSES * CLASSES];
    job_open(&j, false, true);
    memset(&sim_desc_of, 0, sizeof sim_desc_of);
    sim_desc_of.asynchronous = true;
    sim = sim_open(j.nn, &sim_desc_of, &device);
    ENSURE(j.trainer && sim && job_agrees(&j));
    ENSURE(nn_read_confusion(j.trainer, before, sizeof before) == NN_OK);
    ENSURE(nn_move_trainer(j.trainer, device) == NN_OK);
    ENSURE(nn_read_confusion(j.trainer, after, sizeof after) == NN_OK);
    ENSURE(memcmp(before, after, sizeof before) == 0); /* the counts moved along */
    nn_free_loader(j.loader);
    {
        nn_loader_desc loader;
        memset(&loader, 0, sizeof loader);
        loader.dataset = j.dataset;
        loader.batch = BATCH;
        loader.device = device;
        j.loader = nn_make_loader(j.nn, &loader);
    }
    ENSURE(job_agrees(&j) && !nn_error(j.nn));
    nn_close(j.nn);
    ENSURE(sim_free(sim) == 0);
}

/* A label that is wrong stops the evaluation; its batch and those after it are not counted. */
static void test_confusion_bad_label(void) {
    job j;
    nn_report report;
    int64_t counts[CLASSES * CLASSES], sum = 0;
    job_open(&j, false, true);
    j.labels[BATCH + 3] = CLASSES; /* in the second batch */
    ENSURE(nn_evaluate(j.trainer, j.loader, &report) == NN_ERROR_LABEL);
    ENSURE(nn_read_confusion(j.trainer, counts, sizeof counts) == NN_OK);
    for (int i = 0; i < CLASSES * CLASSES; i++) sum += counts[i];
    ENSURE(sum == BATCH);
    j.labels[BATCH + 3] = 0;
    ENSURE(job_agrees(&j));
    nn_close(j.nn);
}

#define FAILS(j, call, part) \
    do { \
        ENSURE((call) != NN_OK && nn_error((j).nn) && strstr(nn_error((j).nn), part)); \
        nn_clear_error((j).nn); \
    } while (0)

static void test_confusion_errors(void) {
    job j;
    int64_t counts[CLASSES * CLASSES];
    nn_trainer_desc desc;
    nn_node *loss;
    job_open(&j, false, false);
    ENSURE(nn_confusion_classes(j.trainer) == 0 && nn_confusion_classes(NULL) == 0);
    ENSURE(nn_read_confusion(NULL, counts, sizeof counts) == NN_ERROR_ARGUMENT);
    FAILS(j, nn_read_confusion(j.trainer, counts, sizeof counts), "nn_trainer_desc.confusion");
    loss = nn_mse_loss(j.net, j.logits, j.logits, NULL);
    memset(&desc, 0, sizeof desc);
    desc.confusion.logits = j.logits;
    FAILS(j, nn_make_trainer(j.net, loss, &desc) ? NN_OK : NN_ERROR_ARGUMENT,
          "confusion has no label");
    desc.confusion.label = j.logits;
    FAILS(j, nn_make_trainer(j.net, loss, &desc) ? NN_OK : NN_ERROR_ARGUMENT,
          "label is f32; confusion wants i32");
    desc.confusion.logits = nn_input(nn_make_model(j.nn, NULL), "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    FAILS(j, nn_make_trainer(j.net, loss, &desc) ? NN_OK : NN_ERROR_ARGUMENT,
          "logits of confusion are not of the model");
    nn_close(j.nn);
    job_open(&j, false, true);
    FAILS(j, nn_read_confusion(j.trainer, counts, sizeof counts - 8),
          "4 x 4 numbers of 8: 128 bytes");
    FAILS(j, nn_read_confusion(j.trainer, NULL, sizeof counts), "counts is NULL");
    nn_close(j.nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_scores_golden);
    RUN(test_scores_nothing_below);
    RUN(test_scores_plain_loop);
    RUN(test_top_k);
    RUN(test_top_k_faults);
    RUN(test_confusion);
    RUN(test_confusion_ignored_labels);
    RUN(test_confusion_on_another_device);
    RUN(test_confusion_bad_label);
    RUN(test_confusion_errors);
    return test_report();
}
