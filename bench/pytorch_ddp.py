#!/usr/bin/python3
"""The work of bench/bench_parallel.c with PyTorch: DistributedDataParallel over gloo. It prints the
same lines.

    pytorch_ddp.py net steps processes        net: w2 or resnet18

Each process has one thread. With one process the net is trained without DistributedDataParallel."""
import os
import socket
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/golden"))
import nets  # noqa: E402

BATCH = 64


def make(name):
    torch.manual_seed(1)
    if name == "w2":
        net = nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(),
                            nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                            nn.Flatten(), nn.Linear(64 * 14 * 14, 128), nn.ReLU(),
                            nn.Linear(128, 10))
        return net, (1, 28, 28), lambda p: torch.optim.Adam(p, lr=1e-4)
    return nets.ResNet18(10, 64, True), (3, 32, 32), \
        lambda p: torch.optim.SGD(p, lr=1e-4, momentum=0.9)


def work(rank, name, steps, processes, port):
    torch.set_num_threads(1)
    net, shape, optimize = make(name)
    if processes > 1:
        dist.init_process_group("gloo", init_method="tcp://127.0.0.1:%d" % port, rank=rank,
                                world_size=processes)
        net = nn.parallel.DistributedDataParallel(net)
    own = BATCH // processes
    x, label = torch.rand((own,) + shape) - 0.5, torch.arange(own) % 10
    optimizer = optimize(net.parameters())

    def step():
        optimizer.zero_grad(set_to_none=True)
        F.cross_entropy(net(x), label).backward()
        optimizer.step()

    step()
    samples, clock = [], time.perf_counter
    for _ in range(steps):
        before = clock()
        step()
        samples.append((clock() - before) * 1e6)
    samples.sort()
    if rank == 0:
        print("%-10s %2d processes  PyTorch %s %8.0f %10.0f" % (
            name, processes, torch.__version__.split("+")[0], samples[0],
            samples[len(samples) // 2]), flush=True)
    if processes > 1:
        dist.destroy_process_group()


if __name__ == "__main__":
    name, steps, processes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    if processes == 1:
        work(0, name, steps, 1, port)
    else:
        mp.spawn(work, (name, steps, processes, port), processes)
