/* tests/opencl/test_opencl_lend.c - kernels that a CPU's OpenCL device lends to the CPU backend
   (src/opencl/lend.c): the bytes of the CPU, whatever uses the buffers in between; buffers of the
   caller; times in a profile; the text of a plan. tests/kernels/test_backends.c tests every kernel,
   tests/opencl/test_opencl_calls.c the failure of every call. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include <stdlib.h>

#include "inside.h"
#include "test.h"

#include "opencl_as_gpu.h"

enum { SIDE = 24, COUNT = SIDE * SIDE, TENSORS = 7, CALLS = 4000 };

/* A context with a CPU's OpenCL device that lends whatever it may; NULL: there is none. */
static nn_context *open_lending(nn_device *device, nn__opencl **state, bool profile) {
    nn_context *nn = nn_open(NULL);
    nn_opencl_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.type = NN_OPENCL_CPU;
    desc.cache_folder = "";
    desc.profile = profile;
    if (nn && nn_opencl_open(nn, &desc) == NN_OK) {
        void *found = NULL;
        *device = nn_device_at(nn, 1);
        nn_device_backend(nn, *device, &found);
        *state = (nn__opencl *)found;
        (*state)->lends = true;
        if ((*state)->cpu && (*state)->in_host_memory) return nn;
    }
    nn_close(nn);
    return NULL;
}

static nn_tensor *make(nn_context *nn, nn_device device) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.device = device;
    desc.shape = NN_SHAPE(SIDE, SIDE);
    return nn_make_tensor(nn, &desc);
}

static uint32_t random_state = 20261123;
static int pick(int below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (uint32_t)below);
}

static void draw(float *to) {
    for (int i = 0; i < COUNT; i++) to[i] = (float)(pick(2001) - 1000) / 1000;
}

/* The same calls on both: kernels that are lent, and launches, transfers, fills and releases, some
   of which need the buffers back. All but the products, which are always lent, are exact. */
typedef struct side {
    nn_device device;
    const nn_backend *backend;
    void *state;
    nn_tensor *t[TENSORS];
} side;

static nn_result call(nn_context *nn, side *s, int what, const int *which, const float *numbers) {
    nn_tensor *y = s->t[which[0]], *a = s->t[which[1]], *b = s->t[which[2]];
    const nn_view to = nn_tensor_view(y), from = nn_tensor_view(a);
    nn_fence fence;
    nn_result result;
    switch (what) {
    case 0: return nn_upload_tensor(y, numbers, COUNT * sizeof(float));
    case 1: return nn_minimum_forward(y, a, b);
    case 2: return nn_scale_forward(y, a, 0.5f);
    case 3:
        return y == a ? NN_OK
                      : s->backend->copy(s->state, to.handle, to.offset, from.handle, from.offset,
                                         COUNT * sizeof(float));
    case 4: return s->backend->fill(s->state, to.handle, to.offset + 64, 512, 0x3f);
    case 5: /* on the copy queue */
        result = s->backend->upload(s->state, to.handle, to.offset, numbers, COUNT * sizeof(float),
                                    &fence);
        return result == NN_OK ? s->backend->fence_wait(s->state, fence) : result;
    case 6:
        nn_free_tensor(y);
        s->t[which[0]] = make(nn, s->device);
        return nn_upload_tensor(s->t[which[0]], numbers, COUNT * sizeof(float));
    default:
        if (y == a || y == b) return NN_OK;
        result = nn_matmul_forward(y, a, b, NULL);
        if (result == NN_OK) result = nn_scale_forward(y, y, 0.25f);
        return result;
    }
}

