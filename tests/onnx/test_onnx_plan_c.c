/* test_onnx_plan_c.c: plans that nn_write_plan_c prints as constants are compiled into one program
   with the descriptions of nn_write_c. Both run on the same inputs and give the same bytes. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "lists.h"
#include "printed.h"
#include "test.h"

/* A net as a description and as constants. */
typedef struct planned_net {
    char name[48];
    printed_text described, planned;
} planned_net;

static planned_net nets[PRINTED_MOST];
static int net_count, outputs_planned, outputs_refused;
static nn_dtype printed_dtypes[PRINTED_MOST];

/* Operations that plans of constants do not have. */
static bool is_known_refusal(const char *error) {
    static const char *const causes[] = {
        "do not have the kernel", "keeps its value", "random numbers",
        "no step computes",       "dtype f16",       "dtype bf16",
        "several results"};
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (strstr(error, causes[i])) return true;
    return false;
}

static void drop(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
}

/* Prints the outputs that plans of constants can have. */
static void print_these(nn_model *net, const char *name, nn_nodes outputs, const char *file) {
    nn_context *of = nn_model_context(net);
    planned_net *to = &nets[net_count];
    nn_node *kept[20];
    nn_plan_c_desc desc;
    nn_c_desc described;
    (void)file;
    memset(&desc, 0, sizeof desc);
    memset(&described, 0, sizeof described);
    memset(to, 0, sizeof *to);
    desc.outputs.node = kept;
    desc.batch = PRINTED_BATCH;
    desc.time = PRINTED_TIME;
    for (int k = 0; k < outputs.count; k++) {
        nn_plan_c_desc one = desc;
        one.outputs.node = &outputs.node[k];
        one.outputs.count = 1;
        one.writer.function = drop;
        if (nn_write_plan_c(net, &one) == NN_OK) {
            kept[desc.outputs.count++] = outputs.node[k];
        } else {
            outputs_refused++;
            if (test_wrong(!is_known_refusal(nn_error(of))))
                test_fail(__FILE__, __LINE__, "%s: %s", name, nn_error(of));
            nn_clear_error(of);
        }
    }
    if (desc.outputs.count == 0) return;
    snprintf(to->name, sizeof to->name, "%s_%d", name, net_count);
    char planned[64];
    snprintf(planned, sizeof planned, "fixed_%s", to->name);
    desc.name = planned;
    desc.writer.function = described.writer.function = printed_add;
    desc.writer.user = &to->planned;
    described.name = to->name;
    described.outputs = desc.outputs;
    described.writer.user = &to->described;
    if (test_wrong(nn_write_plan_c(net, &desc) != NN_OK || nn_write_c(net, &described) != NN_OK)) {
        test_fail(__FILE__, __LINE__, "%s: %s", name, nn_error(of));
        return;
    }
    outputs_planned += desc.outputs.count;
    net_count++;
}
#include "c_nets.h"

/* An MLP and a convolutional net as firmware has them, whose relus join the layers before them. */
static void of_firmware(nn_model *net) {
    DESC(nn_conv2d_desc, conv, .out_channels = 8, .kernel = 3, .padding = 1);
    DESC(nn_pool2d_desc, pool, .kernel = 2);
    DESC(nn_linear_desc, wide, .out_features = 19);
    DESC(nn_linear_desc, last, .out_features = 3);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 12, 10));
    nn_node *y = nn_max_pool2d(net, nn_relu(net, nn_conv2d(net, "conv", x, conv)), pool);
    nn_node *both = nn_linear(net, "both", nn_flatten(net, y), wide); /* read twice: not joined */
    y = nn_relu(net, nn_linear(net, "wide", nn_flatten(net, y), wide));
    nn_node *z = nn_add(net, nn_relu(net, both), nn_multiply(net, both, y));
    PRINT(net, "firmware", NULL, nn_softmax(net, nn_linear(net, "last", z, last), 1), z,
          nn_relu(net, nn_linear(net, "end", y, last)), nn_mean(net, z, NN_AXES(1)),
          nn_matmul(net, nn_reshape(net, z, NN_SHAPE(NN_BATCH, 19, 1)),
                    nn_reshape(net, y, NN_SHAPE(NN_BATCH, 1, 19)), NULL));
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Calls fprintf with the name of each pointer of a printed plan that has this role. */
static void print_pointers(FILE *file, const planned_net *net, const char *role,
                           const char *format) {
    const char *at = net->planned.at;
    while ((at = strstr(at, "*const NN__UNUSED ")) != NULL) {
        const char *name = at + 18, *end = strchr(name, ' '), *said = strstr(name, "/* ");
        if (said && strncmp(said + 3, role, strlen(role)) == 0)
            fprintf(file, format, (int)(end - name), name);
        at = name;
    }
}

