/* 16_mobilenet.c - MobileNetV2: depthwise convolutions between those of 1 x 1, and parameters under
   the names of torchvision.models.mobilenet_v2.
   Run:    cc -O2 16_mobilenet.c -o mobilenet -lm -lpthread && ./mobilenet
           ./mobilenet weights.safetensors      begins with the weights of that file, which may come
           from PyTorch: safetensors.torch.save_file(net.state_dict(), "weights.safetensors"). The
           last layer, whose classes differ, begins anew, and only that layer is trained
   Prints: what was loaded, then loss and accuracy while it learns to tell the colours of balls.
   Leaves: mobilenet.safetensors. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- the net --------------------------------------------------------------------------------- */

/* Describes a convolution and its norm, such as "features.3.conv.0.0" and "features.3.conv.0.1". It
   is depthwise if desc.groups is the number of channels. */
static nn_node *mobilenet_conv(nn_model *net, const char *conv, const char *norm, nn_node *x,
                               nn_conv2d_desc desc) {
    desc.padding = desc.kernel / 2;
    desc.no_bias = true;
    return nn_batch_norm2d(net, norm, nn_conv2d(net, conv, x, &desc), NULL);
}

/* Does the same with an activation: the class Conv2dNormActivation, which holds them as 0 and 1. */
static nn_node *mobilenet_layer(nn_model *net, const char *name, nn_node *x, nn_conv2d_desc desc) {
    char conv[64], norm[64];
    snprintf(conv, sizeof conv, "%s.0", name);
    snprintf(norm, sizeof norm, "%s.1", name);
    return nn_relu6(net, mobilenet_conv(net, conv, norm, x, desc));
}

/* Describes more channels, a depthwise convolution, and fewer channels: the class
   InvertedResidual. */
static nn_node *mobilenet_block(nn_model *net, int number, nn_node *input, int expand, int out,
                                int stride) {
    const int channels = nn_node_shape(input).extent[1], hidden = channels * expand;
    char name[64], norm[64];
    int part = 0;
    nn_node *x = input;
    if (expand != 1) {
        snprintf(name, sizeof name, "features.%d.conv.%d", number, part++);
        x = mobilenet_layer(net, name, x, (nn_conv2d_desc){.out_channels = hidden, .kernel = 1});
    }
    snprintf(name, sizeof name, "features.%d.conv.%d", number, part++);
    x = mobilenet_layer(
        net, name, x,
        (nn_conv2d_desc){.out_channels = hidden, .kernel = 3, .stride = stride, .groups = hidden});
    snprintf(name, sizeof name, "features.%d.conv.%d", number, part++);
    snprintf(norm, sizeof norm, "features.%d.conv.%d", number, part);
    x = mobilenet_conv(net, name, norm, x, (nn_conv2d_desc){.out_channels = out, .kernel = 1});
    return stride == 1 && channels == out ? nn_add(net, input, x) : x;
}

