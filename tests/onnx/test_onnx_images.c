/* tests/onnx/test_onnx_images.c - quantised images with nn_onnx_integers: what is between two
   roundings of a file becomes one operation on integers, and its results are those of the file's
   operators in f32, to a few numbers that are one step apart. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "described.h"

enum { SIDE = 9, MOST = 8192 };

static uint32_t drawn = 1;
static int draw(int below) {
    drawn = drawn * 1664525u + 1013904223u;
    return (int)((drawn >> 16) % (uint32_t)below);
}

/* What a case asks for. */
typedef struct image_case {
    bool is_signed;        /* values are i8, else u8 */
    bool per_channel;      /* scales of weights */
    bool bias;             /* else none */
    int channels, outputs; /* of x and of the convolution */
    int groups, kernel, stride, before, after, dilation;
    const char *between; /* "Relu", "Clip" or "" */
    bool pool, sum;      /* a max pool after it; the sum with a second convolution */
    float scale;         /* of the result, 0: usual */
    bool floats;         /* biases are f32 */
    const char *mean;    /* an average pool after it; NULL: none */
    bool joined;         /* concatenated with x and a second convolution */
    int opset;         /* default: 13. From 18 on a ReduceMean reads its axes */
} image_case;

static void put_scale(blob *graph, const char *name, const image_case *c, float scale, int zero) {
    const unsigned char byte = (unsigned char)(c->is_signed ? zero - 128 : zero);
    char text[32];
    snprintf(text, sizeof text, "s%s", name);
    add(graph, 5, tensor(text, ONNX_FLOAT, "", &scale, 4));
    snprintf(text, sizeof text, "z%s", name);
    add(graph, 5, tensor(text, c->is_signed ? ONNX_INT8 : ONNX_UINT8, "", &byte, 1));
}

/* Adds "A -> qB -> dB", both roundings with scale and zero point B. */
static void put_rounding(blob *graph, const char *from, const char *to) {
    char text[96];
    snprintf(text, sizeof text, "QuantizeLinear %s,s%s,z%s -> q%s", from, to, to, to);
    add(graph, 1, node(text));
    snprintf(text, sizeof text, "DequantizeLinear q%s,s%s,z%s -> d%s", to, to, to, to);
    add(graph, 1, node(text));
}

/* Adds a convolution of `x`, whose weights are bytes, and which gives `name`. */
static void put_conv(blob *graph, const image_case *c, const char *x, float x_scale,
                     const char *name) {
    static int8_t weight[MOST];
    float scale[64];
    int32_t bias[64];
    char text[96], shape[64];
    const int each = c->channels / c->groups, count = c->outputs * each * c->kernel * c->kernel;
    blob op, w;
    for (int i = 0; i < count; i++) weight[i] = (int8_t)(draw(255) - 127);
    for (int k = 0; k < c->outputs; k++) {
        scale[k] = 0.002f + 0.00001f * (float)draw(97);
        bias[k] = draw(4001) - 2000;
    }
    snprintf(shape, sizeof shape, "%d,%d,%d,%d", c->outputs, each, c->kernel, c->kernel);
    snprintf(text, sizeof text, "w%s", name);
    add(graph, 5, tensor(text, ONNX_INT8, shape, weight, (size_t)count));
    snprintf(shape, sizeof shape, "%d", c->outputs);
    snprintf(text, sizeof text, "sw%s", name);
    add(graph, 5, tensor(text, ONNX_FLOAT, c->per_channel ? shape : "", scale,
                         c->per_channel ? 4 * (size_t)c->outputs : 4));
    snprintf(text, sizeof text, "DequantizeLinear w%s,sw%s -> dw%s", name, name, name);
    w = node(text);
    with_int(&w, "axis", 0);
    add(graph, 1, w);
    if (c->bias && c->floats) {
        float real[64];
        for (int k = 0; k < c->outputs; k++)
            real[k] = ((float)bias[k] + 0.01f * (float)draw(99)) * x_scale *
                      scale[c->per_channel ? k : 0];
        snprintf(text, sizeof text, "db%s", name);
        add(graph, 5, tensor(text, ONNX_FLOAT, shape, real, 4 * (size_t)c->outputs));
    } else if (c->bias) {
        snprintf(text, sizeof text, "b%s", name);
        add(graph, 5, tensor(text, ONNX_INT32, shape, bias, 4 * (size_t)c->outputs));
        for (int k = c->outputs - 1; k >= 0; k--)
            scale[k] = x_scale * scale[c->per_channel ? k : 0];
        snprintf(text, sizeof text, "sb%s", name);
        add(graph, 5, tensor(text, ONNX_FLOAT, shape, scale, 4 * (size_t)c->outputs));
        snprintf(text, sizeof text, "DequantizeLinear b%s,sb%s -> db%s", name, name, name);
        w = node(text);
        with_int(&w, "axis", 0);
        add(graph, 1, w);
    }
    if (c->bias) snprintf(text, sizeof text, "Conv %s,dw%s,db%s -> %s", x, name, name, name);
    else snprintf(text, sizeof text, "Conv %s,dw%s -> %s", x, name, name);
    op = node(text);
    with_int(&op, "group", c->groups);
    with_ints(&op, "strides", 2, c->stride, c->stride);
    with_ints(&op, "dilations", 2, c->dilation, c->dilation);
    with_ints(&op, "pads", 4, c->before, c->before, c->after, c->after);
    add(graph, 1, op);
}

