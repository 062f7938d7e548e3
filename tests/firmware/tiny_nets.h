/* tiny_nets.h - MLPerf Tiny's nets in 8-bit integers, with shapes from
   https://github.com/mlcommons/tiny: keyword spotting (DS-CNN), image classification (ResNet-8),
   anomaly detection (autoencoder), visual wake words (MobileNetV1 0.25). The weights are random, so
   only sizes, instructions and the bytes of results are meaningful. Include it after nn.h. */
#ifndef TINY_NETS_H
#define TINY_NETS_H

enum { TINY_BYTES = 300000, TINY_LEAVES = 160, TINY_NAMES = 16 * TINY_LEAVES };
static int8_t tiny_weights[TINY_BYTES];
static nn_weights_array tiny_arrays[TINY_LEAVES];
static char tiny_names[TINY_NAMES];
static int tiny_used, tiny_count, tiny_named;
static unsigned tiny_state = 1;
static double tiny_products;
/* The largest weight. 7: 4 bits, except in the first convolution, depthwise ones, and the code of the
   autoencoder. */
static int tiny_levels = 127;

static unsigned tiny_random(void) {
    tiny_state = tiny_state * 1664525u + 1013904223u;
    return tiny_state >> 16;
}

/* ---- weights --------------------------------------------------------------------------------- */

/* Adds the array "name.part" of this dtype and shape, and returns its numbers. */
static void *tiny_leaf(const char *name, const char *part, nn_dtype dtype, nn_shape shape) {
    nn_weights_array *leaf = &tiny_arrays[tiny_count++];
    int bytes = dtype == NN_I8 ? 1 : 4;
    char *to = tiny_names + tiny_named;
    for (int i = 0; i < shape.rank; i++) bytes *= shape.extent[i];
    leaf->name = to;
    leaf->dtype = dtype;
    leaf->shape = shape;
    while (*name) *to++ = *name++;
    *to++ = '.';
    while (*part) *to++ = *part++;
    *to++ = 0;
    tiny_named = (int)(to - tiny_names);
    tiny_used = (tiny_used + 15) & ~15;
    leaf->data = tiny_weights + tiny_used;
    tiny_used += bytes;
    return tiny_weights + tiny_used - bytes;
}

/* Makes the buffers of a layer, whose results spread over the range of 8 bits. */
static void tiny_layer(const char *name, nn_shape weight, int channels, int depth, bool relu) {
    int8_t *w = (int8_t *)tiny_leaf(name, "weight", NN_I8, weight);
    int32_t *bias = (int32_t *)tiny_leaf(name, "bias", NN_I32, NN_SHAPE(channels));
    int32_t *factor = (int32_t *)tiny_leaf(name, "factor", NN_I32, NN_SHAPE(2, channels));
    int32_t *zero = (int32_t *)tiny_leaf(name, "zero", NN_I32, NN_SHAPE(4));
    const bool small = tiny_levels == 7 && weight.rank == 4 && strcmp(name, "first") != 0 &&
                       strcmp(name, "l4") != 0;
    const int levels = small ? 7 : 127;
    int root = 0;
    while (1 << 2 * root < depth) root++;
    for (int i = 0; i < channels * depth; i++)
        w[i] = (int8_t)((int)(tiny_random() % (unsigned)(2 * levels + 1)) - levels);
    for (int k = 0; k < channels; k++) {
        bias[k] = (int)(tiny_random() % 4001) - 2000;
        factor[k] = (1 << 30) + (int)(tiny_random() << 13);
        factor[channels + k] = (small ? -2 : -6) - root;
    }
    zero[0] = zero[1] = relu ? -20 : 5;
    zero[2] = relu ? zero[1] : -128;
    zero[3] = 127;
}

static nn_node *tiny_conv(nn_model *net, const char *name, nn_node *x, int in, int out, int h,
                          int w, int stride, bool relu) {
    const bool apart = in == 0; /* depthwise */
    nn_conv2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = out;
    desc.kernel_h = h, desc.kernel_w = w;
    desc.stride = stride;
    desc.groups = apart ? out : 1;
    if (h > 1) { /* TensorFlow's "same" */
        desc.padding_h = stride > 1 && h == 3 ? 0 : (h - 1) / 2;
        desc.padding_w = stride > 1 && w == 3 ? 0 : (w - 1) / 2;
        desc.padding_bottom = h / 2, desc.padding_right = w / 2;
    }
    tiny_layer(name, apart ? NN_SHAPE(h, w, out) : NN_SHAPE(out, h, w, in), out,
               h * w * (apart ? 1 : in), relu);
    nn_node *y = nn_integer_conv2d(net, name, x, &desc);
    const nn_shape shape = nn_node_shape(y);
    tiny_products += (double)shape.extent[1] * shape.extent[2] * out * h * w * (apart ? 1 : in);
    return y;
}
static NN__UNUSED nn_node *tiny_linear(nn_model *net, const char *name, nn_node *x, int in, int out,
                                       bool relu) {
    nn_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = out;
    tiny_layer(name, NN_SHAPE(out, 1, 1, in), out, in, relu);
    tiny_products += (double)in * out;
    return nn_integer_linear(net, name, x, &desc);
}
static NN__UNUSED nn_node *tiny_mean(nn_model *net, nn_node *x, int h, int w) {
    nn_pool2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel_h = h, desc.kernel_w = w;
    int32_t *zero = (int32_t *)tiny_leaf("mean", "zero", NN_I32, NN_SHAPE(4));
    zero[0] = zero[1] = -20;
    return nn_flatten(net, nn_integer_avg_pool2d(net, "mean", x, &desc));
}
static NN__UNUSED nn_node *tiny_add(nn_model *net, const char *name, nn_node *a, nn_node *b) {
    static const int32_t numbers[] = {-20, -20, -20, 1 << 30, 1 << 30, 1 << 30,
                                      0,   0,   -19, -20,     127};
    memcpy(tiny_leaf(name, "numbers", NN_I32, NN_SHAPE(11)), numbers, sizeof numbers);
    return nn_integer_add(net, name, a, b);
}

