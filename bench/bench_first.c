/* bench/bench_first.c - the first start on an OpenCL device: how long it takes to compile all
   kernels of a training step, without the cache of the library and without that of the driver.

     bench_first [threads [steps [batch]]]
   Default: as many threads as cores, 0 steps after the kernels, batch 64.

   The net is ResNet-18 for pictures of 3 x 32 x 32, with SGD. PoCL's cache is a new, empty folder
   (POCL_CACHE_DIR), and CUDA's is switched off (CUDA_CACHE_DISABLE). The output is one line: the
   device, the threads, seconds of nn_prewarm, seconds of the steps. PoCL compiles a kernel for its
   work-groups only when the kernel is first launched, so there the first step compiles, too.

   With the layer of the tests, a CPU's driver compiles the kernels that a GPU would get:
     cc -shared -fPIC -o /tmp/libgpu.so tests/support/opencl_gpu_layer.c
     OPENCL_LAYERS=/tmp/libgpu.so GPU_UNITS=132 build/bench/bench_first 2 */
#define _POSIX_C_SOURCE 200809L
#ifndef NN_OPENCL_DYNAMIC
#define NN_OPENCL_DYNAMIC
#endif
#define NN_OPENCL_IMPLEMENTATION
#define main resnet_main
#include "../examples/15_resnet.c"
#undef main
#include "nn_opencl.h"

#include <sys/stat.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Gives the driver a cache without entries. */
static bool without_caches(void) {
    char folder[] = "/tmp/nn-first-XXXXXX";
    return mkdtemp(folder) && setenv("POCL_CACHE_DIR", folder, 1) == 0 &&
           setenv("CUDA_CACHE_DISABLE", "1", 1) == 0;
}

int main(int argc, char **argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 0, steps = argc > 2 ? atoi(argv[2]) : 0,
              batch = argc > 3 ? atoi(argv[3]) : 64;
    if (!without_caches()) return 1;
    nn_context *nn = nn_open(&(nn_desc){.threads = threads});
    if (nn_opencl_open(nn, &(nn_opencl_desc){.cache_folder = "",
                                             .no_clblast = true,
                                             .no_lending = true}) != NN_OK) {
        printf("no OpenCL device here\n");
        nn_close(nn);
        return 0;
    }
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = nn_opencl(0), .seed = 1});
    nn_node *x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 32, 32)),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH)),
            *y = resnet18(net, x, &(resnet_desc){.classes = 10, .width = 64, .cifar = true});
    nn_trainer *trainer = nn_make_trainer(
        net, nn_cross_entropy(net, y, label, NULL),
        &(nn_trainer_desc){
            .batch = batch, .optimizer = NN_SGD, .learning_rate = 1e-3f, .momentum = 0.9f});
    const size_t count = (size_t)batch * 3 * 32 * 32;
    float *pixels = (float *)calloc(count, sizeof *pixels);
    int32_t *labels = (int32_t *)calloc((size_t)batch, sizeof *labels);
    nn_plan *plan = nn_trainer_plan(trainer);
    nn_upload(plan, x, pixels, count * sizeof *pixels);
    nn_upload(plan, label, labels, (size_t)batch * sizeof *labels);
    const double start = now();
    const nn_result result = nn_prewarm(plan, NULL);
    const double built = now();
    float loss = 0;
    for (int i = 0; i < steps; i++) nn_train_on_inputs(trainer);
    if (steps) nn_read_loss(trainer, &loss);
    const double ended = now();
    nn_opencl_info info;
    nn_opencl_describe(nn, nn_opencl(0), &info);
    if (result != NN_OK || nn_error(nn)) printf("failed: %s\n", nn_error(nn));
    printf("%s, %d threads: nn_prewarm %.2f s, %d steps %.2f s, loss %.9g\n", info.name,
           nn_thread_count(nn), built - start, steps, ended - built, (double)loss);
    free(pixels);
    free(labels);
    nn_close(nn);
    return result == NN_OK ? 0 : 1;
}
