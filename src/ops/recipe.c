/* ops/recipe.c - the node of an optimizer that is a pointwise program from ops/optimizers.txt.
   Nothing here depends on a particular optimizer. Plain SGD, Adam and AdamW have a kernel of
   their own (ops/update.c). */
#include "base/functions.h"
#include "ops/recipe.h"

#ifndef NN__NO_TRAINER

#include <math.h>

typedef struct nn__recipe_params {
    nn__recipe_settings settings;
    /* `count` items in the graph's arena; each lowering fills in the views */
    nn_program_item *items;
    int32_t count, others;
    bool scaled;
    nn_program program; /* the recipe's, with the steps before it */
    nn_program_recipe whole; /* what devices need to know about it */
    int64_t product_step; /* of values.mu_product; 0: not computed yet */
} nn__recipe_params;

NN_PRIVATE double nn__decimal(float number) {
    double decimal = floor((double)number * 1e7 + 0.5) / 1e7;
    return (float)decimal == number ? decimal : (double)number;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Puts scaling, clamping and weight decay of the gradients before the recipe. False: too long. */
static bool nn__recipe_make(nn__recipe_params *p, nn_instruction *code) {
    const nn__recipe_settings *settings = &p->settings;
    const nn_program *core = &settings->recipe->program;
    const int own = core->scalar_count;
    int inputs[NN_PROGRAM_INPUTS], scalars[NN_PROGRAM_SCALARS], outputs[NN_PROGRAM_OUTPUTS];
    nn__draft draft;
    nn__draft_begin(&draft);
    for (int i = 0; i < core->input_count; i++) inputs[i] = nn__draft_input(&draft, i);
    for (int i = 0; i < own; i++) scalars[i] = nn__draft_scalar(&draft, i);
    p->whole.line = (uint8_t)settings->recipe->line;
    p->whole.inputs = core->input_count;
    p->whole.scalars = core->scalar_count;
    if (p->scaled) {
        p->whole.steps |= NN_RECIPE_SCALED;
        inputs[1] = nn__draft_append(&draft, NN_CODE_MULTIPLY, inputs[1],
                                     nn__draft_input(&draft, core->input_count), 0);
    }
    if (settings->max_value > 0.0f) {
        p->whole.steps |= NN_RECIPE_CLAMPED;
        inputs[1] = nn__draft_append(&draft, NN_CODE_CLAMP, inputs[1],
                                     nn__draft_scalar(&draft, own + NN_RECIPE_LOW),
                                     nn__draft_scalar(&draft, own + NN_RECIPE_HIGH));
    }
    if (settings->weight_decay != 0.0 && !settings->decoupled) {
        p->whole.steps |= NN_RECIPE_DECAYED;
        int decay = nn__draft_scalar(&draft, own + NN_RECIPE_DECAY);
        decay = nn__draft_append(&draft, NN_CODE_MULTIPLY, decay, inputs[0], 0);
        inputs[1] = nn__draft_append(&draft, NN_CODE_ADD, inputs[1], decay, 0);
    } else if (settings->weight_decay != 0.0) {
        p->whole.steps |= NN_RECIPE_SHRUNK;
        inputs[0] = nn__draft_append(&draft, NN_CODE_MULTIPLY, inputs[0],
                                     nn__draft_scalar(&draft, own + NN_RECIPE_SHRINK), 0);
    }
    if (!nn__draft_merge(&draft, core, inputs, scalars, outputs)) return false;
    for (int k = 0; k < core->output_count; k++) nn__draft_output(&draft, outputs[k]);
    return nn__draft_finish(&draft, code, &p->program, p->whole.input_of,
                            p->whole.scalar_of);
}

/* ---- rule ------------------------------------------------------------------------------------ */

/* NAdam's product of momenta gets one factor for each step. It starts again if the step goes
   back, and is not continued once it is 0. */
static void nn__recipe_product(nn__recipe_params *p, int64_t step) {
    nn__recipe_values *v = &p->settings.values;
    if (p->product_step == 0 || p->product_step > step) {
        v->mu_product = 1.0;
        p->product_step = 0;
    }
    for (; p->product_step < step && v->mu_product != 0.0; p->product_step++)
        v->mu_product *= v->beta1 * (1.0 - 0.5 * nn__pow(0.96, (double)(p->product_step + 1) *
                                                               v->momentum_decay));
    p->product_step = step;
}

static void nn__recipe_scalars(nn__recipe_params *p, const nn__run_values *run, float *to) {
    const nn__recipe_settings *settings = &p->settings;
    const int own = settings->recipe->program.scalar_count;
    nn__recipe_values values;
    float all[NN_PROGRAM_SCALARS + NN_RECIPE_NUMBERS];
    nn__recipe_product(p, run->step);
    values = settings->values;
    values.rate *= nn__decimal(run->learning_rate);
    values.t = (double)run->step;
    settings->recipe->numbers(&values, all);
    all[own + NN_RECIPE_DECAY] = (float)settings->weight_decay;
    all[own + NN_RECIPE_SHRINK] = (float)(1.0 - values.rate * settings->weight_decay);
    all[own + NN_RECIPE_LOW] = -settings->max_value;
    all[own + NN_RECIPE_HIGH] = settings->max_value;
    for (int i = 0; i < p->program.scalar_count; i++) to[i] = all[p->whole.scalar_of[i]];
}

static void nn__recipe_lower(const nn_node *node, const nn__lowering *lowering,
                             nn__args *arguments) {
    nn__recipe_params *p = (nn__recipe_params *)node->params;
    const int states = p->settings.recipe->state_count, each = 2 + states + p->others;
    nn_program_args *args = &arguments->pointwise;
    memset(args, 0, sizeof *args);
    memset(p->items, 0, sizeof *p->items * (size_t)p->count);
    for (int i = 0; i < p->count; i++) {
        const nn_view *views = lowering->inputs + i * each;
        nn_program_item *item = &p->items[i];
        for (int k = 0; k < p->program.input_count; k++) {
            const int from = p->whole.input_of[k];
            item->inputs[k] = from < each ? views[from] : lowering->inputs[p->count * each];
            if (from < each) item->inputs[k].shape = views[0].shape;
        }
        item->outputs[0] = views[0];
        for (int k = 0; k < states; k++) item->outputs[1 + k] = views[2 + k];
    }
    args->program = p->program;
    args->items = p->items;
    args->item_count = p->count;
    args->recipe = &p->whole;
    args->status = lowering->status;
    args->scratch = lowering->scratch;
    nn__recipe_scalars(p, lowering->values, args->scalars);
}

static NN__UNUSED double nn__recipe_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn__recipe_params *p = (const nn__recipe_params *)node->params;
    const int each = 2 + p->settings.recipe->state_count + p->others;
    double sum = 0.0, operations = 0.0;
    for (int i = 0; i < p->count; i++) sum += (double)nn__count(&lowering->inputs[i * each]);
    for (int i = 0; i < p->program.count; i++)
        operations += p->program.code[i].code > NN_CODE_CONSTANT;
    return sum * operations;
}

