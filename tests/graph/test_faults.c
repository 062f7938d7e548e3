/* test_faults.c: whole reports of mistakes, word for word, on a simulated device with its own
   address space, and with NN_TEST_OPENCL on every OpenCL device. Nothing may have run: the
   simulated device counts its calls, and the ledger counts crossings. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "inside.h"
#include "open.h"
#include "sim_device.h"
#include "test.h"
#include "lists.h"

#define AT(line) nn_make_site("train.c", line)
#define SIM nn_make_device(NN_USER_0, 0)

typedef struct world {
    nn_context *nn;
    sim_device *sim;
    nn_device   device;
} world;

static int real = -1; /* the OpenCL device of this round; -1: the simulated one */
static char there_name[32] = "user0:0", there_text[320] = "user0:0 (simulated)";

#ifdef NN_TEST_OPENCL
static void open_real(world *w) {
    nn_opencl_desc desc;
    nn_device_limits limits;
    void *state = NULL;
    const nn_backend *backend;
    memset(&desc, 0, sizeof desc);
    memset(&limits, 0, sizeof limits);
    desc.cache_folder = "";
    nn_opencl_open(w->nn, &desc);
    w->device = nn_opencl(real);
    backend = nn_device_backend(w->nn, w->device, &state);
    if (!backend) return;
    backend->limits(state, &limits);
    nn_format_device(w->device, there_name, sizeof there_name);
    snprintf(there_text, sizeof there_text, "%s (%s)", there_name, limits.name);
}
#else
static void open_real(world *w) { (void)w; }
#endif

/* desc NULL: opens the device of this round; else a simulated one. */
static world open_world(const sim_desc *desc) {
    world    w;
    sim_desc plain;
    nn_desc  context;
    memset(&w, 0, sizeof w);
    memset(&plain, 0, sizeof plain);
    memset(&context, 0, sizeof context);
    context.threads = 1;
    w.nn = nn_open(&context);
    if (real >= 0 && !desc) {
        open_real(&w);
        return w;
    }
    w.sim = sim_open(w.nn, desc ? desc : &plain, &w.device);
    memset(w.sim->counters, 0, sizeof w.sim->counters);
    return w;
}

static void close_world(world w) {
    nn_close(w.nn);
    if (w.sim && sim_free(w.sim) != 0)
        test_fail(__FILE__, __LINE__, "the simulated device saw violations or leaks");
}

static void forget_calls(world w) {
    nn_reset_ledger(w.nn);
    if (w.sim) memset(w.sim->counters, 0, sizeof w.sim->counters);
}

/* Counts the calls that do something; calls that only ask are not counted. */
static uint64_t device_calls(world w) {
    const sim_device *sim = w.sim;
    if (!sim) return (uint64_t)nn_ledger_count(w.nn);
    return sim->counters[SIM_ALLOC] + sim->counters[SIM_UPLOAD] + sim->counters[SIM_DOWNLOAD] +
           sim->counters[SIM_COPY] + sim->counters[SIM_FILL] + sim->counters[SIM_KERNEL];
}

/* Replaces the simulated device's names in a report by those of this round's device. */
static const char *named(const char *text) {
    static const char whole[] = "user0:0 (simulated)", name[] = "user0:0";
    static char out[4200];
    size_t length = 0;
    while (*text && length + sizeof there_text < sizeof out) {
        const char *with = NULL, *from = strncmp(text, whole, sizeof whole - 1) == 0 ? whole : name;
        if (strncmp(text, from, strlen(from)) == 0) with = from == whole ? there_text : there_name;
        if (with) {
            memcpy(out + length, with, strlen(with));
            length += strlen(with);
            text += strlen(from);
        } else out[length++] = *text++;
    }
    out[length] = 0;
    return out;
}

static nn_model *make_net(world w, nn_device device) {
    nn_model_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.name = "cnn";
    desc.device = device;
    return nn_make_model_at(AT(20), w.nn, &desc);
}

static nn_plan *plan_of(nn_model *net, nn_node *output) {
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = output;
    desc.batch = 8;
    return nn_make_plan_at(AT(50), net, &desc);
}

static nn_node *linear(nn_model *net, int line, const char *name, nn_node *x, int out, int in) {
    nn_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = out;
    desc.in_features = in;
    return nn_linear_at(AT(line), net, name, x, &desc);
}

