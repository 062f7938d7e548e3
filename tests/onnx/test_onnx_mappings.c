/* tests/onnx/test_onnx_mappings.c - operators whose meaning depends on the opset, free extents, and
   the messages of refusals. model_cases.py compares the results of all operators. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "described.h"

/* A net of one operator x -> y with up to two known operands. */
typedef struct one_op {
    blob op, known[2];
    const char *shape; /* of x */
    int dtype, opset, batch, time;
} one_op;

static one_op op_of(const char *text, const char *shape, int opset) {
    one_op o = {
        .op = node(text), .shape = shape, .dtype = ONNX_FLOAT, .opset = opset, .batch = 4, .time = 3};
    return o;
}

/* Adds integers as a known operand. */
static void with_known(one_op *o, const char *name, const char *shape, int count,
                       const int64_t *numbers) {
    o->known[o->known[0].size > 0] = tensor(name, ONNX_INT64, shape, numbers, (size_t)count * 8);
}

static open_net describe_op(const one_op *o, const nn_onnx_net_desc *desc) {
    blob graph = {.size = 0};
    add(&graph, 1, o->op);
    for (int i = 0; i < 2; i++)
        if (o->known[i].size > 0) add(&graph, 5, o->known[i]);
    add(&graph, 11, info("x", o->dtype, o->shape));
    add(&graph, 12, info("y", ONNX_FLOAT, "?"));
    {
        const blob model = model_of(&graph, o->opset);
        return describe(&model, desc, o->batch, o->time);
    }
}

/* Time is NN_TIME in all these nets. */
static const nn_onnx_net_desc with_time = {.extents = {&(nn_onnx_extent){"time", NN_TIME}, 1}};

/* Runs the net on the numbers 1, 2, 3 ... and compares the outputs. */
static void gives(const one_op *o, int inputs, int outputs, const float *wanted) {
    open_net n = describe_op(o, &with_time);
    float y[32];
    ENSURE(n.plan);
    if (!n.plan) says(&n, "nothing");
    ENSURE(n.plan && upload(&n, "x", ones, inputs) && download(&n, y, outputs));
    for (int i = 0; i < outputs; i++) ENSURE_CLOSE(y[i], wanted[i], 1e-6);
    close_net(&n);
}

static void is_refused(const one_op *o, const char *cause, const char *fix) {
    open_net n = describe_op(o, &with_time);
    ENSURE(!n.plan && says(&n, cause) && says(&n, fix));
    close_net(&n);
}

/* ---- meanings by opset ----------------------------------------------------------------------- */

/* Before opset 13 the axes from the given one on count as one axis, here all 4 numbers of a
   sample. */
static void softmax_flattened(void) {
    static const float flat[4] = {0.0320586f, 0.0871443f, 0.2368828f, 0.6439143f};
    static const float rows[4] = {0.2689414f, 0.7310586f, 0.2689414f, 0.7310586f};
    one_op o = op_of("Softmax x -> y", "batch,2,2", 11);
    with_int(&o.op, "axis", 1);
    gives(&o, 4, 4, flat);
    o = op_of("Softmax x -> y", "batch,2,2", 13);
    gives(&o, 4, 4, rows);
}

static void limits_of_clip(void) {
    static const float wanted[4] = {2, 2, 3, 3};
    one_op o = op_of("Clip x,low,high -> y", "4", 13);
    const int64_t low = 2, high = 3;
    with_known(&o, "low", "", 1, &low);
    with_known(&o, "high", "", 1, &high);
    gives(&o, 4, 4, wanted);
}

