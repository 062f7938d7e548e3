/* size_infer.c - inference alone: a net of three linear layers that reads its weights from a file.
   tools/size.sh compiles it in every way. */
#define NN_STATIC
#include "nn.h"

static nn_node *layer(nn_model *net, const char *name, nn_node *x, int features) {
    return nn_linear(net, name, x, &(nn_linear_desc){.out_features = features});
}

int main(int argc, char **argv) {
    float features[8] = {0}, scores[3];
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "scores"});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 8));
    nn_node *y = nn_relu(net, layer(net, "fc1", x, 32));
    y = layer(net, "fc3", nn_relu(net, layer(net, "fc2", y, 32)), 3);
    if (argc > 1) nn_load_weights(net, argv[1], NULL);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = 1});
    for (int i = 0; i < 8; i++) features[i] = (float)i / 8.0f;
    nn_upload(plan, x, features, sizeof features);
    nn_run(plan);
    nn_download(plan, y, scores, sizeof scores);
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
