/* test_graph.c: what src/graph guarantees to operations: several outputs, effects, buffers. The
   test has its own operations, so that rules are also tested in ways that no operation of the
   library uses yet. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "sim_device.h"
#include "test.h"
#include "lists.h"

#include <stdlib.h>

#define AT          nn_make_site("net.c", 7)
#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

static nn_context *open_nn(void) {
    nn_desc desc;
    ZERO(desc);
    desc.threads = 1;
    return nn_open(&desc);
}

static nn_plan *plan_of(nn_model *net, nn_node *a, nn_node *b, int batch) {
    nn_plan_desc desc;
    ZERO(desc);
    NODE_AT(desc.outputs, 0) = a;
    if (b) NODE_AT(desc.outputs, 1) = b;
    desc.batch = batch;
    return nn_make_plan(net, &desc);
}

/* ---- an operation with three outputs: x, 2 x, x x -------------------------------------------- */

/* The further outputs travel as inputs 1 and 2 of the custom kernel; an absent one has no
   handle. */
static nn_result three_function(void *user, const nn_custom_args *args) {
    const float *x = (const float *)args->input[0].handle + args->input[0].offset / 4;
    float *y[3];
    (void)user;
    y[0] = (float *)args->output.handle + args->output.offset / 4;
    for (int k = 1; k < 3; k++)
        y[k] = args->input[k].handle ? (float *)args->input[k].handle + args->input[k].offset / 4
                                     : NULL;
    for (int64_t i = 0; i < nn_shape_count(args->input[0].shape); i++) {
        y[0][i] = x[i];
        if (y[1]) y[1][i] = 2.0f * x[i];
        if (y[2]) y[2][i] = x[i] * x[i];
    }
    return NN_OK;
}

static void three_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    (void)node;
    args->custom.output = lowering->output;
    args->custom.input[0] = lowering->inputs[0];
    args->custom.input[1] = lowering->more[0];
    args->custom.input[2] = lowering->more[1];
    args->custom.input_count = 3;
    args->custom.function = three_function;
}

static int three_asked[3]; /* which gradients the rule saw */

static void three_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *dy1 = nn__gradient_of(node, 1), *dy2 = nn__gradient_of(node, 2);
    three_asked[0] = dy != NULL;
    three_asked[1] = dy1 != NULL;
    three_asked[2] = dy2 != NULL;
    if (dy) nn__give_gradient(tape, x, dy);
    if (dy1) nn__give_gradient(tape, x, nn__tape_unary(tape, nn__table_scale(), dy1, 2.0f, x));
    if (dy2) {
        nn_node *product = nn__tape_binary(tape, nn__table_multiply(), dy2, x, x);
        nn__give_gradient(tape, x, nn__tape_unary(tape, nn__table_scale(), product, 2.0f, x));
    }
}

static const nn__rule rule_three = {"three",     NN_KERNEL_CUSTOM, 0,    NN_ACTIVATION_NONE,
                                    three_lower, three_gradient,   NULL, NULL,
                                    NULL};

static nn_node *three(nn_model *net, nn_node *x) {
    nn__install_custom(net->nn);
    nn_node *node = nn__add_node(&net->graph, AT, &rule_three, "three", NULL, &x, NULL, 1, NN_F32,
                                 x->shape, NULL, 0);
    nn__add_output(node, "twice", NN_F32, x->shape);
    nn__add_output(node, "square", NN_F32, x->shape);
    return node;
}

static void several_outputs(void) {
    nn_context *nn = open_nn();
    for (int mask = 1; mask < 8; mask++) { /* which outputs the plan asks for */
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)), *y = three(net, x),
                *outputs[3];
        nn_plan_desc desc;
        const float value[6] = {1, 2, 3, -4, 5, 6};
        int count = 0;
        ZERO(desc);
        desc.batch = 2;
        desc.poison = true;
        for (int k = 0; k < 3; k++)
            if (mask >> k & 1) {
                outputs[count] = nn_output(y, k);
                NODE_AT(desc.outputs, count) = nn_offset(net, outputs[count], 1.0f);
                count++;
            }
        nn_plan *plan = nn_make_plan(net, &desc);
        ENSURE(plan != NULL);
        ENSURE(nn_upload(plan, x, value, sizeof value) == NN_OK && nn_run(plan) == NN_OK);
        for (int c = 0; c < count; c++) {
            float read[6];
            ENSURE(nn_download(plan, desc.outputs.node[c], read, sizeof read) == NN_OK);
            for (int i = 0; i < 6; i++) {
                float v = value[i];
                float wanted = outputs[c] == y ? v : outputs[c] == nn_output(y, 1) ? 2 * v : v * v;
                ENSURE_CLOSE(read[i], wanted + 1, 0);
            }
        }
        nn_free_model(net);
    }
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