/* image (N, 3, H, W) to logits (N, classes). */
static nn_node *mobilenet_v2(nn_model *net, nn_node *image, int classes, float dropout) {
    static const int settings[7][4] = {/* expand, channels, blocks, stride of the first */
                                       {1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                       {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    int number = 1;
    nn_node *x = mobilenet_layer(net, "features.0", image,
                                 (nn_conv2d_desc){.out_channels = 32, .kernel = 3, .stride = 2});
    for (int k = 0; k < 7; k++)
        for (int i = 0; i < settings[k][2]; i++)
            x = mobilenet_block(net, number++, x, settings[k][0], settings[k][1],
                                i == 0 ? settings[k][3] : 1);
    x = mobilenet_layer(net, "features.18", x, (nn_conv2d_desc){.out_channels = 1280, .kernel = 1});
    x = nn_dropout(net, nn_flatten(net, nn_global_avg_pool2d(net, x)), dropout);
    return nn_linear(net, "classifier.1", x, &(nn_linear_desc){.out_features = classes});
}

/* ---- the pictures ---------------------------------------------------------------------------- */

enum { MOBILENET_SIZE = 32, MOBILENET_PLANE = MOBILENET_SIZE * MOBILENET_SIZE };
enum { MOBILENET_CLASSES = 3 }; /* the colour of a ball: red, green, blue */

/* Called by the loader for each sample it wants: to[0] is the picture, to[1] the label. */
static nn_result mobilenet_draw(void *user, int32_t sample, void *const *to) {
    uint64_t number = *(uint64_t *)user + (uint64_t)sample;
    float *picture = to[0];
    uint32_t words[4];
    nn_random_words(11, number, 0, words);
    int label = (int)(words[3] % MOBILENET_CLASSES);
    float radius = 6 + 4 * nn_word_to_uniform(words[0]);
    float middle_x = 10 + 12 * nn_word_to_uniform(words[1]),
          middle_y = 10 + 12 * nn_word_to_uniform(words[2]);
    for (int i = 0; i < MOBILENET_PLANE; i++) {
        float x = (float)(i % MOBILENET_SIZE) - middle_x,
              y = (float)(i / MOBILENET_SIZE) - middle_y;
        float light = 1 - (x * x + y * y) / (radius * radius);
        nn_random_words(11, number, 1 + (uint64_t)i, words);
        for (int c = 0; c < 3; c++) {
            float noise = nn_word_to_uniform(words[c]) - 0.5f;
            picture[c * MOBILENET_PLANE + i] = light > 0 && c == label ? light + noise : noise;
        }
    }
    *(int32_t *)to[1] = label;
    return NN_OK;
}

static nn_loader *mobilenet_pictures(nn_context *nn, uint64_t *first, int count, bool shuffle) {
    nn_dataset *balls = nn_make_dataset(
        nn, &(nn_dataset_desc){.fields =
                                   NN_FIELDS({.name = "image",
                                              .shape = NN_SHAPE(3, MOBILENET_SIZE, MOBILENET_SIZE)},
                                             {.name = "label", .dtype = NN_I32}),
                               .count = count,
                               .get = mobilenet_draw,
                               .user = first});
    return nn_make_loader(nn, &(nn_loader_desc){.dataset = balls, .batch = 16, .shuffle = shuffle});
}

/* ---- training -------------------------------------------------------------------------------- */

int main(int argc, char **argv) {
    bool quick = getenv("NN_SHORT") != NULL;
    uint64_t first_train = 0, first_test = 1000000;
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "mobilenet", .seed = 1});
    nn_node *image =
        nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, MOBILENET_SIZE, MOBILENET_SIZE));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *logits = mobilenet_v2(net, image, MOBILENET_CLASSES, 0.2f);
    if (argc > 1) {
        nn_loaded loaded = {0};
        /* Skips the last layer, whose classes differ: see 13_finetune.c. */
        nn_load_weights(net, argv[1],
                             &(nn_load_weights_desc){.non_strict = true,
                                                     .renames = NN_RENAMES({"classifier.*", NULL}),
                                                     .loaded = &loaded});
        nn_freeze(net, "features.", true);
        printf("%d of %d tensors are from %s\n", loaded.loaded, loaded.tensors, argv[1]);
    }
    nn_loader *train = mobilenet_pictures(nn, &first_train, quick ? 32 : 640, true),
              *test = mobilenet_pictures(nn, &first_test, quick ? 16 : 160, false);
    nn_trainer *trainer =
        nn_make_trainer(net, nn_cross_entropy(net, logits, label, NULL),
                        &(nn_trainer_desc){.batch = 16,
                                           .optimizer = NN_ADAMW,
                                           .learning_rate = 2e-3f,
                                           .weight_decay = 0.05f,
                           .groups = NN_GROUPS({"*", .max_rank = 1, .weight_decay = NN_NONE}),
                                           .metrics = NN_NODES(nn_accuracy(net, logits, label))});
    nn_fit(trainer, train,
           &(nn_fit_desc){.epochs = quick ? 1 : 2,
                          .validation = test,
                          .progress = true,
                          .writer.function = nn_write_stdout});
    if (!nn_error(nn)) nn_save_weights(net, "mobilenet.safetensors");
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
