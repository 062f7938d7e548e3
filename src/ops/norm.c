/* ops/norm.c - layer, rms, group, instance and batch norm as nodes. One kernel normalises. The
   norms differ in how x is divided into sets (kernels/norm/args.h), and in whether the
   statistics are those of the set or running ones. The gradients are in ops/norm_gradient.c. */
#include "ops/norm_private.h"

/* ---- params ---------------------------------------------------------------------------------- */

NN_PRIVATE nn__op_norm_params nn__op_layer_norm_params(const nn_layer_norm_desc *desc) {
    nn__op_norm_params params = nn__op_norm_start(NN__OP_LAYER_NORM, desc ? desc->epsilon : 0.0f);
    if (!desc) return params;
    params.normalized = desc->normalized_shape;
    params.affine = !desc->no_affine;
    params.bias = params.affine && !desc->no_bias;
    params.shared = desc->shared;
    return params;
}

NN_PRIVATE nn__op_norm_params nn__op_rms_norm_params(const nn_rms_norm_desc *desc) {
    nn__op_norm_params params = nn__op_norm_start(NN__OP_LAYER_NORM, 0.0f);
    params.epsilon = nn__or_default(desc ? desc->epsilon : 0.0f, 1.1920929e-7f);
    params.rms = true;
    params.bias = false;
    if (!desc) return params;
    params.normalized = desc->normalized_shape;
    params.affine = !desc->no_affine;
    params.shared = desc->shared;
    return params;
}

NN_PRIVATE nn__op_norm_params nn__op_group_norm_params(const nn_group_norm_desc *desc) {
    nn__op_norm_params params = nn__op_norm_start(NN__OP_GROUP_NORM, desc ? desc->epsilon : 0.0f);
    params.missing = !desc;
    if (!desc) return params;
    params.groups = desc->num_groups;
    params.features = desc->num_channels;
    params.affine = params.bias = !desc->no_affine;
    params.shared = desc->shared;
    return params;
}

static nn__op_norm_params nn__op_instance_norm_params(const nn_instance_norm_desc *desc) {
    nn__op_norm_params params =
        nn__op_norm_start(NN__OP_INSTANCE_NORM, desc ? desc->epsilon : 0.0f);
    params.affine = params.bias = desc && desc->affine;
    if (!desc) return params;
    params.tracked = desc->track_running_stats;
    params.momentum = nn__or_default(desc->momentum, 0.1f);
    params.frozen = desc->frozen;
    params.shared = desc->shared;
    return params;
}

static nn__op_norm_params nn__op_batch_norm_params(const nn_batch_norm_desc *desc, int least,
                                                   int most) {
    nn__op_norm_params params = nn__op_norm_start(NN__OP_BATCH_NORM, desc ? desc->epsilon : 0.0f);
    params.least = least;
    params.most = most;
    params.tracked = true;
    params.momentum = 0.1f;
    if (!desc) return params;
    params.features = desc->num_features;
    params.affine = params.bias = !desc->no_affine;
    params.tracked = !desc->no_running_stats;
    params.momentum = nn__or_default(desc->momentum, 0.1f);
    params.cumulative = desc->cumulative;
    params.frozen = desc->frozen;
    params.shared = desc->shared;
    return params;
}

/* ---- check ----------------------------------------------------------------------------------- */

static bool nn__op_norm_numbers(const nn__op_norm_params *params, nn__problem *problem) {
    if (params->missing)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give an nn_group_norm_desc with .num_groups"),
                               NN__TEXT("desc is NULL"));
    if (!(params->epsilon >= 0.0f && params->epsilon <= 3.402823466e38f))
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT, NN__TEXT("leave .epsilon out; NN_NONE: 0"),
            NN__TEXT("epsilon is %g; it must be at least 0 and finite"), (double)params->epsilon);
    if (!nn__want_fraction(problem, "momentum", params->momentum,
                           NN__TEXT("it is the weight of the new statistics: leave it out for "
                                    "0.1, NN_NONE is 0")))
        return false;
    if (params->frozen && !params->tracked)
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT, NN__TEXT("leave one of the two out"),
            NN__TEXT("frozen normalises by running statistics, and the layer is told to have "
                     "none"));
    return true;
}

