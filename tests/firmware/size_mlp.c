/* size_mlp.c - inference of a small MLP, 4-64-64-2, as a firmware would hold it. It may link at
   most 16 KB of the library's code. */
#include "size_common.h"

/* 18,448 bytes of parameters, 528 of inputs and activations. The records of the description and the
   plan may take 8,080 more. */
#if UINTPTR_MAX == 0xffffffffu
static char block[18448 + 528 + 8080 + 16];
#else
static char block[64 * 1024];
#endif

int main(void) {
    static const float x[4] = {0.5f, -0.25f, 1.0f, 0.125f};
    static float hidden1[64], hidden2[64];
    float expected[2], scores[2];
    nn_desc desc;
    nn_context *nn;
    nn_model *net;
    nn_node *input, *node;
    nn_linear_desc linear;
    nn_plan_desc plan_desc;
    nn_plan *plan;
    int used = 0, filled;
    const float *weight1 = size_next_weights(&used, 64 * 4), *bias1 = size_next_weights(&used, 64);
    const float *weight2 = size_next_weights(&used, 64 * 64), *bias2 = size_next_weights(&used, 64);
    const float *weight3 = size_next_weights(&used, 2 * 64), *bias3 = size_next_weights(&used, 2);
    size_give_block(&desc, block, sizeof block);
    nn = nn_open(&desc);
    net = nn_make_model(nn, NULL);
    input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    memset(&linear, 0, sizeof linear);
    linear.out_features = 64;
    node = nn_relu(net, nn_linear(net, "fc1", input, &linear));
    node = nn_relu(net, nn_linear(net, "fc2", node, &linear));
    linear.out_features = 2;
    node = nn_linear(net, "fc3", node, &linear);
    memset(&plan_desc, 0, sizeof plan_desc);
    plan_desc.outputs = NN_NODES(node);
    plan = nn_make_plan(net, &plan_desc);
    filled =
        size_fill(net, "fc1.weight", weight1, 64 * 4) && size_fill(net, "fc1.bias", bias1, 64) &&
        size_fill(net, "fc2.weight", weight2, 64 * 64) && size_fill(net, "fc2.bias", bias2, 64) &&
        size_fill(net, "fc3.weight", weight3, 2 * 64) && size_fill(net, "fc3.bias", bias3, 2);
    nn_upload(plan, input, x, sizeof x);
    nn_run(plan);
    if (!filled || nn_download(plan, node, scores, sizeof scores) != NN_OK) return 1;
    nn_close(nn);
    size_linear(hidden1, x, weight1, bias1, 4, 64, 1);
    size_linear(hidden2, hidden1, weight2, bias2, 64, 64, 1);
    size_linear(expected, hidden2, weight3, bias3, 64, 2, 0);
    return size_equal(scores, expected, 2) ? 0 : 2;
}
