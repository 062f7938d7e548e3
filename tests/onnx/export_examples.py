"""Writes the nets of all examples as ONNX files and checks them.

    python tests/onnx/export_examples.py [--link "nn.o nn_onnx.o nn_text.o"] [--models FOLDER] [--opset N] [EXAMPLE...]

Each example is compiled with export_examples.c and makes a short run (NN_SHORT=1). Whatever it plans or
trains is written with nn_save_onnx: the outputs of plans, losses and metrics of trainers. Each file
must pass onnx.checker with full checks, onnxruntime must compute what nn.h computes from the same
random inputs, within 1e-5 of the largest number of each output, and the net that nn_onnx_net reads
from the file must give the same bytes. REFUSED lists the nets that cannot be expressed in ONNX.

--models: the folder of the ONNX files that 28_vad and 29_ocr read. Without them these two are skipped.
Needs onnx, onnxruntime and numpy. The last line is "N passed, M failed, K skipped": one for each
example."""
import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile
import wave

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
EXAMPLES = os.path.join(ROOT, "examples")
try:
    import numpy
    import onnx
    import onnxruntime  # noqa: F401, save_models.py uses it
except ImportError as fault:
    print("SKIP export_examples: %s for %s (pip install onnx onnxruntime; PYTHON names another)" % (fault, sys.executable))
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)
from save_models import WITHIN, apart, session_of

# Examples without a net.
WITHOUT = {
    "06_immediate": "its kernels are called one by one, and there is no model",
    "10_list_devices": "it lists devices",
    "22_tokenizer": "it turns text into numbers",
}
# Nets that nn_save_onnx refuses: words of its message, and the reason.
REFUSED = {
    "08_custom": [("swish\": it is a function of the program's own", "no other program has its function")],
    "23_char_gpt": [("it keeps values from run to run", "the net that writes has caches; the one that learns can be saved")],
    "26_text_mistakes": [("it keeps values from run to run", "three of its nets have caches")],
    "32_int8": [("write the model of nn_prepare_qat", "the net in integers; the ones in f32 and with roundings can be saved")],
    "33_gguf": [("it keeps values from run to run", "its net has caches")],
    "34_keywords": [("write the model of nn_prepare_qat", "the net in integers; the one in f32 goes out")],
}
# Values that may come back with other bytes, as far apart as WITHIN allows, and why.
DIFFERS = {
    # With states, products add in an order that does not depend on the number of steps in a run (gemm.steady).
    "31_arena": [("softmax", "its plan has states, and a plan of the file has none")],
}


def compile_shared(arguments, work):
    """Compiles export_examples.c. Returns the object file and what every example is linked with."""
    made = os.path.join(work, "export_examples.o")
    with_library = ["-DNN_IMPLEMENTED", "-DNN_ONNX_IMPLEMENTED"] if arguments.link else []
    subprocess.run(arguments.compiler.split() + ["-std=gnu99", "-w", "-O1", "-I" + ROOT] + with_library +
                   ["-c", os.path.join(HERE, "export_examples.c"), "-o", made], check=True)
    wrapped = ["-Wl,--wrap=" + name for name in
               ("nn_make_plan_at", "nn_make_trainer_at", "nn_make_trainer_using_at")]
    return made, [os.path.abspath(part) if os.path.exists(part) else part for part in arguments.link.split()] + wrapped


def compile_example(arguments, source, shared, program):
    """Compiles an example. Returns None, or why it cannot be compiled here."""
    object_file, link = shared
    compiler, standard = arguments.compiler.split(), "-std=gnu99"
    if source.endswith(".cpp"):
        compiler, standard = ["g++"], "-std=c++11"
    if "mpi" in source:
        compiler = ["mpicc"]
        if subprocess.run(["which", "mpicc"], stdout=subprocess.DEVNULL).returncode:
            return "no mpicc"
    with open(source) as file:  # this example defines macros that leave out parts of the library, which is compiled already
        before = ["-I" + ROOT, "-include", "nn.h"] if "#define NN_NO_" in file.read() else []
    command = compiler + [standard, "-w", "-O1", "-DNN_IMPLEMENTED", "-DNN_ONNX_IMPLEMENTED", "-DNN_TEXT_IMPLEMENTED"]
    command += before + [source, object_file, "-o", program] + link + ["-lm", "-lpthread", "-ldl"]
    subprocess.run(command, check=True)
    return None


def write_sound(path):
    """Returns a second of noise that grows louder."""
    samples = numpy.random.default_rng(1).normal(size=16000) * numpy.linspace(0, 8000, 16000)
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16000)
        file.writeframes(b"".join(struct.pack("<h", int(max(-32768, min(32767, s)))) for s in samples))


def write_page(path):
    """Returns a white image with dark bars, which the first net of 29_ocr takes for a line of
    text."""
    page = numpy.full((160, 320, 3), 255, numpy.uint8)
    for letter in range(12):
        left = 30 + 20 * letter
        page[60:90, left:left + 4] = 0
        page[60:64, left:left + 14] = 0
        page[74:78, left:left + (14 if letter % 2 else 9)] = 0
    with open(path, "wb") as file:
        file.write(b"P6\n320 160\n255\n" + page.tobytes())


def words_of(name, models, work):
    """Returns the arguments of an example; None: it needs models that are not here."""
    needed = {"28_vad": ["vad-v5"], "29_ocr": ["ocr-detect", "ocr-angle", "ocr-read"]}.get(name)
    if not needed:
        return []
    paths = [os.path.abspath(os.path.join(models, folder, "model.onnx")) for folder in needed] if models else []
    if not paths or not all(os.path.exists(path) for path in paths):
        return None
    given = os.path.join(work, "page.ppm" if name == "29_ocr" else "sound.wav")
    (write_page if name == "29_ocr" else write_sound)(given)
    return paths + [given]


