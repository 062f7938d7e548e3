/* ops/grid_sample.h - samples images at given coordinates, and makes the coordinates of an affine
   map: torch.nn.functional.grid_sample and affine_grid. */
#pragma once

#include "graph/model.h"
#include "kernels/grid_sample/choices.h"

typedef struct nn_grid_sample_desc {
    nn_grid_mode mode;            /* default: NN_GRID_BILINEAR */
    nn_grid_padding padding_mode; /* default: NN_GRID_ZEROS */
    /* default: false: -1 and 1 are the edges of the image. true: the centres of its corner
       pixels */
    bool align_corners;
} nn_grid_sample_desc;

/* y[n, c, i, j] = x[n, c] at the place (gx, gy) = grid[n, i, j], in coordinates from -1 to 1: gx
   along the columns, gy along the rows. x (N, C, H, W), grid (N, OH, OW, 2), y (N, C, OH, OW). desc
   may be NULL. kernels/grid_sample/args.h has the formulas. x and grid have gradients. A NaN in
   grid never causes a write outside of the image; in PyTorch's gradient of nearest it does. */
NN_API nn_node *nn_grid_sample_at(nn_site site, nn_model *net, nn_node *x, nn_node *grid,
                                  const nn_grid_sample_desc *desc);
#define nn_grid_sample(...) nn_grid_sample_at(NN_HERE, __VA_ARGS__)

/* Returns the grid (N, height, width, 2) of the affine maps theta (N, 2, 3): theta (x, y, 1) for
   columns x and rows y from -1 to 1. These are the centres of the corner pixels with align_corners,
   else the edges. An extent of 1 has the coordinate 0. */
NN_API nn_node *nn_affine_grid_at(nn_site site, nn_model *net, nn_node *theta, int height,
                                  int width, bool align_corners);
#define nn_affine_grid(...) nn_affine_grid_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------- */

NN_API nn_result nn_grid_sample_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                           const nn_tensor *grid, const nn_grid_sample_desc *desc);
#define nn_grid_sample_forward(...) nn_grid_sample_forward_at(NN_HERE, __VA_ARGS__)
/* dx or dgrid may be NULL; they are overwritten, or added to with accumulate. */
NN_API nn_result nn_grid_sample_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dgrid,
                                            const nn_tensor *dy, const nn_tensor *x,
                                            const nn_tensor *grid, const nn_grid_sample_desc *desc,
                                            bool accumulate);
#define nn_grid_sample_backward(...) nn_grid_sample_backward_at(NN_HERE, __VA_ARGS__)
