/* kernels/integer/vector.h - the loops of integer kernels, for every instruction set. Sets without
   loops of their own use plain C, which gives the same bytes. */
#ifndef NN__SET
#define NN__BODY "kernels/integer/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_PORTABLE_AVX512) /* NN__OF_SET */
#include "cpu/vector.h"
#include "kernels/integer/cpu.h"

/* Quantises x[0] to x[n - 1] into `to`; the formula is in kernels/integer/args.h. */
NN__OP void NN__(integer_quantize)(int8_t *to, const float *x, float scale, float zero, int n) {
    const NN__F32 least = NN__(all)(-512.0f), most = NN__(all)(512.0f), nothing = NN__(all)(0.0f),
                  half = NN__(all)(0.5f), one = NN__(all)(1.0f), size = NN__(all)(scale),
                  shift = NN__(all)(zero), low = NN__(all)(-128.0f), high = NN__(all)(127.0f);
    const NN__I32 byte = NN__(int_all)(255);
    uint8_t *y = (uint8_t *)to, some[NN__LANES];
    for (int i = 0; i < n; i += NN__LANES) {
        const int count = n - i < NN__LANES ? n - i : NN__LANES;
        NN__F32 v = NN__(div)(NN__(load_some)(x + i, count, 0.0f), size);
        v = NN__(drop)(NN__(unordered)(v, v), v);
        v = NN__(smaller)(NN__(larger)(v, least), most);
        /* Rounds halves away from zero. The difference of two such numbers is exact. */
        const NN__F32 whole = NN__(from_int)(NN__(to_int)(v)), rest = NN__(sub)(v, whole);
        const NN__F32 up = NN__(sub)(NN__(pick)(NN__(less_equal)(half, rest), one, nothing),
                                     NN__(pick)(NN__(less_equal)(rest, NN__(sub)(nothing, half)),
                                                one, nothing));
        v = NN__(add)(NN__(add)(whole, up), shift);
        const NN__I32 q =
            NN__(int_and)(NN__(to_int)(NN__(smaller)(NN__(larger)(v, low), high)), byte);
        if (count == NN__LANES) {
            NN__(int_store_u8)(y + i, q);
        } else {
            NN__(int_store_u8)(some, q);
            for (int k = 0; k < count; k++) y[i + k] = some[k];
        }
    }
}

#include "kernels/integer/vector_plain.h"
#include "kernels/integer/vector_avx2.h"
#include "kernels/integer/vector_avx512.h"
#include "kernels/integer/vector_avx512_three.h"
#include "kernels/integer/vector_avx512_bytes.h"
#include "kernels/integer/vector_neon.h"
#include "kernels/integer/vector_simd128.h"
#endif
