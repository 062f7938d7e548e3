/* test_recurrent.c - lstm, gru and rnn except for their values, which are in the catalogue: error
   texts, outputs, wrong lengths, frozen parameters, the same bytes for any number of threads, and
   immediate calls compared with the builder (NN_FULL=1: on OpenCL too). */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_sequence.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "open.h"

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
    FAULT(nn_gru(net, "r", x, NULL), "desc is NULL");
    FAULT(nn_rnn(net, "r", x, NULL), "desc is NULL");
    FAULT(nn_lstm_cell(net, "r", row, NULL), "desc is NULL");
    FAULT(nn_gru_cell(net, "r", row, NULL), "desc is NULL");
    FAULT(nn_rnn_cell(net, "r", row, NULL), "desc is NULL");
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
    nn_output(y, 2); /* a gru has no cells, and the values that its gradient keeps are not
                        outputs */
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
        nn_result result = nn_train_on_inputs(trainer);
        if (result == NN_OK) { /* or it is found when the loss is read */
            float loss;
            result = nn_read_loss(trainer, &loss);
        }
        ENSURE(i < 2 ? result == NN_OK : result == NN_ERROR_LABEL);
        ENSURE(i < 2 || strstr(nn_error(nn), "a length is out of range: \"r_l0\" wants those of "
                                             "\"steps\" to be in [0, 3]"));
        nn_clear_fault(trainer);
        nn_clear_error(nn);
    }
    nn_close(nn);
}

/* A wrong length with good labels must not be reported as a wrong label. */
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
        nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(loss), .batch = 2, .time = 9});
    nn_set_time(plan, 4); /* shorter than planned: a length of 5 fits the plan but not the run */
    ENSURE(nn_upload(plan, x, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_upload(plan, lengths, steps, sizeof steps) == NN_OK);
    ENSURE(nn_upload(plan, label, labels, sizeof labels) == NN_OK);
    float value;
    nn_result result = nn_run(plan);
    if (result == NN_OK) result = nn_download(plan, loss, &value, sizeof value);
    ENSURE(result == NN_ERROR_LABEL);
    ENSURE(strstr(nn_error(nn), "\"lengths\" to be in [0, 4]; or a label or length of another"));
    nn_clear_error(nn);
    nn_close(nn);
}

enum { SAMPLES = 37, WIDE = 9, LONG = 6 };

/* Trains and returns the concatenated parameters. frozen: a name. */
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
    for (int i = 0; i < training; i++) fine = fine && nn_train_on_inputs(trainer) == NN_OK;
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

/* The kernel skips gradients that nobody needs. The first step of the others stays the same, and
   frozen parameters keep their bytes. */
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

/* A layer with both first states and a linear layer with a bias after it are one step with nine
   inputs, more than any operation of a net has. It computes the same as the separate steps. */
static void a_joined_step_with_all_inputs(void) {
    enum { T = 5, IN = 3, HIDE = 6, OUT = 4 };
    float x[T * IN], first[2][HIDE], y[2][T * OUT];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 3});
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, T, IN));
    nn_node *h = nn_input(net, "h", NN_F32, NN_SHAPE(1, NN_BATCH, HIDE));
    nn_node *c = nn_input(net, "c", NN_F32, NN_SHAPE(1, NN_BATCH, HIDE));
    nn_node *r = nn_lstm(net, "r", in, &(nn_lstm_desc){.hidden_size = HIDE, .h_0 = h, .c_0 = c});
    nn_node *out = nn_linear(net, "out", r, &(nn_linear_desc){.out_features = OUT});
    for (int i = 0; i < T * IN; i++) x[i] = (float)(i * 7 % 11) * 0.1f - 0.5f;
    for (int i = 0; i < 2 * HIDE; i++) first[i / HIDE][i % HIDE] = (float)(i % 5) * 0.2f - 0.3f;
    for (int separate = 0; separate < 2; separate++) {
        nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out), .batch = 1,
                                                          .separate_steps = separate == 1});
        int joined = 0;
        nn_start_profile(plan);
        nn_upload(plan, in, x, sizeof x);
        nn_upload(plan, h, first[0], sizeof first[0]);
        nn_upload(plan, c, first[1], sizeof first[1]);
        ENSURE(nn_run(plan) == NN_OK && nn_download(plan, out, y[separate], sizeof y[0]) == NN_OK);
        for (int i = 0; i < nn_profile_count(plan); i++)
            joined += strcmp(nn_profile_at(plan, i).operation, "recurrent_whole") == 0;
        ENSURE(joined == (separate ? 0 : 1));
    }
    for (int i = 0; i < T * OUT; i++) ENSURE_CLOSE((double)y[0][i], (double)y[1][i], 1e-5);
    ENSURE(y[0][0] * y[0][0] > 1e-6f);
    nn_close(nn);
}