def read_report(path):
    """Returns number -> {"kind": ..., "text": ..., "input": [...], "output": [...]}."""
    nets, last = {}, None
    if not os.path.exists(path):
        return nets
    for line in open(path):
        match = re.match(r"(saved|refused|failed|input|output) (\d+) (.*)", line)
        if not match:  # a further line of a message
            last["text"] += "\n" + line.rstrip("\n")
            continue
        word, number, text = match.groups()
        net = nets.setdefault(int(number), {"kind": "none", "text": "", "input": [], "output": []})
        if word in ("input", "output"):
            i, name, dtype, *shape = text.split(" ")
            net[word].append((int(i), name, {"f32": numpy.float32, "i32": numpy.int32, "u8": numpy.uint8}[dtype],
                              [int(extent) for extent in shape]))
        else:
            net["kind"], net["text"], last = word, text, net
    return nets


def check_file(prefix, number, net):
    """Returns how far onnxruntime is off."""
    path = "%s%d.onnx" % (prefix, number)
    onnx.checker.check_model(path, full_check=True)
    session = session_of(path)
    feeds = {name: numpy.fromfile("%s%d.in%d" % (prefix, number, i), dtype).reshape(shape)
             for i, name, dtype, shape in net["input"]}
    wanted = {value.name: value.type for value in session.get_inputs()}
    kinds = {"tensor(int64)": numpy.int64, "tensor(bool)": bool}
    feeds = {name: feeds[name].astype(kinds.get(kind, feeds[name].dtype)) for name, kind in wanted.items()}
    worst = 0.0
    for got, (i, _, dtype, shape) in zip(session.run(None, feeds), net["output"]):
        if list(got.shape) != shape:
            raise ValueError("onnxruntime gives the shape %s; nn.h %s" % (list(got.shape), shape))
        worst = max(worst, apart(got, numpy.fromfile("%s%d.out%d" % (prefix, number, i), dtype).reshape(shape)))
    return worst


def check_net(name, prefix, number, net):
    """Returns "" or what is wrong, and what to print."""
    text = net["text"]
    if net["kind"] == "refused":
        known = [reason for words, reason in REFUSED.get(name, []) if words in text]
        return ("" if known else text), "refused: " + (known[0] if known else text)
    if net["kind"] != "saved":
        return text or "it ended early", text
    try:
        off = check_file(prefix, number, net)
    except Exception as error:  # a file that cannot be read is a result, too
        return str(error), str(error)
    said = "%s, onnxruntime is off by %.1e" % ("the same bytes" if text == "same" else text, off)
    if off > WITHIN:
        return said, said
    if text != "same":
        known = [reason for words, reason in DIFFERS.get(name, []) if " %s " % words in text]
        return ("" if known else said), said + (": " + known[0] if known else "")
    return "", said


def check_example(arguments, source, shared, work):
    name = os.path.splitext(os.path.basename(source))[0]
    words = words_of(name, arguments.models, work)
    if words is None:
        return "skipped", ["no models for it (--models)"]
    program, prefix = os.path.join(work, name), os.path.join(work, name + "-")
    missing = compile_example(arguments, source, shared, program)
    if missing:
        return "skipped", [missing]
    environment = dict(os.environ, NN_SHORT="1", EXPORT_TO=prefix, EXPORT_OPSET=str(arguments.opset))
    done = subprocess.run([program] + words, cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    nets, said, wrong = read_report(prefix + "0.report"), [], []
    for number in sorted(nets):
        fault, line = check_net(name, prefix, number, nets[number])
        names = " ".join(value[1] for value in nets[number]["output"])
        said.append("%s%d %s: %s" % ("WRONG " if fault else "", number, names, line))
        wrong += [fault] if fault else []
    if done.returncode:
        wrong.append("status")
        said.append("WRONG it ended with status %d: %s" % (done.returncode, done.stdout[-500:]))
    if not nets and name in WITHOUT:
        said.append("no net: " + WITHOUT[name])
    elif not nets:
        wrong.append("nothing")
        said.append("WRONG it planned no net")
    return "failed" if wrong else "passed", said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--link", default="")
    parser.add_argument("--models", default="")
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--opset", type=int, default=0, help="of the files; 0: nn_save_onnx's default")
    parser.add_argument("--keep", default="", help="a folder in which the files stay")
    parser.add_argument("examples", nargs="*")
    arguments = parser.parse_args()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory() as work:
        work = os.path.abspath(arguments.keep) if arguments.keep else work
        os.makedirs(work, exist_ok=True)
        shared = compile_shared(arguments, work)
        for file in sorted(os.listdir(EXAMPLES)):
            if not re.match(r"\d+_.*\.(c|cpp)$", file) or \
                    (arguments.examples and not any(word in file for word in arguments.examples)):
                continue
            try:
                result, said = check_example(arguments, os.path.join(EXAMPLES, file), shared, work)
            except subprocess.CalledProcessError as error:
                result, said = "failed", [str(error)]
            counts[result] += 1
            head = {"passed": "", "failed": "FAIL ", "skipped": "SKIP "}[result]
            print("%s%s: %s" % (head, os.path.splitext(file)[0], "".join("\n    " + line for line in said)), flush=True)
    print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % counts)
    sys.exit(counts["failed"] > 0)


main()
