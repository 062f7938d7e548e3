/* 04_shapes_cnn.c - the classic small image CNN on coloured 64x64 pictures, which a function draws
   when the loader asks for them; none is stored.
   Run:    cc -O2 04_shapes_cnn.c -o shapes -lm -lpthread && ./shapes
   Prints: what the net needs, loss and accuracy by epoch, and two pictures with the net's
   opinion. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 64, PIXELS = SIZE * SIZE, KINDS = 4 };
static const char *const kinds[KINDS] = {"circle", "square", "triangle", "cross"};

/* True if (x, y), measured from the middle in units of the radius, is inside. */
static bool inside(int kind, float x, float y) {
    switch (kind) {
    case 0: return x * x + y * y < 1.0f;
    case 1: return fabsf(x) < 0.85f && fabsf(y) < 0.85f;
    case 2: return y < 0.8f && fabsf(x) < 0.55f * (y + 1.0f);
    default: return (fabsf(x) < 0.3f && fabsf(y) < 1.0f) || (fabsf(y) < 0.3f && fabsf(x) < 1.0f);
    }
}

/* Draws four random numbers in [0, 1) that depend only on the sample and the counter. */
static void numbers(uint64_t sample, uint64_t counter, float random[4]) {
    uint32_t words[4];
    nn_random_words(7, sample, counter, words);
    for (int i = 0; i < 4; i++) random[i] = nn_word_to_uniform(words[i]);
}

/* Called by the loader for each sample it wants: to[0] is the picture (3, 64, 64), to[1] the label.
   `user` points to the number of the first sample. */
static nn_result draw(void *user, int32_t sample, void *const *to) {
    uint64_t number = *(uint64_t *)user + (uint64_t)sample;
    float   *picture = to[0], place[4], ink[4], paper[4], noise[4];
    int32_t *label = to[1];
    *label = sample % KINDS;
    numbers(number, 0, place);
    numbers(number, 1, ink);
    numbers(number, 2, paper);
    float radius = 12.0f + 8.0f * place[0];
    float middle_x = 26.0f + 12.0f * place[1], middle_y = 26.0f + 12.0f * place[2];
    for (int i = 0; i < PIXELS; i++) {
        float x = ((float)(i % SIZE) - middle_x) / radius,
              y = ((float)(i / SIZE) - middle_y) / radius;
        bool  in = inside(*label, x, y);
        numbers(number, 3 + (uint64_t)i, noise);
        for (int c = 0; c < 3; c++) {
            float colour = in ? 0.4f + 0.6f * ink[c] : 0.5f * paper[c];
            picture[c * PIXELS + i] = colour + 0.4f * (noise[c] - 0.5f);
        }
    }
    return NN_OK;
}

static nn_loader *make_loader(nn_context *nn, uint64_t *first, int count, bool shuffle) {
    nn_dataset *pictures = nn_make_dataset(
        nn,
        &(nn_dataset_desc){.fields = NN_FIELDS({.name = "image", .shape = NN_SHAPE(3, SIZE, SIZE)},
                                               {.name = "label", .dtype = NN_I32}),
                           .count = count,
                           .get = draw,
                           .user = first});
    return nn_make_loader(nn,
                          &(nn_loader_desc){.dataset = pictures, .batch = 32, .shuffle = shuffle});
}

/* Prints one picture, coarsely, and the kind that the net sees in it. */
static void show(nn_model *net, nn_node *image, nn_node *logits, uint64_t first, int sample) {
    static float picture[3 * PIXELS];
    float        scores[KINDS];
    int32_t      label;
    int          best = 0;
    draw(&first, sample, (void *[]){picture, &label});
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(logits), .batch = 1});
    nn_upload(plan, image, picture, sizeof picture);
    if (nn_run(plan) != NN_OK || nn_download(plan, logits, scores, sizeof scores) != NN_OK) return;
    for (int k = 1; k < KINDS; k++) best = scores[k] > scores[best] ? k : best;
    for (int y = 0; y < SIZE; y += 4, putchar('\n'))
        for (int x = 0; x < SIZE; x += 2) {
            const float *p = picture + y * SIZE + x;
            float        light = (p[0] + p[PIXELS] + p[2 * PIXELS]) / 3.0f;
            putchar(" .:-=+*#%@"[light < 0.0f ? 0 : light > 0.99f ? 9 : (int)(light * 10.0f)]);
        }
    printf("a %s; the net says %s\n", kinds[label], kinds[best]);
    nn_free_plan(plan);
}

int main(void) {
    bool        quick = getenv("NN_SHORT") != NULL;
    uint64_t    first_train = 0, first_test = 1000000;
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_model   *net = nn_make_model(nn, &(nn_model_desc){.name = "cnn", .seed = 1});
    nn_node    *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, SIZE, SIZE));
    nn_node    *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node    *x = nn_conv2d(net, "conv1", image,
                              &(nn_conv2d_desc){.out_channels = 16, .kernel = 3, .padding = 1});
    x = nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
    /* The linear layer finds its number of features, 16 * 32 * 32, itself. */
    nn_node *logits =
        nn_linear(net, "fc", nn_flatten(net, x), &(nn_linear_desc){.out_features = KINDS});
    nn_node *loss = nn_cross_entropy(net, logits, label, NULL),
            *accuracy = nn_accuracy(net, logits, label);

    nn_loader  *train = make_loader(nn, &first_train, quick ? 128 : 3200, true);
    nn_loader *test = make_loader(nn, &first_test, quick ? 64 : 400, false);
    nn_trainer *trainer = nn_make_trainer(
        net, loss, &(nn_trainer_desc){.batch = 32, .optimizer = NN_ADAM, .learning_rate = 5e-4f,
                                      .metrics = NN_NODES(accuracy)});
    printf("%d parameter tensors, %lld numbers; a step needs %llu more bytes\n",
           nn_parameter_count(net), (long long)nn_parameter_elements(net),
           (unsigned long long)nn_plan_allocated(nn_trainer_plan(trainer), nn_cpu()));
    /* This loop does what nn_fit does. */
    for (int epoch = 1; epoch <= (quick ? 1 : 5) && !nn_error(nn); epoch++) {
        nn_report learned, tested;
        while (nn_next_batch(train)) nn_train_step(trainer, train);
        if (nn_read_report(trainer, &learned) != NN_OK ||
            nn_evaluate(trainer, test, &tested) != NN_OK)
            break;
        printf("epoch %d  loss %.3f  accuracy %5.1f %%  on new pictures %5.1f %%\n", epoch,
               learned.loss, 100 * learned.metrics[0], 100 * tested.metrics[0]);
    }
    for (int sample = 1; sample < 3; sample++) show(net, image, logits, first_test, sample);
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
