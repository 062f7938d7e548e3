/* test_window_errors.c - the errors of convolutions and pools, and the texts of the errors. The
   results of these operations are tested by tests/golden/catalogue/conv.py and pool.py,
   test_backends and test_random_graphs. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

typedef struct text {
    char at[1 << 16];
    size_t used;
} text;
static void write_text(void *user, const char *words, size_t bytes) {
    text *to = (text *)user;
    if (to->used + bytes + 1 > sizeof to->at) return;
    memcpy(to->at + to->used, words, bytes);
    to->used += bytes;
}

/* The node is refused, and the report says these words. */
#define REFUSED(node, words)                                                                       \
    do {                                                                                           \
        text *said = (text *)calloc(1, sizeof *said);                                              \
        nn_writer to = {write_text, said};                                                         \
        const int before = nn_fault_count(net);                                                    \
        (void)(node);                                                                              \
        ENSURE(nn_fault_count(net) == before + 1);                                                 \
        nn_write_faults(net, to);                                                                  \
        if (!strstr(said->at, words))                                                              \
            test_fail(__FILE__, __LINE__, "no \"%s\" in: %s", words, said->at);                    \
        free(said);                                                                                \
    } while (0)

#define LINE(...)  (&(nn_conv1d_desc){.out_channels = 2, .kernel = 3, __VA_ARGS__})
#define IMAGE(...) (&(nn_conv2d_desc){.out_channels = 2, .kernel = 3, __VA_ARGS__})
#define UP(...)    (&(nn_conv_transpose2d_desc){.out_channels = 2, .kernel = 3, __VA_ARGS__})

