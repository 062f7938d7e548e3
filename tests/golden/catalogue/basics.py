"""Linear layers, products, convolutions, pools, softmax, reductions and moved elements, with
PyTorch's options and corner cases."""
from common import *

# ---- linear and products
case("linear", [s(2, 3, 5)], None, 'nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 4})', module=torch.nn.Linear(5, 4),
     prefix="fc")
case("linear_no_bias", [s(7, 3)], None, 'nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 2, .no_bias = true})',
     module=torch.nn.Linear(3, 2, bias=False), prefix="fc")
case("linear_batch", [s(BATCH(3), TIME(4), 5)], None, 'nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 2})',
     module=torch.nn.Linear(5, 2), prefix="fc")
case("linear_nan", [literal([1.0, NAN, 2.0, INF, 0.0, 1.0], (3, 2))], None,
     'nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 2})', module=torch.nn.Linear(2, 2), prefix="fc")
for name, a, b in [("matmul", (5, 7), (7, 3)), ("matmul_batch", (3, 4, 5), (3, 5, 2)), ("matmul_broadcast", (2, 1, 4, 3), (3, 3, 5)),
                   ("matmul_shared", (2, 3, 4), (4, 5)), ("matmul_row", (4,), (3, 4, 2)), ("matmul_column", (3, 2, 4), (4,)),
                   ("matmul_dot", (6,), (6,))]:
    case(name, [s(*a), s(*b)], torch.matmul, "nn_matmul(net, in[0], in[1], NULL)")
case("matmul_ta_tb", [s(2, 3, 4), s(2, 5, 3)], lambda a, b: a.mT @ b.mT,
     "nn_matmul(net, in[0], in[1], &(nn_matmul_desc){.transpose_a = true, .transpose_b = true})")

# ---- convolution
for name, x_shape, module, c in [
        ("padding", (2, 3, 5, 4), torch.nn.Conv2d(3, 4, 3, padding=1), ".out_channels = 4, .kernel = 3, .padding = 1"),
        ("stride", (2, 2, 7, 8), torch.nn.Conv2d(2, 3, (3, 2), (2, 3), (1, 0)),
         ".out_channels = 3, .kernel = 3, .kernel_w = 2, .stride = 2, .stride_w = 3, .padding = 1, .padding_w = NN_NONE"),
        ("dilation", (1, 2, 8, 7), torch.nn.Conv2d(2, 2, (3, 2), dilation=(2, 3), padding=(2, 1)),
         ".out_channels = 2, .kernel = 3, .kernel_w = 2, .dilation = 2, .dilation_w = 3, .padding = 2, .padding_w = 1"),
        ("groups", (1, 4, 5, 5), torch.nn.Conv2d(4, 6, 3, groups=2), ".out_channels = 6, .kernel = 3, .groups = 2"),
        ("depthwise", (1, 3, 6, 6), torch.nn.Conv2d(3, 3, 3, 2, groups=3), ".out_channels = 3, .kernel = 3, .groups = 3, .stride = 2"),
        ("pointwise", (2, 3, 4, 4), torch.nn.Conv2d(3, 5, 1, bias=False), ".out_channels = 5, .kernel = 1, .no_bias = true"),
        ("whole_image", (2, 2, 4, 3), torch.nn.Conv2d(2, 3, (4, 3)), ".out_channels = 3, .kernel = 4, .kernel_w = 3")]:
    case("conv2d_" + name, [s(*x_shape)], None, 'nn_conv2d(net, "conv", in[0], &(nn_conv2d_desc){%s})' % c, module=module,
         prefix="conv")
case("conv2d_batch", [s(BATCH(2), 2, 4, 4)], None,
     'nn_conv2d(net, "conv", in[0], &(nn_conv2d_desc){.out_channels = 3, .kernel = 3, .padding = 1})',
     module=torch.nn.Conv2d(2, 3, 3, padding=1), prefix="conv")

