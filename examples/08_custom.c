/* 08_custom.c - an operation of your own with gradients of your own: swish with learned slopes,
   y = x sigmoid(beta x), one beta for each feature (Ramachandran, Zoph, Le, "Searching for
   activation functions", 2017).
   Run:    cc -O2 08_custom.c -o custom -lm -lpthread && ./custom
   Prints: the gradient of beta beside finite differences, then the loss of a net that learns its
   betas too. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include <math.h>
#include <stdio.h>

enum { BATCH = 32, WIDTH = 8 };

/* On the CPU a view is a pointer and an offset. */
static float *values(nn_view view) { return (float *)(void *)((char *)view.handle + view.offset); }
static float  sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

/* y (batch, WIDTH) from x (batch, WIDTH) and beta (WIDTH) */
static nn_result swish(void *user, const nn_custom_args *args) {
    float       *y = values(args->output);
    const float *x = values(args->input[0]), *beta = values(args->input[1]);
    (void)user;
    for (int i = 0; i < args->output.shape.extent[0] * WIDTH; i++)
        y[i] = x[i] * sigmoid(beta[i % WIDTH] * x[i]);
    return NN_OK;
}

/* dx from dy, y, x, beta */
static nn_result swish_dx(void *user, const nn_custom_args *args) {
    float       *dx = values(args->output);
    const float *dy = values(args->input[0]), *x = values(args->input[2]),
                *beta = values(args->input[3]);
    (void)user;
    for (int i = 0; i < args->output.shape.extent[0] * WIDTH; i++) {
        float s = sigmoid(beta[i % WIDTH] * x[i]);
        dx[i] = dy[i] * (s + beta[i % WIDTH] * x[i] * s * (1.0f - s));
    }
    return NN_OK;
}

/* dbeta from the same: summed over the batch */
static nn_result swish_dbeta(void *user, const nn_custom_args *args) {
    float       *dbeta = values(args->output);
    const float *dy = values(args->input[0]), *x = values(args->input[2]),
                *beta = values(args->input[3]);
    (void)user;
    for (int k = 0; k < WIDTH; k++) dbeta[k] = 0;
    for (int i = 0; i < args->input[2].shape.extent[0] * WIDTH; i++) {
        float s = sigmoid(beta[i % WIDTH] * x[i]);
        dbeta[i % WIDTH] += dy[i] * x[i] * x[i] * s * (1.0f - s);
    }
    return NN_OK;
}

int main(void) {
    float xs[BATCH], ys[BATCH], beta[WIDTH], changed[WIDTH], loss = 0, low = 0, high = 0;
    for (int n = 0; n < BATCH; n++) {
        xs[n] = -2.0f + 4.0f * (float)n / BATCH;
        ys[n] = fabsf(xs[n]) - 1.0f;
    }
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_model   *net = nn_make_model(nn, &(nn_model_desc){.name = "swish", .seed = 1});
    nn_node    *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_node *target = nn_input(net, "target", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_node    *before = nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = WIDTH});
    nn_node    *slope = nn_parameter(net, "swish.beta", NN_SHAPE(WIDTH), 0.8f, 1.2f);
    nn_node    *active = nn_custom(net, "swish", &(nn_custom_desc){
        .inputs = NN_NODES(before, slope), .shape = NN_SHAPE(NN_BATCH, WIDTH),
        .function = swish, .gradients = NN_CUSTOM_FUNCTIONS(swish_dx, swish_dbeta)});
    nn_node    *y = nn_linear(net, "fc2", active, &(nn_linear_desc){.out_features = 1});
    nn_node    *error = nn_mse_loss(net, y, target, NULL);

    /* Plain SGD with a rate of 1 subtracts the gradient itself: what a step changes is compared
       with the loss. */
    nn_plan *measure =
        nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(error), .batch = BATCH});
    nn_tensor *betas = nn_find_tensor(net, "swish.beta");
    nn_download_tensor(betas, beta, sizeof beta);
    nn_upload(measure, x, xs, sizeof xs);
    nn_upload(measure, target, ys, sizeof ys);
    float by_differences[WIDTH];
    for (int k = 0; k < WIDTH; k++) {
        for (int side = -1; side <= 1; side += 2) {
            for (int i = 0; i < WIDTH; i++)
                changed[i] = beta[i] + (i == k ? 0.01f * (float)side : 0.0f);
            nn_upload_tensor(betas, changed, sizeof changed);
            nn_run(measure);
            nn_download(measure, error, side < 0 ? &low : &high, sizeof low);
        }
        by_differences[k] = (high - low) / 0.02f;
    }
    nn_upload_tensor(betas, beta, sizeof beta);
    nn_trainer *trainer =
        nn_make_trainer(net, error, &(nn_trainer_desc){.batch = BATCH, .learning_rate = 1.0f});
    nn_upload(nn_trainer_plan(trainer), x, xs, sizeof xs);
    nn_upload(nn_trainer_plan(trainer), target, ys, sizeof ys);
    nn_train_on_inputs(trainer);
    nn_download_tensor(betas, changed, sizeof changed);
    float worst = 0;
    for (int k = 0; k < WIDTH; k++) {
        float gradient = beta[k] - changed[k], difference = fabsf(gradient - by_differences[k]);
        worst = difference > worst ? difference : worst;
        printf("beta[%d]  gradient %8.5f  by differences %8.5f\n", k, (double)gradient,
               (double)by_differences[k]);
    }
    nn_set_learning_rate(trainer, 0.1f);
    for (int step = 1; step <= 2000; step++) {
        nn_train_on_inputs(trainer);
        if (step % 500 == 0 && nn_read_loss(trainer, &loss) == NN_OK)
            printf("step %4d  loss %.5f\n", step, (double)loss);
    }
    bool failed = nn_error(nn) != NULL || worst > 1e-3f || loss > 0.01f;
    nn_close(nn);
    return failed;
}
