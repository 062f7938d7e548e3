/* onnx/integers.h - products of quantised operators as layers of 8-bit integers. Installed by
   nn_onnx_integers: a program that does not call it contains none of this. */
#pragma once

#include "onnx/patterns.h"
#include "onnx/quantised.h"
#include "onnx/recurrent.h"

/* A quantised value. Its f32 forms are described only when something asks for them. The node of its
   nn__onnx_value is x, for the shape alone. */
struct nn__onnx_bytes_of {
    nn_node *x;            /* before it is rounded */
    nn_node *scale, *zero; /* one number each */
    nn__onnx_type type;    /* u8 or i8 */
    double numbers[2];     /* scale and zero point, if they are known */
    bool known;
    nn_node *range;        /* of nn_quantize_even: the zero point less 128 for u8 */
    nn_node *unit;         /* the same with the scale 1 */
    nn_node *bytes;        /* i8, once it was asked for */
    nn_node *image;        /* the same as (N, H, W, C), once it was asked for */
    bool exact;            /* x is the dequantised value already */
};

/* Weights of 8 bits from which a known f32 tensor was made. */
struct nn__onnx_origin {
    const nn__onnx_tensor *x, *scale, *zero; /* zero may be NULL */
    int axis;                                /* of several scales */
};

/* The functions that mappings call, if a file has them. If the operator cannot be computed in
   integers, each returns false or NULL and describes nothing. */
struct nn__onnx_integers {
    bool (*quantise)(nn__onnx_node *n);
    bool (*dequantise)(nn__onnx_node *n);
    bool (*quantise_now)(nn__onnx_node *n);
    /* the f32 form of a value that one of these functions has described */
    nn_node *(*form)(nn__onnx_node *n, nn__onnx_value *value);
    /* a linear layer of operand 0 with operand 1, (C, K), or (K, C) if transposed; bias: an
       operand, -1: none */
    bool (*linear)(nn__onnx_node *n, bool transposed, int bias);
    /* the exact product of operands a and b less their zero points az and bz */
    nn_node *(*product)(nn__onnx_node *n, int a, int az, int b, int bz);
    bool (*dynamic_product)(nn__onnx_node *n);
    bool (*lstm)(nn__onnx_node *n);
    bool (*conv)(nn__onnx_node *n);
    /* the sums of operand 0 less its zero point xz with a weight less its zero point wz */
    nn_node *(*conv_sum)(nn__onnx_node *n, int xz, int weight, int wz);
    bool (*max_pool)(nn__onnx_node *n, const nn_pool2d_desc *desc);
    /* fills the pattern if `op` may be the rounding after an operation on images */
    bool (*find)(const nn__onnx_walk *walk, const nn__onnx_scope *scope, const nn__onnx_op *op,
                 nn__onnx_pattern *pattern);
};

/* A convolution over one or two axes. */
typedef struct nn__onnx_byte_conv {
    const nn__onnx_tensor *w, *scale, *zero; /* scale, zero: one number, or one for each output */
    nn__onnx_window window;
    int32_t out[2];
    int64_t outputs, in; /* channels */
} nn__onnx_byte_conv;

static inline double nn__onnx_byte_offset(nn__onnx_type type) {
    return type == NN__ONNX_UINT8 ? 128 : 0;
}
static inline bool nn__onnx_is_byte(nn__onnx_type type) {
    return type == NN__ONNX_UINT8 || type == NN__ONNX_INT8;
}

/* integers_lstm.c, integers_conv.c */
NN__ONNX_PRIVATE bool nn__onnx_integer_lstm(nn__onnx_node *n);
NN__ONNX_PRIVATE bool nn__onnx_integer_conv(nn__onnx_node *n);
/* True if the weight is known and consists of bytes, with zero points of 0 (i8) or 128 (u8). */
NN__ONNX_PRIVATE bool nn__onnx_conv_weight(const nn__onnx_byte_conv *c);
/* Returns the integers of a known bias, if its scale is that of the sums; else NULL. */
NN__ONNX_PRIVATE const nn__onnx_tensor *nn__onnx_whole_bias(const nn__onnx_tensor *bias,
                                                            const nn__onnx_byte_conv *c,
                                                            double x_scale);
/* integers_image.c */
NN__ONNX_PRIVATE bool nn__onnx_integer_max_pool(nn__onnx_node *n, const nn_pool2d_desc *desc);
NN__ONNX_PRIVATE bool nn__onnx_find_image(const nn__onnx_walk *walk, const nn__onnx_scope *scope,
                                          const nn__onnx_op *op, nn__onnx_pattern *pattern);
NN__ONNX_PRIVATE nn_node *nn__onnx_integer_conv_sum(nn__onnx_node *n, int xz, int weight, int wz);
/* Returns the bytes of operand a, which has whole numbers, and their range with the scale 1; NULL
   if az is no single zero point. */
NN__ONNX_PRIVATE nn_node *nn__onnx_operand_bytes(nn__onnx_node *n, int a, int az, nn_node **range);
/* Returns the bytes of a quantised value. */
NN__ONNX_PRIVATE nn_node *nn__onnx_bytes_node(nn__onnx_node *n, struct nn__onnx_bytes_of *of);
/* Describes x as u8 bytes whose range is computed from the smallest and the largest number of x.
   NULL: no memory. */
NN__ONNX_PRIVATE struct nn__onnx_bytes_of *nn__onnx_bytes_now(nn__onnx_node *n, nn_node *x);
