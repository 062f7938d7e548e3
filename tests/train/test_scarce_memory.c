/* test_scarce_memory.c: each allocation of a call fails once. The call then returns an error that
   says so, leaves nothing half made, and the same call after it succeeds with the same bytes as if
   nothing had failed. Covers plans and trainers of random nets, loaders, quantised nets and
   nn_fit. tests/train/test_failures.c fails the allocations of one whole program instead.

   The arena of descriptions takes memory in pieces of NN__ARENA_CHUNK bytes. `make test-full` builds
   with small ones for its coverage, so that nearly every request of the library becomes an
   allocation that can fail here.

   NN_FULL=1: quantised nets of every calibration instead of two. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"

#include "inside.h"

#include "lists.h"
#include "random_graph.h"
#include "scarce.h"
#include "sim_device.h"
#include "quantize_nets.h"

enum { MOST = 6000 }; /* allocations that fail, of one scenario */

/* One scenario in one context, with the allocation that fails. */
typedef struct trial {
    nn_context *nn;
    scarce *memory;
    nn_device device;
    int fail_at;    /* 0: none */
    bool reached;   /* the call reached that allocation */
    int refused;    /* calls that returned an error */
    uint64_t hash;  /* of the results */
    uint64_t which; /* the net */
    const char *error;
} trial;

static void arm(trial *t) {
    t->memory->calls = 0;
    t->memory->once = true;
    t->memory->fail_at = t->fail_at;
}
/* Ends a call whose allocation fails. The error of a failed call says what there is no memory for. */
static bool disarm(trial *t, bool made) {
    const bool first = t->memory->fail_at > 0;
    t->memory->fail_at = 0;
    if (first && t->memory->calls >= t->fail_at) t->reached = true;
    if (made) return true;
    t->refused++;
    if (!first || nn_error_code(t->nn) != NN_ERROR_MEMORY || !nn_error(t->nn) ||
        !strstr(nn_error(t->nn), "memory"))
        t->error = nn_error(t->nn) ? "another error" : "no error";
    if (t->error && nn_error(t->nn)) printf("     %s\n", nn_error(t->nn));
    nn_clear_error(t->nn);
    return false;
}
/* Calls again without a failure if the first call is refused. */
#define TWICE(t, call) (arm(t), disarm((t), (call)) || (call))

static void add_bytes(trial *t, const void *data, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        t->hash = (t->hash ^ ((const unsigned char *)data)[i]) * UINT64_C(1099511628211);
}
static void add_tensor(trial *t, nn_tensor *tensor) {
    const size_t bytes = (size_t)nn_tensor_bytes(tensor);
    void *data = malloc(bytes + 1);
    if (nn_download_tensor(tensor, data, bytes) == NN_OK) add_bytes(t, data, bytes);
    else t->error = "a tensor cannot be read";
    free(data);
}
static void add_model(trial *t, nn_model *net) {
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node)) {
        const nn_node_kind kind = nn_describe_node(node).kind;
        add_bytes(t, nn_node_name(node), strlen(nn_node_name(node)));
        if (kind == NN_NODE_PARAMETER || kind == NN_NODE_BUFFER)
            add_tensor(t, nn_find_tensor(net, nn_node_name(node)));
    }
}

/* Runs a scenario without a failure, and then once for each of its allocations, which fails. */
static void each_fails(const char *name, bool (*scenario)(trial *t), uint64_t which, bool gpu) {
    uint64_t wanted = 0;
    int n = 0, refused = 0;
    for (bool more = true; more && n < MOST; n++) {
        scarce memory;
        trial t;
        sim_desc simulated;
        sim_device *sim = NULL;
        memset(&memory, 0, sizeof memory);
        memset(&t, 0, sizeof t);
        memset(&simulated, 0, sizeof simulated);
        simulated.gpu = simulated.asynchronous = true;
        t.nn = nn_open(&(nn_desc){
            .threads = 1, .allocator = scarce_memory(&memory), .log.function = write_nowhere});
        t.memory = &memory;
        t.device = nn_cpu();
        t.which = which;
        if (gpu) sim = sim_open(t.nn, &simulated, &t.device);
        t.fail_at = n;
        const bool fine = scenario(&t);
        if (n == 0) wanted = t.hash;
        if (test_wrong(!fine || t.error || t.hash != wanted || (n == 0 && t.refused)))
            test_fail(__FILE__, __LINE__, "%s %d, allocation %d: %s", name, (int)which, n,
                      t.error                    ? t.error
                      : !fine && nn_error(t.nn)  ? nn_error(t.nn)
                      : !fine                    ? "refused without a failure"
                                                 : "the bytes differ from those without a failure");
        more = n == 0 || t.reached;
        refused += t.refused;
        nn_close(t.nn);
        if (sim && test_wrong(sim_free(sim) != 0))
            test_fail(__FILE__, __LINE__, "%s %d, allocation %d: the device keeps memory", name,
                      (int)which, n);
        if (test_wrong(memory.live != 0))
            test_fail(__FILE__, __LINE__, "%s %d, allocation %d: %lld bytes leak", name,
                      (int)which, n, (long long)memory.live);
        if (test_this_failed > 10) return;
    }
    if (getenv("NN_VERBOSE")) printf("%s %d: %d allocations, %d refused\n", name, (int)which, n, refused);
    if (test_wrong(refused == 0 || n == MOST))
        test_fail(__FILE__, __LINE__, "%s %d: %d allocations, %d refused", name, (int)which, n, refused);
}

