"""Makes tests/golden/schedules.h: the learning rates of PyTorch's schedulers before each of 60 steps.

    python tests/golden/schedules.py          (any PyTorch from 2.0 on; run in the repository's root)

A case is one line: our nn_schedule, the learning rate, and the PyTorch scheduler for an optimizer.
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


def one_cycle(optimizer, steps, **more):
    return S.OneCycleLR(optimizer, optimizer.param_groups[0]["lr"], steps, cycle_momentum=False, **more)


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
    (".kind = NN_SCHEDULE_MULTI_STEP, .milestones = {(const int64_t[]){5, 17, 40}, 3}", 0.1, lambda o: S.MultiStepLR(o, [5, 17, 40])),
    (".kind = NN_SCHEDULE_MULTI_STEP, .milestones = {(const int64_t[]){30, 1, 30}, 3}, .gamma = 0.5f", 0.1, lambda o: S.MultiStepLR(o, [30, 1, 30], 0.5)),
    (".kind = NN_SCHEDULE_EXPONENTIAL, .gamma = 0.9375f", 0.1, lambda o: S.ExponentialLR(o, 0.9375)),
    (".kind = NN_SCHEDULE_EXPONENTIAL, .gamma = 0.875f, .warmup = 6", 0.1, warm(6, lambda o: S.ExponentialLR(o, 0.875))),
    (".kind = NN_SCHEDULE_LINEAR", 0.1, lambda o: S.LinearLR(o)),
    (".kind = NN_SCHEDULE_LINEAR, .steps = 33, .start_factor = 1, .end_factor = 0.125f", 0.1, lambda o: S.LinearLR(o, 1, 0.125, 33)),
    (".kind = NN_SCHEDULE_LINEAR, .steps = 20, .start_factor = 0.75f, .end_factor = NN_NONE", 2.0, lambda o: S.LinearLR(o, 0.75, 0, 20)),
    (".kind = NN_SCHEDULE_POLYNOMIAL", 0.1, lambda o: S.PolynomialLR(o)),
    (".kind = NN_SCHEDULE_POLYNOMIAL, .steps = 50, .power = 2.5f, .warmup = 5", 0.1, warm(5, lambda o: S.PolynomialLR(o, 50, 2.5))),
    (".kind = NN_SCHEDULE_COSINE_RESTARTS, .steps = 11, .minimum = 0.01f", 0.1, lambda o: S.CosineAnnealingWarmRestarts(o, 11, 1, 0.01)),
    (".kind = NN_SCHEDULE_COSINE_RESTARTS, .steps = 4, .steps_factor = 2, .warmup = 3", 0.1,
     warm(3, lambda o: S.CosineAnnealingWarmRestarts(o, 4, 2))),
    (".kind = NN_SCHEDULE_COSINE_RESTARTS, .steps = 1, .steps_factor = 3", 0.1, lambda o: S.CosineAnnealingWarmRestarts(o, 1, 3)),
    (".kind = NN_SCHEDULE_ONE_CYCLE, .steps = 60", 0.1, lambda o: one_cycle(o, 60)),
    (".kind = NN_SCHEDULE_ONE_CYCLE, .steps = 60, .pct_start = 0.21875f, .div_factor = 4, .final_div_factor = 8, .linear = true", 0.1,
     lambda o: one_cycle(o, 60, pct_start=0.21875, div_factor=4, final_div_factor=8, anneal_strategy="linear")),
    (".kind = NN_SCHEDULE_ONE_CYCLE, .steps = 60, .three_phase = true", 1.0, lambda o: one_cycle(o, 60, three_phase=True)),
    (".kind = NN_SCHEDULE_ONE_CYCLE, .steps = 60, .pct_start = NN_NONE, .linear = true", 0.1,
     lambda o: one_cycle(o, 60, pct_start=0.0, anneal_strategy="linear")),
    (".kind = NN_SCHEDULE_FUNCTION, .function = golden_function", 0.5, lambda o: S.LambdaLR(o, lambda step: 1 / (1 + step))),
    (".kind = NN_SCHEDULE_FUNCTION, .function = golden_function, .warmup = 7", 0.5,
     warm(7, lambda o: S.LambdaLR(o, lambda step: 1 / (1 + step)))),
]

# Arguments of nn_plateau and of PyTorch's scheduler. The losses of 60 epochs seldom improve on the
# best one.
plateaus = [
    ("0", {}),
    (".patience = 2", dict(patience=2)),
    (".factor = 0.5f, .patience = NN_NONE, .cooldown = 2", dict(factor=0.5, patience=0, cooldown=2)),
    (".factor = 0.25f, .patience = 1, .threshold = 0.125f, .min_rate = 0.001f", dict(factor=0.25, patience=1, threshold=0.125, min_lr=0.001)),
    (".factor = 0.5f, .patience = 3, .threshold = 0.25f, .absolute = true", dict(factor=0.5, patience=3, threshold=0.25, threshold_mode="abs")),
    (".factor = 0.5f, .patience = 1, .threshold = NN_NONE, .epsilon = 0.015625f", dict(factor=0.5, patience=1, threshold=0.0, eps=0.015625)),
]
LOSSES = [float("nan") if i == 9 else float("inf") if i == 23 else round(4 / (1 + i // 3) + 0.25 * ((7 * i) % 5) / 4, 4) for i in range(STEPS)]
LOSSES[40:] = [0.125] * 20


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "schedules.h"), "w") as out:
    out.write("/* Made by tests/golden/schedules.py with PyTorch %s; not edited by hand. */\n" % torch.__version__.split("+")[0])
    out.write("static float golden_function(void *user, float base, int64_t step) {\n    (void)user;\n"
              "    return base / (float)(1 + step);\n}\n")
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
    named = ["NAN" if r != r else "INFINITY" if r == float("inf") else repr(r) for r in LOSSES]
    out.write("static const double golden_losses[%d] = {\n    %s};\n" % (STEPS, "\n    ".join(textwrap.wrap(", ".join(named), 92))))
    out.write("/* The rate after each epoch, from 0.5 on. */\nstatic const struct golden_plateau {\n    nn_plateau plateau;\n"
              "    double rate[%d];\n} golden_plateaus[] = {\n" % STEPS)
    for desc, arguments in plateaus:
        optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.5)
        scheduler, rates = S.ReduceLROnPlateau(optimizer, **arguments), []
        for loss in LOSSES:
            scheduler.step(loss)
            rates.append(optimizer.param_groups[0]["lr"])
        text = textwrap.wrap(", ".join("%.9g" % r for r in rates), 92)
        out.write("    {{%s},\n     {%s}},\n" % (desc, "\n      ".join(text)))
    out.write("};\n")
