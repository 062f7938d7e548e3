/* test_inspect.c: nn_next_node, nn_describe_node and nn_node_call say enough to compute a net
   without a plan. Random nets (random_graph.h) are computed here node by node, by the kernels and
   arguments that nn_node_call gives, and every value must have the bytes of a plan's. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "random_graph.h"
#include "test.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

/* ---- nets without a plan --------------------------------------------------------------------- */

enum { MOST_NODES = 1200 };

typedef struct reader {
    nn_context *nn;
    const nn_backend *cpu;
    void *state;
    int batch, time;
    const nn_node *nodes[MOST_NODES];
    void *values[MOST_NODES]; /* of each node, at batch and time; an alias has its input's */
    size_t owned[MOST_NODES]; /* bytes to give back */
    int count;
    void *scratch;
    size_t scratch_bytes;
    nn_result result;
} reader;

static int place_of(const reader *r, const nn_node *node) {
    for (int i = 0; i < r->count; i++)
        if (r->nodes[i] == node) return i;
    return -1;
}

static size_t bytes_of(const reader *r, const nn_node *node) {
    size_t bytes = nn_dtype_size(nn_node_dtype(node));
    const nn_shape shape = nn_node_shape(node);
    for (int i = 0; i < shape.rank; i++)
        bytes *= (size_t)nn__resolve_extent(shape.extent[i], r->batch, r->time);
    return bytes;
}

/* Replaces the node in a view by memory. */
static void give_memory(reader *r, const nn_view *view) {
    nn_view *to = (nn_view *)view;
    if (!view->dtype) return;
    const int place = place_of(r, (const nn_node *)view->handle);
    to->handle = place < 0 ? NULL : r->values[place];
    if (!to->handle) test_fail(__FILE__, __LINE__, "a view is of no node before this one");
}

static void give_scratch(reader *r, nn_kernel kernel, const void *args, const nn_view *view) {
    nn_view *to = (nn_view *)view;
    const uint64_t bytes = r->cpu->scratch_bytes(r->state, kernel, args);
    if (!bytes) return;
    nn_give_memory(r->nn, r->scratch, r->scratch_bytes);
    r->scratch_bytes = (size_t)bytes;
    r->scratch = nn_take_memory(r->nn, r->scratch_bytes);
    to->handle = r->scratch;
    to->dtype = NN_U8;
    to->shape = NN_SHAPE((int32_t)bytes);
}

#define GIVE_IN(view)      give_memory(r, view);
#define GIVE_OUT(view)     give_memory(r, view);
#define GIVE_SUM(view)     give_memory(r, view);
#define GIVE_KEPT(view)    give_memory(r, view);
#define GIVE_CHANGED(view) give_memory(r, view);
#define GIVE_SCRATCH(view) give_scratch(r, kernel, args, view);
#define VIEW(role, field, many)                                                                       \
    for (int i = 0; i < (int)(many); i++) { GIVE_##role(&(&a->field)[i]) }
#define ITEM(role, items, items_count, field, many)                                                   \
    for (int k = 0; k < (int)a->items_count; k++)                                                  \
        for (int i = 0; i < (int)(many); i++) { GIVE_##role(&(&a->items[k].field)[i]) }
#define X(number, upper, lower, type, family)                                                      \
    case NN_KERNEL_##upper: {                                                                      \
        type *a = (type *)args;                                                                    \
        (void)a;                                                                                   \
        NN_##upper##_VIEWS(VIEW, ITEM) break;                                                            \
    }
static void run_call(void *user, nn_kernel kernel, const void *args) {
    reader *r = (reader *)user;
    nn_range all = {0, -1};
    switch (kernel) {
        NN_KERNELS(X)
    default: break;
    }
    r->result = nn_run_kernel(r->nn, nn_cpu(), kernel, args, all);
}
#undef X
#undef ITEM
#undef VIEW

/* Makes memory for a node (*owned: its bytes), or finds the memory that it shares. */
static void *memory_of(reader *r, const nn_node *node, const nn_node_description *d,
                       size_t *owned) {
    if (d->alias) return r->values[place_of(r, d->inputs[0])];
    if (d->tensor) return (void *)nn_tensor_const_data(d->tensor);
    *owned = bytes_of(r, node);
    return memset(nn_take_memory(r->nn, *owned), 0x7e, *owned);
}

/* Computes all nodes of a net. inputs: fills the memory of an input. */
static bool compute(reader *r, const nn_model *net,
                    void (*input)(void *user, const nn_node *node, void *to), void *user) {
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node)) {
        const nn_node_description d = nn_describe_node(node);
        if (d.kind == NN_NODE_NONE || d.kind == NN_NODE_OUTPUT) continue;
        for (int k = 0; k < (d.kind == NN_NODE_OPERATION ? d.output_count : 1); k++) {
            if (r->count == MOST_NODES) return false;
            r->nodes[r->count] = d.kind == NN_NODE_OPERATION ? nn__output(node, k) : node;
            r->values[r->count] =
                memory_of(r, r->nodes[r->count], &d, &r->owned[r->count]);
            r->count++;
        }
        if (d.kind == NN_NODE_INPUT) input(user, node, r->values[r->count - 1]);
        if (d.kind != NN_NODE_OPERATION || d.alias || d.effect) continue;
        if (nn_node_call(node, r->batch, r->time, run_call, r) != NN_OK || r->result != NN_OK)
            return false;
    }
    return true;
}

