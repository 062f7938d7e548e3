/* tests/plan/test_reproducible.c - the same bytes for any number of threads, any slicing and any
   job system; slices that keep their time; no allocation after the plan; bytes as reported; memory
   of at most 1.1 times the minimum; nothing read after it was freed. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "test.h"

#include "sim_device.h"

#include <stdlib.h>

enum { BATCH = 12, PIXELS = 3 * 20 * 20, CLASSES = 10, SAMPLES = 40, STEPS = 50 };

typedef enum kind { NET_W1, NET_TWO_CONV, NET_MLP, NET_RESIDUAL } kind;

/* ---- nets and data --------------------------------------------------------------------------- */

typedef struct job {
    nn_context *nn;
    nn_model *net;
    nn_node *image, *label, *logits, *loss;
    nn_trainer *trainer;
    nn_loader *loader;
    float *images;
    int32_t labels[SAMPLES];
} job;

static nn_node *conv(nn_model *net, const char *name, nn_node *x, int channels) {
    return nn_relu(
        net, nn_conv2d(net, name, x,
                       &(nn_conv2d_desc){.out_channels = channels, .kernel = 3, .padding = 1}));
}

static void describe(job *j, nn_context *nn, kind which, nn_device device) {
    nn_node *x;
    nn_model *net = j->net =
        nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 5, .device = device});
    j->nn = nn;
    j->image = x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 20, 20));
    j->label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    if (which == NET_W1)
        x = nn_max_pool2d(net, conv(net, "conv1", x, 16), &(nn_pool2d_desc){.kernel = 2});
    if (which == NET_TWO_CONV) {
        x = nn_max_pool2d(net, conv(net, "conv2", conv(net, "conv1", x, 8), 16),
                          &(nn_pool2d_desc){.kernel = 2});
        x = nn_relu(
            net, nn_linear(net, "fc1", nn_flatten(net, x), &(nn_linear_desc){.out_features = 32}));
        x = nn_dropout(net, x, 0.25f);
    }
    if (which == NET_MLP) {
        x = nn_tanh(
            net, nn_linear(net, "fc1", nn_flatten(net, x), &(nn_linear_desc){.out_features = 48}));
        x = nn_gelu(net, nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = 24}));
    }
    if (which == NET_RESIDUAL) { /* values that live across others */
        nn_node *first = conv(net, "conv1", x, 8), *second = conv(net, "conv2", first, 8);
        x = nn_avg_pool2d(net, nn_add(net, first, conv(net, "conv3", second, 8)),
                          &(nn_pool2d_desc){.kernel = 2});
        x = nn_add(net, x, conv(net, "conv4", x, 8));
    }
    j->logits =
        nn_linear(net, "fc", nn_flatten(net, x), &(nn_linear_desc){.out_features = CLASSES});
    j->loss = nn_cross_entropy(net, j->logits, j->label, NULL);
}

static void make_loader(job *j, nn_device device) {
    nn_dataset *dataset;
    uint32_t words[4];
    j->images = (float *)malloc(sizeof(float) * SAMPLES * PIXELS);
    if (!j->images) exit(1);
    for (int i = 0; i < SAMPLES * PIXELS; i++) {
        nn_random_words(9, 0, (uint64_t)i, words);
        j->images[i] = nn_word_to_uniform(words[0]) - 0.5f;
    }
    for (int i = 0; i < SAMPLES; i++) {
        j->labels[i] = i * 7 % CLASSES;
        for (int k = 0; k < 40; k++) j->images[i * PIXELS + j->labels[i] * 40 + k] += 0.75f;
    }
    dataset = nn_make_dataset(
        j->nn,
        &(nn_dataset_desc){
            .count = SAMPLES,
            .fields = NN_FIELDS({.name = "image", .shape = {{3, 20, 20}, 3}, .data = j->images},
                                {.name = "label", .dtype = NN_I32, .data = j->labels})});
    j->loader = nn_make_loader(
        j->nn,
        &(nn_loader_desc){
            .dataset = dataset, .batch = BATCH, .shuffle = true, .seed = 3, .device = device});
}