/* Finds the extents of x that are normalised: the last ones, in *shape. */
static bool nn__op_layer_norm_shape(nn__inference *inference, const nn__op_norm_params *params,
                                    nn_shape x, nn_shape *shape) {
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    int32_t count;
    *shape = params->normalized;
    if (shape->rank == 0 && x.rank > 0) {
        shape->rank = 1;
        shape->extent[0] = x.extent[x.rank - 1];
    }
    bool fits = shape->rank > 0 && shape->rank <= x.rank;
    const int first = fits ? x.rank - shape->rank : 0;
    for (int i = 0; fits && i < shape->rank; i++) fits = shape->extent[i] == x.extent[first + i];
    if (!fits)
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("normalized_shape: the last extents, NN_SHAPE(...)"),
                               NN__TEXT("normalized_shape is %s, which %s %s does not end with"),
                               nn__format_shape(*shape, want, sizeof want), source,
                               nn__format_shape(x, text, sizeof text));
    for (int i = 0; i < shape->rank; i++)
        if (nn__is_symbolic(shape->extent[i]))
            return nn__problem_set(
                problem, NN_ERROR_SHAPE, NN__TEXT("normalise over extents that are known"),
                NN__TEXT("%s would normalise over an extent of %s %s that depends on the %s"),
                inference->operation, source, nn__format_shape(x, text, sizeof text),
                nn__free_words(shape->extent[i]));
    if (nn__fold_extents(*shape, 0, shape->rank, &count)) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("make it smaller"),
                           NN__TEXT("normalized_shape %s has more than 2^31 numbers"),
                           nn__format_shape(*shape, want, sizeof want));
}

/* Checks that x is (N, C, ...) and that C is known. */
static bool nn__op_norm_channels(nn__inference *inference, const nn__op_norm_params *params,
                                 nn_shape x) {
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    const int least = params->least                          ? params->least
                      : params->kind == NN__OP_INSTANCE_NORM ? 3
                                                             : 2,
              most = params->most ? params->most : NN_MAX_RANK;
    nn__format_shape(x, text, sizeof text);
    if (x.rank < least || x.rank > most)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("%s %s has %d extents; %s wants %s"), source, text,
                               (int)x.rank, inference->operation,
                               least == 5   ? NN__TEXT("5: (N, C, D, H, W)")
                               : least == 4 ? NN__TEXT("4: (N, C, H, W)")
                               : most == 3  ? NN__TEXT("2 or 3: (N, C) or (N, C, L)")
                               : most == 5  ? NN__TEXT("2 to 5: (N, C) to (N, C, D, H, W)")
                               : least == 3 ? NN__TEXT("at least 3: (N, C, L ...)")
                                            : NN__TEXT("at least 2: (N, C, ...)"));
    if (nn__is_symbolic(x.extent[1]))
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_transpose puts the channels second"),
                               NN__TEXT("the channels, extent 1 of %s %s, depend on the %s"),
                               source, text, nn__free_words(x.extent[1]));
    if (params->features && params->features != x.extent[1])
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("leave it out"),
                               NN__TEXT("%s is %d, but %s %s has %d channels%s"),
                               params->kind == NN__OP_GROUP_NORM ? "num_channels" : "num_features",
                               params->features, source, text, (int)x.extent[1],
                               nn__channels_last_words(x));
    if (params->kind == NN__OP_GROUP_NORM &&
        (params->groups < 1 || x.extent[1] % params->groups != 0))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("set .num_groups to a divisor of the channels"),
                               NN__TEXT("num_groups is %d, and %s %s has %d channels"),
                               params->groups, source, text, (int)x.extent[1]);
    return true;
}

/* Reports sets of one number, whose variance is always 0; PyTorch refuses them too. For batch
   norm only a step knows (NN__SPREAD). */
static bool nn__op_norm_spread(nn__inference *inference, const nn__op_norm_params *params,
                               nn_shape x) {
    const bool group = params->kind == NN__OP_GROUP_NORM;
    char text[NN__SHAPE_TEXT];
    if (!group && params->kind != NN__OP_INSTANCE_NORM) return true;
    if (group && (x.extent[0] != 1 || x.extent[1] != params->groups)) return true;
    for (int i = 2; i < x.rank; i++)
        if (x.extent[i] != 1) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("normalise where there are more places, or leave it out"),
                           NN__TEXT("each set of %s has one number, whose variance is always 0"),
                           nn__format_shape(x, text, sizeof text));
}

