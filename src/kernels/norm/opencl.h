/* kernels/norm/opencl.h - norms on devices whose work-groups are many work-items: teams of these,
   and fewer launches than pieces and rows apart take. */
#pragma once

#include "opencl/private.h"

/* Does the device take norms by teams? */
static inline NN__OPENCL_UNUSED bool nn__opencl_norm_teams(const nn__opencl *device) {
    return !device->cpu;
}
NN__OPENCL_PRIVATE uint64_t nn__opencl_norm_team_scratch(const nn_norm_args *args);
NN__OPENCL_PRIVATE nn_result nn__opencl_norm_team_forward(nn__opencl *device,
                                                          const nn_norm_args *args, int32_t first,
                                                          int32_t count);
NN__OPENCL_PRIVATE uint64_t
nn__opencl_norm_team_backward_scratch(const nn_norm_backward_args *args);
NN__OPENCL_PRIVATE nn_result nn__opencl_norm_team_backward(nn__opencl *device,
                                                           const nn_norm_backward_args *args,
                                                           int32_t first, int32_t count);
