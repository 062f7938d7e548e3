/* tests/onnx/test_onnx_training.c - imported nets learn: small ones as in PyTorch, and the real
   models of ../shared/onnx by finite differences and with a last layer that is fine-tuned. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "described.h"
#include "golden/onnx_training.h"
#include "real.h"

/* ---- as PyTorch ------------------------------------------------------------------------------ */

/* Golden values come from the same numbers (tests/golden/onnx_training.py). */
static void numbers(int seed, int count, float *to) {
    for (int i = 0; i < count; i++)
        to[i] = (float)((double)((i * 37 + seed * 11 + 5) * 53 % 101 - 50) / 101);
}

/* Adds the initializer `name` with numbers(seed). */
static void weight(blob *graph, const char *name, const char *shape, int seed, int count) {
    float data[128];
    numbers(seed, count, data);
    add(graph, 5, tensor(name, ONNX_FLOAT, shape, data, (size_t)count * 4));
}

static void linear(blob *graph, const char *text) {
    blob op = node(text);
    with_int(&op, "transB", 1);
    add(graph, 1, op);
}

/* Makes a model of linear, GELU written out, LayerNormalization and linear. */
static blob words_model(void) {
    const float root = 1.41421356f, one = 1, half = 0.5f;
    blob graph = {.size = 0};
    linear(&graph, "Gemm x,l1.weight,l1.bias -> a");
    add(&graph, 1, node("Div a,root -> b"));
    add(&graph, 1, node("Erf b -> c"));
    add(&graph, 1, node("Add c,one -> d"));
    add(&graph, 1, node("Mul a,d -> e"));
    add(&graph, 1, node("Mul e,half -> f"));
    add(&graph, 1, node("LayerNormalization f,norm.weight,norm.bias -> g"));
    linear(&graph, "Gemm g,l2.weight,l2.bias -> y");
    add(&graph, 5, tensor("root", ONNX_FLOAT, "", &root, 4));
    add(&graph, 5, tensor("one", ONNX_FLOAT, "", &one, 4));
    add(&graph, 5, tensor("half", ONNX_FLOAT, "", &half, 4));
    weight(&graph, "l1.weight", "5,3", 1, 15);
    weight(&graph, "l1.bias", "5", 2, 5);
    weight(&graph, "norm.weight", "5", 3, 5);
    weight(&graph, "norm.bias", "5", 4, 5);
    weight(&graph, "l2.weight", "2,5", 5, 10);
    weight(&graph, "l2.bias", "2", 6, 2);
    add(&graph, 11, info("x", ONNX_FLOAT, "4,3"));
    add(&graph, 12, info("y", ONNX_FLOAT, "4,2"));
    return model_of(&graph, 17);
}

/* Makes a model of convolution, ReLU, pooling and linear. */
static blob picture_model(void) {
    blob graph = {.size = 0}, op = node("Conv x,conv.weight,conv.bias -> a");
    with_ints(&op, "pads", 4, 1, 1, 1, 1);
    add(&graph, 1, op);
    add(&graph, 1, node("Relu a -> b"));
    op = node("MaxPool b -> c");
    with_ints(&op, "kernel_shape", 2, 2, 2);
    with_ints(&op, "strides", 2, 2, 2);
    add(&graph, 1, op);
    add(&graph, 1, node("Flatten c -> d"));
    linear(&graph, "Gemm d,fc.weight,fc.bias -> y");
    weight(&graph, "conv.weight", "2,1,3,3", 1, 18);
    weight(&graph, "conv.bias", "2", 2, 2);
    weight(&graph, "fc.weight", "3,18", 3, 54);
    weight(&graph, "fc.bias", "3", 4, 3);
    add(&graph, 11, info("x", ONNX_FLOAT, "2,1,6,6"));
    add(&graph, 12, info("y", ONNX_FLOAT, "2,3"));
    return model_of(&graph, 17);
}

/* Writes PyTorch's gates i, f, g, o in ONNX's order i, o, f, c. */
static void gates(blob *graph, const char *name, const char *shape, int seed, int width,
                  int more_seed) {
    static const int order[4] = {0, 3, 1, 2};
    float from[64], to[128];
    const int count = 16 * width;
    for (int part = 0; part < (more_seed ? 2 : 1); part++) {
        numbers(part ? more_seed : seed, count, from);
        for (int i = 0; i < 4; i++)
            memcpy(to + part * count + i * 4 * width, from + order[i] * 4 * width,
                   (size_t)(4 * width) * sizeof *to);
    }
    add(graph, 5, tensor(name, ONNX_FLOAT, shape, to, (size_t)(count * (more_seed ? 2 : 1)) * 4));
}

