/* test_random_gradients.c: nn_gradient in random nets (random_graph.h). First gradients of the loss
   by any item, computed by a plan that does not train, are compared with central differences in
   double. Second gradients, of the squared norm of a first gradient, are compared with mixed
   differences in double; a trainer computes them, or nn_gradient again. A second gradient that does
   not exist must be a fault that says so.

     NN_FULL=1 test_random_gradients      50 times as many nets
     test_random_gradients --seed N       one net, described on failure */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"

#include "inside.h"
#include "open.h"
#include "halves.h"
#include "random_graph.h"
#include "sim_device.h"
#include "test.h"

static uint64_t one_seed;
static int nets, wrong, firsts, first_kinks, seconds, second_kinks, refused, unused;

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

/* ---- numbers in ------------------------------------------------------------------------------ */

static float staging[GRAPH_BATCH * GRAPH_ELEMENTS];
static int32_t labels[GRAPH_BATCH * GRAPH_ELEMENTS];

static const void *packed(const graph *g, const graph_item *y, size_t *bytes) {
    static uint16_t patterns[GRAPH_BATCH * GRAPH_ELEMENTS];
    const int n = graph_elements(g, y->shape);
    *bytes = (size_t)n * nn_dtype_size(y->kind == GRAPH_LABEL ? NN_I32 : g->storage);
    for (int k = 0; k < n; k++) {
        if (y->kind == GRAPH_LABEL)
            labels[k] = (int32_t)y->v[k];
        else if (g->storage == NN_F32)
            staging[k] = (float)y->v[k];
        else
            patterns[k] = (uint16_t)pattern_of(g->storage, y->v[k]);
    }
    return y->kind == GRAPH_LABEL ? (const void *)labels
           : g->storage == NN_F32 ? (const void *)staging
                                  : (const void *)patterns;
}

static bool feed(const graph *g, nn_model *net, nn_plan *plan) {
    for (int i = 0; i < g->count; i++) {
        const graph_item *y = &g->items[i];
        size_t bytes;
        const void *data = packed(g, y, &bytes);
        if (y->kind == GRAPH_PARAMETER) {
            if (nn_upload_tensor(nn_find_tensor(net, y->name), data, bytes) != NN_OK) return false;
        } else if (y->kind != GRAPH_OPERATION && nn_plan_view(plan, y->node).dtype) {
            if (nn_upload(plan, y->node, data, bytes) != NN_OK) return false;
        }
    }
    return nn_set_time(plan, g->time) == NN_OK;
}

/* ---- differences ----------------------------------------------------------------------------- */

static double loss_now(graph *g) {
    for (int i = 0; i < g->count; i++)
        if (g->items[i].kind == GRAPH_OPERATION) g->items[i].op->evaluate(g, &g->items[i]);
    return graph_loss(g);
}

/* Marks the items that must be computed again when item k changes. A layer's parameters follow each
   other; its operation names the first. */
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

/* Computes central differences at two steps; false: a kink is near. */
static bool slope_of(graph *g, int k, int i, double *slope) {
    const double wide = 1e-4, thin = 1e-5;
    double *at = &g->items[k].v[i], x = *at;
    bool below[GRAPH_ITEMS];
    find_below(g, k, below);
    g->hold = true;
    const double far_up = loss_at(g, below, at, x + wide),
                 far_down = loss_at(g, below, at, x - wide), up = loss_at(g, below, at, x + thin),
                 down = loss_at(g, below, at, x - thin), middle = loss_at(g, below, at, x);
    g->hold = false;
    *slope = (up - down) / (2 * thin);
    return fabs((far_up - far_down) / (2 * wide) - *slope) <= 1e-4 * (1 + fabs(*slope)) &&
           fabs((up - middle) / thin - (middle - down) / thin) <= 1e-3 * fabs(*slope) + 1e-4;
}

/* Returns the second derivative of the loss by element i of item z and along `direction` of item
   x. */
