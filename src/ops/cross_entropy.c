/* ops/cross_entropy.c - cross entropy with labels, and nll_loss, which share one kernel.
   Builders do not see labels, so the kernel checks them while it runs; immediate calls check
   them first. Probabilities as targets: ops/soft_entropy.c. */
#include "ops/loss_private.h"
#include "ops/program.h"

/* params: nn_cross_entropy_options, NULL for defaults. inputs: logits, label, weight (optional) */
static bool nn__op_cross_entropy_infer(nn__inference *inference) {
    const nn_cross_entropy_options *options = (const nn_cross_entropy_options *)inference->params;
    nn__problem *problem = inference->problem;
    nn__op_loss_infer(inference);
    if (options && options->reduction == NN_REDUCTION_NONE)
        inference->outputs[0].shape = inference->inputs[1].shape;
    if (options && options->log_probabilities && options->label_smoothing != 0.0f)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("use nn_cross_entropy of "
                                                                    "logits, or leave "
                                                                    ".label_smoothing out"),
                               NN__TEXT("label_smoothing is %g; with log_probabilities it "
                                        "must be 0"),
                               (double)options->label_smoothing);
    if (options && !nn__op_loss_reduction(options->reduction, false, problem)) return false;
    if (options && !(options->label_smoothing >= 0.0f && options->label_smoothing < 1.0f))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("0 for none"),
                               NN__TEXT("label_smoothing is %g; it must be in [0, 1)"),
                               (double)options->label_smoothing);
    return nn__want_labels(problem, inference->operation, inference->inputs[0],
                           inference->inputs[1]) &&
           (inference->input_count < 3 || nn__op_weight_check(inference));
}

/* ---- cross entropy: rules -------------------------------------------------------------------- */

NN_PRIVATE void nn__op_cross_entropy_args(nn_cross_entropy_args *args,
                                          const nn_cross_entropy_options *p, nn_view logits,
                                          nn_view label, nn_view weight) {
    memset(args, 0, sizeof *args);
    args->logits = logits;
    args->label = label;
    args->weight = weight;
    args->reduction = NN_MEAN;
    if (!p) return;
    if (p->reduction != NN_REDUCTION_DEFAULT) args->reduction = p->reduction;
    args->label_smoothing = p->label_smoothing;
    args->log_probabilities = p->log_probabilities;
    args->ignore = p->ignore;
    args->ignore_index = p->ignore_index;
}

/* inputs: logits, label, weight (optional), then `behind` more: dloss in the gradient */
static void nn__op_cross_entropy_common(const nn_node *node, const nn__lowering *lowering,
                                        nn_cross_entropy_args *args, int behind) {
    nn_view absent;
    memset(&absent, 0, sizeof absent);
    nn__op_cross_entropy_args(args, (const nn_cross_entropy_options *)node->params,
                              lowering->inputs[0], lowering->inputs[1],
                              node->input_count - behind > 2 ? lowering->inputs[2] : absent);
    args->scratch = lowering->scratch;
    args->status = lowering->status;
    args->step = (uint32_t)lowering->values->step;
}

#ifndef NN_NO_TRAINING
/* For lowering->renewed: sets only the step. False: all args must be set. */
static bool nn__op_cross_entropy_renew(const nn__lowering *lowering, nn_cross_entropy_args *args) {
    if (!lowering->renewed) return false;
    args->step = (uint32_t)lowering->values->step;
    return *lowering->renewed = true;
}
#else
#define nn__op_cross_entropy_renew(lowering, args) false
#endif

static void nn__op_cross_entropy_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args) {
    if (nn__op_cross_entropy_renew(lowering, &args->cross_entropy_forward)) return;
    nn__op_cross_entropy_common(node, lowering, &args->cross_entropy_forward, 0);
    args->cross_entropy_forward.loss = lowering->output;
}

static NN__UNUSED double nn__op_cross_entropy_flops(const nn_node *node,
                                                    const nn__lowering *lowering) {
    (void)node;
    return 4.0 * (double)nn__count(&lowering->inputs[0]);
}

#ifndef NN_NO_TRAINING
static void nn__op_cross_entropy_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                                nn__args *args) {
    if (nn__op_cross_entropy_renew(lowering, &args->cross_entropy_backward)) return;
    nn__op_cross_entropy_common(node, lowering, &args->cross_entropy_backward, 1);
    args->cross_entropy_backward.dlogits = lowering->output;
    args->cross_entropy_backward.dloss = lowering->inputs[node->input_count - 1];
}

