/* tests/ops/test_every_call.c - calls every public function that tools/calls.c finds in nn.h and
   nn_opencl.h with zeros: first without any object, then with one valid object of each kind alone,
   then with all of them. Nothing may crash, no request may return NN_OK, and a failure on an object
   has a text.

   Then the same calls with numbers: each positional number, and each field of each desc, at its
   limits and far beyond them, one at a time with small numbers elsewhere. A new function, desc or
   field is covered without a line here. Nothing may crash, failures have a text, accepted calls
   give a shape, and all memory is freed. */
#define NN_IMPLEMENTATION
#include "nn_group.h"
#include "nn_quantize.h"
#include "nn_self_test.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#endif
#include "nn_opencl.h"

#include "test.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static nn_context *given_nn_context;
static nn_model *given_nn_model;
static nn_node *given_nn_node;
static nn_plan *given_nn_plan;
static nn_tensor *given_nn_tensor;
static nn_safetensors *given_nn_safetensors;
static nn_trainer *given_nn_trainer;
static nn_loader *given_nn_loader;
static nn_dataset *given_nn_dataset;
static nn_history *given_nn_history;
static nn_group *given_nn_group;
static nn_meeting *given_nn_meeting;

/* ---- numbers --------------------------------------------------------------------------------- */

enum { EDGES = 12 };
static const int64_t edge_whole[EDGES] = {INT_MIN, INT_MAX, -1, 0, 3, 65536, INT_MIN + 1,
                                          1 << 30, 77, -2, INT64_MAX, INT64_MIN};
static double edge_real(int edge) {
    const double numbers[EDGES] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -1, 0, 1,
                                   3e38, -3e38, 1e-45, 0.5, -0.5, 2};
    return numbers[edge];
}

/* The numbers of a call: zeros, or small numbers of which one is an edge value. */
static struct {
    bool on;
    int edge, argument; /* which of edge_whole and edge_real, at which number of the call */
    int small;          /* what the others are */
    int count;          /* of numbers so far */
} edges;

static bool at_edge(void) { return edges.on && edges.count++ == edges.argument; }
static int64_t whole(void) { return at_edge() ? edge_whole[edges.edge] : edges.small; }
static double real(void) { return at_edge() ? edge_real(edges.edge) : edges.small; }
static nn_shape edge_shape(int edge) {
    nn_shape shape = {.rank = (int32_t)edge_whole[edge]};
    const int rank = edge % 2 ? NN_MAX_RANK : 1 + edge / 2;
    if (edge > 1) shape.rank = rank;
    for (int i = 0; i < NN_MAX_RANK; i++) shape.extent[i] = (int32_t)edge_whole[edge];
    return shape;
}
static nn_shape a_shape(void) {
    nn_shape shape = {.rank = edges.small, .extent = {edges.small, edges.small}};
    return at_edge() ? edge_shape(edges.edge) : shape;
}
static nn_axes some_axes(void) {
    nn_axes axes = {.count = edges.small, .axis = {edges.small, -edges.small}};
    if (!at_edge()) return axes;
    axes.axis[0] = (int)edge_whole[edges.edge];
    axes.count = edges.edge % 3 ? 1 : axes.axis[0];
    return axes;
}
static nn_device a_device(void) {
    nn_device device = {0};
    if (at_edge()) device.index = (int32_t)edge_whole[edges.edge];
    return device;
}
static nn_range a_range(void) {
    return (nn_range){.first = (int32_t)whole(), .count = (int32_t)whole()};
}

static const nn_site zero_of_nn_site;
static const nn_writer zero_of_nn_writer;
static const nn_nodes zero_of_nn_nodes;
#define zero_of_nn_shape           a_shape()
#define zero_of_nn_range           a_range()
#define zero_of_nn_device          a_device()
#define zero_of_nn_axes            some_axes()
#define zero_of_bool               (whole() == 77)
#define zero_of_double             real()
#define zero_of_float              (float)real()
#define zero_of_int                (int)whole()
#define zero_of_int32_t            (int32_t)whole()
#define zero_of_int64_t            whole()
#define zero_of_uint64_t           (uint64_t)whole()
#define zero_of_uint32_t           (uint32_t)whole()
#define zero_of_size_t             (size_t)whole()
#define zero_of_nn_dtype           (nn_dtype) whole()
#define zero_of_nn_reduction       (nn_reduction)whole()
#define zero_of_nn_crossing        ((nn_crossing)0)
#define zero_of_nn_device_kind     NN_DEVICE_DEFAULT
#define zero_of_nn_kernel          ((nn_kernel)1)
#define zero_of_nn_metric_function ((nn_metric_function)0)
#define zero_of_nn_memory_category ((nn_memory_category)0)
#define zero_of_nn_result          NN_ERROR_ARGUMENT /* nn_record_error returns its argument */

