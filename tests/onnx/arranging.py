"""Mappings of operators that move numbers: reshapes, slices, joins, pads, gathers."""
import numpy as np
from graph import Unmapped, axes, c_number, desc, operator, shape_of


@operator("Reshape", "Flatten", "Squeeze", "Unsqueeze")
def reshape(n):
    n.same(n.let("nn_reshape(net, %s, %s)", n.raw(), shape_of(n.results[0].shape)))


@operator("Transpose")
def transpose(n):
    order = n.attribute("perm") or list(range(n.rank()))[::-1]
    n.same(n.let("nn_permute(net, %s, %s)", n.raw(), axes(order)))


@operator("Concat")
def concat(n):
    c = [n.raw(i) for i in range(len(n.operands)) if n.operands[i].array.size]
    n.operands = [value for value in n.operands if value.array.size]
    n.same(n.let("nn_concat(net, NN_NODES(%s), %d)", ", ".join(c), n.axis(0)))


def cut(n, c, axis, start, stop, step=1):
    return n.let("nn_slice(net, %s, %s)", c, desc("nn_slice_desc", axis=axis, start=start, stop=stop, step=step))


@operator("Split")
def split(n):
    axis, start = n.axis(0), 0
    extents = [result.shape[axis] for result in n.results]
    for k, extent in enumerate(extents):
        if extent == 0:
            n.same(None, k=k)
            continue
        n.same(cut(n, n.raw(), axis, start, start + extent), k=k)
        start += extent


@operator("Slice")
def slices(n):
    starts, stops = n.numbers(1), n.numbers(2)
    which = n.numbers(3) if n.has(3) else range(len(starts))
    steps = n.numbers(4) if n.has(4) else [1] * len(starts)
    if n.results[0].array.size == 0:
        n.same(None)
        return
    c = n.raw()
    for start, stop, axis, step in zip(starts, stops, which, steps):
        extent = n.shape()[axis]
        start, stop, step = slice(start, stop, step).indices(extent)
        if step < 0:  # reversed first: element i is at extent - 1 - i
            c = n.let("nn_flip(net, %s, %s)", c, axes([axis % n.rank()]))
            start, stop, step = extent - 1 - start, extent - 1 - stop, -step
        c = cut(n, c, axis % n.rank(), start, stop, step)
    n.same(c)


@operator("Pad")
def pad(n):
    rank = n.rank()
    mode = n.attribute("mode", "constant")
    which = [axis % rank for axis in n.numbers(3)] if n.has(3) else list(range(rank))
    amounts = n.numbers(1)
    before, after = [0] * rank, [0] * rank
    for k, axis in enumerate(which):
        before[axis], after[axis] = amounts[k], amounts[k + len(which)]
    value = float(np.ravel(n.number(2))[0]) if n.has(2) and mode == "constant" else 0.0
    kind = {"constant": None, "reflect": "NN_PADDING_REFLECT", "edge": "NN_PADDING_REPLICATE",
            "wrap": "NN_PADDING_CIRCULAR"}[mode]
    c = n.raw()
    if value and n.operands[0].dtype in ("f16", "bf16"):  # halves can only be padded with 0
        n.give(padded(n, n.let("nn_cast(net, %s, NN_F32)", c), rank, before, after, value, kind))
        return
    n.same(padded(n, c, rank, before, after, value, kind))


def padded(n, c, rank, before, after, value=0.0, kind=None):
    """Pads two axes at a time with nn_pad, as the last two; other axes are swapped with them."""
    touched = [axis for axis in range(rank) if before[axis] or after[axis]]
    if not touched:
        return n.let("nn_clone(net, %s)", c)
    while touched:
        pair = touched[-2:]
        touched = touched[:-2]
        order = [axis for axis in range(rank) if axis not in pair] + pair
        back = [order.index(axis) for axis in range(rank)]
        moved = order != list(range(rank))
        if moved:
            c = n.let("nn_permute(net, %s, %s)", c, axes(order))
        rows = pair[0] if len(pair) == 2 else None
        c = n.let("nn_pad(net, %s, %s)", c, desc(
            "nn_pad_desc", left=before[pair[-1]], right=after[pair[-1]], top=before[rows] if rows is not None else None,
            bottom=after[rows] if rows is not None else None, value=c_number(value) if value else None, mode=kind))
        if moved:
            c = n.let("nn_permute(net, %s, %s)", c, axes(back))
    return c


@operator("CenterCropPad")
def center_crop_pad(n):
    rank = n.rank()
    which = [axis % rank for axis in n.attribute("axes") or range(rank)]
    before, after = [0] * rank, [0] * rank
    for axis, wanted in zip(which, n.numbers(1)):
        more = wanted - n.shape()[axis]
        before[axis] = more // 2 if more > 0 else -((-more) // 2)
        after[axis] = more - before[axis]
    n.same(padded(n, n.raw(), rank, before, after))


@operator("Tile")
def tile(n):
    n.same(n.let("nn_repeat(net, %s, %s)", n.raw(), shape_of(n.numbers(1))))


@operator("Expand")
def expand(n):
    n.set("nn_expand(net, %s, %s)", n.x(), shape_of(n.results[0].shape))


