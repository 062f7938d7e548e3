/* test_copy_model.c: nn_copy_model. Copies random nets (random_graph.h) and one net with everything
   else that a graph can contain. A copy on the same kind of device trains like its original, to the
   byte, even after the original was freed and its memory overwritten. Descriptions are compared
   field by field, and no field of the copy points into the original. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "halves.h"
#include "inside.h"
#include "open.h"
#include "random_graph.h"
#include "sim_device.h"
#include "test.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

/* ---- a context whose freed memory is overwritten --------------------------------------------- */

static void *take(void *user, size_t bytes, size_t alignment) {
    char *block = (char *)malloc(bytes + alignment + sizeof(void *));
    (void)user;
    if (!block) return NULL;
    const uintptr_t at = (uintptr_t)block + sizeof(void *) + alignment - 1;
    void **memory = (void **)(at - at % alignment);
    memory[-1] = block;
    return memory;
}
static void give(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)user, (void)alignment;
    if (!memory) return;
    memset(memory, 0xDB, bytes);
    free(((void **)memory)[-1]);
}
static nn_context *open_context(void) {
    nn_desc desc;
    ZERO(desc);
    desc.allocator.allocate = take;
    desc.allocator.release = give;
    desc.threads = 1;
    return nn_open(&desc);
}

/* ---- descriptions ---------------------------------------------------------------------------- */

static int place_of(const nn_node *node) {
    int k = 0;
    const nn_node *one = node ? node->graph->first : NULL;
    while (one && one != node) one = one->next, k++;
    return node ? k : -1;
}
static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}
/* True if memory of `bytes` holds a pointer to a node of the graph or into its arena. */
static bool points_into(const nn__graph *of, const void *memory, size_t bytes) {
    for (size_t i = 0; i + sizeof(void *) <= bytes; i += sizeof(void *)) {
        uintptr_t word;
        memcpy(&word, (const char *)memory + i, sizeof word);
        for (const nn__arena_chunk *chunk = of->arena.chunk; chunk; chunk = chunk->next)
            if (word - (uintptr_t)chunk->start < chunk->bytes) return true;
    }
    return false;
}
static bool same_node(const nn_node *a, const nn_node *b, bool moved) {
    /* A site points to no arena, but after its line are 4 bytes that nothing sets: line and bytes
       together can look like an address, and with AddressSanitizer's addresses they do. */
    nn_node without_site = *b;
    ZERO(without_site.site);
    bool fine = a->site.file == b->site.file && a->site.line == b->site.line &&
                a->kind == b->kind && a->rule == b->rule && same_text(a->name, b->name) &&
                a->name != b->name && nn__equal_shapes(&a->shape, &b->shape) &&
                a->dtype == b->dtype && a->input_count == b->input_count && a->keep == b->keep &&
                a->frozen == b->frozen && a->detached == b->detached && a->moves == b->moves &&
                a->order == b->order && place_of(a->owner) == place_of(b->owner) &&
                place_of(a->more) == place_of(b->more) && !a->scope == !b->scope &&
                memcmp(&a->start, &b->start, sizeof a->start) == 0 &&
                same_text(a->operation, b->operation);
    for (int i = 0; fine && i < a->input_count; i++)
        fine = place_of(a->inputs[i]) == place_of(b->inputs[i]) &&
               same_text(nn__role(a, i), nn__role(b, i));
    fine = fine && (moved || nn_same_device(a->device, b->device));
    if (a->scope && (a->scope == b->scope || a->scope->ended != b->scope->ended)) fine = false;
    return fine && !points_into(a->graph, &without_site, sizeof without_site) &&
           !points_into(a->graph, b->params, b->params ? b->params_bytes : 0) &&
           !points_into(a->graph, b->inputs, sizeof(nn_node *) * (size_t)b->input_count);
}
static bool same_description(nn_model *net, nn_model *copy, bool moved) {
    const nn_node *a = net->graph.first, *b = copy->graph.first;
    for (; a && b; a = a->next, b = b->next) {
        if (same_node(a, b, moved) && nn_copied_node(copy, a) == b) continue;
        printf("  \"%s\" (%s) differs\n", a->name, a->operation);
        return false;
    }
    const nn__result *r = net->results, *s = copy->results;
    for (; r && s; r = r->next, s = s->next)
        if (place_of(r->node) != place_of(s->node) || place_of(r->result) != place_of(s->result) ||
            r->k != s->k || s->node->graph != &copy->graph)
            return false;
    return !a && !b && !r && !s && net->seed == copy->seed && net->streams == copy->streams &&
           net->dtype == copy->dtype && nn_parameter_count(net) == nn_parameter_count(copy);
}

