"""The share of the memory's bandwidth that operations limited by memory reach: norms, chains of
elements, pools, softmax, losses, reductions, updates.

    python3 bench/bandwidth.py [threads [rounds [seconds [part of a name]]]]

BENCH_OPS, BENCH_UPDATE: our programs (build/bench/...). Tensors have 64 MB or more, which no cache holds. Each round times plain passes
(bandwidth.h), which read 0 to 3 tensors of 64 MB and write one or none, before and after each row. A row that must read a numbers and write
b, each once, ideally takes as long as the pass with the same counts, or a time between two passes. The share is this time divided by the row's, each the
least of its rounds. Data that a row needs twice but can keep in a cache meanwhile (statistics of a norm) counts once. Updates write in place, which takes less time than
a pass that writes elsewhere.

The last column is the same share for tensors of a 64th of the size, which a cache near the core holds, scaled by the number of elements: what the
core's own work takes without waiting for memory. At 100 % or less, no memory could make the row faster."""
import math
import os
import subprocess
import sys

threads = int(sys.argv[1]) if len(sys.argv) > 1 else 1
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.05
part = sys.argv[4] if len(sys.argv) > 4 else ""
WANTED = 0.85
# A max pool also writes the places of the maxima. Its gradient reads only these and dy.
IMAGE, FLAT, LOGITS, ROWS = 64 * 128 * 32 * 32, 1024 * 4096, 4096 * 1000, 4096 * 768

# name: numbers of its tensors; how many of them it reads and writes, forward; then backward (None: no such row)
ops = {
    "relu": (FLAT, (1, 1), (2, 1)), "sigmoid": (FLAT, (1, 1), (2, 1)), "tanh": (FLAT, (1, 1), (2, 1)), "exp": (FLAT, (1, 1), (2, 1)),
    "gelu": (FLAT, (1, 1), (2, 1)), "silu": (FLAT, (1, 1), (2, 1)), "hardswish": (FLAT, (1, 1), (2, 1)),
    "add": (FLAT, (2, 1), None), "multiply": (FLAT, (2, 1), (2, 1)), "lerp": (FLAT, (3, 1), (2, 1)), "where": (FLAT, (3, 1), (2, 1)),
    "chain": (FLAT, (1, 1), (2, 1)), "chain_residual": (FLAT, (2, 1), (3, 1)), "chain_clip": (FLAT, (3, 1), (4, 1)),
    "squared_difference": (FLAT, (2, 1), (3, 1)), "l1": (FLAT, (2, 1), (3, 1)), "smooth_l1": (FLAT, (2, 1), (3, 1)),
    "huber": (FLAT, (2, 1), (3, 1)), "bce_with_logits": (FLAT, (2, 1), (3, 1)),
    "batch_norm_train": (IMAGE, (1, 1), (2, 1)), "batch_norm_eval": (IMAGE, (1, 1), (2, 1)), "layer_norm": (ROWS, (1, 1), (2, 1)),
    "rms_norm": (ROWS, (1, 1), (2, 1)), "group_norm": (IMAGE, (1, 1), (2, 1)), "instance_norm": (IMAGE, (1, 1), (2, 1)),
    "max_pool_2": (IMAGE, (1, 0.5), (0.5, 1)), "max_pool_3_2_1": (IMAGE, (1, 0.5), (0.5, 1)),
    "avg_pool_2": (IMAGE, (1, 0.25), (0.25, 1)), "avg_pool_3_1_1": (IMAGE, (1, 1), (1, 1)), "global_avg_pool": (IMAGE, (1, 0), (0, 1)),
    "softmax": (LOGITS, (1, 1), (2, 1)), "log_softmax": (LOGITS, (1, 1), (2, 1)), "cross_entropy": (LOGITS, (1, 0), (1, 1)),
    "sum_last": (LOGITS, (1, 0), (0, 1)), "sum_first": (LOGITS, (1, 0), (0, 1)), "mean_channels": (IMAGE, (1, 0), (0, 1)),
    "amax_last": (LOGITS, (1, 0), (1, 1)), "var_last": (LOGITS, (1, 0), (1, 1)), "logsumexp_last": (LOGITS, (1, 0), (1, 1)),
}
# The update of bench_update's largest parameter reads gradient, parameter and moments, and writes
# all but the gradient. SGD has no momentum.
updates = {"sgd": (2, 1), "adam": (4, 3), "adamw": (4, 3), "rmsprop": (3, 2), "adagrad": (3, 2), "adadelta": (4, 3), "nadam": (4, 3),
           "radam": (4, 3), "adamax": (4, 3), "lion": (3, 2)}