static void convolutions(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *line = nn_input(net, "line", NN_F32, NN_SHAPE(NN_BATCH, 2, 5)),
            *time = nn_input(net, "time", NN_F32, NN_SHAPE(NN_BATCH, 2, NN_TIME)),
            *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 2, 5, 6)),
            *wide = nn_input(net, "wide", NN_F32, NN_SHAPE(NN_BATCH, 2, 5, NN_TIME));
    REFUSED(nn_conv1d(net, "c", line, NULL), "desc is NULL");
    REFUSED(nn_conv2d(net, "c", image, NULL), "desc is NULL");
    REFUSED(nn_conv1d(net, "c", image, LINE(.stride = 1)), "conv1d wants 3: (N, C, L)");
    REFUSED(nn_conv1d(net, "c", line, LINE(.stride = -1)), "stride is -1");
    REFUSED(nn_conv1d(net, "c", line, LINE(.padding = NN_NONE)), "padding is");
    REFUSED(nn_conv1d(net, "c", line, &(nn_conv1d_desc){.out_channels = 2}), "kernel is 0");
    REFUSED(nn_conv1d(net, "c", line, LINE(.dilation = 3)), "the kernel covers 1 x 7");
    REFUSED(nn_conv1d(net, "c", line, LINE(.groups = 3)), "groups is 3");
    REFUSED(nn_conv1d(net, "c", time, LINE(.padding = 0)), "depends on the time");
    REFUSED(nn_conv1d(net, "c", time, LINE(.stride = 2)), "depends on the time");
    REFUSED(nn_conv1d(net, "c", line, LINE(.same = true, .stride = 2)), "stride of 1");
    REFUSED(nn_conv1d(net, "c", line, LINE(.same = true, .padding_right = 2)), "stride of 1");
    REFUSED(nn_conv2d(net, "c", image, IMAGE(.same = true, .padding = 1)), "stride of 1");
    REFUSED(nn_conv2d(net, "c", image, IMAGE(.padding_w = -1)), "padding_w is -1");
    REFUSED(nn_conv2d(net, "c", image, IMAGE(.padding_right = -1)), "padding_right is -1");
    REFUSED(nn_conv2d(net, "c", image, IMAGE(.padding_bottom = -7)), "padding_bottom is -7");
    REFUSED(nn_conv2d(net, "c", image, IMAGE(.padding_mode = (nn_padding_mode)4)),
            "padding_mode is 4");
    REFUSED(nn_conv2d(net, "c", image, IMAGE(.padding = -1, .padding_mode = NN_PADDING_REFLECT)),
            "padding is -1");
    REFUSED(nn_conv2d_using(net, "c", image,
                            IMAGE(.padding = 1, .padding_mode = NN_PADDING_REFLECT), NULL),
            "with nn_rare_conv2d(), pads");
    /* reflect: less than the extent (F.pad: "Padding size should be less than the corresponding
       input dimension") */
    REFUSED(nn_conv2d(net, "c", image, IMAGE(.padding = 5, .padding_mode = NN_PADDING_REFLECT)),
            "does not fit the mode reflect");
    REFUSED(nn_pad(net, image, &(nn_pad_desc){.left = 7, .mode = NN_PADDING_CIRCULAR}),
            "does not fit the mode circular");
    REFUSED(nn_pad(net, image, &(nn_pad_desc){.left = 1, .value = 2, .mode = NN_PADDING_CIRCULAR}),
            "value is 2");
    REFUSED(nn_pad(net, time, &(nn_pad_desc){.left = 1, .mode = NN_PADDING_REFLECT}),
            "depends on the time");
    /* an extent is a multiple of the time, never the time plus a number, so a mode that would store
       such a result is refused by name */
    REFUSED(nn_pad(net, time, &(nn_pad_desc){.left = 1, .right = 1}),
            "axis 2 of (batch, 2, time) depends on the time, and an extent cannot be that "
            "plus a number");
    REFUSED(nn_pad(net, time, &(nn_pad_desc){.left = 1, .right = -1, .mode = NN_PADDING_REPLICATE}),
            "depends on the time");
    REFUSED(nn_conv1d(net, "c", time, LINE(.padding = 1, .padding_mode = NN_PADDING_REFLECT)),
            "padding_mode is reflect, and extent 2 of \"time\" (batch, 2, time) depends on the time");
    REFUSED(nn_conv1d(net, "c", time, LINE(.same = true, .padding_mode = NN_PADDING_CIRCULAR)),
            "padding_mode is circular, and extent 2 of");
    REFUSED(nn_conv2d(net, "c", wide, IMAGE(.padding = 1, .padding_mode = NN_PADDING_REPLICATE)),
            "padding_mode is replicate, and extent 3 of \"wide\" (batch, 2, 5, time) depends");
    /* output_padding only chooses among the extents that a convolution makes equal */
    REFUSED(nn_conv_transpose2d(net, "c", image, UP(.stride = 2, .output_padding = 2)),
            "output_padding is 2");
    REFUSED(nn_conv_transpose2d(net, "c", image, UP(.padding = 9)), "would become 0 or less");
    REFUSED(nn_conv_transpose2d(net, "c", image, UP(.in_channels = 3)), "in_channels is 3");
    REFUSED(nn_conv_transpose2d(net, "c", line, UP(.stride = 2)), "wants 4: (N, C, H, W)");
    REFUSED(nn_conv_transpose1d(net, "c", line,
                                &(nn_conv_transpose1d_desc){.out_channels = 2, .kernel = 0}),
            "kernel is 0");
    REFUSED(nn_conv_transpose1d(net, "c", time,
                                &(nn_conv_transpose1d_desc){.out_channels = 2, .kernel = 2}),
            "depends on the time");
    nn_close(nn);
}

