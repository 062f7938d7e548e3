/* test_prewarm.c: nn_prewarm on the CPU and on the simulated device: what it prepares, reports, and
   leaves unchanged. test_opencl_calls.c checks that an OpenCL device then builds nothing more. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "sim_device.h"
#include "test.h"
#include "lists.h"

enum { BATCH = 6, IN = 5, OUT = 3, SAMPLES = 40 };

static float inputs[400 * IN];
static int32_t labels[SAMPLES];

typedef struct task {
    nn_model *net;
    nn_node *x, *y, *label;
} task;

static task make_task(nn_context *nn, nn_device device) {
    nn_model_desc model;
    nn_linear_desc layer;
    task t;
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    model.device = device;
    model.seed = 4;
    t.net = nn_make_model(nn, &model);
    t.x = nn_input(t.net, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    t.label = nn_input(t.net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    layer.out_features = 4;
    t.y = nn_tanh(t.net, nn_linear(t.net, "one", t.x, &layer));
    layer.out_features = OUT;
    t.y = nn_linear(t.net, "two", t.y, &layer);
    for (int i = 0; i < 400 * IN; i++) inputs[i] = (float)(i % 9) - 4.0f;
    for (int i = 0; i < SAMPLES; i++) labels[i] = i % OUT;
    return t;
}

static nn_plan *make_plan(task *t, int batch) {
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = t->y;
    desc.batch = batch;
    return nn_make_plan(t->net, &desc);
}

typedef struct listener {
    int calls, stop_at;
    char names[400];
} listener;

static bool listen(void *user, int done, int count, const char *name) {
    listener *l = (listener *)user;
    size_t used = strlen(l->names);
    snprintf(l->names + used, sizeof l->names - used, "%d/%d %s; ", done, count, name);
    return ++l->calls != l->stop_at;
}

static void test_progress(void) {
    nn_context *nn = nn_open(NULL);
    nn_prewarm_progress progress;
    listener l;
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    task t;
    nn_plan *plan;
    memset(&desc, 0, sizeof desc);
    memset(&l, 0, sizeof l);
    sim = sim_open(nn, &desc, &device);
    t = make_task(nn, device);
    plan = make_plan(&t, BATCH);
    progress.function = listen;
    progress.user = &l;
    sim->counters[SIM_PREPARE] = sim->counters[SIM_KERNEL] = 0;
    ENSURE(nn_prewarm(plan, &progress) == NN_OK);
    ENSURE_TEXT(l.names, "0/2 one; 1/2 two; 2/2 ; ");
    ENSURE(sim->counters[SIM_PREPARE] == 2 * BATCH && sim->counters[SIM_KERNEL] == 0);
    l.stop_at = 2;
    l.calls = 0;
    l.names[0] = 0;
    sim->counters[SIM_PREPARE] = 0;
    ENSURE(nn_prewarm(plan, &progress) == NN_CANCELLED && nn_error(nn) == NULL);
    ENSURE_TEXT(l.names, "0/2 one; 1/2 two; ");
    ENSURE(sim->counters[SIM_PREPARE] == BATCH);
    progress.function = NULL;
    ENSURE(nn_prewarm(plan, &progress) == NN_OK && nn_prewarm(plan, NULL) == NN_OK);
    /* of many batches only the first and the last */
    plan = make_plan(&t, 5000);
    sim->counters[SIM_PREPARE] = 0;
    ENSURE(nn_prewarm(plan, NULL) == NN_OK);
    ENSURE(sim->counters[SIM_PREPARE] > 2 * 256 && sim->counters[SIM_PREPARE] < 2 * 1200);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* A failure is reported with its step, and leaves the plan unchanged. */
