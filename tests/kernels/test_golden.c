/* tests/kernels/test_golden.c - every operation, forward and backward, and every optimizer against
   numbers made by PyTorch (tests/golden/make_golden.py). Each case runs as a described net, with
   every instruction set of the machine, and as an immediate call if there is one. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "functions.h"
#include "test.h"
#include "open.h"

#include "golden/golden.h"

#include <stdlib.h>

#define TOLERANCE 1e-5 /* of the largest number of the same tensor */

enum {
    MOST = 1024,
    CASES = sizeof golden_cases / sizeof golden_cases[0],
    UPDATES = sizeof golden_updates / sizeof golden_updates[0]
};

/* ---- inputs and comparison ------------------------------------------------------------------- */

static bool is(const golden_case *g, const char *name) { return strcmp(g->name, name) == 0; }
static bool begins(const golden_case *g, const char *prefix) {
    return strncmp(g->name, prefix, strlen(prefix)) == 0;
}
static bool contains(const golden_case *g, const char *part) {
    return strstr(g->name, part) != NULL;
}
static bool wants_gradient(const golden_input *input) { return input->kind >= 'a'; }

static nn_shape shape_of(int rank, const int *extent) {
    int32_t extents[4];
    for (int i = 0; i < rank; i++) extents[i] = extent[i];
    return nn_make_shape(extents, rank);
}

static nn_tensor *make_values(nn_context *nn, const char *name, nn_shape shape, int seed,
                              char kind) {
    nn_tensor *tensor = nn_make_tensor(nn, &(nn_tensor_desc){.name = name, .shape = shape});
    float *data = (float *)nn_tensor_data(tensor);
    for (int i = 0; data && i < (int)nn_shape_count(shape); i++)
        data[i] = (float)golden_value(seed, i, kind);
    return tensor;
}

static nn_tensor *make_labels(nn_context *nn, const golden_input *input) {
    nn_shape shape = shape_of(input->rank, input->extent);
    nn_tensor *tensor =
        nn_make_tensor(nn, &(nn_tensor_desc){.name = "label", .shape = shape, .dtype = NN_I32});
    int32_t *data = (int32_t *)nn_tensor_data(tensor);
    for (int i = 0; data && i < (int)nn_shape_count(shape); i++)
        data[i] = (int32_t)(golden_value(input->seed, i, 'u') * 64) % input->classes;
    return tensor;
}

static nn_tensor *make_input(nn_context *nn, const golden_input *input) {
    if (input->kind == 'L') return make_labels(nn, input);
    return make_values(nn, input->name, shape_of(input->rank, input->extent), input->seed,
                       input->kind);
}

/* Reports the worst difference, once. */
static void compare(const char *name, const char *part, const char *how, const float *actual,
                    const double *expected, int count) {
    double largest = 0, worst = -1;
    int where = 0;
    for (int i = 0; i < count; i++)
        largest = fabs(expected[i]) > largest ? fabs(expected[i]) : largest;
    for (int i = 0; i < count; i++) {
        double difference = fabs((double)actual[i] - expected[i]);
        if (difference != difference) difference = HUGE_VAL;
        if (difference > worst) worst = difference, where = i;
    }
    if (test_wrong(worst > TOLERANCE * largest))
        test_fail(
            __FILE__, __LINE__,
            "%s: %s (%s): [%d] is %.9g instead of PyTorch's %.9g; the largest number there is %.3g",
            name, part, how, where, (double)actual[where], expected[where], largest);
}

/* ---- described ------------------------------------------------------------------------------- */

static nn_conv2d_desc conv_desc(const golden_case *g) {
    nn_conv2d_desc desc = {.padding = 0};
    if (is(g, "conv2d_padding") || is(g, "conv2d_groups") || is(g, "block")) desc.padding = 1;
    if (is(g, "conv2d_stride"))
        desc.stride = 2, desc.stride_w = 3, desc.padding = 1, desc.padding_w = NN_NONE;
    if (is(g, "conv2d_dilation"))
        desc.dilation = 2, desc.dilation_w = 3, desc.padding = 2, desc.padding_w = 1;
    if (is(g, "conv2d_groups")) desc.groups = 2;
    if (is(g, "conv2d_depthwise")) desc.groups = 3, desc.stride = 2;
    return desc;
}

