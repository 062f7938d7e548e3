/* test_time_extent.c: NN_TIME as the second free extent. One plan at every batch and time gives the
   bytes of a plan made for exactly these; how a run gets its batch and time; training; the errors
   of descriptions, plans and runs for extents that do not fit. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "sim_device.h"
#include "test.h"
#include "lists.h"

#include <stdlib.h>

#define AT(line)    nn_make_site("time.c", line)
#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

enum { BATCH = 4, TIME = 5, WIDTH = 3, CLASSES = 4, ROWS = BATCH * TIME };

static float x_data[ROWS * WIDTH], step_data[ROWS * 4], side_data[BATCH * 2];
static int32_t label_data[ROWS];

static void fill_data(void) {
    for (int i = 0; i < ROWS * WIDTH; i++) x_data[i] = (float)((i * 37 + 11) % 23) / 11.0f - 1.0f;
    for (int i = 0; i < ROWS * 4; i++) step_data[i] = (float)((i * 29 + 5) % 19) / 9.0f - 1.0f;
    for (int i = 0; i < BATCH * 2; i++) side_data[i] = (float)((i * 17 + 3) % 13) / 6.0f - 1.0f;
    for (int i = 0; i < ROWS; i++) label_data[i] = (i * 7 + 2) % CLASSES;
}

static nn_context *open_nn(void) {
    nn_desc desc;
    ZERO(desc);
    desc.threads = 2;
    return nn_open(&desc);
}

static nn_node *linear(nn_model *net, const char *name, nn_node *x, int out) {
    nn_linear_desc desc;
    ZERO(desc);
    desc.out_features = out;
    return nn_linear(net, name, x, &desc);
}

static nn_node *joined(nn_model *net, nn_node *a, nn_node *b, int axis) {
    nn_node *pair[2];
    nn_nodes nodes;
    pair[0] = a, pair[1] = b;
    nodes.node = pair, nodes.count = 2;
    return nn_concat(net, nodes, axis);
}

static nn_node *reduced(nn_model *net, nn_reduction reduction, nn_node *x, nn_axes axes) {
    return nn_reduce(net, reduction, x, axes, false);
}

/* ---- a net that uses the time in every way --------------------------------------------------- */

typedef struct world {
    nn_context *nn;
    nn_model *net;
    nn_node *x, *step, *side,
        *label; /* (batch, time, 3), (time, 4), (2, batch), (batch, time) i32 */
    nn_node *outputs[8], *loss;
    int count;
} world;

static void describe(world *w, nn_device device) {
    nn_model_desc desc;
    ZERO(desc);
    desc.device = device;
    nn_model *net = w->net = nn_make_model(w->nn, &desc);
    w->x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, WIDTH));
    w->step = nn_input(net, "step", NN_F32, NN_SHAPE(NN_TIME, 4));
    w->side = nn_input(net, "side", NN_F32, NN_SHAPE(2, NN_BATCH));
    w->label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *h =
        nn_tanh(net, nn_add(net, linear(net, "in", w->x, 4), w->step)); /* (batch, time, 4) */
    nn_node *turned = nn_transpose(net, h, 1, 2);                       /* (batch, 4, time) */
    nn_node *weights = nn_softmax(net, turned);
    nn_node *rows = nn_reshape(net, h, NN_SHAPE(NN_BATCH_TIME, 4));
    nn_node *logits = linear(net, "out", nn_relu(net, rows), CLASSES); /* (batch * time, 4) */
    nn_node *all = nn_transpose(
        net, nn_reshape(net, weights, NN_SHAPE(nn_multiply_extents(4, NN_BATCH), NN_TIME)), 0, 1);
    nn_node *scores = nn_matmul(net, nn_transpose(net, w->step, 0, 1), all,
                                NULL); /* (4, 4 * batch), summed over time */
    nn_node *long_one = joined(net, h, nn_flip(net, h, NN_AXES(1)), 1);
    nn_node *pairs =
        nn_subtract(net, w->step,
                    nn_reshape(net, reduced(net, NN_MEAN, h, NN_AXES(0, 2)), NN_SHAPE(NN_TIME, 1)));
    w->outputs[0] = logits;
    w->outputs[1] = reduced(net, NN_MEAN, h, NN_AXES(1)); /* (batch, 4) */
    w->outputs[2] = scores;
    w->outputs[3] = nn_multiply(
        net, long_one,
        nn_reshape(net, reduced(net, NN_MEAN, w->side, NN_AXES(0)), NN_SHAPE(NN_BATCH, 1, 1)));
    w->outputs[4] = nn_flatten(net, weights); /* (batch, 4 * time) */
    w->outputs[5] = nn_roll(net, h, 2, 1);
    w->outputs[6] = nn_subtract(
        net, nn_reshape(net, reduced(net, NN_MAX, pairs, NN_AXES(1)), NN_SHAPE(NN_TIME, 1)),
        reduced(net, NN_MEAN, pairs, NN_AXES(1))); /* (time, time) */
    w->outputs[7] = nn_sum(net, nn_square(net, w->outputs[6]));
    w->count = 8;
    w->loss =
        nn_cross_entropy(net, logits, nn_reshape(net, w->label, NN_SHAPE(NN_BATCH_TIME)), NULL);
    w->loss = nn_add(net, w->loss,
                     nn_add(net, nn_mean(net, nn_square(net, w->outputs[3])),
                            nn_mean(net, nn_square(net, scores))));
}