static void make_job(job *j, nn_context *nn, kind which, bool poison) {
    memset(j, 0, sizeof *j);
    describe(j, nn, which, nn_cpu());
    make_loader(j, nn_cpu());
    j->trainer = nn_make_trainer(
        j->net, j->loss,
        &(nn_trainer_desc){.batch = BATCH,
                           .optimizer = NN_ADAM,
                           .learning_rate = 2e-3f,
                           .poison = poison,
                           .max_norm = 1.0f,
                           .metrics = NN_NODES(nn_accuracy(j->net, j->logits, j->label))});
}

static void close_job(job *j) {
    nn_close(j->nn);
    free(j->images);
}

/* Makes one training step, whole (microseconds 0) or in slices, which it counts. The epoch's last
   batch is short: 40 = 3 * 12 + 4. */
static nn_result step(job *j, int64_t microseconds, int64_t *slices) {
    nn_result result;
    if (!nn_next_batch(j->loader) && !nn_next_batch(j->loader)) return nn_loader_result(j->loader);
    if (!microseconds) return nn_train_step(j->trainer, j->loader);
    do {
        result = nn_train_step_for(j->trainer, j->loader, microseconds);
        if (slices) ++*slices;
    } while (result == NN_PENDING);
    return result;
}

/* Returns the FNV-1a hash of all parameters. */
static uint64_t digest(job *j) {
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < nn_model_tensor_count(j->net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(j->net, i);
        const unsigned char *data = (const unsigned char *)nn_tensor_data(tensor);
        for (uint64_t k = 0; data && k < nn_tensor_bytes(tensor); k++)
            hash = (hash ^ data[k]) * 1099511628211u;
    }
    return hash;
}

/* ---- the same bytes -------------------------------------------------------------------------- */

static uint64_t train(const nn_desc *desc, kind which, int64_t microseconds, double *loss) {
    job j;
    uint64_t hash = 0;
    nn_report report;
    nn_context *nn = nn_open(desc);
    if (!nn) return 0;
    make_job(&j, nn, which, false);
    for (int i = 0; i < STEPS; i++)
        if (step(&j, microseconds, NULL) != NN_OK) break;
    memset(&report, 0, sizeof report);
    nn_read_report(j.trainer, &report);
    if (loss) *loss = report.loss;
    if (nn_error(nn))
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    else if (nn_trainer_step(j.trainer) == STEPS && report.samples > 0)
        hash = digest(&j);
    close_job(&j);
    return hash;
}

static void same_bytes_with(nn_instruction_set set, kind which) {
    static const int threads[] = {2, 3, 8};
    static const int64_t slices[] = {50, 200, 2000};
    double loss = 0;
    uint64_t one = train(&(nn_desc){.threads = 1, .instructions = set}, which, 0, &loss);
    ENSURE(one != 0);
    ENSURE(loss > 0 && loss < 2.2); /* it learned something: the bytes are not those of the start */
    for (int i = 0; i < 3; i++) {
        uint64_t hash =
            train(&(nn_desc){.threads = threads[i], .instructions = set}, which, 0, NULL);
        if (hash != one)
            test_fail(__FILE__, __LINE__, "net %d: %d threads give other bytes than 1", (int)which,
                      threads[i]);
    }
    for (int i = 0; i < 3; i++)
        for (int n = 1; n <= 3; n += 2) {
            uint64_t hash =
                train(&(nn_desc){.threads = n, .instructions = set}, which, slices[i], NULL);
            if (hash != one)
                test_fail(__FILE__, __LINE__,
                          "net %d: %d threads in slices of %d us give other bytes", (int)which, n,
                          (int)slices[i]);
        }
}
static void same_bytes(void) { same_bytes_with(NN_INSTRUCTIONS_DEFAULT, NET_W1); }
static void same_bytes_plain(void) { same_bytes_with(NN_INSTRUCTIONS_PLAIN, NET_W1); }
static void same_bytes_two_conv_dropout(void) {
    same_bytes_with(NN_INSTRUCTIONS_DEFAULT, NET_TWO_CONV);
}
static void same_bytes_mlp(void) { same_bytes_with(NN_INSTRUCTIONS_DEFAULT, NET_MLP); }
static void same_bytes_residual(void) { same_bytes_with(NN_INSTRUCTIONS_DEFAULT, NET_RESIDUAL); }

