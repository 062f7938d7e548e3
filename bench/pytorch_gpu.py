#!/usr/bin/python3
"""Measures the training steps of bench/bench_opencl.c with PyTorch on a CUDA GPU, in float32 without TF32: eager, by torch.compile, and as a CUDA graph
of each. pytorch_gpu.py [seconds]

Prints microseconds a step: medians of samples of 50 steps with one synchronization after each, as bench_opencl.c takes them. Inputs stay on the GPU;
the loss is not read. Products: forward alone, microseconds and GFLOP/s of cuBLAS."""
import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/golden"))

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.3
only = sys.argv[2] if len(sys.argv) > 2 else ""
device = torch.device("cuda")
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
torch.backends.cudnn.benchmark = True
torch.manual_seed(1)


def median(work, inner):
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    samples, end = [], time.perf_counter() + seconds
    while len(samples) < 3 or (time.perf_counter() < end and len(samples) < 1000):
        before = time.perf_counter()
        for _ in range(inner):
            work()
        torch.cuda.synchronize()
        samples.append((time.perf_counter() - before) * 1e6 / inner)
    return sorted(samples)[len(samples) // 2]


def mlp(*widths):
    layers = []
    for i in range(len(widths) - 1):
        layers += [nn.Linear(widths[i], widths[i + 1])] + ([nn.ReLU()] if i + 2 < len(widths) else [])
    return nn.Sequential(*layers)


def nets():
    yield "W1 train", lambda: nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(16384, 10)), \
        (64, 3, 64, 64), 10
    yield "W2 train", lambda: nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(),
                                            nn.MaxPool2d(2), nn.Flatten(), nn.Linear(12544, 128), nn.ReLU(), nn.Linear(128, 10)), \
        (64, 1, 28, 28), 10
    yield "W3 train", lambda: mlp(784, 256, 128, 10), (64, 784), 10
    yield "W4 train", lambda: mlp(4, 64, 64, 2), (32, 4), 2
    yield "field train 65536", lambda: mlp(64, 64, 64, 64, 64, 64, 3), (65536, 64), 0
    try:
        import nets as golden
        yield "resnet18 train", lambda: golden.ResNet18(10, 64, True), (64, 3, 32, 32), 10
    except ImportError as why:
        print("# resnet18:", why)


def step_of(build, shape, classes, compiled, name):
    net = build().to(device)
    x = torch.rand(shape, device=device) - 0.5
    label = torch.arange(shape[0], device=device) % classes if classes else torch.rand(shape[0], 3, device=device)
    run = torch.compile(net) if compiled else net
    if name.startswith("resnet18"):
        optimizer = torch.optim.SGD(net.parameters(), lr=1e-4, momentum=0.9, fused=True)
    else:
        optimizer = torch.optim.Adam(net.parameters(), lr=1e-4, fused=True, capturable=True)

    def step():
        optimizer.zero_grad(set_to_none=True)
        y = run(x)
        (F.cross_entropy(y, label) if classes else F.mse_loss(y, label)).backward()
        optimizer.step()

    return step


def graph_of(step):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def attempt(make, inner):
    try:
        return "%10.1f" % median(make(), inner)
    except Exception as why:  # what this build of PyTorch lacks leaves its column empty
        print("# %s: %s" % (type(why).__name__, str(why).split("\n")[0][:150]))
        return "%10s" % "failed"


print("# PyTorch %s, %s, %s" % (torch.__version__, torch.cuda.get_device_name(), torch.version.cuda))
for n in (256, 512, 1024, 2048, 4096):
    if only not in "gemm %d" % n:
        continue
    a, b = torch.rand(n, n, device=device) - 0.5, torch.rand(n, n, device=device) - 0.5
    us = median(lambda: F.linear(a, b), 20)
    print("gemm %-15d %10.1f us (%.0f GFLOP/s)" % (n, us, 2 * n ** 3 / us / 1000), flush=True)
print("%-20s %10s %10s %10s %10s" % ("us", "eager", "compiled", "graph", "compiled, graph"))
for name, build, shape, classes in nets():
    if only not in name:
        continue
    inner = 10 if name.startswith(("field", "resnet")) else 50
    row = []
    for compiled in (False, True):
        row.append(attempt(lambda: step_of(build, shape, classes, compiled, name), inner))
        row.append(attempt(lambda: graph_of(step_of(build, shape, classes, compiled, name)), inner))
    print("%-20s %s %s %s %s" % (name, row[0], row[2], row[1], row[3]), flush=True)
