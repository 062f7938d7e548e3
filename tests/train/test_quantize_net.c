/* tests/train/test_quantize_net.c - nets quantised after training (nn_quantize_net): a net of every
   kind of layer against f32, the accuracy of drawn digits, equal bytes on every instruction set,
   saved and loaded models, mistakes. The kernels are tested in tests/kernels/random_integer.h. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_quantize.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "open.h"
#include "quantize_nets.h"

/* Digits stay within 0.3 points of f32 with each calibration, and the report says so. */
static void digits_case(bool wide) {
    nn_context *nn = nn_open(NULL);
    digits_net d = describe_digits(nn, wide);
    nn_loader *train = digits_loader(nn, 0, DIGITS, true),
              *test = digits_loader(nn, DIGITS, DIGITS, false);
    train_digits(&d, train, wide ? 3 : 6);
    const int before = count_right(d.net, d.logits, test, DIGITS, NULL);
    ENSURE(before > DIGITS * (wide ? 85 : 60) / 100);
    for (int c = NN_CALIBRATION_MIN_MAX; c <= NN_CALIBRATION_ENTROPY; c++) {
        report[0] = 0;
        nn_model *whole = nn_quantize_net(d.net, train,
                                          &(nn_quantize_net_desc){.calibration = (nn_calibration)c,
                                                                  .batches = 10,
                                                                  .outputs = NN_NODES(d.logits),
                                                                  .report.function = write_report});
        if (test_wrong(!whole)) {
            test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
            break;
        }
        const int after = count_right(whole, nn_copied_node(whole, d.logits), test, DIGITS, NULL);
        if (test_wrong(abs(before - after) * 1000 > DIGITS * 3))
            test_fail(__FILE__, __LINE__, "%d of %d digits in f32, %d in integers (calibration %d)",
                      before, DIGITS, after, c);
        ENSURE(strstr(report, "fc2") && strstr(report, "linear"));
        ENSURE(!wide || (strstr(report, "conv2 ") && !strstr(report, "norm")));
        ENSURE(strstr(report, "stays in f32")); /* the loss */
        if (getenv("NN_VERBOSE")) printf("%d -> %d\n%s", before, after, report);
        nn_free_model(whole);
    }
    ENSURE(fine(nn));
    nn_close(nn);
}
static void test_mlp(void) { digits_case(false); }
static void test_digits(void) { digits_case(true); }

/* ---- every kind of layer --------------------------------------------------------------------- */

static void test_layers(void) {
    nn_context *nn = nn_open(NULL);
    zoo z = describe_zoo(nn);
    float real[24 * 7], whole[24 * 7];
    fill_zoo();
    shake_zoo(z.net);
    nn_loader *loader = zoo_loader(nn, zoo_numbers, 24);
    report[0] = 0;
    nn_model *copy =
        nn_quantize_net(z.net, loader, &(nn_quantize_net_desc){.report.function = write_report});
    if (test_wrong(!copy)) {
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        nn_close(nn);
        return;
    }
    if (getenv("NN_VERBOSE")) printf("%s", report);
    run_zoo(z.net, z.x, z.y, 24, real, sizeof real);
    run_zoo(copy, nn_copied_node(copy, z.x), nn_copied_node(copy, z.y), 24, whole, sizeof whole);
    if (test_wrong(!(distance(whole, real, 24 * 7) < 0.05)))
        test_fail(__FILE__, __LINE__, "integers are off by %.3f", distance(whole, real, 24 * 7));
    /* every layer is there, and the only thing in f32 is the flip */
    ENSURE(strstr(report, "stem ") && strstr(report, "depth ") && strstr(report, "point ") &&
           strstr(report, "add ") && strstr(report, "wide ") && strstr(report, "fc1 ") &&
           strstr(report, "fc2 ") && strstr(report, "hardswish ") &&
           strstr(report, "hardsigmoid ") && strstr(report, "multiply "));
    ENSURE(strstr(report, "flip") && strstr(report, "stays in f32"));
    ENSURE(strstr(strstr(report, "stays in f32") + 5, "stays in f32") == NULL);
    ENSURE(nn_find_tensor(copy, "stem.weight") != NULL);
    ENSURE(nn_find_tensor(copy, "stem_norm.weight") == NULL);
    nn_clear_error(nn);
    /* a copy of the copy; and parts of the batch */
    ENSURE(nn_quantize_net(copy, loader, NULL) == NULL && says(nn, "is quantised already"));
    nn_model *again = nn_copy_model(copy, NULL);
    float other[24 * 7];
    run_zoo(again, nn_copied_node(again, nn_copied_node(copy, z.x)),
            nn_copied_node(again, nn_copied_node(copy, z.y)), 24, other, sizeof other);
    ENSURE(memcmp(other, whole, sizeof other) == 0);
    run_zoo(copy, nn_copied_node(copy, z.x), nn_copied_node(copy, z.y), 5, other,
            5 * 7 * sizeof(float));
    ENSURE(memcmp(other, whole, 5 * 7 * sizeof(float)) == 0);
    /* the loader is where it was */
    ENSURE(nn_loader_position(loader).position == 0 && nn_loader_position(loader).epoch == 0);
    ENSURE(fine(nn));
    nn_close(nn);
}

