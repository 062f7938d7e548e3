/* test_ops.c: tests every operation in three ways: compares the immediate call with plain loops in
   double, the described net with the immediate call, and its gradients with finite differences.
   Then tests every message about bad operands, and every default. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"

#include "inside.h"
#include "open.h"
#include "reference.h"
#include "functions.h"
#include "test.h"
#include "lists.h"

#include <stdlib.h>

#define AT          nn_make_site("net.c", 7)
#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

/* ---- help ------------------------------------------------------------------------------------ */

static nn_context *open_nn(void) {
    nn_desc desc;
    ZERO(desc);
    desc.threads = 1;
    return nn_open(&desc);
}

static nn_model *make_net(nn_context *nn) { return nn_make_model(nn, NULL); }

static float noise(uint32_t i) {
    uint32_t x = (i + 1) * 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return (float)(x >> 8) / 8388608.0f - 1.0f;
}

static nn_tensor *make(nn_context *nn, const char *name, nn_dtype dtype, nn_shape shape,
                       uint32_t seed) {
    nn_tensor_desc desc;
    nn_tensor *tensor;
    ZERO(desc);
    desc.name = name;
    desc.dtype = dtype;
    desc.shape = shape;
    tensor = nn_make_tensor(nn, &desc);
    if (tensor && dtype == NN_F32 && seed)
        for (int64_t i = 0; i < nn_shape_count(shape); i++)
            ((float *)nn_tensor_data(tensor))[i] = noise(seed * 1000 + (uint32_t)i);
    return tensor;
}
#define F32(name, seed, ...) make(nn, name, NN_F32, NN_SHAPE(__VA_ARGS__), seed)
#define I32(name, ...)       make(nn, name, NN_I32, NN_SHAPE(__VA_ARGS__), 0)
#define NUMBER(tensor, i)    (((float *)nn_tensor_data(tensor))[i])

static reference_array wanted(const nn_tensor *tensor) {
    reference_array a;
    size_t n = (size_t)nn_shape_count(nn_tensor_shape(tensor));
    a.value = (double *)calloc(n, sizeof(double));
    a.scale = (double *)calloc(n, sizeof(double));
    return a;
}

static void compare(const nn_tensor *tensor, reference_array a, int line) {
    int64_t n = nn_shape_count(nn_tensor_shape(tensor));
    for (int64_t i = 0; i < n; i++) {
        double got = nn_tensor_dtype(tensor) == NN_I32
                         ? (double)((int32_t *)nn_tensor_data(tensor))[i]
                         : (double)NUMBER(tensor, i);
        if (test_wrong(!(fabs(got - a.value[i]) <= 4e-6 * a.scale[i] + 1e-7)))
            test_fail(__FILE__, line, "%s[%d] is %.9g, wanted %.9g", nn_tensor_name(tensor), (int)i,
                      got, a.value[i]);
    }
    free(a.value);
    free(a.scale);
}
#define COMPARE(tensor, array) compare(tensor, array, __LINE__)

/* Runs `output` with x and compares the result with a tensor. */
static void described(nn_model *net, nn_node *input, const nn_tensor *x, nn_node *output,
                      const nn_tensor *expected, int line) {
    nn_plan_desc desc;
    nn_plan *plan;
    int64_t n = nn_shape_count(nn_tensor_shape(expected));
    float *got = (float *)calloc((size_t)n, sizeof(float));
    ZERO(desc);
    NODE_AT(desc.outputs, 0) = output;
    desc.batch = 8;
    plan = nn_make_plan(net, &desc);
    if (test_wrong(!plan || nn_upload(plan, input, nn_tensor_data(x), (size_t)nn_tensor_bytes(x)) != NN_OK ||
        nn_run(plan) != NN_OK || nn_download(plan, output, got, (size_t)n * 4) != NN_OK)) {
        test_fail(__FILE__, line, "the plan fails: %s",
                  nn_error(net->nn) ? nn_error(net->nn) : "(no error)");
    } else {
        for (int64_t i = 0; i < n; i++)
            if (test_wrong(!(fabs((double)got[i] - (double)NUMBER(expected, i)) <=
                  2e-6 * (1 + fabs((double)got[i])))))
                test_fail(__FILE__, line, "described [%d] is %.9g, immediate %.9g", (int)i,
                          (double)got[i], (double)NUMBER(expected, i));
    }
    free(got);
}
#define DESCRIBED(input, x, output, expected) described(net, input, x, output, expected, __LINE__)

/* ---- immediate and described ----------------------------------------------------------------- */

static void linear_once(int rows, int in, int out, bool no_bias) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_linear_desc desc;
    nn_tensor *x = F32("x", 1, rows, in), *y = F32("y", 0, rows, out),
              *dy = F32("dy", 2, rows, out), *dx = F32("dx", 0, rows, in);
    nn_tensor *dw = F32("dw", 0, out, in), *db = F32("db", 0, out), *w, *b;
    nn_node *input, *node;
    ZERO(desc);
    desc.out_features = out;
    desc.no_bias = no_bias;
    input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, in));
    node = nn_linear(net, "fc", input, &desc);
    w = nn_find_tensor(net, "fc.weight");
    b = no_bias ? NULL : nn_find_tensor(net, "fc.bias");
    ENSURE(w && (no_bias || b));
    for (int i = 0; i < in * out; i++)
        ENSURE(fabs((double)NUMBER(w, i)) <= 1.0 / sqrt((double)in) + 1e-6);
    ENSURE(nn_linear_forward(y, x, w, b) == NN_OK);
    ENSURE(nn_linear_backward(dx, dw, db, dy, x, w, false) == NN_OK);
    ENSURE(nn_linear_backward(NULL, dw, NULL, dy, x, w, true) == NN_OK); /* dw twice */
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < out; o++) {
            double sum = b ? (double)NUMBER(b, o) : 0;
            for (int i = 0; i < in; i++)
                sum += (double)NUMBER(x, r * in + i) * (double)NUMBER(w, o * in + i);
            ENSURE_CLOSE(NUMBER(y, r * out + o), sum, 1e-5);
        }
    for (int o = 0; o < out; o++) {
        double total = 0;
        for (int r = 0; r < rows; r++) total += (double)NUMBER(dy, r * out + o);
        ENSURE_CLOSE(NUMBER(db, o), total, 1e-5);
        for (int i = 0; i < in; i++) {
            double sum = 0;
            for (int r = 0; r < rows; r++)
                sum += (double)NUMBER(dy, r * out + o) * (double)NUMBER(x, r * in + i);
            ENSURE_CLOSE(NUMBER(dw, o * in + i), 2 * sum, 2e-5);
        }
    }
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < in; i++) {
            double sum = 0;
            for (int o = 0; o < out; o++)
                sum += (double)NUMBER(dy, r * out + o) * (double)NUMBER(w, o * in + i);
            ENSURE_CLOSE(NUMBER(dx, r * in + i), sum, 1e-5);
        }
    DESCRIBED(input, x, node, y);
    nn_close(nn);
}

static void test_linear(void) {
    linear_once(3, 5, 4, false);
    linear_once(8, 33, 17, true);
    linear_once(1, 1, 1, false);
}

static void test_linear_any_rank(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_linear_desc desc;
    nn_tensor *x = F32("x", 3, 2, 3, 5), *y = F32("y", 0, 2, 3, 4);
    nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 5)), *node;
    ZERO(desc);
    desc.out_features = 4;
    node = nn_linear(net, "fc", input, &desc);
    ENSURE(nn_same_shape(nn_node_shape(node), NN_SHAPE(NN_BATCH, 3, 4)));
    ENSURE(nn_linear_forward(y, x, nn_find_tensor(net, "fc.weight"),
                             nn_find_tensor(net, "fc.bias")) == NN_OK);
    DESCRIBED(input, x, node, y);
    nn_close(nn);
}

static void test_matmul(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_tensor *a = F32("a", 1, 3, 4), *b = F32("b", 2, 4, 5), *y = F32("y", 0, 3, 5);
    nn_node *input = nn_input(net, "a", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *node = nn_matmul(net, input, nn_constant(net, "b", b), NULL);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 5; c++)
            for (int k = 0; k < 4; k++)
                NUMBER(y, r * 5 + c) += NUMBER(a, r * 4 + k) * NUMBER(b, k * 5 + c);
    DESCRIBED(input, a, node, y);
    nn_close(nn);
}

static uint64_t conv_scratch; /* bytes of the convolutions so far */

static void conv_once(nn_shape shape, nn_conv2d_desc desc) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_shape symbolic = shape;
    nn_node *input, *node;
    nn_tensor *x = make(nn, "x", NN_F32, shape, 1), *y, *dy, *dx = make(nn, "dx", NN_F32, shape, 0),
              *w, *b, *dw, *db;
    nn_conv2d_args args;
    symbolic.extent[0] = NN_BATCH;
    input = nn_input(net, "x", NN_F32, symbolic);
    node = nn_conv2d(net, "conv", input, &desc);
    w = nn_find_tensor(net, "conv.weight");
    b = nn_find_tensor(net, "conv.bias");
    ENSURE(w && b);
    symbolic = nn_node_shape(node);
    symbolic.extent[0] = shape.extent[0];
    y = make(nn, "y", NN_F32, symbolic, 0);
    dy = make(nn, "dy", NN_F32, symbolic, 2);
    dw = make(nn, "dw", NN_F32, nn_tensor_shape(w), 0);
    db = make(nn, "db", NN_F32, nn_tensor_shape(b), 0);
    ENSURE(nn_conv2d_forward(y, x, w, b, &desc) == NN_OK);
    ENSURE(nn_conv2d_backward(dx, dw, db, dy, x, w, &desc, false) == NN_OK);
    const uint64_t bytes = nn_conv2d_scratch_bytes(y, x, w, &desc);
    ENSURE(bytes < 16000000);
    conv_scratch += bytes;
    nn__op_conv_args(&args, nn_tensor_view(y), nn_tensor_view(x), nn_tensor_view(w),
                     node->params);
    args.epilogue.bias = nn_tensor_view(b);
    reference_array ay = wanted(y), adx = wanted(dx), adw = wanted(dw), adb = wanted(db);
    reference_conv2d_forward(&args, ay);
    COMPARE(y, ay);
    args.y = nn_tensor_view(dy);
    reference_conv2d_backward_weight(&args, adw, adb);
    COMPARE(dw, adw);
    COMPARE(db, adb);
    args.x = nn_tensor_view(dx);
    memset(&args.epilogue.bias, 0, sizeof args.epilogue.bias);
    reference_conv2d_backward_input(&args, adx);
    COMPARE(dx, adx);
    DESCRIBED(input, x, node, y);
    nn_close(nn);
}

static void test_conv2d(void) {
    nn_conv2d_desc desc;
    ZERO(desc);
    desc.out_channels = 4;
    desc.kernel = 3;
    conv_once(NN_SHAPE(2, 3, 7, 6), desc);
    desc.padding = 1;
    desc.stride = 2;
    conv_once(NN_SHAPE(1, 2, 9, 8), desc);
    desc.groups = 2;
    desc.kernel_w = 2;
    desc.dilation_w = 2;
    desc.padding_w = NN_NONE;
    conv_once(NN_SHAPE(2, 4, 8, 9), desc);
    ENSURE(conv_scratch > 0);
}

static void pool_once(nn_shape shape, nn_pool2d_desc desc, bool largest) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_shape symbolic = shape;
    nn_node *input, *node;
    nn_tensor *x = make(nn, "x", NN_F32, shape, 1), *dx = make(nn, "dx", NN_F32, shape, 0), *y, *dy,
              *index;
    nn_pool2d_args args;
    symbolic.extent[0] = NN_BATCH;
    input = nn_input(net, "x", NN_F32, symbolic);
    node = largest ? nn_max_pool2d(net, input, &desc) : nn_avg_pool2d(net, input, &desc);
    symbolic = nn_node_shape(node);
    symbolic.extent[0] = shape.extent[0];
    y = make(nn, "y", NN_F32, symbolic, 0);
    dy = make(nn, "dy", NN_F32, symbolic, 2);
    index = make(nn, "index", NN_I32, symbolic, 0);
    if (largest) {
        ENSURE(nn_max_pool2d_forward(y, index, x, &desc) == NN_OK);
        ENSURE(nn_max_pool2d_backward(dx, dy, index, &desc) == NN_OK);
        ENSURE(nn_max_pool2d_forward(y, NULL, x, &desc) == NN_OK);
    } else {
        ENSURE(nn_avg_pool2d_forward(y, x, &desc) == NN_OK);
        ENSURE(nn_avg_pool2d_backward(dx, dy, &desc) == NN_OK);
    }
    nn__op_pool2d_args(&args, &y->view, &x->view, largest ? &index->view : NULL, node->params,
                       largest ? NN_POOL_MAX : NN_POOL_AVERAGE);
    reference_array ay = wanted(y), ai = wanted(index), adx = wanted(dx);
    reference_pool2d_forward(&args, ay, ai);
    COMPARE(y, ay);
    if (largest)
        COMPARE(index, ai);
    else
        free(ai.value), free(ai.scale);
    args.y = nn_tensor_view(dy);
    args.x = nn_tensor_view(dx);
    reference_pool2d_backward(&args, adx);
    COMPARE(dx, adx);
    DESCRIBED(input, x, node, y);
    nn_close(nn);
}

static void test_pool2d(void) {
    nn_pool2d_desc desc;
    ZERO(desc);
    desc.kernel = 2;
    pool_once(NN_SHAPE(2, 3, 6, 8), desc, true);
    pool_once(NN_SHAPE(2, 3, 7, 5), desc, false);
    desc.kernel = 3;
    desc.stride = 2;
    desc.padding = 1;
    desc.ceil = true;
    pool_once(NN_SHAPE(1, 2, 8, 6), desc, true);
    pool_once(NN_SHAPE(1, 2, 8, 6), desc, false);
    desc.count_only_inside = true;
    desc.kernel_w = 2;
    desc.padding_w = NN_NONE;
    pool_once(NN_SHAPE(1, 2, 8, 6), desc, false);
}

/* Compares immediate calls of lines and of transposed convolutions, forward and backward, with
   plain loops. These calls run the kernels of images with other operands. Gradients are computed
   twice; the second call accumulates. */
typedef struct lines_case {
    int groups, C, K, L, taps, stride, padding, more, dilation; /* more: output_padding */
    bool picture, transposed;
} lines_case;

static nn_result lines_call(const lines_case *c, nn_tensor *const *t, int times) {
    nn_conv1d_desc conv;
    nn_conv_transpose1d_desc line;
    nn_conv_transpose2d_desc picture;
    ZERO(conv), ZERO(line), ZERO(picture);
    conv.groups = line.groups = picture.groups = c->groups;
    conv.stride = line.stride = picture.stride = c->stride;
    conv.padding = line.padding = picture.padding = c->padding;
    conv.dilation = line.dilation = picture.dilation = c->dilation;
    line.output_padding = picture.output_padding = c->more;
    if (!c->transposed)
        return times < 0 ? nn_conv1d_forward(t[0], t[1], t[2], t[3], &conv)
                         : nn_conv1d_backward(t[5], t[6], t[7], t[4], t[1], t[2], &conv, times > 0);
    if (!c->picture)
        return times < 0 ? nn_conv_transpose1d_forward(t[0], t[1], t[2], t[3], &line)
                         : nn_conv_transpose1d_backward(t[5], t[6], t[7], t[4], t[1], t[2], &line,
                                                        times > 0);
    return times < 0 ? nn_conv_transpose2d_forward(t[0], t[1], t[2], t[3], &picture)
                     : nn_conv_transpose2d_backward(t[5], t[6], t[7], t[4], t[1], t[2], &picture,
                                                    times > 0);
}

static nn_shape lines_shape(const lines_case *c, int a, int b, int length) {
    return c->picture ? NN_SHAPE(a, b, length, length) : NN_SHAPE(a, b, length);
}

