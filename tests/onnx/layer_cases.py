"""Compares single layers of random extents, with their weights in the file, with onnxruntime.

    python tests/onnx/layer_cases.py [--link "nn.o"] [--case part] [--free batch] [--seed 1]

ONNX's own cases give most layers their weights as inputs; most other files contain them. Needs the packages onnx and
onnxruntime. What onnxruntime itself refuses is left out. Prints a line for each result that is wrong and for each refusal,
and at the end "N passed, M failed, K skipped"; the status is 1 if one is wrong or crashed, or is refused.
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import model_cases as models
try:
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import helper, numpy_helper
except ImportError as fault:
    print("SKIP onnx: %s (pip install onnxruntime)" % fault)
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)

MICROSOFT = "com.microsoft"


class Layers:
    """Collects (name, model, inputs, outputs, tolerance)."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.cases = []
        self.refused = 0

    def real(self, *shape):
        return self.random.standard_normal(shape).astype(np.float32)

    def whole(self, low, high, count):
        return [int(number) for number in self.random.integers(low, high, count)]

    def bytes(self, *shape):
        return self.random.integers(0, 256, shape).astype(np.uint8)

    def signed(self, *shape):
        return self.random.integers(-128, 128, shape).astype(np.int8)

    def add(self, name, kind, operands, results=1, inputs=(0,), opset=17, domain="", **attributes):
        """inputs: the operands that are not initializers. Operands that are None are left out."""
        names = ["x%d" % i if operand is not None else "" for i, operand in enumerate(operands)]
        ends = ["y%d" % i for i in range(results)]
        nodes = [helper.make_node(kind, names, ends, domain=domain, **attributes)]
        self.graph(name, nodes, names, operands, ends, inputs, opset, domain)

    def graph(self, name, nodes, names, operands, ends, inputs=(0,), opset=17, domain=""):
        """Returns a model of the nodes, and the operands by their names."""
        arrays = [(i, np.asarray(operand)) for i, operand in enumerate(operands) if operand is not None]
        weights = [numpy_helper.from_array(array, names[i]) for i, array in arrays if i not in inputs]
        given = {names[i]: array for i, array in arrays if i in inputs}

        def info(name, array):
            return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        graph = helper.make_graph(nodes, "g", [info(*item) for item in given.items()],
                                  [helper.make_empty_tensor_value_info(end) for end in ends], weights)
        model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", opset)] + (
            [helper.make_opsetid(domain, 1)] if domain else []))
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 4
        options.add_session_config_entry("session.x64quantprecision", "1")  # exact sums without VNNI
        try:
            outputs = onnxruntime.InferenceSession(model.SerializeToString(), options).run(None, given)
        except Exception:  # onnxruntime has many of its own
            self.refused += 1
            return
        for end, output in zip(model.graph.output, outputs):
            end.CopyFrom(info(end.name, output))
        self.cases.append((name, model, list(given.values()), outputs, 1e-5))