static double mixed(graph *g, int x, const double *direction, int z, int i, double step,
                    double stretch) {
    static double kept[GRAPH_BATCH * GRAPH_ELEMENTS];
    const int n = graph_elements(g, g->items[x].shape);
    double sum = 0;
    for (int signs = 0; signs < 4; signs++) {
        const double a = signs & 1 ? -step : step, b = signs & 2 ? -step : step;
        memcpy(kept, g->items[x].v, sizeof(double) * (size_t)n);
        const double own = g->items[z].v[i];
        g->items[z].v[i] += b;
        for (int k = 0; k < n; k++) g->items[x].v[k] += a * stretch * direction[k];
        g->hold = true;
        sum += (signs == 1 || signs == 2 ? -1 : 1) * loss_now(g);
        g->hold = false;
        g->items[z].v[i] = own;
        memcpy(g->items[x].v, kept, sizeof(double) * (size_t)n);
    }
    loss_now(g);
    return sum / (4 * step * step * stretch);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool near(const graph *g, const char *what, int k, int i, double got, double want,
                 double tolerance) {
    test_checked(1);
    if (fabs(got - want) <= tolerance) return true;
    test_fail(__FILE__, __LINE__, "%s by %s[%d] is %.8g, wanted %.8g within %.2g", what,
              g->items[k].name, i, got, want, tolerance);
    return false;
}

static nn_model *model_of(graph *g, nn_context *nn, nn_device device) {
    const nn_model_desc desc = {.device = device, .dtype = g->storage};
    return nn_make_model(nn, &desc);
}

/* Returns the node of an item; layers describe the parameters that they own. */
static nn_node *node_of(nn_model *net, const graph_item *x) {
    return x->owned ? nn_find_parameter(net, x->name) : x->node;
}

/* True if the gradient of this item can be compared. Two items may be one node (a padding by 0
   returns its input, and casts are shared), but differences change only one of the two. */
static bool takes(const graph *g, const graph_item *x) {
    if (x->kind == GRAPH_LABEL || x->bytes || (x->op && strcmp(x->op->name, "cast") == 0))
        return false;
    for (int k = 0; k < g->count; k++)
        if (&g->items[k] != x && x->node && g->items[k].node == x->node) return false;
    return true;
}

/* Checks the gradients of the loss by up to seven items, as outputs of a plan that does not
   train. */
static bool check_first(graph *g, nn_context *nn, nn_device device) {
    nn_model *net = model_of(g, nn, device);
    nn_node *loss = graph_describe(g, net, false), *x[GRAPH_ITEMS], *dx[GRAPH_ITEMS];
    int items[GRAPH_ITEMS], count = 0;
    for (int k = 0; k < g->count; k++)
        if (takes(g, &g->items[k])) {
            x[count] = node_of(net, &g->items[k]);
            items[count++] = k;
        }
    const nn_nodes all = {x, count};
    nn_gradients(net, loss, all, dx, &(nn_gradient_desc){.allow_unused = true});
    for (int k = 0; k < count; k++) nn_keep(dx[k]);
    nn_node *outputs[8] = {loss};
    for (int k = 0; k < count && k < 7; k++) outputs[k + 1] = dx[k];
    const nn_nodes wanted = {outputs, 1 + (count < 7 ? count : 7)};
    const nn_plan_desc desc = {.outputs = wanted, .batch = GRAPH_BATCH, .time = GRAPH_TIME};
    nn_plan *plan = nn_make_plan(net, &desc);
    bool fine = plan && feed(g, net, plan) && nn_run(plan) == NN_OK;
    const double value = loss_now(g);
    for (int c = 0; fine && c < count && c < 7; c++) {
        const int k = items[c], n = graph_elements(g, g->items[k].shape);
        fine = nn_download(plan, dx[c], staging, (size_t)n * 4) == NN_OK;
        for (int tries = 0; fine && tries < 3; tries++) {
            const int i = (int)(((uint64_t)tries * 2654435761u + g->seed) % (uint64_t)n);
            double slope;
            if (!slope_of(g, k, i, &slope)) {
                first_kinks++;
                continue;
            }
            firsts++;
            fine = near(g, "the gradient", k, i, (double)staging[i], slope,
                        1e-3 * fabs(slope) + 1e-4 * (1 + fabs(value)));
        }
    }
    nn_free_model(net);
    return fine;
}

/* Returns a leaf that may have a gradient; -1: none was drawn. */
static int leaf(graph *g, uint64_t word) {
    for (int tries = 0; tries < g->count; tries++) {
        const int k = (int)((word + (uint64_t)tries) % (uint64_t)g->count);
        const graph_item *x = &g->items[k];
        if ((x->kind == GRAPH_INPUT || x->kind == GRAPH_PARAMETER) && !x->bytes && !x->frozen)
            return k;
    }
    return -1;
}

/* Reads the gradient of `loss` by item z into staging: by a trainer, or by nn_gradient. */
static bool second_by(graph *g, nn_model *net, nn_node *loss, int z, bool trained) {
    const size_t bytes = (size_t)graph_elements(g, g->items[z].shape) * 4;
    if (!trained) {
        nn_node *dz = nn_gradient(net, loss, node_of(net, &g->items[z]),
                                  &(nn_gradient_desc){.allow_unused = true});
        nn_plan *plan = nn_make_plan(
            net,
            &(nn_plan_desc){.outputs = NN_NODES(dz), .batch = GRAPH_BATCH, .time = GRAPH_TIME});
        return plan && feed(g, net, plan) && nn_run(plan) == NN_OK &&
               nn_download(plan, dz, staging, bytes) == NN_OK;
    }
    nn_trainer *trainer = nn_make_trainer(net, loss,
                                          &(nn_trainer_desc){.batch = GRAPH_BATCH,
                                                             .time = GRAPH_TIME,
                                                             .learning_rate = 1,
                                                             .gradients = true,
                                                             .poison = true});
    if (!trainer || !feed(g, net, nn_trainer_plan(trainer)) || nn_backward(trainer) != NN_OK)
        return false;
    if (nn_read_gradient(trainer, g->items[z].name, staging, bytes) == NN_OK) return true;
    if (!strstr(nn_error(net->nn), "is no parameter that this trainer trains")) return false;
    nn_clear_error(net->nn);
    memset(staging, 0, bytes);
    return true;
}

/* True if the error is one that a second gradient may cause; it is then cleared. */
static bool said(nn_context *nn) {
    static const char *const texts[] = {"is not differentiable again",
                                        "no parameter that is trained leads to this loss"};
    for (int i = 0; nn_error(nn) && i < 2; i++) {
        if (!strstr(nn_error(nn), texts[i])) continue;
        refused += i == 0;
        unused += i == 1;
        nn_clear_error(nn);
        return true;
    }
    return false;
}

/* Rules of ops/again.c, and in how many compared nets a first gradient has such a node. */
static const char *const rules[] = {"product",
                                    "matmul_product",
                                    "mean_scale",
                                    "conv2d_backward_input",
                                    "softmax_backward",
                                    "conv_transpose_input",
                                    "pool2d_backward",
                                    "pool_backward",
                                    "cross_entropy_backward",
                                    "norm_backward",
                                    "arrange_backward",
                                    "slices_backward",
                                    "gather_backward",
                                    "scatter_backward",
                                    "scatter_source",
                                    "index_backward",
                                    "unfold_backward",
                                    "fold_backward",
                                    "resize_backward",
                                    "above_backward",
                                    "conv2d_backward_weight",
                                    "conv_transpose_weight"};
enum { RULES = sizeof rules / sizeof rules[0] };
static int rule_nets[RULES];

static void count_rules(const nn_model *net, int first, int last) {
    for (int r = 0; r < RULES; r++) {
        const nn_node *node = net->graph.first;
        while (node && !(node->order >= first && node->order < last && node->rule &&
                         strcmp(node->rule->name, rules[r]) == 0))
            node = node->next;
        rule_nets[r] += node != NULL;
    }
}

/* Checks ds/dz of s = sum(g^2), with the gradient g of the loss by leaf x and any leaf z. */
static bool check_second(graph *g, nn_context *nn, nn_device device, uint64_t word) {
    static double slopes[GRAPH_BATCH * GRAPH_ELEMENTS];
    const int x = leaf(g, word), z = leaf(g, word / 7);
    if (x < 0) return true;
    const int n = graph_elements(g, g->items[x].shape), nz = graph_elements(g, g->items[z].shape);
    double most = 0, square = 0;
    loss_now(g);
    for (int i = 0; i < n; i++) {
        if (!slope_of(g, x, i, &slopes[i])) return true;
        most = fmax(most, fabs(slopes[i]));
        square += slopes[i] * slopes[i];
    }
    if (most < 1e-3) return true;
    nn_model *net = model_of(g, nn, device);
    nn_node *loss = graph_describe(g, net, false);
    const int before = net->order;
    nn_node *dx = nn_gradient(net, loss, node_of(net, &g->items[x]), NULL);
    nn_node *s = nn_sum(net, nn_square(net, dx), NN_ALL_AXES);
    const int behind = net->order;
    bool fine = true;
    if (!second_by(g, net, s, z, word % 2 && g->items[z].kind == GRAPH_PARAMETER)) {
        fine = said(nn);
        nn_free_model(net);
        return fine;
    }
    count_rules(net, before, behind);
    for (int tries = 0; fine && tries < 3; tries++) {
        const int i = (int)(((uint64_t)tries * 2654435761u + g->seed) % (uint64_t)nz);
        const double thin = 2 * mixed(g, x, slopes, z, i, 1e-4, 1 / most),
                     wide = 2 * mixed(g, x, slopes, z, i, 4e-4, 1 / most);
        if (!(fabs(thin - wide) <= 1e-3 * (1 + fabs(thin)))) {
            second_kinks++;
            continue;
        }
        seconds++;
        fine = near(g, "the second gradient", z, i, (double)staging[i], thin,
                    5e-3 * fabs(thin) + 1e-3 * (1 + square));
    }
    nn_free_model(net);
    return fine;
}

static void check_net(nn_context *nn, nn_device device, uint64_t seed) {
    static graph g;
    if (!graph_make(&g, seed, 3 + (int)(seed % 10))) {
        graph_free(&g);
        return;
    }
    nets++;
    graph_evaluate(&g, GRAPH_BATCH, GRAPH_TIME);
    bool fine = true;
    for (int i = 0; i < g.count; i++)
        if (g.items[i].bytes) g.doubtful = true; /* 8-bit weights are not set here */
    if (graph_all_sane(&g) && !g.doubtful) {
        fine = check_first(&g, nn, device);
        for (uint64_t turn = 0; fine && g.storage == NN_F32 && turn < 3; turn++)
            fine = check_second(&g, nn, device, seed * 31 + turn * 101);
    }
    if (nn_error(nn)) {
        test_fail(__FILE__, __LINE__, "net %llu: %s", (unsigned long long)seed, nn_error(nn));
        nn_clear_error(nn);
        fine = false;
    }
    if (!fine && wrong++ < 5)
        print_net(&g);
    else if (!fine)
        printf("  net %llu\n", (unsigned long long)seed);
    graph_free(&g);
}

static void check_range(nn_context *nn, nn_device device, uint64_t first, int count) {
    if (one_seed) {
        check_net(nn, device, one_seed);
        return;
    }
    if (getenv("NN_FULL")) count *= 50;
    for (int i = 0; i < count && wrong < 20; i++) check_net(nn, device, first + (uint64_t)i);
}

static void test_gradients_default(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 2});
    check_range(nn, nn_cpu(), 50000, 700);
    nn_close(nn);
}

