/* tests/train/test_accumulate.c - the gradient of several batches equals that of one large
   batch, however uneven their weights are. Peers that gave all batches equal weight were wrong:
   transformers#24725 and #35203, torchtune#1917 ("(x1/n1)+(x2/n2) != (x1+x2)/(n1+n2)"),
   mlx-lm#1413. */
#ifndef NN_TEST_OPENCL
#define NN_IMPLEMENTATION
#endif
#include "nn.h"

#ifdef NN_TEST_OPENCL
#include "nn_opencl.h"
#endif

#include "test.h"
#include "open.h"
#include "lists.h"

#include <stdlib.h>

enum { SAMPLES = 12, IN = 5, CLASSES = 3, NUMBERS = IN * CLASSES + CLASSES };

static float inputs[SAMPLES * IN], targets[SAMPLES * CLASSES];
static int32_t labels[SAMPLES];

static float some(int i) { return (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f; }

static void make_data(void) {
    for (int i = 0; i < SAMPLES * IN; i++) inputs[i] = some(i);
    for (int i = 0; i < SAMPLES * CLASSES; i++) targets[i] = some(i + 777);
    /* in the three batches of 4, the labels that count are 4, 1 and 0 */
    static const int32_t few[] = {0, 2, 1, 2, -100, 1, -100, -100, -100, -100, -100, -100};
    for (int i = 0; i < SAMPLES; i++) labels[i] = few[i];
}

/* The losses that are averaged. */
typedef enum kind {
    MSE,
    ENTROPY,
    IGNORED,
    WEIGHTED,
    EVERYTHING, /* weights, ignored labels and smoothing */
    SUMMED,
    TWO_SUMS, /* nn_sum(loss * mask) / nn_sum(mask) */
    PENALTY,  /* a mean, and a penalty on weights, which counts once */
    SCALED,   /* an expression of two means that count alike */
    COUNTED,  /* the caller says what counts */
    KINDS
} kind;
static const char *const names[] = {"mse",    "entropy",  "ignored", "weighted", "everything",
                                    "summed", "two sums", "penalty", "scaled",   "counted"};

typedef struct net {
    nn_context *nn;
    nn_model *model;
    nn_node *x, *t, *label, *loss, *counted;
} net;

static nn_node *masked_mean(nn_model *m, nn_node *y, nn_node *t) {
    nn_node *mask = nn_expression(m, "t: t > -0.5", t);
    return nn_divide(m, nn_sum(m, nn_multiply(m, nn_squared_difference(m, y, t), mask)),
                     nn_sum(m, mask));
}

static net make_net(nn_context *nn, nn_device device, kind k) {
    net n;
    static const float weights[CLASSES] = {0.3f, 1.0f, 2.5f};
    float start[NUMBERS];
    memset(&n, 0, sizeof n);
    n.nn = nn;
    nn_model *m = n.model = nn_make_model(nn, &(nn_model_desc){.name = "net", .device = device});
    n.x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    nn_node *weight = nn_parameter(m, "fc.weight", NN_SHAPE(CLASSES, IN), 0, 0);
    nn_node *y = nn_matmul(m, n.x, weight, &(nn_matmul_desc){.transpose_b = true});
    y = nn_add(m, y, nn_parameter(m, "fc.bias", NN_SHAPE(CLASSES), 0, 0));
    nn_cross_entropy_desc desc = {.label_smoothing = k == EVERYTHING ? 0.2f : 0.0f,
                                  .ignore = k == IGNORED || k == EVERYTHING,
                                  .ignore_index = k == IGNORED || k == EVERYTHING ? -100 : 0};
    if (k >= ENTROPY && k <= EVERYTHING) {
        n.label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
        if (k >= WEIGHTED) {
            nn_tensor *w =
                nn_make_tensor(nn, &(nn_tensor_desc){.name = "w", .shape = NN_SHAPE(CLASSES)});
            nn_upload_tensor(w, weights, sizeof weights);
            desc.weight = nn_constant(m, "w", w);
        }
        n.loss = nn_cross_entropy(m, y, n.label, &desc);
    } else {
        nn_node *t = n.t = nn_input(m, "t", NN_F32, NN_SHAPE(NN_BATCH, CLASSES));
        n.loss =
            k == TWO_SUMS
                ? masked_mean(m, y, t)
                : nn_mse_loss(m, y, t, &(nn_mse_desc){.reduction = k == SUMMED ? NN_SUM : NN_MEAN});
        if (k == PENALTY)
            n.loss = nn_add(m, n.loss, nn_scale(m, nn_sum(m, nn_square(m, weight)), 0.1f));
        if (k == SCALED) {
            nn_node *other = nn_l1_loss(m, y, t, NULL), *mse = n.loss;
            n.loss = nn_expression(m, "(2 * mse - other) / 3 + 1", mse, other);
        }
        if (k == COUNTED) n.counted = nn_sum(m, nn_expression(m, "t: 1 + 0 * t", t));
    }
    for (int i = 0; i < NUMBERS; i++) start[i] = some(i + 99);
    nn_upload_tensor(nn_find_tensor(m, "fc.weight"), start, sizeof(float) * IN * CLASSES);
    nn_upload_tensor(nn_find_tensor(m, "fc.bias"), start + IN * CLASSES, sizeof(float) * CLASSES);
    return n;
}

static void give(const net *n, nn_trainer *trainer, int first, int count) {
    nn_plan *plan = nn_trainer_plan(trainer);
    nn_upload(plan, n->x, inputs + first * IN, sizeof(float) * IN * (size_t)count);
    if (n->t)
        nn_upload(plan, n->t, targets + first * CLASSES, sizeof(float) * CLASSES * (size_t)count);
    if (n->label) nn_upload(plan, n->label, labels + first, sizeof(int32_t) * (size_t)count);
}

/* Computes the gradients of all samples in batches of these sizes, and the parameters after two
   updates. */
static void learn(nn_context *nn, nn_device device, kind k, const int *sizes, int count,
                  float *gradient, float *after) {
    net n = make_net(nn, device, k);
    nn_trainer *trainer = nn_make_trainer(n.model, n.loss,
                                          &(nn_trainer_desc){.batch = SAMPLES,
                                                             .optimizer = NN_ADAM,
                                                             .learning_rate = 0.1f,
                                                             .epsilon = 0.1f,
                                                             .gradients = true,
                                                             .accumulate = count,
                                                             .counted = n.counted});
    for (int twice = 0; twice < 2; twice++) {
        for (int i = 0, first = 0; i < count; first += sizes[i++]) {
            give(&n, trainer, first, sizes[i]);
            if (test_wrong(nn_train_on_inputs(trainer) != NN_OK ||
                           nn_trainer_step(trainer) != twice + (i + 1 == count)))
                test_fail(__FILE__, __LINE__, "%s, batch %d: step %d; %s", names[k], i,
                          (int)nn_trainer_step(trainer), nn_error(nn) ? nn_error(nn) : "");
        }
        if (twice) break;
        nn_read_gradient(trainer, "fc.weight", gradient, sizeof(float) * IN * CLASSES);
        nn_read_gradient(trainer, "fc.bias", gradient + IN * CLASSES, sizeof(float) * CLASSES);
    }
    nn_download_tensor(nn_find_tensor(n.model, "fc.weight"), after, sizeof(float) * IN * CLASSES);
    nn_download_tensor(nn_find_tensor(n.model, "fc.bias"), after + IN * CLASSES,
                       sizeof(float) * CLASSES);
    nn_free_model(n.model);
}

static void check_kind(nn_context *nn, nn_device device, kind k) {
    static const int splits[3][5] = {{SAMPLES}, {4, 4, 4}, {1, 6, 2, 3}}, counts[3] = {1, 3, 4};
    float whole[NUMBERS], parts[NUMBERS], after[NUMBERS], other[NUMBERS];
    if (k == WEIGHTED)
        for (int i = 4; i < SAMPLES; i++) labels[i] = i % 3 ? 2 : 0;
    if (k == ENTROPY)
        for (int i = 4; i < SAMPLES; i++) labels[i] = i % 3;
    learn(nn, device, k, splits[0], 1, whole, after);
    for (int s = 1; s < 3; s++) {
        learn(nn, device, k, splits[s], counts[s], parts, other);
        for (int i = 0; i < NUMBERS; i++) {
            double scale = k == SUMMED ? 10 : 1;
            if (test_wrong(fabs((double)whole[i] - (double)parts[i]) > 1e-6 * scale ||
                fabs((double)after[i] - (double)other[i]) > 2e-6 * scale))
                test_fail(__FILE__, __LINE__,
                          "%s, split %d: gradient %d is %.9g, of one batch "
                          "%.9g; parameter %.9g and %.9g",
                          names[k], s, i, (double)parts[i], (double)whole[i], (double)other[i],
                          (double)after[i]);
        }
    }
    make_data();
    if (test_wrong(nn_error(nn) != NULL)) test_fail(__FILE__, __LINE__, "%s: %s", names[k], nn_error(nn));
    nn_clear_error(nn);
}

static void test_exact(void) {
    nn_context *nn = nn_open(NULL);
    for (int k = 0; k < KINDS; k++) check_kind(nn, nn_cpu(), (kind)k);
    nn_close(nn);
}

/* Reports weigh batches as gradients do: the loss of several batches equals the loss of one large
   batch, even if one of them counts for nothing. An evaluation gives the same loss. */
static void check_report(nn_context *nn, nn_device device, kind k) {
    static const int sizes[] = {4, 2, 6}; /* no label of the last batch counts */
    net n = make_net(nn, device, k);
    nn_trainer_desc desc = {.batch = SAMPLES, .learning_rate = NN_NONE, .counted = n.counted};
    nn_trainer *one = nn_make_trainer(n.model, n.loss, &desc);
    desc.accumulate = 3;
    nn_trainer *trainer = nn_make_trainer(n.model, n.loss, &desc);
    nn_report whole, parts, tested;
    float loss;
    give(&n, one, 0, SAMPLES);
    ENSURE(nn_train_on_inputs(one) == NN_OK && nn_read_loss(one, &loss) == NN_OK);
    ENSURE(nn_read_report(one, &whole) == NN_OK && whole.counted == SAMPLES);
    for (int i = 0, first = 0; i < 3; first += sizes[i++]) {
        give(&n, trainer, first, sizes[i]);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    }
    ENSURE(nn_read_report(trainer, &parts) == NN_OK && parts.samples == SAMPLES);
    nn_dataset_desc data = {.fields =
                                NN_FIELDS({.name = "x", .shape = {{IN}, 1}, .data = inputs}),
                            .count = SAMPLES};
    if (n.label) {
        FIELD_AT(data.fields, 1).name = "label";
        FIELD_AT(data.fields, 1).dtype = NN_I32;
        FIELD_AT(data.fields, 1).data = labels;
    } else {
        FIELD_AT(data.fields, 1).name = "t";
        FIELD_AT(data.fields, 1).shape = NN_SHAPE(CLASSES);
        FIELD_AT(data.fields, 1).data = targets;
    }
    nn_dataset *dataset = nn_make_dataset(nn, &data);
    nn_loader *loader =
        nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = 5, .device = device});
    ENSURE(nn_evaluate(trainer, loader, &tested) == NN_OK && tested.samples == SAMPLES);
    if (test_wrong(fabs(parts.loss - (double)loss) > 1e-6 || fabs(tested.loss - (double)loss) > 1e-6 ||
        fabs(parts.counted - tested.counted) > 1e-5))
        test_fail(__FILE__, __LINE__,
                  "%s: the loss of three batches is %.9g over %g, evaluated %.9g over %g, of one "
                  "batch %.9g",
                  names[k], parts.loss, parts.counted, tested.loss, tested.counted, (double)loss);
    if (k == IGNORED) ENSURE(parts.counted == 5);
    if (k == WEIGHTED || k == EVERYTHING)
        ENSURE(parts.counted > 0 && parts.counted != SAMPLES);
    else if (k != IGNORED && k != TWO_SUMS && k != COUNTED)
        ENSURE(parts.counted == SAMPLES);
    /* the next report begins anew */
    give(&n, trainer, 0, 4);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK && nn_read_loss(trainer, &loss) == NN_OK);
    ENSURE(nn_read_report(trainer, &parts) == NN_OK && parts.samples == 4);
    ENSURE_CLOSE(parts.loss, loss, 1e-6);
    nn_free_loader(loader);
    nn_free_dataset(dataset);
    nn_free_model(n.model);
    if (test_wrong(nn_error(nn) != NULL)) test_fail(__FILE__, __LINE__, "%s: %s", names[k], nn_error(nn));
    nn_clear_error(nn);
}