static nn_node *build_conv2d(nn_model *net, const golden_case *g, nn_node *x) {
    const golden_input *weight = &g->input[1];
    nn_conv2d_desc desc = conv_desc(g);
    desc.out_channels = weight->extent[0];
    desc.kernel = weight->extent[2];
    desc.kernel_w = weight->extent[3];
    desc.no_bias = g->inputs < 3;
    return nn_conv2d(net, "conv", x, &desc);
}

static nn_pool2d_desc pool_desc(const golden_case *g) {
    nn_pool2d_desc desc = {.kernel = 2};
    if (contains(g, "_padding") || contains(g, "_ties") || contains(g, "_inside") ||
        is(g, "avg_pool2d_ceil"))
        desc.kernel = 3, desc.stride = 2, desc.padding = 1;
    if (is(g, "max_pool2d_ceil")) desc.kernel = 3, desc.stride = 2;
    if (is(g, "max_pool2d_oblong"))
        desc.kernel = 3, desc.kernel_w = 2, desc.stride = 1, desc.stride_w = 2, desc.padding = 1,
        desc.padding_w = NN_NONE;
    desc.ceil = contains(g, "_ceil");
    desc.count_only_inside = contains(g, "_inside");
    return desc;
}

typedef struct named_op {
    const char *name;
    function op;
    float scalar;
} named_op;
static const named_op unary_ops[] = {{"relu", FUNCTION_RELU, 0},
                                     {"sigmoid", FUNCTION_SIGMOID, 0},
                                     {"tanh", FUNCTION_TANH, 0},
                                     {"gelu", FUNCTION_GELU, 0},
                                     {"leaky_relu", FUNCTION_LEAKY_RELU, 0.125f},
                                     {"exp", FUNCTION_EXP, 0},
                                     {"log", FUNCTION_LOG, 0},
                                     {"sqrt", FUNCTION_SQRT, 0},
                                     {"square", FUNCTION_SQUARE, 0},
                                     {"abs", FUNCTION_ABS, 0},
                                     {"negate", FUNCTION_NEGATE, 0},
                                     {"softplus", FUNCTION_SOFTPLUS, 0},
                                     {"scale", FUNCTION_SCALE, 1.25f},
                                     {"offset", FUNCTION_OFFSET, 0.75f},
                                     {"relu_ties", FUNCTION_RELU, 0},
                                     {"leaky_relu_ties", FUNCTION_LEAKY_RELU, 0.125f}};
static const named_op binary_ops[] = {{"add", FUNCTION_ADD, 0},
                                      {"subtract", FUNCTION_SUBTRACT, 0},
                                      {"multiply", FUNCTION_MULTIPLY, 0},
                                      {"divide", FUNCTION_DIVIDE, 0},
                                      {"maximum", FUNCTION_MAXIMUM, 0},
                                      {"minimum", FUNCTION_MINIMUM, 0},
                                      {"add_bias", FUNCTION_ADD, 0},
                                      {"add_same", FUNCTION_ADD, 0},
                                      {"multiply_number", FUNCTION_MULTIPLY, 0},
                                      {"maximum_ties", FUNCTION_MAXIMUM, 0},
                                      {"minimum_ties", FUNCTION_MINIMUM, 0}};
static const named_op far_ops[] = {{"sigmoid_far", FUNCTION_SIGMOID, 0},
                                   {"tanh_far", FUNCTION_TANH, 0},
                                   {"gelu_far", FUNCTION_GELU, 0},
                                   {"softplus_far", FUNCTION_SOFTPLUS, 0}};

static const named_op *find_op(const golden_case *g, const named_op *ops, int count) {
    for (int i = 0; i < count; i++)
        if (is(g, ops[i].name)) return &ops[i];
    return NULL;
}
#define FIND(g, ops) find_op(g, ops, (int)(sizeof ops / sizeof ops[0]))