/* Tests nets with operations that are rarely drawn. */
static void test_rare_operations(void) {
    enum { RARE = 40 }; /* nets of each */
    static const char *const names[] = {"fold", "unfold", "max_pool2d", "conv_transpose2d"};
    static graph g;
    int found[4] = {0};
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    for (uint64_t seed = 70000; seed < 90000 && !one_seed; seed++) {
        bool has = false;
        graph_make(&g, seed, 3 + (int)(seed % 10));
        for (int i = 0; i < g.count; i++)
            for (int k = 0; k < 4; k++)
                if (g.items[i].op && strcmp(g.items[i].op->name, names[k]) == 0 && found[k] < RARE)
                    has = true, found[k]++;
        graph_free(&g);
        if (has && wrong < 20) check_net(nn, nn_cpu(), seed);
    }
    nn_close(nn);
    if (one_seed) SKIP("one net");
    for (int k = 0; k < 4; k++) ENSURE(found[k] == RARE);
}

static void test_gradients_simulated(void) {
    nn_context *nn = nn_open(NULL);
    sim_desc desc;
    nn_device device;
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = desc.poison_on_release = true;
    sim_device *sim = sim_open(nn, &desc, &device);
    check_range(nn, device, 60000, 60);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void test_most_were_compared(void) {
    if (one_seed || !nets) SKIP("only after the others");
    printf("%d nets; first gradients: %d compared, %d at kinks; second: %d compared, %d at kinks, "
           "%d refused, %d without a path\n",
           nets, firsts, first_kinks, seconds, second_kinks, refused, unused);
    for (int r = 0; r < RULES; r++)
        printf("%s %d%s", rules[r], rule_nets[r], r + 1 < RULES ? ", " : "\n");
    ENSURE(firsts > 10 * first_kinks);
    for (int r = 0; r < RULES; r++)
        if (test_wrong(rule_nets[r] < 1)) test_fail(__FILE__, __LINE__, "no net has %s", rules[r]);
    ENSURE(seconds > 500 && seconds > 4 * second_kinks && seconds > refused);
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--seed") == 0) {
        one_seed = strtoull(argv[2], NULL, 10);
        argc = 1;
    }
    test_start(argc, argv);
    RUN(test_gradients_default);
    RUN(test_rare_operations);
    RUN(test_gradients_simulated);
    RUN(test_most_were_compared);
    return test_report();
}
