"""Writes a .tflite file of a quantised ONNX net of images, for bench/integers.py: Conv, Relu, Add, MaxPool, GlobalAveragePool,
Flatten and Gemm between QuantizeLinear and DequantizeLinear with i8 values. Needs onnx, flatbuffers and ai-edge-litert."""
import flatbuffers
import numpy as np
import onnx
from ai_edge_litert import schema_py_generated as schema
from onnx import numpy_helper

OP, OPTIONS, ACT = schema.BuiltinOperator, schema.BuiltinOptions, schema.ActivationFunctionType
TYPES = {np.dtype(np.int8): schema.TensorType.INT8, np.dtype(np.int32): schema.TensorType.INT32,
         np.dtype(np.float32): schema.TensorType.FLOAT32}


class Writer:
    def __init__(self, path):
        model = onnx.load(path)
        self.nodes = list(model.graph.node)
        self.known = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
        self.maker = {name: node for node in self.nodes for name in node.output}
        self.readers = {}
        for node in self.nodes:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)
        self.shapes = {v.name: [d.dim_value or 1 for d in v.type.tensor_type.shape.dim]
                       for v in list(onnx.shape_inference.infer_shapes(model).graph.value_info) + list(model.graph.input)}
        self.graph = schema.SubGraphT()
        self.graph.tensors, self.graph.operators = [], []
        self.model = schema.ModelT()
        self.model.version, self.model.operatorCodes = 3, []
        self.model.buffers, self.model.subgraphs = [schema.BufferT()], [self.graph]
        self.at = {}  # tensors of values, by the name of the dequantised value

    def tensor(self, name, shape, dtype, scale=None, zero=0, data=None, axis=0):
        t = schema.TensorT()
        t.name, t.shape, t.type, t.buffer = name, [int(n) for n in shape], TYPES[np.dtype(dtype)], 0
        if scale is not None:
            t.quantization = schema.QuantizationParametersT()
            t.quantization.scale = [float(s) for s in np.atleast_1d(scale)]
            t.quantization.zeroPoint = [int(zero)] * len(t.quantization.scale)
            t.quantization.quantizedDimension = axis
        if data is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8)
            self.model.buffers.append(buffer)
            t.buffer = len(self.model.buffers) - 1
        self.graph.tensors.append(t)
        return len(self.graph.tensors) - 1

    def operator(self, code, kind, options, inputs, output):
        c = schema.OperatorCodeT()
        c.builtinCode, c.deprecatedBuiltinCode, c.version = code, min(code, 127), 3
        self.model.operatorCodes.append(c)
        o = schema.OperatorT()
        o.opcodeIndex, o.inputs, o.outputs = len(self.model.operatorCodes) - 1, inputs, [output]
        o.builtinOptionsType, o.builtinOptions = kind, options
        self.graph.operators.append(o)

    def value(self, quantise, shape):
        """The tensor of what a QuantizeLinear makes; both names of the value lead to it."""
        scale, zero = (self.known[name] for name in quantise.input[1:3])
        last = [shape[0], shape[2], shape[3], shape[1]] if len(shape) == 4 else shape
        made = self.tensor(quantise.output[0], last, np.int8, scale, zero)
        self.at[quantise.output[0]] = made
        for reader in self.readers[quantise.output[0]]:
            self.at[reader.output[0]] = made
        return made

    def constant(self, name):
        """The integers, scales and axis of a dequantised constant."""
        node = self.maker[name]
        axis = next((a.i for a in node.attribute if a.name == "axis"), 0)
        return self.known[node.input[0]], self.known[node.input[1]], axis

    def ending(self, node):
        """The QuantizeLinear after a node, and the relu between them."""
        after, act = self.readers[node.output[0]][0], ACT.NONE
        if after.op_type == "Relu":
            after, act = self.readers[after.output[0]][0], ACT.RELU
        if after.op_type in ("Flatten", "Reshape"):  # after a mean
            after = self.readers[after.output[0]][0]
        zero = self.known[after.input[2]]
        return after, act if act != ACT.NONE or zero > -128 else ACT.NONE

    def padded(self, x, pads, zero):
        """Pads rows and columns where TFLite's SAME and VALID do not."""
        if not any(pads):
            return x
        old = self.graph.tensors[x]
        shape = [old.shape[0], old.shape[1] + pads[0] + pads[2], old.shape[2] + pads[1] + pads[3], old.shape[3]]
        y = self.tensor(old.name + "_padded", shape, np.int8, old.quantization.scale, old.quantization.zeroPoint[0])
        amounts = np.array([[0, 0], [pads[0], pads[2]], [pads[1], pads[3]], [0, 0]], np.int32)
        self.operator(OP.PAD, OPTIONS.PadOptions, schema.PadOptionsT(),
                      [x, self.tensor(old.name + "_pads", (4, 2), np.int32, data=amounts)], y)
        return y

    def window(self, node, kernel, options):
        attributes = {a.name: list(a.ints) for a in node.attribute if a.ints}
        strides, pads = attributes.get("strides", [1, 1]), attributes.get("pads", [0] * 4)
        same = strides == [1, 1] and all(pads[i] == pads[i + 2] == kernel[i % 2] // 2 for i in range(2))
        options.strideH, options.strideW = strides
        options.padding = schema.Padding.SAME if same else schema.Padding.VALID
        return [0] * 4 if same else pads

    def conv(self, node):
        weight, scale, axis = self.constant(node.input[1])
        bias, bias_scale, _ = self.constant(node.input[2])
        options = schema.Conv2DOptionsT()
        options.dilationHFactor = options.dilationWFactor = 1
        x = self.at[node.input[0]]
        x = self.padded(x, self.window(node, weight.shape[2:], options), 0)
        w = self.tensor(node.name + ".w", [weight.shape[i] for i in (0, 2, 3, 1)], np.int8, scale, 0, weight.transpose(0, 2, 3, 1))
        b = self.tensor(node.name + ".b", bias.shape, np.int32, bias_scale, 0, bias)
        after, options.fusedActivationFunction = self.ending(node)
        self.operator(OP.CONV_2D, OPTIONS.Conv2DOptions, options, [x, w, b], self.value(after, self.shapes[node.output[0]]))

    def add(self, node):
        options = schema.AddOptionsT()
        after, options.fusedActivationFunction = self.ending(node)
        self.operator(OP.ADD, OPTIONS.AddOptions, options, [self.at[name] for name in node.input],
                      self.value(after, self.shapes[node.output[0]]))

    def max_pool(self, node):
        options, kernel = schema.Pool2DOptionsT(), next(list(a.ints) for a in node.attribute if a.name == "kernel_shape")
        x = self.padded(self.at[node.input[0]], self.window(node, kernel, options), 0)
        options.filterHeight, options.filterWidth = kernel
        self.operator(OP.MAX_POOL_2D, OPTIONS.Pool2DOptions, options, [x],
                      self.value(self.ending(node)[0], self.shapes[node.output[0]]))

    def mean(self, node):
        after = self.ending(node)[0]
        options, shape = schema.ReducerOptionsT(), self.shapes[after.input[0]]
        options.keepDims = len(shape) == 4
        axes = self.tensor(node.name + ".axes", (2,), np.int32, data=np.array([1, 2], np.int32))
        self.operator(OP.MEAN, OPTIONS.ReducerOptions, options, [self.at[node.input[0]], axes],
                      self.value(after, shape))

    def flatten(self, node):
        shape = self.shapes[node.output[0]]
        if node.input[0] not in self.at:  # a part of the mean before it
            return
        self.operator(OP.RESHAPE, OPTIONS.ReshapeOptions, schema.ReshapeOptionsT(),
                      [self.at[node.input[0]], self.tensor(node.name + ".to", (2,), np.int32, data=np.array(shape, np.int32))],
                      self.value(self.ending(node)[0], shape))

    def linear(self, node):
        weight, scale, _ = self.constant(node.input[1])
        bias, bias_scale, _ = self.constant(node.input[2])
        if not next((a.i for a in node.attribute if a.name == "transB"), 0):
            weight = weight.T
        options = schema.FullyConnectedOptionsT()
        inputs = [self.at[node.input[0]], self.tensor("fc.w", weight.shape, np.int8, scale, 0, weight),
                  self.tensor("fc.b", bias.shape, np.int32, bias_scale, 0, bias)]
        self.operator(OP.FULLY_CONNECTED, OPTIONS.FullyConnectedOptions, options, inputs,
                      self.value(self.ending(node)[0], [1, len(bias)]))

    def bytes(self):
        ways = {"Conv": self.conv, "Add": self.add, "MaxPool": self.max_pool, "GlobalAveragePool": self.mean,
                "ReduceMean": self.mean, "Flatten": self.flatten, "Reshape": self.flatten, "Gemm": self.linear}
        for node in self.nodes:
            if node.op_type == "QuantizeLinear" and node.input[0] not in self.maker:  # the input of the net
                self.graph.inputs = [self.value(node, self.shapes[node.input[0]])]
            elif node.op_type in ways:
                ways[node.op_type](node)
            elif node.op_type not in ("QuantizeLinear", "DequantizeLinear", "Relu"):
                raise ValueError("no way to write " + node.op_type)
        self.graph.outputs = [self.graph.operators[-1].outputs[0]]
        builder = flatbuffers.Builder(1 << 24)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return builder.Output()


def convert(path):
    return bytes(Writer(path).bytes())