program = os.environ.get("BENCH_OPS", "build/bench/bench_ops")
update = os.environ.get("BENCH_UPDATE", "build/bench/bench_update")
TIMES = 4
ours = subprocess.Popen([program, str(threads), str(seconds), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                        env=dict(os.environ, BENCH_TIMES=str(TIMES)))
COUNT = 4194304 * TIMES
PART = 64
near = subprocess.Popen([program, "1", str(seconds), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                        env=dict(os.environ, BENCH_TIMES="1/%d" % PART))


def ask(row, of=ours):
    print(row, file=of.stdin, flush=True)
    return float(of.stdout.readline().split()[1])


def passes(reads):
    """Returns the microseconds of the plain passes with which a row of this many reads is compared,
    for COUNT numbers."""
    took = {0: ask("memory_0")}
    if reads < 1:
        took["written"] = min(ask("memory_written"), ask("memory_written_past"))
    for n in range(1, min(3, math.ceil(reads)) + 1):
        took[n] = min(ask("memory_%d" % n), ask("memory_%d_past" % n))
    return took


def wanted_of(took, reads, writes):
    if writes == 0:
        return reads * took[0]
    if reads < 1:
        return reads * took[0] + writes * took["written"]
    low = int(min(reads, 3))
    time = took[low] + (writes - 1) * (took[1] - took[0])
    return time + (reads - low) * took[0]


below = []
print("nn.h, %d thread(s). Microseconds; the share is the time that memory needs divided by the row's time." % threads)
print("%-26s %10s %10s %8s %8s" % ("row", "wanted", "taken", "share", "in cache"))


def say(name, wanted, taken, core):
    """core: the time that one core takes for the same work with data in its cache."""
    share, best = wanted / taken, wanted / (core / threads)
    print("%-26s %10.0f %10.0f %7.0f%% %7.0f%%" % (name, wanted, taken, 100 * share, 100 * best), flush=True)
    if share < WANTED:
        below.append("%s %.0f of %.0f" % (name, 100 * share, 100 * best))


for name, (count, forward, backward) in ops.items():
    for row, moves in ((name, forward), (name + "_backward", backward)):
        if moves is None or part not in row:
            continue
        taken, wanted = [], []
        for _ in range(rounds):
            wanted.append(wanted_of(passes(moves[0]), *moves) * count * TIMES / COUNT)
            taken.append(ask(row))
        wanted.append(wanted_of(passes(moves[0]), *moves) * count * TIMES / COUNT)
        say(row, min(wanted), min(taken), min(ask(row, near) for _ in range(3)) * PART * TIMES)


def take(name, threads, times):
    lines = subprocess.run([update, str(threads), name], stdout=subprocess.PIPE, text=True,
                           env=dict(os.environ, BENCH_TIMES=times)).stdout.splitlines()
    words = [line for line in lines if line.startswith(name + " ") and "as a program" not in line][0].split()
    return float(words[3]) * 1e3


for name, moves in updates.items():
    if part not in "update_" + name:
        continue
    taken, wanted = [], []
    for _ in range(rounds):
        wanted.append(wanted_of(passes(moves[0]), *moves))
        taken.append(take(name, threads, str(TIMES)))
    say("update_" + name, min(wanted), min(taken), take(name, 1, "1/%d" % PART) * PART * TIMES)
print("Below 85 %%, and the share that the core alone would allow: %s" % (", ".join(below) or "none"))
for one in (ours, near):
    one.stdin.close()
    one.wait()
