/* tests/onnx/test_onnx_patterns.c - groups of nodes that become one layer: MatMul and Add, a layer
   norm and attention, written out as exporters do; and the extremes of stacked values. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "described.h"

static void a_linear_layer(void) {
    blob graph = {.size = 0};
    const float x[4] = {1, -2, 0.5f, 3};
    float y[6];
    add(&graph, 1, node("MatMul x,onnx::MatMul_7 -> p"));
    add(&graph, 1, node("Add head.bias,p -> y"));
    add(&graph, 5, tensor("onnx::MatMul_7", ONNX_FLOAT, "2,3", ones, 24));
    add(&graph, 5, tensor("head.bias", ONNX_FLOAT, "3", ones + 6, 12));
    add(&graph, 11, info("x", ONNX_FLOAT, "batch,2"));
    add(&graph, 12, info("y", ONNX_FLOAT, "batch,3"));
    {
        const blob model = model_of(&graph, 13);
        open_net n = describe(&model, NULL, 2, 1);
        ENSURE(n.plan && nn_parameter_count(n.model) == 2);
        ENSURE(nn_find_tensor(n.model, "head.weight") && nn_find_tensor(n.model, "head.bias"));
        ENSURE(upload(&n, "x", x, 4) && download(&n, y, 6));
        for (int row = 0; row < 2; row++)
            for (int i = 0; i < 3; i++)
                ENSURE_CLOSE(y[3 * row + i],
                             ones[6 + i] + x[2 * row] * ones[i] + x[2 * row + 1] * ones[3 + i],
                             1e-5);
        close_net(&n);
    }
}

/* axes: an attribute before opset 18, an operand from then on. */
static blob norm_model(int opset) {
    const float two = 2, epsilon = 1e-3f;
    const int64_t last = -1;
    blob graph = {.size = 0};
    blob mean = node(opset < 18 ? "ReduceMean x -> m" : "ReduceMean x,last -> m");
    blob variance = node(opset < 18 ? "ReduceMean q -> v" : "ReduceMean q,last -> v");
    if (opset < 18) with_ints(&mean, "axes", 1, -1);
    if (opset < 18) with_ints(&variance, "axes", 1, -1);
    add(&graph, 1, mean);
    add(&graph, 1, node("Sub x,m -> d"));
    add(&graph, 1, node("Pow d,two -> q"));
    add(&graph, 1, variance);
    add(&graph, 1, node("Add v,epsilon -> s"));
    add(&graph, 1, node("Sqrt s -> r"));
    add(&graph, 1, node("Div d,r -> z"));
    add(&graph, 1, node("Mul z,norm.weight -> w"));
    add(&graph, 1, node("Add w,norm.bias -> y"));
    add(&graph, 5, tensor("two", ONNX_FLOAT, "", &two, 4));
    add(&graph, 5, tensor("epsilon", ONNX_FLOAT, "", &epsilon, 4));
    add(&graph, 5, tensor("last", ONNX_INT64, "1", &last, 8));
    add(&graph, 5, tensor("norm.weight", ONNX_FLOAT, "4", ones, 16));
    add(&graph, 5, tensor("norm.bias", ONNX_FLOAT, "4", ones + 4, 16));
    add(&graph, 11, info("x", ONNX_FLOAT, "batch,4"));
    add(&graph, 12, info("y", ONNX_FLOAT, "batch,4"));
    return model_of(&graph, opset);
}

static void a_layer_norm(void) {
    const float x[4] = {1, -2, 0.5f, 3};
    for (int opset = 13; opset <= 18; opset += 5) {
        const blob model = norm_model(opset);
        open_net n = describe(&model, NULL, 1, 1);
        double mean = 0, variance = 0;
        float y[4];
        ENSURE(n.plan && nn_parameter_count(n.model) == 2 && nn_model_tensor_count(n.model) == 2);
        ENSURE(nn_find_tensor(n.model, "norm.weight") && nn_find_tensor(n.model, "norm.bias"));
        ENSURE(upload(&n, "x", x, 4) && download(&n, y, 4));
        for (int i = 0; i < 4; i++) mean += (double)x[i] / 4;
        for (int i = 0; i < 4; i++) variance += ((double)x[i] - mean) * ((double)x[i] - mean) / 4;
        for (int i = 0; i < 4; i++)
            ENSURE_CLOSE(y[i], ones[4 + i] + ones[i] * (x[i] - mean) / sqrt(variance + 1e-3), 1e-5);
        close_net(&n);
    }
}

