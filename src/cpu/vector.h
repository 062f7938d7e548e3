/* cpu/vector.h - the vector layer: operations on vectors of numbers that are the same for every
   instruction set. A kernel is written once, as ordinary C functions, and compiled once for each
   set that the machine may have.

   HOW A KERNEL FAMILY USES IT

   1. Its loops are in kernels/FAMILY/vector.h, which begins with its comment and then with

        #ifndef NN__SET
        #define NN__BODY "kernels/FAMILY/vector.h"
        #include "cpu/for_each_set.h"
        #else
        #include "cpu/vector.h"
        ...the loops...
        #endif

      Compiled alone, the file thus includes itself once for each set. In the drop-in, nn.h includes
      itself once for each set, with the loops of all families together.
   2. The name of every function and table in it has the set as its ending: NN__(softmax_max) is
      nn__softmax_max_avx2, nn__softmax_max_plain and so on. Functions are static.
   3. The file ends with a table of its functions, a struct that kernels/FAMILY/cpu.h declares:

        static const nn__softmax_rows NN__(softmax_rows) = {NN__(softmax_max), ...};

      Macros that the loops share must be defined in cpu.h as well, because this file must leave
      none defined.
   4. kernels/FAMILY/cpu.c includes both files and takes the table of the context's set:

        const nn__softmax_rows *rows = NN__OF_SET(cpu, nn__softmax_rows);

      Everything else (units, phases, scratch) is in cpu.c and is compiled once.
   5. Where vectors of 512 bits make no net at least 5 % faster, the loops are not compiled for
      AVX-512: the file has #elif !defined(NN__SET_WIDE) instead of #else, and cpu.c takes
      NN__OF_NARROW, which gives AVX-512 the table of AVX2.
      Likewise, only products and blocks are compiled for PORTABLE_AVX512 (NN__OF_EVERY): the others
      have #elif !defined(NN__SET_PORTABLE_AVX512), and NN__OF_SET takes the table of PORTABLE_AVX2.
   6. The headers that vector.h includes, other than those of cpu/, must be kernels/X/cpu.h, which
      the drop-in has before the loops.

   RULES FOR LOOPS

   - Accumulators are named variables. Compilers keep arrays of vectors in memory, where each sum
     waits for the store before it (2 to 3 times slower).
   - Blocks of a sum are multiples of NN__LANES, so that the error is the same for each set. The
     bytes of a result may depend on the set, but never on threads, units or a tensor's address.
   - A vector has NN__LANES numbers: 1, 4, 8 or 16. A set has NN__REGISTERS vector registers
     (cpu/for_each_set.h). Loops take steps of NN__LANES. Tails use load_some and
     store_some, or load_up_to and store_up_to, which also take whole vectors. These access no
     memory beyond the tail.
   - fma and fnma round once on sets that define NN__FUSED, and twice in plain C. Nothing else is
     ever fused.
   - If a constant parameter (const bool add) must be optimised away, the function needs NN__INLINE.

   OPERATIONS

   NN__F32 is f32, NN__I32 int32, NN__B32 a mask; operations are written NN__(name)(...):

     all none                       the same number in each lane; the empty mask
     load store                     at any address
     load_once                      a load that stays in a register for several products; compilers
                                    tend to repeat a load for each
     load_some(x, n, filler) store_some(y, n, v)               0 <= n <= NN__LANES
     load_up_to(x, n, filler) store_up_to(y, n, v)             any n; whole vectors are fast
     stream(y, v)                   stores past the caches, or is store
     put(y, v, streams)             stream if `streams` (nn__streams_at), else store
     ahead(x)                       prefetches the cache line of x. Functions that only prefetch
                                    must be NN__INLINE: gcc removes calls of others
     add sub mul div sqrt abs       IEEE
     floor round                    to whole numbers; round takes halves to even ones
     fma(a, b, c) fnma(a, b, c)     a b + c, c - a b
     smaller larger (a, b)          NaN if b is NaN. If only a is NaN: b or NaN
     less less_equal equal unordered                           false for NaN, but unordered is true
     both either not any(mask)      of masks
     load_mask store_mask(y, mask)  at any address; a mask takes sizeof(NN__B32) bytes there
     pick(where, a, b)              where ? a : b
     keep(where, a) drop(where, a)  where ? a : 0, where ? 0 : a
     int_load_some(x, n) int_store_some(y, n, v) int_lanes     rest 0; 0, 1, 2, ...
     int_all int_load int_store int_add int_sub int_and int_or int_xor int_left int_right (logical)
     int_equal int_less int_pick
     int_product(a, b, &high)       unsigned: the lower halves, and the upper ones in high
     with_sign(a, b)                |a| with the sign of b
     from_int to_int bits of_bits   conversions; to_int truncates numbers in the range of int32, and
                                    makes a valid index for look_up8 of a NaN
     sum largest smallest           over the lanes; halves are joined with halves: 8 to 4 to 2 to 1.
                                    With a NaN, largest and smallest are any of the numbers or NaN
     squares8(x, n) product8        the sum of squares, or the product, in double; n is a multiple
                                    of 8; the same bytes on every set
     gather(x, at)                  x[at] of each lane
     look_up8(table, at)            table[at], at in 0 ... 7
     evens odds                     of the numbers of a, then of b. With one lane: a, b
     zip_low zip_high               a0 b0 a1 b1 ..., in two vectors. With one lane: a, b
     before after (a, b)            the last of a, then b without its last; a without its first,
                                    then the first of b
     permute(a, at)                 lane at of a, and 0 where at is in NN__LANES ... 2 NN__LANES - 1
     load_f16 load_bf16 load_i8 store_bf16                     exact; to the nearest, halves to even
     int_load_u8(x) int_store_u8(y, v)                         NN__LANES bytes; v: of 0 to 255
     int_load_u8_up_to(x, n) int_store_u8_up_to(y, n, v)       any n; rest 0
     pack(y, where, v) int_pack     stores the lanes of v that the mask has side by side and returns
                                    their number. The rest of NN__LANES numbers at y may change
     load_four(x) fma_lane0 to fma_lane3 (four, b, c)          x[lane] b + c for four numbers at x,
                                    which stay in a register where NN__BY_LANE is defined
     pairs(a, b)                    sums of neighbours of a, then of b. With one lane: a + b
     transpose_square(y, y_row, x, x_row)   NN__LANES rows of NN__LANES numbers; y_row and x_row
                                    are the floats from one row to the next
     transpose_part(y, y_row, x, x_row, rows, columns)
                                    the same for `rows` rows of x with `columns` numbers, each 1 to
                                    NN__LANES. A set defines transpose_four, for 1 to 4 columns
     clamped(v, clamp)              relu, relu6 or v (nn__clamp of cpu/gemm.h)
     exp log tanh erf sigmoid       each states its error
     uniform                        random numbers in [0, 1)

   HOW TO ADD A SET

   Write one file that defines every function of cpu/vector_plain.h. cpu/vector_math.h builds the
   other operations of the list from these, such as load_up_to, put, abs, squares8 and exp.
   For vectors of 128 bits that gcc and clang know, cpu/vector_simd128.h may be enough.
   docs/instruction-sets.md tells which lists name the set. tests/kernels/test_vector.c tests it as
   soon as it is named. */
