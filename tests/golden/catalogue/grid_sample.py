"""The group grid_sample: images sampled at given positions, and the positions of affine maps."""
from common import *

MODES = {"bilinear": "NN_GRID_BILINEAR", "nearest": "NN_GRID_NEAREST", "bicubic": "NN_GRID_BICUBIC"}
PADDINGS = {"zeros": "NN_GRID_ZEROS", "border": "NN_GRID_BORDER", "reflection": "NN_GRID_REFLECTION"}


def sample(name, x, grid, mode, padding, corners, **options):
    case(name, [x, grid], lambda x, g: F.grid_sample(x, g, mode, padding, corners),
         "nn_grid_sample(net, in[0], in[1], &(nn_grid_sample_desc){.mode = %s, .padding_mode = %s%s})" %
         (MODES[mode], PADDINGS[padding], ", .align_corners = true" if corners else ""), **options)


for mode in MODES:
    for padding in PADDINGS:
        for corners in (False, True):
            tag = "%s_%s%s" % (mode, padding, "_corners" if corners else "")
            sample(tag, s(2, 3, 4, 5), s(2, 3, 5, 2), mode, padding, corners)
            # if all sixteen pixels are the same, the gradient with respect to the position is a rounding error
            # around 0
            sample("one_pixel_" + tag, s(1, 2, 1, 1), s(1, 3, 2, 2), mode, padding, corners,
                   gradients=mode != "bicubic" or padding == "zeros")
            # places on pixels, halfway between pixels, at edges and far outside
            sample("edges_" + tag, s(1, 1, 4, 4), literal([
                -1.0, -1.0, 1.0, 1.0, 0.0, 0.0, 0.25, -0.75, -0.25, 0.5, 1.25, 0.0, -1.5, 2.0, 100.0, -37.5, 0.75, -0.5],
                (1, 3, 3, 2)), mode, padding, corners)
case("defaults", [s(BATCH(2), 2, 3, 4), s(BATCH(2), 2, 3, 2)], lambda x, g: F.grid_sample(x, g, align_corners=False),
     "nn_grid_sample(net, in[0], in[1], NULL)")
# NaN in x: a weight of 0 still gives NaN. NaN among the positions: PyTorch's gradient depends on the
# machine.
nans = literal([1.0, NAN, 3.0, 4.0, INF, 6.0, 7.0, 8.0, -INF], (1, 1, 3, 3))
for padding in PADDINGS:
    sample("special_" + padding, nans, s(1, 3, 4, 2), "bilinear", padding, True, gradients=False)
    for mode in MODES:
        sample("nan_place_%s_%s" % (mode, padding), s(1, 2, 3, 3), literal([NAN, 0.25, 0.5, NAN, 0.25, 0.25], (1, 1, 3, 2)),
               mode, padding, False, gradients=False)
for size in ((3, 4), (1, 5), (2, 2), (5, 1), (1, 1)):
    for corners in (False, True):
        case("affine_grid_%d_%d%s" % (*size, "_corners" if corners else ""), [s(2, 2, 3)],
             lambda t, size=size, corners=corners: F.affine_grid(t, (2, 1, *size), corners),
             "nn_affine_grid(net, in[0], %d, %d, %s)" % (*size, "true" if corners else "false"))
case("spatial_transformer", [s(2, 2, 4, 5), w(2, 2, 3)],
     lambda x, t: F.grid_sample(x, F.affine_grid(t, (2, 2, 3, 4), False), align_corners=False),
     "nn_grid_sample(net, in[0], nn_affine_grid(net, in[1], 3, 4, false), NULL)")

write(__file__, sparse=10)