static void print_fields(FILE *file, const planned_net *net, const char *role) {
    printed_net one;
    memset(&one, 0, sizeof one);
    one.text = net->described;
    printed_fields(file, &one, role, "n.%.*s, ");
}

static const char same_text[] =
    "#include <stdio.h>\n"
    "/* Runs both on the same numbers; 0: the outputs have the same bytes. */\n"
    "static int same(const char *name, nn_model *net, nn_node **in, void **to, nn_node **out,\n"
    "                void **from, nn_result (*run)(void), int batch, int time) {\n"
    "    static unsigned char numbers[65536], result[65536];\n"
    "    nn_plan_desc desc;\n    nn_plan *plan;\n    unsigned state = 1;\n"
    "    memset(&desc, 0, sizeof desc);\n    desc.outputs.node = out;\n"
    "    while (out[desc.outputs.count]) desc.outputs.count++;\n"
    "    desc.batch = batch;\n    desc.time = time;\n    plan = nn_make_plan(net, &desc);\n"
    "    for (int round = 0; round < 2; round++) {\n"
    "        for (int i = 0; in[i]; i++) {\n"
    "            const nn_view view = nn_plan_view(plan, in[i]);\n"
    "            const size_t size = nn_dtype_size(view.dtype);\n"
    "            const size_t count = (size_t)nn_shape_count(view.shape);\n"
    "            if (count * size == 0 || count * size > sizeof numbers) return 1;\n"
    "            for (size_t k = 0; k < count; k++) {\n"
    "                state = state * 1664525u + 1013904223u;\n"
    "                const float real = (float)(state >> 8) / 8388608.0f - 1.0f;\n"
    "                const int32_t whole = (int32_t)(state >> 28);\n"
    "                if (view.dtype == NN_F32) memcpy(numbers + 4 * k, &real, 4);\n"
    "                else if (size == 4) memcpy(numbers + 4 * k, &whole, 4);\n"
    "                else numbers[k] = (unsigned char)(whole & 1);\n            }\n"
    "            if (nn_upload(plan, in[i], numbers, count * size) != NN_OK) return 1;\n"
    "            memcpy(to[i], numbers, count * size);\n        }\n"
    "        if (nn_run(plan) != NN_OK || run() != NN_OK) return 1;\n"
    "        for (int i = 0; out[i]; i++) {\n"
    "            const nn_view view = nn_plan_view(plan, out[i]);\n"
    "            const size_t bytes = (size_t)nn_shape_count(view.shape) * "
    "nn_dtype_size(view.dtype);\n"
    "            if (bytes > sizeof result || nn_download(plan, out[i], result, bytes) != NN_OK)\n"
    "                return 1;\n"
    "            if (memcmp(result, from[i], bytes) == 0) continue;\n"
    "            fprintf(stderr, \"%s: output %d differs\\n\", name, i);\n            return 1;\n"
    "        }\n    }\n    return 0;\n}\n";

