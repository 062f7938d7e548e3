/* tests/ops/test_quantized.c - layers of 8-bit integers with given scales (ops/quantized.h): drawn
   nets against plain loops, equal bytes on every instruction set, for any number of threads and any
   slicing; saved weights; mistakes. The kernels are tested in tests/kernels/random_quantized.h. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"

#include <math.h>
#include <stdlib.h>

#include "error.h"
#include "test.h"

static uint32_t drawn = 1;
static int pick(int below) {
    drawn = drawn * 1664525u + 1013904223u;
    return (int)((drawn >> 8) % (uint32_t)below);
}
static void write_nowhere(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
}

enum { N = 5, T = 3, MOST = 40 };

/* Two linear layers, the second one with the range that its input has in this run, and an LSTM. */
typedef struct small_net {
    nn_model *net;
    nn_node *x, *hidden, *y, *state;
    int C, H, K;
    bool zeros, bias, reverse;
} small_net;

static nn_node *range_of(nn_model *net, const char *name, float scale, float zero) {
    nn_tensor *tensor = nn_make_tensor(
        nn_model_context(net),
        &(nn_tensor_desc){.name = name, .dtype = NN_F32, .shape = NN_SHAPE(2)});
    float *numbers = (float *)nn_tensor_data(tensor);
    numbers[0] = scale;
    numbers[1] = zero;
    return nn_constant(net, name, tensor);
}

/* Computes the range that onnxruntime's dynamic quantisation uses. */
static nn_node *range_now(nn_model *net, nn_node *x) {
    nn_axes all = {0};
    nn_node *most = nn_reduce(net, NN_MAX, x, all, false),
            *least = nn_reduce(net, NN_MIN, x, all, false);
    nn_node *scale = nn_expression(net, "a, b: (max(a, 0) - min(b, 0)) / 255", most, least);
    nn_node *zero = nn_expression(net, "b, s: round(0 - min(b, 0) / s) - 128", least, scale);
    return nn_concat(net, NN_NODES(nn_reshape(net, scale, NN_SHAPE(1)),
                                   nn_reshape(net, zero, NN_SHAPE(1))), 0);
}

static small_net describe(nn_context *nn, int number) {
    small_net s;
    drawn = (uint32_t)number * 977u + 3u;
    memset(&s, 0, sizeof s);
    s.C = 1 + pick(MOST), s.H = 1 + pick(MOST), s.K = 1 + pick(MOST);
    s.zeros = pick(2) == 0, s.bias = pick(2) == 0, s.reverse = pick(2) == 0;
    s.net = nn_make_model(nn, &(nn_model_desc){.seed = 1});
    s.x = nn_input(s.net, "x", NN_F32, NN_SHAPE(NN_BATCH, T, s.C));
    nn_node *range = range_of(s.net, "range", 0.02f, (float)(pick(256) - 128));
    nn_node *q = nn_quantize_even(s.net, s.x, range);
    s.hidden = nn_quantized_linear(s.net, "first", q, range,
                                   &(nn_quantized_linear_desc){.out_features = s.H,
                                                               .no_bias = !s.bias,
                                                               .weight_zero_points = s.zeros});
    range = range_now(s.net, s.hidden);
    q = nn_quantize_even(s.net, s.hidden, range);
    s.y = nn_quantized_lstm(s.net, "steps", q, range,
                            &(nn_quantized_lstm_desc){.hidden_size = s.K,
                                                      .no_bias = !s.bias,
                                                      .reverse = s.reverse});
    s.state = nn_output(s.y, 2);
    return s;
}