/* Compares d/dw of the sum of the outputs in the mask, where x = w, with its formula. */
static void gradients_of_several_outputs(void) {
    nn_context *nn = open_nn();
    for (int mask = 1; mask < 8; mask++) {
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *w = nn_parameter(net, "w", NN_SHAPE(4), -1.0f, 1.0f), *y = three(net, w),
                *sum = NULL;
        nn_trainer_desc desc;
        float before[4];
        ZERO(desc);
        for (int k = 0; k < 3; k++) {
            if (!(mask >> k & 1)) continue;
            nn_node *part = nn_output(y, k);
            sum = sum ? nn_add(net, sum, part) : part;
        }
        desc.learning_rate = 1.0f;
        nn_trainer *trainer =
            nn_make_trainer(net, nn_reduce(net, NN_SUM, sum, NN_ALL_AXES, false), &desc);
        ENSURE(trainer != NULL);
        ENSURE(three_asked[0] == (mask & 1) && three_asked[1] == (mask >> 1 & 1) &&
               three_asked[2] == mask >> 2);
        nn_tensor *tensor = nn_find_tensor(net, "w");
        memcpy(before, nn_tensor_data(tensor), sizeof before);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        for (int i = 0; i < 4; i++) {
            float slope = (float)(mask & 1) + 2.0f * (float)(mask >> 1 & 1) +
                          2.0f * before[i] * (float)(mask >> 2);
            ENSURE_CLOSE(((float *)nn_tensor_data(tensor))[i], before[i] - slope, 1e-6);
        }
        nn_free_model(net);
    }
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

/* A user may hold the indices of max pooling, which are those of the immediate call. */
static void index_of_max_pooling(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_pool2d_desc pool;
    ZERO(pool);
    pool.kernel = 2;
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 4, 6));
    nn_node *y = nn_max_pool2d(net, x, &pool), *index = nn_output(y, 1);
    ENSURE(nn_output(y, 0) == y && nn_output(index, 0) == y && nn_output(index, 1) == index);
    ENSURE(nn_node_dtype(index) == NN_I32);
    nn_plan *plan = plan_of(net, index, NULL, 1); /* the maxima themselves are not asked for */
    nn_tensor_desc tensor;
    float pixels[48];
    int32_t found[12];
    for (int i = 0; i < 48; i++) pixels[i] = (float)((i * 29) % 31);
    ZERO(tensor);
    tensor.shape = NN_SHAPE(1, 2, 4, 6);
    nn_tensor *image = nn_make_tensor(nn, &tensor);
    tensor.shape = NN_SHAPE(1, 2, 2, 3);
    nn_tensor *maxima = nn_make_tensor(nn, &tensor);
    tensor.dtype = NN_I32;
    nn_tensor *indices = nn_make_tensor(nn, &tensor);
    memcpy(nn_tensor_data(image), pixels, sizeof pixels);
    ENSURE(nn_max_pool2d_forward(maxima, indices, image, &pool) == NN_OK);
    ENSURE(nn_upload(plan, x, pixels, sizeof pixels) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, index, found, sizeof found) == NN_OK);
    ENSURE(memcmp(found, nn_tensor_data(indices), sizeof found) == 0);
    nn_close(nn);
}

/* ---- buffers and effects --------------------------------------------------------------------- */

typedef struct norm { /* y = w (x - mean), and a running mean of the batches' means */
    nn_model *net;
    nn_node *x, *mean, *w, *y, *loss;
    nn_trainer *trainer;
} norm;

