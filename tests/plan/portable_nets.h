/* portable_nets.h - six nets whose training in portable arithmetic must leave the same bytes
   everywhere: test_portable.c tests them, portable_hash.c prints one hash for them. Include it
   after nn.h. */
#pragma once

#include "nn_quantize.h"

#include <stdio.h>
#include <string.h>

enum { PORTABLE_BATCH = 8, PORTABLE_STEPS = 300, PORTABLE_NETS = 6 };

static uint32_t hash_word(uint32_t hash, uint32_t word) {
    for (int b = 0; b < 4; b++) hash = (hash ^ (word >> 8 * b & 255u)) * 16777619u;
    return hash;
}

/* Hashes the value of each word, so that the order of its bytes does not matter, and bytes one by
   one. 0: a tensor cannot be read. */
static uint32_t hash_of(nn_model *net) {
    static unsigned char bytes[1 << 19];
    uint32_t hash = 2166136261u;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const size_t n = (size_t)nn_tensor_bytes(tensor);
        if (n > sizeof bytes || nn_download_tensor(tensor, bytes, n) != NN_OK) return 0;
        const size_t size = nn_dtype_size(nn_tensor_dtype(tensor));
        for (size_t k = 0; k + size <= n; k += size) {
            uint64_t wide;
            uint32_t word;
            if (size == 1) hash = (hash ^ bytes[k]) * 16777619u;
            if (size == 4) memcpy(&word, bytes + k, 4), hash = hash_word(hash, word);
            if (size == 8) {
                memcpy(&wide, bytes + k, 8);
                hash = hash_word(hash_word(hash, (uint32_t)wide), (uint32_t)(wide >> 32));
            }
        }
    }
    return hash;
}

static nn_node *mlp(nn_model *net, nn_node *x) {
    nn_node *y = nn_gelu(net, nn_linear(net, "a", x, &(nn_linear_desc){.out_features = 33}));
    y = nn_softplus(net, nn_linear(net, "b", y, &(nn_linear_desc){.out_features = 20}), NULL);
    return nn_linear(net, "c", nn_tanh(net, nn_layer_norm(net, "n", y, NULL)),
                     &(nn_linear_desc){.out_features = 5});
}

static nn_node *cnn(nn_model *net, nn_node *x) {
    nn_node *y = nn_reshape(net, x, NN_SHAPE(NN_BATCH, 1, 8, 8));
    y = nn_conv2d(net, "a", y, &(nn_conv2d_desc){.out_channels = 8, .kernel = 3, .padding = 1});
    y = nn_max_pool2d(net, nn_relu(net, nn_batch_norm2d(net, "n", y, NULL)),
                      &(nn_pool2d_desc){.kernel = 2});
    y = nn_conv2d(net, "b", y, &(nn_conv2d_desc){.out_channels = 12, .kernel = 3, .padding = 1});
    y = nn_dropout(net, nn_flatten(net, nn_silu(net, y)), 0.25f);
    return nn_linear(net, "c", y, &(nn_linear_desc){.out_features = 5});
}

static nn_node *gru(nn_model *net, nn_node *x) {
    nn_node *y = nn_reshape(net, x, NN_SHAPE(NN_BATCH, 8, 8));
    y = nn_gru(net, "a", y, &(nn_gru_desc){.hidden_size = 12});
    y = nn_lstm(net, "b", y, &(nn_lstm_desc){.hidden_size = 7});
    return nn_linear(net, "c", nn_flatten(net, y), &(nn_linear_desc){.out_features = 5});
}

static nn_node *attention(nn_model *net, nn_node *x) {
    nn_node *y = nn_reshape(net, x, NN_SHAPE(NN_BATCH, 8, 8)),
            *q = nn_reshape(net, y, NN_SHAPE(NN_BATCH, 1, 8, 8));
    y = nn_reshape(net, nn_scaled_dot_product_attention(net, q, q, q, NULL),
                   NN_SHAPE(NN_BATCH, 8, 8));
    y = nn_rms_norm(net, "n", nn_linear(net, "a", y, &(nn_linear_desc){.out_features = 10}), NULL);
    return nn_linear(net, "c", nn_flatten(net, nn_sin(net, y)),
                     &(nn_linear_desc){.out_features = 5});
}

static nn_node *functions(nn_model *net, nn_node *x) {
    nn_node *y = nn_linear(net, "a", x, &(nn_linear_desc){.out_features = 16});
    y = nn_expression(net, "pow(abs(y) + 0.1, 1.3) + cos(y) + log1p(y * y) + erf(y) + atan2(y, 2)",
                      y);
    return nn_linear(net, "c", nn_cumsum(net, nn_softmax(net, y), 1),
                     &(nn_linear_desc){.out_features = 5});
}

