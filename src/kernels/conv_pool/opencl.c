/* kernels/conv_pool/opencl.c - blocks on OpenCL: the convolutions of kernels/conv2d, with results
   in the order of windows.

   A work-item computes all four places of a window and stores only the maximum. The gradients read
   dy as if it were the gradient of the convolution: 0 except at the places of the maxima. If
   Winograd's algorithm is faster for the gradient of x, a pass over the windows
   (kernels/conv_pool/opencl.cl) first writes that gradient into scratch. Units: those of the pass,
   if there is one, then those of the convolution. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_BLOCK_PIECE 65536 /* numbers in a piece of the pass, approximately */

typedef struct nn__opencl_block {
    nn_conv2d_args conv;
    nn__opencl_conv_way way;
    bool apart;                   /* the pass is a launch of its own */
    int64_t rows;                 /* rows of windows of all images */
    int32_t each, pieces;         /* rows in a piece of the pass; number of pieces */
    uint64_t between, after;      /* bytes of scratch: for the convolution's result; for its own */
} nn__opencl_block;

static uint64_t nn__opencl_block_conv_scratch(nn__opencl *device, const nn_conv2d_args *conv,
                                              nn__opencl_conv_way way) {
    const nn__opencl_kernel *kernel = way == NN__OPENCL_CONV_FORWARD
                                          ? nn__opencl_kernel_conv2d_forward()
                                      : way == NN__OPENCL_CONV_INPUT
                                          ? nn__opencl_kernel_conv2d_backward_input()
                                          : nn__opencl_kernel_conv2d_backward_weight();
    return kernel->scratch_bytes(device, conv);
}

/* True if, on a GPU, the gradient of x is computed by a pass and Winograd's algorithm instead of
   patches that read windows: wherever Winograd suits. On an H200, for 64 images of 28 x 28 with 32
   channels and 64 filters, patches took 78 us and Winograd 43 us; the pass writes 13 MB. */
static bool nn__opencl_block_spreads(nn__opencl *device, const nn_conv2d_args *conv) {
    const nn__opencl_conv c = nn__opencl_conv_of(conv, NN__OPENCL_CONV_INPUT, 0);
    return nn__opencl_present(&conv->weight) && nn__opencl_gpu_winograd_is_faster(device, conv, &c);
}

static nn__opencl_block nn__opencl_block_of(nn__opencl *device, const void *args,
                                            nn__opencl_conv_way way) {
    const nn_conv_pool_args *g = (const nn_conv_pool_args *)args;
    nn__opencl_block block;
    nn_conv2d_args *conv = &block.conv;
    memset(&block, 0, sizeof block);
    block.way = way;
    conv->x = g->x;
    conv->weight = g->weight;
    conv->y = way == NN__OPENCL_CONV_FORWARD ? g->y : g->dy;
    conv->y.shape.extent[2] *= 2;
    conv->y.shape.extent[3] *= 2;
    conv->params.kernel_h = g->weight.shape.extent[2];
    conv->params.kernel_w = g->weight.shape.extent[3];
    conv->params.padding_h = g->padding_h;
    conv->params.padding_w = g->padding_w;
    conv->params.stride_h = conv->params.stride_w = 1;
    conv->params.dilation_h = conv->params.dilation_w = conv->params.groups = 1;
    conv->direct = g->direct;
    block.apart = way == NN__OPENCL_CONV_INPUT && nn__opencl_block_spreads(device, conv);
    if (!block.apart) conv->direct = true; /* kernels of blocks are direct sums */
    if (way == NN__OPENCL_CONV_WEIGHT || (way == NN__OPENCL_CONV_FORWARD && !block.apart))
        conv->epilogue.bias = g->epilogue.bias;
    if (way == NN__OPENCL_CONV_FORWARD && !block.apart)
        conv->epilogue.activation = g->epilogue.activation;
    conv->scratch = g->scratch;
    block.after = nn__opencl_block_conv_scratch(device, conv, way);
    if (!block.apart) return block;
    block.rows = (int64_t)g->y.shape.extent[0] * g->y.shape.extent[1] * g->y.shape.extent[2];
    block.each = 1 + NN__OPENCL_BLOCK_PIECE / conv->y.shape.extent[3] / 2;
    block.pieces = nn__opencl_ceil_div(block.rows, block.each);
    block.between = nn__opencl_conv_aligned((uint64_t)nn__opencl_count(&conv->y));
    conv->y.handle = g->scratch.handle;
    conv->y.offset = g->scratch.offset;
    conv->scratch = nn__opencl_part(&g->scratch, block.between, block.after);
    return block;
}

static uint64_t nn__opencl_block_scratch(nn__opencl *device, const void *args,
                                         nn__opencl_conv_way way) {
    const nn__opencl_block block = nn__opencl_block_of(device, args, way);
    return block.between + block.after;
}

/* Returns the number of units of the convolution. */
static int32_t nn__opencl_block_conv_units(nn__opencl *device, const nn__opencl_block *block) {
    return block->way == NN__OPENCL_CONV_WEIGHT
               ? nn__opencl_conv_weight_units(device, &block->conv)
               : nn__opencl_conv_units(device, &block->conv, block->way);
}