static const float norm_data[2][6] = {{1, 2, 3, 4, 5, 6}, {-3, 1, 8, 1, 1, 0}};

static void norm_make(norm *n, nn_context *nn, nn_device device) {
    nn_model_desc model;
    nn_trainer_desc desc;
    nn_node *batch_mean, *next;
    ZERO(*n);
    ZERO(model);
    ZERO(desc);
    model.device = device;
    n->net = nn_make_model(nn, &model);
    n->x = nn_input(n->net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    n->mean = nn_buffer(n->net, "running_mean", NN_F32, NN_SHAPE(3), 0.5);
    batch_mean = nn_reduce(n->net, NN_MEAN, n->x, NN_AXES(0), false);
    next = nn_add(n->net, nn_scale(n->net, n->mean, 0.75f), nn_scale(n->net, batch_mean, 0.25f));
    nn_assign(n->net, n->mean, next); /* before its reader, which still sees the old value */
    n->w = nn_parameter(n->net, "w", NN_SHAPE(3), 1.0f, 1.0f);
    n->y = nn_multiply(n->net, nn_subtract(n->net, n->x, n->mean), n->w);
    n->loss = nn_reduce(n->net, NN_SUM, n->y, NN_ALL_AXES, false);
    desc.batch = 2;
    desc.learning_rate = 0.01f;
    n->trainer = nn_make_trainer(n->net, n->loss, &desc);
}

static nn_result norm_step(norm *n, int data) {
    nn_result result =
        nn_upload(nn_trainer_plan(n->trainer), n->x, norm_data[data], sizeof norm_data[data]);
    return result == NN_OK ? nn_train_on_inputs(n->trainer) : result;
}

static void norm_read(norm *n, const char *name, float value[3]) {
    memset(value, 0, 3 * sizeof *value);
    nn_download_tensor(nn_find_tensor(n->net, name), value, 3 * sizeof *value);
}

static void norm_formula(int steps, double mean[3], double w[3]) {
    for (int j = 0; j < 3; j++) {
        mean[j] = 0.5;
        w[j] = 1.0;
        for (int s = 0; s < steps; s++) {
            const float *x = norm_data[s % 2];
            w[j] -=
                0.01 * (x[j] + x[3 + j] - 2 * mean[j]); /* the mean as it was before this step */
            mean[j] = 0.75 * mean[j] + 0.25 * (x[j] + x[3 + j]) / 2;
        }
    }
}

static void running_mean(void) {
    nn_context *nn = open_nn();
    norm n;
    float mean[3], w[3], y[6], before[3];
    double want_mean[3], want_w[3];
    norm_make(&n, nn, nn_cpu());
    ENSURE(n.trainer != NULL);
    norm_read(&n, "running_mean", mean);
    for (int j = 0; j < 3; j++) ENSURE_CLOSE(mean[j], 0.5, 0);
    for (int s = 0; s < 5; s++) ENSURE(norm_step(&n, s % 2) == NN_OK);
    norm_formula(5, want_mean, want_w);
    norm_read(&n, "running_mean", mean);
    norm_read(&n, "w", w);
    for (int j = 0; j < 3; j++) {
        ENSURE_CLOSE(mean[j], want_mean[j], 1e-5);
        ENSURE_CLOSE(w[j], want_w[j], 1e-5);
    }
    nn_plan *plan = plan_of(n.net, n.y, NULL, 2); /* a plan reads the mean and does not write it */
    ENSURE(plan != NULL);
    ENSURE(nn_upload(plan, n.x, norm_data[0], sizeof norm_data[0]) == NN_OK &&
           nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, n.y, y, sizeof y) == NN_OK);
    for (int i = 0; i < 6; i++)
        ENSURE_CLOSE(y[i], (norm_data[0][i] - mean[i % 3]) * w[i % 3], 1e-5);
    memcpy(before, mean, sizeof mean);
    norm_read(&n, "running_mean", mean);
    ENSURE(memcmp(before, mean, sizeof mean) == 0);
    ENSURE(nn_parameter_count(n.net) == 1 && nn_model_tensor_count(n.net) == 2);
    nn_close(nn);
}

