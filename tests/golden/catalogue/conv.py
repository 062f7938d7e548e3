"""The group conv: convolutions of lines and pictures, transposed ones, their padding, and nn_pad's modes."""
from common import *


def desc(kind, **fields):
    return "&(nn_%s_desc){%s}" % (kind, ", ".join(".%s = %s" % (k, v) for k, v in fields.items()))


def layer(name, call, inputs, function, weight, out, bias=True, **fields):
    parameters = {"c.weight": s(*weight)}
    if bias:
        parameters["c.bias"] = s(out)
    else:
        fields["no_bias"] = "true"
    c = 'nn_%s(net, "c", in[0], %s)' % (call, desc(call, out_channels=out, **fields))
    case(name, inputs, function, c, parameters=parameters)


# One dimension. Names and shapes of torch.nn.Conv1d.
layer("conv1d", "conv1d", [s(2, 3, 9)], F.conv1d, (4, 3, 3), 4, kernel=3)
layer("conv1d_stride", "conv1d", [s(2, 3, 10)], lambda x, w, b: F.conv1d(x, w, b, 2, 1, 2), (4, 3, 3), 4, kernel=3,
      stride=2, padding=1, dilation=2)
layer("conv1d_groups", "conv1d", [s(2, 4, 7)], lambda x, w: F.conv1d(x, w, None, 1, 2, 1, 2), (6, 2, 4), 6, False, kernel=4,
      padding=2, groups=2)
layer("conv1d_depthwise", "conv1d", [s(2, 3, 9)], lambda x, w, b: F.conv1d(x, w, b, 1, 1, 1, 3), (3, 1, 3), 3, kernel=3,
      padding=1, groups=3)
layer("conv1d_same_even", "conv1d", [s(1, 2, 8)], lambda x, w, b: F.conv1d(x, w, b, padding="same"), (3, 2, 4), 3, kernel=4,
      same="true")  # an odd total pads right
layer("conv1d_same_dilated", "conv1d", [s(1, 2, 8)], lambda x, w, b: F.conv1d(x, w, b, padding="same", dilation=3),
      (3, 2, 2), 3, kernel=2, dilation=3, same="true")
layer("conv1d_causal", "conv1d", [s(2, 2, 6)], lambda x, w, b: F.conv1d(F.pad(x, (4, 0)), w, b, dilation=2), (3, 2, 3), 3,
      kernel=3, padding=4, padding_right="NN_NONE", dilation=2)
layer("conv1d_right", "conv1d", [s(2, 2, 6)], lambda x, w, b: F.conv1d(F.pad(x, (0, 3)), w, b, 2), (3, 2, 3), 3,
      kernel=3, padding_right=3, stride=2)
layer("conv1d_time", "conv1d", [s(BATCH(2), 3, TIME(5))], lambda x, w, b: F.conv1d(x, w, b, padding="same"), (2, 3, 3), 2,
      kernel=3, same="true")
for mode in ["reflect", "replicate", "circular"]:
    module = torch.nn.Conv1d(2, 3, 3, padding=2, padding_mode=mode)
    case("conv1d_" + mode, [s(2, 2, 5)], None,
         'nn_conv1d(net, "c", in[0], &(nn_conv1d_desc){.out_channels = 3, .kernel = 3, .padding = 2, .padding_mode = '
         'NN_PADDING_%s})' % mode.upper(), module=module, prefix="c")

# Two dimensions.
layer("conv2d_groups", "conv2d", [s(2, 4, 5, 6)], lambda x, w, b: F.conv2d(x, w, b, (2, 1), (1, 2), (1, 2), 2), (6, 2, 3, 2),
      6, kernel=3, kernel_w=2, stride=2, stride_w=1, padding=1, padding_w=2, dilation=1, dilation_w=2, groups=2)
layer("conv2d_same", "conv2d", [s(2, 2, 5, 6)], lambda x, w, b: F.conv2d(x, w, b, padding="same", dilation=(1, 3)),
      (3, 2, 2, 4), 3, kernel=2, kernel_w=4, dilation=1, dilation_w=3, same="true")
layer("conv2d_one_side", "conv2d", [s(2, 2, 5, 6)], lambda x, w, b: F.conv2d(F.pad(x, (1, 0, 0, 2)), w, b, 2),
      (3, 2, 3, 3), 3, kernel=3, stride=2, padding_w=1, padding_bottom=2, padding_right="NN_NONE")
