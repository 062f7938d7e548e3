/* ops/recurrent_step.c - the node of one recurrent layer in one direction, and its gradient. The
   kernel computes the gradients of the gates; those of the weights are products over all steps. */
#include "kernels/install_sequence.h"
#include "ops/arrange_private.h"
#include "ops/recurrent_private.h"

/* Distributes the optional inputs, in their order, to the fields of the kernel's args. */
static void nn__op_recurrent_given(const nn__op_recurrent *params, const nn_view *inputs,
                                   nn_view *bias, nn_view *projection, nn_view *lengths,
                                   nn_view *h0, nn_view *c0) {
    if (params->bias && bias) *bias = *inputs++;
    if (params->projection) *projection = *inputs++;
    if (params->lengths) *lengths = *inputs++;
    if (params->h0) *h0 = *inputs++;
    if (params->c0) *c0 = *inputs++;
}

static void nn__op_recurrent_lower(const nn_node *node, const nn__lowering *lowering,
                                   nn__args *all) {
    const nn__op_recurrent *params = (const nn__op_recurrent *)node->params;
    nn_recurrent_args *args = &all->recurrent_forward;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->state = lowering->more[0];
#ifndef NN_NO_TRAINING
    const int kept = NN_RECURRENT_KEPT(params->cell) ? 1 : 0;
    if (kept) args->kept = lowering->more[1];
    if (params->projection) args->raw = lowering->more[1 + kept];
#endif
    args->x = lowering->inputs[0];
    args->weight = lowering->inputs[1];
    nn__op_recurrent_given(params, lowering->inputs + 2, &args->bias, &args->projection,
                           &args->lengths, &args->h0, &args->c0);
    args->cell = params->cell;
    args->reverse = params->reverse;
    args->scratch = lowering->scratch;
    if (!params->lengths) return;
    args->status = lowering->status;
    args->step = (uint32_t)lowering->values->step;
}

static NN__UNUSED double nn__op_recurrent_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return 2.0 * (double)nn__count(&lowering->inputs[0]) *
           (double)lowering->inputs[1].shape.extent[1];
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
enum { NN__OP_BEFORE, NN__OP_DX, NN__OP_DPROJECTED, NN__OP_DSTATE0, NN__OP_RECURRENT_GIVES };

/* Inputs: dy, dstate and the kept values, each if present; y; the weight; then the forward's
   optional inputs except the bias. Outputs: the gradient of the gates, then those in `gives`. */
typedef struct nn__op_recurrent_back {
    nn__op_recurrent forward;
    bool dy, dstate, gives[NN__OP_RECURRENT_GIVES];
} nn__op_recurrent_back;

static void nn__op_recurrent_back_lower(const nn_node *node, const nn__lowering *lowering,
                                        nn__args *all) {
    const nn__op_recurrent_back *back = (const nn__op_recurrent_back *)node->params;
    const nn_view *inputs = lowering->inputs, *more = lowering->more;
    nn_recurrent_backward_args *args = &all->recurrent_backward;
    nn_view *gives[NN__OP_RECURRENT_GIVES];
    memset(args, 0, sizeof *args);
    gives[NN__OP_BEFORE] = &args->before;
    gives[NN__OP_DX] = &args->dx;
    gives[NN__OP_DPROJECTED] = &args->dprojected;
    gives[NN__OP_DSTATE0] = &args->dstate0;
    args->dhidden = lowering->output;
    for (int i = 0; i < NN__OP_RECURRENT_GIVES; i++)
        if (back->gives[i]) *gives[i] = *more++;
    if (back->dy) args->dy = *inputs++;
    if (back->dstate) args->dstate = *inputs++;
    if (NN_RECURRENT_KEPT(back->forward.cell)) args->kept = *inputs++;
    args->y = *inputs++;
    args->weight = *inputs++;
    nn__op_recurrent_given(&back->forward, inputs, NULL, &args->projection, &args->lengths,
                           &args->h0, &args->c0);
    args->cell = back->forward.cell;
    args->reverse = back->forward.reverse;
    args->scratch = lowering->scratch;
}

static NN__UNUSED double nn__op_recurrent_back_flops(const nn_node *node,
                                                     const nn__lowering *lowering) {
    (void)node;
    return 2.0 * (double)nn__count(&lowering->output) *
           (double)lowering->inputs[0].shape.extent[lowering->inputs[0].shape.rank - 1];
}

