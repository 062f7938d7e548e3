/* base/result.c - the texts of the result codes. nn__fail makes whole messages. */
#include "base/private.h"

NN_API const char *nn_version(void) { return NN_VERSION; }

/* The texts are in the order of the list: positive codes from 1 up, then 0, -1, -2 ... They are
   one local array, so a program that asks for no text does not link it. */
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