static blob image_model(const image_case *c) {
    const float x_scale = 0.031f, low = -0.4f, high = 1.5f, none = 0,
                y_scale = c->scale > 0 ? c->scale : 0.0173f;
    const char *y = "y1";
    char shape[64], text[64];
    blob graph = {.size = 0}, op;
    drawn = 7;
    put_scale(&graph, "x", c, x_scale, 117);
    put_scale(&graph, "y", c, y_scale, 60);
    put_scale(&graph, "r", c, 0.0211f, 90);
    put_scale(&graph, "t", c, 0.0302f, 121);
    put_rounding(&graph, "x", "x");
    put_conv(&graph, c, "dx", x_scale, "y1");
    if (*c->between) {
        snprintf(text, sizeof text, "%s y1%s -> y2", c->between,
                 strcmp(c->between, "Clip") == 0 ? ",low,high" : "");
        add(&graph, 1, node(text));
        add(&graph, 5, tensor("low", ONNX_FLOAT, "", &low, 4));
        add(&graph, 5, tensor("high", ONNX_FLOAT, "", &high, 4));
        y = "y2";
    }
    put_rounding(&graph, y, "y");
    y = "dy";
    if (c->pool) {
        op = node("MaxPool dy -> p");
        with_ints(&op, "kernel_shape", 2, 3, 3);
        with_ints(&op, "strides", 2, 2, 2);
        with_ints(&op, "pads", 4, 1, 1, 1, 1);
        add(&graph, 1, op);
        add(&graph, 1, node("QuantizeLinear p,sy,zy -> qp"));
        add(&graph, 1, node("DequantizeLinear qp,sy,zy -> dp"));
        y = "dp";
    }
    if (c->sum) { /* a second convolution of x, and the sum of both */
        put_conv(&graph, c, "dx", x_scale, "r1");
        put_rounding(&graph, "r1", "r");
        add(&graph, 1, node("Add dr,dy -> t1"));
        add(&graph, 1, node("Relu t1 -> t2"));
        put_rounding(&graph, "t2", "t");
        y = "dt";
    }
    if (c->joined) { /* in three scales, that of the result is the third */
        put_conv(&graph, c, "dx", x_scale, "r1");
        put_rounding(&graph, "r1", "r");
        op = node("Concat dy,dr,dx -> t1");
        with_int(&op, "axis", 1);
        add(&graph, 1, op);
        put_rounding(&graph, "t1", "t");
        y = "dt";
    }
    if (c->mean) {
        put_scale(&graph, "m", c, 0.0119f, 77);
        static const int64_t axes[] = {-1, 2};
        snprintf(text, sizeof text, "%s %s%s -> m1", c->mean, y, c->opset ? ",axes" : "");
        op = node(text);
        if (c->opset) add(&graph, 5, tensor("axes", ONNX_INT64, "2", axes, sizeof axes));
        else if (strcmp(c->mean, "ReduceMean") == 0) with_ints(&op, "axes", 2, 3, -2);
        if (strcmp(c->mean, "AveragePool") == 0) {
            with_ints(&op, "kernel_shape", 2, 3, 2);
            with_ints(&op, "strides", 2, 2, 1);
            with_ints(&op, "pads", 4, 1, 0, 1, 1);
            with_int(&op, "count_include_pad", 1);
        }
        add(&graph, 1, op);
        put_rounding(&graph, "m1", "m");
        y = "dm";
    }
    snprintf(text, sizeof text, "Add %s,none -> last", y); /* Add may read an image */
    add(&graph, 1, node(text));
    add(&graph, 5, tensor("none", ONNX_FLOAT, "", &none, 4));
    snprintf(shape, sizeof shape, "batch,%d,%d,%d", c->channels, SIDE, SIDE);
    add(&graph, 11, info("x", ONNX_FLOAT, shape));
    add(&graph, 12, info("last", ONNX_FLOAT, "?"));
    return model_of(&graph, c->opset ? c->opset : 13);
}