NN_PRIVATE nn_shape nn__op_norm_sets(const nn__op_norm_params *params, nn_shape x) {
    nn_shape sets;
    memset(&sets, 0, sizeof sets);
    if (params->kind == NN__OP_LAYER_NORM) {
        const int over = params->normalized.rank ? params->normalized.rank : 1;
        sets = x;
        for (int i = x.rank - over; i < x.rank; i++) sets.extent[i] = 1;
        return sets;
    }
    if (params->kind != NN__OP_BATCH_NORM) sets.extent[sets.rank++] = x.extent[0];
    sets.extent[sets.rank++] = params->kind == NN__OP_GROUP_NORM ? params->groups : x.extent[1];
    return sets;
}

NN_PRIVATE bool nn__op_norm_infer(nn__inference *inference) {
    const nn__op_norm_params *params = (const nn__op_norm_params *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn_shape *weight = &inference->parameters[0];
    if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[0],
                        inference->inputs[0].dtype, NN_F32) ||
        !nn__op_norm_numbers(params, inference->problem))
        return false;
    if (params->kind == NN__OP_LAYER_NORM) {
        if (!nn__op_layer_norm_shape(inference, params, x, weight)) return false;
    } else {
        if (!nn__op_norm_channels(inference, params, x) ||
            !nn__op_norm_spread(inference, params, x))
            return false;
        weight->rank = 1;
        weight->extent[0] = x.extent[1];
    }
    inference->parameters[1] = *weight;
    inference->parameter_count = params->bias ? 2 : params->affine ? 1 : 0;
    inference->shared = params->shared;
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = x;
    return true;
}

/* ---- lowering -------------------------------------------------------------------------------- */

NN_PRIVATE nn_norm_cut nn__op_norm_cut(const nn__op_norm_params *params, nn_shape x, bool given) {
    nn_norm_cut cut;
    memset(&cut, 0, sizeof cut);
    cut.outer = cut.inner = 1;
    cut.groups = cut.channels = 1;
    if (params->kind == NN__OP_LAYER_NORM) {
        const int first = x.rank - (params->normalized.rank ? params->normalized.rank : 1);
        for (int i = 0; i < first; i++) cut.outer *= x.extent[i];
        for (int i = first; i < x.rank; i++) cut.channels *= x.extent[i];
        return cut;
    }
    cut.outer = x.extent[0];
    for (int i = 2; i < x.rank; i++) cut.inner *= x.extent[i];
    cut.groups = params->kind == NN__OP_GROUP_NORM ? params->groups : x.extent[1];
    cut.channels = x.extent[1] / cut.groups;
    cut.across = params->kind == NN__OP_BATCH_NORM || given;
    return cut;
}

static void nn__op_norm_lower(const nn_node *node, const nn__lowering *lowering, nn__args *all) {
    const nn__op_norm_params *params = (const nn__op_norm_params *)node->params;
    const bool given = params->tracked && (!lowering->values->training || params->frozen);
    const nn_view *inputs = lowering->inputs;
    nn_norm_args *args = &all->norm_forward;
    int next = 1;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = *inputs;
    if (params->affine) args->weight = inputs[next++];
    if (params->bias) args->bias = inputs[next++];
    if (given) {
        args->running_mean = inputs[next];
        args->running_var = inputs[next + 1];
    }
#ifndef NN_NO_TRAINING
    if (!params->rms) args->mean = lowering->more[0];
    args->rstd = lowering->more[params->rms ? 0 : 1];
    if (!given && params->tracked) args->variance = lowering->more[2];
#endif
    args->cut = nn__op_norm_cut(params, args->x.shape, given);
    args->epsilon = params->epsilon;
    args->rms = params->rms;
    args->activation = lowering->activation;
    args->scratch = lowering->scratch;
}

static NN__UNUSED double nn__op_norm_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return 7.0 * (double)nn__count(&lowering->output); /* mean 1, variance 3, result 3 */
}

#define NN__OP_NORM_RULE(name, flags)                                                              \
    {                                                                                              \
        name, NN_KERNEL_NORM_FORWARD, NN__LAYER | NN__IN_PLACE | NN__EPILOGUE | (flags),           \
            NN_ACTIVATION_NONE, nn__op_norm_lower, NN__GRADIENT(nn__op_norm_gradient),             \
            NN__FLOPS(nn__op_norm_flops), nn__op_norm_infer, NULL                                  \
    }
