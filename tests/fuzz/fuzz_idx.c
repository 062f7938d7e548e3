/* tests/fuzz/fuzz_idx.c - reads any bytes as an IDX file. There must be no crash and no leak, and
   either a tensor or an error.

   clang -fsanitize=fuzzer,address,undefined -I. -Itests/support tests/fuzz/fuzz_idx.c     the fuzzer
   cc -DFUZZ_MAIN -I. -Itests/support tests/fuzz/fuzz_idx.c                                its small corpus, for `make
   test` */
#define NN_IMPLEMENTATION
#include "nn.h"

#define FUZZ_NAME "fuzz_idx"
#include "fuzz.h"

static bool fuzz_one(nn_context *nn) {
    nn_tensor *tensor = nn_load_idx(nn, "f");
    if (!tensor) return false;
    fuzz_ensure(nn_tensor_data(tensor) && nn_shape_count(nn_tensor_shape(tensor)) > 0);
    fuzz_touch(nn_tensor_data(tensor), (size_t)nn_tensor_bytes(tensor));
    nn_free_tensor(tensor);
    return true;
}

static size_t fuzz_seed(int number, unsigned char *bytes) {
    static const unsigned char codes[6] = {8, 9, 11, 12, 13, 14}, sizes[6] = {1, 1, 2, 4, 4, 8};
    int type = number % 6, rank = 1 + number / 6 % NN_MAX_RANK;
    size_t size = 4 + 4 * (size_t)rank, count = 1;
    memset(bytes, 0, 200);
    bytes[2] = codes[type];
    bytes[3] = (unsigned char)rank;
    for (int i = 0; i < rank; i++) {
        unsigned char extent = (unsigned char)(1 + (number + i) % 2);
        bytes[4 + 4 * i + 3] = extent;
        count *= extent;
    }
    return size + count * sizes[type];
}

#include "fuzz_main.h"
