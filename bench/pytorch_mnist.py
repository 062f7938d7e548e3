#!/usr/bin/python3
"""The work of bench/bench_mnist.c with PyTorch, seed by seed alternately with ours where BENCH_MNIST names our program.
It prints the same lines.

    pytorch_mnist.py FOLDER [threads [seeds [epochs [rate]]]]

The pictures are one tensor; indices shift the whole batch at once, which is the fastest way in
PyTorch. Layout: channels_last, which is the faster one for this net."""
import os
import subprocess
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

folder = sys.argv[1] if len(sys.argv) > 1 else ""
threads, seeds, epochs = (int(sys.argv[i]) if len(sys.argv) > i else d for i, d in ((2, 1), (3, 8), (4, 5)))
rate = float(sys.argv[5]) if len(sys.argv) > 5 else 0.006
BATCH, WANTED = 64, 0.985
torch.set_num_threads(threads)


def digits(part):
    images = np.fromfile("%s/%s-images-idx3-ubyte" % (folder, part), np.uint8)[16:].reshape(-1, 1, 28, 28)
    labels = np.fromfile("%s/%s-labels-idx1-ubyte" % (folder, part), np.uint8)[8:]
    return torch.from_numpy(images.astype(np.float32) / 255), torch.from_numpy(labels.astype(np.int64))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 32, 3, padding=1), nn.Conv2d(32, 64, 3, padding=1)
        self.fc1, self.fc2 = nn.Linear(64 * 49, 128), nn.Linear(128, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc2(F.relu(self.fc1(x.flatten(1))))


def learn(train, test, seed):
    torch.manual_seed(seed)
    net = Net().to(memory_format=torch.channels_last)
    padded, count = F.pad(train[0], (2, 2, 2, 2)).squeeze(1), len(train[0])
    per_epoch = (count + BATCH - 1) // BATCH
    optimizer = torch.optim.Adam(net.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=epochs * per_epoch, cycle_momentum=False)
    places, reached, start = torch.arange(28), None, time.perf_counter()
    for _ in range(epochs):
        order = torch.randperm(count)
        for i in range(0, count, BATCH):
            which = order[i:i + BATCH]
            shift = torch.randint(0, 5, (2, len(which)))
            rows, columns = shift[0][:, None] + places, shift[1][:, None] + places
            x = padded[which[:, None, None], rows[:, :, None], columns[:, None, :]].unsqueeze(1)
            optimizer.zero_grad(set_to_none=True)
            F.cross_entropy(net(x), train[1][which]).backward()
            optimizer.step()
            schedule.step()
        with torch.no_grad():
            right = sum((net(test[0][i:i + BATCH]).argmax(1) == test[1][i:i + BATCH]).sum().item()
                        for i in range(0, len(test[0]), BATCH))
        accuracy = right / len(test[0])
        if reached is None and accuracy >= WANTED:
            reached = time.perf_counter() - start
    spent = time.perf_counter() - start
    print("seed %d: %s s to 98.5 %%, %.3f s in all, %.1f %%"
          % (seed, "-" if reached is None else "%.3f" % reached, spent, 100 * accuracy), flush=True)
    return spent if reached is None else reached


if not os.path.exists("%s/train-images-idx3-ubyte" % folder):
    print("skipped: %s lacks the files of MNIST" % (folder or "pytorch_mnist.py FOLDER ..."))
    sys.exit(0)
print("# PyTorch %s, %d thread(s)" % (torch.__version__, threads))
sets, sums = (digits("train"), digits("t10k")), [0.0, 0.0]
program = os.environ.get("BENCH_MNIST")
for seed in range(1, seeds + 1):
    sums[0] += learn(*sets, seed)
if program:
    time.sleep(0.1)  # PyTorch's threads spin for a while
    print("# nn.h", flush=True)
    lines = subprocess.run([program, folder] + [str(v) for v in (threads, seeds, epochs, rate)],
                           stdout=subprocess.PIPE, text=True).stdout
    print(lines, end="")
    sums[1] = float(lines.split()[-2]) * seeds
    print("mean, s: PyTorch %.3f, nn.h %.3f; PyTorch / nn.h %.2f" % (sums[0] / seeds, sums[1] / seeds, sums[0] / sums[1]))
else:
    print("mean %.3f s" % (sums[0] / seeds))
