/* plan/order.c - selects the nodes that a plan needs, orders their steps, and turns activations
   into epilogues of the products before them. */
#include "plan/private.h"

/* Returns how many inputs of a node are read. In inference a dropout does not read its mask. */
static int nn__plan_reads(const nn_node *node, bool training) {
#ifdef NN_NO_TRAINING
    (void)training;
#else
    if (!training && node->kind == NN__OPERATION && (node->rule->flags & NN__WHEN_TRAINING))
        return 1;
#endif
    return node->input_count;
}

/* Marks the inputs of wanted nodes as wanted. In `nodes`, each node comes after its inputs. */
static void nn__plan_reach(nn_node **nodes, int count, bool training) {
    for (int i = count - 1; i >= 0; i--) {
        nn_node *node = nodes[i];
        if (!node->wanted) continue;
        for (int j = nn__plan_reads(node, training) - 1; j >= 0; j--)
            node->inputs[j]->wanted = true;
        if (node->owner) node->owner->wanted = true;
    }
}

#ifndef NN_NO_TRAINING
/* True if the effect writes a buffer that the trainer leaves to others. */
static bool nn__plan_of_others(const nn_node *effect) {
    for (int i = 0; i < effect->input_count; i++)
        if (effect->inputs[i]->of_others && nn__writes(effect, i)) return true;
    return false;
}

/* Marks effects that the model describes (a running mean), and returns whether there were any. A
   training step includes every such effect whose inputs are wanted anyway.

   Until values are numbered, node->value is 0 for nodes that depend on no input, 1 if they
   depend on wanted inputs, -1 if they depend on an unwanted one. If a step is a backward pass
   and an update, an effect without inputs (a counter) belongs to the update, so that it happens
   once. */
static bool nn__plan_mark_effects(nn_node **nodes, int count, nn__plan_kind kind) {
    bool any = false;
    for (int i = 0; i < count; i++) {
        nn_node *node = nodes[i];
        int value = node->kind == NN__INPUT ? (node->wanted ? 1 : -1)
                    : node->owner           ? node->owner->value
                                            : 0;
        for (int j = 0; j < node->input_count && value >= 0; j++) {
            const int other = node->inputs[j]->value;
            if (other != 0) value = other;
        }
        node->value = value;
        if (value < (kind == NN__PLAN_BACKWARD) || !nn__is_model_effect(node) ||
            nn__plan_of_others(node))
            continue;
        node->wanted = any = true;
    }
    return any;
}
#endif

#ifndef NN__ONE_PIECE
/* Marks the effects that continue wanted states, and returns whether there were any new ones. The
   states stay 0 in a trainer's evaluation and in training that does not carry them. */
static bool nn__plan_mark_states(const nn_plan *plan, nn_node **nodes, int count) {
    bool any = false;
    if (plan->tape && (!plan->tape->carries || !plan->training)) return false;
    for (int i = 0; i < count; i++) {
        nn_node *node = nodes[i];
        if (node->wanted || !nn__continues(node) || !node->inputs[0]->wanted) continue;
        node->wanted = any = true;
    }
    return any;
}
#else
#define nn__plan_mark_states(plan, nodes, count) false
#endif

/* Sets node->wanted for the nodes that the targets need, and returns their number; without `nodes`
   it returns the number of all nodes. all: marks every node, since a model with faults is checked
   as a whole. */
