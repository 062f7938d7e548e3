/* opencl/lend.h - kernels of CPU devices that the CPU backend runs, on buffers lent to it:
   opencl/lend.c. */
#pragma once

#include "opencl/private.h"

/* Decides device->lends. */
NN__OPENCL_PRIVATE void nn__opencl_lend_open(nn__opencl *device, bool no_lending);
NN__OPENCL_PRIVATE void nn__opencl_lend_close(nn__opencl *device);
/* For a new buffer that may be lent: asks the host for large pages. */
NN__OPENCL_PRIVATE void nn__opencl_lend_advise(nn__opencl *device, cl_mem buffer, size_t bytes);
/* Sets the transfer functions: those of opencl/queue.c, or host copies for lent buffers. */
NN__OPENCL_PRIVATE void nn__opencl_fill_transfers(nn_backend *backend);
/* Returns the CPU backend and its state if it runs this kernel; NULL: the device does. Depends on
   shapes, the device, and measurements of nn_opencl_tune. */
NN__OPENCL_PRIVATE const nn_backend *nn__opencl_lends(nn__opencl *device, nn_kernel kernel,
                                                      const void *args, void **state);
NN__OPENCL_PRIVATE nn_result nn__opencl_lend_prepare(nn__opencl *device, nn_kernel kernel,
                                                     const void *args);
NN__OPENCL_PRIVATE nn_result nn__opencl_lend_run(nn__opencl *device, const nn_backend *cpu,
                                                 void *state, nn_kernel kernel, const void *args,
                                                 nn_range range);
/* Unmaps a buffer before the device uses it, if it is lent. NULL: all of them. */
NN__OPENCL_PRIVATE nn_result nn__opencl_take_back(nn__opencl *device, cl_mem buffer);
/* Forgets a buffer that is released, lent or not. */
NN__OPENCL_PRIVATE void nn__opencl_forget_lent(nn__opencl *device, cl_mem buffer);
