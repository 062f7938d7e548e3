/* tests/onnx/planned_layers.h - plans of constants with layers that nn_write_c does not print, for
   test_onnx_plan_c.c: each gives the same bytes as a run in the process of the test. */
#pragma once

enum { QUANTISED_BATCH = 2, QUANTISED_MOST = 2 * 3 * 7 * 6 };

/* Fills all buffers: i8 with any bytes, ranges and scales with positive numbers. */
static void fill_quantised(nn_model *net) {
    static float real[64];
    static int32_t whole[64];
    static int8_t bytes[1024];
    for (int i = 0; i < 64; i++) real[i] = 0.01f + 0.001f * (float)(i % 7);
    for (int i = 0; i < 64; i++) whole[i] = i * 37 % 61 - 30;
    for (int i = 0; i < 1024; i++) bytes[i] = (int8_t)(i * 53 % 255 - 127);
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node)) {
        if (nn_describe_node(node).kind != NN_NODE_BUFFER) continue;
        nn_tensor *tensor = nn_find_tensor(net, nn_node_name(node));
        const nn_dtype dtype = nn_node_dtype(node);
        const void *from = dtype == NN_I8    ? (const void *)bytes
                           : dtype == NN_I32 ? (const void *)whole
                                             : (const void *)real;
        nn_upload_tensor(tensor, from, nn_tensor_bytes(tensor));
    }
}

/* A convolution and a linear layer between roundings, as nn_onnx_integers describes them. */
static nn_node *describe_quantised(nn_model *net, nn_node *x) {
    DESC(nn_quantized_conv2d_desc, conv, .out_channels = 4, .kernel = 3, .stride = 2, .padding = 1,
         .bias = true);
    DESC(nn_quantized_linear_desc, linear, .out_features = 5, .weight_zero_points = true);
    nn_node *first = nn_buffer(net, "first", NN_F32, NN_SHAPE(2), 1.0);
    nn_node *second = nn_buffer(net, "second", NN_F32, NN_SHAPE(2), 1.0);
    nn_node *y =
        nn_quantized_conv2d(net, "conv", nn_quantize_even(net, x, first), first, conv);
    y = nn_quantize_even(net, nn_flatten(net, nn_relu(net, y)), second);
    return nn_quantized_linear(net, "linear", y, second, linear);
}

static void print_words(FILE *file, const char *name, const float *numbers, int count) {
    fprintf(file, "static const unsigned %s[] = {", name);
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        fprintf(file, "%s%uu", i == 0 ? "" : i % 8 ? ", " : ",\n", (unsigned)bits);
    }
    fprintf(file, "};\n");
}
/* Writes a program that runs the plan on the numbers and exits with 0 if the output has the bytes
   of result. */
static void write_quantised(const char *path, const planned_net *net, const float *numbers,
                            int number_count, const float *result, int result_count) {
    FILE *file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "#define NN_NO_TRAINING\n#define NN_NO_SPEEDUPS\n#define NN_NO_THREADS\n"
                  "#define NN_NO_SIMD\n#define NN_IMPLEMENTATION\n#include \"nn.h\"\n");
    fwrite(net->planned.at, 1, net->planned.size, file);
    print_words(file, "numbers", numbers, number_count);
    print_words(file, "result", result, result_count);
    fprintf(file, "int main(void) {\n    memcpy(");
    print_pointers(file, net, "input", "%.*s");
    fprintf(file, ", numbers, sizeof numbers);\n    return quantised_run() != NN_OK || memcmp(");
    print_pointers(file, net, "output", "%.*s");
    fprintf(file, ", result, sizeof result) != 0;\n}\n");
    fclose(file);
}

