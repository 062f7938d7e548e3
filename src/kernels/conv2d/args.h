/* kernels/conv2d/args.h - convolutions of images and both of their gradients. Letters: N batch, C
   input channels, K output channels, H and W height and width, R and S height and width of the
   kernel, G groups. */
#pragma once

#include "device/types.h"
#include "kernels/epilogue.h"

typedef struct nn_conv2d_params {
    int32_t kernel_h, kernel_w, stride_h, stride_w, padding_h, padding_w, dilation_h, dilation_w,
        groups;
} nn_conv2d_params;

/* A plan that only infers caches the weights of a forward, packed for its kernel, in its own
   memory. Devices without this feature never see it. */
typedef enum nn_keeping {
    NN_KEEP_NOT,  /* the kernel packs the weights in each call */
    NN_KEEP_USES, /* uses the packed weights in `kept`; of `weight` only the shape */
    NN_KEEP_MAKES /* packs the weights into `kept`, and does nothing else */
} nn_keeping;

/* forward          y = conv(x, weight), epilogue; reads x, weight, bias, slope; writes y. As the
                    gradient of a transposed convolution it has no epilogue and may accumulate.
                    With a slope it has no activation and does not accumulate, and each v of channel
                    k, bias included, becomes v > 0 ? v : slope[k] v
   backward_input   dx from dy and weight; reads dy, weight, bias; writes dx. As a transposed
                    convolution it has an epilogue, with a bias of C numbers; then it does not
                    accumulate
   backward_weight  dweight from dy and x, dbias = the sum of dy over N, H and W; reads dy, x;
                    writes dweight, dbias, of which either may be absent, not both
   A gradient is in the field of its value (dx in x ...). The extents of x and y are free; they
   determine the padding at the end of each axis. */
typedef struct nn_conv2d_args {
    nn_view y;      /* (N, K, OH, OW) */
    nn_view x;      /* (N, C, H, W) */
    nn_view weight; /* (K, C / G, R, S) */
    nn_conv2d_params params;
    bool direct;          /* direct sums only */
    bool accumulate;      /* += instead of =; with an epilogue only in backward_weight */
    nn_epilogue epilogue; /* in backward_weight epilogue.bias is dbias */
#ifndef NN_NO_SPEEDUPS
    nn_view slope; /* forward: K numbers, f32, in any shape; or absent. A device may refuse it */
#endif
    nn_view scratch;
    nn_precision precision; /* DEFAULT: HIGHEST */
    nn_keeping keep; /* forward */
    float *kept;  /* of the size that the device asks for; NULL before there is memory */
} nn_conv2d_args;