/* Describes the image net up to "flatten": (batch, 3, 64, 64) to (batch, 16384). */
static nn_node *features(nn_model *net) {
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    conv.out_channels = 16;
    conv.kernel = 3;
    conv.padding = 1;
    pool.kernel = 2;
    nn_node *x = nn_input_at(AT(24), net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 64, 64));
    x = nn_conv2d_at(AT(25), net, "conv1", x, &conv);
    x = nn_max_pool2d_at(AT(26), net, nn_relu_at(AT(26), net, x), &pool);
    return nn_flatten_at(AT(30), net, x);
}

static void expect(world w, nn_plan *plan, const char *report) {
    ENSURE(plan == NULL);
    ENSURE(nn_error_code(w.nn) == NN_ERROR_FAULTS);
    ENSURE_TEXT(nn_error(w.nn), named(report));
    ENSURE(device_calls(w) == 0);
}

static void test_two_classic_mistakes_together(void) {
    world       w = open_world(NULL);
    nn_model   *net = make_net(w, w.device);
    nn_bce_desc bce;
    nn_tensor_desc ten;
    memset(&bce, 0, sizeof bce);
    memset(&ten, 0, sizeof ten);
    ten.name = "pos_weight";
    ten.shape = NN_SHAPE(10);
    nn_node *x = features(net),
            *target = nn_input_at(AT(28), net, "target", NN_F32, NN_SHAPE(NN_BATCH, 10));
    nn_tensor *weight = nn_make_tensor_at(AT(22), w.nn, &ten);
    nn_node *on_device = linear(net, 29, "head", x, 10, 0);
    bce.pos_weight = nn_borrow_at(AT(33), net, weight);
    nn_node *loss = nn_bce_with_logits_at(AT(34), net, on_device, target, &bce);
    nn_device_begin_at(AT(35), net, nn_cpu());
    nn_node *logits = linear(net, 36, "fc", x, 10, 0);
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = logits;
    NODE_AT(desc.outputs, 1) = loss;
    expect(w, nn_make_plan_at(AT(50), net, &desc),
           "nn: 2 operands are on the wrong device; nothing was run\n"
           "  1. bce_with_logits at train.c:34\n"
           "       logits     \"head\"       (batch, 10) f32  on user0:0 (simulated)\n"
           "       pos_weight \"pos_weight\" (10) f32         on cpu\n"
           "     cause: a tensor of yours, not registered with the model, so it stays where you "
           "made it\n"
           "     fix:   nn_constant(net, \"pos_weight\", tensor) once, or nn_copy_to(tensor, "
           "user0:0)\n"
           "  2. linear \"fc\" at train.c:36\n"
           "       input      \"flatten\"   (batch, 16384) f32  on user0:0 (simulated)\n"
           "       weight     \"fc.weight\" (10, 16384) f32     on cpu\n"
           "     cause: \"fc\" was described inside nn_device_begin(net, cpu) at train.c:35, which "
           "was never ended\n"
           "     fix:   end it before \"fc\", or cross on purpose: nn_transfer(net, x, nn_cpu())");
    close_world(w);
}

/* In training the gradients of a misplaced operation are misplaced too, and must not be counted
   again. */
static void test_mistakes_of_a_trainer(void) {
    world       w = open_world(NULL);
    nn_model   *net = make_net(w, w.device);
    nn_bce_desc bce;
    nn_tensor_desc ten;
    nn_trainer_desc desc;
    memset(&bce, 0, sizeof bce);
    memset(&ten, 0, sizeof ten);
    memset(&desc, 0, sizeof desc);
    ten.name = "pos_weight";
    ten.shape = NN_SHAPE(10);
    nn_node *x = nn_input_at(AT(27), net, "x", NN_F32, NN_SHAPE(NN_BATCH, 64));
    nn_node *target = nn_input_at(AT(28), net, "target", NN_F32, NN_SHAPE(NN_BATCH, 10));
    nn_device_begin_at(AT(29), net, nn_cpu());
    x = linear(net, 30, "fc1", x, 32, 0);
    nn_device_end_at(AT(31), net);
    x = linear(net, 32, "fc2", nn_transfer_at(AT(32), net, x, w.device), 10, 0);
    bce.pos_weight = nn_borrow_at(AT(33), net, nn_make_tensor_at(AT(22), w.nn, &ten));
    nn_trainer *trainer =
        nn_make_trainer_at(AT(40), net, nn_bce_with_logits_at(AT(34), net, x, target, &bce), &desc);
    ENSURE(trainer == NULL && nn_error_code(w.nn) == NN_ERROR_FAULTS);
    ENSURE(strncmp(nn_error(w.nn), "nn: 2 operands are on the wrong device; nothing was run\n",
                   56) == 0);
    ENSURE(strstr(nn_error(w.nn), "1. linear \"fc1\" at train.c:30") &&
           strstr(nn_error(w.nn), "2. bce_with_logits at train.c:34"));
    ENSURE(device_calls(w) == 0);
    close_world(w);
}

