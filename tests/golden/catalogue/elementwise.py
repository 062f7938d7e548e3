"""The operations of src/ops/table.txt, and a few related ones: ordinary numbers, then NaN, infinities, zeros and
the places where a piecewise function changes."""
from common import *

SPECIAL = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 6.0, 100.0, -100.0, 1e-30]

unary = [  # name, C, PyTorch, kind, special numbers too
    ("relu", "nn_relu(net, in[0])", F.relu, s),
    ("gelu", "nn_gelu(net, in[0])", F.gelu, s),
    ("leaky_relu", "nn_leaky_relu(net, in[0], &(nn_leaky_relu_desc){.negative_slope = 0.125f})", lambda x: F.leaky_relu(x, 0.125), s),
    ("square", "nn_square(net, in[0])", torch.square, s),
    ("sigmoid", "nn_sigmoid(net, in[0])", torch.sigmoid, f),
    ("tanh", "nn_tanh(net, in[0])", torch.tanh, s),
    ("exp", "nn_exp(net, in[0])", torch.exp, f),
    ("log", "nn_log(net, in[0])", torch.log, p),
    ("sqrt", "nn_sqrt(net, in[0])", torch.sqrt, p),
    ("abs", "nn_abs(net, in[0])", torch.abs, s),
    ("negate", "nn_negate(net, in[0])", torch.neg, s),
    ("softplus", "nn_softplus(net, in[0], NULL)", F.softplus, f),
    ("scale", "nn_scale(net, in[0], 1.25f)", lambda x: x * 1.25, s),
    ("offset", "nn_offset(net, in[0], 0.75f)", lambda x: x + 0.75, s),
    ("reciprocal", "nn_reciprocal(net, in[0])", torch.reciprocal, p),
    ("rsqrt", "nn_rsqrt(net, in[0])", torch.rsqrt, p),
    ("expm1", "nn_expm1(net, in[0])", torch.expm1, s),
    ("log1p", "nn_log1p(net, in[0])", torch.log1p, p),
    ("log2", "nn_log2(net, in[0])", torch.log2, p),
    ("sin", "nn_sin(net, in[0])", torch.sin, s),
    ("cos", "nn_cos(net, in[0])", torch.cos, s),
    ("tan", "nn_tan(net, in[0])", torch.tan, s),
    ("erf", "nn_erf(net, in[0])", torch.erf, s),
    ("floor", "nn_floor(net, in[0])", torch.floor, s),
    ("ceil", "nn_ceil(net, in[0])", torch.ceil, s),
    ("round", "nn_round(net, in[0])", torch.round, s),
    ("trunc", "nn_trunc(net, in[0])", torch.trunc, s),
    ("sign", "nn_sign(net, in[0])", torch.sign, t),
    ("relu6", "nn_relu6(net, in[0])", F.relu6, f),
    ("elu", "nn_elu(net, in[0], &(nn_elu_desc){.alpha = 1.25f})", lambda x: F.elu(x, 1.25), s),
    ("selu", "nn_selu(net, in[0])", F.selu, s),
    ("celu", "nn_celu(net, in[0], &(nn_celu_desc){.alpha = 0.75f})", lambda x: F.celu(x, 0.75), s),
    ("silu", "nn_silu(net, in[0])", F.silu, s),
    ("mish", "nn_mish(net, in[0])", F.mish, s),
    ("hardsigmoid", "nn_hardsigmoid(net, in[0])", F.hardsigmoid, f),
    ("hardswish", "nn_hardswish(net, in[0])", F.hardswish, f),
    ("hardtanh", "nn_hardtanh(net, in[0], NULL)", F.hardtanh, s),
    ("softsign", "nn_softsign(net, in[0])", F.softsign, s),
    ("logsigmoid", "nn_logsigmoid(net, in[0])", F.logsigmoid, f),
    ("tanhshrink", "nn_tanhshrink(net, in[0])", F.tanhshrink, s),
    ("softshrink", "nn_softshrink(net, in[0], NULL)", F.softshrink, s),
    ("hardshrink", "nn_hardshrink(net, in[0], NULL)", F.hardshrink, s),
    ("threshold", "nn_threshold(net, in[0], 0.25f, -3)", lambda x: F.threshold(x, 0.25, -3), s),
    ("gelu_tanh", "nn_gelu_tanh(net, in[0])", lambda x: F.gelu(x, approximate="tanh"), s),
    ("clamp", "nn_clamp(net, in[0], -1, 0.5f)", lambda x: torch.clamp(x, -1, 0.5), s),
    ("clamp_min", "nn_clamp_min(net, in[0], 0.5f)", lambda x: torch.clamp_min(x, 0.5), s),
    ("clamp_max", "nn_clamp_max(net, in[0], 0.5f)", lambda x: torch.clamp_max(x, 0.5), s),
    ("logical_not", "nn_logical_not(net, in[0])", torch.logical_not, t),
]
# For these PyTorch has two different gradients at NaN; bounds.py explains them.
TWO_AT_NAN = ["relu6", "hardtanh", "softshrink", "hardshrink", "hardswish"]
for name, c, function, kind in unary:
    case(name, [kind(3, 7)], function, c)
    if name in TWO_AT_NAN:
        case(name + "_special", [literal(SPECIAL[1:])], function, c)
        case(name + "_nan", [literal([NAN, 1.0, NAN])], function, c, gradients=False)
    else:
        case(name + "_special", [literal(SPECIAL)], function, c)