static void run_backwards(void *user, int count, void (*item)(void *data, int i), void *data) {
    (void)user;
    for (int i = count - 1; i >= 0; i--) item(data, i);
}
static void run_odd_then_even(void *user, int count, void (*item)(void *data, int i), void *data) {
    (void)user;
    for (int i = 1; i < count; i += 2) item(data, i);
    for (int i = 0; i < count; i += 2) item(data, i);
}

static void same_bytes_with_jobs(void) {
    uint64_t one = train(&(nn_desc){.threads = 1}, NET_TWO_CONV, 0, NULL);
    ENSURE(one != 0);
    ENSURE(train(&(nn_desc){.jobs = {run_backwards, 5, NULL}}, NET_TWO_CONV, 0, NULL) == one);
    ENSURE(train(&(nn_desc){.jobs = {run_odd_then_even, 2, NULL}}, NET_TWO_CONV, 100, NULL) == one);
}

static void seeds_differ(void) { /* without this, the tests above would compare nothing */
    ENSURE(train(&(nn_desc){.threads = 1}, NET_W1, 0, NULL) !=
           train(&(nn_desc){.threads = 1}, NET_MLP, 0, NULL));
}

/* ---- time ------------------------------------------------------------------------------------ */

/* A clock that advances by 10 us each time it is read, so every piece of work takes 10 us, and the
   work of a slice is known exactly. */
static uint64_t tick(void *user) { return *(uint64_t *)user += 10000; }

static void slices_by_a_made_clock(void) {
    static const int64_t budgets[] = {25, 95, 1000};
    for (int b = 0; b < 3; b++) {
        job j;
        uint64_t time = 0, longest = 0;
        int64_t slices = 0;
        nn_slice_use use;
        nn_result result = NN_PENDING;
        make_job(&j, nn_open(&(nn_desc){.threads = 1, .clock = {tick, &time}}), NET_W1, false);
        for (int i = 0; i < 5; i++) {
            ENSURE(nn_next_batch(j.loader) || nn_next_batch(j.loader));
            do {
                uint64_t before = time;
                result = nn_train_step_for(j.trainer, j.loader, budgets[b]);
                if (time - before > longest) longest = time - before;
                slices++;
            } while (result == NN_PENDING);
            ENSURE(result == NN_OK);
        }
        use = nn_plan_slices(nn_trainer_plan(j.trainer));
        ENSURE(use.slices == (uint64_t)slices);
        ENSURE(use.late == 0); /* all pieces take 10 us, and no budget is shorter */
        /* the budget, and the readings of the clock that begin and end a slice */
        ENSURE(longest <= (uint64_t)budgets[b] * 1000 + 20000);
        ENSURE(b > 0 || slices > 5 * 20); /* small budgets do cut steps */
        close_job(&j);
    }
}

/* A clock that only work advances: each unit of step i takes unit_cost(i), and reading the clock
   takes no time. */
typedef struct work_clock {
    const nn_plan *plan; /* reads private fields: this file includes the library */
    uint64_t time, last; /* last: the time of the latest unit */
    int step, unit;      /* the plan's position at the latest reading */
} work_clock;

static uint64_t unit_cost(int step) { return 1000u * (uint64_t)(1 + step * 5 % 11); }

static uint64_t look_at_work(void *user) {
    work_clock *c = (work_clock *)user;
    if (!c->plan || !c->plan->running || (c->plan->step == c->step && c->plan->unit == c->unit))
        return c->time;
    c->last = unit_cost(
        c->step >= c->plan->step_count ? 0 : c->step); /* after the last step a new run begins */
    c->time += c->last;
    c->step = c->plan->step;
    c->unit = c->plan->unit;
    return c->time;
}

