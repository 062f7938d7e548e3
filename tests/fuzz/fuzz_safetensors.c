/* tests/fuzz/fuzz_safetensors.c - reads any bytes as a safetensors file. There must be no crash, no
   leak and no entry outside the file. Every entry that was accepted must be readable, and be found
   again by its name.

   The fuzzer:
   clang -fsanitize=fuzzer,address,undefined -I. -Itests/support tests/fuzz/fuzz_safetensors.c
   Its small corpus, for `make test`:
   cc -DFUZZ_MAIN -I. -Itests/support tests/fuzz/fuzz_safetensors.c */
#define NN_IMPLEMENTATION
#include "nn.h"

#define FUZZ_NAME "fuzz_safetensors"
#include "fuzz.h"

static bool fuzz_one(nn_context *nn) {
    nn_safetensors *file = nn_open_safetensors(nn, "f");
    uint64_t end = 0;
    if (!file) return false;
    for (int i = 0; i < nn_safetensors_count(file); i++) {
        nn_safetensors_entry entry = nn_safetensors_at(file, i);
        size_t count = (size_t)(entry.bytes / nn_dtype_size(entry.dtype));
        float *numbers = (float *)malloc(count * sizeof(float) + 1);
        char *raw = (char *)malloc((size_t)entry.bytes + 1);
        fuzz_ensure(entry.offset >= end && nn_safetensors_find(file, entry.name) == i);
        end = entry.offset + entry.bytes;
        fuzz_touch(entry.name, strlen(entry.name));
        fuzz_ensure(nn_read_safetensors(file, i, NN_F32, numbers, count * sizeof(float)) == NN_OK);
        fuzz_ensure(nn_read_safetensors(file, i, NN_DTYPE_DEFAULT, raw, (size_t)entry.bytes) ==
                    NN_OK);
        fuzz_touch(numbers, count * sizeof(float));
        free(raw);
        free(numbers);
    }
    if (nn_safetensors_metadata(file, "format"))
        fuzz_touch("x", strlen(nn_safetensors_metadata(file, "format")));
    nn_close_safetensors(file);
    return true;
}

/* Sets the header's length to all bytes but up to 15 bytes of data. */
static void fuzz_patch(uint8_t *bytes, size_t size) {
    size_t length = size - 8, data = bytes[0] & 15u;
    if (data < length) length -= data;
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)((uint64_t)length >> (8 * i) & 255u);
}
#define FUZZ_PATCH fuzz_patch

static size_t fuzz_seed(int number, unsigned char *bytes) {
    static const char *headers[8] = {
        "{}      ",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
        "{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_"
        "offsets\":[0,8]}}",
        "{\"b\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[0,8]},\"a\":{\"dtype\":\"U8\","
        "\"shape\":[0,3],\"data_offsets\":[8,8]}}",
        "{\"\\u00e9\\ud83d\\ude00\":{\"shape\":[4],\"data_offsets\":[0,8],\"dtype\":\"BF16\"}}  ",
        "{ \"a\" : { \"dtype\" : \"BOOL\" , \"shape\" : [ 3 ] , \"data_offsets\" : [ 5 , 8 ] } , "
        "\"b\":{\"dtype\":\"I8\",\"shape\":[5],\"data_offsets\":[0,5]}}",
        "{\"__metadata__\":{}}",
        "{\"x\\n\\\"\\\\\\/\":{\"dtype\":\"F64\",\"shape\":[1,1,1,1,1,1],\"data_offsets\":[0,8]}}"};
    const char *header = headers[number % 8];
    size_t length = strlen(header), data = number % 8 == 0 || number % 8 == 6 ? 0 : 8;
    memset(bytes, 0, 8);
    bytes[0] = (unsigned char)length;
    memcpy(bytes + 8, header, length);
    for (size_t i = 0; i < data; i++)
        bytes[8 + length + i] = (unsigned char)(17 * number + 31 * (int)i);
    return 8 + length + data;
}

#include "fuzz_main.h"