layer("conv2d_depthwise", "conv2d", [s(2, 5, 6, 9)], lambda x, w, b: F.conv2d(x, w, b, 1, 1, 1, 5), (5, 1, 3, 3), 5,
      kernel=3, padding=1, groups=5)
layer("conv2d_depthwise_stride", "conv2d", [s(2, 3, 7, 19)], lambda x, w, b: F.conv2d(x, w, b, 2, 1, 1, 3), (3, 1, 3, 3), 3,
      kernel=3, padding=1, stride=2, groups=3)
layer("conv2d_depthwise_twice", "conv2d", [s(2, 3, 6, 9)], lambda x, w: F.conv2d(x, w, None, 1, 2, 2, 3), (6, 1, 3, 5), 6,
      False, kernel=3, kernel_w=5, padding=2, dilation=2, groups=3)
for mode in ["reflect", "replicate", "circular"]:
    module = torch.nn.Conv2d(2, 2, (3, 2), padding=(2, 1), padding_mode=mode)
    case("conv2d_" + mode, [s(1, 2, 4, 5)], None,
         'nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 3, .kernel_w = 2, .padding = 2, '
         '.padding_w = 1, .padding_mode = NN_PADDING_%s})' % mode.upper(), module=module, prefix="c")
module = torch.nn.Conv2d(2, 2, 4, padding="same", padding_mode="reflect")
case("conv2d_same_reflect", [s(1, 2, 5, 5)], None,
     'nn_conv2d(net, "c", in[0], &(nn_conv2d_desc){.out_channels = 2, .kernel = 4, .same = true, .padding_mode = '
     'NN_PADDING_REFLECT})', module=module, prefix="c")

# Transposed. output_padding extends one side and adds no zeros; less than max(stride, dilation).
layer("conv_transpose1d", "conv_transpose1d", [s(2, 3, 5)], F.conv_transpose1d, (3, 2, 3), 2, kernel=3)
layer("conv_transpose1d_all", "conv_transpose1d", [s(2, 4, 5)],
      lambda x, w, b: F.conv_transpose1d(x, w, b, 3, 2, 1, 2, 2), (4, 3, 4), 6, kernel=4, stride=3, padding=2,
      output_padding=1, groups=2, dilation=2)
layer("conv_transpose1d_dilation_above_stride", "conv_transpose1d", [s(1, 2, 5)],
      lambda x, w, b: F.conv_transpose1d(x, w, b, 1, 0, 2, 1, 3), (2, 2, 3), 2, kernel=3, dilation=3, output_padding=2)
case("conv_transpose1d_time", [s(BATCH(2), 3, TIME(4))],  # the time is doubled, then halved again
     lambda x, w, v: F.conv1d(F.conv_transpose1d(x, w, None, 2, 1), v, None, 2, 1),
     """nn_node *up = nn_conv_transpose1d(net, "c", in[0], &(nn_conv_transpose1d_desc){.out_channels = 2, .kernel = 4,
        .stride = 2, .padding = 1, .no_bias = true});
        out[0] = nn_conv1d(net, "d", up, &(nn_conv1d_desc){.out_channels = 2, .kernel = 3, .stride = 2, .padding = 1,
        .no_bias = true});""", parameters={"c.weight": s(3, 2, 4), "d.weight": s(2, 2, 3)})
layer("conv_transpose2d", "conv_transpose2d", [s(2, 3, 4, 5)], lambda x, w, b: F.conv_transpose2d(x, w, b, 2, 1), (3, 2, 4, 4),
      2, kernel=4, stride=2, padding=1)
layer("conv_transpose2d_gaps", "conv_transpose2d", [s(2, 2, 3, 4)], lambda x, w, b: F.conv_transpose2d(x, w, b, 3, 0, 2),
      (2, 3, 2, 2), 3, kernel=2, stride=3, output_padding=2)  # positions that no tap reaches hold the bias
layer("mxnet_11203_groups", "conv_transpose2d", [s(1, 4, 3, 3)],
      lambda x, w: F.conv_transpose2d(x, w, None, 2, 1, 1, 4), (4, 1, 3, 3), 4, False, kernel=3, stride=2, padding=1,
      output_padding=1, groups=4)
