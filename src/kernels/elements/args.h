/* kernels/elements/args.h - reads and writes single elements by index along an axis: torch.gather
   and torch.scatter.

   The part has the shape of the index; the whole may be larger along every axis. An element of the
   part belongs to the element of the whole at the same place, except along the axis, where the
   index gives it;
   on the CPU in nn_more.h. */
#pragma once

#include "device/types.h"

/* y[i][j] = x[index[i][j]][j] along axis 0, and so on. Copies bytes of any dtype. An index outside
   of x gives zeros. With a status word it sets the word (NN_FAULT_INDEX) and gives elements with
   all bits set, which are NaN in every floating-point dtype. */
typedef struct nn_gather_elements_args {
    nn_view y;      /* the shape of index, the dtype of x */
    nn_view x;      /* the whole */
    nn_view index;  /* i32, of x's rank */
    nn_view status; /* or absent */
    int32_t axis;
    uint32_t step;  /* for the status word */
} nn_gather_elements_args;

/* How an element of the part changes its place. */
typedef enum nn_combination {
    NN_COMBINE_ADD,
    NN_COMBINE_REPLACE, /* if several have the same place, the last is kept */
    NN_COMBINE_MULTIPLY,
    NN_COMBINE_MAX, /* NaN is larger than every number ... */
    NN_COMBINE_MIN  /* ... and smaller */
} nn_combination;

/* y = base, then y[index[i][j]][j] += x[i][j] along axis 0, and so on, in the order of the part, so
   the bytes do not depend on threads, units or device. `combine` says what stands for +=. An index
   outside of y changes nothing and sets the status word, if there is one. f32. */
typedef struct nn_scatter_elements_args {
    nn_view y;      /* the whole */
    nn_view base;   /* y's shape; may be y's memory; absent: zeros */
    nn_view x;      /* the shape of index; absent: value */
    nn_view index;  /* i32, of y's rank */
    nn_view status; /* or absent */
    int32_t axis;
    uint32_t step;  /* for the status word */
    float value;
    nn_combination combine;
} nn_scatter_elements_args;

/* Views and numbers: see kernels/list.h. */
#define NN_GATHER_ELEMENTS_VIEWS(VIEW, ITEM)                                                       \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, index, 1) VIEW(CHANGED, status, 1)
#define NN_SCATTER_ELEMENTS_VIEWS(VIEW, ITEM)                                                      \
    VIEW(OUT, y, 1) VIEW(IN, base, 1) VIEW(IN, x, 1) VIEW(IN, index, 1) VIEW(CHANGED, status, 1)
#define NN_GATHER_ELEMENTS_NUMBERS(INT, REAL, OTHER) INT(axis) OTHER(step)
#define NN_SCATTER_ELEMENTS_NUMBERS(INT, REAL, OTHER) INT(axis) OTHER(step) REAL(value) INT(combine)
