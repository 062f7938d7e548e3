/* bench/bench_plan.c - how long it takes to make plans of 1,000 and of 10,000 steps: a chain of
   layers, a chain whose layers also read results of much earlier layers, and a training step. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"

#include <stdio.h>
#include <string.h>

/* Returns the time of the library's own clock, so that this program needs no POSIX. */
static double milliseconds(void) {
    static nn_clock clock;
    if (!clock.now) nn__clock_init(&clock);
    return (double)nn__now(&clock) / 1e6;
}

typedef enum form { CHAIN, FAR, TRAINING, FORMS } form;

/* Prints a row: milliseconds for the description, and for the plan. Returns those for the plan;
   less than 0: failed. */
static double measure(form which, int layers) {
    static const char *const names[] = {"chain", "far", "training"};
    enum { WIDTH = 8 };
    static nn_node *kept[1 << 14];
    nn_context *nn = nn_open((const nn_desc *)NULL);
    nn_model *net = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    nn_linear_desc desc;
    double start = milliseconds(), described, planned;
    int steps = 0;
    memset(&desc, 0, sizeof desc);
    desc.out_features = WIDTH;
    for (int i = 0; i < layers; i++) {
        char name[32];
        snprintf(name, sizeof name, "layer%d", i);
        kept[i] = x;
        x = nn_linear(net, name, x, &desc);
        if (which == FAR) x = nn_add(net, nn_tanh(net, x), kept[i / 2]);
    }
    described = milliseconds();
    if (which == TRAINING) {
        nn_trainer_desc trainer;
        memset(&trainer, 0, sizeof trainer);
        trainer.batch = 4;
        nn_trainer *made = nn_make_trainer(net, nn_mean(net, x), &trainer);
        planned = milliseconds();
        nn_start_profile(nn_trainer_plan(made));
        steps = nn_profile_count(nn_trainer_plan(made));
    } else {
        nn_plan_desc plan;
        memset(&plan, 0, sizeof plan);
        plan.outputs = NN_NODES(x);
        plan.batch = 4;
        nn_plan *made = nn_make_plan(net, &plan);
        planned = milliseconds();
        nn_start_profile(made);
        steps = nn_profile_count(made);
    }
    const bool good = !nn_error(nn) && steps > 0;
    printf("  %-10s %6d steps: described in %8.1f ms, planned in %8.1f ms\n", names[which], steps,
           described - start, planned - described);
    if (!good) printf("failed: %s\n", nn_error(nn) ? nn_error(nn) : "no steps");
    nn_close(nn);
    return good ? planned - described : -1;
}

int main(void) {
    printf("plans of 1,000 and 10,000 steps\n");
    for (int which = 0; which < FORMS; which++) {
        const int steps_of_a_layer = which == CHAIN ? 1 : which == FAR ? 2 : 3;
        for (int steps = 1000; steps <= 10000; steps *= 10)
            if (measure((form)which, steps / steps_of_a_layer) < 0) return 1;
    }
    return 0;
}
