"""ONNX's own test models through nn_onnx.h: opened, described, run, and compared with the outputs that ONNX has for them.

    python tests/onnx/model_cases.py [--case part] [--kind node] [--link "nn.o"] [--list]

Any Python with the package onnx (pip install onnx) will do. The script writes only to build/onnx.
A file has its weights and the numbers that steer it (axes, shapes) as initializers; the node cases have them as inputs. So
each case is tried in several forms, one after the other until one is not refused: "inputs" as ONNX has it; "steered" with
the whole numbers after the first input as initializers; "weights" with all inputs but the first as initializers; "known"
with all of them, which the importer computes while it reads. A form that is not refused must give the right numbers.

Counts how many cases passed in each form. Prints a line for each wrong result and each crash, the reasons of the refused
cases with their numbers (--list: a line for each case), and at the end "N passed, M failed, K skipped". The status is 1 if one is wrong or crashed, or
if fewer pass than LEAST.
--form: only this form of each case.
--free batch, time or both: the first axes of inputs are NN_BATCH, the second ones NN_TIME, where all inputs that have them
agree. Then much more is refused, and what is not must still be right.
--opset N: each form is converted to that older opset by onnx's version_converter; if that fails, the form is left out.
--integers: with nn_onnx_integers.
--case: only cases whose names contain it, or one of several parts between commas. --kind: node, simple,
pytorch-converted or pytorch-operator. Default: all of them.
"""
import argparse
import collections
import glob
import os
import re
import subprocess
import sys
import warnings

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "onnx", "models")
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import numpy as np
        import onnx
        from onnx import numpy_helper, version_converter
        from onnx.backend.test.loader import load_model_tests
except ImportError as fault:
    print("SKIP onnx: no package onnx for %s: %s (pip install onnx; PYTHON names another)" % (sys.executable, fault))
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)

KINDS = ["node", "simple", "pytorch-converted", "pytorch-operator"]
LEAST = {0: 1677, 9: 119, 12: 222}  # cases that pass, as they are and converted to older opsets
RELATIVE, ABSOLUTE = 1e-5, 2e-6  # as node_cases.py has them
# ONNX has the outputs of these cases with four digits only.
ROUNDED = {"test_averagepool_2d_ceil_last_window_starts_on_pad", "test_gridsample_bicubic", "test_roialign_aligned_false",
           "test_roialign_aligned_true"}
# In training, their dropout draws from a generator other than ours.
RANDOM = {"test_training_dropout", "test_training_dropout_default"}
# Softmax flattens before opset 13, and onnx's converter keeps axes that then mean something else: onnxruntime computes from
# the converted files what we do.
CONVERTED_WRONG = {"test_%s_axis_%d" % (kind, axis) for kind in ("softmax", "logsoftmax") for axis in (0, 1)}
STEERING = {"shape", "size", "start", "limit", "delta", "axes"}  # names of inputs with shapes, ranges or axes
FORMS = ["inputs", "steered", "weights", "known"]


def numbers_of(value):
    """Returns an input or output as an array; None for a list, strings and complex numbers."""
    if isinstance(value, onnx.TensorProto):
        value = numpy_helper.to_array(value)
    if value is None or isinstance(value, (list, dict, tuple, onnx.SequenceProto, onnx.MapProto, onnx.OptionalProto)):
        return None
    array = np.asarray(value)
    return None if array.dtype.kind in "OUSTc" else array


def read(path, kind):
    """Returns the value in a .pb file."""
    message = {"tensor_type": onnx.TensorProto, "sequence_type": onnx.SequenceProto,
               "optional_type": onnx.OptionalProto}[kind]()
    with open(path, "rb") as file:
        message.ParseFromString(file.read())
    return message


def load(kind):
    """Yields name, model, inputs, outputs and relative tolerance of each case of a kind."""
    for case in load_model_tests(kind=kind):
        if case.model:
            inputs, outputs = case.data_sets[0]
            yield case.name, case.model, inputs, outputs, case.rtol
            continue
        model = onnx.load(os.path.join(case.model_dir, "model.onnx"))
        sets = sorted(glob.glob(os.path.join(case.model_dir, "test_data_set*")))
        given = {tensor.name for tensor in model.graph.initializer}
        values = []
        for word, infos in (("input", model.graph.input), ("output", model.graph.output)):
            infos = [info for info in infos if info.name not in given] if word == "input" else infos
            values.append([read(os.path.join(sets[0], "%s_%d.pb" % (word, i)), info.type.WhichOneof("value"))
                           for i, info in enumerate(infos)] if sets else [])
        yield case.name, model, values[0], values[1], case.rtol