static nn_tensor *find(nn_model *net, const char *name) {
    nn_tensor *tensor = nn_find_tensor(net, name);
    if (!tensor) test_fail(__FILE__, __LINE__, "there is no %s", name);
    return tensor;
}
/* Uploads numbers, because a plan packs weights once only if nobody has their address. */
static void put(nn_tensor *tensor, const void *from) {
    if (tensor) ENSURE(nn_upload_tensor(tensor, from, (size_t)nn_tensor_bytes(tensor)) == NN_OK);
}
static void fill_bytes(nn_model *net, const char *name) {
    static int8_t bytes[4 * MOST * MOST];
    for (int i = 0; i < 4 * MOST * MOST; i++)
        bytes[i] = (int8_t)(pick(9) ? pick(256) - 128 : pick(2) ? -128 : 127);
    put(find(net, name), bytes);
}
static void fill_floats(nn_model *net, const char *name, float from, float to) {
    float floats[4 * MOST];
    for (int i = 0; i < 4 * MOST; i++)
        floats[i] = from + (to - from) * (float)pick(10001) / 10000.0f;
    put(find(net, name), floats);
}
static void fill(const small_net *s) {
    const float size = 1.0f / (64.0f * (float)s->H), step = 1.0f / (64.0f * (float)s->K);
    fill_bytes(s->net, "first.weight");
    fill_floats(s->net, "first.weight_scale", 0.001f, 0.01f);
    if (s->bias) fill_floats(s->net, "first.bias", -1, 1);
    if (s->zeros) {
        int32_t zeros[MOST];
        for (int k = 0; k < MOST; k++) zeros[k] = pick(256) - 128;
        put(find(s->net, "first.weight_zero_point"), zeros);
    }
    fill_bytes(s->net, "steps.weight_ih");
    fill_floats(s->net, "steps.weight_ih_scale", 0.1f * size, size);
    fill_bytes(s->net, "steps.weight_hh");
    fill_floats(s->net, "steps.weight_hh_scale", 0.1f * step, step);
    if (s->bias) fill_floats(s->net, "steps.bias", -1, 1);
}

static float numbers[N * T * MOST];
static void draw_numbers(void) {
    for (int i = 0; i < N * T * MOST; i++)
        numbers[i] = pick(4) ? (float)(pick(6001) - 3000) / 1000.0f
                             : ((float)(pick(200) - 100) + 0.5f) * 0.02f;
}

/* Runs the net with `batch` samples; the results follow each other. */
static bool run(const small_net *s, int batch, int64_t slice, float *hidden, float *y,
                float *state) {
    nn_plan *plan = nn_make_plan(s->net, &(nn_plan_desc){
                                             .batch = N,
                                             .outputs = NN_NODES(s->hidden, s->y, s->state)});
    const size_t rows = (size_t)batch * T * sizeof(float);
    bool good = plan &&
                nn_upload(plan, s->x, numbers, rows * (size_t)s->C) == NN_OK;
    for (int i = 0; i < 2 && good; i++) { /* the second one has packed weights */
        nn_result result = slice ? nn_run_for(plan, slice) : nn_run(plan);
        while (slice && result == NN_PENDING) result = nn_run_for(plan, slice);
        good = result == NN_OK;
    }
    good = good && nn_download(plan, s->hidden, hidden, rows * (size_t)s->H) == NN_OK &&
           nn_download(plan, s->y, y, rows * (size_t)s->K) == NN_OK &&
           nn_download(plan, s->state, state, rows / T * (size_t)s->K) == NN_OK;
    nn_free_plan(plan);
    return good;
}

/* ---- plain loops ----------------------------------------------------------------------------- */

static int quantised(float x, float scale, float zero) {
    const float q = rintf(x / scale) + zero;
    return (int)(q < -128 ? -128 : q > 127 ? 127 : q);
}

/* Computes the first layer of all rows. */
static void reference_first(const small_net *s, float *hidden) {
    const int8_t *w = (const int8_t *)nn_tensor_const_data(find(s->net, "first.weight"));
    const float *scale = (const float *)nn_tensor_const_data(find(s->net, "first.weight_scale")),
                *range = (const float *)nn_tensor_const_data(find(s->net, "range")),
                *bias = s->bias ? (const float *)nn_tensor_const_data(find(s->net, "first.bias")) : NULL;
    const int32_t *zeros =
        s->zeros ? (const int32_t *)nn_tensor_const_data(find(s->net, "first.weight_zero_point")) : NULL;
    for (int i = 0; i < N * T * s->H; i++) {
        const int k = i % s->H;
        int64_t sum = 0;
        for (int c = 0; c < s->C; c++)
            sum += (quantised(numbers[i / s->H * s->C + c], range[0], range[1]) -
                    (int64_t)range[1]) *
                   (w[k * s->C + c] - (zeros ? zeros[k] : 0));
        const float product = (float)sum * (range[0] * scale[k]);
        hidden[i] = bias ? product + bias[k] : product;
    }
}