static void lines_once(lines_case c) {
    nn_context *nn = open_nn();
    const int reach = c.dilation * (c.taps - 1), per = c.transposed ? c.K : c.C;
    const int out = c.transposed ? (c.L - 1) * c.stride + reach + 1 + c.more - 2 * c.padding
                                 : (c.L + 2 * c.padding - reach - 1) / c.stride + 1;
    const nn_shape x = lines_shape(&c, 2, c.C, c.L), y = lines_shape(&c, 2, c.K, out),
                   w = lines_shape(&c, c.transposed ? c.C : c.K, per / c.groups, c.taps);
    nn_tensor *t[8];
    t[0] = make(nn, "y", NN_F32, y, 0), t[1] = make(nn, "x", NN_F32, x, 1);
    t[2] = make(nn, "w", NN_F32, w, 2), t[3] = make(nn, "b", NN_F32, NN_SHAPE(c.K), 3);
    t[4] = make(nn, "dy", NN_F32, y, 4), t[5] = make(nn, "dx", NN_F32, x, 0);
    t[6] = make(nn, "dw", NN_F32, w, 0), t[7] = make(nn, "db", NN_F32, NN_SHAPE(c.K), 0);
    nn_conv2d_args args;
    nn_conv2d_desc desc;
    ZERO(desc);
    desc.stride = c.picture ? c.stride : 1, desc.stride_w = c.stride;
    desc.padding = c.picture ? c.padding : 0, desc.padding_w = c.padding ? c.padding : NN_NONE;
    desc.dilation = c.picture ? c.dilation : 1, desc.dilation_w = c.dilation;
    desc.groups = c.groups;
    ENSURE(lines_call(&c, t, -1) == NN_OK);
    reference_array ay = wanted(t[0]), adx = wanted(t[5]), adw = wanted(t[6]), adb = wanted(t[7]);
    nn_view v[8];
    for (int i = 0; i < 8; i++) v[i] = nn_tensor_view(t[i]);
    nn__op_conv_args(&args, c.transposed ? v[1] : v[0], c.transposed ? v[0] : v[1], v[2], &desc);
    args.epilogue.bias = v[3];
    if (c.transposed) reference_conv2d_backward_input(&args, ay);
    else reference_conv2d_forward(&args, ay);
    COMPARE(t[0], ay);
    for (int times = 0; times < 2; times++) {
        ENSURE(lines_call(&c, t, times) == NN_OK);
        if (times) continue; /* the plain loops, before the second call accumulates */
        nn__op_conv_args(&args, c.transposed ? v[1] : v[4], c.transposed ? v[4] : v[1], v[2],
                         &desc);
        reference_conv2d_backward_weight(&args, adw, adb); /* no dbias: its view is absent */
        args.epilogue.bias = nn_tensor_view(t[7]);
        memset(&args.weight, 0, sizeof args.weight);
        args.y = v[4];
        args.y.shape = lines_shape(&c, 2, c.K, out);
        if (!c.picture) args.y.shape = NN_SHAPE(2, c.K, 1, out);
        reference_conv2d_backward_weight(&args, adw, adb);
        nn__op_conv_args(&args, c.transposed ? v[5] : v[4], c.transposed ? v[4] : v[5], v[2],
                         &desc);
        if (c.transposed) reference_conv2d_forward(&args, adx);
        else reference_conv2d_backward_input(&args, adx);
    }
    for (int i = 0; i < (int)nn_shape_count(x); i++) adx.value[i] *= 2, adx.scale[i] *= 2;
    for (int i = 0; i < (int)nn_shape_count(w); i++) adw.value[i] *= 2, adw.scale[i] *= 2;
    for (int i = 0; i < c.K; i++) adb.value[i] *= 2, adb.scale[i] *= 2;
    COMPARE(t[5], adx);
    COMPARE(t[6], adw);
    COMPARE(t[7], adb);
    nn_close(nn);
}

static void test_lines_and_transposed(void) {
    /* groups, C, K, L, taps, stride, padding, more, dilation, image, transposed */
    const lines_case cases[] = {{1, 3, 4, 9, 3, 1, 1, 0, 1, false, false},
                                {2, 4, 6, 11, 4, 2, 2, 0, 2, false, false},
                                {1, 3, 4, 7, 3, 2, 1, 1, 1, false, true},
                                {2, 4, 6, 5, 4, 3, 0, 2, 2, false, true},
                                {1, 2, 3, 5, 3, 2, 1, 1, 1, true, true},
                                {3, 3, 6, 4, 2, 1, 0, 0, 3, true, true},
                                {4, 4, 4, 6, 3, 2, 1, 0, 1, true, true}};
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) lines_once(cases[i]);
}

/* Tests pools of lines, and pools with given output extents. out_h 0: not adaptive. */
static void window_once(nn_shape shape, nn_pool1d_desc desc, int out_h, int out_w, bool largest) {
    nn_context *nn = open_nn();
    nn_shape result = shape;
    nn_tensor *x = make(nn, "x", NN_F32, shape, 1), *dx = make(nn, "dx", NN_F32, shape, 0), *y, *dy,
              *index;
    nn_pool2d_args args;
    ZERO(args);
    args.kind = largest ? NN_POOL_MAX : NN_POOL_AVERAGE;
    args.adaptive = out_h != 0;
    args.kernel_h = args.stride_h = 1;
    args.kernel_w = desc.kernel, args.stride_w = desc.stride ? desc.stride : desc.kernel;
    args.padding_w = desc.padding, args.count_only_inside = desc.count_only_inside;
    result.extent[shape.rank - 1] = out_w;
    if (shape.rank == 4) result.extent[2] = out_h;
    y = make(nn, "y", NN_F32, result, 0), dy = make(nn, "dy", NN_F32, result, 2);
    index = make(nn, "index", NN_I32, result, 0);
    nn_result forward, backward;
    if (!out_h && largest)
        forward = nn_max_pool1d_forward(y, index, x, &desc),
        backward = nn_max_pool1d_backward(dx, dy, index, &desc);
    else if (!out_h)
        forward = nn_avg_pool1d_forward(y, x, &desc),
        backward = nn_avg_pool1d_backward(dx, dy, &desc);
    else if (shape.rank == 3 && largest)
        forward = nn_adaptive_max_pool1d_forward(y, index, x, out_w),
        backward = nn_adaptive_max_pool1d_backward(dx, dy, index);
    else if (shape.rank == 3)
        forward = nn_adaptive_avg_pool1d_forward(y, x, out_w),
        backward = nn_adaptive_avg_pool1d_backward(dx, dy);
    else if (largest)
        forward = nn_adaptive_max_pool2d_forward(y, index, x, out_h, out_w),
        backward = nn_adaptive_max_pool2d_backward(dx, dy, index);
    else
        forward = nn_adaptive_avg_pool2d_forward(y, x, out_h, out_w),
        backward = nn_adaptive_avg_pool2d_backward(dx, dy);
    ENSURE(forward == NN_OK && backward == NN_OK);
    args.y = nn__op_conv_image(nn_tensor_view(y)), args.x = nn__op_conv_image(nn_tensor_view(x));
    if (largest) args.index = nn__op_conv_image(nn_tensor_view(index));
    reference_array ay = wanted(y), ai = wanted(index), adx = wanted(dx);
    reference_pool2d_forward(&args, ay, ai);
    COMPARE(y, ay);
    if (largest) COMPARE(index, ai);
    else free(ai.value), free(ai.scale);
    args.y = nn__op_conv_image(nn_tensor_view(dy)), args.x = nn__op_conv_image(nn_tensor_view(dx));
    reference_pool2d_backward(&args, adx);
    COMPARE(dx, adx);
    nn_close(nn);
}

static void test_windows_of_lines_and_adaptive(void) {
    nn_pool1d_desc desc;
    ZERO(desc);
    for (int largest = 0; largest < 2; largest++) {
        desc.kernel = 3, desc.stride = 0, desc.padding = 0;
        window_once(NN_SHAPE(2, 3, 11), desc, 0, 3, largest > 0);
        desc.stride = 2, desc.padding = 1;
        window_once(NN_SHAPE(2, 3, 11), desc, 0, 6, largest > 0);
        window_once(NN_SHAPE(2, 3, 11), desc, 1, 4, largest > 0);
        window_once(NN_SHAPE(2, 3, 7, 5), desc, 3, 2, largest > 0);
        window_once(NN_SHAPE(1, 2, 3, 4), desc, 5, 9, largest > 0);
    }
}

static void test_global_avg_pool2d(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_tensor *x = F32("x", 1, 2, 3, 4, 5), *y = F32("y", 0, 2, 3, 1, 1);
    nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 4, 5)),
            *node = nn_global_avg_pool2d(net, input);
    for (int i = 0; i < 120; i++) NUMBER(y, i / 20) += NUMBER(x, i) / 20.0f;
    ENSURE(nn_same_shape(nn_node_shape(node), NN_SHAPE(NN_BATCH, 3, 1, 1)));
    DESCRIBED(input, x, node, y);
    nn_close(nn);
}

/* Computes the numbered functions and their derivatives in double. scale: the size to which
   rounding errors are relative, if larger than the value. */
static double numbered(function op, double s, double a, double b, double *scale) {
    *scale = 0;
    switch (op) {
    case FUNCTION_RELU: return a > 0 || a != a ? a : 0;
    case FUNCTION_SIGMOID: return reference_sigmoid(a);
    case FUNCTION_TANH: return tanh(a);
    case FUNCTION_GELU: *scale = fabs(a); return reference_gelu(a);
    case FUNCTION_LEAKY_RELU: return a > 0 ? a : s * a;
    case FUNCTION_EXP: *scale = fabs(a) * exp(a); return exp(a);
    case FUNCTION_LOG: *scale = 1; return log(a);
    case FUNCTION_SQRT: return sqrt(a);
    case FUNCTION_SQUARE: return a * a;
    case FUNCTION_ABS: return fabs(a);
    case FUNCTION_NEGATE: return -a;
    case FUNCTION_SOFTPLUS: return (a > 0 ? a : 0) + log1p(exp(-fabs(a)));
    case FUNCTION_SCALE: return a * s;
    case FUNCTION_OFFSET: *scale = fabs(a) + fabs(s); return a + s;
    case FUNCTION_ADD: *scale = fabs(a) + fabs(b); return a + b;
    case FUNCTION_SUBTRACT: *scale = fabs(a) + fabs(b); return a - b;
    case FUNCTION_MULTIPLY: return a * b;
    case FUNCTION_DIVIDE: return a / b;
    case FUNCTION_MAXIMUM: return a != a || b != b ? NAN : a > b ? a : b;
    case FUNCTION_MINIMUM: return a != a || b != b ? NAN : a < b ? a : b;
    case FUNCTION_EQUAL: return a == b ? 1 : 0;
    default: return a;
    }
}

static double gelu_slope(double x) {
    return 0.5 * (1 + erf(x * 0.70710678118654752440)) +
           x * exp(-0.5 * x * x) * 0.39894228040143267794;
}

static double numbered_slope(function op, double s, double x, double *scale) {
    double ignored, y = numbered(op, s, x, 0, &ignored);
    *scale = 0;
    switch (op) {
    case FUNCTION_RELU: return x <= 0 ? 0 : 1; /* at the kinks and at NaN, as in PyTorch */
    case FUNCTION_SIGMOID: *scale = y; return y * (1 - y);
    case FUNCTION_TANH: *scale = 1; return 1 - y * y;
    case FUNCTION_GELU: *scale = 1; return gelu_slope(x);
    case FUNCTION_LEAKY_RELU: return x > 0 ? 1 : s;
    case FUNCTION_EXP: return y;
    case FUNCTION_LOG: return 1 / x;
    case FUNCTION_SQRT: return 1 / (2 * y);
    case FUNCTION_SQUARE: return 2 * x;
    case FUNCTION_ABS: return x > 0 ? 1 : x < 0 ? -1 : 0;
    case FUNCTION_NEGATE: return -1;
    case FUNCTION_SOFTPLUS: return reference_sigmoid(x);
    case FUNCTION_SCALE: return s;
    default: return 1;
    }
}

static void test_unary(void) {
    static const float corners[] = {0.0f, -0.0f, 1e-30f, -1e-30f, 88.0f, -88.0f, 1, -1};
    for (int op = 0; op < FUNCTION_OF_TWO; op++) {
        nn_context *nn = open_nn();
        nn_model *net = make_net(nn);
        nn_tensor *x = F32("x", 4, 3, 11), *y = F32("y", 0, 3, 11), *dy = F32("dy", 5, 3, 11),
                  *dx = F32("dx", 0, 3, 11);
        nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 11)), *node;
        function o = (function)op;
        if (o == FUNCTION_LOG || o == FUNCTION_SQRT)
            for (int i = 0; i < 33; i++) NUMBER(x, i) = NUMBER(x, i) * NUMBER(x, i) + 0.1f;
        else
            for (int i = 0; i < 8; i++) NUMBER(x, i) = corners[i];
        node = function_node(net, o, input, NULL, 0.3f);
        ENSURE(function_forward(y, o, x, NULL, 0.3f) == NN_OK);
        reference_array ay = wanted(y), adx = wanted(dx), twice = wanted(dx);
        for (int i = 0; i < 33; i++) {
            double scale, s = (double)0.3f, in = (double)NUMBER(x, i), g = (double)NUMBER(dy, i);
            reference_set(ay, i, numbered(o, s, in, 0, &scale), scale);
            reference_set(adx, i, g * numbered_slope(o, s, in, &scale), fabs(g) * scale);
            reference_set(twice, i, 2 * adx.value[i], 2 * adx.scale[i]);
        }
        ENSURE(function_backward(dx, o, dy, x, 0.3f, false) == NN_OK);
        COMPARE(y, ay);
        COMPARE(dx, adx);
        ENSURE(function_backward(dx, o, dy, x, 0.3f, true) == NN_OK);
        COMPARE(dx, twice);
        DESCRIBED(input, x, node, y);
        ENSURE(function_forward(x, o, x, NULL, 0.3f) == NN_OK); /* in place */
        for (int i = 0; i < 33; i++) ENSURE_CLOSE(NUMBER(x, i), NUMBER(y, i), 0);
        nn_close(nn);
    }
}

/* Tests softplus with several slopes and thresholds. A 0 stands for the default. */
static void test_softplus(void) {
    const nn_softplus_desc given[] = {{2.0f, 1.0f}, {0.5f, 0}, {-1.0f, NN_NONE}, {0, 0}};
    for (int k = 0; k < 4; k++) {
        nn_context *nn = open_nn();
        nn_model *net = make_net(nn);
        nn_tensor *x = F32("x", 4, 3, 11), *y = F32("y", 0, 3, 11), *dy = F32("dy", 5, 3, 11),
                  *dx = F32("dx", 0, 3, 11);
        nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 11));
        const double beta = k == 3 ? 1 : (double)given[k].beta;
        const double threshold = k == 0 ? 1 : k == 2 ? 0 : 20;
        for (int i = 0; i < 33; i++) NUMBER(x, i) *= 4;
        NUMBER(x, 0) = 30;
        NUMBER(x, 1) = -30;
        ENSURE(nn_softplus_forward(y, x, &given[k]) == NN_OK);
        ENSURE(nn_softplus_backward(dx, dy, x, &given[k], false) == NN_OK);
        reference_array ay = wanted(y), adx = wanted(dx);
        for (int i = 0; i < 33; i++) {
            const double in = (double)NUMBER(x, i), z = beta * in, g = (double)NUMBER(dy, i);
            const double soft = ((z > 0 ? z : 0) + log1p(exp(-fabs(z)))) / beta;
            reference_set(ay, i, z > threshold ? in : soft, fabs(in));
            reference_set(adx, i, z > threshold ? g : g * reference_sigmoid(z), fabs(g));
        }
        COMPARE(y, ay);
        COMPARE(dx, adx);
        DESCRIBED(input, x, nn_softplus(net, input, &given[k]), y);
        nn_close(nn);
    }
}

/* An activation in the epilogue of a product has the bytes of the separate operation, at any
   position in a row. */
static void test_activations_in_epilogues(void) {
    static nn_node *(*const functions[3])(nn_site, nn_model *, nn_node *) = {nn_gelu_at, nn_tanh_at,
                                                                            nn_sigmoid_at};
    for (int k = 0; k < 3; k++) {
        nn_context *nn = open_nn();
        nn_model *net = make_net(nn);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 9)), *alone, *fused;
        nn_linear_desc linear;
        nn_plan_desc plan_desc;
        nn_plan *plan;
        float numbers[5 * 9], a[5 * 21], b[5 * 21];
        ZERO(linear);
        ZERO(plan_desc);
        linear.out_features = 21;
        linear.shared = true;
        alone = functions[k](AT, net, nn_keep(nn_linear(net, "fc", x, &linear)));
        fused = functions[k](AT, net, nn_linear(net, "fc", x, &linear));
        NODE_AT(plan_desc.outputs, 0) = alone;
        NODE_AT(plan_desc.outputs, 1) = fused;
        plan_desc.batch = 5;
        plan = nn_make_plan(net, &plan_desc);
        ENSURE(plan != NULL);
        for (uint32_t i = 0; i < 45; i++) numbers[i] = 8 * noise(i);
        numbers[3] = NAN;
        numbers[12] = INFINITY;
        ENSURE(nn_upload(plan, x, numbers, sizeof numbers) == NN_OK && nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, alone, a, sizeof a) == NN_OK);
        ENSURE(nn_download(plan, fused, b, sizeof b) == NN_OK);
        for (int i = 0; i < 5 * 21; i++)
            if (test_wrong(memcmp(&a[i], &b[i], sizeof a[i]) != 0 && (a[i] == a[i] || b[i] == b[i])))
                test_fail(__FILE__, __LINE__, "%d: %.9g alone, %.9g in an epilogue", k,
                          (double)a[i], (double)b[i]);
        nn_close(nn);
    }
}