/* Reductions of scatters, with two updates of one element. */
static void scatters_that_combine(void) {
    static const char *const words[] = {"mul", "max", "min", "add"};
    static const float elements[4][4] = {
        {1, 40, 3, 12}, {1, 10, 3, 4}, {1, 2, 3, 3}, {1, 14, 3, 7}};
    static const float rows[4][4] = {{0, 14, 30, 36}, {1, 7, 5, 9}, {0, 2, 2, 1}, {1, 9, 10, 14}};
    static const int64_t index[3] = {1, 1, -1}, updates[3] = {10, 2, 3};
    static const int64_t lists[3] = {1, -1, 0}, of_rows[6] = {5, 1, 2, 9, 0, 7};
    for (int i = 0; i < 4; i++) {
        one_op o = op_of("ScatterElements x,index,u -> y", "4", 18);
        with_text(&o.op, "reduction", words[i]);
        with_known(&o, "index", "3", 3, index);
        with_known(&o, "u", "3", 3, updates);
        gives(&o, 4, 4, elements[i]);
        o = op_of("ScatterND x,index,u -> y", "2,2", 18);
        with_text(&o.op, "reduction", words[i]);
        with_known(&o, "index", "3,1", 3, lists);
        with_known(&o, "u", "3,2", 6, of_rows);
        gives(&o, 4, 4, rows[i]);
    }
    one_op o = op_of("ScatterElements x,index,u -> y", "4", 18);
    static const int64_t outside[3] = {1, 4, 0};
    with_text(&o.op, "reduction", "max");
    with_known(&o, "index", "3", 3, outside);
    with_known(&o, "u", "3", 3, updates);
    is_refused(&o, "its index 4 is out of range; the axis has 4 elements", "");
    o = op_of("ScatterElements x,index,u -> y", "4", 18);
    with_text(&o.op, "reduction", "median");
    with_known(&o, "index", "3", 3, index);
    with_known(&o, "u", "3", 3, updates);
    is_refused(&o, "wanted none, add, mul, min or max", ".outputs");
}

/* A region between four pixels, one on a pixel, and one outside of the image. */
static void regions_of_pictures(void) {
    static const float half[2] = {3.5f, 0}, whole[2] = {6, 0};
    static const float largest_half[2] = {1.5f, 0}; /* of 1, 2, 5 and 6, each times 1/4 */
    static const int64_t regions[8] = {0, 0, 2, 2, -8, -8, -6, -6}, samples[2] = {0, 0};
    for (int opset = 10; opset <= 16; opset += 6) {
        one_op o = op_of("RoiAlign x,regions,samples -> y", "1,1,4,4", opset);
        with_int(&o.op, "sampling_ratio", 1);
        with_known(&o, "regions", "2,4", 8, regions);
        with_known(&o, "samples", "2", 2, samples);
        gives(&o, 16, 2, opset == 16 ? half : whole);
        with_text(&o.op, "mode", "max");
        gives(&o, 16, 2, opset == 16 ? largest_half : whole);
        o = op_of("RoiAlign x,regions,samples -> y", "1,1,4,4", opset);
        with_int(&o.op, "sampling_ratio", 1);
        with_known(&o, "regions", "2,4", 8, regions);
        with_known(&o, "samples", "2", 2, samples);
        with_text(&o.op, "mode", "median");
        is_refused(&o, "its mode is \"median\"; wanted avg or max", "");
    }
    one_op o = op_of("RoiAlign x,regions,samples -> y", "1,1,4,4", 16);
    with_known(&o, "regions", "2,4", 8, regions);
    with_known(&o, "samples", "2", 2, samples);
    is_refused(&o, "its sampling_ratio is 0 or above 64", "sampling_ratio of 1 to 64");
}

/* Before opset 7 the second operand began at an axis. */
static void old_broadcast(void) {
    static const float wanted[4] = {11, 12, 23, 24};
    static const int64_t two[2] = {10, 20};
    one_op o = op_of("Add x,b -> y", "2,2", 6);
    with_int(&o.op, "axis", 0);
    with_int(&o.op, "broadcast", 1);
    with_known(&o, "b", "2", 2, two);
    gives(&o, 4, 4, wanted);
}

static void axes_of_reductions(void) {
    static const float rows[2] = {3, 7}, all[1] = {10};
    static const int64_t last = -1;
    one_op o = op_of("ReduceSum x -> y", "2,2", 11);
    with_ints(&o.op, "axes", 1, 1);
    with_int(&o.op, "keepdims", 0);
    gives(&o, 4, 2, rows);
    o = op_of("ReduceSum x,axes -> y", "2,2", 13);
    with_known(&o, "axes", "1", 1, &last);
    gives(&o, 4, 2, rows);
    o = op_of("ReduceSum x -> y", "2,2", 13);
    gives(&o, 4, 1, all);
    o = op_of("ReduceSum x -> y", "2,2", 13);
    with_int(&o.op, "noop_with_empty_axes", 1);
    gives(&o, 4, 4, ones);
}

