/* ops/lp_pool.c - pools by a power: a power, an average, a root; and the largest of a plane. */
#include "ops/lp_pool.h"
#include "ops/loss_private.h"
#include "ops/program.h"
#include "ops/table.h"

#include <math.h>

typedef struct nn__op_lp_params {
    float norm_type;
    bool given; /* a desc */
    int padding, divisor, dilation;
    bool inside;
} nn__op_lp_params;

/* What the pool does not check. */
static bool nn__op_lp_infer(nn__inference *inference) {
    const nn__op_lp_params *params = (const nn__op_lp_params *)inference->params;
    nn__problem *problem = inference->problem;
    inference->outputs[0] = inference->inputs[0];
    if (!nn__want_dtype(problem, inference->operation, inference->roles[0],
                        inference->inputs[0].dtype, NN_F32))
        return false;
    if (!params->given)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("give one with .kernel"),
                               NN__TEXT("desc is NULL"));
    if (params->norm_type == 0.0f || params->norm_type != params->norm_type)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("2 gives Euclid's norm"),
                               NN__TEXT("norm_type is %g; it must be a number other than 0"),
                               (double)params->norm_type);
    if (params->padding) return nn__refuse_number(problem, "padding", params->padding, "0");
    if (params->divisor) return nn__refuse_number(problem, "divisor", params->divisor, "0");
    if (params->inside) return nn__refuse_number(problem, "count_only_inside", 1, "false");
    if (params->dilation) return nn__refuse_number(problem, "dilation", params->dilation, "1");
    return true;
}

static const nn__rule nn__rule_lp_pool1d = NN__COMPOSED_RULE("lp_pool1d", nn__op_lp_infer);
static const nn__rule nn__rule_lp_pool2d = NN__COMPOSED_RULE("lp_pool2d", nn__op_lp_infer);

static nn_node *nn__op_lp_pool(nn_site site, nn_model *net, nn_node *x, bool largest, bool line,
                               const nn_pool2d_desc *desc, const nn_pool1d_desc *of_line) {
    if (line)
        return largest ? nn_max_pool1d_at(site, net, x, of_line)
                       : nn_avg_pool1d_at(site, net, x, of_line);
    return largest ? nn_max_pool2d_at(site, net, x, desc) : nn_avg_pool2d_at(site, net, x, desc);
}

/* One of the two descs is given. */
static nn_node *nn__op_lp_build(nn_site site, nn_model *net, nn_node *x, float norm_type, bool line,
                                const nn_pool2d_desc *desc, const nn_pool1d_desc *of_line) {
    static const char *const roles[] = {"input"};
    const nn__rule *rule = line ? &nn__rule_lp_pool1d : &nn__rule_lp_pool2d;
    nn__op_lp_params params;
    float numbers[2];
    memset(&params, 0, sizeof params);
    params.norm_type = norm_type;
    params.given = desc || of_line;
    if (desc) {
        params.padding = desc->padding ? desc->padding
                         : desc->padding_w != NN_NONE ? desc->padding_w : 0;
        params.divisor = desc->divisor;
        params.dilation = desc->dilation > 1     ? desc->dilation
                          : desc->dilation_w > 1 ? desc->dilation_w : 0;
        params.inside = desc->count_only_inside;
    }
    if (of_line) {
        params.padding = of_line->padding;
        params.dilation = of_line->dilation > 1 ? of_line->dilation : 0;
        params.inside = of_line->count_only_inside;
    }
    x = nn__build_unary(site, net, rule, NULL, x, &params, 0);
    if (!x || x->poisoned) return x;
    if (norm_type == INFINITY || norm_type == -INFINITY) {
        x = nn_unary_at(site, net, NN_ABS, x, 0.0f);
        if (norm_type < 0.0f) x = nn_unary_at(site, net, NN_SCALE, x, -1.0f);
        x = nn__op_lp_pool(site, net, x, true, line, desc, of_line);
        return norm_type < 0.0f ? nn_unary_at(site, net, NN_SCALE, x, -1.0f) : x;
    }
    x = nn__add_line(&net->graph, site, NULL, rule->name, nn__loss_lp_power(), &x, roles, x->shape,
                     &norm_type);
    x = nn__op_lp_pool(site, net, x, false, line, desc, of_line);
    if (x->poisoned) return x;
    numbers[0] = line ? (float)of_line->kernel
                      : (float)desc->kernel * (float)(desc->kernel_w ? desc->kernel_w
                                                                     : desc->kernel);
    numbers[1] = 1.0f / norm_type;
    return nn__add_line(&net->graph, site, NULL, rule->name, nn__loss_lp_root(), &x, roles,
                        x->shape, numbers);
}

NN_API nn_node *nn_lp_pool2d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool2d_desc *desc) {
    return nn__op_lp_build(site, net, x, norm_type, false, desc, NULL);
}
NN_API nn_node *nn_lp_pool1d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool1d_desc *desc) {
    return nn__op_lp_build(site, net, x, norm_type, true, NULL, desc);
}

NN_API nn_node *nn_global_max_pool2d_at(nn_site site, nn_model *net, nn_node *x) {
    return nn_adaptive_max_pool2d_at(site, net, x, 1, 1);
}
