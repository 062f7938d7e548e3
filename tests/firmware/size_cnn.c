/* size_cnn.c - inference of a small CNN on 28x28: conv8-relu-pool-conv16-relu-pool-linear10. It may
   link at most 32 KB of the library's code. */
#include "size_common.h"

/* 36,400 bytes of parameters and 58,880 of the plan's image, activations and scratch. The records
   of the description and the plan may take 8,960 more. Pointers of 64 bits need more. */
#if UINTPTR_MAX == 0xffffffffu
static char block[36400 + 58880 + 8960 + 16];
#else
static char block[512 * 1024];
#endif
static float image[28 * 28], maps1[8 * 14 * 14], maps2[16 * 7 * 7];

/* Computes y (K, S/2, S/2) from x (C, S, S): convolution 3x3 with padding 1, relu, largest of
   2x2. */
static void convolve(float *y, const float *x, const float *weight, const float *bias, int channels,
                     int size, int out) {
    int k, c, row, column, i, j, at;
    for (k = 0; k < out; k++)
        for (row = 0; row < size; row++)
            for (column = 0; column < size; column++) {
                float sum = bias[k];
                for (c = 0; c < channels; c++)
                    for (i = 0; i < 3; i++)
                        for (j = 0; j < 3; j++) {
                            int from_row = row + i - 1, from_column = column + j - 1;
                            if (from_row < 0 || from_row >= size || from_column < 0 ||
                                from_column >= size)
                                continue;
                            sum += weight[((k * channels + c) * 3 + i) * 3 + j] *
                                   x[(c * size + from_row) * size + from_column];
                        }
                at = (k * (size / 2) + row / 2) * (size / 2) + column / 2;
                if (sum < 0.0f) sum = 0.0f;
                if ((row % 2 == 0 && column % 2 == 0) || sum > y[at]) y[at] = sum;
            }
}

int main(void) {
    float expected[10], scores[10];
    nn_desc desc;
    nn_context *nn;
    nn_model *net;
    nn_node *input, *node;
    nn_conv2d_desc conv2d;
    nn_pool2d_desc pool2d;
    nn_linear_desc linear;
    nn_plan_desc plan_desc;
    nn_plan *plan;
    int i, used = 0, filled;
    const float *weight1 = size_next_weights(&used, 8 * 9), *bias1 = size_next_weights(&used, 8);
    const float *weight2 = size_next_weights(&used, 16 * 8 * 9),
                *bias2 = size_next_weights(&used, 16);
    const float *weight3 = size_next_weights(&used, 10 * 784),
                *bias3 = size_next_weights(&used, 10);
    for (i = 0; i < 28 * 28; i++) image[i] = (float)(i * 7 % 31) / 31.0f;
    size_give_block(&desc, block, sizeof block);
    nn = nn_open(&desc);
    net = nn_make_model(nn, NULL);
    input = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    memset(&conv2d, 0, sizeof conv2d);
    memset(&pool2d, 0, sizeof pool2d);
    memset(&linear, 0, sizeof linear);
    conv2d.out_channels = 8;
    conv2d.kernel = 3;
    conv2d.padding = 1;
    pool2d.kernel = 2;
    linear.out_features = 10;
    node = nn_max_pool2d(net, nn_relu(net, nn_conv2d(net, "conv1", input, &conv2d)), &pool2d);
    conv2d.out_channels = 16;
    node = nn_max_pool2d(net, nn_relu(net, nn_conv2d(net, "conv2", node, &conv2d)), &pool2d);
    node = nn_linear(net, "fc", nn_flatten(net, node), &linear);
    memset(&plan_desc, 0, sizeof plan_desc);
    plan_desc.outputs = NN_NODES(node);
    plan = nn_make_plan(net, &plan_desc);
    filled = size_fill(net, "conv1.weight", weight1, 8 * 9) &&
             size_fill(net, "conv1.bias", bias1, 8) &&
             size_fill(net, "conv2.weight", weight2, 16 * 8 * 9) &&
             size_fill(net, "conv2.bias", bias2, 16) &&
             size_fill(net, "fc.weight", weight3, 10 * 784) && size_fill(net, "fc.bias", bias3, 10);
    nn_upload(plan, input, image, sizeof image);
    nn_run(plan);
    if (!filled || nn_download(plan, node, scores, sizeof scores) != NN_OK) return 1;
    nn_close(nn);
    convolve(maps1, image, weight1, bias1, 1, 28, 8);
    convolve(maps2, maps1, weight2, bias2, 8, 14, 16);
    size_linear(expected, maps2, weight3, bias3, 784, 10, 0);
    return size_equal(scores, expected, 10) ? 0 : 2;
}
