/* 17_unet.c - a U-Net that finds balls among boxes: it says for each pixel of a noisy picture
   whether it belongs to a ball. The way down halves the picture and doubles the channels; the way
   up does the opposite, and at each level also reads the result of the way down there.
   Run:    cc -O2 17_unet.c -o unet -lm -lpthread && ./unet
           ./unet weights.safetensors      begins with the weights of that file
   Prints: loss and intersection over union of each epoch, then a picture, its balls, and those that
           the net finds.
   Leaves: unet.safetensors, with the parameter names of github.com/milesial/Pytorch-UNet. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_more.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the net --------------------------------------------------------------------------------- */

/* Describes convolution, norm and activation, twice: the class DoubleConv, whose parts are 0 to
   5. */
static nn_node *unet_double_conv(nn_model *net, const char *block, nn_node *x, int out) {
    for (int part = 0; part < 6; part += 3) {
        char name[80];
        snprintf(name, sizeof name, "%s.double_conv.%d", block, part);
        x = nn_conv2d(
            net, name, x,
            &(nn_conv2d_desc){.out_channels = out, .kernel = 3, .padding = 1, .no_bias = true});
        snprintf(name, sizeof name, "%s.double_conv.%d", block, part + 1);
        x = nn_relu(net, nn_batch_norm2d(net, name, x, NULL));
    }
    return x;
}

/* image (N, C, H, W), H and W multiples of 2^levels, to logits (N, classes, H, W). width: channels
   at the top; 64 and 4 levels in the paper (Ronneberger, Fischer and Brox, 2015). */
static nn_node *unet(nn_model *net, nn_node *image, int classes, int width, int levels) {
    nn_node *across[8], *x = unet_double_conv(net, "inc", image, width);
    char name[32];
    for (int i = 0; i < levels; i++) {
        across[i] = x;
        x = nn_max_pool2d(net, x, &(nn_pool2d_desc){.kernel = 2});
        snprintf(name, sizeof name, "down%d.maxpool_conv.1", i + 1);
        x = unet_double_conv(net, name, x, width << (i + 1));
    }
    for (int i = levels - 1; i >= 0; i--) {
        snprintf(name, sizeof name, "up%d.up", levels - i);
        x = nn_conv_transpose2d(
            net, name, x,
            &(nn_conv_transpose2d_desc){.out_channels = width << i, .kernel = 2, .stride = 2});
        snprintf(name, sizeof name, "up%d.conv", levels - i);
        x = unet_double_conv(net, name, nn_concat(net, NN_NODES(across[i], x), 1), width << i);
    }
    return nn_conv2d(net, "outc.conv", x, &(nn_conv2d_desc){.out_channels = classes, .kernel = 1});
}

/* Returns one minus Dice's coefficient of probabilities and target, over the whole batch: it does
   not depend on how much of the picture is background. */
static nn_node *unet_dice(nn_model *net, nn_node *probability, nn_node *target) {
    nn_node *both = nn_sum(net, nn_multiply(net, probability, target), NN_ALL_AXES),
            *sum = nn_add(net, nn_sum(net, probability, NN_ALL_AXES),
                          nn_sum(net, target, NN_ALL_AXES));
    return nn_expression(net, "1 - (2 * both + 1) / (sum + 1)", both, sum);
}

/* ---- the pictures ---------------------------------------------------------------------------- */

enum { UNET_SIZE = 48, UNET_PIXELS = UNET_SIZE * UNET_SIZE };

/* Called by the loader for each sample it wants: to[0] is the picture, to[1] what is to be found.
 */
static nn_result unet_draw(void *user, int32_t sample, void *const *to) {
    uint64_t number = *(uint64_t *)user + (uint64_t)sample;
    float *picture = to[0], *target = to[1], u[4];
    uint32_t words[4];
    for (int i = 0; i < UNET_PIXELS; i++) {
        nn_random_words(13, number, 16 + (uint64_t)i, words);
        picture[i] = 0.6f * (nn_word_to_uniform(words[0]) - 0.5f);
        target[i] = 0;
    }
    for (int shape = 0; shape < 5; shape++) { /* a later one covers the earlier ones */
        bool ball = shape % 2 == 0;
        nn_random_words(13, number, (uint64_t)shape, words);
        for (int k = 0; k < 4; k++) u[k] = nn_word_to_uniform(words[k]);
        float radius = 4 + 5 * u[0], ink = 0.5f + 0.5f * u[3];
        for (int i = 0; i < UNET_PIXELS; i++) {
            float x = (float)(i % UNET_SIZE) - UNET_SIZE * u[1],
                  y = (float)(i / UNET_SIZE) - UNET_SIZE * u[2];
            if (ball ? x * x + y * y > radius * radius : fmaxf(fabsf(x), fabsf(y)) > 0.85f * radius)
                continue;
            nn_random_words(13, number, 16 + (uint64_t)i, words);
            picture[i] = ink + 0.6f * (nn_word_to_uniform(words[0]) - 0.5f);
            target[i] = ball;
        }
    }
    return NN_OK;
}

