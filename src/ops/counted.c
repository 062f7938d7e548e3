/* ops/counted.c - finds out from the nodes of a loss how much a batch counts in it, and adds the
   nodes that average gradients accordingly. Equal weights for uneven batches are wrong:
   transformers#24725, torchtune#1875, mlx-lm#1413. */
#include "ops/counted.h"
#include "ops/loss.h"
#include "ops/program.h"

#ifndef NN__NO_TRAINER

/* ---- helpers --------------------------------------------------------------------------------- */

/* Sets node->value to 1 for all nodes that depend on an input of the model. */
static void nn__count_mark(nn__graph *graph) {
    for (nn_node *node = graph->first; node; node = node->next) {
        node->value = node->kind == NN__INPUT || (node->owner && node->owner->value);
        for (int i = 0; i < node->input_count; i++) node->value |= node->inputs[i]->value;
    }
}

static nn__counting nn__count_make(nn__count_kind kind, const nn_node *where) {
    nn__counting count;
    memset(&count, 0, sizeof count);
    count.kind = kind;
    count.where = where;
    count.trained = where && where->wanted;
    return count;
}

/* Returns a count that is the product of x's symbolic extents. */
static nn__counting nn__count_extents(nn__count_kind kind, const nn_node *x) {
    nn__counting count = nn__count_make(kind, x);
    count.of_batch = nn__free_extents(x->shape, NN__OF_BATCH) > 0;
    count.of_time = nn__free_extents(x->shape, NN__OF_TIME) > 0;
    return count;
}

/* Returns the count of the sum or difference of two values. */
static nn__counting nn__count_add(nn__counting a, nn__counting b, const nn_node *where) {
    const bool sum = a.kind == NN__COUNT_SUM || b.kind == NN__COUNT_SUM;
    if (a.kind == NN__COUNT_UNKNOWN) return a;
    if (b.kind == NN__COUNT_UNKNOWN) return b;
    /* a penalty on weights counts once; in a sum of gradients it would be added for each batch */
    if (a.kind == NN__COUNT_NOTHING && !(sum && a.trained)) {
        b.trained |= a.trained;
        return b;
    }
    if (b.kind == NN__COUNT_NOTHING && !(sum && b.trained)) {
        a.trained |= b.trained;
        return a;
    }
    if (a.kind != b.kind || a.node != b.node || a.of_batch != b.of_batch || a.of_time != b.of_time)
        return nn__count_make(NN__COUNT_UNKNOWN, where);
    return a;
}

/* ---- labels: the number of labels that are not ignored, or the sum of their weights ---------- */

/* Computes the weight of each label's class; 0 for a label outside the classes. */
static void nn__count_weights_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    (void)node;
    memset(&args->gather, 0, sizeof args->gather);
    args->gather.y = lowering->output;
    args->gather.x = lowering->inputs[0];
    args->gather.index = lowering->inputs[1];
}

static const nn__rule nn__rule_count_weights = {
    "weights_of_labels",     NN_KERNEL_GATHER, 0,    NN_ACTIVATION_NONE,
    nn__count_weights_lower, NULL,             NULL, NULL,
    NULL};