/* A model whose nn_transfer names the device it was on cannot follow it to another: one fault,
   which says so, and not one more for each gradient. */
static void test_transfer_stays_behind(void) {
    sim_desc none;
    nn_device sim;
    memset(&none, 0, sizeof none);
    nn_context *nn = nn_open(NULL);
    sim_device *device = sim_open(nn, &none, &sim);
    nn_model_desc model;
    memset(&model, 0, sizeof model);
    model.device = sim;
    nn_model *net = nn_make_model(nn, &model);
    nn_node *x = nn_input_at(AT(10), net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_node *label = nn_input_at(AT(11), net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *here = nn_transfer_at(AT(12), net, linear(net, 12, "fc1", x, 8, 0), nn_cpu());
    nn_device_begin_at(AT(13), net, nn_cpu());
    nn_node *placed = linear(net, 14, "fc2", here, 8, 0);
    nn_device_end_at(AT(15), net);
    nn_node *back = nn_transfer_at(AT(16), net, placed, sim);
    nn_node *loss =
        nn_cross_entropy_at(AT(18), net, linear(net, 17, "fc3", back, 3, 0), label, NULL);
    nn_trainer_desc desc;
    memset(&desc, 0, sizeof desc);
    nn_trainer *trainer = nn_make_trainer(net, loss, &desc);
    ENSURE(trainer && !nn_error(nn));
    ENSURE(nn_move_trainer_at(AT(20), trainer, nn_cpu()) == NN_ERROR_FAULTS);
    ENSURE_TEXT(
        nn_error(nn),
        "nn: 1 operand is on the wrong device; nothing was run\n"
        "  1. linear \"fc3\" at train.c:17\n"
        "       input      \"transfer_2\" (batch, 8) f32  on user0:0 (simulated)\n"
        "       weight     \"fc3.weight\" (3, 8) f32      on cpu\n"
        "     cause: nn_move_trainer at train.c:20 took the model to cpu, but \"transfer_2\" at "
        "train.c:16 still crosses to user0:0\n"
        "     fix:   describe the net for cpu, with nn_transfer(net, fc2, nn_cpu()) in that place "
        "or without it");
    nn_close(nn);
    ENSURE(sim_free(device) == 0);
}

static void test_scope_ended(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, w.device);
    nn_node  *x = features(net);
    nn_device_begin_at(AT(31), net, nn_cpu());
    nn_node *y = linear(net, 32, "fc", x, 10, 0);
    nn_device_end_at(AT(33), net);
    expect(w, plan_of(net, y),
           "nn: 1 operand is on the wrong device; nothing was run\n"
           "  1. linear \"fc\" at train.c:32\n"
           "       input      \"flatten\"   (batch, 16384) f32  on user0:0 (simulated)\n"
           "       weight     \"fc.weight\" (10, 16384) f32     on cpu\n"
           "     cause: \"fc\" was described inside nn_device_begin(net, cpu) at train.c:31\n"
           "     fix:   cross on purpose: nn_transfer(net, flatten, nn_cpu())");
    close_world(w);
}

static void test_result_of_a_scope_used_outside(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, nn_cpu());
    nn_device_begin_at(AT(21), net, w.device);
    nn_node *x = features(net);
    nn_device_end_at(AT(31), net);
    nn_node *y = nn_tanh_at(AT(32), net, x);
    expect(
        w, plan_of(net, y),
        "nn: 1 operand is on the wrong device; nothing was run\n"
        "  1. tanh at train.c:32\n"
        "       x          \"flatten\" (batch, 16384) f32  on user0:0 (simulated)\n"
        "       output     \"tanh\"    (batch, 16384) f32  on cpu\n"
        "     cause: \"flatten\" was described inside nn_device_begin(net, user0:0) at train.c:21\n"
        "     fix:   cross on purpose: nn_transfer(net, flatten, nn_cpu())");
    close_world(w);
}

