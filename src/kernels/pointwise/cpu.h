/* kernels/pointwise/cpu.h - how the CPU runs pointwise programs: in blocks of numbers that stay in
   the L1 cache.

   For each block, the interpreter calls one row function per instruction. A value is stored in a
   buffer of the worker's scratch, or in an input's or output's own storage. If it is one number for
   the whole tensor, it is stored in a few lanes that the row reads again and again. */
#pragma once

#include "cpu/sets.h"
#include "kernels/optimizers.h"
#include "kernels/pointwise/cpu_parts.h"

#include <math.h>

/* Numbers per block: with a dozen live values, their blocks fit an L1 cache of 32 KB. */
#define NN__PROGRAM_BLOCK 512
/* Copies of a number for the whole tensor: as many as row functions read at once. */
#define NN__PROGRAM_LANES 32

/* y[i] = f(a[i & a_mask], b[i & b_mask], c[i & c_mask]) for n numbers. A mask is -1 (the operand
   advances) or 0 (one number, in LANES copies). d: for a comparison joined with the SELECT that
   reads it, a < b ? c : d. y may be the storage of an operand that advances. Absent operands are
   not read. streams: y may bypass the caches. */
struct nn__row {
    float *y;
    const float *a, *b, *c, *d;
    int a_mask, b_mask, c_mask, d_mask, n;
    bool streams;
};

/* Returns why the CPU refuses a program, or NULL. Firmware builds have no such texts; their
   builders and calls install and check what they need. */
#if defined(NN_NO_SIMD) && defined(NN_NO_REPORTS)
#define NN__PROGRAM_TRUSTED
#define nn__program_refuses NULL
#else
NN_PRIVATE const char *nn__program_refuses(const nn__cpu *cpu, const void *arguments);
#endif

NN_PRIVATE int nn__program_operands(uint8_t code);

#ifndef NN_NO_SIMD
/* ---- where values are stored (kernels/pointwise/cpu_place.c) --------------------------------- */

/* An input's strides along the output's axes, folded. */
typedef struct nn__program_walk {
    int rank;                                        /* at least 1; the last axis is the row */
    int64_t extent[NN_MAX_RANK], step[NN_MAX_RANK];  /* the row's stride is 0 or 1 */
} nn__program_walk;

typedef enum nn__program_kind {
    NN__VALUE_UNUSED, /* nothing reads it, or nothing reads it any more */
    NN__VALUE_LANES,  /* one number for the whole tensor, in LANES copies */
    NN__VALUE_DIRECT, /* in an input's or output's own storage */
    NN__VALUE_BUFFER, /* a block of the worker's scratch */
    NN__VALUE_CHOICE, /* not stored: a comparison, which the SELECT that reads it computes */
    NN__VALUE_DRAWN   /* not stored: random numbers, which such a SELECT draws */
} nn__program_kind;

/* The steps of each block, in order. */
typedef struct nn__program_step {
    nn__row row; /* at the next block */
    nn__row_function function; /* NULL: row.y receives a gathered input or random numbers */
    int input;                 /* input to gather; -1: none; or NN__STEP_MASK */
    int draw;                  /* the number of the draw, for random numbers */
    int moves; /* bit 0: row.y advances with each block, bit 1: row.a, and so on */
} nn__program_step;

#define NN__STEP_MASK (-2) /* programs.mask computes it */

/* A part of a program that a single row computes (kernels/pointwise/cpu_fused.c). */
#define NN__PROGRAM_FUSIONS 4 /* at most per program */
typedef struct nn__program_fusion {
    int place, part; /* place of its result; index of the part */
    int input[4], inputs;
} nn__program_fusion;

/* The state of a worker for one unit, at the start of its scratch. */
typedef struct nn__program_run {
    const nn__cpu *cpu;
    const nn_program_args *args;
    const nn_view *inputs, *outputs;
    int item;
    int64_t at, count; /* the unit's first element; elements of an output */
    nn__program_step *steps;
    float *lanes, *memory; /* space for numbers, and for buffers */
    int step_count, lane_count, buffers, free_count;
    nn__program_fusion fusions[NN__PROGRAM_FUSIONS];
    int fusion_count;
    /* per instruction; the place of a DIRECT value is that of the unit's first element */
    float *place[NN_PROGRAM_LENGTH];
    uint8_t kind[NN_PROGRAM_LENGTH], last[NN_PROGRAM_LENGTH], readers[NN_PROGRAM_LENGTH];
    uint8_t buffer[NN_PROGRAM_LENGTH], free[NN_PROGRAM_LENGTH];
    bool written[NN_PROGRAM_OUTPUTS]; /* the value is computed in the output's storage */
    nn__program_walk walk[NN_PROGRAM_INPUTS];
} nn__program_run;
#define NN__PROGRAM_BOOKS nn__align_up(sizeof(nn__program_run), NN__ALIGNMENT)

