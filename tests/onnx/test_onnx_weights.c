/* tests/onnx/test_onnx_weights.c - names of parameters, their numbers, training of an imported net,
   and the report of a file. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "described.h"

/* ---- names and weights ----------------------------------------------------------------------- */

/* Three convolutions whose tensors are called as exporters call them, and one whose weights are
   used again. */
static blob named_model(void) {
    blob graph = {.size = 0}, op;
    add(&graph, 1, node("Conv x,model.conv1.weight,model.conv1.bias -> a"));
    add(&graph, 1, node("Conv a,onnx::Conv_12,head.proj.bias -> b"));
    op = node("Conv b,StatefulPartitionedCall/w:0 -> c");
    put_text(&op, 3, "/dec/conv/Conv");
    add(&graph, 1, op);
    add(&graph, 1, node("Conv c,model.conv1.weight,model.conv1.bias -> y"));
    add(&graph, 5, tensor("model.conv1.weight", ONNX_FLOAT, "2,2,1,1", ones, 16));
    add(&graph, 5, tensor("model.conv1.bias", ONNX_FLOAT, "2", ones, 8));
    add(&graph, 5, tensor("onnx::Conv_12", ONNX_FLOAT, "2,2,1,1", ones + 4, 16));
    add(&graph, 5, tensor("head.proj.bias", ONNX_FLOAT, "2", ones + 1, 8));
    add(&graph, 5, tensor("StatefulPartitionedCall/w:0", ONNX_FLOAT, "2,2,1,1", ones + 8, 16));
    add(&graph, 11, info("x", ONNX_FLOAT, "batch,2,1,1"));
    add(&graph, 11, info("model.conv1.weight", ONNX_FLOAT, "2,2,1,1")); /* as old exporters do */
    add(&graph, 12, info("y", ONNX_FLOAT, "batch,2,1,1"));
    return model_of(&graph, 13);
}

static void pixel(const float *x, const float *weight, const float *bias, float *y) {
    for (int i = 0; i < 2; i++)
        y[i] = (bias ? bias[i] : 0) + x[0] * weight[2 * i] + x[1] * weight[2 * i + 1];
}

static void names_of_weights(void) {
    const blob model = named_model();
    open_net n = describe(&model, NULL, 1, 1);
    const float x[2] = {0.5f, -1};
    float y[2], a[2], b[2];
    ENSURE(n.plan && nn_parameter_count(n.model) == 5);
    ENSURE(nn_find_tensor(n.model, "model.conv1.weight"));
    ENSURE(nn_find_tensor(n.model, "model.conv1.bias"));
    ENSURE(nn_find_tensor(n.model, "head.proj.weight"));
    ENSURE(nn_find_tensor(n.model, "head.proj.bias"));
    ENSURE(nn_find_tensor(n.model, "dec.conv.Conv.weight"));
    ENSURE_TEXT(nn_onnx_name(n.file, "head.proj.weight"), "onnx::Conv_12");
    ENSURE_TEXT(nn_onnx_name(n.file, "onnx::Conv_12"), "head.proj.weight");
    ENSURE(nn_onnx_name(n.file, "nothing") == NULL);
    ENSURE(upload(&n, "x", x, 2) && download(&n, y, 2));
    pixel(x, ones, ones, a);
    pixel(a, ones + 4, ones + 1, b);
    pixel(b, ones + 8, NULL, a);
    pixel(a, ones, ones, b);
    for (int i = 0; i < 2; i++) ENSURE_CLOSE(y[i], b[i], fabs((double)b[i]) * 1e-6);
    close_net(&n);
}

