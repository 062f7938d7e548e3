/* test_opencl_launches.c: counts the kernels that a training step launches on a GPU, and checks
   that steps fused into one launch compute the same.

   A launch costs a GPU some 5 microseconds, which is most of the time of a small net's step.
   Counting needs no GPU: the device here is treated as one with 132 compute units, and does not get
   the kernels that are counted. The other costs of a launch are counted in the same way: events,
   flushes, bytes of arguments. */
#if !defined(NN_TEST_OPENCL) && !defined(NN_OPENCL_DYNAMIC)
#define NN_OPENCL_DYNAMIC /* the Makefile says nothing about linking it */
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include "inside.h"
#include "test.h"

#include "opencl_as_gpu.h"

#include "small_nets.h"
#include "lists.h"

#include <stdlib.h>

static nn_context *nn;
static nn__opencl *gpu; /* the device under test */
static int launches, events;
static int flushed_at; /* launches before the first flush; -1: there was none */

static cl_int CL_API_CALL count_launch(cl_command_queue queue, cl_kernel kernel, cl_uint extents,
                                       const size_t *offset, const size_t *global,
                                       const size_t *local, cl_uint count, const cl_event *waits,
                                       cl_event *event) {
    (void)queue, (void)kernel, (void)extents, (void)offset, (void)global, (void)local;
    (void)count, (void)waits;
    launches++;
    events += event != NULL;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL count_flush(cl_command_queue queue) {
    (void)queue;
    if (flushed_at < 0) flushed_at = launches;
    return CL_SUCCESS;
}

/* Bytes of each kernel's arguments. */
static struct {
    cl_kernel kernel;
    size_t bytes[96];
} sized[160];
static cl_int(CL_API_CALL *set_argument)(cl_kernel, cl_uint, size_t, const void *);

static cl_int CL_API_CALL size_argument(cl_kernel kernel, cl_uint index, size_t bytes,
                                        const void *value) {
    int i = 0;
    while (sized[i].kernel && sized[i].kernel != kernel) i++;
    sized[i].kernel = kernel;
    sized[i].bytes[index] = bytes;
    return set_argument(kernel, index, bytes, value);
}

/* ---- programs of a driver that does nothing: what only counts launches builds none ------------- */

static char objects[4000];
static int kernels_made;

static cl_program CL_API_CALL no_source(cl_context context, cl_uint count, const char **text,
                                        const size_t *lengths, cl_int *status) {
    (void)context, (void)count, (void)text, (void)lengths;
    *status = CL_SUCCESS;
    return (cl_program)(void *)objects;
}

static cl_int CL_API_CALL no_build(cl_program program, cl_uint count, const cl_device_id *devices,
                                   const char *options,
                                   void(CL_CALLBACK *notify)(cl_program, void *), void *user) {
    (void)program, (void)count, (void)devices, (void)options, (void)notify, (void)user;
    return CL_SUCCESS;
}

static cl_kernel CL_API_CALL no_kernel(cl_program program, const char *name, cl_int *status) {
    (void)program, (void)name;
    *status = CL_SUCCESS;
    kernels_made = kernels_made % (int)(sizeof objects - 1) + 1;
    return (cl_kernel)(void *)&objects[kernels_made];
}

static cl_int CL_API_CALL no_group_info(cl_kernel kernel, cl_device_id device, cl_uint what,
                                        size_t bytes, void *to, size_t *written) {
    const size_t group = 4096;
    (void)kernel, (void)device, (void)what, (void)written;
    if (bytes == sizeof group) memcpy(to, &group, bytes);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL no_argument(cl_kernel kernel, cl_uint index, size_t bytes,
                                      const void *value) {
    (void)kernel, (void)index, (void)bytes, (void)value;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL no_program_release(cl_program program) {
    (void)program;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL no_kernel_release(cl_kernel kernel) {
    (void)kernel;
    return CL_SUCCESS;
}

/* No kernel of the device is built or runs from now on. */
static void only_count(nn__opencl *device) {
    device->cl.CreateProgramWithSource = no_source;
    device->cl.BuildProgram = no_build;
    device->cl.CreateKernel = no_kernel;
    device->cl.GetKernelWorkGroupInfo = no_group_info;
    device->cl.SetKernelArg = no_argument;
    device->cl.ReleaseProgram = no_program_release;
    device->cl.ReleaseKernel = no_kernel_release;
    device->cl.EnqueueNDRangeKernel = count_launch;
}

/* False: there is no OpenCL device here. */
static bool open_gpu(nn__opencl_family family) {
    nn_opencl_desc desc;
    void *state = NULL;
    memset(&desc, 0, sizeof desc);
    desc.cache_folder = "";
    desc.no_clblast = true;
    nn = nn_open(NULL);
    if (!nn || nn_opencl_open(nn, &desc) != NN_OK) return false;
    nn_device_backend(nn, nn_opencl(0), &state);
    gpu = (nn__opencl *)state;
    gpu->cpu = false;
    gpu->gpu = true;
    gpu->units = 132;
    gpu->forced = family;
    nn__find_device(nn, nn_opencl(0))->limits.gpu = true;
    return true;
}

#define OPEN_OR_SKIP(family)                                                                       \
    if (!open_gpu(family)) {                                                                       \
        nn_close(nn);                                                                              \
        SKIP("no OpenCL device here");                                                             \
    }

/* ---- nets ------------------------------------------------------------------------------------ */

enum { W1, W2, W3, W4, NETS };

typedef struct net {
    nn_model *model;
    nn_node *image, *label, *logits, *hidden;
    nn_trainer *trainer;
    nn_shape shape;
    int batch;
} net;

static nn_dtype stored; /* what parameters are stored in */
static bool normed;     /* convolutions are followed by a batch norm, and layers by other
                           operations */

static nn_node *linear(net *n, const char *name, nn_node *x, int outputs) {
    nn_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = outputs;
    return nn_linear(n->model, name, x, &desc);
}

static nn_node *conv(net *n, const char *name, nn_node *x, int channels) {
    nn_conv2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = channels;
    desc.kernel = 3;
    desc.padding = 1;
    desc.no_bias = normed; /* the norm would remove it, and Adam would learn from rounding errors */
    x = nn_conv2d(n->model, name, x, &desc);
    if (normed) {
        nn_group_norm_desc groups;
        char norm[32];
        memset(&groups, 0, sizeof groups);
        groups.num_groups = 1;
        snprintf(norm, sizeof norm, "%s_batch", name);
        x = nn_batch_norm2d(n->model, norm, x, NULL);
        snprintf(norm, sizeof norm, "%s_group", name);
        x = nn_group_norm(n->model, norm, x, &groups);
    }
    return nn_relu(n->model, x);
}

/* small: with the same operations, but quick to compute. */
static net make(nn_device device, int which, bool small, const nn_trainer_desc *wanted) {
    const int side = small ? 12 : which == W1 ? 64 : 28;
    nn_shape shapes[NETS];
    nn_pool2d_desc pool;
    nn_model_desc model;
    nn_trainer_desc desc = *wanted;
    nn_node *x;
    net n;
    memset(&n, 0, sizeof n);
    memset(&pool, 0, sizeof pool);
    memset(&model, 0, sizeof model);
    shapes[W1] = NN_SHAPE(NN_BATCH, 3, side, side);
    shapes[W2] = NN_SHAPE(NN_BATCH, 1, side, side);
    shapes[W3] = NN_SHAPE(NN_BATCH, 784);
    shapes[W4] = NN_SHAPE(NN_BATCH, 4);
    pool.kernel = 2;
    model.device = device;
    model.seed = 3;
    model.dtype = stored;
    n.model = nn_make_model(nn, &model);
    n.batch = small ? 9 : which == W4 ? 32 : 64;
    n.shape = shapes[which];
    n.image = x = nn_input(n.model, "image", NN_F32, n.shape);
    n.label = nn_input(n.model, "label", NN_I32, NN_SHAPE(NN_BATCH));
    if (which == W1 || which == W2) {
        x = conv(&n, "conv1", x, small ? 5 : which == W1 ? 16 : 32);
        if (which == W2) x = conv(&n, "conv2", x, small ? 7 : 64);
        x = nn_flatten(n.model, nn_max_pool2d(n.model, x, &pool));
    }
    if (which != W1)
        x = n.hidden =
            nn_relu(n.model, linear(&n, "fc1", x, which == W2 ? 128 : which == W3 ? 256 : 64));
    if (normed) x = nn_batch_norm1d(n.model, "columns", x, NULL);
    if (normed) x = nn_layer_norm(n.model, "layer", x, NULL);
    if (which == W3 || which == W4)
        x = nn_relu(n.model, linear(&n, "fc2", x, which == W3 ? 128 : 64));
    n.logits = linear(&n, "last", x, which == W4 ? 2 : 10);
    desc.batch = n.batch;
    desc.optimizer = normed ? NN_SGD : NN_ADAM; /* Adam turns tiny gradients into whole steps */
    desc.learning_rate = normed ? 1e-2f : 1e-3f;
    n.trainer = nn_make_trainer(n.model, nn_cross_entropy(n.model, n.logits, n.label, NULL), &desc);
    n.shape.extent[0] = n.batch;
    return n;
}

/* Gives the net a batch that depends only on `number`. */
static bool give(net *n, int number, int wrong_label) {
    const int64_t count = nn_shape_count(n->shape);
    float *image = (float *)malloc((size_t)count * sizeof *image);
    int32_t label[64];
    const int classes = n->shape.rank == 2 && n->shape.extent[1] == 4 ? 2 : 10;
    nn_plan *plan = nn_trainer_plan(n->trainer);
    bool ok;
    for (int64_t i = 0; i < count; i++)
        image[i] = (float)((i * 7919 + number * 104729) % 2003) / 1001.0f - 1.0f;
    for (int i = 0; i < n->batch; i++) label[i] = (i * 5 + number) % classes;
    if (wrong_label) label[2] = classes;
    ok = nn_upload(plan, n->image, image, (size_t)count * sizeof *image) == NN_OK &&
         nn_upload(plan, n->label, label, (size_t)n->batch * sizeof *label) == NN_OK;
    free(image);
    return ok;
}

/* ---- how many -------------------------------------------------------------------------------- */

/* The number of times that the host waited: in blocking calls, and for an event. */
static int waits_made;
static cl_int(CL_API_CALL *wait_for)(cl_uint, const cl_event *);
static cl_int(CL_API_CALL *read_buffer)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *,
                                        cl_uint, const cl_event *, cl_event *);

/* The numbers of a step's calls that a driver takes long for: commands enqueued, and arguments
   set. */
static int enqueued, arguments;
static cl_int CL_API_CALL count_argument(cl_kernel kernel, cl_uint index, size_t bytes,
                                         const void *value) {
    arguments++;
    return set_argument(kernel, index, bytes, value);
}

static cl_int CL_API_CALL count_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                     size_t offset, size_t bytes, void *to, cl_uint count,
                                     const cl_event *before, cl_event *event) {
    enqueued++;
    waits_made += blocking == CL_TRUE;
    return read_buffer(queue, buffer, blocking, offset, bytes, to, count, before, event);
}

/* The host's time of a step is the time of the driver plus the time of the library. This is the
   driver's time in microseconds, at most host[], for a driver that takes 3 us to enqueue a command
   and 40 ns to set an argument. bench/bench_host.c measures the library's time, because nothing
   timed is a test. */
static const double host[NETS] = {35, 60, 30, 10};
static double driver(int launched) { return 3.0 * (launched + enqueued) + 0.04 * arguments; }

static void test_count(void) {
    /* the goal was at most 8, 15, 7 and 2 */
    static const int most[NETS] = {7, 12, 6, 1};
    nn_trainer_desc desc;
    float loss;
    memset(&desc, 0, sizeof desc);
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    only_count(gpu);
    gpu->gathers = true; /* as on NVIDIA's devices and PoCL; other devices need one more launch to
                            add some sums */
    for (int which = 0; which < NETS; which++) {
        net n = make(nn_opencl(0), which, false, &desc);
        cl_int(CL_API_CALL * enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                      const size_t *, const size_t *, cl_uint, const cl_event *,
                                      cl_event *) = gpu->cl.EnqueueNDRangeKernel;
        ENSURE(give(&n, 0, 0));
        gpu->cl.EnqueueNDRangeKernel = count_launch;
        ENSURE(nn_train_on_inputs(n.trainer) == NN_OK); /* the first prepares */
        set_argument = gpu->cl.SetKernelArg;
        read_buffer = gpu->cl.EnqueueReadBuffer;
        gpu->cl.SetKernelArg = count_argument;
        gpu->cl.EnqueueReadBuffer = count_read;
        ENSURE(nn_finish(nn) == NN_OK); /* its status word is here */
        for (int again = 0; again < 2; again++) {
            launches = enqueued = arguments = 0;
            ENSURE(nn_train_on_inputs(n.trainer) == NN_OK);
            if (launches > most[which])
                test_fail(__FILE__, __LINE__, "W%d: %d launches a step; at most %d", which + 1,
                          launches, most[which]);
            ENSURE(launches > 0);
            const double alone = driver(launches);
            if (!(alone + 3 <= host[which]))
                test_fail(__FILE__, __LINE__, "W%d: a driver takes %g us for a step", which + 1,
                          alone);
            ENSURE(nn_read_loss(n.trainer, &loss) == NN_OK);
            ENSURE(driver(launches) - alone <= 4);
        }
        gpu->cl.SetKernelArg = set_argument;
        gpu->cl.EnqueueReadBuffer = read_buffer;
        gpu->cl.EnqueueNDRangeKernel = enqueue;
        nn_free_model(n.model);
    }
    nn_close(nn);
}

/* Parameters in bf16 have f32 masters, which one launch brings up to date and one rounds. */
static void test_count_bf16(void) {
    static const int most[NETS] = {24, 36, 22, 22};
    nn_trainer_desc desc;
    memset(&desc, 0, sizeof desc);
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    only_count(gpu);
    gpu->gathers = true;
    stored = NN_BF16;
    for (int which = 0; which < NETS; which++) {
        cl_int(CL_API_CALL * enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                      const size_t *, const size_t *, cl_uint, const cl_event *,
                                      cl_event *) = gpu->cl.EnqueueNDRangeKernel;
        net n = make(nn_opencl(0), which, false, &desc);
        ENSURE(give(&n, 0, 0));
        gpu->cl.EnqueueNDRangeKernel = count_launch;
        ENSURE(nn_train_on_inputs(n.trainer) == NN_OK);
        launches = 0;
        ENSURE(nn_train_on_inputs(n.trainer) == NN_OK);
        if (launches > most[which])
            test_fail(__FILE__, __LINE__, "W%d in bf16: %d launches a step; at most %d", which + 1,
                      launches, most[which]);
        gpu->cl.EnqueueNDRangeKernel = enqueue;
        nn_free_model(n.model);
    }
    stored = NN_DTYPE_DEFAULT;
    nn_close(nn);
}

/* Counts the launches of one kernel call; views have no memory here. */
static int count_call(const nn__opencl_kernel *kernel, const void *args) {
    cl_int(CL_API_CALL * enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                  const size_t *, const size_t *, cl_uint, const cl_event *,
                                  cl_event *) = gpu->cl.EnqueueNDRangeKernel;
    gpu->cl.EnqueueNDRangeKernel = count_launch;
    launches = 0;
    if (kernel->run(gpu, args, 0, kernel->units ? kernel->units(gpu, args) : 1) != NN_OK)
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    gpu->cl.EnqueueNDRangeKernel = enqueue;
    return launches;
}

static nn_view view(int32_t a, int32_t b, int32_t c) {
    nn_view v;
    memset(&v, 0, sizeof v);
    v.dtype = NN_F32;
    v.shape.rank = 3;
    v.shape.extent[0] = a, v.shape.extent[1] = b, v.shape.extent[2] = c;
    return v;
}

static void test_count_norms(void) {
    static const struct {
        const char *name;
        int outer, groups, channels, inner;
        bool across, affine;
        int forward, backward;
    } cases[] = {
        {"layer norm", 4096, 1, 512, 1, false, true, 1, 2},
        {"layer norm of few rows", 4, 1, 512, 1, false, true, 1, 1},
        {"layer norm of long rows", 40, 1, 20000, 1, false, true, 2, 2},
        {"without weights", 4096, 1, 512, 1, false, false, 1, 1},
        {"batch norm of columns", 512, 300, 1, 1, true, true, 1, 1},
        {"batch norm of small pictures", 8, 64, 1, 1024, true, true, 1, 1},
        {"batch norm of pictures", 64, 64, 1, 3136, true, true, 2, 2},
        {"group norm", 8, 8, 4, 256, false, true, 1, 2},
        {"instance norm", 8, 32, 1, 1024, false, false, 1, 1},
    };
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    only_count(gpu);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int all = cases[i].groups * cases[i].channels, outer = cases[i].outer,
                  sets = cases[i].across ? cases[i].groups : outer * cases[i].groups;
        nn_norm_args f;
        nn_norm_backward_args b;
        memset(&f, 0, sizeof f);
        memset(&b, 0, sizeof b);
        f.cut.outer = outer, f.cut.inner = cases[i].inner;
        f.cut.groups = cases[i].groups, f.cut.channels = cases[i].channels;
        f.cut.across = cases[i].across;
        b.cut = f.cut;
        f.y = f.x = b.dx = b.dy = b.x = view(outer, all, cases[i].inner);
        if (cases[i].affine)
            f.weight = f.bias = b.weight = b.dweight = b.dbias = view(all, 1, 1);
        f.mean = f.rstd = f.variance = b.mean = b.rstd = view(sets, 1, 1);
        f.scratch = b.scratch = view(1, 1, 1);
        const int forward = count_call(nn__opencl_kernel_norm_forward(), &f),
                  backward = count_call(nn__opencl_kernel_norm_backward(), &b);
        if (test_wrong(forward != cases[i].forward || backward != cases[i].backward))
            test_fail(__FILE__, __LINE__, "%s: %d launches forward, %d backward instead of %d, %d",
                      cases[i].name, forward, backward, cases[i].forward, cases[i].backward);
    }
    nn_close(nn);
}

static void test_count_attention(void) {
    nn_attention_args a;
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    only_count(gpu);
    memset(&a, 0, sizeof a);
    a.q = a.k = a.v = a.y = a.dy = a.dq = a.dk = a.dv = view(8, 4, 100);
    nn_view *views[] = {&a.q, &a.k, &a.v, &a.y, &a.dy, &a.dq, &a.dk, &a.dv};
    for (int i = 0; i < 8; i++) views[i]->shape.rank = 4, views[i]->shape.extent[3] = 32;
    a.log_sum = view(8, 4, 100);
    a.scratch = view(1, 1, 1);
    a.scale = 1;
    ENSURE(count_call(nn__opencl_kernel_attention_forward(), &a) == 1);
    ENSURE(count_call(nn__opencl_kernel_attention_backward(), &a) == 2);
    nn_close(nn);
}

static void test_count_rest(void) {
    nn_cross_entropy_head_args head;
    nn_norm_track_args track;
    nn_norm_track_item items[20];
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    only_count(gpu);
    memset(&head, 0, sizeof head);
    head.entropy.logits = head.entropy.dlogits = view(512, 1000, 1);
    head.entropy.label = view(512, 1, 1);
    head.entropy.label.dtype = NN_I32;
    head.entropy.loss = head.entropy.dloss = head.total = head.entropy.scratch = view(1, 1, 1);
    ENSURE(count_call(nn__opencl_kernel_cross_entropy_head(), &head) == 3);
    memset(&track, 0, sizeof track);
    memset(items, 0, sizeof items);
    for (int i = 0; i < 20; i++) {
        items[i].running_mean = items[i].running_var = items[i].mean = items[i].variance =
            view(1 + i, 1, 1);
        items[i].count = view(2, 1, 1);
        items[i].count.dtype = NN_I32;
    }
    track.items = items;
    track.item_count = 20;
    ENSURE(count_call(nn__opencl_kernel_norm_track(), &track) == 1);
    nn_close(nn);
}

static void test_count_updates(void) {
    enum { MANY = 100 };
    static const nn_optimizer optimizers[] = {NN_SGD, NN_ADAM, NN_ADAMW};
    static nn_update_item items[MANY];
    nn_update_args update;
    nn_clip_args clip;
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    only_count(gpu);
    for (int i = 0; i < MANY; i++) {
        items[i].parameter = items[i].gradient = items[i].moment1 = items[i].moment2 =
            view(1 + i * 11, 1 + i % 3, 7);
        items[i].gradient.offset = (uint64_t)i * 65536;
    }
    memset(&update, 0, sizeof update);
    memset(&clip, 0, sizeof clip);
    update.items = clip.items = items;
    update.count = clip.count = MANY;
    update.momentum = update.beta1 = 0.9f;
    update.beta2 = 0.999f;
    update.step = 1;
    clip.scale = clip.scratch = view(1, 1, 1);
    clip.max_norm = 1;
    for (int i = 0; i < 3; i++) {
        update.optimizer = optimizers[i];
        ENSURE(count_call(nn__opencl_kernel_update(), &update) == 1);
    }
    ENSURE(count_call(nn__opencl_kernel_clip(), &clip) == 2);
    nn_close(nn);
}

/* No kernel of a step has more bytes of arguments than every device takes. */
static void test_arguments(void) {
    static const int optimizers[] = {NN_SGD, NN_ADAM, NN_ADAMW, NN_RMSPROP};
    nn_trainer_desc desc;
    memset(&desc, 0, sizeof desc);
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    only_count(gpu);
    set_argument = gpu->cl.SetKernelArg;
    for (int which = 0; which < NETS; which++) {
        cl_int(CL_API_CALL * enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                      const size_t *, const size_t *, cl_uint, const cl_event *,
                                      cl_event *) = gpu->cl.EnqueueNDRangeKernel;
        desc.optimizer = (nn_optimizer)optimizers[which];
        desc.momentum = which == 0 ? 0.9f : 0;
        desc.max_norm = which == 2 ? 1.0f : 0;
        net n = make(nn_opencl(0), which, true, &desc);
        memset(sized, 0, sizeof sized);
        gpu->cl.SetKernelArg = size_argument;
        gpu->cl.EnqueueNDRangeKernel = count_launch;
        ENSURE(give(&n, 0, 0) && nn_train_on_inputs(n.trainer) == NN_OK);
        gpu->cl.EnqueueNDRangeKernel = enqueue;
        gpu->cl.SetKernelArg = set_argument;
        ENSURE(sized[0].kernel);
        for (int i = 0; sized[i].kernel; i++) {
            size_t bytes = 0;
            for (int k = 0; k < 96; k++) bytes += sized[i].bytes[k];
            if (bytes > NN__OPENCL_PARAMETERS)
                test_fail(__FILE__, __LINE__, "W%d: a kernel with %d bytes of arguments", which + 1,
                          (int)bytes);
        }
        nn_free_model(n.model);
    }
    nn_close(nn);
}

/* A GPU that has nothing to do is given the first launch at once, without waiting for 32 of them.
   */
static void test_first_is_flushed(void) {
    cl_int(CL_API_CALL * flush)(cl_command_queue);
    cl_int(CL_API_CALL * enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                  const size_t *, const size_t *, cl_uint, const cl_event *,
                                  cl_event *);
    nn_trainer_desc desc;
    memset(&desc, 0, sizeof desc);
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    only_count(gpu);
    gpu->patient = true;
    flush = gpu->cl.Flush;
    enqueue = gpu->cl.EnqueueNDRangeKernel;
    net n = make(nn_opencl(0), W3, false, &desc);
    ENSURE(give(&n, 0, 0));
    gpu->cl.EnqueueNDRangeKernel = count_launch;
    ENSURE(nn_train_on_inputs(n.trainer) == NN_OK);
    for (int wait = 0; wait < 2; wait++) {
        gpu->cl.EnqueueNDRangeKernel = enqueue;
        ENSURE(wait == 0 ? nn_finish(nn) == NN_OK : give(&n, 0, 0)); /* uploads are awaited */
        gpu->cl.EnqueueNDRangeKernel = count_launch;
        gpu->cl.Flush = count_flush;
        launches = 0;
        flushed_at = -1;
        ENSURE(nn_train_on_inputs(n.trainer) == NN_OK && launches > 1 && launches < 32);
        ENSURE(flushed_at == 1);
        flushed_at = -1;
        ENSURE(nn_train_on_inputs(n.trainer) == NN_OK && flushed_at != launches / 2 + 1);
        gpu->cl.Flush = flush;
    }
    gpu->cl.EnqueueNDRangeKernel = enqueue;
    nn_close(nn);
}

static cl_int CL_API_CALL count_wait(cl_uint count, const cl_event *events_given) {
    waits_made++;
    return wait_for(count, events_given);
}

/* Reading the loss and the fault of a step takes one wait, because the step has sent the status
   word already. */
static void test_loss_is_one_wait(void) {
    nn_trainer_desc desc;
    nn_report report;
    float loss = 0;
    memset(&desc, 0, sizeof desc);
    for (int patient = 0; patient < 2; patient++) {
        OPEN_OR_SKIP(NN__OPENCL_TILES);
        gpu->patient = patient;
        wait_for = gpu->cl.WaitForEvents;
        read_buffer = gpu->cl.EnqueueReadBuffer;
        net n = make(nn_opencl(0), W4, true, &desc);
        ENSURE(give(&n, 0, 0) && nn_train_on_inputs(n.trainer) == NN_OK);
        ENSURE(nn_read_loss(n.trainer, &loss) == NN_OK);
        gpu->cl.WaitForEvents = count_wait;
        gpu->cl.EnqueueReadBuffer = count_read;
        for (int step = 0; step < 80; step++) { /* more than there are fences */
            waits_made = enqueued = 0;
            ENSURE(nn_train_on_inputs(n.trainer) == NN_OK);
            ENSURE((step % 2 ? nn_read_loss(n.trainer, &loss)
                             : nn_read_report(n.trainer, &report)) == NN_OK);
            ENSURE(waits_made == 1 && enqueued == 2);
            nn_reset_ledger(nn);
            ENSURE(nn_read_loss(n.trainer, &loss) == NN_OK && waits_made == 2);
            ENSURE(nn_ledger_count(nn) == 1); /* the status is known still */
        }
        gpu->cl.WaitForEvents = wait_for;
        gpu->cl.EnqueueReadBuffer = read_buffer;
        nn_close(nn);
    }
}

/* A fault that an older step's status word does not show is still in the next report. */
static void test_fault_behind_a_word(void) {
    nn_trainer_desc desc;
    float loss = 0;
    memset(&desc, 0, sizeof desc);
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    net n = make(nn_opencl(0), W4, true, &desc);
    for (int of = 0; of < 3; of++) {
        ENSURE(give(&n, 0, 0));
        for (int step = 0; step < of; step++) ENSURE(nn_train_on_inputs(n.trainer) == NN_OK);
        ENSURE(give(&n, 1, 1));
        (void)nn_train_on_inputs(n.trainer);
        ENSURE(nn_read_loss(n.trainer, &loss) == NN_ERROR_LABEL);
        nn_clear_error(nn);
        ENSURE(nn_clear_fault(n.trainer) == NN_OK);
        ENSURE(give(&n, 2, 0) && nn_train_on_inputs(n.trainer) == NN_OK);
        ENSURE(nn_read_loss(n.trainer, &loss) == NN_OK && loss > 0);
    }
    nn_close(nn);
}

/* The copy queue writes a loader's batches, and only kernels that read these need an event: no
   parameter and nothing between two kernels shares their memory. */
static void test_events_of_a_loader(void) {
    enum { COUNT = 256, PIXELS = 28 * 28 };
    static float images[COUNT * PIXELS];
    static int32_t labels[COUNT];
    cl_int(CL_API_CALL * enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                  const size_t *, const size_t *, cl_uint, const cl_event *,
                                  cl_event *);
    nn_dataset_desc dataset;
    nn_loader_desc wanted;
    nn_trainer_desc desc;
    nn_loader *loader;
    int steps = 0;
    memset(&desc, 0, sizeof desc);
    memset(&dataset, 0, sizeof dataset);
    memset(&wanted, 0, sizeof wanted);
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    only_count(gpu);
    dataset.count = COUNT;
    FIELD_AT(dataset.fields, 0).name = "image";
    FIELD_AT(dataset.fields, 0).shape = NN_SHAPE(1, 28, 28);
    FIELD_AT(dataset.fields, 0).data = images;
    FIELD_AT(dataset.fields, 1).name = "label";
    FIELD_AT(dataset.fields, 1).dtype = NN_I32;
    FIELD_AT(dataset.fields, 1).data = labels;
    wanted.dataset = nn_make_dataset(nn, &dataset);
    wanted.batch = 64;
    wanted.device = nn_opencl(0);
    loader = nn_make_loader(nn, &wanted);
    net n = make(nn_opencl(0), W2, false, &desc);
    enqueue = gpu->cl.EnqueueNDRangeKernel;
    ENSURE(loader);
    while (nn_next_batch(loader)) {
        gpu->cl.EnqueueNDRangeKernel = count_launch;
        launches = events = 0;
        ENSURE(nn_train_step(n.trainer, loader) == NN_OK);
        gpu->cl.EnqueueNDRangeKernel = enqueue;
        if (++steps == 1) continue; /* it prepares */
        ENSURE(launches >= 9 && events > 0 && events <= 4);
    }
    ENSURE(steps == COUNT / 64);
    nn_free_loader(loader);
    nn_close(nn);
}

/* ---- several steps as one launch ------------------------------------------------------------- */

enum { SOME_COUNT = 32 * 96 };

/* Returns the loader of W4: the whole dataset is on the device, and `prefetch` batches are gathered
   at once. */
static nn_loader *gathering_loader(int prefetch) {
    static float images[SOME_COUNT * 4];
    static int32_t labels[SOME_COUNT];
    nn_dataset_desc dataset;
    nn_loader_desc wanted;
    memset(&dataset, 0, sizeof dataset);
    memset(&wanted, 0, sizeof wanted);
    for (int i = 0; i < SOME_COUNT * 4; i++) images[i] = (float)(i * 7919 % 2003) / 1001.0f - 1.0f;
    for (int i = 0; i < SOME_COUNT; i++) labels[i] = i % 2;
    dataset.count = SOME_COUNT;
    FIELD_AT(dataset.fields, 0).name = "image";
    FIELD_AT(dataset.fields, 0).shape = NN_SHAPE(4);
    FIELD_AT(dataset.fields, 0).data = images;
    FIELD_AT(dataset.fields, 1).name = "label";
    FIELD_AT(dataset.fields, 1).dtype = NN_I32;
    FIELD_AT(dataset.fields, 1).data = labels;
    wanted.dataset = nn_make_dataset(nn, &dataset);
    wanted.batch = 32;
    wanted.device = nn_opencl(0);
    wanted.on_device = true;
    wanted.prefetch = prefetch;
    return nn_make_loader(nn, &wanted);
}

static void test_count_some_steps(void) {
    int32_t done = 0;
    nn_trainer_desc desc;
    cl_int(CL_API_CALL * enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                  const size_t *, const size_t *, cl_uint, const cl_event *,
                                  cl_event *);
    memset(&desc, 0, sizeof desc);
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    net n = make(nn_opencl(0), W4, false, &desc);
    nn_loader *loader = gathering_loader(16);
    ENSURE(loader && nn_train_steps(n.trainer, loader, 3, &done) == NN_OK && done == 3);
    enqueue = gpu->cl.EnqueueNDRangeKernel;
    set_argument = gpu->cl.SetKernelArg;
    gpu->cl.EnqueueNDRangeKernel = count_launch;
    gpu->cl.SetKernelArg = count_argument;
    launches = arguments = 0;
    ENSURE(nn_train_steps(n.trainer, loader, 13, &done) == NN_OK && done == 13);
    ENSURE(launches == 1 && arguments < 80);
    launches = arguments = 0;
    ENSURE(nn_train_steps(n.trainer, loader, 16, &done) == NN_OK && done == 16);
    ENSURE(launches == 3 && arguments < 30); /* two fields are gathered */
    ENSURE(nn_next_batch(loader) && nn_next_batch(loader));
    launches = 0;
    ENSURE(nn_train_step(n.trainer, loader) == NN_OK && launches == 1);
    ENSURE(nn_train_steps(n.trainer, loader, 99, &done) == NN_END && done == 62);
    ENSURE(launches == 11 && nn_trainer_step(n.trainer) == 95);
    gpu->cl.EnqueueNDRangeKernel = enqueue;
    gpu->cl.SetKernelArg = set_argument;
    nn_close(nn);
}

/* True if the training of a small net with this loss and activation is one chain. A chain is one
   launch, or two where it is cut into rows. */
static bool is_one_chain(small_loss_kind loss, small_activation_kind activation, int batch) {
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.device = nn_opencl(0)});
    nn_node *y = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 24));
    small_inputs in;
    memset(&in, 0, sizeof in);
    y = nn_linear(m, "fc1", y, &(nn_linear_desc){.out_features = 32});
    y = small_activation(m, activation, "activation", y, 32);
    y = nn_linear(m, "fc2", y, &(nn_linear_desc){.out_features = 20});
    nn_trainer *trainer =
        nn_make_trainer(m, small_loss(m, loss, y, 20, &in),
                        &(nn_trainer_desc){.batch = batch, .optimizer = NN_ADAM});
    const nn_plan *plan = trainer ? nn_trainer_plan(trainer) : NULL;
    const bool one = plan && plan->steps->chain == plan->step_count;
    if (!one)
        printf("%s, %s, batch %d: %s\n", small_loss_names[loss],
               small_activation_names[activation], batch,
               plan ? plan->apart ? plan->apart : "several chains" : nn_error(nn));
    nn_free_model(m);
    nn_clear_error(nn);
    return one;
}

