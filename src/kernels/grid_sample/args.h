/* kernels/grid_sample/args.h - samples images at given places, and the gradients of image and
   places. x (N, C, H, W), grid (N, OH, OW, 2), y (N, C, OH, OW);
   on the CPU in nn_more.h. */
#pragma once

#include "device/types.h"
#include "kernels/grid_sample/choices.h"

/* torch.nn.functional.grid_sample. A place (gx, gy) of the grid is column ((gx + 1) W - 1) / 2, or
   with align_corners (gx + 1) / 2 (W - 1), and its row follows from gy and H in the same way.
   Border and reflection move it into the image; bicubic (Keys, -3/4) moves each of its sixteen
   pixels instead. Pixels that are still outside read as 0, with their weight. A NaN place gives
   NaN, except for nearest, and for bilinear with border or reflection, which use 0. Places are
   computed in f32, as in PyTorch. forward writes y. backward reads dy (in y) and grid, and writes
   dx and dgrid, of which either may be absent: dx is summed in the order of the places, dgrid in
   the order of the channels; dgrid needs x. A place that is moved onto an edge has gradient 0;
   nearest has no gradient for places. */
typedef struct nn_grid_sample_args {
    nn_view y, x, grid;
    nn_view dx, dgrid; /* backward only */
    nn_grid_mode mode;
    nn_grid_padding padding;
    bool align_corners;
    bool accumulate; /* backward only: adds to both */
    nn_view scratch;
} nn_grid_sample_args;

/* Views and numbers: see kernels/list.h. */
#define NN_GRID_SAMPLE_FORWARD_VIEWS(VIEW, ITEM)                                                   \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, grid, 1) VIEW(SCRATCH, scratch, 1)
#define NN_GRID_SAMPLE_BACKWARD_VIEWS(VIEW, ITEM)                                                  \
    VIEW(IN, y, 1) VIEW(IN, x, 1) VIEW(IN, grid, 1) VIEW(SUM, dx, 1) VIEW(SUM, dgrid, 1)           \
    VIEW(SCRATCH, scratch, 1)
#define NN_GRID_SAMPLE_FORWARD_NUMBERS(INT, REAL, OTHER)                                           \
    INT(mode) INT(padding) INT(align_corners) INT(accumulate) OTHER(dx) OTHER(dgrid)
#define NN_GRID_SAMPLE_BACKWARD_NUMBERS(INT, REAL, OTHER)                                          \
    NN_GRID_SAMPLE_FORWARD_NUMBERS(INT, REAL, OTHER)
