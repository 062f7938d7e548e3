/* kernels/custom/cpu.c - a user's own operation. It is one unit, which runs on the calling thread,
   and the result of the user's function is passed on. */
#include "cpu/private.h"

static int nn__custom_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu, (void)args;
    return phase == 0 ? 1 : 0;
}

/* Never called: run() calls the user's function directly, because a unit returns no result. */
static void nn__custom_unit(const nn__cpu *cpu, const void *args, int phase, int unit, void *shared,
                            void *own) {
    (void)cpu, (void)args, (void)phase, (void)unit, (void)shared, (void)own;
}

static const char *nn__custom_refuses(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return ((const nn_custom_args *)args)->function
               ? NULL
               : "the custom operation has no function for the CPU; set .function";
}

static nn_result nn__custom_run(void *state, nn_kernel kernel, const void *arguments,
                                nn_range range) {
    const nn_custom_args *args = (const nn_custom_args *)arguments;
    (void)kernel;
    const nn__cpu *cpu = (const nn__cpu *)state;
    if (range.first > 0 || range.count == 0) return NN_OK;
    if (!args->function)
        return nn__fail(cpu->nn, NN_ERROR_UNSUPPORTED,
                        "custom: the operation has no function for the CPU; set .function");
    nn_result result = args->function(args->user, args);
    if (result == NN_OK) return NN_OK;
    return nn__fail(cpu->nn, result < 0 ? result : NN_ERROR_CALLBACK,
                    "custom: the function returned %d (%s), not NN_OK", (int)result,
                    nn_result_text(result));
}

static const nn__cpu_kernel nn__custom_kernel = {nn__custom_units, nn__custom_unit, NULL, NULL,
                                                 nn__custom_refuses};

NN_PRIVATE void nn__install_custom(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    NN__CPU_INSTALL(nn, CUSTOM, custom, &nn__custom_kernel);
    if (cpu) cpu->backend.kernels[NN_KERNEL_CUSTOM] = nn__custom_run;
}
