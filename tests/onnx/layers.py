"""Layers: convolutions, pools, norms."""
import numpy as np
from graph import Unmapped, axes, c_number, desc, operator, shape_of
from arranging import cut, padded


def zero(number):
    """Returns a field whose value 0 would stand for another field."""
    return number if number else "NN_NONE"


LETTERS = {1: [""], 2: ["", "_w"], 3: ["", "_h", "_w"]}  # suffixes for lines, images, volumes


def sides(name, numbers):
    """Returns the fields of a desc with one number for each axis. In all but the first, 0 stands
    for the one before."""
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
    n.give(convolved(n, n.x(), n.number(1), n.number(2) if n.has(2) else None))


@operator("ConvInteger")
def conv_integer(n):
    c = n.let("nn_subtract(net, %s, %s)", n.x(), n.x(2)) if n.has(2) else n.x()
    weight = n.number(1).astype(np.float32)
    n.give(convolved(n, c, weight - filters(n.number(3)) if n.has(3) else weight))


@operator("QLinearConv")
def qlinear_conv(n):
    """Operands: x, its scale and zero point, the weight with its own, and the scale and zero point
    of y."""
    if n.has(8):
        raise Unmapped("op:QLinearConv")
    c = convolved(n, n.let("nn_subtract(net, %s, %s)", n.x(0), n.x(2)), n.number(3).astype(np.float32) - filters(n.number(5)))
    scale = n.constant((n.number(1) * filters(n.number(4)) / n.number(6)).astype(np.float32).reshape([1, -1] + [1] * (n.rank() - 2)))
    requantized(n, c, scale, n.x(7))


def filters(numbers):
    """Returns the scales or zero points of the filters: one for all, or one for each."""
    numbers = np.asarray(numbers).astype(np.float32)
    return numbers.reshape(-1, 1, 1, 1) if numbers.size > 1 else numbers.reshape(())


def requantized(n, c, scale, zero):
    low, high = np.iinfo(n.results[0].array.dtype).min, np.iinfo(n.results[0].array.dtype).max
    n.set('nn_expression(net, "x, s, z: clamp(round(x * s) + z, %d, %d)", %s, %s, %s)', low, high, c, scale, zero)


def convolved(n, c, weight, bias=None):
    count = n.rank() - 2
    if count not in (1, 2):
        raise Unmapped("3d")
    kernel = list(weight.shape[2:])
    stride, dilation = spatial(n, "strides", 1), spatial(n, "dilations", 1)
    pads = pads_of(n, kernel, stride, dilation)
    name = n.mapping.layer()
    n.mapping.parameter(name + ".weight", weight)
    if bias is not None:
        n.mapping.parameter(name + ".bias", bias)
    fields = dict(out_channels=weight.shape[0], groups=n.attribute("group", 1), no_bias=bias is None,
                  **sides("kernel", kernel), **sides("stride", stride), **sides("dilation", dilation),
                  **sides("padding", [before for before, _ in pads]), padding_right=zero(pads[-1][1]))
    if count == 2:
        fields.update(padding_bottom=zero(pads[0][1]))
    return n.let('nn_conv%dd(net, "%s", %s, %s)', count, name, c, desc("nn_conv%dd_desc" % count, **fields))


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


def window_sums(n, c, kernel, stride, dilation, pads):
    """Sums over dilated windows, which our averages and powers do not have, are convolutions with
    ones. A volume needs one over its images and one over its depth."""
    batch, channels, extents, outs = n.shape()[0], n.shape()[1], n.shape()[2:], n.results[0].shape[2:]
    if len(kernel) == 1:
        raise Unmapped("dilated")
    before = [pad[0] for pad in pads]
    after = [max((out - 1) * s + d * (k - 1) + 1 - extent - pad, 0)
             for out, s, d, k, extent, pad in zip(outs, stride, dilation, kernel, extents, before)]
    c = padded(n, c, n.rank(), [0, 0] + before, [0, 0] + after)
    extents = [before[i] + extents[i] + after[i] for i in range(len(extents))]

    def ones(c, planes, picture, kernel, stride, dilation):
        name = n.mapping.layer()
        n.mapping.parameter(name + ".weight", np.ones([planes, 1] + kernel, np.float32))
        c = n.let("nn_reshape(net, %s, %s)", c, shape_of([batch, planes] + picture))
        return n.let('nn_conv2d(net, "%s", %s, %s)', name, c, desc(
            "nn_conv2d_desc", out_channels=planes, groups=planes, no_bias=True, **sides("kernel", kernel),
            **sides("stride", stride), **sides("dilation", dilation)))
    c = ones(c, channels * int(np.prod(extents[:-2])), extents[-2:], list(kernel[-2:]), stride[-2:], dilation[-2:])
    if len(kernel) == 3:
        c = ones(c, channels, [extents[0], outs[1] * outs[2]], [kernel[0], 1], [stride[0], 1], [dilation[0], 1])
    return n.let("nn_reshape(net, %s, %s)", c, shape_of(n.results[0].shape))


def window_counts(n, kernel, stride, dilation, pads, padding):
    """Returns how many places of each window are inside, or in the padding that was asked for."""
    counts = np.ones([1, 1] + [1] * len(kernel), np.float32)
    for i, out in enumerate(n.results[0].shape[2:]):
        place = np.arange(out)[:, None] * stride[i] - pads[i][0] + np.arange(kernel[i])[None, :] * dilation[i]
        low, high = (-pads[i][0], pads[i][1]) if padding else (0, 0)
        inside = np.sum((place >= low) & (place < n.shape()[2 + i] + high), axis=1)
        counts = counts * inside.reshape([out if k == 2 + i else 1 for k in range(2 + len(kernel))])
    return n.constant(counts.astype(np.float32))


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
    pads = pads_of(n, kernel, stride, dilation)
    if max(dilation) > 1 and not largest:
        windows = (kernel, stride, dilation, pads)
        n.set("nn_divide(net, %s, %s)", window_sums(n, n.x(), *windows),
              window_counts(n, *windows, n.attribute("count_include_pad", 0)))
        return
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
    if inside:  # the fraction of a window that is not padding
        ones = n.constant(np.ones(n.shape(), np.float32))
        share = padded(n, ones, n.rank(), before, after)
        c = n.let("nn_divide(net, %s, %s(net, %s, %s))", c, name, share, desc(kind, **fields))
    n.give(c)


def indices(n, pooled, shape):
    """Our indices count within the plane, ONNX's within the whole tensor."""
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
    """ONNX takes the absolute values, PyTorch and ours do not: nn_abs comes first. Padding is zeros, which add nothing."""
    count = n.rank() - 2
    kernel, dilation = spatial(n, "kernel_shape", 1), spatial(n, "dilations", 1)
    stride = spatial(n, "strides", 1)
    pads = pads_of(n, kernel, stride, dilation)
    if max(dilation) > 1:
        power = n.attribute("p", 2)
        c = n.let('nn_expression(net, "x: pow(abs(x), %.9g)", %s)', power, n.x())
        n.set('nn_expression(net, "x: pow(x, %.9g)", %s)', 1 / power, window_sums(n, c, kernel, stride, dilation, pads))
        return
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
    """Computes the statistics of the batch. ONNX's running variance follows the variance divided by the count, PyTorch's and ours
    the one divided by the count less one, so it is computed here from our output 2, 1 / sqrt(variance + epsilon)."""
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
