/* test_arrange.c: permute, transpose, slice, concat, stack, chunk, pad, flip, roll and repeat, with
   random shapes and numbers, on every device. A plain map gives the source of each element of the
   result: an input and an index. The described net, the immediate call and the gradient are
   compared with that map, bit for bit. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "test.h"
#include "open.h"
#include "lists.h"

#include <stdlib.h>

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))
#define MOST 3000 /* elements of a result */

static uint64_t drawn;
static int draw(int below) {
    uint32_t words[4];
    nn_random_words(23, 7, drawn++, words);
    return (int)(words[0] % (uint32_t)below);
}

/* Element i of the result is element index[i] of input input[i]. If input[i] is -1, the element is
   padding. */
typedef struct map {
    nn_shape y;
    int input[MOST], index[MOST];
} map;

typedef enum kind {
    PERMUTE,
    TRANSPOSE,
    SLICE,
    CONCAT,
    STACK,
    CHUNK,
    PAD,
    FLIP,
    ROLL,
    REPEAT,
    KINDS
} kind;
static const char *const kind_names[] = {"permute", "transpose", "slice", "concat", "stack",
                                         "chunk",   "pad",       "flip",  "roll",   "repeat"};

typedef struct test_case {
    kind kind;
    nn_shape x[3];
    int inputs, axis, other, shift, count, part;
    nn_axes order;
    nn_slice_desc slice;
    nn_pad_desc pad;
    nn_shape times;
} test_case;

static int place(nn_shape shape, const int *at) {
    int index = 0;
    for (int i = 0; i < shape.rank; i++) index = index * shape.extent[i] + at[i];
    return index;
}

static void unplace(nn_shape shape, int index, int *at) {
    for (int i = shape.rank - 1; i >= 0; i--)
        at[i] = index % shape.extent[i], index /= shape.extent[i];
}

static int count_of(nn_shape shape) { return (int)nn_shape_count(shape); }

/* ---- random cases ---------------------------------------------------------------------------- */

static test_case draw_case(kind which) {
    test_case c;
    ZERO(c);
    c.kind = which;
    c.inputs = 1;
    c.x[0].rank = which == PAD ? 2 + draw(4) : 1 + draw(which == STACK ? 5 : 6);
    for (int i = 0; i < c.x[0].rank; i++)
        c.x[0].extent[i] = 1 + draw(c.x[0].rank > 4 ? 3 : c.x[0].rank > 2 ? 6 : 20);
    c.axis = draw(c.x[0].rank);
    c.other = draw(c.x[0].rank);
    c.order.count = c.x[0].rank;
    for (int i = 0; i < c.order.count; i++) c.order.axis[i] = i;
    for (int i = c.order.count - 1; i > 0; i--) {
        int k = draw(i + 1), keep = c.order.axis[i];
        c.order.axis[i] = c.order.axis[k];
        c.order.axis[k] = keep;
    }
    if (which == FLIP) c.order.count = draw(c.x[0].rank + 1);
    if (which == CONCAT || which == STACK) c.inputs = 1 + draw(3);
    for (int i = 1; i < c.inputs; i++) {
        c.x[i] = c.x[0];
        if (which == CONCAT) c.x[i].extent[c.axis] = 1 + draw(5);
    }
    if (which == STACK) c.axis = draw(c.x[0].rank + 1);
    c.slice.axis = c.axis;
    c.slice.start = draw(c.x[0].extent[c.axis % c.x[0].rank]);
    c.slice.stop = c.slice.start + 1 + draw(25);
    c.slice.step = 1 + draw(3);
    c.count = 1 + draw(3);
    c.part = draw(c.count);
    if (which == CHUNK) c.x[0].extent[c.axis] *= c.count;
    c.pad.left = draw(4), c.pad.right = draw(4), c.pad.top = draw(3), c.pad.bottom = draw(3);
    if (draw(3) == 0 && c.x[0].extent[c.x[0].rank - 1] > 2)
        c.pad.left = -1, c.pad.right = draw(2) ? -1 : 2;
    c.pad.value = (float)draw(3);
    c.shift = draw(41) - 20;
    c.times.rank = c.x[0].rank;
    for (int i = 0; i < c.times.rank; i++) c.times.extent[i] = draw(4) == 0 ? 1 + draw(3) : 1;
    c.times.extent[c.axis % c.times.rank] = 2; /* all ones are x itself */
    return c;
}

