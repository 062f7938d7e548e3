/* tests/onnx/test_onnx_damaged.c - files that are damaged, claim more than they have, ask for much
   memory, or ask for files that are not theirs. Each must give an error with a message. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "described.h"

/* ---- damaged files --------------------------------------------------------------------------- */

/* Opens a file that must be refused with these words. */
static int refuses(const blob *model, const char *words) {
    nn_context *nn = open_context();
    nn_onnx *file = nn_open_onnx(nn, &(nn_onnx_desc){.bytes = model->at, .size = model->size});
    const char *error = nn_error(nn);
    const int good = !file && error && strstr(error, words);
    if (!good) printf("error: %s\nlacks: %s\n", error ? error : "(none)", words);
    close_context(nn);
    return good;
}

/* Returns a model of one tensor, which a node reads. */
static blob around(const blob *initializer) {
    blob graph = {.size = 0};
    add(&graph, 1, node("Identity t -> y"));
    put_message(&graph, 5, initializer);
    add(&graph, 12, info("y", ONNX_FLOAT, "2"));
    return model_of(&graph, 13);
}

/* Sizes that a file claims and does not have are found before memory is taken. */
static void claims(void) {
    blob t = {.size = 0}, model;
    t = tensor("t", ONNX_FLOAT, "1000000,1000000", ones, 8);
    model = around(&t);
    ENSURE(refuses(&model, "tensor \"t\""));
    t = tensor("t", ONNX_FLOAT, "4294967296,4294967296,4294967296", ones, 8);
    model = around(&t);
    ENSURE(refuses(&model, "tensor \"t\""));
    t = tensor("t", ONNX_FLOAT, "1", ones, 8);
    model = around(&t);
    ENSURE(refuses(&model, "tensor \"t\""));
    t.size = 0;
    put_number(&t, 1, -1);
    put_number(&t, 2, ONNX_FLOAT);
    put_text(&t, 8, "t");
    model = around(&t);
    ENSURE(refuses(&model, "tensor \"t\""));
    t.size = 0; /* the length of raw_data exceeds the file */
    put_varint(&t, 9 << 3 | 2);
    put_varint(&t, (uint64_t)1 << 40);
    model = around(&t);
    ENSURE(refuses(&model, "damaged"));
}

/* A tensor without a dtype, and strings instead of numbers. */
static void numbers_that_are_none(void) {
    for (int dtype = 0; dtype < 9; dtype += 8) {
        blob graph = {.size = 0}, t = {.size = 0}, model;
        put_number(&t, 1, 2);
        put_number(&t, 2, dtype);
        put_text(&t, 8, "shape");
        add(&graph, 1, node("Reshape x,shape -> y"));
        put_message(&graph, 5, &t);
        add(&graph, 11, info("x", ONNX_FLOAT, "2"));
        add(&graph, 12, info("y", ONNX_FLOAT, "2"));
        model = model_of(&graph, 13);
        if (dtype == 0) {
            ENSURE(refuses(&model, "tensor \"shape\""));
        } else {
            open_net n = describe(&model, NULL, 1, 1);
            ENSURE(!n.plan && says(&n, "operand 1 (shape) is string"));
            close_net(&n);
        }
    }
}

/* A graph with itself inside, 40 times. */
static void nested_too_deep(void) {
    static blob graph, outer;
    graph.size = 0;
    add(&graph, 1, node("Relu x -> y"));
    for (int i = 0; i < 40; i++) {
        blob op = node("If c -> y");
        with_message(&op, "then_branch", 5, &graph);
        outer.size = 0;
        put_message(&outer, 1, &op);
        graph = outer;
    }
    outer = model_of(&graph, 13);
    ENSURE(refuses(&outer, "nested"));
}

