/* portable_nets.h - five nets whose training in portable arithmetic must leave the same bytes
   everywhere: test_portable.c tests them, portable_hash.c prints one hash for them. Include it
   after nn.h. */
#pragma once

#include <stdio.h>
#include <string.h>

enum { PORTABLE_BATCH = 8, PORTABLE_STEPS = 40, PORTABLE_NETS = 5 };

static uint32_t hash_word(uint32_t hash, uint32_t word) {
    for (int b = 0; b < 4; b++) hash = (hash ^ (word >> 8 * b & 255u)) * 16777619u;
    return hash;
}

/* Hashes the value of each word, so that the order of its bytes does not matter. 0: a tensor cannot
   be read. */
static uint32_t hash_of(nn_model *net) {
    static unsigned char bytes[1 << 19];
    uint32_t hash = 2166136261u;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const size_t n = (size_t)nn_tensor_bytes(tensor);
        if (n > sizeof bytes || nn_download_tensor(tensor, bytes, n) != NN_OK) return 0;
        for (size_t k = 0; k + 4 <= n; k += 4) {
            uint32_t word;
            memcpy(&word, bytes + k, 4);
            hash = hash_word(hash, word);
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

static const struct {
    const char *name;
    nn_node *(*describe)(nn_model *, nn_node *);
    nn_optimizer optimizer;
    uint32_t hash; /* of x86-64 with gcc */
} portable_nets[PORTABLE_NETS] = {{"mlp", mlp, NN_ADAM, 0x9bedcce2},
                                  {"cnn", cnn, NN_ADAMW, 0x63da7d0b},
                                  {"gru", gru, NN_SGD, 0x6f47e398},
                                  {"attention", attention, NN_ADAM, 0xb8f646e6},
                                  {"functions", functions, NN_RMSPROP, 0xfee85de4}};

static bool portable_step(nn_trainer *trainer, nn_node *x, nn_node *label, int step) {
    float in[PORTABLE_BATCH * 64];
    int32_t labels[PORTABLE_BATCH];
    uint32_t words[4];
    for (int i = 0; i < PORTABLE_BATCH * 64; i++) {
        if (i % 4 == 0) nn_random_words(3, (uint64_t)step, (uint64_t)i / 4, words);
        in[i] = nn_word_to_uniform(words[i % 4]) - 0.5f;
    }
    for (int i = 0; i < PORTABLE_BATCH; i++)
        labels[i] = in[64 * i] > 0.0f ? 1 : in[64 * i + 1] > 0.0f ? 2 : 4;
    return nn_upload(nn_trainer_plan(trainer), x, in, sizeof in) == NN_OK &&
           nn_upload(nn_trainer_plan(trainer), label, labels, sizeof labels) == NN_OK &&
           nn_train_on_inputs(trainer) == NN_OK;
}

/* Trains net i and returns the hash of its tensors; 0: something failed, and nn_error may say
   what. */
static uint32_t portable_train(nn_context *nn, int i) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 64)),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *loss = nn_cross_entropy(net, portable_nets[i].describe(net, x), label, NULL);
    nn_trainer *trainer =
        nn_make_trainer(net, loss,
                        &(nn_trainer_desc){.batch = PORTABLE_BATCH,
                                           .optimizer = portable_nets[i].optimizer,
                                           .learning_rate = 0.01f,
                                           .momentum = 0.9f,
                                           .max_norm = 1.0f});
    bool fine = trainer != NULL;
    for (int step = 0; fine && step < PORTABLE_STEPS; step++)
        fine = portable_step(trainer, x, label, step);
    return fine ? hash_of(net) : 0;
}
