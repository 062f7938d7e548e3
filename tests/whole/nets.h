/* tests/whole/nets.h - compares whole nets with PyTorch: rebuilds a net that tests/golden/nets.py
   stored, and compares the results. Weights and inputs follow from formulas of their names and
   positions, the same as there. */
#ifndef NN_TEST_NETS_H
#define NN_TEST_NETS_H

#include <stdlib.h>

#include "test.h"

enum { NET_STEPS = 10, NET_PROBES = 2, NET_OPTIMIZERS = 2 /* sgd, adamw */, NET_STRIDE = 61 };

/* A line of the state_dict, and two of its elements after ten steps. */
typedef struct net_tensor {
    const char *name;
    int rank;
    int32_t extent[4];
    double sgd[NET_PROBES], adamw[NET_PROBES];
} net_tensor;

typedef struct net_golden {
    const char *name;
    nn_shape input;      /* the batch first */
    int classes, places; /* logits are (N, classes) or (N, classes, places) */
    float rates[NET_OPTIMIZERS];
    const double *logits; /* of the first weights; every 61st if there are many */
    const double *losses[NET_OPTIMIZERS], *after[NET_OPTIMIZERS];
    const net_tensor *tensors;
    int count;
    /* of PyTorch's own float32: first logits, logits after the steps; parameters and running
       statistics */
    double logits_error[1 + NET_OPTIMIZERS], error[NET_OPTIMIZERS][2];
} net_golden;

/* input (N, ...) to logits (N, classes ...). */
typedef nn_node *(*net_builder)(nn_model *net, nn_node *input);

/* ---- numbers that both sides know ------------------------------------------------------------ */

static uint32_t net_hash(const char *name) {
    uint32_t h = 2166136261u;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
    return h;
}

static uint32_t net_word(uint32_t seed, uint32_t i) {
    uint32_t h = i * 2654435769u ^ seed;
    h = (h ^ h >> 16) * 2246822507u;
    h = (h ^ h >> 13) * 3266489909u;
    return h ^ h >> 16;
}

static float net_uniform(uint32_t seed, uint32_t i) {
    return (float)(net_word(seed, i) >> 8) / 8388608.0f - 1.0f;
}

static int64_t net_elements(const net_tensor *t) {
    int64_t count = 1;
    for (int i = 0; i < t->rank; i++) count *= t->extent[i];
    return count;
}

static int64_t net_place(const net_tensor *t, int probe) {
    char name[128];
    snprintf(name, sizeof name, "%s#%d", t->name, probe);
    return net_word(net_hash(name), 0) % net_elements(t);
}

static bool net_is_count(const net_tensor *t) { return strstr(t->name, "num_batches_tracked"); }

