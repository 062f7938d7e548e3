/* tests/tensor/test_mapped_tensors.c - access to a tensor's memory without a copy: on the CPU and
   on devices that share memory, but not on others. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "sim_device.h"
#include "test.h"
#include "lists.h"

static nn_site at(int line) { return nn_make_site("map.c", line); }

typedef struct world {
    nn_context *nn;
    sim_device *sim;
    nn_device device;
} world;

static bool open_world(world *w, bool can_map) {
    sim_desc sim;
    memset(w, 0, sizeof *w);
    memset(&sim, 0, sizeof sim);
    sim.can_map = can_map;
    sim.asynchronous = true;
    w->nn = nn_open(NULL);
    w->sim = w->nn ? sim_open(w->nn, &sim, &w->device) : NULL;
    return w->sim != NULL;
}

static void close_world(world *w) {
    nn_close(w->nn);
    if (sim_free(w->sim) != 0)
        test_fail(__FILE__, __LINE__, "the simulated device saw violations or leaks");
}

static nn_tensor *make(world *w, nn_device device, const char *name) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.name = name;
    desc.shape = NN_SHAPE(2, 3);
    desc.device = device;
    return nn_make_tensor_at(at(1), w->nn, &desc);
}

static bool refused(world *w, nn_result result, const char *text) {
    bool yes =
        result == NN_ERROR_ARGUMENT && nn_error(w->nn) && strstr(nn_error(w->nn), text) != NULL;
    if (!yes) printf("%d %s\n", (int)result, nn_error(w->nn) ? nn_error(w->nn) : "(no error)");
    nn_clear_error(w->nn);
    return yes;
}

static void reads_and_writes(void) {
    static const float numbers[6] = {1, 2, 3, 4, 5, 6};
    for (int i = 0; i < 2; i++) {
        world w;
        float back[3];
        ENSURE(open_world(&w, true));
        nn_device device = i ? w.device : nn_cpu();
        nn_tensor *x = make(&w, device, "x"), *row = nn_make_view_at(at(2), x, 1, 1);
        ENSURE(nn_upload_tensor_at(at(3), x, numbers, sizeof numbers) == NN_OK);
        nn_reset_ledger(w.nn);
        uint64_t moved = w.sim->counters[SIM_UPLOAD] + w.sim->counters[SIM_DOWNLOAD];
        float *mapped = (float *)nn_map_tensor_at(at(4), row, true);
        ENSURE(mapped && mapped[0] == 4 && mapped[2] == 6);
        mapped[1] = 50;
        ENSURE(nn_unmap_tensor_at(at(5), row) == NN_OK);
        ENSURE(nn_map_tensor_at(at(6), x, false) && nn_unmap_tensor_at(at(7), x) == NN_OK);
        ENSURE(w.sim->counters[SIM_UPLOAD] + w.sim->counters[SIM_DOWNLOAD] == moved);
        ENSURE(nn_ledger_count(w.nn) == 3);
        for (int k = 0; k < 3; k++) {
            nn_ledger_entry entry = nn_ledger_at(w.nn, k);
            ENSURE(entry.way == NN_WAY_MAPPED && entry.physical_bytes == 0 && entry.count == 1);
            ENSURE(entry.logical_bytes == (k == 2 ? 24u : 12u) && entry.site.line == 4 + k);
            ENSURE(entry.crossing == (k == 1 ? NN_CROSS_UPLOAD : NN_CROSS_DOWNLOAD));
            ENSURE(nn_same_device(k == 1 ? entry.to : entry.from, device));
        }
        ENSURE(nn_download_tensor_at(at(8), row, back, sizeof back) == NN_OK);
        ENSURE(back[0] == 4 && back[1] == 50 && back[2] == 6);
        ENSURE(!nn_error(w.nn));
        close_world(&w);
    }
}

static void no_shared_memory(void) {
    world w;
    nn_ledger_limits limits;
    ENSURE(open_world(&w, false));
    nn_tensor *x = make(&w, w.device, "x");
    ENSURE(nn_map_tensor_at(at(4), x, false) == NULL &&
           nn_error_code(w.nn) == NN_ERROR_UNSUPPORTED);
    ENSURE_TEXT(
        nn_error(w.nn),
        "nn_map_tensor at map.c:4: \"x\" is on user0:0, which shares no memory with the host; "
        "nn_download_tensor copies it");
    nn_clear_error(w.nn);
    ENSURE(nn_map_tensor_at(at(5), NULL, false) == NULL &&
           nn_unmap_tensor_at(at(5), NULL) == NN_ERROR_ARGUMENT);
    close_world(&w);
    /* the limits of the ledger are checked before the device maps anything */
    ENSURE(open_world(&w, true));
    x = make(&w, w.device, "x");
    memset(&limits, 0, sizeof limits);
    limits.upload_bytes = NN_LEDGER_NOTHING;
    nn_ledger_limit(w.nn, &limits);
    ENSURE(nn_map_tensor_at(at(6), x, true) == NULL && nn_error_code(w.nn) == NN_ERROR_LIMIT);
    ENSURE(w.sim->counters[SIM_MAP] == 0);
    nn_clear_error(w.nn);
    ENSURE(nn_map_tensor_at(at(6), x, false) && nn_unmap_tensor_at(at(6), x) == NN_OK);
    close_world(&w);
}

