/* half_convolutions.h: convolutions and their gradients in half arithmetic against sums in double. A
   part of test_opencl_mma.c; copied_convolutions.h and half_products.h have the helpers. */
#ifndef NN_TEST_HALF_CONVOLUTIONS_H
#define NN_TEST_HALF_CONVOLUTIONS_H

enum { HALF_BIAS = 1024 }; /* most rows of a convolution here */

static float half_numbers[3][CONV_MOST]; /* x, weight, y */
static float half_bias[HALF_BIAS];

/* Fills an operand with numbers up to `size`, among them small ones. Returns the largest. */
static double fill_half(float *numbers, int count, float size) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        numbers[i] = (float)drawn(-8388607, 8388607) / 8388608.0f * size * (i % 5 ? 1 : 1e-4f);
        most = fmax(most, fabs((double)numbers[i]));
    }
    return most;
}

static void half_args(const conv_case *c, nn_precision precision, void *buffer, nn_conv2d_args *a) {
    const int w[4] = {c->y[1], c->x[1] / c->groups, c->taps[0], c->taps[1]};
    const uint64_t each = 4 * CONV_MOST;
    memset(a, 0, sizeof *a);
    a->x = conv_view(buffer, 0, NN_F32, c->x);
    a->weight = conv_view(buffer, each, NN_F32, w);
    a->y = conv_view(buffer, 2 * each, NN_F32, c->y);
    if (c->way != NN__OPENCL_CONV_INPUT)
        set_view(&a->epilogue.bias, buffer, 3 * each, NN_F32, 1, c->y[1]);
    set_view(&a->scratch, buffer, 3 * each + 4 * HALF_BIAS, NN_F32, 1, CONV_SCRATCH / 4);
    a->params.kernel_h = c->taps[0], a->params.kernel_w = c->taps[1];
    a->params.stride_h = c->stride[0], a->params.stride_w = c->stride[1];
    a->params.padding_h = c->padding[0], a->params.padding_w = c->padding[1];
    a->params.dilation_h = c->dilation[0], a->params.dilation_w = c->dilation[1];
    a->params.groups = c->groups;
    a->precision = precision;
}

/* Runs a convolution on half_numbers, whose result takes the place of one of them. False: it
   failed. */
static bool launch_half(nn__opencl *state, const conv_case *c, nn_precision precision) {
    static const nn_kernel kernels[] = {NN_KERNEL_CONV2D_FORWARD, NN_KERNEL_CONV2D_BACKWARD_INPUT,
                                        NN_KERNEL_CONV2D_BACKWARD_WEIGHT};
    const nn__opencl_kernel *kernel = nn__opencl_kernel_of(kernels[c->way]);
    const uint64_t each = 4 * CONV_MOST, bytes = 3 * each + 4 * HALF_BIAS + CONV_SCRATCH;
    nn_conv2d_args a;
    void *buffer = NULL;
    bool good = state->backend.alloc(state, bytes, &buffer) >= 0;
    half_args(c, precision, buffer, &a);
    good = good && state->backend.fill(state, buffer, 0, bytes, 0xff) >= 0 &&
           nn__opencl_upload(state, buffer, 0, half_numbers, 3 * each, NULL) >= 0 &&
           nn__opencl_upload(state, buffer, 3 * each, half_bias, 4 * HALF_BIAS, NULL) >= 0 &&
           kernel->scratch_bytes(state, &a) <= CONV_SCRATCH &&
           kernel->run(state, &a, 0, kernel->units(state, &a)) >= 0 &&
           nn__opencl_download(state, buffer, 0, half_numbers, 3 * each, NULL) >= 0 &&
           nn__opencl_download(state, buffer, 3 * each, half_bias, 4 * HALF_BIAS, NULL) >= 0 &&
           state->backend.finish(state) >= 0;
    if (buffer) state->backend.release(state, buffer, bytes);
    return good;
}

/* The allowed error of a sum of `steps` products whose absolute values add up to `size`: see
   half_distance. */
static double half_allowed(double size, double most, double steps) {
    return size * (1.01 / 1024 + 1.01 / 256 + 6e-8 * (steps + 2)) + most * steps / 524288 + 1e-38;
}

