/* 01_regression.c - a net learns the curve y = sin(3 x) from 64 points: describe, train and run it.
   Run:    cc -O2 01_regression.c -o regression -lm -lpthread && ./regression
   Prints: the loss as it falls below 0.001, then the curve and the net's answers side by side. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include <math.h>
#include <stdio.h>

int main(void) {
    float xs[64], ys[64], answers[64], loss = 0;
    for (int i = 0; i < 64; i++) {
        xs[i] = -1.0f + (float)i / 31.5f;
        ys[i] = sinf(3.0f * xs[i]);
    }
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr}); /* mistakes, in words */
    nn_model   *net = nn_make_model(nn, &(nn_model_desc){.name = "regression", .seed = 1});
    nn_node    *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_node    *y = nn_input(net, "y", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_node *hidden =
        nn_tanh(net, nn_linear(net, "hidden", x, &(nn_linear_desc){.out_features = 32}));
    nn_node    *guess = nn_linear(net, "out", hidden, &(nn_linear_desc){.out_features = 1});

    nn_node    *error = nn_mse_loss(net, guess, y, NULL);
    nn_trainer *trainer = nn_make_trainer(
        net, error, &(nn_trainer_desc){.batch = 64, .optimizer = NN_ADAM, .learning_rate = 0.01f});
    nn_upload(nn_trainer_plan(trainer), x, xs, sizeof xs);
    nn_upload(nn_trainer_plan(trainer), y, ys, sizeof ys);
    for (int step = 1; step <= 1000 && nn_train_on_inputs(trainer) == NN_OK; step++)
        if (step % 200 == 0 && nn_read_loss(trainer, &loss) == NN_OK)
            printf("step %4d  loss %.6f\n", step, (double)loss);

    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(guess), .batch = 64});
    nn_upload(plan, x, xs, sizeof xs);
    nn_run(plan);
    if (nn_download(plan, guess, answers, sizeof answers) == NN_OK)
        for (int i = 0; i < 64; i += 9)
            printf("x %6.3f  sin %6.3f  net %6.3f\n", (double)xs[i], (double)ys[i],
                   (double)answers[i]);

    bool failed = nn_error(nn) != NULL || loss > 0.001f;
    nn_close(nn);
    return failed;
}