static void write_program(const char *path, bool runs) {
    FILE *file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "#define NN_NO_TRAINING\n#define NN_NO_SPEEDUPS\n#define NN_NO_THREADS\n"
                  "#define NN_NO_SIMD\n#define NN_IMPLEMENTATION\n#include \"nn.h\"\n");
    for (int i = 0; i < net_count; i++) {
        fwrite(nets[i].planned.at, 1, nets[i].planned.size, file);
        if (runs) fwrite(nets[i].described.at, 1, nets[i].described.size, file);
    }
    if (runs) fputs(same_text, file);
    for (int i = 0; i < net_count && runs; i++) {
        fprintf(
            file,
            "static int run_%d(nn_context *nn) {\n    nn_model *net = nn_make_model(nn, NULL);\n"
            "    %s_nodes n = %s_describe(net);\n    nn_node *in[] = {",
            i, nets[i].name, nets[i].name);
        print_fields(file, &nets[i], "input");
        fprintf(file, "NULL}, *out[] = {");
        print_fields(file, &nets[i], "output");
        fprintf(file, "NULL};\n    void *to[] = {");
        print_pointers(file, &nets[i], "input", "%.*s, ");
        fprintf(file, "NULL}, *from[] = {");
        print_pointers(file, &nets[i], "output", "%.*s, ");
        fprintf(file,
                "NULL};\n    if (sizeof in / sizeof *in != sizeof to / sizeof *to ||\n"
                "        sizeof out / sizeof *out != sizeof from / sizeof *from ||\n"
                "        %s_load(net) != NN_OK)\n        return 1;\n"
                "    return same(\"%s\", net, in, to, out, from, fixed_%s_run, %d, %d);\n}\n",
                nets[i].name, nets[i].name, nets[i].name, PRINTED_BATCH, PRINTED_TIME);
    }
    fprintf(file, "int main(void) {\n    int wrong = 0;\n");
    for (int i = 0; i < net_count && runs; i++)
        fprintf(file,
                "    {\n        nn_context *nn = nn_open(NULL);\n        if (run_%d(nn)) {\n"
                "            wrong++;\n            fprintf(stderr, \"%s: %%s\\n\", nn_error(nn) ? "
                "nn_error(nn) : \"other bytes\");\n        }\n"
                "        nn_clear_error(nn);\n        nn_close(nn);\n    }\n",
                i, nets[i].name);
    fprintf(file, "    return wrong;\n}\n");
    fclose(file);
}

static void print_all(void) {
    static void (*const all[])(nn_model *) = {of_firmware, of_images,   of_steps, of_streams,
                                              of_words,    of_elements, of_moves, of_choices,
                                              of_norms,    of_integers};
    nn = nn_open(NULL);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        nn_model *net = nn_make_model(nn, NULL);
        all[i](net);
        nn_free_model(net);
    }
    for (int i = 0; i < 4; i++) {
        char prefix[64];
        snprintf(prefix, sizeof prefix, "fixed_%s", nets[i].name);
        add_names(nets[i].planned.at, prefix);
    }
    print_named();
    nn_close(nn);
}

static void forget_all(void) {
    for (int i = 0; i < net_count; i++) {
        free(nets[i].described.at);
        free(nets[i].planned.at);
    }
    net_count = outputs_planned = outputs_refused = 0;
}

static bool compile(const char *compiler, const char *options, const char *source) {
    char command[512];
    snprintf(command, sizeof command, "%s %s -I. %s", compiler, options, source);
    return system(command) == 0;
}

static void plans_give_the_same_bytes(void) {
    if (!compile(printed_compiler(), "-fsyntax-only -x c", "/dev/null 2> planned.log")) {
        test_skip_part(__FILE__, __LINE__, "no C compiler");
        return;
    }
    print_all();
    ENSURE(outputs_planned >= 29);
    write_program("planned_program.c", true);
    ENSURE(compile(printed_compiler(), "-std=c99 -O0 -w -o ./planned_program",
                   "planned_program.c -lm"));
    ENSURE(system("./planned_program") == 0);
    if (!test_this_failed) remove("planned_program.c");
    remove("planned_program");
    remove("planned.log");
    forget_all();
}

static void they_are_cpp_too(void) {
    if (!compile("c++", "-std=c++11 -fsyntax-only -x c++", "/dev/null 2> planned.log")) {
        test_skip_part(__FILE__, __LINE__, "no C++ compiler");
        return;
    }
    print_all();
    write_program("planned.cpp", false);
    ENSURE(compile("c++", "-std=c++11 -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only",
                   "planned.cpp"));
    remove("planned.cpp");
    remove("planned.log");
    forget_all();
}

/* ---- layers that nn_write_c does not print --------------------------------------------------- */

enum { QUANTISED_IN = 2 * 3 * 7 * 6, QUANTISED_OUT = 2 * 5 };