static void test_device_not_open(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, nn_opencl(0));
    nn_node  *y = linear(net, 32, "fc", features(net), 10, 0);
    expect(w, plan_of(net, y),
           "nn: 1 mistake in \"cnn\"; nothing was run\n"
           "  1. model \"cnn\" at train.c:20\n"
           "     cause: opencl:0 is not open; open devices: cpu, user0:0\n"
           "     fix:   include nn_opencl.h and call nn_opencl_open(nn, ...)");
    close_world(w);
}

/* A description that names more devices than a context can have: the message is that of a device
   that is not open. */
static void test_more_devices_than_open(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, nn_cpu());
    nn_node  *y = nn_input_at(AT(30), net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    for (int i = 0; i < NN_MAX_DEVICES + 4; i++)
        y = nn_relu_at(AT(32 + i), net, nn_transfer_at(AT(32 + i), net, y, nn_opencl(i)));
    ENSURE(!plan_of(net, y));
    ENSURE(nn_error_code(w.nn) == NN_ERROR_FAULTS);
    ENSURE(strstr(nn_error(w.nn), "is not open; open devices: cpu, user0:0") &&
           !strstr(nn_error(w.nn), "memory"));
    close_world(w);
}

static void test_operation_without_kernel(void) {
    sim_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.missing[NN_KERNEL_POOL2D_FORWARD] = true;
    desc.missing[NN_KERNEL_CONV_POOL_FORWARD] = true;
    desc.refuse[NN_KERNEL_GEMM] = "k above 1000";
    world     w = open_world(&desc);
    nn_model *net = make_net(w, w.device);
    nn_node  *y = linear(net, 32, "fc", features(net), 10, 0);
    expect(
        w, plan_of(net, y),
        "nn: 2 mistakes in \"cnn\"; nothing was run\n"
        "  1. max_pool2d at train.c:26\n"
        "       input      \"relu\" (batch, 16, 64, 64) f32  on user0:0 (simulated)\n"
        "     cause: user0:0 cannot do it: it has no kernel pool2d_forward\n"
        "     fix:   describe it inside nn_device_begin on another device, with nn_transfer before "
        "and after, or let it "
        "go over the CPU: .on_unsupported = NN_UNSUPPORTED_VIA_CPU\n"
        "  2. linear \"fc\" at train.c:32\n"
        "       input      \"flatten\"   (batch, 16384) f32  on user0:0 (simulated)\n"
        "       weight     \"fc.weight\" (10, 16384) f32     on user0:0 (simulated)\n"
        "       bias       \"fc.bias\"   (10) f32            on user0:0 (simulated)\n"
        "     cause: user0:0 cannot do it: k above 1000\n"
        "     fix:   describe it inside nn_device_begin on another device, with nn_transfer before "
        "and after, or let it "
        "go over the CPU: .on_unsupported = NN_UNSUPPORTED_VIA_CPU");
    close_world(w);
}

static void test_tensor_of_another_context(void) {
    world       w = open_world(NULL);
    nn_context *other = nn_open(NULL);
    nn_model   *net = make_net(w, w.device);
    nn_tensor_desc ten;
    memset(&ten, 0, sizeof ten);
    ten.name = "mean";
    ten.shape = NN_SHAPE(10);
    nn_tensor *mean = nn_make_tensor_at(AT(10), other, &ten);
    nn_node   *y = linear(net, 32, "fc", features(net), 10, 0);
    y = nn_subtract_at(AT(34), net, y, nn_constant_at(AT(33), net, "mean", mean));
    expect(w, plan_of(net, y),
           "nn: 1 mistake in \"cnn\"; nothing was run\n"
           "  1. constant \"mean\" at train.c:33\n"
           "       tensor     \"mean\" (10) f32\n"
           "     cause: the tensor and the model \"cnn\" have different contexts\n"
           "     fix:   make both with one nn_context; between contexts use nn_download_tensor and "
           "nn_upload_tensor");
    nn_close(other);
    close_world(w);
}

static void test_node_of_another_model(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, w.device), *second = make_net(w, w.device);
    nn_node  *x = features(net);
    nn_node  *y = linear(second, 40, "fc", x, 10, 0);
    expect(w, plan_of(second, y),
           "nn: 1 mistake in \"cnn\"; nothing was run\n"
           "  1. linear \"fc\" at train.c:40\n"
           "       input      \"flatten\" (batch, 16384) f32\n"
           "     cause: input belongs to the model \"cnn\", not to \"cnn\"\n"
           "     fix:   describe both in one model, or pass the value through nn_input");
    close_world(w);
}