/* Calls that succeed on a valid object with NULL for the rest, which stands for a default. */
static const char *const may_succeed[] = {
    "nn_error_code",     "nn_self_test_at", "nn_opencl_open_at",  "nn_prewarm_at",
    "nn_fit_at",         "nn_fit_using_at", "nn_set_schedule_at", /* a constant rate */
    "nn_read_history_at",                                         /* an empty text */
    "nn_describe_at",                                             /* all layers */
    /* tensors are given, and a desc of zeros has the defaults */
    "nn_softplus_forward_at", "nn_softplus_backward_at", "nn_leaky_relu_forward_at",
    "nn_leaky_relu_backward_at", "nn_elu_forward_at", "nn_elu_backward_at", "nn_celu_forward_at",
    "nn_celu_backward_at", "nn_hardtanh_forward_at", "nn_hardtanh_backward_at",
    "nn_softshrink_forward_at", "nn_softshrink_backward_at", "nn_hardshrink_forward_at",
    "nn_hardshrink_backward_at", "nn_nan_to_num_forward_at", "nn_nan_to_num_backward_at",
    "nn_addcmul_forward_at", "nn_addcmul_backward_at", "nn_addcdiv_forward_at",
    "nn_addcdiv_backward_at"
};

/* ---- descs ----------------------------------------------------------------------------------- */

/* One desc of each type: DESC and FIELD of every_call.h. */
#define RESULT(name, arguments)
#define OTHER(name, arguments)
#define POINTER(name, arguments)
#define NODE(name, arguments)
#define DESC(name)               static name desc_of_##name;
#define FIELD(desc, type, name)
#include "build/gen/tests/every_call.h"
#undef DESC
#undef FIELD