/* ---- training runs --------------------------------------------------------------------------- */

enum { BYTES = 1 << 18 };

/* Concatenates all tensors of the model that can be read. */
static size_t read_model(nn_model *net, char *to) {
    size_t at = 0;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        const size_t bytes = (size_t)nn_tensor_bytes(tensor);
        if (at + bytes > BYTES || nn_download_tensor(tensor, to + at, bytes) != NN_OK) return 0;
        at += bytes;
    }
    return at;
}

/* Gives the plan numbers that depend only on the input's name and on i. */
static bool feed(nn_model *net, nn_plan *plan, int32_t batch, int32_t time, uint64_t i) {
    static float numbers[GRAPH_BATCH * GRAPH_ELEMENTS];
    static int32_t labels[GRAPH_BATCH * GRAPH_ELEMENTS];
    static uint16_t patterns[GRAPH_BATCH * GRAPH_ELEMENTS];
    for (nn_node *x = net->graph.first; x; x = x->next) {
        uint32_t words[4], stream = 7;
        if (x->kind != NN__INPUT || !nn_plan_view(plan, x).dtype) continue;
        for (const char *c = x->name; *c; c++) stream = stream * 31 + (unsigned char)*c;
        nn_shape shape = x->shape;
        nn__resolve_shape(&shape, &x->shape, batch, time);
        const int n = (int)nn_shape_count(shape);
        for (int k = 0; k < n; k++) {
            nn_random_words(i + 1, stream, (uint64_t)k, words);
            labels[k] = (int32_t)(words[0] % 2);
            numbers[k] = nn_word_to_uniform(words[1]) * 2 - 1;
            if (nn__is_half(x->dtype)) patterns[k] = (uint16_t)pattern_of(x->dtype, numbers[k]);
        }
        const void *data = x->dtype == NN_I32       ? (const void *)labels
                           : nn__is_half(x->dtype) ? (const void *)patterns
                                                   : (const void *)numbers;
        if (nn_upload(plan, x, data, (size_t)n * nn_dtype_size(x->dtype)) != NN_OK) return false;
    }
    return nn_set_time(plan, time) == NN_OK;
}

typedef struct training {
    float losses[4];
    size_t bytes;
    char weights[BYTES];
} training;

/* Trains a few steps from the model's current state. */
static bool train(nn_model *net, nn_node *loss, nn_optimizer optimizer, training *t) {
    nn_trainer_desc desc;
    ZERO(desc);
    desc.batch = GRAPH_BATCH;
    desc.time = GRAPH_TIME;
    desc.optimizer = optimizer;
    desc.learning_rate = 1e-3f;
    memset(t, 0, sizeof *t);
    nn_trainer *trainer = nn_make_trainer(net, loss, &desc);
    for (int i = 0; trainer && i < 4; i++)
        if (!feed(net, nn_trainer_plan(trainer), GRAPH_BATCH - i % 2, GRAPH_TIME, (uint64_t)i) ||
            nn_train_on_inputs(trainer) != NN_OK || nn_read_loss(trainer, &t->losses[i]) != NN_OK) {
            /* a net whose numbers explode, or run out of an index's range, does so in both */
            t->losses[i] = -1.0f - (float)i;
            if (!nn_error(net->nn) || !strstr(nn_error(net->nn), "nothing has been updated since"))
                return false;
            nn_clear_error(net->nn);
            break;
        }
    t->bytes = trainer ? read_model(net, t->weights) : 0;
    nn_free_trainer(trainer);
    return t->bytes > 0;
}