/* ---- random nets ----------------------------------------------------------------------------- */

static graph drawn;

/* Uploads the drawn numbers of all inputs. */
static bool feed(nn_plan *plan) {
    static float numbers[GRAPH_BATCH * GRAPH_TIME * GRAPH_ELEMENTS];
    static int32_t classes[GRAPH_BATCH * GRAPH_TIME * GRAPH_ELEMENTS];
    for (int i = 0; i < drawn.count; i++) {
        const graph_item *x = &drawn.items[i];
        if ((x->kind != GRAPH_INPUT && x->kind != GRAPH_LABEL) || !nn_plan_view(plan, x->node).dtype)
            continue;
        const size_t n = (size_t)graph_elements(&drawn, x->shape);
        for (size_t k = 0; k < n; k++) numbers[k] = (float)x->v[k], classes[k] = (int32_t)x->v[k];
        if (nn_upload(plan, x->node, x->kind == GRAPH_LABEL ? (void *)classes : (void *)numbers,
                      4 * n) != NN_OK)
            return false;
    }
    return true;
}

static bool of_plan(trial *t) {
    nn_model *net = nn_make_model(t->nn, &(nn_model_desc){.device = t->device, .seed = 3});
    nn_plan_desc desc = {.batch = GRAPH_BATCH, .time = GRAPH_TIME};
    nn_plan *plan = NULL;
    nn_node *outputs[3];
    int count = 0;
    graph_describe(&drawn, net, t->which % 5 == 0);
    for (int i = drawn.count - 1; i >= 0 && count < 3; i -= 2)
        if (drawn.items[i].kind == GRAPH_OPERATION) outputs[count++] = drawn.items[i].node;
    if (!count) outputs[count++] = drawn.items[drawn.terms[0]].node;
    desc.outputs.node = outputs;
    desc.outputs.count = count;
    desc.poison = t->which % 3 == 0;
    if (!TWICE(t, (plan = nn_make_plan(net, &desc)) != NULL) || !feed(plan) ||
        nn_run(plan) != NN_OK)
        return false;
    for (int i = 0; i < count; i++) {
        const size_t bytes = nn_dtype_size(nn_node_dtype(outputs[i])) *
                             (size_t)graph_elements(&drawn, nn_node_shape(outputs[i]));
        void *data = malloc(bytes + 1);
        if (nn_download(plan, outputs[i], data, bytes) == NN_OK) add_bytes(t, data, bytes);
        else t->error = nn_error(t->nn) ? nn_error(t->nn) : "an output cannot be read";
        free(data);
    }
    return true;
}

static bool of_trainer(trial *t) {
    static const nn_optimizer optimizers[] = {NN_SGD, NN_ADAMW, NN_NADAM, NN_RMSPROP};
    nn_model *net = nn_make_model(t->nn, &(nn_model_desc){.device = t->device, .seed = 3});
    nn_node *loss = graph_describe(&drawn, net, false);
    nn_trainer *trainer = NULL;
    nn_trainer_desc desc = {.batch = GRAPH_BATCH, .time = GRAPH_TIME, .learning_rate = 1e-3f};
    float lost;
    desc.optimizer = optimizers[t->which % 4];
    desc.max_norm = t->which % 2 ? 1.0f : 0.0f;
    desc.gradients = t->which % 3 == 1;
    desc.average.decay = t->which % 5 == 1 ? 0.5f : 0.0f;
    desc.separate_steps = t->which % 7 == 1;
    if (!TWICE(t, (trainer = nn_make_trainer(net, loss, &desc)) != NULL) ||
        !feed(nn_trainer_plan(trainer)) || nn_train_on_inputs(trainer) != NN_OK ||
        nn_read_loss(trainer, &lost) != NN_OK)
        return false;
    add_bytes(t, &lost, sizeof lost);
    add_model(t, net);
    return true;
}

/* Draws nets of f32, and runs the scenario on each of them with every allocation failing once. */
static void of_nets(const char *name, bool (*scenario)(trial *t), uint64_t first, int nets, bool gpu) {
    for (uint64_t seed = first; nets > 0; seed++) {
        const bool fits = graph_make(&drawn, seed, 10) && drawn.storage == NN_F32;
        if (fits) {
            each_fails(name, scenario, seed, gpu);
            nets--;
        }
        graph_free(&drawn);
        if (test_this_failed) return;
    }
}
static void test_plans(void) { of_nets("plan", of_plan, 1, 12, false); }
static void test_plans_of_a_gpu(void) { of_nets("plan", of_plan, 40, 6, true); }
static void test_trainers(void) { of_nets("trainer", of_trainer, 60, 10, false); }
static void test_trainers_of_a_gpu(void) { of_nets("trainer", of_trainer, 90, 5, true); }

