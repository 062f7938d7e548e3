/* test_integer.c: inference in 8-bit integers, described call by call: random nets whose bytes are
   those of plain loops in 64-bit integers on every instruction set, the buffers that calls share,
   and the mistakes of their descriptions. The kernels are tested in tests/kernels/random_integer.h,
   nn_quantize_net in tests/train/test_quantize_net.c. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"

#include "test.h"

#include "lists.h"
#include "open.h"
#include "reference.h"
#include "sim_device.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

/* ---- random nets ----------------------------------------------------------------------------- */

enum { VALUES = 10, LARGEST = 2 * 11 * 11 * 12, BATCH = 2 };
typedef struct value {
    nn_node *node;
    int8_t bytes[LARGEST]; /* by plain loops */
    char name[8];
} value;
static value values[VALUES];
static int count;
static unsigned state;
static int pick(int n) {
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 16) % n;
}

/* Returns a buffer of the net with drawn numbers, as the view of a kernel's argument. */
static nn_view leaf(nn_model *net, const char *layer, const char *part, int low, int high) {
    char name[40];
    snprintf(name, sizeof name, "%s.%s", layer, part);
    nn_tensor *tensor = nn_find_tensor(net, name);
    nn_view view;
    ZERO(view);
    view.dtype = nn_tensor_dtype(tensor);
    view.shape = nn_tensor_shape(tensor);
    view.handle = nn_tensor_data(tensor);
    for (int64_t i = 0; i < reference_count(&view); i++) {
        const int number = low + pick(high - low + 1);
        if (view.dtype == NN_I8)
            ((int8_t *)view.handle)[i] = (int8_t)number;
        else
            ((int32_t *)view.handle)[i] = number;
    }
    return view;
}
static nn_view view_of_value(value *v) {
    nn_view view;
    ZERO(view);
    view.dtype = NN_I8;
    view.shape = nn_node_shape(v->node);
    view.shape.extent[0] = BATCH;
    view.handle = v->bytes;
    return view;
}
static void store(const nn_view *y, void (*loops)(const void *, const reference_outputs *),
                  const void *args) {
    static double numbers[LARGEST], scales[LARGEST];
    nn_view *views[1];
    reference_array array = {numbers, scales};
    reference_outputs out = {views, &array, 1};
    views[0] = (nn_view *)(size_t)y;
    loops(args, &out);
    for (int64_t i = 0; i < reference_count(y); i++) ((int8_t *)y->handle)[i] = (int8_t)numbers[i];
}
static void loops_conv(const void *a, const reference_outputs *o) {
    reference_case_integer_conv2d((const nn_integer_conv2d_args *)a, o);
}
static void loops_pool(const void *a, const reference_outputs *o) {
    reference_case_integer_pool2d((const nn_integer_pool2d_args *)a, o);
}
static void loops_add(const void *a, const reference_outputs *o) {
    reference_case_integer_add((const nn_integer_add_args *)a, o);
}
static void loops_multiply(const void *a, const reference_outputs *o) {
    reference_case_integer_multiply((const nn_integer_multiply_args *)a, o);
}
static void loops_table(const void *a, const reference_outputs *o) {
    reference_case_integer_table((const nn_integer_table_args *)a, o);
}
static void loops_softmax(const void *a, const reference_outputs *o) {
    reference_case_integer_softmax((const nn_integer_softmax_args *)a, o);
}
static void loops_resize(const void *a, const reference_outputs *o) {
    reference_case_integer_resize2d((const nn_integer_resize2d_args *)a, o);
}
static void loops_recurrent(const void *a, const reference_outputs *o) {
    reference_case_integer_recurrent((const nn_integer_recurrent_args *)a, o);
}
static nn_view zeros(nn_model *net, const char *name) {
    nn_view zero = leaf(net, name, "zero", -128, 127);
    int32_t *z = (int32_t *)zero.handle;
    if (z[2] > z[3]) z[2] = -128, z[3] = 127;
    return zero;
}

/* Draws a convolution or, if the value is a row of numbers, a linear layer. */
static void draw_layer(nn_model *net, value *x, value *y) {
    nn_integer_conv2d_args a;
    nn_conv2d_desc conv;
    nn_linear_desc linear;
    const nn_shape shape = nn_node_shape(x->node);
    const int C = shape.extent[shape.rank - 1];
    ZERO(a);
    ZERO(conv);
    ZERO(linear);
    conv.out_channels = linear.out_features = 1 + pick(12);
    conv.kernel_h = 1 + pick(3), conv.kernel_w = 1 + pick(3);
    conv.padding_h = pick(conv.kernel_h) ? 1 : NN_NONE;
    conv.padding_w = pick(conv.kernel_w) ? 1 : NN_NONE;
    conv.stride = 1 + pick(2);
    conv.dilation = 1 + pick(2);
    conv.padding_bottom = pick(2) ? 2 : 0;
    if (pick(2)) conv.groups = conv.out_channels = C;
    if (pick(4) == 0) {
        conv.groups = C % 3 == 0 ? 3 : C % 2 == 0 ? 2 : 1;
        conv.out_channels = conv.groups * (1 + pick(12 / conv.groups));
    }
    y->node = shape.rank == 4 ? nn_integer_conv2d(net, y->name, x->node, &conv)
                              : nn_integer_linear(net, y->name, x->node, &linear);
    if (nn_fault_count(net)) return;
    a.params.kernel_h = a.params.kernel_w = a.params.stride_h = a.params.stride_w = 1;
    a.params.dilation_h = a.params.dilation_w = a.params.groups = 1;
    a.x = view_of_value(x);
    a.y = view_of_value(y);
    if (shape.rank == 4) {
        a.params.kernel_h = conv.kernel_h, a.params.kernel_w = conv.kernel_w;
        a.params.padding_h = conv.padding_h == NN_NONE ? 0 : 1;
        a.params.padding_w = conv.padding_w == NN_NONE ? 0 : 1;
        a.params.stride_h = a.params.stride_w = conv.stride;
        a.params.dilation_h = a.params.dilation_w = conv.dilation;
        a.params.groups = conv.groups ? conv.groups : 1;
    } else {
        const int rows = (int)(reference_count(&a.x) / C); /* of samples, or of their steps */
        a.x.shape = NN_SHAPE(rows, 1, 1, C);
        a.y.shape = NN_SHAPE(rows, 1, 1, linear.out_features);
    }
    a.weight = leaf(net, y->name, "weight", -127, 127);
    a.bias = leaf(net, y->name, "bias", -9000, 9000);
    a.factor = leaf(net, y->name, "factor", 1 << 30, INT32_MAX);
    const int K = a.y.shape.extent[3];
    for (int k = 0; k < K; k++) ((int32_t *)a.factor.handle)[K + k] = -12 + pick(14);
    a.zero = zeros(net, y->name);
    store(&a.y, loops_conv, &a);
}

