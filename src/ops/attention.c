/* ops/attention.c - scaled dot product attention: its rule, its gradient and its builder. */
#include "ops/attention_private.h"
#include "kernels/install_sequence.h"

#include <math.h>

/* ---- check ----------------------------------------------------------------------------------- */

/* Return the axis of q or k that counts heads, and the axis that counts rows. */
static int nn__op_attention_heads(const nn__op_attention *params) {
    return params->desc.heads_inside ? 2 : 1;
}
static int nn__op_attention_time(const nn__op_attention *params) {
    return params->desc.heads_inside ? 1 : 2;
}

static bool nn__op_attention_numbers(const nn__op_attention *params, nn__problem *problem) {
    const nn_scaled_dot_product_attention_desc *desc = &params->desc;
    if (!nn__want_fraction(problem, "dropout_p", desc->dropout_p, NN__TEXT("leave it out for 0")))
        return false;
    if (!(fabsf(desc->scale) <= 3.402823466e38f))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave it out for 1 / sqrt(E)"),
                               NN__TEXT("scale is %g; it must be finite"), (double)desc->scale);
    if (desc->window < 0)
        return nn__refuse_number(problem, "window", desc->window, "at least 1, or 0 for no end");
    if (params->has[NN__ATTENTION_STARTS] && !desc->is_causal)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("set .is_causal; texts that are read both ways are told "
                                        "apart by an attn_mask (N, 1, L, S)"),
                               NN__TEXT("starts are given without is_causal; keys after the end "
                                        "of a text would be seen"));
    if (!desc->lower_right || !params->has[NN__ATTENTION_POSITIONS]) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave one of them out"),
                           NN__TEXT("lower_right and positions are given; both say where the "
                                    "queries stand"));
}

/* Checks that q, k and v have four extents and that all but the batch and the time are known. */
static bool nn__op_attention_ranks(const nn__op_attention *params, nn__inference *inference) {
    char text[NN__SHAPE_TEXT];
    for (int i = 0; i < 3; i++) {
        const nn_shape x = inference->inputs[i].shape;
        const char *role = inference->roles[i];
        nn__format_shape(x, text, sizeof text);
        if (x.rank != 4)
            return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it"),
                                   NN__TEXT("%s has the shape %s; wanted %s"), role, text,
                                   params->desc.heads_inside ? "(N, L, heads, E)"
                                                             : "(N, heads, L, E)");
        for (int k = 1; k < 4; k++)
            if (k != nn__op_attention_time(params) && nn__is_symbolic(x.extent[k]))
                return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                                       NN__TEXT("the batch and the length may be free"),
                                       NN__TEXT("extent %d of %s %s depends on the %s; it must be "
                                                "a number"),
                                       k, role, text, nn__free_words(x.extent[k]));
    }
    return true;
}

static bool nn__op_attention_refuse(nn__problem *problem, const char *what, const char *fix,
                                    nn_shape a, const char *a_role, nn_shape b,
                                    const char *b_role) {
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    return nn__problem_set(problem, NN_ERROR_SHAPE, fix, NN__TEXT("%s is %s and %s is %s: %s"),
                           a_role, nn__format_shape(a, one, sizeof one), b_role,
                           nn__format_shape(b, other, sizeof other), what);
}

/* Checks that q, k and v fit each other. */
static bool nn__op_attention_shapes(const nn__op_attention *params, nn__inference *inference) {
    const int heads = nn__op_attention_heads(params), time = nn__op_attention_time(params);
    const nn_shape q = inference->inputs[0].shape, k = inference->inputs[1].shape,
                   v = inference->inputs[2].shape;
    nn__problem *problem = inference->problem;
    if (q.extent[0] != k.extent[0] || k.extent[0] != v.extent[0])
        return nn__op_attention_refuse(
            problem, NN__TEXT("they must have the same number of "
                              "samples"), NN__TEXT("make them equal"), q,
            "q", q.extent[0] != k.extent[0] ? k : v, q.extent[0] != k.extent[0] ? "k" : "v");
    if (q.extent[3] != k.extent[3])
        return nn__op_attention_refuse(problem,
                                       NN__TEXT("the last extents are multiplied and must be "
                                                "equal"),
                                       NN__TEXT("make them equal"), q, "q", k, "k");
    if (k.extent[heads] != v.extent[heads] || k.extent[time] != v.extent[time])
        return nn__op_attention_refuse(problem,
                                       NN__TEXT("they must have the same heads and length"),
                                       NN__TEXT("make them equal"), k, "k", v, "v");
    if (q.extent[heads] % k.extent[heads] == 0) return true;
    return nn__op_attention_refuse(
        problem, NN__TEXT("the heads of q must be a multiple of those of k"),
        params->desc.heads_inside ? NN__TEXT("with heads_inside they are extent 2")
                                  : NN__TEXT("they are extent 1, or 2 with heads_inside"),
        q, "q", k, "k");
}

