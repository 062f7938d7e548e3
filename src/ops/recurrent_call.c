/* ops/recurrent_call.c - the immediate calls of lstm, gru and rnn: one layer in one direction,
   as the product of the inputs and the kernel that loops over time. */
#include "kernels/install_sequence.h"
#include "ops/index_private.h"
#include "ops/recurrent_call_private.h"

/* ---- check ----------------------------------------------------------------------------------- */

static const nn__rule nn__rule_recurrent_calls[] = {
    NN__COMPOSED_RULE("rnn", nn__op_recurrent_infer),
    NN__COMPOSED_RULE("gru", nn__op_recurrent_infer),
    NN__COMPOSED_RULE("lstm", nn__op_recurrent_infer)};

static const nn__rule *nn__op_recurrent_rule(nn_recurrent_cell cell) {
    return &nn__rule_recurrent_calls[cell == NN_RECURRENT_LSTM ? 2 : cell == NN_RECURRENT_GRU];
}

/* Returns the name of a tensor or field that is given but that this kind of layer does not have;
   NULL: none. */
static const char *nn__op_recurrent_strange(nn_recurrent_cell cell,
                                            const nn_recurrent_tensors *with, const void *c_n,
                                            const void *reserve) {
    if (cell != NN_RECURRENT_LSTM && with->weight_hr) return "weight_hr";
    if (cell != NN_RECURRENT_LSTM && with->c_0) return "c_0";
    if (NN_RECURRENT_GATES(cell) > 1 && with->nonlinearity) return "nonlinearity";
    if (cell != NN_RECURRENT_LSTM && c_n) return "c_n";
    return NN_RECURRENT_KEPT(cell) == 0 && reserve ? "reserve" : NULL;
}

NN_PRIVATE int nn__op_recurrent_reads(nn__given *given, const nn_tensor *x,
                                  const nn_recurrent_tensors *with) {
    const nn__given all[NN__OP_RECURRENT_READS] = {{"x", x, 0, NN_F32},
                                                   {"weight_ih", with->weight_ih, 0, NN_F32},
                                                   {"weight_hh", with->weight_hh, 0, NN_F32},
                                                   {"bias_ih", with->bias_ih, 1, NN_F32},
                                                   {"bias_hh", with->bias_hh, 1, NN_F32},
                                                   {"weight_hr", with->weight_hr, 1, NN_F32},
                                                   {"lengths", with->lengths, 1, NN_I32},
                                                   {"h_0", with->h_0, 1, NN_F32},
                                                   {"c_0", with->c_0, 1, NN_F32}};
    memcpy(given, all, sizeof all);
    return NN__OP_RECURRENT_READS;
}

NN_PRIVATE nn_shape nn__op_recurrent_shape(int rank, int32_t a, int32_t b, int32_t c) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = rank;
    shape.extent[0] = a;
    if (rank > 1) shape.extent[1] = b;
    if (rank > 2) shape.extent[2] = c;
    return shape;
}
/* Returns the shape of the reserve, which backward reads. */
static nn_shape nn__op_recurrent_reserve(const nn__op_recurrent_call *call) {
    nn_shape shape = nn__op_recurrent_shape(
        3, NN_RECURRENT_KEPT(call->cell) + (call->with->weight_hr ? 1 : 0), call->N, call->T);
    shape.rank = 4;
    shape.extent[3] = call->H;
    return shape;
}

/* Finds the extents from x and the weights, then calls the builder's check. */
static nn_result nn__op_recurrent_extents(nn__op_recurrent_call *call) {
    const nn_recurrent_tensors *with = call->with;
    const nn_shape ih = with->weight_ih->view.shape;
    const int32_t kinds = NN_RECURRENT_GATES(call->cell);
    nn__op_recurrent_layers params = nn__op_recurrent_defaults(call->cell);
    nn__given given[4];
    char text[NN__SHAPE_TEXT];
    int count = 0;
    if (ih.rank != 2 || ih.extent[0] % kinds != 0)
        return nn__fail_at(call->nn, call->site, NN_ERROR_SHAPE,
                           "%s: weight_ih has the shape %s; wanted (%d H, C)", call->who,
                           nn__format_shape(ih, text, sizeof text), (int)kinds);
    const nn_shape x = call->x->view.shape;
    if (x.rank == 3 && x.extent[2] != ih.extent[1])
        return nn__fail_at(call->nn, call->site, NN_ERROR_SHAPE,
                           "%s: weight_ih has the shape %s; wanted (%d H, %d): x has %d features",
                           call->who, nn__format_shape(ih, text, sizeof text), (int)kinds,
                           (int)x.extent[2], (int)x.extent[2]);
    call->gates = ih.extent[0];
    call->H = call->P = call->gates / kinds;
    params.missing = false;
    params.input_size = ih.extent[1];
    params.hidden = call->H;
    params.layers = params.directions = 1;
    if (with->nonlinearity) params.nonlinearity = with->nonlinearity;
    if (with->weight_hr && with->weight_hr->view.shape.rank == 2)
        call->P = params.proj = with->weight_hr->view.shape.extent[0];
    for (int i = 0; i < 4; i++) {
        const nn_tensor *const tensors[] = {call->x, with->lengths, with->h_0, with->c_0};
        static const char *const roles[] = {"x", "lengths", "h_0", "c_0"};
        if (!tensors[i]) continue;
        if (i > 0) params.given[i - 1] = true;
        given[count].role = roles[i];
        given[count++].tensor = tensors[i];
    }
    const nn_result result =
        nn__check_shapes(call->site, call->who, call->nn, nn__op_recurrent_rule(call->cell), given,
                         0, count, &params);
    if (result != NN_OK) return result;
    call->N = call->x->view.shape.extent[0];
    call->T = call->x->view.shape.extent[1];
    call->C = call->x->view.shape.extent[2];
    return NN_OK;
}

