/* tests/onnx/test_onnx_attacks.c - small files that ask for much, and real files that are damaged:
   each ends in under a second, as a net or with an error in words, and takes at most 64 MB and
   three times the file. NN_FULL=1: every length of three files, and 10,000 flipped bits. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "described.h"
#include "real.h"

#include <time.h>

/* Returns processor time, so that other programs on the machine do not count. */
static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Gives the free extents of the real files. */
static const nn_onnx_net_desc real_desc = {
    .extents = {(const nn_onnx_extent[]){{"input_1.1", 24}, {"input_1.2", 24}, {"input.1", NN_TIME}},
                3}};

typedef struct attack {
    int opened, described;
    double longest;     /* seconds */
    uint64_t most_over; /* bytes of memory above three times the file */
} attack;

/* Opens and describes bytes. Returns false, with a message, if this takes too long or too much
   memory, or fails without words. */
static bool attack_with(attack *a, const void *bytes, size_t size) {
    const double start = seconds();
    nn_context *nn = open_context();
    nn_model *net = nn_make_model(nn, NULL);
    const uint64_t before = nn_context_memory(nn).peak_bytes;
    nn_onnx *file = nn_open_onnx(nn, &(nn_onnx_desc){.bytes = bytes, .size = size});
    bool said = nn_error(nn) != NULL, good;
    uint64_t over;
    double took;
    if (file) {
        nn_onnx_net(net, "a", file, &real_desc);
        said = nn_fault_count(net) == 0 || nn_error(nn) != NULL;
        a->opened++;
        a->described += nn_fault_count(net) == 0;
    }
    over = nn_context_memory(nn).peak_bytes - before;
    over = over > 3 * (uint64_t)size ? over - 3 * (uint64_t)size : 0;
    took = seconds() - start;
    if (took > a->longest) a->longest = took;
    if (over > a->most_over) a->most_over = over;
    good = said && took < 1 && over <= (uint64_t)64 << 20;
    if (!good)
        printf("%d bytes: %s, %.3f s, %.1f MB: %.300s\n", (int)size, said ? "said why" : "no word",
               took, (double)over / 1048576, nn_error(nn) ? nn_error(nn) : "");
    nn_close_onnx(file);
    close_context(nn);
    return good;
}

static bool refused(const blob *model) {
    attack a = {0, 0, 0, 0};
    const bool good = attack_with(&a, model->at, model->size);
    if (a.described) printf("it was described\n");
    return good && a.described == 0;
}

/* Returns a model around these nodes, from x to y. */
static blob ends(blob *graph) {
    add(graph, 11, info("x", ONNX_FLOAT, "2"));
    add(graph, 12, info("y", ONNX_FLOAT, "2"));
    return model_of(graph, 18);
}

/* ---- files that ask for much ----------------------------------------------------------------- */

/* Thirty functions, each of which calls the next one twice. */
static void doubling_functions(void) {
    blob graph = {.size = 0}, op = node("F0 x -> y"), model;
    put_text(&op, 7, "own");
    add(&graph, 1, op);
    model = ends(&graph);
    for (int i = 0; i < 30; i++) {
        blob function = {.size = 0};
        char name[16], call[64];
        snprintf(name, sizeof name, "F%d", i);
        put_text(&function, 1, name);
        put_text(&function, 10, "own");
        put_text(&function, 4, "p");
        put_text(&function, 5, "r");
        for (int k = 0; k < 2; k++) {
            snprintf(call, sizeof call, i < 29 ? "F%d %s -> %s" : "Tanh%.0d %s -> %s",
                     i < 29 ? i + 1 : 0, k ? "q" : "p", k ? "r" : "q");
            op = node(call);
            if (i < 29) put_text(&op, 7, "own");
            put_message(&function, 7, &op);
        }
        put_message(&model, 25, &function);
    }
    ENSURE(refused(&model));
}

