"""Checks the files that nn_save_onnx writes: every one passes onnx.checker with full checks, and
onnxruntime computes what nn.h computes, within 1e-5 of the largest number of each output.

  save_models.py PROGRAM FOLDER            models in FOLDER (model.onnx, io.txt, case_0): PROGRAM
                                           (save_models.c) reads each, writes it, reads it again
  save_models.py PROGRAM --files FILE...   files that were written before: runs them in both

Needs onnx, onnxruntime and numpy. Prints a line for each model; exit code 1 if one is wrong."""
import os
import shutil
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnxruntime

WITHIN = 1e-5
# Trees, which nn_onnx.h refuses, and a net whose extents these arguments do not describe.
LEFT_OUT = ("yomi-trees", "vad-v5")


def run_program(program, model, out, batch, time, words):
    done = subprocess.run([program, model, out, str(batch), str(time)] + words, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.strip()


def session_of(path, optimised=True):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    if not optimised:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def apart(one, other):
    """Returns the largest difference of two arrays, divided by the largest number."""
    one, other = one.astype(numpy.float64), other.astype(numpy.float64)
    same = (one == other) | (numpy.isnan(one) & numpy.isnan(other))
    off = numpy.where(same, 0, numpy.abs(one - other))
    if numpy.isnan(off).any():
        return float("inf")
    return float(numpy.max(off, initial=0)) / max(float(numpy.max(numpy.abs(one), initial=0)), 1e-30)


def compare(path, feeds):
    """Runs onnxruntime. Returns how far nn.h's numbers are off, and how far they may be: 1e-5, or ten
    times the difference between onnxruntime with and without its optimisations."""
    session = session_of(path)
    names = {i.name for i in session.get_inputs()}
    feeds = {n: a for n, a in feeds.items() if n in names}
    plain = session_of(path, False).run(None, feeds)
    worst, within = 0.0, WITHIN
    for k, got in enumerate(session.run(None, feeds)):
        if k == 8:
            break  # plans of save_models.c have no more outputs
        ours = numpy.fromfile(f"{path}.{k}", got.dtype).reshape(got.shape)
        worst = max(worst, apart(got, ours))
        within = max(within, 10 * apart(got, plain[k]))
    return worst, within


def raw(folder, name, array):
    if array.dtype == numpy.int64:
        array = array.astype(numpy.int32)
    if array.dtype == numpy.float64 or array.dtype == numpy.float16:
        array = array.astype(numpy.float32)
    path = os.path.join(folder, name.replace("/", "_").replace(":", "_") + ".raw")
    numpy.ascontiguousarray(array).tofile(path)
    return path, array


def words_of(folder, work, first, states=False):
    """Returns the arguments for a model (its inputs, and its extents from axis `first` on as numbers),
    the inputs and the batch. states: axis 1 of inputs named "state" is the batch."""
    words, feeds, batch = [], {}, 1
    for line in open(os.path.join(folder, "io.txt")):
        case, which, name = line.split()[:3]
        name = name.strip('"')
        if case != "case_0" or not which.startswith("in_"):
            continue
        array = numpy.load(os.path.join(folder, case, which + ".npy"))
        if array.ndim == 0:
            words += ["value", name, str(array)]
            continue
        for axis in range(first, array.ndim):
            free = states and name == "state" and axis == 1
            words += ["extent", f"{name}.{axis}", "batch" if free else str(array.shape[axis])]
        batch = batch if feeds else array.shape[0]
        path, feeds[name] = raw(work, name, array)
        words += ["input", name, path]
    return words, feeds, batch


def check_model(program, folder, work):
    """Reads a model that others made, writes it and reads it again, with a free batch if
    possible."""
    out = os.path.join(work, "out.onnx")
    for first, states in ((1, False), (1, True), (0, False)):
        words, feeds, batch = words_of(folder, work, first, states)
        code, said = run_program(program, os.path.join(folder, "model.onnx"), out, batch, 1, words)
        if code == 0:
            break
    if code:
        return False, said
    names = [line.split(" ", 1)[1] for line in said.split("\n") if line.startswith("input ")]
    onnx.checker.check_model(out, full_check=True)
    worst, within = compare(out, dict(zip(names, feeds.values())))
    said = said.split("\n")[-1]
    return worst <= within and said == "same", f"{said}, off by {worst:.1e} of {within:.0e}"


def check_file(program, path, work):
    """Checks a file that nn_save_onnx has written, on random inputs."""
    onnx.checker.check_model(path, full_check=True)
    random = numpy.random.default_rng(1)
    words, feeds, sizes = [], {}, {"batch": 2, "time": 3}
    for one in onnx.load(path).graph.input:
        shape = []
        for d in one.type.tensor_type.shape.dim:
            number = 1
            for part in (d.dim_param or str(d.dim_value)).split("*"):
                number *= sizes[part] if part in sizes else int(part)
            shape.append(number)
        kind = one.type.tensor_type.elem_type
        if kind == onnx.TensorProto.FLOAT:
            array = random.uniform(0.1, 1, shape).astype(numpy.float32)
        else:
            array = random.integers(0, 2, shape).astype(onnx.helper.tensor_dtype_to_np_dtype(kind))
        name, feeds[one.name] = raw(work, one.name, array)
        words += ["input", one.name, name]
    out = os.path.join(work, os.path.basename(path))
    words = ["extent", "batch", "batch", "extent", "time", "time"] + words + ["again"]
    code, said = run_program(program, path, out, sizes["batch"], sizes["time"], words)
    if code:
        return False, said
    shutil.copy(path, out)
    worst, within = compare(out, feeds)
    return worst <= within, f"off by {worst:.1e} of {within:.0e}"


def main():
    program, wrong = os.path.abspath(sys.argv[1]), 0
    if sys.argv[2] == "--files":
        todo = [(check_file, path) for path in sys.argv[3:]]
    else:
        todo = [(check_model, os.path.join(sys.argv[2], name))
                for name in sorted(os.listdir(sys.argv[2]))
                if os.path.exists(os.path.join(sys.argv[2], name, "io.txt")) and name not in LEFT_OUT]
    for check, path in todo:
        with tempfile.TemporaryDirectory() as work:
            try:
                fine, words = check(program, path, work)
            except Exception as error:  # a file that cannot be read is a result, too
                fine, words = False, str(error)
        wrong += not fine
        print(f"{os.path.basename(path):24} {'ok' if fine else 'WRONG'}  {words}", flush=True)
    print(f"{len(todo) - wrong} of {len(todo)} as wanted")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
