/* ops/loss.c - what training minimises: the cross entropy, which is one kernel; the binary cross
   entropy and the mean squared error, which are composed of pointwise nodes; and the accuracy,
   which is no loss but takes the same operands.

   Builders do not see labels, so the kernels check them while they run. Immediate calls check them
   first. */
#include "ops/private.h"

typedef struct nn__op_cross_entropy_params {
    nn_reduction reduction;
    float label_smoothing;
    bool ignore, has_weight;
    int32_t ignore_index;
} nn__op_cross_entropy_params;

/* ---- checks ---------------------------------------------------------------------------------- */

static nn_shape nn__op_loss_number(void) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    return shape;
}

/* logits (N, C, d...) and label (N, d...), i32 */
NN_PRIVATE bool nn__want_labels(nn__problem *problem, const char *operation, nn_shape logits,
                                nn_dtype logits_dtype, nn_shape label, nn_dtype label_dtype) {
    char have[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT], text[NN__SHAPE_TEXT];
    nn_shape wanted = nn__op_loss_number();
    if (!nn__want_dtype(problem, operation, "logits", logits_dtype, NN_F32) ||
        !nn__want_dtype(problem, operation, "label", label_dtype, NN_I32))
        return false;
    nn__format_shape(logits, text, sizeof text);
    if (logits.rank < 2)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape makes it so"),
                               NN__TEXT("logits are %s; %s wants (N, C) or (N, C, d...)"), text, operation);
    if (nn__is_symbolic(logits.extent[1]))
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("the second extent is the number of classes: nn_reshape (batch, time, C) "
                                        "to NN_SHAPE(NN_BATCH_TIME, C)"),
                               NN__TEXT("extent 1 of logits %s depends on the %s"), text,
                               nn__free_words(logits.extent[1]));
    for (int i = 0; i < logits.rank; i++)
        if (i != 1) wanted.extent[wanted.rank++] = logits.extent[i];
    if (nn_same_shape(label, wanted)) return true;
    return nn__problem_set(
        problem, NN_ERROR_SHAPE, NN__TEXT("one class index for each row of logits, no one-hot"),
        NN__TEXT("label is %s; beside logits %s it must be %s"), nn__format_shape(label, have, sizeof have),
        text, nn__format_shape(wanted, want, sizeof want));
}

static bool nn__op_weight_check(const char *operation, const char *role, nn_shape weight, nn_dtype dtype,
                                int32_t classes, nn__problem *problem) {
    char have[NN__SHAPE_TEXT];
    if (!nn__want_dtype(problem, operation, role, dtype, NN_F32)) return false;
    if (weight.rank == 1 && weight.extent[0] == classes) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("one number for each class"),
                           NN__TEXT("%s is %s; it must be (%d)"), role,
                           nn__format_shape(weight, have, sizeof have), (int)classes);
}

/* Fills in the default. */
static bool nn__op_loss_reduction(nn_reduction *reduction, nn__problem *problem) {
    if (*reduction == NN_REDUCTION_DEFAULT) *reduction = NN_MEAN;
    if (*reduction == NN_MEAN || *reduction == NN_SUM) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("use NN_MEAN or NN_SUM"),
                           NN__TEXT("reduction is %d, which a loss does not know"), (int)*reduction);
}

static bool nn__op_cross_entropy_options(nn__op_cross_entropy_params *params,
                                         const nn_cross_entropy_options *options, nn__problem *problem) {
    memset(params, 0, sizeof *params);
    if (options) {
        params->reduction = options->reduction;
        params->label_smoothing = options->label_smoothing;
        params->ignore = options->ignore;
        params->ignore_index = options->ignore_index;
    }
    if (!nn__op_loss_reduction(&params->reduction, problem)) return false;
    if (params->label_smoothing >= 0.0f && params->label_smoothing < 1.0f) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("0 for none"),
                           NN__TEXT("label_smoothing is %g; it must be in [0, 1)"),
                           (double)params->label_smoothing);
}

/* ---- cross entropy: rules -------------------------------------------------------------------- */

