"""Golden values of distances between vectors."""
from common import *

for name, p, ours in [("two", 2.0, ""), ("one", 1.0, ".p = 1"), ("inf", INF, ".p = INFINITY"), ("three", 3.0, ".p = 3"), ("half", 0.5, ".p = 0.5f")]:
    desc = "&(nn_pairwise_distance_desc){%s}" % ours if ours else "NULL"
    case("pairwise_distance_" + name, [s(3, 5), s(3, 5)], lambda a, b, p=p: F.pairwise_distance(a, b, p), "nn_pairwise_distance(net, in[0], in[1], %s)" % desc)
    case("cdist_" + name, [s(3, 4), s(2, 4)], lambda a, b, p=p: torch.cdist(a, b, p), "nn_cdist(net, in[0], in[1], %s)" % ("INFINITY" if p == INF else "%gf" % p if p == 0.5 else "%g" % p))
case("pairwise_distance_keep", [s(2, 3, 4), s(4)], lambda a, b: F.pairwise_distance(a, b, eps=0.25, keepdim=True),
     "nn_pairwise_distance(net, in[0], in[1], &(nn_pairwise_distance_desc){.epsilon = 0.25f, .keep_axes = true})")
same = literal([1.0, -2.0, 0.5, 1.0, -2.0, 0.5], (2, 3))
case("pairwise_distance_same", [same, same], lambda a, b: F.pairwise_distance(a, b), "nn_pairwise_distance(net, in[0], in[1], NULL)")
case("pairwise_distance_special", [literal([NAN, 1.0, INF, 1.0, INF, 2.0], (3, 2)), literal([0.0, 1.0, 0.0, -1.0, INF, 2.0], (3, 2))],
     lambda a, b: F.pairwise_distance(a, b), "nn_pairwise_distance(net, in[0], in[1], NULL)", gradients=False)
case("cdist_same", [same, same], lambda a, b: torch.cdist(a, b), "nn_cdist(net, in[0], in[1], 2)")
case("cdist_batch", [s(2, 3, 4), s(1, 5, 4)], lambda a, b: torch.cdist(a, b), "nn_cdist(net, in[0], in[1], 2)")
case("cdist_free", [s(BATCH(3), TIME(4), 2), s(5, 2)], lambda a, b: torch.cdist(a, b.expand(3, 5, 2)), "nn_cdist(net, in[0], in[1], 2)")

write(__file__, sparse=8)
