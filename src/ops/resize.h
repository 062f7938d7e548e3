/* ops/resize.h - pictures and lines with other extents: torch.nn.functional.interpolate and
   torch.nn.Upsample. */
#pragma once

#include "graph/model.h"
#include "kernels/resize/choices.h"

/* x (N, C, H, W) becomes (N, C, OH, OW), a line (N, C, L) becomes (N, C, OL), and a volume
   (N, C, D, H, W) becomes (N, C, OD, OH, OW): linear is PyTorch's trilinear there, cubic and
   antialias are refused. The immediate call takes no volume: it is resized in two passes with a
   tensor between them, which a call would have to allocate. Either `size` or `scale_factor` must be
   given. The formulas are those of PyTorch and stand in kernels/resize/args.h; results of cubic and
   of a gradient may be outside of the range of x. D, H, W and L may depend on the batch or the time
   where the extents follow a whole scale_factor, of nearest, linear and cubic, without
   align_corners and antialias. u8 pictures: nn_cast to f32 first, round and clamp behind it. Unlike
   PyTorch's, cubic and antialias take lines too, and a size that scale_factor says is always
   reached by the places that scale_factor says: PyTorch's nearest is of two minds there. */
typedef struct nn_resize_desc {
    int size;   /* OH and OW; OL; OD, OH and OW. default: by scale_factor */
    int size_h; /* OH of a volume, and of nothing else. default: size */
    int size_w; /* OW. default: size */
    double scale_factor;   /* OH = floor(H * scale_factor). default: by size */
    double scale_factor_h; /* of a volume, and of nothing else. default: scale_factor */
    double scale_factor_w; /* default: scale_factor */
    nn_resize_mode mode;   /* default: NN_RESIZE_NEAREST */
    /* default: false. true: the corner elements of x and y lie upon each other; linear and cubic */
    bool align_corners;
    /* default: false: places are a scale_factor apart. true: as if the rounded size had been
       given */
    bool recompute_scale_factor;
    bool antialias; /* default: false; true: smooth over what is left out. linear and cubic */
    float cubic; /* slope of the cubic at 1. default: -0.75, with antialias -0.5; ONNX: either */
} nn_resize_desc;

NN_API nn_node *nn_resize_at(nn_site site, nn_model *net, nn_node *x, const nn_resize_desc *desc);
#define nn_resize(...) nn_resize_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------- */

NN_API nn_result nn_resize_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_resize_desc *desc);
#define nn_resize_forward(...) nn_resize_forward_at(NN_HERE, __VA_ARGS__)
/* dx is written, or with accumulate added to. */
NN_API nn_result nn_resize_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                       const nn_resize_desc *desc, bool accumulate);
#define nn_resize_backward(...) nn_resize_backward_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_resize_at(nn_site site, nn_model *net, nn_node *x, const nn_resize_desc &desc) {
    return nn_resize_at(site, net, x, &desc);
}
inline nn_result nn_resize_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_resize_desc &desc) {
    return nn_resize_forward_at(site, y, x, &desc);
}
inline nn_result nn_resize_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                       const nn_resize_desc &desc, bool accumulate) {
    return nn_resize_backward_at(site, dx, dy, &desc, accumulate);
}
}
#endif
