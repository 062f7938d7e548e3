/* tests/tensor/test_tensor.c - tensors and mistakes with them, conversion of numbers, IDX
   and safetensors with damaged files. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "test.h"

#include "memory_files.h"
#include "sim_device.h"

static nn_site here(int line) { return nn_make_site("src/train.c", line); }

static nn_context *open_with(memory_disk *disk) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(disk, 0, sizeof *disk);
    desc.threads = 1;
    desc.files = memory_files(disk);
    return nn_open(&desc);
}

static nn_tensor *make(nn_context *nn, const char *name, nn_dtype dtype, nn_shape shape,
                       nn_device device, void *data) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.name = name;
    desc.dtype = dtype;
    desc.shape = shape;
    desc.device = device;
    desc.data = data;
    return nn_make_tensor_at(here(7), nn, &desc);
}

/* ---- tensors --------------------------------------------------------------------------------- */

static void test_make_wrap_view(void) {
    nn_context *nn = nn_open(NULL);
    float numbers[6] = {1, 2, 3, 4, 5, 6};
    nn_tensor *zeros = nn_make_tensor(nn, NULL), *x, *rows, *flat;
    ENSURE(zeros && nn_tensor_bytes(zeros) == 4 && *(float *)nn_tensor_data(zeros) == 0);
    ENSURE_TEXT(nn_tensor_name(zeros), "tensor");
    ENSURE(nn_tensor_dtype(zeros) == NN_F32 && nn_tensor_shape(zeros).rank == 0);
    x = nn_wrap(nn, "x", NN_F32, NN_SHAPE(3, 2), numbers);
    ENSURE(x && nn_tensor_data(x) == numbers);
    rows = nn_make_view(x, 1, 2);
    ENSURE(rows && nn_tensor_data(rows) == numbers + 2 && nn_tensor_bytes(rows) == 16);
    flat = nn_make_reshaped(rows, NN_SHAPE(4));
    ENSURE(flat && nn_tensor_data(flat) == numbers + 2 && nn_tensor_shape(flat).extent[0] == 4);
    ENSURE(nn_fill_zero(flat) == NN_OK && numbers[1] == 2 && numbers[2] == 0 && numbers[5] == 0);
    nn_free_tensor(flat);
    nn_free_tensor(rows);
    nn_free_tensor(NULL);
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn); /* frees the others */
}

static void expect_no_tensor(nn_context *nn, nn_tensor *tensor, const char *expected) {
    ENSURE(tensor == NULL);
    ENSURE_TEXT(nn_error(nn), expected);
    nn_clear_error(nn);
}

