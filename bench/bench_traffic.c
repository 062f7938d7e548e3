/* bench/bench_traffic.c - counts the work of training steps on a GPU, without a GPU: launches,
   bytes that the kernels read and write, bytes of the plan, and the host's time.

     bench_traffic [work [layers [steps]]]   default: all works, 12 layers, no steps
     bench_traffic --tiny                    small nets, to see that all of it runs

   work: part of "gpt2" (124M, 4 x 1024 tokens, AdamW) or "resnet18" (256 pictures of 3x32x32, SGD
   with momentum). Each is described in f32, and with nn_autocast_begin(net, NN_BF16).
   steps: if given, a row for each step of the plan is printed, too.

   An OpenCL device is needed only to compile the kernels. It is treated as a GPU of 132 compute
   units with matrix units. All calls that would work with memory are replaced by calls that count,
   so no memory is touched and no kernel runs. The bytes are those of the views that a kernel reads
   and writes, each counted once. A GPU would move as many if its cache were endless within a kernel
   and empty between kernels. Scratch memory is not counted. */
#ifndef NN_OPENCL_DYNAMIC
#define NN_OPENCL_DYNAMIC
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#define main resnet_main
#include "../examples/15_resnet.c"
#undef main
#define main    gpt2_main
#define measure gpt2_measure
#include "bench_gpt2.c"
#undef main
#undef measure

static bool autocast, each_step;

/* ---- a driver that counts -------------------------------------------------------------------- */

enum { MOST_STEPS = 2048, MOST_KERNELS = 256 };
static nn_plan *counted;
static long launches, arguments;
static int launches_of[MOST_STEPS];
static char names_of[MOST_STEPS][160];
static char kernels[4096][64]; /* a kernel object is its name */
static int kernel_count, thing;

static bool has_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

