/* opencl/blas.c - uses CLBlast, where installed, for large products on devices that are not CPUs.
   It is optional. Small and narrow products use the faster kernels of kernels/matmul/opencl.c.

   THE ONE EXCEPTION to "no globals": CLBlast has process-wide programs and a database, and filling
   them is not thread-safe. So all contexts of the process share one lock here, and a count of
   users. The last user clears CLBlast's cache. */
#include "opencl/private.h"

#ifdef NN_OPENCL_CLBLAST
#include <clblast_c.h>
#endif
#if defined(_MSC_VER)
#include <intrin.h>
#pragma intrinsic(_InterlockedExchange)
#elif defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#define NN__OPENCL_BLAS_SCHED
#endif

/* The lock and the count are the only mutable globals of this library. */
static struct {
    long locked;
    int users;
} nn__opencl_blas_shared = {0, 0};

static bool nn__opencl_blas_try_lock(void) {
#if defined(_MSC_VER)
    return _InterlockedExchange(&nn__opencl_blas_shared.locked, 1) == 0;
#elif defined(__GNUC__)
    return __atomic_exchange_n(&nn__opencl_blas_shared.locked, 1, __ATOMIC_ACQUIRE) == 0;
#else
    nn__opencl_blas_shared.locked =
        1; /* without atomics the user must call from one thread at a time */
    return true;
#endif
}

static void nn__opencl_blas_lock(void) {
    while (!nn__opencl_blas_try_lock()) {
#ifdef NN__OPENCL_BLAS_SCHED
        sched_yield();
#endif
    }
}

static void nn__opencl_blas_unlock(void) {
#if defined(_MSC_VER)
    _InterlockedExchange(&nn__opencl_blas_shared.locked, 0);
#elif defined(__GNUC__)
    __atomic_store_n(&nn__opencl_blas_shared.locked, 0, __ATOMIC_RELEASE);
#else
    nn__opencl_blas_shared.locked = 0;
#endif
}

#undef NN__OPENCL_BLAS_SCHED

/* CLBlast's enum values, for a library that is loaded without its header. */
enum { NN__OPENCL_BLAS_ROWS = 101, NN__OPENCL_BLAS_PLAIN = 111, NN__OPENCL_BLAS_TRANSPOSED = 112 };

#ifdef NN_OPENCL_CLBLAST
typedef CLBlastLayout nn__opencl_blas_layout;
typedef CLBlastTranspose nn__opencl_blas_transpose;
typedef CLBlastStatusCode nn__opencl_blas_status;
#else
typedef int nn__opencl_blas_layout;
typedef int nn__opencl_blas_transpose;
typedef int nn__opencl_blas_status;
#endif

typedef nn__opencl_blas_status (*nn__opencl_blas_sgemm)(
    nn__opencl_blas_layout, nn__opencl_blas_transpose, nn__opencl_blas_transpose, size_t m,
    size_t n, size_t k, float alpha, cl_mem a, size_t a_offset, size_t a_row, cl_mem b,
    size_t b_offset, size_t b_row, float beta, cl_mem c, size_t c_offset, size_t c_row,
    cl_command_queue *, cl_event *, cl_mem temporary);
typedef nn__opencl_blas_status (*nn__opencl_blas_temporary_size)(
    nn__opencl_blas_layout, nn__opencl_blas_transpose, nn__opencl_blas_transpose, size_t m,
    size_t n, size_t k, size_t a_offset, size_t a_row, size_t b_offset, size_t b_row,
    size_t c_offset, size_t c_row, cl_command_queue *, size_t *);
typedef nn__opencl_blas_status (*nn__opencl_blas_clear)(void);

typedef struct nn__opencl_blas {
    nn__opencl_blas_sgemm sgemm;
    nn__opencl_blas_temporary_size temporary_size;
    nn__opencl_blas_clear clear;
    /* our own buffer, made in prepare: CLBlast accepts a whole buffer only, without an offset */
    cl_mem temporary;
    size_t temporary_bytes;
    bool warm; /* CLBlast has compiled its programs for this device */
} nn__opencl_blas;

