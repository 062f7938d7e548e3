/* tests/train/test_quantize_bits.c - weights of 4 bits (.weight_bits): which layers have them, what
   they lose on drawn digits after calibration and after training, saved models, mistakes. Plans of
   constants with such weights are tested in tests/onnx/planned_layers.h. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"

#include "quantize_nets.h"

/* Returns the largest absolute weight of a layer; -1: there is none. */
static int largest_of(nn_model *net, const char *name) {
    static int8_t numbers[65536];
    nn_tensor *tensor = nn_find_tensor(net, name);
    int largest = 0;
    if (!tensor || nn_tensor_dtype(tensor) != NN_I8 || nn_tensor_bytes(tensor) > sizeof numbers ||
        nn_download_tensor(tensor, numbers, nn_tensor_bytes(tensor)) != NN_OK)
        return -1;
    for (size_t i = 0; i < nn_tensor_bytes(tensor); i++)
        if (abs(numbers[i]) > largest) largest = abs(numbers[i]);
    return largest;
}

/* The first layer and the depthwise one keep 8 bits; or those that are named, and the depthwise
   one. A weight that is all of a channel's range is the largest integer. */
static void test_layers(void) {
    static const char *const small[] = {"point.weight", "wide.weight", "fc1.weight", "fc2.weight"};
    nn_context *nn = nn_open(NULL);
    zoo z = describe_zoo(nn);
    float eight[24 * 7], four[24 * 7], real[24 * 7];
    fill_zoo();
    shake_zoo(z.net);
    nn_loader *loader = zoo_loader(nn, zoo_numbers, 24);
    nn_model *plain = nn_quantize_net(z.net, loader, NULL),
             *same = nn_quantize_net(z.net, loader, &(nn_quantize_net_desc){.weight_bits = 8});
    report[0] = 0;
    nn_model *copy = nn_quantize_net(
        z.net, loader,
        &(nn_quantize_net_desc){.weight_bits = 4, .report.function = write_report});
    nn_model *named = nn_quantize_net(
        z.net, loader,
        &(nn_quantize_net_desc){.weight_bits = 4, .weight_bits_8 = NN_TEXTS("fc*", "wide")});
    ENSURE(plain && same && copy && named);
    ENSURE(largest_of(copy, "stem.weight") == 127 && largest_of(copy, "depth.weight") == 127);
    ENSURE(largest_of(named, "stem.weight") == 7 && largest_of(named, "depth.weight") == 127);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        const int wanted = i ? 127 : 7;
        if (test_wrong(largest_of(copy, small[i]) != 7 || largest_of(plain, small[i]) != 127 ||
                       largest_of(named, small[i]) != wanted))
            test_fail(__FILE__, __LINE__, "%s: %d, %d", small[i], largest_of(copy, small[i]),
                      largest_of(named, small[i]));
    }
    ENSURE(strstr(report, "in 8-bit integers, 4-bit weights"));
    ENSURE(strstr(report, "conv2d 4-bit") && strstr(report, "linear 4-bit"));
    ENSURE(strstr(report, "conv2d      ")); /* the first layer */
    run_zoo(z.net, z.x, z.y, 24, real, sizeof real);
    run_zoo(plain, nn_copied_node(plain, z.x), nn_copied_node(plain, z.y), 24, eight, sizeof eight);
    run_zoo(same, nn_copied_node(same, z.x), nn_copied_node(same, z.y), 24, four, sizeof four);
    ENSURE(memcmp(eight, four, sizeof eight) == 0);
    run_zoo(copy, nn_copied_node(copy, z.x), nn_copied_node(copy, z.y), 24, four, sizeof four);
    if (getenv("NN_VERBOSE"))
        printf("%s8 bits are off by %.4f, 4 by %.4f\n", report, distance(eight, real, 24 * 7),
               distance(four, real, 24 * 7));
    ENSURE(distance(four, real, 24 * 7) < 0.25);
    ENSURE(distance(four, real, 24 * 7) > distance(eight, real, 24 * 7));
    ENSURE(fine(nn));
    nn_close(nn);
}

/* Digits with 4 bits, after calibration and after two epochs of training. The rounded model is what
   the integers compute. */
