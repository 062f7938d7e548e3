/* ops/lora.c - low-rank adapters, and the hooks that nn_linear calls if a model has them. Saving
   and merging are in model/. */
#include "ops/lora_private.h"
#include "ops/pointwise.h"

#ifndef NN_NO_TRAINING

#include <math.h>

/* The first random stream of adapters. The streams of models count from 0 and stay below it. */
#define NN__LORA_STREAMS ((uint64_t)1 << 62)

typedef struct nn__lora_params {
    nn__program_params program; /* y + update * scale */
    bool transposed, redirected;
} nn__lora_params;

static const nn_instruction nn__lora_code[] = {
    {NN_CODE_INPUT, 0, 0, 0, 0.0f},    {NN_CODE_INPUT, 1, 0, 0, 0.0f},
    {NN_CODE_SCALAR, 0, 0, 0, 0.0f},   {NN_CODE_MULTIPLY, 1, 2, 0, 0.0f},
    {NN_CODE_ADD, 0, 3, 0, 0.0f}};
static const nn__rule nn__rule_lora = {"lora",
                                       NN_KERNEL_POINTWISE,
                                       NN__IN_PLACE,
                                       NN_ACTIVATION_NONE,
                                       nn__op_program_lower,
                                       nn__op_program_gradient,
                                       nn__op_program_flops,
                                       NULL,
                                       NULL};

static void nn__lora_merged_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__give_gradient(tape, node->inputs[0], dy);
}
static const nn__rule nn__rule_lora_merged = {
    "lora", NN_KERNEL_NONE, NN__ALIAS, NN_ACTIVATION_NONE, NULL, nn__lora_merged_gradient,
    NULL,   NULL,           NULL};

NN_PRIVATE float nn__lora_scale(const nn_lora_desc *desc) {
    return (float)((double)desc->alpha /
                   (desc->rslora ? sqrt((double)desc->r) : (double)desc->r));
}

NN_PRIVATE bool nn__is_lora(const nn_node *node) {
    return node->rule == &nn__rule_lora || node->rule == &nn__rule_lora_merged;
}

NN_PRIVATE nn_node *nn__lora_part(const nn_node *sum, const char *part) {
    char name[2 * NN_NAME_BYTES];
    const int layer = (int)strlen(sum->name) - (int)strlen(".lora");
    nn__format(name, sizeof name, "%.*s.%s", layer, sum->name, part);
    nn_node *leaf = *nn__leaf_list(sum->graph, name);
    while (leaf && !(leaf->kind == NN__PARAMETER && strcmp(leaf->name, name) == 0))
        leaf = nn__next_leaf(leaf);
    return leaf;
}

NN_PRIVATE bool nn__lora_transposed(const nn_node *sum) {
    return ((const nn__lora_params *)sum->params)->transposed;
}

/* Makes all later readers of `from` read `to`. */
static void nn__lora_redirect(const nn_node *sum, nn_node *from, nn_node *to) {
    for (nn_node *node = sum->next; node; node = node->next)
        for (int i = 0; i < node->input_count; i++)
            if (node->inputs[i] == from) node->inputs[i] = to;
}

NN_PRIVATE void nn__lora_switch(nn_node *sum, bool merged) {
    nn__lora_params *params = (nn__lora_params *)sum->params;
    nn_node *y = sum->inputs[0];
    int readers = 0;
    if (merged == (sum->rule == &nn__rule_lora_merged)) return;
    for (const nn_node *node = sum->graph->first; node && merged; node = node->next)
        for (int i = 0; i < node->input_count; i++) readers += node->inputs[i] == y;
    /* With y itself as the result, an activation after it fuses into the layer's product, as it
       would without an adapter. If a caller of nn_lora_adapt also reads y, nothing is
       redirected, because its readers could not be told from those of the sum afterwards. */
    if (merged) params->redirected = readers == 1;
    sum->rule = merged ? &nn__rule_lora_merged : &nn__rule_lora;
    sum->input_count = merged ? 1 : 2;
    if (params->redirected) nn__lora_redirect(sum, merged ? sum : y, merged ? y : sum);
}

/* ---- describing ------------------------------------------------------------------------------ */

/* True if a target fits the layer. used: marks each target that does; may be NULL. */
static bool nn__lora_fits(const nn__lora *lora, const char *layer, bool *used) {
    bool any = false;
    for (int i = 0; i < lora->desc.targets.count; i++) {
        if (!nn__layer_fits(lora->desc.targets.text[i], layer)) continue;
        any = true;
        if (used) used[i] = true;
    }
    return any;
}