/* softmax(tanh(z) sigmoid(x)^T / 2 + hide) relu(z); x may have its heads inside. */
static blob attention_model(int divides, int inside) {
    const float hide[4] = {0, -INFINITY, 0, 0};
    const float scale = divides ? 2.0f : 0.5f;
    blob graph = {.size = 0}, swap = node("Transpose k -> t"), soft = node("Softmax m -> p");
    with_ints(&swap, "perm", 4, 0, inside ? 2 : 1, 3, inside ? 1 : 2);
    with_int(&soft, "axis", -1);
    add(&graph, 1, node("Tanh z -> q"));
    add(&graph, 1, node("Sigmoid x -> k"));
    add(&graph, 1, node("Relu z -> v"));
    add(&graph, 1, swap);
    add(&graph, 1, node("MatMul q,t -> s"));
    add(&graph, 1, node(divides ? "Div s,scale -> c" : "Mul scale,s -> c"));
    add(&graph, 1, node("Add c,hide -> m"));
    add(&graph, 1, soft);
    add(&graph, 1, node("MatMul p,v -> y"));
    add(&graph, 5, tensor("scale", ONNX_FLOAT, "", &scale, 4));
    add(&graph, 5, tensor("hide", ONNX_FLOAT, "2,2", hide, 16));
    add(&graph, 11, info("x", ONNX_FLOAT, inside ? "1,2,1,2" : "1,1,2,2"));
    add(&graph, 11, info("z", ONNX_FLOAT, "1,1,2,2"));
    add(&graph, 12, info("y", ONNX_FLOAT, "1,1,2,2"));
    return model_of(&graph, 13);
}

/* Two positions, two numbers of a head; the second key is masked for the first query. */
static void attention(int divides, int inside) {
    const float x[4] = {1, -2, 0.5f, 3};
    const blob model = attention_model(divides, inside);
    open_net n = describe(&model, NULL, 1, 1);
    float actual[4];
    ENSURE(n.plan && upload(&n, "x", x, 4) && upload(&n, "z", x, 4) && download(&n, actual, 4));
    for (int i = 0; i < 2; i++) {
        double scores[2] = {0, 0}, y[2] = {0, 0};
        for (int j = 0; j < 2; j++) {
            for (int e = 0; e < 2; e++)
                scores[j] += tanh((double)x[2 * i + e]) / (1 + exp(-(double)x[2 * j + e])) / 2;
            scores[j] = i == 0 && j == 1 ? 0 : exp(scores[j]);
        }
        for (int e = 0; e < 2; e++) {
            for (int j = 0; j < 2; j++)
                y[e] += scores[j] * (x[2 * j + e] > 0 ? (double)x[2 * j + e] : 0);
            ENSURE_CLOSE(actual[2 * i + e], y[e] / (scores[0] + scores[1]), 1e-6);
        }
    }
    close_net(&n);
}

/* Returns the number of nodes of an operation that the output needs. */
static int needed(const nn_node *node, const char *operation) {
    const nn_node_description d = nn_describe_node(node);
    int count = d.kind == NN_NODE_OPERATION && strcmp(d.operation, operation) == 0;
    for (int i = 0; i < d.input_count; i++) count += needed(d.inputs[i], operation);
    return count;
}

/* softmax with 0 in the place of NaN, as PyTorch writes masks that hide all keys of a query. */
static void attention_without_any_key(void) {
    const float hide[4] = {-INFINITY, -INFINITY, 0, 0};
    const float x[4] = {1, -2, 0.5f, 3}, zero = 0;
    blob graph = {.size = 0}, swap = node("Transpose k -> t"), soft = node("Softmax m -> p");
    float y[4];
    with_ints(&swap, "perm", 4, 0, 1, 3, 2);
    with_int(&soft, "axis", -1);
    add(&graph, 1, node("Sigmoid x -> k"));
    add(&graph, 1, swap);
    add(&graph, 1, node("MatMul x,t -> s"));
    add(&graph, 1, node("Add s,hide -> m"));
    add(&graph, 1, soft);
    add(&graph, 1, node("IsNaN p -> none"));
    add(&graph, 1, node("Where none,zero,p -> w"));
    add(&graph, 1, node("MatMul w,k -> y"));
    add(&graph, 5, tensor("hide", ONNX_FLOAT, "2,2", hide, 16));
    add(&graph, 5, tensor("zero", ONNX_FLOAT, "", &zero, 4));
    add(&graph, 11, info("x", ONNX_FLOAT, "1,1,2,2"));
    add(&graph, 12, info("y", ONNX_FLOAT, "1,1,2,2"));
    const blob model = model_of(&graph, 13);
    open_net n = describe(&model, NULL, 1, 1);
    ENSURE(n.plan && upload(&n, "x", x, 4) && download(&n, y, 4));
    ENSURE(needed(n.y, "softmax") == 0 && needed(n.y, "where") == 0);
    ENSURE(y[0] == 0 && y[1] == 0 && y[2] > 0);
    close_net(&n);
}

