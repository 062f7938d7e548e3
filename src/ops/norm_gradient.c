/* ops/norm_gradient.c - the gradients of norms, and the node that updates running statistics. */
#include "ops/norm_private.h"

#ifndef NN_NO_TRAINING

/* ---- gradients ------------------------------------------------------------------------------- */

static void nn__op_norm_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *all) {
    const nn__op_norm_back *back = (const nn__op_norm_back *)node->params;
    const nn_view *inputs = lowering->inputs;
    nn_norm_backward_args *args = &all->norm_backward;
    nn_view *gradients[3];
    int next = 3;
    memset(args, 0, sizeof *args);
    gradients[NN__OP_NORM_DX] = &args->dx;
    gradients[NN__OP_NORM_DWEIGHT] = &args->dweight;
    gradients[NN__OP_NORM_DBIAS] = &args->dbias;
    for (int i = 0; i < back->count; i++)
        *gradients[back->gives[i]] = i ? lowering->more[i - 1] : lowering->output;
    args->dy = inputs[0];
    args->x = inputs[1];
    args->rstd = inputs[2];
    if (!back->norm.rms) args->mean = inputs[next++];
    if (back->norm.affine) args->weight = inputs[next++];
    /* Only gradients of a model run in plans that do not train; there running statistics are
       constants. */
    args->fixed = back->norm.frozen || (back->norm.tracked && !lowering->values->training);
    args->cut = nn__op_norm_cut(&back->norm, args->x.shape, args->fixed);
    args->scratch = lowering->scratch;
}

static NN__UNUSED double nn__op_norm_back_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return 12.0 * (double)nn__count(&lowering->inputs[0]);
}

/* dx may take the storage of dy. */
static const nn__rule nn__rule_norm_backward = {"norm_backward",
                                                NN_KERNEL_NORM_BACKWARD,
                                                NN__IN_PLACE,
                                                NN_ACTIVATION_NONE,
                                                nn__op_norm_backward_lower,
                                                nn__gradient_again,
                                                NN__FLOPS(nn__op_norm_back_flops),
                                                NULL,
                                                NULL};
/* Without dx: the first output is smaller than dy, so not in place. */
static const nn__rule nn__rule_norm_backward_affine = {"norm_backward",
                                                       NN_KERNEL_NORM_BACKWARD,
                                                       0,
                                                       NN_ACTIVATION_NONE,
                                                       nn__op_norm_backward_lower,
                                                       nn__gradient_again,
                                                       NN__FLOPS(nn__op_norm_back_flops),
                                                       NULL,
                                                       NULL};

/* Reports a loss that depends on the statistics: they have no gradient. */
static bool nn__op_norm_refuses(nn__tape *tape, const nn_node *node) {
    const nn_node *output = node->more;
    while (output && !output->gradient) output = output->more;
    if (!output) return false;
    nn__fault *fault =
        nn__add_fault(tape->faults, NN__FAULT_ARGUMENT, nn__operation(node), node->name,
                      node->site);
    tape->failed = true;
    if (fault) fault->order = node->order;
    nn__fault_operand(fault, "output", output, false);
    nn__fault_cause(tape->faults, fault,
                    NN__TEXT("the loss depends on \"%s\", which has no gradient"), output->name);
    nn__fault_fix(tape->faults, fault,
                  NN__TEXT("nn_detach it, or compute it with nn_reduce, which has one"));
    return true;
}

NN_PRIVATE void nn__op_norm_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__op_norm_params *params = (const nn__op_norm_params *)node->params;
    nn_node *of[3], *inputs[5], *wanted[3], *made;
    nn__op_norm_back back;
    int next = 0;
    if (nn__op_norm_refuses(tape, node) || !dy) return;
    memset(&back, 0, sizeof back);
    back.norm = *params;
    of[NN__OP_NORM_DX] = node->inputs[0];
    of[NN__OP_NORM_DWEIGHT] = params->affine ? node->inputs[1] : NULL;
    of[NN__OP_NORM_DBIAS] = params->bias ? node->inputs[2] : NULL;
    for (int i = 0; i < 3; i++) {
        if (!nn__wants(of[i])) continue;
        back.gives[back.count] = i;
        wanted[back.count++] = of[i];
    }
    if (back.count == 0) return;
    inputs[next++] = dy;
    inputs[next++] = node->inputs[0];
    inputs[next++] = nn__output(node, params->rms ? 1 : 2);
    if (!params->rms) inputs[next++] = nn__output(node, 1);
    if (params->affine) inputs[next++] = node->inputs[1];
    made = nn__tape_node(
        tape,
        back.gives[0] == NN__OP_NORM_DX ? &nn__rule_norm_backward : &nn__rule_norm_backward_affine,
        wanted[0], ".grad", inputs, next, NN_F32, wanted[0]->shape, &back, sizeof back);
    if (made->poisoned) return;
    made->site = node->site;
    nn__place_like(made, node);
    for (int i = 1; i < back.count; i++)
        nn__add_output(made, back.gives[i] == NN__OP_NORM_DWEIGHT ? "weight" : "bias", NN_F32,
                       wanted[i]->shape);
    for (int i = 0; i < back.count; i++) nn__give_gradient(tape, wanted[i], nn__output(made, i));
}

/* ---- running statistics ---------------------------------------------------------------------- */

