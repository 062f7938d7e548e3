/* base/result.h - result codes: 0 is success, negative is an error, positive is neither. */
#pragma once

#include "base/config.h"

/* The list of codes and their texts. */
#define NN_RESULTS(X)                                                                              \
    X(NN_PENDING, 1, "not finished: call again")                                                   \
    X(NN_END, 2, "no more data in this epoch")                                                     \
    X(NN_CANCELLED, 3, "cancelled by the callback")                                                \
    X(NN_NOT_FOUND, 4, "nothing of that kind is here")                                             \
    X(NN_OK, 0, "ok")                                                                              \
    X(NN_ERROR_ARGUMENT, -1, "an argument is wrong")                                               \
    X(NN_ERROR_MEMORY, -2, "out of memory")                                                        \
    X(NN_ERROR_SHAPE, -3, "shapes do not fit")                                                     \
    X(NN_ERROR_DTYPE, -4, "wrong dtype")                                                           \
    X(NN_ERROR_DEVICE, -5, "wrong device")                                                         \
    X(NN_ERROR_UNSUPPORTED, -6, "not supported there")                                             \
    X(NN_ERROR_FAULTS, -7, "the description has mistakes; nothing was run")                        \
    X(NN_ERROR_STALE, -8, "made before a move; make it again")                                     \
    X(NN_ERROR_FILE, -9, "a file could not be read or written")                                    \
    X(NN_ERROR_FORMAT, -10, "not a file of that format, or a damaged one")                         \
    X(NN_ERROR_LABEL, -11, "a label is out of range")                                              \
    X(NN_ERROR_NAN, -12, "the loss is NaN or infinite")                                            \
    X(NN_ERROR_LIMIT, -13, "the ledger's limit forbids this copy")                                 \
    X(NN_ERROR_BACKEND, -14, "the device reported a failure")                                      \
    X(NN_ERROR_CALLBACK, -15, "a callback of the user failed")                                     \
    X(NN_ERROR_BUSY, -16, "another thread is inside this context")                                 \
    X(NN_ERROR_INDEX, -17, "an index is out of range")                                             \
    X(NN_ERROR_GROUP, -18, "a rank of the group is missing or calls something else")

typedef enum nn_result {
#define NN__X(name, value, text) name = value,
    NN_RESULTS(NN__X)
#undef NN__X
        NN_RESULT_LAST = 0x7fff /* not a result: makes the enum an int everywhere */
} nn_result;

/* Returns NN_VERSION of the nn.h that was compiled into the program or library, "0.1.0". If this
   differs from the macro NN_VERSION, the header and the library do not belong together. */
NN_API const char *nn_version(void);
/* Returns the text of a code, never NULL. */
NN_API const char *nn_result_text(nn_result result);