/* One net has a file twice, with prefixes; saved weights load again. */
static void prefixes(void) {
    const blob model = named_model();
    nn_context *nn = open_context();
    nn_model *both = nn_make_model(nn, NULL);
    nn_onnx *file = nn_open_onnx(nn, &(nn_onnx_desc){.bytes = model.at, .size = model.size});
    nn_node *first = nn_onnx_net(both, "a", file, NULL), *second;
    second = nn_onnx_net(both, "b", file,
                         &(nn_onnx_net_desc){.inputs = NN_ONNX_INPUTS({"x", first}), .outputs = NN_TEXTS("b")});
    ENSURE(nn_fault_count(both) == 0 && nn_node_shape(second).rank == 4);
    ENSURE(nn_onnx_node(both, file, "b") == second && nn_onnx_node(both, file, "x") == first);
    ENSURE(nn_load_onnx_weights(both, file) == NN_OK && nn_parameter_count(both) == 9);
    ENSURE(nn_find_tensor(both, "a.model.conv1.weight") &&
           nn_find_tensor(both, "b.head.proj.bias"));
    ENSURE_CLOSE(((const float *)nn_tensor_const_data(nn_find_tensor(both, "b.head.proj.bias")))[0],
                 2, 0);
    ENSURE(nn_freeze(both, "a.", true) == NN_OK);
    ENSURE(nn_save_weights(both, "test_onnx_weights.safetensors") == NN_OK);
    ENSURE(nn_fill_zero(nn_find_tensor(both, "b.head.proj.bias")) == NN_OK);
    ENSURE(nn_load_weights(both, "test_onnx_weights.safetensors", NULL) == NN_OK);
    remove("test_onnx_weights.safetensors");
    ENSURE_CLOSE(((const float *)nn_tensor_const_data(nn_find_tensor(both, "b.head.proj.bias")))[0],
                 2, 0);
    nn_close_onnx(file);
    close_context(nn);
}

/* ---- training -------------------------------------------------------------------------------- */

/* An imported net learns as one that was described by hand, to the last bit. */
static void training(void) {
    const blob model = named_model();
    float after[2][4];
    for (int imported = 0; imported < 2; imported++) {
        nn_context *nn = open_context();
        nn_model *both = nn_make_model(nn, NULL);
        nn_node *x, *y, *loss;
        nn_trainer *trainer;
        const float data[4] = {0.5f, -1, 2, 0.25f};
        nn_onnx *file = nn_open_onnx(nn, &(nn_onnx_desc){.bytes = model.at, .size = model.size});
        if (imported) {
            nn_onnx_net(both, NULL, file, &(nn_onnx_net_desc){.outputs = NN_TEXTS("a")});
            x = nn_onnx_node(both, file, "x");
            y = nn_onnx_node(both, file, "a");
        } else {
            x = nn_input(both, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 1, 1));
            y = nn_conv2d(both, "model.conv1", x,
                          &(nn_conv2d_desc){.out_channels = 2, .kernel = 1});
        }
        loss = nn_mse_loss(both, y, nn_detach(both, x), NULL);
        if (imported)
            ENSURE(nn_load_onnx_weights(both, file) == NN_OK);
        else {
            ENSURE(nn_upload_tensor(nn_find_tensor(both, "model.conv1.weight"), ones, 16) == NN_OK);
            ENSURE(nn_upload_tensor(nn_find_tensor(both, "model.conv1.bias"), ones, 8) == NN_OK);
        }
        nn_close_onnx(file);
        trainer = nn_make_trainer(
            both, loss,
            &(nn_trainer_desc){.batch = 2, .optimizer = NN_ADAMW, .learning_rate = 0.01f});
        ENSURE(trainer);
        for (int step = 0; step < 5; step++) {
            ENSURE(nn_upload(nn_trainer_plan(trainer), x, data, sizeof data) == NN_OK);
            ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        }
        ENSURE(nn_download_tensor(nn_find_tensor(both, "model.conv1.weight"), after[imported],
                                  16) == NN_OK);
        close_context(nn);
    }
    ENSURE(memcmp(after[0], after[1], sizeof after[0]) == 0 && after[0][0] != ones[0]);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void count_messages(void *user, const char *text, size_t length) {
    (void)text;
    *(int *)user += length > 0;
}

