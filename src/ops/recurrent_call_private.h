/* ops/recurrent_call_private.h - shared by the immediate calls of lstm, gru and rnn: forward
   (ops/recurrent_call.c) and backward (ops/recurrent_call_backward.c). */
#pragma once

#include "ops/recurrent_private.h"

/* One layer in one direction, with checked tensors. */
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

/* A cursor into scratch memory. */
typedef struct nn__op_recurrent_space {
    void *handle; /* any value while bytes are only counted */
    uint64_t at;
} nn__op_recurrent_space;

NN_PRIVATE nn__op_recurrent_call nn__op_recurrent_call_of(nn_site site, const char *who,
                                                          nn_recurrent_cell cell,
                                                          const nn_tensor *x,
                                                          const nn_recurrent_tensors *with);
/* Returns the cell of an rnn with this nonlinearity, which is not checked. */
NN_PRIVATE nn_recurrent_cell nn__op_recurrent_rnn(const nn_recurrent_tensors *with);

enum { NN__OP_RECURRENT_READS = 9 };
/* Lists the tensors that forward and backward read; returns NN__OP_RECURRENT_READS. */
NN_PRIVATE int nn__op_recurrent_reads(nn__given *given, const nn_tensor *x,
                                      const nn_recurrent_tensors *with);
/* Checks everything but the gradients. given: what the call writes and reads, as for
   nn__check_given. */
NN_PRIVATE nn_result nn__op_recurrent_begin(nn__op_recurrent_call *call, const nn__given *given,
                                            int count, const nn_recurrent_results *of);
NN_PRIVATE nn_result nn__op_recurrent_want(const nn__op_recurrent_call *call, const char *role,
                                           nn_shape wanted, const nn_tensor *tensor);

NN_PRIVATE nn_shape nn__op_recurrent_shape(int rank, int32_t a, int32_t b, int32_t c);
/* (N, P); for an lstm (N, P + H): the states, followed by the cell states. */
NN_PRIVATE nn_shape nn__op_recurrent_state(const nn__op_recurrent_call *call);
NN_PRIVATE nn_view nn__op_recurrent_room(nn__op_recurrent_space *space, nn_shape shape);
/* Turns views (1, N, columns) into (N, columns). An absent view stays absent. */
NN_PRIVATE nn_view nn__op_recurrent_rows(nn_view view);
/* The two parts of the reserve. reserve may be NULL. */
NN_PRIVATE void nn__op_recurrent_parts(const nn__op_recurrent_call *call, const nn_tensor *reserve,
                                       nn_view *kept, nn_view *raw);
/* Copies `columns` columns of matrix x, from x_column on, to matrix y, from y_column on. */
NN_PRIVATE nn_result nn__op_recurrent_copy(const nn__op_recurrent_call *call, const nn_view *y,
                                           int32_t y_column, const nn_view *x, int32_t x_column,
                                           int32_t columns, bool accumulate);
