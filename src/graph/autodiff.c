/* graph/autodiff.c - reverse-mode automatic differentiation. Walks the model's nodes backwards and
   lets the rule of each operation add its gradient nodes. The rules are in ops/; no operation is
   named here. The technique: Griewank and Walther, "Evaluating Derivatives", 2008. */
#include "graph/private.h"

#ifndef NN_NO_TRAINING

NN_PRIVATE nn_node *nn__tape_node(nn__tape *tape, const nn__rule *rule, const nn_node *like,
                                  const char *suffix, nn_node *const *inputs, int count,
                                  nn_dtype dtype, nn_shape shape, const void *params,
                                  size_t params_bytes) {
    char name[2 * NN_NAME_BYTES];
    nn__join_text(name, sizeof name, like->name, suffix, "");
    nn_node *node = nn__add_node(tape->graph, like->site, rule, rule->name, name, inputs, NULL,
                                 count, dtype, shape, params, params_bytes);
    if (node->poisoned) {
        tape->failed = true;
        return node;
    }
    nn__place_like(node, like);
    return node;
}

NN_PRIVATE void nn__give_gradient(nn__tape *tape, nn_node *x, nn_node *dx) {
    if (!nn__wants(x)) return;
    if (!dx || dx->poisoned) {
        tape->failed = true;
        return;
    }
    x->gradient = x->gradient ? tape->add(tape, x->gradient, dx) : dx;
}

/* Marks in node->wanted every node that depends on a trained parameter. Returns the number of
   nodes. */
static int nn__autodiff_mark(nn__graph *graph) {
    int count = 0;
    for (nn_node *node = graph->first; node; node = node->next, count++) {
        node->gradient = node->again = NULL;
        node->readers = 0;
        /* inputs come before their readers */
        for (int i = 0; i < node->input_count; i++) node->inputs[i]->readers++;
        node->wanted = node->kind == NN__PARAMETER && !node->frozen;
        if (node->owner) node->wanted = node->owner->wanted && node->dtype == NN_F32;
        if (node->kind != NN__OPERATION || !node->rule->gradient) continue;
        for (int i = 0; i < node->input_count; i++)
            node->wanted = node->wanted || node->inputs[i]->wanted;
    }
    return count;
}

/* True if any output of the operation has a gradient. */
static bool nn__autodiff_reached(const nn_node *node) {
    while (node && !node->gradient) node = node->more;
    return node != NULL;
}

/* Lists the nodes after `before` (NULL: all nodes) up to the graph's last one. Returns NULL
   without memory. *count: their number. */
static nn_node **nn__autodiff_list(nn__tape *tape, nn_node *before, int *count) {
    nn_node *first = before ? before->next : tape->graph->first, **nodes;
    int i = 0;
    for (nn_node *node = first; node; node = node->next) i++;
    *count = i;
    nodes = (nn_node **)nn__allocate_for(tape->nn, "gradients",
                                         sizeof(nn_node *) * (size_t)nn__maxi(i, 1));
    if (!nodes) {
        tape->failed = true;
        return NULL;
    }
    i = 0;
    for (nn_node *node = first; node; node = node->next) nodes[i++] = node;
    return nodes;
}

static void nn__autodiff_unlist(nn__tape *tape, nn_node **nodes, int count) {
    nn__release(&tape->nn->memory, nodes, sizeof(nn_node *) * (size_t)nn__maxi(count, 1));
}

/* True if the gradient can flow from the node to an input. */
static bool nn__autodiff_leads_on(const nn_node *node) {
    bool wanted = false;
    if (node->kind != NN__OPERATION || !node->rule->gradient) return false;
    for (int i = 0; i < node->input_count; i++) wanted = wanted || node->inputs[i]->wanted;
    return wanted;
}

/* Lets the rule of a node add its gradients. They round as the node does. */
static void nn__autodiff_apply(nn__tape *tape, nn_node *node) {
#ifndef NN_NO_MIXED_PRECISION
    const nn_dtype outer = tape->graph->autocast;
    tape->graph->autocast = (nn_dtype)node->autocast;
#endif
    node->rule->gradient(tape, node, node->gradient);
#ifndef NN_NO_MIXED_PRECISION
    tape->graph->autocast = outer;
#endif
}

