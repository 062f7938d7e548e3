/* tests/group/test_shards.c - a batch in shards: the gradient is that of one whole batch, whatever
   the weights of the shards are, and any number of ranks gives the same bytes. Peers that give all
   ranks equal weight are wrong for uneven batches: pytorch#31579, #37359, transformers#608. */
#ifndef NN_TEST_OPENCL
#define NN_IMPLEMENTATION
#endif
#include "nn_group.h"

#ifdef NN_TEST_OPENCL
#include "nn_opencl.h"
#endif

#include "inside.h"
#include "open.h"
#include "test.h"

#include <stdlib.h>

enum { WIDE_IN = 90, WIDE_OUT = 70 };
enum { SAMPLES = 13, IN = 5, CLASSES = 3, NUMBERS = IN * CLASSES + CLASSES };

static float inputs[SAMPLES * IN], targets[SAMPLES * CLASSES];
static int32_t labels[SAMPLES];

static float some(int i) { return (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f; }

static void make_data(void) {
    static const int32_t few[SAMPLES] = {0, 2, 1, 2, -100, 1, -100, -100, -100, 0, 1, 1, 2};
    for (int i = 0; i < SAMPLES * IN; i++) inputs[i] = some(i);
    for (int i = 0; i < SAMPLES * CLASSES; i++) targets[i] = some(i + 777);
    for (int i = 0; i < SAMPLES; i++) labels[i] = few[i];
}

static bool fine(nn_context *nn, const char *what) {
    if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s: %s", what, nn_error(nn));
    return nn_error(nn) == NULL;
}

/* ---- one rank: as one plain trainer ---------------------------------------------------------- */

typedef enum kind { MSE, IGNORED, WEIGHTED, SUMMED, TWO_SUMS, PENALTY, COUNTED, KINDS } kind;
static const char *const names[] = {"mse",      "ignored", "weighted", "summed",
                                    "two sums", "penalty", "counted"};

typedef struct net {
    nn_model *model;
    nn_node *x, *loss, *counted, *accuracy, *sums;
} net;

static double ratio(void *user, const double *sums, int count) {
    (void)user, (void)count;
    return sums[0] / sums[1];
}

static nn_node *entropy(nn_context *nn, nn_model *m, nn_node *y, nn_node *label, kind k) {
    static const float weights[CLASSES] = {0.3f, 1.0f, 2.5f};
    nn_cross_entropy_desc desc = {.ignore = true, .ignore_index = -100};
    if (k == WEIGHTED) {
        nn_tensor *w =
            nn_make_tensor(nn, &(nn_tensor_desc){.name = "w", .shape = NN_SHAPE(CLASSES)});
        nn_upload_tensor(w, weights, sizeof weights);
        desc.weight = nn_constant(m, "w", w);
    }
    return nn_cross_entropy(m, y, label, &desc);
}

/* wide: the width of hidden layers, so large that all shards make a gradient at once. */
static net make_net_of(nn_context *nn, nn_device device, kind k, bool wide) {
    net n;
    memset(&n, 0, sizeof n);
    nn_model *m = n.model =
        nn_make_model(nn, &(nn_model_desc){.name = "net", .device = device, .seed = 3});
    n.x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    nn_node *t = nn_input(m, "t", NN_F32, NN_SHAPE(NN_BATCH, CLASSES));
    nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *h = n.x;
    if (wide) {
        h = nn_tanh(m, nn_linear(m, "first", h, &(nn_linear_desc){.out_features = WIDE_IN}));
        h = nn_tanh(m, nn_linear(m, "wide", h, &(nn_linear_desc){.out_features = WIDE_OUT}));
    }
    nn_node *y = nn_linear(m, "fc", h, &(nn_linear_desc){.out_features = CLASSES});
    nn_node *squares = nn_squared_difference(m, y, t);
    if (k == IGNORED || k == WEIGHTED) n.loss = entropy(nn, m, y, label, k);
    else
        n.loss = nn_mse_loss(m, y, t, &(nn_mse_desc){.reduction = k == SUMMED ? NN_SUM : NN_MEAN});
    if (k == TWO_SUMS) {
        nn_node *mask = nn_expression(m, "t: t > -0.5", t);
        n.loss = nn_divide(m, nn_sum(m, nn_multiply(m, squares, mask)), nn_sum(m, mask));
    }
    if (k == PENALTY)
        n.loss = nn_add(m, n.loss, nn_scale(m, nn_sum(m, nn_square(m, y->inputs[1])), 0.1f));
    if (k == COUNTED) n.counted = nn_sum(m, nn_expression(m, "t: 1 + 0 * t", t));
    n.accuracy = nn_accuracy(m, y, label);
    nn_node *ones = nn_expression(m, "t: 1 + 0 * t", t);
    nn_node *top = nn_reshape(m, nn_sum(m, squares), NN_SHAPE(1));
    nn_node *bottom = nn_reshape(m, nn_sum(m, ones), NN_SHAPE(1));
    n.sums = nn_metric(m, "ratio", nn_concat(m, NN_NODES(top, bottom), 0), ratio, NULL);
    return n;
}

static net make_net(nn_context *nn, nn_device device, kind k) {
    return make_net_of(nn, device, k, false);
}

static nn_loader *make_loader(nn_context *nn, nn_device device, int batch) {
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(IN), .data = inputs},
                           {.name = "t", .shape = NN_SHAPE(CLASSES), .data = targets},
                           {.name = "label", .dtype = NN_I32, .data = labels}),
                .count = SAMPLES});
    return nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = batch,
                                                .device = device});
}