typedef struct named_reduction {
    const char *name;
    nn_reduction reduction;
    uint32_t axes;
    bool keep;
} named_reduction;
static const named_reduction reductions[] = {
    {"sum", NN_SUM, 0, false},        {"sum_axes", NN_SUM, 1 | 4, true},
    {"sum_last", NN_SUM, 4, false},   {"mean", NN_MEAN, 0, false},
    {"mean_axis", NN_MEAN, 2, false}, {"amax", NN_MAX, 2, false},
    {"amax_all", NN_MAX, 0, false},   {"amax_ties", NN_MAX, 2 | 4, true}};

static const named_reduction *find_reduction(const golden_case *g) {
    for (size_t i = 0; i < sizeof reductions / sizeof reductions[0]; i++)
        if (is(g, reductions[i].name)) return &reductions[i];
    return NULL;
}

static nn_cross_entropy_options entropy_options(const golden_case *g) {
    nn_cross_entropy_options options = {.reduction = contains(g, "_sum") ? NN_SUM : NN_MEAN};
    bool everything = contains(g, "_everything"), rank3 = contains(g, "_rank3");
    if (contains(g, "_ignore") || everything)
        options.ignore = true, options.ignore_index = rank3 ? 1 : 2;
    if (contains(g, "_smoothing") || everything) options.label_smoothing = rank3 ? 0.25f : 0.125f;
    return options;
}

static nn_node *build_bce(nn_model *net, const golden_case *g, nn_node **in) {
    nn_bce_desc desc = {
        .reduction = is(g, "bce_sum") || is(g, "bce_everything") ? NN_SUM : NN_REDUCTION_DEFAULT};
    if (is(g, "bce_far")) return nn_bce_with_logits(net, nn_scale(net, in[0], 32), in[1], &desc);
    if (is(g, "bce_weight") || is(g, "bce_everything")) desc.weight = in[2];
    if (is(g, "bce_pos_weight")) desc.pos_weight = in[2];
    if (is(g, "bce_everything")) desc.pos_weight = in[3];
    return nn_bce_with_logits(net, in[0], in[1], &desc);
}

static nn_axes axes_of(uint32_t bits) {
    nn_axes axes;
    memset(&axes, 0, sizeof axes);
    for (int i = 0; i < NN_MAX_RANK; i++)
        if (bits >> i & 1u) axes.axis[axes.count++] = i;
    return axes;
}

static nn_node *build_matmul(nn_model *net, const golden_case *g, nn_node **in) {
    nn_matmul_desc desc = {.transpose_a = contains(g, "_ta"), .transpose_b = contains(g, "_tb")};
    return nn_matmul(net, in[0], in[1], &desc);
}

static nn_embedding_desc embedding_desc(const golden_case *g) {
    nn_embedding_desc desc = {.num_embeddings = g->input[1].extent[0],
                              .embedding_dim = g->input[1].extent[1]};
    if (is(g, "embedding_padding")) desc.padding = true, desc.padding_idx = -1;
    return desc;
}