static void pools(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *line = nn_input(net, "line", NN_F32, NN_SHAPE(NN_BATCH, 2, 5)),
            *time = nn_input(net, "time", NN_F32, NN_SHAPE(NN_BATCH, 2, NN_TIME)),
            *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 2, 5, 6));
    REFUSED(nn_max_pool1d(net, line, NULL), "desc is NULL");
    REFUSED(nn_avg_pool1d(net, line, NULL), "desc is NULL");
    REFUSED(nn_max_pool1d(net, line, &(nn_pool1d_desc){0}), "kernel is 0");
    REFUSED(nn_avg_pool1d(net, line, &(nn_pool1d_desc){.kernel = 3, .padding = 2}),
            "padding is 2; it must be between 0 and half the kernel");
    REFUSED(nn_avg_pool1d(net, line, &(nn_pool1d_desc){.kernel = 2, .stride = -2}),
            "stride is -2");
    REFUSED(nn_avg_pool1d(net, image, &(nn_pool1d_desc){.kernel = 2}), "wants 3: (N, C, L)");
    REFUSED(nn_avg_pool2d(net, image, &(nn_pool2d_desc){.kernel = 2, .divisor = -1}),
            "divisor is -1");
    REFUSED(nn_avg_pool2d(net, image, &(nn_pool2d_desc){.kernel = 2, .dilation = 2}),
            "dilation is 2");
    REFUSED(nn_avg_pool2d(net, image, &(nn_pool2d_desc){.kernel = 2, .dilation_w = 3}),
            "dilation is 3");
    REFUSED(nn_adaptive_avg_pool1d(net, line, 0), "out is 0");
    REFUSED(nn_adaptive_max_pool2d(net, image, 2, 0), "out_w is 0");
    REFUSED(nn_adaptive_max_pool2d(net, line, 2, 2), "wants 4: (N, C, H, W)");
    nn_node *y = nn_adaptive_max_pool1d(net, time, NN_NONE);
    ENSURE(nn_same_shape(nn_node_shape(y), NN_SHAPE(NN_BATCH, 2, NN_TIME)));
    ENSURE(nn_node_dtype(nn_output(y, 1)) == NN_I32);
    y = nn_adaptive_avg_pool1d(net, time, 2); /* of any length */
    ENSURE(nn_same_shape(nn_node_shape(y), NN_SHAPE(NN_BATCH, 2, 2)));
    REFUSED(nn_max_pool1d(net, time, &(nn_pool1d_desc){.kernel = 3, .stride = 2}),
            "depends on the time");
    nn_close(nn);
}

#define SHAPE_OF(node, ...) ENSURE(nn_same_shape(nn_node_shape(node), NN_SHAPE(__VA_ARGS__)))

/* A field without a letter holds for every axis. A field with a letter replaces it for its axis,
   and only there. If every axis replaces a field without a letter, the field is an error. */