static nn_plan *make_plan(const world *w, int batch, int time) {
    nn_plan_desc desc;
    ZERO(desc);
    for (int i = 0; i < w->count; i++) NODE_AT(desc.outputs, i) = w->outputs[i];
    desc.batch = batch;
    desc.time = time;
    desc.poison = true;
    return nn_make_plan(w->net, &desc);
}

static bool feed(const world *w, nn_plan *plan, int batch, int time) {
    bool has_label = nn_plan_view(plan, w->label).dtype != NN_DTYPE_DEFAULT;
    return nn_upload(plan, w->x, x_data, sizeof(float) * (size_t)(batch * time * WIDTH)) == NN_OK &&
           nn_upload(plan, w->step, step_data, sizeof(float) * (size_t)(time * 4)) == NN_OK &&
           nn_upload(plan, w->side, side_data, sizeof(float) * (size_t)(batch * 2)) == NN_OK &&
           (!has_label || nn_upload(plan, w->label, label_data,
                                    sizeof(int32_t) * (size_t)(batch * time)) == NN_OK);
}

/* Stores every output at this batch and time. Returns the number of floats, or -1. */
static int results(const world *w, nn_plan *plan, float *to) {
    int total = 0;
    for (int i = 0; i < w->count; i++) {
        const int count = (int)nn_shape_count(nn_plan_view(plan, w->outputs[i]).shape);
        if (nn_download(plan, w->outputs[i], to + total, sizeof(float) * (size_t)count) != NN_OK)
            return -1;
        total += count;
    }
    return total;
}

enum { MOST = 4000 };

static void check_pairs(world *w, int (*order)(int)) {
    static float have[MOST], want[MOST];
    nn_plan *plan = make_plan(w, BATCH, TIME);
    ENSURE(plan);
    for (int i = 0; i < BATCH * TIME; i++) {
        const int pair = order(i), batch = 1 + pair / TIME, time = 1 + pair % TIME;
        nn_plan *exact = make_plan(w, batch, time);
        ENSURE(exact && feed(w, exact, batch, time) && nn_run(exact) == NN_OK);
        ENSURE(nn_plan_batch(exact) == batch && nn_plan_time(exact) == time);
        int wanted = results(w, exact, want), got;
        ENSURE(feed(w, plan, batch, time));
        if (i % 3 == 0) {
            nn_result result = NN_PENDING;
            while (result == NN_PENDING) result = nn_run_for(plan, 1);
            ENSURE(result == NN_OK);
        } else {
            ENSURE(nn_run(plan) == NN_OK);
        }
        ENSURE(nn_plan_batch(plan) == batch && nn_plan_time(plan) == time);
        got = results(w, plan, have);
        ENSURE(wanted > 0 && got == wanted && wanted <= MOST);
        ENSURE(memcmp(have, want, sizeof(float) * (size_t)got) == 0);
        nn_free_plan(exact);
    }
}

static int up(int i) { return i; }
static int down(int i) { return BATCH * TIME - 1 - i; }
static int mixed(int i) { return i * 7 % (BATCH * TIME); }

