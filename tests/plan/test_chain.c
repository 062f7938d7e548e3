/* test_chain.c: steps that a device runs as one (a chain), compared with the same steps run
   separately. Random nets of small layers run on a simulated device, whose chains run the kernels
   one after the other and so have the same bytes; on the CPU, whose chains also have the same
   bytes; and on OpenCL devices, as they are and treated as a GPU. test_backends.c tests the kernels
   alone. NN_FULL=1: many more nets. */
#if !defined(NN_TEST_OPENCL) && !defined(NN_OPENCL_DYNAMIC)
#define NN_OPENCL_DYNAMIC /* the Makefile does not link it */
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include "inside.h"
#include "open.h"
#include "test.h"

#include "sim_device.h"
#include "small_nets.h"
#include "lists.h"

#include <stdlib.h>

enum { STEPS = 20, WIDEST = 128, LARGEST = 300, NUMBERS = 6 * (WIDEST * WIDEST + WIDEST) };
enum { MOST_ROWS = 9000, GIVEN = MOST_ROWS * 10 }; /* of narrow nets: at most 10 classes */

/* ---- random nets ----------------------------------------------------------------------------- */

typedef enum way {
    ALONE, /* separate_steps */
    CHAINED,
    ON_CPU
} way;

typedef struct sketch {
    uint64_t seed;
    int most, batch; /* widths, and the largest batch */
    int depth, in, classes, optimizer;
    small_loss_kind loss;
    bool wild; /* this activation instead of random functions of one number */
    small_activation_kind activation;
    bool clips, keeps, ignores, smooths, poisons, sliced;
    bool drops, decays; /* dropout between the layers; the rate falls with the steps */
} sketch;

static uint32_t drawn(uint64_t seed, uint64_t place) {
    uint32_t words[4];
    nn_random_words(seed, 77, place, words);
    return words[0];
}
static float drawn_number(uint64_t seed, uint64_t place) {
    return nn_word_to_uniform(drawn(seed, place)) * 2.0f - 1.0f;
}

static sketch draw_net(uint64_t seed, int most, int batch) {
    sketch n;
    memset(&n, 0, sizeof n);
    n.seed = seed;
    n.most = most;
    n.batch = 1 + (int)(drawn(seed, 0) % (uint32_t)batch);
    n.depth = 1 + (int)(drawn(seed, 1) % 6);
    n.in = 1 + (int)(drawn(seed, 2) % (uint32_t)most);
    n.classes = 1 + (int)(drawn(seed, 3) % (uint32_t)(drawn(seed, 4) % 2 ? 10 : most));
    static const small_loss_kind usual[] = {SMALL_cross_entropy, SMALL_mse, SMALL_bce_logits,
                                            SMALL_smooth_l1, SMALL_l1};
    n.loss = usual[drawn(seed, 5) % 5];
    n.optimizer = (int)(drawn(seed, 6) % 4);
    n.clips = drawn(seed, 7) % 4 == 0;
    n.keeps = drawn(seed, 8) % 3 == 0;
    n.ignores = n.classes > 1 && drawn(seed, 9) % 4 == 0; /* one class: no label would count */
    n.smooths = drawn(seed, 10) % 4 == 0;
    n.poisons = drawn(seed, 11) % 3 == 0;
    n.sliced = drawn(seed, 12) % 4 == 0;
    return n;
}

static nn_node *activated(const sketch *n, nn_model *m, nn_node *x, int layer, int width) {
    static const small_activation_kind usual[] = {
        SMALL_relu_, SMALL_tanh_, SMALL_gelu_,     SMALL_silu_, SMALL_leaky_relu_, SMALL_sigmoid_,
        SMALL_elu_,  SMALL_softplus_, SMALL_mish_, SMALL_none_};
    const uint32_t which = drawn(n->seed, 20 + (uint64_t)layer) >> 16;
    char name[16];
    snprintf(name, sizeof name, "act%d", layer);
    return small_activation(m, n->wild ? n->activation : usual[which % 10], name, x, width);
}

typedef struct described {
    nn_model *net;
    nn_node *x, *inner, *y, *loss;
    small_inputs given; /* besides x */
    nn_trainer *trainer;
} described;

static described describe(nn_context *nn, nn_device device, const sketch *n, way how) {
    described d;
    nn_trainer_desc desc;
    char name[16];
    memset(&d, 0, sizeof d);
    memset(&desc, 0, sizeof desc);
    d.net = nn_make_model(nn, &(nn_model_desc){.seed = n->seed, .device = device, .name = "mlp"});
    d.x = d.y = nn_input(d.net, "x", NN_F32, NN_SHAPE(NN_BATCH, n->in));
    for (int i = 0; i < n->depth; i++) {
        const uint32_t word = drawn(n->seed, 20 + (uint64_t)i);
        const int width = i + 1 == n->depth ? n->classes : 1 + (int)(word % (uint32_t)n->most);
        snprintf(name, sizeof name, "fc%d", i);
        d.y = nn_linear(d.net, name, d.y,
                        &(nn_linear_desc){.out_features = width, .no_bias = word >> 8 & 1});
        if (i + 1 < n->depth) d.y = activated(n, d.net, d.y, i, width);
        if (i + 1 < n->depth && n->drops) d.y = nn_dropout(d.net, d.y, 0.25f);
        if (i == n->depth / 2) d.inner = d.y;
    }
    if (n->keeps) nn_keep(d.inner);
    if (n->loss == SMALL_cross_entropy)
        d.loss = nn_cross_entropy(d.net, d.y,
                                  small_input(d.net, &d.given, SMALL_LABEL_ROWS, n->classes),
                                  &(nn_cross_entropy_desc){.ignore = n->ignores,
                                                           .label_smoothing =
                                                               n->smooths ? 0.1f : 0});
    else
        d.loss = small_loss(d.net, n->loss, d.y, n->classes, &d.given);
    desc.batch = n->batch;
    desc.optimizer = n->optimizer == 0 ? NN_ADAM : n->optimizer == 1 ? NN_ADAMW : NN_SGD;
    desc.momentum = n->optimizer == 3 ? 0.9f : 0;
    desc.learning_rate = n->optimizer < 2 ? 1e-3f : 1e-2f;
    if (n->loss == SMALL_mse_sum || n->loss == SMALL_cross_entropy_sum)
        desc.learning_rate /= (float)n->batch;
    desc.weight_decay = n->seed % 2 ? 0.01f : 0;
    desc.max_norm = n->clips ? 1.0f : 0;
    desc.poison = n->poisons;
    if (n->decays) desc.schedule.kind = NN_SCHEDULE_STEP, desc.schedule.steps = 3;
    desc.separate_steps = how == ALONE;
    d.trainer = nn_make_trainer(d.net, d.loss, &desc);
    return d;
}