/* A refused file is reported once. Loading its weights fails without another message. */
static void one_message_for_a_refusal(void) {
    blob graph = {.size = 0}, model;
    int described = 0, all = 0;
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .log = {count_messages, &all}});
    nn_model *net = nn_make_model(nn, NULL);
    nn_onnx *file;
    add(&graph, 1, node("NonZero x -> y"));
    add(&graph, 11, info("x", ONNX_FLOAT, "2"));
    add(&graph, 12, info("y", ONNX_INT64, "1,?"));
    model = model_of(&graph, 13);
    file = nn_open_onnx(nn, &(nn_onnx_desc){.bytes = model.at, .size = model.size});
    nn_onnx_net(net, NULL, file, NULL);
    described = all;
    ENSURE(described > 0 && strstr(nn_error(nn), "NonZero"));
    ENSURE(nn_load_onnx_weights(net, file) == NN_ERROR_FAULTS && all == described);
    nn_clear_error(nn);
    ENSURE(nn_load_onnx_weights(net, file) == NN_ERROR_FAULTS && nn_error(nn));
    nn_close_onnx(file);
    close_context(nn);
}

/* ---- first values ---------------------------------------------------------------------------- */

static double largest_of(nn_model *net, const char *name) {
    const nn_tensor *tensor = nn_find_tensor(net, name);
    double largest = 0;
    for (int64_t i = 0; tensor && i < nn_shape_count(nn_tensor_shape(tensor)); i++)
        largest = fmax(largest, fabs((double)((const float *)nn_tensor_const_data(tensor))[i]));
    return tensor ? largest : NAN;
}

/* No values are drawn for parameters of a file. Other layers of the net begin as usual. */
static void parameters_begin_as_zeros(void) {
    const blob model = named_model();
    float alone[4], beside[4];
    for (int k = 0; k < 2; k++) {
        nn_context *nn = open_context();
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 5});
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
        nn_onnx *file = nn_open_onnx(nn, &(nn_onnx_desc){.bytes = model.at, .size = model.size});
        nn_linear(net, "mine", x, &(nn_linear_desc){.out_features = 2});
        nn_layer_norm(net, "norm", x, NULL);
        nn_linear(net, "skipped", x, &(nn_linear_desc){.out_features = 2});
        if (k == 1) {
            nn_onnx_net(net, "file", file, NULL);
            ENSURE(nn_start_at_zero(net, "skipped.") == NN_OK);
            ENSURE(nn_start_at_zero(net, "norm.") == NN_OK);
            ENSURE(nn_start_at_zero(net, "nothing.") == NN_ERROR_ARGUMENT);
            ENSURE(strstr(nn_error(nn), "has no parameter \"nothing.\""));
            nn_clear_error(nn);
            ENSURE_CLOSE(largest_of(net, "file.model.conv1.weight"), 0, 0);
        }
        ENSURE((largest_of(net, "skipped.weight") > 0) == (k == 0));
        ENSURE_CLOSE(largest_of(net, "norm.weight"), 1, 0);
        ENSURE(nn_download_tensor(nn_find_tensor(net, "mine.weight"), k ? beside : alone, 16) ==
               NN_OK);
        ENSURE(nn_start_at_zero(net, "mine.") == NN_OK && largest_of(net, "mine.weight") > 0);
        nn_close_onnx(file);
        close_context(nn);
    }
    ENSURE(memcmp(alone, beside, sizeof alone) == 0);
}

/* ---- the report ------------------------------------------------------------------------------ */

static void a_report(void) {
    const blob model = named_model();
    char text[2048];
    nn_text to = {text, sizeof text, 0};
    nn_context *nn = open_context();
    nn_onnx *file = nn_open_onnx(nn, &(nn_onnx_desc){.bytes = model.at, .size = model.size});
    nn_write_onnx(file, (nn_writer){nn_write_text, &to});
    ENSURE_TEXT(text, "the file in memory: IR 8, written by nn.h tests \n"
                      "  opset 13 of ai.onnx\n"
                      "  input \"x\" float32 (batch, 2, 1, 1)\n"
                      "  output \"y\" float32 (batch, 2, 1, 1)\n"
                      "  5 tensors with 16 numbers\n"
                      "  4 nodes: Conv 4\n"
                      "  operators that are not supported: none\n");
    ENSURE(nn_onnx_metadata(file, "none") == NULL);
    nn_close_onnx(file);
    close_context(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(names_of_weights);
    RUN(prefixes);
    RUN(training);
    RUN(one_message_for_a_refusal);
    RUN(parameters_begin_as_zeros);
    RUN(a_report);
    return test_report();
}
