/* cpu/open.c - nn_open: a context with the CPU as its device 0, and the instruction set of its
   kernels. device/context.c makes the context without naming any device. */
#include "cpu/sets.h"

#define NN__X(exists, upper, lower, test, unused, unused_2) \
    case NN_INSTRUCTIONS_##upper: return #lower;
static const char *nn__open_set_name(nn_instruction_set set) {
    switch (set) {
    case NN_INSTRUCTIONS_DEFAULT: return "default";
    case NN_INSTRUCTIONS_PLAIN: return "plain";
        NN__SETS(NN__X, 0, 0)
    default: return "(no such set)";
    }
}
#undef NN__X

static nn_result nn__open_cpu(nn_context *nn) {
    nn_instruction_set set = nn->desc.instructions, best = nn__cpu_best_instructions();
    if (set == NN_INSTRUCTIONS_DEFAULT) set = best;
    if (set != NN_INSTRUCTIONS_PLAIN && !nn__cpu_has_instructions(set))
        return nn__fail(
            nn, NN_ERROR_UNSUPPORTED,
            "nn_open: desc.instructions asks for %s (%d), which this machine or build lacks; the "
            "best here is %s; leave it 0 to take that",
            nn__open_set_name(set), (int)set, nn__open_set_name(best));
    nn__cpu *cpu = (nn__cpu *)nn__allocate(&nn->memory, sizeof(nn__cpu));
    if (!cpu) return nn__fail_memory(nn, "the CPU backend", sizeof(nn__cpu));
    nn__cpu_init(cpu, nn, set);
    nn->cpu = cpu;
    nn__add_device(nn, &cpu->backend, cpu, NULL);
    return NN_OK;
}

NN_API nn_context *nn_open(const nn_desc *desc) {
    nn_context *nn = nn__open_base(desc);
    if (!nn) return NULL;
    if (nn__open_cpu(nn) != NN_OK) { /* the log has the reason */
        nn_close(nn);
        return NULL;
    }
    return nn;
}

NN_API int nn_thread_count(const nn_context *nn) {
    const nn__cpu *cpu = nn ? (const nn__cpu *)nn->cpu : NULL;
    return cpu ? cpu->workers : 0;
}

NN_API const char *nn_instruction_set_name(const nn_context *nn) {
    const nn__cpu *cpu = nn ? (const nn__cpu *)nn->cpu : NULL;
    return cpu ? nn__open_set_name(cpu->instructions) : "none";
}
