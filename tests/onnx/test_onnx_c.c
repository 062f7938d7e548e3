/* test_onnx_c.c: nets that nn_write_c prints are compiled, and give the same bytes: nets that this
   file describes, random ones (random_graph.h), and files that others made.

     test_onnx_c --seed N       begins the random nets with this one */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"
#include "nn_quantize.h"

#include "inside.h"
#include "onnx/write_emit.h"
#include "printed.h"
#include "random_graph.h"
#include "test.h"

static nn_dtype printed_dtypes[PRINTED_MOST];

/* Prints a net with these outputs. */
static void print_these(nn_model *net, const char *name, nn_nodes outputs, const char *file) {
    nn_c_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.outputs = outputs;
    desc.weights = file;
    if (test_wrong(!print_net(net, name, &desc, PRINTED_BATCH, PRINTED_TIME)))
        test_fail(__FILE__, __LINE__, "%s: %s", name, nn_error(nn_model_context(net)));
    nn_clear_error(nn_model_context(net));
}
#include "c_nets.h"

static void print_own(void) {
    static void (*const nets[])(nn_model *) = {of_images,   of_steps,        of_streams, of_words,
                                               of_elements, of_moves,        of_choices, of_norms,
                                               of_integers, of_integer_steps};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        nn_model *net = nn_make_model(nn, NULL);
        printed_dtypes[printed_count] = NN_F32;
        nets[i](net);
        nn_free_model(net);
    }
    nn_model_desc half;
    ZERO(half);
    for (int i = 0; i < 8; i++) { /* pictures, steps, words and norms with parameters of halves */
        static const int some[4] = {0, 1, 3, 7};
        printed_dtypes[printed_count] = half.dtype = i % 2 ? NN_F16 : NN_BF16;
        nn_model *of_halves = nn_make_model(nn, &half);
        nets[some[i / 2]](of_halves);
        nn_free_model(of_halves);
    }
    half.dtype = NN_BF16;
    nn_model *net = nn_make_model(nn, &half);
    printed_dtypes[printed_count] = NN_BF16;
    of_words_in(net, "printed_words.safetensors");
    nn_free_model(net);
}

/* ---- random nets, and other people's --------------------------------------------------------- */

static uint64_t first_seed;
static long said_values, refused_values;

/* Random nets whose values depend on the place in the net or on 8-bit weights are refused. */
static bool is_known_refusal(const char *error) {
    static const char *const causes[] = {"random numbers",
                                         "8 bits",
                                         "windows overlap",
                                         "parts that overlap",
                                         "scatters in this",
                                         "are broadcast",
                                         "repeats elements",
                                         "is not a multiple",
                                         "free extent",
                                         "pads an axis before",
                                         "gradient of a rotary",
                                         "another shape",
                                         "backwards",
                                         "gaps",
                                         "4,000 characters",
                                         "nn_write_c does not support"};
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (strstr(error, causes[i])) return true;
    return false;
}

static void drop(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
}

/* Prints one net, whose outputs are the last values that nn_write_c accepts as an output, at most
   20. */
static void print_random(graph *g) {
    nn_model_desc made;
    nn_c_desc desc;
    int count = 0;
    ZERO(made);
    ZERO(desc);
    made.dtype = g->storage;
    nn_model *net = nn_make_model(nn, &made);
    graph_describe(g, net, false);
    desc.writer.function = drop;
    for (int i = g->count - 1; i >= 0 && count < 20; i--) {
        nn_c_desc one;
        ZERO(one);
        one.writer = desc.writer;
        if (g->items[i].kind != GRAPH_OPERATION) continue;
        one.outputs = NN_NODES(g->items[i].node);
        if (nn_write_c(net, &one) == NN_OK) {
            NODE_AT(desc.outputs, count++) = g->items[i].node;
        } else {
            refused_values++;
            if (test_wrong(!is_known_refusal(nn_error(nn))))
                test_fail(__FILE__, __LINE__, "net %d: %s", (int)g->seed, nn_error(nn));
            nn_clear_error(nn);
        }
    }
    said_values += count;
    printed_dtypes[printed_count] = g->storage;
    if (count > 0 && test_wrong(!print_net(net, "random", &desc, GRAPH_BATCH, GRAPH_TIME)))
        test_fail(__FILE__, __LINE__, "net %d: %s", (int)g->seed, nn_error(nn));
    nn_clear_error(nn);
    nn_free_model(net);
}