/* Makes a model of an LSTM over 5 steps, and linear on its last state. */
static blob sound_model(void) {
    const int64_t axis = 0;
    blob graph = {.size = 0}, op = node("LSTM x,lstm.weight,r,b -> all,h,c");
    with_int(&op, "hidden_size", 4);
    add(&graph, 1, op);
    add(&graph, 1, node("Squeeze h,axis -> last"));
    linear(&graph, "Gemm last,fc.weight,fc.bias -> y");
    add(&graph, 5, tensor("axis", ONNX_INT64, "1", &axis, 8));
    gates(&graph, "lstm.weight", "1,16,3", 1, 3, 0);
    gates(&graph, "r", "1,16,4", 2, 4, 0);
    gates(&graph, "b", "1,32", 3, 1, 4);
    weight(&graph, "fc.weight", "2,4", 5, 8);
    weight(&graph, "fc.bias", "2", 6, 2);
    add(&graph, 11, info("x", ONNX_FLOAT, "5,2,3"));
    add(&graph, 12, info("y", ONNX_FLOAT, "2,2"));
    return model_of(&graph, 17);
}

typedef struct golden {
    const float *losses, *outputs, *parameters;
    int inputs, results;
    const char *names[8]; /* of the parameters, in the order of the golden values */
} golden;

/* Trains a net that is imported from this file; its losses, outputs and parameters are PyTorch's
   within 1e-4. */
static void trains_as(const blob *model, const golden *wanted) {
    nn_context *nn = open_context();
    nn_model *net = nn_make_model(nn, NULL);
    nn_onnx *file = nn_open_onnx(nn, &(nn_onnx_desc){.bytes = model->at, .size = model->size});
    nn_node *y = nn_onnx_net(net, NULL, file, NULL), *x = nn_onnx_node(net, file, "x");
    nn_node *target = nn_input(net, "target", NN_F32, nn_node_shape(y));
    nn_node *loss = nn_mse_loss(net, y, target, NULL);
    nn_trainer *trainer = nn_make_trainer(
        net, loss, &(nn_trainer_desc){.optimizer = NN_ADAMW, .learning_rate = GOLDEN_RATE});
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y)});
    const float *number = wanted->parameters;
    float inputs[128], targets[16], got[128];
    nn_report report;
    ENSURE(trainer && plan && nn_load_onnx_weights(net, file) == NN_OK);
    nn_close_onnx(file);
    numbers(50, wanted->inputs, inputs);
    numbers(51, wanted->results, targets);
    for (int step = 0; step < GOLDEN_STEPS; step++) {
        ENSURE(nn_upload(nn_trainer_plan(trainer), x, inputs, (size_t)wanted->inputs * 4) == NN_OK);
        ENSURE(nn_upload(nn_trainer_plan(trainer), target, targets, (size_t)wanted->results * 4) ==
               NN_OK);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK && nn_read_report(trainer, &report) == NN_OK);
        ENSURE_CLOSE(report.loss, (double)wanted->losses[step], 1e-4);
    }
    ENSURE(nn_upload(plan, x, inputs, (size_t)wanted->inputs * 4) == NN_OK);
    ENSURE(nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, got, (size_t)wanted->results * 4) == NN_OK);
    for (int i = 0; i < wanted->results; i++)
        ENSURE_CLOSE((double)got[i], (double)wanted->outputs[i], 1e-4);
    for (int k = 0; wanted->names[k]; k++) {
        nn_tensor *parameter = nn_find_tensor(net, wanted->names[k]);
        const int count = parameter ? (int)nn_shape_count(nn_tensor_shape(parameter)) : 0;
        ENSURE(parameter && nn_download_tensor(parameter, got, (size_t)count * 4) == NN_OK);
        for (int i = 0; i < count; i++) ENSURE_CLOSE((double)got[i], (double)*number++, 1e-4);
    }
    close_context(nn);
}

static void words_as_pytorch(void) {
    const blob model = words_model();
    trains_as(&model, &(golden){golden_words_losses,
                                golden_words_outputs,
                                golden_words_parameters,
                                12,
                                8,
                                {"l1.weight", "l1.bias", "norm.weight", "norm.bias", "l2.weight",
                                 "l2.bias"}});
}