static void test_reports(void) {
    nn_context *nn = nn_open(NULL);
    for (int k = 0; k < KINDS; k++) {
        if (k == SUMMED) continue; /* a sum: its report is by samples */
        if (k == WEIGHTED || k == ENTROPY)
            for (int i = 4; i < SAMPLES; i++) labels[i] = i % 3;
        check_report(nn, nn_cpu(), (kind)k);
        make_data();
    }
    nn_close(nn);
}

/* With `sequences` the loss is a mean over the samples alone, which must not be weighted by time. */
static void check_time(bool sequences) {
    static const int batches[] = {2, 4, 1}, times[] = {5, 2, 3};
    nn_context *nn = nn_open(NULL);
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.name = "net"});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 2));
    nn_node *w = nn_parameter(m, "w", NN_SHAPE(2), 0.5, 0.5);
    nn_node *squares = nn_square(m, nn_multiply(m, x, w));
    nn_node *loss = nn_mean(m, sequences ? nn_sum(m, squares, NN_AXES(1)) : squares);
    nn_trainer *trainer = nn_make_trainer(
        m, loss, &(nn_trainer_desc){.batch = 4, .time = 5, .accumulate = 3});
    double sums[2] = {0, 0}, count = 0;
    float gradient[2];
    for (int k = 0, at = 0; k < 3; k++) {
        const int numbers = batches[k] * times[k] * 2;
        for (int i = 0; i < numbers; i++) {
            sums[i % 2] += 2 * 0.5 * (double)inputs[at + i] * (double)inputs[at + i];
        }
        count += sequences ? batches[k] * 2 : numbers;
        ENSURE(nn_set_time(nn_trainer_plan(trainer), times[k]) == NN_OK);
        nn_upload(nn_trainer_plan(trainer), x, inputs + at, sizeof(float) * (size_t)numbers);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        at += numbers;
    }
    ENSURE(nn_trainer_step(trainer) == 1);
    ENSURE(nn_read_gradient(trainer, "w", gradient, sizeof gradient) == NN_OK);
    for (int i = 0; i < 2; i++) ENSURE_CLOSE(gradient[i], sums[i] / count, 1e-6);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}
