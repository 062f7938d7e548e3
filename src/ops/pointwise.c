/* ops/pointwise.c - operations element by element: unary functions, arithmetic with broadcasting,
   dropout; and the small nodes of which other operations compose their losses and gradients.

   Nothing is fused here. The plan puts an activation that follows linear or conv2d into their
   epilogue, and joins neighbouring operations into one program. */
#include "ops/program.h"

typedef struct nn__op_pointwise_params {
    nn_pointwise_op op;
    float scalar;
    uint64_t stream; /* dropout */
} nn__op_pointwise_params;

/* ---- lowering -------------------------------------------------------------------------------- */

/* Steps of one run never share words: each has 2^32 counters of four words. */
#ifndef NN_NO_TRAINING
static void nn__op_dropout_args(nn_pointwise_args *args, const nn__op_pointwise_params *params,
                                const nn__run_values *values) {
    args->op = values->training ? NN_DROPOUT : NN_COPY;
    args->seed = values->seed;
    args->stream = params->stream;
    args->counter = (uint64_t)values->step << 32;
}
#else
static void nn__op_dropout_args(nn_pointwise_args *args, const nn__op_pointwise_params *params,
                                const nn__run_values *values) {
    (void)params, (void)values;
    args->op = NN_COPY;
}
#endif

static void nn__op_pointwise_lower(const nn_node *node, const nn__lowering *lowering,
                                   nn__args *args) {
    const nn__op_pointwise_params *params = (const nn__op_pointwise_params *)node->params;
    memset(&args->pointwise_forward, 0, sizeof args->pointwise_forward);
    args->pointwise_forward.y = lowering->output;
    args->pointwise_forward.a = lowering->inputs[0];
    if (node->input_count > 1) args->pointwise_forward.b = lowering->inputs[1];
    args->pointwise_forward.op = params->op;
    args->pointwise_forward.scalar = params->scalar;
    if (params->op == NN_DROPOUT)
        nn__op_dropout_args(&args->pointwise_forward, params, lowering->values);
}

/* ---- gradients ------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* inputs: dy, then what the derivative needs. */
static const nn__rule nn__rule_pointwise_backward = {"pointwise_backward",
                                                     NN_KERNEL_POINTWISE_BACKWARD,
                                                     NN__IN_PLACE,
                                                     NN_ACTIVATION_NONE,
                                                     nn__op_pointwise_lower,
                                                     NULL,
                                                     NULL, NULL, NULL};

static bool nn__op_unary_saves_output(nn_pointwise_op op) {
    return op == NN_RELU || op == NN_SIGMOID || op == NN_TANH || op == NN_EXP || op == NN_SQRT;
}

static void nn__op_unary_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__op_pointwise_params *params = (const nn__op_pointwise_params *)node->params;
    nn_node *x = node->inputs[0], *inputs[2];
    if (!nn__wants(x)) return;
    switch (params->op) {
    case NN_COPY:
    case NN_OFFSET: nn__give_gradient(tape, x, dy); return;
    case NN_SCALE:
    case NN_NEGATE:
        nn__give_gradient(tape, x, nn__tape_unary(tape, params->op, dy, params->scalar, x));
        return;
    case NN_DROPOUT: /* the same mask again: same stream, same step */
        nn__give_gradient(tape, x,
                          nn__tape_node(tape, node->rule, x, ".grad", &dy, 1, NN_F32, x->shape,
                                        params, sizeof *params));
        return;
    default: break;
    }
    inputs[0] = dy;
    inputs[1] = nn__op_unary_saves_output(params->op) ? node : x;
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_pointwise_backward, x, ".grad", inputs, 2,
                                    NN_F32, x->shape, params, sizeof *params));
}

static void nn__op_add_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *a = node->inputs[0], *b = node->inputs[1];
    if (nn__wants(a)) nn__give_gradient(tape, a, nn__tape_sum_to(tape, dy, a));
    if (nn__wants(b)) nn__give_gradient(tape, b, nn__tape_sum_to(tape, dy, b));
}

static void nn__op_subtract_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *a = node->inputs[0], *b = node->inputs[1];
    if (nn__wants(a)) nn__give_gradient(tape, a, nn__tape_sum_to(tape, dy, a));
    if (nn__wants(b))
        nn__give_gradient(tape, b,
                          nn__tape_unary(tape, NN_NEGATE, nn__tape_sum_to(tape, dy, b), 0.0f, b));
}

