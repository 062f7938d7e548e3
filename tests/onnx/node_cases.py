"""ONNX's own cases of single nodes, through this library: for each case a C function that calls our operations.

    python tests/onnx/node_cases.py [--case part] [--opencl] [--compiler "cc -O0"] [--list]

Any Python with the package onnx (pip install onnx) will do. The script only reads that package, and writes to build/onnx.
Every case either passes on every device or has its reason in reasons.txt; a reason that no case needs any more is a failure.
The error may be a hundredth of what ONNX allows, and more only where tolerance() says so. The last line is "N passed, M failed, K skipped".
--case: only the cases whose names contain it, or one of several parts between commas. --list: a line for each case that is not mapped.
"""
import argparse
import collections
import fnmatch
import os
import subprocess
import sys
import warnings

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "onnx")
sys.path.insert(0, HERE)
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import numpy as np
        import onnx
        from onnx.backend.test.loader import load_node_model_tests
        CASES = load_node_model_tests()
except ImportError as fault:
    print("SKIP onnx: no package onnx for %s: %s (pip install onnx; PYTHON names another)" % (sys.executable, fault))
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)

import graph  # noqa: E402
from graph import Mapping, Unmapped  # noqa: E402
import operators  # noqa: E402, F401 (they register themselves)

RELATIVE, ABSOLUTE = 1e-5, 2e-6
NO_DEVICE = 3  # the status of node_cases
# ONNX writes the expected numbers of these cases with four digits.
ROUNDED = {"test_averagepool_2d_ceil_last_window_starts_on_pad", "test_gridsample_bicubic"}


def map_all(parts):
    """Returns the mapped cases whose names contain one of the parts, and for the other cases the
    keys of their reasons."""
    mapped, unmapped = [], {}
    for case in CASES:
        if not any(part in case.name for part in parts):
            continue
        try:
            for inputs, outputs in case.data_sets[:1]:
                mapped.append((Mapping(case.name, case.model, inputs, outputs), case))
        except Unmapped as why:
            unmapped[case.name] = str(why)
    return mapped, unmapped


def tolerance(mapping, case):
    """Returns tolerances below ONNX's 1e-3, except for f16 and bf16, to which its reference rounds after each step."""
    if case.name in ROUNDED:
        return case.rtol, 1e-5
    if mapping.trainer:
        return RELATIVE, ABSOLUTE
    arrays = mapping.inputs + [array for _, array in mapping.outputs]
    if any(str(array.dtype) in ("float16", "bfloat16") for array in arrays):
        return (1.6e-2, 1e-3) if "bfloat16" in [str(array.dtype) for array in arrays] else (2e-3, 1e-3)
    return RELATIVE, ABSOLUTE


def write(mapped):
    os.makedirs(BUILD, exist_ok=True)
    numbers, rows, functions, table = bytearray(), [], [], []

    def row(name, array, data, dtype):
        while len(numbers) % 8:
            numbers.append(0)
        extents = ", ".join(str(extent) for extent in array.shape) or "0"
        rows.append('{"%s", NN_%s, %d, {%s}, %d, %d},' % (name, dtype.upper(), array.ndim, extents, len(numbers), array.size))
        numbers.extend(data)

    def doubles(name, array):
        row(name, array, np.asarray(array).astype(np.float64).tobytes(), "f64")

    for k, (mapping, case) in enumerate(mapped):
        first = len(rows)
        step = mapping.trainer
        for array in mapping.inputs:
            name, array = array if step else ("", array)
            row(name, array, graph.stored(array), graph.ours(array))
        for name, array in mapping.parameters:
            row(name, array, array.astype(np.float32).tobytes(), "f32")
        body = ["(void)in;"] + mapping.lines
        for i, (c, array) in enumerate(mapping.outputs):
            doubles(c if step else "", array)
            body.append("out[%d] = %s;" % (i, c))
        if step:
            functions.append("static const nn_trainer_desc trainer%d = {%s}; /* %s */\n" % (k, step[0], case.name))
        else:
            functions.append("static void case%d(nn_model *net, nn_node **in, nn_node **out) { /* %s */\n    %s\n}\n" % (
                k, case.name, "\n    ".join(body)))
        table.append('{"%s", %s, %d, %d, %d, %d, %g, %g, %s, "%s"},' % (
            (case.name, "NULL" if step else "case%d" % k, first, len(mapping.inputs), len(mapping.parameters),
             len(mapping.outputs)) + tolerance(mapping, case) + (("&trainer%d" % k, step[1]) if step else ("NULL", ""))))
    with open(os.path.join(BUILD, "numbers"), "wb") as out:
        out.write(numbers)
    with open(os.path.join(BUILD, "cases.h"), "w") as out:
        out.write("/* Made by tests/onnx/node_cases.py; not edited by hand. */\n" + "\n".join(functions))
        out.write("\nstatic const onnx_array onnx_arrays[] = {\n" + "\n".join(rows) + "\n};\n")
        out.write("\nstatic const onnx_case onnx_cases[] = {\n" + "\n".join(table) + "\n};\n")


