/* train/carry.c - states that a trainer carries from step to step (nn_trainer_desc.carry_states).
   The trainer owns a tensor for each state of the net, so they move and are saved with its moments;
   its plan for steps is bound to them. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

NN_PRIVATE bool nn__describe_carried(nn_trainer *trainer) {
    nn__graph *tape = &trainer->tape;
    int count = 0;
    if (!trainer->desc.carry_states) return true;
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        count += nn__is_state(node);
    trainer->carried = (nn__carried_state *)nn__arena_take(
        &tape->arena, sizeof *trainer->carried * (size_t)nn__maxi(count, 1));
    if (!trainer->carried) return nn__describe_no_memory(trainer);
    for (nn_node *node = trainer->net->graph.first; node; node = node->next) {
        nn__carried_state *carried = &trainer->carried[trainer->carried_count];
        nn_shape shape;
        if (!nn__is_state(node)) continue;
        nn__resolve_shape(&shape, &node->shape, trainer->desc.batch, trainer->desc.time);
        carried->of = node;
        carried->state =
            nn__add_leaf(tape, trainer->site, NN__STATE, node->name, node->dtype, &shape);
        if (carried->state->poisoned) return nn__describe_no_memory(trainer);
        nn__place_like(carried->state, node);
        trainer->carried_count++;
    }
    return true;
}

NN_PRIVATE void nn__carry_bind(const nn_trainer *trainer, nn_plan *plan, nn_site site) {
    for (int i = 0; i < trainer->carried_count; i++) {
        nn_tensor *tensor = trainer->carried[i].state->tensor;
        const int at = nn__find_value(plan, trainer->carried[i].of);
        if (at < 0 || !tensor) continue; /* the loss does not read it, or a dry run */
        nn__value *value = &plan->values[at];
        nn__use_tensor(tensor, "nn_make_trainer", site);
        value->bound = tensor;
        value->given = true;
        value->checked = false;
        nn__value_given_at(value, site);
    }
}

#endif

typedef int nn__train_carry_part; /* a part must not be empty under NN__NO_TRAINER */
