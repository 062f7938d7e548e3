"""Runs whole nets in PyTorch, for tests/whole/test_nets.c: logits, losses and parameters after ten steps.

    python tests/golden/nets.py [name...]         writes tests/golden/nets/NAME.h
    python tests/golden/nets.py --live FOLDER     PyTorch's own first weights and the trained ones,
                                                  as NAME_start.safetensors, NAME_sgd.safetensors

Made with PyTorch 2.15 in float64; the same nets in float32 show how large PyTorch's own error is.
Weights and images are formulas of name and position (formulas.py; tests/whole/nets.h has the
same), because the weights of ResNet-18 take 45 MB. Two numbers of each tensor are kept. The names
of the parameters of ResNet-18 and MobileNetV2 are torchvision's, those of the U-Net come from
milesial/Pytorch-UNet.
"""
import json
import os
import struct
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from formulas import uniform, value, words

STEPS, PROBES = 10, 2
torch.set_num_threads(1)


# ---- weights ------------------------------------------------------------------------------------

def fill(net):
    with torch.no_grad():
        for name, tensor in net.state_dict().items():
            if tensor.dtype.is_floating_point:
                tensor.copy_(torch.from_numpy(value(name, tuple(tensor.shape)).astype(np.float64)))


# ---- the nets -----------------------------------------------------------------------------------

class BasicBlock(nn.Module):
    def __init__(self, channels, planes, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, planes, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = None
        if stride != 1 or channels != planes:
            self.downsample = nn.Sequential(nn.Conv2d(channels, planes, 1, stride, bias=False),
                                            nn.BatchNorm2d(planes))

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + (x if self.downsample is None else self.downsample(x)))


