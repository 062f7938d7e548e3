/* ops/transfer.c - copies the value of a node to another device: the only way in which a step
   crosses devices. There is no kernel: the plan copies, and the ledger counts the copy. */
#include "ops/private.h"

static NN__UNUSED double nn__op_transfer_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node, (void)lowering;
    return 0.0;
}

#ifndef NN_NO_TRAINING
/* Copies dy back to the device of x, which follows its model's moves. */
static void nn__op_transfer_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *dx;
    if (!nn__wants(x)) return;
    dx = nn__add_transfer(tape->graph, node->site, dy, x->device);
    if (!dx->poisoned) {
        dx->moves = x->moves;
        dx->scope = x->scope;
    }
    nn__give_gradient(tape, x, dx);
}
#endif

#ifdef NN__ONE_PIECE
#define NN__TRANSFERS NN__ALIAS
#else
#define NN__TRANSFERS NN__TRANSFER
#endif
static const nn__rule nn__rule_transfer = {
    "transfer", NN_KERNEL_NONE, NN__TRANSFERS | NN__ANY_DTYPE, NN_ACTIVATION_NONE, NULL,
    NN__GRADIENT(nn__op_transfer_gradient), NN__FLOPS(nn__op_transfer_flops), nn__infer_same, NULL};
#undef NN__TRANSFERS

NN_PRIVATE nn_node *nn__add_transfer(nn__graph *graph, nn_site site, nn_node *x, nn_device device) {
    static const char *const roles[] = {"input"};
    nn_node *node;
    if (x->poisoned) return x;
    node = nn__add_node(graph, site, &nn__rule_transfer, "transfer", NULL, &x, roles, 1, x->dtype,
                        x->shape, NULL, 0);
    if (node->poisoned) return node;
    graph->nn->cross = nn__cross;
    node->device = nn__resolve_device(graph->nn, device);
    node->scope = NULL;
    node->moves = false;
    return node;
}

NN_API nn_node *nn_transfer_at(nn_site site, nn_model *net, nn_node *x, nn_device device) {
    static const char *const roles[] = {"input"};
    if (!nn__check_inputs(net, site, "transfer", NULL, &x, roles, 1)) return nn__poison(net);
    return nn__add_transfer(&net->graph, site, x, device);
}