static void nn__op_multiply_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *a = node->inputs[0], *b = node->inputs[1];
    if (nn__wants(a))
        nn__give_gradient(tape, a,
                          nn__tape_sum_to(tape, nn__tape_binary(tape, NN_MULTIPLY, dy, b, a), a));
    if (nn__wants(b))
        nn__give_gradient(tape, b,
                          nn__tape_sum_to(tape, nn__tape_binary(tape, NN_MULTIPLY, dy, a, b), b));
}

/* d(a / b) = da / b - y db / b */
static void nn__op_divide_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *a = node->inputs[0], *b = node->inputs[1], *db;
    if (nn__wants(a))
        nn__give_gradient(tape, a,
                          nn__tape_sum_to(tape, nn__tape_binary(tape, NN_DIVIDE, dy, b, a), a));
    if (!nn__wants(b)) return;
    db = nn__tape_binary(tape, NN_MULTIPLY, dy, node, b);
    db = nn__tape_sum_to(tape, nn__tape_binary(tape, NN_DIVIDE, db, b, b), b);
    nn__give_gradient(tape, b, nn__tape_unary(tape, NN_NEGATE, db, 0.0f, b));
}

/* Maximum and minimum: whoever equals y gets dy, and both half of it when both do, as in
   PyTorch. */
static void nn__op_choice_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *a = node->inputs[0], *b = node->inputs[1];
    nn_node *is_a = nn__tape_binary(tape, NN_EQUAL, a, node, node),
            *is_b = nn__tape_binary(tape, NN_EQUAL, b, node, node);
    nn_node *share =
        nn__tape_binary(tape, NN_DIVIDE, dy, nn__tape_binary(tape, NN_ADD, is_a, is_b, node), node);
    if (nn__wants(a))
        nn__give_gradient(
            tape, a, nn__tape_sum_to(tape, nn__tape_binary(tape, NN_MULTIPLY, share, is_a, a), a));
    if (nn__wants(b))
        nn__give_gradient(
            tape, b, nn__tape_sum_to(tape, nn__tape_binary(tape, NN_MULTIPLY, share, is_b, b), b));
}
#endif

/* ---- rules: one an operation, so that faults and reports read well --------------------------- */

static bool nn__op_activation_infer(nn__inference *inference) {
    inference->outputs[0] = *inference->inputs;
    return nn__want_dtype(inference->problem, inference->operation, "input",
                          inference->inputs->dtype, NN_F32);
}

/* One list, in the order of nn_pointwise_op: name, flags, gradient, the epilogue that it can
   become, and what infers its type: only the activations are built by nn__build, which asks. */
#define NN__OP_POINTWISE(X)                                                                        \
    X(copy, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient), NN_ACTIVATION_NONE, NULL)           \
    X(relu, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient),                                     \
      NN_ACTIVATION_RELU, nn__op_activation_infer)                                                 \
    X(sigmoid, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient),                                  \
      NN_ACTIVATION_SIGMOID, nn__op_activation_infer)                                              \
    X(tanh, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient),                                     \
      NN_ACTIVATION_TANH, nn__op_activation_infer)                                                 \
    X(gelu, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient),                                     \
      NN_ACTIVATION_GELU, nn__op_activation_infer)                                                 \
    X(leaky_relu, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient), NN_ACTIVATION_NONE, NULL)     \
    X(exp, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient), NN_ACTIVATION_NONE, NULL)            \
    X(log, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient), NN_ACTIVATION_NONE, NULL)            \
    X(sqrt, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient), NN_ACTIVATION_NONE, NULL)           \
    X(square, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient), NN_ACTIVATION_NONE, NULL)         \
    X(abs, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient), NN_ACTIVATION_NONE, NULL)            \
    X(negate, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient), NN_ACTIVATION_NONE, NULL)         \
    X(softplus, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient), NN_ACTIVATION_NONE, NULL)       \
    X(scale, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient), NN_ACTIVATION_NONE, NULL)          \
    X(offset, NN__IN_PLACE, NN__GRADIENT(nn__op_unary_gradient), NN_ACTIVATION_NONE, NULL)         \
    X(dropout, NN__IN_PLACE | NN__DYNAMIC, NN__GRADIENT(nn__op_unary_gradient),                    \
      NN_ACTIVATION_NONE, NULL)                                                                    \
    X(add, NN__IN_PLACE, NN__GRADIENT(nn__op_add_gradient), NN_ACTIVATION_NONE, NULL)              \
    X(subtract, NN__IN_PLACE, NN__GRADIENT(nn__op_subtract_gradient), NN_ACTIVATION_NONE, NULL)    \
    X(multiply, NN__IN_PLACE, NN__GRADIENT(nn__op_multiply_gradient), NN_ACTIVATION_NONE, NULL)    \
    X(divide, NN__IN_PLACE, NN__GRADIENT(nn__op_divide_gradient), NN_ACTIVATION_NONE, NULL)        \
    X(maximum, NN__IN_PLACE, NN__GRADIENT(nn__op_choice_gradient), NN_ACTIVATION_NONE, NULL)       \
    X(minimum, NN__IN_PLACE, NN__GRADIENT(nn__op_choice_gradient), NN_ACTIVATION_NONE, NULL)       \
    X(equal, NN__IN_PLACE, NULL, NN_ACTIVATION_NONE, NULL)

