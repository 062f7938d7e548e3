"""Golden values of volumes: convolutions, pools and padding of (N, C, D, H, W); of computed filters; and of the
random windows of fractional pools, whose random numbers are given."""
from common import *

# ---- convolutions ------------------------------------------------------------------------------------------------------


def conv(name, shape, module, fields, **options):
    case(name, [s(*shape)], None, 'nn_conv3d(net, "c", in[0], &(nn_conv3d_desc){%s})' % fields, module=module, prefix="c", **options)


conv("conv3d", (2, 2, 4, 3, 5), torch.nn.Conv3d(2, 3, 2), ".out_channels = 3, .kernel = 2")
conv("conv3d_sides", (1, 2, 5, 6, 7), torch.nn.Conv3d(2, 2, (3, 2, 1), (2, 1, 3), (1, 0, 0), (1, 2, 1)),
     ".out_channels = 2, .kernel = 3, .kernel_h = 2, .kernel_w = 1, .stride = 2, .stride_h = 1, .stride_w = 3, .padding = 1, "
     ".padding_h = NN_NONE, .padding_w = NN_NONE, .dilation_h = 2, .dilation_w = 1")
conv("conv3d_groups", (2, 4, 3, 3, 3), torch.nn.Conv3d(4, 6, 3, padding=1, groups=2, bias=False),
     ".out_channels = 6, .kernel = 3, .padding = 1, .groups = 2, .no_bias = true")
conv("conv3d_same", (1, 1, 3, 4, 5), torch.nn.Conv3d(1, 2, 2, padding="same"), ".out_channels = 2, .kernel = 2, .same = true")
conv("conv3d_circular", (1, 1, 3, 4, 3), torch.nn.Conv3d(1, 2, 3, padding=1, padding_mode="circular"),
     ".out_channels = 2, .kernel = 3, .padding = 1, .padding_mode = NN_PADDING_CIRCULAR")
conv("conv3d_reflect_same", (1, 1, 3, 4, 3), torch.nn.Conv3d(1, 2, (2, 3, 2), padding="same", padding_mode="reflect"),
     ".out_channels = 2, .kernel = 2, .kernel_h = 3, .kernel_w = 2, .same = true, .padding_mode = NN_PADDING_REFLECT")
case("conv3d_batch", [s(BATCH(3), 1, 2, 3, 3)], None, 'nn_conv3d(net, "c", in[0], &(nn_conv3d_desc){.out_channels = 2, .kernel = 2})',
     module=torch.nn.Conv3d(1, 2, 2), prefix="c")


def transposed(name, shape, module, fields, **options):
    case(name, [s(*shape)], None, 'nn_conv_transpose3d(net, "c", in[0], &(nn_conv_transpose3d_desc){%s})' % fields, module=module,
         prefix="c", **options)


transposed("conv_transpose3d", (2, 2, 2, 3, 2), torch.nn.ConvTranspose3d(2, 3, 2), ".out_channels = 3, .kernel = 2")
transposed("conv_transpose3d_stride", (1, 2, 2, 3, 2), torch.nn.ConvTranspose3d(2, 2, 3, 2, 1, 1),
           ".out_channels = 2, .kernel = 3, .stride = 2, .padding = 1, .output_padding = 1")
transposed("conv_transpose3d_groups", (1, 4, 2, 2, 2), torch.nn.ConvTranspose3d(4, 2, (2, 1, 3), (1, 2, 1), (0, 0, 1), 0, 2, False, (2, 1, 1)),
           ".out_channels = 2, .kernel = 2, .kernel_h = 1, .kernel_w = 3, .stride_h = 2, .stride_w = 1, .padding_w = 1, .groups = 2, "
           ".no_bias = true, .dilation = 2, .dilation_h = 1, .dilation_w = 1")
transposed("conv_transpose3d_nothing", (1, 1, 1, 2, 2), torch.nn.ConvTranspose3d(1, 1, (2, 1, 1), padding=(1, 0, 0), dilation=(2, 1, 1)),
           ".out_channels = 1, .kernel = 2, .kernel_h = 1, .kernel_w = 1, .padding = 1, .padding_h = NN_NONE, .padding_w = NN_NONE, .dilation = 2, .dilation_h = 1, .dilation_w = 1")

# ---- pools -------------------------------------------------------------------------------------------------------------
MAX, AVG = "nn_max_pool3d(net, in[0], &(nn_pool3d_desc){%s})", "nn_avg_pool3d(net, in[0], &(nn_pool3d_desc){%s})"



def largest(name, inputs, function, c):
    """Adds a case with the indices and a case without them. The first is for plans only: a training step has no indices."""
    case(name + "_index", inputs, function, c, train=False)
    case(name, inputs, lambda *x: function(*x)[0], c)


