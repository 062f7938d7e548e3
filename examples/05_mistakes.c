/* 05_mistakes.c - every mistake is found before it does harm, and reported with names, shapes,
   devices, the line and a fix.
   Run:    cc -O2 05_mistakes.c -o mistakes -lm -lpthread && ./mistakes
   Prints: eleven mistakes, each with its report, and then that the same context works as before. A
           simulated device of the tests stands in for a GPU, so that devices can be mixed up on any
           machine. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../tests/support/sim_device.h"
#include <stdio.h>

typedef struct small_net { /* (batch, 4) to 3 classes */
    nn_model *net;
    nn_node  *x, *label, *logits, *loss;
} small_net;

static small_net describe(nn_context *nn, nn_device device) {
    small_net s;
    s.net = nn_make_model(nn, &(nn_model_desc){.name = "small", .device = device});
    s.x = nn_input(s.net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    s.label = nn_input(s.net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    s.logits = nn_linear(s.net, "fc", s.x, &(nn_linear_desc){.out_features = 3});
    s.loss = nn_cross_entropy(s.net, s.logits, s.label, NULL);
    return s;
}

static void wrong_in_features(nn_context *nn, nn_device gpu) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "cnn", .device = gpu});
    nn_node  *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 64, 64));
    nn_node *x = nn_conv2d(net, "conv1", image,
                           &(nn_conv2d_desc){.out_channels = 16, .kernel = 3, .padding = 1});
    x = nn_flatten(net, nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2}));
    nn_node *logits = nn_linear(net, "fc", x,
                                &(nn_linear_desc){.in_features = 16 * 16 * 16, .out_features = 10});
    /* the report names the cause, not softmax */
    nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(nn_softmax(net, logits))});
}

/* Puts a layer and a tensor of the user on the CPU, in a net on the GPU. */
static void two_on_the_wrong_device(nn_context *nn, nn_device gpu) {
    static float ones[10];
    nn_tensor *mine = nn_wrap(nn, "pos_weight", NN_F32, NN_SHAPE(10), ones); /* on the CPU */
    nn_model  *net = nn_make_model(nn, &(nn_model_desc){.name = "tagger", .device = gpu});
    nn_node   *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 64));
    nn_node *target = nn_input(net, "target", NN_F32, NN_SHAPE(NN_BATCH, 10));
    nn_device_begin(net, nn_cpu());
    nn_node *odd = nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = 32});
    nn_device_end(net);
    nn_node *logits =
        nn_linear(net, "fc2", nn_transfer(net, odd, gpu), &(nn_linear_desc){.out_features = 10});
    nn_node *loss =
        nn_bce_with_logits(net, logits, target, &(nn_bce_desc){.pos_weight = nn_borrow(net, mine)});
    nn_make_trainer(net, loss, &(nn_trainer_desc){.batch = 8});
}

static void device_left_in_force(nn_context *nn, nn_device gpu) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "unended", .device = gpu});
    nn_node  *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 64));
    nn_node *features =
        nn_relu(net, nn_linear(net, "features", x, &(nn_linear_desc){.out_features = 32}));
    nn_device_begin(net, nn_cpu()); /* set for something small, and then forgotten */
    nn_node *logits = nn_linear(net, "fc", features, &(nn_linear_desc){.out_features = 10});
    nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(logits)});
}

static void device_not_open(nn_context *nn, nn_device gpu) {
    (void)gpu;
    small_net s = describe(nn, nn_opencl(0));
    nn_make_plan(s.net, &(nn_plan_desc){.outputs = NN_NODES(s.logits)});
}

static void bad_input(nn_context *nn, nn_device gpu) {
    int32_t   labels[2] = {0}, bytes[3] = {0};
    small_net s = describe(nn, nn_cpu());
    nn_plan  *plan = nn_make_plan(s.net, &(nn_plan_desc){.outputs = NN_NODES(s.loss), .batch = 2});
    nn_bind(plan, s.x, nn_wrap(nn, "bytes", NN_U8, NN_SHAPE(2, 5), bytes));
    nn_bind(plan, s.label, nn_copy_to(nn_wrap(nn, "labels", NN_I32, NN_SHAPE(2), labels), gpu));
    nn_run(plan);
}