NN_PRIVATE nn_result nn__op_recurrent_want(const nn__op_recurrent_call *call, const char *role,
                                       nn_shape wanted, const nn_tensor *tensor) {
    return nn__want_shape(call->nn, call->site, call->who, role, wanted, tensor);
}

static nn_result nn__op_recurrent_weights(const nn__op_recurrent_call *call) {
    const nn_recurrent_tensors *with = call->with;
    const nn_shape bias = nn__op_recurrent_shape(1, call->gates, 0, 0);
    nn_result result = nn__op_recurrent_want(
        call, "weight_hh", nn__op_recurrent_shape(2, call->gates, call->P, 0), with->weight_hh);
    if (result == NN_OK) result = nn__op_recurrent_want(call, "bias_ih", bias, with->bias_ih);
    if (result == NN_OK) result = nn__op_recurrent_want(call, "bias_hh", bias, with->bias_hh);
    if (result == NN_OK)
        result = nn__op_recurrent_want(call, "weight_hr",
                                       nn__op_recurrent_shape(2, call->P, call->H, 0),
                                       with->weight_hr);
    return result;
}

NN_PRIVATE nn_result nn__op_recurrent_begin(nn__op_recurrent_call *call, const nn__given *given,
                                        int count, const nn_recurrent_results *of) {
    const char *strange =
        nn__op_recurrent_strange(call->cell, call->with, of->c_n, of->reserve);
    nn_result result =
        nn__check_given(call->site, call->who, given, count, &call->nn, &call->device);
    if (result != NN_OK) return result;
    if (strange)
        return nn__fail_at(call->nn, call->site, NN_ERROR_ARGUMENT,
                           "%s: %s is given, which %s does not have; leave it out", call->who,
                           strange, nn__op_recurrent_rule(call->cell)->name);
    result = nn__op_recurrent_extents(call);
    if (result == NN_OK) result = nn__op_recurrent_weights(call);
    if (result == NN_OK)
        result = nn__op_recurrent_want(
            call, "y", nn__op_recurrent_shape(3, call->N, call->T, call->P), of->y);
    if (result == NN_OK)
        result = nn__op_recurrent_want(call, "h_n",
                                       nn__op_recurrent_shape(3, 1, call->N, call->P), of->h_n);
    if (result == NN_OK)
        result = nn__op_recurrent_want(call, "c_n",
                                       nn__op_recurrent_shape(3, 1, call->N, call->H), of->c_n);
    if (result == NN_OK)
        result =
            nn__op_recurrent_want(call, "reserve", nn__op_recurrent_reserve(call), of->reserve);
    if (result != NN_OK) return result;
    nn__install_recurrent(call->nn);
    nn__install_matmul_general(call->nn);
    nn__install_strided_copy(call->nn);
    if (!call->with->lengths) return NN_OK;
    bool inside;
    result = nn__op_index_inside(call->site, call->who, call->nn, call->device, &call->x->view,
                                 call->T + 1, &call->with->lengths->view, &inside);
    if (result != NN_OK || inside) return result;
    return nn__fail_at(call->nn, call->site, NN_ERROR_LABEL,
                       "%s: a length is outside [0, %d]; nothing was written", call->who,
                       (int)call->T);
}

/* ---- scratch --------------------------------------------------------------------------------- */