static bool same_training(const training *a, const training *b) {
    return a->bytes == b->bytes && memcmp(a->losses, b->losses, sizeof a->losses) == 0 &&
           memcmp(a->weights, b->weights, a->bytes) == 0;
}

/* The original trains, a copy made before does the same; then the original is freed, and a copy of
   the copy does it once more. */
static bool check(nn_context *nn, nn_model *net, nn_node *loss, nn_device device,
                  nn_optimizer optimizer) {
    static training first, second, third;
    nn_copy_desc desc;
    ZERO(desc);
    desc.device = device;
    const bool moved = !nn_same_device(device, net->device);
    nn_model *copy = nn_copy_model(net, &desc);
    if (!copy || !same_description(net, copy, moved)) return false;
    nn_node *its_loss = nn_copied_node(copy, loss);
    nn_model *again = nn_copy_model(copy, (const nn_copy_desc *)NULL);
    if (!again || !same_description(copy, again, false)) return false;
    nn_node *last = nn_copied_node(again, its_loss);
    if (!train(net, loss, optimizer, &first)) return false;
    nn_free_model(net);
    if (!train(copy, its_loss, optimizer, &second)) return false;
    nn_free_model(copy);
    if (!train(again, last, optimizer, &third)) return false;
    nn_free_model(again);
    if (!same_training(&first, &second)) printf("  the copy trained otherwise\n");
    if (!same_training(&second, &third)) printf("  the copy's copy trained otherwise\n");
    return same_training(&first, &second) && same_training(&second, &third) && !nn_error(nn);
}

/* ---- random nets ----------------------------------------------------------------------------- */

static void random_nets(nn_context *nn, nn_device device, uint64_t first, int count) {
    static graph g;
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        nn_model_desc desc;
        if (graph_make(&g, seed, 3 + (int)(seed % 14))) {
            ZERO(desc);
            desc.dtype = g.storage;
            desc.seed = seed;
            nn_model *net = nn_make_model(nn, &desc);
            nn_node *loss = graph_describe(&g, net, seed % 2 == 0);
            if (test_wrong(!check(nn, net, loss, device, seed % 3 ? NN_ADAM : NN_SGD)))
                test_fail(__FILE__, __LINE__, "net %llu: %s", (unsigned long long)seed,
                          nn_error(nn) ? nn_error(nn) : "");
            nn_clear_error(nn);
        }
        graph_free(&g);
    }
}

static void copies_of_random_nets_train_alike(void) {
    nn_context *nn = open_context();
    random_nets(nn, nn_cpu(), 1, getenv("NN_FULL") ? 4000 : 150);
    nn_close(nn);
}

