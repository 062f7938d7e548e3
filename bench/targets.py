"""Prints the table of targets of bench/run.sh, and after it what each part printed.

    targets.py FOLDER       its files are those that run.sh leaves in build/bench/raw

A ratio says how many times as fast as the fastest peer of that row we are, of minima and of medians; "wanted" is what the project asks of
itself. A row that was not measured says so."""
import glob
import os
import re
import statistics
import sys

folder = sys.argv[1]


def text(name):
    path = os.path.join(folder, name)
    return open(path).read() if os.path.exists(path) else ""


def threads_of(part):
    return sorted(re.search(r"-(\d+)\.txt$", path).group(1) for path in glob.glob(os.path.join(folder, part + "-*.txt")))


# ---- steps and nets: lines "peer threads name minimum median kB" ----------------------------------

def lines(name):
    """Returns {(threads, work): {peer: (least of the minima, median of the medians)}}, in the order seen."""
    seen = {}
    for line in text(name).splitlines():
        words = line.split()
        if len(words) >= 5:
            peers = seen.setdefault((words[1], words[2]), {})
            peers.setdefault(words[0], []).append((float(words[3]), float(words[4])))
    return {key: {peer: (min(t[0] for t in times), statistics.median(t[1] for t in times)) for peer, times in peers.items()}
            for key, peers in seen.items()}


def beside(peers, only=None):
    """Returns (ratio of minima, ratio of medians, the fastest peer), or None."""
    others = {p: t for p, t in peers.items() if p != "nn.h" and (only is None or p.startswith(only))}
    if "nn.h" not in peers or not others:
        return None
    best = min(others, key=lambda p: others[p][0])
    return (others[best][0] / peers["nn.h"][0], min(t[1] for t in others.values()) / peers["nn.h"][1], best.replace("_", " "))


def number(value):
    return "%.0f" % value if value >= 1000 else "%.1f" % value if value >= 10 else "%.2f" % value


def table(rows):
    names = []
    for peers in rows.values():
        names += [p for p in peers if p not in names]
    print("| work | threads | %s | best peer / nn.h |" % " | ".join(n.replace("_", " ") for n in names))
    print("|" + " --- |" * (len(names) + 3))
    for (threads, work), peers in rows.items():
        cells = ["%s / %s" % tuple(map(number, peers[n])) if n in peers else "-" for n in names]
        ratio = beside(peers)
        print("| %s | %s | %s | %s |" % (work, threads, " | ".join(cells), "%.2f / %.2f" % ratio[:2] if ratio else "-"))


# ---- the targets ---------------------------------------------------------------------------------

def row(work, wanted, found):
    found = [f for f in found if f]
    print("| %s | %s | %s |" % (work, wanted, "; ".join(found) if found else "not measured"))


def of_steps(rows, work, only=None):
    for (threads, name), peers in rows.items():
        ratio = beside(peers, only) if name == work else None
        if ratio:
            yield "%s: **%.2f** / %.2f (%s)" % (threads, *ratio)


def matches(part, pattern, shape):
    """Yields the matches of the pattern in each file of a part, with the number of threads."""
    for threads in threads_of(part):
        for found in re.findall(pattern, text("%s-%s.txt" % (part, threads)), re.M):
            yield threads + ": " + shape % (found if isinstance(found, tuple) else (found,))


def worst_convolution():
    for threads in threads_of("convs"):
        rows = re.findall(r"^\| (\d+ .*?) \|.*\| ([\d.]+) / ([\d.]+) / ([\d.]+) \|$", text("convs-%s.txt" % threads), re.M)
        cells = [(float(value), kind, name) for name, *values in rows for kind, value in zip(("forward", "dx", "dW"), values)]
        low = ["%.2f %s of %s" % cell for cell in sorted(cells) if cell[0] < 0.9]
        if cells:
            yield threads + ": " + ("; ".join(low) if low else "none below 0.9")


def one_picture(net):
    for threads in threads_of("infer"):
        rows = re.findall(r"^\| %s \| (.+?) \| \d+ \| ([\d.]+) \| ([\d.]+) \|" % net, text("infer-%s.txt" % threads), re.M)
        peers = {name: (float(least), float(median)) for name, least, median in rows}
        ratio = beside(peers)
        if ratio:
            yield "%s: **%.2f** / %.2f (%s)" % (threads, *ratio)


