#!/usr/bin/python3
"""Does the work of bench/bench_w1_w5.c with PyTorch, and prints the same lines. pytorch_w1_w5.py threads seconds nchw|channels_last|compiled

compiled: NCHW, the net by torch.compile, the optimizer fused (PyTorch 2 and later). Environment and libraries (stock, tuned) are set by
bench/run.sh."""
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

threads, seconds, layout = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
torch.set_num_threads(threads)
torch.manual_seed(1)
last, compiled = layout == "channels_last", layout == "compiled"


def peak_kb():
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


def measure(name, work, inner):
    samples, clock = [], time.perf_counter
    start = clock()
    while clock() < start + seconds * 0.2:
        work()
    while len(samples) < 5 or (clock() < start + seconds and len(samples) < 4096):
        before = clock()
        for _ in range(inner):
            work()
        samples.append((clock() - before) * 1e6 / inner)
    samples.sort()
    print("%-24s %10.2f %10.2f %8d" % (name, samples[0], samples[len(samples) // 2], peak_kb()), flush=True)


def w1():
    return nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(16384, 10)), (3, 64, 64), 10


def w2():
    return nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                         nn.Linear(12544, 128), nn.ReLU(), nn.Linear(128, 10)), (1, 28, 28), 10


def mlp(a, b, c, d):
    return nn.Sequential(nn.Linear(a, b), nn.ReLU(), nn.Linear(b, c), nn.ReLU(), nn.Linear(c, d)), (a,), d


def prepare(made, batch):
    net, shape, classes = made
    x = torch.rand((batch,) + shape) - 0.5
    if last and len(shape) == 3:
        net, x = net.to(memory_format=torch.channels_last), x.contiguous(memory_format=torch.channels_last)
    return torch.compile(net) if compiled else net, x, torch.arange(batch) % classes


def train(name, made, batch, adam, inner=1):
    net, x, label = prepare(made, batch)
    fused = {"fused": True} if compiled else {}
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-4, **fused) if adam else \
        torch.optim.SGD(net.parameters(), lr=1e-4, momentum=0.9, **fused)

    def step():
        optimizer.zero_grad(set_to_none=True)
        F.cross_entropy(net(x), label).backward()
        optimizer.step()

    measure(name, step, inner)


def infer(name, made, inner):
    net, x, _ = prepare(made, 1)
    net.eval()
    with torch.no_grad():
        measure(name, lambda: net(x), inner)


print("# PyTorch %s, %d threads, %s" % (torch.__version__, threads, layout))
train("W1_train", w1(), 64, True)
train("W2_train", w2(), 64, True)
train("W3_train_adam", mlp(784, 256, 128, 10), 64, True)
train("W3_train_sgd", mlp(784, 256, 128, 10), 64, False)
infer("W4_infer", mlp(4, 64, 64, 2), 20)
train("W4_train_adam", mlp(4, 64, 64, 2), 32, True, 5)
train("W4_train_sgd", mlp(4, 64, 64, 2), 32, False, 5)
infer("W5_infer_w1", w1(), 5)
infer("W5_infer_w2", w2(), 2)