/* The simulated device computes as the CPU does. */
static void copies_on_a_simulated_device_train_alike(void) {
    nn_context *nn = open_context();
    sim_desc desc;
    nn_device device;
    ZERO(desc);
    desc.asynchronous = desc.poison_on_release = true;
    sim_device *sim = sim_open(nn, &desc, &device);
    random_nets(nn, device, 5000, getenv("NN_FULL") ? 400 : 25);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* ---- what random nets do not have ------------------------------------------------------------ */

static nn_result cube(void *user, const nn_custom_args *args) {
    const float *x = (const float *)args->input[0].handle + args->input[0].offset / 4;
    float *y = (float *)args->output.handle + args->output.offset / 4;
    for (int64_t i = 0; i < nn__count(&args->output); i++)
        y[i] = x[i] * x[i] * x[i] * *(float *)user;
    return NN_OK;
}
static nn_result cube_gradient(void *user, const nn_custom_args *args) { /* dy, y, x */
    const float *dy = (const float *)args->input[0].handle + args->input[0].offset / 4,
                *x = (const float *)args->input[2].handle + args->input[2].offset / 4;
    float *dx = (float *)args->output.handle + args->output.offset / 4;
    for (int64_t i = 0; i < nn__count(&args->output); i++)
        dx[i] = dy[i] * 3 * x[i] * x[i] * *(float *)user;
    return NN_OK;
}
static float factor = 0.5f;

/* custom: false on a device that cannot call functions of the host. back: the loss reads a value
   computed on the host, and stays there when the model moves. */
static nn_node *describe(nn_context *nn, nn_model *net, nn_tensor *own, nn_tensor *borrowed,
                         bool custom, bool back) {
    nn_linear_desc shared;
    nn_batch_norm_desc norm;
    nn_custom_desc mine;
    nn_pool2d_desc pool;
    char source[] = "kernel text", entry[] = "entry";
    ZERO(shared), ZERO(norm), ZERO(mine), ZERO(pool);
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 2, 4, 4));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = nn_batch_norm2d(net, "bn", image, &norm);
    pool.kernel = 2;
    x = nn_flatten(net, nn_max_pool2d(net, x, &pool));
    x = nn_dropout(net, x, 0.25f);
    shared.out_features = 8;
    shared.shared = true;
    x = nn_relu(net, nn_linear(net, "fc", x, &shared));
    x = nn_keep(nn_linear(net, "fc", x, &shared));
    if (custom) {
        NODE_AT(mine.inputs, 0) = x;
        mine.shape = nn_node_shape(x);
        mine.function = cube;
        FUNCTION_AT(mine.gradients, 0) = cube_gradient;
        mine.user = &factor;
        mine.source = source;
        mine.entry = TEXT_AT(mine.gradient_entries, 0) = entry;
        x = nn_custom(net, "cube", &mine);
    }
    x = nn_multiply(net, x, nn_constant(net, "scale", own));
    if (borrowed) x = nn_add(net, x, nn_borrow(net, borrowed));
    nn_node *seen = nn_buffer(net, "seen", NN_F32, NN_SHAPE(8), 0.25);
    nn_node *steps = nn_buffer(net, "steps", NN_I32, NN_SHAPE(1, 1), 3);
    nn_assign(net, seen, nn_reduce(net, NN_MEAN, x, NN_AXES(0), false));
    nn_assign(net, steps, nn_cast(net, nn_reduce(net, NN_MAX, x, NN_ALL_AXES, true), NN_I32));
    x = nn_add(net, x, nn_detach(net, seen));
    nn_node *a = nn_parameter(net, "a", NN_SHAPE(8), 0, 0),
            *s = nn_tanh(net, nn_parameter(net, "s", NN_SHAPE(8), -1, 1));
    x = nn_expression(net, "clamp(x * s + a, -2, 3)", x, a, s);
    nn_device_begin(net, nn_cpu());
    nn_node *there = nn_same_device(net->device, nn_cpu()) ? x : nn_transfer(net, x, nn_cpu());
    there = nn_sigmoid(net, nn_multiply(net, there, nn_parameter(net, "host", NN_SHAPE(8), 1, 2)));
    nn_assign(net, nn_buffer(net, "host_seen", NN_F32, NN_SHAPE(8), 0),
              nn_reduce(net, NN_MEAN, there, NN_AXES(0), false));
    nn_device_end(net);
    if (back) x = nn_transfer(net, there, net->device);
    nn_freeze(net, "fc.bias", true);
    (void)nn;
    return nn_cross_entropy(net, x, label, (const nn_cross_entropy_desc *)NULL);
}