static void nn__op_cross_entropy_args(nn_cross_entropy_args *args, const nn__op_cross_entropy_params *p,
                                      nn_view logits, nn_view label, nn_view weight) {
    memset(args, 0, sizeof *args);
    args->logits = logits;
    args->label = label;
    args->weight = weight;
    args->reduction = p->reduction;
    args->label_smoothing = p->label_smoothing;
    args->ignore = p->ignore;
    args->ignore_index = p->ignore_index;
}

/* inputs: logits, label, weight if there is one; and dloss in the gradient */
static void nn__op_cross_entropy_common(const nn_node *node, const nn__lowering *lowering,
                                        nn_cross_entropy_args *args) {
    const nn__op_cross_entropy_params *p = (const nn__op_cross_entropy_params *)node->params;
    nn_view absent;
    memset(&absent, 0, sizeof absent);
    nn__op_cross_entropy_args(args, p, lowering->inputs[0], lowering->inputs[1],
                              p->has_weight ? lowering->inputs[2] : absent);
    args->scratch = lowering->scratch;
    args->status = lowering->status;
    args->step = (uint32_t)lowering->values->step;
}

static void nn__op_cross_entropy_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    nn__op_cross_entropy_common(node, lowering, &args->cross_entropy_forward);
    args->cross_entropy_forward.loss = lowering->output;
}

static NN__UNUSED double nn__op_cross_entropy_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return 4.0 * (double)nn__count(&lowering->inputs[0]);
}

#ifndef NN_NO_TRAINING
static void nn__op_cross_entropy_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                                nn__args *args) {
    nn__op_cross_entropy_common(node, lowering, &args->cross_entropy_backward);
    args->cross_entropy_backward.dlogits = lowering->output;
    args->cross_entropy_backward.dloss = lowering->inputs[node->input_count - 1];
}

static const nn__rule nn__rule_cross_entropy_backward = {
    "cross_entropy_backward",  NN_KERNEL_CROSS_ENTROPY_BACKWARD,    NN__DYNAMIC | NN__STATUS,
    NN_ACTIVATION_NONE,        nn__op_cross_entropy_backward_lower, NULL,
    NN__FLOPS(nn__op_cross_entropy_flops), NULL, NULL};

static void nn__op_cross_entropy_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *logits = node->inputs[0], *inputs[4];
    int count = node->input_count;
    if (!nn__wants(logits)) return;
    for (int i = 0; i < count; i++) inputs[i] = node->inputs[i];
    inputs[count++] = dy;
    nn__give_gradient(tape, logits,
                      nn__tape_node(tape, &nn__rule_cross_entropy_backward, logits, ".grad", inputs, count,
                                    NN_F32, logits->shape, node->params,
                                    sizeof(nn__op_cross_entropy_params)));
}
#endif

static const nn__rule nn__rule_cross_entropy = {
    "cross_entropy",           NN_KERNEL_CROSS_ENTROPY_FORWARD, NN__DYNAMIC | NN__STATUS,
    NN_ACTIVATION_NONE,        nn__op_cross_entropy_lower,      NN__GRADIENT(nn__op_cross_entropy_gradient),
    NN__FLOPS(nn__op_cross_entropy_flops), NULL, NULL};

/* ---- cross entropy: builder ------------------------------------------------------------------ */

/* The loss takes logits; `squash` is what a user may have put before it from habit. */
static void nn__op_warn_of(nn_model *net, nn_site site, const char *operation, const nn_node *logits,
                           const char *squash) {
    if (!logits->operation || strcmp(logits->operation, squash) != 0) return;
    nn__warn(net, site, operation, logits->name,
             "its logits come from %s, which it applies itself; give it what %s was given, or the gradients are "
             "far smaller than they should be",
             squash, squash);
}