static cl_int give_event(cl_event *event) {
    if (event) *event = (cl_event)&thing;
    return CL_SUCCESS;
}
static cl_int CL_API_CALL fake_launch(cl_command_queue queue, cl_kernel kernel, cl_uint extents,
                                      const size_t *offset, const size_t *global,
                                      const size_t *local, cl_uint count, const cl_event *waits,
                                      cl_event *event) {
    (void)queue, (void)extents, (void)offset, (void)global, (void)local, (void)count, (void)waits;
    launches++;
    if (counted && counted->step < MOST_STEPS) {
        char *names = names_of[counted->step];
        launches_of[counted->step]++;
        if (!has_word(names, (const char *)kernel) &&
            strlen(names) + strlen((const char *)kernel) + 2 < sizeof names_of[0])
            strcat(strcat(names, names[0] ? " " : ""), (const char *)kernel);
    }
    return give_event(event);
}
static cl_int CL_API_CALL fake_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    size_t offset, size_t bytes, void *to, cl_uint count,
                                    const cl_event *waits, cl_event *event) {
    (void)queue, (void)buffer, (void)blocking, (void)offset, (void)count, (void)waits;
    memset(to, 0, bytes);
    return give_event(event);
}
static cl_int CL_API_CALL fake_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                     size_t offset, size_t bytes, const void *from, cl_uint count,
                                     const cl_event *waits, cl_event *event) {
    (void)queue, (void)buffer, (void)blocking, (void)offset, (void)bytes, (void)from;
    (void)count, (void)waits;
    return give_event(event);
}
static cl_int CL_API_CALL fake_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t at,
                                    size_t to_at, size_t bytes, cl_uint count,
                                    const cl_event *waits, cl_event *event) {
    (void)queue, (void)from, (void)to, (void)at, (void)to_at, (void)bytes, (void)count, (void)waits;
    return give_event(event);
}
static cl_int CL_API_CALL fake_fill(cl_command_queue queue, cl_mem to, const void *pattern,
                                    size_t size, size_t at, size_t bytes, cl_uint count,
                                    const cl_event *waits, cl_event *event) {
    (void)queue, (void)to, (void)pattern, (void)size, (void)at, (void)bytes, (void)count;
    (void)waits;
    return give_event(event);
}
static void *CL_API_CALL fake_map(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  cl_map_flags flags, size_t at, size_t bytes, cl_uint count,
                                  const cl_event *waits, cl_event *event, cl_int *status) {
    (void)queue, (void)buffer, (void)blocking, (void)flags, (void)at, (void)count, (void)waits;
    give_event(event);
    if (status) *status = CL_SUCCESS;
    return malloc(bytes);
}
static cl_int CL_API_CALL fake_unmap(cl_command_queue queue, cl_mem buffer, void *mapped,
                                     cl_uint count, const cl_event *waits, cl_event *event) {
    (void)queue, (void)buffer, (void)count, (void)waits;
    free(mapped);
    return give_event(event);
}
static cl_int CL_API_CALL fake_marker(cl_command_queue queue, cl_uint count, const cl_event *waits,
                                      cl_event *event) {
    (void)queue, (void)count, (void)waits;
    return give_event(event);
}
static cl_int CL_API_CALL fake_argument(cl_kernel kernel, cl_uint index, size_t bytes,
                                        const void *value) {
    (void)kernel, (void)index, (void)bytes, (void)value;
    arguments++;
    return CL_SUCCESS;
}
static cl_int CL_API_CALL fake_event_info(cl_event event, cl_event_info what, size_t bytes,
                                          void *value, size_t *needed) {
    const cl_int done = CL_COMPLETE;
    (void)event, (void)what, (void)needed;
    if (value && bytes >= sizeof done) memcpy(value, &done, sizeof done);
    return CL_SUCCESS;
}
static cl_int CL_API_CALL fake_event(cl_event event) { return (void)event, CL_SUCCESS; }
static cl_int CL_API_CALL fake_queue(cl_command_queue queue) { return (void)queue, CL_SUCCESS; }
static cl_int CL_API_CALL fake_wait(cl_uint count, const cl_event *events) {
    return (void)count, (void)events, CL_SUCCESS;
}
static cl_mem CL_API_CALL fake_buffer(cl_context context, cl_mem_flags flags, size_t bytes,
                                      void *from, cl_int *status) {
    (void)context, (void)flags, (void)bytes, (void)from;
    static char buffers[1 << 20]; /* a buffer is an address that no other one has */
    static int count;
    if (status) *status = CL_SUCCESS;
    return (cl_mem)(void *)&buffers[count++ % (int)sizeof buffers];
}
static cl_int CL_API_CALL fake_release(cl_mem buffer) { return (void)buffer, CL_SUCCESS; }
static cl_program CL_API_CALL fake_program(cl_context context, cl_uint count, const char **text,
                                           const size_t *lengths, cl_int *status) {
    (void)context, (void)count, (void)text, (void)lengths;
    *status = CL_SUCCESS;
    return (cl_program)&thing;
}
static cl_int CL_API_CALL fake_build(cl_program program, cl_uint count, const cl_device_id *devices,
                                     const char *options,
                                     void(CL_CALLBACK *done)(cl_program, void *), void *user) {
    (void)program, (void)count, (void)devices, (void)options, (void)done, (void)user;
    return CL_SUCCESS;
}
static cl_int CL_API_CALL fake_program_gone(cl_program program) {
    return (void)program, CL_SUCCESS;
}
static cl_kernel CL_API_CALL fake_kernel(cl_program program, const char *name, cl_int *status) {
    int i = 0;
    (void)program;
    while (i < kernel_count && strcmp(kernels[i], name) != 0) i++;
    if (i == kernel_count) snprintf(kernels[kernel_count++], sizeof kernels[0], "%s", name);
    *status = CL_SUCCESS;
    return (cl_kernel)(void *)kernels[i];
}
static cl_int CL_API_CALL fake_kernel_gone(cl_kernel kernel) { return (void)kernel, CL_SUCCESS; }
static cl_int CL_API_CALL fake_group(cl_kernel kernel, cl_device_id device,
                                     cl_kernel_work_group_info what, size_t bytes, void *value,
                                     size_t *needed) {
    const size_t group = 1024;
    (void)kernel, (void)device, (void)what, (void)needed;
    if (value && bytes >= sizeof group) memcpy(value, &group, sizeof group);
    return CL_SUCCESS;
}

