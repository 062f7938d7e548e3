/* kernels/pointwise/cpu.h - how the CPU runs pointwise programs: by blocks of numbers that
   stay in the first cache.

   For each block the interpreter calls one row function for each instruction. A value stands in a
   buffer of the worker's scratch, or where an input or output stands anyway, or, if it is one
   number for the whole tensor, in a few lanes that the row reads again and again. */
#pragma once

#include "cpu/sets.h"
#include "kernels/optimizers.h"
#include "kernels/pointwise/cpu_parts.h"

#include <math.h>

/* Numbers of a block: with a dozen live values a block of each stays in a first cache of 32 KB. */
#define NN__PROGRAM_BLOCK 512
/* A number for the whole tensor stands in so many places: as many as rows of vectors read at
   once. */
#define NN__PROGRAM_LANES 32

/* y[i] = f(a[i & a_mask], b[i & b_mask], c[i & c_mask]) for n numbers; a mask is -1 (the operand
   advances) or 0 (one number, in LANES places). d: of a comparison and the SELECT that reads it,
   a < b ? c : d. y may be the storage of an operand that advances. Operands that the row does not
   have are not read. streams: y may be written past the caches. */
struct nn__row {
    float *y;
    const float *a, *b, *c, *d;
    int a_mask, b_mask, c_mask, d_mask, n;
    bool streams;
};

/* Why the CPU refuses a program; NULL: it does not. A firmware has no words for it, and its
   builders and calls install and check what they need. */
#if defined(NN_NO_SIMD) && defined(NN_NO_REPORTS)
#define NN__PROGRAM_TRUSTED
#define nn__program_refuses NULL
#else
NN_PRIVATE const char *nn__program_refuses(const nn__cpu *cpu, const void *arguments);
#endif

NN_PRIVATE int nn__program_operands(uint8_t code);

#ifndef NN_NO_SIMD
/* ---- where the values stand (kernels/pointwise/cpu_place.c) ---------------------------------- */

/* An input's steps along the output's axes, folded. */
typedef struct nn__program_walk {
    int rank;                                        /* at least 1; the last axis is the row */
    int64_t extent[NN_MAX_RANK], step[NN_MAX_RANK];  /* the row's step is 0 or 1 */
} nn__program_walk;

typedef enum nn__program_kind {
    NN__VALUE_UNUSED, /* nothing reads it, or nothing any more */
    NN__VALUE_LANES,  /* one number for the whole tensor, in LANES places */
    NN__VALUE_DIRECT, /* in an input's or output's own storage */
    NN__VALUE_BUFFER, /* a block of the worker's scratch */
    NN__VALUE_CHOICE, /* nowhere: a comparison that is computed by the SELECT that reads it */
    NN__VALUE_DRAWN   /* nowhere: random numbers that such a SELECT draws */
} nn__program_kind;

/* What is done for each block, in this order. */
typedef struct nn__program_step {
    nn__row row; /* at the block that comes next */
    nn__row_function function; /* NULL: row.y receives a gathered input, or random numbers */
    int input;                 /* the one that is gathered; -1: none; NN__STEP_MASK */
    int draw;                  /* the number of the draw of random numbers */
    int moves; /* bit 0: row.y advances from block to block, bit 1: row.a, and so on */
} nn__program_step;

#define NN__STEP_MASK (-2) /* programs.mask computes it */

/* A part of a program that one row computes (kernels/pointwise/cpu_fused.c). */
#define NN__PROGRAM_FUSIONS 4 /* in a program, at most */
typedef struct nn__program_fusion {
    int place, part; /* of its result; which one it is */
    int input[4], inputs;
} nn__program_fusion;

