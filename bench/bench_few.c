/* bench/bench_few.c - what one picture and one token cost on a GPU of 132 compute units before any
   kernel runs: launches, arguments set, work-groups, and the host's time.

     bench_few [resnet18|f32|bf16|i8 [runs [list]]]
   Default: all nets, 300 runs. list: also prints the kernel and the work-groups of each launch.

   An OpenCL device is needed only to build the kernels. Its calls are replaced by calls that do
   nothing, so no kernel runs (as in bench_host.c).
   resnet18: one picture of 3 x 224 x 224.
   f32, bf16, i8: one token of GPT-2 124M (bench_decode.c) at position 1,000 of its cache, with
   weights of this dtype.

   Each row has the numbers of one run: launches, launches with fewer work-groups than compute
   units, arguments set, commands besides launches, processor time in microseconds (the least of 5),
   and the megabytes of weights, keys and values that must be read. */
#define _POSIX_C_SOURCE 200809L
#ifndef NN_OPENCL_DYNAMIC
#define NN_OPENCL_DYNAMIC
#endif
#ifndef NN_IMPLEMENTED
#define NN_IMPLEMENTATION
#endif
#include "nn.h"
#include "nn_quantize.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#ifdef NN_TEST_LINKED
#include "inside.h"
#endif
#ifndef NN_IMPLEMENTED
#define NN_IMPLEMENTED
#endif
#define main decode_main
#include "bench_decode.c"
#undef main
#undef NN_IMPLEMENTATION
#define main resnet_main
#define norm resnet_norm
#include "../examples/15_resnet.c"
#undef main
#undef norm

enum { UNITS = 132, LAUNCHES = 1000, KERNELS = 2000, TIMES = 5 };

/* ---- a driver that counts -------------------------------------------------------------------- */

static struct {
    cl_kernel kernel;
    char entry[64];
} kernels[KERNELS];
static int kernel_count;
static struct {
    cl_kernel kernel;
    size_t groups[3], items;
} listed[LAUNCHES];
static long launches, few, arguments, others;
static bool noting;
static int an_event; /* stands for every event; it is complete */
static cl_kernel(CL_API_CALL *create_kernel)(cl_program, const char *, cl_int *);

static cl_kernel CL_API_CALL named_kernel(cl_program program, const char *entry, cl_int *status) {
    cl_kernel kernel = create_kernel(program, entry, status);
    if (kernel_count < KERNELS) {
        kernels[kernel_count].kernel = kernel;
        snprintf(kernels[kernel_count++].entry, sizeof kernels[0].entry, "%s", entry);
    }
    return kernel;
}

static const char *name_of(cl_kernel kernel) {
    for (int i = 0; i < kernel_count; i++)
        if (kernels[i].kernel == kernel) return kernels[i].entry;
    return "?";
}