/* True for the parameter and the states of each item. */
static bool nn__recipe_writes(const nn_node *node, int input) {
    const nn__recipe_params *p = (const nn__recipe_params *)node->params;
    const int states = p->settings.recipe->state_count, each = 2 + states + p->others;
    const int place = input % each;
    return input < each * p->count && place != 1 && place < 2 + states;
}

static const nn__rule nn__rule_recipe = {
    "update",           NN_KERNEL_POINTWISE, NN__DYNAMIC | NN__EFFECT | NN__STATUS,
    NN_ACTIVATION_NONE, nn__recipe_lower,    NULL,
    NN__FLOPS(nn__recipe_flops), NULL, nn__recipe_writes};

/* ---- the node -------------------------------------------------------------------------------- */

static nn_node *nn__recipe_no_memory(nn__tape *tape, uint64_t bytes) {
    nn__fail_memory(tape->nn, "an update", bytes);
    tape->failed = true;
    return nn__poison(tape->graph->model);
}

NN_PRIVATE nn_node *nn__add_recipe(nn__tape *tape, nn_site site, const nn__recipe_items *items,
                                   nn_node *scale, const nn__recipe_settings *settings) {
    const int states = settings->recipe->state_count,
              each = 2 + states + (items->others != NULL);
    nn__arena *arena = &tape->graph->arena;
    nn_instruction *code;
    nn_node **inputs, *node;
    nn__recipe_params p;
    nn_shape number;
    int count = 0;
    memset(&p, 0, sizeof p);
    memset(&number, 0, sizeof number);
    p.settings = *settings;
    p.count = items->count;
    p.others = items->others != NULL;
    p.scaled = scale != NULL;
    p.items = (nn_program_item *)nn__arena_take(arena, sizeof *p.items * (size_t)p.count);
    inputs = (nn_node **)nn__arena_take(arena, sizeof *inputs * (size_t)(each * p.count + 1));
    code = (nn_instruction *)nn__arena_take(arena, sizeof *code * NN_PROGRAM_LENGTH);
    if (!p.items || !inputs || !code)
        return nn__recipe_no_memory(tape, sizeof *p.items * (uint64_t)p.count);
    if (!nn__recipe_make(&p, code)) return nn__recipe_no_memory(tape, sizeof *code);
    for (int i = 0; i < p.count; i++) {
        inputs[count++] = items->parameters[i];
        inputs[count++] = items->gradients[i];
        for (int k = 0; k < states; k++) inputs[count++] = items->states[i * states + k];
        if (items->others) inputs[count++] = items->others[i];
    }
    if (scale) inputs[count++] = scale;
    settings->recipe->install(tape->nn);
    nn__install_recipes(tape->nn);
    if (scale) nn__install_program_general(tape->nn); /* scale is broadcast */
    nn__install_code_add(tape->nn);
    nn__install_code_multiply(tape->nn); /* for the steps before the recipe */
    nn__install_code_clamp(tape->nn);
    node = nn__add_node(tape->graph, site, &nn__rule_recipe, "update", NULL, inputs, NULL, count,
                        NN_F32, number, &p, sizeof p);
    if (node->poisoned) tape->failed = true;
    return node;
}

#endif /* NN__NO_TRAINER */

typedef int nn__recipe_part; /* a part must not be empty under NN__NO_TRAINER */