static void test_random_calls(void) {
    static float numbers[COUNT], back[2][COUNT];
    nn__opencl *state;
    side sides[2];
    int most = 0;
    nn_context *nn = open_lending(&sides[1].device, &state, false);
    if (!nn) SKIP("no OpenCL device of a CPU here");
    sides[0].device = nn_cpu();
    for (int s = 0; s < 2; s++) {
        sides[s].backend = nn_device_backend(nn, sides[s].device, &sides[s].state);
        for (int i = 0; i < TENSORS; i++) sides[s].t[i] = make(nn, sides[s].device);
    }
    for (int i = 0; i < TENSORS; i++) {
        draw(numbers);
        for (int s = 0; s < 2; s++)
            ENSURE(nn_upload_tensor(sides[s].t[i], numbers, sizeof numbers) == NN_OK);
    }
    for (int k = 0; k < CALLS; k++) {
        const int what = pick(16), which[3] = {pick(TENSORS), pick(TENSORS), pick(TENSORS)};
        draw(numbers);
        state->lends = (what != 1 && what != 2) || pick(2); /* or a launch */
        for (int s = 0; s < 2; s++)
            if (call(nn, &sides[s], what, which, numbers) != NN_OK) {
                test_fail(__FILE__, __LINE__, "call %d: %s", k, nn_error(nn));
                return;
            }
        most = state->lent_count > most ? state->lent_count : most;
        if (k % 5) continue; /* reading takes buffers back, too */
        for (int s = 0; s < 2; s++)
            ENSURE(nn_download_tensor(sides[s].t[which[0]], back[s], sizeof back[s]) == NN_OK);
        if (memcmp(back[0], back[1], sizeof back[0]) != 0) {
            test_fail(__FILE__, __LINE__, "call %d, of kind %d: not the bytes of the CPU", k, what);
            break;
        }
        for (int i = 0; i < COUNT; i++)
            if (!(back[0][i] < 1e6f && back[0][i] > -1e6f)) { /* stay among finite numbers */
                draw(numbers);
                for (int s = 0; s < 2; s++)
                    nn_upload_tensor(sides[s].t[which[0]], numbers, sizeof numbers);
                break;
            }
    }
    ENSURE(most >= 3); /* it did lend */
    nn_close(nn);
}