static void picture_as_pytorch(void) {
    const blob model = picture_model();
    trains_as(&model, &(golden){golden_picture_losses,
                                golden_picture_outputs,
                                golden_picture_parameters,
                                72,
                                6,
                                {"conv.weight", "conv.bias", "fc.weight", "fc.bias"}});
}

static void sound_as_pytorch(void) {
    const blob model = sound_model();
    trains_as(&model, &(golden){golden_sound_losses,
                                golden_sound_outputs,
                                golden_sound_parameters,
                                30,
                                4,
                                {"lstm.weight_ih_l0", "lstm.weight_hh_l0", "lstm.bias_ih_l0",
                                 "lstm.bias_hh_l0", "fc.weight", "fc.bias"}});
}

/* ---- finite differences ---------------------------------------------------------------------- */

/* The sum of all outputs, each number with a weight of its own. */
typedef struct weighted {
    float *weights[REAL_MOST];
    int count[REAL_MOST], outputs;
    nn_node *loss;
} weighted;

static weighted weigh(nn_context *nn, const real_net *net, int outputs) {
    weighted to;
    memset(&to, 0, sizeof to);
    to.outputs = outputs;
    for (int k = 0; k < outputs; k++) {
        const nn_shape shape = nn_node_shape(net->out[k]);
        nn_tensor *tensor = nn_make_tensor(
            nn, &(nn_tensor_desc){.name = "weights", .dtype = NN_F32, .shape = shape});
        nn_node *sum;
        to.count[k] = (int)nn_shape_count(shape);
        to.weights[k] = (float *)nn_tensor_data(tensor);
        numbers(k + 1, to.count[k], to.weights[k]);
        sum = nn_sum(net->net, nn_multiply(net->net, net->out[k], nn_borrow(net->net, tensor)));
        to.loss = to.loss ? nn_add(net->net, to.loss, sum) : sum;
    }
    return to;
}

/* Runs the plan and adds in double. */
static double weighted_sum(nn_plan *plan, const real_net *net, const weighted *w) {
    double sum = 0;
    if (nn_run(plan) != NN_OK) return NAN;
    for (int k = 0; k < w->outputs; k++) {
        float *y = (float *)malloc((size_t)w->count[k] * 4);
        if (!y || nn_download(plan, net->out[k], y, (size_t)w->count[k] * 4) != NN_OK) sum = NAN;
        for (int i = 0; y && i < w->count[k]; i++) sum += (double)y[i] * (double)w->weights[k][i];
        free(y);
    }
    return sum;
}

/* Moves a parameter by `step` along its gradient, and back. Returns the quotient of differences. */
static double slope_along(nn_plan *plan, const real_net *net, const weighted *w,
                          nn_tensor *parameter, const float *direction, double step) {
    const int count = (int)nn_shape_count(nn_tensor_shape(parameter));
    float *data = (float *)nn_tensor_data(parameter);
    float *before = (float *)malloc((size_t)count * 4);
    double sums[2];
    if (!before) return NAN;
    memcpy(before, data, (size_t)count * 4);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < count; i++)
            data[i] = (float)((double)before[i] + (side ? -step : step) * (double)direction[i]);
        sums[side] = weighted_sum(plan, net, w);
    }
    memcpy(data, before, (size_t)count * 4);
    free(before);
    return (sums[0] - sums[1]) / (2 * step);
}

/* Along its gradient the sum changes by the gradient's length for each step of length 1. Returns
   the relative error of that; -1: the gradient is too small to be seen in f32. Long steps go around
   corners (ReLU, pooling) and short ones are rounded, so the best one of several counts. */
static double difference_along(nn_plan *plan, const real_net *net, const weighted *w,
                               nn_tensor *parameter, float *gradient) {
    const int count = (int)nn_shape_count(nn_tensor_shape(parameter));
    const float *data = (const float *)nn_tensor_const_data(parameter);
    const double sum = fabs(weighted_sum(plan, net, w));
    double length = 0, size = 0, best = -1;
    for (int i = 0; i < count; i++) {
        length += (double)gradient[i] * (double)gradient[i];
        size += (double)data[i] * (double)data[i];
    }
    length = sqrt(length);
    for (int i = 0; i < count && length > 0; i++)
        gradient[i] = (float)((double)gradient[i] / length);
    for (double step = 1e-2 * (sqrt(size) + 1e-2); length * step > 1e-5 * sum; step /= 4) {
        const double slope = slope_along(plan, net, w, parameter, gradient, step);
        const double error = fabs(slope - length) / length;
        if (!(best >= 0 && best <= error)) best = error;
    }
    return best;
}