static nn_node *build(nn_model *net, const golden_case *g, nn_node **in) {
    const named_op *op;
    const named_reduction *reduction = find_reduction(g);
    nn_pool2d_desc pool = pool_desc(g);
    nn_linear_desc linear = {.out_features = g->inputs > 1 ? g->input[1].extent[0] : 0,
                             .no_bias = g->inputs < 3};
    if (begins(g, "linear")) return nn_linear(net, "fc", in[0], &linear);
    if (begins(g, "matmul")) return build_matmul(net, g, in);
    if (begins(g, "conv2d")) return build_conv2d(net, g, in[0]);
    if (is(g, "block")) {
        nn_node *h = nn_max_pool2d(net, nn_relu(net, build_conv2d(net, g, in[0])), &pool);
        return nn_linear(net, "fc", nn_flatten(net, h),
                         &(nn_linear_desc){.out_features = g->input[3].extent[0]});
    }
    if (begins(g, "max_pool2d")) return nn_max_pool2d(net, in[0], &pool);
    if (begins(g, "avg_pool2d")) return nn_avg_pool2d(net, in[0], &pool);
    if (is(g, "global_avg_pool2d")) return nn_global_avg_pool2d(net, in[0]);
    if ((op = FIND(g, unary_ops)) != NULL)
        return function_node(net, op->op, in[0], NULL, op->scalar);
    if ((op = FIND(g, far_ops)) != NULL)
        return function_node(net, op->op, nn_scale(net, in[0], 16), NULL, 0);
    if ((op = FIND(g, binary_ops)) != NULL) return function_node(net, op->op, in[0], in[1], 0);
    if (is(g, "square_of_self")) return nn_multiply(net, in[0], in[0]);
    if (is(g, "detach")) return nn_multiply(net, in[0], nn_detach(net, in[0]));
    if (is(g, "reshape")) return nn_tanh(net, nn_reshape(net, in[0], NN_SHAPE(2, 6)));
    if (reduction)
        return nn_reduce(net, reduction->reduction, in[0], axes_of(reduction->axes),
                         reduction->keep);
    if (is(g, "softmax_far")) return nn_softmax(net, nn_scale(net, in[0], 64));
    if (begins(g, "softmax")) return nn_softmax(net, in[0]);
    if (begins(g, "log_softmax")) return nn_log_softmax(net, in[0]);
    if (begins(g, "cross_entropy")) {
        nn_cross_entropy_options o = entropy_options(g);
        return nn_cross_entropy(net, in[0], in[1],
                                &(nn_cross_entropy_desc){.weight = g->inputs > 2 ? in[2] : NULL,
                                                         .reduction = o.reduction,
                                                         .label_smoothing = o.label_smoothing,
                                                         .ignore = o.ignore,
                                                         .ignore_index = o.ignore_index});
    }
    if (begins(g, "bce")) return build_bce(net, g, in);
    if (begins(g, "index_select"))
        return nn_index_select(net, in[0], is(g, "index_select") ? 1 : -1, in[1]);
    if (begins(g, "embedding")) {
        nn_embedding_desc table = embedding_desc(g);
        return nn_embedding(net, "tok", in[0], &table);
    }
    if (begins(g, "mse"))
        return nn_mse_loss(net, in[0], in[1],
                           &(nn_mse_desc){.reduction = is(g, "mse_sum") ? NN_SUM : NN_MEAN});
    return NULL;
}

/* One step of SGD with a learning rate of 2^10 subtracts 1,024 times the gradient, exact but for
   one rounding. */
static void compare_gradient(const golden_case *g, const golden_input *input, const char *how,
                             nn_tensor *parameter, const double *expected) {
    const float *after = (const float *)nn_tensor_data(parameter);
    int count = (int)nn_shape_count(nn_tensor_shape(parameter));
    float gradient[MOST];
    if (test_wrong(!after || count > MOST)) {
        test_fail(__FILE__, __LINE__, "%s: no parameter \"%s\"", g->name, input->name);
        return;
    }
    for (int i = 0; i < count; i++)
        gradient[i] =
            (float)((golden_value(input->seed, i, input->kind) - (double)after[i]) / 1024);
    compare(g->name, input->name, how, gradient, expected, count);
}

