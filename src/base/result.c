/* base/result.c - the texts of the result codes. Whole messages are made by nn__fail. */
#include "base/private.h"

/* In the order of the list: the positive ones from 1 up, then 0, -1, -2 ... One array, which is not
   linked into a program that asks for no text. */
NN_API const char *nn_result_text(nn_result result) {
    static const char texts[] =
#define NN__X(name, value, text) text "\0"
        NN_RESULTS(NN__X)
#undef NN__X
            "not a result code";
    enum {
#define NN__X(name, value, text) NN__COUNT_##name,
        NN_RESULTS(NN__X)
#undef NN__X
            NN__RESULT_TEXTS
    };
    const int positive = NN__COUNT_NN_OK, code = (int)result;
    if (code > positive || code <= positive - NN__RESULT_TEXTS)
        return nn__nth_text(texts, NN__RESULT_TEXTS);
    return nn__nth_text(texts, code > 0 ? code - 1 : positive - code);
}