/* Quantises a net of which nothing may stay in f32, and compares its results with those in f32. */
static nn_model *quantised_whole(nn_context *nn, zoo *z) {
    float real[24 * 7], whole[24 * 7];
    fill_zoo();
    report[0] = 0;
    nn_model *copy =
        nn_quantize_net(z->net, zoo_loader(nn, zoo_numbers, 24),
                        &(nn_quantize_net_desc){.report.function = write_report});
    if (test_wrong(!copy)) {
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        return NULL;
    }
    if (getenv("NN_VERBOSE")) printf("%s", report);
    run_zoo(z->net, z->x, z->y, 24, real, sizeof real);
    run_zoo(copy, nn_copied_node(copy, z->x), nn_copied_node(copy, z->y), 24, whole, sizeof whole);
    if (test_wrong(!(distance(whole, real, 24 * 7) < 0.05)))
        test_fail(__FILE__, __LINE__, "integers are off by %.3f", distance(whole, real, 24 * 7));
    ENSURE_OR(NULL, !strstr(report, "stays in f32"));
    return copy;
}

static void test_turned(void) {
    nn_context *nn = nn_open(NULL);
    zoo z = describe_turned(nn);
    nn_model *copy = quantised_whole(nn, &z);
    ENSURE(nn_same_shape(nn_tensor_shape(nn_find_tensor(copy, "groups.weight")),
                         NN_SHAPE(18, 3, 3, 4)));
    ENSURE(nn_same_shape(nn_tensor_shape(nn_find_tensor(copy, "up_groups.weight")),
                         NN_SHAPE(6, 2, 3, 5)));
    ENSURE(nn_same_shape(nn_tensor_shape(nn_find_tensor(copy, "resize.rows")), NN_SHAPE(3, 12)));
    ENSURE(nn_same_shape(nn_tensor_shape(nn_find_tensor(copy, "line_depth.weight")),
                         NN_SHAPE(1, 3, 8)));
    ENSURE(fine(nn));
    nn_close(nn);
}

/* Concatenations and slices are integers. An input that nothing else reads has the scale of the
   concatenation; other inputs are requantised. */
static void test_branches(void) {
    nn_context *nn = nn_open(NULL);
    zoo z = describe_branches(nn);
    nn_model *copy = quantised_whole(nn, &z);
    ENSURE(copy && strstr(report, "concat "));
    ENSURE(nn_find_tensor(copy, "a.scale") && !nn_find_tensor(copy, "b.scale") &&
           !nn_find_tensor(copy, "c.scale") && nn_find_tensor(copy, "concat.scale") &&
           nn_find_tensor(copy, "concat.input0.table"));
    nn_clear_error(nn);
    ENSURE(!nn_find_tensor(copy, "concat.input1.table"));
    nn_clear_error(nn);
    nn_close(nn);
}

/* The table of a requantisation has the nearest integers. */
static void test_requantised(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    float numbers[8 * 2], scale[2][2];
    int8_t table[256];
    for (int i = 0; i < 16; i++) numbers[i] = i % 2 ? 3.7f : -1.3f;
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node *a = nn_linear(net, "a", x, &(nn_linear_desc){.out_features = 2});
    nn_node *b = nn_linear(net, "b", a, &(nn_linear_desc){.out_features = 2});
    nn_node *both = nn_concat(net, NN_NODES(a, b), 1);
    nn_linear(net, "c", both, &(nn_linear_desc){.out_features = 2});
    const float weight[4] = {1, 0, 0, 1}, large[4] = {-2, 0, 1, 3};
    ENSURE(nn_upload_tensor(nn_find_tensor(net, "a.weight"), weight, sizeof weight) == NN_OK);
    ENSURE(nn_upload_tensor(nn_find_tensor(net, "b.weight"), large, sizeof large) == NN_OK);
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = 8,
                .fields = NN_FIELDS({.name = "x", .shape = {{2}, 1}, .data = numbers})});
    nn_model *copy = nn_quantize_net(
        net, nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = 8}), NULL);
    ENSURE(copy != NULL);
    nn_download_tensor(nn_find_tensor(copy, "a.scale"), scale[0], sizeof scale[0]);
    nn_download_tensor(nn_find_tensor(copy, "concat.scale"), scale[1], sizeof scale[1]);
    nn_download_tensor(nn_find_tensor(copy, "concat.input0.table"), table, sizeof table);
    ENSURE(scale[0][0] < scale[1][0]);
    for (int i = 0; i < 256; i++) {
        const double y = (i - 128 - (double)scale[0][1]) * (double)scale[0][0] /
                             (double)scale[1][0] + (double)scale[1][1];
        const double nearest = y < -128 ? -128 : y > 127 ? 127 : y;
        ENSURE_CLOSE(table[i], nearest, 0.5 + 1e-6);
    }
    ENSURE(fine(nn));
    nn_close(nn);
}

