/* ops/cache.c - keys and values that a plan keeps from run to run. plan/cache.c places them, and
   moves them when a plan is made anew. */
#include "kernels/install_sequence.h"
#include "ops/attention_private.h"

static bool nn__op_cache_shape(const nn_cache_desc *desc, nn__inference *inference) {
    const nn_shape x = inference->inputs[0].shape;
    const int time = desc->heads_inside ? 1 : 2;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    nn__format_shape(x, text, sizeof text);
    if (x.rank != 4)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it"),
                               NN__TEXT("%s is %s; cache wants %s"), source, text,
                               desc->heads_inside ? "(N, L, heads, E)" : "(N, heads, L, E)");
    for (int i = 0; i < 4; i++)
        if (i != time && (nn__extent_kind(x.extent[i]) & (i ? ~0u : (unsigned)NN__OF_TIME)))
            return nn__problem_set(problem, NN_ERROR_SHAPE,
                                   NN__TEXT("the batch is extent 0, and the time extent 2, or 1 "
                                            "with heads_inside"),
                                   NN__TEXT("extent %d of %s %s depends on the %s"), i, source,
                                   text, nn__free_words(x.extent[i]));
    if (nn__is_symbolic(x.extent[time]) || x.extent[time] <= desc->length) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("a larger .length"),
                           NN__TEXT("%s %s has %d rows for a cache of length %d"), source, text,
                           (int)x.extent[time], desc->length);
}

static bool nn__op_cache_infer(nn__inference *inference) {
    const nn_cache_desc *desc = (const nn_cache_desc *)inference->params;
    nn__problem *problem = inference->problem;
    nn_shape samples;
    if (desc->length < 1) return nn__refuse_number(problem, "length", desc->length, "at least 1");
    if (desc->dtype != NN_F32 && !nn__is_half(desc->dtype))
        return nn__problem_set(problem, NN_ERROR_DTYPE, NN__TEXT("leave .dtype out for f32"),
                               NN__TEXT("dtype is %s; a cache is f32, f16 or bf16"),
                               nn_dtype_name(desc->dtype));
    if (!nn__want_dtype(problem, inference->operation, inference->roles[0],
                        inference->inputs[0].dtype, NN_F32) ||
        !nn__op_cache_shape(desc, inference))
        return false;
    inference->outputs[0].dtype = desc->dtype;
    inference->outputs[0].shape = inference->inputs[0].shape;
    inference->outputs[0].shape.extent[desc->heads_inside ? 1 : 2] = desc->length;
    memset(&samples, 0, sizeof samples);
    samples.rank = 1;
    samples.extent[0] = inference->inputs[0].shape.extent[0];
    return nn__want_dtype(problem, inference->operation, inference->roles[1],
                          inference->inputs[1].dtype, NN_I32) &&
           nn__want_role_shape(problem, inference->roles[1], samples, inference->inputs[1].shape);
}

static void nn__op_cache_lower(const nn_node *node, const nn__lowering *lowering, nn__args *all) {
    const nn__op_cache *params = (const nn__op_cache *)node->params;
    nn_cache_args *args = &all->cache;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = nn__part_view(&params->parts[0], lowering->inputs[0], lowering->values);
    args->x_row = params->parts[0].row;
    args->positions = lowering->inputs[1];
    if (params->pair) {
        args->other_y = lowering->more[0];
        args->other_x = nn__part_view(&params->parts[1], lowering->inputs[2], lowering->values);
        args->other_row = params->parts[1].row;
    }
    args->status = lowering->status;
    args->heads_inside = params->desc.heads_inside;
    args->step = (uint32_t)lowering->values->step;
}

#ifndef NN_NO_REPORTS
static double nn__op_cache_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn__op_cache *params = (const nn__op_cache *)node->params;
    double written = 0;
    for (int i = 0; i <= params->pair; i++) {
        const nn_view x =
            nn__part_view(&params->parts[i], lowering->inputs[2 * i], lowering->values);
        written += (double)nn__count(&x);
    }
    return written;
}
#endif

static const nn__rule nn__rule_cache = {"cache",
                                        NN_KERNEL_CACHE,
                                        NN__STATUS | NN__ANY_DTYPE,
                                        NN_ACTIVATION_NONE,
                                        nn__op_cache_lower,
                                        NULL,
                                        NN__FLOPS(nn__op_cache_flops),
                                        nn__op_cache_infer,
                                        NULL};

NN_API nn_node *nn_cache_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                            nn_node *positions, const nn_cache_desc *desc) {
    static const char *const roles[] = {"x", "positions"};
    nn__op_cache params;
    nn_node *inputs[2], *node;
    memset(&params, 0, sizeof params);
    if (desc) params.desc = *desc;
    params.desc.dtype = nn__dtype(params.desc.dtype);
    /* leaves a node of another model to nn__build, which refuses it */
    if (net && x && !x->poisoned && x->graph->model == net && nn__is_half(x->dtype) &&
        x->dtype != params.desc.dtype)
        x = nn__add_cast(&net->graph, site, NULL, x, NN_F32);
    inputs[0] = x;
    inputs[1] = positions;
    if (net) net->nn->cross = nn__cross; /* nn_replan moves the cache with it */
    node = nn__build(site, net, &nn__rule_cache, nn__install_cache, name, inputs, roles, 2, &params,
                     sizeof params);
    if (node && !node->poisoned) node->keep = node->remembers = true;
    return node;
}
