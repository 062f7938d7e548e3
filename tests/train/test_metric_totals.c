/* test_metric_totals.c - metrics that are not a mean over batches (ops/metric.h): R2, perplexity,
   AUROC, intersection over union and one of the program's own, over uneven batches, compared with
   plain loops over all samples; in an evaluation, in reports and in the epochs of nn_fit; on the
   CPU and on OpenCL. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "test.h"
#include "open.h"
#include "lists.h"

#include <stdlib.h>

enum { N = 151, BATCH = 16, D = 2, CLASSES = 5, STEPS = 41 };

static nn_context *nn;
static nn_device on;
static bool few; /* only the first two metrics, because an OpenCL compiler takes long for the
                    others */

static float truth[N * D], guess[N * D], scores[N], hits[N], logits[N * CLASSES];
static int32_t labels[N];

static double uniform(int stream, int i) {
    uint32_t words[4];
    nn_random_words(3, (uint64_t)stream, (uint64_t)i, words);
    return (double)nn_word_to_uniform(words[0]);
}

static void make_samples(double offset) {
    for (int i = 0; i < N * D; i++) {
        truth[i] = (float)(offset * (i % D + 1) + uniform(1, i));
        guess[i] = (float)((double)truth[i] + 0.5 * (uniform(2, i) - 0.5));
    }
    for (int i = 0; i < N; i++) {
        hits[i] = uniform(3, i) < 0.4 ? 1.0f : 0.0f;
        /* on the thresholds, so that nothing is lost between them */
        scores[i] = (float)(int)(uniform(4, i) * 25 + 12 * (double)hits[i]) / (STEPS - 1);
        labels[i] = (int32_t)(uniform(5, i) * CLASSES);
    }
    for (int i = 0; i < N * CLASSES; i++) logits[i] = (float)(4 * uniform(6, i));
}

/* ---- plain loops ----------------------------------------------------------------------------- */

static double plain_r2(void) {
    double score = 0;
    for (int k = 0; k < D; k++) {
        double mean = 0, squares = 0, errors = 0;
        for (int i = 0; i < N; i++) mean += (double)truth[i * D + k] / N;
        for (int i = 0; i < N; i++) {
            squares += pow((double)truth[i * D + k] - mean, 2);
            errors += pow((double)truth[i * D + k] - (double)guess[i * D + k], 2);
        }
        score += (1 - errors / squares) / D;
    }
    return score;
}

static double plain_perplexity(int ignored) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < N; i++) {
        double total = 0;
        if (labels[i] == ignored) continue;
        for (int k = 0; k < CLASSES; k++) total += exp((double)logits[i * CLASSES + k]);
        sum += log(total) - (double)logits[i * CLASSES + labels[i]];
        count++;
    }
    return exp(sum / count);
}

/* Mann and Whitney: how often a positive one has the larger score, half where they are equal. */
static double plain_auroc(void) {
    double wins = 0, pairs = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            if (hits[i] == 0 || hits[j] != 0) continue;
            pairs += 1;
            wins += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
        }
    return wins / pairs;
}

static double plain_iou(void) {
    double both = 0, either = 0;
    for (int i = 0; i < N; i++) {
        both += scores[i] > 0.5f && hits[i] > 0.5f;
        either += scores[i] > 0.5f || hits[i] > 0.5f;
    }
    return both / either;
}

/* ---- a net of inputs ------------------------------------------------------------------------- */

static double largest_ratio(void *user, const double *sums, int count) {
    *(int *)user += count;
    return sums[0] / sums[1];
}

typedef struct job {
    nn_model *net;
    nn_trainer *trainer;
    nn_loader *loader;
    int calls;
} job;