NN_API nn_node *nn_cross_entropy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                    const nn_cross_entropy_desc *desc) {
    static const char *const roles[] = {"logits", "label", "weight"};
    const char *operation = "cross_entropy";
    nn__op_cross_entropy_params params;
    nn_cross_entropy_options options;
    nn__problem problem;
    nn_node *inputs[3];
    int count = desc && desc->weight ? 3 : 2;
    inputs[0] = logits;
    inputs[1] = label;
    inputs[2] = desc ? desc->weight : NULL;
    if (!nn__check_inputs(net, site, operation, NULL, inputs, roles, count)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    memset(&options, 0, sizeof options);
    if (desc) {
        options.reduction = desc->reduction;
        options.label_smoothing = desc->label_smoothing;
        options.ignore = desc->ignore;
        options.ignore_index = desc->ignore_index;
    }
    if (!nn__op_cross_entropy_options(&params, &options, &problem) ||
        !nn__want_labels(&problem, operation, logits->shape, logits->dtype, label->shape, label->dtype) ||
        (count > 2 && !nn__op_weight_check(operation, "weight", inputs[2]->shape, inputs[2]->dtype,
                                           logits->shape.extent[1], &problem)))
        return nn__poison_problem(net, site, operation, NULL, inputs, roles, count, &problem);
    params.has_weight = count > 2;
    nn__op_warn_of(net, site, operation, logits, "softmax");
    nn__op_warn_of(net, site, operation, logits, "log_softmax");
    nn__install_cross_entropy(net->nn);
    return nn__add_node(&net->graph, site, &nn__rule_cross_entropy, operation, NULL, inputs, roles, count,
                        NN_F32, nn__op_loss_number(), &params, sizeof params);
}

/* ---- losses composed of pointwise nodes ------------------------------------------------------ */

static nn_node *nn__op_loss_reduce(nn_model *net, nn_site site, const char *operation,
                                   const char *const *roles, nn_reduction reduction, nn_node *each) {
    uint32_t all = (1u << each->shape.rank) - 1u;
    return nn__add_reduce(&net->graph, site, operation, roles, reduction, each, all, nn__op_loss_number());
}

/* y and target: f32, one shape. */
static bool nn__op_targets_check(const char *operation, const char *y_role, const nn_node *y,
                                 const nn_node *target, nn__problem *problem) {
    char have[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT];
    if (!nn__want_dtype(problem, operation, y_role, y->dtype, NN_F32) ||
        !nn__want_dtype(problem, operation, "target", target->dtype, NN_F32))
        return false;
    if (nn_same_shape(y->shape, target->shape)) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE,
                           NN__TEXT("nn_reshape one of them; a loss never broadcasts"),
                           NN__TEXT("target is %s, but %s is %s; they must be equal"),
                           nn__format_shape(target->shape, have, sizeof have), y_role,
                           nn__format_shape(y->shape, want, sizeof want));
}

/* Does it broadcast to the shape of the logits? */
static bool nn__op_bce_fits(const char *role, const nn_node *weight, const nn_node *logits,
                            nn__problem *problem) {
    char have[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT];
    nn_shape y;
    if (!weight) return true;
    if (!nn__want_dtype(problem, "bce_with_logits", role, weight->dtype, NN_F32)) return false;
    if (nn__broadcast_shapes(weight->shape, logits->shape, &y) && nn_same_shape(y, logits->shape))
        return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE,
                           NN__TEXT("one number for each class, or the shape of logits"),
                           NN__TEXT("%s is %s, which does not broadcast to logits %s"), role,
                           nn__format_shape(weight->shape, have, sizeof have),
                           nn__format_shape(logits->shape, want, sizeof want));
}

/* (1 - t) x + (1 + (p - 1) t) softplus(-x), which overflows nowhere and loses no digits where the loss is
   small. */