static const nn__rule nn__rule_recurrent_backward = {"recurrent_backward",
                                                     NN_KERNEL_RECURRENT_BACKWARD,
                                                     0,
                                                     NN_ACTIVATION_NONE,
                                                     nn__op_recurrent_back_lower,
                                                     nn__gradient_again,
                                                     NN__FLOPS(nn__op_recurrent_back_flops),
                                                     NULL,
                                                     NULL};

/* Gives x its gradient: the columns of dstate from `start` on. */
static void nn__op_recurrent_give_state(nn__tape *tape, nn_node *x, nn_node *dstate,
                                        int32_t start) {
    nn__op_arrange p = nn__op_arrange_params(NN__SLICE);
    if (!nn__wants(x)) return;
    nn_shape shape = dstate->shape;
    shape.extent[1] = x->shape.extent[x->shape.rank - 1];
    if (!nn__equal_shapes(&shape, &dstate->shape)) {
        p.slice.axis = 1;
        p.slice.start = start;
        p.slice.stop = start + shape.extent[1];
        nn__install_strided_copy(tape->nn);
        dstate = nn__tape_node(tape, nn__op_arrange_rule(NN__SLICE), x, ".grad", &dstate, 1, NN_F32,
                               shape, &p, sizeof p);
    }
    nn__give_gradient(tape, x, nn__tape_reshape(tape, dstate, x->shape, x));
}

/* Lists the inputs as x, weight, bias, projection, lengths, h0, c0; absent ones are NULL. */
static void nn__op_recurrent_inputs(const nn_node *node, nn_node *all[7]) {
    const nn__op_recurrent *params = (const nn__op_recurrent *)node->params;
    int next = 2;
    all[0] = node->inputs[0];
    all[1] = node->inputs[1];
    all[2] = params->bias ? node->inputs[next++] : NULL;
    all[3] = params->projection ? node->inputs[next++] : NULL;
    all[4] = params->lengths ? node->inputs[next++] : NULL;
    all[5] = params->h0 ? node->inputs[next++] : NULL;
    all[6] = params->c0 ? node->inputs[next++] : NULL;
}

/* Adds the gradient node, with an output for each wanted gradient; these are stored in
   further[]. */
static nn_node *nn__op_recurrent_slopes(nn__tape *tape, nn_node *node, nn_node *dy, nn_node *dstate,
                                        nn_node *const all[7], nn_node **further) {
    static const char *const suffixes[] = {"before", "x", "projected", "state"};
    const nn__op_recurrent *params = (const nn__op_recurrent *)node->params;
    nn_node *inputs[9], *made;
    nn_shape shapes[NN__OP_RECURRENT_GIVES];
    nn__op_recurrent_back back;
    int count = 0;
    memset(&back, 0, sizeof back);
    back.forward = *params;
    back.dy = dy != NULL;
    back.dstate = dstate != NULL;
    back.gives[NN__OP_BEFORE] = nn__wants(all[1]);
    back.gives[NN__OP_DX] = params->cell == NN_RECURRENT_GRU && nn__wants(all[0]);
    back.gives[NN__OP_DPROJECTED] = nn__wants(all[3]);
    back.gives[NN__OP_DSTATE0] = nn__wants(all[5]) || nn__wants(all[6]);
    shapes[NN__OP_BEFORE] = shapes[NN__OP_DPROJECTED] = node->shape;
    shapes[NN__OP_DX] = all[0]->shape;
    shapes[NN__OP_DSTATE0] = nn__output(node, 1)->shape;
    if (dy) inputs[count++] = dy;
    if (dstate) inputs[count++] = dstate;
    if (NN_RECURRENT_KEPT(params->cell)) inputs[count++] = nn__output(node, 2);
    inputs[count++] = node;
    inputs[count++] = all[1];
    for (int i = 3; i < 7; i++)
        if (all[i]) inputs[count++] = all[i];
    made = nn__tape_node(tape, &nn__rule_recurrent_backward, node, ".grad", inputs, count, NN_F32,
                         all[0]->shape, &back, sizeof back);
    if (made->poisoned) return made;
    made->site = node->site;
    for (int i = 0, k = 1; i < NN__OP_RECURRENT_GIVES; i++) {
        further[i] = NULL;
        if (!back.gives[i]) continue;
        nn__add_output(made, suffixes[i], NN_F32, shapes[i]);
        further[i] = nn__output(made, k++);
        if (!further[i]) return nn__poison(node->graph->model);
    }
    return made;
}

