/* kernels/epilogue.h - the epilogue of products and convolutions. */
#pragma once

#include "device/types.h"
#include "kernels/choices.h"

/* Added and applied to the result before it is stored: first bias, then activation. */
typedef struct nn_epilogue {
    nn_view bias; /* f32; gemm: (n), conv2d: (K) */
    nn_activation activation;
} nn_epilogue;