/* Checks that each extent of the mask is 1 or that of the scores. */
static bool nn__op_attention_mask(const nn__inference *inference, const nn__type *mask,
                                  nn_shape scores) {
    char text[NN__SHAPE_TEXT], wanted[NN__SHAPE_TEXT];
    const int more = scores.rank - mask->shape.rank;
    bool fits = more >= 0;
    if (mask->dtype != NN_F32 && mask->dtype != NN_U8 && mask->dtype != NN_BOOL)
        return nn__problem_set(
            inference->problem, NN_ERROR_DTYPE, NN__TEXT("f32 is added, and 0 of u8 or bool masks"),
            NN__TEXT("attn_mask is %s; wanted f32, u8 or bool"), nn_dtype_name(mask->dtype));
    for (int i = 0; i < mask->shape.rank && fits; i++)
        fits = mask->shape.extent[i] == 1 || mask->shape.extent[i] == scores.extent[i + more];
    if (fits) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("nn_reshape of a mask of keys (N, S): (N, 1, 1, S)"),
                           NN__TEXT("attn_mask has the shape %s, which does not fit the scores' "
                                    "(N, H, L, S), %s: each extent must be equal or 1"),
                           nn__format_shape(mask->shape, text, sizeof text),
                           nn__format_shape(scores, wanted, sizeof wanted));
}

NN_PRIVATE bool nn__op_attention_infer(nn__inference *inference) {
    const nn__op_attention *params = (const nn__op_attention *)inference->params;
    const nn__type *types = inference->inputs;
    const int heads = nn__op_attention_heads(params), time = nn__op_attention_time(params);
    nn_shape scores, samples, queries;
    if (!nn__want_dtype(inference->problem, inference->operation, "q", types[0].dtype, NN_F32))
        return false;
    for (int i = 1; i < 3; i++)
        if (!nn__is_half(types[i].dtype) &&
            !nn__want_dtype(inference->problem, inference->operation, inference->roles[i],
                            types[i].dtype, NN_F32))
            return false;
    if (!nn__op_attention_numbers(params, inference->problem) ||
        !nn__op_attention_ranks(params, inference) || !nn__op_attention_shapes(params, inference))
        return false;
    inference->outputs[0].dtype = inference->outputs[1].dtype = NN_F32;
    scores = inference->outputs[0].shape = types[0].shape;
    inference->outputs[0].shape.extent[3] = types[2].shape.extent[3];
    scores.extent[1] = types[0].shape.extent[heads];
    scores.extent[2] = types[0].shape.extent[time];
    scores.extent[3] = types[1].shape.extent[time];
    inference->outputs[1].shape = scores;
    inference->outputs[1].shape.rank = 3;
    inference->outputs[1].shape.extent[3] = 0;
    memset(&samples, 0, sizeof samples);
    samples.rank = 1;
    samples.extent[0] = scores.extent[0];
    queries = samples;
    queries.rank = 2;
    queries.extent[1] = scores.extent[2];
    for (int i = 0, next = 3; i < NN__ATTENTION_MASKS; i++) {
        if (!params->has[i]) continue;
        const nn__type *type = &types[next];
        const char *role = inference->roles[next++];
        if (i == NN__ATTENTION_MASK) {
            if (!nn__op_attention_mask(inference, type, scores)) return false;
        } else if (!nn__want_dtype(inference->problem, inference->operation, role, type->dtype,
                                   NN_I32) ||
                   !nn__want_role_shape(inference->problem, role,
                                        i == NN__ATTENTION_STARTS ? queries : samples, type->shape))
            return false;
    }
    return true;
}

/* ---- lowering -------------------------------------------------------------------------------- */