/* ---- immediate calls beside the builder ------------------------------------------------------ */

enum { CALL_N = 3, CALL_T = 4, CALL_C = 3, CALL_H = 4, CALL_P = 2, CALL_NUMBERS = 4096 };
/* lstm, lstm with a projection, gru, rnn, rnn with relu */
typedef enum call_kind { CALL_LSTM, CALL_PROJECTED, CALL_GRU, CALL_RNN, CALL_RELU } call_kind;

static float call_numbers[CALL_NUMBERS];

static nn_tensor *made(nn_context *nn, nn_device device, nn_dtype dtype, nn_shape shape) {
    return nn_make_tensor(
        nn, &(nn_tensor_desc){.name = "t", .dtype = dtype, .shape = shape, .device = device});
}
/* Returns the model's parameter "r.part_l0" or "r.part_l0_reverse", or the one called `part`. */
static nn_tensor *found(nn_model *net, const char *part, int direction) {
    char name[64];
    snprintf(name, sizeof name, "r.%s_l0%s", part, direction ? "_reverse" : "");
    nn_tensor *tensor = nn_find_tensor(net, name);
    return tensor ? tensor : nn_find_tensor(net, part);
}
/* Compares half `half` of y (N, T, 2 P), the output of one direction. */
static void compare_half(const nn_tensor *y, const float *wanted, int half, int P, int row) {
    static float numbers[CALL_NUMBERS];
    nn_download_tensor(y, numbers, (size_t)nn_tensor_bytes(y));
    for (int i = 0; i < CALL_N * row * P; i++)
        ENSURE_CLOSE((double)numbers[i], (double)wanted[(i / P * 2 + half) * P + i % P], 1e-6);
}
static void compare(const nn_tensor *t, const float *wanted) {
    static float numbers[CALL_NUMBERS];
    nn_download_tensor(t, numbers, (size_t)nn_tensor_bytes(t));
    for (int i = 0; i < (int)nn_tensor_bytes(t) / 4; i++)
        ENSURE_CLOSE((double)numbers[i], (double)wanted[i], 1e-5);
}

static nn_result forward(call_kind kind, const nn_recurrent_results *to, const nn_tensor *x,
                         const nn_recurrent_tensors *with) {
    return kind <= CALL_PROJECTED ? nn_lstm_forward(to, x, with)
           : kind == CALL_GRU     ? nn_gru_forward(to, x, with)
                                  : nn_rnn_forward(to, x, with);
}
static nn_result backward(call_kind kind, const nn_recurrent_gradients *to,
                          const nn_recurrent_slopes *from, const nn_recurrent_results *of,
                          const nn_tensor *x, const nn_recurrent_tensors *with) {
    return kind <= CALL_PROJECTED ? nn_lstm_backward(to, from, of, x, with)
           : kind == CALL_GRU     ? nn_gru_backward(to, from, of, x, with)
                                  : nn_rnn_backward(to, from, of, x, with);
}

/* Returns the sum of all numbers of y, each multiplied by one of the input *by. */
static nn_node *weighted(nn_model *net, nn_node *y, const char *name, nn_node **by) {
    *by = nn_input(net, name, NN_F32, nn_node_shape(y));
    return nn_sum(net, nn_multiply(net, y, *by));
}

