/* nets.h - the layers that print_nets.c trains on a PC and last_layer.c has on the board. */
#pragma once

static nn_node *describe_features(nn_model *net, nn_node *image) {
    nn_conv2d_desc conv = {.out_channels = 8, .kernel = 3, .stride = 2, .padding = 1};
    nn_node *x = nn_relu(net, nn_conv2d(net, "conv1", image, &conv));
    conv.out_channels = 16;
    x = nn_relu(net, nn_conv2d(net, "conv2", x, &conv));
    return nn_relu(
        net, nn_linear(net, "fc1", nn_flatten(net, x), &(nn_linear_desc){.out_features = 32}));
}