/* ---- free extents ---------------------------------------------------------------------------- */

static void reshapes(void) {
    static const int64_t split[4] = {0, 0, 2, 1}, joined[2] = {-1, 2}, wrong[2] = {5, -1};
    one_op o = op_of("Reshape x,shape -> y", "batch,time,2", 13);
    open_net n;
    with_known(&o, "shape", "4", 4, split);
    o.batch = 2;
    gives(&o, 12, 12, ones);
    o = op_of("Reshape x,shape -> y", "batch,time,2", 13);
    o.batch = 2;
    with_known(&o, "shape", "2", 2, joined);
    n = describe_op(&o, &with_time);
    ENSURE(n.plan && nn_node_shape(n.y).rank == 2);
    ENSURE(nn_node_shape(n.y).extent[0] == nn_multiply_extents(NN_BATCH, NN_TIME));
    close_net(&n);
    o = op_of("Reshape x,shape -> y", "batch,time,2", 13);
    with_known(&o, "shape", "2", 2, wrong);
    is_refused(&o, "2 elements cannot be reshaped: they are not a multiple of 5", "Reshape");
}

static void expansions(void) {
    static const int64_t shape[3] = {1, 1, 2};
    static const float wanted[4] = {1, 1, 2, 2};
    one_op o = op_of("Expand x,shape -> y", "batch,1", 13);
    with_known(&o, "shape", "3", 3, shape);
    o.batch = 2;
    gives(&o, 2, 4, wanted);
}

/* A free axis may be kept or reversed. */
static void slices(void) {
    static const int64_t back[2] = {-1, -1}, far[2] = {-1000, -1000}, whole[1] = {0};
    static const int64_t last[1] = {INT64_MAX}, one[1] = {1};
    static const float turned[6] = {2, 1, 4, 3, 6, 5}, first[3] = {1, 3, 5};
    blob graph = {.size = 0};
    one_op o = op_of("Slice x,starts,ends -> y", "time,2", 13);
    with_known(&o, "starts", "1", 1, whole);
    with_known(&o, "ends", "1", 1, last);
    gives(&o, 6, 6, ones);
    o = op_of("Slice x,starts,ends -> y", "time,2", 13);
    with_known(&o, "starts", "1", 1, one);
    with_known(&o, "ends", "1", 1, last);
    is_refused(&o, "it cuts the free extent of axis 0", "give it a number in .extents");
    o = op_of("Slice x -> y", "3,2", 9);
    with_ints(&o.op, "starts", 1, 0);
    with_ints(&o.op, "ends", 1, -1);
    with_ints(&o.op, "axes", 1, 1);
    gives(&o, 6, 3, first);
    add(&graph, 1, node("Slice x,starts,ends,axes,steps -> y"));
    add(&graph, 5, tensor("starts", ONNX_INT64, "1", back, 8));
    add(&graph, 5, tensor("ends", ONNX_INT64, "1", far, 8));
    add(&graph, 5, tensor("axes", ONNX_INT64, "1", back, 8));
    add(&graph, 5, tensor("steps", ONNX_INT64, "1", back, 8));
    add(&graph, 11, info("x", ONNX_FLOAT, "3,2"));
    add(&graph, 12, info("y", ONNX_FLOAT, "3,2"));
    {
        const blob model = model_of(&graph, 13);
        open_net n = describe(&model, NULL, 1, 1);
        float y[6];
        ENSURE(n.plan && upload(&n, "x", ones, 6) && download(&n, y, 6));
        for (int i = 0; i < 6; i++) ENSURE_CLOSE(y[i], turned[i], 0);
        close_net(&n);
    }
}

/* ---- indices --------------------------------------------------------------------------------- */