# Far from zero a naive formula overflows or cancels; every number is compared, even the small ones.
for name in ["gelu", "gelu_tanh", "silu", "tanh", "erf", "elu", "softsign"]:
    c, function = [(one[1], one[2]) for one in unary if one[0] == name][0]
    case(name + "_far", [literal([-30.0, -12.0, -8.0, -6.0, -5.0, -4.5, -4.0, 4.0, 5.0, 8.0, 30.0])], function, c)
for name in ["expm1", "log1p", "tanh", "sin", "tan", "erf"]:
    c, function = [(one[1], one[2]) for one in unary if one[0] == name][0]
    case(name + "_near_zero", [literal([1e-20, -1e-12, 1e-8, 3e-7, -1e-5, 1e-4, 1e-3, -0.01, 0.05])], function, c, each=True)

LEFT = [0.0, 0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 2.0, -2.0, 5.5, -5.5, INF, -INF, INF, NAN, 1.0, NAN, 3.0, 0.0, -7.0]
RIGHT = [0.0, 1.0, -1.0, 0.0, 0.0, 3.0, 3.0, -3.0, 2.0, 2.0, 2.0, 1.0, 1.0, INF, 1.0, NAN, NAN, INF, -2.0, 7.0]
binary = [  # name, C, PyTorch, kinds
    ("add", "nn_add(net, in[0], in[1])", torch.add, s, s),
    ("subtract", "nn_subtract(net, in[0], in[1])", torch.sub, s, s),
    ("multiply", "nn_multiply(net, in[0], in[1])", torch.mul, s, s),
    ("divide", "nn_divide(net, in[0], in[1])", torch.div, s, p),
    ("maximum", "nn_maximum(net, in[0], in[1])", torch.maximum, t, t),
    ("minimum", "nn_minimum(net, in[0], in[1])", torch.minimum, t, t),
    ("pow", "nn_pow(net, in[0], in[1])", torch.pow, p, s),
    ("atan2", "nn_atan2(net, in[0], in[1])", torch.atan2, s, s),
    ("remainder", "nn_remainder(net, in[0], in[1])", torch.remainder, s, p),
    ("hypot", "nn_hypot(net, in[0], in[1])", torch.hypot, s, p),
    ("less", "nn_less(net, in[0], in[1])", torch.lt, t, t),
    ("less_equal", "nn_less_equal(net, in[0], in[1])", torch.le, t, t),
    ("greater", "nn_greater(net, in[0], in[1])", torch.gt, t, t),
    ("greater_equal", "nn_greater_equal(net, in[0], in[1])", torch.ge, t, t),
    ("equal", "nn_equal(net, in[0], in[1])", torch.eq, t, t),
    ("not_equal", "nn_not_equal(net, in[0], in[1])", torch.ne, t, t),
    ("logical_and", "nn_logical_and(net, in[0], in[1])", torch.logical_and, t, t),
    ("logical_or", "nn_logical_or(net, in[0], in[1])", torch.logical_or, t, t),
    ("squared_difference", "nn_squared_difference(net, in[0], in[1])", lambda a, b: (a - b) ** 2, s, s),
    ("huber", "nn_huber(net, in[0], in[1], 0.75f)",
     lambda a, b: F.huber_loss(*torch.broadcast_tensors(a, b), "none", 0.75), s, s),
]
for name, c, function, first, second in binary:
    case(name, [first(2, 1, 4), second(3, 1)], function, c)
    case(name + "_special", [literal(LEFT), literal(RIGHT)], function, c)