/* The outcome: losses, parameters, the outputs of a separate plan, a kept value. */
typedef struct outcome {
    double losses[STEPS];
    float numbers[NUMBERS + 2 * LARGEST * WIDEST];
    int64_t count;
} outcome;

/* Draws this number of rows of input k (not x) into `to`, from number `at` on. Returns how many
   numbers a row has. */
static int give_rows(const sketch *n, const described *d, int k, int rows, uint64_t at, float *to) {
    const small_kind kind = d->given.kind[k];
    const int each = small_is_rows(kind) ? 1 : n->classes;
    for (int i = 0; i < rows * each; i++)
        small_number(kind, n->classes, i % each,
                     drawn(n->seed + 1 + (uint64_t)k, at + (uint64_t)i), &to[i]);
    return each;
}

static bool give(const sketch *n, const described *d, nn_plan *plan, int step, int batch) {
    static float x[GIVEN], t[GIVEN];
    const uint64_t at = (uint64_t)(step + 1) * 1000003u;
    for (int i = 0; i < batch * n->in; i++) x[i] = drawn_number(n->seed, at + (uint64_t)i);
    if (nn_upload(plan, d->x, x, sizeof(float) * (size_t)(batch * n->in)) < 0) return false;
    for (int k = 0; k < d->given.count && plan == nn_trainer_plan(d->trainer); k++) {
        const int each = give_rows(n, d, k, batch, at, t);
        /* the first label always counts */
        if (d->given.kind[k] == SMALL_LABEL_ROWS) ((int32_t *)t)[0] = n->classes - 1;
        if (nn_upload(plan, d->given.node[k], t, sizeof(float) * (size_t)(batch * each)) < 0)
            return false;
    }
    return true;
}

static bool take(outcome *to, const nn_tensor *tensor) {
    const nn_shape shape = nn_tensor_shape(tensor);
    const int64_t count = nn_shape_count(shape);
    if (nn_download_tensor(tensor, to->numbers + to->count, sizeof(float) * (size_t)count) < 0)
        return false;
    to->count += count;
    return true;
}

static bool train(nn_context *nn, const sketch *n, described *d, outcome *to, way how) {
    float loss = 0;
    nn_plan *plan;
    to->count = 0;
    for (int s = 0; s < STEPS; s++) {
        const int batch = s % 5 == 4 ? 1 + (int)(drawn(n->seed, 900 + (uint64_t)s) %
                                                 (uint32_t)n->batch)
                                     : n->batch;
        if (!give(n, d, nn_trainer_plan(d->trainer), s, batch)) return false;
        if (nn_train_on_inputs(d->trainer) != NN_OK || nn_read_loss(d->trainer, &loss) != NN_OK)
            return false;
        to->losses[s] = loss;
    }
    if (n->keeps) {
        const nn_view inner = nn_plan_view(nn_trainer_plan(d->trainer), d->inner);
        const size_t bytes = (size_t)nn_shape_count(inner.shape) * sizeof(float);
        if (nn_download(nn_trainer_plan(d->trainer), d->inner, to->numbers, bytes) < 0)
            return false;
        to->count = (int64_t)(bytes / sizeof(float));
    }
    for (int i = 0; i < nn_model_tensor_count(d->net); i++)
        if (!take(to, nn_model_tensor_at(d->net, i))) return false;
    plan = nn_make_plan(d->net, &(nn_plan_desc){.outputs = NN_NODES(d->y),
                                                .batch = n->batch,
                                                .separate_steps = how == ALONE});
    if (!plan || !give(n, d, plan, STEPS, n->batch)) return false;
    nn_result result = n->sliced ? nn_run_for(plan, 1) : nn_run(plan);
    while (result == NN_PENDING) result = nn_run_for(plan, 1);
    if (result != NN_OK) return false;
    const size_t bytes = sizeof(float) * (size_t)(n->batch * n->classes);
    if (nn_download(plan, d->y, to->numbers + to->count, bytes) < 0) return false;
    to->count += n->batch * n->classes;
    return nn_error(nn) == NULL;
}

/* Returns the rest of the line in the plan's text after `word`; NULL: the text does not have it. */
static char *found(const nn_plan *plan, const char *word) {
    static char text[1 << 16];
    nn_text out;
    nn_writer writer;
    memset(&out, 0, sizeof out);
    out.buffer = text;
    out.size = sizeof text;
    writer.function = nn_write_text;
    writer.user = &out;
    nn_write_plan(plan, writer);
    char *at = strstr(text, word);
    if (at) at[strcspn(at, "\n")] = 0;
    return at;
}
static TEST_UNUSED bool told(const nn_plan *plan, const char *word) {
    return found(plan, word) != NULL;
}
static const char *line_of(const nn_plan *plan, const char *word) {
    const char *at = found(plan, word);
    return at ? at : "";
}

/* Returns the distance of two outcomes. Twenty steps amplify a rounding. */
static double farthest(const outcome *a, const outcome *b) {
    double worst = 0;
    for (int64_t i = 0; i < a->count; i++) {
        const double off = fabs((double)a->numbers[i] - (double)b->numbers[i]) /
                           (1 + fabs((double)b->numbers[i]));
        if (!(off <= worst)) worst = off;
    }
    for (int i = 0; i < STEPS; i++) {
        const double off = fabs(a->losses[i] - b->losses[i]) / (1 + fabs(b->losses[i]));
        if (!(off <= worst)) worst = off;
    }
    return worst;
}

/* ---- a device whose chains are its kernels --------------------------------------------------- */

static int sim_chains, sim_runs, sim_refuses; /* chains alive, runs, refused preparations */
static int sim_longest;                       /* of a chain */
static bool sim_gpu; /* instead of chains: launches are expensive, and some steps are joined */