static void test_time(void) { check_time(false); }
static void test_time_of_sequences(void) { check_time(true); }

/* ---- nn_fit ---------------------------------------------------------------------------------- */

static bool stop_at_once(void *user, const nn_progress *progress) {
    (void)user, (void)progress;
    return false;
}

/* Trains two epochs of 12 samples. With batches of 2 and five to an update, the sixth batch of an
   epoch is an update of its own. */
static nn_result fit(nn_context *nn, kind k, int batch, int accumulate, bool stop,
                     const char *path, bool resume, float *after, int *updates, nn_report *last) {
    net n = make_net(nn, nn_cpu(), k);
    nn_progress progress;
    nn_dataset *data = nn_make_dataset(
        nn,
        &(nn_dataset_desc){.fields = NN_FIELDS({.name = "x", .shape = {{IN}, 1}, .data = inputs},
                                      {.name = "t", .shape = {{CLASSES}, 1}, .data = targets}),
                           .count = SAMPLES});
    nn_loader *loader = nn_make_loader(nn, &(nn_loader_desc){.dataset = data, .batch = batch});
    nn_trainer *trainer = nn_make_trainer(n.model, n.loss,
                                          &(nn_trainer_desc){.batch = batch,
                                                             .optimizer = NN_ADAM,
                                                             .learning_rate = 0.1f,
                                                             .epsilon = 0.1f,
                                                             .accumulate = accumulate});
    nn_fit_desc desc = {.epochs = 2, .report_every = 1, .last = &progress};
    desc.checkpoint.path = path;
    desc.checkpoint.resume = resume;
    desc.checkpoint.every = 1;
    if (stop) desc.callback = stop_at_once;
    nn_result result = nn_fit(trainer, loader, &desc);
    *last = progress.train;
    *updates = (int)nn_trainer_step(trainer);
    nn_download_tensor(nn_find_tensor(n.model, "fc.weight"), after, sizeof(float) * IN * CLASSES);
    nn_download_tensor(nn_find_tensor(n.model, "fc.bias"), after + IN * CLASSES,
                       sizeof(float) * CLASSES);
    nn_free_model(n.model);
    nn_free_loader(loader);
    nn_free_dataset(data);
    return result;
}

