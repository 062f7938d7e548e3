/* tests/onnx/described.h - shared by the tests of nn_onnx.h: makes a net and a plan from a file
   that a test wrote (write.h). */
#pragma once

#include "test.h"

#include "nn_onnx.h"

#include "protobuf.h"

#include <math.h>
#include <stdlib.h>

static TEST_UNUSED nn_context *open_context(void) { return nn_open(&(nn_desc){.threads = 1}); }

/* Closes the context. Tests check the errors of refused calls themselves. */
static TEST_UNUSED void close_context(nn_context *nn) {
    nn_clear_error(nn);
    nn_close(nn);
}

/* A described net. */
typedef struct open_net {
    nn_context *nn;
    nn_onnx *file;
    nn_model *model;
    nn_node *y;
    nn_plan *plan;
} open_net;

/* Opens the file, describes its net and loads the weights. Makes a plan for up to this batch and
   time, unless the net is refused. */
static TEST_UNUSED open_net describe(const blob *model, const nn_onnx_net_desc *desc, int batch,
                                int time) {
    open_net n = {open_context(), NULL, NULL, NULL, NULL};
    n.file = nn_open_onnx(n.nn, &(nn_onnx_desc){.bytes = model->at, .size = model->size});
    n.model = nn_make_model(n.nn, NULL);
    if (!n.file) return n;
    n.y = nn_onnx_net(n.model, "", n.file, desc);
    if (nn_fault_count(n.model) > 0) return n;
    if (nn_load_onnx_weights(n.model, n.file) != NN_OK) return n;
    n.plan = nn_make_plan(n.model,
                          &(nn_plan_desc){.outputs = NN_NODES(n.y), .batch = batch, .time = time});
    return n;
}

static TEST_UNUSED void close_net(open_net *n) {
    nn_close_onnx(n->file);
    close_context(n->nn);
}

static TEST_UNUSED int upload(open_net *n, const char *name, const float *x, int count) {
    return nn_upload(n->plan, nn_onnx_node(n->model, n->file, name), x,
                     (size_t)count * sizeof *x) == NN_OK;
}

static TEST_UNUSED int download(open_net *n, void *y, int count) {
    return nn_run(n->plan) == NN_OK && nn_download(n->plan, n->y, y, (size_t)count * 4) == NN_OK;
}

static TEST_UNUSED int says(const open_net *n, const char *words) {
    const char *error = nn_error(n->nn);
    if (error && strstr(error, words)) return 1;
    printf("error: %s\nlacks: %s\n", error ? error : "(none)", words);
    return 0;
}

static TEST_UNUSED const float ones[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/* Returns a model with the Relu of a table (batch, 3). */
static TEST_UNUSED blob relu_model(void) {
    blob graph = {.size = 0};
    add(&graph, 1, node("Relu x -> y"));
    put_text(&graph, 2, "relu");
    add(&graph, 11, info("x", ONNX_FLOAT, "batch,3"));
    add(&graph, 12, info("y", ONNX_FLOAT, "batch,3"));
    return model_of(&graph, 13);
}