static void test_copy(void) {
    static const nn_dtype dtypes[] = {NN_F16, NN_I32, NN_I64, NN_U8};
    for (int k = 0; k < 4; k++) {
        nn_context *nn = open_nn();
        nn_model *net = make_net(nn);
        nn_tensor *x = make(nn, "x", dtypes[k], NN_SHAPE(5, 3), 0);
        nn_tensor *y = make(nn, "y", dtypes[k], NN_SHAPE(5, 3), 0);
        const size_t bytes = (size_t)nn_tensor_bytes(x);
        for (size_t i = 0; i < bytes; i++) ((uint8_t *)nn_tensor_data(x))[i] = (uint8_t)(i * 7 + 1);
        ENSURE(nn_copy(y, x) == NN_OK);
        ENSURE(memcmp(nn_tensor_data(y), nn_tensor_data(x), bytes) == 0);
        nn_node *node = nn_clone(net, nn_borrow(net, x));
        ENSURE(nn_node_dtype(node) == dtypes[k]);
        nn_close(nn);
    }
}

static void test_binary(void) {
    for (int op = FUNCTION_OF_TWO; op < FUNCTION_COUNT; op++)
        for (int way = 0; way < 3; way++) {
            nn_context *nn = open_nn();
            nn_model *net = make_net(nn);
            nn_tensor *a = F32("a", 4, 3, 2, 5), *b = way == 0   ? F32("b", 5, 3, 2, 5)
                                                      : way == 1 ? F32("b", 5, 5)
                                                                 : F32("b", 5, 2, 1);
            nn_tensor *y = F32("y", 0, 3, 2, 5);
            nn_node *input = nn_input(net, "a", NN_F32, NN_SHAPE(NN_BATCH, 2, 5));
            function o = (function)op;
            NUMBER(b, 0) = NUMBER(a, 0);
            ENSURE(function_forward(y, o, a, b, 0) == NN_OK);
            reference_array ay = wanted(y);
            for (int i = 0; i < 30; i++) {
                double scale;
                const int at = way == 0 ? i : way == 1 ? i % 5 : i / 5 % 2;
                const double p = (double)NUMBER(a, i), q = (double)NUMBER(b, at);
                const double value = numbered(o, 0, p, q, &scale);
                reference_set(ay, i, value, scale);
            }
            COMPARE(y, ay);
            if (way)
                DESCRIBED(input, a, function_node(net, o, input, nn_constant(net, "b", b), 0), y);
            nn_close(nn);
        }
}

/* Returns those of three axes whose bits are set; from_the_end: as negative numbers. */
static nn_axes axes_of(uint32_t bits, bool from_the_end) {
    nn_axes axes;
    ZERO(axes);
    for (int i = 0; i < 3; i++)
        if (bits >> i & 1u) axes.axis[axes.count++] = from_the_end ? i - 3 : i;
    return axes;
}

static void test_reduce(void) {
    static const uint32_t axes[] = {0, 1, 2, 4, 5, 6};
    for (int r = NN_MEAN; r <= NN_STD; r++)
        for (int i = 0; i < 6; i++) {
            nn_dtype dtype = r == NN_ARGMAX || r == NN_ARGMIN ? NN_I32 : NN_F32;
            nn_context *nn = open_nn();
            nn_model *net = make_net(nn);
            uint32_t set = axes[i] ? axes[i] : 7u;
            nn_tensor *x = F32("x", 6, 3, 4, 5),
                      *y = make(nn, "y", dtype, nn__keep_axes(NN_SHAPE(3, 4, 5), set), 0);
            nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 5));
            nn_reduce_args args;
            ENSURE(nn_reduce_forward(y, (nn_reduction)r, x, axes_of(axes[i], i % 3 == 2)) == NN_OK);
            ZERO(args);
            args.y = nn_tensor_view(y);
            args.x = nn_tensor_view(x);
            args.axes = set;
            args.reduction = (nn_reduction)r;
            args.scale = 1.0f;
            args.correction = r == NN_VAR || r == NN_STD;
            reference_array ay = wanted(y);
            if (r <= NN_MAX) reference_reduce(&args, ay);
            else reference_fold(&args, ay);
            if (dtype == NN_I32) {
                for (int64_t k = 0; k < nn_shape_count(nn_tensor_shape(y)); k++)
                    ENSURE(((int32_t *)nn_tensor_data(y))[k] == (int32_t)ay.value[k]);
                free(ay.value);
                free(ay.scale);
            } else {
                COMPARE(y, ay);
            }
            DESCRIBED(
                input, x,
                nn_reduce(net, (nn_reduction)r, input, axes_of(axes[i], i % 3 == 1), i % 2 == 0),
                y);
            nn_close(nn);
        }
}

static void test_softmax(void) {
    for (int logarithm = 0; logarithm < 2; logarithm++) {
        nn_context *nn = open_nn();
        nn_model *net = make_net(nn);
        nn_tensor *x = F32("x", 7, 4, 9), *y = F32("y", 0, 4, 9), *dy = F32("dy", 8, 4, 9),
                  *dx = F32("dx", 0, 4, 9);
        nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 9));
        nn_softmax_args args;
        ENSURE(nn_softmax_forward(y, x, logarithm != 0) == NN_OK);
        ENSURE(nn_softmax_backward(dx, dy, y, logarithm != 0) == NN_OK);
        ZERO(args);
        args.y = nn_tensor_view(y);
        args.x = nn_tensor_view(x);
        args.dy = nn_tensor_view(dy);
        args.logarithm = logarithm != 0;
        reference_array ay = wanted(y), adx = wanted(dx);
        reference_softmax_forward(&args, ay);
        COMPARE(y, ay);
        args.x = nn_tensor_view(dx);
        reference_softmax_backward(&args, adx);
        COMPARE(dx, adx);
        DESCRIBED(input, x, logarithm ? nn_log_softmax(net, input) : nn_softmax(net, input), y);
        nn_close(nn);
    }
}

static void cross_entropy_once(nn_shape shape, nn_cross_entropy_options options, bool weighted) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_shape labels = nn_make_shape(NULL, 0), one = labels;
    nn_tensor *x, *dx, *label, *loss,
        *w = weighted ? make(nn, "w", NN_F32, NN_SHAPE(shape.extent[1]), 3) : NULL;
    nn_cross_entropy_desc desc;
    nn_cross_entropy_args args;
    nn_node *input;
    int32_t *l;
    for (int i = 0; i < shape.rank; i++)
        if (i != 1) labels.extent[labels.rank++] = shape.extent[i];
    x = make(nn, "x", NN_F32, shape, 1);
    dx = make(nn, "dx", NN_F32, shape, 0);
    label = make(nn, "label", NN_I32, labels, 0);
    loss = make(nn, "loss", NN_F32, one, 0);
    l = (int32_t *)nn_tensor_data(label);
    for (int i = 0; i < (int)nn_shape_count(labels); i++) l[i] = (i * 7 + 1) % shape.extent[1];
    if (w)
        for (int i = 0; i < shape.extent[1]; i++) NUMBER(w, i) = 0.5f + (float)i;
    if (options.ignore) l[1] = options.ignore_index;
    ENSURE(nn_cross_entropy_forward(loss, x, label, w, &options) == NN_OK);
    ENSURE(nn_cross_entropy_backward(dx, x, label, w, &options) == NN_OK);
    ZERO(args);
    args.loss = nn_tensor_view(loss);
    args.logits = nn_tensor_view(x);
    args.label = nn_tensor_view(label);
    args.weight = nn_tensor_view(w);
    args.reduction = options.reduction ? options.reduction : NN_MEAN;
    args.label_smoothing = options.label_smoothing;
    args.ignore = options.ignore;
    args.ignore_index = options.ignore_index;
    float factor = 1.0f;
    reference_array al = wanted(loss), adx = wanted(dx), none;
    none.value = none.scale = NULL;
    reference_cross_entropy_forward(&args, al, none);
    COMPARE(loss, al);
    args.dlogits = nn_tensor_view(dx);
    args.dloss = nn_tensor_view(loss);
    args.dloss.handle = &factor;
    args.dloss.offset = 0;
    reference_cross_entropy_backward(&args, adx, none);
    COMPARE(dx, adx);
    ZERO(desc);
    desc.reduction = options.reduction;
    desc.label_smoothing = options.label_smoothing;
    desc.ignore = options.ignore;
    desc.ignore_index = options.ignore_index;
    if (w) desc.weight = nn_constant(net, "w", w);
    input = nn_input(net, "x", NN_F32, shape);
    DESCRIBED(input, x, nn_cross_entropy(net, input, nn_constant(net, "label", label), &desc),
              loss);
    nn_close(nn);
}

static void test_cross_entropy(void) {
    nn_cross_entropy_options options;
    ZERO(options);
    cross_entropy_once(NN_SHAPE(5, 7), options, false);
    cross_entropy_once(NN_SHAPE(2, 3, 4), options, true);
    options.reduction = NN_SUM;
    options.label_smoothing = 0.1f;
    cross_entropy_once(NN_SHAPE(3, 4, 2, 2), options, true);
    options.reduction = NN_REDUCTION_DEFAULT;
    options.ignore = true;
    options.ignore_index = -100;
    cross_entropy_once(NN_SHAPE(5, 7), options, true);
}

static bool same_or_nan(const float *a, const float *b, int n) {
    for (int i = 0; i < n; i++)
        if (memcmp(a + i, b + i, sizeof *a) != 0 && !(a[i] != a[i] && b[i] != b[i])) return false;
    return true;
}

/* Computes the loss of each row and the gradient for two classes, on one instruction set if this
   machine has it. Some of the first numbers of the rows are not finite. */
static void two_classes(nn_instruction_set set, int rows, float *loss, float *gradient,
                        bool *has) {
    const float odd[] = {NAN, 1, 1,         NAN, NAN,       NAN,  INFINITY, 2,  -INFINITY,
                         0,   3, -INFINITY, 0,   -0.0f, 1e-40f, 5,        300, -300};
    const int count = (int)(sizeof odd / sizeof odd[0]);
    nn_cross_entropy_options options;
    nn_desc desc;
    ZERO(options);
    ZERO(desc);
    desc.instructions = set;
    desc.threads = 1;
    nn_context *nn = OPEN_WITH_SET(&desc);
    *has = nn != NULL;
    if (!nn) return;
    nn_tensor *x = F32("x", 1, rows, 2), *dx = F32("dx", 0, rows, 2), *each = F32("each", 0, rows),
              *label = I32("label", rows);
    for (int i = 0; i < rows * 2 && i < count; i++) NUMBER(x, i) = odd[i];
    for (int i = 0; i < rows; i++) ((int32_t *)nn_tensor_data(label))[i] = i / 2 % 2;
    /* With weights of 1, rows are processed one by one. */
    nn_tensor *one = F32("one", 0, 2), *apart = F32("apart", 0, rows, 2);
    NUMBER(one, 0) = NUMBER(one, 1) = 1;
    for (int kind = 2; kind >= 0; kind--) {
        options.ignore = kind > 0;
        options.ignore_index = kind == 1;
        ENSURE(nn_cross_entropy_backward(dx, x, label, NULL, &options) == NN_OK);
        ENSURE(nn_cross_entropy_backward(apart, x, label, one, &options) == NN_OK);
        ENSURE(same_or_nan((const float *)nn_tensor_data(dx), (const float *)nn_tensor_data(apart),
                           2 * rows));
    }
    options.reduction = NN_REDUCTION_NONE;
    ENSURE(nn_cross_entropy_forward(each, x, label, NULL, &options) == NN_OK);
    memcpy(loss, nn_tensor_data(each), sizeof *loss * (size_t)rows);
    memcpy(gradient, nn_tensor_data(dx), sizeof *gradient * (size_t)rows * 2);
    nn_close(nn);
}

/* For two classes, vectors of sixteen have code of their own, which gives the bytes of vectors of
   eight. The gradient processes four rows at a time, with the bytes of single rows. */
static void test_cross_entropy_two_classes(void) {
    static const int rows[] = {1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 37, 64};
    nn_cross_entropy_options options;
    float loss[2][64], gradient[2][128];
    bool has[2];
    ZERO(options);
    for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++) {
        if (rows[i] > 2) cross_entropy_once(NN_SHAPE(rows[i], 2), options, i % 2 > 0);
        two_classes(NN_INSTRUCTIONS_AVX2, rows[i], loss[0], gradient[0], &has[0]);
        two_classes(NN_INSTRUCTIONS_AVX512, rows[i], loss[1], gradient[1], &has[1]);
        if (!has[0] || !has[1]) continue;
        ENSURE(same_or_nan(loss[0], loss[1], rows[i]));
        ENSURE(same_or_nan(gradient[0], gradient[1], rows[i] * 2));
    }
}

static void test_cross_entropy_bad_label(void) {
    nn_context *nn = open_nn();
    nn_tensor *x = F32("x", 1, 3, 4), *dx = F32("dx", 9, 3, 4), *label = I32("label", 3),
              *loss = F32("loss", 0, 1);
    float before = NUMBER(dx, 5);
    ((int32_t *)nn_tensor_data(label))[1] = 4;
    NUMBER(loss, 0) = 42;
    ENSURE(nn_cross_entropy_forward_at(AT, loss, x, label, NULL, NULL) == NN_ERROR_LABEL);
    ENSURE(NUMBER(loss, 0) == 42);
    ENSURE_TEXT(nn_error(nn),
                "nn_cross_entropy_forward at net.c:7: a label is outside [0, 4); nothing was "
                "written; labels to leave out need "
                ".ignore = true and .ignore_index");
    ENSURE(nn_cross_entropy_backward(dx, x, label, NULL, NULL) == NN_ERROR_LABEL);
    ENSURE(NUMBER(dx, 5) == before);
    ((int32_t *)nn_tensor_data(label))[1] = 3;
    ENSURE(nn_cross_entropy_forward(loss, x, label, NULL, NULL) == NN_OK && NUMBER(loss, 0) != 42);
    nn_close(nn);
}

static void test_losses(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_tensor *x = F32("x", 1, 4, 3), *t = F32("t", 2, 4, 3), *w = F32("w", 3, 3),
              *p = F32("p", 4, 3), *loss = F32("loss", 0, 1);
    nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(4, 3)), *target;
    nn_bce_desc desc;
    double plain = 0, full = 0, square = 0;
    ZERO(desc);
    for (int i = 0; i < 12; i++) {
        NUMBER(x, i) *= i == 0 ? 200.0f : 3.0f;
        NUMBER(t, i) = 0.5f + 0.5f * NUMBER(t, i);
        double z = (double)NUMBER(x, i), u = (double)NUMBER(t, i),
               s = z > 0 ? log1p(exp(-z)) : -z + log1p(exp(z)), q = (double)NUMBER(p, i % 3) + 2;
        plain += (1 - u) * z + s;
        full += (double)NUMBER(w, i % 3) * ((1 - u) * z + (1 + (q - 1) * u) * s);
        square += (z - u) * (z - u);
    }
    for (int i = 0; i < 3; i++) NUMBER(p, i) += 2.0f;
    target = nn_constant(net, "t", t);
    NUMBER(loss, 0) = (float)(plain / 12);
    DESCRIBED(input, x, nn_bce_with_logits(net, input, target, NULL), loss);
    desc.weight = nn_constant(net, "w", w);
    desc.pos_weight = nn_constant(net, "p", p);
    desc.reduction = NN_SUM;
    NUMBER(loss, 0) = (float)full;
    DESCRIBED(input, x, nn_bce_with_logits(net, input, target, &desc), loss);
    NUMBER(loss, 0) = (float)(square / 12);
    DESCRIBED(input, x, nn_mse_loss(net, input, target, NULL), loss);
    NUMBER(loss, 0) = (float)square;
    DESCRIBED(input, x, nn_mse_loss(net, input, target, &(nn_mse_desc){.reduction = NN_SUM}), loss);
    nn_close(nn);
}