/* ---- transposes that undo each other --------------------------------------------------------- */

/* (2, 3, 4) to (4, 6) and back, in four steps. */
static void transposes_around_reshapes(void) {
    static const int64_t flat[2] = {4, 6}, back[4] = {4, 1, 2, 3};
    blob graph = {.size = 0}, one = node("Transpose r -> a"), two = node("Transpose c -> d");
    float y[24], x[24];
    with_ints(&one, "perm", 3, 2, 0, 1);
    with_ints(&two, "perm", 4, 1, 2, 3, 0);
    add(&graph, 1, node("Relu x -> r"));
    add(&graph, 1, one);
    add(&graph, 1, node("Reshape a,flat -> b"));
    add(&graph, 1, node("Reshape b,back -> c"));
    add(&graph, 1, two);
    add(&graph, 1, node("Neg d -> y"));
    add(&graph, 5, tensor("flat", ONNX_INT64, "2", flat, 16));
    add(&graph, 5, tensor("back", ONNX_INT64, "4", back, 32));
    add(&graph, 11, info("x", ONNX_FLOAT, "2,3,4"));
    add(&graph, 12, info("y", ONNX_FLOAT, "1,2,3,4"));
    const blob model = model_of(&graph, 13);
    open_net n = describe(&model, NULL, 1, 1);
    for (int i = 0; i < 24; i++) x[i] = (float)(i % 7) - 3;
    ENSURE(n.plan && upload(&n, "x", x, 24) && download(&n, y, 24));
    ENSURE(needed(n.y, "permute") == 0);
    for (int i = 0; i < 24; i++) ENSURE(y[i] == (x[i] > 0 ? -x[i] : 0));
    close_net(&n);
}

/* Transposes that do not undo each other stay: here half of one axis moves. */
static void transposes_that_move(void) {
    static const int64_t cut[3] = {2, 2, 2}, joined[2] = {2, 4};
    static const float wanted[8] = {0, 4, 1, 5, 2, 6, 3, 7};
    blob graph = {.size = 0}, one = node("Transpose a -> b");
    float y[8], x[8];
    with_ints(&one, "perm", 3, 1, 2, 0);
    add(&graph, 1, node("Reshape x,cut -> a"));
    add(&graph, 1, one);
    add(&graph, 1, node("Reshape b,joined -> y"));
    add(&graph, 5, tensor("cut", ONNX_INT64, "3", cut, 24));
    add(&graph, 5, tensor("joined", ONNX_INT64, "2", joined, 16));
    add(&graph, 11, info("x", ONNX_FLOAT, "2,4"));
    add(&graph, 12, info("y", ONNX_FLOAT, "2,4"));
    const blob model = model_of(&graph, 13);
    open_net n = describe(&model, NULL, 1, 1);
    for (int i = 0; i < 8; i++) x[i] = (float)i;
    ENSURE(n.plan && upload(&n, "x", x, 8) && download(&n, y, 8));
    ENSURE(needed(n.y, "permute") == 1);
    for (int i = 0; i < 8; i++) ENSURE(y[i] == wanted[i]);
    close_net(&n);
}