static void check_fit(kind k) {
    static const char path[] = "build/test_accumulate.safetensors";
    nn_context *nn = nn_open(NULL);
    float large[NUMBERS], small[NUMBERS], resumed[NUMBERS];
    nn_report one, many, again;
    int updates;
    remove(path);
    ENSURE(fit(nn, k, 10, 1, false, NULL, false, large, &updates, &one) == NN_OK);
    ENSURE(updates == 4);
    ENSURE(fit(nn, k, 2, 5, false, NULL, false, small, &updates, &many) == NN_OK);
    ENSURE(updates == 4); /* 2 in each epoch: of 5 batches and of 1 */
    for (int i = 0; i < NUMBERS; i++) ENSURE_CLOSE(small[i], large[i], 4e-6);
    /* a run that is stopped at its first report completes the current update */
    ENSURE(fit(nn, k, 2, 5, true, path, false, resumed, &updates, &again) == NN_CANCELLED);
    ENSURE(updates == 1);
    ENSURE(fit(nn, k, 2, 5, false, path, true, resumed, &updates, &again) == NN_OK);
    ENSURE(updates == 4);
    ENSURE(memcmp(resumed, small, sizeof small) == 0);
    ENSURE(memcmp(&again, &many, sizeof many) == 0);
    ENSURE(many.samples == SAMPLES && one.samples == SAMPLES);
    if (k == MSE) ENSURE_CLOSE(many.loss, one.loss, 1e-5);
    ENSURE(!nn_error(nn));
    remove(path);
    nn_close(nn);
}