/* Returns the default distance of two rows in nn_triplet_margin_loss. */
static nn_node *pairwise(nn_model *net, nn_node *a, nn_node *b, void *user) {
    ++*(int *)user;
    return nn_pairwise_distance(net, a, b, NULL);
}

/* With the default distance as its function, nn_triplet_margin_with_distance_loss has the value of
   nn_triplet_margin_loss. */
static void test_triplets_with_distance(void) {
    static const nn_reduction reductions[] = {NN_MEAN, NN_SUM};
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_tensor *rows[3] = {F32("anchor", 11, 5, 3), F32("positive", 12, 5, 3),
                          F32("negative", 13, 5, 3)};
    nn_node *in[3];
    for (int i = 0; i < 3; i++) in[i] = nn_borrow(net, rows[i]);
    float own[2] = {0, 0};
    for (int way = 0; way < 8; way++) {
        const nn_reduction reduction = reductions[way & 1];
        const bool swap = (way & 2) != 0, given = (way & 4) != 0;
        int calls = 0;
        nn_triplet_margin_desc plain = {.reduction = reduction, .margin = 0.5f, .swap = swap};
        nn_triplet_margin_with_distance_desc apart = {.reduction = reduction,
                                                      .margin = 0.5f,
                                                      .swap = swap,
                                                      .distance_function = given ? pairwise : NULL,
                                                      .user = &calls};
        nn_node *one = nn_triplet_margin_loss(net, in[0], in[1], in[2], &plain),
                *other =
                    nn_triplet_margin_with_distance_loss(net, in[0], in[1], in[2], &apart);
        nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(one, other)});
        float values[2] = {0, 1};
        ENSURE(plan && nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, one, &values[0], sizeof(float)) == NN_OK &&
               nn_download(plan, other, &values[1], sizeof(float)) == NN_OK);
        ENSURE_CLOSE(values[1], values[0], 1e-6);
        ENSURE(calls == (given ? swap ? 3 : 2 : 0));
        if (way == 0 || way == 2) own[way / 2] = values[0];
        nn_free_plan(plan);
    }
    ENSURE(own[1] > own[0] + 0.01f); /* the rows are chosen so that the smaller distance counts */
    nn_close(nn);
}

static void test_accuracy(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_tensor *x = F32("x", 0, 4, 3), *label = I32("label", 4), *y = F32("y", 0, 1);
    nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(4, 3));
    NUMBER(x, 1) = 1, NUMBER(x, 5) = 1, NUMBER(x, 6) = 1, NUMBER(x, 9) = 1,
              NUMBER(x, 10) = 1; /* 1, 2, 0, first of 0 and 1 */
    ((int32_t *)nn_tensor_data(label))[0] = 1;
    ((int32_t *)nn_tensor_data(label))[3] = 1;
    NUMBER(y, 0) = 0.5f; /* samples 0 and 2 */
    DESCRIBED(input, x, nn_accuracy(net, input, nn_constant(net, "label", label)), y);
    nn_close(nn);
}

static void test_shapes_without_kernels(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_tensor *x = F32("x", 1, 4, 3, 2);
    nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 2)),
            *flat = nn_flatten(net, input);
    nn_node *rows = nn_reshape(net, input, NN_SHAPE(3 * NN_BATCH, 2)),
            *y = nn_scale(net, rows, 1.0f);
    ENSURE(nn_same_shape(nn_node_shape(flat), NN_SHAPE(NN_BATCH, 6)));
    ENSURE(nn_same_shape(nn_node_shape(rows), NN_SHAPE(-3, 2)));
    DESCRIBED(input, x, y, x);
    DESCRIBED(input, x, nn_scale(net, nn_detach(net, flat), 1.0f), x);
    DESCRIBED(input, x, nn_scale(net, nn_transfer(net, input, nn_cpu()), 1.0f), x);
    nn_close(nn);
}

/* ---- gradients by finite differences --------------------------------------------------------- */

static float number_of(nn_plan *plan, nn_node *loss) {
    float value = NAN;
    if (nn_run(plan) != NN_OK || nn_download(plan, loss, &value, sizeof value) != NN_OK) return NAN;
    return value;
}

typedef nn_node *(*builder)(nn_context *nn, nn_model *net, nn_node *p, nn_node *x);

/* Compares gradients with differences of the loss. With SGD and a rate of 1 a step subtracts the
   gradient. x is (batch, 6) with three samples. */
static void gradient_of(const char *what, builder build, nn_shape shape, float low, float high,
                        bool uses_x) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_node *p = nn_parameter(net, "p", shape, low, high),
            *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 6));
    nn_node *loss = build(nn, net, p, x);
    nn_trainer_desc desc;
    nn_plan_desc plan_desc;
    nn_trainer *trainer;
    nn_plan *plan;
    float data[18], before[256], after[256];
    const float step = 5e-3f;
    ZERO(desc);
    ZERO(plan_desc);
    for (int i = 0; i < 18; i++) data[i] = noise(500 + (uint32_t)i);
    NODE_AT(plan_desc.outputs, 0) = loss;
    desc.batch = plan_desc.batch = 3;
    desc.learning_rate = 1.0f;
    desc.poison = plan_desc.poison = true;
    trainer = nn_make_trainer(net, loss, &desc);
    plan = nn_make_plan(net, &plan_desc);
    if (test_wrong(!trainer || !plan ||
        (uses_x && nn_upload(nn_trainer_plan(trainer), x, data, sizeof data) != NN_OK) ||
        (uses_x && nn_upload(plan, x, data, sizeof data) != NN_OK))) {
        test_fail(__FILE__, __LINE__, "%s: %s", what, nn_error(nn));
        nn_close(nn);
        return;
    }
    for (int k = 0; k < nn_model_tensor_count(net); k++) {
        nn_tensor *parameter = nn_model_tensor_at(net, k);
        int n = (int)nn_shape_count(nn_tensor_shape(parameter));
        if (strncmp(nn_tensor_name(parameter), "constant", 8) == 0 ||
            strcmp(nn_tensor_name(parameter), "frozen.weight") == 0)
            continue;
        memcpy(before, nn_tensor_data(parameter), (size_t)n * 4);
        float *all[16] = {NULL};
        for (int j = 0; j < nn_model_tensor_count(net); j++) { /* a step changes them all */
            all[j] = (float *)malloc((size_t)nn_tensor_bytes(nn_model_tensor_at(net, j)));
            memcpy(all[j], nn_tensor_data(nn_model_tensor_at(net, j)),
                   (size_t)nn_tensor_bytes(nn_model_tensor_at(net, j)));
        }
        if (test_wrong(nn_train_on_inputs(trainer) != NN_OK))
            test_fail(__FILE__, __LINE__, "%s: %s", what, nn_error(nn));
        memcpy(after, nn_tensor_data(parameter), (size_t)n * 4);
        for (int j = 0; j < nn_model_tensor_count(net); j++) {
            memcpy(nn_tensor_data(nn_model_tensor_at(net, j)), all[j],
                   (size_t)nn_tensor_bytes(nn_model_tensor_at(net, j)));
            free(all[j]);
        }
        for (int i = 0; i < n; i++) {
            double up, down, slope, taken = (double)before[i] - (double)after[i];
            NUMBER(parameter, i) = before[i] + step;
            up = (double)number_of(plan, loss);
            NUMBER(parameter, i) = before[i] - step;
            down = (double)number_of(plan, loss);
            NUMBER(parameter, i) = before[i];
            slope = (up - down) / (2.0 * (double)step);
            if (test_wrong(!(fabs(slope - taken) <= 4e-3 * (1 + fabs(slope)))))
                test_fail(__FILE__, __LINE__, "%s: d %s[%d] is %.6g, wanted %.6g", what,
                          nn_tensor_name(parameter), i, taken, slope);
        }
    }
    nn_close(nn);
}

static nn_node *constant(nn_context *nn, nn_model *net, nn_shape shape, uint32_t seed) {
    return nn_constant(net, seed % 2 ? "constant1" : "constant2",
                       make(nn, "constant", NN_F32, shape, seed));
}
/* Returns a number that depends on each element of y differently. */
static nn_node *weigh(nn_context *nn, nn_model *net, nn_node *y) {
    return nn_sum(net, nn_multiply(net, y, constant(nn, net, nn_node_shape(y), 11)));
}

static function gradient_op;
static nn_node *build_unary(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)x;
    return weigh(nn, net, function_node(net, gradient_op, p, NULL, 0.3f));
}
static nn_node *build_binary_same(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)x;
    return weigh(nn, net,
                 function_node(net, gradient_op, nn_scale(net, p, 1.5f),
                               constant(nn, net, nn_node_shape(p), 4), 0));
}
static nn_node *build_binary_first(nn_context *nn, nn_model *net, nn_node *p,
                                   nn_node *x) { /* p stretched over the batch */
    (void)nn;
    return nn_mean(net, nn_square(net, function_node(net, gradient_op, p, x, 0)));
}
static nn_node *build_binary_second(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)nn;
    return nn_mean(net, nn_square(net, function_node(net, gradient_op, x, p, 0)));
}
static nn_node *build_binary_self(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)x;
    return weigh(nn, net, nn_multiply(net, p, p));
}
static nn_node *build_linear(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    nn_linear_desc desc;
    (void)nn;
    ZERO(desc);
    desc.out_features = 4;
    x = nn_gelu(net, nn_linear(net, "a", nn_multiply(net, x, p), &desc));
    desc.out_features = 2;
    desc.no_bias = true;
    return nn_mean(net, nn_square(net, nn_linear(net, "b", x, &desc)));
}
static nn_node *build_matmul(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)nn;
    return nn_mean(net, nn_square(net, nn_matmul(net, nn_matmul(net, x, p, NULL), p, NULL)));
}
static nn_node *build_conv(nn_context *nn, nn_model *net, nn_node *p,
                           nn_node *x) { /* p: (2, 2, 5, 4) */
    nn_conv2d_desc desc;
    (void)x;
    ZERO(desc);
    desc.out_channels = 4;
    desc.kernel = 3;
    desc.kernel_w = 2;
    desc.stride = 2;
    desc.padding = 1;
    desc.groups = 2;
    return weigh(nn, net, nn_tanh(net, nn_conv2d(net, "conv", p, &desc)));
}
static nn_node *build_conv_frozen(nn_context *nn, nn_model *net, nn_node *p,
                                  nn_node *x) { /* only the bias is trained */
    nn_conv2d_desc desc;
    nn_node *y;
    (void)x;
    ZERO(desc);
    desc.out_channels = 2;
    desc.kernel = 3;
    y = nn_conv2d(net, "frozen", constant(nn, net, nn_node_shape(p), 4), &desc);
    nn_freeze(net, "frozen.weight", true);
    return nn_add(net, weigh(nn, net, nn_square(net, y)), nn_sum(net, p));
}
static nn_node *build_max_pool(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    nn_pool2d_desc desc;
    (void)x;
    ZERO(desc);
    desc.kernel = 2;
    return weigh(nn, net, nn_max_pool2d(net, p, &desc));
}
static nn_node *build_avg_pool(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    nn_pool2d_desc desc;
    (void)x;
    ZERO(desc);
    desc.kernel = 3;
    desc.stride = 2;
    desc.padding = 1;
    return weigh(nn, net, nn_avg_pool2d(net, p, &desc));
}
static nn_node *build_global_pool(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)x;
    return weigh(nn, net, nn_global_avg_pool2d(net, p));
}
static nn_reduction gradient_reduction;
static uint32_t gradient_axes;
static nn_node *build_reduce(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)x;
    return weigh(nn, net,
                 nn_reduce(net, gradient_reduction, p, axes_of(gradient_axes, true), false));
}
static nn_node *build_reduce_batch(nn_context *nn, nn_model *net, nn_node *p,
                                   nn_node *x) { /* the divisor is the batch */
    return weigh(nn, net,
                 nn_reduce(net, gradient_reduction, nn_multiply(net, x, p), NN_AXES(0), true));
}
static nn_node *build_softmax(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)x;
    return weigh(nn, net, nn_softmax(net, p));
}
static nn_node *build_log_softmax(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)x;
    return weigh(nn, net, nn_log_softmax(net, p));
}
static nn_node *build_reshape(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)x;
    return weigh(nn, net, nn_reshape(net, nn_square(net, nn_flatten(net, p)), NN_SHAPE(4, 3)));
}
static nn_node *build_transfer(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)x;
    return weigh(nn, net, nn_square(net, nn_transfer(net, p, nn_cpu())));
}
static nn_node *build_cross_entropy(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    nn_cross_entropy_desc desc;
    nn_tensor *label = I32("constant_label", 3);
    (void)x;
    ZERO(desc);
    ((int32_t *)nn_tensor_data(label))[1] = 2;
    desc.label_smoothing = 0.2f;
    desc.weight = nn_square(net, constant(nn, net, NN_SHAPE(4), 2));
    return nn_scale(net, nn_cross_entropy(net, p, nn_constant(net, "constant_label", label), &desc),
                    3.0f);
}
static nn_node *build_bce(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    nn_bce_desc desc;
    ZERO(desc);
    desc.pos_weight = nn_offset(net, constant(nn, net, NN_SHAPE(6), 2), 2.0f);
    return nn_bce_with_logits(net, nn_multiply(net, x, p), nn_detach(net, nn_sigmoid(net, x)),
                              &desc);
}
static nn_node *build_mse(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)nn;
    return nn_mse_loss(net, nn_multiply(net, x, p), x, NULL);
}

static nn_result cube(void *user, const nn_custom_args *args) {
    const float *x = view_f32(&args->input[0]);
    float *y = view_f32(&args->output);
    for (int64_t i = 0; i < nn__count(&args->output); i++)
        y[i] = x[i] * x[i] * x[i] * *(float *)user;
    return NN_OK;
}
static nn_result cube_gradient(void *user, const nn_custom_args *args) { /* dy, y, x */
    const float *dy = view_f32(&args->input[0]), *x = view_f32(&args->input[2]);
    float *dx = view_f32(&args->output);
    if (args->input_count != 3) return NN_ERROR_CALLBACK;
    for (int64_t i = 0; i < nn__count(&args->output); i++)
        dx[i] = dy[i] * 3 * x[i] * x[i] * *(float *)user;
    return NN_OK;
}
static float cube_factor = 0.5f;
static nn_node *build_custom(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    nn_custom_desc desc;
    (void)x;
    ZERO(desc);
    NODE_AT(desc.inputs, 0) = p;
    desc.shape = nn_node_shape(p);
    desc.function = cube;
    FUNCTION_AT(desc.gradients, 0) = cube_gradient;
    desc.user = &cube_factor;
    return weigh(nn, net, nn_custom(net, "cube", &desc));
}

static nn_node *build_clone(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)x;
    return weigh(nn, net, nn_clone(net, p));
}

static void test_gradients_unary(void) {
    for (int op = 0; op < FUNCTION_OF_TWO; op++) {
        bool positive = op == FUNCTION_LOG || op == FUNCTION_SQRT;
        gradient_op = (function)op;
        gradient_of(function_name(gradient_op), build_unary, NN_SHAPE(3, 4),
                    positive ? 0.5f : -1.0f, positive ? 1.5f : 1.0f, false);
    }
    gradient_of("clone", build_clone, NN_SHAPE(3, 4), -1, 1, false);
}

static void test_gradients_binary(void) {
    for (int op = FUNCTION_OF_TWO; op < FUNCTION_EQUAL; op++) {
        const char *name = function_name((function)op);
        gradient_op = (function)op;
        gradient_of(name, build_binary_same, NN_SHAPE(3, 4), -1, 1, false);
        gradient_of(name, build_binary_second, NN_SHAPE(6), 1.0f, 2.0f, true);
        if (op != FUNCTION_DIVIDE)
            gradient_of(name, build_binary_first, NN_SHAPE(1, 6), -1, 1, true);
    }
    gradient_of("p * p", build_binary_self, NN_SHAPE(3, 4), -1, 1, false);
}

static void test_gradients_layers(void) {
    gradient_of("linear", build_linear, NN_SHAPE(6), 0.5f, 1.5f, true);
    gradient_of("matmul", build_matmul, NN_SHAPE(6, 6), -1, 1, true);
    gradient_of("conv2d", build_conv, NN_SHAPE(2, 2, 5, 4), -1, 1, false);
    gradient_of("conv2d bias alone", build_conv_frozen, NN_SHAPE(2, 2, 5, 4), 1, 1, false);
    gradient_of("max_pool2d", build_max_pool, NN_SHAPE(1, 2, 5, 4), -9, 9, false);
    gradient_of("avg_pool2d", build_avg_pool, NN_SHAPE(1, 2, 5, 4), -1, 1, false);
    gradient_of("global_avg_pool2d", build_global_pool, NN_SHAPE(2, 2, 5, 4), -1, 1, false);
    gradient_of("softmax", build_softmax, NN_SHAPE(3, 4), -1, 1, false);
    gradient_of("log_softmax", build_log_softmax, NN_SHAPE(3, 4), -1, 1, false);
    gradient_of("reshape", build_reshape, NN_SHAPE(2, 3, 2), -1, 1, false);
    gradient_of("transfer", build_transfer, NN_SHAPE(3), -1, 1, false);
    gradient_of("custom", build_custom, NN_SHAPE(3, 4), -1, 1, false);
}