static void draw_transposed(nn_model *net, value *x, value *y) {
    nn_integer_conv2d_args a;
    nn_conv_transpose2d_desc conv;
    const nn_shape shape = nn_node_shape(x->node);
    const int C = shape.extent[3];
    ZERO(a);
    ZERO(conv);
    conv.groups = C % 2 ? 1 : 2;
    conv.out_channels = conv.groups * (1 + pick(12 / conv.groups));
    conv.kernel_h = 1 + pick(3), conv.kernel_w = 1 + pick(3);
    conv.stride_h = shape.extent[1] < 5 ? 2 : 1, conv.stride_w = shape.extent[2] < 5 ? 2 : 1;
    conv.padding_h = conv.kernel_h > 2 ? 1 : NN_NONE, conv.padding_w = NN_NONE;
    conv.output_padding_h = conv.stride_h > 1 ? 1 : NN_NONE;
    conv.output_padding_w = NN_NONE;
    y->node = nn_integer_conv_transpose2d(net, y->name, x->node, &conv);
    if (nn_fault_count(net)) return;
    a.x = view_of_value(x);
    a.y = view_of_value(y);
    a.params.kernel_h = conv.kernel_h, a.params.kernel_w = conv.kernel_w;
    a.params.stride_h = conv.stride_h, a.params.stride_w = conv.stride_w;
    a.params.padding_h = conv.padding_h == NN_NONE ? 0 : 1;
    a.params.dilation_h = a.params.dilation_w = 1;
    a.params.groups = conv.groups;
    a.transposed = true;
    a.weight = leaf(net, y->name, "weight", -127, 127);
    a.bias = leaf(net, y->name, "bias", -9000, 9000);
    a.factor = leaf(net, y->name, "factor", 1 << 30, INT32_MAX);
    const int K = conv.out_channels;
    for (int k = 0; k < K; k++) ((int32_t *)a.factor.handle)[K + k] = -12 + pick(14);
    a.zero = zeros(net, y->name);
    store(&a.y, loops_conv, &a);
}

static void draw_resize(nn_model *net, value *x, value *y) {
    nn_integer_resize2d_args a;
    const nn_shape shape = nn_node_shape(x->node);
    ZERO(a);
    const int height = 1 + pick(9), width = 1 + pick(9);
    y->node = nn_integer_resize2d(net, y->name, x->node, height, width);
    a.x = view_of_value(x);
    a.y = view_of_value(y);
    a.rows = leaf(net, y->name, "rows", 0, shape.extent[1] - 1);
    a.columns = leaf(net, y->name, "columns", 0, shape.extent[2] - 1);
    for (int i = 0; i < height; i++) ((int32_t *)a.rows.handle)[2 * height + i] = pick(1025);
    for (int i = 0; i < width; i++)
        ((int32_t *)a.columns.handle)[2 * width + i] = pick(3) ? pick(1025) : 0;
    store(&a.y, loops_resize, &a);
}

/* Joins two values along their last axis, or cuts one. */
static void draw_joined(nn_model *net, value *x, value *other, value *y) {
    const nn_view from = view_of_value(x), second = view_of_value(other);
    const int axis = from.shape.rank - 1, C = from.shape.extent[axis];
    const int64_t places = reference_count(&from) / C;
    nn_slice_desc slice;
    ZERO(slice);
    slice.axis = axis;
    slice.start = pick(C);
    slice.step = 1 + pick(2);
    if (2 * C <= 12) {
        y->node = nn_concat(net, NN_NODES(x->node, other->node), axis);
        for (int64_t i = 0; i < places; i++) {
            memcpy(y->bytes + 2 * i * C, (const int8_t *)from.handle + i * C, (size_t)C);
            memcpy(y->bytes + 2 * i * C + C, (const int8_t *)second.handle + i * C, (size_t)C);
        }
        return;
    }
    y->node = nn_slice(net, x->node, &slice);
    for (int64_t i = 0, at = 0; i < places; i++)
        for (int c = slice.start; c < C; c += slice.step) y->bytes[at++] = x->bytes[i * C + c];
}