NN_PRIVATE void nn__op_attention_args(nn_attention_args *args, const nn__op_attention *params,
                                      const nn_view *inputs) {
    const nn_scaled_dot_product_attention_desc *desc = &params->desc;
    memset(args, 0, sizeof *args);
    args->q = inputs[0];
    args->k = inputs[1];
    args->v = inputs[2];
    inputs += 3;
    if (params->has[NN__ATTENTION_MASK]) {
        args->mask = *inputs++;
        for (int i = 3, k = args->mask.shape.rank - 1; i >= 0; i--, k--)
            args->mask.shape.extent[i] = k >= 0 ? args->mask.shape.extent[k] : 1;
        args->mask.shape.rank = 4;
        if (args->mask.dtype == NN_BOOL) args->mask.dtype = NN_U8; /* kernels read the same bytes */
    }
    if (params->has[NN__ATTENTION_LENGTHS]) args->lengths = *inputs++;
    if (params->has[NN__ATTENTION_POSITIONS]) args->positions = *inputs++;
    if (params->has[NN__ATTENTION_STARTS]) args->starts = *inputs;
    args->scale = desc->scale != 0.0f ? desc->scale : 1.0f / sqrtf((float)args->q.shape.extent[3]);
    args->causal = desc->is_causal;
    args->alibi = desc->alibi;
    args->window = desc->window;
    args->heads_inside = desc->heads_inside;
    if (desc->lower_right)
        args->offset = args->k.shape.extent[nn__op_attention_time(params)] -
                       args->q.shape.extent[nn__op_attention_time(params)];
}

/* True if the kernel has to check numbers: lengths, positions or starts. */
static bool nn__op_attention_checks(const nn__op_attention *params) {
    return params->has[NN__ATTENTION_LENGTHS] || params->has[NN__ATTENTION_POSITIONS] ||
           params->has[NN__ATTENTION_STARTS];
}

/* Each step has 2^32 counters of its own, so no two steps share random words. */
static void nn__op_attention_random(nn_attention_args *args, const nn__op_attention *params,
                                    const nn__run_values *values) {
    args->step = (uint32_t)values->step;
    if (!values->training || params->desc.dropout_p == 0.0f) return;
    args->dropout = params->desc.dropout_p;
    args->seed = values->seed;
    args->stream = params->stream;
    args->counter = (uint64_t)values->step << 32;
}

/* Returns the views of q, k, v and the masks, of which q is input `first` of the node. views: room
   for them. */
static const nn_view *nn__op_attention_views(nn_view *views, const nn_node *node,
                                             const nn__lowering *lowering, int first) {
    const nn__op_attention *params = (const nn__op_attention *)node->params;
    for (int i = first; i < node->input_count; i++) views[i - first] = lowering->inputs[i];
    for (int i = 0; i < 3; i++)
        views[i] = nn__part_view(&params->parts[i], views[i], lowering->values);
    return views;
}

static void nn__op_attention_rows(nn_attention_args *args, const nn__op_attention *params) {
    args->q_row = params->parts[0].row;
    args->k_row = params->parts[1].row;
    args->v_row = params->parts[2].row;
    args->joined = params->joined;
}

static void nn__op_attention_lower(const nn_node *node, const nn__lowering *lowering,
                                   nn__args *all) {
    const nn__op_attention *params = (const nn__op_attention *)node->params;
    nn_attention_args *args = &all->attention_forward;
    nn_view views[NN__ATTENTION_INPUTS];
    nn__op_attention_args(args, params, nn__op_attention_views(views, node, lowering, 0));
    nn__op_attention_rows(args, params);
    args->y = lowering->output;
    args->log_sum = lowering->more[0];
    args->scratch = lowering->scratch;
    if (nn__op_attention_checks(params)) args->status = lowering->status;
    nn__op_attention_random(args, params, lowering->values);
}

