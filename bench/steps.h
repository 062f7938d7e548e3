/* bench/steps.h - measures how long each step of a plan takes at its best. It looks into the plan,
   so the program must contain the implementation. */
#ifndef BENCH_STEPS_H
#define BENCH_STEPS_H

#include <stdio.h>

/* Runs all kernels of the plan in order, repeatedly, and keeps the least time of each. It uses the
   library's own clock, so that programs need no POSIX. */
static void measure_steps(nn_plan *plan, double seconds) {
    enum { MOST = 512 };
    static double least[MOST];
    double total = 0;
    nn_clock clock = {0};
    nn__clock_init(&clock);
    const uint64_t end = nn__now(&clock) + (uint64_t)(seconds * 1e9);
    if (plan->step_count > MOST) return;
    for (int i = 0; i < plan->step_count; i++) least[i] = 1e30;
    for (int round = 0; round < 5 || nn__now(&clock) < end; round++)
        for (int i = 0; i < plan->step_count; i++) {
            nn__step *step = &plan->steps[i];
            const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
            nn_range all = {0, -1};
            if (step->node->rule->kernel == NN_KERNEL_NONE || nn__weight_cache_skips(step))
                continue;
            const uint64_t before = nn__now(&clock);
            nn__call_kernel(open, step->node->rule->kernel, step->args, all);
            const double took = (double)(nn__now(&clock) - before) / 1000;
            if (took < least[i]) least[i] = took;
        }
    for (int i = 0; i < plan->step_count; i++) total += least[i] < 1e30 ? least[i] : 0;
    for (int i = 0; i < plan->step_count; i++) {
        const nn__step *step = &plan->steps[i];
        if (least[i] < 1e30)
            printf("    %-26s%s%-10s %-32s %10.2f us %5.1f %% %8.1f GFLOP/s\n",
                   step->node->rule->name, step->fused ? "+" : " ",
                   step->fused ? step->fused->rule->name : "",
                   (step->output >= 0 ? plan->values[step->output].node : step->node)->name,
                   least[i], 100 * least[i] / total, step->flops / least[i] / 1000);
    }
    printf("    %d steps, together %.2f us\n", plan->step_count, total);
}

#endif
