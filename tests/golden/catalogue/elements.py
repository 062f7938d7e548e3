"""Golden values of operations that choose elements by an index: gather, scatter, one_hot."""
from common import *

# ---- gather
for name, x, k, axis in [("rows", (4, 3), (2, 3), 0), ("columns", (3, 5), (3, 2), 1), ("middle", (2, 4, 3), (2, 6, 3), 1),
                         ("shorter", (3, 4, 5), (2, 3, 4), -1), ("shorter_middle", (3, 4, 5), (2, 7, 3), 1), ("line", (5,), (7,), 0)]:
    case("gather_" + name, [s(*x), i(x[axis], *k)], lambda x, k, a=axis: torch.gather(x, a, k), "nn_gather(net, in[0], %d, in[1])" % axis)
case("gather_free", [s(BATCH(4), 5), i(5, BATCH(4), 1)], lambda x, k: x.gather(1, k), "nn_gather(net, in[0], 1, in[1])")
case("gather_special", [literal([NAN, INF, -0.0, 2.0]), literal([0, 3, 1, 0, 2])], lambda x, k: x.gather(0, k), "nn_gather(net, in[0], 0, in[1])")

# ---- scatter_add: elements with the same index are summed in order
for name, x, k, axis in [("rows", (4, 3), (9, 3), 0), ("columns", (3, 5), (3, 7), 1), ("middle", (2, 4, 3), (2, 6, 3), 1),
                         ("shorter", (3, 4, 5), (2, 3, 4), -1), ("line", (5,), (17,), 0)]:
    case("scatter_add_" + name, [s(*x), i(x[axis], *k), s(*k)], lambda x, k, y, a=axis: x.scatter_add(a, k, y),
         "nn_scatter_add(net, in[0], %d, in[1], in[2])" % axis)
case("scatter_add_longer", [s(3, 4), i(4, 2, 3), fixed(s(3, 5))], lambda x, k, y: x.scatter_add(1, k, y),
     "nn_scatter_add(net, in[0], 1, in[1], in[2])")
case("scatter_add_free", [s(BATCH(3), 4), i(4, BATCH(3), 6), s(BATCH(3), 6)], lambda x, k, y: x.scatter_add(-1, k, y),
     "nn_scatter_add(net, in[0], -1, in[1], in[2])")
case("scatter_add_special", [literal([INF, 1.0, 2.0]), literal([0, 1, 1, 2]), literal([-INF, NAN, 1.0, INF])],
     lambda x, k, y: x.scatter_add(0, k, y), "nn_scatter_add(net, in[0], 0, in[1], in[2])")

# ---- scatter_reduce: products, maxima and minima of x and all elements with the same index
for word, ours in [("prod", "NN_PROD"), ("amax", "NN_MAX"), ("amin", "NN_MIN")]:
    for name, x, k, axis, kind in [("rows", (4, 3), (9, 3), 0, s), ("middle", (2, 4, 3), (2, 6, 3), 1, s), ("shorter", (3, 4, 5), (2, 3, 4), -1, s),
                                   ("line", (5,), (17,), 0, t), ("one", (3, 2), (1, 2), 0, s)]:
        case("scatter_%s_%s" % (word, name), [kind(*x), i(x[axis], *k), kind(*k)], lambda x, k, y, a=axis, w=word: x.scatter_reduce(a, k, y, w),
             "nn_scatter_reduce(net, in[0], %d, in[1], in[2], %s)" % (axis, ours))
    case("scatter_%s_free" % word, [s(BATCH(3), 4), i(4, BATCH(3), 6), s(BATCH(3), 6)], lambda x, k, y, w=word: x.scatter_reduce(-1, k, y, w),
         "nn_scatter_reduce(net, in[0], -1, in[1], in[2], %s)" % ours)
    case("scatter_%s_special" % word, [literal([INF, 1.0, 2.0, NAN]), literal([0, 1, 1, 2, 3]), literal([-INF, NAN, 1.0, INF, 1.0])],
         lambda x, k, y, w=word: x.scatter_reduce(0, k, y, w), "nn_scatter_reduce(net, in[0], 0, in[1], in[2], %s)" % ours, gradients=False)
case("scatter_prod_zeros", [literal([0.0, 2.0, 3.0, 0.5]), literal([0, 1, 1, 2, 2, 3]), literal([3.0, 0.0, 4.0, 0.0, 0.0, 2.0])],
     lambda x, k, y: x.scatter_reduce(0, k, y, "prod"), "nn_scatter_reduce(net, in[0], 0, in[1], in[2], NN_PROD)")

# ---- scatter, where no two elements have the same index
places = literal([2, 0, 1, 1, 3, 0], (2, 3))
case("scatter", [s(4, 3), places, s(2, 3)], lambda x, k, y: x.scatter(0, k, y), "nn_scatter(net, in[0], 0, in[1], in[2])")
case("scatter_columns", [s(3, 5), places, s(2, 3)], lambda x, k, y: x.scatter(1, k, y), "nn_scatter(net, in[0], 1, in[1], in[2])")
case("scatter_value", [s(4, 3), places], lambda x, k: x.scatter(0, k, 0.75), "nn_scatter_value(net, in[0], 0, in[1], 0.75f)")
case("scatter_value_special", [literal([NAN, INF, 1.0, NAN]), literal([0, 1])], lambda x, k: x.scatter(0, k, NAN),
     "nn_scatter_value(net, in[0], 0, in[1], NAN)")

# ---- one_hot: PyTorch gives integers
case("one_hot", [i(5, 2, 3)], lambda k: F.one_hot(k, 5).to(torch.get_default_dtype()), "nn_one_hot(net, in[0], 5)", gradients=False)
case("one_hot_free", [i(3, BATCH(4))], lambda k: F.one_hot(k, 7).to(torch.get_default_dtype()), "nn_one_hot(net, in[0], 7)", gradients=False)
case("one_hot_one", [i(1, 3)], lambda k: F.one_hot(k, 1).to(torch.get_default_dtype()), "nn_one_hot(net, in[0], 1)", gradients=False)

write(__file__, sparse=8)
