/* 18_gan.c - two nets learn against each other: the generator turns noise into points, the
   discriminator tells them from points of a ring. One model holds both; each has a trainer of its
   own, with its loss and its parameters, and no trainer touches what belongs to the other.
   Run:    cc -O2 18_gan.c -o gan -lm -lpthread && ./gan
           NN_DEVICE=opencl:0 chooses the device where it was compiled with -DWITH_OPENCL.
   Prints: both losses and how the points lie, then the points as characters: a ring. */
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
#include <string.h>

enum { BATCH = 128, NOISE = 4, HIDDEN = 64, STEPS = 3000, DRAWN = 1024, SECTORS = 16 };

/* Draws four uniform numbers in (0, 1] that depend on (seed, counter) only. */
static void numbers(uint64_t seed, uint64_t counter, float random[4]) {
    uint32_t words[4];
    nn_random_words(18, seed, counter, words);
    for (int i = 0; i < 4; i++) random[i] = 1.0f - nn_word_to_uniform(words[i]);
}

/* Draws normal numbers (count, NOISE), and points of a ring of radius 1 (count, 2), 0.2 wide at
   most. */
static void draw(uint64_t step, int count, float (*noise)[NOISE], float (*ring)[2]) {
    float u[4];
    for (int n = 0; n < count; n++) {
        for (int i = 0; i < NOISE; i += 2) {
            numbers(2 * step, (uint64_t)(n * NOISE + i), u);
            const float far = sqrtf(-2.0f * logf(u[0])), turn = 6.2831853f * u[1];
            noise[n][i] = far * cosf(turn);
            noise[n][i + 1] = far * sinf(turn);
        }
        if (!ring) continue;
        numbers(2 * step + 1, (uint64_t)n, u);
        const float radius = 1.0f + 0.1f * (u[0] + u[1] - 1.0f), turn = 6.2831853f * u[2];
        ring[n][0] = radius * cosf(turn);
        ring[n][1] = radius * sinf(turn);
    }
}

static nn_node *generate(nn_model *m, nn_node *noise) {
    nn_linear_desc hidden = {.out_features = HIDDEN};
    nn_node *x = nn_relu(m, nn_linear(m, "generator.1", noise, &hidden));
    x = nn_relu(m, nn_linear(m, "generator.2", x, &hidden));
    return nn_linear(m, "generator.3", x, &(nn_linear_desc){.out_features = 2});
}

/* Describes the discriminator, whose result is above 0 for a point of the ring. It is described
   twice, for both kinds of points, with one set of weights. */
static nn_node *judge(nn_model *m, nn_node *point) {
    nn_linear_desc hidden = {.out_features = HIDDEN, .shared = true};
    nn_node *x = nn_linear(m, "discriminator.1", point, &hidden);
    x = nn_linear(m, "discriminator.2",
                  nn_leaky_relu(m, x, &(nn_leaky_relu_desc){.negative_slope = 0.2f}), &hidden);
    return nn_linear(m, "discriminator.3",
                     nn_leaky_relu(m, x, &(nn_leaky_relu_desc){.negative_slope = 0.2f}),
                     &(nn_linear_desc){.out_features = 1, .shared = true});
}

/* Prints how far from the ring the points are (the mean), how many of its sectors they reach, and a
   picture of them. */
static void show(const float (*points)[2], int64_t step, bool picture) {
    char rows[17][35];
    bool hit[SECTORS] = {false};
    int sectors = 0;
    double off = 0.0;
    memset(rows, ' ', sizeof rows);
    for (int n = 0; n < DRAWN; n++) {
        const float *p = points[n], radius = sqrtf(p[0] * p[0] + p[1] * p[1]);
        const int x = (int)floorf((p[0] + 1.4f) / 2.8f * 34.0f);
        const int y = (int)floorf((p[1] + 1.4f) / 2.8f * 17.0f);
        off += (double)fabsf(radius - 1.0f) / DRAWN;
        if (fabsf(radius - 1.0f) < 0.2f)
            hit[(int)((atan2f(p[1], p[0]) + 3.1415927f) / 6.2832f * SECTORS) % SECTORS] = true;
        if (x >= 0 && x < 34 && y >= 0 && y < 17)
            rows[y][x] = rows[y][x] == ' ' ? '.' : rows[y][x] == '.' ? 'o' : '#';
    }
    for (int i = 0; i < SECTORS; i++) sectors += hit[i];
    printf("step %4d  %.3f from the ring, %2d of %d sectors reached\n", (int)step, off, sectors,
           SECTORS);
    for (int y = 0; y < 17 && picture; y++) printf("%.34s\n", rows[y]);
}

int main(void) {
    static float noise[DRAWN][NOISE], ring[BATCH][2], points[DRAWN][2];
    const int steps = getenv("NN_SHORT") ? STEPS / 5 : STEPS;
    const char *name = getenv("NN_DEVICE");
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_device device = nn_cpu();
#ifdef WITH_OPENCL
    if (name) nn_opencl_open(nn, NULL);
#endif
    if (name) nn_parse_device(nn, name, &device);

    nn_model *m = nn_make_model(nn, &(nn_model_desc){.name = "gan", .device = device, .seed = 1});
    nn_node *z = nn_input(m, "noise", NN_F32, NN_SHAPE(NN_BATCH, NOISE));
    nn_node *real = nn_input(m, "real", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node *fake = generate(m, z), *right = judge(m, real), *wrong = judge(m, fake);
    /* Binary cross entropy: softplus(-x) is that of a logit x with target 1, softplus(x) with 0. */
    nn_node *loss_d = nn_expression(m, "softplus(-right) + softplus(wrong)", right, wrong);
    nn_node *loss_g = nn_expression(m, "softplus(-wrong)", wrong);

    nn_trainer_desc desc = {
        .batch = BATCH, .optimizer = NN_ADAM, .learning_rate = 1e-3f, .beta1 = 0.5f};
    desc.parameters = NN_TEXTS("discriminator.");
    nn_trainer *discriminator = nn_make_trainer(m, nn_mean(m, loss_d), &desc);
    desc.parameters = NN_TEXTS("generator.");
    nn_trainer *generator = nn_make_trainer(m, nn_mean(m, loss_g), &desc);
    nn_plan *draw_points =
        nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(fake), .batch = DRAWN});

    for (int step = 1; step <= steps && !nn_error(nn); step++) {
        draw((uint64_t)step, BATCH, noise, ring);
        nn_upload(nn_trainer_plan(discriminator), z, noise, sizeof noise[0] * BATCH);
        nn_upload(nn_trainer_plan(discriminator), real, ring, sizeof ring);
        nn_train_on_inputs(discriminator);
        nn_upload(nn_trainer_plan(generator), z, noise, sizeof noise[0] * BATCH);
        nn_train_on_inputs(generator);
        if (step % (steps / 5) != 0) continue;
        nn_report d = {0}, g = {0};
        nn_read_report(discriminator, &d);
        nn_read_report(generator, &g);
        printf("loss of the discriminator %.3f, of the generator %.3f; ", d.loss, g.loss);
        draw(0, DRAWN, noise, NULL);
        nn_upload(draw_points, z, noise, sizeof noise);
        nn_run(draw_points);
        if (nn_download(draw_points, fake, points, sizeof points) == NN_OK)
            show((const float(*)[2])points, step, step == steps);
    }
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