static void fields_of_axes(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 2, 9, 9)), *y,
            *volume = nn_input(net, "volume", NN_F32, NN_SHAPE(NN_BATCH, 2, 9, 9, 9));
    y = nn_conv2d(net, "a", image, &(nn_conv2d_desc){.out_channels = 1, .kernel = 3,
                                                     .kernel_h = 5, .padding = 1,
                                                     .padding_w = NN_NONE, .stride_h = 2});
    SHAPE_OF(y, NN_BATCH, 1, 4, 7);
    y = nn_conv2d(net, "b", image, &(nn_conv2d_desc){.out_channels = 1, .kernel_h = 1,
                                                     .kernel_w = 4, .dilation = 2,
                                                     .dilation_h = 1});
    SHAPE_OF(y, NN_BATCH, 1, 9, 3);
    y = nn_conv_transpose2d(net, "c", image,
                            &(nn_conv_transpose2d_desc){.out_channels = 1, .kernel = 2,
                                                        .stride = 2, .stride_h = 1});
    SHAPE_OF(y, NN_BATCH, 1, 10, 18);
    y = nn_max_pool2d(net, image, &(nn_pool2d_desc){.kernel = 2, .kernel_h = 3});
    SHAPE_OF(y, NN_BATCH, 2, 3, 4); /* the stride of each axis is its kernel */
    SHAPE_OF(nn_max_unpool2d(net, y, nn_output(y, 1),
                             &(nn_max_unpool2d_desc){.kernel = 2, .kernel_h = 3, .out_w = 9}),
             NN_BATCH, 2, 9, 9);
    y = nn_unfold(net, image, &(nn_unfold_desc){.kernel = 3, .kernel_h = 1});
    SHAPE_OF(y, NN_BATCH, 6, 63);
    y = nn_conv3d(net, "d", volume, &(nn_conv3d_desc){.out_channels = 1, .kernel = 1,
                                                      .kernel_h = 3});
    SHAPE_OF(y, NN_BATCH, 1, 9, 7, 9); /* the width does not follow the height */
    y = nn_conv3d(net, "e", volume, &(nn_conv3d_desc){.out_channels = 1, .kernel_d = 2,
                                                      .kernel_h = 3, .kernel_w = 4});
    SHAPE_OF(y, NN_BATCH, 1, 8, 7, 6);
    y = nn_avg_pool3d(net, volume, &(nn_pool3d_desc){.kernel = 3, .stride_d = 1});
    SHAPE_OF(y, NN_BATCH, 2, 7, 3, 3);
    y = nn_lp_pool2d(net, image, 2, &(nn_pool2d_desc){.kernel_h = 3, .kernel_w = 9});
    SHAPE_OF(y, NN_BATCH, 2, 3, 1);
    ENSURE(nn_fault_count(net) == 0);
    REFUSED(nn_conv2d(net, "x", image, IMAGE(.kernel_h = 5, .kernel_w = 5)),
            "kernel is 3, but no axis uses it, because kernel_h and the fields of the other axes");
    REFUSED(nn_conv2d(net, "x", image, IMAGE(.padding = 1, .padding_h = NN_NONE,
                                             .padding_w = NN_NONE)), "padding is 1, but no axis");
    REFUSED(nn_conv2d(net, "x", image, &(nn_conv2d_desc){.out_channels = 2, .kernel_h = 3}),
            "kernel_w is 0; it must be at least 1");
    REFUSED(nn_conv2d(net, "x", image, IMAGE(.stride_h = -1)), "stride_h is -1");
    REFUSED(nn_max_pool2d(net, image, &(nn_pool2d_desc){.kernel = 2, .stride = 2, .stride_h = 1,
                                                        .stride_w = 3}), "stride is 2, but no axis");
    REFUSED(nn_max_pool2d(net, image, &(nn_pool2d_desc){.kernel = 2, .padding_h = 2}),
            "padding_h is 2; it must be between 0 and half the kernel");
    REFUSED(nn_conv3d(net, "x", volume,
                      &(nn_conv3d_desc){.out_channels = 1, .kernel = 3, .dilation = 2,
                                        .dilation_d = 1, .dilation_h = 1, .dilation_w = 1}),
            "dilation is 2, but no axis uses it, because dilation_d");
    REFUSED(nn_fractional_max_pool2d(net, image,
                                     &(nn_fractional_pool_desc){.kernel = 2, .kernel_d = 2,
                                                                .out_h = 2, .out_w = 2}),
            "leave .kernel_d out");
    REFUSED(nn_fractional_max_pool2d(net, image,
                                     &(nn_fractional_pool_desc){.kernel = 2, .ratio = 1}),
            "ratio is 1; it must be between 0 and 1");
    nn_close(nn);
}