static void gradients_of(const char *folder, const char *fixed, int least) {
    const real_model model = {folder, 0, fixed, NULL, NULL, false, false, false};
    nn_context *nn = open_context();
    nn_plan_desc desc;
    nn_trainer *trainer;
    nn_plan *plan;
    real_case c;
    real_net net;
    weighted w;
    int seen = 0;
    memset(&desc, 0, sizeof desc);
    ENSURE(real_read_case(nn, &model, 0, &c));
    net = real_describe(nn, &model, &c);
    ENSURE(net.net);
    w = weigh(nn, &net, c.out_count);
    for (int k = 0; k < c.out_count; k++) NODE_AT(desc.outputs, k) = net.out[k];
    plan = nn_make_plan(net.net, &desc);
    trainer = nn_make_trainer(net.net, w.loss, &(nn_trainer_desc){.gradients = true});
    ENSURE(plan && trainer && real_upload_all(plan, &net, &c));
    ENSURE(real_upload_all(nn_trainer_plan(trainer), &net, &c) && nn_backward(trainer) == NN_OK);
    for (int i = 0; i < nn_model_tensor_count(net.net); i++) {
        nn_tensor *parameter = nn_model_tensor_at(net.net, i);
        const size_t size = (size_t)nn_tensor_bytes(parameter);
        float *gradient = (float *)malloc(size);
        double error = -1;
        if (gradient &&
            nn_read_gradient(trainer, nn_tensor_name(parameter), gradient, size) == NN_OK)
            error = difference_along(plan, &net, &w, parameter, gradient);
        nn_clear_error(nn); /* of constants, which have no gradient */
        free(gradient);
        if (test_wrong(!(error <= 2e-2)))
            test_fail(__FILE__, __LINE__, "%s: the gradient of %s is off by %g", folder,
                      nn_tensor_name(parameter), error);
        seen += error >= 0;
    }
    printf("%s: %d gradients\n", folder, seen);
    ENSURE(seen >= least);
    close_context(nn);
}

static void gradients(void) {
    if (!real_exists("attacut-c")) SKIP("../shared/onnx is not there");
    gradients_of("attacut-c", NULL, 9);
    gradients_of("face-pnet", NULL, 11);
    gradients_of("face-onet", NULL, 19);
    gradients_of("vad-v5", "sr", 12);
    gradients_of("aecmos", NULL, 22);
}

/* ---- fine-tuning ----------------------------------------------------------------------------- */

enum { PICTURES = 8, PIXELS = 3 * 48 * 192 };

/* Draws images of stripes with random widths and positions: class 0 vertical, class 1
   horizontal. */
static void draw_stripes(int seed, float *pictures, int32_t *labels) {
    for (int k = 0; k < PICTURES; k++) {
        uint32_t words[4];
        nn_random_words((uint64_t)seed, 1, (uint64_t)k, words);
        labels[k] = (int32_t)(words[0] % 2);
        for (int i = 0; i < PIXELS; i++) {
            const unsigned place = (unsigned)(labels[k] ? i / 192 % 48 : i % 192);
            const unsigned width = 3 + words[1] % 4;
            pictures[k * PIXELS + i] = (place + words[2] % 16) / width % 2 ? 1.0f : -1.0f;
        }
    }
}

static double part_that_is_right(nn_plan *plan, nn_node *x, nn_node *scores, int seed) {
    static float pictures[PICTURES * PIXELS];
    int32_t labels[PICTURES];
    float got[PICTURES][2];
    int right = 0;
    draw_stripes(seed, pictures, labels);
    if (nn_upload(plan, x, pictures, sizeof pictures) != NN_OK || nn_run(plan) != NN_OK ||
        nn_download(plan, scores, got, sizeof got) != NN_OK)
        return NAN;
    for (int k = 0; k < PICTURES; k++) right += (got[k][1] > got[k][0]) == (labels[k] == 1);
    return (double)right / PICTURES;
}

/* Describes ocr-angle up to the scores of its last layer. */
static nn_onnx *describe_angle(nn_context *nn, nn_model *net, nn_node **x, nn_node **scores) {
    char path[512];
    nn_onnx *file;
    real_path("ocr-angle", path, sizeof path);
    file = nn_open_onnx(nn, &(nn_onnx_desc){.path = path});
    *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 48, 192));
    *scores = nn_onnx_net(net, "angle", file,
                          &(nn_onnx_net_desc){.inputs = NN_ONNX_INPUTS({"x", *x}),
                                              .outputs = NN_TEXTS("linear_1.tmp_1"),
                                              .frozen_batch_norms = true});
    return file;
}

