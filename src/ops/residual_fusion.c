/* ops/residual_fusion.c - makes a step the end of the step before it, on devices whose kernels take
   a residual (nn_gemm_args.residual, nn_norm_backward_args.residual):
   - the sum of a linear layer and another value;
   - in training, the gradient of nn_gelu or nn_gelu_tanh, which follows the product that gives the
     gradient of the next layer's input;
   - in training, the sum of the gradient of a norm over rows and another gradient.
   The result of the first step is not stored then. No result changes by a byte: where the layer
   would store bf16, the product rounds to bf16 before it adds. */
#include "ops/private.h"
#include "ops/program.h"

#ifndef NN_NO_SPEEDUPS

/* The product, or the gradient of a norm, has no reader but the step after it. */
typedef struct nn__residual_sum {
    int product, sum; /* steps */
    int input;        /* the sum's input that is not the product */
    int rule;         /* of nn__rule_residual */
} nn__residual_sum;

/* A product with everything that it refers to. Its params are the node of the product alone. */
typedef struct nn__residual_node {
    nn_node node, *nodes[6];
    int inputs[6];
} nn__residual_node;

static const nn_node *nn__residual_product(const nn_node *node) {
    return (const nn_node *)node->params;
}

static void nn__op_residual_lower(const nn_node *node, const nn__lowering *lowering,
                                  nn__args *args) {
    const nn_node *product = nn__residual_product(node);
    product->rule->lower(product, lowering, args);
    args->gemm.residual = lowering->inputs[product->input_count];
}

static void nn__op_residual_lower_bf16(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args) {
    nn__op_residual_lower(node, lowering, args);
    args->gemm.rounds_sum = true;
}

static void nn__op_residual_lower_gelu(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args) {
    nn__op_residual_lower(node, lowering, args);
    args->gemm.residual_use = NN_RESIDUAL_GELU_SLOPE;
}

static void nn__op_residual_lower_gelu_tanh(const nn_node *node, const nn__lowering *lowering,
                                            nn__args *args) {
    nn__op_residual_lower(node, lowering, args);
    args->gemm.residual_use = NN_RESIDUAL_GELU_TANH_SLOPE;
}

static void nn__op_residual_lower_norm(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args) {
    const nn_node *norm = nn__residual_product(node);
    norm->rule->lower(norm, lowering, args);
    args->norm_backward.residual = lowering->inputs[norm->input_count];
}

static NN__UNUSED double nn__op_residual_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn_node *product = nn__residual_product(node);
    return product->rule->flops(product, lowering) + (double)nn__count(&lowering->output);
}

enum {
    NN__RESIDUAL_SUM,
    NN__RESIDUAL_ROUNDED,
    NN__RESIDUAL_GELU,
    NN__RESIDUAL_GELU_TANH,
    NN__RESIDUAL_NORM
};
#define NN__RESIDUAL_RULE(name, kernel, flags, lower)                                              \
    {                                                                                              \
        name, kernel, flags, NN_ACTIVATION_NONE, lower, NULL, NN__FLOPS(nn__op_residual_flops),    \
            NULL, NULL                                                                             \
    }
static const nn__rule nn__rule_residual[] = {
    NN__RESIDUAL_RULE("linear", NN_KERNEL_GEMM, NN__HALVES, nn__op_residual_lower),
    NN__RESIDUAL_RULE("linear", NN_KERNEL_GEMM, NN__HALVES, nn__op_residual_lower_bf16),
    NN__RESIDUAL_RULE("product", NN_KERNEL_GEMM, NN__HALVES, nn__op_residual_lower_gelu),
    NN__RESIDUAL_RULE("product", NN_KERNEL_GEMM, NN__HALVES, nn__op_residual_lower_gelu_tanh),
    NN__RESIDUAL_RULE("norm_backward", NN_KERNEL_NORM_BACKWARD, NN__IN_PLACE,
                      nn__op_residual_lower_norm)};
#undef NN__RESIDUAL_RULE

static int nn__residual_root(const nn__steps *list, int value) {
    return (int)(nn__value_root(list->values, value) - list->values);
}