static int nn__plan_mark(nn_plan *plan, nn_node **nodes, bool all) {
    int count = 0, wanted = 0;
    nn__graph *graphs[2];
    graphs[0] = &plan->net->graph;
    graphs[1] = plan->tape;
    for (int g = 0; g < 2; g++)
        for (nn_node *node = graphs[g] ? graphs[g]->first : NULL; node; node = node->next) {
            node->wanted = all;
            node->value = -1;
            if (nodes) nodes[count] = node;
            count++;
        }
    if (!nodes) return count;
    for (int i = 0; i < plan->target_count; i++) plan->targets[i]->wanted = true;
    nn__plan_reach(nodes, count, plan->training);
#ifndef NN_NO_TRAINING
    if (plan->training && nn__plan_mark_effects(nodes, count, plan->kind))
        nn__plan_reach(nodes, count, plan->training);
#endif
    while (nn__plan_mark_states(plan, nodes, count)) /* their values may read further states */
        nn__plan_reach(nodes, count, plan->training);
    for (int i = 0; i < count; i++)
        if (nodes[i]->wanted) nodes[wanted++] = nodes[i];
    return wanted;
}

static void nn__plan_value(nn_plan *plan, nn_node *node) {
    nn__value *value = &plan->values[plan->value_count];
    node->value = plan->value_count++;
    value->node = node;
    value->alias_of = -1;
    value->first = value->last = -1;
    value->given = node->remembers; /* has memory of its own until a tensor is bound */
    value->kept = node->keep && (node->kind == NN__OPERATION || node->kind == NN__OUTPUT);
    value->place = node->kind == NN__INPUT                                   ? NN__PLACE_INPUT
                   : node->kind == NN__OPERATION || node->kind == NN__OUTPUT ? NN__PLACE_ARENA
                                                                             : NN__PLACE_TENSOR;
#ifndef NN__ONE_PIECE
    value->takes = node->kind == NN__INPUT || node->remembers;
#endif
}

static bool nn__plan_is_alias(const nn_plan *plan, const nn_node *node) {
    const unsigned flags = NN__ALIAS | (plan->training ? 0u : (unsigned)NN__WHEN_TRAINING);
    return node->kind == NN__OPERATION && (node->rule->flags & flags);
}

#ifndef NN_NO_TRAINING
/* In the smallest programs, a kept value that views a parameter has the data from after the
   update. */
#ifndef NN__ONE_PIECE
static const nn__rule nn__rule_before = {
    "copy", NN_KERNEL_NONE, NN__TRANSFER, NN_ACTIVATION_NONE, NULL, NULL, NULL, NULL, NULL};

/* True if the value needs a copy. A loss or kept value that views a parameter or buffer is read
   after the update, but must show the data from before it. */
static bool nn__plan_outlives(const nn_plan *plan, const nn__value *value, int root) {
    const nn_node *leaf = plan->values[root].node;
    return plan->training && value->kept &&
           ((leaf->kind == NN__PARAMETER && !leaf->frozen) || leaf->kind == NN__BUFFER);
}

/* Makes the step that copies such a view, as a node of the plan. NULL: no memory. */
static nn_node *nn__plan_copy(nn_plan *plan, const nn_node *node) {
    nn_node *copy = (nn_node *)nn__arena_take(&plan->arena, sizeof *copy);
    if (!copy) return NULL;
    *copy = *node;
    copy->rule = &nn__rule_before;
    nn__set_operation(copy, nn__rule_before.name);
    copy->input_count = 1;
    copy->more = NULL;
    plan->nn->cross = nn__cross;
    return copy;
}
#endif
#endif
#if defined(NN_NO_TRAINING) || defined(NN__ONE_PIECE)
#define nn__plan_outlives(plan, value, root) ((void)(value), false)
#endif

/* A view uses the storage of its source. */
static void nn__plan_alias(nn_plan *plan, const nn_node *node) {
    nn__value *value = &plan->values[node->value];
    const int source = node->inputs[0]->value;
    const int root =
        plan->values[source].place == NN__PLACE_ALIAS ? plan->values[source].alias_of : source;
    if (nn__plan_outlives(plan, value, root)) return;
    value->place = NN__PLACE_ALIAS;
    value->alias_of = root;
}

