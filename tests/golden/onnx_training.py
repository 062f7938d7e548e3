#!/usr/bin/env python3
"""Writes tests/golden/onnx_training.h: ten AdamW steps of three small nets in PyTorch, which tests/onnx/test_onnx_training.c
imports from ONNX files and trains.

    pip install torch
    python3 tests/golden/onnx_training.py > tests/golden/onnx_training.h

Weights, inputs and targets are numbers(seed, count) here and in the test. The loss is the mean of squared differences. The
header has the loss of each step, and the outputs and parameters after the last one.
"""
import torch

STEPS, RATE = 10, 0.02


def numbers(seed, *shape):
    count = 1
    for extent in shape:
        count *= extent
    values = [((i * 37 + seed * 11 + 5) * 53 % 101 - 50) / 101 for i in range(count)]
    return torch.tensor(values, dtype=torch.float64).to(torch.float32).reshape(shape)


def fill(*parameters):
    """Parameter k of a net is filled with numbers(k + 1)."""
    for k, parameter in enumerate(parameters):
        parameter.data = numbers(k + 1, *parameter.shape)


class Words(torch.nn.Module):
    """Linear, GELU, LayerNorm, linear: (4, 3) to (4, 2)."""
    shape, result = (4, 3), (4, 2)

    def __init__(self):
        super().__init__()
        self.l1, self.norm, self.l2 = torch.nn.Linear(3, 5), torch.nn.LayerNorm(5), torch.nn.Linear(5, 2)
        fill(self.l1.weight, self.l1.bias, self.norm.weight, self.norm.bias, self.l2.weight, self.l2.bias)

    def forward(self, x):
        return self.l2(self.norm(torch.nn.functional.gelu(self.l1(x))))


class Picture(torch.nn.Module):
    """Convolution, ReLU, pooling, linear: (2, 1, 6, 6) to (2, 3)."""
    shape, result = (2, 1, 6, 6), (2, 3)

    def __init__(self):
        super().__init__()
        self.conv, self.fc = torch.nn.Conv2d(1, 2, 3, padding=1), torch.nn.Linear(18, 3)
        fill(self.conv.weight, self.conv.bias, self.fc.weight, self.fc.bias)

    def forward(self, x):
        return self.fc(torch.nn.functional.max_pool2d(self.conv(x).relu(), 2).flatten(1))


class Sound(torch.nn.Module):
    """LSTM over 5 steps, linear on its last state: (5, 2, 3) to (2, 2)."""
    shape, result = (5, 2, 3), (2, 2)

    def __init__(self):
        super().__init__()
        self.lstm, self.fc = torch.nn.LSTM(3, 4), torch.nn.Linear(4, 2)
        fill(self.lstm.weight_ih_l0, self.lstm.weight_hh_l0, self.lstm.bias_ih_l0, self.lstm.bias_hh_l0, self.fc.weight,
             self.fc.bias)

    def forward(self, x):
        return self.fc(self.lstm(x)[1][0][0])


def write(name, values):
    words = ["%.9gf" % value if "." in "%.9g" % value or "e" in "%.9g" % value else "%.9g.0f" % value for value in values]
    lines, line = [], "   "
    for word in words:
        if len(line) + len(word) + 2 > 100:
            lines.append(line)
            line = "   "
        line += " " + word + ","
    print("static const float %s[] = {\n%s\n};" % (name, "\n".join(lines + [line])))


def main():
    print("/* tests/golden/onnx_training.h - written by onnx_training.py with PyTorch %s. */" % torch.__version__.split("+")[0])
    print("#pragma once\n\nenum { GOLDEN_STEPS = %d };\n#define GOLDEN_RATE %gf\n" % (STEPS, RATE))
    for kind in (Words, Picture, Sound):
        net, name = kind(), kind.__name__.lower()
        x, target = numbers(50, *kind.shape), numbers(51, *kind.result)
        optimizer = torch.optim.AdamW(net.parameters(), lr=RATE)
        losses = []
        for _ in range(STEPS):
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(net(x), target)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        write("golden_%s_losses" % name, losses)
        write("golden_%s_outputs" % name, net(x).detach().reshape(-1).tolist())
        write("golden_%s_parameters" % name, [v for p in net.parameters() for v in p.detach().reshape(-1).tolist()])


if __name__ == "__main__":
    main()