typedef struct result {
    float gradient[NUMBERS], after[NUMBERS], loss;
    nn_report report, tested;
} result;

/* Trains two epochs, and reads the gradient of the first epoch's last batch, the reports, the loss
   and the parameters. */
static void learn(nn_context *nn, nn_device device, kind k, int batch, int shards, int accumulate,
                  result *r) {
    net n = make_net(nn, device, k);
    nn_loader *loader = make_loader(nn, device, batch);
    nn_trainer *trainer =
        nn_make_trainer(n.model, n.loss, &(nn_trainer_desc){.batch = batch, .optimizer = NN_ADAM,
                                                            .learning_rate = 0.1f, .epsilon = 0.1f,
                                                            .metrics = NN_NODES(n.accuracy, n.sums),
                                                            .gradients = true, .shards = shards,
                                                            .accumulate = accumulate,
                                                            .counted = n.counted});
    memset(r, 0, sizeof *r);
    for (int epoch = 0; epoch < 2; epoch++) {
        while (nn_next_batch(loader) && nn_train_step(trainer, loader) == NN_OK) {}
        if (epoch == 0) {
            nn_read_gradient(trainer, "fc.weight", r->gradient, sizeof(float) * IN * CLASSES);
            nn_read_gradient(trainer, "fc.bias", r->gradient + IN * CLASSES,
                             sizeof(float) * CLASSES);
            nn_read_report(trainer, &r->report);
        }
    }
    nn_read_loss(trainer, &r->loss);
    nn_evaluate(trainer, loader, &r->tested);
    nn_download_tensor(nn_find_tensor(n.model, "fc.weight"), r->after,
                       sizeof(float) * IN * CLASSES);
    nn_download_tensor(nn_find_tensor(n.model, "fc.bias"), r->after + IN * CLASSES,
                       sizeof(float) * CLASSES);
    fine(nn, names[k]);
    nn_clear_error(nn);
    nn_free_model(n.model);
}

static void compare_reports(const char *what, const nn_report *a, const nn_report *b) {
    ENSURE(a->samples == b->samples);
    if (fabs(a->loss - b->loss) > 2e-6 * fmax(1, fabs(a->loss)) ||
        fabs(a->metrics[0] - b->metrics[0]) > 1e-6 || fabs(a->metrics[1] - b->metrics[1]) > 1e-6)
        test_fail(__FILE__, __LINE__, "%s: loss %.9g, %.9g; metrics %.9g %.9g, %.9g %.9g", what,
                  a->loss, b->loss, a->metrics[0], b->metrics[0], a->metrics[1], b->metrics[1]);
}