#define NN__X(name, flags, gradient, fuses, infer)                                                 \
    static const nn__rule nn__rule_##name = {#name,                                                \
                                             NN_KERNEL_POINTWISE_FORWARD,                          \
                                             flags,                                                \
                                             fuses,                                                \
                                             nn__op_pointwise_lower,                               \
                                             gradient,                                             \
                                             NULL,                                                 \
                                             infer,                                                \
                                             NULL};
NN__OP_POINTWISE(NN__X)
#undef NN__X
#define NN__X(name, flags, gradient, fuses, infer) &nn__rule_##name,
static const nn__rule *const nn__op_pointwise_rules[] = {NN__OP_POINTWISE(NN__X)};
#undef NN__X
#undef NN__OP_POINTWISE

/* ---- check ----------------------------------------------------------------------------------- */

NN_PRIVATE bool nn__op_unary_check(nn_pointwise_op op, nn_dtype x, float scalar,
                                   nn__problem *problem) {
    if ((int)op < 0 || op >= NN_POINTWISE_COUNT)
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT, NN__TEXT("use a value of nn_pointwise_op"),
            NN__TEXT("op is %d; there are 0 to %d"), (int)op, NN_POINTWISE_COUNT - 1);
    if (op >= NN_BINARY_FIRST_)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("call nn_binary"),
                               NN__TEXT("%s takes two operands"), nn__op_pointwise_rules[op]->name);
    if (op == NN_DROPOUT && !(scalar >= 0.0f && scalar <= 1.0f))
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT, NN__TEXT("nn_dropout(net, x, 0.5f) drops half"),
            NN__TEXT("the probability is %g; it must be in [0, 1]"), (double)scalar);
    if (op == NN_COPY && x == NN_I32) return true;
    return nn__want_dtype(problem, nn__op_pointwise_rules[op]->name, "input", x, NN_F32);
}

NN_PRIVATE bool nn__op_binary_check(nn_pointwise_op op, nn_shape a, nn_dtype a_dtype, nn_shape b,
                                    nn_dtype b_dtype, nn_shape *y, nn__problem *problem) {
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    if ((int)op < 0 || op >= NN_POINTWISE_COUNT)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("use a value of nn_pointwise_op"),
                               NN__TEXT("op is %d; there are %d to %d"), (int)op, NN_BINARY_FIRST_,
                               NN_POINTWISE_COUNT - 1);
    if (op < NN_BINARY_FIRST_)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("call nn_unary"),
                               NN__TEXT("%s takes one operand"), nn__op_pointwise_rules[op]->name);
    if (!nn__want_dtype(problem, nn__op_pointwise_rules[op]->name, "a", a_dtype, NN_F32) ||
        !nn__want_dtype(problem, nn__op_pointwise_rules[op]->name, "b", b_dtype, NN_F32))
        return false;
    if (nn__broadcast_shapes(a, b, y)) return nn__want_one_batch(problem, *y, a, b);
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("reshape one of them"),
                           NN__TEXT("a is %s and b is %s; aligned at their last extents, two must "
                                    "be equal or one of them 1"),
                           nn__format_shape(a, one, sizeof one),
                           nn__format_shape(b, other, sizeof other));
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* A function as a program, so that it joins its neighbours and its gradient follows by rule. A
   firmware, whose steps stay apart, has the smaller kernels of single functions instead. */