static void everything(nn_device home, nn_device device, nn_context *nn) {
    const float given[8] = {1, 2, 0.5f, 1, -1, 1, 3, 0.25f};
    nn_model_desc desc;
    ZERO(desc);
    desc.device = home;
    desc.seed = 11;
    desc.name = "everything";
    nn_tensor *own = nn_wrap(nn, "own", NN_F32, NN_SHAPE(8), (void *)(uintptr_t)given);
    nn_tensor *borrowed =
        nn_wrap(nn, "borrowed", NN_F32, NN_SHAPE(8), (void *)(uintptr_t)given);
    nn_model *net = nn_make_model(nn, &desc);
    const bool host = home.kind == NN_CPU && device.kind == NN_CPU;
    nn_node *loss = describe(nn, net, own, host ? borrowed : NULL, host,
                             nn_same_device(home, device));
    if (nn_fault_count(net)) nn_write_faults(net, (nn_writer){nn_write_stderr, NULL});
    ENSURE(nn_fault_count(net) == 0);
    if (test_wrong(!check(nn, net, loss, device, NN_ADAMW)))
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn) ? nn_error(nn) : "they differ");
    nn_free_tensor(own);
    nn_free_tensor(borrowed); /* nobody uses them any more */
    ENSURE(!nn_error(nn));
}

static void a_copy_has_everything(void) {
    nn_context *nn = open_context();
    sim_desc desc;
    nn_device simulated, second;
    ZERO(desc);
    desc.asynchronous = desc.poison_on_release = true;
    sim_device *sim = sim_open(nn, &desc, &simulated), *other = sim_open(nn, &desc, &second);
    everything(nn_cpu(), nn_cpu(), nn);
    everything(simulated, simulated, nn);
    everything(simulated, second, nn);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0 && sim_free(other) == 0);
}

static void a_copy_on_opencl_trains_alike(void) {
#ifdef NN_TEST_OPENCL
    if (!getenv("NN_FULL")) SKIP("with NN_FULL=1");
    nn_context *nn = open_context();
    if (!OPEN_OPENCL(nn)) {
        nn_close(nn);
        return;
    }
    everything(nn_opencl(0), nn_opencl(0), nn);
    nn_close(nn);
#else
    SKIP("built without OpenCL");
#endif
}

/* ---- values, the ledger, mistakes ------------------------------------------------------------ */

static nn_node *small(nn_model *net) {
    nn_linear_desc desc;
    ZERO(desc);
    desc.out_features = 2;
    return nn_mean(net, nn_square(net, nn_linear(net, "fc",
                                                 nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)),
                                                 &desc)));
}