typedef struct field {
    const char *desc, *name, *type;
    char *at;
    size_t size, all, desc_size; /* of one number, and of consecutive numbers */
} field;
static const field fields[] = {
#define DESC(name)
#define FIELD(desc, type, name)                                                                    \
    {#desc, #name, #type, (char *)&desc_of_##desc.name, sizeof(type), sizeof desc_of_##desc.name,  \
     sizeof desc_of_##desc},
#include "build/gen/tests/every_call.h"
#undef DESC
#undef FIELD
    {NULL, NULL, NULL, NULL, 0, 0, 0}};
#undef RESULT
#undef OTHER
#undef POINTER
#undef NODE
enum { FIELDS = (int)(sizeof fields / sizeof fields[0]) - 1 };

#define given_desc(name)         (edges.on ? &desc_of_##name : NULL)
#define given_text               (edges.on && to_builder ? "name" : NULL)
static bool to_builder; /* other functions may take a text for a file */

static int calls, mistakes;
static int number, only = -1; /* of the call; the one that is made, or -1 */
static nn_context *watched; /* the context of the given objects */

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Functions that free an object are called with NULL only, because later calls need it. Functions
   that print are left out, because their text would be in the program's output. */
static bool is_called(const char *name) {
    bool frees = starts(name, "nn_free_") || starts(name, "nn_close");
    edges.count = 0;
    if (only >= 0 && number++ != only) return false;
    if (starts(name, "nn_write_stdout") || starts(name, "nn_write_stderr") ||
        starts(name, "nn_write_file"))
        return false;
    calls++;
    if (watched) nn_clear_error(watched);
    return !frees || !watched;
}

/* True if a pointer among the arguments is NULL. */
static bool lacks(const char *arguments) {
    const struct { const char *name; const void *given;
    } objects[] = {
        {"given_nn_context", given_nn_context}, {"given_nn_model", given_nn_model},
        {"given_nn_node", given_nn_node},       {"given_nn_plan", given_nn_plan},
        {"given_nn_tensor", given_nn_tensor},   {"given_nn_trainer", given_nn_trainer},
        {"given_nn_loader", given_nn_loader},   {"given_nn_dataset", given_nn_dataset},
        {"given_nn_history", given_nn_history}, {"given_nn_safetensors", given_nn_safetensors},
        {"given_nn_group", given_nn_group},     {"given_nn_meeting", given_nn_meeting}};
    if (strstr(arguments, "NULL") || strstr(arguments, "given_desc") ||
        strstr(arguments, "given_text"))
        return true;
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        if (!objects[i].given && strstr(arguments, objects[i].name)) return true;
    return false;
}

static void look_at(const char *name, nn_result result, const char *arguments) {
    bool may = edges.on || !lacks(arguments);
    for (size_t i = 0; watched && i < sizeof may_succeed / sizeof may_succeed[0]; i++)
        may |= strcmp(name, may_succeed[i]) == 0;
    if ((int)result >= 0 && !may) {
        mistakes++;
        printf("  %s: %s\n", name, nn_result_text(result));
    }
}

/* The result of a call with numbers, or its refusal. */
static struct {
    nn_result result;
    const void *made;
    nn_node *node;
} last;

static void take(const char *name, const void *made) {
    if (strcmp(name, "nn_open") == 0)
        nn_close((nn_context *)(uintptr_t)made); /* nn_open(NULL) is a valid call */
}

#define RESULT(name, arguments)                                                                    \
    do {                                                                                           \
        if (is_called(#name)) look_at(#name, last.result = name arguments, #arguments);            \
    } while (0);
#define OTHER(name, arguments)   do { if (is_called(#name)) (void)(name arguments); } while (0);
#define POINTER(name, arguments)                                                                   \
    do {                                                                                           \
        if (is_called(#name)) take(#name, last.made = (const void *)(name arguments));             \
    } while (0);
#define NODE(name, arguments)                                                                      \
    do {                                                                                           \
        if (is_called(#name)) last.node = (nn_node *)(uintptr_t)(name arguments);                  \
    } while (0);

static void call_all(void) {
#include "build/gen/tests/every_call.h"
}

static void test_nothing(void) {
    mistakes = 0;
    call_all();
    ENSURE(calls > 300);
    ENSURE(mistakes == 0);
}

/* Counted memory with a limit: the allocator refuses requests that are too large, before the
   machine would. */
static struct { int64_t live, blocks;
} heap;
static void *allocate(void *user, size_t bytes, size_t alignment) {
    char *block, *memory;
    (void)user;
    if (alignment < sizeof block) alignment = sizeof block;
    if (bytes > 64 << 20 || heap.live + (int64_t)bytes > 256 << 20) return NULL;
    block = (char *)malloc(bytes + alignment + sizeof block);
    if (!block) return NULL;
    memory = block + sizeof block +
             (alignment - (size_t)((uintptr_t)(block + sizeof block) % alignment)) % alignment;
    memcpy(memory - sizeof block, &block, sizeof block);
    heap.live += (int64_t)bytes, heap.blocks++;
    return memory;
}
static void release(void *user, void *memory, size_t bytes, size_t alignment) {
    char *block;
    (void)user, (void)alignment;
    if (!memory) return;
    memcpy(&block, (char *)memory - sizeof block, sizeof block);
    heap.live -= (int64_t)bytes, heap.blocks--;
    free(block);
}

/* Makes a net and one object of every other kind. */
static void make_objects(void) {
    const nn_desc context = {.threads = 1,
                             .allocator = {.allocate = allocate, .release = release}};
    nn_model_desc model = {.name = "net"};
    nn_tensor_desc tensor = {.name = "t", .shape = NN_SHAPE(4)};
    watched = nn_open(edges.on ? &context : NULL);
    given_nn_context = watched;
    given_nn_model = nn_make_model(watched, &model);
    given_nn_node = nn_input(given_nn_model, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    given_nn_tensor = nn_make_tensor(watched, &tensor);
    nn_plan_desc plan = {.outputs = NN_NODES(given_nn_node), .batch = 2};
    given_nn_plan = nn_make_plan(given_nn_model, &plan);
#ifndef NN_NO_TRAINING
    static const float samples[8];
    nn_linear_desc linear = {.out_features = 4};
    nn_node *y = nn_linear(given_nn_model, "fc", given_nn_node, &linear);
    nn_trainer_desc trainer = {.batch = 2};
    given_nn_trainer = nn_make_trainer(
        given_nn_model, nn_mse_loss(given_nn_model, y, given_nn_node, NULL), &trainer);
    nn_dataset_desc dataset = {
        .count = 2,
        .fields = NN_FIELDS(
            {.name = "x", .shape = {{4}, 1}, .data = samples, .bytes = sizeof samples})};
    given_nn_dataset = nn_make_dataset(watched, &dataset);
    nn_loader_desc loader = {.dataset = given_nn_dataset, .batch = 2};
    given_nn_loader = nn_make_loader(watched, &loader);
    given_nn_history = nn_make_history(watched, NULL);
    given_nn_group = nn_make_group(watched, NULL);
    given_nn_meeting = nn_make_meeting(watched, 1); /* of two, leaving waits for the other */
#endif
}

static void drop_objects(void) {
    nn_clear_error(watched);
    nn_close(watched);
    watched = NULL;
    given_nn_context = NULL, given_nn_model = NULL, given_nn_node = NULL, given_nn_plan = NULL,
    given_nn_tensor = NULL;
    given_nn_trainer = NULL, given_nn_loader = NULL, given_nn_dataset = NULL,
    given_nn_history = NULL, given_nn_group = NULL, given_nn_meeting = NULL;
}

/* Makes all calls. kind: the number of the only object that they get; -1: they get all objects. */
static void call_with(int kind) {
    make_objects();
    ENSURE(given_nn_plan && nn_error(watched) == NULL);
    if (kind >= 0 && kind != 0) given_nn_context = NULL;
    if (kind >= 0 && kind != 1) given_nn_model = NULL;
    if (kind >= 0 && kind != 2) given_nn_node = NULL;
    if (kind >= 0 && kind != 3) given_nn_plan = NULL;
    if (kind >= 0 && kind != 4) given_nn_tensor = NULL;
    if (kind >= 0 && kind != 5) given_nn_trainer = NULL;
    if (kind >= 0 && kind != 6) given_nn_loader = NULL;
    if (kind >= 0 && kind != 7) given_nn_dataset = NULL;
    if (kind >= 0 && kind != 8) given_nn_history = NULL;
    if (kind >= 0 && kind != 9) given_nn_group = NULL;
    if (kind >= 0 && kind != 10) given_nn_meeting = NULL;
    mistakes = 0;
    call_all();
    if (mistakes) printf("  these mistakes came with object %d\n", kind);
    ENSURE(mistakes == 0);
    drop_objects();
}

static void test_one_object(void) {
    for (int kind = 0; kind < 11; kind++) call_with(kind);
}

static void test_all_objects(void) { call_with(-1); }

/* ---- numbers at their edges ------------------------------------------------------------------ */

typedef struct call {
    const char *name, *arguments;
    char kind; /* of the result: r, o, p, n */
} call;
#undef RESULT
#undef OTHER
#undef POINTER
#undef NODE
#define RESULT(name, arguments)  {#name, #arguments, 'r'},
#define OTHER(name, arguments)   {#name, #arguments, 'o'},
#define POINTER(name, arguments) {#name, #arguments, 'p'},
#define NODE(name, arguments)    {#name, #arguments, 'n'},
static const call every[] = {
#include "build/gen/tests/every_call.h"
    {NULL, NULL, 0}};
enum { EVERY = (int)(sizeof every / sizeof every[0]) - 1 };

/* Calls that wait for others, write files or take a time that an argument gives; and nn_error_code,
   whose result is the last error. */
static const char *const not_with_numbers[] = {
    "nn_make_group", "nn_join_meeting", "nn_make_meeting", "nn_leave", "nn_fit", "nn_prewarm",
    "nn_self_test", "nn_opencl_", "nn_save", "nn_load_", "nn_write_", "nn_error_code", "nn_open",
    "nn_random_", "nn_free_", "nn_close", "nn_record_error", "nn_wrap",
    "nn_take_memory" /* the program's own */};

static int trials, refusals, accepted, silent;

static bool has_numbers(const call *c) {
    for (size_t i = 0; i < sizeof not_with_numbers / sizeof not_with_numbers[0]; i++)
        if (starts(c->name, not_with_numbers[i])) return false;
    return strstr(c->arguments, "given_nn_") && !strstr(c->arguments, "given_nn_safetensors");
}

/* False: fields of this type have no edges. */
static bool set_field(const field *f, int edge) {
    static char text[600];
    const size_t count = edge % 2 ? f->all / f->size : 1;
    const bool whole_number = strcmp(f->type, "int") == 0 || f->size == 4;
    for (size_t i = 0; i < count; i++) {
        char *at = f->at + i * f->size;
        const int32_t w = (int32_t)edge_whole[edge];
        const double wide = edge_real(edge);
        const float r = (float)wide;
        const nn_shape shape = edge_shape(edge);
        if (strcmp(f->type, "bool") == 0) *(bool *)at = edge % 2 == 0;
        else if (strcmp(f->type, "float") == 0) memcpy(at, &r, sizeof r);
        else if (strcmp(f->type, "double") == 0) memcpy(at, &wide, sizeof wide);
        else if (strcmp(f->type, "nn_shape") == 0) memcpy(at, &shape, sizeof shape);
        else if (strcmp(f->type, "nn_device") == 0) memcpy(at + edge % 2 * 4, &w, sizeof w);
        else if (strcmp(f->type, "nn_node *") == 0) memcpy(at, &given_nn_node, sizeof(void *));
        else if (strcmp(f->type, "const char *") == 0) {
            const char *pointer = text;
            memset(text, edge > 3 ? 'x' : 0, sizeof text - 1);
            memcpy(at, &pointer, sizeof pointer);
        } else if (strstr(f->type, "64_t") || strcmp(f->type, "size_t") == 0)
            memcpy(at, &edge_whole[edge], f->size);
        else if (whole_number) memcpy(at, &w, sizeof w);
        else return false;
    }
    return true;
}

/* Fills a desc with small numbers in all fields except those that select something. */
static void set_desc(const field *first, int small) {
    memset(first->at, 0, first->desc_size);
    for (const field *f = first; small && f->desc && strcmp(f->desc, first->desc) == 0; f++)
        for (size_t i = 0; i < f->all / f->size; i++) {
            const int32_t w = small;
            const float r = (float)small;
            if (strcmp(f->type, "int") == 0 || strcmp(f->type, "int32_t") == 0)
                memcpy(f->at + i * f->size, &w, sizeof w);
            if (strcmp(f->type, "float") == 0) memcpy(f->at + i * f->size, &r, sizeof r);
        }
}

static void says_why(const call *c, const char *what) {
    const char *error = nn_error(watched);
    refusals++;
    if (error && strlen(error) >= 12) return;
    if (silent++ < 10)
        test_fail(__FILE__, __LINE__, "%s, %s, edge %d: says %s", c->name, what, edges.edge,
                  error ? error : "nothing");
}

/* Checks that a node without faults has a shape, and that a plan with a faulty node is refused with
   the reason. */
static void look_at_node(const call *c, const char *what) {
    if (nn_fault_count(given_nn_model)) {
        const nn_plan_desc desc = {.outputs = NN_NODES(given_nn_node), .batch = 2, .time = 2};
        const nn_plan *plan = nn_make_plan(given_nn_model, &desc);
        if (plan) silent++, test_fail(__FILE__, __LINE__, "%s, %s: a plan with a fault", c->name, what);
        else says_why(c, what);
        return;
    }
    accepted++;
    const nn_shape shape = last.node ? nn_node_shape(last.node) : (nn_shape){.rank = 0};
    bool sane = shape.rank >= 0 && shape.rank <= NN_MAX_RANK;
    for (int i = 0; i < NN_MAX_RANK && sane; i++)
        sane = i < shape.rank ? shape.extent[i] != 0 : true;
    if (!sane && silent++ < 10)
        test_fail(__FILE__, __LINE__, "%s, %s, edge %d: has no shape", c->name, what, edges.edge);
    const nn_plan_desc desc = {.outputs = NN_NODES(last.node), .batch = 2, .time = 2};
    nn_clear_error(watched);
    if (last.node && !nn_make_plan(given_nn_model, &desc)) says_why(c, what);
}

/* Begins a net of its own for each call of a builder, with an input of 2 to 5 axes. */
static void begin_net(int trial) {
    static const nn_shape shapes[] = {{.extent = {NN_BATCH, 4}, .rank = 2},
                                      {.extent = {NN_BATCH, 2, 6, 6}, .rank = 4},
                                      {.extent = {NN_BATCH, 4, 6}, .rank = 3},
                                      {.extent = {4, 2, 4, 4, 4}, .rank = 5}};
    given_nn_model = nn_make_model(watched, NULL);
    given_nn_node = nn_input(given_nn_model, "x", NN_F32, shapes[trial % 4]);
}

static void try_call(const call *c, const field *first, const field *f, int trial) {
    edges.small = trial % 3;
    if (first) set_desc(first, trial / 2 % 3);
    if (c->kind == 'n') begin_net(trial);
    else if (!watched || nn_fault_count(given_nn_model)) {
        if (watched) drop_objects();
        make_objects();
    }
    if (f && !set_field(f, edges.edge)) {
        if (c->kind == 'n') nn_free_model(given_nn_model);
        return;
    }
    memset(&last, 0, sizeof last);
    nn_clear_error(watched);
    only = (int)(c - every), number = 0, to_builder = c->kind == 'n';
    trials++;
    call_all();
    only = -1;
    const char *what = f ? f->name : "an argument";
    if (c->kind == 'r' && (int)last.result < 0) says_why(c, what);
    if (c->kind == 'p' && starts(c->name, "nn_make_") && !last.made) says_why(c, what);
    if (c->kind == 'n') {
        look_at_node(c, what);
        nn_free_model(given_nn_model);
        given_nn_model = NULL, given_nn_node = NULL;
    }
}

/* Tries each number of the call, and each field of its desc, at each edge. */
static void try_edges(const call *c) {
    const char *desc = strstr(c->arguments, "given_desc(");
    const field *first = NULL;
    int numbers = 0, trial = (int)(c - every);
    const int repeats = getenv("NN_FULL") ? 12 : 1;
    for (const char *at = c->arguments; (at = strstr(at, "zero_of_")) != NULL; at++)
        numbers += !starts(at, "zero_of_nn_site");
    for (int i = 0; desc && i < FIELDS && !first; i++)
        if (starts(desc + 11, fields[i].desc) && desc[11 + strlen(fields[i].desc)] == ')')
            first = &fields[i];
    if (desc) ENSURE(first);
    for (edges.edge = 0; edges.edge < EDGES; edges.edge++)
        for (int again = 0; again < repeats; again++) {
            for (edges.argument = 0; edges.argument < numbers; edges.argument++)
                try_call(c, first, NULL, trial++);
            edges.argument = -1;
            for (const field *f = first; f && f->desc && strcmp(f->desc, first->desc) == 0; f++)
                try_call(c, first, f, trial++);
        }
}

static void test_numbers_at_their_edges(void) {
    edges.on = true;
    for (int i = 0; i < EVERY; i++) {
        if (!has_numbers(&every[i])) continue;
        make_objects();
        nn_model *net = given_nn_model;
        nn_node *node = given_nn_node;
        try_edges(&every[i]);
        if (every[i].kind == 'n') given_nn_model = net, given_nn_node = node;
        drop_objects();
        if (heap.live || heap.blocks)
            test_fail(__FILE__, __LINE__, "%s: %d blocks of %d bytes are left", every[i].name,
                      (int)heap.blocks, (int)heap.live);
        heap.live = heap.blocks = 0;
    }
    edges.on = false;
    printf("%d calls at edges: %d refused, %d nodes accepted\n", trials, refusals, accepted);
    ENSURE(trials > 5000 && refusals > 1000 && accepted > 1000);
}

/* Every type of field that set_field does not know is in this list. */
static void test_every_field_has_edges(void) {
    static const char *const without[] = {
        "void *", "nn_writer", "nn_progress *", "nn_loader *", "nn_group *",
        "nn_custom_function", "nn_schedule", "nn_plateau", "nn_plan *",
        "nn_loaded *", "nn_jobs", "nn_history *", "nn_fit_checkpoint", "nn_files",
        "nn_early_stopping", "nn_dataset *", "nn_confusion_desc", "nn_clock", "nn_average_desc",
        "nn_allocator", "const nn_tensor *", "const nn_augment_desc *", "const float *",
        "const nn_files *", /* test_gguf.c */
        /* lists: test_lists.c; of one optimizer: test_optimizers.c */
        "nn_nodes", "nn_texts", "nn_integers", "nn_numbers", "nn_custom_functions", "nn_fields", "nn_renames", "nn_parameter_groups",
        "nn_devices", "nn_sgd_desc", "nn_adam_desc", "nn_rmsprop_desc", "nn_adagrad_desc",
        "nn_adadelta_desc", "nn_nadam_desc", "nn_radam_desc", "nn_asgd_desc", "nn_rprop_desc",
        "nn_muon_desc"};
    int driven = 0;
    for (int i = 0; i < FIELDS; i++) {
        bool known = set_field(&fields[i], 3);
        driven += known;
        for (size_t k = 0; k < sizeof without / sizeof without[0]; k++)
            known = known || strcmp(fields[i].type, without[k]) == 0;
        memset(fields[i].at, 0, fields[i].all);
        if (!known)
            test_fail(__FILE__, __LINE__, "%s.%s: no edges for a %s", fields[i].desc,
                      fields[i].name, fields[i].type);
    }
    ENSURE(driven > 500);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_nothing);
    RUN(test_one_object);
    RUN(test_all_objects);
    RUN(test_every_field_has_edges);
    RUN(test_numbers_at_their_edges);
    return test_report();
}
