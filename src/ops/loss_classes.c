/* ops/loss_classes.c - losses over many classes, composed of other operations. */
#include "base/functions.h"
#include "ops/loss_classes.h"
#include "ops/arrange.h"
#include "ops/elements.h"
#include "ops/loss_private.h"
#include "ops/private.h"
#include "ops/cumsum.h"
#include "ops/table.h"

#include <math.h>

/* ---- several labels per row ------------------------------------------------------------------ */

static bool nn__op_multilabel_margin_infer(nn__inference *inference) {
    const nn__loss_params *params = (const nn__loss_params *)inference->params;
    const nn_shape y = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT];
    nn__op_loss_infer(inference);
    if (!nn__op_loss_check(params, problem) ||
        !nn__want_dtype(problem, inference->operation, "y", inference->inputs[0].dtype, NN_F32) ||
        !nn__want_dtype(problem, inference->operation, "label", inference->inputs[1].dtype, NN_I32))
        return false;
    if (y.rank < 1 || y.rank > 2 || nn__is_symbolic(y.extent[y.rank - 1]))
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("y is %s; wanted (N, C) or (C), C a number"),
                               nn__format_shape(y, text, sizeof text));
    return nn__want_role_shape(problem, "label", y, inference->inputs[1].shape);
}

static nn_node *nn__op_multilabel_line(nn_site site, nn_model *net, const char *text, nn_node *a,
                                       nn_node *b, nn_node *c, nn_node *d) {
    return nn__add_text(site, net, "multilabel_margin_loss", text, a, b, c, d, NULL);
}

/* Reshapes (N, C) to (N, C, 1) if `labels`, else to (N, 1, C). */
static nn_node *nn__op_multilabel_wide(nn_site site, nn_model *net, nn_node *x, bool labels) {
    if (!x || x->poisoned) return x;
    nn_shape shape = x->shape;
    const int last = shape.rank - 1;
    shape.extent[shape.rank++] = labels ? 1 : shape.extent[last];
    if (!labels) shape.extent[last] = 1;
    return nn_reshape_at(site, net, x, shape);
}

NN_API nn_node *nn_multilabel_margin_loss_at(nn_site site, nn_model *net, nn_node *y,
                                             nn_node *label,
                                             const nn_multilabel_margin_desc *desc) {
    static const char *const roles[] = {"y", "label"};
    static const nn__rule rule =
        NN__COMPOSED_RULE("multilabel_margin_loss", nn__op_multilabel_margin_infer);
    nn_node *inputs[2], *each;
    nn__loss_params params;
    nn_axes axes;
    params = nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 0, NULL, 0.0f);
    inputs[0] = y;
    inputs[1] = label;
    each = nn__build(site, net, &rule, NULL, NULL, inputs, roles, 2, &params, 0);
    if (!each || each->poisoned) return each;
    const int last = y->shape.rank - 1;
    label = nn_cast_at(site, net, label, NN_F32);
    nn_node *ended = nn__op_multilabel_line(site, net, "l: l < 0", label, NULL, NULL, NULL);
    ended = nn_cumsum_at(site, net, ended, last);
    nn_node *counts = nn__op_multilabel_line(site, net, "e: e == 0", ended, NULL, NULL, NULL);
    nn_node *at = nn_cast_at(
        site, net, nn__op_multilabel_line(site, net, "l: max(l, 0)", label, NULL, NULL, NULL),
        NN_I32);
    nn_node *zeros = nn__op_multilabel_line(site, net, "l: l * 0", label, NULL, NULL, NULL);
    nn_node *own = nn_scatter_add_at(site, net, zeros, last, at, counts);
    nn_node *of_label = nn_gather_at(site, net, y, last, at);
    each = nn__op_multilabel_line(
        site, net, "p, c, x, t: c > 0 && t == 0 && 1 - p + x > 0 ? 1 - p + x : 0",
        nn__op_multilabel_wide(site, net, of_label, true),
        nn__op_multilabel_wide(site, net, counts, true),
        nn__op_multilabel_wide(site, net, y, false), nn__op_multilabel_wide(site, net, own, false));
    memset(&axes, 0, sizeof axes);
    axes.count = 2;
    axes.axis[0] = last;
    axes.axis[1] = last + 1;
    each = nn_reduce_at(site, net, NN_SUM, each, axes, false);
    each = nn_scale_at(site, net, each, 1.0f / (float)y->shape.extent[last]);
    if (!each || each->poisoned) return each;
    return nn__op_loss_reduce(net, site, rule.name, roles, params.reduction, each);
}

/* ---- adaptive softmax: rare classes in clusters ---------------------------------------------- */

/* Returns the output features of a cluster's projection. */
static double nn__op_adaptive_features(int in, float div_value, int cluster) {
    return floor((double)in / nn__pow((double)div_value, cluster + 1));
}