case("where", [b(3, 4), s(3, 4), s(4)], lambda c, a, b: torch.where(c != 0, a, b), "nn_where(net, in[0], in[1], in[2])")
case("where_special", [literal([0.0, 1.0, 0.0, 1.0, 0.0, 1.0], gradient=False), literal([NAN, 1.0, INF, 2.0, 3.0, INF]),
                       literal([1.0, NAN, 2.0, INF, NAN, -INF])], lambda c, a, b: torch.where(c != 0, a, b),
     "nn_where(net, in[0], in[1], in[2])")
case("clamp_by_tensors", [o(3, 5), literal([-1.0, -0.5, 0.0, -2.0, 1.0]), literal([1.0, 0.5, 1.0, -1.0, 0.0])],
     torch.clamp, 'nn_expression(net, "x, a, b: clamp(x, a, b)", in[0], in[1], in[2])')
# Every order of x, low and high, and ties, which show which of equal numbers receives the gradient.
ORDERS = [[float(1 + i // step % 3) for i in range(27)] for step in (9, 3, 1)]
case("clamp_by_tensors_ties", [literal(own) for own in ORDERS], torch.clamp,
     'nn_expression(net, "x, a, b: clamp(x, a, b)", in[0], in[1], in[2])')
case("lerp", [s(3, 4), s(3, 4), u(3, 4)], torch.lerp, "nn_lerp(net, in[0], in[1], in[2])")
case("addcmul", [s(3, 4), s(3, 4), s(4)], lambda x, a, b: torch.addcmul(x, a, b, value=0.5),
     "nn_addcmul(net, in[0], in[1], in[2], &(nn_addcmul_desc){.value = 0.5f})")
case("addcdiv", [s(3, 4), s(3, 4), p(4)], lambda x, a, b: torch.addcdiv(x, a, b, value=0.5),
     "nn_addcdiv(net, in[0], in[1], in[2], &(nn_addcdiv_desc){.value = 0.5f})")

# Free extents, layers with parameters, several outputs: one of each, as patterns to follow.
case("batch_silu_linear", [s(BATCH(4), 3)], lambda x, weight, bias: F.linear(F.silu(x), weight, bias),
     'nn_linear(net, "fc", nn_silu(net, in[0]), &(nn_linear_desc){.out_features = 2})',
     parameters={"fc.weight": s(2, 3), "fc.bias": s(2)})
case("time_linear", [s(BATCH(2), TIME(3), 4)], None, 'nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 2})',
     module=torch.nn.Linear(4, 2), prefix="fc")
case("two_outputs", [d(1, 2, 4, 4)], lambda x: F.max_pool2d(x, 2, return_indices=True),
     "nn_max_pool2d(net, in[0], &(nn_pool2d_desc){.kernel = 2})")
case("prelu", [t(2, 3, 4)], None, 'nn_prelu(net, "act", in[0], NULL)', module=torch.nn.PReLU(), prefix="act", kinds={"weight": s})
case("prelu_channels", [t(2, 3, 2, 2)], None, 'nn_prelu(net, "act", in[0], &(nn_prelu_desc){.num_parameters = 3})',
     module=torch.nn.PReLU(3), prefix="act", kinds={"weight": s})
case("prelu_flat", [literal([0.0, NAN, INF, -INF, 1.5, -2.0], (2, 3))], None,
     'nn_prelu(net, "act", in[0], &(nn_prelu_desc){.num_parameters = 3})', module=torch.nn.PReLU(3), prefix="act", gradients=False)

write(__file__, sparse=32)
