/* test_schedules.c - learning rates of 60 steps against PyTorch's schedulers
   (tests/golden/schedules.py), by nn_scheduled_rate and by a trainer that steps. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"

#include "golden/schedules.h"

enum { SCHEDULES = sizeof golden_schedules / sizeof golden_schedules[0], STEPS = 60 };

/* 4 ulp of a float; PyTorch computes in double. */
static void compare(int k, int step, const char *how, double rate) {
    double wanted = golden_schedules[k].rate[step];
    if (fabs(rate - wanted) > 4 * 1.2e-7 * (double)golden_schedules[k].learning_rate)
        test_fail(__FILE__, __LINE__, "schedule %d, step %d (%s): the rate is %.9g, PyTorch's %.9g",
                  k, step, how, rate, wanted);
}

static void rates_are_pytorchs(void) {
    for (int k = 0; k < SCHEDULES; k++)
        for (int step = 0; step < STEPS; step++)
            compare(k, step, "nn_scheduled_rate",
                    (double)nn_scheduled_rate(&golden_schedules[k].schedule,
                                              golden_schedules[k].learning_rate, step));
}

/* The rate of each step is what SGD takes away of a parameter whose gradient is 1. */
static void trainers_step_with_them(void) {
    nn_context *nn = nn_open(NULL);
    for (int k = 0; k < SCHEDULES; k++) {
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *w = nn_parameter(net, "w", NN_SHAPE(1), 0, 0);
        nn_trainer_desc desc = {.schedule = golden_schedules[k].schedule,
                                .learning_rate = golden_schedules[k].learning_rate};
        nn_trainer *trainer = nn_make_trainer(net, nn_sum(net, w), &desc);
        float *value = (float *)nn_tensor_data(nn_find_tensor(net, "w"));
        ENSURE(trainer && value);
        for (int step = 0; step < STEPS; step++) {
            compare(k, step, "nn_learning_rate", (double)nn_learning_rate(trainer));
            value[0] = 0;
            nn_step(trainer);
            compare(k, step, "a step", -(double)value[0]);
        }
        if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        nn_free_model(net);
    }
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(rates_are_pytorchs);
    RUN(trainers_step_with_them);
    return test_report();
}