/* A copy takes the values of this moment, which then change independently. Each crosses once. */
static void values_cross_once_and_part(void) {
    nn_context *nn = open_context();
    sim_desc sim_is;
    nn_device device;
    ZERO(sim_is);
    sim_device *sim = sim_open(nn, &sim_is, &device);
    nn_model *net = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *loss = small(net);
    const float weights[6] = {1, 2, 3, 4, 5, 6}, others[6] = {0, 0, 1, 0, 0, 0};
    float read[6];
    nn_copy_desc desc;
    ENSURE(nn_upload_tensor(nn_find_tensor(net, "fc.weight"), weights, sizeof weights) == NN_OK);
    nn_reset_ledger(nn);
    ZERO(desc);
    desc.name = "second";
    desc.device = device;
    nn_model *copy = nn_copy_model(net, &desc);
    ENSURE(copy && nn_ledger_count(nn) == 2);
    ENSURE_TEXT(nn_ledger_at(nn, 0).tensor, "fc.weight");
    ENSURE(nn_ledger_at(nn, 0).logical_bytes == 24 && nn_ledger_at(nn, 0).count == 1);
    ENSURE(nn_same_device(nn_ledger_at(nn, 0).to, device));
    ENSURE_TEXT(nn_ledger_at(nn, 1).tensor, "fc.bias");
    ENSURE(nn_upload_tensor(nn_find_tensor(net, "fc.weight"), others, sizeof others) == NN_OK);
    ENSURE(nn_download_tensor(nn_find_tensor(copy, "fc.weight"), read, sizeof read) == NN_OK);
    ENSURE(memcmp(read, weights, sizeof read) == 0);
    /* a limit of the ledger is kept, without a leak */
    const uint64_t before = sim->live_bytes;
    nn_ledger_limits limits;
    ZERO(limits);
    limits.upload_bytes = 16;
    nn_ledger_limit(nn, &limits);
    ENSURE(!nn_copy_model(net, &desc) && nn_error_code(nn) == NN_ERROR_LIMIT);
    ENSURE(sim->live_bytes == before);
    nn_clear_error(nn);
    nn_ledger_limit(nn, (const nn_ledger_limits *)NULL);
    /* described further, both get the same names */
    ENSURE_TEXT(nn_node_name(nn_square(copy, nn_copied_node(copy, loss))),
                nn_node_name(nn_square(net, loss)));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void mistakes_are_told(void) {
    nn_context *nn = open_context();
    nn_model *net = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *loss = small(net);
    nn_model *copy = nn_copy_model(net, (const nn_copy_desc *)NULL);
    nn_copy_desc desc;
    ENSURE(copy && !nn_copy_model(NULL, (const nn_copy_desc *)NULL));
#define TOLD(text)                                                                                 \
    do {                                                                                           \
        if (!nn_error(nn) || !strstr(nn_error(nn), text))                                          \
            test_fail(__FILE__, __LINE__, "%s", nn_error(nn) ? nn_error(nn) : "no error");         \
        nn_clear_error(nn);                                                                        \
    } while (0)
    ZERO(desc);
    desc.device = nn_make_device(NN_USER_0, 3);
    ENSURE(!nn_copy_model(net, &desc));
    TOLD("nn_copy_model");
    ENSURE(!nn_copied_node(copy, NULL));
    TOLD("node is NULL");
    ENSURE(!nn_copied_node(net, loss));
    TOLD("is no node of the model that \"model\" is a copy of");
    ENSURE(!nn_copied_node(copy, nn_square(net, loss)));
    TOLD("was described after nn_copy_model");
    nn_node *mine = nn_copied_node(copy, loss);
    ENSURE(mine && mine->graph == &copy->graph && !nn_copied_node(copy, mine));
    TOLD("is no node of the model");
    nn_free_model(net);
    nn_model *other = nn_make_model(nn, (const nn_model_desc *)NULL); /* perhaps where net was */
    ENSURE(!nn_copied_node(copy, small(other)));
    TOLD("or it was freed");
    nn_linear(other, "fc", NULL, (const nn_linear_desc *)NULL);
    ENSURE(!nn_copy_model(other, (const nn_copy_desc *)NULL));
    TOLD("input is NULL");
    nn_free_model(copy);
    ENSURE(!nn_copy_model(copy, (const nn_copy_desc *)NULL));
    TOLD("was freed at");
    nn_close(nn);
}

/* Whichever allocation fails, the original stays as it was and nothing is left behind. */
static int64_t allowed_calls;
static void *take_some(void *user, size_t bytes, size_t alignment) {
    return allowed_calls-- > 0 ? take(user, bytes, alignment) : NULL;
}
static void without_memory_nothing_is_left(void) {
    nn_desc open;
    ZERO(open);
    open.allocator.allocate = take_some;
    open.allocator.release = give;
    open.threads = 1;
    allowed_calls = INT64_MAX;
    nn_context *nn = nn_open(&open);
    nn_model *net = nn_make_model(nn, (const nn_model_desc *)NULL);
    nn_node *loss = small(net);
    ENSURE(nn_find_tensor(net, "fc.weight"));
    for (int64_t n = 0;; n++) {
        const uint64_t before = nn_context_memory(nn).live_bytes;
        allowed_calls = n;
        nn_model *copy = nn_copy_model(net, (const nn_copy_desc *)NULL);
        allowed_calls = INT64_MAX;
        if (copy) {
            ENSURE(n > 3 && nn_copied_node(copy, loss));
            break;
        }
        ENSURE(nn_error_code(nn) == NN_ERROR_MEMORY && nn_context_memory(nn).live_bytes == before);
        nn_clear_error(nn);
    }
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(copies_of_random_nets_train_alike);
    RUN(copies_on_a_simulated_device_train_alike);
    RUN(a_copy_has_everything);
    RUN(a_copy_on_opencl_trains_alike);
    RUN(values_cross_once_and_part);
    RUN(mistakes_are_told);
    RUN(without_memory_nothing_is_left);
    return test_report();
}
