/* base/result.c - the texts of the result codes. It formats nothing: whole messages are made by nn__fail.
   Next: base/writer.c. */
#include "base/private.h"

NN_API const char *nn_result_text(nn_result result) {
    switch (result) {
#define NN__X(name, value, text) \
    case name: return text;
        NN_RESULTS(NN__X)
#undef NN__X
    case NN_RESULT_LAST: break;
    }
    return "not a result code";
}
