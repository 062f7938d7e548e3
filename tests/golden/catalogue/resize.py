"""The group resize: images and lines scaled to other extents. The mistakes that cases are named after: pytorch 10604 (what
align_corners and half_pixel mean), ncnn 6836 (with scale_factor the positions are 1 / scale_factor apart, not in / out),
pytorch 34808 (nearest takes the position below), pytorch 183523 (an extent of one)."""
from common import *

MODES = {"nearest": "NN_RESIZE_NEAREST", "nearest-exact": "NN_RESIZE_NEAREST_EXACT", "linear": "NN_RESIZE_LINEAR",
         "bilinear": "NN_RESIZE_LINEAR", "trilinear": "NN_RESIZE_LINEAR", "bicubic": "NN_RESIZE_CUBIC", "area": "NN_RESIZE_AREA"}


def resize(name, given, mode, size=None, scale=None, gradients=True, **options):
    """size and scale: a number, or (h, w), or (d, h, w)."""
    fields = [".mode = " + MODES[mode]]
    for field, value in (("size", size), ("scale_factor", scale)):
        pair = value if isinstance(value, tuple) else (value,)
        if value is not None:
            fields += [".%s = %s" % (field, pair[0])] + [".%s_w = %s" % (field, w) for w in pair[1:][-1:]]
            fields += [".%s_h = %s" % (field, h) for h in pair[1:-1]]
    fields += [".%s = true" % option for option, on in options.items() if on]
    case(name.replace("-", "_"), [given], lambda x: F.interpolate(x, size, scale, mode, **options),
         "nn_resize(net, in[0], &(nn_resize_desc){%s})" % ", ".join(fields), gradients=gradients)


for mode in ("nearest", "nearest-exact", "linear"):
    for size in (1, 3, 5, 7, 10, 13):
        resize("%s_5_to_%d" % (mode, size), s(2, 2, 5), mode, size)
for mode in ("nearest", "nearest-exact", "bilinear", "bicubic"):
    for size in ((4, 9), (2, 3), (3, 12), (7, 5), (1, 1)):
        resize("%s_to_%d_%d" % (mode, *size), s(1, 2, 3, 6), mode, size)
    resize(mode + "_twice", s(2, 2, 4, 9), mode, scale=2)
    resize(mode + "_wide", s(1, 1, 2, 21), mode, scale=(3, 2))
    resize(mode + "_half", s(1, 1, 4, 40), mode, scale=0.5)
    resize(mode + "_from_one", s(2, 2, 1, 1), mode, (3, 2))
    resize(mode + "_one_to_one", s(1, 2, 1, 1), mode, (1, 1))
    resize(mode + "_of_a_column", s(1, 2, 3, 1), mode, (5, 1))
    resize(mode + "_batch", s(BATCH(3), 2, 3, 4), mode, scale=2)
for mode in ("bilinear", "bicubic"):
    for size in ((5, 11), (2, 3), (1, 4), (3, 6), (4, 1)):
        resize("corners_pytorch_10604_%s_to_%d_%d" % (mode, *size), s(1, 2, 3, 6), mode, size, align_corners=True)
    resize("corners_pytorch_183523_%s_from_one" % mode, s(2, 2, 1, 1), mode, (3, 2), align_corners=True)
    resize("corners_pytorch_183523_%s_to_one" % mode, s(1, 2, 4, 5), mode, 1, align_corners=True)
    resize("corners_%s_scale" % mode, s(1, 2, 4, 5), mode, scale=1.7, align_corners=True)