static nn_node *nn__count_labels(nn__tape *tape, nn_node *loss,
                                 const nn_cross_entropy_options *options) {
    static const nn_instruction counted[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                             {NN_CODE_SCALAR, 0, 0, 0, 0.0f},
                                             {NN_CODE_NOT_EQUAL, 0, 1, 0, 0.0f},
                                             {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                             {NN_CODE_MULTIPLY, 2, 3, 0, 0.0f}};
    const float ignored = (float)options->ignore_index;
    nn_node *inputs[2], *each = NULL;
    nn_program program;
    nn_shape number;
    memset(&program, 0, sizeof program);
    memset(&number, 0, sizeof number);
    inputs[0] = loss->input_count > 2 ? loss->inputs[2] : NULL;
    inputs[1] = loss->inputs[1];
    if (inputs[0]) {
        nn__install_gather(tape->nn);
        each = nn__tape_node(tape, &nn__rule_count_weights, loss, ".weights", inputs, 2, NN_F32,
                             inputs[1]->shape, NULL, 0);
    }
    if (options->ignore) {
        inputs[0] = loss->inputs[1];
        inputs[1] = each;
        program.code = counted;
        program.count = each ? 5 : 3;
        program.input_count = each ? 2 : 1;
        program.output_count = program.scalar_count = 1;
        program.output[0] = (uint8_t)(program.count - 1);
        nn__install_program_dtypes(tape->nn); /* labels are integers */
        nn__install_code_not_equal(tape->nn);
        nn__install_code_multiply(tape->nn);
        each = nn__tape_program(tape, &program, &ignored, inputs, loss);
    }
    return nn__tape_reduce(tape, NN_SUM, each, (1u << each->shape.rank) - 1u, number, loss);
}

/* ---- from the loss to its inputs ------------------------------------------------------------- */

static nn__counting nn__count_walk(nn__tape *tape, nn_node *node, int depth);

/* Follows a program that is linear in the values that depend on the batch, or a quotient of two
   sums. */
static nn__counting nn__count_program(nn__tape *tape, nn_node *node, int depth) {
    const nn_program *program = &((const nn__program_params *)node->params)->program;
    const nn__counting nothing = nn__count_make(NN__COUNT_NOTHING, NULL);
    nn__counting at[NN_PROGRAM_LENGTH];
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *x = &program->code[i];
        const int operands = nn__instruction_operands(x->code);
        const nn__counting a = operands > 0 ? at[x->a] : nothing,
                        b = operands > 1 ? at[x->b] : nothing,
                        c = operands > 2 ? at[x->c] : nothing;
        at[i] = nn__count_make(NN__COUNT_UNKNOWN, node);
        if (x->code == NN_CODE_INPUT) {
            at[i] = nn__count_walk(tape, node->inputs[x->a], depth + 1);
        } else if (x->code == NN_CODE_RANDOM) {
            continue;
        } else if (a.kind == NN__COUNT_NOTHING && b.kind == NN__COUNT_NOTHING &&
                   c.kind == NN__COUNT_NOTHING) {
            at[i] = nothing;
            at[i].trained = a.trained || b.trained || c.trained;
        } else if (x->code == NN_CODE_ADD || x->code == NN_CODE_SUBTRACT) {
            at[i] = nn__count_add(a, b, node);
        } else if (x->code == NN_CODE_NEGATE ||
                   (x->code == NN_CODE_DIVIDE && b.kind == NN__COUNT_NOTHING) ||
                   (x->code == NN_CODE_MULTIPLY && b.kind == NN__COUNT_NOTHING)) {
            at[i] = a;
        } else if (x->code == NN_CODE_MULTIPLY && a.kind == NN__COUNT_NOTHING) {
            at[i] = b;
        } else if (x->code == NN_CODE_DIVIDE && a.kind == NN__COUNT_SUM &&
                   b.kind == NN__COUNT_SUM && !b.trained &&
                   program->code[x->b].code == NN_CODE_INPUT &&
                   nn_shape_count(node->inputs[program->code[x->b].a]->shape) == 1) {
            at[i] = nn__count_make(NN__COUNT_MEAN, node);
            at[i].node = node->inputs[program->code[x->b].a];
        }
    }
    return at[program->output[0]];
}