static void run_described(nn_context *nn, const golden_case *g) {
    const char *how = nn_instruction_set_name(nn);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = g->name});
    nn_node *in[GOLDEN_INPUTS] = {NULL}, *y, *r, *loss;
    nn_trainer *trainer;
    nn_shape y_shape = shape_of(g->rank, g->extent);
    int y_count = (int)nn_shape_count(y_shape), at = g->first + y_count;
    float numbers[MOST];
    for (int i = 0; i < g->inputs; i++) {
        const golden_input *input = &g->input[i];
        if (strchr(input->name, '.')) continue;
        if (wants_gradient(input))
            in[i] = nn_parameter(net, input->name, shape_of(input->rank, input->extent), 0, 0);
        else if (input->kind == 'L')
            in[i] = nn_borrow(net, make_input(nn, input));
        else
            in[i] = nn_constant(net, input->name, make_input(nn, input));
    }
    y = nn_keep(build(net, g, in));
    if (test_wrong(!y)) {
        test_fail(__FILE__, __LINE__, "%s: this program does not know how to build it", g->name);
        return;
    }
    r = nn_borrow(net, make_values(nn, "r", y_shape, GOLDEN_COTANGENT, 's'));
    loss = nn_sum(net, nn_multiply(net, y, r));
    for (int i = 0; i < g->inputs; i++) {
        const golden_input *input = &g->input[i];
        if (!wants_gradient(input)) continue;
        nn_copy(nn_find_tensor(net, input->name), make_input(nn, input));
    }
    trainer = nn_make_trainer(net, loss, &(nn_trainer_desc){.learning_rate = 1024});
    nn_train_on_inputs(trainer);
    nn_download(nn_trainer_plan(trainer), y, numbers, (size_t)y_count * sizeof(float));
    if (test_wrong(nn_error(nn) != NULL))
        test_fail(__FILE__, __LINE__, "%s: %s", g->name, nn_error(nn));
    else {
        compare(g->name, "y", how, numbers, golden_numbers + g->first, y_count);
        for (int i = 0; i < g->inputs; i++) {
            nn_tensor *parameter = nn_find_tensor(net, g->input[i].name);
            if (!wants_gradient(&g->input[i])) continue;
            compare_gradient(g, &g->input[i], how, parameter, golden_numbers + at);
            at += (int)nn_shape_count(nn_tensor_shape(parameter));
        }
    }
    nn_clear_error(nn);
    nn_free_model(net);
}

/* ---- immediate ------------------------------------------------------------------------------- */

/* Computes y and, where there is a backward call, d[i]; false: the case has no immediate call. */
static bool call(nn_context *nn, const golden_case *g, nn_tensor **in, nn_tensor *y, nn_tensor *dy,
                 nn_tensor **d, bool *has_backward) {
    const named_op *op;
    const named_reduction *reduction = find_reduction(g);
    nn_conv2d_desc conv = conv_desc(g);
    nn_pool2d_desc pool = pool_desc(g);
    *has_backward = true;
    if (begins(g, "linear")) {
        nn_linear_forward(y, in[0], in[1], in[2]);
        nn_linear_backward(d[0], d[1], d[2], dy, in[0], in[1], false);
    } else if (begins(g, "conv2d")) {
        nn_conv2d_forward(y, in[0], in[1], in[2], &conv);
        nn_conv2d_backward(d[0], d[1], d[2], dy, in[0], in[1], &conv, false);
    } else if (begins(g, "max_pool2d")) {
        nn_tensor *index =
            nn_make_tensor(nn, &(nn_tensor_desc){.shape = nn_tensor_shape(y), .dtype = NN_I32});
        nn_max_pool2d_forward(y, index, in[0], &pool);
        nn_max_pool2d_backward(d[0], dy, index, &pool);
    } else if (begins(g, "avg_pool2d")) {
        nn_avg_pool2d_forward(y, in[0], &pool);
        nn_avg_pool2d_backward(d[0], dy, &pool);
    } else if ((op = FIND(g, unary_ops)) != NULL) {
        function_forward(y, op->op, in[0], NULL, op->scalar);
        function_backward(d[0], op->op, dy, in[0], op->scalar, false);
    } else if ((op = FIND(g, binary_ops)) != NULL) {
        function_forward(y, op->op, in[0], in[1], 0);
        *has_backward = false;
    } else if (reduction) {
        nn_shape shape = nn_tensor_shape(in[0]); /* immediate reductions keep their axes */
        for (int i = 0; i < shape.rank; i++)
            if (!reduction->axes || (reduction->axes >> i & 1)) shape.extent[i] = 1;
        nn_reduce_forward(nn_make_reshaped(y, shape), reduction->reduction, in[0],
                          axes_of(reduction->axes));
        *has_backward = false;
    } else if ((begins(g, "softmax") || begins(g, "log_softmax")) && !contains(g, "_far")) {
        nn_softmax_forward(y, in[0], begins(g, "log"));
        nn_softmax_backward(d[0], dy, y, begins(g, "log"));
    } else if (begins(g, "cross_entropy")) {
        nn_cross_entropy_options options = entropy_options(g);
        nn_cross_entropy_forward(y, in[0], in[1], in[2], &options);
        nn_cross_entropy_backward(d[0], in[0], in[1], in[2], &options);
    } else if (begins(g, "index_select")) {
        int axis = is(g, "index_select") ? 1 : -1;
        nn_index_select_forward(y, in[0], axis, in[1]);
        nn_index_select_backward(d[0], dy, axis, in[1], false);
    } else if (begins(g, "embedding")) {
        nn_embedding_desc table = embedding_desc(g);
        nn_embedding_forward(y, in[0], in[1]);
        nn_embedding_backward(d[1], dy, in[0], &table, false);
    } else
        return false;
    return true;
}