resize("corners_linear", s(2, 2, 5), "linear", 9, align_corners=True)
# floor(5 * 1.3) = 6, and 1 / 1.3 is not 5 / 6. 0.7 * 10 is 7, but 0.7f * 10 is not, and likewise
# with 2.3.
for mode, given in (("linear", s(2, 2, 5)), ("bilinear", s(1, 2, 4, 5)), ("bicubic", s(1, 2, 4, 5)), ("nearest-exact", s(2, 2, 5))):
    for scale in (1.3, 0.7, 2.3, 1.05):
        tag = "%s_%s" % (mode, str(scale).replace(".", "_"))
        # PyTorch's gradient of bicubic copies dy if the extents do not change, whatever forward
        # computed (floor(5 * 1.05) = 5).
        resize("scale_ncnn_6836_" + tag, given, mode, scale=scale, gradients=(mode, scale) != ("bicubic", 1.05))
        resize("scale_recomputed_" + tag, given, mode, scale=scale, recompute_scale_factor=True)
resize("scale_double_0_7", s(1, 1, 10), "linear", scale=0.7)
resize("scale_double_2_3", s(1, 1, 10), "nearest", scale=2.3)
resize("nearest_pytorch_34808", d(1, 1, 7), "nearest", 3)
resize("nearest_scale", s(1, 2, 5), "nearest", scale=1.3)
for size in ((2, 3), (7, 9), (1, 1), (3, 14)):
    for mode in ("bilinear", "bicubic"):
        resize("antialias_%s_to_%d_%d" % (mode, *size), s(1, 2, 5, 11), mode, size, antialias=True)
        resize("antialias_corners_%s_to_%d_%d" % (mode, *size), s(1, 2, 5, 11), mode, size, antialias=True, align_corners=True)
resize("antialias_scale", s(1, 2, 5, 11), "bilinear", scale=0.45, antialias=True)
resize("area", s(1, 2, 5, 7), "area", (2, 3))
resize("area_scale", s(1, 2, 5, 7), "area", scale=1.5)
resize("area_line", s(2, 2, 7), "area", 3)
resize("linear_time", s(1, 2, TIME(6)), "linear", scale=2)
resize("nearest_time", s(1, 2, TIME(6)), "nearest", scale=3)
# Weights of 0 count: 0 times NaN is NaN.
special = literal([1.0, 2.0, NAN, 4.0, INF, 6.0, 7.0, -INF], (1, 1, 8))
for mode in ("nearest", "linear"):
    for size in (8, 16, 5):
        resize("special_%s_%d" % (mode, size), special, mode, size)
resize("special_corners", special, "linear", 15, align_corners=True)
resize("special_bicubic", literal([1.0] * 10 + [NAN] + [1.0] * 9, (1, 1, 4, 5)), "bicubic", (7, 9))
# Cubic overshoots: the step from 0 to 1 gives numbers below 0 and above 1, which u8 must be clamped to.
resize("overshoot_bicubic", literal([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (1, 1, 1, 6)), "bicubic", (1, 24))
# Volumes: (D, H, W).
for mode in ("nearest", "nearest-exact", "trilinear", "area"):
    for size in ((4, 5, 3), (2, 2, 7)):
        resize("volume_%s_to_%d_%d_%d" % (mode, *size), s(2, 2, 3, 2, 4), mode, size)
    resize("volume_%s_twice" % mode, s(1, 2, 2, 3, 2), mode, scale=2)
    resize("volume_%s_scales" % mode, s(1, 2, 3, 2, 5), mode, scale=(1.5, 2, 0.7))
    resize("volume_%s_batch" % mode, s(BATCH(3), 2, 2, 1, 3), mode, (3, 2, 2))
resize("volume_corners", s(1, 2, 3, 2, 4), "trilinear", (5, 3, 2), align_corners=True)
resize("volume_corners_scale", s(1, 1, 3, 2, 4), "trilinear", scale=1.7, align_corners=True)
resize("volume_recomputed", s(1, 1, 3, 2, 5), "trilinear", scale=1.3, recompute_scale_factor=True)
special = literal([1.0, 2.0, NAN, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, INF, 11.0, 12.0], (1, 1, 3, 2, 2))
resize("volume_special", special, "trilinear", (5, 3, 2))

write(__file__, sparse=9)
