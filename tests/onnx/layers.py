"""Layers: convolutions, pools, norms."""
import numpy as np
from graph import Unmapped, axes, c_number, desc, operator, shape_of
from arranging import cut, padded


def zero(number):
    """A field of which 0 stands for another field."""
    return number if number else "NN_NONE"


LETTERS = {1: [""], 2: ["", "_w"], 3: ["", "_h", "_w"]}  # of the fields of lines, pictures and volumes


def sides(name, numbers):
    """The fields of a desc that say one number for each axis; behind the first, 0 stands for the one before."""
    letters = LETTERS[len(numbers)]
    return {name + letter: zero(number) if letter else number or None for letter, number in zip(letters, numbers)}


def spatial(n, attribute, default):
    return list(n.attribute(attribute) or [default] * (n.rank() - 2))


def pads_of(n, kernel, stride, dilation, upwards=False):
    """(before, after) of each axis, auto_pad worked out."""
    count = len(kernel)
    auto = n.attribute("auto_pad", "NOTSET")
    if auto in ("NOTSET", ""):
        pads = n.attribute("pads") or [0] * (2 * count)
        return list(zip(pads[:count], pads[count:]))
    if auto == "VALID":
        return [(0, 0)] * count
    found = []
    for i in range(count):
        extent = n.shape()[2 + i]
        out = -(-extent // stride[i])
        total = max((out - 1) * stride[i] + dilation[i] * (kernel[i] - 1) + 1 - extent, 0)
        small = total // 2
        found.append((small, total - small) if auto == "SAME_UPPER" else (total - small, small))
    return found


@operator("Conv")
def conv(n):
    count = n.rank() - 2
    if count not in (1, 2):
        raise Unmapped("3d")
    weight = n.operands[1]
    if not (weight.known or weight.given):
        raise Unmapped("computed:Conv")
    kernel = weight.shape[2:]
    stride, dilation = spatial(n, "strides", 1), spatial(n, "dilations", 1)
    pads = pads_of(n, kernel, stride, dilation)
    name = n.mapping.layer()
    n.mapping.parameter(name + ".weight", weight.array)
    if n.has(2):
        n.mapping.parameter(name + ".bias", n.number(2))
    fields = dict(out_channels=weight.shape[0], groups=n.attribute("group", 1), no_bias=not n.has(2),
                  **sides("kernel", kernel), **sides("stride", stride), **sides("dilation", dilation),
                  **sides("padding", [before for before, _ in pads]), padding_right=zero(pads[-1][1]))
    if count == 2:
        fields.update(padding_bottom=zero(pads[0][1]))
    n.set('nn_conv%dd(net, "%s", %s, %s)', count, name, n.x(), desc("nn_conv%dd_desc" % count, **fields))


@operator("ConvTranspose")
def conv_transpose(n):
    count = n.rank() - 2
    weight = n.number(1)
    kernel = weight.shape[2:]
    stride, dilation = spatial(n, "strides", 1), spatial(n, "dilations", 1)
    output = spatial(n, "output_padding", 0)
    wanted = n.results[0].shape[2:]
    given = n.attribute("pads") or [0] * (2 * count)
    auto = n.attribute("auto_pad", "NOTSET")
    name = n.mapping.layer()
    n.mapping.parameter(name + ".weight", weight)
    if n.has(2):
        n.mapping.parameter(name + ".bias", n.number(2))
    group = n.attribute("group", 1)
    fields = dict(out_channels=weight.shape[1] * group, groups=group, no_bias=not n.has(2), **sides("kernel", kernel),
                  **sides("stride", stride), **sides("dilation", dilation), **sides("output_padding", output))
    before, after, whole = [], [], []
    for i in range(count):
        whole.append((n.shape()[2 + i] - 1) * stride[i] + dilation[i] * (kernel[i] - 1) + 1 + output[i])
        total = whole[i] - wanted[i]  # what is cut off; less than 0: zeros are added
        if total < 0:
            before.append(0)
        elif auto in ("SAME_UPPER", "SAME_LOWER") or n.attribute("output_shape"):
            before.append(total // 2 if auto != "SAME_LOWER" else total - total // 2)
        else:
            before.append(given[i])
        after.append(total - before[i])
    if before == after and min(before) >= 0:  # as PyTorch has it; else the whole is cut
        fields.update(sides("padding", before))
    c = n.let('nn_conv_transpose%dd(net, "%s", %s, %s)', count, name, n.x(), desc("nn_conv_transpose%dd_desc" % count, **fields))
    if before != after or min(before) < 0:
        c = padded(n, c, n.rank(), [0, 0] + [-cut for cut in before], [0, 0] + [-cut for cut in after])
    n.give(c)


@operator("Col2Im")
def col2im(n):
    """torch.nn.Fold: a transposed convolution whose kernel has a one for each place of a block."""
    image, block = n.numbers(1), n.numbers(2)
    count = len(image)
    stride, dilation = (list(n.attribute(name) or [1] * count) for name in ("strides", "dilations"))
    pads = n.attribute("pads") or [0] * (2 * count)
    batch, rows, places = n.shape()
    size = int(np.prod(block))
    counts = [(image[i] + pads[i] + pads[count + i] - dilation[i] * (block[i] - 1) - 1) // stride[i] + 1 for i in range(count)]
    if np.prod(counts) != places or pads[:count] != pads[count:]:
        raise Unmapped("fold")
    name = n.mapping.layer()
    ones = np.tile(np.eye(size, dtype=np.float32).reshape(size, 1, *block), [rows // size, 1] + [1] * count)
    n.mapping.parameter(name + ".weight", ones)
    whole = [(counts[i] - 1) * stride[i] + dilation[i] * (block[i] - 1) + 1 - 2 * pads[i] for i in range(count)]
    c = n.let("nn_reshape(net, %s, %s)", n.x(), shape_of([batch, rows] + counts))
    n.set('nn_conv_transpose%dd(net, "%s", %s, %s)', count, name, c, desc(
        "nn_conv_transpose%dd_desc" % count, out_channels=rows // size, groups=rows // size, no_bias=True,
        **sides("kernel", block), **sides("stride", stride), **sides("dilation", dilation),
        **sides("padding", pads[:count]), **sides("output_padding", [to - has for to, has in zip(image, whole)])))


@operator("MaxPool", "AveragePool", "GlobalMaxPool", "GlobalAveragePool")
def pool(n):
    count = n.rank() - 2
    if n.type.startswith("Global"):
        over = axes(range(2, n.rank()))
        if count == 2:
            n.set("nn_global_%s_pool2d(net, %s)", "max" if n.type == "GlobalMaxPool" else "avg", n.x())
        else:
            n.set("nn_%s(net, %s, %s, true)", "amax" if n.type == "GlobalMaxPool" else "mean", n.x(), over)
        return
    kernel, dilation = spatial(n, "kernel_shape", 1), spatial(n, "dilations", 1)
    stride = spatial(n, "strides", 1)
    largest = n.type == "MaxPool"
    if max(dilation) > 1 and not largest:
        raise Unmapped("dilated")
    pads = pads_of(n, kernel, stride, dilation)
    fields = dict(ceil=bool(n.attribute("ceil_mode", 0)), **sides("kernel", kernel), **sides("stride", stride))
    if max(dilation) > 1:
        fields.update(sides("dilation", dilation))
    inside = n.type == "AveragePool" and not n.attribute("count_include_pad", 0)
    even = all(before == after and before <= size // 2 for (before, after), size in zip(pads, kernel))
    c = n.x()
    name = "nn_%s_pool%dd" % ("max" if largest else "avg", count)
    kind = "nn_pool%dd_desc" % count
    if even:
        fields.update(sides("padding", [before for before, _ in pads]), count_only_inside=inside)
        c = n.let("%s(net, %s, %s)", name, c, desc(kind, **fields))
        n.give(c)
        if largest and n.wants(1):
            indices(n, c, n.shape())
        return
    before = [0, 0] + [pad[0] for pad in pads]
    after = [0, 0] + [pad[1] for pad in pads]
    c = padded(n, c, n.rank(), before, after, -np.inf if largest else 0.0)
    c = n.let("%s(net, %s, %s)", name, c, desc(kind, **fields))
    if largest and n.wants(1):
        raise Unmapped("padded-indices")
    if inside:  # the share of a window that is no padding
        ones = n.constant(np.ones(n.shape(), np.float32))
        share = padded(n, ones, n.rank(), before, after)
        c = n.let("nn_divide(net, %s, %s(net, %s, %s))", c, name, share, desc(kind, **fields))
    n.give(c)


def indices(n, pooled, shape):
    """Ours count in the plane, ONNX's in the whole tensor."""
    planes = int(np.prod(shape[:2]))
    size = int(np.prod(shape[2:]))
    first = np.arange(planes, dtype=np.float32).reshape(shape[:2] + [1] * (len(shape) - 2)) * size
    c = n.let("nn_cast(net, nn_output(%s, 1), NN_F32)", pooled)
    if n.attribute("storage_order", 0):
        height, width = shape[2:]
        c = n.let('nn_expression(net, "i: remainder(i, %d) * %d + floor(i / %d)", %s)', width, height, width, c)
    n.set("nn_add(net, %s, %s)", c, n.constant(first), k=1)


@operator("LpPool")
def lp_pool(n):
    """ONNX takes the absolute values, PyTorch and ours do not: nn_abs comes first. Padding are zeros, which add nothing."""
    count = n.rank() - 2
    kernel, dilation = spatial(n, "kernel_shape", 1), spatial(n, "dilations", 1)
    stride = spatial(n, "strides", 1)
    if max(dilation) > 1:
        raise Unmapped("dilated")
    pads = pads_of(n, kernel, stride, dilation)
    fields = dict(ceil=bool(n.attribute("ceil_mode", 0)), **sides("kernel", kernel), **sides("stride", stride))
    c = n.let("nn_abs(net, %s)", n.x())
    if any(before or after for before, after in pads):
        c = padded(n, c, n.rank(), [0, 0] + [pad[0] for pad in pads], [0, 0] + [pad[1] for pad in pads])
    n.set("nn_lp_pool%dd(net, %s, %s, %s)", count, c, c_number(n.attribute("p", 2)), desc("nn_pool%dd_desc" % count, **fields))


@operator("LRN")
def lrn(n):
    n.set("nn_local_response_norm(net, %s, %s)", n.x(), desc(
        "nn_local_response_norm_desc", size=n.attribute("size"), alpha=c_number(n.attribute("alpha", 1e-4)),
        beta=c_number(n.attribute("beta", 0.75)), k=c_number(n.attribute("bias", 1.0))))


def affine(n, name, weight, bias):
    n.mapping.parameter(name + ".weight", n.number(weight))
    if bias is not None:
        n.mapping.parameter(name + ".bias", n.number(bias))


@operator("BatchNormalization")
def batch_norm(n):
    name = n.mapping.layer()
    affine(n, name, 1, 2)
    if n.attribute("training_mode", 0):
        batch_norm_training(n, name)
        return
    n.mapping.parameter(name + ".running_mean", n.number(3))
    n.mapping.parameter(name + ".running_var", n.number(4))
    c = n.x()
    flat = n.rank() not in (2, 3, 4)
    if flat:
        shape = n.shape()
        c = n.let("nn_reshape(net, %s, %s)", c, shape_of(shape[:2] + [int(np.prod(shape[2:]))]))
    c = n.let('nn_batch_norm%dd(net, "%s", %s, %s)', 2 if n.rank() == 4 else 1, name, c,
              desc("nn_batch_norm_desc", epsilon=c_number(n.attribute("epsilon", 1e-5))))
    n.give(n.let("nn_reshape(net, %s, %s)", c, shape_of(n.shape())) if flat else c)


def batch_norm_training(n, name):
    """The statistics of the batch. ONNX's running variance takes the one divided by the count, PyTorch's and ours that
    divided by the count less one: here it is made of our output 2, 1 / sqrt(variance + epsilon)."""
    epsilon, momentum = n.attribute("epsilon", 1e-5), n.attribute("momentum", 0.9)
    c = n.let('nn_batch_norm%dd(net, "%s", %s, %s)', 2 if n.rank() == 4 else 1, name, n.x(),
              desc("nn_batch_norm_desc", epsilon=c_number(epsilon), no_running_stats=True))
    n.give(c)
    for k, text in ((1, "new"), (2, "1 / (new * new) - %.9g" % epsilon)):
        if n.wants(k):
            new = n.let("nn_reshape(net, nn_output(%s, %d), %s)", c, k, shape_of(n.shape(1)))
            n.set('nn_expression(net, "old, new: old * %.9g + (%s) * %.9g", %s, %s)', momentum, text, 1 - momentum,
                  n.x(2 + k), new, k=k)


@operator("InstanceNormalization")
def instance_norm(n):
    name = n.mapping.layer()
    affine(n, name, 1, 2)
    n.set('nn_instance_norm(net, "%s", %s, %s)', name, n.x(),
          desc("nn_instance_norm_desc", epsilon=c_number(n.attribute("epsilon", 1e-5)), affine=True))


@operator("GroupNormalization")
def group_norm(n):
    name = n.mapping.layer()
    affine(n, name, 1, 2)
    n.set('nn_group_norm(net, "%s", %s, %s)', name, n.x(), desc(
        "nn_group_norm_desc", num_groups=n.attribute("num_groups"), epsilon=c_number(n.attribute("epsilon", 1e-5))))


@operator("LayerNormalization", "RMSNormalization")
def layer_norm(n):
    rms = n.type == "RMSNormalization"
    axis = n.axis(-1)
    name = n.mapping.layer()
    shape = n.shape()[axis:]
    n.mapping.parameter(name + ".weight", np.broadcast_to(n.number(1), shape))
    if n.has(2):
        n.mapping.parameter(name + ".bias", np.broadcast_to(n.number(2), shape))
    fields = dict(normalized_shape=shape_of(shape), epsilon=c_number(n.attribute("epsilon", 1e-5)))
    if rms:
        n.set('nn_rms_norm(net, "%s", %s, %s)', name, n.x(), desc("nn_rms_norm_desc", **fields))
        return
    c = n.let('nn_layer_norm(net, "%s", %s, %s)', name, n.x(), desc("nn_layer_norm_desc", no_bias=not n.has(2), **fields))
    n.give(c)
    for k in (1, 2):
        if n.wants(k):
            n.set("nn_reshape(net, nn_output(%s, %d), %s)", c, k, shape_of(n.results[k].shape), k=k)
