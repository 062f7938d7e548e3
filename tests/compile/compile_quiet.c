/* compile_quiet.c - a program in one file, as README shows it, compiled with the warnings that
   programs turn on. */
#define NN_IMPLEMENTATION
#include "nn.h"

int main(void) {
#ifndef __cplusplus
    nn_context *nn = nn_open(&(nn_desc){.log = {.function = nn_write_stderr}});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "mlp"});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_node *y = nn_linear(net, "fc", x, &(nn_linear_desc){.out_features = 2});
#else
    nn_context *nn = nn_open({.log = {.function = nn_write_stderr}});
    nn_model *net = nn_make_model(nn, {.name = "mlp"});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_node *y = nn_linear(net, "fc", x, {.out_features = 2});
#endif
    static const unsigned char pixels[8] = {0};
    static float rows[2][4];
#ifndef __cplusplus
    nn_dataset *data = nn_make_dataset(
        nn,
        &(nn_dataset_desc){
            .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(4), NN_DATA(pixels), .scale = 2.0f},
                                {.name = "y", .shape = NN_SHAPE(4), NN_DATA_OF(&rows[0][0], 2 * 4)},
                                {.name = "z", .shape = NN_SHAPE(4), NN_DATA(rows)}),
            .count = 2});
#else
    nn_dataset *data = nn_make_dataset(
        nn,
        {.fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(4), NN_DATA(pixels), .scale = 2.0f},
                             {.name = "y", .shape = NN_SHAPE(4), NN_DATA_OF(&rows[0][0], 2 * 4)},
                             {.name = "z", .shape = NN_SHAPE(4), NN_DATA(rows)}),
         .count = 2});
#endif
    int failed = nn_fault_count(net) != 0 || y == NULL || data == NULL;
    nn_close(nn);
    return failed;
}