/* After the first run, a slice ends just before the unit that does not fit into it. The first unit
   of a slice always runs. */
static void slices_on_time(void) {
    static const int64_t budgets[] = {0, 1, 17, 50, 333};
    for (int b = 0; b < 5; b++) {
        job j;
        work_clock clock = {NULL, 1, 0, 0, 0};
        const uint64_t budget = (uint64_t)budgets[b] * 1000;
        uint64_t late = 0;
        int pending = 0;
        make_job(&j, nn_open(&(nn_desc){.threads = 1, .clock = {look_at_work, &clock}}), NET_W1,
                 false);
        ENSURE(j.trainer);
        clock.plan = nn_trainer_plan(j.trainer);
        for (int i = 0; i < 20; i++) {
            nn_result result;
            ENSURE(nn_next_batch(j.loader) || nn_next_batch(j.loader));
            do {
                const uint64_t start = clock.time;
                result = nn_train_step_for(j.trainer, j.loader, budgets[b]);
                ENSURE(result == NN_OK || result == NN_PENDING);
                const uint64_t took = clock.time - start;
                late += took > budget;
                if (i > 0) ENSURE(took <= budget || took == clock.last);
                if (result == NN_OK) break;
                if (i > 0) ENSURE(took + unit_cost(clock.plan->step) > budget);
                pending++;
            } while (result == NN_PENDING);
        }
        ENSURE(pending > 10 && nn_plan_slices(clock.plan).late == late);
        close_job(&j);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct counting {
    int64_t allocations, releases;
    uint64_t live, sizes_wrong;
} counting;

typedef struct counted_block {
    void *block;
    size_t bytes;
} counted_block; /* precedes the memory that the caller gets */

static void *count_allocate(void *user, size_t bytes, size_t alignment) {
    counting *c = (counting *)user;
    char *block, *memory;
    if (alignment < sizeof(counted_block)) alignment = sizeof(counted_block);
    block = (char *)malloc(bytes + 2 * alignment);
    if (!block) return NULL;
    memory = block + 2 * alignment - (uintptr_t)block % alignment;
    ((counted_block *)(void *)memory)[-1].block = block;
    ((counted_block *)(void *)memory)[-1].bytes = bytes;
    c->allocations++;
    c->live += bytes;
    return memory;
}

static void count_release(void *user, void *memory, size_t bytes, size_t alignment) {
    counting *c = (counting *)user;
    (void)alignment;
    c->releases++;
    c->live -= bytes;
    c->sizes_wrong += ((counted_block *)memory)[-1].bytes != bytes;
    free(((counted_block *)memory)[-1].block);
}

static void no_allocation_while_training(void) {
    counting c = {0, 0, 0, 0};
    job j;
    int64_t allocations, releases;
    nn_report report;
    make_job(&j,
             nn_open(&(nn_desc){.threads = 2, .allocator = {count_allocate, count_release, &c}}),
             NET_MLP, false);
    ENSURE(j.trainer && j.loader && c.allocations > 10);
    allocations = c.allocations;
    releases = c.releases;
    for (int i = 0; i < 1000; i++) {
        ENSURE(step(&j, i % 3 ? 0 : 100, NULL) == NN_OK);
        if (i % 100 == 99) ENSURE(nn_read_report(j.trainer, &report) == NN_OK);
    }
    if (c.allocations != allocations || c.releases != releases)
        test_fail(__FILE__, __LINE__, "1000 steps allocated %d times and released %d times",
                  (int)(c.allocations - allocations), (int)(c.releases - releases));
    close_job(&j);
    ENSURE(c.live == 0 && c.allocations == c.releases && c.sizes_wrong == 0);
}

static void no_allocation_while_running(void) {
    counting c = {0, 0, 0, 0};
    job j;
    nn_plan *plan;
    int64_t allocations;
    float logits[CLASSES];
    make_job(&j,
             nn_open(&(nn_desc){.threads = 2, .allocator = {count_allocate, count_release, &c}}),
             NET_TWO_CONV, false);
    plan = nn_make_plan(j.net, &(nn_plan_desc){.outputs = NN_NODES(j.logits), .batch = 1});
    ENSURE(plan != NULL);
    allocations = c.allocations;
    for (int i = 0; i < 200; i++) {
        ENSURE(nn_upload(plan, j.image, j.images, PIXELS * sizeof(float)) == NN_OK);
        ENSURE(nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, j.logits, logits, sizeof logits) == NN_OK);
    }
    ENSURE(c.allocations == allocations);
    close_job(&j);
}

static uint64_t reported(const nn_plan *plan, nn_device device) {
    uint64_t sum = 0;
    for (int i = 0; i < NN_MEMORY_CATEGORY_COUNT; i++)
        sum += nn_plan_bytes(plan, device, (nn_memory_category)i);
    return sum;
}

/* On a device that counts its bytes: after each plan the device holds exactly the bytes that the
   plans reported. */
static void bytes_as_reported(void) {
    static const kind kinds[] = {NET_W1, NET_TWO_CONV, NET_MLP, NET_RESIDUAL};
    for (int k = 0; k < 4; k++) {
        job j;
        nn_device device;
        sim_desc desc;
        sim_device *sim;
        nn_plan *plan, *small;
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        uint64_t own = 0, before;
        memset(&desc, 0, sizeof desc);
        memset(&j, 0, sizeof j);
        sim = sim_open(nn, &desc, &device);
        ENSURE(sim != NULL);
        describe(&j, nn, kinds[k], device);
        ENSURE(sim->live_bytes == 0); /* describing costs nothing there */
        j.trainer = nn_make_trainer(
            j.net, j.loss,
            &(nn_trainer_desc){.batch = BATCH,
                               .optimizer = NN_ADAM,
                               .metrics = NN_NODES(nn_accuracy(j.net, j.logits, j.label))});
        plan = nn_trainer_plan(j.trainer);
        if (!plan) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        ENSURE(plan != NULL);
        for (int c = NN_MEMORY_INPUTS; c <= NN_MEMORY_SCRATCH; c++)
            own += nn_plan_bytes(plan, device, (nn_memory_category)c);
        ENSURE(own == nn_plan_allocated(plan, device));
        /* A trainer has two plans, for steps and for nn_evaluate. */
        uint64_t held = reported(plan, device) + nn_plan_allocated(j.trainer->evaluation, device);
        if (sim->live_bytes != held)
            test_fail(__FILE__, __LINE__,
                      "net %d: the device holds %llu bytes, the trainer's plans say %llu",
                      (int)kinds[k], (unsigned long long)sim->live_bytes, (unsigned long long)held);
        ENSURE(nn_plan_bytes(plan, nn_cpu(), NN_MEMORY_ACTIVATIONS) == 0);
        before = sim->live_bytes;
        small = nn_make_plan(j.net, &(nn_plan_desc){.outputs = NN_NODES(j.logits), .batch = 1});
        ENSURE(small != NULL);
        ENSURE(sim->live_bytes - before ==
               nn_plan_allocated(small, device)); /* parameters are shared */
        nn_free_plan(small);
        ENSURE(sim->live_bytes == before);
        nn_close(nn);
        ENSURE(sim_free(sim) == 0);
    }
}

static void memory_near_the_bound(void) {
    static const kind kinds[] = {NET_W1, NET_TWO_CONV, NET_MLP, NET_RESIDUAL};
    for (int k = 0; k < 4; k++) {
        job j;
        nn_plan *plans[2];
        make_job(&j, nn_open(&(nn_desc){.threads = 1}), kinds[k], false);
        plans[0] = nn_trainer_plan(j.trainer);
        plans[1] =
            nn_make_plan(j.net, &(nn_plan_desc){.outputs = NN_NODES(j.logits), .batch = BATCH});
        for (int i = 0; i < 2; i++) {
            double used = (double)nn_plan_bytes(plans[i], nn_cpu(), NN_MEMORY_ACTIVATIONS);
            double bound = (double)nn_plan_lower_bound(plans[i], nn_cpu());
            printf("net %d, %s: activations %.0f, bound %.0f\n", (int)kinds[k],
                   i ? "inference" : "training", used, bound);
            ENSURE(bound > 0 && used >= bound && used <= 1.1 * bound);
        }
        close_job(&j);
    }
}

/* A read of freed memory may not be noticed without poison; with poison, it gives NaN. */
static void poison_changes_nothing(void) {
    static const kind kinds[] = {NET_W1, NET_TWO_CONV, NET_MLP, NET_RESIDUAL};
    for (int k = 0; k < 4; k++) {
        job clean, poisoned;
        make_job(&clean, nn_open(&(nn_desc){.threads = 1}), kinds[k], false);
        make_job(&poisoned, nn_open(&(nn_desc){.threads = 1}), kinds[k], true);
        for (int i = 0; i < 12; i++) {
            float a = -1, b = -2;
            ENSURE(step(&clean, 0, NULL) == NN_OK && step(&poisoned, 0, NULL) == NN_OK);
            nn_read_loss(clean.trainer, &a);
            nn_read_loss(poisoned.trainer, &b);
            ENSURE(memcmp(&a, &b, sizeof a) == 0 && a > 0);
        }
        ENSURE(digest(&clean) == digest(&poisoned));
        ENSURE(nn_error(poisoned.nn) == NULL);
        close_job(&clean);
        close_job(&poisoned);
    }
}

/* Without this, the test above would find nothing: after the run, a value that nobody keeps is NaN,
   and a kept one is not. */
static void poison_is_there(void) {
    job j;
    nn_plan *plan;
    float logits[CLASSES];
    nn_view image;
    make_job(&j, nn_open(&(nn_desc){.threads = 1}), NET_W1, false);
    plan = nn_make_plan(j.net,
                        &(nn_plan_desc){.outputs = NN_NODES(j.logits), .batch = 1, .poison = true});
    ENSURE(nn_upload(plan, j.image, j.images, PIXELS * sizeof(float)) == NN_OK);
    ENSURE(nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, j.logits, logits, sizeof logits) == NN_OK);
    for (int i = 0; i < CLASSES; i++) ENSURE(logits[i] == logits[i]);
    int poisoned = 0;
    for (int i = 0; i < plan->value_count; i++) { /* reads private fields: this file includes the
                                                     library */
        const nn__value *value = &plan->values[i];
        if (value->place != NN__PLACE_ARENA || value->kept || value->first < 0) continue;
        const float *data =
            (const float *)(const void *)((const char *)value->view.handle + value->view.offset);
        poisoned += data[0] != data[0];
    }
    image = nn_plan_view(plan, j.image);
    ENSURE(poisoned > 0 && image.handle != NULL);
    close_job(&j);
}

