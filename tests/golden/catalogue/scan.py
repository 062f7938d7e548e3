"""Golden values of running products, running logarithms of sums, and running extremes."""
from common import *

zeros = literal([2.0, 0.0, 3.0, -1.5, 0.5, 0.0, 0.0, 2.0, 1.25, 4.0], (2, 5))
far = literal([-100.0, 50.0, 80.0, -3.0, -200.0, 200.0, 1e4, -1e4], (2, 4))
special = literal([1.0, INF, -2.0, INF, 5.0, NAN, 3.0, NAN, 7.0, -INF], (2, 5))
for name, call in [("cumprod", torch.cumprod), ("logcumsumexp", torch.logcumsumexp), ("cummax", torch.cummax), ("cummin", torch.cummin)]:
    for kind, x, axis in [("last", s(3, 6), -1), ("first", s(5, 2), 0), ("middle", s(2, 4, 3), 1), ("one", s(3, 1), 1)]:
        case("%s_%s" % (name, kind), [x], lambda x, a=axis, c=call: c(x, a), "nn_%s(net, in[0], %d)" % (name, axis))
case("cumprod_zeros", [zeros], lambda x: torch.cumprod(x, 1), "nn_cumprod(net, in[0], 1)")
case("cumprod_special", [special], lambda x: torch.cumprod(x, 1), "nn_cumprod(net, in[0], 1)", gradients=False)
case("cumprod_free", [s(BATCH(3), TIME(4))], lambda x: torch.cumprod(x, 1), "nn_cumprod(net, in[0], 1)")
case("logcumsumexp_far", [far], lambda x: torch.logcumsumexp(x, 1), "nn_logcumsumexp(net, in[0], 1)")
case("logcumsumexp_special", [special], lambda x: torch.logcumsumexp(x, 1), "nn_logcumsumexp(net, in[0], 1)", gradients=False)
case("logcumsumexp_nothing", [literal([-INF, -INF, 1.0, 2.0])], lambda x: torch.logcumsumexp(x, 0), "nn_logcumsumexp(net, in[0], 0)", gradients=False)
for name, call in [("cummax", torch.cummax), ("cummin", torch.cummin)]:
    case(name + "_ties", [t(3, 8)], lambda x, c=call: c(x, 1), "nn_%s(net, in[0], 1)" % name)
    case(name + "_special", [special], lambda x, c=call: c(x, 1), "nn_%s(net, in[0], 1)" % name)

write(__file__, sparse=8)