#ifdef NN__SET
#if !defined(NN__VECTORS_IN) && !defined(NN__SETS_AGAIN)
#define NN__VECTORS_IN 1
#include "cpu/gemm.h"
#include "cpu/sets.h"

#ifndef NN__VECTOR_NAMES /* the same for each set: they use the current NN__SET */
/* The two steps keep `name` as it is written, even if a program has a macro of that name. */
#define NN__VECTOR_NAMES        1
#define NN__JOINED(name, set)   name##set
#define NN__JOINED_2(name, set) NN__JOINED(name, set)
#define NN__(name)              NN__JOINED_2(nn__##name##_, NN__SET)
#define NN__F32                 NN__(v)
#define NN__I32                 NN__(vi)
#define NN__B32                 NN__(vm)
#define NN__FOUR                NN__(vf)
#define NN__OP                  static inline NN__UNUSED
#define NN__INLINE              static NN__ALWAYS_INLINE NN__UNUSED
/* Makes a pointer to constants one that the compiler does not know. On ARM, where vectors have no
   constants in their instructions, gcc would load each of them by an address of its own. */
#if defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))
#define NN__HIDE(pointer) __asm__("" : "+r"(pointer))
#else
#define NN__HIDE(pointer) (void)(pointer)
#endif
/* Vectors of a panel of a product (kernels/matmul/vector.h), on which other kernels build. */
#define NN__PANEL_WIDE (NN__REGISTERS == 32 && NN__LANES == 4 ? 4 : 2)
#endif

#include "cpu/vector_plain.h"
#include "cpu/vector_avx2.h"
#include "cpu/vector_avx512.h"
#include "cpu/vector_neon.h"
#include "cpu/vector_simd128.h"
#include "cpu/vector_portable.h"
#include "cpu/vector_portable_loops.h"

#include "cpu/vector_math.h"
#endif
#endif
