/* test_firmware.c: the library as a firmware uses it, with every NN_NO_ macro defined. Some code is
   then different, and there are no messages: a mistake must be an error code. */
#include <stdint.h>

/* The instructions of a Cortex-M4 for pairs of 16-bit numbers, in C: integers are computed here as
   such a processor computes them. */
#if !defined(__ARM_FEATURE_SIMD32) && !defined(__aarch64__) && defined(__BYTE_ORDER__) &&          \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static int32_t pair_of(int32_t low, int32_t high) {
    return (int32_t)(((uint32_t)low & 0xffff) | (uint32_t)high << 16);
}
static int32_t widened_pair(int32_t four) {
    return pair_of((int8_t)(four & 0xff), (int8_t)((uint32_t)four >> 16 & 0xff));
}
static int32_t added_pair(int32_t pair, int32_t four) {
    const int32_t wide = widened_pair(four);
    return pair_of(pair + wide, (int32_t)((uint32_t)pair >> 16) + (int32_t)((uint32_t)wide >> 16));
}
static int32_t added_products(int32_t a, int32_t b, int32_t sum) {
    const int32_t low = (int16_t)(a & 0xffff) * (int16_t)(b & 0xffff);
    const int32_t high = (int16_t)((uint32_t)a >> 16) * (int16_t)((uint32_t)b >> 16);
    return (int32_t)((uint32_t)low + (uint32_t)high + (uint32_t)sum);
}
#define __ARM_FEATURE_SIMD32 1
#define __ARM_FEATURE_DSP    1
#define __sxtb16             widened_pair
#define __sxtab16            added_pair
#define __smlad              added_products
#endif

#include "firmware.h"
#include "nn_quantize.h"

#include "test.h"

#include <stdlib.h>

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

/* Fails at allocation number `fails`, counted from 0; a negative number means never. */
typedef struct host {
    int allocations, fails, held;
} host;

static void *host_allocate(void *user, size_t bytes, size_t alignment) {
    host *self = (host *)user;
    char *whole = self->allocations++ == self->fails ? NULL : (char *)malloc(bytes + 2 * alignment);
    if (!whole) return NULL;
    self->held++;
    char *at = whole + alignment;
    at += (alignment - (uintptr_t)at % alignment) % alignment;
    memcpy(at - sizeof whole, &whole, sizeof whole);
    return at;
}

static void host_release(void *user, void *pointer, size_t bytes, size_t alignment) {
    char *whole;
    (void)bytes, (void)alignment;
    ((host *)user)->held--;
    memcpy(&whole, (char *)pointer - sizeof whole, sizeof whole);
    free(whole);
}

static nn_context *open_on(host *self) {
    nn_desc desc;
    ZERO(desc);
    desc.allocator.allocate = host_allocate;
    desc.allocator.release = host_release;
    desc.allocator.user = self;
    return nn_open(&desc);
}

/* relu(x W^T + b) of 3 numbers. An nn_transfer to the CPU, where the values already are, copies
   nothing. */
typedef struct net {
    nn_model *model;
    nn_node *x, *here, *y;
} net;