#ifdef NN_OPENCL_CLBLAST
static bool nn__opencl_blas_find(nn__opencl_blas *blas) {
    blas->sgemm = CLBlastSgemmWithTempBuffer;
    blas->temporary_size = CLBlastSGemmTempBufferSize;
    blas->clear = CLBlastClearCache;
    return true;
}
#else
/* Finds all three functions or none: versions before 1.5 have no temporary buffer. */
static bool nn__opencl_blas_find(nn__opencl_blas *blas) {
#if defined(_WIN32)
    void *library = nn__opencl_load_library("clblast.dll");
#elif defined(__APPLE__)
    void *library = nn__opencl_load_library("libclblast.1.dylib");
#else
    void *library = nn__opencl_load_library("libclblast.so.1");
#endif
    return library && nn__opencl_load_symbol(library, "CLBlastSgemmWithTempBuffer", &blas->sgemm) &&
           nn__opencl_load_symbol(library, "CLBlastSGemmTempBufferSize", &blas->temporary_size) &&
           nn__opencl_load_symbol(library, "CLBlastClearCache", &blas->clear);
}
#endif

NN__OPENCL_PRIVATE void nn__opencl_blas_open(nn__opencl *device) {
    nn__opencl_blas *blas;
    bool found;
    /* our kernel is 10 times faster on CPUs */
    if (device->cpu || device->spread || device->blas) return;
    blas = (nn__opencl_blas *)nn_take_memory(device->nn, sizeof *blas);
    if (!blas) return;
    nn__opencl_blas_lock();
    found = nn__opencl_blas_find(blas);
    if (found) nn__opencl_blas_shared.users++;
    nn__opencl_blas_unlock();
    if (found)
        device->blas = blas;
    else
        nn_give_memory(device->nn, blas, sizeof *blas);
    device->clblast = found;
}

NN__OPENCL_PRIVATE void nn__opencl_blas_close(nn__opencl *device) {
    nn__opencl_blas *blas = (nn__opencl_blas *)device->blas;
    if (!blas) return;
    if (blas->temporary) device->cl.ReleaseMemObject(blas->temporary);
    nn__opencl_blas_lock();
    if (--nn__opencl_blas_shared.users == 0) blas->clear();
    nn__opencl_blas_unlock();
    nn_give_memory(device->nn, blas, sizeof *blas);
    device->blas = NULL;
    device->clblast = false;
}

static size_t nn__opencl_blas_row(bool transposed, int32_t rows, int32_t columns) {
    return (size_t)(transposed ? rows : columns);
}

/* Returns the worst-case size of the temporary buffer in bytes: for odd offsets CLBlast copies
   operands. SIZE_MAX: CLBlast refuses. */
static size_t nn__opencl_blas_needs(nn__opencl *device, const nn_gemm_args *args) {
    nn__opencl_blas *blas = (nn__opencl_blas *)device->blas;
    size_t bytes = 0;
    nn__opencl_blas_status status;
    nn__opencl_blas_lock();
    status = blas->temporary_size(
        (nn__opencl_blas_layout)NN__OPENCL_BLAS_ROWS,
        (nn__opencl_blas_transpose)(args->transpose_a ? NN__OPENCL_BLAS_TRANSPOSED
                                                      : NN__OPENCL_BLAS_PLAIN),
        (nn__opencl_blas_transpose)(args->transpose_b ? NN__OPENCL_BLAS_TRANSPOSED
                                                      : NN__OPENCL_BLAS_PLAIN),
        (size_t)args->m, (size_t)args->n, (size_t)args->k, 1,
        nn__opencl_blas_row(args->transpose_a, args->m, args->k), 1,
        nn__opencl_blas_row(args->transpose_b, args->k, args->n), 1, (size_t)args->n,
        &device->compute, &bytes);
    nn__opencl_blas_unlock();
    return (int)status == 0 ? bytes : SIZE_MAX;
}

NN__OPENCL_PRIVATE bool nn__opencl_blas_takes(nn__opencl *device, const nn_gemm_args *args,
                                              uint64_t *scratch_bytes) {
    const int64_t work = (int64_t)args->m * args->n * args->k;
    *scratch_bytes = 0; /* see nn__opencl_blas.temporary */
    if (!device->blas || args->m < 128 || args->n < 128 || args->k < 64 ||
        work < ((int64_t)1 << 25))
        return false;
    return nn__opencl_blas_needs(device, args) != SIZE_MAX;
}

static nn_result nn__opencl_blas_grow(nn__opencl *device, size_t bytes) {
    nn__opencl_blas *blas = (nn__opencl_blas *)device->blas;
    cl_int status = CL_SUCCESS;
    cl_mem buffer;
    if (bytes <= blas->temporary_bytes) return NN_OK;
    buffer = device->cl.CreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clCreateBuffer(for CLBlast)", status);
    /* enqueued work keeps the old buffer alive */
    if (blas->temporary) device->cl.ReleaseMemObject(blas->temporary);
    blas->temporary = buffer;
    blas->temporary_bytes = bytes;
    return NN_OK;
}

