/* ops/master.c - the two nodes around the update of parameters that are stored in f16 or bf16.
   The optimizer updates an f32 master of each, since its steps may be smaller than the
   parameter's rounding error. The parameter is the rounded master.

   The parameter has precedence; the master only adds precision. Before each update, a master
   that does not round to its parameter is replaced by the parameter. So trainers need not be
   told that weights were loaded, blended or uploaded, and first masters come from first values. */
#include "ops/private.h"

#ifndef NN_NO_TRAINING

typedef struct nn__op_master_params {
    /* `count` items in the graph's arena; each lowering fills in the views */
    nn_program_item *items;
    int32_t count;
} nn__op_master_params;

static void nn__op_master_args(const nn__op_master_params *p, const nn__lowering *lowering,
                               nn_program_args *args) {
    memset(args, 0, sizeof *args);
    memset(p->items, 0, sizeof *p->items * (size_t)p->count);
    args->items = p->items;
    args->item_count = p->count;
    args->status = lowering->status;
    args->scratch = lowering->scratch;
    args->program.output_count = 1;
}

/* Inputs of item i: master, rounded master, parameter. */
static void nn__op_refresh_lower(const nn_node *node, const nn__lowering *lowering,
                                 nn__args *args) {
    static const nn_instruction code[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                          {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                          {NN_CODE_INPUT, 2, 0, 0, 0.0f},
                                          {NN_CODE_EQUAL, 1, 2, 0, 0.0f},
                                          {NN_CODE_SELECT, 3, 0, 2, 0.0f}};
    const nn__op_master_params *p = (const nn__op_master_params *)node->params;
    nn__op_master_args(p, lowering, &args->pointwise);
    args->pointwise.program.code = code;
    args->pointwise.program.count = 5;
    args->pointwise.program.input_count = 3;
    args->pointwise.program.output[0] = 4;
    for (int i = 0; i < p->count; i++) {
        for (int k = 0; k < 3; k++) p->items[i].inputs[k] = lowering->inputs[3 * i + k];
        p->items[i].outputs[0] = lowering->inputs[3 * i];
    }
}

/* Inputs of item i: master, parameter. */
static void nn__op_store_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    static const nn_instruction code[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f}};
    const nn__op_master_params *p = (const nn__op_master_params *)node->params;
    nn__op_master_args(p, lowering, &args->pointwise);
    args->pointwise.program.code = code;
    args->pointwise.program.count = args->pointwise.program.input_count = 1;
    for (int i = 0; i < p->count; i++) {
        p->items[i].inputs[0] = lowering->inputs[2 * i];
        p->items[i].outputs[0] = lowering->inputs[2 * i + 1];
    }
}

static bool nn__op_refresh_writes(const nn_node *node, int input) {
    (void)node;
    return input % 3 == 0;
}
static bool nn__op_store_writes(const nn_node *node, int input) {
    (void)node;
    return input % 2 == 1;
}

/* Dynamic, because another plan may have filled the node's items since. */
#define NN__MASTER_FLAGS (NN__DYNAMIC | NN__EFFECT | NN__STATUS | NN__ANY_DTYPE)
static const nn__rule nn__rule_refresh_masters = {
    "refresh_masters",    NN_KERNEL_POINTWISE, NN__MASTER_FLAGS, NN_ACTIVATION_NONE,
    nn__op_refresh_lower, NULL,                NULL,             NULL,
    nn__op_refresh_writes};
static const nn__rule nn__rule_store_masters = {
    "store_masters",    NN_KERNEL_POINTWISE, NN__MASTER_FLAGS, NN_ACTIVATION_NONE,
    nn__op_store_lower, NULL,                NULL,             NULL,
    nn__op_store_writes};
#undef NN__MASTER_FLAGS

static nn_node *nn__op_master_node(nn__tape *tape, nn_site site, const nn__rule *rule,
                                   nn_node *const *inputs, int count, int each) {
    nn__op_master_params p;
    nn_shape number;
    memset(&number, 0, sizeof number);
    p.count = count;
    p.items =
        (nn_program_item *)nn__arena_take(&tape->graph->arena, sizeof *p.items * (size_t)count);
    if (!p.items) {
        nn__fail_memory(tape->nn, "masters", sizeof *p.items * (uint64_t)count);
        tape->failed = true;
        return nn__poison(tape->graph->model);
    }
    nn__install_cast(tape->nn);
    nn__install_code_equal(tape->nn);
    nn__install_code_select(tape->nn);
    nn_node *node = nn__add_node(tape->graph, site, rule, rule->name, NULL, inputs, NULL,
                                 each * count, NN_F32, number, &p, sizeof p);
    if (node->poisoned) tape->failed = true;
    nn__place_like(node, inputs[0]);
    return node;
}

/* Returns an array for `each` inputs per item. NULL: no memory. */
static nn_node **nn__op_master_inputs(nn__tape *tape, int count, int each) {
    const size_t bytes = sizeof(nn_node *) * (size_t)(count * each);
    nn_node **inputs = (nn_node **)nn__arena_take(&tape->graph->arena, bytes);
    if (inputs) return inputs;
    nn__fail_memory(tape->nn, "masters", bytes);
    tape->failed = true;
    return NULL;
}

NN_PRIVATE nn_node *nn__add_refresh_masters(nn__tape *tape, nn_site site, nn_node *const *masters,
                                            nn_node *const *parameters, int count) {
    nn_node **inputs = nn__op_master_inputs(tape, count, 3);
    char name[2 * NN_NAME_BYTES];
    if (!inputs) return nn__poison(tape->graph->model);
    for (int i = 0; i < count; i++) {
        nn__join_text(name, sizeof name, masters[i]->name, ".", "rounded");
        inputs[3 * i] = masters[i];
        inputs[3 * i + 1] = nn__add_cast(tape->graph, site, name, masters[i], parameters[i]->dtype);
        inputs[3 * i + 2] = parameters[i];
    }
    return nn__op_master_node(tape, site, &nn__rule_refresh_masters, inputs, count, 3);
}

NN_PRIVATE nn_node *nn__add_store_masters(nn__tape *tape, nn_site site, nn_node *const *masters,
                                          nn_node *const *parameters, int count) {
    nn_node **inputs = nn__op_master_inputs(tape, count, 2);
    if (!inputs) return nn__poison(tape->graph->model);
    for (int i = 0; i < count; i++) {
        inputs[2 * i] = masters[i];
        inputs[2 * i + 1] = parameters[i];
    }
    return nn__op_master_node(tape, site, &nn__rule_store_masters, inputs, count, 2);
}

#endif /* NN_NO_TRAINING */

typedef int nn__master_part; /* a part must not be empty under NN_NO_TRAINING */