static net describe(nn_context *nn) {
    net made;
    nn_linear_desc linear;
    ZERO(linear);
    linear.out_features = 70;
    made.model = nn_make_model(nn, NULL);
    made.x = nn_input(made.model, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    made.here = nn_transfer(made.model, nn_linear(made.model, "fc", made.x, &linear), nn_cpu());
    made.y = nn_relu(made.model, made.here);
    return made;
}

static nn_plan *plan_of(const net *made, int batch) {
    nn_plan_desc desc;
    ZERO(desc);
    desc.outputs = NN_NODES(made->y, made->here);
    desc.batch = batch;
    return nn_make_plan(made->model, &desc);
}

/* Runs two samples, and compares with plain loops over the weights that the net has. */
static bool computes(const net *made, nn_plan *plan) {
    static const float x[6] = {1.0f, -0.5f, 0.25f, -2.0f, 0.75f, 3.0f};
    static float weight[70 * 3], bias[70], here[2 * 70], y[2 * 70];
    bool fine = nn_download_tensor(nn_find_tensor(made->model, "fc.weight"), weight,
                                   sizeof weight) == NN_OK &&
                nn_download_tensor(nn_find_tensor(made->model, "fc.bias"), bias, sizeof bias) ==
                    NN_OK &&
                nn_upload(plan, made->x, x, sizeof x) == NN_OK && nn_run(plan) == NN_OK &&
                nn_download(plan, made->here, here, sizeof here) == NN_OK &&
                nn_download(plan, made->y, y, sizeof y) == NN_OK;
    for (int i = 0; fine && i < 2 * 70; i++) {
        const float *row = x + i / 70 * 3, *w = weight + i % 70 * 3;
        const float sum = bias[i % 70] + row[0] * w[0] + row[1] * w[1] + row[2] * w[2];
        fine = fabsf(here[i] - sum) < 1e-5f && y[i] == (here[i] > 0.0f ? here[i] : 0.0f);
    }
    return fine;
}

static void transfer_within_the_device(void) {
    host self = {0, -1, 0};
    nn_context *nn = open_on(&self);
    net made = describe(nn);
    nn_plan *plan = plan_of(&made, 2);
    ENSURE(plan && computes(&made, plan));
    ENSURE(nn_error_code(nn) == NN_OK);
    nn_close(nn);
    ENSURE(self.held == 0);
}

static void stay_open(void *state) { (void)state; }

/* A plan of this library has one device, so transfers to another device are refused, whether that
   is open or not. */
static void transfer_to_another_device(void) {
    host self = {0, -1, 0};
    nn_context *nn = open_on(&self);
    const nn_backend *cpu;
    nn_backend other;
    nn_device device;
    void *state;
    net made = describe(nn);
    made.y = nn_transfer(made.model, made.here, nn_opencl(0));
    ENSURE(plan_of(&made, 2) == NULL && nn_error_code(nn) == NN_ERROR_FAULTS);
    nn_clear_error(nn);
    cpu = nn_device_backend(nn, nn_cpu(), &state);
    other = *cpu; /* the CPU's functions under another name */
    other.kind = NN_USER_0;
    other.close = stay_open;
    ENSURE(nn_add_backend(nn, &other, state, &device) == NN_OK);
    made = describe(nn);
    made.y = nn_transfer(made.model, made.here, device);
    ENSURE(plan_of(&made, 2) == NULL && nn_error_code(nn) == NN_ERROR_FAULTS);
    nn_close(nn);
}

/* Every allocation fails in turn. The same call succeeds when there is memory again. */
static void no_memory(void) {
    host self = {0, 0, 0};
    int failed = 0;
    for (bool done = false; !done; self.fails++) {
        self.allocations = 0;
        nn_context *nn = open_on(&self);
        if (!nn) {
            failed++;
            ENSURE(self.held == 0);
            continue;
        }
        net made = describe(nn);
        const bool described = nn_fault_count(made.model) == 0 && made.model;
        const int before = self.held;
        nn_plan *plan = described ? plan_of(&made, 2) : NULL;
        done = self.allocations <= self.fails;
        ENSURE(done == (plan != NULL));
        if (!plan && described) { /* nothing of the plan was left, and it can be made now */
            /* If the plan made the parameters, both tensors and their common block remain. */
            const int parameters = nn_model_tensor_at(made.model, 0) ? 3 : 0;
            ENSURE(nn_error_code(nn) == NN_ERROR_MEMORY);
            /* The graph may also have a new piece for later nodes. */
            ENSURE(self.held <= before + parameters + 1);
            plan = plan_of(&made, 2);
            ENSURE(plan != NULL);
        }
        if (!done) failed++;
        if (!done && !described) ENSURE(nn_error_code(nn) == NN_ERROR_MEMORY);
        if (plan) ENSURE(computes(&made, plan));
        nn_close(nn);
        ENSURE(self.held == 0);
    }
    ENSURE(failed > 8);
}

/* Initial values are uploaded in pieces of 256 bytes: the numbers of parameters follow their
   generator through all pieces, and buffers and constants have their own. */
static void first_values(void) {
    host self = {0, -1, 0};
    nn_context *nn = open_on(&self);
    static float values[1000];
    static int32_t given[300], numbers[300];
    uint32_t words[4];
    nn_model_desc model;
    nn_tensor_desc tensor;
    ZERO(model);
    ZERO(tensor);
    model.seed = 5;
    nn_model *made = nn_make_model(nn, &model);
    for (int i = 0; i < 300; i++) given[i] = i * i - 7;
    tensor.dtype = NN_I32;
    tensor.shape = NN_SHAPE(300);
    nn_tensor *source = nn_make_tensor(nn, &tensor);
    ENSURE(nn_upload_tensor(source, given, sizeof given) == NN_OK);
    nn_parameter(made, "first", NN_SHAPE(3), -1.0f, 1.0f);
    nn_parameter(made, "second", NN_SHAPE(10, 100), -2.0f, 6.0f);
    nn_buffer(made, "state", NN_I32, NN_SHAPE(300), -3.0);
    nn_constant(made, "table", source);
    ENSURE(nn_download_tensor(nn_find_tensor(made, "second"), values, sizeof values) == NN_OK);
    for (int i = 0; i < 1000; i++) {
        nn_random_words(5, 1, (uint64_t)i / 4, words);
        ENSURE(values[i] == -2.0f + nn_word_to_uniform(words[i % 4]) * 8.0f);
    }
    ENSURE(nn_download_tensor(nn_find_tensor(made, "state"), numbers, sizeof numbers) == NN_OK);
    for (int i = 0; i < 300; i++) ENSURE(numbers[i] == -3);
    ENSURE(nn_download_tensor(nn_find_tensor(made, "table"), numbers, sizeof numbers) == NN_OK);
    ENSURE(memcmp(numbers, given, sizeof given) == 0);
    nn_close(nn);
    ENSURE(self.held == 0);
}

/* After a run with a label out of range every download is an error; the next run has none. */
static void status(void) {
    static const float scores[6] = {1.0f, 2.0f, 3.0f, 0.5f, 0.25f, 0.125f};
    static const int32_t good[2] = {2, 0}, bad[2] = {1, 3};
    host self = {0, -1, 0};
    nn_context *nn = open_on(&self);
    nn_cross_entropy_desc entropy;
    nn_plan_desc desc;
    float loss = -1.0f;
    ZERO(entropy);
    ZERO(desc);
    nn_model *made = nn_make_model(nn, NULL);
    nn_node *x = nn_input(made, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *label = nn_input(made, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *mean = nn_cross_entropy(made, x, label, &entropy);
    desc.outputs = NN_NODES(mean);
    desc.batch = 2;
    nn_plan *plan = nn_make_plan(made, &desc);
    ENSURE(plan != NULL);
    ENSURE(nn_upload(plan, x, scores, sizeof scores) == NN_OK);
    for (int i = 0; i < 2; i++) {
        ENSURE(nn_upload(plan, label, bad, sizeof bad) == NN_OK && nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, mean, &loss, sizeof loss) == NN_ERROR_LABEL);
        ENSURE(nn_download(plan, mean, &loss, sizeof loss) == NN_ERROR_LABEL);
        ENSURE(nn_upload(plan, label, good, sizeof good) == NN_OK && nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, mean, &loss, sizeof loss) == NN_OK);
        ENSURE_CLOSE(loss, (0.407606 + log(exp(0.5) + exp(0.25) + exp(0.125)) - 0.5) / 2, 1e-5);
    }
    nn_close(nn);
}

static nn_view view_of(void *numbers, size_t offset, nn_dtype dtype, int32_t a, int32_t b) {
    nn_view view;
    ZERO(view);
    view.handle = numbers;
    view.offset = offset;
    view.dtype = dtype;
    view.shape = NN_SHAPE(a, b);
    return view;
}

/* Weights of 8 bits are read in both orders of their axes; sums of whole numbers are exact. */
static void products_of_bytes(void) {
    enum { M = 3, N = 7, K = 21 };
    static int8_t stored[1 + K * N], rows[M * K];
    static float x[M * K], y[M * N], room[5 * K];
    host self = {0, -1, 0};
    nn_context *nn = open_on(&self);
    const nn__cpu *cpu = (const nn__cpu *)nn->cpu;
    nn__install_matmul_general(nn);
    const nn__cpu_kernel *kernel = cpu->kernels[NN_KERNEL_GEMM];
    for (int i = 0; i < 1 + K * N; i++) stored[i] = (int8_t)(i * 37 % 255 - 127);
    for (int i = 0; i < M * K; i++) rows[i] = (int8_t)(i * 5 % 17 - 8), x[i] = (float)rows[i];
    for (int way = 0; way < 8; way++) {
        const bool turned_a = way & 1, turned_b = way & 2, bytes = way & 4;
        nn_gemm_args args;
        ZERO(args);
        args.m = M, args.n = N, args.k = K;
        args.transpose_a = turned_a, args.transpose_b = turned_b;
        args.y = view_of(y, 0, NN_F32, M, N);
        args.a = bytes ? view_of(rows, 0, NN_I8, M, K) : view_of(x, 0, NN_F32, M, K);
        args.b = view_of(stored, 1, NN_I8, K, N);
        ENSURE(!kernel->refuses(cpu, &args) && kernel->own_bytes(cpu, &args) <= sizeof room);
        for (int unit = 0; unit < kernel->units(cpu, &args, 0); unit++)
            kernel->unit(cpu, &args, 0, unit, NULL, room);
        for (int i = 0; i < M * N; i++) {
            int sum = 0;
            for (int k = 0; k < K; k++)
                sum += rows[turned_a ? k * M + i / N : i / N * K + k] *
                       stored[1 + (turned_b ? i % N * K + k : k * N + i % N)];
            ENSURE(y[i] == (float)sum);
        }
    }
    nn_close(nn);
    ENSURE(self.held == 0);
}

/* A call with data that do not fit is refused, and the earlier contents stay. */
static void refusals(void) {
    static const float x[6] = {0};
    float y[70];
    host self = {0, -1, 0};
    nn_context *nn = open_on(&self);
    net made = describe(nn);
    nn_plan *plan = plan_of(&made, 2);
    ENSURE(plan && computes(&made, plan));
    ENSURE(nn_upload(plan, made.x, x, 5 * sizeof(float)) == NN_ERROR_SHAPE);
    ENSURE(nn_upload(plan, made.x, x, 9 * sizeof(float)) == NN_ERROR_SHAPE);
    ENSURE(nn_upload(plan, made.y, x, sizeof x) == NN_ERROR_ARGUMENT);
    ENSURE(nn_download(plan, made.y, y, sizeof y) == NN_ERROR_SHAPE); /* of a batch of two */
    ENSURE(nn_upload(plan, made.x, x, 3 * sizeof(float)) == NN_OK);
    ENSURE(nn_download(plan, made.y, y, sizeof y) == NN_ERROR_SHAPE); /* the run before had two */
    ENSURE(nn_run(plan) == NN_OK && nn_download(plan, made.y, y, sizeof y) == NN_OK);
    ENSURE(computes(&made, plan));
    nn_model *other = nn_make_model(nn, NULL);
    nn_clear_error(nn);
    const int32_t huge[3] = {1 << 30, 1 << 30, 1 << 30};
    nn_shape shapes[6];
    shapes[0] = NN_SHAPE(NN_BATCH, NN_BATCH);
    shapes[1] = NN_SHAPE(0, 2);
    shapes[2] = NN_SHAPE(2 * NN_BATCH);
    shapes[3] = NN_SHAPE(NN_TIME, NN_BATCH_TIME);
    shapes[4] = nn_make_shape(huge, 3);
    shapes[5] = nn_make_shape(NULL, 9);
    for (int i = 0; i < NN__COUNT(shapes); i++) {
        nn_input(other, "x", NN_F32, shapes[i]);
        ENSURE(nn_fault_count(other) == i + 1);
    }
    nn_parameter(other, "w", NN_SHAPE(NN_BATCH), 0.0f, 1.0f);
    nn_relu(other, nn_input(other, "i", NN_I32, NN_SHAPE(NN_BATCH, 2)));
    ENSURE(nn_fault_count(other) == NN__COUNT(shapes) + 2);
    nn_close(nn);
    ENSURE(self.held == 0);
}

/* ---- integers -------------------------------------------------------------------------------- */

enum { ROWS = 3, OUTPUTS = 5, DEEPEST = 130, BEHIND = 8 };

static nn_view integer_view(void *numbers, nn_dtype dtype, nn_shape shape) {
    nn_view view;
    ZERO(view);
    view.handle = numbers;
    view.dtype = dtype;
    view.shape = shape;
    return view;
}

/* Convolutions, including depthwise ones, give the sums of a plain loop at every depth. The largest
   bias lets sums wrap. The kernel must write nothing after its scratch. */
static void integers(void) {
    static int8_t x[ROWS * DEEPEST], w[OUTPUTS * DEEPEST], y[ROWS * DEEPEST];
    static int32_t bias[DEEPEST], factor[2 * DEEPEST];
    int32_t zero[NN_INTEGER_ZEROS] = {-7, 3, -128, 127};
    for (int i = 0; i < ROWS * DEEPEST; i++) x[i] = (int8_t)(i * 37 % 256 - 128);
    for (int i = 0; i < OUTPUTS * DEEPEST; i++) w[i] = (int8_t)(i * 53 % 255 - 127);
    for (int i = 0; i < DEEPEST; i++) bias[i] = i % 4 == 1 ? INT32_MAX : i * 100;
    for (int depth = 1; depth <= DEEPEST; depth++)
        for (int apart = 0; apart < 2 && apart < depth; apart++) {
            const int outputs = apart ? depth : OUTPUTS;
            nn_integer_conv2d_args a;
            ZERO(a);
            a.x = integer_view(x, NN_I8, NN_SHAPE(ROWS, 1, 1, depth));
            a.y = integer_view(y, NN_I8, NN_SHAPE(ROWS, 1, 1, outputs));
            a.weight = integer_view(w, NN_I8,
                                    apart ? NN_SHAPE(1, 1, depth) : NN_SHAPE(OUTPUTS, 1, 1, depth));
            a.bias = integer_view(bias, NN_I32, NN_SHAPE(outputs));
            a.factor = integer_view(factor, NN_I32, NN_SHAPE(2, outputs));
            a.zero = integer_view(zero, NN_I32, NN_SHAPE(NN_INTEGER_ZEROS));
            a.params.kernel_h = a.params.kernel_w = a.params.stride_h = a.params.stride_w = 1;
            a.params.dilation_h = a.params.dilation_w = 1;
            a.params.groups = apart ? depth : 1;
            for (int k = 0; k < outputs; k++)
                factor[k] = (1 << 30) + k * 1234567, factor[outputs + k] = k % 9 ? -k % 9 - 8 : 0;
            const size_t own = nn__integer_plain_own(&a);
            unsigned char *scratch = (unsigned char *)malloc(own + BEHIND);
            memset(scratch, 0xa5, own + BEHIND);
            for (int unit = 0; unit < nn__integer_plain_units(&a, 0); unit++)
                nn__integer_plain_unit(&a, unit, scratch);
            for (int i = 0; i < BEHIND; i++) ENSURE(scratch[own + (size_t)i] == 0xa5);
            free(scratch);
            for (int i = 0; i < ROWS * outputs; i++) {
                const int row = i / outputs, k = i % outputs;
                uint32_t sum = (uint32_t)bias[k];
                for (int c = 0; c < depth; c++)
                    if (!apart || c == k)
                        sum += (uint32_t)((x[row * depth + c] - zero[NN_INTEGER_X]) *
                                          w[apart ? k : k * depth + c]);
                const int32_t value = nn__integer_scale((int32_t)sum, factor[k],
                                                        factor[outputs + k]);
                ENSURE(y[i] == nn__integer_clamp(value + zero[NN_INTEGER_Y], -128, 127));
            }
        }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(transfer_within_the_device);
    RUN(transfer_to_another_device);
    RUN(no_memory);
    RUN(first_values);
    RUN(status);
    RUN(products_of_bytes);
    RUN(refusals);
    RUN(integers);
    return test_report();
}