/* Lets the rules of the listed nodes add their gradients, from the last node to the first. */
static void nn__autodiff_walk(nn__tape *tape, nn_node *const *nodes, int count) {
    for (int i = count - 1; i >= 0 && !tape->failed; i--)
        if (nn__autodiff_leads_on(nodes[i]) && nn__autodiff_reached(nodes[i]))
            nn__autodiff_apply(tape, nodes[i]);
}

NN_PRIVATE bool nn__backward_by(nn__tape *tape, nn_node *y, nn_node *const *x, int count,
                                nn_node *seed) {
    int all;
    nn_node **nodes = nn__autodiff_list(tape, NULL, &all);
    if (!nodes) return false;
    for (int i = 0; i < all; i++) {
        nodes[i]->gradient = nodes[i]->again = NULL;
        nodes[i]->readers = 0;
        nodes[i]->wanted = false;
    }
    for (int i = 0; i < count; i++) x[i]->wanted = true;
    for (int i = 0; i < all; i++) { /* inputs and owners come before their readers */
        nn_node *node = nodes[i];
        if (node->owner && node->dtype == NN_F32 && nn__autodiff_leads_on(node->owner))
            node->wanted = true;
        if (nn__autodiff_leads_on(node)) node->wanted = true;
    }
    if (y->wanted) {
        y->gradient = seed;
        nn__autodiff_walk(tape, nodes, all);
    }
    nn__autodiff_unlist(tape, nodes, all);
    return !tape->failed;
}

NN_PRIVATE void nn__backward_through(nn__tape *tape, nn_node *before, nn_node *const *results,
                                     nn_node *const *g, int count) {
    int all;
    nn_node **nodes = tape->failed ? NULL : nn__autodiff_list(tape, before, &all);
    const bool singly = tape->singly;
    if (!nodes) return;
    tape->singly = true;
    for (int i = 0; i < all; i++) {
        nn_node *node = nodes[i];
        node->gradient = NULL;
        node->wanted = node->owner ? nn__autodiff_leads_on(node->owner)
                                   : nn__autodiff_leads_on(node);
    }
    for (int i = 0; i < count; i++)
        if (g[i]) nn__give_gradient(tape, results[i], g[i]);
    nn__autodiff_walk(tape, nodes, all);
    tape->singly = singly;
    nn__autodiff_unlist(tape, nodes, all);
}

NN_PRIVATE void nn__gradient_again(nn__tape *tape, nn_node *node, nn_node *dy) {
    if (tape->again)
        tape->again(tape, node, dy);
    else
        tape->failed = true;
}

static void nn__autodiff_unreachable(nn__tape *tape, nn_node *loss) {
    nn__fault *fault = nn__add_node_fault(tape->faults, NN__FAULT_ARGUMENT, loss);
    const nn_node *node = loss->graph->first;
    tape->failed = true;
    nn__fault_operand(fault, "loss", loss, false);
    while (node && !node->merged) node = node->next;
    if (node) {
        nn__fault_cause(tape->faults, fault,
                        NN__TEXT("the adapters of nn_lora are inside the weights (nn_merge_lora), "
                                 "and no other parameter that is trained leads to this loss"));
        nn__fault_fix(tape->faults, fault,
                      NN__TEXT("train them before nn_merge_lora; nn_freeze(net, name, false) "
                               "trains a parameter of the base"));
        return;
    }
    nn__fault_cause(tape->faults, fault,
                    NN__TEXT("no parameter that is trained leads to this loss"));
    nn__fault_fix(
        tape->faults, fault,
        NN__TEXT("look for nn_detach, nn_freeze, or an operation without a gradient on the way"));
}

NN_PRIVATE void nn__backward_mark(nn__graph *model) { nn__autodiff_mark(model); }

