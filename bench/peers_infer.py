#!/usr/bin/python3
"""Runs ResNet-18 and MobileNetV2, one picture of 3 x 224 x 224 at a time, beside ONNX Runtime,
OpenVINO, ncnn and PyTorch: in every turn each side runs each net once.

    peers_infer.py [threads [turns [net]]]           default: 1 thread, 40 turns, both nets

BENCH_INFER: our program (build/bench/bench_infer). Peers that Python lacks are fetched from PyPI
into build/bench/peers, except PyTorch, which is used where it is installed; missing peers are
reported. All compute in float32 with the same weights, those of tests/golden/formulas.py. The peers
are given nets whose batch norms are folded already; ours is given the batch norms. Settings: as
many threads as told; ONNX Runtime: all optimizations; OpenVINO: float32, latency; ncnn: its
defaults in float32; PyTorch: eager in both layouts, and traced and frozen."""
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tests/golden"))
TARGET = os.path.join(HERE, "../build/bench/peers")
sys.path.append(TARGET)

import numpy as np  # noqa: E402
from formulas import value  # noqa: E402

threads = int(sys.argv[1]) if len(sys.argv) > 1 else 1
turns = int(sys.argv[2]) if len(sys.argv) > 2 else 40
only = sys.argv[3] if len(sys.argv) > 3 else ""
SIDE, CLASSES = 224, 1000
left_out, versions = [], []


def fetch(packages):
    """Returns the packages that cannot be imported."""
    wanted = [p for p in packages if subprocess.run([sys.executable, "-c", "import sys; sys.path.append(%r); import %s"
                                                     % (TARGET, p)], capture_output=True).returncode]
    if wanted:
        print("fetching %s into build/bench/peers" % ", ".join(wanted), file=sys.stderr)
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", TARGET] + wanted)


# ---- the nets as lists of layers ----------------------------------------------------------------

class Layer:
    """kind, what it reads, and numbers; weights of convolutions have their batch norms in them."""

    def __init__(self, kind, inputs, channels, **numbers):
        self.kind, self.inputs, self.channels = kind, inputs, channels
        self.__dict__.update(numbers)