static cl_int give(cl_event *event) {
    if (event) *event = (cl_event)&an_event;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL null_launch(cl_command_queue queue, cl_kernel kernel, cl_uint extents,
                                      const size_t *offset, const size_t *global,
                                      const size_t *local, cl_uint count, const cl_event *waits,
                                      cl_event *event) {
    size_t all = 1, groups[3] = {1, 1, 1}, items = 1;
    (void)queue, (void)offset, (void)count, (void)waits;
    for (cl_uint i = 0; i < extents; i++) {
        groups[i] = global[i] / local[i];
        all *= groups[i];
        items *= local[i];
    }
    if (noting && launches < LAUNCHES) {
        listed[launches].kernel = kernel;
        memcpy(listed[launches].groups, groups, sizeof groups);
        listed[launches].items = items;
    }
    launches++;
    few += all < UNITS;
    return give(event);
}
static cl_int CL_API_CALL null_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    size_t offset, size_t bytes, void *to, cl_uint count,
                                    const cl_event *waits, cl_event *event) {
    (void)queue, (void)buffer, (void)blocking, (void)offset, (void)count, (void)waits;
    memset(to, 0, bytes);
    others++;
    return give(event);
}
static cl_int CL_API_CALL null_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                     size_t offset, size_t bytes, const void *from, cl_uint count,
                                     const cl_event *waits, cl_event *event) {
    (void)queue, (void)buffer, (void)blocking, (void)offset, (void)bytes, (void)from;
    (void)count, (void)waits;
    others++;
    return give(event);
}
static cl_int CL_API_CALL null_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t at,
                                    size_t where, size_t bytes, cl_uint count,
                                    const cl_event *waits, cl_event *event) {
    (void)queue, (void)from, (void)to, (void)at, (void)where, (void)bytes, (void)count, (void)waits;
    others++;
    return give(event);
}
static cl_int CL_API_CALL null_fill(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                    size_t size, size_t offset, size_t bytes, cl_uint count,
                                    const cl_event *waits, cl_event *event) {
    (void)queue, (void)buffer, (void)pattern, (void)size, (void)offset, (void)bytes, (void)count;
    (void)waits;
    others++;
    return give(event);
}
static cl_int CL_API_CALL null_marker(cl_command_queue queue, cl_uint count, const cl_event *waits,
                                      cl_event *event) {
    (void)queue, (void)count, (void)waits;
    return give(event);
}
static cl_int CL_API_CALL null_argument(cl_kernel kernel, cl_uint index, size_t bytes,
                                        const void *value) {
    (void)kernel, (void)index, (void)bytes, (void)value;
    arguments++;
    return CL_SUCCESS;
}
static cl_int CL_API_CALL null_event_info(cl_event event, cl_event_info what, size_t bytes,
                                          void *value, size_t *needed) {
    const cl_int done = CL_COMPLETE;
    (void)event, (void)what, (void)needed;
    if (value && bytes >= sizeof done) memcpy(value, &done, sizeof done);
    return CL_SUCCESS;
}
static cl_int CL_API_CALL null_event(cl_event event) {
    (void)event;
    return CL_SUCCESS;
}
static cl_int CL_API_CALL null_wait(cl_uint count, const cl_event *events) {
    (void)count, (void)events;
    return CL_SUCCESS;
}
static cl_int CL_API_CALL null_queue(cl_command_queue queue) {
    (void)queue;
    return CL_SUCCESS;
}

static void replace(nn__opencl *device) {
    nn__opencl_finish(device);
    nn__opencl_forget_shared(device, NULL);
    for (int i = 0; i < NN__OPENCL_FENCES; i++)
        if (device->events[i]) device->cl.ReleaseEvent(device->events[i]), device->events[i] = NULL;
    device->cl.EnqueueNDRangeKernel = null_launch;
    device->cl.EnqueueReadBuffer = null_read;
    device->cl.EnqueueWriteBuffer = null_write;
    device->cl.EnqueueCopyBuffer = null_copy;
    device->cl.EnqueueFillBuffer = null_fill;
    device->cl.EnqueueMarkerWithWaitList = null_marker;
    device->cl.EnqueueBarrierWithWaitList = null_marker;
    device->cl.SetKernelArg = null_argument;
    device->cl.GetEventInfo = null_event_info;
    device->cl.RetainEvent = null_event;
    device->cl.ReleaseEvent = null_event;
    device->cl.WaitForEvents = null_wait;
    device->cl.Flush = null_queue;
    device->cl.Finish = null_queue;
}

/* ---- nets ------------------------------------------------------------------------------------ */

static nn__opencl *open_gpu(nn_context *nn) {
    void *state = NULL;
    nn__opencl *device;
    if (nn_opencl_open(nn, &(nn_opencl_desc){
                               .cache_folder = "", .no_clblast = true, .no_lending = true}) != NN_OK)
        return NULL;
    nn_device_backend(nn, nn_opencl(0), &state);
    device = (nn__opencl *)state;
    device->cpu = false, device->gpu = true, device->units = UNITS, device->patient = true;
    device->local_memory = 49152, device->local_is_far = false;
    device->unified = device->in_host_memory = false;
    device->backend.map = NULL, device->backend.unmap = NULL;
    device->forced = NN__OPENCL_TILES;
    nn__find_device(nn, nn_opencl(0))->limits.gpu = true;
    create_kernel = device->cl.CreateKernel;
    device->cl.CreateKernel = named_kernel;
    return device;
}

typedef struct net {
    nn_plan *plan;
    nn_node *image;
    inputs in;
    double megabytes;
} net;