#ifdef NN_NO_REPORTS
#define NN__OP_LINE(op) NULL
#else
#define NN__OP_LINE(op) nn__line_of(op)
#endif
typedef struct nn__op_chosen {
    const nn__rule *rule;
    const void *params;
    size_t bytes;
    nn__op_pointwise_params single;
    nn__program_params program;
} nn__op_chosen;

/* b: NULL for a function of one operand. */
static void nn__op_choose(nn_context *nn, nn_pointwise_op op, const nn_node *a, const nn_node *b,
                          float scalar, nn__op_chosen *chosen) {
    const nn__line *line = NN__OP_LINE(op);
    memset(chosen, 0, sizeof *chosen);
    nn__install_pointwise(nn);
    chosen->single.op = op;
    chosen->single.scalar = scalar;
    chosen->rule = nn__op_pointwise_rules[op];
    chosen->params = &chosen->single;
    chosen->bytes = sizeof chosen->single;
    if (!line) return;
    line->install(nn);
    if (nn__is_half(a->dtype) || (b && nn__is_half(b->dtype))) nn__install_program_dtypes(nn);
    chosen->program.line = line;
    chosen->program.program = line->program;
    chosen->program.scalars[0] = scalar;
    chosen->rule = &line->rule;
    chosen->params = &chosen->program;
    chosen->bytes = NN__PROGRAM_PARAMS_BYTES(&chosen->program);
}

NN_PRIVATE nn_node *nn__add_unary(nn__graph *graph, nn_site site, const char *operation,
                                  const char *name, const char *const *roles, nn_pointwise_op op,
                                  nn_node *x, float scalar) {
    nn__op_chosen chosen;
    if (x->poisoned) return x;
    nn__op_choose(graph->nn, op, x, NULL, scalar, &chosen);
    if (op == NN_DROPOUT) chosen.single.stream = graph->model->streams++;
    return nn__add_node(graph, site, chosen.rule, operation, name, &x, roles, 1,
                        op == NN_COPY ? x->dtype : NN_F32, x->shape, chosen.params, chosen.bytes);
}

