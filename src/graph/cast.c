/* graph/cast.c - casts between storage dtypes, and the pass that inserts casts before operations
   whose kernels take only f32.

   The kernel is a pointwise program, which every device has. An inserted cast is an ordinary node,
   which the plan prints with its bytes. */
#include "graph/private.h"
#include "kernels/install.h"

/* Casts as PyTorch's Tensor.to does. A cast to a half format rounds to nearest even, a cast to
   whole numbers rounds towards 0, and a cast to bool compares with 0. */
static void nn__cast_args(nn_program_args *args, const nn_view *y, const nn_view *x) {
    static const nn_instruction number[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                            {NN_CODE_TRUNC, 0, 0, 0, 0.0f}};
    static const nn_instruction truth[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                           {NN_CODE_CONSTANT, 0, 0, 0, 0.0f},
                                           {NN_CODE_NOT_EQUAL, 0, 1, 0, 0.0f}};
    const bool real = y->dtype == NN_F32 || nn__is_half(y->dtype);
    memset(args, 0, sizeof *args);
    args->program.code = y->dtype == NN_BOOL ? truth : number;
    args->program.count = (uint8_t)(y->dtype == NN_BOOL ? 3 : real ? 1 : 2);
    args->program.output[0] = (uint8_t)(args->program.count - 1);
    args->program.input_count = args->program.output_count = 1;
    args->outputs[0] = *y;
    args->inputs[0] = *x;
}

NN_PRIVATE void nn__install_cast(nn_context *nn) {
    nn__install_code_trunc(nn);
    nn__install_code_not_equal(nn);
    nn__install_program_dtypes(nn);
}

static bool nn__can_cast(nn_dtype dtype) {
    dtype = nn__dtype(dtype);
    return dtype == NN_F32 || nn__is_half(dtype) || dtype == NN_I32 || dtype == NN_I8 ||
           dtype == NN_U8 || dtype == NN_BOOL;
}

NN_PRIVATE bool nn__cast_infer(nn__inference *inference) {
    const nn_dtype from = inference->inputs[0].dtype, to = *(const nn_dtype *)inference->params;
    const nn_dtype wrong = nn__can_cast(from) ? to : from;
    inference->outputs[0].dtype = nn__dtype(to);
    inference->outputs[0].shape = inference->inputs[0].shape;
    if (nn__can_cast(wrong)) return true;
    if (nn_dtype_size(wrong) == 0)
        return nn__problem_set(inference->problem, NN_ERROR_DTYPE, NN__TEXT("NN_F16, NN_BF16 ..."),
                               NN__TEXT("%d is no dtype"), (int)wrong);
    return nn__problem_set(inference->problem, NN_ERROR_DTYPE, NN__TEXT("convert it on the host"),
                           NN__TEXT("%s cannot be cast; f32, f16, bf16, i32, i8, u8 and bool can"),
                           nn_dtype_name(wrong));
}

static void nn__cast_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    (void)node;
    nn__cast_args(&args->pointwise, &lowering->output, &lowering->inputs[0]);
    args->pointwise.scratch = lowering->scratch;
}

#ifndef NN_NO_TRAINING
/* Gradients are f32 whatever the dtype of the value, so they pass a cast unchanged. */
static void nn__cast_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__give_gradient(tape, node->inputs[0], dy);
}
#define NN__CAST_GRADIENT nn__cast_gradient
#else
#define NN__CAST_GRADIENT NULL
#endif

static const nn__rule nn__rule_cast = {"cast",
                                       NN_KERNEL_POINTWISE,
                                       NN__ANY_DTYPE,
                                       NN_ACTIVATION_NONE,
                                       nn__cast_lower,
                                       NN__CAST_GRADIENT,
                                       NULL,
                                       nn__cast_infer,
                                       NULL};
/* Whole numbers have no gradient. */
static const nn__rule nn__rule_cast_whole = {"cast",
                                             NN_KERNEL_POINTWISE,
                                             NN__ANY_DTYPE,
                                             NN_ACTIVATION_NONE,
                                             nn__cast_lower,
                                             NULL,
                                             NULL,
                                             nn__cast_infer,
                                             NULL};
#undef NN__CAST_GRADIENT

NN_PRIVATE const nn__rule *nn__cast_rule(nn_dtype dtype) {
    dtype = nn__dtype(dtype);
    return dtype == NN_F32 || nn__is_half(dtype) ? &nn__rule_cast : &nn__rule_cast_whole;
}

NN_PRIVATE nn_node *nn__add_cast(nn__graph *graph, nn_site site, const char *name, nn_node *x,
                                 nn_dtype dtype) {
    static const char *const roles[] = {"input"};
    nn__install_cast(graph->nn);
    nn_node *node = nn__add_node(graph, site, nn__cast_rule(dtype), "cast", name, &x, roles, 1,
                                 dtype, x->shape, NULL, 0);
    nn__place_like(node, x);
    return node;
}

#ifndef NN_NO_MIXED_PRECISION
/* Casts are listed by name, like leaves. */
NN_PRIVATE nn_node *nn__widened(nn__graph *graph, nn_site site, nn_node *x) {
    char name[2 * NN_NAME_BYTES];
    nn__join_text(name, sizeof name, x->name, ".", "f32");
    nn_node *cast = *nn__leaf_list(graph, name);
    while (cast && !(cast->rule == &nn__rule_cast && cast->inputs[0] == x && cast->dtype == NN_F32))
        cast = nn__next_leaf(cast);
    if (cast) return cast;
    cast = nn__add_cast(graph, site, name, x, NN_F32);
    if (cast->poisoned) return cast;
    nn__list_leaf(graph, cast);
    return cast;
}

/* Casting again costs one pass. Keeping the f32 copy from the forward pass would take twice the
   memory of the source. */
NN_PRIVATE nn_node *nn__cast_source(const nn__graph *graph, const nn_node *x) {
    bool widens =
        x->rule == &nn__rule_cast && x->graph != graph && nn__is_half(x->inputs[0]->dtype);
    return widens && x->dtype == NN_F32 ? x->inputs[0] : NULL;
}

NN_PRIVATE void nn__set_narrow(nn_node *cast) {
    nn_node *x = cast->inputs[0], *root = x;
    x->narrow = cast;
    while (root->kind == NN__OPERATION && (root->rule->flags & NN__ALIAS) &&
           root->inputs[0]->dtype == x->dtype)
        root = root->inputs[0];
    if (root != x) root->viewed = x;
}

NN_PRIVATE bool nn__widen_inputs(nn__graph *graph, nn_node *node) {
    if (node->rule->flags & NN__ANY_DTYPE) return true;
    for (int i = 0; i < node->input_count; i++) {
        nn_node *x = node->inputs[i];
        if (nn__writes(node, i)) continue;
        if (nn__cast_source(graph, x)) x = nn__cast_source(graph, x);
        if (!nn__is_half(x->dtype)) continue;
        node->inputs[i] = i < 2 && (node->rule->flags & NN__HALVES)
                              ? x
                              : nn__widened(graph, node->site, x);
        if (node->inputs[i]->poisoned) return false;
        /* kernels write f32 */
        if (nn__is_half(node->dtype)) node->dtype = NN_F32;
    }
    return true;
}
#endif
