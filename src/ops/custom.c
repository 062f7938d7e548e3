/* ops/custom.c - an operation of the user's own: a function, and one more for the gradient of
   each input. Which plans can run it: plan/plan.h. */
#include "ops/program.h"

#define NN__CUSTOM_INPUTS 6 /* nn_custom_args has 8 views, two of which are dy and y */

/* Returns the function of a gradient, and its name in the source; NULL: none. */
static NN__UNUSED nn_custom_function nn__custom_gradient_of(const nn_custom_desc *desc, int i) {
    return i < desc->gradients.count ? desc->gradients.function[i] : NULL;
}
static NN__UNUSED const char *nn__custom_entry_of(const nn_custom_desc *desc, int i) {
    return desc->gradient_entries.text[i]; /* nn__custom_copy made a list for all inputs */
}

/* Checks the lists of a desc. */
static bool nn__custom_check_lists(const nn_custom_desc *desc, nn__problem *problem) {
    const int counts[] = {desc->inputs.count, desc->gradients.count, desc->gradient_entries.count};
    const bool arrays[] = {desc->inputs.node != NULL, desc->gradients.function != NULL,
                           desc->gradient_entries.text != NULL};
    static const char *const names[] = {"inputs", "gradients", "gradient_entries"};
    for (int i = 0; i < NN__COUNT(counts); i++)
        if (counts[i] < 0 || counts[i] > (i ? desc->inputs.count : NN__CUSTOM_INPUTS) ||
            (counts[i] > 0 && !arrays[i]))
            return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                                   NN__TEXT("NN_NODES and similar macros count their elements"),
                                   NN__TEXT("%s has %d elements%s; at most %d are possible"),
                                   names[i], counts[i], arrays[i] ? "" : " and no array",
                                   i ? desc->inputs.count : NN__CUSTOM_INPUTS);
    return true;
}

/* params: the nn_custom_desc, which states the result whatever the inputs are. */
static bool nn__op_custom_infer(nn__inference *inference) {
    const nn_custom_desc *desc = (const nn_custom_desc *)inference->params;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT];
    if (!desc)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give an nn_custom_desc with .function and .inputs"),
                               NN__TEXT("desc is NULL"));
    if (!desc->function)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("set .function"),
                               NN__TEXT("function is NULL"));
    if (desc->inputs.count == 0)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("set .inputs = NN_NODES(x)"),
                               NN__TEXT("inputs is empty; there must be at least one input"));
    if (!nn__custom_check_lists(desc, problem)) return false;
    if ((int)desc->dtype < 0 || desc->dtype >= NN_DTYPE_COUNT)
        return nn__problem_set(problem, NN_ERROR_DTYPE, NN__TEXT("leave it 0 for f32"),
                               NN__TEXT("dtype is %d, which is none"), (int)desc->dtype);
    if (desc->shape.rank < 0 || desc->shape.rank > NN_MAX_RANK)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("use NN_SHAPE"),
                               NN__TEXT("shape has the rank %d; at most %d"), (int)desc->shape.rank,
                               NN_MAX_RANK);
    for (int i = 0; i < NN__CUSTOM_INPUTS; i++)
        if (nn__custom_entry_of(desc, i) && !desc->source)
            return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("set .source"),
                                   NN__TEXT("gradient_entries[%d] is \"%s\", but source is NULL"),
                                   i, nn__custom_entry_of(desc, i));
    for (int i = 0; i < desc->shape.rank; i++)
        if (nn__extent_factor(desc->shape.extent[i]) < 1)
            return nn__problem_set(
                problem, NN_ERROR_SHAPE,
                NN__TEXT("every extent must be positive, NN_BATCH, NN_TIME or a multiple of them"),
                NN__TEXT("shape is %s"), nn__format_shape(desc->shape, text, sizeof text));
    if (nn__free_extents(desc->shape, NN__OF_BATCH) > 1)
        return nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("keep one NN_BATCH"),
            NN__TEXT("%d extents of shape %s depend on the batch; at most one may"),
            nn__free_extents(desc->shape, NN__OF_BATCH),
            nn__format_shape(desc->shape, text, sizeof text));
    inference->outputs[0].dtype = nn__dtype(desc->dtype);
    inference->outputs[0].shape = desc->shape;
    return true;
}

static void nn__op_custom_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    const nn_custom_desc *p = (const nn_custom_desc *)node->params;
    memset(&args->custom, 0, sizeof args->custom);
    args->custom.output = lowering->output;
    for (int i = 0; i < node->input_count; i++) args->custom.input[i] = lowering->inputs[i];
    args->custom.input_count = node->input_count;
    args->custom.function = p->function;
    args->custom.user = p->user;
    args->custom.source = p->source;
    args->custom.entry = p->entry;
}