static void test_every_pair(void) {
    world w;
    ZERO(w);
    w.nn = open_nn();
    describe(&w, nn_cpu());
    ENSURE(nn_fault_count(w.net) == 0);
    check_pairs(&w, up);
    check_pairs(&w, down);
    check_pairs(&w, mixed);
    if (nn_error(w.nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(w.nn));
    nn_close(w.nn);
}

static void test_every_pair_elsewhere(void) {
    world w;
    sim_desc desc;
    nn_device device;
    ZERO(w);
    ZERO(desc);
    desc.asynchronous = true;
    w.nn = open_nn();
    sim_device *sim = sim_open(w.nn, &desc, &device);
    describe(&w, device);
    check_pairs(&w, mixed);
    if (nn_error(w.nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(w.nn));
    nn_close(w.nn);
    ENSURE(sim_free(sim) == 0);
}

/* After nn_prewarm, a run of any batch and time builds, allocates and prepares nothing that could
   fail. The shapes of nn_prewarm leave no trace in the plan. */
static void test_prewarm_between_runs(void) {
    static float have[MOST], want[MOST];
    world w;
    ZERO(w);
    w.nn = open_nn();
    describe(&w, nn_cpu());
    nn_plan *plan = make_plan(&w, BATCH, TIME);
    ENSURE(plan && feed(&w, plan, 2, 3) && nn_run(plan) == NN_OK);
    int count = results(&w, plan, want);
    ENSURE(nn_prewarm(plan, NULL) == NN_OK && nn_plan_batch(plan) == 2 && nn_plan_time(plan) == 3);
    ENSURE(nn_run(plan) == NN_OK && results(&w, plan, have) == count);
    ENSURE(memcmp(have, want, sizeof(float) * (size_t)count) == 0);
    nn_close(w.nn);
}

/* A plan has the scratch that any step needs at any batch and time up to its largest: a sum along
   rows is cut into parts, and no formula says for how many rows the parts need most. At 40 x 40 the
   plan asks for every pair, at 96 x 64 only for some. */
static void check_scratch(int batches, int times) {
    world w;
    ZERO(w);
    w.nn = open_nn();
    nn_model *net = w.net = nn_make_model(w.nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 64));
    nn_node *h = linear(net, "b", nn_relu(net, linear(net, "a", x, 256)), 48);
    w.loss = nn_mean(net, nn_square(net, reduced(net, NN_MEAN, h, NN_AXES(0, 1))));
    w.loss = nn_add(net, w.loss,
                    nn_mean(net, nn_square(net, nn_softmax(net, nn_transpose(net, h, 1, 2)))));
    nn_trainer_desc desc;
    ZERO(desc);
    desc.batch = batches;
    desc.time = times;
    nn_trainer *trainer = nn_make_trainer(net, w.loss, &desc);
    ENSURE(trainer);
    nn_plan *plan = nn_trainer_plan(trainer);
    int checked = 0;
    for (int i = 0; i < plan->step_count; i++) {
        nn__step *step = &plan->steps[i];
        const nn_kernel kernel = step->node->rule->kernel;
        const nn__open_device *open = nn__find_device(w.nn, nn_cpu());
        for (int pair = 0; kernel != NN_KERNEL_NONE && pair < batches * times; pair++) {
            plan->run.batch = 1 + pair / times, plan->run.time = 1 + pair % times;
            nn__resize_step(plan, step);
            nn__lower_step(plan, step);
            const uint64_t wanted = open->backend->scratch_bytes(open->state, kernel, step->args);
            if (wanted > plan->devices[step->device].scratch_bytes)
                test_fail(__FILE__, __LINE__, "%s wants %llu bytes at %d, %d; there are %llu",
                          step->node->name, (unsigned long long)wanted, plan->run.batch,
                          plan->run.time,
                          (unsigned long long)plan->devices[step->device].scratch_bytes);
            checked += wanted > 0;
        }
    }
    ENSURE(checked > batches * times);
    nn_close(w.nn);
}

static void test_scratch_of_every_pair(void) {
    check_scratch(40, 40);
    check_scratch(96, 64);
}

/* ---- how a run gets its batch and time ------------------------------------------------------- */

typedef struct two {
    nn_context *nn;
    nn_model *net;
    nn_node *x, *step, *y; /* (batch, time, 2), (time, 2) */
    nn_plan *plan;
} two;

static two make_two(int batch, int time) {
    two t;
    nn_plan_desc desc;
    ZERO(t);
    ZERO(desc);
    t.nn = open_nn();
    t.net = nn_make_model_at(AT(1), t.nn, NULL);
    t.x = nn_input_at(AT(2), t.net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 2));
    t.step = nn_input_at(AT(3), t.net, "step", NN_F32, NN_SHAPE(NN_TIME, 2));
    t.y = nn_relu(t.net, t.x);
    NODE_AT(desc.outputs, 0) = t.y;
    desc.batch = batch;
    desc.time = time;
    t.plan = nn_make_plan(t.net, &desc);
    return t;
}

static bool ran(const two *t, int batch, int time) {
    float y[2 * ROWS];
    nn_shape shape = nn_plan_view(t->plan, t->y).shape;
    return nn_run(t->plan) == NN_OK && nn_plan_batch(t->plan) == batch &&
           nn_plan_time(t->plan) == time &&
           nn_download(t->plan, t->y, y, sizeof(float) * (size_t)(2 * batch * time)) == NN_OK &&
           shape.rank == 3;
}

static bool give_x(const two *t, int rows) {
    return nn_upload_at(AT(4), t->plan, t->x, x_data, sizeof(float) * 2 * (size_t)rows) == NN_OK;
}

static void test_time_of_uploads(void) {
    two t = make_two(BATCH, TIME);
    ENSURE(t.plan && nn_plan_batch(t.plan) == BATCH && nn_plan_time(t.plan) == TIME);
    ENSURE(give_x(&t, 2 * TIME) && ran(&t, 2, TIME)); /* without nn_set_time, the time is the
                                                         largest */
    ENSURE(nn_set_time(t.plan, 2) == NN_OK &&
           nn_run(t.plan) == NN_ERROR_FAULTS); /* ten steps are five samples of two */
    nn_clear_error(t.nn);
    ENSURE(give_x(&t, 8) && ran(&t, 4, 2) && give_x(&t, 2) && ran(&t, 1, 2)); /* it stays 2 */
    ENSURE(nn_set_time(t.plan, 1) == NN_OK &&
           ran(&t, 2, 1)); /* the same bytes, read in another way */
    ENSURE(nn_set_time(t.plan, 0) == NN_OK && give_x(&t, TIME) && ran(&t, 1, TIME));
    nn_close(t.nn);
    t = make_two(1, TIME); /* with one sample, the bytes determine the time */
    for (int time = 1; time <= TIME; time++) ENSURE(give_x(&t, time) && ran(&t, 1, time));
    ENSURE(nn_set_time(t.plan, TIME) == NN_OK && nn_run(t.plan) == NN_OK &&
           nn_set_time(t.plan, 2) == NN_OK);
    ENSURE(nn_run(t.plan) == NN_ERROR_FAULTS);
    nn_clear_error(t.nn);
    nn_close(t.nn);
}

