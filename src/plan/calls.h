/* plan/calls.h - the kernels that a plan gives to its devices, for authors of backends and for
   tools. */
#pragma once

#include "plan/plan.h"

/* For backends and tools: calls `each` for every kernel that a run gives to a device, in order,
   with an nn_kernel and its arguments (kernels/list.h), which are valid during the call. Batch:
   that of the last run, or before it the largest. In a dry run, views have no memory. Returns the
   number of kernels; each may be NULL, only to count. */
NN_API int32_t nn_plan_calls(nn_plan *plan,
                             void (*each)(void *user, nn_device device, int kernel,
                                          const void *args),
                             void *user);
