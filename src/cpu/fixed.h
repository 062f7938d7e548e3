/* cpu/fixed.h - runs a plan that nn_write_plan_c (nn_onnx.h) printed as constants: tensors with
   their addresses, and steps with the arguments of their kernels in a compact form. There is no
   context, no graph and no planner: a run fills in the arguments of one kernel after the other and
   calls the kernel. The text belongs in the file with the implementation, so that its constants can
   name the kernels, which are private.

   It has no threads, no other devices and no training. */
#pragma once

#include "cpu/private.h"
#include "kernels/conv2d/cpu.h"

/* Through this, kernels find functions that only some of them need. */
typedef nn__cpu nn__fixed_uses;
#ifdef NN_NO_SIMD
#define NN__FIXED_CHECK
#define NN__FIXED_RELU(uses) ((uses)->activations[NN_ACTIVATION_RELU] = nn__relu)
#define NN__FIXED_CODE(uses, upper)                                                                \
    ((uses)->programs.rows[NN_CODE_##upper] = nn__value_##upper##_plain)
#define NN__FIXED_GENERAL(uses)                                                                    \
    ((uses)->programs.load = nn__program_load, (uses)->programs.put = nn__program_put)
#define NN__FIXED_DTYPES(uses)                                                                     \
    ((uses)->programs.widen = nn__program_widen, (uses)->programs.narrow = nn__program_narrow)
#else
/* If a compile error led you here: a plan of constants is for plain kernels; define NN_NO_SIMD
   before you include nn.h. */
#define NN__FIXED_CHECK typedef char nn__a_plan_of_constants_needs_NN_NO_SIMD[-1];
#endif

/* A value as kernels see it. 32 bytes on a machine with 32-bit pointers. */
typedef struct nn__fixed_tensor {
    const void *data; /* in the plan's block, or the array of a weight */
    int32_t extent[NN_MAX_RANK];
    uint8_t rank, dtype;
} nn__fixed_tensor;

/* What the steps of one kernel have in common. */
typedef struct nn__fixed_call {
    const nn__cpu_kernel *kernel;
    const uint16_t *places; /* NN__FIXED of the views, then of the numbers */
    uint16_t bytes;         /* of the arguments */
    uint16_t pointer;       /* offset of a pointer, if steps have one */
    uint8_t views, numbers;
} nn__fixed_call;

/* One call of a kernel: 16 bytes, plus 2 for each view and 4 for each number. */
typedef struct nn__fixed_step {
    const nn__fixed_call *call;
    const void *pointer;     /* instructions or pieces; NULL: the arguments have none */
    const uint16_t *tensors; /* of each view: its tensor, from 1 on; 0: absent */
    const int32_t *numbers;  /* floats as their bits */
} nn__fixed_step;

typedef struct nn__fixed_plan {
    const nn__fixed_tensor *tensors;
    const nn__fixed_step *steps;
    int32_t step_count;
    void (*install)(nn__fixed_uses *uses); /* sets what kernels call through it; NULL: nothing */
    char *scratch;                         /* in the plan's block */
    size_t scratch_bytes;
} nn__fixed_plan;

/* The place of an argument: its offset, and in the two highest bits its size. */
#define NN__FIXED(type, field)                                                                     \
    (uint16_t)(offsetof(type, field) | (sizeof(((type *)0)->field) == 1   ? 0x4000u                \
                                        : sizeof(((type *)0)->field) == 2 ? 0x8000u                \
                                        : sizeof(((type *)0)->field) == 8 ? 0xc000u                \
                                                                          : 0u))
#define NN__FIXED_OFFSET 0x3fffu

static inline NN__UNUSED void nn__fixed_number(char *args, uint16_t place, int32_t number) {
    const int64_t wide = number;
    const int16_t half = (int16_t)number;
    char *to = args + (place & NN__FIXED_OFFSET);
    switch (place & ~NN__FIXED_OFFSET) {
    case 0x4000u: *to = (char)number; break;
    case 0x8000u: memcpy(to, &half, sizeof half); break;
    case 0xc000u: memcpy(to, &wide, sizeof wide); break;
    default: memcpy(to, &number, sizeof number); break;
    }
}

/* Fills in the arguments of a step. */
static NN__UNUSED void nn__fixed_fill(const nn__fixed_plan *plan, const nn__fixed_step *step,
                                      char *args) {
    const nn__fixed_call *call = step->call;
    memset(args, 0, call->bytes);
    for (int i = 0; i < call->views; i++) {
        nn_view *view = (nn_view *)(void *)(args + (call->places[i] & NN__FIXED_OFFSET));
        if (step->tensors[i] == 0) continue;
        const nn__fixed_tensor *from = &plan->tensors[step->tensors[i] - 1];
        view->handle = (void *)(size_t)from->data;
        memcpy(view->shape.extent, from->extent, sizeof from->extent);
        view->shape.rank = from->rank;
        view->dtype = (nn_dtype)from->dtype;
    }
    for (int i = 0; i < call->numbers; i++)
        nn__fixed_number(args, call->places[call->views + i], step->numbers[i]);
    if (step->pointer) memcpy(args + call->pointer, &step->pointer, sizeof step->pointer);
}

/* Runs all units of a kernel. */
static NN__UNUSED nn_result nn__fixed_call_kernel(const nn__cpu *cpu, const nn__fixed_plan *plan,
                                                  const nn__cpu_kernel *kernel, const void *args) {
    size_t shared = kernel->shared_bytes ? kernel->shared_bytes(cpu, args) : 0;
    const size_t own = kernel->own_bytes ? kernel->own_bytes(cpu, args) : 0;
    shared = (shared + 15) & ~(size_t)15;
    if (shared + own > plan->scratch_bytes) return NN_ERROR_MEMORY;
    for (int phase = 0, units; (units = kernel->units(cpu, args, phase)) > 0; phase++)
        for (int unit = 0; unit < units; unit++)
            kernel->unit(cpu, args, phase, unit, shared ? plan->scratch : NULL,
                         own ? plan->scratch + shared : NULL);
    return NN_OK;
}

/* Runs a plan. args: room for the arguments of each of its kernels. Returns NN_ERROR_MEMORY if a
   kernel wants more scratch memory than the plan has; then this nn.h is not the one that the plan
   was printed for. */
static NN__UNUSED nn_result nn__fixed_run(const nn__fixed_plan *plan, void *args) {
    nn__cpu cpu;
    memset(&cpu, 0, sizeof cpu);
    cpu.workers = 1;
    cpu.instructions = NN_INSTRUCTIONS_PLAIN;
#ifndef NN_NO_SIMD
    cpu.depthwise = nn__depthwise_all();
#endif
    if (plan->install) plan->install(&cpu);
    for (int i = 0; i < plan->step_count; i++) {
        const nn__fixed_step *step = &plan->steps[i];
        nn__fixed_fill(plan, step, (char *)args);
        const nn_result result = nn__fixed_call_kernel(&cpu, plan, step->call->kernel, args);
        if (result < 0) return result;
    }
    return NN_OK;
}