/* An LSTM of a net with the batch first stands between two Transposes and a Squeeze. */
static void a_recurrent_layer(void) {
    const int64_t one = 1;
    blob graph = {.size = 0}, in = node("Transpose x -> t"), out = node("Transpose q -> z"),
         lstm = node("LSTM t,W,R,B -> s");
    with_ints(&in, "perm", 3, 1, 0, 2);
    with_ints(&out, "perm", 3, 1, 0, 2);
    with_int(&lstm, "hidden_size", 1);
    add(&graph, 1, in);
    add(&graph, 1, lstm);
    add(&graph, 1, node("Squeeze s,one -> q"));
    add(&graph, 1, out);
    add(&graph, 1, node("Neg z -> y"));
    add(&graph, 5, tensor("W", ONNX_FLOAT, "1,4,2", ones, 32));
    add(&graph, 5, tensor("R", ONNX_FLOAT, "1,4,1", ones, 16));
    add(&graph, 5, tensor("B", ONNX_FLOAT, "1,8", ones, 32));
    add(&graph, 5, tensor("one", ONNX_INT64, "1", &one, 8));
    add(&graph, 11, info("x", ONNX_FLOAT, "batch,time,2"));
    add(&graph, 12, info("y", ONNX_FLOAT, "batch,time,1"));
    const blob model = model_of(&graph, 13);
    open_net n =
        describe(&model, &(nn_onnx_net_desc){.extents = NN_ONNX_EXTENTS({"time", NN_TIME})}, 2, 3);
    ENSURE(n.plan && needed(n.y, "lstm") == 2 && needed(n.y, "permute") == 0);
    close_net(&n);
}

static void attention_divides(void) { attention(1, 0); }
static void attention_multiplies(void) { attention(0, 0); }
static void attention_with_heads_inside(void) { attention(1, 1); }

/* ReduceMax and ReduceMin of a stack compare its parts if each has one number along the axis. */
static void extremes_of_a_stack(void) {
    static const char *const types[] = {"ReduceMax", "ReduceMin"};
    const float x[4] = {1, -2, 0.5f, 3}, z[4] = {0, 4, 0.5f, -3};
    for (int i = 0; i < 8; i++) {
        const int last = i & 1, largest = !(i & 2), keep = i >> 2;
        blob graph = {.size = 0}, concat = node("Concat a,b,c -> s");
        char words[40];
        float y[4];
        snprintf(words, sizeof words, "%s s -> y", types[!largest]);
        blob reduce = node(words);
        with_int(&concat, "axis", last ? -1 : 0);
        with_ints(&reduce, "axes", 1, last ? 2 : -3);
        with_int(&reduce, "keepdims", keep);
        blob halve = node("Mul x,half -> h");
        const float half = 0.5f;
        const char *const shape = last ? "2,2,1" : "1,2,2";
        add(&graph, 1, halve);
        add(&graph, 1, node("Reshape x,shape -> a"));
        add(&graph, 1, node("Reshape z,shape -> b"));
        add(&graph, 1, node("Reshape h,shape -> c"));
        add(&graph, 1, concat);
        add(&graph, 1, reduce);
        const int64_t extents[3] = {last ? 2 : 1, 2, last ? 1 : 2};
        add(&graph, 5, tensor("shape", ONNX_INT64, "3", extents, 24));
        add(&graph, 5, tensor("half", ONNX_FLOAT, "", &half, 4));
        add(&graph, 11, info("x", ONNX_FLOAT, "2,2"));
        add(&graph, 11, info("z", ONNX_FLOAT, "2,2"));
        add(&graph, 12, info("y", ONNX_FLOAT, keep ? shape : "2,2"));
        const blob model = model_of(&graph, 13);
        open_net n = describe(&model, NULL, 1, 1);
        ENSURE(n.plan);
        ENSURE(upload(&n, "x", x, 4) && upload(&n, "z", z, 4) && download(&n, y, 4));
        for (int k = 0; k < 4; k++) {
            const float a = x[k], b = z[k], c = a / 2;
            const float most = a > b ? (a > c ? a : c) : b > c ? b : c,
                        least = a < b ? (a < c ? a : c) : b < c ? b : c;
            ENSURE(y[k] == (largest ? most : least));
        }
        /* the stack is not computed */
        char text[6000] = "";
        nn_text said = {text, sizeof text, 0};
        nn_write_plan(n.plan, (nn_writer){nn_write_text, &said});
        ENSURE(strstr(text, "steps"));
        ENSURE(!strstr(text, "concat"));
        close_net(&n);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(a_linear_layer);
    RUN(a_layer_norm);
    RUN(attention_divides);
    RUN(attention_multiplies);
    RUN(attention_with_heads_inside);
    RUN(attention_without_any_key);
    RUN(transposes_around_reshapes);
    RUN(transposes_that_move);
    RUN(a_recurrent_layer);
    RUN(extremes_of_a_stack);
    return test_report();
}