static nn_node *nn__op_bce_build(nn_model *net, nn_site site, nn_node *x, nn_node *t, nn_node *weight,
                                 nn_node *positive, nn_reduction reduction) {
    static const char *const x_only[] = {"logits"}, *const t_only[] = {"target"},
                             *const t_and_x[] = {"target", "logits"};
    static const char *const x_and_p[] = {"logits", "pos_weight"}, *const x_and_w[] = {"logits", "weight"};
    static const char *const x_and_x[] = {"logits", "logits"}, *const x_and_t[] = {"logits", "target"};
    const char *operation = "bce_with_logits", *each = operation;
    nn__graph *graph = &net->graph;
    nn_node *first, *second, *extra;
    first = nn__add_unary(graph, site, operation, each, t_only, NN_NEGATE, t, 0.0f);
    first = nn__add_unary(graph, site, operation, each, t_only, NN_OFFSET, first, 1.0f);
    first = nn__add_binary(graph, site, operation, each, t_and_x, NN_MULTIPLY, first, x);
    second = nn__add_unary(graph, site, operation, each, x_only, NN_NEGATE, x, 0.0f);
    second = nn__add_unary(graph, site, operation, x->name, x_only, NN_SOFTPLUS, second, 0.0f);
    if (positive) { /* s + (p - 1) t s = s + (p s - s) t: p meets the logits, and a fault of its device
                       shows both, which is why softplus(-x) bears the name of x */
        extra = nn__add_binary(graph, site, operation, each, x_and_p, NN_MULTIPLY, second, positive);
        extra = nn__add_binary(graph, site, operation, each, x_and_x, NN_SUBTRACT, extra, second);
        extra = nn__add_binary(graph, site, operation, each, x_and_t, NN_MULTIPLY, extra, t);
        second = nn__add_binary(graph, site, operation, each, x_and_x, NN_ADD, extra, second);
    }
    first = nn__add_binary(graph, site, operation, each, x_and_x, NN_ADD, first, second);
    if (weight) first = nn__add_binary(graph, site, operation, each, x_and_w, NN_MULTIPLY, first, weight);
    return nn__op_loss_reduce(net, site, operation, x_only, reduction, first);
}

NN_API nn_node *nn_bce_with_logits_at(nn_site site, nn_model *net, nn_node *logits, nn_node *target,
                                      const nn_bce_desc *desc) {
    const char *operation = "bce_with_logits", *roles[4] = {"logits", "target", NULL, NULL};
    nn_node *inputs[4], *weight = desc ? desc->weight : NULL, *positive = desc ? desc->pos_weight : NULL;
    nn_reduction reduction = desc ? desc->reduction : NN_MEAN;
    nn__problem problem;
    int count = 2;
    inputs[0] = logits;
    inputs[1] = target;
    if (weight) {
        roles[count] = "weight";
        inputs[count++] = weight;
    }
    if (positive) {
        roles[count] = "pos_weight";
        inputs[count++] = positive;
    }
    if (!nn__check_inputs(net, site, operation, NULL, inputs, roles, count)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    if (!nn__op_loss_reduction(&reduction, &problem) ||
        !nn__op_targets_check(operation, "logits", logits, target, &problem) ||
        !nn__op_bce_fits("weight", weight, logits, &problem) ||
        !nn__op_bce_fits("pos_weight", positive, logits, &problem))
        return nn__poison_problem(net, site, operation, NULL, inputs, roles, count, &problem);
    nn__op_warn_of(net, site, operation, logits, "sigmoid");
    return nn__op_bce_build(net, site, logits, target, weight, positive, reduction);
}

NN_API nn_node *nn_mse_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                               nn_reduction reduction) {
    static const char *const roles[] = {"y", "target"};
    const char *operation = "mse_loss";
    nn__problem problem;
    nn_node *inputs[2], *each;
    inputs[0] = y;
    inputs[1] = target;
    if (!nn__check_inputs(net, site, operation, NULL, inputs, roles, 2)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    if (!nn__op_loss_reduction(&reduction, &problem) ||
        !nn__op_targets_check(operation, "y", y, target, &problem))
        return nn__poison_problem(net, site, operation, NULL, inputs, roles, 2, &problem);
    each = nn__add_binary(&net->graph, site, operation, operation, roles, NN_SUBTRACT, y, target);
    each = nn__add_unary(&net->graph, site, operation, operation, roles, NN_SQUARE, each, 0.0f);
    return nn__op_loss_reduce(net, site, operation, roles, reduction, each);
}

/* ---- accuracy -------------------------------------------------------------------------------- */

static void nn__op_accuracy_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    memset(&args->accuracy, 0, sizeof args->accuracy);
    args->accuracy.y = lowering->output;
    args->accuracy.logits = lowering->inputs[0];
    args->accuracy.label = lowering->inputs[1];
    args->accuracy.scratch = lowering->scratch;
    args->accuracy.top = *(const int32_t *)node->params;
}

static const nn__rule nn__rule_accuracy = {
    "accuracy", NN_KERNEL_ACCURACY, 0, NN_ACTIVATION_NONE, nn__op_accuracy_lower, NULL, NULL, NULL, NULL};