/* An operation refuses a number for which it has no use, instead of ignoring it. */
static void numbers_without_use(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *line = nn_input(net, "line", NN_F32, NN_SHAPE(NN_BATCH, 2, 5)),
            *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 2, 5, 6)),
            *volume = nn_input(net, "volume", NN_F32, NN_SHAPE(NN_BATCH, 2, 4, 5, 6)),
            *down = nn_input(net, "down", NN_F32, NN_SHAPE(3, 2, 3, 3)),
            *up = nn_input(net, "up", NN_F32, NN_SHAPE(2, 3, 3, 3)),
            *bias = nn_input(net, "bias", NN_F32, NN_SHAPE(3));
    REFUSED(nn_max_pool1d(net, line, &(nn_pool1d_desc){.kernel = 2, .count_only_inside = true}),
            "count_only_inside is 1");
    REFUSED(nn_max_pool2d(net, image, &(nn_pool2d_desc){.kernel = 2, .divisor = 3}),
            "divisor is 3; it must be 0: a maximum");
    REFUSED(nn_max_pool2d(net, image, &(nn_pool2d_desc){.kernel = 2, .count_only_inside = true}),
            "count_only_inside is 1");
    REFUSED(nn_max_pool3d(net, volume, &(nn_pool3d_desc){.kernel = 2, .divisor = 3}),
            "divisor is 3; it must be 0: a maximum");
    REFUSED(nn_max_pool3d(net, volume, &(nn_pool3d_desc){.kernel = 2, .count_only_inside = true}),
            "count_only_inside is 1");
    REFUSED(nn_avg_pool3d(net, volume, &(nn_pool3d_desc){.kernel = 2, .divisor = -1}),
            "divisor is -1");
    REFUSED(nn_fractional_max_pool2d(
                net, image,
                &(nn_fractional_pool_desc){.kernel = 2, .out_d = 2, .out_h = 2, .out_w = 2}),
            "out_d is 2; it must be 0");
    REFUSED(nn_functional_conv2d(net, image, down, bias, &(nn_conv2d_desc){.no_bias = true}),
            "no_bias is true, and a bias is given");
    /* an extent of the kernel in the desc must be that of the weight, which is 3 x 3 */
    REFUSED(nn_functional_conv2d(net, image, down, NULL, &(nn_conv2d_desc){.kernel_h = 2}),
            "wanted (3, 2, 2, 3)");
    REFUSED(nn_functional_conv2d(net, image, down, NULL, &(nn_conv2d_desc){.kernel = 2}),
            "wanted (3, 2, 2, 2)");
    /* all operands are checked before the padding is, in which there is another fault */
    nn_node *foreign = nn_input(nn_make_model(nn, NULL), "w", NN_F32, NN_SHAPE(2, 2, 3, 3));
    REFUSED(
        nn_functional_conv2d(net, line, foreign, NULL,
                             &(nn_conv2d_desc){.padding = 1, .padding_mode = NN_PADDING_REFLECT}),
        "weight belongs to the model");
    REFUSED(nn_functional_conv_transpose2d(net, image, up, bias,
                                           &(nn_conv_transpose2d_desc){.no_bias = true}),
            "no_bias is true, and a bias is given");
    nn_close(nn);
}

/* The fix says what to do: it leaves out a field that has to be 0, does not call an argument a
   field, and names the field of the axis. */