static void draw_pool(nn_model *net, value *x, value *y) {
    nn_integer_pool2d_args a;
    nn_pool2d_desc pool;
    ZERO(a);
    ZERO(pool);
    a.kind = pick(2) ? NN_POOL_MAX : NN_POOL_AVERAGE;
    a.kernel_h = pool.kernel_h = 1 + pick(3), a.kernel_w = pool.kernel_w = 1 + pick(3);
    pool.stride = pick(3);
    a.stride_h = pool.stride ? pool.stride : pool.kernel_h;
    a.stride_w = pool.stride ? pool.stride : pool.kernel_w;
    a.count_only_inside = pool.count_only_inside = a.kind == NN_POOL_AVERAGE && pick(2);
    if (pool.kernel_h > 1) a.padding_h = pool.padding_h = 1;
    pool.ceil = a.kind == NN_POOL_MAX && pick(2);
    y->node = a.kind == NN_POOL_MAX ? nn_integer_max_pool2d(net, y->name, x->node, &pool)
                                    : nn_integer_avg_pool2d(net, y->name, x->node, &pool);
    if (nn_fault_count(net)) return;
    a.x = view_of_value(x);
    a.y = view_of_value(y);
    a.zero = zeros(net, y->name);
    store(&a.y, loops_pool, &a);
}

static void draw_add(nn_model *net, value *x, value *other, value *y) {
    nn_integer_add_args a;
    ZERO(a);
    y->node = nn_integer_add(net, y->name, x->node, other->node);
    if (nn_fault_count(net)) return;
    a.a = view_of_value(x);
    a.b = view_of_value(other);
    a.y = view_of_value(y);
    a.numbers = leaf(net, y->name, "numbers", -100, 100);
    int32_t *n = (int32_t *)a.numbers.handle;
    for (int i = 0; i < 3; i++) {
        n[3 + i] = (1 << 30) + (pick(30000) << 15);
        n[6 + i] = i < 2 ? -pick(3) : -15 - pick(6);
    }
    n[9] = -128, n[10] = 127;
    store(&a.y, loops_add, &a);
}

static void draw_multiply(nn_model *net, value *x, value *other, value *y) {
    nn_integer_multiply_args a;
    ZERO(a);
    y->node = nn_integer_multiply(net, y->name, x->node, other->node);
    if (nn_fault_count(net)) return;
    a.a = view_of_value(x);
    a.b = view_of_value(other);
    a.y = view_of_value(y);
    a.numbers = leaf(net, y->name, "numbers", -128, 127);
    int32_t *n = (int32_t *)a.numbers.handle;
    n[3] = (1 << 30) + (pick(30000) << 15);
    n[4] = -pick(9);
    n[5] = -128, n[6] = 127;
    store(&a.y, loops_multiply, &a);
}

static void draw_table(nn_model *net, value *x, value *y) {
    nn_integer_table_args a;
    ZERO(a);
    y->node = nn_integer_table(net, y->name, x->node);
    if (nn_fault_count(net)) return;
    a.x = view_of_value(x);
    a.y = view_of_value(y);
    a.table = leaf(net, y->name, "table", -128, 127);
    store(&a.y, loops_table, &a);
}

static void draw_softmax(nn_model *net, value *x, value *y) {
    nn_integer_softmax_args a;
    const int rank = nn_node_shape(x->node).rank;
    ZERO(a);
    a.axis = 1 + pick(rank - 1);
    y->node = nn_integer_softmax(net, y->name, x->node, pick(2) ? a.axis : a.axis - rank);
    if (nn_fault_count(net)) return;
    a.x = view_of_value(x);
    a.y = view_of_value(y);
    a.table = leaf(net, y->name, "table", 0, 1 << 20);
    a.numbers = leaf(net, y->name, "numbers", -128, 127);
    int32_t *n = (int32_t *)a.numbers.handle;
    ((int32_t *)a.table.handle)[0] = 1 << 30;
    n[NN_INTEGER_SOFTMAX_MULTIPLIER] = pick(2) ? 512 : (1 << 30) + (pick(30000) << 15);
    n[NN_INTEGER_SOFTMAX_SHIFT] = n[NN_INTEGER_SOFTMAX_MULTIPLIER] == 512 ? 0 : -20 - pick(4);
    store(&a.y, loops_softmax, &a);
}

/* Draws an lstm or gru over the places of an image, or over the rows of a sequence. */
static void draw_steps(nn_model *net, value *x, value *y) {
    nn_integer_recurrent_args a;
    nn_integer_recurrent_desc desc;
    const nn_shape shape = nn_node_shape(x->node);
    ZERO(a);
    ZERO(desc);
    a.cell = pick(2) ? NN_RECURRENT_LSTM : NN_RECURRENT_GRU;
    desc.hidden_size = 1 + pick(12);
    a.reverse = desc.reverse = pick(2) == 0;
    a.x = view_of_value(x);
    nn_node *steps = x->node;
    if (shape.rank == 4) {
        const int places = shape.extent[1] * shape.extent[2];
        steps = nn_reshape(net, steps, NN_SHAPE(NN_BATCH, places, shape.extent[3]));
        a.x.shape = nn_node_shape(steps);
        a.x.shape.extent[0] = BATCH;
    }
    y->node = a.cell == NN_RECURRENT_LSTM ? nn_integer_lstm(net, y->name, steps, &desc)
                                          : nn_integer_gru(net, y->name, steps, &desc);
    if (nn_fault_count(net)) return;
    a.y = view_of_value(y);
    a.weight_ih = leaf(net, y->name, "weight_ih", -127, 127);
    a.weight_hh = leaf(net, y->name, "weight_hh", -127, 127);
    a.bias = leaf(net, y->name, "bias", -20000, 20000);
    a.factor = leaf(net, y->name, "factor", 1 << 30, (1 << 30) + 30000);
    a.numbers = leaf(net, y->name, "numbers", -128, 127);
    int32_t *n = (int32_t *)a.numbers.handle, *f = (int32_t *)a.factor.handle;
    const int gates = a.factor.shape.extent[1];
    for (int i = 0; i < 4 * gates; i++)
        if (i / gates % 2) f[i] = -pick(6);
    n[NN_INTEGER_RECURRENT_MULTIPLIER] = (1 << 30) + (pick(30000) << 15);
    n[NN_INTEGER_RECURRENT_SHIFT] = -21 - pick(3);
    n[NN_INTEGER_RECURRENT_CELL] = pick(5);
    store(&a.y, loops_recurrent, &a);
}