static int32_t nn__opencl_block_units(nn__opencl *device, const void *args,
                                      nn__opencl_conv_way way) {
    const nn__opencl_block block = nn__opencl_block_of(device, args, way);
    return nn__opencl_block_conv_units(device, &block) + block.pieces;
}

/* Runs pieces [first, end) of the pass over windows. */
static nn_result nn__opencl_block_pass(nn__opencl *device, const nn_conv_pool_args *g,
                                       const nn__opencl_block *block, int32_t first, int32_t end) {
    const int64_t from = (int64_t)first * block->each, to = (int64_t)end * block->each;
    const int64_t stop = to < block->rows ? to : block->rows;
    const int32_t few = (int32_t)(1 + 4096 / block->conv.y.shape.extent[3]);
    const uint64_t wide = (uint64_t)g->y.shape.extent[3];
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv_pool", "nn_conv_pool_spread_windows", "");
    nn__opencl_view(&launch, &block->conv.y);
    nn__opencl_view(&launch, &g->y);
    nn__opencl_view(&launch, &g->place);
    nn__opencl_view(&launch, &g->dy);
    nn__opencl_int(&launch, g->y.shape.extent[1]);
    nn__opencl_int(&launch, g->y.shape.extent[2]);
    nn__opencl_int(&launch, g->y.shape.extent[3]);
    nn__opencl_int(&launch, (int32_t)g->epilogue.activation);
    nn__opencl_ulong(&launch, (uint64_t)from);
    nn__opencl_ulong(&launch, (uint64_t)stop);
    nn__opencl_int(&launch, few);
    return nn__opencl_run_flat(&launch, (uint64_t)(stop - from) * wide, 64);
}

static nn_result nn__opencl_block_conv(nn__opencl *device, const nn_conv_pool_args *g,
                                       const nn__opencl_block *block, int32_t first, int32_t end) {
    const nn_conv_pool_args *fused = block->apart ? NULL : g;
    return block->way == NN__OPENCL_CONV_WEIGHT
               ? nn__opencl_conv_weight_run(device, &block->conv, fused, first, end - first)
               : nn__opencl_conv_run(device, &block->conv, fused, block->way, first, end - first);
}

static nn_result nn__opencl_block_run(nn__opencl *device, const void *args,
                                      nn__opencl_conv_way way, int32_t first, int32_t count) {
    const nn_conv_pool_args *g = (const nn_conv_pool_args *)args;
    const nn__opencl_block block = nn__opencl_block_of(device, args, way);
    const int32_t units = nn__opencl_block_conv_units(device, &block), end = first + count;
    const int32_t before = block.pieces;
    const int32_t from = first > before ? first - before : 0,
                  to = end - before < units ? end - before : units;
    nn_result result = NN_OK;
    if (first < before)
        result = nn__opencl_block_pass(device, g, &block, first, end < before ? end : before);
    if (result >= 0 && from < to) result = nn__opencl_block_conv(device, g, &block, from, to);
    return result;
}

static const char *nn__opencl_block_refuses(nn__opencl *device, const void *args) {
    const nn_conv_pool_args *g = (const nn_conv_pool_args *)args;
    const nn__opencl_block block = nn__opencl_block_of(
        device, args, nn__opencl_present(&g->dy) ? NN__OPENCL_CONV_INPUT : NN__OPENCL_CONV_FORWARD);
    if (g->epilogue.activation != NN_ACTIVATION_NONE &&
        g->epilogue.activation != NN_ACTIVATION_RELU)
        return "a joined block of convolutions supports no activation but relu";
    return nn__opencl_conv_refuses(device, &block.conv);
}

/* ---- the three kernels ----------------------------------------------------------------------- */

#define NN__OPENCL_BLOCK(name, way)                                                                \
    static uint64_t nn__opencl_block_scratch_##name(nn__opencl *device, const void *args) {        \
        return nn__opencl_block_scratch(device, args, way);                                        \
    }                                                                                              \
    static int32_t nn__opencl_block_units_##name(nn__opencl *device, const void *args) {           \
        return nn__opencl_block_units(device, args, way);                                          \
    }                                                                                              \
    static nn_result nn__opencl_block_run_##name(nn__opencl *device, const void *args,             \
                                                 int32_t first, int32_t count) {                   \
        return nn__opencl_block_run(device, args, way, first, count);                              \
    }                                                                                              \
    NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_conv_pool_##name(void) {         \
        static const nn__opencl_kernel kernel = {                                                  \
            nn__opencl_block_refuses, nn__opencl_block_scratch_##name,                             \
            nn__opencl_block_units_##name, nn__opencl_block_run_##name, NULL};                     \
        return &kernel;                                                                            \
    }

NN__OPENCL_BLOCK(forward, NN__OPENCL_CONV_FORWARD)
NN__OPENCL_BLOCK(backward_weight, NN__OPENCL_CONV_WEIGHT)
NN__OPENCL_BLOCK(backward_input, NN__OPENCL_CONV_INPUT)

#undef NN__OPENCL_BLOCK
#undef NN__OPENCL_BLOCK_PIECE
