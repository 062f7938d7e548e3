/* ops/ctc.c - connectionist temporal classification. One kernel computes the loss of each
   sample, another the gradient; the mean is composed of other operations. */
#include "kernels/install_more.h"
#include "ops/ctc.h"
#include "ops/loss_private.h"

/* ---- rules ----------------------------------------------------------------------------------- */

static nn_shape nn__op_ctc_shape(int rank, int32_t a, int32_t b) {
    nn_shape shape = nn__op_loss_number();
    shape.rank = rank;
    shape.extent[0] = a;
    if (rank > 1) shape.extent[1] = b;
    return shape;
}

/* Inputs: log_probabilities, targets, input_lengths, target_lengths. params: nn_ctc_loss_desc,
   NULL for defaults. */
static bool nn__op_ctc_infer(nn__inference *inference) {
    const nn_ctc_loss_desc *desc = (const nn_ctc_loss_desc *)inference->params;
    const nn__type *x = inference->inputs;
    nn__problem *problem = inference->problem;
    const int blank = desc ? desc->blank : 0;
    char text[NN__SHAPE_TEXT];
    for (int i = 0; i < 4; i++)
        if (!nn__want_dtype(problem, inference->operation, inference->roles[i], x[i].dtype,
                            i ? NN_I32 : NN_F32))
            return false;
    if (desc && !nn__op_loss_reduction(desc->reduction, false, problem)) return false;
    nn__format_shape(x[0].shape, text, sizeof text);
    if (x[0].shape.rank != 3)
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_permute(net, x, NN_AXES(1, 0, 2)) of (N, T, C)"),
                               NN__TEXT("log_probabilities are %s; wanted (T, N, C)"), text);
    if (nn__is_symbolic(x[0].shape.extent[2]))
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("the last extent is the number of classes"),
                               NN__TEXT("extent 2 of log_probabilities %s depends on the %s"), text,
                               nn__free_words(x[0].shape.extent[2]));
    if (blank < 0 || blank >= x[0].shape.extent[2])
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave it 0 for class 0"),
                               NN__TEXT("blank is %d; log_probabilities %s have the classes 0 to "
                                        "%d"),
                               blank, text, (int)x[0].shape.extent[2] - 1);
    const int32_t n = x[0].shape.extent[1];
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = nn__op_ctc_shape(1, n, 0);
    if (x[1].shape.rank != 2 || x[1].shape.extent[0] != n)
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("fill short ones up; target_lengths says what counts"),
                               NN__TEXT("targets are %s; wanted (N, S), a row for each sample"),
                               nn__format_shape(x[1].shape, text, sizeof text));
    return nn__want_role_shape(problem, inference->roles[2], inference->outputs[0].shape,
                               x[2].shape) &&
           nn__want_role_shape(problem, inference->roles[3], inference->outputs[0].shape,
                               x[3].shape);
}

/* views: the four inputs. */
static void nn__op_ctc_args(nn_ctc_args *args, const nn_ctc_loss_desc *desc,
                            const nn_view *views) {
    memset(args, 0, sizeof *args);
    args->log_probabilities = views[0];
    args->targets = views[1];
    args->input_lengths = views[2];
    args->target_lengths = views[3];
    if (!desc) return;
    args->blank = desc->blank;
    args->zero_infinity = desc->zero_infinity;
}

static void nn__op_ctc_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    nn__op_ctc_args(&args->ctc_forward, (const nn_ctc_loss_desc *)node->params, lowering->inputs);
    args->ctc_forward.loss = lowering->output;
    args->ctc_forward.scratch = lowering->scratch;
    args->ctc_forward.status = lowering->status;
    args->ctc_forward.step = (uint32_t)lowering->values->step;
}

/* Each row adds three logarithms for each state. */
static NN__UNUSED double nn__op_ctc_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn_shape *x = &lowering->inputs[0].shape;
    (void)node;
    return 16.0 * (double)x->extent[0] * (double)x->extent[1] *
           (double)(2 * lowering->inputs[1].shape.extent[1] + 1);
}

#ifndef NN_NO_TRAINING
static void nn__op_ctc_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                      nn__args *args) {
    nn__op_ctc_args(&args->ctc_backward, (const nn_ctc_loss_desc *)node->params, lowering->inputs);
    args->ctc_backward.dloss = lowering->inputs[4];
    args->ctc_backward.dlog_probabilities = lowering->output;
    args->ctc_backward.scratch = lowering->scratch;
}