static bool nn__op_adaptive_infer(nn__inference *inference) {
    const nn_adaptive_log_softmax_desc *desc =
        (const nn_adaptive_log_softmax_desc *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    if (!nn__want_dtype(problem, inference->operation, "input", inference->inputs[0].dtype, NN_F32))
        return false;
    if (!desc)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give one with .num_classes and .cutoffs"),
                               NN__TEXT("desc is NULL"));
    if (x.rank < 1 || nn__is_symbolic(x.extent[x.rank - 1]))
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("the input has no features: a last axis of known extent"));
    const int clusters = desc->cutoffs.count;
    if (clusters < 1 || !desc->cutoffs.number)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT(".cutoffs = NN_INTEGERS(100, 1000)"),
                               NN__TEXT("there are %d cutoffs; wanted one or more"), clusters);
    if (desc->div_value < 0.0f || desc->div_value != desc->div_value)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave it 0 for 4"),
                               NN__TEXT("div_value is %g; it must be positive"),
                               (double)desc->div_value);
    for (int i = 0; i < clusters; i++) {
        const int64_t cutoff = desc->cutoffs.number[i],
                      before = i > 0 ? desc->cutoffs.number[i - 1] : 0;
        if (cutoff <= before || cutoff >= desc->num_classes)
            return nn__problem_set(
                problem, NN_ERROR_ARGUMENT, NN__TEXT(".cutoffs = NN_INTEGERS(100, 1000)"),
                NN__TEXT("cutoff %d is %lld; it must be more than %lld and less than the %d "
                         "classes"),
                i, (long long)cutoff, (long long)before, desc->num_classes);
    }
    const float by = desc->div_value != 0.0f ? desc->div_value : 4.0f;
    const int in = x.extent[x.rank - 1];
    if (desc->num_classes > INT32_MAX - clusters ||
        nn__op_adaptive_features(in, by, clusters - 1) > INT32_MAX)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("a larger div_value"),
                               NN__TEXT("%d classes, and %d features with a div_value of %g, are "
                                        "more than an extent holds"),
                               desc->num_classes, in, (double)by);
    if (nn__op_adaptive_features(in, by, clusters - 1) < 1)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("a smaller div_value, or fewer cutoffs"),
                               NN__TEXT("%d features leave none to cluster %d with a div_value of "
                                        "%g"),
                               in, clusters - 1, (double)by);
    return true;
}

static nn_node *nn__op_adaptive_slice(nn_site site, nn_model *net, nn_node *x, int start,
                                      int stop) {
    nn_slice_desc slice;
    memset(&slice, 0, sizeof slice);
    slice.axis = -1;
    slice.start = start;
    slice.stop = stop;
    return nn_slice_at(site, net, x, &slice);
}

NN_API nn_node *nn_adaptive_log_softmax_at(nn_site site, nn_model *net, const char *name,
                                           nn_node *x, const nn_adaptive_log_softmax_desc *desc) {
    static const char *const roles[] = {"input"};
    static const nn__rule rule = NN__COMPOSED_LAYER("adaptive_log_softmax", nn__op_adaptive_infer);
    char text[2 * NN_NAME_BYTES];
    nn_linear_desc linear;
    nn_nodes list;
    x = nn__build(site, net, &rule, NULL, name, &x, roles, 1, desc, 0);
    if (!x || x->poisoned) return x;
    const int clusters = desc->cutoffs.count, first = (int)desc->cutoffs.number[0],
              in = x->shape.extent[x->shape.rank - 1];
    const float by = desc->div_value != 0.0f ? desc->div_value : 4.0f;
    nn_node **parts = (nn_node **)nn__arena_take(&net->graph.arena,
                                                 sizeof *parts * (size_t)(clusters + 1));
    if (!parts) return nn__poison(net);
    memset(&linear, 0, sizeof linear);
    linear.shared = desc->shared;
    linear.no_bias = !desc->head_bias;
    linear.out_features = first + clusters;
    nn__format(text, sizeof text, "%s.head", name);
    nn_node *head = nn_log_softmax_at(site, net, nn_linear_at(site, net, text, x, &linear));
    parts[0] = nn__op_adaptive_slice(site, net, head, 0, first);
    linear.no_bias = true;
    for (int i = 0; i < clusters; i++) {
        const int start = (int)desc->cutoffs.number[i],
                  end = i + 1 < clusters ? (int)desc->cutoffs.number[i + 1] : desc->num_classes;
        linear.out_features = (int)nn__op_adaptive_features(in, by, i);
        nn__format(text, sizeof text, "%s.tail.%d.0", name, i);
        nn_node *tail = nn_linear_at(site, net, text, x, &linear);
        linear.out_features = end - start;
        nn__format(text, sizeof text, "%s.tail.%d.1", name, i);
        tail = nn_log_softmax_at(site, net, nn_linear_at(site, net, text, tail, &linear));
        parts[i + 1] = nn_add_at(site, net, tail,
                                 nn__op_adaptive_slice(site, net, head, first + i, first + i + 1));
    }
    list.node = parts;
    list.count = clusters + 1;
    return nn_concat_at(site, net, list, -1);
}