/* The report names the reason of what stays in f32. */
static void test_reasons(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 3});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    x = nn_conv2d(net, "first", x, &(nn_conv2d_desc){.out_channels = 8, .kernel = 3});
    nn_resize(net, x, &(nn_resize_desc){.size = 20, .mode = NN_RESIZE_CUBIC});
    x = nn_permute(net, nn_reshape(net, x, NN_SHAPE(NN_BATCH, 8, 99)), NN_AXES(0, 2, 1));
    x = nn_lstm(net, "memory", x, &(nn_lstm_desc){.hidden_size = 8});
    x = nn_gru(net, "gates", x, &(nn_gru_desc){.hidden_size = 8});
    x = nn_rnn(net, "plain", x, &(nn_rnn_desc){.hidden_size = 8});
    nn_linear(net, "head", x, &(nn_linear_desc){.out_features = 4});
    fill_zoo();
    report[0] = 0;
    nn_model *copy =
        nn_quantize_net(net, zoo_loader(nn, zoo_numbers, 24),
                        &(nn_quantize_net_desc){.report.function = write_report});
    ENSURE(copy != NULL);
    if (getenv("NN_VERBOSE")) printf("%s", report);
    ENSURE(strstr(report, "stays in f32: of recurrent layers, nn_lstm and nn_gru"));
    ENSURE(strstr(report, "stays in f32: resizing with cubic"));
    /* of nn_rnn, the products with the input */
    ENSURE(nn_find_tensor(copy, "memory_l0.weight_hh") && nn_find_tensor(copy, "memory_l0.cell") &&
           nn_find_tensor(copy, "gates_l0.numbers") &&
           nn_find_tensor(copy, "plain_l0.input.factor"));
    ENSURE(fine(nn));
    nn_close(nn);
}

/* ---- integers in, integers out --------------------------------------------------------------- */

/* Runs a model whose input and output are i8 and compares its bytes with the model that converts. */
static void integers_outside_of(zoo (*describe)(nn_context *nn), bool nothing_else) {
    nn_context *nn = nn_open(NULL);
    zoo z = describe(nn);
    static int8_t x[24 * ZOO];
    int8_t y[24 * 7];
    float whole[24 * 7], in[2], out[2];
    fill_zoo();
    nn_loader *loader = zoo_loader(nn, zoo_numbers, 24);
    nn_model *plain = nn_quantize_net(z.net, loader, NULL);
    report[0] = 0;
    nn_model *outside = nn_quantize_net(
        z.net, loader,
        &(nn_quantize_net_desc){.integer_inputs = true, .integer_outputs = true,
                                .report.function = write_report});
    ENSURE(plain && outside);
    if (!plain || !outside) {
        nn_close(nn);
        return;
    }
    nn_node *from = nn_copied_node(outside, z.x), *to = nn_copied_node(outside, z.y);
    ENSURE(nn_node_dtype(from) == NN_I8 && nn_node_dtype(to) == NN_I8);
    ENSURE(nn_same_shape(nn_node_shape(from), NN_SHAPE(NN_BATCH, 13, 11, 3)));
    ENSURE(strcmp(nn_node_name(from), "x") == 0);
    nn_download_tensor(nn_find_tensor(outside, "x.scale"), in, sizeof in);
    nn_download_tensor(nn_find_tensor(outside, strstr(report, "fc2 ") ? "fc2.scale" : "head.scale"),
                       out, sizeof out);
    for (int i = 0; i < 24 * ZOO; i++) {
        const int n = i / ZOO, c = i / 143 % 3, at = i % 143;
        const float q = roundf(zoo_numbers[i] / in[0]) + in[1];
        x[n * ZOO + at * 3 + c] = (int8_t)fmaxf(-128, fminf(127, q));
    }
    nn_plan *plan = nn_make_plan(outside, &(nn_plan_desc){.outputs = NN_NODES(to), .batch = 24});
    ENSURE(plan && nn_upload(plan, from, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK &&
           nn_download(plan, to, y, sizeof y) == NN_OK);
    run_zoo(plain, nn_copied_node(plain, z.x), nn_copied_node(plain, z.y), 24, whole,
            sizeof whole);
    for (int i = 0; i < 24 * 7; i++)
        ENSURE(whole[i] == out[0] * ((float)y[i] - out[1]));
    for (nn_node *node = nn_next_node(outside, NULL); node && nothing_else;
         node = nn_next_node(outside, node)) {
        const nn_node_description d = nn_describe_node(node);
        /* what the report compares; no plan of y reads it */
        const bool compared =
            strcmp(d.operation, "dequantize") == 0 || strcmp(d.operation, "reshape") == 0;
        if (!compared && d.kind == NN_NODE_OPERATION)
            ENSURE(nn_node_dtype(node) == NN_I8);
    }
    ENSURE(fine(nn));
    nn_close(nn);
}
static void test_integers_outside(void) {
    integers_outside_of(describe_zoo, false);
    integers_outside_of(describe_branches, true);
    integers_outside_of(describe_turned, true);
}

/* ---- equalisation and bias correction -------------------------------------------------------- */

/* Multiplies each number of a weight by the power of 2 of its channel: of y (channel = at / depth),
   or of x (channel = at / window % C). */
static void stretch(nn_model *net, const char *name, int depth, int window, int C, float power) {
    static float numbers[4096];
    nn_tensor *tensor = nn_find_tensor(net, name);
    const size_t bytes = nn_tensor_bytes(tensor);
    ENSURE(bytes <= sizeof numbers &&
           nn_download_tensor(tensor, numbers, bytes) == NN_OK);
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        const int channel = C ? (int)i / window % C : (int)i / depth;
        numbers[i] *= powf(2, power * (float)(channel % 8));
    }
    ENSURE(nn_upload_tensor(tensor, numbers, bytes) == NN_OK);
}

