"""Makes tests/golden/schedules.h: the learning rates of PyTorch's schedulers before each of 60 steps.

    python tests/golden/schedules.py          (any PyTorch from 2.0 on; run in the repository's root)

A case is one line: our nn_schedule, the learning rate, and PyTorch's scheduler of an optimizer.
"""
import os
import textwrap
import warnings

import torch
from torch.optim import lr_scheduler as S

warnings.simplefilter("ignore")
STEPS = 60


def warm(steps, then, start=1.0 / 3):
    return lambda o: S.SequentialLR(o, [S.LinearLR(o, start, 1, steps), then(o)], [steps])


cases = [
    (".kind = NN_SCHEDULE_CONSTANT", 0.25, lambda o: S.LambdaLR(o, lambda step: 1)),
    (".kind = NN_SCHEDULE_STEP, .steps = 20", 0.1, lambda o: S.StepLR(o, 20)),
    (".kind = NN_SCHEDULE_STEP, .steps = 1, .gamma = 0.875f", 1.5, lambda o: S.StepLR(o, 1, 0.875)),
    (".kind = NN_SCHEDULE_STEP, .steps = 7, .gamma = 1.25f", 1e-3, lambda o: S.StepLR(o, 7, 1.25)),
    (".kind = NN_SCHEDULE_COSINE, .steps = 59", 0.1, lambda o: S.CosineAnnealingLR(o, 59)),
    (".kind = NN_SCHEDULE_COSINE, .steps = 40, .minimum = 0.01f", 0.1, lambda o: S.CosineAnnealingLR(o, 40, 0.01)),
    (".kind = NN_SCHEDULE_COSINE, .steps = 13, .minimum = 0.125f", 1.0, lambda o: S.CosineAnnealingLR(o, 13, 0.125)),
    (".warmup = 10", 0.5, warm(10, lambda o: S.LambdaLR(o, lambda step: 1))),
    (".warmup = 25, .warmup_start = 0.125f", 0.5, warm(25, lambda o: S.LambdaLR(o, lambda step: 1), 0.125)),
    (".kind = NN_SCHEDULE_STEP, .steps = 9, .gamma = 0.5f, .warmup = 12", 0.3, warm(12, lambda o: S.StepLR(o, 9, 0.5))),
    (".kind = NN_SCHEDULE_COSINE, .steps = 50, .minimum = 0.001f, .warmup = 10, .warmup_start = 0.01f", 0.1,
     warm(10, lambda o: S.CosineAnnealingLR(o, 50, 0.001), 0.01)),
]

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "schedules.h"), "w") as out:
    out.write("/* Made by tests/golden/schedules.py with PyTorch %s; not edited by hand. */\n" % torch.__version__.split("+")[0])
    out.write("static const struct golden_schedule {\n    nn_schedule schedule;\n    float learning_rate;\n    double rate[%d];\n"
              "} golden_schedules[] = {\n" % STEPS)
    for desc, rate, make in cases:
        optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=rate)
        scheduler, rates = make(optimizer), []
        for _ in range(STEPS):
            rates.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()
        text = textwrap.wrap(", ".join("%.9g" % r for r in rates), 92)
        if len(desc) > 85:
            at = desc.rindex(", .", 0, 80)
            desc = desc[:at + 1] + "\n      " + desc[at + 2:]
        out.write("    {{%s},\n     %sf,\n     {%s}},\n" % (desc, repr(float(rate)), "\n      ".join(text)))
    out.write("};\n")
