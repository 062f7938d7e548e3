/* ops/residual_fusion.c - makes the sum of a linear layer and another value the end of the layer's
   product, on devices whose products take a residual (nn_gemm_args.residual). The sum is no step
   then, and the result of the layer is not stored. No result changes by a byte: where the layer
   would store bf16, the product rounds to bf16 before it adds. */
#include "ops/private.h"
#include "ops/program.h"

#ifndef NN_NO_SPEEDUPS

/* The product has no reader but the sum. */
typedef struct nn__residual_sum {
    int product, sum; /* steps */
    int input;        /* the sum's input that is not the product */
    bool rounds;      /* the product stores bf16 */
} nn__residual_sum;

/* A product with everything that it refers to. Its params are the node of the product alone. */
typedef struct nn__residual_node {
    nn_node node, *nodes[4];
    int inputs[4];
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

static NN__UNUSED double nn__op_residual_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn_node *product = nn__residual_product(node);
    return product->rule->flops(product, lowering) + (double)nn__count(&lowering->output);
}

static const nn__rule nn__rule_residual[2] = {
    {"linear", NN_KERNEL_GEMM, NN__HALVES, NN_ACTIVATION_NONE, nn__op_residual_lower, NULL,
     NN__FLOPS(nn__op_residual_flops), NULL, NULL},
    {"linear", NN_KERNEL_GEMM, NN__HALVES, NN_ACTIVATION_NONE, nn__op_residual_lower_bf16, NULL,
     NN__FLOPS(nn__op_residual_flops), NULL, NULL}};

static int nn__residual_root(const nn__steps *list, int value) {
    return (int)(nn__value_root(list->values, value) - list->values);
}

/* True if the step is one addition of two values of the same shape, and gives f32. */
static bool nn__residual_is_sum(const nn__steps *list, const nn__step *step) {
    if (step->device < 0 || step->output < 0 || !nn__is_program(step->node) ||
        step->node->input_count != 2)
        return false;
    const nn_program *program = &((const nn__program_params *)step->node->params)->program;
    const nn_instruction *code = program->code;
    if (program->count != 3 || program->output_count != 1 || program->output[0] != 2 ||
        program->scalar_count != 0 || code[0].code != NN_CODE_INPUT ||
        code[1].code != NN_CODE_INPUT || code[0].a == code[1].a || code[2].code != NN_CODE_ADD ||
        code[2].a == code[2].b)
        return false;
    const nn_node *y = list->values[step->output].node;
    for (int i = 0; i < 2; i++)
        if (!nn_same_shape(list->values[step->inputs[i]].node->shape, y->shape)) return false;
    return y->dtype == NN_F32 && list->values[step->output].place != NN__PLACE_ALIAS;
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

/* Fills in the sum that follows step s, which is a linear layer. */
static bool nn__residual_find(const nn__steps *list, int s, nn__residual_sum *found) {
    const nn__step *product = &list->steps[s];
    int t = s + 1;
    if (product->device < 0 || product->output < 0 ||
        product->node->rule->kernel != NN_KERNEL_GEMM ||
        (product->node->rule->flags & (NN__EPILOGUE | NN__LAYER)) !=
            (NN__EPILOGUE | NN__LAYER) ||
        product->activation != NN_ACTIVATION_NONE || product->node->input_count > 3 ||
        nn__residual_is_narrow(product->node->inputs[1]))
        return false;
    while (t < list->step_count && list->steps[t].device < 0) t++;
    if (t == list->step_count || list->steps[t].device != product->device ||
        !nn__residual_is_sum(list, &list->steps[t]))
        return false;
    const nn__step *sum = &list->steps[t];
    const nn_dtype dtype = list->values[product->output].node->dtype;
    found->product = s;
    found->sum = t;
    found->input = nn__residual_root(list, sum->inputs[0]) == product->output ? 1 : 0;
    found->rounds = dtype == NN_BF16;
    return nn__residual_root(list, sum->inputs[1 - found->input]) == product->output &&
           (dtype == NN_F32 || dtype == NN_BF16) &&
           list->values[sum->inputs[found->input]].node->dtype == NN_F32 &&
           nn__residual_is_inner(list, product->output, sum);
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
    to->node.rule = &nn__rule_residual[found->rounds];
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

static const nn__fusion nn__residual_fusion = {
    NULL, 0, NULL, NULL, NN__WHEN_JOINING, 0, 0, false, 0, nn__residual_whole};

#endif

/* nn_add installs it: a program without sums does not contain it. */
NN_PRIVATE void nn__install_residual(nn_context *nn) {
    (void)nn;
#ifndef NN_NO_SPEEDUPS
    if (!nn->fusions[NN__FUSION_RESIDUAL]) /* tests put another one there */
        nn__add_fusion(nn, NN__FUSION_RESIDUAL, &nn__residual_fusion);
#endif
}