/* Calls that would use the tensor while it is mapped are refused. */
static void others_must_wait(void) {
    for (int i = 0; i < 2; i++) {
        world w;
        float numbers[6] = {0};
        ENSURE(open_world(&w, true));
        nn_device device = i ? w.device : nn_cpu();
        nn_tensor *x = make(&w, device, "x"), *y = make(&w, device, "y");
        ENSURE(nn_map_tensor_at(at(4), x, false));
        ENSURE(!nn_map_tensor_at(at(5), x, false) &&
               refused(&w, NN_ERROR_ARGUMENT,
                       "nn_map_tensor at map.c:5: \"x\" is "
                       "mapped; call nn_unmap_tensor(x) first"));
        ENSURE(refused(&w, nn_upload_tensor_at(at(6), x, numbers, sizeof numbers),
                       "nn_upload_tensor at map.c:6"));
        ENSURE(refused(&w, nn_download_tensor_at(at(6), x, numbers, sizeof numbers),
                       "nn_download_tensor at map.c:6"));
        ENSURE(refused(&w, nn_copy_at(at(7), y, x), "nn_copy at map.c:7: \"x\" is mapped"));
        ENSURE(refused(&w, nn_copy_at(at(7), x, y), "nn_copy at map.c:7: \"x\" is mapped"));
        ENSURE(refused(&w, nn_fill_zero(x), "nn_fill_zero"));
        ENSURE(refused(&w, nn_tanh_forward_at(at(8), y, x), "\"x\" is mapped"));
        ENSURE(nn_unmap_tensor_at(at(9), x) == NN_OK);
        ENSURE(refused(&w, nn_unmap_tensor_at(at(9), x),
                       "nn_unmap_tensor at map.c:9: \"x\" is not mapped"));
        ENSURE(nn_tanh_forward_at(at(8), y, x) == NN_OK);
        ENSURE(nn_map_tensor_at(at(4), x, false)); /* freed while mapped: an error */
        nn_free_tensor(x);
        ENSURE(refused(&w, NN_ERROR_ARGUMENT, "nn_free_tensor at map.c:1: \"x\" is mapped"));
        ENSURE(nn_map_tensor_at(at(4), y, true)); /* nn_close gives it back */
        close_world(&w);
    }
}

/* Mapped parameters and inputs stop a plan. Their model cannot be moved, and freeing it is an
   error. */
static void plans_must_wait(void) {
    world w;
    nn_model_desc model;
    nn_linear_desc layer;
    nn_plan_desc desc;
    ENSURE(open_world(&w, true));
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    model.device = w.device;
    layer.out_features = 2;
    nn_model *net = nn_make_model_at(at(1), w.nn, &model);
    nn_node *input = nn_input_at(at(2), net, "in", NN_F32, NN_SHAPE(NN_BATCH, 3));
    NODE_AT(desc.outputs, 0) = nn_linear_at(at(3), net, "fc", input, &layer);
    desc.batch = 2;
    nn_plan *plan = nn_make_plan_at(at(4), net, &desc);
    nn_tensor *x = make(&w, w.device, "x"), *weight = nn_find_tensor(net, "fc.weight");
    ENSURE(plan && weight && nn_bind_at(at(5), plan, input, x) == NN_OK &&
           nn_run_at(at(6), plan) == NN_OK);
    ENSURE(nn_map_tensor_at(at(7), x, true));
    ENSURE(refused(&w, nn_run_at(at(8), plan), "nn_run at map.c:8: \"x\" is mapped"));
    ENSURE(nn_unmap_tensor_at(at(7), x) == NN_OK && nn_run_at(at(6), plan) == NN_OK);
    float *numbers = (float *)nn_map_tensor_at(at(9), weight, true);
    ENSURE(numbers);
    ENSURE(refused(&w, nn_run_at(at(10), plan), "nn_run at map.c:10: \"fc.weight\" is mapped"));
    ENSURE(refused(&w, nn_run_for_at(at(10), plan, 1),
                   "nn_run_for at map.c:10: \"fc.weight\" is mapped"));
    ENSURE(refused(&w, nn_move_model_at(at(11), net, nn_cpu()),
                   "nn_move_model at map.c:11: \"fc.weight\" is mapped"));
    for (int i = 0; i < 6; i++) numbers[i] = 0;
    ENSURE(nn_unmap_tensor_at(at(9), weight) == NN_OK && nn_run_at(at(6), plan) == NN_OK);
    float y[4] = {1, 1, 1, 1}, bias[2];
    ENSURE(nn_download_at(at(12), plan, desc.outputs.node[0], y, sizeof y) == NN_OK);
    ENSURE(nn_download_tensor_at(at(12), nn_find_tensor(net, "fc.bias"), bias, sizeof bias) ==
           NN_OK);
    ENSURE(y[0] == bias[0] && y[1] == bias[1] && y[3] == bias[1]);
    ENSURE(nn_map_tensor_at(at(13), weight, false)); /* still mapped when its model is freed */
    nn_free_model(net);
    close_world(&w);
}

static void failures(void) {
    for (int n = 1; n <= 2; n++) {
        world w;
        ENSURE(open_world(&w, true));
        nn_tensor *x = make(&w, w.device, "x");
        ENSURE(nn_finish(w.nn) == NN_OK);
        sim_fail_at(w.sim, n);
        bool mapped = nn_map_tensor_at(at(4), x, true) != NULL;
        ENSURE(mapped == (n == 2) && !mapped == (nn_error(w.nn) != NULL));
        if (!mapped) ENSURE(strstr(nn_error(w.nn), "simulated failure of map"));
        if (!mapped) ENSURE(nn_ledger_bytes(w.nn, NN_CROSS_DOWNLOAD) == 0);
        sim_fail_at(w.sim, 0);
        if (mapped) ENSURE(nn_unmap_tensor_at(at(5), x) == NN_OK);
        close_world(&w);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(reads_and_writes);
    RUN(no_shared_memory);
    RUN(others_must_wait);
    RUN(plans_must_wait);
    RUN(failures);
    return test_report();
}