#ifndef NN_NO_TRAINING
static const nn__rule nn__rule_custom_backward = {
    "custom_backward", NN_KERNEL_CUSTOM, NN__ANY_DTYPE, NN_ACTIVATION_NONE, nn__op_custom_lower,
    nn__gradient_again, NULL, NULL, NULL};

/* inputs: dy, y, then the operation's own */
static void nn__op_custom_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn_custom_desc *p = (const nn_custom_desc *)node->params;
    nn_node *inputs[NN__CUSTOM_INPUTS + 2];
    inputs[0] = dy;
    inputs[1] = node;
    for (int i = 0; i < node->input_count; i++) inputs[i + 2] = node->inputs[i];
    for (int i = 0; i < node->input_count; i++) {
        nn_node *x = node->inputs[i];
        nn_custom_desc back;
        if (!nn__wants(x)) continue;
        if (!nn__custom_gradient_of(p, i) && !nn__custom_entry_of(p, i)) {
            nn__warn(node->graph->model, node->site, "custom", node->name,
                     "it has no gradient for its input \"%s\", so what comes before it does not "
                     "learn from this "
                     "loss; set .gradients for input %d, or say that it is meant with nn_detach",
                     x->name, i);
            continue;
        }
        memset(&back, 0, sizeof back);
        back.function = nn__custom_gradient_of(p, i);
        back.user = p->user;
        back.source = p->source;
        back.entry = nn__custom_entry_of(p, i);
        nn__give_gradient(tape, x,
                          nn__tape_node(tape, &nn__rule_custom_backward, x, ".grad", inputs,
                                        node->input_count + 2,
                                        nn__is_half(x->dtype) ? NN_F32 : x->dtype, x->shape, &back,
                                        sizeof back));
    }
}
#endif

static const nn__rule nn__rule_custom = {"custom",
                                         NN_KERNEL_CUSTOM,
                                         NN__ANY_DTYPE,
                                         NN_ACTIVATION_NONE,
                                         nn__op_custom_lower,
                                         NN__GRADIENT(nn__op_custom_gradient),
                                         NULL,
                                         nn__op_custom_infer,
                                         NULL};

/* Copies what a desc points to into an arena. inputs: the node's, which are in its graph already.
   False: no memory. */
static bool nn__custom_copy(nn__arena *arena, nn_custom_desc *desc) {
    const void *functions = desc->gradients.function;
    const char **texts =
        (const char **)nn__arena_take(arena, sizeof *texts * (size_t)NN__CUSTOM_INPUTS);
    if (!texts ||
        !nn__arena_list(arena, &functions,
                        sizeof *desc->gradients.function * (size_t)desc->gradients.count))
        return false;
    for (int i = 0; i < desc->gradient_entries.count; i++) {
        const char *text = desc->gradient_entries.text[i];
        if (text && !(texts[i] = nn__arena_text(arena, text))) return false;
    }
    desc->gradients.function = (const nn_custom_function *)functions;
    desc->gradient_entries.text = texts;
    if (desc->source && !(desc->source = nn__arena_text(arena, desc->source))) return false;
    return !desc->entry || (desc->entry = nn__arena_text(arena, desc->entry)) != NULL;
}

#if !defined(NN_NO_REPORTS) || !defined(NN_NO_TRAINING)
NN_PRIVATE bool nn__own_custom(nn_node *node) {
#ifndef NN_NO_TRAINING
    if (node->rule != &nn__rule_custom && node->rule != &nn__rule_custom_backward) return true;
#else
    if (node->rule != &nn__rule_custom) return true;
#endif
    nn_custom_desc *desc = (nn_custom_desc *)node->params;
    desc->inputs.node = node->inputs;
    desc->inputs.count = node->input_count;
    return nn__custom_copy(&node->graph->arena, desc);
}
#endif

NN_API nn_node *nn_custom_at(nn_site site, nn_model *net, const char *name,
                             const nn_custom_desc *desc) {
    static const char *const roles[] = {"input 0", "input 1", "input 2",
                                        "input 3", "input 4", "input 5"};
    nn_custom_desc own;
    nn__problem problem;
    int count = 0;
    memset(&problem, 0, sizeof problem);
    if (!net) return NULL;
    if (desc) {
        if (!nn__custom_check_lists(desc, &problem))
            return nn__poison_problem(net, site, "custom", name, NULL, NULL, 0, &problem);
        count = desc->inputs.count;
        own = *desc;
        if (!nn__custom_copy(&net->graph.arena, &own))
            return nn__poison_memory(net, "nn_custom", sizeof own);
    }
    nn_node *node = nn__build(site, net, &nn__rule_custom, nn__install_custom, name,
                              desc ? desc->inputs.node : NULL, roles, count, desc ? &own : NULL,
                              sizeof own);
    if (node && !node->poisoned && node->params)
        ((nn_custom_desc *)node->params)->inputs.node = node->inputs;
    return node;
}
#undef NN__CUSTOM_INPUTS