/* Returns the operations of one product of all queries with all keys; half of them if causal. */
static double nn__op_attention_product(const nn_attention_args *args) {
    const int time = args->heads_inside ? 1 : 2;
    return (args->causal ? 1.0 : 2.0) * (double)nn__count(&args->q) *
           (double)args->k.shape.extent[time];
}
static NN__UNUSED double nn__op_attention_flops(const nn_node *node, const nn__lowering *lowering) {
    nn_attention_args args;
    nn_view views[NN__ATTENTION_INPUTS];
    nn__op_attention_args(&args, (const nn__op_attention *)node->params,
                          nn__op_attention_views(views, node, lowering, 0));
    return 2.0 * nn__op_attention_product(&args);
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
static void nn__op_attention_back_lower(const nn_node *node, const nn__lowering *lowering,
                                        nn__args *all) {
    const nn__op_attention *params = (const nn__op_attention *)node->params;
    nn_attention_args *args = &all->attention_backward;
    nn_view *gradients[4], views[NN__ATTENTION_INPUTS];
    int next = 0;
    nn__op_attention_args(args, params, nn__op_attention_views(views, node, lowering, 3));
    nn__op_attention_rows(args, params);
    args->dy = lowering->inputs[0];
    args->y = lowering->inputs[1];
    args->log_sum = lowering->inputs[2];
    gradients[0] = &args->dq, gradients[1] = &args->dk, gradients[2] = &args->dv;
    gradients[3] = &args->dmask;
    for (int i = 0; i < 4; i++) {
        if (!params->gives[i]) continue;
        *gradients[i] = next ? lowering->more[next - 1] : lowering->output;
        if (!params->joined || i == 2) next++;
        if (!params->joined || i == 3) continue;
        gradients[i]->offset += (uint64_t)params->parts[i].first * sizeof(float);
        gradients[i]->shape = views[i].shape;
    }
    if (params->gives[3]) args->dmask.shape = args->mask.shape;
    args->scratch = lowering->scratch;
    nn__op_attention_random(args, params, lowering->values);
}

static NN__UNUSED double nn__op_attention_back_flops(const nn_node *node,
                                                     const nn__lowering *lowering) {
    nn_attention_args args;
    nn_view views[NN__ATTENTION_INPUTS];
    nn__op_attention_args(&args, (const nn__op_attention *)node->params,
                          nn__op_attention_views(views, node, lowering, 3));
    return (((const nn__op_attention *)node->params)->gives[3] ? 7.0 : 5.0) *
           nn__op_attention_product(&args);
}

#define NN__ATTENTION_BACK_RULE(flags)                                                             \
    {                                                                                              \
        "attention_backward", NN_KERNEL_ATTENTION_BACKWARD, NN__ANY_DTYPE | (flags),               \
            NN_ACTIVATION_NONE, nn__op_attention_back_lower, nn__gradient_again,                   \
            NN__FLOPS(nn__op_attention_back_flops), NULL, NULL                                     \
    }
static const nn__rule nn__rule_attention_backward[] = {NN__ATTENTION_BACK_RULE(0),
                                                       NN__ATTENTION_BACK_RULE(NN__DYNAMIC)};
#undef NN__ATTENTION_BACK_RULE

static void nn__op_attention_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_attention params = *(const nn__op_attention *)node->params;
    static const char *const suffixes[] = {"q", "k", "v", "attn_mask"};
    nn_node *inputs[NN__ATTENTION_INPUTS], *made = NULL;
    const bool random = params.desc.dropout_p > 0.0f;
    int count = 3;
    if (!dy) return;
    inputs[0] = dy;
    inputs[1] = node;
    inputs[2] = nn__output(node, 1);
    for (int i = 0; i < node->input_count; i++) inputs[count++] = node->inputs[i];
    for (int i = 0; i < 4; i++) /* of the masks only attn_mask has a gradient */
        params.gives[i] =
            (i < 3 || params.has[NN__ATTENTION_MASK]) && nn__wants(node->inputs[i]);
    for (int i = 0; i < 4; i++) {
        if (!params.gives[i]) continue;
        if (!made)
            made = nn__tape_node(tape, &nn__rule_attention_backward[random], node, ".grad", inputs,
                                 count, NN_F32, node->inputs[i]->shape, &params, sizeof params);
        else if (nn__add_output(made, suffixes[i], NN_F32, node->inputs[i]->shape)->poisoned)
            return;
        if (made->poisoned) return;
    }
    if (!made) return;
    made->site = node->site;
    for (int i = 0, next = 0; i < 4; i++)
        if (params.gives[i]) nn__give_gradient(tape, node->inputs[i], nn__output(made, next++));
}
#endif

/* ---- builder --------------------------------------------------------------------------------- */

#define NN__ATTENTION_RULE(flags)                                                                  \
    {                                                                                              \
        "attention", NN_KERNEL_ATTENTION_FORWARD, NN__ANY_DTYPE | (flags), NN_ACTIVATION_NONE,     \
            nn__op_attention_lower, NN__GRADIENT(nn__op_attention_gradient),                       \
            NN__FLOPS(nn__op_attention_flops), nn__op_attention_infer, NULL                        \
    }
/* [0] plain; [1] with dropout, which changes with each step; [2] with lengths, positions or
   starts, which the kernel checks. */
static const nn__rule nn__rule_attention[] = {NN__ATTENTION_RULE(0),
                                              NN__ATTENTION_RULE(NN__DYNAMIC),
                                              NN__ATTENTION_RULE(NN__DYNAMIC | NN__STATUS)};
