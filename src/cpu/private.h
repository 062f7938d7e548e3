/* cpu/private.h - private declarations of the CPU backend: one table of kernels, each of which is
   cut into phases and units.

   A kernel is plain functions on arguments. It never allocates and knows nothing of threads: the
   driver in cpu/cpu.c runs the units of a phase on all workers, with a barrier between phases.
   Every unit writes its own part of the output. Reductions over several units write partial results
   into the shared scratch and add them in a later phase in a fixed order. So the bytes do not
   depend on threads or slices. */
#pragma once

#include "device/private.h"
#include "kernels/install.h"

typedef struct nn__cpu nn__cpu;

typedef struct nn__cpu_kernel {
    /* Returns the number of units of a phase (>= 1); 0: there is no such phase, the kernel ends.
       The number depends on shapes. It may also depend on the number of workers if that changes no
       result (kernels/matmul/cpu_cut.c). */
    int (*units)(const nn__cpu *cpu, const void *args, int phase);
    /* shared: scratch of the whole kernel; own: scratch of this worker. Both are aligned to
       NN__ALIGNMENT; NULL if none was asked for. */
    void (*unit)(const nn__cpu *cpu, const void *args, int phase, int unit, void *shared,
                 void *own);
    size_t (*shared_bytes)(const nn__cpu *cpu, const void *args); /* NULL: 0 */
    size_t (*own_bytes)(const nn__cpu *cpu, const void *args);    /* NULL: 0 */
    const char *(*refuses)(const nn__cpu *cpu,
                           const void *args); /* NULL: never; returns NULL or the reason */
} nn__cpu_kernel;

/* An activation on n numbers in place. */
typedef void (*nn__activate)(float *x, int n);

typedef struct nn__row nn__row; /* the operands of an instruction: kernels/pointwise/cpu.h */
#ifdef NN_NO_SIMD
typedef float (*nn__row_function)(float a, float b, float c); /* small code: for one number */
#else
typedef void (*nn__row_function)(const nn__row *row);
#endif
#define NN__PROGRAM_PARTS 16
/* A part of a program that one row computes (kernels/pointwise/cpu_fused.c). */
typedef struct nn__fused {
    const nn_instruction *code;
    int count;
    nn__row_function row;
} nn__fused;
/* The functions that compute pointwise programs. Each is NULL until it is installed. */
typedef struct nn__programs {
    nn__row_function rows[NN_INSTRUCTION_COUNT];
    /* a comparison (LESS to NOT_EQUAL) and the SELECT that alone reads it, in one function; the
       last one returns the larger of two numbers. Installed together with the comparisons */
    nn__row_function selects[7];
    void (*draw)(const nn_program_args *args, uint64_t stream, float *y, int64_t at, int n);
    /* SELECT of RANDOM >= b, if nothing else reads the random numbers: row->a is not read; NULL:
       they are drawn before the SELECT */
    void (*mask)(const nn_program_args *args, uint64_t stream, const nn__row *row, int64_t at);
#ifdef NN_NO_SIMD
    /* load reads element `at` of the output's shape from an input (or draws a number), put writes
       it to an output. NULL: all are f32 and of one shape, and nothing is drawn */
    float (*load)(const nn__cpu *cpu, const nn_program_args *args, int item,
                  const nn_instruction *code, ptrdiff_t at);
    void (*put)(const nn__cpu *cpu, const nn_view *y, ptrdiff_t at, bool add, float value);
#else
    nn__fused parts[NN__PROGRAM_PARTS];
    int part_count;
    /* computes numbers first to end - 1 of an item whose program is args->recipe; NULL: not
       installed */
    bool (*recipe)(const nn__cpu *cpu, const nn_program_args *args, const nn_view *inputs,
                   const nn_view *outputs, int64_t first, int64_t end);
#endif
    void (*widen)(nn_dtype dtype, const void *from, float *to, int n);
    void (*narrow)(nn_dtype dtype, const float *from, void *to, int n);
} nn__programs;

struct nn__prepared;
typedef void (*nn__go)(const struct nn__prepared *part);
/* A form of a kernel for nn_run_on (cpu/direct.c), which examines the arguments only once. */
typedef struct nn__cpu_single {
    /* Returns the bytes of the memory that `make` fills in: its results, and weights in another
       order. 0: the call has no such form. NULL: it needs no memory. */
    size_t (*bytes)(const nn__cpu *cpu, const void *args);
    /* Fills in the memory and returns the function that computes. NULL: the call has no such
       form. */
    nn__go (*make)(const nn__cpu *cpu, const void *args, void *memory);
} nn__cpu_single;
typedef enum nn__cpu_singles {
    NN__SINGLE_STREAM,
    NN__SINGLE_PUSH,
    NN__SINGLE_WHOLE,
    NN__SINGLE_COUNT
} nn__cpu_singles;

