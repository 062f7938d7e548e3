"""Prints the parameters after 20 steps of every optimizer, for tests/train/test_optimizers.c.

    python tests/golden/optimizers.py > tests/golden/optimizers.h

Made with PyTorch 2.15: each case runs in float64, which gives the values, and in float32, whose
error bounds ours. A net of one linear layer (5 to 3) and mse_loss learns from four
batches of four samples in turn.
"""
import textwrap

import torch
import torch.optim._muon as muon

STEPS = 20


def newton_schulz(grad, coefficients, steps, eps):
    """Runs PyTorch's Newton-Schulz iteration in the precision of the gradient instead of bfloat16."""
    a, b, c = coefficients
    x = grad.T if grad.size(0) > grad.size(1) else grad
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.T if grad.size(0) > grad.size(1) else x


muon._zeropower_via_newtonschulz = newton_schulz


class Lion(torch.optim.Optimizer):
    """Lion: algorithm 2 of arXiv 2302.06675. PyTorch has no such optimizer."""

    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                m = self.state[p].setdefault("exp_avg", torch.zeros_like(p))
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_((m * beta1 + p.grad * (1 - beta1)).sign(), alpha=-group["lr"])
                m.mul_(beta2).add_(p.grad, alpha=1 - beta2)


def one(cls, **options):
    return lambda w, b: [cls([w, b], **options)]


def clipped(norm=None, value=None, then=None):
    def make(w, b):
        def clip():
            if norm:
                torch.nn.utils.clip_grad_norm_([w, b], norm)
            if value:
                torch.nn.utils.clip_grad_value_([w, b], value)
        return [clip] + then(w, b)
    return make