static nn_node *build_var_of_all(nn_context *nn, nn_model *net, nn_node *p, nn_node *x) {
    (void)nn;
    return nn_add(net, nn_std(net, nn_multiply(net, p, x), NN_AXES(0, 1), false, 3),
                  nn_var(net, p, NN_ALL_AXES, false, 0));
}
static void test_gradients_reduce(void) {
    for (int r = NN_MEAN; r <= NN_STD; r++)
        for (uint32_t axes = 0; axes < 8; axes++) {
            const float low = r == NN_PROD                                  ? 0.5f
                              : r == NN_LOGSUMEXP || r == NN_SUM_OF_SQUARES ? -1.0f
                                                                            : -9.0f;
            if (r >= NN_ANY && r <= NN_ARGMIN) continue; /* no gradient */
            gradient_reduction = (nn_reduction)r;
            gradient_axes = axes;
            char what[40];
            snprintf(what, sizeof what, "reduction %d, axes %u", r, (unsigned)axes);
            gradient_of(what, build_reduce, NN_SHAPE(3, 2, 4), low, low < 0 ? -low : 1.5f, false);
            if (axes == 0)
                gradient_of("reduce over the batch", build_reduce_batch, NN_SHAPE(6), 1, 2, true);
            if (axes == 0 && r == NN_STD)
                gradient_of("var and std", build_var_of_all, NN_SHAPE(6), 1, 2, true);
        }
}

/* Tests cases in which a formula would divide 0 by 0: products with one and with several zeros,
   norms and deviations of 0. */
static void test_gradients_at_zero(void) {
    static const float start[4][3] = {{2, 0, 5}, {0, 0, 4}, {1, 2, 3}, {0, 0, 0}};
    static const float wanted_prod[4][3] = {{0, 10, 0}, {0, 0, 0}, {6, 3, 2}, {0, 0, 0}};
    for (int r = NN_PROD; r <= NN_STD; r++) {
        nn_context *nn = open_nn();
        nn_model *net = make_net(nn);
        nn_node *p = nn_parameter(net, "p", NN_SHAPE(4, 3), 0, 1);
        nn_trainer_desc desc;
        ZERO(desc);
        if (r != NN_PROD && r != NN_NORM && r != NN_STD) {
            nn_close(nn);
            continue;
        }
        desc.batch = 1;
        desc.learning_rate = 1.0f;
        nn_trainer *trainer = nn_make_trainer(
            net, nn_sum(net, nn_reduce(net, (nn_reduction)r, p, NN_AXES(1), false)), &desc);
        float *at = (float *)nn_tensor_data(nn_model_tensor_at(net, 0));
        memcpy(at, start, sizeof start);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        for (int i = 0; i < 12; i++) {
            double norm = sqrt((double)(start[i / 3][0] * start[i / 3][0] +
                                        start[i / 3][1] * start[i / 3][1] +
                                        start[i / 3][2] * start[i / 3][2]));
            double taken = (double)start[i / 3][i % 3] - (double)at[i];
            if (r == NN_PROD) ENSURE_CLOSE(taken, (double)wanted_prod[i / 3][i % 3], 1e-6);
            if (r == NN_NORM)
                ENSURE_CLOSE(taken, norm > 0 ? (double)start[i / 3][i % 3] / norm : 0, 1e-6);
            if (r == NN_STD && i >= 9) ENSURE(taken == 0);
            ENSURE(taken == taken);
        }
        nn_close(nn);
    }
}
/* Tests several spellings of reductions, and that nn_any has no gradient. */
static void test_reduce_spellings(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 4));
    ENSURE(nn_same_shape(nn_node_shape(nn_sum(net, x)), nn_make_shape(NULL, 0)));
    ENSURE(nn_same_shape(nn_node_shape(nn_amin(net, x, NN_AXES(1, -1))), NN_SHAPE(NN_BATCH)));
    ENSURE(nn_same_shape(
        nn_node_shape(nn_prod(net, nn_amax(net, x, NN_AXES(1), true), NN_AXES(2), true)),
        NN_SHAPE(NN_BATCH, 1, 1)));
    ENSURE(nn_same_shape(nn_node_shape(nn_std(net, x, NN_AXES(2), true, 0)),
                         NN_SHAPE(NN_BATCH, 3, 1)));
    ENSURE(nn_node_dtype(nn_argmin(net, x, NN_AXES(2))) == NN_I32);
    ENSURE(nn_node_dtype(nn_all(net, nn_any(net, x, NN_AXES(2)))) == NN_F32);
    ENSURE(!nn_error(nn));
    nn_node *p = nn_parameter(net, "p", NN_SHAPE(3, 4), 0, 1);
    nn_trainer_desc desc;
    ZERO(desc);
    desc.batch = 1;
    ENSURE(!nn_make_trainer(net, nn_sum(net, nn_any(net, p, NN_AXES(1))), &desc));
    ENSURE(nn_error(nn) && strstr(nn_error(nn), "an operation without a gradient on the way"));
    nn_close(nn);
}

static void test_gradients_losses(void) {
    gradient_of("cross_entropy", build_cross_entropy, NN_SHAPE(3, 4), -1, 1, false);
    gradient_of("bce_with_logits", build_bce, NN_SHAPE(6), -2, 2, true);
    gradient_of("mse_loss", build_mse, NN_SHAPE(6), -2, 2, true);
}

/* Equal values share the gradient: maximum gives each half of it, and amax divides it evenly. */
static void test_ties(void) {
    for (int way = 0; way < 2; way++) {
        nn_context *nn = open_nn();
        nn_model *net = make_net(nn);
        nn_node *p = nn_parameter(net, "p", NN_SHAPE(4), 1, 1),
                *q = nn_parameter(net, "q", NN_SHAPE(4), 1, 1);
        nn_node *loss =
            way ? nn_add(net, nn_reduce(net, NN_MAX, p, NN_ALL_AXES, false), nn_sum(net, q))
                : nn_sum(net, nn_maximum(net, p, q));
        nn_trainer_desc desc;
        ZERO(desc);
        desc.learning_rate = 1;
        nn_trainer *trainer = nn_make_trainer(net, loss, &desc);
        ENSURE(trainer && nn_train_on_inputs(trainer) == NN_OK);
        ENSURE_CLOSE(NUMBER(nn_find_tensor(net, "p"), 2), way ? 0.75 : 0.5, 0);
        ENSURE_CLOSE(NUMBER(nn_find_tensor(net, "q"), 2), way ? 0.0 : 0.5, 0);
        nn_close(nn);
    }
}

/* Forward and backward of a step drop the same elements; the next step drops others. */
static void test_dropout(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_node *p = nn_parameter(net, "p", NN_SHAPE(1000), 1, 1),
            *y = nn_keep(nn_dropout(net, p, 0.25f));
    nn_trainer_desc desc;
    float values[2][1000];
    int kept = 0, changed = 0;
    ZERO(desc);
    desc.learning_rate = 1;
    nn_trainer *trainer = nn_make_trainer(net, nn_sum(net, y), &desc);
    ENSURE(trainer);
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < 1000; i++) NUMBER(nn_find_tensor(net, "p"), i) = 1;
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        ENSURE(nn_download(nn_trainer_plan(trainer), y, values[s], sizeof values[s]) == NN_OK);
        for (int i = 0; i < 1000; i++) {
            ENSURE_CLOSE(values[s][i], values[s][i] != 0 ? 4.0 / 3.0 : 0.0, 1e-6);
            ENSURE_CLOSE(1.0f - NUMBER(nn_find_tensor(net, "p"), i), values[s][i], 1e-6);
        }
    }
    for (int i = 0; i < 1000; i++)
        kept += values[0][i] != 0, changed += (values[0][i] != 0) != (values[1][i] != 0);
    ENSURE(kept > 700 && kept < 800);
    ENSURE(changed > 300 && changed < 450); /* 375 expected */
    nn_close(nn);
}

/* PyTorch's Dropout1d and its relatives, on numbers that are all 2: kept and dropped numbers and
   the gradient are as in torch.nn.functional. A mask has one number for each channel, and differs
   in the next step. `first`: the axis from which on the mask is one number. */
typedef struct dropped_case {
    nn_node *(*build)(nn_site site, nn_model *net, nn_node *x, float probability);
    nn_shape shape;
    int first;
    double kept, dropped, slope;
} dropped_case;
static void check_dropped(const dropped_case *c, nn_shape known) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_shape own = known; /* of the parameter: 1 along free axes */
    for (int i = 0; i < known.rank; i++)
        if (c->shape.extent[i] < 0) own.extent[i] = 1;
    nn_node *w = nn_parameter(net, "w", own, 2, 2), *x = nn_input(net, "x", NN_F32, c->shape),
            *y = nn_keep(c->build(AT, net, nn_add(net, x, w), 0.3f));
    nn_trainer_desc desc;
    nn_plan_desc run;
    static float values[3][4000], zeros[4000];
    static double slopes[4000];
    const int count = (int)nn_shape_count(known), numbers = (int)nn_shape_count(own);
    int inner = 1, kept = 0, changed = 0;
    for (int i = c->first; i < known.rank; i++) inner *= known.extent[i];
    ZERO(desc), ZERO(run);
    desc.batch = 20, desc.time = 5, desc.learning_rate = 1;
    nn_trainer *trainer = nn_make_trainer(net, nn_sum(net, y), &desc);
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < numbers; i++) NUMBER(nn_find_tensor(net, "w"), i) = 2, slopes[i] = 0;
        nn_upload(nn_trainer_plan(trainer), x, zeros, sizeof(float) * (size_t)count);
        ENSURE(trainer && nn_train_on_inputs(trainer) == NN_OK);
        nn_download(nn_trainer_plan(trainer), y, values[s], sizeof(float) * (size_t)count);
        for (int i = 0; i < count; i++) {
            const bool is_kept = (double)values[s][i] > 1;
            ENSURE_CLOSE((double)values[s][i], is_kept ? c->kept : c->dropped, 1e-6);
            ENSURE(values[s][i] == values[s][i / inner * inner]);
            int at = 0, step = 1, rest = i;
            for (int k = known.rank - 1; k >= 0; k--) {
                at += own.extent[k] > 1 ? rest % known.extent[k] * step : 0;
                rest /= known.extent[k], step *= own.extent[k];
            }
            slopes[at] += is_kept ? c->slope : 0;
        }
        for (int i = 0; i < numbers; i++)
            ENSURE_CLOSE(2.0 - (double)NUMBER(nn_find_tensor(net, "w"), i), slopes[i], 2e-5);
    }
    for (int i = 0; i < count; i += inner)
        kept += (double)values[0][i] > 1, changed += values[0][i] != values[1][i];
    count / inner > 300 ? (void)0 : test_fail(__FILE__, __LINE__, "too few to count");
    ENSURE(kept * inner > count * 6 / 10 && kept * inner < count * 8 / 10);      /* 0.7 */
    ENSURE(changed * inner > count * 3 / 10 && changed * inner < count * 55 / 100); /* 0.42 */
    NODE_AT(run.outputs, 0) = c->build(AT, net, x, 0.3f); /* elsewhere nothing changes */
    run.batch = 20, run.time = 5;
    nn_plan *plan = nn_make_plan(net, &run);
    ENSURE(plan && plan->step_count == 0);
    nn_upload(plan, x, values[0], sizeof(float) * (size_t)count);
    ENSURE(nn_run(plan) == NN_OK && nn_download(plan, run.outputs.node[0], values[2],
                                                sizeof(float) * (size_t)count) == NN_OK);
    ENSURE(memcmp(values[0], values[2], sizeof(float) * (size_t)count) == 0);
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}
static void test_dropped_channels(void) {
    static const float ends[] = {0, 1};
    const double scale = 1 / 0.7;
    const dropped_case cases[] = {
        {nn_dropout1d_at, NN_SHAPE(NN_BATCH, 20, 5), 2, 2 * scale, 0, scale},
        {nn_dropout1d_at, NN_SHAPE(NN_BATCH, 20, NN_TIME), 2, 2 * scale, 0, scale},
        {nn_dropout1d_at, NN_SHAPE(400, 5), 1, 2 * scale, 0, scale},
        {nn_dropout2d_at, NN_SHAPE(NN_BATCH, 20, 2, 3), 2, 2 * scale, 0, scale},
        {nn_dropout2d_at, NN_SHAPE(NN_BATCH, 20, 3), 2, 2 * scale, 0, scale},
        {nn_dropout3d_at, NN_SHAPE(NN_BATCH, 20, 2, 1, 3), 2, 2 * scale, 0, scale},
        {nn_dropout3d_at, NN_SHAPE(400, 1, 2, 3), 1, 2 * scale, 0, scale},
        {nn_alpha_dropout_at, NN_SHAPE(NN_BATCH, 40), 2, 2.175997300629775, -1.0595481589864801,
         0.8609526162463561},
        {nn_feature_alpha_dropout_at, NN_SHAPE(NN_BATCH, 20, 7), 2, 2.175997300629775,
         -1.0595481589864801, 0.8609526162463561}};
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        nn_shape known = cases[i].shape;
        for (int k = 0; k < known.rank; k++)
            known.extent[k] = nn__resolve_extent(known.extent[k], 20, 5);
        check_dropped(&cases[i], known);
    }
    for (int i = 0; i < 2; i++) { /* nothing is dropped: 2; everything is: 0, as in PyTorch */
        nn_context *nn = open_nn();
        nn_model *net = make_net(nn);
        nn_node *w = nn_parameter(net, "w", NN_SHAPE(3, 4), 2, 2);
        nn_trainer_desc desc;
        float loss = 0;
        ZERO(desc);
        desc.learning_rate = 1;
        nn_trainer *trainer = nn_make_trainer(
            net, nn_sum(net, nn_add(net, nn_alpha_dropout(net, w, ends[i]),
                                    nn_feature_alpha_dropout(net, w, ends[i]))), &desc);
        ENSURE(trainer && nn_train_on_inputs(trainer) == NN_OK &&
               nn_read_loss(trainer, &loss) == NN_OK);
        ENSURE_CLOSE((double)loss, i ? 0.0 : 48.0, 1e-5);
        ENSURE_CLOSE((double)NUMBER(nn_find_tensor(net, "w"), 5), i ? 2.0 : 0.0, 1e-6);
        nn_close(nn);
    }
}

