/* tests/fuzz/fuzz_onnx.c - any bytes as an ONNX file: no crash, no leak, and an error in words or a net,
   which is planned and run where it is small.

   clang -fsanitize=fuzzer,address,undefined -I. -Itests/support tests/fuzz/fuzz_onnx.c     the fuzzer
   cc -DFUZZ_MAIN -I. -Itests/support tests/fuzz/fuzz_onnx.c                                its small corpus, for
   `make test` */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#define FUZZ_NAME "fuzz_onnx"
#include "fuzz.h"

#include "../onnx/protobuf.h"

static bool fuzz_one(nn_context *nn) {
    nn_onnx_desc desc;
    nn_plan_desc plan_desc;
    nn_onnx *file;
    nn_model *net;
    nn_node *y;
    bool described;
    memset(&desc, 0, sizeof desc);
    memset(&plan_desc, 0, sizeof plan_desc);
    desc.path = "f";
    file = nn_open_onnx(nn, &desc);
    if (!file) return false;
    net = nn_make_model(nn, NULL);
    y = nn_onnx_net(net, "p", file, NULL);
    described = nn_fault_count(net) == 0;
    fuzz_touch(nn_node_name(y), strlen(nn_node_name(y)));
    if (described) {
        described = nn_load_onnx_weights(net, file) == NN_OK;
        plan_desc.outputs = NN_NODES(y);
        if (described && nn_parameter_elements(net) < 10000 &&
            nn_shape_count(nn_node_shape(y)) < 10000) {
            plan_desc.dry_run = true;
            described = nn_make_plan(net, &plan_desc) != NULL;
        }
    }
    nn_free_model(net);
    nn_close_onnx(file);
    return described;
}

/* Writes small files: elements, a convolution with typed weights, shapes, branches. */
static size_t fuzz_seed(int number, unsigned char *to) {
    static const float numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const int64_t shape[2] = {-1, 4};
    blob graph = {.size = 0}, branch = {.size = 0}, op, model;
    add(&branch, 1, node("Tanh x -> b"));
    add(&branch, 12, info("b", FLOAT, "2,2,1,1"));
    op = node("If c -> y");
    with_message(&op, "then_branch", 5, &branch);
    with_message(&op, "else_branch", 5, &branch);
    if (number % 4 == 0) add(&graph, 1, node("Relu x -> y"));
    if (number % 4 == 1) add(&graph, 1, node("Conv x,w,b -> y"));
    if (number % 4 == 2) add(&graph, 1, node("Shape x -> s"));
    if (number % 4 == 2) add(&graph, 1, node("ConstantOfShape s -> z"));
    if (number % 4 == 2) add(&graph, 1, node("Reshape z,shape -> y"));
    if (number % 4 == 3) add(&graph, 1, op);
    add(&graph, 5, tensor("w", FLOAT, "2,2,1,1", numbers, 16));
    add(&graph, 5, tensor("b", FLOAT, "2", numbers, 8));
    add(&graph, 5, tensor("c", BOOL, "", numbers, 1));
    add(&graph, 5, tensor("shape", INT64, "2", shape, 16));
    add(&graph, 11, info("x", FLOAT, "batch,2,1,1"));
    add(&graph, 12, info("y", FLOAT, "batch,2,1,1"));
    model = model_of(&graph, number % 8 < 4 ? 13 : 18);
    memcpy(to, model.at, model.size);
    return model.size;
}
#define FUZZ_WORDS                                                                                 \
    "\x22", "\x0a", "\x12", "Relu", "Conv", "Shape", "Gather", "Slice", "Concat", "Reshape", "If",   \
        "Loop", "axis", "\xff\xff\xff\xff\x0f", "\x08\x01", "Transpose", "Add", "Mul", "MatMul"
#include "fuzz_main.h"