/* A layer whose bias has a name that is taken is a mistake; what comes after it is silent. */
static void test_taken_bias(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, w.device);
    nn_parameter_at(AT(30), net, "fc.bias", NN_SHAPE(10), 0.0f, 1.0f);
    nn_node  *y = linear(net, 31, "fc", features(net), 10, 0);
    y = linear(net, 32, "fc2", nn_relu_at(AT(32), net, y), 10, 7);
    expect(w, plan_of(net, y),
           "nn: 1 mistake in \"cnn\"; nothing was run\n"
           "  1. parameter \"fc.bias\" at train.c:31\n"
           "     cause: this name was already used at train.c:30\n"
           "     fix:   give another name, or .shared = true to apply the same layer again");
    close_world(w);
}

static void test_wrong_in_features(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, w.device);
    nn_node  *y = linear(net, 31, "fc", features(net), 10, 16 * 16 * 16);
    y = linear(net, 32, "fc2", nn_relu_at(AT(32), net, y), 10,
               7); /* after a poisoned node: silent */
    expect(w, plan_of(net, y),
           "nn: 1 mistake in \"cnn\"; nothing was run\n"
           "  1. linear \"fc\" at train.c:31\n"
           "       input      \"flatten\" (batch, 16384) f32\n"
           "     cause: in_features is 4096, but \"flatten\" has 16384 = 16 * 32 * 32 features\n"
           "     fix:   .in_features = 16384, or leave it out");
    close_world(w);
}

/* Mistakes a, b and c are described in either order, and the report has exactly these three. */
static void three_mistakes(bool reversed, bool corrected) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, w.device);
    nn_tensor_desc ten;
    memset(&ten, 0, sizeof ten);
    ten.name = "mine";
    ten.shape = NN_SHAPE(10);
    ten.device = corrected ? w.device : nn_cpu();
    nn_node *x = features(net), *outputs[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) {
        int k = reversed ? 2 - i : i;
        if (k == 0) outputs[k] = linear(net, 41, "wrong", x, 10, corrected ? 0 : 4096);
        if (k == 1)
            outputs[k] =
                nn_add_at(AT(42), net, linear(net, 42, "right", x, 10, 0),
                          nn_borrow_at(AT(42), net, nn_make_tensor_at(AT(42), w.nn, &ten)));
        if (k == 2) {
            nn_device_begin_at(AT(43), net, nn_cpu());
            outputs[k] =
                nn_tanh_at(AT(44), net, corrected ? nn_transfer_at(AT(44), net, x, nn_cpu()) : x);
            nn_device_end_at(AT(45), net);
        }
    }
    forget_calls(w);
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    for (int i = 0; i < 3; i++) NODE_AT(desc.outputs, i) = outputs[i];
    nn_plan *plan = nn_make_plan_at(AT(50), net, &desc);
    if (corrected) {
        ENSURE(nn_error(w.nn) == NULL && plan != NULL);
    } else {
        ENSURE(plan == NULL);
        const char *text = nn_error(w.nn);
        ENSURE(strncmp(text, "nn: 3 mistakes in \"cnn\"; nothing was run\n", 41) == 0);
        ENSURE(strstr(text, "linear \"wrong\" at train.c:41") &&
               strstr(text, "add at train.c:42") && strstr(text, "tanh at train.c:44"));
        ENSURE(strstr(text, "  3. ") && !strstr(text, "  4. "));
        ENSURE(device_calls(w) == 0);
    }
    close_world(w);
}

static void test_three_mistakes(void) { three_mistakes(false, false); }
static void test_three_mistakes_reversed(void) { three_mistakes(true, false); }
static void test_three_mistakes_corrected(void) {
    three_mistakes(false, true);
    three_mistakes(true, true);
}

/* ---- what only a run can know ---------------------------------------------------------------- */

