"""nanoGPT's CPU recipe in PyTorch, the work of bench_nanogpt.c:
python bench/bench_nanogpt.py text [steps [threads [eager|compile|both [seed]]]]. With both, each is timed, and the faster one
trains."""
import math
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

LAYERS, HEADS, WIDE, CONTEXT, BATCH = 4, 4, 128, 64, 12


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(WIDE, bias=False)
        self.c_attn = nn.Linear(WIDE, 3 * WIDE, bias=False)
        self.c_proj = nn.Linear(WIDE, WIDE, bias=False)
        self.ln_2 = nn.LayerNorm(WIDE, bias=False)
        self.c_fc = nn.Linear(WIDE, 4 * WIDE, bias=False)
        self.m_proj = nn.Linear(4 * WIDE, WIDE, bias=False)

    def forward(self, x):
        n, t, _ = x.shape
        q, k, v = (part.view(n, t, HEADS, WIDE // HEADS).transpose(1, 2) for part in self.c_attn(self.ln_1(x)).split(WIDE, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.c_proj(y.transpose(1, 2).contiguous().view(n, t, WIDE))
        return x + self.m_proj(F.gelu(self.c_fc(self.ln_2(x))))


class Gpt(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.wte = nn.Embedding(vocabulary, WIDE)
        self.wpe = nn.Embedding(CONTEXT, WIDE)
        self.h = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.ln_f = nn.LayerNorm(WIDE, bias=False)
        for name, p in self.named_parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * LAYERS) if name.endswith("_proj.weight") else 0.02)

    def forward(self, ids, labels):
        x = self.wte(ids) + self.wpe(torch.arange(ids.shape[1]))
        for layer in self.h:
            x = layer(x)
        logits = F.linear(self.ln_f(x), self.wte.weight)
        return F.cross_entropy(logits.view(-1, logits.shape[-1]), labels.view(-1))


def batch(ids):
    rows = [ids[i:i + CONTEXT + 1] for i in torch.randint(len(ids) - CONTEXT, (BATCH,)).tolist()]
    return torch.stack([row[:-1] for row in rows]), torch.stack([row[1:] for row in rows])


def rate(step, steps):
    if step < 100:
        return 1e-3 * (step + 1) / 101
    if step > steps:
        return 1e-4
    return 1e-4 + 0.5 * (1 + math.cos(math.pi * (step - 100) / max(1, steps - 100))) * 9e-4


def train(model, call, ids, steps, clock=time.perf_counter):
    groups = [{"params": [p for p in model.parameters() if p.dim() >= 2], "weight_decay": 0.1},
              {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.99))
    times = []
    for step in range(steps):
        start = clock()
        for group in optimizer.param_groups:
            group["lr"] = rate(step, steps)
        x, y = batch(ids)
        optimizer.zero_grad(set_to_none=True)
        call(x, y).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        times.append(1e3 * (clock() - start))
    return times


def main():
    text = open(sys.argv[1], "rb").read()
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    if len(sys.argv) > 3 and int(sys.argv[3]) > 0:
        torch.set_num_threads(int(sys.argv[3]))
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1337
    torch.manual_seed(seed)
    number = {byte: i for i, byte in enumerate(sorted(set(text)))}
    ids = torch.tensor([number[byte] for byte in text])
    learnt, new = ids[:len(ids) * 9 // 10], ids[len(ids) * 9 // 10:]
    ways = [sys.argv[4]] if len(sys.argv) > 4 and sys.argv[4] != "both" else ["eager", "compile"]
    best = {}
    for way in ways:
        model = Gpt(len(number))
        call = torch.compile(model) if way == "compile" else model
        try:
            train(model, call, learnt, 5)
            best[way] = min(train(model, call, learnt, 30)) if len(ways) > 1 else 0
        except Exception as error:  # torch.compile wants a C++ compiler and Python's headers
            print("PyTorch", way, "does not run here:", str(error).strip().splitlines()[-1][:200])
    if len(best) > 1:
        print("PyTorch   least of 30 steps: " + ", ".join(f"{way} {best[way]:.2f} ms" for way in best))
    way = min(best, key=best.get)
    model = Gpt(len(number))
    call = torch.compile(model) if way == "compile" else model
    if way == "compile":
        call(*batch(learnt)).backward()
    times = train(model, call, learnt, steps)
    with torch.no_grad():
        losses = []
        for part in (learnt[:len(new)], new):  # pieces that follow each other
            count = len(part) // (BATCH * CONTEXT + 1)
            pieces = [(part[i:i + BATCH * CONTEXT].view(BATCH, CONTEXT), part[i + 1:i + 1 + BATCH * CONTEXT].view(BATCH, CONTEXT))
                      for i in range(0, count * BATCH * CONTEXT, BATCH * CONTEXT)]
            losses.append(sum(float(model(*piece)) for piece in pieces) / count)
    times.sort()
    print(f"PyTorch   step minimum {times[0]:.2f} median {times[steps // 2]:.2f} ms, all {sum(times) / 1e3:.1f} s; "
          f"loss {losses[0]:.3f}, of new text {losses[1]:.3f} ({way}, {torch.__version__})", flush=True)


main()