static nn_shape result_shape(const test_case *c) {
    nn_shape y = c->x[0];
    int last = y.rank - 1, extent, stop;
    switch (c->kind) {
    case PERMUTE:
        for (int i = 0; i < y.rank; i++) y.extent[i] = c->x[0].extent[c->order.axis[i]];
        break;
    case TRANSPOSE:
        y.extent[c->axis] = c->x[0].extent[c->other];
        y.extent[c->other] = c->x[0].extent[c->axis];
        break;
    case SLICE:
        extent = y.extent[c->axis];
        stop = c->slice.stop < extent ? c->slice.stop : extent;
        y.extent[c->axis] = (stop - c->slice.start + c->slice.step - 1) / c->slice.step;
        break;
    case CONCAT:
        for (int i = 1; i < c->inputs; i++) y.extent[c->axis] += c->x[i].extent[c->axis];
        break;
    case STACK:
        for (int i = y.rank++; i > c->axis; i--) y.extent[i] = y.extent[i - 1];
        y.extent[c->axis] = c->inputs;
        break;
    case CHUNK: y.extent[c->axis] /= c->count; break;
    case PAD:
        y.extent[last] += c->pad.left + c->pad.right;
        y.extent[last - 1] += c->pad.top + c->pad.bottom;
        break;
    case REPEAT:
        for (int i = 0; i < y.rank; i++) y.extent[i] *= c->times.extent[i];
        break;
    default: break;
    }
    return y;
}

/* Finds the source of the element of the result at `y`: the element at `at` of input *input.
   Returns false for padding. */
static bool come_from(const test_case *c, const int *y, int *at, int *input) {
    const nn_shape *x = &c->x[0];
    int last = x->rank - 1, k = 0;
    memcpy(at, y, sizeof(int) * NN_MAX_RANK);
    *input = 0;
    switch (c->kind) {
    case PERMUTE:
        for (int i = 0; i < x->rank; i++) at[c->order.axis[i]] = y[i];
        break;
    case TRANSPOSE: at[c->axis] = y[c->other], at[c->other] = y[c->axis]; break;
    case SLICE: at[c->axis] = c->slice.start + y[c->axis] * c->slice.step; break;
    case CONCAT:
        while (at[c->axis] >= c->x[k].extent[c->axis]) at[c->axis] -= c->x[k++].extent[c->axis];
        *input = k;
        break;
    case STACK:
        *input = y[c->axis];
        for (int i = c->axis; i < x->rank; i++) at[i] = y[i + 1];
        break;
    case CHUNK: at[c->axis] += c->part * (x->extent[c->axis] / c->count); break;
    case PAD:
        at[last] -= c->pad.left;
        at[last - 1] -= c->pad.top;
        return at[last] >= 0 && at[last] < x->extent[last] && at[last - 1] >= 0 &&
               at[last - 1] < x->extent[last - 1];
    case FLIP:
        for (int i = 0; i < (c->order.count ? c->order.count : x->rank); i++)
            at[c->order.axis[i]] = x->extent[c->order.axis[i]] - 1 - y[c->order.axis[i]];
        break;
    case ROLL:
        at[c->axis] = ((y[c->axis] - c->shift) % x->extent[c->axis] + x->extent[c->axis]) %
                      x->extent[c->axis];
        break;
    default:
        for (int i = 0; i < x->rank; i++) at[i] = y[i] % x->extent[i];
        break;
    }
    return true;
}

static bool draw_map(const test_case *c, map *m) {
    int y[NN_MAX_RANK], at[NN_MAX_RANK];
    m->y = result_shape(c);
    if (count_of(m->y) < 1 || count_of(m->y) > MOST) return false;
    for (int i = 0; i < count_of(m->y); i++) {
        memset(y, 0, sizeof y);
        unplace(m->y, i, y);
        if (come_from(c, y, at, &m->input[i])) m->index[i] = place(c->x[m->input[i]], at);
        else m->input[i] = -1;
    }
    return true;
}

/* ---- the library's answer -------------------------------------------------------------------- */

static nn_node *describe(nn_model *net, const test_case *c, nn_node **x) {
    nn_node *parts[4];
    nn_nodes list;
    list.node = x;
    list.count = c->inputs;
    switch (c->kind) {
    case PERMUTE: return nn_permute(net, x[0], c->order);
    case TRANSPOSE: return nn_transpose(net, x[0], c->axis, c->other - c->x[0].rank);
    case SLICE: return nn_slice(net, x[0], &c->slice);
    case CONCAT: return nn_concat(net, list, c->axis - c->x[0].rank);
    case STACK: return nn_stack(net, list, c->axis);
    case CHUNK: nn_chunk(net, x[0], parts, c->count, c->axis); return parts[c->part];
    case PAD: return nn_pad(net, x[0], &c->pad);
    case FLIP: return nn_flip(net, x[0], c->order);
    case ROLL: return nn_roll(net, x[0], c->shift, c->axis);
    default: return nn_repeat(net, x[0], c->times);
    }
}