static int32_t sim_chain_make(void *state, const nn_call *calls, int32_t count, void **chain,
                              uint64_t *scratch_bytes, char *why, size_t why_bytes) {
    sim_device *sim = (sim_device *)state;
    int32_t *made = (int32_t *)malloc(sizeof *made);
    if (count > sim_longest) snprintf(why, why_bytes, "this test takes %d", sim_longest);
    *made = count < sim_longest ? count : sim_longest;
    *chain = made;
    *scratch_bytes = 0;
    for (int32_t i = 0; i < *made; i++) {
        const uint64_t bytes = sim->backend.scratch_bytes(sim, calls[i].kernel, calls[i].args);
        if (*scratch_bytes < bytes) *scratch_bytes = bytes;
    }
    sim_chains++;
    return *made;
}

/* Memory that the steps of a chain use separately must not overlap while the chain runs. Scratch
   belongs to no step. */
typedef struct sim_places {
    nn_view views[512];
    int count, overlaps;
} sim_places;

static void sim_place(void *user, nn_view *view, view_role role, const char *name) {
    sim_places *places = (sim_places *)user;
    (void)name;
    if (role == VIEW_SCRATCH) return;
    for (int i = 0; i < places->count; i++) {
        const nn_view *other = &places->views[i];
        if (other->handle != view->handle || other->offset == view->offset) continue;
        places->overlaps += other->offset < view->offset + view_bytes(view) &&
                            view->offset < other->offset + view_bytes(other);
    }
    if (places->count < 512) places->views[places->count++] = *view;
}

static bool sim_apart(const nn_call *calls, int32_t count) {
    static sim_places places;
    places.count = places.overlaps = 0;
    for (int32_t i = 0; i < count; i++) {
        void *args = kernel_args_copy(calls[i].kernel, calls[i].args);
        kernel_visit_views(calls[i].kernel, args, sim_place, &places);
        free(args);
    }
    return places.overlaps == 0;
}

static nn_result sim_chain_prepare(void *state, void *chain, const nn_call *calls,
                                   const nn_view *scratch) {
    sim_device *sim = (sim_device *)state;
    nn_result result = NN_OK;
    (void)scratch;
    if (!sim_apart(calls, *(const int32_t *)chain))
        sim_violation(sim, "chain_prepare", "views of a chain overlap", 0, 0, 0);
    if (sim_refuses > 0 && sim_refuses-- > 0) return NN_ERROR_UNSUPPORTED;
    for (int32_t i = 0; i < *(const int32_t *)chain && result >= 0; i++)
        result = sim->backend.prepare(sim, calls[i].kernel, calls[i].args);
    return result;
}

static nn_result sim_chain_run(void *state, void *chain, const nn_call *calls,
                               const nn_view *scratch) {
    sim_device *sim = (sim_device *)state;
    const nn_range all = {0, -1};
    nn_result result = NN_OK;
    (void)scratch;
    sim_runs++;
    for (int32_t i = 0; i < *(const int32_t *)chain && result >= 0; i++)
        result = sim->backend.kernels[calls[i].kernel](sim, calls[i].kernel, calls[i].args, all);
    return result;
}

/* Holds several runs of a chain, and checks that no transfer comes between them. */
static int32_t sim_together, sim_most; /* runs made before the hold; the most runs of one hold */
static int64_t sim_moved;              /* transfers made before the hold */
static bool sim_holds;

static int64_t sim_transfers(const sim_device *sim) {
    return (int64_t)(sim->counters[SIM_UPLOAD] + sim->counters[SIM_DOWNLOAD] +
                     sim->counters[SIM_COPY] + sim->counters[SIM_FILL]);
}

static int32_t sim_chain_hold(void *state, void *chain, int32_t runs) {
    sim_device *sim = (sim_device *)state;
    (void)chain;
    if (sim_holds == (runs > 0)) sim_violation(sim, "chain_hold", "holds twice, or never", 0, 0, 0);
    if (sim_holds && sim_moved != sim_transfers(sim))
        sim_violation(sim, "chain_hold", "a transfer between runs", 0, 0, 0);
    if (sim_holds && sim_runs - sim_together > sim_most) sim_most = sim_runs - sim_together;
    sim_holds = runs > 0;
    sim_together = sim_runs;
    sim_moved = sim_transfers(sim);
    return runs > 5 ? 5 : runs;
}

static void sim_chain_free(void *state, void *chain) {
    (void)state;
    free(chain);
    sim_chains--;
}

static bool on_sim(const sketch *n, way how, int longest, outcome *to) {
    sim_desc simulated;
    nn_device device;
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    memset(&simulated, 0, sizeof simulated);
    simulated.asynchronous = n->seed % 2;
    simulated.gpu = sim_gpu;
    sim_device *sim = sim_open(nn, &simulated, &device);
    if (!sim_gpu) {
        sim->backend.chain_make = sim_chain_make;
        sim->backend.chain_prepare = sim_chain_prepare;
        sim->backend.chain_run = sim_chain_run;
        sim->backend.chain_free = sim_chain_free;
    }
    sim_longest = longest;
    sim_runs = 0;
    described d = describe(nn, device, n, how);
    if (d.trainer && n->seed % 3 == 0) nn_prewarm(nn_trainer_plan(d.trainer), NULL);
    bool fine = d.trainer && train(nn, n, &d, to, how);
    if (!fine) printf("%s\n", nn_error(nn) ? nn_error(nn) : "(no error)");
    nn_close(nn);
    return sim_free(sim) == 0 && fine && sim_chains == 0;
}

/* Any chains give the same bytes: chains of two steps each, of all steps, or chains that are
   refused at some batches. */
static void test_plans_chain(void) {
    static outcome alone, chained;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const sketch n = draw_net(seed, 24, 9);
        ENSURE(on_sim(&n, ALONE, 90, &alone) && sim_runs == 0);
        for (int longest = 2; longest < 90; longest = longest * 5 + 1) {
            sim_refuses = longest == 11 ? 2 : 0;
            ENSURE(on_sim(&n, CHAINED, longest, &chained));
            ENSURE(sim_runs > 0);
            ENSURE(memcmp(alone.losses, chained.losses, sizeof alone.losses) == 0);
            ENSURE(alone.count == chained.count &&
                   memcmp(alone.numbers, chained.numbers, sizeof(float) * (size_t)alone.count) ==
                       0);
            if (longest != 2) continue;
            sketch other = n; /* a slice runs a whole chain whose steps must not be separated */
            const int runs = sim_runs;
            other.sliced = !n.sliced;
            ENSURE(on_sim(&other, CHAINED, longest, &chained) && sim_runs == runs);
        }
    }
}