/* An effect runs only in steps that have its inputs. */
static void effects_need_their_inputs(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *other = nn_input(net, "other", NN_F32, NN_SHAPE(2)),
            *w = nn_parameter(net, "w", NN_SHAPE(2), 1.0f, 1.0f);
    nn_node *seen = nn_buffer(net, "seen", NN_F32, NN_SHAPE(2), 3.0),
            *copy = nn_buffer(net, "copy", NN_F32, NN_SHAPE(2), 0.0);
    nn_trainer_desc desc;
    ZERO(desc);
    desc.learning_rate = 0.5f;
    nn_assign(net, seen, other); /* this step has no "other" */
    nn_assign(net, copy, w); /* the parameter after the update: effects of the model come last */
    nn_trainer *trainer =
        nn_make_trainer(net, nn_reduce(net, NN_SUM, w, NN_ALL_AXES, false), &desc);
    ENSURE(trainer != NULL && nn_train_on_inputs(trainer) == NN_OK);
    ENSURE_CLOSE(((float *)nn_tensor_data(nn_find_tensor(net, "seen")))[1], 3.0, 0);
    ENSURE_CLOSE(((float *)nn_tensor_data(nn_find_tensor(net, "copy")))[1], 0.5, 0);
    nn_close(nn);
}

/* Files, checkpoints and moves include buffers. A run that continues from a checkpoint ends in the
   same bytes. */
