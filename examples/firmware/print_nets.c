/* print_nets.c - trains the nets of this folder on your PC, and prints them for the boards.
   Run:    make firmware, or: cc -O2 print_nets.c -o print_nets -lm -lpthread && ./print_nets
   Leaves: digits.h    the plan of a net in 8-bit integers that reads digits
           features.h  the weights of the same net in f32, for last_layer.c
           anomaly.h   the plan of an autoencoder in 8-bit integers; ANOMALY_LIMIT, the error beyond
                       which a machine is taken for a broken one */
#define NN_IMPLEMENTATION
#include "../../nn.h"
#include "../../nn_quantize.h"
#define NN_ONNX_IMPLEMENTATION
#include "../../nn_onnx.h"
#include "../draw_digits.h"
#include "../draw_words.h"
#include "../draw_tiny.h"
#include "nets.h"
#include <stdlib.h>

enum { DIGITS = 4000, MACHINES = 4000, BATCH = 50, WIDTH = 5 * TINY_MACHINE };

/* label: NULL without. */
static nn_loader *load(nn_context *nn, int count, nn_field x, const int32_t *label) {
    const nn_fields alone = NN_FIELDS(x),
                    both = NN_FIELDS(x, {.name = "label", .dtype = NN_I32, .data = label});
    nn_dataset *data =
        nn_make_dataset(nn, &(nn_dataset_desc){.count = count, .fields = label ? both : alone});
    return nn_make_loader(
        nn, &(nn_loader_desc){.dataset = data, .batch = BATCH, .seed = 1, .shuffle = true});
}

static bool fit(nn_model *net, nn_node *loss, nn_loader *loader, int epochs) {
    nn_trainer *trainer = nn_make_trainer(
        net, loss,
        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM, .learning_rate = 2e-3f});
    return trainer && nn_fit(trainer, loader, &(nn_fit_desc){.epochs = epochs}) >= 0;
}

/* Turns a net into integers and prints its plan. The file stays open. */
static FILE *write_plan(nn_model *net, nn_loader *loader, nn_node *y, const char *name,
                        const char *output, bool integers_in_and_out) {
    char path[32];
    nn_model *integers =
        nn_quantize_net(net, loader,
                        &(nn_quantize_net_desc){.batches = 10,
                                                .outputs = NN_NODES(y),
                                                .integer_inputs = integers_in_and_out,
                                                .integer_outputs = integers_in_and_out});
    snprintf(path, sizeof path, "%s.h", name);
    FILE *file = integers ? fopen(path, "w") : NULL;
    if (!file) return NULL;
    nn_write_plan_c(integers,
                    &(nn_plan_c_desc){.name = name,
                                      .outputs = NN_NODES(nn_copied_node(integers, y)),
                                      .output_names = NN_TEXTS(output),
                                      .writer = {.function = nn_write_file, .user = file}});
    return file;
}

static bool write_digits(nn_context *nn, bool quick) {
    static unsigned char pixels[DIGITS][DIGIT_PIXELS];
    static int32_t labels[DIGITS];
    for (int i = 0; i < DIGITS; i++) draw_digit(labels[i] = i % 10, 1, (uint64_t)i, pixels[i]);
    nn_loader *loader = load(nn, quick ? 1000 : DIGITS,
                             (nn_field){.name = "image",
                                        .shape = NN_SHAPE(1, 28, 28),
                                        .data = pixels,
                                        .data_dtype = NN_U8,
                                        .scale = 1.0f / 255},
                             labels);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "digits", .seed = 1});
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *scores =
        nn_linear(net, "fc2", describe_features(net, image), &(nn_linear_desc){.out_features = 10});
    if (!fit(net, nn_cross_entropy(net, scores, label, NULL), loader, quick ? 2 : 6)) return false;
    FILE *file = fopen("features.h", "w");
    if (!file) return false;
    nn_write_weights(net, "features", (nn_writer){.function = nn_write_file, .user = file});
    fclose(file);
    file = write_plan(net, loader, scores, "digits", "scores", true);
    return file && fclose(file) == 0;
}

static bool write_anomaly(nn_context *nn, bool quick) {
    static float spectra[MACHINES][WIDTH];
    static float y[MACHINES][WIDTH];
    double mean = 0, square = 0;
    const int count = quick ? 500 : MACHINES;
    for (int i = 0; i < count; i++) tiny_machine(i, false, spectra[i]);
    nn_loader *loader =
        load(nn, count, (nn_field){.name = "x", .shape = NN_SHAPE(WIDTH), .data = spectra}, NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "anomaly", .seed = 1});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH)), *out = x;
    for (int i = 0; i < 4; i++) {
        char name[8];
        snprintf(name, sizeof name, "fc%d", i + 1);
        out = nn_linear(net, name, out,
                        &(nn_linear_desc){.out_features = i == 3   ? WIDTH
                                                          : i == 1 ? 8
                                                                   : 64});
        if (i < 3) out = nn_relu(net, out);
    }
    if (!fit(net, nn_mse_loss(net, out, x, NULL), loader, quick ? 4 : 30)) return false;
    /* Two deviations above the mean error of machines that run well. */
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out), .batch = count});
    if (nn_upload(plan, x, spectra, sizeof spectra[0] * (size_t)count) != NN_OK ||
        nn_run(plan) != NN_OK || nn_download(plan, out, y, sizeof y[0] * (size_t)count) != NN_OK)
        return false;
    for (int i = 0; i < count; i++) {
        double error = 0;
        for (int k = 0; k < WIDTH; k++)
            error += (double)(y[i][k] - spectra[i][k]) * (y[i][k] - spectra[i][k]) / WIDTH;
        mean += error / count;
        square += error * error / count;
    }
    FILE *file = write_plan(net, loader, out, "anomaly", "y", false);
    if (!file) return false;
    fprintf(file, "#define ANOMALY_LIMIT %.6ff\n", mean + 2 * sqrt(square - mean * mean));
    return fclose(file) == 0;
}

int main(void) {
    const bool quick = getenv("NN_SHORT") != NULL;
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    const bool fine = write_digits(nn, quick) && write_anomaly(nn, quick) && !nn_error(nn);
    nn_close(nn);
    return fine ? 0 : 1;
}