/* Describes the same function in f32 with channels from 1 to 2^9, which one scale cannot hold.
   Returns the error of its integers. */
static double stretched_error(bool equalize, char *text) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 11});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11)), *first = x;
    const nn_conv2d_desc three = {.out_channels = 8, .kernel = 3};
    x = nn_relu(net, nn_conv2d(net, "a", x, &three));
    x = nn_relu(net, nn_conv2d(net, "depth", x,
                               &(nn_conv2d_desc){.out_channels = 8, .kernel = 3, .groups = 8}));
    x = nn_conv2d(net, "b", x, &three);
    x = nn_flatten(net, nn_adaptive_avg_pool2d(net, x, 1, 1));
    nn_node *y = nn_linear(net, "head", x, &(nn_linear_desc){.out_features = 7});
    stretch(net, "a.weight", 27, 1, 0, 1.3f), stretch(net, "a.bias", 1, 1, 0, 1.3f);
    stretch(net, "depth.bias", 1, 1, 0, 1.3f);
    stretch(net, "b.weight", 0, 9, 8, -1.3f);
    float real[24 * 7], whole[24 * 7];
    fill_zoo();
    report[0] = 0;
    nn_model *copy =
        nn_quantize_net(net, zoo_loader(nn, zoo_numbers, 24),
                        &(nn_quantize_net_desc){.equalize = equalize,
                                                .report.function = write_report});
    ENSURE_OR(-1.0, copy != NULL);
    run_zoo(net, first, y, 24, real, sizeof real);
    run_zoo(copy, nn_copied_node(copy, first), nn_copied_node(copy, y), 24, whole, sizeof whole);
    ENSURE_OR(-1.0, fine(nn));
    strcpy(text, report);
    nn_close(nn);
    return distance(whole, real, 24 * 7);
}
static void test_equalize(void) {
    static char text[2][sizeof report];
    const double before = stretched_error(false, text[0]), after = stretched_error(true, text[1]);
    if (getenv("NN_VERBOSE"))
        printf("error %.4f, equalised %.4f\n%s%s", before, after, text[0], text[1]);
    ENSURE(before > 0.02 && after < before / 3);
}

/* Makes weights that all lose the same part: each is 0.4 of an integer, beside one of 127. The mean
   of a result is then far off, with or without a relu. Returns the error. */
static double biased_error(bool correct) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    static float numbers[24 * ZOO], weight[8 * ZOO];
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_node *wide = nn_flatten(net, x);
    nn_node *h = nn_relu(net, nn_linear(net, "a", wide, &(nn_linear_desc){.out_features = 8}));
    nn_node *y = nn_linear(net, "head", h, &(nn_linear_desc){.out_features = 7});
    for (int i = 0; i < 24 * ZOO; i++) numbers[i] = 0.2f + 0.6f * (float)(i * 7919 % 997) / 997;
    for (int i = 0; i < 8 * ZOO; i++) weight[i] = i % ZOO == i / ZOO ? 1.0f : 0.4f / 127;
    ENSURE_OR(-1.0, nn_upload_tensor(nn_find_tensor(net, "a.weight"), weight, sizeof weight) == NN_OK);
    memcpy(zoo_numbers, numbers, sizeof numbers);
    float real[24 * 7], whole[24 * 7];
    nn_model *copy = nn_quantize_net(net, zoo_loader(nn, numbers, 24),
                                     &(nn_quantize_net_desc){.correct_bias = correct});
    ENSURE_OR(-1.0, copy != NULL);
    run_zoo(net, x, y, 24, real, sizeof real);
    run_zoo(copy, nn_copied_node(copy, x), nn_copied_node(copy, y), 24, whole, sizeof whole);
    ENSURE_OR(-1.0, fine(nn));
    nn_close(nn);
    fill_zoo();
    return distance(whole, real, 24 * 7);
}
static void test_correct_bias(void) {
    const double before = biased_error(false), after = biased_error(true);
    if (getenv("NN_VERBOSE")) printf("error %.4f, corrected %.4f\n", before, after);
    ENSURE(before > 0.1 && after < before / 4);
}