static void fixes_name_what_to_change(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 2, 5, 6)),
            *wide = nn_input(net, "wide", NN_F32, NN_SHAPE(NN_BATCH, 1, 4096, 4096)),
            *volume = nn_input(net, "volume", NN_F32, NN_SHAPE(NN_BATCH, 2, 4, 5, 6));
    REFUSED(nn_max_pool2d(net, image, &(nn_pool2d_desc){.kernel = 2, .divisor = 3}),
            "leave .divisor out");
    REFUSED(nn_max_pool3d(net, volume, &(nn_pool3d_desc){.kernel = 2, .count_only_inside = true}),
            "leave .count_only_inside out");
    REFUSED(nn_avg_pool3d(net, volume, &(nn_pool3d_desc){.kernel = 2, .dilation_w = 2}),
            "leave .dilation_w out");
    REFUSED(nn_max_pool3d(net, volume, &(nn_pool3d_desc){.kernel = 2, .padding_h = 2}),
            "set .padding_h");
    REFUSED(nn_max_pool3d(net, volume, &(nn_pool3d_desc){.kernel = 2, .kernel_w = -3}),
            "set .kernel_w");
    REFUSED(nn_conv_transpose3d(net, "t", volume,
                                &(nn_conv_transpose3d_desc){.out_channels = 1, .kernel = 2,
                                                            .output_padding_h = 1}),
            "output_padding_h is 1; it must be at least 0, and less than stride (1)");
    REFUSED(nn_fractional_max_pool2d(net, image, &(nn_fractional_pool_desc){.kernel = 2,
                                                                            .kernel_w = 9,
                                                                            .out_h = 2,
                                                                            .out_w = 2}),
            "kernel_w is 9, and the extent that it runs along is 6");
    REFUSED(nn_fractional_max_pool2d(net, wide, &(nn_fractional_pool_desc){.kernel = 2048,
                                                                           .out_h = 2049,
                                                                           .out_w = 2049}),
            "the windows of a channel have 17609370107904 places");
    REFUSED(nn_pixel_shuffle(net, image, 0), "another factor");
    REFUSED(nn_repeat_interleave(net, image, -1, 2), "another repeats");
    REFUSED(nn_adaptive_avg_pool2d(net, image, 0, 1), "another out_h");
    nn_close(nn);
}

/* Describes a temporal convolutional network: two causal convolutions, the second dilated, to whose
   result x, moved by two steps, is added; then a pool that halves the time. */
static nn_node *causal(nn_model *net, nn_node *x) {
    nn_node *y = nn_relu(net, nn_conv1d(net, "a", x,
                                        &(nn_conv1d_desc){.out_channels = 3, .kernel = 3,
                                                          .padding = 2, .padding_right = NN_NONE}));
    y = nn_conv1d(net, "b", y, &(nn_conv1d_desc){.out_channels = 3, .kernel = 3, .dilation = 2,
                                                 .padding = 4, .padding_right = NN_NONE});
    y = nn_add(net, y, nn_pad(net, x, &(nn_pad_desc){.left = 2, .right = -2}));
    return nn_avg_pool1d(net, y, &(nn_pool1d_desc){.kernel = 2});
}
/* Runs the net on `half` pairs of steps and writes its output to `result`. is_free: in a plan whose
   time is free. */
static void run_causal(nn_context *nn, bool is_free, int half, float *result) {
    static float numbers[2 * 3 * 16];
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 3});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 6, is_free ? NN_TIME : half)),
            *y = causal(net, nn_reshape(net, x, NN_SHAPE(NN_BATCH, 3,
                                                         is_free ? nn_multiply_extents(NN_TIME, 2)
                                                                 : 2 * half)));
    nn_plan *plan = nn_make_plan(
        net, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = 2, .time = is_free ? 8 : 0});
    for (int i = 0; i < 2 * 3 * 16; i++) numbers[i] = (float)(i * 31 % 17) / 8 - 1;
    if (is_free) nn_set_time(plan, half);
    ENSURE(nn_upload(plan, x, numbers, sizeof(float) * 2 * 3 * 2 * (size_t)half) == NN_OK);
    ENSURE(nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, result, sizeof(float) * 2 * 3 * (size_t)half) == NN_OK);
    ENSURE(nn_error(nn) == NULL);
    nn_free_model(net);
}
/* At every length a net with a free time gives the numbers of a net described for this length. In a
   single pair of steps, the shift moves everything out. */
static void a_net_over_a_free_time(void) {
    nn_context *nn = nn_open(NULL);
    for (int half = 1; half <= 8; half++) {
        float one[2 * 3 * 8], other[2 * 3 * 8];
        if (half == 1) { /* A fixed time is refused, as by PyTorch: nothing of x would be left. */
            nn_model *net = nn_make_model(nn, NULL);
            nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 2));
            REFUSED(nn_pad(net, x, &(nn_pad_desc){.left = 2, .right = -2}), "leaves nothing");
            nn_free_model(net);
            nn_clear_error(nn);
            run_causal(nn, true, half, one);
            continue;
        }
        run_causal(nn, true, half, one);
        run_causal(nn, false, half, other);
        for (int i = 0; i < 2 * 3 * half; i++) ENSURE_CLOSE((double)one[i], (double)other[i], 1e-6);
    }
    nn_close(nn);
}