O = torch.optim
CASES = [
    ("sgd", ".optimizer = NN_SGD", one(O.SGD)),
    ("sgd_nesterov", ".learning_rate = 0.02f, .momentum = 0.9f, .sgd = {.nesterov = true}, "
     ".weight_decay = 0.1f", one(O.SGD, lr=0.02, momentum=0.9, nesterov=True, weight_decay=0.1)),
    ("sgd_dampening", ".learning_rate = 0.05f, .momentum = 0.9f, .sgd = {.dampening = 0.3f}",
     one(O.SGD, lr=0.05, momentum=0.9, dampening=0.3)),
    ("adam", ".optimizer = NN_ADAM, .learning_rate = 0.02f, .weight_decay = 0.1f",
     one(O.Adam, lr=0.02, weight_decay=0.1)),
    ("adam_amsgrad", ".optimizer = NN_ADAM, .learning_rate = 0.02f, .adam = {.amsgrad = true}",
     one(O.Adam, lr=0.02, amsgrad=True)),
    ("adamw", ".optimizer = NN_ADAMW, .learning_rate = 0.02f", one(O.AdamW, lr=0.02)),
    ("adamw_amsgrad", ".optimizer = NN_ADAMW, .learning_rate = 0.02f, .adam = {.amsgrad = true}",
     one(O.AdamW, lr=0.02, amsgrad=True)),
    ("rmsprop", ".optimizer = NN_RMSPROP", one(O.RMSprop)),
    ("rmsprop_momentum", ".optimizer = NN_RMSPROP, .momentum = 0.9f, .rmsprop = {.alpha = 0.95f}, "
     ".weight_decay = 0.1f", one(O.RMSprop, momentum=0.9, alpha=0.95, weight_decay=0.1)),
    ("rmsprop_centered", ".optimizer = NN_RMSPROP, .rmsprop = {.centered = true}", one(O.RMSprop, centered=True)),
    ("rmsprop_centered_momentum", ".optimizer = NN_RMSPROP, .rmsprop = {.centered = true}, .momentum = 0.5f, "
     ".learning_rate = 1e-3f", one(O.RMSprop, centered=True, momentum=0.5, lr=1e-3)),
    ("adagrad", ".optimizer = NN_ADAGRAD", one(O.Adagrad)),
    ("adagrad_decay", ".optimizer = NN_ADAGRAD, .learning_rate = 0.1f, "
     ".adagrad = {.learning_rate_decay = 0.05f, .initial_accumulator_value = 0.5f}, .weight_decay = 0.1f",
     one(O.Adagrad, lr=0.1, lr_decay=0.05, initial_accumulator_value=0.5, weight_decay=0.1)),
    ("adadelta", ".optimizer = NN_ADADELTA", one(O.Adadelta)),
    ("adadelta_rho", ".optimizer = NN_ADADELTA, .adadelta = {.rho = 0.8f}, .weight_decay = 0.1f, "
     ".epsilon = 1e-4f", one(O.Adadelta, rho=0.8, weight_decay=0.1, eps=1e-4)),
    ("nadam", ".optimizer = NN_NADAM", one(O.NAdam)),
    ("nadam_decoupled", ".optimizer = NN_NADAM, .weight_decay = 0.1f, .nadam = {.momentum_decay = 0.05f, "
     ".decoupled_weight_decay = true}", one(O.NAdam, weight_decay=0.1, momentum_decay=0.05,
                                           decoupled_weight_decay=True)),
    ("radam", ".optimizer = NN_RADAM", one(O.RAdam)),
    ("radam_beta2", ".optimizer = NN_RADAM, .beta2 = 0.9f, .weight_decay = 0.1f",
     one(O.RAdam, betas=(0.9, 0.9), weight_decay=0.1)),
    ("adamax", ".optimizer = NN_ADAMAX", one(O.Adamax)),
    ("adamax_decay", ".optimizer = NN_ADAMAX, .learning_rate = 0.05f, .weight_decay = 0.1f, "
     ".beta2 = 0.9f", one(O.Adamax, lr=0.05, weight_decay=0.1, betas=(0.9, 0.9))),
    ("lion", ".optimizer = NN_LION", one(Lion)),
    ("lion_decay", ".optimizer = NN_LION, .learning_rate = 0.01f, .weight_decay = 0.5f, "
     ".beta1 = 0.8f", one(Lion, lr=0.01, weight_decay=0.5, betas=(0.8, 0.99))),
    ("asgd", ".optimizer = NN_ASGD", one(O.ASGD)),
    ("asgd_averaging", ".optimizer = NN_ASGD, .learning_rate = 0.1f, .asgd = {.lambd = 0.05f, "
     ".alpha = 0.6f, .t0 = 7}, .weight_decay = 0.1f",
     one(O.ASGD, lr=0.1, lambd=0.05, alpha=0.6, t0=7, weight_decay=0.1)),
    ("rprop", ".optimizer = NN_RPROP", one(O.Rprop)),
    ("rprop_sizes", ".optimizer = NN_RPROP, .learning_rate = 0.1f, .rprop = {.etaminus = 0.3f, "
     ".etaplus = 1.5f, .step_size_min = 0.02f, .step_size_max = 0.15f}",
     one(O.Rprop, lr=0.1, etas=(0.3, 1.5), step_sizes=(0.02, 0.15))),
    ("group_alpha", ".optimizer = NN_RMSPROP, .rmsprop = {.alpha = 0.9f}, .groups = NN_GROUPS({.pattern = "
     "\"*.bias\", .rmsprop = {.alpha = 0.5f}}, {.pattern = \"fc.\", .optimizer = NN_ADADELTA, .adadelta = {.rho = 0.8f}, "
     ".rate_factor = 10})",
     lambda w, b: [O.RMSprop([b], alpha=0.5), O.Adadelta([w], lr=0.1, rho=0.8)]),
    ("muon", ".optimizer = NN_MUON, .groups = NN_GROUPS({.pattern = \"*.bias\", .optimizer = NN_ADAMW})",
     lambda w, b: [O.Muon([w]), O.AdamW([b])]),
    ("muon_rms", ".optimizer = NN_MUON, .learning_rate = 0.02f, .weight_decay = NN_NONE, "
     ".muon = {.no_nesterov = true, .rate = NN_MUON_MATCH_RMS_ADAMW, .newton_schulz_steps = 3}, "
     ".groups = NN_GROUPS({.pattern = \"*.bias\", .optimizer = NN_SGD, .rate_factor = 0.5f})",
     lambda w, b: [O.Muon([w], lr=0.02, weight_decay=0, nesterov=False, ns_steps=3,
                          adjust_lr_fn="match_rms_adamw"), O.SGD([b], lr=0.01)]),
    ("group_decay", ".optimizer = NN_ADAMW, .learning_rate = 0.02f, .weight_decay = 0.5f, "
     ".groups = NN_GROUPS({.pattern = \"fc.b*\", .weight_decay = NN_NONE, .rate_factor = 0.1f})",
     lambda w, b: [O.AdamW([{"params": [w]}, {"params": [b], "weight_decay": 0, "lr": 0.002}],
                           lr=0.02, weight_decay=0.5)]),
    ("clip_norm", ".optimizer = NN_RMSPROP, .max_norm = 0.05f, .epsilon = 0.01f",
     clipped(norm=0.05, then=one(O.RMSprop, eps=0.01))),
    ("clip_value", ".learning_rate = 0.1f, .max_value = 0.05f",
     clipped(value=0.05, then=one(O.SGD, lr=0.1))),
    ("clip_both", ".optimizer = NN_ADAM, .learning_rate = 0.1f, .epsilon = 0.01f, "
     ".max_norm = 0.2f, .max_value = 0.05f",
     clipped(norm=0.2, value=0.05, then=one(O.Adam, lr=0.1, eps=0.01))),
    ("clip_muon", ".optimizer = NN_MUON, .max_norm = 0.2f, .max_value = 0.05f, "
     ".learning_rate = 0.02f, .groups = NN_GROUPS({.pattern = \"fc.bias\", .optimizer = NN_ADAM})",
     clipped(norm=0.2, value=0.05, then=lambda w, b: [O.Muon([w], lr=0.02), O.Adam([b], lr=0.02)])),
]