static void nn__op_recurrent_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__op_recurrent *params = (const nn__op_recurrent *)node->params;
    nn_node *dstate = nn__gradient_of(node, 1), *all[7], *further[NN__OP_RECURRENT_GIVES], *made;
    nn_node *x, *weight, *bias, *projection;
    bool wanted = false;
    if (!dy && !dstate) return;
    nn__op_recurrent_inputs(node, all);
    x = all[0], weight = all[1], bias = all[2], projection = all[3];
    for (int i = 0; i < 7; i++) wanted = wanted || nn__wants(all[i]);
    if (!wanted) return;
    made = nn__op_recurrent_slopes(tape, node, dy, dstate, all, further);
    if (made->poisoned) return;
    if (nn__wants(x)) nn__give_gradient(tape, x, further[NN__OP_DX] ? further[NN__OP_DX] : made);
    if (nn__wants(weight))
        nn__op_give_product(tape, weight, made, further[NN__OP_BEFORE], true, false);
    if (nn__wants(bias)) nn__give_gradient(tape, bias, nn__tape_sum_to(tape, made, bias));
    if (nn__wants(projection))
        nn__op_give_product(tape, projection, further[NN__OP_DPROJECTED], nn__output(node, 3), true,
                            false);
    nn__op_recurrent_give_state(tape, all[5], further[NN__OP_DSTATE0], 0);
    nn__op_recurrent_give_state(tape, all[6], further[NN__OP_DSTATE0],
                                params->projection ? projection->shape.extent[0]
                                                   : weight->shape.extent[1]);
}
#endif

/* ---- builder --------------------------------------------------------------------------------- */

#define NN__OP_RECURRENT_RULE(name, flags)                                                         \
    {                                                                                              \
        name, NN_KERNEL_RECURRENT_FORWARD, flags, NN_ACTIVATION_NONE, nn__op_recurrent_lower,      \
            NN__GRADIENT(nn__op_recurrent_gradient), NN__FLOPS(nn__op_recurrent_flops), NULL, NULL \
    }
static const nn__rule nn__rule_recurrent = NN__OP_RECURRENT_RULE("recurrent", 0);
static const nn__rule nn__rule_recurrent_lengths =
    NN__OP_RECURRENT_RULE("recurrent_lengths", NN__DYNAMIC | NN__STATUS);
#undef NN__OP_RECURRENT_RULE

NN_PRIVATE nn_node *nn__add_recurrent(nn_model *net, nn_site site, const char *operation,
                                      const char *name, nn_recurrent_cell cell, bool reverse,
                                      nn_node *const inputs[7]) {
    nn_node *given[7];
    nn__op_recurrent params;
    nn_shape shape = inputs[0]->shape;
    int count = 0;
    memset(&params, 0, sizeof params);
    params.cell = cell;
    params.reverse = reverse;
    params.bias = inputs[2] != NULL;
    params.projection = inputs[3] != NULL;
    params.lengths = inputs[4] != NULL;
    params.h0 = inputs[5] != NULL;
    params.c0 = inputs[6] != NULL;
    for (int i = 0; i < 7; i++)
        if (inputs[i]) given[count++] = inputs[i];
    const int32_t wide = inputs[1]->shape.extent[1],
                  hidden = inputs[1]->shape.extent[0] / NN_RECURRENT_GATES(cell);
    shape.extent[2] = wide;
    nn__install_recurrent(net->nn);
#ifndef NN_NO_SPEEDUPS
    nn__install_recurrent_whole(net->nn);
    net->nn->whole = nn__op_whole_layers();
    nn__add_fusion(net->nn, NN__FUSION_RECURRENT, nn__op_whole_fusion());
#endif
    nn_node *node = nn__add_node(
        &net->graph, site, params.lengths ? &nn__rule_recurrent_lengths : &nn__rule_recurrent,
        operation, name, given, NULL, count, NN_F32, shape, &params, sizeof params);
    if (node->poisoned) return node;
    nn_shape state;
    memset(&state, 0, sizeof state);
    state.rank = 2;
    state.extent[0] = shape.extent[0];
    state.extent[1] = wide + (cell == NN_RECURRENT_LSTM ? hidden : 0);
    if (nn__add_output(node, "state", NN_F32, state)->poisoned) return nn__poison(net);
#ifndef NN_NO_TRAINING
    if (NN_RECURRENT_KEPT(cell)) {
        shape.extent[2] = NN_RECURRENT_KEPT(cell) * hidden;
        if (nn__add_output(node, "kept", NN_F32, shape)->poisoned) return nn__poison(net);
    }
    shape.extent[2] = hidden;
    if (params.projection && nn__add_output(node, "raw", NN_F32, shape)->poisoned)
        return nn__poison(net);
#endif
    return node;
}