static void test_time_of_other_inputs(void) {
    two t = make_two(BATCH, TIME);
    nn_plan_desc desc;
    nn_tensor_desc tensor;
    ZERO(desc);
    ZERO(tensor);
    NODE_AT(desc.outputs, 0) = nn_add(t.net, t.y, t.step);
    desc.batch = BATCH;
    desc.time = TIME;
    t.y = desc.outputs.node[0];
    t.plan = nn_make_plan(t.net, &desc);
    for (int time = 1; time <= TIME; time++)
        for (int batch = 1; batch <= BATCH; batch++) {
            bool first = (batch + time) % 2; /* in either order */
            if (first) ENSURE(give_x(&t, batch * time));
            ENSURE(nn_upload(t.plan, t.step, step_data, sizeof(float) * 2 * (size_t)time) == NN_OK);
            if (!first) ENSURE(give_x(&t, batch * time));
            ENSURE(ran(&t, batch, time));
        }
    tensor.shape = NN_SHAPE(3, 2, 2); /* a bound tensor says both */
    nn_tensor *bound = nn_make_tensor(t.nn, &tensor);
    ENSURE(nn_upload_tensor(bound, x_data, sizeof(float) * 12) == NN_OK &&
           nn_bind(t.plan, t.x, bound) == NN_OK);
    ENSURE(nn_upload(t.plan, t.step, step_data, sizeof(float) * 4) == NN_OK && ran(&t, 3, 2));
    ENSURE(nn_error(t.nn) == NULL);
    nn_close(t.nn);
}

/* An input has batch * time in one extent. The run gets the product from the bytes, or from a bound
   tensor. */
static void test_time_inside_an_extent(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *rows = nn_input(net, "rows", NN_F32, NN_SHAPE(2, NN_BATCH_TIME));
    nn_node *y = nn_reshape(net, nn_relu(net, rows), NN_SHAPE(2, NN_BATCH, NN_TIME));
    nn_plan_desc desc;
    nn_tensor_desc tensor;
    ZERO(desc);
    ZERO(tensor);
    NODE_AT(desc.outputs, 0) = y;
    desc.batch = BATCH;
    desc.time = TIME;
    nn_plan *plan = nn_make_plan(net, &desc);
    ENSURE(plan && nn_upload(plan, rows, x_data, sizeof(float) * 12) == NN_OK &&
           nn_set_time(plan, 3) == NN_OK);
    ENSURE(nn_run(plan) == NN_OK && nn_plan_batch(plan) == 2 && nn_plan_time(plan) == 3);
    tensor.shape = NN_SHAPE(2, 8);
    nn_tensor *bound = nn_make_tensor(nn, &tensor);
    ENSURE(nn_bind(plan, rows, bound) == NN_OK && nn_set_time(plan, 4) == NN_OK &&
           nn_run(plan) == NN_OK);
    ENSURE(nn_plan_batch(plan) == 2 && nn_plan_time(plan) == 4);
    ENSURE(nn_same_shape(nn_plan_view(plan, y).shape, NN_SHAPE(2, 2, 4)));
    nn_close(nn);
}

/* ---- training -------------------------------------------------------------------------------- */

static nn_trainer *make_trainer(const world *w, int batch, int time) {
    nn_trainer_desc desc;
    ZERO(desc);
    desc.batch = batch;
    desc.time = time;
    desc.optimizer = NN_ADAM;
    desc.learning_rate = 0.01f;
    desc.poison = true;
    return nn_make_trainer(w->net, w->loss, &desc);
}

/* Makes three steps, and stores the parameters and losses. */
static int train(const world *w, nn_trainer *trainer, int batch, int time, float *to) {
    int total = 0;
    for (int i = 0; i < 3; i++) {
        if (!feed(w, nn_trainer_plan(trainer), batch, time) || nn_train_on_inputs(trainer) != NN_OK)
            return -1;
        if (nn_read_loss(trainer, &to[total++]) != NN_OK) return -1;
    }
    for (int i = 0; i < nn_model_tensor_count(w->net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(w->net, i);
        const int count = (int)nn_shape_count(nn_tensor_view(tensor).shape);
        if (nn_download_tensor(tensor, to + total, sizeof(float) * (size_t)count) != NN_OK)
            return -1;
        total += count;
    }
    return total;
}

/* A trainer that has made steps at the largest extents is put back to the first parameters: its
   next steps must be those of one made for exactly this batch and time. This trainer uses SGD,
   which has no state. Adam is tested with a fresh trainer of the largest extents. */
static void test_training_at_every_pair(void) {
    static float have[MOST], want[MOST];
    for (int pair = 0; pair < BATCH * TIME; pair++) {
        const int batch = 1 + pair / TIME, time = 1 + pair % TIME;
        int wanted = 0;
        for (int exact = 1; exact >= 0; exact--) {
            world w;
            ZERO(w);
            w.nn = open_nn();
            describe(&w, nn_cpu());
            nn_trainer *trainer = make_trainer(&w, exact ? batch : BATCH, exact ? time : TIME);
            int got = trainer ? train(&w, trainer, batch, time, exact ? want : have) : -1;
            if (nn_error(w.nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(w.nn));
            ENSURE(got > 0 && (exact || got == wanted));
            wanted = got;
            nn_close(w.nn);
        }
        ENSURE(memcmp(have, want, sizeof(float) * (size_t)wanted) == 0);
    }
}

/* A report over steps of different times is the mean weighted by batch * time; and nn_evaluate
   takes time from a loader's fields. */
static void test_reports_weigh_steps(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 1)),
            *p = nn_parameter(net, "p", NN_SHAPE(1), 1, 1);
    nn_trainer_desc desc;
    nn_report report;
    ZERO(desc);
    desc.batch = BATCH;
    desc.time = TIME;
    desc.learning_rate = NN_NONE;
    nn_trainer *trainer = nn_make_trainer(net, nn_mean(net, nn_multiply(net, x, p)), &desc);
    float data[ROWS];
    double sum = 0;
    int count = 0;
    for (int i = 0; i < ROWS; i++) data[i] = (float)(i + 1);
    for (int batch = 1; batch <= BATCH; batch++) {
        const int time = TIME + 1 - batch, rows = batch * time;
        ENSURE(nn_set_time(nn_trainer_plan(trainer), time) == NN_OK);
        ENSURE(nn_upload(nn_trainer_plan(trainer), x, data, sizeof(float) * (size_t)rows) ==
                   NN_OK &&
               nn_train_on_inputs(trainer) == NN_OK);
        for (int i = 0; i < rows; i++) sum += (double)data[i];
        count += rows;
    }
    ENSURE(nn_read_report(trainer, &report) == NN_OK && report.samples == count);
    ENSURE_CLOSE(report.loss, sum / count, 1e-5);
    nn_close(nn);
}