/* ---- padding beside free extents ------------------------------------------------------------- */

/* Returns the source of place i of an axis that was padded by `before`. */
static int padded_from(nn_padding_mode mode, int i, int extent, int before) {
    i -= before;
    if (mode == NN_PADDING_CIRCULAR) return (i + extent) % extent;
    if (mode == NN_PADDING_REPLICATE) return i < 0 ? 0 : i >= extent ? extent - 1 : i;
    return i < 0 ? -i : i >= extent ? 2 * (extent - 1) - i : i;
}

/* Tests a free extent beside the padded axis, which is one of the last three. The plan runs at
   every length, and its numbers and gradient are those of the positions that the mode names. The
   loss is the sum of squares of the padded product of x and weights along the padded axis. */
static void pad_beside(nn_context *nn, nn_shape shape, int axis, nn_padding_mode mode) {
    enum { BATCH = 3, TIME = 4, MOST = 4 * BATCH * TIME * 2 * 5, FIXED = 5, BEFORE = 3, AFTER = 2 };
    static float x[MOST], y[MOST * 2];
    nn_model *net = nn_make_model(nn, NULL);
    nn_shape weights = shape;
    nn_pad_desc desc = {.mode = mode};
    *(axis == shape.rank - 1 ? &desc.left : axis == shape.rank - 2 ? &desc.top : &desc.front) =
        BEFORE;
    *(axis == shape.rank - 1 ? &desc.right : axis == shape.rank - 2 ? &desc.bottom : &desc.back) =
        AFTER;
    for (int i = 0; i < shape.rank; i++) weights.extent[i] = i == axis ? FIXED : 1;
    nn_node *in = nn_input(net, "x", NN_F32, shape),
            *w = nn_parameter(net, "w", weights, 1.0f, 1.0f),
            *out = nn_pad(net, nn_multiply(net, in, w), &desc),
            *loss = nn_sum(net, nn_square(net, out));
    nn_plan *plan =
        nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out), .batch = BATCH, .time = TIME});
    nn_trainer *trainer = nn_make_trainer(
        net, loss, &(nn_trainer_desc){.batch = BATCH, .time = TIME, .gradients = true});
    bool timed = false;
    for (int i = 0; i < shape.rank; i++) timed = timed || shape.extent[i] == NN_TIME;
    for (int i = 0; i < MOST; i++) x[i] = (float)(i * 31 % 67) / 32 - 1;
    for (int batch = 1; batch <= BATCH; batch += 2)
        for (int time = 1; time <= TIME; time += 3) {
            float slope[FIXED], wanted[FIXED] = {0};
            int outer = 1, inner = 1, wrong = 0;
            for (int i = 0; i < shape.rank; i++) {
                const int extent = shape.extent[i] == NN_BATCH  ? batch
                                   : shape.extent[i] == NN_TIME ? time
                                                                : shape.extent[i];
                *(i < axis ? &outer : &inner) *= i == axis ? 1 : extent;
            }
            const size_t bytes = sizeof(float) * (size_t)(outer * FIXED * inner);
            nn_plan *const plans[] = {plan, nn_trainer_plan(trainer)};
            for (int i = 0; i < 2; i++) {
                if (timed) nn_set_time(plans[i], time);
                ENSURE(nn_upload(plans[i], in, x, bytes) == NN_OK);
            }
            ENSURE(nn_run(plan) == NN_OK);
            ENSURE(nn_download(plan, out, y, bytes / FIXED * (FIXED + BEFORE + AFTER)) == NN_OK);
            for (int i = 0; i < outer * (FIXED + BEFORE + AFTER) * inner; i++) {
                const int rest = i / inner,
                          from = padded_from(mode, rest % (FIXED + BEFORE + AFTER), FIXED, BEFORE);
                const float value =
                    x[(rest / (FIXED + BEFORE + AFTER) * FIXED + from) * inner + i % inner];
                wrong += y[i] != value;
                wanted[from] += 2 * value * value;
            }
            ENSURE(wrong == 0);
            nn_zero_gradients(trainer);
            ENSURE(nn_backward(trainer) == NN_OK);
            ENSURE(nn_read_gradient(trainer, "w", slope, sizeof slope) == NN_OK);
            for (int i = 0; i < FIXED; i++)
                ENSURE_CLOSE(slope[i], wanted[i], 1e-4 * wanted[i] + 1e-5);
        }
    ENSURE(nn_error(nn) == NULL);
    nn_free_trainer(trainer);
    nn_free_model(net);
}

