/* opencl/lend.h - kernels of a CPU that the CPU backend does, in buffers that are lent to it:
   opencl/lend.c. */
#pragma once

#include "opencl/private.h"

/* Fills device->lends. */
NN__OPENCL_PRIVATE void nn__opencl_lend_open(nn__opencl *device, bool no_lending);
NN__OPENCL_PRIVATE void nn__opencl_lend_close(nn__opencl *device);
/* A new buffer: asks the host for large pages, where it may be lent. */
NN__OPENCL_PRIVATE void nn__opencl_lend_advise(nn__opencl *device, cl_mem buffer, size_t bytes);
/* The slots that move bytes: those of opencl/queue.c, or the host's for what is lent. */
NN__OPENCL_PRIVATE void nn__opencl_fill_transfers(nn_backend *backend);
/* The CPU backend and its state, if it does this kernel here; NULL: the device does. Depends on
   shapes and device, and on what nn_opencl_tune measured. */
NN__OPENCL_PRIVATE const nn_backend *nn__opencl_lends(nn__opencl *device, nn_kernel kernel,
                                                      const void *args, void **state);
NN__OPENCL_PRIVATE nn_result nn__opencl_lend_prepare(nn__opencl *device, nn_kernel kernel,
                                                     const void *args);
NN__OPENCL_PRIVATE nn_result nn__opencl_lend_run(nn__opencl *device, const nn_backend *cpu,
                                                 void *state, nn_kernel kernel, const void *args,
                                                 nn_range range);
/* Before the device uses a buffer: ends its loan, if it is lent. NULL: all of them. */
NN__OPENCL_PRIVATE nn_result nn__opencl_take_back(nn__opencl *device, cl_mem buffer);
/* It goes, lent or not. */
NN__OPENCL_PRIVATE void nn__opencl_forget_lent(nn__opencl *device, cl_mem buffer);