/* A plan names the steps of each chain, and the first step that is not taken, with the reason. */
static void test_chains_in_words(void) {
    for (sim_longest = 1; sim_longest <= 3; sim_longest++) {
        nn_context *nn = nn_open(NULL);
        nn_device device;
        sim_desc simulated;
        memset(&simulated, 0, sizeof simulated);
        sim_device *sim = sim_open(nn, &simulated, &device);
        sim->backend.chain_make = sim_chain_make;
        sim->backend.chain_prepare = sim_chain_prepare;
        sim->backend.chain_run = sim_chain_run;
        sim->backend.chain_free = sim_chain_free;
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = device});
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 8));
        for (int i = 0; i < 6; i++) {
            char name[8];
            snprintf(name, sizeof name, "fc%d", i);
            x = nn_linear(net, name, x, &(nn_linear_desc){.out_features = 8});
        }
        nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(x)});
        for (int s = 0; s < 6; s++) {
            char words[80];
            snprintf(words, sizeof words, "  steps %d to ", s + 1);
            ENSURE(told(plan, words) == (sim_longest > 1 && s % sim_longest == 0));
            snprintf(words, sizeof words, "  steps %d to %d run as one on user0:0", s + 1,
                     s + sim_longest);
            ENSURE(told(plan, words) == (sim_longest > 1 && s % sim_longest == 0));
            snprintf(words, sizeof words, "  step %d runs alone: this test takes %d", s + 1,
                     sim_longest);
            ENSURE(told(plan, words) == (s == (sim_longest < 2 ? 0 : sim_longest)));
        }
        nn_close(nn);
        ENSURE(sim_free(sim) == 0 && sim_chains == 0);
    }
}

/* Where launches are expensive, a loss and its gradient are one step, and so are the gradients of a
   layer. The results are within a rounding of separate steps. */
static void test_dear_launches(void) {
    static outcome alone, together;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        sketch n = draw_net(seed, 40, 9);
        n.depth = 2 + (int)(seed % 3);
        if (seed % 2) n.loss = SMALL_cross_entropy;
        if (n.loss == SMALL_l1 && n.optimizer < 2) n.optimizer += 2; /* as in against_cpu */
        sim_gpu = true;
        const bool ran = on_sim(&n, ALONE, 0, &alone) && on_sim(&n, CHAINED, 0, &together);
        sim_gpu = false;
        ENSURE(ran && alone.count == together.count);
        ENSURE_CLOSE(farthest(&together, &alone), 0, 2e-5);
    }
}

static void test_dear_launches_in_words(void) {
    sim_desc simulated;
    nn_device device;
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    memset(&simulated, 0, sizeof simulated);
    simulated.gpu = true;
    sim_device *sim = sim_open(nn, &simulated, &device);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = device});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 8)),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    x = nn_relu(net, nn_linear(net, "one", x, &(nn_linear_desc){.out_features = 8}));
    x = nn_linear(net, "two", x, &(nn_linear_desc){.out_features = 25});
    nn_trainer *trainer = nn_make_trainer(net, nn_cross_entropy(net, x, label, NULL),
                                          &(nn_trainer_desc){.batch = 4});
    ENSURE(trainer != NULL);
    const char *head = line_of(nn_trainer_plan(trainer), "cross_entropy_head");
    ENSURE(strstr(head, " 0.8 k")); /* 8 for each of the 100 logits */
    ENSURE(strstr(line_of(nn_trainer_plan(trainer), "linear_back"), " k"));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* ---- several steps in one call --------------------------------------------------------------- */

/* Trains for two epochs on a shuffled dataset on the device, whose last batch is short: one step
   per call, or several. Stores the parameters and the mean of the losses in `to`. */
static bool train_loaded(nn_context *nn, const sketch *n, nn_device device, bool some,
                         outcome *to) {
    enum { MOST = (7 * LARGEST + LARGEST / 2) * WIDEST };
    static float x[MOST], t[2][MOST];
    nn_dataset_desc data;
    nn_loader_desc desc;
    nn_report report;
    described d = describe(nn, device, n, CHAINED);
    int64_t steps = 0;
    bool fine = d.trainer != NULL;
    memset(&data, 0, sizeof data);
    memset(&desc, 0, sizeof desc);
    data.count = 7 * n->batch + n->batch / 2;
    for (int i = 0; i < data.count * n->in; i++) x[i] = drawn_number(n->seed, 7000u + (uint64_t)i);
    FIELD_AT(data.fields, 0).name = "x", FIELD_AT(data.fields, 0).shape = NN_SHAPE(n->in),
                          FIELD_AT(data.fields, 0).data = x;
    for (int k = 0; k < d.given.count; k++) {
        const small_kind kind = d.given.kind[k];
        const int each = give_rows(n, &d, k, (int)data.count, 7000, t[k]);
        for (int i = 0; kind == SMALL_LABEL_ROWS && i < data.count; i++) /* 0 may be ignored */
            ((int32_t *)t[k])[i] = 1 + i % (n->classes - 1);
        FIELD_AT(data.fields, 1 + k).name = k ? "other" : "target",
                                  FIELD_AT(data.fields, 1 + k).data = t[k];
        if (small_is_labels(kind)) FIELD_AT(data.fields, 1 + k).dtype = NN_I32;
        if (!small_is_rows(kind)) FIELD_AT(data.fields, 1 + k).shape = NN_SHAPE(each);
    }
    desc.dataset = nn_make_dataset(nn, &data);
    desc.batch = n->batch, desc.shuffle = true, desc.seed = n->seed, desc.device = device;
    desc.on_device = true, desc.prefetch = some ? 1 + (int)(n->seed % 7) : 0;
    nn_loader *loader = nn_make_loader(nn, &desc);
    for (int epoch = 0; fine && epoch < 2; epoch++) {
        nn_result result = NN_OK;
        for (uint64_t i = 0; some && result == NN_OK; i++) {
            int32_t done = 0;
            const int32_t wanted = 1 + (int32_t)(drawn(n->seed, 400 + i) % 9);
            result = nn_train_steps(d.trainer, loader, wanted, &done);
            fine = fine && (done == wanted || result != NN_OK);
            steps += done;
        }
        while (!some && nn_next_batch(loader)) {
            result = nn_train_step(d.trainer, loader);
            steps++;
        }
        fine = fine && nn_loader_result(loader) == NN_END && (result == NN_END || !some);
    }
    to->count = 0;
    memset(to->losses, 0, sizeof to->losses);
    fine = fine && steps == 16 && nn_trainer_step(d.trainer) == steps &&
           nn_read_report(d.trainer, &report) == NN_OK;
    if (fine) to->losses[0] = report.loss, to->losses[1] = (double)report.samples;
    for (int i = 0; fine && i < nn_model_tensor_count(d.net); i++)
        fine = take(to, nn_model_tensor_at(d.net, i));
    if (!fine) printf("%s, %d steps\n", nn_error(nn) ? nn_error(nn) : "(no error)", (int)steps);
    nn_free_model(d.net);
    nn_free_loader(loader);
    nn_free_dataset(desc.dataset);
    nn_clear_error(nn);
    return fine;
}

