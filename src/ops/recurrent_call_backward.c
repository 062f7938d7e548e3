/* ops/recurrent_call_backward.c - the gradients of lstm, gru and rnn as immediate calls. The
   kernel computes the gradients of the gates; products with them give those of the weights. */
#include "ops/recurrent_call_private.h"

#ifndef NN_NO_TRAINING
/* A tensor of a call. It has the shape of `like`, if `of` names that. */
typedef struct nn__op_recurrent_row {
    nn__given given;
    const char *of;
    const nn_tensor *like;
} nn__op_recurrent_row;
#define NN__OP_RECURRENT_ROWS 13

/* Checks that a gradient has the shape of its tensor, which must be given. */
static nn_result nn__op_recurrent_want_like(const nn__op_recurrent_call *call,
                                            const nn__op_recurrent_row *row) {
    if (!row->of) return NN_OK;
    if (row->given.tensor && !row->like)
        return nn__fail_at(call->nn, call->site, NN_ERROR_ARGUMENT,
                           "%s: %s is given, but %s is NULL", call->who, row->given.role, row->of);
    return row->like ? nn__op_recurrent_want(call, row->given.role, row->like->view.shape,
                                             row->given.tensor)
                     : NN_OK;
}

static nn_result nn__op_recurrent_backward_check(const nn__op_recurrent_call *call,
                                                 const nn__op_recurrent_row *rows,
                                                 const nn_recurrent_slopes *from) {
    nn_result result = NN_OK;
    for (int i = 0; i < NN__OP_RECURRENT_ROWS && result == NN_OK; i++)
        result = nn__op_recurrent_want_like(call, &rows[i]);
    if (result == NN_OK)
        result = nn__op_recurrent_want(
            call, "dh_n", nn__op_recurrent_shape(3, 1, call->N, call->P), from->dh_n);
    if (result == NN_OK)
        result = nn__op_recurrent_want(
            call, "dc_n", nn__op_recurrent_shape(3, 1, call->N, call->H), from->dc_n);
    if (result != NN_OK) return result;
    if (call->cell != NN_RECURRENT_LSTM && from->dc_n)
        return nn__fail_at(call->nn, call->site, NN_ERROR_ARGUMENT,
                           "%s: dc_n is given, but only an lstm has cells; leave it NULL",
                           call->who);
    if (from->dy || from->dh_n || from->dc_n) return NN_OK;
    return nn__fail_at(call->nn, call->site, NN_ERROR_ARGUMENT,
                       "%s: dy, dh_n and dc_n are NULL; give one of them", call->who);
}

/* Fills in the kernel's args. Everything that is not the caller's is placed in `space`. */
static void nn__op_recurrent_lay_back(const nn__op_recurrent_call *call,
                                      const nn_recurrent_gradients *to,
                                      const nn_recurrent_slopes *from,
                                      const nn_recurrent_results *of,
                                      nn__op_recurrent_space *space,
                                      nn_recurrent_backward_args *args, nn_view *raw) {
    const nn_recurrent_tensors *with = call->with;
    const nn_shape gates = nn__op_recurrent_shape(3, call->N, call->T, call->gates);
    memset(args, 0, sizeof *args);
    args->dhidden = nn__op_recurrent_room(space, gates);
    if (call->cell == NN_RECURRENT_GRU && (to->dx || to->dweight_ih || to->dbias_ih))
        args->dx = nn__op_recurrent_room(space, gates);
    if (to->dweight_hh) args->before = nn__op_recurrent_room(space, of->y->view.shape);
    if (to->dweight_hr) args->dprojected = nn__op_recurrent_room(space, of->y->view.shape);
    if (to->dh_0 || to->dc_0)
        args->dstate0 = nn__op_recurrent_room(space, nn__op_recurrent_state(call));
    if (call->cell != NN_RECURRENT_LSTM)
        args->dstate = nn__op_recurrent_rows(nn__view_of(from->dh_n));
    else if (from->dh_n || from->dc_n)
        args->dstate = nn__op_recurrent_room(space, nn__op_recurrent_state(call));
    nn__op_recurrent_parts(call, of->reserve, &args->kept, raw);
    args->dy = nn__view_of(from->dy);
    args->y = of->y->view;
    args->weight = with->weight_hh->view;
    args->projection = nn__view_of(with->weight_hr);
    args->lengths = nn__view_of(with->lengths);
    args->h0 = nn__op_recurrent_rows(nn__view_of(with->h_0));
    args->c0 = nn__op_recurrent_rows(nn__view_of(with->c_0));
    args->cell = call->cell;
    args->reverse = with->reverse;
}

