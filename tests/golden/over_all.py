#!/usr/bin/python3
"""Makes tests/golden/over_all.h: three steps in PyTorch, in float64, of a net whose batch norms see whole batches.

    python3 tests/golden/over_all.py          (PyTorch 2.x; run in the repository's root)

torch.nn.SyncBatchNorm over any number of ranks gives the results of torch.nn.BatchNorm2d for the
whole batch, so the header has the latter.
tests/group/test_batch_norm_over_all.c trains the same net in shards. Both compute their numbers
with the same formulas.
"""
import torch
import torch.nn.functional as F

B, C, S, WIDE, K = 12, 3, 5, 6, 4


def some(count, salt):
    return torch.tensor([((i * 7919 + salt * 101 + 13) % 1000) / 500.0 - 1.0 for i in range(count)], dtype=torch.float64)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = torch.nn.Conv2d(C, WIDE, 3, padding=1)
        self.b1 = torch.nn.BatchNorm2d(WIDE)
        self.c2 = torch.nn.Conv2d(WIDE, WIDE, 3, padding=1)
        self.b2 = torch.nn.BatchNorm2d(WIDE)
        self.f = torch.nn.Linear(WIDE * S * S, 8)
        self.b3 = torch.nn.BatchNorm1d(8)
        self.g = torch.nn.Linear(8, K)

    def forward(self, x):
        x = F.relu(self.b1(self.c1(x)))
        x = F.relu(self.b2(self.c2(x)) + x)
        return self.g(self.b3(self.f(x.flatten(1))))


net = Net().double()
with torch.no_grad():
    for salt, p in enumerate(net.parameters()):
        p.copy_((some(p.numel(), salt) * (0.2 if p.dim() > 1 else 0.5) + (1.0 if salt in (2, 6, 10) else 0.0)).reshape(p.shape))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
losses = []
for step, samples in enumerate([12, 7, 11]):
    x = some(samples * C * S * S, 50 + step).reshape(samples, C, S, S) + torch.arange(samples, dtype=torch.float64).reshape(-1, 1, 1, 1) * 0.1
    label = torch.tensor([-1 if 2 <= i < 5 else (i + step) % K for i in range(samples)])
    optimizer.zero_grad()
    loss = F.cross_entropy(net(x), label, ignore_index=-1)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())


def row(name, values):
    text = ",\n    ".join(", ".join("%.9g" % v for v in values[i:i + 6]) for i in range(0, len(values), 6))
    return "static const double %s[] = {\n    %s};\n" % (name, text)


with open("tests/golden/over_all.h", "w") as out:
    out.write("/* Made by tests/golden/over_all.py with PyTorch %s, in float64. */\n" % torch.__version__.split("+")[0])
    out.write(row("golden_losses", losses))
    for name in ("b1.weight", "b1.bias", "c1.weight", "c1.bias", "g.weight", "b1.running_mean", "b1.running_var", "b2.running_var",
                 "b3.running_mean", "b3.running_var"):
        out.write(row("golden_" + name.replace(".", "_"), net.state_dict()[name].flatten().tolist()))
