"""Sorted lines: sort, argsort, top_k, kthvalue, median. NaN is the largest number, and equal numbers keep their order."""
from common import *

special = [2.0, NAN, -1.0, INF, 0.0, -INF, 2.0, -0.0, NAN, 0.0, INF, -3.0]
for down in [False, True]:
    desc = "&(nn_sort_desc){.descending = true}" if down else "NULL"
    for name, x, axis in [("last", d(3, 7), -1), ("first", d(5, 4), 0), ("middle", d(2, 5, 3), 1), ("one", d(3, 1), 1), ("ties", t(2, 50), 1),
                          ("special", literal(special, (2, 6)), 1), ("special_rows", literal(special, (4, 3)), 0), ("long", d(1, 70), 1),
                          ("free", d(BATCH(4), TIME(5)), 1)]:
        case("sort_%s%s" % (name, "_down" if down else ""), [x], lambda x, a=axis, d=down: torch.sort(x, dim=a, descending=d, stable=True),
             "nn_sort(net, in[0], %d, %s)" % (axis, desc))
    case("argsort" + ("_down" if down else ""), [t(4, 9)], lambda x, d=down: torch.argsort(x, dim=1, descending=d, stable=True), "nn_argsort(net, in[0], 1, %s)" % desc,
         gradients=False)
for small in [False, True]:
    desc = "&(nn_top_k_desc){.smallest = true}" if small else "NULL"
    for name, x, k, axis in [("last", d(3, 7), 3, -1), ("first", d(6, 4), 2, 0), ("all", d(2, 5), 5, 1), ("one", d(2, 60), 1, 1), ("few", d(1, 60), 5, 1),
                             ("special", literal([3.0, NAN, -INF, INF, 1.0, -2.0, 0.5, 4.0, -5.0]), 3, 0), ("free", d(BATCH(3), 6), 2, 1)]:
        case("top_k_%s%s" % (name, "_small" if small else ""), [x], lambda x, k=k, a=axis, s=small: torch.topk(x, k, a, not s),
             "nn_top_k(net, in[0], %d, %d, %s)" % (k, axis, desc))
case("kthvalue", [d(3, 7)], lambda x: torch.kthvalue(x, 3)[0], "nn_kthvalue(net, in[0], 3, -1)")
case("kthvalue_rows", [d(5, 3)], lambda x: torch.kthvalue(x, 5, 0)[0], "nn_kthvalue(net, in[0], 5, 0)")
case("kthvalue_special", [literal(special[:8], (2, 4))], lambda x: torch.kthvalue(x, 4)[0], "nn_kthvalue(net, in[0], 4, 1)", gradients=False)
case("median", [d(3, 7)], lambda x: torch.median(x, 1)[0], "nn_median(net, in[0], 1)")
case("median_even", [d(2, 6, 2)], lambda x: torch.median(x, 1)[0], "nn_median(net, in[0], 1)")
case("median_special", [literal([NAN, 1.0, 2.0, 3.0, INF, 1.0, -INF, 2.0, 5.0, 4.0, INF, 7.0], (3, 4))], lambda x: torch.median(x, 1)[0],
     "nn_median(net, in[0], 1)", gradients=False)

write(__file__, sparse=12)
