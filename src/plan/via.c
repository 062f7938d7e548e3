/* plan/via.c - runs operations that a device does not support on the CPU, if .on_unsupported is
   NN_UNSUPPORTED_VIA_CPU. Their operands are downloaded and their results uploaded, by steps and
   values of the plan like those of nn_transfer. The nodes made here belong to the plan, because
   other plans share the graph. plan/placement.c chooses the steps. */
#include "plan/private.h"

#ifndef NN_NO_REPORTS /* a detour must be visible in a report */

static const nn__rule nn__rule_via = {"transfer",
                                      NN_KERNEL_NONE,
                                      NN__TRANSFER | NN__ANY_DTYPE,
                                      NN_ACTIVATION_NONE,
                                      NULL,
                                      NULL,
                                      NULL,
                                      NULL,
                                      NULL};

typedef struct nn__via {
    nn_plan *plan;
    nn__step *step;      /* the original step */
    nn_node *nodes;      /* room for new nodes */
    nn_node **operands;  /* room for the inputs of new nodes */
    int *slots;          /* room for the inputs of new steps */
    int *copies;         /* by value: its copy on the CPU, or -1 */
    int words; /* index in `copies` of the status words, one for each device of the plan */
    int on;              /* the CPU's index in the plan */
} nn__via;

/* Makes a node that belongs to the plan and resembles another one. */
static nn_node *nn__via_node(nn__via *via, const nn_node *like, nn_device device) {
    char name[NN_NAME_BYTES], text[16];
    const char *host = nn_format_device(nn__detour(), text, sizeof text);
    nn_node *node = via->nodes++;
    *node = *like;
    node->device = device;
    node->next = node->more = node->owner = NULL;
    node->keep = false;
    node->site = via->step->node->site;
    nn__format(name, sizeof name, "%.*s via %s", NN_NAME_BYTES - 6 - (int)strlen(host), like->name,
               host);
    node->name = nn__arena_text(&via->plan->arena, name);
    if (!node->name) node->name = like->name;
    return node;
}

static int nn__via_value(nn__via *via, nn_node *node, nn__value_place place) {
    nn__value *value = &via->plan->values[via->plan->value_count];
    memset(value, 0, sizeof *value);
    value->node = node;
    value->place = place;
    value->alias_of = value->first = value->last = -1;
    return via->plan->value_count++;
}

/* Adds the step that copies value `from` to value `to`. `node` becomes its node. */
static void nn__via_cross(nn__via *via, nn_node *node, int from, int to) {
    nn__step *step = &via->plan->steps[via->plan->step_count++];
    memset(step, 0, sizeof *step);
    node->kind = NN__OPERATION;
    node->rule = &nn__rule_via;
    node->operation = nn__rule_via.name;
    node->inputs = via->operands++;
    node->inputs[0] = via->plan->values[from].node;
    node->input_count = 1;
    node->tensor = node->source = NULL;
    node->roles = NULL;
    step->node = node;
    step->inputs = via->slots++;
    step->inputs[0] = from;
    step->output = to;
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++) step->more[k] = -1;
    step->device = nn__find_plan_device(via->plan, node->device);
    step->via = via->step->via;
    via->plan->values[from].uses++;
}

/* Returns the copy of a value on the CPU, and downloads it if needed. */
static int nn__via_down(nn__via *via, int value) {
    if (via->copies[value] >= 0) return via->copies[value];
    nn_node *node = nn__via_node(via, via->plan->values[value].node, nn__detour());
    int copy = via->copies[value] = nn__via_value(via, node, NN__PLACE_ARENA);
    nn__via_cross(via, node, value, copy);
    return copy;
}

static void nn__via_up(nn__via *via, int copy, int value) {
    const nn_node *node = via->plan->values[value].node;
    nn__via_cross(via, nn__via_node(via, node, node->device), copy, value);
}

/* Returns the CPU's value for a result that is uploaded to `value`. */
static int nn__via_result(nn__via *via, int value) {
    nn_node *node = nn__via_node(via, via->plan->values[value].node, nn__detour());
    return via->copies[value] = nn__via_value(via, node, NN__PLACE_ARENA);
}

/* Returns the status word of the step's device as a value. */
static int nn__via_word(nn__via *via) {
    nn__plan_device *device = &via->plan->devices[via->step->device];
    int *word = &via->copies[via->words + via->step->device];
    nn_node *node;
    device->uses_status = true;
    if (*word >= 0) return *word;
    node = via->nodes++;
    memset(node, 0, sizeof *node);
    node->graph = via->step->node->graph;
    node->kind = NN__STATE;
    node->name = node->operation = "status";
    node->dtype = NN_I32;
    node->device = device->device;
    return *word = nn__via_value(via, node, NN__PLACE_STATUS);
}

