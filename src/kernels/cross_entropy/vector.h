/* kernels/cross_entropy/vector.h - the loops of cross entropy over rows of two classes, for every
   instruction set. */
#ifndef NN__SET
#define NN__BODY "kernels/cross_entropy/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/cross_entropy/cpu.h"

static int NN__(cross_entropy_exps)(float *e, float *largest, float *sum, const float *z,
                                    int count) {
    int row = 0;
    for (; row + NN__LANES <= count; row += NN__LANES) {
        const NN__F32 x = NN__(load)(z + 2 * row), y = NN__(load)(z + 2 * row + NN__LANES);
        const NN__F32 a = NN__(evens)(x, y), b = NN__(odds)(x, y);
        /* NaN wins */
        const NN__B32 second = NN__(either)(NN__(less)(a, b), NN__(unordered)(b, b));
        const NN__F32 most = NN__(pick)(second, b, a);
        const NN__F32 c = NN__(exp)(NN__(sub)(a, most)), d = NN__(exp)(NN__(sub)(b, most));
        NN__(store)(largest + row, most);
        NN__(store)(sum + row, NN__(add)(c, d));
        NN__(store)(e + 2 * row, NN__(zip_low)(c, d));
        NN__(store)(e + 2 * row + NN__LANES, NN__(zip_high)(c, d));
    }
    return row;
}

#ifndef NN_NO_TRAINING
static int NN__(cross_entropy_gradient)(float *dz, const float *sum, const int32_t *label,
                                        int count, int32_t ignored, float share, float own) {
    const NN__F32 s = NN__(all)(share), o = NN__(all)(own);
    int row = 0;
    for (; row + NN__LANES <= count; row += NN__LANES) {
        float *at = dz + 2 * row;
        const NN__I32 class_ = NN__(int_load)(label + row);
        const NN__B32 is_a = NN__(int_equal)(class_, NN__(int_all)(0)),
                      is_b = NN__(int_equal)(class_, NN__(int_all)(1)),
                      leaves = NN__(int_equal)(class_, NN__(int_all)(ignored)),
                      counts = NN__(both)(NN__(either)(is_a, is_b), NN__(not)(leaves));
        const NN__F32 x = NN__(load)(at), y = NN__(load)(at + NN__LANES),
                      each = NN__(div)(s, NN__(load)(sum + row));
        NN__F32 a = NN__(mul)(NN__(evens)(x, y), each), b = NN__(mul)(NN__(odds)(x, y), each);
        a = NN__(keep)(counts, NN__(pick)(is_a, NN__(sub)(a, o), a));
        b = NN__(keep)(counts, NN__(pick)(is_b, NN__(sub)(b, o), b));
        NN__(store)(at, NN__(zip_low)(a, b));
        NN__(store)(at + NN__LANES, NN__(zip_high)(a, b));
    }
    return row;
}
#endif

static const nn__cross_entropy_pairs NN__(cross_entropy_pairs) = {NN__(cross_entropy_exps),
#ifndef NN_NO_TRAINING
                                                                  NN__(cross_entropy_gradient)
#endif
};
#endif
