/* tests/plan/test_small_allocations.c - a device whose largest allocation is small: parameters,
   moments, inputs and activations are in several blocks, with the same bytes as in one. A tensor
   that fits into no block is named before anything is allocated. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "sim_device.h"
#include "test.h"
#include "lists.h"

enum { BATCH = 8, WIDTH = 20, HIDDEN = 56, STEPS = 4, MOST = 32768 };
/* fc2.weight, the largest value: 56 x 56 numbers */
#define LARGEST ((uint64_t)HIDDEN * HIDDEN * 4)

static nn_site at(int line) { return nn_make_site("train.c", line); }

typedef struct world {
    nn_context *nn;
    sim_device *sim;
    nn_device device;
    nn_model *net;
    nn_node *x, *label, *logits;
    nn_trainer *trainer;
    nn_dataset *dataset;
    float images[3 * BATCH * WIDTH];
    int32_t labels[3 * BATCH];
} world;

static bool check(const world *w) {
    if (!nn_error(w->nn)) return true;
    printf("%s\n", nn_error(w->nn));
    return false;
}

static bool open_world(world *w, uint64_t allocation, int64_t fail_at, bool poison, bool on_sim) {
    nn_desc context;
    sim_desc sim;
    nn_model_desc model;
    nn_linear_desc layer;
    nn_trainer_desc desc;
    nn_dataset_desc data;
    nn_node *x;
    memset(w, 0, sizeof *w);
    memset(&context, 0, sizeof context);
    memset(&sim, 0, sizeof sim);
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    for (int i = 0; i < 3 * BATCH * WIDTH; i++)
        w->images[i] = (float)((i * 31) % 23) / 23.0f - 0.5f;
    for (int i = 0; i < 3 * BATCH; i++) w->labels[i] = i % 3;
    context.threads = 1;
    sim.allocation = allocation;
    sim.fail_at = fail_at;
    sim.asynchronous = true;
    w->nn = nn_open(&context);
    w->sim = w->nn ? sim_open(w->nn, &sim, &w->device) : NULL;
    if (!w->sim) return false;
    model.device = on_sim ? w->device : nn_cpu();
    model.seed = 9;
    w->net = nn_make_model_at(at(1), w->nn, &model);
    w->x = nn_input_at(at(2), w->net, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    w->label = nn_input_at(at(3), w->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    layer.out_features = HIDDEN;
    x = nn_tanh_at(at(4), w->net, nn_linear_at(at(4), w->net, "fc1", w->x, &layer));
    x = nn_tanh_at(at(5), w->net, nn_linear_at(at(5), w->net, "fc2", x, &layer));
    nn_keep(x);
    layer.out_features = 3;
    w->logits = nn_linear_at(at(6), w->net, "fc3", x, &layer);
    desc.batch = BATCH;
    desc.optimizer = NN_ADAM;
    desc.learning_rate = 0.01f;
    desc.poison = poison;
    NODE_AT(desc.metrics, 0) = nn_accuracy_at(at(7), w->net, w->logits, w->label);
    w->trainer = nn_make_trainer_at(
        at(8), w->net, nn_cross_entropy_at(at(7), w->net, w->logits, w->label, NULL), &desc);
    data.count = 3 * BATCH;
    FIELD_AT(data.fields, 0).name = "x";
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(WIDTH);
    FIELD_AT(data.fields, 0).data = w->images;
    FIELD_AT(data.fields, 1).name = "label";
    FIELD_AT(data.fields, 1).dtype = NN_I32;
    FIELD_AT(data.fields, 1).data = w->labels;
    w->dataset = nn_make_dataset_at(at(9), w->nn, &data);
    return true;
}

static void close_world(world *w) {
    nn_close(w->nn);
    if (sim_free(w->sim) != 0)
        test_fail(__FILE__, __LINE__, "the simulated device saw violations or leaks");
}

static nn_loader *loader_on(world *w, nn_device device) {
    nn_loader_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.dataset = w->dataset;
    desc.batch = BATCH;
    desc.device = device;
    return nn_make_loader_at(at(10), w->nn, &desc);
}

/* Makes some steps, a report and an evaluation, and appends all numbers. False: an error. */
static bool work(world *w, nn_device device, float *to, int *count) {
    nn_report report, evaluation;
    nn_loader *loader = loader_on(w, device);
    for (int i = 0; i < STEPS; i++) {
        bool next = nn_next_batch_at(at(11), loader);
        if (!next && nn_loader_result(loader) == NN_END) next = nn_next_batch_at(at(11), loader);
        if (!next) return false;
        if (nn_train_step_at(at(12), w->trainer, loader) != NN_OK) return false;
    }
    if (nn_finish(w->nn) != NN_OK)
        return false; /* a wait that fails inside nn_free_loader has no result */
    nn_free_loader(loader);
    loader = loader_on(w, device);
    if (nn_read_report_at(at(13), w->trainer, &report) != NN_OK) return false;
    if (nn_evaluate_at(at(14), w->trainer, loader, &evaluation) != NN_OK) return false;
    nn_free_loader(loader);
    to[(*count)++] = (float)report.loss;
    to[(*count)++] = (float)report.metrics[0];
    to[(*count)++] = (float)evaluation.loss;
    to[(*count)++] = (float)evaluation.metrics[0];
    for (int i = 0; i < nn_model_tensor_count(w->net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(w->net, i);
        if (nn_download_tensor_at(at(15), tensor, to + *count, (size_t)nn_tensor_bytes(tensor)) !=
            NN_OK)
            return false;
        *count += (int)(nn_tensor_bytes(tensor) / sizeof(float));
    }
    return true;
}

static uint64_t reported(const nn_plan *plan, nn_device device) {
    uint64_t sum = 0;
    for (int c = NN_MEMORY_INPUTS; c <= NN_MEMORY_SCRATCH; c++)
        sum += nn_plan_bytes(plan, device, (nn_memory_category)c);
    return sum;
}

/* Returns the least number of blocks of at most `limit` bytes (0: no limit) for these bytes. */
static int64_t pieces(uint64_t bytes, uint64_t limit) {
    return limit ? (int64_t)((bytes + limit - 1) / limit) : 1;
}

/* Checks the blocks of the model's parameters, of the trainer's states, of its step, and of an
   evaluation, which is small. The size of the step depends on its kernels' scratch, which differs
   between builds. */
static int64_t least_blocks(const nn_plan *plan, nn_device device, uint64_t limit) {
    return pieces(nn_plan_bytes(plan, device, NN_MEMORY_PARAMETERS), limit) +
           pieces(nn_plan_bytes(plan, device, NN_MEMORY_STATE), limit) +
           pieces(reported(plan, device), limit) + 1;
}

static void same_bytes_in_any_number_of_blocks(void) {
    static float expected[MOST], actual[MOST];
    static const uint64_t limits[] = {0, LARGEST, LARGEST + 60, LARGEST + 64, 2 * LARGEST, 1 << 20};
    int count = 0;
    int64_t before = 0;
    uint64_t whole = 0;
    for (int i = 0; i < 6; i++)
        for (int poison = 0; poison < 2; poison++) {
            world w;
            int n = 0;
            float *to = i + poison ? actual : expected;
            ENSURE(open_world(&w, limits[i], 0, poison, true));
            ENSURE(w.trainer && check(&w));
            int64_t blocks = w.sim->live_allocations;
            nn_plan *plan = nn_trainer_plan(w.trainer);
            ENSURE(nn_plan_allocated(plan, w.device) == reported(plan, w.device));
            if (!whole) whole = nn_plan_allocated(plan, w.device);
            ENSURE(nn_plan_allocated(plan, w.device) >= whole || limits[i]);
            if (i == 0) before = blocks;
            if (i == 0) ENSURE(blocks == 4); /* parameters, states, the step's, the evaluation's */
            ENSURE(blocks >= least_blocks(plan, w.device, limits[i]));
            if (limits[i] && limits[i] <= LARGEST + 64) ENSURE(blocks >= before + 4);
            if (limits[i] == 1 << 20)
                ENSURE(blocks == before && nn_plan_allocated(plan, w.device) == whole);
            ENSURE(w.sim->live_bytes >= nn_plan_allocated(plan, w.device) +
                                            nn_plan_bytes(plan, w.device, NN_MEMORY_PARAMETERS));
            ENSURE(work(&w, w.device, to, &n) && check(&w));
            if (to == expected) count = n;
            ENSURE(n == count &&
                   memcmp(expected, actual, to == actual ? sizeof(float) * (size_t)n : 0) == 0);
            close_world(&w);
        }
}

static void too_large_is_named(void) {
    world w;
    ENSURE(open_world(&w, LARGEST - 64, 0, false, true));
    ENSURE(!w.trainer && w.sim->counters[SIM_ALLOC] == 0);
    ENSURE_TEXT(nn_error(w.nn),
                "nn: 1 mistake in \"model\"; nothing was run\n"
                "  1. parameter \"fc2.weight\" at train.c:5\n"
                "       tensor     \"fc2.weight\" (56, 56) f32  on user0:0 (simulated)\n"
                "     cause: 12544 bytes at a batch of 8; the largest allocation there is 12480\n"
                "     fix:   a smaller .batch, smaller layers, or another device");
    close_world(&w);
    /* the same after a move from another device */
    ENSURE(open_world(&w, LARGEST - 64, 0, false, false));
    ENSURE(w.trainer && nn_move_trainer_at(at(20), w.trainer, w.device) == NN_ERROR_MEMORY);
    ENSURE_TEXT(
        nn_error(w.nn),
        "nn_move_trainer at train.c:20: \"fc2.weight\" has 12544 bytes; the largest allocation on "
        "simulated is 12480; nothing was moved");
    ENSURE(w.sim->counters[SIM_ALLOC] == 0);
    close_world(&w);
}

/* Moves the model to the device, back, and to the device again. It has one block on the CPU and
   several on the device. */
static void moves_cut_and_join(void) {
    static float expected[MOST], actual[MOST];
    world w;
    int count = 0, n = 0;
    ENSURE(open_world(&w, LARGEST, 0, false, false));
    for (int i = 0; i < 4; i++) ENSURE(work(&w, nn_cpu(), expected, &count));
    close_world(&w);
    ENSURE(open_world(&w, LARGEST, 0, false, false));
    for (int i = 0; i < 4; i++) {
        nn_device device = i % 2 ? w.device : nn_cpu();
        ENSURE(nn_move_trainer_at(at(20), w.trainer, device) == NN_OK && check(&w));
        ENSURE((w.sim->live_allocations >= 8) == (i % 2 == 1));
        ENSURE(i % 2 || w.sim->live_bytes == 0);
        ENSURE(work(&w, device, actual, &n) && check(&w));
    }
    ENSURE(n == count && memcmp(expected, actual, sizeof(float) * (size_t)n) == 0);
    close_world(&w);
}

/* Calls of the device fail one by one (each of the first 60, then every seventh), from the
   description to a move away and back. There is an error and no leak, and the same request then
   succeeds. */
static void failures_leak_nothing(void) {
    static float numbers[MOST];
    for (int n = 1;; n += n < 60 ? 1 : 7) {
        world w;
        int count = 0;
        ENSURE(n < 4000);
        ENSURE(open_world(&w, LARGEST, n, false, true));
        bool fine = w.trainer && work(&w, w.device, numbers, &count) &&
                    nn_move_trainer_at(at(20), w.trainer, nn_cpu()) == NN_OK &&
                    nn_move_trainer_at(at(21), w.trainer, w.device) == NN_OK;
        bool reached = w.sim->fallible >= n;
        ENSURE(fine == !reached && fine == !nn_error(w.nn));
        if (!fine && w.trainer) {
            nn_clear_error(w.nn);
            count = 0;
            nn_clear_fault_at(at(22), w.trainer);
            ENSURE(nn_move_trainer_at(at(23), w.trainer, nn_cpu()) == NN_OK);
            ENSURE(nn_move_trainer_at(at(24), w.trainer, w.device) == NN_OK);
            ENSURE(work(&w, w.device, numbers, &count) && check(&w));
        }
        close_world(&w);
        if (!reached) return;
    }
}

/* Tests plans without a trainer: an unused parameter that is too large, and outputs in several
   blocks. */
static void inference_in_pieces(void) {
    nn_plan_desc desc;
    float logits[BATCH * 3], other[BATCH * 3];
    for (int i = 0; i < 2; i++) {
        world w;
        memset(&desc, 0, sizeof desc);
        ENSURE(open_world(&w, i ? LARGEST : 0, 0, false, true));
        NODE_AT(desc.outputs, 0) = w.logits;
        desc.batch = BATCH;
        nn_plan *plan = nn_make_plan_at(at(30), w.net, &desc);
        ENSURE(plan && check(&w));
        ENSURE(nn_upload_at(at(31), plan, w.x, w.images, sizeof(float) * BATCH * WIDTH) == NN_OK);
        ENSURE(nn_run_at(at(32), plan) == NN_OK);
        ENSURE(nn_download_at(at(33), plan, w.logits, i ? other : logits, sizeof logits) == NN_OK);
        ENSURE(nn_replan_at(at(34), plan) == NN_OK && check(&w));
        close_world(&w);
    }
    ENSURE(memcmp(logits, other, sizeof logits) == 0);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(same_bytes_in_any_number_of_blocks);
    RUN(too_large_is_named);
    RUN(moves_cut_and_join);
    RUN(failures_leak_nothing);
    RUN(inference_in_pieces);
    return test_report();
}