static void forget(reader *r) {
    for (int i = 0; i < r->count; i++)
        if (r->owned[i]) nn_give_memory(r->nn, r->values[i], r->owned[i]);
    nn_give_memory(r->nn, r->scratch, r->scratch_bytes);
}

/* ---- random nets ----------------------------------------------------------------------------- */

static void fill_input(void *user, const nn_node *node, void *to) {
    graph *g = (graph *)user;
    for (int i = 0; i < g->count; i++) {
        const graph_item *y = &g->items[i];
        if (y->node != node) continue;
        const int n = graph_elements(g, y->shape);
        for (int k = 0; k < n; k++) {
            if (y->kind == GRAPH_LABEL) ((int32_t *)to)[k] = (int32_t)y->v[k];
            else ((float *)to)[k] = (float)y->v[k];
        }
    }
}

/* Uploads what fill_input gives. */
static bool upload_inputs(graph *g, nn_plan *plan) {
    static float staging[GRAPH_BATCH * GRAPH_ELEMENTS];
    for (int i = 0; i < g->count; i++) {
        const graph_item *y = &g->items[i];
        if ((y->kind != GRAPH_INPUT && y->kind != GRAPH_LABEL) ||
            !nn_plan_view(plan, y->node).dtype)
            continue;
        fill_input(g, y->node, staging);
        if (nn_upload(plan, y->node, staging, sizeof(float) * (size_t)graph_elements(g, y->shape)))
            return false;
    }
    return true;
}

static bool same_values(graph *g, nn_plan *plan, const reader *r) {
    static unsigned char staging[GRAPH_BATCH * GRAPH_ELEMENTS * 8];
    for (int i = 0; i < g->count; i++) {
        const graph_item *y = &g->items[i];
        if (y->kind != GRAPH_OPERATION || !nn_plan_view(plan, y->node).dtype) continue;
        const size_t bytes = bytes_of(r, y->node);
        if (test_wrong(nn_download(plan, y->node, staging, bytes) != NN_OK ||
                       memcmp(staging, r->values[place_of(r, y->node)], bytes) != 0)) {
            test_fail(__FILE__, __LINE__, "net %d: %s \"%s\" has other bytes", (int)g->seed,
                      y->op->name, y->name);
            return false;
        }
    }
    return true;
}

static bool check_net(nn_context *nn, graph *g) {
    nn_plan_desc desc;
    reader *r = (reader *)calloc(1, sizeof *r);
    ZERO(desc);
    nn_model *net = nn_make_model(nn, NULL);
    NODE_AT(desc.outputs, 0) = graph_describe(g, net, true);
    desc.batch = r->batch = GRAPH_BATCH;
    desc.time = r->time = GRAPH_TIME;
    desc.separate_steps = desc.plain_weights = true;
    nn_plan *plan = nn_make_plan(net, &desc);
    r->nn = nn;
    r->cpu = nn_device_backend(nn, nn_cpu(), &r->state);
    const bool fine = plan && upload_inputs(g, plan) && nn_run(plan) == NN_OK &&
                      compute(r, net, fill_input, g) && same_values(g, plan, r);
    if (!fine && !test_this_failed)
        test_fail(__FILE__, __LINE__, "net %d: %s", (int)g->seed, nn_error(nn));
    forget(r);
    free(r);
    nn_free_model(net);
    nn_clear_error(nn);
    return fine;
}