/* Draws one number for each channel of an image, as squeeze-and-excitation does. */
static value *draw_factors(nn_model *net, value *x, value *y) {
    const nn_shape shape = nn_node_shape(x->node);
    nn_integer_pool2d_args a;
    nn_pool2d_desc pool;
    ZERO(a);
    ZERO(pool);
    a.kind = NN_POOL_MAX;
    a.kernel_h = a.stride_h = pool.kernel_h = shape.extent[1];
    a.kernel_w = a.stride_w = pool.kernel_w = shape.extent[2];
    y->node = nn_integer_max_pool2d(net, y->name, x->node, &pool);
    a.x = view_of_value(x);
    a.y = view_of_value(y);
    a.zero = zeros(net, y->name);
    store(&a.y, loops_pool, &a);
    return y;
}

/* Adds one operation to the net, unless it does not fit. */
static void draw_operation(nn_model *net) {
    value *x = &values[pick(count)], *y = &values[count], *other = NULL;
    snprintf(y->name, sizeof y->name, "v%d", count);
    const nn_shape shape = nn_node_shape(x->node);
    for (int i = 0; i < count; i++)
        if (&values[i] != x && nn_same_shape(nn_node_shape(values[i].node), shape))
            other = &values[i];
    const int kind = pick(13);
    if (kind == 0 && other)
        draw_add(net, x, other, y);
    else if (kind == 12)
        draw_softmax(net, x, y);
    else if (kind == 6)
        draw_table(net, x, y);
    else if (kind == 8 && shape.rank == 4 && shape.extent[1] < 9 && shape.extent[2] < 9)
        draw_transposed(net, x, y);
    else if (kind == 9 && shape.rank == 4)
        draw_resize(net, x, y);
    else if (kind == 10 && other && shape.extent[shape.rank - 1] <= 12)
        draw_joined(net, x, other, y);
    else if (kind == 11 && (shape.rank == 4 || shape.rank == 3))
        draw_steps(net, x, y);
    else if (kind == 7 && other)
        draw_multiply(net, x, other, y);
    else if (kind == 7 && shape.rank == 4 && count + 2 < VALUES) {
        other = draw_factors(net, x, y);
        y = &values[++count];
        snprintf(y->name, sizeof y->name, "v%d", count);
        draw_multiply(net, x, other, y);
    } else if (kind == 1 && shape.rank == 4)
        draw_pool(net, x, y);
    else if (kind == 2 && shape.rank == 4 && count > 3) {
        y->node = nn_flatten(net, x->node);
        memcpy(y->bytes, x->bytes, sizeof y->bytes);
    } else
        draw_layer(net, x, y);
    if (!nn_fault_count(net)) count++;
}

static long compared;
static void compare_net(unsigned seed, nn_instruction_set set) {
    nn_desc opened;
    nn_plan_desc planned;
    nn_node *outputs[VALUES];
    int8_t y[LARGEST];
    ZERO(opened);
    ZERO(planned);
    opened.instructions = set;
    opened.threads = 1 + (int)(seed % 3);
    nn_context *nn = OPEN_WITH_SET(&opened);
    if (!nn) return;
    nn_model *net = nn_make_model(nn, NULL);
    state = seed;
    values[0].node =
        nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 3 + pick(7), 3 + pick(7), 1 + pick(8)));
    for (int i = 0; i < LARGEST; i++) values[0].bytes[i] = (int8_t)(pick(256) - 128);
    for (count = 1; count < VALUES;) {
        const int before = count;
        draw_operation(net);
        if (count == before) break; /* a window that does not fit */
    }
    if (count == VALUES) {
        for (int i = 1; i < count; i++) outputs[i - 1] = values[i].node;
        planned.outputs.node = outputs;
        planned.outputs.count = count - 1;
        planned.batch = BATCH;
        nn_plan *plan = nn_make_plan(net, &planned);
        const nn_view x = view_of_value(&values[0]);
        ENSURE(plan &&
               nn_upload(plan, values[0].node, x.handle, (size_t)reference_count(&x)) == NN_OK &&
               nn_run(plan) == NN_OK);
        for (int i = 1; i < count; i++) {
            const nn_view v = view_of_value(&values[i]);
            const size_t bytes = (size_t)reference_count(&v);
            ENSURE(nn_download(plan, values[i].node, y, bytes) == NN_OK);
            if (test_wrong(memcmp(y, values[i].bytes, bytes) != 0))
                test_fail(__FILE__, __LINE__, "net %u, set %d: %s differs", seed, (int)set,
                          values[i].name);
            compared++;
        }
    }
    nn_close(nn);
}