/* A function that calls itself. */
static void endless_recursion(void) {
    blob graph = {.size = 0}, function = {.size = 0}, op = node("Again x -> y"), model;
    put_text(&op, 7, "own");
    add(&graph, 1, op);
    add(&graph, 11, info("x", ONNX_FLOAT, "2"));
    add(&graph, 12, info("y", ONNX_FLOAT, "2"));
    put_text(&function, 1, "Again");
    put_text(&function, 10, "own");
    put_text(&function, 4, "x");
    put_text(&function, 5, "y");
    put_message(&function, 7, &op);
    model = model_of(&graph, 18);
    put_message(&model, 25, &function);
    {
        open_net n = describe(&model, NULL, 1, 1);
        ENSURE(!n.plan && says(&n, "nested"));
        close_net(&n);
    }
}

/* Outputs without a name, and none at all. */
static void outputs_without_names(void) {
    for (int count = 0; count < 2; count++) {
        blob graph = {.size = 0}, model;
        open_net n;
        add(&graph, 1, node("Relu x -> y"));
        add(&graph, 11, info("x", ONNX_FLOAT, "2"));
        if (count) add(&graph, 12, info("", ONNX_FLOAT, "2"));
        model = model_of(&graph, 18);
        n = describe(&model, NULL, 1, 1);
        ENSURE(!n.plan && says(&n, count ? "names a value" : "has no outputs"));
        close_net(&n);
    }
}

/* Small files that need much memory or time: numbers, runs of a loop. */
static void bombs(void) {
    const int64_t shape[3] = {100000, 100000, 3}, runs = 1000000000000;
    blob graph = {.size = 0}, body = {.size = 0}, op = node("Loop m,,x -> y"), model;
    nn_memory_use use;
    open_net n;
    add(&graph, 1, node("ConstantOfShape s -> a"));
    add(&graph, 1, node("Transpose a -> b"));
    add(&graph, 1, node("Add b,x -> c"));
    add(&graph, 1, node("Range zero,end,one -> y"));
    add(&graph, 5, tensor("s", ONNX_INT64, "3", shape, 24));
    add(&graph, 5, tensor("zero", ONNX_INT64, "", shape + 2, 8));
    add(&graph, 5, tensor("one", ONNX_INT64, "", shape + 2, 8));
    add(&graph, 5, tensor("end", ONNX_INT64, "", &runs, 8));
    add(&graph, 11, info("x", ONNX_FLOAT, "2"));
    add(&graph, 12, info("c", ONNX_FLOAT, "2"));
    add(&graph, 12, info("y", ONNX_INT64, "2"));
    model = model_of(&graph, 13);
    n = describe(&model, NULL, 1, 1);
    use = nn_context_memory(n.nn);
    ENSURE(!n.plan && nn_error(n.nn) && use.peak_bytes < (uint64_t)64 << 20);
    close_net(&n);
    graph.size = 0;
    add(&body, 1, node("Tanh s -> t"));
    add(&body, 1, node("Identity c -> d"));
    for (int i = 0; i < 3; i++) add(&body, 11, info(i == 0 ? "i" : i == 1 ? "c" : "s", ONNX_FLOAT, "2"));
    add(&body, 12, info("d", ONNX_BOOL, ""));
    add(&body, 12, info("t", ONNX_FLOAT, "2"));
    with_message(&op, "body", 5, &body);
    add(&graph, 1, op);
    add(&graph, 5, tensor("m", ONNX_INT64, "", &runs, 8));
    add(&graph, 11, info("x", ONNX_FLOAT, "2"));
    add(&graph, 12, info("y", ONNX_FLOAT, "2"));
    model = model_of(&graph, 13);
    n = describe(&model, NULL, 1, 1);
    ENSURE(!n.plan && says(&n, "runs more than 1024 times"));
    close_net(&n);
}

/* ---- external data --------------------------------------------------------------------------- */

/* A model whose slope is in a file beside it. */
static blob external_model(const char *location, const char *offset) {
    static const char *const keys[] = {"location", "offset", "length"};
    const char *values[3] = {location, offset, "4"};
    blob graph = {.size = 0}, t = {.size = 0};
    put_number(&t, 1, 1);
    put_number(&t, 2, ONNX_FLOAT);
    put_text(&t, 8, "slope");
    for (int i = 0; i < 3; i++) {
        blob entry = {.size = 0};
        put_text(&entry, 1, keys[i]);
        put_text(&entry, 2, values[i]);
        put_message(&t, 13, &entry);
    }
    put_number(&t, 14, 1);
    add(&graph, 1, node("PRelu x,slope -> y"));
    put_message(&graph, 5, &t);
    add(&graph, 11, info("x", ONNX_FLOAT, "2,1"));
    add(&graph, 12, info("y", ONNX_FLOAT, "2,1"));
    return model_of(&graph, 13);
}