/* Compares shards that are short, uneven and empty with whole batches: of 8 and 5 samples, of 12
   and 1, and of 5, 5 and 3. */
static void check_kinds(nn_context *nn, nn_device device, int kinds, int cuts) {
    static const int batches[] = {8, 12, 5}, shards[] = {2, 8, 4}, accumulates[] = {1, 1, 2};
    result one, cut;
    char what[64];
    for (int k = 0; k < kinds; k++)
        for (int i = 0; i < cuts; i++) {
            /* Reports weight a batch by its labels only with .accumulate. */
            const bool weighs = k == IGNORED || k == WEIGHTED || k == TWO_SUMS || k == COUNTED;
            snprintf(what, sizeof what, "%s, batches of %d, %d shards", names[k], batches[i],
                     shards[i]);
            learn(nn, device, (kind)k, batches[i], 1, accumulates[i], &one);
            learn(nn, device, (kind)k, batches[i], shards[i], accumulates[i], &cut);
            for (int j = 0; j < NUMBERS; j++) {
                const double scale = k == SUMMED ? 10 : 1;
                if (fabs((double)one.gradient[j] - (double)cut.gradient[j]) > 1e-6 * scale ||
                    fabs((double)one.after[j] - (double)cut.after[j]) > 4e-6 * scale)
                    test_fail(__FILE__, __LINE__, "%s: gradient %d is %.9g, plain %.9g; parameter "
                              "%.9g and %.9g", what, j, (double)cut.gradient[j],
                              (double)one.gradient[j], (double)cut.after[j], (double)one.after[j]);
            }
            if (fabs((double)one.loss - (double)cut.loss) > 2e-6 * (k == SUMMED ? 30 : 1))
                test_fail(__FILE__, __LINE__, "%s: loss %.9g, plain %.9g", what, (double)cut.loss,
                          (double)one.loss);
            if (weighs && accumulates[i] == 1) one.report.loss = cut.report.loss;
            if (weighs && accumulates[i] == 1) one.tested.loss = cut.tested.loss;
            /* an evaluation weights a loss that is a sum by the samples of each part of the
               batch */
            if (k == SUMMED) one.tested.loss = cut.tested.loss;
            compare_reports(what, &one.report, &cut.report);
            compare_reports(what, &one.tested, &cut.tested);
        }
}

static void test_exact(void) {
    nn_context *nn = nn_open(NULL);
    check_kinds(nn, nn_cpu(), KINDS, 3);
    nn_close(nn);
}

/* ---- gradients that all shards make at once -------------------------------------------------- */

/* Trains and reads the gradient of the last batch. True if the plan reports such gradients. */
static bool learn_wide(nn_context *nn, kind k, int batch, int shards, int accumulate,
                       float *gradient) {
    static char text[100000];
    net n = make_net_of(nn, nn_cpu(), k, true);
    nn_loader *loader = make_loader(nn, nn_cpu(), batch);
    nn_trainer *trainer =
        nn_make_trainer(n.model, n.loss, &(nn_trainer_desc){.batch = batch, .gradients = true,
                                                            .learning_rate = 0.01f,
                                                            .shards = shards,
                                                            .accumulate = accumulate,
                                                            .counted = n.counted});
    nn_text out;
    nn_write_plan(nn_trainer_plan(trainer), nn__write_into(&out, text, sizeof text));
    if (shards > 1 && !strstr(text, "each step is alone: the trainer has .shards"))
        test_fail(__FILE__, __LINE__, "the plan has another reason for separate steps");
    while (nn_next_batch(loader) && nn_train_step(trainer, loader) == NN_OK) {}
    nn_read_gradient(trainer, "wide.weight", gradient, sizeof(float) * WIDE_IN * WIDE_OUT);
    fine(nn, names[k]);
    nn_clear_error(nn);
    nn_free_model(n.model);
    return strstr(text, "are computed after the last shard") != NULL;
}

/* Trains shards that are short, empty, or count for nothing: 13 samples in batches of 12 and 1, or
   of 5, 5 and 3. */
