/* 34_keywords.c - a net that hears words, for a microcontroller: it computes the spectrum of the
   sound itself, and its plan becomes C constants.
   Run:    cc -O2 34_keywords.c -o keywords -lm -lpthread && ./keywords
           --to keywords.h     where the plan goes (default: keywords.h)
           NN_SHORT=1 trains less, only to show that it works.
   Prints: the accuracy on drawn words in f32, and with the layers after the spectrum in 8-bit
           integers; the size of the plan.

   - Spectrum. Frames of 128 samples are multiplied by the cosines and sines of 65 frequencies, under
     a Hann window: a convolution with constant weights. Squares are added to 20 bands as wide as
     the ear's (mel), and their logarithm is the picture that the net sees.
   - Plan. nn_write_plan_c prints tensors, steps and weights as constants. A firmware includes the
     text after nn.h, writes 4096 samples to keywords_sound, calls keywords_run and reads
     keywords_scores: examples/firmware/keywords.c does. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_quantize.h"
#define NN_ONNX_IMPLEMENTATION
#include "../nn_onnx.h"
#include "draw_words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME = 128, HOP = 64, BINS = FRAME / 2 + 1, BANDS = 20 };
enum { FRAMES = (WORD_SAMPLES - FRAME) / HOP + 1 };

static float dft[2 * BINS][FRAME], mel[BANDS][2 * BINS];

/* Fills the weights of the spectrum: rows of cosines, then rows of sines, and the bands. */
static void make_spectrum(void) {
    const double pi = 3.14159265358979323846, top = 1127.0 * log(1.0 + WORD_RATE / 2.0 / 700.0);
    for (int k = 0; k < BINS; k++)
        for (int i = 0; i < FRAME; i++) {
            const double window = 0.5 - 0.5 * cos(2 * pi * i / FRAME), at = 2 * pi * k * i / FRAME;
            dft[k][i] = (float)(window * cos(at));
            dft[BINS + k][i] = (float)(window * sin(at));
        }
    for (int k = 0; k < BINS; k++) { /* triangles at equal distances in mel */
        const double hertz = (double)k * WORD_RATE / FRAME;
        const double at = 1127.0 * log(1.0 + hertz / 700.0) / top * (BANDS + 1);
        for (int band = 0; band < BANDS; band++) {
            const double share = 1.0 - fabs(at - (band + 1));
            mel[band][k] = mel[band][BINS + k] = (float)(share > 0.0 ? share : 0.0);
        }
    }
}

static nn_loader *make_loader(nn_context *nn, uint32_t seed, int count) {
    float *sound = malloc(sizeof(float) * (size_t)count * WORD_SAMPLES);
    int32_t *word = malloc(sizeof(int32_t) * (size_t)count);
    if (!sound || !word) exit(1);
    for (int i = 0; i < count; i++) {
        word[i] = i % WORDS;
        draw_word(i % WORDS, seed + (uint32_t)i, sound + (size_t)i * WORD_SAMPLES);
    }
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = count,
                .fields = NN_FIELDS(
                    {.name = "sound", .shape = NN_SHAPE(1, WORD_SAMPLES), .data = sound},
                    {.name = "word", .dtype = NN_I32, .data = word})});
    return nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = 25, .shuffle = true});
}

