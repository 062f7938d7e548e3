"""What PyTorch takes for the rows of bench_ops.c: python bench/pytorch_ops.py [threads [part of a row's name]]"""
import sys
import time

import torch
import torch.nn.functional as F

torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else torch.get_num_threads())


def best(run):
    found = 1e9
    for _ in range(40):
        start = time.perf_counter()
        run()
        found = min(found, time.perf_counter() - start)
    return found * 1e6


def row(name, inputs, function):
    """Forward without a tape, then the gradients of all inputs alone."""
    if len(sys.argv) > 2 and sys.argv[2] not in name:
        return
    with torch.no_grad():
        print(f"{name:48} {best(lambda: function(*inputs)):10.1f} us", flush=True)
    leaves = [x.clone().requires_grad_() for x in inputs]
    y = function(*leaves)
    dy = torch.randn_like(y)
    print(f"{name + ' backward':48} {best(lambda: torch.autograd.grad(y, leaves, dy, retain_graph=True)):10.1f} us", flush=True)


for mode in ("nearest", "bilinear", "bicubic"):
    row(f"resize {mode} 2x (8, 64, 32, 32)", [torch.randn(8, 64, 32, 32)], lambda x: F.interpolate(x, scale_factor=2, mode=mode))
row("grid_sample (8, 64, 32, 32)", [torch.randn(8, 64, 32, 32), torch.rand(8, 32, 32, 2) * 2 - 1],
    lambda x, g: F.grid_sample(x, g, align_corners=False))
