/* tests/test_optimizers.c - every optimizer, parameter groups, clipping and accumulation against
   parameters that PyTorch made (tests/golden/optimizers.py), with each instruction set, and on
   OpenCL. */
#ifndef NN_TEST_OPENCL
#define NN_IMPLEMENTATION
#endif
#include "nn.h"

#ifdef NN_TEST_OPENCL
#include "nn_opencl.h"
#endif

#include "test.h"

#include "golden/optimizers.h"

#include <stdlib.h>

enum { WEIGHTS = 15, NUMBERS = 18 };

/* A linear layer with the golden start, and its loss. */
typedef struct layer {
    nn_model *net;
    nn_node *x, *y, *loss;
} layer;

static layer make_layer(nn_context *nn, nn_device device) {
    layer l;
    l.net = nn_make_model(nn, &(nn_model_desc){.name = "net", .device = device});
    l.x = nn_input(l.net, "x", NN_F32, NN_SHAPE(NN_BATCH, 5));
    l.y = nn_input(l.net, "y", NN_F32, NN_SHAPE(NN_BATCH, 3));
    l.loss = nn_mse_loss(l.net, nn_linear(l.net, "fc", l.x, &(nn_linear_desc){.out_features = 3}),
                         l.y, NN_MEAN);
    nn_upload_tensor(nn_find_tensor(l.net, "fc.weight"), optimizer_start, WEIGHTS * sizeof(float));
    nn_upload_tensor(nn_find_tensor(l.net, "fc.bias"), optimizer_start + WEIGHTS,
                     3 * sizeof(float));
    return l;
}

static void give_batch(const layer *l, nn_trainer *trainer, int k) {
    nn_plan *plan = nn_trainer_plan(trainer);
    nn_upload(plan, l->x, optimizer_x + k % 4 * 20, 20 * sizeof(float));
    nn_upload(plan, l->y, optimizer_y + k % 4 * 12, 12 * sizeof(float));
}

static void read_layer(const layer *l, float *to) {
    nn_download_tensor(nn_find_tensor(l->net, "fc.weight"), to, WEIGHTS * sizeof(float));
    nn_download_tensor(nn_find_tensor(l->net, "fc.bias"), to + WEIGHTS, 3 * sizeof(float));
}

/* ---- 20 steps -------------------------------------------------------------------------------- */

static void check_steps(nn_context *nn, nn_device device, const char *name, nn_trainer_desc desc,
                        const double *golden, double error) {
    layer l = make_layer(nn, device);
    float values[NUMBERS];
    nn_trainer *trainer;
    double largest = 0;
    desc.batch = 4;
    trainer = nn_make_trainer(l.net, l.loss, &desc);
    for (int k = 0; k < OPTIMIZER_STEPS; k++) {
        give_batch(&l, trainer, k);
        nn_step(trainer);
    }
    read_layer(&l, values);
    if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s: %s", name, nn_error(nn));
    /* four times the error of PyTorch's float32, and half of the last place of a number near 1 */
    for (int i = 0; i < NUMBERS; i++)
        if (fabs((double)values[i] - golden[i]) > largest)
            largest = fabs((double)values[i] - golden[i]);
    if (!(largest <= 4 * error + 6e-8))
        test_fail(__FILE__, __LINE__, "%s: error %.3g, PyTorch's float32 has %.3g", name, largest,
                  error);
    nn_clear_error(nn);
    nn_free_model(l.net);
}

/* every: all cases, and not only those that are enough where each has to be compiled. */
static void check_all(nn_context *nn, nn_device device, bool every) {
    static const char some[] = " adam rmsprop_centered_momentum adadelta_rho clip_muon ";
#define CASE(name, error, ...)                                                                     \
    if (every || strstr(some, " " #name " "))                                                      \
        check_steps(nn, device, #name, (nn_trainer_desc){__VA_ARGS__}, optimizer_##name, error);
    OPTIMIZER_CASES(CASE)
#undef CASE
}

static void check_set(nn_instruction_set set) {
    nn_context *nn = nn_open(&(nn_desc){.instructions = set, .threads = 2});
    if (!nn) return; /* not on this machine */
    check_all(nn, nn_cpu(), true);
    nn_close(nn);
}

static void test_plain(void) { check_set(NN_INSTRUCTIONS_PLAIN); }
static void test_vectors(void) { check_set(NN_INSTRUCTIONS_DEFAULT); }
static void test_opencl(void) {
#ifdef NN_TEST_OPENCL
    nn_context *nn = nn_open(NULL);
    if (nn_opencl_open(nn, NULL) == NN_OK) {
        check_all(nn, nn_opencl(0), getenv("NN_FULL") != NULL);
        nn_close(nn);
        return;
    }
    nn_clear_error(nn);
    nn_close(nn);
#endif
    SKIP("no OpenCL device");
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_plain);
    RUN(test_vectors);
    RUN(test_opencl);
    return test_report();
}