/* inputs: running_mean, running_var, num_batches_tracked, mean, variance */
static void nn__op_norm_track_item(const nn__op_norm_params *params, const nn_view *inputs,
                                   nn_norm_track_item *item) {
    memset(item, 0, sizeof *item);
    item->running_mean = inputs[0];
    item->running_var = inputs[1];
    if (params->kind == NN__OP_BATCH_NORM) {
        item->count = inputs[2];
        item->count.dtype = NN_I32;
        item->count.shape.rank = 1;
        item->count.shape.extent[0] = 2;
    }
    item->mean = inputs[3];
    item->variance = inputs[4];
}

static void nn__op_norm_track_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *all) {
    const nn__op_norm_params *params = (const nn__op_norm_params *)node->params;
    nn_norm_track_args *args = &all->norm_track;
    memset(args, 0, sizeof *args);
    nn__op_norm_track_item(params, lowering->inputs, &args->own);
    args->items = &args->own;
    args->item_count = 1;
    args->momentum = params->momentum;
    args->cumulative = params->cumulative;
    args->status = lowering->status;
}

/* PyTorch's instance norm has the counter, but never changes it. */
static bool nn__op_norm_track_writes(const nn_node *node, int input) {
    return input < (((const nn__op_norm_params *)node->params)->kind == NN__OP_BATCH_NORM ? 3 : 2);
}

static const nn__rule nn__rule_norm_track = {"running_stats",
                                             NN_KERNEL_NORM_TRACK,
                                             NN__EFFECT | NN__STATUS | NN__TRAINING | NN__ANY_DTYPE,
                                             NN_ACTIVATION_NONE,
                                             nn__op_norm_track_lower,
                                             NULL,
                                             NULL,
                                             NULL,
                                             nn__op_norm_track_writes};

#ifndef NN_NO_SPEEDUPS
/* The joined updates of several norms, which only plans have. Their inputs follow one another. */
typedef struct nn__op_norm_tracks {
    nn__op_norm_params norm; /* the same for all */
    nn_norm_track_item *items;
} nn__op_norm_tracks;

static void nn__op_norm_tracks_lower(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *all) {
    const nn__op_norm_tracks *tracks = (const nn__op_norm_tracks *)node->params;
    nn_norm_track_args *args = &all->norm_track;
    nn__op_norm_track_lower(node, lowering, all);
    args->items = tracks->items;
    args->item_count = node->input_count / 5;
    for (int i = 0; i < args->item_count; i++)
        nn__op_norm_track_item(&tracks->norm, lowering->inputs + 5 * i, &tracks->items[i]);
}

static bool nn__op_norm_tracks_writes(const nn_node *node, int input) {
    return nn__op_norm_track_writes(node, input % 5);
}

static const nn__rule nn__rule_norm_tracks = {"running_stats",
                                              NN_KERNEL_NORM_TRACK,
                                              NN__EFFECT | NN__STATUS | NN__TRAINING |
                                                  NN__ANY_DTYPE,
                                              NN_ACTIVATION_NONE,
                                              nn__op_norm_tracks_lower,
                                              NULL,
                                              NULL,
                                              NULL,
                                              nn__op_norm_tracks_writes};

NN_PRIVATE bool nn__op_tracks_like(const nn_node *a, const nn_node *b) {
    if (a->kind != NN__OPERATION || a->rule != &nn__rule_norm_track || b->rule != a->rule)
        return false;
    const nn__op_norm_params *p = (const nn__op_norm_params *)a->params,
                             *q = (const nn__op_norm_params *)b->params;
    return p->kind == q->kind && p->momentum == q->momentum && p->cumulative == q->cumulative;
}

NN_PRIVATE nn_node *nn__op_tracks(nn__arena *arena, const nn_node *first, nn_node **inputs,
                                  int count) {
    nn_node *node = (nn_node *)nn__arena_take(arena, sizeof *node);
    nn__op_norm_tracks *tracks = (nn__op_norm_tracks *)nn__arena_take(arena, sizeof *tracks);
    nn_norm_track_item *items =
        (nn_norm_track_item *)nn__arena_take(arena, sizeof *items * (size_t)(count / 5));
    if (!node || !tracks || !items) return NULL;
    tracks->norm = *(const nn__op_norm_params *)first->params;
    tracks->items = items;
    *node = *first;
    node->rule = &nn__rule_norm_tracks;
    node->inputs = inputs;
    node->input_count = count;
    node->roles = NULL;
    node->params = tracks;
    return node;
}
#endif

NN_PRIVATE void nn__op_norm_track(nn_site site, nn_node *node, nn_node *running_mean,
                                  nn_node *running_var, nn_node *count) {
    static const char *const roles[] = {"running_mean", "running_var", "num_batches_tracked",
                                        "mean", "variance"};
    nn_node *inputs[5];
    inputs[0] = running_mean;
    inputs[1] = running_var;
    inputs[2] = count;
    inputs[3] = nn__output(node, 1);
    inputs[4] = nn__output(node, 3);
    nn_node *track =
        nn__add_node(node->graph, site, &nn__rule_norm_track, "running_stats", NULL, inputs, roles,
                     5, NN_F32, running_mean->shape, node->params, sizeof(nn__op_norm_params));
    nn__place_like(track, running_mean);
}

#endif