static const nn__rule nn__rule_top_k_accuracy = {
    "top_k_accuracy", NN_KERNEL_ACCURACY, 0, NN_ACTIVATION_NONE, nn__op_accuracy_lower, NULL, NULL, NULL, NULL};

static nn_node *nn__op_accuracy_add(nn_site site, nn_model *net, const nn__rule *rule, nn_node *logits,
                                    nn_node *label, int32_t top) {
    static const char *const roles[] = {"logits", "label"};
    nn__problem problem;
    nn_node *inputs[2];
    inputs[0] = logits;
    inputs[1] = label;
    if (!nn__check_inputs(net, site, rule->name, NULL, inputs, roles, 2)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    if (nn__want_labels(&problem, rule->name, logits->shape, logits->dtype, label->shape, label->dtype) &&
        (top < 1 || top > logits->shape.extent[1]))
        nn__problem_set(&problem, NN_ERROR_ARGUMENT, NN__TEXT("give 1 to the number of classes"),
                        NN__TEXT("k is %d of %d classes"), (int)top, (int)logits->shape.extent[1]);
    if (problem.code != NN_OK)
        return nn__poison_problem(net, site, rule->name, NULL, inputs, roles, 2, &problem);
    nn__install_metric(net->nn);
    return nn__add_node(&net->graph, site, rule, rule->name, NULL, inputs, roles, 2, NN_F32,
                        nn__op_loss_number(), &top, sizeof top);
}

NN_API nn_node *nn_accuracy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label) {
    return nn__op_accuracy_add(site, net, &nn__rule_accuracy, logits, label, 1);
}

NN_API nn_node *nn_top_k_accuracy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label, int k) {
    return nn__op_accuracy_add(site, net, &nn__rule_top_k_accuracy, logits, label, k);
}

/* ---- immediate ------------------------------------------------------------------------------- */

typedef struct nn__op_cross_entropy_call {
    nn_site site;
    const char *who;
    nn_context *nn;
    nn_device device;
    nn_cross_entropy_args args;
} nn__op_cross_entropy_call;

static nn_result nn__op_cross_entropy_begin(nn__op_cross_entropy_call *call, const nn__given *given,
                                            int count, const nn_tensor *weight,
                                            const nn_cross_entropy_options *options) {
    const nn_tensor *logits, *label;
    nn__op_cross_entropy_params params;
    nn__problem problem;
    nn_result result = nn__check_given(call->site, call->who, given, count, &call->nn, &call->device);
    if (result != NN_OK) return result;
    logits = given[1].tensor;
    label = given[2].tensor;
    memset(&problem, 0, sizeof problem);
    if (!nn__op_cross_entropy_options(&params, options, &problem) ||
        !nn__want_labels(&problem, "cross_entropy", logits->view.shape, NN_F32, label->view.shape, NN_I32) ||
        (weight && !nn__op_weight_check("cross_entropy", "weight", weight->view.shape, NN_F32,
                                        logits->view.shape.extent[1], &problem)))
        return nn__fail_problem(call->nn, call->site, call->who, &problem);
    nn__op_cross_entropy_args(&call->args, &params, logits->view, label->view, nn_tensor_view(weight));
    nn__install_cross_entropy(call->nn);
    return NN_OK;
}

/* Runs the forward kernel with loss and status word behind the scratch, then looks at the status word: so
   nothing of the caller's was written when a label is wrong. The loss stays at *loss until the next use of
   the scratch. */
