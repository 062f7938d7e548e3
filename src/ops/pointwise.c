/* ops/pointwise.c - softplus, copies, dropout, and the small nodes from which other operations
   compose losses and gradients. ops/table.txt says what the functions compute; ops/program.c makes
   nodes, calls and gradients of their programs. */
#include "ops/arrange.h"
#include "ops/pointwise.h"
#include "ops/program.h"
#include "ops/reshape.h"

/* ---- copy ------------------------------------------------------------------------------------ */

static void nn__op_copy_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    (void)node;
    nn__op_copy_args(&args->strided_copy, (nn_copy_piece *)lowering->pieces, &lowering->output,
                     &lowering->inputs[0]);
}

#ifndef NN_NO_TRAINING
static void nn__op_copy_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__give_gradient(tape, node->inputs[0], dy);
}
#endif

static const nn__rule nn__rule_copy = {"copy",
                                       NN_KERNEL_STRIDED_COPY,
                                       NN__ANY_DTYPE,
                                       NN_ACTIVATION_NONE,
                                       nn__op_copy_lower,
                                       NN__GRADIENT(nn__op_copy_gradient),
                                       NULL,
                                       nn__infer_same,
                                       NULL};

NN_PRIVATE const nn__rule *nn__copy_rule(void) { return &nn__rule_copy; }

NN_API nn_node *nn_clone_at(nn_site site, nn_model *net, nn_node *x) {
    return net ? nn__build_unary(site, net, &nn__rule_copy, nn__install_strided_copy, x, NULL, 0)
               : NULL;
}

/* ---- dropout --------------------------------------------------------------------------------- */

static bool nn__op_dropout_infer(nn__inference *inference) {
    const float probability = ((const nn__program_params *)inference->params)->scalars[0];
    if (probability >= 0.0f && probability <= 1.0f) return nn__op_unary_infer(inference);
    return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("nn_dropout(net, x, 0.5f) drops half"),
                           NN__TEXT("the probability is %g; it must be in [0, 1]"),
                           (double)probability);
}

/* (random >= probability ? x : 0) * keep */
static const nn_instruction nn__op_dropout_code[] = {
    {NN_CODE_INPUT, 0, 0, 0, 0.0f},         {NN_CODE_RANDOM, 0, 0, 0, 0.0f},
    {NN_CODE_SCALAR, 0, 0, 0, 0.0f},        {NN_CODE_SCALAR, 1, 0, 0, 0.0f},
    {NN_CODE_CONSTANT, 0, 0, 0, 0.0f},      {NN_CODE_GREATER_EQUAL, 1, 2, 0, 0.0f},
    {NN_CODE_SELECT, 5, 0, 4, 0.0f},        {NN_CODE_MULTIPLY, 6, 3, 0, 0.0f}};

#ifdef NN_NO_TRAINING
static const nn__rule nn__rule_dropout = {"dropout", NN_KERNEL_NONE, NN__ALIAS, NN_ACTIVATION_NONE,
                                          NULL, NULL, NULL, nn__op_dropout_infer, NULL};
#define nn__op_dropout_install NULL
#else
/* Each step has a new mask; the gradient draws the same one again. */
static const nn__rule nn__rule_dropout = {"dropout",
                                          NN_KERNEL_POINTWISE,
                                          NN__IN_PLACE | NN__DYNAMIC | NN__WHEN_TRAINING,
                                          NN_ACTIVATION_NONE,
                                          nn__op_program_lower,
                                          nn__op_program_gradient,
                                          nn__op_program_flops,
                                          nn__op_dropout_infer,
                                          NULL};

static void nn__op_dropout_install(nn_context *nn) {
    nn__install_code_random(nn);
    nn__install_code_greater_equal(nn);
    nn__install_code_select(nn);
    nn__install_code_multiply(nn);
}
#endif

NN_API nn_node *nn_dropout_at(nn_site site, nn_model *net, nn_node *x, float probability) {
    nn__program_params params;
    if (!net) return NULL;
    memset(&params, 0, sizeof params);
    params.program.code = nn__op_dropout_code;
    params.program.count = NN__COUNT(nn__op_dropout_code);
    params.program.input_count = params.program.output_count = 1;
    params.program.scalar_count = 2;
    params.program.output[0] = NN__COUNT(nn__op_dropout_code) - 1;
    params.scalars[0] = probability;
    params.scalars[1] = probability < 1.0f ? 1.0f / (1.0f - probability) : 0.0f;
    params.stream = net->streams++;
    return nn__build_unary(site, net, &nn__rule_dropout, nn__op_dropout_install, x, &params,
                           NN__PROGRAM_PARAMS_BYTES(&params));
}

