#!/usr/bin/env python3
"""Runs ONNX files with nn_onnx.h and with onnxruntime, batch 1, alternately: each turn asks each side for some runs of one model.

    pip install onnxruntime numpy
    python bench/onnx.py [folder] [--threads "1 2"] [--turns 12] [--only name] [--save path] [--report] [--note words]

folder, by default ../shared/onnx, has a folder for each model: model.onnx, io.txt and case_0/in_J.npy, where io.txt has lines
`case_0 in_0  "name" float32 (1, 3)`. Its folder light/ has NAME.onnx with one input and one output, and in_0.npy. An input
without axes is fixed while our net is described. onnxruntime has its default optimisations and is told the number of threads.

Both sides run in processes of their own. A run includes giving the inputs and fetching all outputs; onnxruntime is called
from Python, as most of its users do, which adds at most 5 us to a run. "Opening" ends with the results of the first run. Memory is the
growth of the process until then. Products of quantised operators are computed in 8-bit integers on our side (nn_onnx_integers),
or with --floats in f32. Prints a table; --save also writes it to a file, with --note above it. --report: the plan
and a profile of our side instead of times."""
import argparse
import glob
import math
import os
import platform
import re
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PROGRAM = os.path.join(ROOT, "build", "bench", "bench_onnx")
TURN_US = 60e3  # runs of a turn take about as long

# Models whose arithmetic is not f32 in the file, by operators or types that onnxruntime computes with.
NARROW = re.compile(r"qdq|qoperator|int8|slovorez")


