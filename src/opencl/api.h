/* opencl/api.h - the OpenCL functions that this backend calls, as one list and one table.

   The code calls device->cl.EnqueueNDRangeKernel(...). opencl/api.c fills the table when a device
   is opened: from the linked library, or (NN_OPENCL_DYNAMIC) from a library loaded at that time. */
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifndef CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#endif
#if defined(__MINGW32__) && defined(__cpuid)
#undef __cpuid /* <cpuid.h> defined it as a macro; headers of CL/cl.h declare a function */
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#ifdef __ALTIVEC__
#pragma push_macro("bool") /* on POWER, CL/cl.h includes <altivec.h>, which defines these */
#pragma push_macro("vector")
#pragma push_macro("pixel")
#endif
#include <CL/cl.h>
#ifdef __ALTIVEC__
#pragma pop_macro("bool")
#pragma pop_macro("vector")
#pragma pop_macro("pixel")
#endif
#endif

/* X(type, name without "cl", arguments) */
#define NN__OPENCL_FUNCTIONS(X)                                                                    \
    X(cl_int, GetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *))                              \
    X(cl_int, GetPlatformInfo, (cl_platform_id, cl_platform_info, size_t, void *, size_t *))       \
    X(cl_int, GetDeviceIDs, (cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *))  \
    X(cl_int, GetDeviceInfo, (cl_device_id, cl_device_info, size_t, void *, size_t *))             \
    X(cl_int, RetainDevice, (cl_device_id))                                                        \
    X(cl_int, ReleaseDevice, (cl_device_id))                                                       \
    X(cl_context, CreateContext,                                                                   \
      (const cl_context_properties *, cl_uint, const cl_device_id *,                               \
       void(CL_CALLBACK *)(const char *, const void *, size_t, void *), void *, cl_int *))         \
    X(cl_int, RetainContext, (cl_context))                                                         \
    X(cl_int, ReleaseContext, (cl_context))                                                        \
    X(cl_int, GetContextInfo, (cl_context, cl_context_info, size_t, void *, size_t *))             \
    X(cl_command_queue, CreateCommandQueue,                                                        \
      (cl_context, cl_device_id, cl_command_queue_properties, cl_int *))                           \
    X(cl_int, RetainCommandQueue, (cl_command_queue))                                              \
    X(cl_int, ReleaseCommandQueue, (cl_command_queue))                                             \
    X(cl_int, GetCommandQueueInfo,                                                                 \
      (cl_command_queue, cl_command_queue_info, size_t, void *, size_t *))                         \
    X(cl_mem, CreateBuffer, (cl_context, cl_mem_flags, size_t, void *, cl_int *))                  \
    X(cl_int, ReleaseMemObject, (cl_mem))                                                          \
    X(cl_int, GetMemObjectInfo, (cl_mem, cl_mem_info, size_t, void *, size_t *))                   \
    X(cl_program, CreateProgramWithSource,                                                         \
      (cl_context, cl_uint, const char **, const size_t *, cl_int *))                              \
    X(cl_program, CreateProgramWithBinary,                                                         \
      (cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **,          \
       cl_int *, cl_int *))                                                                        \
    X(cl_int, BuildProgram,                                                                        \
      (cl_program, cl_uint, const cl_device_id *, const char *,                                    \
       void(CL_CALLBACK *)(cl_program, void *), void *))                                           \
    X(cl_int, ReleaseProgram, (cl_program))                                                        \
    X(cl_int, GetProgramInfo, (cl_program, cl_program_info, size_t, void *, size_t *))             \
    X(cl_int, GetProgramBuildInfo,                                                                 \
      (cl_program, cl_device_id, cl_program_build_info, size_t, void *, size_t *))                 \
    X(cl_kernel, CreateKernel, (cl_program, const char *, cl_int *))                               \
    X(cl_int, ReleaseKernel, (cl_kernel))                                                          \
    X(cl_int, SetKernelArg, (cl_kernel, cl_uint, size_t, const void *))                            \
    X(cl_int, GetKernelWorkGroupInfo,                                                              \
      (cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *))              \
    X(cl_int, WaitForEvents, (cl_uint, const cl_event *))                                          \
    X(cl_int, GetEventInfo, (cl_event, cl_event_info, size_t, void *, size_t *))                   \
    X(cl_int, RetainEvent, (cl_event))                                                             \
    X(cl_int, ReleaseEvent, (cl_event))                                                            \
    X(cl_int, GetEventProfilingInfo, (cl_event, cl_profiling_info, size_t, void *, size_t *))      \
    X(cl_int, Flush, (cl_command_queue))                                                           \
    X(cl_int, Finish, (cl_command_queue))                                                          \
    X(cl_int, EnqueueReadBuffer,                                                                   \
      (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *,       \
       cl_event *))                                                                                \
    X(cl_int, EnqueueWriteBuffer,                                                                  \
      (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *, \
       cl_event *))                                                                                \
    X(cl_int, EnqueueCopyBuffer,                                                                   \
      (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event *,        \
       cl_event *))                                                                                \
    X(cl_int, EnqueueFillBuffer,                                                                   \
      (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, cl_uint, const cl_event *,  \
       cl_event *))                                                                                \
    X(void *, EnqueueMapBuffer,                                                                    \
      (cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint, const cl_event *, \
       cl_event *, cl_int *))                                                                      \
    X(cl_int, EnqueueUnmapMemObject,                                                               \
      (cl_command_queue, cl_mem, void *, cl_uint, const cl_event *, cl_event *))                   \
    X(cl_int, EnqueueNDRangeKernel,                                                                \
      (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,       \
       cl_uint, const cl_event *, cl_event *))                                                     \
    X(cl_int, EnqueueMarkerWithWaitList,                                                           \
      (cl_command_queue, cl_uint, const cl_event *, cl_event *))                                   \
    X(cl_int, EnqueueBarrierWithWaitList, (cl_command_queue, cl_uint, const cl_event *, cl_event *))

typedef struct nn__opencl_api {
#define NN__X(type, name, arguments) type(CL_API_CALL *name) arguments;
    NN__OPENCL_FUNCTIONS(NN__X)
#undef NN__X
} nn__opencl_api;