static void test_detach(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_node *p = nn_parameter(net, "p", NN_SHAPE(4), 3, 3);
    nn_trainer_desc desc;
    ZERO(desc);
    desc.learning_rate = 1;
    nn_trainer *trainer =
        nn_make_trainer(net, nn_sum(net, nn_multiply(net, p, nn_detach(net, p))), &desc);
    ENSURE(trainer && nn_train_on_inputs(trainer) == NN_OK);
    ENSURE_CLOSE(NUMBER(nn_find_tensor(net, "p"), 1), 0, 0); /* 3 - 3, not 3 - 6 */
    nn_close(nn);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Returns the newest fault: "linear: cause | fix". */
static const char *newest(nn_model *net, char *text) {
    const nn__fault *fault = net->faults.last;
    if (!fault) return "(no fault)";
    snprintf(text, 500, "%s: %s | %s", fault->operation, fault->cause ? fault->cause : "",
             fault->fix ? fault->fix : "");
    return text;
}
#define FAULT(node, expected)                                                                      \
    do {                                                                                           \
        int faults_before = nn_fault_count(net);                                                   \
        nn_node *made = (node);                                                                    \
        ENSURE(made &&nn_fault_count(net) == faults_before + 1);                                   \
        ENSURE(nn_node_name(nn_relu(net, made)) &&                                                 \
               nn_fault_count(net) == faults_before + 1); /* no cascade */                         \
        ENSURE_TEXT(newest(net, text), expected);                                                  \
    } while (0)

static void test_messages_of_layers(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    char text[512];
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 8, 6)),
            *bytes = nn_input(net, "bytes", NN_U8, NN_SHAPE(NN_BATCH, 4));
    nn_node *row = nn_input(net, "row", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *turned = nn_input(net, "turned", NN_F32, NN_SHAPE(4, NN_BATCH));
    nn_node *one = nn_sum(net, row), *flat = nn_flatten(net, image);
    nn_linear_desc linear;
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    ZERO(linear);
    ZERO(conv);
    ZERO(pool);
    FAULT(nn_linear(net, "fc", row, &linear),
          "linear: out_features is 0; it must be at least 1 | set .out_features");
    linear.out_features = 10;
    linear.in_features = 4096;
    FAULT(nn_linear(net, "fc", flat, &linear), "linear: in_features is 4096, but \"flatten\" has "
                                               "144 = 3 * 8 * 6 features | .in_features = "
                                               "144, or leave it out");
    FAULT(nn_linear(net, "fc", row, &linear), "linear: in_features is 4096, but \"row\" has 4 "
                                              "features | .in_features = 4, or leave it out");
    FAULT(nn_linear(net, NULL, row, &linear),
          "linear: the layer has no name | name it: its parameters become \"name.weight\" and "
          "\"name.bias\"");
    FAULT(nn_linear(net, "fc", row, (const nn_linear_desc *)NULL),
          "linear: desc is NULL | give an nn_linear_desc with .out_features");
    FAULT(nn_linear(net, "fc", bytes, &linear),
          "linear: input is u8; linear wants f32 | give input as f32");
    FAULT(nn_linear(net, "fc", NULL, &linear),
          "linear: input is NULL | pass the node that nn_input or another builder returned");
    FAULT(nn_linear(net, "fc", turned, &linear), "linear: the last extent of \"turned\" (4, batch) "
                                                 "depends on the batch; it is in_features | "
                                                 "nn_transpose puts another extent last");
    FAULT(nn_linear(net, "fc", one, &linear),
          "linear: \"sum\" is one number; linear wants (..., in_features) | reshape it to (..., "
          "in_features)");
    FAULT(
        nn_matmul(net, row, row, NULL),
        "matmul: a is (batch, 4) and b is (batch, 4); axis 1 of a and axis 0 of b are summed over "
        "and must be equal | make them equal: with .transpose_b they are");
    FAULT(nn_matmul(net, row, image, NULL),
          "matmul: a is (batch, 4) and b is (batch, 3, 8, 6); axis 1 of a and axis 2 of b are "
          "summed over and must be equal | make them equal");
    { /* mistakes by habits from other libraries */
        nn_node *last = nn_input(net, "last", NN_F32, NN_SHAPE(NN_BATCH, 28, 28, 1)),
                *colours = nn_input(net, "colours", NN_F32, NN_SHAPE(NN_BATCH, 9, 32, 3));
        nn_conv2d_desc c;
        nn_pool2d_desc p;
        nn_linear_desc l;
        ZERO(c);
        ZERO(p);
        ZERO(l);
        c.in_channels = 1;
        c.out_channels = 2;
        c.kernel = 3;
        FAULT(nn_conv2d(net, "conv", last, &c),
              "conv2d: in_channels is 1, but \"last\" has 28 channels; it looks like NHWC, and "
              "images are (N, C, H, "
              "W) here as in PyTorch | put the channels before the height: nn_reshape can do "
              "it for one channel");
        c.in_channels = 0;
        FAULT(nn_conv2d(net, "conv", last, &c),
              "conv2d: the kernel covers 3 x 3, but \"last\" with its padding has only 28 x 1; it "
              "looks like NHWC, and "
              "images are (N, C, H, W) here as in PyTorch | a smaller kernel or dilation, or "
              "more padding");
        c.in_channels = 3;
        FAULT(nn_conv2d(net, "conv", colours, &c),
              "conv2d: in_channels is 3, but \"colours\" has 9 channels; it looks like NHWC, and "
              "images are (N, C, "
              "H, W) here as in PyTorch | put the channels before the height");
        p.kernel = 4;
        FAULT(
            nn_max_pool2d(net, colours, &p),
            "max_pool2d: the kernel is 4 x 4, but \"colours\" with its padding has only 32 x 3; it "
            "looks like NHWC, "
            "and images are (N, C, H, W) here as in PyTorch | a smaller kernel, or more padding");
        l.out_features = 2;
        l.in_features = 784;
        FAULT(nn_linear(net, "fc", last, &l),
              "linear: in_features is 784, which is all of a sample of \"last\" (batch, 28, 28, "
              "1); linear takes the "
              "last extent alone, 1 | nn_flatten it first");
    }
    { /* the batch twice: every sample with every other */
        nn_node *one_row = nn_input(net, "q", NN_F32, NN_SHAPE(NN_BATCH)),
                *goal = nn_input(net, "goal", NN_F32, NN_SHAPE(NN_BATCH, 1));
        FAULT(nn_subtract(net, one_row, goal),
              "subtract: a is (batch) and b is (batch, 1); the result (batch, batch) would pair "
              "every sample of the "
              "batch with every other | give both one shape, so that sample meets sample: "
              "nn_reshape(net, b, "
              "nn_node_shape(a))");
        FAULT(nn_add(net, nn_reshape(net, row, NN_SHAPE(NN_BATCH, 1, 1, 4)),
                     nn_reshape(net, row, NN_SHAPE(1, 1, NN_BATCH, 4))),
              "add: a is (batch, 1, 1, 4) and b is (1, 1, batch, 4); the result (batch, 1, batch, "
              "4) would pair every "
              "sample of the batch with every other | give both one shape, so that sample meets "
              "sample: "
              "nn_reshape(net, b, nn_node_shape(a))");
        FAULT(nn_matmul(net, row, turned, NULL),
              "matmul: a is (batch, 4) and b is (4, batch); the result (batch, batch) would pair "
              "every sample of the batch with every other | give both one shape, so that sample "
              "meets sample: nn_reshape(net, b, nn_node_shape(a))");
    }
    FAULT(nn_conv2d(net, "conv", image, &conv),
          "conv2d: out_channels is 0; it must be at least 1 | set .out_channels");
    conv.out_channels = 4;
    FAULT(nn_conv2d(net, "conv", image, &conv),
          "conv2d: kernel is 0; it must be at least 1 | set .kernel");
    conv.kernel = 7;
    FAULT(nn_conv2d(net, "conv", image, &conv), "conv2d: the kernel covers 7 x 7, but \"image\" "
                                                "with its padding has only 8 x 6 | a smaller "
                                                "kernel or dilation, or more padding");
    conv.kernel = 3;
    FAULT(nn_conv2d(net, "conv", row, &conv),
          "conv2d: \"row\" (batch, 4) has 2 extents; conv2d wants 4: (N, C, H, W) | nn_reshape it "
          "to this shape");
    conv.in_channels = 1;
    FAULT(nn_conv2d(net, "conv", image, &conv), "conv2d: in_channels is 1, but \"image\" has 3 "
                                                "channels | .in_channels = 3, or leave it out");
    conv.in_channels = 0;
    conv.groups = 2;
    FAULT(nn_conv2d(net, "conv", image, &conv),
          "conv2d: groups is 2, with 3 input and 4 output channels | groups must divide both");
    conv.groups = 0;
    conv.stride = -1;
    FAULT(nn_conv2d(net, "conv", image, &conv),
          "conv2d: stride is -1; it must be at least 1, or 0 for 1 | set .stride");
    conv.stride = 0; /* more positions than an int counts */
    conv.kernel = 2;
    conv.dilation = INT32_MAX;
    conv.padding = 1 << 30;
    FAULT(nn_conv2d(net, "conv", image, &conv),
          "conv2d: \"image\" with its padding is 2147483656 x 2147483654; both must be less than "
          "2^30 | less padding");
    pool.kernel = INT32_MAX;
    pool.padding = INT32_MAX / 2;
    FAULT(nn_avg_pool2d(net, image, &pool),
          "avg_pool2d: \"image\" with its padding is 2147483654 x 2147483652; both must be less "
          "than 2^30 | less padding");
    pool.kernel = pool.padding = 0;
    FAULT(nn_max_pool2d(net, image, &pool),
          "max_pool2d: kernel is 0; it must be at least 1 | set .kernel");
    pool.kernel = 3;
    pool.padding = 2;
    FAULT(nn_avg_pool2d(net, image, &pool),
          "avg_pool2d: padding is 2; it must be between 0 and half the kernel | set .padding");
    pool.padding = 0;
    pool.kernel_w = 7;
    FAULT(nn_max_pool2d(net, image, &pool), "max_pool2d: the kernel is 3 x 7, but \"image\" with "
                                            "its padding has only 8 x 6 | a smaller "
                                            "kernel, or more padding");
    FAULT(
        nn_max_pool2d(net, row, &pool),
        "max_pool2d: \"row\" (batch, 4) has 2 extents; pooling wants 4: (N, C, H, W) | nn_reshape "
        "it to this shape");
    FAULT(nn_global_avg_pool2d(net, row),
          "global_avg_pool2d: \"row\" (batch, 4) has 2 extents; pooling wants 4: (N, C, H, W) | "
          "nn_reduce takes any rank");
    nn_close(nn);
}

static void test_messages_of_the_rest(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    char text[512];
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 8, 6)),
            *bytes = nn_input(net, "bytes", NN_U8, NN_SHAPE(NN_BATCH));
    nn_node *row = nn_input(net, "row", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *other = nn_input(net, "other", NN_F32, NN_SHAPE(5));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH)), *one = nn_sum(net, row);
    nn_cross_entropy_desc ce;
    nn_bce_desc bce;
    nn_custom_desc custom;
    ZERO(ce);
    ZERO(bce);
    ZERO(custom);
    FAULT(nn_relu(net, label), "relu: x is i32; relu wants f32 | give x as f32");
    FAULT(nn_dropout(net, row, 1.5f), "dropout: the probability is 1.5; it must be in [0, 1] | "
                                      "nn_dropout(net, x, 0.5f) drops half");
    FAULT(nn_dropout2d(net, row, 0.5f), "dropout2d: \"row\" (batch, 4) has 2 extents; dropout2d "
                                        "wants 3 to 4 | nn_reshape it to this shape; "
                                        "nn_dropout drops single numbers");
    FAULT(nn_dropout1d(net, row, 0.5f),
          "dropout1d: dropout1d of \"row\" (batch, 4), where the batch stands for the channels, "
          "would drop whole samples | nn_dropout drops single numbers");
    FAULT(nn_alpha_dropout(net, row, -1), "alpha_dropout: the probability is -1; it must be in "
                                          "[0, 1] | 0.5f drops half");
    FAULT(nn_add(net, row, other), "add: a is (batch, 4) and b is (5); aligned at their last "
                                   "extents, two must be equal or one "
                                   "of them 1 | reshape one of them");
    FAULT(nn_add(net, row, NULL),
          "add: b is NULL | pass the node that nn_input or another builder returned");
    FAULT(nn_flatten(net, other), "flatten: the input (5) has 1 extents; flatten wants (N, ...), "
                                  "at least 2 | nn_reshape makes "
                                  "any shape");
    FAULT(
        nn_reshape(net, image, NN_SHAPE(NN_BATCH, 100)),
        "reshape: the input (batch, 3, 8, 6) has 144 elements a sample, but (batch, 100) has 100 | "
        "the number of elements must not change");
    FAULT(
        nn_reshape(net, other, NN_SHAPE(-1)),
        "reshape: the input (5) does not depend on the batch, but (batch) does | NN_BATCH (-1) is "
        "the batch; it never means \"work it out\"");
    FAULT(nn_reshape(net, image, NN_SHAPE(-1, -1)),
          "reshape: 2 extents of (batch, batch) depend on the batch; at most one may | keep one "
          "NN_BATCH; it never means \"work it out\"");
    FAULT(nn_reduce(net, NN_SUM, row, NN_AXES(1, 2), false),
          "sum: there is no axis 2: the input (batch, 4) has 2 axes | NN_AXES counts from 0, or "
          "back from -1, the "
          "last; NN_ALL_AXES: all");
    FAULT(nn_reduce(net, NN_SUM, row, NN_AXES(-3), false),
          "sum: there is no axis -3: the input (batch, 4) has 2 axes | NN_AXES counts from 0, or "
          "back from -1, the "
          "last; NN_ALL_AXES: all");
    FAULT(nn_reduce(net, NN_SUM, row, NN_AXES(1, -1), false),
          "sum: axis -1 is given twice | name each axis once");
    FAULT(nn_reduce(net, (nn_reduction)99, row, NN_ALL_AXES, false),
          "mean: reduction is 99 | use NN_MEAN, NN_SUM, NN_MAX or another of nn_reduction");
    FAULT(nn_var(net, row, NN_AXES(1), false, -1),
          "var: correction is -1; it must be at least 0 | torch.var has 1, a whole population 0");
    FAULT(nn_argmax(net, bytes, NN_ALL_AXES),
          "argmax: input is u8; reduce wants f32 | give input as f32");
    FAULT(
        nn_softmax(net, one),
        "softmax: the input is one number; softmax works over the last axis | give it at least one "
        "extent");
    FAULT(nn_cross_entropy(net, row, bytes, &ce),
          "cross_entropy: label is u8; cross_entropy wants i32 | give label as i32");
    FAULT(nn_cross_entropy(net, row, nn_input(net, "hot", NN_I32, NN_SHAPE(NN_BATCH, 4)), &ce),
          "cross_entropy: label is (batch, 4); for logits (batch, 4) it must be (batch) | one "
          "class "
          "index for each row of logits, not one-hot");
    ce.label_smoothing = 1;
    FAULT(nn_cross_entropy(net, row, label, &ce),
          "cross_entropy: label_smoothing is 1; it must be in [0, 1) | 0 for none");
    ce.label_smoothing = 0;
    ce.weight = other;
    FAULT(nn_cross_entropy(net, row, label, &ce),
          "cross_entropy: weight is (5); it must be (4) | one number for each class");
    ce.weight = NULL;
    ce.reduction = NN_MAX;
    FAULT(nn_cross_entropy(net, row, label, &ce),
          "cross_entropy: reduction is 3, which this loss does not know | use NN_MEAN, NN_SUM or "
          "NN_REDUCTION_NONE");
    FAULT(nn_accuracy(net, other, label), "accuracy: logits are (5); accuracy wants (N, C) or (N, "
                                          "C, d...) | nn_reshape it to this shape");
    FAULT(nn_mse_loss(net, row, other, NULL), "mse_loss: target is (5), but y is (batch, 4); "
                                              "they must be equal | nn_reshape one of them; "
                                              "a loss never broadcasts");
    bce.pos_weight = other;
    FAULT(nn_bce_with_logits(net, row, row, &bce),
          "bce_with_logits: pos_weight is (5), which does not broadcast to logits (batch, 4) | one "
          "number for each class, or the shape of logits");
    FAULT(nn_custom(net, "mine", &custom), "custom: function is NULL | set .function");
    custom.function = cube;
    FAULT(nn_custom(net, "mine", &custom),
          "custom: inputs is empty; there must be at least one input | set .inputs = NN_NODES(x)");
    for (int i = 0; i < 7; i++) NODE_AT(custom.inputs, i) = row;
    FAULT(nn_custom(net, "mine", &custom), "custom: inputs has 7 elements; at most 6 are possible "
                                           "| NN_NODES and similar macros count their elements");
    custom.inputs.count = 1;
    FUNCTION_AT(custom.gradients, 1) = cube_gradient;
    FAULT(nn_custom(net, "mine", &custom), "custom: gradients has 2 elements; at most 1 are "
                                           "possible | NN_NODES and similar macros count their "
                                           "elements");
    custom.gradients.count = 0;
    custom.dtype = NN_DTYPE_COUNT;
    FAULT(nn_custom(net, "mine", &custom),
          "custom: dtype is 11, which is none | leave it 0 for f32");
    custom.dtype = NN_F32;
    nn_model *net2 = make_net(nn);
    nn_node *stranger = nn_input(net2, "stranger", NN_F32, NN_SHAPE(4));
    FAULT(nn_relu(net, stranger), "relu: x belongs to the model \"model\", not to \"model\" | "
                                  "describe both in one model, "
                                  "or pass the value through nn_input");
    ENSURE(nn_relu((nn_model *)NULL, row) == NULL &&
           nn_custom((nn_model *)NULL, "c", &custom) == NULL);
    nn_close(nn);
}

#define FAILS(call, code, expected)                                                                \
    do {                                                                                           \
        nn_clear_error(nn);                                                                        \
        ENSURE((call) == (code));                                                                  \
        ENSURE_TEXT(nn_error(nn), expected);                                                       \
    } while (0)