/* Describes a loop of 1,000 runs around these nodes, which compute t from s. */
static blob loop_around(const blob *inside, const char *text) {
    blob body = *inside, op = node(text);
    add(&body, 1, node("Identity c -> d"));
    for (int i = 0; i < 3; i++) add(&body, 11, info(i == 0 ? "i" : i == 1 ? "c" : "s", ONNX_FLOAT, "2"));
    add(&body, 12, info("d", ONNX_BOOL, ""));
    add(&body, 12, info("t", ONNX_FLOAT, "2"));
    with_message(&op, "body", 5, &body);
    return op;
}

/* Nested loops of 1,000 runs each. */
static void loops_in_loops(void) {
    static blob inside, graph, model;
    const int64_t runs = 1000;
    inside.size = graph.size = 0;
    add(&inside, 1, node("Tanh s -> t"));
    for (int depth = 0; depth < 3; depth++) {
        blob op = loop_around(&inside, "Loop m,,s -> t");
        inside.size = 0;
        add(&inside, 1, op);
    }
    add(&graph, 1, loop_around(&inside, "Loop m,,x -> y"));
    add(&graph, 5, tensor("m", ONNX_INT64, "", &runs, 8));
    model = ends(&graph);
    ENSURE(refused(&model));
}

/* A constant that is concatenated with itself forty times, each time with the result before. */
static void doubling_numbers(void) {
    blob graph = {.size = 0}, model;
    char text[64];
    add(&graph, 5, tensor("v0", ONNX_FLOAT, "2", ones, 8));
    for (int i = 0; i < 40; i++) {
        blob op;
        snprintf(text, sizeof text, "Concat v%d,v%d -> v%d", i, i, i + 1);
        op = node(text);
        with_int(&op, "axis", 0);
        add(&graph, 1, op);
    }
    add(&graph, 1, node("ReduceSum v40 -> sum"));
    add(&graph, 1, node("Add x,sum -> y"));
    model = ends(&graph);
    ENSURE(refused(&model));
}

/* A hundred tensors of 40 MB from one number each. */
static void many_large_numbers(void) {
    const int64_t shape[2] = {1000, 10000};
    blob graph = {.size = 0}, model;
    attack a = {0, 0, 0, 0};
    char text[64];
    add(&graph, 5, tensor("shape", ONNX_INT64, "2", shape, 16));
    add(&graph, 5, tensor("v0", ONNX_FLOAT, "1,1", ones, 4));
    for (int i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "Expand v0,shape -> e%d", i);
        add(&graph, 1, node(text));
        snprintf(text, sizeof text, "Mul e%d,v%d -> v%d", i, i, i + 1);
        add(&graph, 1, node(text));
    }
    add(&graph, 1, node("ReduceSum v100 -> sum"));
    add(&graph, 1, node("Add x,sum -> y"));
    model = ends(&graph);
    ENSURE(attack_with(&a, model.at, model.size));
}

/* A constant of 1.6 GB from one number takes no memory before a plan does. */
static void a_large_constant(void) {
    const int64_t shape[3] = {20000, 20000, 1};
    blob graph = {.size = 0}, model;
    attack a = {0, 0, 0, 0};
    add(&graph, 5, tensor("shape", ONNX_INT64, "3", shape, 24));
    add(&graph, 1, node("ConstantOfShape shape -> c"));
    add(&graph, 1, node("Add x,c -> y"));
    model = ends(&graph);
    ENSURE(attack_with(&a, model.at, model.size));
}

/* Ten thousand nested messages, in a field that is skipped and in one that is read. */
static void deep_messages(void) {
    static blob inner, outer, model;
    for (uint32_t field = 5; field <= 15; field += 10) {
        blob graph = {.size = 0};
        attack a = {0, 0, 0, 0};
        inner.size = 0;
        for (int i = 0; i < 9000; i++) { /* 60,000 bytes at most */
            outer.size = 0;
            put_message(&outer, field, &inner);
            inner = outer;
        }
        add(&graph, 1, node("Relu x -> y"));
        put_message(&graph, field, &inner);
        model = ends(&graph);
        ENSURE(attack_with(&a, model.at, model.size));
    }
}