static int store(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    const int good = file && fwrite(data, 1, size, file) == size;
    return file ? fclose(file) == 0 && good : 0;
}

/* Returns the slope, or NAN with the error in *n. */
static float external_slope(const char *location, const char *offset, open_net *n) {
    const blob model = external_model(location, offset);
    memset(n, 0, sizeof *n);
    n->nn = open_context();
    if (!store("test_onnx_external.onnx", model.at, model.size)) return NAN;
    n->file = nn_open_onnx(n->nn, &(nn_onnx_desc){.path = "test_onnx_external.onnx"});
    remove("test_onnx_external.onnx");
    if (!n->file) return NAN;
    n->model = nn_make_model(n->nn, NULL);
    nn_onnx_net(n->model, NULL, n->file, NULL);
    if (nn_load_onnx_weights(n->model, n->file) != NN_OK) return NAN;
    return *(const float *)nn_tensor_const_data(nn_find_tensor(n->model, "prelu.weight"));
}

static void external_data(void) {
    static const char *const outside[] = {"../test_onnx_external.bin", "/etc/hostname",   "a/../b",
                                          "C:\\weights.bin",           "..\\weights.bin", ""};
    open_net n;
    ENSURE(store("test_onnx_external.bin", ones, 64));
    ENSURE_CLOSE(external_slope("test_onnx_external.bin", "8", &n), 3, 0);
    close_net(&n);
    ENSURE_CLOSE(external_slope("./test_onnx_external.bin", "60", &n), 16, 0);
    close_net(&n);
    external_slope("test_onnx_external.bin", "61", &n);
    ENSURE(!n.file && says(&n, "too short"));
    close_net(&n);
    external_slope("test_onnx_external.bin", "18446744073709551615", &n);
    ENSURE(!n.file && nn_error(n.nn));
    close_net(&n);
    external_slope("test_onnx_nothing.bin", "0", &n);
    ENSURE(!n.file && says(&n, "cannot be opened"));
    close_net(&n);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        external_slope(outside[i], "0", &n);
        ENSURE(!n.file && says(&n, "outside"));
        close_net(&n);
    }
    remove("test_onnx_external.bin");
}

static void a_file_in_memory_has_no_files(void) {
    const blob model = external_model("test_onnx_external.bin", "0");
    ENSURE(refuses(&model, "a model in memory"));
}

static void every_truncation(void) {
    const blob model = relu_model();
    nn_context *nn = open_context();
    int opened = 0;
    for (size_t size = 0; size < model.size; size++) {
        unsigned char *copy = (unsigned char *)malloc(size + 1);
        nn_onnx *file;
        ENSURE(copy);
        memcpy(copy, model.at, size);
        file = nn_open_onnx(nn, &(nn_onnx_desc){.bytes = copy, .size = size});
        if (file)
            opened++;
        else
            ENSURE(nn_error(nn));
        nn_clear_error(nn);
        nn_close_onnx(file);
        free(copy);
    }
    ENSURE(opened == 0);
    close_context(nn);
}

static void every_flipped_bit(void) {
    const blob model = relu_model();
    for (size_t bit = 0; bit < model.size * 8; bit++) {
        blob flipped = model;
        open_net n;
        flipped.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
        n = describe(&flipped, NULL, 1, 1);
        ENSURE(n.plan || nn_error(n.nn) || nn_fault_count(n.model) > 0);
        close_net(&n);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(claims);
    RUN(numbers_that_are_none);
    RUN(nested_too_deep);
    RUN(endless_recursion);
    RUN(outputs_without_names);
    RUN(bombs);
    RUN(external_data);
    RUN(a_file_in_memory_has_no_files);
    RUN(every_truncation);
    RUN(every_flipped_bit);
    return test_report();
}
