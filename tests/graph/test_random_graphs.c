/* test_random_graphs.c: random nets (random_graph.h) against their evaluation in double. Compares
   values of some outputs and of every node that is kept, at several batches and times of one plan,
   whole and in slices; losses; gradients with central differences in double; copies in integers
   (nn_quantize_net). Runs on every instruction set of the machine and, with a part of the nets, on
   the simulated device and on OpenCL devices.

     NN_FULL=1 test_random_graphs        100,000 nets instead of 2,000
     test_random_graphs --seed N         one net, described on failure */
#if defined(NN_TEST_OPENCL)
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#else
#define NN_IMPLEMENTATION
#include "nn.h"
#endif
#include "nn_quantize.h"

#include "inside.h"
#include "open.h"
#include "halves.h"
#include "random_graph.h"
#include "sim_device.h"
#include "test.h"
#include "lists.h"

#ifndef NN_NO_THREADS
#include <pthread.h>
#endif

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

static uint64_t one_seed;
static int wrong_nets, checked_nets, checked_gradients, skipped_gradients, sharded_nets, blocked_nets;
/* How many nets use nn_autocast_begin, how many it changed, and how many losses are far from
   f32's. */
static int cast_nets, changed_nets, far_nets;

static int drawn_of[GRAPH_OPS], drawn_terms[GRAPH_TERMS]; /* how often nets have each */

static void print_net(const graph *g) {
    printf("  net %llu:", (unsigned long long)g->seed);
    for (int i = 0; i < g->count; i++) {
        const graph_item *y = &g->items[i];
        printf(" %s%s%s(", y->name, y->op ? "=" : "", y->op ? y->op->name : "");
        for (int k = 0; k < y->ins; k++) printf("%s%s", k ? "," : "", g->items[y->in[k]].name);
        printf(")[");
        for (int a = 0; a < y->shape.rank; a++)
            printf("%s%d", a ? "," : "", (int)y->shape.extent[a]);
        printf("]");
    }
    for (int t = 0; t < g->term_count; t++)
        printf(" loss %d of %s", g->term_kind[t], g->items[g->terms[t]].name);
    printf("\n");
}

/* ---- numbers in and out ---------------------------------------------------------------------- */

static float staging[GRAPH_BATCH * GRAPH_ELEMENTS];
static int32_t labels[GRAPH_BATCH * GRAPH_ELEMENTS];

/* Returns the numbers of an item as they are stored, for an upload of *bytes. */
static const void *packed(const graph *g, const graph_item *y, int n, size_t *bytes) {
    static uint16_t patterns[GRAPH_BATCH * GRAPH_ELEMENTS];
    *bytes = (size_t)n * nn_dtype_size(y->kind == GRAPH_LABEL ? NN_I32 : g->storage);
    for (int k = 0; k < n; k++) {
        if (y->kind == GRAPH_LABEL) labels[k] = (int32_t)y->v[k];
        else if (g->storage == NN_F32) staging[k] = (float)y->v[k];
        else patterns[k] = (uint16_t)pattern_of(g->storage, y->v[k]);
    }
    return y->kind == GRAPH_LABEL ? (const void *)labels
           : g->storage == NN_F32 ? (const void *)staging
                                  : (const void *)patterns;
}

/* Sets a weight of nn_quantize: its whole numbers and its scales. */
static bool set_bytes(nn_model *net, const graph_item *y) {
    static int8_t bytes[GRAPH_ELEMENTS];
    char name[60];
    const int columns = y->shape.extent[1], all = y->shape.extent[0] * columns;
    const int axis = y->bytes - 1;
    for (int i = 0; i < all; i++)
        bytes[i] = (int8_t)nearbyint(y->v[i] / (double)y->scales[axis ? i % columns : i / columns]);
    snprintf(name, sizeof name, "%s_scale", y->name);
    return nn_upload_tensor(nn_find_tensor(net, y->name), bytes, (size_t)all) == NN_OK &&
           nn_upload_tensor(nn_find_tensor(net, name), y->scales,
                            sizeof(float) * (size_t)y->shape.extent[axis]) == NN_OK;
}

static bool set_parameters(graph *g, nn_model *net) {
    for (int i = 0; i < g->count; i++) {
        graph_item *y = &g->items[i];
        if (y->kind != GRAPH_PARAMETER) continue;
        if (y->bytes) {
            if (!set_bytes(net, y)) return false;
            continue;
        }
        size_t bytes;
        const void *data = packed(g, y, graph_elements(g, y->shape), &bytes);
        if (nn_upload_tensor(nn_find_tensor(net, y->name), data, bytes) != NN_OK) return false;
    }
    return true;
}

/* Uploads the inputs. Sets the time, except in half of the nets whose uploads determine it. */
static bool feed(graph *g, nn_plan *plan) {
    bool said = g->time == GRAPH_TIME;
    if (nn_clear_states(plan, NN_ALL_SAMPLES) != NN_OK) return false;
    for (int i = 0; i < g->count; i++) {
        graph_item *y = &g->items[i];
        if ((y->kind != GRAPH_INPUT && y->kind != GRAPH_LABEL) ||
            !nn_plan_view(plan, y->node).dtype)
            continue;
        int n = graph_elements(g, y->shape);
        size_t bytes;
        const void *data = packed(g, y, n, &bytes);
        said = said || (nn__free_extents(y->shape, NN__OF_TIME) && !graph_batches(y->shape));
        if (nn_upload(plan, y->node, data, bytes) != NN_OK) return false;
    }
    return nn_set_time(plan, said && g->seed % 2 ? 0 : g->time) == NN_OK;
}

static nn_result run(nn_plan *plan, bool slices) {
    nn_result result;
    if (!slices) return nn_run(plan);
    while ((result = nn_run_for(plan, 1)) == NN_PENDING) {}
    return result;
}

/* The tolerance of each item's value: a few times the error of rounding each operation to float,
   and a little more. */