static void test_failure(void) {
    nn_context *nn = nn_open(NULL);
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    task t;
    nn_plan *plan;
    memset(&desc, 0, sizeof desc);
    sim = sim_open(nn, &desc, &device);
    t = make_task(nn, device);
    plan = make_plan(&t, BATCH);
    sim_fail_at(sim, BATCH + 1); /* the first call for the second step */
    ENSURE(nn_prewarm_at(nn_make_site("train.c", 7), plan, NULL) < 0);
    ENSURE(strstr(nn_error(nn), "nn_prewarm: linear \"two\" could not be prepared") != NULL);
    nn_clear_error(nn);
    ENSURE(nn_upload(plan, t.x, inputs, sizeof(float) * 2 * IN) == NN_OK && nn_run(plan) == NN_OK &&
           !nn_error(nn));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void test_between_runs(void) {
    nn_context *nn = nn_open(NULL);
    task t = make_task(nn, nn_cpu());
    nn_plan *plan = make_plan(&t, 300);
    float first[3 * OUT], second[3 * OUT];
    nn_result result;
    ENSURE(nn_prewarm(plan, NULL) == NN_OK); /* before anything was given */
    ENSURE(nn_upload(plan, t.x, inputs, sizeof(float) * 3 * IN) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, t.y, first, sizeof first) == NN_OK);
    ENSURE(nn_prewarm(plan, NULL) == NN_OK && nn_plan_batch(plan) == 3);
    ENSURE(nn_download(plan, t.y, second, sizeof second) == NN_OK &&
           memcmp(first, second, sizeof first) == 0);
    ENSURE(nn_run(plan) == NN_OK && nn_download(plan, t.y, second, sizeof second) == NN_OK);
    ENSURE(memcmp(first, second, sizeof first) == 0);
    ENSURE(nn_upload(plan, t.x, inputs, sizeof(float) * 300 * IN) == NN_OK);
    result = nn_run_for(plan, 0);
    ENSURE(result == NN_PENDING && nn_prewarm(plan, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), ": a run in slices is under way; call nn_run_for until") != NULL);
    nn_clear_error(nn);
    while (result == NN_PENDING) result = nn_run_for(plan, 1000);
    ENSURE(result == NN_OK && nn_prewarm(plan, NULL) == NN_OK);
    ENSURE(nn_prewarm(NULL, NULL) == NN_ERROR_ARGUMENT);
    nn_close(nn);
}

#ifndef NN_NO_TRAINING
/* The evaluation of a trainer is prepared, too. Afterwards nothing is allocated, not even rows of
   the ledger. */
static void test_trainer(void) {
    nn_context *nn = nn_open(NULL);
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    task t;
    nn_dataset_desc data;
    nn_loader_desc loader_desc;
    nn_trainer_desc trainer_desc;
    nn_prewarm_progress progress;
    nn_report report;
    nn_loader *loader;
    nn_trainer *trainer;
    listener l;
    uint64_t calls;
    int moved;
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    memset(&loader_desc, 0, sizeof loader_desc);
    memset(&trainer_desc, 0, sizeof trainer_desc);
    sim = sim_open(nn, &desc, &device);
    t = make_task(nn, device);
    data.count = SAMPLES;
    FIELD_AT(data.fields, 0).name = "x";
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(IN);
    FIELD_AT(data.fields, 0).data = inputs;
    FIELD_AT(data.fields, 1).name = "label";
    FIELD_AT(data.fields, 1).dtype = NN_I32;
    FIELD_AT(data.fields, 1).data = labels;
    loader_desc.dataset = nn_make_dataset(nn, &data);
    loader_desc.batch = BATCH;
    loader_desc.device = device;
    trainer_desc.batch = BATCH;
    NODE_AT(trainer_desc.metrics, 0) = nn_accuracy(t.net, t.y, t.label);
    trainer = nn_make_trainer(t.net, nn_cross_entropy(t.net, t.y, t.label, NULL), &trainer_desc);
    loader = nn_make_loader(nn, &loader_desc);
    ENSURE(trainer && loader);
    for (moved = 0; moved < 2; moved++) { /* it is still prepared after moves */
        memset(&l, 0, sizeof l);
        progress.function = listen;
        progress.user = &l;
        if (moved)
            ENSURE(nn_move_trainer(trainer, nn_cpu()) == NN_OK &&
                   nn_move_trainer(trainer, device) == NN_OK);
        ENSURE(nn_prewarm(nn_trainer_plan(trainer), &progress) == NN_OK);
        ENSURE(strstr(l.names, "cross_entropy; ") != NULL &&
               strstr(strstr(l.names, "cross_entropy; ") + 1, "cross_entropy; "));
        calls = nn_context_memory(nn).calls;
        for (int i = 0; i < 30; i++) {
            ENSURE(nn_next_batch(loader) || nn_next_batch(loader));
            ENSURE(nn_train_step(trainer, loader) == NN_OK);
        }
        ENSURE(nn_read_report(trainer, &report) == NN_OK &&
               nn_evaluate(trainer, loader, &report) == NN_OK);
        for (int i = 1; i < 9; i++) /* each call site has rows of its own */
            ENSURE(nn_read_report_at(nn_make_site("train.c", 10 * moved + i), trainer, &report) ==
                   NN_OK);
        ENSURE(nn_context_memory(nn).calls == calls);
    }
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}
#endif

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_progress);
    RUN(test_failure);
    RUN(test_between_runs);
#ifndef NN_NO_TRAINING
    RUN(test_trainer);
#endif
    return test_report();
}
