/* ops/recurrent_call_private.h - what the immediate calls of lstm, gru and rnn share: forward in
   ops/recurrent_call.c, backward in ops/recurrent_call_backward.c. */
#pragma once

#include "ops/recurrent_private.h"

/* One layer in one direction with checked tensors. */
typedef struct nn__op_recurrent_call {
    nn_site site;
    const char *who;
    nn_recurrent_cell cell;
    const nn_recurrent_tensors *with;
    const nn_tensor *x;
    nn_context *nn;
    nn_device device;
    int32_t N, T, C, H, P, gates;
} nn__op_recurrent_call;

/* The next place in a piece of scratch. */
typedef struct nn__op_recurrent_space {
    void *handle; /* while the bytes are only counted: any */
    uint64_t at;
} nn__op_recurrent_space;

NN_PRIVATE nn__op_recurrent_call nn__op_recurrent_call_of(nn_site site, const char *who,
                                                          nn_recurrent_cell cell,
                                                          const nn_tensor *x,
                                                          const nn_recurrent_tensors *with);
/* An rnn's cell: what the nonlinearity says, whether it exists or not. */
NN_PRIVATE nn_recurrent_cell nn__op_recurrent_rnn(const nn_recurrent_tensors *with);

enum { NN__OP_RECURRENT_READS = 9 };
/* What forward and backward read; returns NN__OP_RECURRENT_READS. */
NN_PRIVATE int nn__op_recurrent_reads(nn__given *given, const nn_tensor *x,
                                      const nn_recurrent_tensors *with);
/* given: what the call writes and reads, as nn__check_given takes it. Checks all but gradients. */
NN_PRIVATE nn_result nn__op_recurrent_begin(nn__op_recurrent_call *call, const nn__given *given,
                                            int count, const nn_recurrent_results *of);
NN_PRIVATE nn_result nn__op_recurrent_want(const nn__op_recurrent_call *call, const char *role,
                                           nn_shape wanted, const nn_tensor *tensor);

NN_PRIVATE nn_shape nn__op_recurrent_shape(int rank, int32_t a, int32_t b, int32_t c);
/* (N, P), of an lstm (N, P + H): the state of a sample and its cells behind it. */
NN_PRIVATE nn_shape nn__op_recurrent_state(const nn__op_recurrent_call *call);
NN_PRIVATE nn_view nn__op_recurrent_room(nn__op_recurrent_space *space, nn_shape shape);
/* (1, N, columns) as (N, columns); what is absent stays so. */
NN_PRIVATE nn_view nn__op_recurrent_rows(nn_view view);
/* The two parts of the reserve, which may be NULL. */
NN_PRIVATE void nn__op_recurrent_parts(const nn__op_recurrent_call *call, const nn_tensor *reserve,
                                       nn_view *kept, nn_view *raw);
/* Columns of one matrix to columns of another, from these on. */
NN_PRIVATE nn_result nn__op_recurrent_copy(const nn__op_recurrent_call *call, const nn_view *y,
                                           int32_t y_column, const nn_view *x, int32_t x_column,
                                           int32_t columns, bool accumulate);