/* Adds the operation on the CPU, with the transfers before and after it. The device's status word
   crosses too. It stays the only one for this step, so a fault stops the updates there. */
static void nn__via_step(nn__via *via) {
    nn_plan *plan = via->plan;
    const nn__step *from = via->step;
    const unsigned flags = from->node->rule->flags;
    const int count = from->node->input_count, output = from->output;
    int *inputs = via->slots, word = -1, status = 0;
    nn_node *node = via->nodes++;
    nn__step *step;
    via->slots += count;
    for (int i = 0; i < count; i++) inputs[i] = nn__via_down(via, from->inputs[i]);
    if (flags & NN__STATUS) {
        word = nn__via_word(via);
        nn_node *copy = nn__via_node(via, plan->values[word].node, nn__detour());
        status = nn__via_value(via, copy, NN__PLACE_ARENA);
        nn__via_cross(via, copy, word, status);
    }
    step = &plan->steps[plan->step_count++];
    *step = *from;
    *node = *from->node;
    node->device = nn__detour();
    step->node = node;
    step->inputs = inputs;
    step->device = via->on;
    step->status = status;
    if (output >= 0) step->output = nn__via_result(via, output);
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++)
        if (from->more[k] >= 0) step->more[k] = nn__via_result(via, from->more[k]);
    if (output >= 0) nn__via_up(via, step->output, output);
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++)
        if (from->more[k] >= 0) nn__via_up(via, step->more[k], from->more[k]);
    if (word >= 0) nn__via_up(via, status, word);
    for (int i = 0; i < count; i++) {
        int value = from->inputs[i];
        if (!nn__writes(from->node, i) || via->copies[value] < 0)
            continue; /* the same operand occurs twice */
        nn__via_up(via, inputs[i], value);
        via->copies[value] = -1;
    }
}

NN_PRIVATE bool nn__plan_detours(nn_plan *plan) {
    nn__arena *arena = &plan->arena;
    const nn__step *steps = plan->steps;
    const nn__value *values = plan->values;
    const int step_count = plan->step_count, value_count = plan->value_count;
    size_t crossings = 0, operands = 0;
    nn__via via;
    memset(&via, 0, sizeof via);
    for (int i = 0; i < step_count; i++) {
        if (!steps[i].via) continue;
        operands += (size_t)steps[i].node->input_count;
        crossings += 2 * (size_t)steps[i].node->input_count + NN__MAX_OUTPUTS +
                     2; /* outputs; the status word twice */
    }
    if (crossings == 0) return true;
    const size_t copies = (size_t)value_count + NN_MAX_DEVICES;
    const size_t fresh =
        2 *
        crossings; /* each has a value and a node; each step needs one more node, and its status
                      word too */
    via.plan = plan;
    via.words = value_count;
    via.on = nn__find_plan_device(plan, nn__detour());
    via.nodes = (nn_node *)nn__arena_take(arena, sizeof(nn_node) * fresh);
    via.operands = (nn_node **)nn__arena_take(arena, sizeof(nn_node *) * fresh);
    via.slots = (int *)nn__arena_take(arena, sizeof(int) * (operands + fresh));
    via.copies = (int *)nn__arena_take(arena, sizeof(int) * copies);
    nn__step *more_steps =
        (nn__step *)nn__arena_take(arena, sizeof *steps * ((size_t)step_count + crossings));
    nn__value *more_values =
        (nn__value *)nn__arena_take(arena, sizeof *values * ((size_t)value_count + fresh));
    if (!via.nodes || !via.operands || !via.slots || !via.copies || !more_steps || !more_values)
        return false; /* plan->steps and plan->values are unchanged and can be freed */
    if (via.on < 0) {
        if (plan->device_count == NN_MAX_DEVICES) return false;
        via.on = plan->device_count++;
        plan->devices[via.on].device = nn__detour();
    }
    plan->steps = more_steps;
    plan->values = more_values;
    memcpy(plan->values, values, sizeof *values * (size_t)value_count);
    for (size_t i = 0; i < copies; i++) via.copies[i] = -1;
    plan->step_count = 0;
    for (int i = 0; i < step_count; i++) {
        nn__step step = steps[i];
        via.step = &step;
        if (step.via) {
            nn__via_step(&via);
            continue;
        }
        plan->steps[plan->step_count++] = step;
        for (int k = 0; k < step.node->input_count; k++)
            if (nn__writes(step.node, k)) via.copies[step.inputs[k]] = -1;
    }
    plan->nn->cross = nn__cross;
    return true;
}

#endif

typedef int nn__via_part; /* a part must not be empty under NN_NO_REPORTS */
