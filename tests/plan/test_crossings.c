/* tests/plan/test_crossings.c - crossings inside a plan. With .on_unsupported =
   NN_UNSUPPORTED_VIA_CPU, operations that a device cannot do run on the CPU, with the same bytes;
   every crossing is planned, printed and counted. So are transfers between two devices. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "sim_device.h"
#include "test.h"
#include "lists.h"

#include <stdlib.h>

enum { BATCH = 4, STEPS = 3, MOST = 4096 };

static nn_site at(int line) { return nn_make_site("train.c", line); }

typedef struct world {
    nn_context *nn;
    sim_device *sim;
    nn_device device;
    nn_model *net;
    nn_node *image, *label, *logits, *loss, *accuracy;
    nn_trainer *trainer;
    float x[BATCH * 36];
    int32_t y[BATCH];
} world;

static nn_dtype parameters; /* of the nets that are described */

static bool open_world(world *w, const sim_desc *desc, bool on_sim) {
    nn_desc context;
    memset(&context, 0, sizeof context);
    memset(w, 0, sizeof *w);
    context.threads = 1;
    w->nn = nn_open(&context);
    w->sim = w->nn ? sim_open(w->nn, desc, &w->device) : NULL;
    if (!on_sim) w->device = nn_cpu();
    for (int i = 0; i < BATCH * 36; i++) w->x[i] = (float)((i * 37) % 19) / 19.0f - 0.4f;
    for (int i = 0; i < BATCH; i++) w->y[i] = i % 3;
    return w->sim != NULL;
}

static void close_world(world *w) {
    nn_close(w->nn);
    if (sim_free(w->sim) != 0)
        test_fail(__FILE__, __LINE__, "the simulated device saw violations or leaks");
}

static bool check(const world *w) {
    if (!nn_error(w->nn)) return true;
    printf("%s\n", nn_error(w->nn));
    return false;
}

/* Describes a net that trains with kernels of every kind: convolution, activation, pool, dropout,
   product, loss, metric, limit of gradients, update, sums. */
static void describe(world *w) {
    nn_model_desc model;
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    nn_linear_desc layer;
    nn_node *x;
    memset(&model, 0, sizeof model);
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    memset(&layer, 0, sizeof layer);
    model.device = w->device;
    model.seed = 5;
    model.dtype = parameters;
    w->net = nn_make_model_at(at(1), w->nn, &model);
    w->image = nn_input_at(at(2), w->net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 6, 6));
    w->label = nn_input_at(at(3), w->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    conv.out_channels = 2;
    conv.kernel = 3;
    x = nn_conv2d_at(at(4), w->net, "conv", w->image, &conv);
    x = nn_tanh_at(at(5), w->net, x);
    pool.kernel = 2;
    x = nn_max_pool2d_at(at(6), w->net, x, &pool);
    x = nn_dropout_at(at(7), w->net, nn_flatten_at(at(7), w->net, x), 0.25f);
    layer.out_features = 3;
    w->logits = nn_linear_at(at(8), w->net, "fc", x, &layer);
    w->loss = nn_cross_entropy_at(at(9), w->net, w->logits, w->label, NULL);
    w->accuracy = nn_accuracy_at(at(10), w->net, w->logits, w->label);
}

static void train(world *w, nn_trainer_desc desc) {
    desc.batch = BATCH;
    desc.optimizer = desc.optimizer ? desc.optimizer : NN_ADAM;
    desc.learning_rate = 0.01f;
    desc.max_norm = 0.5f;
    if (w->accuracy) NODE_AT(desc.metrics, 0) = w->accuracy;
    describe(w);
    w->trainer = nn_make_trainer_at(at(11), w->net, w->loss, &desc);
}

static nn_trainer_desc via_cpu(void) {
    nn_trainer_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.on_unsupported = NN_UNSUPPORTED_VIA_CPU;
    return desc;
}

static bool fill(world *w) {
    nn_plan *plan = nn_trainer_plan(w->trainer);
    return nn_upload_at(at(12), plan, w->image, w->x, sizeof w->x) == NN_OK &&
           nn_upload_at(at(12), plan, w->label, w->y, sizeof w->y) == NN_OK;
}

