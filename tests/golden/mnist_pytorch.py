#!/usr/bin/python3
"""Prints PyTorch's test accuracy on the MNIST files that tests/whole/test_mnist.c reads, with the same nets, settings and epochs:
Adam 1e-3, batch 64, pixels / 255, shuffled; mean of 8 seeds. One line for each net: name, epochs, mean, lowest, highest (%).

    mnist_pytorch.py folder [seeds [one_conv|two_conv]]
"""
import os
import struct
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

folder = sys.argv[1]
seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 8
only = sys.argv[3] if len(sys.argv) > 3 else ""


def idx(name):
    data = open(os.path.join(folder, name), "rb").read()
    rank = data[3]
    shape = struct.unpack(">%dI" % rank, data[4:4 + 4 * rank])
    return torch.frombuffer(bytearray(data[4 + 4 * rank:]), dtype=torch.uint8).reshape(shape)


def images(name):
    return idx(name).float().div(255).unsqueeze(1)


train_x, train_y = images("train-images-idx3-ubyte"), idx("train-labels-idx1-ubyte").long()
test_x, test_y = images("t10k-images-idx3-ubyte"), idx("t10k-labels-idx1-ubyte").long()


def one_conv():
    return nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(16 * 196, 10))


def two_conv():
    return nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                         nn.Linear(64 * 196, 128), nn.ReLU(), nn.Linear(128, 10))


def accuracy(make, epochs, seed):
    torch.manual_seed(seed)
    net = make()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for _ in range(epochs):
        for batch in torch.randperm(len(train_x)).split(64):
            optimizer.zero_grad()
            F.cross_entropy(net(train_x[batch]), train_y[batch]).backward()
            optimizer.step()
    with torch.no_grad():
        right = sum((net(x).argmax(1) == y).sum().item() for x, y in zip(test_x.split(500), test_y.split(500)))
    return 100.0 * right / len(test_x)


for name, make, epochs in [("one_conv", one_conv, 5), ("two_conv", two_conv, 3)]:
    if only in ("", name):
        found = [accuracy(make, epochs, seed) for seed in range(seeds)]
        print("%s %d %.3f %.2f %.2f" % (name, epochs, sum(found) / len(found), min(found), max(found)), flush=True)