/* ---- damaged files --------------------------------------------------------------------------- */

static const char *const real_files[] = {"face-pnet", "attacut-c", "basic-pitch"};

static unsigned char *slurp(const char *folder, size_t *size) {
    char path[512];
    unsigned char *data = NULL;
    FILE *file;
    long end;
    real_path(folder, path, sizeof path);
    file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    end = ftell(file);
    rewind(file);
    data = (unsigned char *)malloc((size_t)end);
    *size = data ? fread(data, 1, (size_t)end, file) : 0;
    fclose(file);
    return data;
}

/* Files that end early. All must be refused, except those that end with a complete field. */
static void every_length(void) {
    for (int k = 0; k < 3; k++) {
        attack a = {0, 0, 0, 0};
        size_t size = 0;
        const size_t step = getenv("NN_FULL") ? 1 : 101;
        unsigned char *data = slurp(real_files[k], &size);
        if (!data) SKIP("../shared/onnx is not there");
        for (size_t length = 0; length < size; length += step) {
            unsigned char *copy = (unsigned char *)malloc(length + 1); /* for sanitizers */
            const bool good = copy != NULL;
            if (copy) memcpy(copy, data, length);
            if (test_wrong(!good || !attack_with(&a, copy, length)))
                test_fail(__FILE__, __LINE__, "%s cut to %d bytes", real_files[k], (int)length);
            free(copy);
        }
        printf("%s: %d lengths opened, %d described, at most %.3f s and %.1f MB\n", real_files[k],
               a.opened, a.described, a.longest, (double)a.most_over / 1048576);
        ENSURE(a.opened < 10);
        free(data);
    }
}

/* True if letters are near, as in names and types: then the byte is not in the weights. */
static bool is_structure(const unsigned char *data, size_t size, size_t at) {
    int letters = 0;
    const size_t end = at + 24 < size ? at + 24 : size;
    for (size_t i = at > 24 ? at - 24 : 0; i < end && letters < 5; i++)
        letters = (data[i] | 32) >= 'a' && (data[i] | 32) <= 'z' ? letters + 1 : 0;
    return letters >= 5;
}

/* Flips one bit of a file at a time. Four fifths of the bits are outside of the weights. */
static void flipped_bits(void) {
    const int flips = getenv("NN_FULL") ? 3334 : 200;
    for (int k = 0; k < 3; k++) {
        attack a = {0, 0, 0, 0};
        size_t size = 0;
        unsigned char *data = slurp(real_files[k], &size);
        uint32_t words[4] = {0, 0, 0, 0};
        if (!data) SKIP("../shared/onnx is not there");
        for (int i = 0, tries = 0; i < flips; tries++) {
            size_t at;
            nn_random_words(7, (uint64_t)k, (uint64_t)tries, words);
            at = words[0] % size;
            if (i % 5 > 0 && tries < 100 * flips && !is_structure(data, size, at)) continue;
            data[at] ^= (unsigned char)(1u << words[1] % 8);
            if (test_wrong(!attack_with(&a, data, size)))
                test_fail(__FILE__, __LINE__, "%s, bit %u of byte %d", real_files[k],
                          (unsigned)(words[1] % 8), (int)at);
            data[at] ^= (unsigned char)(1u << words[1] % 8);
            i++;
        }
        printf("%s: of %d flipped bits %d opened, %d described, at most %.3f s and %.1f MB\n",
               real_files[k], flips, a.opened, a.described, a.longest,
               (double)a.most_over / 1048576);
        ENSURE(a.opened < flips);
        free(data);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(doubling_functions);
    RUN(loops_in_loops);
    RUN(doubling_numbers);
    RUN(many_large_numbers);
    RUN(a_large_constant);
    RUN(deep_messages);
    RUN(every_length);
    RUN(flipped_bits);
    return test_report();
}
