/* plan/join.c - joins consecutive pointwise programs into one step, so that the values between them
   need not be stored. A value that is also read elsewhere becomes a further output. A step is
   joined with its reader if no step between them conflicts with the later position, and if the
   memory does not grow.

   Activations that became epilogues are no longer steps at this point. Joining changes no bytes:
   a program evaluates each instruction separately. */
#include "ops/program.h"
#include "plan/private.h"

#ifndef NN_NO_SPEEDUPS /* firmware saves the code; its steps stay separate */

typedef struct nn__join {
    nn_plan *plan;
    int *producer; /* of each value: the step that writes it; -1: none */
    /* of each storage: the first and the last step that read it; -1: none */
    int *first, *last;
    int *slot; /* of each storage: the head of its list of readers (below); -1: none */
    /* of each slot: a reading step, and the next slot of the same storage; -1: none */
    int *reader, *next;
    int *effects; /* of each step: the number of earlier steps that write into their operands */
    nn__draft draft;
} nn__join;

static int nn__join_root(const nn_plan *plan, int value) {
    return plan->values[value].place == NN__PLACE_ALIAS ? plan->values[value].alias_of : value;
}

static int nn__join_output(const nn__step *step, int k) {
    return k ? step->more[k - 1] : step->output;
}

static const nn__program_params *nn__join_params(const nn__step *step) {
    return (const nn__program_params *)step->node->params;
}

static uint64_t nn__join_bytes(const nn_plan *plan, int value) {
    return nn__node_bytes(plan->values[value].node, plan->desc.batch, plan->desc.time);
}

/* True if the value is still needed after its producer is joined with `reader`, its first
   reader. */
static bool nn__join_stays(const nn__join *join, int value, int reader) {
    const nn__value *v = &join->plan->values[value];
    if (v->kept || join->last[value] > reader) return true;
    int read = 0;
    const nn__step *step = &join->plan->steps[reader];
    for (int i = 0; i < step->node->input_count; i++) read += step->inputs[i] == value;
    return read != v->uses; /* else an alias reads it */
}

/* True if the step reads the value through an alias, such as a reshape or detach. After a join,
   that input would be read before the joined step has written it. */
static bool nn__join_reads_alias(const nn_plan *plan, const nn__step *step, int value) {
    for (int i = 0; i < step->node->input_count; i++)
        if (step->inputs[i] != value && nn__join_root(plan, step->inputs[i]) == value) return true;
    return false;
}

/* True if a step runs between p and c. Joining them would then keep the inputs of p longer. */
static bool nn__join_waits(const nn_plan *plan, int p, int c) {
    for (int s = p + 1; s < c; s++)
        if (plan->steps[s].device >= 0) return true; /* the step is not left out */
    return false;
}

/* True if step p may run as part of step c. */
static bool nn__join_may(const nn__join *join, int p, int c) {
    const nn_plan *plan = join->plan;
    const nn__step *from = &plan->steps[p], *to = &plan->steps[c];
    uint64_t saved = 0, added = 0;
    if (from->device < 0 || from->device != to->device || !nn__is_program(from->node)) return false;
    if (join->effects[p] != join->effects[c]) return false;
    if (nn__program_is_random(&nn__join_params(from)->program) &&
        nn__program_is_random(&nn__join_params(to)->program))
        return false;
    for (int k = 0; k < NN__MAX_OUTPUTS; k++) {
        int value = nn__join_output(from, k);
        if (value < 0) continue;
        const nn__value *v = &plan->values[value];
        if (v->place != NN__PLACE_ARENA || (join->first[value] >= 0 && join->first[value] < c))
            return false;
        if (!nn_same_shape(v->node->shape, plan->values[to->output].node->shape) ||
            v->node->dtype != NN_F32)
            return false;
        if (nn__join_reads_alias(plan, to, value)) return false;
        if (!nn__join_stays(join, value, c)) saved += nn__join_bytes(plan, value);
    }
    for (int i = 0; i < from->node->input_count; i++) {
        int value = nn__join_root(plan, from->inputs[i]);
        bool seen = false;
        for (int j = 0; j < i; j++) seen = seen || nn__join_root(plan, from->inputs[j]) == value;
        if (!seen && plan->values[value].place == NN__PLACE_ARENA && !plan->values[value].kept &&
            join->last[value] < c)
            added += nn__join_bytes(plan, value);
    }
    return added <= saved || !nn__join_waits(plan, p, c);
}