/* Returns which row of nn__programs.selects computes SELECT i together with its comparison. */
NN_PRIVATE int nn__program_choice(const nn_instruction *code, int i);
#define NN__CHOICE_LARGER 6
NN_PRIVATE const void *nn__program_storage(const nn_view *view);
/* True if an output of `count` numbers may bypass the caches from element `at` on. No input may be
   in its storage. */
NN_PRIVATE bool nn__program_streams(const nn__cpu *cpu, const nn_program_args *args,
                                    const nn_view *inputs, const nn_view *output, int64_t count,
                                    int64_t at);
/* Fills the steps of the unit at run->at, and marks the outputs that they write. */
NN_PRIVATE void nn__program_place(nn__program_run *run);
/* Returns the most buffers that the program may need, for inputs of any shape. */
NN_PRIVATE int nn__program_most_buffers(const nn__cpu *cpu, const nn_program_args *args);

/* Sets run->last of each instruction to the last one that reads it: itself if none does, `count` if
   it is an output. */
NN_PRIVATE void nn__program_find_last(nn__program_run *run);
#endif

/* The instructions whose rows gain from vectors of 512 bits: memory does not limit them, and
   activations consist of them. */
#define NN__WIDE_ROWS(X)                                                                           \
    X(EXP, exp, "", 1, 8, 0)                                                                       \
    X(LOG, log, "", 1, 8, 0)                                                                       \
    X(TANH, tanh, "", 1, 12, 0) X(SIGMOID, sigmoid, "", 1, 8, 0) X(ERF, erf, "", 1, 12, 0)

/* Fused parts of programs, and optimizers in one pass. These need vectors. */
#ifdef NN__HAS_VECTORS
#define NN__PROGRAM_FUSES 1
/* As NN__OF_SET and NN__OF_NARROW, but NULL in plain C. */
#define NN__OF_VECTORS(cpu, table)        (NN__MOST_SETS(cpu, table) NULL)
#define NN__OF_NARROW_VECTORS(cpu, table) (NN__NARROW(cpu, table) NULL)
NN_PRIVATE void nn__install_parts_of_erf(nn__cpu *cpu);
NN_PRIVATE void nn__install_parts_of_sigmoid(nn__cpu *cpu);
NN_PRIVATE void nn__install_parts_of_clamp(nn__cpu *cpu);
NN_PRIVATE void nn__install_parts_of_round(nn__cpu *cpu);
NN_PRIVATE void nn__install_parts_of_greater(nn__cpu *cpu);
/* Finds the parts in run->args->program, and marks their inner values as NN__VALUE_CHOICE. */
NN_PRIVATE void nn__program_find_fused(nn__program_run *run);

#ifndef NN_NO_TRAINING
/* An optimizer's inputs and outputs, its numbers, and the numbers of the steps before it. */
typedef struct nn__recipe_row {
    const float *from[NN_PROGRAM_INPUTS];
    float *to[NN_PROGRAM_OUTPUTS];
    float numbers[NN_PROGRAM_SCALARS], scale, before[NN_RECIPE_NUMBERS];
    unsigned steps; /* before the recipe: NN_RECIPE_SCALED ... */
} nn__recipe_row;
typedef void (*nn__recipe_function)(const nn__recipe_row *row, ptrdiff_t n);
#endif
#endif

/* ---- rows ------------------------------------------------------------------------------------ */

/* The words of the instruction table. NN_LARGER_OF and NN_SMALLER_OF: NaN wins; of equal numbers
   the second. */
#define NN_TRUTH(condition)       ((condition) ? 1.0f : 0.0f)
#define NN_WHERE(condition, a, b) ((condition) ? (a) : (b))
#define NN_LARGER_OF(a, b)  ((a) != (a) || (a) > (b) ? (a) : (b))
#define NN_SMALLER_OF(a, b) ((a) != (a) || (a) < (b) ? (a) : (b))
static inline NN__UNUSED float nn_remainder_of(float a, float b) {
    float rest = fmodf(a, b);
    return rest != 0.0f && (b < 0.0f) != (rest < 0.0f) ? rest + b : rest;
}

/* Returns the stream of an item's draw: see kernels/pointwise/args.h. */
static inline NN__UNUSED uint64_t nn__program_stream(const nn_program_args *args, int item,
                                                     int draw) {
    return args->stream + (uint64_t)item + (uint64_t)draw * NN_PROGRAM_DRAWS;
}
/* Converts n numbers of storage dtypes other than f32 (kernels/pointwise/cpu_dtypes.c). */
NN_PRIVATE void nn__program_widen(nn_dtype dtype, const void *from, float *to, int n);
NN_PRIVATE void nn__program_narrow(nn_dtype dtype, const float *from, void *to, int n);