static void nn__plan_step(nn_plan *plan, nn_node *node, int *inputs) {
    nn__step *step = &plan->steps[plan->step_count++];
    step->node = node;
    step->inputs = inputs;
    step->output = nn__has_effect(node) ? -1 : node->value;
    const nn_node *more = node->more;
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++, more = more ? more->more : NULL)
        step->more[k] = more && more->wanted ? more->value : -1;
    for (int i = 0; i < node->input_count; i++) {
        inputs[i] = node->inputs[i]->value;
        plan->values[inputs[i]].uses++;
    }
    step->device = nn__plan_device_of(plan, node);
}

/* Adds a device, in the order of first use. A full table means that one of the devices is not open,
   because a context has no more rows; the placement reports that. */
static void nn__plan_add_device(nn_plan *plan, nn_device device) {
    if (nn__find_plan_device(plan, device) >= 0 || plan->device_count == NN__PLAN_DEVICES) return;
    plan->devices[plan->device_count++].device = device;
}

/* Makes the steps in the order of the nodes, except that changes of states and of the model's
   buffers come last: a run reads the state from before it. slots: room for the operands' indices.
   False: no memory. */
static bool nn__plan_steps(nn_plan *plan, nn_node **nodes, int count, int *slots) {
    for (int late = 0; late < 2; late++)
        for (int i = 0; i < count; i++) {
            nn_node *node = nodes[i];
            const bool ends = nn__is_model_effect(node) || nn__continues(node);
            if (node->kind != NN__OPERATION || ends != (late == 1)) continue;
            if (plan->values[node->value].place == NN__PLACE_ALIAS) {
                plan->values[node->inputs[0]->value].uses++;
                continue;
            }
#if !defined(NN_NO_TRAINING) && !defined(NN__ONE_PIECE)
            if (nn__plan_is_alias(plan, node) && !(node = nn__plan_copy(plan, node))) return false;
#endif
            nn__plan_step(plan, node, slots);
            slots += node->input_count;
        }
    return true;
}

#ifndef NN_NO_SPEEDUPS
/* Returns the rank of a step: its index, or for an early step the highest rank among the writers of
   its operands; -1: before all steps. writer: of each storage, the rank of its last writer. */
static int nn__plan_rank(const nn_plan *plan, int s, int *writer) {
    const nn__step *step = &plan->steps[s];
    int rank = step->node->early ? -1 : s;
    for (int i = 0; i < step->node->input_count && step->node->early; i++)
        rank = nn__maxi(rank, writer[nn__root(plan, step->inputs[i]) - plan->values]);
    for (int k = -1; k < NN__MAX_OUTPUTS - 1; k++) {
        const int output = k < 0 ? step->output : step->more[k];
        if (output >= 0) writer[nn__root(plan, output) - plan->values] = rank;
    }
    for (int i = 0; i < step->node->input_count; i++)
        if (nn__writes(step->node, i))
            writer[nn__root(plan, step->inputs[i]) - plan->values] = rank;
    return rank;
}

/* Moves early steps to right after the last step that they depend on. Others can then use their
   results while the plan runs, and their operands die sooner. False: no memory. */
static bool nn__plan_hoist(nn_plan *plan) {
    const int count = plan->step_count, values = plan->value_count;
    int *writer, *first, *next, placed = 0, early = 0;
    nn__step *steps;
    for (int s = 0; s < count; s++) early += plan->steps[s].node->early;
    if (early == 0) return true;
    writer = (int *)nn__arena_take(&plan->arena, sizeof *writer * (size_t)values);
    next = (int *)nn__arena_take(&plan->arena, sizeof *next * (size_t)(2 * count + 1));
    steps = (nn__step *)nn__arena_take(&plan->arena, sizeof *steps * (size_t)count);
    if (!writer || !next || !steps) return false;
    first = next + count; /* for each step from -1 on, the list of early steps that follow it */
    for (int i = 0; i < values; i++) writer[i] = -1;
    for (int i = 0; i <= count; i++) first[i] = -1;
    for (int s = 0; s < count; s++) {
        int *last = &first[nn__plan_rank(plan, s, writer) + 1];
        if (!plan->steps[s].node->early) continue;
        while (*last >= 0) last = &next[*last];
        *last = s;
        next[s] = -1;
    }
    for (int r = -1; r < count; r++) {
        if (r >= 0 && !plan->steps[r].node->early) steps[placed++] = plan->steps[r];
        for (int s = first[r + 1]; s >= 0; s = next[s]) steps[placed++] = plan->steps[s];
    }
    memcpy(plan->steps, steps, sizeof *steps * (size_t)count);
    return true;
}
#else
#define nn__plan_hoist(plan) true
#endif