static nn_result immediate(nn_tensor *y, const test_case *c, const nn_tensor *const *x) {
    switch (c->kind) {
    case PERMUTE: return nn_permute_forward(y, x[0], c->order);
    case SLICE: return nn_slice_forward(y, x[0], &c->slice);
    case CONCAT: return nn_concat_forward(y, x, c->inputs, c->axis);
    case PAD: return nn_pad_forward(y, x[0], &c->pad);
    case FLIP: return nn_flip_forward(y, x[0], c->order);
    case ROLL: return nn_roll_forward(y, x[0], c->shift, c->axis);
    default: return NN_PENDING; /* no immediate call: nets compose it from the others */
    }
}

static nn_tensor *tensor_of(nn_context *nn, nn_device device, nn_shape shape, nn_dtype dtype,
                            const void *data) {
    nn_tensor_desc desc;
    nn_tensor *tensor;
    ZERO(desc);
    desc.dtype = dtype;
    desc.shape = shape;
    desc.device = device;
    tensor = nn_make_tensor(nn, &desc);
    nn_upload_tensor(tensor, data, (size_t)nn_tensor_bytes(tensor));
    return tensor;
}

static void check_immediate(nn_context *nn, nn_device device, const test_case *c, const map *m,
                            nn_dtype dtype) {
    static char data[3][MOST * 8], got[MOST * 8];
    nn_tensor *x[3], *y;
    size_t size = nn_dtype_size(dtype);
    int count = count_of(m->y);
    for (int i = 0; i < c->inputs; i++) {
        for (size_t k = 0; k < (size_t)count_of(c->x[i]) * size; k++) data[i][k] = (char)draw(256);
        x[i] = tensor_of(nn, device, c->x[i], dtype, data[i]);
    }
    memset(got, 0x5a, sizeof got);
    y = tensor_of(nn, device, m->y, dtype, got);
    nn_result result = immediate(y, c, (const nn_tensor *const *)x);
    if (result != NN_PENDING) {
        ENSURE(result == NN_OK);
        ENSURE(nn_download_tensor(y, got, (size_t)count * size) == NN_OK);
        for (int i = 0; i < count; i++) {
            const int64_t eight = (int64_t)c->pad.value;
            const int32_t four = (int32_t)eight;
            const int16_t two = (int16_t)eight;
            const int8_t one = (int8_t)eight;
            const char *wanted =
                m->input[i] < 0 ? NULL : data[m->input[i]] + (size_t)m->index[i] * size;
            float real = c->pad.value;
            if (!wanted)
                wanted = dtype == NN_F32 ? (const char *)&real
                         : size == 8     ? (const char *)&eight
                         : size == 4     ? (const char *)&four
                         : size == 2     ? (const char *)&two
                                         : (const char *)&one;
            if (memcmp(got + (size_t)i * size, wanted, size) != 0) {
                test_fail(__FILE__, __LINE__, "%s immediate, %s: element %d is wrong",
                          kind_names[c->kind], nn_dtype_name(dtype), i);
                break;
            }
        }
    }
    for (int i = 0; i < c->inputs; i++) nn_free_tensor(x[i]);
    nn_free_tensor(y);
}

/* loss = sum(result * weights), learning rate 1, parameters 0 at the start: afterwards they are
   minus the gradient. */
