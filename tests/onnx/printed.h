/* tests/onnx/printed.h - compiles the nets that nn_write_c prints, for test_onnx_c.c: all of them
   go into one program, which runs one net by its number, reads the inputs from a file and writes
   the outputs to another. */
#pragma once

#include "test.h"

#include "nn_onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED_MOST = 100, PRINTED_BATCH = 3, PRINTED_TIME = 5 };

typedef struct printed_text {
    char *at;
    size_t size;
} printed_text;

static void printed_add(void *user, const char *text, size_t length) {
    printed_text *to = (printed_text *)user;
    to->at = (char *)realloc(to->at, to->size + length + 1);
    memcpy(to->at + to->size, text, length);
    to->size += length;
    to->at[to->size] = 0;
}

/* A net that was printed, and the bytes of its outputs. */
typedef struct printed_net {
    char name[40];
    printed_text text, outputs;
    int batch, time;
} printed_net;

static printed_net printed[PRINTED_MOST];
static int printed_count;

static FILE *printed_open(const char *ending, int number, const char *mode) {
    char path[64];
    snprintf(path, sizeof path, "printed_%d.%s", number, ending);
    return fopen(path, mode);
}

/* Fills in numbers that suit the operations of the test: floats from -1 to 1, small indices. */
static void printed_fill(const nn_node *node, const nn_view *view, void *to, size_t bytes,
                         unsigned *state) {
    (void)node;
    const size_t size = nn_dtype_size(view->dtype);
    for (size_t i = 0; i < bytes / size; i++) {
        *state = *state * 1664525u + 1013904223u;
        const int whole = (int)(*state >> 28) % 4 + (view->dtype == NN_I32 ? 1 : 0);
        const float real = (float)(*state >> 8) / 8388608.0f - 1.0f;
        if (view->dtype == NN_F32)
            memcpy((char *)to + 4 * i, &real, 4);
        else if (view->dtype == NN_I32)
            memcpy((char *)to + 4 * i, &whole, 4);
        else if (size == 2) { /* of 16 bits: from 1 to 2 in either format */
            const unsigned short half = (unsigned short)(0x3f80 + (*state >> 26));
            memcpy((char *)to + 2 * i, &half, 2);
        } else
            ((unsigned char *)to)[i] = (unsigned char)(whole & 1);
    }
}

/* The function that fills the inputs with numbers. */
static void (*printed_numbers)(const nn_node *node, const nn_view *view, void *to, size_t bytes,
                               unsigned *state) = printed_fill;

/* Uploads numbers to every input that the plan has, in the order of their description, and keeps
   them in the file. */
static bool printed_feed(const nn_model *net, nn_plan *plan, FILE *file, unsigned seed) {
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node)) {
        const nn_view view = nn_plan_view(plan, node);
        if (nn_describe_node(node).kind != NN_NODE_INPUT || !view.dtype) continue;
        if (strcmp(nn_describe_node(node).operation, "state") == 0) continue;
        const size_t bytes = (size_t)nn_shape_count(view.shape) * nn_dtype_size(view.dtype);
        void *numbers = malloc(bytes);
        printed_numbers(node, &view, numbers, bytes, &seed);
        fwrite(numbers, 1, bytes, file);
        const nn_result result = nn_upload(plan, node, numbers, bytes);
        free(numbers);
        if (result != NN_OK) return false;
    }
    return true;
}

static bool printed_keep(nn_plan *plan, nn_nodes outputs, printed_text *to) {
    for (int k = 0; k < outputs.count; k++) {
        const nn_view view = nn_plan_view(plan, outputs.node[k]);
        const size_t bytes = (size_t)nn_shape_count(view.shape) * nn_dtype_size(view.dtype);
        char *numbers = (char *)malloc(bytes);
        const nn_result result = nn_download(plan, outputs.node[k], numbers, bytes);
        printed_add(to, numbers, bytes);
        free(numbers);
        if (result != NN_OK) return false;
    }
    return true;
}

/* Prints a net and runs it twice, so that states have an effect. desc: its outputs, and .weights.
   False: an error of the library (nn_error). */