layer("tvm_19524_groups_and_dilation", "conv_transpose2d", [s(1, 4, 3, 3)],
      lambda x, w, b: F.conv_transpose2d(x, w, b, 2, 1, 1, 2, 2), (4, 3, 3, 3), 6, kernel=3, stride=2, padding=1,
      output_padding=1, groups=2, dilation=2)
layer("pytorch_14272_output_padding", "conv_transpose2d", [s(1, 2, 3, 3)],
      lambda x, w, b: F.conv_transpose2d(x, w, b, 2, 0, (1, 0)), (2, 2, 3, 3), 2, kernel=3, stride=2, output_padding=1,
      output_padding_w="NN_NONE")
layer("ncnn_3337_uneven", "conv_transpose2d", [s(1, 2, 3, 4)],
      lambda x, w, b: F.conv_transpose2d(x, w, b, (2, 3), (0, 1), (1, 2), 1, (1, 2)), (2, 3, 2, 3), 3, kernel=2, kernel_w=3,
      stride=2, stride_w=3, padding_w=1, output_padding=1, output_padding_w=2, dilation_w=2)
case("conv_transpose2d_relu", [s(2, 2, 3, 4)],
     lambda x, w, b: torch.relu(F.conv_transpose2d(x, w, b, 3, 0, 2)),
     'nn_relu(net, nn_conv_transpose2d(net, "c", in[0], &(nn_conv_transpose2d_desc){.out_channels = 3, .kernel = 2, '
     '.stride = 3, .output_padding = 2}))', parameters={"c.weight": s(2, 3, 2, 2), "c.bias": s(3)})
case("conv_transpose2d_sigmoid_no_bias", [s(2, 2, 3, 4)],
     lambda x, w: torch.sigmoid(F.conv_transpose2d(x, w, None, 3)),
     'nn_sigmoid(net, nn_conv_transpose2d(net, "c", in[0], &(nn_conv_transpose2d_desc){.out_channels = 3, .kernel = 2, '
     '.stride = 3, .no_bias = true}))', parameters={"c.weight": s(2, 3, 2, 2)})

# nn_pad. Negative numbers cut; reflect and replicate cut last, circular first.
for name, mode, pads in [("reflect", "reflect", (2, 3, 1, 2)), ("replicate", "replicate", (2, 5, 1, 0)),
                         ("circular", "circular", (4, 1, 0, 3)), ("reflect_cut", "reflect", (-1, 3, 2, -1)),
                         ("replicate_cut", "replicate", (2, -2, -1, 1)), ("circular_cut", "circular", (-2, 2, 1, -1))]:
    case("pad_" + name, [s(2, 2, 3, 4)], lambda x, m=mode, p=pads: F.pad(x, p, m),
         "nn_pad(net, in[0], &(nn_pad_desc){.left = %d, .right = %d, .top = %d, .bottom = %d, .mode = NN_PADDING_%s})"
         % (*pads, mode.upper()))
case("pad_line_reflect", [s(2, 3, 5)], lambda x: F.pad(x, (4, 1), "reflect"),
     "nn_pad(net, in[0], &(nn_pad_desc){.left = 4, .right = 1, .mode = NN_PADDING_REFLECT})")
case("pad_constant_cut", [s(2, 3, 5)], lambda x: F.pad(x, (-1, 2), value=0.5),
     "nn_pad(net, in[0], &(nn_pad_desc){.left = -1, .right = 2, .value = 0.5f})")

# padding modes with a weight that is a node
for mode, ours in [("reflect", "REFLECT"), ("replicate", "REPLICATE"), ("circular", "CIRCULAR")]:
    case("conv2d_with_" + mode, [s(2, 2, 4, 5), s(3, 2, 3, 2), s(3)],
         lambda x, w_, b_, mode=mode: F.conv2d(F.pad(x, (2, 2, 1, 1), mode), w_, b_, stride=(1, 2)),
         "nn_functional_conv2d(net, in[0], in[1], in[2], &(nn_conv2d_desc){.padding = 1, .padding_w = 2, .stride = 1, .stride_w = 2, "
         ".padding_mode = NN_PADDING_%s})" % ours)
write(__file__, sparse=4)