static graph g;

/* Copies the numbers that the net was drawn with, because their indices are in range. */
static void fill_drawn(const nn_node *node, const nn_view *view, void *to, size_t bytes,
                       unsigned *state) {
    (void)state;
    for (int i = 0; i < g.count; i++) {
        if (g.items[i].node != node) continue;
        for (size_t k = 0; k < bytes / 4; k++) {
            const float real = (float)g.items[i].v[k];
            const int32_t whole = (int32_t)g.items[i].v[k];
            memcpy((char *)to + 4 * k, view->dtype == NN_F32 ? (const void *)&real : &whole, 4);
        }
    }
}

static void print_randoms(void) {
    int made = 0;
    printed_numbers = fill_drawn;
    for (uint64_t seed = first_seed; made < 40; seed++) {
        if (seed % 6 == 1 || seed % 6 == 4) continue; /* of f16 and bf16; of_words has these */
        if (graph_make(&g, seed, 12)) {
            print_random(&g);
            made++;
        }
        graph_free(&g);
    }
    printed_numbers = printed_fill;
    printf("%ld values of random nets were printed, %ld refused\n", said_values, refused_values);
    ENSURE(said_values > 3 * refused_values);
}

/* A model from elsewhere, and values for its free extents. */
static const struct {
    const char *folder, *weights, *outputs[2];
    nn_onnx_extent extents[2];
    int extent_count, output_count;
} files[] = {
    {"vad-v5",
     "printed_vad.safetensors",
     {"output", "stateN"},
     {{"input.1", 576}, {"state.1", NN_BATCH}},
     2,
     2},
    {"face-pnet", NULL, {NULL}, {{"M1", 24}, {"M2", 24}}, 2, 0},
    {"ocr-angle", NULL, {NULL}, {{"x.2", 48}, {"x.3", 192}}, 2, 0},
    {"attacut-c", NULL, {NULL}, {{"seq_len", NN_TIME}}, 1, 0},
    {"magika", "printed_magika.safetensors", {NULL}, {{NULL, 0}}, 0, 0},
    {"ocr-angle-qdq", NULL, {NULL}, {{"x.2", 48}, {"x.3", 192}}, 2, 0},
};

static void print_files(void) {
    const char *folder = getenv("ONNX_DIR") ? getenv("ONNX_DIR") : "../shared/onnx";
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        nn_onnx_desc from;
        snprintf(path, sizeof path, "%s/%s/model.onnx", folder, files[i].folder);
        FILE *probe = fopen(path, "rb");
        if (!probe) {
            test_skip_part(__FILE__, __LINE__, "no models of other people (ONNX_DIR)");
            continue;
        }
        fclose(probe);
        ZERO(from);
        from.path = path;
        nn_onnx *file = nn_open_onnx(nn, &from);
        nn_model *net = nn_make_model(nn, NULL);
        nn_onnx_net_desc desc;
        nn_node *outputs[2] = {NULL, NULL};
        ZERO(desc);
        desc.extents.extent = files[i].extents;
        desc.extents.count = files[i].extent_count;
        if (files[i].output_count) { /* of vad-v5 */
            desc.outputs.text = files[i].outputs;
            desc.outputs.count = 2;
            static const nn_onnx_fixed rate = {"sr", 16000};
            desc.values.value = &rate;
            desc.values.count = 1;
        }
        outputs[0] = nn_onnx_net(net, NULL, file, &desc);
        if (files[i].output_count) outputs[1] = nn_onnx_node(net, file, files[i].outputs[1]);
        printed_dtypes[printed_count] = NN_F32;
        if (test_wrong(nn_fault_count(net) > 0 || nn_load_onnx_weights(net, file) != NN_OK))
            test_fail(__FILE__, __LINE__, "%s: %s", files[i].folder, nn_error(nn));
        else
            print_these(net, "file", (nn_nodes){outputs, outputs[1] ? 2 : 1}, files[i].weights);
        nn_clear_error(nn);
        nn_close_onnx(file);
        nn_free_model(net);
    }
}

/* ---- all nets -------------------------------------------------------------------------------- */