/* ---- results that no cache would keep -------------------------------------------------------- */

enum { LARGE_ROWS = 3153, LARGE_ROW = 1000, SOME_ROWS = 7 }; /* 12.6 MB a tensor */

static float *rows_of(nn_context *nn, nn_tensor **to, int rows, const float *from) {
    *to = nn_make_tensor(nn, &(nn_tensor_desc){.shape = NN_SHAPE(rows, LARGE_ROW)});
    const nn_view view = nn_tensor_view(*to);
    float *data = (float *)(void *)((char *)view.handle + view.offset);
    if (from) memcpy(data, from, (size_t)rows * LARGE_ROW * sizeof(float));
    return data;
}

/* Makes call k: computes y from x and w, which is the result of the softmax and the input of the
   norm. */
static nn_result large_call(int k, nn_tensor *y, const nn_tensor *x, const nn_tensor *w,
                            nn_tensor *rstd) {
    switch (k) {
    case 0: return nn_expression_forward(y, "x * w", x, w);
    case 1: return nn_expression_forward(y, "hardshrink(x, 0.5)", x);
    case 2: return nn_expression_forward(y, "x < w ? x : 0.25", x, w); /* with its comparison */
    case 3: return nn_expression_forward(y, "exp(floor(4 * x)) - w", x, w); /* in blocks */
    case 4: return nn_softmax_backward(y, x, w, false);
    case 5: return nn_softmax_backward(y, x, w, true);
    default:
        return nn_rms_norm_backward(y, NULL, x, w, NULL, rstd, NULL, false);
    }
}
enum { LARGE_CALLS = 7 };