static sketch draw_loaded(uint64_t seed, int most, int batch) {
    sketch n = draw_net(seed, most, batch);
    n.batch = n.batch < 2 ? 2 : n.batch;
    n.classes = n.classes < 2 ? 2 : n.classes;
    n.drops = seed % 2, n.decays = seed % 3 != 0, n.poisons = false;
    return n;
}

static void test_some_steps_plain(void) {
    static outcome one, some;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        const sketch n = draw_loaded(seed, 24, 9);
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        ENSURE(train_loaded(nn, &n, nn_cpu(), false, &one));
        ENSURE(train_loaded(nn, &n, nn_cpu(), true, &some));
        ENSURE(one.count > 0 && memcmp(&one, &some, sizeof one) == 0);
        nn_close(nn);
    }
}

/* The plan keeps the contract of backends for several runs. */
static void test_some_steps_held(void) {
    static outcome one, some;
    sim_most = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        const sketch n = draw_loaded(seed, 24, 9);
        sim_desc simulated;
        nn_device device;
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        memset(&simulated, 0, sizeof simulated);
        simulated.asynchronous = seed % 2;
        sim_device *sim = sim_open(nn, &simulated, &device);
        sim->backend.chain_make = sim_chain_make;
        sim->backend.chain_prepare = sim_chain_prepare;
        sim->backend.chain_run = sim_chain_run;
        sim->backend.chain_free = sim_chain_free;
        sim->backend.chain_hold = sim_chain_hold;
        sim_longest = 90;
        sim_refuses = seed % 3 == 2 ? 2 : 0;
        ENSURE(train_loaded(nn, &n, device, false, &one));
        ENSURE(train_loaded(nn, &n, device, true, &some));
        ENSURE(one.count > 0 && memcmp(&one, &some, sizeof one) == 0 && !sim_holds);
        nn_close(nn);
        ENSURE(sim_free(sim) == 0 && sim_chains == 0);
    }
    ENSURE(sim_most == 5);
}

static bool full(void) { return getenv("NN_FULL") && strcmp(getenv("NN_FULL"), "0") != 0; }

/* ---- the CPU --------------------------------------------------------------------------------- */

static bool on_cpu(const sketch *n, way how, nn_instruction_set set, int threads, outcome *to) {
    nn_context *nn = nn_open(&(nn_desc){.threads = threads, .instructions = set});
    described d;
    if (!nn) return false;
    d = describe(nn, nn_cpu(), n, how);
    bool fine = d.trainer && train(nn, n, &d, to, how);
#ifdef NN_NO_SIMD /* small code has no chains */
    how = ALONE;
#endif
    if (fine && told(nn_trainer_plan(d.trainer), "run as one on cpu") != (how == CHAINED))
        fine = false;
    if (!fine) printf("%s\n", nn_error(nn) ? nn_error(nn) : "(no error)");
    nn_close(nn);
    return fine;
}

/* The bytes are those of separate steps, with every instruction set, on one thread and on three. */
static void test_cpu(void) {
    static outcome alone, chained;
    const uint64_t count = full() ? 300 : 10;
    for (int set = NN_INSTRUCTIONS_DEFAULT; set <= LAST_SET; set++) {
        nn_context *nn = OPEN_WITH_SET((&(nn_desc){.instructions = (nn_instruction_set)set}));
        if (!nn) continue;
        nn_close(nn);
        for (uint64_t seed = 1; seed <= count; seed++) {
            sketch n = draw_net(seed + 100 * (uint64_t)set, seed % 2 ? 40 : WIDEST,
                             seed % 2 ? 40 : 100);
            ENSURE(on_cpu(&n, ALONE, (nn_instruction_set)set, 1, &alone));
            ENSURE(on_cpu(&n, CHAINED, (nn_instruction_set)set, seed % 3 ? 1 : 3, &chained));
            ENSURE(memcmp(alone.losses, chained.losses, sizeof alone.losses) == 0);
            ENSURE(alone.count == chained.count &&
                   memcmp(alone.numbers, chained.numbers, sizeof(float) * (size_t)alone.count) ==
                       0);
        }
    }
}

/* ---- OpenCL ---------------------------------------------------------------------------------- */

#ifdef NN_TEST_OPENCL
typedef enum treatment {
    AS_IT_IS,
    AS_GPU, /* work-groups, and the device's own choice */
    BY_ROWS /* the same, cut into rows */
} treatment;

static nn_context *contexts[3]; /* one for each treatment, so that each program is built once */

static nn_context *open_device(treatment as) {
    void *state = NULL;
    if (contexts[as]) return contexts[as];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    if (nn_opencl_open(nn, &(nn_opencl_desc){.cache_folder = ""}) != NN_OK) {
        nn_close(nn);
        return NULL;
    }
    nn_device_backend(nn, nn_opencl(0), &state);
    nn__opencl *opencl = (nn__opencl *)state;
    if (as != AS_IT_IS) {
        opencl->cpu = false;
        opencl->gpu = true;
        opencl->forced = NN__OPENCL_SMALL_TILES;
        opencl->cut_chains = as == BY_ROWS;
    }
    return contexts[as] = nn;
}

static bool on_opencl(const sketch *n, treatment as, way how, outcome *to, bool *chained) {
    nn_context *nn = open_device(as);
    described d = describe(nn, how == ON_CPU ? nn_cpu() : nn_opencl(0), n, how);
    bool fine = d.trainer && train(nn, n, &d, to, how);
    if (chained && d.trainer) *chained = told(nn_trainer_plan(d.trainer), "run as one");
    if (!fine) printf("%s\n", nn_error(nn) ? nn_error(nn) : "(no error)");
    nn_free_model(d.net);
    nn_clear_error(nn);
    return fine;
}

