"""Measures what the steps of torch.optim cost, for a comparison with bench_update.c:

    python bench/bench_update.py [threads [cpu] [optimizer]]

It measures the same three things: gradients have just been written, and the last column is a whole step of a linear
layer."""
import sys
import time

import torch

torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else torch.get_num_threads())
O = torch.optim


def best(make, count, rows, columns, steps, clock):
    params = [torch.nn.Parameter(torch.rand(rows, columns)) for _ in range(count)]
    optimizer = make(params)
    for p in params:
        p.grad = torch.rand_like(p)
    optimizer.step()
    found = 1e9
    for _ in range(5):
        took = 0
        for _ in range(steps):
            for p in params:  # as a pass forward and backward does, and as bench_update.c does: they have just been written,
                p.data.sum()  # after the parameter was read
                p.grad.fill_(1)
            start = clock()
            optimizer.step()
            took += clock() - start
        found = min(found, took / steps)
    return found


def whole(make, steps, clock):
    layer = torch.nn.Linear(2048, 2048)
    optimizer = make(layer.parameters())
    x = (torch.arange(64 * 2048) % 97 / 97 - 0.5).reshape(64, 2048)
    found = 1e9
    for run in range(6):  # the first one warms up
        start = clock()
        for _ in range(steps):
            optimizer.zero_grad()
            layer(x).square().sum().backward()
            optimizer.step()
        took = (clock() - start) / steps
        if run:
            found = min(found, took)
    return found


clock = time.process_time if "cpu" in sys.argv else time.perf_counter
print(f"{'optimizer':24} {'100 x (30, 30)':>16} {'(2048, 2048)':>16} {'linear step':>16}")
# Muon is left out: its products are bfloat16, which takes minutes on a CPU without instructions for them.
chosen = [word for word in sys.argv[2:] if word != "cpu"]
for cls in [O.SGD, O.Adam, O.AdamW, O.RMSprop, O.Adagrad, O.Adadelta, O.NAdam, O.RAdam, O.Adamax, O.ASGD,
            O.Rprop]:
    if chosen and cls.__name__.lower() not in chosen:
        continue
    small = best(cls, 100, 30, 30, 20, clock)
    large = best(cls, 1, 2048, 2048, 10, clock)
    step = whole(lambda p: cls(p, lr=1e-9), 10, clock)
    print(f"{cls.__name__.lower():24} {1e6 * small:13.1f} us {1e3 * large:13.2f} ms {1e3 * step:13.2f} ms", flush=True)
