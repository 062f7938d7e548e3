/* bench/bench_products.c - the products of a linear layer x (m, k), W (n, k): y = x W^T, dx = dy W
   and dW = dy^T x, warm, by us or by another library that is loaded when asked for.
   bench/products.py fetches those libraries, runs all alternately and makes the table.

     bench_products threads                      ours, by the kernel calls of a plan's step
     bench_products threads blas file symbol     cblas_sgemm, by the name that it has in there
     bench_products threads dnnl file            oneDNN's matmul primitive, plain layouts

   Lines "kind m n k seconds" come on stdin, kind 0, 1, 2 for y, dx, dW; for each line the fastest
   and the median microseconds of a call are printed. BENCH_SET: the instruction set of ours, as a
   number of nn_instruction_set. BENCH_CLOCK=cpu: of the process's time, for one thread on a machine
   that others use too. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#ifndef NN_IMPLEMENTED
#define NN_IMPLEMENTATION
#endif
#include "nn.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH_SECONDS 20e-6 /* the least time of calls that are timed together */
#define SAMPLES 20000

/* One product: y (m, n) = a b, as nn_gemm_args has it. */
typedef struct product {
    int m, n, k, transpose_a, transpose_b;
    float *y, *a, *b;
} product;

static clockid_t timer = CLOCK_MONOTONIC;

static double now(void) {
    struct timespec t;
    clock_gettime(timer, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static float *matrix(int rows, int columns, uint32_t seed) {
    const size_t count = (size_t)rows * (size_t)columns;
    float *to = NULL;
    if (posix_memalign((void **)&to, 4096, (count + 16) * sizeof *to)) exit(1);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        to[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
    }
    return to;
}

/* ---- ours -------------------------------------------------------------------------------------- */

static nn_context *nn;
static const nn_backend *backend;
static void *state;
static nn_gemm_args args;
static void *scratch;

static nn_view view(float *data, int rows, int columns) {
    nn_view v;
    memset(&v, 0, sizeof v);
    v.handle = data;
    v.dtype = NN_F32;
    v.shape = NN_SHAPE(rows, columns);
    return v;
}

static void ours_begin(const product *p) {
    backend = nn_device_backend(nn, nn_cpu(), &state);
    memset(&args, 0, sizeof args);
    args.m = p->m, args.n = p->n, args.k = p->k;
    args.transpose_a = p->transpose_a, args.transpose_b = p->transpose_b;
    args.y = view(p->y, p->m, p->n);
    args.a = p->transpose_a ? view(p->a, p->k, p->m) : view(p->a, p->m, p->k);
    args.b = p->transpose_b ? view(p->b, p->n, p->k) : view(p->b, p->k, p->n);
    const uint64_t bytes = backend->scratch_bytes(state, NN_KERNEL_GEMM, &args);
    free(scratch);
    if (posix_memalign(&scratch, 4096, bytes + 64)) exit(1);
    memset(scratch, 0, bytes);
    memset(&args.scratch, 0, sizeof args.scratch);
    if (!bytes) return;
    args.scratch.handle = scratch;
    args.scratch.dtype = NN_U8;
    args.scratch.shape = NN_SHAPE((int32_t)bytes);
}

/* Asks for scratch only once, as a plan does. nn_run_kernel asks at each call. */
static void ours_run(const product *p) {
    const nn_range all = {0, -1};
    (void)p;
    if (backend->kernels[NN_KERNEL_GEMM](state, NN_KERNEL_GEMM, &args, all) != NN_OK) exit(1);
}

/* ---- BLAS -------------------------------------------------------------------------------------- */

static void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int,
                     float, float *, int);

static void blas_begin(const product *p) { (void)p; }
static void blas_run(const product *p) {
    sgemm(101, p->transpose_a ? 112 : 111, p->transpose_b ? 112 : 111, p->m, p->n, p->k, 1.0f, p->a,
          p->transpose_a ? p->m : p->k, p->b, p->transpose_b ? p->k : p->n, 0.0f, p->y, p->n);
}

/* ---- oneDNN, by the functions of its C interface, version 3 ------------------------------------- */

static void *library;
static void *dnnl_engine, *dnnl_stream, *dnnl_primitive;
typedef struct dnnl_arg {
    int arg;
    void *memory;
} dnnl_arg;
static dnnl_arg dnnl_list[3];
static int (*dnnl_execute)(void *, void *, int, const dnnl_arg *);
static int (*dnnl_wait)(void *);

static void load(void *function, const char *name) {
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "%s is not in the library\n", name);
        exit(1);
    }
    memcpy(function, &found, sizeof found);
}

