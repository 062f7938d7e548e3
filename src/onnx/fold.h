/* onnx/fold.h - what the files fold_*.c share: known numbers one by one, with their free extents.

   A fold function returns false, having given nothing, if it cannot compute the node: an operand is
   not known, the result has too many numbers, or free extents are mixed in a way that no single
   c * batch^b * time^t expresses. Then the node is described, or refused by its mapping. */
#pragma once

#include "onnx/mapping.h"

/* A number of a known value. Integers and bool use whole, all else real. */
typedef struct nn__onnx_number {
    double real;
    int64_t whole;
    uint8_t powers;
} nn__onnx_number;

/* A result that is being computed. */
typedef struct nn__onnx_made {
    nn__onnx_node *n;
    nn__onnx_tensor *tensor;
    unsigned char *data;
    uint8_t *powers; /* NULL while there are none */
    bool good;       /* false: no memory */
} nn__onnx_made;

/* True if every operand that is there is known and consists of numbers. */
NN__ONNX_PRIVATE bool nn__onnx_all_known(const nn__onnx_node *n);
/* True for dtypes that are computed as int64. */
static inline bool nn__onnx_counts(nn__onnx_type type) {
    return nn__onnx_is_whole(type) || type == NN__ONNX_BOOL;
}
NN__ONNX_PRIVATE nn__onnx_number nn__onnx_get(const nn__onnx_tensor *tensor, uint64_t i);
/* Begins a result. False: too many numbers, or an unsupported dtype. */
NN__ONNX_PRIVATE bool nn__onnx_make_result(nn__onnx_node *n, nn__onnx_made *made,
                                           nn__onnx_type type, int32_t rank, const int64_t *extents,
                                           bool uniform);
/* Sets number i. */
NN__ONNX_PRIVATE void nn__onnx_put(nn__onnx_made *made, uint64_t i, const nn__onnx_number *number);
/* Gives the result under its own name, or that of `like`, whose numbers it holds in another form.
   Returns true, or false without memory. */
NN__ONNX_PRIVATE bool nn__onnx_give_made(nn__onnx_made *made, int k, const nn__onnx_tensor *like);

/* Walks over all elements of a shape in order, with an offset into each operand. */
typedef struct nn__onnx_steps {
    int32_t rank, count; /* of axes and operands */
    int64_t extent[NN__ONNX_RANK], at[NN__ONNX_RANK];
    int64_t stride[3][NN__ONNX_RANK];
    int64_t offset[3];
} nn__onnx_steps;
/* Computes the shape that count <= 3 operands are broadcast to. False: they do not fit. */
NN__ONNX_PRIVATE bool nn__onnx_broadcast(nn__onnx_steps *steps, const nn__onnx_tensor *const *x,
                                         int count);
NN__ONNX_PRIVATE void nn__onnx_step(nn__onnx_steps *steps);

/* Do arithmetic with two numbers of one dtype; false: not supported. */
NN__ONNX_PRIVATE bool nn__onnx_multiply(nn__onnx_type type, nn__onnx_number a, nn__onnx_number b,
                                        nn__onnx_number *to);
NN__ONNX_PRIVATE bool nn__onnx_plus(nn__onnx_type type, nn__onnx_number a, nn__onnx_number b,
                                    nn__onnx_number *to);
/* Writes -1, 0 or 1: a < b, a == b, a > b, whatever batch and time are. 2: one is NaN. False: it
   depends on them. */
NN__ONNX_PRIVATE bool nn__onnx_compare(nn__onnx_type type, nn__onnx_number a, nn__onnx_number b,
                                       int *order);