/* Joins dh_n and dc_n to one matrix for an lstm's kernel, with 0 for the one that is missing. */
static nn_result nn__op_recurrent_join(const nn__op_recurrent_call *call,
                                       const nn_recurrent_slopes *from, const nn_view *dstate) {
    const nn__open_device *on = nn__find_device(call->nn, call->device);
    nn_result result = NN_OK;
    if (!from->dh_n || !from->dc_n)
        result = on->backend->fill(on->state, dstate->handle, dstate->offset, nn__bytes(dstate), 0);
    if ((int)result < 0)
        return nn__fail_at(call->nn, call->site, result, "%s: %s", call->who,
                           nn_result_text(result));
    result = NN_OK;
    for (int i = 0; i < 2 && result == NN_OK; i++) {
        const nn_view one = nn__op_recurrent_rows(nn__view_of(i ? from->dc_n : from->dh_n));
        if (nn__present(&one))
            result = nn__op_recurrent_copy(call, dstate, i ? call->P : 0, &one, 0,
                                           one.shape.extent[1], false);
    }
    return result;
}

/* y (+)= a b, for matrices; nothing if y is NULL. */
static nn_result nn__op_recurrent_product(const nn__op_recurrent_call *call, nn_tensor *y,
                                          const nn_view *a, const nn_view *b, bool transpose_a,
                                          bool accumulate) {
    nn_gemm_args args;
    if (!y) return NN_OK;
    nn__op_product_args(&args, &y->view, a, b, transpose_a, false);
    args.accumulate = accumulate;
    return nn__run_immediate(call->site, call->who, call->nn, call->device, NN_KERNEL_GEMM, &args,
                             &args.scratch);
}

/* y (+)= the sum of all rows; nothing if y is NULL. */
static nn_result nn__op_recurrent_sum(const nn__op_recurrent_call *call, nn_tensor *y,
                                      const nn_view *rows, bool accumulate) {
    nn_reduce_args args;
    if (!y) return NN_OK;
    memset(&args, 0, sizeof args);
    args.x = *rows;
    args.y = y->view;
    args.y.shape = nn__keep_axes(rows->shape, 1u | 2u);
    args.axes = 1u | 2u;
    args.reduction = NN_SUM;
    args.scale = 1.0f;
    args.accumulate = accumulate;
    nn__install_reduce(call->nn);
    return nn__run_immediate(call->site, call->who, call->nn, call->device, NN_KERNEL_REDUCE, &args,
                             &args.scratch);
}

/* Computes all gradients from the results of the kernel. */
static nn_result nn__op_recurrent_give(const nn__op_recurrent_call *call,
                                       const nn_recurrent_gradients *to,
                                       const nn_recurrent_backward_args *args,
                                       const nn_view *raw) {
    const nn_view *input = nn__present(&args->dx) ? &args->dx : &args->dhidden;
    const bool add = to->accumulate;
    nn_result result = nn__op_recurrent_product(call, to->dx, input,
                                                &call->with->weight_ih->view, false, add);
    if (result == NN_OK)
        result =
            nn__op_recurrent_product(call, to->dweight_ih, input, &call->x->view, true, add);
    if (result == NN_OK)
        result = nn__op_recurrent_product(call, to->dweight_hh, &args->dhidden, &args->before, true,
                                          add);
    if (result == NN_OK)
        result =
            nn__op_recurrent_product(call, to->dweight_hr, &args->dprojected, raw, true, add);
    if (result == NN_OK) result = nn__op_recurrent_sum(call, to->dbias_ih, input, add);
    if (result == NN_OK) result = nn__op_recurrent_sum(call, to->dbias_hh, &args->dhidden, add);
    for (int i = 0; i < 2 && result == NN_OK; i++) {
        const nn_view y = nn__op_recurrent_rows(nn__view_of(i ? to->dc_0 : to->dh_0));
        if (nn__present(&y))
            result = nn__op_recurrent_copy(call, &y, 0, &args->dstate0, i ? call->P : 0,
                                           y.shape.extent[1], add);
    }
    return result;
}

static nn_result nn__op_recurrent_run_back(const nn__op_recurrent_call *call,
                                           const nn_recurrent_gradients *to,
                                           const nn_recurrent_slopes *from,
                                           const nn_recurrent_results *of) {
    nn__op_recurrent_space space;
    nn_recurrent_backward_args args;
    nn_view held, raw;
    space.handle = call->x->view.handle; /* only counts bytes */
    space.at = 0;
    nn__op_recurrent_lay_back(call, to, from, of, &space, &args, &raw);
    nn_result result = nn__hold_scratch(call->nn, call->device, space.at, call->who, &held);
    if (result != NN_OK) return result;
    space.handle = held.handle;
    space.at = 0;
    nn__op_recurrent_lay_back(call, to, from, of, &space, &args, &raw);
    if (call->cell == NN_RECURRENT_LSTM && nn__present(&args.dstate))
        result = nn__op_recurrent_join(call, from, &args.dstate);
    if (result == NN_OK)
        result = nn__run_immediate(call->site, call->who, call->nn, call->device,
                                   NN_KERNEL_RECURRENT_BACKWARD, &args, &args.scratch);
    return result == NN_OK ? nn__op_recurrent_give(call, to, &args, &raw) : result;
}