static void test_messages_of_losses(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    char text[512];
    nn_node *row = nn_input(net, "row", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *each = nn_input(net, "each", NN_F32, NN_SHAPE(NN_BATCH)),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH)),
            *logs = nn_input(net, "logs", NN_F32, NN_SHAPE(NN_TIME, NN_BATCH, 5)),
            *targets = nn_input(net, "targets", NN_I32, NN_SHAPE(NN_BATCH, 3));
    nn_bce_desc bce;
    nn_smooth_l1_desc smooth_l1;
    nn_triplet_margin_desc triplet;
    nn_cross_entropy_desc ce;
    nn_multi_margin_desc margin;
    nn_ctc_loss_desc ctc;
    ZERO(bce), ZERO(smooth_l1), ZERO(triplet), ZERO(ce), ZERO(margin), ZERO(ctc);
    bce.pos_weight = each;
    FAULT(nn_bce_loss(net, row, row, &bce),
          "bce_loss: pos_weight is given, which weights logits | nn_bce_with_logits takes it");
    FAULT(nn_mse_loss(net, row, row, &(nn_mse_desc){.reduction = NN_BATCH_MEAN}),
          "mse_loss: reduction is 16, which this loss does not know | use NN_MEAN, NN_SUM or "
          "NN_REDUCTION_NONE");
    smooth_l1.beta = -2;
    FAULT(nn_smooth_l1_loss(net, row, row, &smooth_l1),
          "smooth_l1_loss: beta is -2; it must be a number that is not negative | leave it 0 for "
          "its default");
    triplet.p = -1;
    FAULT(nn_triplet_margin_loss(net, row, row, row, &triplet),
          "triplet_margin_loss: p is -1; it must be positive | leave it 0 for its default");
    FAULT(nn_cosine_embedding_loss(net, row, row, row, NULL),
          "cosine_embedding_loss: target is (batch, 4); it must be the shape of a without its last "
          "extent | one number for each row");
    FAULT(nn_gaussian_nll_loss(net, row, row, nn_input(net, "v", NN_F32, NN_SHAPE(4)), NULL),
          "gaussian_nll_loss: variance is (4); y is (batch, 4), so it must have that shape, 1 in "
          "the place of its last extent, or all extents but the last | one variance for each "
          "element, or one for each row of them");
    ce.ignore = true;
    FAULT(nn_cross_entropy(net, row, row, &ce),
          "cross_entropy: ignore is for labels; the target is probabilities | give the rows to "
          "leave out a target of zeros");
    margin.p = 3;
    FAULT(nn_multi_margin_loss(net, row, label, &margin),
          "multi_margin_loss: p is 3 | give 1 or 2");
    FAULT(nn_nll_loss(net, row, each, NULL),
          "nll_loss: label is f32; nll_loss wants i32 | give label as i32");
    FAULT(nn_ctc_loss(net, row, targets, label, label, NULL),
          "ctc_loss: log_probabilities are (batch, 4); wanted (T, N, C) | nn_permute(net, x, "
          "NN_AXES(1, 0, 2)) of (N, T, C)");
    ctc.blank = 5;
    FAULT(nn_ctc_loss(net, logs, targets, label, label, &ctc),
          "ctc_loss: blank is 5; log_probabilities (time, batch, 5) have the classes 0 to 4 | "
          "leave it 0 for class 0");
    FAULT(nn_ctc_loss(net, logs, label, label, label, NULL),
          "ctc_loss: targets are (batch); wanted (N, S), a row for each sample | fill short ones "
          "up; target_lengths says what counts");
    nn_close(nn);
}

/* The blank may be the only class, here without a desc: then no label is left, and each step has
   the blank. */
static void test_ctc_of_the_blank_alone(void) {
    nn_context *nn = open_nn();
    const float logs[2] = {-0.5f, -0.25f};
    const int32_t counts[3] = {0, 2, 0}; /* a target that does not count, the two lengths */
    float lost = 0;
    nn_tensor *x = nn_wrap(nn, "x", NN_F32, NN_SHAPE(2, 1, 1), (void *)(uintptr_t)logs),
              *targets = nn_wrap(nn, "targets", NN_I32, NN_SHAPE(1, 1), (void *)(uintptr_t)counts),
              *rows = nn_wrap(nn, "rows", NN_I32, NN_SHAPE(1), (void *)(uintptr_t)(counts + 1)),
              *labels = nn_wrap(nn, "labels", NN_I32, NN_SHAPE(1), (void *)(uintptr_t)(counts + 2)),
              *loss = nn_wrap(nn, "loss", NN_F32, NN_SHAPE(1), &lost);
    ENSURE(nn_ctc_loss_forward(loss, x, targets, rows, labels, NULL) == NN_OK);
    ENSURE_CLOSE(lost, 0.75, 1e-6);
    nn_close(nn);
}

/* Tests rows of two operands that do not fit, and more weights than an extent can count. */
static void test_bilinear_mistakes(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    char text[512];
    nn_node *row = nn_input(net, "row", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *rows = nn_input(net, "rows", NN_F32, NN_SHAPE(NN_BATCH, 3, 7)),
            *wide = nn_input(net, "wide", NN_F32, NN_SHAPE(NN_BATCH, 40000));
    const nn_bilinear_desc desc = {.out_features = 2};
    FAULT(nn_bilinear(net, "a", row, rows, &desc),
          "bilinear: x2 has the shape (batch, 3, 7); wanted (batch, 7) | ");
    FAULT(nn_bilinear(net, "b", wide, wide, &desc),
          "bilinear: 2 x 40000 x 40000 weights are 2^31 or more | fewer features");
    nn_close(nn);
}

/* Targets that are the blank or not a class, and lengths out of range, end the step. An immediate
   call writes nothing. */
static void test_wrong_targets_of_ctc(void) {
    static const int32_t good[10] = {1, 2, 2, 1, 4, 4, 2, 2, 0, 0}; /* targets, lengths */
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_node *x = nn_parameter(net, "x", NN_SHAPE(4, 2, 3), -1, 1),
            *in = nn_input(net, "in", NN_I32, NN_SHAPE(2, 2)),
            *rows = nn_input(net, "rows", NN_I32, NN_SHAPE(2)),
            *counts = nn_input(net, "counts", NN_I32, NN_SHAPE(2));
    nn_trainer_desc desc;
    nn_tensor_desc made;
    nn_tensor *t[6];
    int32_t numbers[10];
    float loss[2], value = 0;
    ZERO(desc), ZERO(made);
    desc.learning_rate = 0.1f;
    nn_trainer *trainer = nn_make_trainer(
        net, nn_ctc_loss(net, nn_log_softmax(net, x), in, rows, counts, NULL), &desc);
    nn_plan *plan = nn_trainer_plan(trainer);
    for (int i = 0; i < 6; i++) {
        static const int ranks[6] = {1, 3, 2, 1, 1, 3};
        made.shape = ranks[i] == 3 ? NN_SHAPE(4, 2, 3) : ranks[i] == 2 ? NN_SHAPE(2, 2)
                                                                       : NN_SHAPE(2);
        made.dtype = i < 2 || i == 5 ? NN_F32 : NN_I32;
        t[i] = nn_make_tensor(nn, &made);
    }
    for (int i = -1; i < 8; i++) {
        static const int32_t wrong[8] = {3, 0, -1, 3, 5, -1, 3, -1};
        memcpy(numbers, good, sizeof numbers);
        if (i >= 0) numbers[i] = wrong[i];
        nn_upload(plan, in, numbers, 16);
        nn_upload(plan, rows, numbers + 4, 8);
        nn_upload(plan, counts, numbers + 6, 8);
        nn_upload_tensor(t[2], numbers, 16);
        nn_upload_tensor(t[3], numbers + 4, 8);
        nn_upload_tensor(t[4], numbers + 6, 8);
        loss[0] = loss[1] = 77;
        nn_upload_tensor(t[0], loss, sizeof loss);
        const nn_result step = nn_train_on_inputs(trainer);
        if (i < 0) {
            ENSURE(step == NN_OK && nn_read_loss(trainer, &value) == NN_OK && value > 0);
            ENSURE(nn_ctc_loss_forward(t[0], t[1], t[2], t[3], t[4], NULL) == NN_OK);
            ENSURE(nn_ctc_loss_backward(t[5], t[0], t[1], t[2], t[3], t[4], NULL) == NN_OK);
            continue;
        }
        ENSURE(step == NN_ERROR_LABEL);
        ENSURE(strstr(nn_error(nn),
                      "targets in \"in\" must be in [0, 3) and not the blank 0, \"rows\" at most 4 "
                      "rows, \"counts\" at most 2 targets; nothing has been updated since"));
        nn_clear_error(nn);
        ENSURE(nn_clear_fault(trainer) == NN_OK);
        ENSURE(nn_ctc_loss_forward(t[0], t[1], t[2], t[3], t[4], NULL) == NN_ERROR_LABEL);
        ENSURE(strstr(nn_error(nn), "nothing was written"));
        nn_clear_error(nn);
        ENSURE(nn_ctc_loss_backward(t[5], NULL, t[1], t[2], t[3], t[4], NULL) == NN_ERROR_LABEL);
        nn_clear_error(nn);
        ENSURE(nn_download_tensor(t[0], loss, sizeof loss) == NN_OK && loss[0] == 77);
    }
    nn_close(nn);
}

static void test_messages_of_immediate_calls(void) {
    nn_context *nn = open_nn(), *nn2 = open_nn();
    nn_tensor *x = F32("x", 1, 2, 5), *y = F32("y", 1, 2, 4), *w = F32("w", 1, 4, 5),
              *b = F32("b", 1, 3), *i = I32("i", 2, 5);
    nn_tensor *image = F32("image", 1, 1, 2, 4, 4), *filter = F32("filter", 1, 3, 1, 3, 3),
              *z = F32("z", 1, 2, 5), *v = F32("v", 1, 4, 5),
              *pooled = F32("pooled", 1, 1, 2, 2, 2),
              *far_away = make(nn2, "far", NN_F32, NN_SHAPE(2, 5), 0);
    FAILS(nn_linear_forward_at(AT, y, NULL, w, NULL), NN_ERROR_ARGUMENT,
          "nn_linear_forward at net.c:7: x is NULL; give a tensor");
    FAILS(nn_linear_forward_at(AT, y, i, w, NULL), NN_ERROR_DTYPE,
          "nn_linear_forward at net.c:7: x \"i\" is i32; wanted f32");
    FAILS(nn_linear_forward_at(AT, y, x, w, b), NN_ERROR_SHAPE,
          "nn_linear_forward at net.c:7: bias has the shape (3); wanted (4)");
    FAILS(nn_linear_forward_at(AT, z, x, w, NULL), NN_ERROR_SHAPE,
          "nn_linear_forward at net.c:7: y has the shape (2, 5); wanted (2, 4)");
    FAILS(nn_linear_forward_at(AT, z, y, w, NULL), NN_ERROR_SHAPE,
          "nn_linear_forward at net.c:7: x has the shape (2, 4); wanted (2, 5)");
    FAILS(nn_linear_backward_at(AT, v, NULL, NULL, y, x, w, false), NN_ERROR_SHAPE,
          "nn_linear_backward at net.c:7: dx has the shape (4, 5); wanted (2, 5)");
    FAILS(nn_conv2d_forward_at(AT, y, image, filter, NULL, NULL), NN_ERROR_SHAPE,
          "nn_conv2d_forward at net.c:7: weight has the shape (3, 1, 3, 3); wanted (3, 2, 3, 3)");
    FAILS(nn_max_pool2d_forward_at(AT, pooled, NULL, image, NULL), NN_ERROR_ARGUMENT,
          "nn_max_pool2d_forward at net.c:7: desc is NULL; give an nn_pool2d_desc with .kernel");
    FAILS(nn_relu_forward_at(AT, y, x), NN_ERROR_SHAPE,
          "nn_relu_forward at net.c:7: y has the shape (2, 4); wanted (2, 5)");
    FAILS(
        nn_relu_forward_at(AT, x, far_away), NN_ERROR_ARGUMENT,
        "nn_relu_forward at net.c:7: y \"x\" and x \"far\" belong to different contexts; use one");
    FAILS(
        nn_add_forward_at(AT, z, x, y), NN_ERROR_SHAPE,
        "nn_add_forward at net.c:7: a is (2, 5) and b is (2, 4); aligned at their last extents, "
        "two must be equal or one of them 1; reshape one of them");
    FAILS(nn_reduce_forward_at(AT, y, NN_SUM, x, NN_AXES(0)), NN_ERROR_SHAPE,
          "nn_reduce_forward at net.c:7: y has the shape (2, 4); wanted (1, 5)");
    FAILS(nn_softmax_forward_at(AT, y, x, false), NN_ERROR_SHAPE,
          "nn_softmax_forward at net.c:7: y has the shape (2, 4); wanted (2, 5)");
    FAILS(nn_cross_entropy_forward_at(AT, y, x, i, NULL, NULL), NN_ERROR_SHAPE,
          "nn_cross_entropy_forward at net.c:7: label is (2, 5); for logits (2, 5) it must be "
          "(2); "
          "one class index for each row of logits, not one-hot");
    ENSURE(nn_softmax_forward(NULL, NULL, false) == NN_ERROR_ARGUMENT);
    nn_close(nn);
    nn_close(nn2);
}

/* ---- results that share memory with an operand ----------------------------------------------- */

/* Wraps memory of the caller that overlaps another tensor: from its beginning, from a little after
   it, and from a little before it. */
static nn_tensor *shared_tensor(nn_context *nn, nn_tensor *with, nn_shape shape, int way) {
    nn_tensor_desc desc;
    ZERO(desc);
    desc.shape = shape;
    desc.dtype = nn_tensor_dtype(with);
    desc.data = (char *)nn_tensor_data(with) + (way == 1 ? 64 : way == 2 ? -64 : 0);
    return nn_make_tensor(nn, &desc);
}

#define SHARES(call)                                                                               \
    do {                                                                                           \
        ENSURE((call) == NN_ERROR_ARGUMENT);                                                       \
        ENSURE(nn_error(nn) && strstr(nn_error(nn), " shares memory with "));                      \
        nn_clear_error(nn);                                                                        \
    } while (0)

/* Makes a tensor in the middle of a buffer, with space before and after it. */
static nn_tensor *roomy(nn_context *nn, nn_dtype dtype, nn_shape shape) {
    static float room[24][4096];
    static int next;
    nn_tensor_desc desc;
    float *at = room[next++ % 24];
    for (int i = 0; i < 4096; i++) at[i] = dtype == NN_F32 ? noise((uint32_t)i) : 0;
    ZERO(desc);
    desc.shape = shape;
    desc.dtype = dtype;
    desc.data = at + 1024;
    return nn_make_tensor(nn, &desc);
}

static void test_shared_memory(void) {
    nn_context *nn = open_nn();
    const nn_shape square = NN_SHAPE(16, 16), row = NN_SHAPE(16), image = NN_SHAPE(1, 4, 8, 8),
                   kernel = NN_SHAPE(4, 4, 3, 3);
    nn_tensor *y = roomy(nn, NN_F32, square), *x = roomy(nn, NN_F32, square),
              *w = roomy(nn, NN_F32, square), *label = roomy(nn, NN_I32, row),
              *number = roomy(nn, NN_F32, NN_SHAPE(1));
    nn_tensor *p = roomy(nn, NN_F32, image), *q = roomy(nn, NN_F32, image),
              *k = roomy(nn, NN_F32, kernel), *index = roomy(nn, NN_I32, image);
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    ZERO(conv);
    ZERO(pool);
    conv.padding = 1;
    pool.kernel = 3;
    pool.stride = pool.padding = 1;
    for (int way = 0; way < 3; way++) {
        nn_tensor *on_x = shared_tensor(nn, x, square, way),
                  *on_w = shared_tensor(nn, w, square, way),
                  *on_y = shared_tensor(nn, y, square, way);
        nn_tensor *on_p = shared_tensor(nn, p, image, way),
                  *on_k = shared_tensor(nn, k, kernel, way),
                  *on_q = shared_tensor(nn, q, image, way);
        SHARES(nn_linear_forward(on_x, x, w, NULL));
        SHARES(nn_linear_forward(on_w, x, w, NULL));
        SHARES(nn_linear_forward(y, x, w, shared_tensor(nn, y, row, way == 1)));
        SHARES(nn_linear_backward(on_x, NULL, NULL, y, x, w, false));
        SHARES(nn_linear_backward(on_y, NULL, NULL, y, x, w, false));
        SHARES(nn_linear_backward(NULL, on_w, NULL, y, x, w, false));
        SHARES(nn_linear_backward(on_x, x, NULL, y, w, w, false)); /* two results */
        SHARES(nn_conv2d_forward(on_p, p, k, NULL, &conv));
        SHARES(nn_conv2d_backward(on_q, NULL, NULL, q, p, k, &conv, false));
        SHARES(nn_conv2d_backward(NULL, on_k, NULL, q, p, k, &conv, false));
        SHARES(nn_max_pool2d_forward(on_p, NULL, p, &pool));
        SHARES(nn_avg_pool2d_forward(on_p, p, &pool));
        SHARES(nn_max_pool2d_backward(on_q, q, index, &pool));
        SHARES(nn_avg_pool2d_backward(on_q, q, &pool));
        SHARES(nn_softmax_forward(on_x, x, false));
        SHARES(nn_softmax_backward(on_x, x, y, false));
        SHARES(nn_reduce_forward(shared_tensor(nn, x, NN_SHAPE(1, 16), way == 1), NN_SUM, x,
                                 NN_AXES(0)));
        SHARES(nn_cross_entropy_forward(shared_tensor(nn, x, nn_tensor_shape(number), way == 1), x,
                                        label, NULL, NULL));
        SHARES(nn_cross_entropy_backward(on_x, x, label, NULL, NULL));
        if (way == 0) continue; /* pointwise calls may work exactly in place */
        SHARES(nn_relu_forward(on_x, x));
        SHARES(nn_relu_backward(on_x, x, y, false));
        SHARES(nn_relu_backward(on_y, x, y, false));
        SHARES(nn_add_forward(on_x, x, y));
        SHARES(nn_add_forward(on_y, x, y));
    }
    SHARES(nn_add_forward(x, x, nn_make_view(x, 0, 1))); /* its own first row, broadcast */
    SHARES(nn_add_forward(x, y, nn_make_view(x, 15, 1)));
    ENSURE(nn_relu_forward(x, x) == NN_OK && nn_add_forward(x, x, x) == NN_OK);
    ENSURE(nn_relu_backward(y, y, x, false) == NN_OK);
    ENSURE(nn_add_forward(nn_make_view(x, 0, 8), nn_make_view(x, 0, 8), nn_make_view(x, 8, 8)) ==
           NN_OK);
    ENSURE(nn_linear_forward(y, x, x, NULL) == NN_OK); /* operands may be one tensor */
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* ---- warnings: what is allowed and probably not meant ---------------------------------------- */

typedef struct collected { char text[8192]; size_t used; } collected;
static void collect(void *user, const char *text, size_t length) {
    collected *to = (collected *)user;
    if (length > sizeof to->text - 1 - to->used) length = sizeof to->text - 1 - to->used;
    memcpy(to->text + to->used, text, length);
    to->used += length;
    to->text[to->used] = 0;
}
static int times(const char *text, const char *part) {
    int count = 0;
    for (; (text = strstr(text, part)) != NULL; text++) count++;
    return count;
}

static void test_warnings(void) {
    static collected log, report;
    nn_desc context;
    nn_writer to_report;
    nn_model *net;
    nn_node *x, *label, *nodes[3];
    nn_conv2d_desc conv;
    nn_linear_desc linear;
    nn_custom_desc custom;
    nn_context *nn;
    nn_trainer_desc trainer;
    nn_trainer *made;
    ZERO(context);
    ZERO(conv);
    ZERO(linear);
    ZERO(custom);
    ZERO(trainer);
    ZERO(log);
    ZERO(report);
    context.threads = 1;
    context.log.function = collect;
    context.log.user = &log;
    to_report.function = collect;
    to_report.user = &report;
    nn = nn_open(&context);
    net = make_net(nn);
    linear.out_features = 5;
    conv.out_channels = 2;
    conv.kernel = 3;
    x = nn_linear(net, "fc", nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)), &linear);
    label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    log.used = 0, log.text[0] = 0;
    /* correct ones give no warning */
    nodes[0] = nn_cross_entropy_at(AT, net, x, label, (const nn_cross_entropy_desc *)NULL);
    nn_conv2d_at(AT, net, "conv", nn_input(net, "right", NN_F32, NN_SHAPE(NN_BATCH, 3, 28, 28)),
                 &conv);
    conv.in_channels = 28; /* it was given, so it is intended */
    nn_conv2d_at(AT, net, "conv2", nn_input(net, "odd", NN_F32, NN_SHAPE(NN_BATCH, 28, 28, 3)),
                 &conv);
    NODE_AT(custom.inputs, 0) = x;
    custom.shape = NN_SHAPE(NN_BATCH, 5);
    custom.function = cube;
    FUNCTION_AT(custom.gradients, 0) = cube_gradient;
    custom.user = &cube_factor;
    made = nn_make_trainer(net, nn_mean(net, nn_custom_at(AT, net, "with", &custom)), &trainer);
    ENSURE(made && times(log.text, "warning") == 0);
    nn_write_plan(nn_trainer_plan(made), to_report);
    ENSURE(times(report.text, "warnings") == 0);
    /* each mistake gives one warning */
    nn_cross_entropy_at(AT, net, nn_softmax(net, x), label, (const nn_cross_entropy_desc *)NULL);
    ENSURE(times(log.text, "warning: cross_entropy \"softmax\" at net.c:7: its logits come from "
                           "softmax, which it") == 1);
    nn_cross_entropy_at(AT, net, nn_log_softmax(net, x), label,
                        (const nn_cross_entropy_desc *)NULL);
    ENSURE(times(log.text, "its logits come from log_softmax") == 1);
    nn_bce_with_logits_at(AT, net, nn_sigmoid(net, x), x, (const nn_bce_desc *)NULL);
    ENSURE(times(log.text, "its logits come from sigmoid") == 1);
    conv.in_channels = 0;
    nn_conv2d_at(AT, net, "conv3", nn_input(net, "last", NN_F32, NN_SHAPE(NN_BATCH, 28, 28, 3)),
                 &conv);
    ENSURE(times(log.text, "conv2d \"conv3\" at net.c:7: the images \"last\" have 28 channels of "
                           "28 x 3 and look like NHWC") == 1);
    FUNCTION_AT(custom.gradients, 0) = NULL;
    nodes[1] = nn_mean(net, nn_add(net, nn_custom_at(AT, net, "without", &custom), x));
    for (int i = 0; i < 2; i++) made = nn_make_trainer(net, nodes[1], &trainer);
    ENSURE(made &&
           times(log.text,
                 "custom \"without\" at net.c:7: it has no gradient for its input \"fc\"") == 1);
    nn_write_plan(nn_trainer_plan(made), to_report);
    ENSURE(times(report.text, "\nwarnings\n") == 1 &&
           times(report.text, "its logits come from") == 3);
    ENSURE(times(report.text, "\"without\" at net.c:7") == 1 && times(log.text, "warning") == 5);
    NODE_AT(custom.inputs, 1) = nn_linear(net, "fc2", x, &linear);
    NODE_AT(custom.inputs, 2) = nn_linear(net, "fc3", x, &linear);
    for (int i = 0; i < 2; i++) {
        FUNCTION_AT(custom.gradients, i) = cube_gradient;
        TEXT_AT(custom.gradient_entries, i) = "cube_gradient";
    }
    custom.source = custom.entry = "cube";
    made = nn_make_trainer(net, nn_mean(net, nn_custom_at(AT, net, "part", &custom)), &trainer);
    ENSURE(made && times(log.text, "custom \"part\" at net.c:7: it has no gradient for its input "
                                   "\"fc3\"") == 1);
    nn_close(nn);
}