static void test_loader_gives_time(void) {
    world w;
    nn_dataset_desc data;
    nn_loader_desc loader_desc;
    nn_report report;
    ZERO(w);
    ZERO(data);
    ZERO(loader_desc);
    w.nn = open_nn();
    w.net = nn_make_model(w.nn, NULL);
    nn_node *x = nn_input(w.net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, WIDTH));
    nn_node *label = nn_input(w.net, "label", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *logits =
        linear(w.net, "out", nn_reshape(w.net, x, NN_SHAPE(NN_BATCH_TIME, WIDTH)), CLASSES);
    w.loss =
        nn_cross_entropy(w.net, logits, nn_reshape(w.net, label, NN_SHAPE(NN_BATCH_TIME)), NULL);
    data.count = 6;
    FIELD_AT(data.fields, 0).name = "x", FIELD_AT(data.fields, 0).shape = NN_SHAPE(3, WIDTH),
    FIELD_AT(data.fields, 0).data = x_data;
    FIELD_AT(data.fields, 1).name = "label", FIELD_AT(data.fields, 1).shape = NN_SHAPE(3),
    FIELD_AT(data.fields, 1).dtype = NN_I32, FIELD_AT(data.fields, 1).data = label_data;
    loader_desc.dataset = nn_make_dataset(w.nn, &data);
    loader_desc.batch = 4; /* the last batch has 2 */
    nn_loader *loader = nn_make_loader(w.nn, &loader_desc);
    nn_trainer *trainer = make_trainer(&w, BATCH, TIME);
    while (nn_next_batch(loader)) {
        ENSURE(nn_train_step(trainer, loader) == NN_OK);
        ENSURE(nn_plan_batch(nn_trainer_plan(trainer)) == nn_loader_batch(loader) &&
               nn_plan_time(nn_trainer_plan(trainer)) == 3);
    }
    ENSURE(nn_loader_result(loader) == NN_END && nn_evaluate(trainer, loader, &report) == NN_OK &&
           report.samples == 18);
    ENSURE(nn_error(w.nn) == NULL);
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(NN_TIME, WIDTH);
    ENSURE(!nn_make_dataset_at(AT(9), w.nn, &data));
    ENSURE_TEXT(nn_error(w.nn), "nn_make_dataset at time.c:9: field \"x\" (time, 3): wanted at "
                                "most 5 positive extents, those of "
                                "one sample without the batch");
    nn_clear_error(w.nn);
    nn_close(w.nn);
}

/* ---- what does not fit ----------------------------------------------------------------------- */

#define FAILS(nn, call, code, text)                                                                \
    do {                                                                                           \
        ENSURE((call) == (code));                                                                  \
        ENSURE_TEXT(nn_error(nn), text);                                                           \
        nn_clear_error(nn);                                                                        \
    } while (0)