/* True if the step is a program of two values that have the shape of its result, which is f32. */
static bool nn__residual_is_whole(const nn__steps *list, const nn__step *step) {
    if (step->device < 0 || step->output < 0 || !nn__is_program(step->node) ||
        step->node->input_count != 2)
        return false;
    const nn_node *y = list->values[step->output].node;
    for (int i = 0; i < 2; i++)
        if (!nn_same_shape(list->values[step->inputs[i]].node->shape, y->shape)) return false;
    return y->dtype == NN_F32 && list->values[step->output].place != NN__PLACE_ALIAS;
}

/* True if the program of a step with two inputs is one addition. */
static bool nn__residual_is_sum(const nn__step *step) {
    const nn_program *program = &((const nn__program_params *)step->node->params)->program;
    const nn_instruction *code = program->code;
    return program->count == 3 && program->output_count == 1 && program->output[0] == 2 &&
           program->scalar_count == 0 && code[0].code == NN_CODE_INPUT &&
           code[1].code == NN_CODE_INPUT && code[0].a != code[1].a && code[2].code == NN_CODE_ADD &&
           code[2].a != code[2].b;
}

/* True if only the sum reads the value, which is in the plan's memory. */
static bool nn__residual_is_inner(const nn__steps *list, int root, const nn__step *sum) {
    int reads = 0;
    for (int i = 0; i < list->value_count; i++)
        if (nn__residual_root(list, i) == root && (list->values[i].kept || list->values[i].front))
            return false;
    for (int s = 0; s < list->step_count; s++) {
        const nn__step *step = &list->steps[s];
        for (int i = 0; step->device >= 0 && i < step->node->input_count; i++) {
            if (nn__residual_root(list, step->inputs[i]) != root) continue;
            if (step != sum || ++reads > 1) return false;
        }
    }
    return reads == 1 && list->values[root].place == NN__PLACE_ARENA;
}

/* True if chains (nn_backend.chain_make) may take the layer. They take the sum, too. */
static bool nn__residual_is_narrow(const nn_node *weight) {
    for (int i = 0; i < weight->shape.rank; i++)
        if (weight->shape.extent[i] > 128) return false;
    return true;
}

#ifndef NN_NO_TRAINING
/* ---- the gradients of gelu and gelu_tanh ----------------------------------------------------- */

typedef struct nn__slope_row {
    uint8_t code, a, b;
    float value;
} nn__slope_row;

/* Input 0 is x, and input 1 is the gradient of gelu(x). The rows are those that program/derive.c
   derives from ops/table.txt; the kernels of products compute in this order. */
#define NN__INPUT(a)                                                                               \
    { NN_CODE_INPUT, a, 0, 0.0f }
#define NN__NUMBER(value)                                                                          \
    { NN_CODE_CONSTANT, 0, 0, value }
