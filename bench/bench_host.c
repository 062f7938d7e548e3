/* bench/bench_host.c - the host's time of a training step on OpenCL: what the library itself needs,
   and what a step takes where the driver needs 3 us for each command and 40 ns for each argument.

     bench_host [steps [command_ns [argument_ns]]]
   Default: 2000 steps, 3000 and 40.

   An OpenCL device is needed only to build the kernels. It is treated as a GPU of 132 compute
   units, and from the second step on its calls are replaced by ones that do nothing but take their
   time, so that no kernel runs. Each row is a net of W1 to W4 (bench_w1_w5.c) whose inputs are on
   the device. It has us a step (the least of 7 runs), the launches and the arguments set, and the
   same with the loss read each step. The last columns have the target, and whether it was
   reached. */
#ifndef NN_OPENCL_DYNAMIC
#define NN_OPENCL_DYNAMIC
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W1, W2, W3, W4, NETS, RUNS = 7 };
static const double wanted[NETS] = {35, 60, 30, 10}, wanted_more = 20; /* us */

/* ---- a driver that does nothing -------------------------------------------------------------- */

static nn_clock clock_used;
static uint64_t command_ns = 3000, argument_ns = 40;
static long launches, arguments;
static int an_event; /* every event is this one, which is complete */

static void spend(uint64_t ns) {
    const uint64_t start = nn__now(&clock_used);
    while (ns && nn__now(&clock_used) - start < ns) continue;
}

static cl_int command(cl_event *event) {
    spend(command_ns);
    if (event) *event = (cl_event)&an_event;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL null_launch(cl_command_queue queue, cl_kernel kernel, cl_uint extents,
                                      const size_t *offset, const size_t *global,
                                      const size_t *local, cl_uint count, const cl_event *waits,
                                      cl_event *event) {
    (void)queue, (void)kernel, (void)extents, (void)offset, (void)global, (void)local;
    (void)count, (void)waits;
    launches++;
    return command(event);
}
static cl_int CL_API_CALL null_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    size_t offset, size_t bytes, void *to, cl_uint count,
                                    const cl_event *waits, cl_event *event) {
    (void)queue, (void)buffer, (void)blocking, (void)offset, (void)count, (void)waits;
    memset(to, 0, bytes);
    return command(event);
}
static cl_int CL_API_CALL null_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                     size_t offset, size_t bytes, const void *from, cl_uint count,
                                     const cl_event *waits, cl_event *event) {
    (void)queue, (void)buffer, (void)blocking, (void)offset, (void)bytes, (void)from;
    (void)count, (void)waits;
    return command(event);
}
static cl_int CL_API_CALL null_marker(cl_command_queue queue, cl_uint count, const cl_event *waits,
                                      cl_event *event) {
    (void)queue, (void)count, (void)waits;
    return command(event);
}
static cl_int CL_API_CALL null_argument(cl_kernel kernel, cl_uint index, size_t bytes,
                                        const void *value) {
    (void)kernel, (void)index, (void)bytes, (void)value;
    arguments++;
    spend(argument_ns);
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

/* This cannot be undone. The queue is empty before, so no event of one driver is given to the
   other. */
static void replace(nn__opencl *device) {
    nn__opencl_finish(device);
    nn__opencl_forget_shared(device, NULL);
    for (int i = 0; i < NN__OPENCL_FENCES; i++)
        if (device->events[i]) device->cl.ReleaseEvent(device->events[i]), device->events[i] = NULL;
    device->cl.EnqueueNDRangeKernel = null_launch;
    device->cl.EnqueueReadBuffer = null_read;
    device->cl.EnqueueWriteBuffer = null_write;
    device->cl.EnqueueMarkerWithWaitList = null_marker;
    device->cl.SetKernelArg = null_argument;
    device->cl.GetEventInfo = null_event_info;
    device->cl.RetainEvent = null_event;
    device->cl.ReleaseEvent = null_event;
    device->cl.WaitForEvents = null_wait;
    device->cl.Flush = null_queue;
    device->cl.Finish = null_queue;
}

/* ---- nets ------------------------------------------------------------------------------------ */

typedef struct net {
    nn_model *model;
    nn_trainer *trainer;
} net;

static nn_node *linear(nn_model *m, const char *name, nn_node *x, int outputs) {
    nn_linear_desc desc = {.out_features = outputs};
    return nn_linear(m, name, x, &desc);
}
static nn_node *conv(nn_model *m, const char *name, nn_node *x, int channels) {
    nn_conv2d_desc desc = {.out_channels = channels, .kernel = 3, .padding = 1};
    return nn_relu(m, nn_conv2d(m, name, x, &desc));
}

static net make(nn_context *nn, int which) {
    const nn_shape shapes[NETS] = {NN_SHAPE(NN_BATCH, 3, 64, 64), NN_SHAPE(NN_BATCH, 1, 28, 28),
                                   NN_SHAPE(NN_BATCH, 784), NN_SHAPE(NN_BATCH, 4)};
    const int batch = which == W4 ? 32 : 64;
    net n;
    n.model = nn_make_model(nn, &(nn_model_desc){.device = nn_opencl(0), .seed = 1});
    nn_node *image = nn_input(n.model, "image", NN_F32, shapes[which]), *x = image;
    nn_node *label = nn_input(n.model, "label", NN_I32, NN_SHAPE(NN_BATCH));
    if (which <= W2) {
        x = conv(n.model, "conv1", x, which == W1 ? 16 : 32);
        if (which == W2) x = conv(n.model, "conv2", x, 64);
        x = nn_flatten(n.model, nn_max_pool2d(n.model, x, &(nn_pool2d_desc){.kernel = 2}));
    }
    if (which != W1)
        x = nn_relu(n.model, linear(n.model, "fc1", x, which == W2   ? 128
                                                       : which == W3 ? 256
                                                                     : 64));
    if (which >= W3) x = nn_relu(n.model, linear(n.model, "fc2", x, which == W3 ? 128 : 64));
    x = linear(n.model, "last", x, which == W4 ? 2 : 10);
    n.trainer = nn_make_trainer(n.model, nn_cross_entropy(n.model, x, label, NULL),
                                &(nn_trainer_desc){.batch = batch, .optimizer = NN_ADAM});
    nn_shape shape = shapes[which];
    shape.extent[0] = batch;
    const nn_tensor_desc given = {.shape = shape, .device = nn_opencl(0)};
    const nn_tensor_desc labels = {
        .shape = NN_SHAPE(batch), .dtype = NN_I32, .device = nn_opencl(0)};
    nn_bind(nn_trainer_plan(n.trainer), image, nn_make_tensor(nn, &given));
    nn_bind(nn_trainer_plan(n.trainer), label, nn_make_tensor(nn, &labels));
    return n;
}

/* Runs a step or, with a loader, 16 steps in a call. */
static nn_result some_steps(nn_trainer *trainer, nn_loader *loader, int *i) {
    *i += loader ? 16 : 1;
    if (!loader) return nn_train_on_inputs(trainer);
    const nn_result result = nn_train_steps(trainer, loader, 16, NULL);
    return result == NN_END ? nn_train_steps(trainer, loader, 16, NULL) : result;
}

/* Returns the microseconds per step, the least of all runs; below 0: a call failed. */
static double measure(nn_trainer *trainer, nn_loader *loader, int steps, bool reads) {
    double least = 1e30;
    for (int run = 0; run < RUNS; run++) {
        const uint64_t start = nn__now(&clock_used);
        launches = arguments = 0;
        for (int i = 0; i < steps;) {
            float loss;
            if (some_steps(trainer, loader, &i) != NN_OK || (reads && nn_read_loss(trainer, &loss) != NN_OK))
                return -1;
        }
        const double took = (double)(nn__now(&clock_used) - start) / 1000 / steps;
        if (took < least) least = took;
    }
    return least;
}

/* Makes a loader of W4's data on the device, which gathers 16 batches at once. */
static nn_loader *gathering(nn_context *nn) {
    enum { COUNT = 32 * 16 * 16 };
    static float images[COUNT * 4];
    static int32_t labels[COUNT];
    nn_dataset *set = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = COUNT,
                .fields = NN_FIELDS({.name = "image", .shape = NN_SHAPE(4), .data = images},
                                    {.name = "label", .dtype = NN_I32, .data = labels})});
    return nn_make_loader(nn, &(nn_loader_desc){.dataset = set, .batch = 32, .shuffle = true,
                                                .device = nn_opencl(0), .on_device = true,
                                                .prefetch = 16});
}