static void random_nets_node_by_node(void) {
    static graph g;
    nn_desc desc;
    int checked = 0;
    ZERO(desc);
    desc.threads = 1;
    nn_context *nn = nn_open(&desc);
    for (uint64_t seed = 0; checked < 300; seed++) {
        if (seed % 6 == 1 || seed % 6 == 4) continue; /* nets of f16 and bf16 */
        if (graph_make(&g, seed, 12)) checked += check_net(nn, &g) ? 1 : 1000;
        graph_free(&g);
    }
    ENSURE(checked == 300);
    nn_close(nn);
}

/* ---- descriptions ---------------------------------------------------------------------------- */

static void what_nodes_say(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_linear_desc ten;
    nn_pool2d_desc two;
    ZERO(ten);
    ZERO(two);
    two.kernel = 2;
    ten.out_features = 10;
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 4));
    nn_node *flat = nn_flatten(net, x);
    nn_node *y = nn_linear(net, "fc", flat, &ten);
    nn_freeze(net, "fc.bias", true);
    static const char *const names[] = {"x", "flatten", "fc.weight", "fc.bias", "fc"};
    static const nn_node_kind kinds[] = {NN_NODE_INPUT, NN_NODE_OPERATION, NN_NODE_PARAMETER,
                                         NN_NODE_PARAMETER, NN_NODE_OPERATION};
    int i = 0;
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node), i++) {
        ENSURE(i < 5);
        const nn_node_description d = nn_describe_node(node);
        ENSURE_TEXT(nn_node_name(node), names[i]);
        ENSURE(d.kind == kinds[i] && d.frozen == (i == 3) && d.alias == (i == 1));
        ENSURE(!d.tensor);
    }
    ENSURE(i == 5);
    const nn_node_description d = nn_describe_node(y);
    ENSURE_TEXT(d.operation, "linear");
    ENSURE(d.input_count == 3 && d.inputs[0] == flat && d.kernel == NN_KERNEL_GEMM);
    ENSURE(d.owner == y && d.output_count == 1 && !d.effect && !d.remembers);
    nn_tensor *weight = nn_find_tensor(net, "fc.weight");
    ENSURE(weight && nn_describe_node(d.inputs[1]).tensor == weight);
    nn_node *maxima = nn_max_pool2d(net, nn_reshape(net, x, NN_SHAPE(NN_BATCH, 1, 2, 4)), &two),
            *index = nn_output(maxima, 1);
    const nn_node_description first = nn_describe_node(maxima), second = nn_describe_node(index);
    ENSURE(first.output_count == 2 && first.output == 0 && second.output == 1);
    ENSURE(second.kind == NN_NODE_OUTPUT && second.owner == maxima);
    nn_close(nn);
}

static void never(void *user, nn_kernel kernel, const void *args) {
    (void)kernel, (void)args;
    *(int *)user = 1;
}

static void mistakes_are_named(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    int called = 0;
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_node *y = nn_softmax(net, x), *flat = nn_reshape(net, y, NN_SHAPE(NN_BATCH, 2, 2));
    ENSURE(nn_node_call(NULL, 1, 1, never, &called) == NN_ERROR_ARGUMENT);
    ENSURE(nn_node_call(y, 1, 1, NULL, &called) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "each is NULL"));
    nn_clear_error(nn);
    ENSURE(nn_node_call(x, 1, 1, never, &called) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "\"x\" (input) has no kernel"));
    nn_clear_error(nn);
    ENSURE(nn_node_call(flat, 1, 1, never, &called) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "\"reshape\" (reshape) has no kernel"));
    nn_clear_error(nn);
    ENSURE(nn_node_call(y, -1, 1, never, &called) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "the batch is -1"));
    ENSURE(called == 0);
    nn_clear_error(nn);
    ENSURE(nn_node_call(y, 0, 0, never, &called) == NN_OK && called == 1);
    nn_node *bad = nn_reshape(net, y, NN_SHAPE(3));
    ENSURE(nn_describe_node(bad).kind == NN_NODE_NONE && nn_describe_node(NULL).kind == 0);
    ENSURE(nn_next_node(net, bad) == NULL && nn_next_node(NULL, NULL) == NULL);
    ENSURE(nn_node_call(bad, 1, 1, never, &called) == NN_ERROR_ARGUMENT);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(what_nodes_say);
    RUN(mistakes_are_named);
    RUN(random_nets_node_by_node);
    return test_report();
}