largest("max_pool3d", [d(1, 2, 4, 5, 4)], lambda x: F.max_pool3d(x, 2, return_indices=True), MAX % ".kernel = 2")
largest("max_pool3d_sides", [d(1, 1, 6, 5, 7)],
     lambda x: F.max_pool3d(x, (3, 2, 3), (2, 1, 2), (1, 1, 0), (1, 2, 2), ceil_mode=True, return_indices=True),
     MAX % (".kernel = 3, .kernel_h = 2, .kernel_w = 3, .stride = 2, .stride_h = 1, .stride_w = 2, .padding = 1, .padding_w = NN_NONE, "
            ".dilation_h = 2, .dilation_w = 2, .ceil = true"))
largest("max_pool3d_ties", [t(1, 2, 4, 4, 4)], lambda x: F.max_pool3d(x, 2, return_indices=True), MAX % ".kernel = 2")
case("avg_pool3d", [s(1, 2, 4, 5, 4)], lambda x: F.avg_pool3d(x, 2), AVG % ".kernel = 2")
case("avg_pool3d_sides", [s(1, 1, 6, 5, 7)], lambda x: F.avg_pool3d(x, (3, 2, 3), (2, 1, 2), (1, 1, 0), ceil_mode=True),
     AVG % ".kernel = 3, .kernel_h = 2, .kernel_w = 3, .stride = 2, .stride_h = 1, .stride_w = 2, .padding = 1, .padding_w = NN_NONE, .ceil = true")
case("avg_pool3d_inside", [s(1, 1, 4, 5, 6)], lambda x: F.avg_pool3d(x, 3, 2, 1, True, False),
     AVG % ".kernel = 3, .stride = 2, .padding = 1, .ceil = true, .count_only_inside = true")
case("avg_pool3d_divisor", [s(1, 1, 4, 5, 6)], lambda x: F.avg_pool3d(x, 2, 1, 1, divisor_override=3),
     AVG % ".kernel = 2, .stride = 1, .padding = 1, .divisor = 3")
case("avg_pool3d_batch", [s(BATCH(2), 2, 2, 2, 2)], lambda x: F.avg_pool3d(x, 2), AVG % ".kernel = 2")
case("lp_pool3d", [p(1, 2, 4, 4, 4)], lambda x: F.lp_pool3d(x, 3.0, (2, 3, 2), 2, True),
     "nn_lp_pool3d(net, in[0], 3.0f, &(nn_pool3d_desc){.kernel = 2, .kernel_h = 3, .kernel_w = 2, .stride = 2, .ceil = true})")
case("adaptive_avg_pool3d", [s(1, 2, 5, 4, 7)], lambda x: F.adaptive_avg_pool3d(x, (3, 2, None)),
     "nn_adaptive_avg_pool3d(net, in[0], 3, 2, NN_NONE)")
largest("adaptive_max_pool3d", [d(1, 2, 5, 4, 6)], lambda x: F.adaptive_max_pool3d(x, (3, 4, 2), return_indices=True),
     "nn_adaptive_max_pool3d(net, in[0], 3, 4, 2)")


def unpooled(x):
    y, at = F.max_pool3d(x, 2, return_indices=True)
    return F.max_unpool3d(y, at, 2, output_size=x.shape[2:])


case("max_unpool3d", [d(2, 1, 4, 5, 4)], unpooled,
     """nn_node *y = nn_max_pool3d(net, in[0], &(nn_pool3d_desc){.kernel = 2});
     out[0] = nn_max_unpool3d(net, y, nn_output(y, 1), &(nn_max_unpool3d_desc){.kernel = 2, .out_h = 5});""")

# ---- random windows, with given random numbers: width and height; depth, height and width -------------------------------
case("fractional_max_pool2d", [d(2, 2, 7, 6), fixed(o(2, 2, 2))], lambda x, u: F.fractional_max_pool2d(x, 2, (4, 3), _random_samples=u),
     "nn_fractional_max_pool2d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .out_h = 4, .out_w = 3, .samples = in[1]})")
case("fractional_max_pool2d_index", [d(2, 2, 9, 8), fixed(o(2, 2, 2))],
     lambda x, u: F.fractional_max_pool2d(x, (3, 2), output_ratio=(0.6, 0.6), _random_samples=u, return_indices=True),
     "nn_fractional_max_pool2d(net, in[0], &(nn_fractional_pool_desc){.kernel = 3, .kernel_w = 2, .ratio = 0.6f, .samples = in[1]})",
     train=False)
case("fractional_max_pool3d", [d(1, 2, 5, 4, 6), fixed(o(1, 2, 3))], lambda x, u: F.fractional_max_pool3d(x, 2, (3, 2, 4), _random_samples=u),
     "nn_fractional_max_pool3d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .out_d = 3, .out_h = 2, .out_w = 4, .samples = in[1]})")