/* This net is trained in f32 first, then rounded to 8-bit integers while its training continues. */
static nn_node *rounded(nn_model *net, nn_node *x) {
    nn_node *y = nn_reshape(net, x, NN_SHAPE(NN_BATCH, 1, 8, 8));
    y = nn_conv2d(net, "a", y, &(nn_conv2d_desc){.out_channels = 6, .kernel = 3, .padding = 1});
    y = nn_relu(net, nn_batch_norm2d(net, "n", y, NULL));
    y = nn_max_pool2d(net, y, &(nn_pool2d_desc){.kernel = 2});
    y = nn_relu(net, nn_linear(net, "b", nn_flatten(net, y),
                               &(nn_linear_desc){.out_features = 18}));
    return nn_linear(net, "c", y, &(nn_linear_desc){.out_features = 5});
}

static const struct {
    const char *name;
    nn_node *(*describe)(nn_model *, nn_node *);
    nn_optimizer optimizer;
    uint32_t hash; /* of x86-64 with gcc */
} portable_nets[PORTABLE_NETS] = {{"mlp", mlp, NN_ADAM, 0x27e417e9},
                                  {"cnn", cnn, NN_ADAMW, 0x54595b07},
                                  {"gru", gru, NN_SGD, 0x4ec77116},
                                  {"attention", attention, NN_ADAM, 0x0f258b38},
                                  {"functions", functions, NN_RMSPROP, 0xf7fed816},
                                  {"rounded", rounded, NN_ADAM, 0xf3b98564}};

/* Writes the inputs and labels of a step. */
static void portable_samples(int step, float in[PORTABLE_BATCH * 64],
                             int32_t labels[PORTABLE_BATCH]) {
    uint32_t words[4];
    for (int i = 0; i < PORTABLE_BATCH * 64; i++) {
        if (i % 4 == 0) nn_random_words(3, (uint64_t)step, (uint64_t)i / 4, words);
        in[i] = nn_word_to_uniform(words[i % 4]) - 0.5f;
    }
    for (int i = 0; i < PORTABLE_BATCH; i++)
        labels[i] = in[64 * i] > 0.0f ? 1 : in[64 * i + 1] > 0.0f ? 2 : 4;
}

static bool portable_step(nn_trainer *trainer, nn_node *x, nn_node *label, int step) {
    float in[PORTABLE_BATCH * 64];
    int32_t labels[PORTABLE_BATCH];
    portable_samples(step, in, labels);
    return nn_upload(nn_trainer_plan(trainer), x, in, sizeof in) == NN_OK &&
           nn_upload(nn_trainer_plan(trainer), label, labels, sizeof labels) == NN_OK &&
           nn_train_on_inputs(trainer) == NN_OK;
}

/* Trains the net that `loss` ends, for `steps` steps. */
static bool portable_steps(nn_model *net, nn_node *loss, nn_node *x, nn_node *label,
                           nn_optimizer optimizer, int steps) {
    nn_trainer *trainer = nn_make_trainer(net, loss,
                                          &(nn_trainer_desc){.batch = PORTABLE_BATCH,
                                                             .optimizer = optimizer,
                                                             .learning_rate = 0.01f,
                                                             .momentum = 0.9f,
                                                             .max_norm = 1.0f});
    bool fine = trainer != NULL;
    for (int step = 0; fine && step < steps; step++)
        fine = portable_step(trainer, x, label, step);
    nn_free_trainer(trainer);
    return fine;
}

/* Trains the copy of nn_prepare_qat and turns it into integers. Returns the hash of both. */
static uint32_t portable_round(nn_context *nn, nn_model *net, nn_node *loss, nn_node *x,
                               nn_node *label, nn_optimizer optimizer) {
    static float in[4 * PORTABLE_BATCH * 64];
    static int32_t labels[4 * PORTABLE_BATCH];
    for (int i = 0; i < 4; i++)
        portable_samples(1000 + i, in + i * PORTABLE_BATCH * 64, labels + i * PORTABLE_BATCH);
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = 4 * PORTABLE_BATCH,
                .fields = NN_FIELDS({.name = "x", .data = in, .shape = NN_SHAPE(64)},
                                    {.name = "label", .dtype = NN_I32, .data = labels})});
    nn_loader *loader =
        nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = PORTABLE_BATCH});
    nn_model *qat = nn_prepare_qat(net, loader, NULL);
    if (!qat || !portable_steps(qat, nn_copied_node(qat, loss), nn_copied_node(qat, x),
                                nn_copied_node(qat, label), optimizer, PORTABLE_STEPS))
        return 0;
    nn_model *integers = nn_quantize_net(qat, NULL, NULL);
    return integers ? hash_word(hash_of(qat), hash_of(integers)) : 0;
}

/* Trains net i and returns the hash of its tensors; 0: something failed, and nn_error may say
   what. */
static uint32_t portable_train(nn_context *nn, int i) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 64)),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *loss = nn_cross_entropy(net, portable_nets[i].describe(net, x), label, NULL);
    const bool rounds = portable_nets[i].describe == rounded;
    const nn_optimizer optimizer = portable_nets[i].optimizer;
    if (!portable_steps(net, loss, x, label, optimizer, rounds ? 10 : PORTABLE_STEPS)) return 0;
    return rounds ? portable_round(nn, net, loss, x, label, optimizer) : hash_of(net);
}