static const nn__rule nn__rule_cross_entropy_backward = {"cross_entropy_backward",
                                                         NN_KERNEL_CROSS_ENTROPY_BACKWARD,
                                                         NN__DYNAMIC | NN__RENEWS | NN__STATUS |
                                                             NN__LOGITS_IN_PLACE,
                                                         NN_ACTIVATION_NONE,
                                                         nn__op_cross_entropy_backward_lower,
                                                         nn__gradient_again,
                                                         NN__FLOPS(nn__op_cross_entropy_flops),
                                                         NULL,
                                                         NULL};

static void nn__op_cross_entropy_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *logits = node->inputs[0], *inputs[4];
    int count = node->input_count;
    if (!nn__wants(logits)) return;
    for (int i = 0; i < count; i++) inputs[i] = node->inputs[i];
    inputs[count++] = dy;
    nn__give_gradient(tape, logits,
                      nn__tape_node(tape, &nn__rule_cross_entropy_backward, logits, ".grad", inputs,
                                    count, NN_F32, logits->shape, node->params,
                                    sizeof(nn_cross_entropy_options)));
}

/* Returns the gradient of the logits for this gradient of the loss. plain: that of nll_loss with
   the logits as log-probabilities. */
static nn_node *nn__op_cross_entropy_slope(nn__tape *tape, nn_node *node, nn_node *dloss,
                                           bool plain) {
    nn_cross_entropy_options options = *(const nn_cross_entropy_options *)node->params;
    nn_node *inputs[4];
    const int count = node->input_count;
    for (int i = 0; i < count; i++) inputs[i] = node->inputs[i];
    inputs[count - 1] = dloss;
    options.log_probabilities = options.log_probabilities || plain;
    return nn__tape_node(tape, &nn__rule_cross_entropy_backward, node, ".grad", inputs, count,
                         NN_F32, node->shape, &options, sizeof options);
}

/* For node = c (w p - t), where p is the softmax, t the weighted target, w the sum of t over the
   classes and c the gradient of the loss: nll_loss has the slope -c t, so node + c t is c w p, and
   the sum of c t over the classes is c w. The derivative of c w p along g is c w p (g - sum(p g)).
 */
static void nn__op_cross_entropy_by_logits(nn__tape *tape, nn_node *node, nn_node *g) {
    nn_node *logits = node->inputs[0];
    const nn_shape rows = nn__keep_axes(logits->shape, 2u);
    nn_node *target =
        nn__op_cross_entropy_slope(tape, node, node->inputs[node->input_count - 1], true);
    nn_node *p = nn__tape_binary(tape, nn__table_subtract(), node, target, node);
    nn_node *w = nn__tape_reduce(tape, NN_SUM, p, 2u, rows, node);
    nn_node *pg = nn__tape_reduce(
        tape, NN_SUM, nn__tape_binary(tape, nn__table_multiply(), p, g, node), 2u, rows, node);
    /* w is 0 only where p is 0 */
    nn_node *zero = nn__tape_binary(tape, nn__table_equal(), w, nn__tape_filled(tape, w, 0.0f), w);
    nn_node *safe = nn__tape_binary(tape, nn__table_add(), w, zero, w);
    nn_node *part = nn__tape_binary(tape, nn__table_subtract(), g,
                                    nn__tape_binary(tape, nn__table_divide(), pg, safe, w), node);
    nn__give_gradient(tape, logits, nn__tape_binary(tape, nn__table_multiply(), p, part, node));
}

NN_PRIVATE void nn__op_cross_entropy_again(nn__tape *tape, nn_node *node, nn_node *g) {
    const nn_cross_entropy_options *options = (const nn_cross_entropy_options *)node->params;
    nn_node *logits = node->inputs[0], *dloss = node->inputs[node->input_count - 1];
    if (nn__wants(logits) && options->label_smoothing != 0.0f) {
        nn__again_ends(tape, node, NN__TEXT("label_smoothing is for the first gradient only"));
        return;
    }
    if (nn__wants(logits) && !options->log_probabilities)
        nn__op_cross_entropy_by_logits(tape, node, g);
    if (!nn__wants(dloss)) return;
    const bool each = options->reduction == NN_REDUCTION_NONE;
    const uint32_t axes = each ? 2u : (1u << logits->shape.rank) - 1u;
    nn_node *slope =
        nn__op_cross_entropy_slope(tape, node, nn__tape_filled(tape, dloss, 1.0f), false);
    slope = nn__tape_binary(tape, nn__table_multiply(), slope, g, node);
    nn__give_gradient(tape, dloss, nn__tape_reduce(tape, NN_SUM, slope, axes, dloss->shape, dloss));
}
#endif

