/* kernels.cl - the OpenCL C kernels of nn_opencl.h. Not built yet: there is no kernel here. */
