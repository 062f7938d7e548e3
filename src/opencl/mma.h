/* opencl/mma.h - the matrix units of a device. A part of opencl/private.h. */
#pragma once

#include "opencl/private.h"

/* The format to which the operands of a product are rounded. Sums are always f32. */
typedef enum nn__opencl_rounding {
    NN__OPENCL_ROUND_NOT,
    NN__OPENCL_ROUND_TF32, /* to nearest, ties away from zero */
    NN__OPENCL_ROUND_BF16, /* to nearest even */
    NN__OPENCL_ROUND_F16   /* half arithmetic without matrix units: short sums are f16, too */
} nn__opencl_rounding;

/* Returns the matrix units that the device has. nn__opencl_ask stores them in device->mma. */
NN__OPENCL_PRIVATE nn__opencl_mma nn__opencl_mma_ask(nn__opencl *device);
/* Returns the format of products with this precision on this device. Its first call with a format
   compiles a kernel and runs the self-test. ROUND_NOT: the device computes in f32. */
NN__OPENCL_PRIVATE nn__opencl_rounding nn__opencl_rounding_of(nn__opencl *device,
                                                              nn_precision precision);
NN__OPENCL_PRIVATE const char *nn__opencl_rounding_name(nn__opencl_rounding rounding);
/* Is the `rounds` function of the backend. */
NN__OPENCL_PRIVATE const char *nn__opencl_rounds(void *state, nn_kernel kernel, const void *args,
                                                 char *why, size_t why_bytes);
/* Writes the options of opencl/mma.cl, and a blank. side: of the tile, 64 or 128. */
NN__OPENCL_PRIVATE void nn__opencl_mma_options(const nn__opencl *device,
                                               nn__opencl_rounding rounding, int32_t side,
                                               char *text, size_t size);
/* True if the device has enough local memory and work-items for tiles of this side. */
NN__OPENCL_PRIVATE bool nn__opencl_mma_fits(const nn__opencl *device, int32_t side);

/* fits_copied: true if the device has enough local memory and work-items for copied operands
   (opencl/mma_loop.cl). copies: true if they passed the self-test of this format. Its
   first call with a format runs the test. */
NN__OPENCL_PRIVATE bool nn__opencl_mma_fits_copied(const nn__opencl *device);
NN__OPENCL_PRIVATE bool nn__opencl_mma_copies(nn__opencl *device, nn__opencl_rounding rounding);
/* Does the same for convolutions (kernels/conv2d/opencl_mma_copied.c). weight: for the gradient of
   the weight. */
NN__OPENCL_PRIVATE bool nn__opencl_mma_copies_convs(nn__opencl *device,
                                                    nn__opencl_rounding rounding, bool weight);

/* What a self-test changes in a device while it runs, so that it is no part of the step that asks
   for it. begin: copied: see device->mma_copied. end: removes an error that the test left. */
typedef struct nn__opencl_aside {
    bool had_error, dry, begun, always, half;
    signed char copied;
    const void *step;
    nn__opencl_repeat *repeat;
    nn__opencl_ahead *ahead;
} nn__opencl_aside;
NN__OPENCL_PRIVATE nn__opencl_aside nn__opencl_aside_begin(nn__opencl *device, int copied);
NN__OPENCL_PRIVATE void nn__opencl_aside_end(nn__opencl *device, const nn__opencl_aside *aside);
/* The operands of a self-test. */
typedef enum nn__opencl_mma_kind {
    NN__OPENCL_MMA_F32,  /* f32 matrices */
    NN__OPENCL_MMA_DEEP, /* bf16 matrices along k */
    NN__OPENCL_MMA_ACROSS,
    NN__OPENCL_MMA_CONV,       /* f32, a convolution with one tap: b is an image of k channels */
    NN__OPENCL_MMA_CONV_WEIGHT /* its weight's gradient: a is dy, and b lies along k */
} nn__opencl_mma_kind;
/* True if the self-test's product has at most the error of half arithmetic. */
NN__OPENCL_PRIVATE bool nn__opencl_mma_test_half(nn__opencl *device, nn__opencl_mma_kind kind);

/* opencl/half.c. ask returns device->half. halves: true if the device has half arithmetic, it
   passed the self-test, and a product was faster with it. Its first call runs both. */
NN__OPENCL_PRIVATE int nn__opencl_half_ask(nn__opencl *device);
NN__OPENCL_PRIVATE bool nn__opencl_halves(nn__opencl *device);
/* True if, moreover, convolutions passed their self-test. weight: gradients of weights. */
NN__OPENCL_PRIVATE bool nn__opencl_half_convs(nn__opencl *device, bool weight);
/* True if finding the largest of `numbers` numbers takes little of the time of `products`
   products. In tests (half_always) it is always true. */
NN__OPENCL_PRIVATE bool nn__opencl_half_is_worth(const nn__opencl *device, double products,
                                                 double numbers);
/* The largest numbers of both operands take this many bytes of scratch. find launches what finds
   them. */
#define NN__OPENCL_HALF_BYTES (2 * 4 * 64)
NN__OPENCL_PRIVATE nn_result nn__opencl_half_find(nn__opencl *device, const nn_view *most,
                                                  const nn_view *a, uint64_t a_count,
                                                  const nn_view *b, uint64_t b_count);
/* Writes the further options of a program in half arithmetic, after a blank. */
NN__OPENCL_PRIVATE void nn__opencl_half_options(const nn__opencl *device, char *text, size_t size);
/* On Intel a tile of 128 x 128 needs 256 registers a thread, and a product's tile of 128 x 256
   spills (ocloc, dg2). */
static inline NN__OPENCL_UNUSED bool nn__opencl_half_is_intel(const nn__opencl *device) {
    return nn__opencl_contains(device->platform_name, "Intel");
}

/* kernels/matmul/opencl_mma.c */
NN__OPENCL_PRIVATE nn__opencl_rounding nn__opencl_gemm_rounding(nn__opencl *device,
                                                                const nn_gemm_args *g);
/* kernels/conv2d/opencl_mma.c */
NN__OPENCL_PRIVATE nn__opencl_rounding nn__opencl_conv_rounding(nn__opencl *device,
                                                                nn_kernel kernel,
                                                                const nn_conv2d_args *a);
/* kernels/attention/opencl.c */
NN__OPENCL_PRIVATE nn__opencl_rounding nn__opencl_attention_rounding(
    nn__opencl *device, const nn_attention_args *args);