/* ---- softplus -------------------------------------------------------------------------------- */

/* Returns the line that computes softplus with these numbers. The plain line needs no numbers. */
static const nn__line *nn__op_softplus(const nn_softplus_desc *desc, float *numbers) {
    static const float defaults[] = {1.0f, 20.0f};
    nn__op_desc_numbers(numbers, desc ? (const void *)desc : NULL, defaults, NN__COUNT(defaults));
    /* Above the default threshold the formula gives x in f32, too. */
    return numbers[0] == defaults[0] && numbers[1] == defaults[1] ? nn__table_softplus()
                                                                  : nn__table_softplus_above();
}

NN_API nn_node *nn_softplus_at(nn_site site, nn_model *net, nn_node *x,
                               const nn_softplus_desc *desc) {
    float numbers[2];
    return nn__op_line_node(site, net, nn__op_softplus(desc, numbers), &x, numbers);
}

NN_API nn_result nn_softplus_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                        const nn_softplus_desc *desc) {
    float numbers[2];
    return nn__op_line_forward(site, nn__op_softplus(desc, numbers), y, &x, numbers);
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_softplus_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                         const nn_tensor *x, const nn_softplus_desc *desc,
                                         bool accumulate) {
    float numbers[2];
    return nn__op_line_backward(site, nn__op_softplus(desc, numbers), &dx, dy, &x, numbers,
                                accumulate);
}
#endif

/* ---- nodes for composed operations ----------------------------------------------------------- */

static void nn__op_choose(nn_context *nn, const nn__line *line, float scalar,
                          nn__program_params *params) {
    line->install(nn);
    nn__op_line_params(line, &scalar, params);
}

NN_PRIVATE nn_node *nn__add_unary(nn__graph *graph, nn_site site, const char *operation,
                                  const char *name, const char *const *roles, const nn__line *line,
                                  nn_node *x, float scalar) {
    nn__program_params params;
    if (x->poisoned) return x;
    nn__op_choose(graph->nn, line, scalar, &params);
    nn__op_program_dtypes(graph->nn, &x, 1);
    return nn__add_node(graph, site, &line->rule, operation, name, &x, roles, 1, NN_F32, x->shape,
                        &params, NN__PROGRAM_PARAMS_BYTES(&params));
}

NN_PRIVATE nn_node *nn__add_binary(nn__graph *graph, nn_site site, const char *operation,
                                   const char *name, const char *const *roles, const nn__line *line,
                                   nn_node *a, nn_node *b) {
    nn__program_params params;
    nn_node *inputs[2];
    nn_shape y;
    if (a->poisoned || b->poisoned) return a->poisoned ? a : b;
    inputs[0] = a;
    inputs[1] = b;
    if (!nn__broadcast_shapes(a->shape, b->shape, &y))
        return nn__poison(graph->model); /* already checked */
    nn__op_choose(graph->nn, line, 0.0f, &params);
    nn__op_program_dtypes(graph->nn, inputs, 2);
    return nn__add_node(graph, site, &line->rule, operation, name, inputs, roles, 2, NN_F32, y,
                        &params, NN__PROGRAM_PARAMS_BYTES(&params));
}

/* ---- expand ---------------------------------------------------------------------------------- */

/* The program of x itself, which is broadcast to the shape of the result. */
static const nn_instruction nn__op_same_code[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f}};
static const nn_program nn__op_same = {nn__op_same_code, 1, 1, 1, 0, {0}};
static const nn__rule nn__rule_expand = NN__LINE_RULE("expand", NN_ACTIVATION_NONE, NULL);

/* Computes the shape of x expanded to `shape`, where 0 stands for x's own extent. False: x cannot
   be expanded to it. */
static bool nn__op_expand_shape(nn_shape x, nn_shape shape, nn_shape *y) {
    if (shape.rank < x.rank || shape.rank > NN_MAX_RANK) return false;
    const int more = shape.rank - x.rank;
    int64_t count;
    *y = shape;
    for (int i = 0; i < shape.rank; i++) {
        const int32_t own = i < more ? 1 : x.extent[i - more];
        if (shape.extent[i] == 0 && i >= more) y->extent[i] = own;
        if (own != 1 && own != y->extent[i]) return false;
    }
    return nn__symbolic_count(*y, &count) && nn__free_extents(*y, NN__OF_BATCH) <= 1;
}