/* A table of weights becomes a parameter that is trained. */
static void tables(void) {
    blob graph = {.size = 0};
    const int32_t index[2] = {2, 0};
    float y[4];
    add(&graph, 1, node("Gather words.weight,x -> y"));
    add(&graph, 5, tensor("words.weight", ONNX_FLOAT, "3,2", ones, 24));
    add(&graph, 11, info("x", ONNX_INT64, "batch"));
    add(&graph, 12, info("y", ONNX_FLOAT, "batch,2"));
    {
        const blob model = model_of(&graph, 13);
        open_net n = describe(&model, NULL, 2, 1);
        ENSURE(n.plan && nn_parameter_count(n.model) == 1);
        ENSURE(nn_find_tensor(n.model, "words.weight") != NULL);
        ENSURE(nn_upload(n.plan, nn_onnx_node(n.model, n.file, "x"), index, 8) == NN_OK);
        ENSURE(download(&n, y, 4));
        ENSURE_CLOSE(y[0], 5, 0);
        ENSURE_CLOSE(y[1], 6, 0);
        ENSURE_CLOSE(y[2], 1, 0);
        ENSURE_CLOSE(y[3], 2, 0);
        close_net(&n);
    }
}

/* A single index removes its axis and may count from the end, unless the axis is free. */
static void one_index(void) {
    static const float wanted[3] = {2, 4, 6};
    static const int64_t last = -1, far = 2;
    one_op o = op_of("Gather x,i -> y", "time,2", 13);
    with_int(&o.op, "axis", 1);
    with_known(&o, "i", "", 1, &last);
    gives(&o, 6, 3, wanted);
    o = op_of("Gather x,i -> y", "time,2", 13);
    with_known(&o, "i", "", 1, &last);
    is_refused(&o, "an index is negative", ".extents");
    o = op_of("Gather x,i -> y", "time,2", 13);
    with_int(&o.op, "axis", 1);
    with_known(&o, "i", "", 1, &far);
    is_refused(&o, "its index is out of range; the axis has 2 elements", "Gather");
}

/* ---- whole numbers --------------------------------------------------------------------------- */

static void whole_numbers(void) {
    static const int64_t three = 3;
    const int32_t x[4] = {7, -7, 9, 0};
    int32_t y[4];
    one_op o = op_of("Div x,three -> y", "4", 13);
    open_net n;
    o.dtype = ONNX_INT64;
    with_known(&o, "three", "", 1, &three);
    n = describe_op(&o, NULL);
    ENSURE(n.plan && nn_node_dtype(n.y) == NN_I32);
    ENSURE(nn_upload(n.plan, nn_onnx_node(n.model, n.file, "x"), x, sizeof x) == NN_OK);
    ENSURE(download(&n, y, 4));
    ENSURE(y[0] == 2 && y[1] == -2 && y[2] == 3 && y[3] == 0);
    close_net(&n);
}