/* A printed plan gives the same bytes as a run in this process. */
static void check_quantised(nn_model *net, nn_node *x, nn_node *y, const char *kernel) {
    static float numbers[QUANTISED_MOST], result[QUANTISED_MOST];
    nn_plan_desc desc;
    nn_plan_c_desc printed;
    printed_text text = {NULL, 0};
    planned_net planned;
    int in = QUANTISED_BATCH, out = QUANTISED_BATCH;
    ZERO(desc);
    ZERO(printed);
    ZERO(planned);
    desc.outputs = printed.outputs = NN_NODES(y);
    desc.batch = printed.batch = QUANTISED_BATCH;
    printed.name = "quantised";
    printed.writer.function = printed_add;
    printed.writer.user = &text;
    for (int i = 1; i < nn_node_shape(x).rank; i++) in *= nn_node_shape(x).extent[i];
    for (int i = 1; i < nn_node_shape(y).rank; i++) out *= nn_node_shape(y).extent[i];
    ENSURE(in <= QUANTISED_MOST && out <= QUANTISED_MOST);
    nn_plan *plan = nn_make_plan(net, &desc);
    ENSURE(plan);
    for (int i = 0; i < in; i++) numbers[i] = (float)(i * 29 % 97) / 48.0f - 1.0f;
    ENSURE(nn_upload(plan, x, numbers, (size_t)in * 4) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, result, (size_t)out * 4) == NN_OK);
    bool varies = false;
    for (int i = 1; i < out; i++) varies = varies || result[i] != result[0];
    ENSURE(varies);
    if (test_wrong(nn_write_plan_c(net, &printed) != NN_OK)) {
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn_model_context(net)));
        return;
    }
    ENSURE(strstr(text.at, kernel));
    planned.planned = text;
    write_quantised("planned_quantised.c", &planned, numbers, in, result, out);
    ENSURE(compile_program("planned_quantised.c", "planned_quantised"));
    ENSURE(system("./planned_quantised") == 0);
    if (!test_this_failed) remove("planned_quantised.c");
    remove("planned_quantised");
    free(text.at);
}

static bool has_compiler(void) {
    const bool has = compile(printed_compiler(), "-fsyntax-only -x c", "/dev/null 2> planned.log");
    if (has) remove("planned.log");
    else test_skip_part(__FILE__, __LINE__, "no C compiler");
    return has;
}

static void quantised_layers(void) {
    static const float ranges[2][2] = {{0.0078f, 3.0f}, {0.5f, -128.0f}};
    if (!has_compiler()) return;
    nn_context *context = nn_open(NULL);
    nn_model *net = nn_make_model(context, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 7, 6));
    nn_node *y = describe_quantised(net, x);
    fill_quantised(net);
    nn_upload_tensor(nn_find_tensor(net, "first"), ranges[0], sizeof ranges[0]);
    nn_upload_tensor(nn_find_tensor(net, "second"), ranges[1], sizeof ranges[1]);
    check_quantised(net, x, y, "nn__quantized_conv_kernel");
    nn_close(context);
}

/* An LSTM whose states are rounded before each step, as nn_onnx_integers describes it. */
static void quantised_steps(void) {
    static const float range[2] = {0.0078f, 3.0f};
    if (!has_compiler()) return;
    for (int reverse = 0; reverse < 2; reverse++) {
        nn_desc plain;
        ZERO(plain);
        plain.instructions = NN_INSTRUCTIONS_PLAIN; /* sigmoids of vectors have other last bits */
        nn_context *context = nn_open(&plain);
        nn_model *net = nn_make_model(context, NULL);
        nn_quantized_lstm_desc desc;
        ZERO(desc);
        desc.hidden_size = 5;
        desc.reverse = reverse == 1;
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 7));
        nn_node *of = nn_buffer(net, "range", NN_F32, NN_SHAPE(2), 1.0);
        nn_node *y = nn_quantized_lstm(net, "steps", nn_quantize_even(net, x, of), of, &desc);
        fill_quantised(net);
        nn_upload_tensor(nn_find_tensor(net, "range"), range, sizeof range);
        check_quantised(net, x, y, "nn__quantized_lstm_kernel");
        nn_close(context);
    }
}