static void test_mistakes_in_tensors(void) {
    nn_context *nn = nn_open(NULL), *second = nn_open(NULL);
    nn_device cpu = nn_cpu(), device;
    sim_device *sim = sim_open(nn, NULL, &device);
    int32_t huge[6] = {INT32_MAX, INT32_MAX, INT32_MAX, 2, 2, 2};
    float numbers[8] = {0};
    uint64_t live = nn_context_memory(nn).live_bytes;
    expect_no_tensor(nn, make(nn, "x", NN_F32, NN_SHAPE(3, 0), cpu, NULL),
                     "nn_make_tensor at train.c:7: \"x\" (3, 0): extent 1 is 0; wanted at least 1");
    expect_no_tensor(nn, make(nn, "x", NN_F32, NN_SHAPE(NN_BATCH, 2), cpu, NULL),
                     "nn_make_tensor at train.c:7: \"x\" (batch, 2): extent 0 is -1; NN_BATCH "
                     "belongs to descriptions, a tensor "
                     "needs a number");
    expect_no_tensor(
        nn, make(nn, "x", (nn_dtype)77, NN_SHAPE(2), cpu, NULL),
        "nn_make_tensor at train.c:7: \"x\" has dtype 77, which is none; wanted NN_F32 to NN_BOOL");
    expect_no_tensor(nn, make(nn, "x", NN_F32, nn_make_shape(huge, 7), cpu, NULL),
                     "nn_make_tensor at train.c:7: \"x\" has -1 extents; wanted 0 to 6");
    ENSURE(make(nn, "x", NN_F32, nn_make_shape(huge, 3), cpu, NULL) == NULL &&
           strstr(nn_error(nn), "its bytes do not fit"));
    nn_clear_error(nn);
    expect_no_tensor(nn, make(nn, "x", NN_F32, NN_SHAPE(2), device, numbers),
                     "nn_make_tensor at train.c:7: \"x\": data is the host's memory, but the "
                     "tensor is to live on user0:0; leave data "
                     "NULL and call nn_upload_tensor, or use nn_cpu()");
    ENSURE(make(nn, "x", NN_F32, NN_SHAPE(1), cpu, (char *)(void *)numbers + 1) == NULL &&
           strstr(nn_error(nn), "a multiple of 4"));
    nn_clear_error(nn);
    ENSURE(make(nn,
                "a name that is much longer than the one hundred and twenty-seven bytes that a "
                "tensor has, "
                "which takes a sentence that goes on and on and does not come to its end",
                NN_F32, NN_SHAPE(1), cpu, NULL) == NULL);
    ENSURE(strstr(nn_error(nn), "at most 127 fit"));
    nn_clear_error(nn);
    expect_no_tensor(nn, nn_wrap_at(here(8), nn, "w", NN_F32, NN_SHAPE(2), NULL),
                     "nn_wrap at train.c:8: \"w\": data is NULL; nn_make_tensor makes a tensor "
                     "with its own memory");
    ENSURE(nn_context_memory(nn).live_bytes == live);
    nn_tensor *x = make(nn, "x", NN_F32, NN_SHAPE(4, 2), cpu, numbers),
              *i = make(nn, "i", NN_I32, NN_SHAPE(4, 2), cpu, NULL);
    nn_tensor *scalar = make(nn, "s", NN_F32, nn_make_shape(NULL, 0), cpu, NULL), *row;
    nn_tensor *foreign = make(second, "f", NN_F32, NN_SHAPE(4, 2), cpu, NULL);
    expect_no_tensor(
        nn, nn_make_view_at(here(9), x, 3, 2),
        "nn_make_view at train.c:9: \"x\" (4, 2) has the rows 0 to 3; got first 3 and count 2");
    ENSURE(nn_make_view(x, INT32_MAX, INT32_MAX) == NULL && nn_make_view(x, -1, 1) == NULL &&
           nn_make_view(x, 0, 0) == NULL);
    nn_clear_error(nn);
    expect_no_tensor(nn, nn_make_view_at(here(9), scalar, 0, 1),
                     "nn_make_view at train.c:9: \"s\" has rank 0, so it has no rows");
    expect_no_tensor(nn, nn_make_reshaped_at(here(9), x, NN_SHAPE(3, 3)),
                     "nn_make_reshaped at train.c:9: \"x\" (4, 2) has 8 elements; (3, 3) does not");
    ENSURE(nn_upload_tensor_at(here(10), x, numbers, 12) == NN_ERROR_SHAPE);
    ENSURE_TEXT(nn_error(nn),
                "nn_upload_tensor at train.c:10: \"x\" (4, 2) f32 has 32 bytes, got 12");
    nn_clear_error(nn);
    ENSURE(nn_download_tensor_at(here(10), x, NULL, 32) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(nn_error(nn), "nn_download_tensor at train.c:10: \"x\": to is NULL");
    nn_clear_error(nn);
    ENSURE(nn_copy_at(here(11), x, i) == NN_ERROR_DTYPE);
    ENSURE_TEXT(nn_error(nn),
                "nn_copy at train.c:11: \"x\" is f32, \"i\" is i32; a copy does not convert");
    nn_clear_error(nn);
    ENSURE(nn_copy_at(here(11), x, scalar) == NN_ERROR_SHAPE);
    ENSURE_TEXT(nn_error(nn), "nn_copy at train.c:11: \"x\" is (4, 2), \"s\" is (); "
                              "nn_make_reshaped gives another shape");
    nn_clear_error(nn);
    ENSURE(nn_copy(x, foreign) == NN_ERROR_ARGUMENT &&
           strstr(nn_error(nn), "belongs to a different context"));
    nn_clear_error(nn);
    row = nn_make_view(x, 0, 2);
    ENSURE(nn_copy_at(here(11), row, nn_make_view(x, 1, 2)) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(nn_error(nn), "nn_copy at train.c:11: \"x\" and \"x\" share bytes");
    ENSURE(nn_copy(row, nn_make_view(x, 2, 2)) == NN_OK && nn_copy(x, x) == NN_OK);
    nn_close(second);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void test_null_everywhere(void) {
    nn_context *nn = nn_open(NULL);
    nn_tensor *x = nn_make_tensor(nn, NULL);
    float number = 0;
    ENSURE(!nn_make_tensor(NULL, NULL) && !nn_wrap(NULL, "x", NN_F32, NN_SHAPE(1), &number) &&
           !nn_make_view(NULL, 0, 1));
    ENSURE(!nn_make_reshaped(NULL, NN_SHAPE(1)) && (int)nn_upload_tensor(NULL, &number, 4) < 0);
    ENSURE((int)nn_download_tensor(NULL, &number, 4) < 0 && (int)nn_copy(NULL, x) < 0 &&
           (int)nn_copy(x, NULL) < 0);
    ENSURE((int)nn_copy(NULL, NULL) < 0 && !nn_copy_to(NULL, nn_cpu()) &&
           (int)nn_fill_zero(NULL) < 0);
    ENSURE(nn_tensor_dtype(NULL) == NN_DTYPE_DEFAULT && nn_tensor_shape(NULL).rank == 0 &&
           nn_tensor_bytes(NULL) == 0);
    ENSURE(nn_tensor_device(NULL).kind == NN_DEVICE_DEFAULT && !nn_tensor_view(NULL).handle &&
           !nn_tensor_data(NULL));
    ENSURE_TEXT(nn_tensor_name(NULL), "(none)");
    ENSURE(!nn_load_idx(NULL, "a") && !nn_load_idx(nn, NULL) && !nn_open_safetensors(NULL, "a") &&
           !nn_open_safetensors(nn, NULL));
    nn_close_safetensors(NULL);
    ENSURE(nn_safetensors_count(NULL) == 0 && nn_safetensors_at(NULL, 0).name == NULL &&
           nn_safetensors_find(NULL, "a") == -1);
    ENSURE(!nn_safetensors_metadata(NULL, "a") &&
           (int)nn_read_safetensors(NULL, 0, NN_F32, &number, 4) < 0);
    ENSURE((int)nn_save_safetensors(NULL, "a", &x, 1, NULL, 0) < 0 &&
           (int)nn_save_safetensors(nn, NULL, &x, 1, NULL, 0) < 0);
    nn_close(nn);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Stores a number in the byte order of files. */
static void store(nn_dtype dtype, unsigned char *to, double value) {
    unsigned char host[8];
    nn__store_number(dtype, host, value);
    nn__convert_to_file(dtype, host, to, 1);
}

static double through(nn_dtype dtype, double value) {
    unsigned char bytes[9];
    store(dtype, bytes + 1, value);
    return nn__load_number(dtype, bytes + 1);
}

static unsigned half_bits(double value) {
    unsigned char bytes[2];
    store(NN_F16, bytes, value);
    return bytes[0] | (unsigned)bytes[1] << 8;
}

static void test_small_floats(void) {
    double infinite = (double)INFINITY;
    for (unsigned bits = 0; bits < 65536; bits++) { /* every value of 16 bits comes back */
        unsigned char from[2] = {(unsigned char)(bits & 255u), (unsigned char)(bits >> 8)}, back[2];
        for (int bf = 0; bf < 2; bf++) {
            nn_dtype dtype = bf ? NN_BF16 : NN_F16;
            double value = nn__load_number(dtype, from);
            store(dtype, back, value);
            if (value == value) ENSURE(memcmp(from, back, 2) == 0);
            else ENSURE(nn__load_number(dtype, back) != nn__load_number(dtype, back));
        }
    }
    ENSURE(half_bits(1) == 0x3C00 && half_bits(-2) == 0xC000 && half_bits(65504) == 0x7BFF &&
           half_bits(65519.99) == 0x7BFF);
    ENSURE(half_bits(65520) == 0x7C00 && half_bits(-1e300) == 0xFC00 &&
           half_bits(infinite) == 0x7C00);
    ENSURE(half_bits(5.9604644775390625e-8) == 1 &&
           half_bits(2.98023223876953125e-8) == 0); /* a tie goes to even */
    ENSURE(half_bits(2.9802322387695316e-8) == 1 && half_bits(8.94069671630859375e-8) == 2 &&
           half_bits(1e-30) == 0);
    ENSURE(half_bits(-1e-30) == 0x8000 && half_bits(-0.0) == 0x8000 &&
           half_bits(1 + 1.0 / 2048) == 0x3C00);
    ENSURE(half_bits(1 + 3.0 / 2048) == 0x3C02 && half_bits(6.103515625e-5) == 0x0400 &&
           half_bits(6.1e-5) == 0x03FF);
    ENSURE(half_bits(6.1035e-5) == 0x0400); /* rounds up out of the subnormals */
    for (int i = 0; i < 20000; i++) { /* f32 against the compiler's own conversion */
        uint32_t words[4];
        uint64_t bits;
        double value;
        nn_random_words(5, 6, (uint64_t)i, words);
        bits = ((uint64_t)words[0] << 32 | words[1]) & ~((uint64_t)0x7FF << 52);
        bits |= (uint64_t)(1023 - 160 + words[2] % 300)
                << 52; /* from far below f32's smallest to above its largest */
        memcpy(&value, &bits, 8);
        if (value > 3.4028234e38 || value < -3.4028234e38) continue;
        ENSURE(through(NN_F32, value) == (double)(float)value);
    }
    ENSURE(through(NN_F32, 1e39) == infinite && through(NN_F32, -infinite) == -infinite);
    ENSURE(through(NN_F32, (double)NAN) != through(NN_F32, (double)NAN));
}

static void test_integers(void) {
    ENSURE(through(NN_I32, 2.5) == 2 && through(NN_I32, 3.5) == 4 && through(NN_I32, -2.5) == -2 &&
           through(NN_I32, -2.6) == -3);
    ENSURE(through(NN_I32, 1e30) == 2147483647.0 && through(NN_I32, -1e30) == -2147483648.0 &&
           through(NN_I32, (double)NAN) == 0);
    ENSURE(through(NN_U8, -1) == 0 && through(NN_U8, 256) == 255 && through(NN_I8, -129) == -128 &&
           through(NN_I16, 40000) == 32767);
    ENSURE(through(NN_I64, -9007199254740992.0) == -9007199254740992.0 &&
           through(NN_I64, 1e30) == 9223372036854775808.0);
    ENSURE(through(NN_BOOL, 0.25) == 1 && through(NN_BOOL, 0) == 0);
}

static void test_arrays_between_dtypes(void) {
    unsigned char file[1 + 24];
    int64_t wide[3] = {INT64_MAX, -5, 9007199254740993}, back[3];
    int32_t narrow[3];
    nn__convert_to_file(NN_I64, wide, file + 1, 3);
    ENSURE(file[1] == 0xFF && file[8] == 0x7F && file[9] == 0xFB);
    nn__convert_from_file(NN_I64, file + 1, NN_I64, back, 3);
    ENSURE(memcmp(wide, back, sizeof wide) == 0);
    nn__convert_from_file(NN_I64, file + 1, NN_I32, narrow, 3);
    ENSURE(narrow[0] == INT32_MAX && narrow[1] == -5 && narrow[2] == INT32_MAX);
}

/* ---- IDX ------------------------------------------------------------------------------------- */

static nn_tensor *load_idx(nn_context *nn, memory_disk *disk, const void *bytes, size_t size) {
    memory_put(disk, "set/labels.idx", bytes, size);
    return nn_load_idx_at(here(5), nn, "set/labels.idx");
}

static void test_idx_types(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    static const unsigned char bytes_u8[] = {0, 0, 8, 2, 0, 0, 0, 2, 0,
                                             0, 0, 3, 1, 2, 3, 4, 5, 255};
    static const unsigned char bytes_i8[] = {0, 0, 9, 1, 0, 0, 0, 1, 0xFE};
    static const unsigned char bytes_i16[] = {0, 0, 11, 1, 0, 0, 0, 2, 0x01, 0x02, 0xFF, 0xFE};
    static const unsigned char bytes_i32[] = {0, 0, 12, 1, 0, 0, 0, 1, 1, 2, 3, 4};
    static const unsigned char bytes_f32[] = {0, 0, 13, 1, 0, 0, 0, 1, 0x3F, 0x80, 0, 0};
    static const unsigned char bytes_f64[] = {0, 0, 14, 1, 0, 0, 0, 1, 0xC0, 0, 0, 0, 0, 0, 0, 0};
    nn_tensor *t = load_idx(nn, &disk, bytes_u8, sizeof bytes_u8);
    ENSURE(t && nn_tensor_dtype(t) == NN_U8 && nn_same_shape(nn_tensor_shape(t), NN_SHAPE(2, 3)));
    ENSURE(memcmp(nn_tensor_data(t), bytes_u8 + 12, 6) == 0);
    ENSURE_TEXT(nn_tensor_name(t), "labels.idx");
    t = load_idx(nn, &disk, bytes_i8, sizeof bytes_i8);
    ENSURE(t && *(int8_t *)nn_tensor_data(t) == -2);
    t = load_idx(nn, &disk, bytes_i16, sizeof bytes_i16);
    ENSURE(t && ((int16_t *)nn_tensor_data(t))[0] == 0x0102 &&
           ((int16_t *)nn_tensor_data(t))[1] == -2);
    t = load_idx(nn, &disk, bytes_i32, sizeof bytes_i32);
    ENSURE(t && *(int32_t *)nn_tensor_data(t) == 0x01020304);
    t = load_idx(nn, &disk, bytes_f32, sizeof bytes_f32);
    ENSURE(t && *(float *)nn_tensor_data(t) == 1.0f);
    t = load_idx(nn, &disk, bytes_f64, sizeof bytes_f64);
    ENSURE(t && *(double *)nn_tensor_data(t) == -2.0);
    ENSURE(nn_error(nn) == NULL && disk.open_files == 0);
    nn_close(nn);
    memory_free(&disk);
}

static void expect_bad_idx(const char *bytes, size_t size, const char *expected) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    uint64_t live = nn_context_memory(nn).live_bytes;
    char text[512];
    ENSURE(load_idx(nn, &disk, bytes, size) == NULL);
    nn__format(text, sizeof text, "nn_load_idx at train.c:5: \"set/labels.idx\"%s", expected);
    ENSURE_TEXT(nn_error(nn), text);
    ENSURE(nn_context_memory(nn).live_bytes == live && disk.open_files == 0 &&
           nn_error_code(nn) == NN_ERROR_FORMAT);
    nn_close(nn);
    memory_free(&disk);
}

static void test_idx_damaged(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    expect_bad_idx("", 0, " is not an IDX file: it has only 0 bytes");
    expect_bad_idx("\x1f\x8b\x08\x08....", 8,
                   " is gzipped; unpack it first: gunzip \"set/labels.idx\"");
    expect_bad_idx("\x89PNG\r\n", 6,
                   " is not an IDX file: it starts with 89 50 4e 47, wanted 00 00, a type (08 09 "
                   "0b 0c 0d 0e) and a rank");
    expect_bad_idx("\0\0\x0a\1\0\0\0\1x", 9,
                   " is not an IDX file: it starts with 00 00 0a 01, wanted 00 00, a type (08 09 "
                   "0b 0c 0d 0e) and a rank");
    expect_bad_idx("\0\0\x08\0x", 5, " has 0 extents; wanted 1 to 6");
    expect_bad_idx("\0\0\x08\7\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1x", 33,
                   " has 7 extents; wanted 1 to 6");
    expect_bad_idx("\0\0\x08\2\0\0\0\1\0", 9,
                   " is truncated: it ends inside its header, at byte 9");
    expect_bad_idx("\0\0\x08\1\0\0\0\0", 8, ": extent 0 is 0; wanted 1 to 2147483647");
    expect_bad_idx("\0\0\x08\1\xff\xff\xff\xff", 8,
                   ": extent 0 is 4294967295; wanted 1 to 2147483647");
    expect_bad_idx("\0\0\x08\1\0\0\0\5abc", 11,
                   " is truncated: (5) u8 needs 13 bytes, the file has 11, 2 are missing");
    expect_bad_idx("\0\0\x08\1\0\0\0\2abc", 11,
                   " is too long: (2) u8 needs 10 bytes, the file has 11, 1 are too many");
    expect_bad_idx("\0\0\x0e\3\x7f\xff\xff\xff\x7f\xff\xff\xff\x7f\xff\xff\xff", 16,
                   " claims (2147483647, 2147483647, 2147483647) f64, more than any memory");
    ENSURE(nn_load_idx_at(here(5), nn, "none") == NULL);
    ENSURE_TEXT(nn_error(nn), "nn_load_idx at train.c:5: \"none\" cannot be opened; see whether it "
                              "exists and may be read");
    for (int n = 1; n <= 4; n++) { /* open, size, and both reads of a failing disk */
        disk.operations = 0, disk.fail_at = n;
        nn_clear_error(nn);
        ENSURE(load_idx(nn, &disk, "\0\0\x08\1\0\0\0\2ab", 10) == NULL &&
               nn_error_code(nn) == NN_ERROR_FILE);
    }
    ENSURE(disk.open_files == 0);
    nn_close(nn);
    memory_free(&disk);
}

/* ---- safetensors: reading -------------------------------------------------------------------- */

/* Opens a file made of a header's text and `data` bytes 0, 1, 2 ... */
static nn_safetensors *open_text(nn_context *nn, memory_disk *disk, const char *header,
                                 size_t length, size_t data) {
    unsigned char bytes[4096] = {0};
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)((uint64_t)length >> (8 * i) & 255u);
    memcpy(bytes + 8, header, length);
    for (size_t i = 0; i < data; i++) bytes[8 + length + i] = (unsigned char)i;
    memory_put(disk, "m", bytes, 8 + length + data);
    return nn_open_safetensors_at(here(3), nn, "m");
}

static void test_safetensors_reads(void) {
    static const char header[] =
        " {\"b\\u00e9\\ud83d\\ude00\\n\\\"\":{\"data_offsets\":[4,7],\"shape\":[3],\"dtype\":"
        "\"U8\"},\n"
        "\"__metadata__\":{\"format\":\"pt\",\"empty\":\"\"},"
        "\"none\":{\"dtype\":\"F64\",\"shape\":[2,0],\"data_offsets\":[7,7]},"
        "\"a\" : {\"dtype\":\"I32\",\"shape\":[ ] ,\"data_offsets\":[ 0, 4 ]} }   ";
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_safetensors *file = open_text(nn, &disk, header + 1, strlen(header) - 1, 7);
    nn_safetensors_entry entry;
    int32_t number = 0;
    uint8_t three[3];
    float floats[3];
    ENSURE(file && nn_safetensors_count(file) == 3);
    entry = nn_safetensors_at(file, 0);
    ENSURE_TEXT(entry.name, "a");
    ENSURE(entry.dtype == NN_I32 && entry.shape.rank == 0 && entry.bytes == 4 &&
           entry.offset == 8 + strlen(header) - 1);
    ENSURE_TEXT(nn_safetensors_at(file, 1).name, "b\xc3\xa9\xf0\x9f\x98\x80\n\"");
    ENSURE(nn_safetensors_at(file, 2).bytes == 0 &&
           nn_safetensors_at(file, 2).shape.extent[1] == 0);
    ENSURE(nn_safetensors_find(file, "none") == 2 && nn_safetensors_find(file, "nothing") == -1 &&
           nn_safetensors_at(file, 3).name == NULL);
    ENSURE_TEXT(nn_safetensors_metadata(file, "format"), "pt");
    ENSURE_TEXT(nn_safetensors_metadata(file, "empty"), "");
    ENSURE(nn_safetensors_metadata(file, "other") == NULL);
    ENSURE(nn_read_safetensors(file, 0, NN_DTYPE_DEFAULT, &number, 4) == NN_OK &&
           number == 0x03020100);
    ENSURE(nn_read_safetensors(file, 1, NN_U8, three, 3) == NN_OK && three[2] == 6);
    ENSURE(nn_read_safetensors(file, 1, NN_F32, floats, 12) == NN_OK && floats[0] == 4 &&
           floats[2] == 6);
    ENSURE(nn_read_safetensors(file, 2, NN_F32, NULL, 0) == NN_OK && nn_error(nn) == NULL);
    ENSURE(nn_read_safetensors_at(here(4), file, 1, NN_F32, floats, 8) == NN_ERROR_SHAPE);
    ENSURE(strstr(nn_error(nn), ": 3 numbers as f32 want 12 bytes, got 8"));
    ENSURE(nn_read_safetensors(file, 9, NN_F32, floats, 8) == NN_ERROR_ARGUMENT);
    ENSURE(nn_read_safetensors(file, 0, (nn_dtype)50, floats, 8) == NN_ERROR_DTYPE);
    nn_close_safetensors(file);
    file = open_text(nn, &disk, "{}", 2, 0);
    ENSURE(file && nn_safetensors_count(file) == 0 && nn_safetensors_find(file, "a") == -1);
    ENSURE(disk.open_files == 1);
    nn_close(nn); /* closes the file */
    ENSURE(disk.open_files == 0);
    memory_free(&disk);
}

#define T(name, dtype, shape, from, to)                                                            \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":[" shape "],\"data_offsets\":[" #from "," #to \
    "]}"

static void test_safetensors_damaged(void) {
    static const struct {
        const char *header;
        int         data;
        const char *expected;
    } cases[] = {
        {"", 0, "byte 8: the header does not begin with '{'; not a safetensors file?"},
        {"[]", 0, "byte 8: the header does not begin with '{'; not a safetensors file?"},
        {"{", 0, "byte 9: the header ends, wanted '\"' before a tensor's name"},
        {"{} x", 0, "byte 11: more after the header's last '}'"},
        {"{" T("a", "U8", "1", 0, 1), 1,
         "byte 60: the header ends, wanted '}' at the end of the header"},
        {"{" T("a", "U8", "1", 0, 1) ",}", 1, "byte 61: 0x7d, wanted '\"' before a tensor's name"},
        {"{" T("a", "U8", "1", 0, 1) "," T("a", "U8", "1", 1, 2) "}", 2,
         "byte 62: two tensors are named \"a\""},
        {"{" T("a", "U8", "1", 0, 1) "," T("\\u0061", "U8", "1", 1, 2) "}", 2,
         "byte 62: two tensors are named \"a\""},
        {"{" T("a", "U8", "2", 0, 2) "," T("b", "U8", "2", 1, 3) "}", 3,
         "byte 62: \"b\" overlaps the tensor before it"},
        {"{" T("a", "U8", "1", 0, 1) "," T("b", "U8", "1", 2, 3) "}", 3,
         "byte 62: 1 unused bytes before \"b\""},
        {"{" T("a", "U8", "1", 0, 1) "}", 3, "byte 62: 2 bytes after the last tensor"},
        {"{" T("a", "U8", "9", 0, 9) "}", 3,
         "byte 54: data_offsets [0, 9] lie outside the file's 3 bytes of data"},
        {"{" T("a", "U8", "1", 2, 1) "}", 3,
         "byte 54: data_offsets [2, 1] lie outside the file's 3 bytes of data"},
        {"{" T("a", "F32", "1", 0, 3) "}", 3,
         "byte 13: \"a\": (1) f32 has 4 bytes, its data_offsets span 3"},
        {"{" T("a", "U17", "1", 0, 2) "}", 2,
         "byte 22: dtype \"U17\" is unknown here; known: F32 F16 BF16 F64 I64 I32 I16 I8 U8 BOOL"},
        {"{" T("a", "U8", "1,1,1,1,1,1,1", 0, 1) "}", 1,
         "byte 48: a shape with more than 6 extents"},
        {"{" T("a", "U8", "2147483648", 0, 1) "}", 1,
         "byte 36: extent 2147483648 is above 2147483647"},
        {"{" T("a", "F64", "2147483647,2147483647,2147483647", 0, 1) "}", 1,
         "byte 13: \"a\": the bytes of (2147483647, 2147483647, 2147483647) f64 do not fit 64 "
         "bits"},
        {"{" T("a", "U8", "-1", 0, 1) "}", 1, "byte 36: wanted a number without a sign in a shape"},
        {"{" T("a", "U8", "01", 0, 1) "}", 1, "byte 36: a number with a leading zero"},
        {"{" T("a", "U8", "1e0", 0, 1) "}", 1, "byte 36: wanted a whole number in a shape"},
        {"{" T("a", "U8", "1", 0, 99999999999999999999) "}", 1,
         "byte 57: the number does not fit 64 bits"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", 0, "byte 13: \"a\" has no data_offsets"},
        {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 0, "byte 27: \"a\" has two keys \"dtype\""},
        {"{\"a\":{\"type\":\"U8\"}}", 0, "byte 14: \"a\": the key \"type\" is unknown"},
        {"{\"a\":[[[[[[[[[[[[[[[[", 0, "byte 13: 0x5b, wanted '{' after a tensor's name"},
        {"{\"a", 0, "byte 9: the string has no end"},
        {"{\"a\\x\":1}", 0,
         "byte 11: a wrong escape; wanted one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"},
        {"{\"\\u12", 0,
         "byte 10: a wrong escape; wanted one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"},
        {"{\"\\ud800x\":1}", 0, "byte 10: half of a surrogate pair"},
        {"{\"\\udc00\":1}", 0, "byte 10: half of a surrogate pair"},
        {"{\"a\\u0000b\":1}", 0, "byte 11: \\u0000 inside a string"},
        {"{\"a\nb\":1}", 0, "byte 11: 0x0a inside a string"},
        {"{\"\xc0\x80\":1}", 0, "byte 10: the string is not UTF-8"},
        {"{\"\xed\xa0\x80\":1}", 0, "byte 10: the string is not UTF-8"},
        {"{\"__metadata__\":{\"a\":1}}", 0,
         "byte 29: 0x31, wanted '\"' before a value of __metadata__, which are strings"},
        {"{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0,
         "byte 34: __metadata__ has two keys \"a\""},
        {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "byte 27: a second __metadata__"},
        {"{\"__metadata__\":{{\"a\":\"1\"}}}", 0,
         "byte 25: 0x7b, wanted '\"' before a key of __metadata__"},
    };
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    uint64_t live = nn_context_memory(nn).live_bytes;
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        char text[512];
        ENSURE(open_text(nn, &disk, cases[i].header, strlen(cases[i].header),
                         (size_t)cases[i].data) == NULL);
        nn__format(text, sizeof text, "nn_open_safetensors at train.c:3: \"m\": %s",
                   cases[i].expected);
        ENSURE_TEXT(nn_error(nn), text);
        ENSURE(nn_error_code(nn) == NN_ERROR_FORMAT && nn_context_memory(nn).live_bytes == live &&
               disk.open_files == 0);
        nn_clear_error(nn);
    }
    memory_put(&disk, "m", "1234", 4);
    ENSURE(nn_open_safetensors(nn, "m") == NULL &&
           strstr(nn_error(nn), "\"m\" has 4 bytes; a safetensors file has at least 10"));
    nn_clear_error(nn);
    memory_put(&disk, "m", "\3\0\0\0\0\0\0\0{}", 10);
    ENSURE(nn_open_safetensors(nn, "m") == NULL &&
           strstr(nn_error(nn), "a header of 3 bytes, in a file of 10"));
    nn_clear_error(nn);
    memory_put(&disk, "m", "\xff\xff\xff\xff\xff\xff\xff\xff{}", 10);
    ENSURE(nn_open_safetensors(nn, "m") == NULL &&
           strstr(nn_error(nn), "a header of 18446744073709551615 bytes"));
    nn_clear_error(nn);
    ENSURE(nn_open_safetensors(nn, "none") == NULL && nn_error_code(nn) == NN_ERROR_FILE);
    nn_close(nn);
    memory_free(&disk);
}

/* ---- safetensors: writing -------------------------------------------------------------------- */

static void test_safetensors_round_trip(void) {
    static const char *metadata[] = {"format", "pt", "note", "line\n\"quoted\" \\ \x01"};
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_device device;
    sim_device *sim = sim_open(nn, NULL, &device);
    nn_tensor *tensors[12];
    nn_safetensors *file;
    int count = 0;
    for (int dtype = NN_F32; dtype < NN_DTYPE_COUNT; dtype++) {
        nn_tensor *t = make(nn, nn_dtype_name((nn_dtype)dtype), (nn_dtype)dtype, NN_SHAPE(3, 1),
                            nn_cpu(), NULL);
        for (int i = 0; i < 3; i++) {
            nn__store_number(
                (nn_dtype)dtype,
                (char *)nn_tensor_data(t) + (size_t)i * nn_dtype_size((nn_dtype)dtype),
                i == 2 ? 100.5 : i);
        }
        tensors[count++] = t;
    }
    tensors[count] =
        make(nn, "on \"device\"", tensors[0]->view.dtype, tensors[0]->view.shape, device, NULL);
    if (nn_copy(tensors[count], tensors[0]) == NN_OK) count++;
    tensors[count++] = make(nn, "scalar", NN_F32, nn_make_shape(NULL, 0), nn_cpu(), NULL);
    nn_reset_ledger(nn);
    ENSURE(nn_save_safetensors_at(here(6), nn, "m", tensors, count, metadata, 4) == NN_OK);
    ENSURE(nn_ledger_count(nn) == 1 && nn_ledger_at(nn, 0).crossing == NN_CROSS_DOWNLOAD &&
           nn_ledger_at(nn, 0).logical_bytes == 12);
    ENSURE(memory_find(&disk, "m") && !memory_find(&disk, "m.tmp") &&
           memory_find(&disk, "m")->bytes[0] % 8 == 0);
    file = nn_open_safetensors(nn, "m");
    ENSURE(file && nn_safetensors_count(file) == count);
    ENSURE_TEXT(nn_safetensors_metadata(file, "note"), metadata[3]);
    for (int i = 0; i < count - 1; i++) {
        nn_safetensors_entry entry = nn_safetensors_at(file, i);
        bool integer = entry.dtype != NN_F32 && entry.dtype != NN_F64 && entry.dtype != NN_F16 &&
                       entry.dtype != NN_BF16;
        double as_double[3];
        float as_float[3];
        int64_t as_integer[3];
        double last = entry.dtype == NN_BOOL ? 1 : integer ? 100 : 100.5;
        ENSURE_TEXT(entry.name, nn_tensor_name(tensors[i]));
        ENSURE(entry.dtype == nn_tensor_dtype(tensors[i]) &&
               nn_same_shape(entry.shape, NN_SHAPE(3, 1)));
        ENSURE(nn_read_safetensors(file, i, NN_F64, as_double, sizeof as_double) == NN_OK);
        ENSURE(nn_read_safetensors(file, i, NN_F32, as_float, sizeof as_float) == NN_OK);
        ENSURE(nn_read_safetensors(file, i, NN_I64, as_integer, sizeof as_integer) == NN_OK);
        ENSURE(as_double[0] == 0 && as_double[1] == 1 && as_double[2] == last &&
               (double)as_float[2] == last);
        ENSURE(as_integer[1] == 1 && as_integer[2] == (entry.dtype == NN_BOOL ? 1 : 100));
    }
    ENSURE(nn_safetensors_at(file, count - 1).shape.rank == 0);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
    memory_free(&disk);
}

static void test_safetensors_long_tensor(void) {
    enum { N = 5000 };
    static double wide[N];
    static float narrow[N];
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_tensor *t = make(nn, "t", NN_F64, NN_SHAPE(N), nn_cpu(), wide);
    nn_safetensors *file;
    for (int i = 0; i < N; i++) wide[i] = i / 3.0;
    ENSURE(nn_save_safetensors(nn, "m", &t, 1, NULL, 0) == NN_OK);
    file = nn_open_safetensors(nn, "m");
    ENSURE(file && nn_read_safetensors(file, 0, NN_F32, narrow, sizeof narrow) == NN_OK);
    for (int i = 0; i < N; i++) ENSURE(narrow[i] == (float)wide[i]);
    disk.fail_at = disk.operations + 2; /* in the middle of the conversion */
    ENSURE(nn_read_safetensors_at(here(2), file, 0, NN_F32, narrow, sizeof narrow) ==
           NN_ERROR_FILE);
    ENSURE(
        strstr(nn_error(nn),
               "nn_read_safetensors at train.c:2: \"t\" of \"m\": reading 40000 bytes at byte "));
    nn_close(nn);
    memory_free(&disk);
}

static void test_safetensors_failing_disk(void) {
    bool done = false;
    for (int n = 1; n < 40 && !done; n++) {
        memory_disk disk;
        nn_context *nn = open_with(&disk);
        nn_tensor *t = make(nn, "t", NN_F32, NN_SHAPE(4), nn_cpu(), NULL);
        memory_put(&disk, "m", "old", 3);
        disk.operations = 0, disk.fail_at = n;
        done = nn_save_safetensors_at(here(6), nn, "m", &t, 1, NULL, 0) == NN_OK;
        if (!done) {
            ENSURE(
                nn_error_code(nn) == NN_ERROR_FILE &&
                strstr(nn_error(nn), "nn_save_safetensors at train.c:6: \"m\" cannot be written"));
            ENSURE(memory_find(&disk, "m")->size == 3 && !memory_find(&disk, "m.tmp"));
        }
        ENSURE(disk.open_files == 0);
        if (done)
            ENSURE(n == 7 && memory_find(&disk, "m")->size >
                                 3); /* open, header, numbers, flush, close, rename */
        nn_close(nn);
        memory_free(&disk);
    }
    ENSURE(done);
}

static void test_safetensors_save_refuses(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk), *second = nn_open(NULL);
    nn_tensor *a = make(nn, "a", NN_F32, NN_SHAPE(1), nn_cpu(), NULL),
              *b = make(nn, "a", NN_F32, NN_SHAPE(1), nn_cpu(), NULL);
    nn_tensor *tensors[2] = {a, b};
    static const char *twice[] = {"k", "1", "k", "2"}, *hole[] = {"k", NULL};
    ENSURE(nn_save_safetensors_at(here(6), nn, "m", tensors, 2, NULL, 0) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(nn_error(nn), "nn_save_safetensors at train.c:6: \"m\": two tensors are named "
                              "\"a\"; nothing was written");
    nn_clear_error(nn);
    tensors[1] = NULL;
    ENSURE(nn_save_safetensors_at(here(6), nn, "m", tensors, 2, NULL, 0) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(nn_error(nn), "nn_save_safetensors at train.c:6: \"m\": tensors contains NULL "
                              "after \"a\"; nothing was written");
    tensors[1] = make(nn, "__metadata__", NN_F32, NN_SHAPE(1), nn_cpu(), NULL);
    ENSURE(nn_save_safetensors(nn, "m", tensors, 2, NULL, 0) == NN_ERROR_ARGUMENT);
    tensors[1] = make(nn, "\xff", NN_F32, NN_SHAPE(1), nn_cpu(), NULL);
    ENSURE(nn_save_safetensors(nn, "m", tensors, 2, NULL, 0) == NN_ERROR_ARGUMENT);
    tensors[1] = make(second, "b", NN_F32, NN_SHAPE(1), nn_cpu(), NULL);
    ENSURE(nn_save_safetensors(nn, "m", tensors, 2, NULL, 0) == NN_ERROR_ARGUMENT);
    ENSURE(nn_save_safetensors(nn, "m", tensors, 1, twice, 4) == NN_ERROR_ARGUMENT);
    ENSURE(nn_save_safetensors(nn, "m", tensors, 1, twice, 3) == NN_ERROR_ARGUMENT);
    ENSURE(nn_save_safetensors(nn, "m", tensors, 1, hole, 2) == NN_ERROR_ARGUMENT);
    ENSURE(nn_save_safetensors(nn, "m", NULL, 1, NULL, 0) == NN_ERROR_ARGUMENT &&
           nn_save_safetensors(nn, "m", tensors, -1, NULL, 0) < 0);
    ENSURE(memory_find(&disk, "m") == NULL && disk.operations == 0);
    nn_close(second);
    nn_close(nn);
    memory_free(&disk);
}

static void test_unwritable_folder(void) {
    nn_context *nn = nn_open(NULL);
    nn_tensor *t = nn_make_tensor(nn, NULL);
    ENSURE(nn_save_safetensors_at(here(6), nn, "/no/such/folder/m", &t, 1, NULL, 0) ==
           NN_ERROR_FILE);
    ENSURE(strstr(nn_error(nn), "nn_save_safetensors at train.c:6: \"/no/such/folder/m\" cannot be "
                                "written: is there such a folder"));
    nn_close(nn);
}

static void test_limit_forbids_saving(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_device device;
    sim_device *sim = sim_open(nn, NULL, &device);
    nn_tensor *t = make(nn, "t", NN_F32, NN_SHAPE(4), device, NULL);
    nn_ledger_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.download_bytes = NN_LEDGER_NOTHING;
    nn_ledger_limit(nn, &limits);
    memory_put(&disk, "m", "old", 3);
    ENSURE(nn_save_safetensors_at(here(6), nn, "m", &t, 1, NULL, 0) == NN_ERROR_LIMIT);
    ENSURE(memory_find(&disk, "m")->size == 3 && !memory_find(&disk, "m.tmp") &&
           disk.open_files == 0);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
    memory_free(&disk);
}

/* ---- memory runs out ------------------------------------------------------------------------- */

typedef struct counted {
    int calls, fail_at, live;
} counted;

static void *counted_allocate(void *user, size_t bytes, size_t alignment) {
    counted *self = (counted *)user;
    if (++self->calls == self->fail_at) return NULL;
    char *block = (char *)malloc(bytes + alignment + sizeof(void *));
    if (!block) return NULL;
    uintptr_t at = ((uintptr_t)block + sizeof(void *) + alignment - 1) / alignment * alignment;
    ((void **)at)[-1] = block;
    self->live++;
    return (void *)at;
}

static void counted_release(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)bytes, (void)alignment;
    if (!memory) return;
    ((counted *)user)->live--;
    free(((void **)memory)[-1]);
}

static void test_nth_allocation_fails(void) {
    static const char *metadata[] = {"k", "v", "l", "w"};
    bool done = false;
    for (int n = 1; n < 200 && !done; n++) {
        memory_disk disk;
        counted memory = {0, 0, 0};
        nn_desc desc;
        nn_context *nn;
        nn_tensor *tensors[20], *idx;
        nn_safetensors *file;
        bool well = true;
        memset(&desc, 0, sizeof desc);
        memset(&disk, 0, sizeof disk);
        desc.threads = 1;
        desc.files = memory_files(&disk);
        desc.allocator.allocate = counted_allocate;
        desc.allocator.release = counted_release;
        desc.allocator.user = &memory;
        memory.fail_at = n;
        nn = nn_open(&desc);
        for (int i = 0; i < 20; i++) {
            char name[8];
            nn__format(name, sizeof name, "t%d", i);
            tensors[i] = make(nn, name, NN_F32, NN_SHAPE(2), nn_cpu(), NULL);
            well = well && tensors[i];
        }
        well = well && nn_save_safetensors(nn, "m", tensors, 20, metadata, 4) == NN_OK;
        file = well ? nn_open_safetensors(nn, "m") : NULL;
        idx = load_idx(nn ? nn : NULL, &disk, "\0\0\x08\1\0\0\0\2ab", 10);
        well = well && file && idx;
        if (nn) ENSURE(well == (nn_error(nn) == NULL));
        if (!well && nn) ENSURE(nn_error_code(nn) == NN_ERROR_MEMORY);
        done = well && memory.calls < n;
        nn_close(nn);
        ENSURE(memory.live == 0 && disk.open_files == 0);
        memory_free(&disk);
    }
    ENSURE(done);
}

/* Sums on the device may come from a checkpoint, so a report must work with any bits. */
static void test_report_of_any_sums(void) {
    const float counts[] = {3e38f, INFINITY, 1e19f, -5.0f, -INFINITY, NAN, 0.5f, 16.0f};
    static const int64_t wanted[] = {INT64_MAX, INT64_MAX, INT64_MAX, 0, 0, 0, 0, 16};
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_trainer *trainer = nn_make_trainer(
        net, nn_mean(net, nn_multiply(net, x, nn_parameter(net, "w", NN_SHAPE(2), 0, 1))), NULL);
    ENSURE(trainer);
    for (int i = 0; i < (int)(sizeof counts / sizeof *counts); i++) {
        float sums[2] = {1, 0};
        nn_report report;
        sums[1] = counts[i];
        ENSURE(nn_upload_tensor(trainer->totals.node[0]->tensor, sums, sizeof sums) == NN_OK);
        ENSURE(nn_read_report(trainer, &report) == NN_OK && report.samples == wanted[i]);
        ENSURE(report.loss >= 0 && report.loss <= 2);
    }
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_report_of_any_sums);
    RUN(test_make_wrap_view);
    RUN(test_mistakes_in_tensors);
    RUN(test_null_everywhere);
    RUN(test_small_floats);
    RUN(test_integers);
    RUN(test_arrays_between_dtypes);
    RUN(test_idx_types);
    RUN(test_idx_damaged);
    RUN(test_safetensors_reads);
    RUN(test_safetensors_damaged);
    RUN(test_safetensors_round_trip);
    RUN(test_safetensors_long_tensor);
    RUN(test_safetensors_failing_disk);
    RUN(test_safetensors_save_refuses);
    RUN(test_unwritable_folder);
    RUN(test_limit_forbids_saving);
    RUN(test_nth_allocation_fails);
    return test_report();
}
