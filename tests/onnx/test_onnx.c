/* tests/onnx/test_onnx.c - reads ONNX files that the tests write themselves (write.h): one for each
   rule of graphs, control, free extents and refusals. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "described.h"

/* ---- a first net ----------------------------------------------------------------------------- */

static void one_node(void) {
    const blob model = relu_model();
    open_net n = describe(&model, NULL, 2, 1);
    const float x[6] = {-1, 2, -3, 4, -5, 6};
    float y[6];
    ENSURE(n.plan);
    ENSURE(nn_node_shape(n.y).extent[0] == NN_BATCH);
    ENSURE(upload(&n, "x", x, 6) && download(&n, y, 6));
    for (int i = 0; i < 6; i++) ENSURE_CLOSE(y[i], x[i] > 0 ? x[i] : 0, 0);
    ENSURE(upload(&n, "x", x, 3) && download(&n, y, 3));
    close_net(&n);
}

/* Nodes may be in any order. */
static void nodes_are_sorted(void) {
    blob graph = {.size = 0};
    add(&graph, 1, node("Relu b -> y"));
    add(&graph, 1, node("Tanh a -> b"));
    add(&graph, 1, node("Sigmoid x -> a"));
    add(&graph, 11, info("x", ONNX_FLOAT, "2"));
    add(&graph, 12, info("y", ONNX_FLOAT, "2"));
    {
        const blob model = model_of(&graph, 13);
        open_net n = describe(&model, NULL, 1, 1);
        const float x[2] = {0.5f, -1};
        float y[2];
        ENSURE(n.plan && upload(&n, "x", x, 2) && download(&n, y, 2));
        for (int i = 0; i < 2; i++) ENSURE_CLOSE(y[i], tanh(1 / (1 + exp(-(double)x[i]))), 1e-6);
        close_net(&n);
    }
}

static void a_circle_is_an_error(void) {
    blob graph = {.size = 0};
    add(&graph, 1, node("Relu b -> a"));
    add(&graph, 1, node("Relu a -> b"));
    add(&graph, 12, info("a", ONNX_FLOAT, "2"));
    {
        const blob model = model_of(&graph, 13);
        open_net n = describe(&model, NULL, 1, 1);
        ENSURE(!n.plan && says(&n, "depends on itself"));
        close_net(&n);
    }
}

/* A tensor's numbers are read from typed fields, packed or not, and half precision from the bits of
   int32_data. */
static void typed_fields(void) {
    blob graph = {.size = 0}, t = {.size = 0}, half = {.size = 0}, packed = {.size = 0};
    const float x[2] = {-1, -2};
    float y[2];
    add(&graph, 1, node("PRelu x,slope -> a"));
    add(&graph, 1, node("PRelu a,half -> y"));
    put_number(&t, 1, 1);
    put_number(&t, 2, ONNX_FLOAT);
    put_float(&t, 4, 0.5f); /* not packed */
    put_text(&t, 8, "slope");
    put_varint(&packed, 1); /* dims packed */
    put_message(&half, 1, &packed);
    put_number(&half, 2, 10);
    put_number(&half, 5, 0x3800); /* 0.5 */
    put_text(&half, 8, "half");
    put_message(&graph, 5, &t);
    put_message(&graph, 5, &half);
    add(&graph, 11, info("x", ONNX_FLOAT, "2,1"));
    add(&graph, 12, info("y", ONNX_FLOAT, "2,1"));
    {
        const blob model = model_of(&graph, 13);
        open_net n = describe(&model, NULL, 1, 1);
        ENSURE(n.plan && upload(&n, "x", x, 2) && download(&n, y, 2));
        ENSURE_CLOSE(y[0], -0.25, 0);
        ENSURE_CLOSE(y[1], -0.5, 0);
        close_net(&n);
    }
}

/* ---- control --------------------------------------------------------------------------------- */

/* Returns a graph of one node, such as "Relu x -> y", with an output. */
static blob branch_of(const char *text, const char *output) {
    blob graph = {.size = 0};
    add(&graph, 1, node(text));
    put_text(&graph, 2, "branch");
    add(&graph, 12, info(output, ONNX_FLOAT, "2"));
    return graph;
}