static void job_open(job *j, int batch) {
    nn_trainer_desc desc = {.batch = batch, .learning_rate = NN_NONE};
    nn_perplexity_desc ignore = {.ignore = true, .ignore_index = 2};
    nn_node *y, *t, *p, *h, *l, *label, *w, *sums, *nodes[2];
    nn_dataset *dataset;
    j->calls = 0;
    j->net = nn_make_model(nn, &(nn_model_desc){.device = on});
    y = nn_input(j->net, "y", NN_F32, NN_SHAPE(NN_BATCH, D));
    t = nn_input(j->net, "t", NN_F32, NN_SHAPE(NN_BATCH, D));
    p = nn_input(j->net, "p", NN_F32, NN_SHAPE(NN_BATCH));
    h = nn_input(j->net, "h", NN_F32, NN_SHAPE(NN_BATCH));
    l = nn_input(j->net, "l", NN_F32, NN_SHAPE(NN_BATCH, CLASSES));
    label = nn_input(j->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    w = nn_parameter(j->net, "w", NN_SHAPE(1), 1, 1);
    nodes[0] =
        nn_reshape(j->net, nn_sum(j->net, nn_abs(j->net, nn_subtract(j->net, y, t))), NN_SHAPE(1));
    nodes[1] = nn_reshape(j->net, nn_sum(j->net, nn_abs(j->net, t)), NN_SHAPE(1));
    sums = nn_concat(j->net, NN_NODES(nodes[0], nodes[1]), 0);
    NODE_AT(desc.metrics, 2) = nn_r2_score(j->net, y, t);
    NODE_AT(desc.metrics, 3) = nn_perplexity(j->net, l, label, NULL);
    NODE_AT(desc.metrics, 4) = nn_perplexity(j->net, l, label, &ignore);
    NODE_AT(desc.metrics, 5) = nn_auroc(j->net, p, h, STEPS);
    NODE_AT(desc.metrics, 0) = nn_iou(j->net, p, h);
    NODE_AT(desc.metrics, 1) = nn_metric(j->net, "relative", sums, largest_ratio, &j->calls);
    NODE_AT(desc.metrics, 6) = nn_l1_loss(j->net, y, t, NULL);
    NODE_AT(desc.metrics, 7) = nn_mean(j->net, nn_expression(j->net, "(p - h)^2", p, h));
    if (few) desc.metrics.count = 2;
    j->trainer = nn_make_trainer(j->net, nn_mean(j->net, nn_multiply(j->net, y, w)), &desc);
    dataset = nn_make_dataset(
        nn,
        &(nn_dataset_desc){.count = N,
                           .fields = NN_FIELDS({.name = "y", .shape = {{D}, 1}, NN_DATA(guess)},
                                      {.name = "t", .shape = {{D}, 1}, NN_DATA(truth)},
                                      {.name = "p", NN_DATA(scores)},
                                      {.name = "h", NN_DATA(hits)},
                                      {.name = "l", .shape = {{CLASSES}, 1}, NN_DATA(logits)},
                                      {.name = "label", .dtype = NN_I32, NN_DATA(labels)})});
    j->loader =
        nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = batch, .device = on});
}

static void job_close(job *j) {
    if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    nn_clear_error(nn);
    nn_free_model(j->net);
}

