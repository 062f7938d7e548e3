/* 20_loss.c - a loss of your own, written as an expression: its gradient is derived, and it is one
   kernel on every device. A line is found through points of which a quarter are wrong. The built-in
   Huber loss and the same one as a text agree; a third text, which gives little weight to points
   that are far off, finds the line in spite of the wrong points.
   Run:    cc -O2 20_loss.c -o loss -lm -lpthread && ./loss
           NN_DEVICE=opencl:0 chooses the device where it was compiled with -DWITH_OPENCL.
   Prints: the line that each loss finds, and how much the two Huber losses differ. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#ifdef WITH_OPENCL
#define NN_OPENCL_DYNAMIC
#define NN_OPENCL_IMPLEMENTATION
#include "../nn_opencl.h"
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 200, STEPS = 600 };

typedef struct found {
    float slope, offset, loss;
    float gradient; /* of the slope, before the first step */
} found;

/* The losses to compare: expressions of what the line says (y) and what was measured (t). */
typedef enum { SQUARED, HUBER, HUBER_TEXT, CAUCHY, LOSSES } kind;
static const char *const names[LOSSES] = {"nn_mse_loss", "nn_huber_loss", "Huber as a text",
                                          "Cauchy as a text"};

static nn_node *describe(nn_model *m, kind k, nn_node *y, nn_node *t) {
    switch (k) {
    case SQUARED: return nn_mse_loss(m, y, t, NULL);
    case HUBER: return nn_huber_loss(m, y, t, &(nn_huber_desc){.delta = 0.5f});
    case HUBER_TEXT: /* in the words of C; y - t is written three times, and computed once */
        return nn_mean(m, nn_expression(m,
                                        "abs(y - t) < 0.5 ? (y - t)^2 / 2 : "
                                        "0.5 * (abs(y - t) - 0.25)",
                                        y, t));
    default: /* the number has a name, so another width uses the same kernel */
        return nn_mean(m, nn_make_expression(
                              m, &(nn_expression_desc){.text = "y, t: log1p(((y - t) / width)^2)",
                                                       .inputs = NN_NODES(y, t),
                                                       .number_names = NN_TEXTS("width"),
                                                       .numbers = NN_NUMBERS(0.2f)}));
    }
}

/* Draws points of the line 2 x - 0.5, with some noise; every fourth is far too high. */
static void measure(float (*x)[1], float (*t)[1]) {
    uint32_t words[4];
    for (int i = 0; i < POINTS; i++) {
        nn_random_words(20, 0, (uint64_t)i, words);
        x[i][0] = 2.0f * nn_word_to_uniform(words[0]) - 1.0f;
        t[i][0] = 2.0f * x[i][0] - 0.5f + 0.1f * (nn_word_to_uniform(words[1]) - 0.5f);
        if (i % 4 == 0) t[i][0] += 2.0f + 3.0f * nn_word_to_uniform(words[2]);
    }
}

static found find(nn_context *nn, nn_device device, kind k, const float (*x)[1],
                  const float (*t)[1]) {
    found f = {0};
    const float none = 0.0f;
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.name = "line", .device = device});
    nn_node *at = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_node *measured = nn_input(m, "t", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_node *y = nn_linear(m, "line", at, &(nn_linear_desc){.out_features = 1});
    nn_trainer *trainer = nn_make_trainer(
        m, describe(m, k, y, measured),
        &(nn_trainer_desc){
            .batch = POINTS, .optimizer = NN_ADAM, .learning_rate = 0.02f, .gradients = true});
    nn_tensor *slope = nn_find_tensor(m, "line.weight"), *offset = nn_find_tensor(m, "line.bias");
    nn_upload_tensor(slope, &none, sizeof none); /* all begin with a flat line */
    nn_upload_tensor(offset, &none, sizeof none);
    nn_upload(nn_trainer_plan(trainer), at, x, sizeof *x * POINTS);
    nn_upload(nn_trainer_plan(trainer), measured, t, sizeof *t * POINTS);
    nn_train_on_inputs(trainer);
    nn_read_gradient(trainer, "line.weight", &f.gradient, sizeof f.gradient);
    for (int step = 1; step < STEPS; step++) nn_train_on_inputs(trainer);
    nn_read_loss(trainer, &f.loss);
    nn_download_tensor(slope, &f.slope, sizeof f.slope);
    nn_download_tensor(offset, &f.offset, sizeof f.offset);
    nn_free_model(m);
    return f;
}

int main(void) {
    static float x[POINTS][1], t[POINTS][1];
    found f[LOSSES];
    const char *name = getenv("NN_DEVICE");
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_device device = nn_cpu();
#ifdef WITH_OPENCL
    if (name) nn_opencl_open(nn, NULL);
#endif
    if (name) nn_parse_device(nn, name, &device);

    measure(x, t);
    printf("%-18s  y = 2.000 x - 0.500\n", "the points");
    for (int k = 0; k < LOSSES; k++) {
        f[k] = find(nn, device, (kind)k, (const float(*)[1])x, (const float(*)[1])t);
        printf("%-18s  y = %.3f x %c %.3f  loss %.4f\n", names[k], (double)f[k].slope,
               f[k].offset < 0.0f ? '-' : '+', fabs((double)f[k].offset), (double)f[k].loss);
    }
    const found *a = &f[HUBER], *b = &f[HUBER_TEXT];
    printf("nn_huber_loss and the text differ by %.1g in the first gradient, %.1g in the line, "
           "%.1g in the loss\n",
           fabs((double)(a->gradient - b->gradient)),
           fmax(fabs((double)(a->slope - b->slope)), fabs((double)(a->offset - b->offset))),
           fabs((double)(a->loss - b->loss)));
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
