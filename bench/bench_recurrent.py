"""Measures what torch.nn.LSTM, GRU and RNN cost, to compare with bench_recurrent.c: python bench/bench_recurrent.py [threads [cpu]]"""
import sys
import time

import torch

torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else torch.get_num_threads())
clock = time.process_time if "cpu" in sys.argv else time.perf_counter
BATCH, TIME, WIDE, RUNS = 64, 64, 128, 12

print(f"{'64 x (64, 128), 128 wide':26} {'inference':>14} {'training step':>14}")
for name, module in [("lstm", torch.nn.LSTM(WIDE, WIDE, batch_first=True)), ("gru", torch.nn.GRU(WIDE, WIDE, batch_first=True)),
                     ("rnn", torch.nn.RNN(WIDE, WIDE, batch_first=True)),
                     ("lstm 2 layers, both ways", torch.nn.LSTM(WIDE, WIDE, num_layers=2, bidirectional=True, batch_first=True))]:
    x = torch.rand(BATCH, TIME, WIDE) * 2 - 1
    target = torch.zeros(BATCH, TIME, WIDE * (2 if module.bidirectional else 1))
    optimizer = torch.optim.Adam(module.parameters())
    best = [1e9, 1e9]
    for run in range(2 * RUNS):
        start = clock()
        if run % 2:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(module(x)[0], target).backward()
            optimizer.step()
        else:
            with torch.inference_mode():
                module(x)
        best[run % 2] = min(best[run % 2], clock() - start)
    print(f"{name:26} {1e3 * best[0]:11.2f} ms {1e3 * best[1]:11.2f} ms", flush=True)