/* Quantises `count` numbers by their own range. Returns the scale. */
static float reference_bytes(const float *x, int count, int *q, int *zero) {
    float low = 0, high = 0;
    for (int i = 0; i < count; i++) low = fminf(low, x[i]), high = fmaxf(high, x[i]);
    const float scale = high > low ? (high - low) / 255.0f : 1.0f;
    *zero = (int)rintf(-low / scale) - 128;
    for (int i = 0; i < count; i++) q[i] = quantised(x[i], scale, (float)*zero);
    return scale;
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* Adds one product of the LSTM: gates (4 K) += scale * weight q. */
static void reference_product(const small_net *s, const char *part, const int *q, int zero,
                              float scale, int depth, double *gates) {
    char name[64];
    snprintf(name, sizeof name, "steps.%s", part);
    const int8_t *w = (const int8_t *)nn_tensor_const_data(find(s->net, name));
    snprintf(name, sizeof name, "steps.%s_scale", part);
    const float *scales = (const float *)nn_tensor_const_data(find(s->net, name));
    for (int k = 0; k < 4 * s->K; k++) {
        double sum = 0;
        for (int c = 0; c < depth; c++) sum += (q[c] - zero) * w[k * depth + c];
        gates[k] += sum * (double)scale * (double)scales[k];
    }
}

static void reference_steps(const small_net *s, const float *hidden, double *y, double *state) {
    int q[N * T * MOST], of_h[MOST], zero, h_zero;
    const float scale = reference_bytes(hidden, N * T * s->H, q, &zero);
    const float *bias = s->bias ? (const float *)nn_tensor_const_data(find(s->net, "steps.bias")) : NULL;
    for (int n = 0; n < N; n++) {
        double h[MOST] = {0}, *c = state + n * s->K;
        for (int k = 0; k < s->K; k++) c[k] = 0;
        for (int e = 0; e < T; e++) {
            const int t = s->reverse ? T - 1 - e : e;
            double gates[4 * MOST];
            float now[MOST];
            for (int k = 0; k < 4 * s->K; k++) gates[k] = bias ? (double)bias[k] : 0;
            for (int k = 0; k < s->K; k++) now[k] = (float)h[k];
            const float h_scale = reference_bytes(now, s->K, of_h, &h_zero);
            reference_product(s, "weight_ih", q + (n * T + t) * s->H, zero, scale, s->H, gates);
            reference_product(s, "weight_hh", of_h, h_zero, h_scale, s->K, gates);
            for (int k = 0; k < s->K; k++) {
                c[k] = sigmoid(gates[s->K + k]) * c[k] +
                       sigmoid(gates[k]) * tanh(gates[2 * s->K + k]);
                h[k] = sigmoid(gates[3 * s->K + k]) * tanh(c[k]);
                y[(n * T + t) * s->K + k] = h[k];
            }
        }
    }
}

static double farthest(const float *a, const double *b, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        const double apart = fabs((double)a[i] - b[i]);
        if (!(apart <= most)) most = apart;
    }
    return most;
}

static void nets_equal_loops(void) {
    for (int number = 0; number < 60; number++) {
        nn_context *nn = nn_open(NULL);
        const small_net s = describe(nn, number);
        static float hidden[N * T * MOST], y[N * T * MOST], state[N * MOST], first[N * T * MOST];
        static double steps[N * T * MOST], cells[N * MOST];
        fill(&s);
        draw_numbers();
        ENSURE(run(&s, N, 0, hidden, y, state) && fine(nn));
        reference_first(&s, first);
        for (int i = 0; i < N * T * s.H; i++)
            if (test_wrong(!(fabsf(hidden[i] - first[i]) <= 1e-6f * (1 + fabsf(first[i]))))) {
                test_fail(__FILE__, __LINE__, "net %d: number %d is %g instead of %g", number, i,
                          (double)hidden[i], (double)first[i]);
                break;
            }
        reference_steps(&s, hidden, steps, cells);
        /* a state that is rounded to the other side moves later steps by 1 / 255 of a weight */
        if (test_wrong(!(farthest(y, steps, N * T * s.K) < 2e-3 &&
                         farthest(state, cells, N * s.K) < 4e-3)))
            test_fail(__FILE__, __LINE__, "net %d: the steps are off by %g and %g", number,
                      farthest(y, steps, N * T * s.K), farthest(state, cells, N * s.K));
        nn_close(nn);
    }
}