NN_PRIVATE nn_view nn__op_recurrent_room(nn__op_recurrent_space *space, nn_shape shape) {
    nn_view view;
    memset(&view, 0, sizeof view);
    view.handle = space->handle;
    view.offset = space->at;
    view.dtype = NN_F32;
    view.shape = shape;
    space->at += (nn__bytes(&view) + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
    return view;
}
NN_PRIVATE nn_view nn__op_recurrent_rows(nn_view view) {
    if (view.shape.rank == 3)
        view.shape = nn__op_recurrent_shape(2, view.shape.extent[1], view.shape.extent[2], 0);
    return view;
}
NN_PRIVATE nn_shape nn__op_recurrent_state(const nn__op_recurrent_call *call) {
    const int32_t cells = call->cell == NN_RECURRENT_LSTM ? call->H : 0;
    return nn__op_recurrent_shape(2, call->N, call->P + cells, 0);
}
NN_PRIVATE void nn__op_recurrent_parts(const nn__op_recurrent_call *call, const nn_tensor *reserve,
                                   nn_view *kept, nn_view *raw) {
    const int32_t K = NN_RECURRENT_KEPT(call->cell);
    memset(kept, 0, sizeof *kept);
    memset(raw, 0, sizeof *raw);
    if (!reserve) return;
    *kept = *raw = reserve->view;
    kept->shape = nn__op_recurrent_shape(3, call->N, call->T, K * call->H);
    raw->shape = nn__op_recurrent_shape(3, call->N, call->T, call->H);
    raw->offset += nn__bytes(kept);
    if (!call->with->weight_hr) memset(raw, 0, sizeof *raw);
}

NN_PRIVATE nn_result nn__op_recurrent_copy(const nn__op_recurrent_call *call, const nn_view *y,
                                       int32_t y_column, const nn_view *x, int32_t x_column,
                                       int32_t columns, bool accumulate) {
    nn_strided_copy_args args;
    nn_copy_piece piece;
    nn__op_copy_args(&args, &piece, y, x);
    piece.extent[NN_COPY_AXES - 1] = columns;
    piece.x_stride[NN_COPY_AXES - 2] = x->shape.extent[1];
    piece.x_first = x_column;
    piece.y_first = y_column;
    args.accumulate = accumulate;
    return nn__run_immediate(call->site, call->who, call->nn, call->device, NN_KERNEL_STRIDED_COPY,
                             &args, NULL);
}

/* ---- forward --------------------------------------------------------------------------------- */

typedef struct nn__op_recurrent_steps {
    nn_gemm_args product;
    nn_recurrent_args args;
} nn__op_recurrent_steps;

/* Fills in the args of both kernels. Results that the caller did not ask for are placed in
   `space`. */
static void nn__op_recurrent_lay(const nn__op_recurrent_call *call, const nn_recurrent_results *to,
                                 nn__op_recurrent_space *space, nn__op_recurrent_steps *steps) {
    const nn_recurrent_tensors *with = call->with;
    nn_recurrent_args *args = &steps->args;
    memset(args, 0, sizeof *args);
    args->x = nn__op_recurrent_room(space,
                                    nn__op_recurrent_shape(3, call->N, call->T, call->gates));
    args->y = to->y->view;
    args->state = call->cell != NN_RECURRENT_LSTM && to->h_n
                      ? nn__op_recurrent_rows(to->h_n->view)
                      : nn__op_recurrent_room(space, nn__op_recurrent_state(call));
    nn__op_recurrent_parts(call, to->reserve, &args->kept, &args->raw);
    args->weight = with->weight_hh->view;
    args->bias = nn__view_of(with->bias_hh);
    args->projection = nn__view_of(with->weight_hr);
    args->lengths = nn__view_of(with->lengths);
    args->h0 = nn__op_recurrent_rows(nn__view_of(with->h_0));
    args->c0 = nn__op_recurrent_rows(nn__view_of(with->c_0));
    args->cell = call->cell;
    args->reverse = with->reverse;
    nn__op_product_args(&steps->product, &args->x, &call->x->view, &with->weight_ih->view, false,
                        true);
    steps->product.epilogue.bias = nn__view_of(with->bias_ih);
}

static nn_result nn__op_recurrent_run(const nn__op_recurrent_call *call,
                                      const nn_recurrent_results *to) {
    static const nn_kernel kernels[] = {NN_KERNEL_GEMM, NN_KERNEL_RECURRENT_FORWARD};
    const nn__open_device *on = nn__find_device(call->nn, call->device);
    nn__op_recurrent_space space;
    nn__op_recurrent_steps steps;
    nn_view scratch;
    uint64_t own = 0; /* scratch of the kernels, which run one after the other */
    space.handle = call->x->view.handle; /* only counts bytes */
    space.at = 0;
    nn__op_recurrent_lay(call, to, &space, &steps);
    for (int i = 0; i < 2; i++) {
        const void *args = i ? (const void *)&steps.args : (const void *)&steps.product;
        uint64_t bytes = nn__has_kernel(on->backend, kernels[i])
                             ? on->backend->scratch_bytes(on->state, kernels[i], args)
                             : 0;
        bytes = (bytes + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
        if (bytes > own) own = bytes;
    }
    nn_result result =
        nn__immediate_scratch(call->nn, call->device, own + space.at, call->who, &scratch);
    if (result != NN_OK) return result;
    space.handle = scratch.handle;
    space.at = own;
    nn__op_recurrent_lay(call, to, &space, &steps);
    result = nn__run_immediate(call->site, call->who, call->nn, call->device, NN_KERNEL_GEMM,
                               &steps.product, &steps.product.scratch);
    if (result == NN_OK)
        result = nn__run_immediate(call->site, call->who, call->nn, call->device,
                                   NN_KERNEL_RECURRENT_FORWARD, &steps.args, &steps.args.scratch);
    if (call->cell != NN_RECURRENT_LSTM) return result;
    if (result == NN_OK && to->h_n) {
        const nn_view h = nn__op_recurrent_rows(to->h_n->view);
        result = nn__op_recurrent_copy(call, &h, 0, &steps.args.state, 0, call->P, false);
    }
    if (result == NN_OK && to->c_n) {
        const nn_view c = nn__op_recurrent_rows(to->c_n->view);
        result = nn__op_recurrent_copy(call, &c, 0, &steps.args.state, call->P, call->H, false);
    }
    return result;
}

NN_PRIVATE nn__op_recurrent_call nn__op_recurrent_call_of(nn_site site, const char *who,
                                                      nn_recurrent_cell cell, const nn_tensor *x,
                                                      const nn_recurrent_tensors *with) {
    nn__op_recurrent_call call;
    memset(&call, 0, sizeof call);
    call.site = site;
    call.who = who;
    call.cell = cell;
    call.x = x;
    call.with = with;
    return call;
}

static nn_result nn__op_recurrent_forward(nn_site site, const char *who, nn_recurrent_cell cell,
                                          const nn_recurrent_results *to, const nn_tensor *x,
                                          const nn_recurrent_tensors *with) {
    nn__op_recurrent_call call = nn__op_recurrent_call_of(site, who, cell, x, with);
    nn__given given[4 + NN__OP_RECURRENT_READS];
    if (!to || !with)
        return nn__fail_at(x ? x->nn : to && to->y ? to->y->nn : NULL, site, NN_ERROR_ARGUMENT,
                           "%s: %s is NULL; give one", who, to ? "with" : "to");
    const int maybe = NN__WRITTEN | NN__OPTIONAL;
    const nn__given written[4] = {{"y", to->y, NN__WRITTEN, NN_F32},
                                  {"h_n", to->h_n, maybe, NN_F32},
                                  {"c_n", to->c_n, maybe, NN_F32},
                                  {"reserve", to->reserve, maybe, NN_F32}};
    memcpy(given, written, sizeof written);
    const int count = 4 + nn__op_recurrent_reads(given + 4, x, with);
    const nn_result result = nn__op_recurrent_begin(&call, given, count, to);
    return result == NN_OK ? nn__op_recurrent_run(&call, to) : result;
}

NN_PRIVATE nn_recurrent_cell nn__op_recurrent_rnn(const nn_recurrent_tensors *with) {
    return with && with->nonlinearity == NN_ACTIVATION_RELU ? NN_RECURRENT_RELU : NN_RECURRENT_TANH;
}

NN_API nn_result nn_lstm_forward_at(nn_site site, const nn_recurrent_results *to,
                                    const nn_tensor *x, const nn_recurrent_tensors *with) {
    return nn__op_recurrent_forward(site, "nn_lstm_forward", NN_RECURRENT_LSTM, to, x, with);
}
NN_API nn_result nn_gru_forward_at(nn_site site, const nn_recurrent_results *to, const nn_tensor *x,
                                   const nn_recurrent_tensors *with) {
    return nn__op_recurrent_forward(site, "nn_gru_forward", NN_RECURRENT_GRU, to, x, with);
}
NN_API nn_result nn_rnn_forward_at(nn_site site, const nn_recurrent_results *to, const nn_tensor *x,
                                   const nn_recurrent_tensors *with) {
    return nn__op_recurrent_forward(site, "nn_rnn_forward", nn__op_recurrent_rnn(with), to, x,
                                    with);
}