static net make_net(nn_context *nn, int kind) {
    static const nn_dtype dtypes[] = {NN_F32, NN_BF16, NN_F32};
    const nn_dtype cache = kind == 0 ? NN_F32 : NN_BF16;
    net n;
    nn_model_desc desc;
    nn_plan_desc planned;
    nn_node *y;
    memset(&n, 0, sizeof n), memset(&desc, 0, sizeof desc), memset(&planned, 0, sizeof planned);
    desc.device = nn_opencl(0);
    desc.seed = 1;
    if (kind >= 0) desc.dtype = dtypes[kind];
    nn_model *model = nn_make_model(nn, &desc);
    planned.batch = 1;
    if (kind < 0) {
        n.image = nn_input(model, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 224, 224));
        const resnet_desc wide = {.classes = 1000, .width = 64};
        y = resnet18(model, n.image, &wide);
        n.megabytes = 11.69 * 4;
    } else {
        if (kind == 2) nn_quantize(model, &(nn_quantize_desc){.bits = 8});
        n.in.ids = nn_input(model, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
        n.in.positions = nn_input(model, "positions", NN_I32, NN_SHAPE(NN_BATCH));
        n.in.places = nn_input(model, "places", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
        y = describe(model, &n.in, cache);
        n.megabytes = (((double)LAYERS * 12 * WIDTH * WIDTH + (double)WORDS * WIDTH) *
                           (kind == 0   ? 4
                            : kind == 1 ? 2
                                        : 1) +
                       (double)LAYERS * 2 * 1000 * WIDTH * (double)nn_dtype_size(cache)) *
                      1e-6;
    }
    planned.outputs = NN_NODES(y);
    n.plan = nn_make_plan(model, &planned);
    return n;
}

/* Uploads the inputs of run i and runs the plan once. */
static bool run_once(const net *n, int i) {
    static float picture[3 * 224 * 224];
    const int32_t id = 7, at = 1000 - i % 8;
    if (!n->in.ids)
        return nn_upload(n->plan, n->image, picture, sizeof picture) == NN_OK &&
               nn_run(n->plan) == NN_OK;
    nn_upload(n->plan, n->in.ids, &id, sizeof id);
    nn_upload(n->plan, n->in.places, &at, sizeof at);
    nn_upload(n->plan, n->in.positions, &at, sizeof at);
    return nn_run(n->plan) == NN_OK;
}

static void list_launches(void) {
    for (int i = 0; i < launches && i < LAUNCHES; i++)
        printf("  %3d %-28s %4d x %d x %d groups of %d\n", i, name_of(listed[i].kernel),
               (int)listed[i].groups[0], (int)listed[i].groups[1], (int)listed[i].groups[2],
               (int)listed[i].items);
}

static bool row(const char *name, int kind, int runs, bool lists) {
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn__opencl *device = nn ? open_gpu(nn) : NULL;
    double least = 1e30;
    if (!device) {
        printf("no OpenCL device here\n");
        nn_close(nn);
        return false;
    }
    const net n = make_net(nn, kind);
    bool fine = n.plan && nn_prewarm(n.plan, NULL) == NN_OK;
    replace(device);
    if (lists && getenv("NN_PLAN")) nn_write_plan(n.plan, (nn_writer){nn_write_stderr, NULL});
    for (int i = 0; fine && i < 3; i++) {
        launches = 0;
        noting = i == 2;
        fine = run_once(&n, i);
        noting = false;
    }
    if (fine && lists) list_launches();
    for (int t = 0; fine && t < TIMES; t++) {
        launches = few = arguments = others = 0;
        const double start = busy();
        for (int i = 0; fine && i < runs; i++) fine = run_once(&n, i);
        const double took = (busy() - start) / runs * 1e6;
        if (took < least) least = took;
    }
    if (fine)
        printf("%-10s%10.1f%10.1f%12.1f%10.1f%12.1f%10.1f\n", name, (double)launches / runs,
               (double)few / runs, (double)arguments / runs, (double)others / runs, least,
               n.megabytes);
    else
        printf("%s failed: %s\n", name, nn_error(nn) ? nn_error(nn) : "");
    fflush(stdout);
    nn_close(nn);
    return fine;
}

int main(int argc, char **argv) {
    static const char *const rows[] = {"resnet18", "f32", "bf16", "i8"};
    const int runs = argc > 2 ? atoi(argv[2]) : 300;
    bool fine = true;
    printf("%-10s%10s%10s%12s%10s%12s%10s\n", "net", "launches", "few", "arguments", "others",
           "host us", "MB");
    for (int i = 0; i < 4 && fine; i++)
        if (argc < 2 || strcmp(argv[1], "all") == 0 || strcmp(argv[1], rows[i]) == 0)
            fine = row(rows[i], i - 1, runs > 0 ? runs : 1, argc > 3);
    return fine ? 0 : 1;
}