def is_known(form, i, name, array):
    if form == "inputs" or array is None:
        return False
    whole = array.dtype.kind in "iub" or array.size <= 1
    steered = whole and (i > 0 or name in STEERING)
    return form == "known" or steered or form == "weights" and i > 0


def tolerance(name, arrays, relative):
    """Returns tolerances below ONNX's 1e-3, except for f16 and bf16: its reference rounds to them after each step."""
    if name in ROUNDED:
        return relative, 1e-5
    dtypes = [str(array.dtype) for array in arrays if array is not None]
    if "bfloat16" in dtypes or "float16" in dtypes:
        return (1.6e-2, 1e-3) if "bfloat16" in dtypes else (2e-3, 1e-3)
    return RELATIVE, ABSOLUTE


def free_axes(free, arrays):
    """Returns the axes that are free in all inputs with more than one number, or an empty set."""
    axes = {"": [], "batch": [0], "time": [1], "both": [0, 1]}[free]
    large = [array for array in arrays if array is not None and array.size > 1]
    return [axis for axis in axes if large and all(array.ndim > axis and array.shape[axis] > 0 for array in large) and
            len({array.shape[axis] for array in large}) == 1]


class Writer:
    """Writes the list of the cases and the file of their numbers, all as f64."""

    def __init__(self, free, forms, opset=0):
        self.free, self.forms, self.opset = free, forms, opset
        os.makedirs(BUILD, exist_ok=True)
        self.list = open(os.path.join(BUILD, "list"), "w")
        self.numbers = open(os.path.join(BUILD, "numbers"), "wb")
        self.at = self.files = 0

    def array(self, word, name, array):
        kind = {"uint8": "u", "int8": "c", "bool": "b"}.get(str(array.dtype), "i" if array.dtype.kind in "iu" else "f")
        self.list.write("%s %s %d %d %s %s\n" % (word, kind, self.at, array.ndim, " ".join(str(n) for n in array.shape),
                                                name))
        with np.errstate(all="ignore"):
            array = array.astype(np.float32) if str(array.dtype) == "float64" else array  # f64 is f32 here
            self.numbers.write(np.ascontiguousarray(array).astype(np.float64).tobytes())
        self.at += array.size

    def case(self, name, model, inputs, outputs, relative):
        graph = model.graph
        given = {tensor.name for tensor in graph.initializer}
        infos = [info for info in graph.input if info.name not in given]
        forms, written = [], set()
        for form in self.forms:
            known = [i for i, info in enumerate(infos) if i < len(inputs) and is_known(form, i, info.name, inputs[i])]
            if tuple(known) in written:
                continue
            written.add(tuple(known))
            made = self.made(model, known, inputs, infos)
            if made:
                forms.append((form, made, known))
        if not forms:
            return
        self.list.write("case %s %g %g\n" % ((name,) + tolerance(name, inputs + outputs, relative)))
        for form, made, known in forms:
            self.form(form, made, known, inputs, infos)
        for info, array in zip(graph.output, outputs):
            if array is not None:
                self.array("out", info.name, array)
            else:
                self.list.write("none %s\n" % info.name)

    def made(self, model, known, inputs, infos):
        """Returns the model with known inputs as initializers, or None if it cannot be converted to the older opset."""
        made = onnx.ModelProto()
        made.CopyFrom(model)
        for i in known:
            made.graph.initializer.append(numpy_helper.from_array(inputs[i], infos[i].name))
        own = [entry.version for entry in made.opset_import if entry.domain in ("", "ai.onnx")]
        if self.opset and (not own or own[0] <= self.opset):
            return None
        try:
            return version_converter.convert_version(made, self.opset) if self.opset else made
        except Exception:  # the converter raises many kinds
            return None

    def form(self, form, made, known, inputs, infos):
        run = [inputs[i] for i in range(len(inputs)) if i not in known]
        free = free_axes(self.free, run)
        for info in made.graph.input:
            dims = info.type.tensor_type.shape.dim if info.type.HasField("tensor_type") else []
            for axis in free:
                if axis < len(dims):
                    dims[axis].dim_param = "free%d" % axis
        path = os.path.join(BUILD, "%d.onnx" % self.files)
        self.files += 1
        with open(path, "wb") as file:
            file.write(made.SerializeToString())
        extents = [next(array.shape[axis] for array in run if array is not None and array.size > 1) if axis in free else 0
                   for axis in range(2)]
        self.list.write("form %s %s %d %d\n" % (form, path, extents[0], extents[1]))
        for i, info in enumerate(infos):
            if i < len(inputs) and i not in known and inputs[i] is not None:
                self.array("in", info.name, inputs[i])

    def close(self):
        self.list.write("end\n")
        self.list.close()
        self.numbers.close()