/* Training with any loss and any activation is one chain. Two losses that are added are two sums,
   which a chain cut into rows has only at its end. */
static void test_count_small_nets(void) {
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    for (int batch = 64; batch <= 6400; batch *= 100) {
        for (int loss = 0; loss < SMALL_LOSS_COUNT; loss++)
            if (batch == 64 || loss != SMALL_sum_of_two)
                ENSURE(is_one_chain((small_loss_kind)loss, SMALL_tanh_, batch));
        for (int activation = 0; activation < SMALL_ACTIVATION_COUNT; activation++)
            ENSURE(is_one_chain(SMALL_mse, (small_activation_kind)activation, batch));
    }
    nn_close(nn);
}

static int failing;
static cl_int(CL_API_CALL *write_buffer)(cl_command_queue, cl_mem, cl_bool, size_t, size_t,
                                         const void *, cl_uint, const cl_event *, cl_event *);
static cl_int(CL_API_CALL *launch_kernel)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                          const size_t *, const size_t *, cl_uint,
                                          const cl_event *, cl_event *);

static cl_int CL_API_CALL fail_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                     size_t offset, size_t bytes, const void *from, cl_uint count,
                                     const cl_event *before, cl_event *event) {
    return failing-- == 1 ? CL_OUT_OF_RESOURCES
                          : write_buffer(queue, buffer, blocking, offset, bytes, from, count,
                                         before, event);
}
static cl_int CL_API_CALL fail_launch(cl_command_queue queue, cl_kernel kernel, cl_uint extents,
                                      const size_t *offset, const size_t *global,
                                      const size_t *local, cl_uint count, const cl_event *waits,
                                      cl_event *event) {
    return failing-- == 1 ? CL_OUT_OF_RESOURCES
                          : launch_kernel(queue, kernel, extents, offset, global, local, count,
                                          waits, event);
}
static cl_int CL_API_CALL fail_argument(cl_kernel kernel, cl_uint index, size_t bytes,
                                        const void *value) {
    return failing-- == 1 ? CL_OUT_OF_RESOURCES : set_argument(kernel, index, bytes, value);
}
static cl_mem(CL_API_CALL *create_buffer)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
static cl_mem CL_API_CALL fail_buffer(cl_context context, cl_mem_flags flags, size_t bytes,
                                      void *memory, cl_int *status) {
    if (failing-- != 1) return create_buffer(context, flags, bytes, memory, status);
    *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

/* If a launch of several steps fails, none of them is counted, and the next call continues. Both
   cases occur: a launch whose steps are all known, and a launch that begins because the table is
   full. Without memory for a table, steps run separately. */
static void test_some_steps_fail(void) {
    static const char *const words[] = {"", "clEnqueueWriteBuffer", "clEnqueueNDRangeKernel",
                                        "clSetKernelArg", "clEnqueueNDRangeKernel"};
    nn_trainer_desc desc;
    int32_t done = 0;
    float loss = 0;
    memset(&desc, 0, sizeof desc);
    for (int which = 0; which < 5; which++) {
        OPEN_OR_SKIP(NN__OPENCL_TILES);
        net n = make(nn_opencl(0), W4, false, &desc);
        nn_loader *loader = gathering_loader(which == 4 ? 90 : 16);
        ENSURE(nn_train_steps(n.trainer, loader, 1, &done) == NN_OK && done == 1);
        if (which > 3) ENSURE(nn_train_steps(n.trainer, loader, 16, &done) == NN_OK);
        const int64_t before = nn_trainer_step(n.trainer);
        create_buffer = gpu->cl.CreateBuffer, write_buffer = gpu->cl.EnqueueWriteBuffer;
        launch_kernel = gpu->cl.EnqueueNDRangeKernel, set_argument = gpu->cl.SetKernelArg;
        gpu->cl.CreateBuffer = fail_buffer, gpu->cl.EnqueueWriteBuffer = fail_write;
        gpu->cl.EnqueueNDRangeKernel = fail_launch, gpu->cl.SetKernelArg = fail_argument;
        if (which == 0) gpu->cl.EnqueueWriteBuffer = write_buffer;
        if (which != 0) gpu->cl.CreateBuffer = create_buffer;
        if (which != 1) gpu->cl.EnqueueWriteBuffer = write_buffer;
        if (which != 2 && which != 4) gpu->cl.EnqueueNDRangeKernel = launch_kernel;
        if (which != 3) gpu->cl.SetKernelArg = set_argument;
        failing = 1;
        if (which == 0) {
            ENSURE(nn_train_steps(n.trainer, loader, 9, &done) == NN_OK && done == 9 && failing < 1);
        } else {
            ENSURE(nn_train_steps(n.trainer, loader, which == 4 ? 64 : 9, &done) < 0 && done == 0);
            ENSURE(nn_trainer_step(n.trainer) == before && nn_error(nn) &&
                   strstr(nn_error(nn), words[which]));
        }
        nn_clear_error(nn);
        gpu->cl.CreateBuffer = create_buffer, gpu->cl.EnqueueWriteBuffer = write_buffer;
        gpu->cl.EnqueueNDRangeKernel = launch_kernel, gpu->cl.SetKernelArg = set_argument;
        ENSURE(nn_train_steps(n.trainer, loader, 5, &done) == NN_OK && done == 5);
        ENSURE(nn_trainer_step(n.trainer) == before + (which == 0 ? 14 : 5));
        ENSURE(nn_read_loss(n.trainer, &loss) == NN_OK);
        ENSURE(loss > 0 && loss < 2);
        nn_close(nn);
    }
}

/* A wrong label in one of several steps: this step and later ones do nothing, and the error names
   the step. */
static void test_some_steps_fault(void) {
    enum { COUNT = 64 };
    static float images[COUNT * 4];
    static int32_t labels[COUNT];
    nn_dataset_desc dataset;
    nn_loader_desc wanted;
    nn_trainer_desc desc;
    float loss = 0;
    memset(&desc, 0, sizeof desc);
    memset(&dataset, 0, sizeof dataset);
    memset(&wanted, 0, sizeof wanted);
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    net n = make(nn_opencl(0), W4, false, &desc), twin = make(nn_opencl(0), W4, false, &desc);
    for (int i = 0; i < COUNT * 4; i++) images[i] = (float)(i % 7) - 3.0f;
    dataset.count = COUNT;
    FIELD_AT(dataset.fields, 0).name = "image", FIELD_AT(dataset.fields, 0).shape = NN_SHAPE(4);
    FIELD_AT(dataset.fields, 0).data = images;
    FIELD_AT(dataset.fields, 1).name = "label", FIELD_AT(dataset.fields, 1).dtype = NN_I32;
    FIELD_AT(dataset.fields, 1).data = labels;
    labels[40] = 2; /* in the sixth batch */
    wanted.dataset = nn_make_dataset(nn, &dataset);
    wanted.batch = 8, wanted.device = nn_opencl(0), wanted.on_device = true, wanted.prefetch = 8;
    nn_loader *loader = nn_make_loader(nn, &wanted), *other = nn_make_loader(nn, &wanted);
    ENSURE(nn_train_steps(twin.trainer, other, 5, NULL) == NN_OK);
    nn_result result = nn_train_steps(n.trainer, loader, 8, NULL);
    if (result == NN_OK) result = nn_read_loss(n.trainer, &loss);
    ENSURE(result == NN_ERROR_LABEL);
    ENSURE(nn_error(nn) && strstr(nn_error(nn), "step 6: a label is out of range"));
    nn_clear_error(nn);
    for (int i = 0; i < nn_model_tensor_count(n.model); i++) {
        float a[64 * 64], b[64 * 64];
        const nn_tensor *p = nn_model_tensor_at(n.model, i), *q = nn_model_tensor_at(twin.model, i);
        const size_t bytes = sizeof *a * (size_t)nn_shape_count(nn_tensor_shape(p));
        ENSURE(nn_download_tensor(p, a, bytes) == NN_OK && nn_download_tensor(q, b, bytes) == NN_OK);
        ENSURE(memcmp(a, b, bytes) == 0);
    }
    nn_close(nn);
}

/* ---- the same as on the CPU ------------------------------------------------------------------ */

static void compare_parameters(const net *a, const net *b, const char *what) {
    static float x[256 * 1024], y[256 * 1024];
    const int count = nn_model_tensor_count(a->model);
    ENSURE(count >= 4 && count == nn_model_tensor_count(b->model));
    for (int i = 0; i < count; i++) {
        const nn_tensor *p = nn_model_tensor_at(a->model, i), *q = nn_model_tensor_at(b->model, i);
        const int64_t numbers = nn_shape_count(nn_tensor_shape(p));
        ENSURE(numbers <= (int64_t)(sizeof x / sizeof x[0]));
        if (nn_tensor_dtype(p) == NN_I64) { /* how many batches a norm has seen */
            int64_t seen = 0, here = 0;
            ENSURE(nn_download_tensor(p, &seen, sizeof seen) == NN_OK &&
                   nn_download_tensor(q, &here, sizeof here) == NN_OK && seen == here && seen > 0);
            continue;
        }
        ENSURE(nn_download_tensor(p, x, (size_t)numbers * sizeof *x) == NN_OK &&
               nn_download_tensor(q, y, (size_t)numbers * sizeof *y) == NN_OK);
        for (int64_t j = 0; j < numbers; j++)
            if (!(fabsf(x[j] - y[j]) < 2e-4f)) {
                test_fail(__FILE__, __LINE__, "%s: tensor %d, number %d is %g on the GPU and %g "
                          "on the CPU", what, i, (int)j, (double)x[j], (double)y[j]);
                break;
            }
    }
}

/* In pieces, a kernel leaves its arguments as the last piece had them. */
static nn_result step_in_pieces(nn_trainer *trainer) {
    nn_result result;
    do result = nn_train_step_for(trainer, NULL, 0);
    while (result == NN_PENDING);
    return result;
}

/* A step repeats the launches of the step before. After a step with another batch, a step in
   pieces, or a change of memory, the launches are prepared again. */
static void train_both(int which, const nn_trainer_desc *desc, const char *what) {
    net there = make(nn_opencl(0), which, true, desc), here = make(nn_cpu(), which, true, desc);
    const int whole = there.batch, steps = normed ? 4 : 9; /* norms amplify a rounding error */
    for (int step = 0; step < steps; step++) {
        float a = 0, b = 1;
        nn_tensor_desc tensor;
        memset(&tensor, 0, sizeof tensor);
        tensor.shape = NN_SHAPE(1 + step), tensor.device = nn_opencl(0);
        there.batch = here.batch = step == 5 ? 4 : whole;
        there.shape.extent[0] = here.shape.extent[0] = there.batch;
        ENSURE(give(&there, step, 0) && give(&here, step, 0));
        if (step == 7) nn_free_tensor(nn_make_tensor(nn, &tensor));
        ENSURE((step == 3 ? step_in_pieces(there.trainer) : nn_train_on_inputs(there.trainer)) ==
               NN_OK);
        ENSURE(nn_train_on_inputs(here.trainer) == NN_OK);
        if (step == 2) continue; /* two are added before they are read */
        ENSURE(nn_read_loss(there.trainer, &a) == NN_OK && nn_read_loss(here.trainer, &b) == NN_OK);
        if (!(fabsf(a - b) < 1e-4f))
            test_fail(__FILE__, __LINE__, "%s: loss %g on the GPU, %g on the CPU", what, (double)a,
                      (double)b);
    }
    compare_parameters(&there, &here, what);
    nn_free_model(there.model);
    nn_free_model(here.model);
}

static void test_same(void) {
    static const nn__opencl_family families[] = {NN__OPENCL_TILES, NN__OPENCL_SMALL_TILES,
                                                 NN__OPENCL_PLAIN};
    static const char *const names[NETS] = {"W1", "W2", "W3", "W4"};
    nn_trainer_desc desc;
    for (int f = 0; f < 3; f++) {
        if (f == 1 && !getenv("NN_FULL")) continue;
        OPEN_OR_SKIP(families[f]);
        memset(&desc, 0, sizeof desc);
        for (int which = f == 0 ? W1 : W2; which < NETS; which += f == 0 ? 1 : 2)
            train_both(which, &desc, names[which]);
        desc.max_norm = 0.5f;
        if (f == 0) train_both(W2, &desc, "W2, clipped");
        normed = true;
        desc.max_norm = 0;
        train_both(W2, &desc, "W2 with norms");
        normed = false;
        nn_close(nn);
    }
}

/* A label out of range is an error when the loss is read, and the message names the input. */
static void test_fault(void) {
    nn_trainer_desc desc;
    float loss = 0;
    memset(&desc, 0, sizeof desc);
    OPEN_OR_SKIP(NN__OPENCL_TILES);
    net n = make(nn_opencl(0), W4, true, &desc);
    ENSURE(give(&n, 0, 0) && nn_train_on_inputs(n.trainer) == NN_OK);
    ENSURE(give(&n, 1, 1));
    (void)nn_train_on_inputs(n.trainer);
    ENSURE(nn_read_loss(n.trainer, &loss) < 0);
    ENSURE(nn_error(nn) && strstr(nn_error(nn), "labels in \"label\" must be in [0, 2)"));
    nn_clear_error(nn);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_count);
    RUN(test_count_bf16);
    RUN(test_count_norms);
    RUN(test_count_attention);
    RUN(test_count_updates);
    RUN(test_count_rest);
    RUN(test_arguments);
    RUN(test_first_is_flushed);
    RUN(test_loss_is_one_wait);
    RUN(test_fault_behind_a_word);
    RUN(test_events_of_a_loader);
    RUN(test_count_some_steps);
    RUN(test_count_small_nets);
    RUN(test_some_steps_fail);
    RUN(test_some_steps_fault);
    RUN(test_same);
    RUN(test_fault);
    return test_report();
}
