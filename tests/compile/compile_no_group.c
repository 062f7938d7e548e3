/* compile_no_group.c - a program without nn_group.h that asks for what that header provides. Each
   time an error must name the field and the fix, and nothing is made. */
#define NN_STATIC
#include "nn.h"

#include <string.h>

static nn_context *nn;
static nn_model *net;
static nn_node *loss;

static int says(const char *field) {
    const char *error = nn_error(nn);
    int right = error && strstr(error, field) &&
                strstr(error, "nn_group.h is not part of this program: include it where "
                              "NN_IMPLEMENTATION is defined");
    nn_clear_error(nn);
    return right;
}

static int refuses(const char *field, const nn_trainer_desc *desc) {
    return nn_make_trainer(net, loss, desc) == NULL && says(field);
}

int main(void) {
    nn_trainer_desc desc;
    nn_loader_desc loader;
    float x[2] = {1.0f, 2.0f};
    nn_dataset_desc data;
    int right;
    memset(&desc, 0, sizeof desc);
    memset(&loader, 0, sizeof loader);
    memset(&data, 0, sizeof data);
    nn = nn_open(NULL);
    net = nn_make_model(nn, NULL);
    loss = nn_mean(net, nn_linear(net, "fc", nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1)),
                                  &(nn_linear_desc){.out_features = 1}),
                   NN_ALL_AXES);
    desc.shards = 2;
    right = refuses(".shards", &desc);
    desc.shards = 0;
    desc.devices = NN_DEVICES(nn_cpu());
    right = refuses(".devices", &desc) && right;
    memset(&desc, 0, sizeof desc);
    desc.group = (nn_group *)(void *)x; /* no group can exist, so the library must not read this
                                           address */
    right = refuses(".group", &desc) && right;
    data.count = 2;
    data.fields = NN_FIELDS({.name = "x", .data = x, .shape = NN_SHAPE(1)}); /* tcc: shape last */
    loader.dataset = nn_make_dataset(nn, &data);
    loader.group = desc.group;
    right = nn_make_loader(nn, &loader) == NULL && says(".group") && right;
    memset(&desc, 0, sizeof desc);
    desc.shards = 1;
    right = nn_make_trainer(net, loss, &desc) != NULL && nn_error(nn) == NULL && right;
    nn_close(nn);
    return !right;
}