static int weights(const world *w, float *to) {
    int count = 0;
    for (int i = 0; i < nn_model_tensor_count(w->net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(w->net, i);
        nn_download_tensor_at(at(20), tensor, to + count, (size_t)nn_tensor_bytes(tensor));
        count += (int)(nn_tensor_bytes(tensor) / sizeof(float));
    }
    return count;
}

/* Stores the weights and the report after some steps. Returns the number of floats, or 0. */
static int run(const sim_desc *sim, nn_trainer_desc desc, bool on_sim, bool slices, float *to) {
    world w;
    int count = 0;
    nn_report report;
    memset(&report, 0, sizeof report);
    if (!open_world(&w, sim, on_sim)) return 0;
    train(&w, desc);
    bool fine = w.trainer && check(&w);
    uint64_t calls = nn_context_memory(w.nn).calls;
    for (int i = 0; fine && i < STEPS; i++) {
        nn_result result = fill(&w) ? NN_PENDING : NN_ERROR_ARGUMENT;
        if (!slices && result == NN_PENDING) result = nn_train_on_inputs_at(at(13), w.trainer);
        while (slices && result == NN_PENDING)
            result = nn_train_step_for_at(at(13), w.trainer, NULL, 0);
        fine = result == NN_OK;
        if (i == 1) calls = nn_context_memory(w.nn).calls;
        if (i == 2)
            fine =
                fine && nn_context_memory(w.nn).calls == calls; /* nothing is allocated in a run */
    }
    if (fine && nn_read_report_at(at(14), w.trainer, &report) == NN_OK) {
        count = weights(&w, to);
        to[count++] = (float)report.loss;
        to[count++] = (float)report.metrics[0];
        to[count++] = (float)report.samples;
    }
    if (!check(&w)) count = 0;
    close_world(&w);
    return count;
}

static void any_kernel_may_be_missing(void) {
    static float expected[MOST], actual[MOST];
    sim_desc sim;
    memset(&sim, 0, sizeof sim);
    int count = run(&sim, via_cpu(), false, false, expected);
    ENSURE(count == 18 + 2 + 24 + 3 + 3);
    for (int kernel = 0; kernel < NN_KERNEL_COUNT; kernel++) { /* 0: all of them */
        memset(&sim, 0, sizeof sim);
        for (int k = 1; k < NN_KERNEL_COUNT; k++)
            if (kernel == 0) sim.refuse[k] = "not today";
        if (kernel % 2)
            sim.missing[kernel] = true;
        else
            sim.refuse[kernel] = "not today";
        sim.asynchronous = kernel % 3 == 0;
        nn_trainer_desc desc = via_cpu();
        desc.poison = kernel % 4 == 0;
        memset(actual, 0, sizeof actual);
        if (run(&sim, desc, true, kernel % 5 == 0, actual) != count ||
            memcmp(expected, actual, sizeof actual))
            test_fail(__FILE__, __LINE__, "without %s", nn_kernel_name((nn_kernel)kernel));
    }
}

/* The update of every optimizer but Muon may run on another device: the bytes are those of a net
   that stays on the CPU. Updates that are programs lack a different kernel than the others. */
static void any_update_may_be_missing(void) {
    static float expected[MOST], actual[MOST];
    for (int optimizer = NN_SGD; optimizer <= NN_RPROP; optimizer++) {
        nn_trainer_desc desc = via_cpu();
        sim_desc sim;
        memset(&sim, 0, sizeof sim);
        desc.optimizer = (nn_optimizer)optimizer;
        int count = run(&sim, desc, false, false, expected);
        ENSURE(count == 18 + 2 + 24 + 3 + 3);
        sim.missing[NN_KERNEL_UPDATE] = sim.missing[NN_KERNEL_POINTWISE] = true;
        memset(actual, 0, sizeof actual);
        if (test_wrong(run(&sim, desc, true, false, actual) != count ||
                       memcmp(expected, actual, sizeof actual)))
            test_fail(__FILE__, __LINE__, "optimizer %d", optimizer);
    }
}

/* The f32 masters of f16 parameters are filled, updated and rounded on any device that can do
   it. */
static void conversions_of_masters_may_be_missing(void) {
    static float expected[MOST], actual[MOST];
    sim_desc sim;
    nn_trainer_desc desc = via_cpu();
    memset(&sim, 0, sizeof sim);
    parameters = NN_F16;
    const int count = run(&sim, desc, false, false, expected);
    sim.missing[NN_KERNEL_POINTWISE] = true;
    ENSURE(count > 5 && run(&sim, desc, true, false, actual) == count);
    ENSURE(memcmp(expected, actual, sizeof expected) == 0);
    parameters = NN_F32;
}

/* The only parameter of a net on the CPU is on another device, where its update runs. */
static void an_update_is_where_its_parameter_is(void) {
    static const float x[4] = {1, -2, 3, 4};
    for (int optimizer = NN_SGD; optimizer <= NN_RPROP; optimizer++) {
        float weight[2][4] = {{0}};
        for (int there = 0; there < 2; there++) {
            nn_linear_desc layer;
            nn_trainer_desc desc;
            sim_desc sim;
            world w;
            memset(&sim, 0, sizeof sim);
            memset(&layer, 0, sizeof layer);
            memset(&desc, 0, sizeof desc);
            ENSURE(open_world(&w, &sim, true));
            const nn_device device = there ? w.device : nn_cpu();
            w.net = nn_make_model_at(at(1), w.nn, &(nn_model_desc){.seed = 2});
            w.image = nn_input_at(at(2), w.net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
            layer.out_features = 1;
            layer.no_bias = true;
            nn_device_begin_at(at(3), w.net, device);
            nn_node *y = nn_linear_at(at(3), w.net, "line",
                                      nn_transfer_at(at(3), w.net, w.image, device), &layer);
            nn_device_end_at(at(3), w.net);
            w.loss = nn_reduce_at(at(4), w.net, NN_MEAN, nn_transfer_at(at(4), w.net, y, nn_cpu()),
                                  NN_ALL_AXES, false);
            desc.optimizer = (nn_optimizer)optimizer;
            desc.batch = 1;
            w.trainer = nn_make_trainer_at(at(11), w.net, w.loss, &desc);
            ENSURE(w.trainer && check(&w));
            for (int i = 0; i < STEPS; i++) {
                ENSURE(nn_upload_at(at(12), nn_trainer_plan(w.trainer), w.image, x, sizeof x) ==
                       NN_OK);
                ENSURE(nn_train_on_inputs_at(at(13), w.trainer) == NN_OK);
            }
            nn_tensor *tensor = nn_model_tensor_at(w.net, 0);
            ENSURE(nn_download_tensor_at(at(20), tensor, weight[there], sizeof weight[0]) == NN_OK);
            ENSURE(check(&w));
            close_world(&w);
        }
        if (test_wrong(memcmp(weight[0], weight[1], sizeof weight[0])))
            test_fail(__FILE__, __LINE__, "optimizer %d", optimizer);
    }
}

static void default_is_an_error(void) {
    nn_trainer_desc desc;
    sim_desc sim;
    world w;
    memset(&sim, 0, sizeof sim);
    memset(&desc, 0, sizeof desc);
    sim.missing[NN_KERNEL_SOFTMAX_FORWARD] = sim.missing[NN_KERNEL_POOL2D_BACKWARD] = true;
    ENSURE(open_world(&w, &sim, true));
    train(&w, desc);
    ENSURE(!w.trainer && nn_error(w.nn));
    ENSURE(strstr(nn_error(w.nn), "it has no kernel pool2d_backward"));
    ENSURE(strstr(nn_error(w.nn),
                  "or let it go over the CPU: .on_unsupported = NN_UNSUPPORTED_VIA_CPU"));
    close_world(&w);
}

/* Neither device supports the operation: the error has the reasons of both and offers no detour. */
static void the_cpu_may_not_know_it_either(void) {
    nn_plan_desc desc;
    sim_desc sim;
    world w;
    memset(&sim, 0, sizeof sim);
    memset(&desc, 0, sizeof desc);
    sim.refuse[NN_KERNEL_POOL2D_FORWARD] = "windows are closed";
    ENSURE(open_world(&w, &sim, true));
    describe(&w);
    nn_backend *cpu = (nn_backend *)(uintptr_t)nn_device_backend(w.nn, nn_cpu(), NULL);
    cpu->kernels[NN_KERNEL_POOL2D_FORWARD] = NULL;
    NODE_AT(desc.outputs, 0) = w.logits;
    desc.on_unsupported = NN_UNSUPPORTED_VIA_CPU;
    ENSURE(!nn_make_plan_at(at(31), w.net, &desc));
    ENSURE(strstr(nn_error(w.nn),
                  "user0:0 cannot do it: windows are closed; nor can cpu: it has no kernel "
                  "pool2d_forward\n"));
    ENSURE(!strstr(nn_error(w.nn), "NN_UNSUPPORTED_VIA_CPU"));
    close_world(&w);
}

/* ---- the cost is reported -------------------------------------------------------------------- */

typedef struct row {
    const char *tensor;
    nn_crossing crossing;
    uint64_t bytes; /* of one step */
    int line;
} row;

static void expect_rows(nn_context *nn, const row *rows, int count, uint64_t steps) {
    int seen = 0;
    for (int i = 0; i < nn_ledger_count(nn); i++) {
        nn_ledger_entry entry = nn_ledger_at(nn, i);
        if (strcmp(entry.tensor, "status") != 0)
            continue; /* read after a step, once the last word has arrived */
        seen++;
        ENSURE(entry.crossing == NN_CROSS_DOWNLOAD && entry.count >= 1 && entry.count <= steps);
        ENSURE(entry.logical_bytes == 4 * entry.count &&
               entry.physical_bytes == entry.logical_bytes);
    }
    ENSURE(seen == 1 && nn_ledger_count(nn) == count + 1);
    for (int i = 0, at_row = 0; i < count; i++, at_row++) {
        nn_ledger_entry entry = nn_ledger_at(nn, at_row);
        if (strcmp(entry.tensor, "status") == 0) entry = nn_ledger_at(nn, ++at_row);
        ENSURE_TEXT(entry.tensor, rows[i].tensor);
        ENSURE(entry.crossing == rows[i].crossing && entry.way == NN_WAY_COPIED);
        ENSURE(entry.count == steps && entry.logical_bytes == steps * rows[i].bytes);
        ENSURE(entry.physical_bytes == entry.logical_bytes && entry.site.line == rows[i].line);
    }
}

static void ledger_and_text(void) {
    static const row rows[] = {
        {"image", NN_CROSS_UPLOAD, BATCH * 36 * 4, 12},
        {"label", NN_CROSS_UPLOAD, BATCH * 4, 12},
        {"tanh via cpu", NN_CROSS_DOWNLOAD, BATCH * 32 * 4, 6},
        {"max_pool2d via cpu", NN_CROSS_UPLOAD, BATCH * 8 * 4, 6},
        {"max_pool2d.index via cpu", NN_CROSS_UPLOAD, BATCH * 8 * 4, 6},
    };
    char text[1 << 14];
    nn_text out;
    nn_writer writer;
    sim_desc sim;
    world w;
    memset(&sim, 0, sizeof sim);
    sim.refuse[NN_KERNEL_POOL2D_FORWARD] = "windows are closed";
    ENSURE(open_world(&w, &sim, true));
    train(&w, via_cpu());
    ENSURE(w.trainer);
    nn_reset_ledger(w.nn);
    for (int i = 0; i < STEPS; i++)
        ENSURE(fill(&w) && nn_train_on_inputs_at(at(13), w.trainer) == NN_OK);
    expect_rows(w.nn, rows, (int)(sizeof rows / sizeof *rows), STEPS);
    out.buffer = text;
    out.size = sizeof text;
    out.length = 0;
    writer.function = nn_write_text;
    writer.user = &out;
    nn_write_plan(nn_trainer_plan(w.trainer), writer);
    const char *from = strstr(text, "\ntransfers inside a run\n"),
               *end = from ? strstr(from, "\nmemory on") : NULL;
    ENSURE(from && end);
    text[end - text] = 0;
    ENSURE_TEXT(
        from,
        "\ntransfers inside a run\n"
        "      tanh via cpu                 user0:0 -> cpu, 512 bytes, described at train.c:6: "
        "user0:0 cannot do max_pool2d: windows are closed\n"
        "      max_pool2d via cpu           cpu -> user0:0, 128 bytes, described at train.c:6: "
        "user0:0 cannot do max_pool2d: windows are closed\n"
        "      max_pool2d.index via cpu     cpu -> user0:0, 128 bytes, described at train.c:6: "
        "user0:0 cannot do max_pool2d: windows are closed\n");
    ENSURE(strstr(
        text,
        "max_pool2d                 max_pool2d via cpu           (batch, 2, 2, 2)           cpu"));
    ENSURE(strstr(text, "  on user0:0 (simulated)\n  on cpu\n"));
    /* memory: the three on the CPU's block, planned */
    ENSURE(nn_plan_bytes(nn_trainer_plan(w.trainer), nn_cpu(), NN_MEMORY_ACTIVATIONS) ==
           512 + 128 + 128);
    ENSURE(nn_plan_allocated(nn_trainer_plan(w.trainer), nn_cpu()) >= 512 + 128 + 128);
    out.length = 0;
    nn_write_dot(nn_trainer_plan(w.trainer), writer);
    ENSURE(strstr(text, "transfer tanh via cpu\\n(batch, 2, 4, 4) on cpu"));
    ENSURE(strstr(text, "max_pool2d max_pool2d via cpu\\n(batch, 2, 2, 2) on cpu"));
    /* back home nothing is refused */
    ENSURE(nn_move_trainer_at(at(15), w.trainer, nn_cpu()) == NN_OK);
    nn_reset_ledger(w.nn);
    ENSURE(fill(&w) && nn_train_on_inputs_at(at(13), w.trainer) == NN_OK);
    ENSURE(nn_ledger_count(w.nn) == 2);
    ENSURE(check(&w));
    close_world(&w);
}

/* An update moves together with the tensors that it reads and changes, and with the status word
   that may stop it. */
static void update_crosses_both_ways(void) {
    static const row rows[] = {
        {"x", NN_CROSS_UPLOAD, 16, 12},
        {"line.weight via cpu", NN_CROSS_DOWNLOAD, 16, 11},
        {"line.weight.grad via cpu", NN_CROSS_DOWNLOAD, 16, 11},
        {"line.weight.exp_avg via cpu", NN_CROSS_DOWNLOAD, 16, 11},
        {"line.weight.exp_avg_sq via cpu", NN_CROSS_DOWNLOAD, 16, 11},
        {"status via cpu", NN_CROSS_DOWNLOAD, 4, 11},
        {"status via cpu", NN_CROSS_UPLOAD, 4, 11},
        {"line.weight via cpu", NN_CROSS_UPLOAD, 16, 11},
        {"line.weight.exp_avg via cpu", NN_CROSS_UPLOAD, 16, 11},
        {"line.weight.exp_avg_sq via cpu", NN_CROSS_UPLOAD, 16, 11},
    };
    static const float x[4] = {1, 2, 3, 4};
    nn_linear_desc layer;
    nn_trainer_desc desc = via_cpu();
    nn_model_desc model;
    sim_desc sim;
    world w;
    memset(&sim, 0, sizeof sim);
    memset(&layer, 0, sizeof layer);
    memset(&model, 0, sizeof model);
    sim.missing[NN_KERNEL_UPDATE] = true;
    ENSURE(open_world(&w, &sim, true));
    model.device = w.device;
    w.net = nn_make_model_at(at(1), w.nn, &model);
    w.image = nn_input_at(at(2), w.net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    layer.out_features = 1;
    layer.no_bias = true;
    w.loss = nn_reduce_at(at(4), w.net, NN_MEAN,
                          nn_linear_at(at(3), w.net, "line", w.image, &layer), NN_ALL_AXES, false);
    desc.optimizer = NN_ADAM;
    w.trainer = nn_make_trainer_at(at(11), w.net, w.loss, &desc);
    ENSURE(w.trainer && check(&w));
    nn_reset_ledger(w.nn);
    for (int i = 0; i < STEPS; i++) {
        ENSURE(nn_upload_at(at(12), nn_trainer_plan(w.trainer), w.image, x, sizeof x) == NN_OK);
        ENSURE(nn_train_on_inputs_at(at(13), w.trainer) == NN_OK);
    }
    expect_rows(w.nn, rows, (int)(sizeof rows / sizeof *rows), STEPS);
    ENSURE(check(&w));
    close_world(&w);
}

/* ---- faults inside a step -------------------------------------------------------------------- */

/* A bad label, found on the CPU or on the device, stops updates wherever they run, and is
   reported. */
static void a_fault_stops_updates_everywhere(void) {
    static float before[MOST], after[MOST];
    for (int i = 0; i < 4; i++) {
        sim_desc sim;
        world w;
        nn_report report;
        float loss;
        memset(&sim, 0, sizeof sim);
        sim.missing[NN_KERNEL_CROSS_ENTROPY_FORWARD] = i & 1;
        sim.missing[NN_KERNEL_CROSS_ENTROPY_BACKWARD] = i & 1;
        sim.missing[NN_KERNEL_UPDATE] = i & 2;
        sim.asynchronous = true;
        ENSURE(open_world(&w, &sim, true));
        train(&w, via_cpu());
        ENSURE(w.trainer && fill(&w) && nn_train_on_inputs_at(at(13), w.trainer) == NN_OK);
        int count = weights(&w, before);
        w.y[1] = 3; /* labels are 0 to 2 */
        nn_result result = fill(&w) ? nn_train_on_inputs_at(at(13), w.trainer) : NN_ERROR_ARGUMENT;
        ENSURE(result == NN_OK ||
               result == NN_ERROR_LABEL); /* reported when the device has reached the step */
        w.y[1] = 1;
        result = fill(&w) ? nn_train_on_inputs_at(at(13), w.trainer) : NN_ERROR_ARGUMENT;
        ENSURE(result == NN_OK || result == NN_ERROR_LABEL);
        nn_clear_error(w.nn);
        ENSURE(weights(&w, after) == count &&
               memcmp(before, after, sizeof(float) * (size_t)count) == 0);
        ENSURE(nn_read_loss_at(at(14), w.trainer, &loss) == NN_ERROR_LABEL);
        ENSURE(strstr(nn_error(w.nn),
                      "step 2: a label is out of range: labels in \"label\" must be in [0, 3)"));
        nn_clear_error(w.nn);
        ENSURE(nn_clear_fault_at(at(14), w.trainer) == NN_OK && nn_trainer_step(w.trainer) == 1);
        ENSURE(fill(&w) && nn_train_on_inputs_at(at(13), w.trainer) == NN_OK);
        ENSURE(nn_read_report_at(at(14), w.trainer, &report) == NN_OK);
        weights(&w, after);
        ENSURE(memcmp(before, after, sizeof(float) * (size_t)count) != 0);
        ENSURE(check(&w));
        close_world(&w);
    }
}

/* ---- plans of outputs, and failures ---------------------------------------------------------- */

/* A plan of outputs gives the same bytes with the detour as without. This also holds after
   nn_replan, and for smaller batches with other samples than the batch before. */
static void inference_too(void) {
    static float expected[BATCH + 1][BATCH * 3], actual[BATCH * 3];
    for (int i = 0; i < 2; i++) {
        nn_plan_desc desc;
        sim_desc sim;
        world w;
        memset(&desc, 0, sizeof desc);
        memset(&sim, 0, sizeof sim);
        sim.refuse[NN_KERNEL_POOL2D_FORWARD] = sim.refuse[NN_KERNEL_GEMM] = "no";
        ENSURE(open_world(&w, &sim, i == 1));
        describe(&w);
        NODE_AT(desc.outputs, 0) = w.logits;
        desc.batch = BATCH;
        desc.on_unsupported = NN_UNSUPPORTED_VIA_CPU;
        nn_plan *plan = nn_make_plan_at(at(30), w.net, &desc);
        ENSURE(plan && check(&w));
        for (int round = 0; round < 2 * BATCH; round++) {
            const int batch = BATCH - round % BATCH;
            const size_t bytes = sizeof(float) * 3 * (size_t)batch;
            if (round == BATCH) ENSURE(nn_replan_at(at(34), plan) == NN_OK);
            ENSURE(nn_upload_at(at(31), plan, w.image, w.x + 36 * (BATCH - batch),
                                sizeof(float) * 36 * (size_t)batch) == NN_OK);
            ENSURE(nn_run_at(at(32), plan) == NN_OK);
            memset(actual, 0, sizeof actual);
            ENSURE(nn_download_at(at(33), plan, w.logits, actual, bytes) == NN_OK);
            if (i == 0 && round < BATCH) memcpy(expected[batch], actual, bytes);
            ENSURE(memcmp(actual, expected[batch], bytes) == 0);
        }
        ENSURE(memcmp(expected[BATCH], expected[1], sizeof(float) * 3) != 0);
        ENSURE(check(&w));
        close_world(&w);
    }
}

/* nn_write_plan shows the algorithms of the CPU's convolutions, and none for other devices. */
static void ways_are_those_of_the_cpu(void) {
    for (int i = 0; i < 2; i++) {
        static char text[20000];
        nn_text to = {text, sizeof text, 0};
        nn_plan_desc desc;
        world w;
        memset(&desc, 0, sizeof desc);
        memset(text, 0, sizeof text);
        ENSURE(open_world(&w, NULL, i == 1));
        describe(&w);
        NODE_AT(desc.outputs, 0) = w.logits;
        desc.batch = BATCH;
        nn_write_plan(nn_make_plan_at(at(30), w.net, &desc), (nn_writer){nn_write_text, &to});
        ENSURE(check(&w) && strstr(text, "conv2d"));
        ENSURE((strstr(text, "convolutions, at ") != NULL) == (i == 0));
        close_world(&w);
    }
}

/* The Nth call of the device fails, for each N: an error, nothing leaked, nothing half-made. */
static void failures_leak_nothing(void) {
    for (int n = 1; n < 1000; n++) {
        sim_desc sim;
        world w;
        nn_result result = NN_ERROR_BACKEND;
        memset(&sim, 0, sizeof sim);
        sim.missing[NN_KERNEL_CROSS_ENTROPY_FORWARD] = sim.missing[NN_KERNEL_UPDATE] = true;
        sim.fail_at = n;
        ENSURE(open_world(&w, &sim, true));
        train(&w, via_cpu());
        if (w.trainer && fill(&w)) result = nn_train_on_inputs_at(at(13), w.trainer);
        bool told = nn_error(w.nn) != NULL, reached = w.sim->fallible >= n;
        close_world(&w);
        ENSURE(told == reached && (result == NN_OK) == !reached);
        if (!reached) return;
    }
    ENSURE(!"it never succeeded");
}

/* Two devices that only know the host: the plan says that bytes move twice, the ledger counts them
   twice. */
static void two_devices_are_staged(void) {
    char text[1 << 13];
    nn_text out;
    nn_writer writer;
    nn_plan_desc desc;
    nn_model_desc model;
    sim_desc sim;
    nn_device second;
    float x[BATCH] = {1, 2, 3, 4}, y[BATCH] = {0};
    world w;
    memset(&sim, 0, sizeof sim);
    memset(&desc, 0, sizeof desc);
    memset(&model, 0, sizeof model);
    sim.asynchronous = true;
    ENSURE(open_world(&w, &sim, true));
    sim_device *other = sim_open(w.nn, &sim, &second);
    ENSURE(other);
    model.device = w.device;
    w.net = nn_make_model_at(at(1), w.nn, &model);
    w.image = nn_input_at(at(2), w.net, "x", NN_F32, NN_SHAPE(NN_BATCH));
    nn_device_begin_at(at(3), w.net, second);
    NODE_AT(desc.outputs, 0) =
        nn_square_at(at(4), w.net, nn_transfer_at(at(4), w.net, w.image, second));
    nn_device_end_at(at(5), w.net);
    desc.batch = BATCH;
    nn_plan *plan = nn_make_plan_at(at(6), w.net, &desc);
    ENSURE(plan && check(&w));
    ENSURE(nn_upload_at(at(7), plan, w.image, x, sizeof x) == NN_OK);
    nn_reset_ledger(w.nn);
    for (int i = 0; i < STEPS; i++) ENSURE(nn_run_at(at(8), plan) == NN_OK);
    ENSURE(nn_ledger_count(w.nn) == 1);
    nn_ledger_entry entry = nn_ledger_at(w.nn, 0);
    ENSURE(entry.crossing == NN_CROSS_DEVICE && entry.way == NN_WAY_STAGED && entry.count == STEPS);
    ENSURE(entry.logical_bytes == STEPS * sizeof x &&
           entry.physical_bytes == 2 * entry.logical_bytes);
    ENSURE(w.sim->counters[SIM_DOWNLOAD] == STEPS); /* and back to the device: */
    ENSURE(nn_download_at(at(9), plan, desc.outputs.node[0], y, sizeof y) == NN_OK && y[3] == 16);
    out.buffer = text;
    out.size = sizeof text;
    out.length = 0;
    writer.function = nn_write_text;
    writer.user = &out;
    nn_write_plan(plan, writer);
    ENSURE(strstr(text, " user0:0 -> user0:1, 16 bytes staged over the host (down, then up), "
                        "described at train.c:4\n"));
    ENSURE(check(&w));
    close_world(&w);
    ENSURE(sim_free(other) == 0);
}

/* The allocation that is refused, counted down; 0: none. */
static int refuse_in;
static void *take(void *user, size_t bytes, size_t alignment) {
    char *block, *memory;
    (void)user;
    if (refuse_in > 0 && --refuse_in == 0) return NULL;
    if (alignment < sizeof block) alignment = sizeof block;
    block = (char *)malloc(bytes + alignment + sizeof block);
    if (!block) return NULL;
    memory = block + sizeof block +
             (alignment - (size_t)((uintptr_t)(block + sizeof block) % alignment)) % alignment;
    memcpy(memory - sizeof block, &block, sizeof block);
    return memory;
}
static void give(void *user, void *memory, size_t bytes, size_t alignment) {
    char *block;
    (void)user, (void)bytes, (void)alignment;
    if (!memory) return;
    memcpy(&block, (char *)memory - sizeof block, sizeof block);
    free(block);
}

/* For plans with more and more detours, whose lists end at different places of a block of memory,
   each allocation is refused once. There is an error message, and nothing walks over a half-made
   plan. */
static void no_memory_for_a_detour(void) {
    sim_desc sim;
    nn_device device;
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .allocator = {.allocate = take, .release = give}});
    memset(&sim, 0, sizeof sim);
    sim.missing[NN_KERNEL_SOFTMAX_FORWARD] = true;
    sim_device *made = sim_open(nn, &sim, &device);
    for (int layers = 1; layers < 40; layers += 3) {
        bool refused = true;
        for (int n = 1; refused; n++) {
            nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = device});
            nn_node *y = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
            for (int i = 0; i < layers; i++) y = nn_softmax(net, nn_relu(net, y));
            nn_plan_desc desc = {
                .outputs = NN_NODES(y), .batch = 2, .on_unsupported = NN_UNSUPPORTED_VIA_CPU};
            refuse_in = n;
            nn_plan *plan = nn_make_plan(net, &desc);
            refused = refuse_in == 0;
            refuse_in = 0;
            if (!plan != (nn_error(nn) != NULL) || (!refused && !plan))
                test_fail(__FILE__, __LINE__, "%d layers, allocation %d: %s", layers, n,
                          nn_error(nn) ? nn_error(nn) : "no word");
            nn_clear_error(nn);
            nn_free_model(net);
        }
    }
    nn_close(nn);
    ENSURE(sim_free(made) == 0);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(any_kernel_may_be_missing);
    RUN(any_update_may_be_missing);
    RUN(conversions_of_masters_may_be_missing);
    RUN(an_update_is_where_its_parameter_is);
    RUN(default_is_an_error);
    RUN(the_cpu_may_not_know_it_either);
    RUN(ledger_and_text);
    RUN(update_crosses_both_ways);
    RUN(a_fault_stops_updates_everywhere);
    RUN(inference_too);
    RUN(ways_are_those_of_the_cpu);
    RUN(failures_leak_nothing);
    RUN(two_devices_are_staged);
    RUN(no_memory_for_a_detour);
    return test_report();
}