#define NN__ROW(code, a, b)                                                                        \
    { NN_CODE_##code, a, b, 0.0f }
static const nn__slope_row nn__slope_gelu[] = {NN__NUMBER(0.5f),
                                               NN__INPUT(0),
                                               NN__ROW(MULTIPLY, 0, 1),
                                               NN__NUMBER(1.0f),
                                               NN__NUMBER(0.707106769f),
                                               NN__ROW(MULTIPLY, 1, 4),
                                               NN__ROW(ERF, 5, 0),
                                               NN__ROW(ADD, 3, 6),
                                               NN__INPUT(1),
                                               NN__ROW(MULTIPLY, 8, 7),
                                               NN__ROW(MULTIPLY, 8, 2),
                                               NN__ROW(MULTIPLY, 5, 5),
                                               NN__ROW(NEGATE, 11, 0),
                                               NN__ROW(EXP, 12, 0),
                                               NN__NUMBER(1.12837923f),
                                               NN__ROW(MULTIPLY, 10, 14),
                                               NN__ROW(MULTIPLY, 15, 13),
                                               NN__ROW(MULTIPLY, 16, 4),
                                               NN__ROW(MULTIPLY, 9, 0),
                                               NN__ROW(ADD, 17, 18)};
static const nn__slope_row nn__slope_gelu_tanh[] = {NN__INPUT(0),
                                                    NN__NUMBER(1.59576917f),
                                                    NN__NUMBER(0.0447149985f),
                                                    NN__ROW(MULTIPLY, 0, 0),
                                                    NN__ROW(MULTIPLY, 3, 0),
                                                    NN__ROW(MULTIPLY, 2, 4),
                                                    NN__ROW(ADD, 0, 5),
                                                    NN__ROW(MULTIPLY, 1, 6),
                                                    NN__ROW(SIGMOID, 7, 0),
                                                    NN__INPUT(1),
                                                    NN__ROW(MULTIPLY, 9, 8),
                                                    NN__ROW(MULTIPLY, 9, 0),
                                                    NN__NUMBER(1.0f),
                                                    NN__ROW(SUBTRACT, 12, 8),
                                                    NN__ROW(MULTIPLY, 11, 13),
                                                    NN__ROW(MULTIPLY, 14, 8),
                                                    NN__ROW(MULTIPLY, 15, 1),
                                                    NN__ROW(ADD, 10, 16),
                                                    NN__ROW(MULTIPLY, 16, 2),
                                                    NN__ROW(MULTIPLY, 18, 0),
                                                    NN__ROW(MULTIPLY, 18, 3),
                                                    NN__ROW(ADD, 17, 20),
                                                    NN__ROW(MULTIPLY, 19, 0),
                                                    NN__ROW(ADD, 21, 22),
                                                    NN__ROW(ADD, 23, 22)};
#undef NN__INPUT
#undef NN__NUMBER
#undef NN__ROW

static bool nn__slope_is(const nn_program *program, const nn__slope_row *rows, int count) {
    if (program->count != count || program->output_count != 1 || program->output[0] != count - 1 ||
        program->scalar_count != 0)
        return false;
    for (int i = 0; i < count; i++) {
        const nn_instruction *at = &program->code[i];
        if (at->code != rows[i].code || at->a != rows[i].a || at->b != rows[i].b ||
            (at->code == NN_CODE_CONSTANT && at->value != rows[i].value))
            return false;
    }
    return true;
}
#define NN__SLOPE_IS(program, rows) nn__slope_is(program, rows, (int)(sizeof rows / sizeof *rows))

/* Fills in the gradient that follows step s, which is a product without an epilogue. */
static bool nn__slope_find(const nn__steps *list, int s, int t, nn__residual_sum *found) {
    const nn__step *product = &list->steps[s], *slope = &list->steps[t];
    const nn_program *program;
    nn_dtype dtype;
    if ((product->node->rule->flags & (NN__EPILOGUE | NN__LAYER)) != 0 ||
        product->node->input_count != 2 || !nn__residual_is_whole(list, slope))
        return false;
    program = &((const nn__program_params *)slope->node->params)->program;
    dtype = list->values[slope->inputs[0]].node->dtype;
    found->input = 0;
    found->rule = NN__SLOPE_IS(program, nn__slope_gelu)        ? NN__RESIDUAL_GELU
                  : NN__SLOPE_IS(program, nn__slope_gelu_tanh) ? NN__RESIDUAL_GELU_TANH
                                                               : NN__RESIDUAL_SUM;
    return found->rule != NN__RESIDUAL_SUM &&
           (dtype == NN_F32 || dtype == NN_F16 || dtype == NN_BF16) &&
           list->values[product->output].node->dtype == NN_F32;
}
#undef NN__SLOPE_IS
#endif

/* Fills in the sum that follows step s, which is a linear layer, or the gradient of a norm whose
   first result is dx. */
static bool nn__residual_find_sum(const nn__steps *list, int s, int t, nn__residual_sum *found) {
    const nn__step *product = &list->steps[s], *sum = &list->steps[t];
    const nn__rule *rule = product->node->rule;
    const nn_dtype dtype = list->values[product->output].node->dtype;
    const bool norm = rule->kernel == NN_KERNEL_NORM_BACKWARD;
    if ((norm ? (rule->flags & NN__IN_PLACE) == 0
              : (rule->flags & (NN__EPILOGUE | NN__LAYER)) != (NN__EPILOGUE | NN__LAYER)) ||
        !nn__residual_is_whole(list, sum) || !nn__residual_is_sum(sum))
        return false;
    found->input = nn__residual_root(list, sum->inputs[0]) == product->output ? 1 : 0;
    found->rule = norm               ? NN__RESIDUAL_NORM
                  : dtype == NN_BF16 ? NN__RESIDUAL_ROUNDED
                                     : NN__RESIDUAL_SUM;
    return (dtype == NN_F32 || (dtype == NN_BF16 && !norm)) &&
           list->values[sum->inputs[found->input]].node->dtype == NN_F32;
}

/* True if step s may get a residual. */
static bool nn__residual_may_end(const nn__steps *list, int s) {
    const nn__step *step = &list->steps[s];
    if (step->device < 0 || step->output < 0 || step->activation != NN_ACTIVATION_NONE)
        return false;
    if (step->node->rule->kernel != NN_KERNEL_GEMM
            ? step->node->rule->kernel != NN_KERNEL_NORM_BACKWARD
            : step->node->input_count > 3)
        return false;
    return !nn__residual_is_narrow(step->node->inputs[1]);
}

/* Fills in what follows step s. */
static bool nn__residual_find(const nn__steps *list, int s, nn__residual_sum *found) {
    const nn__step *product = &list->steps[s];
    int t = s + 1;
    if (!nn__residual_may_end(list, s)) return false;
    while (t < list->step_count && list->steps[t].device < 0) t++;
    if (t == list->step_count || list->steps[t].device != product->device) return false;
    found->product = s;
    found->sum = t;
    if (!nn__residual_find_sum(list, s, t, found)
#ifndef NN_NO_TRAINING
        && (product->node->rule->kernel != NN_KERNEL_GEMM || !nn__slope_find(list, s, t, found))
#endif
    )
        return false;
    return nn__residual_root(list, list->steps[t].inputs[1 - found->input]) == product->output &&
           nn__residual_is_inner(list, product->output, &list->steps[t]);
}

/* Replaces the two steps by one, if the device takes it. False: no memory. */
static bool nn__residual_join(nn__steps *list, const nn__residual_sum *found) {
    nn__step *product = &list->steps[found->product], *sum = &list->steps[found->sum],
             made = *product;
    const int count = product->node->input_count, residual = sum->inputs[found->input];
    nn__residual_node *to = (nn__residual_node *)nn__arena_take(list->arena, sizeof *to);
    if (!to) return false;
    for (int i = 0; i < count; i++) {
        to->nodes[i] = product->node->inputs[i];
        to->inputs[i] = product->inputs[i];
    }
    to->nodes[count] = list->values[residual].node;
    to->inputs[count] = residual;
    to->node = *product->node;
    to->node.rule = &nn__rule_residual[found->rule];
    to->node.params = product->node;
    to->node.inputs = to->nodes;
    to->node.input_count = count + 1;
    to->node.roles = NULL;
    to->node.more = NULL;
    made.node = &to->node;
    made.inputs = to->inputs;
    made.output = sum->output;
    made.fused = sum->node;
    if (!list->supports(list, &made)) return true;
    list->values[sum->inputs[1 - found->input]].uses--;
    *product = made;
    sum->device = -1;
    return true;
}

/* Returns false without memory. */
static bool nn__residual_whole(nn__steps *list) {
    nn__residual_sum found;
    for (int s = 0; s < list->step_count; s++)
        if (nn__residual_find(list, s, &found) && !nn__residual_join(list, &found)) return false;
    return true;
}

static const nn__fusion nn__residual_fusion = {NULL, 0, NULL,  NULL, NN__WHEN_JOINING,
                                               0,    0, false, 0,    nn__residual_whole};

#endif

/* nn_add installs it: a program without sums does not contain it. */
NN_PRIVATE void nn__install_residual(nn_context *nn) {
    (void)nn;
#ifndef NN_NO_SPEEDUPS
    if (!nn->fusions[NN__FUSION_RESIDUAL]) /* tests put another one there */
        nn__add_fusion(nn, NN__FUSION_RESIDUAL, &nn__residual_fusion);
#endif
}