def compile(arguments):
    """Builds model_cases.c and returns its path."""
    program = os.path.join(BUILD, "model_cases")
    link = arguments.link.split() if arguments.link else ["-DNN_IMPLEMENTATION"]
    link += ["-DNN_IMPLEMENTED"] if arguments.link else []
    command = arguments.compiler.split() + ["-w", "-I.", "-Itests/support", "tests/onnx/model_cases.c", "-o", program] + link + ["-lm", "-lpthread"]
    subprocess.run(command, cwd=ROOT, check=True)
    return program


def run(program, *more):
    """Returns name -> (form, how it ended, words). A crash ends the program, which is started again after that case."""
    found, begun = {}, 0
    while True:
        done = subprocess.run([program, os.path.join(BUILD, "list"), os.path.join(BUILD, "numbers"), str(begun), *more],
                              cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        name = None
        for line in done.stdout.decode(errors="replace").split("\n"):
            words = line.split(" ", 3)
            if words[0] == "begin":
                begun, name = int(words[1]) + 1, words[2]
            elif words[0] == name and len(words) == 4:
                found[name] = words[1:]
                name = None
        if not done.returncode:
            return found
        if name is None:
            raise SystemExit("model_cases ended with status %d" % done.returncode)
        found[name] = ["?", "crashed", "status %d" % done.returncode]


def short(words):
    """Returns the causes of a refusal without names, for counting."""
    parts = re.findall(r'\|\s+\d+\. (.*?)\|\s+cause: (.*?)(?:\||$)', words)
    if not parts:
        return words[:200]
    return "; ".join("%s: %s" % (re.sub(r' ".*?"| \(opset \d+\)', "", subject), cause) for subject, cause in parts)[:200]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", default="")
    parser.add_argument("--kind", default="")
    parser.add_argument("--compiler", default=os.environ.get("CC", "cc") + " -O1")
    parser.add_argument("--link", default="", help="objects of the library, instead of compiling it again")
    parser.add_argument("--form", default="", choices=[""] + FORMS)
    parser.add_argument("--free", default="", choices=["", "batch", "time", "both"])
    parser.add_argument("--opset", type=int, default=0)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--integers", action="store_true")
    arguments = parser.parse_args()
    if arguments.integers:
        os.environ["ONNX_INTEGERS"] = "1"
    np.seterr(all="ignore")
    writer = Writer(arguments.free, [arguments.form] if arguments.form else FORMS, arguments.opset)
    for kind in KINDS:
        if arguments.kind and kind not in arguments.kind.split(","):
            continue
        for name, model, inputs, outputs, relative in load(kind):
            wrong = name in RANDOM or 0 < arguments.opset < 13 and name in CONVERTED_WRONG
            if not wrong and any(part in name for part in arguments.case.split(",")):
                writer.case(name, model, [numbers_of(value) for value in inputs], [numbers_of(value) for value in outputs],
                            relative)
    writer.close()
    program = compile(arguments)
    found = run(program)
    spoiled = [name for name, (_, ending, _) in run(program, "spoiled").items() if ending == "passed"]
    ways = collections.Counter(form for form, ending, _ in found.values() if ending == "passed")
    reasons = collections.defaultdict(list)
    bad = 0
    for name, (form, ending, words) in sorted(found.items()):
        if ending == "refused" or ending == "passed" and form == "known":
            reasons[("refused: " if ending == "refused" else "only known: ") + short(words)].append(name)
        if ending in ("wrong", "crashed"):
            bad += 1
            print("FAIL onnx: %s (%s) %s: %s" % (name, form, ending, words[:600]))
        if arguments.list:
            print("%s (%s) %s: %s" % (name, form, ending, words))
    for reason, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print("%5d %s (%s%s)" % (len(names), reason, ", ".join(names[:3]), " ..." if len(names) > 3 else ""))
    refused = sum(ending == "refused" for _, ending, _ in found.values())
    passed = sum(ways.values())
    print("onnx %s: %d cases, %d passed (%s), %d refused, %d wrong or crashed" % (
        onnx.__version__, len(found), passed, ", ".join("%s %d" % (form, ways[form]) for form in FORMS), refused, bad))
    for name in spoiled:
        bad += 1
        print("FAIL onnx: %s passes with wrong results" % name)
    least = 1 if arguments.form or arguments.free or arguments.case or arguments.kind else LEAST.get(arguments.opset, 1)
    few = passed < least
    if few:
        print("FAIL onnx: fewer than %d pass" % least)
    print("%d passed, %d failed, 0 skipped" % (passed, bad + few))
    return 1 if bad or few else 0


if __name__ == "__main__":
    sys.exit(main())
