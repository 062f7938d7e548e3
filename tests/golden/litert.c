/* tests/golden/litert.c - writes a net, its copy in 8-bit integers and the results of that copy,
   for litert.py. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_quantize.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT 8
#define ONE (9 * 9 * 4)

static float inputs[COUNT * ONE];

static int write_bytes(const char *path, const void *data, size_t bytes) {
    FILE *file = fopen(path, "wb");
    const int fine = file && fwrite(data, 1, bytes, file) == bytes;
    if (file) fclose(file);
    return fine;
}

int main(int argc, char **argv) {
    static const char *const kept[] = {"stem", "depth", "point", "add", "fc", "up", "resize",
                                      "multiply", "avg_pool2d"};
    static const int sizes[] = {9 * 9 * 16, 9 * 9 * 16, 9 * 9 * 16, 9 * 9 * 16, 10, 19 * 19 * 6,
                                14 * 5 * 16, 9 * 9 * 16, 3 * 3 * 16};
    static signed char bytes[COUNT * 19 * 19 * 16];
    const uint64_t seed = argc > 1 ? (uint64_t)atoi(argv[1]) : 1;
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = seed});
    nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 9, 9));
    nn_node *x = nn_relu6(net, nn_conv2d(net, "stem", input,
                                         &(nn_conv2d_desc){.out_channels = 16, .kernel = 3,
                                                           .padding = 1}));
    nn_node *side = x;
    x = nn_relu(net, nn_conv2d(net, "depth", x,
                               &(nn_conv2d_desc){.out_channels = 16, .kernel = 3, .padding = 1,
                                                 .groups = 16}));
    x = nn_conv2d(net, "point", x, &(nn_conv2d_desc){.out_channels = 16, .kernel = 1});
    x = nn_relu(net, nn_add(net, x, side));
    nn_keep(nn_conv_transpose2d(
        net, "up", x,
        &(nn_conv_transpose2d_desc){.out_channels = 6, .kernel = 3, .stride = 2}));
    nn_keep(nn_resize(net, x, &(nn_resize_desc){.size = 14, .size_w = 5, .mode = NN_RESIZE_LINEAR}));
    nn_node *product = nn_multiply(net, x, side);
    nn_keep(product);
    nn_keep(nn_avg_pool2d(net, product, &(nn_pool2d_desc){.kernel = 3}));
    x = nn_max_pool2d(net, x, &(nn_pool2d_desc){.kernel = 3});
    nn_node *y = nn_linear(net, "fc", nn_flatten(net, x), &(nn_linear_desc){.out_features = 10});
    nn_keep(y);
    for (int i = 0; i < COUNT * ONE; i++) {
        uint32_t words[4];
        nn_random_words(seed, 7, (uint64_t)i, words);
        inputs[i] = 3 * nn_word_to_uniform(words[0]) - 1.2f;
    }
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){.count = COUNT,
                               .fields = NN_FIELDS({.name = "x",
                                                    .shape = NN_SHAPE(4, 9, 9),
                                                    .data = inputs})});
    nn_loader *loader =
        nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = COUNT});
    nn_model *copy = nn_quantize_net(net, loader, NULL);
    if (!copy || nn_save_weights(net, "litert_f32.safetensors") != NN_OK ||
        nn_save_weights(copy, "litert_int8.safetensors") != NN_OK ||
        !write_bytes("litert_x.bin", inputs, sizeof inputs))
        return 1;
    for (int i = 0; i < 9; i++) {
        char path[64];
        nn_node *node = NULL;
        for (nn_node *n = nn_next_node(copy, NULL); n; n = nn_next_node(copy, n))
            if (strcmp(nn_node_name(n), kept[i]) == 0) node = n;
        nn_plan *plan = nn_make_plan(copy, &(nn_plan_desc){.outputs = NN_NODES(node),
                                                           .batch = COUNT});
        const size_t size = (size_t)(COUNT * sizes[i]);
        if (!plan || nn_upload(plan, nn_copied_node(copy, input), inputs, sizeof inputs) != NN_OK ||
            nn_run(plan) != NN_OK || nn_download(plan, node, bytes, size) != NN_OK)
            return 1;
        snprintf(path, sizeof path, "litert_%s.bin", kept[i]);
        if (!write_bytes(path, bytes, size)) return 1;
    }
    nn_close(nn);
    return 0;
}