static void *dnnl_describe(int rows, int columns, int transposed) {
    int (*describe)(void **, int, const int64_t *, int, const int64_t *);
    int64_t extent[2], step[2];
    void *desc = NULL;
    load(&describe, "dnnl_memory_desc_create_with_strides");
    extent[0] = rows, extent[1] = columns;
    step[0] = transposed ? 1 : columns, step[1] = transposed ? rows : 1;
    if (describe(&desc, 2, extent, 3 /* f32 */, step)) exit(1);
    return desc;
}

static void dnnl_begin(const product *p) {
    int (*describe)(void **, void *, const void *, const void *, const void *, const void *,
                    const void *);
    int (*make)(void **, const void *);
    int (*remember)(void **, const void *, void *, void *);
    static const int names[3] = {1, 33, 17}; /* source, weights, destination */
    void *desc[3], *primitive_desc = NULL, *data[3];
    desc[0] = dnnl_describe(p->m, p->k, p->transpose_a);
    desc[1] = dnnl_describe(p->k, p->n, p->transpose_b);
    desc[2] = dnnl_describe(p->m, p->n, 0);
    data[0] = p->a, data[1] = p->b, data[2] = p->y;
    load(&describe, "dnnl_matmul_primitive_desc_create");
    load(&make, "dnnl_primitive_create");
    load(&remember, "dnnl_memory_create");
    if (describe(&primitive_desc, dnnl_engine, desc[0], desc[1], NULL, desc[2], NULL) ||
        make(&dnnl_primitive, primitive_desc))
        exit(1);
    for (int i = 0; i < 3; i++) {
        dnnl_list[i].arg = names[i];
        if (remember(&dnnl_list[i].memory, desc[i], dnnl_engine, data[i])) exit(1);
    }
}

static void dnnl_run(const product *p) {
    (void)p;
    dnnl_execute(dnnl_primitive, dnnl_stream, 3, dnnl_list);
    dnnl_wait(dnnl_stream);
}

static void dnnl_open(void) {
    int (*engine)(void **, int, size_t), (*stream)(void **, void *, unsigned);
    load(&engine, "dnnl_engine_create");
    load(&stream, "dnnl_stream_create");
    load(&dnnl_execute, "dnnl_primitive_execute");
    load(&dnnl_wait, "dnnl_stream_wait");
    if (engine(&dnnl_engine, 1 /* the CPU */, 0) || stream(&dnnl_stream, dnnl_engine, 1)) exit(1);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void measure(const product *p, double seconds, void (*begin)(const product *),
                    void (*run)(const product *)) {
    static double took[SAMPLES];
    int count = 0, batch = 1;
    begin(p);
    run(p);
    double start = now(), end;
    run(p);
    const double once = now() - start;
    if (once < BATCH_SECONDS) batch = (int)(BATCH_SECONDS / (once + 1e-9)) + 1;
    end = now() + seconds;
    while (count < 3 || (count < SAMPLES && now() < end)) {
        start = now();
        for (int i = 0; i < batch; i++) run(p);
        took[count++] = (now() - start) / batch;
    }
    qsort(took, (size_t)count, sizeof *took, compare);
    printf("%.3f %.3f\n", took[0] * 1e6, took[count / 2] * 1e6);
    fflush(stdout);
}

int main(int argc, char **argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 1;
    const char *set = getenv("BENCH_SET"), *peer = argc > 3 ? argv[2] : "";
    void (*begin)(const product *) = ours_begin, (*run)(const product *) = ours_run;
    int kind, m, n, k;
    double seconds;
    if (getenv("BENCH_CLOCK")) timer = CLOCK_PROCESS_CPUTIME_ID;
    if (*peer) {
        library = dlopen(argv[3], RTLD_NOW | RTLD_GLOBAL);
        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        const bool blas = strcmp(peer, "blas") == 0;
        if (blas) load(&sgemm, argc > 4 ? argv[4] : "cblas_sgemm");
        else dnnl_open();
        begin = blas ? blas_begin : dnnl_begin;
        run = blas ? blas_run : dnnl_run;
    } else {
        nn_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.threads = threads;
        desc.instructions = (nn_instruction_set)(set ? atoi(set) : 0);
        desc.log.function = nn_write_stderr;
        nn = nn_open(&desc);
        if (!nn) return 1;
        nn_use_all_kernels(nn);
    }
    while (scanf("%d %d %d %d %lf", &kind, &m, &n, &k, &seconds) == 5) {
        product p;
        float *x = matrix(m, k, 1), *w = matrix(n, k, 2), *y = matrix(m, n, 3);
        p.m = kind == 2 ? n : m, p.n = kind == 0 ? n : k, p.k = kind == 0 ? k : kind == 1 ? n : m;
        p.transpose_a = kind == 2, p.transpose_b = kind == 0;
        p.a = kind == 0 ? x : y;
        p.b = kind == 2 ? x : w;
        p.y = kind == 0 ? y : kind == 1 ? x : w;
        measure(&p, seconds, begin, run);
        free(x), free(w), free(y);
    }
    return 0;
}