# ---- pools: other projects had a wrong divisor at the border (onnxruntime 16203, pytorch 183528)
for name, c, options in [("", ".kernel = 2", dict(kernel_size=2)),
                         ("_padding", ".kernel = 3, .stride = 2, .padding = 1", dict(kernel_size=3, stride=2, padding=1)),
                         ("_oblong", ".kernel = 3, .kernel_w = 2, .stride = 1, .stride_w = 2, .padding = 1, .padding_w = NN_NONE",
                          dict(kernel_size=(3, 2), stride=(1, 2), padding=(1, 0))),
                         ("_ceil", ".kernel = 3, .stride = 2, .ceil = true", dict(kernel_size=3, stride=2, ceil_mode=True)),
                         ("_ceil_padding", ".kernel = 3, .stride = 2, .padding = 1, .ceil = true",
                          dict(kernel_size=3, stride=2, padding=1, ceil_mode=True))]:
    case("max_pool2d" + name, [t(1, 2, 7, 6)], lambda x, o=options: F.max_pool2d(x, **o),
         "nn_max_pool2d(net, in[0], &(nn_pool2d_desc){%s})" % c)
    case("avg_pool2d" + name, [s(1, 2, 7, 6)], lambda x, o=options: F.avg_pool2d(x, **o),
         "nn_avg_pool2d(net, in[0], &(nn_pool2d_desc){%s})" % c)
    case("avg_pool2d_inside" + name, [s(1, 2, 7, 6)], lambda x, o=options: F.avg_pool2d(x, count_include_pad=False, **o),
         "nn_avg_pool2d(net, in[0], &(nn_pool2d_desc){%s, .count_only_inside = true})" % c)
case("max_pool2d_nan", [literal([1.0, NAN, -INF, -INF, 2.0, INF, -INF, -INF], (1, 2, 2, 2))],
     lambda x: F.max_pool2d(x, 2, return_indices=True), "nn_max_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2})")
case("global_avg_pool2d", [s(2, 3, 4, 5)], lambda x: F.adaptive_avg_pool2d(x, 1), "nn_global_avg_pool2d(net, in[0])")

# ---- softmax
for name, function, c in [("softmax", torch.softmax, "nn_softmax(net, in[0])"), ("log_softmax", torch.log_softmax,
                                                                             "nn_log_softmax(net, in[0])")]:
    case(name, [s(2, 3, 5)], lambda x, f=function: f(x, -1), c)
    case(name + "_far", [literal([-1e4, 0.0, 1e4, 3.0, 88.0, 89.0, -104.0, 0.0, 1.0], (3, 3))], lambda x, f=function: f(x, -1), c)
    case(name + "_one", [s(4, 1)], lambda x, f=function: f(x, -1), c)
    case(name + "_special", [literal([NAN, 0.0, 1.0, INF, 0.0, 1.0, -INF, 0.0, 1.0, -INF, -INF, -INF], (4, 3))],
         lambda x, f=function: f(x, -1), c)
case("normalize", [s(3, 4)], lambda x: F.normalize(x, dim=1), "nn_normalize(net, in[0], 1)")

# ---- reductions
numbers = [("sum", torch.sum, s), ("mean", torch.mean, s), ("amax", torch.amax, t), ("amin", torch.amin, t),
           ("norm", lambda x, *d: torch.linalg.vector_norm(x, 2, *d), p), ("logsumexp", torch.logsumexp, s),
           ("var", torch.var, s), ("std", torch.std, p), ("sum_of_squares", lambda x, *d: (x * x).sum(*d), s)]
for name, function, kind in numbers:
    case(name + "_axis", [kind(3, 4, 5)], lambda x, f=function: f(x, 1), "nn_%s(net, in[0], NN_AXES(1))" % name)
    case(name + "_axes", [kind(3, 4, 5)], lambda x, f=function: f(x, (0, 2)), "nn_%s(net, in[0], NN_AXES(0, 2))" % name)
    case(name + "_nan", [literal([NAN, 1.0, INF, 1.0, -INF, 2.0, INF, -INF], (4, 2))], lambda x, f=function: f(x, 1),
         "nn_%s(net, in[0], NN_AXES(1))" % name)
case("prod_axis", [p(3, 4)], lambda x: x.prod(1), "nn_prod(net, in[0], NN_AXES(1))")
case("prod_zeros", [literal([0.0, 2.0, 3.0, 0.0, 0.0, 5.0, 1.0, 2.0, 3.0], (3, 3))], lambda x: x.prod(1),
     "nn_prod(net, in[0], NN_AXES(1))")
case("norm_zero", [literal([0.0, 0.0, 3.0, 4.0], (2, 2))], lambda x: torch.linalg.vector_norm(x, 2, 1),
     "nn_norm(net, in[0], NN_AXES(1))")