/* Counts the lines of a plan's report that name this operation. */
static char report[1 << 16];
static void keep_report(void *user, const char *text, size_t length) {
    const size_t before = strlen(report);
    (void)user;
    if (before + length >= sizeof report) return;
    memcpy(report + before, text, length);
    report[before + length] = 0;
}
static int steps_of(const nn_plan *plan, const char *operation) {
    int count = 0;
    report[0] = 0;
    nn_write_plan(plan, (nn_writer){.function = keep_report});
    for (const char *at = report; (at = strstr(at, operation)); at++) count++;
    return count;
}

/* Runs a case with integers and in f32. Returns the number of results; *other becomes the number
   of those that are one step apart. -1: a result is further away. */
static int compare(const image_case *c, nn_instruction_set set, int *other, int *convs) {
    static float x[2 * 64 * SIDE * SIDE], y[2][MOST];
    const blob model = image_model(c);
    const float step = c->mean ? 0.0119f : c->sum || c->joined ? 0.0302f : c->scale > 0 ? c->scale : 0.0173f;
    int count = 0;
    *other = 0;
    for (int i = 0; i < 2 * c->channels * SIDE * SIDE; i++) x[i] = 0.001f * (float)(draw(8000) - 4000);
    for (int integers = 0; integers < 2; integers++) {
        open_net n = {nn_open(&(nn_desc){.instructions = set}), NULL, NULL, NULL, NULL};
        nn_shape shape;
        n.file = nn_open_onnx(n.nn, &(nn_onnx_desc){.bytes = model.at, .size = model.size});
        n.model = nn_make_model(n.nn, NULL);
        if (integers) nn_onnx_integers(n.file);
        n.y = nn_onnx_net(n.model, "", n.file, NULL);
        if (nn_load_onnx_weights(n.model, n.file) != NN_OK) return -1;
        n.plan = nn_make_plan(n.model, &(nn_plan_desc){.outputs = NN_NODES(n.y), .batch = 2});
        if (!n.plan) return -1;
        shape = nn_node_shape(n.y);
        count = 2 * shape.extent[1] * shape.extent[2] * shape.extent[3];
        *convs = steps_of(n.plan, " integer_conv2d ");
        if (integers && steps_of(n.plan, " integer_add ") != (c->sum && *convs > 0))
            return -1;
        if (integers && steps_of(n.plan, " integer_pool2d ") != (c->pool && *convs > 0))
            return -1;
        if (integers && steps_of(n.plan, " integer_table ") != (c->joined ? 3 : 0)) return -1;
        if (!upload(&n, "x", x, 2 * c->channels * SIDE * SIDE) || !download(&n, y[integers], count))
            return -1;
        close_net(&n);
    }
    for (int i = 0; i < count; i++) {
        const float apart = fabsf(y[0][i] - y[1][i]);
        if (apart > 1.001f * step) return -1;
        *other += apart > 0.5f * step;
    }
    return count;
}

