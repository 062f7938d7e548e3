/* test_recurrent.c - lstm, gru and rnn beyond their values, which stand in the catalogue:
   mistakes in words, outputs, lengths that are wrong, parameters that are frozen, and the same bytes
   for any number of threads. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

typedef struct text {
    char buffer[2000];
    size_t length;
} text;

static void append(void *user, const char *from, size_t length) {
    text *to = (text *)user;
    if (length > sizeof to->buffer - 1 - to->length) length = sizeof to->buffer - 1 - to->length;
    memcpy(to->buffer + to->length, from, length);
    to->length += length;
}

/* Describes one faulty layer in a model of its own; its fault must contain the words. */
#define FAULT(call, words)                                                                         \
    do {                                                                                           \
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});                        \
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 3)),                   \
                *row = nn_input(net, "row", NN_F32, NN_SHAPE(NN_BATCH, 3)),                        \
                *states = nn_input(net, "states", NN_F32, NN_SHAPE(2, NN_BATCH, 4));               \
        text said = {{0}, 0};                                                                      \
        (void)x, (void)row, (void)states;                                                          \
        nn_node *y = (call);                                                                       \
        ENSURE(y != NULL && nn_fault_count(net) == 1);                                             \
        nn_relu(net, y), nn_output(y, 1);                                                          \
        ENSURE(nn_fault_count(net) == 1); /* no cascade */                                         \
        nn_write_faults(net, (nn_writer){append, &said});                                          \
        if (!strstr(said.buffer, words))                                                           \
            test_fail(__FILE__, __LINE__, "\"%s\" is not in \"%s\"", words, said.buffer);          \
        nn_free_model(net);                                                                        \
        nn_clear_error(nn);                                                                        \
    } while (0)

static void mistakes_in_words(void) {
    nn_context *nn = nn_open(NULL);
    FAULT(nn_lstm(net, "r", x, NULL), "desc is NULL");
    FAULT(nn_lstm(net, "r", x, &(nn_lstm_desc){.layers = 2}), "hidden_size is 0");
    FAULT(nn_gru(net, "r", x, &(nn_gru_desc){.hidden_size = 4, .layers = 65}),
          "layers is 65; it must be 1 to 64");
    FAULT(nn_lstm(net, "r", x, &(nn_lstm_desc){.hidden_size = 4, .proj_size = 4}),
          "proj_size is 4; it must be less than hidden_size, 4");
    FAULT(nn_lstm(net, "r", x, &(nn_lstm_desc){.hidden_size = 4, .dropout = 1.5f}),
          "dropout is 1.5; it must be between 0 and 1");
    FAULT(nn_rnn(net, "r", x,
                 &(nn_rnn_desc){.hidden_size = 4, .nonlinearity = NN_ACTIVATION_GELU}),
          "it must be NN_ACTIVATION_TANH or NN_ACTIVATION_RELU");
    FAULT(nn_lstm(net, "r", row, &(nn_lstm_desc){.hidden_size = 4}),
          "\"row\" is (batch, 3); lstm wants (N, T, C), the batch first");
    FAULT(nn_gru(net, "r", x, &(nn_gru_desc){.hidden_size = 4, .input_size = 5}),
          "input_size is 5, but \"x\" (batch, time, 3) has 3 features");
    FAULT(nn_lstm(net, "r", x, &(nn_lstm_desc){.hidden_size = 4, .h_0 = states}),
          "h_0 has the shape (2, batch, 4); wanted (1, batch, 4)");
    FAULT(nn_lstm(net, "r", x, &(nn_lstm_desc){.hidden_size = 4, .lengths = row}),
          "lengths is f32; lstm wants i32");
    FAULT(nn_lstm(net, "r", NULL, &(nn_lstm_desc){.hidden_size = 4}), "input is NULL");
    nn_close(nn);
}