static void printed_nets_give_the_same_bytes(void) {
    nn_desc opened;
    ZERO(opened);
    opened.threads = 1;
    if (!printed_can_compile()) {
        test_skip_part(__FILE__, __LINE__, "no C compiler that links with the library here");
        return;
    }
    nn = nn_open(&opened);
    if (!first_seed) {
        print_own();
        for (int i = 0; i < 4; i++) add_names(printed[i].text.at, printed[i].name);
        print_named();
        print_files();
    }
    print_randoms();
    printed_write("printed_program.c", true);
    if (test_wrong(!printed_compile("printed_program.c", "./printed_program",
                                    "-O0 -Wall -Wextra -Werror -Wno-misleading-indentation")))
        test_fail(__FILE__, __LINE__, "printed_program.c does not compile");
    for (int i = 0; i < printed_count; i++)
        if (test_wrong(!printed_same(i, printed_dtypes[i])))
            test_fail(__FILE__, __LINE__, "net %d, %s, gives other bytes", i, printed[i].name);
    if (!test_this_failed) remove("printed_program.c");
    remove("printed_program");
    printed_forget();
    remove("printed_words.safetensors");
    remove("printed_integers.safetensors");
    remove("printed_vad.safetensors");
    remove("printed_magika.safetensors");
    nn_close(nn);
}

static void they_are_cpp_too(void) {
    nn_desc opened;
    ZERO(opened);
    FILE *file = fopen("printed.cpp", "w");
    ENSURE(file);
    fprintf(file, "#include \"nn.h\"\n");
    fclose(file);
    if (system("c++ -std=c++11 -fsyntax-only -I. printed.cpp 2> printed.log") != 0) {
        test_skip_part(__FILE__, __LINE__, "no C++ compiler");
    } else {
        nn = nn_open(&opened);
        print_own();
        for (int i = 0; i < 4; i++) add_names(printed[i].text.at, printed[i].name);
        print_named();
        printed_write("printed.cpp", false);
        char command[160];
        snprintf(command, sizeof command, "%s -std=c++11 -Wall -Wextra -Wpedantic -Werror %s",
                 printed_cpp(),
                 "-Wno-misleading-indentation -Wno-unused-function -fsyntax-only "
                 "-I. printed.cpp");
        ENSURE(system(command) == 0);
        printed_forget();
        remove("printed_words.safetensors");
        nn_close(nn);
    }
    remove("printed.cpp");
    remove("printed.log");
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static nn_result nothing(void *user, const nn_custom_args *args) {
    (void)user, (void)args;
    return NN_OK;
}

/* The error has every reason at once, and no text is printed. */
static void refusals(void) {
    nn_context *context = nn_open(NULL);
    nn_model *net = nn_make_model(context, NULL);
    nn_c_desc desc;
    nn_custom_desc own;
    printed_text text = {NULL, 0};
    nn_tensor_desc made;
    ZERO(desc);
    ZERO(own);
    ZERO(made);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    NODE_AT(own.inputs, 0) = x;
    own.shape = NN_SHAPE(NN_BATCH, 3);
    own.function = nothing;
    made.name = "mine";
    made.shape = NN_SHAPE(3);
    nn_node *a = nn_expression(net, "x: x + random()", x), *b = nn_custom(net, "own", &own);
    nn_node *c = nn_borrow(net, nn_make_tensor(context, &made));
    NODE_AT(desc.outputs, 0) = nn_add(net, nn_add(net, a, b), c);
    desc.writer.function = printed_add;
    desc.writer.user = &text;
    ENSURE(nn_write_c(net, &desc) == NN_ERROR_UNSUPPORTED && text.size == 0);
    ENSURE(strstr(nn_error(context), "C source: 3; nothing") &&
           strstr(nn_error(context), "random numbers"));
    ENSURE(strstr(nn_error(context), "\"own\": it is a function of the program's own"));
    ENSURE(strstr(nn_error(context), "nn_borrow"));
    ENSURE(!strstr(nn_error(context), "add \"add\"")); /* these reasons follow from the others */
    nn_clear_error(context);
    nn_model *bytes = nn_make_model(context, NULL);
    nn_linear_desc four;
    ZERO(four);
    four.out_features = 4;
    nn_quantize(bytes, NULL);
    NODE_AT(desc.outputs, 0) =
        nn_linear(bytes, "fc", nn_input(bytes, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)), &four);
    ENSURE(nn_write_c(bytes, &desc) == NN_ERROR_UNSUPPORTED && text.size == 0);
    ENSURE(strstr(nn_error(context), "before you call nn_quantize"));
    nn_clear_error(context);
    nn_model *cast = nn_make_model(context, NULL);
    nn_node *in = nn_input(cast, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_autocast_begin(cast, NN_BF16);
    NODE_AT(desc.outputs, 0) = nn_linear(cast, "fc", in, &four);
    nn_autocast_end(cast);
    ENSURE(nn_write_c(cast, &desc) == NN_ERROR_UNSUPPORTED && text.size == 0);
    ENSURE(strstr(nn_error(context), "as nn_autocast_begin does"));
    nn_clear_error(context);
    nn_model *qat = nn_make_model(context, NULL);
    in = nn_linear(qat, "fc", nn_input(qat, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)), &four);
    nn_model *rounded = nn_prepare_qat(qat, NULL, NULL);
    NODE_AT(desc.outputs, 0) = nn_copied_node(rounded, in);
    ENSURE(nn_write_c(rounded, &desc) == NN_ERROR_UNSUPPORTED && text.size == 0);
    ENSURE(strstr(nn_error(context), "write the integers"));
    nn_clear_error(context);
    nn_close(context);
}