static nn__counting nn__count_walk(nn__tape *tape, nn_node *node, int depth) {
    nn_reduction reduction;
    if (!node->value) return nn__count_make(NN__COUNT_NOTHING, node);
    if (node->kind != NN__OPERATION || depth > 40 ||
        nn__free_extents(node->shape, NN__OF_BATCH | NN__OF_TIME) > 0)
        return nn__count_make(NN__COUNT_UNKNOWN, node);
    if (node->rule->kernel == NN_KERNEL_CROSS_ENTROPY_FORWARD) {
        const nn_cross_entropy_options *options = (const nn_cross_entropy_options *)node->params;
        if (options->reduction == NN_SUM) return nn__count_make(NN__COUNT_SUM, node);
        if (options->reduction == NN_REDUCTION_NONE) /* a fixed number of samples */
            return nn__count_make(NN__COUNT_UNKNOWN, node);
        nn__counting count = nn__count_extents(NN__COUNT_MEAN, node->inputs[1]);
        if (options->ignore || node->input_count > 2)
            count.node = nn__count_labels(tape, node, options);
        count.of_labels = count.node != NULL;
        return count;
    }
    if (nn__is_reduction(node, &reduction)) {
        const nn_node *x = node->inputs[0];
        if (nn__free_extents(x->shape, NN__OF_BATCH | NN__OF_TIME) == 0)
            return reduction == NN_MEAN || reduction == NN_SUM ||
                           reduction == NN_REDUCTION_DEFAULT
                       ? nn__count_walk(tape, node->inputs[0], depth + 1)
                       : nn__count_make(NN__COUNT_UNKNOWN, node);
        if (reduction == NN_SUM || reduction == NN_SUM_OF_SQUARES)
            return nn__count_make(NN__COUNT_SUM, node);
        if (reduction == NN_MEAN || reduction == NN_REDUCTION_DEFAULT)
            return nn__count_extents(NN__COUNT_MEAN, x);
        return nn__count_make(NN__COUNT_UNKNOWN, node);
    }
    if (nn__is_program(node)) return nn__count_program(tape, node, depth);
    if (node->rule->flags & (NN__ALIAS | NN__TRANSFER))
        return nn__count_walk(tape, node->inputs[0], depth + 1);
    return nn__count_make(NN__COUNT_UNKNOWN, node);
}

NN_PRIVATE nn__counting nn__count_of(nn__tape *tape, nn_node *loss) {
    nn__count_mark(&tape->graph->model->graph);
    return nn__count_walk(tape, loss, 0);
}

/* ---- the mean of several batches ------------------------------------------------------------- */

typedef struct nn__mean_params {
    /* `count` of them, in the graph's arena; none: this is the node that adds to total */
    nn_program_item *items;
    int32_t count;
    bool counts, of_batch, of_time; /* counts: the last input is the count */
    bool products;                  /* as in nn__running_mean */
} nn__mean_params;