/* Views and numbers: see kernels/list.h. */
#ifndef NN_NO_SPEEDUPS
#define NN__CONV2D_SLOPE(VIEW) VIEW(IN, slope, 1)
#define NN__CONV2D_NO_SLOPE(OTHER) OTHER(slope)
#else
#define NN__CONV2D_SLOPE(VIEW)
#define NN__CONV2D_NO_SLOPE(OTHER)
#endif
#define NN_CONV2D_FORWARD_VIEWS(VIEW, ITEM)                                                        \
    VIEW(SUM, y, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(IN, epilogue.bias, 1)                  \
    NN__CONV2D_SLOPE(VIEW) VIEW(SCRATCH, scratch, 1)
#define NN_CONV2D_BACKWARD_INPUT_VIEWS(VIEW, ITEM)                                                 \
    VIEW(IN, y, 1) VIEW(SUM, x, 1) VIEW(IN, weight, 1) VIEW(IN, epilogue.bias, 1)                  \
    VIEW(SCRATCH, scratch, 1)
#define NN_CONV2D_BACKWARD_WEIGHT_VIEWS(VIEW, ITEM)                                                \
    VIEW(IN, y, 1) VIEW(IN, x, 1) VIEW(SUM, weight, 1) VIEW(SUM, epilogue.bias, 1)                 \
    VIEW(SCRATCH, scratch, 1)
#define NN_CONV2D_FORWARD_NUMBERS(INT, REAL, OTHER)                                                \
    INT(params.kernel_h) INT(params.kernel_w) INT(params.stride_h) INT(params.stride_w)            \
    INT(params.padding_h) INT(params.padding_w) INT(params.dilation_h) INT(params.dilation_w)      \
    INT(params.groups) INT(direct) INT(accumulate) INT(epilogue.activation)                        \
    OTHER(precision) OTHER(keep) OTHER(kept)
#define NN_CONV2D_BACKWARD_INPUT_NUMBERS(INT, REAL, OTHER)                                         \
    NN_CONV2D_FORWARD_NUMBERS(INT, REAL, OTHER) NN__CONV2D_NO_SLOPE(OTHER)
#define NN_CONV2D_BACKWARD_WEIGHT_NUMBERS(INT, REAL, OTHER)                                        \
    NN_CONV2D_FORWARD_NUMBERS(INT, REAL, OTHER) NN__CONV2D_NO_SLOPE(OTHER)

/* weight (K, C / G, R, S) = the sum over all shards s of weights[s * weight_step] times the
   backward_weight of the shard's dy and x. Each product is rounded, then they are added in the tree
   of kernels/shard_sum/args.h. A weight of 0 gives zeros whatever the gradient is; without weights
   all are 1. dy and x of shard s begin at element s * y_step of y and s * x_step of x. There are
   `shards` shards, a power of two up to 1024, with `total` images together: each has `images`, but
   the last ones have what is left, perhaps none. Only the CPU has this kernel, and only if each
   backward_weight uses Winograd's algorithm. It gives the bytes of backward_weight followed by
   shard_sum. */
typedef struct nn_shard_conv2d_args {
    nn_view weight;
    nn_view y, x;    /* (shards, y_step), (shards, x_step) f32 */
    nn_view weights; /* f32, or absent */
    nn_view scratch;
    nn_conv2d_params params;
    bool direct;
    int32_t y_h, y_w, x_h, x_w; /* extents of the images */
    int32_t shards, images, total, y_step, x_step, weight_step;
} nn_shard_conv2d_args;

#define NN_SHARD_CONV2D_VIEWS(VIEW, ITEM)                                                          \
    VIEW(OUT, weight, 1) VIEW(IN, y, 1) VIEW(IN, x, 1) VIEW(IN, weights, 1)                        \
    VIEW(SCRATCH, scratch, 1)
#define NN_SHARD_CONV2D_NUMBERS(INT, REAL, OTHER)                                                  \
    OTHER(params.kernel_h) OTHER(params.kernel_w) OTHER(params.stride_h) OTHER(params.stride_w)    \
    OTHER(params.padding_h) OTHER(params.padding_w) OTHER(params.dilation_h)                       \
    OTHER(params.dilation_w) OTHER(params.groups) OTHER(direct) OTHER(y_h) OTHER(y_w) OTHER(x_h)   \
    OTHER(x_w) OTHER(shards) OTHER(images) OTHER(total) OTHER(y_step) OTHER(x_step)                \
    OTHER(weight_step)

/* Fills *g, which is zeroed, with the backward_weight of `images` images of one shard. */
static inline void nn__shard_conv2d_one(const nn_shard_conv2d_args *a, int shard, int images,
                                        nn_conv2d_args *g) {
    g->params = a->params;
    g->direct = a->direct;
    g->weight = a->weight;
    g->y = a->y;
    g->x = a->x;
    g->y.offset += sizeof(float) * (uint64_t)shard * (uint64_t)a->y_step;
    g->x.offset += sizeof(float) * (uint64_t)shard * (uint64_t)a->x_step;
    g->y.dtype = g->x.dtype = NN_F32; /* even if the views have no dtype yet */
    g->y.shape.rank = g->x.shape.rank = 4;
    g->y.shape.extent[0] = g->x.shape.extent[0] = images;
    g->y.shape.extent[1] = a->weight.shape.extent[0];
    g->y.shape.extent[2] = a->y_h;
    g->y.shape.extent[3] = a->y_w;
    g->x.shape.extent[1] = a->weight.shape.extent[1] * a->params.groups;
    g->x.shape.extent[2] = a->x_h;
    g->x.shape.extent[3] = a->x_w;
}
static inline int nn__shard_conv2d_images(const nn_shard_conv2d_args *a, int shard) {
    const int64_t left = a->total - (int64_t)shard * a->images;
    return left < 0 ? 0 : left < a->images ? (int)left : a->images;
}
