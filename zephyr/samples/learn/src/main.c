/* main.c - a board learns the exclusive or of two numbers, in one block of memory.

     west build -b mps2/an385 zephyr/samples/learn && west build -t run */
#include <zephyr/kernel.h>

#include "nn.h"

static _Alignas(16) unsigned char memory[(sizeof(void *) == 4 ? 48 : 72) * 1024];

int main(void) {
    static const float in[8] = {0, 0, 0, 1, 1, 0, 1, 1}, out[4] = {0, 1, 1, 0};
    float loss = 1;
    nn_context *nn = nn_open(&(nn_desc){.block = memory, .block_bytes = sizeof memory});
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node *wanted = nn_input(net, "wanted", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_node *y = nn_tanh(net, nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = 8}));
    y = nn_linear(net, "fc2", y, &(nn_linear_desc){.out_features = 1});
    nn_trainer *trainer = nn_make_trainer(
        net, nn_mse_loss(net, y, wanted, NULL),
        &(nn_trainer_desc){.batch = 4, .optimizer = NN_ADAM, .learning_rate = 0.05f});
    nn_plan *plan = nn_trainer_plan(trainer);
    for (int step = 0; step < 400; step++) {
        nn_upload(plan, x, in, sizeof in);
        nn_upload(plan, wanted, out, sizeof out);
        if (nn_train_on_inputs(trainer) != NN_OK) break;
    }
    if (nn_read_loss(trainer, &loss) != NN_OK) printk("nn: error %d\n", nn_error_code(nn));
    printk("learned: loss %d.%04d\n", (int)loss, (int)(loss * 10000) % 10000);
    nn_close(nn);
    return 0;
}
