"""The group pool: windows of lines and images, their corner cases, and adaptive pools."""
from common import *


def pool(kind, **fields):
    return "nn_%s(net, in[0], &(nn_%s_desc){%s})" % (kind, kind[4:], ", ".join(".%s = %s" % f for f in fields.items()))


case("max_pool1d", [d(2, 3, 9)], lambda x: F.max_pool1d(x, 3), pool("max_pool1d", kernel=3))
case("max_pool1d_padded", [t(2, 3, 10)], lambda x: F.max_pool1d(x, 4, 3, 2, ceil_mode=True),
     pool("max_pool1d", kernel=4, stride=3, padding=2, ceil="true"))  # ties: the first
case("max_pool1d_special", [literal([NAN, 1.0, -INF, -INF, INF, INF, 2.0, NAN], (1, 1, 8))], lambda x: F.max_pool1d(x, 2),
     pool("max_pool1d", kernel=2))
case("avg_pool1d", [s(2, 3, 9)], lambda x: F.avg_pool1d(x, 3, 2, 1), pool("avg_pool1d", kernel=3, stride=2, padding=1))
case("avg_pool1d_inside", [s(2, 3, 10)], lambda x: F.avg_pool1d(x, 4, 3, 2, True, False),
     pool("avg_pool1d", kernel=4, stride=3, padding=2, ceil="true", count_only_inside="true"))
# The divisor counts declared padding, but not the positions that rounding up adds; a window that begins in the right padding is dropped.
for name, shape, k, st, p in [("onnxruntime_16203", (1, 2, 4, 5), 3, 2, 1), ("pytorch_183528", (1, 1, 5, 5), 2, 3, 1),
                              ("wide", (1, 1, 7, 6), 4, 3, 2)]:
    for ceil in ["false", "true"]:
        for inside in ["false", "true"]:
            case("avg_pool2d_%s_%s_%s" % (name, ceil, inside), [s(*shape)],
                 lambda x, k=k, st=st, p=p, c=ceil, i=inside: F.avg_pool2d(x, k, st, p, c == "true", i == "false"),
                 pool("avg_pool2d", kernel=k, stride=st, padding=p, ceil=ceil, count_only_inside=inside))
case("avg_pool2d_divisor", [s(1, 2, 5, 6)], lambda x: F.avg_pool2d(x, 3, 2, 1, True, True, 5),
     pool("avg_pool2d", kernel=3, stride=2, padding=1, ceil="true", divisor=5))
case("max_pool2d_ceil", [d(1, 2, 5, 6)], lambda x: F.max_pool2d(x, 3, 2, 1, ceil_mode=True),
     pool("max_pool2d", kernel=3, stride=2, padding=1, ceil="true"))
for h, w, oh, ow in [(7, 10, 3, 4), (5, 5, 1, 1), (3, 4, 5, 9), (6, 8, 3, 2)]:
    case("adaptive_avg_pool2d_%d_%d" % (oh, ow), [s(2, 2, h, w)], lambda x, o=(oh, ow): F.adaptive_avg_pool2d(x, o),
         "nn_adaptive_avg_pool2d(net, in[0], %d, %d)" % (oh, ow))
    case("adaptive_max_pool2d_%d_%d" % (oh, ow), [t(2, 2, h, w)],
         lambda x, o=(oh, ow): F.adaptive_max_pool2d(x, o, return_indices=False),
         "nn_adaptive_max_pool2d(net, in[0], %d, %d)" % (oh, ow))
case("adaptive_avg_pool2d_none", [s(BATCH(2), 2, 6, 5)], lambda x: F.adaptive_avg_pool2d(x, (None, 2)),
     "nn_adaptive_avg_pool2d(net, in[0], NN_NONE, 2)")
case("adaptive_avg_pool1d", [s(2, 3, 10)], lambda x: F.adaptive_avg_pool1d(x, 4), "nn_adaptive_avg_pool1d(net, in[0], 4)")
case("adaptive_max_pool1d", [d(2, 3, 10)], lambda x: F.adaptive_max_pool1d(x, 4), "nn_adaptive_max_pool1d(net, in[0], 4)")
case("adaptive_max_pool1d_special", [literal([NAN, 1.0, -INF, -INF, INF, 2.0, 2.0], (1, 1, 7))],
     lambda x: F.adaptive_max_pool1d(x, 3), "nn_adaptive_max_pool1d(net, in[0], 3)")

# ---- windows that skip positions
case("max_pool2d_dilation", [d(2, 2, 7, 8)], lambda x: F.max_pool2d(x, 3, 2, 1, dilation=2, return_indices=True),
     "nn_max_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 3, .stride = 2, .padding = 1, .dilation = 2})")
case("max_pool2d_dilations", [d(1, 3, 6, 11)], lambda x: F.max_pool2d(x, (2, 3), 1, (1, 1), dilation=(1, 3), return_indices=True),
     "nn_max_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2, .kernel_w = 3, .stride = 1, .padding = 1,"
     " .dilation = 1, .dilation_w = 3})")
case("max_pool2d_dilation_ceil", [d(1, 1, 8, 6)], lambda x: F.max_pool2d(x, 2, 3, 1, dilation=2, ceil_mode=True, return_indices=True),
     "nn_max_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2, .stride = 3, .padding = 1, .dilation = 2, .ceil = true})")
case("max_pool1d_dilation", [d(2, 2, 11)], lambda x: F.max_pool1d(x, 3, 1, 1, dilation=2, return_indices=True),
     "nn_max_pool1d(net, in[0], &(nn_pool1d_desc){.kernel = 3, .stride = 1, .padding = 1, .dilation = 2})")

write(__file__, sparse=4)