/* Calls CLBlast. shared: the indices of the operands' buffers that the copy queue uses, too. */
static nn_result nn__opencl_blas_call(nn__opencl *device, const nn_gemm_args *args,
                                      const int *shared, int count) {
    nn__opencl_blas *blas = (nn__opencl_blas *)device->blas;
    cl_event waits[8], done = NULL;
    cl_uint wait_count = nn__opencl_before_use(device, shared, count, waits);
    nn__opencl_blas_status result;
    cl_int status = CL_SUCCESS;
    if (wait_count)
        status = device->cl.EnqueueBarrierWithWaitList(device->compute, wait_count, waits, NULL);
    if (status != CL_SUCCESS)
        return nn__opencl_fail(device, "clEnqueueBarrierWithWaitList", status);
    nn__opencl_blas_lock();
    result = blas->sgemm((nn__opencl_blas_layout)NN__OPENCL_BLAS_ROWS,
                         (nn__opencl_blas_transpose)(args->transpose_a ? NN__OPENCL_BLAS_TRANSPOSED
                                                                       : NN__OPENCL_BLAS_PLAIN),
                         (nn__opencl_blas_transpose)(args->transpose_b ? NN__OPENCL_BLAS_TRANSPOSED
                                                                       : NN__OPENCL_BLAS_PLAIN),
                         (size_t)args->m, (size_t)args->n, (size_t)args->k, 1.0f,
                         (cl_mem)args->a.handle, (size_t)(args->a.offset / sizeof(float)),
                         nn__opencl_blas_row(args->transpose_a, args->m, args->k),
                         (cl_mem)args->b.handle, (size_t)(args->b.offset / sizeof(float)),
                         nn__opencl_blas_row(args->transpose_b, args->k, args->n),
                         args->accumulate ? 1.0f : 0.0f, (cl_mem)args->y.handle,
                         (size_t)(args->y.offset / sizeof(float)), (size_t)args->n,
                         &device->compute, device->recording ? &done : NULL, blas->temporary);
    nn__opencl_blas_unlock();
    if ((int)result != 0)
        return nn__opencl_fail(device, "CLBlastSgemmWithTempBuffer", (cl_int)(int)result);
    nn__opencl_record(device, done);
    if (done) device->cl.ReleaseEvent(done);
    if (count == 0) return NN_OK;
    done = NULL;
    status = device->cl.EnqueueMarkerWithWaitList(device->compute, 0, NULL, &done);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clEnqueueMarkerWithWaitList", status);
    nn__opencl_after_use(device, shared, count, done);
    return NN_OK;
}

/* CLBlast compiles all programs of sgemm during its first product. To spare the runs this delay,
   prepare computes a product of 1 x 1 in the temporary buffer. */
static nn_result nn__opencl_blas_warm(nn__opencl *device) {
    nn__opencl_blas *blas = (nn__opencl_blas *)device->blas;
    nn_gemm_args args;
    nn_result result;
    if (blas->warm) return NN_OK;
    result = nn__opencl_blas_grow(device, 64);
    if (result != NN_OK) return result;
    memset(&args, 0, sizeof args);
    args.m = args.n = args.k = 1;
    args.a.handle = args.b.handle = args.y.handle = (void *)blas->temporary;
    args.b.offset = sizeof(float);
    args.y.offset = 2 * sizeof(float);
    result = nn__opencl_blas_call(device, &args, NULL, 0);
    blas->warm = result == NN_OK;
    return result;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_blas_gemm(nn__opencl *device, const nn_gemm_args *args) {
    int shared[3], count = 0;
    void *handles[3];
    size_t bytes;
    nn_result result;
    if (device->ahead) return NN_OK;
    bytes = nn__opencl_blas_needs(device, args);
    result = bytes == SIZE_MAX ? NN_ERROR_BACKEND : nn__opencl_blas_grow(device, bytes);
    if (result == NN_OK && device->dry) return nn__opencl_blas_warm(device);
    if (result != NN_OK) return result;
    device->repeat = NULL; /* launches of CLBlast cannot be recorded */
    handles[0] = args->a.handle;
    handles[1] = args->b.handle;
    handles[2] = args->y.handle;
    for (int i = 0; i < 3 && device->shared_count > 0; i++) {
        int index = nn__opencl_find_shared(device, (cl_mem)handles[i]);
        if (index >= 0) shared[count++] = index;
    }
    return nn__opencl_blas_call(device, args, shared, count);
}
