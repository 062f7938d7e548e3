"""Golden values of parts and products of vectors and matrices."""
from common import *

case("split", [s(3, 7, 2)], lambda x: torch.split(x, [1, 4, 2], 1), "nn_split(net, in[0], out, (const int[]){1, 4, 2}, 3, 1);")
case("diff", [s(3, 5)], lambda x: torch.diff(x), "nn_diff(net, in[0], -1)")
case("diff_rows", [s(4, 3, 2)], lambda x: torch.diff(x, dim=0), "nn_diff(net, in[0], 0)")
case("outer", [s(3), s(4)], torch.outer, "nn_outer(net, in[0], in[1])")
case("outer_free", [s(BATCH(3)), s(4)], torch.outer, "nn_outer(net, in[0], in[1])")
for name, call in [("tril", torch.tril), ("triu", torch.triu)]:
    for d, shape in [(0, (4, 4)), (1, (2, 3, 5)), (-2, (5, 3))]:
        case("%s_%d" % (name, d + 2), [s(*shape)], lambda x, c=call, d=d: c(x, d), "nn_%s(net, in[0], %d)" % (name, d))
    case(name + "_special", [literal([NAN, INF, 1.0, -INF, NAN, 2.0, INF, INF, NAN], (3, 3))], lambda x, c=call: c(x), "nn_%s(net, in[0], 0)" % name)
    case(name + "_free", [s(BATCH(2), TIME(4), 3)], lambda x, c=call: c(x), "nn_%s(net, in[0], 0)" % name)

write(__file__, sparse=8)