/* The joined step under construction. */
typedef struct nn__joined {
    int inputs[NN__DRAFT_INPUTS], outputs[NN__MAX_OUTPUTS];
    int input_count, output_count;
    float numbers[2 * NN_PROGRAM_SCALARS];
    int number_count;
    nn_instruction code[NN_PROGRAM_LENGTH];
    uint8_t from[NN_PROGRAM_INPUTS], scalars[NN_PROGRAM_SCALARS];
    nn__program_params params;
} nn__joined;

/* Appends the program of a step. Its inputs are inputs of the joined program, or results of
   `before`. */
static bool nn__join_append(nn__join *join, nn__joined *made, const nn__step *step,
                            const nn__step *before, const int *computed, int *places) {
    const nn__program_params *params = nn__join_params(step);
    int inputs[NN_PROGRAM_INPUTS], scalars[NN_PROGRAM_SCALARS];
    for (int i = 0; i < params->program.input_count; i++) {
        int k = 0, value = step->inputs[i];
        while (before && k < NN__MAX_OUTPUTS && nn__join_output(before, k) != value) k++;
        if (before && k < NN__MAX_OUTPUTS) {
            inputs[i] = computed[k];
            continue;
        }
        for (k = 0; k < made->input_count && made->inputs[k] != value;) k++;
        if (k == made->input_count) made->inputs[made->input_count++] = value;
        inputs[i] = nn__draft_input(&join->draft, k);
    }
    for (int i = 0; i < params->program.scalar_count; i++) {
        made->numbers[made->number_count] = params->scalars[i];
        scalars[i] = nn__draft_scalar(&join->draft, made->number_count++);
    }
    return nn__draft_merge(&join->draft, &params->program, inputs, scalars, places);
}

static bool nn__join_program(nn__join *join, nn__joined *made, int p, int c) {
    const nn__step *from = &join->plan->steps[p], *to = &join->plan->steps[c];
    int first[NN__MAX_OUTPUTS], second[NN__MAX_OUTPUTS];
    memset(made, 0, sizeof *made);
    nn__draft_begin(&join->draft);
    if (!nn__join_append(join, made, from, NULL, NULL, first) ||
        !nn__join_append(join, made, to, from, first, second))
        return false;
    for (int k = 0; k < nn__join_params(to)->program.output_count; k++) {
        if (nn__join_output(to, k) < 0) continue;
        if (!nn__draft_output(&join->draft, second[k])) return false;
        made->outputs[made->output_count++] = nn__join_output(to, k);
    }
    for (int k = 0; k < nn__join_params(from)->program.output_count; k++) {
        int value = nn__join_output(from, k);
        if (value < 0 || !nn__join_stays(join, value, c)) continue;
        if (!nn__draft_output(&join->draft, first[k])) return false;
        made->outputs[made->output_count++] = value;
    }
    if (!nn__draft_finish(&join->draft, made->code, &made->params.program, made->from,
                          made->scalars))
        return false;
    for (int i = 0; i < made->params.program.scalar_count; i++)
        made->params.scalars[i] = made->numbers[made->scalars[i]];
    made->params.stream = nn__program_is_random(&nn__join_params(from)->program)
                              ? nn__join_params(from)->stream
                              : nn__join_params(to)->stream;
    return true;
}

/* Makes the node of a joined step, which belongs to no graph. Its rule is named after both: "silu +
   elu". */