static void test_input_on_the_wrong_device(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, w.device);
    nn_node  *x = features(net), *image = net->graph.first;
    nn_plan  *plan = plan_of(net, linear(net, 31, "fc", x, 10, 0));
    nn_tensor_desc ten;
    ENSURE(plan != NULL);
    memset(&ten, 0, sizeof ten);
    ten.name = "photo";
    ten.shape = NN_SHAPE(4, 3, 64, 64);
    ENSURE(nn_bind_at(AT(60), plan, image, nn_make_tensor_at(AT(59), w.nn, &ten)) == NN_OK);
    forget_calls(w);
    ENSURE(nn_run_at(AT(61), plan) == NN_ERROR_FAULTS);
    ENSURE_TEXT(nn_error(w.nn),
                named("nn: 1 operand is on the wrong device; nothing was run\n"
                      "  1. input \"image\" at train.c:60\n"
                      "       wanted     \"image\" (batch, 3, 64, 64) f32  on user0:0 (simulated)\n"
                      "       given      \"photo\" (4, 3, 64, 64) f32      on cpu\n"
                      "     cause: nn_bind makes the plan read the tensor where it stands\n"
                      "     fix:   put it there once: nn_copy_to(tensor, user0:0), or make the "
                      "loader with that .device"));
    ENSURE(device_calls(w) == 0);
    nn_clear_error(w.nn);
    static float black[3 * 64 * 64];
    nn_tensor *there =
        nn_copy_to(nn_wrap(w.nn, "photo", NN_F32, NN_SHAPE(1, 3, 64, 64), black), w.device);
    ENSURE(nn_bind_at(AT(62), plan, image, there) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_plan_batch(plan) == 1);
    close_world(w);
}

