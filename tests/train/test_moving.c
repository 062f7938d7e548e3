/* test_moving.c - the whole state of a training run moves: parameters, buffers, constants,
   gradients that are being added up, moments, totals, the step, the generator of dropout, a fault.
   A trainer that moves between devices, or goes through a checkpoint or a file of weights,
   continues like one that stayed. The tests run on the CPU, a simulated asynchronous device and,
   with NN_TEST_OPENCL, an OpenCL device. */
#include "nn.h"
#ifdef NN_TEST_OPENCL
#include "nn_opencl.h"
#endif
#include "error.h"
#include "sim_device.h"
#include "open.h"
#include "test.h"
#include "lists.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

enum { BATCH = 4, IN = 5, OUT = 3, HIDDEN = 6, BATCHES = 4 };

static float pictures[BATCHES][BATCH][IN];
static int32_t labels[BATCHES][BATCH];

static void fill_data(void) {
    uint32_t words[4];
    for (int i = 0; i < BATCHES * BATCH; i++) {
        labels[i / BATCH][i % BATCH] = i % OUT;
        for (int j = 0; j < IN; j++) {
            nn_random_words(3, 1, (uint64_t)(i * IN + j), words);
            pictures[i / BATCH][i % BATCH][j] =
                nn_word_to_uniform(words[0]) - 0.5f + (float)(j == i % OUT);
        }
    }
}

typedef struct run {
    nn_context *nn;
    sim_device *sim;
    nn_device other; /* where to move; the CPU: there is no such device */
    nn_model *net;
    nn_node *image, *label, *logits;
    nn_trainer *trainer;
} run;

typedef enum place { SIMULATED, OPENCL, PLACES } place;

/* Describes a net with a running mean of each input in a buffer that it reads. gradients: backward
   and update are separate calls. */