static void test_messages_of_plans(void) {
    two t = make_two(BATCH, TIME);
    nn_plan_desc desc;
    nn_trainer_desc trainer;
    ZERO(desc);
    ZERO(trainer);
    NODE_AT(desc.outputs, 0) = t.y;
    desc.time = trainer.time = -2;
    FAILS(t.nn, nn_make_plan_at(AT(10), t.net, &desc) != NULL, false,
          "nn_make_plan at time.c:10: time is -2; wanted 1 or more, or 0 for 1");
    FAILS(t.nn, nn_make_trainer_at(AT(11), t.net, nn_mean(t.net, t.y), &trainer) != NULL, false,
          "nn_make_trainer at time.c:11: time is -2; wanted at least 1, or 0 for 1");
    FAILS(t.nn, nn_set_time_at(AT(12), t.plan, TIME + 1), NN_ERROR_ARGUMENT,
          "nn_set_time at time.c:12: time is 6; this plan takes 1 to 5, or 0 for the time of its "
          "inputs; make it with a larger .time");
    FAILS(t.nn, nn_set_time_at(AT(13), t.plan, -1), NN_ERROR_ARGUMENT,
          "nn_set_time at time.c:13: time is -1; this plan takes 1 to 5, or 0 for the time of its "
          "inputs; make it with a larger .time");
    ENSURE(nn_set_time(NULL, 1) == NN_ERROR_ARGUMENT && nn_plan_time(NULL) == 0);
    FAILS(t.nn, nn_upload_at(AT(14), t.plan, t.x, x_data, 8 * (ROWS + 1)), NN_ERROR_SHAPE,
          "nn_upload at time.c:14: \"x\" (batch, time, 2) got 168 bytes; a step of a sample has 8, "
          "and this plan takes 1 to 4 samples "
          "of 1 to 5 steps, at most 160 bytes");
    FAILS(t.nn, nn_upload_at(AT(14), t.plan, t.x, x_data, 12), NN_ERROR_SHAPE,
          "nn_upload at time.c:14: \"x\" (batch, time, 2) got 12 bytes; a step of a sample has 8, "
          "and this plan takes 1 to 4 samples "
          "of 1 to 5 steps, at most 160 bytes");
    ENSURE(give_x(&t, 3) && nn_run(t.plan) == NN_ERROR_FAULTS);
    ENSURE_TEXT(nn_error(t.nn),
                "nn: 1 mistake in \"model\"; nothing was run\n"
                "  1. input \"x\" at time.c:4\n"
                "       wanted     \"x\" (batch, time, 2) f32  on cpu\n"
                "     cause: it has 3 steps in all, which at a time of 5 make no batch of 1 to 4\n"
                "     fix:   nn_set_time(plan, time) says how many steps a sample has");
    nn_clear_error(t.nn);
    ENSURE(give_x(&t, 8) && nn_set_time(t.plan, 1) == NN_OK && nn_run(t.plan) == NN_ERROR_FAULTS);
    ENSURE(strstr(nn_error(t.nn),
                  "cause: it has 8 steps in all, which at a time of 1 make no batch of 1 to 4"));
    nn_clear_error(t.nn);
    ENSURE(nn_set_time(t.plan, 4) == NN_OK && nn_run(t.plan) == NN_OK);
    float y[16];
    FAILS(t.nn, nn_download_at(AT(15), t.plan, t.y, y, 8), NN_ERROR_SHAPE,
          "nn_download at time.c:15: \"relu\" (2, 4, 2) has 64 bytes in a batch of 2 and a time of "
          "4; got room for 8");
    nn_close(t.nn);
}

static void test_messages_of_runs(void) {
    two t = make_two(BATCH, TIME);
    nn_plan_desc desc;
    nn_tensor_desc tensor;
    ZERO(desc);
    ZERO(tensor);
    nn_node *other = nn_input_at(AT(5), t.net, "other", NN_F32, NN_SHAPE(NN_TIME, NN_BATCH));
    NODE_AT(desc.outputs, 0) = nn_add(t.net, t.y, t.step);
    NODE_AT(desc.outputs, 1) = nn_relu(t.net, other);
    desc.batch = BATCH;
    desc.time = TIME;
    t.plan = nn_make_plan(t.net, &desc);
    tensor.name = "mine";
    tensor.shape = NN_SHAPE(3, 2);
    nn_tensor *mine = nn_make_tensor(t.nn, &tensor);
    ENSURE(give_x(&t, 6) && nn_upload_at(AT(6), t.plan, t.step, step_data, 8 * 2) == NN_OK);
    ENSURE(nn_bind_at(AT(7), t.plan, other, mine) == NN_OK && nn_run(t.plan) == NN_ERROR_FAULTS);
    ENSURE_TEXT(nn_error(t.nn), "nn: 1 mistake in \"model\"; nothing was run\n"
                                "  1. input \"other\" at time.c:7\n"
                                "       wanted     \"other\" (time, batch) f32  on cpu\n"
                                "       given      \"mine\"  (3, 2) f32         on cpu\n"
                                "     cause: its time is 3, but that of \"step\" is 2\n"
                                "     fix:   give all inputs of a run the same number of steps");
    nn_clear_error(t.nn);
    ENSURE(nn_set_time(t.plan, 3) == NN_OK && nn_run(t.plan) == NN_ERROR_FAULTS);
    ENSURE(strstr(nn_error(t.nn), "1. input \"step\"") &&
           strstr(nn_error(t.nn), "its time is 2, but nn_set_time said 3"));
    ENSURE(!strstr(nn_error(t.nn), "  2."));
    nn_clear_error(t.nn);
    ENSURE(nn_upload(t.plan, t.step, step_data, 8 * 3) == NN_OK && give_x(&t, 3) &&
           nn_run(t.plan) == NN_ERROR_FAULTS);
    ENSURE(strstr(nn_error(t.nn), "its batch is 2, but that of \"x\" is 1"));
    nn_clear_error(t.nn);
    tensor.shape = NN_SHAPE(TIME + 1, 1);
    ENSURE(nn_bind_at(AT(8), t.plan, other, nn_make_tensor(t.nn, &tensor)) == NN_OK &&
           nn_set_time(t.plan, 0) == NN_OK);
    ENSURE(nn_run(t.plan) == NN_ERROR_FAULTS);
    ENSURE(strstr(nn_error(t.nn),
                  "cause: dtype or shape does not fit; batches of 1 to 4 and times of 1 to 5 fit\n"
                  "     fix:   give a tensor of the wanted dtype and shape, or make the plan with "
                  "a larger .batch or "
                  ".time"));
    nn_clear_error(t.nn);
    nn_close(t.nn);
}

