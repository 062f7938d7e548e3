/* tests/plan/test_report.c - the table of a plan is a golden text (tests/golden/plan_digits.txt),
   and Graphviz accepts its graph. NN_UPDATE_GOLDEN=1 build/tests/test_report rewrites the text;
   look at the difference before you commit it. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"

#include <stdlib.h>

#define GOLDEN_PATH "tests/golden/plan_digits.txt" /* programs run in the repository's root */

typedef struct digits {
    nn_context *nn;
    nn_trainer *trainer;
    nn_plan *plan;
    char text[1 << 15];
    nn_text out;
    nn_writer writer;
} digits;

/* Plain C and one thread, because the scratch of a kernel depends on both. */
static void open_digits(digits *d) {
    nn_model *net;
    nn_node *x, *label, *logits, *loss,
        *accuracy; /* made one by one: C does not order the arguments of a call */
    d->nn = nn_open(&(nn_desc){.instructions = NN_INSTRUCTIONS_PLAIN, .threads = 1});
    net = nn_make_model(d->nn, &(nn_model_desc){.name = "digits", .seed = 1});
    x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    x = nn_relu(net, nn_conv2d(net, "conv1", x,
                               &(nn_conv2d_desc){.out_channels = 32, .kernel = 3, .padding = 1}));
    x = nn_relu(net, nn_conv2d(net, "conv2", x,
                               &(nn_conv2d_desc){.out_channels = 64, .kernel = 3, .padding = 1}));
    x = nn_max_pool2d(net, x, &(nn_pool2d_desc){.kernel = 2});
    x = nn_relu(net,
                nn_linear(net, "fc1", nn_flatten(net, x), &(nn_linear_desc){.out_features = 128}));
    logits = nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = 10});
    loss = nn_cross_entropy(net, logits, label, NULL);
    accuracy = nn_accuracy(net, logits, label);
    d->trainer = nn_make_trainer(
        net, loss,
        &(nn_trainer_desc){.batch = 64,
                           .optimizer = NN_ADAM,
                           .metrics = NN_NODES(accuracy),
                           .separate_steps = true}); /* the build decides which of them are
                                                        joined */
    d->plan = nn_trainer_plan(d->trainer);
    d->out.buffer = d->text;
    d->out.size = sizeof d->text;
    d->out.length = 0;
    d->writer.function = nn_write_text;
    d->writer.user = &d->out;
}

/* Returns the number after the words at the beginning of a line; -1: there is no such line. */
static double number_behind(const char *text, const char *words) {
    const char *at = strstr(text, words);
    return at ? atof(at + strlen(words)) : -1;
}

static int lines_with(const char *text, const char *words) {
    int count = 0;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) count++;
    return count;
}

/* Prints the first line in which two texts differ, so that a changed table need not be read
   twice. */
static void tell_difference(const char *actual, const char *expected) {
    int line = 1;
    while (*actual && *actual == *expected) {
        line += *actual == '\n';
        actual++, expected++;
    }
    test_fail(__FILE__, __LINE__,
              "the plan's text differs from " GOLDEN_PATH
              " in line %d, from \"%.60s\" on (there: \"%.60s\"). If that is "
              "meant: NN_UPDATE_GOLDEN=1 build/tests/test_report, and look at git diff",
              line, actual, expected);
}

static void plan_text_is_golden(void) {
    static digits d;
    static char expected[1 << 15];
    FILE *file;
    size_t length;
    open_digits(&d);
    ENSURE(d.plan != NULL);
    nn_write_plan(d.plan, d.writer);
    nn_close(d.nn);
    ENSURE(d.out.length > 0 && d.out.length < sizeof d.text);
    if (getenv("NN_UPDATE_GOLDEN")) {
        file = fopen(GOLDEN_PATH, "wb");
        ENSURE(file != NULL);
        ENSURE(fwrite(d.text, 1, d.out.length, file) == d.out.length);
        ENSURE(fclose(file) == 0);
        printf("wrote " GOLDEN_PATH "\n");
    }
    file = fopen(GOLDEN_PATH, "rb");
    if (!file) SKIP("no " GOLDEN_PATH " from here: run in the repository's root");
    length = fread(expected, 1, sizeof expected - 1, file);
    fclose(file);
    expected[length] = 0;
    if (strcmp(d.text, expected) != 0) tell_difference(d.text, expected);
}

