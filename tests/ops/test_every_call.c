/* tests/ops/test_every_call.c - every public function, as tools/calls.c finds them in nn.h and
   nn_opencl.h, called with zeros: first without any object, then with one valid object of each kind
   alone, then with all of them. Nothing may crash, no call that was asked for something says NN_OK,
   and a failure on an object has words. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#endif
#include "nn_opencl.h"

#include "test.h"

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

static const nn_site zero_of_nn_site;
static const nn_device zero_of_nn_device;
static const nn_shape zero_of_nn_shape;
static const nn_range zero_of_nn_range;
static const nn_writer zero_of_nn_writer;
static const nn_nodes zero_of_nn_nodes;
static const nn_axes zero_of_nn_axes;
#define zero_of_bool               false
#define zero_of_double             0.0
#define zero_of_float              0.0f
#define zero_of_int                0
#define zero_of_int32_t            0
#define zero_of_int64_t            0
#define zero_of_uint64_t           0
#define zero_of_uint32_t           0
#define zero_of_size_t             0
#define zero_of_nn_crossing        ((nn_crossing)0)
#define zero_of_nn_device_kind     NN_DEVICE_DEFAULT
#define zero_of_nn_dtype           NN_DTYPE_DEFAULT
#define zero_of_nn_kernel          ((nn_kernel)1)
#define zero_of_nn_metric_function ((nn_metric_function)0)
#define zero_of_nn_memory_category ((nn_memory_category)0)
#define zero_of_nn_pointwise_op    ((nn_pointwise_op)0)
#define zero_of_nn_reduction       ((nn_reduction)0)
#define zero_of_nn_result          NN_ERROR_ARGUMENT /* nn_record_error returns what it was given */

/* Calls that succeed on a valid object with NULL for the rest, which stands for a default. */
static const char *const may_succeed[] = {
    "nn_error_code", "nn_self_test_at", "nn_opencl_open_at", "nn_prewarm_at", "nn_fit_at",
    "nn_set_schedule_at", /* a constant rate */
    "nn_read_history_at"  /* an empty text */
};

static int calls, mistakes;
static nn_context *watched; /* the context of the given objects */

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* What frees an object is called with NULL only: later calls want it. What prints belongs to the
   program's output. */
static bool is_called(const char *name) {
    bool frees = starts(name, "nn_free_") || starts(name, "nn_close");
    if (starts(name, "nn_write_stdout") || starts(name, "nn_write_stderr") ||
        starts(name, "nn_write_file"))
        return false;
    calls++;
    if (watched) nn_clear_error(watched);
    return !frees || !watched;
}

/* Is a pointer among the arguments NULL? */
static bool lacks(const char *arguments) {
    const struct { const char *name; const void *given;
    } objects[] = {
        {"given_nn_context", given_nn_context}, {"given_nn_model", given_nn_model},
        {"given_nn_node", given_nn_node},       {"given_nn_plan", given_nn_plan},
        {"given_nn_tensor", given_nn_tensor},   {"given_nn_trainer", given_nn_trainer},
        {"given_nn_loader", given_nn_loader},   {"given_nn_dataset", given_nn_dataset},
        {"given_nn_history", given_nn_history}, {"given_nn_safetensors", given_nn_safetensors},
        {"given_nn_group", given_nn_group},     {"given_nn_meeting", given_nn_meeting}};
    if (strstr(arguments, "NULL")) return true;
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        if (!objects[i].given && strstr(arguments, objects[i].name)) return true;
    return false;
}

static void look_at(const char *name, nn_result result, const char *arguments) {
    bool may = !lacks(arguments);
    for (size_t i = 0; watched && i < sizeof may_succeed / sizeof may_succeed[0]; i++)
        may |= strcmp(name, may_succeed[i]) == 0;
    if ((int)result >= 0 && !may) {
        mistakes++;
        printf("  %s: %s\n", name, nn_result_text(result));
    }
}

static void take(const char *name, const void *made) {
    if (strcmp(name, "nn_open") == 0)
        nn_close((nn_context *)(uintptr_t)made); /* nn_open(NULL) is a right call */
}

#define RESULT(name, arguments)                                                                    \
    do {                                                                                           \
        if (is_called(#name)) look_at(#name, name arguments, #arguments);                          \
    } while (0);
#define OTHER(name, arguments)   do { if (is_called(#name)) (void)(name arguments); } while (0);
#define POINTER(name, arguments)                                                                   \
    do {                                                                                           \
        if (is_called(#name)) take(#name, (const void *)(name arguments));                         \
    } while (0);
#define NODE(name, arguments)    OTHER(name, arguments)

static void call_all(void) {
#include "build/gen/tests/every_call.h"
}

static void test_nothing(void) {
    mistakes = 0;
    call_all();
    ENSURE(calls > 300);
    ENSURE(mistakes == 0);
}

/* One net with everything around it. */
static void make_objects(void) {
    nn_model_desc model = {.name = "net"};
    nn_tensor_desc tensor = {.name = "t", .shape = NN_SHAPE(4)};
    watched = nn_open(NULL);
    given_nn_context = watched;
    given_nn_model = nn_make_model(watched, &model);
    given_nn_node = nn_input(given_nn_model, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    given_nn_tensor = nn_make_tensor(watched, &tensor);
    nn_plan_desc plan = {.outputs = {given_nn_node}, .batch = 2};
    given_nn_plan = nn_make_plan(given_nn_model, &plan);
#ifndef NN_NO_TRAINING
    static const float samples[8];
    nn_linear_desc linear = {.out_features = 4};
    nn_node *y = nn_linear(given_nn_model, "fc", given_nn_node, &linear);
    nn_trainer_desc trainer = {.batch = 2};
    given_nn_trainer = nn_make_trainer(
        given_nn_model, nn_mse_loss(given_nn_model, y, given_nn_node, NN_MEAN), &trainer);
    nn_dataset_desc dataset = {
        .count = 2,
        .fields = {{.name = "x", .shape = NN_SHAPE(4), .data = samples, .bytes = sizeof samples}}};
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

/* kind: the only object that is given, by its number; -1: all of them. */
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
    if (mistakes) printf("  these were said with object %d\n", kind);
    ENSURE(mistakes == 0);
    drop_objects();
}

static void test_one_object(void) {
    for (int kind = 0; kind < 11; kind++) call_with(kind);
}

static void test_all_objects(void) { call_with(-1); }

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_nothing);
    RUN(test_one_object);
    RUN(test_all_objects);
    return test_report();
}