/* Turns the open device into a GPU whose calls only count. */
static void replace(nn__opencl *device) {
    nn__opencl_api *cl = &device->cl;
    nn__opencl_finish(device);
    device->cpu = false, device->gpu = true, device->patient = true;
    device->unified = device->in_host_memory = false;
    device->lends = false, device->gathers = true;
    device->units = 132, device->group = 1024, device->local_memory = 48 << 10;
    device->memory = (cl_ulong)80 << 30, device->allocation = (cl_ulong)40 << 30;
    device->mma = NN__OPENCL_MMA_NVIDIA;
    device->mma_tested[0] = device->mma_tested[1] = 1;
    cl->EnqueueNDRangeKernel = fake_launch;
    cl->EnqueueReadBuffer = fake_read;
    cl->EnqueueWriteBuffer = fake_write;
    cl->EnqueueCopyBuffer = fake_copy;
    cl->EnqueueFillBuffer = fake_fill;
    cl->EnqueueMapBuffer = fake_map;
    cl->EnqueueUnmapMemObject = fake_unmap;
    cl->EnqueueMarkerWithWaitList = cl->EnqueueBarrierWithWaitList = fake_marker;
    cl->SetKernelArg = fake_argument;
    cl->GetEventInfo = fake_event_info;
    cl->RetainEvent = cl->ReleaseEvent = fake_event;
    cl->WaitForEvents = fake_wait;
    cl->Flush = cl->Finish = fake_queue;
    cl->CreateBuffer = fake_buffer;
    cl->ReleaseMemObject = fake_release;
    cl->CreateProgramWithSource = fake_program;
    cl->BuildProgram = fake_build;
    cl->ReleaseProgram = fake_program_gone;
    cl->CreateKernel = fake_kernel;
    cl->ReleaseKernel = fake_kernel_gone;
    cl->GetKernelWorkGroupInfo = fake_group;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

enum role { IN, OUT, SUM, KEPT, CHANGED, SCRATCH };

static double traffic_of(const nn_view *view, enum role role, bool adds) {
    if (!view->dtype || role == SCRATCH) return 0;
    return (double)nn__bytes(view) * (role == CHANGED || (role == SUM && adds) ? 2 : 1);
}

/* Returns the bytes that copies read and write, which are fewer than those of their views. */
static double copied(const nn_strided_copy_args *a) {
    double sum = a->fill ? (double)nn__bytes(&a->y) : 0;
    for (int i = 0; i < a->count; i++) {
        double numbers = 1;
        for (int k = 0; k < NN_COPY_AXES; k++) numbers *= a->pieces[i].extent[k];
        sum += numbers * (double)(nn_dtype_size(a->pieces[i].x.dtype) + nn_dtype_size(a->y.dtype));
    }
    return sum;
}

/* Returns the bytes that a kernel reads and writes. */
static double traffic(nn_kernel kernel, const void *args) {
    double sum = 0;
    if (kernel == NN_KERNEL_STRIDED_COPY) return copied((const nn_strided_copy_args *)args);
#define VIEW(role, field, many)                                                                    \
    for (int i = 0; i < (int)(many); i++) sum += traffic_of(&a->field + i, role, ADDS);
#define ITEM(role, list, count, field, many)                                                       \
    for (int e = 0; e < (int)a->count; e++)                                                        \
        for (int i = 0; i < (int)(many); i++)                                                      \
            sum += traffic_of((const nn_view *)&a->list[e].field + i, role, ADDS);
#define ADDS (kernel == NN_KERNEL_GEMM && ((const nn_gemm_args *)args)->accumulate)
#define CASE(number, upper, lower, type, family)                                                   \
    case NN_KERNEL_##upper: {                                                                      \
        const type *a = (const type *)args;                                                        \
        (void)a;                                                                                   \
        NN_##upper##_VIEWS(VIEW, ITEM) break;                                                      \
    }
    switch (kernel) {
        NN_KERNELS(CASE)
    default: break;
    }
#undef CASE
#undef ADDS
#undef ITEM
#undef VIEW
    return sum;
}

typedef struct row {
    char names[160];
    int steps, launches;
    double bytes;
} row;

static int more_bytes(const void *a, const void *b) {
    const double x = ((const row *)a)->bytes, y = ((const row *)b)->bytes;
    return x < y ? 1 : x > y ? -1 : strcmp(((const row *)a)->names, ((const row *)b)->names);
}

static void print_row(const row *r) {
    printf("  %9.1f MB %6d %6d  %s\n", r->bytes * 1e-6, r->steps, r->launches, r->names);
}

static void print_counts(nn_plan *plan) {
    static row rows[MOST_KERNELS];
    row sum = {"sum", 0, 0, 0};
    int count = 0;
    memset(rows, 0, sizeof rows);
    for (int s = 0; s < plan->step_count && s < MOST_STEPS; s++) {
        const nn__step *step = &plan->steps[s];
        const nn_kernel kernel = step->node->rule->kernel;
        const double bytes = step->args ? traffic(kernel, step->args) : 0;
        int i = 0;
        if (each_step)
            printf("    %3d %-24s %-40s %8.1f MB  %s\n", s + 1, step->node->rule->name,
                   step->node->name, bytes * 1e-6, names_of[s]);
        while (i < count && strcmp(rows[i].names, names_of[s]) != 0) i++;
        if (i == MOST_KERNELS) continue;
        if (i == count) strcpy(rows[count++].names, names_of[s]);
        rows[i].steps++, rows[i].launches += launches_of[s], rows[i].bytes += bytes;
        sum.steps++, sum.launches += launches_of[s], sum.bytes += bytes;
    }
    qsort(rows, (size_t)count, sizeof rows[0], more_bytes);
    printf("  %12s %6s %6s  %s\n", "bytes", "steps", "starts", "kernels");
    for (int i = 0; i < count; i++) print_row(&rows[i]);
    print_row(&sum);
}

