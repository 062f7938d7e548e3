/* ops/attention_call.c - the immediate calls of attention: forward and backward. */
#include "kernels/install_sequence.h"
#include "ops/attention_private.h"
#include "ops/index_private.h"

typedef struct nn__op_attention_call {
    nn_site site;
    const char *who;
    nn_context *nn;
    nn_device device;
    nn__op_attention params;
    nn_attention_args args;
    nn__given reads[3 + NN__ATTENTION_MASKS];
    int count; /* of reads */
} nn__op_attention_call;

static const nn__rule nn__rule_attention_call =
    NN__COMPOSED_RULE("attention", nn__op_attention_infer);

/* Lists the operands that forward and backward read. */
static void nn__op_attention_reads(nn__op_attention_call *call, const nn_tensor *q,
                                   const nn_tensor *k, const nn_tensor *v,
                                   const nn_attention_masks *masks,
                                   const nn_scaled_dot_product_attention_desc *desc) {
    static const char *const roles[] = {"attn_mask", "lengths", "positions", "starts"};
    const nn__given three[3] = {
        {"q", q, 0, NN_F32}, {"k", k, NN__OR_HALF, NN_F32}, {"v", v, NN__OR_HALF, NN_F32}};
    const nn_tensor *given[NN__ATTENTION_MASKS] = {NULL};
    call->params = nn__op_attention_params(desc);
    memcpy(call->reads, three, sizeof three);
    call->count = 3;
    if (masks) {
        given[NN__ATTENTION_MASK] = masks->attn_mask;
        given[NN__ATTENTION_LENGTHS] = masks->lengths;
        given[NN__ATTENTION_POSITIONS] = masks->positions;
        given[NN__ATTENTION_STARTS] = masks->starts;
    }
    for (int i = 0; i < NN__ATTENTION_MASKS; i++) {
        nn__given *to = &call->reads[call->count];
        call->params.has[i] = given[i] != NULL;
        if (!given[i]) continue;
        to->role = roles[i];
        to->tensor = given[i];
        to->flags = 0;
        to->dtype = i != NN__ATTENTION_MASK           ? NN_I32
                    : given[i]->view.dtype == NN_BOOL ? NN_BOOL
                    : given[i]->view.dtype == NN_U8   ? NN_U8
                                                      : NN_F32;
        call->count++;
    }
}

/* Refuses a desc with nodes or dropout; checks lengths, positions and starts against the number
   of keys. */
static nn_result nn__op_attention_look(nn__op_attention_call *call,
                                       const nn_scaled_dot_product_attention_desc *desc) {
    static const char *const names[] = {"lengths", "positions", "starts"};
    const nn_view *const numbers[] = {&call->args.lengths, &call->args.positions,
                                      &call->args.starts};
    const int32_t S = call->args.k.shape.extent[call->args.heads_inside ? 1 : 2];
    if (desc && (desc->attn_mask || desc->lengths || desc->positions || desc->starts))
        return nn__fail_at(call->nn, call->site, NN_ERROR_ARGUMENT,
                           "%s: desc has nodes for masks; give tensors in an nn_attention_masks",
                           call->who);
    if (desc && desc->dropout_p != 0.0f)
        return nn__fail_at(call->nn, call->site, NN_ERROR_ARGUMENT,
                           "%s: dropout_p is %g; an immediate call has no dropout, leave it 0",
                           call->who, (double)desc->dropout_p);
    for (int i = 0; i < NN__COUNT(numbers); i++) {
        bool inside = true;
        if (!nn__present(numbers[i])) continue;
        nn_result result = nn__op_index_inside(call->site, call->who, call->nn, call->device,
                                               &call->args.k, S + 1, numbers[i], &inside);
        if (result != NN_OK) return result;
        if (!inside)
            return nn__fail_at(call->nn, call->site, NN_ERROR_LABEL,
                               "%s: a number of %s is outside [0, %d]; nothing was written",
                               call->who, names[i], (int)S);
    }
    return NN_OK;
}

/* Checks all operands. first: those that the call writes. */
static nn_result nn__op_attention_start(nn__op_attention_call *call, const nn__given *first,
                                        int first_count,
                                        const nn_scaled_dot_product_attention_desc *desc) {
    nn__given given[7 + 3 + NN__ATTENTION_MASKS];
    nn_view views[3 + NN__ATTENTION_MASKS];
    memcpy(given, first, sizeof *given * (size_t)first_count);
    memcpy(given + first_count, call->reads, sizeof *given * (size_t)call->count);
    nn_result result = nn__check_given(call->site, call->who, given, first_count + call->count,
                                       &call->nn, &call->device);
    if (result == NN_OK)
        result = nn__check_shapes(call->site, call->who, call->nn, &nn__rule_attention_call,
                                  call->reads, 0, call->count, &call->params);
    if (result != NN_OK) return result;
    for (int i = 0; i < call->count; i++) views[i] = call->reads[i].tensor->view;
    nn__op_attention_args(&call->args, &call->params, views);
    nn__install_attention(call->nn);
    return nn__op_attention_look(call, desc);
}

