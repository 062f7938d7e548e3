/* test_onnx_rounding.c: roundings of nn_prepare_qat and nn_fake_quantize in the files of
   nn_save_onnx. Those to 8 bits with known scales are QuantizeLinear and DequantizeLinear, and
   their weights are integers; all others are written out. A file with the two operators gives the
   same bytes when it is read again; one without them differs by at most 1e-6.
   tests/onnx/export_examples.py runs such files with onnxruntime. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "train/quantize_nets.h"

typedef struct held {
    unsigned char *bytes;
    size_t size;
} held;

static void hold(void *user, const char *text, size_t length) {
    held *to = (held *)user;
    to->bytes = (unsigned char *)realloc(to->bytes, to->size + length + 1);
    memcpy(to->bytes + to->size, text, length);
    to->size += length;
}

/* Counts a text in a file. */
static int occurs(const held *file, const char *text) {
    const size_t length = strlen(text);
    int count = 0;
    for (size_t i = 0; i + length <= file->size; i++)
        count += memcmp(file->bytes + i, text, length) == 0;
    return count;
}

static bool run(nn_model *net, nn_node *x, nn_node *y, const float *from, size_t from_bytes,
                float *to, size_t to_bytes) {
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = 4});
    const bool good = plan && nn_upload(plan, x, from, from_bytes) == NN_OK &&
                      nn_run(plan) == NN_OK && nn_download(plan, y, to, to_bytes) == NN_OK;
    nn_free_plan(plan);
    return good;
}

/* Returns the bytes of one sample. */
static size_t bytes_of(const nn_node *node) {
    nn_shape shape = nn_node_shape(node);
    shape.extent[0] = 1;
    return sizeof(float) * (size_t)nn_shape_count(shape);
}

/* Writes a net, reads it again, and compares the results of a batch of 4: their bytes, or (within >
   0) their numbers. The caller frees file->bytes. */
static void comes_back(nn_context *nn, nn_model *net, nn_node *x, nn_node *y, float within,
                       held *file) {
    static float from[4 * 3 * 13 * 11], first[4 * 3 * 13 * 11], second[4 * 3 * 13 * 11];
    const size_t in = 4 * bytes_of(x), out = 4 * bytes_of(y);
    nn_model *again = nn_make_model(nn, NULL);
    memset(file, 0, sizeof *file);
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) from[i] = sinf(0.37f * (float)i);
    ENSURE(in <= sizeof from && out <= sizeof first);
    if (test_wrong(nn_save_onnx(net, NULL,
                                &(nn_onnx_save_desc){.outputs = NN_NODES(y),
                                                     .output_names = NN_TEXTS("y"),
                                                     .writer = {hold, file}}) != NN_OK)) {
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        return;
    }
    nn_onnx *read = nn_open_onnx(nn, &(nn_onnx_desc){.bytes = file->bytes, .size = file->size});
    ENSURE(read && nn_onnx_net(again, "read", read,
                               &(nn_onnx_net_desc){.extents = NN_ONNX_EXTENTS({"batch", NN_BATCH})}));
    ENSURE(nn_load_onnx_weights(again, read) == NN_OK);
    ENSURE(run(net, x, y, from, in, first, out));
    ENSURE(run(again, nn_onnx_node(again, read, "x"), nn_onnx_node(again, read, "y"), from, in,
               second, out));
    if (within == 0) ENSURE(memcmp(first, second, out) == 0);
    for (size_t k = 0; k < out / sizeof(float); k++) ENSURE(fabsf(first[k] - second[k]) <= within);
    nn_close_onnx(read);
}