static void random_nets_have_the_bytes_of_plain_loops(void) {
    for (int set = NN_INSTRUCTIONS_PLAIN; set <= LAST_SET; set++) {
        nn_desc opened;
        ZERO(opened);
        opened.instructions = (nn_instruction_set)set;
        nn_context *nn = OPEN_WITH_SET(&opened);
        if (!nn) continue;
        nn_close(nn);
        for (unsigned seed = 1; seed <= 120; seed++) compare_net(seed, opened.instructions);
    }
    ENSURE(compared > 300);
}

/* A plan of a convolution (1, 4, NN_TIME, C) with a kernel of `rows` x 3 and drawn weights. */
static nn_plan *wide_plan(nn_context *nn, int C, int rows, nn_node **x, nn_node **y) {
    nn_model *net = nn_make_model(nn, NULL);
    nn_conv2d_desc layer;
    nn_plan_desc planned;
    ZERO(layer);
    ZERO(planned);
    layer.out_channels = 5;
    layer.kernel_h = rows, layer.kernel_w = 3;
    layer.padding_h = rows / 2, layer.padding_w = 1;
    *x = nn_input(net, "x", NN_I8, NN_SHAPE(1, 4, NN_TIME, C));
    *y = nn_integer_conv2d(net, "c", *x, &layer);
    planned.outputs.node = y;
    planned.outputs.count = 1;
    planned.batch = 1;
    planned.time = 16;
    nn_plan *plan = nn_make_plan(net, &planned);
    if (!plan) return NULL;
    state = 5;
    nn_tensor *weight = nn_find_tensor(net, "c.weight"), *factors = nn_find_tensor(net, "c.factor"),
              *zero = nn_find_tensor(net, "c.zero");
    int8_t weights[5 * 3 * 3 * 8];
    int32_t numbers[10];
    const int32_t zeros_of_it[4] = {3, 1, -128, 127};
    for (size_t i = 0; i < sizeof weights; i++) weights[i] = (int8_t)(pick(256) - 128);
    for (int k = 0; k < 5; k++) numbers[k] = 1 << 30, numbers[5 + k] = -6;
    ENSURE_OR(NULL, nn_upload_tensor(weight, weights, (size_t)nn_tensor_bytes(weight)) == NN_OK &&
                        nn_upload_tensor(factors, numbers, sizeof numbers) == NN_OK &&
                        nn_upload_tensor(zero, zeros_of_it, sizeof zeros_of_it) == NN_OK);
    return plan;
}

/* The width may decide the order of the packed weights that a plan keeps from run to run. */
static void weights_are_packed_again_for_other_widths(void) {
    static const int times[] = {5, 16, 5, 9, 3};
    for (int set = NN_INSTRUCTIONS_PLAIN + 1; set <= LAST_SET; set++) {
        for (int at = 0; at < 14; at++) {
            const int C = 1 + at / 2, rows = 2 + at % 2, OH = rows == 2 ? 5 : 4;
            nn_desc opened;
            nn_context *nn[2];
            nn_node *x[2], *y[2];
            nn_plan *plan[2];
            ZERO(opened);
            opened.instructions = (nn_instruction_set)set;
            nn[0] = OPEN_WITH_SET(&opened);
            if (!nn[0]) break;
            opened.instructions = NN_INSTRUCTIONS_PLAIN;
            nn[1] = OPEN_WITH_SET(&opened);
            for (int k = 0; k < 2; k++) plan[k] = wide_plan(nn[k], C, rows, &x[k], &y[k]);
            ENSURE(plan[0] && plan[1]);
            for (int i = 0; i < 5; i++) {
                int8_t from[4 * 16 * 8], to[2][5 * 16 * 5];
                const size_t bytes = (size_t)(OH * times[i] * 5);
                for (size_t e = 0; e < sizeof from; e++) from[e] = (int8_t)(pick(256) - 128);
                for (int k = 0; k < 2; k++)
                    ENSURE(nn_set_time(plan[k], times[i]) == NN_OK &&
                           nn_upload(plan[k], x[k], from, (size_t)(4 * times[i] * C)) == NN_OK &&
                           nn_run(plan[k]) == NN_OK &&
                           nn_download(plan[k], y[k], to[k], bytes) == NN_OK);
                ENSURE(memcmp(to[0], to[1], bytes) == 0);
            }
            nn_close(nn[0]);
            nn_close(nn[1]);
        }
    }
}

/* The simulated device checks each access. The batch makes the operands larger than all else in
   their block. */
static void layers_stay_inside_their_operands(void) {
    nn_context *nn = nn_open(NULL);
    sim_desc simulated;
    nn_device device;
    nn_model_desc desc;
    nn_linear_desc layer;
    nn_plan_desc planned;
    static int8_t x[64 * 7], y[64 * 50];
    ZERO(simulated);
    ZERO(desc);
    ZERO(layer);
    ZERO(planned);
    sim_device *sim = sim_open(nn, &simulated, &device);
    desc.device = device;
    layer.out_features = 50;
    nn_model *net = nn_make_model(nn, &desc);
    nn_node *input = nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 7));
    NODE_AT(planned.outputs, 0) = nn_integer_linear(net, "fc", input, &layer);
    planned.batch = 64;
    nn_plan *plan = nn_make_plan(net, &planned);
    ENSURE(plan && nn_upload(plan, input, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK &&
           nn_download(plan, planned.outputs.node[0], y, sizeof y) == NN_OK);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* A plan tells the work of a step: a product and a sum for each weight that a number of y reads. */
static void convolutions_report_their_work(void) {
    static char text[8000];
    nn_text said = {text, sizeof text, 0};
    nn_writer writer = {nn_write_text, &said};
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_conv2d_desc whole, deep;
    nn_plan_desc planned;
    ZERO(whole);
    ZERO(deep);
    ZERO(planned);
    whole.out_channels = 6;
    whole.kernel = 3;
    deep.out_channels = deep.groups = 6;
    deep.kernel_h = 2;
    deep.kernel_w = 5;
    nn_node *x = nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 9, 11, 4));
    nn_node *y = nn_integer_conv2d(net, "whole", x, &whole); /* (2, 7, 9, 6) of 36 weights each */
    planned.outputs = NN_NODES(nn_integer_conv2d(net, "deep", y, &deep)); /* (2, 6, 5, 6) of 10 */
    planned.batch = 2;
    nn_write_plan(nn_make_plan(net, &planned), writer);
    ENSURE(strstr(text, " 54.4 k") && strstr(text, " 7.2 k"));
    ENSURE(strstr(text, "2 steps, 61.6 kflop a run"));
    nn_close(nn);
}

