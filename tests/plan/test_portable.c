/* Portable arithmetic: five nets train to the same bytes on every processor, compiler and C
   library. The hashes below are those of x86-64 with gcc; tools/test_full.sh portable compares
   other compilers and processors with them. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "open.h"
#include "test.h"

enum { BATCH = 8, STEPS = 40 };

static uint32_t hash_of(nn_model *net) {
    uint32_t hash = 2166136261u;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        static unsigned char bytes[1 << 18];
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const size_t n = (size_t)nn_tensor_bytes(tensor);
        if (test_wrong(n > sizeof bytes || nn_download_tensor(tensor, bytes, n) != NN_OK)) {
            test_fail(__FILE__, __LINE__, "tensor %d cannot be read", i);
            return 0;
        }
        /* by the value of each word, so that the order of its bytes does not matter */
        for (size_t k = 0; k + 4 <= n; k += 4) {
            uint32_t word;
            memcpy(&word, bytes + k, 4);
            for (int b = 0; b < 4; b++) hash = (hash ^ (word >> 8 * b & 255u)) * 16777619u;
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

static uint32_t train(nn_instruction_set set, nn_node *(*describe)(nn_model *, nn_node *),
                      nn_optimizer optimizer, int threads) {
    nn_context *nn = OPEN_WITH_SET(&(
        (nn_desc){.threads = threads, .instructions = set}));
    if (!nn) return 0;
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 64)),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *loss = nn_cross_entropy(net, describe(net, x), label, NULL);
    nn_trainer *trainer = nn_make_trainer(net, loss,
                                          &(nn_trainer_desc){.batch = BATCH,
                                                             .optimizer = optimizer,
                                                             .learning_rate = 0.01f,
                                                             .momentum = 0.9f,
                                                             .max_norm = 1.0f});
    bool fine = trainer != NULL;
    for (int step = 0; fine && step < STEPS; step++) {
        float in[BATCH * 64];
        int32_t labels[BATCH];
        uint32_t words[4];
        for (int i = 0; i < BATCH * 64; i++) {
            if (i % 4 == 0) nn_random_words(3, (uint64_t)step, (uint64_t)i / 4, words);
            in[i] = nn_word_to_uniform(words[i % 4]) - 0.5f;
        }
        for (int i = 0; i < BATCH; i++)
            labels[i] = in[64 * i] > 0.0f ? 1 : in[64 * i + 1] > 0.0f ? 2 : 4;
        fine = nn_upload(nn_trainer_plan(trainer), x, in, sizeof in) == NN_OK &&
               nn_upload(nn_trainer_plan(trainer), label, labels, sizeof labels) == NN_OK &&
               nn_train_on_inputs(trainer) == NN_OK;
    }
    if (test_wrong(!fine)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    const uint32_t hash = hash_of(net);
    nn_close(nn);
    return hash;
}

static const struct {
    const char *name;
    nn_node *(*describe)(nn_model *, nn_node *);
    nn_optimizer optimizer;
    uint32_t hash;
} nets[] = {{"mlp", mlp, NN_ADAM, 0x9bedcce2},
            {"cnn", cnn, NN_ADAMW, 0x63da7d0b},
            {"gru", gru, NN_SGD, 0x6f47e398},
            {"attention", attention, NN_ADAM, 0xb8f646e6},
            {"functions", functions, NN_RMSPROP, 0xfee85de4}};

static void check(nn_instruction_set set) {
    for (int i = 0; i < 5; i++) {
        const uint32_t hash = train(set, nets[i].describe, nets[i].optimizer, 1);
        if (!hash) return; /* this build or this machine lacks the set */
        if (test_wrong(hash != nets[i].hash))
            test_fail(__FILE__, __LINE__, "%s has the hash 0x%08x", nets[i].name, (unsigned)hash);
        if (test_wrong(train(set, nets[i].describe, nets[i].optimizer, 3) != hash))
            test_fail(__FILE__, __LINE__, "%s has other bytes with three threads", nets[i].name);
    }
}
static void any_processor(void) { check(NN_INSTRUCTIONS_PORTABLE); }
static void avx2(void) { check(NN_INSTRUCTIONS_PORTABLE_AVX2); }

/* Without NN_WITH_PORTABLE, and with a set that is not portable, nn_open says what to do. */
static void refusals(void) {
    char words[400] = "";
    nn_text said = {words, sizeof words, 0};
    nn_desc desc = {.arithmetic = NN_ARITHMETIC_PORTABLE, .instructions = NN_INSTRUCTIONS_PLAIN};
    desc.log.function = nn_write_text, desc.log.user = &said;
    ENSURE(!nn_open(&desc));
    ENSURE(strstr(words, "nn_open: desc.arithmetic is NN_ARITHMETIC_PORTABLE, which "));
    ENSURE(strstr(words, "NN_WITH_PORTABLE") || strstr(words, "leave one of them 0"));
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(any_processor);
    RUN(avx2);
    RUN(refusals);
    return test_report();
}