static void describe(run *r, nn_device device, bool gradients, nn_optimizer optimizer) {
    const float weights[OUT] = {1, 2, 0.5f};
    nn_model_desc model;
    nn_linear_desc layer;
    nn_cross_entropy_desc entropy;
    nn_trainer_desc desc;
    ZERO(model), ZERO(layer), ZERO(entropy), ZERO(desc);
    model.device = device;
    model.seed = 5;
    r->net = nn_make_model(r->nn, &model);
    r->image = nn_input(r->net, "image", NN_F32, NN_SHAPE(NN_BATCH, IN));
    r->label = nn_input(r->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *mean = nn_buffer(r->net, "mean", NN_F32, NN_SHAPE(IN), 0.25);
    nn_node *now = nn_reduce(r->net, NN_MEAN, r->image, NN_AXES(0), false);
    nn_assign(r->net, mean,
              nn_add(r->net, nn_scale(r->net, mean, 0.5f), nn_scale(r->net, now, 0.5f)));
    layer.out_features = HIDDEN;
    nn_node *x = nn_linear(r->net, "fc1", nn_subtract(r->net, r->image, mean), &layer);
    x = nn_dropout(r->net, nn_relu(r->net, x), 0.25f);
    layer.out_features = OUT;
    r->logits = nn_linear(r->net, "fc2", x, &layer);
    nn_tensor *given = nn_wrap(r->nn, "given", NN_F32, NN_SHAPE(OUT), (void *)(uintptr_t)weights);
    entropy.weight = nn_constant(r->net, "class_weight", given);
    nn_node *loss = nn_cross_entropy(r->net, r->logits, r->label, &entropy);
    nn_find_tensor(r->net, "mean"); /* the constant is copied before `weights` goes */
    desc.batch = BATCH;
    desc.optimizer = optimizer;
    desc.momentum = optimizer == NN_SGD ? 0.9f : 0.0f;
    desc.learning_rate = 0.05f;
    desc.gradients = gradients;
    NODE_AT(desc.metrics, 0) = nn_accuracy(r->net, r->logits, r->label);
    r->trainer = nn_make_trainer(r->net, loss, &desc);
}

static nn_context *opencl_nn; /* of all runs on OpenCL: each program is compiled once */

/* False: this machine has no such device. */
static bool begin(run *r, place where, bool gradients, nn_optimizer optimizer) {
    nn_desc desc;
    ZERO(*r), ZERO(desc);
    desc.threads = 1;
    r->nn = where == OPENCL && opencl_nn ? opencl_nn : nn_open(&desc);
    r->other = nn_cpu();
    if (where == SIMULATED) {
        sim_desc sim;
        ZERO(sim);
        sim.asynchronous = true;
        r->sim = sim_open(r->nn, &sim, &r->other);
    }
#ifdef NN_TEST_OPENCL
    if (where == OPENCL && !opencl_nn) OPEN_OPENCL(r->nn);
    if (where == OPENCL && nn_is_open(r->nn, nn_opencl(0))) {
        r->other = nn_opencl(0);
        opencl_nn = r->nn;
    }
#endif
    nn_clear_error(r->nn);
    if (r->other.kind == NN_CPU) {
        nn_close(r->nn);
        return false;
    }
    describe(r, nn_cpu(), gradients, optimizer);
    return true;
}

static bool end(run *r) {
    if (nn_error(r->nn)) printf("%s\n", nn_error(r->nn));
    bool fine = !nn_error(r->nn);
    if (r->nn != opencl_nn) nn_close(r->nn);
    return fine && (!r->sim || sim_free(r->sim) == 0);
}

static bool feed(run *r, int batch) {
    nn_plan *plan = nn_trainer_plan(r->trainer);
    return nn_upload(plan, r->image, pictures[batch % BATCHES], sizeof pictures[0]) == NN_OK &&
           nn_upload(plan, r->label, labels[batch % BATCHES], sizeof labels[0]) == NN_OK;
}

static bool step(run *r, int i) { return feed(r, i) && nn_train_on_inputs(r->trainer) == NN_OK; }
static bool pass(run *r, int i) { return feed(r, i) && nn_backward(r->trainer) == NN_OK; }

/* Reads all tensors of the model as one row of numbers. */
enum { NUMBERS = IN + OUT + HIDDEN * IN + HIDDEN + OUT * HIDDEN + OUT };
static bool read_all(run *r, float *to) {
    static const char *const names[] = {"mean",     "class_weight", "fc1.weight",
                                        "fc1.bias", "fc2.weight",   "fc2.bias"};
    static const int counts[] = {IN, OUT, HIDDEN * IN, HIDDEN, OUT * HIDDEN, OUT};
    for (int i = 0; i < 6; to += counts[i++]) {
        size_t bytes = (size_t)counts[i] * sizeof(float);
        if (nn_download_tensor(nn_find_tensor(r->net, names[i]), to, bytes) != NN_OK) return false;
    }
    return true;
}

static bool read_gradients(run *r, float *to) {
    return nn_read_gradient(r->trainer, "fc1.weight", to, HIDDEN * IN * sizeof(float)) == NN_OK &&
           nn_read_gradient(r->trainer, "fc2.bias", to + HIDDEN * IN, OUT * sizeof(float)) == NN_OK;
}

/* True if the numbers agree; the simulated device must give exactly the CPU's. */
static bool near(const run *r, const float *a, const float *b, int count) {
    double most = 0, allowed = r->sim ? 0 : 2e-5;
    for (int i = 0; i < count; i++) {
        double apart = (double)a[i] - (double)b[i];
        if (!(apart == apart)) return false;
        if (apart < 0) apart = -apart;
        if (apart > most) most = apart;
    }
    if (most > allowed) printf("differ by %g\n", most);
    return most <= allowed;
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void a_moved_training_goes_on(void) {
    static const nn_optimizer optimizers[] = {NN_SGD, NN_ADAM, NN_ADAMW};
    for (int k = 0; k < PLACES * 3 * 2; k++) {
        run stays, moves;
        float want[NUMBERS], have[NUMBERS];
        nn_report a, b;
        const bool gradients = k % 2 == 1;
        if (!begin(&stays, (place)(k / 6), gradients, optimizers[k / 2 % 3])) continue;
        ENSURE(begin(&moves, (place)(k / 6), gradients, optimizers[k / 2 % 3]));
        ENSURE(stays.trainer && moves.trainer);
        for (int i = 0; i < 9; i++) {
            ENSURE(step(&stays, i));
            if (i == 3) ENSURE(nn_move_trainer(moves.trainer, moves.other) == NN_OK);
            if (i == 6) ENSURE(nn_move_trainer(moves.trainer, nn_cpu()) == NN_OK);
            ENSURE(step(&moves, i));
        }
        ENSURE(read_all(&stays, want) && read_all(&moves, have) &&
               near(&moves, want, have, NUMBERS));
        ENSURE(nn_trainer_step(moves.trainer) == 9);
        ENSURE(nn_read_report(stays.trainer, &a) == NN_OK &&
               nn_read_report(moves.trainer, &b) == NN_OK);
        ENSURE(a.samples == 9 * BATCH && a.samples == b.samples);
        ENSURE_CLOSE(b.loss, a.loss, 1e-5);
        ENSURE_CLOSE(b.metrics[0], a.metrics[0], 1e-5);
        ENSURE(end(&stays) && end(&moves));
    }
}

/* Between nn_backward and nn_update the sum of gradients moves along, and can still be read. */
static void gathered_gradients_move_along(void) {
    for (int where = 0; where < PLACES; where++) {
        run stays, moves;
        float want[NUMBERS], have[NUMBERS], before[HIDDEN * IN + OUT], after[HIDDEN * IN + OUT];
        if (!begin(&stays, (place)where, true, NN_ADAM)) continue;
        ENSURE(begin(&moves, (place)where, true, NN_ADAM) && stays.trainer && moves.trainer);
        for (int i = 0; i < 6; i += 2) {
            ENSURE(pass(&stays, i) && pass(&stays, i + 1));
            ENSURE(read_gradients(&stays, before) && nn_update(stays.trainer) == NN_OK);
            ENSURE(pass(&moves, i));
            ENSURE(nn_move_trainer(moves.trainer, i == 2 ? nn_cpu() : moves.other) == NN_OK);
            ENSURE(pass(&moves, i + 1));
            ENSURE(read_gradients(&moves, after) && near(&moves, before, after, HIDDEN * IN + OUT));
            ENSURE(nn_update(moves.trainer) == NN_OK);
            ENSURE(read_gradients(&moves, after) && near(&moves, before, after, HIDDEN * IN + OUT));
        }
        ENSURE(before[0] != 0 && nn_trainer_step(moves.trainer) == 3);
        ENSURE(read_all(&stays, want) && read_all(&moves, have) &&
               near(&moves, want, have, NUMBERS));
        ENSURE(end(&stays) && end(&moves));
    }
}

/* A fault that the host has not heard of yet does not get lost on the way. */
static void a_fault_moves_along(void) {
    for (int where = 0; where < PLACES; where++) {
        run r;
        float before[NUMBERS], after[NUMBERS];
        if (!begin(&r, (place)where, false, NN_ADAM)) continue;
        ENSURE(r.trainer && nn_move_trainer(r.trainer, r.other) == NN_OK && step(&r, 0) &&
               read_all(&r, before));
        labels[1][0] = 99;
        ENSURE(feed(&r, 1));
        nn_train_on_inputs(r.trainer); /* this step, or the next call, reports it */
        labels[1][0] = BATCH % OUT;
        nn_clear_error(r.nn);
        bool told = nn_move_trainer(r.trainer, nn_cpu()) == NN_ERROR_LABEL;
        if (!told) told = !step(&r, 2) && nn_error_code(r.nn) == NN_ERROR_LABEL;
        ENSURE(told && read_all(&r, after) &&
               near(&r, before + IN, after + IN, NUMBERS - IN)); /* no parameter */
        nn_clear_error(r.nn);
        ENSURE(nn_clear_fault(r.trainer) == NN_OK && nn_trainer_step(r.trainer) == 1);
        ENSURE(nn_move_trainer(r.trainer, nn_cpu()) == NN_OK && step(&r, 2) &&
               nn_trainer_step(r.trainer) == 2);
        ENSURE(end(&r));
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A checkpoint saved on one device continues on another. */
static void a_checkpoint_goes_on_elsewhere(void) {
    for (int k = 0; k < PLACES * 2; k++) {
        run saved, loaded;
        float want[NUMBERS], have[NUMBERS];
        if (!begin(&saved, (place)(k / 2), k % 2 == 1, NN_ADAMW)) continue;
        ENSURE(begin(&loaded, (place)(k / 2), k % 2 == 1, NN_ADAMW) && saved.trainer &&
               loaded.trainer);
        for (int i = 0; i < 3; i++) ENSURE(step(&saved, i) && step(&loaded, 2 - i));
        ENSURE(nn_save_checkpoint(saved.trainer, "build/moving.checkpoint", NULL) == NN_OK);
        ENSURE(nn_move_trainer(loaded.trainer, loaded.other) == NN_OK && step(&loaded, 1));
        ENSURE(nn_load_checkpoint(loaded.trainer, "build/moving.checkpoint", NULL) == NN_OK);
        ENSURE(read_all(&saved, want) && read_all(&loaded, have));
        ENSURE(memcmp(want, have, sizeof want) == 0 && nn_trainer_step(loaded.trainer) == 3);
        for (int i = 3; i < 7; i++) ENSURE(step(&saved, i) && step(&loaded, i));
        ENSURE(read_all(&saved, want) && read_all(&loaded, have) &&
               near(&loaded, want, have, NUMBERS));
        ENSURE(end(&saved) && end(&loaded));
    }
}

/* Weights hold buffers and constants; blending takes buffers too, on each device. */
static void weights_hold_buffers(void) {
    for (int where = 0; where < PLACES; where++) {
        run a, b;
        float want[NUMBERS], first[NUMBERS], have[NUMBERS];
        if (!begin(&a, (place)where, false, NN_SGD)) continue;
        ENSURE(begin(&b, (place)where, false, NN_SGD) && a.trainer && b.trainer);
        for (int i = 0; i < 3; i++) ENSURE(step(&a, i));
        ENSURE(read_all(&a, want) && want[0] != 0.25f);
        ENSURE(nn_move_trainer(a.trainer, a.other) == NN_OK &&
               nn_save_weights(a.net, "build/moving.safetensors") == NN_OK);
        ENSURE(nn_move_model(b.net, b.other) == NN_OK && read_all(&b, first));
        ENSURE(first[0] == 0.25f && memcmp(first, want, sizeof want) != 0);
        ENSURE(nn_load_weights(b.net, "build/moving.safetensors", NULL) == NN_OK &&
               read_all(&b, have));
        ENSURE(memcmp(want, have, sizeof want) == 0);
        nn_model *trained = a.net;
        describe(&a, a.other, false, NN_SGD); /* a second net in the same context and place */
        ENSURE(a.trainer && read_all(&a, first) &&
               nn_blend_weights(a.net, trained, 0.25f) == NN_OK && read_all(&a, have));
        for (int i = 0; i < NUMBERS; i++) {
            if (i >= IN && i < IN + OUT)
                ENSURE_CLOSE(have[i], want[i], 0); /* constants: the same in both */
            else
                ENSURE_CLOSE(have[i], first[i] + 0.25 * ((double)want[i] - (double)first[i]), 1e-6);
        }
        ENSURE(end(&a) && end(&b));
    }
}

/* A plan that borrows what another model owns reads no memory of a device that the plan does not
   have. */
static void a_borrowed_tensor_moves(void) {
    for (int where = 0; where < PLACES; where++) {
        run r;
        nn_plan_desc desc;
        float means[IN];
        if (!begin(&r, (place)where, false, NN_SGD)) continue;
        ZERO(desc);
        nn_model *reader = nn_make_model(r.nn, NULL);
        nn_node *y = nn_relu(reader, nn_borrow(reader, nn_find_tensor(r.net, "mean")));
        NODE_AT(desc.outputs, 0) = y;
        nn_plan *plan = nn_make_plan(reader, &desc);
        ENSURE(nn_run(plan) == NN_OK && nn_download(plan, y, means, sizeof means) == NN_OK);
        ENSURE(means[0] == 0.25f && nn_move_trainer(r.trainer, r.other) == NN_OK);
        ENSURE(nn_run(plan) == NN_ERROR_DEVICE &&
               says(r.nn, "\"mean\" of nn_borrow stood on cpu and was moved to"));
        ENSURE(nn_move_trainer(r.trainer, nn_cpu()) == NN_OK && nn_run(plan) == NN_OK);
        ENSURE(end(&r));
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    fill_data();
    RUN(a_moved_training_goes_on);
    RUN(gathered_gradients_move_along);
    RUN(a_fault_moves_along);
    RUN(a_checkpoint_goes_on_elsewhere);
    RUN(weights_hold_buffers);
    RUN(a_borrowed_tensor_moves);
    nn_close(opencl_nn);
    return test_report();
}
