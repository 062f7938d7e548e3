/* opencl_as_gpu.h: lets the tests run kernels.cl on CPUs too, where a user's program would lend the
   kernels to the CPU backend. With this header nn_opencl_open lends nothing; tests of lending ask
   for it (nn__opencl.lends). Include after nn_opencl.h. */
#ifndef NN_TEST_OPENCL_AS_GPU_H
#define NN_TEST_OPENCL_AS_GPU_H

#ifdef NN_OPENCL_AVAILABLE
static TEST_UNUSED nn_result open_as_gpu(nn_site site, nn_context *nn, const nn_opencl_desc *desc) {
    nn_opencl_desc own;
    memset(&own, 0, sizeof own);
    if (desc) own = *desc;
    own.no_lending = true;
    return nn_opencl_open_at(site, nn, &own);
}
#undef nn_opencl_open
#define nn_opencl_open(...) open_as_gpu(NN_HERE, __VA_ARGS__)
#endif

#endif