static void test_inputs_missing_and_misshapen(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, w.device);
    nn_node *a = nn_input_at(AT(21), net, "a", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *b = nn_input_at(AT(22), net, "b", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_node  *c = nn_input_at(AT(23), net, "c", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_plan  *plan = plan_of(net, nn_add(net, a, nn_add(net, b, c)));
    float     numbers[4 * 9] = {0};
    ENSURE(plan != NULL);
    nn_tensor_desc ten;
    memset(&ten, 0, sizeof ten);
    ten.name = "mine";
    ten.shape = NN_SHAPE(3, 5);
    ten.device = w.device;
    ENSURE(nn_upload_at(AT(60), plan, a, numbers, sizeof(float) * 4 * 3) == NN_OK);
    ENSURE(nn_bind_at(AT(61), plan, b, nn_make_tensor_at(AT(59), w.nn, &ten)) == NN_OK);
    ENSURE(nn_run_at(AT(62), plan) == NN_ERROR_FAULTS);
    ENSURE_TEXT(nn_error(w.nn),
                named("nn: 2 mistakes in \"cnn\"; nothing was run\n"
                      "  1. input \"b\" at train.c:61\n"
                      "       wanted     \"b\"    (batch, 4) f32  on user0:0 (simulated)\n"
                      "       given      \"mine\" (3, 5) f32      on user0:0 (simulated)\n"
                      "     cause: dtype or shape does not fit; batches of 1 to 8 fit\n"
                      "     fix:   give a tensor of the wanted dtype and shape, or make the plan "
                      "with a larger .batch\n"
                      "  2. input \"c\" at train.c:23\n"
                      "       wanted     \"c\" (batch, 4) f32  on user0:0 (simulated)\n"
                      "     cause: nothing was given for it\n"
                      "     fix:   nn_upload(plan, c, data, bytes) or nn_bind(plan, c, tensor) "
                      "before the run"));
    nn_clear_error(w.nn);
    ENSURE(nn_upload_at(AT(63), plan, b, numbers, sizeof(float) * 4 * 9) == NN_ERROR_SHAPE);
    ENSURE_TEXT(nn_error(w.nn), "nn_upload at train.c:63: \"b\" (batch, 4) got 144 bytes; a sample "
                                "has 16, and this plan takes 1 to 8 samples, at most 128 bytes");
    nn_clear_error(w.nn);
    ENSURE(nn_upload_at(AT(64), plan, b, numbers, sizeof(float) * 4 * 2) == NN_OK &&
           nn_upload_at(AT(65), plan, c, numbers, sizeof(float) * 4 * 3) == NN_OK);
    ENSURE(nn_run_at(AT(66), plan) == NN_ERROR_FAULTS);
    ENSURE(strstr(nn_error(w.nn), "cause: its batch is 2, but that of \"a\" is 3") != NULL);
    nn_clear_error(w.nn);
    ENSURE(nn_upload_at(AT(67), plan, b, numbers, sizeof(float) * 4 * 3) == NN_OK &&
           nn_run(plan) == NN_OK);
    close_world(w);
}

static void test_stale_plan(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, nn_cpu());
    nn_node *x = nn_input_at(AT(21), net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *y = linear(net, 22, "fc", x, 2, 0);
    nn_plan  *plan = plan_of(net, y);
    float     numbers[4] = {1, 2, 3, 4}, before[2], after[2];
    ENSURE(plan && nn_upload(plan, x, numbers, sizeof numbers) == NN_OK && nn_run(plan) == NN_OK &&
           nn_download(plan, y, before, sizeof before) == NN_OK);
    ENSURE(nn_move_model_at(AT(70), net, w.device) == NN_OK);
    ENSURE(nn_run_at(AT(71), plan) == NN_ERROR_STALE);
    ENSURE_TEXT(nn_error(w.nn), "nn_run at train.c:71: the plan of \"cnn\" at train.c:50 was made "
                                "before nn_move_model at train.c:70: call nn_replan(plan)");
    nn_clear_error(w.nn);
    ENSURE(nn_replan(plan) == NN_OK && nn_upload(plan, x, numbers, sizeof numbers) == NN_OK &&
           nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, after, sizeof after) == NN_OK);
    ENSURE_CLOSE(after[0], before[0], w.sim ? 0 : 1e-6);
    ENSURE_CLOSE(after[1], before[1], w.sim ? 0 : 1e-6);
    close_world(w);
}

static void test_not_registered_after_a_move(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, nn_cpu());
    nn_tensor_desc ten;
    memset(&ten, 0, sizeof ten);
    ten.name = "mean";
    ten.shape = NN_SHAPE(4);
    nn_node *x = nn_input_at(AT(21), net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_node *y = nn_subtract_at(AT(22), net, x,
                                nn_borrow_at(AT(22), net, nn_make_tensor_at(AT(19), w.nn, &ten)));
    nn_plan *plan = plan_of(net, y);
    ENSURE(plan != NULL && nn_move_model_at(AT(70), net, w.device) == NN_OK);
    ENSURE(nn_replan(plan) == NN_ERROR_FAULTS);
    ENSURE_TEXT(
        nn_error(w.nn),
        named(
            "nn: 1 operand is on the wrong device; nothing was run\n"
            "  1. subtract at train.c:22\n"
            "       a          \"x\"    (batch, 4) f32  on user0:0 (simulated)\n"
            "       b          \"mean\" (4) f32         on cpu\n"
            "     cause: a tensor of yours, not registered with the model, so nn_move_model did "
            "not take it along\n"
            "     fix:   nn_constant(net, \"mean\", tensor) once, or nn_copy_to(tensor, user0:0)"));
    close_world(w);
}

static void test_plan_too_large_for_the_device(void) {
    sim_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.memory = 1 << 20;
    world     w = open_world(&desc);
    nn_model *net = make_net(w, w.device);
    nn_plan  *plan = plan_of(net, linear(net, 32, "fc", features(net), 10, 0));
    ENSURE(plan == NULL && nn_error_code(w.nn) == NN_ERROR_MEMORY);
    ENSURE(strstr(nn_error(w.nn), "user0:0") && strstr(nn_error(w.nn), "bytes"));
    ENSURE(w.sim->live_allocations ==
           1); /* the parameters fit and stay; the plan's block did not */
    close_world(w);
}

static void test_shapes_and_names(void) {
    world     w = open_world(NULL);
    nn_model *net = make_net(w, nn_cpu());
    nn_node  *a = nn_input_at(AT(21), net, "a", NN_F32, NN_SHAPE(NN_BATCH, 0));
    nn_input_at(AT(22), net, "b", NN_F32, NN_SHAPE(NN_BATCH, -7));
    nn_input_at(AT(23), net, "c", NN_F32, NN_SHAPE(1 << 30, 1 << 30, 1 << 30));
    nn_input_at(AT(24), net, NULL, NN_F32, NN_SHAPE(4));
    nn_input_at(AT(25), net, "d", NN_F32, NN_SHAPE(4));
    nn_input_at(AT(26), net, "d", NN_F32, NN_SHAPE(4));
    nn_relu_at(AT(27), net, NULL);
    nn_device_end_at(AT(28), net);
    ENSURE(nn_fault_count(net) == 7);
    expect(
        w, plan_of(net, a),
        "nn: 7 mistakes in \"cnn\"; nothing was run\n"
        "  1. input \"a\" at train.c:21\n"
        "     cause: extent 1 is 0\n"
        "     fix:   positive extents, NN_BATCH or NN_TIME\n"
        "  2. input \"b\" at train.c:22\n"
        "     cause: extent 1 is -7\n"
        "     fix:   positive extents, NN_BATCH or NN_TIME\n"
        "  3. input \"c\" at train.c:23\n"
        "     cause: (1073741824, 1073741824, 1073741824) has more bytes than a number can count\n"
        "     fix:   smaller extents\n"
        "  4. input at train.c:24\n"
        "     cause: it has no name\n"
        "     fix:   give it a name\n"
        "  5. input \"d\" at train.c:26\n"
        "     cause: this name was already used at train.c:25\n"
        "     fix:   give another name, or .shared = true to apply the same layer again\n"
        "  6. relu at train.c:27\n"
        "     cause: x is NULL\n"
        "     fix:   pass the node that nn_input or another builder returned\n"
        "  7. nn_device_end at train.c:28\n"
        "     cause: there is no nn_device_begin to end\n"
        "     fix:   one nn_device_end for each nn_device_begin");
    close_world(w);
}

static void test_null_everywhere(void) {
    world w = open_world(NULL);
    nn_model *net = make_net(w, nn_cpu());
    ENSURE(nn_make_plan(NULL, NULL) == NULL && nn_make_plan(net, NULL) == NULL);
    ENSURE(nn_run(NULL) < 0 && nn_run_for(NULL, 1) < 0 && nn_upload(NULL, NULL, NULL, 0) < 0 &&
           nn_bind(NULL, NULL, NULL) < 0);
    ENSURE(nn_download(NULL, NULL, NULL, 0) < 0 && nn_replan(NULL) < 0);
    ENSURE(nn_plan_view(NULL, NULL).handle == NULL && nn_plan_batch(NULL) == 0 &&
           nn_plan_allocated(NULL, nn_cpu()) == 0);
    ENSURE(nn_input(NULL, "x", NN_F32, NN_SHAPE(1)) == NULL &&
           nn_constant(NULL, "x", NULL) == NULL && nn_borrow(NULL, NULL) == NULL);
    ENSURE(nn_parameter(NULL, "p", NN_SHAPE(1), 0, 1) == NULL && nn_keep(NULL) == NULL &&
           nn_find_tensor(NULL, "x") == NULL);
    ENSURE(nn_freeze(NULL, "x", true) < 0 && nn_fault_count(NULL) == 0 &&
           nn_parameter_count(NULL) == 0);
    ENSURE(nn_make_model(NULL, NULL) == NULL);
    nn_device_begin(NULL, nn_cpu());
    nn_device_end(NULL);
    nn_free_plan(NULL);
    nn_free_model(NULL);
    close_world(w);
}

static void test_everywhere(void) {
    RUN(test_two_classic_mistakes_together);
    RUN(test_mistakes_of_a_trainer);
    RUN(test_scope_ended);
    RUN(test_transfer_stays_behind);
    RUN(test_result_of_a_scope_used_outside);
    RUN(test_tensor_of_another_context);
    RUN(test_node_of_another_model);
    RUN(test_taken_bias);
    RUN(test_wrong_in_features);
    RUN(test_three_mistakes);
    RUN(test_three_mistakes_reversed);
    RUN(test_three_mistakes_corrected);
    RUN(test_input_on_the_wrong_device);
    RUN(test_inputs_missing_and_misshapen);
    RUN(test_stale_plan);
    RUN(test_not_registered_after_a_move);
}

#ifdef NN_TEST_OPENCL
static int real_devices(void) {
    nn_context *nn = nn_open(NULL);
    nn_opencl_desc desc;
    int count;
    memset(&desc, 0, sizeof desc);
    desc.cache_folder = "";
    OPEN_OPENCL_WITH(nn, &desc);
    count = nn_device_count(nn) - 1;
    nn_close(nn);
    return count;
}
#endif

int main(int argc, char **argv) {
    test_start(argc, argv);
    test_everywhere();
    RUN(test_device_not_open);
    RUN(test_more_devices_than_open);
    RUN(test_operation_without_kernel);
    RUN(test_plan_too_large_for_the_device);
    RUN(test_shapes_and_names);
    RUN(test_null_everywhere);
#ifdef NN_TEST_OPENCL
    {
        int count = real_devices();
        for (real = 0; real < count; real++) test_everywhere();
    }
#endif
    return test_report();
}
