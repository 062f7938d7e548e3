#!/usr/bin/python3
"""Does the work of bench/bench_nets.c with PyTorch, and prints the same lines.

    pytorch_nets.py threads seconds nchw|channels_last [net]

The nets are those of tests/golden/nets.py. Environment and libraries are set by bench/run.sh."""
import os
import sys
import time

import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/golden"))
import nets  # noqa: E402

threads, seconds, layout = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
only = sys.argv[4] if len(sys.argv) > 4 else ""
torch.set_num_threads(threads)
torch.manual_seed(1)
last = layout == "channels_last"


def peak_kb():
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


class Lstm(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(128, 128, batch_first=True)
        self.fc = torch.nn.Linear(128, 10)

    def forward(self, x):
        return self.fc(self.lstm(x)[0].mean(1))


def train(name, net, shape, places, adam=False):
    if not name.startswith(only):
        return
    x = torch.rand(shape) - 0.5
    if last and len(shape) == 4:
        net = net.to(memory_format=torch.channels_last)
        x = x.contiguous(memory_format=torch.channels_last)
    classes = 2 if places else 10
    label = (torch.arange(shape[0] * shape[2] * shape[3] if places else shape[0]) % classes)
    label = label.reshape((shape[0], shape[2], shape[3]) if places else (shape[0],))
    parameters = net.parameters()
    optimizer = torch.optim.Adam(parameters, lr=1e-4) if adam else \
        torch.optim.SGD(parameters, lr=1e-4, momentum=0.9)

    def step():
        optimizer.zero_grad(set_to_none=True)
        F.cross_entropy(net(x), label).backward()
        optimizer.step()

    step()
    samples, clock = [], time.perf_counter
    start = clock()
    while len(samples) < 3 or (clock() < start + seconds and len(samples) < 256):
        before = clock()
        step()
        samples.append((clock() - before) * 1e6)
    samples.sort()
    print("%-24s %10.2f %10.2f %8d"
          % (name, samples[0], samples[len(samples) // 2], peak_kb()), flush=True)


print("# PyTorch %s, %d threads, %s" % (torch.__version__, threads, layout))
train("resnet18_train", nets.ResNet18(10, 64, True), (64, 3, 32, 32), False)
train("mobilenet_train", nets.MobileNetV2(10, 0.2), (32, 3, 64, 64), False)
train("unet_train", nets.UNet(1, 2, 16, 3), (16, 1, 64, 64), True, adam=True)
train("lstm_train", Lstm(), (64, 64, 128), False, adam=True)
