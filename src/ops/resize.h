/* ops/resize.h - resizes images, lines and volumes: torch.nn.functional.interpolate and
   torch.nn.Upsample. */
#pragma once

#include "graph/model.h"
#include "kernels/resize/choices.h"

/* Resizes an image (N, C, H, W) to (N, C, OH, OW), a line (N, C, L) to (N, C, OL), or a volume (N,
   C, D, H, W) to (N, C, OD, OH, OW). Either `size` or `scale_factor` must be given. The formulas
   are PyTorch's; kernels/resize/args.h states them. Results of cubic, and gradients, may lie
   outside of the range of x.

   For a volume, linear is PyTorch's trilinear; cubic and antialias are refused. The immediate call
   takes no volume, because it would have to allocate a tensor between two passes. D, H, W and L may
   depend on the batch or the time with a whole scale_factor and nearest, linear or cubic, without
   align_corners and antialias. Convert u8 images to f32 with nn_cast first, then round and clamp
   the result. Unlike PyTorch, cubic and antialias also take lines, and an output size computed from
   scale_factor always samples at the distance that scale_factor gives; PyTorch's nearest is
   inconsistent here. */
typedef struct nn_resize_desc {
    int size;   /* OH and OW; OL; OD, OH and OW. default: from scale_factor */
    int size_h; /* OH of a volume, only there. default: size */
    int size_w; /* OW. default: size */
    double scale_factor;   /* OH = floor(H * scale_factor). default: from size */
    double scale_factor_h; /* only for a volume. default: scale_factor */
    double scale_factor_w; /* default: scale_factor */
    nn_resize_mode mode;   /* default: NN_RESIZE_NEAREST */
    /* default: false. true: the centres of the corner elements of x and y coincide; linear and
       cubic */
    bool align_corners;
    /* default: false: samples are 1 / scale_factor apart. true: as if the rounded size had been
       given */
    bool recompute_scale_factor;
    bool antialias; /* default: false. true: low-pass filters when shrinking; linear and cubic */
    /* slope of the cubic at 1. default: -0.75, with antialias -0.5; ONNX uses either */
    float cubic;
} nn_resize_desc;

NN_API nn_node *nn_resize_at(nn_site site, nn_model *net, nn_node *x, const nn_resize_desc *desc);
#define nn_resize(...) nn_resize_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------- */

NN_API nn_result nn_resize_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_resize_desc *desc);
#define nn_resize_forward(...) nn_resize_forward_at(NN_HERE, __VA_ARGS__)
/* dx is overwritten, or added to with accumulate. */
NN_API nn_result nn_resize_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                       const nn_resize_desc *desc, bool accumulate);
#define nn_resize_backward(...) nn_resize_backward_at(NN_HERE, __VA_ARGS__)
