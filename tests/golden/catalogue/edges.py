"""One table: what each operation that is not element-wise does with NaN, infinities, ties and one element, compared with PyTorch.

Element-wise operations are in elementwise.py, which gives each of them NaN, infinities, both zeros and the points where it changes;
losses, which see NaN and infinities on either side, are at the end of losses.py. Sequences and
labels that are masked completely are in "all masked" below. "Empty" is the same for all: an extent
of 0 is a fault of nn_input and of every shape, so no operation
meets one (test_graph.c, test_random_calls.c).

A column is True; or VALUES and the reason why only the values are PyTorch's, not the gradients; or the reason why it is left out.

"""
from common import *

VALUES = "values: "
PADDED = VALUES + "a weight's gradient is a sum over padding, too, and 0 times NaN is NaN; PyTorch leaves padding out"
OTHERS = VALUES + "the product of the others is a quotient, which is NaN in the whole row; PyTorch multiplies the others again"
COLUMNS = ["nan", "infinite", "ties", "one"]


def numbers(shape, column):
    count = math.prod(shape)
    own = [value(7 * count, k, "s") for k in range(count)]
    if column == "ties":
        own = [1.0] * count
    if column == "nan":
        own[count // 3] = NAN
    if column == "infinite":
        own[count // 4], own[count // 2] = INF, -INF
    return own


def edges(name, shape, one, function, c, nan=True, infinite=True, ties=True, rest=(), **options):
    """shape: of the first input; one: the smallest shape that the operation takes, or None if there is no such case. rest: further inputs."""
    for column, wanted in zip(COLUMNS, [nan, infinite, ties, one is not None]):
        own = one if column == "one" else shape
        if wanted is not True and not (wanted and wanted.startswith(VALUES)):
            continue
        more = [given(own) if callable(given) else given for given in rest]
        case("%s_%s" % (name, column), [literal(numbers(own, column), own)] + more, function, c,
             **(options if wanted is True else dict(options, gradients=False)))


# ---- products, convolutions ----------------------------------------------------------------------------------------
edges("linear", (3, 2), (1, 2), None, 'nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 2})',
      module=torch.nn.Linear(2, 2), prefix="fc")
edges("matmul", (2, 3), None, torch.matmul, "nn_matmul(net, in[0], in[1], NULL)", rest=[s(3, 2)])
edges("matmul_scalar", (1, 1), (1, 1), torch.matmul, "nn_matmul(net, in[0], in[1], NULL)", rest=[s(1, 1)])
edges("einsum", (2, 3), (1, 1), lambda a: torch.einsum("ij,kj->ik", a, a),
      'nn_einsum(net, "ij,kj->ik", NN_NODES(in[0], in[0]))')
edges("bilinear", (2, 2), (1, 2), None, 'nn_bilinear(net, "b", in[0], in[1], &(nn_bilinear_desc){.out_features = 2})',
      module=torch.nn.Bilinear(2, 3, 2), prefix="b", rest=[lambda own: s(own[0], 3)],
      infinite=VALUES + "PyTorch multiplies with the input first, and adds infinities of both signs over the outputs")
for name, cell in [("lstm", torch.nn.LSTMCell), ("gru", torch.nn.GRUCell), ("rnn", torch.nn.RNNCell)]:
    edges(name + "_cell", (2, 2), (1, 2), None, 'nn_%s_cell(net, "r", in[0], &(nn_%s_cell_desc){.hidden_size = 2})' % (name, name),
          module=cell(2, 2), prefix="r",
          nan=True if name != "lstm" else VALUES + "initial states that the caller leaves out take no part; PyTorch multiplies NaN by their zeros")
edges("pdist", (3, 2), (2, 1), F.pdist, "nn_pdist(net, in[0], 2)")
edges("triplet_margin_with_distance_loss", (2, 3), (1, 1), F.triplet_margin_with_distance_loss,
      "nn_triplet_margin_with_distance_loss(net, in[0], in[1], in[2], NULL)", rest=[lambda own: s(*own), lambda own: d(*own)])
edges("conv1d", (1, 2, 5), (1, 2, 1), None, 'nn_conv1d(net, "c", in[0], &(nn_conv1d_desc){.out_channels = 2, .kernel = 3, .padding = 1})',
      module=torch.nn.Conv1d(2, 2, 3, padding=1), prefix="c")
edges("conv2d", (1, 2, 3, 3), (1, 2, 1, 1), None,
      'nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 3, .padding = 1})',
      PADDED, PADDED, module=torch.nn.Conv2d(2, 2, 3, padding=1), prefix="c")
edges("depthwise", (1, 2, 3, 3), (1, 2, 1, 1), None,
      'nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 3, .padding = 1, .groups = 2})',
      PADDED, PADDED, module=torch.nn.Conv2d(2, 2, 3, padding=1, groups=2), prefix="c")
edges("conv_transpose1d", (1, 2, 4), (1, 2, 1), None,
      'nn_conv_transpose1d(net, "c", in[0], &(nn_conv_transpose1d_desc){.out_channels = 2, .kernel = 2, .stride = 2})',
      module=torch.nn.ConvTranspose1d(2, 2, 2, 2), prefix="c")
edges("conv_transpose2d", (1, 2, 2, 3), (1, 2, 1, 1), None,
      'nn_conv_transpose2d(net, "c", in[0], &(nn_conv_transpose2d_desc){.out_channels = 2, .kernel = 2, .stride = 2})',
      module=torch.nn.ConvTranspose2d(2, 2, 2, 2), prefix="c")

# ---- pools: NaN is the largest, and the first of equal numbers is taken -----------------------------------------------------
for dims, shape, one, hw in [("1d", (1, 2, 6), (1, 1, 2), "2"), ("2d", (1, 2, 4, 4), (1, 1, 2, 2), "2, 2")]:
    edges("max_pool" + dims, shape, one, lambda x, f=getattr(F, "max_pool" + dims): f(x, 2, return_indices=True),
          "nn_max_pool%s(net, in[0], &(nn_pool%s_desc){.kernel = 2})" % (dims, dims))
    edges("avg_pool" + dims, shape, one, lambda x, f=getattr(F, "avg_pool" + dims): f(x, 2),
          "nn_avg_pool%s(net, in[0], &(nn_pool%s_desc){.kernel = 2})" % (dims, dims))
    edges("adaptive_max_pool" + dims, shape, one,
          lambda x, f=getattr(F, "adaptive_max_pool" + dims): f(x, 2, return_indices=True),
          "nn_adaptive_max_pool%s(net, in[0], %s)" % (dims, hw))
    edges("adaptive_avg_pool" + dims, shape, one, lambda x, f=getattr(F, "adaptive_avg_pool" + dims): f(x, 2),
          "nn_adaptive_avg_pool%s(net, in[0], %s)" % (dims, hw))
edges("global_avg_pool2d", (1, 2, 3, 3), (1, 1, 1, 1), lambda x: F.adaptive_avg_pool2d(x, 1), "nn_global_avg_pool2d(net, in[0])")

# ---- norms: a statistic of one value has no variance; equal values give the bias ---------------------------------------------
edges("layer_norm", (2, 4), (1, 1), lambda x: F.layer_norm(x, x.shape[-1:]), 'nn_layer_norm(net, "n", in[0], '
      "&(nn_layer_norm_desc){.no_affine = true})")
edges("rms_norm", (2, 4), (1, 1), lambda x: F.rms_norm(x, x.shape[-1:]),
      'nn_rms_norm(net, "n", in[0], &(nn_rms_norm_desc){.no_affine = true})')
edges("group_norm", (2, 4, 3), (2, 2, 1), lambda x: F.group_norm(x, 2),
      'nn_group_norm(net, "n", in[0], &(nn_group_norm_desc){.num_groups = 2, .no_affine = true})')
edges("batch_norm1d", (4, 2), None, None, 'nn_batch_norm1d(net, "bn", in[0], NULL)', module=torch.nn.BatchNorm1d(2), prefix="bn", train=True)
edges("batch_norm1d_eval", (4, 2), (1, 2), None, 'nn_batch_norm1d(net, "bn", in[0], NULL)', module=torch.nn.BatchNorm1d(2), prefix="bn",
      train=False)
edges("batch_norm2d", (2, 2, 2, 2), None, None, 'nn_batch_norm2d(net, "bn", in[0], NULL)',
      infinite="PyTorch's running_mean is infinite, ours NaN: the means of parts are joined by their difference", module=torch.nn.BatchNorm2d(2), prefix="bn",
      train=True)
edges("batch_norm3d", (2, 2, 1, 2, 2), None, None, 'nn_batch_norm3d(net, "bn", in[0], NULL)',
      infinite="as batch_norm2d", module=torch.nn.BatchNorm3d(2), prefix="bn", train=True)
edges("local_response_norm", (1, 4, 2, 2), (1, 1, 1, 1), lambda x: F.local_response_norm(x, 3),
      "nn_local_response_norm(net, in[0], &(nn_local_response_norm_desc){.size = 3})")
edges("normalize", (3, 4), (1, 1), lambda x: F.normalize(x, dim=1), "nn_normalize(net, in[0], 1)")
edges("cosine_similarity", (3, 4), (1, 1), lambda a, b: F.cosine_similarity(a, b, 1), "nn_cosine_similarity(net, in[0], in[1], 1)",
      rest=[lambda own: s(*own)])

# ---- rows --------------------------------------------------------------------------------------------------------------
for name in ["softmax", "log_softmax"]:
    edges(name, (3, 4), (1, 1), lambda x, f=getattr(torch, name): f(x, -1), "nn_%s(net, in[0])" % name)
    edges(name + "_over", (3, 4), (1, 1), lambda x, f=getattr(torch, name): f(x, 0), "nn_%s(net, in[0], 0)" % name)
edges("softmin", (3, 4), (1, 1), lambda x: F.softmin(x, -1), "nn_softmin(net, in[0])")
edges("softmin_over", (3, 4), (1, 1), lambda x: F.softmin(x, 0), "nn_softmin(net, in[0], 0)")
edges("glu", (3, 4), (1, 2), F.glu, "nn_glu(net, in[0], -1)")
edges("prod", (3, 4), (1, 1), lambda x: torch.prod(x, 1), "nn_prod(net, in[0], NN_AXES(1))", OTHERS, OTHERS)
for name, function in [("sum", torch.sum), ("mean", torch.mean), ("amax", torch.amax), ("amin", torch.amin),
                       ("norm", lambda x, a: torch.linalg.vector_norm(x, 2, a)), ("logsumexp", torch.logsumexp)]:
    edges(name, (3, 4), (1, 1), lambda x, f=function: f(x, 1), "nn_%s(net, in[0], NN_AXES(1))" % name)
for name in ["var", "std"]:  # the correction of 1 makes the result of one number NaN
    edges(name, (3, 4), (2, 1), lambda x, f=getattr(torch, name): f(x, 1), "nn_%s(net, in[0], NN_AXES(1))" % name)
for name in ["argmax", "argmin"]:
    edges(name, (3, 4), (1, 1), lambda x, f=getattr(torch, name): f(x, 1), "nn_%s(net, in[0], NN_AXES(1))" % name)
for name in ["any", "all"]:  # NaN is true
    edges(name, (3, 4), (1, 1), lambda x, f=getattr(torch, name): f(x != 0, 1), "nn_%s(net, in[0], NN_AXES(1))" % name)
edges("cumsum", (2, 4), (1, 1), lambda x: torch.cumsum(x, 1), "nn_cumsum(net, in[0], 1)")

# ---- elements in other places: every value passes unchanged, and replicated padding repeats it ------------------------------
edges("permute", (2, 3), (1, 1), lambda x: x.T, "nn_permute(net, in[0], NN_AXES(1, 0))")
edges("slice", (2, 4), (1, 2), lambda x: x[:, ::2], "nn_slice(net, in[0], &(nn_slice_desc){.axis = 1, .step = 2})")
edges("concat", (2, 3), (1, 1), lambda x: torch.cat([x, x], 1), "nn_concat(net, NN_NODES(in[0], in[0]), 1)")
edges("stack", (2, 3), (1, 1), lambda x: torch.stack([x, x], 1), "nn_stack(net, NN_NODES(in[0], in[0]), 1)")
edges("pad_replicate", (1, 1, 2, 3), (1, 1, 1, 1), lambda x: F.pad(x, (1, 1, 1, 1), "replicate"),
      "nn_pad(net, in[0], &(nn_pad_desc){.left = 1, .right = 1, .top = 1, .bottom = 1, .mode = NN_PADDING_REPLICATE})")
edges("pad", (1, 1, 2, 3), (1, 1, 1, 1), lambda x: F.pad(x, (1, 0, 0, 1)),
      "nn_pad(net, in[0], &(nn_pad_desc){.left = 1, .bottom = 1})")
edges("flip", (2, 3), (1, 1), lambda x: x.flip(1), "nn_flip(net, in[0], NN_AXES(1))")
edges("roll", (2, 3), (1, 1), lambda x: x.roll(1, 1), "nn_roll(net, in[0], 1, 1)")
edges("repeat", (2, 3), (1, 1), lambda x: x.repeat(2, 2), "nn_repeat(net, in[0], NN_SHAPE(2, 2))")
edges("repeat_interleave", (2, 3), (1, 1), lambda x: torch.repeat_interleave(x, 2, 1), "nn_repeat_interleave(net, in[0], 2, 1)")
edges("unflatten", (2, 4), (1, 1), lambda x: x.unflatten(1, (x.shape[1], 1)), "nn_unflatten(net, in[0], 1, NN_SHAPE(nn_node_shape(in[0]).extent[1], 1))")
edges("squeeze", (2, 1, 3), (1, 1, 1), torch.squeeze, "nn_squeeze(net, in[0], NN_ALL_AXES)")
edges("unsqueeze", (2, 3), (1, 1), lambda x: x[:, None], "nn_unsqueeze(net, in[0], 1)")
edges("unfold", (1, 1, 3, 3), (1, 1, 1, 1), lambda x: F.unfold(x, 2, padding=1), "nn_unfold(net, in[0], &(nn_unfold_desc){.kernel = 2, .padding = 1})")
edges("fold", (1, 4, 4), (1, 4, 1), lambda x: F.fold(x, (3, 3) if x.shape[2] > 1 else (2, 2), 2),
      "nn_fold(net, in[0], &(nn_fold_desc){.kernel = 2, .out_h = nn_node_shape(in[0]).extent[2] > 1 ? 3 : 2, "
      ".out_w = nn_node_shape(in[0]).extent[2] > 1 ? 3 : 2})")
edges("expand", (2, 1, 3), (1, 1), lambda x: x.expand(2, 2, 2, 3), "nn_expand(net, in[0], NN_SHAPE(2, 2, 2, 3))")
edges("pixel_shuffle", (1, 4, 1, 2), (1, 4, 1, 1), lambda x: F.pixel_shuffle(x, 2), "nn_pixel_shuffle(net, in[0], 2)")
edges("channel_shuffle", (1, 4, 1, 2), (1, 2, 1, 1), lambda x: torch.nn.functional.channel_shuffle(x, 2),
      "nn_channel_shuffle(net, in[0], 2)")
edges("index_select", (3, 2), (1, 1), lambda x, k: torch.index_select(x, 0, k), "nn_index_select(net, in[0], 0, in[1])",
      rest=[literal([0, 0], (2,))])

# ---- sorted rows: NaN is the largest, and equal numbers keep their order ----------------------------------------------------------
edges("sort", (2, 5), (1, 1), lambda x: torch.sort(x, dim=1, stable=True), "nn_sort(net, in[0], 1, NULL)")
edges("top_k", (2, 5), (1, 1), lambda x: torch.topk(x, 1, 1)[0], "nn_top_k(net, in[0], 1, 1, NULL)",
      ties=VALUES + "in PyTorch any of equal numbers gets the gradient, here the first one")
edges("kthvalue", (2, 5), (1, 1), lambda x: torch.kthvalue(x, 1, 1)[0], "nn_kthvalue(net, in[0], 1, 1)", ties=VALUES + "in PyTorch any of equal numbers gets the gradient, here the first one")
edges("median", (2, 5), (1, 1), lambda x: torch.median(x, 1)[0], "nn_median(net, in[0], 1)", ties=VALUES + "in PyTorch any of equal numbers gets the gradient, here the first one")
case("median_nans", [literal([3.0, NAN, 1.0, NAN, 2.0, NAN, NAN, 5.0, INF, 1.0, 4.0, 1.0, 7.0, 2.0, 3.0], (3, 5))],
     lambda x: torch.median(x, 1)[0], "nn_median(net, in[0], 1)")
for name in ["cumprod", "logcumsumexp"]:
    edges(name, (2, 5), (1, 1), lambda x, f=getattr(torch, name): f(x, 1), "nn_%s(net, in[0], 1)" % name,
          *[VALUES + "PyTorch's formula of the gradient divides, or subtracts infinities"] * 2)
for name in ["cummax", "cummin"]:
    edges(name, (2, 5), (1, 1), lambda x, f=getattr(torch, name): f(x, 1), "nn_%s(net, in[0], 1)" % name)

# ---- by index ----------------------------------------------------------------------------------------------------------------
edges("gather", (3, 2), (1, 2), lambda x, k: torch.gather(x, 0, k), "nn_gather(net, in[0], 0, in[1])", rest=[literal([0, 0], (1, 2))])
edges("scatter_add", (3, 2), (1, 2), lambda x, k, y: x.scatter_add(0, k, y), "nn_scatter_add(net, in[0], 0, in[1], in[2])",
      rest=[literal([0, 0], (1, 2)), s(1, 2)])
edges("scatter_reduce", (3, 2), (1, 2), lambda x, k, y: x.scatter_reduce(0, k, y, "amax"), "nn_scatter_reduce(net, in[0], 0, in[1], in[2], NN_MAX)",
      rest=[literal([0, 0], (1, 2)), s(1, 2)])
edges("scatter", (3, 2), (1, 2), lambda x, k, y: x.scatter(0, k, y), "nn_scatter(net, in[0], 0, in[1], in[2])",
      rest=[literal([0, 0], (1, 2)), s(1, 2)])
edges("embedding", (3, 2), (1, 2), lambda w, k: F.embedding(k, w), "nn_index_select(net, in[0], 0, in[1])", rest=[literal([0, 0], (2,))])

# ---- distances -----------------------------------------------------------------------------------------------------------------
edges("pairwise_distance", (3, 2), (1, 1), lambda a, b: F.pairwise_distance(a, b), "nn_pairwise_distance(net, in[0], in[1], NULL)",
      rest=[lambda own: s(*own)])
edges("cdist", (3, 2), (1, 1), lambda a, b: torch.cdist(a, b), "nn_cdist(net, in[0], in[1], 2)", rest=[lambda own: s(2, own[1])])

# If several differences are the largest, cdist gives each the whole gradient, and pairwise_distance
# a share.
case("cdist_infinity_ties", [literal([1.0, 2.0, 3.0, 5.0, 5.0, 1.0, 1.0, 1.0, 1.0, 1.0], (2, 5)), literal([2.0, 1.0, 4.0, 5.0, 5.0, 1.0, 1.0, 1.0, 1.0, 3.0], (2, 5))],
     lambda a, b: torch.cdist(a, b, INF), "nn_cdist(net, in[0], in[1], INFINITY)")
case("pairwise_distance_infinity_ties", [literal([1.0, 2.0, 3.0, 5.0, 5.0, 1.0], (2, 3)), literal([2.0, 1.0, 4.0, 5.0, 3.0, 3.0], (2, 3))],
     lambda a, b: F.pairwise_distance(a, b, INF, eps=0.0),
     "nn_pairwise_distance(net, in[0], in[1], &(nn_pairwise_distance_desc){.p = INFINITY, .epsilon = NN_NONE})")

# ---- pictures in another size -----------------------------------------------------------------------------------------------------
for mode, ours in [("nearest", "NN_RESIZE_NEAREST"), ("bilinear", "NN_RESIZE_LINEAR"), ("bicubic", "NN_RESIZE_CUBIC")]:
    edges("resize_" + mode, (1, 1, 3, 3), (1, 1, 1, 1), lambda x, m=mode: F.interpolate(x, (6, 6), mode=m),
          "nn_resize(net, in[0], &(nn_resize_desc){.size = 6, .size_w = 6, .mode = %s})" % ours)
edges("grid_sample", (1, 1, 3, 3), (1, 1, 1, 1), lambda x, g: F.grid_sample(x, g, align_corners=False),
      "nn_grid_sample(net, in[0], in[1], NULL)", rest=[w(1, 2, 2, 2)])
edges("lp_pool1d", (1, 1, 6), (1, 1, 2), lambda x: F.lp_pool1d(x, 2, 2), "nn_lp_pool1d(net, in[0], 2, &(nn_pool1d_desc){.kernel = 2})")
edges("global_max_pool2d", (1, 2, 3, 3), (1, 1, 1, 1), lambda x: F.adaptive_max_pool2d(x, 1), "nn_global_max_pool2d(net, in[0])",
      ties="among equal numbers PyTorch chooses another one for the gradient, because it reduces one axis at a time")

# ---- sequences: NaN affects only its own sample, from its own step on ----------------------------------------------------------
for name, module in [("lstm", torch.nn.LSTM), ("gru", torch.nn.GRU), ("rnn", torch.nn.RNN)]:
    edges(name, (2, 3, 2), (1, 1, 2), None, 'nn_%s(net, "r", in[0], &(nn_%s_desc){.hidden_size = 2})' % (name, name),
          module=module(2, 2, batch_first=True), prefix="r", call=lambda m, x: m(x)[0])
edges("prelu", (2, 2, 3), (1, 1), None, 'nn_prelu(net, "p", in[0], NULL)', module=torch.nn.PReLU(), prefix="p")

# ---- volumes, random windows, computed filters -----------------------------------------------------------------
edges("conv3d", (1, 2, 2, 3, 2), (1, 2, 1, 1, 1), None, 'nn_conv3d(net, "c", in[0], &(nn_conv3d_desc){.out_channels = 1, .kernel = 1, .kernel_h = 1})',
      module=torch.nn.Conv3d(2, 1, 1), prefix="c")
edges("conv_transpose3d", (1, 2, 2, 2, 1), (1, 2, 1, 1, 1), None,
      'nn_conv_transpose3d(net, "c", in[0], &(nn_conv_transpose3d_desc){.out_channels = 1, .kernel = 2, .stride = 2})',
      module=torch.nn.ConvTranspose3d(2, 1, 2, 2), prefix="c")
edges("conv2d_with", (1, 2, 3, 3), (1, 2, 1, 1), lambda x, w: F.conv2d(x, w), "nn_functional_conv2d(net, in[0], in[1], NULL, NULL)", rest=[w(1, 2, 1, 1)])
edges("conv_transpose2d_with", (1, 2, 2, 2), (1, 2, 1, 1), lambda x, w: F.conv_transpose2d(x, w, stride=2),
      "nn_functional_conv_transpose2d(net, in[0], in[1], NULL, &(nn_conv_transpose2d_desc){.stride = 2})", rest=[w(2, 1, 2, 2)])
edges("max_pool3d", (1, 1, 2, 4, 4), (1, 1, 2, 2, 2), lambda x: F.max_pool3d(x, 2), "nn_max_pool3d(net, in[0], &(nn_pool3d_desc){.kernel = 2})")
edges("avg_pool3d", (1, 1, 2, 4, 4), (1, 1, 2, 2, 2), lambda x: F.avg_pool3d(x, 2), "nn_avg_pool3d(net, in[0], &(nn_pool3d_desc){.kernel = 2})")
edges("adaptive_max_pool3d", (1, 1, 2, 4, 3), (1, 1, 1, 1, 1), lambda x: F.adaptive_max_pool3d(x, (1, 2, 1)),
      "nn_adaptive_max_pool3d(net, in[0], 1, 2, 1)")
edges("adaptive_avg_pool3d", (1, 1, 2, 4, 3), (1, 1, 1, 1, 1), lambda x: F.adaptive_avg_pool3d(x, (1, 2, 1)),
      "nn_adaptive_avg_pool3d(net, in[0], 1, 2, 1)")
edges("lp_pool2d", (1, 1, 4, 4), (1, 1, 2, 2), lambda x: F.lp_pool2d(x, 2, 2), "nn_lp_pool2d(net, in[0], 2, &(nn_pool2d_desc){.kernel = 2})")
edges("lp_pool3d", (1, 1, 2, 2, 4), (1, 1, 2, 2, 2), lambda x: F.lp_pool3d(x, 2, 2), "nn_lp_pool3d(net, in[0], 2, &(nn_pool3d_desc){.kernel = 2})")
edges("fractional_max_pool2d", (1, 1, 4, 4), (1, 1, 2, 2), lambda x, u: F.fractional_max_pool2d(x, 2, 1, _random_samples=u),
      "nn_fractional_max_pool2d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .out_h = 1, .out_w = 1, .samples = in[1]})",
      rest=[fixed(o(1, 1, 2))])
edges("fractional_max_pool3d", (1, 1, 3, 3, 3), None, lambda x, u: F.fractional_max_pool3d(x, 2, 1, _random_samples=u),
      "nn_fractional_max_pool3d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .out_d = 1, .out_h = 1, .out_w = 1, .samples = in[1]})",
      rest=[fixed(o(1, 1, 3))])
for dims, shape in [("1d", (1, 1, 3)), ("2d", (1, 1, 1, 3)), ("3d", (1, 1, 1, 1, 3))]:
    edges("max_unpool" + dims, shape, (1,) * len(shape), lambda x, k, f=getattr(F, "max_unpool" + dims): f(x, k, 2),
          "nn_max_unpool%s(net, in[0], in[1], &(nn_max_unpool%s_desc){.kernel = 2})" % (dims, dims),
          rest=[lambda own: literal(list(range(1, own[-1] + 1)), own)])

# ---- elements: three inputs, a text --------------------------------------------------------------------------------------------
same = lambda own: s(*own)
edges("lerp", (2, 3), None, torch.lerp, "nn_lerp(net, in[0], in[1], in[2])", rest=[same, lambda own: fixed(u(*own))])
edges("addcmul", (2, 3), None, lambda x, a, b: torch.addcmul(x, a, b, value=0.5), "nn_addcmul(net, in[0], in[1], in[2], &(nn_addcmul_desc){.value = 0.5f})", rest=[same, same])
edges("addcdiv", (2, 3), None, lambda x, a, b: torch.addcdiv(x, a, b, value=0.5), "nn_addcdiv(net, in[0], in[1], in[2], &(nn_addcdiv_desc){.value = 0.5f})",
      rest=[same, lambda own: p(*own)])
edges("expression", (2, 3), None, lambda x: torch.where(x > 0, x * x, torch.exp(x)), 'nn_expression(net, "x: x > 0 ? x * x : exp(x)", in[0])',
      infinite=VALUES + "the branch that is not chosen has no part in the gradient; PyTorch's torch.where gives 0 times infinity")
edges("where", (2, 3), None, lambda x, a: torch.where(x > 1, x, a), 'nn_where(net, nn_expression(net, "x: x > 1", in[0]), in[0], in[1])', rest=[same])
edges("nan_to_num", (2, 3), None, lambda x: torch.nan_to_num(x, 0.5, 7.0, -7.0), "nn_nan_to_num(net, in[0], &(nn_nan_to_num_desc){.nan = 0.5f, .posinf = 7.0f, .neginf = -7.0f})")
edges("cast", (2, 3), None, lambda x: x.to(torch.int32), "nn_cast(net, in[0], NN_I32)", nan="undefined in PyTorch; ours is 0",
      infinite="undefined in PyTorch; ours is the nearest number of the dtype")
edges("cast_bool", (2, 3), None, lambda x: x.bool().to(torch.int32), "nn_cast(net, nn_cast(net, in[0], NN_BOOL), NN_I32)")

# ---- norms of channels ----------------------------------------------------------------------------------------------------------
edges("instance_norm", (2, 2, 4), None, lambda x: F.instance_norm(x), 'nn_instance_norm(net, "n", in[0], NULL)')
edges("batch_norm3d_eval", (2, 2, 1, 2, 2), (1, 2, 1, 1, 1), None, 'nn_batch_norm3d(net, "bn", in[0], NULL)', module=torch.nn.BatchNorm3d(2), prefix="bn",
      train=False)
edges("batch_norm2d_eval", (2, 2, 2, 2), (1, 2, 1, 1), None, 'nn_batch_norm2d(net, "bn", in[0], NULL)', module=torch.nn.BatchNorm2d(2), prefix="bn",
      train=False)
edges("sum_of_squares", (3, 4), (1, 1), lambda x: x.square().sum(1), "nn_sum_of_squares(net, in[0], NN_AXES(1))")

# ---- pieces ---------------------------------------------------------------------------------------------------------------------
edges("split", (2, 3), None, lambda x: torch.split(x, [1, 2], 1), "nn_split(net, in[0], out, (const int[]){1, 2}, 2, 1);")
edges("chunk", (2, 3), None, lambda x: torch.chunk(x, 2, 1), "nn_chunk(net, in[0], out, 2, 1);")
edges("diff", (2, 3), (1, 2), lambda x: torch.diff(x, dim=1), "nn_diff(net, in[0], 1)")
edges("outer", (3,), (1,), lambda a: torch.outer(a, a), "nn_outer(net, in[0], in[0])")
edges("tril", (2, 3), (1, 1), torch.tril, "nn_tril(net, in[0], 0)")
edges("triu", (2, 3), (1, 1), torch.triu, "nn_triu(net, in[0], 0)")
edges("argsort", (2, 4), (1, 1), lambda x: torch.argsort(x, dim=1, stable=True), "nn_argsort(net, in[0], 1, NULL)")
edges("reshape", (2, 3), None, lambda x: x.reshape(6), "nn_reshape(net, in[0], NN_SHAPE(6))")
case("reshape_one", [s(1, 1)], lambda x: x.reshape(1), "nn_reshape(net, in[0], NN_SHAPE(1))")
edges("flatten", (2, 3, 1), (1, 1, 1), lambda x: x.flatten(1), "nn_flatten(net, in[0])")
edges("transpose", (2, 3), (1, 1), lambda x: x.transpose(0, 1), "nn_transpose(net, in[0], 0, 1)")
edges("pixel_unshuffle", (1, 1, 2, 4), (1, 1, 2, 2), lambda x: F.pixel_unshuffle(x, 2), "nn_pixel_unshuffle(net, in[0], 2)")
case("affine_grid_one", [s(1, 2, 3)], lambda theta: F.affine_grid(theta, (1, 1, 1, 1), True), "nn_affine_grid(net, in[0], 1, 1, true)")
case("affine_grid_ties", [literal([1.0] * 6, (1, 2, 3))], lambda theta: F.affine_grid(theta, (1, 1, 2, 2), False),
     "nn_affine_grid(net, in[0], 2, 2, false)")
case("affine_grid_nan", [literal([1.0, NAN, 0.5, 0.25, 1.0, 0.5], (1, 2, 3))], lambda theta: F.affine_grid(theta, (1, 1, 2, 2), True),
     "nn_affine_grid(net, in[0], 2, 2, true)", gradients=False)
edges("scatter_value", (3, 2), (1, 2), lambda x, k: x.scatter(0, k, 0.5), "nn_scatter_value(net, in[0], 0, in[1], 0.5f)",
      rest=[literal([0, 0], (1, 2))])
edges("detach", (2, 3), None, lambda x: x.detach() + x, "nn_add(net, nn_detach(net, in[0]), in[0])")

# ---- tables ---------------------------------------------------------------------------------------------------------------------
for column in COLUMNS:
    rows_of = (1, 1) if column == "one" else (3, 2)
    case("nn_embedding_" + column, [literal([0, 0] if column == "one" else [0, 2, 2])], lambda k, e: F.embedding(k, e),
         'nn_embedding(net, "e", in[0], &(nn_embedding_desc){.num_embeddings = %d, .embedding_dim = %d})' % rows_of,
         parameters={"e.weight": literal(numbers(rows_of, column), rows_of)})
    case("nn_embedding_bag_" + column, [literal([0] if column == "one" else [0, 2, 2, 1], (1, 1) if column == "one" else (2, 2))],
         lambda k, e: F.embedding_bag(k, e, mode="mean"),
         'nn_embedding_bag(net, "e", in[0], &(nn_embedding_bag_desc){.num_embeddings = %d, .embedding_dim = %d})' % rows_of,
         parameters={"e.weight": literal(numbers(rows_of, column), rows_of)})
    if column != "nan":  # PyTorch leaves a NaN out unless it comes first
        case("nn_embedding_bag_max_" + column, [literal([0] if column == "one" else [0, 2, 2, 1], (1, 1) if column == "one" else (2, 2))],
             lambda k, e: F.embedding_bag(k, e, mode="max"),
             'nn_embedding_bag(net, "e", in[0], &(nn_embedding_bag_desc){.num_embeddings = %d, .embedding_dim = %d, .mode = NN_MAX})' % rows_of,
             parameters={"e.weight": literal(numbers(rows_of, column), rows_of)})

# ---- losses of one row with one number; and losses that losses.py does not test with NaN -------------------------------------------
LOSS = "nn_%s(net, in[0], in[1], NULL)"
for name, function, c, target in [
        ("mse_loss", F.mse_loss, "nn_mse_loss(net, in[0], in[1], NULL)", s(1)), ("l1_loss", F.l1_loss, "nn_l1_loss(net, in[0], in[1], NULL)", s(1)),
        ("smooth_l1_loss", F.smooth_l1_loss, LOSS % "smooth_l1_loss", s(1)), ("huber_loss", F.huber_loss, LOSS % "huber_loss", s(1)),
        ("bce_with_logits", F.binary_cross_entropy_with_logits, LOSS % "bce_with_logits", o(1)),
        ("kl_div", lambda x, t: F.kl_div(x, t, reduction="mean"), LOSS % "kl_div", o(1)), ("poisson_nll_loss", F.poisson_nll_loss, LOSS % "poisson_nll_loss", o(1)),
        ("hinge_embedding_loss", F.hinge_embedding_loss, LOSS % "hinge_embedding_loss", literal([1.0], gradient=False))]:
    case(name + "_one", [s(1), target], function, c)
case("bce_loss_one", [o(1), o(1)], F.binary_cross_entropy, LOSS % "bce_loss")
case("gaussian_nll_loss_one", [s(1), s(1), p(1)], F.gaussian_nll_loss, "nn_gaussian_nll_loss(net, in[0], in[1], in[2], NULL)")
case("margin_ranking_loss_one", [s(1), s(1), literal([1.0], gradient=False)], F.margin_ranking_loss, "nn_margin_ranking_loss(net, in[0], in[1], in[2], NULL)")
case("triplet_margin_loss_one", [s(1, 1), s(1, 1), s(1, 1)], F.triplet_margin_loss, "nn_triplet_margin_loss(net, in[0], in[1], in[2], NULL)")
case("triplet_margin_loss_ties", [t(4, 2), t(4, 2), t(4, 2)], F.triplet_margin_loss, "nn_triplet_margin_loss(net, in[0], in[1], in[2], NULL)")
case("triplet_margin_loss_infinite", [literal([INF, 1.0, 0.5, 1.0], (2, 2)), s(2, 2), s(2, 2)], F.triplet_margin_loss,
     "nn_triplet_margin_loss(net, in[0], in[1], in[2], NULL)", gradients=False)
case("cosine_embedding_loss_one", [s(1, 1), s(1, 1), literal([1.0], gradient=False)], F.cosine_embedding_loss,
     "nn_cosine_embedding_loss(net, in[0], in[1], in[2], NULL)", gradients=False)  # the gradients are rounding errors around 0
case("cosine_embedding_loss_infinite", [literal([INF, 1.0, 0.5, 1.0], (2, 2)), s(2, 2), literal([1.0, -1.0], gradient=False)], F.cosine_embedding_loss,
     "nn_cosine_embedding_loss(net, in[0], in[1], in[2], NULL)", gradients=False)
case("cross_entropy_one", [s(1, 1), literal([0])], F.cross_entropy, LOSS % "cross_entropy")
case("nll_loss_one", [s(1, 1), literal([0])], F.nll_loss, LOSS % "nll_loss")
case("multi_margin_loss_one", [s(1, 1), literal([0])], F.multi_margin_loss, LOSS % "multi_margin_loss")
case("multi_margin_loss_infinite", [literal([INF, 1.0, -INF, 1.0], (2, 2)), literal([1, 1])], F.multi_margin_loss, LOSS % "multi_margin_loss")
case("multilabel_margin_loss_one", [s(1, 1), literal([0], (1, 1))], F.multilabel_margin_loss, LOSS % "multilabel_margin_loss")
case("multilabel_margin_loss_infinite", [literal([INF, 1.0, -INF, 1.0], (2, 2)), literal([1, -1, 1, -1], (2, 2))], F.multilabel_margin_loss,
     LOSS % "multilabel_margin_loss")
ADAPTIVE = 'nn_adaptive_log_softmax(net, "a", in[0], &(nn_adaptive_log_softmax_desc){.num_classes = 4, .cutoffs = NN_INTEGERS(2)})'
edges("adaptive_log_softmax", (2, 4), None, None, ADAPTIVE, module=torch.nn.AdaptiveLogSoftmaxWithLoss(4, 4, [2]), prefix="a",
      call=lambda m, x: m.log_prob(x))
for name, c in [("soft_margin_loss", "nn_soft_margin_loss(net, in[0], in[1], &(nn_soft_margin_desc){.reduction = NN_REDUCTION_NONE})"),
                ("multilabel_soft_margin_loss", "nn_multilabel_soft_margin_loss(net, in[0], in[1], &(nn_multilabel_soft_margin_desc){.reduction = NN_REDUCTION_NONE})")]:
    edges(name, (4, 2), (1, 1), lambda x, y, f=getattr(F, name): f(x, y, reduction="none"), c, rest=[lambda own: fixed(b(*own))])
case("bce_loss_infinite", [literal([INF, -INF, 0.5]), literal([0.5, 0.5, INF], gradient=False)],
     lambda x, t: -(t * torch.log(x).clamp(min=-100) + (1 - t) * torch.log1p(-x).clamp(min=-100)),
     "nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_REDUCTION_NONE})", gradients=False)
case("bce_loss_nan", [literal([NAN, 0.5]), literal([0.5, NAN], gradient=False)], lambda x, t: -(t * torch.log(x).clamp(min=-100) + (1 - t) * torch.log1p(-x).clamp(min=-100)),
     "nn_bce_loss(net, in[0], in[1], &(nn_bce_desc){.reduction = NN_REDUCTION_NONE})", gradients=False)
case("ctc_loss_one", [s(1, 1, 2), literal([1], (1, 1)), literal([1]), literal([1])], lambda x, t, a, b: F.ctc_loss(x, t, a, b),
     "nn_ctc_loss(net, in[0], in[1], in[2], in[3], NULL)", gradients=False)
case("ctc_loss_infinite", [literal([-1.0, -INF, -0.5, -0.25, -INF, -2.0, -1.0, -1.0, -INF, -1.0, -INF, -INF], (3, 2, 2)), literal([1, 1], (2, 1)),
                           literal([3, 3]), literal([1, 1])], lambda x, t, a, b: F.ctc_loss(x, t, a, b, reduction="none"),
     "nn_ctc_loss(net, in[0], in[1], in[2], in[3], &(nn_ctc_loss_desc){.reduction = NN_REDUCTION_NONE})", gradients=False)
case("ctc_loss_ties", [literal([-1.0] * 12, (3, 2, 2)), literal([1, 1], (2, 1)), literal([3, 3]), literal([1, 1])],
     lambda x, t, a, b: F.ctc_loss(x, t, a, b, reduction="none"),
     "nn_ctc_loss(net, in[0], in[1], in[2], in[3], &(nn_ctc_loss_desc){.reduction = NN_REDUCTION_NONE})", gradients=False)

# ---- all masked ----------------------------------------------------------------------------------------------------------
# a mean over no label is 0 / 0, and a sum is 0; a row of -infinity has no softmax; a bag of padding alone is zeros
case("all_masked_cross_entropy", [s(3, 4), literal([-100, -100, -100])], F.cross_entropy, "nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.ignore = true, .ignore_index = -100})",
     gradients=False)
case("all_masked_cross_entropy_sum", [s(3, 4), literal([-100, -100, -100])], lambda x, t: F.cross_entropy(x, t, reduction="sum"),
     "nn_cross_entropy(net, in[0], in[1], &(nn_cross_entropy_desc){.reduction = NN_SUM, .ignore = true, "
     ".ignore_index = -100})")
case("all_masked_softmax", [s(2, 3), literal([1.0, 1.0, 1.0, 0.0, 1.0, 0.0], (2, 3), False)],
     lambda x, m: torch.softmax(x.masked_fill(m != 0, -INF), 1), "nn_softmax(net, nn_masked_fill(net, in[0], in[1], -INFINITY))")
case("all_masked_embedding_bag", [literal([1, 1, 0, 2], (2, 2))],
     lambda k, w: F.embedding_bag(k, w, padding_idx=1, mode="mean"),
     'nn_embedding_bag(net, "bag", in[0], &(nn_embedding_bag_desc){.num_embeddings = 3, .embedding_dim = 2, .padding = true, '
     '.padding_idx = 1, .mode = NN_MEAN})', parameters={"bag.weight": s(3, 2)})

write(__file__, sparse=40)
