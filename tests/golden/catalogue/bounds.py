"""Piecewise functions at NaN, at their bounds and next to them, alone and in a chain, whose gradient is derived from the
whole chain. PyTorch has two gradients at NaN for relu6, hardtanh, softshrink, hardshrink and
hardswish: dy on GPUs and in the tails of a CPU's vector loops (a tensor of three numbers is always
a tail), and 0, or NaN for hardswish, in the loops themselves. Ours is dy. For hardswish, which is a product,
ours is NaN, and no case tests it."""
from common import *

bounded = [  # name, C, PyTorch, numbers
    ("relu", "nn_relu(net, X)", F.relu, [0.0, -1.0]),
    ("relu6", "nn_relu6(net, X)", F.relu6, [0.0, 6.0]),
    ("hardtanh", "nn_hardtanh(net, X, NULL)", F.hardtanh, [-1.0, 1.0]),
    ("hardsigmoid", "nn_hardsigmoid(net, X)", F.hardsigmoid, [-3.0, 3.0]),
    ("hardswish", "nn_hardswish(net, X)", F.hardswish, [-3.0, 3.0]),
    ("softshrink", "nn_softshrink(net, X, NULL)", F.softshrink, [-0.5, 0.5]),
    ("hardshrink", "nn_hardshrink(net, X, NULL)", F.hardshrink, [-0.5, 0.5]),
    ("threshold", "nn_threshold(net, X, 0.25f, -3)", lambda x: F.threshold(x, 0.25, -3), [0.25, 0.5]),
    ("clamp", "nn_clamp(net, X, -1, 0.5f)", lambda x: torch.clamp(x, -1, 0.5), [-1.0, 0.5]),
    ("clamp_min", "nn_clamp_min(net, X, 0.5f)", lambda x: torch.clamp(x, min=0.5), [0.5, 1.0]),
    ("clamp_max", "nn_clamp_max(net, X, 0.5f)", lambda x: torch.clamp(x, max=0.5), [0.5, -1.0]),
]
for name, c, function, numbers in bounded:
    for where, x in [("nan", [NAN, 0.375, NAN]), ("bounds", [INF, -INF] + numbers)]:
        if name == "hardswish" and where == "nan":
            continue
        case(f"{name}_{where}", [literal(x[:3])], function, c.replace("X", "in[0]"))
        case(f"{name}_{where}_chain", [literal(x[-3:])], lambda x, function=function: -0.75 * function(x + 0),
             f"nn_scale(net, {c.replace('X', 'nn_offset(net, in[0], 0)')}, -0.75f)")

write(__file__, sparse=16)
