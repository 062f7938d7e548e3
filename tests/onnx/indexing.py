"""Pieces by their indices, written and read."""
import numpy as np
from graph import Unmapped, c_number, operator, shape_of
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
    """Elements of the flat tensor: each list of indices names a block."""
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


@operator("OneHot")
def one_hot(n):
    """An index that is out of range is a fault here, as in PyTorch; in ONNX it gives a row without a one."""
    depth = int(np.ravel(n.number(1))[0])
    index = n.operands[0].array
    if np.any(index < -depth) or np.any(index >= depth):
        raise Unmapped("one-hot-range")
    off, on = (float(number) for number in n.number(2))
    rank = n.rank() + 1
    axis = n.attribute("axis", -1) % rank
    c = n.let("nn_one_hot(net, %s, %d)", counted(n, 0, depth), depth)
    if axis != rank - 1:
        order = list(range(rank - 1))
        order.insert(axis, rank - 1)
        c = n.let("nn_permute(net, %s, NN_AXES(%s))", c, ", ".join(str(axis) for axis in order))
    if (off, on) != (0, 1):
        c = n.let('nn_expression(net, "x: x ? %.9g : %.9g", %s)', on, off, c)
    n.give(c)