/* ---- the same bytes everywhere --------------------------------------------------------------- */

static void same_bytes(void) {
    static const nn_instruction_set sets[] = {NN_INSTRUCTIONS_PLAIN,  NN_INSTRUCTIONS_AVX2,
                                              NN_INSTRUCTIONS_AVX512, NN_INSTRUCTIONS_NEON,
                                              NN_INSTRUCTIONS_SIMD128};
    static float hidden[N * T * MOST], y[N * T * MOST], state[N * MOST], others[2][N * T * MOST],
        last[N * MOST], first[N * T * MOST];
    int tried = 0;
    for (int number = 0; number < 12; number++) {
        bool begun = false;
        for (int i = 0; i < 5; i++) {
            bool of_set = false;
            for (int threads = 1; threads <= 3; threads += 2) {
                nn_context *nn = nn_open(&(nn_desc){.instructions = sets[i],
                                                    .threads = threads,
                                                    .log.function = write_nowhere});
                if (!nn) continue;
                const small_net s = describe(nn, number);
                const size_t bytes = (size_t)(N * T) * sizeof(float);
                fill(&s);
                draw_numbers();
                ENSURE(run(&s, N, threads == 3 ? 1 : 0, hidden, y, state) && fine(nn));
                if (!begun) memcpy(first, hidden, sizeof first);
                if (!of_set) memcpy(others[1], y, sizeof y);
                /* the gates' functions are those of the set */
                ENSURE(memcmp(first, hidden, bytes * (size_t)s.H) == 0);
                ENSURE(memcmp(others[1], y, bytes * (size_t)s.K) == 0);
                begun = of_set = true;
                tried++;
                ENSURE(run(&s, 2, 0, others[0], y, last));
                ENSURE(memcmp(first, others[0], bytes / N * 2 * (size_t)s.H) == 0);
                nn_close(nn);
            }
        }
    }
    ENSURE(tried >= 24);
}

/* ---- convolution ----------------------------------------------------------------------------- */