static void check_net(nn_context *nn, nn_device device, const test_case *c, const map *m) {
    static float weights[MOST], got[MOST], gradient[3][MOST];
    static const char *const names[] = {"a", "b", "c"};
    nn_model_desc model_desc;
    nn_trainer_desc trainer_desc;
    nn_node *x[3], *y, *loss;
    nn_tensor *constant;
    int count = count_of(m->y);
    ZERO(model_desc);
    ZERO(trainer_desc);
    model_desc.device = device;
    nn_model *net = nn_make_model(nn, &model_desc);
    for (int i = 0; i < c->inputs; i++) x[i] = nn_parameter(net, names[i], c->x[i], 0, 0);
    y = nn_keep(describe(net, c, x));
    ENSURE(nn_same_shape(nn_node_shape(y), m->y));
    for (int i = 0; i < count; i++) weights[i] = (float)(draw(2001) - 1000) / 64;
    constant = tensor_of(nn, nn_cpu(), m->y, NN_F32, weights);
    loss = nn_reduce(net, NN_SUM, nn_multiply(net, y, nn_constant(net, "weights", constant)),
                     NN_ALL_AXES, false);
    trainer_desc.batch = 1;
    trainer_desc.optimizer = NN_SGD;
    trainer_desc.learning_rate = 1;
    nn_trainer *trainer = nn_make_trainer(net, loss, &trainer_desc);
    ENSURE(trainer != NULL);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    memset(gradient, 0, sizeof gradient);
    for (int i = 0; i < count; i++)
        if (m->input[i] >= 0) gradient[m->input[i]][m->index[i]] -= weights[i];
    for (int k = 0; k < c->inputs; k++) {
        int n = count_of(c->x[k]);
        ENSURE(nn_download_tensor(nn_find_tensor(net, names[k]), got, (size_t)n * 4) == NN_OK);
        for (int i = 0; i < n; i++)
            if (got[i] != gradient[k][i]) {
                test_fail(__FILE__, __LINE__, "%s: gradient %d of input %d is %g, wanted %g",
                          kind_names[c->kind], i, k, (double)got[i], (double)gradient[k][i]);
                break;
            }
    }
    ENSURE(nn_train_on_inputs(trainer) == NN_OK); /* now y is computed from the updated values */
    nn_plan *plan = nn_trainer_plan(trainer);
    ENSURE(nn_download(plan, y, got, (size_t)count * 4) == NN_OK);
    for (int i = 0; i < count; i++) {
        float wanted = m->input[i] < 0 ? c->pad.value : gradient[m->input[i]][m->index[i]];
        if (got[i] != wanted) {
            test_fail(__FILE__, __LINE__, "%s: element %d is %g, wanted %g", kind_names[c->kind], i,
                      (double)got[i], (double)wanted);
            break;
        }
    }
    nn_free_model(net);
    nn_free_tensor(constant);
}

static void check_device(nn_context *nn, nn_device device, int cases) {
    static const nn_dtype dtypes[] = {NN_F32, NN_I32, NN_U8, NN_I64, NN_I16};
    static map m;
    for (int i = 0; i < cases; i++) {
        test_case c = draw_case((kind)(i % KINDS));
        if (!draw_map(&c, &m)) continue;
        check_net(nn, device, &c, &m);
        check_immediate(nn, device, &c, &m, dtypes[draw(5)]);
        if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        if (test_this_failed) return;
    }
}

static int count_steps(nn_plan *plan, const char *operation) {
    static char report[20000];
    nn_text text = {report, sizeof report, 0};
    nn_writer writer = {nn_write_text, &text};
    int count = 0;
    nn_write_plan(plan, writer);
    for (const char *at = report; (at = strstr(at, operation)) != NULL; at++) count++;
    return count;
}

/* If slices cut a tensor into parts, in any order and with gaps, its gradient is one copy of their
   gradients. If the slices overlap, or the tensor has other readers, its gradient is a sum. Slice i
   has the weight 10^i. */
