/* vector_operations.h: every operation of cpu/vector.h on arrays, compiled once for each
   instruction set as kernels are; test_vector.c includes it. */
#ifndef NN__SET
#define NN__BODY "kernels/vector_operations.h"
#include "cpu/for_each_set.h"
#else
#ifdef NN_TEST_LINKED
#include "cpu/vector.h"
#else
#include "nn.h"
#endif

static void NN__(test_one)(int operation, float *y, const float *x, int n) {
    for (int i = 0; i < n; i += NN__LANES) {
        const NN__F32 a = NN__(load_up_to)(x + i, n - i, 1.0f);
        NN__F32 v = a;
        switch (operation) {
        case TEST_SQRT: v = NN__(sqrt)(a); break;
        case TEST_ABS: v = NN__(abs)(a); break;
        case TEST_FLOOR: v = NN__(floor)(a); break;
        case TEST_ROUND: v = NN__(round)(a); break;
        case TEST_EXP: v = NN__(exp)(a); break;
        case TEST_LOG: v = NN__(log)(a); break;
        case TEST_TANH: v = NN__(tanh)(a); break;
        case TEST_ERF: v = NN__(erf)(a); break;
        case TEST_SIGMOID: v = NN__(sigmoid)(a); break;
        case TEST_BITS: v = NN__(of_bits)(NN__(bits)(a)); break;
        case TEST_WHOLE: v = NN__(from_int)(NN__(to_int)(a)); break;
        default: break;
        }
        NN__(store_up_to)(y + i, n - i, v);
    }
}

static void NN__(test_two)(int operation, float *y, const float *x, const float *z, int n) {
    const NN__F32 one = NN__(all)(1.0f), zero = NN__(all)(0.0f);
    for (int i = 0; i < n; i += NN__LANES) {
        const NN__F32 a = NN__(load_up_to)(x + i, n - i, 1.0f),
                      b = NN__(load_up_to)(z + i, n - i, 1.0f);
        NN__F32 v = a;
        switch (operation) {
        case TEST_ADD: v = NN__(add)(a, b); break;
        case TEST_SUB: v = NN__(sub)(a, b); break;
        case TEST_MUL: v = NN__(mul)(a, b); break;
        case TEST_DIV: v = NN__(div)(a, b); break;
        case TEST_MIN: v = NN__(smaller)(a, b); break;
        case TEST_MAX: v = NN__(larger)(a, b); break;
        case TEST_LESS: v = NN__(pick)(NN__(less)(a, b), one, zero); break;
        case TEST_LESS_EQUAL: v = NN__(pick)(NN__(less_equal)(a, b), one, zero); break;
        case TEST_EQUAL: v = NN__(pick)(NN__(equal)(a, b), one, zero); break;
        case TEST_UNORDERED: v = NN__(pick)(NN__(unordered)(a, b), one, zero); break;
        case TEST_BOTH:
            v = NN__(pick)(NN__(both)(NN__(less)(a, one), NN__(less)(b, one)), a, b);
            break;
        case TEST_EITHER:
            v = NN__(pick)(NN__(either)(NN__(less)(a, one), NN__(less)(b, one)), a, b);
            break;
        case TEST_NOT: v = NN__(pick)(NN__(not)(NN__(less)(a, b)), a, b); break;
        case TEST_NONE: v = NN__(pick)(NN__(none)(), a, b); break;
        case TEST_KEEP: v = NN__(keep)(NN__(less)(a, b), a); break;
        case TEST_DROP: v = NN__(drop)(NN__(less)(a, b), a); break;
        case TEST_MASK: {
            char mask[sizeof(NN__B32) + 1];
            NN__(store_mask)(mask + 1, NN__(less)(a, b));
            v = NN__(keep)(NN__(load_mask)(mask + 1), a);
            break;
        }
        case TEST_ANY: v = NN__(any)(NN__(less)(a, b)) ? one : zero; break;
        case TEST_SIGN: v = NN__(with_sign)(a, b); break;
        default: break;
        }
        NN__(store_up_to)(y + i, n - i, v);
    }
}