/* Sets the size of local memory, which decides what products keep there: all operands, some, blocks
   of a weight, or nothing. */
static void give_local_memory(treatment as, uint64_t seed) {
    static const cl_ulong kilobytes[] = {64, 24, 10, 0};
    void *state = NULL;
    nn_device_backend(contexts[as], nn_opencl(0), &state);
    if (as != AS_IT_IS) ((nn__opencl *)state)->local_memory = kilobytes[seed % 4] * 1024;
}

/* large: the batch; 0: random. */
static void against_cpu(treatment as, uint64_t first, uint64_t end, int most, int batch,
                        int large) {
    static outcome chain, again, cpu;
    for (uint64_t seed = first; seed < end; seed++) {
        sketch n = draw_net(seed, most, batch);
        bool chained = false;
        give_local_memory(as, seed);
        if (large) n.batch = large;
        if (as != AS_IT_IS && seed % 4 == 1) n.loss = SMALL_mse_of_softmax;
        if (!full()) n.depth = 2, n.optimizer = 0; /* a driver takes long to compile each layer */
        if (n.loss == SMALL_l1 && n.optimizer < 2) n.optimizer += 2; /* sums that cancel leave a
                                                                        rounding error, which Adam
                                                                        turns into a whole step */
        ENSURE(on_opencl(&n, as, CHAINED, &chain, &chained));
        ENSURE(on_opencl(&n, as, ON_CPU, &cpu, NULL));
        if (!chained) test_fail(__FILE__, __LINE__, "net %d has no chain", (int)seed);
        ENSURE(chain.count == cpu.count);
        if (!(farthest(&chain, &cpu) < 2e-5))
            test_fail(__FILE__, __LINE__, "net %d is %g away from the CPU", (int)seed,
                      farthest(&chain, &cpu));
        if (seed % 4) continue;
        ENSURE(on_opencl(&n, as, CHAINED, &again, NULL)); /* the same bytes each time */
        ENSURE(memcmp(again.numbers, chain.numbers, sizeof(float) * (size_t)chain.count) == 0);
    }
}

static void test_nets(void) {
    if (!open_device(AS_IT_IS)) SKIP("no OpenCL device here");
    against_cpu(AS_IT_IS, 8, full() ? 32 : 9, 48, 40, 0);
}
static void test_nets_gpu(void) {
    if (!full()) SKIP("NN_FULL=1 runs it: as a GPU with work-groups of 64");
    if (!open_device(AS_GPU)) SKIP("no OpenCL device here");
    against_cpu(AS_GPU, 1, 17, WIDEST, 40, 0);
}
static void test_nets_by_rows(void) {
    if (!open_device(BY_ROWS)) SKIP("no OpenCL device here");
    against_cpu(BY_ROWS, 8, full() ? 24 : 9, WIDEST, LARGEST, 0);
    against_cpu(BY_ROWS, 100, full() ? 104 : 101, 4, 1, MOST_ROWS); /* more rows at once */
}

/* Tests every loss and every activation with which a small net is one chain. A quick run tests only
   `count` pairs of them, because a driver takes long to compile each. */
static void wild_nets(treatment as, int count) {
    static const small_loss_kind first[] = {SMALL_multi_margin_2,  SMALL_triplet_swap,
                                            SMALL_cross_entropy_none};
    static const small_activation_kind acts[] = {SMALL_glu_, SMALL_maxout_, SMALL_prelu_each_};
    static outcome chain, cpu;
    for (int i = 0; i < (full() ? SMALL_LOSS_COUNT + SMALL_ACTIVATION_COUNT : count); i++) {
        const int activation = i - SMALL_LOSS_COUNT;
        sketch n = draw_net(700 + (uint64_t)i, 24, 40);
        bool chained = false;
        n.wild = true, n.depth = 2, n.optimizer = 2 + i % 2, n.clips = false;
        n.classes = n.classes < 2 ? 2 : n.classes;
        n.loss = full() ? (small_loss_kind)(i % SMALL_LOSS_COUNT) : first[i];
        n.activation = full() && activation >= 0 ? (small_activation_kind)activation : acts[i % 3];
        if (as == BY_ROWS) n.batch = 70 + i;
        const bool ran = on_opencl(&n, as, CHAINED, &chain, &chained) &&
                         on_opencl(&n, as, ON_CPU, &cpu, NULL);
        if (test_wrong(!ran || !chained || chain.count != cpu.count || !(farthest(&chain, &cpu) < 2e-5)))
            test_fail(__FILE__, __LINE__, "%s, %s: %s %g away from the CPU",
                      small_loss_names[n.loss], small_activation_names[n.activation],
                      chained ? "" : "no chain,", farthest(&chain, &cpu));
    }
}
static void test_wild_nets(void) {
    if (!open_device(AS_IT_IS)) SKIP("no OpenCL device here");
    wild_nets(AS_IT_IS, 3);
}
static void test_wild_nets_gpu(void) {
    if (!full()) SKIP("NN_FULL=1 runs it: as a GPU with work-groups of 64");
    if (!open_device(AS_GPU)) SKIP("no OpenCL device here");
    wild_nets(AS_GPU, 0);
}
static void test_wild_nets_by_rows(void) {
    if (!open_device(BY_ROWS)) SKIP("no OpenCL device here");
    wild_nets(BY_ROWS, 2);
}