torch.manual_seed(3)
start = [torch.randn(3, 5), torch.randn(3)]
batches = [(torch.randn(4, 5), torch.randn(4, 3)) for _ in range(4)]


def run(make, dtype):
    w, b = [t.to(dtype, copy=True).requires_grad_() for t in start]
    steps = make(w, b)
    for k in range(STEPS):
        x, y = [t.to(dtype) for t in batches[k % 4]]
        w.grad = b.grad = None
        torch.nn.functional.mse_loss(torch.nn.functional.linear(x, w, b), y).backward()
        for step in steps:
            step() if callable(step) else step.step()
    return torch.cat([w.detach().flatten(), b.detach()])


def numbers(t, digits=9, suffix=""):
    lines, line = [], "   "
    for v in t.flatten().tolist():
        text = f" {v:.{digits}g}{suffix},"
        if len(line) + len(text) > 98:
            lines.append(line)
            line = "   "
        line += text
    return "\n".join(lines + [line])


print("/* tests/golden/optimizers.h - made by tests/golden/optimizers.py with PyTorch "
      f"{torch.__version__.split('+')[0]}. */\n#pragma once\n")
print(f"#define OPTIMIZER_STEPS {STEPS}")
for name, t in [("start", torch.cat([start[0].flatten(), start[1]])),
                ("x", torch.stack([b[0] for b in batches])),
                ("y", torch.stack([b[1] for b in batches]))]:
    print(f"static const float optimizer_{name}[] = {{\n{numbers(t, 9, 'f')}}};")
print("\n/* Parameters at the end: weight (3, 5), bias (3). */")
rows = []
for name, fields, make in CASES:
    exact, rounded = run(make, torch.float64), run(make, torch.float32)
    error = (rounded.double() - exact).abs().max().item()
    print(f"static const double optimizer_{name}[] = {{\n{numbers(exact, 12)}}};")
    fields = " \\\n".join(textwrap.wrap(fields, 88, initial_indent=" " * 6,
                                       subsequent_indent=" " * 6))
    rows.append(f"    X({name}, {error:.3g}, \\\n{fields})")
print("\n/* X(name, largest error of PyTorch's float32, fields of nn_trainer_desc) */")
print("#define OPTIMIZER_CASES(X) \\")
print(" \\\n".join(rows))