/* Adds a parameter of an adapter, or returns the one that an earlier layer of this name added. */
static nn_node *nn__lora_parameter(nn_model *net, nn_site site, const char *layer,
                                   const char *part, int32_t rows, int32_t columns, float bound) {
    const uint64_t streams = net->streams;
    char name[2 * NN_NAME_BYTES];
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = 2;
    shape.extent[0] = rows;
    shape.extent[1] = columns;
    nn__join_text(name, sizeof name, layer, ".", part);
    nn_node *node = nn__add_parameter(net, site, name, "weight", &shape, bound, true);
    if (net->streams == streams) return node;
    net->streams = streams;
    node->start.stream = NN__LORA_STREAMS + nn__lora_of(net)->streams++;
    node->dtype = NN_F32;
    node->frozen = false;
    node->adapter = true;
    return node;
}

static nn_node *nn__lora_dropped(nn_model *net, nn_site site, nn_node *x) {
    const uint64_t streams = net->streams;
    if (nn__lora_of(net)->desc.dropout == 0.0f) return x;
    x = nn_dropout_at(site, net, x, nn__lora_of(net)->desc.dropout);
    net->streams = streams;
    if (!x->poisoned)
        ((nn__program_params *)x->params)->stream =
            NN__LORA_STREAMS + nn__lora_of(net)->streams++;
    return x;
}

static nn_node *nn__lora_add(nn_site site, nn_model *net, const char *layer, nn_node *x, nn_node *y,
                             bool transposed) {
    static const char *const roles[] = {"base", "update"};
    nn__lora *lora = nn__lora_of(net);
    nn__graph *graph = &net->graph;
    const int32_t in = x->shape.extent[x->shape.rank - 1],
                  out = y->shape.extent[y->shape.rank - 1];
    char name[3][2 * NN_NAME_BYTES];
    nn__lora_params params;
    nn_node *both[2];
    nn_node *a = nn__lora_parameter(net, site, layer, "lora_A", lora->desc.r, in,
                                    nn__fan_bound(in)),
            *b = a->poisoned ? a : nn__lora_parameter(net, site, layer, "lora_B", out,
                                                      lora->desc.r, 0.0f);
    if (b->poisoned) return nn__poison(net);
    nn__join_text(name[0], sizeof name[0], layer, ".", "lora_A");
    nn__join_text(name[1], sizeof name[1], layer, ".", "lora_B");
    nn__join_text(name[2], sizeof name[2], layer, ".", "lora");
    x = nn__lora_dropped(net, site, x);
    if (x->poisoned) return x;
    x = nn__add_linear(graph, site, "linear", name[0], x, a, NULL);
    if (x->poisoned) return x;
    both[0] = y;
    both[1] = nn__add_linear(graph, site, "linear", name[1], x, b, NULL);
    if (both[1]->poisoned) return both[1];
    memset(&params, 0, sizeof params);
    params.program.program.code = nn__lora_code;
    params.program.program.count = NN__COUNT(nn__lora_code);
    params.program.program.input_count = 2;
    params.program.program.output_count = params.program.program.scalar_count = 1;
    params.program.program.output[0] = NN__COUNT(nn__lora_code) - 1;
    params.program.scalars[0] = nn__lora_scale(&lora->desc);
    params.transposed = transposed;
    nn__install_code_multiply(net->nn);
    nn__install_code_add(net->nn);
    nn_node *sum = nn__new_node(graph, site, &nn__rule_lora, "lora", name[2], both, roles, 2,
                                NN_F32, &y->shape, &params, sizeof params);
    /* the layer's weight already includes the update, or the update is zero */
    if (lora->merged && !sum->poisoned) {
        sum->rule = &nn__rule_lora_merged;
        sum->input_count = 1;
        a->merged = b->merged = true;
    }
    return sum;
}

/* Reports an embedding that shares the layer's weight, as in many language models. PEFT adapts
   the embedding too, which is not implemented here. */
static bool nn__lora_is_tied(nn_model *net, nn_site site, const char *layer) {
    nn__problem problem;
    const nn_node *node = net->graph.first;
    while (node && !(node->kind == NN__OPERATION && strcmp(node->rule->name, "embedding") == 0 &&
                     strcmp(node->name, layer) == 0))
        node = node->next;
    if (!node) return false;
    memset(&problem, 0, sizeof problem);
    nn__problem_set(&problem, NN_ERROR_ARGUMENT,
                    NN__TEXT("leave it out of the targets, or name other layers"),
                    NN__TEXT("a target of nn_lora fits \"%s\", an embedding whose weight this "
                             "layer shares; PEFT adapts the embedding then, which nn_lora cannot"),
                    layer);
    nn__poison_problem(net, site, "lora", layer, NULL, NULL, 0, &problem);
    return true;
}

