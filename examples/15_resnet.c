/* 15_resnet.c - ResNet-18, described as torchvision describes it: parameters and running statistics
   have the names of torchvision.models.resnet18, so that its files can be loaded.
   Run:    cc -O2 15_resnet.c -o resnet -lm -lpthread && ./resnet
           ./resnet weights.safetensors      what a trained net says to four pictures; the file may
           come from PyTorch: safetensors.torch.save_file(net.state_dict(), "weights.safetensors")
   Prints: loss and accuracy while a net of an eighth of the width learns four patterns that the
   program draws, which takes a few seconds; then the class that the net sees in a picture of each.
   Leaves: resnet.safetensors. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the net --------------------------------------------------------------------------------- */

typedef struct resnet_desc {
    int classes, width; /* width: channels of the first layer; 64 is ResNet-18 */
    bool cifar;         /* a first layer of 3x3 and no pool after it, for pictures of 32x32 */
} resnet_desc;

static nn_node *resnet_conv_norm(nn_model *net, const char *block, const char *conv,
                                 const char *norm, nn_node *x, nn_conv2d_desc desc) {
    char name[64];
    desc.padding = desc.kernel / 2;
    desc.no_bias = true;
    snprintf(name, sizeof name, "%s%s", block, conv);
    x = nn_conv2d(net, name, x, &desc);
    snprintf(name, sizeof name, "%s%s", block, norm);
    return nn_batch_norm2d(net, name, x, NULL);
}

/* Describes two convolutions and adds x to their result: the class BasicBlock. */
static nn_node *resnet_block(nn_model *net, const char *block, nn_node *x, int planes, int stride) {
    nn_node *identity = x;
    nn_conv2d_desc conv1 = {.out_channels = planes, .kernel = 3, .stride = stride},
                   conv2 = {.out_channels = planes, .kernel = 3},
                   narrow = {.out_channels = planes, .kernel = 1, .stride = stride};
    if (stride != 1 || nn_node_shape(x).extent[1] != planes)
        identity = resnet_conv_norm(net, block, "downsample.0", "downsample.1", x, narrow);
    x = resnet_conv_norm(net, block, "conv1", "bn1", x, conv1);
    x = resnet_conv_norm(net, block, "conv2", "bn2", nn_relu(net, x), conv2);
    return nn_relu(net, nn_add(net, x, identity));
}

/* image (N, 3, H, W) to logits (N, classes). */
static nn_node *resnet18(nn_model *net, nn_node *image, const resnet_desc *desc) {
    nn_conv2d_desc first = {.out_channels = desc->width, .kernel = 7, .stride = 2};
    if (desc->cifar) first.kernel = 3, first.stride = 1;
    nn_node *x = nn_relu(net, resnet_conv_norm(net, "", "conv1", "bn1", image, first));
    if (!desc->cifar)
        x = nn_max_pool2d(net, x, &(nn_pool2d_desc){.kernel = 3, .stride = 2, .padding = 1});
    for (int layer = 0; layer < 4; layer++)
        for (int block = 0; block < 2; block++) {
            char name[32];
            snprintf(name, sizeof name, "layer%d.%d.", layer + 1, block);
            x = resnet_block(net, name, x, desc->width << layer, layer > 0 && block == 0 ? 2 : 1);
        }
    x = nn_flatten(net, nn_global_avg_pool2d(net, x));
    return nn_linear(net, "fc", x, &(nn_linear_desc){.out_features = desc->classes});
}

/* Finds which net a file holds, by the shapes of its first and its last layer. */
static resnet_desc resnet_in(nn_context *nn, const char *path) {
    nn_safetensors *file = nn_open_safetensors(nn, path);
    int first = nn_safetensors_find(file, "conv1.weight"),
        last = nn_safetensors_find(file, "fc.weight");
    resnet_desc desc = {0};
    if (first >= 0 && last >= 0) {
        nn_shape shape = nn_safetensors_at(file, first).shape;
        desc.width = shape.extent[0], desc.cifar = shape.extent[2] == 3;
        desc.classes = nn_safetensors_at(file, last).shape.extent[0];
    }
    nn_close_safetensors(file);
    return desc;
}

/* ---- the pictures ---------------------------------------------------------------------------- */

enum { RESNET_SIZE = 32, RESNET_PLANE = RESNET_SIZE * RESNET_SIZE, RESNET_CLASSES = 4 };
static const char *const resnet_classes[RESNET_CLASSES] = {"stripes", "rings", "checks", "rays"};

