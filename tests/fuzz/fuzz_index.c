/* tests/fuzz/fuzz_index.c - reads any bytes as a model.safetensors.index.json beside two files: no
   crash, no leak, no file left open; every entry can be read and is where the files have it.

   clang -fsanitize=fuzzer,address,undefined -I. -Itests/support tests/fuzz/fuzz_index.c     the fuzzer
   cc -DFUZZ_MAIN -I. -Itests/support tests/fuzz/fuzz_index.c                                its small corpus, for
   `make test` */
#define NN_IMPLEMENTATION
#include "nn.h"

#define FUZZ_NAME "fuzz_index"
#include "fuzz.h"

static void fuzz_put(memory_disk *disk, const char *name, const char *header, size_t data) {
    unsigned char bytes[512];
    const size_t length = strlen(header);
    memset(bytes, 0, sizeof bytes);
    bytes[0] = (unsigned char)length;
    memcpy(bytes + 8, header, length);
    for (size_t i = 0; i < data; i++) bytes[8 + length + i] = (unsigned char)(i + length);
    memory_put(disk, name, bytes, 8 + length + data);
}

static bool fuzz_one(nn_context *nn) {
    memory_disk *disk = (memory_disk *)nn_context_desc(nn)->files.user;
    nn_safetensors *file;
    uint64_t end = 0;
    fuzz_put(disk, "1", "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8);
    fuzz_put(disk, "2",
             "{\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},\"c\":{\"dtype\":"
             "\"BF16\",\"shape\":[0],\"data_offsets\":[3,3]}}",
             3);
    file = nn_open_safetensors(nn, "f");
    if (!file) return false;
    for (int i = 0; i < nn_safetensors_count(file); i++) {
        const nn_safetensors_entry entry = nn_safetensors_at(file, i);
        unsigned char *raw = (unsigned char *)malloc((size_t)entry.bytes + 1);
        fuzz_ensure(entry.offset >= end && nn_safetensors_find(file, entry.name) == i);
        end = entry.offset + entry.bytes;
        fuzz_touch(entry.name, strlen(entry.name));
        fuzz_ensure(nn_read_safetensors(file, i, NN_DTYPE_DEFAULT, raw, (size_t)entry.bytes) ==
                    NN_OK);
        if (entry.bytes > 0 && file->shard_count > 0)
            fuzz_ensure(raw[1] == (unsigned char)(raw[0] + 1));
        free(raw);
    }
    nn_close_safetensors(file);
    return true;
}

static size_t fuzz_seed(int number, unsigned char *bytes) {
    static const char *const seeds[5] = {
        "{\"weight_map\":{\"a\":\"1\",\"b\":\"2\",\"c\":\"2\"}}",
        "{\"metadata\":{\"total_size\":11},\"weight_map\":{\"c\":\"2\",\"b\":\"2\"}}",
        "{\n \"metadata\" : { \"total_size\" : 1.1e1 , \"x\" : \"y\\n\" , \"z\" : null } ,\n "
        "\"weight_map\" : { \"a\" : \"1\" } }\n",
        "{\"weight_map\":{\"\\u0061\":\"\\u0031\"},\"metadata\":{}}", "{\"weight_map\":{}}"};
    strcpy((char *)bytes, seeds[number % 5]);
    return strlen(seeds[number % 5]);
}
#define FUZZ_WORDS "\"weight_map\":{", "\"metadata\":{", "\"c\":\"2\"", "\\u0061", ",", "{}", "1e9"
#include "fuzz_main.h"
