/* opencl/api.c - finds the OpenCL library and its functions, and wraps the system calls for loading
   and sleeping.

   There is no global state: each device has its own table. A loaded library is never unloaded,
   because drivers leave threads and exit handlers that need its code. */
#include "opencl/private.h"

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#elif defined(__unix__) || defined(__APPLE__) || defined(__HAIKU__)
#include <dlfcn.h>
#define NN__OPENCL_API_DLOPEN
#endif

NN__OPENCL_PRIVATE void *nn__opencl_load_library(const char *path) {
#if defined(_WIN32)
    return (void *)LoadLibraryA(path);
#elif defined(NN__OPENCL_API_DLOPEN)
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
#else
    (void)path;
    return NULL;
#endif
}

NN__OPENCL_PRIVATE bool nn__opencl_load_symbol(void *library, const char *name,
                                               void *pointer_to_function) {
#if defined(_WIN32)
    FARPROC symbol = GetProcAddress((HMODULE)library, name);
    memcpy(pointer_to_function, &symbol, sizeof symbol);
    return symbol != NULL;
#elif defined(NN__OPENCL_API_DLOPEN)
    void *symbol = dlsym(library, name);
    /* ISO C forbids casts from data to function pointers */
    memcpy(pointer_to_function, &symbol, sizeof symbol);
    return symbol != NULL;
#else
    (void)library, (void)name, (void)pointer_to_function;
    return false;
#endif
}

#undef NN__OPENCL_API_DLOPEN

/* ---- sleeping -------------------------------------------------------------------------------- */

#if defined(__unix__) || defined(__APPLE__) || defined(__HAIKU__)
#include <time.h>
#endif

#if defined(_WIN32)
NN__OPENCL_PRIVATE bool nn__opencl_sleep(uint32_t microseconds) {
    /* shorter sleeps do not exist; 0 yields to other threads */
    Sleep(microseconds < 100 ? 0 : 1);
    return true;
}
#elif defined(CLOCK_MONOTONIC)
NN__OPENCL_PRIVATE bool nn__opencl_sleep(uint32_t microseconds) {
    struct timespec nap;
    nap.tv_sec = 0;
    nap.tv_nsec = (long)microseconds * 1000;
    nanosleep(&nap, NULL);
    return true;
}
#elif defined(__linux__) && !(defined(__x86_64__) && defined(__ILP32__))
/* -std=c99 hides nanosleep and its struct; see base/clock.c */
typedef struct nn__opencl_api_time {
    long seconds, nanoseconds;
} nn__opencl_api_time;
#ifdef __cplusplus
extern "C"
#endif
    int
    nn__opencl_api_nanosleep(const nn__opencl_api_time *time,
                             nn__opencl_api_time *rest) __asm__("nanosleep");

NN__OPENCL_PRIVATE bool nn__opencl_sleep(uint32_t microseconds) {
    nn__opencl_api_time nap;
    nap.seconds = 0;
    nap.nanoseconds = (long)microseconds * 1000;
    nn__opencl_api_nanosleep(&nap, NULL);
    return true;
}
#else
NN__OPENCL_PRIVATE bool nn__opencl_sleep(uint32_t microseconds) {
    (void)microseconds;
    return false;
}
#endif

/* ---- the table ------------------------------------------------------------------------------- */

#ifdef NN_OPENCL_DYNAMIC

static void *nn__opencl_api_open_library(void) {
    /* Khronos' loader first, then the places of Android's vendors and Apple's
       framework. */
    static const char *const paths[] = {
#if defined(_WIN32)
        "OpenCL.dll",
#elif defined(__APPLE__)
        "/System/Library/Frameworks/OpenCL.framework/OpenCL",
#else
        "libOpenCL.so.1",
        "libOpenCL.so",
#ifdef __ANDROID__
        "/vendor/lib64/libOpenCL.so",
        "/system/vendor/lib64/libOpenCL.so",
        "/system/lib64/libOpenCL.so",
        "/vendor/lib64/egl/libGLES_mali.so",
        "/system/vendor/lib64/libPVROCL.so",
        "/vendor/lib/libOpenCL.so",
        "/system/vendor/lib/libOpenCL.so",
        "/vendor/lib/egl/libGLES_mali.so",
        "/system/vendor/lib/libPVROCL.so",
#endif
#endif
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        void *library = nn__opencl_load_library(paths[i]);
        if (library) return library;
    }
    return NULL;
}

NN__OPENCL_PRIVATE const char *nn__opencl_load_api(nn__opencl_api *cl) {
    void *library = nn__opencl_api_open_library();
    memset(cl, 0, sizeof *cl);
    if (!library)
        return "no OpenCL library was found (libOpenCL.so.1, OpenCL.dll); install a driver or "
               "ocl-icd";
#define NN__X(type, name, arguments)                                                               \
    if (!nn__opencl_load_symbol(library, "cl" #name, &cl->name))                                   \
        return "the OpenCL library is older than 1.2: cl" #name " is missing";
    NN__OPENCL_FUNCTIONS(NN__X)
#undef NN__X
    return NULL;
}

#else

/* If the program included CL/cl.h for a newer version, functions of 1.2 are marked as
   deprecated. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
NN__OPENCL_PRIVATE const char *nn__opencl_load_api(nn__opencl_api *cl) {
#define NN__X(type, name, arguments) cl->name = cl##name;
    NN__OPENCL_FUNCTIONS(NN__X)
#undef NN__X
    return NULL;
}

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