static void outputs_have_numbers(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 3));
    nn_node *y = nn_lstm(net, "a", x,
                         &(nn_lstm_desc){.hidden_size = 4, .layers = 2, .bidirectional = true,
                                         .proj_size = 2});
    nn_shape shape = nn_node_shape(y);
    ENSURE(shape.rank == 3 && shape.extent[1] == NN_TIME && shape.extent[2] == 4);
    ENSURE(nn_output(y, 0) == y);
    shape = nn_node_shape(nn_output(y, 1));
    ENSURE(shape.rank == 3 && shape.extent[0] == 4 && shape.extent[1] == NN_BATCH &&
           shape.extent[2] == 2);
    shape = nn_node_shape(nn_output(y, 2));
    ENSURE(shape.rank == 3 && shape.extent[0] == 4 && shape.extent[2] == 4);
    y = nn_gru(net, "b", x, &(nn_gru_desc){.hidden_size = 4});
    ENSURE(nn_node_shape(nn_output(y, 1)).extent[0] == 1 && nn_fault_count(net) == 0);
    nn_output(y, 2); /* a gru has no cells, and what its gradient keeps is nobody's */
    ENSURE(nn_fault_count(net) == 1);
    nn_output(y, -1);
    ENSURE(nn_fault_count(net) == 2);
    nn_free_model(net);
    nn_clear_error(nn);
    nn_close(nn);
}

/* pack_padded_sequence refuses lengths beyond the sequence; here a step finds them. */
static void wrong_lengths_are_faults(void) {
    static const int32_t lengths[][3] = {{3, 2, 1}, {0, 3, 0}, {3, 4, 1}, {3, 1, -1}};
    static const float numbers[3 * 3 * 2] = {1, 2, 3, -1, -2, 0.5f};
    nn_context *nn = nn_open(&(nn_desc){.threads = 2});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 2)),
            *steps = nn_input(net, "steps", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *y = nn_gru(net, "r", x, &(nn_gru_desc){.hidden_size = 4, .lengths = steps});
    nn_trainer *trainer = nn_make_trainer(
        net, nn_mean(net, y), &(nn_trainer_desc){.batch = 3, .learning_rate = 0.1f});
    for (int i = 0; i < 4; i++) {
        nn_upload(nn_trainer_plan(trainer), x, numbers, sizeof numbers);
        nn_upload(nn_trainer_plan(trainer), steps, lengths[i], sizeof lengths[i]);
        nn_result result = nn_step(trainer);
        if (result == NN_OK) { /* or it is found when the loss is read */
            float loss;
            result = nn_read_loss(trainer, &loss);
        }
        ENSURE(i < 2 ? result == NN_OK : result == NN_ERROR_LABEL);
        ENSURE(i < 2 || strstr(nn_error(nn), "a length is out of range: \"r_l0\" wants those in "
                                             "\"steps\" in [0, 3]"));
        nn_clear_fault(trainer);
        nn_clear_error(nn);
    }
    nn_close(nn);
}

/* A wrong length beside good labels must not read as if the labels were wrong. */
static void wrong_lengths_beside_labels(void) {
    static const int32_t steps[2] = {2, 5}, labels[2] = {1, 0};
    static const float numbers[2 * 4 * 3] = {1, -1, 2};
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 3)),
            *lengths = nn_input(net, "lengths", NN_I32, NN_SHAPE(NN_BATCH)),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *y = nn_lstm(net, "r", x, &(nn_lstm_desc){.hidden_size = 4, .lengths = lengths});
    nn_node *loss = nn_cross_entropy(net, nn_sum(net, y, NN_AXES(1)), label, NULL);
    nn_plan *plan =
        nn_make_plan(net, &(nn_plan_desc){.outputs = {loss}, .batch = 2, .time = 9});
    nn_set_time(plan, 4); /* shorter than planned: a length of 5 fits the plan, not the run */
    ENSURE(nn_upload(plan, x, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_upload(plan, lengths, steps, sizeof steps) == NN_OK);
    ENSURE(nn_upload(plan, label, labels, sizeof labels) == NN_OK);
    float value;
    nn_result result = nn_run(plan);
    if (result == NN_OK) result = nn_download(plan, loss, &value, sizeof value);
    ENSURE(result == NN_ERROR_LABEL);
    ENSURE(strstr(nn_error(nn), "\"lengths\" in [0, 4]; or it is of another operation"));
    nn_clear_error(nn);
    nn_close(nn);
}