/* Compares a layer in both directions with immediate calls, one per direction. x, h_0 and c_0 are
   parameters, so that the trainer has their gradients. */
static void check_calls(nn_context *nn, nn_device device, call_kind kind, bool lengths) {
    static const int32_t steps[CALL_N] = {2, CALL_T, 0};
    const bool lstm = kind <= CALL_PROJECTED, biases = kind != CALL_RNN;
    const int P = kind == CALL_PROJECTED ? CALL_P : CALL_H,
              R = kind == CALL_LSTM ? 5 : kind == CALL_PROJECTED ? 6 : 4;
    static float y[CALL_NUMBERS], h_n[CALL_NUMBERS], c_n[CALL_NUMBERS], wanted[CALL_NUMBERS];
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .device = device, .seed = 7});
    nn_node *x = nn_parameter(net, "x", NN_SHAPE(CALL_N, CALL_T, CALL_C), -1, 1),
            *h = nn_parameter(net, "h_0", NN_SHAPE(2, CALL_N, P), -1, 1),
            *c = lstm ? nn_parameter(net, "c_0", NN_SHAPE(2, CALL_N, CALL_H), -1, 1) : NULL,
            *counts = lengths ? nn_input(net, "counts", NN_I32, NN_SHAPE(CALL_N)) : NULL, *node;
    if (lstm)
        node = nn_lstm(net, "r", x,
                       &(nn_lstm_desc){.hidden_size = CALL_H, .bidirectional = true,
                                       .proj_size = P < CALL_H ? P : 0, .lengths = counts,
                                       .h_0 = h, .c_0 = c});
    else if (kind == CALL_GRU)
        node = nn_gru(net, "r", x,
                      &(nn_gru_desc){.hidden_size = CALL_H, .bidirectional = true,
                                     .lengths = counts, .h_0 = h});
    else
        node = nn_rnn(net, "r", x,
                      &(nn_rnn_desc){.hidden_size = CALL_H, .bidirectional = true,
                                     .lengths = counts, .h_0 = h, .no_bias = !biases,
                                     .nonlinearity = kind == CALL_RELU ? NN_ACTIVATION_RELU
                                                                       : NN_ACTIVATION_TANH});
    nn_node *by[3], *loss = weighted(net, node, "by_y", &by[0]);
    loss = nn_add(net, loss, weighted(net, nn_output(node, 1), "by_h", &by[1]));
    if (lstm) loss = nn_add(net, loss, weighted(net, nn_output(node, 2), "by_c", &by[2]));
    nn_keep(node), nn_keep(nn_output(node, 1));
    if (lstm) nn_keep(nn_output(node, 2));
    nn_trainer *trainer =
        nn_make_trainer(net, loss, &(nn_trainer_desc){.batch = 1, .learning_rate = 1,
                                                      .gradients = true});
    nn_plan *plan = nn_trainer_plan(trainer);
    const size_t y_bytes = sizeof(float) * CALL_N * CALL_T * 2 * (size_t)P,
                 h_bytes = sizeof(float) * 2 * CALL_N * (size_t)P,
                 c_bytes = sizeof(float) * 2 * CALL_N * CALL_H;
    nn_upload(plan, by[0], call_numbers, y_bytes);
    nn_upload(plan, by[1], call_numbers + 900, h_bytes);
    if (lstm) nn_upload(plan, by[2], call_numbers + 1500, c_bytes);
    if (lengths) nn_upload(plan, counts, steps, sizeof steps);
    ENSURE(nn_backward(trainer) == NN_OK);
    nn_download(plan, node, y, y_bytes);
    nn_download(plan, nn_output(node, 1), h_n, h_bytes);
    if (lstm) nn_download(plan, nn_output(node, 2), c_n, c_bytes);

    nn_tensor *dx = made(nn, device, NN_F32, NN_SHAPE(CALL_N, CALL_T, CALL_C));
    nn_tensor *count = made(nn, device, NN_I32, NN_SHAPE(CALL_N));
    nn_upload_tensor(count, steps, sizeof steps);
    for (int d = 0; d < 2; d++) {
        static const char *const parts[] = {"weight_ih", "weight_hh", "bias_ih", "bias_hh",
                                            "weight_hr"};
        nn_tensor *state[4], *slope[5] = {NULL}, *first[2], *half;
        nn_recurrent_tensors with = {
            .weight_ih = found(net, "weight_ih", d), .weight_hh = found(net, "weight_hh", d),
            .bias_ih = biases ? found(net, "bias_ih", d) : NULL,
            .bias_hh = biases ? found(net, "bias_hh", d) : NULL,
            .weight_hr = P < CALL_H ? found(net, "weight_hr", d) : NULL,
            .lengths = lengths ? count : NULL, .reverse = d > 0,
            .nonlinearity = kind == CALL_RELU ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE};
        for (int i = 0; i < 4; i++) { /* h_0, c_0 of this direction, and slopes of h_n, c_n */
            const int wide = i % 2 ? CALL_H : P;
            state[i] = made(nn, device, NN_F32, NN_SHAPE(1, CALL_N, wide));
            if (i < 2 && (i == 0 || lstm))
                nn_download_tensor(nn_find_tensor(net, i ? "c_0" : "h_0"), wanted,
                                   i ? c_bytes : h_bytes);
            nn_upload_tensor(state[i], (i < 2 ? wanted : call_numbers + 300 + 600 * (i - 1)) +
                                           d * CALL_N * wide,
                             sizeof(float) * CALL_N * (size_t)wide);
        }
        with.h_0 = state[0], with.c_0 = lstm ? state[1] : NULL;
        nn_recurrent_results to = {.y = made(nn, device, NN_F32, NN_SHAPE(CALL_N, CALL_T, P)),
                                   .h_n = made(nn, device, NN_F32, NN_SHAPE(1, CALL_N, P))};
        if (lstm) to.c_n = made(nn, device, NN_F32, NN_SHAPE(1, CALL_N, CALL_H));
        if (kind <= CALL_GRU)
            to.reserve = made(nn, device, NN_F32, NN_SHAPE(R, CALL_N, CALL_T, CALL_H));
        ENSURE(forward(kind, &to, nn_find_tensor(net, "x"), &with) == NN_OK);
        compare_half(to.y, y, d, P, CALL_T);
        compare(to.h_n, h_n + d * CALL_N * P);
        if (lstm) compare(to.c_n, c_n + d * CALL_N * CALL_H);

        half = made(nn, device, NN_F32, NN_SHAPE(CALL_N, CALL_T, P));
        for (int i = 0; i < CALL_N * CALL_T * P; i++)
            wanted[i] = call_numbers[(i / P * 2 + d) * P + i % P];
        nn_upload_tensor(half, wanted, (size_t)nn_tensor_bytes(half));
        for (int i = 0; i < 5; i++) {
            const nn_tensor *like = i == 0   ? with.weight_ih
                                    : i == 1 ? with.weight_hh
                                    : i == 2 ? with.bias_ih
                                    : i == 3 ? with.bias_hh
                                             : with.weight_hr;
            if (like) slope[i] = made(nn, device, NN_F32, nn_tensor_shape(like));
        }
        for (int i = 0; i < 2; i++)
            first[i] = made(nn, device, NN_F32, NN_SHAPE(1, CALL_N, i ? CALL_H : P));
        const nn_recurrent_slopes from = {half, state[2], lstm ? state[3] : NULL};
        const nn_recurrent_gradients others = {
            NULL,     slope[0], slope[1], slope[2], slope[3], slope[4],
            first[0], lstm ? first[1] : NULL,       false};
        nn_recurrent_gradients of_x = {.dx = dx, .accumulate = d > 0};
        ENSURE(backward(kind, &others, &from, &to, nn_find_tensor(net, "x"), &with) == NN_OK);
        ENSURE(backward(kind, &of_x, &from, &to, nn_find_tensor(net, "x"), &with) == NN_OK);
        for (int i = 0; i < 5; i++) {
            if (!slope[i]) continue;
            ENSURE(nn_read_gradient(trainer, nn_tensor_name(found(net, parts[i], d)), wanted,
                                    (size_t)nn_tensor_bytes(slope[i])) == NN_OK);
            compare(slope[i], wanted);
        }
        ENSURE(nn_read_gradient(trainer, "h_0", wanted, h_bytes) == NN_OK);
        compare(first[0], wanted + d * CALL_N * P);
        if (lstm) ENSURE(nn_read_gradient(trainer, "c_0", wanted, c_bytes) == NN_OK);
        if (lstm) compare(first[1], wanted + d * CALL_N * CALL_H);
        for (int i = 0; lstm && i < 2; i++) { /* a slope that is not given is 0 */
            static const float zeros[CALL_NUMBERS];
            static float by_zeros[2][CALL_NUMBERS];
            nn_tensor *none = made(nn, device, NN_F32, nn_tensor_shape(state[2 + i]));
            nn_recurrent_slopes given = from, without = from;
            nn_upload_tensor(none, zeros, (size_t)nn_tensor_bytes(none));
            *(i ? &given.dc_n : &given.dh_n) = none;
            *(i ? &without.dc_n : &without.dh_n) = NULL;
            ENSURE(backward(kind, &others, &given, &to, nn_find_tensor(net, "x"), &with) == NN_OK);
            for (int k = 0; k < 2; k++)
                nn_download_tensor(first[k], by_zeros[k], (size_t)nn_tensor_bytes(first[k]));
            /* the next call begins with these numbers in memory */
            ENSURE(backward(kind, &others, &from, &to, nn_find_tensor(net, "x"), &with) == NN_OK);
            ENSURE(backward(kind, &others, &without, &to, nn_find_tensor(net, "x"), &with) ==
                   NN_OK);
            for (int k = 0; k < 2; k++) compare(first[k], by_zeros[k]);
        }
    }
    ENSURE(nn_read_gradient(trainer, "x", wanted, (size_t)nn_tensor_bytes(dx)) == NN_OK);
    compare(dx, wanted);
    ENSURE(nn_error(nn) == NULL);
    if (nn_error(nn)) printf("%s\n", nn_error(nn));
}