/* ---- the nets -------------------------------------------------------------------------------- */

static NN__UNUSED nn_node *describe_keywords(nn_model *net, nn_node **input) {
    static const char *const d[] = {"d0", "d1", "d2", "d3"}, *const p[] = {"p0", "p1", "p2", "p3"};
    nn_node *y = *input = nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 49, 10, 1));
    y = tiny_conv(net, "first", y, 1, 64, 10, 4, 2, true);
    for (int i = 0; i < 4; i++) {
        y = tiny_conv(net, d[i], y, 0, 64, 3, 3, 1, true);
        y = tiny_conv(net, p[i], y, 64, 64, 1, 1, 1, true);
    }
    const nn_shape shape = nn_node_shape(y);
    return tiny_linear(net, "last", tiny_mean(net, y, shape.extent[1], shape.extent[2]), 64, 12,
                       false);
}

static NN__UNUSED nn_node *describe_images(nn_model *net, nn_node **input) {
    static const char *const names[3][4] = {
        {"a0", "b0", "s0", "t0"}, {"a1", "b1", "s1", "t1"}, {"a2", "b2", "s2", "t2"}};
    nn_node *y = *input = nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 32, 32, 3));
    y = tiny_conv(net, "first", y, 3, 16, 3, 3, 1, true);
    for (int i = 0; i < 3; i++) {
        const int out = 16 << i, in = i ? out / 2 : out, stride = i ? 2 : 1;
        nn_node *z = tiny_conv(net, names[i][0], y, in, out, 3, 3, stride, true);
        z = tiny_conv(net, names[i][1], z, out, out, 3, 3, 1, true);
        if (i) y = tiny_conv(net, names[i][2], y, in, out, 1, 1, 2, true);
        y = tiny_add(net, names[i][3], z, y);
    }
    return tiny_linear(net, "last", tiny_mean(net, y, 8, 8), 64, 10, false);
}

static NN__UNUSED nn_node *describe_anomaly(nn_model *net, nn_node **input) {
    static const int widths[] = {640, 128, 128, 128, 128, 8, 128, 128, 128, 128, 640};
    static const char *const names[] = {"l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9"};
    nn_node *y = *input = nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 640));
    for (int i = 0; i < 10; i++) y = tiny_linear(net, names[i], y, widths[i], widths[i + 1], i < 9);
    return y;
}

static NN__UNUSED nn_node *describe_persons(nn_model *net, nn_node **input) {
    static const int out[] = {16, 32, 32, 64, 64, 128, 128, 128, 128, 128, 128, 256, 256},
                     stride[] = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};
    static const char *const d[] = {"d0", "d1", "d2", "d3",  "d4",  "d5", "d6",
                                    "d7", "d8", "d9", "d10", "d11", "d12"};
    static const char *const p[] = {"p0", "p1", "p2", "p3",  "p4",  "p5", "p6",
                                    "p7", "p8", "p9", "p10", "p11", "p12"};
    int in = 8;
    nn_node *y = *input = nn_input(net, "x", NN_I8, NN_SHAPE(NN_BATCH, 96, 96, 3));
    y = tiny_conv(net, "first", y, 3, 8, 3, 3, 2, true);
    for (int i = 0; i < 13; i++) {
        y = tiny_conv(net, d[i], y, 0, in, 3, 3, stride[i], true);
        y = tiny_conv(net, p[i], y, in, out[i], 1, 1, 1, true);
        in = out[i];
    }
    return tiny_linear(net, "last", tiny_mean(net, y, 3, 3), 256, 2, false);
}

/* ---- numbers of a run ------------------------------------------------------------------------ */

/* Fills the input of a net, whose weights were made before. */
static NN__UNUSED void tiny_fill(int8_t *x, size_t count) {
    for (size_t i = 0; i < count; i++) x[i] = (int8_t)((int)(tiny_random() % 256) - 128);
}
/* FNV-1a */
static NN__UNUSED unsigned tiny_hash(const void *bytes, size_t count) {
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 16777619u;
    return hash;
}

#endif /* TINY_NETS_H */
