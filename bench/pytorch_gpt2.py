#!/usr/bin/python3
"""The work of bench/bench_gpt2.c with PyTorch, alternately with it, in one run:

    pytorch_gpt2.py [threads [turns [eager|compiled|both]]]

BENCH_GPT2: our program (build/bench/bench_gpt2). Each turn is one step of each side. The table has minimum and median in
milliseconds; a ratio is how many times faster than PyTorch we are (above 1: faster). PyTorch's AdamW is its fused one, its
attention the
scaled_dot_product_attention, its loss over the same logits; `compiled` is torch.compile of model and loss."""
import os
import statistics
import subprocess
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

threads = int(sys.argv[1]) if len(sys.argv) > 1 else 1
turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
which = sys.argv[3] if len(sys.argv) > 3 else "both"
torch.set_num_threads(threads)
torch.manual_seed(1)
BATCH, TIME, WIDE, HEADS, WORDS = 4, 64, 768, 12, 50257


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(WIDE), nn.LayerNorm(WIDE)
        self.attn, self.proj = nn.Linear(WIDE, 3 * WIDE), nn.Linear(WIDE, WIDE)
        self.fc, self.out = nn.Linear(WIDE, 4 * WIDE), nn.Linear(4 * WIDE, WIDE)

    def forward(self, x):
        q, k, v = (t.view(BATCH, TIME, HEADS, -1).transpose(1, 2) for t in self.attn(self.ln_1(x)).split(WIDE, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(BATCH, TIME, WIDE))
        return x + self.out(F.gelu(self.fc(self.ln_2(x)), approximate="tanh"))


class Gpt2(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(WORDS, WIDE), nn.Embedding(1024, WIDE)
        self.h, self.ln_f = nn.ModuleList(Block() for _ in range(12)), nn.LayerNorm(WIDE)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids, labels):
        x = self.wte(ids) + self.wpe(torch.arange(TIME))
        for block in self.h:
            x = block(x)
        return F.cross_entropy(F.linear(self.ln_f(x), self.wte.weight).view(-1, WORDS), labels.view(-1))


def make_step(compiled):
    net = Gpt2()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4, weight_decay=0.01, fused=True)
    ids, labels = torch.randint(WORDS, (BATCH, TIME)), torch.randint(WORDS, (BATCH, TIME))
    call = torch.compile(net) if compiled else net

    def step():
        start = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        loss = call(ids, labels)
        loss.backward()
        optimizer.step()
        return (time.perf_counter() - start) * 1e3

    for _ in range(2):
        step()
    return step


program = os.environ.get("BENCH_GPT2", "build/bench/bench_gpt2")
ours = subprocess.Popen([program, str(threads), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(ours.stdout.readline().strip())


def ask():
    print("step", file=ours.stdin, flush=True)
    return float(ours.stdout.readline()) / 1e3


ask()
sides = {"nn.h": ask}
for name in ["eager", "compiled"]:
    if which in (name, "both"):
        try:
            sides[name] = make_step(name == "compiled")
        except Exception as error:  # torch.compile wants a C++ compiler and its headers
            print("left out: PyTorch " + name + ":", str(error).splitlines()[0])
took = {name: [] for name in sides}
for _ in range(turns):
    for name, step in sides.items():
        time.sleep(0.02)  # PyTorch's threads spin for a while
        took[name].append(step())
least = {name: min(times) for name, times in took.items()}
middle = {name: statistics.median(times) for name, times in took.items()}
print(f"\nPyTorch {torch.__version__}\n\n| side | threads | minimum, ms | median, ms | minimum / ours | median / ours |\n"
      "| --- | --- | --- | --- | --- | --- |")
for name in sides:
    print(f"| {name} | {threads} | {least[name]:.0f} | {middle[name]:.0f} | {least[name] / least['nn.h']:.2f} "
          f"| {middle[name] / middle['nn.h']:.2f} |")
ours.stdin.close()
ours.wait()