static bool nn__op_expand_infer(nn__inference *inference) {
    const nn_shape x = inference->inputs[0].shape, shape = *(const nn_shape *)inference->params;
    char from[NN__SHAPE_TEXT], to[NN__SHAPE_TEXT];
    inference->outputs[0].dtype = NN_F32;
    if (!nn__want_dtype(inference->problem, inference->operation, "input",
                        inference->inputs[0].dtype, NN_F32))
        return false;
    if (nn__op_expand_shape(x, shape, &inference->outputs[0].shape)) return true;
    return nn__problem_set(
        inference->problem, NN_ERROR_SHAPE,
        NN__TEXT("extents of 1 are stretched, new axes come before the others, 0 keeps an extent; "
                 "NN_BATCH (-1) may occur once"),
        NN__TEXT("the input %s cannot be stretched to %s"),
        nn__format_shape(x, from, sizeof from), nn__format_shape(shape, to, sizeof to));
}
static const nn__rule nn__rule_expand_checked = NN__COMPOSED_RULE("expand", nn__op_expand_infer);

NN_API nn_node *nn_expand_at(nn_site site, nn_model *net, nn_node *x, nn_shape shape) {
    static const char *const roles[] = {"input"};
    nn__program_params params;
    nn_shape y, wide;
    x = nn__build_unary(site, net, &nn__rule_expand_checked, NULL, x, &shape, 0);
    if (!x || x->poisoned || !nn__op_expand_shape(x->shape, shape, &y)) return x;
    wide = y;
    for (int i = 0; i < y.rank; i++) {
        const int own = i - y.rank + x->shape.rank;
        wide.extent[i] = own < 0 ? 1 : x->shape.extent[own];
    }
    if (y.rank > x->shape.rank) x = nn_reshape_at(site, net, x, wide);
    if (!x || x->poisoned || nn_same_shape(wide, y)) return x;
    memset(&params, 0, sizeof params);
    params.program = nn__op_same;
    nn__install_program(net->graph.nn);
    nn__install_program_general(net->graph.nn);
    return nn__add_node(&net->graph, site, &nn__rule_expand, nn__rule_expand.name, NULL, &x, roles,
                        1, NN_F32, y, &params, NN__PROGRAM_PARAMS_BYTES(&params));
}

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_node *nn__tape_unary(nn__tape *tape, const nn__line *line, nn_node *x, float scalar,
                                   const nn_node *like) {
    nn__program_params params;
    if (x->poisoned) return x;
    nn__op_choose(tape->nn, line, scalar, &params);
    return nn__tape_node(tape, &line->rule, like, ".grad", &x, 1, NN_F32, x->shape, &params,
                         NN__PROGRAM_PARAMS_BYTES(&params));
}

NN_PRIVATE nn_node *nn__tape_binary(nn__tape *tape, const nn__line *line, nn_node *a, nn_node *b,
                                    const nn_node *like) {
    nn__program_params params;
    nn_node *inputs[2];
    nn_shape y;
    if (a->poisoned || b->poisoned) return a->poisoned ? a : b;
    inputs[0] = a;
    inputs[1] = b;
    if (!nn__broadcast_shapes(a->shape, b->shape, &y)) {
        tape->failed = true;
        return nn__poison(tape->graph->model);
    }
    nn__op_choose(tape->nn, line, 0.0f, &params);
    nn__op_program_dtypes(tape->nn, inputs, 2);
    return nn__tape_node(tape, &line->rule, like, ".grad", inputs, 2, NN_F32, y, &params,
                         NN__PROGRAM_PARAMS_BYTES(&params));
}

NN_PRIVATE nn_node *nn__tape_add(nn__tape *tape, nn_node *a, nn_node *b) {
    return nn__tape_binary(tape, nn__table_add(), a, b, a);
}

NN_PRIVATE nn_node *nn__tape_expand(nn__tape *tape, nn_node *x, nn_shape shape,
                                    const nn_node *like) {
    nn__program_params params;
    if (x->poisoned || nn_same_shape(x->shape, shape)) return x;
    memset(&params, 0, sizeof params);
    params.program = nn__op_same;
    nn__install_program(tape->nn);
    nn__install_program_general(tape->nn);
    return nn__tape_node(tape, &nn__rule_expand, like, ".grad", &x, 1, NN_F32, shape, &params,
                         NN__PROGRAM_PARAMS_BYTES(&params));
}
#endif
