/* size_typical.c - the parts that most training programs use: a convolution, a pooling, a linear
   layer, cross entropy, Adam, a step on the program's own numbers, saved weights. tools/size.sh
   compiles it in every way, and tools/compile_checks.sh looks for what must not be in it. */
#define NN_STATIC
#include "nn.h"

enum { BATCH = 16, SIDE = 12, CLASSES = 4 };

static float images[BATCH][SIDE * SIDE];
static int32_t labels[BATCH];

/* Draws a bright square in one of the four quarters. */
static void draw(int step) {
    memset(images, 0, sizeof images);
    for (int i = 0; i < BATCH; i++) {
        const int quarter = (i + step) % CLASSES, top = quarter / 2 * 6, left = quarter % 2 * 6;
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++)
                images[i][(top + y + step % 2) * SIDE + left + x + i % 2] = 1.0f;
        labels[i] = quarter;
    }
}

int main(void) {
    float loss = 0.0f;
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "quarters", .seed = 3});
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, SIDE, SIDE));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = nn_conv2d(net, "conv", image,
                           &(nn_conv2d_desc){.out_channels = 8, .kernel = 3, .padding = 1});
    x = nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
    x = nn_linear(net, "fc", nn_flatten(net, x), &(nn_linear_desc){.out_features = CLASSES});
    nn_trainer *trainer = nn_make_trainer(
        net, nn_cross_entropy(net, x, label, NULL),
        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM, .learning_rate = 0.01f});
    for (int step = 0; step < 60; step++) {
        draw(step);
        nn_upload(nn_trainer_plan(trainer), image, images, sizeof images);
        nn_upload(nn_trainer_plan(trainer), label, labels, sizeof labels);
        if (nn_train_on_inputs(trainer) != NN_OK) break;
    }
    nn_read_loss(trainer, &loss);
    nn_save_weights(net, "quarters.safetensors");
    bool failed = nn_error(nn) != NULL || !(loss < 0.1f);
    nn_close(nn);
    return failed;
}