/* y is Relu of an outer value if sr is 16000, and Tanh of the value otherwise. */
static blob if_model(void) {
    const int64_t wanted = 16000;
    const blob yes = branch_of("Relu h -> p", "p"), no = branch_of("Tanh h -> q", "q");
    blob graph = {.size = 0}, op = node("If c -> y");
    with_message(&op, "then_branch", 5, &yes);
    with_message(&op, "else_branch", 5, &no);
    add(&graph, 1, node("Sigmoid x -> h"));
    add(&graph, 1, node("Equal sr,wanted -> c"));
    add(&graph, 1, op);
    add(&graph, 5, tensor("wanted", ONNX_INT64, "", &wanted, 8));
    add(&graph, 11, info("x", ONNX_FLOAT, "2"));
    add(&graph, 11, info("sr", ONNX_INT64, ""));
    add(&graph, 12, info("y", ONNX_FLOAT, "2"));
    return model_of(&graph, 16);
}

static void a_fixed_branch(void) {
    const blob model = if_model();
    const float x[2] = {0.5f, -1};
    for (int rate = 8000; rate <= 16000; rate += 8000) {
        open_net n = describe(&model, &(nn_onnx_net_desc){.values = NN_ONNX_VALUES({"sr", rate})}, 1, 1);
        float y[2];
        ENSURE(n.plan && nn_onnx_node(n.model, n.file, "sr") == NULL);
        ENSURE(upload(&n, "x", x, 2) && download(&n, y, 2));
        for (int i = 0; i < 2; i++) {
            const double h = 1 / (1 + exp(-(double)x[i]));
            ENSURE_CLOSE(y[i], rate == 16000 ? h : tanh(h), 1e-6);
        }
        close_net(&n);
    }
}

/* If a run computes the condition, it runs both branches and then chooses. */
static void a_computed_branch(void) {
    const blob model = if_model();
    const float x[2] = {0.5f, -1};
    open_net n = describe(&model, NULL, 1, 1);
    ENSURE(n.plan);
    for (int32_t rate = 8000; rate <= 16000; rate += 8000) {
        float y[2];
        ENSURE(nn_upload(n.plan, nn_onnx_node(n.model, n.file, "sr"), &rate, 4) == NN_OK);
        ENSURE(upload(&n, "x", x, 2) && download(&n, y, 2));
        for (int i = 0; i < 2; i++) {
            const double h = 1 / (1 + exp(-(double)x[i]));
            ENSURE_CLOSE(y[i], rate == 16000 ? h : tanh(h), 1e-6);
        }
    }
    close_net(&n);
}

/* The state goes through Tanh five times, and each run's state is kept. */
static void a_loop(void) {
    const int64_t five = 5;
    blob body = {.size = 0}, graph = {.size = 0}, op = node("Loop m,,x -> last,all");
    add(&body, 1, node("Tanh s -> t"));
    add(&body, 1, node("Identity c -> d"));
    add(&body, 1, node("Identity t -> u"));
    add(&body, 11, info("i", ONNX_INT64, ""));
    add(&body, 11, info("c", ONNX_BOOL, ""));
    add(&body, 11, info("s", ONNX_FLOAT, "2"));
    add(&body, 12, info("d", ONNX_BOOL, ""));
    add(&body, 12, info("t", ONNX_FLOAT, "2"));
    add(&body, 12, info("u", ONNX_FLOAT, "2"));
    with_message(&op, "body", 5, &body);
    add(&graph, 1, op);
    add(&graph, 5, tensor("m", ONNX_INT64, "", &five, 8));
    add(&graph, 11, info("x", ONNX_FLOAT, "2"));
    add(&graph, 12, info("last", ONNX_FLOAT, "2"));
    add(&graph, 12, info("all", ONNX_FLOAT, "5,2"));
    {
        const blob model = model_of(&graph, 16);
        open_net n = describe(&model, &(nn_onnx_net_desc){.outputs = NN_TEXTS("all", "last")}, 1, 1);
        const float x[2] = {0.5f, -1};
        float y[10];
        ENSURE(n.plan && upload(&n, "x", x, 2) && download(&n, y, 10));
        for (int i = 0; i < 2; i++) {
            double state = (double)x[i];
            for (int t = 0; t < 5; t++) {
                state = tanh(state);
                ENSURE_CLOSE(y[2 * t + i], state, 1e-6);
            }
        }
        close_net(&n);
    }
}

