/* copied_convolutions.h: convolutions on matrix units whose operands are copied as they are, against
   sums in double. A part of test_opencl_mma.c, which has the helpers. */
#ifndef NN_TEST_COPIED_CONVOLUTIONS_H
#define NN_TEST_COPIED_CONVOLUTIONS_H

enum { CONV_MOST = 40000, CONV_SCRATCH = 1 << 24 }; /* numbers of a tensor; bytes of scratch */

/* A convolution, forward or one of its gradients. In the gradients, y and x are dy and dx. */
typedef struct conv_case {
    int way; /* nn__opencl_conv_way */
    int x[4], y[4], taps[2], stride[2], padding[2], dilation[2], groups;
    nn_dtype stored; /* of the operands: f32 or bf16 */
    bool bf16;       /* the precision */
} conv_case;

static int conv_count(const int *extent) {
    return extent[0] * extent[1] * extent[2] * extent[3];
}

/* The result's numbers as sums in double, and the sums of absolute values. */
typedef struct conv_sums {
    double sum[CONV_MOST], size[CONV_MOST];
} conv_sums;

/* Adds the products of one output to the result that `way` asks for. */
static void conv_add(const conv_case *c, const float *x, const float *weight, const float *y,
                     int out, int at_x, int at_w, conv_sums *sums) {
    const int to = c->way == NN__OPENCL_CONV_FORWARD ? out
                   : c->way == NN__OPENCL_CONV_INPUT ? at_x
                                                     : at_w;
    const double product = c->way == NN__OPENCL_CONV_FORWARD ? (double)x[at_x] * weight[at_w]
                           : c->way == NN__OPENCL_CONV_INPUT ? (double)y[out] * weight[at_w]
                                                             : (double)y[out] * x[at_x];
    sums->sum[to] += product;
    sums->size[to] += fabs(product);
}

static void conv_reference(const conv_case *c, const float *x, const float *weight, const float *y,
                           conv_sums *sums) {
    const int outputs = c->y[1] / c->groups, inputs = c->x[1] / c->groups;
    memset(sums, 0, sizeof *sums);
    for (int out = 0; out < conv_count(c->y); out++) {
        const int ow = out % c->y[3], oh = out / c->y[3] % c->y[2],
                  k = out / c->y[3] / c->y[2] % c->y[1],
                  image = out / c->y[3] / c->y[2] / c->y[1];
        for (int i = 0; i < inputs * c->taps[0] * c->taps[1]; i++) {
            const int tw = i % c->taps[1], th = i / c->taps[1] % c->taps[0],
                      channel = k / outputs * inputs + i / c->taps[1] / c->taps[0];
            const int h = oh * c->stride[0] - c->padding[0] + th * c->dilation[0],
                      w = ow * c->stride[1] - c->padding[1] + tw * c->dilation[1];
            if (h >= 0 && h < c->x[2] && w >= 0 && w < c->x[3])
                conv_add(c, x, weight, y, out,
                         ((image * c->x[1] + channel) * c->x[2] + h) * c->x[3] + w,
                         k * inputs * c->taps[0] * c->taps[1] + i, sums);
        }
    }
}

static nn_view conv_view(void *handle, uint64_t offset, nn_dtype dtype, const int *extent) {
    nn_view view;
    memset(&view, 0, sizeof view);
    view.handle = handle;
    view.offset = offset;
    view.dtype = dtype;
    view.shape = nn_make_shape((const int32_t *)extent, 4);
    return view;
}

/* Runs a convolution with copied operands. Returns its distance from sums in double, divided by the
   error that rounding allows. */