/* Writes the instructions of a mean or of products. The count is the last input, or scalar 0. */
static void nn__mean_program(const nn__mean_params *p, nn_program *program) {
    static const nn_instruction mean[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
        {NN_CODE_INPUT, 2, 0, 0, 0.0f},    {NN_CODE_INPUT, 3, 0, 0, 0.0f},
        {NN_CODE_ADD, 2, 3, 0, 0.0f},      {NN_CODE_DIVIDE, 3, 4, 0, 0.0f},
        {NN_CODE_SUBTRACT, 1, 0, 0, 0.0f}, {NN_CODE_MULTIPLY, 6, 5, 0, 0.0f},
        {NN_CODE_ADD, 0, 7, 0, 0.0f},      {NN_CODE_SELECT, 3, 8, 0, 0.0f}};
    static const nn_instruction mean_of[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
        {NN_CODE_INPUT, 2, 0, 0, 0.0f},    {NN_CODE_SCALAR, 0, 0, 0, 0.0f},
        {NN_CODE_ADD, 2, 3, 0, 0.0f},      {NN_CODE_DIVIDE, 3, 4, 0, 0.0f},
        {NN_CODE_SUBTRACT, 1, 0, 0, 0.0f}, {NN_CODE_MULTIPLY, 6, 5, 0, 0.0f},
        {NN_CODE_ADD, 0, 7, 0, 0.0f}};
    static const nn_instruction total[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                           {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                           {NN_CODE_ADD, 0, 1, 0, 0.0f}};
    static const nn_instruction total_of[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                              {NN_CODE_SCALAR, 0, 0, 0, 0.0f},
                                              {NN_CODE_ADD, 0, 1, 0, 0.0f}};
    /* count ? value * count : 0. Where count is 0, the value may be NaN. */
    static const nn_instruction product[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
        {NN_CODE_MULTIPLY, 0, 1, 0, 0.0f}, {NN_CODE_CONSTANT, 0, 0, 0, 0.0f},
        {NN_CODE_SELECT, 1, 2, 3, 0.0f}};
    static const nn_instruction product_of[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                                {NN_CODE_SCALAR, 0, 0, 0, 0.0f},
                                                {NN_CODE_MULTIPLY, 0, 1, 0, 0.0f}};
    if (p->products && p->count) {
        program->code = p->counts ? product : product_of;
        program->count = p->counts ? 5 : 3;
        program->input_count = p->counts ? 2 : 1;
    } else if (p->products) { /* the count itself */
        program->code = p->counts ? total : total_of;
        program->count = 2;
        program->input_count = p->counts ? 2 : 1;
    } else {
        program->code = p->count ? (p->counts ? mean : mean_of) : p->counts ? total : total_of;
        program->count = (uint8_t)(p->count ? (p->counts ? 10 : 9) : 3);
        program->input_count = (uint8_t)((p->count ? 3 : 1) + p->counts);
    }
    program->output_count = 1;
    program->scalar_count = !p->counts;
    program->output[0] = (uint8_t)(program->count - 1);
}

/* Inputs of item i: mean, value. After all items: total, then count if it is a node. */
static void nn__mean_lower(const nn_node *node, const nn__lowering *lowering, nn__args *arguments) {
    const nn__mean_params *p = (const nn__mean_params *)node->params;
    nn_program_args *args = &arguments->pointwise;
    const nn_view *numbers = lowering->inputs + 2 * p->count;
    memset(args, 0, sizeof *args);
    nn__mean_program(p, &args->program);
    args->scalars[0] = (p->of_batch ? (float)lowering->values->batch : 1.0f) *
                       (p->of_time ? (float)lowering->values->time : 1.0f);
    args->status = lowering->status;
    args->scratch = lowering->scratch;
    args->items = p->items;
    args->item_count = p->count;
    if (p->count == 0) {
        args->inputs[0] = args->outputs[0] = numbers[0];
        if (p->counts) args->inputs[1] = numbers[1];
        if (p->counts) args->inputs[1].shape = numbers[0].shape;
    }
    for (int i = 0; i < p->count; i++) {
        nn_program_item *item = &p->items[i];
        /* value, then total and count */
        nn_view *more = p->products ? item->inputs : item->inputs + 1;
        memset(item, 0, sizeof *item);
        item->outputs[0] = item->inputs[0] = lowering->inputs[2 * i];
        *more = lowering->inputs[2 * i + 1];
        more++->shape = item->outputs[0].shape;
        if (!p->products) *more++ = numbers[0];
        if (!p->counts) continue;
        *more = numbers[1];
        memset(&more->shape, 0, sizeof more->shape);
    }
}

static bool nn__mean_writes(const nn_node *node, int input) {
    const nn__mean_params *p = (const nn__mean_params *)node->params;
    return p->count ? input < 2 * p->count && input % 2 == 0 : input == 0;
}

static const nn__rule nn__rule_mean = {"gather_gradients",
                                       NN_KERNEL_POINTWISE,
                                       NN__DYNAMIC | NN__EFFECT | NN__STATUS,
                                       NN_ACTIVATION_NONE,
                                       nn__mean_lower,
                                       NULL,
                                       NULL,
                                       NULL,
                                       nn__mean_writes};

static nn_node *nn__mean_no_memory(nn__tape *tape, uint64_t bytes) {
    nn__fail_memory(tape->nn, "gradients", bytes);
    tape->failed = true;
    return nn__poison(tape->graph->model);
}

static nn_node *nn__mean_node(nn__tape *tape, nn_site site, const nn__running_mean *mean,
                              int items) {
    nn__arena *arena = &tape->graph->arena;
    nn__mean_params p;
    nn_shape number;
    int count = 0;
    nn_node **inputs =
        (nn_node **)nn__arena_take(arena, sizeof(nn_node *) * (size_t)(2 * items + 2));
    memset(&p, 0, sizeof p);
    memset(&number, 0, sizeof number);
    p.count = items;
    p.counts = mean->count != NULL;
    p.of_batch = mean->of_batch;
    p.of_time = mean->of_time;
    p.products = mean->products;
    p.items = (nn_program_item *)nn__arena_take(arena, sizeof *p.items * (size_t)(items + 1));
    if (!inputs || !p.items)
        return nn__mean_no_memory(tape, sizeof *p.items * ((uint64_t)items + 1));
    for (int i = 0; i < items; i++) {
        inputs[count++] = mean->means[i];
        inputs[count++] = mean->values[i];
    }
    inputs[count++] = mean->total;
    if (mean->count) inputs[count++] = mean->count;
    nn_node *node = nn__add_node(tape->graph, site, &nn__rule_mean, "gather_gradients", NULL,
                                 inputs, NULL, count, NN_F32, number, &p, sizeof p);
    if (node->poisoned) tape->failed = true;
    nn__place_like(node, mean->total);
    return node;
}

static void nn__mean_install(nn_context *nn) {
    nn__install_program(nn);
    nn__install_program_general(nn);
    nn__install_code_add(nn);
    nn__install_code_divide(nn);
    nn__install_code_subtract(nn);
    nn__install_code_multiply(nn);
    nn__install_code_select(nn);
}

NN_PRIVATE nn_node *nn__add_products(nn__tape *tape, nn_site site, const nn__running_mean *mean) {
    nn_node *node;
    nn__mean_install(tape->nn);
    node = nn__mean_node(tape, site, mean, mean->items);
#ifndef NN_NO_SPEEDUPS
    if (!node->poisoned) node->early = true;
#endif
    return node;
}

NN_PRIVATE void nn__add_running_mean(nn__tape *tape, nn_site site, const nn__running_mean *mean,
                                     nn_node **targets) {
    nn__mean_install(tape->nn);
    targets[0] = nn__mean_node(tape, site, mean, mean->items);
    /* added later, so it runs after the nodes that read the old total */
    targets[1] = nn__mean_node(tape, site, mean, 0);
}

/* ---- values kept for a product over all shards ----------------------------------------------- */

typedef struct nn__shard_row_params {
    bool value, of_batch, of_time;
    int32_t at;
} nn__shard_row_params;

/* Inputs: kept, then value if there is one. */
static void nn__shard_row_lower(const nn_node *node, const nn__lowering *lowering,
                                nn__args *arguments) {
    static const nn_instruction same[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f}};
    static const nn_instruction number[] = {{NN_CODE_SCALAR, 0, 0, 0, 0.0f}};
    const nn__shard_row_params *p = (const nn__shard_row_params *)node->params;
    const nn__run_values *run = lowering->values;
    const nn_view *kept = &lowering->inputs[0];
    nn_program_args *args = &arguments->pointwise;
    memset(args, 0, sizeof *args);
    args->program.code = p->value ? same : number;
    args->program.count = args->program.output_count = 1;
    args->program.input_count = p->value;
    args->program.scalar_count = !p->value;
    args->scalars[0] =
        (p->of_batch ? (float)run->batch : 1.0f) * (p->of_time ? (float)run->time : 1.0f);
    args->status = lowering->status;
    args->scratch = lowering->scratch;
    args->outputs[0] = *kept;
    args->outputs[0].offset +=
        ((uint64_t)run->shard * (uint64_t)kept->shape.extent[1] + (uint64_t)p->at) * sizeof(float);
    memset(&args->outputs[0].shape, 0, sizeof args->outputs[0].shape);
    if (!p->value) return;
    args->inputs[0] = lowering->inputs[1];
    args->outputs[0].shape = lowering->inputs[1].shape;
}

