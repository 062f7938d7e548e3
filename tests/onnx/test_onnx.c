/* tests/onnx/test_onnx.c - reads ONNX files that the tests write themselves (write.h): one for each
   rule and each trap of the format, and damaged ones. */
#include "test.h"

#include "nn_onnx.h"

#include "write.h"

#include <math.h>
#include <stdlib.h>

static nn_context *open_context(void) { return nn_open(&(nn_desc){.threads = 1}); }

/* The errors of refused calls are the tests'. */
static void close_context(nn_context *nn) {
    nn_clear_error(nn);
    nn_close(nn);
}

/* A described net. */
typedef struct net {
    nn_context *nn;
    nn_onnx *file;
    nn_model *model;
    nn_node *y;
    nn_plan *plan;
} net;

/* Opens, describes and loads; plans up to this batch and time unless the file is refused. */
static net describe(const bytes *model, const nn_onnx_net_desc *desc, int batch, int time) {
    net n = {open_context(), NULL, NULL, NULL, NULL};
    n.file = nn_open_onnx(n.nn, &(nn_onnx_desc){.bytes = model->at, .size = model->size});
    n.model = nn_make_model(n.nn, NULL);
    if (!n.file) return n;
    n.y = nn_onnx_net(n.model, "", n.file, desc);
    if (nn_fault_count(n.model) > 0) return n;
    if (nn_load_onnx_weights(n.model, n.file) != NN_OK) return n;
    n.plan = nn_make_plan(n.model, &(nn_plan_desc){.outputs = {n.y}, .batch = batch, .time = time});
    return n;
}

static void close_net(net *n) {
    nn_close_onnx(n->file);
    close_context(n->nn);
}

static int upload(net *n, const char *name, const float *x, int count) {
    return nn_upload(n->plan, nn_onnx_node(n->model, n->file, name), x,
                     (size_t)count * sizeof *x) == NN_OK;
}

static int download(net *n, void *y, int count) {
    return nn_run(n->plan) == NN_OK && nn_download(n->plan, n->y, y, (size_t)count * 4) == NN_OK;
}

static int says(const net *n, const char *words) {
    const char *error = nn_error(n->nn);
    if (error && strstr(error, words)) return 1;
    printf("error: %s\nlacks: %s\n", error ? error : "(none)", words);
    return 0;
}

/* ---- a first net ----------------------------------------------------------------------------- */

/* Relu of a table (batch, 3). */
static bytes relu_model(void) {
    bytes graph = {.size = 0};
    add(&graph, 1, node("Relu x -> y"));
    put_text(&graph, 2, "relu");
    add(&graph, 11, info("x", FLOAT, "batch,3"));
    add(&graph, 12, info("y", FLOAT, "batch,3"));
    return model_of(&graph, 13);
}

static void one_node(void) {
    const bytes model = relu_model();
    net n = describe(&model, NULL, 2, 1);
    const float x[6] = {-1, 2, -3, 4, -5, 6};
    float y[6];
    ENSURE(n.plan);
    ENSURE(nn_node_shape(n.y).extent[0] == NN_BATCH);
    ENSURE(upload(&n, "x", x, 6) && download(&n, y, 6));
    for (int i = 0; i < 6; i++) ENSURE_CLOSE(y[i], x[i] > 0 ? x[i] : 0, 0);
    ENSURE(upload(&n, "x", x, 3) && download(&n, y, 3));
    close_net(&n);
}

/* Nodes may stand in any order. */
static void nodes_are_sorted(void) {
    bytes graph = {.size = 0};
    add(&graph, 1, node("Relu b -> y"));
    add(&graph, 1, node("Tanh a -> b"));
    add(&graph, 1, node("Sigmoid x -> a"));
    add(&graph, 11, info("x", FLOAT, "2"));
    add(&graph, 12, info("y", FLOAT, "2"));
    {
        const bytes model = model_of(&graph, 13);
        net n = describe(&model, NULL, 1, 1);
        const float x[2] = {0.5f, -1};
        float y[2];
        ENSURE(n.plan && upload(&n, "x", x, 2) && download(&n, y, 2));
        for (int i = 0; i < 2; i++) ENSURE_CLOSE(y[i], tanh(1 / (1 + exp(-(double)x[i]))), 1e-6);
        close_net(&n);
    }
}

static void a_circle_is_an_error(void) {
    bytes graph = {.size = 0};
    add(&graph, 1, node("Relu b -> a"));
    add(&graph, 1, node("Relu a -> b"));
    add(&graph, 12, info("a", FLOAT, "2"));
    {
        const bytes model = model_of(&graph, 13);
        net n = describe(&model, NULL, 1, 1);
        ENSURE(!n.plan && says(&n, "needs itself"));
        close_net(&n);
    }
}

/* ---- damaged files --------------------------------------------------------------------------- */

static void every_truncation(void) {
    const bytes model = relu_model();
    nn_context *nn = open_context();
    int opened = 0;
    for (size_t size = 0; size < model.size; size++) {
        unsigned char *copy = (unsigned char *)malloc(size + 1);
        nn_onnx *file;
        ENSURE(copy);
        memcpy(copy, model.at, size);
        file = nn_open_onnx(nn, &(nn_onnx_desc){.bytes = copy, .size = size});
        if (file)
            opened++;
        else
            ENSURE(nn_error(nn));
        nn_clear_error(nn);
        nn_close_onnx(file);
        free(copy);
    }
    ENSURE(opened == 0);
    close_context(nn);
}

static void every_flipped_bit(void) {
    const bytes model = relu_model();
    for (size_t bit = 0; bit < model.size * 8; bit++) {
        bytes flipped = model;
        net n;
        flipped.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
        n = describe(&flipped, NULL, 1, 1);
        ENSURE(n.plan || nn_error(n.nn) || nn_fault_count(n.model) > 0);
        close_net(&n);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(one_node);
    RUN(nodes_are_sorted);
    RUN(a_circle_is_an_error);
    RUN(every_truncation);
    RUN(every_flipped_bit);
    return test_report();
}