static nn_result nn__op_cross_entropy_try(nn__op_cross_entropy_call *call, nn_view *loss) {
    nn__open_device *on = nn__find_device(call->nn, call->device);
    nn_cross_entropy_args *args = &call->args;
    nn_view space;
    uint64_t bytes;
    uint32_t word = 0;
    nn_result result;
    args->loss.dtype = NN_F32;
    bytes = nn__has_kernel(on->backend, NN_KERNEL_CROSS_ENTROPY_FORWARD)
                ? on->backend->scratch_bytes(on->state, NN_KERNEL_CROSS_ENTROPY_FORWARD, args)
                : 0;
    bytes = (bytes + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
    result = nn__immediate_scratch(call->nn, call->device, bytes + 2 * NN__ALIGNMENT, call->who, &space);
    if (result != NN_OK) return result;
    memset(loss, 0, sizeof *loss);
    loss->handle = space.handle;
    loss->offset = bytes;
    loss->dtype = NN_F32;
    args->loss = *loss;
    args->status = *loss;
    args->status.offset = bytes + NN__ALIGNMENT;
    args->status.dtype = NN_I32;
    result = on->backend->fill(on->state, space.handle, args->status.offset, 4, 0);
    if ((int)result < 0)
        return nn__fail_at(call->nn, call->site, result, "%s: %s", call->who, nn_result_text(result));
    result = nn__run_immediate(call->site, call->who, call->nn, call->device, NN_KERNEL_CROSS_ENTROPY_FORWARD,
                               args, &args->scratch);
    if (result == NN_OK)
        result =
            nn__download(call->nn, call->device, &args->status, &word, sizeof word, "status", call->site);
    if (result != NN_OK) return result;
    if ((word & 7u) == 0) return NN_OK;
    return nn__fail_at(call->nn, call->site, NN_ERROR_LABEL,
                       "%s: a label is outside [0, %d); nothing was written%s", call->who,
                       (int)args->logits.shape.extent[1],
                       args->ignore ? "" : "; labels to leave out need .ignore = true and .ignore_index");
}

NN_API nn_result nn_cross_entropy_forward_at(nn_site site, nn_tensor *loss, const nn_tensor *logits,
                                             const nn_tensor *label, const nn_tensor *weight,
                                             const nn_cross_entropy_options *options) {
    const nn__given given[] = {{"loss", loss, NN__WRITTEN, NN_F32},
                               {"logits", logits, false, NN_F32},
                               {"label", label, false, NN_I32},
                               {"weight", weight, true, NN_F32}};
    nn__op_cross_entropy_call call;
    nn_view found;
    nn__open_device *on;
    nn_result result;
    memset(&call, 0, sizeof call);
    call.site = site;
    call.who = "nn_cross_entropy_forward";
    result = nn__op_cross_entropy_begin(&call, given, NN__COUNT(given), weight, options);
    if (result != NN_OK) return result;
    if (nn__count(&loss->view) != 1)
        return nn__fail_shape(call.nn, site, call.who, "loss", nn__op_loss_number(), loss->view.shape);
    result = nn__op_cross_entropy_try(&call, &found);
    if (result != NN_OK) return result;
    on = nn__find_device(call.nn, call.device);
    result =
        on->backend->copy(on->state, loss->view.handle, loss->view.offset, found.handle, found.offset, 4);
    return (int)result < 0 ? nn__fail_at(call.nn, site, result, "%s: %s", call.who, nn_result_text(result))
                           : NN_OK;
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_cross_entropy_backward_at(nn_site site, nn_tensor *dlogits, const nn_tensor *logits,
                                              const nn_tensor *label, const nn_tensor *weight,
                                              const nn_cross_entropy_options *options) {
    const nn__given given[] = {{"dlogits", dlogits, NN__WRITTEN, NN_F32},
                               {"logits", logits, false, NN_F32},
                               {"label", label, false, NN_I32},
                               {"weight", weight, true, NN_F32}};
    nn__op_cross_entropy_call call;
    nn_view found;
    nn_result result;
    memset(&call, 0, sizeof call);
    call.site = site;
    call.who = "nn_cross_entropy_backward";
    result = nn__op_cross_entropy_begin(&call, given, NN__COUNT(given), weight, options);
    if (result == NN_OK)
        result = nn__want_shape(call.nn, site, call.who, "dlogits", logits->view.shape, dlogits);
    if (result == NN_OK) result = nn__op_cross_entropy_try(&call, &found);
    if (result != NN_OK) return result;
    memset(&call.args.loss, 0, sizeof call.args.loss);
    memset(&call.args.status, 0, sizeof call.args.status); /* the labels are good */
    memset(&call.args.scratch, 0, sizeof call.args.scratch);
    call.args.dlogits = dlogits->view; /* dloss absent: 1 */
    return nn__run_immediate(site, call.who, call.nn, call.device, NN_KERNEL_CROSS_ENTROPY_BACKWARD,
                             &call.args, &call.args.scratch);
}
#endif