#define NN__ENTROPY_RULE(name)                                                                     \
    {                                                                                              \
        name, NN_KERNEL_CROSS_ENTROPY_FORWARD, NN__DYNAMIC | NN__RENEWS | NN__STATUS,              \
            NN_ACTIVATION_NONE, nn__op_cross_entropy_lower,                                        \
            NN__GRADIENT(nn__op_cross_entropy_gradient), NN__FLOPS(nn__op_cross_entropy_flops),    \
            nn__op_cross_entropy_infer, NULL                                                       \
    }
static const nn__rule nn__rule_cross_entropy = NN__ENTROPY_RULE("cross_entropy");
static const nn__rule nn__rule_nll_loss = NN__ENTROPY_RULE("nll_loss");
#undef NN__ENTROPY_RULE

#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_TRAINING)
NN_PRIVATE bool nn__op_is_one_loss(const nn_node *node) {
    const nn_cross_entropy_options *options = (const nn_cross_entropy_options *)node->params;
    return node->rule->kernel == NN_KERNEL_CROSS_ENTROPY_FORWARD &&
           options->reduction != NN_REDUCTION_NONE;
}
NN_PRIVATE bool nn__op_is_loss_gradient(const nn_node *node) {
    return node->rule == &nn__rule_cross_entropy_backward;
}
#endif

/* ---- cross entropy: builders ----------------------------------------------------------------- */

NN_API nn_node *nn_cross_entropy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                    const nn_cross_entropy_desc *desc) {
    static const char *const roles[] = {"logits", "label", "weight"};
    const nn__rule *rule = &nn__rule_cross_entropy;
    nn_node *inputs[3] = {logits, label, desc ? desc->weight : NULL};
    nn_cross_entropy_options options;
#if defined(NN_NO_TRAINING) || !defined(NN_NO_TRAINING_OPTIONS)
    if (logits && label && !label->poisoned && nn_same_shape(logits->shape, label->shape) &&
        (label->dtype == NN_F32 || nn__is_half(label->dtype)))
        return nn__op_soft_entropy(site, net, logits, label, desc);
#endif
    memset(&options, 0, sizeof options);
    if (desc) {
        options.reduction = desc->reduction;
        options.label_smoothing = desc->label_smoothing;
        options.ignore = desc->ignore;
        options.ignore_index = desc->ignore_index;
    }
    nn_node *loss = nn__build(site, net, rule, nn__install_cross_entropy, NULL, inputs, roles,
                              inputs[2] ? 3 : 2, &options, sizeof options);
    if (!loss || loss->poisoned) return loss;
    nn__op_warn_of(net, site, rule->name, logits, "softmax");
    nn__op_warn_of(net, site, rule->name, logits, "log_softmax");
    return loss;
}

NN_API nn_node *nn_nll_loss_at(nn_site site, nn_model *net, nn_node *log_probabilities,
                               nn_node *label, const nn_nll_desc *desc) {
    static const char *const roles[] = {"log_probabilities", "label", "weight"};
    nn_node *inputs[3] = {log_probabilities, label, desc ? desc->weight : NULL};
    nn_cross_entropy_options options;
    memset(&options, 0, sizeof options);
    options.log_probabilities = true;
    if (desc) {
        options.reduction = desc->reduction;
        options.ignore = desc->ignore;
        options.ignore_index = desc->ignore_index;
    }
    return nn__build(site, net, &nn__rule_nll_loss, nn__install_cross_entropy, NULL, inputs, roles,
                     inputs[2] ? 3 : 2, &options, sizeof options);
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
                                            int count, const nn_cross_entropy_options *options) {
    nn_result result =
        nn__check_given(call->site, call->who, given, count, &call->nn, &call->device);
    if (result == NN_OK)
        result = nn__check_shapes(call->site, call->who, call->nn, &nn__rule_cross_entropy,
                                  given + 1, 0, count - 1, options);
    if (result != NN_OK) return result;
    nn__op_cross_entropy_args(&call->args, options, given[1].tensor->view, given[2].tensor->view,
                              nn__view_of(given[3].tensor));
    nn__install_cross_entropy(call->nn);
    return NN_OK;
}

/* Runs the forward kernel with status word and loss in extra scratch, then reads the status
   word: a wrong label is an error before anything of the caller's is written. *loss is valid
   until the scratch is used again. */