static bool print_net(nn_model *net, const char *name, const nn_c_desc *from, int batch, int time) {
    printed_net *to = &printed[printed_count];
    nn_c_desc desc = *from;
    nn_plan_desc wanted;
    FILE *file = printed_open("in", printed_count, "wb");
    memset(to, 0, sizeof *to);
    memset(&wanted, 0, sizeof wanted);
    snprintf(to->name, sizeof to->name, "%s_%d", name, printed_count);
    to->batch = batch;
    to->time = time;
    desc.name = to->name;
    desc.writer.function = printed_add;
    desc.writer.user = &to->text;
    if (!file || printed_count == PRINTED_MOST) return false;
    bool fine = nn_write_c(net, &desc) == NN_OK;
    wanted.outputs = desc.outputs;
    wanted.batch = batch;
    wanted.time = time;
    nn_plan *plan = fine ? nn_make_plan(net, &wanted) : NULL;
    fine = plan != NULL;
    for (unsigned run = 0; run < 2 && fine; run++)
        fine = printed_feed(net, plan, file, run + 1) && nn_run(plan) == NN_OK &&
               printed_keep(plan, desc.outputs, &to->outputs);
    fclose(file);
    nn_free_plan(plan);
    if (fine) printed_count++;
    return fine;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Calls `each` with the fields of the printed struct that have this role. */
static void printed_fields(FILE *file, const printed_net *net, const char *role,
                           const char *format) {
    const char *at = strstr(net->text.at, "typedef struct"), *end = strstr(at, "} ");
    while ((at = strstr(at, "    nn_node *")) != NULL && at < end) {
        const char *name = at + 13, *stop = strchr(name, ';');
        if (strncmp(stop, "; /* ", 5) == 0 && strncmp(stop + 5, role, strlen(role)) == 0)
            fprintf(file, format, (int)(stop - name), name);
        at = stop;
    }
}

static void printed_main(FILE *file) {
    fprintf(file, "#include <stdio.h>\n#include <stdlib.h>\n"
                  "static bool feed(nn_plan *plan, nn_node *node, FILE *from) {\n"
                  "    const nn_view view = nn_plan_view(plan, node);\n"
                  "    const size_t bytes = (size_t)nn_shape_count(view.shape) * "
                  "nn_dtype_size(view.dtype);\n"
                  "    void *numbers = malloc(bytes);\n"
                  "    bool fine = fread(numbers, 1, bytes, from) == bytes && "
                  "nn_upload(plan, node, numbers, bytes) == NN_OK;\n"
                  "    free(numbers);\n    return fine;\n}\n"
                  "static bool keep(nn_plan *plan, nn_node *node, FILE *to) {\n"
                  "    const nn_view view = nn_plan_view(plan, node);\n"
                  "    const size_t bytes = (size_t)nn_shape_count(view.shape) * "
                  "nn_dtype_size(view.dtype);\n"
                  "    void *numbers = malloc(bytes);\n"
                  "    bool fine = nn_download(plan, node, numbers, bytes) == NN_OK && "
                  "fwrite(numbers, 1, bytes, to) == bytes;\n"
                  "    free(numbers);\n    return fine;\n}\n");
    for (int i = 0; i < printed_count; i++) {
        const printed_net *net = &printed[i];
        fprintf(file,
                "static bool run_%d(nn_model *net, FILE *from, FILE *to) {\n"
                "    %s_nodes n = %s_describe(net);\n    nn_node *outputs[] = {",
                i, net->name, net->name);
        printed_fields(file, net, "output", "n.%.*s, ");
        fprintf(file,
                "NULL};\n    nn_plan_desc desc;\n    nn_plan *plan;\n    bool fine;\n"
                "    memset(&desc, 0, sizeof desc);\n    desc.outputs.node = outputs;\n"
                "    while (outputs[desc.outputs.count]) desc.outputs.count++;\n"
                "    desc.batch = %d;\n    desc.time = %d;\n"
                "    if (%s_load(net%s) != NN_OK) return false;\n"
                "    plan = nn_make_plan(net, &desc);\n    fine = plan != NULL;\n"
                "    for (int run = 0; run < 2 && fine; run++) {\n        (void)from;\n",
                net->batch, net->time, net->name,
                strstr(net->text.at, "nn_load_weights") ? ", NULL" : "");
        printed_fields(file, net, "input", "        fine = fine && feed(plan, n.%.*s, from);\n");
        fprintf(file, "        fine = fine && nn_run(plan) == NN_OK;\n");
        printed_fields(file, net, "output", "        fine = fine && keep(plan, n.%.*s, to);\n");
        fprintf(file, "    }\n    return fine;\n}\n");
    }
    fprintf(file, "static bool (*const nets[])(nn_model *, FILE *, FILE *) = {");
    for (int i = 0; i < printed_count; i++) fprintf(file, "run_%d, ", i);
    fprintf(file,
            "};\nint main(int count, char **words) {\n    char path[64];\n"
            "    nn_context *nn;\n    nn_model *net;\n    nn_desc desc;\n    nn_model_desc made;\n"
            "    FILE *from, *to;\n    bool fine;\n    if (count < 3) return 2;\n"
            "    memset(&desc, 0, sizeof desc);\n    memset(&made, 0, sizeof made);\n"
            "    desc.threads = 1;\n    desc.log.function = nn_write_stderr;\n"
            "    made.dtype = (nn_dtype)atoi(words[2]);\n"
            "    snprintf(path, sizeof path, \"printed_%%s.in\", words[1]);\n"
            "    from = fopen(path, \"rb\");\n"
            "    snprintf(path, sizeof path, \"printed_%%s.out\", words[1]);\n"
            "    to = fopen(path, \"wb\");\n    nn = nn_open(&desc);\n"
            "    net = nn_make_model(nn, &made);\n"
            "    fine = from && to && net && nets[atoi(words[1])](net, from, to);\n"
            "    if (from) fclose(from);\n    if (to) fclose(to);\n    nn_close(nn);\n"
            "    return fine ? 0 : 1;\n}\n");
}

static const char *printed_compiler(void) {
    const char *compiler = getenv("CC");
    return compiler && *compiler ? compiler : "cc";
}

/* Returns the compiler that looks through C++: clang++ takes a fifth of g++'s time. make test-full
   takes the system's. */
static TEST_UNUSED const char *printed_cpp(void) {
    const char *full = getenv("NN_FULL");
    const bool quick = (!full || strcmp(full, "0") == 0) &&
                       system("clang++ --version > printed_cpp.log 2>&1") == 0;
    remove("printed_cpp.log");
    return quick ? "clang++" : "c++";
}

/* Returns the library that this program is linked with; NULL: it is not found. */
static const char *printed_library(void) {
    static const char *const paths[] = {"build/quick/nn.o", "build/parts/nn.o", "build/po/libnn.a"};
    const char *given = getenv("NN_TEST_LIBRARY");
    if (given) return given;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        FILE *file = fopen(paths[i], "rb");
        if (file) fclose(file);
        if (file) return paths[i];
    }
    return NULL;
}

