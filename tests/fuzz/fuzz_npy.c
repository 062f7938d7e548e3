/* tests/fuzz/fuzz_npy.c - reads any bytes as a .npy file. There must be no crash and no leak, and
   either a tensor or an error. A tensor that was read is written and read again.

   clang -fsanitize=fuzzer,address,undefined -I. -Itests/support tests/fuzz/fuzz_npy.c     the fuzzer
   cc -DFUZZ_MAIN -I. -Itests/support tests/fuzz/fuzz_npy.c                                its small corpus, for `make
   test` */
#define NN_IMPLEMENTATION
#include "nn.h"

#define FUZZ_NAME "fuzz_npy"
#include "fuzz.h"

static bool fuzz_one(nn_context *nn) {
    nn_tensor *tensor = nn_load_npy(nn, "f"), *again;
    if (!tensor) return false;
    fuzz_ensure(nn_tensor_data(tensor) && nn_shape_count(nn_tensor_shape(tensor)) > 0);
    fuzz_touch(nn_tensor_data(tensor), (size_t)nn_tensor_bytes(tensor));
    fuzz_ensure(nn_save_npy(tensor, "g") == NN_OK);
    again = nn_load_npy(nn, "g");
    fuzz_ensure(again && nn_same_shape(nn_tensor_shape(again), nn_tensor_shape(tensor)) &&
                nn_tensor_dtype(again) == nn_tensor_dtype(tensor) &&
                memcmp(nn_tensor_data(again), nn_tensor_data(tensor),
                       (size_t)nn_tensor_bytes(tensor)) == 0);
    nn_free_tensor(again);
    nn_free_tensor(tensor);
    return true;
}

/* Makes the first ten bytes right and the length fit, because few inputs get further otherwise. */
static void fuzz_patch(uint8_t *bytes, size_t size) {
    static const char head[] = "\x93NUMPY\x01";
    size_t length = size > 80 ? 70 : size - 8;
    memcpy(bytes, head, sizeof head - 1);
    bytes[7] = 0;
    if (size < 10) return;
    bytes[8] = (uint8_t)length;
    bytes[9] = 0;
}
#define FUZZ_PATCH fuzz_patch

static size_t fuzz_seed(int number, unsigned char *bytes) {
    static const char *const types[10] = {"<f4", ">f4", "|u1", "<i4", ">i8",
                                          "<f2", "|b1", "<f8", "|i1", "=i2"};
    static const int sizes[10] = {4, 4, 1, 4, 8, 2, 1, 8, 1, 2};
    static const char *const shapes[4] = {"()", "(3,)", "(2, 3)", "(1, 2, 2)"};
    static const int counts[4] = {1, 3, 6, 4};
    int type = number % 10, shape = number / 10 % 4, length;
    memset(bytes, 0, 300);
    memcpy(bytes, "\x93NUMPY\x01", 7);
    length = sprintf((char *)bytes + 10, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n",
                     types[type], shapes[shape]);
    bytes[8] = (unsigned char)length;
    for (int i = 0; i < counts[shape] * sizes[type]; i++)
        bytes[10 + length + i] = (unsigned char)(7 * i + number);
    return (size_t)(10 + length + counts[shape] * sizes[type]);
}

#include "fuzz_main.h"