static bool nn__shard_row_writes(const nn_node *node, int input) {
    (void)node;
    return input == 0;
}

static const nn__rule nn__rule_shard_row = {"keep_for_all_shards",
                                            NN_KERNEL_POINTWISE,
                                            NN__DYNAMIC | NN__EFFECT | NN__STATUS,
                                            NN_ACTIVATION_NONE, nn__shard_row_lower, NULL, NULL,
                                            NULL, nn__shard_row_writes};

NN_PRIVATE nn_node *nn__add_shard_row(nn__tape *tape, nn_site site, nn_node *kept, int32_t at,
                                      nn_node *value, const nn__running_mean *count) {
    nn_node *inputs[2], *node;
    nn__shard_row_params p;
    nn_shape number;
    memset(&p, 0, sizeof p);
    memset(&number, 0, sizeof number);
    p.value = value != NULL;
    p.at = at;
    p.of_batch = count && count->of_batch;
    p.of_time = count && count->of_time;
    inputs[0] = kept;
    inputs[1] = value;
    nn__mean_install(tape->nn);
    node = nn__add_node(tape->graph, site, &nn__rule_shard_row, "keep_for_all_shards", NULL, inputs,
                        NULL, p.value ? 2 : 1, NN_F32, number, &p, sizeof p);
    if (node->poisoned) {
        tape->failed = true;
        return node;
    }
    nn__place_like(node, kept);
#ifndef NN_NO_SPEEDUPS
    node->early = true;
#endif
    return node;
}

