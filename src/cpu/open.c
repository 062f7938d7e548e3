/* cpu/open.c - nn_open: a context with the CPU as its device 0, and the instruction set of its
   kernels. device/context.c makes the context without naming any device. */
#include "cpu/sets.h"

#define NN__X(exists, upper, lower, test, unused, unused_2)                                        \
    case NN_INSTRUCTIONS_##upper: return #lower;
static const char *nn__open_set_name(nn_instruction_set set) {
    switch (set) {
    case NN_INSTRUCTIONS_DEFAULT: return "default";
    case NN_INSTRUCTIONS_PLAIN: return "plain"; NN__SETS(NN__X, 0, 0)
    default: return "(no such set)";
    }
}
#undef NN__X

/* Fails if this build, this set or this thread has no portable arithmetic. */
static bool nn__open_refuses_portable(nn_context *nn, nn_instruction_set set) {
    const char *cause = NULL;
#if !NN__HAS_PORTABLE
    (void)set;
    cause = "this program does not contain; #define NN_WITH_PORTABLE before the implementation";
#elif defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
    (void)set;
    cause = "x87 does not have, because it computes floats with more bits; compile with -msse2 "
            "-mfpmath=sse";
#else
    volatile float one = 1.0f, half_ulp = 5.9604645e-8f, least = 1.17549435e-38f;
    const float above = one + half_ulp, below = one - half_ulp / 2.0f, quarter = least / 4.0f;
    if (set != NN_INSTRUCTIONS_PORTABLE && set != NN_INSTRUCTIONS_PORTABLE_AVX2 &&
        set != NN_INSTRUCTIONS_PORTABLE_AVX512)
        cause = "the set in desc.instructions does not have; leave one of them 0";
    else if (above != 1.0f || below != 1.0f)
        cause = "this thread does not have, because it does not round to the nearest number; set "
                "the processor's default mode first";
    else if (!(quarter > 0.0f) || quarter * 4.0f != least)
        cause = "this thread does not have, because it takes subnormal numbers for 0; set the "
                "processor's default mode first";
#endif
    if (cause)
        nn__fail(nn, NN_ERROR_UNSUPPORTED,
                 "nn_open: desc.arithmetic is NN_ARITHMETIC_PORTABLE, which %s", cause);
    return cause != NULL;
}

static nn_result nn__open_cpu(nn_context *nn) {
    const bool portable = nn->desc.arithmetic == NN_ARITHMETIC_PORTABLE;
    const nn_instruction_set best =
        portable ? nn__cpu_portable_instructions() : nn__cpu_best_instructions();
    nn_instruction_set set = nn->desc.instructions;
    if (set == NN_INSTRUCTIONS_DEFAULT) set = best;
    if (portable && nn__open_refuses_portable(nn, set)) return NN_ERROR_UNSUPPORTED;
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