static void calls_on(nn_context *nn, nn_device device) {
    for (int i = 0; i < CALL_NUMBERS; i++) call_numbers[i] = (float)(i * 67 % 127) / 64 - 1;
    for (int kind = CALL_LSTM; kind <= CALL_RELU; kind++)
        for (int lengths = 0; lengths < 2; lengths++)
            check_calls(nn, device, (call_kind)kind, lengths > 0);
}
static void calls_do_what_builders_describe(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 2});
    calls_on(nn, nn_cpu());
    nn_close(nn);
}
static void calls_on_opencl(void) {
#ifdef NN_TEST_OPENCL
    if (!getenv("NN_FULL")) SKIP("NN_FULL=1 runs it");
    nn_context *nn = nn_open(NULL);
    if (OPEN_OPENCL(nn)) calls_on(nn, nn_opencl(0));
    nn_close(nn);
#else
    SKIP("built without OpenCL");
#endif
}

/* Calls that are refused with a message; y does not change. */
static void wrong_calls(void) {
    static const int32_t steps[2] = {2, 4};
    nn_context *nn = nn_open(NULL);
    nn_tensor *x = made(nn, nn_cpu(), NN_F32, NN_SHAPE(2, 3, 2)),
              *ih = made(nn, nn_cpu(), NN_F32, NN_SHAPE(12, 2)),
              *hh = made(nn, nn_cpu(), NN_F32, NN_SHAPE(12, 3)),
              *y = made(nn, nn_cpu(), NN_F32, NN_SHAPE(2, 3, 3)),
              *state = made(nn, nn_cpu(), NN_F32, NN_SHAPE(1, 2, 3)),
              *count = made(nn, nn_cpu(), NN_I32, NN_SHAPE(2));
    const nn_recurrent_results to = {.y = y}, both = {.y = y, .c_n = state};
    float first = 7, numbers[18];
    nn_upload_tensor(count, steps, sizeof steps);
    for (int i = 0; i < 18; i++) numbers[i] = first;
    nn_upload_tensor(y, numbers, sizeof numbers);
#define REFUSED(call, words)                                                                       \
    do {                                                                                           \
        ENSURE((call) != NN_OK);                                                                   \
        if (!nn_error(nn) || !strstr(nn_error(nn), words))                                         \
            test_fail(__FILE__, __LINE__, "\"%s\" is not in \"%s\"", words,                        \
                      nn_error(nn) ? nn_error(nn) : "");                                           \
        nn_clear_error(nn);                                                                        \
    } while (0)
    nn_recurrent_tensors with = {.weight_ih = ih, .weight_hh = hh};
    REFUSED(nn_lstm_forward(NULL, x, &with), "to is NULL; give one");
    REFUSED(nn_lstm_forward(&to, x, NULL), "with is NULL; give one");
    REFUSED(nn_lstm_forward(&to, NULL, &with), "x is NULL; give a tensor");
    REFUSED(nn_gru_forward(&both, x, &with), "c_n is given, which gru does not have");
    REFUSED(nn_gru_forward(&to, x, &with), "weight_hh has the shape (12, 3); wanted (12, 4)");
    REFUSED(nn_rnn_forward(&to, x, &with), "weight_hh has the shape (12, 3); wanted (12, 12)");
    REFUSED(nn_lstm_forward(&to, NULL, NULL), "with is NULL; give one");
    with.nonlinearity = NN_ACTIVATION_RELU;
    REFUSED(nn_lstm_forward(&to, x, &with), "nonlinearity is given, which lstm does not have");
    with.nonlinearity = (nn_activation)0;
    with.h_0 = y;
    REFUSED(nn_lstm_forward(&to, x, &with), "y \"t\" shares memory with h_0");
    with.h_0 = x;
    REFUSED(nn_lstm_forward(&to, x, &with), "h_0 has the shape (2, 3, 2); wanted (1, 2, 3)");
    with.h_0 = NULL;
    with.lengths = count;
    REFUSED(nn_lstm_forward(&to, x, &with),
            "a length is outside [0, 3]; nothing was written");
    nn_download_tensor(y, numbers, sizeof numbers);
    for (int i = 0; i < 18; i++) ENSURE(numbers[i] == first);
    with.lengths = NULL;
    const nn_recurrent_gradients none = {.dc_0 = state};
    const nn_recurrent_slopes slopes = {.dc_n = state}, nothing = {.dy = NULL};
    REFUSED(nn_lstm_backward(&none, &slopes, &to, x, &with), "reserve is NULL");
    const nn_recurrent_results kept = {
        .y = y, .reserve = made(nn, nn_cpu(), NN_F32, NN_SHAPE(5, 2, 3, 3))};
    REFUSED(nn_lstm_backward(&none, &slopes, &kept, x, &with), "dc_0 \"t\" shares memory with dc_n");
    REFUSED(nn_lstm_backward(&none, &(nn_recurrent_slopes){.dy = y}, &kept, x, &with),
            "dc_0 is given, but c_0 is NULL");
    REFUSED(nn_lstm_backward(&(nn_recurrent_gradients){.dx = NULL}, &nothing, &kept, x, &with),
            "dy, dh_n and dc_n are NULL; give one of them");
    REFUSED(nn_lstm_backward(&(nn_recurrent_gradients){.dbias_ih = count}, &slopes, &kept, x,
                             &with),
            "dbias_ih \"t\" is i32; wanted f32");
    REFUSED(nn_lstm_backward(&(nn_recurrent_gradients){.dbias_ih = hh}, &slopes, &kept, x, &with),
            "shares memory");
#undef REFUSED
    nn_close(nn);
}

