"""Mappings that resize images. ONNX has more ways to choose a place than PyTorch, whose formulas
nn.h has."""
import numpy as np
from graph import Unmapped, c_number, desc, operator, shape_of


def places(mode, rounding, extent, out, scale):
    """Returns for each place of y the place in x by ONNX's formulas, before or after rounding."""
    i = np.arange(out)
    if mode == "align_corners":
        x = i * (extent - 1) / (out - 1) if out > 1 else np.zeros(1)
    elif mode == "asymmetric":
        x = i / scale
    else:
        x = (i + 0.5) / scale - 0.5
    if rounding == "round_prefer_floor":
        x = np.ceil(x - 0.5)
    elif rounding == "round_prefer_ceil":
        x = np.floor(x + 0.5)
    elif rounding == "floor":
        x = np.floor(x)
    elif rounding == "ceil":
        x = np.ceil(x)
    return np.clip(x, 0, extent - 1)


def nearest(wanted, extents, outs, scales):
    """Finds which of PyTorch's two nearest modes, by size or by scale_factor, takes the places that
    ONNX takes. None: neither."""
    for exact in (0.0, 0.5):
        for by_size in (True, False):
            found = True
            for want, extent, out, scale in zip(wanted, extents, outs, scales):
                step = extent / out if by_size else 1 / scale
                place = np.minimum(np.floor((np.arange(out) + exact) * step), extent - 1)
                found = found and np.array_equal(place, want) and (by_size or int(extent * scale) == out)
            if found:
                return "NN_RESIZE_NEAREST_EXACT" if exact else "NN_RESIZE_NEAREST", by_size
    return None


@operator("Resize", "Upsample")
def resize(n):
    rank = n.rank()
    outs = n.results[0].shape
    mode = n.attribute("coordinate_transformation_mode", "half_pixel" if n.type == "Resize" else "asymmetric")
    kind = n.attribute("mode", "nearest")
    which = [axis % rank for axis in n.attribute("axes") or range(rank)]
    given = n.number(2) if n.has(2) else n.number(1) if n.type == "Upsample" else None
    policy = n.attribute("keep_aspect_ratio_policy", "stretch")
    scales = [1.0] * rank
    ratios = [wanted / n.shape()[axis] for wanted, axis in zip(n.numbers(3), which)] if given is None else list(given)
    if policy != "stretch":
        ratios = [(min if policy == "not_larger" else max)(ratios)] * len(ratios)
    for ratio, axis in zip(ratios, which):
        scales[axis] = float(ratio)
    if rank != 4 or outs[:2] != n.shape()[:2]:
        raise Unmapped("resize-rank")
    if mode == "tf_crop_and_resize":
        raise Unmapped("resize-crop")
    if mode == "half_pixel_symmetric" and all(scale * extent == out for scale, extent, out in zip(scales, n.shape(), outs)):
        mode = "half_pixel"
    if mode == "pytorch_half_pixel" and min(outs[2:]) > 1:
        mode = "half_pixel"
    extents, outs, scales = n.shape()[2:], outs[2:], scales[2:]
    by_size = given is None and policy == "stretch"
    fields = {}
    if kind == "nearest":
        rounding = n.attribute("nearest_mode", "round_prefer_floor" if n.type == "Resize" else "floor")
        wanted = [places(mode, rounding, *three) for three in zip(extents, outs, scales)]
        way = nearest(wanted, extents, outs, scales)
        if way is None:  # other ways to round: the rows and columns are gathered by index
            c = n.let("nn_index_select(net, %s, 2, %s)", n.x(), n.constant(wanted[0].astype(np.int32)))
            n.set("nn_index_select(net, %s, 3, %s)", c, n.constant(wanted[1].astype(np.int32)))
            return
        fields["mode"], by_size = way
    else:
        if mode not in ("half_pixel", "align_corners"):
            raise Unmapped("resize-places")
        if n.attribute("exclude_outside", 0) and not n.attribute("antialias", 0):
            raise Unmapped("resize-outside")
        fields["mode"] = "NN_RESIZE_LINEAR" if kind == "linear" else "NN_RESIZE_CUBIC"
        fields["align_corners"] = mode == "align_corners"
        fields["antialias"] = bool(n.attribute("antialias", 0))
        if kind == "cubic":
            fields["cubic"] = c_number(n.attribute("cubic_coeff_a", -0.75))
    if by_size:
        fields.update(size=outs[0], size_w=outs[1])
    else:
        fields.update(scale_factor="%.17g" % scales[0], scale_factor_w="%.17g" % scales[1])
    n.set("nn_resize(net, %s, %s)", n.x(), desc("nn_resize_desc", **fields))


@operator("GridSample")
def grid_sample(n):
    if n.rank() != 4:
        raise Unmapped("3d")
    modes = {"linear": None, "bilinear": None, "nearest": "NN_GRID_NEAREST", "cubic": "NN_GRID_BICUBIC"}
    paddings = {"zeros": None, "border": "NN_GRID_BORDER", "reflection": "NN_GRID_REFLECTION"}
    n.set("nn_grid_sample(net, %s, %s, %s)", n.x(0), n.x(1), desc(
        "nn_grid_sample_desc", mode=modes[n.attribute("mode", "linear")],
        padding_mode=paddings[n.attribute("padding_mode", "zeros")], align_corners=bool(n.attribute("align_corners", 0))))


def affine_volume(n, size):
    corners = n.attribute("align_corners", 0)
    axes = [np.linspace(-1, 1, extent) if corners else (2 * np.arange(extent) + 1) / extent - 1 for extent in size[2:]]
    z, y, x = np.meshgrid(*axes, indexing="ij")
    places = np.stack([x, y, z, np.ones_like(x)], axis=-1).reshape(-1, 4).astype(np.float32)
    c = n.let("nn_matmul(net, %s, %s, %s)", n.constant(places), n.x(), "&(nn_matmul_desc){.transpose_b = true}")
    n.set("nn_reshape(net, %s, %s)", c, shape_of(n.results[0].shape))


@operator("AffineGrid")
def affine_grid(n):
    size = n.numbers(1)
    if len(size) != 4:  # of volumes: the places of a grid, a product with each sample's matrix
        affine_volume(n, size)
        return
    n.set("nn_affine_grid(net, %s, %d, %d, %s)", n.x(), size[2], size[3], "true" if n.attribute("align_corners", 0) else "false")