static void buffers_are_kept(void) {
    nn_context *nn = open_nn();
    norm one, two;
    float a[2][3], b[2][3];
    nn_device device;
    sim_desc desc;
    ZERO(desc);
    sim_device *sim = sim_open(nn, &desc, &device);
    ENSURE(sim != NULL);
    norm_make(&one, nn, nn_cpu());
    ENSURE(norm_step(&one, 0) == NN_OK && norm_step(&one, 1) == NN_OK);
    ENSURE(nn_save_weights(one.net, "build/graph.safetensors") == NN_OK);
    ENSURE(nn_save_checkpoint(one.trainer, "build/graph.checkpoint", NULL) == NN_OK);
    norm_make(&two, nn, nn_cpu());
    ENSURE(nn_load_weights(two.net, "build/graph.safetensors", NULL) == NN_OK);
    norm_read(&one, "running_mean", a[0]);
    norm_read(&two, "running_mean", b[0]);
    ENSURE(memcmp(a[0], b[0], sizeof a[0]) == 0);
    norm_make(&two, nn, nn_cpu());
    ENSURE(nn_load_checkpoint(two.trainer, "build/graph.checkpoint", NULL) == NN_OK);
    ENSURE(nn_move_trainer(two.trainer, device) == NN_OK);
    for (int s = 0; s < 3; s++)
        ENSURE(norm_step(&one, s % 2) == NN_OK && norm_step(&two, s % 2) == NN_OK);
    norm_read(&one, "running_mean", a[0]);
    norm_read(&one, "w", a[1]);
    norm_read(&two, "running_mean", b[0]);
    norm_read(&two, "w", b[1]);
    ENSURE(memcmp(a, b, sizeof a) == 0);
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* A buffer of any dtype starts with its value and survives a file. */
static void buffers_of_every_dtype(void) {
    static const nn_dtype dtypes[] = {NN_F32, NN_I32, NN_U8,  NN_F16, NN_BF16,
                                      NN_F64, NN_I64, NN_I16, NN_I8,  NN_BOOL};
    nn_context *nn = open_nn();
    /* round 0 saves ones, round 1 loads them over zeros */
    for (int round = 0; round < 2; round++) {
        nn_model *net = nn_make_model(nn, NULL);
        for (int d = 0; d < NN__COUNT(dtypes); d++)
            nn_buffer(net, nn_dtype_name(dtypes[d]), dtypes[d], NN_SHAPE(2, 5),
                      round == 0 ? 1.0 : 0.0);
        if (round == 0) ENSURE(nn_save_weights(net, "build/graph.safetensors") == NN_OK);
        if (round == 1) ENSURE(nn_load_weights(net, "build/graph.safetensors", NULL) == NN_OK);
        for (int d = 0; d < NN__COUNT(dtypes); d++) {
            nn_tensor *tensor = nn_find_tensor(net, nn_dtype_name(dtypes[d]));
            ENSURE(tensor != NULL && nn_tensor_dtype(tensor) == dtypes[d]);
            const size_t size = nn_dtype_size(dtypes[d]);
            for (size_t i = 0; i < 10; i++) {
                char bytes[8];
                nn__convert_to_file(dtypes[d], (char *)nn_tensor_data(tensor) + i * size, bytes, 1);
                ENSURE_CLOSE(nn__load_number(dtypes[d], bytes), 1.0, 0);
            }
        }
        nn_free_model(net);
    }
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

/* A counter of batches is i32 and is written by a copy. */
static void whole_numbers_are_assigned(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *given = nn_input(net, "given", NN_I32, NN_SHAPE(1)),
            *count = nn_buffer(net, "count", NN_I32, NN_SHAPE(1), 0.0);
    nn_node *w = nn_parameter(net, "w", NN_SHAPE(2, 3), -1.0f, 1.0f);
    nn_trainer_desc desc;
    const int32_t label[1] = {2};
    const unsigned char big[4] = {0x01, 0x94, 0x35, 0x77}; /* 2000000001 in a file */
    ZERO(desc);
    nn_assign(net, count, given);
    nn_node *rows = nn_reduce(net, NN_SUM, w, NN_AXES(0), true);
    nn_trainer *trainer = nn_make_trainer(net, nn_cross_entropy(net, rows, given, NULL), &desc);
    ENSURE(trainer != NULL);
    ENSURE(nn_upload(nn_trainer_plan(trainer), given, label, sizeof label) == NN_OK &&
           nn_train_on_inputs(trainer) == NN_OK);
    ENSURE(*(int32_t *)nn_tensor_data(nn_find_tensor(net, "count")) == 2);
    ENSURE(nn__load_number(NN_I32, big) == 2000000001.0);
    nn_close(nn);
}

/* The numbers in names count the nodes of one operation, in a description of any length. */
static void names_of_many_nodes(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(3)), *y = NULL;
    for (int i = 0; i < 10000; i++) {
        y = nn_tanh(net, x);
        x = nn_relu(net, y);
    }
    ENSURE_TEXT(nn_node_name(x), "relu_10000");
    ENSURE_TEXT(nn_node_name(y), "tanh_10000");
    ENSURE_TEXT(nn_node_name(nn_sigmoid(net, x)), "sigmoid");
    nn_close(nn);
}

/* Leaves are found by their names, even the first ones among thousands. */
static void leaves_of_many_names(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_linear_desc linear;
    char name[32];
    ZERO(linear);
    linear.out_features = 3;
    linear.shared = true;
    x = nn_linear(net, "first", x, &linear);
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "p%d", i);
        nn_parameter(net, name, NN_SHAPE(1), 0.0f, 0.0f);
        if (i % 100 == 0) nn_linear(net, "first", x, &linear);
    }
    ENSURE(nn_fault_count(net) == 0 && nn_parameter_count(net) == 5002);
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "p%d", i);
        nn_parameter(net, name, NN_SHAPE(1), 0.0f, 0.0f);
        ENSURE(nn_fault_count(net) == i + 1);
    }
    nn_close(nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static void report(const nn_model *net, char *text, size_t size) {
    nn_text out;
    nn_writer writer;
    ZERO(out);
    out.buffer = text;
    out.size = size;
    writer.function = nn_write_text;
    writer.user = &out;
    nn_write_faults(net, writer);
}

static void mistakes_with_outputs_and_buffers(void) {
    static const char wanted[] =
        "nn: 5 mistakes in \"model\"; nothing was run\n"
        "  1. nn_output \"relu\" at net.c:7\n"
        "       node       \"relu\" (batch, 3) f32\n"
        "     cause: there is no output 1; \"relu\" has 1, counted from 0\n"
        "     fix:   the operation's comment lists its outputs\n"
        "  2. assign \"w\" at net.c:7\n"
        "       buffer     \"w\"    (3) f32\n"
        "       value      \"relu\" (batch, 3) f32\n"
        "     cause: \"w\" (parameter) is neither a buffer nor a state\n"
        "     fix:   describe it with nn_buffer or nn_state\n"
        "  3. assign \"mean\" at net.c:7\n"
        "       buffer     \"mean\" (3) f32\n"
        "       value      \"relu\" (batch, 3) f32\n"
        "     cause: value is (batch, 3), but the buffer \"mean\" is (3); they must be equal\n"
        "     fix:   reduce or reshape the value\n"
        "  4. assign \"bytes\" at net.c:7\n"
        "       buffer     \"bytes\" (3) i64\n"
        "       value      \"w\"     (3) f32\n"
        "     cause: the buffer \"bytes\" is i64, which no operation writes\n"
        "     fix:   a buffer of f32 or i32\n"
        "  5. buffer \"w\" at net.c:7\n"
        "     cause: this name was already used at net.c:7\n"
        "     fix:   give another name, or .shared = true to apply the same layer again\n";
    char text[2000];
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_relu_at(AT, net, nn_input_at(AT, net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)));
    nn_node *w = nn_parameter_at(AT, net, "w", NN_SHAPE(3), 0.0f, 1.0f);
    nn_node *mean = nn_buffer_at(AT, net, "mean", NN_F32, NN_SHAPE(3), 0.0);
    nn_node *bytes = nn_buffer_at(AT, net, "bytes", NN_I64, NN_SHAPE(3), 0.0);
    nn_relu(net, nn_output_at(AT, x, 1)); /* silent: its operand was reported */
    nn_assign_at(AT, net, w, x);
    nn_assign_at(AT, net, mean, x);
    nn_assign_at(AT, net, bytes, w);
    nn_buffer_at(AT, net, "w", NN_F32, NN_SHAPE(3), 0.0);
    report(net, text, sizeof text);
    ENSURE_TEXT(text, wanted);
    nn_assign_at(AT, NULL, mean, x);
    ENSURE(nn_output_at(AT, NULL, 0) == NULL);
    nn_close(nn);
}