static void test_at_once(void) {
    static const int batches[] = {12, 5}, shards[] = {8, 4}, accumulates[] = {1, 2};
    static float one[WIDE_IN * WIDE_OUT], cut[WIDE_IN * WIDE_OUT];
    nn_context *nn = nn_open(NULL);
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < 2; i++) {
            double worst = 0, largest = 0;
            ENSURE(!learn_wide(nn, (kind)k, batches[i], 1, accumulates[i], one));
            ENSURE(learn_wide(nn, (kind)k, batches[i], shards[i], accumulates[i], cut));
            for (int j = 0; j < WIDE_IN * WIDE_OUT; j++) {
                worst = fmax(worst, fabs((double)one[j] - (double)cut[j]));
                largest = fmax(largest, fabs((double)one[j]));
            }
            if (!(worst <= 2e-6 * largest) || !(largest > 0))
                test_fail(__FILE__, __LINE__, "%s, batches of %d, %d shards: %g of %g off",
                          names[k], batches[i], shards[i], worst, largest);
        }
    nn_close(nn);
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* Running statistics: each shard starts from the statistics before the step, and the step leaves
   the mean over shards, weighted by samples. The counter counts once. */
static void check_buffers(nn_context *nn, nn_device device) {
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.name = "net", .device = device});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    nn_node *y = nn_batch_norm1d(m, "bn", x, NULL);
    nn_trainer *trainer = nn_make_trainer(m, nn_mean(m, nn_square(m, y)),
                                          &(nn_trainer_desc){.batch = 8, .shards = 4});
    nn_tensor *six = nn_make_tensor(
        nn, &(nn_tensor_desc){.name = "six", .shape = NN_SHAPE(6, IN), .device = device});
    nn_tensor *seven = nn_make_tensor(
        nn, &(nn_tensor_desc){.name = "seven", .shape = NN_SHAPE(7, IN), .device = device});
    double mean[IN], var[IN];
    float have[IN];
    int64_t count = 0;
    for (int c = 0; c < IN; c++) mean[c] = 0, var[c] = 1;
    nn_upload_tensor(six, inputs, sizeof(float) * 6 * IN);
    ENSURE(nn_bind(nn_trainer_plan(trainer), x, six) == NN_OK);
    for (int step = 0; step < 2; step++) {
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        for (int c = 0; c < IN; c++) {
            double of_mean = 0, of_var = 0;
            for (int s = 0; s < 3; s++) { /* of two samples each, the fourth is empty */
                const double p = (double)inputs[2 * s * IN + c];
                const double q = (double)inputs[(2 * s + 1) * IN + c], middle = (p + q) / 2;
                of_mean += (0.9 * mean[c] + 0.1 * middle) / 3;
                of_var += (0.9 * var[c] + 0.1 * ((p - middle) * (p - middle) * 2)) / 3;
            }
            mean[c] = of_mean;
            var[c] = of_var;
        }
    }
    nn_download_tensor(nn_find_tensor(m, "bn.running_mean"), have, sizeof have);
    for (int c = 0; c < IN; c++) ENSURE_CLOSE(have[c], mean[c], 1e-6);
    nn_download_tensor(nn_find_tensor(m, "bn.running_var"), have, sizeof have);
    for (int c = 0; c < IN; c++) ENSURE_CLOSE(have[c], var[c], 1e-6);
    nn_download_tensor(nn_find_tensor(m, "bn.num_batches_tracked"), &count, sizeof count);
    ENSURE(count == 2);
    /* one sample has no variance: refused in its shard, and nothing is half done */
    ENSURE(nn_bind(nn_trainer_plan(trainer), x, seven) == NN_OK);
    ENSURE(nn_train_on_inputs(trainer) == NN_ERROR_SHAPE);
    nn_clear_error(nn);
    nn_download_tensor(nn_find_tensor(m, "bn.running_var"), have, sizeof have);
    for (int c = 0; c < IN; c++) ENSURE_CLOSE(have[c], var[c], 1e-6);
    nn_download_tensor(nn_find_tensor(m, "bn.num_batches_tracked"), &count, sizeof count);
    ENSURE(count == 2 && nn_trainer_step(trainer) == 2);
    fine(nn, "buffers");
    nn_free_model(m);
}

