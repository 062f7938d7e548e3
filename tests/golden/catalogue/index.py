"""Selections by a mask or an index, shuffles of images, and further operations that are made of
others."""
from common import *

# ---- by a mask
case("masked_fill", [s(2, 3, 4), b(3, 4)], lambda x, m: x.masked_fill(m != 0, 0.75), "nn_masked_fill(net, in[0], in[1], 0.75f)")
case("masked_fill_special", [literal([NAN, INF, 1.0, NAN, 2.0]), literal([1.0, 1.0, 1.0, 0.0, 0.0], gradient=False)],
     lambda x, m: x.masked_fill(m != 0, -INF), "nn_masked_fill(net, in[0], in[1], -INFINITY)")
numbers = [NAN, INF, -INF, 0.0, 1.5, -2.0, NAN]
case("nan_to_num", [literal(numbers)], lambda x: torch.nan_to_num(x, 0.5, 3.0, -4.0), "nn_nan_to_num(net, in[0], &(nn_nan_to_num_desc){.nan = 0.5f, .posinf = 3.0f, .neginf = -4.0f})")

# ---- pictures
case("pixel_shuffle", [s(2, 12, 2, 3)], lambda x: F.pixel_shuffle(x, 2), "nn_pixel_shuffle(net, in[0], 2)")
case("pixel_shuffle_three", [s(9, 3, 2)], lambda x: F.pixel_shuffle(x, 3), "nn_pixel_shuffle(net, in[0], 3)")
case("pixel_shuffle_free", [s(BATCH(2), 8, TIME(2), 3)], lambda x: F.pixel_shuffle(x, 2), "nn_pixel_shuffle(net, in[0], 2)")
case("pixel_unshuffle", [s(2, 3, 4, 6)], lambda x: F.pixel_unshuffle(x, 2), "nn_pixel_unshuffle(net, in[0], 2)")
case("pixel_unshuffle_deep", [s(2, 3, 2, 2, 4)], lambda x: F.pixel_unshuffle(x, 2), "nn_pixel_unshuffle(net, in[0], 2)")
case("channel_shuffle", [s(2, 6, 3, 2)], lambda x: F.channel_shuffle(x, 3), "nn_channel_shuffle(net, in[0], 3)")
case("channel_shuffle_one", [s(2, 6, 3)], lambda x: F.channel_shuffle(x, 2), "nn_channel_shuffle(net, in[0], 2)")

# ---- alike
case("cosine_similarity", [s(3, 5), s(3, 5)], lambda a, b: F.cosine_similarity(a, b), "nn_cosine_similarity(net, in[0], in[1], 1)")
case("cosine_similarity_pairs", [s(3, 1, 4), s(2, 4)], lambda a, b: F.cosine_similarity(a, b, -1),
     "nn_cosine_similarity(net, in[0], in[1], -1)")
case("cosine_similarity_zero", [literal([0.0, 0.0, 3.0, 4.0], (2, 2)), literal([1.0, 2.0, -1.0, 2.0], (2, 2))],
     lambda a, b: F.cosine_similarity(a, b), "nn_cosine_similarity(net, in[0], in[1], 1)")