static void mistakes(void) {
    nn_context *context = nn_open(NULL);
    nn_model *net = nn_make_model(context, NULL), *other = nn_make_model(context, NULL);
    nn_c_desc desc;
    printed_text text = {NULL, 0};
    ZERO(desc);
    nn_node *y = nn_relu(net, nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)));
    ENSURE(nn_write_c(NULL, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(nn_write_c(net, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "no output is given"));
    nn_clear_error(context);
    NODE_AT(desc.outputs, 0) = y;
    ENSURE(nn_write_c(net, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "no writer is given"));
    nn_clear_error(context);
    desc.writer.function = printed_add;
    desc.writer.user = &text;
    ENSURE(nn_write_c(other, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "is not a node of this net"));
    nn_clear_error(context);
    desc.name = "my net";
    ENSURE(nn_write_c(net, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "wanted a C identifier"));
    nn_clear_error(context);
    desc.name = NULL;
    desc.weights = "no/such/folder/net.safetensors";
    ENSURE(nn_write_c(net, &desc) != NN_OK && text.size == 0);
    nn_clear_error(context);
    desc.weights = NULL;
    ENSURE(nn_write_c(net, &desc) == NN_OK && strstr(text.at, "nn_relu(net, x)"));
    ENSURE(strstr(text.at, "net_nodes net_describe(nn_model *net)"));
    text.size = 0;
    nn_reshape(net, y, NN_SHAPE(3));
    ENSURE(nn_write_c(net, &desc) == NN_ERROR_FAULTS && text.size == 0);
    nn_clear_error(context);
    free(text.at);
    nn_close(context);
}

/* Every float reads back to itself. */
static void numbers_read_back(void) {
    uint32_t bits = 1;
    for (int i = 0; i < 300000; i++) {
        float number, again;
        char digits[32];
        bits = bits * 1664525u + 1013904223u;
        if (i < 400) bits = (uint32_t)i << 23 | (i % 3 == 0 ? 0u : i % 3 == 1 ? 1u : 0x7fffffu);
        memcpy(&number, &bits, sizeof number);
        if (number - number != 0.0f || number == 0.0f) continue;
        nn__c_digits(number, digits);
        again = strtof(digits, NULL);
        if (test_wrong(memcmp(&number, &again, sizeof number) != 0))
            test_fail(__FILE__, __LINE__, "%s is %a, not %a", digits, (double)again,
                      (double)number);
    }
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "--seed") == 0) {
        first_seed = (uint64_t)atoll(argv[2]);
        argc = 1;
    }
    test_start(argc, argv);
    RUN(numbers_read_back);
    RUN(mistakes);
    RUN(refusals);
    RUN(printed_nets_give_the_same_bytes);
    RUN(they_are_cpp_too);
    return test_report();
}
