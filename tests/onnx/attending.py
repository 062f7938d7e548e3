"""Attention, by nn_scaled_dot_product_attention where it computes the case."""
import numpy as np
from graph import Unmapped, axes, c_number, desc, operator, shape_of


def allowed(queries, keys, first, left, right, causal):
    """Returns the mask (queries, keys) of a window and of causality for a query 0 at position
    `first`. A window below 0 means no limit."""
    distance = first + np.arange(queries)[:, None] - np.arange(keys)[None, :]
    fits = np.ones((queries, keys), bool)
    for bounded, inside in ((left >= 0, distance <= left), (right >= 0, -distance <= right), (causal, distance >= 0)):
        if bounded:
            fits &= inside
    return fits


def mask_of(n, keys, more):
    """Returns the given mask with its missing last keys masked, combined with `more`, which is 1
    where a key counts."""
    array = n.number(3) if n.has(3) else None
    if array is None:
        return None if more is None else n.constant(more)
    missing = keys - array.shape[-1]
    if not missing and more is None:
        return n.raw(3)
    masked = False if array.dtype == bool else -np.inf
    array = np.pad(np.asarray(array, bool if array.dtype == bool else np.float32),
                   [(0, 0)] * (array.ndim - 1) + [(0, missing)], constant_values=masked)
    return n.constant(array if more is None else np.where(more, array, masked).astype(array.dtype))


@operator("FlexAttention")
def flex_attention(n):
    """Maps the operator if nothing is computed between the scores and the probabilities, because
    nn_scaled_dot_product_attention has no place for such a computation."""
    if n.attributes.keys() - {"scale"}:
        raise Unmapped("op:FlexAttention")
    scale = n.attribute("scale", 0)
    n.set("nn_scaled_dot_product_attention(net, %s, %s, %s, %s)", n.x(0), n.x(1), n.x(2),
          desc("nn_scaled_dot_product_attention_desc", scale=c_number(scale) if scale else None))


@operator("Attention")
def attention(n):
    if n.attribute("softcap", 0):
        raise Unmapped("attention-softcap")
    if n.wants(3):
        raise Unmapped("attention-scores")
    heads = [n.attribute("q_num_heads"), n.attribute("kv_num_heads"), n.attribute("kv_num_heads")]
    flat, past = n.rank() == 3, n.has(4)
    inside = flat and not past and not n.wants(1)  # the layout of a Linear's result; otherwise the heads come first, as in ONNX's past
    operands, shapes = [], []
    for i in range(3):
        c, shape = n.raw(i), n.shape(i)
        if flat:
            shape = [shape[0], shape[1], heads[i], shape[2] // heads[i]]
            c = n.let("nn_reshape(net, %s, %s)", c, shape_of(shape))
            shape = [shape[0], shape[2], shape[1], shape[3]]
            if not inside:
                c = n.let("nn_permute(net, %s, %s)", c, axes([0, 2, 1, 3]))
        if past and i:
            c = n.let("nn_concat(net, NN_NODES(%s, %s), 2)", n.raw(3 + i), c)
            shape = [shape[0], shape[1], shape[2] + n.shape(3 + i)[2], shape[3]]
        if i:
            n.give(c, n.operands[i].dtype, k=i)
        operands.append(c)
        shapes.append(shape)
    batch, queries, keys = shapes[0][0], shapes[0][2], shapes[1][2]
    lengths = n.number(6) if n.has(6) else None
    causal = bool(n.attribute("is_causal", 0))
    left, right = n.attribute("left_window_size", -1), n.attribute("right_window_size", -1)
    first = lengths - queries if lengths is not None else np.full(batch, n.shape(4)[2] if past else 0)
    window, more, positions, lower_right = None, None, None, False
    if (left >= 0 or right >= 0) and not (left >= 0 and (causal and right != 0 or left == right)) or causal and min(first) < 0:
        # A window of two different widths, and queries before the first key, need a mask.
        more = np.stack([allowed(queries, keys, at, left, right, causal) for at in first])[:, None]
        causal = False
    elif causal or left >= 0:
        window = left + 1 if left >= 0 else None
        lower_right = past and bool(first[0] == keys - queries)
        if max(first) > 0 and not lower_right:
            positions = n.constant(np.asarray(first, np.int32))
    scale = n.attribute("scale", 0)
    y = n.let("nn_scaled_dot_product_attention(net, %s, %s)", ", ".join(operands), desc(
        "nn_scaled_dot_product_attention_desc", attn_mask=mask_of(n, keys, more), positions=positions,
        lengths=n.whole(6) if lengths is not None else None, scale=c_number(scale) if scale else None, is_causal=causal,
        lower_right=lower_right, window=window, heads_inside=inside))
    if flat and not inside:
        y = n.let("nn_permute(net, %s, %s)", y, axes([0, 2, 1, 3]))
    n.give(n.let("nn_reshape(net, %s, %s)", y, shape_of(n.results[0].shape)) if flat else y)