/* All buffers stay lent until all are taken back, and each one has the right numbers. */
static void test_many_buffers(void) {
    enum { MANY = 150 };
    static float numbers[COUNT], back[2][COUNT];
    nn_device device;
    nn__opencl *state;
    nn_tensor *x, *cpu_x, *y[MANY], *cpu_y;
    nn_context *nn = open_lending(&device, &state, false);
    if (!nn) SKIP("no OpenCL device of a CPU here");
    x = make(nn, device);
    cpu_x = make(nn, nn_cpu());
    cpu_y = make(nn, nn_cpu());
    draw(numbers);
    ENSURE(nn_upload_tensor(x, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_upload_tensor(cpu_x, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_matmul_forward(cpu_y, cpu_x, cpu_x, NULL) == NN_OK);
    ENSURE(nn_download_tensor(cpu_y, back[0], sizeof back[0]) == NN_OK);
    for (int i = 0; i < MANY; i++) {
        y[i] = make(nn, device);
        ENSURE(nn_matmul_forward(y[i], x, x, NULL) == NN_OK);
        ENSURE(state->lent_count >= i + 2);
    }
    ENSURE(nn__opencl_take_back(state, NULL) == NN_OK && state->lent_count == 0);
    for (int i = 0; i < MANY; i++) {
        ENSURE(nn_download_tensor(y[i], back[1], sizeof back[1]) == NN_OK);
        ENSURE(memcmp(back[0], back[1], sizeof back[0]) == 0);
    }
    nn_close(nn);
}

/* For a buffer of some megabytes large pages are requested when it is made; its contents are
   right. */
static void test_large(void) {
    enum { LARGE = 1100 };
    const size_t bytes = (size_t)LARGE * LARGE * sizeof(float);
    nn_tensor_desc desc;
    nn_device device;
    nn__opencl *state;
    nn_context *nn = open_lending(&device, &state, false);
    float *numbers = (float *)malloc(2 * bytes), *back = numbers + LARGE * LARGE;
    if (!nn) SKIP("no OpenCL device of a CPU here");
    memset(&desc, 0, sizeof desc);
    desc.device = device;
    desc.shape = NN_SHAPE(LARGE, LARGE);
    nn_tensor *x = nn_make_tensor(nn, &desc);
    ENSURE(numbers && x && state->lent_count == 0);
    for (int i = 0; i < LARGE * LARGE; i++) numbers[i] = (float)i;
    ENSURE(nn_upload_tensor(x, numbers, bytes) == NN_OK);
    ENSURE(nn_scale_forward(x, x, 0.5f) == NN_OK && state->lent_count > 0);
    ENSURE(nn_download_tensor(x, back, bytes) == NN_OK);
    for (int i = 0; i < LARGE * LARGE; i++)
        if (back[i] != numbers[i] * 0.5f) {
            test_fail(__FILE__, __LINE__, "%d is %g", i, (double)back[i]);
            break;
        }
    free(numbers);
    nn_close(nn);
}

/* After every call, the caller may use its buffer in commands of its own. */
static void test_wrapped(void) {
    static float numbers[COUNT], back[2][COUNT];
    nn_device device;
    nn__opencl *state;
    nn_tensor *x, *y, *wrapped;
    cl_mem buffer;
    cl_event event;
    cl_int status;
    nn_context *nn = open_lending(&device, &state, false);
    if (!nn) SKIP("no OpenCL device of a CPU here");
    x = make(nn, device);
    y = make(nn, device);
    draw(numbers);
    ENSURE(nn_upload_tensor(x, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_matmul_forward(y, x, x, NULL) == NN_OK && state->lent_count > 0);
    buffer = state->cl.CreateBuffer(state->context, CL_MEM_READ_WRITE, sizeof numbers + 64, NULL,
                                    &status);
    wrapped = nn_opencl_wrap(nn, device, "mine", NN_F32, NN_SHAPE(SIDE, SIDE), buffer, 64);
    ENSURE(wrapped && state->lent_count == 0);
    ENSURE(nn_matmul_forward(wrapped, x, x, NULL) == NN_OK && state->lent_count == 0);
    event = (cl_event)nn_opencl_done_event(nn, device);
    ENSURE(state->cl.EnqueueReadBuffer(state->compute, buffer, CL_TRUE, 64, sizeof back[0], back[0],
                                       1, &event, NULL) == CL_SUCCESS);
    state->cl.ReleaseEvent(event);
    ENSURE(nn_download_tensor(y, back[1], sizeof back[1]) == NN_OK);
    ENSURE(memcmp(back[0], back[1], sizeof back[0]) == 0 && back[0][5] != 0);
    nn_close(nn);
}

/* ---- plans ----------------------------------------------------------------------------------- */

static nn_node *image, *label; /* of the last trainer */

static nn_trainer *make_trainer(nn_context *nn, nn_device device) {
    nn_model_desc model;
    nn_linear_desc layer;
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    nn_trainer_desc desc;
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    memset(&desc, 0, sizeof desc);
    model.device = device;
    conv.out_channels = 4;
    conv.kernel = 3;
    pool.kernel = 2;
    layer.out_features = 5;
    nn_model *net = nn_make_model(nn, &model);
    image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 12, 12));
    label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = nn_max_pool2d(net, nn_relu(net, nn_conv2d(net, "conv1", image, &conv)), &pool);
    x = nn_relu(net, nn_conv2d(net, "conv2", x, &conv));
    x = nn_linear(net, "fc", nn_flatten(net, x), &layer);
    desc.batch = 16;
    desc.separate_steps = true;
    return nn_make_trainer(net, nn_cross_entropy(net, x, label, NULL), &desc);
}

static char text[1 << 16];

static void test_plan(void) {
    static float images[16 * 144];
    static int32_t labels[16];
    nn_device device;
    nn__opencl *state;
    float loss[2];
    nn_text out = {text, sizeof text, 0};
    nn_writer writer = {nn_write_text, &out};
    nn_context *nn = open_lending(&device, &state, true);
    if (!nn) SKIP("no OpenCL device of a CPU here");
    for (int i = 0; i < 16 * 144; i++) images[i] = (float)(i * 37 % 101) / 101;
    for (int i = 0; i < 16; i++) labels[i] = i % 5;
    for (int s = 0; s < 2; s++) {
        nn_trainer *trainer = make_trainer(nn, s ? device : nn_cpu());
        nn_plan *plan = nn_trainer_plan(trainer);
        ENSURE(trainer && nn_start_profile(plan) == NN_OK);
        for (int i = 0; i < 20; i++) {
            ENSURE(nn_upload(plan, image, images, sizeof images) == NN_OK);
            ENSURE(nn_upload(plan, label, labels, sizeof labels) == NN_OK);
            ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        }
        ENSURE(nn_read_loss(trainer, &loss[s]) == NN_OK);
        for (int i = 0; i < nn_profile_count(plan); i++) {
            nn_profile_entry entry = nn_profile_at(plan, i);
            ENSURE(entry.calls == 20 && entry.timed && entry.nanoseconds > 0);
        }
        if (s) nn_write_plan(plan, writer);
    }
    ENSURE(strstr(text, "by the CPU backend") != NULL);
    ENSURE(loss[0] - loss[1] < 1e-5f && loss[1] - loss[0] < 1e-5f && loss[0] > 0);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_random_calls);
    RUN(test_many_buffers);
    RUN(test_large);
    RUN(test_wrapped);
    RUN(test_plan);
    return test_report();
}
