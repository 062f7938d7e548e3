"""Stored results for tests/language/test_generate.c: the logits processors of Hugging Face's transformers on random logits.
   python3 tests/golden/sampling.py > tests/golden/sampling.h     (PyPI: transformers 5, torch)
The 64 logits of a case are multiples of 1/65536 that number() gives; every fourth case contains equal ones. Stored for each
result are the tokens that are left (a bit each), their largest and smallest score, and the entropy of their distribution."""
import random

import torch
import transformers
from transformers.generation import logits_process as p

SIZE, CASES = 64, 160


def number(x):
    x = (x ^ x >> 16) * 0x7FEB352D & 0xFFFFFFFF
    x = (x ^ x >> 15) * 0x846CA68B & 0xFFFFFFFF
    return x ^ x >> 16


def logits(case):
    coarse = 65536 if case % 4 == 3 else 1
    return torch.tensor([(number(case * SIZE + i) % (14 << 16) // coarse * coarse - (8 << 16)) / 65536 for i in range(SIZE)])


def main():
    draw = random.Random(11)
    print("/* Made by tests/golden/sampling.py with transformers " + transformers.__version__ + ". */")
    print("static const struct sampling_case {\n    double penalty, temperature, top_p, min_p;\n    int top_k, ids;"
          "\n    uint64_t left;\n    double largest, smallest, entropy;\n} sampling_cases[] = {")
    case = 0
    while case < CASES:
        penalty = draw.choice([0, 0, 1.1, 1.5, 0.8])
        temperature = draw.choice([0, 0.7, 1.3, 0.25, 3.0])
        top_k = draw.choice([0, 0, 1, 5, 20, 63, 100])
        top_p = draw.choice([0, 0, 0.1, 0.5, 0.9, 0.95])
        min_p = draw.choice([0, 0, 0.02, 0.1, 0.5])
        if case % 4 == 3:
            top_p = 0  # the order in which torch.sort puts equal tokens is not specified
        count = draw.choice([1, 7, 30])
        ids = torch.tensor([[number(7777 + case * SIZE + i) % SIZE for i in range(count)]])
        scores = logits(case)[None]
        if penalty:
            scores = p.RepetitionPenaltyLogitsProcessor(penalty)(ids, scores)
        if temperature:
            scores = p.TemperatureLogitsWarper(temperature)(ids, scores)
        if top_k:
            scores = p.TopKLogitsWarper(top_k)(ids, scores)
        if top_p:
            share = torch.sort(scores)[0].double().softmax(-1).cumsum(-1) - (1 - top_p)
            if share.abs().min() < 1e-5:
                continue  # a threshold is so close that rounding decides
            scores = p.TopPLogitsWarper(top_p)(ids, scores)
        if min_p:
            probabilities = scores.double().softmax(-1)
            if (probabilities - min_p * probabilities.max()).abs().min() < 1e-6:
                continue
            scores = p.MinPLogitsWarper(min_p)(ids, scores)
        kept = scores[0] > -float("inf")
        left = sum(1 << i for i in range(SIZE) if kept[i])
        q = scores[0].double().softmax(-1)
        entropy = float(-(q[kept] * q[kept].log()).sum())
        values = ", ".join(f"{float(v):.9g}" for v in (scores.max(), scores[0][kept].min(), entropy))
        print(f"    {{{penalty}, {temperature}, {top_p}, {min_p}, {top_k}, {count}, 0x{left:016x}u, {values}}},")
        case += 1
    print("};")


main()
