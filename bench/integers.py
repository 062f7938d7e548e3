#!/usr/bin/env python3
"""Compares ResNet-18 in f32 and in 8-bit integers with onnxruntime, OpenVINO and LiteRT, one picture of 3 x 224 x 224 at a time. In every
turn each library runs each net.

    pip install onnx onnxruntime openvino ai-edge-litert numpy
    python bench/integers.py [threads [turns]]            default: 1 thread, 20 turns

BENCH_INTEGERS: the program of nn.h (default: build/bench/bench_integers). It writes the f32 net. onnxruntime.quantization turns it
into integers with QuantizeLinear and DequantizeLinear and i8 weights for each channel, once with i8 and once with u8 values.
The other libraries run both files; bench/tflite.py writes the one with i8 values as .tflite for LiteRT, which takes and gives
integers, so its time has no conversion from f32. nn.h runs the integers of nn_quantize_net (i8-...) and the file with i8 values (qdq-...).
Libraries that are not installed are reported. The table has the least and the median time in ms, and the speed compared with
f32 of the same library. Five results of each net follow, to show that all compute the same."""
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path = [path for path in sys.path if os.path.abspath(path or ".") != HERE]  # bench/onnx.py is not the package onnx
PROGRAM = os.environ.get("BENCH_INTEGERS", os.path.join(HERE, "../build/bench/bench_integers"))
threads = int(sys.argv[1]) if len(sys.argv) > 1 else 1
turns = int(sys.argv[2]) if len(sys.argv) > 2 else 20
EACH = 3  # runs of a net in a turn, after one that is not timed


def quantise(folder):
    """Writes resnet18-qdq.onnx (i8 values) and resnet18-u8.onnx. False if a package is missing."""
    try:
        import numpy as np
        import onnxruntime as ort
        from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    except ImportError as missing:
        print("no quantised file:", missing)
        return False
    ort.set_default_logger_severity(3)
    pictures = np.load(os.path.join(folder, "pictures.npy"))

    class Reader(CalibrationDataReader):
        def __init__(self):
            self.left = [{"image": pictures[i:i + 1]} for i in range(8)]

        def get_next(self):
            return self.left.pop() if self.left else None

    plain = os.path.join(folder, "resnet18-folded.onnx")  # with batch norms folded, as onnxruntime's guide asks for
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = plain
    ort.InferenceSession(os.path.join(folder, "resnet18.onnx"), options, providers=["CPUExecutionProvider"])
    for name, kind in (("qdq", QuantType.QInt8), ("u8", QuantType.QUInt8)):
        quantize_static(plain, os.path.join(folder, "resnet18-%s.onnx" % name), Reader(), quant_format=QuantFormat.QDQ,
                        per_channel=True, activation_type=kind, weight_type=QuantType.QInt8)
    return True


class Ours:
    def __init__(self, folder):
        self.process = subprocess.Popen([PROGRAM, str(threads), "-", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.names = self.process.stdout.readline().split(":")[1].split()

    def ask(self, words):
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()
        return [float(word) for word in self.process.stdout.readline().split()]

    def times(self, name):
        return self.ask("%s %d" % (name, EACH))

    def results(self, name):
        return self.ask(name + " sums")


class Peer:
    """A library in this process: run() computes, and logits() returns the results."""

    def __init__(self, calls):
        self.names, self.calls = list(calls), calls

    def times(self, name):
        self.calls[name]()
        times = []
        for _ in range(EACH):
            start = time.perf_counter()
            self.calls[name]()
            times.append((time.perf_counter() - start) * 1e6)
        return times

    def results(self, name):
        logits = self.calls[name]().ravel()
        return [float(logits[i]) for i in range(0, 1000, 200)]


def onnxruntime_side(folder, files, picture):
    import onnxruntime as ort
    ort.set_default_logger_severity(3)
    calls = {}
    for name, path in files:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        calls["onnxruntime " + name] = lambda session=session: session.run(None, {"image": picture})[0]
    return Peer(calls), "onnxruntime " + ort.__version__


def openvino_side(folder, files, picture):
    import openvino as ov
    core, calls = ov.Core(), {}
    for name, path in files:
        model = core.read_model(path)
        model.reshape({model.inputs[0].any_name: [1, 3, 224, 224]})
        compiled = core.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY",
                                                     "INFERENCE_PRECISION_HINT": "f32"})
        request = compiled.create_infer_request()
        request.set_tensor(compiled.inputs[0], ov.Tensor(picture))

        def call(request=request):
            request.infer()
            return request.get_output_tensor(0).data
        calls["OpenVINO " + name] = call
    return Peer(calls), "OpenVINO " + ov.__version__


def litert_side(folder, files, picture):
    import ai_edge_litert
    import numpy as np
    from ai_edge_litert.interpreter import Interpreter
    spec = importlib.util.spec_from_file_location("tflite", os.path.join(HERE, "tflite.py"))
    tflite = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tflite)
    path = dict(files)["i8"]
    net = Interpreter(model_content=tflite.convert(path), num_threads=threads)  # with XNNPACK, its default
    net.allocate_tensors()
    x, y = net.get_input_details()[0], net.get_output_details()[0]
    scale, zero = x["quantization"]
    net.set_tensor(x["index"], np.clip(np.rint(picture / scale) + zero, -128, 127).astype(np.int8).transpose(0, 2, 3, 1))

    def call():
        net.invoke()
        logits = net.get_tensor(y["index"]).astype(np.float32)
        return (logits - y["quantization"][1]) * y["quantization"][0]
    return Peer({"LiteRT i8": call}), "LiteRT " + getattr(ai_edge_litert, "__version__", "")


def main():
    with tempfile.TemporaryDirectory() as folder:
        first = Ours(folder)  # writes the files
        first.process.stdin.close()
        first.process.wait()
        files = [("f32", os.path.join(folder, "resnet18.onnx"))]
        if quantise(folder):
            files += [("i8", os.path.join(folder, "resnet18-qdq.onnx")), ("u8", os.path.join(folder, "resnet18-u8.onnx"))]
        sides, versions = [Ours(folder)], []
        try:
            import numpy as np
            picture = np.ascontiguousarray(np.load(os.path.join(folder, "pictures.npy"))[8:9])
            for side in (onnxruntime_side, openvino_side, litert_side):
                try:
                    made, version = side(folder, files, picture)
                    sides.append(made)
                    versions.append(version)
                except ImportError as missing:
                    print("left out:", missing)
        except ImportError as missing:
            print("no peers:", missing)
        times = {name: [] for side in sides for name in side.names}
        for _ in range(turns):
            for side in sides:
                for name in side.names:
                    times[name] += side.times(name)
        print("ResNet-18, one picture, %d thread(s); %s; %d turns of %d runs" % (threads, ", ".join(versions), turns, EACH))
        print("| net | least, ms | median, ms | times as fast as f32 |\n| --- | --- | --- | --- |")
        for side in sides:
            for name in side.names:
                base = [other for other in side.names if "f32" in other]
                base = next((b for b in base if b[4:] == name.split("-")[-1]), (base or [sides[0].names[0]])[0])
                print("| %s | %.2f | %.2f | %.2f |" % (name, min(times[name]) / 1e3, statistics.median(times[name]) / 1e3,
                                                       min(times[base]) / min(times[name])))
        for side in sides:
            for name in side.names:
                print("%-20s" % name, " ".join("%9.5f" % number for number in side.results(name)))


main()