static nn_node *nn__join_node(nn_plan *plan, const nn__joined *made, const nn__step *from,
                              const nn__step *to) {
    char name[64];
    const nn_program *program = &made->params.program;
    nn_node *node = (nn_node *)nn__arena_take(&plan->arena, sizeof *node);
    nn__rule *rule = (nn__rule *)nn__arena_take(&plan->arena, sizeof *rule);
    nn__program_params *params = (nn__program_params *)nn__arena_take(&plan->arena, sizeof *params);
    nn_instruction *code =
        (nn_instruction *)nn__arena_take(&plan->arena, sizeof(nn_instruction) * program->count);
    nn_node **inputs =
        (nn_node **)nn__arena_take(&plan->arena, sizeof(nn_node *) * NN_PROGRAM_INPUTS);
    if (!node || !rule || !params || !code || !inputs) return NULL;
    memcpy(code, made->code, sizeof(nn_instruction) * program->count);
    *params = made->params;
    params->program.code = code;
    *rule = *to->node->rule;
    rule->flags |= from->node->rule->flags & NN__DYNAMIC;
    rule->fuses = NN_ACTIVATION_NONE;
    rule->flops = nn__op_program_flops;
    size_t length =
        nn__join_text(name, sizeof name, from->node->rule->name, " + ", to->node->rule->name);
    if (length >= sizeof rule->name) memcpy(name + sizeof rule->name - 4, "...", 4);
    nn__copy_text(rule->name, sizeof rule->name, name);
    *node = *to->node;
    node->rule = rule;
    node->operation = nn__arena_text(&plan->arena, name);
    if (!node->operation) node->operation = rule->name;
    node->params = params;
    node->roles = NULL;
    node->more = NULL;
    node->inputs = inputs;
    node->input_count = program->input_count;
    for (int i = 0; i < program->input_count; i++)
        inputs[i] = plan->values[made->inputs[made->from[i]]].node;
    return node;
}

/* Swaps to the front an input whose storage the result can reuse: one of the same shape that
   nothing reads later. */
static void nn__join_first_input(const nn__join *join, nn__joined *made, int c) {
    const nn_plan *plan = join->plan;
    const nn_node *result = plan->values[made->outputs[0]].node;
    for (int i = 0; i < made->params.program.input_count; i++) {
        int value = made->inputs[made->from[i]];
        const nn__value *v = &plan->values[value];
        if (v->place != NN__PLACE_ARENA || v->kept || join->last[value] > c ||
            !nn_same_shape(v->node->shape, result->shape))
            continue;
        uint8_t other = made->from[0];
        made->from[0] = made->from[i];
        made->from[i] = other;
        for (int k = 0; k < made->params.program.count; k++)
            if (made->code[k].code == NN_CODE_INPUT &&
                (made->code[k].a == 0 || made->code[k].a == i))
                made->code[k].a = (uint8_t)(made->code[k].a == 0 ? i : 0);
        return;
    }
}

/* Returns the earliest reader of a value's storage that comes after step `after`; -1: none. */
static int nn__join_reader(const nn__join *join, int root, int after) {
    int least = -1;
    for (int slot = join->slot[root]; slot >= 0; slot = join->next[slot])
        if (join->reader[slot] > after && (least < 0 || join->reader[slot] < least))
            least = join->reader[slot];
    return least;
}

/* Step c takes over the reads of p. Other readers may stand between the two. */
static void nn__join_move_reader(nn__join *join, int root, int p, int c) {
    for (int slot = join->slot[root]; slot >= 0; slot = join->next[slot])
        if (join->reader[slot] == p) join->reader[slot] = c;
    if (join->first[root] == p) join->first[root] = nn__join_reader(join, root, -1);
}