static const char *newest(nn_model *net, char *text, size_t size) {
    const nn__fault *fault = net->faults.last;
    nn__format(text, size, "%s | %s", fault->cause, fault->fix);
    return text;
}

#define FAULT(call, expected)                                                                      \
    do {                                                                                           \
        int before = nn_fault_count(net);                                                          \
        ENSURE((call) && nn_fault_count(net) == before + 1);                                       \
        ENSURE_TEXT(newest(net, text, sizeof text), expected);                                     \
    } while (0)

/* Ids and their mask differ in length, or labels of padding are not ignored. Both messages name the
   inputs, although these are reshaped on their way. */
static void test_messages_of_texts(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input_at(AT(1), net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 3));
    nn_node *mask = nn_input_at(AT(2), net, "mask", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 1));
    nn_node *label = nn_input_at(AT(3), net, "label", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *logits = nn_reshape(net, nn_multiply(net, x, mask), NN_SHAPE(NN_BATCH_TIME, 3));
    nn_node *labels = nn_reshape(net, label, NN_SHAPE(NN_BATCH_TIME));
    nn_cross_entropy_desc desc;
    nn_plan_desc plan_desc;
    nn_plan *plan;
    int32_t padded[5] = {0, 1, 2, -100, -100};
    ZERO(plan_desc);
    plan_desc.batch = 1;
    plan_desc.time = 5;
    for (int ignoring = 0; ignoring < 2; ignoring++) {
        ZERO(desc);
        desc.ignore = ignoring;
        desc.ignore_index = 7;
        NODE_AT(plan_desc.outputs, 0) = nn_cross_entropy(net, logits, labels, &desc);
        plan = nn_make_plan(net, &plan_desc);
        ENSURE(nn_upload_at(AT(4), plan, x, x_data, 12 * 4) == NN_OK);
        ENSURE(nn_upload_at(AT(5), plan, mask, x_data, 4 * 5) == NN_OK);
        ENSURE(nn_upload_at(AT(6), plan, label, padded, 4 * 5) == NN_OK);
        ENSURE(nn_run(plan) == NN_ERROR_FAULTS);
        ENSURE_TEXT(nn_error(nn), "nn: 1 mistake in \"model\"; nothing was run\n"
                                  "  1. input \"x\" at time.c:4\n"
                                  "       wanted     \"x\" (batch, time, 3) f32  on cpu\n"
                                  "     cause: it has 4 steps, but \"label\" has 5\n"
                                  "     fix:   give all inputs of a run the same number of steps");
        nn_clear_error(nn);
        ENSURE(nn_upload(plan, x, x_data, 15 * 4) == NN_OK);
        ENSURE((int)nn_run_at(AT(7), plan) < 0);
        ENSURE_TEXT(nn_error(nn),
                    ignoring ? "nn_run at time.c:7: step 1: a label is out of range: labels in "
                               "\"label\" must be in [0, 3) or be 7"
                             : "nn_run at time.c:7: step 1: a label is out of range: labels in "
                               "\"label\" must be in [0, 3); if it stands for padding that must "
                               "not count, set .ignore = true and .ignore_index");
        nn_clear_error(nn);
    }
    nn_close(nn);
}

