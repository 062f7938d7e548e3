#!/usr/bin/env python3
"""Makes tests/golden/ddp.h: the losses and parameters of small nets after 20 steps of PyTorch's
DistributedDataParallel (gloo, 2 processes).

    python3 tests/golden/ddp.py          (PyTorch 2.15; run in the repository's root)

DistributedDataParallel averages the gradients of its processes, each of which is a mean over its own samples. That is the
gradient of the batch only where all processes have equally many samples and equally many labels that count.
Otherwise the header has the losses of one process on the whole batch in float64, and also those of
DistributedDataParallel, from which a correct program must differ.

Samples, labels and weights are formulas that are exact in f32; tests/group/test_ddp.c has the same formulas.
"""
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel

STEPS, BATCH, SIDE, CLASSES = 20, 8, 6, 3


def pictures(count):
    i = torch.arange(count * SIDE * SIDE, dtype=torch.int64)
    return (((i * 7919 + i // 36 * 31 + 13) % 1024).double() / 512 - 1).reshape(count, 1, SIDE, SIDE)


def labels(count, ignored):
    label = torch.arange(count) * 5 % CLASSES
    for i in range(count if ignored else 0):
        if i % 8 < 4 and i % 4 != 1:  # one label counts in the first half of each batch, and all in the second half
            label[i] = -100
    return label


def linear():
    return torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(36, 7), torch.nn.Tanh(), torch.nn.Linear(7, CLASSES))


def conv(norm):
    norms = [torch.nn.BatchNorm2d(4)] if norm else []
    return torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3, padding=1), *norms, torch.nn.ReLU(), torch.nn.MaxPool2d(2),
                               torch.nn.Flatten(), torch.nn.Linear(36, CLASSES))


# name: net, optimizer, samples in an epoch, are labels ignored
CASES = {
    "linear": (linear, "sgd", 24, False),
    "conv": (lambda: conv(False), "adam", 24, False),
    "batch_norm": (lambda: conv(True), "sgd", 24, False),
    "uneven": (linear, "sgd", 21, False),
    "empty": (linear, "sgd", 18, False),
    "ignored": (linear, "sgd", 24, True),
}
EVEN = ("linear", "conv", "batch_norm")


def fill(net):
    with torch.no_grad():
        for k, parameter in enumerate(p for m in net for p in m.parameters() if not isinstance(m, torch.nn.BatchNorm2d)):
            j = torch.arange(parameter.numel())
            parameter.copy_((((j * 37 + k * 101 + 11) % 64).double() / 128 - 0.25).reshape(parameter.shape))


def optimizer_of(kind, net):
    if kind == "adam":
        return torch.optim.Adam(net.parameters(), lr=0.01)
    return torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)


def batches(count):
    """The first sample and the number of samples of each step."""
    at = 0
    for _ in range(STEPS):
        yield at, min(BATCH, count - at)
        at = at + BATCH if at + BATCH < count else 0


def train(name, rank, world, dtype):
    make, kind, count, ignored = CASES[name]
    x, label = pictures(count).to(dtype), labels(count, ignored)
    net = make()
    fill(net)
    net = net.to(dtype)
    wrapped = DistributedDataParallel(net, broadcast_buffers=False) if world > 1 else net
    optimizer, losses = optimizer_of(kind, net), []
    for at, samples in batches(count):
        first, last = at, at + samples
        if world > 1:  # contiguous halves of a full batch; the second may be short
            middle = min(at + BATCH // 2, last)
            first, last = (first, middle) if rank == 0 else (middle, last)
        loss = F.cross_entropy(wrapped(x[first:last]), label[first:last])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        value = loss.detach().clone()
        if world > 1:
            dist.all_reduce(value)
            value /= world
        losses.append(value.item())
    numbers = torch.cat([t.detach().flatten() for key, t in net.state_dict().items() if "num_batches" not in key])
    if world > 1:  # all parameters are equal; each process has its own running statistics
        dist.all_reduce(numbers)
        numbers /= world
    return losses, numbers.double().tolist()


def process(rank, path, results):
    dist.init_process_group("gloo", init_method="file://" + path + "/meet", rank=rank, world_size=2)
    torch.set_num_threads(1)
    found = {name: train(name, rank, 2, torch.float32) for name in CASES if name != "empty"}
    if rank == 0:
        torch.save(found, results)
    dist.destroy_process_group()


def rows(out, kind, name, values):
    out.write("static const %s[%d] = {\n" % (kind + " " + name, len(values)))
    for i in range(0, len(values), 6):
        out.write("    %s,\n" % ", ".join("%.12g" % v for v in values[i:i + 6]))
    out.write("};\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results")
        mp.spawn(process, args=(folder, results), nprocs=2)
        ddp = torch.load(results)
    with open("tests/golden/ddp.h", "w") as out:
        out.write("/* Made by tests/golden/ddp.py with PyTorch %s; do not edit. */\n" % torch.__version__)
        for name in CASES:
            right = ddp[name] if name in EVEN else train(name, 0, 1, torch.float64)
            rows(out, "double", "ddp_%s_losses" % name, right[0])
            rows(out, "double", "ddp_%s_numbers" % name, right[1])
            if name not in EVEN and name in ddp:
                rows(out, "double", "ddp_%s_averaged" % name, ddp[name][0])