static double limits[GRAPH_ITEMS];
static void find_limits(graph *g) {
    static double rounded[GRAPH_ITEMS][GRAPH_BATCH * GRAPH_ELEMENTS];
    g->single = true;
    graph_evaluate(g, g->batch, g->time);
    for (int k = 0; k < g->count; k++)
        memcpy(rounded[k], g->items[k].v,
               sizeof(double) * (size_t)graph_elements(g, g->items[k].shape));
    g->single = false;
    graph_evaluate(g, g->batch, g->time);
    for (int k = 0; k < g->count; k++) {
        const graph_item *y = &g->items[k];
        double most = 0, off = 0;
        for (int i = 0, n = graph_elements(g, y->shape); i < n; i++) {
            if (fabs(y->v[i]) > most) most = fabs(y->v[i]);
            if (fabs(y->v[i] - rounded[k][i]) > off) off = fabs(y->v[i] - rounded[k][i]);
        }
        limits[k] = 32 * off + 4e-6 * (1 + most);
    }
}

/* Downloads a value into `staging` as f32, whatever its dtype. */
static bool download(nn_plan *plan, nn_node *node, int n) {
    static uint16_t patterns[GRAPH_BATCH * GRAPH_ELEMENTS];
    nn_dtype dtype = nn_node_dtype(node);
    if (dtype == NN_F32) return nn_download(plan, node, staging, (size_t)n * 4) == NN_OK;
    if (nn_download(plan, node, patterns, (size_t)n * 2) != NN_OK) return false;
    for (int i = 0; i < n; i++) staging[i] = (float)value_of(dtype, patterns[i]);
    return true;
}

static bool compare(graph *g, nn_plan *plan, const graph_item *y, const char *what) {
    int n = graph_elements(g, y->shape);
    double tolerance = limits[y - g->items];
    if (!download(plan, y->node, n)) return false;
    test_checked(n);
    for (int i = 0; i < n; i++) {
        const double got = (double)staging[i], want = y->v[i];
        /* A shorter batch may leave a square root's domain: then both are NaN. */
        if (got == want || (got != got && want != want)) continue;
        if (!(fabs((double)staging[i] - y->v[i]) <= tolerance)) {
            test_fail(__FILE__, __LINE__,
                      "%s: %s %s[%d] is %.8g, wanted %.8g within %.2g, batch %d, time %d", what,
                      y->op ? y->op->name : "", y->name, i, (double)staging[i], y->v[i], tolerance,
                      g->batch, g->time);
            return false;
        }
    }
    return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* True if each step comes after the steps whose results it reads. */
static bool check_order(const nn_plan *plan) {
    bool *made = (bool *)calloc((size_t)plan->value_count + 1, sizeof *made), fine = true;
    for (int s = 0; s < plan->step_count && fine; s++) {
        const nn__step *step = &plan->steps[s];
        for (int i = 0; i < step->node->input_count; i++) {
            const nn__value *value = &plan->values[step->inputs[i]];
            const int root =
                value->place == NN__PLACE_ALIAS ? value->alias_of : (int)(value - plan->values);
            if (plan->values[root].place != NN__PLACE_ARENA || made[root]) continue;
            test_fail(__FILE__, __LINE__, "step %d, %s, reads %s before it is made", s + 1,
                      step->node->operation, plan->values[root].node->name);
            fine = false;
        }
        if (step->output >= 0) made[step->output] = true;
        for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++)
            if (step->more[k] >= 0) made[step->more[k]] = true;
    }
    free(made);
    return fine;
}

/* Another plan of the same model, run for one sample, changes nothing for the first one, which is
   in the middle of a run. */
static bool run_between(graph *g, nn_model *net, const nn_plan_desc *desc) {
    nn_plan *other = nn_make_plan(net, desc);
    graph_evaluate(g, 1, 1);
    bool fine = other && (!graph_all_sane(g) || (feed(g, other) && nn_run(other) == NN_OK));
    nn_free_plan(other);
    return fine;
}

static int direct_nets;

/* nn_run_on gives the bytes of the run before it, or refuses the net in words. */
static bool run_directly(const graph *g, nn_plan *plan, const int *outputs, int count) {
    void *inputs[GRAPH_ITEMS], *has[4], *wants[4];
    int given = 0;
    bool fine = true;
    for (int i = 0; i < g->count; i++) {
        const graph_item *x = &g->items[i];
        size_t bytes;
        if ((x->kind != GRAPH_INPUT && x->kind != GRAPH_LABEL) ||
            !nn_plan_view(plan, x->node).dtype)
            continue;
        const void *data = packed(g, x, graph_elements(g, x->shape), &bytes);
        inputs[given] = malloc(bytes + 1);
        memcpy(inputs[given++], data, bytes);
    }
    for (int i = 0; i < count; i++) {
        nn_node *node = g->items[outputs[i]].node;
        const size_t bytes = nn_dtype_size(nn_node_dtype(node)) *
                             (size_t)graph_elements(g, nn_node_shape(node));
        has[i] = malloc(bytes + 1), wants[i] = malloc(bytes + 1);
        fine = fine && nn_download(plan, node, wants[i], bytes) == NN_OK;
    }
    fine = fine && nn_clear_states(plan, NN_ALL_SAMPLES) == NN_OK;
    const nn_result result =
        fine ? nn_run_on(plan, (const void *const *)inputs, (void *const *)has) : NN_OK;
    if (fine && result == NN_ERROR_UNSUPPORTED) nn_clear_error(plan->nn);
    else if (fine) {
        fine = result == NN_OK;
        direct_nets++;
        for (int i = 0; fine && i < count; i++) {
            nn_node *node = g->items[outputs[i]].node;
            const size_t bytes = nn_dtype_size(nn_node_dtype(node)) *
                                 (size_t)graph_elements(g, nn_node_shape(node));
            if (!test_wrong(memcmp(has[i], wants[i], bytes) != 0)) continue;
            test_fail(__FILE__, __LINE__, "nn_run_on gives other bytes of %s",
                      g->items[outputs[i]].name);
            fine = false;
        }
    }
    for (int i = 0; i < given; i++) free(inputs[i]);
    for (int i = 0; i < count; i++) free(has[i]), free(wants[i]);
    return fine;
}

/* Compares some outputs, or every node, at the largest batch and time, then at shorter ones in the
   same plan. */
