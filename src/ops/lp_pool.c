/* ops/lp_pool.c - power-average pools, composed of a power, an average pool and a root; also the
   global max pool. */
#include "ops/lp_pool.h"
#include "ops/loss_private.h"
#include "ops/pool3d.h"
#include "ops/program.h"
#include "ops/table.h"

#include <math.h>

typedef struct nn__op_lp_params {
    float norm_type;
    bool given; /* there is a desc */
    int padding, divisor, dilation;
    bool inside;
} nn__op_lp_params;

/* Checks what the average pool does not check. */
static bool nn__op_lp_infer(nn__inference *inference) {
    const nn__op_lp_params *params = (const nn__op_lp_params *)inference->params;
    nn__problem *problem = inference->problem;
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
static const nn__rule nn__rule_lp_pool3d = NN__COMPOSED_RULE("lp_pool3d", nn__op_lp_infer);

/* Windows of signals (1), images (2) or volumes (3). Only the desc of that kind is set. */
typedef struct nn__op_lp_windows {
    int dims;
    const nn_pool1d_desc *line;
    const nn_pool2d_desc *plane;
    const nn_pool3d_desc *volume;
} nn__op_lp_windows;

static nn_node *nn__op_lp_pool(nn_site site, nn_model *net, nn_node *x, bool largest,
                               const nn__op_lp_windows *w) {
    if (w->dims == 3)
        return largest ? nn_max_pool3d_at(site, net, x, w->volume)
                       : nn_avg_pool3d_at(site, net, x, w->volume);
    if (w->dims == 1)
        return largest ? nn_max_pool1d_at(site, net, x, w->line)
                       : nn_avg_pool1d_at(site, net, x, w->line);
    return largest ? nn_max_pool2d_at(site, net, x, w->plane)
                   : nn_avg_pool2d_at(site, net, x, w->plane);
}

/* Returns the first value above `least`; 0 if there is none. */
static int nn__op_lp_first(int a, int b, int c, int d, int least) {
    return a > least ? a : b > least ? b : c > least ? c : d > least ? d : 0;
}

/* Fills in params from the desc. Returns the number of places in a window; 0 without a desc. */
static float nn__op_lp_fields(nn__op_lp_params *params, const nn__op_lp_windows *w) {
    int kernel[3];
    params->given = w->line || w->plane || w->volume;
    if (w->line) {
        params->padding = w->line->padding;
        params->dilation = nn__op_lp_first(w->line->dilation, 0, 0, 0, 1);
        params->inside = w->line->count_only_inside;
        return (float)w->line->kernel;
    }
    if (w->plane) {
        const nn_pool2d_desc *d = w->plane;
        params->padding = nn__op_lp_first(d->padding, d->padding_h, d->padding_w, 0, 0);
        params->divisor = d->divisor;
        params->dilation = nn__op_lp_first(d->dilation, d->dilation_h, d->dilation_w, 0, 1);
        params->inside = d->count_only_inside;
        nn__per_axis_2d(NULL, "kernel", NN__PER_AXIS_KERNEL, d->kernel, d->kernel_h, d->kernel_w,
                        kernel);
        return (float)kernel[0] * (float)kernel[1];
    }
    if (!w->volume) return 0.0f;
    const nn_pool3d_desc *d = w->volume;
    nn__per_axis_3d(NULL, "kernel", NN__PER_AXIS_KERNEL, d->kernel, d->kernel_d, d->kernel_h,
                    d->kernel_w, kernel);
    params->padding = nn__op_lp_first(d->padding, d->padding_d, d->padding_h, d->padding_w, 0);
    params->divisor = d->divisor;
    params->dilation =
        nn__op_lp_first(d->dilation, d->dilation_d, d->dilation_h, d->dilation_w, 1);
    params->inside = d->count_only_inside;
    return (float)kernel[0] * (float)kernel[1] * (float)kernel[2];
}

static nn_node *nn__op_lp_build(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn__op_lp_windows *w) {
    static const char *const roles[] = {"input"};
    const nn__rule *rule = w->dims == 1   ? &nn__rule_lp_pool1d
                           : w->dims == 2 ? &nn__rule_lp_pool2d
                                          : &nn__rule_lp_pool3d;
    nn__op_lp_params params;
    float numbers[2];
    memset(&params, 0, sizeof params);
    params.norm_type = norm_type;
    numbers[0] = nn__op_lp_fields(&params, w);
    x = nn__build_unary(site, net, rule, NULL, x, &params, 0);
    if (!x || x->poisoned) return x;
    if (norm_type == INFINITY || norm_type == -INFINITY) {
        x = nn_abs_at(site, net, x);
        if (norm_type < 0.0f) x = nn_scale_at(site, net, x, -1.0f);
        x = nn__op_lp_pool(site, net, x, true, w);
        return norm_type < 0.0f ? nn_scale_at(site, net, x, -1.0f) : x;
    }
    x = nn__add_line(&net->graph, site, NULL, rule->name, nn__table_lp_power(), &x, roles, x->shape,
                     &norm_type);
    x = nn__op_lp_pool(site, net, x, false, w);
    if (x->poisoned) return x;
    numbers[1] = 1.0f / norm_type;
    return nn__add_line(&net->graph, site, NULL, rule->name, nn__table_lp_root(), &x, roles,
                        x->shape, numbers);
}

NN_API nn_node *nn_lp_pool2d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool2d_desc *desc) {
    nn__op_lp_windows windows;
    memset(&windows, 0, sizeof windows);
    windows.dims = 2;
    windows.plane = desc;
    return nn__op_lp_build(site, net, x, norm_type, &windows);
}
NN_API nn_node *nn_lp_pool1d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool1d_desc *desc) {
    nn__op_lp_windows windows;
    memset(&windows, 0, sizeof windows);
    windows.dims = 1;
    windows.line = desc;
    return nn__op_lp_build(site, net, x, norm_type, &windows);
}
NN_API nn_node *nn_lp_pool3d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool3d_desc *desc) {
    nn__op_lp_windows windows;
    memset(&windows, 0, sizeof windows);
    windows.dims = 3;
    windows.volume = desc;
    return nn__op_lp_build(site, net, x, norm_type, &windows);
}

NN_API nn_node *nn_global_max_pool2d_at(nn_site site, nn_model *net, nn_node *x) {
    return nn_adaptive_max_pool2d_at(site, net, x, 1, 1);
}
