/* test_lists.c - lists of descs have any length: a hundred outputs, metrics, parameters and fields.
   A damaged list is an error that names it, and nothing is made. */
#include "nn.h"
#include "nn_quantize.h"
#include "test.h"

enum { MANY = 100 };

static bool says(nn_context *nn, const char *text) {
    const char *error = nn_error(nn);
    const bool found = error && strstr(error, text);
    if (!found) printf("     wanted \"%s\" in: %s\n", text, error ? error : "(no error)");
    nn_clear_error(nn);
    return found;
}

static void a_hundred_outputs(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)), *outputs[MANY];
    const float in[6] = {1, 2, 3, 4, 5, 6};
    for (int i = 0; i < MANY; i++) outputs[i] = nn_scale(net, x, (float)i);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = {outputs, MANY}, .batch = 2});
    memset(outputs + 1, 0, sizeof(nn_node *) * 50); /* the plan has copied its list */
    ENSURE(plan && nn_upload(plan, x, in, sizeof in) == NN_OK && nn_run(plan) == NN_OK);
    for (int i = 51; i < MANY; i++) {
        float y[6] = {0};
        ENSURE(nn_download(plan, outputs[i], y, sizeof y) == NN_OK);
        for (int k = 0; k < 6; k++) ENSURE(y[k] == in[k] * (float)i);
    }
    nn_close(nn);
}

/* Trains with a hundred fields, each of which is an input, a hundred parameters, of which fifty are
   trained, and a hundred metrics. */
static void a_hundred_of_each(void) {
    static char names[MANY][8], weights[MANY][16];
    static float data[MANY][4];
    nn_field fields[MANY] = {{0}};
    const char *trained[MANY / 2];
    nn_node *metrics[MANY], *loss = NULL;
    double values[MANY];
    nn_report report;
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "x%d", i);
        snprintf(weights[i], sizeof weights[i], "w%d", i);
        for (int k = 0; k < 4; k++) data[i][k] = (float)(i + k);
        fields[i].name = names[i];
        fields[i].data = data[i];
        if (i < MANY / 2) trained[i] = weights[i];
        nn_node *x = nn_input(net, names[i], NN_F32, NN_SHAPE(NN_BATCH));
        nn_node *w = nn_parameter(net, weights[i], NN_SHAPE(1), 1, 1);
        metrics[i] = nn_mean(net, x);
        nn_node *term = nn_mean(net, nn_multiply(net, x, w));
        loss = loss ? nn_add(net, loss, term) : term;
    }
    nn_dataset *dataset =
        nn_make_dataset(nn, &(nn_dataset_desc){.fields = {fields, MANY}, .count = 4});
    nn_loader *loader = nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = 2});
    nn_trainer *trainer = nn_make_trainer(net, loss,
                                          &(nn_trainer_desc){.batch = 2,
                                                             .metrics = {metrics, MANY},
                                                             .parameters = {trained, MANY / 2},
                                                             .learning_rate = 0.5f});
    ENSURE(trainer && nn_next_batch(loader) && nn_train_step(trainer, loader) == NN_OK);
    for (int i = 0; i < MANY; i++) {
        const float w = *(float *)nn_tensor_data(nn_find_tensor(net, weights[i]));
        ENSURE(w == (i < MANY / 2 ? 1 - 0.5f * ((float)i + 0.5f) : 1));
    }
    ENSURE(nn_next_batch(loader) && nn_train_step(trainer, loader) == NN_OK);
    ENSURE(nn_read_report(trainer, &report) == NN_OK);
    ENSURE(nn_read_metrics(trainer, values, MANY) == NN_OK);
    for (int i = 0; i < MANY; i++) ENSURE_CLOSE(values[i], i + 1.5, 1e-6);
    for (int i = 0; i < NN_REPORT_METRICS; i++) ENSURE(report.metrics[i] == values[i]);
    ENSURE(nn_evaluate(trainer, loader, &report) == NN_OK);
    ENSURE(nn_read_metrics(trainer, values, MANY) == NN_OK);
    for (int i = 0; i < MANY; i++) ENSURE_CLOSE(values[i], i + 1.5, 1e-6);
    ENSURE(!nn_error(nn));
    ENSURE(nn_read_metrics(trainer, values, 8) == NN_ERROR_ARGUMENT &&
           says(nn, "the trainer has 100 metrics"));
    nn_close(nn);
}

static void damaged_lists(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *two[2] = {nn_relu(net, x), NULL}, *loss = nn_mean(net, nn_linear(net, "fc", x, &(nn_linear_desc){.out_features = 1}));
    ENSURE(!nn_make_plan(net, &(nn_plan_desc){.batch = 1}) && says(nn, "no outputs"));
    ENSURE(!nn_make_plan(net, &(nn_plan_desc){.outputs = {two, 2}}) &&
           says(nn, "outputs[1] of 2 is NULL"));
    ENSURE(!nn_make_plan(net, &(nn_plan_desc){.outputs = {two, -1}}) &&
           says(nn, "outputs is a list of -1 elements"));
    ENSURE(!nn_make_plan(net, &(nn_plan_desc){.outputs = {NULL, 3}}) &&
           says(nn, "outputs is a list of 3 elements"));
    ENSURE(!nn_make_trainer(net, loss, &(nn_trainer_desc){.metrics = {two, 2}}) &&
           says(nn, "metrics[1] of 2 is NULL"));
    ENSURE(!nn_make_trainer(net, loss, &(nn_trainer_desc){.parameters = NN_TEXTS("fc.", NULL)}) &&
           says(nn, "parameters[1] of 2 is NULL"));
    ENSURE(!nn_make_trainer(net, loss, &(nn_trainer_desc){.groups = {NULL, 1}}) &&
           says(nn, "groups is a list of 1 elements"));
    ENSURE(!nn_make_dataset(nn, &(nn_dataset_desc){.fields = NN_FIELDS({.name = NULL}), .count = 1}) &&
           says(nn, "fields[0].name is NULL"));
    ENSURE(nn_quantize(net, &(nn_quantize_desc){.skip = {NULL, 2}}) == NN_ERROR_ARGUMENT &&
           says(nn, "skip is a list of 2 elements"));
    ENSURE(nn_load_weights(net, "build/none", &(nn_load_weights_desc){.renames = NN_RENAMES({NULL, "x"})}) != NN_OK);
    nn_clear_error(nn);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(a_hundred_outputs);
    RUN(a_hundred_of_each);
    RUN(damaged_lists);
    return test_report();
}