/* The bytes of a large tensor are those of its rows in pieces, which caches keep; also in place. */
static void large_results(void) {
    const int64_t numbers = (int64_t)LARGE_ROWS * LARGE_ROW;
    for (int threads = 1; threads < 4; threads += 2) {
        nn_context *nn = nn_open(&(nn_desc){.threads = threads});
        nn_tensor *x, *w, *y, *some_x, *some_w, *some_y;
        float *from = rows_of(nn, &x, LARGE_ROWS, NULL), *with = rows_of(nn, &w, LARGE_ROWS, NULL);
        float *to = rows_of(nn, &y, LARGE_ROWS, NULL);
        for (int64_t i = 0; i < numbers; i++) {
            from[i] = (float)(i * 37 % 1999) / 1000.0f - 1.0f;
            with[i] = (float)(i * 53 % 1777) / 1776.0f;
        }
        nn_tensor *rstd =
            nn_make_tensor(nn, &(nn_tensor_desc){.shape = NN_SHAPE(LARGE_ROWS, 1)});
        nn_tensor *some_rstd =
            nn_make_tensor(nn, &(nn_tensor_desc){.shape = NN_SHAPE(SOME_ROWS, 1)});
        ENSURE(nn_expression_forward(rstd, "rstd + 1.5", rstd) == NN_OK);
        ENSURE(nn_expression_forward(some_rstd, "some_rstd + 1.5", some_rstd) == NN_OK);
        for (int k = 0; k <= LARGE_CALLS; k++) {
            const bool in_place = k == LARGE_CALLS;
            const int call = in_place ? 0 : k;
            const int first[] = {0, LARGE_ROWS / 2, LARGE_ROWS - SOME_ROWS};
            float *pieces[3];
            for (int i = 0; i < 3; i++) {
                rows_of(nn, &some_x, SOME_ROWS, from + (int64_t)first[i] * LARGE_ROW);
                rows_of(nn, &some_w, SOME_ROWS, with + (int64_t)first[i] * LARGE_ROW);
                pieces[i] = rows_of(nn, &some_y, SOME_ROWS, NULL);
                ENSURE(large_call(call, some_y, some_x, some_w, some_rstd) == NN_OK);
            }
            ENSURE(large_call(call, in_place ? x : y, x, w, rstd) == NN_OK);
            for (int i = 0; i < 3; i++)
                ENSURE(memcmp((in_place ? from : to) + (int64_t)first[i] * LARGE_ROW, pieces[i],
                              (size_t)SOME_ROWS * LARGE_ROW * sizeof(float)) == 0);
        }
        if (nn_error(nn)) printf("%s\n", nn_error(nn));
        nn_close(nn);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(large_results);
    RUN(same_bytes);
    RUN(same_bytes_plain);
    RUN(same_bytes_two_conv_dropout);
    RUN(same_bytes_mlp);
    RUN(same_bytes_residual);
    RUN(same_bytes_with_jobs);
    RUN(seeds_differ);
    RUN(slices_by_a_made_clock);
    RUN(slices_on_time);
    RUN(no_allocation_while_training);
    RUN(no_allocation_while_running);
    RUN(bytes_as_reported);
    RUN(memory_near_the_bound);
    RUN(poison_changes_nothing);
    RUN(poison_is_there);
    return test_report();
}