static void test_learns(void) {
    nn_context *nn = nn_open(NULL);
    digits_net d = describe_digits(nn, true), q = d;
    nn_loader *train = digits_loader(nn, 0, DIGITS, true),
              *test = digits_loader(nn, DIGITS, DIGITS, false);
    const nn_quantize_net_desc desc = {.batches = 10, .outputs = NN_NODES(d.logits),
                                       .weight_bits = 4};
    train_digits(&d, train, 3);
    const int real = count_right(d.net, d.logits, test, DIGITS, NULL);
    nn_model *first = nn_quantize_net(d.net, train, &desc);
    q.net = nn_prepare_qat(d.net, train, &desc);
    ENSURE(first && q.net);
    q.loss = nn_copied_node(q.net, d.loss);
    q.logits = nn_copied_node(q.net, d.logits);
    train_digits(&q, train, 2);
    report[0] = 0;
    nn_model *whole = nn_quantize_net(
        q.net, NULL,
        &(nn_quantize_net_desc){.outputs = NN_NODES(q.logits), .report.function = write_report});
    ENSURE(whole && strstr(report, "4-bit weights"));
    ENSURE(largest_of(whole, "conv1.weight") == 127 && largest_of(whole, "conv2.weight") == 7 &&
           largest_of(whole, "fc1.weight") == 7 && largest_of(whole, "fc2.weight") == 7);
    const int calibrated =
                  count_right(first, nn_copied_node(first, d.logits), test, DIGITS, NULL),
              rounded = count_right(q.net, q.logits, test, DIGITS, NULL),
              trained = count_right(whole, nn_copied_node(whole, q.logits), test, DIGITS, NULL);
    if (getenv("NN_VERBOSE"))
        printf("%d in f32, %d calibrated, %d rounded, %d trained\n", real, calibrated, rounded,
               trained);
    ENSURE(abs(rounded - trained) * 1000 <= DIGITS);
    ENSURE((real - calibrated) * 100 <= 3 * DIGITS);
    ENSURE((real - trained) * 1000 <= 3 * DIGITS);
    ENSURE(fine(nn));
    nn_close(nn);
}

/* A file of such a model fits a model that is described with or without 4 bits. */
static void test_saved(void) {
    static const char path[] = "quantize_bits.safetensors";
    nn_context *nn = nn_open(NULL);
    zoo z = describe_zoo(nn);
    float first[24 * 7], second[24 * 7];
    fill_zoo();
    nn_model *from = nn_quantize_net(z.net, zoo_loader(nn, zoo_numbers, 24),
                                     &(nn_quantize_net_desc){.weight_bits = 4});
    ENSURE(from && nn_save_weights(from, path) == NN_OK);
    run_zoo(from, nn_copied_node(from, z.x), nn_copied_node(from, z.y), 24, first, sizeof first);
    for (int bits = 4; bits <= 8; bits += 4) {
        nn_model *to =
            nn_quantize_net(z.net, NULL, &(nn_quantize_net_desc){.weight_bits = bits});
        ENSURE(to && nn_load_weights(to, path, NULL) == NN_OK);
        run_zoo(to, nn_copied_node(to, z.x), nn_copied_node(to, z.y), 24, second, sizeof second);
        ENSURE(memcmp(first, second, sizeof first) == 0);
    }
    remove(path);
    ENSURE(fine(nn));
    nn_close(nn);
}

static void test_mistakes(void) {
    nn_context *nn = nn_open(&(nn_desc){.log.function = write_nowhere});
    zoo z = describe_zoo(nn);
    ENSURE(nn_quantize_net(z.net, NULL, &(nn_quantize_net_desc){.weight_bits = 5}) == NULL);
    ENSURE(says(nn, "weight_bits is 5; wanted 4 or 8"));
    ENSURE(nn_prepare_qat(z.net, NULL, &(nn_quantize_net_desc){.weight_bits = -4}) == NULL);
    ENSURE(says(nn, "weight_bits is -4; wanted 4 or 8"));
    ENSURE(nn_quantize_net(z.net, NULL, &(nn_quantize_net_desc){
                                            .weight_bits_8 = NN_TEXTS("fc1")}) == NULL);
    ENSURE(says(nn, "set .weight_bits = 4"));
    ENSURE(nn_quantize_net(z.net, NULL, &(nn_quantize_net_desc){
                                            .weight_bits = 4, .weight_bits_8 = NN_TEXTS("fc9")}) ==
           NULL);
    ENSURE(says(nn, "weight_bits_8 \"fc9\" fits no quantised layer with weights"));
    /* a name of an operation without weights would give the first layer 4 bits */
    nn_model *soft = nn_make_model(nn, NULL);
    nn_node *x = nn_input(soft, "x", NN_F32, NN_SHAPE(NN_BATCH, 6));
    x = nn_linear(soft, "first", x, &(nn_linear_desc){.out_features = 5});
    x = nn_linear(soft, "last", nn_sigmoid(soft, x), &(nn_linear_desc){.out_features = 4});
    ENSURE(x && nn_quantize_net(soft, NULL, &(nn_quantize_net_desc){
                                                .weight_bits = 4,
                                                .weight_bits_8 = NN_TEXTS("sigmoid")}) == NULL);
    ENSURE(says(nn, "weight_bits_8 \"sigmoid\" fits no quantised layer with weights"));
    nn_model *qat = nn_prepare_qat(z.net, NULL, &(nn_quantize_net_desc){.weight_bits = 4});
    ENSURE(qat);
    ENSURE(nn_quantize_net(qat, NULL, &(nn_quantize_net_desc){.weight_bits = 4}) == NULL);
    ENSURE(says(nn, ".weight_bits belongs to nn_prepare_qat here"));
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_layers);
    RUN(test_learns);
    RUN(test_saved);
    RUN(test_mistakes);
    return test_report();
}