/* One number far from all others: the percentile leaves it out, the least error does so in part. */
static void test_outlier(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 7});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_conv2d(net, "only", x, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3});
    static float numbers[24 * ZOO];
    fill_zoo();
    memcpy(numbers, zoo_numbers, sizeof numbers);
    numbers[1000] = 30;
    nn_loader *loader = zoo_loader(nn, numbers, 24);
    for (int c = NN_CALIBRATION_MIN_MAX; c <= NN_CALIBRATION_ENTROPY; c++) {
        float scale[2] = {0, 0};
        nn_model *whole = nn_quantize_net(
            net, loader,
            &(nn_quantize_net_desc){.calibration = (nn_calibration)c, .percentile = 99.9f});
        if (whole) nn_download_tensor(nn_find_tensor(whole, "x.scale"), scale, sizeof scale);
        if (getenv("NN_VERBOSE")) printf("calibration %d: scale %g\n", c, (double)scale[0]);
        if (c == NN_CALIBRATION_MIN_MAX) ENSURE_CLOSE(scale[0], 30.7 / 255, 1e-3);
        if (c == NN_CALIBRATION_PERCENTILE) ENSURE_CLOSE(scale[0], 2.0 / 255, 0.01);
        if (c == NN_CALIBRATION_MSE) ENSURE(scale[0] > 0 && scale[0] < 30.6f / 255);
        if (c == NN_CALIBRATION_ENTROPY) ENSURE(scale[0] > 0 && scale[0] < 30.8f / 255);
    }
    ENSURE(fine(nn));
    nn_close(nn);
}

/* Tests one value for each channel, spread over the image: an expand is not a clamp. */
static void test_expand(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 7});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_node *one = nn_conv2d(net, "squeeze", x,
                             &(nn_conv2d_desc){.out_channels = 4, .kernel_h = 13, .kernel_w = 11});
    nn_node *wide = nn_expand(net, one, NN_SHAPE(NN_BATCH, 4, 3, 2));
    nn_node *y =
        nn_linear(net, "head", nn_flatten(net, wide), &(nn_linear_desc){.out_features = 7});
    float real[24 * 7], whole[24 * 7];
    fill_zoo();
    nn_model *copy = nn_quantize_net(net, zoo_loader(nn, zoo_numbers, 24), NULL);
    ENSURE(copy != NULL);
    run_zoo(net, x, y, 24, real, sizeof real);
    run_zoo(copy, nn_copied_node(copy, x), nn_copied_node(copy, y), 24, whole, sizeof whole);
    if (!(distance(whole, real, 24 * 7) < 0.05))
        test_fail(__FILE__, __LINE__, "integers are off by %.3f", distance(whole, real, 24 * 7));
    ENSURE(fine(nn));
    nn_close(nn);
}

/* A function of a quantised value stays in f32, where it is more exact, if the product for which it
   was made stays there. */
static void test_useless_table(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 7});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_node *a = nn_conv2d(net, "conv", x, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3});
    nn_node *gate = nn_max_pool2d(net, nn_sigmoid(net, a), &(nn_pool2d_desc){.kernel = 2});
    nn_node *other = nn_log_softmax(net, nn_max_pool2d(net, a, &(nn_pool2d_desc){.kernel = 2}), 1);
    nn_node *y = nn_multiply(net, gate, other);
    float real[24 * 80], whole[24 * 80];
    fill_zoo();
    report[0] = 0;
    nn_model *copy = nn_quantize_net(net, zoo_loader(nn, zoo_numbers, 24),
                                     &(nn_quantize_net_desc){.report.function = write_report});
    ENSURE(copy != NULL);
    if (getenv("NN_VERBOSE")) printf("%s", report);
    ENSURE(strstr(report, "sigmoid                  stays in f32: nothing that computes"));
    ENSURE(!nn_find_tensor(copy, "sigmoid.table"));
    nn_clear_error(nn);
    run_zoo(net, x, y, 24, real, sizeof real);
    run_zoo(copy, nn_copied_node(copy, x), nn_copied_node(copy, y), 24, whole, sizeof whole);
    ENSURE(distance(whole, real, 24 * 80) < 0.05);
    ENSURE(fine(nn));
    nn_close(nn);
}

