"""The rows of bench_ops.c beside PyTorch's, in turns, in one run:

    python bench/pytorch_ops.py [threads [rounds [seconds [part of a name]]]]

BENCH_OPS: our program (build/bench/bench_ops). Microseconds of the fastest call of all rounds; the ratio is how many times
faster than PyTorch we are (above 1: faster). A backward row has all gradients of its operation. BENCH_CLOCK=cpu: time of the
processes, for one thread on a machine that others use too."""
import os
import subprocess
import sys
import time

import torch
import torch.nn.functional as F

threads = int(sys.argv[1]) if len(sys.argv) > 1 else torch.get_num_threads()
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.2
clock = time.process_time if "BENCH_CLOCK" in os.environ else time.perf_counter
part = sys.argv[4] if len(sys.argv) > 4 else ""
torch.set_num_threads(threads)
IMAGE = (64, 128, 32, 32)


def norm(channels, call, x=IMAGE):
    return x, [(channels,), (channels,)], call


def conv(n, c, k, h, taps, stride, padding, groups):
    return (n, c, h, h), [(k, c // groups, taps, taps), (k,)], lambda x, w, b: F.conv2d(x, w, b, stride, padding, 1, groups)


mean, var = torch.zeros(128), torch.ones(128)
rows = {
    "batch_norm_train": norm(128, lambda x, w, b: F.batch_norm(x, None, None, w, b, True)),
    "batch_norm_eval": norm(128, lambda x, w, b: F.batch_norm(x, mean, var, w, b, False)),
    "layer_norm": norm(768, lambda x, w, b: F.layer_norm(x, (768,), w, b), (4096, 768)),
    "group_norm": norm(128, lambda x, w, b: F.group_norm(x, 32, w, b)),
    "max_pool_2": (IMAGE, [], lambda x: F.max_pool2d(x, 2)),
    "max_pool_3_2_1": (IMAGE, [], lambda x: F.max_pool2d(x, 3, 2, 1)),
    "avg_pool_2": (IMAGE, [], lambda x: F.avg_pool2d(x, 2)),
    "avg_pool_3_1_1": (IMAGE, [], lambda x: F.avg_pool2d(x, 3, 1, 1)),
    "adaptive_avg_pool_7": (IMAGE, [], lambda x: F.adaptive_avg_pool2d(x, 7)),
    "softmax": ((4096, 1000), [], lambda x: F.softmax(x, 1)),
    "chain": ((1024, 4096), [], lambda x: torch.maximum(x * torch.sigmoid(1.7 * x), 0.1 * x) + 0.5 * torch.tanh(x)),
    "gelu": ((1024, 4096), [], F.gelu),
    "resize_linear_2": ((8, 64, 32, 32), [], lambda x: F.interpolate(x, scale_factor=2, mode="bilinear")),
    "depthwise_3_56": conv(8, 144, 144, 56, 3, 1, 1, 144),
    "depthwise_3_s2_112": conv(8, 96, 96, 112, 3, 2, 1, 96),
    "depthwise_3_14": conv(8, 576, 576, 14, 3, 1, 1, 576),
    "depthwise_5_28": conv(8, 240, 240, 28, 5, 1, 2, 240),
    "depthwise_7_56": conv(8, 96, 96, 56, 7, 1, 3, 96),
    "depthwise_7_14": conv(8, 384, 384, 14, 7, 1, 3, 384),
    "conv_3_s2": conv(32, 64, 128, 32, 3, 2, 1, 1),
    "conv_7_s2": conv(8, 3, 64, 224, 7, 2, 3, 1),
    "vector_matrix": ((1, 4096), [(4096, 4096)], lambda x, w: x @ w),
}


def least(call):
    call()
    best, end, calls = 1e9, clock() + seconds, 0
    while calls < 3 or clock() < end:
        start = clock()
        call()
        best = min(best, clock() - start)
        calls += 1
    return best * 1e6


def theirs(name, back):
    x, parameters, call = rows[name]
    inputs = [torch.rand(shape) * 2 - 1 for shape in [x] + parameters]
    if not back:
        with torch.no_grad():
            return least(lambda: call(*inputs))
    for t in inputs:
        t.requires_grad_()
    y = call(*inputs)
    dy = torch.rand_like(y)
    return least(lambda: torch.autograd.grad(y, inputs, dy, retain_graph=True))


program = os.environ.get("BENCH_OPS", "build/bench/bench_ops")
ours = subprocess.Popen([program, str(threads), str(seconds), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(f"Microseconds, {threads} thread(s), PyTorch {torch.__version__}\n\n| operation | ours | PyTorch | PyTorch / ours |\n"
      "| --- | --- | --- | --- |")
for name in rows:
    for back in [False, True]:
        row = name + ("_backward" if back else "")
        if part not in row:
            continue
        a = b = 1e9
        for _ in range(rounds):
            time.sleep(0.02)  # PyTorch's threads spin for a while
            print(row, file=ours.stdin, flush=True)
            a = min(a, float(ours.stdout.readline().split()[1]))
            b = min(b, theirs(name, back))
        print(f"| {row} | {a:.0f} | {b:.0f} | {b / a:.2f} |", flush=True)
ours.stdin.close()
ours.wait()