/* ---- conversions ----------------------------------------------------------------------------- */

static void a_name_has_one_scale(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_quantize_per_tensor_desc last;
    nn_plan_desc planned;
    float x[2 * 3 * 2], y[2 * 3 * 2];
    const float scale[2] = {0.5f, 3.0f};
    ZERO(last);
    ZERO(planned);
    last.channels_last = true;
    nn_node *input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, 3, 2));
    nn_node *whole = nn_quantize_per_tensor(net, "x", input, &last);
    nn_node *real = nn_dequantize(net, "x", whole, &last);
    ENSURE(nn_same_shape(nn_node_shape(whole), NN_SHAPE(NN_BATCH, 3, 2, 2)));
    ENSURE(nn_same_shape(nn_node_shape(real), nn_node_shape(input)));
    ENSURE(nn_model_tensor_count(net) == 1);
    planned.outputs = NN_NODES(real);
    nn_plan *plan = nn_make_plan(net, &planned);
    ENSURE(nn_upload_tensor(nn_find_tensor(net, "x.scale"), scale, sizeof scale) == NN_OK);
    for (int i = 0; i < 12; i++) x[i] = 0.5f * (float)(i - 6);
    ENSURE(nn_upload(plan, input, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK &&
           nn_download(plan, real, y, sizeof y) == NN_OK);
    ENSURE(memcmp(x, y, sizeof x) == 0);
    nn_close(nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static nn_node *whole_image(nn_model *net) {
    return nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 4, 4, 6));
}
static void refused(nn_model *net, const char *words) {
    nn_plan_desc planned;
    ZERO(planned);
    nn_context *nn = nn_model_context(net);
    nn_node *any = nn_relu(net, nn_input(net, "any", NN_F32, NN_SHAPE(NN_BATCH, 2)));
    planned.outputs = NN_NODES(any);
    ENSURE(nn_fault_count(net) == 1);
    ENSURE(!nn_make_plan(net, &planned));
    if (test_wrong(!strstr(nn_error(nn), words)))
        test_fail(__FILE__, __LINE__, "\"%s\" is not in: %s", words, nn_error(nn));
    nn_clear_error(nn);
    nn_free_model(net);
}