/* ---- the weight of a part -------------------------------------------------------------------- */

/* params: nn__counting. The value is input 0, or the batch and the time as the params say. */
static void nn__weight_lower(const nn_node *node, const nn__lowering *lowering, nn__args *all) {
    static const nn_instruction of[] = {{NN_CODE_SCALAR, 0, 0, 0, 0.0f}};
    static const nn_instruction given[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f}};
    const nn__counting *count = (const nn__counting *)node->params;
    nn_program_args *args = &all->pointwise;
    memset(args, 0, sizeof *args);
    args->program.code = count->node ? given : of;
    args->program.count = args->program.output_count = 1;
    args->program.input_count = count->node != NULL;
    args->program.scalar_count = count->node == NULL;
    args->scalars[0] = (count->of_batch ? (float)lowering->values->batch : 1.0f) *
                       (count->of_time ? (float)lowering->values->time : 1.0f);
    args->outputs[0] = lowering->output;
    if (count->node) {
        args->inputs[0] = lowering->inputs[0];
        args->inputs[0].shape = lowering->output.shape;
    }
    args->scratch = lowering->scratch;
}

static const nn__rule nn__rule_weight = {"weight_of_shard", NN_KERNEL_POINTWISE, NN__DYNAMIC,
                                         NN_ACTIVATION_NONE, nn__weight_lower, NULL, NULL, NULL,
                                         NULL};

NN_PRIVATE nn_node *nn__add_weight(nn__tape *tape, nn_node *loss, const nn__counting *count) {
    nn_node *inputs[1];
    inputs[0] = count->node;
    nn__install_program(tape->nn);
    return nn__tape_node(tape, &nn__rule_weight, loss, ".weight", inputs, count->node ? 1 : 0,
                         NN_F32, loss->shape, count, sizeof *count);
}

NN_PRIVATE nn_node *nn__add_unless_empty(nn__tape *tape, nn_node *x, nn_node *count) {
    /* count ? x : x == x ? x - x : 0. 0 / 0 (NaN) means that nothing counts: 0. Infinity means
       that something was divided by a count of 0, as label smoothing does if all label weights
       are 0. It cannot be part of a mean, and x - x turns it into NaN, which is a fault. */
    static const nn_instruction code[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
        {NN_CODE_CONSTANT, 0, 0, 0, 0.0f}, {NN_CODE_EQUAL, 0, 0, 0, 0.0f},
        {NN_CODE_SUBTRACT, 0, 0, 0, 0.0f}, {NN_CODE_SELECT, 3, 4, 2, 0.0f},
        {NN_CODE_SELECT, 1, 0, 5, 0.0f}};
    nn_program program;
    nn_node *inputs[2];
    memset(&program, 0, sizeof program);
    program.code = code;
    program.count = 7;
    program.input_count = 2;
    program.output_count = 1;
    program.output[0] = 6;
    inputs[0] = x;
    inputs[1] = count;
    nn__install_code_equal(tape->nn);
    nn__install_code_subtract(tape->nn);
    nn__install_code_select(tape->nn);
    return nn__tape_program(tape, &program, NULL, inputs, x);
}

#endif /* NN__NO_TRAINER */

typedef int nn__counted_part; /* a part must not be empty under NN__NO_TRAINER */