static nn_result nn__op_recurrent_backward(nn_site site, const char *who, nn_recurrent_cell cell,
                                           const nn_recurrent_gradients *to,
                                           const nn_recurrent_slopes *from,
                                           const nn_recurrent_results *of, const nn_tensor *x,
                                           const nn_recurrent_tensors *with) {
    nn__op_recurrent_call call = nn__op_recurrent_call_of(site, who, cell, x, with);
    nn__given given[NN__OP_RECURRENT_ROWS + NN__OP_RECURRENT_READS];
    if (!to || !from || !of || !with)
        return nn__fail_at(x ? x->nn : of && of->y ? of->y->nn : NULL, site, NN_ERROR_ARGUMENT,
                           "%s: %s is NULL; give one", who,
                           !to     ? "to"
                           : !from ? "from"
                           : !of   ? "of"
                                   : "with");
    const int maybe = NN__WRITTEN | NN__OPTIONAL;
    const nn__op_recurrent_row rows[NN__OP_RECURRENT_ROWS] = {
        {{"dx", to->dx, maybe, NN_F32}, "x", x},
        {{"dweight_ih", to->dweight_ih, maybe, NN_F32}, "weight_ih", with->weight_ih},
        {{"dweight_hh", to->dweight_hh, maybe, NN_F32}, "weight_hh", with->weight_hh},
        {{"dbias_ih", to->dbias_ih, maybe, NN_F32}, "bias_ih", with->bias_ih},
        {{"dbias_hh", to->dbias_hh, maybe, NN_F32}, "bias_hh", with->bias_hh},
        {{"dweight_hr", to->dweight_hr, maybe, NN_F32}, "weight_hr", with->weight_hr},
        {{"dh_0", to->dh_0, maybe, NN_F32}, "h_0", with->h_0},
        {{"dc_0", to->dc_0, maybe, NN_F32}, "c_0", with->c_0},
        {{"dy", from->dy, NN__OPTIONAL, NN_F32}, "y", of->y},
        {{"dh_n", from->dh_n, NN__OPTIONAL, NN_F32}, NULL, NULL},
        {{"dc_n", from->dc_n, NN__OPTIONAL, NN_F32}, NULL, NULL},
        {{"y", of->y, 0, NN_F32}, NULL, NULL},
        {{"reserve", of->reserve, NN_RECURRENT_KEPT(cell) ? 0 : NN__OPTIONAL, NN_F32}, NULL, NULL}};
    for (int i = 0; i < NN__OP_RECURRENT_ROWS; i++) given[i] = rows[i].given;
    const int count =
        NN__OP_RECURRENT_ROWS + nn__op_recurrent_reads(given + NN__OP_RECURRENT_ROWS, x, with);
    nn_recurrent_results named = *of;
    named.h_n = NULL; /* not needed here */
    named.c_n = NULL;
    nn_result result = nn__op_recurrent_begin(&call, given, count, &named);
    if (result == NN_OK) result = nn__op_recurrent_backward_check(&call, rows, from);
    return result == NN_OK ? nn__op_recurrent_run_back(&call, to, from, of) : result;
}

#undef NN__OP_RECURRENT_ROWS

NN_API nn_result nn_lstm_backward_at(nn_site site, const nn_recurrent_gradients *to,
                                     const nn_recurrent_slopes *from,
                                     const nn_recurrent_results *of, const nn_tensor *x,
                                     const nn_recurrent_tensors *with) {
    return nn__op_recurrent_backward(site, "nn_lstm_backward", NN_RECURRENT_LSTM, to, from, of, x,
                                     with);
}
NN_API nn_result nn_gru_backward_at(nn_site site, const nn_recurrent_gradients *to,
                                    const nn_recurrent_slopes *from, const nn_recurrent_results *of,
                                    const nn_tensor *x, const nn_recurrent_tensors *with) {
    return nn__op_recurrent_backward(site, "nn_gru_backward", NN_RECURRENT_GRU, to, from, of, x,
                                     with);
}
NN_API nn_result nn_rnn_backward_at(nn_site site, const nn_recurrent_gradients *to,
                                    const nn_recurrent_slopes *from, const nn_recurrent_results *of,
                                    const nn_tensor *x, const nn_recurrent_tensors *with) {
    return nn__op_recurrent_backward(site, "nn_rnn_backward", nn__op_recurrent_rnn(with), to, from,
                                     of, x, with);
}
#endif