def gains():
    for net in ("w2", "resnet18"):
        found = re.findall(r"^%s +(together|sharing|each) +gains ([\d.]+) of minima, ([\d.]+) of medians" % net, text("parallel.txt"), re.M)
        for what in ("together", "sharing", "each"):
            here = [f for f in found if f[0] == what]
            if here:
                yield "%s %s %s" % (net, "what the machine gives two programs" if what == "each" else what,
                                    ", ".join("%s / %s" % f[1:] for f in here))


steps, nets = lines("steps.txt"), lines("nets.txt")
cpu = re.search(r"^model name[^:]*: *(.*)$", open("/proc/cpuinfo").read(), re.M) if os.path.exists("/proc/cpuinfo") else None
print("# The targets of CPU speed, %s, %d core(s)\n" % (cpu.group(1) if cpu else "unknown CPU", os.cpu_count()))
print("`bench/run.sh` ran all programs in turn. Numbers are the fastest peer's time / ours, least / median, for each number of threads.\n")
print("| work | wanted | here |\n| --- | --- | --- |")
row("W1 step", "8", of_steps(steps, "W1_train"))
row("W2 step", "2", of_steps(steps, "W2_train"))
row("W3 step, Adam", "1.5 on one thread, 4 on two", of_steps(steps, "W3_train_adam"))
row("W4 one sample", "1.2", of_steps(steps, "W4_infer"))
row("W4 step of 32", "1.2", of_steps(steps, "W4_train_adam"))
row("W5: an image through W1's net", "5", of_steps(steps, "W5_infer_w1"))
row("W5: an image through W2's net", "2", of_steps(steps, "W5_infer_w2"))
row("products: y / dx / dW, mean; worst", "1.05; 0.95",
    matches("products", r"^Geometric mean of ours / best peer, y / dx / dW: (.*?); of medians .*; worst (.*)$", "%s; %s"))
row("convolutions, mean", "1.25", matches("convs", r"^Geometric mean: .* of all: ([\d.]+)$", "%s"))
row("convolutions, each", "0.9", worst_convolution())
row("ResNet-18 step", "1.3", of_steps(nets, "resnet18_train"))
row("MobileNetV2 step", "1.5", of_steps(nets, "mobilenet_train"))
row("ResNet-18, one picture", "1.0", one_picture("resnet18"))
row("MobileNetV2, one picture", "1.0", one_picture("mobilenet"))
row("what waits for memory, of a plain pass", "85 %", matches("bandwidth", r"^Below 85 %[^:]*: (.*)$", "below it %s"))
row("start to first step of W1", "10 ms", matches("start", r"^w1 start +\d+ thread\(s\) +([\d.]+) +([\d.]+) ms", "%s / %s ms"))
row("memory of the W1 process", "20,000 kB", matches("start", r"^w1 memory +\d+ thread\(s\) +\d+ +(\d+) kB", "%s kB"))
row("idle: CPU time between steps of 16 ms", "1 %", matches("start", r"^w1 idle +\d+ thread\(s\) +([\d.]+) %", "%s %%"))
row("digits to 98.5 %, mean of 8 seeds", "4", matches("digits", r"^mean, s: .*PyTorch / nn.h ([\d.]+)$", "%s"))
row("two processes beside one", "1.8", gains())
said = sorted(set(line for line in text("notes.txt").splitlines() if line.startswith("#")))
print("\n" + "\n".join("- " + line.lstrip("# ") for line in said))
if steps:
    print("\n## W1 to W5, microseconds, minimum / median\n")
    table(steps)
if nets:
    print("\n## Steps of nets, microseconds, minimum / median\n")
    table(nets)
avx2 = lines("avx2.txt")
if avx2:
    print("\n## The same where everybody is told AVX2, microseconds, minimum / median\n")
    table(avx2)
for part, title in (("convs", "Convolutions"), ("products", "Products"), ("infer", "One picture"), ("bandwidth", "What waits for memory"),
                    ("start", "Start, memory, idle time"), ("digits", "Digits"), ("ops", "Single operations"), ("gpt2", "GPT-2 124M")):
    files = threads_of(part)
    if files:
        print("\n## %s\n" % title)
        fenced = part in ("start", "digits", "bandwidth")
        for threads in files:
            body = text("%s-%s.txt" % (part, threads)).rstrip()
            print("```\n" + body + "\n```" if fenced else body + "\n")
if text("parallel.txt"):
    print("\n## Two processes\n\n```\n" + text("parallel.txt").rstrip() + "\n```")