static const nn__rule nn__rule_ctc_backward = {"ctc_loss_backward",
                                               NN_KERNEL_CTC_BACKWARD,
                                               0,
                                               NN_ACTIVATION_NONE,
                                               nn__op_ctc_backward_lower,
                                               nn__gradient_again,
                                               NN__FLOPS(nn__op_ctc_flops),
                                               NULL,
                                               NULL};

static void nn__op_ctc_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *inputs[5];
    if (!nn__wants(x)) return;
    for (int i = 0; i < 4; i++) inputs[i] = node->inputs[i];
    inputs[4] = dy;
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_ctc_backward, x, ".grad", inputs, 5, NN_F32,
                                    x->shape, node->params, sizeof(nn_ctc_loss_desc)));
}
#endif

static const nn__rule nn__rule_ctc = {"ctc_loss",
                                      NN_KERNEL_CTC_FORWARD,
                                      NN__DYNAMIC | NN__STATUS,
                                      NN_ACTIVATION_NONE,
                                      nn__op_ctc_lower,
                                      NN__GRADIENT(nn__op_ctc_gradient),
                                      NN__FLOPS(nn__op_ctc_flops),
                                      nn__op_ctc_infer,
                                      NULL};

/* ---- builder --------------------------------------------------------------------------------- */

NN_API nn_node *nn_ctc_loss_at(nn_site site, nn_model *net, nn_node *log_probabilities,
                               nn_node *targets, nn_node *input_lengths, nn_node *target_lengths,
                               const nn_ctc_loss_desc *desc) {
    static const char *const roles[] = {"log_probabilities", "targets", "input_lengths",
                                        "target_lengths"};
    static const char *const mean_roles[] = {"loss", "target_lengths"};
    const char *name = nn__rule_ctc.name;
    nn_node *inputs[4] = {log_probabilities, targets, input_lengths, target_lengths}, *each[2];
    nn_ctc_loss_desc given;
    memset(&given, 0, sizeof given);
    if (desc) given = *desc;
    each[0] = nn__build(site, net, &nn__rule_ctc, nn__install_ctc, NULL, inputs, roles, 4, &given,
                        sizeof given);
    if (!each[0] || each[0]->poisoned) return each[0];
    if (given.reduction == NN_REDUCTION_DEFAULT || given.reduction == NN_MEAN) {
        each[1] = nn__add_cast(&net->graph, site, NULL, target_lengths, NN_F32);
        each[0] = nn__add_line(&net->graph, site, NULL, name, nn__table_per_label(), each,
                               mean_roles, each[0]->shape, NULL);
    }
    return nn__op_loss_reduce(net, site, name, mean_roles, given.reduction, each[0]);
}

/* ---- immediate ------------------------------------------------------------------------------- */

typedef struct nn__op_ctc_call {
    nn_site site;
    const char *who;
    nn_context *nn;
    nn_device device;
    nn_ctc_args args;
} nn__op_ctc_call;

/* Runs the forward kernel with loss and status word in extra scratch, then reads the status
   word: wrong lengths or targets are an error before anything of the caller's is written.
   args.loss is valid until the scratch is used again. */