static void mistakes_are_named(void) {
    nn_context *nn = nn_open(NULL);
    nn_conv2d_desc conv;
    nn_linear_desc linear;
    nn_pool2d_desc pool;
#define NET (net = nn_make_model(nn, NULL))
    nn_model *net;
    ZERO(linear);
    linear.out_features = 2;
    NET;
    nn_integer_linear(net, "fc", nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)), &linear);
    refused(net, "i8");
    linear.no_bias = true;
    NET;
    nn_integer_linear(net, "fc", whole_image(net), &linear);
    refused(net, "no_bias");
    linear.no_bias = false, linear.in_features = 5;
    NET;
    nn_integer_linear(net, "fc", whole_image(net), &linear);
    refused(net, "in_features is 5");
    NET;
    nn_integer_linear(net, "fc", nn_input(net, "w", NN_I8, NN_SHAPE(NN_BATCH, 70000)), NULL);
    refused(net, "out_features");
    ZERO(linear);
    linear.out_features = 2;
    NET;
    nn_integer_linear(net, "fc", nn_input(net, "w", NN_I8, NN_SHAPE(NN_BATCH, 70000)), &linear);
    refused(net, "70000 products");
    ZERO(conv);
    conv.out_channels = 6, conv.kernel = 3, conv.groups = 4;
    NET;
    nn_integer_conv2d(net, "c", whole_image(net), &conv);
    refused(net, "groups");
    nn_conv_transpose2d_desc up;
    ZERO(up);
    up.out_channels = 6, up.kernel = 3, up.no_bias = true;
    NET;
    nn_integer_conv_transpose2d(net, "c", whole_image(net), &up);
    refused(net, "no_bias");
    up.no_bias = false, up.stride = 2, up.output_padding = 2;
    NET;
    nn_integer_conv_transpose2d(net, "c", whole_image(net), &up);
    refused(net, "output_padding is 2");
    NET;
    nn_integer_conv_transpose2d(net, "c", nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 4, 6)),
                                &up);
    refused(net, "i8");
    NET;
    nn_integer_resize2d(net, "r", whole_image(net), 5, 0);
    refused(net, "width is 0");
    NET;
    nn_integer_resize2d(net, "r", nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 4, 6)), 5, 5);
    refused(net, "channels last");
    conv.groups = 2, conv.shared = true;
    NET;
    nn_integer_conv2d(net, "c", whole_image(net), &conv);
    refused(net, "shared");
    conv.shared = false;
    NET;
    nn_integer_conv2d(net, "c", nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 4, 6)), &conv);
    refused(net, "channels last");
    conv.kernel = 7;
    NET;
    nn_integer_conv2d(net, "c", whole_image(net), &conv);
    refused(net, "kernel covers 7 x 7");
    ZERO(pool);
    pool.kernel = 2, pool.divisor = 3;
    NET;
    nn_integer_avg_pool2d(net, "p", whole_image(net), &pool);
    refused(net, "divisor");
    pool.divisor = 0, pool.kernel = 3, pool.ceil = true, pool.stride = 2;
    NET;
    nn_integer_avg_pool2d(net, "p", whole_image(net), &pool);
    refused(net, "ceil");
    NET;
    nn_integer_max_pool2d(net, "p", whole_image(net), NULL);
    refused(net, "desc is NULL");
    NET;
    nn_integer_add(net, "a", whole_image(net),
                   nn_input(net, "b", NN_I8, NN_SHAPE(NN_BATCH, 4, 4, 5)));
    refused(net, "4, 4, 5");
    NET;
    nn_integer_multiply(net, "m", whole_image(net),
                        nn_input(net, "b", NN_I8, NN_SHAPE(NN_BATCH, 1, 1, 5)));
    refused(net, "1, 1, 5");
    NET;
    nn_integer_table(net, "t", nn_input(net, "f", NN_F32, NN_SHAPE(NN_BATCH, 4)));
    refused(net, "f32");
    NET;
    nn_integer_softmax(net, "s", nn_input(net, "f", NN_F32, NN_SHAPE(NN_BATCH, 4)), -1);
    refused(net, "f32");
    NET;
    nn_integer_softmax(net, "s", whole_image(net), 4);
    refused(net, "axis");
    NET;
    nn_integer_softmax(net, "s", whole_image(net), -5);
    refused(net, "axis");
    nn_integer_recurrent_desc steps;
    ZERO(steps);
    NET;
    nn_integer_lstm(net, "l", nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, NN_TIME, 4)), &steps);
    refused(net, "hidden_size is 0");
    NET;
    nn_integer_gru(net, "g", nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, NN_TIME, 4)), NULL);
    refused(net, "hidden_size is 0");
    steps.hidden_size = 65537;
    NET;
    nn_integer_gru(net, "g", nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, NN_TIME, 4)), &steps);
    refused(net, "hidden_size is 65537");
    steps.hidden_size = 5;
    NET;
    nn_integer_lstm(net, "l", nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 4)), &steps);
    refused(net, "f32");
    NET;
    nn_integer_lstm(net, "l", whole_image(net), &steps);
    refused(net, "rank 4");
    NET;
    nn_integer_gru(net, "g", nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 4, 65537)), &steps);
    refused(net, "last extent");
    nn_quantize_per_tensor_desc last;
    ZERO(last);
    last.channels_last = true;
    NET;
    nn_dequantize(net, "d", nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 4)), &last);
    refused(net, "channels_last");
#undef NET
    nn_close(nn);
}

/* ---- damaged files --------------------------------------------------------------------------- */

typedef struct saved {
    char bytes[65536];
    size_t length;
} saved;
static void save(void *user, const char *text, size_t length) {
    saved *file = (saved *)user;
    if (file->length + length > sizeof file->bytes) return;
    memcpy(file->bytes + file->length, text, length);
    file->length += length;
}

/* Describes every operation with numbers that may overflow. */
static nn_model *describe_fragile(nn_context *nn) {
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    ZERO(conv);
    ZERO(pool);
    conv.out_channels = 6, conv.kernel = 3;
    pool.kernel = 2;
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 6, 6, 6));
    nn_node *y = nn_integer_conv2d(net, "conv", x, &conv);
    y = nn_integer_add(net, "add", y, y);
    y = nn_integer_multiply(net, "multiply", y, y);
    y = nn_integer_resize2d(net, "resize", y, 3, 3);
    nn_integer_avg_pool2d(net, "pool", y, &pool);
    nn_integer_softmax(net, "soft", y, -1);
    nn_integer_recurrent_desc steps;
    ZERO(steps);
    steps.hidden_size = 2;
    nn_integer_lstm(net, "lstm", nn_reshape(net, y, NN_SHAPE(NN_BATCH, 9, 6)), &steps);
    nn_dequantize(net, "y", y, NULL);
    nn_quantize_per_tensor(net, "z", nn_input(net, "z", NN_F32, NN_SHAPE(NN_BATCH)), NULL);
    return net;
}

/* Arrays with such a number are refused, too, whether they are copied or read in place. */
static void arrays_are_refused(nn_context *nn, nn_model *net, const char *name, const char *words,
                               const int32_t *numbers) {
    static const char *const names[] = {
        "conv.weight", "conv.bias",      "conv.factor",    "conv.zero",      "add.numbers",
        "multiply.numbers", "resize.rows", "resize.columns", "pool.zero",    "lstm.weight_ih",
        "lstm.weight_hh", "lstm.bias",   "lstm.factor",    "lstm.numbers",   "y.scale",
        "z.scale",        "soft.table",  "soft.numbers"};
    enum { COUNT = sizeof names / sizeof *names };
    static const int32_t zeros[400];
    nn_weights_array arrays[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const nn_tensor *tensor = nn_find_tensor(net, names[i]);
        ENSURE(tensor && nn_tensor_bytes(tensor) <= sizeof zeros);
        arrays[i].name = names[i];
        arrays[i].dtype = nn_tensor_dtype(tensor), arrays[i].shape = nn_tensor_shape(tensor);
        arrays[i].data = strcmp(names[i], name) ? zeros : numbers;
    }
    for (int in_place = 0; in_place < 2; in_place++) {
        nn_use_weights_desc desc;
        nn_model *third = describe_fragile(nn);
        ZERO(desc);
        desc.in_place = in_place;
        ENSURE(nn_use_weights(third, arrays, COUNT, &desc) == NN_ERROR_ARGUMENT && nn_error(nn));
        ENSURE(strstr(nn_error(nn), name) && strstr(nn_error(nn), words));
        nn_clear_error(nn);
        for (int i = 0; i < COUNT; i++) /* all are right, but one */
            if (arrays[i].data == numbers) arrays[i].data = zeros;
        ENSURE(nn_use_weights(third, arrays, COUNT, &desc) == NN_OK);
        for (int i = 0; i < COUNT; i++)
            if (!strcmp(names[i], name)) arrays[i].data = numbers;
    }
}

