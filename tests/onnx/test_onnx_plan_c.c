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

/* Recurrent layers without lengths, after an embedding. */
static void of_sequences(nn_model *net) {
    DESC(nn_embedding_desc, table, .num_embeddings = 16, .embedding_dim = 6);
    DESC(nn_lstm_desc, both, .hidden_size = 5, .layers = 2, .bidirectional = true, .proj_size = 3);
    DESC(nn_gru_desc, gates, .hidden_size = 4, .layers = 2);
    DESC(nn_rnn_desc, rectified, .hidden_size = 3, .nonlinearity = NN_ACTIVATION_RELU,
         .no_bias = true);
    nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, 6));
    nn_lstm_desc begun = *both;
    begun.h_0 = nn_input(net, "h", NN_F32, NN_SHAPE(4, NN_BATCH, 3));
    nn_node *lstm = nn_lstm(net, "lstm", nn_embedding(net, "words", ids, table), &begun);
    nn_node *gru = nn_gru(net, "gru", lstm, gates), *rnn = nn_rnn(net, "rnn", gru, rectified);
    PRINT(net, "sequences", NULL, rnn, lstm, nn_output(lstm, 1), nn_output(lstm, 2),
          nn_output(gru, 1), nn_output(rnn, 1));
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
    static void (*const all[])(nn_model *) = {
        of_firmware, of_sequences, of_images,  of_steps, of_streams,  of_words,
        of_elements, of_moves,     of_choices, of_norms, of_integers, of_integer_steps};
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

/* Compiles a program with the library inside, by tcc if it can, in a tenth of the time. make
   test-full takes the compiler of all programs. */
static bool compile_program(const char *source, const char *program) {
    const char *full = getenv("NN_FULL");
    char options[64], file[64];
    snprintf(options, sizeof options, "-std=c99 -O0 -w -o ./%s", program);
    snprintf(file, sizeof file, "%s -lm", source);
    const bool quick =
        (!full || strcmp(full, "0") == 0) && compile("tcc 2> planned_tcc.log", options, file);
    remove("planned_tcc.log");
    return quick || compile(printed_compiler(), options, file);
}

static void plans_give_the_same_bytes(void) {
    if (!compile(printed_compiler(), "-fsyntax-only -x c", "/dev/null 2> planned.log")) {
        test_skip_part(__FILE__, __LINE__, "no C compiler");
        return;
    }
    print_all();
    ENSURE(outputs_planned >= 67);
    bool gathers = false, steps = false;
    for (int i = 0; i < net_count; i++) {
        gathers = gathers || strstr(nets[i].planned.at, "nn__gather_kernel");
        steps = steps || strstr(nets[i].planned.at, "nn__recurrent_forward");
    }
    ENSURE(gathers && steps);
    write_program("planned_program.c", true);
    ENSURE(compile_program("planned_program.c", "planned_program"));
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
    ENSURE(compile(printed_cpp(),
                   "-std=c++11 -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only",
                   "planned.cpp"));
    remove("planned.cpp");
    remove("planned.log");
    forget_all();
}

#include "planned_layers.h"

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
    ENSURE(strstr(nn_error(context), "constants: 3; nothing") &&
           strstr(nn_error(context), "random numbers"));
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
    RUN(quantised_steps);
    RUN(recurrent_integers);
    RUN(packed_weights);
    RUN(they_are_cpp_too);
    return test_report();
}