static int run_immediate(nn_context *nn, const golden_case *g) {
    const char *how = "immediate";
    nn_tensor *in[GOLDEN_INPUTS] = {NULL}, *d[GOLDEN_INPUTS] = {NULL}, *y, *dy;
    nn_shape y_shape = shape_of(g->rank, g->extent);
    int y_count = (int)nn_shape_count(y_shape), at = g->first + y_count;
    bool has_backward;
    for (int i = 0; i < g->inputs; i++) {
        in[i] = make_input(nn, &g->input[i]);
        if (wants_gradient(&g->input[i]))
            d[i] =
                nn_make_tensor(nn, &(nn_tensor_desc){.name = "d", .shape = nn_tensor_shape(in[i])});
    }
    y = nn_make_tensor(nn, &(nn_tensor_desc){.name = "y", .shape = y_shape});
    dy = make_values(nn, "dy", y_shape, GOLDEN_COTANGENT, 's');
    if (!call(nn, g, in, y, dy, d, &has_backward)) return 0;
    if (test_wrong(nn_error(nn) != NULL)) {
        test_fail(__FILE__, __LINE__, "%s: %s", g->name, nn_error(nn));
        nn_clear_error(nn);
        return 1;
    }
    compare(g->name, "y", how, (const float *)nn_tensor_data(y), golden_numbers + g->first,
            y_count);
    for (int i = 0; i < g->inputs && has_backward; i++) {
        float *numbers = (float *)nn_tensor_data(d[i]);
        int count = d[i] ? (int)nn_shape_count(nn_tensor_shape(d[i])) : 0;
        if (begins(g, "cross_entropy")) /* the call has dloss = 1 */
            for (int k = 0; k < count; k++)
                numbers[k] *= (float)golden_value(GOLDEN_COTANGENT, 0, 's');
        if (d[i]) compare(g->name, g->input[i].name, how, numbers, golden_numbers + at, count);
        at += count;
    }
    return 1;
}

/* ---- optimizers ------------------------------------------------------------------------------ */

static nn_trainer_desc update_desc(const char *name) {
    nn_trainer_desc desc = {.batch = 6, .learning_rate = 0.1f};
    if (strncmp(name, "adam", 4) == 0) {
        desc.optimizer = strncmp(name, "adamw", 5) == 0 ? NN_ADAMW : NN_ADAM;
        desc.learning_rate = 0.05f;
        if (strstr(name, "weight_decay")) desc.weight_decay = 0.25f;
        if (strstr(name, "betas"))
            desc.beta1 = 0.75f, desc.beta2 = 0.9375f, desc.epsilon = 0.0078125f;
    } else {
        if (strstr(name, "momentum") || strstr(name, "dampening") || strstr(name, "nesterov") ||
            strcmp(name, "sgd_clip") == 0)
            desc.momentum = 0.875f;
        if (strstr(name, "weight_decay")) desc.weight_decay = 0.25f;
        if (strstr(name, "dampening")) desc.sgd.dampening = 0.5f, desc.weight_decay = 0.125f;
        if (strstr(name, "nesterov")) desc.sgd.nesterov = true, desc.weight_decay = 0.125f;
    }
    if (strstr(name, "_clip")) desc.max_norm = strstr(name, "idle") ? 1024.0f : 0.5f;
    return desc;
}