static void measure(const char *name, nn_context *nn, nn_trainer *trainer) {
    nn_plan *plan = nn_trainer_plan(trainer);
    double least = 1e30;
    if (plan)
        for (int i = 0; i < plan->value_count; i++)
            if (plan->values[i].takes) {
                nn_tensor *t = nn_make_tensor(
                    nn, &(nn_tensor_desc){.shape = plan->values[i].view.shape,
                                          .dtype = plan->values[i].node->dtype,
                                          .device = nn_opencl(0)});
                if (t) nn_bind(plan, plan->values[i].node, t);
            }
    for (int i = 0; i < 8 && plan && !nn_error(nn); i++) {
        memset(launches_of, 0, sizeof launches_of);
        memset(names_of, 0, sizeof names_of);
        launches = arguments = 0;
        counted = plan;
        const double before = now(nn);
        nn_train_on_inputs(trainer);
        const double took = now(nn) - before;
        if (i > 1 && took < least) least = took;
        counted = NULL;
    }
    if (!plan || nn_error(nn)) {
        printf("%s: %s\n", name, nn_error(nn));
        nn_clear_error(nn);
        return;
    }
    printf("%s, %s: %ld launches, %.0f us of the host, %.1f MB of activations, %.1f MB of scratch\n",
           name, autocast ? "bf16" : "f32", launches, least * 1e6,
           (double)nn_plan_bytes(plan, nn_opencl(0), NN_MEMORY_ACTIVATIONS) * 1e-6,
           (double)nn_plan_bytes(plan, nn_opencl(0), NN_MEMORY_SCRATCH) * 1e-6);
    print_counts(plan);
}

/* ---- works ----------------------------------------------------------------------------------- */

static void count_gpt2(nn_context *nn, int batch, int time, int layers) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = nn_opencl(0), .seed = 1});
    nn_node *inputs[3], *loss;
    if (autocast) nn_autocast_begin(net, NN_BF16);
    loss = gpt2(net, layers, inputs);
    if (autocast) nn_autocast_end(net);
    nn_trainer_desc desc = {.batch = batch,
                            .time = time,
                            .optimizer = NN_ADAMW,
                            .learning_rate = 1e-4f,
                            .weight_decay = 0.01f};
    char name[48];
    snprintf(name, sizeof name, "gpt2 train %d x %d", batch, time);
    measure(name, nn, nn_make_trainer(net, loss, &desc));
    nn_free_model(net);
}

static void count_resnet(nn_context *nn, int batch, int width) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = nn_opencl(0), .seed = 1});
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 32, 32)), *logits;
    if (autocast) nn_autocast_begin(net, NN_BF16);
    logits = resnet18(net, image, &(resnet_desc){.classes = 10, .width = width, .cifar = true});
    if (autocast) nn_autocast_end(net);
    nn_node *labels = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_trainer_desc desc = {.batch = batch, .learning_rate = 1e-4f, .momentum = 0.9f};
    char name[48];
    snprintf(name, sizeof name, "resnet18 train %d", batch);
    measure(name, nn,
            nn_make_trainer(net, nn_cross_entropy(net, logits, labels, NULL), &desc));
    nn_free_model(net);
}

int main(int argc, char **argv) {
    const bool tiny = argc > 1 && strcmp(argv[1], "--tiny") == 0;
    const char *only = argc > 1 && !tiny ? argv[1] : "";
    const int layers = tiny ? 1 : argc > 2 ? atoi(argv[2]) : 12;
    each_step = argc > 3;
    for (int half = 0; half < 2; half++) {
        void *state = NULL;
        nn_context *nn = nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}, .threads = 1});
        if (nn_opencl_open(nn, &(nn_opencl_desc){
                                   .cache_folder = "", .no_clblast = true, .no_lending = true}) !=
            NN_OK) {
            printf("SKIP no OpenCL device\n");
            nn_close(nn);
            return 0;
        }
        nn_device_backend(nn, nn_opencl(0), &state);
        replace((nn__opencl *)state);
        nn__open_device *open = nn__find_device(nn, nn_opencl(0));
        open->limits.gpu = true;
        open->limits.host_memory = false;
        open->limits.memory = (uint64_t)80 << 30, open->limits.allocation = (uint64_t)40 << 30;
        autocast = half == 1;
        if (strstr("gpt2", only)) count_gpt2(nn, tiny ? 1 : 4, tiny ? 16 : 1024, layers);
        if (strstr("resnet18", only)) count_resnet(nn, tiny ? 2 : 256, tiny ? 4 : 64);
        nn_close(nn);
    }
    return 0;
}