static void test_fit(void) {
    check_fit(MSE);
    check_fit(TWO_SUMS);
}

/* ---- losses whose weight cannot be told ------------------------------------------------------ */

static void check_refused(nn_context *nn, const net *n, nn_node *loss, int accumulate,
                          const char *words) {
    nn_trainer *trainer =
        nn_make_trainer(n->model, loss, &(nn_trainer_desc){.batch = 4, .accumulate = accumulate});
    if (test_wrong(trainer || !nn_error(nn) || !strstr(nn_error(nn), words)))
        test_fail(__FILE__, __LINE__, "wanted \"%s\", got \"%s\"", words,
                  nn_error(nn) ? nn_error(nn) : "(no error)");
    nn_clear_error(nn);
}

static void test_refused(void) {
    nn_context *nn = nn_open(NULL);
    net n = make_net(nn, nn_cpu(), MSE), c = make_net(nn, nn_cpu(), IGNORED);
    nn_node *root = nn_sqrt(n.model, n.loss);
    nn_node *mixed = nn_add(n.model, n.loss, nn_sum(n.model, nn_square(n.model, n.t)));
    nn_node *both = nn_add(c.model, c.loss, nn_mean(c.model, nn_square(c.model, c.x)));
    check_refused(nn, &n, root, 2, "the weight of a batch in the loss");
    check_refused(nn, &n, mixed, 2, "nor a sum of losses with the same weights; give .counted");
    check_refused(nn, &c, both, 2, "give .counted");
    check_refused(nn, &n, n.loss, -1, "accumulate is -1");
    ENSURE(nn_make_trainer(n.model, root, &(nn_trainer_desc){.batch = 4, .accumulate = 1}) != NULL);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* Labels whose weights are 0 add nothing, and a batch of them alone is 0 / 0. With label smoothing
   the other classes of such a batch do count in the mean of all batches. The batch's own mean is
   infinity and does not tell by how much, so the step reports a fault. */
static void test_infinite_batch(void) {
    static const float weights[CLASSES] = {0, 1, 2}, x[4] = {1, -1, 2, 0.5f};
    static const int32_t first[2] = {0, 0}, second[2] = {1, 2};
    for (int smooth = 0; smooth < 2; smooth++) {
        nn_context *nn = nn_open(NULL);
        nn_model *m = nn_make_model(nn, NULL);
        nn_tensor *w = nn_make_tensor(nn, &(nn_tensor_desc){.shape = NN_SHAPE(CLASSES)});
        nn_upload_tensor(w, weights, sizeof weights);
        nn_node *in = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 2)),
                *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH)),
                *y = nn_linear(m, "fc", in, &(nn_linear_desc){.out_features = CLASSES});
        nn_node *loss = nn_cross_entropy(
            m, y, label,
            &(nn_cross_entropy_desc){.weight = nn_constant(m, "w", w),
                                     .label_smoothing = smooth ? 0.2f : 0.0f});
        nn_trainer *trainer =
            nn_make_trainer(m, loss, &(nn_trainer_desc){.batch = 2, .accumulate = 2});
        nn_plan *plan = nn_trainer_plan(trainer);
        nn_upload(plan, in, x, sizeof x);
        nn_upload(plan, label, first, sizeof first);
        ENSURE(nn_train_on_inputs(trainer) == (smooth ? NN_ERROR_NAN : NN_OK));
        nn_upload(plan, label, second, sizeof second);
        if (!smooth) ENSURE(nn_train_on_inputs(trainer) == NN_OK && nn_trainer_step(trainer) == 1);
        nn_clear_error(nn);
        nn_close(nn);
    }
}

static void test_opencl(void) {
#ifdef NN_TEST_OPENCL
    nn_context *nn = nn_open(NULL);
    if (OPEN_OPENCL(nn)) {
        check_kind(nn, nn_opencl(0), SUMMED);
        check_kind(nn, nn_opencl(0), EVERYTHING);
        check_report(nn, nn_opencl(0), EVERYTHING);
    }
    nn_close(nn);
#else
    SKIP("built without OpenCL");
#endif
}

int main(int argc, char **argv) {
    make_data();
    test_start(argc, argv);
    RUN(test_exact);
    RUN(test_reports);
    RUN(test_time);
    RUN(test_time_of_sequences);
    RUN(test_fit);
    RUN(test_refused);
    RUN(test_infinite_batch);
    RUN(test_opencl);
    return test_report();
}