static bool check_values(graph *g, nn_context *nn, nn_device device, bool keep_all) {
    nn_model_desc model_desc;
    nn_plan_desc desc;
    bool fine = true;
    int outputs[4], count = 0;
    ZERO(model_desc);
    ZERO(desc);
    model_desc.device = device;
    model_desc.dtype = g->storage;
    nn_model *net = nn_make_model(nn, &model_desc);
    graph_describe(g, net, keep_all);
    for (int i = g->count - 1; i >= 0 && count < 4; i--)
        if (g->items[i].kind == GRAPH_OPERATION && (count == 0 || (g->seed >> (i % 13)) % 3 == 0))
            outputs[count++] = i;
    for (int i = 0; i < count; i++) NODE_AT(desc.outputs, i) = g->items[outputs[i]].node;
    desc.batch = GRAPH_BATCH;
    desc.time = GRAPH_TIME;
    desc.poison = g->seed % 3 == 2; /* memory is NaN until it is written */
    nn_plan *plan = nn_make_plan(net, &desc);
    fine = plan && check_order(plan) && set_parameters(g, net);
    for (int batch = GRAPH_BATCH; fine && batch >= 1; batch -= 1 + (int)(g->seed % 2)) {
        graph_evaluate(g, batch,
                       batch == GRAPH_BATCH ? GRAPH_TIME
                                            : 1 + (batch + (int)(g->seed % 7)) % GRAPH_TIME);
        if (!graph_all_sane(g)) continue; /* a sum over fewer samples may have no logarithm */
        fine = feed(g, plan);
        if (fine && batch == GRAPH_BATCH && g->seed % 3 == 0) {
            nn_run_for(plan, 1);
            fine = run_between(g, net, &desc);
            graph_evaluate(g, batch, GRAPH_TIME);
        }
        fine = fine && run(plan, batch % 2 == 1) == NN_OK;
        if (fine) find_limits(g);
        for (int i = 0; fine && keep_all && i < g->count; i++)
            if (g->items[i].kind == GRAPH_OPERATION && nn_plan_view(plan, g->items[i].node).dtype)
                fine = compare(g, plan, &g->items[i], "kept");
        for (int i = 0; fine && i < count; i++)
            fine = compare(g, plan, &g->items[outputs[i]], keep_all ? "kept" : "output");
        if (fine && batch == GRAPH_BATCH && g->seed % 4 == 1)
            fine = run_directly(g, plan, outputs, count);
    }
    nn_free_model(net);
    return fine;
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* Marks the items to compute again when number k changes. A layer's parameters follow each other;
   its operation names the first. */
static void find_below(const graph *g, int k, bool *below) {
    for (int i = 0; i < g->count; i++) {
        const graph_item *y = &g->items[i];
        below[i] = false;
        for (int j = 0; i > k && j < y->ins && !below[i]; j++) {
            int from = y->in[j];
            while (from < k && g->items[from].kind == GRAPH_PARAMETER) from++;
            below[i] = from == k || below[y->in[j]];
        }
    }
}

static double loss_at(graph *g, const bool *below, double *x, double value) {
    double keep = *x, loss;
    *x = value;
    for (int i = 0; i < g->count; i++)
        if (below[i]) g->items[i].op->evaluate(g, &g->items[i]);
    loss = graph_loss(g);
    *x = keep;
    return loss;
}

/* Computes central differences with two step sizes. False: they disagree, because a kink is near.
   Exactly at a kink (two equal operands of a comparison) the one-sided differences disagree, by
   twice the error that a one-sided gradient would have. */
static bool difference(graph *g, int k, int i, double *slope) {
    const double wide = 1e-4, thin = 1e-5;
    double *at = &g->items[k].v[i], x = *at;
    bool below[GRAPH_ITEMS];
    find_below(g, k, below);
    g->hold = true;
    double far_up = loss_at(g, below, at, x + wide), far_down = loss_at(g, below, at, x - wide),
           near_up = loss_at(g, below, at, x + thin), near_down = loss_at(g, below, at, x - thin),
           middle = loss_at(g, below, at, x);
    g->hold = false;
    double a = (far_up - far_down) / (2 * wide), up = (near_up - middle) / thin,
           down = (middle - near_down) / thin;
    *slope = (near_up - near_down) / (2 * thin);
    return fabs(a - *slope) <= 1e-4 * (1 + fabs(*slope)) &&
           fabs(up - down) <= 1e-3 * fabs(*slope) + 1e-4;
}

/* A parameter that the loss does not depend on has no gradient to read: zeros. */
static bool without_gradient(nn_context *nn, int n) {
    memset(staging, 0, sizeof(float) * (size_t)n);
    bool meant = strstr(nn_error(nn), "is no parameter that this trainer trains") != NULL;
    if (meant) nn_clear_error(nn);
    return meant;
}

/* One step of SGD with rate 1: every parameter moves by minus its gradient. A parameter that is
   stored in f16 or bf16 would be rounded, so its gradient is read by name. */
static bool check_gradients(graph *g, nn_context *nn, nn_device device, int batch, int time) {
    static const char *const what = "gradient";
    nn_model_desc model_desc;
    nn_trainer_desc desc;
    float loss = 0;
    ZERO(model_desc);
    ZERO(desc);
    model_desc.device = device;
    model_desc.dtype = g->storage;
    nn_model *net = nn_make_model(nn, &model_desc);
    nn_node *objective = graph_describe(g, net, false);
    desc.batch = GRAPH_BATCH;
    desc.time = GRAPH_TIME;
    desc.optimizer = NN_SGD;
    desc.learning_rate = 1;
    desc.gradients = g->storage != NN_F32;
    desc.poison = g->seed % 5 != 0; /* memory is NaN until it is written */
    desc.separate_steps = g->seed % 11 == 0;
    nn_trainer *trainer = nn_make_trainer(net, objective, &desc);
    graph_evaluate(g, batch, time);
    double wanted = graph_loss(g);
    if (!graph_all_sane(
            g)) { /* the net was drawn for the largest: a shorter one may take the logarithm of 0 */
        nn_free_model(net);
        return true;
    }
    if (g->doubtful) { /* f32 may have rounded to the neighbour: another net */
        nn_free_model(net);
        skipped_gradients++;
        return true;
    }
    bool fine = trainer && check_order(nn_trainer_plan(trainer)) && set_parameters(g, net) &&
                feed(g, nn_trainer_plan(trainer)) &&
                (desc.gradients ? nn_backward(trainer) : nn_train_on_inputs(trainer)) == NN_OK &&
                nn_read_loss(trainer, &loss) == NN_OK;
    if (fine && !(fabs((double)loss - wanted) <= 2e-4 * (1 + fabs(wanted)))) {
        test_fail(__FILE__, __LINE__, "the loss is %.8g, wanted %.8g, batch %d, time %d",
                  (double)loss, wanted, batch, time);
        fine = false;
    }
    for (int k = 0; fine && k < g->count; k++) {
        graph_item *p = &g->items[k];
        if (p->kind != GRAPH_PARAMETER || p->bytes) continue;
        int n = graph_elements(g, p->shape);
        if (desc.gradients)
            fine = nn_read_gradient(trainer, p->name, staging, (size_t)n * 4) == NN_OK ||
                   without_gradient(nn, n);
        else
            fine =
                nn_download_tensor(nn_find_tensor(net, p->name), staging, (size_t)n * 4) == NN_OK;
        for (int tries = 0; fine && tries < 4; tries++) {
            int i = (int)(((uint64_t)tries * 2654435761u + g->seed) % (uint64_t)n);
            double slope, got = desc.gradients ? (double)staging[i] : p->v[i] - (double)staging[i];
            if (p->frozen) slope = 0; /* no update moves it, and it has no gradient */
            else if (!difference(g, k, i, &slope)) {
                skipped_gradients++;
                continue;
            }
            checked_gradients++;
            if (!(fabs(got - slope) <= 1e-3 * fabs(slope) + 1e-4 * (1 + fabs(wanted)))) {
                test_fail(__FILE__, __LINE__,
                          "%s of %s[%d] is %.8g, wanted %.8g, batch %d, time %d", what, p->name, i,
                          got, slope, batch, time);
                fine = false;
            }
        }
    }
    nn_free_model(net);
    return fine;
}

/* ---- blocks that are computed again ---------------------------------------------------------- */

/* True if a maximum follows a convolution. Where the end of a block separates the two, sums have
   another order. */
static bool pools_convolution(const graph *g) {
    bool convolves = false, pools = false;
    for (int i = 0; i < g->count; i++) {
        if (g->items[i].kind != GRAPH_OPERATION) continue;
        convolves = convolves || strstr(g->items[i].op->name, "conv");
        pools = pools || strstr(g->items[i].op->name, "max_pool");
    }
    return convolves && pools;
}

/* Reads the gradients, or after steps without .gradients the parameters. Returns their
   number, or -1. */
static int read_trained(const graph *g, nn_model *net, nn_trainer *trainer, bool gradients,
                        float *out) {
    int all = 0;
    for (int k = 0; k < g->count; k++) {
        const graph_item *p = &g->items[k];
        if (p->kind != GRAPH_PARAMETER || p->bytes) continue;
        const int n = graph_elements(g, p->shape);
        if (gradients) {
            if (nn_read_gradient(trainer, p->name, staging, (size_t)n * 4) != NN_OK &&
                !without_gradient(nn_model_context(net), n))
                return -1;
        } else {
            nn_tensor *tensor = nn_find_tensor(net, p->name);
            if (nn_download_tensor(tensor, staging, (size_t)nn_tensor_bytes(tensor)) != NN_OK)
                return -1;
        }
        memcpy(out + all, staging, (size_t)n * (gradients ? 4 : nn_dtype_size(g->storage)));
        all += n;
    }
    return all;
}

enum { STEPS = 3, TRAINED = GRAPH_ITEMS * GRAPH_ELEMENTS };

/* Makes some steps. The losses, and the numbers of read_trained after each, go to out. Returns
   their number, or -1. */
static int train(graph *g, nn_context *nn, nn_device device, nn_trainer_desc desc, float *out) {
    const nn_model_desc model_desc = {.device = device, .dtype = g->storage};
    nn_model *net = nn_make_model(nn, &model_desc);
    nn_node *objective = graph_describe(g, net, false);
    nn_trainer *trainer = nn_make_trainer(net, objective, &desc);
    int count = 0;
    bool fine = trainer && check_order(nn_trainer_plan(trainer)) && set_parameters(g, net);
    for (int step = 0; fine && step < STEPS; step++) {
        fine = feed(g, nn_trainer_plan(trainer)) &&
               (desc.gradients ? nn_backward(trainer) : nn_train_on_inputs(trainer)) == NN_OK &&
               nn_read_loss(trainer, &out[count]) == NN_OK;
        const int read = fine ? read_trained(g, net, trainer, desc.gradients, out + count + 1) : -1;
        fine = read >= 0 && (!desc.gradients || nn_update(trainer) == NN_OK);
        count += 1 + read;
    }
    nn_free_model(net);
    return fine ? count : -1;
}

/* Blocks of nn_recompute_begin change no byte of the CPU's results, except where pools_convolution
   is true. */
static bool check_blocks(graph *g, nn_context *nn, nn_device device) {
    static float with[STEPS * (TRAINED + 1)], without[STEPS * (TRAINED + 1)];
    nn_trainer_desc desc = {.batch = GRAPH_BATCH, .time = GRAPH_TIME, .learning_rate = 1e-3f};
    desc.poison = true;
    desc.gradients = g->seed % 2 == 0;
    desc.separate_steps = g->seed % 11 == 5;
    graph_evaluate(g, GRAPH_BATCH, GRAPH_TIME);
    g->blocks = GRAPH_BLOCK_IN_NONE;
    memset(without, 0, sizeof without), memset(with, 0, sizeof with);
    const int wanted = train(g, nn, device, desc, without);
    g->blocks = GRAPH_BLOCKS_IN_ALL;
    const int count = train(g, nn, device, desc, with);
    g->blocks = GRAPH_BLOCK_IN_SOME;
    if (count < 0 && wanted < 0 && nn_error(nn) && strstr(nn_error(nn), "NaN or infinite")) {
        nn_clear_error(nn); /* steps led out of a function's domain, with blocks and without */
        return true;
    }
    if (count < 0 || count != wanted) {
        test_fail(__FILE__, __LINE__, "blocks: %d numbers, wanted %d", count, wanted);
        return false;
    }
    const bool other_order = pools_convolution(g);
    blocked_nets += !other_order;
    test_checked(count);
    for (int i = 0; i < count && !other_order; i++) {
        if (memcmp(&with[i], &without[i], sizeof(float)) == 0) continue;
        test_fail(__FILE__, __LINE__, "blocks: number %d of %d is %.9g, without them %.9g", i,
                  count, (double)with[i], (double)without[i]);
        return false;
    }
    return true;
}

/* ---- regions of mixed precision -------------------------------------------------------------- */

/* Tests the loss with nn_autocast_begin: runs in slices give the bytes of whole ones, and the
   precision, which is drawn, changes nothing on the CPU. The loss is usually near that of f32. A
   net may also divide by a difference of nearly equal numbers, so losses far from f32's are only
   counted. */
static bool check_autocast(graph *g, nn_context *nn) {
    const nn_model_desc model_desc = {.dtype = g->storage};
    nn_model *net = nn_make_model(nn, &model_desc);
    nn_node *loss = graph_describe(g, net, false);
    nn_plan_desc desc = {.outputs = NN_NODES(loss), .batch = GRAPH_BATCH, .time = GRAPH_TIME};
    desc.poison = true;
    desc.precision = (nn_precision)(g->seed / 2 % NN_PRECISION_COUNT);
    graph_evaluate(g, GRAPH_BATCH, GRAPH_TIME);
    const double wanted = graph_loss(g);
    nn_plan *plan = nn_make_plan(net, &desc);
    float whole = NAN, sliced = NAN;
    bool fine = plan && check_order(plan) && set_parameters(g, net);
    for (int slices = 0; fine && slices < 2; slices++)
        fine = feed(g, plan) && run(plan, slices) == NN_OK &&
               nn_download(plan, loss, slices ? &sliced : &whole, sizeof whole) == NN_OK;
    nn_free_model(net);
    if (!fine && nn_error(nn) && strstr(nn_error(nn), "NaN or infinite")) {
        nn_clear_error(nn); /* rounding led out of a function's domain */
        far_nets++, cast_nets++;
        return true;
    }
    if (!fine) return false;
    cast_nets++;
    changed_nets += fabs((double)whole - wanted) > 1e-4 * (1 + fabs(wanted));
    far_nets += !(fabs((double)whole - wanted) <= 0.05 * (1 + fabs(wanted)));
    if (test_wrong(memcmp(&whole, &sliced, sizeof whole) != 0)) {
        test_fail(__FILE__, __LINE__, "autocast: %.9g, in slices %.9g", (double)whole,
                  (double)sliced);
        return false;
    }
    return true;
}

/* ---- shards ---------------------------------------------------------------------------------- */

/* The numbers of all inputs at the largest batch. */
static double samples[GRAPH_ITEMS][GRAPH_BATCH * GRAPH_ELEMENTS];
static void keep_samples(const graph *g) {
    for (int k = 0; k < g->count; k++)
        memcpy(samples[k], g->items[k].v, sizeof samples[k]);
}

/* The inputs become `count` of the samples that were kept, from `first` on. */
static void take_samples(graph *g, int first, int count) {
    for (int k = 0; k < g->count; k++) {
        graph_item *x = &g->items[k];
        if (x->kind != GRAPH_INPUT && x->kind != GRAPH_LABEL) continue;
        g->batch = 1;
        const int one = nn__free_extents(x->shape, NN__OF_BATCH) ? graph_elements(g, x->shape) : 0;
        memcpy(x->v, samples[k] + first * one,
               sizeof samples[k] - (size_t)(first * one) * sizeof(double));
    }
    g->batch = count;
}

/* Returns the weight of a shard: 1 for a sum over samples, `count` for a mean over them. A loss of
   which no part has a batch weighs the same in each shard that has samples. */
static double shard_weight(const graph *g, int count, int batch, int size) {
    bool batches = false;
    for (int t = 0; t < g->term_count; t++) {
        const bool has = graph_batches(g->items[g->terms[t]].shape) > 0;
        if (has && g->term_kind[t] == GRAPH_SUM) return 1;
        batches = batches || has;
    }
    return batches ? (double)count / batch : 1.0 / ((batch + size - 1) / size);
}

/* Computes what shards must give: the weighted losses and gradients of a trainer without shards on
   the samples of each. out: the loss, then the gradients. */
static int train_parts(graph *g, nn_model *net, nn_trainer *trainer, int shards, int batch,
                       double *out) {
    static float part[TRAINED];
    const int size = (GRAPH_BATCH + shards - 1) / shards;
    int read = 0;
    out[0] = 0;
    for (int first = 0; first < batch && read >= 0; first += size) {
        const int count = batch - first < size ? batch - first : size;
        const double weight = shard_weight(g, count, batch, size);
        float loss;
        take_samples(g, first, count);
        if (nn_zero_gradients(trainer) != NN_OK || !feed(g, nn_trainer_plan(trainer)) ||
            nn_backward(trainer) != NN_OK || nn_read_loss(trainer, &loss) != NN_OK)
            return -1;
        read = read_trained(g, net, trainer, true, part);
        out[0] += weight * (double)loss;
        for (int i = 0; i < read; i++)
            out[1 + i] = (first ? out[1 + i] : 0) + weight * (double)part[i];
    }
    take_samples(g, 0, batch);
    return read;
}

static bool compare_shards(const float *got, const double *want, int count, int shards, int batch) {
    test_checked(count);
    for (int i = 0; i < count; i++) {
        const double x = (double)got[i], y = want[i];
        if ((x != x && y != y) || fabs(x - y) <= 1e-3 * fabs(y) + 1e-4 * (1 + fabs(want[0])))
            continue;
        test_fail(__FILE__, __LINE__,
                  "%d shards: number %d of %d is %.8g, wanted %.8g, batch %d", shards, i, count, x,
                  y, batch);
        return false;
    }
    return true;
}

/* Binds tensors to the inputs: a batch in shards is given that way. */
static bool bind_samples(graph *g, nn_context *nn, nn_device device, nn_plan *plan,
                         nn_tensor **tensors) {
    for (int k = 0; k < g->count; k++) {
        const graph_item *x = &g->items[k];
        size_t bytes;
        if ((x->kind != GRAPH_INPUT && x->kind != GRAPH_LABEL) ||
            !nn_plan_view(plan, x->node).dtype)
            continue;
        nn_tensor_desc desc = {.dtype = x->kind == GRAPH_LABEL ? NN_I32 : g->storage,
                               .shape = x->shape, .device = device};
        for (int i = 0; i < x->shape.rank; i++)
            desc.shape.extent[i] = graph_extent(g, x->shape.extent[i]);
        const void *data = packed(g, x, graph_elements(g, x->shape), &bytes);
        tensors[k] = nn_make_tensor(nn, &desc);
        if (nn_upload_tensor(tensors[k], data, bytes) != NN_OK ||
            nn_bind(plan, x->node, tensors[k]) != NN_OK)
            return false;
    }
    return true;
}
static void drop_samples(const graph *g, nn_plan *plan, nn_tensor **tensors) {
    for (int k = 0; k < g->count; k++) {
        if (tensors[k]) nn_bind(plan, g->items[k].node, NULL);
        nn_free_tensor(tensors[k]);
        tensors[k] = NULL;
    }
}

typedef struct shard_pair {
    nn_model *net[2]; /* with shards, and without */
    nn_trainer *trainer[2];
    nn_node *nodes[2][GRAPH_ITEMS];
    int shards;
} shard_pair;

static void name_nodes(graph *g, const shard_pair *pair, int which) {
    for (int k = 0; k < g->count; k++) g->items[k].node = pair->nodes[which][k];
}

/* Compares backward passes of several batches in shards with a trainer without shards. */
static bool step_shards(graph *g, nn_context *nn, nn_device device, const shard_pair *pair) {
    static float got[TRAINED + 1];
    static double want[TRAINED + 1];
    nn_tensor *tensors[GRAPH_ITEMS] = {NULL};
    nn_trainer *trainer = pair->trainer[0];
    nn_plan *plan = nn_trainer_plan(trainer);
    bool fine = set_parameters(g, pair->net[0]) && set_parameters(g, pair->net[1]);
    keep_samples(g);
    g->time = GRAPH_TIME;
    for (int batch = GRAPH_BATCH; fine && batch >= 1; batch -= 1 + (int)(g->seed % 2)) {
        name_nodes(g, pair, 1);
        const int count =
            train_parts(g, pair->net[1], pair->trainer[1], pair->shards, batch, want);
        name_nodes(g, pair, 0);
        fine = count >= 0 && nn_zero_gradients(trainer) == NN_OK &&
               bind_samples(g, nn, device, plan, tensors) &&
               nn_set_time(plan, GRAPH_TIME) == NN_OK && nn_backward(trainer) == NN_OK &&
               nn_read_loss(trainer, &got[0]) == NN_OK &&
               read_trained(g, pair->net[0], trainer, true, got + 1) == count &&
               compare_shards(got, want, 1 + count, pair->shards, batch);
        drop_samples(g, plan, tensors);
    }
    take_samples(g, 0, GRAPH_BATCH);
    return fine;
}

/* Tests that the same net with two or four shards gets a trainer, or is refused in words. */
static bool check_shards(graph *g, nn_context *nn, nn_device device) {
    const nn_model_desc model_desc = {.device = device, .dtype = g->storage};
    nn_trainer_desc desc = {.batch = GRAPH_BATCH, .time = GRAPH_TIME, .learning_rate = 1e-3f};
    shard_pair pair = {.shards = g->seed % 8 ? 2 : 4};
    bool fine = true;
    desc.poison = true;
    desc.gradients = true;
    for (int i = 0; i < 2 && (i == 0 || pair.trainer[0]); i++) {
        pair.net[i] = nn_make_model(nn, &model_desc);
        nn_node *objective = graph_describe(g, pair.net[i], false);
        for (int k = 0; k < g->count; k++) pair.nodes[i][k] = g->items[k].node;
        desc.shards = i ? 1 : pair.shards;
        pair.trainer[i] = nn_make_trainer(pair.net[i], objective, &desc);
    }
    if (pair.trainer[0]) {
        fine = pair.trainer[1] && check_order(nn_trainer_plan(pair.trainer[0])) &&
               step_shards(g, nn, device, &pair);
        sharded_nets++;
    } else {
        fine = nn_error(nn) && strstr(nn_error(nn), "shards");
        if (!fine) test_fail(__FILE__, __LINE__, "shards: refused without a word of them");
        if (fine) nn_clear_error(nn);
    }
    nn_free_model(pair.net[0]);
    nn_free_model(pair.net[1]);
    return fine;
}

/* ---- integers -------------------------------------------------------------------------------- */

static long quantised;

/* Describes the net in integers, without calibration, so that only their form is right. Either
   nn_quantize_net refuses the net, or the copy runs, whole and in slices with the same bytes. */
static bool check_integers(graph *g, nn_context *nn) {
    static float whole[GRAPH_BATCH * GRAPH_ELEMENTS];
    nn_plan_desc desc;
    nn_quantize_net_desc how;
    nn_node *last = NULL, *kept[GRAPH_ITEMS];
    int at = 0;
    ZERO(desc);
    ZERO(how);
    nn_model *net = nn_make_model(nn, NULL);
    graph_describe(g, net, false);
    for (int i = 0; i < g->count; i++)
        if (g->items[i].kind == GRAPH_OPERATION) last = g->items[at = i].node;
    how.outputs = NN_NODES(last);
    nn_model *copy = last && set_parameters(g, net) ? nn_quantize_net(net, NULL, &how) : NULL;
    if (!copy) { /* such as no layer, states, weights of nn_quantize */
        const bool refused = nn_error_code(nn) == NN_ERROR_UNSUPPORTED;
        if (test_wrong(!refused)) test_fail(__FILE__, __LINE__, "integers: %s", nn_error(nn));
        nn_clear_error(nn);
        nn_free_model(net);
        return refused;
    }
    quantised++;
    desc.outputs = NN_NODES(nn_copied_node(copy, last));
    desc.batch = GRAPH_BATCH;
    desc.time = GRAPH_TIME;
    nn_plan *plan = nn_make_plan(copy, &desc);
    graph_evaluate(g, GRAPH_BATCH, GRAPH_TIME);
    for (int i = 0; i < g->count; i++) {
        kept[i] = g->items[i].node;
        if (g->items[i].kind == GRAPH_INPUT || g->items[i].kind == GRAPH_LABEL || i == at)
            g->items[i].node = nn_copied_node(copy, g->items[i].node);
    }
    const int n = graph_elements(g, g->items[at].shape);
    bool fine = plan && check_order(plan) && feed(g, plan) && run(plan, false) == NN_OK &&
                download(plan, g->items[at].node, n);
    memcpy(whole, staging, sizeof(float) * (size_t)n);
    fine = fine && feed(g, plan) && run(plan, true) == NN_OK &&
           download(plan, g->items[at].node, n);
    if (test_wrong(!fine)) test_fail(__FILE__, __LINE__, "integers: %s", nn_error(nn));
    if (fine && test_wrong(memcmp(whole, staging, sizeof(float) * (size_t)n) != 0))
        test_fail(__FILE__, __LINE__, "integers: other bytes in slices");
    for (int i = 0; i < g->count; i++) g->items[i].node = kept[i];
    nn_free_model(copy);
    nn_free_model(net);
    return fine;
}

static void check_net(nn_context *nn, nn_device device, uint64_t seed) {
    static graph g;
    if (!graph_make(&g, seed, 3 + (int)(seed % 14))) {
        graph_free(&g);
        return;
    }
    checked_nets++;
    for (int i = 0; i < g.count; i++)
        if (g.items[i].op) drawn_of[g.items[i].op - graph_ops]++;
    for (int t = 0; t < g.term_count; t++) drawn_terms[g.term_kind[t]]++;
    bool fine = check_values(&g, nn, device, false) && check_values(&g, nn, device, true) &&
                check_gradients(&g, nn, device, GRAPH_BATCH, GRAPH_TIME) &&
                check_gradients(&g, nn, device, 1 + (int)(seed % GRAPH_BATCH),
                                1 + (int)(seed % GRAPH_TIME));
    if (fine && seed % 4 == 0) fine = check_shards(&g, nn, device);
    if (fine && nn_same_device(device, nn_cpu())) fine = check_blocks(&g, nn, device);
    if (fine && g.storage == NN_F32 && nn_same_device(device, nn_cpu()))
        fine = check_integers(&g, nn);
    if (fine && seed % 2 == 0 && nn_same_device(device, nn_cpu())) {
        g.autocast = seed % 6 == 0 ? NN_F16 : NN_BF16;
        fine = check_autocast(&g, nn) && check_blocks(&g, nn, device);
    }
    if (nn_error(nn)) {
        test_fail(__FILE__, __LINE__, "net %llu: %s", (unsigned long long)seed, nn_error(nn));
        nn_clear_error(nn);
        fine = false;
    }
    if (!fine && wrong_nets++ < 5) print_net(&g);
    else if (!fine) printf("  net %llu\n", (unsigned long long)seed);
    graph_free(&g);
}

static void check_range(nn_context *nn, nn_device device, uint64_t first, int count, int step) {
    if (one_seed) {
        check_net(nn, device, one_seed);
        return;
    }
    if (getenv("NN_FULL")) count *= 50;
    for (int i = 0; i < count && wrong_nets < 20; i += step)
        check_net(nn, device, first + (uint64_t)i);
}

static void check_instructions(nn_instruction_set set, uint64_t first, int count) {
    nn_desc desc;
    ZERO(desc);
    desc.instructions = set;
    desc.threads = 2;
    nn_context *nn = OPEN_WITH_SET(&desc);
    if (!nn) return;
    check_range(nn, nn_cpu(), first, count, 1);
    nn_close(nn);
}

static void test_graphs_default(void) { check_instructions(NN_INSTRUCTIONS_DEFAULT, 1, 770); }
static void test_graphs_plain(void) { check_instructions(NN_INSTRUCTIONS_PLAIN, 1000, 600); }
static void test_graphs_avx2(void) { check_instructions(NN_INSTRUCTIONS_AVX2, 2000, 480); }

/* The simulated device checks each access and poisons its memory. If it is asynchronous, it also
   notices memory that is freed too early. A GPU (`gpu`) joins gradients. `few`: it lacks all
   composed kernels. */
static void check_simulated(bool asynchronous, bool gpu, bool few, uint64_t first, int count) {
    nn_context *nn = nn_open(NULL);
    sim_desc desc;
    nn_device device;
    ZERO(desc);
    desc.asynchronous = asynchronous;
    desc.gpu = gpu;
    desc.poison_on_release = true;
#define LACKS(number, upper, lower, args, family) desc.missing[number] = few;
    NN_COMPOSED_KERNELS(LACKS)
#undef LACKS
    sim_device *sim = sim_open(nn, &desc, &device);
    check_range(nn, device, first, count, 1);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void test_graphs_simulated(void) {
    check_simulated(false, false, false, 4000, 60);
    check_simulated(true, false, false, 4100, 60);
}
static void test_graphs_few_kernels(void) {
    check_simulated(false, false, true, 4000, 60);
    check_simulated(false, true, false, 4200, 30);
    check_simulated(false, true, true, 4200, 30);
}

static void check_opencl(bool as_gpu, uint64_t first, int count) {
#ifdef NN_TEST_OPENCL
    nn_context *nn = nn_open(NULL);
    if (!OPEN_OPENCL(nn)) {
        nn_close(nn);
        return;
    }
    if (as_gpu) {
        void *state = NULL;
        nn_device_backend(nn, nn_opencl(0), &state);
        nn__opencl *device = (nn__opencl *)state;
        device->cpu = false;
        device->gpu = true;
        device->forced = NN__OPENCL_TILES;
        nn__find_device(nn, nn_opencl(0))->limits.gpu = true;
    }
    check_range(nn, nn_opencl(0), first, count, 1);
    nn_close(nn);
#else
    (void)as_gpu, (void)first, (void)count;
    SKIP("built without OpenCL");
#endif
}

static void test_graphs_opencl(void) { check_opencl(false, 3000, 2); }
/* Plans for GPUs join several steps into one. */
static void test_graphs_gpu(void) { check_opencl(true, 3002, 2); }

/* ---- ranks ----------------------------------------------------------------------------------- */

#ifdef NN_NO_THREADS
static void test_ranks_compare(void) { SKIP("this build has no threads"); }
#else
typedef struct rank {
    pthread_t thread;
    nn_meeting *meeting;
    int32_t number;
    uint64_t seed;
    nn_result result;
    char error[400];
} rank;

static void *make_on_rank(void *data) {
    rank *self = (rank *)data;
    graph *g = (graph *)malloc(sizeof *g);
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_group *group = nn_join_meeting(nn, self->meeting, self->number, 60);
    nn_model *net = nn_make_model(nn, NULL);
    const bool drawn = graph_make(g, self->seed, 8);
    nn_node *loss = drawn ? graph_describe(g, net, false) : NULL;
    nn_trainer *trainer = nn_make_trainer(
        net, loss, &(nn_trainer_desc){.batch = GRAPH_BATCH, .time = GRAPH_TIME, .group = group});
    self->result = trainer ? NN_OK : nn_error_code(nn);
    snprintf(self->error, sizeof self->error, "%s", nn_error(nn) ? nn_error(nn) : "");
    nn_close(nn);
    graph_free(g);
    free(g);
    return NULL;
}

/* Two ranks describe a net and compare every number of its operations. They agree if it is the same
   net. If a net cannot be shared (its batch is not the first axis), both ranks get the error. */
static void test_ranks_compare(void) {
    int made = 0, count = getenv("NN_FULL") ? 2000 : 40;
    for (int net = 0; net < 2 * count; net++) {
        const bool differ = net >= count;
        nn_context *owner = nn_open(NULL);
        nn_meeting *meeting = nn_make_meeting(owner, 2);
        rank ranks[2];
        ZERO(ranks);
        for (int r = 0; r < 2; r++) {
            ranks[r].meeting = meeting;
            ranks[r].number = r;
            ranks[r].seed = 9000 + (uint64_t)net + (uint64_t)(differ && r ? count : 0);
            if (pthread_create(&ranks[r].thread, NULL, make_on_rank, &ranks[r]) != 0) abort();
        }
        for (int r = 0; r < 2; r++) pthread_join(ranks[r].thread, NULL);
        nn_close(owner);
        if (differ ? ranks[0].result == NN_OK || ranks[1].result == NN_OK
                   : ranks[0].result != ranks[1].result || strstr(ranks[0].error, "differ"))
            test_fail(__FILE__, __LINE__, "nets %llu and %llu: %s",
                      (unsigned long long)ranks[0].seed, (unsigned long long)ranks[1].seed,
                      ranks[0].error);
        made += !differ && ranks[0].result == NN_OK;
    }
    ENSURE(made > count / 4);
}
#endif

/* Gradients at kinks are skipped. Most gradients must have been compared. */
static void test_most_gradients_were_compared(void) {
    if (one_seed || !checked_gradients) SKIP("only after the others");
    printf("%d gradients compared, %d at kinks\n", checked_gradients, skipped_gradients);
    ENSURE(checked_gradients > 10 * skipped_gradients);
    printf("%d nets, %d of them with shards, %d with blocks that are computed again, %d by nn_run_on, "
           "%ld in integers\n",
           checked_nets, sharded_nets, blocked_nets, direct_nets, quantised);
    printf("%d nets with nn_autocast_begin; the loss of %d is more than 0.01 %% from that in f32, of "
           "%d more than 5 %%\n",
           cast_nets, changed_nets, far_nets);
    ENSURE(cast_nets > 500 && changed_nets * 10 > cast_nets && far_nets * 20 < cast_nets);
    ENSURE(direct_nets > 50);
    ENSURE(quantised > 200);
    ENSURE(sharded_nets > 20);
    ENSURE(blocked_nets > 500);
}

/* An entry whose `choose` nearly never fits would be no test. */
static void test_every_operation_was_drawn(void) {
    static graph g;
    if (one_seed || checked_nets < 1500) SKIP("only after the others");
    for (uint64_t seed = 0; seed < 2000; seed++) { /* what is rare: drawn, but not run */
        graph_make(&g, 100000 + seed, 14);
        for (int i = 0; i < g.count; i++)
            if (g.items[i].op) drawn_of[g.items[i].op - graph_ops]++;
        graph_free(&g);
    }
    for (int k = 0; k < GRAPH_OPS; k++)
        if (test_wrong(drawn_of[k] < 3))
            test_fail(__FILE__, __LINE__, "%s, variant %d: drawn %d times", graph_ops[k].name,
                      graph_ops[k].variant, drawn_of[k]);
    for (int k = 0; k < GRAPH_TERMS; k++)
        if (test_wrong(drawn_terms[k] < 3))
            test_fail(__FILE__, __LINE__, "loss %d: drawn %d times", k, drawn_terms[k]);
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--seed") == 0) {
        one_seed = strtoull(argv[2], NULL, 10);
        argc = 1;
    }
    graph_memories = true;
    test_start(argc, argv);
    RUN(test_graphs_default);
    RUN(test_graphs_plain);
    RUN(test_graphs_avx2);
    RUN(test_graphs_simulated);
    RUN(test_graphs_few_kernels);
    RUN(test_graphs_opencl);
    RUN(test_graphs_gpu);
    RUN(test_ranks_compare);
    RUN(test_most_gradients_were_compared);
    RUN(test_every_operation_was_drawn);
    return test_report();
}
