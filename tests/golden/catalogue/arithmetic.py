"""More operations of src/ops/table.txt: ordinary numbers, then NaN, infinities, zeros and the places where a piecewise function changes."""
from common import *

SPECIAL = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 80.0, -80.0, 1e-30]
for name, function, kind, gradients in [("log10", torch.log10, p, True), ("exp2", torch.exp2, s, True), ("sinh", torch.sinh, s, True),
                                        ("cosh", torch.cosh, s, True), ("atan", torch.atan, s, True), ("logit", torch.logit, o, True),
                                        ("sinc", torch.sinc, s, True), ("frac", torch.frac, s, True), ("isnan", torch.isnan, t, False),
                                        ("isinf", torch.isinf, t, False), ("isfinite", torch.isfinite, t, False)]:
    number = function if gradients else lambda x, f=function: f(x).to(x.dtype)
    case(name, [kind(3, 7)], number, "nn_%s(net, in[0])" % name, gradients=gradients)
    case(name + "_special", [literal(SPECIAL)], number, "nn_%s(net, in[0])" % name, gradients=False)

# An infinity must not change its neighbours. In PoCL's vectors it does.
for name, function in [("sin", torch.sin), ("cos", torch.cos), ("tan", torch.tan)]:
    case(name + "_beside_infinity", [literal([0.003, INF, 1e-5, 0.5, 1e-20, -1.0, 1e-30, -INF, 2.0, 1e-8, 0.25, 1.5, 3.0, 0.001, -0.01, 0.1])],
         function, "nn_%s(net, in[0])" % name, gradients=False, each=True)

LEFT = [0.0, 0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 2.0, -2.0, 5.5, -5.5, INF, -INF, INF, NAN, 1.0, NAN, 3.0, 0.0, -7.0, INF, -INF, 0.0]
RIGHT = [0.0, 1.0, -1.0, 0.0, 0.0, 3.0, 3.0, -3.0, 2.0, 2.0, 2.0, 1.0, 1.0, INF, 1.0, NAN, NAN, INF, -2.0, 7.0, -INF, -INF, INF]
for name, function, first, second, gradients in [
        ("fmod", torch.fmod, s, p, True), ("fmax", torch.fmax, t, t, True), ("fmin", torch.fmin, t, t, True),
        ("logaddexp", torch.logaddexp, f, f, True), ("xlogy", torch.xlogy, t, p, True), ("heaviside", torch.heaviside, t, s, False),
        ("logical_xor", lambda a, b: torch.logical_xor(a, b).to(a.dtype), t, t, False)]:
    case(name, [first(2, 1, 4), second(3, 1)], function, "nn_%s(net, in[0], in[1])" % name, gradients=gradients)
    case(name + "_special", [literal(LEFT), literal(RIGHT)], function, "nn_%s(net, in[0], in[1])" % name, gradients=False)

write(__file__, sparse=32)
