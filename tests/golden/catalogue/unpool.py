"""The group unpool: pooled values that are put back in their places, and power-average pools."""
from common import *


def unpool(name, shape, k, st=None, padding=0, ceil=False, size=None):
    """Puts the pool's result back by its indices. The numbers of kind t have ties, which overlapping windows share."""
    d1 = len(shape) == 3
    pool, back, dims = (F.max_pool1d, F.max_unpool1d, "1d") if d1 else (F.max_pool2d, F.max_unpool2d, "2d")

    def run(x, w):
        y, index = pool(x, k, st, padding, 1, ceil, return_indices=True)
        return back(y * w, index, k, st, padding, size)
    fields = ".kernel = %d, .stride = %d, .padding = %d" % (k, st or k, padding)
    out = "" if size is None else (", .out = %d" % size[-1] if d1 else ", .out_h = %d, .out_w = %d" % tuple(size[-2:]))
    y = pool(torch.zeros(shape), k, st, padding, 1, ceil)
    case(name, [t(*shape), s(*y.shape)], run,
         "nn_node *y = nn_max_pool%s(net, in[0], &(nn_pool%s_desc){%s, .ceil = %s});\n"
         "out[0] = nn_max_unpool%s(net, nn_multiply(net, y, in[1]), nn_output(y, 1), &(nn_max_unpool%s_desc){%s%s});" %
         (dims, dims, fields, str(ceil).lower(), dims, dims, fields, out))


unpool("max_unpool1d", (2, 3, 8), 2)
unpool("max_unpool1d_size", (2, 1, 9), 2, size=(9,))
unpool("max_unpool1d_overlapping", (1, 2, 9), 3, 2)
unpool("max_unpool2d", (2, 2, 4, 6), 2)
unpool("max_unpool2d_padded", (1, 2, 5, 7), 3, 2, 1)
unpool("max_unpool2d_ceil", (1, 2, 5, 5), 2, 2, 0, True, size=(5, 5))
unpool("max_unpool2d_one", (1, 1, 1, 1), 1)
case("max_unpool2d_repeated", [literal([1.0, 2.0, 3.0, NAN], (1, 1, 2, 2)), literal([5, 5, 0, 15], (1, 1, 2, 2))],
     lambda x, i: F.max_unpool2d(x, i, 2), "nn_max_unpool2d(net, in[0], in[1], &(nn_max_unpool2d_desc){.kernel = 2})")
for norm in (1, 2, 3, -1, 2.5):
    tag = str(norm).replace(".", "_").replace("-", "minus_")
    given = s if norm in (1, 2) else p
    case("lp_pool1d_" + tag, [given(2, 2, 7)], lambda x, n=norm: F.lp_pool1d(x, n, 3, 2),
         "nn_lp_pool1d(net, in[0], %s, &(nn_pool1d_desc){.kernel = 3, .stride = 2})" % float(norm))
    case("lp_pool2d_" + tag, [given(1, 2, 5, 6)], lambda x, n=norm: F.lp_pool2d(x, n, (2, 3), 2, True),
         "nn_lp_pool2d(net, in[0], %s, &(nn_pool2d_desc){.kernel = 2, .kernel_w = 3, .stride = 2, .ceil = true})" % float(norm))
for norm, ours in ((INF, "INFINITY"), (-INF, "-INFINITY")):
    case("lp_pool2d_%s" % ("least" if norm < 0 else "most"), [d(1, 2, 4, 6)], lambda x, n=norm: F.lp_pool2d(x, n, 2),
         "nn_lp_pool2d(net, in[0], %s, &(nn_pool2d_desc){.kernel = 2})" % ours)
    case("lp_pool1d_%s" % ("least" if norm < 0 else "most"), [d(1, 2, 7)], lambda x, n=norm: F.lp_pool1d(x, n, 3, 2),
         "nn_lp_pool1d(net, in[0], %s, &(nn_pool1d_desc){.kernel = 3, .stride = 2})" % ours)
# A sum of 0 has no gradient. For negative numbers and an odd power the root is NaN.
case("lp_pool1d_special", [literal([0.0, 0.0, -1.0, -2.0, NAN, 1.0, INF, 1.0], (1, 1, 8))], lambda x: F.lp_pool1d(x, 3, 2),
     "nn_lp_pool1d(net, in[0], 3, &(nn_pool1d_desc){.kernel = 2})")
case("lp_pool1d_zeros", [literal([0.0, 0.0, 3.0, -4.0], (1, 1, 4))], lambda x: F.lp_pool1d(x, 2, 2),
     "nn_lp_pool1d(net, in[0], 2, &(nn_pool1d_desc){.kernel = 2})")
case("global_max_pool2d", [t(BATCH(2), 2, 3, 4)], lambda x: F.adaptive_max_pool2d(x, 1), "nn_global_max_pool2d(net, in[0])")

write(__file__, sparse=6)