static void NN__(test_three)(int operation, float *y, const float *x, const float *z,
                             const float *w, int n) {
    for (int i = 0; i < n; i += NN__LANES) {
        const NN__F32 a = NN__(load_up_to)(x + i, n - i, 1.0f),
                      b = NN__(load_up_to)(z + i, n - i, 1.0f),
                      c = NN__(load_up_to)(w + i, n - i, 1.0f);
        NN__(store_up_to)(y + i, n - i,
                          operation == TEST_FMA ? NN__(fma)(a, b, c) : NN__(fnma)(a, b, c));
    }
}

/* n: a multiple of 16. */
static void NN__(test_ints)(int operation, int32_t *y, const int32_t *x, const int32_t *z, int n) {
    const NN__I32 one = NN__(int_all)(1), zero = NN__(int_all)(0);
    for (int i = 0; i < n; i += NN__LANES) {
        const NN__I32 a = NN__(int_load)(x + i), b = NN__(int_load)(z + i);
        NN__I32 v = a;
        switch (operation) {
        case TEST_INT_ADD: v = NN__(int_add)(a, b); break;
        case TEST_INT_SUB: v = NN__(int_sub)(a, b); break;
        case TEST_INT_AND: v = NN__(int_and)(a, b); break;
        case TEST_INT_OR: v = NN__(int_or)(a, b); break;
        case TEST_INT_XOR: v = NN__(int_xor)(a, b); break;
        case TEST_INT_PRODUCT: (void)NN__(int_product)(a, b, &v); break;
        case TEST_INT_PRODUCT_LOW: v = NN__(int_product)(a, b, &v); break;
        case TEST_INT_LEFT: v = NN__(int_left)(a, 7); break;
        case TEST_INT_RIGHT: v = NN__(int_right)(a, 7); break;
        case TEST_INT_EQUAL: v = NN__(int_pick)(NN__(int_equal)(a, b), one, zero); break;
        case TEST_INT_LESS: v = NN__(int_pick)(NN__(int_less)(a, b), one, zero); break;
        default: break;
        }
        NN__(int_store)(y + i, v);
    }
}

/* Writes the sum, the largest and the smallest number of the vector at x. */
static void NN__(test_fold)(float *y, const float *x) {
    const NN__F32 a = NN__(load)(x);
    y[0] = NN__(sum)(a);
    y[1] = NN__(largest)(a);
    y[2] = NN__(smallest)(a);
}

/* Reorders two vectors into two others. */
static void NN__(test_order)(int operation, float *y, const float *x) {
    const NN__F32 a = NN__(load)(x), b = NN__(load)(x + NN__LANES);
    const bool zips = operation == TEST_ZIP;
    if (operation == TEST_NEIGHBOURS) {
        NN__(store)(y, NN__(before)(a, b));
        NN__(store)(y + NN__LANES, NN__(after)(a, b));
        return;
    }
    NN__(store)(y, zips ? NN__(zip_low)(a, b) : NN__(evens)(a, b));
    NN__(store)(y + NN__LANES, zips ? NN__(zip_high)(a, b) : NN__(odds)(a, b));
}

/* The first function multiplies four numbers at x by the vector after them and adds the index of
   the number. The second one adds neighbours in two vectors. The third one transposes a square. */
static void NN__(test_fours)(float *y, const float *x) {
    const NN__FOUR four = NN__(load_four)(x);
    const NN__F32 b = NN__(load)(x + 4);
    NN__(store)(y, NN__(fma_lane0)(four, b, NN__(all)(0.0f)));
    NN__(store)(y + NN__LANES, NN__(fma_lane1)(four, b, NN__(all)(1.0f)));
    NN__(store)(y + 2 * NN__LANES, NN__(fma_lane2)(four, b, NN__(all)(2.0f)));
    NN__(store)(y + 3 * NN__LANES, NN__(fma_lane3)(four, b, NN__(all)(3.0f)));
}
static void NN__(test_pairs)(float *y, const float *x) {
    NN__(store)(y, NN__(pairs)(NN__(load)(x), NN__(load)(x + NN__LANES)));
}
static void NN__(test_turn)(float *y, ptrdiff_t y_row, const float *x, ptrdiff_t x_row, int rows, int columns) {
    if (rows == NN__LANES && columns == NN__LANES)
        NN__(transpose_square)(y, y_row, x, x_row);
    else
        NN__(transpose_part)(y, y_row, x, x_row, rows, columns);
}