/* A wrong label, and a loss that is NaN: the update does nothing, and there is an error. */
static void faults(treatment as) {
    static outcome before, after;
    sketch n = draw_net(3, 16, 70);
    nn_context *nn = open_device(as);
    float x[70 * 16];
    int32_t labels[70] = {0};
    memset(x, 0, sizeof x);
    n.batch = 70, n.in = 16, n.classes = 5, n.keeps = n.clips = n.ignores = false;
    for (int which = 0; which < 3; which++) {
        const int wrong = which == 1;
        n.loss = which == 2 ? SMALL_multi_margin_2 : SMALL_cross_entropy; /* the label has a
                                                                             weight */
        described d = describe(nn, nn_opencl(0), &n, CHAINED);
        nn_plan *plan = nn_trainer_plan(d.trainer);
        ENSURE(told(plan, "run as one"));
        before.count = after.count = 0;
        labels[69] = wrong == 0 ? 5 : 0;
        x[69 * 16] = wrong == 1 ? NAN : 0;
        ENSURE(nn_upload(plan, d.x, x, sizeof x) == NN_OK);
        ENSURE(nn_upload(plan, d.given.node[0], labels, sizeof labels) == NN_OK);
        for (int i = 0; i < nn_model_tensor_count(d.net); i++)
            ENSURE(take(&before, nn_model_tensor_at(d.net, i)));
        nn_train_on_inputs(d.trainer);
        float loss;
        ENSURE(nn_read_loss(d.trainer, &loss) == (wrong ? NN_ERROR_NAN : NN_ERROR_LABEL));
        for (int i = 0; i < nn_model_tensor_count(d.net); i++)
            ENSURE(take(&after, nn_model_tensor_at(d.net, i)));
        ENSURE(memcmp(before.numbers, after.numbers, sizeof(float) * (size_t)before.count) == 0);
        nn_free_model(d.net);
        nn_clear_error(nn);
        labels[69] = 0, x[69 * 16] = 0;
    }
}
static void test_faults(void) {
    if (!open_device(AS_IT_IS)) SKIP("no OpenCL device here");
    faults(AS_IT_IS);
}
static void test_faults_gpu(void) {
    if (!full()) SKIP("NN_FULL=1 runs it: as a GPU with work-groups of 64");
    if (!open_device(AS_GPU)) SKIP("no OpenCL device here");
    faults(AS_GPU);
}
static void test_faults_by_rows(void) {
    if (!open_device(BY_ROWS)) SKIP("no OpenCL device here");
    faults(BY_ROWS);
}

/* Computes a value that the rows of a product need as a whole and that its last reader
   overwrites. */
static bool overwritten(nn_context *nn, nn_device device, float *to) {
    enum { ROWS = 70, WIDTH = 5 };
    static float x[ROWS * ROWS], w[ROWS * WIDTH];
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = device});
    nn_node *a = nn_input(net, "x", NN_F32, NN_SHAPE(ROWS, ROWS));
    nn_node *b = nn_input(net, "w", NN_F32, NN_SHAPE(ROWS, WIDTH)), *c = nn_softmax(net, b);
    nn_node *y = nn_relu(net, nn_add(net, nn_tanh(net, nn_matmul(net, a, c, NULL)), b));
    nn_node *z = nn_exp(net, c);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y, z)});
    for (int i = 0; i < ROWS * ROWS; i++) x[i] = drawn_number(1, (uint64_t)i);
    for (int i = 0; i < ROWS * WIDTH; i++) w[i] = drawn_number(2, (uint64_t)i);
    const bool fine = plan && nn_upload(plan, a, x, sizeof x) == NN_OK &&
                      nn_upload(plan, b, w, sizeof w) == NN_OK && nn_run(plan) == NN_OK &&
                      nn_download(plan, y, to, sizeof w) == NN_OK &&
                      nn_download(plan, z, to + ROWS * WIDTH, sizeof w) == NN_OK;
    nn_free_model(net);
    return fine;
}

static void test_overwritten(void) {
    static float chained[700], cpu[700];
    nn_context *nn = open_device(BY_ROWS);
    if (!nn) SKIP("no OpenCL device here");
    ENSURE(overwritten(nn, nn_opencl(0), chained) && overwritten(nn, nn_cpu(), cpu));
    for (int i = 0; i < 700; i++) ENSURE(fabsf(chained[i] - cpu[i]) < 1e-5f);
}

/* Reads the losses of batches that a loader puts at two places in turn. */
static bool loaded(nn_context *nn, way how, float *losses, int steps) {
    static float x[48 * 5];
    static int32_t labels[48];
    sketch n = draw_net(3, 16, 8);
    nn_dataset_desc data;
    nn_loader_desc desc;
    memset(&data, 0, sizeof data);
    memset(&desc, 0, sizeof desc);
    n.loss = SMALL_cross_entropy, n.batch = 8, n.in = 5, n.classes = 4, n.optimizer = 0;
    for (int i = 0; i < 48; i++) labels[i] = i % n.classes;
    for (int i = 0; i < 48 * 5; i++) x[i] = drawn_number(n.seed, (uint64_t)i);
    described d = describe(nn, nn_opencl(0), &n, how);
    data.count = 48;
    FIELD_AT(data.fields, 0).name = "x", FIELD_AT(data.fields, 0).shape = NN_SHAPE(5),
                          FIELD_AT(data.fields, 0).data = x;
    FIELD_AT(data.fields, 1).name = "target", FIELD_AT(data.fields, 1).dtype = NN_I32,
                          FIELD_AT(data.fields, 1).data = labels;
    nn_dataset *dataset = nn_make_dataset(nn, &data);
    desc.dataset = dataset, desc.batch = 8, desc.workers = 1, desc.device = nn_opencl(0);
    nn_loader *loader = nn_make_loader(nn, &desc);
    bool fine = d.trainer && told(nn_trainer_plan(d.trainer), "run as one") == (how == CHAINED);
    for (int s = 0; fine && s < steps; s++)
        fine = nn_next_batch(loader) && nn_train_step(d.trainer, loader) == NN_OK &&
               nn_read_loss(d.trainer, &losses[s]) == NN_OK;
    nn_free_model(d.net);
    nn_free_loader(loader);
    nn_free_dataset(dataset);
    return fine;
}

static void test_loader(void) {
    float alone[5], chained[5];
    nn_context *nn = open_device(AS_IT_IS);
    if (!nn) SKIP("no OpenCL device here");
    ENSURE(loaded(nn, ALONE, alone, 5) && loaded(nn, CHAINED, chained, 5));
    for (int s = 0; s < 5; s++) ENSURE(fabsf(alone[s] - chained[s]) < 1e-5f);
}