static void plan_text_has_the_plans_numbers(void) {
    static const char *const names[] = {"parameters", "constants",   "state",
                                        "inputs",     "activations", "scratch",
                                        "prepared weights"};
    static digits d;
    const char *memory;
    double together = 0;
    open_digits(&d);
    ENSURE(d.plan != NULL);
    nn_write_plan(d.plan, d.writer);
    memory = strstr(d.text, "memory on cpu");
    ENSURE(memory != NULL);
    for (int i = 0; i < NN_MEMORY_CATEGORY_COUNT; i++) {
        double bytes = (double)nn_plan_bytes(d.plan, nn_cpu(), (nn_memory_category)i);
        ENSURE_CLOSE(number_behind(memory, names[i]), bytes, 0);
        together += bytes;
    }
    ENSURE_CLOSE(number_behind(memory, "together"), together, 0);
    ENSURE(lines_with(d.text, "conv1.weight ") == 1); /* each tensor once */
    ENSURE(strstr(d.text, "conv2d+relu") != NULL);    /* what was fused is shown */
    nn_close(d.nn);
}

static bool have_dot(void) {
#ifdef _WIN32
    return false;
#else
    return system("command -v dot > /dev/null 2>&1") == 0;
#endif
}

static void graph_is_dot(void) {
    static digits d;
    int depth = 0, quotes = 0, deepest = 0;
    open_digits(&d);
    ENSURE(d.plan != NULL);
    nn_write_dot(d.plan, d.writer);
    nn_close(d.nn);
    ENSURE(d.out.length > 0 && d.out.length < sizeof d.text);
    for (const char *at = d.text; *at; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == '"')
            quotes++;
        else if (quotes % 2 == 0)
            depth += (*at == '{') - (*at == '}');
        if (depth > deepest) deepest = depth;
        ENSURE(depth >= 0);
    }
    ENSURE(depth == 0 && deepest == 1 && quotes % 2 == 0);
    ENSURE(strncmp(d.text, "digraph", 7) == 0);
    ENSURE(strstr(d.text, "conv1.weight") && strstr(d.text, "image") && strstr(d.text, "->"));
    ENSURE(strstr(d.text, "-> -") == NULL && strstr(d.text, "v-1") == NULL);
    if (!have_dot()) SKIP("braces and quotes are balanced; no `dot` to try it (Debian: graphviz)");
    FILE *file = fopen("test_report.dot", "wb");
    ENSURE(file != NULL);
    fwrite(d.text, 1, d.out.length, file);
    fclose(file);
    int status = system("dot -Tsvg test_report.dot > test_report.svg 2>&1");
    remove("test_report.dot");
    remove("test_report.svg");
    ENSURE(status == 0);
}

/* Returns what the list of convolutions has after a name; "": nothing. */
static const char *way_of(const char *text, const char *name) {
    const char *at = strstr(text, "\nconvolutions, at a batch of 8\n"),
               *end = at ? strstr(at, "\n\n") : NULL;
    at = at ? strstr(at, name) : NULL;
    return at && end && at < end ? at + strlen(name) : "";
}

static bool goes(const char *way, const char *words) {
    const char *at = strstr(way, words), *end = strchr(way, '\n');
    return at && end && at < end;
}

/* The report names the algorithm of each convolution, and .direct_convolutions has an effect. */
static void plan_text_has_the_ways_of_convolutions(void) {
    static char text[1 << 14];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "ways"});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 64, 16, 16)), *y;
    const bool vectors = strcmp(nn_instruction_set_name(nn), "plain") != 0;
    x = nn_conv2d(net, "wide", x,
                  &(nn_conv2d_desc){.out_channels = 64, .kernel = 3, .padding = 1});
    x = nn_conv2d(net, "each", x,
                  &(nn_conv2d_desc){.out_channels = 64, .kernel = 3, .padding = 1, .groups = 64});
    y = nn_conv2d(net, "narrow", x, &(nn_conv2d_desc){.out_channels = 2, .kernel = 5});
    for (int direct = 0; direct < 2; direct++) {
        nn_text out = {.buffer = text, .size = sizeof text};
        nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y),
                                                          .batch = 8,
                                                          .direct_convolutions = direct == 1});
        nn_write_plan(plan, (nn_writer){nn_write_text, &out});
        ENSURE(goes(way_of(text, "wide"), "Winograd") == (vectors && !direct));
        ENSURE(goes(way_of(text, "wide"), "direct sums") == (!vectors || direct));
        ENSURE(goes(way_of(text, "each"), "direct sums for each channel") == vectors);
        ENSURE(goes(way_of(text, "narrow"), "direct sums"));
        nn_free_plan(plan);
    }
    nn_close(nn);
}