static void test_messages_of_operations(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 8)),
            *s = nn_input(net, "s", NN_F32, NN_SHAPE(NN_TIME, 1));
    nn_node *picture = nn_input(net, "picture", NN_F32, NN_SHAPE(NN_BATCH, 3, NN_TIME, 16));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME)),
            *turned = nn_transpose(net, x, 1, 2);
    nn_node *square = nn_add(net, s, nn_transpose(net, s, 0, 1));
    nn_conv2d_desc conv;
    nn_slice_desc slice;
    char text[512];
    ZERO(conv);
    ZERO(slice);
    conv.out_channels = 2, conv.kernel = 3;
    slice.axis = 1, slice.stop = 2;
    ENSURE(nn_fault_count(net) == 0 &&
           nn_same_shape(nn_node_shape(square), NN_SHAPE(NN_TIME, NN_TIME)));
    FAULT(nn_input(net, "a", NN_F32, NN_SHAPE(NN_TIME, 2, NN_TIME)),
          "2 extents of (time, 2, time) depend on the time, which its data could not tell apart | "
          "name each free extent once");
    FAULT(nn_input(net, "a", NN_F32, NN_SHAPE(NN_BATCH, NN_BATCH_TIME)),
          "2 extents of (batch, batch*time) depend on the batch, which its data could not tell "
          "apart | name each free extent once");
    FAULT(nn_parameter(net, "p", NN_SHAPE(NN_TIME), 0, 1),
          "extent 0 is NN_TIME | positive extents");
    FAULT(
        linear(net, "fc", turned, 3),
        "the last extent of \"permute\" (batch, 8, time) depends on the time; it is in_features | "
        "nn_transpose puts another extent last");
    FAULT(nn_conv2d(net, "c", picture, &conv),
          "extent 2 of \"picture\" (batch, 3, time, 16) depends on the time | windows may keep "
          "such an extent (.same) or divide it (.stride = .kernel), whatever it is; "
          "nn_multiply_extents(NN_TIME, 2) is one that 2 divides");
    FAULT(nn_cross_entropy(net, x, label, NULL),
          "extent 1 of logits (batch, time, 8) depends on the time | the second extent is the "
          "number of classes: nn_reshape (batch, "
          "time, C) to NN_SHAPE(NN_BATCH_TIME, C)");
    FAULT(nn_reshape(net, x, NN_SHAPE(NN_BATCH, 8)),
          "1 extents of the input (batch, time, 8) depend on the time, but 0 of (batch, 8) do | "
          "name the time as often: NN_TIME, "
          "NN_BATCH_TIME or nn_multiply_extents(3, NN_TIME)");
    FAULT(nn_reshape(net, x, NN_SHAPE(NN_BATCH_TIME, 7)),
          "the input (batch, time, 8) has 8 elements a step of a sample, but (batch*time, 7) has 7 "
          "| the number of elements must not "
          "change");
    FAULT(nn_flatten(net, nn_reshape(net, square, NN_SHAPE(1, NN_TIME, NN_TIME))),
          "the extents of the input (1, time, time) after the first have a product that "
          "cannot be an extent | make it smaller, or keep "
          "extents of the time apart: none is a multiple of time * time");
    FAULT(nn_slice(net, x, &slice), "slice on axis 1 of (batch, time, 8), whose extent depends on "
                                    "the time | give the plan another "
                                    "batch or time, or put what is cut on an axis of its own");
    FAULT(joined(net, nn_reshape(net, x, NN_SHAPE(NN_BATCH_TIME, 8)),
                 nn_reshape(net, reduced(net, NN_MEAN, x, NN_AXES(1)), NN_SHAPE(NN_BATCH, 8)), 0),
          "input 0 is (batch*time, 8) and input 1 is (batch, 8); all extents but that of axis 0 "
          "must be equal | nn_reshape, nn_slice "
          "or nn_pad make them fit");
    FAULT(nn_add(net, x, nn_reshape(net, x, NN_SHAPE(NN_TIME, NN_BATCH, 8))),
          "a is (batch, time, 8) and b is (time, batch, 8); aligned at their last extents, two "
          "must be equal or one of them 1 | reshape "
          "one of them");
    nn_close(nn);
}

static void test_report_names_time(void) {
    char buffer[4096];
    nn_text text;
    nn_writer writer;
    two t = make_two(BATCH, TIME);
    ZERO(text);
    text.buffer = buffer, text.size = sizeof buffer;
    writer.function = nn_write_text, writer.user = &text;
    nn_write_plan(t.plan, writer);
    ENSURE(strstr(buffer, "batch up to 4, time up to 5, ") && strstr(buffer, "(batch, time, 2)"));
    nn_close(t.nn);
}

static void test_too_large(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_U8, NN_SHAPE(NN_BATCH, NN_TIME, 2));
    nn_node *y = nn_reshape(net, x, NN_SHAPE(nn_multiply_extents(2, NN_BATCH_TIME)));
    nn_plan_desc desc;
    ZERO(desc);
    NODE_AT(desc.outputs, 0) = y;
    desc.batch = desc.time = 1 << 16;
    ENSURE(
        !nn_make_plan(net, &desc) &&
        strstr(nn_error(nn), "a batch of 65536 and a time of 65536 makes it larger than a number"));
    nn_clear_error(nn);
    /* without a batch the message must not blame the batch */
    nn_model *fixed = nn_make_model(nn, NULL);
    nn_node *a = nn_input(fixed, "a", NN_F32, NN_SHAPE(2000000000, 1));
    NODE_AT(desc.outputs, 0) =
        nn_matmul(fixed, a, nn_input(fixed, "b", NN_F32, NN_SHAPE(1, 2000000000)), NULL);
    desc.batch = desc.time = 0;
    ENSURE(!nn_make_plan(fixed, &desc) && !strstr(nn_error(nn), "batch") &&
           strstr(nn_error(nn), "(2000000000, 2000000000) f32") &&
           strstr(nn_error(nn), "it has more bytes than a number can count"));
    nn_clear_error(nn);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    fill_data();
    RUN(test_every_pair);
    RUN(test_every_pair_elsewhere);
    RUN(test_prewarm_between_runs);
    RUN(test_scratch_of_every_pair);
    RUN(test_time_of_uploads);
    RUN(test_time_of_other_inputs);
    RUN(test_time_inside_an_extent);
    RUN(test_training_at_every_pair);
    RUN(test_reports_weigh_steps);
    RUN(test_loader_gives_time);
    RUN(test_messages_of_plans);
    RUN(test_messages_of_runs);
    RUN(test_messages_of_texts);
    RUN(test_messages_of_operations);
    RUN(test_report_names_time);
    RUN(test_too_large);
    return test_report();
}