/* Returns the largest distance from sums in double, divided by the allowed error. */
static double run_half_conv(nn__opencl *state, const conv_case *c, float x_size, float y_size) {
    static float kept[3][CONV_MOST], bias[HALF_BIAS];
    static conv_sums sums;
    const int result = c->way == NN__OPENCL_CONV_FORWARD ? 2
                       : c->way == NN__OPENCL_CONV_INPUT ? 0
                                                         : 1;
    const int counts[3] = {conv_count(c->x), c->y[1] * c->x[1] / c->groups * c->taps[0] * c->taps[1],
                           conv_count(c->y)},
              plane = c->y[2] * c->y[3];
    const double taps = (double)c->taps[0] * c->taps[1],
                 steps = c->way == NN__OPENCL_CONV_FORWARD ? taps * c->x[1] / c->groups
                         : c->way == NN__OPENCL_CONV_INPUT ? taps * c->y[1] / c->groups
                                                           : (double)c->y[0] * plane;
    const float sizes[3] = {x_size, 1, y_size};
    double most = 0, largest[3];
    for (int i = 0; i < 3; i++) largest[i] = fill_half(half_numbers[i], counts[i], sizes[i]);
    largest[result] = 1;
    for (int i = 0; i < c->y[1]; i++)
        half_bias[i] = c->way == NN__OPENCL_CONV_FORWARD ? (float)drawn(-8, 8) * x_size : NAN;
    memcpy(kept, half_numbers, sizeof kept);
    memcpy(bias, half_bias, sizeof bias);
    if (!launch_half(state, c, NN_PRECISION_MEDIUM)) return INFINITY;
    conv_reference(c, kept[0], kept[1], kept[2], &sums);
    for (int i = 0; i < counts[result]; i++) {
        const double more = result == 2 ? bias[i / plane % c->y[1]] : 0;
        const double apart =
            fabs((double)half_numbers[result][i] - (sums.sum[i] + more)) /
            (half_allowed(sums.size[i], largest[0] * largest[1] * largest[2], steps) +
             6e-8 * fabs(more));
        if (!(apart <= most)) most = apart;
    }
    for (int k = 0; k < c->y[1] && c->way == NN__OPENCL_CONV_WEIGHT; k++) { /* the bias's gradient */
        double sum = 0, size = 0, apart;
        for (int i = 0; i < c->y[0] * plane; i++) {
            const double dy = kept[2][(i / plane * c->y[1] + k) * plane + i % plane];
            sum += dy;
            size += fabs(dy);
        }
        apart = fabs((double)half_bias[k] - sum) / half_allowed(size, largest[2], steps);
        if (!(apart <= most)) most = apart;
    }
    return most;
}

/* Draws a convolution that uses half arithmetic. False: a hundred draws were none. */
static bool draw_half_conv(nn__opencl *state, int number, conv_case *c) {
    for (int i = 0; i < 100; i++) {
        nn_conv2d_args a;
        *c = draw_conv(2 * number, false);
        c->x[1] = c->groups * ((c->x[1] / c->groups + 7) / 8 * 8);
        if (c->way == NN__OPENCL_CONV_INPUT)
            c->y[1] = c->groups * ((c->y[1] / c->groups + 7) / 8 * 8);
        if (conv_count(c->x) > CONV_MOST || conv_count(c->y) > CONV_MOST ||
            c->y[1] * c->x[1] / c->groups * c->taps[0] * c->taps[1] > CONV_MOST)
            continue;
        half_args(c, NN_PRECISION_MEDIUM, NULL, &a);
        if (nn__opencl_conv_half_of(state, &a, (nn__opencl_conv_way)c->way)) return true;
    }
    return false;
}

/* Random convolutions, and numbers far beyond the range of f16 on both sides. With NN_FULL 2,000. */
static void test_half_convolutions(void) {
    static const float sizes[] = {1, 1e-20f, 1e20f, 3e-7f, 7e4f};
    const char *asked = getenv("NN_TEST_CASES");
    const int cases = asked ? atoi(asked) : getenv("NN_FULL") ? 2000 : 24;
    nn__opencl *state = NULL;
    nn_context *nn = open_with_halves(&state);
    if (!nn) SKIP("no OpenCL device here");
    state->half_tested = 1;
    state->half_always = true;
    for (int i = 0; i < cases; i++) {
        conv_case c;
        double distance;
        ENSURE(draw_half_conv(state, i, &c));
        distance = run_half_conv(state, &c, sizes[i % 5], i % 2 ? 1 : 1 / sizes[i % 5]);
        if (test_wrong(!(distance <= 1)))
            test_fail(__FILE__, __LINE__,
                      "case %d, way %d: x %d %d %d %d, y %d %d %d, %dx%d taps, stride %d %d, "
                      "padding %d %d, dilation %d %d, %d groups: %.3g of what rounding allows",
                      i, c.way, c.x[0], c.x[1], c.x[2], c.x[3], c.y[1], c.y[2], c.y[3], c.taps[0],
                      c.taps[1], c.stride[0], c.stride[1], c.padding[0], c.padding[1],
                      c.dilation[0], c.dilation[1], c.groups, distance);
    }
    ENSURE(state->half_convs[0] == 1 && state->half_convs[1] == 1 && said[0] == 0);
    nn_close(nn);
}

/* A convolution of 16 to 72 channels. */
static conv_case usual_conv(int way) {
    const conv_case c = {way,    {2, 16, 12, 12}, {2, 72, 12, 12}, {3, 3}, {1, 1}, {1, 1}, {1, 1},
                         1,      NN_F32,          false};
    return c;
}