/* The gradients of a convolution have algorithms of their own. */
static void plan_text_has_the_ways_of_gradients(void) {
    static char text[1 << 16];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "ways"});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 64, 16, 16));
    const bool vectors = strcmp(nn_instruction_set_name(nn), "plain") != 0;
    static const char *const names[] = {"first", "wide", "panel", "last"};
    for (int i = 0; i < 4; i++)
        x = nn_conv2d(net, names[i], x,
                      &(nn_conv2d_desc){.out_channels = i == 3 ? 2 : 64, .kernel = i < 2 ? 3 : 5,
                                        .padding = i < 2 ? 1 : 2});
    nn_text out = {.buffer = text, .size = sizeof text};
    nn_trainer *trainer = nn_make_trainer(net, nn_mean(net, x), &(nn_trainer_desc){.batch = 8});
    nn_write_plan(nn_trainer_plan(trainer), (nn_writer){nn_write_text, &out});
    ENSURE(goes(way_of(text, "first.grad"), "Winograd") == vectors);
    ENSURE(goes(way_of(text, "wide.weight.grad"), "Winograd") == vectors);
    /* other sets may have no panels */
    const bool panels = strncmp(nn_instruction_set_name(nn), "avx", 3) == 0;
    ENSURE(!panels || goes(way_of(text, "wide.grad"), "vectors along channels"));
    ENSURE(!panels || goes(way_of(text, "panel.weight.grad"), "vectors along channels"));
    ENSURE(goes(way_of(text, "last.weight.grad"), "vectors along a row"));
    nn_close(nn);
}

/* An input is shown as an input, even if it is the first value of a plan; another value comes from
   the step that makes it. */
static void arrows_begin_at_what_makes_a_value(void) {
    static char text[1 << 14];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 4)),
            *y = nn_matmul(net, x, nn_softmax(net, x, -1), NULL);
    nn_text out = {.buffer = text, .size = sizeof text};
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = 2});
    ENSURE(plan != NULL);
    nn_write_dot(plan, (nn_writer){nn_write_text, &out});
    ENSURE(lines_with(text, "v0 [shape=ellipse, label=\"x") == 1);
    ENSURE(lines_with(text, "v0 -> s0;") == 1 && lines_with(text, "v0 -> s1;") == 1);
    ENSURE(lines_with(text, "s0 -> s1;") == 1 && lines_with(text, "->") == 3);
    nn_close(nn);
}

/* A number changes to a larger unit where it reaches 1 of it. */
static void flops_have_their_unit(void) {
    static const struct {
        int rows, columns;
        const char *shown;
    } cases[] = {{499, 10, " 99.8 k"}, {49, 100, " 980.0 k"}, {50, 100, " 1.00 M"},
                 {499, 1000, " 998.00 M"}, {500, 1000, " 1.00 G"}};
    static char text[1 << 14];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int rows = cases[i].rows, columns = cases[i].columns;
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *a = nn_input(net, "a", NN_F32, NN_SHAPE(rows, columns)),
                *b = nn_input(net, "b", NN_F32, NN_SHAPE(columns, columns)),
                *y = nn_matmul(net, a, b, NULL);
        nn_text out = {.buffer = text, .size = sizeof text};
        nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y)});
        ENSURE(plan != NULL);
        nn_write_plan(plan, (nn_writer){nn_write_text, &out});
        if (test_wrong(!strstr(text, cases[i].shown)))
            test_fail(__FILE__, __LINE__, "no \"%s\" in: %s", cases[i].shown, text);
        nn_free_plan(plan);
    }
    nn_close(nn);
}

/* Counts two operations for each element of x and each weight that it meets. The bias does not
   count. */
static void flops_of_a_transposed_convolution(void) {
    static char text[1 << 14];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 5, 5));
    nn_node *y = nn_conv_transpose2d(net, "up", x, &(nn_conv_transpose2d_desc){.out_channels = 3,
                                                                               .kernel = 3});
    nn_text out = {.buffer = text, .size = sizeof text};
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y)});
    nn_write_plan(plan, (nn_writer){nn_write_text, &out});
    ENSURE(strstr(text, "1 steps, 5.4 kflop a run")); /* 2 (4 5 5) (3 3 3) */
    nn_close(nn);
}

/* NULL writers and NULL plans are harmless. */
static void nothing_to_write(void) {
    static digits d;
    nn_writer silent = {NULL, NULL};
    open_digits(&d);
    nn_write_plan(NULL, d.writer);
    nn_write_dot(NULL, d.writer);
    ENSURE(d.out.length == 0);
    nn_write_plan(d.plan, silent);
    nn_write_dot(d.plan, silent);
    ENSURE(nn_error(d.nn) == NULL);
    nn_close(d.nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(plan_text_is_golden);
    RUN(plan_text_has_the_plans_numbers);
    RUN(plan_text_has_the_ways_of_convolutions);
    RUN(plan_text_has_the_ways_of_gradients);
    RUN(graph_is_dot);
    RUN(arrows_begin_at_what_makes_a_value);
    RUN(flops_have_their_unit);
    RUN(flops_of_a_transposed_convolution);
    RUN(nothing_to_write);
    return test_report();
}