static void test_gradient_of_slices(void) {
    static const struct {
        int start[4], stop[4], count, copies, apart;
        bool other;
    } cases[] = {{{0, 3, 6}, {3, 6, 9}, 3, 1, 0, false},       {{6, 0, 4}, {9, 3, 5}, 3, 1, 0, false},
                 {{0, 2, 5}, {3, 5, 9}, 3, 1, 1, false},       {{0, 3, 6}, {3, 6, 9}, 3, 0, 3, true},
                 {{1, 2, 3, 4}, {2, 3, 4, 5}, 4, 1, 0, false}, {{0, 0}, {9, 9}, 2, 1, 1, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        nn_desc desc;
        nn_trainer_desc trainer_desc;
        float wanted[18], got[18];
        float weight = 1;
        ZERO(desc);
        ZERO(trainer_desc);
        desc.threads = 1;
        nn_context *nn = nn_open(&desc);
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_parameter(net, "x", NN_SHAPE(2, 9), 0, 0), *loss = NULL;
        for (int i = 0; i < 18; i++) wanted[i] = cases[k].other ? -1000.0f : 0.0f;
        for (int i = 0; i < cases[k].count; i++, weight *= 10) {
            nn_slice_desc slice;
            nn_node *part;
            ZERO(slice);
            slice.axis = 1;
            slice.start = cases[k].start[i];
            slice.stop = cases[k].stop[i];
            part = nn_slice(net, x, &slice);
            part = nn_scale(net, nn_reduce(net, NN_SUM, part, NN_ALL_AXES, false), weight);
            loss = loss ? nn_add(net, loss, part) : part;
            for (int j = slice.start; j < slice.stop; j++)
                for (int row = 0; row < 2; row++) wanted[9 * row + j] -= weight;
        }
        if (cases[k].other)
            loss = nn_add(net, loss, nn_scale(net, nn_reduce(net, NN_SUM, x, NN_ALL_AXES, false),
                                              1000));
        trainer_desc.optimizer = NN_SGD;
        trainer_desc.learning_rate = 1;
        nn_trainer *trainer = nn_make_trainer(net, loss, &trainer_desc);
        ENSURE(trainer && nn_train_on_inputs(trainer) == NN_OK);
        ENSURE(nn_download_tensor(nn_find_tensor(net, "x"), got, sizeof got) == NN_OK);
        for (int i = 0; i < 18; i++)
            if (got[i] != wanted[i])
                test_fail(__FILE__, __LINE__, "case %d: number %d is %g, wanted %g", (int)k, i,
                          (double)got[i], (double)wanted[i]);
        ENSURE(count_steps(nn_trainer_plan(trainer), "slices_backward") == cases[k].copies);
        ENSURE(count_steps(nn_trainer_plan(trainer), "arrange_backward") == cases[k].apart);
        nn_close(nn);
    }
}

static void test_random_cases_cpu(void) {
    for (int threads = 1; threads <= 4; threads += 3) {
        nn_desc desc;
        ZERO(desc);
        desc.threads = threads;
        nn_context *nn = nn_open(&desc);
        check_device(nn, nn_cpu(), 600);
        nn_close(nn);
    }
}

static void test_random_cases_opencl(void) {
#ifdef NN_TEST_OPENCL
    nn_context *nn = nn_open(NULL);
    if (!OPEN_OPENCL(nn)) {
        nn_close(nn);
        return;
    }
    check_device(nn, nn_opencl(0), getenv("NN_FULL") ? 300 : 24); /* each compiles programs */
    nn_close(nn);
#else
    SKIP("built without OpenCL");
#endif
}

/* ---- the batch ------------------------------------------------------------------------------- */

/* Runs a batch that is reversed, rolled, concatenated with itself and moved to the last axis, at
   several lengths of one plan. */
static void test_batch(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)), *pair[2];
    nn_nodes list;
    nn_plan_desc desc;
    float data[5 * 3], got[2 * 5 * 3];
    pair[0] = x;
    pair[1] = nn_roll(net, nn_flip(net, x, NN_AXES(0)), 1, 0);
    list.node = pair;
    list.count = 2;
    nn_node *behind = nn_permute(net, x, NN_AXES(1, 0)), *joined = nn_concat(net, list, 0);
    ENSURE(nn_node_shape(joined).extent[0] == 2 * NN_BATCH);
    ZERO(desc);
    NODE_AT(desc.outputs, 0) = behind;
    NODE_AT(desc.outputs, 1) = joined;
    desc.batch = 5;
    nn_plan *plan = nn_make_plan(net, &desc);
    for (int batch = 5; batch >= 1; batch -= 2) {
        size_t bytes = (size_t)batch * 3 * 4;
        for (int i = 0; i < batch * 3; i++) data[i] = (float)(i + 100 * batch);
        ENSURE(nn_upload(plan, x, data, bytes) == NN_OK && nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, behind, got, bytes) == NN_OK);
        for (int i = 0; i < batch; i++)
            for (int k = 0; k < 3; k++) ENSURE(got[k * batch + i] == data[i * 3 + k]);
        ENSURE(nn_download(plan, joined, got, 2 * bytes) == NN_OK);
        for (int i = 0; i < batch; i++)
            for (int k = 0; k < 3; k++) {
                int from = batch - 1 - (i + batch - 1) % batch;
                ENSURE(got[i * 3 + k] == data[i * 3 + k] &&
                       got[(batch + i) * 3 + k] == data[from * 3 + k]);
            }
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static int faults_of(nn_model *net) { return nn_fault_count(net); }