/* Compares a convolution in a plan, whose weights stay packed, with a loop. */
static void convolution(void) {
    for (int number = 0; number < 30; number++) {
        nn_context *nn = nn_open(&(nn_desc){.threads = 1 + number % 3});
        nn_model *net = nn_make_model(nn, NULL);
        drawn = (uint32_t)number * 31u + 7u;
        const int C = 1 + pick(9), H = 4 + pick(6), W = 4 + pick(9), K = 1 + pick(20),
                  R = 1 + pick(3), stride = 1 + pick(2), padding = pick(R);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, C, H, W));
        nn_node *range = range_of(net, "range", 0.02f, (float)(pick(256) - 128));
        nn_node *y = nn_quantized_conv2d(net, "conv", nn_quantize_even(net, x, range), range,
                                         &(nn_quantized_conv2d_desc){.out_channels = K,
                                                                     .kernel = R,
                                                                     .stride = stride,
                                                                     .padding = padding,
                                                                     .bias = true});
        const int OH = (H + 2 * padding - R) / stride + 1, OW = (W + 2 * padding - R) / stride + 1;
        static float in[2 * 9 * 9 * 12], out[2 * 20 * 12 * 14];
        static int8_t w[20 * 9 * 9];
        int32_t bias[20];
        float scale[20];
        ENSURE(nn_same_shape(nn_node_shape(y), NN_SHAPE(NN_BATCH, K, OH, OW)));
        for (int i = 0; i < 2 * C * H * W; i++) in[i] = (float)(pick(6001) - 3000) / 1000.0f;
        for (int i = 0; i < K * C * R * R; i++) w[i] = (int8_t)(pick(256) - 128);
        for (int k = 0; k < K; k++)
            bias[k] = pick(9001) - 4500, scale[k] = 0.001f * (float)(1 + pick(9));
        put(find(net, "conv.weight"), w);
        put(find(net, "conv.bias"), bias);
        put(find(net, "conv.weight_scale"), scale);
        const float *r = (const float *)nn_tensor_const_data(find(net, "range"));
        nn_plan *plan =
            nn_make_plan(net, &(nn_plan_desc){.batch = 2, .outputs = NN_NODES(y)});
        for (int i = 0; i < 2; i++)
            ENSURE(nn_upload(plan, x, in, sizeof(float) * (size_t)(2 * C * H * W)) == NN_OK &&
                   nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, y, out, sizeof(float) * (size_t)(2 * K * OH * OW)) == NN_OK);
        int wrong = 0;
        for (int i = 0; i < 2 * K * OH * OW; i++) {
            const int ow = i % OW, oh = i / OW % OH, k = i / OW / OH % K, n = i / OW / OH / K;
            int64_t sum = bias[k];
            for (int p = 0; p < C * R * R; p++) {
                const int h = oh * stride - padding + p / R % R, c = p / R / R,
                          v = ow * stride - padding + p % R;
                if (h < 0 || v < 0 || h >= H || v >= W) continue;
                sum += (quantised(in[((n * C + c) * H + h) * W + v], r[0], r[1]) - (int64_t)r[1]) *
                       w[k * C * R * R + p];
            }
            wrong += out[i] != (float)sum * (r[0] * scale[k]);
        }
        if (test_wrong(wrong > 0))
            test_fail(__FILE__, __LINE__, "net %d: %d numbers are wrong", number, wrong);
        ENSURE(fine(nn));
        nn_close(nn);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static void saved_and_loaded(void) {
    const char *path = "test_quantized.safetensors";
    static float hidden[N * T * MOST], y[N * T * MOST], state[N * MOST], others[N * T * MOST],
        other[N * T * MOST], last[N * MOST];
    nn_context *nn = nn_open(NULL);
    const small_net s = describe(nn, 4);
    fill(&s);
    draw_numbers();
    ENSURE(run(&s, N, 0, hidden, y, state) && nn_save_weights(s.net, path) == NN_OK);
    const small_net t = describe(nn, 4);
    ENSURE(nn_load_weights(t.net, path, NULL) == NN_OK && fine(nn));
    ENSURE(run(&t, N, 0, others, other, last));
    ENSURE(memcmp(hidden, others, sizeof(float) * (size_t)(N * T * s.H)) == 0);
    ENSURE(memcmp(y, other, sizeof(float) * (size_t)(N * T * s.K)) == 0);
    remove(path);
    nn_close(nn);
}

/* Weights that change between runs of a plan are packed again. */
static void packed_again(void) {
    nn_context *nn = nn_open(NULL);
    const small_net s = describe(nn, 4);
    float hidden[2][N * T * MOST], y[2][N * T * MOST];
    fill(&s);
    draw_numbers();
    nn_plan *plan = nn_make_plan(
        s.net, &(nn_plan_desc){.batch = N, .outputs = NN_NODES(s.hidden, s.y)});
    ENSURE(plan != NULL);
    for (int i = 0; i < 4; i++) {
        const size_t rows = N * T * sizeof(float);
        if (i == 1) fill_bytes(s.net, "first.weight");
        if (i == 2) fill_bytes(s.net, "steps.weight_hh");
        ENSURE(nn_upload(plan, s.x, numbers, rows * (size_t)s.C) == NN_OK &&
               nn_run(plan) == NN_OK);
        ENSURE(nn_download(plan, s.hidden, hidden[i & 1], rows * (size_t)s.H) == NN_OK &&
               nn_download(plan, s.y, y[i & 1], rows * (size_t)s.K) == NN_OK);
        if (i == 0) continue;
        ENSURE((memcmp(hidden[0], hidden[1], rows * (size_t)s.H) == 0) == (i != 1));
        ENSURE((memcmp(y[0], y[1], rows * (size_t)s.K) == 0) == (i == 3));
    }
    nn_close(nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static bool refused(nn_context *nn, nn_model *net, nn_node *y, const char *words) {
    return nn_fault_count(net) == 1 &&
           nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y)}) == NULL && says(nn, words);
}