NN_PRIVATE bool nn__plan_collect(nn_plan *plan, bool all) {
    int count = nn__plan_mark(plan, NULL, all), inputs = 0, operations = 0;
#ifndef NN_NO_SPEEDUPS
    /* the most inputs of a step: passes make steps with more inputs than their nodes have */
    int most = nn__maxi(NN_PROGRAM_INPUTS, nn__maxi(NN__SEPARABLE_INPUTS, NN__WHOLE_INPUTS));
#else
    int most = 1;
#endif
    nn_node **nodes = (nn_node **)nn__arena_take(&plan->arena, sizeof(nn_node *) * (size_t)count);
    if (!nodes) return false;
    count = nn__plan_mark(plan, nodes, all);
    for (int i = 0; i < count; i++) {
        inputs += nodes[i]->input_count;
        operations +=
            nodes[i]->kind == NN__OPERATION &&
            (plan->training || !nn__plan_is_alias(plan, nodes[i]));
        most = nn__maxi(most, nodes[i]->input_count);
    }
    plan->values = (nn__value *)nn__arena_take(&plan->arena, sizeof(nn__value) * (size_t)count);
    plan->steps =
        (nn__step *)nn__arena_take(&plan->arena, sizeof(nn__step) * (size_t)operations);
    plan->views = (nn_view *)nn__arena_take(&plan->arena, sizeof(nn_view) * (size_t)most);
#ifndef NN_NO_SPEEDUPS
    plan->view_room = most;
#endif
    int *slots = (int *)nn__arena_take(&plan->arena, sizeof(int) * (size_t)inputs);
    if (!plan->values || !plan->steps || !plan->views || !slots) return false;
    for (int i = 0; i < count; i++) {
        plan->streams |= !plan->training && nn__is_state(nodes[i]);
        nn__plan_value(plan, nodes[i]);
        nn__plan_add_device(plan, nodes[i]->device);
    }
    for (int i = 0; i < plan->target_count; i++) plan->values[plan->targets[i]->value].kept = true;
    for (int i = 0; i < count; i++)
        if (nn__plan_is_alias(plan, nodes[i])) nn__plan_alias(plan, nodes[i]);
    return nn__plan_steps(plan, nodes, count, slots) && nn__plan_hoist(plan);
}

/* Turns an activation into the epilogue of the product or convolution whose result it alone
   reads. */
NN_PRIVATE void nn__plan_fuse(nn_plan *plan) {
    int kept = 0;
    for (int i = 0; i < plan->step_count; i++) {
        nn__step *step = &plan->steps[i];
        if (step->output >= 0)
            plan->values[step->output].first = i; /* the producing step, until the layout is made */
        if (step->node->rule->fuses == NN_ACTIVATION_NONE) continue;
        nn__value *between = &plan->values[step->inputs[0]];
        if (between->uses != 1 || between->kept || between->place != NN__PLACE_ARENA ||
            between->first < 0)
            continue;
        nn__step *producer = &plan->steps[between->first];
        if (!(producer->node->rule->flags & NN__EPILOGUE) || producer->device != step->device ||
            producer->fused)
            continue;
        producer->activation = step->node->rule->fuses;
        producer->fused = step->node;
        producer->output = step->output;
        between->uses = 0;
        step->device = -1; /* marks it as gone */
    }
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].device >= 0) plan->steps[kept++] = plan->steps[i];
    plan->step_count = kept;
}