/* ---- loaders and quantised nets -------------------------------------------------------------- */

enum { SIDE = 6, SAMPLES = 10 };

/* Makes a loader of images and labels, and reads an epoch. */
static bool of_loader(trial *t) {
    static uint8_t images[SAMPLES * SIDE * SIDE];
    static float targets[SAMPLES];
    for (int i = 0; i < SAMPLES * SIDE * SIDE; i++) images[i] = (uint8_t)(i * 7);
    for (int i = 0; i < SAMPLES; i++) targets[i] = (float)i;
    nn_dataset_desc data = {.count = SAMPLES};
    nn_augment_desc augment = {.flip = 0.5f, .crop = SIDE, .padding = 1, .mixup = 0.5f};
    nn_loader_desc desc = {.batch = 4, .device = t->device, .seed = 3, .shuffle = true};
    nn_dataset *dataset = NULL;
    nn_loader *loader = NULL;
    FIELD_AT(data.fields, 0) = (nn_field){.name = "image", .shape = NN_SHAPE(1, SIDE, SIDE),
                                          .data = images, .data_dtype = NN_U8, .scale = 1.0f / 255};
    FIELD_AT(data.fields, 1) = (nn_field){.name = "y", .shape = NN_SHAPE(1), .data = targets};
    desc.augment = t->which & 1 ? &augment : NULL;
    desc.on_device = (t->which & 2) != 0;
    desc.workers = t->which & 4 ? 2 : 0;
    desc.prefetch = 2;
    if (!TWICE(t, (dataset = nn_make_dataset(t->nn, &data)) != NULL)) return false;
    desc.dataset = dataset;
    if (!TWICE(t, (loader = nn_make_loader(t->nn, &desc)) != NULL)) return false;
    for (int batches = 0; batches < 3; batches++) {
        if (!nn_next_batch(loader)) return false;
        add_tensor(t, nn_batch_tensor(loader, "image"));
        add_tensor(t, nn_batch_tensor(loader, "y"));
    }
    return nn_loader_result(loader) == NN_OK;
}
static void test_loaders(void) {
    for (uint64_t which = 0; which < 8; which++) each_fails("loader", of_loader, which, which % 3 == 1);
}

/* A small net of each kind of layer. It is calibrated in several ways, or prepared for training and
   then converted. */
static nn_model *describe_small(trial *t, nn_node **y) {
    nn_model *net = nn_make_model(t->nn, &(nn_model_desc){.name = "small", .seed = 5});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    x = nn_conv2d(net, "stem", x,
                  &(nn_conv2d_desc){.out_channels = 4, .kernel = 3, .stride = 2, .padding = 1});
    x = nn_relu6(net, nn_batch_norm2d(net, "norm", x, NULL));
    nn_node *side = nn_conv2d(net, "depth", x,
                              &(nn_conv2d_desc){.out_channels = 4, .kernel = 3, .padding = 1, .groups = 4});
    x = nn_hardswish(net, nn_add(net, x, side));
    nn_node *gate = nn_adaptive_avg_pool2d(net, x, 1, 1);
    x = nn_multiply(net, nn_hardsigmoid(net, gate), x);
    x = nn_max_pool2d(net, x, &(nn_pool2d_desc){.kernel = 2});
    x = nn_flatten(net, nn_flip(net, x, NN_AXES(2)));
    *y = nn_linear(net, "fc", x, &(nn_linear_desc){.out_features = 5, .no_bias = t->which == 3});
    return net;
}

static bool of_quantized(trial *t) {
    nn_node *y;
    nn_model *net = describe_small(t, &y), *made = NULL, *whole = NULL;
    nn_loader *loader = zoo_loader(t->nn, zoo_numbers, 12);
    nn_quantize_net_desc desc = {.batches = 2, .report.function = write_nowhere};
    desc.calibration = (nn_calibration)(t->which % 4);
    if (t->which < 4) {
        if (!TWICE(t, (made = nn_quantize_net(net, loader, &desc)) != NULL)) return false;
        add_model(t, made);
        return true;
    }
    if (!TWICE(t, (made = nn_prepare_qat(net, loader, &desc)) != NULL)) return false;
    add_model(t, made);
    trial second = *t; /* the conversion has allocations of its own */
    second.reached = false;
    if (!TWICE(&second, (whole = nn_quantize_net(made, loader, &desc)) != NULL)) return false;
    add_model(&second, whole);
    second.reached = second.reached || t->reached;
    *t = second;
    return true;
}
static void test_quantized(void) {
    const bool full = getenv("NN_FULL") != NULL;
    fill_zoo();
    for (uint64_t which = full ? 0 : 2; which < 6; which += full ? 1 : 3)
        each_fails("quantized", of_quantized, which, false);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_plans);
    RUN(test_plans_of_a_gpu);
    RUN(test_trainers);
    RUN(test_trainers_of_a_gpu);
    RUN(test_loaders);
    RUN(test_quantized);
    return test_report();
}