def conv(layers, x, name, norm, out, kernel, stride=1, groups=1, act=None):
    """Appends a layer and returns its number."""
    weight = value(name + ".weight", (out, layers[x].channels // groups, kernel, kernel)).astype(np.float64)
    gamma, beta, mean, var = (value(norm + "." + part, (out,)).astype(np.float64)
                              for part in ("weight", "bias", "running_mean", "running_var"))
    scale = gamma / np.sqrt(var + 1e-5)
    layers.append(Layer("conv", [x], out, weight=(weight * scale[:, None, None, None]).astype(np.float32),
                        bias=(beta - mean * scale).astype(np.float32), kernel=kernel, stride=stride,
                        groups=groups, act=act))
    return len(layers) - 1


def add(layers, a, b, act=None):
    layers.append(Layer("add", [a, b], layers[a].channels, act=act))
    return len(layers) - 1


def head(layers, x, name):
    layers.append(Layer("mean", [x], layers[x].channels))
    layers.append(Layer("linear", [len(layers) - 1], CLASSES,
                        weight=value(name + ".weight", (CLASSES, layers[x].channels)),
                        bias=value(name + ".bias", (CLASSES,))))
    return layers


def resnet18():
    layers = [Layer("input", [], 3)]
    x = conv(layers, 0, "conv1", "bn1", 64, 7, 2, act="relu")
    layers.append(Layer("max_pool", [x], 64))
    x = len(layers) - 1
    for i in range(4):
        for k in range(2):
            block, out, stride, same = "layer%d.%d." % (i + 1, k), 64 << i, 2 if i and not k else 1, x
            if stride != 1:
                same = conv(layers, x, block + "downsample.0", block + "downsample.1", out, 1, stride)
            x = conv(layers, x, block + "conv1", block + "bn1", out, 3, stride, act="relu")
            x = conv(layers, x, block + "conv2", block + "bn2", out, 3)
            x = add(layers, x, same, "relu")
    return head(layers, x, "fc")


def mobilenet():
    layers = [Layer("input", [], 3)]
    x = conv(layers, 0, "features.0.0", "features.0.1", 32, 3, 2, act="relu6")
    number = 1
    for t, c, n, s in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
                       (6, 320, 1, 1)]:
        for i in range(n):
            name, stride, before, part = "features.%d.conv." % number, s if i == 0 else 1, x, 0
            hidden = layers[x].channels * t
            if t != 1:
                x = conv(layers, x, name + "0.0", name + "0.1", hidden, 1, act="relu6")
                part = 1
            x = conv(layers, x, name + "%d.0" % part, name + "%d.1" % part, hidden, 3, stride, hidden, "relu6")
            x = conv(layers, x, name + "%d" % (part + 1), name + "%d" % (part + 2), c, 1)
            if stride == 1 and layers[before].channels == c:
                x = add(layers, before, x)
            number += 1
    x = conv(layers, x, "features.18.0", "features.18.1", 1280, 1, act="relu6")
    return head(layers, x, "classifier.1")


# ---- as the peers want them ---------------------------------------------------------------------

def to_onnx(layers):
    from onnx import TensorProto, helper, numpy_helper
    nodes, weights = [], []

    def give(array, name):
        weights.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))

    if any(getattr(layer, "act", None) == "relu6" for layer in layers):
        give(np.float32(0), "zero"), give(np.float32(6), "six")
    for i, layer in enumerate(layers):
        reads = ["v%d" % k for k in layer.inputs]
        act = getattr(layer, "act", None)
        made, result = "v%d" % i + ("_" if act else ""), "v%d" % i
        if layer.kind == "conv":
            pad = [layer.kernel // 2] * 4
            node("Conv", reads + [give(layer.weight, "w%d" % i), give(layer.bias, "b%d" % i)], made, pads=pad,
                 strides=[layer.stride] * 2, kernel_shape=[layer.kernel] * 2, group=layer.groups)
        elif layer.kind == "add":
            node("Add", reads, made)
        elif layer.kind == "max_pool":
            node("MaxPool", reads, made, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
        elif layer.kind == "mean":
            node("GlobalAveragePool", reads, result + "_p")
            node("Flatten", [result + "_p"], made)
        elif layer.kind == "linear":
            node("Gemm", reads + [give(layer.weight, "w%d" % i), give(layer.bias, "b%d" % i)], made, transB=1)
        if act == "relu":
            node("Relu", [made], result)
        elif act:
            node("Clip", [made, "zero", "six"], result)
    graph = helper.make_graph(
        nodes, "net", [helper.make_tensor_value_info("v0", TensorProto.FLOAT, [1, 3, SIDE, SIDE])],
        [helper.make_tensor_value_info("v%d" % (len(layers) - 1), TensorProto.FLOAT, [1, CLASSES])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model.SerializeToString()


def to_ncnn(layers, path):
    """Writes path.param and path.bin."""
    uses = [sum(layer.inputs.count(i) for layer in layers) for i in range(len(layers))]
    taken, lines, blobs = [0] * len(layers), [], 0
    acts = {None: "", "relu": " 9=1", "relu6": " 9=3 -23310=2,0.0,6.0"}
    with open(path + ".bin", "wb") as file:
        for i, layer in enumerate(layers):
            reads = []
            for k in layer.inputs:
                reads.append("v%d" % k + ("_%d" % taken[k] if uses[k] > 1 else ""))
                taken[k] += 1
            act = getattr(layer, "act", None)
            made = "v%d" % i + ("_a" if layer.kind == "add" and act else "")
            kinds = {"input": ("Input", "0=%d 1=%d 2=3" % (SIDE, SIDE)), "max_pool": ("Pooling", "0=0 1=3 2=2 3=1 5=1"),
                     "mean": ("Pooling", "0=1 4=1"), "add": ("BinaryOp", "0=0")}
            if layer.kind == "conv":
                kind = "ConvolutionDepthWise" if layer.groups > 1 else "Convolution"
                text = "0=%d 1=%d 3=%d 4=%d 5=1 6=%d%s%s" % (
                    layer.channels, layer.kernel, layer.stride, layer.kernel // 2, layer.weight.size,
                    " 7=%d" % layer.groups if layer.groups > 1 else "", acts[act])
            elif layer.kind == "linear":
                kind, text = "InnerProduct", "0=%d 1=1 2=%d" % (CLASSES, layer.weight.size)
            else:
                kind, text = kinds[layer.kind]
            if layer.kind in ("conv", "linear"):
                file.write(b"\0\0\0\0" + layer.weight.tobytes() + layer.bias.tobytes())
            lines.append("%s l%d %d 1 %s %s %s" % (kind, i, len(reads), " ".join(reads), made, text))
            blobs += 1
            if layer.kind == "add" and act:
                lines.append("ReLU r%d 1 1 %s v%d" % (i, made, i))
                blobs += 1
            if uses[i] > 1:
                lines.append("Split s%d 1 %d v%d %s" % (i, uses[i], i, " ".join("v%d_%d" % (i, k) for k in range(uses[i]))))
                blobs += uses[i]
    with open(path + ".param", "w") as file:
        file.write("7767517\n%d %d\n%s\n" % (len(lines), blobs, "\n".join(lines)))


# ---- the sides: each a function that runs once and returns the logits ---------------------------

def onnxruntime_side(layers, picture):
    import onnxruntime as ort
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = ort.InferenceSession(to_onnx(layers), options, providers=["CPUExecutionProvider"])
    versions.append("ONNX Runtime " + ort.__version__)
    return lambda: session.run(None, {"v0": picture})[0]


def openvino_side(layers, picture):
    import openvino as ov
    core = ov.Core()
    model = core.read_model(to_onnx(layers), b"")
    compiled = core.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1,
                                                 "INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY"})
    request = compiled.create_infer_request()
    request.set_input_tensor(ov.Tensor(picture))
    versions.append("OpenVINO " + ov.__version__.split("-")[0])

    def run():
        request.infer()
        return request.get_output_tensor().data
    return run


def ncnn_side(layers, picture):
    import ncnn
    path = os.path.join(HERE, "../build/bench/infer")
    to_ncnn(layers, path)
    net = ncnn.Net()
    net.opt.num_threads = threads
    net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
    net.opt.use_bf16_storage = False
    if net.load_param(path + ".param") or net.load_model(path + ".bin"):
        raise RuntimeError("it cannot read the net")
    image = ncnn.Mat(picture[0])
    versions.append("ncnn " + ncnn.__version__)

    def run():
        extractor = net.create_extractor()
        extractor.input("v0", image)
        return np.array(extractor.extract("v%d" % (len(layers) - 1))[1])
    return run


def torch_side(name, picture, how):
    import torch
    import nets
    torch.set_num_threads(threads)
    net = nets.ResNet18(CLASSES) if name == "resnet18" else nets.MobileNetV2(CLASSES)
    nets.fill(net)
    net.eval()
    last = how != "NCHW"
    x = torch.from_numpy(picture)
    if last:
        net, x = net.to(memory_format=torch.channels_last), x.contiguous(memory_format=torch.channels_last)
    with torch.no_grad():
        if how == "frozen":
            net = torch.jit.optimize_for_inference(torch.jit.freeze(torch.jit.trace(net, x)))
    versions.append("PyTorch " + torch.__version__)

    def run():
        with torch.no_grad():
            return net(x).numpy()
    return run


def sides_of(name, layers, picture, ask):
    sides = {"nn.h": ask}
    makers = {"ONNX Runtime": lambda: onnxruntime_side(layers, picture), "OpenVINO": lambda: openvino_side(layers, picture),
              "ncnn": lambda: ncnn_side(layers, picture), "PyTorch NCHW": lambda: torch_side(name, picture, "NCHW"),
              "PyTorch channels_last": lambda: torch_side(name, picture, "channels_last"),
              "PyTorch frozen": lambda: torch_side(name, picture, "frozen")}
    for side, make in makers.items():
        try:
            run = make()
            run()
            sides[side] = run
        except Exception as error:
            left_out.append("%s (%s)" % (side, (str(error).splitlines() or [""])[0]))
    return sides


def agree(side, got, wanted):
    got = np.asarray(got).ravel()[::CLASSES // 5]
    error = np.abs(got - wanted).max() / np.abs(wanted).max()
    if not error < 1e-4:
        left_out.append("%s computes something else: %.1e" % (side, error))
    return error < 1e-4


def main():
    fetch(["onnx", "onnxruntime", "openvino", "ncnn"])
    program = os.environ.get("BENCH_INFER", os.path.join(HERE, "../build/bench/bench_infer"))
    logits = {}
    for line in subprocess.run([program, str(threads), "0.01"], stdout=subprocess.PIPE, text=True).stdout.splitlines():
        if line.startswith("logits"):
            logits[line.split()[1]] = np.array([float(word) for word in line.split()[2:]])
    ours = subprocess.Popen([program, str(threads), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    print(ours.stdout.readline().strip())
    picture = value("picture", (1, 3, SIDE, SIDE))
    rows = []
    for name, build in (("resnet18", resnet18), ("mobilenet", mobilenet)):
        if not name.startswith(only):
            continue

        def ask():
            print(name, file=ours.stdin, flush=True)
            return float(ours.stdout.readline()) / 1e3
        sides = sides_of(name, build(), picture, ask)
        sides = {side: run for side, run in sides.items() if side == "nn.h" or agree(side, run(), logits[name])}
        took = {side: [] for side in sides}
        for turn in range(turns + 2):
            for side, run in sides.items():
                time.sleep(0.01)  # others' threads spin for a while
                run()  # this side must not profit from what others left in the caches
                start = time.perf_counter()
                answer = run()
                spent = answer if side == "nn.h" else (time.perf_counter() - start) * 1e3
                if turn >= 2:
                    took[side].append(spent)
        mine = took["nn.h"]
        for side, times in took.items():
            rows.append("| %s | %s | %d | %.2f | %.2f | %.2f | %.2f |" % (
                name, side, threads, min(times), statistics.median(times), min(times) / min(mine),
                statistics.median(times) / statistics.median(mine)))
    ours.stdin.close()
    ours.wait()
    print("\n%s; numpy %s\n" % (", ".join(sorted(set(versions))), np.__version__))
    for line in sorted(set(left_out)):
        print("left out: " + line)
    print("| net | side | threads | minimum, ms | median, ms | minimum / ours | median / ours |\n"
          "| --- | --- | --- | --- | --- | --- | --- |\n" + "\n".join(rows))


main()