/* A file with a number that would overflow in a kernel is refused, and the model stays. */
static void damaged_numbers_are_refused(void) {
    static const struct {
        const char *name;
        int at, number; /* of f32: the bits */
        const char *words;
    } faults[] = {{"conv.factor", 6, -32, "shift from -31"}, {"conv.factor", 11, 31, "to 30"},
                  {"conv.factor", 5, -1, "multiplier"},      {"conv.zero", 0, 128, "zero point"},
                  {"conv.zero", 3, -129, "-128 to 127"},     {"add.numbers", 2, 300, "zero point"},
                  {"add.numbers", 3, -5, "multiplier"},      {"add.numbers", 8, 90, "shift"},
                  {"multiply.numbers", 3, -7, "multiplier"}, {"multiply.numbers", 4, 64, "shift"},
                  {"multiply.numbers", 6, 1000, "zero point or end"},
                  {"resize.rows", 8, 1025, "part"},          {"resize.columns", 6, -1, "part"},
                  {"soft.table", 255, -1, "exponential"},
                  {"soft.table", 0, (1 << 30) + 1, "to 1073741824"},
                  {"soft.numbers", 0, -129, "zero point"},
                  {"soft.numbers", 1, -1, "multiplier"},     {"soft.numbers", 2, 31, "to 30"},
                  {"lstm.factor", 3, -1, "multiplier"},      {"lstm.factor", 30, 31, "to 30"},
                  {"y.scale", 0, 0x7fc00000, "scale of at least 0"}, /* NaN */
                  {"y.scale", 0, 0x7f800000, "finite scale"},
                  {"z.scale", 0, -0x40800000, "is -1; wanted a finite scale"},
                  {"z.scale", 1, 0x3f000000, "is 0.5; wanted a whole zero point"},
                  {"z.scale", 1, 0x43000000, "from -128 to 127"}, /* 128 */
                  {"y.scale", 1, 0x7fc00000, "whole zero point"},
                  {"lstm.numbers", 1, -129, "zero point"},   {"lstm.numbers", 3, 31, "to 30"},
                  {"pool.zero", 0, 1 << 30, "zero point"}};
    for (size_t i = 0; i <= sizeof faults / sizeof *faults; i++) {
        static saved file;
        const bool good = i == sizeof faults / sizeof *faults;
        nn_context *nn = nn_open(NULL);
        nn_model *net = describe_fragile(nn);
        nn_writer writer;
        int32_t numbers[256];
        ZERO(writer);
        file.length = 0;
        writer.function = save, writer.user = &file;
        if (!good) {
            nn_tensor *tensor = nn_find_tensor(net, faults[i].name);
            const size_t bytes = nn_tensor_bytes(tensor);
            ENSURE(bytes <= sizeof numbers);
            memset(numbers, 0, sizeof numbers);
            numbers[faults[i].at] = faults[i].number;
            ENSURE(nn_upload_tensor(tensor, numbers, bytes) == NN_ERROR_ARGUMENT && nn_error(nn));
            ENSURE(strstr(nn_error(nn), faults[i].name) && strstr(nn_error(nn), faults[i].words));
            nn_clear_error(nn);
            const int32_t *now = (const int32_t *)nn_tensor_data(tensor);
            ENSURE(now[faults[i].at] == 0);
            arrays_are_refused(nn, net, faults[i].name, faults[i].words, numbers);
            memcpy(nn_tensor_data(tensor), numbers, bytes);
        }
        ENSURE(nn_save_weights_to(net, writer) == NN_OK && file.length < sizeof file.bytes);
        nn_model *other = describe_fragile(nn);
        const nn_result result = nn_load_weights_from(other, file.bytes, file.length, NULL);
        if (good) {
            ENSURE(result == NN_OK);
        } else {
            ENSURE(result == NN_ERROR_FORMAT && nn_error(nn) &&
                   strstr(nn_error(nn), faults[i].name) && strstr(nn_error(nn), faults[i].words));
            if (getenv("NN_VERBOSE")) printf("%s\n", nn_error(nn));
            nn_tensor *tensor = nn_find_tensor(other, faults[i].name);
            ENSURE(((int32_t *)nn_tensor_data(tensor))[faults[i].at] == 0);
        }
        nn_clear_error(nn);
        nn_close(nn);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(random_nets_have_the_bytes_of_plain_loops);
    RUN(weights_are_packed_again_for_other_widths);
    RUN(layers_stay_inside_their_operands);
    RUN(convolutions_report_their_work);
    RUN(a_name_has_one_scale);
    RUN(mistakes_are_named);
    RUN(damaged_numbers_are_refused);
    return test_report();
}