/* An lstm or gru in integers, as nn_quantize_net makes it. */
static void recurrent_integers(void) {
    if (!has_compiler()) return;
    for (int gru = 0; gru < 2; gru++) {
        nn_context *context = nn_open(NULL);
        nn_model *net = nn_make_model(context, NULL);
        DESC(nn_lstm_desc, lstm, .hidden_size = 9, .layers = 2, .bidirectional = true);
        DESC(nn_gru_desc, gates, .hidden_size = 9, .layers = 2, .bidirectional = true);
        DESC(nn_linear_desc, last, .out_features = 5);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 6, 7));
        nn_node *y = gru ? nn_gru(net, "rnn", x, gates) : nn_lstm(net, "rnn", x, lstm);
        y = nn_linear(net, "last", y, last);
        nn_model *integers = nn_quantize_net(net, NULL, NULL);
        ENSURE(integers);
        nn_node *made = nn_copied_node(integers, y);
        check_quantised(integers, nn_copied_node(integers, x), made,
                        "nn__integer_recurrent_kernel");
        nn_close(context);
    }
}

static int count_words(const char *text, const char *word) {
    int count = 0;
    while ((text = strstr(text, word)) != NULL) count++, text++;
    return count;
}

/* Layers of every path of the unpacking: a sum of odd length, 1 x 1, sums of more than 512 and 1,024
   numbers, whose channels are unpacked 8 and 2 at a time, gaps of a transposed convolution, linear
   layers. The first layer and the depthwise one have 8 bits. */
static nn_node *describe_packed(nn_model *net, nn_node *x) {
    DESC(nn_conv2d_desc, first, .out_channels = 5, .kernel = 3, .padding = 1);
    DESC(nn_conv2d_desc, odd, .out_channels = 11, .kernel = 3, .stride = 2);
    DESC(nn_conv2d_desc, point, .out_channels = 72, .kernel = 1);
    DESC(nn_conv2d_desc, half, .out_channels = 19, .kernel = 3, .padding = 1);
    DESC(nn_conv2d_desc, deep, .out_channels = 9, .kernel = 4, .padding = 2);
    DESC(nn_conv2d_desc, depth, .out_channels = 9, .kernel = 3, .padding = 1, .groups = 9);
    DESC(nn_conv_transpose2d_desc, up, .out_channels = 4, .kernel = 3, .stride = 2);
    DESC(nn_linear_desc, wide, .out_features = 37);
    DESC(nn_linear_desc, last, .out_features = 5);
    x = nn_relu(net, nn_conv2d(net, "first", x, first));
    x = nn_relu(net, nn_conv2d(net, "odd", x, odd));
    nn_node *y = nn_conv2d(net, "point", x, point);
    nn_node *z = nn_conv2d(net, "deep", y, deep);
    z = nn_relu(net, nn_conv2d(net, "depth", z, depth));
    z = nn_flatten(net, nn_conv_transpose2d(net, "up", z, up));
    y = nn_flatten(net, nn_conv2d(net, "half", y, half));
    return nn_add(net, nn_linear(net, "last", nn_linear(net, "wide", z, wide), last),
                  nn_linear(net, "end", y, last));
}

/* Weights of 4 bits, two in a byte of the plan, give the bytes that they give as i8. */
static void packed_weights(void) {
    if (!has_compiler()) return;
    for (int bits = 8; bits >= 4; bits -= 4) {
        nn_context *context = nn_open(NULL);
        nn_model *net = nn_make_model(context, NULL);
        nn_quantize_net_desc desc;
        ZERO(desc);
        desc.weight_bits = bits;
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 7, 6));
        nn_node *y = describe_packed(net, x);
        nn_model *integers = nn_quantize_net(net, NULL, &desc);
        ENSURE(integers);
        nn_node *made = nn_copied_node(integers, y);
        nn_plan_c_desc printed;
        printed_text text = {NULL, 0};
        ZERO(printed);
        printed.outputs = NN_NODES(made);
        printed.writer.function = printed_add;
        printed.writer.user = &text;
        ENSURE(nn_write_plan_c(integers, &printed) == NN_OK);
        ENSURE(count_words(text.at, "two in a byte") == (bits == 4 ? 8 : 0));
        ENSURE((strstr(text.at, "nn__integer_packed_kernel") != NULL) == (bits == 4));
        ENSURE(strstr(text.at, "nn__integer_conv_kernel"));
        free(text.at);
        check_quantised(integers, nn_copied_node(integers, x), made,
                        bits == 4 ? "nn__integer_packed_kernel" : "nn__integer_conv_kernel");
        nn_close(context);
    }
}
