"""Compares nets in integers with LiteRT's reference kernels, byte by byte, layer by layer.

    python3 tests/golden/litert.py [COUNT]      skipped without `pip install ai-edge-litert`

litert.c quantises a net of convolutions (one depthwise, one transposed), an addition, a bilinear
resizing, a product, an average and a max pool and a linear layer, and writes its weights and results. This script quantises the
f32 weights itself, builds a .tflite file of the same net with the scales of the values, and runs it
with the reference kernels.

LiteRT 2.3 rounds the sums of its fully connected layers once (multiplier and shift together) and
those of its convolutions twice, as nn.h does for both. So a few numbers of "fc" may differ by one:
they are counted separately. Everything else must be equal.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

try:
    import flatbuffers
    import numpy as np
    from ai_edge_litert import schema_py_generated as schema
    from ai_edge_litert.interpreter import Interpreter, OpResolverType
except ImportError as missing:
    print("SKIP litert.py:", missing)
    sys.exit(0)

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DTYPES = {"F32": np.float32, "I32": np.int32, "I8": np.int8, "I64": np.int64}
NAMES = ("stem", "depth", "point", "add", "fc", "up", "resize", "multiply", "avg_pool2d")
TYPES = {np.dtype(np.int8): schema.TensorType.INT8, np.dtype(np.int32): schema.TensorType.INT32}


def read(path):
    data = open(path, "rb").read()
    size = struct.unpack("<Q", data[:8])[0]
    head = json.loads(data[8:8 + size])
    out = {}
    for name, entry in head.items():
        if name == "__metadata__":
            continue
        a, b = entry["data_offsets"]
        array = np.frombuffer(data[8 + size + a:8 + size + b], DTYPES[entry["dtype"]])
        out[name] = array.reshape(entry["shape"])
    return out


def away(x):
    return np.where(x < 0, -np.floor(0.5 - x), np.floor(x + 0.5))


class File:
    def __init__(self):
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.buffers = [schema.BufferT()]
        self.model.operatorCodes = []
        self.graph = schema.SubGraphT()
        self.graph.tensors, self.graph.operators = [], []
        self.model.subgraphs = [self.graph]

    def tensor(self, name, shape, dtype, scale, zero, data=None, axis=0):
        t = schema.TensorT()
        t.name, t.shape, t.type, t.buffer = name, list(shape), TYPES[np.dtype(dtype)], 0
        q = schema.QuantizationParametersT()
        q.scale = [float(s) for s in np.atleast_1d(scale)]
        q.zeroPoint = [int(zero)] * len(q.scale)
        q.quantizedDimension = axis
        t.quantization = q
        if data is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8)
            self.model.buffers.append(buffer)
            t.buffer = len(self.model.buffers) - 1
        self.graph.tensors.append(t)
        return len(self.graph.tensors) - 1

    def operator(self, code, kind, options, inputs, output):
        c = schema.OperatorCodeT()
        c.builtinCode = code
        c.deprecatedBuiltinCode = min(code, 127)
        c.version = 3
        self.model.operatorCodes.append(c)
        o = schema.OperatorT()
        o.opcodeIndex = len(self.model.operatorCodes) - 1
        o.inputs, o.outputs = inputs, [output]
        o.builtinOptionsType, o.builtinOptions = kind, options
        self.graph.operators.append(o)

    def bytes(self):
        builder = flatbuffers.Builder(1 << 16)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def build(real, whole, batch):
    """Builds the net of litert.c. Returns the file and the tensors of the layers."""
    f = File()
    Op, Options = schema.BuiltinOperator, schema.BuiltinOptions
    Act = schema.ActivationFunctionType
    scale = {n[:-6]: whole[n] for n in whole if n.endswith(".scale")}
    at = {}

    def value(name, shape):
        s, z = scale[name]
        at[name] = f.tensor(name, shape, np.int8, s, z)
        return at[name]

    def layer(name, x, shape, order, options, code, kind, axis=0, turned=False):
        w = real[name + ".weight"].astype(np.float64)
        if turned:  # (C, K, R, S)
            w = w.transpose(1, 0, 2, 3)
        K = w.shape[0]
        s = (np.abs(w.reshape(K, -1)).max(1) / 127).astype(np.float32)
        q = away(w / s.astype(np.float64).reshape([K] + [1] * (w.ndim - 1)))
        q = np.clip(q, -127, 127).astype(np.int8)
        q = order(q)
        both = s.astype(np.float64) * np.float64(scale[x][0])
        b = away(real[name + ".bias"].astype(np.float64) / both).astype(np.int32)
        ours = whole[name + ".weight"].reshape(-1)
        if not np.array_equal(ours, q.reshape(-1)) or not np.array_equal(whole[name + ".bias"], b):
            print("FAIL: other weights of", name)
            sys.exit(1)
        wt = f.tensor(name + ".w", q.shape, np.int8, s, 0, q, axis)
        bt = f.tensor(name + ".b", b.shape, np.int32, both, 0, b)
        inputs = [at[x], wt, bt]
        if turned:
            inputs = [f.tensor(name + ".s", (4,), np.int32, 1, 0, np.array(shape, np.int32)), wt,
                      at[x], bt]
        f.operator(code, kind, options, inputs, value(name, shape))

    value("x", (batch, 9, 9, 4))
    conv = schema.Conv2DOptionsT()
    conv.padding, conv.strideH, conv.strideW = schema.Padding.SAME, 1, 1
    conv.dilationHFactor = conv.dilationWFactor = 1
    conv.fusedActivationFunction = Act.RELU6
    layer("stem", "x", (batch, 9, 9, 16), lambda q: q.transpose(0, 2, 3, 1), conv, Op.CONV_2D,
          Options.Conv2DOptions)
    depth = schema.DepthwiseConv2DOptionsT()
    depth.padding, depth.strideH, depth.strideW = schema.Padding.SAME, 1, 1
    depth.depthMultiplier = depth.dilationHFactor = depth.dilationWFactor = 1
    depth.fusedActivationFunction = Act.RELU
    layer("depth", "stem", (batch, 9, 9, 16), lambda q: q.transpose(1, 2, 3, 0), depth,
          Op.DEPTHWISE_CONV_2D, Options.DepthwiseConv2DOptions, 3)
    point = schema.Conv2DOptionsT()
    point.padding, point.strideH, point.strideW = schema.Padding.SAME, 1, 1
    point.dilationHFactor = point.dilationWFactor = 1
    layer("point", "depth", (batch, 9, 9, 16), lambda q: q.transpose(0, 2, 3, 1), point,
          Op.CONV_2D, Options.Conv2DOptions)
    add = schema.AddOptionsT()
    add.fusedActivationFunction = Act.RELU
    f.operator(Op.ADD, Options.AddOptions, add, [at["point"], at["stem"]],
               value("add", (batch, 9, 9, 16)))
    up = schema.TransposeConvOptionsT()
    up.padding, up.strideH, up.strideW = schema.Padding.VALID, 2, 2
    layer("up", "add", (batch, 19, 19, 6), lambda q: q.transpose(0, 2, 3, 1), up,
          Op.TRANSPOSE_CONV, Options.TransposeConvOptions, turned=True)
    scale["resize"] = scale["add"]
    size = schema.ResizeBilinearOptionsT()
    size.halfPixelCenters, size.alignCorners = True, False
    f.operator(Op.RESIZE_BILINEAR, Options.ResizeBilinearOptions, size,
               [at["add"], f.tensor("size", (2,), np.int32, 1, 0, np.array([14, 5], np.int32))],
               value("resize", (batch, 14, 5, 16)))
    mul = schema.MulOptionsT()
    f.operator(Op.MUL, Options.MulOptions, mul, [at["add"], at["stem"]],
               value("multiply", (batch, 9, 9, 16)))
    scale["avg_pool2d"] = scale["multiply"]
    mean = schema.Pool2DOptionsT()
    mean.padding, mean.strideH, mean.strideW = schema.Padding.VALID, 3, 3
    mean.filterHeight = mean.filterWidth = 3
    f.operator(Op.AVERAGE_POOL_2D, Options.Pool2DOptions, mean, [at["multiply"]],
               value("avg_pool2d", (batch, 3, 3, 16)))
    pool = schema.Pool2DOptionsT()
    pool.padding, pool.strideH, pool.strideW = schema.Padding.VALID, 3, 3
    pool.filterHeight = pool.filterWidth = 3
    scale["pool"] = scale["add"]
    f.operator(Op.MAX_POOL_2D, Options.Pool2DOptions, pool, [at["add"]],
               value("pool", (batch, 3, 3, 16)))
    fc = schema.FullyConnectedOptionsT()
    flat = lambda q: q.reshape(10, 16, 3, 3).transpose(0, 2, 3, 1).reshape(10, 144)
    scale["pool"] = scale["add"]
    layer("fc", "pool", (batch, 10), flat, fc, Op.FULLY_CONNECTED,
          Options.FullyConnectedOptions)
    f.graph.inputs, f.graph.outputs = [at["x"]], [at[n] for n in
                                                  NAMES]
    return f.bytes(), at


def compare(program, seed):
    subprocess.check_call([program, str(seed)])
    real, whole = read("litert_f32.safetensors"), read("litert_int8.safetensors")
    x = np.fromfile("litert_x.bin", np.float32).reshape(-1, 4, 9, 9)
    data, at = build(real, whole, len(x))
    s, z = whole["x.scale"]
    q = np.clip(away((x / s).astype(np.float64)) + z, -128, 127).astype(np.int8)
    net = Interpreter(model_content=data, experimental_op_resolver_type=OpResolverType.BUILTIN_REF,
                      experimental_preserve_all_tensors=True)
    net.allocate_tensors()
    net.set_tensor(net.get_input_details()[0]["index"], q.transpose(0, 2, 3, 1))
    net.invoke()
    wrong = once = 0
    for name in NAMES:
        theirs = net.get_tensor(at[name]).reshape(-1)
        ours = np.fromfile("litert_%s.bin" % name, np.int8)
        off = int((theirs != ours).sum())
        if name == "fc" and np.abs(theirs.astype(int) - ours.astype(int)).max() <= 1:
            once += off
            continue
        wrong += off
        if off:
            print("FAIL: seed %d, %s: %d of %d bytes differ, by up to %d" %
                  (seed, name, off, ours.size,
                   np.abs(theirs.astype(int) - ours.astype(int)).max()))
    return wrong, once


def one_function(code, kind, options, x, scale, zero, y_scale, y_zero):
    """Runs one operator on the bytes x, (1, n), with the reference kernels."""
    f = File()
    a = f.tensor("x", x.shape, np.int8, scale, zero)
    b = f.tensor("y", x.shape, np.int8, y_scale, y_zero)
    f.operator(code, kind, options, [a], b)
    f.graph.inputs, f.graph.outputs = [a], [b]
    net = Interpreter(model_content=f.bytes(),
                      experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    net.allocate_tensors()
    net.set_tensor(net.get_input_details()[0]["index"], x)
    net.invoke()
    return net.get_tensor(net.get_output_details()[0]["index"])


def compare_functions():
    """Compares logistic with nn.h's table (rounded results of f32), and softmax with the formula of
    nn_integer_softmax (src/kernels/integer/args.h). Returns True if all are within one step."""
    Op, Options, fine = schema.BuiltinOperator, schema.BuiltinOptions, True
    off, most, all_of = 0, 0, 0
    for scale in (0.01, 0.03, 0.05, 0.1):
        for zero in (-128, -20, 0, 77):
            x = np.arange(-128, 128, dtype=np.int8).reshape(1, 256)
            real = np.float32(scale) * (x.astype(np.float32) - zero)
            table = away(256.0 / (1.0 + np.exp(-real.astype(np.float64)))) - 128
            theirs = one_function(Op.LOGISTIC, Options.NONE, None, x, scale, zero, 1 / 256, -128)
            apart = np.abs(np.clip(table, -128, 127) - theirs.astype(int))
            off, most, all_of = off + int((apart > 0).sum()), max(most, int(apart.max())), all_of + 256
    print("logistic: %d of %d results differ from LiteRT's, by up to %d" % (off, all_of, most))
    fine = fine and most <= 1
    off, most, all_of, random = 0, 0, 0, np.random.default_rng(1)
    soft = schema.SoftmaxOptionsT()
    soft.beta = 1.0
    for scale in (0.004, 0.02, 0.1, 0.3, 1.0):
        table = away(2.0**30 * np.exp(-np.float64(np.float32(scale)) * np.arange(256)))
        table = table.astype(np.int64)
        for length in (2, 10, 64, 256, 500) * 3:  # beyond, LiteRT 2.3 aborts
            x = random.integers(-128, 128, (1, length)).astype(np.int8)
            e = table[int(x.max()) - x.astype(int)]
            total = int(e.sum())
            p = (e * ((2**62 + total) // (2 * total)) + 2**30) >> 31
            ours = np.minimum(((p * 512 + 2**30) >> 31) - 128, 127)
            theirs = one_function(Op.SOFTMAX, Options.SoftmaxOptions, soft, x, scale, 3, 1 / 256,
                                  -128)
            apart = np.abs(ours - theirs.astype(int))
            off, most = off + int((apart > 0).sum()), max(most, int(apart.max()))
            all_of += length
    print("softmax: %d of %d results differ from LiteRT's, by up to %d" % (off, all_of, most))
    return fine and most <= 1


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as folder:
        program = os.environ.get("LITERT_PROGRAM")
        if not program:
            program = os.path.join(folder, "litert")
            subprocess.check_call([os.environ.get("CC", "cc"), "-std=gnu99", "-O1", "-w", "-I", TOP,
                                   os.path.join(TOP, "tests", "golden", "litert.c"), "-o", program,
                                   "-lm", "-lpthread"])
        os.chdir(folder)
        both = [compare(program, seed) for seed in range(1, count + 1)]
    wrong, once = sum(b[0] for b in both), sum(b[1] for b in both)
    print("%d nets, %d bytes differ from LiteRT's reference kernels, and %d of %d of the linear layer "
          "by one" % (count, wrong, once, 80 * count))
    fine = compare_functions()
    sys.exit(wrong != 0 or not fine or once * 100 > 80 * count)


main()