class ResNet18(nn.Module):
    """cifar: the first convolution is 3x3 without stride, and no pool follows."""

    def __init__(self, classes, width=64, cifar=False):
        super().__init__()
        self.cifar = cifar
        self.conv1 = nn.Conv2d(3, width, 3, 1, 1, bias=False) if cifar else \
            nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        channels = width
        for i in range(4):
            planes = width << i
            setattr(self, "layer%d" % (i + 1), nn.Sequential(
                BasicBlock(channels, planes, 1 if i == 0 else 2), BasicBlock(planes, planes, 1)))
            channels = planes
        self.fc = nn.Linear(channels, classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        if not self.cifar:
            x = F.max_pool2d(x, 3, 2, 1)
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


def conv_norm_relu6(channels, out, kernel=3, stride=1, groups=1):
    return nn.Sequential(
        nn.Conv2d(channels, out, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(out), nn.ReLU6())


class InvertedResidual(nn.Module):
    def __init__(self, channels, out, stride, expand):
        super().__init__()
        hidden = channels * expand
        self.add = stride == 1 and channels == out
        parts = [conv_norm_relu6(channels, hidden, 1)] if expand != 1 else []
        self.conv = nn.Sequential(*parts, conv_norm_relu6(hidden, hidden, 3, stride, hidden),
                                  nn.Conv2d(hidden, out, 1, bias=False), nn.BatchNorm2d(out))

    def forward(self, x):
        return x + self.conv(x) if self.add else self.conv(x)


class MobileNetV2(nn.Module):
    def __init__(self, classes, dropout=0.0):
        super().__init__()
        parts, channels = [conv_norm_relu6(3, 32, 3, 2)], 32
        for t, c, n, s in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                           (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
            for i in range(n):
                parts.append(InvertedResidual(channels, c, s if i == 0 else 1, t))
                channels = c
        self.features = nn.Sequential(*parts, conv_norm_relu6(channels, 1280, 1))
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(1280, classes))

    def forward(self, x):
        return self.classifier(F.adaptive_avg_pool2d(self.features(x), 1).flatten(1))


class DoubleConv(nn.Module):
    def __init__(self, channels, out):
        super().__init__()
        self.double_conv = nn.Sequential(
            nn.Conv2d(channels, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(),
            nn.Conv2d(out, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU())

    def forward(self, x):
        return self.double_conv(x)


class Down(nn.Module):
    def __init__(self, channels, out):
        super().__init__()
        self.maxpool_conv = nn.Sequential(nn.MaxPool2d(2), DoubleConv(channels, out))

    def forward(self, x):
        return self.maxpool_conv(x)


class Up(nn.Module):
    def __init__(self, channels, out):
        super().__init__()
        self.up = nn.ConvTranspose2d(channels, channels // 2, 2, 2)
        self.conv = DoubleConv(channels, out)

    def forward(self, x, across):
        return self.conv(torch.cat([across, self.up(x)], 1))


class OutConv(nn.Module):
    def __init__(self, channels, classes):
        super().__init__()
        self.conv = nn.Conv2d(channels, classes, 1)

    def forward(self, x):
        return self.conv(x)


class UNet(nn.Module):
    def __init__(self, channels, classes, width=64, levels=4):
        super().__init__()
        self.levels = levels
        self.inc = DoubleConv(channels, width)
        for i in range(levels):
            setattr(self, "down%d" % (i + 1), Down(width << i, width << (i + 1)))
        for i in range(levels):
            setattr(self, "up%d" % (i + 1), Up(width << (levels - i), width << (levels - i - 1)))
        self.outc = OutConv(width, classes)

    def forward(self, x):
        levels = [self.inc(x)]
        for i in range(self.levels):
            levels.append(getattr(self, "down%d" % (i + 1))(levels[-1]))
        x = levels.pop()
        for i in range(self.levels):
            x = getattr(self, "up%d" % (i + 1))(x, levels.pop())
        return self.outc(x)


class Recurrent(nn.Module):
    """Two layers in both directions; the mean of all steps and the last states are classified."""

    def __init__(self, features, hidden, classes):
        super().__init__()
        self.lstm = nn.LSTM(features, hidden, 2, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(2 * hidden, classes)

    def forward(self, x):
        y, (h, _) = self.lstm(x)
        return self.fc(y.mean(1) + torch.cat([h[2], h[3]], 1))


# name: (net, shape of the input, classes, places of a label, rates of sgd and adamw). cross_entropy
# is the loss of all nets. At higher rates even two float32 runs of PyTorch diverge within ten
# steps.
CASES = {
    "resnet18_narrow": (lambda: ResNet18(10, 4, True), (4, 3, 16, 16), 10, (), (0.01, 1e-4)),
    "resnet18": (lambda: ResNet18(10), (8, 3, 64, 64), 10, (), (5e-5, 2e-6)),
    "mobilenet_v2": (lambda: MobileNetV2(10), (8, 3, 64, 64), 10, (), (1e-6, 1e-6)),
    "lstm": (lambda: Recurrent(12, 40, 5), (8, 20, 12), 5, (), (0.05, 1e-3)),
    "unet": (lambda: UNet(1, 2, 16, 3), (4, 1, 32, 32), 2, (32, 32), (1e-3, 2e-5)),
}
OPTIMIZERS = {
    "sgd": lambda p, rates: torch.optim.SGD(p, lr=rates[0], momentum=0.9, weight_decay=0.05),
    "adamw": lambda p, rates: torch.optim.AdamW(p, lr=rates[1], weight_decay=0.05),
}


# ---- ten steps ----------------------------------------------------------------------------------

def batch(case, step, dtype):
    """Returns one of two batches, in turn."""
    _, shape, classes, places, _ = CASES[case]
    x = torch.from_numpy(uniform("input %d" % (step % 2), shape)).to(dtype)
    count = shape[0] * int(np.prod(places))
    label = words("label %d" % (step % 2), count) % classes
    return x, torch.from_numpy(label.astype(np.int64)).reshape((shape[0],) + places)


def evaluate(case, net, dtype):
    net.eval()
    with torch.no_grad():
        y = net(batch(case, 0, dtype)[0])
    net.train()
    return y


def train(case, net, optimizer, dtype):
    """Returns the losses. The net is changed."""
    losses, optimizer = [], OPTIMIZERS[optimizer](net.parameters(), CASES[case][4])
    net.train()
    for step in range(STEPS):
        x, label = batch(case, step, dtype)
        loss = F.cross_entropy(net(x), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def run(case, dtype, start=None):
    """Returns the logits of a net, and for each optimizer the losses, logits and state_dict after
    training."""
    made, result = CASES[case][0], {}
    for optimizer in OPTIMIZERS:
        net = made().to(dtype)
        if start is None:
            fill(net)
        else:
            net.load_state_dict(start)
        result["logits"] = evaluate(case, net, dtype)
        losses = train(case, net, optimizer, dtype)
        result[optimizer] = losses, evaluate(case, net, dtype), net.state_dict()
    return result


# ---- headers ------------------------------------------------------------------------------------

def floats(state):
    return {name: t for name, t in state.items() if t.dtype.is_floating_point}


def difference(a, b):
    return (a.double() - b.double()).abs().max().item()


def some(y):
    """Returns every 61st logit of nets whose results are images, because they have too many."""
    y = y.reshape(-1)
    return (y[::61] if y.numel() > 256 else y).tolist()


def probe(name, tensor):
    places = [int(words(name + "#%d" % k, 1)[0]) % tensor.numel() for k in range(PROBES)]
    return [tensor.reshape(-1)[place].item() for place in places]


def numbers(values):
    return ", ".join("%.9g" % v for v in values)


def array(name, values):
    lines, line = [], "   "
    for text in numbers(values).split(", "):
        if len(line) + len(text) + 2 > 100:
            lines.append(line)
            line = "   "
        line += " " + text + ","
    return "static const double %s[] = {\n%s\n};\n" % (name, "\n".join(lines + [line]))


def header(case):
    net, shape, classes, places, rates = CASES[case]
    exact, single = run(case, torch.float64), run(case, torch.float32)
    text = "/* Made by tests/golden/nets.py; do not edit. */\n"
    text += array("net_%s_logits" % case, some(exact["logits"]))
    logits_error, error = [difference(exact["logits"], single["logits"])], []
    for optimizer in OPTIMIZERS:
        losses, logits, state = exact[optimizer]
        text += array("net_%s_%s_losses" % (case, optimizer), losses)
        text += array("net_%s_%s_logits" % (case, optimizer), some(logits))
        logits_error.append(difference(logits, single[optimizer][1]))
        for statistics in (False, True):  # a net without norms has no buffers
            error.append(max([difference(t, single[optimizer][2][name])
                              for name, t in floats(state).items()
                              if statistics == ("running" in name)] or [0]))
    text += "static const net_tensor net_%s_tensors[] = {\n" % case
    for name, tensor in exact["sgd"][2].items():
        extents = ", ".join(str(e) for e in tensor.shape)
        text += '    {"%s", %d, {%s}' % (name, tensor.dim(), extents or "0")
        for optimizer in OPTIMIZERS:
            after = exact[optimizer][2][name]
            text += ",\n     {%s}" % numbers(probe(name, after)) if after.dim() else ", {0, 0}"
        text += "},\n"
    text += "};\n"
    text += "static const net_golden net_%s = {\n" % case
    text += '    "%s", {{%s}, %d}, %d, %d, {%gf, %gf},\n' % (
        case, ", ".join(str(e) for e in shape), len(shape), classes, int(np.prod(places)),
        *rates)
    text += "    net_%s_logits, {net_%s_sgd_losses, net_%s_adamw_losses},\n" % ((case,) * 3)
    text += "    {net_%s_sgd_logits, net_%s_adamw_logits},\n" % ((case,) * 2)
    text += "    net_%s_tensors,\n" % case
    text += "    sizeof net_%s_tensors / sizeof net_%s_tensors[0],\n" % ((case,) * 2)
    text += "    {%s}, {{%.2g, %.2g}, {%.2g, %.2g}}\n};\n" % (
        ", ".join("%.2g" % e for e in logits_error), *error)
    with open("tests/golden/nets/%s.h" % case, "w") as file:
        file.write(text)
    scale = exact["logits"].abs().max().item()
    print("%s: logits up to %.3g, float32 off by %s; parameters off by %s"
          % (case, scale, ["%.2g" % e for e in logits_error], ["%.2g" % e for e in error]))


# ---- files --------------------------------------------------------------------------------------

def write_safetensors(path, tensors):
    """Writes the format of the safetensors package, which need not be installed."""
    kinds = {torch.float32: "F32", torch.float64: "F64", torch.int64: "I64"}
    head, data, offset = {"__metadata__": {"format": "pt"}}, [], 0
    for name, tensor in tensors.items():
        raw = tensor.detach().contiguous().numpy().tobytes()
        head[name] = {"dtype": kinds[tensor.dtype], "shape": list(tensor.shape),
                      "data_offsets": [offset, offset + len(raw)]}
        data.append(raw)
        offset += len(raw)
    head = json.dumps(head).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(head)) + head + b"".join(data))


def live(folder, names):
    torch.manual_seed(1)
    for case in names:
        net = CASES[case][0]()
        start = {name: tensor.clone() for name, tensor in net.state_dict().items()}
        write_safetensors(os.path.join(folder, case + "_start.safetensors"), start)
        result = run(case, torch.float64, start)
        logits = {"logits": result["logits"].reshape(-1)}
        for optimizer in OPTIMIZERS:
            losses, after, state = result[optimizer]
            logits[optimizer + ".logits"] = after.reshape(-1)
            logits[optimizer + ".losses"] = torch.tensor(losses)
            write_safetensors(os.path.join(folder, "%s_%s.safetensors" % (case, optimizer)), state)
        write_safetensors(os.path.join(folder, case + "_logits.safetensors"), logits)


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--live"]:
        live(arguments[1], arguments[2:] or list(CASES))
    else:
        for case in arguments or CASES:
            header(case)


if __name__ == "__main__":
    main()