/* ---- one step for a layer and the products around it ------------------------------------------ */

enum { JOINED_TIME = 3, JOINED_MOST = 4096 };

/* Builds a layer. cell: 0 lstm, 1 gru, 2 rnn. h and c may be NULL. */
static nn_node *joined_layer(nn_model *net, nn_node *x, int cell, int hidden, bool biases,
                             nn_node *h, nn_node *c) {
    const nn_lstm_desc lstm = {.hidden_size = hidden, .no_bias = !biases, .h_0 = h, .c_0 = c};
    const nn_gru_desc gru = {.hidden_size = hidden, .no_bias = !biases, .h_0 = h};
    const nn_rnn_desc rnn = {.hidden_size = hidden, .no_bias = !biases, .h_0 = h};
    return cell == 0   ? nn_lstm(net, "r", x, &lstm)
           : cell == 1 ? nn_gru(net, "r", x, &gru)
                       : nn_rnn(net, "r", x, &rnn);
}

static float joined_numbers[JOINED_MOST];
static bool joined_run(nn_plan *plan, nn_node *const *x, const size_t *counts, nn_node *y,
                       float *to, size_t count) {
    nn_result result = NN_OK;
    for (int i = 0; i < 3 && result == NN_OK; i++)
        if (x[i])
            result = nn_upload(plan, x[i], joined_numbers + 100 * i, sizeof(float) * counts[i]);
    return result == NN_OK && nn_run(plan) == NN_OK &&
           nn_download(plan, y, to, sizeof(float) * count) == NN_OK;
}