/* More rows than a product can count are refused before memory is requested. Where an address has
   32 bits, the input alone is refused. */
static void test_rows_of_a_batch(void) {
    const char *why = sizeof(void *) < 8 ? "makes it larger than a number can count"
                                         : "counts rows in 31 bits";
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    nn_linear_desc linear;
    nn_plan_desc desc;
    ZERO(linear);
    ZERO(desc);
    linear.out_features = 1;
    NODE_AT(desc.outputs, 0) =
        nn_linear(net, "fc", nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 65537, 1)), &linear);
    desc.batch = 32768;
    ENSURE(!nn_make_plan(net, &desc));
    ENSURE(nn_error(nn) && strstr(nn_error(nn), why));
    nn_clear_error(nn);
    desc.batch = 2;
    ENSURE(nn_make_plan(net, &desc));
    nn_close(nn);
}

/* ---- defaults: a field left 0 and its documented value give the same node -------------------- */

/* True if two nodes give their kernels the same arguments. */
static bool same_arguments(const nn_node *a, const nn_node *b) {
    const nn_node *nodes[2];
    nn__args args[2];
    memset(args, 0, sizeof args);
    nodes[0] = a, nodes[1] = b;
    for (int n = 0; n < 2; n++) {
        nn_view inputs[3];
        nn__lowering lowering;
        memset(inputs, 0, sizeof inputs);
        memset(&lowering, 0, sizeof lowering);
        for (int i = 0; i < nodes[n]->input_count; i++) {
            nn__resolve_shape(&inputs[i].shape, &nodes[n]->inputs[i]->shape, 2, 1);
            inputs[i].dtype = nodes[n]->inputs[i]->dtype;
        }
        lowering.inputs = inputs;
        nn__resolve_shape(&lowering.output.shape, &nodes[n]->shape, 2, 1);
        nodes[n]->rule->lower(nodes[n], &lowering, &args[n]);
    }
    return memcmp(&args[0], &args[1], sizeof args[0]) == 0;
}

#define SAME(field, value, build)                                                                  \
    do {                                                                                           \
        nn_node *implied = (build), *stated;                                                       \
        desc.field = (value);                                                                      \
        stated = (build);                                                                          \
        desc.field = 0;                                                                            \
        ENSURE(nn_fault_count(net) == 0 && nn_same_shape(implied->shape, stated->shape));          \
        ENSURE(implied->input_count == stated->input_count && implied->dtype == stated->dtype);    \
        ENSURE(same_arguments(implied, stated));                                                   \
    } while (0)

static const char *fresh(char *name) {
    static int number;
    snprintf(name, 16, "layer%d", number++);
    return name;
}

static void test_defaults(void) {
    nn_context *nn = open_nn();
    nn_model *net = make_net(nn);
    char name[16];
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 4, 12, 9)),
            *row = nn_input(net, "row", NN_F32, NN_SHAPE(NN_BATCH, 6));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    {
        nn_linear_desc desc;
        ZERO(desc);
        desc.out_features = 3;
        SAME(in_features, 6, nn_linear(net, fresh(name), row, &desc));
        ENSURE(nn_linear(net, fresh(name), row, &desc)->input_count == 3);
        desc.no_bias = true;
        ENSURE(nn_linear(net, fresh(name), row, &desc)->input_count == 2);
    }
    {
        nn_conv2d_desc desc;
        ZERO(desc);
        desc.out_channels = 8;
        desc.kernel = 3;
        SAME(in_channels, 4, nn_conv2d(net, fresh(name), image, &desc));
        SAME(kernel_w, 3, nn_conv2d(net, fresh(name), image, &desc));
        SAME(stride, 1, nn_conv2d(net, fresh(name), image, &desc));
        SAME(dilation, 1, nn_conv2d(net, fresh(name), image, &desc));
        SAME(groups, 1, nn_conv2d(net, fresh(name), image, &desc));
        SAME(padding_w, NN_NONE, nn_conv2d(net, fresh(name), image, &desc));
        ENSURE(nn_same_shape(nn_conv2d(net, fresh(name), image, &desc)->shape,
                             NN_SHAPE(NN_BATCH, 8, 10, 7))); /* padding 0 */
        desc.stride = 2, desc.padding = 1, desc.dilation = 2;
        SAME(stride_w, 2, nn_conv2d(net, fresh(name), image, &desc));
        SAME(padding_w, 1, nn_conv2d(net, fresh(name), image, &desc));
        SAME(dilation_w, 2, nn_conv2d(net, fresh(name), image, &desc));
        ENSURE(nn_conv2d(net, fresh(name), image, &desc)->input_count == 3);
    }
    for (int largest = 0; largest < 2; largest++) {
        nn_pool2d_desc desc;
        ZERO(desc);
        desc.kernel = 3;
#define POOL (largest ? nn_max_pool2d(net, image, &desc) : nn_avg_pool2d(net, image, &desc))
        SAME(kernel_w, 3, POOL);
        SAME(stride, 3, POOL);
        SAME(stride_w, 3, POOL);
        SAME(padding_w, NN_NONE, POOL);
        desc.kernel_w = 2;
        SAME(stride_w, 2, POOL);
        desc.stride = 2, desc.padding = 1, desc.kernel_w = 3;
        SAME(stride_w, 2, POOL);
        SAME(padding_w, 1, POOL);
        desc.stride = 0, desc.padding = 0, desc.kernel = 5; /* 12: rounded down */
        ENSURE(POOL->shape.extent[2] == 2);
#undef POOL
    }
    {
        nn_cross_entropy_desc desc;
        size_t params_bytes = sizeof(nn_cross_entropy_options);
        ZERO(desc);
        nn_node *plain = nn_cross_entropy(net, row, label, NULL),
                *zero = nn_cross_entropy(net, row, label, &desc);
        ENSURE(memcmp(plain->params, zero->params, params_bytes) == 0);
        ENSURE(!((nn_cross_entropy_options *)plain->params)->ignore && plain->input_count == 2);
        nn_cross_entropy_args args, mean;
        nn__op_cross_entropy_args(&args, (nn_cross_entropy_options *)zero->params,
                                  nn_tensor_view(NULL), nn_tensor_view(NULL), nn_tensor_view(NULL));
        desc.reduction = NN_MEAN;
        zero = nn_cross_entropy(net, row, label, &desc);
        nn__op_cross_entropy_args(&mean, (nn_cross_entropy_options *)zero->params,
                                  nn_tensor_view(NULL), nn_tensor_view(NULL), nn_tensor_view(NULL));
        ENSURE(args.reduction == NN_MEAN && memcmp(&args, &mean, sizeof mean) == 0);
    }
    {
        nn_bce_desc desc;
        size_t params_bytes = 3 * sizeof(uint32_t); /* axes, reduction, correction */
        nn_custom_desc mine;
        ZERO(desc);
        desc.reduction = NN_MEAN;
        nn_node *mean = nn_bce_with_logits(net, row, row, &desc),
                *plain = nn_bce_with_logits(net, row, row, NULL);
        desc.reduction = NN_REDUCTION_DEFAULT;
        ENSURE(memcmp(mean->params, plain->params, params_bytes) == 0);
        ENSURE(memcmp(mean->params, nn_bce_with_logits(net, row, row, &desc)->params,
                      params_bytes) == 0);
        ENSURE(memcmp(mean->params, nn_mse_loss(net, row, row, NULL)->params, params_bytes) == 0);
        ZERO(mine);
        NODE_AT(mine.inputs, 0) = row;
        mine.function = cube;
        ENSURE(nn_custom(net, "mine", &mine)->dtype == NN_F32 &&
               nn_custom(net, "mine2", &mine)->shape.rank == 0);
    }
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_linear);
    RUN(test_linear_any_rank);
    RUN(test_matmul);
    RUN(test_conv2d);
    RUN(test_pool2d);
    RUN(test_lines_and_transposed);
    RUN(test_windows_of_lines_and_adaptive);
    RUN(test_global_avg_pool2d);
    RUN(test_unary);
    RUN(test_activations_in_epilogues);
    RUN(test_softplus);
    RUN(test_copy);
    RUN(test_binary);
    RUN(test_reduce);
    RUN(test_softmax);
    RUN(test_cross_entropy);
    RUN(test_cross_entropy_two_classes);
    RUN(test_cross_entropy_bad_label);
    RUN(test_losses);
    RUN(test_triplets_with_distance);
    RUN(test_accuracy);
    RUN(test_shapes_without_kernels);
    RUN(test_gradients_unary);
    RUN(test_gradients_binary);
    RUN(test_gradients_layers);
    RUN(test_gradients_reduce);
    RUN(test_gradients_at_zero);
    RUN(test_reduce_spellings);
    RUN(test_gradients_losses);
    RUN(test_ties);
    RUN(test_dropout);
    RUN(test_dropped_channels);
    RUN(test_detach);
    RUN(test_messages_of_layers);
    RUN(test_messages_of_the_rest);
    RUN(test_messages_of_losses);
    RUN(test_wrong_targets_of_ctc);
    RUN(test_ctc_of_the_blank_alone);
    RUN(test_bilinear_mistakes);
    RUN(test_messages_of_immediate_calls);
    RUN(test_shared_memory);
    RUN(test_rows_of_a_batch);
    RUN(test_warnings);
    RUN(test_defaults);
    return test_report();
}