static void check(const nn_report *report, double tolerance) {
    double error = 0, far = 0, whole = 0;
    for (int i = 0; i < N * D; i++) {
        error += fabs((double)guess[i] - (double)truth[i]);
        whole += fabs((double)truth[i]);
    }
    for (int i = 0; i < N; i++) far += pow((double)scores[i] - (double)hits[i], 2) / N;
    ENSURE(report->samples == N);
    ENSURE_CLOSE(report->metrics[0], plain_iou(), 1e-12);
    ENSURE_CLOSE(report->metrics[1] / (error / whole), 1, 1e-5);
    if (few) return;
    ENSURE_CLOSE(report->metrics[2], plain_r2(), tolerance);
    ENSURE_CLOSE(report->metrics[3], plain_perplexity(-1), 1e-4);
    ENSURE_CLOSE(report->metrics[4], plain_perplexity(2), 1e-4);
    ENSURE_CLOSE(report->metrics[5], plain_auroc(), 1e-6);
    ENSURE_CLOSE(report->metrics[6] / (error / (N * D)), 1, 1e-5);
    ENSURE_CLOSE(report->metrics[7] / far, 1, 1e-5);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void evaluations_are_those_of_all_samples(void) {
    for (int k = 0; k < 3; k++) {
        job j;
        nn_report report;
        make_samples(k == 2 ? 100.0 : 0.0); /* a mean of 300 deviations */
        job_open(&j, k == 1 ? N : BATCH);
        ENSURE(nn_evaluate(j.trainer, j.loader, &report) == NN_OK);
        check(&report, k == 2 ? 2e-4 : 1e-5);
        ENSURE(nn_evaluate(j.trainer, j.loader, &report) == NN_OK); /* from zero again */
        check(&report, k == 2 ? 2e-4 : 1e-5);
        ENSURE(j.calls == 4);
        job_close(&j);
    }
}

/* A report after an epoch has the metrics of all its samples, and the next report begins anew. */
static void epochs_are_those_of_all_samples(void) {
    job j;
    nn_report report;
    make_samples(0);
    job_open(&j, BATCH);
    nn_start_epoch(j.loader, 0);
    while (nn_next_batch(j.loader)) nn_train_step(j.trainer, j.loader);
    ENSURE(nn_read_report(j.trainer, &report) == NN_OK);
    check(&report, 1e-5);
    ENSURE(nn_read_report(j.trainer, &report) == NN_OK);
    ENSURE(report.samples == 0 && isnan(report.metrics[3]) && report.metrics[5] == 0);
    job_close(&j);
}

static nn_progress last;
static bool keep(void *user, const nn_progress *progress) {
    (void)user;
    last = *progress;
    return true;
}

static void fits_merge_sums(void) {
    job j;
    make_samples(0);
    job_open(&j, BATCH);
    ENSURE(nn_fit(j.trainer, j.loader,
                  &(nn_fit_desc){.epochs = 2, .report_every = 3, .callback = keep}) == NN_OK);
    ENSURE(last.epoch_ended && last.epoch == 2);
    check(&last.train, 1e-5);
    job_close(&j);
}

static double evaluate(int metric) {
    job j;
    nn_report report = {0};
    job_open(&j, BATCH);
    ENSURE_CLOSE(nn_evaluate(j.trainer, j.loader, &report), NN_OK, 0);
    job_close(&j);
    return report.metrics[metric];
}

static void corners(void) {
    make_samples(0);
    for (int i = 0; i < N * D; i++) truth[i] = guess[i] = 3;
    ENSURE(evaluate(2) == 1); /* all equal, and right */
    guess[0] = guess[1] = 4;
    ENSURE(evaluate(2) == 0);
    for (int i = 0; i < N; i++) hits[i] = 1;
    ENSURE(evaluate(5) == 0); /* one class alone */
    for (int i = 0; i < N; i++) hits[i] = scores[i] = 0;
    ENSURE(evaluate(5) == 0 && evaluate(0) == 0);
    for (int i = 0; i < N; i++) labels[i] = 2;
    ENSURE(isnan(evaluate(4))); /* no label counts */
    make_samples(0);
    for (int i = 0; i < N; i++) scores[i] = 0.5f;
    ENSURE_CLOSE(evaluate(5), 0.5, 1e-12);
    for (int i = 0; i < N; i++) scores[i] = hits[i]; /* 1 is on the last threshold */
    ENSURE_CLOSE(evaluate(5), 1, 1e-12);
    /* an input that is not a number, or not a probability, gives no number that looks like a
       result */
    const float wrong[] = {NAN, -0.25f, 1.5f, INFINITY, -INFINITY};
    for (int i = 0; i < 5; i++) {
        make_samples(0);
        scores[N / 2] = wrong[i];
        ENSURE(isnan(evaluate(5)));
    }
    make_samples(0);
    truth[D * 3] = NAN;
    ENSURE(isnan(evaluate(2)));
}

static bool says(nn_model *net, const char *part) {
    char text[4000] = "";
    nn_text out = {text, sizeof text, 0};
    nn_write_faults(net, (nn_writer){nn_write_text, &out});
    if (!strstr(text, part)) printf("     \"%s\" is not in: %s\n", part, text);
    return strstr(text, part) != NULL;
}

static void mistakes_are_told(void) {
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH));
    nn_node *pair = nn_parameter(net, "pair", NN_SHAPE(2), 0, 0);
    nn_metric(net, "own", x, largest_ratio, NULL);
    ENSURE(says(net, "sums is (batch); wanted (K), 1 to 4096 numbers"));
    nn_metric(net, "own", pair, NULL, NULL);
    ENSURE(says(net, "function is NULL"));
    nn_auroc(net, x, x, 1);
    ENSURE(says(net, "thresholds is 1; wanted 2 to 2048, or 0"));
    nn_auroc(net, x, x, 1 << 30); /* twice that is no int */
    ENSURE(says(net, "thresholds is 1073741824; wanted 2 to 2048, or 0"));
    ENSURE(!nn_r2_score(NULL, x, x) && !nn_auroc(NULL, x, x, 0) && !nn_iou(NULL, x, x));
    ENSURE(!nn_perplexity(NULL, x, x, NULL) && !nn_metric(NULL, "a", x, NULL, NULL));
    nn_r2_score(net, x, NULL);
    nn_iou(net, NULL, x);
    nn_free_model(net);
    net = nn_make_model(nn, NULL);
    pair = nn_parameter(net, "pair", NN_SHAPE(2), 0, 0);
    ENSURE(!nn_make_trainer(net, nn_metric(net, "own", pair, largest_ratio, NULL), NULL));
    ENSURE(strstr(nn_error(nn), "wanted one f32 number"));
    nn_clear_error(nn);
    nn_free_model(net);
}

static double first_sum(void *user, const double *sums, int count) {
    (void)user, (void)count;
    return sums[0];
}

/* From 4096 on, adding a float of 0.1 changes a float sum by 0.1001. */
static void small_summands_are_not_lost(void) {
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *w = nn_parameter(net, "w", NN_SHAPE(1), 0.1f, 0.1f);
    nn_trainer_desc desc = {.learning_rate = NN_NONE};
    nn_trainer *trainer;
    nn_report report;
    NODE_AT(desc.metrics, 0) = nn_metric(net, "sum", w, first_sum, NULL);
    trainer = nn_make_trainer(net, nn_sum(net, w), &desc);
    for (int i = 0; i < 60000; i++) nn_train_on_inputs(trainer);
    ENSURE(nn_read_report(trainer, &report) == NN_OK);
    ENSURE_CLOSE(report.metrics[0], 60000 * (double)0.1f, 1e-2);
    nn_free_model(net);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    nn = nn_open(&(nn_desc){.threads = 2});
    on = nn_cpu();
    RUN(evaluations_are_those_of_all_samples);
    RUN(epochs_are_those_of_all_samples);
    RUN(fits_merge_sums);
    RUN(corners);
    RUN(small_summands_are_not_lost);
    RUN(mistakes_are_told);
#ifdef NN_TEST_OPENCL
    if (OPEN_OPENCL(nn)) {
        on = nn_opencl(0);
        few = !getenv("NN_FULL");
        RUN(evaluations_are_those_of_all_samples);
        if (!few) RUN(epochs_are_those_of_all_samples);
    }
#endif
    nn_close(nn);
    return test_report();
}