# ---- einsum
for name, text, shapes in [("product", "ij,jk->ik", [(3, 4), (4, 2)]), ("batch", "bij,bkj->bik", [(2, 3, 4), (2, 5, 4)]),
                           ("implicit", "kj,ji", [(3, 4), (4, 2)]), ("sum", "ijk->j", [(2, 3, 4)]), ("outer", "i,j->ji", [(3,), (4,)]),
                           ("dot", "i,i->", [(5,), (5,)]), ("elements", "ij,ji->ij", [(3, 2), (2, 3)]),
                           ("heads", "bqhd,bkhd->bhqk", [(2, 3, 2, 4), (2, 2, 2, 4)]),
                           ("dots", "...ij,...jk->...ik", [(2, 3, 4), (5, 2, 4, 2)]), ("dots_end", "b...,...->...b", [(2, 3, 4), (4,)]),
                           ("dots_summed", "i...,i->i", [(3, 2, 4), (3,)]), ("dots_implied", "j...i,ik", [(2, 3, 4), (4, 2)]),
                           ("diagonal", "...ii->...i", [(2, 3, 3)]), ("trace", "ii", [(4, 4)]), ("diagonal_one", "iji->ji", [(1, 3, 1)]),
                           ("diagonals", "iijj,ik->jk", [(3, 3, 2, 2), (3, 2)]), ("diagonal_three", "iii,ij->j", [(3, 3, 3), (3, 2)]),
                           ("three", "ai,bij,aj->ab", [(3, 2), (2, 2, 4), (3, 4)]), ("alone", "ij,kl->il", [(2, 3), (4, 2)]),
                           ("stretched", "ij,ij->i", [(1, 3), (2, 3)]), ("stretched_dots", "...ij,...jk->...ik", [(1, 3, 4), (2, 4, 5)]),
                           ("stretched_summed", "ij,kj->ik", [(3, 1), (4, 2)]), ("stretched_diagonal", "ii,ij->j", [(1, 1), (1, 3)]),
                           ("stretched_three", "ij,ij,ij->j", [(1, 3), (2, 1), (2, 3)]), ("ones", "ij,ij->", [(1, 1), (1, 2)])]:
    ours = ", ".join("in[%d]" % k for k in range(len(shapes)))
    case("einsum_" + name, [s(*shape) for shape in shapes], lambda *x, t=text: torch.einsum(t, *x),
         'nn_einsum(net, "%s", NN_NODES(%s))' % (text, ours))
case("einsum_free", [s(BATCH(2), TIME(3), 4), s(BATCH(2), TIME(3), 2)], lambda a, b: torch.einsum("bti,btj->bij", a, b),
     'nn_einsum(net, "bti,btj->bij", NN_NODES(in[0], in[1]))')
case("einsum_stretched_free", [s(1, 3), s(BATCH(2), 3)], lambda a, b: torch.einsum("ij,ij->ij", a, b),
     'nn_einsum(net, "ij,ij->ij", NN_NODES(in[0], in[1]))')

# ---- bags: padding counts neither in a sum nor in a mean, and a bag of padding alone is 0
given = ".num_embeddings = 5, .embedding_dim = 3"
bags = literal([1, 4, 3, 0, 2, 2, 3, 3, 3, 4, 3, 4], (4, 3))
for mode, ours in [("mean", "NN_MEAN"), ("sum", "NN_SUM"), ("max", "NN_MAX")]:
    case("embedding_bag_" + mode, [i(5, 4, 3)], None,
         'nn_embedding_bag(net, "bag", in[0], &(nn_embedding_bag_desc){%s, .mode = %s})' % (given, ours),
         module=torch.nn.EmbeddingBag(5, 3, mode=mode), prefix="bag")
    case("embedding_bag_padding_" + mode, [bags], lambda k, w, m=mode: F.embedding_bag(k, w, mode=m, padding_idx=3),
         'nn_embedding_bag(net, "bag", in[0], &(nn_embedding_bag_desc){%s, .mode = %s, .padding = true, .padding_idx = -2})' %
         (given, ours), parameters={"bag.weight": s(5, 3)})
case("embedding_bag_weights", [i(5, 4, 3), s(4, 3)], lambda k, p, w: F.embedding_bag(k, w, mode="sum", per_sample_weights=p),
     'nn_embedding_bag(net, "bag", in[0], &(nn_embedding_bag_desc){%s, .mode = NN_SUM, .per_sample_weights = in[1]})' % given,
     parameters={"bag.weight": s(5, 3)})
case("embedding_bag_weights_padding", [bags, s(4, 3)], lambda k, p, w: F.embedding_bag(k, w, mode="sum", per_sample_weights=p, padding_idx=3),
     'nn_embedding_bag(net, "bag", in[0], &(nn_embedding_bag_desc){%s, .mode = NN_SUM, .per_sample_weights = in[1], .padding = true, '
     '.padding_idx = 3})' % given, parameters={"bag.weight": s(5, 3)})
case("embedding_bag_default", [i(5, 4, 3)], lambda k, w: F.embedding_bag(k, w),
     'nn_embedding_bag(net, "bag", in[0], &(nn_embedding_bag_desc){%s})' % given, parameters={"bag.weight": s(5, 3)})

write(__file__, sparse=16)