static void test_buffers(void) {
    nn_context *nn = nn_open(NULL);
    check_buffers(nn, nn_cpu());
    nn_close(nn);
}

/* If nn_assign keeps a sum of labels, which are whole numbers, the kept sum is that of the first
   shard. */
static void test_whole_numbers(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.name = "net"});
    nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *seen = nn_buffer(m, "seen", NN_I32, NN_SHAPE(1), 0);
    nn_node *w = nn_parameter(m, "w", NN_SHAPE(1), 1, 1);
    nn_node *x = nn_cast(m, label, NN_F32);
    nn_assign(m, seen, nn_reshape(m, nn_cast(m, nn_sum(m, x), NN_I32), NN_SHAPE(1)));
    nn_trainer *trainer = nn_make_trainer(m, nn_mean(m, nn_multiply(m, x, w)),
                                          &(nn_trainer_desc){.batch = 6, .shards = 2});
    nn_tensor *data = nn_make_tensor(
        nn, &(nn_tensor_desc){.name = "data", .shape = NN_SHAPE(6), .dtype = NN_I32});
    static const int32_t numbers[6] = {1, 2, 3, 40, 50, 60};
    int32_t have = 0;
    nn_upload_tensor(data, numbers, sizeof numbers);
    ENSURE(nn_bind(nn_trainer_plan(trainer), label, data) == NN_OK);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    nn_download_tensor(nn_find_tensor(m, "seen"), &have, sizeof have);
    ENSURE(have == 6);
    fine(nn, "whole numbers");
    nn_close(nn);
}

/* ---- what cannot be cut ---------------------------------------------------------------------- */

static void test_refused(void) {
    nn_context *nn = nn_open(NULL);
    net n = make_net(nn, nn_cpu(), MSE);
    nn_loader *loader = make_loader(nn, nn_cpu(), 8);
    ENSURE(!nn_make_trainer(n.model, n.loss, &(nn_trainer_desc){.batch = 8, .shards = 6}));
    ENSURE(nn_error(nn) && strstr(nn_error(nn), "a power of two"));
    nn_clear_error(nn);
    nn_trainer *trainer =
        nn_make_trainer(n.model, n.loss, &(nn_trainer_desc){.batch = 8, .shards = 2});
    ENSURE(nn_next_batch(loader) && nn_train_step(trainer, loader) == NN_OK); /* 2 times 4 */
    ENSURE(nn_train_step_for(trainer, loader, 1000) == NN_ERROR_UNSUPPORTED);
    ENSURE(strstr(nn_error(nn), "shards = 1"));
    nn_clear_error(nn);
    /* the loader's batch is bound, as without shards, and an upload holds one shard */
    ENSURE(nn_train_on_inputs(trainer) == NN_OK && nn_trainer_step(trainer) == 2);
    nn_upload(nn_trainer_plan(trainer), n.x, inputs, sizeof(float) * IN * 4);
    ENSURE(nn_train_on_inputs(trainer) == NN_ERROR_ARGUMENT &&
           strstr(nn_error(nn), "holds one shard"));
    nn_clear_error(nn);
    nn_free_loader(loader);
    loader = make_loader(nn, nn_cpu(), 9);
    ENSURE(nn_next_batch(loader) && nn_train_step(trainer, loader) == NN_ERROR_SHAPE);
    nn_clear_error(nn);
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.name = "turned"});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(3, NN_BATCH));
    nn_node *w = nn_parameter(m, "w", NN_SHAPE(3, 1), 1, 1);
    nn_node *loss = nn_mean(m, nn_multiply(m, x, w));
    ENSURE(!nn_make_trainer(m, loss, &(nn_trainer_desc){.batch = 8, .shards = 2}));
    ENSURE(strstr(nn_error(nn), "axis 1"));
    nn_clear_error(nn);
    nn_close(nn);
}