#undef NN__ATTENTION_RULE

NN_PRIVATE nn__op_attention
nn__op_attention_params(const nn_scaled_dot_product_attention_desc *desc) {
    nn__op_attention params;
    memset(&params, 0, sizeof params);
    if (!desc) return params;
    params.desc = *desc;
    params.desc.attn_mask = params.desc.lengths = NULL;
    params.desc.positions = params.desc.starts = NULL;
    return params;
}

/* Casts f16 and bf16 to f32. */
static nn_node *nn__op_attention_wide(nn_site site, nn_model *net, nn_node *x) {
    if (!net || !x || x->poisoned || !nn__is_half(x->dtype)) return x;
    return nn__add_cast(&net->graph, site, NULL, x, NN_F32);
}

NN_API nn_node *
nn_scaled_dot_product_attention_at(nn_site site, nn_model *net, nn_node *q, nn_node *k, nn_node *v,
                                   const nn_scaled_dot_product_attention_desc *desc) {
    /* nodes keep a pointer to their row; bit i of its number says that mask i is given */
    static const char *const roles[1 << NN__ATTENTION_MASKS][3 + NN__ATTENTION_MASKS] = {
        {"q", "k", "v", NULL, NULL, NULL, NULL},
        {"q", "k", "v", "attn_mask", NULL, NULL, NULL},
        {"q", "k", "v", "lengths", NULL, NULL, NULL},
        {"q", "k", "v", "attn_mask", "lengths", NULL, NULL},
        {"q", "k", "v", "positions", NULL, NULL, NULL},
        {"q", "k", "v", "attn_mask", "positions", NULL, NULL},
        {"q", "k", "v", "lengths", "positions", NULL, NULL},
        {"q", "k", "v", "attn_mask", "lengths", "positions", NULL},
        {"q", "k", "v", "starts", NULL, NULL, NULL},
        {"q", "k", "v", "attn_mask", "starts", NULL, NULL},
        {"q", "k", "v", "lengths", "starts", NULL, NULL},
        {"q", "k", "v", "attn_mask", "lengths", "starts", NULL},
        {"q", "k", "v", "positions", "starts", NULL, NULL},
        {"q", "k", "v", "attn_mask", "positions", "starts", NULL},
        {"q", "k", "v", "lengths", "positions", "starts", NULL},
        {"q", "k", "v", "attn_mask", "lengths", "positions", "starts"}};
    nn__op_attention params = nn__op_attention_params(desc);
    nn_node *inputs[3 + NN__ATTENTION_MASKS], *masks[NN__ATTENTION_MASKS] = {NULL}, *node;
    int count = 3, given = 0;
    inputs[0] = nn__op_attention_wide(site, net, q);
    inputs[1] = k;
    inputs[2] = v;
    if (desc) {
        masks[NN__ATTENTION_MASK] = nn__op_attention_wide(site, net, desc->attn_mask);
        masks[NN__ATTENTION_LENGTHS] = desc->lengths;
        masks[NN__ATTENTION_POSITIONS] = desc->positions;
        masks[NN__ATTENTION_STARTS] = desc->starts;
    }
    for (int i = 0; i < NN__ATTENTION_MASKS; i++) {
        params.has[i] = masks[i] != NULL;
        if (!masks[i]) continue;
        given |= 1 << i;
        inputs[count++] = masks[i];
    }
    if (params.desc.dropout_p > 0.0f && net) params.stream = net->streams++;
    const int rule = nn__op_attention_checks(&params) ? 2 : params.desc.dropout_p > 0.0f;
    node = nn__build(site, net, &nn__rule_attention[rule], nn__install_attention, NULL, inputs,
                     roles[given], count, &params, sizeof params);
    if (!node || node->poisoned) return node;
#ifndef NN_NO_SPEEDUPS
    nn__add_fusion(net->nn, NN__FUSION_ATTENTION, nn__op_attention_fusion());
#endif
#ifndef NN_NO_TRAINING
    nn_shape rows = node->shape;
    rows.rank = 3;
    rows.extent[3] = 0;
    rows.extent[1] = node->shape.extent[nn__op_attention_heads(&params)];
    rows.extent[2] = node->shape.extent[nn__op_attention_time(&params)];
    if (nn__add_output(node, "log_sum", NN_F32, rows)->poisoned) return nn__poison(net);
#endif
    return node;
}