/* Joins step p into step c. False: no memory. */
static bool nn__join_steps(nn__join *join, nn__joined *made, int p, int c) {
    nn_plan *plan = join->plan;
    nn__step *from = &plan->steps[p], *to = &plan->steps[c];
    nn__join_first_input(join, made, c);
    nn_node *node = nn__join_node(plan, made, from, to);
    int *inputs = (int *)nn__arena_take(&plan->arena, sizeof(int) * NN_PROGRAM_INPUTS);
    if (!node || !inputs) return false;
    for (int i = 0; i < to->node->input_count; i++) plan->values[to->inputs[i]].uses--;
    for (int i = 0; i < from->node->input_count; i++) {
        plan->values[from->inputs[i]].uses--;
        nn__join_move_reader(join, nn__join_root(plan, from->inputs[i]), p, c);
    }
    for (int i = 0; i < node->input_count; i++) {
        int value = inputs[i] = made->inputs[made->from[i]], root = nn__join_root(plan, value);
        plan->values[value].uses++;
        if (join->last[root] < c) join->last[root] = c;
    }
    for (int k = 0; k < NN__MAX_OUTPUTS; k++) {
        int value = k < made->output_count ? made->outputs[k] : -1;
        if (k == 0)
            to->output = value;
        else
            to->more[k - 1] = value;
        if (value < 0) continue;
        join->producer[value] = c;
        join->first[value] = nn__join_reader(join, value, c);
    }
    to->node = node;
    to->inputs = inputs;
    from->device = -1; /* marks it as gone */
    return true;
}

static void nn__join_readers(nn__join *join) {
    nn_plan *plan = join->plan;
    int effects = 0, slot = 0;
    for (int i = 0; i < plan->value_count; i++)
        join->producer[i] = join->first[i] = join->last[i] = join->slot[i] = -1;
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        join->effects[s] = effects;
        effects += nn__has_effect(step->node);
        for (int i = 0; i < step->node->input_count; i++) {
            int root = nn__join_root(plan, step->inputs[i]);
            if (join->first[root] < 0) join->first[root] = s;
            join->last[root] = s;
            slot++;
        }
        for (int k = 0; k < NN__MAX_OUTPUTS; k++)
            if (nn__join_output(step, k) >= 0) join->producer[nn__join_output(step, k)] = s;
    }
    for (int s = plan->step_count - 1; s >= 0; s--)
        for (int i = plan->steps[s].node->input_count - 1; i >= 0; i--) {
            int root = nn__join_root(plan, plan->steps[s].inputs[i]);
            join->reader[--slot] = s;
            join->next[slot] = join->slot[root];
            join->slot[root] = slot;
        }
    for (int i = 0; i < plan->value_count; i++) /* keeping an alias keeps its storage */
        if (plan->values[i].kept && plan->values[i].place == NN__PLACE_ALIAS)
            join->last[plan->values[i].alias_of] = NN__KEPT;
}

NN_PRIVATE bool nn__plan_join(nn_plan *plan) {
    nn__memory *memory = &plan->nn->memory;
    size_t values = (size_t)plan->value_count, steps = (size_t)plan->step_count;
    size_t slots = 0;
    for (size_t s = 0; s < steps; s++) slots += (size_t)plan->steps[s].node->input_count;
    size_t bytes =
        sizeof(nn__join) + sizeof(nn__joined) + sizeof(int) * (4 * values + steps + 2 * slots);
    nn__join *join = (nn__join *)nn__allocate(memory, bytes);
    bool fine = true;
    int kept = 0;
    if (!join) return false;
    nn__joined *made = (nn__joined *)(void *)(join + 1);
    join->plan = plan;
    join->producer = (int *)(void *)(made + 1);
    join->first = join->producer + values;
    join->last = join->first + values;
    join->slot = join->last + values;
    join->effects = join->slot + values;
    join->reader = join->effects + steps;
    join->next = join->reader + slots;
    nn__join_readers(join);
    for (int c = 0; fine && c < plan->step_count; c++) {
        bool grown = nn__is_program(plan->steps[c].node) && plan->steps[c].output >= 0;
        while (fine && grown) {
            const nn__step *step = &plan->steps[c];
            grown = false;
            for (int i = step->node->input_count - 1; fine && !grown && i >= 0; i--) {
                int p = join->producer[step->inputs[i]];
                if (p < 0 || !nn__join_may(join, p, c) || !nn__join_program(join, made, p, c))
                    continue;
                fine = nn__join_steps(join, made, p, c);
                grown = true;
            }
        }
    }
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].device >= 0) plan->steps[kept++] = plan->steps[i];
    plan->step_count = kept;
    nn__release(memory, join, bytes);
    return fine;
}

#endif