/* Runs a usual convolution, and copies its result to `got`. */
static bool run_usual(nn__opencl *state, int way, nn_precision precision, float *got) {
    const conv_case c = usual_conv(way);
    shape_state = 77;
    for (int i = 0; i < 3; i++) fill_half(half_numbers[i], CONV_MOST, 1);
    memset(half_bias, 0, sizeof half_bias);
    if (!launch_half(state, &c, precision)) return false;
    memcpy(got, half_numbers[way == NN__OPENCL_CONV_FORWARD ? 2 : way == NN__OPENCL_CONV_INPUT ? 0 : 1],
           4 * CONV_MOST);
    return true;
}

/* Other precisions give the bytes of a device without half arithmetic. If the self-test of
   convolutions fails, or a program does not build after it, so does MEDIUM, and the log says why.
   Here no program builds, because PoCL does not know the option for Intel. */
static void test_half_convolutions_that_fail(void) {
    static float plain[CONV_MOST], got[CONV_MOST];
    for (int way = 0; way < 3; way++) {
        const bool weight = way == NN__OPENCL_CONV_WEIGHT;
        nn__opencl *state = NULL;
        nn_context *nn = open_with(NN__OPENCL_MMA_NONE, &state);
        if (!nn) SKIP("no OpenCL device here");
        state->forced = NN__OPENCL_LARGE_TILES;
        ENSURE(run_usual(state, way, NN_PRECISION_HIGHEST, plain));
        ENSURE(run_usual(state, way, NN_PRECISION_MEDIUM, got));
        ENSURE(memcmp(plain, got, sizeof plain) == 0);
        state->half = 2;
        state->half_tested = 1;
        state->half_always = true;
        for (int i = 0; i < 3; i++) {
            static const nn_precision precisions[] = {NN_PRECISION_DEFAULT, NN_PRECISION_HIGHEST,
                                                      NN_PRECISION_HIGH};
            ENSURE(run_usual(state, way, precisions[i], got));
            ENSURE(memcmp(plain, got, sizeof plain) == 0 && state->half_convs[weight] == 0);
        }
        for (int tested = 0; tested < 2; tested++) {
            nn_conv2d_args a;
            const conv_case c = usual_conv(way);
            said[0] = 0;
            nn__opencl_copy_text(state->platform_name, sizeof state->platform_name, "Intel");
            state->half_convs[0] = state->half_convs[1] = (signed char)tested;
            ENSURE(run_usual(state, way, NN_PRECISION_MEDIUM, got));
            ENSURE(memcmp(plain, got, sizeof plain) == 0 && nn_error_code(nn) == NN_OK);
            ENSURE(strstr(said, tested  ? "in half arithmetic did not build"
                                : weight ? "half arithmetic failed for gradients of weights"
                                         : "half arithmetic failed for convolutions") != NULL);
            half_args(&c, NN_PRECISION_MEDIUM, NULL, &a);
            ENSURE(nn__opencl_conv_half_of(state, &a, (nn__opencl_conv_way)way) == (tested == 1));
            ENSURE(state->half_convs[weight] == (tested ? 1 : -1));
        }
        nn_close(nn);
    }
}

/* Without half_always a convolution uses half arithmetic if it takes large tiles and has enough
   products for each number. The plan's report names the format. */
static void test_when_convolutions_are_half(void) {
    static const struct { int rows, channels, taps, side; bool half; } layers[] = {
        {512, 1024, 1, 56, true}, {256, 256, 5, 28, true}, {64, 256, 1, 56, false}, /* few products */
        {512, 1020, 1, 56, false}, {512, 1024, 1, 4, false}}; /* no turns of eight; few tiles */
    nn__opencl *state = NULL;
    nn_context *nn = open_with_halves(&state);
    if (!nn) SKIP("no OpenCL device here");
    state->half_tested = state->half_convs[0] = state->half_convs[1] = 1; /* nothing is launched */
    state->units = 32;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        const int x[4] = {16, layers[i].channels, layers[i].side, layers[i].side},
                  y[4] = {16, layers[i].rows, layers[i].side, layers[i].side},
                  w[4] = {layers[i].rows, layers[i].channels, layers[i].taps, layers[i].taps};
        char why[200];
        nn_conv2d_args a;
        memset(&a, 0, sizeof a);
        a.x = conv_view(NULL, 0, NN_F32, x);
        a.y = conv_view(NULL, 0, NN_F32, y);
        a.weight = conv_view(NULL, 0, NN_F32, w);
        a.params.kernel_h = a.params.kernel_w = layers[i].taps;
        a.params.padding_h = a.params.padding_w = layers[i].taps / 2;
        a.params.stride_h = a.params.stride_w = a.params.dilation_h = a.params.dilation_w = 1;
        a.params.groups = 1;
        for (int precision = NN_PRECISION_HIGHEST; precision <= NN_PRECISION_MEDIUM; precision++) {
            const char *name;
            a.precision = (nn_precision)precision;
            name = nn__opencl_rounds(state, NN_KERNEL_CONV2D_FORWARD, &a, why, sizeof why);
            ENSURE((name && strcmp(name, "f16") == 0) ==
                   (layers[i].half && precision == NN_PRECISION_MEDIUM));
        }
    }
    nn_close(nn);
}

#endif
