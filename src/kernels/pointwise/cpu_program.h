/* kernels/pointwise/cpu_program.h - how the CPU runs pointwise programs: by blocks of numbers that
   stay in the first cache.

   For each block the interpreter calls one row function for each instruction. A value stands in a
   buffer of the worker's scratch, or where an input or output stands anyway, or, if it is one
   number for the whole tensor, in a few lanes that the row reads again and again. */
#pragma once

#include "cpu/simd.h"

/* Numbers of a block: with a dozen live values a block of each stays in a first cache of 32 KB. */
#if defined(NN_NO_SIMD)
#define NN__PROGRAM_BLOCK 64
#else
#define NN__PROGRAM_BLOCK 512
#endif
/* Rows of vectors work on whole groups of so many numbers; the interpreter pads the last group. */
#define NN__PROGRAM_LANES 32

/* y[i] = f(a[i & a_mask], b[i & b_mask], c[i & c_mask]); a mask is -1 (the operand advances) or 0
   (one number, repeated in LANES places for rows of vectors). y may be the storage of an operand
   that advances. */
struct nn__row {
    float *y;
    const float *a, *b, *c;
    int a_mask, b_mask, c_mask, n;
};

/* The row of the instruction in plain C. What vectors bring is in
   kernels/pointwise/cpu_program_avx2.c. */
#ifdef NN__VECTOR8
/* NULL: none, plain C serves */
NN_PRIVATE nn__row_function nn__program_row8(nn_instruction_code code);
NN_PRIVATE void nn__program_random8(const nn_program_args *args, int item, float *y, int64_t at,
                                    int n);
#endif

/* The table's words. Larger and smaller: NaN wins; of equals the second. */
#define NN_TRUTH(condition)       ((condition) ? 1.0f : 0.0f)
#define NN_WHERE(condition, a, b) ((condition) ? (a) : (b))
#define NN_LARGER_OF(a, b)  ((a) != (a) || (a) > (b) ? (a) : (b))
#define NN_SMALLER_OF(a, b) ((a) != (a) || (a) < (b) ? (a) : (b))

/* The numbers of one counter of RANDOM, in plain C: elements at to at + n - 1 of an item. */
NN_PRIVATE void nn__program_random_plain(const nn_program_args *args, int item, float *y,
                                         int64_t at, int n);

/* Storage dtypes other than f32, n numbers at a time (kernels/pointwise/cpu_program_dtypes.c). */
NN_PRIVATE void nn__program_widen(nn_dtype dtype, const void *from, float *to, int n);
NN_PRIVATE void nn__program_narrow(nn_dtype dtype, const float *from, void *to, int n);
