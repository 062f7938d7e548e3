/* kernels/reduce/opencl.h - how reductions over axes are cut into pieces on an OpenCL device:
   shared by the sums, means and maxima of opencl.c and the other reductions of opencl_fold.c. */
#pragma once

#include "opencl/private.h"

typedef struct nn__opencl_axes {
    int rank; /* innermost first */
    uint64_t extent[NN_MAX_RANK], step[NN_MAX_RANK];
} nn__opencl_axes;

typedef struct nn__opencl_reduction {
    nn__opencl_axes kept, reduced; /* without the innermost axis */
    bool across;
    int64_t row, kept_rows, reduced_rows; /* row: extent of the innermost axis */
    int64_t width, row_pieces;            /* parts of a row: pieces along, blocks across */
    int64_t piece_rows, pieces;
} nn__opencl_reduction;

NN__OPENCL_PRIVATE nn__opencl_reduction nn__opencl_reduce_plan(const nn_reduce_args *args);
/* Returns the tasks of a launch, one per work-item or work-group: pieces times results. */
NN__OPENCL_PRIVATE int64_t nn__opencl_reduce_tasks(const nn__opencl_reduction *r);
NN__OPENCL_PRIVATE int64_t nn__opencl_reduce_unit(const nn__opencl_reduction *r);
NN__OPENCL_PRIVATE int32_t nn__opencl_reduce_phase_units(const nn__opencl_reduction *r);
/* Passes the arguments that describe how the axes are cut, in the order of all kernels. */
NN__OPENCL_PRIVATE void nn__opencl_reduce_cuts(nn__opencl_launch *launch,
                                               const nn__opencl_reduction *r);

static inline NN__OPENCL_UNUSED int64_t nn__opencl_reduce_results(const nn__opencl_reduction *r) {
    return r->kept_rows * (r->across ? r->row : 1);
}