static nn_result nn__op_ctc_try(nn__op_ctc_call *call) {
    nn__open_device *on = nn__find_device(call->nn, call->device);
    nn_ctc_args *args = &call->args;
    const nn_kernel kernel = NN_KERNEL_CTC_FORWARD;
    uint32_t word = 0;
    nn_view space;
    args->loss.dtype = NN_F32;
    args->loss.shape = args->input_lengths.shape;
    uint64_t bytes = nn__has_kernel(on->backend, kernel)
                         ? on->backend->scratch_bytes(on->state, kernel, args)
                         : 0;
    bytes = (bytes + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
    nn_result result = nn__immediate_scratch(
        call->nn, call->device, bytes + NN__ALIGNMENT + nn__bytes(&args->loss), call->who, &space);
    if (result != NN_OK) return result;
    args->status.handle = args->loss.handle = space.handle;
    args->status.offset = bytes;
    args->status.dtype = NN_I32;
    args->loss.offset = bytes + NN__ALIGNMENT;
    result = on->backend->fill(on->state, space.handle, bytes, 4, 0);
    if ((int)result < 0)
        return nn__fail_at(call->nn, call->site, result, "%s: %s", call->who,
                           nn_result_text(result));
    result = nn__run_immediate(call->site, call->who, call->nn, call->device, kernel, args,
                               &args->scratch);
    if (result == NN_OK)
        result = nn__download(call->nn, call->device, &args->status, &word, sizeof word, "status",
                              call->site);
    if (result != NN_OK || (word & 7u) == 0) return result;
    return nn__fail_at(call->nn, call->site, NN_ERROR_LABEL,
                       "%s: a target is outside [0, %d) or the blank %d, or a length is beyond %d "
                       "rows or %d targets; nothing was written",
                       call->who, (int)args->log_probabilities.shape.extent[2], (int)args->blank,
                       (int)args->log_probabilities.shape.extent[0],
                       (int)args->targets.shape.extent[1]);
}

/* given: the tensor that the call writes, then the four inputs. */
static nn_result nn__op_ctc_begin(nn__op_ctc_call *call, const nn__given *given, int count,
                                  const nn_ctc_loss_desc *desc) {
    nn_view views[4];
    nn_result result =
        nn__check_given(call->site, call->who, given, count, &call->nn, &call->device);
    if (result == NN_OK)
        result = nn__check_shapes(call->site, call->who, call->nn, &nn__rule_ctc, given + 1, 0, 4,
                                  desc);
    if (result != NN_OK) return result;
    for (int i = 0; i < 4; i++) views[i] = given[i + 1].tensor->view;
    nn__op_ctc_args(&call->args, desc, views);
    nn__install_ctc(call->nn);
    return NN_OK;
}

NN_API nn_result nn_ctc_loss_forward_at(nn_site site, nn_tensor *loss,
                                        const nn_tensor *log_probabilities,
                                        const nn_tensor *targets, const nn_tensor *input_lengths,
                                        const nn_tensor *target_lengths,
                                        const nn_ctc_loss_desc *desc) {
    const nn__given given[] = {{"loss", loss, NN__WRITTEN, NN_F32},
                               {"log_probabilities", log_probabilities, 0, NN_F32},
                               {"targets", targets, 0, NN_I32},
                               {"input_lengths", input_lengths, 0, NN_I32},
                               {"target_lengths", target_lengths, 0, NN_I32}};
    nn__op_ctc_call call;
    memset(&call, 0, sizeof call);
    call.site = site;
    call.who = "nn_ctc_loss_forward";
    nn_result result = nn__op_ctc_begin(&call, given, NN__COUNT(given), desc);
    if (result == NN_OK)
        result = nn__want_shape(call.nn, site, call.who, "loss", input_lengths->view.shape, loss);
    if (result == NN_OK) result = nn__op_ctc_try(&call);
    if (result != NN_OK) return result;
    const nn__open_device *on = nn__find_device(call.nn, call.device);
    result = on->backend->copy(on->state, loss->view.handle, loss->view.offset,
                               call.args.loss.handle, call.args.loss.offset,
                               nn__bytes(&call.args.loss));
    return (int)result < 0
               ? nn__fail_at(call.nn, site, result, "%s: %s", call.who, nn_result_text(result))
               : NN_OK;
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_ctc_loss_backward_at(nn_site site, nn_tensor *dlog_probabilities,
                                         const nn_tensor *dloss,
                                         const nn_tensor *log_probabilities,
                                         const nn_tensor *targets, const nn_tensor *input_lengths,
                                         const nn_tensor *target_lengths,
                                         const nn_ctc_loss_desc *desc) {
    const nn__given given[] = {{"dlog_probabilities", dlog_probabilities, NN__WRITTEN, NN_F32},
                               {"log_probabilities", log_probabilities, 0, NN_F32},
                               {"targets", targets, 0, NN_I32},
                               {"input_lengths", input_lengths, 0, NN_I32},
                               {"target_lengths", target_lengths, 0, NN_I32},
                               {"dloss", dloss, NN__OPTIONAL, NN_F32}};
    nn__op_ctc_call call;
    memset(&call, 0, sizeof call);
    call.site = site;
    call.who = "nn_ctc_loss_backward";
    nn_result result = nn__op_ctc_begin(&call, given, NN__COUNT(given), desc);
    if (result == NN_OK)
        result = nn__want_shape(call.nn, site, call.who, "dlog_probabilities",
                                log_probabilities->view.shape, dlog_probabilities);
    if (result == NN_OK)
        result = nn__want_shape(call.nn, site, call.who, "dloss", input_lengths->view.shape, dloss);
    if (result == NN_OK) result = nn__op_ctc_try(&call);
    if (result != NN_OK) return result;
    memset(&call.args.loss, 0, sizeof call.args.loss);
    memset(&call.args.status, 0, sizeof call.args.status);
    memset(&call.args.scratch, 0, sizeof call.args.scratch);
    call.args.dlog_probabilities = dlog_probabilities->view;
    call.args.dloss = nn__view_of(dloss);
    return nn__run_immediate(site, call.who, call.nn, call.device, NN_KERNEL_CTC_BACKWARD,
                             &call.args, &call.args.scratch);
}
#endif