/* A Scan runs along the second axis, from its end. */
static void a_scan(void) {
    blob body = {.size = 0}, graph = {.size = 0}, op = node("Scan x -> y");
    add(&body, 1, node("Tanh e -> t"));
    add(&body, 11, info("e", ONNX_FLOAT, "2"));
    add(&body, 12, info("t", ONNX_FLOAT, "2"));
    with_message(&op, "body", 5, &body);
    with_int(&op, "num_scan_inputs", 1);
    with_ints(&op, "scan_input_axes", 1, 1);
    with_ints(&op, "scan_input_directions", 1, 1);
    add(&graph, 1, op);
    add(&graph, 11, info("x", ONNX_FLOAT, "2,3"));
    add(&graph, 12, info("y", ONNX_FLOAT, "3,2"));
    {
        const blob model = model_of(&graph, 16);
        open_net n = describe(&model, NULL, 1, 1);
        const float x[6] = {1, 2, 3, 4, 5, 6};
        float y[6];
        ENSURE(n.plan && upload(&n, "x", x, 6) && download(&n, y, 6));
        for (int t = 0; t < 3; t++)
            for (int i = 0; i < 2; i++)
                ENSURE_CLOSE(y[2 * t + i], tanh((double)x[3 * i + 2 - t]), 1e-6);
        close_net(&n);
    }
}

/* A function reads an attribute of its call, which leaves out an operand. */
static void a_function(void) {
    blob graph = {.size = 0}, function = {.size = 0}, inner, attribute = {.size = 0}, model;
    blob op = node("Both x -> y");
    put_text(&op, 7, "own");
    with_int(&op, "along", 1);
    inner = node("Softmax h -> r");
    put_text(&attribute, 1, "axis");
    put_text(&attribute, 21, "along");
    put_number(&attribute, 20, 2);
    put_message(&inner, 5, &attribute);
    put_text(&function, 1, "Both");
    put_text(&function, 4, "a");
    put_text(&function, 4, "left_out");
    put_text(&function, 5, "r");
    put_text(&function, 6, "along");
    add(&function, 7, node("Tanh a -> h"));
    put_message(&function, 7, &inner);
    put_text(&function, 10, "own");
    add(&graph, 1, op);
    add(&graph, 11, info("x", ONNX_FLOAT, "2,2"));
    add(&graph, 12, info("y", ONNX_FLOAT, "2,2"));
    model = model_of(&graph, 18);
    put_message(&model, 25, &function);
    {
        open_net n = describe(&model, NULL, 1, 1);
        const float x[4] = {1, 2, 3, -4};
        float y[4];
        ENSURE(n.plan && upload(&n, "x", x, 4) && download(&n, y, 4));
        ENSURE_CLOSE(y[0], 1 / (1 + exp(tanh(2) - tanh(1))), 1e-6);
        ENSURE_CLOSE(y[3], 1 / (1 + exp(tanh(3) - tanh(-4))), 1e-6);
        close_net(&n);
    }
}

/* ---- refusals -------------------------------------------------------------------------------- */