static void images(void) {
    static const image_case cases[] = {
        {true, true, true, 3, 16, 1, 3, 1, 1, 1, 1, "Relu", false, false, 0},
        {false, true, true, 16, 33, 1, 3, 1, 1, 1, 1, "", false, false, 0},
        {false, false, false, 5, 20, 1, 3, 2, 1, 1, 1, "Clip", false, false, 0},
        {true, false, true, 40, 17, 1, 1, 1, 0, 0, 1, "Relu", true, false, 0},
        {false, true, true, 16, 16, 1, 3, 1, 1, 1, 1, "Relu", false, true, 0},
        {true, true, true, 24, 24, 1, 1, 1, 0, 0, 1, "", false, true, 0},
        {false, true, true, 18, 18, 18, 3, 1, 1, 1, 1, "Relu", false, false, 0},
        {true, true, true, 20, 40, 4, 3, 1, 1, 1, 1, "Clip", true, false, 0},
        {false, true, true, 7, 12, 1, 3, 2, 0, 1, 1, "Relu", false, false, 0},
        {true, true, true, 8, 9, 1, 3, 1, 2, 2, 2, "Relu", false, false, 0},
        {true, true, true, 16, 24, 1, 3, 1, 1, 1, 1, "Relu", false, false, 0, true},
        {false, false, true, 16, 16, 16, 3, 1, 1, 1, 1, "", false, true, 0, true},
        {false, true, true, 16, 20, 1, 3, 1, 1, 1, 1, "Relu", false, false, 0, true, "AveragePool"},
        {true, true, true, 9, 1, 1, 3, 1, 1, 1, 1, "", false, false, 0, false, "AveragePool"},
        {true, true, true, 16, 33, 1, 3, 1, 1, 1, 1, "Relu", true, false, 0, false,
         "GlobalAveragePool"},
        {false, true, true, 16, 24, 1, 3, 1, 1, 1, 1, "Relu", false, false, 0, false, "ReduceMean"},
        {true, true, true, 16, 33, 1, 3, 1, 1, 1, 1, "", false, true, 0, true, "ReduceMean", false,
         18},
        {false, true, true, 8, 12, 1, 3, 1, 1, 1, 1, "Relu", false, false, 0, false, NULL, true},
        {true, true, true, 8, 12, 1, 3, 1, 1, 1, 1, "", false, false, 0, true, "GlobalAveragePool",
         true}};
    static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_DEFAULT, NN_INSTRUCTIONS_PLAIN};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
        for (int k = 0; k < 2; k++) {
            int other, convs;
            const int count = compare(&cases[i], sets[k], &other, &convs);
            ENSURE(count > 0 && other * 100 <= count);
            ENSURE(convs == 1 + cases[i].sum + cases[i].joined + (cases[i].mean != NULL));
        }
}

/* With a factor below 2^-16, or above 1, the file's layers stay as they were. */
static void scales_of_other_sizes(void) {
    static const image_case cases[] = {
        {true, true, true, 16, 8, 1, 3, 1, 1, 1, 1, "Relu", false, false, 9.0f},
        {false, true, true, 16, 8, 1, 3, 1, 1, 1, 1, "Relu", false, false, 0.00003f}};
    for (int i = 0; i < 2; i++) {
        int other, convs;
        const int count = compare(&cases[i], NN_INSTRUCTIONS_DEFAULT, &other, &convs);
        ENSURE(count > 0 && convs == 0 && other * 50 <= count);
    }
}

/* A bias of f32 becomes whole numbers in the scale of the sums, rounded. */
static void biases_of_floats(void) {
    static const image_case c = {true, true, true, 16, 24, 1, 3, 1, 1, 1, 1, "Relu",
                                 false, false, 0, true};
    image_case known = c;
    int32_t bias[2][24];
    known.floats = false;
    for (int i = 0; i < 2; i++) {
        const blob model = image_model(i ? &known : &c);
        open_net n = {nn_open(NULL), NULL, NULL, NULL, NULL};
        int found = 0;
        n.file = nn_open_onnx(n.nn, &(nn_onnx_desc){.bytes = model.at, .size = model.size});
        n.model = nn_make_model(n.nn, NULL);
        nn_onnx_integers(n.file);
        n.y = nn_onnx_net(n.model, "", n.file, NULL);
        n.plan = nn_make_plan(n.model, &(nn_plan_desc){.outputs = NN_NODES(n.y), .batch = 1});
        ENSURE(n.plan && nn_load_onnx_weights(n.model, n.file) == NN_OK);
        for (nn_node *node = nn_next_node(n.model, NULL); node; node = nn_next_node(n.model, node))
            if (strstr(nn_node_name(node), ".bias")) {
                found++;
                ENSURE(nn_node_dtype(node) == NN_I32);
                nn_download_tensor(nn_find_tensor(n.model, nn_node_name(node)), bias[i],
                                   sizeof bias[i]);
            }
        ENSURE(found == 1);
        close_net(&n);
    }
    /* the floats are at most 0.98 above the whole numbers of the other file */
    int above = 0;
    for (int k = 0; k < 24; k++) {
        ENSURE(bias[0][k] == bias[1][k] || bias[0][k] == bias[1][k] + 1);
        above += bias[0][k] != bias[1][k];
    }
    ENSURE(above > 4 && above < 20);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(images);
    RUN(scales_of_other_sizes);
    RUN(biases_of_floats);
    return test_report();
}
