/* tests/fuzz/fuzz_onnx.c - reads any bytes as an ONNX file. There must be no crash and no leak, and
   either an error or a net, which is planned if it is small.

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

/* Describes the file's net, and plans it if it is small. */
static bool fuzz_net(nn_context *nn, nn_onnx *file) {
    nn_plan_desc plan_desc;
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *y = nn_onnx_net(net, "p", file, NULL);
    bool described = nn_fault_count(net) == 0;
    memset(&plan_desc, 0, sizeof plan_desc);
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
    return described;
}

/* Describes the net in f32 first, then with products of 8-bit integers. */
static bool fuzz_one(nn_context *nn) {
    nn_onnx_desc desc;
    nn_onnx *file;
    bool described;
    memset(&desc, 0, sizeof desc);
    desc.path = "f";
    file = nn_open_onnx(nn, &desc);
    if (!file) return false;
    described = fuzz_net(nn, file);
    if (described) {
        fuzz_ensure(nn_onnx_integers(file) == NN_OK);
        described = fuzz_net(nn, file);
    }
    nn_close_onnx(file);
    return described;
}

/* Puts a quantised convolution, or a product, into a graph. */
static void fuzz_integers(blob *graph, bool convolution) {
    static const unsigned char bytes[4] = {1, 2, 254, 3}, zero = 128;
    static const float scale = 0.5f;
    add(graph, 5, tensor("w8", ONNX_INT8, convolution ? "2,2,1,1" : "1,3", bytes, convolution ? 4 : 3));
    add(graph, 5, tensor("z", ONNX_UINT8, "", &zero, 1));
    add(graph, 5, tensor("k", ONNX_FLOAT, "", &scale, 4));
    add(graph, 1, node("DequantizeLinear w8,k -> v"));
    add(graph, 1, node("QuantizeLinear x,k,z -> q"));
    add(graph, 1, node("DequantizeLinear q,k,z -> d"));
    add(graph, 1, node(convolution ? "Conv d,v -> e" : "MatMul d,v -> e"));
    add(graph, 1, node("QuantizeLinear e,k,z -> f"));
    add(graph, 1, node("DequantizeLinear f,k,z -> y"));
}

/* Writes one of several small files: an element-wise operation, a convolution, shapes, a branch, or
   integers. */
static size_t fuzz_seed(int number, unsigned char *to) {
    static const float numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const int64_t shape[2] = {-1, 4};
    blob graph = {.size = 0}, branch = {.size = 0}, op, model;
    add(&branch, 1, node("Tanh x -> b"));
    add(&branch, 12, info("b", ONNX_FLOAT, "2,2,1,1"));
    op = node("If c -> y");
    with_message(&op, "then_branch", 5, &branch);
    with_message(&op, "else_branch", 5, &branch);
    if (number % 8 == 0) add(&graph, 1, node("Relu x -> y"));
    if (number % 8 == 4) fuzz_integers(&graph, number % 16 == 4);
    if (number % 4 == 1) add(&graph, 1, node("Conv x,w,b -> y"));
    if (number % 4 == 2) add(&graph, 1, node("Shape x -> s"));
    if (number % 4 == 2) add(&graph, 1, node("ConstantOfShape s -> z"));
    if (number % 4 == 2) add(&graph, 1, node("Reshape z,shape -> y"));
    if (number % 4 == 3) add(&graph, 1, op);
    add(&graph, 5, tensor("w", ONNX_FLOAT, "2,2,1,1", numbers, 16));
    add(&graph, 5, tensor("b", ONNX_FLOAT, "2", numbers, 8));
    add(&graph, 5, tensor("c", ONNX_BOOL, "", numbers, 1));
    add(&graph, 5, tensor("shape", ONNX_INT64, "2", shape, 16));
    add(&graph, 11, info("x", ONNX_FLOAT, "batch,2,1,1"));
    add(&graph, 12, info("y", ONNX_FLOAT, "batch,2,1,1"));
    model = model_of(&graph, number % 8 < 4 ? 13 : 18);
    memcpy(to, model.at, model.size);
    return model.size;
}
#define FUZZ_WORDS                                                                                 \
    "\x22", "\x0a", "\x12", "Relu", "Conv", "Shape", "Gather", "Slice", "Concat", "Reshape", "If",   \
        "Loop", "axis", "QuantizeLinear", "DequantizeLinear", "ConvInteger", "MatMulInteger",     \
        "\xff\xff\xff\xff\x0f", "\x08\x01", "Transpose", "Add", "Mul", "MatMul"
#include "fuzz_main.h"
