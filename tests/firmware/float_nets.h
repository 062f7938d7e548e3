/* float_nets.h - the nets of size_mlp.c and size_cnn.c in f32, for the plans of constants. Include
   it after tiny_nets.h. */
#ifndef FLOAT_NETS_H
#define FLOAT_NETS_H

/* The MLP 4-64-64-2. */
static NN__UNUSED nn_node *describe_mlp(nn_model *net, nn_node **input) {
    nn_linear_desc linear;
    memset(&linear, 0, sizeof linear);
    linear.out_features = 64;
    tiny_products += 4 * 64 + 64 * 64 + 64 * 2;
    nn_node *y = *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    y = nn_relu(net, nn_linear(net, "fc1", y, &linear));
    y = nn_relu(net, nn_linear(net, "fc2", y, &linear));
    linear.out_features = 2;
    return nn_linear(net, "fc3", y, &linear);
}

/* conv8-relu-pool-conv16-relu-pool-linear10 on 28 x 28. */
static NN__UNUSED nn_node *describe_cnn(nn_model *net, nn_node **input) {
    nn_conv2d_desc conv2d;
    nn_pool2d_desc pool2d;
    nn_linear_desc linear;
    memset(&conv2d, 0, sizeof conv2d);
    memset(&pool2d, 0, sizeof pool2d);
    memset(&linear, 0, sizeof linear);
    nn_node *y = *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    tiny_products += 28 * 28 * 8 * 9 + 14 * 14 * 16 * 8 * 9 + 784 * 10;
    conv2d.out_channels = 8;
    conv2d.kernel = 3;
    conv2d.padding = 1;
    pool2d.kernel = 2;
    linear.out_features = 10;
    y = nn_max_pool2d(net, nn_relu(net, nn_conv2d(net, "conv1", y, &conv2d)), &pool2d);
    conv2d.out_channels = 16;
    y = nn_max_pool2d(net, nn_relu(net, nn_conv2d(net, "conv2", y, &conv2d)), &pool2d);
    return nn_linear(net, "fc", nn_flatten(net, y), &linear);
}

/* Gives every parameter numbers of both signs. */
static NN__UNUSED bool float_fill(nn_model *net) {
    static float numbers[8192];
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node)) {
        if (nn_describe_node(node).kind != NN_NODE_PARAMETER) continue;
        nn_tensor *tensor = nn_find_tensor(net, nn_node_name(node));
        const size_t count = nn_tensor_bytes(tensor) / sizeof(float);
        for (size_t i = 0; i < count; i++) numbers[i] = (float)((int)(i * 37 % 101) - 50) / 400.0f;
        if (nn_upload_tensor(tensor, numbers, count * sizeof(float)) != NN_OK) return false;
    }
    return true;
}

static NN__UNUSED void float_input(float *x, size_t count) {
    for (size_t i = 0; i < count; i++) x[i] = (float)(i * 7 % 31) / 31.0f - 0.25f;
}

#endif /* FLOAT_NETS_H */