/* Compares layers with and without biases, given states and a small linear layer after them, with
   plans that keep no packed weights and so run each product separately. */
static void joined_layers_are_the_separate_ones(void) {
    static float a[JOINED_MOST], b[JOINED_MOST];
    nn_context *nn = nn_open(NULL);
    for (int i = 0; i < JOINED_MOST; i++) joined_numbers[i] = (float)((i * 37) % 64 - 32) / 32.0f;
    for (int which = 0; which < 3 * 2 * 4 * 3; which++) {
        const int cell = which % 3, biases = which / 3 % 2, states = which / 6 % 4,
                  head = which / 24, hidden = 3 + which % 5, batch = 1 + which % 4;
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = (uint64_t)which + 1});
        const size_t state = (size_t)(batch * hidden), out = head ? (size_t)head : (size_t)hidden;
        const size_t counts[3] = {(size_t)(batch * JOINED_TIME * 2), state, state};
        nn_node *x[3] = {nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 2)), NULL, NULL};
        if (states & 1) x[1] = nn_input(net, "h", NN_F32, NN_SHAPE(1, NN_BATCH, hidden));
        if (states & 2 && cell == 0)
            x[2] = nn_input(net, "c", NN_F32, NN_SHAPE(1, NN_BATCH, hidden));
        nn_node *y = joined_layer(net, x[0], cell, hidden, biases, x[1], x[2]);
        if (head)
            y = nn_linear(net, "head", y,
                          &(nn_linear_desc){.out_features = head, .no_bias = !biases});
        nn_plan_desc desc = {.outputs = NN_NODES(y), .batch = batch, .time = JOINED_TIME};
        nn_plan *joined = nn_make_plan(net, &desc);
        desc.plain_weights = true;
        nn_plan *separate = nn_make_plan(net, &desc);
        const size_t count = (size_t)(batch * JOINED_TIME) * out;
        ENSURE(joined_run(joined, x, counts, y, a, count));
        ENSURE(joined_run(separate, x, counts, y, b, count));
        for (size_t i = 0; i < count; i++) ENSURE_CLOSE(a[i], b[i], 1e-5);
        nn_free_model(net);
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(mistakes_in_words);
    RUN(outputs_have_numbers);
    RUN(wrong_lengths_are_faults);
    RUN(wrong_lengths_beside_labels);
    RUN(bytes_do_not_depend_on_threads);
    RUN(frozen_parameters_stay);
    RUN(a_joined_step_with_all_inputs);
    RUN(calls_do_what_builders_describe);
    RUN(calls_on_opencl);
    RUN(wrong_calls);
    RUN(joined_layers_are_the_separate_ones);
    return test_report();
}