/* A flattened input is rounded for the layers that read it, and exact for an operation in f32. */
static void test_flattened_input(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 7});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_node *image = nn_conv2d(net, "conv", x, &(nn_conv2d_desc){.out_channels = 4, .kernel = 3});
    nn_node *flat = nn_flatten(net, x), *soft = nn_softmax(net, flat, 1);
    nn_node *y = nn_linear(net, "head", flat, &(nn_linear_desc){.out_features = 7});
    float real[24 * ZOO], rounded[24 * ZOO], head[2][24 * 7];
    (void)image;
    fill_zoo();
    nn_model *qat = nn_prepare_qat(net, zoo_loader(nn, zoo_numbers, 24), NULL);
    ENSURE(qat != NULL);
    run_zoo(net, x, soft, 24, real, sizeof real);
    run_zoo(qat, nn_copied_node(qat, x), nn_copied_node(qat, soft), 24, rounded, sizeof rounded);
    ENSURE(memcmp(real, rounded, sizeof real) == 0);
    nn_model *whole = nn_quantize_net(qat, NULL, NULL);
    ENSURE(whole != NULL);
    nn_node *qat_y = nn_copied_node(qat, y), *qat_soft = nn_copied_node(qat, soft);
    run_zoo(qat, nn_copied_node(qat, x), qat_y, 24, head[0], sizeof head[0]);
    nn_node *in = nn_copied_node(whole, nn_copied_node(qat, x));
    run_zoo(whole, in, nn_copied_node(whole, qat_y), 24, head[1], sizeof head[1]);
    ENSURE(distance(head[1], head[0], 24 * 7) < 0.02);
    run_zoo(whole, in, nn_copied_node(whole, qat_soft), 24, rounded, sizeof rounded);
    ENSURE(memcmp(real, rounded, sizeof real) == 0);
    ENSURE(fine(nn));
    nn_close(nn);
}

/* Layers that are skipped stay as they are. */
static void test_skip(void) {
    nn_context *nn = nn_open(NULL);
    zoo z = describe_zoo(nn);
    float real[6 * 7], whole[6 * 7];
    fill_zoo();
    nn_model *copy = nn_quantize_net(
        z.net, zoo_loader(nn, zoo_numbers, 24),
        &(nn_quantize_net_desc){.skip = NN_TEXTS("stem", "depth", "point", "wide", "fc1"),
                                .outputs = NN_NODES(z.middle)});
    ENSURE(copy != NULL);
    const nn_node_description d = nn_describe_node(nn_copied_node(copy, z.middle));
    ENSURE(strcmp(d.operation, "flip") == 0);
    ENSURE(nn_tensor_dtype(nn_find_tensor(copy, "fc1.weight")) == NN_F32);
    ENSURE(nn_tensor_dtype(nn_find_tensor(copy, "fc2.weight")) == NN_I8);
    run_zoo(z.net, z.x, z.y, 6, real, sizeof real);
    run_zoo(copy, nn_copied_node(copy, z.x), nn_copied_node(copy, z.y), 6, whole, sizeof whole);
    ENSURE(distance(whole, real, 6 * 7) < 0.02 && distance(whole, real, 6 * 7) > 0);
    nn_close(nn);
}

/* Layers that share their parameters stay as they are, and a name that is taken is named. */
static void test_shared(void) {
    nn_context *nn = nn_open(&(nn_desc){.log.function = write_nowhere});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11)), *y = x;
    for (int i = 0; i < 3; i++)
        y = nn_relu(net,
                    nn_conv2d(net, "c", y,
                              &(nn_conv2d_desc){
                                  .out_channels = 3, .kernel = 3, .padding = 1, .shared = i > 0}));
    y = nn_linear(net, "head", nn_flatten(net, y), &(nn_linear_desc){.out_features = 7});
    float real[24 * 7], whole[24 * 7];
    fill_zoo();
    nn_loader *loader = zoo_loader(nn, zoo_numbers, 24);
    nn_model *copy = nn_quantize_net(net, loader, NULL);
    ENSURE(copy != NULL);
    ENSURE(nn_tensor_dtype(nn_find_tensor(copy, "c.weight")) == NN_F32);
    ENSURE(nn_tensor_dtype(nn_find_tensor(copy, "head.weight")) == NN_I8);
    run_zoo(net, x, y, 24, real, sizeof real);
    run_zoo(copy, nn_copied_node(copy, x), nn_copied_node(copy, y), 24, whole, sizeof whole);
    ENSURE(distance(whole, real, 24 * 7) < 0.05 && distance(whole, real, 24 * 7) > 0);
    nn_node *taken = nn_buffer(net, "head.factor", NN_F32, NN_SHAPE(7), 1);
    ENSURE(nn_quantize_net(
               net, loader,
               &(nn_quantize_net_desc){.outputs = NN_NODES(nn_multiply(net, y, taken))}) == NULL);
    ENSURE(says(nn, "head.factor"));
    nn_close(nn);
}