struct nn__cpu {
    nn_context *nn;
    nn_instruction_set instructions;
    int workers;
    int64_t stream_bytes; /* x86: nn__streams_at */
    bool dots; /* the processor has dot products of 8-bit integers; set by nn__install_integer */
    bool picks; /* the processor picks bytes out of 128 at once (AVX-512 VBMI); set with dots */
    /* NULL: not installed, so that programs with relu do not link tanhf */
    nn__activate activations[NN_ACTIVATION_COUNT];
    const nn__cpu_kernel *kernels[NN_KERNEL_COUNT]; /* NULL: not installed */
    nn__programs programs;
    const nn__cpu_single *singles[NN__SINGLE_COUNT]; /* NULL: not installed */
    const struct nn__conv_found *conv; /* of the convolution that runs now, or NULL */
#ifndef NN_NO_SIMD
    const struct nn__gemm_bytes *bytes; /* NULL: nn__install_matmul_bytes was not called */
    const struct nn__depthwise_ways *depthwise; /* NULL: nn__install_conv2d was not called */
#endif
    /* its kernel slots are filled when kernels are installed */
    nn_backend backend;
};

/* Fills the backend's slots except for the kernels; nn_open calls it. */
NN_PRIVATE void nn__cpu_init(nn__cpu *cpu, nn_context *nn, nn_instruction_set instructions);
/* Runs units of an installed kernel. It is the slot of all kernels, unless a family wraps it. */
NN_PRIVATE nn_result nn__cpu_run(void *state, nn_kernel kernel, const void *args, nn_range range);
/* Sets a kernel and its slot in the backend, unless there is one already: NN__CPU_INSTALL(nn, GEMM,
   gemm, &kernel). */
#define NN__CPU_INSTALL(nn, upper, lower, functions)                                               \
    nn__cpu_install(nn, NN_KERNEL_##upper, functions)
NN_PRIVATE void nn__cpu_install(nn_context *nn, nn_kernel kernel, const nn__cpu_kernel *functions);

static inline NN__UNUSED float *nn__f32(const nn_view *view) {
    return (float *)(void *)((char *)view->handle + view->offset);
}
static inline NN__UNUSED int32_t *nn__i32(const nn_view *view) {
    return (int32_t *)(void *)((char *)view->handle + view->offset);
}
static inline NN__UNUSED uint32_t *nn__status(const nn_view *view) {
    return (uint32_t *)(void *)((char *)view->handle + view->offset);
}

/* ---- activate: the scalar functions of epilogues --------------------------------------------- */

NN_PRIVATE void nn__relu(float *x, int n);
NN_PRIVATE void nn__relu6(float *x, int n);
/* For kernels with an epilogue: returns NULL if the activation is none or installed, else the
   reason to refuse. */
NN_PRIVATE const char *nn__refuses_activation(const nn__cpu *cpu, nn_activation activation);

/* ---- detect: instruction sets of this machine ------------------------------------------------ */

NN_PRIVATE nn_instruction_set nn__cpu_best_instructions(void);
/* the best set with portable bytes; NN_INSTRUCTIONS_DEFAULT: this build has none */
NN_PRIVATE nn_instruction_set nn__cpu_portable_instructions(void);
NN_PRIVATE bool nn__cpu_has_instructions(
    nn_instruction_set set); /* true for NN_INSTRUCTIONS_DEFAULT and NN_INSTRUCTIONS_PLAIN */
/* True if the processor has dot products of 8-bit integers: AVX-512 VNNI, or ARM's sdot. */
NN_PRIVATE bool nn__cpu_has_dots(void);
NN_PRIVATE bool nn__cpu_has_picks(void);

/* ---- softmax's rows, which cross_entropy shares ---------------------------------------------- */

NN_PRIVATE float nn__row_max(const nn__cpu *cpu, const float *x, int n); /* NaN wins */
/* Returns the sum of exp(x - shift); y (may be NULL) receives the terms. */
NN_PRIVATE float nn__row_exp(const nn__cpu *cpu, float *y, const float *x, float shift, int n);
NN_PRIVATE void nn__row_scale(const nn__cpu *cpu, float *y, float scale, int n);