case("var_population", [s(3, 4)], lambda x: torch.var(x, 1, correction=0), "nn_var(net, in[0], NN_AXES(1), false, 0)")
case("any", [t(4, 3)], lambda x: x.bool().any(1), "nn_any(net, in[0], NN_AXES(1))")
case("all", [t(4, 3)], lambda x: x.bool().all(1), "nn_all(net, in[0], NN_AXES(1))")
case("argmax", [t(4, 5)], lambda x: torch.argmax(x, 1), "nn_argmax(net, in[0], NN_AXES(1))")
case("argmin", [t(4, 5)], lambda x: torch.argmin(x, 1), "nn_argmin(net, in[0], NN_AXES(1))")
case("argmax_nan", [literal([1.0, NAN, 3.0, NAN, -INF, -INF], (2, 3))], lambda x: torch.argmax(x, 1),
     "nn_argmax(net, in[0], NN_AXES(1))")
case("cumsum", [s(3, 4)], lambda x: torch.cumsum(x, 1), "nn_cumsum(net, in[0], 1)")
case("cumsum_first", [s(5, 2)], lambda x: torch.cumsum(x, 0), "nn_cumsum(net, in[0], 0)")

# ---- the same elements in other places
cube = [s(2, 3, 4)]
case("permute", cube, lambda x: x.permute(2, 0, 1), "nn_permute(net, in[0], NN_AXES(2, 0, 1))")
case("transpose", cube, lambda x: x.transpose(0, 2), "nn_transpose(net, in[0], 0, 2)")
case("slice", cube, lambda x: x[:, :, 1:4:2], "nn_slice(net, in[0], &(nn_slice_desc){.axis = 2, .start = 1, .stop = 4, .step = 2})")
case("slice_negative", cube, lambda x: x[:, -2:], "nn_slice(net, in[0], &(nn_slice_desc){.axis = 1, .start = -2})")
case("concat", [s(2, 3), s(2, 1), s(2, 2)], lambda *x: torch.cat(x, 1), "nn_concat(net, NN_NODES(in[0], in[1], in[2]), 1)")
case("stack", [s(2, 3), s(2, 3)], lambda *x: torch.stack(x, 1), "nn_stack(net, NN_NODES(in[0], in[1]), 1)")
case("chunk", [s(4, 6)], lambda x: torch.chunk(x, 3, 1), "nn_chunk(net, in[0], out, 3, 1);")
for mode, ours in [("constant", "NN_PADDING_ZEROS"), ("reflect", "NN_PADDING_REFLECT"), ("replicate", "NN_PADDING_REPLICATE"),
                   ("circular", "NN_PADDING_CIRCULAR")]:
    case("pad_" + mode, [s(1, 2, 3, 4)], lambda x, m=mode: F.pad(x, (2, 1, 1, 2), m),
         "nn_pad(net, in[0], &(nn_pad_desc){.left = 2, .right = 1, .top = 1, .bottom = 2, .mode = %s})" % ours)
case("pad_crops", [s(1, 1, 4, 5)], lambda x: F.pad(x, (-1, 2, 1, -2), value=0.5),
     "nn_pad(net, in[0], &(nn_pad_desc){.left = -1, .right = 2, .top = 1, .bottom = -2, .value = 0.5f})")
case("flip", cube, lambda x: x.flip(0, 2), "nn_flip(net, in[0], NN_AXES(0, 2))")
case("roll", cube, lambda x: x.roll(-2, 1), "nn_roll(net, in[0], -2, 1)")
case("repeat", cube, lambda x: x.repeat(2, 1, 3), "nn_repeat(net, in[0], NN_SHAPE(2, 1, 3))")
case("flatten", cube, lambda x: x.flatten(1), "nn_flatten(net, in[0])")
case("index_select", [s(4, 5, 3), i(5, 7)], lambda x, k: torch.index_select(x, 1, k), "nn_index_select(net, in[0], 1, in[1])")
case("embedding", [i(7, 4, 6)], None, 'nn_embedding(net, "tok", in[0], &(nn_embedding_desc){.num_embeddings = 7, .embedding_dim = 5})',
     module=torch.nn.Embedding(7, 5), prefix="tok")
# padding_idx: the row's gradient is zero, its value is not forced to be (pytorch 1812, 6411, 26302)
case("embedding_padding", [i(4, 12)], lambda k, w: F.embedding(k, w, padding_idx=3),
     'nn_embedding(net, "tok", in[0], &(nn_embedding_desc){.num_embeddings = 4, .embedding_dim = 3, .padding = true, '
     '.padding_idx = -1})', parameters={"tok.weight": s(4, 3)})

write(__file__, sparse=16)