static double run_conv(nn__opencl *state, const conv_case *c) {
    static const nn_kernel kernels[] = {NN_KERNEL_CONV2D_FORWARD, NN_KERNEL_CONV2D_BACKWARD_INPUT,
                                        NN_KERNEL_CONV2D_BACKWARD_WEIGHT};
    static float numbers[3][CONV_MOST], got[CONV_MOST];
    static char image[3 * 4 * CONV_MOST];
    static conv_sums sums;
    const int w[4] = {c->y[1], c->x[1] / c->groups, c->taps[0], c->taps[1]};
    const int *extents[3] = {c->x, w, c->y}; /* in the order of numbers */
    const int result = c->way == NN__OPENCL_CONV_FORWARD ? 2
                       : c->way == NN__OPENCL_CONV_INPUT ? 0
                                                         : 1,
              count = conv_count(extents[result]);
    const double unit = c->stored == NN_BF16 ? 0 : c->bf16 ? 1.0 / 256 : 1.0 / 2048;
    const nn__opencl_kernel *kernel = nn__opencl_kernel_of(kernels[c->way]);
    const uint64_t each = 4 * CONV_MOST, bytes = 3 * each + CONV_SCRATCH;
    nn_conv2d_args a;
    nn_view *views[3] = {&a.x, &a.weight, &a.y};
    double most = INFINITY;
    void *buffer = NULL;
    memset(&a, 0, sizeof a);
    memset(image, 0xff, sizeof image);
    if (state->backend.alloc(state, bytes, &buffer) < 0) return INFINITY;
    for (int i = 0; i < 3; i++) {
        const nn_dtype dtype = i == result ? NN_F32 : c->stored;
        *views[i] = conv_view(buffer, (uint64_t)i * each, dtype, extents[i]);
        if (i != result)
            fill_operand(image + (uint64_t)i * each, numbers[i], conv_count(extents[i]), dtype);
    }
    a.params.kernel_h = c->taps[0], a.params.kernel_w = c->taps[1];
    a.params.stride_h = c->stride[0], a.params.stride_w = c->stride[1];
    a.params.padding_h = c->padding[0], a.params.padding_w = c->padding[1];
    a.params.dilation_h = c->dilation[0], a.params.dilation_w = c->dilation[1];
    a.params.groups = c->groups;
    a.precision = c->bf16 ? NN_PRECISION_MEDIUM : NN_PRECISION_HIGH;
    set_view(&a.scratch, buffer, 3 * each, NN_F32, 1, CONV_SCRATCH / 4);
    if (state->backend.fill(state, buffer, 0, bytes, 0xff) >= 0 &&
        nn__opencl_upload(state, buffer, 0, image, sizeof image, NULL) >= 0 &&
        kernel->scratch_bytes(state, &a) <= CONV_SCRATCH &&
        nn__opencl_conv_mma_of(state, &a, (nn__opencl_conv_way)c->way).tall > 0 &&
        kernel->run(state, &a, 0, kernel->units(state, &a)) >= 0 &&
        nn__opencl_download(state, buffer, (uint64_t)result * each, got, 4 * (uint64_t)count,
                            NULL) >= 0 &&
        state->backend.finish(state) >= 0) {
        conv_reference(c, numbers[0], numbers[1], numbers[2], &sums);
        most = 0;
        for (int i = 0; i < count; i++) {
            const double apart = fabs((double)got[i] - sums.sum[i]) /
                                 (sums.size[i] * (2.02 * unit + 6e-8 * 8192) + 1e-30);
            if (!(apart <= most)) most = apart;
        }
    }
    state->backend.release(state, buffer, bytes);
    return most;
}

/* Draws a convolution. Its program depends on the way, the precision, the storage and the rows. */
static conv_case draw_conv(int number, bool all) {
    conv_case c;
    memset(&c, 0, sizeof c);
    do {
        c.bf16 = number % 2 == 1;
        c.way = number / 2 % 3;
        c.stored = all && c.bf16 && number / 6 % 4 == 3 ? NN_BF16 : NN_F32;
        c.groups = drawn(0, 3) ? 1 : drawn(2, 3);
        c.x[0] = drawn(1, 3);
        c.x[1] = c.groups * drawn(1, drawn(0, 3) ? 40 : 150);
        c.y[1] = c.groups * drawn(1, drawn(0, 3) ? 40 : 150);
        for (int i = 0; i < 2; i++) {
            c.taps[i] = drawn(1, drawn(0, 3) ? 3 : 5);
            c.stride[i] = drawn(0, 2) ? 1 : drawn(2, 3);
            c.dilation[i] = drawn(0, 3) ? 1 : 2;
            c.padding[i] = drawn(0, 3);
            c.x[2 + i] = drawn(1, 14);
            c.y[2 + i] = (c.x[2 + i] + 2 * c.padding[i] - c.dilation[i] * (c.taps[i] - 1) - 1) /
                             c.stride[i] + 1;
        }
        c.y[0] = c.x[0];
    } while (c.x[2] + 2 * c.padding[0] <= c.dilation[0] * (c.taps[0] - 1) ||
             c.x[3] + 2 * c.padding[1] <= c.dilation[1] * (c.taps[1] - 1) ||
             conv_count(c.x) > CONV_MOST || conv_count(c.y) > CONV_MOST ||
             c.y[1] * c.x[1] / c.groups * c.taps[0] * c.taps[1] > CONV_MOST ||
             c.x[1] == c.groups); /* depthwise */
    return c;
}