/* Bytes wrap around. */
static void bytes_wrap(void) {
    const unsigned char x[2] = {250, 3};
    const unsigned char ten = 10;
    int32_t y[2];
    one_op o = op_of("Add x,ten -> y", "2", 14);
    open_net n;
    o.dtype = 2;
    o.known[0] = tensor("ten", 2, "", &ten, 1);
    n = describe_op(&o, NULL);
    ENSURE(n.plan);
    ENSURE(nn_upload(n.plan, nn_onnx_node(n.model, n.file, "x"), x, sizeof x) == NN_OK);
    ENSURE(download(&n, y, 2));
    ENSURE(y[0] == 4 && y[1] == 13);
    close_net(&n);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void words_of_refusals(void) {
    static const struct {
        const char *text, *cause, *fix;
    } all[] = {
        {"BitwiseAnd x,x -> y", "more than 16 bits", ".outputs"},
        {"NonZero x -> y", "the shape of its output depends on values", "after a run"},
        {"RandomNormalLike x -> y", "it draws random numbers", ".outputs"},
        {"SequenceConstruct x -> y", "it works on sequences", ".outputs"},
        {"StringNormalizer x -> y", "it works on text", "before the net"},
        {"Reshape x,x -> y", "operand 1 (shape) depends on values", ".values"},
        {"OneHot x,x,x -> y", "(values) depends on values", ".values"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        one_op o = op_of(all[i].text, "4", 18);
        is_refused(&o, all[i].cause, all[i].fix);
    }
}

static void casts_that_are_refused(void) {
    one_op o = op_of("Cast x -> y", "4", 19);
    with_int(&o.op, "to", 17);
    is_refused(&o, "its output dtype is float8", "name the values before it");
    o = op_of("Cast x -> y", "4", 19);
    with_int(&o.op, "to", 8);
    is_refused(&o, "its output dtype is string", "name the values before it");
    o = op_of("Cast x -> y", "4", 19);
    with_int(&o.op, "to", INT64_MAX);
    is_refused(&o, "its output dtype is unknown", "name the values before it");
}

/* A weight of bytes that is reshaped after it was dequantised: (2, 12) becomes two matrices (2, 6),
   so y is (2, 3, 6). Both layers of integers and layers of f32 give this result. */
static void reshaped_bytes(void) {
    const float scale = 0.5f;
    const int8_t zero = 0;
    const int64_t extents[3] = {2, 2, 6};
    int8_t weight[24];
    for (int i = 0; i < 24; i++) weight[i] = (int8_t)i;
    for (int integers = 0; integers < 2; integers++) {
        blob graph = {.size = 0};
        float y[36];
        add(&graph, 1, node("QuantizeLinear x,s,z -> q"));
        add(&graph, 1, node("DequantizeLinear q,s,z -> d"));
        add(&graph, 1, node("DequantizeLinear w,s,z -> v"));
        add(&graph, 1, node("Reshape v,e -> m"));
        add(&graph, 1, node("MatMul d,m -> y"));
        add(&graph, 5, tensor("s", ONNX_FLOAT, "", &scale, 4));
        add(&graph, 5, tensor("z", ONNX_INT8, "", &zero, 1));
        add(&graph, 5, tensor("w", ONNX_INT8, "2,12", weight, sizeof weight));
        add(&graph, 5, tensor("e", ONNX_INT64, "3", extents, sizeof extents));
        add(&graph, 11, info("x", ONNX_FLOAT, "3,2"));
        add(&graph, 12, info("y", ONNX_FLOAT, "?"));
        const blob model = model_of(&graph, 13);
        open_net n = {open_context(), NULL, NULL, NULL, NULL};
        n.file = nn_open_onnx(n.nn, &(nn_onnx_desc){.bytes = model.at, .size = model.size});
        n.model = nn_make_model(n.nn, NULL);
        if (integers) ENSURE(nn_onnx_integers(n.file) == NN_OK);
        n.y = nn_onnx_net(n.model, "", n.file, NULL);
        ENSURE(nn_load_onnx_weights(n.model, n.file) == NN_OK);
        ENSURE(nn_same_shape(nn_node_shape(n.y), NN_SHAPE(2, 3, 6)));
        n.plan = nn_make_plan(n.model, &(nn_plan_desc){.outputs = NN_NODES(n.y)});
        ENSURE(n.plan && upload(&n, "x", ones, 6) && download(&n, y, 36));
        for (int i = 0; i < 36; i++) {
            const int matrix = i / 18, row = i / 6 % 3, at = matrix * 12 + i % 6;
            const float wanted = (float)((2 * row + 1) * at + (2 * row + 2) * (at + 6)) * scale;
            ENSURE_CLOSE(y[i], wanted, 1e-6);
        }
        close_net(&n);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(softmax_flattened);
    RUN(limits_of_clip);
    RUN(old_broadcast);
    RUN(axes_of_reductions);
    RUN(scatters_that_combine);
    RUN(regions_of_pictures);
    RUN(reshapes);
    RUN(expansions);
    RUN(slices);
    RUN(tables);
    RUN(one_index);
    RUN(whole_numbers);
    RUN(bytes_wrap);
    RUN(words_of_refusals);
    RUN(casts_that_are_refused);
    RUN(reshaped_bytes);
    return test_report();
}