static void train_once(nn_context *nn, float value, int32_t label) {
    float       x[2][4] = {{1, 2, 3, 4}, {5, 6, 7, value}}, loss;
    int32_t     labels[2] = {0, label};
    small_net   s = describe(nn, nn_cpu());
    nn_trainer *trainer = nn_make_trainer(s.net, s.loss, &(nn_trainer_desc){.batch = 2});
    nn_upload(nn_trainer_plan(trainer), s.x, x, sizeof x);
    nn_upload(nn_trainer_plan(trainer), s.label, labels, sizeof labels);
    for (int step = 0; step < 3; step++)
        nn_train_on_inputs(trainer); /* the first fault stops all updates */
    nn_read_loss(trainer, &loss);
}
static void label_out_of_range(nn_context *nn, nn_device gpu) {
    (void)gpu, train_once(nn, 8.0f, 3);
}
static void loss_is_nan(nn_context *nn, nn_device gpu) { (void)gpu, train_once(nn, NAN, 1); }

static void truncated_file(nn_context *nn, nn_device gpu) {
    const unsigned char idx[] = {0, 0, 8, 1, 0, 0, 0, 100, 1, 2, 3}; /* promises 100 bytes, has 3 */
    FILE               *file = fopen("mistakes.idx", "wb");
    (void)gpu;
    if (file) fwrite(idx, 1, sizeof idx, file), fclose(file);
    nn_load_idx(nn, "mistakes.idx");
    remove("mistakes.idx");
}

static void stale_plan(nn_context *nn, nn_device gpu) {
    float     x[4] = {1, 2, 3, 4};
    small_net s = describe(nn, nn_cpu());
    nn_plan  *plan = nn_make_plan(s.net, &(nn_plan_desc){.outputs = NN_NODES(s.logits)});
    nn_upload(plan, s.x, x, sizeof x);
    nn_run(plan); /* fine */
    nn_move_model(s.net, gpu);
    nn_run(plan); /* its weights have moved */
}

static void ledger_limit(nn_context *nn, nn_device gpu) {
    float      numbers[256] = {0};
    nn_tensor *tensor = nn_copy_to(nn_wrap(nn, "table", NN_F32, NN_SHAPE(256), numbers), gpu);
    nn_ledger_limit(nn, &(nn_ledger_limits){.upload_bytes = 1500});
    nn_upload_tensor(tensor, numbers, sizeof numbers); /* 1024 bytes: fine */
    nn_upload_tensor(tensor, numbers, sizeof numbers); /* above this frame's limit */
    nn_ledger_limit(nn, NULL);
}

static void no_memory(nn_context *nn, nn_device gpu) {
    nn_make_tensor(nn,
                   &(nn_tensor_desc){.name = "huge", .shape = NN_SHAPE(1 << 20), .device = gpu});
}

#define MISTAKE(function) {#function, function}

int main(void) {
    static const struct {
        const char *title;
        void (*provoke)(nn_context *nn, nn_device gpu);
    } mistakes[] = {MISTAKE(wrong_in_features),
                    MISTAKE(two_on_the_wrong_device),
                    MISTAKE(device_left_in_force),
                    MISTAKE(device_not_open),
                    MISTAKE(bad_input),
                    MISTAKE(label_out_of_range),
                    MISTAKE(loss_is_nan),
                    MISTAKE(truncated_file),
                    MISTAKE(stale_plan),
                    MISTAKE(ledger_limit),
                    MISTAKE(no_memory)};
    nn_device   gpu;
    sim_desc    pretended = {.memory = 1 << 20};
    nn_context *nn = nn_open(NULL); /* no log: this program prints nn_error itself */
    sim_device *sim = sim_open(nn, &pretended, &gpu);
    int         silent = 0;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        mistakes[i].provoke(nn, gpu);
        printf("---- %s\n%s\n", mistakes[i].title, nn_error(nn) ? nn_error(nn) : "(no report)");
        silent += nn_error(nn) == NULL;
        nn_clear_error(nn);
    }
    float     x[4] = {1, 2, 3, 4}, scores[3];
    small_net s = describe(nn, gpu);
    nn_plan  *plan = nn_make_plan(s.net, &(nn_plan_desc){.outputs = NN_NODES(s.logits)});
    nn_upload(plan, s.x, x, sizeof x);
    nn_run(plan);
    if (nn_download(plan, s.logits, scores, sizeof scores) == NN_OK && silent == 0)
        printf("---- and the same context still works: %f, %f, ...\n", (double)scores[0],
               (double)scores[1]);
    silent += nn_error(nn) != NULL;
    nn_close(nn);
    /* it counted accesses to memory that is not its own, and leaks */
    return sim_free(sim) + silent > 0;
}