static void NN__(test_at)(int operation, float *y, const float *x, const int32_t *at, int n) {
    for (int i = 0; i < n; i += NN__LANES) {
        const NN__I32 places = NN__(int_load)(at + i);
        NN__(store)(y + i, operation == TEST_GATHER ? NN__(gather)(x, places)
                           : operation == TEST_PERMUTE ? NN__(permute)(NN__(load)(x), places)
                                                    : NN__(look_up8)(x, places));
    }
}

/* x: n numbers of bf16 or f16, or bytes; n is a multiple of 16. */
static void NN__(test_widen)(int operation, float *y, const void *x, int n) {
    for (int i = 0; i < n; i += NN__LANES) {
        NN__F32 v;
        if (operation == TEST_BF16) v = NN__(load_bf16)((const uint16_t *)x + i);
        else if (operation == TEST_F16) v = NN__(load_f16)((const uint16_t *)x + i);
        else v = NN__(load_i8)((const int8_t *)x + i);
        NN__(store)(y + i, v);
    }
}
static void NN__(test_narrow)(uint16_t *y, const float *x, int n) {
    for (int i = 0; i < n; i += NN__LANES) NN__(store_bf16)(y + i, NN__(load)(x + i));
}

/* Packs the lanes whose byte is odd, of numbers and of whole ones, and adds 1 to n bytes. */
static int NN__(test_pack)(float *y, int32_t *z, uint8_t *bytes, const float *x,
                           const int32_t *ints, int n) {
    const NN__I32 one = NN__(int_all)(1), v = NN__(int_load_u8_up_to)(bytes, n);
    const NN__B32 odd = NN__(int_equal)(NN__(int_and)(v, one), one);
    const int count = NN__(pack)(y, odd, NN__(load)(x)),
              same = NN__(int_pack)(z, odd, NN__(int_load)(ints));
    NN__(int_store_u8_up_to)(bytes, n, NN__(int_add)(v, one));
    return count == same ? count : -1;
}

static void NN__(test_tail)(float *y, const float *x, int n, float filler) {
    NN__(store)(y, NN__(load_some)(x, n, filler));
}
static void NN__(test_end)(float *y, const float *x, int n) {
    NN__(store_some)(y, n, NN__(load)(x));
}
static void NN__(test_int_tail)(int32_t *y, const int32_t *x, int n) {
    NN__(int_store_some)(y, n, NN__(int_add)(NN__(int_load_some)(x, n), NN__(int_lanes)()));
}
static void NN__(test_put)(float *y, const float *x, bool streams) {
    NN__(ahead)(x);
    NN__(put)(y, NN__(load)(x), streams);
    nn__all_streamed();
}

static const test_set NN__(test_operations) = {
    NN__LANES,
#ifdef NN__FUSED
    true,
#else
    false,
#endif
    NN__(test_one), NN__(test_two), NN__(test_three), NN__(test_ints), NN__(test_fold),
    NN__(test_order), NN__(test_fours), NN__(test_pairs), NN__(test_turn), NN__(test_at),
    NN__(test_widen), NN__(test_narrow), NN__(test_pack), NN__(test_tail), NN__(test_end),
    NN__(test_int_tail), NN__(test_put), NN__(row_max), NN__(row_sum), NN__(product8), NN__(row_squares), NN__(row_dot), NN__(row_scale), NN__(row_exp),
    NN__(uniform)};
#endif