static void run_update(nn_context *nn, const struct golden_update *update) {
    static const char *const names[] = {"fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"};
    nn_trainer_desc desc = update_desc(update->name);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *target = nn_input(net, "target", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node *h = nn_tanh(net, nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = 3}));
    nn_node *loss = nn_mse_loss(net, nn_linear(net, "fc2", h, &(nn_linear_desc){.out_features = 2}),
                                target, NULL);
    nn_trainer *trainer;
    int at = update->first;
    for (int i = 0; i < 4; i++) {
        nn_tensor *parameter = nn_find_tensor(net, names[i]);
        nn_copy(parameter, make_values(nn, "start", nn_tensor_shape(parameter), 500 + i, 's'));
    }
    trainer = nn_make_trainer(net, loss, &desc);
    for (int step = 0; step < 5; step++) {
        nn_plan *plan = nn_trainer_plan(trainer);
        nn_upload(plan, x, nn_tensor_data(make_values(nn, "x", NN_SHAPE(6, 4), 600 + step, 's')),
                  24 * sizeof(float));
        nn_upload(plan, target,
                  nn_tensor_data(make_values(nn, "target", NN_SHAPE(6, 2), 700 + step, 's')),
                  12 * sizeof(float));
        nn_train_on_inputs(trainer);
        for (int i = 0; i < 4 && (step == 0 || step == 4); i++) {
            nn_tensor *parameter = nn_find_tensor(net, names[i]);
            int count = (int)nn_shape_count(nn_tensor_shape(parameter));
            char how[32];
            sprintf(how, "step %d", step + 1);
            compare(update->name, names[i], how, (const float *)nn_tensor_data(parameter),
                    golden_numbers + at, count);
            at += count;
        }
    }
    if (test_wrong(nn_error(nn) != NULL)) test_fail(__FILE__, __LINE__, "%s: %s", update->name, nn_error(nn));
    if (test_wrong(at != update->first + update->count))
        test_fail(__FILE__, __LINE__, "%s: golden.h has another number of numbers", update->name);
    nn_clear_error(nn);
    nn_free_model(net);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void with_set(nn_instruction_set set, bool updates) {
    nn_context *nn = OPEN_WITH_SET((&(nn_desc){.instructions = set, .threads = 1}));
    if (!nn) return;
    if (updates)
        for (int i = 0; i < UPDATES; i++) run_update(nn, &golden_updates[i]);
    else
        for (int i = 0; i < CASES; i++) run_described(nn, &golden_cases[i]);
    nn_close(nn);
}
static void operations_plain(void) { with_set(NN_INSTRUCTIONS_PLAIN, false); }
static void operations_avx2(void) { with_set(NN_INSTRUCTIONS_AVX2, false); }
static void operations_avx512(void) { with_set(NN_INSTRUCTIONS_AVX512, false); }
static void operations_other(void) { with_set(OTHER_SET, false); }
static void optimizers_plain(void) { with_set(NN_INSTRUCTIONS_PLAIN, true); }
static void optimizers_best(void) { with_set(NN_INSTRUCTIONS_DEFAULT, true); }

static void immediate_with(nn_instruction_set set) {
    nn_context *nn = nn_open(&(nn_desc){.instructions = set, .threads = 2});
    int calls = 0;
    ENSURE(nn != NULL);
    for (int i = 0; i < CASES; i++) calls += run_immediate(nn, &golden_cases[i]);
    nn_close(nn);
    ENSURE(calls >= 60); /* otherwise the names in this file and in golden.h differ */
}
static void immediate_plain(void) { immediate_with(NN_INSTRUCTIONS_PLAIN); }
static void immediate_best(void) { immediate_with(NN_INSTRUCTIONS_DEFAULT); }

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(operations_plain);
    RUN(operations_avx2);
    RUN(operations_avx512);
    RUN(operations_other);
    RUN(optimizers_plain);
    RUN(optimizers_best);
    RUN(immediate_plain);
    RUN(immediate_best);
    return test_report();
}