/* Checks the shapes of y (or dy) and of log_sum (N, H, L). */
static nn_result nn__op_attention_results(const nn__op_attention_call *call, const nn_tensor *y,
                                          const char *role, const nn_tensor *log_sum) {
    nn_shape shape = call->args.q.shape, rows = shape;
    shape.extent[3] = call->args.v.shape.extent[3];
    nn_result result = nn__want_shape(call->nn, call->site, call->who, role, shape, y);
    rows.rank = 3;
    rows.extent[3] = 0;
    if (call->args.heads_inside) rows.extent[1] = shape.extent[2], rows.extent[2] = shape.extent[1];
    if (result == NN_OK)
        result = nn__want_shape(call->nn, call->site, call->who, "log_sum", rows, log_sum);
    return result;
}

NN_API nn_result nn_scaled_dot_product_attention_forward_at(
    nn_site site, nn_tensor *y, nn_tensor *log_sum, const nn_tensor *q, const nn_tensor *k,
    const nn_tensor *v, const nn_attention_masks *masks,
    const nn_scaled_dot_product_attention_desc *desc) {
    const nn__given written[] = {{"y", y, NN__WRITTEN, NN_F32},
                                 {"log_sum", log_sum, NN__WRITTEN | NN__OPTIONAL, NN_F32}};
    nn__op_attention_call call;
    memset(&call, 0, sizeof call);
    call.site = site;
    call.who = "nn_scaled_dot_product_attention_forward";
    nn__op_attention_reads(&call, q, k, v, masks, desc);
    nn_result result = nn__op_attention_start(&call, written, NN__COUNT(written), desc);
    if (result == NN_OK) result = nn__op_attention_results(&call, y, "y", log_sum);
    if (result != NN_OK) return result;
    call.args.y = y->view;
    call.args.log_sum = nn__view_of(log_sum);
    return nn__run_immediate(site, call.who, call.nn, call.device, NN_KERNEL_ATTENTION_FORWARD,
                             &call.args, &call.args.scratch);
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_scaled_dot_product_attention_backward_at(
    nn_site site, nn_tensor *dq, nn_tensor *dk, nn_tensor *dv, const nn_tensor *dy,
    const nn_tensor *y, const nn_tensor *log_sum, const nn_tensor *q, const nn_tensor *k,
    const nn_tensor *v, const nn_attention_masks *masks,
    const nn_scaled_dot_product_attention_desc *desc) {
    const int maybe = NN__WRITTEN | NN__OPTIONAL;
    nn_tensor *dmask = masks ? masks->dattn_mask : NULL;
    const nn__given more[] = {{"dq", dq, maybe, NN_F32}, {"dk", dk, maybe, NN_F32},
                              {"dv", dv, maybe, NN_F32}, {"dattn_mask", dmask, maybe, NN_F32},
                              {"dy", dy, 0, NN_F32},     {"y", y, 0, NN_F32},
                              {"log_sum", log_sum, 0, NN_F32}};
    nn__op_attention_call call;
    memset(&call, 0, sizeof call);
    call.site = site;
    call.who = "nn_scaled_dot_product_attention_backward";
    nn__op_attention_reads(&call, q, k, v, masks, desc);
    nn_result result = nn__op_attention_start(&call, more, NN__COUNT(more), desc);
    if (result == NN_OK) result = nn__op_attention_results(&call, y, "y", log_sum);
    if (result == NN_OK) result = nn__op_attention_results(&call, dy, "dy", NULL);
    if (result == NN_OK)
        result = nn__want_shape(call.nn, site, call.who, "dq", call.args.q.shape, dq);
    if (result == NN_OK)
        result = nn__want_shape(call.nn, site, call.who, "dk", call.args.k.shape, dk);
    if (result == NN_OK)
        result = nn__want_shape(call.nn, site, call.who, "dv", call.args.v.shape, dv);
    if (result == NN_OK && dmask && (!masks->attn_mask || masks->attn_mask->view.dtype != NN_F32))
        return nn__fail_at(call.nn, site, NN_ERROR_ARGUMENT,
                           "%s: dattn_mask is given and attn_mask is %s; only one of f32 has a "
                           "gradient",
                           call.who, masks->attn_mask ? "a mask of bytes" : "NULL");
    if (result == NN_OK && dmask)
        result = nn__want_shape(call.nn, site, call.who, "dattn_mask",
                                masks->attn_mask->view.shape, dmask);
    if (result != NN_OK || (!dq && !dk && !dv && !dmask)) return result;
    call.args.dmask = nn__view_of(dmask);
    if (dmask) call.args.dmask.shape = call.args.mask.shape;
    call.args.dq = nn__view_of(dq);
    call.args.dk = nn__view_of(dk);
    call.args.dv = nn__view_of(dv);
    call.args.dy = dy->view;
    call.args.y = y->view;
    call.args.log_sum = log_sum->view;
    return nn__run_immediate(site, call.who, call.nn, call.device, NN_KERNEL_ATTENTION_BACKWARD,
                             &call.args, &call.args.scratch);
}
#endif