static void test_mistakes(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 6)),
            *y = nn_input(net, "y", NN_F32, NN_SHAPE(NN_BATCH, 5, 6));
    nn_node *pair[2], *parts[3];
    nn_nodes list;
    nn_slice_desc slice;
    nn_pad_desc pad;
    int faults = 0;
    pair[0] = x;
    pair[1] = y;
    list.node = pair;
    list.count = 2;
#define FAULT(call) (call, ENSURE_CLOSE(faults_of(net), ++faults, 0))
    FAULT(nn_permute(net, x, NN_AXES(0, 1)));
    FAULT(nn_permute(net, x, NN_AXES(0, 1, 1)));
    FAULT(nn_permute(net, x, NN_AXES(0, 1, 3)));
    FAULT(nn_transpose(net, x, 0, 3));
    FAULT(nn_concat(net, list, 2));
    FAULT(nn_concat(net, list, 3));
    FAULT(nn_stack(net, list, 0));
    FAULT(nn_chunk(net, x, parts, 3, 1));
    FAULT(nn_chunk(net, x, parts, 2, 0));
    ZERO(slice);
    slice.start = 1;
    FAULT(nn_slice(net, x, &slice)); /* a slice of the batch */
    slice.axis = 1;
    slice.start = 4;
    FAULT(nn_slice(net, x, &slice)); /* the result would be empty */
    slice.start = 0;
    slice.step = -1;
    FAULT(nn_slice(net, x, &slice));
    ZERO(pad);
    pad.left = -6;
    FAULT(nn_pad(net, x, &pad));
    const nn_shape of_x = nn_node_shape(x);
    /* one more than the largest legal padding, then the largest */
    pad.left = of_x.extent[of_x.rank - 1];
    pad.mode = NN_PADDING_REFLECT;
    FAULT(nn_pad(net, x, &pad));
    pad.left--;
    nn_pad(net, x, &pad);
    pad.left += 2;
    pad.mode = NN_PADDING_CIRCULAR;
    FAULT(nn_pad(net, x, &pad));
    pad.left--;
    nn_pad(net, x, &pad);
    ENSURE_CLOSE(faults_of(net), faults, 0);
    FAULT(nn_flip(net, x, NN_AXES(1, -2)));
    FAULT(nn_flip(net, x, NN_AXES(3)));
    nn_axes wrong = NN_ALL_AXES;
    wrong.count = NN_MAX_RANK + 1;
    FAULT(nn_flip(net, x, wrong));
    FAULT(nn_permute(net, x, wrong));
    wrong.count = -1;
    FAULT(nn_flip(net, x, wrong));
    FAULT(nn_permute(net, x, wrong));
    FAULT(nn_roll(net, x, 1, 5));
    FAULT(nn_repeat(net, x, NN_SHAPE(1, 2)));
    FAULT(nn_expand(net, x, NN_SHAPE(2)));
    FAULT(nn_expand(net, x, NN_SHAPE(NN_BATCH, NN_BATCH, 0, 0, 0, 0)));
    FAULT(nn_expand(net, nn_input(net, "one", NN_F32, NN_SHAPE(1, 2)), NN_SHAPE(0, 3)));
    FAULT(nn_expand(net, nn_input(net, "new", NN_F32, NN_SHAPE(1, 2)), NN_SHAPE(0, 1, 2)));
    FAULT(nn_expand(net, nn_input(net, "bytes", NN_U8, NN_SHAPE(1, 2)), NN_SHAPE(4, 2)));
    list.count = 0;
    FAULT(nn_concat(net, list, 0));
#undef FAULT
    nn_permute(NULL, NULL, NN_AXES(0));
    list.node = NULL;
    nn_concat(NULL, list, 0);
    ENSURE(nn_permute_forward(NULL, NULL, NN_AXES(0)) != NN_OK);
    ENSURE(nn_concat_forward(NULL, NULL, 0, 0) != NN_OK);
    const nn_tensor *tensors[2] = {NULL, nn_make_tensor(nn, &(nn_tensor_desc){.shape = NN_SHAPE(2)})};
    nn_clear_error(nn);
    ENSURE(nn_concat_forward(NULL, tensors, 1, 0) != NN_OK); /* no tensor has a context */
    ENSURE(nn_error(nn) == NULL);
    ENSURE(nn_concat_forward(NULL, tensors, 2, 0) != NN_OK); /* the second one has one */
    ENSURE(nn_error(nn) != NULL);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_gradient_of_slices);
    RUN(test_random_cases_cpu);
    RUN(test_random_cases_opencl);
    RUN(test_batch);
    RUN(test_mistakes);
    return test_report();
}