/* Reports a weight that is used both as it is and transposed: only one of the two adapters could
   be merged into it. */
static bool nn__lora_is_turned(nn_model *net, nn_site site, const char *layer, bool transposed) {
    char name[2 * NN_NAME_BYTES];
    nn__problem problem;
    const nn_node *node = net->graph.first;
    nn__join_text(name, sizeof name, layer, ".", "lora");
    while (node && !(nn__is_lora(node) && strcmp(node->name, name) == 0 &&
                     nn__lora_transposed(node) != transposed))
        node = node->next;
    if (!node) return false;
    memset(&problem, 0, sizeof problem);
    nn__problem_set(&problem, NN_ERROR_ARGUMENT, NN__TEXT("leave it out of the targets"),
                    NN__TEXT("a target of nn_lora fits \"%s\", whose weight another layer reads "
                             "transposed"),
                    layer);
    nn__poison_problem(net, site, "lora", layer, NULL, NULL, 0, &problem);
    return true;
}

static nn_node *nn__lora_adapt(nn_site site, nn_model *net, const char *name, nn_node *x,
                               nn_node *y, bool transposed) {
    nn__lora *lora = nn__lora_of(net);
    if (!y || y->poisoned || !x || x->poisoned) return y;
    const bool fits = nn__lora_fits(lora, name, lora->used);
    if (fits && (nn__lora_is_tied(net, site, name) ||
                 nn__lora_is_turned(net, site, name, transposed)))
        return nn__poison(net);
    return fits ? nn__lora_add(site, net, name, x, y, transposed) : y;
}

static bool nn__lora_adapt_infer(nn__inference *inference) {
    const nn_shape x = inference->inputs[0].shape, y = inference->inputs[1].shape;
    char text[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    bool fits = x.rank == y.rank && x.rank > 0 && !nn__is_symbolic(x.extent[x.rank - 1]) &&
                !nn__is_symbolic(y.extent[x.rank - 1]);
    for (int i = 0; fits && i + 1 < x.rank; i++) fits = x.extent[i] == y.extent[i];
    inference->outputs[0] = inference->inputs[1];
    if (fits && inference->inputs[1].dtype == NN_F32) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("pass the layer's input and its output"),
                           NN__TEXT("x is %s and y %s %s; wanted (..., in_features) and (..., "
                                    "out_features) f32"),
                           nn__format_shape(x, text, sizeof text),
                           nn__format_shape(y, other, sizeof other),
                           nn_dtype_name(inference->inputs[1].dtype));
}
static const nn__rule nn__rule_lora_adapt = NN__COMPOSED_LAYER("lora_adapt", nn__lora_adapt_infer);

/* Checks that the layer has a weight of the shape that merging would add to. */
static bool nn__lora_has_weight(nn_model *net, nn_site site, const char *layer, const nn_node *x,
                                const nn_node *y, bool transposed) {
    const int32_t in = x->shape.extent[x->shape.rank - 1],
                  out = y->shape.extent[y->shape.rank - 1];
    char name[2 * NN_NAME_BYTES], have[NN__SHAPE_TEXT];
    nn__problem problem;
    nn__join_text(name, sizeof name, layer, ".", "weight");
    const nn_node *leaf = *nn__leaf_list(&net->graph, name);
    while (leaf && !(leaf->kind == NN__PARAMETER && strcmp(leaf->name, name) == 0))
        leaf = nn__next_leaf(leaf);
    if (leaf && leaf->shape.rank == 2 && leaf->shape.extent[0] == (transposed ? in : out) &&
        leaf->shape.extent[1] == (transposed ? out : in))
        return true;
    memset(&problem, 0, sizeof problem);
    nn__problem_set(&problem, NN_ERROR_ARGUMENT,
                    NN__TEXT("describe that parameter before, or leave nn_lora_adapt out"),
                    leaf ? NN__TEXT("the parameter \"%s\" is %s; wanted (%d, %d)")
                         : NN__TEXT("there is no parameter \"%s\"%s, which would be (%d, %d)"),
                    name, leaf ? nn__format_shape(leaf->shape, have, sizeof have) : "",
                    (int)(transposed ? in : out), (int)(transposed ? out : in));
    nn__poison_problem(net, site, "lora_adapt", layer, NULL, NULL, 0, &problem);
    return false;
}

