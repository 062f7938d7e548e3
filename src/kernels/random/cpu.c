/* kernels/random/cpu.c - fills a tensor with uniform random numbers: Philox words, which are the
   same on every device and in any order. Dropout does not use it: its program draws random numbers
   itself (RANDOM). The generator is in base/random.h. */
#include "kernels/random/cpu.h"
#include "kernels/random/vector.h"

#define NN__RANDOM_UNIT 16384 /* numbers; a multiple of 4 */

static int nn__random_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_random_args *args = (const nn_random_args *)arguments;
    (void)cpu;
    return phase == 0 ? (int)((nn__count(&args->y) + NN__RANDOM_UNIT - 1) / NN__RANDOM_UNIT) : 0;
}

static void nn__random_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                            void *shared, void *own) {
    const nn_random_args *args = (const nn_random_args *)arguments;
    const int64_t i = (int64_t)unit * NN__RANDOM_UNIT,
                  end = nn__min64(i + NN__RANDOM_UNIT, nn__count(&args->y));
    (void)phase, (void)shared, (void)own;
    NN__OF_NARROW(cpu, nn__random_loops)->fill(args, nn__f32(&args->y), i, end);
}
#undef NN__RANDOM_UNIT

static const nn__cpu_kernel nn__random_kernel = {nn__random_units, nn__random_unit, NULL, NULL,
                                                 NULL};

NN_PRIVATE void nn__install_random(nn_context *nn) {
    NN__CPU_INSTALL(nn, RANDOM, random, &nn__random_kernel);
}