/* Random convolutions. With NN_FULL 2,000 (NN_TEST_CASES), else a few. */
static void test_copied_convolutions(void) {
    const char *asked = getenv("NN_TEST_CASES");
    const int cases = asked ? atoi(asked) : getenv("NN_FULL") ? 2000 : 18;
    nn__opencl *state = NULL;
    nn_context *nn = open_with(NN__OPENCL_MMA_EMULATED, &state);
    if (!nn) SKIP("no OpenCL device here");
    if (!nn__opencl_mma_fits_copied(state)) {
        nn_close(nn);
        SKIP("too little local memory");
    }
    state->mma_copied = 1;
    state->mma_always = true;
    for (int i = 0; i < cases; i++) {
        const conv_case c = draw_conv(i, cases > 100);
        const double distance = run_conv(state, &c);
        if (test_wrong(!(distance <= 1)))
            test_fail(__FILE__, __LINE__,
                      "case %d, way %d: x %d %d %d %d, y %d %d %d, %dx%d taps, stride %d %d, "
                      "padding %d %d, dilation %d %d, %d groups, %s, stored %s: %.3g of what "
                      "rounding allows",
                      i, c.way, c.x[0], c.x[1], c.x[2], c.x[3], c.y[1], c.y[2], c.y[3], c.taps[0],
                      c.taps[1], c.stride[0], c.stride[1], c.padding[0], c.padding[1],
                      c.dilation[0], c.dilation[1], c.groups, c.bf16 ? "bf16" : "tf32",
                      c.stored == NN_BF16 ? "bf16" : "f32", distance);
    }
    for (int i = 0; i < 4; i++) ENSURE(state->mma_convs[i / 2][i % 2] == 1);
    ENSURE(said[0] == 0);
    nn_close(nn);
}

/* Layers of ResNet-18 at a batch of 256 on a device of 132 units: those with many channels are
   packed; those with few would wait for the packing. The weight's gradient packs two tensors. */
static void test_when_convolutions_are_copied(void) {
    static const struct { int channels, side; bool copied, weight; } layers[] = {
        {64, 56, false, false}, {128, 28, true, false}, {256, 14, true, true}, {512, 7, true, true}};
    nn__opencl *state = NULL;
    nn_context *nn = open_with(NN__OPENCL_MMA_EMULATED, &state);
    if (!nn) SKIP("no OpenCL device here");
    state->mma_tested[0] = state->mma_tested[1] = 1; /* nothing is launched */
    memset(state->mma_convs, 1, sizeof state->mma_convs);
    state->units = 132;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        for (int way = 0; way < 3; way++) {
            const int n = layers[i].channels, extent[4] = {256, n, layers[i].side, layers[i].side},
                      w[4] = {n, n, 3, 3};
            nn_conv2d_args a;
            memset(&a, 0, sizeof a);
            a.x = a.y = conv_view(NULL, 0, NN_F32, extent);
            a.weight = conv_view(NULL, 0, NN_F32, w);
            a.params.kernel_h = a.params.kernel_w = 3;
            a.params.stride_h = a.params.stride_w = a.params.padding_h = a.params.padding_w = 1;
            a.params.dilation_h = a.params.dilation_w = a.params.groups = 1;
            a.precision = NN_PRECISION_MEDIUM;
            ENSURE((nn__opencl_conv_mma_of(state, &a, (nn__opencl_conv_way)way).tall > 0) ==
                   (way == NN__OPENCL_CONV_WEIGHT ? layers[i].weight : layers[i].copied));
        }
    nn_close(nn);
}

#endif