/* Compiles a C file; true: no errors. */
static bool printed_compile(const char *source, const char *program, const char *options) {
    char command[512];
    snprintf(command, sizeof command,
             "%s -std=c99 %s -DNN_IMPLEMENTED -I. -o %s %s %s -lm -lpthread", printed_compiler(),
             options, program, source, printed_library());
    return system(command) == 0;
}

/* Writes all nets into one file. main: as a program; otherwise only the nets. */
static void printed_write(const char *path, bool program) {
    FILE *file = fopen(path, "w");
    if (!file) return;
    for (int i = 0; i < printed_count; i++)
        fwrite(printed[i].text.at, 1, printed[i].text.size, file);
    if (program) printed_main(file);
    fclose(file);
}

/* True if a program that does nothing can be compiled, linked and run here. */
static bool printed_can_compile(void) {
    FILE *file = fopen("printed_probe.c", "w");
    bool fine = file && printed_library();
    if (file) {
        fprintf(file, "#include \"nn.h\"\nint main(void) { return nn_version()[0] ? 0 : 1; }\n");
        fclose(file);
    }
    fine = fine &&
           printed_compile("printed_probe.c", "./printed_probe", "-w 2> printed_probe.log") &&
           system("./printed_probe") == 0;
    remove("printed_probe.c");
    remove("printed_probe.log");
    remove("printed_probe");
    return fine;
}

/* Runs net number i of the program and compares the bytes. */
static bool printed_same(int i, nn_dtype dtype) {
    char command[64];
    FILE *file;
    snprintf(command, sizeof command, "./printed_program %d %d", i, (int)dtype);
    if (system(command) != 0) return false;
    file = printed_open("out", i, "rb");
    if (!file) return false;
    char *bytes = (char *)malloc(printed[i].outputs.size + 1);
    const size_t size = fread(bytes, 1, printed[i].outputs.size + 1, file);
    const bool same =
        size == printed[i].outputs.size && memcmp(bytes, printed[i].outputs.at, size) == 0;
    fclose(file);
    free(bytes);
    return same;
}

static void printed_forget(void) {
    for (int i = 0; i < printed_count; i++) {
        char path[64];
        free(printed[i].text.at);
        free(printed[i].outputs.at);
        snprintf(path, sizeof path, "printed_%d.in", i);
        remove(path);
        snprintf(path, sizeof path, "printed_%d.out", i);
        remove(path);
    }
    printed_count = 0;
}