static void paddings_beside_free_axes(void) {
    static const nn_padding_mode modes[] = {NN_PADDING_REFLECT, NN_PADDING_REPLICATE,
                                            NN_PADDING_CIRCULAR};
    const struct {
        nn_shape shape;
        int axis;
    } cases[] = {{NN_SHAPE(NN_BATCH, 2, 5), 2},       {NN_SHAPE(NN_BATCH, NN_TIME, 5), 2},
                 {NN_SHAPE(NN_BATCH, 2, 5, NN_TIME), 2}, {NN_SHAPE(2, NN_TIME, NN_BATCH, 5), 3},
                 {NN_SHAPE(NN_BATCH, 5, NN_TIME, 2), 1}, {NN_SHAPE(2, 5, NN_BATCH), 1}};
    nn_context *nn = nn_open(NULL);
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++)
        for (int k = 0; k < 3; k++) pad_beside(nn, cases[i].shape, cases[i].axis, modes[k]);
    nn_close(nn);
}

/* The parameters have PyTorch's shapes, bounds and names. */
static void parameters(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 4, 5, 6));
    nn_node *y = nn_conv_transpose2d(net, "up", image,
                                     &(nn_conv_transpose2d_desc){.out_channels = 6,
                                                                 .kernel = 3,
                                                                 .groups = 2,
                                                                 .stride = 2});
    nn_conv1d(net, "line", nn_reshape(net, image, NN_SHAPE(NN_BATCH, 4, 30)),
              &(nn_conv1d_desc){.out_channels = 2, .kernel = 5});
    nn_tensor *weight = nn_find_tensor(net, "up.weight"), *bias = nn_find_tensor(net, "up.bias"),
              *line = nn_find_tensor(net, "line.weight");
    ENSURE(nn_same_shape(nn_node_shape(y), NN_SHAPE(NN_BATCH, 6, 11, 13)));
    ENSURE(weight && nn_same_shape(nn_tensor_view(weight).shape, NN_SHAPE(4, 3, 3, 3)));
    ENSURE(bias && nn_same_shape(nn_tensor_view(bias).shape, NN_SHAPE(6)));
    ENSURE(line && nn_same_shape(nn_tensor_view(line).shape, NN_SHAPE(2, 4, 5)));
    /* torch.nn.init: the fan of a transposed weight is that of its second extent, 3 * 3 * 3 */
    const float *w = (const float *)nn_tensor_data(weight);
    float most = 0;
    for (int i = 0; w && i < 108; i++) most = w[i] > most ? w[i] : -w[i] > most ? -w[i] : most;
    ENSURE(most > 0.15f && most <= 0.19245f); /* 1 / sqrt(27) */
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(convolutions);
    RUN(pools);
    RUN(fields_of_axes);
    RUN(numbers_without_use);
    RUN(fixes_name_what_to_change);
    RUN(a_net_over_a_free_time);
    RUN(paddings_beside_free_axes);
    RUN(parameters);
    return test_report();
}
