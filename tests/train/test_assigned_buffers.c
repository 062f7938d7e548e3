/* test_assigned_buffers.c: the buffers that nn_assign writes, in a step that fails and in one that
   does not. The tests run on the CPU, on a simulated device whose queue runs late, and on OpenCL.

   After a fault inside a step (a label out of range, a NaN loss), parameters, moments and buffers
   have their values from before the step, on any device. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "sim_device.h"
#include "open.h"
#include "test.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

enum { BATCH = 4, WIDTH = 3 };

static nn_context *nn;
static nn_device simulated, opencl; /* kind NN_CPU: there is none */

/* A classifier with three buffers: the indices of the largest samples, which are whole numbers; the
   mean of the batch; and the same mean on a device that the test chooses. */
typedef struct net {
    nn_model *model;
    nn_node *x, *label, *best, *mean, *apart;
    nn_trainer *trainer;
} net;

static void make_net(net *n, nn_device device, nn_device apart, bool gradients) {
    nn_model_desc model;
    nn_linear_desc linear;
    nn_trainer_desc desc;
    ZERO(*n);
    ZERO(model);
    ZERO(linear);
    ZERO(desc);
    model.device = device;
    n->model = nn_make_model(nn, &model);
    n->x = nn_input(n->model, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    n->label = nn_input(n->model, "label", NN_I32, NN_SHAPE(NN_BATCH));
    n->best = nn_buffer(n->model, "best", NN_I32, NN_SHAPE(WIDTH), 7.0);
    n->mean = nn_buffer(n->model, "mean", NN_F32, NN_SHAPE(WIDTH), 0.5);
    nn_node *mean = nn_reduce(n->model, NN_MEAN, n->x, NN_AXES(0), false);
    nn_assign(n->model, n->best, nn_argmax(n->model, n->x, NN_AXES(0)));
    nn_assign(n->model, n->mean, mean);
    nn_device_begin(n->model, apart);
    n->apart = nn_buffer(n->model, "apart", NN_F32, NN_SHAPE(WIDTH), 0.5);
    nn_assign(n->model, n->apart,
              nn_same_device(device, apart) ? mean : nn_transfer(n->model, mean, apart));
    nn_device_end(n->model);
    linear.out_features = 2;
    nn_node *logits = nn_linear(n->model, "fc", n->x, &linear);
    desc.optimizer = NN_ADAM;
    desc.batch = BATCH;
    desc.gradients = gradients;
    n->trainer = nn_make_trainer(
        n->model, nn_cross_entropy(n->model, logits, n->label, (const nn_cross_entropy_desc *)NULL),
        &desc);
}

static nn_result step(net *n, float first, int32_t last_label) {
    float x[BATCH][WIDTH] = {{0, 1, 2}, {1, 0, 1}, {2, 2, 0}, {1, 1, 1}};
    int32_t label[BATCH] = {0, 1, 1, 0};
    nn_plan *plan = nn_trainer_plan(n->trainer);
    x[0][0] = first;
    label[BATCH - 1] = last_label;
    nn_result result = nn_upload(plan, n->x, x, sizeof x);
    if (result == NN_OK) result = nn_upload(plan, n->label, label, sizeof label);
    return result == NN_OK ? nn_train_on_inputs(n->trainer) : result;
}

/* Everything that a step changes. */
typedef struct state {
    float weight[2 * WIDTH], mean[WIDTH], apart[WIDTH];
    int32_t best[WIDTH];
} state;

static void read_state(net *n, state *s) {
    memset(s, 0, sizeof *s);
    nn_download_tensor(nn_find_tensor(n->model, "fc.weight"), s->weight, sizeof s->weight);
    nn_download_tensor(nn_find_tensor(n->model, "mean"), s->mean, sizeof s->mean);
    nn_download_tensor(nn_find_tensor(n->model, "apart"), s->apart, sizeof s->apart);
    nn_download_tensor(nn_find_tensor(n->model, "best"), s->best, sizeof s->best);
}

static void a_fault_changes_nothing(nn_device device, nn_device apart) {
    for (int way = 0; way < 2; way++) { /* a label out of range, an input that is no number */
        net n;
        state before, after;
        float loss;
        nn_clear_error(nn);
        make_net(&n, device, apart, false);
        ENSURE(n.trainer != NULL);
        ENSURE(step(&n, 0.0f, 0) == NN_OK && nn_read_loss(n.trainer, &loss) == NN_OK);
        read_state(&n, &before);
        ENSURE(before.best[0] == 2);
        ENSURE_CLOSE(before.mean[1], 1.0, 1e-6);
        ENSURE_CLOSE(before.apart[1], 1.0, 1e-6);
        nn_result result = step(&n, way == 1 ? NAN : 5.0f, way == 0 ? 9 : 0);
        /* on an asynchronous device the status word comes back with one of the next calls */
        if (result == NN_OK) result = nn_read_loss(n.trainer, &loss);
        ENSURE(result == (way == 0 ? NN_ERROR_LABEL : NN_ERROR_NAN));
        read_state(&n, &after);
        ENSURE(memcmp(before.weight, after.weight, sizeof before.weight) == 0);
        ENSURE(memcmp(before.best, after.best, sizeof before.best) == 0);
        ENSURE(memcmp(before.mean, after.mean, sizeof before.mean) == 0);
        ENSURE(memcmp(before.apart, after.apart, sizeof before.apart) == 0);
        nn_clear_error(nn);
        ENSURE(nn_clear_fault(n.trainer) == NN_OK);
        ENSURE(step(&n, 4.0f, 0) == NN_OK && nn_read_loss(n.trainer, &loss) == NN_OK);
        read_state(&n, &after);
        ENSURE(after.best[0] == 0);
        ENSURE_CLOSE(after.mean[0], 2.0, 1e-6);
        ENSURE_CLOSE(after.apart[0], 2.0, 1e-6);
        nn_free_trainer(n.trainer);
        nn_free_model(n.model);
    }
}

static void a_fault_leaves_buffers(void) {
    a_fault_changes_nothing(nn_cpu(), nn_cpu());
    a_fault_changes_nothing(simulated, simulated);
    a_fault_changes_nothing(simulated, nn_cpu()); /* each device has a status word of its own */
    a_fault_changes_nothing(nn_cpu(), simulated);
    if (opencl.kind == NN_CPU) return;
    a_fault_changes_nothing(opencl, opencl);
    a_fault_changes_nothing(opencl, nn_cpu());
    a_fault_changes_nothing(nn_cpu(), opencl);
}

/* Buffers exchange their values: every operation of a step reads what they were before the step. */
static void buffers_change_places(void) {
    nn_trainer_desc desc;
    ZERO(desc);
    nn_clear_error(nn);
    nn_model *model = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *a = nn_buffer(model, "a", NN_I32, NN_SHAPE(2, 2), 1.0),
            *b = nn_buffer(model, "b", NN_I32, NN_SHAPE(2, 2), 2.0),
            *c = nn_buffer(model, "c", NN_I32, NN_SHAPE(4), 3.0),
            *w = nn_parameter(model, "w", NN_SHAPE(3), 1.0f, 1.0f);
    nn_assign(model, a, b);
    nn_assign(model, b, nn_reshape(model, c, NN_SHAPE(2, 2)));
    nn_assign(model, c, nn_reshape(model, a, NN_SHAPE(4)));
    nn_trainer *trainer = nn_make_trainer(model, nn_sum(model, w, NN_ALL_AXES), &desc);
    ENSURE(trainer != NULL && nn_train_on_inputs(trainer) == NN_OK);
    const int32_t *now[3];
    now[0] = (const int32_t *)nn_tensor_data(nn_find_tensor(model, "a"));
    now[1] = (const int32_t *)nn_tensor_data(nn_find_tensor(model, "b"));
    now[2] = (const int32_t *)nn_tensor_data(nn_find_tensor(model, "c"));
    ENSURE(now[0][3] == 2 && now[1][3] == 3 && now[2][3] == 1);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    ENSURE(now[0][0] == 3 && now[1][0] == 1 && now[2][0] == 2);
    nn_free_trainer(trainer);
    nn_free_model(model);
}

/* If a trainer keeps gradients, a step is nn_backward and nn_update: a buffer is written once. */
static void a_step_in_two_halves_writes_once(void) {
    nn_trainer_desc desc;
    ZERO(desc);
    nn_clear_error(nn);
    nn_model *model = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *count = nn_buffer(model, "count", NN_F32, NN_SHAPE(1), 0.0),
            *w = nn_parameter(model, "w", NN_SHAPE(3), 1.0f, 1.0f);
    nn_assign(model, count, nn_offset(model, count, 1.0f));
    desc.gradients = true;
    nn_trainer *trainer = nn_make_trainer(model, nn_sum(model, w, NN_ALL_AXES), &desc);
    ENSURE(trainer != NULL);
    const float *now = (const float *)nn_tensor_data(nn_find_tensor(model, "count"));
    for (int i = 1; i <= 3; i++) {
        ENSURE(nn_backward(trainer) == NN_OK && nn_update(trainer) == NN_OK);
        ENSURE_CLOSE(now[0], i, 0);
    }
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    ENSURE_CLOSE(now[0], 4, 0);
    nn_free_trainer(trainer);
    nn_free_model(model);
}

int main(int argc, char **argv) {
    nn_desc desc;
    sim_desc sim;
    test_start(argc, argv);
    ZERO(desc);
    ZERO(sim);
    desc.threads = 2;
    nn = nn_open(&desc);
    sim.asynchronous = true;
    sim_device *device = sim_open(nn, &sim, &simulated);
    opencl = nn_cpu();
#ifdef NN_TEST_OPENCL
    if (OPEN_OPENCL(nn)) opencl = nn_opencl(0);
#endif
    RUN(a_fault_leaves_buffers);
    RUN(buffers_change_places);
    RUN(a_step_in_two_halves_writes_once);
    nn_close(nn);
    if (sim_free(device) != 0) test_failed++;
    return test_report();
}
