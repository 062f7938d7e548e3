#!/usr/bin/python3
"""Exchanges a training run with PyTorch: the digits net with Adam's state, in both directions.

    exchange_pytorch.py make FOLDER SIZE CHANNELS    trains 20 steps here; writes FOLDER/exchange_checkpoint.safetensors (weights
                                                     and Adam's state, as nn_load_checkpoint reads them) and
                                                     FOLDER/exchange_expected.safetensors: logits, and the losses of 20 further
                                                     steps
    exchange_pytorch.py go_on FOLDER SIZE CHANNELS   loads FOLDER/exchange_ours.safetensors, written by nn_save_checkpoint; writes
                                                     FOLDER/exchange_theirs.safetensors: logits and the losses of 20 further steps

The net is conv1 (1 -> CHANNELS, 3 x 3, padding 1), relu, max_pool 2, fc (-> 10) on images of SIZE x SIZE; batches of 16. Images
and labels are not in the files: both sides compute them from an integer formula. tests/golden/exchange_* are the output of
`make` with SIZE 8, CHANNELS 4. Needs Debian's python3-torch; the safetensors format is read and written here, because Debian
does not package it."""
import json
import struct
import sys

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
STATES = ("exp_avg", "exp_avg_sq")
BATCH, STEPS = 16, 20


def value(seed, i):
    h = (i * 2654435761 + seed * 40503 + 12345) & 0xFFFFFFFF
    h ^= h >> 15
    h = (h * 2246822519) & 0xFFFFFFFF
    h ^= h >> 13
    return h


def batch(step, size):
    """Pixels are multiples of 1/256. The label is the position of a brighter block, so that there
    is something to learn."""
    images = torch.tensor([(value(step, i) % 256) / 256 for i in range(BATCH * size * size)]).reshape(BATCH, 1, size, size)
    labels = torch.tensor([value(step + 1000, i) % 10 for i in range(BATCH)])
    for i in range(BATCH):
        row = int(labels[i]) % size
        images[i, 0, row, :] += 1
    return images, labels


class Net(torch.nn.Module):
    def __init__(self, size, channels):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, channels, 3, padding=1)
        self.fc = torch.nn.Linear(channels * (size // 2) ** 2, 10)

    def forward(self, x):
        return self.fc(F.max_pool2d(F.relu(self.conv1(x)), 2).flatten(1))


def write(path, tensors, metadata):
    header, data = {"__metadata__": metadata}, b""
    for name, tensor in tensors.items():
        raw = tensor.detach().contiguous().to(torch.float32).numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def read(path):
    with open(path, "rb") as file:
        raw = file.read()
    length = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + length])
    tensors, metadata = {}, header.pop("__metadata__", {})
    for name, entry in header.items():
        if entry["dtype"] != "F32":
            continue
        first, end = (8 + length + at for at in entry["data_offsets"])
        tensors[name] = torch.frombuffer(bytearray(raw[first:end]), dtype=torch.float32).reshape(entry["shape"])
    return tensors, metadata


def train(net, adam, first, size):
    losses = []
    for step in range(first, first + STEPS):
        images, labels = batch(step, size)
        loss = F.cross_entropy(net(images), labels)
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    return torch.tensor(losses)


def state_of(net, adam):
    """Returns the state_dict of a torch.optim.Adam under the names of nn_save_checkpoint."""
    state = adam.state_dict()["state"]
    tensors, step = dict(net.state_dict()), 0
    for i, (name, _) in enumerate(net.named_parameters()):
        for kind in STATES:
            tensors["optimizer.state." + name + "." + kind] = state[i][kind]
        step = int(state[i]["step"])
    return tensors, step


def main():
    mode, folder, size, channels = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    torch.manual_seed(1)
    net = Net(size, channels)
    adam = torch.optim.Adam(net.parameters(), lr=1e-3)
    if mode == "make":
        train(net, adam, 0, size)
        tensors, step = state_of(net, adam)
        write(folder + "/exchange_checkpoint.safetensors", tensors, {"format": "pt", "step": str(step)})
        result = folder + "/exchange_expected.safetensors"
    else:
        tensors, metadata = read(folder + "/exchange_ours.safetensors")
        net.load_state_dict({name: tensors[name] for name in net.state_dict()})
        step = int(metadata["step"])
        state = {i: {"step": torch.tensor(float(step)), **{kind: tensors["optimizer.state." + name + "." + kind] for kind in STATES}}
                 for i, (name, _) in enumerate(net.named_parameters())}
        adam.load_state_dict({"state": state, "param_groups": adam.state_dict()["param_groups"]})
        result = folder + "/exchange_theirs.safetensors"
    images, _ = batch(step, size)
    with torch.no_grad():
        logits = net(images)
    losses = train(net, adam, step, size)
    write(result, {"logits": logits, "losses": losses}, {"format": "pt"})


main()