NN_API nn_node *nn_lora_adapt_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                 nn_node *y, bool transposed) {
    static const char *const roles[] = {"x", "y"};
    nn_node *inputs[2];
    inputs[0] = x;
    inputs[1] = y;
    x = nn__build(site, net, &nn__rule_lora_adapt, NULL, name, inputs, roles, 2, NULL, 0);
    if (!x || x->poisoned) return x;
    if (!nn__lora_has_weight(net, site, name, x, y, transposed)) return nn__poison(net);
    return net->adapters ? net->adapters->adapt(site, net, name, x, y, transposed) : y;
}

/* ---- nn_lora --------------------------------------------------------------------------------- */

#ifndef NN_NO_REPORTS
static const char *nn__lora_tail(const char *name, char mark) {
    const char *at = strrchr(name, mark);
    return at ? at + 1 : name;
}
#endif

/* Finds the layer whose name is most similar to a target, for a message. If the target names
   only the last part of a name, only the last parts are compared. */
static void nn__lora_closest(const nn_model *net, const char *target, char *closest, size_t size) {
    nn__copy_text(closest, size, "(none)");
#ifndef NN_NO_REPORTS
    const char *end = nn__lora_tail(target, '*');
    int least = INT32_MAX;
    if (*end == '.') end++;
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        char layer[NN_NAME_BYTES];
        const size_t length = strlen(node->name);
        if (node->kind != NN__PARAMETER || node->adapter || node->shape.rank != 2 || length < 8 ||
            strcmp(node->name + length - 7, ".weight") != 0)
            continue;
        nn__copy_text(layer, sizeof layer, node->name);
        layer[length - 7] = 0;
        const int distance =
            nn__name_distance(end, strchr(end, '.') ? layer : nn__lora_tail(layer, '.'));
        if (distance >= least) continue;
        least = distance;
        nn__copy_text(closest, size, layer);
    }
#else
    (void)net, (void)target;
#endif
}

/* Reports an embedding that was described after the layer whose weight it shares: merging would
   change it. */
static void nn__lora_check_ties(const nn_model *net, nn__faults *faults) {
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        const nn_node *sum = net->graph.first;
        if (node->kind != NN__OPERATION || strcmp(node->rule->name, "embedding") != 0) continue;
        while (sum && !(nn__is_lora(sum) && nn__lora_part(sum, "weight") == node->inputs[1]))
            sum = sum->next;
        if (!sum) continue;
        nn__fault *fault = nn__add_node_fault(faults, NN__FAULT_ARGUMENT, node);
        nn__fault_operand(fault, nn__role(node, 1), node->inputs[1], false);
        nn__fault_cause(faults, fault,
                        NN__TEXT("a target of nn_lora fits \"%s\", a linear layer whose weight "
                                 "this embedding shares; PEFT adapts the embedding then, which "
                                 "nn_lora cannot"),
                        node->name);
        nn__fault_fix(faults, fault,
                      NN__TEXT("leave it out of the targets, or name other layers"));
    }
}

static void nn__lora_check(const nn_model *net, nn__faults *faults) {
    const nn__lora *lora = nn__lora_of(net);
    char closest[NN_NAME_BYTES];
    for (int i = 0; i < lora->desc.targets.count; i++) {
        if (lora->used[i]) continue;
        nn__fault *fault =
            nn__add_fault(faults, NN__FAULT_ARGUMENT, "nn_lora", lora->desc.targets.text[i],
                          lora->site);
        nn__lora_closest(net, lora->desc.targets.text[i], closest, sizeof closest);
        if (nn__layer_fits(lora->desc.targets.text[i], closest)) {
            nn__fault_cause(faults, fault,
                            NN__TEXT("the target \"%s\" fits \"%s\", which is no linear layer and "
                                     "has no adapter"),
                            lora->desc.targets.text[i], closest);
            nn__fault_fix(faults, fault,
                          NN__TEXT("leave an embedding out of the targets; give a product of your "
                                   "own to nn_lora_adapt"));
            continue;
        }
        nn__fault_cause(faults, fault,
                        NN__TEXT("the target \"%s\" fits no linear layer that was described after "
                                 "it; the closest is \"%s\""),
                        lora->desc.targets.text[i], closest);
        nn__fault_fix(faults, fault,
                      NN__TEXT("a whole name, its end after a dot (\"q_proj\"), or stars for any "
                               "text (\"layers.*.q_proj\")"));
    }
    nn__lora_check_ties(net, faults);
}

/* Copies the texts of the desc. used: the marks so far, or NULL. */
static bool nn__lora_texts(nn__lora *lora, nn__arena *arena, const bool *used) {
    const size_t bytes = sizeof(bool) * (size_t)lora->desc.targets.count;
    lora->used = (bool *)nn__arena_take(arena, bytes);
    if (lora->used && used) memcpy(lora->used, used, bytes);
    return lora->used && nn__arena_texts(arena, &lora->desc.targets);
}