/* Called by the loader for each sample it wants: to[0] is the picture, to[1] the label. */
static nn_result resnet_draw(void *user, int32_t sample, void *const *to) {
    uint64_t number = *(uint64_t *)user + (uint64_t)sample;
    float *picture = to[0], u[12];
    uint32_t words[12];
    int32_t label = sample % RESNET_CLASSES;
    for (int i = 0; i < 12; i += 4) nn_random_words(9, number, (uint64_t)i, words + i);
    for (int i = 0; i < 12; i++) u[i] = nn_word_to_uniform(words[i]);
    float turn = 6.2832f * u[0], fine = 0.7f + 0.5f * u[1];
    for (int i = 0; i < RESNET_PLANE; i++) {
        float x = (float)(i % RESNET_SIZE) - 8 - 16 * u[2],
              y = (float)(i / RESNET_SIZE) - 8 - 16 * u[3];
        float along = x * cosf(turn) + y * sinf(turn), across = y * cosf(turn) - x * sinf(turn);
        float wave = label == 0   ? sinf(fine * along)
                     : label == 1 ? sinf(fine * sqrtf(x * x + y * y))
                     : label == 2 ? sinf(fine * along) * sinf(fine * across)
                                  : sinf(7 * atan2f(across, along));
        nn_random_words(9, number, 16 + (uint64_t)i, words);
        for (int c = 0; c < 3; c++) /* its colour, a grey background, noise */
            picture[c * RESNET_PLANE + i] =
                u[4 + c] * wave + u[8 + c] + nn_word_to_uniform(words[c]) - 1;
    }
    *(int32_t *)to[1] = label;
    return NN_OK;
}

static nn_loader *resnet_pictures(nn_context *nn, uint64_t *first, int count, bool shuffle) {
    nn_dataset_desc drawn = {
        .fields = NN_FIELDS({.name = "image", .shape = NN_SHAPE(3, RESNET_SIZE, RESNET_SIZE)},
                   {.name = "label", .dtype = NN_I32}),
        .count = count, .get = resnet_draw, .user = first};
    nn_loader_desc desc = {.dataset = nn_make_dataset(nn, &drawn), .batch = 32, .shuffle = shuffle};
    return nn_make_loader(nn, &desc);
}

/* ---- training and looking -------------------------------------------------------------------- */

static void resnet_train(nn_context *nn, nn_model *net, nn_node *logits, bool quick) {
    uint64_t first_train = 0, first_test = 1000000;
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_loader *train = resnet_pictures(nn, &first_train, quick ? 64 : 1280, true),
              *test = resnet_pictures(nn, &first_test, quick ? 32 : 256, false);
    nn_trainer_desc desc = {.batch = 32,
                            .learning_rate = 0.05f,
                            .momentum = 0.9f,
                            .weight_decay = 5e-4f,
                            .metrics = NN_NODES(nn_accuracy(net, logits, label)),
                            .schedule = {.kind = NN_SCHEDULE_COSINE, .steps = 120},
                            /* Biases and the weights of norms do not decay. */
                            .groups = NN_GROUPS({"*", .max_rank = 1, .weight_decay = NN_NONE})};
    nn_trainer *trainer = nn_make_trainer(net, nn_cross_entropy(net, logits, label, NULL), &desc);
    nn_fit(trainer, train,
           &(nn_fit_desc){.epochs = quick ? 1 : 3, .validation = test, .progress = true,
                          .writer.function = nn_write_stdout});
    nn_save_weights(net, "resnet.safetensors");
}

/* Prints what the net says to a picture of each kind. Its norms use the running statistics. */
static void resnet_look(nn_model *net, nn_node *image, nn_node *logits) {
    static float pictures[RESNET_CLASSES][3 * RESNET_PLANE];
    int32_t label, best[RESNET_CLASSES];
    uint64_t first = 2000000;
    nn_node *top = nn_argmax(net, logits, NN_AXES(1));
    nn_plan *plan =
        nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(top), .batch = RESNET_CLASSES});
    for (int k = 0; k < RESNET_CLASSES; k++)
        resnet_draw(&first, k, (void *[]){pictures[k], &label});
    nn_upload(plan, image, pictures, sizeof pictures);
    nn_run(plan);
    if (nn_download(plan, top, best, sizeof best) != NN_OK) return;
    for (int k = 0; k < RESNET_CLASSES; k++)
        printf("%-8s the net says class %d\n", resnet_classes[k], (int)best[k]);
}

int main(int argc, char **argv) {
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    resnet_desc desc = {.classes = RESNET_CLASSES, .width = 8, .cifar = true};
    if (argc > 1) desc = resnet_in(nn, argv[1]);
    if (desc.width == 0) printf("%s is no ResNet-18\n", argv[1]);
    nn_model *net = desc.width ? nn_make_model(nn, &(nn_model_desc){.name = "resnet18"}) : NULL;
    nn_shape shape = NN_SHAPE(NN_BATCH, 3, RESNET_SIZE, RESNET_SIZE);
    nn_node *image = nn_input(net, "image", NN_F32, shape);
    nn_node *logits = resnet18(net, image, &desc);
    if (argc > 1) nn_load_weights(net, argv[1], NULL);
    else resnet_train(nn, net, logits, getenv("NN_SHORT") != NULL);
    printf("%d parameter tensors, %lld numbers\n", nn_parameter_count(net),
           (long long)nn_parameter_elements(net));
    if (!nn_error(nn)) resnet_look(net, image, logits);
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
