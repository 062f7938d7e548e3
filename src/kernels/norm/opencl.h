/* kernels/norm/opencl.h - norms by teams of work-items. */
#pragma once

#include "opencl/private.h"

NN__OPENCL_PRIVATE uint64_t nn__opencl_norm_team_scratch(const nn_norm_args *args);
NN__OPENCL_PRIVATE nn_result nn__opencl_norm_team_forward(nn__opencl *device,
                                                          const nn_norm_args *args, int32_t first,
                                                          int32_t count);
NN__OPENCL_PRIVATE uint64_t
nn__opencl_norm_team_backward_scratch(const nn_norm_backward_args *args);
NN__OPENCL_PRIVATE nn_result nn__opencl_norm_team_backward(nn__opencl *device,
                                                           const nn_norm_backward_args *args,
                                                           int32_t first, int32_t count);

/* True if each row is a set. */
static inline NN__OPENCL_UNUSED bool nn__opencl_rows_are(const nn_norm_cut *cut) {
    return !cut->across && cut->inner == 1 && cut->groups == 1;
}