/* The same number of elements in rows of another width is another chain. */
static bool reshaped(nn_context *nn, nn_device device, float to[2][6]) {
    static const float x[6] = {0.1f, -0.7f, 0.4f, 1.2f, -0.3f, 0.6f};
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = device});
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *y = nn_tanh(net, nn_softmax(net, nn_tanh(net, in)));
    nn_plan *plan =
        nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = 4, .time = 4});
    bool fine = plan != NULL;
    for (int i = 0; i < 4 && fine; i++) {
        nn_tensor *given = nn_make_tensor(
            nn, &(nn_tensor_desc){.device = device,
                                  .shape = i % 2 ? NN_SHAPE(3, 2) : NN_SHAPE(2, 3)});
        fine = nn_upload_tensor(given, x, sizeof x) == NN_OK &&
               nn_bind(plan, in, given) == NN_OK && nn_run(plan) == NN_OK &&
               nn_download(plan, y, to[i % 2], sizeof x) == NN_OK;
    }
    nn_free_model(net);
    return fine;
}
static void test_reshaped(void) {
    float here[2][6], there[2][6];
    nn_context *nn = open_device(AS_GPU);
    if (!nn) SKIP("no OpenCL device here");
    ENSURE(reshaped(nn, nn_cpu(), here) && reshaped(nn, nn_opencl(0), there));
    for (int i = 0; i < 12; i++) ENSURE(fabsf(here[i / 6][i % 6] - there[i / 6][i % 6]) < 1e-6f);
}

/* Several steps in one launch give the results of separate launches to within 1e-6. */
static void some_steps(treatment as, uint64_t first, uint64_t end, int batch) {
    static outcome one, some;
    nn_context *nn = open_device(as);
    if (!nn) SKIP("no OpenCL device here");
    for (uint64_t seed = first; seed < end; seed++) {
        sketch n = draw_loaded(seed, WIDEST, batch);
        give_local_memory(as, seed);
        if (!full()) n.depth = 2, n.optimizer = (int)seed % 2 * 3; /* Adam, and SGD with momentum */
        ENSURE(train_loaded(nn, &n, nn_opencl(0), false, &one));
        ENSURE(train_loaded(nn, &n, nn_opencl(0), true, &some));
        ENSURE(one.count > 0 && one.count == some.count);
        if (!(farthest(&some, &one) < 1e-6))
            test_fail(__FILE__, __LINE__, "net %d is %g away from its steps alone", (int)seed,
                      farthest(&some, &one));
    }
}
static void test_some_steps(void) { some_steps(AS_IT_IS, 1, full() ? 9 : 3, 40); }
static void test_some_steps_gpu(void) {
    if (!full()) SKIP("NN_FULL=1 runs it: as a GPU with work-groups of 64");
    some_steps(AS_GPU, 1, 33, 40);
}
static void test_some_steps_by_rows(void) { some_steps(BY_ROWS, 1, full() ? 9 : 2, 90); }

/* Tests calls that no plan here makes: a table of more than 2^32 elements cannot be part of a
   chain, and no kernel overwrites a status word that the work-group itself marks. */
static void test_judged(void) {
    nn_context *nn = open_device(BY_ROWS);
    nn_gather_args g;
    nn_scan_args s;
    nn_call calls[2];
    void *state = NULL;
    if (!nn) SKIP("no OpenCL device here");
    nn_device_backend(nn, nn_opencl(0), &state);
    nn__opencl_chain *chain = (nn__opencl_chain *)calloc(1, sizeof *chain);
    chain->device = (nn__opencl *)state;
    memset(&g, 0, sizeof g);
    memset(&s, 0, sizeof s);
    g.x.dtype = g.y.dtype = NN_F32, g.index.dtype = NN_I32;
    g.x.handle = g.y.handle = g.index.handle = nn; /* only addresses are compared */
    g.index.offset = 256, g.y.offset = 1 << 21;
    g.x.shape = NN_SHAPE(40000000, 128), g.index.shape = NN_SHAPE(50), g.y.shape = NN_SHAPE(50, 128);
    calls[0].kernel = NN_KERNEL_GATHER, calls[0].args = &g;
    calls[1].kernel = NN_KERNEL_SCAN, calls[1].args = &s;
    ENSURE(nn__opencl_chain_look(chain, calls, 1, false) == 0);
    g.x.shape = NN_SHAPE(400, 128);
    ENSURE(nn__opencl_chain_look(chain, calls, 1, false) == 1);
    g.status = g.index, g.status.offset = 1 << 20, g.status.shape = NN_SHAPE(1);
    s.kind = NN_SCAN_SUM, s.axis = 1, s.x = s.y = g.y;
    ENSURE(nn__opencl_chain_look(chain, calls, 2, true) == 1);
    s.y.offset = 1 << 22;
    ENSURE(nn__opencl_chain_look(chain, calls, 2, true) == 2);
    ENSURE(chain->storages[nn__opencl_chain_find(chain, &g.y)].part != (int32_t)chain->fault);
    free(chain);
}

/* Tests the report of a plan about its chains, and the reasons for having none. */
static void test_words(void) {
    nn_context *nn = open_device(AS_IT_IS);
    sketch n = draw_net(5, 16, 8);
    if (!nn) SKIP("no OpenCL device here");
    n.clips = false;
    described d = describe(nn, nn_opencl(0), &n, ALONE);
    ENSURE(told(nn_trainer_plan(d.trainer), "each step is alone: .separate_steps"));
    ENSURE(!told(nn_trainer_plan(d.trainer), "run as one"));
    nn_node *wide = nn_linear(d.net, "wide", d.x, &(nn_linear_desc){.out_features = 129});
    nn_plan *plan =
        nn_make_plan(d.net, &(nn_plan_desc){.outputs = NN_NODES(nn_relu(d.net, wide), d.y)});
    ENSURE(plan && told(plan, "runs alone: its layer is wider than 128"));
    nn_free_model(d.net);
}
#endif

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_plans_chain);
    RUN(test_chains_in_words);
    RUN(test_dear_launches);
    RUN(test_dear_launches_in_words);
    RUN(test_cpu);
    RUN(test_some_steps_plain);
    RUN(test_some_steps_held);
#ifdef NN_TEST_OPENCL
    RUN(test_nets);
    RUN(test_nets_gpu);
    RUN(test_nets_by_rows);
    RUN(test_wild_nets);
    RUN(test_wild_nets_gpu);
    RUN(test_wild_nets_by_rows);
    RUN(test_faults);
    RUN(test_faults_gpu);
    RUN(test_faults_by_rows);
    RUN(test_overwritten);
    RUN(test_loader);
    RUN(test_reshaped);
    RUN(test_some_steps);
    RUN(test_some_steps_gpu);
    RUN(test_some_steps_by_rows);
    RUN(test_judged);
    RUN(test_words);
    for (int i = 0; i < 3; i++) nn_close(contexts[i]);
#endif
    return test_report();
}