static nn_loader *unet_pictures(nn_context *nn, uint64_t *first, int count, bool shuffle) {
    nn_dataset *shapes = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .fields = NN_FIELDS({.name = "image", .shape = NN_SHAPE(1, UNET_SIZE, UNET_SIZE)},
                           {.name = "target", .shape = NN_SHAPE(1, UNET_SIZE, UNET_SIZE)}),
                .count = count,
                .get = unet_draw,
                .user = first});
    return nn_make_loader(nn,
                          &(nn_loader_desc){.dataset = shapes, .batch = 16, .shuffle = shuffle});
}

/* ---- training and looking -------------------------------------------------------------------- */

static void unet_look(nn_model *net, nn_node *image, nn_node *probability, uint64_t first) {
    static float picture[UNET_PIXELS], target[UNET_PIXELS], found[UNET_PIXELS];
    nn_plan *plan =
        nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(probability), .batch = 1});
    unet_draw(&first, 1, (void *[]){picture, target});
    nn_upload(plan, image, picture, sizeof picture);
    nn_run(plan);
    if (nn_download(plan, probability, found, sizeof found) != NN_OK) return;
    for (int y = 0; y < UNET_SIZE; y += 2, putchar('\n'))
        for (int column = 0; column < 3 * UNET_SIZE; column++) {
            int i = y * UNET_SIZE + column % UNET_SIZE;
            float light = picture[i] < 0 ? 0 : picture[i] > 0.99f ? 0.99f : picture[i];
            putchar(column < UNET_SIZE       ? " .:-=+*#%@"[(int)(light * 10)]
                    : column < 2 * UNET_SIZE ? " @"[target[i] > 0.5f]
                                             : " @"[found[i] > 0.5f]);
        }
}

int main(int argc, char **argv) {
    bool quick = getenv("NN_SHORT") != NULL;
    uint64_t first_train = 0, first_test = 1000000;
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "unet", .seed = 1});
    nn_shape shape = NN_SHAPE(NN_BATCH, 1, UNET_SIZE, UNET_SIZE);
    nn_node *image = nn_input(net, "image", NN_F32, shape);
    nn_node *target = nn_input(net, "target", NN_F32, shape);
    nn_node *logits = unet(net, image, 1, 8, 3);
    nn_node *probability = nn_sigmoid(net, logits);
    nn_node *loss = nn_add(net, nn_bce_with_logits(net, logits, target, NULL),
                           unet_dice(net, probability, target));
    if (argc > 1) nn_load_weights(net, argv[1], NULL);
    nn_loader *train = unet_pictures(nn, &first_train, quick ? 32 : 640, true),
              *test = unet_pictures(nn, &first_test, quick ? 16 : 160, false);
    nn_trainer *trainer =
        nn_make_trainer(net, loss,
                        &(nn_trainer_desc){.batch = 16,
                                           .optimizer = NN_ADAM,
                                           .learning_rate = 2e-3f,
                                           .metrics = NN_NODES(nn_iou(net, probability, target))});
    for (int epoch = 1; epoch <= (quick ? 1 : 4) && !nn_error(nn); epoch++) {
        nn_report learned, tested;
        while (nn_next_batch(train)) nn_train_step(trainer, train);
        if (nn_read_report(trainer, &learned) != NN_OK ||
            nn_evaluate(trainer, test, &tested) != NN_OK)
            break;
        printf("epoch %d  loss %.3f  intersection over union %.3f  of new pictures %.3f\n", epoch,
               learned.loss, learned.metrics[0], tested.metrics[0]);
    }
    if (!nn_error(nn)) unet_look(net, image, probability, first_test);
    if (!nn_error(nn)) nn_save_weights(net, "unet.safetensors");
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
