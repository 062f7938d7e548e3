/* tests/support/rank_hash.h - hashes (FNV, with a shorter prime) to compare the weights and files
   of ranks. */
#ifndef RANK_HASH_H
#define RANK_HASH_H

#include "test.h"

#include <stdlib.h>

#define HASH_EMPTY ((uint64_t)0xcbf29ce484222325u)

static TEST_UNUSED void hash_bytes(uint64_t *hash, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

/* Hashes parameters and buffers, on any device. */
static TEST_UNUSED uint64_t hash_net(nn_model *net) {
    uint64_t hash = HASH_EMPTY;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const size_t count = (size_t)nn_tensor_bytes(tensor);
        char *bytes = (char *)malloc(count + 1);
        if (test_wrong(nn_download_tensor(tensor, bytes, count) != NN_OK))
            test_fail(__FILE__, __LINE__, "\"%s\" cannot be read", nn_tensor_name(tensor));
        else
            hash_bytes(&hash, bytes, count);
        free(bytes);
    }
    return hash;
}

/* Hashes a file. Returns 0 if there is no such file. */
static TEST_UNUSED uint64_t hash_file(const char *name) {
    uint64_t hash = HASH_EMPTY;
    char bytes[4096];
    size_t count;
    FILE *file = fopen(name, "rb");
    if (!file) return 0;
    while ((count = fread(bytes, 1, sizeof bytes, file)) > 0) hash_bytes(&hash, bytes, count);
    fclose(file);
    return hash;
}

#endif