static const nn__rule nn__rule_layer_norm = NN__OP_NORM_RULE("layer_norm", 0);
static const nn__rule nn__rule_rms_norm = NN__OP_NORM_RULE("rms_norm", 0);
static const nn__rule nn__rule_group_norm = NN__OP_NORM_RULE("group_norm", 0);
static const nn__rule nn__rule_instance_norm = NN__OP_NORM_RULE("instance_norm", NN__FOLDS);
static const nn__rule nn__rule_batch_norm = NN__OP_NORM_RULE("batch_norm", NN__SPREAD | NN__FOLDS);
static const nn__rule nn__rule_batch_norm_frozen = NN__OP_NORM_RULE("batch_norm", NN__FOLDS);
#undef NN__OP_NORM_RULE
/* These only check; the nodes are added after the buffers. */
static const nn__rule nn__rule_instance_norm_checks =
    NN__COMPOSED_LAYER("instance_norm", nn__op_norm_infer);
static const nn__rule nn__rule_batch_norm_checks =
    NN__COMPOSED_LAYER("batch_norm", nn__op_norm_infer);

/* ---- builders -------------------------------------------------------------------------------- */

/* Sets the first values: 1 for the weight, 0 for the bias. */
static void nn__op_norm_starts(nn_node *const *parameters, const nn__op_norm_params *params) {
    for (int i = 0; i < params->affine + params->bias; i++) {
        nn_node *leaf = parameters[i];
        if (leaf->kind == NN__OPERATION) leaf = leaf->inputs[0]; /* the cast of a stored half */
        leaf->start.low = leaf->start.high = i == 0 ? 1.0f : 0.0f;
    }
}

/* Adds the statistics as further outputs. Returns the node, or a poisoned one. */
static nn_node *nn__op_norm_outputs(nn_node *node, const nn__op_norm_params *params) {
    if (!node || node->poisoned) return node;
#ifndef NN_NO_TRAINING
    const nn_shape sets = nn__op_norm_sets(params, node->inputs[0]->shape);
    if (!params->rms && nn__add_output(node, "mean", NN_F32, sets)->poisoned)
        return nn__poison(node->graph->model);
    if (nn__add_output(node, "rstd", NN_F32, sets)->poisoned) return nn__poison(node->graph->model);
    if (params->tracked && nn__add_output(node, "variance", NN_F32, sets)->poisoned)
        return nn__poison(node->graph->model);
#else
    (void)params;
#endif
    return node;
}

static const char *const nn__op_norm_roles[] = {"input", "weight", "bias", "running_mean",
                                                "running_var"};

static nn_node *nn__op_norm_build(nn_site site, nn_model *net, const nn__rule *rule,
                                  const char *name, nn_node *x, const nn__op_norm_params *params) {
    nn_node *node = nn__build(site, net, rule, nn__install_norm, name, &x, nn__op_norm_roles, 1,
                              params, sizeof *params);
    if (node && !node->poisoned) nn__op_norm_starts(node->inputs + 1, params);
    return nn__op_norm_outputs(node, params);
}

NN_API nn_node *nn_layer_norm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                 const nn_layer_norm_desc *desc) {
    const nn__op_norm_params params = nn__op_layer_norm_params(desc);
    return nn__op_norm_build(site, net, &nn__rule_layer_norm, name, x, &params);
}

NN_API nn_node *nn_rms_norm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                               const nn_rms_norm_desc *desc) {
    const nn__op_norm_params params = nn__op_rms_norm_params(desc);
    return nn__op_norm_build(site, net, &nn__rule_rms_norm, name, x, &params);
}

NN_API nn_node *nn_group_norm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                 const nn_group_norm_desc *desc) {
    const nn__op_norm_params params = nn__op_group_norm_params(desc);
    return nn__op_norm_build(site, net, &nn__rule_group_norm, name, x, &params);
}