/* Copies all parameters and statistics except the last layer's. */
static size_t copy_others(nn_model *net, const char *weight, const char *bias, unsigned char *to,
                          size_t room) {
    size_t size = 0;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const size_t bytes = (size_t)nn_tensor_bytes(tensor);
        if (strcmp(nn_tensor_name(tensor), weight) == 0 ||
            strcmp(nn_tensor_name(tensor), bias) == 0)
            continue;
        if (bytes > room - size) return 0;
        memcpy(to + size, nn_tensor_const_data(tensor), bytes);
        size += bytes;
    }
    return size;
}

/* The last layer learns two other classes; nothing else changes. What is saved runs in another
   import with the same bytes. */
static void last_layer_of_ocr_angle(void) {
    static float pictures[PICTURES * PIXELS];
    static unsigned char before[1 << 22], after[1 << 22];
    float first[PICTURES][2], again[PICTURES][2];
    int32_t classes[PICTURES];
    nn_context *nn;
    nn_model *net, *other;
    nn_node *x, *scores, *labels, *loss;
    nn_trainer *trainer;
    nn_plan *plan;
    nn_onnx *file;
    const char *weight, *bias;
    size_t size;
    if (!real_exists("ocr-angle")) SKIP("../shared/onnx is not there");
    nn = open_context();
    net = nn_make_model(nn, NULL);
    file = describe_angle(nn, net, &x, &scores);
    weight = nn_onnx_name(file, "fc_0.w_0");
    bias = nn_onnx_name(file, "fc_0.b_0");
    ENSURE(weight && bias && nn_load_onnx_weights(net, file) == NN_OK);
    ENSURE(nn_freeze(net, "angle.", true) == NN_OK && nn_freeze(net, weight, false) == NN_OK);
    ENSURE(nn_freeze(net, bias, false) == NN_OK);
    labels = nn_input(net, "labels", NN_I32, NN_SHAPE(NN_BATCH));
    loss = nn_cross_entropy(net, scores, labels, NULL);
    trainer = nn_make_trainer(
        net, loss,
        &(nn_trainer_desc){.batch = PICTURES, .optimizer = NN_ADAMW, .learning_rate = 0.02f});
    plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(scores), .batch = PICTURES});
    ENSURE(trainer && plan);
    size = copy_others(net, weight, bias, before, sizeof before);
    ENSURE(size > 100000 && part_that_is_right(plan, x, scores, 1000) < 0.8);
    for (int step = 0; step < 30; step++) {
        draw_stripes(step, pictures, classes);
        ENSURE(nn_upload(nn_trainer_plan(trainer), x, pictures, sizeof pictures) == NN_OK);
        ENSURE(nn_upload(nn_trainer_plan(trainer), labels, classes, sizeof classes) == NN_OK);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    }
    for (int seed = 1000; seed < 1004; seed++)
        ENSURE_CLOSE(part_that_is_right(plan, x, scores, seed), 1, 0);
    ENSURE(nn_download(plan, scores, first, sizeof first) == NN_OK);
    ENSURE(copy_others(net, weight, bias, after, sizeof after) == size);
    ENSURE(memcmp(before, after, size) == 0);
    ENSURE(nn_save_weights(net, "test_onnx_training.safetensors") == NN_OK);
    nn_close_onnx(file);
    other = nn_make_model(nn, NULL);
    file = describe_angle(nn, other, &x, &scores);
    plan = nn_make_plan(other, &(nn_plan_desc){.outputs = NN_NODES(scores), .batch = PICTURES});
    ENSURE(nn_load_weights(other, "test_onnx_training.safetensors", NULL) == NN_OK);
    remove("test_onnx_training.safetensors");
    nn_close_onnx(file);
    ENSURE_CLOSE(part_that_is_right(plan, x, scores, 1003), 1, 0);
    ENSURE(nn_download(plan, scores, again, sizeof again) == NN_OK);
    ENSURE(memcmp(first, again, sizeof first) == 0);
    close_context(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(words_as_pytorch);
    RUN(picture_as_pytorch);
    RUN(sound_as_pytorch);
    RUN(gradients);
    RUN(last_layer_of_ocr_angle);
    return test_report();
}