static float rate_given(void *user, float base, int64_t step) {
    (void)base, (void)step;
    return *(const float *)user;
}

/* An update that is refused before it began has changed nothing: what was wrong is put right, and
   the trainer continues to the bytes of one that was never refused. */
static void test_update_refused(void) {
    float after[2][NUMBERS];
    for (int refused = 0; refused < 2; refused++) {
        nn_context *nn = nn_open(NULL);
        float rate = 0.1f;
        net n = make_net(nn, nn_cpu(), MSE);
        nn_loader *loader = make_loader(nn, nn_cpu(), SAMPLES);
        nn_trainer *trainer = nn_make_trainer(
            n.model, n.loss,
            &(nn_trainer_desc){.batch = SAMPLES, .gradients = true, .shards = 8,
                               .average = {.kind = NN_AVERAGE_EMA},
                               .schedule = {.kind = NN_SCHEDULE_FUNCTION,
                                            .function = rate_given, .user = &rate}});
        ENSURE(nn_next_batch(loader) && nn_train_step(trainer, loader) == NN_OK);
        ENSURE(nn_backward(trainer) == NN_OK); /* of the same batch */
        if (refused) {
            rate = -1;
            ENSURE(nn_update(trainer) == NN_ERROR_ARGUMENT && strstr(nn_error(nn), "returned -1"));
            nn_clear_error(nn);
            rate = 0.1f;
            nn_swap_average(trainer);
            ENSURE(nn_update(trainer) == NN_ERROR_ARGUMENT && strstr(nn_error(nn), "average"));
            nn_clear_error(nn);
            nn_swap_average(trainer);
        }
        ENSURE(nn_update(trainer) == NN_OK && nn_trainer_step(trainer) == 2);
        fine(nn, "update");
        nn_download_tensor(nn_find_tensor(n.model, "fc.weight"), after[refused],
                           sizeof(float) * IN * CLASSES);
        nn_download_tensor(nn_find_tensor(n.model, "fc.bias"), after[refused] + IN * CLASSES,
                           sizeof(float) * CLASSES);
        nn_close(nn);
    }
    ENSURE(memcmp(after[0], after[1], sizeof after[0]) == 0);
}

/* Shards leave the gradients of one batch, and only .gradients has memory for those of earlier
   batches: without it the second nn_backward would read a state that does not exist. */
static void test_not_kept(void) {
    nn_context *nn = nn_open(NULL);
    net n = make_net(nn, nn_cpu(), MSE);
    nn_loader *loader = make_loader(nn, nn_cpu(), SAMPLES);
    nn_trainer *trainer =
        nn_make_trainer(n.model, n.loss, &(nn_trainer_desc){.batch = SAMPLES, .shards = 8});
    ENSURE(nn_next_batch(loader) && nn_train_step(trainer, loader) == NN_OK);
    for (int i = 0; i < 2; i++) {
        ENSURE(nn_backward(trainer) == NN_ERROR_ARGUMENT && nn_error(nn) &&
               strstr(nn_error(nn), "keeps no gradients; give nn_trainer_desc.gradients"));
        nn_clear_error(nn);
    }
    ENSURE(nn_train_step(trainer, loader) == NN_OK && nn_trainer_step(trainer) == 2);
    nn_close(nn);
}

static void test_opencl(void) {
#ifdef NN_TEST_OPENCL
    nn_context *nn = nn_open(NULL);
    if (OPEN_OPENCL(nn)) {
        check_kinds(nn, nn_opencl(0), getenv("NN_FULL") ? KINDS : 1, getenv("NN_FULL") ? 3 : 1);
        check_buffers(nn, nn_opencl(0));
    }
    nn_close(nn);
#else
    SKIP("built without OpenCL");
#endif
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    make_data();
    RUN(test_exact);
    RUN(test_at_once);
    RUN(test_buffers);
    RUN(test_whole_numbers);
    RUN(test_refused);
    RUN(test_update_refused);
    RUN(test_not_kept);
    RUN(test_opencl);
    return test_report();
}
