/* device/kinds.h - the kinds of devices. No other file of this room names one. */
#pragma once

/* X(NN_KIND, name, how to open one, why a profile may have no times of it) */
#define NN__NO_TIMES "its backend tells none"
#define NN__NO_BACKEND "no backend for it comes with nn.h; add one with nn_add_backend(nn, ...)"
#define NN__YOUR_BACKEND "add your backend with nn_add_backend(nn, ...)"
#define NN__DEVICE_KINDS(X)                                                                        \
    X(NN_DEVICE_DEFAULT, "default", "use nn_cpu(), nn_opencl(0) or nn_parse_device", NN__NO_TIMES) \
    X(NN_CPU, "cpu", "nn_open opens the one CPU, as cpu", NN__NO_TIMES)                            \
    X(NN_OPENCL, "opencl", "include nn_opencl.h and call nn_opencl_open(nn, ...)",                 \
      "its queue records none: open it with nn_opencl_desc.profile, adopt a queue with "           \
      "CL_QUEUE_PROFILING_ENABLE")                                                                 \
    X(NN_VULKAN, "vulkan", NN__NO_BACKEND, NN__NO_TIMES)                                           \
    X(NN_METAL, "metal", NN__NO_BACKEND, NN__NO_TIMES)                                             \
    X(NN_CUDA, "cuda", NN__NO_BACKEND, NN__NO_TIMES)                                               \
    X(NN_USER_0, "user0", NN__YOUR_BACKEND, NN__NO_TIMES)                                          \
    X(NN_USER_1, "user1", NN__YOUR_BACKEND, NN__NO_TIMES)                                          \
    X(NN_USER_2, "user2", NN__YOUR_BACKEND, NN__NO_TIMES)
