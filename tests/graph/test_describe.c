/* tests/graph/test_describe.c - the table of nn_describe, and nn_version. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_sequence.h"

#include "error.h"
#include "test.h"

static char text[8192];
static size_t used;
static void take(void *user, const char *bytes, size_t count) {
    (void)user;
    if (used + count < sizeof text) memcpy(text + used, bytes, count);
    used += count;
    text[used < sizeof text ? used : sizeof text - 1] = 0;
}

static nn_result describe(nn_model *net, const nn_describe_desc *desc) {
    const nn_writer writer = {.function = take};
    used = 0;
    text[0] = 0;
    return nn_describe(net, desc, writer);
}

static nn_model *digits(nn_context *nn) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "digits"});
    nn_node *x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    x = nn_conv2d(net, "body.conv1", x,
                  &(nn_conv2d_desc){.out_channels = 16, .kernel = 3, .padding = 1});
    x = nn_relu(net, nn_batch_norm2d(net, "body.norm1", x, NULL));
    x = nn_max_pool2d(net, x, &(nn_pool2d_desc){.kernel = 2});
    x = nn_conv2d(net, "body.conv2", x, &(nn_conv2d_desc){.out_channels = 8, .kernel = 1});
    x = nn_flatten(net, nn_relu(net, x));
    nn_linear(net, "head.fc", x, &(nn_linear_desc){.out_features = 10});
    nn_freeze(net, "body.", true);
    return net;
}

static void test_every_operation(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = digits(nn);
    ENSURE(describe(net, &(nn_describe_desc){.batch = 32}) == NN_OK && fine(nn));
    ENSURE_TEXT(
        text,
        "model \"digits\", a batch of 32\n"
        "\n"
        "name                         operation              shape                        "
        "parameters    multiply-adds\n"
        "image                        input, f32             "
        "(32, 1, 28, 28)                       -                -\n"
        "body.conv1                   conv2d                 "
        "(32, 16, 28, 28)                    160        3,612,672\n"
        "body.norm1                   batch_norm             "
        "(32, 16, 28, 28)                     32                -\n"
        "relu                         relu                   "
        "(32, 16, 28, 28)                      -                -\n"
        "max_pool2d                   max_pool2d             "
        "(32, 16, 14, 14)                      -                -\n"
        "body.conv2                   conv2d                 "
        "(32, 8, 14, 14)                     136          802,816\n"
        "relu_2                       relu                   "
        "(32, 8, 14, 14)                       -                -\n"
        "flatten                      flatten                "
        "(32, 1568)                            -                -\n"
        "head.fc                      linear                 "
        "(32, 10)                         15,690          501,760\n"
        "\n"
        "parameters               16,018  64.1 kB\n"
        "  trained                15,690\n"
        "  frozen                    328\n"
        "buffers                      33  136 B\n"
        "multiply-adds         4,917,248\n");
    nn_close(nn);
}

/* Operations without a name belong to the group around them. */
static void test_groups(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = digits(nn);
    ENSURE(describe(net, &(nn_describe_desc){.depth = 1}) == NN_OK && fine(nn));
    ENSURE(
        strstr(text, "\nbody                         5 operations           (batch, 8, 14, 14) "));
    ENSURE(strstr(text, "          328          137,984\n")); /* of one sample */
    ENSURE(strstr(text, "\nrelu_2 ") && strstr(text, "\nhead.fc ") && !strstr(text, "\nrelu "));
    nn_close(nn);
}

/* A shared weight counts once. The time stays symbolic, or a value is given. */
static void test_shared_and_time(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 4));
    const nn_linear_desc desc = {.out_features = 4, .shared = true, .no_bias = true};
    x = nn_linear(net, "f", nn_linear(net, "f", x, &desc), &desc);
    nn_lstm(net, "r", x, &(nn_lstm_desc){.hidden_size = 3});
    ENSURE(describe(net, NULL) == NN_OK && fine(nn));
    ENSURE(strstr(text, "f                            linear                 (batch, time, 4)   "
                        "                  16               16\n"));
    ENSURE(strstr(text, "f                            linear                 (batch, time, 4)   "
                        "                   -               16\n"));
    ENSURE(strstr(text, "\nparameters                  124  "));
    ENSURE(describe(net, &(nn_describe_desc){.batch = 2, .time = 5}) == NN_OK);
    ENSURE(strstr(text, "model \"model\", a batch of 2 and a time of 5\n"));
    ENSURE(strstr(text, "(2, 5, 4)                            16              160\n"));
    nn_close(nn);
}

static void test_mistakes(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    ENSURE(describe(net, &(nn_describe_desc){.batch = -1}) == NN_ERROR_ARGUMENT);
    ENSURE(used == 0 && says(nn, "batch is -1, time is 0, depth is 0; none may be negative"));
    ENSURE(describe(NULL, NULL) == NN_ERROR_ARGUMENT && used == 0);
    nn_relu(net, NULL);
    ENSURE(describe(net, NULL) == NN_OK && strstr(text, "multiply-adds"));
    ENSURE(nn_describe(net, NULL, (nn_writer){NULL, NULL}) == NN_OK);
    nn_close(nn);
}

static void test_version(void) {
    char numbers[40];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", NN_VERSION_MAJOR, NN_VERSION_MINOR,
             NN_VERSION_PATCH);
    ENSURE_TEXT(nn_version(), NN_VERSION);
    ENSURE_TEXT(nn_version(), numbers);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_every_operation);
    RUN(test_groups);
    RUN(test_shared_and_time);
    RUN(test_mistakes);
    RUN(test_version);
    return test_report();
}