case("fractional_max_pool3d_index", [d(1, 1, 5, 7, 7), fixed(o(1, 1, 3))],
     lambda x, u: F.fractional_max_pool3d(x, (2, 3, 1), (1, 4, 5), _random_samples=u, return_indices=True),
     "nn_fractional_max_pool3d(net, in[0], &(nn_fractional_pool_desc){.kernel = 2, .kernel_h = 3, .kernel_w = 1, .out_d = 1, .out_h = 4, "
     ".out_w = 5, .samples = in[1]})", train=False)

# ---- padding of the depth ------------------------------------------------------------------------------------------------
SIDES = ".front = 1, .back = 2, .top = 1, .bottom = 0, .left = 2, .right = 1"
PAD = "nn_pad(net, in[0], &(nn_pad_desc){%s})"
for mode in ["reflect", "replicate", "circular"]:
    case("pad3d_" + mode, [s(1, 1, 3, 2, 3)], lambda x, m=mode: F.pad(x, (2, 1, 1, 0, 1, 2), m), PAD % (SIDES + ", .mode = NN_PADDING_" + mode.upper()))
case("pad3d", [s(1, 1, 3, 2, 3)], lambda x: F.pad(x, (2, 1, 1, 0, 1, 2), value=0.5), PAD % (SIDES + ", .value = 0.5f"))
case("pad3d_cut", [s(1, 4, 3, 3)], lambda x: F.pad(x, (0, 0, 1, -1, -2, 1)), PAD % ".top = 1, .bottom = -1, .front = -2, .back = 1")

# ---- computed filters ------------------------------------------------------------------------------------------------------


def standardised(x, w, bias):
    """Weight standardisation (Qiao et al., 2019) of a convolution."""
    flat = w.flatten(1)
    flat = (flat - flat.mean(1, keepdim=True)) / torch.sqrt(flat.var(1, correction=0, keepdim=True) + 1e-5)
    return F.conv2d(x, flat.view_as(w), bias, padding=1)


case("weight_standardised_conv2d", [s(2, 3, 4, 5)], standardised,
     """
     nn_node *w = nn_parameter(net, "w", NN_SHAPE(4, 3, 3, 3), -1.0f, 1.0f);
     nn_node *bias = nn_parameter(net, "b", NN_SHAPE(4), -1.0f, 1.0f);
     nn_node *flat = nn_reshape(net, w, NN_SHAPE(4, 27));
     flat = nn_layer_norm(net, "ws", flat, &(nn_layer_norm_desc){.no_affine = true});
     out[0] = nn_functional_conv2d(net, in[0], nn_reshape(net, flat, NN_SHAPE(4, 3, 3, 3)), bias, &(nn_conv2d_desc){.padding = 1});
     """, parameters={"w": s(4, 3, 3, 3), "b": s(4)})
case("conv2d_with", [s(2, 4, 4, 5), s(6, 2, 3, 2), s(6)], lambda x, w, b: F.conv2d(x, w, b, (2, 1), (1, 0), (1, 2), 2),
     "nn_functional_conv2d(net, in[0], in[1], in[2], &(nn_conv2d_desc){.stride = 2, .stride_w = 1, .padding = 1, .padding_w = NN_NONE, "
     ".dilation_w = 2, .groups = 2})")
case("conv2d_with_nothing", [s(1, 1, 3, 3), s(1, 1, 2, 2)], F.conv2d, "nn_functional_conv2d(net, in[0], in[1], NULL, NULL)")
case("conv_transpose2d_with", [s(1, 4, 3, 2), s(4, 2, 2, 3), s(4)], lambda x, w, b: F.conv_transpose2d(x, w, b, 2, (0, 1), 1, 2),
     "nn_functional_conv_transpose2d(net, in[0], in[1], in[2], &(nn_conv_transpose2d_desc){.stride = 2, .padding_w = 1, .output_padding = 1, "
     ".groups = 2})")

# ---- pieces: uneven chunks, repeat and expand with new axes --------------------------------------------------------------------------
case("chunk_uneven", [s(2, 7)], lambda x: torch.chunk(x, 3, 1),
     "nn_node *parts[3]; nn_chunk(net, in[0], parts, 3, 1); for (int i = 0; i < 3; i++) out[i] = parts[i];")
case("repeat_new_axes", [s(2, 3)], lambda x: x.repeat(2, 1, 2, 3), "nn_repeat(net, in[0], NN_SHAPE(2, 1, 2, 3))")
case("expand", [s(2, 1, 3)], lambda x: x.expand(2, 4, 3), "nn_expand(net, in[0], NN_SHAPE(0, 4, 0))")
case("expand_new_axes", [s(3, 1)], lambda x: x.expand(2, 4, -1, 5), "nn_expand(net, in[0], NN_SHAPE(2, 4, 0, 5))")
case("expand_batch", [s(BATCH(3), 1, 2)], lambda x: x.expand(-1, 4, -1), "nn_expand(net, in[0], NN_SHAPE(NN_BATCH, 4, 0))")

write(__file__, sparse=24)