/* Tests a channel whose weights are too small for a scale, and are therefore all zeros as integers.
   */
static void test_tiny_weights(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_linear(net, "fc", x, &(nn_linear_desc){.out_features = 2});
    const float weight[8] = {1e-44f, -1e-44f, 1e-44f, 0, 1, 2, 3, 4}, bias[2] = {0, 1};
    int32_t whole[2] = {7, 7};
    int8_t bytes[8];
    ENSURE(nn_upload_tensor(nn_find_tensor(net, "fc.weight"), weight, sizeof weight) == NN_OK);
    ENSURE(nn_upload_tensor(nn_find_tensor(net, "fc.bias"), bias, sizeof bias) == NN_OK);
    nn_model *copy = nn_quantize_net(net, NULL, NULL);
    ENSURE(copy != NULL);
    ENSURE(nn_download_tensor(nn_find_tensor(copy, "fc.bias"), whole, sizeof whole) == NN_OK);
    ENSURE(nn_download_tensor(nn_find_tensor(copy, "fc.weight"), bytes, sizeof bytes) == NN_OK);
    ENSURE(whole[0] == 0 && bytes[0] == 0 && bytes[1] == 0 && bytes[7] == 127);
    ENSURE(fine(nn));
    nn_close(nn);
}

/* ---- the same bytes everywhere, through a file ----------------------------------------------- */

static void same_bytes_of(zoo (*describe)(nn_context *nn), void (*shake)(nn_model *net)) {
    static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_PLAIN, NN_INSTRUCTIONS_AVX2,
                                              NN_INSTRUCTIONS_AVX512, NN_INSTRUCTIONS_NEON,
                                              NN_INSTRUCTIONS_SIMD128};
    const char *path = "test_quantize_net.safetensors";
    float first[24 * 7], other[24 * 7];
    int tried = 0;
    fill_zoo();
    {
        nn_context *nn = nn_open(NULL);
        zoo z = describe(nn);
        if (shake) shake(z.net);
        nn_model *copy = nn_quantize_net(z.net, zoo_loader(nn, zoo_numbers, 24), NULL);
        ENSURE(copy != NULL);
        run_zoo(copy, nn_copied_node(copy, z.x), nn_copied_node(copy, z.y), 24, first,
                sizeof first);
        ENSURE(nn_save_weights(copy, path) == NN_OK && fine(nn));
        nn_close(nn);
    }
    for (int i = 0; i < 5; i++)
        for (int threads = 1; threads <= 3; threads += 2) {
            nn_context *nn = nn_open(&(nn_desc){
                .instructions = sets[i], .threads = threads, .log.function = write_nowhere});
            if (!nn) continue;
            zoo z = describe(nn);
            nn_model *copy = nn_quantize_net(z.net, NULL, NULL);
            ENSURE(copy && nn_load_weights(copy, path, NULL) == NN_OK);
            run_zoo(copy, nn_copied_node(copy, z.x), nn_copied_node(copy, z.y), 24, other,
                    sizeof other);
            /* the flip in the middle is exact arithmetic of f32 on every set */
            if (test_wrong(memcmp(first, other, sizeof first) != 0))
                test_fail(__FILE__, __LINE__, "%s, %d threads: other bytes",
                          nn_instruction_set_name(nn), threads);
            ENSURE(fine(nn));
            tried++;
            nn_close(nn);
        }
    ENSURE(tried >= 2);
    remove(path);
}
static void test_same_bytes(void) {
    same_bytes_of(describe_zoo, shake_zoo);
    same_bytes_of(describe_branches, NULL);
    same_bytes_of(describe_turned, NULL);
}

