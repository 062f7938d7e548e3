/* tests/support/rank_net.h - the net that tests of several ranks train: a small one with a
   convolution, a batch norm and dropout, and batches that do not divide evenly. */
#ifndef RANK_NET_H
#define RANK_NET_H

#include "rank_hash.h"
#include "test.h"

enum { NET_SAMPLES = 75, NET_SIDE = 6, NET_PIXELS = NET_SIDE * NET_SIDE, NET_CLASSES = 3 };

typedef struct rank_net {
    nn_model *model;
    nn_node *scores, *label, *loss;
} rank_net;

static TEST_UNUSED rank_net rank_make_net(nn_context *nn, nn_device device, uint64_t seed,
                                          int channels) {
    rank_net net;
    nn_model *m = net.model =
        nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = seed, .device = device});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, NET_SIDE, NET_SIDE));
    net.label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    x = nn_conv2d(m, "conv", x,
                  &(nn_conv2d_desc){.out_channels = channels, .kernel = 3, .padding = 1});
    x = nn_relu(m, nn_batch_norm2d(m, "bn", x, NULL));
    x = nn_dropout(m, nn_max_pool2d(m, x, &(nn_pool2d_desc){.kernel = 2}), 0.25f);
    /* a weight with so few samples that its gradient is computed for all shards at once */
    x = nn_linear(m, "wide", nn_flatten(m, x), &(nn_linear_desc){.out_features = 128});
    net.scores = nn_linear(m, "fc", nn_tanh(m, x), &(nn_linear_desc){.out_features = NET_CLASSES});
    net.loss = nn_cross_entropy(m, net.scores, net.label, NULL);
    return net;
}

static float net_pictures[NET_SAMPLES * NET_PIXELS];
static int32_t net_labels[NET_SAMPLES];

/* Called once, before any thread makes a dataset. */
static TEST_UNUSED void rank_fill_data(void) {
    for (int i = 0; i < NET_SAMPLES * NET_PIXELS; i++)
        net_pictures[i] = (float)((i * 7919 + i / NET_PIXELS * 31 + 13) % 1000) / 500.0f - 1.0f;
    for (int i = 0; i < NET_SAMPLES; i++) net_labels[i] = i * 5 % NET_CLASSES;
}

/* Makes a dataset of the first `samples` of NET_SAMPLES. */
static TEST_UNUSED nn_dataset *rank_make_data(nn_context *nn, int32_t samples) {
    return nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = samples,
                .fields = NN_FIELDS(
                    {.name = "x", .shape = NN_SHAPE(1, NET_SIDE, NET_SIDE), .data = net_pictures},
                    {.name = "label", .dtype = NN_I32, .data = net_labels})});
}

#endif