def status_kb(field):
    """A number of kB of /proc/self/status; 0 where there is no such file."""
    try:
        with open("/proc/self/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith(field)), 0)
    except OSError:
        return 0


# ---- the peer's process ----

def peer(path, threads):
    """Answers the lines that bench_onnx answers, with onnxruntime."""
    import numpy as np
    import onnxruntime as ort
    before, feeds, outputs = status_kb("VmRSS:"), {}, []
    session, results = None, []

    def start():
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        begin = time.perf_counter()
        made = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        opened = time.perf_counter()
        made.run(outputs, feeds)
        return made, (opened - begin) * 1e6, (time.perf_counter() - opened) * 1e6

    for line in sys.stdin:
        words = line.rstrip("\n").split(" ", 2)
        if words[0] == "in":
            feeds[words[2]] = np.load(words[1])
        elif words[0] == "fixed":
            feeds[words[2]] = np.array(float(words[1]), np.int64)
        elif words[0] == "out":
            outputs.append(line.rstrip("\n")[4:])
        elif words[0] in ("open", "again"):
            made, opened, first = start()
            session = session or made
            print("%.1f %.1f %d" % (opened, first, status_kb("VmHWM:") - before), flush=True)
            del made
        elif words[0] == "run":
            times = []
            for _ in range(int(words[1])):
                begin = time.perf_counter()
                results = session.run(outputs, feeds)
                times.append("%.2f" % ((time.perf_counter() - begin) * 1e6))
            print(" ".join(times), flush=True)
        elif words[0] == "sums":
            print(" ".join("%.9g" % float(np.abs(y.astype(np.float64)).sum()) for y in results), flush=True)


# ---- turns ----

class Side:
    """A process that answers each line with a line."""

    def __init__(self, command, ends):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        self.times = []
        self.process.stdin.write("".join(end + "\n" for end in ends))

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer or answer.startswith("failed"):
            raise RuntimeError(answer or "the process has ended")
        return answer

    def numbers(self, line):
        return [float(word) for word in self.ask(line).split()]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def ends_of(folder, model):
    """Returns the lines that tell a side the inputs and outputs of a model."""
    if model.startswith("light/"):
        import onnxruntime as ort
        ort.set_default_logger_severity(3)
        session = ort.InferenceSession(os.path.join(folder, model + ".onnx"), providers=["CPUExecutionProvider"])
        return (["in %s %s" % (os.path.join(folder, "light", "in_0.npy"), session.get_inputs()[0].name)]
                + ["out " + session.get_outputs()[0].name])
    lines = []
    with open(os.path.join(folder, model, "io.txt")) as file:
        for kind, index, name, shape in re.findall(r'^case_0 (in|out)_(\d+)\s+"([^"]+)" \S+ (\(.*\))', file.read(), re.M):
            path = os.path.join(folder, model, "case_0", "%s_%s.npy" % (kind, index))
            if kind == "out":
                lines.append("out " + name)
            elif shape == "()":
                import numpy as np
                lines.append("fixed %g %s" % (float(np.load(path).ravel()[0]), name))
            else:
                lines.append("in %s %s" % (path, name))
    return lines


def agree(ours, theirs):
    return all(abs(a - b) <= 0.02 * max(abs(a), abs(b)) + 1e-6 for a, b in zip(ours, theirs) if a)


def measure(folder, model, threads, turns, floats):
    """A row: least and median of a run, time of opening, memory, for us and the peer; or the words of a refusal."""
    path = os.path.join(folder, model + ".onnx" if model.startswith("light/") else os.path.join(model, "model.onnx"))
    ends = ends_of(folder, model)
    ours = Side([PROGRAM, path, str(threads)] + floats, ends)
    theirs = Side([sys.executable, os.path.abspath(__file__), "--peer", path, str(threads)], ends)
    try:
        opened = [ours.numbers("open")], [theirs.numbers("open")]
        for i in range(2):
            opened[0].append(ours.numbers("again"))
            opened[1].append(theirs.numbers("again"))
        counts = []
        for side in (ours, theirs):
            counts.append(max(3, min(400, int(TURN_US / min(side.numbers("run 3"))))))
        for turn in range(turns):
            for side, count in zip((ours, theirs), counts):
                time.sleep(0.02)  # the other side's threads go to sleep
                side.times += side.numbers("run %d" % (count + 1))[1:]
        if not agree(ours.numbers("sums"), theirs.numbers("sums")):
            print("%s: results differ by more than 2 %%" % model)
        rows = []
        for side, times in ((ours, opened[0]), (theirs, opened[1])):
            least = min(times, key=lambda t: sum(t[:-1]))
            rows.append((min(side.times), statistics.median(side.times), sum(least[:-1]), times[0][-1], least[:-1]))
        return rows
    except RuntimeError as reason:
        return str(reason)
    finally:
        ours.close()
        theirs.close()


def report(folder, model, threads, floats):
    path = os.path.join(folder, model + ".onnx" if model.startswith("light/") else os.path.join(model, "model.onnx"))
    side = Side([PROGRAM, path, str(threads)] + floats, ends_of(folder, model))
    for line in ("open", "run 20", "plan", "profile"):
        print(model, line, side.ask(line)[:200], flush=True)
    side.close()


def models_of(folder):
    found = [os.path.basename(os.path.dirname(p)) for p in glob.glob(os.path.join(folder, "*", "model.onnx"))]
    found += ["light/" + os.path.basename(p)[:-5] for p in glob.glob(os.path.join(folder, "light", "*.onnx"))]
    return sorted(found)


def mean_of(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def ms(us):
    return "%.3g" % (us / 1000) if us < 1e6 else "%.0f" % (us / 1000)


def table(folder, models, threads, turns, floats):
    """Lines of the table of a number of threads; refused models are told after it."""
    head = "run, ms: ours, onnxruntime (least / median) | ratio of medians (of least) | opening, ms: ours, onnxruntime | ratio | memory, MB: ours, onnxruntime"
    lines, ratios, openings, refused = ["| model | " + head + " |", "| --- | --- | --- | --- | --- | --- |"], [], [], []
    for model in models:
        rows = measure(folder, model, threads, turns, floats)
        if isinstance(rows, str):
            refused.append("- %s: %s" % (model, rows[:300]))
            continue
        a, b = rows
        lines.append("| %s | %s / %s, %s / %s | %.2f (%.2f) | %s, %s | %.2f | %.1f, %.1f |" % (
            model, ms(a[0]), ms(a[1]), ms(b[0]), ms(b[1]), b[1] / a[1], b[0] / a[0], ms(a[2]), ms(b[2]), b[2] / a[2],
            a[3] / 1024, b[3] / 1024))
        print("%d %s" % (threads, lines[-1]), flush=True)
        if not NARROW.search(model):
            ratios.append((b[1] / a[1], b[0] / a[0]))
            openings.append(b[2] / a[2])
    lines += ["", "Geometric mean of the %d f32 models: %.2f by medians, %.2f by the least times; opening: %.2f." % (
        len(ratios), mean_of([r[0] for r in ratios]), mean_of([r[1] for r in ratios]), mean_of(openings))]
    return lines, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.path.join(ROOT, "..", "shared", "onnx"))
    parser.add_argument("--threads", default="1 2")
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--only", default="")
    parser.add_argument("--save", default="")
    parser.add_argument("--note", default="")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--floats", action="store_true")
    arguments = parser.parse_args()
    folder = os.path.abspath(arguments.folder)
    models = [m for m in models_of(folder) if arguments.only in m] if os.path.isdir(folder) else []
    if not models:
        print("SKIP onnx: no models in %s" % arguments.folder)
        return
    try:
        import numpy  # noqa: F401
        import onnxruntime as ort
    except ImportError as fault:
        print("SKIP onnx: %s has no onnxruntime: %s (pip install onnxruntime numpy)" % (os.path.basename(sys.executable), fault))
        return
    subprocess.run(["make", "build/bench/bench_onnx"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    floats = ["floats"] if arguments.floats else []
    if arguments.report:
        for model in models:
            report(folder, model, int(arguments.threads.split()[0]), floats)
        return
    text = ["`python bench/onnx.py`, onnxruntime %s, Python %s. A ratio above 1 means that nn.h is faster." % (
        ort.__version__, platform.python_version())]
    text += [arguments.note] if arguments.note else []
    for threads in map(int, arguments.threads.split()):
        lines, refused = table(folder, models, threads, arguments.turns, floats)
        text += ["", "## %d thread%s" % (threads, "" if threads == 1 else "s"), ""] + lines
    text += ["", "Refused or failed:", ""] + refused if refused else []
    print("\n".join(text))
    if arguments.save:
        with open(arguments.save, "w") as file:
            file.write("\n".join(text) + "\n")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "--peer":
        sys.path = [p for p in sys.path if os.path.abspath(p or ".") != HERE]
        peer(sys.argv[2], int(sys.argv[3]))
    else:
        sys.path = [p for p in sys.path if os.path.abspath(p or ".") != HERE]
        main()
