"""Measures the convolutions of bench_convs.c and those of PyTorch alternately, in one run:

    python bench/pytorch_convs.py [threads [rounds [seconds [first row [rows]]]]]

BENCH_CONVS: our program (build/bench/bench_convs). Prints GFLOP/s by the count of direct sums, of the fastest call of all rounds. PyTorch's
is the better of NCHW and channels_last, x, weight and y in the same layout. The ratio is how many times faster than PyTorch we are."""
import math
import os
import subprocess
import sys
import time

# A malloc that keeps its pages; the program starts itself again with it.
if "MALLOC_TRIM_THRESHOLD_" not in os.environ:
    os.environ.update({"MALLOC_MMAP_THRESHOLD_": "4294967296", "MALLOC_TRIM_THRESHOLD_": "8589934592", "MALLOC_TOP_PAD_": "67108864"})
    os.execv(sys.executable, [sys.executable] + sys.argv)

import torch

threads = int(sys.argv[1]) if len(sys.argv) > 1 else 2
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.05
first = int(sys.argv[4]) if len(sys.argv) > 4 else 0
count = int(sys.argv[5]) if len(sys.argv) > 5 else 99
torch.set_num_threads(threads)
ROWS = [(64, 3, 64, 64, 16, 3, 1, 1, 1), (64, 32, 28, 28, 64, 3, 1, 1, 1), (32, 64, 32, 32, 64, 3, 1, 1, 1),
        (32, 128, 16, 16, 128, 3, 1, 1, 1), (32, 256, 8, 8, 256, 3, 1, 1, 1), (32, 512, 4, 4, 512, 3, 1, 1, 1),
        (32, 64, 32, 32, 128, 3, 2, 1, 1), (8, 256, 14, 14, 1024, 1, 1, 0, 1), (8, 3, 224, 224, 64, 7, 2, 3, 1),
        (8, 32, 56, 56, 32, 3, 1, 1, 32), (1, 64, 56, 56, 64, 3, 1, 1, 1), (1, 256, 14, 14, 256, 3, 1, 1, 1)]


def theirs(row, kind, layout):
    n, c, h, w, k, r, stride, pad, groups = row
    x = (torch.rand(n, c, h, w) - 0.5).contiguous(memory_format=layout)
    weight = (torch.rand(k, c // groups, r, r) - 0.5).contiguous(memory_format=layout)
    y = torch.conv2d(x, weight, None, stride, pad, 1, groups)
    mask = [kind == 1, kind == 2, False]

    def call():
        if kind == 0:
            return torch.conv2d(x, weight, None, stride, pad, 1, groups)
        return torch.ops.aten.convolution_backward(y, x, weight, None, [stride] * 2, [pad] * 2, [1, 1], False, [0, 0], groups, mask)

    work = 2 * y.numel() * weight[0].numel()
    with torch.no_grad():
        call()
        best, calls, end = 1e9, 0, time.perf_counter() + seconds
        while calls < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            call()
            best = min(best, time.perf_counter() - start)
            calls += 1
    return work / best * 1e-9


program = os.environ.get("BENCH_CONVS", "build/bench/bench_convs")
ours = subprocess.Popen([program, str(threads), str(seconds), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(f"GFLOP/s, {threads} thread(s), PyTorch {torch.__version__}: forward / input / weight\n\n"
      "| N C H W K R stride pad groups | ours | PyTorch | ours / PyTorch |\n| --- | --- | --- | --- |")
logs = [[], [], []]
for row in ROWS[first:first + count]:
    a, b = [0.0] * 3, [0.0] * 3
    for _ in range(rounds):
        for kind in range(3):
            time.sleep(0.02)  # PyTorch's threads spin for a while
            print(*row, kind, file=ours.stdin, flush=True)
            a[kind] = max(a[kind], float(ours.stdout.readline().split()[-1]))
            for layout in [torch.contiguous_format, torch.channels_last]:
                b[kind] = max(b[kind], theirs(row, kind, layout))
    for kind in range(3):
        logs[kind].append(math.log(a[kind] / b[kind]))
    print("|", *row, "|", " / ".join(f"{v:.0f}" for v in a), "|", " / ".join(f"{v:.0f}" for v in b), "|",
          " / ".join(f"{v / u:.2f}" for v, u in zip(a, b)), "|", flush=True)
ours.stdin.close()
ours.wait()
print("\nGeometric mean:", " / ".join(f"{math.exp(sum(v) / len(v)):.2f}" for v in logs), "of all:",
      f"{math.exp(sum(map(sum, logs)) / sum(map(len, logs))):.2f}")