/* Describes the net; returns the scores of the words. */
static nn_node *describe(nn_model *net, nn_node **sound) {
    *sound = nn_input(net, "sound", NN_F32, NN_SHAPE(NN_BATCH, 1, WORD_SAMPLES));
    nn_node *y = nn_conv1d(net, "dft", *sound,
                           &(nn_conv1d_desc){.out_channels = 2 * BINS, .kernel = FRAME,
                                             .stride = HOP, .no_bias = true});
    y = nn_conv1d(net, "mel", nn_multiply(net, y, y),
                  &(nn_conv1d_desc){.out_channels = BANDS, .kernel = 1, .no_bias = true});
    nn_freeze(net, "dft.", true);
    nn_freeze(net, "mel.", true);
    y = nn_expression(net, "y: 0.2 * log(y + 1e-4)", y);
    y = nn_reshape(net, y, NN_SHAPE(NN_BATCH, 1, BANDS, FRAMES));
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"conv1", "conv2", "conv3"};
        y = nn_relu(net, nn_conv2d(net, names[i], y,
                                   &(nn_conv2d_desc){.out_channels = 8 << i, .kernel = 3,
                                                     .stride = 2, .padding = 1}));
    }
    y = nn_flatten(net, nn_adaptive_avg_pool2d(net, y, 1, 1));
    return nn_linear(net, "scores", y, &(nn_linear_desc){.out_features = WORDS});
}

/* Returns the share of words that a model hears correctly. */
static double accuracy(nn_model *net, nn_node *sound, nn_node *scores, nn_loader *test) {
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(scores), .batch = 25});
    float    heard[25][WORDS];
    int32_t  word[25];
    int      right = 0, all = 0;
    if (!plan) return 0;
    nn_start_epoch(test, 0);
    while (nn_next_batch(test)) {
        nn_bind(plan, sound, nn_batch_tensor(test, "sound"));
        nn_run(plan);
        nn_download(plan, scores, heard, sizeof heard);
        nn_download_tensor(nn_batch_tensor(test, "word"), word, sizeof word);
        for (int i = 0; i < nn_loader_batch(test); i++, all++) {
            int best = 0;
            for (int k = 1; k < WORDS; k++) best = heard[i][k] > heard[i][best] ? k : best;
            right += best == word[i];
        }
    }
    nn_free_plan(plan);
    return all ? (double)right / all : 0;
}

int main(int count, char **words) {
    const bool  quick = getenv("NN_SHORT") != NULL;
    const char *path = count > 2 && strcmp(words[1], "--to") == 0 ? words[2] : "keywords.h";
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_loader  *train = make_loader(nn, 1, quick ? 500 : 2000);
    nn_loader  *test = make_loader(nn, 100000, 500);
    nn_model   *net = nn_make_model(nn, NULL);
    nn_node    *sound, *scores = describe(net, &sound);
    nn_node    *word = nn_input(net, "word", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node    *loss = nn_cross_entropy(net, scores, word, NULL);
    nn_trainer *trainer = nn_make_trainer(
        net, loss, &(nn_trainer_desc){.batch = 25, .optimizer = NN_ADAM, .learning_rate = 4e-3f});
    make_spectrum();
    nn_upload_tensor(nn_find_tensor(net, "dft.weight"), dft, sizeof dft);
    nn_upload_tensor(nn_find_tensor(net, "mel.weight"), mel, sizeof mel);
    if (!trainer || nn_fit(trainer, train, &(nn_fit_desc){.epochs = quick ? 15 : 12}) < 0)
        return 1;
    printf("f32: %.1f %% right\n", 100 * accuracy(net, sound, scores, test));
    nn_model *integers = nn_quantize_net(
        net, train, &(nn_quantize_net_desc){.batches = 4, .skip = NN_TEXTS("dft", "mel"),
                                            .outputs = NN_NODES(scores)});
    if (!integers) return 1;
    nn_node *heard = nn_copied_node(integers, scores);
    printf("integers after the spectrum: %.1f %% right\n",
           100 * accuracy(integers, nn_copied_node(integers, sound), heard, test));
    FILE *file = fopen(path, "w");
    if (!file) return 1;
    nn_result result = nn_write_plan_c(
        integers, &(nn_plan_c_desc){.name = "keywords", .outputs = NN_NODES(heard),
                                    .output_names = NN_TEXTS("scores"),
                                    .writer = {.function = nn_write_file, .user = file}});
    printf("plan: %ld bytes of text in %s\n", ftell(file), path);
    fclose(file);
    nn_close(nn);
    return result == NN_OK ? 0 : 1;
}