static void mistakes(void) {
    for (int i = 0; i < 13; i++) {
        nn_context *nn = nn_open(&(nn_desc){.log.function = write_nowhere});
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 3)), *y = NULL;
        nn_node *range = nn_input(net, "range", NN_F32, NN_SHAPE(2)),
                *three = nn_input(net, "three", NN_F32, NN_SHAPE(3));
        nn_node *q = nn_quantize_even(net, x, range);
        nn_node *image = nn_quantize_even(
            net, nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 5, 6)), range);
        nn_quantized_conv2d_desc conv = {.out_channels = 2, .kernel = 3, .padding = 1};
        static const char *const words[] = {
            "range has the shape (3); wanted (2)",
            "input is f32; quantized_linear wants i8",
            "out_features is 0; it must be at least 1",
            "in_features is 5, but input has 3 features",
            "hidden_size is -1; it must be at least 1",
            "wanted (N, T, features)",
            "h_0 has the shape (3); wanted (batch, 2)",
            "input is i8",
            "the layer has no name",
            "out_channels is 0; it must be 1 to 2^24",
            "wanted (N, C, H, W) with known C, H and W",
            "a window of 9 does not fit an extent of 6 with a padding of 1",
            "out_w is 40; with the same padding it would be 6"};
        switch (i) {
        case 0: y = nn_quantize_even(net, x, three); break;
        case 1:
            y = nn_quantized_linear(net, "fc", x, range,
                                    &(nn_quantized_linear_desc){.out_features = 2});
            break;
        case 2: y = nn_quantized_linear(net, "fc", q, range, NULL); break;
        case 3:
            y = nn_quantized_linear(net, "fc", q, range,
                                    &(nn_quantized_linear_desc){2, .in_features = 5});
            break;
        case 4:
            y = nn_quantized_lstm(net, "steps", q, range,
                                  &(nn_quantized_lstm_desc){.hidden_size = -1});
            break;
        case 5:
            y = nn_quantized_lstm(net, "steps", nn_quantize_even(net, three, range), range,
                                  &(nn_quantized_lstm_desc){.hidden_size = 2});
            break;
        case 6:
            y = nn_quantized_lstm(net, "steps", q, range,
                                  &(nn_quantized_lstm_desc){.hidden_size = 2, .h_0 = three});
            break;
        case 7: y = nn_quantize_even(net, q, range); break;
        case 9: conv.out_channels = 0; y = nn_quantized_conv2d(net, "c", image, range, &conv); break;
        case 10: y = nn_quantized_conv2d(net, "c", q, range, &conv); break;
        case 11: conv.kernel_w = 9; y = nn_quantized_conv2d(net, "c", image, range, &conv); break;
        case 12: conv.out_w = 40; y = nn_quantized_conv2d(net, "c", image, range, &conv); break;
        default:
            y = nn_quantized_linear(net, "", q, range,
                                    &(nn_quantized_linear_desc){.out_features = 2});
        }
        ENSURE(refused(nn, net, y, words[i]));
        nn_close(nn);
    }
}

/* Such layers cannot be trained, and the trainer says so. */
static void not_trained(void) {
    nn_context *nn = nn_open(&(nn_desc){.log.function = write_nowhere});
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *range = range_of(net, "range", 0.1f, 0);
    nn_node *h = nn_linear(net, "fc", x, &(nn_linear_desc){.out_features = 4});
    nn_node *y = nn_quantized_linear(net, "bytes", nn_quantize_even(net, h, range), range,
                                     &(nn_quantized_linear_desc){.out_features = 1});
    nn_node *loss = nn_mean(net, y, (nn_axes){0});
    ENSURE(nn_make_trainer(net, loss, NULL) == NULL && says(nn, "quantize"));
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(nets_equal_loops);
    RUN(same_bytes);
    RUN(convolution);
    RUN(saved_and_loaded);
    RUN(packed_again);
    RUN(mistakes);
    RUN(not_trained);
    return test_report();
}
