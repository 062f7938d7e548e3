#!/usr/bin/env python3
"""Measures PyTorch and bench_decode alternately: one sequence, token by token, through GPT-2 124M with random weights.

    pip install torch transformers
    make build/bench/bench_decode && python3 bench/pytorch_decode.py [threads] [f32|bf16]

Each turn runs the C program's row and PyTorch's model with its own cache on the same number of threads. What is compared is
the median time of a token at a position; the C program also says how long plain reading of the weights takes."""
import os
import re
import subprocess
import sys
import time

import torch
from transformers import DynamicCache, GPT2Config, GPT2LMHeadModel

TOKENS = 12
PROGRAM = os.environ.get("BENCH_DECODE", "build/bench/bench_decode")


def ours(threads, dtype, position):
    said = subprocess.run([PROGRAM, str(threads), dtype, str(position)], capture_output=True, text=True, check=True).stdout
    return float(re.search(r"([0-9.]+) ms a token", said).group(1)), float(re.search(r"MB +([0-9.]+) ms", said).group(1))


def make(dtype, position):
    torch.manual_seed(1)
    model = GPT2LMHeadModel(GPT2Config()).to(dtype).eval()
    cache = DynamicCache()
    with torch.no_grad():
        model(torch.zeros(1, position, dtype=torch.long), past_key_values=cache, use_cache=True)
    return model, cache


def theirs(model, cache):
    took = []
    with torch.no_grad():
        for i in range(TOKENS):
            token = torch.tensor([[i]])
            start = time.perf_counter()
            model(token, past_key_values=cache, use_cache=True)
            took.append(time.perf_counter() - start)
    return sorted(took)[TOKENS // 2] * 1e3


def main():
    wanted_threads = [int(sys.argv[1])] if len(sys.argv) > 1 else [1, 2]
    wanted = [sys.argv[2]] if len(sys.argv) > 2 else ["f32", "bf16"]
    print("PyTorch %s; milliseconds a token, median of %d, least of the turns" % (torch.__version__, TOKENS))
    for threads in wanted_threads:
        torch.set_num_threads(threads)
        for name in wanted:
            for position in (16, 1000):
                model, cache = make({"f32": torch.float32, "bf16": torch.bfloat16}[name], position)
                rows = [ours(threads, name, position) + (theirs(model, cache),) for _ in range(2)]
                mine, reading, other = (min(column) for column in zip(*rows))
                print("%-4s %d threads, position %4d: nn.h %6.2f, PyTorch %6.2f (%.2f times), reading the weights %6.2f (nn.h %.2f, "
                      "PyTorch %.2f times that)" % (name, threads, position, mine, other, other / mine, reading, mine / reading,
                                                    other / reading), flush=True)


main()