/* Makes the derivative of the loss with respect to itself, which is 1. */
static nn_node *nn__autodiff_one(nn__tape *tape, const nn_node *loss) {
    nn_node *one = nn__add_leaf(tape->graph, loss->site, NN__STATE, "one", NN_F32, &loss->shape);
    if (one->poisoned) return NULL;
    one->start.low = one->start.high = 1.0f;
    one->device = loss->device;
    one->moves = loss->moves;
    return one;
}

/* True for the cast of nn_autocast_begin by which a value from outside of the region is stored. */
static bool nn__autodiff_stores(const nn_node *node) {
#ifdef NN_NO_MIXED_PRECISION
    (void)node;
    return false;
#else
    return nn__is_narrow(node) && !node->inputs[0]->again;
#endif
}

/* Differentiates a region of nn_recompute_begin, nodes [first, last]. Every node after the region
   has been differentiated. The region's nodes are repeated, and gradients read the repeated ones,
   so no activation of the first pass is kept. Nodes that write buffers are not repeated. Source:
   Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016. */
static void nn__autodiff_region(nn__tape *tape, nn_node *const *nodes, int first, int last) {
    bool reached = false;
    for (int i = first; i <= last; i++)
        reached = reached || (nodes[i]->kind == NN__OPERATION && nodes[i]->wanted &&
                              nn__autodiff_reached(nodes[i]));
    for (int i = first; reached && i <= last && !tape->failed; i++) {
        nn_node *node = nodes[i];
        const bool repeated = node->kind == NN__OPERATION
                                  ? !nn__has_effect(node) && !nn__autodiff_stores(node)
                                  : node->owner && node->owner->again;
        if (repeated) tape->failed = nn__repeat_node(tape->graph, node)->poisoned;
    }
    for (int i = last; reached && i >= first && !tape->failed; i--) {
        nn_node *node = nn__autodiff_stores(nodes[i]) ? nodes[i] : nodes[i]->again;
        if (node && node->kind == NN__OPERATION && node->wanted && nn__autodiff_reached(node))
            nn__autodiff_apply(tape, node);
    }
}

static void nn__autodiff_open_region(nn__tape *tape, const nn_model *net) {
    nn__fault *fault = nn__add_fault(tape->faults, NN__FAULT_ARGUMENT, "nn_recompute_begin", NULL,
                                     net->region_site);
    tape->failed = true;
    nn__fault_cause(tape->faults, fault, NN__TEXT("it was never ended"));
    nn__fault_fix(tape->faults, fault, NN__TEXT("nn_recompute_end after the block"));
}

NN_PRIVATE bool nn__backward(nn__tape *tape, nn_node *loss, nn_node *seed) {
    nn__graph *model = &tape->graph->model->graph;
    nn__memory *memory = &tape->nn->memory;
    int count = nn__autodiff_mark(model), i = 0;
    if (!loss->wanted) {
        const int before = tape->faults->count;
        if (model->model->adapters) model->model->adapters->check(model->model, tape->faults);
        if (tape->faults->count == before) nn__autodiff_unreachable(tape, loss);
        tape->failed = true;
        return false;
    }
    if (model->model->region) {
        nn__autodiff_open_region(tape, model->model);
        return false;
    }
    loss->gradient = seed ? seed : nn__autodiff_one(tape, loss);
    if (!loss->gradient) return false;
    nn_node **nodes =
        (nn_node **)nn__allocate_for(tape->nn, "gradients", sizeof(nn_node *) * (size_t)count);
    if (!nodes) return false;
    for (nn_node *node = model->first; node; node = node->next) nodes[i++] = node;
    for (i = count - 1; i >= 0 && !tape->failed; i--) {
        int first = i;
        while (nodes[i]->region && first > 0 && nodes[first - 1]->region == nodes[i]->region)
            first--;
        if (nodes[i]->region)
            nn__autodiff_region(tape, nodes, first, i);
        else if (nodes[i]->kind == NN__OPERATION && nodes[i]->wanted &&
                 nn__autodiff_reached(nodes[i]))
            nn__autodiff_apply(tape, nodes[i]);
        i = first;
    }
    nn__release(memory, nodes, sizeof(nn_node *) * (size_t)count);
    return !tape->failed;
}

#endif /* NN_NO_TRAINING */