/* Copies the adapters for nn_copy_model. Merged adapters stay merged in the copy. */
static bool nn__lora_copy(const nn_model *from, nn_model *to) {
    nn__lora *lora = (nn__lora *)nn__arena_take(&to->graph.arena, sizeof *lora);
    if (!lora) return false;
    *lora = *nn__lora_of(from);
    lora->kept = NULL;
    lora->hooks.kept = false;
    to->adapters = &lora->hooks;
    return nn__lora_texts(lora, &to->graph.arena, lora->used);
}

static nn_result nn__lora_check_desc(nn_model *net, nn_lora_desc *desc, nn_site site) {
    nn_context *nn = net->nn;
    if (desc->r == 0) desc->r = 8;
    if (desc->alpha == 0.0f) desc->alpha = 8.0f;
    if (!nn__check_list(nn, site, "nn_lora", "targets", desc->targets.text, desc->targets.count,
                        true))
        return NN_ERROR_ARGUMENT;
    if (desc->targets.count == 0)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "nn_lora: no targets; name the layers: .targets = NN_TEXTS(\"q_proj\", "
                           "\"v_proj\")");
    for (int i = 0; i < desc->targets.count; i++)
        if (!desc->targets.text[i][0])
            return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_lora: target %d is empty", i);
    if (desc->r < 0)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_lora: r is %d; wanted 1 or more",
                           desc->r);
    if (!(fabsf(desc->alpha) <= FLT_MAX))
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_lora: alpha is %g; wanted a number",
                           (double)desc->alpha);
    if (!(desc->dropout >= 0.0f && desc->dropout < 1.0f))
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "nn_lora: dropout is %g; wanted 0 or more and less than 1",
                           (double)desc->dropout);
    return NN_OK;
}

/* Fails if a layer that fits was described before nn_lora: it would silently stay without an
   adapter. */
static nn_result nn__lora_check_layers(nn_model *net, const nn__lora *lora, nn_site site) {
    char where[96];
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        if (node->kind != NN__OPERATION || !(node->rule->flags & NN__LAYER) ||
            (strcmp(node->rule->name, "linear") != 0 &&
             strcmp(node->rule->name, "linear_transposed") != 0) ||
            !nn__lora_fits(lora, node->name, NULL))
            continue;
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "nn_lora: the linear layer \"%s\" was described at %s, before nn_lora, "
                           "and would stay without an adapter; call nn_lora first",
                           node->name, nn__format_site(node->site, where, sizeof where));
    }
    return NN_OK;
}

static nn_result nn__inside_lora(nn_site site, nn_model *net, const nn_lora_desc *desc) {
    nn_lora_desc none;
    char where[96];
    if (nn__model_gone(net, site, "nn_lora")) return NN_ERROR_ARGUMENT;
    memset(&none, 0, sizeof none);
    if (net->adapters)
        return nn__fail_at(
            net->nn, site, NN_ERROR_ARGUMENT,
            "nn_lora: the model \"%s\" has adapters already, since %s; one call has room for all "
            "targets",
            net->name, nn__format_site(nn__lora_of(net)->site, where, sizeof where));
    nn__lora *lora = (nn__lora *)nn__arena_take(&net->graph.arena, sizeof *lora);
    if (!lora) return nn__fail_memory(net->nn, "nn_lora", sizeof *lora);
    lora->desc = desc ? *desc : none;
    lora->site = site;
    nn_result result = nn__lora_check_desc(net, &lora->desc, site);
    if (result == NN_OK) result = nn__lora_check_layers(net, lora, site);
    if (result != NN_OK) return result;
    if (!nn__lora_texts(lora, &net->graph.arena, NULL))
        return nn__fail_memory(net->nn, "nn_lora", NN_NAME_BYTES);
    lora->hooks.adapt = nn__lora_adapt;
    lora->hooks.check = nn__lora_check;
    lora->hooks.copy = nn__lora_copy;
    for (nn_node *node = net->graph.first; node; node = node->next)
        if (node->kind == NN__PARAMETER) node->frozen = true;
    net->adapters = &lora->hooks;
    return NN_OK;
}

NN_API nn_result nn_lora_at(nn_site site, nn_model *net, const nn_lora_desc *desc) {
    return NN__ALONE(net ? net->nn : NULL, "nn_lora", site, nn__inside_lora(site, net, desc));
}

#endif /* NN_NO_TRAINING */

typedef int nn__lora_part_of_ops; /* a part must not be empty under NN_NO_TRAINING */