int main(int argc, char **argv) {
    const int steps = argc > 1 ? atoi(argv[1]) : 2000;
    if (argc > 2) command_ns = (uint64_t)atol(argv[2]);
    if (argc > 3) argument_ns = (uint64_t)atol(argv[3]);
    const uint64_t taken[2] = {command_ns, argument_ns};
    nn__clock_init(&clock_used);
    printf("a command: %llu ns, an argument: %llu ns\n", (unsigned long long)taken[0],
           (unsigned long long)taken[1]);
    printf("%-4s%12s%10s%10s%12s%12s%10s%10s\n", "net", "library us", "launches", "arguments",
           "us a step", "loss read", "wanted", "");
    for (int which = 0; which < NETS; which++) {
        void *state = NULL;
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        if (nn_opencl_open(nn, &(nn_opencl_desc){.cache_folder = "", .no_clblast = true}) != NN_OK) {
            printf("no OpenCL device here\n");
            nn_close(nn);
            return 0;
        }
        nn_device_backend(nn, nn_opencl(0), &state);
        nn__opencl *device = (nn__opencl *)state;
        device->cpu = false, device->gpu = true, device->units = 132, device->patient = true;
        device->forced = NN__OPENCL_TILES;
        nn__find_device(nn, nn_opencl(0))->limits.gpu = true;
        net n = make(nn, which);
        bool fine = n.trainer && nn_train_on_inputs(n.trainer) == NN_OK;
        if (fine) replace(device);
        command_ns = argument_ns = 0;
        const double own = fine ? measure(n.trainer, NULL, steps, false) : -1;
        command_ns = taken[0], argument_ns = taken[1];
        const double alone = fine ? measure(n.trainer, NULL, steps, false) : -1;
        const long launched = launches, set = arguments;
        const double with_loss = fine ? measure(n.trainer, NULL, steps, true) : -1;
        if (own < 0 || alone < 0 || with_loss < 0) {
            printf("W%d failed: %s\n", which + 1, nn_error(nn) ? nn_error(nn) : "");
            return 1;
        }
        printf("W%-3d%12.2f%10.2f%10.2f%12.2f%12.2f%6.0f +%2.0f%10s\n", which + 1, own,
               (double)launched / steps, (double)set / steps, alone, with_loss, wanted[which],
               wanted_more,
               alone <= wanted[which] && with_loss <= wanted[which] + wanted_more ? "reached"
                                                                                  : "missed");
        nn_loader *loader = which == W4 ? gathering(nn) : NULL;
        if (loader) {
            const double some = measure(n.trainer, loader, steps, false);
            printf("W4, 16 steps a call: %.2f us a step, %.2f launches\n", some,
                   (double)launches / steps);
        }
        nn_close(nn);
    }
    return 0;
}