def run(arguments):
    """Returns {name: {device: "passed" or the reason}}, the number of missing devices, and the failures. The device "spoiled"
    is a run that computes wrong results on purpose. Each device is a process of its own, so if one dies, the others keep
    their results."""
    program = os.path.join(BUILD, "node_cases")
    command = arguments.compiler.split() + ["-w", "-I.", "-Itests/support", "tests/onnx/node_cases.c", "-o", program]
    command += [part for part in (arguments.link or "-DNN_IMPLEMENTATION -DNN_OPENCL_IMPLEMENTATION").split()]
    command += ["-DNN_TEST_OPENCL", "-DNN_OPENCL_DYNAMIC"] if arguments.opencl else []
    command += ["-lm", "-lpthread", "-ldl"]
    subprocess.run(command, cwd=ROOT, check=True)
    devices = ["plain", "cpu", "spoiled"] + (["opencl"] if arguments.opencl else [])
    running = {}
    for device in devices:
        lines = open(os.path.join(BUILD, device + ".log"), "w+")
        running[device] = subprocess.Popen([program, os.path.join(BUILD, "numbers"), device], cwd=ROOT, stdout=lines), lines
    found, missing, failures = collections.defaultdict(dict), 0, []
    for device, (process, lines) in running.items():
        status = process.wait()
        if status == NO_DEVICE and device == "opencl":
            print("SKIP onnx: no OpenCL device")
            missing += 1
        elif status:
            failures.append("node_cases %s ended with status %d" % (device, status))
        lines.seek(0)
        for line in lines:
            words = line.rstrip("\n").split(" ", 2)
            if len(words) == 3 and words[0].startswith("test_"):
                found[words[0]][words[1]] = words[2]
        lines.close()
    return found, missing, failures


def read_reasons():
    """Returns pairs (key or pattern, reason) in the order of the file."""
    reasons = []
    for line in open(os.path.join(HERE, "reasons.txt")):
        if line.strip() and not line.startswith("#"):
            key, reason = line.split(" ", 1)
            reasons.append((key, reason.strip()))
    return reasons


def judge(mapped, unmapped, results, whole):
    passed, failures = 0, []
    used, counts = set(), collections.Counter()
    reasons = read_reasons()
    devices = {device for result in results.values() for device in result if device != "spoiled"}

    def reason(name, key):
        for line, _ in reasons:
            if line == key or fnmatch.fnmatchcase(name, line):
                used.add(line)
                counts[line] += 1
                return True
        return False

    for name, key in unmapped.items():
        if not reason(name, key):
            failures.append("%s is not mapped (%s) and has no line in reasons.txt" % (name, key))
    for mapping, case in mapped:
        result = results.get(case.name, {})
        wrong = {device: result.get(device, "the program ended") for device in devices or {"cpu"}
                 if result.get(device) != "passed"}
        if not wrong:
            passed += 1
            lines = [line for line, _ in reasons if fnmatch.fnmatchcase(case.name, line)]
            if lines:
                failures.append("%s passes: its line %s in reasons.txt is wrong" % (case.name, lines[0]))
        elif not reason(case.name, None):
            device, why = sorted(wrong.items())[0]
            failures.append("%s on %s (%s): %s" % (case.name, device, " ".join(sorted(wrong)), why[:400]))
    if whole:
        failures += ["reasons.txt: no case needs the line %s" % line for line, _ in reasons if line not in used]
    return passed, failures, counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", default="")
    parser.add_argument("--opencl", action="store_true")
    parser.add_argument("--compiler", default=os.environ.get("CC", "cc") + " -O0")
    parser.add_argument("--link", default="", help="objects of the library, instead of compiling it again")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    np.seterr(all="ignore")
    parts = arguments.case.split(",")
    unknown = [part for part in parts if not any(part in case.name for case in CASES)]
    mapped, unmapped = map_all(parts)
    if arguments.list:
        for name, key in unmapped.items():
            print(key, name)
    write(mapped)
    results, missing, died = run(arguments)
    passed, failures, counts = judge(mapped, unmapped, results, not arguments.case)
    failures += died + ["no case's name contains \"%s\"" % part for part in unknown]
    for mapping, case in mapped:
        if results[case.name].get("spoiled") == "passed":
            failures.append("%s passes with wrong results" % case.name)
    for failure in failures:
        print("FAIL onnx: " + failure)
    print("onnx %s: %d cases, %d passed, %d have a reason" % (onnx.__version__, len(mapped) + len(unmapped), passed,
                                                         sum(counts.values())))
    print("%d passed, %d failed, %d skipped" % (passed, len(failures), missing))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