/* Every value that nn_prepare_qat rounds is quantised in the file, and no weight is in f32. */
static void prepared_nets(void) {
    nn_context *nn = nn_open(NULL);
    zoo z = describe_zoo(nn);
    held file;
    fill_zoo();
    shake_zoo(z.net);
    nn_model *qat = nn_prepare_qat(z.net, zoo_loader(nn, zoo_numbers, 24), NULL);
    ENSURE(qat);
    comes_back(nn, qat, nn_copied_node(qat, z.x), nn_copied_node(qat, z.y), 0, &file);
    ENSURE(occurs(&file, "QuantizeLinear") > 20);
    ENSURE(occurs(&file, "stem.weight_quantized") == 2 && occurs(&file, "fc2.weight_quantized") == 2);
    ENSURE(occurs(&file, "stem.weight") == occurs(&file, "stem.weight_"));
    ENSURE(occurs(&file, "log_scale") == 0 && occurs(&file, "Abs") == 0);
    ENSURE(occurs(&file, "LessOrEqual") == 0); /* relu6 is a Clip, which runtimes join with a layer */
    free(file.bytes);
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

typedef struct kind {
    const char *what;
    bool weight, several, moving; /* moving: the scale follows from the input */
    float low, high, zero;
    bool quantises, dequantises; /* operators that the file has */
} kind;

static nn_node *describe_kind(nn_model *net, const kind *k, nn_node *x) {
    nn_node *value = k->weight ? nn_parameter(net, "w", NN_SHAPE(3, 5), -1.0f, 1.0f) : x;
    nn_node *zero = nn_buffer(net, "zero", NN_F32, NN_SHAPE(1), (double)k->zero), *scale;
    if (k->moving)
        scale = nn_exp(net, nn_reduce(net, NN_MAX, x, NN_AXES(0, 1, 2), false));
    else
        scale = nn_exp(net, nn_parameter(net, "log", k->several ? NN_SHAPE(3) : NN_SHAPE(1), -5.0f,
                                         -4.0f));
    value = nn_fake_quantize(net, value, scale, zero,
                             &(nn_fake_quantize_desc){.axis = k->weight ? 0 : 1,
                                                      .quant_min = k->low == 0.0f ? NN_NONE : k->low,
                                                      .quant_max = k->high});
    return k->weight ? nn_multiply(net, x, value) : value;
}

/* Tests which roundings become the two operators. */
static void kinds_of_roundings(void) {
    static const kind kinds[] = {
        {"an activation", false, false, false, -128, 127, 3, true, true},
        {"an activation without a sign", false, false, false, 0, 255, 200, true, true},
        {"an activation with a scale for each channel", false, true, false, -128, 127, -4, true, true},
        {"a weight", true, false, false, -127, 127, 0, false, true},
        {"a weight with several scales and a zero point", true, true, false, -128, 127, 5, false, true},
        {"a weight of 4 bits", true, true, false, -8, 7, 0, false, true},
        {"a weight without a sign", true, false, false, 0, 255, 128, false, true},
        {"an activation of 4 bits", false, false, false, -8, 7, 0, false, false},
        {"an activation without -128", false, false, false, -127, 127, 0, false, false},
        {"a weight of 9 bits", true, false, false, -256, 255, 0, false, false},
        {"a zero point between two integers", false, false, false, -128, 127, 0.5f, false, false},
        {"a scale that follows from the input", false, false, true, -128, 127, 0, false, false}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        nn_context *nn = nn_open(NULL);
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 5));
        nn_node *y = describe_kind(net, &kinds[i], x);
        held file;
        /* exp of a scale that is written out is computed in double when the file is read */
        comes_back(nn, net, x, y, kinds[i].dequantises ? 0 : 1e-6f, &file);
        if (test_wrong((occurs(&file, "DequantizeLinear") > 0) != kinds[i].dequantises ||
                       (occurs(&file, "QuantizeLinear") > 0) != kinds[i].quantises))
            test_fail(__FILE__, __LINE__, "%s is written in another way", kinds[i].what);
        ENSURE(nn_error(nn) == NULL);
        free(file.bytes);
        nn_close(nn);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(prepared_nets);
    RUN(kinds_of_roundings);
    return test_report();
}
