/* last_layer.c - a board trains the last layer of a net. On a PC the net learned digits
   (print_nets.c). The camera of this board is mounted upside down, so it misreads most of them. It
   learns the last layer again from 2,000 examples, one at a time. All other weights stay in flash.
   Run: make firmware. */
#define TRAINS
#include "board.h"
#include "features.h"
#include "nets.h"
#include "../draw_digits.h"

__attribute__((aligned(16))) static unsigned char block[96 * 1024];
static float image[DIGIT_PIXELS];

/* Draws example i upside down and returns its digit. */
static int32_t draw(int i) {
    static unsigned char pixels[DIGIT_PIXELS];
    draw_digit(i % 10, 4, (uint64_t)i, pixels);
    for (int k = 0; k < DIGIT_PIXELS; k++) image[k] = (float)pixels[DIGIT_PIXELS - 1 - k] / 255;
    return i % 10;
}

/* Returns how many of 100 new digits are right. */
static int count_right(nn_plan *plan, nn_node *x, nn_node *scores) {
    int right = 0;
    for (int i = 0; i < 100; i++) {
        float y[10];
        int best = 0;
        const int32_t digit = draw(10000 + i);
        if (nn_upload(plan, x, image, sizeof image) != NN_OK || nn_run(plan) != NN_OK ||
            nn_download(plan, scores, y, sizeof y) != NN_OK)
            board_leave(3);
        for (int k = 1; k < 10; k++) best = y[k] > y[best] ? k : best;
        right += best == digit;
    }
    return right;
}

int main(void) {
    nn_context *nn = nn_open(&(nn_desc){.block = block, .block_bytes = sizeof block});
    if (!nn) return 4; /* the block is too small, or not aligned to 16 bytes */
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *scores =
        nn_linear(net, "fc2", describe_features(net, x), &(nn_linear_desc){.out_features = 10});
    nn_use_weights(net, features, features_count,
                   &(nn_use_weights_desc){.in_place = true, .copied = NN_TEXTS("fc2.")});
    nn_trainer *trainer = nn_make_trainer(net, nn_cross_entropy(net, scores, label, NULL),
                                          &(nn_trainer_desc){.learning_rate = 0.05f});
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(scores)});
    if (!trainer || !plan) return 5;
    const int before = count_right(plan, x, scores);
    for (int i = 0; i < 2000; i++) {
        const int32_t digit = draw(i);
        if (nn_upload(nn_trainer_plan(trainer), x, image, sizeof image) != NN_OK ||
            nn_upload(nn_trainer_plan(trainer), label, &digit, sizeof digit) != NN_OK ||
            nn_train_on_inputs(trainer) != NN_OK)
            return 2;
    }
    const int after = count_right(plan, x, scores);
    print("last layer: ");
    print_number(before);
    print(" of 100 are right before training, ");
    print_number(after);
    print(" after\n");
    nn_close(nn);
    return after >= 60 && after >= before + 15 ? 0 : 1;
}