static bool net_ends(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void net_values(const net_tensor *t, float *to) {
    const uint32_t seed = net_hash(t->name);
    const int64_t count = net_elements(t);
    double scale = 0.125, middle = 0;
    if (t->rank > 1)
        scale = sqrt(3.0 / ((double)count / t->extent[0]));
    else if (net_ends(t->name, "running_var"))
        middle = 1, scale = 0.5;
    else if (net_ends(t->name, ".weight"))
        middle = 1, scale = 0.25;
    for (int64_t i = 0; i < count; i++)
        to[i] = (float)(middle + (double)net_uniform(seed, (uint32_t)i) * scale);
}

/* Writes a file with PyTorch's names and shapes, as torch's state_dict would be saved. */
static bool net_write_weights(nn_context *nn, const net_golden *golden, const char *path) {
    nn_tensor **tensors = (nn_tensor **)calloc((size_t)golden->count, sizeof *tensors);
    for (int i = 0; tensors && i < golden->count; i++) {
        const net_tensor *t = &golden->tensors[i];
        nn_tensor_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.name = t->name;
        desc.dtype = net_is_count(t) ? NN_I64 : NN_F32;
        desc.shape.rank = t->rank;
        memcpy(desc.shape.extent, t->extent, sizeof *t->extent * (size_t)t->rank);
        tensors[i] = nn_make_tensor(nn, &desc);
        if (tensors[i] && !net_is_count(t)) net_values(t, (float *)nn_tensor_data(tensors[i]));
    }
    nn_save_safetensors(nn, path, tensors, golden->count, NULL, 0);
    for (int i = 0; tensors && i < golden->count; i++) nn_free_tensor(tensors[i]);
    free(tensors);
    return nn_error(nn) == NULL;
}

/* ---- a net ----------------------------------------------------------------------------------- */

typedef struct net_run {
    nn_context *nn;
    const net_golden *golden;
    char how[96]; /* for messages: "resnet18 on opencl:0" */
    nn_model *net;
    nn_node *input, *label, *logits, *loss;
    float *inputs, *scores;
    int32_t *labels;
    int64_t input_count, label_count, logit_count;
} net_run;

static void net_close(net_run *r) {
    free(r->inputs), free(r->scores), free(r->labels);
    nn_free_model(r->net);
}

static bool net_open(net_run *r, nn_context *nn, nn_device device, const net_golden *golden,
                     net_builder build, const char *weights) {
    nn_shape shape = golden->input, labels = NN_SHAPE(NN_BATCH);
    const int n = shape.extent[0];
    char text[32];
    memset(r, 0, sizeof *r);
    r->nn = nn, r->golden = golden;
    snprintf(r->how, sizeof r->how, "%s on %s, %s", golden->name,
             nn_format_device(device, text, sizeof text), nn_instruction_set_name(nn));
    r->input_count = nn_shape_count(shape);
    r->label_count = (int64_t)n * golden->places;
    r->logit_count = r->label_count * golden->classes;
    r->inputs = (float *)malloc(sizeof(float) * (size_t)r->input_count);
    r->scores = (float *)malloc(sizeof(float) * (size_t)r->logit_count);
    r->labels = (int32_t *)malloc(sizeof(int32_t) * (size_t)r->label_count);
    r->net = nn_make_model(nn, &(nn_model_desc){.name = golden->name, .device = device});
    shape.extent[0] = NN_BATCH;
    r->input = nn_input(r->net, "input", NN_F32, shape);
    r->logits = build(r->net, r->input);
    for (int i = 2; i < nn_node_shape(r->logits).rank; i++)
        labels.extent[labels.rank++] = nn_node_shape(r->logits).extent[i];
    r->label = nn_input(r->net, "label", NN_I32, labels);
    r->loss = nn_cross_entropy(r->net, r->logits, r->label, NULL);
    nn_load_weights(r->net, weights, NULL);
    if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s: %s", r->how, nn_error(nn));
    return r->inputs && r->scores && r->labels && nn_error(nn) == NULL;
}

static void net_give(net_run *r, nn_plan *plan, int step, bool with_label) {
    char name[32];
    uint32_t seed;
    snprintf(name, sizeof name, "input %d", step % 2);
    seed = net_hash(name);
    for (int64_t i = 0; i < r->input_count; i++) r->inputs[i] = net_uniform(seed, (uint32_t)i);
    nn_upload(plan, r->input, r->inputs, sizeof(float) * (size_t)r->input_count);
    if (!with_label) return;
    snprintf(name, sizeof name, "label %d", step % 2);
    seed = net_hash(name);
    for (int64_t i = 0; i < r->label_count; i++)
        r->labels[i] = (int32_t)(net_word(seed, (uint32_t)i) % (uint32_t)r->golden->classes);
    nn_upload(plan, r->label, r->labels, sizeof(int32_t) * (size_t)r->label_count);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Updates the largest difference so far, relative for numbers above 1; NaN counts as infinite. */
static void net_see(double *largest, double actual, double wanted) {
    double difference = fabs(actual - wanted) / (fabs(wanted) > 1 ? fabs(wanted) : 1);
    if (!(difference <= HUGE_VAL)) difference = HUGE_VAL;
    if (difference > *largest) *largest = difference;
}

/* The limit is ten times the error of PyTorch's float32, plus 2e-6 for the precision of a float,
   but not more than `most`. */
static double net_limit(double error, double most) {
    double limit = 10 * error + 2e-6;
    return limit < most ? limit : most;
}

static bool net_quiet; /* failures are only counted: a test wants some */
static int net_failures;

static void net_check(const net_run *r, const char *what, double largest, double limit) {
    if (getenv("NN_SHOW")) printf("%s: %s off by %.2g of %.2g\n", r->how, what, largest, limit);
    if (largest <= limit) return;
    net_failures++;
    if (!net_quiet)
        test_fail(__FILE__, __LINE__, "%s: %s off by %.3g; %.3g is allowed", r->how, what, largest,
                  limit);
}

/* Compares the logits of batch 0 from a plan that only infers: running statistics, folded norms. */
static void net_check_logits(net_run *r, const char *what, const double *wanted, double limit) {
    nn_plan *plan = nn_make_plan(r->net, &(nn_plan_desc){.outputs = NN_NODES(r->logits),
                                                         .batch = r->golden->input.extent[0]});
    const int64_t stride = r->logit_count > 256 ? NET_STRIDE : 1;
    double largest = 0;
    net_give(r, plan, 0, false);
    nn_run(plan);
    nn_download(plan, r->logits, r->scores, sizeof(float) * (size_t)r->logit_count);
    if (nn_error(r->nn)) test_fail(__FILE__, __LINE__, "%s: %s", r->how, nn_error(r->nn));
    for (int64_t i = 0, k = 0; i < r->logit_count; i += stride, k++)
        net_see(&largest, (double)r->scores[i], wanted[k]);
    net_check(r, what, largest, limit);
    nn_free_plan(plan);
}

/* Compares two numbers of every tensor, and how many batches were counted. */
static void net_check_tensors(net_run *r, int optimizer, const char *optimizer_name) {
    static const char *const kinds[] = {"parameters", "running statistics"};
    const net_golden *golden = r->golden;
    double largest[2] = {0, 0};
    const char *worst[2] = {"none", "none"};
    for (int k = 0; k < golden->count; k++) {
        const net_tensor *t = &golden->tensors[k];
        const double *wanted = optimizer ? t->adamw : t->sgd;
        const size_t bytes = sizeof(float) * (size_t)net_elements(t);
        const int kind = net_is_count(t) || strstr(t->name, "running");
        const double before = largest[kind];
        float *values = net_is_count(t) ? NULL : (float *)malloc(bytes);
        int64_t batches = 0;
        if (!values)
            nn_download_tensor(nn_find_tensor(r->net, t->name), &batches, sizeof batches);
        else
            nn_download_tensor(nn_find_tensor(r->net, t->name), values, bytes);
        if (!values) net_see(&largest[kind], (double)batches, NET_STEPS);
        for (int i = 0; values && i < NET_PROBES; i++)
            net_see(&largest[kind], (double)values[net_place(t, i)], wanted[i]);
        free(values);
        if (largest[kind] > before) worst[kind] = t->name;
    }
    for (int kind = 0; kind < 2; kind++) {
        char text[160];
        snprintf(text, sizeof text, "%s: %s, \"%s\"", optimizer_name, kinds[kind], worst[kind]);
        net_check(r, text, largest[kind], net_limit(golden->error[optimizer][kind], 1e-3));
    }
}

/* Makes ten steps, and compares losses, parameters, running statistics and logits. */
static void net_check_steps(net_run *r, int optimizer) {
    static const char *const names[] = {"sgd", "adamw"};
    const net_golden *golden = r->golden;
    double largest = 0;
    char text[64];
    nn_trainer *trainer =
        nn_make_trainer(r->net, r->loss,
                        &(nn_trainer_desc){.batch = golden->input.extent[0],
                                           .optimizer = optimizer ? NN_ADAMW : NN_SGD,
                                           .learning_rate = golden->rates[optimizer],
                                           .momentum = optimizer ? 0.0f : 0.9f,
                                           .weight_decay = 0.05f});
    for (int step = 0; trainer && step < NET_STEPS; step++) {
        float loss = NAN;
        net_give(r, nn_trainer_plan(trainer), step, true);
        nn_train_on_inputs(trainer);
        nn_read_loss(trainer, &loss);
        net_see(&largest, (double)loss, golden->losses[optimizer][step]);
    }
    if (nn_error(r->nn)) test_fail(__FILE__, __LINE__, "%s: %s", r->how, nn_error(r->nn));
    snprintf(text, sizeof text, "%s: losses", names[optimizer]);
    net_check(r, text, largest, net_limit(golden->logits_error[1 + optimizer], 1e-3));
    net_check_tensors(r, optimizer, names[optimizer]);
    snprintf(text, sizeof text, "%s: logits after", names[optimizer]);
    net_check_logits(r, text, golden->after[optimizer],
                     net_limit(golden->logits_error[1 + optimizer], 1e-3));
    nn_free_trainer(trainer);
}

/* Makes all comparisons on one device. The weights are written to a file of this name, loaded and
   removed. */
static void net_compare(nn_context *nn, nn_device device, const net_golden *golden,
                        net_builder build) {
    char path[96];
    snprintf(path, sizeof path, "%s_test.safetensors", golden->name);
    ENSURE(net_write_weights(nn, golden, path));
    for (int optimizer = 0; optimizer < NET_OPTIMIZERS; optimizer++) {
        net_run r;
        if (net_open(&r, nn, device, golden, build, path)) {
            if (optimizer == 0)
                net_check_logits(&r, "logits", golden->logits,
                                 net_limit(golden->logits_error[0], 1e-4));
            net_check_steps(&r, optimizer);
        }
        net_close(&r);
        nn_clear_error(nn);
    }
    remove(path);
}
#endif