NN_PRIVATE nn_node *nn__add_binary(nn__graph *graph, nn_site site, const char *operation,
                                   const char *name, const char *const *roles, nn_pointwise_op op,
                                   nn_node *a, nn_node *b) {
    nn__op_chosen chosen;
    nn_node *inputs[2];
    nn_shape y;
    if (a->poisoned || b->poisoned) return a->poisoned ? a : b;
    inputs[0] = a;
    inputs[1] = b;
    if (!nn__broadcast_shapes(a->shape, b->shape, &y))
        return nn__poison(graph->model); /* checked above */
    nn__op_choose(graph->nn, op, a, b, 0.0f, &chosen);
    return nn__add_node(graph, site, chosen.rule, operation, name, inputs, roles, 2, NN_F32, y,
                        chosen.params, chosen.bytes);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_node *nn__tape_unary(nn__tape *tape, nn_pointwise_op op, nn_node *x, float scalar,
                                   const nn_node *like) {
    nn__op_chosen chosen;
    if (x->poisoned) return x;
    nn__op_choose(tape->nn, op, x, NULL, scalar, &chosen);
    return nn__tape_node(tape, chosen.rule, like, ".grad", &x, 1, x->dtype, x->shape,
                         chosen.params, chosen.bytes);
}

NN_PRIVATE nn_node *nn__tape_binary(nn__tape *tape, nn_pointwise_op op, nn_node *a, nn_node *b,
                                    const nn_node *like) {
    nn__op_chosen chosen;
    nn_node *inputs[2];
    nn_shape y;
    if (a->poisoned || b->poisoned) return a->poisoned ? a : b;
    inputs[0] = a;
    inputs[1] = b;
    if (!nn__broadcast_shapes(a->shape, b->shape, &y)) {
        tape->failed = true;
        return nn__poison(tape->graph->model);
    }
    nn__op_choose(tape->nn, op, a, b, 0.0f, &chosen);
    return nn__tape_node(tape, chosen.rule, like, ".grad", inputs, 2, NN_F32, y, chosen.params,
                         chosen.bytes);
}

NN_PRIVATE nn_node *nn__tape_add(nn__tape *tape, nn_node *a, nn_node *b) {
    return nn__tape_binary(tape, NN_ADD, a, b, a);
}
#endif

/* A copy of x stretched to a larger shape. */
#ifndef NN_NO_TRAINING
static const nn__rule nn__rule_expand = {"expand",
                                         NN_KERNEL_POINTWISE_FORWARD,
                                         0,
                                         NN_ACTIVATION_NONE,
                                         nn__op_pointwise_lower,
                                         NULL,
                                         NULL,
                                         NULL,
                                         NULL};

NN_PRIVATE nn_node *nn__tape_expand(nn__tape *tape, nn_node *x, nn_shape shape,
                                    const nn_node *like) {
    nn__op_pointwise_params params;
    if (x->poisoned || nn_same_shape(x->shape, shape)) return x;
    memset(&params, 0, sizeof params);
    params.op = NN_COPY;
    nn__install_pointwise(tape->nn);
    return nn__tape_node(tape, &nn__rule_expand, like, ".grad", &x, 1, x->dtype, shape, &params,
                         sizeof params);
}
#endif

/* ---- builders -------------------------------------------------------------------------------- */

NN_API nn_node *nn_unary_at(nn_site site, nn_model *net, nn_pointwise_op op, nn_node *x,
                            float scalar) {
    static const char *const roles[] = {"input"};
    bool known = (int)op >= 0 && op < NN_POINTWISE_COUNT;
    const char *operation = known ? nn__op_pointwise_rules[op]->name : "unary";
    nn__problem problem;
    if (!nn__check_inputs(net, site, operation, NULL, &x, roles, 1)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    if (!nn__op_unary_check(op, x->dtype, scalar, &problem))
        return nn__poison_problem(net, site, operation, NULL, &x, roles, 1, &problem);
    return nn__add_unary(&net->graph, site, operation, NULL, roles, op, x, scalar);
}

/* The activations stand alone, so that a program links no function of libm that it does not
   name. */
static nn_node *nn__op_activation(nn_site site, nn_model *net, nn_pointwise_op op,
                                  const nn__rule *rule, nn__install install, nn_node *x) {
#ifdef NN_NO_REPORTS
    nn__op_pointwise_params params;
    memset(&params, 0, sizeof params);
    params.op = op;
    return nn__build_unary(site, net, rule, install, x, &params, sizeof params);
#else
    (void)rule, (void)install;
    return nn_unary_at(site, net, op, x, 0.0f);
#endif
}

NN_API nn_node *nn_relu_at(nn_site site, nn_model *net, nn_node *x) {
    return nn__op_activation(site, net, NN_RELU, &nn__rule_relu, nn__install_relu, x);
}

NN_API nn_node *nn_sigmoid_at(nn_site site, nn_model *net, nn_node *x) {
    return nn__op_activation(site, net, NN_SIGMOID, &nn__rule_sigmoid, nn__install_sigmoid, x);
}

NN_API nn_node *nn_tanh_at(nn_site site, nn_model *net, nn_node *x) {
    return nn__op_activation(site, net, NN_TANH, &nn__rule_tanh, nn__install_tanh, x);
}

NN_API nn_node *nn_gelu_at(nn_site site, nn_model *net, nn_node *x) {
    return nn__op_activation(site, net, NN_GELU, &nn__rule_gelu, nn__install_gelu, x);
}

NN_API nn_node *nn_binary_at(nn_site site, nn_model *net, nn_pointwise_op op, nn_node *a,
                             nn_node *b) {
    static const char *const roles[] = {"a", "b"};
    bool known = (int)op >= 0 && op < NN_POINTWISE_COUNT;
    const char *operation = known ? nn__op_pointwise_rules[op]->name : "binary";
    nn__problem problem;
    nn_node *inputs[2];
    nn_shape y;
    inputs[0] = a;
    inputs[1] = b;
    if (!nn__check_inputs(net, site, operation, NULL, inputs, roles, 2)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    if (!nn__op_binary_check(op, a->shape, a->dtype, b->shape, b->dtype, &y, &problem))
        return nn__poison_problem(net, site, operation, NULL, inputs, roles, 2, &problem);
    return nn__add_binary(&net->graph, site, operation, NULL, roles, op, a, b);
}
