/* 13_finetune.c - transfer learning: a net that knows seven digits learns the other three from 40
   pictures of each. Its weights come from a file with PyTorch's names, its last layer is new, and
   only that layer is trained.
   Run:    make examples && build/examples/13_finetune [weights.safetensors]
           the file: yours, from torch's state_dict (conv1, conv2, fc1 as below); default: it trains
           such a net itself
   Prints: what was loaded and what is frozen, the accuracy on new pictures after some epochs (above
           80 %), and that the frozen layers kept their bytes.
   Leaves: seven.safetensors (if it trained that net), ten.safetensors. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "draw_digits.h"
#include <stdlib.h>

#define FIRST 7 /* classes of the old net: the digits 0 to 6 */

typedef struct pictures {
    unsigned char *pixels; /* (count, 28, 28) */
    unsigned char *labels; /* (count) */
    nn_loader     *loader;
} pictures;

/* Draws `each` pictures of every digit in [low, high). */
static pictures draw(nn_context *nn, int low, int high, int each, uint64_t seed) {
    int      count = (high - low) * each;
    pictures p = {malloc((size_t)count * DIGIT_PIXELS), malloc((size_t)count), NULL};
    for (int i = 0; p.pixels && p.labels && i < count; i++) {
        p.labels[i] = (unsigned char)(low + i % (high - low));
        draw_digit(p.labels[i], seed, (uint64_t)i, p.pixels + (size_t)i * DIGIT_PIXELS);
    }
    nn_dataset *dataset = nn_make_dataset(
        nn,
        &(nn_dataset_desc){
            .count = count,
            .fields = NN_FIELDS({.name = "image",
                        .shape = NN_SHAPE(1, 28, 28),
                        .data = p.pixels,
                        .data_dtype = NN_U8,
                        .scale = 1.0f / 255},
                       {.name = "label", .dtype = NN_I32, .data = p.labels, .data_dtype = NN_U8})});
    p.loader = nn_make_loader(
        nn, &(nn_loader_desc){.dataset = dataset, .batch = 40, .shuffle = true, .seed = seed});
    return p;
}

static void release(pictures *p) {
    nn_free_loader(p->loader); /* before the arrays that it reads */
    free(p->pixels), free(p->labels);
}

/* Describes the same body under another head. Parameters of the same name have the same weights. */
static nn_model *describe(nn_context *nn, const char *head, int classes, nn_node **loss,
                          nn_node **accuracy) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = head, .seed = 3});
    nn_node  *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    nn_node  *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = nn_conv2d(net, "conv1", image,
                           &(nn_conv2d_desc){.out_channels = 8, .kernel = 3, .padding = 1});
    x = nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
    x = nn_conv2d(net, "conv2", x,
                  &(nn_conv2d_desc){.out_channels = 16, .kernel = 3, .padding = 1});
    x = nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
    x = nn_relu(net,
                nn_linear(net, "fc1", nn_flatten(net, x), &(nn_linear_desc){.out_features = 96}));
    nn_node *logits = nn_linear(net, head, x, &(nn_linear_desc){.out_features = classes});
    *loss = nn_cross_entropy(net, logits, label, NULL);
    *accuracy = nn_accuracy(net, logits, label);
    return net;
}

static double train(nn_model *net, nn_node *loss, nn_node *accuracy, nn_loader *from,
                    nn_loader *test, int epochs) {
    nn_progress last = {0};
    nn_trainer *trainer = nn_make_trainer(net, loss,
                                          &(nn_trainer_desc){.batch = 40,
                                                             .optimizer = NN_ADAM,
                                                             .learning_rate = 2e-3f,
                                                             .metrics = NN_NODES(accuracy)});
    nn_fit(trainer, from, &(nn_fit_desc){.epochs = epochs, .validation = test, .last = &last});
    nn_free_trainer(trainer);
    return 100 * last.validation.metrics[0];
}

int main(int argc, char **argv) {
    bool        quick = getenv("NN_SHORT") != NULL;
    const char *path = argc > 1 ? argv[1] : "seven.safetensors";
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_node    *loss, *accuracy;
    if (argc < 2) {
        pictures many = draw(nn, 0, FIRST, quick ? 300 : 1000, 1),
                 new_ones = draw(nn, 0, FIRST, 50, 2);
        nn_model *seven = describe(nn, "seven", FIRST, &loss, &accuracy);
        double percent = train(seven, loss, accuracy, many.loader, new_ones.loader, quick ? 2 : 3);
        printf("a net for %d digits: %.1f %% right\n", FIRST, percent);
        nn_save_weights(seven, path);
        nn_free_model(seven);
        release(&many), release(&new_ones);
    }

    nn_model *net = describe(nn, "ten", 10, &loss, &accuracy);
    /* Not strict: the file's old head is passed over, and the new one, "ten.weight" and "ten.bias",
       keeps its first values. */
    nn_load_weights(net, path, &(nn_load_weights_desc){.non_strict = true});
    nn_freeze(net, "conv1.", true);
    nn_freeze(net, "conv2.", true);
    nn_freeze(net, "fc1.", true);
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        const char *name = nn_tensor_name(nn_model_tensor_at(net, i));
        printf("%-12s %s\n", name,
               strncmp(name, "ten.", 4) == 0 ? "new, trained" : "from the file, frozen");
    }
    float before[8 * 9], after[8 * 9];
    nn_download_tensor(nn_find_tensor(net, "conv1.weight"), before, sizeof before);
    pictures few = draw(nn, 0, 10, 40, 5), new_ones = draw(nn, 0, 10, 50, 6);
    printf("ten digits from 40 pictures of each:");
    for (int round = 0; round < 3; round++)
        printf(" %.1f %%", train(net, loss, accuracy, few.loader, new_ones.loader, 3));
    nn_download_tensor(nn_find_tensor(net, "conv1.weight"), after, sizeof after);
    printf(" right\nconv1.weight %s\n",
           memcmp(before, after, sizeof after) == 0 ? "kept its bytes" : "CHANGED");
    nn_save_weights(net, "ten.safetensors");
    bool failed = nn_error(nn) != NULL;
    release(&few), release(&new_ones);
    nn_close(nn);
    return failed;
}
