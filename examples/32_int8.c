/* 32_int8.c - a trained net in 8-bit integers: a quarter of the memory, and the same bytes on every
   processor.
   Run:    cc -O2 32_int8.c -o int8 -lm -lpthread && ./int8
           NN_SHORT=1 trains less, only to show that it works.
   Prints: the accuracy of a small CNN on drawn digits in f32; the report of nn_quantize_net, with
           the error of each layer; the accuracy in integers, and after training with roundings;
           the time of one digit in both nets; the sizes of both files.
   Leaves: digits_f32.safetensors and digits_int8.safetensors. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_quantize.h"
#include "draw_digits.h"
#include <stdlib.h>
#include <time.h>

static nn_loader *make_loader(nn_context *nn, uint64_t seed, int count) {
    unsigned char *pixels = malloc((size_t)count * DIGIT_PIXELS), *labels = malloc((size_t)count);
    if (!pixels || !labels) exit(1);
    for (int i = 0; i < count; i++) {
        labels[i] = (unsigned char)(i % 10);
        draw_digit(i % 10, seed, (uint64_t)i, pixels + (size_t)i * DIGIT_PIXELS);
    }
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = count,
                .fields = NN_FIELDS(
                    {.name = "image", .shape = NN_SHAPE(1, 28, 28), .data = pixels,
                     .data_dtype = NN_U8, .scale = 1.0f / 255},
                    {.name = "label", .dtype = NN_I32, .data = labels, .data_dtype = NN_U8})});
    return nn_make_loader(
        nn, &(nn_loader_desc){.dataset = dataset, .batch = 50, .seed = 1, .shuffle = seed == 1});
}

/* Returns the share of digits that a model classifies correctly. *time_of_one becomes the time of
   one digit in microseconds. */
static double accuracy(nn_model *net, nn_node *image, nn_node *logits, nn_loader *test,
                       double *time_of_one) {
    float    scores[50][10];
    int32_t  labels[50];
    int      right = 0, all = 0;
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(logits), .batch = 50});
    nn_plan *single = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(logits)});
    if (!plan || !single) return 0;
    nn_start_epoch(test, 0);
    while (nn_next_batch(test)) {
        int batch = nn_loader_batch(test);
        nn_bind(plan, image, nn_batch_tensor(test, "image"));
        nn_run(plan);
        nn_download(plan, logits, scores, (size_t)batch * sizeof scores[0]);
        nn_download_tensor(nn_batch_tensor(test, "label"), labels,
                           (size_t)batch * sizeof labels[0]);
        for (int i = 0; i < batch; i++, all++) {
            int best = 0;
            for (int k = 1; k < 10; k++) best = scores[i][k] > scores[i][best] ? k : best;
            right += best == labels[i];
        }
    }
    float digit[28 * 28] = {0};
    nn_upload(single, image, digit, sizeof digit);
    nn_run(single);
    clock_t start = clock();
    for (int i = 0; i < 200; i++) nn_run(single);
    *time_of_one = (double)(clock() - start) * 1e6 / CLOCKS_PER_SEC / 200;
    nn_free_plan(plan);
    nn_free_plan(single);
    return all ? (double)right / all : 0;
}

static long file_bytes(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    fseek(file, 0, SEEK_END);
    long bytes = ftell(file);
    fclose(file);
    return bytes;
}

int main(void) {
    bool        quick = getenv("NN_SHORT") != NULL;
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr, .threads = 1});
    nn_loader  *train = make_loader(nn, 1, quick ? 500 : 4000);
    nn_loader  *test = make_loader(nn, 2, quick ? 200 : 1000);

    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "digits", .seed = 1});
    nn_node  *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    nn_node  *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node  *x = nn_conv2d(net, "conv1", image,
                            &(nn_conv2d_desc){.out_channels = 16, .kernel = 3, .padding = 1});
    x = nn_max_pool2d(net, nn_relu(net, nn_batch_norm2d(net, "norm1", x, NULL)),
                      &(nn_pool2d_desc){.kernel = 2});
    x = nn_conv2d(net, "conv2", x,
                  &(nn_conv2d_desc){.out_channels = 32, .kernel = 3, .padding = 1});
    x = nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
    x = nn_relu(net,
                nn_linear(net, "fc1", nn_flatten(net, x), &(nn_linear_desc){.out_features = 64}));
    nn_node    *logits = nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = 10});
    nn_node    *error = nn_cross_entropy(net, logits, label, NULL);
    nn_trainer *trainer = nn_make_trainer(
        net, error,
        &(nn_trainer_desc){.batch = 50, .optimizer = NN_ADAM, .learning_rate = 2e-3f});
    nn_fit(trainer, train, &(nn_fit_desc){.epochs = quick ? 1 : 4});

    double time, integer_time;
    printf("f32: %.1f %% right\n\n", 100 * accuracy(net, image, logits, test, &time));

    /* 500 training digits (10 batches of 50) show the range of every value */
    nn_model *integers = nn_quantize_net(
        net, train,
        &(nn_quantize_net_desc){.batches = 10, .outputs = NN_NODES(logits),
                                .report.function = nn_write_stdout});
    if (!integers) return 1;
    printf("\nintegers: %.1f %% right\n",
           100 * accuracy(integers, nn_copied_node(integers, image),
                          nn_copied_node(integers, logits), test, &integer_time));

    /* the copy of nn_prepare_qat rounds as the integers do while it learns a little more */
    nn_model *rounded = nn_prepare_qat(net, train, &(nn_quantize_net_desc){.batches = 10});
    if (!rounded) return 1;
    nn_node *loss = nn_copied_node(rounded, error);
    trainer = nn_make_trainer(
        rounded, loss,
        &(nn_trainer_desc){.batch = 50, .optimizer = NN_ADAM, .learning_rate = 2e-4f});
    nn_fit(trainer, train, &(nn_fit_desc){.epochs = 1});
    nn_model *trained = nn_quantize_net(rounded, NULL, NULL);
    if (!trained) return 1;
    nn_node *rounded_image = nn_copied_node(rounded, image),
            *rounded_logits = nn_copied_node(rounded, logits);
    printf("integers, after an epoch of training with roundings: %.1f %% right\n",
           100 * accuracy(trained, nn_copied_node(trained, rounded_image),
                          nn_copied_node(trained, rounded_logits), test, &integer_time));
    nn_save_weights(net, "digits_f32.safetensors");
    nn_save_weights(integers, "digits_int8.safetensors");
    printf("one digit: %.0f us in f32, %.0f us in integers\n", time, integer_time);
    printf("files: %ld bytes in f32, %ld in integers\n", file_bytes("digits_f32.safetensors"),
           file_bytes("digits_int8.safetensors"));
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
