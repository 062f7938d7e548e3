/* size_digits.c - a program that learns pictures with nn_fit: a dataset in memory, two loaders, two
   convolutions, accuracy, Adam, a table of epochs. tools/size.sh compiles it in every way. */
#define NN_STATIC
#include "nn.h"

enum { COUNT = 640, SIDE = 28, CLASSES = 10 };

static unsigned char images[COUNT][SIDE * SIDE];
static int32_t labels[COUNT];

/* Draws as many bars as the label says, at places that depend on the picture's number. */
static void draw(void) {
    for (int i = 0; i < COUNT; i++) {
        labels[i] = i % CLASSES;
        for (int bar = 0; bar < labels[i]; bar++)
            for (int y = 2 + i / CLASSES % 5; y < 24; y++)
                images[i][y * SIDE + 1 + 2 * bar + i / 50 % 7] = 255;
    }
}

static nn_loader *make_loader(nn_context *nn, int first, int count, bool shuffle) {
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = count,
                .fields = NN_FIELDS(
                    {.name = "image", .shape = NN_SHAPE(1, SIDE, SIDE), .data = images[first],
                     .data_dtype = NN_U8, .scale = 1.0f / 255},
                    {.name = "label", .dtype = NN_I32, .data = labels + first})});
    return nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = 64, .seed = 1,
                                                .shuffle = shuffle});
}

int main(void) {
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    draw();
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "bars", .seed = 1});
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, SIDE, SIDE));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = nn_conv2d(net, "conv1", image,
                           &(nn_conv2d_desc){.out_channels = 16, .kernel = 3, .padding = 1});
    x = nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
    x = nn_conv2d(net, "conv2", x,
                  &(nn_conv2d_desc){.out_channels = 32, .kernel = 3, .padding = 1});
    x = nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
    x = nn_linear(net, "fc", nn_flatten(net, x), &(nn_linear_desc){.out_features = CLASSES});
    nn_trainer *trainer = nn_make_trainer(
        net, nn_cross_entropy(net, x, label, NULL),
        &(nn_trainer_desc){.batch = 64, .optimizer = NN_ADAM, .learning_rate = 1e-3f,
                           .metrics = NN_NODES(nn_accuracy(net, x, label))});
    nn_fit(trainer, make_loader(nn, 0, 512, true),
           &(nn_fit_desc){.epochs = 2, .validation = make_loader(nn, 512, 128, false),
                          .progress = true, .writer.function = nn_write_stdout});
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