/* One worker's books for one unit, at the beginning of its scratch. */
typedef struct nn__program_run {
    const nn__cpu *cpu;
    const nn_program_args *args;
    const nn_view *inputs, *outputs;
    int item;
    int64_t at, count; /* the unit's first number; numbers of an output */
    nn__program_step *steps;
    float *lanes, *memory; /* room for numbers, and for buffers */
    int step_count, lane_count, buffers, free_count;
    nn__program_fusion fusions[NN__PROGRAM_FUSIONS];
    int fusion_count;
    /* of each instruction; place is that of the unit's first number where it is DIRECT */
    float *place[NN_PROGRAM_LENGTH];
    uint8_t kind[NN_PROGRAM_LENGTH], last[NN_PROGRAM_LENGTH], readers[NN_PROGRAM_LENGTH];
    uint8_t buffer[NN_PROGRAM_LENGTH], free[NN_PROGRAM_LENGTH];
    bool written[NN_PROGRAM_OUTPUTS]; /* the value is computed where the output stands */
    nn__program_walk walk[NN_PROGRAM_INPUTS];
} nn__program_run;
#define NN__PROGRAM_BOOKS nn__align_up(sizeof(nn__program_run), NN__ALIGNMENT)

/* Which row of nn__programs.selects computes SELECT i together with the comparison before it. */
NN_PRIVATE int nn__program_choice(const nn_instruction *code, int i);
#define NN__CHOICE_LARGER 6
NN_PRIVATE const void *nn__program_storage(const nn_view *view);
/* May an output of `count` numbers be written past the caches, from number `at` on? No input may
   stand there. */
NN_PRIVATE bool nn__program_streams(const nn__cpu *cpu, const nn_program_args *args,
                                    const nn_view *inputs, const nn_view *output, int64_t count,
                                    int64_t at);
/* Fills the steps for the unit at run->at, and says which outputs they write. */
NN_PRIVATE void nn__program_place(nn__program_run *run);
/* As many buffers as it may need for inputs of any shape. */
NN_PRIVATE int nn__program_most_buffers(const nn__cpu *cpu, const nn_program_args *args);

/* run->last: of each instruction, who reads it last; itself where nobody does, `count` where it is
   stored. */
NN_PRIVATE void nn__program_find_last(nn__program_run *run);
#endif

/* Parts of programs in one row, and optimizers in one pass: only of vectors. */
#ifdef NN__HAS_VECTORS
#define NN__PROGRAM_FUSES 1
/* As NN__OF_SET; NULL in plain C. */
#define NN__OF_VECTORS(cpu, table) \
    (NN__OF_AVX512(cpu, table) NN__OF_AVX2(cpu, table) NN__OF_NEON(cpu, table) \
     NN__OF_SIMD128(cpu, table) NULL)
NN_PRIVATE void nn__install_parts_of_erf(nn__cpu *cpu);
NN_PRIVATE void nn__install_parts_of_sigmoid(nn__cpu *cpu);
NN_PRIVATE void nn__install_parts_of_clamp(nn__cpu *cpu);
/* Finds the parts in run->args->program: their inner values are NN__VALUE_CHOICE then. */
NN_PRIVATE void nn__program_find_fused(nn__program_run *run);

#ifndef NN_NO_TRAINING
/* Where an optimizer's inputs and outputs stand, and its numbers, then those of what is before
   it. */
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

/* The table's words. Larger and smaller: NaN wins; of equals the second. */
#define NN_TRUTH(condition)       ((condition) ? 1.0f : 0.0f)
#define NN_WHERE(condition, a, b) ((condition) ? (a) : (b))
#define NN_LARGER_OF(a, b)  ((a) != (a) || (a) > (b) ? (a) : (b))
#define NN_SMALLER_OF(a, b) ((a) != (a) || (a) < (b) ? (a) : (b))
static inline NN__UNUSED float nn_remainder_of(float a, float b) {
    float rest = fmodf(a, b);
    return rest != 0.0f && (b < 0.0f) != (rest < 0.0f) ? rest + b : rest;
}

/* The stream of a draw of an item: kernels/pointwise/args.h. */
static inline NN__UNUSED uint64_t nn__program_stream(const nn_program_args *args, int item,
                                                     int draw) {
    return args->stream + (uint64_t)item + (uint64_t)draw * NN_PROGRAM_DRAWS;
}
/* Storage dtypes other than f32, n numbers at a time (kernels/pointwise/cpu_dtypes.c). */
NN_PRIVATE void nn__program_widen(nn_dtype dtype, const void *from, float *to, int n);
NN_PRIVATE void nn__program_narrow(nn_dtype dtype, const float *from, void *to, int n);
