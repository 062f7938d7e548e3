/* kernels/quantized/vector.h - the loops around the products of quantised kernels, for every
   instruction set. None of them has a product and a sum that a compiler could fuse, so all sets
   give the same bytes. */
#ifndef NN__SET
#define NN__BODY "kernels/quantized/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_PORTABLE_AVX512) /* NN__OF_SET */
#include "cpu/vector.h"
#include "kernels/quantized/cpu.h"

static void NN__(quantized_quantize)(int8_t *to, const float *x, float scale, float zero, int n) {
    const NN__F32 least = NN__(all)(-512.0f), most = NN__(all)(512.0f), size = NN__(all)(scale),
                  shift = NN__(all)(zero), low = NN__(all)(-128.0f), high = NN__(all)(127.0f);
    const NN__I32 byte = NN__(int_all)(255);
    uint8_t *y = (uint8_t *)to, some[NN__LANES];
    for (int i = 0; i < n; i += NN__LANES) {
        const int count = n - i < NN__LANES ? n - i : NN__LANES;
        NN__F32 v = NN__(div)(NN__(load_up_to)(x + i, count, 0.0f), size);
        v = NN__(drop)(NN__(unordered)(v, v), v);
        v = NN__(round)(NN__(smaller)(NN__(larger)(v, least), most));
        v = NN__(smaller)(NN__(larger)(NN__(add)(v, shift), low), high);
        const NN__I32 q = NN__(int_and)(NN__(to_int)(v), byte);
        if (count == NN__LANES) {
            NN__(int_store_u8)(y + i, q);
        } else {
            NN__(int_store_u8)(some, q);
            for (int k = 0; k < count; k++) y[i + k] = some[k];
        }
    }
}

static void NN__(quantized_put)(float *y, ptrdiff_t y_row, const int32_t *sums, int lanes, int rows,
                                const nn__quantized_out *out, int n) {
    for (int i = 0; i < n; i += NN__LANES) {
        const int count = n - i < NN__LANES ? n - i : NN__LANES;
        const NN__F32 scale = NN__(mul)(NN__(all)(out->x_scale),
                                        NN__(load_up_to)(out->scale + i, count, 0.0f));
        const NN__I32 zero = out->zero ? NN__(int_load_some)(out->zero + i, count)
                                       : NN__(int_all)(0);
        for (int r = 0; r < rows; r++) {
            NN__I32 sum = NN__(int_load)(sums + r * lanes + i), high;
            if (out->zero)
                sum = NN__(int_sub)(sum,
                                    NN__(int_product)(zero, NN__(int_all)(out->row[r]), &high));
            NN__(store_up_to)(y + r * y_row + i, count, NN__(mul)(NN__(from_int)(sum), scale));
        }
    }
}

/* Returns a byte as an integer of -128 to 127. */
NN__OP NN__I32 NN__(quantized_signed)(NN__I32 byte) {
    const NN__I32 sign = NN__(int_all)(128);
    return NN__(int_sub)(NN__(int_xor)(byte, sign), sign);
}

static void NN__(quantized_panel)(void *to, const int8_t *base, const int32_t *offset, int groups,
                                  int lanes, int step, int bytes) {
    const uint8_t *x = (const uint8_t *)base;
    int32_t *words = (int32_t *)to;
    if (step * bytes == 4 && lanes % NN__LANES == 0) { /* a group of a lane is one word */
        for (int g = 0; g < groups; g++, offset += step, words += lanes)
            for (int i = 0; i < lanes; i += NN__LANES) {
                NN__I32 a = NN__(int_load_u8)(x + offset[0] + i),
                        b = NN__(int_load_u8)(x + offset[1] + i);
                if (bytes == 2) {
                    a = NN__(int_and)(NN__(quantized_signed)(a), NN__(int_all)(0xffff));
                    b = NN__(int_left)(NN__(quantized_signed)(b), 16);
                } else {
                    const NN__I32 c = NN__(int_load_u8)(x + offset[2] + i),
                                  d = NN__(int_load_u8)(x + offset[3] + i);
                    a = NN__(int_or)(a, NN__(int_left)(b, 8));
                    b = NN__(int_or)(NN__(int_left)(c, 16), NN__(int_left)(d, 24));
                }
                NN__(int_store)(words + i, NN__(int_or)(a, b));
            }
        return;
    }
    for (int g = 0; g < groups; g++, offset += step)
        for (int i = 0; i < lanes; i++)
            for (int k = 0; k < step; k++) {
                const ptrdiff_t at = ((ptrdiff_t)g * lanes + i) * step + k;
                if (bytes == 1) ((int8_t *)to)[at] = base[offset[k] + i];
                else ((int16_t *)to)[at] = base[offset[k] + i];
            }
}

static void NN__(quantized_planes)(float *y, ptrdiff_t y_row, const int32_t *sums, int lanes,
                                   int rows, const int32_t *less, const int32_t *more,
                                   const float *scale, int n) {
    for (int r = 0; r < rows; r++) {
        const NN__I32 add = NN__(int_all)(more[r]);
        const NN__F32 size = NN__(all)(scale[r]);
        for (int i = 0; i < n; i += NN__LANES) {
            const int count = n - i < NN__LANES ? n - i : NN__LANES;
            NN__I32 sum = NN__(int_load_some)(sums + r * lanes + i, count);
            sum = NN__(int_add)(NN__(int_sub)(sum, NN__(int_load_some)(less + i, count)), add);
            NN__(store_up_to)(y + r * y_row + i, count, NN__(mul)(NN__(from_int)(sum), size));
        }
    }
}

static void NN__(quantized_ends)(float *ends, const float *x, int n) {
    NN__F32 low = NN__(all)(0.0f), high = low;
    for (int i = 0; i < n; i += NN__LANES) {
        const NN__F32 v = NN__(load_up_to)(x + i, n - i, 0.0f);
        low = NN__(smaller)(v, low);
        high = NN__(larger)(v, high);
    }
    ends[0] = NN__(smallest)(low);
    ends[1] = NN__(largest)(high);
}

static const nn__quantized_loops NN__(quantized_loops) = {
    NN__(quantized_quantize), NN__(quantized_put), NN__(quantized_panel), NN__(quantized_planes),
    NN__(quantized_ends)};
#endif
