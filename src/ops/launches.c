/* ops/launches.c - all gradients of a linear layer as one step of a plan, and a loss with its
   gradient and its total as another. No builder makes these nodes: plan/launches.c replaces the
   patterns by them, and they are in no graph. */
#include "ops/matmul_private.h"
#include "ops/loss_private.h"

#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_TRAINING)

/* ---- the gradients of a linear layer --------------------------------------------------------- */

/* inputs: dy, x, and weight if dx is needed; outputs: dweight, dbias, dx */
static void nn__op_linear_gradient_lower(const nn_node *node, const nn__lowering *lowering,
                                         nn__args *all) {
    nn_linear_gradient_args *args = &all->linear_gradient;
    memset(args, 0, sizeof *args);
    nn__op_matrix(&args->dy, &lowering->inputs[0]);
    nn__op_matrix(&args->x, &lowering->inputs[1]);
    if (node->input_count > 2) nn__op_matrix(&args->weight, &lowering->inputs[2]);
    args->dweight = lowering->output;
    args->dbias = lowering->more[0];
    args->dx = lowering->more[1];
    /* the fused relu may have had another shape */
    if (nn__present(&args->dx)) args->dx.shape = args->x.shape;
    args->activation = lowering->activation;
}

static double nn__op_linear_gradient_flops(const nn_node *node, const nn__lowering *lowering) {
    nn_view dy, x;
    nn__op_matrix(&dy, &lowering->inputs[0]);
    nn__op_matrix(&x, &lowering->inputs[1]);
    return (node->input_count > 2 ? 4.0 : 2.0) * (double)nn__count(&dy) *
           (double)x.shape.extent[1];
}

static const nn__rule nn__rule_linear_gradient = {"linear_back",
                                                  NN_KERNEL_LINEAR_GRADIENT,
                                                  0,
                                                  NN_ACTIVATION_NONE,
                                                  nn__op_linear_gradient_lower,
                                                  NULL,
                                                  nn__op_linear_gradient_flops,
                                                  NULL,
                                                  NULL};

/* Returns a copy of `like` in the arena with another rule and other inputs; NULL: no memory. */
static nn_node *nn__op_other_node(nn__arena *arena, const nn_node *like, const nn__rule *rule,
                                  nn_node *const *inputs, int count) {
    nn_node *node = (nn_node *)nn__arena_take(arena, sizeof *node);
    nn_node **own = (nn_node **)nn__arena_take(arena, sizeof *own * (size_t)count);
    if (!node || !own) return NULL;
    *node = *like;
    node->rule = rule;
    node->inputs = own;
    node->input_count = count;
    node->roles = NULL;
    node->more = NULL;
    for (int i = 0; i < count; i++) own[i] = inputs[i];
    return node;
}

NN_PRIVATE nn_node *nn__op_linear_gradients(nn__arena *arena, const nn_node *weight,
                                            nn_node *const *inputs, int count) {
    nn_node *node = nn__op_other_node(arena, weight, &nn__rule_linear_gradient, inputs, count);
    if (node) node->operation = node->rule->name;
    return node;
}

/* ---- the loss with its gradient and total ---------------------------------------------------- */

typedef struct nn__op_head_params {
    nn_cross_entropy_options options;
    bool has_total, check;
} nn__op_head_params;

/* inputs: logits, label, weight (optional), dloss, total (optional); outputs: loss, dlogits */
static void nn__op_head_lower(const nn_node *node, const nn__lowering *lowering, nn__args *all) {
    const nn__op_head_params *p = (const nn__op_head_params *)node->params;
    nn_cross_entropy_head_args *args = &all->cross_entropy_head;
    const int count = node->input_count - p->has_total;
    nn_view absent;
    memset(&absent, 0, sizeof absent);
    nn__op_cross_entropy_args(&args->entropy, &p->options, lowering->inputs[0],
                              lowering->inputs[1], count > 3 ? lowering->inputs[2] : absent);
    args->entropy.loss = lowering->output;
    args->entropy.dlogits = lowering->more[0];
    args->entropy.dloss = lowering->inputs[count - 1];
    args->entropy.scratch = lowering->scratch;
    args->entropy.status = lowering->status;
    args->entropy.step = (uint32_t)lowering->values->step;
    args->total = p->has_total ? lowering->inputs[count] : absent;
    args->weight = (float)lowering->values->batch * (float)lowering->values->time;
    args->check = p->check;
}

static double nn__op_head_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return 8.0 * (double)nn__count(&lowering->inputs[0]);
}

/* True for the total, which is the last input. */
static bool nn__op_head_writes(const nn_node *node, int input) {
    return input == node->input_count - 1;
}

static const nn__rule nn__rule_head = {"cross_entropy_head",
                                       NN_KERNEL_CROSS_ENTROPY_HEAD,
                                       NN__DYNAMIC | NN__STATUS | NN__LOGITS_IN_PLACE,
                                       NN_ACTIVATION_NONE,
                                       nn__op_head_lower,
                                       NULL,
                                       nn__op_head_flops,
                                       NULL,
                                       NULL};
static const nn__rule nn__rule_head_with_total = {"cross_entropy_head",
                                                  NN_KERNEL_CROSS_ENTROPY_HEAD,
                                                  NN__DYNAMIC | NN__STATUS | NN__EFFECT |
                                                      NN__LOGITS_IN_PLACE,
                                                  NN_ACTIVATION_NONE,
                                                  nn__op_head_lower,
                                                  NULL,
                                                  nn__op_head_flops,
                                                  NULL,
                                                  nn__op_head_writes};

NN_PRIVATE nn_node *nn__op_loss_head(nn__arena *arena, const nn_node *loss,
                                     nn_node *const *inputs, int count, bool has_total,
                                     bool check) {
    nn_node *node = nn__op_other_node(
        arena, loss, has_total ? &nn__rule_head_with_total : &nn__rule_head, inputs, count);
    nn__op_head_params *params = (nn__op_head_params *)nn__arena_take(arena, sizeof *params);
    if (!node || !params) return NULL;
    params->options = *(const nn_cross_entropy_options *)loss->params;
    params->has_total = has_total;
    params->check = check;
    node->params = params;
    return node;
}

#endif

typedef int nn__ops_launches_part; /* a part must not be empty under NN_NO_SPEEDUPS */
