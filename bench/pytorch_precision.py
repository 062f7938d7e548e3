#!/usr/bin/python3
"""The work of bench/bench_precision.c with PyTorch on a CUDA GPU: f32, TF32 and bf16 autocast; eager, and by torch.compile.
pytorch_precision.py [seconds [work]]

Medians in milliseconds, the better of eager and compiled last. Inputs stay on the GPU; the loss is not read."""
import math
import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/golden"))

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
only = sys.argv[2] if len(sys.argv) > 2 else ""
device = torch.device("cuda")
torch.backends.cudnn.benchmark = True
torch.manual_seed(1)
WIDE, HEADS, CONTEXT, WORDS = 768, 12, 1024, 50257


def median(work, inner):
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    samples, end = [], time.perf_counter() + seconds
    while len(samples) < 3 or (time.perf_counter() < end and len(samples) < 512):
        before = time.perf_counter()
        for _ in range(inner):
            work()
        torch.cuda.synchronize()
        samples.append((time.perf_counter() - before) * 1e3 / inner)
    return sorted(samples)[len(samples) // 2]


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(WIDE), nn.LayerNorm(WIDE)
        self.attn, self.proj = nn.Linear(WIDE, 3 * WIDE), nn.Linear(WIDE, WIDE)
        self.fc, self.out = nn.Linear(WIDE, 4 * WIDE), nn.Linear(4 * WIDE, WIDE)

    def forward(self, x):
        n, t, _ = x.shape
        q, k, v = (p.view(n, t, HEADS, WIDE // HEADS).transpose(1, 2) for p in self.attn(self.ln_1(x)).split(WIDE, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(n, t, WIDE))
        return x + self.out(F.gelu(self.fc(self.ln_2(x)), approximate="tanh"))


class GPT2(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(WORDS, WIDE), nn.Embedding(CONTEXT, WIDE)
        self.blocks, self.ln_f = nn.ModuleList(Block() for _ in range(12)), nn.LayerNorm(WIDE)
        self.head = nn.Linear(WIDE, WORDS, bias=False)
        self.head.weight = self.wte.weight
        for name, p in self.named_parameters():
            if name.endswith("weight") and "ln_" not in name:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        x = self.wte(ids) + self.wpe(torch.arange(ids.shape[1], device=device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_f(x))


def resnet(batch, train, compiled, bf16):
    import nets as golden
    net = golden.ResNet18(10, 64, True).to(device)
    net.train(train)
    x = torch.rand(batch, 3, 32, 32, device=device) - 0.5
    run = torch.compile(net) if compiled else net
    label = torch.arange(batch, device=device) % 10
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-4, momentum=0.9, fused=True)

    def step():
        with torch.autocast("cuda", torch.bfloat16, enabled=bf16):
            if not train:
                with torch.no_grad():
                    return run(x)
            loss = F.cross_entropy(run(x).float(), label)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

    return step, 10 if batch < 100 else 4


def gpt2(compiled, bf16):
    net = GPT2().to(device)
    run = torch.compile(net) if compiled else net
    ids = torch.randint(WORDS, (4, 1024), device=device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4, weight_decay=0.01, fused=True)

    def step():
        with torch.autocast("cuda", torch.bfloat16, enabled=bf16):
            loss = F.cross_entropy(run(ids).view(-1, WORDS).float(), ids.view(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

    return step, 1


def product(bf16):
    x, w = (torch.rand(4096, 4096, device=device) - 0.5 for _ in range(2))
    if bf16:
        x, w = x.bfloat16(), w.bfloat16()
    return lambda: F.linear(x, w), 10


def attempt(make):
    try:
        return median(*make())
    except Exception as why:  # what this build of PyTorch lacks leaves its column empty
        print("# %s: %s" % (type(why).__name__, str(why).split("\n")[0][:150]))
        return math.inf


print("# PyTorch %s, %s, CUDA %s" % (torch.__version__, torch.cuda.get_device_name(), torch.version.cuda))
print("%-26s %-10s %10s %10s %10s" % ("ms", "", "eager", "compiled", "best"))
for label in ("f32", "tf32", "autocast"):
    tf32, bf16 = label == "tf32", label == "autocast"
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
    works = [("product 4096", lambda compiled: product(bf16))]
    for batch, train in ((64, True), (256, True), (1, False), (256, False)):
        works.append(("resnet18 %s %d" % ("train" if train else "infer", batch),
                      lambda compiled, batch=batch, train=train: resnet(batch, train, compiled, bf16)))
    works.append(("gpt2 train 4 x 1024", lambda compiled: gpt2(compiled, bf16)))
    for name, make in works:
        if only not in name:
            continue
        times = [attempt(lambda: make(False)), math.inf if name.startswith("product") else attempt(lambda: make(True))]
        print("%-26s %-10s %10.3f %10.3f %10.3f" % (name, label, times[0], times[1], min(times)), flush=True)