enum { SAMPLES = 37, WIDE = 9, LONG = 6 };

/* Training; returns the parameters, one behind the other. frozen: a name. */
static int train(int threads, int kind, int training, const char *frozen, float *parameters) {
    static float numbers[SAMPLES * LONG * 5];
    int32_t lengths[SAMPLES];
    nn_context *nn = nn_open(&(nn_desc){.threads = threads});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 5});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 5)),
            *steps = nn_input(net, "steps", NN_I32, NN_SHAPE(NN_BATCH)), *y;
    int count = 0;
    if (kind == 0)
        y = nn_lstm(net, "r", x,
                    &(nn_lstm_desc){.hidden_size = WIDE, .bidirectional = true, .lengths = steps});
    else if (kind == 1)
        y = nn_gru(net, "r", x, &(nn_gru_desc){.hidden_size = WIDE, .lengths = steps});
    else
        y = nn_lstm(net, "r", x,
                    &(nn_lstm_desc){.hidden_size = WIDE, .proj_size = 4, .lengths = steps});
    bool fine = !frozen || nn_freeze(net, frozen, true) == NN_OK;
    nn_trainer *trainer =
        nn_make_trainer(net, nn_mean(net, nn_square(net, y)),
                        &(nn_trainer_desc){.batch = SAMPLES, .time = LONG, .learning_rate = 0.5f});
    for (int i = 0; i < SAMPLES * LONG * 5; i++) numbers[i] = (float)(i * 37 % 101) / 50 - 1;
    for (int i = 0; i < SAMPLES; i++) lengths[i] = i % (LONG + 1);
    nn_upload(nn_trainer_plan(trainer), x, numbers, sizeof numbers);
    nn_upload(nn_trainer_plan(trainer), steps, lengths, sizeof lengths);
    for (int i = 0; i < training; i++) fine = fine && nn_step(trainer) == NN_OK;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const int64_t elements = nn_shape_count(nn_tensor_shape(tensor));
        nn_download_tensor(tensor, parameters + count, sizeof(float) * (size_t)elements);
        count += (int)elements;
    }
    if (!fine || nn_error(nn)) test_fail(__FILE__, __LINE__, "the training fails");
    nn_close(nn);
    return count;
}

static void bytes_do_not_depend_on_threads(void) {
    static float one[4000], many[4000];
    for (int kind = 0; kind < 3; kind++) {
        const int count = train(1, kind, 3, NULL, one);
        for (int threads = 2; threads <= 5; threads += 3) {
            ENSURE(train(threads, kind, 3, NULL, many) == count);
            ENSURE(memcmp(one, many, sizeof(float) * (size_t)count) == 0);
        }
    }
}

/* The kernel leaves out gradients that nobody wants; the first step of the others stays the same,
   and what is frozen keeps its bytes. */
static void frozen_parameters_stay(void) {
    static const char *const names[] = {"r.weight_hh_l0", "r.weight_ih_l0", "r.bias_hh_l0",
                                        "r.weight_hr_l0"};
    static float start[4000], all[4000], some[4000];
    for (int kind = 1; kind < 3; kind++) {
        const int count = train(1, kind, 0, NULL, start);
        ENSURE(train(1, kind, 1, NULL, all) == count);
        for (int i = 0; i < (kind == 1 ? 3 : 4); i++) {
            int stayed = 0;
            ENSURE(train(1, kind, 1, names[i], some) == count);
            for (int k = 0; k < count; k++) {
                ENSURE(some[k] == all[k] || some[k] == start[k]);
                stayed += some[k] != all[k];
            }
            ENSURE(stayed > 0 && stayed < count);
        }
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(mistakes_in_words);
    RUN(outputs_have_numbers);
    RUN(wrong_lengths_are_faults);
    RUN(wrong_lengths_beside_labels);
    RUN(bytes_do_not_depend_on_threads);
    RUN(frozen_parameters_stay);
    return test_report();
}