@operator("DepthToSpace")
def depth_to_space(n):
    block = n.attribute("blocksize")
    if n.attribute("mode", "DCR") == "CRD":
        n.same(n.let("nn_pixel_shuffle(net, %s, %d)", n.raw(), block))
        return
    batch, channels, height, width = n.shape()
    c = n.let("nn_reshape(net, %s, %s)", n.raw(), shape_of([batch, block, block, channels // block**2, height, width]))
    c = n.let("nn_permute(net, %s, NN_AXES(0, 3, 4, 1, 5, 2))", c)
    n.same(n.let("nn_reshape(net, %s, %s)", c, shape_of(n.results[0].shape)))


@operator("SpaceToDepth")
def space_to_depth(n):
    block = n.attribute("blocksize")
    batch, channels, height, width = n.shape()
    if n.attribute("mode", "DCR") == "CRD":
        n.same(n.let("nn_pixel_unshuffle(net, %s, %d)", n.raw(), block))
        return
    shape = [batch, channels, height // block, block, width // block, block]
    c = n.let("nn_reshape(net, %s, %s)", n.raw(), shape_of(shape))
    c = n.let("nn_permute(net, %s, NN_AXES(0, 3, 5, 1, 2, 4))", c)
    n.same(n.let("nn_reshape(net, %s, %s)", c, shape_of(n.results[0].shape)))


def counted(n, i, extent):
    """Returns indices as an i32 node. Negative ones count from the end."""
    array = n.operands[i].array
    c = n.whole(i)
    if array.size and array.min() < 0:
        c = n.let('nn_cast(net, nn_expression(net, "i: i < 0 ? i + %d : i", nn_cast(net, %s, NN_F32)), NN_I32)', extent, c)
    return c


@operator("Gather")
def gather(n):
    axis = n.axis(0)
    c = counted(n, 1, n.shape()[axis])
    c = n.let("nn_reshape(net, %s, %s)", c, shape_of([max(1, n.operands[1].array.size)]))
    c = n.let("nn_index_select(net, %s, %d, %s)", n.raw(), axis, c)
    n.same(n.let("nn_reshape(net, %s, %s)", c, shape_of(n.results[0].shape)))


@operator("Trilu")
def trilu(n):
    n.set("nn_%s(net, %s, %d)", "triu" if n.attribute("upper", 1) else "tril", n.x(), int(n.number(1)) if n.has(1) else 0)


@operator("GatherND")
def gather_nd(n):
    """Describes a selection of rows: each list of indices names a row of its own batch."""
    batch = n.attribute("batch_dims", 0)
    shape, index = n.shape(), n.number(1)
    depth = index.shape[-1]
    rows = index.reshape((int(np.prod(shape[:batch])), -1, depth)).astype(np.int64)
    place = np.arange(rows.shape[0])[:, None] * np.ones(rows.shape[1], np.int64)
    for k in range(depth):
        extent = shape[batch + k]
        place = place * extent + rows[:, :, k] % extent
    rest = shape[batch + depth:]
    c = n.let("nn_reshape(net, %s, %s)", n.raw(), shape_of([int(np.prod(shape[:batch + depth])), int(np.prod(rest))]))
    c = n.let("nn_index_select(net, %s, 0, %s)", c, n.constant(place.ravel().astype(np.int32)))
    n.same(n.let("nn_reshape(net, %s, %s)", c, shape_of(n.results[0].shape)))


def beside(n, i, axis):
    """Returns a scale or zero point in a shape that broadcasts: one for all, one for each index of
    an axis, or one for each block."""
    value, rank = n.operands[i], n.rank()
    if value.array.ndim == 0 or value.array.size == 1:
        return n.let("nn_reshape(net, %s, nn_make_shape(NULL, 0))", n.x(i))
    if value.array.ndim == 1:
        return n.let("nn_reshape(net, %s, %s)", n.x(i), shape_of([-1 if k == axis else 1 for k in range(rank)]).replace(
            "-1", str(value.array.size)))
    times, shape = n.shape()[axis] // value.shape[axis], value.shape
    c = n.let("nn_reshape(net, %s, %s)", n.x(i), shape_of(shape[:axis + 1] + [1] + shape[axis + 1:]))
    c = n.let("nn_repeat(net, %s, %s)", c, shape_of([times if k == axis + 1 else 1 for k in range(rank + 1)]))
    return n.let("nn_reshape(net, %s, %s)", c, shape_of(n.shape()))


@operator("DequantizeLinear")
def dequantize(n):
    axis = n.axis(1)
    if n.has(2):
        n.set('nn_expression(net, "x, s, z: (x - z) * s", %s, %s, %s)', n.x(), beside(n, 1, axis), beside(n, 2, axis))
    else:
        n.set("nn_multiply(net, %s, %s)", n.x(), beside(n, 1, axis))


@operator("QuantizeLinear")
def quantize(n):
    axis = n.axis(1)
    to = n.results[0].array.dtype
    if to.name not in ("uint8", "int8", "uint16", "int16"):
        raise Unmapped("dtype:" + to.name)
    low, high = np.iinfo(to).min, np.iinfo(to).max
    c = n.let("nn_divide(net, %s, %s)", n.x(), beside(n, 1, axis))
    c = n.let("nn_round(net, %s)", c)
    c = n.let("nn_add(net, %s, %s)", c, beside(n, 2, axis)) if n.has(2) else c
    n.set("nn_clamp(net, %s, %d, %d)", c, low, high)