/* Returns a buffer of the layer; with .shared, that of an earlier layer of the same name. */
static nn_node *nn__op_norm_buffer(nn_model *net, nn_site site, const char *layer, const char *part,
                                   nn_dtype dtype, nn_shape shape, double value, bool shared) {
    char name[2 * NN_NAME_BYTES];
    nn__join_text(name, sizeof name, layer, ".", part);
    nn_node *other = shared ? *nn__leaf_list(&net->graph, name) : NULL;
    while (other && !(other->kind == NN__BUFFER && strcmp(other->name, name) == 0))
        other = nn__next_leaf(other);
    if (other && nn__equal_shapes(&other->shape, &shape) && other->dtype == dtype) return other;
    return nn_buffer_at(site, net, name, dtype, shape, value);
}

/* Builds a norm that may have running statistics. */
static nn_node *nn__op_norm_build_tracked(nn_site site, nn_model *net, const nn__rule *checks,
                                          const nn__rule *rule, const char *name, nn_node *x,
                                          const nn__op_norm_params *params) {
    static const char *const plain[] = {"input", "running_mean", "running_var"};
    nn_node *inputs[5], *count;
    nn_shape shape, one;
    int next = 1;
    if (!params->tracked) return nn__op_norm_build(site, net, rule, name, x, params);
    x = nn__build(site, net, checks, NULL, name, &x, nn__op_norm_roles, 1, params, 0);
    if (!x || x->poisoned) return x;
    memset(&shape, 0, sizeof shape);
    memset(&one, 0, sizeof one);
    shape.rank = 1;
    shape.extent[0] = x->shape.extent[1];
    inputs[0] = x;
    if (params->affine)
        inputs[next++] = nn__add_parameter(net, site, name, "weight", &shape, 0, params->shared);
    if (params->bias)
        inputs[next++] = nn__add_parameter(net, site, name, "bias", &shape, 0, params->shared);
    inputs[next++] =
        nn__op_norm_buffer(net, site, name, "running_mean", NN_F32, shape, 0.0, params->shared);
    inputs[next++] =
        nn__op_norm_buffer(net, site, name, "running_var", NN_F32, shape, 1.0, params->shared);
    count = nn__op_norm_buffer(net, site, name, "num_batches_tracked", NN_I64, one, 0.0,
                               params->shared);
    for (int i = 0; i < next; i++)
        if (inputs[i]->poisoned) return nn__poison(net);
    if (count->poisoned) return nn__poison(net);
    nn__op_norm_starts(inputs + 1, params);
    nn__install_norm(net->nn);
#ifndef NN_NO_SPEEDUPS
    nn__add_fusion(net->nn, NN__FUSION_NORM, nn__op_fold_fusion());
#endif
    nn_node *node = nn__add_node(&net->graph, site, rule, rule->name, name, inputs,
                                 params->affine ? nn__op_norm_roles : plain, next, NN_F32, x->shape,
                                 params, sizeof *params);
    node = nn__op_norm_outputs(node, params);
#ifndef NN_NO_TRAINING
    if (!node->poisoned && !params->frozen)
        nn__op_norm_track(site, node, inputs[next - 2], inputs[next - 1], count);
#endif
    return node;
}

NN_API nn_node *nn_instance_norm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                    const nn_instance_norm_desc *desc) {
    const nn__op_norm_params params = nn__op_instance_norm_params(desc);
    return nn__op_norm_build_tracked(site, net, &nn__rule_instance_norm_checks,
                                     &nn__rule_instance_norm, name, x, &params);
}

static nn_node *nn__op_batch_norm(nn_site site, nn_model *net, const char *name, nn_node *x,
                                  const nn_batch_norm_desc *desc, int least, int most) {
    const nn__op_norm_params params = nn__op_batch_norm_params(desc, least, most);
    return nn__op_norm_build_tracked(
        site, net, &nn__rule_batch_norm_checks,
        params.frozen ? &nn__rule_batch_norm_frozen : &nn__rule_batch_norm, name, x, &params);
}

NN_API nn_node *nn_batch_norm1d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                   const nn_batch_norm_desc *desc) {
    return nn__op_batch_norm(site, net, name, x, desc, 2, 3);
}

NN_API nn_node *nn_batch_norm2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                   const nn_batch_norm_desc *desc) {
    return nn__op_batch_norm(site, net, name, x, desc, 4, 4);
}

NN_API nn_node *nn_batch_norm3d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                   const nn_batch_norm_desc *desc) {
    return nn__op_batch_norm(site, net, name, x, desc, 5, 5);
}
