"""Mappings of operators that read and write elements by their indices."""
import numpy as np
from graph import Unmapped, desc, operator, shape_of
from arranging import counted

REDUCTIONS = {"none": "nn_scatter", "add": "nn_scatter_add"}


@operator("GatherElements")
def gather_elements(n):
    axis = n.axis(0)
    n.same(n.let("nn_gather(net, %s, %d, %s)", n.raw(), axis, counted(n, 1, n.shape()[axis])))


def scatter_name(n):
    reduction = n.attribute("reduction", "none")
    if reduction not in REDUCTIONS:
        raise Unmapped("scatter-" + reduction)
    return REDUCTIONS[reduction]


@operator("ScatterElements", "Scatter")
def scatter_elements(n):
    axis = n.axis(0)
    n.set("%s(net, %s, %d, %s, %s)", scatter_name(n), n.x(), axis, counted(n, 1, n.shape()[axis]), n.x(2))


@operator("ScatterND")
def scatter_nd(n):
    """Describes a scatter of the flat tensor. Each list of indices names a block of elements."""
    shape, index = n.shape(), n.number(1)
    depth = index.shape[-1]
    block = int(np.prod(shape[depth:]))
    place = np.zeros(index.shape[:-1], np.int64)
    for k in range(depth):
        place = place * shape[k] + index[..., k] % shape[k]
    place = (place.reshape(-1, 1) * block + np.arange(block)).ravel().astype(np.int32)
    flat = n.let("nn_reshape(net, %s, %s)", n.x(), shape_of([int(np.prod(shape))]))
    updates = n.let("nn_reshape(net, %s, %s)", n.x(2), shape_of([place.size]))
    c = n.let("%s(net, %s, 0, %s, %s)", scatter_name(n), flat, n.constant(place), updates)
    n.set("nn_reshape(net, %s, %s)", c, shape_of(shape))


@operator("ReverseSequence")
def reverse_sequence(n):
    """Describes a gather that reverses the first elements of each row, as many as the row's length
    says."""
    time, batch = n.attribute("time_axis", 0), n.attribute("batch_axis", 1)
    shape = n.shape()
    place = np.moveaxis(np.arange(shape[time])[:, None] * np.ones(shape[batch], np.int64), 0, 1 if time > batch else 0)
    lengths = n.number(1).reshape([-1, 1] if time > batch else [1, -1])
    place = np.where(place < lengths, lengths - 1 - place, place)
    place = place.reshape([extent if axis in (time, batch) else 1 for axis, extent in enumerate(shape)])
    index = np.ascontiguousarray(np.broadcast_to(place, shape)).astype(np.int32)
    n.same(n.let("nn_gather(net, %s, %d, %s)", n.raw(), time, n.constant(index)))


@operator("TensorScatter")
def tensor_scatter(n):
    """Writes the update of each sample from a start of its own. In mode "circular" it wraps around at the end."""
    axis = n.axis(-2)
    shape = n.shape(1)
    first = n.number(2) if n.has(2) else np.zeros(shape[0], np.int64)
    place = np.arange(shape[axis]).reshape([-1 if k == axis else 1 for k in range(len(shape))])
    place = place + first.reshape([-1] + [1] * (len(shape) - 1))
    if n.attribute("mode", "linear") == "circular":
        place = place % n.shape()[axis]
    index = np.ascontiguousarray(np.broadcast_to(place, shape)).astype(np.int32)
    n.set("nn_scatter(net, %s, %d, %s, %s)", n.x(), axis, n.constant(index), n.x(1))


@operator("OneHot")
def one_hot(n):
    """An index that is out of range is a fault of nn_one_hot, as in PyTorch; ONNX gives it a row without a one, as a
    comparison with all places does."""
    depth = int(np.ravel(n.number(1))[0])
    index = n.operands[0].array
    off, on = (float(number) for number in n.number(2))
    rank = n.rank() + 1
    axis = n.attribute("axis", -1) % rank
    c = counted(n, 0, depth)
    if np.any(index < -depth) or np.any(index >= depth):
        c = n.let("nn_reshape(net, nn_cast(net, %s, NN_F32), %s)", c, shape_of(list(index.shape) + [1]))
        c = n.let("nn_equal(net, %s, %s)", c, n.constant(np.arange(depth, dtype=np.float32)))
    else:
        c = n.let("nn_one_hot(net, %s, %d)", c, depth)
    if axis != rank - 1:
        order = list(range(rank - 1))
        order.insert(axis, rank - 1)
        c = n.let("nn_permute(net, %s, NN_AXES(%s))", c, ", ".join(str(axis) for axis in order))
    if (off, on) != (0, 1):
        c = n.let('nn_expression(net, "x: x ? %.9g : %.9g", %s)', on, off, c)
    n.give(c)


@operator("TopK")
def top_k(n):
    c = n.let("nn_top_k(net, %s, %d, %d, %s)", n.x(), int(np.ravel(n.number(1))[0]), n.axis(-1),
              desc("nn_top_k_desc", smallest=not n.attribute("largest", 1)))
    n.give(c)
    n.give(n.let("nn_output(%s, 1)", c), "i32", k=1)


@operator("MaxUnpool")
def max_unpool(n):
    """ONNX's indices count within the whole tensor, ours within the plane. A given shape that is
    larger than the formula's is filled up at the end, so indices count within the formula's
    plane."""
    kernel = list(n.attribute("kernel_shape"))
    stride = list(n.attribute("strides") or [1] * len(kernel))
    pads = n.attribute("pads") or [0] * (2 * len(kernel))
    if n.rank() != 4 or pads[:2] != pads[2:]:
        raise Unmapped("unpool-shape")
    formula = [(extent - 1) * step - 2 * pad + size for extent, step, pad, size in zip(n.shape()[2:], stride, pads, kernel)]
    outs = n.results[0].shape
    plane = formula[0] * formula[1]
    c = n.let('nn_cast(net, nn_expression(net, "i: remainder(i, %d)", nn_cast(net, %s, NN_F32)), NN_I32)', plane, n.whole(1))
    c = n.let("nn_max_unpool2d(net, %s, %s, %s)", n.x(), c, desc(
        "nn_max_unpool2d_desc", kernel=kernel[0], kernel_w=kernel[1], stride=stride[0], stride_w=stride[1], padding=pads[0],
        padding_w=pads[1] or "NN_NONE"))
    if outs[2:] != formula:
        c = n.let("nn_pad(net, %s, %s)", c, desc("nn_pad_desc", right=outs[3] - formula[1], bottom=outs[2] - formula[0]))
    n.give(c)