/* A buffer that is not on the device of its new value is a fault of placement like any other. */
static void assign_across_devices(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_trainer_desc desc;
    ZERO(desc);
    nn_device device;
    sim_desc options;
    ZERO(options);
    sim_device *sim = sim_open(nn, &options, &device);
    nn_device_begin(net, device);
    nn_node *mean = nn_buffer(net, "mean", NN_F32, NN_SHAPE(3), 0.0);
    nn_device_end(net);
    nn_node *w = nn_parameter(net, "w", NN_SHAPE(3), 0.0f, 1.0f);
    nn_assign(net, mean, w);
    ENSURE(nn_make_trainer(net, nn_reduce(net, NN_SUM, w, NN_ALL_AXES, false), &desc) == NULL);
    ENSURE(nn_error_code(nn) == NN_ERROR_FAULTS && strstr(nn_error(nn), "wrong device") != NULL);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* A message proposes the name with the smallest distance: the number of letters to insert, take out
   or replace. */
static void distances_of_names(void) {
    static const struct {
        const char *a, *b;
        int distance;
    } names[] = {{"", "", 0},
                 {"fc1", "fc1", 0},
                 {"", "fc1", 3},
                 {"xfc1", "fc1", 1},
                 {"fc1x", "fc1", 1},
                 {"fx1", "fc1", 1},
                 {"cf1", "fc1", 2},
                 {"bias", "fc1", 4},
                 {"kitten", "sitting", 3},
                 {"layer", "player", 1},
                 {"fc.weight", "weight", 3}};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
        ENSURE(nn__name_distance(names[i].a, names[i].b) == names[i].distance);
        ENSURE(nn__name_distance(names[i].b, names[i].a) == names[i].distance);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(several_outputs);
    RUN(gradients_of_several_outputs);
    RUN(index_of_max_pooling);
    RUN(running_mean);
    RUN(effects_need_their_inputs);
    RUN(buffers_are_kept);
    RUN(buffers_of_every_dtype);
    RUN(whole_numbers_are_assigned);
    RUN(names_of_many_nodes);
    RUN(leaves_of_many_names);
    RUN(mistakes_with_outputs_and_buffers);
    RUN(assign_across_devices);
    RUN(distances_of_names);
    return test_report();
}