/* The error has all reasons at once, and nothing is described. */
static void all_reasons(void) {
    blob graph = {.size = 0}, op = node("NonZero h -> places");
    put_text(&op, 3, "nz");
    add(&graph, 1, node("Sigmoid x -> h"));
    add(&graph, 1, op);
    add(&graph, 1, node("Bernoulli h -> r"));
    add(&graph, 1, node("Bernoulli r -> r2"));
    add(&graph, 1, node("Bernoulli h -> r3"));
    add(&graph, 11, info("x", ONNX_FLOAT, "batch,width"));
    add(&graph, 12, info("places", ONNX_INT64, "2,?"));
    add(&graph, 12, info("r", ONNX_FLOAT, "2"));
    add(&graph, 12, info("r2", ONNX_FLOAT, "2"));
    add(&graph, 12, info("r3", ONNX_FLOAT, "2"));
    {
        const blob model = model_of(&graph, 15);
        open_net n = describe(&model, NULL, 1, 1);
        ENSURE(!n.plan && nn_parameter_count(n.model) == 0 && nn_fault_count(n.model) == 1);
        ENSURE(says(&n, "5 parts") && says(&n, "input \"x\"") && says(&n, "axis 1, width"));
        ENSURE(says(&n, ".extents = NN_ONNX_EXTENTS({\"width\", 64})"));
        close_net(&n);
        n = describe(&model, &(nn_onnx_net_desc){.extents = NN_ONNX_EXTENTS({"width", 4})}, 1, 1);
        ENSURE(!n.plan && says(&n, "4 parts"));
        ENSURE(says(&n, "1. NonZero \"nz\" (opset 15)"));
        ENSURE(says(&n, "2. Bernoulli \"r\" (opset 15) and 2 more like it"));
        close_net(&n);
        n = describe(&model, &(nn_onnx_net_desc){.extents = NN_ONNX_EXTENTS({"x.1", 4}), .outputs = NN_TEXTS("h")}, 1, 1);
        ENSURE(n.plan);
        close_net(&n);
        n = describe(&model, &(nn_onnx_net_desc){.values = NN_ONNX_VALUES({"y", 4}), .outputs = NN_TEXTS("h")}, 1, 1);
        ENSURE(!n.plan && says(&n, "no input of this name"));
        close_net(&n);
        n = describe(&model, &(nn_onnx_net_desc){.outputs = NN_TEXTS("none")}, 1, 1);
        ENSURE(!n.plan);
        close_net(&n);
    }
}

/* ---- free extents ---------------------------------------------------------------------------- */

/* Zeros in the shape of x and the number of its rows leave batch and time free. */
static void extents_stay_free(void) {
    blob graph = {.size = 0};
    const float x[12] = {0};
    float y[12];
    add(&graph, 1, node("Shape x -> s"));
    add(&graph, 1, node("ConstantOfShape s -> z"));
    add(&graph, 1, node("Sigmoid z -> y"));
    add(&graph, 11, info("x", ONNX_FLOAT, "batch,frames,2"));
    add(&graph, 12, info("y", ONNX_FLOAT, "batch,frames,2"));
    {
        const blob model = model_of(&graph, 13);
        open_net n = describe(
            &model, &(nn_onnx_net_desc){.extents = NN_ONNX_EXTENTS({"frames", NN_TIME}), .outputs = NN_TEXTS("y")}, 2, 3);
        (void)x;
        ENSURE(n.plan);
        ENSURE(nn_node_shape(n.y).extent[0] == NN_BATCH && nn_node_shape(n.y).extent[1] == NN_TIME);
        ENSURE(download(&n, y, 12));
        for (int i = 0; i < 12; i++) ENSURE_CLOSE(y[i], 0.5, 1e-6);
        close_net(&n);
    }
}

/* Nodes are found as long as their net lives. */
static void a_freed_net(void) {
    const blob model = relu_model();
    open_net n = describe(&model, NULL, 1, 1);
    nn_model *other = nn_make_model(n.nn, NULL);
    ENSURE(n.plan && nn_onnx_node(n.model, n.file, "y") == n.y);
    ENSURE(!nn_onnx_node(other, n.file, "y") && !nn_onnx_node(n.model, n.file, "z"));
    ENSURE(!nn_onnx_node(NULL, n.file, "y") && !nn_onnx_node(n.model, NULL, "y"));
    ENSURE(nn_error(n.nn) == NULL);
    nn_free_model(n.model);
    ENSURE(!nn_onnx_node(n.model, n.file, "y") && !nn_onnx_node(n.model, n.file, "x"));
    ENSURE(says(&n, "was freed at"));
    nn_clear_error(n.nn);
    for (int i = 0; i < 100; i++) { /* other nets may have its address */
        nn_model *net = nn_make_model(n.nn, NULL);
        ENSURE(!nn_onnx_node(net, n.file, "y"));
        if (i % 2) nn_free_model(net);
    }
    close_net(&n);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(one_node);
    RUN(nodes_are_sorted);
    RUN(a_circle_is_an_error);
    RUN(typed_fields);
    RUN(a_fixed_branch);
    RUN(a_computed_branch);
    RUN(a_loop);
    RUN(a_scan);
    RUN(a_function);
    RUN(all_reasons);
    RUN(extents_stay_free);
    RUN(a_freed_net);
    return test_report();
}
