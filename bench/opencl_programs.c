/* bench/opencl_programs.c - the programs that the training steps of W1 to W4 and of ResNet-18
   give to a GPU, including generated ones, for tools/kernel_code.sh, which compiles them for GPUs
   that are not here.

     opencl_programs [folder [units [net]]]
   Any OpenCL device will do: it is treated as a GPU of this many compute units (default: 132), and
   is not given the kernels. Each launch of a step is one line: net, work-groups along three
   extents, work-items of a group, kernel, file, options. folder: each program's text is written
   there as the file of that line.

   W1 to W4 are those of bench_w1_w5.c, ResNet-18 that of bench_nets.c. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifndef NN_OPENCL_DYNAMIC
#define NN_OPENCL_DYNAMIC
#endif
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <stdio.h>
#include <stdlib.h>

#define main resnet_main
#include "../examples/15_resnet.c"
#undef main

enum { MOST_PROGRAMS = 500 };

static nn__opencl *gpu;
static const char *net_name, *folder = "";
static int launches;
static struct {
    cl_program program;
    unsigned text; /* its hash, which is the file's name */
    char options[300];
} programs[MOST_PROGRAMS];
static int program_count;
static struct {
    cl_kernel kernel;
    cl_program program;
    char entry[64];
} kernels[4 * MOST_PROGRAMS];
static int kernel_count;
static cl_kernel(CL_API_CALL *create_kernel)(cl_program, const char *, cl_int *);
static cl_program(CL_API_CALL *create)(cl_context, cl_uint, const char **, const size_t *,
                                       cl_int *);
static cl_int(CL_API_CALL *build)(cl_program, cl_uint, const cl_device_id *, const char *,
                                  void(CL_CALLBACK *)(cl_program, void *), void *);

static void fail(const char *what) {
    fprintf(stderr, "opencl_programs: %s\n", what);
    exit(1);
}

static cl_program CL_API_CALL keep_text(cl_context context, cl_uint count, const char **texts,
                                        const size_t *lengths, cl_int *status) {
    unsigned number = 2166136261u;
    char path[400];
    FILE *file;
    if (program_count == MOST_PROGRAMS) fail("too many programs");
    for (const char *at = texts[0]; *at; at++) number = (number ^ (unsigned char)*at) * 16777619u;
    programs[program_count].text = number;
    snprintf(path, sizeof path, "%s/%08x.cl", folder, number);
    if (*folder) {
        file = fopen(path, "w");
        if (!file || fputs(texts[0], file) < 0 || fclose(file) != 0) fail("cannot write a text");
    }
    return programs[program_count++].program = create(context, count, texts, lengths, status);
}

static cl_int CL_API_CALL keep_options(cl_program program, cl_uint count, const cl_device_id *ids,
                                       const char *options,
                                       void(CL_CALLBACK *told)(cl_program, void *), void *user) {
    const char *own = strstr(options, "-w ");
    for (int i = 0; i < program_count; i++)
        if (programs[i].program == program)
            snprintf(programs[i].options, sizeof programs[i].options, "%s", own ? own + 3 : "");
    return build(program, count, ids, options, told, user);
}

static cl_kernel CL_API_CALL keep_kernel(cl_program program, const char *entry, cl_int *status) {
    if (kernel_count == 4 * MOST_PROGRAMS) fail("too many kernels");
    kernels[kernel_count].program = program;
    snprintf(kernels[kernel_count].entry, sizeof kernels[0].entry, "%s", entry);
    return kernels[kernel_count++].kernel = create_kernel(program, entry, status);
}

static cl_int CL_API_CALL show(cl_command_queue queue, cl_kernel kernel, cl_uint extents,
                               const size_t *offset, const size_t *global, const size_t *local,
                               cl_uint count, const cl_event *waits, cl_event *event) {
    size_t items = 1, groups[3] = {1, 1, 1};
    int found = kernel_count, which = program_count;
    (void)queue, (void)offset, (void)count, (void)waits, (void)event;
    launches++;
    while (found-- > 0 && kernels[found].kernel != kernel) {}
    while (found >= 0 && which-- > 0 && programs[which].program != kernels[found].program) {}
    if (found < 0 || which < 0) fail("a launch of an unknown kernel");
    for (cl_uint i = 0; i < extents; i++) {
        groups[i] = global[i] / local[i];
        items *= local[i];
    }
    if (net_name)
        printf("%-8s %5d %4d %4d x %3d  %s %08x.cl %s\n", net_name, (int)groups[0],
               (int)groups[1], (int)groups[2], (int)items, kernels[found].entry, programs[which].text,
               programs[which].options);
    return CL_SUCCESS;
}

/* ---- nets ------------------------------------------------------------------------------------ */

static nn_node *conv(nn_model *net, const char *name, nn_node *x, int channels) {
    return nn_relu(net, nn_conv2d(net, name, x, &(nn_conv2d_desc){.out_channels = channels,
                                                                  .kernel = 3, .padding = 1}));
}