/* Fills all buffers: i8 with any bytes, ranges and scales with positive numbers. */
static void fill_quantised(nn_model *net) {
    static float real[64];
    static int32_t whole[64];
    static int8_t bytes[1024];
    for (int i = 0; i < 64; i++) real[i] = 0.01f + 0.001f * (float)(i % 7);
    for (int i = 0; i < 64; i++) whole[i] = i * 37 % 61 - 30;
    for (int i = 0; i < 1024; i++) bytes[i] = (int8_t)(i * 53 % 255 - 127);
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node)) {
        if (nn_describe_node(node).kind != NN_NODE_BUFFER) continue;
        nn_tensor *tensor = nn_find_tensor(net, nn_node_name(node));
        const nn_dtype dtype = nn_node_dtype(node);
        const void *from = dtype == NN_I8    ? (const void *)bytes
                           : dtype == NN_I32 ? (const void *)whole
                                             : (const void *)real;
        nn_upload_tensor(tensor, from, nn_tensor_bytes(tensor));
    }
}

/* A convolution and a linear layer between roundings, as nn_onnx_integers describes them. */
static nn_node *describe_quantised(nn_model *net, nn_node *x) {
    DESC(nn_quantized_conv2d_desc, conv, .out_channels = 4, .kernel = 3, .stride = 2, .padding = 1,
         .bias = true);
    DESC(nn_quantized_linear_desc, linear, .out_features = 5, .weight_zero_points = true);
    nn_node *first = nn_buffer(net, "first", NN_F32, NN_SHAPE(2), 1.0);
    nn_node *second = nn_buffer(net, "second", NN_F32, NN_SHAPE(2), 1.0);
    nn_node *y =
        nn_quantized_conv2d(net, "conv", nn_quantize_even(net, x, first), first, conv);
    y = nn_quantize_even(net, nn_flatten(net, nn_relu(net, y)), second);
    return nn_quantized_linear(net, "linear", y, second, linear);
}

static void print_words(FILE *file, const char *name, const float *numbers, int count) {
    fprintf(file, "static const unsigned %s[] = {", name);
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        fprintf(file, "%s%uu", i == 0 ? "" : i % 8 ? ", " : ",\n", (unsigned)bits);
    }
    fprintf(file, "};\n");
}
/* Writes a program that runs the plan on the numbers and exits with 0 if the output has the bytes
   of result. */
static void write_quantised(const char *path, const planned_net *net, const float *numbers,
                            const float *result) {
    FILE *file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "#define NN_NO_TRAINING\n#define NN_NO_SPEEDUPS\n#define NN_NO_THREADS\n"
                  "#define NN_NO_SIMD\n#define NN_IMPLEMENTATION\n#include \"nn.h\"\n");
    fwrite(net->planned.at, 1, net->planned.size, file);
    print_words(file, "numbers", numbers, QUANTISED_IN);
    print_words(file, "result", result, QUANTISED_OUT);
    fprintf(file, "int main(void) {\n    memcpy(");
    print_pointers(file, net, "input", "%.*s");
    fprintf(file, ", numbers, sizeof numbers);\n    return quantised_run() != NN_OK || memcmp(");
    print_pointers(file, net, "output", "%.*s");
    fprintf(file, ", result, sizeof result) != 0;\n}\n");
    fclose(file);
}

/* A printed plan gives the same bytes as a run in this process. */
static void quantised_layers(void) {
    if (!compile(printed_compiler(), "-fsyntax-only -x c", "/dev/null 2> planned.log")) {
        test_skip_part(__FILE__, __LINE__, "no C compiler");
        return;
    }
    static float numbers[QUANTISED_IN], result[QUANTISED_OUT];
    static const float ranges[2][2] = {{0.0078f, 3.0f}, {0.5f, -128.0f}};
    nn_context *context = nn_open(NULL);
    nn_model *net = nn_make_model(context, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 7, 6));
    nn_node *y = describe_quantised(net, x);
    nn_plan_desc desc;
    nn_plan_c_desc printed;
    printed_text text = {NULL, 0};
    ZERO(desc);
    ZERO(printed);
    desc.outputs = printed.outputs = NN_NODES(y);
    desc.batch = printed.batch = 2;
    printed.name = "quantised";
    printed.writer.function = printed_add;
    printed.writer.user = &text;
    nn_plan *plan = nn_make_plan(net, &desc);
    ENSURE(plan);
    fill_quantised(net);
    nn_upload_tensor(nn_find_tensor(net, "first"), ranges[0], sizeof ranges[0]);
    nn_upload_tensor(nn_find_tensor(net, "second"), ranges[1], sizeof ranges[1]);
    for (int i = 0; i < QUANTISED_IN; i++) numbers[i] = (float)(i * 29 % 97) / 48.0f - 1.0f;
    ENSURE(nn_upload(plan, x, numbers, sizeof numbers) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, result, sizeof result) == NN_OK);
    bool varies = false;
    for (int i = 1; i < QUANTISED_OUT; i++) varies = varies || result[i] != result[0];
    ENSURE(varies);
    if (test_wrong(nn_write_plan_c(net, &printed) != NN_OK))
        test_fail(__FILE__, __LINE__, "%s", nn_error(context));
    nets[0].planned = text;
    write_quantised("planned_quantised.c", &nets[0], numbers, result);
    ENSURE(compile(printed_compiler(), "-std=c99 -O0 -w -o ./planned_quantised",
                   "planned_quantised.c -lm"));
    ENSURE(system("./planned_quantised") == 0);
    if (!test_this_failed) remove("planned_quantised.c");
    remove("planned_quantised");
    remove("planned.log");
    memset(&nets[0], 0, sizeof nets[0]);
    free(text.at);
    nn_close(context);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

