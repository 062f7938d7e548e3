/* 14_lstm.c - an LSTM reads a signal and says at every step what comes next. Nobody tells it that
   the signals are sums of two waves: it learns that from examples, and then it continues alone,
   each guess being its next input.
   Run:    cc -O2 14_lstm.c -o lstm -lm -lpthread && ./lstm
           NN_DEVICE=opencl:0 chooses the device where it was compiled with -DWITH_OPENCL.
   Prints: the error, the error of "the next value is the last one", then a signal that it has not
   seen: what it was given, the truth that follows, and what it says. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_sequence.h"
#ifdef WITH_OPENCL
#define NN_OPENCL_DYNAMIC
#define NN_OPENCL_IMPLEMENTATION
#include "../nn_opencl.h"
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 32, TIME = 48, HIDDEN = 32, STEPS = 600, SEEN = 24 };

/* Returns value `at` of a signal, which is two waves of random lengths and phases. */
static float signal_at(uint64_t which, int at) {
    uint32_t words[4];
    float    u[4];
    nn_random_words(14, which, 0, words);
    for (int i = 0; i < 4; i++) u[i] = nn_word_to_uniform(words[i]);
    const float slow = 0.25f + 0.15f * u[0], fast = 0.7f + 0.3f * u[1];
    return 0.6f * sinf(slow * (float)at + 6.28f * u[2]) +
           0.4f * sinf(fast * (float)at + 6.28f * u[3]);
}

/* Fills x with values 0 ... TIME - 1 of BATCH signals, and y with the value after each. Returns the
   error of the forecast that nothing changes. */
static float draw(uint64_t first, float (*x)[TIME], float (*y)[TIME]) {
    float sum = 0;
    for (int n = 0; n < BATCH; n++)
        for (int t = 0; t < TIME; t++) {
            x[n][t] = signal_at(first + (uint64_t)n, t);
            y[n][t] = signal_at(first + (uint64_t)n, t + 1);
            sum += (y[n][t] - x[n][t]) * (y[n][t] - x[n][t]);
        }
    return sum / (BATCH * TIME);
}

static void bar(const char *what, int at, float value) {
    printf("%3d  %s  %*s*\n", at, what, (int)lroundf(20.0f + 20.0f * fmaxf(-1, fminf(1, value))),
           "");
}

int main(void) {
    static float x[BATCH][TIME], y[BATCH][TIME], guesses[TIME], given[TIME];
    nn_context  *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_device    device = nn_cpu();
    const int    steps = getenv("NN_SHORT") ? 150 : STEPS;
    float        loss = 0, naive = 0;
#ifdef WITH_OPENCL
    nn_opencl_open(nn, NULL);
#endif
    if (getenv("NN_DEVICE") && nn_parse_device(nn, getenv("NN_DEVICE"), &device) != NN_OK) {
        nn_close(nn); /* the log has said why */
        return 1;
    }
    nn_model *net =
        nn_make_model(nn, &(nn_model_desc){.name = "lstm", .device = device, .seed = 14});
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 1));
    nn_node *next = nn_input(net, "next", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 1));
    nn_node *state = nn_lstm(net, "lstm", in, &(nn_lstm_desc){.hidden_size = HIDDEN});
    nn_node *guess = nn_linear(net, "out", state, &(nn_linear_desc){.out_features = 1});
    nn_node *error = nn_mse_loss(net, guess, next, NULL);

    nn_trainer *trainer = nn_make_trainer(
        net, error,
        &(nn_trainer_desc){
            .batch = BATCH, .time = TIME, .optimizer = NN_ADAM, .learning_rate = 0.01f});
    for (int step = 1; step <= steps; step++) { /* new signals in every step */
        naive = draw((uint64_t)(step * BATCH), x, y);
        nn_upload(nn_trainer_plan(trainer), in, x, sizeof x);
        nn_upload(nn_trainer_plan(trainer), next, y, sizeof y);
        if (nn_train_on_inputs(trainer) != NN_OK) break;
        if (step % 150 == 0 && nn_read_loss(trainer, &loss) == NN_OK)
            printf("step %3d  error %.5f, of \"as before\" %.5f\n", step, (double)loss,
                   (double)naive);
    }

    /* A signal whose first values it is given; then each guess is the next input. The time is free:
       one plan runs sequences of any length up to TIME. */
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(guess), .time = TIME});
    for (int t = 0; t < SEEN; t++) given[t] = signal_at(7, t);
    for (int t = SEEN; t < TIME; t++) {
        nn_set_time(plan, t);
        nn_upload(plan, in, given, sizeof *given * (size_t)t);
        if (nn_run(plan) != NN_OK) break;
        nn_download(plan, guess, guesses, sizeof *guesses * (size_t)t);
        given[t] = guesses[t - 1];
    }
    for (int t = 0; t < SEEN + 16; t++) {
        if (t < SEEN && t % 3) continue;
        bar(t < SEEN ? "given" : "true ", t, signal_at(7, t));
        if (t >= SEEN) bar("says ", t, given[t]);
    }
    const bool failed = nn_error(nn) != NULL || loss > naive / 10;
    nn_close(nn);
    return failed;
}