static nn_node *dense(nn_model *net, const char *name, nn_node *x, int features) {
    return nn_linear(net, name, x, &(nn_linear_desc){.out_features = features});
}

static nn_node *logits_of(nn_model *net, int which, nn_node *x) {
    const nn_pool2d_desc pool = {.kernel = 2};
    if (which == 4)
        return resnet18(net, x, &(resnet_desc){.classes = 10, .width = 64, .cifar = true});
    if (which < 2) {
        x = conv(net, "conv1", x, which == 0 ? 16 : 32);
        if (which == 1) x = conv(net, "conv2", x, 64);
        x = nn_flatten(net, nn_max_pool2d(net, x, &pool));
        if (which == 1) x = nn_relu(net, dense(net, "fc1", x, 128));
        return dense(net, "last", x, 10);
    }
    x = nn_relu(net, dense(net, "fc1", x, which == 2 ? 256 : 64));
    x = nn_relu(net, dense(net, "fc2", x, which == 2 ? 128 : 64));
    return dense(net, "last", x, which == 2 ? 10 : 2);
}

/* Several steps of W4, which become one launch. */
static void several(nn_context *nn, nn_trainer *trainer) {
    static float pixels[32 * 32 * 4];
    static int32_t labels[32 * 32];
    nn_dataset *set = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = 32 * 32,
                .fields = NN_FIELDS({.name = "image", .shape = NN_SHAPE(4), .data = pixels},
                                    {.name = "label", .dtype = NN_I32, .data = labels})});
    nn_loader *loader = nn_make_loader(nn, &(nn_loader_desc){.dataset = set, .batch = 32,
                                                             .device = nn_opencl(0),
                                                             .on_device = true, .prefetch = 16});
    if (nn_train_steps(trainer, loader, 16, NULL) != NN_OK) fail(nn_error(nn));
    nn_free_loader(loader);
}

static void step(nn_context *nn, int which, const char *name) {
    const nn_shape shapes[] = {NN_SHAPE(NN_BATCH, 3, 64, 64), NN_SHAPE(NN_BATCH, 1, 28, 28),
                               NN_SHAPE(NN_BATCH, 784), NN_SHAPE(NN_BATCH, 4),
                               NN_SHAPE(NN_BATCH, 3, 32, 32)};
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = nn_opencl(0), .seed = 1});
    nn_node *x = nn_input(net, "image", NN_F32, shapes[which]),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *loss = nn_cross_entropy(net, logits_of(net, which, x), label, NULL);
    nn_trainer *trainer = nn_make_trainer(
        net, loss,
        &(nn_trainer_desc){.batch = which == 3 ? 32 : 64,
                           .optimizer = which == 4 ? NN_SGD : NN_ADAM,
                           .learning_rate = 1e-3f, .momentum = which == 4 ? 0.9f : 0});
    static float pixels[64 * 3 * 64 * 64];
    static int32_t labels[64];
    nn_shape shape = shapes[which];
    shape.extent[0] = which == 3 ? 32 : 64;
    nn_upload(nn_trainer_plan(trainer), x, pixels, (size_t)nn_shape_count(shape) * sizeof *pixels);
    nn_upload(nn_trainer_plan(trainer), label, labels, (size_t)shape.extent[0] * sizeof *labels);
    net_name = NULL;
    if (nn_train_on_inputs(trainer) != NN_OK) fail(nn_error(nn)); /* the first one prepares */
    net_name = name;
    if (nn_train_on_inputs(trainer) != NN_OK) fail(nn_error(nn));
    if (which == 3) several(nn, trainer);
    nn_free_model(net);
}

int main(int argc, char **argv) {
    static const char *const names[] = {"W1", "W2", "W3", "W4", "resnet18"};
    nn_context *nn = nn_open(NULL);
    void *state = NULL;
    if (argc > 1) folder = argv[1];
    if (!nn ||
        nn_opencl_open(nn, &(nn_opencl_desc){.cache_folder = "", .no_clblast = true}) != NN_OK)
        fail("no OpenCL device here");
    nn_device_backend(nn, nn_opencl(0), &state);
    gpu = (nn__opencl *)state;
    gpu->cpu = gpu->lends = false;
    gpu->gpu = true;
    gpu->build_threads = 1; /* keep_text runs on the thread that builds */
    gpu->units = argc > 2 ? (uint32_t)atoi(argv[2]) : 132;
    nn__find_device(nn, nn_opencl(0))->limits.gpu = true;
    create = gpu->cl.CreateProgramWithSource;
    build = gpu->cl.BuildProgram;
    gpu->cl.CreateProgramWithSource = keep_text;
    gpu->cl.BuildProgram = keep_options;
    create_kernel = gpu->cl.CreateKernel;
    gpu->cl.CreateKernel = keep_kernel;
    gpu->cl.EnqueueNDRangeKernel = show;
    for (int i = 0; i < 5; i++)
        if (argc < 4 || strcmp(argv[3], names[i]) == 0) step(nn, i, names[i]);
    nn_close(nn);
    return launches ? 0 : 1;
}