/* The error has every reason at once, and no text is printed. */
static void refusals(void) {
    nn_context *context = nn_open(NULL);
    nn_model *net = nn_make_model(context, NULL);
    nn_plan_c_desc desc;
    printed_text text = {NULL, 0};
    ZERO(desc);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *h = nn_state(net, "h", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_assign(net, h, nn_add(net, h, x));
    nn_node *a = nn_expression(net, "x: x + random()", x), *b = nn_sort(net, x, 1, NULL);
    desc.outputs = NN_NODES(nn_add(net, nn_add(net, a, b), h));
    desc.writer.function = printed_add;
    desc.writer.user = &text;
    ENSURE(nn_write_plan_c(net, &desc) == NN_ERROR_UNSUPPORTED && text.size == 0);
    ENSURE(strstr(nn_error(context), "3 parts") && strstr(nn_error(context), "random numbers"));
    ENSURE(strstr(nn_error(context), "the kernel sort"));
    ENSURE(strstr(nn_error(context), "\"h\": it keeps its value from run to run"));
    nn_clear_error(context);
    desc.outputs = NN_NODES(x);
    ENSURE(nn_write_plan_c(net, &desc) == NN_ERROR_UNSUPPORTED && text.size == 0);
    ENSURE(strstr(nn_error(context), "no step computes this output"));
    nn_clear_error(context);
    nn_close(context);
}

static void mistakes(void) {
    nn_context *context = nn_open(NULL);
    nn_model *net = nn_make_model(context, NULL), *other = nn_make_model(context, NULL);
    nn_plan_c_desc desc;
    printed_text text = {NULL, 0};
    ZERO(desc);
    nn_node *y = nn_relu(net, nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)));
    ENSURE(nn_write_plan_c(NULL, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(nn_write_plan_c(net, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "no output is given"));
    nn_clear_error(context);
    desc.outputs = NN_NODES(y);
    ENSURE(nn_write_plan_c(net, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "no writer is given"));
    nn_clear_error(context);
    desc.writer.function = printed_add;
    desc.writer.user = &text;
    ENSURE(nn_write_plan_c(other, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "is not a node of this net"));
    nn_clear_error(context);
    desc.name = "my net";
    ENSURE(nn_write_plan_c(net, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "wanted a C identifier"));
    nn_clear_error(context);
    desc.name = NULL;
    desc.batch = -2;
    ENSURE(nn_write_plan_c(net, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), ".batch is -2"));
    nn_clear_error(context);
    desc.batch = 0;
    ENSURE(nn_write_plan_c(net, &desc) == NN_OK && strstr(text.at, "nn_result net_run(void)"));
    text.size = 0;
    nn_reshape(net, y, NN_SHAPE(3));
    ENSURE(nn_write_plan_c(net, &desc) == NN_ERROR_FAULTS && text.size == 0);
    nn_clear_error(context);
    free(text.at);
    nn_close(context);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(mistakes);
    RUN(refusals);
    RUN(plans_give_the_same_bytes);
    RUN(quantised_layers);
    RUN(they_are_cpp_too);
    return test_report();
}