def convolutions(a, k):
    axes, style = k % 3 + 1, k % 4
    x = a.real(2, 4, *a.whole(6, 12, axes))
    groups = [1, 2, 4][k % 3] if k < 20 else 1
    kernel = a.whole(1, 4, axes)
    more = dict(strides=a.whole(1, 4, axes), dilations=a.whole(1, 3, axes) if style in (0, 3) else [1] * axes)
    pads = {0: dict(pads=a.whole(0, 3, 2 * axes)), 1: dict(auto_pad="SAME_UPPER"), 2: dict(auto_pad="SAME_LOWER"),
            3: dict(auto_pad="VALID")}[style]
    if k % 5:
        pads["kernel_shape"] = kernel
    for name, inputs in (("conv", (0,)), ("computed-conv", (0, 1))):
        a.add("%s-%d" % (name, k), "Conv", [x, a.real(8, 4 // groups, *kernel)] + [a.real(8)] * (k % 2), inputs=inputs,
              opset=11 if k % 2 else 17, group=groups, **more, **pads)
    if style in (0, 3):
        pads["pads"] = a.whole(0, 2, 2 * axes)
        pads.pop("auto_pad", None)
    if style == 3:
        pads["output_padding"] = a.whole(0, max(1, min(more["strides"])), axes)
    for name, inputs in (("transposed", (0,)), ("computed-transposed", (0, 1))):
        if axes < 3 or len(inputs) == 1:
            a.add("%s-%d" % (name, k), "ConvTranspose", [x, a.real(4, 8 // groups, *kernel)] + [a.real(8)] * (k % 2),
                  inputs=inputs, group=groups, **more, **pads)


def pools(a, k):
    axes, style = k % 3 + 1, k % 4
    x = a.real(2, 4, *a.whole(6, 12, axes))
    kernel = a.whole(1, 5, axes)
    pads = {0: dict(pads=[int(a.random.integers(0, kernel[i % axes])) for i in range(2 * axes)]),
            1: dict(auto_pad="SAME_UPPER"), 2: dict(auto_pad="SAME_LOWER"), 3: {}}[style]
    # strides that jump over places make onnxruntime's averages begin inside x, unlike its maxima
    strides = [min(pair) for pair in zip(kernel, a.whole(1, 4, axes))] if style in (1, 2) else a.whole(1, 4, axes)
    pads.update(kernel_shape=kernel, strides=strides)
    a.add("average-%d" % k, "AveragePool", [x], opset=19, ceil_mode=k % 2, count_include_pad=k // 2 % 2, **pads)
    # onnxruntime leaves dilations out of SAME, against ONNX
    a.add("max-%d" % k, "MaxPool", [x], results=2 if k % 3 else 1, opset=12, ceil_mode=k % 2,
          dilations=a.whole(1, 3, axes) if style in (0, 3) else [1] * axes, **pads)
    a.add("power-%d" % k, "LpPool", [x], p=[1, 2, 3][k % 3], **pads)


def norms(a):
    for size in (3, 5):
        a.add("lrn-%d" % size, "LRN", [a.real(2, 7, 4, 5)], size=size, alpha=0.5, beta=0.6, bias=1.5)
    for rank in (2, 3, 4, 5):
        a.add("batch-norm-%d" % rank, "BatchNormalization",
              [a.real(*[3, 4, 5, 2, 3][:rank]), a.real(4), a.real(4), a.real(4), abs(a.real(4)) + 0.1], epsilon=1e-3)
    a.add("layer-norm", "LayerNormalization", [a.real(2, 3, 4), a.real(4), a.real(4)])
    a.add("layer-norm-2", "LayerNormalization", [a.real(2, 3, 4), a.real(3, 4), a.real(3, 4)], axis=1)
    a.add("layer-norm-3", "LayerNormalization", [a.real(2, 3, 4), a.real(4)], results=3)
    a.add("instance-norm", "InstanceNormalization", [a.real(2, 3, 4), a.real(3), a.real(3)])
    a.add("group-norm", "GroupNormalization", [a.real(2, 6, 4), a.real(6), a.real(6)], opset=21, num_groups=3)
    for kind, operands in (("SkipLayerNormalization", 5), ("SkipSimplifiedLayerNormalization", 3)):
        a.add(kind, kind, [a.real(2, 3, 8), a.real(2, 3, 8), a.real(8), a.real(8), a.real(8)][:operands], inputs=(0, 1),
              domain=MICROSOFT, epsilon=1e-5)
    a.add("simplified-norm", "SimplifiedLayerNormalization", [a.real(2, 3, 8), a.real(8)], epsilon=1e-5)
    for kind, operands in (("Gelu", 1), ("FastGelu", 2), ("BiasGelu", 2), ("QuickGelu", 1)):
        a.add(kind, kind, [a.real(3, 8), a.real(8)][:operands], domain=MICROSOFT)


def products(a):
    for k in range(8):
        third = [a.real(4), a.real(3, 1), a.real(1), a.real(3, 4), a.real(1, 4)][k % 5]
        operands = [a.real(5, 3) if k & 1 else a.real(3, 5), a.real(4, 5) if k & 2 else a.real(5, 4), third]
        a.add("gemm-%d" % k, "Gemm", operands[:2 if k == 6 else 3], transA=k & 1, transB=k >> 1 & 1,
              alpha=1.0 if k < 4 else 0.5, beta=1.0 if k % 3 else 2.0)
    shapes = [((2, 3, 4), (4, 5)), ((4,), (4, 5)), ((2, 3, 4), (4,)), ((2, 3, 4), (2, 4, 5)), ((2, 1, 3, 4), (6, 4, 5))]
    for k, (left, right) in enumerate(shapes):
        a.add("matmul-%d" % k, "MatMul", [a.real(*left), a.real(*right)])
    a.add("matmul-left", "MatMul", [a.real(3, 4), a.real(2, 4, 5)], inputs=(1,))
    a.add("fused", "FusedMatMul", [a.real(2, 8, 3), a.real(2, 4, 8)], inputs=(0, 1), domain=MICROSOFT, alpha=0.5, transA=1,
          transB=1)


def recurrent(a, kind, gates, direction, k):
    """k: 1 no bias, 2 lengths, 3 lengths and states, 4 full lengths, coupled gates; 5 other functions, 6 peepholes, 7 clip;
    from 5 on a GRU resets before its product."""
    count, steps, batch, width, hidden = 2 if direction == "bidirectional" else 1, 5, 3, 4, 6
    lengths = {2: [5, 2, 3], 3: [5, 2, 3], 4: [5, 5, 5]}.get(k)
    operands = [a.real(steps, batch, width), a.real(count, gates * hidden, width) / 2, a.real(count, gates * hidden, hidden) / 2,
                a.real(count, 2 * gates * hidden) if k != 1 else None,
                np.array(lengths, np.int32) if lengths else None, a.real(count, batch, hidden) if k in (3, 5, 6) else None]
    more = {}
    if kind == "LSTM":
        operands += [a.real(count, batch, hidden) if k in (3, 6) else None, a.real(count, 3 * hidden) if k == 6 else None]
        more = {4: dict(input_forget=1), 5: dict(activations=["HardSigmoid", "Softsign", "Tanh"] * count)}.get(k, {})
    if kind == "GRU":
        more = dict(linear_before_reset=int(k < 5))
    if kind == "RNN" and k == 5:
        more = dict(activations=["Relu"] * count)
    if k == 7:
        more["clip"] = 0.5
    while operands[-1] is None:
        operands.pop()
    for name, inputs in (("known", (0, 5, 6)), ("lengths", (0, 4, 5, 6))):
        a.add("%s-%s-%d-%s" % (kind, direction, k, name), kind, operands, results=3 if kind == "LSTM" else 2, inputs=inputs,
              direction=direction, hidden_size=hidden, **more)


def resizing(a):
    ways = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric"]
    sizes = [((5, 6), [1.5, 0.7]), ((4, 6), [2, 3]), ((7, 5), [0.6, 1.3])]
    for way in ways:
        for mode in ("nearest", "linear", "cubic"):
            for k, (extents, scales) in enumerate(sizes):
                more = dict(opset=19, mode=mode, coordinate_transformation_mode=way,
                            nearest_mode=["round_prefer_floor", "floor", "ceil"][k])
                x = a.real(1, 2, *extents)
                if way != "align_corners" or k == 1:  # there onnxruntime rounds the size, and ONNX does not
                    a.add("scales-%s-%s-%d" % (way, mode, k), "Resize", [x, None, np.array([1, 1] + scales, np.float32)], **more)
                    wanted = [1, 2] + [int(extent * scale) for extent, scale in zip(extents, scales)]
                    a.add("sizes-%s-%s-%d" % (way, mode, k), "Resize", [x, None, None, np.array(wanted, np.int64)], **more)
    for mode in ("linear", "cubic"):
        for exclude in (0, 1):
            a.add("antialias-%s-%d" % (mode, exclude), "Resize", [a.real(1, 2, 12, 10), None, np.array([1, 1, .4, .6], np.float32)],
                  opset=19, mode=mode, antialias=1, exclude_outside=exclude)
    for mode in ("nearest", "linear"):
        x, scales = a.real(1, 2, 5, 5), np.array([1, 1, 2, 3], np.float32)
        a.add("upsample-9-" + mode, "Upsample", [x, scales], opset=9, mode=mode)
        a.add("upsample-7-" + mode, "Upsample", [x], opset=7, mode=mode, scales=[1.0, 1.0, 2.0, 3.0])
        a.add("resize-10-" + mode, "Resize", [x, np.array([1, 1, 2.5, .7], np.float32)], opset=10, mode=mode)


def quantised(a):
    a.add("conv-integer", "ConvInteger", [a.bytes(1, 3, 7, 7), a.bytes(4, 3, 3, 3), np.uint8(120), np.uint8(100)],
          pads=[1, 1, 1, 1])
    a.add("matmul-integer", "MatMulInteger", [a.bytes(5, 900), a.bytes(900, 6), np.uint8(3), np.uint8(100)])
    # the sums exceed 2^24
    a.add("matmul-integer-wide", "MatMulInteger", [a.bytes(5, 9000) // 5 + 204, a.bytes(9000, 6) // 5 + 204])
    a.add("matmul-integer-columns", "MatMulInteger", [a.bytes(5, 90), a.signed(90, 6), np.uint8(3), a.signed(6) // 16])
    for k in range(4):
        scales = abs(a.real(6)) * 0.01 + 0.01 if k & 1 else np.float32(0.013)
        a.add("conv-q-%d" % k, "QLinearConv", [
            a.bytes(1, 4, 7, 7), np.float32(0.02), np.uint8(130), a.signed(6, 4 if k < 2 else 2, 3, 3), scales,
            np.zeros(6, np.int8) if k & 1 else np.int8(0), np.float32(0.11), np.uint8(111),
            a.random.integers(-9000, 9000, 6).astype(np.int32)], pads=[1, 1, 1, 1], group=1 if k < 2 else 2)
    a.add("dynamic", "DynamicQuantizeLinear", [a.real(5, 7)], results=3)
    a.add("quantise", "QuantizeLinear", [a.real(3, 4) * 3, abs(a.real(4)) + 0.01, a.signed(4)], opset=13)
    a.add("dequantise", "DequantizeLinear", [a.bytes(3, 4), a.real(3), a.bytes(3)], opset=13, axis=0)
    a.add("dynamic-matmul", "DynamicQuantizeMatMul", [a.real(5, 30), a.signed(30, 6), np.float32(.01), np.int8(0), a.real(6)],
          domain=MICROSOFT)
    a.add("matmul-to-float", "MatMulIntegerToFloat", [
        a.bytes(5, 30), a.signed(30, 6), np.float32(.02), np.float32(.01), np.uint8(100), np.int8(3), a.real(6)], domain=MICROSOFT)
    first, second = [np.float32(.02), np.uint8(130)], [np.float32(.03), np.uint8(10)]
    for kind in ("QLinearAdd", "QLinearMul"):
        a.add(kind, kind, [a.bytes(1, 4, 7)] + first + [a.bytes(4, 7)] + second + [np.float32(.05), np.uint8(100)],
              inputs=(0, 3), domain=MICROSOFT)
    a.add("q-sigmoid", "QLinearSigmoid", [a.bytes(2, 7)] + first + [np.float32(1 / 256), np.uint8(0)], domain=MICROSOFT)
    a.add("q-leaky-relu", "QLinearLeakyRelu", [a.bytes(2, 7)] + first + second, domain=MICROSOFT, alpha=0.1)
    a.add("q-softmax", "QLinearSoftmax", [a.bytes(2, 7)] + first + [np.float32(1 / 256), np.uint8(0)], domain=MICROSOFT, axis=-1)
    a.add("q-mean", "QLinearGlobalAveragePool", [a.bytes(2, 7, 3, 3)] + first + second, domain=MICROSOFT, channels_last=0)
    a.add("q-concat", "QLinearConcat", second + [a.bytes(2, 3)] + first + [a.bytes(2, 4)] + second, inputs=(2, 5),
          domain=MICROSOFT, axis=1)


def between(a, k):
    """Adds MatMul and Gemm between QuantizeLinear and DequantizeLinear, with scales for the matrix or for each of its columns."""
    n, c, m = a.whole(1, 40, 1)[0], a.whole(1, 300, 1)[0], a.whole(1, 70, 1)[0]
    unsigned, columns, gemm, bias = k % 2, k // 2 % 2, k // 4 % 2, k // 8 % 2
    turned = gemm and k // 16 % 2
    kind = np.uint8 if unsigned else np.int8
    weight = a.signed(m, c) if turned else a.signed(c, m)
    zero_w = (a.signed(m) // 16 if k % 3 == 0 else np.zeros(m, np.int8)) if columns else np.int8(3 if k % 3 == 0 else 0)
    scale_w = (abs(a.real(m)) * 0.01 + 0.001) if columns else np.float32(0.013)
    if k % 5 == 0:
        weight, zero_w = (weight.astype(np.int16) + 128).astype(np.uint8), (np.asarray(zero_w, np.int16) + 128).astype(np.uint8)
    q = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]), helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"]),
         helper.make_node("DequantizeLinear", ["w", "sw", "zw"], ["dw"], axis=0 if turned else 1)]
    names, operands = ["x", "s", "z", "w", "sw", "zw"], [a.real(n, c) * 3, np.float32(0.04), kind(100 + 27 * (k % 3) - 100 * (1 - unsigned)),
                                                          weight, scale_w, zero_w]
    if gemm:
        q.append(helper.make_node("Gemm", ["d", "dw"] + ["b"] * bias, ["y"], transB=int(turned)))
    else:
        q.append(helper.make_node("MatMul", ["d", "dw"], ["t" if bias else "y"]))
        if bias:
            q.append(helper.make_node("Add", ["t", "b"], ["y"]))
    if bias:
        names, operands = names + ["b"], operands + [a.real(m)]
    a.graph("between-%d" % k, q, names, operands, ["y"])


def dynamic_lstm(a, k):
    """Adds layers whose weights have the zero point 0, for which onnxruntime and nn_onnx_integers quantise the states."""
    c, h, directions = a.whole(1, 60, 1)[0], a.whole(1, 40, 1)[0], 1 + k % 2
    steps, samples = 1 + k // 4 % 2 * 3, 1
    scale = np.full(directions, 1 / (128 * h), np.float32) if k % 3 else abs(a.real(directions, 4 * h)) / (128 * h) + 1e-4
    zero = np.zeros(scale.shape, np.int8)
    given = [a.real(steps, samples, c), a.signed(directions, c, 4 * h), a.signed(directions, h, 4 * h),
             a.real(directions, 8 * h) if k // 2 % 2 else None, None]
    given += [a.real(directions, samples, h), a.real(directions, samples, h)] if k // 8 % 2 else [None, None]
    a.add("dynamic-lstm-%d" % k, "DynamicQuantizeLSTM", given + [None, scale, zero, scale, zero], results=3, domain=MICROSOFT,
          direction="bidirectional" if directions == 2 else ("reverse" if k % 4 == 2 else "forward"), hidden_size=h)


def integer_convolutions(a, k):
    """Adds Conv between QuantizeLinear and DequantizeLinear, ConvInteger and QLinearConv, over one and two axes."""
    axes, unsigned, own = 1 + k % 2, k // 2 % 2, k // 4 % 2
    c, size, kernel = a.whole(16, 50, 1)[0], a.whole(17 if axes == 1 else 8, 30 if axes == 1 else 14, axes), a.whole(1, 4, axes)
    m = 8192 // (c * int(np.prod(kernel))) + a.whole(1, 30, 1)[0]  # fewer weights stay in f32
    more = dict(kernel_shape=kernel, strides=a.whole(1, 3, axes), dilations=a.whole(1, 3, axes))
    pads = dict(auto_pad="SAME_UPPER") if k % 3 == 0 else dict(pads=[int(a.random.integers(0, kernel[i % axes])) for i in range(2 * axes)])
    if k % 3 == 0:
        more["dilations"] = [1] * axes
    more.update(pads)
    kind = np.uint8 if unsigned else np.int8
    weight, zero_w = a.signed(m, c, *kernel), (np.zeros(m, np.int8) if own else np.int8(0))
    if k % 5 == 0:
        weight, zero_w = (weight.astype(np.int16) + 128).astype(np.uint8), (np.asarray(zero_w, np.int16) + 128).astype(np.uint8)
    scale_w = (abs(a.real(m)) * 0.01 + 0.001) if own else np.float32(0.013)
    zero = kind(100 + 27 * (k % 3) - 100 * (1 - unsigned))
    nodes = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]), helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"]),
             helper.make_node("DequantizeLinear", ["w", "sw", "zw"], ["dw"], axis=0)]
    names = ["x", "s", "z", "w", "sw", "zw"]
    operands = [a.real(2, c, *size) * 3, np.float32(0.04), zero, weight, scale_w, zero_w]
    bias = k // 8 % 3
    if bias == 1:
        names, operands = names + ["db"], operands + [a.real(m)]
    elif bias == 2:
        nodes.append(helper.make_node("DequantizeLinear", ["b", "sb"], ["db"], axis=0))
        names, operands = names + ["b", "sb"], operands + [a.random.integers(-9000, 9000, m).astype(np.int32), np.float32(0.04) * np.broadcast_to(scale_w, m).astype(np.float32)]
    nodes.append(helper.make_node("Conv", ["d", "dw"] + ["db"] * (bias > 0), ["y"], **more))
    a.graph("conv-between-%d" % k, nodes, names, operands, ["y"])
    x = a.bytes(2, c, *size)
    a.add("conv-of-integers-%d" % k, "ConvInteger", [x, weight, np.uint8(zero), np.asarray(zero_w).reshape(-1)[:1].reshape(())], **more)
    if not own or weight.dtype == np.int8:
        a.add("conv-to-bytes-%d" % k, "QLinearConv", [x, np.float32(0.02), np.uint8(zero), weight, scale_w, zero_w, np.float32(0.9), np.uint8(120)] +
              [a.random.integers(-9000, 9000, m).astype(np.int32)] * (k // 8 % 2), **more)


def integer_products(a, k):
    n, c, m = a.whole(1, 40, 1)[0], a.whole(1, 300, 1)[0], a.whole(1, 70, 1)[0]
    x, zero = (a.bytes(n, c), np.uint8(a.whole(0, 256, 1)[0])) if k % 2 else (a.bytes(2, n, c), np.uint8(128))
    w, zero_w = (a.signed(c, m), a.signed(m) // 2) if k % 3 else (a.bytes(c, m), np.uint8(a.whole(0, 256, 1)[0]))
    a.add("product-%d" % k, "MatMulInteger", [x, w, zero, zero_w])
    scale_w = (abs(a.real(m)) * 0.01 + 0.001) if k % 3 else np.float32(0.01)
    a.add("q-product-%d" % k, "QLinearMatMul", [x, np.float32(0.02), zero, w, scale_w, zero_w, np.float32(0.9), np.uint8(120)])
    a.add("dynamic-product-%d" % k, "DynamicQuantizeMatMul", [a.real(n, c), w, scale_w, zero_w] + [a.real(m)] * (k % 2), domain=MICROSOFT)
    a.add("float-product-%d" % k, "MatMulIntegerToFloat", [x, w, np.float32(0.02), scale_w, zero, zero_w] + [a.real(m)] * (k % 2), domain=MICROSOFT)
    nodes = [helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]), helper.make_node("MatMulInteger", ["q", "w", "z"] + ["zw"] * (k % 2), ["p"]),
             helper.make_node("Cast", ["p"], ["f"], to=1), helper.make_node("Mul", ["s", "sw"], ["t"]), helper.make_node("Mul", ["f", "t"], ["y"])]
    a.graph("dynamic-chain-%d" % k, nodes, ["x", "w"] + ["zw"] * (k % 2) + ["sw"], [a.real(n, c), w] + [zero_w] * (k % 2) + [scale_w], ["y"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", default="")
    parser.add_argument("--compiler", default=os.environ.get("CC", "cc") + " -O1")
    parser.add_argument("--link", default="", help="objects of the library, instead of compiling it again")
    parser.add_argument("--free", default="", choices=["", "batch", "time", "both"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--integers", action="store_true", help="with nn_onnx_integers")
    arguments = parser.parse_args()
    if arguments.integers:
        os.environ["ONNX_INTEGERS"] = "1"
    a = Layers(arguments.seed)
    for k in range(36):
        convolutions(a, k)
        pools(a, k)
    norms(a)
    products(a)
    for kind, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1)):
        for direction in ("forward", "reverse", "bidirectional"):
            for k in range(8):
                recurrent(a, kind, gates, direction, k)
    resizing(a)
    quantised(a)
    for k in range(32):
        between(a, k)
        if arguments.integers:  # f32 layers do not round the states
            dynamic_lstm(a, k)
        integer_products(a, k)
        integer_convolutions(a, k)
    for onesided in (0, 1):
        a.add("stft-%d" % onesided, "STFT", [a.real(2, 64, 1), np.int64(8), a.real(16)], onesided=onesided)
    a.add("dft", "DFT", [a.real(2, 10, 1)], onesided=1, axis=1)
    a.add("dft-back", "DFT", [a.real(2, 10, 2)], inverse=1, axis=1)
    writer = models.Writer(arguments.free, ["inputs"])
    for case in a.cases:
        if any(part in case[0] for part in arguments.case.split(",")):
            writer.case(*case)
    writer.close()
    program = models.compile(arguments)
    found = models.run(program)
    spoiled = [name for name, (_, ending, _) in models.run(program, "spoiled").items() if ending == "passed"]
    failed = skipped = 0
    for name, (_, ending, words) in found.items():
        refused = ending == "refused" and arguments.free != ""
        failed, skipped = failed + (ending != "passed" and not refused), skipped + refused
        if ending != "passed" and not refused:
            print("FAIL onnx: %s %s: %s" % (name, ending, words[:600]))
    for name in spoiled:
        print("FAIL onnx: %s passes with wrong results" % name)
    failed += len(spoiled)
    print("onnxruntime %s refuses %d layers itself" % (onnxruntime.__version__, a.refused))
    print("%d passed, %d failed, %d skipped" % (len(found) - failed - skipped, failed, skipped))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