/* A model that moves to an OpenCL device gives the bytes of the CPU. */
#ifdef NN_TEST_OPENCL
static void opencl_bytes_of(zoo (*describe)(nn_context *nn), void (*shake)(nn_model *net)) {
    static const nn_opencl_desc own = {.no_lending = true, .cache_folder = ""};
    nn_context *nn = nn_open(NULL);
    float here[24 * 7], there[24 * 7];
    if (!OPEN_OPENCL_WITH(nn, &own)) {
        nn_close(nn);
        return;
    }
    zoo z = describe(nn);
    if (shake) shake(z.net);
    fill_zoo();
    nn_model *copy = nn_quantize_net(z.net, zoo_loader(nn, zoo_numbers, 24), NULL);
    ENSURE(copy != NULL);
    nn_node *x = nn_copied_node(copy, z.x), *y = nn_copied_node(copy, z.y);
    run_zoo(copy, x, y, 24, here, sizeof here);
    ENSURE(nn_move_model(copy, nn_opencl(0)) == NN_OK);
    run_zoo(copy, x, y, 24, there, sizeof there);
    ENSURE(memcmp(here, there, sizeof here) == 0);
    ENSURE(fine(nn));
    nn_close(nn);
}
#endif
static void test_opencl(void) {
#ifdef NN_TEST_OPENCL
    opencl_bytes_of(describe_zoo, shake_zoo);
    opencl_bytes_of(describe_branches, NULL);
    opencl_bytes_of(describe_turned, NULL);
#else
    SKIP("built without OpenCL");
#endif
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static void test_mistakes(void) {
    nn_context *nn = nn_open(&(nn_desc){.log.function = write_nowhere});
    zoo z = describe_zoo(nn);
    fill_zoo();
    nn_loader *loader = zoo_loader(nn, zoo_numbers, 24);
    ENSURE(nn_quantize_net(NULL, loader, NULL) == NULL);
    ENSURE(nn_quantize_net(z.net, loader, &(nn_quantize_net_desc){.skip = NN_TEXTS("fc9")}) ==
           NULL);
    ENSURE(says(nn, "skip \"fc9\" fits no layer"));
    ENSURE(nn_quantize_net(z.net, loader, &(nn_quantize_net_desc){.percentile = 101}) == NULL);
    ENSURE(says(nn, "percentile is 101"));
    ENSURE(nn_quantize_net(z.net, loader, &(nn_quantize_net_desc){.batches = -1}) == NULL);
    ENSURE(says(nn, "batches is -1"));
    ENSURE(nn_quantize_net(z.net, loader,
                           &(nn_quantize_net_desc){.calibration = (nn_calibration)7}) == NULL);
    ENSURE(says(nn, "calibration is 7"));
    nn_loader *digits = digits_loader(nn, 0, 50, false);
    ENSURE(nn_quantize_net(z.net, digits, NULL) == NULL);
    ENSURE(says(nn, "no field \"x\""));
    nn_model *other = nn_make_model(nn, NULL);
    nn_node *x = nn_input(other, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    ENSURE(nn_quantize_net(z.net, loader, &(nn_quantize_net_desc){.outputs = NN_NODES(x)}) == NULL);
    ENSURE(says(nn, "outputs[0] is no node"));
    nn_relu(other, x);
    ENSURE(nn_quantize_net(other, loader, NULL) == NULL);
    ENSURE(says(nn, "no layer that can compute in integers"));
    nn_model *cast = nn_make_model(nn, NULL);
    x = nn_input(cast, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_autocast_begin(cast, NN_BF16);
    nn_conv2d(cast, "first", x, &(nn_conv2d_desc){.out_channels = 2, .kernel = 3});
    nn_autocast_end(cast);
    ENSURE(nn_quantize_net(cast, loader, NULL) == NULL);
    ENSURE(says(nn, "\"first\" cannot: its weight is not an f32 parameter or constant (nn_autocast"));
    nn_model *memory = nn_make_model(nn, NULL);
    x = nn_input(memory, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, NN_TIME));
    nn_conv1d(memory, "c", x, &(nn_conv1d_desc){.out_channels = 4, .kernel = 3, .streaming = true});
    ENSURE(nn_quantize_net(memory, NULL, NULL) == NULL);
    ENSURE(says(nn, "lives from run to run"));
    ENSURE(nn_quantize_net(z.net, NULL, &(nn_quantize_net_desc){.correct_bias = true}) == NULL);
    ENSURE(says(nn, "there is no loader"));
    ENSURE(nn_prepare_qat(z.net, loader, &(nn_quantize_net_desc){.equalize = true}) == NULL);
    ENSURE(says(nn, ".equalize is for nn_quantize_net"));
    zoo_numbers[17] = NAN;
    ENSURE(nn_quantize_net(z.net, loader, NULL) == NULL);
    ENSURE(says(nn, "\"x\" has the number"));
    fill_zoo();
    float *weights = (float *)malloc(16 * 3 * 9 * sizeof(float));
    for (int i = 0; i < 16 * 3 * 9; i++) weights[i] = i == 40 ? INFINITY : 0.1f;
    ENSURE(nn_upload_tensor(nn_find_tensor(z.net, "stem.weight"), weights,
                            16 * 3 * 9 * sizeof(float)) == NN_OK);
    ENSURE(nn_quantize_net(z.net, NULL, NULL) == NULL);
    ENSURE(says(nn, "weight or bias of \"stem\""));
    free(weights);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_layers);
    RUN(test_branches);
    RUN(test_turned);
    RUN(test_requantised);
    RUN(test_reasons);
    RUN(test_integers_outside);
    RUN(test_equalize);
    RUN(test_correct_bias);
    RUN(test_expand);
    RUN(test_useless_table);
    RUN(test_flattened_input);
    RUN(test_outlier);
    RUN(test_skip);
    RUN(test_shared);
    RUN(test_tiny_weights);
    RUN(test_same_bytes);
    RUN(test_opencl);
    RUN(test_mistakes);
    RUN(test_mlp);
    RUN(test_digits);
    return test_report();
}