static nn_result nn__op_cross_entropy_try(nn__op_cross_entropy_call *call, nn_view *loss) {
    nn__open_device *on = nn__find_device(call->nn, call->device);
    nn_cross_entropy_args *args = &call->args;
    nn_view space;
    uint64_t bytes;
    uint32_t word = 0;
    nn_result result;
    memset(loss, 0, sizeof *loss);
    loss->dtype = NN_F32;
    if (args->reduction == NN_REDUCTION_NONE) loss->shape = args->label.shape;
    args->loss = *loss;
    bytes = nn__has_kernel(on->backend, NN_KERNEL_CROSS_ENTROPY_FORWARD)
                ? on->backend->scratch_bytes(on->state, NN_KERNEL_CROSS_ENTROPY_FORWARD, args)
                : 0;
    bytes = (bytes + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
    result = nn__immediate_scratch(call->nn, call->device,
                                   bytes + NN__ALIGNMENT + 4 * (uint64_t)nn__count(loss), call->who,
                                   &space);
    if (result != NN_OK) return result;
    memset(&args->status, 0, sizeof args->status);
    args->status.handle = loss->handle = space.handle;
    args->status.offset = bytes;
    args->status.dtype = NN_I32;
    loss->offset = bytes + NN__ALIGNMENT;
    args->loss = *loss;
    result = on->backend->fill(on->state, space.handle, args->status.offset, 4, 0);
    if ((int)result < 0)
        return nn__fail_at(call->nn, call->site, result, "%s: %s", call->who,
                           nn_result_text(result));
    result = nn__run_immediate(call->site, call->who, call->nn, call->device,
                               NN_KERNEL_CROSS_ENTROPY_FORWARD, args, &args->scratch);
    if (result == NN_OK)
        result = nn__download(call->nn, call->device, &args->status, &word, sizeof word, "status",
                              call->site);
    if (result != NN_OK) return result;
    if ((word & 7u) == 0) return NN_OK;
    return nn__fail_at(
        call->nn, call->site, NN_ERROR_LABEL,
        "%s: a label is outside [0, %d); nothing was written%s", call->who,
        (int)args->logits.shape.extent[1],
        args->ignore ? "" : "; labels to leave out need .ignore = true and .ignore_index");
}

/* Checks loss: one number, of any rank, or one for each label. */
static nn_result nn__op_cross_entropy_fits(const nn__op_cross_entropy_call *call,
                                           const nn_tensor *loss) {
    if (call->args.reduction == NN_REDUCTION_NONE)
        return nn__want_shape(call->nn, call->site, call->who, "loss", call->args.label.shape,
                              loss);
    if (nn__count(&loss->view) == 1) return NN_OK;
    return nn__fail_shape(call->nn, call->site, call->who, "loss", nn__op_loss_number(),
                          loss->view.shape);
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
    result = nn__op_cross_entropy_begin(&call, given, NN__COUNT(given), options);
    if (result != NN_OK) return result;
    result = nn__op_cross_entropy_fits(&call, loss);
    if (result != NN_OK) return result;
    result = nn__op_cross_entropy_try(&call, &found);
    if (result != NN_OK) return result;
    on = nn__find_device(call.nn, call.device);
    result = on->backend->copy(on->state, loss->view.handle, loss->view.offset, found.handle,
                               found.offset, 4 * (uint64_t)nn__count(&found));
    return (int)result < 0
               ? nn__fail_at(call.nn, site, result, "%s: %s", call.who, nn_result_text(result))
               : NN_OK;
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_cross_entropy_backward_at(nn_site site, nn_tensor *dlogits,
                                              const nn_tensor *logits, const nn_tensor *label,
                                              const nn_tensor *weight,
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
    result = nn__op_cross_entropy_begin(&call, given, NN__COUNT(given), options);
    if (result == NN_OK)
        result = nn__want_shape(call.nn, site, call.who, "dlogits", logits->view.shape, dlogits);
    if (result != NN_OK) return result;
    /* This only checks the labels. With log_probabilities, the kernel need not sum over rows. */
    const nn_cross_entropy_args args = call.args;
    call.args.log_probabilities = true;
    call.args.label_smoothing = 0.0f;
    result = nn__op_cross_entropy_try(&call, &found);
    if (result != NN_OK) return result;
    call.args.log_probabilities = args.log_probabilities;
    call.args.label_smoothing = args.label_smoothing;
    memset(&call.args.loss, 0, sizeof call.args.loss);
    memset(&call.args.status, 0, sizeof call.args.status); /* the labels are valid */
    memset(&call.args.scratch, 0, sizeof call.args.scratch);
    call.args.dlogits = dlogits->view; /* no dloss: 1 */
    return nn__run_immediate(site, call.who, call.nn, call.device, NN_KERNEL_CROSS_ENTROPY_BACKWARD,
                             &call.args, &call.args.scratch);
}
#endif
